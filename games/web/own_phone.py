"""What boards show of own phones: hands that are in, this phone's own, rounds that wait for a second person.

Knows the board's lines. Must not know forms, or write.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.messages import listed, number
from games.permissions import Access
from games.seats import HandTold, coming, entered_by, hands_in, seat_of
from games.selectors import Sheet
from games.web.device import DeviceRequest
from games.web.people import Person, people

MOST_LISTED = 3  # rounds that are named one by one
MOST_NAMED = 6  # beyond so many players, those to come are counted


@dataclass(frozen=True, slots=True)
class Closed:
    """A round that was saved with another number than this phone had told."""

    number: int
    said: int
    saved: int
    dispute: str


@dataclass(frozen=True, slots=True)
class OwnHand:
    """This phone's seat and hand. `person` None: it has no seat; `lost`: another phone has it now."""

    person: Person | None
    lost: bool
    number: int | None  # the coming round, where this player is in it
    told: HandTold | None
    rest: str
    closed: Closed | None
    drafts_done: tuple[str, ...]

    @property
    def seated(self) -> bool:
        return self.person is not None and not self.lost


def own_phone(request: DeviceRequest, access: Access, sheet: Sheet) -> dict[str, Any]:
    """For the board of a phone that may do more than watch: `mine` and `waits`."""
    if not access.may_confirm:
        return {}
    found: dict[str, Any] = {}
    mine = None
    if access.may_sit:
        mine = found["mine"] = own_hand(sheet, request.device.id)
    if waiting := sheet.unconfirmed:
        found["waits"] = _waits(sheet, waiting, request.device.id, asked=mine is None or mine.seated)
    return found


def seated_name(request: DeviceRequest, sheet: Sheet) -> str:
    """Whose seat this phone has; "" if it has none."""
    held = seat_of(sheet.game, request.device.id)
    return "" if held is None or held[1] else sheet.names()[held[0]]


def own_hand(sheet: Sheet, device: str) -> OwnHand:
    held = seat_of(sheet.game, device)
    now = coming(sheet)
    if held is None or held[1]:
        person = None if held is None else people(sheet.players)[held[0]]
        return OwnHand(person, held is not None, now, None, "", None, ())
    seat, now = held[0], now if now is not None and held[0] in sheet.seats(now) else None
    told = hands_in(sheet.game, now) if now else {}
    one = told.get(seat)
    return OwnHand(
        person=people(sheet.players)[seat],
        lost=False,
        number=now,
        told=one,
        rest=still_to_come(sheet, told) if one else "",
        closed=_closed(sheet, seat),
        drafts_done=() if one is None or now is None else (draft_key(sheet, now, one.times - 1),),
    )


def draft_key(sheet: Sheet, at: int, times: int) -> str:
    """What the phone keeps typed numbers under, until they are in."""
    return f"g:{sheet.game.slug}:mine:{at}:{times}"


def still_to_come(sheet: Sheet, told: dict[int, HandTold], typing: int | None = None) -> str:
    """Who has told nothing yet. Whoever is `typing` just now is not waited for on that phone."""
    seats = sheet.seats(coming(sheet) or 0)
    missing = [seat for seat in seats if seat not in told]
    names = sheet.names()
    if not missing:
        return _("All %(count)s are in.") % {"count": len(seats)}
    if len(seats) > MOST_NAMED:
        return _("%(count)s of %(all)s are in.") % {"count": len(seats) - len(missing), "all": len(seats)}
    others = [names[seat] for seat in missing if seat != typing]
    if not others:
        return _("All the others are in.")
    return _("Still to come: %(names)s.") % {"names": ", ".join(others)}


def told_words(sheet: Sheet) -> str:
    """«3 of 5 hands are in.», once one came from an own phone."""
    now = coming(sheet)
    if now is None or not sheet.game.stirred:
        return ""
    seats = sheet.seats(now)
    count = len(hands_in(sheet.game, now).keys() & set(seats))
    if not count:
        return ""
    text = ngettext("%(count)s of %(all)s hands is in.", "%(count)s of %(all)s hands are in.", count)
    return text % {"count": count, "all": len(seats)}


def _closed(sheet: Sheet, seat: int) -> Closed | None:
    """The newest round, if this phone told another number than was saved."""
    if not sheet.rounds:
        return None
    last = sheet.rounds[-1]
    told, saved = hands_in(sheet.game, last.number).get(seat), last.hands.get(seat)
    if told is None or saved is None or told.points == saved.points:
        return None
    dispute = reverse("challenge", args=[sheet.game.slug, last.number, seat])
    return Closed(last.number, told.points, saved.points, dispute)


def _waits(sheet: Sheet, waiting: list[int], device: str, *, asked: bool) -> dict[str, Any]:
    """The line about rounds not confirmed; `number` of the newest that this phone may confirm."""
    text = ngettext(
        "Round %(numbers)s is not confirmed yet.", "Rounds %(numbers)s are not confirmed yet.", len(waiting)
    )
    if len(waiting) > MOST_LISTED:
        text = ngettext(
            "%(count)s round is not confirmed yet.", "%(count)s rounds are not confirmed yet.", len(waiting)
        )
    entered = entered_by(sheet.game) if asked else {}
    theirs = [one for one in waiting if asked and not (device and entered.get(one) == device)]
    return {
        "text": text % {"numbers": listed([number(one) for one in waiting]), "count": len(waiting)},
        "number": theirs[-1] if theirs else None,
    }
