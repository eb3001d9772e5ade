"""Everything that is wrong, or unusual, with a round as told.

Knows what one set of tiles allows: each hand, the zeros, the sum, all hands together. Must not know whose
turn an engine is (`sequence`), what a hand's points are worth (`scoring`) or who laid what.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from games.engine.claims import Ended, RoundClaim, Told, read_claim
from games.engine.errors import Problem, about
from games.engine.feasible import BUDGET, Demand, find_clash
from games.engine.hands import Hand, Stock, stock_for, tile_points
from games.engine.rules import RuleSet
from games.engine.tiles import Tile, tiles_of
from games.engine.zeros import Zeros

# Every check and the rules it rests on. G3: a set holds each tile once.
CHECKS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "seat_missing": ("G1", "A12"),
        "seat_unknown": ("G1", "A12"),
        "tile_unknown": ("G3", "W1"),
        "tile_engine": ("G5", "W2", "A3"),
        "tile_twice": ("G3", "W1"),
        "points_tiles": ("G25", "A12"),
        "points_range": ("G3", "G25"),
        "count_points": ("G3", "G25"),
        "zeros": ("G15", "A5", "A12"),
        "round_sum": ("G3", "G6"),
        "hands_clash": ("G3", "W1"),
        "needs_tiles": (),
        "many_points": ("G6", "G12"),
        "many_tiles": ("G6", "G12"),
        "equal_hands": (),
        "not_searched": (),
    }
)

# A message names the tiles a clash is about if there are no more than this.
_FEW_TILES = 4


@dataclass(frozen=True, slots=True)
class RoundCheck:
    """All that is wrong (`problems`), all that is unusual (`warnings`), and the hands as far as known."""

    problems: tuple[Problem, ...]
    warnings: tuple[Problem, ...]
    hands: tuple[Hand, ...]

    @property
    def possible(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems


def check_round(
    claim: RoundClaim,
    *,
    rules: RuleSet,
    seats: Sequence[int],
    deal: int | None = None,
    budget: int = BUDGET,
) -> RoundCheck:
    """Judge a whole round, or what is known of it so far; every problem at once.

    `seats` take part in the round; `deal` is the tiles dealt to each, None: `rules.deal_for`, and if that
    has no row nothing is refused for it. A hand not told yet is `seat_missing`; all that is told is judged
    all the same. `hands_clash` is searched for only if nothing else about the hands is wrong, with `budget`
    steps at most: beyond it `not_searched` warns. Problem codes and what they rest on are in `CHECKS`.

    >>> from games.engine.claims import HandClaim
    >>> from games.engine.rules import rule_set
    >>> told = (HandClaim(1, 0), HandClaim(2, 1), HandClaim(3, 1))
    >>> check = check_round(RoundClaim(12, "out", told), rules=rule_set("gamerules"), seats=(1, 2, 3))
    >>> [(problem.code, problem.seats, problem.params["tiles"]) for problem in check.problems]
    [('hands_clash', (2, 3), ('1-0',))]
    """
    stock = stock_for(rules, claim.engine)
    if deal is None:
        deal = rules.deal_for(len(seats))
    problems = []
    told: dict[int, Told] = {}
    for hand in claim.hands:
        if hand.seat not in seats or hand.seat in told:
            kind = "twice" if hand.seat in told else "not_here"
            problems.append(about("seat_unknown", hand.seat, kind=kind))
            continue
        told[hand.seat], wrong = read_claim(hand, claim, rules, stock)
        problems += wrong
    missing = [seat for seat in seats if seat not in told or told[seat].untold]
    problems += [about("seat_missing", seat) for seat in missing]
    hands = list(told.values())
    problems += _twice(hands)
    zeros = Zeros(hands, claim.ended, rules, stock, complete=not missing)
    problems += zeros.problems()
    problems += _round_sum(hands, claim.ended, rules, stock, deal, len(seats))
    problems += _needs_tiles(hands, claim.ended, rules, zeros)
    warnings = _unusual(hands, stock, deal)
    if all(problem.code in ("seat_missing", "needs_tiles") for problem in problems):
        found = _together(hands, zeros, claim.engine, rules, stock, budget)
        if found is not None:
            (warnings if found.code == "not_searched" else problems).append(found)
    # A number of tiles that contradicts the tiles is kept: a disputed round says what was told.
    counts = {hand.seat: hand.tile_count for hand in claim.hands if hand.tile_count is not None}
    settled = tuple(
        Hand(
            one.seat,
            one.points,
            counts.get(one.seat, one.count),
            one.tiles,
            zeros.went_out(one),
            one.marker,
        )
        for one in map(zeros.counted, hands)
        if one.points is not None
    )
    return RoundCheck(tuple(problems), tuple(warnings), settled)


def _twice(hands: Sequence[Told]) -> list[Problem]:
    holders: dict[Tile, list[int]] = defaultdict(list)
    for hand in hands:
        for tile in hand.tiles or ():
            holders[tile].append(hand.seat)
    return [
        Problem(
            "tile_twice",
            seat=seats[-1],
            seats=tuple(dict.fromkeys(seats)),
            params={"tile": str(tile), "first": seats[0]},
        )
        for tile, seats in holders.items()
        if len(seats) > 1
    ]


def _round_sum(
    hands: Sequence[Told],
    ended: Ended,
    rules: RuleSet,
    stock: Stock,
    deal: int | None,
    players: int,
) -> list[Problem]:
    """Whoever went out laid at least the dealt tiles, the engine perhaps among them."""
    laid = 0
    if ended == "out" and deal is not None:
        laid = deal - (rules.engine == "dealt")
    most = stock.total - stock.cheapest_sum(laid)
    total = sum(hand.points or 0 for hand in hands)
    if total <= most:
        return []
    seats = tuple(hand.seat for hand in hands if hand.points)
    return [
        Problem(
            "round_sum",
            seats=seats,
            params={"total": total, "most": most, "players": players, "laid": laid},
        )
    ]


def _needs_tiles(hands: Sequence[Told], ended: Ended, rules: RuleSet, zeros: Zeros) -> list[Problem]:
    if rules.scoring == "positive" and ended == "blocked":
        return []  # nobody scores, whatever they hold
    options = tuple(name for name in ("blank_half", "doubles_twice") if getattr(rules, name))
    needed = []
    if options:
        needed += [hand for hand in hands if hand.points and hand.tiles is None and not hand.wrong]
    if rules.blank_half or rules.scoring == "positive" or rules.out_bonus:
        needed += zeros.unclear()
        options = options or ("scoring" if rules.scoring == "positive" else "out_bonus",)
    return [about("needs_tiles", hand.seat, points=hand.points, options=options) for hand in needed]


def _unusual(hands: Sequence[Told], stock: Stock, deal: int | None) -> list[Problem]:
    warnings = []
    equal: dict[int, list[int]] = defaultdict(list)
    for hand in hands:
        if hand.wrong or not hand.points:
            continue
        equal[hand.points].append(hand.seat)
        if deal is None:
            continue
        if hand.count is not None:
            if hand.count > deal:
                warnings.append(
                    about("many_tiles", hand.seat, tile_count=hand.count, deal=deal, points=hand.points)
                )
        elif hand.points > (most := stock.most(min(deal, stock.size)) or 0):
            warnings.append(
                about(
                    "many_points",
                    hand.seat,
                    points=hand.points,
                    deal=deal,
                    most=most,
                    tiles_needed=stock.fewest(hand.points),
                )
            )
    for points, seats in equal.items():
        if len(seats) > 2:
            warnings.append(about("equal_hands", *seats, points=points))
    return warnings


def _together(
    hands: Sequence[Told],
    zeros: Zeros,
    engine: int,
    rules: RuleSet,
    stock: Stock,
    budget: int,
) -> Problem | None:
    """Whether there are disjoint hands for all that is told."""
    groups: list[tuple[int, ...]] = []
    demands: list[Demand] = []
    for hand in hands:
        if hand.points is None or hand in zeros.empty or (hand.points == 0 and hand in zeros.open):
            continue
        groups.append((hand.seat,))
        if hand.tiles is not None:
            costs = tuple(tile_points(tile, rules) for tile in hand.tiles)
            demands.append(Demand(hand.points, len(costs), costs))
        else:
            demands.append(Demand(hand.points, 1 if hand in zeros.blank else hand.count))
    if zeros.both_open:
        groups.append(tuple(hand.seat for hand in zeros.both_open))
        demands.append(Demand(0, 1))
    answer = find_clash(stock.tiles, demands, budget)
    if answer.possible:
        return None
    if answer.possible is None:
        return Problem("not_searched", params={"hands": len(demands)})
    at_fault = {seat for position in answer.clash for seat in groups[position]}
    if zeros.one_out and any(hand.seat in at_fault and hand.count is None for hand in zeros.blank):
        at_fault |= {hand.seat for hand in zeros.all}  # it holds 0-0 because the other went out
    group = [hand for hand in hands if hand.seat in at_fault]
    points = {hand.points for hand in group}
    return about(
        "hands_clash",
        *(hand.seat for hand in group),
        points=points.pop() if len(points) == 1 else None,
        hands=tuple((hand.seat, hand.points, hand.count) for hand in group),
        tiles=_few_tiles(group, engine, rules),
    )


def _few_tiles(group: Sequence[Told], engine: int, rules: RuleSet) -> tuple[str, ...]:
    """The tiles that hands of this group can be made of, if they are few."""
    most = max(hand.points or 0 for hand in group)
    if rules.left_counts == "tiles" or any(hand.count not in (None, 1) for hand in group):
        return ()
    exact = all(hand.count == 1 for hand in group)
    worth = {hand.points for hand in group} if exact else set(range(1, most + 1))
    fitting = [
        str(tile)
        for tile in tiles_of(rules.max_pip)
        if not tile.low == tile.high == engine and tile_points(tile, rules) in (worth or {0})
    ]
    return tuple(fitting) if len(fitting) <= _FEW_TILES else ()
