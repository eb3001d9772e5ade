"""What one person did in a club's games: places, averages, runs, best and worst.

Knows finished games and which way they count. Must not know names, clubs or how a season is scored. Nothing
is rounded here.

What may be held against what: places, games won and opponents beaten mean the same in every game and are
counted over all of them. Points do not: see `Measure`. An average a round is taken over all games of one
measure, however long; a game's total is held against totals of as many rounds only, and only if the person
played them all, since who joins late is given points and who leaves early is spared some. Penalties and
bonuses are part of a game's total and of no round.

What counts: a game that is void, or forfeited by all, counts for nobody. Whoever forfeits was not there: the
game ends a row of games won, and is otherwise no game of theirs. Guests are opponents at the table, so a
place is the one in the game, guests included. A game in doubt counts as it stands.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Generic, NamedTuple, TypeVar

from games.engine.nights import Entry, SeasonGame, beaten_share, behind, counts
from games.engine.rules import RuleSet

Where = TypeVar("Where")


@dataclass(frozen=True, slots=True)
class Measure:
    """What a point is. Points of two games are held against each other only if all of this is equal.

    The set decides how dear a tile can be, `scoring` which way is good, `left_counts` whether pips or tiles
    are counted, and the others what some tiles and moves cost.
    """

    max_pip: int = 12
    scoring: str = "penalty"
    left_counts: str = "pips"
    double_blank: int = 50
    blank_half: int = 0
    doubles_twice: bool = False
    out_bonus: int = 0
    blocked_cap: bool = False
    open_marker: int = 0

    @property
    def high_wins(self) -> bool:
        return self.scoring == "positive"

    def better(self, points: Iterable[int]) -> int:
        """The best of some points: the lowest, or where most points win the highest."""
        return (max if self.high_wins else min)(points)

    def worse(self, points: Iterable[int]) -> int:
        return (min if self.high_wins else max)(points)


MEASURED = tuple(field.name for field in fields(Measure))


def measure_of(rules: RuleSet) -> Measure:
    return Measure(*(getattr(rules, name) for name in MEASURED))


class Score(NamedTuple):
    """One round of the person: `score` is what counts; `out`: nothing was left in the hand."""

    number: int
    engine: int
    score: int
    out: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """A game as it is counted for people: its `result` as a season has it, and how many `rounds` it had.

    `scores` are the rounds of the person it is about, by number; empty where only totals are asked for.
    """

    result: SeasonGame
    measure: Measure
    rounds: int
    season: int = 0
    scores: tuple[Score, ...] = ()

    @property
    def key(self) -> int:
        return self.result.key

    def entry(self, person: int) -> Entry | None:
        """The person's line, guests having none."""
        return next((one for one in self.result.entries if one.person == person and not one.guest), None)

    def place(self, entry: Entry) -> int:
        """The place in this game; whoever forfeits is behind all who did not."""
        return 1 + sum(behind(other) < behind(entry) for other in self.result.entries)

    def whole(self, entry: Entry) -> bool:
        """Whether the total is that of every round of the game."""
        return not entry.forfeit and entry.rounds == self.rounds > 0


@dataclass(frozen=True, slots=True)
class Run(Generic[Where]):
    """The longest row of the same thing, from `first` to `last` (of equally long ones the newest).

    `now`: how long the row is that has not ended; 0 if the last one was otherwise.
    """

    longest: int = 0
    first: Where | None = None
    last: Where | None = None
    now: int = 0


def run(marks: Iterable[tuple[Where, bool]]) -> Run[Where]:
    """The longest and the present row of marks that are set.

    >>> run([("a", True), ("b", True), ("c", False), ("d", True)])
    Run(longest=2, first='a', last='b', now=1)
    >>> run([("a", True), ("b", False), ("c", True)]).first
    'c'
    """
    found: Run[Where] = Run()
    first, now = None, 0
    for where, is_set in marks:
        now = now + 1 if is_set else 0
        first = where if now == 1 else first
        if now and now >= found.longest:
            found = Run(now, first, where)
    return Run(found.longest, found.first, found.last, now)


@dataclass(frozen=True, slots=True)
class EngineAverage:
    """All rounds of one engine: how many, their points in all, and in how many the person went out."""

    engine: int
    rounds: int
    points: int
    out: int

    @property
    def each(self) -> Fraction:
        return Fraction(self.points, self.rounds)


@dataclass(frozen=True, slots=True)
class Length:
    """Whole games of as many rounds: the best and the worst total, and the games that brought it."""

    rounds: int
    games: int
    points: int
    best: int
    best_in: tuple[int, ...]
    worst: int
    worst_in: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Mark:
    """A round's score, and every (game, engine) that brought it."""

    score: int
    where: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Step:
    """One game: its points in so many rounds, and the average a round of all games up to it."""

    key: int
    rounds: int
    points: int
    so_far: Fraction

    @property
    def each(self) -> Fraction:
        return Fraction(self.points, self.rounds)


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """What can be held against each other: the games of one measure.

    `best_round` is the best without going out (where most points win: the best of all), `worst_round` is
    None where most points win, as every round that somebody else won is 0 there.
    """

    measure: Measure
    games: int
    engines: tuple[EngineAverage, ...]
    lengths: tuple[Length, ...]
    best_round: Mark | None
    worst_round: Mark | None
    course: tuple[Step, ...]

    @property
    def average(self) -> Fraction | None:
        return self.course[-1].so_far if self.course else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """`places`: (place, games) from the first on. `beaten`: the share of opponents beaten, level ones half.

    `won` runs over games, `went_out` over rounds as (game, round), `attended` over the club's evenings.
    """

    games: int
    nights: int
    forfeits: int
    places: tuple[tuple[int, int], ...]
    beaten: Fraction | None
    rounds: int
    out: int
    won: Run[int]
    went_out: Run[tuple[int, int]]
    attended: Run[int]
    figures: tuple[Figures, ...]

    @property
    def wins(self) -> int:
        """Games won, shared first places among them."""
        return dict(self.places).get(1, 0)


def person(number: int, games: Iterable[Played], evenings: Iterable[int]) -> Person:
    """All figures of one person from any games; `evenings` are the nights on which anything counted.

    The order of the games does not matter: they are taken by night, and within a night by key.
    """
    mine = [
        (game, entry)
        for game in in_order(games)
        if counts(game.result) and (entry := game.entry(number)) is not None
    ]
    there = [(game, entry) for game, entry in mine if not entry.forfeit]
    shares = [
        share for game, entry in there if (share := beaten_share(entry, game.result.entries)) is not None
    ]
    nights = {game.result.night for game, _entry in there}
    rounds = [(game, score) for game, _entry in there for score in game.scores]
    return Person(
        games=len(there),
        nights=len(nights),
        forfeits=len(mine) - len(there),
        places=tuple(sorted(Counter(game.place(entry) for game, entry in there).items())),
        beaten=sum(shares, Fraction(0)) / len(shares) if shares else None,
        rounds=len(rounds),
        out=sum(score.out for _game, score in rounds),
        won=run((game.key, game.place(entry) == 1) for game, entry in mine),
        went_out=run(((game.key, score.number), score.out) for game, score in rounds),
        attended=run((night, night in nights) for night in sorted(set(evenings) | nights)),
        figures=tuple(
            _figures(measure, [(game, entry) for game, entry in there if game.measure == measure])
            for measure in measures(game for game, _entry in there)
        ),
    )


def in_order(games: Iterable[Played]) -> list[Played]:
    return sorted(games, key=lambda game: (game.result.night, game.key))


def measures(games: Iterable[Played]) -> tuple[Measure, ...]:
    """What was measured, most games first; of equally many what was played last."""
    number: Counter[Measure] = Counter()
    newest: dict[Measure, tuple[int, int]] = {}
    for game in games:
        number[game.measure] += 1
        at = game.result.night, game.key
        newest[game.measure] = max(at, newest.get(game.measure, at))
    return tuple(sorted(number, key=lambda one: (number[one], newest[one]), reverse=True))


def _figures(measure: Measure, mine: Sequence[tuple[Played, Entry]]) -> Figures:
    scores = [(game, score) for game, _entry in mine for score in game.scores]
    not_out = [(game, score) for game, score in scores if measure.high_wins or not score.out]
    return Figures(
        measure=measure,
        games=len(mine),
        engines=_engines([score for _game, score in scores]),
        lengths=_lengths(measure, mine),
        best_round=_mark(not_out, measure.better(score.score for _game, score in not_out))
        if not_out
        else None,
        worst_round=_mark(scores, measure.worse(score.score for _game, score in scores))
        if scores and not measure.high_wins
        else None,
        course=_course([game for game, _entry in mine if game.scores]),
    )


def _engines(scores: Sequence[Score]) -> tuple[EngineAverage, ...]:
    """From the highest double down, as the rounds go."""
    found: dict[int, list[Score]] = {}
    for score in scores:
        found.setdefault(score.engine, []).append(score)
    return tuple(
        EngineAverage(engine, len(some), sum(one.score for one in some), sum(one.out for one in some))
        for engine, some in sorted(found.items(), reverse=True)
    )


def _lengths(measure: Measure, mine: Sequence[tuple[Played, Entry]]) -> tuple[Length, ...]:
    """The most played length first, of equally often played ones the longest."""
    found: dict[int, list[tuple[int, int]]] = {}
    for game, entry in mine:
        if game.whole(entry):
            found.setdefault(game.rounds, []).append((entry.points, game.key))
    lengths = []
    for rounds, totals in found.items():
        best = measure.better(points for points, _key in totals)
        worst = measure.worse(points for points, _key in totals)
        lengths.append(
            Length(
                rounds,
                len(totals),
                sum(points for points, _key in totals),
                best,
                tuple(key for points, key in totals if points == best),
                worst,
                tuple(key for points, key in totals if points == worst),
            )
        )
    return tuple(sorted(lengths, key=lambda one: (one.games, one.rounds), reverse=True))


def _mark(scores: Sequence[tuple[Played, Score]], value: int) -> Mark:
    where = tuple((game.key, score.engine) for game, score in scores if score.score == value)
    return Mark(value, where)


def _course(games: Sequence[Played]) -> tuple[Step, ...]:
    steps = []
    points = rounds = 0
    for game in games:
        brought = sum(score.score for score in game.scores)
        points, rounds = points + brought, rounds + len(game.scores)
        steps.append(Step(game.key, len(game.scores), brought, Fraction(points, rounds)))
    return tuple(steps)
