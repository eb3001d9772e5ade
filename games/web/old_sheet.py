"""An old score sheet typed in or pasted: read, added up anew, and made a game once its people say so.

Knows the page. Must not read text or judge rounds; until the game is made, nothing is written.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, cast

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods

from games import services
from games.files.from_paper import NotTaken, OldSheet, Wrong, game_from_paper, wrong_in
from games.files.paper import MOST_TEXT, SHAPES, Paper, Slip, Unread, read_paper, slips
from games.files.paper_words import slip_words, unread_words
from games.forms import SetUpForm, follow_card, follow_players
from games.messages import number, sentence
from games.services import Refused, Setup
from games.web.access import address
from games.web.device import DeviceRequest
from games.web.new import fingerprint, first_form, once_of, remember
from games.web.set_up import Steps, Typed, context, step
from games.web.typed import read_reason

READ, MAKE = "read", "make"
PAGE = "games/old_sheet.html"


@dataclass(frozen=True, slots=True)
class Shown:
    """One cell of what was read; `wrong` says what the total should be."""

    points: str
    total: str
    wrong: str = ""


@dataclass(slots=True)
class Reading:
    """What came of the text so far, and all that is to be said about it."""

    paper: Paper | None = None
    said: list[str] = field(default_factory=list)
    slips: list[Slip] = field(default_factory=list)
    wrong: list[Wrong] = field(default_factory=list)
    unblocked: list[int] = field(default_factory=list)
    names: tuple[str, ...] = ()
    needs_reason: bool = False

    @property
    def right(self) -> bool:
        return self.paper is not None and not self.said


@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(private=True, no_cache=True)  # not no-store: Back must find what was typed
def old_sheet(request: DeviceRequest) -> HttpResponse:
    if request.method != "POST":
        return _show(request, first_form(request), Reading())
    data = request.POST.copy()
    if data.get("do") not in (READ, MAKE):
        steps = step(data, str(data.get("do", "")), request.device)
        return _show(request, SetUpForm(data), Reading(), steps=steps, typed=True)
    follow_card(data, keep_own=True)
    reading = _read(request, data)
    form = SetUpForm(data)
    if not form.is_valid():
        return _show(request, form, reading, told=True, status=422)
    old = _old_sheet(request, data, form.cleaned_data["setup"], reading)
    if reading.right:
        _judge(reading, data, old)
    if not reading.right:
        return _show(request, form, reading, typed=True, status=422)
    if data.get("do") != MAKE or data.get("seen") != _seen(data):
        return _show(request, form, reading, typed=True)
    return _make(request, form, reading, old)


def _make(request: DeviceRequest, form: SetUpForm, reading: Reading, old: OldSheet) -> HttpResponse:
    try:
        slug, key = services.game_made_once(
            form=fingerprint(request.POST),
            make=lambda: game_from_paper(old=old),
            address=address(request),
            most=settings.GAMES_PER_MINUTE,
        )
    except Refused:
        reading.said.append(_("Many games were started here in this minute. Wait a little, then go on."))
        return _show(request, form, reading, typed=True, status=429)
    except NotTaken as refused:
        reading.said += [_round_words(wrong, refused.names) for wrong in refused.wrong]
        return _show(request, form, reading, typed=True, status=422)
    request.device.who = form.cleaned_data["who"] or request.device.who
    remember(request, old.setup, slug, key)
    return redirect("board", slug)


def _read(request: DeviceRequest, data: Typed) -> Reading:
    """Read the text and add it up; the names that it has go into the form."""
    shape = str(data.get("shape"))
    try:
        paper = read_paper(
            str(data.get("sheet", "")),
            SetUpForm(data).names,
            shape=shape if shape in SHAPES else "auto",
            total_words=[_("Total")],
            blocked_words=[_("Blocked")],
        )
    except Unread as unread:
        return Reading(said=[unread_words(unread)])
    data.setlist("player", list(paper.names))
    follow_players(data, request.device.max_pip)
    reading = Reading(paper, names=paper.names, slips=slips(paper))
    told = _numbers(data, "blocked")
    for at, (line, row) in enumerate(zip(paper.rounds, paper.points(), strict=True), start=1):
        if 0 not in row and not line.blocked:
            reading.unblocked.append(at)
            if at not in told:
                reading.said.append(_("Round %(round)s: nobody has 0. Was it blocked?") % {"round": at})
    if reading.slips and not data.get("take"):
        reading.said[:0] = [slip_words(reading.slips[0], paper.names)]
    return reading


def _old_sheet(request: DeviceRequest, data: Typed, setup: Setup, reading: Reading) -> OldSheet:
    return OldSheet(
        setup=setup,
        paper=reading.paper or Paper((), ()),
        source=_("From paper"),
        blocked=_numbers(data, "blocked"),
        standing=_numbers(data, "standing"),
        reason=read_reason(str(data.get("reason", ""))),
        ended=bool(data.get("ended")),
        who=request.device.who or str(data.get("who", ""))[:40],
    )


def _judge(reading: Reading, data: Typed, old: OldSheet) -> None:
    """Let the rules look at every round, as when it is entered."""
    refused = wrong_in(old)
    names: dict[int, str] = {}
    if refused is not None:
        reading.wrong, names = list(refused.wrong), refused.names  # whoever came later sits last
    reading.needs_reason = bool(old.standing) and not old.reason
    if reading.needs_reason:
        reading.said.append(_("A round that is kept as it stands needs a reason."))
    reading.said += [
        _round_words(wrong, names)
        for wrong in reading.wrong
        if not (wrong.may_stand and wrong.number in old.standing)
    ]
    if reading.wrong and not reading.said:  # kept as it stands, and yet refused
        reading.said += [_round_words(wrong, names) for wrong in reading.wrong]


def _round_words(wrong: Wrong, names: dict[int, str]) -> str:
    """«Round 5: Two players have 0. …»"""
    said = " ".join(sentence(problem, names) for problem in wrong.problems)
    return _("Round %(round)s: %(what)s") % {"round": number(wrong.number), "what": said}


def _numbers(data: Typed, name: str) -> frozenset[int]:
    texts = [str(text) for text in data.getlist(name)]
    return frozenset(int(text) for text in texts if text.isascii() and text.isdecimal() and len(text) < 4)


def _seen(data: Typed) -> str:
    """A mark of what was read, so that what is made is what was shown."""
    return sha256(f"{data.get('shape')}\n{data.get('sheet')}".encode("utf-8", "replace")).hexdigest()


def _table(reading: Reading) -> list[tuple[int, bool, list[Shown]]]:
    """The rounds as they were read: number, whether its addition is wrong, cells."""
    if reading.paper is None:
        return []
    wrong = {(slip.number, slip.column): number(slip.right) for slip in reading.slips}
    before = list(reading.paper.started or (0,) * len(reading.names))
    rows = []
    for at, (line, points) in enumerate(
        zip(reading.paper.rounds, reading.paper.points(), strict=True), start=1
    ):
        cells = []
        for column, (cell, value) in enumerate(zip(line.cells, points, strict=True)):
            before[column] = before[column] + (value or 0) if cell.total is None else cell.total
            shown = "–" if value is None else number(value)
            cells.append(Shown(shown, number(before[column]), wrong.get((at, column), "")))
        rows.append((at, any(cell.wrong for cell in cells), cells))
    return rows


def _show(
    request: DeviceRequest,
    form: SetUpForm,
    reading: Reading,
    *,
    steps: Steps | None = None,
    told: bool = False,
    typed: bool = False,
    status: int = 200,
) -> HttpResponse:
    data = cast(Typed, form.data)
    page: dict[str, Any] = {
        **context(form, steps or Steps(), request.device, told=told),
        "typed": told or typed,
        "draft": "old-sheet",
        "once": once_of(request.POST) or secrets.token_urlsafe(16),
        "text": str(data.get("sheet", ""))[: MOST_TEXT + 1],
        "shapes": _shapes(str(data.get("shape"))),
        "ended": bool(data.get("ended")) or request.method != "POST",
        "reading": reading,
        "table": _table(reading),
        "may_take": bool(reading.slips) and not (reading.paper and reading.paper.totals_only),
        "taken": bool(data.get("take")),
        "blocked": _ticks(reading.unblocked, _numbers(data, "blocked")),
        "standing": _ticks(
            [one.number for one in reading.wrong if one.may_stand], _numbers(data, "standing")
        ),
        "reason": str(data.get("reason", "")),
        "seen": _seen(data),
        "ready": reading.right and not told,
    }
    if request.htmx:
        page |= {"live": True, "live_sets": request.POST.get("do") != "look", "live_card": page["card_open"]}
        return render(request, "games/new.html#live", page)
    return render(request, PAGE, page, status=status)


def _ticks(numbers: Sequence[int], ticked: frozenset[int]) -> list[tuple[int, bool]]:
    return [(one, one in ticked) for one in numbers]


def _shapes(chosen: str) -> list[tuple[str, str, bool]]:
    words = {
        "auto": _("As it looks"),
        "points": _("Points of each round"),
        "beneath": _("Points, with the totals in a line beneath"),
        "totals": _("Running totals only"),
    }
    return [(shape, words[shape], shape == chosen) for shape in SHAPES]
