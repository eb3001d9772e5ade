"""The people of the tests: Friday at Ruth's, and short ways to seat them and to play rounds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.engine.rules import rule_set
from games.engine.scoring import HandClaim, RoundClaim
from games.models import Game
from games.services import NEXT_ENGINE, Setup, Started, game_start, round_put

FRIDAY = ("Ruth", "Ben", "Chitra", "Wilhelmina", "Ann")
FOURTEEN = (
    "Ruth",
    "Ben",
    "Chitra",
    "Wilhelmina",
    "Ann",
    "Graham",
    "Dolores",
    "José María",
    "Kwame",
    "Priya",
    "Big Ben",
    "Margaret-Rose",
    "Old Tom",
    "Siobhán",
)


def start(names: Sequence[str] = FRIDAY, *, preset: str = "thoughtco", **more: Any) -> Started:
    """A new game; `more` are fields of Setup (rounds, first_engine, name …) or of the rule card."""
    setup = {
        field: more.pop(field)
        for field in ("first_engine", "rounds", "name", "played_on", "second_person")
        if field in more
    }
    return game_start(setup=Setup(players=names, rules=rule_set(preset, **more), **setup))


def claim(
    points: Sequence[int | None], *, engine: int = NEXT_ENGINE, ended: str = "out", **more: Any
) -> RoundClaim:
    """What the seats 1, 2, … had left, in order; None: nothing said of that seat."""
    hands = tuple(
        HandClaim(seat=seat, points=value, **more)
        for seat, value in enumerate(points, start=1)
        if value is not None
    )
    return RoundClaim(engine=engine, ended=ended, hands=hands)  # type: ignore[arg-type]


def play(game: Game, *rounds: Sequence[int], **more: Any) -> None:
    """Enter rounds one after the other, each as the points of the seats 1, 2, …"""
    for points in rounds:
        number = game.rounds.count() + 1
        ended = "out" if 0 in points else "blocked"
        round_put(game=game, number=number, claim=claim(points, ended=ended), **more)
    game.refresh_from_db()
