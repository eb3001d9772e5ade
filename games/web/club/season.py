"""A season's table: who stands where, as of any day; each row opens to why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games import results
from games.engine.scheme import Scheme
from games.engine.season import SeasonRow, shifts
from games.models import ClubGame, Doubt, Member, Night, Season
from games.permissions import ClubAccess
from games.season_words import digits_for, scheme_line, shift_words, shown, stands, why
from games.seasons import other_way
from games.standing_rows import row_from_data, scheme_from_data
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


@dataclass(frozen=True, slots=True)
class Hanging:
    """A result in doubt: what it is, and who would stand where if it fell the other way."""

    doubt: Doubt
    sentence: str
    people: frozenset[int]


@require_safe
@never_cache
@club_may("read")
def season(request: DeviceRequest, access: ClubAccess, number: int) -> HttpResponse:
    found = season_of(access, number)
    on = _day(request.GET.get("on", ""))
    asked = request.GET.get("row", "")
    scheme = scheme_from_data(found.scheme)
    doubts = list(open_doubts(found, until=on))
    rows = _rows(found, on=on, whole=bool(asked or doubts))
    hanging = [one for doubt in doubts if (one := _hanging(doubt, found, rows, on)) is not None]
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
        "played": Night.objects.filter(season=found, void=False, on__lte=on or date.max).count(),
    }
    return render(request, "club/season.html", context)


def season_of(access: ClubAccess, number: int) -> Season:
    """The club's season of that number; 404 without one."""
    try:
        return Season.objects.get(club=access.club, number=number)
    except Season.DoesNotExist:
        raise Http404 from None


def open_doubts(season: Season, *, until: date | None = None) -> Sequence[Doubt]:
    doubts = Doubt.objects.filter(club_game__night__season=season, open=True)
    if until is not None:
        doubts = doubts.filter(club_game__night__on__lte=until)
    doubts = doubts.select_related("club_game__night__season", "club_game__game")
    return list(doubts.prefetch_related("club_game__seats"))


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
    dates = _dates(season)
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


def night_words(day: date) -> str:
    """«4 March»"""
    return date_format(day, "j F")


def _question(name: str, place: int | None) -> str:
    if place is None:
        return _("Why has %(who)s no place yet?") % {"who": name}
    return _("Why is %(who)s %(place)s?") % {"who": name, "place": stands(place)}


def _rows(season: Season, *, on: date | None, whole: bool) -> Sequence[SeasonRow]:
    """The table as it is kept; worked out again for another day, or where the nights behind it are asked."""
    if on is None and not whole:
        return [row_from_data(row.member_id, row.place, row.data) for row in results.standings(season)]
    return results.table_of(season, until=on)


def _hanging(doubt: Doubt, season: Season, rows: Sequence[SeasonRow], on: date | None) -> Hanging | None:
    otherwise = other_way(doubt)
    if otherwise is None:
        return None
    moved = shifts(rows, results.table_of(season, until=on, instead=otherwise))
    names = dict(Member.objects.filter(pk__in=[one.person for one in moved]).values_list("pk", "name"))
    facts = {"what": doubt_words(doubt), "where": shift_words(moved, names)}
    if moved:
        sentence = _("If %(what)s falls the other way, %(where)s.") % facts
    else:
        sentence = _("However %(what)s falls, the places stay.") % facts
    return Hanging(doubt, sentence, frozenset(one.person for one in moved))


def doubt_words(doubt: Doubt) -> str:
    """«round 9 of 12 November», or «the game of 12 November»."""
    played: ClubGame = doubt.club_game
    facts = {"round": doubt.other.get("round"), "day": night_words(played.night.on)}
    if "round" in doubt.other:
        return _("round %(round)s of %(day)s") % facts
    return _("the game of %(day)s") % facts


def _dates(season: Season) -> dict[int, str]:
    days = Night.objects.filter(season=season).values_list("on", flat=True)
    return {day.toordinal(): night_words(day) for day in days}


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        raise Http404 from None
