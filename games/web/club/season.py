"""A season's table: who stands where, as of any day; each row opens to why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.engine.scheme import Scheme
from games.engine.season import SeasonRow
from games.models import Member, Season
from games.permissions import ClubAccess
from games.season_reads import Hanging, dates_of, hanging_of, nights_played, open_doubts, rows_of
from games.season_words import digits_for, scheme_line, shown, stands, why
from games.standing_rows import scheme_from_data
from games.templatetags.tiles import marker_letters
from games.web.club.access import club_may
from games.web.device import DeviceRequest
from games.web.people import Person, size_of


@dataclass(frozen=True, slots=True)
class Ranked:
    """A row as the page shows it; `points` are its reasons, where it is open."""

    number: int
    person: Person
    place: int | None
    value: str
    nights: int
    pending: bool
    open: bool
    points: Sequence[str] = ()
    question: str = ""
    hanging: Sequence[Hanging] = ()


@require_safe
@never_cache
@club_may("read")
def season(request: DeviceRequest, access: ClubAccess, number: int) -> HttpResponse:
    found = season_of(access, number)
    on = _day(request.GET.get("on", ""))
    asked = request.GET.get("row", "")
    scheme = scheme_from_data(found.scheme)
    doubts = open_doubts(found, until=on)
    rows = rows_of(found, on=on, whole=bool(asked or doubts))
    hanging = hanging_of(doubts, found, rows, on)
    ranked = ranking(rows, scheme, asked=asked, hanging=hanging, season=found)
    inside = [one for row in ranked for one in row.hanging]
    context = {
        "club": access.club,
        "season": found,
        "may_organise": access.may("organise"),
        "may_score": access.may("score"),
        "line": scheme_line(scheme),
        "per_night": scheme.measure in {"per_game", "per_round", "placement_average"},
        "ranking": ranked,
        "hanging": [one for one in hanging if one not in inside],
        "on": on,
        "today": timezone.localdate(),
        "played": nights_played(found, on),
    }
    return render(request, "club/season.html", context)


def season_of(access: ClubAccess, number: int) -> Season:
    """The club's season of that number; 404 without one."""
    try:
        return Season.objects.get(club=access.club, number=number)
    except Season.DoesNotExist:
        raise Http404 from None


def ranking(
    rows: Sequence[SeasonRow], scheme: Scheme, *, asked: str, hanging: Sequence[Hanging], season: Season
) -> list[Ranked]:
    """The rows with names, markers and, for the one asked for, its reasons."""
    members = Member.objects.in_bulk([row.person for row in rows])
    names = {pk: member.name for pk, member in members.items()}
    in_order = sorted(members.values(), key=lambda member: member.number)
    letters = dict(
        zip((one.pk for one in in_order), marker_letters([one.name for one in in_order]), strict=True)
    )
    digits = digits_for((row.value for row in rows), scheme)
    pending = {person for one in hanging for person in one.people}
    dates = dates_of(season)
    found = []
    for row in rows:
        member = members[row.person]
        is_open = asked == str(member.number)
        points = why(row, rows, names=names, dates=dates, scheme=scheme) if is_open else ()
        found.append(
            Ranked(
                number=member.number,
                person=Person(member.number, member.name, letters[row.person], size_of(member.name)),
                place=row.place,
                value=shown(row.value, digits),
                nights=row.nights,
                pending=row.person in pending,
                open=is_open,
                points=points,
                question=_question(member.name, row.place) if is_open else "",
                hanging=[one for one in hanging if row.person in one.people] if is_open else (),
            )
        )
    return found


def _question(name: str, place: int | None) -> str:
    if place is None:
        return _("Why has %(who)s no place yet?") % {"who": name}
    return _("Why is %(who)s %(place)s?") % {"who": name, "place": stands(place)}


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        raise Http404 from None
