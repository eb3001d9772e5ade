"""Why a file was not brought in, in a sentence that says what to do.

Knows language. Must not judge: `read` and `walk` found it.
"""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from games.files.errors import NotBroughtIn
from games.messages import number, sentence

MEGABYTE = 1_000_000
_NOT_OURS = gettext_noop("This is no file of Scorekeeper. The file with games ends in .json.")
SENTENCES = {
    "too_large": gettext_noop("This file is too large. A file of games has %(most)s MB at most."),
    "empty": gettext_noop("This file is empty. Choose the file that Scorekeeper made."),
    "not_text": _NOT_OURS,
    "not_ours": _NOT_OURS,
    "not_json": gettext_noop("This file breaks off or was changed: line %(line)s cannot be read."),
    "nested": gettext_noop("This is no file of Scorekeeper: it is nested too deep."),
    "no_number": gettext_noop("This file holds a number that no game has."),
    "text": gettext_noop("This file holds a text that no game has: “%(given)s…”."),
    "newer": gettext_noop("This file comes from a newer Scorekeeper. This one cannot read it."),
    "shape": gettext_noop("This file was changed or is damaged, at “%(where)s”."),
    "unseen": gettext_noop("A name in this file holds a sign that nobody can see."),
    "rules": gettext_noop("The house rules in this file are none that Scorekeeper knows."),
    "set_up": gettext_noop("Its players or its rules cannot be."),
    "impossible": gettext_noop("Round %(round)s cannot be, and was not saved as disputed."),
    "score": gettext_noop("The scores of round %(round)s are not what its hands come to."),
    "log": gettext_noop("Change %(number)s of its log does not follow from those before it."),
    "slow": gettext_noop("There is too much to check in this file."),
    "end": gettext_noop("Its log does not lead to the game as it stands in the file."),
}


def refusal(refused: NotBroughtIn) -> list[str]:
    """The sentence for a refused file, and those of the rule book where it refused a round or the set-up."""
    said = [_game(refused) + _sentence(refused)]
    return said + [sentence(problem, refused.names) for problem in refused.problems]


def _game(refused: NotBroughtIn) -> str:
    return _("“%(game)s”: ") % {"game": refused.game} if refused.game else ""


def _sentence(refused: NotBroughtIn) -> str:
    if refused.code == "too_many":
        return _too_many(refused)
    facts = {name: number(value) for name, value in refused.facts.items()}
    if refused.code == "too_large":
        facts["most"] = number(int(str(refused.facts["most"])) // MEGABYTE)
    return _(SENTENCES[refused.code]) % facts


def _too_many(refused: NotBroughtIn) -> str:
    what = {
        "games": _("games"),
        "players": _("players"),
        "rounds": _("rounds"),
        "hands": _("hands"),
        "challenges": _("disputes"),
        "log": _("changes"),
    }
    return _("This file holds %(given)s %(what)s. It can be %(most)s at most.") % {
        "given": number(refused.facts["given"]),
        "most": number(refused.facts["most"]),
        "what": what[str(refused.facts["what"])],
    }
