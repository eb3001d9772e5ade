"""The board, the news that an open board asks for, and the menu of what else a game offers."""

from __future__ import annotations

from functools import lru_cache
from threading import Lock
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.models import Game, Status
from games.permissions import Access, stamp_by_id
from games.selectors import log_of, sheet_of
from games.web.access import opened, reads
from games.web.changes import change_words
from games.web.club.back import season_of_game
from games.web.device import DeviceRequest
from games.web.grid import By, board_of
from games.web.own_phone import own_phone, told_words
from games.web.titles import game_title
from games.web.write.line import line_of

PAGE = "games/board.html"


@require_safe
@never_cache
@reads
def board(request: DeviceRequest, access: Access) -> HttpResponse:
    return render(
        request, PAGE, board_context(request, access) | {"season": season_of_game(request, access.game)}
    )


def board_context(request: DeviceRequest, access: Access) -> dict[str, object]:
    context = _context(access.game, order(request), may_score=access.may_score)
    return context | own_phone(request, access, context["board"].sheet)


def order(request: DeviceRequest) -> By:
    return "seat" if request.GET.get("by") == "seat" else "place"


def _context(game: Game, by: By, *, may_score: bool) -> dict[str, Any]:
    """Three queries: players, hands, log; two more once something stirred it: own phones, a record."""
    sheet = sheet_of(game)
    board = board_of(sheet, log_of(game), by)
    return {
        "game": game,
        "board": board,
        "writing": line_of(sheet, board.open_number),
        "told": told_words(sheet),
        "may_score": may_score,
        "most_pips": sheet.rules.max_pip,
    }


@require_safe
@never_cache
def live(request: DeviceRequest, slug: str) -> HttpResponse:
    return unchanged(request, slug) or _news(request, slug)


def unchanged(request: DeviceRequest, slug: str) -> HttpResponse | None:
    """204 by one query while the version that the page shows is still the newest."""
    known = request.device.game(slug)
    newest = None if known is None else stamp_by_id(known.key_id, slug)
    if newest is None:
        access = opened(request, slug)  # by the account of whoever is signed in
        newest = None if access is None or access.deleted else access.game.stamp
    if newest is None:
        raise Http404
    return HttpResponse(status=204) if request.GET.get("v") == newest else None


@reads
def _news(request: DeviceRequest, access: Access) -> HttpResponse:
    if access.may_confirm:
        return render(request, f"{PAGE}#news", board_context(request, access) | {"live": True})
    with ONE_AT_A_TIME:
        page = _watched(access.game.slug, access.game.stamp, order(request), get_language())
    return HttpResponse(page)


ONE_AT_A_TIME = Lock()  # a hall asks all at once: the first draws the board, the others wait for it


@lru_cache(maxsize=64)
def _watched(slug: str, stamp: str, by: By, language: str | None) -> str:
    """The news of one version, drawn once for everybody who watches: nothing in them is one phone's own.

    Whatever changes the game counts its version up, and a hand that comes in its stamp: so this can only be
    newer than what was asked for.
    """
    context = _context(Game.objects.get(slug=slug), by, may_score=False)
    return render_to_string(f"{PAGE}#news", context | {"live": True})


@require_safe
@never_cache
@reads
def more(request: DeviceRequest, access: Access) -> HttpResponse:
    game, log = sheet_of(access.game), log_of(access.game)
    entries = {entry.number: entry for entry in log.entries}
    back = {
        name: change_words(entry, entries, game.names())
        for name, entry in (("undo", log.undo), ("held", log.held))
        if entry is not None and access.may_score
    }
    context = {
        "game": access.game,
        "sheet": game,
        **back,
        "title": game_title(game),
        "may_score": access.may_score,
        "may_sit": access.may_sit,
        "finished": access.game.status == Status.FINISHED,
        "abandoned": access.game.abandoned_at is not None,
        "may_abandon": access.may_score and access.game.status == Status.PLAYING,
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
