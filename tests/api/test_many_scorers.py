"""Twenty scorers edit one round at the same moment."""

from __future__ import annotations

from typing import Any

import pytest

from games.models import LogEntry
from tests.api.caller import Caller, scorer
from tests.api.threads import at_once

pytestmark = pytest.mark.django_db(transaction=True)

TWENTY = 20


@pytest.fixture
def ann() -> Caller:
    caller = scorer()
    caller.put(1, (0, 18, 13))
    return caller


def points(number: int) -> tuple[int, int, int]:
    return 0, 30 + number, 13


def test_with_versions_one_wins_and_every_other_sees_the_game_as_it_is(ann: Caller) -> None:
    def call(number: int) -> Any:
        return Caller(ann.game, ann.key).put(1, points(number), If_Match='"2"')

    answers = at_once(TWENTY, call)

    won = [number for number, answer in enumerate(answers) if answer.status_code == 200]
    lost = [answer for answer in answers if answer.status_code == 409]
    assert (len(won), len(lost)) == (1, TWENTY - 1)
    game = ann.read()
    assert game["version"] == 3
    assert [hand["points"] for hand in game["rounds"][0]["hands"]] == list(points(won[0]))
    assert all(answer.json()["code"] == "conflict" for answer in lost)
    assert all(answer.json()["game"] == game for answer in lost)
    assert list(LogEntry.objects.values_list("number", flat=True)) == [1, 2, 3]


def test_without_versions_nothing_is_lost(ann: Caller) -> None:
    def call(number: int) -> Any:
        return Caller(ann.game, ann.key).put(1, points(number))

    answers = at_once(TWENTY, call)

    assert [answer.status_code for answer in answers] == [200] * TWENTY
    corrections = list(LogEntry.objects.filter(action="round_corrected").order_by("number"))
    assert [entry.number for entry in corrections] == list(range(3, 3 + TWENTY))
    written = [entry.after["rounds"]["1"]["hands"][1]["points"] for entry in corrections]
    assert sorted(written) == [30 + number for number in range(TWENTY)]
    assert [entry.before["rounds"]["1"]["hands"][1]["points"] for entry in corrections] == [18, *written[:-1]]
    assert sorted(answer.json()["version"] for answer in answers) == [entry.number for entry in corrections]
    assert ann.read()["rounds"][0]["hands"][1]["points"] == written[-1]


def test_a_new_round_is_entered_once(ann: Caller) -> None:
    def call(number: int) -> Any:
        return Caller(ann.game, ann.key).put(2, points(number), If_None_Match="*")

    answers = at_once(TWENTY, call)

    assert sorted(answer.status_code for answer in answers) == [201, *[409] * (TWENTY - 1)]
    assert len(ann.read()["rounds"]) == 2
