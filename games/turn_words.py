"""What was done in one turn of a record, as a sentence: «Ben draws a tile, passes and puts the marker on.»

Knows language, and the table before and after the turn. Must not judge: what is told is legal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from django.utils.translation import gettext as _

from games.engine.moments import state_after
from games.engine.moves import Action, Draw, Lay, Marker, Pass, Say
from games.engine.record import Record
from games.engine.suits import tile_text
from games.messages import listed, number
from games.record_names import Named, several

MOST_TILES = 10


def turn_words(record: Record, turn: int, actions: int | None = None) -> str:
    """All of this turn, or its first `actions` actions; empty if that is none.

    >>> from games.engine.reading import parse_record
    >>> text = "set: 6\\nplayers: A=Ann, B=Ben\\ndeal: 4\\nengine: 6-6 A\\n1. A 6-3 3-2\\n2. B -\\n"
    >>> record = parse_record(text + "3. A + 6-1>B")
    >>> for turn in (1, 2, 3):
    ...     print(turn_words(record, turn))
    Ann lays 6-3 and 3-2 on Ann’s train.
    Ben passes and puts the marker on.
    Ann draws a tile and lays 6-1 on Ben’s train.
    """
    line = record.turns[turn - 1]
    whole = actions is None
    done = line.actions if actions is None else line.actions[:actions]
    names = Named(record)
    doings = list(_doings(done, names))
    if whole:
        doings += _afterwards(record, turn)
    if not doings:
        return ""
    return _("%(who)s %(does)s.") % {"who": names.player(line.player), "does": listed(doings)}


def _doings(actions: Iterable[Action], names: Named) -> Iterator[str]:
    """Each action; tiles that went on one train one after the other together."""
    for train, same in groupby(actions, key=lambda one: one.train if isinstance(one, Lay) else None):
        if train is not None:
            tiles = [tile_text(one.number) for one in same if isinstance(one, Lay)]
            where = names.train(train)
            yield _("lays %(tiles)s on %(train)s") % {"tiles": several(tiles, MOST_TILES), "train": where}
            continue
        for one in same:
            if isinstance(one, Draw):
                known = one.number is not None
                yield (
                    _("draws %(tile)s") % {"tile": tile_text(one.number or 0)} if known else _("draws a tile")
                )
            elif isinstance(one, Pass):
                yield _("passes")
            elif isinstance(one, Say):
                yield _("says that one tile is left")


def _afterwards(record: Record, turn: int) -> Sequence[str]:
    """Where the marker is, and whether anything is left."""
    line = record.turns[turn - 1]
    before, after = state_after(record, turn - 1), state_after(record, turn)
    was, now = line.player in before.marked, line.player in after.marked
    found = []
    if now and not was:
        found.append(_("puts the marker on"))
    elif was and not now:
        found.append(_("takes the marker off"))
    elif now and Marker(on=True) in line.actions and not any(isinstance(one, Pass) for one in line.actions):
        found.append(_("keeps the marker on"))
    if not after.count(line.player):
        found.append(_("goes out"))
    return found


def start_words(record: Record) -> str:
    """How the round begins: «12-12 is the engine, laid by Ann. Each has 15 tiles. Ben starts.»"""
    names = Named(record)
    about = {
        "engine": f"{record.engine}-{record.engine}",
        "who": names.player(record.layer) if record.layer else "",
        "deal": number(record.deal),
        "first": names.player(record.start),
    }
    said = [
        _("%(engine)s is the engine, laid by %(who)s.") if record.layer else _("%(engine)s is the engine.")
    ]
    said.append(_("%(deal)s tiles each were dealt."))
    drew = [
        _("%(who)s drew %(count)s") % {"who": names.player(player), "count": number(count)}
        for player, count in zip(record.players, record.seek, strict=True)
        if count
    ]
    if drew:
        said.append(_("While the engine was looked for, %(drew)s.") % {"drew": listed(drew)})
    said.append(_("%(first)s starts."))
    return " ".join(one % about for one in said)
