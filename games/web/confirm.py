"""A second person looks at a round as it was entered, and says that it is right. Nothing can be changed here.

Knows the page. Must not judge or write: seats do.
"""

from __future__ import annotations

from typing import NamedTuple

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games import seats
from games.messages import number as figure
from games.messages import sentence
from games.permissions import Access
from games.seats import round_confirm
from games.selectors import HandCell, RoundSheet, Sheet, log_of, sheet_of
from games.services import Conflict, Refused
from games.web.access import reads
from games.web.actions import shown_version
from games.web.device import DeviceRequest
from games.web.people import Person, people
from games.web.titles import game_title

TRIES = 3  # how often a confirmation that collided with other changes of the game is tried again


class Line(NamedTuple):
    person: Person
    hand: HandCell
    score: str
    dispute: str


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@reads
def confirm(request: DeviceRequest, access: Access, number: int) -> HttpResponse:
    if not access.may_confirm:
        raise PermissionDenied
    sheet = sheet_of(access.game)
    entry = sheet.round(number)
    if not sheet.game.second_person:
        raise Http404
    if entry is None:
        return redirect("board", sheet.game.slug)  # taken back meanwhile: the board says so
    who = _who(request, access, sheet)
    if who is None:
        return redirect("seat", sheet.game.slug)
    if request.method != "POST":
        return _page(request, sheet, entry)
    if _touched(sheet, number, shown_version(request)):
        return _page(request, sheet, entry, changed=True, status=409)
    return _save(request, sheet, number, who)


def _who(request: DeviceRequest, access: Access, sheet: Sheet) -> str | None:
    """Whose name the confirmation carries; None for a phone that came for a seat and has none."""
    if access.may_score:
        return request.device.who
    held = seats.seat_of(sheet.game, request.device.id)
    if held is None or held[1]:
        return None
    return request.device.who or sheet.names()[held[0]]


def _save(request: DeviceRequest, sheet: Sheet, number: int, who: str) -> HttpResponse:
    device, shown = request.device.identified(), shown_version(request)
    for _attempt in range(TRIES):
        try:
            round_confirm(game=sheet.game, number=number, device=device, who=who, version=sheet.game.version)
        except Conflict as conflict:
            sheet = conflict.sheet
            if _touched(sheet, number, shown):
                break
        except Refused as refused:
            names = sheet.names()
            said = [sentence(problem, names) for problem in refused.problems]
            entry = sheet.round(number)
            return _page(request, sheet, entry, said=said, status=409) if entry else _board(sheet)
        else:
            return _board(sheet)
    entry = sheet.round(number)
    return _page(request, sheet, entry, changed=True, status=409) if entry else _board(sheet)


def _board(sheet: Sheet) -> HttpResponse:
    return redirect("board", sheet.game.slug)


def _touched(sheet: Sheet, number: int, shown: int) -> bool:
    """Whether the round changed since the version that was shown; a confirmation changes none of it."""
    return shown > sheet.game.version or log_of(sheet.game).touched(number, shown)


def _page(
    request: DeviceRequest,
    sheet: Sheet,
    entry: RoundSheet,
    *,
    changed: bool = False,
    said: list[str] | None = None,
    status: int = 200,
) -> HttpResponse:
    persons, phone = people(sheet.players), request.device.id
    own = bool(phone) and seats.entered_by(sheet.game).get(entry.number) == phone
    context = {
        "game": sheet.game,
        "title": game_title(sheet),
        "round": entry,
        "lines": [
            Line(
                persons[seat],
                hand,
                figure(hand.score),
                reverse("challenge", args=[sheet.game.slug, entry.number, seat]),
            )
            for seat, hand in sorted(entry.hands.items(), key=lambda item: list(persons).index(item[0]))
        ],
        "changed": changed,
        "said": said or [],
        "own": own and not entry.confirmed,
        "wrong": "wrong" in request.GET,
        "most_pips": sheet.rules.max_pip,
    }
    return render(request, "games/confirm.html", context, status=status)
