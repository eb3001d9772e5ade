"""Thousands of broken bodies, forms and queries, at each address of the URL table: no 5xx, nothing half done.

Each is tried on a fresh game (what it changed is rolled back). Whatever is answered with an error has written
nothing; whatever was written is a whole change, with its line in the log.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable
from itertools import cycle, islice
from typing import Any, NamedTuple

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from games.drafts import draft_of, draft_start
from games.engine.reading import parse_record
from games.models import AccessKey, Game, LogEntry, RecordDraft
from games.selectors import sheet_of
from tests import malformed
from tests.malformed import NUMBERS, Malformed
from tests.test_permission_matrix import ADDRESSES, BODIES, FORMS, LINES, game, phone_of, secret

pytestmark = pytest.mark.django_db
__all__ = ["game"]  # the fixture

SEED = 10
CALLS = [line[:3] for line in LINES if line[0] != "GET" and line[1].startswith("api:")]
# The pages of accounts are django-allauth's and want another phone: web/test_sign_in.py.
TRIED = [line[:3] for line in LINES if not line[1].startswith("account")]
PAGES = [line for line in TRIED if line[0] == "POST" and not line[1].startswith("api:")]
READS = [line for line in TRIED if line[0] == "GET"]


def parts_of(game: Game, number: str) -> dict[str, Any]:
    """What an address is made of, but for keys of links: a record that is being written is there."""
    record = parse_record("set: 6\nplayers: A, B\ndeal: 5\nengine: 6-6 A\n1. A -")
    draft = draft_of(game, 9) or draft_start(record=record, address="", most=1_000, game=game, round_number=9)
    about: dict[str, Any] = {"slug": game.slug, "number": int(number), "seat": 4, "preset": "wikihow"}
    return about | {"key": draft.key}


def url_of(chance: random.Random, game: Game, name: str, number: str) -> str:
    """The address; now and then of a round or seat that cannot be."""
    about = parts_of(game, number)
    if chance.random() < 0.2:
        about |= {chance.choice(("number", "seat")): chance.choice(NUMBERS)}
    if "secret" in ADDRESSES[name].pattern.converters:
        about["secret"] = secret(game, AccessKey.objects.filter(game=game)[0].role)  # type: ignore[arg-type]
    return reverse(name, kwargs={part: about[part] for part in ADDRESSES[name].pattern.converters})


class Page(NamedTuple):
    """What a page's form is made of, as far as it has a page: its fields, and what its buttons say."""

    fields: list[str]
    buttons: list[str]


def page_of(phone: Client, game: Game, name: str, number: str) -> Page:
    about = parts_of(game, number)
    url = reverse(name, kwargs={part: about[part] for part in ADDRESSES[name].pattern.converters})
    answer = phone.get(f"{url}?out=3&new=1")
    if answer.status_code != 200:
        return Page(["version", "do", "link", "face"], ["x"])
    text = answer.content.decode()
    return Page(
        sorted(set(re.findall(r'\bname="([^"]+)"', text))),
        sorted(set(re.findall(r'\bname="do" value="([^"]+)"', text))) or ["x"],
    )


class Trial:
    """Sends, looks at what became of it, and puts everything back."""

    def __init__(self, game: Game, settings: Settings) -> None:
        settings.GAMES_PER_MINUTE = settings.WRONG_KEYS_PER_MINUTE = settings.RECORDS_PER_MINUTE = 1_000_000
        self.game = game
        self.phone = phone_of("scorer", game)
        self.phone.raise_request_exception = False
        self.seen: Counter[int] = Counter()
        self.wrong: list[str] = []

    def send(self, number: int, method: str, url: str, sent: Malformed) -> None:
        before = state()
        with transaction.atomic():
            answer: Any = self.phone.generic(
                method, url, sent.body, sent.content_type, headers=sent.headers or None
            )
            if answer.status_code >= 500:
                self.tell(number, method, url, sent, str(answer.status_code))
            else:
                after = state()
                if after != before and answer.status_code >= 400:
                    self.tell(number, method, url, sent, f"{answer.status_code}, and something was written")
                if after != before and not whole():
                    self.tell(number, method, url, sent, "a change that is not whole")
            transaction.set_rollback(True)
        self.seen[answer.status_code] += 1

    def tell(self, number: int, method: str, url: str, sent: Malformed, what: str) -> None:
        about = f"{sent.content_type!r} {sent.headers} {sent.body[:300]!r}"
        self.wrong.append(f"try {number} (seed {SEED}): {method} {url}: {what}\n    {about}")

    def told(self) -> dict[str, object]:
        failed = sum(times for code, times in self.seen.items() if code >= 500)
        return {"five_hundreds": failed, "answers": dict(sorted(self.seen.items()))}


def state() -> list[Any]:
    return [
        list(Game.objects.values_list("pk", "version", "name", "status")),
        list(RecordDraft.objects.values_list("key", "version")),
        LogEntry.objects.count(),
    ]


def whole() -> bool:
    """Every game has as many log lines as its version says, and every round a hand of each who played it."""
    for one in Game.objects.all():
        numbers = list(LogEntry.objects.filter(game=one).values_list("number", flat=True))
        sheet = sheet_of(one)
        if numbers != list(range(1, one.version + 1)):
            return False
        if any(set(line.hands) != set(sheet.seats(line.number)) for line in sheet.rounds):
            return False
    return True


Size = Callable[[int, int], int]


@pytest.mark.long
def test_no_body_brings_the_api_down(
    game: Game, settings: Settings, size: Size, figures: Callable[..., None]
) -> None:
    trial, count = Trial(game, settings), size(150, 3_000)
    ways = cycle(CALLS)
    for number, chance in enumerate(islice(malformed.endless(SEED), count)):
        method, name, at = next(ways)
        sent = malformed.body(chance, BODIES.get(name, {}))
        trial.send(number, method, url_of(chance, game, name, at), sent)

    figures(bodies=count, **trial.told())
    assert not trial.wrong, "\n".join(trial.wrong[:5])
    assert {200, 201, 400, 415} <= set(trial.seen)


@pytest.mark.long
def test_no_form_brings_a_page_down(
    game: Game, settings: Settings, size: Size, figures: Callable[..., None]
) -> None:
    trial, count = Trial(game, settings), size(150, 3_000)
    pages = {name: page_of(trial.phone, game, name, at) for _method, name, at in PAGES}
    ways = cycle(PAGES)
    for number, chance in enumerate(islice(malformed.endless(SEED), count)):
        method, name, at = next(ways)
        good = FORMS.get(name, {}) | {"version": game.version}
        if chance.random() < 0.5:  # another button, with every field filled in
            fields = dict.fromkeys(pages[name].fields, "5")
            good = fields | good | {"do": chance.choice(pages[name].buttons)}
        sent = malformed.form(chance, good, pages[name].fields)
        query = malformed.query(chance) if chance.random() < 0.3 else "out=3&new=1"
        trial.send(number, method, f"{url_of(chance, game, name, at)}?{query}", sent)

    figures(forms=count, **trial.told())
    assert not trial.wrong, "\n".join(trial.wrong[:5])
    assert {200, 302, 400, 422} <= set(trial.seen)


@pytest.mark.long
def test_no_query_brings_a_page_down(
    game: Game, settings: Settings, size: Size, figures: Callable[..., None]
) -> None:
    trial, count = Trial(game, settings), size(100, 1_000)
    ways = cycle(READS)
    for number, chance in enumerate(islice(malformed.endless(SEED), count)):
        method, name, at = next(ways)
        url = f"{url_of(chance, game, name, at)}?{malformed.query(chance)}"
        trial.send(number, method, url, Malformed(b"", "", malformed.headers(chance)))

    figures(queries=count, **trial.told())
    assert not trial.wrong, "\n".join(trial.wrong[:5])
    assert 200 in trial.seen
