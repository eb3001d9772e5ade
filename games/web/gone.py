"""A game that is gone from a phone that kept score in it: deleted, since when, until when, and back; or kept
by the right of somebody who no longer has it.

Knows dates in words. Must not write.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.models import KEPT, Member
from games.permissions import Access, keeps_score
from games.removal import deleted_by
from games.selectors import Sheet, sheets_of
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


def deleted_of(accesses: Sequence[Access]) -> list[Deleted]:
    """Deleted games in words, in the order given; three queries, however many."""
    games = [access.game for access in accesses]
    who = deleted_by(games)
    return [_deleted(sheet, who.get(sheet.game.pk, "")) for sheet in sheets_of(games)]


def _deleted(sheet: Sheet, who: str) -> Deleted:
    game = sheet.game
    assert game.deleted_at is not None  # noqa: S101 - it is deleted
    day = pgettext("date format", "j M")
    return Deleted(
        slug=game.slug,
        version=game.version,
        title=game_title(sheet),
        since=_("Deleted on %(day)s by %(who)s")
        % {
            "day": date_format(timezone.localtime(game.deleted_at), day),
            "who": who or _("scorer link"),
        },
        until=_("Gone for good on %(day)s")
        % {"day": date_format(timezone.localtime(game.deleted_at + KEPT), day)},
    )


def page(request: DeviceRequest, access: Access) -> HttpResponse:
    """404, as to everybody else; but this phone can bring the game back."""
    (deleted,) = deleted_of([access])
    response = render(request, "games/gone.html", {"deleted": deleted}, status=404)
    response["Cache-Control"] = "no-store"
    return response


def no_longer(request: DeviceRequest, member: Member) -> HttpResponse:
    """404, as to everybody else; but whoever has this phone is told why, and that no score is lost."""
    context = {"name": member.name, "club": member.club.name, "back": keeps_score(member)}
    response = render(request, "games/no_longer.html", context, status=404)
    response["Cache-Control"] = "no-store"
    return response
