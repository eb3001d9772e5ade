"""Undo, Redo, finishing early, taking the last round back: a POST each, and back to the board."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from django.contrib import messages as notices
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from games import services
from games.engine.errors import Problem
from games.messages import sentence
from games.permissions import Access
from games.selectors import log_of, sheet_of
from games.services import Conflict, Refused, Written
from games.web.access import scores
from games.web.changes import title, who_words
from games.web.club.back import doubt_about
from games.web.device import DeviceRequest


def shown_version(request: DeviceRequest) -> int:
    """The version the page showed. A form without one is as good as an old one."""
    text = request.POST.get("version", "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 0


@require_POST
@scores
def undo(request: DeviceRequest, access: Access) -> HttpResponse:
    return _act(request, access, services.change_undo)


@require_POST
@scores
def redo(request: DeviceRequest, access: Access) -> HttpResponse:
    return _act(request, access, services.change_redo)


@require_POST
@scores
def finish(request: DeviceRequest, access: Access) -> HttpResponse:
    return _act(request, access, services.game_finish, then="end")


@require_POST
@scores
def round_remove(request: DeviceRequest, access: Access, number: int) -> HttpResponse:
    def remove(**about: object) -> Written:
        return services.round_remove(number=number, **about)  # type: ignore[arg-type]

    return _act(request, access, remove)


def _act(
    request: DeviceRequest, access: Access, write: Callable[..., Written], then: str = "board"
) -> HttpResponse:
    try:
        write(
            game=access.game,
            who=request.device.who,
            version=shown_version(request),
            **({"device": request.device.identified()} if write in BY_A_PHONE else {}),
        )
    except Conflict:
        notices.warning(request, meanwhile(access))
        then = "board"
    except Refused as refused:
        names = sheet_of(access.game).names()
        words = [sentence(problem, names) for problem in refused.problems] or [_nothing(refused.code)]
        words += (_to_the_doubt(request, access, problem) for problem in refused.problems)
        notices.warning(request, format_html_join(" ", "{}", ((one,) for one in words if one)))
        then = "board"
    return redirect(then, access.game.slug)


BY_A_PHONE = (services.change_undo, services.change_redo)  # who brings a round back does not confirm it


def _to_the_doubt(request: DeviceRequest, access: Access, problem: Problem) -> str:
    """The way to where a score was decided at which Undo stops, for who may read it there."""
    if problem.code != "undo_decided":
        return ""
    found = doubt_about(request, access.game, cast(int, problem.params["round"]))
    if found is None:
        return ""
    url = reverse("doubt", args=[found.club_game.night.season.club.slug, found.number])
    return format_html('<a href="{}">{}</a>', url, _("To the decision"))


def _nothing(code: str) -> str:
    return _("There is nothing to do again.") if code == "nothing_to_redo" else _("There is nothing to undo.")


def meanwhile(access: Access) -> str:
    """Nothing was done, and why: what somebody else did in between."""
    log = log_of(access.game)
    newest = log.entries[-1]
    entries = {entry.number: entry for entry in log.entries}
    return _("Nothing was changed: the game had moved on. Newest change: %(what)s (%(who)s).") % {
        "what": title(newest, entries, sheet_of(access.game).names()),
        "who": who_words(newest),
    }
