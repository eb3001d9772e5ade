"""The board, the news that an open board asks for, and the menu of what else a game offers."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.models import Status
from games.permissions import Access, version_by_id
from games.selectors import log_of, sheet_of
from games.web.access import reads
from games.web.changes import change_words
from games.web.device import DeviceRequest
from games.web.grid import By, board_of
from games.web.titles import game_title

PAGE = "games/board.html"


@require_safe
@never_cache
@reads
def board(request: DeviceRequest, access: Access) -> HttpResponse:
    return render(request, PAGE, board_context(request, access))


def board_context(request: DeviceRequest, access: Access) -> dict[str, object]:
    """Three queries: players, hands, log."""
    by: By = "seat" if request.GET.get("by") == "seat" else "place"
    sheet = sheet_of(access.game)
    return {
        "game": access.game,
        "board": board_of(sheet, log_of(access.game), by),
        "may_score": access.may_score,
        "most_pips": sheet.rules.max_pip,
    }


@require_safe
@never_cache
def live(request: DeviceRequest, slug: str) -> HttpResponse:
    return unchanged(request, slug) or _news(request, slug)


def unchanged(request: DeviceRequest, slug: str) -> HttpResponse | None:
    """204 by one query while the version that the page shows is still the newest."""
    known = request.device.game(slug)
    version = None if known is None else version_by_id(known.key_id, slug)
    if version is None:
        raise Http404
    return HttpResponse(status=204) if request.GET.get("v") == str(version) else None


@reads
def _news(request: DeviceRequest, access: Access) -> HttpResponse:
    return render(request, f"{PAGE}#news", board_context(request, access) | {"live": True})


@require_safe
@never_cache
@reads
def more(request: DeviceRequest, access: Access) -> HttpResponse:
    game, log = sheet_of(access.game), log_of(access.game)
    entries = {entry.number: entry for entry in log.entries}
    undo = change_words(log.undo, entries, game.names()) if access.may_score and log.undo else None
    context = {
        "game": access.game,
        "sheet": game,
        "undo": undo,
        "title": game_title(game),
        "may_score": access.may_score,
        "finished": access.game.status == Status.FINISHED,
        "may_finish": access.may_score and access.game.status == Status.PLAYING and bool(game.rounds),
        "most_pips": game.rules.max_pip,
    }
    return sheet(request, "games/more.html", context)


def sheet(request: DeviceRequest, page: str, context: dict[str, object]) -> HttpResponse:
    """A sheet by itself for an open board, or the same as a page of its own."""
    if not request.htmx:
        return render(request, page, context)
    response = render(request, f"{page}#sheet", context)
    response["HX-Push-Url"] = "false"  # games/sheet.js makes the entry in the history
    return response
