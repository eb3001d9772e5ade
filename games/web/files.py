"""A game to take along: as text, picture, table and whole. Nothing of it opens the game."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.http import content_disposition_header
from django.utils.text import slugify
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.files.export import as_json, game_data
from games.permissions import Access
from games.selectors import Sheet, sheet_of
from games.web.access import reads
from games.web.device import DeviceRequest
from games.web.picture import as_picture
from games.web.titles import game_title
from games.web.written import as_csv, as_text

MOST_NAME = 50


@require_safe
@never_cache
@reads
def files(request: DeviceRequest, access: Access) -> HttpResponse:
    sheet = sheet_of(access.game)
    context = {
        "game": access.game,
        "title": game_title(sheet),
        "text": as_text(sheet),
        "png": file_name(sheet, "png"),
    }
    return render(request, "games/files.html", context)


@require_safe
@never_cache
@reads
def file_text(request: DeviceRequest, access: Access) -> HttpResponse:
    sheet = sheet_of(access.game)
    return download(as_text(sheet), "text/plain", file_name(sheet, "txt"))


@require_safe
@never_cache
@reads
def file_csv(request: DeviceRequest, access: Access) -> HttpResponse:
    sheet = sheet_of(access.game)
    return download(as_csv(sheet), "text/csv", file_name(sheet, "csv"))


@require_safe
@never_cache
@reads
def file_json(request: DeviceRequest, access: Access) -> HttpResponse:
    sheet = sheet_of(access.game)
    return download(as_json(game_data(access.game)), "application/json", file_name(sheet, "json"))


@require_safe
@never_cache
@reads
def file_picture(request: DeviceRequest, access: Access) -> HttpResponse:
    sheet = sheet_of(access.game)
    return download(as_picture(sheet), "image/svg+xml", file_name(sheet, "svg"))


def file_name(sheet: Sheet, ending: str) -> str:
    """«friday-at-ruths.csv»: letters that every phone keeps."""
    day = sheet.game.played_on
    title = sheet.game.name or " ".join(sheet.names().values())
    words = slugify(f"{day.isoformat() if day else ''} {title}")[:MOST_NAME].strip("-")
    return f"{words or 'scorekeeper'}.{ending}"


def download(content: str | bytes, kind: str, name: str) -> HttpResponse:
    mark = "; charset=utf-8" if isinstance(content, str) else ""
    response = HttpResponse(content, content_type=f"{kind}{mark}")
    response["Content-Disposition"] = content_disposition_header(True, name) or "attachment"
    return response
