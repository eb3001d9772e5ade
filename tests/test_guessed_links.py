"""Whoever guesses links and keys opens nothing and is put off; a good one from the same address goes on.

Every address with a secret in it is tried, and every call of the API, both from the URL table.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import datetime
from itertools import cycle
from typing import Any
from urllib.parse import quote

import pytest
from django.conf import settings as site
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from games.models import AccessKey, Game, LogEntry, Role
from tests.cast import start
from tests.test_permission_matrix import ADDRESSES, BODIES, LINES, game

pytestmark = pytest.mark.django_db
__all__ = ["game"]  # the fixture

LINKS = sorted(name for name, pattern in ADDRESSES.items() if "secret" in pattern.pattern.converters)
CALLS = [
    (method, name)
    for method, name, *_ in LINES
    if name.startswith("api:") and "slug" in ADDRESSES[name].pattern.converters
]
PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"


def guesses(game: Game, chance: random.Random) -> Iterator[str]:
    """Without end: at random, and near to what is right."""
    other = start().sheet.game
    stopped = AccessKey.objects.create(game=game, role=Role.SCORER, revoked_at=timezone.now()).key
    keys = [*AccessKey.objects.values_list("key", flat=True)]
    live = set(AccessKey.objects.filter(revoked_at=None).values_list("key", flat=True))
    fixed = [stopped, game.slug, other.slug, str(game.uid), game.uid.hex, str(game.pk), "0", "-", "admin"]
    fixed += ["%", "' OR ''='", "..", "*", "\x00", "é" * 32, "k" * 64, "k" * 65, "k" * 5_000, "null"]
    yield from fixed
    while True:
        key = chance.choice(keys)
        at = chance.randrange(len(key))
        near = chance.choice(
            (
                "".join(chance.choice(PLAIN) for _ in range(32)),
                key[:at] + chance.choice(PLAIN) + key[at + 1 :],
                key[:at] + key[at + 1 :],
                key[:at] + chance.choice(PLAIN) + key[at:],
                key.swapcase(),
                key.lower(),
                key[::-1],
                key[:at] + "%",
                key + key,
            )
        )
        if near not in live:
            yield near


class Guesser:
    """One address in the network that tries what comes to mind."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.phone = Client()
        self.seen: Counter[int] = Counter()
        ways: list[str | tuple[str, str]] = [*LINKS, *CALLS]
        self.ways = cycle(ways)

    def guess(self, secret: str) -> None:
        way = next(self.ways)
        answer = self.link(way, secret) if isinstance(way, str) else self.call(*way, secret)
        self.seen[answer.status_code] += 1
        assert answer.status_code in (401, 404, 429), (way, secret)
        assert "games" not in answer.cookies

    def link(self, name: str, secret: str) -> Any:
        way = reverse(name, args=["secret"]).replace("secret", quote(secret, safe=""))
        return self.phone.get(way)

    def call(self, method: str, name: str, secret: str) -> Any:
        about = {"slug": self.game.slug, "number": 2, "seat": 4}
        url = reverse(name, kwargs={part: about[part] for part in ADDRESSES[name].pattern.converters})
        body = json.dumps(BODIES.get(name, {}))
        key = {"Authorization": f"Bearer {secret}"}
        return self.phone.generic(method, url, body, "application/json", headers=key)


def good_ones_work(game: Game) -> None:
    """From the same address, in the same minute: all links, and the API's key."""
    live = AccessKey.objects.filter(game=game, revoked_at=None)
    scorer = live.get(role=Role.SCORER).key
    assert Client().get(reverse("open_scorer", args=[scorer])).status_code == 302
    assert Client().get(reverse("open_viewer", args=[live.get(role=Role.VIEWER).key])).status_code == 302
    assert Client().get(reverse("open_table", args=[live.get(role=Role.SEAT).key])).status_code == 302
    url = reverse("api:game", args=[game.slug])
    assert Client().get(url, headers={"Authorization": f"Bearer {scorer}"}).status_code == 200


def minutes(begun: datetime) -> int:
    return int((timezone.now() - begun).total_seconds() // 60) + 2  # the first and the last may be parts


@pytest.mark.long
@pytest.mark.parametrize("put_off", [True, False], ids=["as it is", "never put off"])
def test_no_guess_opens_anything(
    game: Game,
    settings: Settings,
    size: Callable[[int, int], int],
    figures: Callable[..., None],
    put_off: bool,
) -> None:
    settings.WRONG_KEYS_PER_MINUTE = most = site.WRONG_KEYS_PER_MINUTE if put_off else 1_000_000
    guesser = Guesser(game)
    ideas = guesses(game, random.Random(12))
    before = (game.version, LogEntry.objects.filter(game=game).count())
    begun = timezone.now()
    count = size(200, 2_000)

    for number in range(count):
        guesser.guess(next(ideas))
        if number % 50 == 49:
            good_ones_work(game)

    figures(guesses=count, opened=0, put_off=guesser.seen[429], refused=count - guesser.seen[429])
    game.refresh_from_db()
    assert (game.version, LogEntry.objects.filter(game=game).count()) == before
    assert guesser.phone.get(reverse("board", args=[game.slug])).status_code == 404
    if put_off:
        assert guesser.seen[429] > count // 2
        # What no link can be is not found before it is looked up, and not counted.
        tried = count - guesser.seen[429]
        assert tried <= most * minutes(begun) + count // 5
    else:
        assert guesser.seen[429] == 0


def test_every_kind_of_link_is_tried() -> None:
    assert {"open_scorer", "open_table", "open_viewer"} <= set(LINKS)
    assert len({name for _method, name in CALLS}) >= 7


def test_a_key_is_too_long_to_be_guessed(game: Game) -> None:
    for key in AccessKey.objects.filter(game=game).values_list("key", flat=True):
        assert len(key) * 6 >= 128
