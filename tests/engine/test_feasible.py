"""Disjoint hands: the fast search against a plain one, and what is known by heart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine import feasible
from games.engine.feasible import Answer, Demand, find_clash
from games.engine.hands import stock_for
from games.engine.rules import rule_set

A_FEW_TILES = (0, 1, 1, 2, 2, 3, 3, 4, 5, 25)


def plainly_possible(costs: Sequence[int], demands: Sequence[Demand]) -> bool:
    """Every subset of the tiles for every hand, one hand after the other."""
    if not demands:
        return True
    demand, *others = demands
    for size in range(len(costs) + 1):
        if demand.count not in (None, size):
            continue
        for chosen in combinations(range(len(costs)), size):
            held = sorted(costs[at] for at in chosen)
            if sum(held) != demand.points or (demand.costs is not None and held != sorted(demand.costs)):
                continue
            if plainly_possible([cost for at, cost in enumerate(costs) if at not in chosen], others):
                return True
    return False


@st.composite
def demands(draw: st.DrawFn) -> list[Demand]:
    """Hands near what a handful of tiles can make."""
    few = []
    for _ in range(draw(st.integers(1, 4))):
        tiles = draw(st.lists(st.sampled_from(A_FEW_TILES), min_size=1, max_size=3))
        points = sum(tiles) + draw(st.sampled_from((0, 0, 0, 1)))
        told = draw(st.sampled_from(("points", "count", "tiles")))
        if told == "points" and points:
            few.append(Demand(points))
        elif told == "tiles":
            few.append(Demand(sum(tiles), len(tiles), tuple(tiles)))
        else:
            few.append(Demand(points, len(tiles)))
    return few


@st.composite
def dealt_out(draw: st.DrawFn) -> list[Demand]:
    """Hands that together hold nearly every tile, moved by a point here and there."""
    tiles = list(draw(st.permutations(A_FEW_TILES)))[draw(st.integers(0, 2)) :]
    players = draw(st.integers(2, 4))
    few = []
    for at in range(players):
        held = tiles[at::players]
        points = max(0, sum(held) + draw(st.sampled_from((0, 0, -1, 1))))
        few.append(Demand(points, len(held) if points == 0 or draw(st.booleans()) else None))
    return few


# With no first try, the bounds and the far-sighted searches behind it have to answer.
@settings(deadline=None)
@given(demands() | dealt_out(), st.sampled_from((0, 300)))
def test_the_search_agrees_with_a_plain_one_and_its_group_has_none_to_spare(
    few: list[Demand], first_try: int
) -> None:
    with patch.object(feasible, "_FIRST_TRY", first_try):
        answer = find_clash(Counter(A_FEW_TILES), few)
    assert answer.possible is plainly_possible(A_FEW_TILES, few)
    if answer.possible is False:
        group = [few[at] for at in answer.clash]
        assert not plainly_possible(A_FEW_TILES, group)
        for spare in range(len(group)):
            assert plainly_possible(A_FEW_TILES, group[:spare] + group[spare + 1 :])


# Double-12, engine 12-12: the most players who can have the same score.
MOST_EQUAL = {1: 1, 2: 2, 3: 3, 4: 5, 5: 6}


@pytest.mark.parametrize(("points", "players"), MOST_EQUAL.items())
def test_so_many_players_can_have_the_same_score_and_no_more(points: int, players: int) -> None:
    stock = stock_for(rule_set(), 12).tiles
    assert find_clash(stock, [Demand(points)] * players).possible is True
    assert find_clash(stock, [Demand(points)] * (players + 1)) == Answer(False, tuple(range(players + 1)))


CLASHES = [
    # points of all hands → those that clash
    ((1, 1), (0, 1)),
    ((2, 2, 2), (0, 1, 2)),
    ((1, 2, 2, 2), (1, 2, 3)),
    ((1, 3, 3, 3), (0, 1, 2, 3)),
    ((140, 1, 33, 1, 95), (1, 3)),
    ((3, 3, 3), None),
    ((1, 2, 2), None),
    ((130, 130, 130, 130, 130, 130, 130, 130), None),
]


@pytest.mark.parametrize(("points", "clash"), CLASHES)
def test_scores_that_are_known_to_clash_or_not(
    points: tuple[int, ...], clash: tuple[int, ...] | None
) -> None:
    answer = find_clash(stock_for(rule_set(), 12).tiles, [Demand(one) for one in points])
    assert answer == (Answer(True) if clash is None else Answer(False, clash))


def test_tile_counts_bite_harder() -> None:
    stock = stock_for(rule_set(), 12).tiles
    assert find_clash(stock, [Demand(23, 1), Demand(45, 2)]).possible is False
    assert find_clash(stock, [Demand(23), Demand(45, 2)]).possible is True


@pytest.mark.parametrize("max_pip", [6, 9, 12, 15, 18])
@pytest.mark.parametrize("players", [2, 7, 14])
def test_a_set_dealt_out_to_the_last_tile_can_be(max_pip: int, players: int) -> None:
    stock = stock_for(rule_set(max_pip=max_pip), max_pip).tiles
    costs = [cost for cost, number in stock.items() for _ in range(number)]
    hands = [costs[at::players] for at in range(players)]
    answer = find_clash(stock, [Demand(sum(hand), len(hand)) for hand in hands])
    assert answer.possible is True


def test_past_its_budget_it_does_not_say() -> None:
    stock = stock_for(rule_set(), 12).tiles
    hands = [Demand(5)] * 6
    assert find_clash(stock, hands).possible is True
    assert find_clash(stock, hands, budget=3) == Answer(None)


def test_what_nobody_could_hold_is_no_hand_of_the_group() -> None:
    # 3 would be left over, and cannot be; the two fives clash because of the one 1.
    assert find_clash({1: 1, 4: 3}, [Demand(5), Demand(5)]) == Answer(False, (0, 1))


def test_no_hands_are_always_possible() -> None:
    assert find_clash({1: 1}, []) == Answer(True)
