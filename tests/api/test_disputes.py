"""POST challenges/ and challenges/{number}/ruling/: anybody with a key doubts, who keeps score rules."""

from __future__ import annotations

from typing import Any

import pytest

from games.models import Challenge
from tests.api.caller import Caller, codes, other_game, scorer, stranger, viewer

pytestmark = pytest.mark.django_db

KEY = "k" * 22
BODY = {"round": 1, "seat": 2, "points": 10, "reason": "I saw the 9-1."}
UPHELD = {"ruling": "upheld", "reason": "We counted again."}
FIELDS = (
    *("number", "round", "seat", "was", "points", "reason", "who", "role", "at"),
    *("ruling", "ruling_reason", "ruled_by", "ruled_at", "by_record", "pending"),
)


@pytest.fixture
def ann() -> Caller:
    caller = scorer()
    caller.put(1, (0, 100, 61))
    return caller


def challenge(caller: Caller, **more: Any) -> Any:
    headers = {name: more.pop(name) for name in list(more) if name[0].isupper()}
    return caller("POST", "challenges/", BODY | more, **headers)


def rule(caller: Caller, number: int = 1, **more: Any) -> Any:
    headers = {name: more.pop(name) for name in list(more) if name[0].isupper()}
    return caller("POST", f"challenges/{number}/ruling/", UPHELD | more, **headers)


def points(caller: Caller) -> int:
    found: int = caller.read()["rounds"][0]["hands"][1]["points"]
    return found


def test_a_game_without_challenges_lists_none(ann: Caller) -> None:
    assert ann.read()["challenges"] == []


def test_whoever_watches_may_doubt_a_score(ann: Caller) -> None:
    response = challenge(viewer(ann))

    assert response.status_code == 201
    assert response["ETag"] == '"3"'
    (one,) = response.json()["challenges"]
    assert tuple(one) == FIELDS
    assert {name: one[name] for name in ("number", "was", "who", "role", "ruling", "pending")} == {
        "number": 1,
        "was": 100,
        "who": "watch link",
        "role": "viewer",
        "ruling": "open",
        "pending": True,
    }
    assert {name: one[name] for name in BODY} == BODY
    assert points(ann) == 100


def test_upheld_the_score_is_what_the_challenger_said(ann: Caller) -> None:
    challenge(ann)
    response = rule(ann)

    assert response.status_code == 200
    game = response.json()
    assert game["rounds"][0]["hands"][1]["points"] == 10
    (one,) = game["challenges"]
    assert (one["ruling"], one["ruling_reason"], one["pending"]) == ("upheld", "We counted again.", False)
    assert [row["total"] for row in game["standings"]] == [0, 10, 61]


def test_the_ruling_may_find_another_number_or_leave_the_score(ann: Caller) -> None:
    challenge(ann, points=None)
    assert codes(rule(ann)) == ["ruling_points"]
    assert rule(ann, points=37).json()["rounds"][0]["hands"][1]["points"] == 37
    challenge(ann, seat=3)
    game = rule(ann, 2, ruling="dismissed").json()
    assert game["rounds"][0]["hands"][2]["points"] == 61
    assert [one["ruling"] for one in game["challenges"]] == ["upheld", "dismissed"]


def test_the_log_tells_both_from_which_value_to_which(ann: Caller) -> None:
    challenge(viewer(ann))
    rule(ann)
    doubted, ruled = ann("GET", "log/").json()["entries"][-2:]

    assert (doubted["action"], doubted["who"], doubted["round"]) == ("challenged", "watch link", 1)
    assert doubted["reason"] == BODY["reason"]
    told = {change["field"]: (change["from"], change["to"]) for change in doubted["changes"]}
    assert told["challenges[1].points"] == (None, 10)
    assert (ruled["action"], ruled["who"], ruled["reason"]) == ("ruled", "scorer link", UPHELD["reason"])
    told = {change["field"]: (change["from"], change["to"]) for change in ruled["changes"]}
    assert told["challenges[1].ruling"] == ("open", "upheld")
    assert (told["points"], told["score"]) == ((100, 10), (100, 10))


@pytest.mark.parametrize(("who", "status"), [(viewer, 403), (stranger, 401), (other_game, 404)])
def test_only_who_keeps_score_rules(ann: Caller, who: Any, status: int) -> None:
    challenge(ann)
    assert rule(who(ann)).status_code == status
    assert points(ann) == 100


@pytest.mark.parametrize(("who", "status"), [(stranger, 401), (other_game, 404)])
def test_only_who_has_the_game_open_doubts(ann: Caller, who: Any, status: int) -> None:
    assert challenge(who(ann)).status_code == status
    assert not Challenge.objects.exists()


@pytest.mark.parametrize(
    ("body", "status", "found"),
    [
        ({"round": 2}, 404, ["cell_unknown"]),
        ({"seat": 4}, 404, ["cell_unknown"]),
        ({"reason": "  "}, 400, ["reason_missing"]),
        ({"points": 100}, 400, ["challenge_same"]),
        ({"points": 5000}, 400, ["points_range"]),
        ({"points": -1, "round": 0, "reason": 7}, 400, ["invalid", "invalid", "invalid"]),
        ({"score": 3}, 400, ["unknown_field"]),
    ],
)
def test_what_is_no_challenge(ann: Caller, body: Any, status: int, found: list[str]) -> None:
    response = challenge(ann, **body)
    assert (response.status_code, codes(response)) == (status, found)
    assert ann.read()["version"] == 2


def test_a_score_is_doubted_once_at_a_time(ann: Caller) -> None:
    challenge(ann)
    response = challenge(viewer(ann), points=11)
    assert (response.status_code, codes(response)) == (400, ["challenge_open"])
    assert BODY["reason"] in response.json()["message"]


@pytest.mark.parametrize(
    ("body", "status", "found"),
    [
        ({"ruling": "open"}, 400, ["invalid"]),
        ({"reason": ""}, 400, ["reason_missing"]),
        ({"points": 5000}, 400, ["points_range", "round_sum"]),
    ],
)
def test_what_is_no_ruling(ann: Caller, body: Any, status: int, found: list[str]) -> None:
    challenge(ann)
    response = rule(ann, **body)
    assert (response.status_code, codes(response)) == (status, found)
    assert points(ann) == 100


def test_what_was_never_doubted_or_is_ruled_on_is_not_ruled_on(ann: Caller) -> None:
    assert codes(rule(ann)) == ["challenge_unknown"]
    challenge(ann)
    rule(ann)
    assert codes(rule(ann)) == ["challenge_ruled"]
    assert rule(ann, 10**30).status_code == 404


def test_a_round_that_cannot_be_is_ruled_as_disputed(ann: Caller) -> None:
    challenge(ann, seat=1, points=5)
    assert codes(rule(ann)) == ["zeros"]
    game = rule(ann, disputed=True).json()
    assert (game["rounds"][0]["disputed"], game["rounds"][0]["marks"]) == (True, ["zeros"])


def test_each_is_written_once_for_the_version_that_was_seen(ann: Caller) -> None:
    assert challenge(ann, If_Match='"1"').status_code == 409
    first = challenge(ann, Idempotency_Key=KEY)
    again = challenge(ann, Idempotency_Key=KEY)
    assert (first.status_code, again.content) == (201, first.content)
    assert rule(ann, If_Match='"2"').status_code == 409
    first = rule(ann, Idempotency_Key=KEY[::-1] + "r")
    assert rule(ann, Idempotency_Key=KEY[::-1] + "r").content == first.content
    assert ann.read()["version"] == 4
