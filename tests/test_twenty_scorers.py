"""Twenty scorers correct scores at once, by the API and on the page: not one change is lost.

Seven of them send the version they saw, and begin again where somebody was first; seven send none; six use
the page. Each change carries a reason of its own, by which it is found again in the log.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse
from pytest_django import Settings

from games.models import LogEntry
from games.selectors import sheet_of
from tests.api.caller import Caller, scorer
from tests.api.threads import at_once
from tests.web.at_the_table import phone

SCORERS = 20
ROUNDS = 5
FIVE = ("Ruth", "Ben", "Chitra", "Wilhelmina", "Ann")
MOST_TRIES = 2_000


class Scorer:
    """One of the twenty. What it writes is never what is there already: nobody else's value is its own."""

    def __init__(self, ann: Caller, number: int) -> None:
        self.number = number
        self.caller = Caller(ann.game, ann.key)
        self.edited: Counter[tuple[int, ...]] = Counter()
        self.phone = phone(ann.game)
        self.tries = 0

    def value(self, *cell: int) -> int:
        self.edited[cell] += 1
        return 10 + self.number + SCORERS * (self.edited[cell] % 4)

    def edit(self, count: int) -> str:
        """Make one change, as often as it takes; the reason that was acknowledged."""
        reason = f"scorer {self.number}, change {count}"
        number = (self.number + count) % ROUNDS + 1
        seat = (self.number + count // ROUNDS) % (len(FIVE) - 1) + 2
        way = (self.with_version, self.without_version, self.on_the_page)[self.number % 3]
        value = self.value(number) if way == self.without_version else self.value(number, seat)
        for _try in range(MOST_TRIES):
            self.tries += 1
            if way(number, seat, value, reason):
                return reason
        raise AssertionError(f"{reason}: never came through")

    def with_version(self, number: int, seat: int, value: int, reason: str) -> bool:
        seen = self.caller.read()
        points = [hand["points"] for hand in seen["rounds"][number - 1]["hands"]]
        points[seat - 1] = value
        answer = self.caller.put(number, points, reason=reason, If_Match=f'"{seen["version"]}"')
        return accepted(answer, 200)

    def without_version(self, number: int, seat: int, value: int, reason: str) -> bool:
        answer = self.caller.put(number, (0, value, value, value, value), reason=reason)
        return accepted(answer, 200)

    def on_the_page(self, number: int, seat: int, value: int, reason: str) -> bool:
        client = self.phone
        url = reverse("correct", args=[self.caller.game.slug, number, seat])
        shown = re.search(r'name="version" value="(\d+)"', client.get(url).content.decode())
        assert shown
        form = {"version": shown[1], "value": value, "why": "other", "other": reason, "sure": "1"}
        return accepted(client.post(url, form), 302)


def accepted(answer: Any, code: int) -> bool:
    assert answer.status_code in (code, 409), answer.content[:2_000]
    return bool(answer.status_code == code)


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_no_change_of_twenty_scorers_is_lost(
    size: Callable[[int, int], int], figures: Callable[..., None], settings: Settings
) -> None:
    # A save that tries again asks the same thing twice, and zeal takes that for rows asked one by one.
    settings.MIDDLEWARE = [name for name in settings.MIDDLEWARE if "zeal" not in name]
    ann = scorer(FIVE)
    for number in range(1, ROUNDS + 1):
        ann.put(number, (0, 1, 2, 3, 4))
    each = size(3, 50)

    def work(number: int) -> tuple[list[str], int]:
        one = Scorer(ann, number)
        return [one.edit(count) for count in range(each)], one.tries

    done = at_once(SCORERS, work)

    acknowledged = Counter(reason for reasons, _tries in done for reason in reasons)
    log = list(LogEntry.objects.filter(game=ann.game).order_by("number"))
    written = Counter(entry.reason for entry in log if entry.action == "round_corrected")
    figures(
        edits=sum(acknowledged.values()),
        tries=sum(tries for _reasons, tries in done),
        lost=sum((acknowledged - written).values()),
        doubled=sum((written - acknowledged).values()),
    )
    assert acknowledged == written
    assert set(written.values()) == {1}
    assert len(written) == SCORERS * each
    assert_the_log_leads_here(ann, log)
    for entry in log:
        if entry.reason and int(entry.reason.split()[1].rstrip(",")) % 3 != 1:  # it saw what it changed
            assert len(cells(entry)) == 1, (entry.reason, cells(entry))


def cells(entry: LogEntry) -> list[int]:
    """The seats whose points the change made others."""
    number = str(entry.round_number)
    before, after = (state["rounds"][number]["hands"] for state in (entry.before, entry.after))
    return [one["seat"] for one, old in zip(after, before, strict=True) if one["points"] != old["points"]]


def assert_the_log_leads_here(ann: Caller, log: list[LogEntry]) -> None:
    """Each change begins where the one before it ended, and the last one is what the game shows."""
    rounds: dict[str, Any] = {}
    for entry in log:
        for number, data in entry.after.get("rounds", {}).items():
            assert entry.before["rounds"][number] == rounds.get(number), entry
            rounds[number] = data
    game = ann.read()
    assert [entry.number for entry in log] == list(range(1, game["version"] + 1))
    shown = {str(one["number"]): [hand["points"] for hand in one["hands"]] for one in game["rounds"]}
    assert shown == {n: [hand["points"] for hand in data["hands"]] for n, data in rounds.items()}
    totals = {row["seat"]: row["total"] for row in game["standings"]}
    assert totals == {
        seat: sum(data["hands"][seat - 1]["score"] for data in rounds.values()) for seat in totals
    }
    ann.game.refresh_from_db()
    assert len(sheet_of(ann.game).rounds) == ROUNDS == len(rounds)
