"""What a game is called, on every page: its name, else its people; and how far an abandoned one came.

Knows names. Must not know scores.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.messages import listed
from games.selectors import Sheet

MOST_NAMED = 4  # people in a title before it says «and 3 more»


def game_title(sheet: Sheet) -> str:
    """«Friday at Ruth’s», or «Ann, Ben and Cho»."""
    return sheet.game.name or people_title([player.name for player in sheet.players])


def people_title(names: Sequence[str]) -> str:
    if len(names) <= MOST_NAMED:
        return listed(names)
    more = len(names) - MOST_NAMED + 1
    return ngettext("%(names)s and %(more)d more", "%(names)s and %(more)d more", more) % {
        "names": ", ".join(names[: MOST_NAMED - 1]),
        "more": more,
    }


def abandoned_words(sheet: Sheet) -> str:
    """«Abandoned after 6 of 13 rounds»"""
    if not sheet.rounds:
        return _("Abandoned before round 1")
    facts = {"played": len(sheet.rounds), "rounds": sheet.game.round_count}
    return _("Abandoned after %(played)s of %(rounds)s rounds") % facts
