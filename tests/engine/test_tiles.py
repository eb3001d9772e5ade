"""Tiles and sets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.errors import TileError
from games.engine.tiles import SETS, Tile, parse_tile, pip_total, tile_total, tiles_of

# double-N: tiles, pips
SET_FACTS = {6: (28, 168), 9: (55, 495), 12: (91, 1092), 15: (136, 2040), 18: (190, 3420)}
halves = st.integers(0, 18)


@pytest.mark.parametrize("max_pip", SETS)
def test_a_set_has_so_many_tiles_and_pips(max_pip: int) -> None:
    tiles = tiles_of(max_pip)
    assert (len(set(tiles)), sum(tile.pips for tile in tiles)) == SET_FACTS[max_pip]
    assert (tile_total(max_pip), pip_total(max_pip)) == SET_FACTS[max_pip]
    assert tiles[0] == Tile(0, 0)


@pytest.mark.parametrize(("max_pip", "suit"), [(9, 10), (12, 13)])
def test_each_number_is_on_so_many_tiles(max_pip: int, suit: int) -> None:
    for pip in range(max_pip + 1):
        assert sum(pip in (tile.high, tile.low) for tile in tiles_of(max_pip)) == suit


@given(halves, halves)
def test_a_tile_reads_back_either_way_round(one: int, other: int) -> None:
    tile = Tile.of(one, other)
    assert parse_tile(str(tile)) == parse_tile(f"{one}-{other}") == parse_tile(f"{other}-{one}") == tile
    assert tile.pips == one + other
    assert tile.is_double == (one == other)


@given(st.text(alphabet="0123456789-x ٣"))
def test_any_text_is_a_tile_or_quoted_in_the_error(text: str) -> None:
    try:
        read = str(parse_tile(text))
    except TileError as error:
        read = str(error)
    assert text in (read, "-".join(reversed(read.split("-")))) or repr(text) in read


@pytest.mark.parametrize(
    "text", ["", "5", "5-", "5 5", "-1-2", "05-3", "5–3", "19-3", "３-2", "1-2-3", " 1-2", "1-2\n"]
)
def test_what_is_no_tile_is_refused(text: str) -> None:
    with pytest.raises(TileError):
        parse_tile(text)


@pytest.mark.parametrize(("high", "low"), [(3, 9), (19, 0), (2, -1)])
def test_a_tile_has_its_high_half_first_and_is_in_some_set(high: int, low: int) -> None:
    with pytest.raises(TileError):
        Tile(high, low)
