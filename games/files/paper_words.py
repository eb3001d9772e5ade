"""What is wrong with an old sheet, in a sentence that names the line, or the round and the player.

Knows language. Must not judge: `paper` found it.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from games.files.paper import Slip, Unread
from games.messages import number

SENTENCES = {
    "long": gettext_noop("This is too long for a score sheet. It has %(most)s signs at most."),
    "empty": gettext_noop("Nothing is written here yet."),
    "lines": gettext_noop("This is too long for a score sheet. It has %(most)s lines at most."),
    "columns": gettext_noop("Line %(line)s has more columns than a score sheet. It has %(most)s at most."),
    "names": gettext_noop("Who is playing? Write the names in the first line, or in the fields below."),
    "name_blank": gettext_noop("Line %(line)s: a name is missing between two others."),
    "players": gettext_noop("Line %(line)s names %(count)s players. A game has %(most)s at most."),
    "rounds": gettext_noop("No round is written here yet. Below the names, each round is a line."),
    "width": gettext_noop("Line %(line)s has %(count)s columns. Here are %(players)s for the players."),
    "number": gettext_noop("Line %(line)s: “%(given)s” cannot be read. Write 55, or 55/130 with the total."),
    "order": gettext_noop("Line %(line)s is called round %(given)s. The next one is round %(expected)s."),
    "head": gettext_noop("Line %(line)s begins with “%(given)s”. Here the first round is expected."),
    "after_total": gettext_noop("Line %(line)s stands below the totals. Rounds go above them."),
    "beneath": gettext_noop("Line %(line)s has no line of totals beneath it."),
}


def unread_words(unread: Unread) -> str:
    return _(SENTENCES[unread.code]) % {name: number(value) for name, value in unread.facts.items()}


def slip_words(slip: Slip, names: Sequence[str]) -> str:
    """«Round 5, Ben: 146 and 14 make 160, the sheet says 150.»"""
    facts = {
        "round": number(slip.number),
        "name": names[slip.column],
        "before": number(slip.before),
        "points": number(slip.points),
        "right": number(slip.right),
        "written": number(slip.written),
    }
    if slip.number == 0 and not slip.points:
        return _("Total, %(name)s: the rounds make %(right)s, the sheet says %(written)s.") % facts
    if slip.number == 0:
        text = _("Total, %(name)s: %(before)s and %(points)s make %(right)s, the sheet says %(written)s.")
        return text % facts
    if slip.points is None:
        return _("Round %(round)s, %(name)s: the total goes down from %(before)s to %(written)s.") % facts
    text = _(
        "Round %(round)s, %(name)s: %(before)s and %(points)s make %(right)s, the sheet says %(written)s."
    )
    return text % facts
