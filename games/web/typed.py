"""Reads what was typed for one hand: a sum such as `10+15+8`, or the tiles left such as `8-5 9-9`.

Knows text. Must not judge: whether such a hand can be is the engine's to say.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from games.models import REASON_LENGTH
from games.names import one_line

LONGEST = 200
SUM = re.compile(r"[0-9]+(?:[ \t]*\+[ \t]*[0-9]+)*[ \t]*\+?")
TILES = re.compile(r"[0-9]+-[0-9]+(?:[ \t,+]+[0-9]+-[0-9]+)*")
MOST_POINTS = 99_999  # what is longer is a slip, and the column holds no more than it must


@dataclass(frozen=True, slots=True)
class Typed:
    """Points or tiles; neither for an empty field; `wrong` quotes text that is neither."""

    text: str = ""
    points: int | None = None
    tiles: tuple[str, ...] | None = None
    wrong: str = ""

    @property
    def blank(self) -> bool:
        return self.points is None and self.tiles is None and not self.wrong


def read_hand(text: str) -> Typed:
    """Blank is not 0: an empty field gives no points. A plus left at the end of a sum is forgiven.

    >>> read_hand("10+15+8").points
    33
    >>> read_hand("8-5 9-9").tiles
    ('8-5', '9-9')
    >>> read_hand("ten").wrong
    'ten'
    """
    text = text.strip().replace("\u2011", "-").replace("\u2013", "-")
    if not text:
        return Typed()
    if len(text) <= LONGEST:
        if SUM.fullmatch(text):
            points = sum(int(number) for number in re.findall("[0-9]+", text))
            if points <= MOST_POINTS:
                return Typed(text=text, points=points)
        elif TILES.fullmatch(text):
            return Typed(text=text, tiles=tuple(re.findall("[0-9]+-[0-9]+", text)))
    return Typed(text=text, wrong=text[:40])


def read_reason(text: str) -> str:
    """Why something was changed, in the table's own words: one line, without signs that cannot be kept."""
    return one_line(text)[:REASON_LENGTH]


def read_count(text: str) -> int | None:
    """A tile count; ValueError for what is not one. Blank: not told."""
    text = text.strip()
    if not text:
        return None
    if not re.fullmatch("[0-9]{1,3}", text):
        raise ValueError(text[:40])
    return int(text)
