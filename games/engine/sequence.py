"""Which double is the engine of which round.

Knows the order of the engines (G16, W2, A3) and `any_unused`, by which burned doubles may be passed over.
Must not know hands or scores. Rounds are numbered from 1; `used` are engines already played.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.engine.errors import Problem
from games.engine.rules import RuleSet


def engines(rules: RuleSet, first_engine: int, rounds: int, used: Sequence[int] = ()) -> tuple[int, ...]:
    """The engine of each round of a game of `rounds` rounds that begins with `first_engine` (G16, A3).

    Under `any_unused`: those used so far, in that order, then the rest from the highest down.

    >>> from games.engine.rules import rule_set
    >>> engines(rule_set(), 12, 4)
    (12, 11, 10, 9)
    >>> engines(rule_set(engine_order="any_unused"), 6, 5, used=[6, 3])
    (6, 3, 5, 4, 2)
    """
    down = range(first_engine, -1, -1)
    if rules.engine_order == "descending":
        return tuple(down)[:rounds]
    return (*used, *(pip for pip in down if pip not in used))[:rounds]


def next_engine(rules: RuleSet, first_engine: int, rounds: int, used: Sequence[int]) -> int | None:
    """The engine of the round after those in `used`; None once all rounds are played.

    >>> from games.engine.rules import rule_set
    >>> next_engine(rule_set(), 12, 13, [12, 11]), next_engine(rule_set(), 12, 2, [12, 11])
    (10, None)
    """
    order = engines(rules, first_engine, rounds, used)
    return order[len(used)] if len(used) < len(order) else None


def check_engine(
    rules: RuleSet, first_engine: int, *, number: int, given: int, used: Mapping[int, int]
) -> Problem | None:
    """Whether round `number` may have the engine `given`; `used` maps the other rounds to theirs (G16, W2,
    A3).

    The problem is `engine_order`: params `given`, `expected` (None: no double is left) and `played_in`, the
    round that had `given` already, or None.

    >>> from games.engine.rules import rule_set
    >>> problem = check_engine(rule_set(), 12, number=3, given=12, used={1: 12, 2: 11})
    >>> problem.code, problem.params
    ('engine_order', {'given': 12, 'expected': 10, 'played_in': 1})
    """
    others = {engine: at for at, engine in used.items() if at != number}
    if rules.engine_order == "descending":
        allowed = {first_engine - number + 1} & set(range(first_engine + 1))
    else:
        allowed = set(range(first_engine + 1)) - set(others)
    if given in allowed:
        return None
    params = {"given": given, "expected": max(allowed, default=None), "played_in": others.get(given)}
    return Problem("engine_order", field="engine", params=params)
