"""Before the first move: who plays, by which rules, who began. Nothing is kept until that is said.

Knows the pages' flow. Must not judge.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from secrets import token_urlsafe
from typing import Any

from django.conf import settings
from django.contrib import messages as notices
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_http_methods

from games import drafts, rule_words, selectors
from games.attached import record_of_round
from games.engine.record import Record
from games.engine.rules import PRESETS
from games.engine.tiles import SETS
from games.models import RecordDraft
from games.permissions import Access
from games.record_names import Named
from games.selectors import Sheet
from games.services import Refused
from games.templatetags.tiles import marker_letters
from games.web.access import address, scores
from games.web.device import DeviceRequest
from games.web.hands import read_engine
from games.web.new import fingerprint, once_of
from games.web.people import Person, people
from games.web.write.begin import (
    AUTO,
    Begin,
    as_context,
    begun,
    check_people,
    dealt,
    read_begin,
    with_told,
)
from games.web.write.mine import begun_here, draft_here
from games.writing_words import before_it_begins


@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(private=True, no_cache=True)  # not no-store: Back must find what was typed
def write(request: DeviceRequest) -> HttpResponse:
    """First the people and the rules, then who began: the second half comes with the first in it."""
    if request.method != "POST":
        return _people(request, Begin())
    begin = read_begin(request.POST)
    step, _colon, who = str(request.POST.get("do", "")).partition(":")
    if not check_people(begin):
        return _people(request, begin, status=422)
    if step not in ("start", "layer"):
        if step == "people":
            return _people(request, begin)
        begin.deal = begin.deal or dealt(begin)
        begin.engine = begin.engine or str(begin.most)
        return _first(request, begin)
    at = int(who) if who.isascii() and who.isdecimal() and len(who) < 3 else -1
    if not 0 <= at < len(begin.names):
        return _first(request, begin, status=422)
    record = begun(begin, start=at, layer=at if step == "layer" else None)
    if record is None:
        return _first(request, begin, status=422)
    return _begin(request, begin, record)


def _begin(request: DeviceRequest, begin: Begin, record: Record) -> HttpResponse:
    form = sha256(f"{fingerprint(request.POST)} {request.POST.get('do')}".encode()).hexdigest()
    try:
        draft = _start(request, record, form=form, empty=draft_here(request))
    except Refused as refused:
        if refused.code == "throttled":
            begin.faults["form"] = many_words()
            return _first(request, begin, status=429)
        begin.faults["hands"] = before_it_begins(record, refused.problems[0])
        return _first(request, begin, status=422)
    request.device.add_names(begin.names)
    return redirect("written", draft.key)


def _start(request: DeviceRequest, record: Record, **of: Any) -> RecordDraft:
    most = settings.RECORDS_PER_MINUTE
    return drafts.draft_start(record=record, address=address(request), most=most, **of)


def many_words() -> str:
    return _("Many rounds were begun here in this minute. Wait a little, then go on.")


def people_named(names: Sequence[str]) -> list[Person]:
    letters = marker_letters(names)
    return [
        Person(seat, name, one) for seat, (name, one) in enumerate(zip(names, letters, strict=True), start=1)
    ]


def _people(request: DeviceRequest, begin: Begin, status: int = 200) -> HttpResponse:
    page = {
        **as_context(begin),
        "presets": [(name, rule_words.PRESET_NAMES[name], rule_words.PRESET_LINES[name]) for name in PRESETS],
        "sets": [(str(pip), pip) for pip in SETS],
        "auto": AUTO,
        "known": request.device.names[:20],
        "more": len(begin.names) > 4,
        "going": begun_here(request) if request.method != "POST" else None,
    }
    return render(request, "write/people.html", page, status=status)


def _first(request: DeviceRequest, begin: Begin, status: int = 200) -> HttpResponse:
    rules = begin.rules
    page = {
        "once": once_of(request.POST) or token_urlsafe(16),
        **_known(begin),
        "action": reverse("write"),
        "back_to": reverse("write"),
        "people": people_named(begin.names),
        "card_name": rule_words.preset_name(rules),
        "engines": [(str(pip), pip) for pip in range(rules.max_pip, -1, -1)],
        "laid": rules.engine == "dealt",
    }
    return render(request, "write/first.html", page, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@scores
def write_round(request: DeviceRequest, access: Access, number: int) -> HttpResponse:
    """A round of a game: its record if one is being written, else who began; the game tells the rest."""
    sheet = selectors.sheet_of(access.game)
    if sheet.round(number) is None and number != sheet.next_number:
        return redirect("board", access.game.slug)
    there = drafts.draft_of(access.game, number)
    if there is not None:
        if request.method == "POST":
            _say_who_begins(request, drafts.record_of(there))
        return redirect("written", there.key)
    begin = _begin_of(request, sheet, number)
    record = record_of_round(sheet, number, engine=int(begin.engine))
    ask_deal = record is None
    if request.method != "POST":
        return _first_of(request, sheet, number, begin, ask_deal=ask_deal)
    record = record or _dealt(sheet, number, begin)
    if record is None:
        begin.faults["deal"] = _("How many tiles was each dealt?")
    else:
        record = with_told(begin, _begun_by(request, record))
    if record is None:
        return _first_of(request, sheet, number, begin, ask_deal=ask_deal, status=422)
    try:
        draft = _start(request, record, game=access.game, round_number=number)
    except Refused as refused:
        many = refused.code == "throttled"
        begin.faults["form"] = many_words() if many else before_it_begins(record, refused.problems[0])
        return _first_of(request, sheet, number, begin, ask_deal=ask_deal, status=429 if many else 422)
    return redirect("written", draft.key)


def _begin_of(request: DeviceRequest, sheet: Sheet, number: int) -> Begin:
    """The form as sent; people and rules are the game's."""
    begin, names = read_begin(request.POST), sheet.names()
    begin.names = [names[seat] for seat in sheet.seats(number)]
    begin.engine = str(read_engine(request.POST or request.GET, sheet, number))
    return begin


def _begun_by(request: DeviceRequest, record: Record) -> Record | None:
    """The record with who starts, and whether that is who laid the engine; None if the form does not say."""
    step, _colon, who = str(request.POST.get("do", "")).partition(":")
    at = int(who) if who.isascii() and who.isdecimal() and len(who) < 3 else -1
    if step not in ("start", "layer") or not 0 <= at < len(record.players):
        return None
    begins = record.players[at]
    return replace(record, start=begins, layer=begins if step == "layer" else None)


def _say_who_begins(request: DeviceRequest, record: Record) -> None:
    """What the record says that another phone began, where this one would have it otherwise."""
    step, at = ("start" if record.layer is None else "layer"), record.players.index(record.start)
    if request.POST.get("do") != f"{step}:{at}":
        who = Named(record).player(record.start)
        text = (
            _("This round is being written already, and %(who)s starts.")
            if record.layer is None
            else _("This round is being written already, and %(who)s laid the engine.")
        )
        notices.warning(request, text % {"who": who})


def _dealt(sheet: Sheet, number: int, begin: Begin) -> Record | None:
    """The round's record with as many tiles each as were typed; None if that cannot be."""
    typed = begin.deal
    if not (typed.isascii() and typed.isdecimal() and len(typed) < 4):
        return None
    record = record_of_round(sheet, number, deal=int(typed), engine=int(begin.engine))
    least = 2 if sheet.rules.engine == "dealt" else 1
    return record if record is not None and record.deal >= least and record.yard >= 0 else None


def _first_of(
    request: DeviceRequest, sheet: Sheet, number: int, begin: Begin, *, ask_deal: bool, status: int = 200
) -> HttpResponse:
    persons = people(sheet.players)
    choices = sheet.engine_choices(number) if sheet.round(number) is None else ()
    page = {
        **_known(begin),
        "of_round": True,
        "number": number,
        "action": reverse("write_round", args=[sheet.game.slug, number]),
        "back_to": reverse("board", args=[sheet.game.slug]),
        "people": [persons[seat] for seat in sheet.seats(number)],
        "card_name": rule_words.preset_name(sheet.rules),
        "laid": sheet.rules.engine == "dealt",
        "ask_deal": ask_deal,
        "engines": [(str(pip), pip) for pip in choices] if len(choices) > 1 else (),
    }
    return render(request, "write/first.html", page, status=status)


def _known(begin: Begin) -> dict[str, Any]:
    """What is told of hands before the first move, as it was typed."""
    count = len(begin.names)
    return {
        **as_context(begin),
        "hands": list(zip(begin.names, [*begin.hands, *[""] * count], strict=False)),
        "seeks": list(zip(begin.names, [*begin.seek, *[""] * count], strict=False)),
        "hands_open": any(begin.hands) or "hands" in begin.faults,
        "seeks_open": any(begin.seek) or "seek" in begin.faults,
    }
