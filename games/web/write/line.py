"""What a board says of the coming round while it is being written down.

Knows nothing of who may write: a board is for whoever watches.
"""

from __future__ import annotations

from typing import NamedTuple

from games import drafts
from games.selectors import Sheet


class Line(NamedTuple):
    """Of which round, and how many turns are written."""

    number: int
    turns: int


def line_of(sheet: Sheet, number: int | None) -> Line | None:
    """`number`: the coming round, if there is one. No query where nothing stirred the game."""
    if number is None or not sheet.game.stirred:
        return None
    draft = drafts.draft_of(sheet.game, number)
    return None if draft is None else Line(number, len(drafts.record_of(draft).turns))
