"""The common course of a turn: at most a double, then a draw, then one plain tile or a pass, and signs.

Knows the order of actions. Must not know a table: what the course comes to there is worked out in `stride`.
"""

from __future__ import annotations

from collections.abc import Iterable

from games.engine.moves import Action, Draw, Lay, Marker, Pass, Say
from games.engine.suits import BIT, DOUBLES

NONE = -1  # no tile, no double
UNSAID, OFF, ON = range(3)

# A double's number (or NONE), its bit and the train it went on, then the bit of a tile drawn, 0 for none.
Before = tuple[int, int, str, int]
# The last tile's number (NONE: a pass), its bit and its train; the marker (UNSAID, OFF, ON); and what came
# before the tile, or before the pass. Nothing did: None, never for a pass.
Course = tuple[int, int, str, int, Before | None]

_PLAIN = frozenset(number for number, bit in enumerate(BIT) if not bit & DOUBLES)


def course_of(actions: Iterable[Action]) -> Course | None:
    """What the actions come to; None if they take another course.

    >>> course_of([Lay(4, "A")]), course_of([Lay(2, "M"), Draw(7), Pass(), Marker(on=True)])
    ((4, 16, 'A', 0, None), (-1, 0, '', 2, (2, 4, 'M', 128)))
    >>> course_of([Lay(4, "A"), Lay(3, "A")])
    """
    double, where, tile = NONE, "", 0
    marker = UNSAID
    last: Lay | Pass | None = None
    for action in actions:
        if isinstance(action, Marker):
            if marker == (OFF if action.on else ON):
                return None
            marker = ON if action.on else OFF
        elif isinstance(action, Say):
            continue
        elif last is not None:
            return None
        elif isinstance(action, Pass) or (isinstance(action, Lay) and action.number in _PLAIN):
            last = action
        elif tile or action.number is None:
            return None
        elif isinstance(action, Draw):
            tile = 1 << action.number
        elif double == NONE:
            double, where = action.number, action.train
        else:
            return None
    if last is None:
        return None
    before = (double, 0 if double == NONE else 1 << double, where, tile)
    if isinstance(last, Pass):
        return NONE, 0, "", marker, before
    return last.number, BIT[last.number], last.train, marker, before if tile or double != NONE else None
