"""The tiles, and what a set holds.

Knows the double-6 to double-18 sets. Must not know house rules: what a tile costs is in `scoring`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from games.engine.errors import TileError

# The sets that are sold, by their highest double.
SETS = (6, 9, 12, 15, 18)

_TEXT = re.compile(r"(0|[1-9][0-9]?)-(0|[1-9][0-9]?)", re.ASCII)


@dataclass(frozen=True, slots=True, order=True)
class Tile:
    """One tile; `high` and `low` are the pips of its halves, 18 ≥ high ≥ low ≥ 0.

    Raises TileError otherwise; `Tile.of` takes the halves either way round.

    >>> str(Tile(9, 6)), Tile(9, 6).pips, Tile(9, 6).is_double
    ('9-6', 15, False)
    """

    high: int
    low: int

    def __post_init__(self) -> None:
        if not SETS[-1] >= self.high >= self.low >= 0:
            raise TileError("tile_unknown", f"no set holds the tile {self.high}-{self.low}", text=f"{self}")

    @classmethod
    def of(cls, one: int, other: int) -> Tile:
        """The tile with these halves, in any order.

        >>> Tile.of(3, 9)
        Tile(high=9, low=3)
        """
        return cls(max(one, other), min(one, other))

    def __str__(self) -> str:
        return f"{self.high}-{self.low}"

    @property
    def is_double(self) -> bool:
        """Whether both halves are the same."""
        return self.high == self.low

    @property
    def pips(self) -> int:
        """The dots on it, 0–36."""
        return self.high + self.low


def parse_tile(text: str) -> Tile:
    """The tile written as two numbers and a hyphen, either way round; `str(tile)` is the inverse.

    Raises TileError, quoting the text, for anything else and for numbers above 18.

    >>> parse_tile("3-9")
    Tile(high=9, low=3)
    >>> parse_tile("9 3")
    Traceback (most recent call last):
    ...
    games.engine.errors.TileError: '9 3' is not a tile
    """
    match = _TEXT.fullmatch(text)
    if match is None:
        raise TileError("tile_unknown", f"{text!r} is not a tile", text=text)
    one, other = int(match[1]), int(match[2])
    if max(one, other) > SETS[-1]:
        raise TileError("tile_unknown", f"{text!r} is in no set", text=text)
    return Tile.of(one, other)


@cache
def tiles_of(max_pip: int) -> tuple[Tile, ...]:
    """Every tile of the double-`max_pip` set, the double blank first (G3).

    >>> [str(tile) for tile in tiles_of(1)]
    ['0-0', '1-0', '1-1']
    """
    return tuple(Tile(high, low) for high in range(max_pip + 1) for low in range(high + 1))


def tile_total(max_pip: int) -> int:
    """How many tiles the double-`max_pip` set has (G3, W1).

    >>> tile_total(9), tile_total(12)
    (55, 91)
    """
    return (max_pip + 1) * (max_pip + 2) // 2


def pip_total(max_pip: int) -> int:
    """How many pips the double-`max_pip` set has, the double blank counted as 0.

    >>> pip_total(12)
    1092
    """
    return max_pip * (max_pip + 1) * (max_pip + 2) // 2
