"""Hands told by a program before a round is closed, and rounds that a second person confirms."""

from __future__ import annotations

from typing import Any

import pytest

from games.models import AccessKey, Role
from games.seats import seat_take
from tests.api.caller import Caller, codes, scorer, viewer

pytestmark = pytest.mark.django_db


@pytest.fixture
def ann() -> Caller:
    return scorer(second_person=True)


@pytest.fixture
def table(ann: Caller) -> Caller:
    """Whoever has the key of the table's code."""
    return Caller(ann.game, AccessKey.objects.get(game=ann.game, role=Role.SEAT).key)


def test_a_hand_is_told_and_only_the_scorer_sees_what(ann: Caller, table: Caller) -> None:
    answer = table("PUT", "hands/2/", {"points": 18, "tile_count": 3})
    assert answer.status_code == 200
    assert answer.json() == table("GET", "hands/").json() == viewer(ann)("GET", "hands/").json()
    assert answer.json()["hands"] == [
        {"seat": 1, "name": "Ann", "in": False},
        {"seat": 2, "name": "Ben", "in": True},
        {"seat": 3, "name": "Cho", "in": False},
    ]
    seen = ann("GET", "hands/").json()
    assert (seen["round"], seen["engine"], seen["version"]) == (1, 12, 1)
    assert seen["hands"][1] == {
        "seat": 2, "name": "Ben", "in": True,
        "points": 18, "out": False, "marker": False, "tile_count": 3, "tiles": None,
    }  # fmt: skip
    assert seen["hands"][0]["points"] is None
    assert ann.read()["rounds"] == []

    assert table("DELETE", "hands/2/").json()["hands"][1]["in"] is False


def test_the_log_of_a_closed_round_says_what_was_told(ann: Caller, table: Caller) -> None:
    table("PUT", "hands/2/", {"points": 18})
    ann.put(1, (0, 28, 13))
    changes = ann("GET", "log/").json()["entries"][-1]["changes"]
    said = [change for change in changes if change["field"] == "said"]
    assert [(one["round"], one["seat"], one["name"], one["to"]) for one in said] == [(1, 2, "Ben", 18)]
    assert table("GET", "hands/").json()["round"] == 2


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"points": 5000}, 400, "points_range"),
        ({}, 400, "seat_missing"),
        ({"points": "18"}, 400, "invalid"),
        ({"points": 18, "seat": 2}, 400, "unknown_field"),
        ({"points": 18, "round": 2}, 409, "round_number"),
    ],
)
def test_what_cannot_be_is_refused(table: Caller, body: Any, status: int, code: str) -> None:
    answer = table("PUT", "hands/2/", body)
    assert (answer.status_code, codes(answer)) == (status, [code])


def test_a_seat_on_a_phone_is_told_by_that_phone_alone(ann: Caller, table: Caller) -> None:
    seat_take(game=ann.game, seat=2, device="ben-s-phone")
    for caller in (table, ann):
        for method in ("PUT", "DELETE"):
            answer = caller(method, "hands/2/", {"points": 18} if method == "PUT" else b"")
            assert (answer.status_code, answer.json()["code"], codes(answer)) == (
                403,
                "forbidden",
                ["seat_held"],
            )
    assert table("PUT", "hands/9/", {"points": 18}).status_code == 404


def test_a_view_key_tells_nothing_and_a_seat_key_writes_no_score(ann: Caller, table: Caller) -> None:
    assert viewer(ann)("PUT", "hands/2/", {"points": 18}).status_code == 403
    assert viewer(ann)("DELETE", "hands/2/").status_code == 403
    assert table.put(1, (0, 28, 13)).status_code == 403
    assert table("POST", "finish/").status_code == 403
    assert table("GET", "").status_code == table("GET", "log/").status_code == 200


def test_a_hand_sent_twice_is_told_once(ann: Caller, table: Caller) -> None:
    key = {"Idempotency-Key": "a-key-of-22-characters-"}
    first = table("PUT", "hands/2/", {"points": 18}, **key)
    table("PUT", "hands/2/", {"points": 28})
    again = table("PUT", "hands/2/", {"points": 18}, **key)
    assert first.content == again.content
    assert ann("GET", "hands/").json()["hands"][1]["points"] == 28
    assert table("PUT", "hands/2/", {"points": 17}, **key).status_code == 409


def test_a_round_is_confirmed_by_the_table_s_key(ann: Caller, table: Caller) -> None:
    assert ann.read()["second_person"] is True
    ann.put(1, (0, 28, 13))
    assert ann.read()["rounds"][0]["confirmed"] is False
    for caller in (ann, viewer(ann)):
        assert caller("POST", "rounds/1/confirm/", {"seat": 2}).status_code == 403

    answer = table("POST", "rounds/1/confirm/", {"seat": 2})
    assert answer.status_code == 200
    assert answer.json()["rounds"][0]["confirmed"] is True
    assert answer["ETag"] == f'"{answer.json()["version"]}"'
    entry = ann("GET", "log/").json()["entries"][-1]
    assert (entry["action"], entry["who"], entry["round"]) == ("confirmed", "Ben", 1)
    assert [(one["field"], one["from"], one["to"]) for one in entry["changes"]] == [
        ("confirmed", False, True)
    ]


def test_a_correction_makes_it_unconfirmed_again(ann: Caller, table: Caller) -> None:
    ann.put(1, (0, 28, 13))
    table("POST", "rounds/1/confirm/", {"seat": 2})
    assert ann.put(1, (0, 18, 13)).json()["rounds"][0]["confirmed"] is False


def test_an_old_version_no_round_no_seat_and_no_wish(ann: Caller, table: Caller) -> None:
    assert table("POST", "rounds/1/confirm/", {"seat": 2}).status_code == 404
    ann.put(1, (0, 28, 13))
    assert table("POST", "rounds/1/confirm/", {"seat": 2}, If_Match="1").status_code == 409
    assert table("POST", "rounds/1/confirm/", {"seat": 7}).status_code == 404
    assert table("POST", "rounds/1/confirm/", {}).status_code == 400
    plain = scorer()
    plain.put(1, (0, 28, 13))
    key = AccessKey.objects.get(game=plain.game, role=Role.SEAT).key
    assert Caller(plain.game, key)("POST", "rounds/1/confirm/", {"seat": 2}).status_code == 404


def test_the_wish_is_told_at_the_start(ann: Caller) -> None:
    body = {"players": ["Ann", "Ben"], "second_person": True}
    answer = ann.client.post("/api/games/", body, "application/json")
    assert answer.json()["second_person"] is True
    wrong = ann.client.post("/api/games/", body | {"second_person": "yes"}, "application/json")
    assert wrong.status_code == 400


def test_what_is_not_there_is_told_by_its_name(ann: Caller, table: Caller) -> None:
    answer = table("POST", "rounds/1/confirm/", {"seat": 2})
    assert (answer.json()["message"], codes(answer)) == ("Round 1 is not in.", ["round_unknown"])
    ann.put(1, (0, 28, 13))
    ann("POST", "abandon/")
    for method in ("PUT", "DELETE"):
        answer = table(method, "hands/2/", {"points": 18} if method == "PUT" else b"")
        assert (answer.status_code, codes(answer)) == (409, ["hands_over"])
