"""What tiles cost under a rule set, and what a hand of them may come to.

Knows the bare pips (or the tile count) that a hand's `points` are, for one set, one engine and one price of
the double blank. Must not know players, claims or bonuses: those are in `scoring`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from types import MappingProxyType

from games.engine.rules import RuleSet
from games.engine.tiles import Tile, tiles_of


def tile_points(tile: Tile, rules: RuleSet) -> int:
    """What one tile left in a hand adds to its bare points: pips, 0-0 as the rules price it; 1 where tiles
    count.

    Source: G25, A12, W10.

    >>> from games.engine.rules import rule_set
    >>> tile_points(Tile(5, 2), rule_set()), tile_points(Tile(0, 0), rule_set())
    (7, 50)
    """
    if rules.left_counts == "tiles":
        return 1
    return rules.double_blank if tile.high == 0 else tile.pips


@dataclass(frozen=True, slots=True)
class Hand:
    """What a player had left at the end of a round.

    `points` are bare (never a bonus, cap or award); `tile_count` and `tiles` None if nobody told. `out`:
    the player went out. `marker`: the player's marker was still on.
    """

    seat: int
    points: int
    tile_count: int | None = None
    tiles: tuple[Tile, ...] | None = None
    out: bool = False
    marker: bool = False


@dataclass(frozen=True, slots=True)
class Stock:
    """The tiles that may be left in hands: a whole set without the engine, which lies on the table.

    `tiles` maps a cost to the number of tiles that cost it. The methods answer for any hand of them.

    >>> from games.engine.rules import rule_set
    >>> stock = stock_for(rule_set(), 12)
    >>> stock.most(3), stock.most_plain(3), stock.least(3), stock.fewest(212)
    (95, 67, 5, 9)
    >>> stock.allows(24, 1), stock.allows(50, 1), stock.allows(31, 2)
    (False, True, True)
    """

    tiles: Mapping[int, int]
    total: int
    size: int
    # Whether 0 points mean an empty hand: not where 0-0 costs nothing and may be held.
    zero_is_empty: bool
    _least: tuple[int, ...]
    _most: tuple[int, ...]
    _most_plain: tuple[int, ...]
    _sums: tuple[int, ...]  # for each number of tiles, a bit for each sum
    _any_sum: int

    def least(self, count: int) -> int | None:
        """The least points `count` tiles have; None if there are not so many tiles."""
        return self._least[count] if 0 <= count <= self.size else None

    def most(self, count: int) -> int | None:
        """The most points `count` tiles have; None if there are not so many tiles."""
        return self._most[count] if 0 <= count <= self.size else None

    def most_plain(self, count: int) -> int | None:
        """The same without the double blank."""
        return self._most_plain[count] if 0 <= count < len(self._most_plain) else None

    def allows(self, points: int, count: int | None = None) -> bool:
        """Whether some hand, of `count` tiles if that is given, has exactly `points`."""
        if not 0 <= points <= self.total:
            return False
        if count is None:
            return bool(self._any_sum >> points & 1)
        return 0 <= count <= self.size and bool(self._sums[count] >> points & 1)

    def fewest(self, points: int) -> int | None:
        """The fewest tiles that have exactly `points`; None if no hand has."""
        if not self.allows(points):
            return None
        count = bisect_left(self._most, points)
        while not self._sums[count] >> points & 1:
            count += 1
        return count

    def cheapest_sum(self, count: int) -> int:
        """What the `count` cheapest tiles cost together, or all tiles if there are fewer."""
        return self._least[max(0, min(count, self.size))]


def stock_for(rules: RuleSet, engine: int) -> Stock:
    """The stock of a round with this engine, 0 ≤ engine ≤ max_pip."""
    return _stock(rules.max_pip, engine, rules.double_blank, rules.left_counts == "tiles")


@lru_cache(maxsize=256)
def _stock(max_pip: int, engine: int, double_blank: int, tiles_count: bool) -> Stock:
    free = [tile for tile in tiles_of(max_pip) if not tile.low == tile.high == engine]
    plain = sorted(1 if tiles_count else tile.pips for tile in free if tile.high > 0)
    blank = [1 if tiles_count else double_blank] if engine != 0 else []
    costs = sorted([*plain, *blank])
    total = sum(costs)
    # All hands at once: bit `count * width + points` is set if such a hand exists.
    width = total + 1
    every = 1
    for cost in costs:
        every |= every << width + cost
    row = (1 << width) - 1
    sums = tuple(every >> count * width & row for count in range(len(costs) + 1))
    any_sum = 0
    for bits in sums:
        any_sum |= bits
    return Stock(
        tiles=MappingProxyType(Counter(costs)),
        total=total,
        size=len(costs),
        zero_is_empty=0 not in costs,
        _least=(0, *accumulate(costs)),
        _most=(0, *accumulate(reversed(costs))),
        _most_plain=(0, *accumulate(reversed(plain))),
        _sums=sums,
        _any_sum=any_sum,
    )
