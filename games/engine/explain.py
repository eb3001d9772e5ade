"""What a refused move is about: the facts that a sentence needs, and the rule that is broken.

Knows the table and the names of the players. Must not know sentences, or records.
"""

from __future__ import annotations

from collections.abc import Sequence

from games.engine.breaches import rule_of
from games.engine.legality import NOT_DRAWN, why_lay
from games.engine.moves import MEXICAN, Action, Draw, Lay
from games.engine.suits import halves, numbers, tile_text
from games.engine.table import Table


def facts_about(action: Action, table: Table, players: Sequence[str]) -> dict[str, object]:
    """Who wanted what, and how the table stood: everything for saying what is wrong and what would be right.

    `bound`: the doubles of earlier turns that may be closed now, each as (train, pip); `doubles`: those of
    this turn that are open; `ends`: the pip that each train shows; `could`: the tiles known to be in the
    hand that could be laid, each as (tile, train).

    >>> from games.engine.reading import parse_record
    >>> from games.engine.moments import table_of
    >>> text = "set: 6\\nplayers: A, B\\ndeal: 2\\nengine: 6-6 A\\nhand A: 6-6 6-1\\n1. A -"
    >>> record = parse_record(text)
    >>> facts = facts_about(record.turns[0].actions[0], table_of(record), record.players)
    >>> facts["player"], facts["ends"], facts["could"]
    ('A', {'A': 6, 'B': 6, 'M': 6}, (('6-1', 'A'),))
    """
    trains = (*players, MEXICAN)
    facts: dict[str, object] = {"player": trains[table.player], "action": str(action)}
    if isinstance(action, Lay):
        facts |= {"tile": tile_text(action.number), "train": action.train}
    elif isinstance(action, Draw) and action.number is not None:
        facts["tile"] = tile_text(action.number)
    facts["bound"] = tuple((trains[train], table.ends[train]) for train in table.binding())
    facts["doubles"] = tuple((trains[train], table.ends[train]) for train in table.open[table.inherited :])
    facts["ends"] = dict(zip(trains, table.ends, strict=True))
    facts["could"] = could(table, trains)
    return facts


def could(table: Table, trains: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Which tiles known to be in the hand could be laid now, each with a train."""
    if table.over:
        return ()
    return tuple(
        (tile_text(number), trains[train])
        for number in numbers(table.known[table.player] & table.fitting())
        for train, end in enumerate(table.ends)
        if end in halves(number) and why_lay(table, number, train) is None
    )


def rule_broken(code: str, table: Table) -> str | None:
    """The number of the rule that the code of a refused move, or of a marker, stands for here."""
    return rule_of(code, table.rules, _circumstance(code, table))


def _circumstance(code: str, table: Table) -> str:
    told = {
        "must_cover": "" if table.inherited else "own",
        "wrong_double": "" if table.inherited else "own",
        "turn_over": "first" if table.first else "",
        "must_play": "bound" if table.inherited else "",
        "must_draw": "double" if table.twins else "",
        "marker": "" if table.failed else "off",
    }
    if code == "no_draw":
        if table.first and not table.rules.first_turn_draw:
            return "first"
        return "" if table.draw_again or table.fresh != NOT_DRAWN else "again"
    return told.get(code, "")
