"""A season's nights: which there were, what was played, and who sat where.

Knows how a night and its games are shown. Must not judge: the services do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from games.messages import number as number_words
from games.models import (
    REASON_LENGTH,
    ClubGame,
    ClubSeat,
    Doubt,
    Member,
    Night,
    Season,
    Status,
)
from games.permissions import ClubAccess
from games.season_reads import night_words
from games.seasons import game_change, game_remove, night_void
from games.selectors import Sheet, sheet_of, sheets_of
from games.web.club.access import club_may
from games.web.club.parts import NONE, Faults, again, game_of, needs, night_of, try_to
from games.web.club.season import season_of
from games.web.device import DeviceRequest
from games.web.end import state_words
from games.web.people import Person, people
from games.web.titles import game_title

GUEST = ""  # a seat without a member


@dataclass(frozen=True, slots=True)
class Sat:
    """One seat of a game: who, as which member (None: a guest), with what."""

    person: Person
    member: Member | None
    place: int
    total: str
    forfeit: bool


@dataclass(frozen=True, slots=True)
class Table:
    """One game of a night."""

    played: ClubGame
    title: str
    state: str
    finished: bool
    seats: Sequence[Sat]
    doubts: Sequence[Doubt]


@require_safe
@never_cache
@club_may("read")
def nights(request: DeviceRequest, access: ClubAccess, number: int) -> HttpResponse:
    season = season_of(access, number)
    found = (
        Night.objects.filter(season=season)
        .annotate(tables=Count("games", distinct=True), sat=Count("games__seats__member", distinct=True))
        .order_by("-on")
    )
    context = {
        "club": access.club,
        "season": season,
        "nights": [(night, night_words(night.on)) for night in found],
        "may_score": access.may("score"),
    }
    return render(request, "club/nights.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@club_may("read")
def night(request: DeviceRequest, access: ClubAccess, number: int, day: str) -> HttpResponse:
    season = season_of(access, number)
    found = night_of(season, day)
    if request.method != "POST":
        return _night(request, access, season, found)
    needs(access, "organise")
    reason = request.POST.get("reason", "").strip()[:REASON_LENGTH]

    def void(**about: Any) -> None:
        night_void(season=season, on=found.on, void=request.POST.get("do") == "void", reason=reason, **about)

    if faults := try_to(request, access, void):
        return _night(request, access, season, again(found), faults, reason)
    return redirect("night", access.club.slug, number, day)


def _night(
    request: DeviceRequest,
    access: ClubAccess,
    season: Season,
    found: Night,
    faults: Faults = NONE,
    reason: str = "",
) -> HttpResponse:
    context = {
        "club": access.club,
        "season": season,
        "night": found,
        "day": night_words(found.on),
        "tables": tables_of(found),
        "faults": faults.said,
        "typed_reason": reason,
        "reason_length": REASON_LENGTH,
        "may_organise": access.may("organise"),
        "may_score": access.may("score"),
        "may_belong": access.may("belong"),
        "may_watch": access.may("belong") or not access.club.public,
    }
    return render(request, "club/night.html", context, status=faults.status)


def tables_of(night: Night) -> list[Table]:
    """The games of a night with their rows, best first; so many queries whatever was played."""
    games = list(
        ClubGame.objects.filter(night=night)
        .select_related("game")
        .prefetch_related("seats__member", "doubts")
        .order_by("pk")
    )
    sheets = {sheet.game.pk: sheet for sheet in sheets_of([one.game for one in games])}
    return [table_of(one, sheets[one.game_id]) for one in games]


def table_of(played: ClubGame, sheet: Sheet) -> Table:
    finished = sheet.game.status == Status.FINISHED
    seats: Mapping[int, ClubSeat] = {one.seat: one for one in played.seats.all()}
    who = people(sheet.players)
    told = {} if played.told is None else {int(at): one["place"] for at, one in played.told["seats"].items()}
    return Table(
        played=played,
        title=game_title(sheet),
        state=state_of(played, sheet),
        finished=finished,
        seats=[
            Sat(
                person=who[row.seat],
                member=seats[row.seat].member if row.seat in seats else None,
                place=told.get(row.seat, row.place if sheet.rounds else 0),
                total=number_words(row.total),
                forfeit=row.seat in seats and seats[row.seat].forfeit,
            )
            for row in sorted(sheet.table, key=lambda row: told.get(row.seat, 0))
        ],
        doubts=list(played.doubts.all()),
    )


def state_of(played: ClubGame, sheet: Sheet) -> str:
    """How far a game is, or that nobody kept score of it here."""
    if played.told is None:
        return state_words(sheet, sheet.game.status == Status.FINISHED)
    if table := played.told["table"]:
        return _("Table %(table)s, known by its result") % {"table": table}
    return _("Known by its result")


@require_safe
@never_cache
@club_may("belong")
def night_board(request: DeviceRequest, access: ClubAccess, number: int, game: str) -> HttpResponse:
    """To a game's board, which the club opens while somebody belongs to it: the device keeps no key."""
    played = game_of(season_of(access, number), game)
    if played.told is not None:
        raise Http404
    return redirect("board", played.game.slug)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@club_may("organise")
def club_game(request: DeviceRequest, access: ClubAccess, number: int, game: str) -> HttpResponse:
    """Who sat where in a game, who forfeited, whether it counts."""
    played = game_of(season_of(access, number), game)
    if request.method != "POST":
        return _game(request, access, played)
    do = request.POST.get("do", "")
    reason = request.POST.get("reason", "").strip()[:REASON_LENGTH]
    sheet = sheet_of(played.game)

    def change(**about: Any) -> None:
        if do == "remove":
            game_remove(played=played, reason=reason, **about)
        elif do in {"void", "count"}:
            game_change(played=played, void=do == "void", reason=reason, **about)
        else:
            forfeits = frozenset(seat for seat in sheet.names() if f"forfeit-{seat}" in request.POST)
            game_change(
                played=played, seats=seats_typed(request, sheet), forfeits=forfeits, reason=reason, **about
            )

    if faults := try_to(request, access, change, sheet.names()):
        return _game(request, access, again(played), faults)
    return redirect("night", access.club.slug, number, played.night.on.isoformat())


def seats_typed(request: DeviceRequest, sheet: Sheet) -> dict[int, int | None]:
    """Member numbers by seat as a form says; what is no number is a guest."""
    found: dict[int, int | None] = {}
    for seat in sheet.names():
        text = request.POST.get(f"seat-{seat}", GUEST)
        found[seat] = int(text) if text.isascii() and text.isdecimal() and len(text) < 8 else None
    return found


@dataclass(frozen=True, slots=True)
class SeatChoice:
    """A seat to choose a member for."""

    person: Person
    chosen: int | None
    forfeit: bool


def seat_choices(
    sheet: Sheet, chosen: Mapping[int, int | None], forfeits: frozenset[int] = frozenset()
) -> list[SeatChoice]:
    who = people(sheet.players)
    return [
        SeatChoice(who[player.seat], chosen.get(player.seat), player.seat in forfeits)
        for player in sheet.players
    ]


def members_by_name(access: ClubAccess) -> list[Member]:
    """Who can sit somewhere: everybody once, also who has left, by name."""
    members = Member.objects.filter(club=access.club, merged_into=None)
    return sorted(members, key=lambda one: one.name.casefold())


def _game(
    request: DeviceRequest, access: ClubAccess, played: ClubGame, faults: Faults = NONE
) -> HttpResponse:
    sheet = sheet_of(played.game)
    seats = list(played.seats.select_related("member"))
    chosen = {one.seat: None if one.member is None else one.member.number for one in seats}
    forfeits = frozenset(one.seat for one in seats if one.forfeit)
    if faults and request.POST.get("do") == "seats":
        chosen = seats_typed(request, sheet)
        forfeits = frozenset(seat for seat in sheet.names() if f"forfeit-{seat}" in request.POST)
    context = {
        "club": access.club,
        "season": played.night.season,
        "night": played.night,
        "day": night_words(played.night.on),
        "played": played,
        "title": game_title(sheet),
        "state": state_of(played, sheet),
        "seats": seat_choices(sheet, chosen, forfeits),
        "members": members_by_name(access),
        "faults": faults.said,
        "typed_reason": request.POST.get("reason", ""),
        "typed_do": request.POST.get("do", ""),
        "reason_length": REASON_LENGTH,
        "open_doubt": played.doubts.filter(open=True).first(),
        "most_pips": sheet.rules.max_pip,
    }
    return render(request, "club/club_game.html", context, status=faults.status)
