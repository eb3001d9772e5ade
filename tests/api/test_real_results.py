"""A real game of two, and the ties whose right order is known, through the API."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.caller import Caller, scorer

pytestmark = pytest.mark.django_db


def standings(caller: Caller) -> list[tuple[Any, ...]]:
    keys = ("name", "total", "place", "zero_rounds", "lowest_nonzero", "decided_by")
    return [tuple(row[key] for key in keys) for row in caller.read()["standings"]]


def play(scores: dict[str, tuple[int, ...]], **more: Any) -> Caller:
    """A row a player, as on the sheet."""
    caller = scorer(tuple(scores), **more)
    for number, points in enumerate(zip(*scores.values(), strict=True), start=1):
        response = caller.put(number, points)
        assert response.status_code == 201, response.json()
    return caller


def test_kim_beats_mike_after_six_rounds() -> None:
    caller = play({
        "Kim":  ( 0,  0, 0,  0, 46,  0),
        "Mike": (37, 34, 6, 29,  0, 17),
    })  # fmt: skip

    response = caller("POST", "finish/")

    assert response.json()["status"] == "finished"
    assert len(response.json()["rounds"]) == 6
    assert standings(caller) == [
        ("Kim", 46, 1, 5, 46, None),
        ("Mike", 123, 2, 1, 6, "total"),
    ]


def test_tie_1_the_lowest_other_round_decides() -> None:
    caller = play({
        "A": ( 0, 12, 30),
        "B": (25,  0, 17),
        "C": (40, 31,  0),
    })  # fmt: skip

    assert standings(caller) == [
        ("A", 42, 1, 1, 12, None),
        ("B", 42, 2, 1, 17, "lowest_nonzero"),
        ("C", 71, 3, 1, 31, "total"),
    ]


def test_tie_2_more_zero_rounds_come_before_the_lowest_round() -> None:
    caller = play({
        "A": ( 0,  0, 30, 21),
        "B": (10, 15,  0, 26),
        "C": (33, 22, 18,  0),
    })  # fmt: skip

    assert standings(caller) == [
        ("A", 51, 1, 2, 21, None),
        ("B", 51, 2, 1, 10, "zero_rounds"),
        ("C", 73, 3, 1, 18, "total"),
    ]


def test_tie_3_zeros_then_the_lowest_round() -> None:
    caller = play({
        "A": ( 0,  0, 18, 27, 15),
        "B": (10, 20,  0,  0, 30),
        "C": (14,  6, 22, 18,  0),
    })  # fmt: skip

    assert standings(caller) == [
        ("B", 60, 1, 2, 10, None),
        ("A", 60, 2, 2, 15, "lowest_nonzero"),
        ("C", 60, 3, 1, 6, "zero_rounds"),
    ]


def test_tie_4_equal_in_everything_share_their_place() -> None:
    caller = play({
        "A": ( 0,  5,  9, 11),
        "B": (20,  0, 12,  8),
        "C": (12,  8, 20,  0),
        "D": (30, 10, 14,  8),
    })  # fmt: skip

    assert standings(caller) == [
        ("A", 25, 1, 1, 5, None),
        ("B", 40, 2, 1, 8, "total"),
        ("C", 40, 2, 1, 8, "shared"),
        ("D", 62, 4, 0, 8, "total"),
    ]
