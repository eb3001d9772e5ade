"""Abandoning and deleting a game: each asks once, on a page of its own; and what brings it back."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages as notices
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games import removal
from games.messages import sentence
from games.models import Status
from games.permissions import Access
from games.selectors import links_of, sheet_of
from games.services import Conflict, Refused, Written
from games.web.access import restores, scores
from games.web.actions import meanwhile, shown_version
from games.web.device import DeviceRequest
from games.web.gone import deleted_of
from games.web.home import deleted_games as deleted_by_device
from games.web.titles import game_title


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@scores
def abandon(request: DeviceRequest, access: Access) -> HttpResponse:
    if request.method != "POST":
        return _ask(request, access, "games/abandon.html")
    return _do(request, access, removal.game_abandon) or redirect("end", access.game.slug)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@restores
def delete(request: DeviceRequest, access: Access) -> HttpResponse:
    if access.deleted:  # the same form again: what it asked for is done
        return redirect("deleted_games")
    if request.method != "POST":
        return _ask(request, access, "games/delete.html")
    stopped = _do(request, access, removal.game_delete)
    if stopped is None:
        said = _("%(title)s is deleted.") % {"title": game_title(sheet_of(access.game))}
        notices.success(request, said)
    return stopped or redirect("deleted_games")


@require_POST
@restores
def restore(request: DeviceRequest, access: Access) -> HttpResponse:
    return _do(request, access, removal.game_restore) or redirect("board", access.game.slug)


@require_safe
@never_cache
def deleted_games(request: DeviceRequest) -> HttpResponse:
    games = deleted_of(deleted_by_device(request.device))
    return render(request, "deleted_games.html", {"games": games})


def _ask(request: DeviceRequest, access: Access, page: str) -> HttpResponse:
    sheet = sheet_of(access.game)
    context = {
        "game": access.game,
        "sheet": sheet,
        "title": game_title(sheet),
        "playing": access.game.status == Status.PLAYING,
        "links": len(links_of(access.game)),
    }
    return render(request, page, context)


def _do(request: DeviceRequest, access: Access, write: Callable[..., Written]) -> HttpResponse | None:
    """Do it for the version that was shown; else back to the board, which says why nothing was done."""
    try:
        write(game=access.game, who=request.device.who, version=shown_version(request))
    except Conflict:
        notices.warning(request, meanwhile(access))
    except Refused as refused:
        names = sheet_of(access.game).names()
        notices.warning(request, " ".join(sentence(problem, names) for problem in refused.problems))
    else:
        return None
    return redirect("board", access.game.slug)
