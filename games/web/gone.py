"""The page of a deleted game, for a phone that kept score in it: since when, until when, and back.

Knows dates in words. Must not write.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.models import KEPT
from games.permissions import Access
from games.removal import deleted_by
from games.selectors import sheet_of
from games.web.device import DeviceRequest
from games.web.titles import game_title


@dataclass(frozen=True, slots=True)
class Deleted:
    """A deleted game: «Deleted on 29 Nov by Ruth», «Gone for good on 29 Dec»."""

    slug: str
    version: int
    title: str
    since: str
    until: str


def deleted_of(access: Access) -> Deleted:
    game = access.game
    assert game.deleted_at is not None  # noqa: S101 - it is deleted
    day = pgettext("date format", "j M")
    return Deleted(
        slug=game.slug,
        version=game.version,
        title=game_title(sheet_of(game)),
        since=_("Deleted on %(day)s by %(who)s")
        % {
            "day": date_format(timezone.localtime(game.deleted_at), day),
            "who": deleted_by(game) or _("scorer link"),
        },
        until=_("Gone for good on %(day)s")
        % {"day": date_format(timezone.localtime(game.deleted_at + KEPT), day)},
    )


def page(request: DeviceRequest, access: Access) -> HttpResponse:
    """404, as to everybody else; but this phone can bring the game back."""
    response = render(request, "games/gone.html", {"deleted": deleted_of(access)}, status=404)
    response["Cache-Control"] = "no-store"
    return response
