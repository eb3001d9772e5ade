"""DELETE /api/games/{id}/, POST …/restore/ and …/abandon/."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from games.models import Game
from tests.api.caller import Caller, other_game, scorer, viewer
from tests.cast import FRIDAY, play

pytestmark = pytest.mark.django_db

KEY = "a-key-of-twenty-two-or-more"
ROUND = (33, 2, 0, 31, 46)


@pytest.fixture
def ann() -> Caller:
    ann = scorer(FRIDAY)
    play(ann.game, ROUND)
    return ann


def test_a_deleted_game_is_not_found_by_any_call(ann: Caller) -> None:
    watches = viewer(ann)
    answer = ann("DELETE")

    assert answer.status_code == 200
    body = answer.json()
    assert set(body) == {"id", "version", "deleted_at", "kept_until"}
    kept = datetime.fromisoformat(body["kept_until"]) - datetime.fromisoformat(body["deleted_at"])
    assert kept == timedelta(days=30)
    for caller in (ann, watches):
        assert caller("GET").status_code == 404
        assert caller("GET", "log/").status_code == 404
        assert caller("PUT", "rounds/2/", {"ended": "out", "hands": []}).status_code == 404
        assert caller("POST", "finish/").status_code == 404
    assert watches("POST", "restore/").status_code == 404
    assert ann("GET").json() == other_game(ann)("GET").json()


def test_it_is_brought_back_with_the_scorer_key(ann: Caller) -> None:
    before = ann("GET").json()
    ann("DELETE")
    answer = ann("POST", "restore/")

    assert answer.status_code == 200
    after = answer.json()
    assert after["rounds"] == before["rounds"]
    assert after["version"] == before["version"] + 2
    assert ann("GET").json() == after
    assert viewer(ann)("GET").status_code == 200


def test_the_same_deletion_again_gets_its_answer_again(ann: Caller) -> None:
    first = ann("DELETE", Idempotency_Key=KEY)
    again = ann("DELETE", Idempotency_Key=KEY)
    assert (again.status_code, again.content) == (200, first.content)
    assert ann("DELETE").status_code == 404


@pytest.mark.parametrize(("method", "path"), [("DELETE", ""), ("POST", "abandon/"), ("POST", "restore/")])
def test_an_old_version_does_nothing(ann: Caller, method: str, path: str) -> None:
    answer = ann(method, path, If_Match='"1"')
    assert answer.status_code == 409
    assert answer.json()["code"] == "conflict"
    assert ann("GET").json()["version"] == 2


def test_an_abandoned_game_is_finished_without_a_winner(ann: Caller) -> None:
    body = ann("POST", "abandon/").json()

    assert (body["status"], body["abandoned"]) == ("finished", True)
    assert len(body["standings"]) == 5
    log = ann("GET", "log/").json()["entries"][-1]
    assert log["action"] == "abandoned"
    assert [change["field"] for change in log["changes"]] == ["abandoned_at", "status"]


def test_a_round_takes_it_up_again_and_so_does_restore(ann: Caller) -> None:
    ann("POST", "abandon/")
    hands = [{"seat": seat, "points": points} for seat, points in enumerate(ROUND, start=1)]
    body = ann("PUT", "rounds/2/", {"ended": "out", "hands": hands}).json()
    assert (body["status"], body["abandoned"]) == ("playing", False)
    ann("POST", "abandon/")
    body = ann("POST", "restore/").json()
    assert (body["status"], body["abandoned"]) == ("playing", False)
    version = body["version"]
    assert ann("POST", "restore/").json()["version"] == version  # nothing is left to bring back


def test_a_finished_game_cannot_be_abandoned(ann: Caller) -> None:
    ann("POST", "finish/")
    answer = ann("POST", "abandon/")
    assert answer.status_code == 400
    assert answer.json()["problems"][0]["code"] == "abandon_finished"
    assert Game.objects.get(pk=ann.game.pk).abandoned_at is None
