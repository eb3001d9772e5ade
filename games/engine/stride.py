"""The common turns of a round whose tiles are all known, played at a stride.

Knows turns that take a common course, where all is well. Whatever is anything else, a breach among them, it
leaves untouched to `table`. Must not differ from what that would do step by step.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import cycle, islice

from games.engine.course import OFF
from games.engine.legality import OVER
from games.engine.moves import Say
from games.engine.record import Turn
from games.engine.suits import BIT, DOUBLE, DOUBLES, OTHER, SUIT
from games.engine.table import Table, trains_in

_SAID = Say()
_SINGLES = frozenset(BIT)  # hands of one tile
# pip → the tiles that can close its double.
_CLOSING = tuple(suit ^ double for suit, double in zip(SUIT, DOUBLE, strict=True))


def stride(  # noqa: C901 - a call costs as much as what a turn does
    table: Table, turns: Sequence[Turn], begun: int, seats: Mapping[str, int], unsaid: list[int]
) -> int:
    """Play these turns from `begun` on; the number of the first that is not a common one.

    `seats` tells the number of each player and train, in order. The table stands between two turns. To
    `unsaid` are added the turns played that left one tile, where that has to be said and was not.

    >>> from games.engine.moments import table_of
    >>> from games.engine.reading import parse_record
    >>> head = "rules: tournament\\nset: 6\\nplayers: A, B\\ndeal: 2\\nengine: 6-6\\n"
    >>> record = parse_record(head + "hand A: 6-1 5-5\\nhand B: 6-2 4-4\\n1. A 6-1\\n2. B 6-2\\n3. A 5-5")
    >>> table = table_of(record)
    >>> stride(table, record.turns, 0, {"A": 0, "B": 1, "M": 2}, []), table.ends
    (2, [1, 2, 6])
    """
    known, seen = table.known, table.seen
    unseen = table.whole & ~seen
    if table.out or any(table.unknown) or seen != table.laid + sum(known) or unseen.bit_count() != table.yard:
        return begun  # the round is over or will be soon, a tile is hidden, or one is in two places
    names = tuple(seats)
    ends, base, opened, marks = table.ends, table.base, table.open, table.marks
    players, player = table.players, table.player
    must, released, cover = table.must, table.released, table.after_double == "cover"
    announce, keeps = table.rules.announce_last, table.rules.marker_off == "optional"
    everybody, limited = (1 << players) - 1, table.limit is not None
    later = begun + players - table.turns if table.first else begun  # where the second turns begin
    may_draw = table.rules.first_turn_draw
    special = table.first or bool(opened)
    order = cycle([*range(player, players), *range(player)])
    at = begun
    try:
        for at, turn, player in zip(
            range(begun, len(turns)), islice(turns, begun, None), order, strict=False
        ):
            course = turn.course
            if course is None or turn.player != names[player]:
                break
            # The trains that may be played on.
            may = marks | base[player]
            if special:
                if table.first and at == later:
                    table.settle()
                    base = table.base
                    may |= base[player]
                if table.restricted:
                    may = 1 << player
                elif len(opened) > 1:
                    table.marks, table.laid = marks, _lying(table, unseen)
                    table.begin(player)
                    may, opened = table.plain, table.open
                elif opened:
                    pip = ends[opened[0]]
                    if released and not _CLOSING[pip] & unseen and _is_dead(pip, known):
                        del opened[0]
                    else:
                        may = 1 << opened[0]
                special = table.first or bool(opened)
            number, bit, name, marker, before = course
            held, mark = known[player], marks
            # What comes before the last tile, or before a pass.
            if before is not None:
                double, twin_bit, where, tile = before
                draws = may_draw or at >= later
                if not draws and tile:
                    break
                if double >= 0:
                    if at < later:
                        break
                    twin = seats[where]
                    if opened or not held & twin_bit or not may >> twin & 1 or OTHER[ends[twin]][double] < 0:
                        break
                    held ^= twin_bit
                    if not held:
                        break
                    if cover:
                        if released and not _CLOSING[ends[twin]] & unseen and _is_dead(ends[twin], known):
                            break
                        may = 1 << twin
                    if twin == player:
                        mark &= ~(1 << player)
                if tile or number < 0:
                    # What must not fit: the hand, and where a drawn tile has to be played that one too.
                    must_not = held
                    if must and number < 0:
                        must_not |= tile
                    if limited and double >= 0:
                        must_not &= ~DOUBLES
                    for train in trains_in(may):
                        if must_not & SUIT[ends[train]]:
                            must_not = 0
                    if not must_not or (not unseen & tile if tile else draws and unseen):
                        break
                    held |= tile
                    if number < 0:
                        if marker == OFF:
                            break
                        if double >= 0 and announce and held in _SINGLES and _SAID not in turn.actions:
                            unsaid.append(at)
                        known[player], marks = held, mark | 1 << player
                        unseen ^= tile
                        if double >= 0:
                            opened.append(twin)
                            special = True
                        if marks == everybody:
                            table.marks, table.laid = marks, _lying(table, unseen)
                            table.witness(player, kept=bool(tile) and not must)
                        continue
            # The last tile.
            train = seats[name]
            left = held ^ bit
            if left > held or not may >> train & 1:
                break
            shows = OTHER[ends[train]][number]
            if shows < 0:
                break
            if train == player:
                mark &= ~(1 << player)
            if marker and marker != (mark >> player & 1) + OFF:
                if marker == OFF or not (keeps and marks >> player & 1):
                    break
                mark = marks
            if announce and left in _SINGLES and _SAID not in turn.actions:
                unsaid.append(at)
            if not left:
                if at < later:
                    break
                table.out = 1 << player
            # All is well.
            known[player], marks = left, mark
            if before is not None:
                unseen ^= tile
                if double >= 0:
                    opened.append(twin)
                    special = True
            ends[train] = shows
            if opened and train in opened:
                opened.remove(train)
            if not left:
                break
        else:
            at = len(turns)
            player = player + 1 if player + 1 < players else 0
    except KeyError:
        pass  # on the train of somebody who is not there
    at += bool(table.out)  # the last turn has been played
    if at > begun:
        table.turns += at - begun
        table.yard, table.marks, table.laid = unseen.bit_count(), marks, _lying(table, unseen)
        if table.first and at >= later:
            table.settle()
        if table.out:
            table.player, table.phase, table.ended = player, OVER, True
        else:
            table.begin(player)
    return at


def _is_dead(pip: int, known: Iterable[int]) -> bool:
    """Whether no hand can close the double of this number."""
    closing = _CLOSING[pip]
    return not any(closing & hand for hand in known)


def _lying(table: Table, unseen: int) -> int:
    """The tiles that lie: all that are neither in the boneyard nor in a hand."""
    for hand in table.known:
        unseen |= hand
    return table.whole & ~unseen
