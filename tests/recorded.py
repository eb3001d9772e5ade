"""A small table whose first round was written down move by move: Ruth went out, Ben has 40 left."""

from __future__ import annotations

from typing import Any

from games.models import Game
from tests.cast import play, start

RECORD = """rules: gamerules double_blank=25
set: 6
players: A=Ruth, B=Ben
deal: 2
engine: 6-6
hand A: 6-1 2-1
hand B: 3-3 0-0
1. A 6-1>A !
2. B +5-4 - ^
3. A 1-2>A
out: A
"""
HIDDEN = RECORD.replace("hand B: 3-3 0-0\n", "").replace("+5-4", "+")
BROKEN = RECORD.replace("3. A 1-2>A", "3. A 1-2>M")
UNFINISHED = RECORD[: RECORD.index("3. A")]


def recorded(points: tuple[int, int] | None = (0, 38), **more: Any) -> Game:
    """The game of that table, with its first round as `points`."""
    rules: dict[str, Any] = {"preset": "gamerules", "max_pip": 6, "deal": 2, "double_blank": 25}
    game = start(["Ruth", "Ben"], **rules | more).sheet.game
    if points:
        play(game, points)
    return game
