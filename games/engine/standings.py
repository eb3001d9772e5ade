"""A game's table from plain results, and why each row stands where it does.

Knows totals, places and the tie-breaks in force. Must not know names, or how a round's scores came about:
`scoring` made them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from games.engine.rules import RuleSet
from games.engine.tiebreaks import in_force

Relation = Literal["less", "equal", "more"]
Start = Literal["zero", "average", "highest"]


@dataclass(frozen=True, slots=True)
class RoundResult:
    """One player's round: `points` left in the hand, the `score` that counts, whether `out`."""

    number: int
    points: int
    score: int
    out: bool


@dataclass(frozen=True, slots=True)
class PlayerResult:
    """A player's rounds. `start_total` is what a late-comer began with; a retired one ranks last.

    `adjustments` are signed penalties and bonuses: they count in the total and are no rounds.
    """

    seat: int
    rounds: tuple[RoundResult, ...]
    start_total: int = 0
    retired: bool = False
    adjustments: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the table. Places are 1-2-2-4; `decided_by` is what parts it from the row above.

    `decided_by` is "total", a tie-break's code or "shared"; None in the first row; "retired" where only
    having left the game puts a row below the one above.
    """

    seat: int
    total: int
    place: int
    zero_rounds: int
    lowest_nonzero: int | None
    decided_by: str | None
    retired: bool = False


@dataclass(frozen=True, slots=True)
class Criterion:
    """One line of a comparison: both values, how the first relates to the second, whether it decides."""

    code: str
    rule: str
    above: int | None
    below: int | None
    relation: Relation
    decides: bool


@dataclass(frozen=True, slots=True)
class Reason:
    """Why one row stands above another: `code` as `Row.decided_by`, and every criterion in order."""

    code: str
    above: int
    below: int
    criteria: tuple[Criterion, ...]


@dataclass(frozen=True, slots=True)
class _Record:
    seat: int
    total: int
    zero_rounds: int
    lowest_nonzero: int | None
    retired: bool


def game_table(results: Iterable[PlayerResult], *, rules: RuleSet) -> tuple[Row, ...]:
    """The table, best first: by total, then by the tie-breaks in force, equal places by seat (A13).

    The lowest total is ahead, under positive scoring the highest. Players who are equal in everything
    share their place.

    >>> from games.engine.rules import rule_set
    >>> def player(seat, *points):
    ...     rounds = (RoundResult(at, left, left, left == 0) for at, left in enumerate(points, 1))
    ...     return PlayerResult(seat, tuple(rounds))
    >>> rows = game_table([player(1, 0, 12, 30), player(2, 25, 0, 17)], rules=rule_set())
    >>> [(row.seat, row.total, row.place, row.decided_by) for row in rows]
    [(1, 42, 1, None), (2, 42, 2, 'lowest_nonzero')]
    """
    ranked = sorted(map(_record, results), key=lambda one: (_rank(one, rules), one.seat))
    rows: list[Row] = []
    for position, record in enumerate(ranked, start=1):
        row = Row(
            record.seat,
            record.total,
            position,
            record.zero_rounds,
            record.lowest_nonzero,
            None,
            record.retired,
        )
        if rows:
            code = compare(rows[-1], row, rules).code
            place = rows[-1].place if code == "shared" else position
            row = Row(row.seat, row.total, place, row.zero_rounds, row.lowest_nonzero, code, row.retired)
        rows.append(row)
    return tuple(rows)


def compare(above: Row, below: Row, rules: RuleSet) -> Reason:
    """Why `above` stands before `below`, criterion by criterion; the rows may be any two of a table.

    `Reason.code` is the first criterion that parts them, "shared" if none does, "retired" if the table
    puts `below` last only because that player left.

    >>> from games.engine.rules import rule_set
    >>> reason = compare(Row(1, 42, 1, 1, 12, None), Row(2, 42, 2, 1, 17, None), rule_set())
    >>> reason.code, [(one.code, one.above, one.below, one.relation) for one in reason.criteria][1:]
    ('lowest_nonzero', [('zero_rounds', 1, 1, 'equal'), ('lowest_nonzero', 12, 17, 'less')])
    """
    lines: list[tuple[str, str, int | None, int | None, bool]] = [
        ("total", "A13", above.total, below.total, _total_key(above, rules) < _total_key(below, rules))
    ]
    for tiebreak in in_force(rules):
        ahead = tiebreak.key(above) < tiebreak.key(below)
        lines.append((tiebreak.code, tiebreak.rule, tiebreak.value(above), tiebreak.value(below), ahead))
    first = next((line for line in lines if line[2] != line[3]), None)
    apart = above.retired != below.retired
    if first is None:
        code = "retired" if apart else "shared"
    else:
        code = "retired" if apart and not first[4] else first[0]
    criteria = tuple(
        Criterion(name, rule, one, other, _relation(one, other), decides=name == code)
        for name, rule, one, other, _ in lines
    )
    return Reason(code, above.seat, below.seat, criteria)


def start_total(totals: Sequence[int], start: Start) -> int:
    """What somebody who joins late begins with: nothing, or what those at the table have.

    The average is rounded half up, also below zero.

    >>> start_total([100, 75, 84], "average"), start_total([100, 75, 84], "highest")
    (86, 100)
    >>> start_total([1, 2], "average"), start_total([-1, -2], "average")
    (2, -1)
    """
    if not totals or start == "zero":
        return 0
    if start == "highest":
        return max(totals)
    return (2 * sum(totals) + len(totals)) // (2 * len(totals))


def _record(result: PlayerResult) -> _Record:
    return _Record(
        seat=result.seat,
        total=result.start_total + sum(one.score for one in result.rounds) + sum(result.adjustments),
        zero_rounds=sum(one.out or one.points == 0 for one in result.rounds),
        lowest_nonzero=min((one.points for one in result.rounds if one.points > 0), default=None),
        retired=result.retired,
    )


def _rank(record: _Record, rules: RuleSet) -> tuple[object, ...]:
    keys = (tiebreak.key(record) for tiebreak in in_force(rules))
    return record.retired, _total_key(record, rules), *keys


def _total_key(record: _Record | Row, rules: RuleSet) -> int:
    return -record.total if rules.scoring == "positive" else record.total


def _relation(one: int | None, other: int | None) -> Relation:
    if one == other:
        return "equal"
    if one is None or other is None:
        return "more" if one is None else "less"
    return "less" if one < other else "more"
