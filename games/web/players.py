"""Who plays: people who join late, leave, come back, or sit and are called otherwise; penalties and bonuses.

Knows the forms of both pages and what a change would do. Must not judge or write: the services do.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import NamedTuple

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games import rule_words, services
from games.engine.errors import Problem
from games.engine.standings import Start
from games.messages import message, number, sentence, signed
from games.models import NAME_LENGTH, REASON_LENGTH, Player, Status
from games.names import tidy
from games.permissions import Access
from games.place_words import place_name
from games.selectors import STARTS, Sheet, build_sheet, deal_is_short, sheet_of
from games.services import Conflict, Refused, Written
from games.web.access import scores
from games.web.actions import meanwhile, shown_version
from games.web.device import DeviceRequest
from games.web.effect import effect_words
from games.web.grid import adjusted_words
from games.web.people import Person, people
from games.web.titles import game_title
from games.web.typed import read_reason

LAST, FIRST = "", "0"  # whom somebody sits after, where it is no seat
LONGEST_POINTS = 5  # digits that are read; the service says how many points may be


@dataclass(frozen=True, slots=True)
class Typed:
    """What either form holds, as it was typed."""

    version: int
    do: str = ""
    name: str = ""
    after: str = LAST
    start: Start = "zero"
    kind: str = "penalty"
    points: str = ""
    reason: str = ""


class Line(NamedTuple):
    """One player in the list: `note` says since when, until when, and what is apart from the rounds."""

    person: Person
    note: str
    total: str


class Choice(NamedTuple):
    """One way to choose among; `text` beside it tells its effect."""

    code: str
    label: str
    text: str
    chosen: bool


class Room(NamedTuple):
    """What so many players mean for the deal; `short`: the set has not enough tiles."""

    text: str
    short: bool


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@scores
def players(request: DeviceRequest, access: Access) -> HttpResponse:
    """Everybody at the table, and a form for one more."""
    sheet = sheet_of(access.game)
    if request.method != "POST":
        return _list(request, sheet, Typed(version=access.game.version, start="average"))
    typed = _read(request)
    if typed.do == "check":
        return _list(request, sheet, typed)
    try:
        services.player_add(
            game=access.game,
            name=typed.name,
            start=typed.start,
            order=_order(sheet, typed.after),
            who=request.device.who,
            version=typed.version,
        )
    except Conflict as conflict:
        typed = replace(typed, version=conflict.sheet.game.version)
        return _list(request, conflict.sheet, typed, [meanwhile(access)], status=409)
    except Refused as refused:
        return _list(request, sheet, typed, _faults(refused.problems, sheet), status=422)
    request.device.add_names([typed.name])
    return redirect("board", access.game.slug)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@scores
def player_edit(request: DeviceRequest, access: Access, seat: int) -> HttpResponse:
    """One player: another name or place, a penalty or bonus, leaving and coming back."""
    sheet = sheet_of(access.game)
    player = sheet.player(seat)
    if player is None:
        raise Http404
    if request.method != "POST":
        return _one(request, sheet, player, _as_is(sheet, player))
    typed = _read(request)
    write = _change(sheet, player, typed)
    if write is None:
        return _one(request, sheet, player, typed)
    try:
        write(game=access.game, seat=seat, who=request.device.who, version=typed.version)
    except Conflict as conflict:
        typed = replace(typed, version=conflict.sheet.game.version)
        player = conflict.sheet.player(seat) or player
        return _one(request, conflict.sheet, player, typed, [meanwhile(access)], status=409)
    except Refused as refused:
        return _one(request, sheet, player, typed, _faults(refused.problems, sheet), status=422)
    return redirect("board", access.game.slug)


def _read(request: DeviceRequest) -> Typed:
    post = request.POST
    return Typed(
        version=shown_version(request),
        do=post.get("do", ""),
        name=tidy(post.get("name", "")[:200]),
        after=post.get("after", LAST)[:3],
        start=next((how for how in STARTS if how == post.get("start")), "zero"),
        kind="bonus" if post.get("kind") == "bonus" else "penalty",
        points=post.get("points", "").strip()[:20],
        reason=read_reason(post.get("reason", "")),
    )


def _as_is(sheet: Sheet, player: Player) -> Typed:
    """The form of a player as it is opened."""
    seats = [one.seat for one in sheet.players]
    at = seats.index(player.seat)
    after = str(seats[at - 1]) if at else FIRST
    return Typed(version=sheet.game.version, name=player.name, after=after)


def _change(sheet: Sheet, player: Player, typed: Typed) -> Callable[..., Written] | None:
    """The change that the button pressed stands for; None for one that only looks."""
    action, _colon, rest = typed.do.partition(":")
    if action == "unadjust" and rest.isascii() and rest.isdecimal():
        gone = int(rest[:9])
        return lambda **about: services.adjustment_remove(number=gone, **about)
    match action:
        case "change":
            order = _order(sheet, typed.after, but=player.seat)
            return lambda **about: services.player_change(name=typed.name, order=order, **about)
        case "leave" | "return":
            return lambda **about: services.player_change(retired=action == "leave", **about)
        case "adjust":
            points = read_points(typed, sheet)
            return lambda **about: services.adjustment_add(points=points, reason=typed.reason, **about)
    return None


def _order(sheet: Sheet, after: str, but: int = 0) -> int | None:
    """The place behind the seat `after`, among all others; None for the last one."""
    if after == FIRST:
        return 1
    seats = [str(player.seat) for player in sheet.players if player.seat != but]
    return seats.index(after) + 2 if after in seats else len(seats) + 1


def read_points(typed: Typed, sheet: Sheet) -> int:
    """Signed as it counts: a penalty is more where the lowest total wins, and less where the highest does.

    0 for what is no number, which the service refuses.
    """
    text = typed.points.lstrip("+-−")
    if not (text.isascii() and text.isdecimal()) or len(text) > LONGEST_POINTS:
        return 0
    return -int(text) if _takes_off(typed.kind, sheet) else int(text)


def _takes_off(kind: str, sheet: Sheet) -> bool:
    return (kind == "penalty") == (sheet.rules.scoring == "positive")


def _faults(problems: Sequence[Problem], sheet: Sheet) -> list[str]:
    names = sheet.names()
    found = [
        replace(problem, params={"name": names[int(str(problem.params["other"]))]})
        if problem.code == "name_twice"  # spelled as the first one is
        else problem
        for problem in problems
    ]
    return [_("A name is needed.") if one.code == "name_blank" else sentence(one, names) for one in found]


# The pages


def _list(
    request: DeviceRequest, sheet: Sheet, typed: Typed, faults: Sequence[str] = (), status: int = 200
) -> HttpResponse:
    who = people(sheet.players)
    rows = {row.seat: row for row in sheet.table}
    seats = len(sheet.seats(sheet.next_number)) if sheet.next_number else 0
    context = _context(sheet, typed, faults) | {
        "lines": [
            Line(who[player.seat], player_note(player), number(rows[player.seat].total))
            for player in sheet.players
        ],
        "open": sheet.next_number is not None,
        "late": bool(sheet.rounds),
        "starts": _starts(sheet, typed.start),
        "sits": _sits(sheet, typed.after),
        "known": [name for name in request.device.names if name not in sheet.names().values()],
        "effect": join_words(sheet, typed) if sheet.next_number else "",
        "room": room_words(sheet, seats + 1),
    }
    page = "games/players.html"
    checks = request.htmx and typed.do == "check"
    return render(request, f"{page}#check" if checks else page, context, status=status)


def _one(
    request: DeviceRequest,
    sheet: Sheet,
    player: Player,
    typed: Typed,
    faults: Sequence[str] = (),
    status: int = 200,
) -> HttpResponse:
    seats = len(sheet.seats(sheet.next_number)) if sheet.next_number else 0
    gone = player.to_round is not None
    if typed.do != "change":  # the other forms carry neither name nor place
        as_is = _as_is(sheet, player)
        typed = replace(typed, name=as_is.name, after=as_is.after)
    context = _context(sheet, typed, faults) | {
        "person": people(sheet.players)[player.seat],
        "note": player_note(player),
        "sits": _sits(sheet, typed.after, but=player.seat),
        "kinds": _kinds(sheet, typed.kind),
        "adjustments": [(one["number"], signed(one["points"]), one["reason"]) for one in player.adjustments],
        "effect": adjust_words(sheet, player, typed) if typed.points else "",
        "gone": gone,
        "open": sheet.next_number is not None,
        "room": room_words(sheet, seats + 1 if gone else seats - 1),
        "finished": sheet.game.status == Status.FINISHED,
    }
    page = "games/player_edit.html"
    checks = request.htmx and typed.do == "check"
    return render(request, f"{page}#check" if checks else page, context, status=status)


def _context(sheet: Sheet, typed: Typed, faults: Sequence[str]) -> dict[str, object]:
    return {
        "game": sheet.game,
        "sheet": sheet,
        "title": game_title(sheet),
        "typed": typed,
        "faults": faults,
        "next_number": sheet.next_number,
        "name_length": NAME_LENGTH,
        "reason_length": REASON_LENGTH,
        "most_pips": sheet.rules.max_pip,
    }


def _starts(sheet: Sheet, chosen: Start) -> list[Choice]:
    labels: Mapping[Start, str] = {
        "zero": _("From zero"),
        "average": _("At the average"),
        "highest": _("At the highest"),
    }
    totals = sheet.starts()
    return [Choice(how, labels[how], number(totals[how]), how == chosen) for how in STARTS]


def _sits(sheet: Sheet, chosen: str, but: int = 0) -> list[Choice]:
    """Whom somebody can sit after; the last of all where nobody was chosen."""
    others = [player for player in sheet.players if player.seat != but]
    codes = [FIRST, *(str(player.seat) for player in others)]
    chosen = chosen if chosen in codes else codes[-1]
    labels = [_("In the first seat"), *(_("After %(name)s") % {"name": player.name} for player in others)]
    return [Choice(code, label, "", code == chosen) for code, label in zip(codes, labels, strict=True)]


def _kinds(sheet: Sheet, chosen: str) -> list[Choice]:
    labels = {"penalty": _("Penalty"), "bonus": _("Bonus")}
    return [
        Choice(
            kind,
            label,
            _("taken off the total") if _takes_off(kind, sheet) else _("added to the total"),
            kind == chosen,
        )
        for kind, label in labels.items()
    ]


# What a change would do


def player_note(player: Player) -> str:
    """«joined in round 4 with 87, left after round 6, +20 apart from the rounds»"""
    words = []
    if player.from_round > 1:
        facts = {"number": player.from_round, "total": number(player.start_total)}
        words.append(_("joined in round %(number)s with %(total)s") % facts)
    if player.to_round is not None:
        left = _("left after round %(number)s") if player.to_round else _("left")
        words.append(left % {"number": player.to_round} if player.to_round else left)
    if adjusted := adjusted_words(player):
        words.append(_("%(points)s apart from the rounds") % {"points": adjusted})
    return ", ".join(words)


def join_words(sheet: Sheet, typed: Typed) -> str:
    """«Dan plays from round 7 on and starts with 87: 3rd of 6.»"""
    total = sheet.starts()[typed.start]
    name = typed.name[:NAME_LENGTH] or _("Whoever joins")
    if not sheet.rounds:
        return _("%(name)s plays from the first round on.") % {"name": name}
    seat = max(player.seat for player in sheet.players) + 1
    new = Player(seat=seat, order=seat, name=name, from_round=sheet.next_number or 1, start_total=total)
    table = build_sheet(sheet.game, (*sheet.players, new), sheet.rounds).table
    place = next(row.place for row in table if row.seat == seat)
    return _("%(name)s plays from round %(number)s on and starts with %(total)s: %(place)s of %(count)s.") % {
        "name": name,
        "number": sheet.next_number,
        "total": number(total),
        "place": place_name(place),
        "count": len(table),
    }


def adjust_words(sheet: Sheet, player: Player, typed: Typed) -> SafeString | str:
    """«The total becomes 152, not 132: …», or what is to be typed."""
    points = read_points(typed, sheet)
    if not points:
        params = {"points": 0, "most": services.MAX_ADJUSTMENT}
        return str(message(Problem("adjustment_points", seat=player.seat, params=params), sheet.names()))
    changed = copy(player)
    changed.adjustments = [*player.adjustments, {"points": points}]
    seated = tuple(changed if one.seat == player.seat else one for one in sheet.players)
    return effect_words(sheet, build_sheet(sheet.game, seated, sheet.rounds), player.seat)


def room_words(sheet: Sheet, seats: int) -> Room:
    """«Double-12 suits 6 players: 12 tiles each, 19 in the boneyard.»"""
    if seats < services.MIN_PLAYERS or sheet.next_number is None:
        return Room("", short=False)
    lead, rest = rule_words.deal_words(sheet.rules, seats)
    known = sheet.rules.deal_for(seats) is not None
    return Room(f"{lead} {rest}" if known else lead, deal_is_short(sheet.rules, seats))
