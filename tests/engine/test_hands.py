"""What a hand may come to: the facts of the rules, double-12 unless said."""

from __future__ import annotations

import pytest

from games.engine.hands import stock_for, tile_points
from games.engine.rules import rule_set
from games.engine.tiles import SETS, Tile, pip_total, tile_total

FIFTY = rule_set(double_blank=50)
FREE = rule_set(double_blank=0)
BY_TILE = rule_set(left_counts="tiles")
STOCK = stock_for(FIFTY, 12)

MOST = {1: 50, 2: 73, 3: 95, 5: 138, 7: 179, 10: 238, 12: 276, 15: 330, 16: 348}
MOST_PLAIN = {1: 23, 2: 45, 3: 67, 5: 109, 7: 149, 10: 207, 12: 244, 15: 298, 16: 315}
LEAST = {1: 1, 2: 3, 3: 5, 5: 11, 7: 19, 10: 33}
FEWEST = {100: 4, 150: 6, 200: 9, 300: 14}


def test_the_most_and_the_least_of_so_many_tiles() -> None:
    assert {count: STOCK.most(count) for count in MOST} == MOST
    assert {count: STOCK.most_plain(count) for count in MOST_PLAIN} == MOST_PLAIN
    assert {count: STOCK.least(count) for count in LEAST} == LEAST
    assert {points: STOCK.fewest(points) for points in FEWEST} == FEWEST


@pytest.mark.parametrize(
    ("engine", "possible"),
    [
        (12, {*range(1, 24), 50}),
        (11, {*range(1, 25), 50}),
        (0, {*range(1, 25)}),
    ],
)
def test_what_one_tile_can_be_worth(engine: int, possible: set[int]) -> None:
    stock = stock_for(FIFTY, engine)
    assert {points for points in range(60) if stock.allows(points, 1)} == possible


@pytest.mark.parametrize("max_pip", SETS)
@pytest.mark.parametrize("double_blank", [0, 25, 50])
def test_a_round_has_all_tiles_but_the_engine(max_pip: int, double_blank: int) -> None:
    rules = rule_set(max_pip=max_pip, double_blank=double_blank)
    for engine in range(max_pip + 1):
        stock = stock_for(rules, engine)
        assert stock.size == tile_total(max_pip) - 1
        assert stock.total == pip_total(max_pip) - 2 * engine + (double_blank if engine else 0)


def test_zero_is_an_empty_hand_unless_the_double_blank_is_free_and_may_be_held() -> None:
    assert stock_for(FIFTY, 12).zero_is_empty
    assert stock_for(FREE, 0).zero_is_empty
    assert stock_for(rule_set(double_blank=0, left_counts="tiles"), 12).zero_is_empty
    assert not stock_for(FREE, 12).zero_is_empty


def test_there_is_no_hand_below_nothing_or_above_everything() -> None:
    assert not STOCK.allows(-1)
    assert not STOCK.allows(STOCK.total + 1)
    assert STOCK.allows(STOCK.total)
    assert STOCK.fewest(STOCK.total + 1) is None
    assert STOCK.most(91) is STOCK.least(91) is STOCK.most_plain(90) is STOCK.most(-1) is None
    assert STOCK.cheapest_sum(500) == STOCK.total


def test_where_tiles_count_each_is_one_point() -> None:
    assert {tile_points(tile, BY_TILE) for tile in (Tile(0, 0), Tile(9, 9), Tile(5, 2))} == {1}
    assert stock_for(BY_TILE, 12).allows(7, 7)
    assert not stock_for(BY_TILE, 12).allows(7, 6)
