"""Disputing one score, and ruling on it: a page each, from the score's own sheet.

Knows the forms. Must not judge or write: the services do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.contrib import messages as notices
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.agreement_words import SIGNS, mark_words, refusal
from games.attached import MOST_CHARACTERS
from games.disputes import challenge_add, challenge_rule
from games.engine.errors import Problem
from games.messages import number as figure
from games.messages import sentence
from games.models import REASON_LENGTH, Challenge, Ruling
from games.permissions import Access
from games.round_records import (
    Attached,
    challenge_by_record,
    challenge_settle,
    read_record,
    record_of,
    told_hand,
    why_not_taken,
)
from games.selectors import RoundSheet, Sheet, log_of, sheet_of
from games.services import Conflict, Refused
from games.shared_records import work_counted
from games.web.access import address, challenges, scores
from games.web.actions import meanwhile, shown_version
from games.web.correct import TRIES, Judged, judge
from games.web.device import DeviceRequest
from games.web.doubts import challenge_words, challenger_name, draft_key, fall_words, record_said
from games.web.grid import unbroken
from games.web.history import hand_or_404
from games.web.own_phone import seated_name
from games.web.people import people
from games.web.records.check import mended_record, opened_file, unread_of
from games.web.round_record import seats_said, shown_record
from games.web.titles import game_title
from games.web.typed import read_hand, read_reason

# A record with one of these is shown beside the round, which says why.
PROVES_NOTHING = frozenset({"record_scoreless", "record_of_another", "record_hides"})


@dataclass(frozen=True, slots=True)
class Typed:
    """What a form holds, as it was typed."""

    value: str = ""
    reason: str = ""
    version: int = 0
    sure: bool = False
    do: str = ""
    record: str = ""
    seats: Mapping[str, int] = field(default_factory=dict)  # who of the record is said to sit where


def _typed(request: DeviceRequest, opened: str | None = None) -> Typed:
    """`opened`: the text of a file that was sent, which goes before a record that was pasted."""
    post = request.POST
    return Typed(
        value=post.get("value", "").strip()[:200],
        reason=read_reason(post.get("reason", "")),
        version=shown_version(request),
        sure=bool(post.get("sure")),
        do=post.get("do", ""),
        record=post.get("record", "") if opened is None else opened,
        seats=seats_said(request),
    )


# Disputing


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@challenges
def challenge(request: DeviceRequest, access: Access, number: int, seat: int) -> HttpResponse:
    sheet = sheet_of(access.game)
    if request.method == "POST" and sheet.round(number) is None:
        notices.warning(request, meanwhile(access))
        return redirect("board", access.game.slug)
    entry, _hand = hand_or_404(sheet, number, seat)
    if request.method != "POST":
        return _ask(request, sheet, entry, seat, Typed(version=access.game.version))
    opened, fault = opened_file(request)
    typed = _typed(request, opened)
    if typed.version < access.game.version and log_of(access.game).touched(number, typed.version):
        typed = replace(typed, version=access.game.version)
        return _ask(request, sheet, entry, seat, typed, [_changed(entry, seat, sheet)], status=409)
    if typed.do == "mend" and not fault:
        return _mended(request, sheet, entry, seat, typed)
    told = read_hand(typed.value)
    if not fault and (told.tiles or told.wrong):
        fault = _("“%(text)s” is no number of points. It can be left out.") % {"text": typed.value[:40]}
    if fault:
        return _ask(request, sheet, entry, seat, typed, [fault], status=422)
    return _dispute(request, access, sheet, entry, seat, typed, told.points)


def _dispute(
    request: DeviceRequest,
    access: Access,
    sheet: Sheet,
    entry: RoundSheet,
    seat: int,
    typed: Typed,
    points: int | None,
) -> HttpResponse:
    open_one = sheet.challenge_at(entry.number, seat)
    who = request.device.who or (seated_name(request, sheet) if access.may_sit else "")
    if open_one and _same(open_one, who, points, typed):
        return redirect("board", access.game.slug)  # sent twice
    about: dict[str, Any] = {"points": points, "reason": typed.reason, "role": access.role, "who": who}
    if typed.record.strip():
        return _lay(request, access, sheet, entry, seat, typed, about)
    try:
        challenge_add(game=access.game, number=entry.number, seat=seat, **about)
    except Refused as refused:
        faults = [sentence(one, sheet.names()) for one in refused.problems]
        return _ask(request, sheet_of(access.game), entry, seat, typed, faults, status=422)
    return redirect("board", access.game.slug)


def _same(one: Challenge, who: str, points: int | None, typed: Typed) -> bool:
    if typed.record.strip():
        points = one.points if points is None and one.by_record else points
    return (one.who, one.points, one.reason) == (who, points, typed.reason)


def _mended(request: DeviceRequest, sheet: Sheet, entry: RoundSheet, seat: int, typed: Typed) -> HttpResponse:
    """The form with the record's own signs in its field."""
    try:
        with work_counted(address(request)):
            new = mended_record(typed.record)
    except Refused:
        return _ask(request, sheet, entry, seat, typed, [_much_at_once()], status=429)
    typed = replace(typed, record=new.text)
    return _ask(request, sheet, entry, seat, typed, unread=new.unread, mended=new.said, status=new.status)


def _lay(
    request: DeviceRequest,
    access: Access,
    sheet: Sheet,
    entry: RoundSheet,
    seat: int,
    typed: Typed,
    about: dict[str, Any],
) -> HttpResponse:
    """Dispute it by the record that was pasted or opened."""
    found = None
    try:
        with work_counted(address(request)):
            found = read_record(sheet, entry.number, typed.record, typed.seats)
            challenge_by_record(
                game=access.game,
                number=entry.number,
                seat=seat,
                text=typed.record,
                seats=typed.seats,
                address=address(request),
                **about,
            )
    except Refused as refused:
        if refused.code == "throttled":
            return _ask(request, sheet, entry, seat, typed, [_much_at_once()], status=429)
        unread = [one for one in refused.problems if "line" in one.params]
        beside = found if any(one.code in PROVES_NOTHING for one in refused.problems) else None
        told = [] if beside else [one for one in refused.problems if one not in unread]
        if not typed.reason and all(one.field != "reason" for one in told):
            told.append(Problem("reason_missing", field="reason", params={"of": "challenge"}))
        faults = [refusal(one, sheet.names()) for one in told]
        sheet = sheet_of(access.game)
        return _ask(request, sheet, entry, seat, typed, faults, unread=unread, beside=beside, status=422)
    return redirect("board", access.game.slug)


def _much_at_once() -> str:
    return _("That is a lot at once. Wait a minute, then try again.")


def _changed(entry: RoundSheet, seat: int, sheet: Sheet) -> str:
    facts = {"number": entry.number, "name": sheet.names()[seat], "points": entry.hands[seat].points}
    return _("Round %(number)s has changed: %(name)s has %(points)s now. Look at it again.") % facts


def _ask(
    request: DeviceRequest,
    sheet: Sheet,
    entry: RoundSheet,
    seat: int,
    typed: Typed,
    faults: Sequence[str] = (),
    *,
    unread: Sequence[Problem] = (),
    beside: Attached | None = None,
    mended: Sequence[str] = (),
    status: int = 200,
) -> HttpResponse:
    """The form. `unread`: why its record cannot be read; `beside`: a record that proves nothing here, to be
    shown beside the round; `mended`: what was done to its text.
    """
    open_one = sheet.challenge_at(entry.number, seat)
    persons = people(sheet.players)
    context = _context(sheet, entry, seat, typed) | {
        "faults": faults,
        "open": None if open_one is None else challenge_words(open_one, sheet.names()),
        "open_reason": "" if open_one is None else open_one.reason,
        "draft": draft_key(sheet, entry.number, seat),
        **unread_of(typed.record, unread),
        "mended": mended,
        "shown": None if beside is None else shown_record(sheet, entry.number, beside),
        "seats": [persons[one] for one in sheet.seats(entry.number)],
        "most": MOST_CHARACTERS,
        "most_words": figure(MOST_CHARACTERS),
    }
    return render(request, "games/challenge.html", context, status=status)


def _context(sheet: Sheet, entry: RoundSheet, seat: int, typed: Typed) -> dict[str, object]:
    return {
        "game": sheet.game,
        "title": game_title(sheet),
        "round": entry,
        "engine_words": unbroken(entry.engine),
        "hand": entry.hands[seat],
        "person": people(sheet.players)[seat],
        "typed": typed,
        "reason_length": REASON_LENGTH,
        "most_pips": sheet.rules.max_pip,
    }


# Ruling


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@scores
def rule(request: DeviceRequest, access: Access, number: int) -> HttpResponse:
    sheet = sheet_of(access.game)
    one = sheet.challenge(number)
    if one is None:
        raise Http404
    if one.ruling != Ruling.OPEN or sheet.hand(one) is None:
        if request.method == "POST":
            notices.warning(request, meanwhile(access))
        return redirect("board", access.game.slug)
    entry, hand = hand_or_404(sheet, one.round_number, one.seat)
    if request.method != "POST":
        value = "" if one.points is None or one.points == hand.points else str(one.points)
        return _decide(request, sheet, one, Typed(value, version=access.game.version))
    typed = _typed(request)
    if typed.do == "check":
        return _decide(request, sheet, one, typed)
    if log_of(access.game).touched(entry.number, typed.version):
        typed = Typed(typed.value, typed.reason, access.game.version)
        return _decide(request, sheet, one, typed, [_changed(entry, one.seat, sheet)], status=409)
    if typed.do == "record":
        return _settle(request, access, sheet, one, typed)
    return _rule(request, access, sheet, one, typed)


def _rule(request: DeviceRequest, access: Access, sheet: Sheet, one: Challenge, typed: Typed) -> HttpResponse:
    entry, _hand = hand_or_404(sheet, one.round_number, one.seat)
    keep = typed.do == "keep"
    judged = judge(sheet, entry, one.seat, typed.value)
    if not typed.reason:
        return _decide(request, sheet, one, typed, [_("A ruling needs a reason.")], status=422)
    if not keep and _stops(judged, typed):
        return _decide(request, sheet, one, typed, status=422)
    game = access.game
    for _attempt in range(TRIES):
        try:
            challenge_rule(
                game=game,
                number=one.number,
                ruling=Ruling.DISMISSED if keep else Ruling.UPHELD,
                points=None if keep else judged.typed.points,
                tiles=None if keep else judged.typed.tiles,
                disputed=bool(judged.problems) and not keep,
                reason=typed.reason,
                who=request.device.who,
                version=game.version,
                device=request.device.identified(),
            )
        except Conflict as conflict:
            game = conflict.sheet.game  # what changed meanwhile may be another round
            if log_of(access.game).touched(entry.number, typed.version):
                break
        except Refused as refused:
            faults = [sentence(problem, sheet.names()) for problem in refused.problems]
            return _decide(request, sheet, one, typed, faults, status=422)
        else:
            return redirect("board", game.slug)
    notices.warning(request, meanwhile(access))
    return redirect("board", game.slug)


def _settle(
    request: DeviceRequest, access: Access, sheet: Sheet, one: Challenge, typed: Typed
) -> HttpResponse:
    """Rule by the record of the round; what was typed as the reason stands beside it."""
    found = record_of(sheet, one.round_number)
    told = told_hand(found, one.seat)
    points = "" if told is None else figure(told.points)
    reason = ": ".join(filter(None, [_("By the record, %(points)s") % {"points": points}, typed.reason]))
    try:
        challenge_settle(
            game=access.game,
            number=one.number,
            reason=reason[:REASON_LENGTH],
            who=request.device.who,
            version=access.game.version,
            device=request.device.identified(),
        )
    except Conflict:
        notices.warning(request, meanwhile(access))
    except Refused as refused:
        faults = [refusal(problem, sheet.names()) for problem in refused.problems]
        return _decide(request, sheet, one, typed, faults, status=422)
    return redirect("board", access.game.slug)


def _by_record(sheet: Sheet, one: Challenge) -> dict[str, object]:
    """What the record of the round says of the score, and what settling it so would change."""
    entry, hand = hand_or_404(sheet, one.round_number, one.seat)
    found = record_of(sheet, entry.number)
    told = told_hand(found, one.seat)
    settles = found is not None and told is not None and not why_not_taken(sheet, entry.number, found)
    effect: object = ""
    if settles and told is not None and told.points != hand.points:
        text = " ".join(map(str, told.tiles)) if told.tiles else str(told.points)
        effect = judge(sheet, entry, one.seat, text).effect or ""
    return {
        "record_sign": SIGNS.get(entry.record, "○"),
        "record_words": mark_words(entry.record),
        "by_record": told.points if settles and told is not None else None,
        "record_effect": effect,
    }


def _stops(judged: Judged, typed: Typed) -> bool:
    """Whether there is something to say before the score can be changed."""
    if judged.problems:
        return not (typed.do == "dispute" and judged.disputable)
    return bool(judged.warnings) and not typed.sure


def _decide(
    request: DeviceRequest,
    sheet: Sheet,
    one: Challenge,
    typed: Typed,
    faults: Sequence[str] = (),
    status: int = 200,
) -> HttpResponse:
    entry, _hand = hand_or_404(sheet, one.round_number, one.seat)
    words, _tables = fall_words(sheet, one)
    judged = judge(sheet, entry, one.seat, typed.value)
    context = _context(sheet, entry, one.seat, typed) | {
        "faults": faults,
        "challenge": one,
        "who": challenger_name(one),
        "record_said": record_said(one, sheet.names()),
        "falls": words,
        "judged": judged,
        "refused": status == 422 and not faults and typed.do != "keep",
        "tiles_first": bool(sheet.rules.blank_half or sheet.rules.doubles_twice),
        **_by_record(sheet, one),
    }
    checks = request.htmx and typed.do == "check"
    page = "games/rule.html#check" if checks else "games/rule.html"
    return render(request, page, context, status=status)
