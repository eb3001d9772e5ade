"""What people talk about after a game: the race, who led when, the dear engines, the round that decided it.

Knows plain results and which way the rules count. Must not know names, sentences or drawings: every fact is
a value, and defined where it is worked out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from games.engine.standings import PlayerResult, Row

# Penalties and bonuses, by seat and by the number of the round after which they were given (0: before all).
Apart = Mapping[int, Mapping[int, int]]
NO_ONE: Apart = {}


@dataclass(frozen=True, slots=True)
class Line:
    """One player's running total: `totals[n]` after round n, `totals[0]` at the start; None: not there."""

    seat: int
    totals: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class Lead:
    """A stretch of rounds after each of which the same people were in front, alone or level."""

    seats: tuple[int, ...]
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class EngineCost:
    """What the round of one engine left at the table: the scores' sum, and how many hands that was."""

    number: int
    engine: int
    total: int
    hands: int

    @property
    def each(self) -> Fraction:
        return Fraction(self.total, self.hands)


@dataclass(frozen=True, slots=True)
class Best:
    """One player's best and worst score of a round, and the rounds it was made in."""

    seat: int
    best: int
    best_rounds: tuple[int, ...]
    worst: int
    worst_rounds: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Swing:
    """The round in which `gainers` gained `points` on `losers`."""

    number: int
    points: int
    gainers: tuple[int, ...]
    losers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Decided:
    """How the first place was decided: `code` is "round", "start", "tiebreak" or "shared".

    "round": `number` is the round after which the winner was never caught; "start" the same where that is
    the first round. In the other cases no round decided it.
    """

    code: str
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Talk:
    lines: tuple[Line, ...]
    leads: tuple[Lead, ...]
    dearest: tuple[EngineCost, ...]
    cheapest: tuple[EngineCost, ...]
    bests: tuple[Best, ...]
    swing: Swing | None
    decided: Decided | None


def talk(
    results: Sequence[PlayerResult],
    table: Sequence[Row],
    engines: Mapping[int, int],
    *,
    positive: bool,
    apart: Apart = NO_ONE,
) -> Talk:
    """Everything at once, of the rounds in `engines` (round number → engine), numbered from 1 without gaps.

    `table` is the standing as `standings.game_table` makes it; `positive`: most points win; `apart`: what
    was added to totals besides the rounds.
    """
    lines = race(results, len(engines), apart)
    dearest, cheapest = engine_costs(results, engines)
    return Talk(
        lines=lines,
        leads=leads(lines, positive=positive),
        dearest=dearest,
        cheapest=cheapest,
        bests=bests(results, positive=positive),
        swing=swing(results, positive=positive),
        decided=decided(lines, table, positive=positive),
    )


def race(results: Iterable[PlayerResult], rounds: int, apart: Apart = NO_ONE) -> tuple[Line, ...]:
    """The running totals after rounds 0 to `rounds`, penalties and bonuses counted from when they were given.

    A line begins in the round before the player's first one, at `start_total`, and stops with the last round
    played. Who has not played a round yet has no line.

    >>> from games.engine.standings import RoundResult
    >>> late = PlayerResult(2, (RoundResult(2, 9, 9, False),), start_total=30)
    >>> [line.totals for line in race([late], 3)]
    [(None, 30, 39, None)]
    """
    lines = []
    for one in results:
        scores = {result.number: result.score for result in one.rounds}
        if not scores:
            continue
        totals: list[int | None] = [None] * (rounds + 1)
        given = apart.get(one.seat, {})
        first = min(scores)
        total = one.start_total + sum(given[number] for number in given if number < first)
        totals[first - 1] = total
        for number in range(first, max(scores) + 1):
            total += scores.get(number, 0) + given.get(number, 0)
            totals[number] = total
        lines.append(Line(one.seat, tuple(totals)))
    return tuple(lines)


def in_front(lines: Iterable[Line], number: int, *, positive: bool) -> tuple[int, ...]:
    """Who is in front after round `number`: the best total of those who are in; level, all of them.

    Tie-breaks count at the end of a game only, so they part nobody here.
    """
    there = [(line.seat, total) for line in lines if (total := line.totals[number]) is not None]
    if not there:
        return ()
    best = (max if positive else min)(total for _seat, total in there)
    return tuple(seat for seat, total in there if total == best)


def leads(lines: Sequence[Line], *, positive: bool) -> tuple[Lead, ...]:
    """Who led when, as stretches of rounds, from round 1 on.

    >>> ann, ben = Line(1, (0, 5, 5, 40)), Line(2, (0, 9, 5, 9))
    >>> [(lead.seats, lead.first, lead.last) for lead in leads([ann, ben], positive=False)]
    [((1,), 1, 1), ((1, 2), 2, 2), ((2,), 3, 3)]
    """
    found: list[Lead] = []
    rounds = len(lines[0].totals) if lines else 1
    for number in range(1, rounds):
        seats = in_front(lines, number, positive=positive)
        if found and found[-1].seats == seats:
            found[-1] = Lead(seats, found[-1].first, number)
        else:
            found.append(Lead(seats, number, number))
    return tuple(found)


def engine_costs(
    results: Sequence[PlayerResult], engines: Mapping[int, int]
) -> tuple[tuple[EngineCost, ...], tuple[EngineCost, ...]]:
    """The dearest and the cheapest engine: the rounds with the highest and the lowest score a hand.

    Rounds of the same cost are all named; if every round cost the same, there is neither.

    >>> from games.engine.standings import RoundResult
    >>> ann = PlayerResult(1, (RoundResult(1, 0, 0, True), RoundResult(2, 8, 8, False)))
    >>> dearest, cheapest = engine_costs([ann], {1: 12, 2: 11})
    >>> dearest[0].engine, cheapest[0].engine
    (11, 12)
    """
    scores: dict[int, list[int]] = {number: [] for number in engines}
    for one in results:
        for result in one.rounds:
            scores[result.number].append(result.score)
    costs = [
        EngineCost(number, engines[number], sum(found), len(found))
        for number, found in sorted(scores.items())
        if found
    ]
    if not costs:
        return (), ()
    most, least = max(cost.each for cost in costs), min(cost.each for cost in costs)
    if most == least:
        return (), ()
    return (
        tuple(cost for cost in costs if cost.each == most),
        tuple(cost for cost in costs if cost.each == least),
    )


def bests(results: Iterable[PlayerResult], *, positive: bool) -> tuple[Best, ...]:
    """Each player's best and worst score of one round: the lowest is best, under positive scoring the
    highest. The rounds are all those with that score.
    """
    found = []
    for one in results:
        scores = [(result.score, result.number) for result in one.rounds]
        if not scores:
            continue
        low, high = min(scores)[0], max(scores)[0]
        best, worst = (high, low) if positive else (low, high)
        found.append(
            Best(
                one.seat,
                best,
                tuple(number for score, number in scores if score == best),
                worst,
                tuple(number for score, number in scores if score == worst),
            )
        )
    return tuple(found)


def swing(results: Sequence[PlayerResult], *, positive: bool) -> Swing | None:
    """The biggest swing: the round with the largest difference between two scores, the first such round.

    By that much somebody gained on somebody else within one round. None if no round parted anybody.

    >>> from games.engine.standings import RoundResult
    >>> ann = PlayerResult(1, (RoundResult(1, 0, 0, True), RoundResult(2, 8, 8, False)))
    >>> ben = PlayerResult(2, (RoundResult(1, 5, 5, False), RoundResult(2, 0, 0, True)))
    >>> swing([ann, ben], positive=False)
    Swing(number=2, points=8, gainers=(2,), losers=(1,))
    """
    rounds: dict[int, dict[int, int]] = {}
    for one in results:
        for result in one.rounds:
            rounds.setdefault(result.number, {})[one.seat] = result.score
    found: Swing | None = None
    for number, scores in sorted(rounds.items()):
        low, high = min(scores.values()), max(scores.values())
        if high > low and (found is None or high - low > found.points):
            lowest = tuple(seat for seat, score in scores.items() if score == low)
            highest = tuple(seat for seat, score in scores.items() if score == high)
            gainers, losers = (highest, lowest) if positive else (lowest, highest)
            found = Swing(number, high - low, gainers, losers)
    return found


def decided(lines: Sequence[Line], table: Sequence[Row], *, positive: bool) -> Decided | None:
    """The round that decided the first place: the one after which the winner was never caught.

    That is the first round after which, and after every later one, the winner's total was strictly better
    than that of everybody who was in. No round decided it where the first place is shared or a tie-break
    gave it. None without rounds, and where something besides the rounds decided.

    >>> ann, ben = Line(1, (0, 5, 5, 9)), Line(2, (0, 2, 5, 40))
    >>> decided([ann, ben], [Row(1, 9, 1, 0, 4, None), Row(2, 40, 2, 0, 2, "total")], positive=False)
    Decided(code='round', number=3)
    """
    rounds = max((len(line.totals) for line in lines), default=1) - 1
    first = [row for row in table if row.place == 1]
    if not rounds or not first:
        return None
    if len(first) > 1:
        return Decided("shared")
    winner = first[0].seat
    number = rounds + 1
    while number > 1 and in_front(lines, number - 1, positive=positive) == (winner,):
        number -= 1
    if number > rounds:
        level = len(table) > 1 and table[1].total == first[0].total
        return Decided("tiebreak") if level else None
    return Decided("start" if number == 1 else "round", number)
