"""What a player may do at the table, as values.

Knows the signs of a train record: a tile laid, a draw, a pass, a marker put on or taken off, the last tile
said. Must not know whether any of it is allowed: that is in `table`.
"""

from __future__ import annotations

from dataclasses import dataclass

from games.engine.suits import tile_number, tile_text
from games.engine.tiles import Tile

# The Mexican Train, where a train is named by its player's id.
MEXICAN = "M"


@dataclass(frozen=True, slots=True)
class Lay:
    """The tile with this number goes on a train: a player's id, or "M".

    >>> str(Lay.of(Tile(12, 3), "A"))
    '12-3>A'
    """

    number: int
    train: str

    @classmethod
    def of(cls, tile: Tile, train: str) -> Lay:
        """The same from a tile."""
        return cls(tile_number(tile.high, tile.low), train)

    def __str__(self) -> str:
        return f"{tile_text(self.number)}>{self.train}"


@dataclass(frozen=True, slots=True)
class Draw:
    """A tile from the boneyard; `number` None if nobody was shown which.

    >>> str(Draw()), str(Draw(4))
    ('+', '+2-1')
    """

    number: int | None = None

    @classmethod
    def of(cls, tile: Tile) -> Draw:
        """The same from a tile."""
        return cls(tile_number(tile.high, tile.low))

    def __str__(self) -> str:
        return "+" if self.number is None else f"+{tile_text(self.number)}"


@dataclass(frozen=True, slots=True)
class Pass:
    """Cannot, or does not, play on."""

    def __str__(self) -> str:
        return "-"


@dataclass(frozen=True, slots=True)
class Marker:
    """At the end of this turn the player's marker is on, or off."""

    on: bool

    def __str__(self) -> str:
        return "^" if self.on else "v"


@dataclass(frozen=True, slots=True)
class Say:
    """Says that one tile is left."""

    def __str__(self) -> str:
        return "!"


Move = Lay | Draw | Pass
Action = Move | Marker | Say
