"""Why a move is refused: the first code that holds, in the order of notation.md.

Knows the order of the reasons; what a rule allows at a moment is worked out in `table`. Must not change a
table, or know the facts that a sentence about it needs: those are in `explain`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.engine.suits import BIT, OTHER

if TYPE_CHECKING:
    from games.engine.table import Table

# `Table.fresh`, the tile drawn by the last action of the turn: none was, or nobody saw it.
NOT_DRAWN = -2
HIDDEN = -1

# `Table.phase`, how far a turn has come: something must be done, may be done, nothing may any more; and that,
# without what had to be done.
OWES, FREE, OVER, FAILED = range(4)


def why_lay(table: Table, number: int, train: int) -> str | None:
    """Why the tile cannot be laid there now, as a code of notation.md; None if it can.

    >>> from games.engine.rules import rule_set
    >>> from games.engine.table import Table
    >>> table = Table(rule_set(max_pip=6), 6, start=0, known=[0, 0], unknown=[2, 2], yard=23)
    >>> why_lay(table, 21, 0), why_lay(table, 21, 2), why_lay(table, 20, 0), why_lay(table, 28, 0)
    (None, 'own_train_first', 'no_match', 'not_in_set')
    """
    player = table.player
    if table.phase >= OVER:
        return "turn_over"
    if not 0 <= number < table.size:
        return "not_in_set"
    if table.laid & BIT[number]:
        return "already_laid"
    if not table.known[player] & BIT[number] and not table.unknown[player]:
        return "not_in_hand"
    end = table.ends[train]
    new = OTHER[end][number]
    if new < 0:
        return "no_match"
    if not (table.twin if new == end else table.plain) >> train & 1:
        return _why_shut(table, train, twin=new == end)
    return None


def _why_shut(table: Table, train: int, *, twin: bool) -> str:
    if table.restricted and train != table.player:
        return "own_train_first"
    if train == table.players and not table.restricted and not table.reach() >> train & 1:
        return "mexican_not_yet"
    if twin and table.limit is not None and table.twins >= table.limit:
        return "one_double"
    if table.inherited:
        return "wrong_double" if train in table.open[: table.inherited] else "must_cover"
    if table.closing() and not twin and table.after_double != "cover":
        mine = table.open[table.inherited :]
        return "wrong_double" if train in mine else "must_cover"
    if table.closing() and table.after_double == "cover":
        return "cover_on_double"
    return "train_closed"


def why_closed(table: Table, train: int) -> str | None:
    """Why no tile that matches may go on the train now; None if one may, were it only a double.

    >>> from games.engine.rules import rule_set
    >>> from games.engine.table import Table
    >>> table = Table(rule_set(max_pip=6), 6, start=0, known=[0, 0], unknown=[2, 2], yard=23)
    >>> why_closed(table, 0), why_closed(table, 1)
    (None, 'own_train_first')
    """
    if table.phase >= OVER:
        return "turn_over"
    return None if (table.plain | table.twin) >> train & 1 else _why_shut(table, train, twin=False)


def why_draw(table: Table, number: int | None = None) -> str | None:
    """Why no tile, or not this one, can be drawn now; None if it can."""
    if table.phase != OWES:
        return "turn_over" if table.over else "no_draw"
    if not table.may_draw():
        return "no_draw"
    if not table.yard:
        return "yard_empty"
    hand = table.known[table.player]
    if hand and hand & table.fitting():
        return "must_play"
    if number is None:
        return None
    if number >= table.size:
        return "not_in_set"
    bit = BIT[number]
    if table.laid & bit:
        return "already_laid"
    return "not_in_hand" if hand & bit else None


def why_rest(table: Table) -> str | None:
    """Why the player cannot leave it at this; None if that is allowed."""
    if table.phase >= OVER:
        return "turn_over"
    if table.phase == FREE:
        return None
    hand = table.known[table.player]
    fits = hand and hand & table.fitting()
    if fits:
        if table.fresh < 0 or fits & ~BIT[table.fresh]:
            return "must_follow_double" if table.twins else "must_play"
        if table.must:
            return "must_play_drawn"
    if table.fresh == NOT_DRAWN and table.yard and table.may_draw():
        return "must_draw"
    return None
