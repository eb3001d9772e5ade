"""The table at any moment of a record whose moves are legal so far.

Knows how a line of play moves the table. Must not judge: who wants to know whether the moves are legal asks
`replay`.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain

from games.engine.moves import MEXICAN, Action, Draw, Lay, Marker, Pass
from games.engine.record import Record, Turn, closed
from games.engine.round import Laid, RoundState
from games.engine.stride import stride
from games.engine.suits import DOUBLE, OTHER, numbers
from games.engine.table import Table


def table_of(record: Record) -> Table:
    """The table before the first turn. The layer, if there is one, has laid the engine."""
    known = []
    unknown = []
    engine = DOUBLE[record.engine]
    layer = None if record.set_aside else record.layer
    for player, hand, more in zip(record.players, record.hands, record.seek, strict=True):
        laid = player == layer
        if hand is None:
            known.append(0)
            unknown.append(record.deal + more - laid)
        else:
            known.append(hand & ~engine)
            unknown.append(0)
    return Table(
        record.rules,
        record.engine,
        start=record.players.index(record.start),
        known=known,
        unknown=unknown,
        yard=record.yard,
    )


def step(table: Table, trains: Mapping[str, int], action: Action) -> str | None:
    """Do one action; the code of why not, if it is refused. Signs move nothing."""
    if isinstance(action, Lay):
        train = trains.get(action.train)
        return "unknown_player" if train is None else table.lay(action.number, train)
    if isinstance(action, Draw):
        return table.draw(action.number)
    return table.rest() if isinstance(action, Pass) else None


def _end(table: Table, turn: Turn) -> None:
    if table.owes:
        table.rest()
    table.end_turn(table.rules.marker_off == "optional" and Marker(on=True) in turn.actions)


def trains_of(record: Record) -> dict[str, int]:
    """The place of each train at the table: its player's, the Mexican Train last."""
    return dict(zip((*record.players, MEXICAN), range(len(record.players) + 1), strict=True))


def with_passes(record: Record) -> tuple[Turn, ...]:
    """The turns with the pass that a line leaves out where its player still owes something.

    After a draw, and where nothing was laid, it is always owed; after a double the table tells. What comes
    after a breach of the rules is left as it is.
    """
    table, trains = table_of(record), trains_of(record)
    turns = list(record.turns)
    at = 0
    while (at := stride(table, turns, at, trains, [])) < len(turns):
        turn = turns[at]
        if table.ended or trains.get(turn.player) != table.player:
            break
        if any(step(table, trains, action) is not None for action in turn.actions):
            break
        if table.owes:
            turns[at] = closed(turn)
            if table.rest() is not None:
                break
        _end(table, turn)
        at += 1
    return tuple(turns)


def table_after(record: Record, turns: int, actions: int = 0) -> Table:
    """The table after the first `turns` turns and the first `actions` of the next; they must be legal.

    >>> from games.engine.reading import parse_record
    >>> text = "set: 6\\nplayers: A, B\\ndeal: 4\\nengine: 6-6 A\\n1. A 6-3 3-2\\n2. B -"
    >>> record = parse_record(text)
    >>> table_after(record, 1).ends, table_after(record, 0, 1).ends
    ([2, 6, 6], [3, 6, 6])
    """
    table, trains = table_of(record), trains_of(record)
    for turn in record.turns[:turns]:
        for action in turn.actions:
            step(table, trains, action)
        _end(table, turn)
    if actions:
        for action in record.turns[turns].actions[:actions]:
            step(table, trains, action)
    return table


def state_after(record: Record, turns: int, actions: int = 0) -> RoundState:
    """The same as a value that may be shown, with the tiles of each train in a row.

    >>> from games.engine.reading import parse_record
    >>> text = "set: 6\\nplayers: A, B\\ndeal: 4\\nengine: 6-6 A\\n1. A 6-3 3-2\\n2. B -"
    >>> state = state_after(parse_record(text), 1)
    >>> state.player, state.trains["A"], state.trains["M"]
    ('B', ((6, 3), (3, 2)), ())
    """
    trains: dict[str, tuple[Laid, ...]] = dict.fromkeys((*record.players, MEXICAN), ())
    ends = dict.fromkeys(trains, record.engine)
    lines = [turn.actions for turn in record.turns[:turns]]
    if actions:
        lines.append(record.turns[turns].actions[:actions])
    for action in chain.from_iterable(lines):
        if isinstance(action, Lay):
            end = ends[action.train]
            ends[action.train] = OTHER[end][action.number]
            trains[action.train] += ((end, ends[action.train]),)
    return RoundState(record.players, trains, table_after(record, turns, actions))


def open_ends(record: Record, turn: int, action: int = 0) -> tuple[tuple[str, int], ...]:
    """Where a tile could go just before this action of a legal turn: trains with the pip they show.

    `turn` from 1, `action` as a violation or a fact has it. So can be said what a player who passed did
    not have.

    >>> from games.engine.reading import parse_record
    >>> text = "rules: gamerules\\nset: 6\\nplayers: A, B\\ndeal: 4\\nengine: 6-6\\n1. A 6-1\\n2. B + -"
    >>> open_ends(parse_record(text), 2, 1)
    (('B', 6), ('M', 6))
    """
    line = record.turns[turn - 1]
    done = action - 1 if action else len(line.actions) - line.implied
    table = table_after(record, turn - 1, done)
    trains = (*record.players, MEXICAN)
    return tuple((trains[train], table.ends[train]) for train in numbers(table.plain | table.twin))
