"""A club's records: the best and worst of all games, who holds them, and where.

Knows finished games. Must not know names. Who did equally well share a record. What may be held against what
is said in `person`: records of points are those of one measure, the others are over all games. Guests play
and hold none.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from games.engine.nights import Entry, counts
from games.engine.person import Measure, Played, Run, in_order, run

LEAST_NIGHTS = 3
LENGTHS = 3


class HighRound(NamedTuple):
    """One round of somebody that was the highest of its game."""

    key: int
    person: int
    number: int
    engine: int
    score: int


@dataclass(frozen=True, slots=True)
class Holder:
    """Who did it, and in which games: one, or the first and the last of a row; () where it is of all.

    `engine` of a round, `season` of an average, `nights` the first and the last of a row of evenings.
    """

    person: int
    games: tuple[int, ...] = ()
    engine: int | None = None
    season: int | None = None
    nights: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ClubRecord:
    """`rounds`: how long the games are that are compared, where that matters."""

    code: str
    value: Fraction | int
    holders: tuple[Holder, ...]
    rounds: int | None = None


Line = tuple[Played, Entry]
Value = Fraction | int


def club_records(
    games: Iterable[Played],
    *,
    measure: Measure,
    evenings: Iterable[int] = (),
    rounds: Iterable[HighRound] = (),
) -> tuple[ClubRecord, ...]:
    """All records in the order in which they are told; one that nobody holds is left out.

    "best_total" and "worst_total" of the lengths played most, "best_average" over a season (`season_least`),
    "high_round", "most_out" in a game, "wins_in_row", "wins", "nights", "nights_in_row". `evenings` as for
    `person.person`; `rounds` are the highest of each game.

    The average is that of whole games, penalties and bonuses included.
    """
    kept = [game for game in in_order(games) if counts(game.result)]
    lines = [
        (game, entry)
        for game in kept
        for entry in game.result.entries
        if not entry.guest and not entry.forfeit
    ]
    measured = [line for line in lines if line[0].measure == measure]
    of_measure = {(game.key, entry.person) for game, entry in measured}
    wins = sorted((entry.person, game.key) for game, entry in lines if game.place(entry) == 1)
    nights = sorted({(entry.person, game.result.night) for game, entry in lines})
    found = [
        *_totals(measured, measure),
        _best(
            "best_average",
            [(average, Holder(who, season=season)) for (who, season), average in _averages(measured).items()],
            max if measure.high_wins else min,
        ),
        _best(
            "high_round",
            [
                (one.score, Holder(one.person, (one.key,), engine=one.engine))
                for one in rounds
                if (one.key, one.person) in of_measure
            ],
        ),
        _best(
            "most_out",
            [
                (entry.zero_rounds, Holder(entry.person, (game.key,)))
                for game, entry in measured
                if entry.zero_rounds
            ],
        ),
        _best(
            "wins_in_row",
            [(one.longest, Holder(who, _ends(one))) for who, one in _winning(kept).items() if one.longest],
        ),
        _best("wins", [(number, Holder(who)) for who, number in Counter(who for who, _ in wins).items()]),
        _best("nights", [(number, Holder(who)) for who, number in Counter(who for who, _ in nights).items()]),
        _best(
            "nights_in_row",
            [
                (one.longest, Holder(who, nights=_ends(one)))
                for who, one in _attending(nights, evenings).items()
            ],
        ),
    ]
    return tuple(record for record in found if record is not None)


def season_least(nights: int) -> int:
    """The nights that a season's average needs: half of those there were, and three.

    >>> [season_least(nights) for nights in (2, 6, 7, 14)]
    [3, 3, 4, 7]
    """
    return max(LEAST_NIGHTS, (nights + 1) // 2)


def _best(
    code: str, found: Sequence[tuple[Value, Holder]], choose: Callable[[Iterable[Value]], Value] = max
) -> ClubRecord | None:
    """The best value and all who have it; none of nothing."""
    if not found:
        return None
    best = choose(value for value, _holder in found)
    return ClubRecord(code, best, tuple(holder for value, holder in found if value == best))


def _totals(lines: Sequence[Line], measure: Measure) -> list[ClubRecord]:
    """Best and worst totals of whole games, of the three lengths that were played most."""
    lengths: dict[int, list[Line]] = defaultdict(list)
    for game, entry in lines:
        if game.whole(entry):
            lengths[game.rounds].append((game, entry))
    often = sorted(lengths, key=lambda length: (len(lengths[length]), length), reverse=True)[:LENGTHS]
    records = []
    for code, choose in (("best_total", measure.better), ("worst_total", measure.worse)):
        for length in often:
            value = choose(entry.points for _game, entry in lengths[length])
            holders = tuple(
                Holder(entry.person, (game.key,)) for game, entry in lengths[length] if entry.points == value
            )
            records.append(ClubRecord(code, value, holders, length))
    return records


def _averages(lines: Sequence[Line]) -> dict[tuple[int, int], Fraction]:
    """By person and season, of whole games, for who was there on enough nights."""
    points: Counter[tuple[int, int]] = Counter()
    rounds: Counter[tuple[int, int]] = Counter()
    nights: dict[tuple[int, int], set[int]] = defaultdict(set)
    evenings: dict[int, set[int]] = defaultdict(set)
    for game, entry in lines:
        evenings[game.season].add(game.result.night)
        if game.whole(entry):
            of = entry.person, game.season
            points[of] += entry.points
            rounds[of] += entry.rounds
            nights[of].add(game.result.night)
    return {
        of: Fraction(points[of], rounds[of])
        for of, there in nights.items()
        if len(there) >= season_least(len(evenings[of[1]]))
    }


def _winning(games: Sequence[Played]) -> dict[int, Run[int]]:
    marks: dict[int, list[tuple[int, bool]]] = defaultdict(list)
    for game in games:
        for entry in game.result.entries:
            if not entry.guest:
                marks[entry.person].append((game.key, game.place(entry) == 1))
    return {who: run(some) for who, some in marks.items()}


def _attending(there: Iterable[tuple[int, int]], evenings: Iterable[int]) -> dict[int, Run[int]]:
    nights: dict[int, set[int]] = defaultdict(set)
    for who, night in there:
        nights[who].add(night)
    ordered = sorted(set(evenings) | {night for _who, night in there})
    return {who: run((night, night in mine) for night in ordered) for who, mine in nights.items()}


def _ends(one: Run[int]) -> tuple[int, ...]:
    """Where a row begins and ends, once where that is the same."""
    return tuple(dict.fromkeys(at for at in (one.first, one.last) if at is not None))
