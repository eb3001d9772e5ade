"""A result in doubt: putting it there, what hangs on it, deciding it, and an appeal.

Knows the forms and the words of each step. Must not judge: the services do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games import results
from games.agreement_words import mark_words
from games.engine.season import shifts
from games.messages import number as number_words
from games.models import REASON_LENGTH, ClubGame, Doubt, Member
from games.permissions import ClubAccess
from games.season_reads import doubt_words, night_words
from games.season_words import shift_words
from games.seasons import doubt_decide, doubt_raise, doubt_reopen, other_way
from games.selectors import Sheet, sheet_of
from games.standing_rows import scheme_from_data
from games.web.club.access import club_may
from games.web.club.parts import NONE, Faults, again, both_tables, game_of, needs, try_to
from games.web.club.season import season_of
from games.web.device import DeviceRequest
from games.web.people import people
from games.web.titles import game_title

LONGEST_POINTS = 6


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a doubt as the page tells it."""

    title: str
    text: str
    reason: str
    who: str
    at: datetime


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@club_may("organise")
def doubt_new(request: DeviceRequest, access: ClubAccess, number: int, game: str) -> HttpResponse:
    played = game_of(season_of(access, number), game)
    if request.method != "POST":
        return _new(request, access, played)
    made: list[Doubt] = []

    def put(**about: Any) -> None:
        reason = request.POST.get("reason", "")
        made.append(doubt_raise(played=played, other=_other(request, played), reason=reason, **about))

    if faults := try_to(request, access, put, sheet_of(played.game).names()):
        return _new(request, access, played, faults)
    return redirect("doubt", access.club.slug, made[0].number)


def _other(request: DeviceRequest, played: ClubGame) -> dict[str, Any]:
    """How the form says the result may fall; None where no number was typed."""
    if request.POST.get("what") != "score":
        return {"void": not played.void}
    return {name: _number(request.POST.get(name, "")) for name in ("round", "seat", "points")}


def _number(text: str) -> int | None:
    text = text.strip().replace("−", "-")
    plain = text.removeprefix("-")
    return int(text) if plain.isascii() and plain.isdecimal() and len(plain) < LONGEST_POINTS else None


def _new(request: DeviceRequest, access: ClubAccess, played: ClubGame, faults: Faults = NONE) -> HttpResponse:
    sheet = sheet_of(played.game)
    typed = request.POST if request.method == "POST" else request.GET
    context = {
        "club": access.club,
        "season": played.night.season,
        "played": played,
        "day": night_words(played.night.on),
        "title": game_title(sheet),
        "rounds": [str(entry.number) for entry in sheet.rounds],
        "people": [(str(one.seat), one) for one in people(sheet.players).values()],
        "typed": {name: typed.get(name, "") for name in ("what", "round", "seat", "points", "reason")},
        "faults": faults.said,
        "reason_length": REASON_LENGTH,
        "most_pips": sheet.rules.max_pip,
    }
    return render(request, "club/doubt_new.html", context, status=faults.status)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@club_may("read")
def doubt(request: DeviceRequest, access: ClubAccess, number: int) -> HttpResponse:
    found = _doubt_of(access, number)
    if request.method != "POST":
        return _doubt(request, access, found)
    needs(access, "organise")
    do, reason = request.POST.get("do", ""), request.POST.get("reason", "")

    def step(**about: Any) -> None:
        if do == "reopen":
            doubt_reopen(doubt=found, reason=reason, **about)
        else:
            doubt_decide(doubt=found, stands=do != "falls", reason=reason, **about)

    if faults := try_to(request, access, step, sheet_of(found.club_game.game).names()):
        return _doubt(request, access, again(found), faults)
    return redirect("doubt", access.club.slug, number)


def _doubt_of(access: ClubAccess, number: int) -> Doubt:
    try:
        return Doubt.objects.select_related("club_game__night__season__club", "club_game__game").get(
            club_game__night__season__club=access.club, number=number
        )
    except Doubt.DoesNotExist:
        raise Http404 from None


def _doubt(request: DeviceRequest, access: ClubAccess, found: Doubt, faults: Faults = NONE) -> HttpResponse:
    played, season = found.club_game, found.club_game.night.season
    sheet = sheet_of(played.game)
    context: dict[str, Any] = {
        "club": access.club,
        "season": season,
        "played": played,
        "night": played.night,
        "day": night_words(played.night.on),
        "doubt": found,
        "title": game_title(sheet),
        "subject": doubt_words(found),
        "otherwise": other_words(found.other, sheet),
        "steps": [_step(step, sheet) for step in found.steps],
        **_record(found, sheet),
        "may_play": access.member is not None,  # only then do the game's own pages open
        "may_organise": access.may("organise"),
        "typed_reason": request.POST.get("reason", ""),
        "typed_do": request.POST.get("do", ""),
        "faults": faults.said,
        "reason_length": REASON_LENGTH,
        "most_pips": sheet.rules.max_pip,
    }
    if found.open:
        context |= _hangs(found)
    return render(request, "club/doubt.html", context, status=faults.status)


def _record(found: Doubt, sheet: Sheet) -> dict[str, object]:
    """What the record of the round says that the doubt is about, if it has one."""
    at = found.other.get("round")
    entry = sheet.round(at) if isinstance(at, int) else None
    return {} if entry is None or not entry.record else {"record_words": mark_words(entry.record), "at": at}


def _hangs(found: Doubt) -> dict[str, Any]:
    """The table as it is and as it would be, and who stands elsewhere then."""
    season, otherwise = found.club_game.night.season, other_way(found)
    if otherwise is None:
        return {"cannot": True}
    now, other = results.table_of(season), results.table_of(season, instead=otherwise)
    moved = shifts(now, other)
    names = dict(Member.objects.filter(pk__in=[one.person for one in moved]).values_list("pk", "name"))
    scheme = scheme_from_data(season.scheme)
    return {"who_moves": shift_words(moved, names), **both_tables(now, other, scheme)}


def other_words(other: Mapping[str, Any], sheet: Sheet) -> str:
    """«Then Ben has 25 in round 2 (15 now)», «Then the game does not count»."""
    if "void" in other:
        return _("Then the game does not count.") if other["void"] else _("Then the game counts.")
    entry = sheet.round(other["round"])
    facts = {
        "who": sheet.names().get(other["seat"], ""),
        "round": other["round"],
        "points": number_words(other["points"]),
        "now": "–",
    }
    if entry is not None and other["seat"] in entry.hands:
        facts["now"] = number_words(entry.hands[other["seat"]].points)
    return _("Then %(who)s has %(points)s in round %(round)s; now it is %(now)s.") % facts


def _step(step: Mapping[str, Any], sheet: Sheet) -> Step:
    titles = {
        "raised": _("Put in doubt"),
        "reopened": _("Appealed against"),
        "decided": _("Decided: it stands") if step["stands"] else _("Decided: it falls the other way"),
    }
    fallen = step.get("other")
    return Step(
        title=titles[step["kind"]],
        text=_fallen_words(fallen, sheet) if fallen else "",
        reason=step["reason"],
        who=step["who"],
        at=datetime.fromisoformat(step["at"]),
    )


def _fallen_words(other: Mapping[str, Any], sheet: Sheet) -> str:
    """What a decision carried out."""
    if "void" in other:
        return _("The game was taken out of the table.") if other["void"] else _("The game was counted.")
    facts = {
        "who": sheet.names().get(other["seat"], ""),
        "round": other["round"],
        "points": number_words(other["points"]),
    }
    return _("%(who)s was given %(points)s in round %(round)s.") % facts
