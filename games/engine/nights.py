"""What each night of a season is worth to each person, by a named scheme.

Knows games, forfeits, guests, absences, void nights and which nights are dropped. Must not know the order of
the table: `season` ranks. All values are whole numbers or exact fractions.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import groupby
from typing import Literal, NamedTuple

from games.engine.scheme import Scheme

Kind = Literal["played", "absent", "forfeit", "void"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One person's result in one game: `points` is the game's total, `place` as in its table (1-2-2-4).

    `zero_rounds` and `lowest_nonzero` as in `standings.Row`. A `guest` plays and does not count. Who
    `forfeit`s a game is behind all at that table, with one point more than the worst of them.
    """

    person: int
    points: int
    rounds: int
    place: int
    zero_rounds: int = 0
    lowest_nonzero: int | None = None
    guest: bool = False
    forfeit: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonGame:
    """One game of a season: `night` numbers the club's evenings in order of their dates.

    A `void` game is kept and counts for nobody; a `pending` one counts as it stands, and may yet fall the
    other way.
    """

    key: int
    night: int
    entries: tuple[Entry, ...]
    void: bool = False
    pending: bool = False


@dataclass(frozen=True, slots=True)
class Member:
    """Who can be placed. Nights before `joined` or after `left` are not theirs; None: all are."""

    person: int
    joined: int | None = None
    left: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NightResult:
    """What one night is worth to one person; `value` in the scheme's measure, None where it counts nothing.

    `counted` is False for a void night, a blank absence, and a night dropped because others were better.
    """

    night: int
    kind: Kind
    value: Fraction | None
    counted: bool
    pending: bool = False
    points: int = 0
    games: int = 0
    rounds: int = 0


@dataclass(slots=True)
class Record:
    """What a person did, while it is being added up."""

    member: Member
    results: list[NightResult] = field(default_factory=list)
    zero_rounds: int = 0
    lowest_nonzero: int | None = None
    wins: int = 0
    shares: list[Fraction] = field(default_factory=list)  # of opponents beaten, game by game

    @property
    def played(self) -> list[NightResult]:
        return [one for one in self.results if one.kind == "played"]


def records(games: Iterable[SeasonGame], members: Iterable[Member], scheme: Scheme) -> tuple[Record, ...]:
    """What each member did and what each night is worth to them, in the members' order."""
    people = {member.person: Record(member) for member in members}
    kept = sorted(games, key=lambda game: (game.night, game.key))
    for night, some in groupby(kept, key=lambda game: game.night):
        _add_night(night, list(some), people, scheme)
    for person in people.values():
        _count(person, scheme)
    return tuple(people.values())


Behind = tuple[bool, int]


def beaten_share(entry: Entry, table: Iterable[Entry]) -> Fraction | None:
    """The share of opponents somebody beat, level ones half; None without an opponent.

    Whoever forfeits beats nobody and is beaten by all who did not. `table` are those whose places count,
    `entry` among them.

    >>> three = [Entry(person=at, points=0, rounds=1, place=place) for at, place in ((1, 1), (2, 2), (3, 2))]
    >>> [str(beaten_share(entry, three)) for entry in three]
    ['1', '1/4', '1/4']
    """
    return _share(entry, sorted(map(behind, table)))


def _share(entry: Entry, table: Sequence[Behind]) -> Fraction | None:
    """The same by the places that count, in order."""
    if len(table) < 2:
        return None
    if entry.forfeit:
        return Fraction(0)
    mine = behind(entry)
    ahead, there = bisect_left(table, mine), bisect_right(table, mine)
    halves = 2 * (len(table) - there) + there - ahead - 1
    return Fraction(halves, 2 * (len(table) - 1))


def behind(entry: Entry) -> Behind:
    """A sort key of a game's places; forfeits are all equal and last."""
    return entry.forfeit, 0 if entry.forfeit else entry.place


def counts(game: SeasonGame) -> bool:
    """Whether anything was played: not void, and not forfeited by all."""
    return not game.void and any(not one.forfeit for one in game.entries)


def _add_night(night: int, games: Sequence[SeasonGame], people: Mapping[int, Record], scheme: Scheme) -> None:
    live = [game for game in games if counts(game)]
    tables = {game.key: _table(game, scheme) for game in live}
    played: dict[int, list[tuple[SeasonGame, Entry]]] = defaultdict(list)
    for game in games:
        for entry in game.entries:
            if not entry.guest:
                played[entry.person].append((game, entry))
    missing: list[Record] = []
    for person in people.values():
        mine = played.get(person.member.person, [])
        counting = [(game, entry, tables[game.key]) for game, entry in mine if game.key in tables]
        if counting:
            person.results.append(_night_played(night, counting, person, scheme))
        elif mine:
            person.results.append(NightResult(night=night, kind="void", value=None, counted=False))
        elif not _is_theirs(night, person.member, scheme):
            continue
        elif live:
            missing.append(person)
        else:
            person.results.append(NightResult(night=night, kind="void", value=None, counted=False))
    if missing:
        missed = _night_missed(night, live, people.values(), scheme)
        for person in missing:
            person.results.append(missed)


def _is_theirs(night: int, member: Member, scheme: Scheme) -> bool:
    if member.left is not None and night > member.left:
        return False
    return scheme.late == "as_absent" or member.joined is None or night >= member.joined


def _night_played(
    night: int, mine: Sequence[tuple[SeasonGame, Entry, Sequence[Behind]]], person: Record, scheme: Scheme
) -> NightResult:
    points = rounds = games = 0
    worth: list[Fraction] = []
    forfeits = 0
    for game, entry, table in mine:
        share = _share(entry, table)
        if entry.forfeit:
            forfeits += 1
            lost = _one_worse([_tally(one) for one in game.entries if not one.forfeit], scheme)
            points += lost.points
            rounds += lost.rounds
        else:
            points += entry.points
            rounds += entry.rounds
            _note(person, entry, table, share)
        games += 1
        if share is not None:
            worth.append(_placement(entry, table, share, scheme))
    value = _value(points, games, rounds, worth, scheme)
    return NightResult(
        night=night,
        kind="forfeit" if forfeits == len(mine) else "played",
        value=value,
        counted=value is not None,
        pending=any(game.pending for game, _, _ in mine),
        points=points,
        games=games,
        rounds=rounds,
    )


def _note(person: Record, entry: Entry, table: Sequence[Behind], share: Fraction | None) -> None:
    """What tie-breaks look at: rounds out, the lowest other round, wins, opponents beaten."""
    person.zero_rounds += entry.zero_rounds
    if entry.lowest_nonzero is not None:
        person.lowest_nonzero = min(entry.lowest_nonzero, person.lowest_nonzero or entry.lowest_nonzero)
    if share is not None:
        person.wins += behind(entry) == table[0]
        person.shares.append(share)


def _table(game: SeasonGame, scheme: Scheme) -> list[Behind]:
    """A game's places that are places, in order."""
    return sorted(behind(entry) for entry in game.entries if scheme.guests_hold_places or not entry.guest)


def _placement(entry: Entry, table: Sequence[Behind], share: Fraction, scheme: Scheme) -> Fraction:
    """Placement points: by the scheme's list, those of shared places divided; else the share beaten."""
    if scheme.places is None:
        return share
    if entry.forfeit:
        return Fraction(0)
    first = bisect_left(table, behind(entry))
    level = bisect_right(table, behind(entry)) - first
    last = len(scheme.places) - 1
    return Fraction(sum(scheme.places[min(at, last)] for at in range(first, first + level)), level)


def _value(
    points: int, games: int, rounds: int, worth: Sequence[Fraction], scheme: Scheme
) -> Fraction | None:
    match scheme.measure:
        case "points":
            return Fraction(points)
        case "per_game":
            return Fraction(points, games)
        case "per_round":
            return Fraction(points, rounds) if rounds else None
        case "placement":
            return sum(worth, Fraction(0)) if worth else None
        case _:
            return sum(worth, Fraction(0)) / len(worth) if worth else None


def _night_missed(
    night: int, games: Sequence[SeasonGame], people: Iterable[Record], scheme: Scheme
) -> NightResult:
    """An absence; what the own average is, is known at the end only (`_count`).

    The worst of a night is the member who did worst on it in all, not the worst of one table.
    """
    missed = NightResult(night=night, kind="absent", value=None, counted=False)
    if scheme.absence != "worst_plus_one":
        return missed
    if scheme.by_place:
        return replace(missed, value=Fraction(0), counted=True)
    there = [
        Tally(one.points, one.games, one.rounds)
        for person in people
        for one in person.results[-1:]
        if one.night == night and one.kind == "played"
    ]
    guests = [_tally(one) for game in games for one in game.entries if not one.forfeit]
    worst = _one_worse(there or guests, scheme)
    value = _value(worst.points, worst.games, worst.rounds, (), scheme)
    return replace(
        missed,
        value=value,
        counted=value is not None,
        points=worst.points,
        games=worst.games,
        rounds=worst.rounds,
    )


class Tally(NamedTuple):
    """Points, games and rounds of somebody, in one game or on one night."""

    points: int
    games: int
    rounds: int


def _tally(entry: Entry) -> Tally:
    return Tally(entry.points, 1, entry.rounds)


def _one_worse(tallies: Sequence[Tally], scheme: Scheme) -> Tally:
    """One point worse than the worst by what the scheme measures; of several, than who played most."""

    def badness(tally: Tally) -> tuple[Fraction, int, int, int]:
        by = {"per_game": tally.games, "per_round": tally.rounds}.get(scheme.measure, 1)
        share = Fraction(tally.points, by) if by else Fraction(0)
        return -share if scheme.high_wins else share, tally.rounds, tally.games, tally.points

    worst = max(tallies, key=badness)
    return worst._replace(points=worst.points + (-1 if scheme.high_wins else 1))


def _count(person: Record, scheme: Scheme) -> None:
    """Fill own averages in, then keep the best nights only."""
    played = [one.value for one in person.results if one.kind != "absent" and one.value is not None]
    if scheme.absence == "own_average" and played and scheme.measure not in {"per_game", "per_round"}:
        own = total(played) / len(played)
        person.results = [
            replace(one, value=own, counted=True) if one.kind == "absent" else one for one in person.results
        ]
    values = {one.night: one.value for one in person.results if one.counted and one.value is not None}
    if scheme.best is not None and len(values) > scheme.best:
        best_first = sorted(values, key=lambda night: (key(values[night], scheme), night))
        kept = set(best_first[: scheme.best])
        person.results = [
            replace(one, counted=False) if one.counted and one.night not in kept else one
            for one in person.results
        ]


def key(value: Fraction, scheme: Scheme) -> Fraction | int:
    """A sort key of a value in the scheme's measure: the smaller is ahead. Whole numbers compare faster."""
    plain = value.numerator if value.denominator == 1 else value
    return -plain if scheme.high_is_good else plain


def total(values: Sequence[Fraction]) -> Fraction:
    """The sum of values, which are whole numbers more often than not."""
    if all(value.denominator == 1 for value in values):
        return Fraction(sum(value.numerator for value in values))
    return sum(values, Fraction(0))
