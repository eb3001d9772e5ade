"""The seasons of a club: their list, a new one, and one season's name and days."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date

from django.db.models import Count, Q
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.engine.scheme import MEASURES, Scheme
from games.models import Season
from games.models.clubs import CLUB_NAME_LENGTH
from games.permissions import ClubAccess
from games.season_reads import newest_scheme
from games.season_words import scheme_line
from games.seasons import season_add, season_change
from games.standing_rows import scheme_from_data
from games.web.club.access import club_may
from games.web.club.parts import NONE, Faults, again, needs, try_to
from games.web.club.season import season_of
from games.web.device import DeviceRequest

LAST = "last"  # scored as the season before
# Nights with a result that counts, as `season_reads.nights_played`.
COUNTED = Q(nights__void=False, nights__results__forfeit=False, nights__results__club_game__void=False)


@dataclass(frozen=True, slots=True)
class Typed:
    """The form of a season as it was typed."""

    name: str = ""
    starts_on: str = ""
    ends_on: str = ""
    measure: str = LAST

    def days(self) -> tuple[date | None, date | None, tuple[str, ...]]:
        """First and last day, and what cannot be read."""
        faults = []
        days: list[date | None] = []
        for text in (self.starts_on, self.ends_on):
            try:
                days.append(date.fromisoformat(text) if text else None)
            except ValueError:
                days.append(None)
                faults.append(_("“%(text)s” is not a day. Days go as 2026-03-05.") % {"text": text})
        if not self.starts_on:
            faults.append(_("The day of the first night is needed."))
        return days[0], days[1], tuple(faults)


@dataclass(frozen=True, slots=True)
class Line:
    """One season in the list."""

    season: Season
    days: str
    scored: str


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@club_may("read")
def seasons(request: DeviceRequest, access: ClubAccess) -> HttpResponse:
    if request.method != "POST":
        return _list(request, access, Typed(starts_on=timezone.localdate().isoformat()))
    needs(access, "organise")
    typed = _read(request)
    starts_on, ends_on, said = typed.days()
    if starts_on is None or said:
        return _list(request, access, typed, Faults(said, 422))
    scheme = _scheme(access, typed.measure)
    made: list[Season] = []

    def add(**about: object) -> None:
        made.append(
            season_add(
                club=access.club,
                name=typed.name,
                starts_on=starts_on,
                ends_on=ends_on,
                scheme=scheme,
                **about,  # type: ignore[arg-type]
            )
        )

    if faults := try_to(request, access, add):
        return _list(request, access, typed, faults)
    return redirect("season", access.club.slug, made[0].number)


def _read(request: DeviceRequest) -> Typed:
    given = {name: request.POST.get(name, "").strip()[:200] for name in ("name", "starts_on", "ends_on")}
    return Typed(**given, measure=request.POST.get("measure", LAST))


def _scheme(access: ClubAccess, measure: str) -> Scheme:
    """As the newest season is scored, or the standard scheme of another measure."""
    if measure == LAST or measure not in MEASURES:
        return newest_scheme(access.club)
    return Scheme(measure=measure)


def _list(request: DeviceRequest, access: ClubAccess, typed: Typed, faults: Faults = NONE) -> HttpResponse:
    found = list(
        Season.objects.filter(club=access.club)
        .order_by("-number")
        .annotate(played=Count("nights", filter=COUNTED, distinct=True))
    )
    context = {
        "club": access.club,
        "lines": [
            Line(season, days_words(season), scheme_line(scheme_from_data(season.scheme))) for season in found
        ],
        "may_organise": access.may("organise"),
        "typed": typed,
        "faults": faults.said,
        "choices": _choices(typed.measure, known=bool(found)),
        "open": bool(faults) or not found,
        "name_length": CLUB_NAME_LENGTH,
    }
    return render(request, "club/seasons.html", context, status=faults.status)


def _choices(chosen: str, *, known: bool) -> list[tuple[str, str, bool]]:
    """(code, words, chosen) of how a new season can be scored."""
    some: list[tuple[str, str]] = [(one, scheme_line(Scheme(measure=one))) for one in MEASURES]
    if known:
        some.insert(0, (LAST, _("As the newest season")))
    codes = [code for code, _words in some]
    now = chosen if chosen in codes else codes[0]
    return [(code, words, code == now) for code, words in some]


def days_words(season: Season) -> str:
    """«5 March 2026 – 25 June 2026», «since 5 March 2026»."""
    first = date_format(season.starts_on, "j F Y")
    if season.ends_on is None:
        return _("since %(day)s") % {"day": first}
    return _("%(first)s – %(last)s") % {"first": first, "last": date_format(season.ends_on, "j F Y")}


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@club_may("read")
def season_more(request: DeviceRequest, access: ClubAccess, number: int) -> HttpResponse:
    season = season_of(access, number)
    as_is = Typed(
        name=season.name,
        starts_on=season.starts_on.isoformat(),
        ends_on="" if season.ends_on is None else season.ends_on.isoformat(),
    )
    if request.method != "POST":
        return _one(request, access, season, as_is)
    needs(access, "organise")
    typed = replace(_read(request), measure=LAST)
    starts_on, ends_on, said = typed.days()
    if starts_on is None or said:
        return _one(request, access, season, typed, Faults(said, 422))

    def change(**about: object) -> None:
        season_change(season=season, name=typed.name, starts_on=starts_on, ends_on=ends_on, **about)  # type: ignore[arg-type]

    if faults := try_to(request, access, change):
        return _one(request, access, again(season), typed, faults)
    return redirect("season", access.club.slug, number)


def _one(
    request: DeviceRequest, access: ClubAccess, season: Season, typed: Typed, faults: Faults = NONE
) -> HttpResponse:
    context: Mapping[str, object] = {
        "club": access.club,
        "season": season,
        "days": days_words(season),
        "typed": typed,
        "faults": faults.said,
        "may_organise": access.may("organise"),
        "may_score": access.may("score"),
        "name_length": CLUB_NAME_LENGTH,
    }
    return render(request, "club/season_more.html", context, status=faults.status)
