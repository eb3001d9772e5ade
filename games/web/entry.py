"""Entering a round: who went out, then each hand, checked as it is typed; and a round that was saved twice.

Knows the pages' flow. Must not judge: the engine does, through services.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, NamedTuple

from django.contrib import messages as notices
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from games import drafts, messages, selectors, services
from games.engine.errors import Problem
from games.engine.scoring import Hand
from games.models import LogEntry
from games.permissions import Access
from games.selectors import RoundSheet, Sheet
from games.services import DISPUTABLE, Conflict, Refused
from games.web import hands as typed
from games.web.access import scores
from games.web.actions import shown_version
from games.web.device import DeviceRequest
from games.web.hands import NOT_ASKED, Ending, Entry, Verdict
from games.web.hands_in import filled, phones
from games.web.people import Person, people
from games.web.typed import read_reason

MOST_NAMED = 6  # with more players the page counts who is still to come, and shows a strip of markers
TRIES = 3  # how often a save that collided with other changes of the game is tried again


@require_safe
@never_cache
@scores
def who_out(request: DeviceRequest, access: Access, number: int) -> HttpResponse:
    """One tap says who went out; the round's engine stands above."""
    sheet = selectors.sheet_of(access.game)
    known = sheet.round(number)
    if known is None and number != sheet.next_number:
        return _not_next(request, sheet, number)
    if known is not None and "fix" not in request.GET:
        return redirect("round_sheet", access.game.slug, number)
    persons = people(sheet.players)
    engine = typed.read_engine(request.GET, sheet, number)
    choices = sheet.engine_choices(number)
    context = {
        **_round_context(sheet, number, engine),
        "persons": [persons[seat] for seat in sheet.seats(number)],
        "said_out": {one.seat for one in phones(sheet, number) if one.out},
        "outs": set() if known is None else typed.saved(sheet, known, Ending()).ending.outs,
        "choices": choices if len(choices) > 1 else (),
        "chosen": engine if "engine" in request.GET else None,
        "several": sheet.rules.first_turn_out == "finish_turn_one",
        "two": "two" in request.GET,
        "fix": known is not None,
        "draft": _draft(sheet, number, known is None),
        "going_on": "go" in request.GET,
        "written": drafts.draft_of(access.game, number) is not None,
    }
    return render(request, "games/who_out.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@scores
def hands(request: DeviceRequest, access: Access, number: int) -> HttpResponse:
    """Each player's hand: the page, and saving it."""
    sheet = selectors.sheet_of(access.game)
    known = sheet.round(number)
    if known is None and number != sheet.next_number:
        return _not_next(request, sheet, number)
    if request.method == "POST":
        return _save(request, sheet, typed.read_typed(_sent(request), sheet, number))
    ending = typed.read_ending(request.GET, sheet, number)
    if known is not None:
        if ending.known and "fix" not in request.GET:
            return redirect("round_sheet", access.game.slug, number)
        entry = typed.saved(sheet, known, ending)
    elif ending.known:
        engine = typed.read_engine(request.GET, sheet, number)
        entry = filled(typed.fresh(sheet, number, engine, ending), phones(sheet, number))
    else:
        return _redirect_with(request, sheet, number, "go=on")
    return render(request, "games/hands.html", _page(sheet, entry))


@require_POST
@never_cache
@scores
def check(request: DeviceRequest, access: Access, number: int) -> HttpResponse:
    """The line above the pad: what is typed so far can be right, or what is wrong with it."""
    sheet = selectors.sheet_of(access.game)
    if sheet.round(number) is None and number != sheet.next_number:
        raise Http404
    entry = typed.read_typed(_sent(request), sheet, number)
    context = {"line": _line_so_far(sheet, entry, request.POST.get("at", ""))}
    return render(request, "games/hands.html#check", context)


def _save(request: DeviceRequest, sheet: Sheet, entry: Entry) -> HttpResponse:
    data = request.POST
    disputed = "disputed" in data
    verdict = entry.judge(sheet)
    if verdict.problems and not (disputed and verdict.disputable):
        return _again(request, sheet, entry, _refusal(sheet, verdict))
    asking = [warning for warning in verdict.warnings if warning.code not in NOT_ASKED]
    if asking and "sure" not in data and not disputed:
        return _again(request, sheet, entry, _question(sheet, asking))
    try:
        _put(request, sheet, entry)
    except Refused as refused:
        if refused.code == "round_number":
            return _not_next(request, selectors.sheet_of(sheet.game), entry.number)
        problems = verdict.problems + refused.problems if disputed else refused.problems
        return _again(request, sheet, entry, _refusal(sheet, Verdict(problems, (), verdict.hands)))
    except Conflict as conflict:
        return _twice(request, conflict.sheet, entry, verdict.hands)
    return _away(request, "board", sheet.game.slug)


def _put(request: DeviceRequest, sheet: Sheet, entry: Entry) -> None:
    """Save it. A change elsewhere in the game since the page was made is no conflict with this round."""
    data = request.POST
    shown = shown_version(request)
    for _attempt in range(TRIES):
        if _touched(sheet, entry, shown):
            raise Conflict(sheet)
        try:
            services.round_put(
                game=sheet.game,
                number=entry.number,
                claim=entry.claim,
                disputed="disputed" in data,
                reason=_reason(data),
                who=request.device.who,
                device=request.device.identified(),
                version=sheet.game.version,
                only_new=entry.is_new,
            )
        except Conflict as conflict:
            sheet = conflict.sheet
        else:
            return
    raise Conflict(sheet)


def _sent(request: DeviceRequest) -> QueryDict:
    """What the page was for (in its address) and what was typed on it."""
    data = request.GET.copy()
    data.update(request.POST)
    return data


def _reason(data: QueryDict) -> str:
    """The last that says something: a page can ask why a round is corrected, and why it is in doubt."""
    return next(filter(None, map(read_reason, reversed(data.getlist("reason")))), "")


def _touched(now: Sheet, entry: Entry, shown: int) -> bool:
    """Whether this round, or who sits where, has changed since the version that was shown."""
    if shown > now.game.version or (entry.is_new and now.round(entry.number) is not None):
        return True
    since = LogEntry.objects.filter(game=now.game, number__gt=shown)
    return any(
        "players" in line.after
        or (entry.is_new and _comes_or_goes(line))
        or (not entry.is_new and str(entry.number) in line.after.get("rounds", {}))
        for line in since
    )


def _comes_or_goes(line: LogEntry) -> bool:
    """Whether somebody joined, left or came back; a new name changes nothing about who plays."""
    for seat, after in line.after.get("seats", {}).items():
        before = line.before["seats"][seat]
        if before is None or after is None or before["to_round"] != after["to_round"]:
            return True
    return False


def _twice(request: DeviceRequest, now: Sheet, entry: Entry, mine: tuple[Hand, ...]) -> HttpResponse:
    """Somebody else was first. The same values: nothing to choose. Else both, side by side."""
    known = now.round(entry.number)
    if known is None:
        if entry.number != now.next_number:
            return _not_next(request, now, entry.number)
        entry = typed.read_typed(_sent(request), now, entry.number)
        changed = messages.Message(
            _("The game was changed meanwhile."), _("Look again at who has what, then save.")
        )
        return _again(request, now, entry, {"kind": "brass", "lines": [changed], "bad": []}, status=409)
    if typed.same_round(entry, mine, known, now.rules):
        return _away(request, "board", now.game.slug)
    line = _last_line(now, entry.number)
    context = {
        **_round_context(now, entry.number, known.engine),
        **_comparison(now, entry, mine, known),
        "entry": entry,
        "way": replace(entry, is_new=False).way,
        "line": line,
        "reason": _reason(request.POST) or _("Saved twice. This one was chosen."),
        "disputed": "disputed" in request.POST,
    }
    return render(request, "games/conflict.html", context, status=409)


class Pair(NamedTuple):
    """One player's hand on both phones."""

    person: Person
    mine: Hand | None
    theirs: Any
    differs: bool


def _comparison(now: Sheet, entry: Entry, mine: tuple[Hand, ...], known: RoundSheet) -> dict[str, Any]:
    persons = people(now.players)
    by_seat = {hand.seat: hand for hand in mine}
    pairs = []
    for seat in now.seats(entry.number):
        one, other = by_seat.get(seat), known.hands.get(seat)
        same = one is not None and other is not None and typed.same_hand(one, other, now.rules)
        pairs.append(Pair(persons[seat], one, other, not same))
    return {
        "pairs": pairs,
        "my_sum": sum(pair.mine.points for pair in pairs if pair.mine),
        "their_sum": sum(pair.theirs.points for pair in pairs if pair.theirs),
        "known": known,
        "ends_differ": (entry.engine, entry.claim.ended) != (known.engine, known.ended),
    }


def _last_line(now: Sheet, number: int) -> LogEntry | None:
    """The log line that made round `number` what it is."""
    lines = selectors.log_of(now.game).entries
    return next((line for line in reversed(lines) if str(number) in line.after.get("rounds", {})), None)


# What the pages say


def _refusal(sheet: Sheet, verdict: Verdict) -> dict[str, Any]:
    disputable = bool(verdict.problems) and {problem.code for problem in verdict.problems} <= (
        DISPUTABLE | {"reason_missing"}
    )
    return {
        "kind": "red",
        "title": _("This round cannot be right yet"),
        "lines": _lines(sheet, verdict.problems),
        "bad": sorted(verdict.bad_seats),
        "dispute": disputable,
        "dispute_open": any(problem.code == "reason_missing" for problem in verdict.problems),
        "loud": True,
    }


def _question(sheet: Sheet, warnings: Iterable[Problem]) -> dict[str, Any]:
    return {"kind": "brass", "lines": _lines(sheet, warnings), "bad": [], "ask": True, "loud": True}


def _lines(sheet: Sheet, problems: Iterable[Problem]) -> list[messages.Message]:
    names = sheet.names()
    return list(dict.fromkeys(messages.message(problem, names) for problem in problems))


def _line_so_far(sheet: Sheet, entry: Entry, at: str) -> dict[str, Any]:
    """Problems and what is unusual, as far as typed; else that it can be right, and who is still to come."""
    seat = next((seat for seat in entry.hands if str(seat) == at), None)
    verdict = entry.judge(sheet, typing=seat, so_far=True)
    bad = sorted(verdict.bad_seats)
    if verdict.problems:
        title = _("This round cannot be right yet")
        return {"kind": "red", "title": title, "lines": _lines(sheet, verdict.problems), "bad": bad}
    asking = [warning for warning in verdict.warnings if warning.code not in NOT_ASKED]
    if asking:
        return {"kind": "brass", "lines": _lines(sheet, asking), "bad": bad}
    return {"kind": "ok", "bad": bad, **_still_to_come(sheet, entry, verdict, seat)}


def _still_to_come(sheet: Sheet, entry: Entry, verdict: Verdict, seat: int | None) -> dict[str, Any]:
    blank = entry.blank_seats()
    points = {hand.seat: hand.points for hand in verdict.hands}
    can = ""
    if seat in points and seat not in blank:
        can = _("%(points)s can be right.") % {"points": points[seat]}
    elif not blank:
        can = _("This round can be right.")
    if not blank:
        rest = short = _("All %(count)s are in.") % {"count": len(entry.hands)}
    else:
        names = sheet.names()
        short = ngettext("%(count)s to come.", "%(count)s to come.", len(blank)) % {"count": len(blank)}
        if len(entry.hands) > MOST_NAMED:
            rest = _("%(count)s of %(all)s are in.") % {
                "count": len(entry.hands) - len(blank),
                "all": len(entry.hands),
            }
        else:
            rest = _("Still to come: %(names)s.") % {"names": ", ".join(names[one] for one in blank)}
    return {"can": can, "rest": rest, "short": short, "nothing_yet": not can}


# The pages' parts


def _page(sheet: Sheet, entry: Entry, line: dict[str, Any] | None = None) -> dict[str, Any]:
    rules = sheet.rules
    line = line or _line_so_far(sheet, entry, "")
    return {
        **_round_context(sheet, entry.number, entry.engine),
        "entry": entry,
        "phones": phones(sheet, entry.number) if entry.is_new else [],
        "way": entry.way,
        "rows": entry.rows(sheet, set(line["bad"])),
        "line": line,
        "kept": line.get("loud", False),
        "draft": _draft(sheet, entry.number, entry.is_new),
        "many": len(entry.hands) > MOST_NAMED,
        "rules": rules,
        "tiles_first": bool(rules.blank_half or rules.doubles_twice),
        "halves": range(rules.max_pip + 1),
        "next_text": _("Next: %s"),
        "save_text": _("Save round %(number)s") % {"number": entry.number},
    }


def _again(
    request: DeviceRequest, sheet: Sheet, entry: Entry, line: dict[str, Any], status: int = 422
) -> HttpResponse:
    """The page as it was typed, with what is wrong; nothing was saved."""
    context = _page(sheet, entry, {**line, "loud": True})
    # The version that was shown first: what changed since must still be noticed.
    context["version"] = request.POST.get("version", "") if status == 422 else sheet.game.version
    context["reason"] = _reason(request.POST)
    return render(request, "games/hands.html", context, status=status)


def _round_context(sheet: Sheet, number: int, engine: int) -> dict[str, Any]:
    return {
        "game": sheet.game,
        "version": sheet.game.version,
        "number": number,
        "engine": engine,
        "most_pips": sheet.rules.max_pip,
        "max_pip": sheet.rules.max_pip,
    }


def _draft(sheet: Sheet, number: int, new: bool) -> str:
    """What the phone keeps the typed values under; a correction only for the version it began with."""
    key = f"g:{sheet.game.slug}:r:{number}"
    return key if new else f"{key}:v{sheet.game.version}"


def _not_next(request: DeviceRequest, sheet: Sheet, number: int) -> HttpResponse:
    """Kindly to the board: this round's turn has not come, or never comes."""
    if number < 1:
        raise Http404
    facts = {
        "given": number,
        "next": sheet.next_number,
        "last": len(sheet.rounds),
        "rounds": sheet.game.round_count,
        "removing": False,
    }
    problem = Problem("round_number", field="number", params=facts)
    notices.info(request, messages.sentence(problem, sheet.names()))
    return _away(request, "board", sheet.game.slug)


def _redirect_with(request: DeviceRequest, sheet: Sheet, number: int, more: str) -> HttpResponse:
    query = QueryDict(more, mutable=True)
    if "engine" in request.GET:
        query["engine"] = request.GET["engine"]
    answer = redirect("round", sheet.game.slug, number)
    answer["Location"] += f"?{query.urlencode()}"
    return answer


def _away(request: DeviceRequest, name: str, *args: object) -> HttpResponse:
    """To another page, by htmx too."""
    answer = redirect(name, *args)
    return HttpResponseClientRedirect(answer["Location"]) if request.htmx else answer
