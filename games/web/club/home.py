"""The clubs somebody knows, founding one, and a club's first page: its table, its nights, its people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.conf import settings
from django.contrib import messages as notices
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from games import clubs as services
from games import results, selectors
from games.models import ClubGame, Member, Night, Season, Status
from games.permissions import ClubAccess, clubs_of
from games.season_words import scheme_line
from games.services import Refused
from games.standing_rows import row_from_data, scheme_from_data
from games.web.access import user_of
from games.web.club.access import club_may
from games.web.club.log_words import role_name
from games.web.club.said import faults
from games.web.club.season import Ranked, ranking
from games.web.device import DeviceRequest
from games.web.home import status_words
from games.web.titles import game_title

TOP = 5  # rows of the short table
NIGHTS = 3
LONGEST = 200  # letters that are read of a name


@dataclass(frozen=True, slots=True)
class ClubRow:
    slug: str
    name: str
    role: str


@dataclass(frozen=True, slots=True)
class Table:
    """A game of tonight, or one that is still being played."""

    slug: str
    title: str
    status: str
    engine: int


@dataclass(frozen=True, slots=True)
class Evening:
    on: date
    season: int
    games: int
    void: bool


@require_safe
@never_cache
def clubs(request: DeviceRequest) -> HttpResponse:
    user = user_of(request)
    found = clubs_of(user, request.device.reader_keys)
    rows = [ClubRow(one.club.slug, one.club.name, role_words(one)) for one in found]
    sign_in = f"{resolve_url(settings.LOGIN_URL)}?next={request.path}"
    return render(
        request, "club/clubs.html", {"rows": rows, "signed_in": user is not None, "sign_in": sign_in}
    )


def role_words(access: ClubAccess) -> str:
    if access.role is None:
        return _("anybody may read") if access.club.public else _("reads by a link")
    return role_name(access.role)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def club_found(request: DeviceRequest) -> HttpResponse:
    user = user_of(request)
    name, owner = (request.POST.get(field, "")[:LONGEST] for field in ("name", "owner"))
    context = {"name": name, "owner": owner}
    if request.method != "POST":
        context["owner"] = "" if user is None else user.name
        return render(request, "club/found.html", context)
    try:
        club = services.club_found(name=name, user=user, owner=owner)
    except Refused as refused:
        wrong = {
            problem.field or "club": fault
            for problem, fault in zip(refused.problems, faults(refused), strict=True)
        }
        return render(request, "club/found.html", context | {"wrong": wrong}, status=422)
    notices.success(request, _("The club is founded. Next: its members."))
    return redirect("club", club.slug)


@require_safe
@never_cache
@club_may("read")
def club(request: DeviceRequest, access: ClubAccess) -> HttpResponse:
    seasons = list(Season.objects.filter(club=access.club))
    newest = max(seasons, key=lambda one: (one.starts_on, one.number), default=None)
    members = Member.objects.filter(club=access.club, merged_into=None, left_on=None)
    context = {
        "club": access.club,
        "access": access,
        "role": role_words(access),
        "belongs": access.may("belong"),
        "organises": access.may("organise"),
        "scores": access.may("score"),
        "owns": access.may("own"),
        "season": newest,
        "line": "" if newest is None else scheme_line(scheme_from_data(newest.scheme)),
        "top": [] if newest is None else _top(newest),
        "tables": _tables(access) if access.member or not access.club.public else [],
        "evenings": _evenings(access),
        "seasons": seasons,
        "members": members.count() if access.may("belong") else 0,
    }
    return render(request, "club/home.html", context)


def _top(season: Season) -> Sequence[Ranked]:
    """The first rows, with as many digits as the whole table shows."""
    rows = [row_from_data(row.member_id, row.place, row.data) for row in results.standings(season)]
    return ranking(rows, scheme_from_data(season.scheme), asked="", hanging=(), season=season)[:TOP]


def _tables(access: ClubAccess) -> list[Table]:
    """What is played now, wherever it is, and whatever was played today; three queries."""
    played = ClubGame.objects.filter(night__season__club=access.club, told__isnull=True)
    now = played.filter(game__status=Status.PLAYING) | played.filter(night__on=timezone.localdate())
    games = [one.game for one in now.select_related("game").order_by("-night__on", "pk")[:20]]
    return [
        Table(
            sheet.game.slug,
            game_title(sheet),
            status_words(sheet),
            sheet.engines[0] if sheet.next_engine is None else sheet.next_engine,
        )
        for sheet in selectors.sheets_of(games)
    ]


def _evenings(access: ClubAccess) -> list[Evening]:
    nights = Night.objects.filter(season__club=access.club, on__lte=timezone.localdate()).order_by("-on")
    found = nights.select_related("season").prefetch_related("games")[:NIGHTS]
    return [Evening(one.on, one.season.number, len(one.games.all()), one.void) for one in found]
