"""The game that every measurement asks for: eight players, thirteen rounds."""

from __future__ import annotations

from games.services import Started
from tests.cast import FOURTEEN, play, start


def large_game() -> Started:
    started = start(FOURTEEN[:8])
    for number in range(13):
        points = [(7 * seat + 5 * number) % 61 + 3 for seat in range(8)]
        points[number % 8] = 0
        play(started.sheet.game, points)
    return started
