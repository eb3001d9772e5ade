"""DELETE /api/games/{id}/rounds/{number}/"""

from __future__ import annotations

import pytest

from games.models import LogEntry, Round
from tests.api.caller import Caller, other_game, scorer, stranger, viewer

pytestmark = pytest.mark.django_db


@pytest.fixture
def ann() -> Caller:
    caller = scorer()
    caller.put(1, (0, 18, 13))
    caller.put(2, (5, 0, 13))
    return caller


def test_the_last_round_is_taken_back(ann: Caller) -> None:
    response = ann("DELETE", "rounds/2/")

    assert response.status_code == 200
    assert response["ETag"] == '"4"'
    assert [entry["number"] for entry in response.json()["rounds"]] == [1]
    assert response.json()["next_engine"] == 11
    assert LogEntry.objects.get(number=4).action == "round_removed"


@pytest.mark.parametrize("number", [0, 1, 3, 99])
def test_any_other_round_stays(ann: Caller, number: int) -> None:
    response = ann("DELETE", f"rounds/{number}/")

    assert response.status_code == 409
    assert response.json()["code"] == "round_number"
    assert response.json()["message"] == "Only the last round can be taken back. That is round 2."
    assert Round.objects.count() == 2


def test_without_any_round_there_is_nothing_to_take_back() -> None:
    response = scorer()("DELETE", "rounds/1/")

    assert response.status_code == 409
    assert response.json()["message"] == "No round is in yet."


def test_the_view_key_and_strangers_may_not(ann: Caller) -> None:
    assert viewer(ann)("DELETE", "rounds/2/").status_code == 403
    assert stranger(ann)("DELETE", "rounds/2/").status_code == 401
    assert other_game(ann)("DELETE", "rounds/2/").status_code == 404
    assert Round.objects.count() == 2


def test_it_opens_a_finished_game_again() -> None:
    caller = scorer(rounds=1)
    assert caller.put(1, (0, 18, 13)).json()["status"] == "finished"

    assert caller("DELETE", "rounds/1/").json()["status"] == "playing"
