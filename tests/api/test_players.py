"""POST and PATCH players/, POST and DELETE adjustments/: people come and go, each change once, logged."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.caller import Caller, codes, other_game, scorer, stranger, viewer

pytestmark = pytest.mark.django_db

KEY = "k" * 22
CALLS: list[tuple[str, str, Any]] = [
    ("POST", "players/", {"name": "Dan"}),
    ("PATCH", "players/1/", {"name": "Anna"}),
    ("POST", "players/1/adjustments/", {"points": 20, "reason": "Late"}),
    ("DELETE", "players/1/adjustments/3/", b""),
]


@pytest.fixture
def ann() -> Caller:
    caller = scorer()
    caller.put(1, (0, 100, 61))
    return caller


def test_a_late_comer_joins_at_the_average(ann: Caller) -> None:
    response = ann("POST", "players/", {"name": "Dan", "start": "average"})

    assert response.status_code == 201
    assert response["ETag"] == '"3"'
    game = response.json()
    assert game["players"][3] == {
        "seat": 4,
        "name": "Dan",
        "order": 4,
        "from_round": 2,
        "to_round": None,
        "start_total": 54,  # 161 / 3 = 53.67
        "adjustments": [],
    }
    assert {row["name"]: row["total"] for row in game["standings"]}["Dan"] == 54
    assert codes(ann.put(2, (0, 1, 7))) == ["seat_missing"]
    assert ann.put(1, (0, 90, 61)).status_code == 200


def test_a_player_is_renamed_moved_and_retired_at_once(ann: Caller) -> None:
    game = ann("PATCH", "players/3/", {"name": "Chloe", "order": 1, "retired": True}, If_Match='"2"').json()

    assert [(one["seat"], one["name"], one["order"], one["to_round"]) for one in game["players"]] == [
        (3, "Chloe", 1, 1),
        (1, "Ann", 2, None),
        (2, "Ben", 3, None),
    ]
    assert [row["seat"] for row in game["standings"]] == [1, 2, 3]
    assert game["standings"][2]["decided_by"] == "retired"
    assert game["rounds"][0]["hands"][2]["points"] == 61
    back = ann("PATCH", "players/3/", {"retired": False}).json()
    assert back["players"][0]["to_round"] is None


def test_a_penalty_is_given_and_taken_back(ann: Caller) -> None:
    response = ann("POST", "players/1/adjustments/", {"points": 20, "reason": " Late "})

    assert response.status_code == 201
    game = response.json()
    assert game["players"][0]["adjustments"] == [{"number": 3, "points": 20, "reason": "Late", "round": 1}]
    assert game["standings"][0] == {
        "seat": 1,
        "name": "Ann",
        "total": 20,
        "place": 1,
        "zero_rounds": 1,
        "lowest_nonzero": None,
        "decided_by": None,
    }
    game = ann("DELETE", "players/1/adjustments/3/").json()
    assert game["players"][0]["adjustments"] == []
    assert game["standings"][0]["total"] == 0


def test_the_log_says_what_became_what(ann: Caller) -> None:
    ann("POST", "players/", {"name": "Dan", "start": "highest"})
    ann("PATCH", "players/2/", {"name": "Bea"})
    ann("POST", "players/1/adjustments/", {"points": -5, "reason": "Baked a cake"})
    entries = ann("GET", "log/").json()["entries"][-3:]

    assert [entry["action"] for entry in entries] == ["player_joined", "player_changed", "adjusted"]
    joined = {
        change["field"]: (change["seat"], change["from"], change["to"]) for change in entries[0]["changes"]
    }
    assert joined == {
        "name": (4, None, "Dan"),
        "order": (4, None, 4),
        "from_round": (4, None, 2),
        "start_total": (4, None, 100),
    }
    assert entries[1]["changes"] == [
        {"round": None, "field": "name", "from": "Ben", "to": "Bea", "seat": 2, "name": "Bea"}
    ]
    assert entries[2]["reason"] == "Baked a cake"


def test_a_set_too_small_for_all_is_a_warning() -> None:
    ann = scorer(("Ann", "Ben"), max_pip=6, deal=12)
    assert ann.read()["warnings"] == []

    game = ann("POST", "players/", {"name": "Cho"}).json()

    assert game["warnings"] == [{"code": "deal_large", "round": 1, "seat": None}]


@pytest.mark.parametrize(
    ("method", "path", "body", "wrong"),
    [
        ("POST", "players/", {}, ["required"]),
        ("POST", "players/", {"name": "ben"}, ["name_twice"]),
        ("POST", "players/", {"name": ""}, ["name_blank"]),
        ("POST", "players/", {"name": "Dan", "start": "median", "seat": 4}, ["unknown_field", "invalid"]),
        ("PATCH", "players/1/", {"retired": 1, "order": 0}, ["invalid", "invalid"]),
        ("PATCH", "players/1/", {"name": "x" * 41}, ["name_long"]),
        (
            "POST",
            "players/1/adjustments/",
            {"points": 0, "reason": ""},
            ["adjustment_points", "adjustment_reason"],
        ),
        ("POST", "players/1/adjustments/", {"points": 1.5, "reason": 7}, ["invalid", "invalid"]),
    ],
)
def test_everything_wrong_is_said_at_once(
    ann: Caller, method: str, path: str, body: Any, wrong: list[str]
) -> None:
    response = ann(method, path, body)

    assert response.status_code == 400
    assert response.json()["code"] == "invalid"
    assert sorted(codes(response)) == sorted(wrong)
    assert ann.read()["version"] == 2


def test_a_seat_or_adjustment_that_is_not_there_is_not_found(ann: Caller) -> None:
    for method, path, body in (
        ("PATCH", "players/9/", {"name": "Dan"}),
        ("POST", f"players/{10**30}/adjustments/", {"points": 1, "reason": "Late"}),
        ("DELETE", f"players/1/adjustments/{10**30}/", b""),
    ):
        response = ann(method, path, body)
        assert (response.status_code, response.json()["code"]) == (404, "not_found")


@pytest.mark.parametrize(("method", "path", "body"), CALLS)
def test_an_old_version_conflicts(ann: Caller, method: str, path: str, body: Any) -> None:
    response = ann(method, path, body, If_Match='"1"')

    assert (response.status_code, response.json()["code"]) == (409, "conflict")
    assert response.json()["game"]["version"] == 2


@pytest.mark.parametrize(("method", "path", "body"), CALLS)
def test_what_is_sent_twice_is_done_once(ann: Caller, method: str, path: str, body: Any) -> None:
    ann("POST", "players/1/adjustments/", {"points": 1, "reason": "Late"})
    first = ann(method, path, body, Idempotency_Key=KEY)
    again = ann(method, path, body, Idempotency_Key=KEY)

    assert first.status_code in (200, 201)
    assert again.json() == first.json()
    assert ann.read()["version"] == 4


@pytest.mark.parametrize(("method", "path", "body"), CALLS)
@pytest.mark.parametrize(("who", "status"), [(viewer, 403), (stranger, 401), (other_game, 404)])
def test_only_who_keeps_score_may(
    ann: Caller, who: Any, status: int, method: str, path: str, body: Any
) -> None:
    assert who(ann)(method, path, body).status_code == status
    assert ann.read()["version"] == 2


@pytest.mark.parametrize(
    "path", ["players/", "players/1/", "players/1/adjustments/", "players/1/adjustments/3/"]
)
def test_they_are_not_read_here(ann: Caller, path: str) -> None:
    assert ann("GET", path).status_code == 405
