"""Tiles as numbers and sets of tiles as bits, for what must be quick.

Knows one numbering that holds for every set: the double blank is 0, then 1-0, 1-1, 2-0 …, in the order of
`tiles.tiles_of`. A set of tiles is an int with the bit of each tile's number. Must not know rules or players.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from math import isqrt

from games.engine.tiles import SETS, Tile, tile_total, tiles_of

PIPS = range(SETS[-1] + 1)
_TILES = tiles_of(SETS[-1])

# number → the bit of it; pip → all tiles with that pip; pip → its double; all doubles.
BIT = tuple(1 << number for number in range(len(_TILES)))
SUIT = tuple(sum(BIT[at] for at, tile in enumerate(_TILES) if pip in (tile.high, tile.low)) for pip in PIPS)
DOUBLE = tuple(BIT[pip * (pip + 3) // 2] for pip in PIPS)
DOUBLES = sum(DOUBLE)

# pip, number → the half of the tile that shows once the other half touches the pip; -1: it does not fit.
OTHER = tuple(
    tuple(tile.low if tile.high == pip else tile.high if tile.low == pip else -1 for tile in _TILES)
    for pip in PIPS
)


def tile_number(one: int, other: int) -> int:
    """The number of the tile with these halves, 0 or more each; beyond double-18 it is in no set.

    >>> tile_number(0, 0), tile_number(2, 1), tile_number(18, 18), tile_number(0, 19)
    (0, 4, 189, 190)
    """
    high, low = max(one, other), min(one, other)
    return high * (high + 1) // 2 + low


def halves(number: int) -> tuple[int, int]:
    """The halves of the tile, the higher first; the inverse of `tile_number`.

    >>> halves(4), halves(190)
    ((2, 1), (19, 0))
    """
    high = (isqrt(8 * number + 1) - 1) // 2
    return high, number - high * (high + 1) // 2


def tile_text(number: int) -> str:
    """How the tile is written, the higher half first, also one that is in no set.

    >>> tile_text(4)
    '2-1'
    """
    high, low = halves(number)
    return f"{high}-{low}"


def tile_of(number: int) -> Tile:
    """The tile with this number, 0–189."""
    return _TILES[number]


@cache
def whole_set(max_pip: int) -> int:
    """All tiles of the double-`max_pip` set.

    >>> bin(whole_set(1))
    '0b111'
    """
    return (1 << tile_total(max_pip)) - 1


def numbers(tiles: int) -> Iterator[int]:
    """The numbers in a set of tiles, the lowest first.

    >>> list(numbers(0b10010))
    [1, 4]
    """
    while tiles:
        low = tiles & -tiles
        yield low.bit_length() - 1
        tiles ^= low
