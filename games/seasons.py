"""Writes of a season: how it is scored, its nights and games, results in doubt. Each is one transaction.

Knows how a change is made and logged, and that the table is made anew inside it. Must not know requests,
forms or sentences; the engine scores.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from games import results, services
from games.clubs import check_title, lock, member_key, write_entry
from games.disputes import score_decide
from games.engine.errors import Problem
from games.engine.nights import SeasonGame
from games.engine.scheme import Scheme, check_scheme
from games.models import (
    REASON_LENGTH,
    Club,
    ClubAction,
    ClubGame,
    ClubSeat,
    Doubt,
    Game,
    Member,
    Night,
    Season,
)
from games.names import tidy
from games.selectors import Sheet, sheet_of
from games.services import Refused, Setup, Started
from games.standing_rows import scheme_to_data

MOST_SEASONS = 200


@transaction.atomic
def season_add(
    *,
    club: Club,
    name: str,
    starts_on: date,
    ends_on: date | None = None,
    scheme: Scheme | None = None,
    who: str = "",
    version: int | None = None,
) -> Season:
    """A new season. Refused("invalid"): its name, its dates, or every field of the scheme that cannot be."""
    club = lock(club, version)
    scheme = scheme or Scheme()
    name = tidy(name)
    problems = check_title(name, "name") + _check_dates(starts_on, ends_on) + check_scheme(scheme)
    last = Season.objects.filter(club=club).aggregate(last=Max("number"))["last"] or 0
    if last >= MOST_SEASONS:
        problems.append(Problem("seasons_many", params={"most": MOST_SEASONS}))
    if problems:
        raise Refused("invalid", problems)
    season = Season.objects.create(
        club=club,
        number=last + 1,
        name=name,
        starts_on=starts_on,
        ends_on=ends_on,
        scheme=scheme_to_data(scheme),
    )
    write_entry(club, ClubAction.SEASON_ADDED, who=who, about=name, after=_season_state(season))
    return season


@transaction.atomic
def season_change(
    *,
    season: Season,
    name: str,
    starts_on: date,
    ends_on: date | None,
    who: str = "",
    version: int | None = None,
) -> Season:
    """Another name or other dates. Refused("invalid"): a night would lie outside."""
    club, season = _lock(season, version)
    before = _season_state(season)
    name = tidy(name)
    problems = check_title(name, "name") + _check_dates(starts_on, ends_on)
    for night in Night.objects.filter(season=season).order_by("on") if not problems else ():
        if night.on < starts_on or (ends_on and night.on > ends_on):
            params = {"on": night.on.isoformat(), "starts": str(starts_on), "ends": str(ends_on or "")}
            problems.append(Problem("night_outside", field="starts_on", params=params))
            break
    if problems:
        raise Refused("invalid", problems)
    season.name, season.starts_on, season.ends_on = name, starts_on, ends_on
    after = _season_state(season)
    if before != after:
        season.save(update_fields=["name", "starts_on", "ends_on"])
        write_entry(club, ClubAction.SEASON_CHANGED, who=who, about=name, before=before, after=after)
    return season


@transaction.atomic
def scheme_change(
    *, season: Season, scheme: Scheme, reason: str, who: str = "", version: int | None = None
) -> Season:
    """Score the season otherwise, from its first night on, and say why."""
    club, season = _lock(season, version)
    problems = check_scheme(scheme)
    if not reason.strip():
        problems.append(Problem("reason_missing", field="reason"))
    if problems:
        raise Refused("invalid", problems)
    before, after = season.scheme, scheme_to_data(scheme)
    if before == after:
        return season
    season.scheme = after
    season.save(update_fields=["scheme"])
    results.season_written(season)
    write_entry(
        club,
        ClubAction.SCHEME_CHANGED,
        who=who,
        about=season.name,
        reason=reason.strip(),
        before={"scheme": before},
        after={"season": season.number, "scheme": after},
    )
    return season


@transaction.atomic
def night_void(
    *, season: Season, on: date, void: bool, reason: str, who: str = "", version: int | None = None
) -> Night:
    """Take a night out of the table, or put it back; its games stay. Refused without a reason."""
    club, season = _lock(season, version)
    night = Night.objects.filter(season=season, on=on).first()
    if night is None:
        raise Refused("not_found", [Problem("night_unknown", params={"on": on.isoformat()})])
    if not reason.strip():
        raise Refused("invalid", [Problem("reason_missing", field="reason")])
    if night.void == void:
        return night
    night.void, night.reason = void, reason.strip()[:REASON_LENGTH] if void else ""
    night.save(update_fields=["void", "reason"])
    results.season_written(season)
    write_entry(
        club,
        ClubAction.NIGHT_CHANGED,
        who=who,
        about=on.isoformat(),
        reason=reason.strip(),
        before={"void": not void},
        after={"void": void},
    )
    return night


@transaction.atomic
def game_begin(
    *,
    season: Season,
    on: date,
    setup: Setup,
    by: Member | None = None,
    who: str = "",
    version: int | None = None,
) -> Started:
    """Start a game on a night. Who is called as a member is that member, everybody else a guest.

    `by` gets a key of their own, which ends with their right to keep score for the club.
    Refused("invalid") as `game_add` and `services.game_start`, "forbidden" where that right has just ended;
    then nothing is begun.
    """
    started = services.game_start(setup=setup, who=who)
    seats = seats_by_name(season.club, started.sheet.names())
    game_add(season=season, on=on, game=started.sheet.game, seats=seats, who=who, version=version)
    if by is None:
        return started
    key = member_key(game=started.sheet.game, member=by)
    if key is None:
        raise Refused("forbidden")
    return replace(started, scorer_key=key.key, scorer_key_id=key.pk)


def seats_by_name(club: Club, names: Mapping[int, str]) -> dict[int, int | None]:
    """Member numbers of those seats whose names are members' names, whatever the capital letters."""
    members = Member.objects.filter(club=club, merged_into=None).values_list("name", "number")
    known = {name.casefold(): number for name, number in members}
    return {seat: known.get(name.casefold()) for seat, name in names.items()}


@transaction.atomic
def game_add(
    *,
    season: Season,
    on: date,
    game: Game,
    seats: Mapping[int, int | None],
    who: str = "",
    version: int | None = None,
) -> ClubGame:
    """Play or put a game on a night of the season; `seats` says which member sits where, None is a guest.

    Refused("invalid"): a day outside the season, a game that is at a club already, a seat that is not there,
    a member who is not there or sits twice.
    """
    club, season = _lock(season, version, game)
    problems = _check_day(season, on)
    if ClubGame.objects.filter(game=game).exists():
        problems.append(Problem("game_at_club"))
    known, wrong = _members(club, game, seats)
    problems += wrong
    if problems:
        raise Refused("invalid", problems)
    night, _ = Night.objects.get_or_create(season=season, on=on)
    played = ClubGame.objects.create(night=night, game=game)
    ClubSeat.objects.bulk_create(
        ClubSeat(club_game=played, seat=seat, member_id=member) for seat, member in known.items()
    )
    results.club_game_written(played)
    results.season_written(season)
    write_entry(
        club,
        ClubAction.GAME_ADDED,
        who=who,
        about=game.name,
        after={"on": on.isoformat(), **_game_state(game), "seats": _seats_state(played)},
    )
    return played


@transaction.atomic
def game_change(
    *,
    played: ClubGame,
    seats: Mapping[int, int | None] | None = None,
    forfeits: frozenset[int] | None = None,
    void: bool | None = None,
    reason: str = "",
    who: str = "",
    version: int | None = None,
) -> ClubGame:
    """Other members on its seats, who forfeited (their seats), or out of the table; None: as it is."""
    club, season, played = _lock_played(played, version)
    before = {"seats": _seats_state(played), "void": played.void}
    if void is not None and void != played.void and not reason.strip():
        raise Refused("invalid", [Problem("reason_missing", field="reason")])
    if seats is not None:
        known, problems = _members(club, played.game, seats)
        if problems:
            raise Refused("invalid", problems)
        lost = set(played.seats.filter(forfeit=True).values_list("seat", flat=True))
        played.seats.all().delete()
        ClubSeat.objects.bulk_create(
            ClubSeat(club_game=played, seat=seat, member_id=member, forfeit=seat in lost)
            for seat, member in known.items()
        )
    if forfeits is not None:
        played.seats.filter(seat__in=forfeits).update(forfeit=True)
        played.seats.exclude(seat__in=forfeits).update(forfeit=False)
    if void is not None:
        played.void, played.reason = void, reason.strip()[:REASON_LENGTH] if void else ""
        played.save(update_fields=["void", "reason"])
    after = {"seats": _seats_state(played), "void": played.void}
    if before == after:
        return played
    results.club_game_written(played)
    results.season_written(season)
    write_entry(
        club,
        ClubAction.GAME_CHANGED,
        who=who,
        about=played.game.name,
        reason=reason.strip(),
        before=before,
        after={**after, "on": played.night.on.isoformat(), **_game_state(played.game)},
    )
    return played


@transaction.atomic
def game_remove(*, played: ClubGame, reason: str = "", who: str = "", version: int | None = None) -> None:
    """Take a game out of its season, and its night with the last one; the game itself stays as it is."""
    club, season, played = _lock_played(played, version)
    seats, on = _seats_state(played), played.night.on.isoformat()
    before = {"on": on, **_game_state(played.game), "seats": seats}
    about = played.game.name
    played.delete()
    Night.objects.filter(pk=played.night_id, games=None, void=False).delete()
    results.season_written(season)
    write_entry(club, ClubAction.GAME_REMOVED, who=who, about=about, reason=reason, before=before)


# Results in doubt


@transaction.atomic
def doubt_raise(
    *, played: ClubGame, other: Mapping[str, Any], reason: str, who: str = "", version: int | None = None
) -> Doubt:
    """Put a game's result in doubt. It counts as it stands until it is decided.

    `other` is how it may fall: {"void": True} (False for a game that is void), or {"round", "seat", "points"}
    (the score that would count). Refused("invalid"): no such score, or what counts already.
    """
    club, season, played = _lock_played(played, version)
    problems = _check_other(played, other)
    if not reason.strip():
        problems.append(Problem("reason_missing", field="reason"))
    if Doubt.objects.filter(club_game=played, open=True).exists():
        problems.append(Problem("doubt_open"))
    if problems:
        raise Refused("invalid", problems)
    last = Doubt.objects.filter(club_game__night__season__club=club).aggregate(last=Max("number"))["last"]
    doubt = Doubt.objects.create(
        club_game=played,
        number=(last or 0) + 1,
        other=dict(other),
        steps=[_step("raised", reason, who)],
    )
    results.season_written(season)
    _write_doubt(club, doubt, ClubAction.DOUBT_RAISED, who=who, reason=reason)
    return doubt


@transaction.atomic
def doubt_decide(
    *, doubt: Doubt, stands: bool, reason: str, who: str = "", version: int | None = None
) -> Doubt:
    """Decide that the result stands as it is, or that it falls the other way, which is then carried out.

    A score is decided in the game itself (Refused as there), where Undo stops at it; a void game is taken out
    of the table. The way back is then the doubt's other way, for an appeal; what was carried out stays in its
    step.
    """
    club, season = _lock(doubt.club_game.night.season, version, doubt.club_game.game)
    doubt = _current(doubt, is_open=True)
    if not reason.strip():
        raise Refused("invalid", [Problem("reason_missing", field="reason")])
    played, fallen, asked = doubt.club_game, None, doubt.other
    if not stands:
        fallen, doubt.other = doubt.other, _back(played, doubt.other)
        if "void" in fallen:
            played.void = fallen["void"]
            played.reason = reason.strip()[:REASON_LENGTH] if played.void else ""
            played.save(update_fields=["void", "reason"])
    if "round" in asked and (fallen or _can_be_told(played.game, asked)):
        points = None if fallen is None else fallen["points"]
        about = {"number": asked["round"], "seat": asked["seat"], "reason": reason, "who": who}
        score_decide(game=played.game, points=points, **about)
    doubt.open = False
    doubt.steps = [*doubt.steps, {**_step("decided", reason, who), "stands": stands, "other": fallen}]
    doubt.save(update_fields=["open", "other", "steps"])
    results.season_written(season)
    _write_doubt(club, doubt, ClubAction.DOUBT_DECIDED, who=who, reason=reason, stands=stands, asked=asked)
    return doubt


@transaction.atomic
def doubt_reopen(*, doubt: Doubt, reason: str, who: str = "", version: int | None = None) -> Doubt:
    """An appeal: the result is in doubt again, as it stands now. The first decision stays readable."""
    club, season = _lock(doubt.club_game.night.season, version)
    doubt = _current(doubt, is_open=False)
    problems = [] if reason.strip() else [Problem("reason_missing", field="reason")]
    if Doubt.objects.filter(club_game=doubt.club_game, open=True).exists():
        problems.append(Problem("doubt_open"))
    if problems:
        raise Refused("invalid", problems)
    doubt.open = True
    doubt.steps = [*doubt.steps, _step("reopened", reason, who)]
    doubt.save(update_fields=["open", "steps"])
    results.season_written(season)
    _write_doubt(club, doubt, ClubAction.DOUBT_REOPENED, who=who, reason=reason)
    return doubt


def other_way(doubt: Doubt, sheet: Sheet | None = None) -> SeasonGame | None:
    """The game as the season would take it if the doubt fell the other way; None if it cannot be.

    `sheet`: the game as it is, where it was read already.
    """
    played = doubt.club_game
    sheet = sheet_of(played.game) if sheet is None else sheet
    if "void" in doubt.other:
        return results.season_game(played, sheet, void=doubt.other["void"])
    otherwise = results.sheet_otherwise(sheet, **doubt.other)
    return None if otherwise is None else results.season_game(played, otherwise)


def _back(played: ClubGame, other: Mapping[str, Any]) -> dict[str, Any]:
    """How it would be again what it is now, once `other` is carried out."""
    if "void" in other:
        return {"void": played.void}
    entry = sheet_of(played.game).round(other["round"])
    hand = None if entry is None else entry.hands.get(other["seat"])
    now = None if hand is None else hand.points
    return {**other, "points": now}


def _can_be_told(game: Game, other: Mapping[str, Any]) -> bool:
    """Whether the game's log can say that a score stands: the game is there, and so is the round."""
    there = Game.objects.filter(pk=game.pk, deleted_at=None, rounds__number=other["round"])
    return there.exists()


def _check_other(played: ClubGame, other: Mapping[str, Any]) -> list[Problem]:
    if "void" in other:
        return [Problem("doubt_same")] if other["void"] is played.void else []
    sheet = sheet_of(played.game)
    number, seat, points = (other.get(name) for name in ("round", "seat", "points"))
    entry = sheet.round(number) if isinstance(number, int) else None
    if entry is None:
        return [Problem("round_gone", field="round", params={"round": number})]
    if seat not in entry.hands:
        return [Problem("player_unknown", field="seat", params={"seat": seat})]
    if not isinstance(points, int):
        return [Problem("doubt_cannot", seat=seat, field="points", params={"points": points})]
    if entry.hands[seat].points == points:
        return [Problem("doubt_same", seat=seat, field="points", params={"points": points})]
    if results.sheet_otherwise(sheet, round=entry.number, seat=seat, points=points) is None:
        return [Problem("doubt_cannot", seat=seat, field="points", params={"points": points})]
    return []


def _current(doubt: Doubt, *, is_open: bool) -> Doubt:
    doubt = Doubt.objects.select_related("club_game__night__season", "club_game__game").get(pk=doubt.pk)
    if doubt.open != is_open:
        raise Refused("invalid", [Problem("doubt_decided" if is_open else "doubt_open")])
    return doubt


def _step(kind: str, reason: str, who: str) -> dict[str, Any]:
    return {
        "kind": kind,
        "stands": None,
        "reason": reason.strip()[:REASON_LENGTH],
        "who": who,
        "at": timezone.now().isoformat(),
    }


def _write_doubt(
    club: Club,
    doubt: Doubt,
    action: ClubAction,
    *,
    who: str,
    reason: str,
    stands: bool | None = None,
    asked: Mapping[str, Any] | None = None,
) -> None:
    """`asked`: the other way as it stood before a decision, which turns it."""
    played = doubt.club_game
    on = {"on": played.night.on.isoformat(), **_game_state(played.game)}
    after = {"doubt": doubt.number, **on, "other": asked or doubt.other, "stands": stands}
    write_entry(club, action, who=who, about=played.game.name, reason=reason.strip(), after=after)


def _lock(season: Season, version: int | None, game: Game | None = None) -> tuple[Club, Season]:
    """The club's row, the game's and the season's, in the one order that all writes keep."""
    club = lock(season.club, version)
    if game is not None:
        Game.objects.select_for_update().get(pk=game.pk)
    return club, Season.objects.select_for_update().get(pk=season.pk)


def _lock_played(played: ClubGame, version: int | None) -> tuple[Club, Season, ClubGame]:
    """As `_lock`, with the club game as it is then; Refused if it was taken out of its season meanwhile."""
    found = _there(played)
    return *_lock(found.night.season, version, found.game), _there(found)


def _there(played: ClubGame) -> ClubGame:
    found = ClubGame.objects.select_related("night__season", "game").filter(pk=played.pk).first()
    if found is None:
        raise Refused("not_found", [Problem("game_unknown")])
    return found


def _check_dates(starts_on: date, ends_on: date | None) -> list[Problem]:
    if ends_on is not None and ends_on < starts_on:
        return [Problem("season_dates", field="ends_on", params={"starts": starts_on.isoformat()})]
    return []


def _check_day(season: Season, on: date) -> list[Problem]:
    if on < season.starts_on or (season.ends_on is not None and on > season.ends_on):
        params = {"on": on.isoformat(), "starts": str(season.starts_on), "ends": str(season.ends_on or "")}
        return [Problem("night_outside", field="on", params=params)]
    return []


def _members(
    club: Club, game: Game, seats: Mapping[int, int | None]
) -> tuple[dict[int, int | None], list[Problem]]:
    """Each seat's member row, and what is wrong with `seats` (member numbers by seat)."""
    there = dict(game.players.values_list("seat", "name"))
    problems = [
        Problem("player_unknown", seat=seat, params={"seat": seat}) for seat in seats if seat not in there
    ]
    rows = Member.objects.filter(
        club=club, merged_into=None, number__in=[one for one in seats.values() if one is not None]
    )
    members = {member.number: member for member in rows}
    found: dict[int, int | None] = {}
    for seat in there:
        number = seats.get(seat)
        if number is None:
            found[seat] = None
            continue
        member = members.get(number)
        if member is None:
            problems.append(Problem("member_unknown", seat=seat, params={"number": number}))
            continue
        if member.pk in found.values():
            problems.append(Problem("member_twice", seat=seat, params={"name": member.name}))
        found[seat] = member.pk
    return found, problems


def _game_state(game: Game) -> dict[str, Any]:
    """Which game it is, and who sat at it by seat, as they were called then: not every game has a name."""
    names = game.players.order_by("order", "seat").values_list("seat", "name")
    return {"game": game.slug, "names": {str(seat): name for seat, name in names}}


def _seats_state(played: ClubGame) -> dict[str, Any]:
    rows = played.seats.select_related("member").order_by("seat")
    return {
        str(row.seat): {"member": None if row.member is None else row.member.number, "forfeit": row.forfeit}
        for row in rows
    }


def _season_state(season: Season) -> dict[str, Any]:
    return {
        "number": season.number,
        "name": season.name,
        "starts_on": season.starts_on.isoformat(),
        "ends_on": None if season.ends_on is None else season.ends_on.isoformat(),
    }
