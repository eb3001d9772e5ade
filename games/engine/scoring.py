"""What counts for each hand of a round, from hands that have been checked.

Knows the scoring options and the order in which they apply. Must not know claims or problems: `claims` checks
what people say and makes the hands. Its names are offered here too, so that one import serves a whole round.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from games.engine.checks import RoundCheck, check_round
from games.engine.claims import Ended, HandClaim, RoundClaim
from games.engine.errors import EngineError
from games.engine.hands import Hand, tile_points
from games.engine.rules import RuleSet
from games.engine.tiles import Tile

__all__ = [
    "OPTION_RULES",
    "Ended",
    "Hand",
    "HandClaim",
    "RoundCheck",
    "RoundClaim",
    "check_round",
    "score_round",
    "tile_score",
]

# Where each scoring option comes from, in the order they apply; None: tables ask for it, no page has it.
OPTION_RULES: Mapping[str, str | None] = MappingProxyType(
    {
        "blank_half": None,
        "doubles_twice": None,
        "blocked_cap": None,
        "open_marker": None,
        "out_bonus": None,
        "scoring": "W12",
    }
)

_BLANK = Tile(0, 0)


def tile_score(tile: Tile, rules: RuleSet) -> int:
    """What one tile left in a hand costs: its points, `blank_half` for each blank half, doubles then twice.

    >>> from games.engine.rules import rule_set
    >>> tile_score(Tile(5, 5), rule_set(doubles_twice=True))
    20
    >>> tile_score(Tile(0, 0), rule_set(double_blank=0, blank_half=5, doubles_twice=True))
    20
    """
    score = tile_points(tile, rules) + rules.blank_half * ((tile.high == 0) + (tile.low == 0))
    return 2 * score if rules.doubles_twice and tile.is_double else score


def score_round(hands: Iterable[Hand], *, rules: RuleSet, ended: Ended) -> dict[int, int]:
    """What counts for each seat: tile costs, then `blocked_cap`, `open_marker`, `out_bonus` (G25, A12, W10).

    `blocked_cap`: every hand that shares the lowest cost scores 0. Under positive scoring those who went
    out share the cost of all other tiles, rounded down, and nobody else scores; a blocked round scores
    nobody (W12). Raises EngineError "needs_tiles" if an option looks at tiles that nobody told.

    >>> from games.engine.rules import rule_set
    >>> hands = [Hand(1, 0, out=True), Hand(2, 13, marker=True), Hand(3, 53)]
    >>> score_round(hands, rules=rule_set(open_marker=10, out_bonus=10), ended="out")
    {1: -10, 2: 23, 3: 53}
    >>> score_round(hands, rules=rule_set(scoring="positive"), ended="out")
    {1: 66, 2: 0, 3: 0}
    """
    hands = tuple(hands)
    if rules.scoring == "positive":
        return _awards(hands, rules, ended)
    costs = {hand.seat: _cost(hand, rules) for hand in hands}
    if ended == "blocked" and rules.blocked_cap and costs:
        lowest = min(costs.values())
        costs = {seat: 0 if cost == lowest else cost for seat, cost in costs.items()}
    for hand in hands:
        costs[hand.seat] += rules.open_marker * hand.marker - rules.out_bonus * hand.out
    return costs


def _awards(hands: tuple[Hand, ...], rules: RuleSet, ended: Ended) -> dict[int, int]:
    winners = [hand.seat for hand in hands if hand.out] if ended == "out" else []
    scores = dict.fromkeys((hand.seat for hand in hands), 0)
    if winners:
        pot = sum(_cost(hand, rules) for hand in hands if not hand.out)
        scores.update(dict.fromkeys(winners, pot // len(winners)))
    return scores


def _cost(hand: Hand, rules: RuleSet) -> int:
    if not (rules.blank_half or rules.doubles_twice):
        return hand.points
    tiles = hand.tiles
    if tiles is None and hand.points == 0:
        # No points and yet not out: the double blank alone, where it costs nothing.
        tiles = () if hand.out or hand.tile_count == 0 else (_BLANK,)
    if tiles is None:
        raise EngineError("needs_tiles", seat=hand.seat)
    return sum(tile_score(tile, rules) for tile in tiles)
