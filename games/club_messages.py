"""What cannot be done in a club → sentences, beside those of a game (games.messages).

Knows language. Must not judge: it says what games.clubs and games.seasons found.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from games import messages
from games.engine.errors import Problem
from games.messages import Facts, Message


def club_sentence(problem: Problem) -> str:
    """The words for a problem with a club; with `seat`, the line of a list that it stands in."""
    return str(club_message(problem))


def club_message(problem: Problem) -> Message:
    say = SENTENCES.get(problem.code)
    facts = Facts(problem, {})
    said = messages.message(problem, {}) if say is None else say(facts)
    if problem.field == "names" and problem.seat is not None:
        return Message(_("Line %(line)s: %(what)s") % {"line": problem.seat, "what": said.lead}, said.rest)
    return said


def day_words(text: object) -> str:
    """A day as facts and the log keep it, 2026-03-12, in words: «12 March 2026»."""
    try:
        return date_format(date.fromisoformat(str(text)), "j F Y")
    except ValueError:
        return str(text)


def _name_blank(facts: Facts) -> Message:
    return facts.say(_("A name is needed."))


def _name_unseen(facts: Facts) -> Message:
    return facts.say(_("This name holds a sign that nobody can see."))


def _title_blank(facts: Facts) -> Message:
    return facts.say(_("A name is needed."), _("It must hold something to see."))


def _title_long(facts: Facts) -> Message:
    return facts.say(_("“%(name)s” is too long."), _("A name has at most %(most)s letters."))


def _last_owner(facts: Facts) -> Message:
    return facts.say(
        _("%(name)s is the last owner."),
        _("A club needs one who can sign in. Make another member with an account an owner first."),
    )


def _members_many(facts: Facts) -> Message:
    return facts.say(_("A club has at most %(most)s members."))


def _clubs_many(facts: Facts) -> Message:
    return facts.say(_("One account founds at most %(most)s clubs."))


def _left_before_joined(facts: Facts) -> Message:
    return facts.say(
        _("Nobody leaves before they join."), _("Joined on %(day)s."), day=day_words(facts["joined"])
    )


def _left_later(facts: Facts) -> Message:
    return facts.say(
        _("%(day)s is still to come."), _("Nobody can leave before then."), day=day_words(facts["on"])
    )


def _member_unknown(facts: Facts) -> Message:
    return facts.say(_("There is no such member."), _("Two entries may have become one."))


def _member_left(facts: Facts) -> Message:
    return facts.say(_("%(name)s has left the club."), _("An organiser can bring %(name)s back."))


def _member_with_role(facts: Facts) -> Message:
    return facts.say(
        _("%(name)s has a role in the club, so an invitation is not enough."),
        _("An owner makes %(name)s a plain member first, and gives the role afterwards."),
    )


def _account_taken(facts: Facts) -> Message:
    return facts.say(_("This account is %(name)s already."))


def _member_taken(facts: Facts) -> Message:
    return facts.say(_("%(name)s has another account."))


def _merge_same(facts: Facts) -> Message:
    return facts.say(_("%(name)s cannot become one with %(name)s."), _("Choose somebody else."))


def _merge_met(facts: Facts) -> Message:
    return facts.say(
        _("%(name)s and %(other)s are two people."),
        _("They sat at one table on %(day)s."),
        day=day_words(facts["on"]),
    )


def _merge_accounts(facts: Facts) -> Message:
    return facts.say(_("Both have an account."), _("Take %(name)s’s account off first, if it is one person."))


SENTENCES: Mapping[str, Callable[[Facts], Message]] = {
    "account_taken": _account_taken,
    "clubs_many": _clubs_many,
    "last_owner": _last_owner,
    "left_before_joined": _left_before_joined,
    "left_later": _left_later,
    "member_left": _member_left,
    "member_taken": _member_taken,
    "member_unknown": _member_unknown,
    "member_with_role": _member_with_role,
    "members_many": _members_many,
    "merge_accounts": _merge_accounts,
    "merge_met": _merge_met,
    "merge_same": _merge_same,
    "name_blank": _name_blank,
    "name_unseen": _name_unseen,
    "title_blank": _title_blank,
    "title_long": _title_long,
}
