"""Hands that come in from own phones, on the page where the scorer enters a round.

Knows the page's rows. What the scorer typed is never changed: a hand that says otherwise is told beside it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games import seats
from games.permissions import Access
from games.selectors import Sheet, sheet_of
from games.web.access import scores
from games.web.board import unchanged
from games.web.device import DeviceRequest
from games.web.hands import Entry, TypedHand
from games.web.own_hand import as_typed


class Told(NamedTuple):
    """What is known from the phone of one seat: `hand` None where it is yet to come."""

    seat: int
    hand: TypedHand | None
    out: bool
    says: str  # «Ben’s phone says 18.»
    sent: str  # «from Ben’s phone», «own phone, not yet»


@require_safe
@never_cache
def hands_in(request: DeviceRequest, slug: str, number: int) -> HttpResponse:
    """204 by one query while nothing came in, else all that is in."""
    return _news(request, slug, number)


@scores
def _news(request: DeviceRequest, access: Access, number: int) -> HttpResponse:
    if nothing := unchanged(request, access.game.slug):
        return nothing
    sheet = sheet_of(access.game)
    context = {"game": access.game, "number": number, "phones": phones(sheet, number)}
    return render(request, "games/hands.html#hands_in", context)


def phones(sheet: Sheet, number: int) -> list[Told]:
    """For each seat of round `number` that has a phone or a hand in, in the order they sit."""
    if number != sheet.next_number or not sheet.game.stirred:
        return []
    told, held, names = seats.hands_in(sheet.game, number), seats.seats_held(sheet.game), sheet.names()
    found = []
    for seat in sheet.seats(number):
        hand = told.get(seat)
        name = {"name": names[seat]}
        if hand is not None:
            says = _("%(name)s’s phone says %(points)s.") % {**name, "points": hand.points}
            if hand.out:
                says = _("%(name)s’s phone says: went out.") % name
            sent = _("from %(name)s’s phone") % name
            found.append(Told(seat, as_typed(hand), hand.out, says, sent))
        elif seat in held:
            found.append(Told(seat, None, out=False, says="", sent=_("on an own phone")))
    return found


def filled(entry: Entry, told: list[Told]) -> Entry:
    """The page's empty rows with what came from phones."""
    hands = dict(entry.hands)
    for one in told:
        if one.hand is not None and not hands[one.seat].text.strip():
            marker = one.hand.marker or hands[one.seat].marker
            hands[one.seat] = replace(one.hand, marker=marker)
    return replace(entry, hands=hands)
