"""Can these hands all come out of one set? Exact, and fast enough to run at every key.

Knows numbers only: what tiles cost and what hands are said to hold. Must not know rules, players or the
reasons why a tile costs what it does. Tiles of equal cost are interchangeable, so a stock is a count for each
cost.

The search gives each hand tiles in turn, the tightest hand first, guided by bit sets of the sums that the
rest of the stock can still make, and remembers which stocks failed. Past its budget it says so instead of
guessing.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

# Steps of the search before it gives up; a step takes 10–50 µs.
BUDGET = 20_000
_FIRST_TRY = 300
_LEFT_OVER = -1  # the position of the tiles nobody holds

Use = tuple[tuple[int, int], ...]  # (index of a cost, how many tiles of it)


@dataclass(frozen=True, slots=True)
class Demand:
    """What one hand is said to hold: `points` ≥ 0, and the number of tiles, or None if it is not known.

    `costs` are the costs of its tiles where the very tiles are known; the rest is then implied.
    """

    points: int
    count: int | None = None
    costs: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """`possible` is None if the budget ran out. `clash`: positions of a group that cannot be, none of it to
    spare."""

    possible: bool | None
    clash: tuple[int, ...] = ()


class _BudgetSpentError(Exception):
    pass


@dataclass(slots=True)
class _Budget:
    left: int

    def spend(self, steps: int = 1) -> None:
        self.left -= steps
        if self.left < 0:
            raise _BudgetSpentError


def find_clash(stock: Mapping[int, int], demands: Sequence[Demand], budget: int = BUDGET) -> Answer:
    """Whether disjoint hands meet all `demands`; if none do, a minimal group of them that clashes.

    `stock` maps a tile's cost to the number of such tiles. Minimal: without any one of the group the
    others can be (unless the budget runs out while the group is made smaller).

    >>> find_clash({1: 1, 2: 2, 3: 2}, [Demand(3), Demand(1), Demand(1)])
    Answer(possible=False, clash=(1, 2))
    >>> find_clash({1: 1, 2: 2, 3: 2}, [Demand(3), Demand(1), Demand(4)]).possible
    True
    """
    everyone = tuple(range(len(demands)))
    possible, group = _judge(stock, demands, everyone, _Budget(budget))
    if possible is not False:
        return Answer(possible)
    return Answer(possible=False, clash=_minimal(stock, demands, group, _Budget(budget)))


def _minimal(
    stock: Mapping[int, int], demands: Sequence[Demand], group: tuple[int, ...], budget: _Budget
) -> tuple[int, ...]:
    # The largest hands are let go first: small numbers make the plainer message.
    for position in sorted(group, key=lambda at: -demands[at].points):
        if position not in group:
            continue
        rest = tuple(at for at in group if at != position)
        possible, smaller = _judge(stock, demands, rest, budget)
        if possible is False:
            group = smaller
    return group


def _judge(
    stock: Mapping[int, int], demands: Sequence[Demand], group: tuple[int, ...], budget: _Budget
) -> tuple[bool | None, tuple[int, ...]]:
    """Whether the demands of `group` can be, and if not, the part of it that was found to clash."""
    left = dict(stock)
    known = tuple(at for at in group if demands[at].costs is not None)
    for at in known:
        for cost in demands[at].costs or ():
            left[cost] = left.get(cost, 0) - 1
            if left[cost] < 0:
                return False, known
    open_hands = [at for at in group if demands[at].costs is None]
    table = _Table(left)
    hands = [table.hand(at, demands[at]) for at in open_hands]
    for hand in hands:
        if hand.fewest > hand.most:
            return False, (*known, hand.at)
    over = table.left_over(hands)
    if over is not None:
        hands.append(over)
    hands.sort(key=lambda hand: (hand.slack, hand.points))
    reached = _try(table, hands, budget, _FIRST_TRY)
    if reached is None:
        heavy = _bound(table, [hand for hand in hands if hand is not over])
        if heavy is not None:
            return False, (*known, *heavy)
        reached = _search_in_other_orders(table, hands, budget)
    if reached is None:
        return None, group
    stuck = reached[0]
    if stuck is None:
        return True, ()
    return False, group if _LEFT_OVER in stuck else (*known, *stuck)


def _search_in_other_orders(
    table: _Table, hands: list[_Hand], budget: _Budget
) -> tuple[tuple[int, ...] | None] | None:
    orders = (
        hands,
        sorted(hands, key=lambda hand: hand.points),
        sorted(hands, key=lambda hand: (hand.count is None, hand.slack)),
    )
    share = budget.left // len(orders)
    for order in orders:
        reached = _try(table, order, budget, share, far_sighted=True)
        if reached is not None:
            return reached
    return None


def _try(
    table: _Table,
    hands: Sequence[_Hand],
    budget: _Budget,
    steps: int,
    *,
    far_sighted: bool = False,
) -> tuple[tuple[int, ...] | None] | None:
    """The outcome of one search, which may take `steps` of the budget; None if they did not suffice."""
    steps = max(0, min(steps, budget.left))
    own = _Budget(steps)
    try:
        return _Search(table, hands, own, far_sighted=far_sighted).run()
    except _BudgetSpentError:
        return None
    finally:
        budget.left -= steps - max(0, own.left)


@dataclass(frozen=True, slots=True)
class _Hand:
    at: int
    points: int
    count: int | None
    fewest: int  # no hand of fewer tiles has so many points
    most: int  # nor one of more tiles
    slack: int  # how far the points are from the least and the most such a hand can have


class _Table:
    """A stock of tiles, with the least and the most that any number of them costs."""

    __slots__ = ("costs", "least", "most", "tiles")

    def __init__(self, stock: Mapping[int, int]) -> None:
        self.costs = tuple(sorted(stock))
        self.tiles = [stock[cost] for cost in self.costs]
        single = [cost for cost, n in zip(self.costs, self.tiles, strict=True) for _ in range(n)]
        self.least = [0, *accumulate(single)]
        self.most = [0, *accumulate(reversed(single))]

    def hand(self, at: int, demand: Demand) -> _Hand:
        fewest, most = self.counts(demand.points)
        count = demand.count
        if count is None:
            return _Hand(at, demand.points, None, fewest, most, demand.points)
        if not fewest <= count <= most:
            return _Hand(at, demand.points, count, 1, 0, 0)
        slack = min(demand.points - self.least[count], self.most[count] - demand.points)
        return _Hand(at, demand.points, count, count, count, slack)

    def left_over(self, hands: Sequence[_Hand]) -> _Hand | None:
        """The tiles that no hand holds, as one more hand, where it is tighter than another.

        Nothing new is asked, but a tight one is best made first.
        """
        points = self.most[-1] - sum(hand.points for hand in hands)
        if points < 0 or len(hands) < 2:
            return None
        count = None
        if all(hand.count is not None for hand in hands):
            count = len(self.most) - 1 - sum(hand.count or 0 for hand in hands)
        hand = self.hand(_LEFT_OVER, Demand(points, count))
        if hand.fewest > hand.most or hand.slack >= max(hand.slack for hand in hands):
            return None
        return hand

    def counts(self, points: int) -> tuple[int, int]:
        """The fewest and the most tiles that can cost `points`, judged by the least and most alone."""
        return bisect_left(self.most, points), bisect_right(self.least, points) - 1


def _bound(table: _Table, hands: Sequence[_Hand]) -> tuple[int, ...] | None:
    """A part of the hands that together need more tiles than cost so little, or fewer than cost so much."""
    sums, fewest, most = [0], [0], [0]
    for mask in range(1, 1 << len(hands)):
        rest, hand = mask & (mask - 1), hands[(mask & -mask).bit_length() - 1]
        sums.append(sums[rest] + hand.points)
        fewest.append(fewest[rest] + hand.fewest)
        most.append(most[rest] + hand.most)
        low, high = table.counts(sums[mask])
        if max(low, fewest[mask]) > min(high, most[mask]):
            return tuple(hand.at for bit, hand in enumerate(hands) if mask >> bit & 1)
    return None


@dataclass(frozen=True, slots=True)
class _Rest:
    """What the hands from one on need together; `largest` is the largest of them."""

    points: int
    fewest: int
    most: int
    largest: int


class _Search:
    """Gives `hands` tiles in the order they come. The one thing here that changes: the stock left."""

    def __init__(self, table: _Table, hands: Sequence[_Hand], budget: _Budget, *, far_sighted: bool) -> None:
        self.costs = table.costs
        self.tiles = list(table.tiles)
        self.hands = hands
        self.budget = budget
        self.far_sighted = far_sighted
        self.failed: set[tuple[int, ...]] = set()
        self.deepest = 0
        # A hand that may be one tile takes it, if no later hand of a known number could want that tile.
        biggest = 0
        self.may_settle = [False] * len(hands)
        self.rest = [_Rest(0, 0, 0, 0)]
        for at in range(len(hands) - 1, -1, -1):
            hand = hands[at]
            self.may_settle[at] = hand.count is None and hand.points > biggest
            if hand.count is not None:
                biggest = max(biggest, hand.points)
            after = self.rest[0]
            self.rest.insert(
                0,
                _Rest(
                    after.points + hand.points,
                    after.fewest + hand.fewest,
                    after.most + hand.most,
                    max(after.largest, hand.points),
                ),
            )

    def run(self) -> tuple[tuple[int, ...] | None]:
        """A tuple of None if all hands got tiles, else of the hands that cannot have them together."""
        if self._fill(0):
            return (None,)
        return (tuple(hand.at for hand in self.hands[: self.deepest + 1]),)

    def _fill(self, at: int) -> bool:
        if at == len(self.hands):
            return True
        self.deepest = max(self.deepest, at)
        key = (at, *self.tiles)
        if key in self.failed:
            return False
        if self.far_sighted and self._hopeless(self.rest[at]):
            self.deepest = len(self.hands) - 1  # the hands from here on have a part in it
            return False
        tiles = self.tiles
        for use in self._uses(at):
            self.budget.spend()
            for index, n in use:
                tiles[index] -= n
            done = self._fill(at + 1)
            for index, n in use:
                tiles[index] += n
            if done:
                return True
        self.failed.add(key)
        return False

    def _hopeless(self, rest: _Rest) -> bool:
        """Whether the hands from here on need more tiles than cost so little, or fewer than cost so much."""
        left, number = rest.points, rest.fewest
        for cost, n in zip(self.costs, self.tiles, strict=True):
            if n >= number:
                left -= number * cost
                number = 0
                break
            left -= n * cost
            number -= n
        if left < 0 or number:
            return True
        left, number = rest.points, rest.most
        for cost, n in zip(reversed(self.costs), reversed(self.tiles), strict=True):
            if cost <= rest.largest:
                left -= min(n, number) * cost
                number -= n
                if left <= 0 or number <= 0:
                    break
        return left > 0

    def _uses(self, at: int) -> Iterator[Use]:
        hand = self.hands[at]
        if hand.count is not None:
            self.budget.spend(hand.count)  # its tables cost about that much
            return self._counted(hand.points, hand.count)
        if self.may_settle[at]:
            index = bisect_left(self.costs, hand.points)
            if index < len(self.costs) and self.costs[index] == hand.points and self.tiles[index]:
                return iter((((index, 1),),))
        return self._uncounted(hand.points)

    def _uncounted(self, points: int) -> Iterator[Use]:
        """Every way to make `points`, dear tiles first."""
        costs, tiles = self.costs, self.tiles
        mask = (1 << points + 1) - 1
        sums = 1
        below = []  # what the tiles cheaper than this one can make
        for cost, n in zip(costs, tiles, strict=True):
            if cost > points:
                break
            below.append(sums)
            if cost:
                for _ in range(min(n, points // cost)):
                    sums |= sums << cost & mask
        if not sums >> points & 1:
            return
        have = tuple(tiles)

        def pick(top: int, left: int, use: Use) -> Iterator[Use]:
            if not left:
                yield use
                return
            for index in range(top, -1, -1):
                cost = costs[index]
                if cost and have[index] and cost <= left:
                    for n in range(min(have[index], left // cost), 0, -1):
                        if below[index] >> left - n * cost & 1:
                            yield from pick(index - 1, left - n * cost, (*use, (index, n)))

        yield from pick(len(below) - 1, points, ())

    def _counted(self, points: int, count: int) -> Iterator[Use]:
        """Every way to make `points` with `count` tiles, tiles near the average first."""
        costs, tiles = self.costs, self.tiles
        if not count:
            if not points:
                yield ()
            return
        order = sorted(
            (index for index, n in enumerate(tiles) if n and costs[index] <= points),
            key=lambda index: -abs(costs[index] * count - points),
        )
        # One row of bits a number of tiles; rows are wide enough that a shift cannot spill into the next.
        width = points + 1 + max((costs[index] for index in order), default=0)
        row = (1 << points + 1) - 1
        mask = sum(row << k * width for k in range(count + 1))
        sums = 1
        before = []
        for index in order:
            before.append(sums)
            shift = width + costs[index]
            for _ in range(min(tiles[index], count)):
                sums |= sums << shift & mask
        if not sums >> count * width + points & 1:
            return
        have = tuple(tiles)

        def pick(top: int, left: int, number: int, use: Use) -> Iterator[Use]:
            if not number:
                if not left:
                    yield use
                return
            for place in range(top, -1, -1):
                index = order[place]
                cost = costs[index]
                most = min(have[index], number, left // cost if cost else number)
                for n in range(most, 0, -1):
                    if before[place] >> (number - n) * width + left - n * cost & 1:
                        yield from pick(place - 1, left - n * cost, number - n, (*use, (index, n)))

        yield from pick(len(order) - 1, points, count, ())
