"""Codes of a season's services and of its scheme → sentences, in the words of the table.

Knows language. Must not judge: the services and the engine found what is said here. Codes of a game's own
services are `messages`'.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from games import messages
from games.engine.errors import Problem
from games.messages import Facts, Message, Names

NOBODY: Names = {}


def sentence(problem: Problem, names: Names = NOBODY) -> str:
    """The words for a problem; `names` by seat where it is about a game."""
    say = SENTENCES.get(problem.code)
    return messages.sentence(problem, names) if say is None else str(say(Facts(problem, names)))


def day(text: object) -> str:
    """«4 March 2026», from a day as the services write it; empty for none."""
    try:
        return date_format(date.fromisoformat(str(text)), "j F Y")
    except ValueError:
        return ""


def _title_blank(facts: Facts) -> Message:
    return facts.say(_("A name is needed."))


def _title_long(facts: Facts) -> Message:
    return facts.say(_("This name is too long."), _("%(most)s letters are the most."))


def _reason_missing(facts: Facts) -> Message:
    return facts.say(_("A reason is needed."), _("Everybody in the club can read it."))


def _season_dates(facts: Facts) -> Message:
    return facts.say(_("A season cannot end before it begins."))


def _seasons_many(facts: Facts) -> Message:
    return facts.say(_("A club can have %(most)s seasons at most."))


def _night_outside(facts: Facts) -> Message:
    on, first, last = day(facts["on"]), day(facts["starts"]), day(facts["ends"])
    if last:
        return facts.say(
            _("The night of %(on)s is outside of the season."),
            _("It runs from %(starts)s to %(ends)s."),
            on=on,
            starts=first,
            ends=last,
        )
    return facts.say(
        _("The night of %(on)s is outside of the season."), _("It begins on %(starts)s."), on=on, starts=first
    )


def _night_unknown(facts: Facts) -> Message:
    return facts.say(_("There is no night on %(on)s in this season."), on=day(facts["on"]))


def _game_at_club(facts: Facts) -> Message:
    return facts.say(_("This game belongs to a night already."))


def _member_twice(facts: Facts) -> Message:
    return facts.say(_("%(name)s cannot sit in two seats of one game."))


def _member_unknown(facts: Facts) -> Message:
    return facts.say(_("One of these people is not in the club any more."))


def _game_unknown(facts: Facts) -> Message:
    return facts.say(_("This game is not on a night of the club any more."))


def _round_gone(facts: Facts) -> Message:
    return facts.say(_("This round is not in the game."))


def _doubt_open(facts: Facts) -> Message:
    return facts.say(_("A result of this game is in doubt already."), _("It has to be decided first."))


def _doubt_decided(facts: Facts) -> Message:
    return facts.say(_("This is decided already."))


def _doubt_same(facts: Facts) -> Message:
    if "points" in facts.problem.params:
        return facts.say(_("%(points)s is the score that counts now."), _("Type what it would be otherwise."))
    return facts.say(_("This is how the game counts now."))


def _doubt_cannot(facts: Facts) -> Message:
    if facts["points"] is None:
        return facts.say(_("Type the score that would count otherwise."), _("It is a whole number."))
    return facts.say(_("This hand cannot be worth %(points)s."))


def _scheme_number(facts: Facts) -> Message:
    return facts.say(
        _("%(what)s: %(given)s is not possible."), _("It can be %(least)s to %(most)s."), what=_field(facts)
    )


def _field(facts: Facts) -> str:
    what = {
        "best": _("How many nights count"),
        "least_nights": _("The nights that a place needs"),
        "places": _("Points for a place"),
    }
    return what.get(facts.problem.field or "", "")


def _scheme_text(facts: Facts) -> Message:
    return facts.say(_("%(what)s: “%(text)s” is not a whole number."), what=_field(facts))


def _scheme_choice(facts: Facts) -> Message:
    return facts.say(_("“%(given)s” is not one of the choices here."))


def _scheme_places(facts: Facts) -> Message:
    return facts.say(_("Points for places cannot rise from one place to the next."), _("Try 10, 7, 5, 3, 1."))


def _scheme_twice(facts: Facts) -> Message:
    return facts.say(_("The same tie-break is there twice."))


SENTENCES: Mapping[str, Callable[[Facts], Message]] = {
    "title_blank": _title_blank,
    "title_long": _title_long,
    "reason_missing": _reason_missing,
    "season_dates": _season_dates,
    "seasons_many": _seasons_many,
    "night_outside": _night_outside,
    "night_unknown": _night_unknown,
    "game_at_club": _game_at_club,
    "member_twice": _member_twice,
    "member_unknown": _member_unknown,
    "game_unknown": _game_unknown,
    "round_gone": _round_gone,
    "doubt_open": _doubt_open,
    "doubt_decided": _doubt_decided,
    "doubt_same": _doubt_same,
    "doubt_cannot": _doubt_cannot,
    "scheme_number": _scheme_number,
    "scheme_text": _scheme_text,
    "scheme_choice": _scheme_choice,
    "scheme_places": _scheme_places,
    "scheme_twice": _scheme_twice,
}
