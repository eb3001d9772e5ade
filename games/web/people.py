"""The people of one game as pages show them: seat, name, and the letters on their marker.

Knows names and seats. Must not know scores.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from games.models import Player
from games.templatetags.tiles import marker_letters

LONG_WORD = 9  # letters in a word from which a name is set smaller
VERY_LONG_WORD = 12  # and from which the word may break


class Person(NamedTuple):
    """One player. `size`: the board's class for the name, by its longest word; "" if it is short."""

    seat: int
    name: str
    letters: str
    size: str = ""


def people(players: Iterable[Player]) -> dict[int, Person]:
    """By seat, in the order they sit."""
    sitting = tuple(players)
    by_seat = sorted(sitting, key=lambda player: player.seat)
    letters = dict(
        zip(
            (player.seat for player in by_seat),
            marker_letters([player.name for player in by_seat]),
            strict=True,
        )
    )
    return {
        player.seat: Person(player.seat, player.name, letters[player.seat], size_of(player.name))
        for player in sitting
    }


def size_of(name: str) -> str:
    longest = max((len(word) for word in name.replace("-", " ").split()), default=0)
    if longest >= VERY_LONG_WORD:
        return "long very-long"
    if longest > LONG_WORD:
        return f"long l{longest}"
    return "long" if longest == LONG_WORD else ""
