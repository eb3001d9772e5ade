"""What people say about the end of a round, and whether each hand can be by itself.

Knows one claim, the set and the engine. Must not know the other hands: `zeros` and `checks` look at all of
them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from games.engine.errors import Problem, TileError, about
from games.engine.hands import Stock, tile_points
from games.engine.rules import RuleSet
from games.engine.tiles import Tile, parse_tile

Ended = Literal["out", "blocked"]


@dataclass(frozen=True, slots=True)
class HandClaim:
    """One hand as told: `points`, `points` and `tile_count`, or `tiles` as text; None is not told.

    `out` None: a hand of no points went out, as far as it can have. `marker`: the marker is on.
    """

    seat: int
    points: int | None = None
    tile_count: int | None = None
    tiles: tuple[str, ...] | None = None
    out: bool | None = None
    marker: bool = False


@dataclass(frozen=True, slots=True)
class RoundClaim:
    """A round as told: its engine (pips of one half), how it ended, the hands in any order."""

    engine: int
    ended: Ended
    hands: tuple[HandClaim, ...]


@dataclass(frozen=True, slots=True)
class Told:
    """A claim read: what follows from it is filled in, `wrong` if it contradicts itself or the set."""

    seat: int
    points: int | None
    count: int | None = None
    tiles: tuple[Tile, ...] | None = None
    out: bool | None = None
    marker: bool = False
    wrong: bool = False

    @property
    def untold(self) -> bool:
        return self.points is None and not self.wrong


def read_claim(
    claim: HandClaim, round_: RoundClaim, rules: RuleSet, stock: Stock
) -> tuple[Told, list[Problem]]:
    """A claim with what follows from it, and every problem it has by itself.

    >>> from games.engine.hands import stock_for
    >>> from games.engine.rules import rule_set
    >>> claim = HandClaim(2, tiles=("5-5", "1-2"))
    >>> told, problems = read_claim(claim, RoundClaim(12, "out", ()), rule_set(), stock_for(rule_set(), 12))
    >>> told.points, told.count, problems
    (13, 2, [])
    """
    seat = claim.seat
    tiles, problems = _read_tiles(claim, round_.engine, rules)
    points, count = claim.points, claim.tile_count
    if tiles is not None:
        worth = sum(tile_points(tile, rules) for tile in tiles)
        if points is not None and points != worth:
            texts = tuple(map(str, tiles))
            problems.append(about("points_tiles", seat, points=points, tiles_points=worth, tiles=texts))
        if count is not None and count != len(tiles):
            problems.append(
                about("count_points", seat, kind="tiles", tile_count=count, tiles=len(tiles), points=worth)
            )
        points, count = worth, len(tiles)
    elif claim.tiles is None:
        points, count = _implied(claim, rules)
        problems += _worth(seat, points, count, stock)
    if claim.out and (points or count):
        problems.append(about("count_points", seat, kind="out", points=points, tile_count=count))
    told = Told(seat, points, count, tiles, claim.out, claim.marker, wrong=bool(problems))
    return told, problems


def _read_tiles(
    claim: HandClaim, engine: int, rules: RuleSet
) -> tuple[tuple[Tile, ...] | None, list[Problem]]:
    if claim.tiles is None:
        return None, []
    problems, tiles = [], []
    for text in claim.tiles:
        try:
            tile = parse_tile(text)
        except TileError:
            tile = None
        if tile is None or tile.high > rules.max_pip:
            problems.append(about("tile_unknown", claim.seat, tile=text, max_pip=rules.max_pip))
            continue
        tiles.append(tile)
        if tile.low == tile.high == engine:
            problems.append(about("tile_engine", claim.seat, tile=str(tile)))
    known = len(tiles) == len(claim.tiles)
    return tuple(tiles) if known else None, problems


def _implied(claim: HandClaim, rules: RuleSet) -> tuple[int | None, int | None]:
    """Points and number of tiles, each as far as it is told or follows from the other."""
    points, count = claim.points, claim.tile_count
    if points is None and (count == 0 or (claim.out and not count)):
        points = 0
    if rules.left_counts == "tiles":
        points = count if points is None else points
        count = points if count is None else count
    return points, count


def _worth(seat: int, points: int | None, count: int | None, stock: Stock) -> list[Problem]:
    """Whether any hand has so many points, and so many tiles."""
    if points is None:
        if count is None or 0 <= count <= stock.size:
            return []
        return [_count_points(seat, points, count, stock)]
    if not stock.allows(points):
        return [about("points_range", seat, points=points, least=0, most=stock.total)]
    if count is not None and not stock.allows(points, count):
        return [_count_points(seat, points, count, stock)]
    return []


def _count_points(seat: int, points: int | None, count: int, stock: Stock) -> Problem:
    return about(
        "count_points",
        seat,
        kind="no_hand",
        points=points,
        tile_count=count,
        least=stock.least(count),
        most=stock.most(count),
        most_plain=stock.most_plain(count),
        tiles=stock.size,
    )
