"""PUT /api/games/{id}/rounds/{number}/"""

from __future__ import annotations

from typing import Any

import pytest

from games.models import Hand, LogEntry, Round
from tests.api.caller import Caller, codes, other_game, round_of, scorer, stranger, viewer

pytestmark = pytest.mark.django_db


@pytest.fixture
def ann() -> Caller:
    return scorer()


def test_the_next_round_is_entered(ann: Caller) -> None:
    response = ann.put(1, (0, 18, 13), engine=12)

    assert response.status_code == 201
    assert response["ETag"] == '"2"'
    assert response.json() == ann.read()
    assert [hand["points"] for hand in response.json()["rounds"][0]["hands"]] == [0, 18, 13]


def test_the_engine_may_be_left_out(ann: Caller) -> None:
    ann.put(1, (0, 18, 13))
    ann.put(2, (5, 0, 13))

    assert [entry["engine"] for entry in ann.read()["rounds"]] == [12, 11]


def test_a_round_that_is_there_is_corrected_and_logged(ann: Caller) -> None:
    ann.put(1, (0, 18, 13))

    response = ann.put(1, (0, 19, 13), reason="misread")

    assert response.status_code == 200
    entry = LogEntry.objects.get(number=3)
    assert (entry.action, entry.reason) == ("round_corrected", "misread")
    assert entry.before["rounds"]["1"]["hands"][1]["points"] == 18
    assert entry.after["rounds"]["1"]["hands"][1]["points"] == 19


def test_a_round_beyond_the_next_one_is_refused(ann: Caller) -> None:
    for number in (0, 2, 14, 10**30):
        response = ann.put(number, (0, 18, 13))

        assert response.status_code == 409
        assert response.json()["code"] == "round_number"


def test_the_view_key_may_not_write(ann: Caller) -> None:
    response = viewer(ann).put(1, (0, 18, 13))

    assert response.status_code == 403
    assert response.json()["code"] == "forbidden"
    assert not Round.objects.exists()


def test_strangers_may_not_write(ann: Caller) -> None:
    assert stranger(ann).put(1, (0, 18, 13)).status_code == 401
    assert other_game(ann).put(1, (0, 18, 13)).status_code == 404
    assert not Round.objects.exists()


def test_other_methods_are_refused(ann: Caller) -> None:
    for method in ("GET", "POST", "PATCH"):
        response = ann(method, "rounds/1/", round_of((0, 18, 13)))

        assert response.status_code == 405
        assert response["Allow"] == "PUT, DELETE"


@pytest.mark.parametrize(
    ("points", "more", "expected"),
    [
        ((0, 18, 13), {"engine": 11}, ["engine_order"]),
        ((0, 18, 13), {"engine": 15}, ["engine_order"]),
        ((0, -1, 13), {}, ["points_range"]),
        ((0, 10**30, 13), {}, ["points_range", "round_sum"]),
        ((0, 1, 1), {}, ["hands_clash"]),
        ((4, 18, 13), {"ended": "out"}, ["zeros"]),
        ((0, 18, 13), {"ended": "blocked"}, ["zeros"]),
        ((0, 18), {}, ["seat_missing"]),
        ((0, 18, 13, 5), {}, ["seat_unknown"]),
        ((0, 600, 530), {}, ["round_sum"]),
    ],
)
def test_a_round_that_cannot_be_is_refused_with_its_code(
    ann: Caller, points: tuple[int, ...], more: dict[str, Any], expected: list[str]
) -> None:
    response = ann.put(1, points, **more)

    assert response.status_code == 400
    assert response.json()["code"] == "round_impossible"
    assert codes(response) == expected
    assert not Round.objects.exists()


def test_all_problems_come_at_once_with_words_and_seats(ann: Caller) -> None:
    response = ann("PUT", "rounds/1/", {
        "engine": 12,
        "ended": "out",
        "hands": [
            {"seat": 1, "points": 31, "tile_count": 1},
            {"seat": 2, "points": 9, "tiles": ["5-5"]},
            {"seat": 3, "tiles": ["12-12", "13-1"]},
        ],
    })  # fmt: skip

    problems = {problem["code"]: problem for problem in response.json()["problems"]}
    assert problems.keys() >= {"count_points", "points_tiles", "tile_engine", "tile_unknown"}
    assert problems["count_points"]["seat"] == 1
    assert problems["points_tiles"]["seat"] == 2
    assert "Ben" in problems["points_tiles"]["message"]
    assert all(problem["message"] != code for code, problem in problems.items())


def test_a_tile_in_two_hands_names_both(ann: Caller) -> None:
    response = ann("PUT", "rounds/1/", {
        "ended": "out",
        "hands": [{"seat": 1, "points": 0}, {"seat": 2, "tiles": ["9-6"]}, {"seat": 3, "tiles": ["6-9"]}],
    })  # fmt: skip

    assert codes(response) == ["tile_twice"]
    problem = response.json()["problems"][0]
    assert (problem["seat"], problem["seats"]) == (3, [2, 3])
    assert "Ben" in problem["message"]


def test_options_that_look_at_tiles_ask_for_them() -> None:
    ann = scorer(doubles_twice=True)

    assert codes(ann.put(1, (0, 18, 13))) == ["needs_tiles", "needs_tiles"]


def test_points_stay_bare_and_score_counts() -> None:
    ann = scorer(blank_half=5, doubles_twice=True, out_bonus=10, open_marker=10)

    response = ann("PUT", "rounds/1/", {
        "ended": "out",
        "hands": [
            {"seat": 1, "points": 0},
            {"seat": 2, "tiles": ["5-5", "2-1"], "marker": True},
            {"seat": 3, "tiles": ["0-0", "3-0"]},
        ],
    })  # fmt: skip

    hands = response.json()["rounds"][0]["hands"]
    assert [(hand["points"], hand["score"]) for hand in hands] == [(0, -10), (13, 33), (53, 128)]


def test_a_disputed_round_is_kept_with_its_marks(ann: Caller) -> None:
    refused = ann.put(1, (0, 1, 1), disputed=True)
    response = ann.put(1, (0, 1, 1), disputed=True, reason="shuffled already")

    assert (refused.status_code, refused.json()["code"], codes(refused)) == (
        400,
        "invalid",
        ["reason_missing"],
    )
    assert response.status_code == 201
    entry = response.json()["rounds"][0]
    assert (entry["disputed"], entry["marks"]) == (True, ["hands_clash"])


@pytest.mark.parametrize(
    ("rules", "hands", "expected"),
    [
        ({}, [{"seat": 1, "points": 0}, {"seat": 2, "points": 4}], {"seat_missing"}),
        # Wrong by itself, and nothing says how many points it is.
        (
            {},
            [{"seat": 1, "points": 0}, {"seat": 2, "tile_count": 150}, {"seat": 3, "points": 9}],
            {"count_points"},
        ),
        # Wrong by itself, but what it costs hangs on its tiles.
        (
            {"blank_half": 5},
            [
                {"seat": 1, "points": 0},
                {"seat": 2, "points": 40, "tile_count": 1},
                {"seat": 3, "tiles": ["4-5"]},
            ],
            {"count_points", "needs_tiles"},
        ),
        (
            {},
            [{"seat": 1, "points": 0}, {"seat": 2, "points": 4, "out": True}, {"seat": 3, "points": 9}],
            {"count_points"},
        ),
    ],
)
def test_a_dispute_overrides_nothing_else(
    rules: dict[str, Any], hands: list[dict[str, Any]], expected: set[str]
) -> None:
    ann = scorer(**rules)

    response = ann("PUT", "rounds/1/", {"ended": "out", "hands": hands, "disputed": True, "reason": "late"})

    assert response.status_code == 400
    assert set(codes(response)) == expected
    assert not Hand.objects.exists()


GOOD = round_of((0, 18, 13))


@pytest.mark.parametrize(
    ("body", "field", "code"),
    [
        ({**GOOD, "scores": 1}, "scores", "unknown_field"),
        ({"hands": GOOD["hands"]}, "ended", "required"),
        ({**GOOD, "ended": "Out"}, "ended", "invalid"),
        ({**GOOD, "ended": None}, "ended", "null"),
        ({**GOOD, "engine": -1}, "engine", "invalid"),
        ({**GOOD, "engine": "12"}, "engine", "invalid"),
        ({**GOOD, "engine": True}, "engine", "invalid"),
        ({**GOOD, "disputed": "yes"}, "disputed", "invalid"),
        ({**GOOD, "disputed": 1}, "disputed", "invalid"),
        ({**GOOD, "reason": ["x"]}, "reason", "invalid"),
        ({**GOOD, "reason": "r" * 301}, "reason", "invalid"),
        ({**GOOD, "reason": "r\x00"}, "reason", "invalid"),
        ({"ended": "out"}, "hands", "required"),
        ({**GOOD, "hands": {}}, "hands", "not_a_list"),
        ({**GOOD, "hands": [{"seat": 1, "points": 0}] * 51}, "hands", "invalid"),
        ({**GOOD, "hands": [[1, 0]]}, "hands[0]", "invalid"),
        ({**GOOD, "hands": [{"points": 0}]}, "hands[0].seat", "required"),
        ({**GOOD, "hands": [{"seat": 1.0, "points": 0}]}, "hands[0].seat", "invalid"),
        ({**GOOD, "hands": [{"seat": 1, "points": "0"}]}, "hands[0].points", "invalid"),
        ({**GOOD, "hands": [{"seat": 1, "points": False}]}, "hands[0].points", "invalid"),
        ({**GOOD, "hands": [{"seat": 1, "points": 0, "score": 0}]}, "hands[0].score", "unknown_field"),
        ({**GOOD, "hands": [{"seat": 1, "tile_count": -1}]}, "hands[0].tile_count", "invalid"),
        ({**GOOD, "hands": [{"seat": 1, "tile_count": 10**6}]}, "hands[0].tile_count", "invalid"),
        ({**GOOD, "hands": [{"seat": 1, "tiles": "5-5"}]}, "hands[0].tiles", "invalid"),
        ({**GOOD, "hands": [{"seat": 1, "tiles": [[5, 5]]}]}, "hands[0].tiles[0]", "invalid"),
        ({**GOOD, "hands": [{"seat": 1, "tiles": ["5-5"] * 201}]}, "hands[0].tiles", "invalid"),
        ({**GOOD, "hands": [{"seat": 1, "points": 0, "out": 1}]}, "hands[0].out", "invalid"),
        ({**GOOD, "hands": [{"seat": 1, "points": 0, "marker": None}]}, "hands[0].marker", "null"),
    ],
)
def test_a_wrong_field_is_named(ann: Caller, body: dict[str, Any], field: str, code: str) -> None:
    response = ann("PUT", "rounds/1/", body)

    assert response.status_code == 400
    assert response.json()["code"] == "invalid"
    assert [(problem["field"], problem["code"]) for problem in response.json()["problems"]] == [(field, code)]
    assert response.json()["message"].startswith(f"{field}: ")
    assert not Round.objects.exists()


def test_a_problem_in_a_hand_names_its_seat(ann: Caller) -> None:
    body = {**GOOD, "hands": [{"seat": 3, "points": None, "tiles": ["1-1", 5]}]}

    problem = ann("PUT", "rounds/1/", body).json()["problems"][0]

    assert (problem["seat"], problem["field"]) == (3, "hands[0].tiles[1]")


def test_null_is_as_good_as_left_out(ann: Caller) -> None:
    hand = {"tile_count": None, "tiles": None, "out": None}
    hands = [{"seat": seat, "points": points, **hand} for seat, points in enumerate((0, 18, 13), start=1)]

    assert ann("PUT", "rounds/1/", {"engine": None, "ended": "out", "hands": hands}).status_code == 201


def test_a_round_put_after_the_finish_opens_the_game_again(ann: Caller) -> None:
    ann.put(1, (0, 18, 13))
    ann("POST", "finish/")

    assert ann.put(2, (0, 5, 6)).json()["status"] == "playing"
