"""What would have been right instead of a breach: tiles with their trains, a draw, a pass, other end lines.

Knows language, and the table just before the breach. Must not judge: what may be done there is the engine's
`legal_moves`, and what the end comes to is what the replay found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.engine.moves import MEXICAN, Draw, Lay, Pass
from games.engine.record import Left
from games.engine.replay import Replay, Violation
from games.engine.round import RoundState, legal_moves
from games.engine.suits import halves, tile_of
from games.engine.tiles import Tile
from games.messages import double, number
from games.record_names import Named, either

MOST = 6  # tiles that are told one by one


class Right(NamedTuple):
    """One thing that would have been right. `tiles` are drawn before the words; `half`: any tile with it."""

    text: str
    tiles: tuple[Tile, ...] = ()
    half: int | None = None


def rights(found: Replay) -> list[Right]:
    """What would have been right at the violation; empty where nothing is wrong, or no deal explains it.

    >>> from games.engine.reading import parse_record
    >>> from games.engine.replay import replay
    >>> text = "set: 6\\nplayers: A=Ann, B\\ndeal: 4\\nengine: 6-6 A\\n1. A 6-3 3-2\\n2. B - \\n3. A 5-1>M"
    >>> [(right.half, right.text) for right in rights(replay(parse_record(text)))]
    [(2, 'on Ann’s train'), (6, 'on B’s train or the Mexican Train'), (None, 'with none of these: a draw')]
    """
    violation = found.violation
    if violation is None or violation.code == "no_deal":
        return []
    if not violation.turn:
        return _AT_THE_EDGES[violation.code](found, violation)
    if violation.code in _OF_A_TURN:
        return _OF_A_TURN[violation.code](found, violation)
    if violation.code == "unknown_player" and not violation.action:
        return _next_turn(found)
    return _moves(found)


def _moves(found: Replay) -> list[Right]:
    """What the player could have done instead."""
    state, names = found.state, Named(found.record)
    moves = legal_moves(state)
    lays = [move for move in moves if isinstance(move, Lay)]
    player = state.player
    known = player is not None and len(state.hand(player)) == state.count(player)
    told = _of_the_hand(lays, state, names) if known else _of_any_hand(lays, state, names)
    instead = bool(told) and not known
    if any(isinstance(move, Draw) for move in moves):
        told.append(Right(_("with none of these: a draw") if instead else _("a draw")))
    elif any(isinstance(move, Pass) for move in moves):
        if not instead:
            told.append(Right(_("to stop here") if told else _("a pass, with the marker on")))
        else:
            told.append(Right(_("with none of these: a pass, with the marker on")))
    return told


def _of_the_hand(lays: Sequence[Lay], state: RoundState, names: Named) -> list[Right]:
    """Each tile of the hand that fits, with all its trains."""
    trains: dict[int, list[str]] = {}
    for move in lays:
        trains.setdefault(move.number, []).append(move.train)
    told = [Right(_on(where, state, names), (tile_of(tile),)) for tile, where in list(trains.items())[:MOST]]
    if rest := len(trains) - MOST:
        text = ngettext("one of %(count)s more tile", "one of %(count)s more tiles", rest)
        told += [Right(text % {"count": number(rest)})] if rest > 0 else []
    return told


def _of_any_hand(lays: Sequence[Lay], state: RoundState, names: Named) -> list[Right]:
    """Each number that could be played on; where only its double may go, that."""
    plain: dict[int, list[str]] = {}
    twins: dict[int, list[str]] = {}
    for move in lays:
        high, low = halves(move.number)
        trains = (twins if high == low else plain).setdefault(state.ends[move.train], [])
        if move.train not in trains:
            trains.append(move.train)
    told = [Right(_on(where, state, names), half=pip) for pip, where in plain.items()]
    for pip, where in twins.items():
        alone = [train for train in where if train not in plain.get(pip, ())]
        if alone:
            told.append(Right(_on(alone, state, names), (Tile(pip, pip),)))
    return told


def _on(trains: Sequence[str], state: RoundState, names: Named) -> str:
    """«on Ruth’s 8-8», «on Ann’s train or the Mexican Train»."""
    words = []
    for train in trains:
        if train not in state.open_doubles:
            words.append(names.train(train))
            continue
        about = {"double": double(state.ends[train])}
        if train == MEXICAN:
            words.append(_("the Mexican Train’s %(double)s") % about)
        else:
            words.append(_("%(who)s’s %(double)s") % {"who": names.player(train), **about})
    return _("on %(trains)s") % {"trains": either(words, most=4)}


# Of a turn


def _next_turn(found: Replay) -> list[Right]:
    """It is somebody’s turn."""
    player = found.state.player
    if player is None:
        return _nothing_more(found)
    return [Right(_("a turn of %(who)s") % {"who": Named(found.record).player(player)})]


def _nothing_more(found: Replay) -> list[Right]:
    return [Right(_("no turn any more: the round is over"))]


def _turn_over(found: Replay, _violation: Violation) -> list[Right]:
    state, names = found.state, Named(found.record)
    if state.out:
        return [Right(_("nothing more in this turn: %(out)s is out") % {"out": names.everyone(state.out)})]
    at = state.players.index(str(state.player))
    following = state.players[(at + 1) % len(state.players)]
    return [Right(_("nothing more in this turn, then %(who)s’s turn") % {"who": names.player(following)})]


def _marker(_found: Replay, violation: Violation) -> list[Right]:
    """The other sign, or none: a marker that is not written moves by itself."""
    off = violation.params["action"] == "^"
    return [Right(_("the marker off: “v”, or no sign") if off else _("the marker on: “^”, or no sign"))]


def _must_draw(_found: Replay, _violation: Violation) -> list[Right]:
    return [Right(_("a draw before the pass"))]


_OF_A_TURN: Mapping[str, Callable[[Replay, Violation], list[Right]]] = {
    "out_of_turn": lambda found, _violation: _next_turn(found),
    "round_over": lambda found, _violation: _nothing_more(found),
    "turn_over": _turn_over,
    "marker": _marker,
    "must_draw": _must_draw,
}


# Of the header, and of the end


def _engine_held(found: Replay, violation: Violation) -> list[Right]:
    record = found.record
    about = {"engine": double(record.engine)}
    if violation.line == record.lines.get("engine") and record.layer is not None:
        return [Right(_("“engine: %(engine)s”, with nobody behind it") % about)]
    return [Right(_("a hand without %(engine)s") % about)]


def _engine_not_held(found: Replay, violation: Violation) -> list[Right]:
    about = {
        "engine": double(found.record.engine),
        "who": Named(found.record).player(str(violation.params["player"])),
    }
    return [Right(_("%(engine)s in %(who)s’s hand, or laid by somebody else") % about)]


def _somebody(found: Replay, _violation: Violation) -> list[Right]:
    names = Named(found.record)
    return [Right(either([names.player(player) for player in found.record.players], most=14))]


def _other_end(found: Replay, _violation: Violation) -> list[Right]:
    """How the round did end, or whose turn it is."""
    state, names = found.state, Named(found.record)
    if state.is_over:
        return [Right(_("the round ended with %(out)s out") % {"out": names.everyone(state.out)})]
    told = [Right(_("no end yet: it is %(who)s’s turn") % {"who": names.player(str(state.player))})]
    if state.is_blocked:
        told.append(Right(_("or “blocked”: nobody can play")))
    elif state.boneyard:
        text = ngettext(
            "before a block, %(count)s tile in the boneyard is drawn",
            "before a block, %(count)s tiles in the boneyard are drawn",
            state.boneyard,
        )
        told.append(Right(text % {"count": number(state.boneyard)}))
    return told


def _left(found: Replay, violation: Violation) -> list[Right]:
    player = str(violation.params["player"])
    state = found.state
    count, hand = state.count(player), state.hand(player)
    if not count:
        return [Right(_("no tile: the hand is empty"))]
    if len(hand) == count:
        return [Right(ngettext("is left", "are left", count), hand)]
    text = ngettext("%(count)s tile that nobody laid", "%(count)s tiles that nobody laid", count)
    return [Right(text % {"count": number(count)}, hand)]


def _count(_found: Replay, violation: Violation) -> list[Right]:
    count = int(str(violation.params["right"]))
    return [Right(ngettext("%(count)s tile", "%(count)s tiles", count) % {"count": number(count)})]


def _score(found: Replay, violation: Violation) -> list[Right]:
    points = int(str(violation.params["right"]))
    text = ngettext("%(count)s point", "%(count)s points", points) % {"count": number(points)}
    return [Right(text, tuple(left_of(found, str(violation.params["player"]))))]


def left_of(found: Replay, player: str) -> Iterable[Tile]:
    """The tiles that are left in this hand at the end, if they are told or known; else none."""
    told = [one for one in found.record.told if isinstance(one, Left) and one.player == player]
    if told:
        return [tile_of(tile) for tile in sorted(told[0].tiles)]
    state = found.state
    hand = state.hand(player)
    return hand if len(hand) == state.count(player) else ()


_AT_THE_EDGES: Mapping[str, Callable[[Replay, Violation], list[Right]]] = {
    "already_laid": _engine_held,
    "not_in_hand": _engine_not_held,
    "unknown_player": _somebody,
    "not_out": _other_end,
    "not_blocked": _other_end,
    "left": _left,
    "count": _count,
    "score": _score,
}
