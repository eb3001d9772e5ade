"""How a season is scored: in words for all; for organisers a form with the table before and after.

Knows the form as typed. Must not judge a scheme: the engine says what is wrong with it.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from games import results
from games.engine.errors import Problem
from games.engine.scheme import ABSENCES, LATE, MEASURES, TIEBREAKS, Scheme, check_scheme
from games.engine.season import shifts
from games.models import REASON_LENGTH, ClubAction, ClubEntry, Member, Season
from games.permissions import ClubAccess
from games.season_messages import sentence
from games.season_words import scheme_changes, scheme_words, shift_words, tiebreak_name
from games.seasons import scheme_change
from games.standing_rows import scheme_from_data, scheme_to_data
from games.web.club.access import club_may
from games.web.club.parts import NONE, Faults, again, both_tables, try_to
from games.web.club.season import season_of
from games.web.device import DeviceRequest

LONGEST = 200  # letters that are read of a field


@dataclass(frozen=True, slots=True)
class Typed:
    """The form as typed; `by` is "share" or "list", for placement."""

    measure: str = "points"
    high_wins: str = ""
    by: str = "share"
    places: str = ""
    best: str = ""
    least_nights: str = ""
    absence: str = "blank"
    late: str = "from_joining"
    guests_hold_places: str = ""
    tiebreaks: tuple[str, ...] = ()
    reason: str = ""

    def scheme(self) -> tuple[Scheme, list[Problem]]:
        """What was typed, and what of it cannot be read; an unreadable number counts as left out."""
        problems: list[Problem] = []

        def number(text: str, field: str) -> int | None:
            if not text:
                return None
            if text.isascii() and text.isdecimal() and len(text) < 6:
                return int(text)
            problems.append(Problem("scheme_text", field=field, params={"text": text}))
            return None

        places = None
        if self.by == "list":
            texts = self.places.replace(",", " ").split()
            read = [number(text, "places") for text in texts]
            places = tuple(one for one in read if one is not None)
        scheme = Scheme(
            measure=self.measure,  # type: ignore[arg-type]
            places=places,
            high_wins=bool(self.high_wins),
            best=number(self.best, "best"),
            least_nights=number(self.least_nights, "least_nights") or 0,
            absence=self.absence,  # type: ignore[arg-type]
            late=self.late,  # type: ignore[arg-type]
            guests_hold_places=bool(self.guests_hold_places),
            tiebreaks=self.tiebreaks,
        )
        return scheme, problems + (check_scheme(scheme) if not problems else [])


def typed_of(scheme: Scheme) -> Typed:
    return Typed(
        measure=scheme.measure,
        high_wins="1" if scheme.high_wins else "",
        by="share" if scheme.places is None else "list",
        places=", ".join(map(str, scheme.places or (10, 7, 5, 3, 1))),
        best="" if scheme.best is None else str(scheme.best),
        least_nights=str(scheme.least_nights or ""),
        absence=scheme.absence,
        late=scheme.late,
        guests_hold_places="1" if scheme.guests_hold_places else "",
        tiebreaks=scheme.tiebreaks,
    )


def read(data: QueryDict) -> Typed:
    given = {
        field.name: str(data.get(field.name, "")).strip()[:LONGEST]
        for field in fields(Typed)
        if field.name not in {"tiebreaks", "reason"}
    }
    asked = data.getlist("tiebreak")[: len(TIEBREAKS)]
    codes = tuple(dict.fromkeys(code for code in asked if code in TIEBREAKS))
    return Typed(**given, tiebreaks=codes, reason=str(data.get("reason", "")).strip()[:REASON_LENGTH])


def reordered(codes: tuple[str, ...], do: str) -> tuple[str, ...]:
    """The tie-breaks after «up:wins», «down:wins», «out:wins» or «in:wins»; anything else changes nothing."""
    act, _colon, code = do.partition(":")
    found = list(codes)
    if act == "in" and code in TIEBREAKS and code not in found:
        return (*codes, code)
    if code not in found:
        return codes
    at = found.index(code)
    found.remove(code)
    if act in {"up", "down"}:
        found.insert(max(at - 1, 0) if act == "up" else at + 1, code)
    elif act != "out":
        return codes
    return tuple(found)


@require_safe
@never_cache
@club_may("read")
def scheme(request: DeviceRequest, access: ClubAccess, number: int) -> HttpResponse:
    season = season_of(access, number)
    entries = ClubEntry.objects.filter(
        club=access.club, action=ClubAction.SCHEME_CHANGED, after__season=season.number
    )
    context = {
        "club": access.club,
        "season": season,
        "words": scheme_words(scheme_from_data(season.scheme)),
        "changes": [(entry, *_changed(entry)) for entry in entries.order_by("-number")],
        "may_organise": access.may("organise"),
    }
    return render(request, "club/scheme.html", context)


def _changed(entry: ClubEntry) -> tuple[list[str], list[str]]:
    return scheme_changes(*(scheme_from_data(side["scheme"]) for side in (entry.before, entry.after)))


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@club_may("organise")
def scheme_form(request: DeviceRequest, access: ClubAccess, number: int) -> HttpResponse:
    season = season_of(access, number)
    if request.method != "POST":
        return _form(request, access, season, typed_of(scheme_from_data(season.scheme)))
    typed, do = read(request.POST), request.POST.get("do", "look")
    if ":" in do:
        return _form(request, access, season, replace(typed, tiebreaks=reordered(typed.tiebreaks, do)))
    scheme, problems = typed.scheme()
    if problems:
        said = tuple(dict.fromkeys(map(sentence, problems)))
        return _form(request, access, season, typed, Faults(said, 422))
    if do != "save":
        return _form(request, access, season, typed, look=scheme)

    def change(**about: Any) -> None:
        scheme_change(season=season, scheme=scheme, reason=typed.reason, **about)

    if faults := try_to(request, access, change):
        return _form(request, access, again(season), typed, faults, look=scheme)
    return redirect("scheme", access.club.slug, number)


def _form(
    request: DeviceRequest,
    access: ClubAccess,
    season: Season,
    typed: Typed,
    faults: Faults = NONE,
    *,
    look: Scheme | None = None,
) -> HttpResponse:
    context: dict[str, Any] = {
        "club": access.club,
        "season": season,
        "typed": typed,
        "faults": faults.said,
        "measures": _choices(MEASURES, typed.measure, typed),
        "absences": _choices(ABSENCES, typed.absence, typed),
        "lates": _choices(LATE, typed.late, typed),
        "chosen": [(code, tiebreak_name(code)) for code in typed.tiebreaks],
        "others": [(code, tiebreak_name(code)) for code in TIEBREAKS if code not in typed.tiebreaks],
        "reason_length": REASON_LENGTH,
        "moved": request.POST.get("do", "").partition(":")[2],
    }
    if look is not None:
        context |= _before_and_after(season, look)
    return render(request, "club/scheme_form.html", context, status=faults.status)


def _before_and_after(season: Season, scheme: Scheme) -> dict[str, Any]:
    """Both tables and who moves, for a scheme that can be."""
    before = scheme_from_data(season.scheme)
    now, other = results.table_of(season), results.table_of(season, scheme=scheme)
    moved = shifts(now, other)
    names = dict(Member.objects.filter(pk__in=[one.person for one in moved]).values_list("pk", "name"))
    return {
        "looked": True,
        "same": scheme_to_data(scheme) == season.scheme,
        "words": scheme_words(scheme),
        "who_moves": shift_words(moved, names),
    } | both_tables(now, other, before, scheme)


def _choices(codes: tuple[str, ...], chosen: str, typed: Typed) -> list[tuple[str, str, bool]]:
    """(code, words, chosen) of a field."""
    return [(code, choice_words(code, high=bool(typed.high_wins)), code == chosen) for code in codes]


def choice_words(code: str, *, high: bool = False) -> str:
    """What a choice of the form says."""
    words = {
        "points": _("Sum of points"),
        "per_game": _("Average a game"),
        "per_round": _("Average a round"),
        "placement": _("Points for places, added up"),
        "placement_average": _("Points for places, average a night"),
        "blank": _("counts nothing"),
        "own_average": _("counts the person’s own average"),
        "worst_plus_one": _("counts one point less than the least")
        if high
        else _("counts one more than the worst"),
        "from_joining": _("do not count"),
        "as_absent": _("are missed nights"),
    }
    return words[code]
