"""A seat on an own phone: who one is, and the own hand of the coming round.

Knows the pages' flow. Must not judge or write: seats and the engine do.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from django.contrib import messages as notices
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST
from django_htmx.http import HttpResponseClientRedirect

from games import messages, seats
from games.engine.errors import Problem
from games.engine.scoring import HandClaim
from games.messages import Message
from games.permissions import Access
from games.seats import HandCheck, HandTold, coming, hands_in
from games.selectors import Sheet, sheet_of
from games.services import Refused
from games.web.access import sits
from games.web.device import DeviceRequest
from games.web.hands import TypedHand
from games.web.own_phone import draft_key, still_to_come
from games.web.people import Person, people
from games.web.titles import game_title

PAGE = "games/my_hand.html"


class Chair(NamedTuple):
    """One seat to choose: "" (free), "mine" or "held" by another phone."""

    person: Person
    state: str


@dataclass(frozen=True, slots=True)
class MyRow:
    """The own hand as hands.html has its rows."""

    person: Person
    hand: TypedHand
    bad: bool = False

    @property
    def seat(self) -> int:
        return self.person.seat


# Who are you?


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@sits
def seat(request: DeviceRequest, access: Access) -> HttpResponse:
    sheet = sheet_of(access.game)
    if request.method != "POST":
        return _chairs(request, sheet)
    device = request.device.identified()
    if "watch" in request.POST:
        seats.seat_leave(game=access.game, device=device)
        return redirect("board", access.game.slug)
    wanted = _whole(request.POST.get("seat", ""))
    try:
        seats.seat_take(game=access.game, seat=wanted, device=device, take_over="take" in request.POST)
    except Refused as refused:
        if refused.code == "forbidden":
            return _chairs(request, sheet, asked=wanted, status=409)
        notices.warning(request, _("Nobody has this seat any more. Choose again."))
        return _chairs(request, sheet_of(access.game), status=422)
    return redirect("board", access.game.slug)


def _whole(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 4 else 0


def _chairs(request: DeviceRequest, sheet: Sheet, asked: int = 0, status: int = 200) -> HttpResponse:
    persons, held = people(sheet.players), seats.seats_held(sheet.game)
    mine = seats.seat_of(sheet.game, request.device.id)
    sitting = sheet.seats(sheet.next_number or len(sheet.rounds))
    context = {
        "game": sheet.game,
        "title": game_title(sheet),
        "chairs": [Chair(persons[one], _state(held.get(one), request.device.id)) for one in sitting],
        "asked": persons.get(asked),
        "lost": persons[mine[0]] if mine and mine[1] else None,
        "most_pips": sheet.rules.max_pip,
    }
    return render(request, "games/seat.html", context, status=status)


def _state(holder: str | None, device: str) -> str:
    if holder is None:
        return ""
    return "mine" if holder == device else "held"


# The own hand


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@sits
def my_hand(request: DeviceRequest, access: Access) -> HttpResponse:
    sheet = sheet_of(access.game)
    held = seats.seat_of(access.game, request.device.id)
    if held is None or (held[1] and request.method != "POST"):
        return _away(request, "seat", sheet.game.slug)
    if request.method == "POST":
        return _save(request, sheet, held[0])
    number = coming(sheet)
    if number is None or held[0] not in sheet.seats(number):
        notices.info(request, _no_hand(sheet, held[0]))
        return _away(request, "board", sheet.game.slug)
    told = hands_in(sheet.game, number)
    mine = told.get(held[0])
    line = _line(sheet, told, held[0]) if mine is None else _told_line(sheet, mine, told, held[0])
    return _page(request, sheet, held[0], number, as_typed(mine), line)


@require_POST
@never_cache
@sits
def my_check(request: DeviceRequest, access: Access) -> HttpResponse:
    """The line above the pad: what this one hand can be."""
    sheet = sheet_of(access.game)
    held, number = seats.seat_of(access.game, request.device.id), coming(sheet)
    if held is None or number is None or held[0] not in sheet.seats(number):
        return HttpResponse(status=204)
    typed, told = _typed(request.POST, held[0]), hands_in(sheet.game, number)
    line = _line_so_far(sheet, number, held[0], typed, told)
    return render(request, "games/hands.html#check", {"line": line})


def as_typed(told: HandTold | None) -> TypedHand:
    """What is in, as the page's fields have it."""
    if told is None:
        return TypedHand()
    if told.tiles:
        return TypedHand(text=" ".join(told.tiles), marker=told.marker)
    count = "" if told.tile_count is None or told.out else str(told.tile_count)
    return TypedHand(text=str(told.points), count_text=count, marker=told.marker)


def _typed(data: QueryDict, seat: int) -> TypedHand:
    if "out" in data:
        return TypedHand(text="0", marker=f"marker-{seat}" in data)
    return TypedHand(
        text=data.get(f"hand-{seat}", "")[:400],
        count_text=data.get(f"count-{seat}", "")[:40],
        marker=f"marker-{seat}" in data,
    )


def _claim(data: QueryDict, typed: TypedHand, seat: int) -> HandClaim | None:
    if "out" in data:
        return HandClaim(seat=seat, points=0, out=True, marker=typed.marker)
    return typed.claim(seat)


def _save(request: DeviceRequest, sheet: Sheet, seat: int) -> HttpResponse:
    typed, number = _typed(request.POST, seat), _whole(request.POST.get("round", ""))
    claim, now = _claim(request.POST, typed, seat), coming(sheet)
    if number != now:
        return _too_late(request, sheet, seat, number, typed)
    faults = [messages.message(fault, sheet.names()) for fault in typed.faults(seat)]
    if claim is None and not faults:
        faults = [Message(_("No points yet."), _("Blank is not 0. Whoever went out taps “I went out”."))]
    if claim is None or faults:
        return _refused(request, sheet, seat, number, typed, faults)
    check = seats.hand_check(sheet, number, claim, hands_in(sheet.game, number))
    if check.warnings and not check.problems and "sure" not in request.POST:
        line = _question(sheet, check)
        return _page(request, sheet, seat, number, typed, line, status=422)
    who = request.device.who
    try:
        seats.hand_put(game=sheet.game, number=number, claim=claim, device=request.device.id, who=who)
    except Refused as refused:
        if refused.code == "round_number":
            return _too_late(request, sheet_of(sheet.game), seat, number, typed)
        return _refused(request, sheet, seat, number, typed, _why(sheet, seat, refused), refused.code)
    return _away(request, "board", sheet.game.slug)


def _why(sheet: Sheet, seat: int, refused: Refused) -> list[Message]:
    if refused.code == "not_found":
        return [Message(_no_hand(sheet, seat), _("What was typed is still on this phone."))]
    return _lines(sheet, refused.problems)


def _refused(
    request: DeviceRequest,
    sheet: Sheet,
    seat: int,
    number: int,
    typed: TypedHand,
    lines: list[Message],
    code: str = "",
) -> HttpResponse:
    title = _("Not saved: the seat is on another phone") if code == "forbidden" else _("Not saved yet")
    line = {"kind": "red", "title": title, "lines": lines, "bad": [seat], "loud": True}
    return _page(request, sheet, seat, number, typed, line, status=409 if code == "forbidden" else 422)


def _too_late(request: DeviceRequest, sheet: Sheet, seat: int, number: int, typed: TypedHand) -> HttpResponse:
    """The round is not the coming one any more: what was typed beside what is saved. Nothing is lost."""
    known = sheet.round(number)
    saved = known.hands.get(seat) if known else None
    points = _points(sheet, number, seat, typed) if known else None
    context = {
        "game": sheet.game,
        "number": number,
        "person": people(sheet.players)[seat],
        "typed": typed.text or _("nothing"),
        "saved": saved,
        "same": saved is not None and points == saved.points,
        "next": coming(sheet),
        "most_pips": sheet.rules.max_pip,
    }
    return render(request, "games/my_hand_late.html", context, status=409)


def _points(sheet: Sheet, number: int, seat: int, typed: TypedHand) -> int | None:
    claim = typed.claim(seat)
    hand = None if claim is None else seats.hand_check(sheet, number, claim, {}).hand
    return None if hand is None else hand.points


def _no_hand(sheet: Sheet, seat: int) -> str:
    number = coming(sheet)
    if number is None:
        return _("The game is finished: no hand is to be entered.")
    name = sheet.names().get(seat, "")
    return _("%(name)s is not in round %(number)s.") % {"name": name, "number": number}


# What the page says


def _lines(sheet: Sheet, problems: tuple[Problem, ...]) -> list[Message]:
    names = sheet.names()
    return list(dict.fromkeys(messages.message(problem, names) for problem in problems))


def _line(sheet: Sheet, told: dict[int, HandTold], seat: int) -> dict[str, Any]:
    rest = still_to_come(sheet, told, typing=seat)
    return {"kind": "ok", "bad": [], "can": "", "rest": rest, "short": rest, "nothing_yet": True}


def _told_line(sheet: Sheet, mine: HandTold, told: dict[int, HandTold], seat: int) -> dict[str, Any]:
    return _line(sheet, told, seat) | {"can": told_text(mine), "nothing_yet": False}


def told_text(mine: HandTold) -> str:
    return _("Your %(points)s is in.") % {"points": mine.points}


def _question(sheet: Sheet, check: HandCheck) -> dict[str, Any]:
    return {"kind": "brass", "lines": _lines(sheet, check.warnings), "bad": [], "ask": True, "loud": True}


def _line_so_far(
    sheet: Sheet, number: int, seat: int, typed: TypedHand, told: dict[int, HandTold]
) -> dict[str, Any]:
    claim = typed.claim(seat)
    if claim is None:
        return _line(sheet, told, seat)
    check = seats.hand_check(sheet, number, claim, told)
    if check.problems:
        title = _("This hand cannot be right yet")
        return {"kind": "red", "title": title, "lines": _lines(sheet, check.problems), "bad": [seat]}
    if check.warnings:
        return {"kind": "brass", "lines": _lines(sheet, check.warnings), "bad": []}
    points = check.hand.points if check.hand else 0
    can = _("%(points)s can be right.") % {"points": points}
    return _line(sheet, told, seat) | {"can": can, "nothing_yet": False}


def _page(
    request: DeviceRequest,
    sheet: Sheet,
    seat: int,
    number: int,
    typed: TypedHand,
    line: dict[str, Any],
    status: int = 200,
) -> HttpResponse:
    rules, engine = sheet.rules, sheet.engines[number - 1]
    mine = hands_in(sheet.game, number).get(seat)
    context = {
        "game": sheet.game,
        "title": game_title(sheet),
        "number": number,
        "engine": engine,
        "rules": rules,
        "max_pip": rules.max_pip,
        "most_pips": rules.max_pip,
        "halves": range(rules.max_pip + 1),
        "tiles_first": bool(rules.blank_half or rules.doubles_twice),
        "row": MyRow(people(sheet.players)[seat], typed, bad=bool(line["bad"])),
        "told": mine,
        "line": line,
        "kept": status != 200,
        "draft": draft_key(sheet, number, mine.times if mine else 0),
    }
    return render(request, PAGE, context, status=status)


def _away(request: DeviceRequest, name: str, *args: object) -> HttpResponse:
    """To another page, by htmx too."""
    answer = redirect(name, *args)
    return HttpResponseClientRedirect(answer["Location"]) if request.htmx else answer
