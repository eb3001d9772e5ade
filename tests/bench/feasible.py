"""The joint check of a round's hands beside a general solver, CP-SAT, on the same rounds in the same run.

Double-12, eight players of whom one went out. Rounds are dealt at random and told in mixed ways: points,
points and tile count, tiles. Half of them are then changed so that they may not fit: near misses, equal small
hands, hands of few dear tiles. Each solver's time is all it needs from the claims to the answer; both must
agree on every round.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from statistics import median, quantiles
from time import perf_counter

from ortools.sat.python import cp_model

from games.engine.feasible import Demand, find_clash
from games.engine.hands import Stock, stock_for, tile_points
from games.engine.rules import RuleSet, rule_set
from games.engine.tiles import tiles_of

PLAYERS = 8
ROUNDS = 400
SEED = 12

Case = tuple[Mapping[int, int], list[Demand]]


def by_cp_sat(stock: Mapping[int, int], demands: Sequence[Demand]) -> bool:
    """One whole variable for each hand and cost: how many such tiles the hand holds."""
    left = dict(stock)
    for demand in demands:
        for cost in demand.costs or ():
            left[cost] -= 1
    if min(left.values()) < 0:
        return False
    model = cp_model.CpModel()
    hands = []
    for demand in (one for one in demands if one.costs is None):
        held = {cost: model.new_int_var(0, number, "") for cost, number in left.items()}
        model.add(sum(cost * number for cost, number in held.items()) == demand.points)
        if demand.count is not None:
            model.add(sum(held.values()) == demand.count)
        hands.append(held)
    for cost, number in left.items():
        model.add(sum(held[cost] for held in hands) <= number)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    status = solver.solve(model)
    assert status in (cp_model.OPTIMAL, cp_model.FEASIBLE, cp_model.INFEASIBLE)
    return bool(status != cp_model.INFEASIBLE)


def dealt(dice: random.Random, rules: RuleSet, engine: int) -> list[Demand]:
    """A round as it may end: hands of 1–11 tiles of a shuffled set."""
    tiles = [tile for tile in tiles_of(rules.max_pip) if not tile.low == tile.high == engine]
    dice.shuffle(tiles)
    demands = []
    for _ in range(PLAYERS - 1):
        held = [tiles.pop() for _ in range(dice.randint(1, 11))]
        costs = tuple(tile_points(tile, rules) for tile in held)
        if not sum(costs):
            demands.append(Demand(0, 1))
            continue
        told = dice.choice(("points", "points", "count", "tiles"))
        demands.append(
            Demand(
                sum(costs),
                None if told == "points" else len(costs),
                costs if told == "tiles" else None,
            )
        )
    return demands


def changed(dice: random.Random, demands: Sequence[Demand], stock: Stock) -> list[Demand]:
    """The same round with some hands told otherwise, each still possible by itself."""
    result = list(demands)
    kind = dice.choice(("miss", "small", "dear"))
    points = dice.randint(1, 8)
    for at in dice.sample(range(len(result)), dice.randint(2, len(result))):
        old = result[at]
        if kind == "miss":
            new = Demand(max(1, old.points + dice.randint(-4, 4)), old.count)
        elif kind == "small":
            new = Demand(max(1, points + dice.randint(-1, 1)), dice.choice((None, None, 1, 2)))
        else:
            count = dice.randint(1, 4)
            new = Demand((stock.most(count) or 0) - dice.randint(0, 4 * count), count)
        if stock.allows(new.points, new.count):
            result[at] = new
    return result


def cases(dice: random.Random) -> list[Case]:
    made: list[Case] = []
    for number in range(ROUNDS):
        rules = rule_set(double_blank=dice.choice((0, 25, 50)))
        engine = dice.randint(0, 12)
        stock = stock_for(rules, engine)
        demands = dealt(dice, rules, engine)
        made.append((stock.tiles, changed(dice, demands, stock) if number % 2 else demands))
    return made


def timed(judge: Callable[[Case], object], rounds: Sequence[Case]) -> tuple[list[object], list[float]]:
    """The answers, and the milliseconds of each."""
    answers, times = [], []
    for case in rounds:
        start = perf_counter()
        answers.append(judge(case))
        times.append(1000 * (perf_counter() - start))
    return answers, times


def main() -> None:
    rounds = cases(random.Random(SEED))
    ours, our_times = timed(lambda case: find_clash(*case).possible, rounds)
    theirs, their_times = timed(lambda case: by_cp_sat(*case), rounds)
    apart = [at for at, (one, other) in enumerate(zip(ours, theirs, strict=True)) if one is not other]
    possible = sum(one is True for one in theirs)
    print(f"joint claim check, {PLAYERS} players: {possible} rounds possible, {ROUNDS - possible} not")
    for name, times in (("ours", our_times), ("CP-SAT", their_times)):
        print(f"  {name:<7} p50 {median(times):7.2f} ms   p95 {quantiles(times, n=20)[-1]:7.2f} ms")
    print(f"  at the median {median(their_times) / median(our_times):.1f} times as fast as CP-SAT (aim: 10)")
    print(f"  they agree on every round: {'yes' if not apart else f'no, not on {apart}'}")
    if apart:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
