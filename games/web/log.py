"""Every change of a game, newest first: who, when, what, and why."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.permissions import Access
from games.selectors import log_of, sheet_of
from games.web.access import reads
from games.web.changes import change_words
from games.web.device import DeviceRequest
from games.web.people import people
from games.web.titles import game_title


@require_safe
@never_cache
@reads
def log(request: DeviceRequest, access: Access) -> HttpResponse:
    sheet = sheet_of(access.game)
    names = sheet.names()
    entries = log_of(access.game).entries
    by_number = {entry.number: entry for entry in entries}
    context = {
        "game": access.game,
        "title": game_title(sheet),
        "people": people(sheet.players),
        "changes": [change_words(entry, by_number, names, sheet.laid) for entry in reversed(entries)],
        "may_score": access.may_score,
        "most_pips": sheet.rules.max_pip,
    }
    return render(request, "games/log.html", context)
