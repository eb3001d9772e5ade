"""A season's table once more, deliberately plain: each person apart, each pair compared.

For tests only. It reads the games as the engine does and returns (place, value) by person.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from games.engine.nights import Entry, Member, SeasonGame
from games.engine.scheme import Scheme

Found = dict[int, tuple[int | None, Fraction | None]]


def live(game: SeasonGame) -> bool:
    return not game.void and any(not entry.forfeit for entry in game.entries)


def worst(some: list[tuple[int, int, int]], scheme: Scheme) -> tuple[int, int, int]:
    """One point worse than the worst of (points, games, rounds), by what the scheme measures."""

    def size(one: tuple[int, int, int]) -> Fraction:
        points, games, rounds = one
        by = {"per_game": games, "per_round": rounds}.get(scheme.measure, 1)
        return Fraction(points, by)

    low = scheme.high_wins
    sizes = [size(one) for one in some]
    extreme = min(sizes) if low else max(sizes)
    points, games, rounds = max(
        (one for one in some if size(one) == extreme), key=lambda one: (one[2], one[1], one[0])
    )
    return points + (-1 if low else 1), games, rounds


def tally(game: SeasonGame, entry: Entry, scheme: Scheme) -> tuple[int, int, int]:
    """Points, games and rounds of one person in one game."""
    if not entry.forfeit:
        return entry.points, 1, entry.rounds
    return worst([(one.points, 1, one.rounds) for one in game.entries if not one.forfeit], scheme)


def reward(game: SeasonGame, entry: Entry, scheme: Scheme) -> Fraction | None:
    """Placement points of one game; None where nobody whose place counts was there to be beaten."""
    table = [one for one in game.entries if scheme.guests_hold_places or not one.guest]
    others = [one for one in table if one is not entry]
    if not others:
        return None
    if entry.forfeit:
        return Fraction(0)
    ahead = [one for one in others if not one.forfeit and one.place < entry.place]
    level = [one for one in others if not one.forfeit and one.place == entry.place]
    if scheme.places is None:
        beaten = len(others) - len(ahead) - len(level)
        return (Fraction(beaten) + Fraction(len(level), 2)) / len(others)
    padded = [*scheme.places, *[scheme.places[-1]] * len(table)]
    shared = padded[len(ahead) : len(ahead) + len(level) + 1]
    return Fraction(sum(shared), len(shared))


class Person:
    """All that the naive table knows of one person."""

    def __init__(self, member: Member, games: Sequence[SeasonGame], scheme: Scheme) -> None:
        self.member, self.scheme = member, scheme
        self.mine = [
            (game, entry)
            for game in games
            for entry in game.entries
            if entry.person == member.person and not entry.guest
        ]
        self.live = [(game, entry) for game, entry in self.mine if live(game)]
        self.truly = [(game, entry) for game, entry in self.live if not entry.forfeit]
        self.nights: dict[int, tuple[Fraction | None, tuple[int, int, int]]] = {}
        for night in sorted({game.night for game, _ in self.live}):
            self.nights[night] = self.worth(night)
        self.attended = {game.night for game, _ in self.truly}

    def sums(self, night: int) -> tuple[int, int, int]:
        some = [tally(game, entry, self.scheme) for game, entry in self.live if game.night == night]
        return sum(one[0] for one in some), sum(one[1] for one in some), sum(one[2] for one in some)

    def worth(self, night: int) -> tuple[Fraction | None, tuple[int, int, int]]:
        sums = points, games, rounds = self.sums(night)
        if self.scheme.by_place:
            some = [reward(game, entry, self.scheme) for game, entry in self.live if game.night == night]
            got = [one for one in some if one is not None]
            if not got:
                return None, sums
            total = sum(got, Fraction(0))
            return (total if self.scheme.measure == "placement" else total / len(got)), sums
        if self.scheme.measure == "points":
            return Fraction(points), sums
        by = games if self.scheme.measure == "per_game" else rounds
        return (Fraction(points, by) if by else None), sums


def absences(people: list[Person], games: Sequence[SeasonGame], scheme: Scheme) -> None:
    """Write down what the nights that somebody missed are worth to them."""
    for person in people:
        met = {game.night for game, _ in person.mine}
        member = person.member
        for night in sorted({game.night for game in games if live(game)} - met):
            if member.left is not None and night > member.left:
                continue
            if scheme.late == "from_joining" and member.joined is not None and night < member.joined:
                continue
            if scheme.absence == "worst_plus_one":
                person.nights[night] = missed(night, people, games, scheme)
            elif scheme.absence == "own_average" and scheme.measure not in {"per_game", "per_round"}:
                own = [value for at, (value, _) in person.nights.items() if value is not None and at >= 0]
                if own:
                    person.nights[-night] = sum(own, Fraction(0)) / len(own), (0, 0, 0)


def missed(
    night: int, people: list[Person], games: Sequence[SeasonGame], scheme: Scheme
) -> tuple[Fraction | None, tuple[int, int, int]]:
    if scheme.by_place:
        return Fraction(0), (0, 0, 0)
    there = [one.sums(night) for one in people if night in one.attended]
    if not there:
        there = [
            (entry.points, 1, entry.rounds)
            for game in games
            if game.night == night and live(game)
            for entry in game.entries
            if not entry.forfeit
        ]
    sums = points, count, rounds = worst(there, scheme)
    if scheme.measure == "points":
        return Fraction(points), sums
    by = count if scheme.measure == "per_game" else rounds
    return (Fraction(points, by) if by else None), sums


def season_value(person: Person, scheme: Scheme) -> Fraction | None:
    good = -1 if scheme.by_place or scheme.high_wins else 1
    some = [(value, sums, abs(at)) for at, (value, sums) in person.nights.items() if value is not None]
    some.sort(key=lambda one: (good * one[0], one[2]))
    kept = some if scheme.best is None else some[: scheme.best]
    if not kept:
        return None
    if scheme.measure in {"points", "placement"}:
        return sum((value for value, _, _ in kept), Fraction(0))
    if scheme.measure == "placement_average":
        return sum((value for value, _, _ in kept), Fraction(0)) / len(kept)
    at = 1 if scheme.measure == "per_game" else 2
    return Fraction(sum(sums[0] for _, sums, _ in kept), sum(sums[at] for _, sums, _ in kept))


def tiebreak(code: str, person: Person, level: list[Person], scheme: Scheme) -> Fraction | int | None:
    """The greater is ahead; None is behind all."""
    truly = person.truly
    counting = [
        (game, entry, [one for one in game.entries if scheme.guests_hold_places or not one.guest])
        for game, entry in truly
    ]
    contests = [(game, entry, table) for game, entry, table in counting if len(table) > 1]
    if code == "head_to_head":
        return head_to_head(person, level)
    if code == "wins":
        return sum(
            all(other.forfeit or entry.place <= other.place for other in table)
            for _, entry, table in contests
        )
    if code == "zero_rounds":
        return sum(entry.zero_rounds for _, entry in truly)
    if code == "lowest_nonzero":
        known = [entry.lowest_nonzero for _, entry in truly if entry.lowest_nonzero is not None]
        return -min(known) if known else None
    if code == "beaten":
        plain = Scheme(measure="placement", guests_hold_places=scheme.guests_hold_places)
        shares = [reward(game, entry, plain) for game, entry, _ in contests]
        return sum((one or Fraction(0) for one in shares), Fraction(0)) / len(shares) if shares else None
    if code == "points":
        points = sum(person.sums(night)[0] for night in person.attended)
        return points if scheme.high_wins else -points
    if code == "best_night":
        good = 1 if scheme.by_place or scheme.high_wins else -1
        nights = [good * value for at in person.attended if (value := person.nights[at][0]) is not None]
        return max(nights, default=None)
    return len(person.attended)


def head_to_head(person: Person, level: list[Person]) -> Fraction | None:
    won = times = Fraction(0)
    for one in level:
        for other in level:
            if one is other:
                continue
            met = [(mine, theirs) for game, mine in one.live for again, theirs in other.live if game is again]
            if not met:
                return None
            if one is person:
                for mine, theirs in met:
                    times += 1
                    if mine.forfeit and theirs.forfeit:
                        won += Fraction(1, 2)
                    elif theirs.forfeit or (not mine.forfeit and mine.place < theirs.place):
                        won += 1
                    elif not mine.forfeit and mine.place == theirs.place:
                        won += Fraction(1, 2)
    return won / times if times else None


def naive_table(games: Sequence[SeasonGame], members: Sequence[Member], scheme: Scheme) -> Found:
    """(place, value) of each member; no place where too few nights were attended, or none counts."""
    people = [Person(member, games, scheme) for member in members]
    absences(people, games, scheme)
    values = {id(one): season_value(one, scheme) for one in people}
    placed = [
        one for one in people if values[id(one)] is not None and len(one.attended) >= scheme.least_nights
    ]
    good = 1 if scheme.by_place or scheme.high_wins else -1

    def ahead(one: Person, other: Person) -> bool:
        mine, theirs = values[id(one)], values[id(other)]
        assert mine is not None
        assert theirs is not None
        if mine != theirs:
            return good * mine > good * theirs
        level = [some for some in placed if values[id(some)] == mine]
        for code in scheme.tiebreaks:
            found = {id(some): tiebreak(code, some, level, scheme) for some in level}
            first, second = found[id(one)], found[id(other)]
            if first != second:
                return second is None or (first is not None and first > second)
            level = [some for some in level if found[id(some)] == first]
        return False

    return {
        one.member.person: (
            1 + sum(ahead(other, one) for other in placed if other is not one) if one in placed else None,
            values[id(one)],
        )
        for one in people
    }
