"""A game on a night: a new one with tonight's people, or one that this device knows already.

Knows the set-up form of every game, with the club's members to tap, and the seats of a game that was played.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_http_methods

from games import mapping, services
from games.engine.rules import PRESETS, suits
from games.forms import SetUpForm, as_typed, follow_card, follow_players
from games.models import Club, ClubGame, Game, Member, Season
from games.names import tidy
from games.permissions import ClubAccess, access_by_id, access_by_secret
from games.season_messages import sentence
from games.seasons import game_add, game_begin, seats_by_name
from games.selectors import Sheet, sheet_of, sheets_of
from games.services import MIN_PLAYERS, Refused, Setup, Started
from games.web.access import address
from games.web.club.access import club_may
from games.web.club.nights import members_by_name, seat_choices, seats_typed
from games.web.club.parts import NONE, Faults, try_to
from games.web.club.season import season_of
from games.web.device import DeviceRequest
from games.web.mine import own_keys
from games.web.new import START
from games.web.set_up import Steps, Typed, context, step
from games.web.titles import game_title

FIRST_CHIPS = 12  # members that can be tapped at once; the others are folded up or found by name
LONGEST_LINK = 300


@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(private=True, no_cache=True)  # not no-store: Back must find what was typed
@club_may("score")
def night_game(request: DeviceRequest, access: ClubAccess, number: int) -> HttpResponse:
    season = season_of(access, number)
    if request.method != "POST":
        on = request.GET.get("on", "") or proposed(season).isoformat()
        return _show(request, access, season, _first(season, request), on=on)
    data = request.POST.copy()
    on = data.get("on", "").strip()
    if data.get("do") != START:
        steps = step(data, str(data.get("do", "")), request.device)
        return _show(request, access, season, SetUpForm(data), on=on, steps=steps, typed=True)
    return _start(request, access, season, data, on)


def proposed(season: Season) -> date:
    """Today, or the season's nearest day."""
    today = max(timezone.localdate(), season.starts_on)
    return today if season.ends_on is None else min(today, season.ends_on)


def _first(season: Season, request: DeviceRequest) -> SetUpForm:
    """No names yet, and the rules and the set of the season's newest game."""
    newest = ClubGame.objects.filter(night__season=season).select_related("game").order_by("-pk").first()
    if newest is not None:
        return SetUpForm(as_typed(Setup(players=(), rules=mapping.rules_of(newest.game))))
    data = as_typed(Setup(players=(), rules=PRESETS["thoughtco"]), auto=True)
    data["set_auto"] = data["max_pip"] = str(suits(PRESETS["thoughtco"], MIN_PLAYERS))
    follow_players(data, request.device.max_pip)
    return SetUpForm(data)


def _start(request: DeviceRequest, access: ClubAccess, season: Season, data: Typed, on: str) -> HttpResponse:
    follow_card(data, keep_own=True)
    follow_players(data, request.device.max_pip)
    day = _day(on)
    data["played_on"] = "" if day is None else day.isoformat()
    form = SetUpForm(data)
    if not form.is_valid() or day is None:
        if day is None:
            form.add_error(None, _("The day of the night is needed."))
        return _show(request, access, season, form, on=on, told=True, status=422)
    most = settings.GAMES_PER_MINUTE
    if not services.attempt_counted(what=services.NEW_GAME, address=address(request), most=most):
        form.add_error(None, _("Many games were started here in this minute. Wait a little, then start."))
        return _show(request, access, season, form, on=on, told=True, status=429)
    setup = form.cleaned_data["setup"]
    try:
        started = game_begin(season=season, on=day, setup=setup, by=access.member, who=access.who)
    except Refused as refused:
        if refused.code == "forbidden":
            raise PermissionDenied from refused
        for problem in refused.problems:
            form.add_error(None, sentence(problem))
        return _show(request, access, season, form, on=on, told=True, status=422)
    _remember(request, started)
    return redirect("board", started.sheet.game.slug)


def _remember(request: DeviceRequest, started: Started) -> None:
    request.device.add_game(started.sheet.game.slug, "s", started.scorer_key_id)
    request.device.max_pip = started.sheet.rules.max_pip
    request.device.changed = True


def _show(
    request: DeviceRequest,
    access: ClubAccess,
    season: Season,
    form: SetUpForm,
    *,
    on: str,
    steps: Steps | None = None,
    told: bool = False,
    typed: bool = False,
    status: int = 200,
) -> HttpResponse:
    chosen = request.POST.get("do", "").startswith("chip:")
    find = "" if chosen else request.POST.get("find", "").strip()[:80]
    first, others = chips(season.club, season, form.names, find)
    page: dict[str, Any] = {
        **context(form, steps or Steps(), request.device, told=told),
        "club": access.club,
        "season": season,
        "on": on,
        "find": find,
        "first": first,
        "others": others,
        "searchable": len(first) + len(others) > FIRST_CHIPS,
        "typed": told or typed,
        "ask_who": False,
        "draft": f"club:{access.club.slug}:{season.number}",
    }
    if request.htmx:
        page |= {"live": True, "live_sets": request.POST.get("do") != "look", "live_card": page["card_open"]}
        return render(request, "games/new.html#live", page)
    return render(request, "club/night_game.html", page, status=status)


Chip = tuple[str, bool]


def chips(club: Club, season: Season, names: Sequence[str], find: str) -> tuple[list[Chip], list[Chip]]:
    """Members to tap: those who came last first, and the others; each with whether it is still to be had.

    `find`: only names that have it within.
    """
    members = list(Member.objects.filter(club=club, merged_into=None, left_on=None))
    last = dict(
        ClubGame.objects.filter(night__season=season, seats__member__isnull=False)
        .order_by("night__on")
        .values_list("seats__member", "night__on")
    )
    members.sort(key=lambda one: one.name.casefold())
    members.sort(key=lambda one: last.get(one.pk, date.min), reverse=True)
    wanted = find.casefold()
    taken = {tidy(name).casefold() for name in names}
    found = [(one.name, one.name.casefold() not in taken) for one in members if wanted in one.name.casefold()]
    if find:
        return found, []
    first, others = found[:FIRST_CHIPS], found[FIRST_CHIPS:]
    return first, sorted(others, key=lambda chip: chip[0].casefold())


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@club_may("score")
def night_known(request: DeviceRequest, access: ClubAccess, number: int) -> HttpResponse:
    """Put a game that was played elsewhere on a night: first which one, then who sat where."""
    season = season_of(access, number)
    asked = request.POST.get("game", "") or request.GET.get("game", "")
    game = _known(request, asked.strip()[:LONGEST_LINK])
    if game is None:
        return _choose(request, access, season, asked)
    if request.method != "POST":
        return _seats(request, access, season, game)
    on = _day(request.POST.get("on", ""))
    if on is None:
        return _seats(request, access, season, game, Faults((_("The day of the night is needed."),), 422))

    sheet = sheet_of(game)

    def add(**about: Any) -> None:
        game_add(season=season, on=on, game=game, seats=seats_typed(request, sheet), **about)

    if faults := try_to(request, access, add, sheet.names()):
        return _seats(request, access, season, game, faults)
    return redirect("night", access.club.slug, number, on.isoformat())


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text.strip())
    except ValueError:
        return None


def _known(request: DeviceRequest, asked: str) -> Game | None:
    """A game by its slug, where this device knows it, or by one of its links; None: there is no such game."""
    known = request.device.game(asked)
    if known is not None:
        access = access_by_id(known.key_id, known.slug)
        return None if access is None else access.game
    secret = asked.rstrip("/").rpartition("/")[2]
    access = access_by_secret(secret) if "/" in asked else None
    if access is not None:
        return access.game
    if "/" in asked:
        most = settings.WRONG_KEYS_PER_MINUTE
        services.attempt_counted(what=services.WRONG_KEY, address=address(request), most=most)
    return None


def _choose(request: DeviceRequest, access: ClubAccess, season: Season, asked: str) -> HttpResponse:
    games = [key.game for key in own_keys(request.device)]
    taken = set(ClubGame.objects.filter(game__in=games).values_list("game_id", flat=True))
    sheets: list[Sheet] = [sheet for sheet in sheets_of(games) if sheet.game.pk not in taken]
    page = {
        "club": access.club,
        "season": season,
        "games": [(sheet, game_title(sheet)) for sheet in sheets],
        "asked": asked,
        "faults": [_("This phone knows no such game. A link of the game opens it.")] if asked else [],
    }
    return render(request, "club/night_known.html", page, status=422 if asked else 200)


def _seats(
    request: DeviceRequest, access: ClubAccess, season: Season, game: Game, faults: Faults = NONE
) -> HttpResponse:
    sheet = sheet_of(game)
    posted = request.method == "POST"
    chosen = seats_typed(request, sheet) if posted else seats_by_name(access.club, sheet.names())
    on = game.played_on or timezone.localtime(game.created_at).date()
    page = {
        "club": access.club,
        "season": season,
        "game": game,
        "asked": request.POST.get("game", "") or request.GET.get("game", ""),
        "title": game_title(sheet),
        "seats": seat_choices(sheet, chosen),
        "members": members_by_name(access),
        "on": request.POST.get("on", "") if posted else on.isoformat(),
        "faults": faults.said,
        "most_pips": sheet.rules.max_pip,
    }
    return render(request, "club/night_known.html", page, status=faults.status)
