"""Two people in the games that both played: who placed better how often, and by how many points.

Knows finished games. Must not know names. What may be held against what is said in `person`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from games.engine.nights import Entry, behind, counts
from games.engine.person import Measure, Played, in_order, measures


@dataclass(frozen=True, slots=True)
class Met:
    """One game of both. `ahead`: 1 if the first of the two placed better, −1 if the other did, 0 level.

    `by`: the points by which the first was better, below zero worse; None unless both played every round.
    """

    game: Played
    mine: Entry
    theirs: Entry
    ahead: int
    by: int | None


@dataclass(frozen=True, slots=True)
class Difference:
    """All games of one measure in which both played every round: by how many points the first was better."""

    measure: Measure
    games: int
    points: int


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """The games of both in their order."""

    met: tuple[Met, ...]
    differences: tuple[Difference, ...]

    @property
    def better(self) -> int:
        return sum(one.ahead > 0 for one in self.met)

    @property
    def worse(self) -> int:
        return sum(one.ahead < 0 for one in self.met)

    @property
    def level(self) -> int:
        return sum(one.ahead == 0 for one in self.met)


def head_to_head(games: Iterable[Played], one: int, other: int) -> HeadToHead:
    """Whatever the first of the two has, the other has the opposite; a game that one forfeits, the other won.

    >>> from games.engine.nights import SeasonGame
    >>> lines = [Entry(person=1, points=40, rounds=2, place=1), Entry(person=2, points=65, rounds=2, place=2)]
    >>> game = Played(result=SeasonGame(key=1, night=1, entries=tuple(lines)), measure=Measure(), rounds=2)
    >>> [(met.ahead, met.by) for met in head_to_head([game], 2, 1).met]
    [(-1, -25)]
    """
    met = []
    for game in in_order(games):
        mine, theirs = game.entry(one), game.entry(other)
        if counts(game.result) and mine is not None and theirs is not None:
            ahead = (behind(mine) < behind(theirs)) - (behind(theirs) < behind(mine))
            met.append(Met(game, mine, theirs, ahead, _by(game, mine, theirs)))
    return HeadToHead(
        tuple(met),
        tuple(
            Difference(measure, len(some), sum(some))
            for measure in measures(found.game for found in met)
            if (some := [one.by for one in met if one.game.measure == measure and one.by is not None])
        ),
    )


def _by(game: Played, mine: Entry, theirs: Entry) -> int | None:
    if not (game.whole(mine) and game.whole(theirs)):
        return None
    lower = theirs.points - mine.points
    return -lower if game.measure.high_wins else lower
