"""A round as it is being written, for whoever watches its game: only read, and followed like the board.

Knows the draft of a game's coming round. Must not show its key, which is the right to write.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRedirect

from games import drafts
from games.engine import writing
from games.models import Game
from games.permissions import Access
from games.seats import coming
from games.selectors import sheet_of
from games.web.access import reads
from games.web.board import ONE_AT_A_TIME, unchanged
from games.web.device import DeviceRequest
from games.web.write.shown import persons_of, table_now, turn_of
from games.writing_words import out_words, seen_words

PAGE = "write/watched.html"


@require_safe
@never_cache
@reads
def round_written(request: DeviceRequest, access: Access, number: int) -> HttpResponse:
    """The table as it stands; to the board once the round is in, or its record thrown away."""
    page = _context(access.game, number, str(request.GET.get("open", "")))
    if page is None:
        return redirect("board", access.game.slug)
    return render(request, PAGE, page | {"may_score": access.may_score})


@require_safe
@never_cache
def round_written_live(request: DeviceRequest, slug: str, number: int) -> HttpResponse:
    return unchanged(request, slug) or _news(request, slug, number)


@reads
def _news(request: DeviceRequest, access: Access, number: int) -> HttpResponse:
    game, unfolded = access.game, str(request.GET.get("open", ""))[:4]
    with ONE_AT_A_TIME:
        page = _drawn(game.slug, game.stamp, number, unfolded, get_language())
    if page is not None:
        return HttpResponse(page)
    board = reverse("board", args=[game.slug])
    return HttpResponseClientRedirect(board) if request.htmx else redirect(board)


@lru_cache(maxsize=64)
def _drawn(slug: str, stamp: str, number: int, unfolded: str, language: str | None) -> str | None:
    """The table of one stamp, drawn once for everybody who watches; None where there is none any more."""
    page = _context(Game.objects.get(slug=slug), number, unfolded)
    return None if page is None else render_to_string(f"{PAGE}#news", page | {"live": True})


def _context(game: Game, number: int, unfolded: str) -> dict[str, Any] | None:
    draft = drafts.draft_of(game, number) if number == coming(sheet_of(game)) else None
    if draft is None:
        return None
    record = drafts.record_of(draft)
    at, persons = writing.now(record), persons_of(record)
    return {
        "game": game,
        "number": number,
        "view": table_now(at, persons, unfolded),
        "most_pips": record.rules.max_pip,
        "unfolded": unfolded if unfolded in record.players or unfolded == "M" else "",
        "yard": at.state.boneyard,
        "turn": turn_of(at),
        "person": persons.get(at.player or ""),
        "out": out_words(record) if record.ended else "",
        "last": seen_words(record),
    }
