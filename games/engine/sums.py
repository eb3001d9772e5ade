"""Hands that come to given points: which tiles are left in them, searched for within a filling of the slots.

Knows what tiles cost and which slots belong together. Points are a sum over several tiles, so a matching
alone cannot tell. The search gives each hand its tiles in turn, only such as still make
the sum with others, and turns back where the slots cannot be filled. Hands that are there are mostly found in
one order or another. Must not know rules or records.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from games.engine.matching import Matching
from games.engine.suits import BIT, numbers

# Steps of the search before it gives up; a step takes about 0.05 ms.
BUDGET = 12_000
# So many short searches, each in another order, before one that goes through everything.
_TRIES, _TRY = 6, 250


@dataclass(frozen=True, slots=True)
class Demand:
    """The tiles left with these players, `count` of them, cost at least `least` and at most `most`."""

    players: tuple[int, ...]
    count: int
    least: int
    most: int
    costs: Mapping[int, int]  # what a tile costs, by number


@dataclass(slots=True)
class Budget:
    """How many more steps a search may take, all its parts together."""

    left: int = BUDGET


@dataclass(frozen=True, slots=True)
class Found:
    """Whether it can be, None if the budget ran out; `filling` is one that meets all demands."""

    possible: bool | None
    filling: Matching | None = None


class _BudgetSpentError(Exception):
    pass


def find(
    matching: Matching, owners: Sequence[int], unlaid: int, demands: Sequence[Demand], budget: Budget
) -> Found:
    """Whether some filling meets all demands, no player in two of them.

    `matching` is filled; `owners` tells whose each slot is; `unlaid` are the tiles still in hands or
    in the boneyard.

    >>> costs = {0: 50, 1: 1, 2: 2}
    >>> pair = Matching([0b111, 0b111], [2, 1], 0b111)
    >>> pair.fill(), find(pair, [0, -1], 0b111, [Demand((0,), 2, 3, 3, costs)], Budget()).filling.held
    (True, [6, 1])
    >>> find(pair, [0, -1], 0b111, [Demand((0,), 2, 4, 40, costs)], Budget())
    Found(possible=False, filling=None)
    """
    if budget.left <= 0:
        return Found(possible=None)
    possible = matching.movable()
    matching.rows = [row & tiles for row, tiles in zip(matching.rows, possible, strict=True)]
    looks = _looks(matching.rows, unlaid)
    for turn in range(_TRIES + 1):
        last = turn == _TRIES
        hands = [_Hand(demand, owners, looks, 0 if last else turn) for demand in demands]
        if not all(hand.makes_sum() for hand in hands):
            return Found(possible=False)
        if last and not all(hand.in_reach(matching) for hand in hands):
            return Found(possible=False)
        hands.sort(key=lambda hand: len(hand.tiles))
        part = Budget(budget.left if last else min(_TRY, budget.left))
        budget.left -= part.left
        try:
            filling = _serve(hands, 0, matching, unlaid, part)
            return Found(filling is not None, filling)
        except _BudgetSpentError:
            continue
        finally:
            budget.left += max(0, part.left)
    return Found(possible=None)


def _looks(rows: Sequence[int], unlaid: int) -> dict[int, int]:
    """For each tile the slots it may lie in, a bit each."""
    looks = dict.fromkeys(numbers(unlaid), 0)
    for slot, row in enumerate(rows):
        for number in numbers(row & unlaid):
            looks[number] |= 1 << slot
    return looks


class _Hand:
    """One demand, the slots it is about, and the tiles that can be left there in the order they are tried.

    In the first turn the dearest come first; in others the order is mixed up, tiles that are alike together.
    """

    def __init__(self, demand: Demand, owners: Sequence[int], looks: Mapping[int, int], turn: int) -> None:
        self.demand = demand
        self.slots = sum(1 << slot for slot, player in enumerate(owners) if player in demand.players)
        costs = demand.costs
        mine = [number for number, slots in looks.items() if slots & self.slots]
        self.tiles = sorted(mine, key=lambda number: (-costs[number], looks[number]))
        if turn:
            self.tiles.sort(key=lambda number: (costs[number] * 31 + looks[number]) * (turn + 6) % 97)
        # Whether a tile is like the one before it: then nothing is gained by taking it instead.
        self.alike = [
            at > 0
            and costs[self.tiles[at - 1]] == costs[number]
            and looks[self.tiles[at - 1]] == looks[number]
            for at, number in enumerate(self.tiles)
        ]
        self.makes = self._makes()

    def _makes(self) -> list[list[int]]:
        """Position → for each number of tiles, a bit for each sum that tiles from there on can have."""
        demand = self.demand
        limit = (1 << demand.most + 1) - 1 if demand.most >= 0 else 0
        sums = [1] + [0] * demand.count
        made = [sums]
        for number in reversed(self.tiles):
            cost = demand.costs[number]
            sums = [1] + [
                sums[count] | sums[count - 1] << cost & limit for count in range(1, demand.count + 1)
            ]
            made.append(sums)
        made.reverse()
        return made

    def makes_sum(self, at: int = 0, count: int | None = None, spent: int = 0) -> bool:
        """Whether `count` tiles from this position on can make up what is still missing."""
        demand = self.demand
        most, least = demand.most - spent, max(0, demand.least - spent)
        sums = self.makes[at][demand.count if count is None else count]
        return most >= least and bool(sums >> least & (1 << most - least + 1) - 1)

    def in_reach(self, matching: Matching) -> bool:
        """Whether the demand lies between the cheapest and the dearest hand that the slots allow.

        The hands are the bases of a matroid, so taking the best tile each time finds both.
        """
        dearest, cheapest = self._greedy(matching, self.tiles), self._greedy(matching, self.tiles[::-1])
        return cheapest <= self.demand.most and dearest >= self.demand.least

    def _greedy(self, matching: Matching, tiles: Sequence[int]) -> int:
        missing, spent = self.demand.count, 0
        for number in tiles:
            if not missing:
                break
            trial = matching.copy()
            if trial.confine(BIT[number], self.slots):
                matching = trial
                missing -= 1
                spent += self.demand.costs[number]
        return spent


def _serve(
    hands: Sequence[_Hand], which: int, matching: Matching, unlaid: int, budget: Budget
) -> Matching | None:
    if which == len(hands):
        return matching
    return _take(hands, which, 0, hands[which].demand.count, 0, matching, unlaid, budget)


def _take(
    hands: Sequence[_Hand],
    which: int,
    start: int,
    count: int,
    spent: int,
    matching: Matching,
    unlaid: int,
    budget: Budget,
) -> Matching | None:
    """Give this hand `count` more tiles from position `start` on, then serve the hands after it."""
    hand = hands[which]
    if not count:
        return _serve(hands, which + 1, matching, unlaid, budget)
    failed = -1
    for at in range(start, len(hand.tiles)):
        if not hand.makes_sum(at, count, spent):
            return None
        number = hand.tiles[at]
        bit = BIT[number]
        if not unlaid & bit or (hand.alike[at] and failed == at - 1):
            failed = at if hand.alike[at] and failed == at - 1 else failed
            continue
        cost = hand.demand.costs[number]
        if not hand.makes_sum(at + 1, count - 1, spent + cost):
            continue
        budget.left -= 1
        if budget.left < 0:
            raise _BudgetSpentError
        trial = matching.copy()
        if trial.confine(bit, hand.slots):
            filling = _take(hands, which, at + 1, count - 1, spent + cost, trial, unlaid & ~bit, budget)
            if filling is not None:
                return filling
        failed = at
    return None
