"""Rounds that are almost right, and values that belong elsewhere: a clear refusal or a round, never a 500."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.models import Round
from tests.api.caller import Caller, scorer

pytestmark = pytest.mark.django_db

CARDS: list[dict[str, Any]] = [
    {},
    {"preset": "wikihow"},
    {"preset": "wikihow", "blank_half": 5, "doubles_twice": True},
    {"preset": "wikihow", "scoring": "positive"},
    {"preset": "gamerules", "left_counts": "tiles", "out_bonus": 10},
    {"preset": "tournament", "blocked_cap": True, "open_marker": 10, "double_blank": 25},
    {"engine_order": "any_unused", "doubles_twice": True, "max_pip": 6},
]
junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=4,
)
points = st.integers(0, 60) | st.sampled_from([0, 0, 1, 24, 31, 50, 99, 300, 1142, -1, 10**20])
tile = st.builds("{}-{}".format, st.integers(0, 13), st.integers(0, 13))
hand = st.fixed_dictionaries(
    {"seat": st.integers(0, 4)},
    optional={
        "points": points,
        "tile_count": st.integers(0, 5) | st.sampled_from([91, 190, 200]),
        "tiles": st.lists(tile, max_size=3),
        "out": st.booleans(),
        "marker": st.booleans(),
    },
)
trio = st.tuples(hand, hand, hand).map(
    lambda hands: [{**one, "seat": seat} for seat, one in enumerate(hands, start=1)]
)
round_ = st.fixed_dictionaries(
    {"ended": st.sampled_from(["out", "blocked"]), "hands": trio | st.lists(hand, max_size=5)},
    optional={
        "engine": st.integers(0, 18),
        "disputed": st.booleans(),
        "reason": st.just("late") | st.text(max_size=3),
    },
)


def put(caller: Caller, body: Any) -> None:
    response = caller("PUT", "rounds/1/", body)

    assert response.status_code in (200, 201, 400), response.content
    if response.status_code == 400:
        assert response.json()["code"] in ("invalid", "round_impossible")
        assert all(problem["message"] for problem in response.json()["problems"])
    else:
        hands = response.json()["rounds"][0]["hands"]
        assert [one["seat"] for one in hands] == [1, 2, 3]
        assert Round.objects.get(game=caller.game).disputed or not response.json()["rounds"][0]["marks"]


@pytest.mark.parametrize("card", CARDS, ids=str)
def test_almost_right_rounds(card: dict[str, Any]) -> None:
    caller = scorer(**card)

    @given(body=round_)
    @settings(max_examples=60, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    def send(body: dict[str, Any]) -> None:
        put(caller, body)

    send()


@pytest.mark.parametrize(
    "field", ["ended", "hands", "engine", "disputed", "reason", "seat", "points", "tiles", "out"]
)
def test_values_that_belong_elsewhere(field: str) -> None:
    caller = scorer()

    @given(value=junk)
    @settings(max_examples=25, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    def send(value: Any) -> None:
        hands: list[dict[str, Any]] = [
            {"seat": seat, "points": points} for seat, points in ((1, 0), (2, 9), (3, 8))
        ]
        body: dict[str, Any] = {"ended": "out", "hands": hands, "reason": "late"}
        if field in ("seat", "points", "tiles", "out"):
            hands[2][field] = value
        else:
            body[field] = value
        put(caller, body)

    send()
