"""What a game is called, on every page: its name, else its people; and how far an abandoned one came.

Knows names. Must not know scores.
"""

from __future__ import annotations

from django.utils.translation import gettext as _

from games.messages import people_title
from games.selectors import Sheet


def game_title(sheet: Sheet) -> str:
    """«Friday at Ruth’s», or «Ann, Ben and Cho»."""
    return sheet.game.name or people_title([player.name for player in sheet.players])


def abandoned_words(sheet: Sheet) -> str:
    """«Abandoned after 6 of 13 rounds»"""
    if not sheet.rounds:
        return _("Abandoned before round 1")
    facts = {"played": len(sheet.rounds), "rounds": sheet.game.round_count}
    return _("Abandoned after %(played)s of %(rounds)s rounds") % facts
