"""The plainest possible judge of a round: every subset of the tiles, tried for every hand.

It shares nothing with the engine but the shape of a claim, so that the two can be held against each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations

from games.engine.rules import RuleSet
from games.engine.scoring import HandClaim, RoundClaim

Pair = tuple[int, int]  # (high, low)


@cache
def _hands(max_pip: int, engine: int, blank: int, by_tile: bool, points: int) -> tuple[frozenset[Pair], ...]:
    """Every set of tiles with so many points, one tile after the other taken or left."""
    pairs = [
        (high, low) for high in range(max_pip + 1) for low in range(high + 1) if not high == low == engine
    ]

    def cost(pair: Pair) -> int:
        if by_tile:
            return 1
        return sum(pair) if pair != (0, 0) else blank

    def grow(at: int, left: int) -> Iterator[tuple[Pair, ...]]:
        if left < 0:
            return
        if at == len(pairs):
            if left == 0:
                yield ()
            return
        yield from grow(at + 1, left)
        for rest in grow(at + 1, left - cost(pairs[at])):
            yield (pairs[at], *rest)

    affordable = [pair for pair in pairs if cost(pair) <= points]
    if by_tile:
        return tuple(map(frozenset, combinations(pairs, points)))
    pairs = affordable
    return tuple(map(frozenset, grow(0, points)))


def can_be(claim: RoundClaim, rules: RuleSet) -> bool:
    """Whether any disjoint hands fit all claims, with as many empty ones as the end of the round allows."""
    options = [_options(hand, claim, rules) for hand in claim.hands]

    def place(at: int, used: frozenset[Pair], empty: int) -> bool:
        if at == len(options):
            if claim.ended == "blocked":
                return empty == 0
            return empty == 1 if rules.first_turn_out == "immediate" else empty >= 1
        return any(not hand & used and place(at + 1, used | hand, empty + (not hand)) for hand in options[at])

    return place(0, frozenset(), 0)


def _options(hand: HandClaim, claim: RoundClaim, rules: RuleSet) -> Sequence[frozenset[Pair]]:
    assert hand.points is not None
    by_tile = rules.left_counts == "tiles"
    fitting = _hands(rules.max_pip, claim.engine, rules.double_blank, by_tile, hand.points)
    if hand.tiles is not None:
        told = frozenset(tuple(sorted(map(int, text.split("-")), reverse=True)) for text in hand.tiles)
        fitting = tuple(one for one in fitting if one == told)
    return [
        one
        for one in fitting
        if hand.tile_count in (None, len(one)) and (hand.out is None or hand.out == (not one))
    ]
