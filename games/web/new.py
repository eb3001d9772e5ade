"""A new game on one page, and the same page for a game that no round is in yet.

Knows what a start leaves on the device. Buttons that only change the form render it again and write nothing.
"""

from __future__ import annotations

import hashlib
import json
import re
import secrets
from typing import Any

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods

from games import accounts, mapping, rule_words, selectors, services
from games.engine.rules import PRESETS, suits
from games.forms import SetUpForm, as_typed, follow_card, follow_players
from games.permissions import Access
from games.services import MIN_PLAYERS, Conflict, Refused, Setup
from games.web.access import address, opened, reads
from games.web.actions import shown_version
from games.web.device import DeviceRequest
from games.web.set_up import Steps, Typed, compare, context, linked, step
from games.web.titles import game_title

START = "start"
ONCE = re.compile(r"[\w-]{22}", re.ASCII)  # the secret of one form, so that it makes one game
NOT_THE_FORM = {"once", "csrfmiddlewaretoken", "do"}


@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(private=True, no_cache=True)  # not no-store: Back must find what was typed
def new(request: DeviceRequest) -> HttpResponse:
    if request.method != "POST":
        return _show(request, first_form(request))
    data = request.POST.copy()
    if data.get("do") != START:
        return _stepped(request, data)
    follow_card(data, keep_own=True)
    follow_players(data, request.device.max_pip)
    form = SetUpForm(data)
    if not form.is_valid():
        return _show(request, form, told=True, status=422)
    request.device.who = form.cleaned_data["who"] or request.device.who
    setup: Setup = form.cleaned_data["setup"]
    try:
        slug, key = services.game_made_once(
            form=fingerprint(data),
            make=lambda: services.game_start(setup=setup, who=request.device.who),
            address=address(request),
            most=settings.GAMES_PER_MINUTE,
        )
    except Refused:
        form.add_error(None, _("Many games were started here in this minute. Wait a little, then start."))
        return _show(request, form, told=True, status=429)
    remember(request, setup, slug, key)
    return redirect("board", slug)


@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(private=True, no_cache=True)  # not no-store: Back must find what was typed
@reads
def set_up(request: DeviceRequest, access: Access) -> HttpResponse:
    sheet = selectors.sheet_of(access.game)
    if request.method != "POST":
        if sheet.rounds or not access.may_score:
            return _card(request, sheet)
        return _show(request, SetUpForm(_with_card(request, as_typed(_setup_of(sheet)))), sheet=sheet)
    if not access.may_score:
        raise PermissionDenied
    data = request.POST.copy()
    if data.get("do") != START:
        return _stepped(request, data, sheet=sheet)
    return _set_up_anew(request, access, data)


def _set_up_anew(request: DeviceRequest, access: Access, data: Typed) -> HttpResponse:
    follow_card(data, keep_own=True)
    form = SetUpForm(data)
    sheet = selectors.sheet_of(access.game)
    if not form.is_valid():
        return _show(request, form, told=True, sheet=sheet, status=422)
    try:
        services.game_set_up_anew(
            game=access.game,
            setup=form.cleaned_data["setup"],
            who=request.device.who,
            version=shown_version(request),
        )
    except Conflict as conflict:
        if conflict.sheet.rounds:
            return _card(request, conflict.sheet, status=409)
        if _setup_of(conflict.sheet) == form.cleaned_data["setup"]:
            return redirect("board", access.game.slug)  # sent twice
        form.add_error(None, _("This game was changed meanwhile. What you typed is still here."))
        return _show(request, form, told=True, sheet=conflict.sheet, status=409)
    except Refused:
        return _card(request, selectors.sheet_of(access.game), status=409)
    request.device.add_names(form.names)
    return redirect("board", access.game.slug)


def first_form(request: DeviceRequest) -> SetUpForm:
    """The form as it is opened: blank, or with the people and rules of a game this device knows."""
    access = opened(request, request.GET.get("again", ""))
    if access is not None:
        sheet = selectors.sheet_of(access.game)
        return SetUpForm(_with_card(request, as_typed(_setup_of(sheet, again=True))))
    rules = PRESETS["thoughtco"]
    data = _with_card(request, as_typed(Setup(players=(), rules=rules), auto=True))
    data["set_auto"] = data["max_pip"] = str(suits(rules, MIN_PLAYERS))
    follow_players(data, request.device.max_pip)
    return SetUpForm(data)


def _with_card(request: DeviceRequest, data: Typed) -> Typed:
    """The form with the card that was chosen on a page of rules."""
    data["preset"] = request.GET.get("rules", data["preset"])
    follow_card(data, keep_own=False)
    if data["preset"] not in PRESETS:
        data["preset"] = data["card_of"]
    return data


def _setup_of(sheet: selectors.Sheet, *, again: bool = False) -> Setup:
    """A game as it was set up; `again`: for another one with the same people and rules."""
    game, rules = sheet.game, mapping.rules_of(sheet.game)
    staying = [player.name for player in sheet.players if player.to_round is None]
    return Setup(
        players=staying,
        rules=rules,
        first_engine=None if game.first_engine == rules.max_pip else game.first_engine,
        rounds=None if game.round_count == game.first_engine + 1 else game.round_count,
        name="" if again else game.name,
        played_on=None if again else game.played_on,
        second_person=game.second_person,
    )


def _stepped(request: DeviceRequest, data: Typed, sheet: selectors.Sheet | None = None) -> HttpResponse:
    steps = step(data, str(data.get("do", "")), request.device)
    return _show(request, SetUpForm(data), steps=steps, sheet=sheet, typed=True)


def _show(
    request: DeviceRequest,
    form: SetUpForm,
    *,
    steps: Steps | None = None,
    told: bool = False,
    typed: bool = False,
    sheet: selectors.Sheet | None = None,
    status: int = 200,
) -> HttpResponse:
    again = request.GET.get("again", "")
    page: dict[str, Any] = {
        **context(form, steps or Steps(), request.device, told=told),
        "typed": told or typed,
        "again": again,
        "draft": f"new:{again}" if again else "new",
        "once": once_of(request.POST) or secrets.token_urlsafe(16),
    }
    if sheet is not None:
        page |= {
            "game": sheet.game,
            "title": game_title(sheet),
            "draft": f"g:{sheet.game.slug}:set-up:{sheet.game.version}",
        }
    if request.htmx:
        page |= {"live": True, "live_sets": request.POST.get("do") != "look", "live_card": page["card_open"]}
        return render(request, "games/new.html#live", page)
    return render(request, "games/new.html", page, status=status)


def _card(request: DeviceRequest, sheet: selectors.Sheet, status: int = 200) -> HttpResponse:
    """The house rules of a game in words; once a round is in they are frozen."""
    page = {
        "game": sheet.game,
        "title": game_title(sheet),
        "frozen": bool(sheet.rounds),
        "late": status == 409,
        "card_name": rule_words.preset_name(sheet.rules),
        "rounds": rule_words.rounds(sheet.game.round_count),
        "groups": linked(rule_words.card(sheet.rules, len(sheet.seats(1))), sheet.rules.preset),
        "compare": compare(sheet.rules, len(sheet.seats(1))),
        "most_pips": sheet.rules.max_pip,
    }
    return render(request, "games/card.html", page, status=status)


def once_of(data: Typed) -> str:
    given = str(data.get("once", ""))
    return given if ONCE.fullmatch(given) else ""


def fingerprint(data: Typed) -> str:
    """The same for the same form sent twice, and for no other; a form without its secret is always new."""
    once = once_of(data) or secrets.token_urlsafe(16)
    fields = sorted((name, data.getlist(name)) for name in data if name not in NOT_THE_FORM)
    return hashlib.sha256(json.dumps([once, fields]).encode()).hexdigest()


def remember(request: DeviceRequest, setup: Setup, slug: str, key: int) -> None:
    """The phone knows the game from now on, and so does the account of whoever is signed in on it."""
    device = request.device
    if request.user.is_authenticated:
        accounts.games_claim(user=request.user, key_ids=[key])
    device.add_game(slug, "s", key)
    device.add_names(setup.players)
    device.max_pip = setup.rules.max_pip
