"""Every change in a club, newest first: who, when, what, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import NamedTuple

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.messages import listed
from games.models import ClubAction, ClubEntry, Member
from games.permissions import ClubAccess
from games.web.club.access import club_may
from games.web.club.log_words import notes, title
from games.web.device import DeviceRequest

AT_ONCE = 100
AT_ONCE_WITHIN = timedelta(seconds=5)  # between two lines of one list of names


class Line(NamedTuple):
    entry: ClubEntry
    title: str
    notes: Sequence[str]


@require_safe
@never_cache
@club_may("belong")
def club_log(request: DeviceRequest, access: ClubAccess) -> HttpResponse:
    """A hundred lines; `?before=` is the number of the oldest one shown before."""
    entries = ClubEntry.objects.filter(club=access.club).order_by("-number")
    before = request.GET.get("before", "")
    if before.isascii() and before.isdecimal() and len(before) < 10:
        entries = entries.filter(number__lt=int(before))
    found = list(entries[: AT_ONCE + 1])
    names = dict(Member.objects.filter(club=access.club).values_list("number", "name"))
    context = {
        "club": access.club,
        "lines": _lines(found[:AT_ONCE], names),
        "older": found[AT_ONCE - 1].number if len(found) > AT_ONCE else None,
    }
    return render(request, "club/log.html", context)


def _lines(entries: Sequence[ClubEntry], names: Mapping[int, str]) -> list[Line]:
    """A line each; whoever was added at once, as a list of names, stands in one."""
    return [
        Line(some[0], title(some[0]), notes(some[0], names)) if len(some) == 1 else _added(some)
        for some in _together(entries)
    ]


def _together(entries: Sequence[ClubEntry]) -> list[list[ClubEntry]]:
    found: list[list[ClubEntry]] = []
    for entry in entries:
        if found and _one_list(found[-1][-1], entry):
            found[-1].append(entry)
        else:
            found.append([entry])
    return found


def _one_list(newer: ClubEntry, older: ClubEntry) -> bool:
    same = newer.action == older.action == ClubAction.MEMBER_ADDED and newer.who == older.who
    return same and newer.at - older.at < AT_ONCE_WITHIN


def _added(entries: Sequence[ClubEntry]) -> Line:
    words = ngettext("%(count)s member is added", "%(count)s members are added", len(entries))
    who = listed([entry.about for entry in reversed(entries)])
    return Line(entries[0], words % {"count": len(entries)}, [_("%(who)s.") % {"who": who}])
