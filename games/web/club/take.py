"""A club to take along: its tables as CSV and XLSX, all of it as JSON, each as far as one may read it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.text import slugify
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.files import club_out
from games.files.club_out import SEASON_TABLES, OutTable, as_csv, as_xlsx, as_zip, table_title
from games.files.export import as_json
from games.models import Club, Season
from games.permissions import CLUB_FILES, ClubAccess
from games.web.club.access import club_may
from games.web.club.season import season_of
from games.web.device import DeviceRequest
from games.web.files import MOST_NAME, download

KINDS = {
    "csv": "text/csv",
    "json": "application/json",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "zip": "application/zip",
}
ALL = "club"  # everything that one may read
WHOLE = "season"


@require_safe
@never_cache
@club_may("read")
def club_take(request: DeviceRequest, access: ClubAccess) -> HttpResponse:
    context = {
        "club": access.club,
        "tables": [(name, table_title(name)) for name in _theirs(access)],
        "seasons": Season.objects.filter(club=access.club),
        "belongs": access.may("belong"),
    }
    return render(request, "club/take.html", context)


@require_safe
@never_cache
@club_may("read")
def season_take(request: DeviceRequest, access: ClubAccess, number: int) -> HttpResponse:
    found = season_of(access, number)
    on = _day(request)
    context = {
        "club": access.club,
        "season": found,
        "on": on,
        "today": timezone.localdate(),
        "tables": [(name, table_title(name)) for name in SEASON_TABLES if access.may_take(name)],
    }
    return render(request, "club/season_take.html", context)


@require_safe
@never_cache
def club_file(request: DeviceRequest, slug: str, what: str, ending: str) -> HttpResponse:
    """One table as CSV or XLSX; all of them as XLSX, as CSV in one ZIP, or as JSON."""
    return club_may(CLUB_FILES.get(what, "read"))(_club_file)(request, slug, what, ending)


def _club_file(request: DeviceRequest, access: ClubAccess, what: str, ending: str) -> HttpResponse:
    theirs = _theirs(access)
    name = file_name(access.club, "" if what == ALL else what, ending)
    if what == ALL and ending == "json":
        return download(as_json(club_out.club_data(access.club, theirs)), KINDS[ending], name)
    tables = _club_tables(access.club, [one for one in theirs if what in (one, ALL)])
    return _file(tables, ending, name, several=what == ALL)


@require_safe
@never_cache
@club_may("read")
def season_file(
    request: DeviceRequest, access: ClubAccess, number: int, what: str, ending: str
) -> HttpResponse:
    """As `club_file`, of one season, as of the day `?on=`."""
    found, on = season_of(access, number), _day(request)
    name = file_name(found, "" if what == WHOLE else what, ending)
    if what == WHOLE and ending == "json":
        data = club_out.season_data(found, on=on)
        about = {"format": "scorekeeper-season", "format_version": club_out.FORMAT_VERSION}
        return download(as_json({**about, "season": data}), KINDS[ending], name)
    which = [one for one in SEASON_TABLES if what in (one, WHOLE) and access.may_take(one)]
    return _file(club_out.season_tables([found], which, on=on), ending, name, several=what == WHOLE)


def _theirs(access: ClubAccess) -> list[str]:
    return [name for name in CLUB_FILES if access.may_take(name)]


def _club_tables(club: Club, which: list[str]) -> dict[str, OutTable]:
    own = {
        "members": club_out.members_table,
        "seasons": club_out.seasons_table,
        "log": club_out.log_table,
    }
    seasons = list(Season.objects.filter(club=club).order_by("number"))
    tables: dict[str, OutTable] = {}
    for name in which:
        tables |= {name: own[name](club)} if name in own else club_out.season_tables(seasons, [name])
    return tables


def _file(tables: Mapping[str, OutTable], ending: str, name: str, *, several: bool) -> HttpResponse:
    content: str | bytes
    if not tables:
        raise Http404
    if ending == "xlsx":
        content = as_xlsx(tables.values())
    elif ending == "zip" and several:
        content = as_zip(tables)
    elif ending == "csv" and not several:
        content = as_csv(next(iter(tables.values())))
    else:
        raise Http404
    return download(content, KINDS[ending], name)


def file_name(of: Club | Season, what: str, ending: str) -> str:
    """«thursday-dominoes-members.csv»: letters that every phone keeps."""
    words = slugify(of.name)[:MOST_NAME].strip("-") or "scorekeeper"
    return f"{words}-{what}.{ending}" if what else f"{words}.{ending}"


def _day(request: DeviceRequest) -> date | None:
    text = request.GET.get("on", "")
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        raise Http404 from None
