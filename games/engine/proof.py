"""What a record proves about hidden hands: after any turn, the tiles a player must hold and cannot hold.

Knows that a tile is proven to be in a hand if every deal that explains the record has it there, and proven
not to be if none has. Must not know rules: what a draw or a pass tells is in `deals`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from games.engine.deals import LAY, Deals
from games.engine.matching import Matching
from games.engine.record import Record
from games.engine.replay import deals_of
from games.engine.suits import BIT, numbers, tile_of
from games.engine.sums import BUDGET
from games.engine.tiles import Tile


@dataclass(frozen=True, slots=True)
class Proof:
    """What is proven of one hand: the tiles it must hold, and those it cannot though nobody has laid them.

    `count` is how many it holds; once `must` has so many, the hand is known.
    """

    must: tuple[Tile, ...]
    cannot: tuple[Tile, ...]
    count: int


def proven(
    record: Record, after: int, upto: int | None = None, *, budget: int = BUDGET
) -> Mapping[str, Proof] | None:
    """For each player what is proven of the hand after the first `after` turns.

    By all that the record tells, later turns and end lines included, or by its first `upto` turns alone.
    Only the legal prefix counts. None if no deal explains what is told. `budget` bounds the search for hands
    that explain written points; beyond it less is proven.

    >>> from games.engine.reading import parse_record
    >>> text = "rules: gamerules\\nset: 6\\nplayers: A, B\\ndeal: 3\\nengine: 6-6\\n"
    >>> proof = proven(parse_record(text + "1. A + -\\n2. B 6-1>M\\n3. A 1-5>M"), after=1)
    >>> [str(tile) for tile in proof["A"].must], [str(tile) for tile in proof["A"].cannot]
    (['5-1'], ['6-0', '6-1', '6-2', '6-3', '6-4', '6-5'])
    """
    deals = deals_of(record, budget=budget)
    told = len(deals) if upto is None else _steps(deals, upto)
    matching = deals.slots(told)
    if not matching.fill() or not deals.exist(told):
        return None
    return _proven(record, deals, told, _steps(deals, after), matching)


def _steps(deals: Deals, turns: int) -> int:
    return sum(step.turn <= turns for step in deals.steps)


def _proven(record: Record, deals: Deals, told: int, at: int, matching: Matching) -> dict[str, Proof]:
    owners = deals.owners(told)
    laid = 0
    for step in deals.steps[:at]:
        if step.kind == LAY:
            laid |= BIT[step.tile]
    there = deals.tiles & ~laid
    possible = _sharper(deals, told, matching)
    found = {}
    for player, name in enumerate(record.players):
        inside = outside = 0
        for (owner, drawn), tiles in zip(owners, possible, strict=True):
            if owner == player and drawn < at:
                inside |= tiles
            else:
                outside |= tiles
        found[name] = Proof(
            must=_tiles(inside & ~outside & there),
            cannot=_tiles(there & ~inside),
            count=sum(
                room
                for (owner, drawn), room in zip(owners, matching.rooms, strict=True)
                if owner == player and drawn < at
            )
            - sum(step.kind == LAY and step.player == player for step in deals.steps[:at]),
        )
    return found


def _sharper(deals: Deals, told: int, matching: Matching) -> list[int]:
    """For each slot the tiles that some deal has there.

    Written points, if any, are tried out tile by tile; each deal that is found settles all its tiles.
    """
    possible = matching.movable()
    if not deals.asks(told):
        return possible
    sure = [0] * len(possible)
    for slot, tiles in enumerate(possible):
        for number in numbers(tiles):
            if sure[slot] & BIT[number]:
                continue
            found = deals.with_tile(told, matching, number, slot)
            if found.filling is not None:
                sure = [one | held for one, held in zip(sure, found.filling.held, strict=True)]
            elif found.possible is None:
                sure[slot] |= BIT[number]  # not searched to the end: nothing is claimed
    return sure


def _tiles(tiles: int) -> tuple[Tile, ...]:
    return tuple(map(tile_of, numbers(tiles)))
