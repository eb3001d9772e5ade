"""A record that is being written, in words: what was done last, what is due, why something is not allowed.

Knows language, and the record the words are about. Must not judge: `engine.writing` found what is said here.
"""

from __future__ import annotations

from dataclasses import replace

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.engine.errors import Problem
from games.engine.moves import Action, Draw, Lay, Marker, Pass, Say
from games.engine.record import Left, Record, Score
from games.engine.replay import Violation
from games.engine.suits import halves, tile_text
from games.engine.writing import Now, Step, last_step
from games.messages import Message, double, number
from games.record_names import Named, either, several, shown
from games.record_words import breach, rule


def against(record: Record, problem: Problem) -> Message:
    """What is wrong with a tap, then what would be right."""
    say = _OWN.get(problem.code)
    if say is not None:
        return say(record, problem)
    return breach(record, _violation(record, problem))


def rule_of_it(record: Record, problem: Problem) -> str:
    """«Rule A11 (ThoughtCo).», or whose reading it is; empty where no rule is broken."""
    if problem.code in _OWN or "rule" not in problem.params:
        return ""
    return rule(record, _violation(record, problem))


def shut(record: Record, problem: Problem) -> str:
    """Why a train is closed: the second half of the sentence about a tile that would match."""
    found = against(record, problem)
    return found.rest or found.lead


def before_it_begins(record: Record, problem: Problem) -> str:
    """Why a record cannot be begun though it can be read, as a hand with an engine that was set aside."""
    return str(breach(record, _violation(record, problem, turn=0)))


def _violation(record: Record, problem: Problem, turn: int | None = None) -> Violation:
    turn = len(record.turns) + 1 if turn is None else turn
    given = problem.params.get("rule")
    number_of_rule = given if isinstance(given, str) else None
    return Violation(problem.code, number_of_rule, turn, 0, 0, params=problem.params)


def last_words(record: Record) -> str:
    """What was written last: «Ben lays 8-2 on Ruth’s train»; empty where nothing is."""
    step = last_step(record)
    return "" if step is None else _step_words(record, step)


def seen_words(record: Record) -> str:
    """The same as the whole table saw it: which tile was drawn is for its hand to know."""
    step = last_step(record)
    if step is not None and isinstance(step.action, Draw):
        step = replace(step, action=Draw())
    return "" if step is None else _step_words(record, step)


def _step_words(record: Record, step: Step) -> str:
    names = Named(record)
    who = names.player(step.player) if step.player else ""
    if step.told is not None:
        return _told_words(step, who)
    if step.ended == "blocked":
        return _("The round is blocked")
    if step.ended:
        return _("%(who)s is out") % {"who": who}
    assert step.action is not None  # noqa: S101 - the only kind left
    laid = any(isinstance(action, Lay) for action in record.turns[-1].actions)
    return _action_words(names, step.player, step.action, laid=laid)


def _tile(number: int) -> str:
    """A tile's name, which never breaks over lines."""
    return tile_text(number).replace("-", "\u2011")


def _told_words(step: Step, who: str) -> str:
    if isinstance(step.told, Left) and step.tile is not None:
        return _("%(who)s has %(tile)s left") % {"who": who, "tile": _tile(step.tile)}
    if isinstance(step.told, Score):
        return _("%(who)s has %(points)s") % {"who": who, "points": number(step.told.points)}
    return _("%(who)s: tiles left") % {"who": who}


def _action_words(names: Named, player: str, action: Action, *, laid: bool) -> str:
    who = names.player(player)
    if isinstance(action, Lay):
        about = {"who": who, "tile": _tile(action.number), "train": names.train(action.train)}
        if action.train == player:
            return _("%(who)s lays %(tile)s") % about
        return _("%(who)s lays %(tile)s on %(train)s") % about
    if isinstance(action, Draw):
        if action.number is None:
            return _("%(who)s draws") % {"who": who}
        return _("%(who)s draws %(tile)s") % {"who": who, "tile": _tile(action.number)}
    if isinstance(action, Marker):
        text = _("%(who)s’s marker stays on") if action.on else _("%(who)s’s marker stays off")
        return text % {"who": who}
    if isinstance(action, Say):
        return _("%(who)s says: one tile left") % {"who": who}
    assert isinstance(action, Pass)  # noqa: S101
    return (_("%(who)s stops") if laid else _("%(who)s passes")) % {"who": who}


def due(at: Now) -> str:
    """What the player on turn owes, in one short sentence; empty where it is a turn like any other."""
    state, player = at.state, at.player
    if player is None:
        return ""
    names = Named(at.record)
    who = names.player(player)
    mine = tuple(action for action in (at.last.actions if at.going and at.last else ()))
    drawn = mine and isinstance(mine[-1], Draw)
    bound = [train for train in state.open_doubles if not at.going or train in at.before.open_doubles]
    if at.may_stop:
        return _("%(who)s may lay on, or stop.") % {"who": who}
    if bound:
        on = _("%(tile)s on %(train)s")
        places = [on % {"tile": double(state.ends[one]), "train": names.train(one)} for one in bound]
        return _("An open double comes first: %(doubles)s.") % {"doubles": either(places)}
    if drawn:
        return _("%(who)s has drawn. Lay it, or pass.") % {"who": who}
    if any(isinstance(action, Lay) for action in mine):
        return _("After the double %(who)s lays on.") % {"who": who}
    return ""


def moved(at: Now) -> str:
    """What the last turn did to its player's marker."""
    if at.marker is None or at.last is None:
        return ""
    who = Named(at.record).player(at.last.player)
    text = _("%(who)s’s marker is on now.") if at.marker == "on" else _("%(who)s’s marker is off now.")
    return text % {"who": who}


def unmoved_words(at: Now) -> str:
    """What can be told of a marker that the rules moved in the last turn; empty where they did not."""
    sign = at.unmoved
    if sign is None or at.last is None:
        return ""
    text = _("%(who)s’s marker was not taken off") if sign.on else _("%(who)s’s marker was not put on")
    return text % {"who": Named(at.record).player(at.last.player)}


def tiles_left(count: int) -> str:
    return ngettext("%(count)s tile left", "%(count)s tiles left", count) % {"count": number(count)}


def out_words(record: Record) -> str:
    """How the round ended."""
    if record.ended == "blocked":
        return _("The round is blocked.")
    names = Named(record)
    people = [names.player(player) for player in record.out]
    text = ngettext("%(people)s is out.", "%(people)s are out.", len(people))
    return text % {"people": several(people)}


def _tile_twice(record: Record, problem: Problem) -> Message:
    other = Named(record).player(str(problem.params["other"]))
    tile = shown(problem.params["tile"])
    lead = _("%(tile)s is in two hands.") % {"tile": tile}
    return Message(lead, _("%(who)s has it already.") % {"who": other})


def _stuck(record: Record, problem: Problem) -> Message:
    return Message(_("Nothing can follow a move that breaks a rule."), _("Take it back, or check the round."))


def _over(record: Record, problem: Problem) -> Message:
    return Message(_("The round is over."), _("Take the end back to write more turns."))


def _going(record: Record, problem: Problem) -> Message:
    return Message(_("That does not fit here."), _("Look at the record as it stands now."))


def _unknown(record: Record, problem: Problem) -> Message:
    return Message(_("That is no move of this round."), _("Nothing was written."))


def _points(record: Record, problem: Problem) -> Message:
    given = shown(problem.params["given"])
    return Message(_("“%(text)s” is no number of points.") % {"text": given}, _("Nothing was written."))


def _long(record: Record, problem: Problem) -> Message:
    return Message(_("This record is too long to be written on."), _("Check it, or take something back."))


_OWN = {
    "tile_twice": _tile_twice,
    "stuck": _stuck,
    "over": _over,
    "going": _going,
    "no_tap": _unknown,
    "points_unread": _points,
    "record_long": _long,
}


def as_laid(end: int, tile: int) -> tuple[int, int]:
    """The tile with the half first that touches a train which shows `end`."""
    high, low = halves(tile)
    return (low, high) if low == end else (high, low)
