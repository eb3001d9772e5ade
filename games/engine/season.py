"""A season's table from plain results by a named scheme, and why each row stands where it does.

Knows values, places and the scheme's tie-breaks. Must not know names, clubs or how a game's places came
about: `standings` made them, and `nights` what each is worth. Rounding is for those who show a value.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby

from games.engine.nights import Member, NightResult, Record, SeasonGame, behind, counts, key, records, total
from games.engine.scheme import TIEBREAKS, Scheme

Value = Fraction | int | None


@dataclass(frozen=True, slots=True)
class Criterion:
    """One thing a row was ranked by: first the "value", then tie-breaks as far as they were needed."""

    code: str
    value: Value


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonRow:
    """A row of the table. `place` is None while somebody has too few nights, or none that counts.

    `nights`, `games`, `rounds`, `points`: of the nights played, without those void or forfeited whole.
    `decided_by`: what parts it from the row above: "value", a tie-break, "shared", "attendance"; None first.
    """

    person: int
    place: int | None
    value: Fraction | None
    nights: int
    games: int
    rounds: int
    points: int
    decided_by: str | None
    criteria: tuple[Criterion, ...]
    results: tuple[NightResult, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Why one row stands above another: the criteria both were ranked by, the last of them deciding.

    `code` is that criterion's, "shared" if none parts them, "attendance" if only one has enough nights.
    """

    code: str
    criteria: tuple[tuple[str, Value, Value], ...]


@dataclass(frozen=True, slots=True)
class Shift:
    """Somebody's place now, and if a result in doubt fell the other way; None: no place."""

    person: int
    place: int | None
    other: int | None


def season_table(
    games: Iterable[SeasonGame], *, members: Iterable[Member], scheme: Scheme
) -> tuple[SeasonRow, ...]:
    """The season's table, best first; who has no place yet stands below all who have one.

    The order of `games` does not matter. Equals in everything share their place (1-2-2-4), by person's
    number. Raises nothing: what a scheme may be is `check_scheme`'s to say.

    >>> from games.engine.nights import Entry
    >>> def game(key, *totals):
    ...     rows = sorted(totals)
    ...     return SeasonGame(key=key, night=key, entries=tuple(
    ...         Entry(person=who, points=total, rounds=13, place=1 + rows.index(total))
    ...         for who, total in enumerate(totals, start=1)))
    >>> rows = season_table([game(1, 300, 250, 410), game(2, 200, 320, 210)],
    ...     members=map(Member, (1, 2, 3)), scheme=Scheme())
    >>> [(row.person, int(row.value), row.place) for row in rows]
    [(1, 500, 1), (2, 570, 2), (3, 620, 3)]
    """
    kept = tuple(games)
    return _rows(records(kept, members, scheme), scheme, kept)


def compare_rows(above: SeasonRow, below: SeasonRow) -> Comparison:
    """Why `above` stands before `below`, for any two rows of one table."""
    if (above.place is None) != (below.place is None):
        return Comparison("attendance", (("nights", above.nights, below.nights),))
    lines = []
    for one, other in zip(above.criteria, below.criteria, strict=False):
        lines.append((one.code, one.value, other.value))
        if one.value != other.value:
            return Comparison(one.code, tuple(lines))
    return Comparison("shared", tuple(lines))


def shifts(now: Sequence[SeasonRow], other: Sequence[SeasonRow]) -> tuple[Shift, ...]:
    """Who would stand elsewhere in the `other` table, in the order of the table as it is."""
    places = {row.person: row.place for row in other}
    return tuple(
        Shift(row.person, row.place, places[row.person]) for row in now if row.place != places[row.person]
    )


def _season_value(person: Record, scheme: Scheme) -> Fraction | None:
    counted = [one for one in person.results if one.counted and one.value is not None]
    values = [one.value for one in counted if one.value is not None]
    if not values:
        return None
    match scheme.measure:
        case "points" | "placement":
            return total(values)
        case "per_game":
            return Fraction(sum(one.points for one in counted), sum(one.games for one in counted))
        case "per_round":
            return Fraction(sum(one.points for one in counted), sum(one.rounds for one in counted))
        case _:
            return total(values) / len(values)


def _meetings(games: Sequence[SeasonGame], people: Container[int]) -> dict[tuple[int, int], tuple[int, int]]:
    """For each two of `people` who met: the halves won by the first of them, and how often they met."""
    met: dict[tuple[int, int], tuple[int, int]] = {}
    for game in games:
        table = [one for one in game.entries if one.person in people and not one.guest]
        if len(table) < 2 or not counts(game):
            continue
        for one in table:
            for other in table:
                if one.person != other.person:
                    halves, times = met.get((one.person, other.person), (0, 0))
                    ahead = (behind(one) < behind(other)) * 2 + (behind(one) == behind(other))
                    met[one.person, other.person] = halves + ahead, times + 1
    return met


def _rows(people: Sequence[Record], scheme: Scheme, games: Sequence[SeasonGame]) -> tuple[SeasonRow, ...]:
    values = {id(person): _season_value(person, scheme) for person in people}
    placed = [one for one in people if values[id(one)] is not None and len(one.played) >= scheme.least_nights]
    waiting = [one for one in people if one not in placed]
    rows: list[SeasonRow] = []
    for group in (placed, waiting):
        has_place = group is placed
        for person, criteria in _ranked(group, scheme, games, values):
            row = _row(person, values[id(person)], criteria)
            if rows:
                code = compare_rows(rows[-1], replace(row, place=1 if has_place else None)).code
                place = rows[-1].place if code == "shared" else len(rows) + 1
                row = replace(row, place=place if has_place else None, decided_by=code)
            else:
                row = replace(row, place=1 if has_place else None)
            rows.append(row)
    return tuple(rows)


def _row(person: Record, value: Fraction | None, criteria: tuple[Criterion, ...]) -> SeasonRow:
    return SeasonRow(
        person=person.member.person,
        place=None,
        value=value,
        nights=len(person.played),
        games=sum(one.games for one in person.played),
        rounds=sum(one.rounds for one in person.played),
        points=sum(one.points for one in person.played),
        decided_by=None,
        criteria=criteria,
        results=tuple(person.results),
    )


def _ranked(
    group: Sequence[Record],
    scheme: Scheme,
    games: Sequence[SeasonGame],
    values: Mapping[int, Fraction | None],
) -> list[tuple[Record, tuple[Criterion, ...]]]:
    """The group in order, each with what it was ranked by; a criterion is asked of those still level only."""

    def part(
        level: Sequence[Record], codes: Sequence[str], so_far: Mapping[int, tuple[Criterion, ...]]
    ) -> list[tuple[Record, tuple[Criterion, ...]]]:
        if (len(level) < 2 and so_far[id(level[0])]) or not codes:
            ordered = sorted(level, key=lambda one: one.member.person)
            return [(one, so_far[id(one)]) for one in ordered]
        code, rest = codes[0], codes[1:]
        if code == "value":
            found: dict[int, Value] = dict(values)
        else:
            found = _tiebreak(code, level, scheme, games)
        paths = {id(one): (*so_far[id(one)], Criterion(code, found[id(one)])) for one in level}
        ordered = sorted(level, key=lambda one: _criterion_key(code, found[id(one)], scheme))
        return [
            ranked
            for _, equals in groupby(ordered, key=lambda one: _criterion_key(code, found[id(one)], scheme))
            for ranked in part(list(equals), rest, paths)
        ]

    if not group:
        return []
    return part(group, ("value", *scheme.tiebreaks), {id(one): () for one in group})


def _criterion_key(code: str, value: Value, scheme: Scheme) -> tuple[bool, Fraction | int]:
    """A sort key: the smaller is ahead; nobody without a value is ahead of somebody with one."""
    if value is None:
        return True, 0
    way = "own" if code == "value" else TIEBREAKS[code]
    if code == "points":
        more = scheme.high_wins
    else:
        more = way == "more" or (way == "own" and scheme.high_is_good)
    return False, -value if more else value


def _tiebreak(
    code: str, level: Sequence[Record], scheme: Scheme, games: Sequence[SeasonGame]
) -> dict[int, Value]:
    """What a tie-break finds for each of those level, by id; None for who has nothing to show."""
    if code == "head_to_head":
        return _head_to_head(level, games)

    def of(person: Record) -> Value:
        match code:
            case "wins":
                return person.wins
            case "zero_rounds":
                return person.zero_rounds
            case "lowest_nonzero":
                return person.lowest_nonzero
            case "beaten":
                return total(person.shares) / len(person.shares) if person.shares else None
            case "points":
                return sum(one.points for one in person.played)
            case "best_night":
                nights = [one.value for one in person.played if one.value is not None]
                return min(nights, key=lambda value: key(value, scheme), default=None)
            case _:
                return len(person.played)

    return {id(person): of(person) for person in level}


def _head_to_head(level: Sequence[Record], games: Sequence[SeasonGame]) -> dict[int, Value]:
    """The share of meetings among those level that each won; nothing for all, unless each met each."""
    numbers = [one.member.person for one in level]
    meetings = _meetings(games, set(numbers))
    if any((one, other) not in meetings for one in numbers for other in numbers if one != other):
        return {id(person): None for person in level}
    found: dict[int, Value] = {}
    for person, number in zip(level, numbers, strict=True):
        against = [meetings[number, other] for other in numbers if other != number]
        found[id(person)] = Fraction(sum(won for won, _ in against), 2 * sum(met for _, met in against))
    return found
