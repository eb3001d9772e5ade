"""What club pages say after a write: what is wrong, or what somebody else changed meanwhile."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from django.utils.translation import gettext as _

from games.club_messages import club_sentence
from games.models import Club, ClubEntry
from games.services import Refused
from games.web.club.log_words import title
from games.web.device import DeviceRequest


def faults(refused: Refused) -> list[str]:
    return [club_sentence(problem) for problem in refused.problems] or [_("This cannot be done now.")]


def meanwhile(club: Club) -> Sequence[str]:
    """Nothing was done, and why."""
    newest = ClubEntry.objects.filter(club=club).order_by("-number").first()
    if newest is None:
        return [_("Nothing was changed: the club had moved on.")]
    facts = {"what": title(newest), "who": newest.who or _("somebody")}
    return [_("Nothing was changed: the club had moved on. Newest change: %(what)s (%(who)s).") % facts]


def typed_day(request: DeviceRequest, name: str) -> date | None:
    """The day in a field; None if it is empty. ValueError for what is no day."""
    text = request.POST.get(name, "").strip()[:20]
    return date.fromisoformat(text) if text else None
