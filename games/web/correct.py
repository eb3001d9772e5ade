"""Correcting one score: judged with its whole round, and its effect told before it is saved.

Knows the form and its pages. Must not judge or write: the services do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from django.contrib import messages as notices
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games import services
from games.engine.errors import Problem
from games.engine.scoring import HandClaim, RoundClaim
from games.messages import Message, message
from games.models import REASON_LENGTH
from games.permissions import Access
from games.selectors import Log, RoundSheet, Sheet, log_of, sheet_of
from games.services import DISPUTABLE, Conflict, Refused
from games.web.access import scores
from games.web.actions import meanwhile, shown_version
from games.web.changes import change_words
from games.web.device import DeviceRequest
from games.web.effect import effect_words, sheet_with
from games.web.grid import unbroken
from games.web.hands import same_hand
from games.web.history import hand_or_404
from games.web.people import Person, people
from games.web.titles import game_title
from games.web.typed import Typed, read_hand, read_reason

PAGE = "games/correct.html"
TRIES = 3  # how often a save that collided with other changes of the game is tried again


@dataclass(frozen=True, slots=True)
class Entry:
    """What the form holds, as it was typed."""

    text: str = ""
    why: str = ""
    other: str = ""
    doubt: str = ""
    version: int = 0
    sure: bool = False
    do: str = ""

    @property
    def reason(self) -> str:
        chips = {"slip": _("Typing slip"), "miscounted": _("Miscounted")}
        words = [chips.get(self.why, ""), self.other, self.doubt]
        return ": ".join(word for word in words if word)[:REASON_LENGTH]


@dataclass(frozen=True, slots=True)
class Judged:
    """What can be said about the value typed. `effect` only if it can be right."""

    typed: Typed
    claim: RoundClaim
    points: int | None = None
    problems: Sequence[Message] = ()
    warnings: Sequence[Message] = ()
    effect: SafeString | None = None
    disputable: bool = False
    whole_round: bool = False
    settles: bool = False


class Other(NamedTuple):
    """Somebody else's hand, for the tile pad: its tiles are taken."""

    person: Person
    tiles: str


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@scores
def correct(request: DeviceRequest, access: Access, number: int, seat: int) -> HttpResponse:
    sheet = sheet_of(access.game)
    if request.method == "POST" and sheet.round(number) is None:
        notices.warning(request, meanwhile(access))
        return redirect("board", access.game.slug)
    entry, _hand = hand_or_404(sheet, number, seat)
    if request.method != "POST":
        return _page(request, access, sheet, entry, seat, Entry(version=access.game.version), None)
    typed = _read(request)
    judged = judge(sheet, entry, seat, typed.text)
    if typed.do == "check":
        return _page(request, access, sheet, entry, seat, typed, judged)
    if _stops(judged, typed):
        return _page(request, access, sheet, entry, seat, typed, judged, status=422)
    return _save(request, access, sheet, entry, seat, typed, judged)


def _read(request: DeviceRequest) -> Entry:
    post = request.POST
    return Entry(
        text=post.get("value", "").strip()[:200],
        why=post.get("why", ""),
        other=read_reason(post.get("other", "")),
        doubt=read_reason(post.get("doubt", "")),
        version=shown_version(request),
        sure=bool(post.get("sure")),
        do=post.get("do", "save"),
    )


def judge(sheet: Sheet, entry: RoundSheet, seat: int, text: str) -> Judged:
    """The round as it would be with this hand as typed."""
    typed = read_hand(text)
    claim = claim_with(entry, seat, typed)
    if typed.blank:
        return Judged(typed, claim, problems=[Message(_("No new points yet."), _("Blank is not 0."))])
    names = sheet.names()
    if typed.wrong:
        wrong = Problem("hand_text", seat=seat, params={"text": typed.wrong})
        return Judged(typed, claim, problems=[message(wrong, names)])
    check = services.round_check(sheet, entry.number, claim)
    if check.problems:
        codes = {problem.code for problem in check.problems}
        return Judged(
            typed,
            claim,
            problems=[message(problem, names) for problem in check.problems],
            disputable=codes <= DISPUTABLE,
            whole_round=any(_others(problem.seat, problem.seats, seat) for problem in check.problems),
        )
    known = {(one["code"], one["seat"]) for one in entry.warnings}
    after = sheet_with(sheet, entry.number, claim.ended, check)
    return Judged(
        typed,
        claim,
        points=next(hand.points for hand in check.hands if hand.seat == seat),
        warnings=[message(one, names) for one in check.warnings if (one.code, one.seat) not in known],
        effect=effect_words(sheet, after, seat),
        settles=entry.disputed,
    )


def _others(seat: int | None, seats: Sequence[int], own: int) -> bool:
    """Whether a problem is not this hand's alone."""
    return seat != own and set(seats) != {own}


def claim_with(entry: RoundSheet, seat: int, typed: Typed) -> RoundClaim:
    """The round with one hand as typed. What was told of that hand before goes, but for the marker."""
    claim, old = entry.claim(), entry.hands[seat]
    if typed.tiles is None and typed.points == old.points:
        return claim
    new = HandClaim(
        seat=seat, points=typed.points, tile_count=None, tiles=typed.tiles, out=None, marker=old.marker
    )
    return replace(claim, hands=tuple(new if hand.seat == seat else hand for hand in claim.hands))


def _stops(judged: Judged, typed: Entry) -> bool:
    """Whether there is something to say before it can be saved."""
    if judged.problems:
        return not (typed.do == "dispute" and judged.disputable and typed.reason)
    return bool(judged.warnings) and not typed.sure


def _save(
    request: DeviceRequest,
    access: Access,
    sheet: Sheet,
    entry: RoundSheet,
    seat: int,
    typed: Entry,
    judged: Judged,
) -> HttpResponse:
    game = access.game
    for _attempt in range(TRIES):
        if _touched(log_of(game), entry.number, typed.version):
            break
        try:
            services.round_put(
                game=game,
                number=entry.number,
                claim=judged.claim,
                disputed=bool(judged.problems),
                reason=typed.reason,
                who=request.device.who,
                device=request.device.identified(),
                version=game.version,
            )
        except Conflict as conflict:
            game = conflict.sheet.game  # what changed meanwhile may be another round
        except Refused as refused:
            names = sheet.names()
            judged = replace(judged, problems=[message(one, names) for one in refused.problems])
            return _page(request, access, sheet, entry, seat, typed, judged, status=422)
        else:
            return redirect("board", game.slug)
    return _conflict(request, access, entry.number, seat, typed)


def _touched(log: Log, number: int, version: int) -> bool:
    """Whether round `number` has changed since `version`, or there never was such a version."""
    since = [line for line in log.entries if line.number > version]
    never = version > log.entries[-1].number
    return never or any(str(number) in line.after.get("rounds", {}) for line in since)


def _conflict(request: DeviceRequest, access: Access, number: int, seat: int, typed: Entry) -> HttpResponse:
    """Both values, and who else was at it; nothing is lost and nothing merged."""
    sheet, log = sheet_of(access.game), log_of(access.game)
    entry = sheet.round(number)
    if entry is None:
        notices.warning(request, meanwhile(access))
        return redirect("board", access.game.slug)
    judged = judge(sheet, entry, seat, typed.text)
    hands = services.round_check(sheet, number, judged.claim).hands
    if any(hand.seat == seat and same_hand(hand, entry.hands[seat], sheet.rules) for hand in hands):
        return redirect("board", access.game.slug)  # sent twice, or both say the same
    entries = {line.number: line for line in log.entries}
    theirs = next(line for line in reversed(log.entries) if str(number) in line.after.get("rounds", {}))
    context = {
        "game": access.game,
        "round": entry,
        "person": people(sheet.players)[seat],
        "hand": entry.hands[seat],
        "typed": replace(typed, version=log.entries[-1].number),
        "mine": judged.points,
        "theirs": change_words(theirs, entries, sheet.names()),
        "most_pips": sheet.rules.max_pip,
    }
    return render(request, "games/correct_conflict.html", context, status=409)


def _page(
    request: DeviceRequest,
    access: Access,
    sheet: Sheet,
    entry: RoundSheet,
    seat: int,
    typed: Entry,
    judged: Judged | None,
    status: int = 200,
) -> HttpResponse:
    persons, rules = people(sheet.players), sheet.rules
    context = {
        "game": access.game,
        "title": game_title(sheet),
        "rules": rules,
        "round": entry,
        "engine_words": unbroken(entry.engine),
        "engine": entry.engine,
        "max_pip": rules.max_pip,
        "halves": range(rules.max_pip + 1),
        "tiles_first": bool(rules.blank_half or rules.doubles_twice),
        "hand": entry.hands[seat],
        "person": persons[seat],
        "others": [
            Other(persons[one], " ".join(hand.tiles or ()))
            for one, hand in entry.hands.items()
            if one != seat
        ],
        "typed": typed,
        "judged": judged,
        "refused": status != 200,
        "most_pips": rules.max_pip,
    }
    page = f"{PAGE}#check" if request.htmx and typed.do == "check" else PAGE
    return render(request, page, context, status=status)
