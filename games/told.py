"""Past nights brought in from a file: games that are known by their results alone, all or none.

Knows how such a game is kept and what the season's table would be with it. Must not know files, requests or
sentences. A game needs its row for the names of those who sat there; it has no round, and no link opens it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db import transaction

from games import mapping, results
from games.clubs import NewMember, fold, lock, members_made, write_entry
from games.engine.errors import Problem
from games.engine.nights import Entry, SeasonGame
from games.engine.nights import Member as SeasonMember
from games.engine.rules import PRESETS
from games.engine.scheme import Scheme
from games.engine.season import SeasonRow, season_table
from games.models import (
    Action,
    Club,
    ClubAction,
    ClubGame,
    ClubSeat,
    Game,
    LogEntry,
    Member,
    Night,
    Player,
    Result,
    Season,
    Status,
)
from games.seasons import season_add
from games.services import Refused
from games.standing_rows import member_of

FEWEST_SEATS, MOST_SEATS = 2, 28  # in one game
FIGURES = ("points", "rounds", "zero_rounds", "lowest_nonzero", "place")
NEW_PERSON = 10**15  # row numbers of those who have no row yet


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldSeat:
    """One person's result. `member`: a member's number, the name of a new one, or None for a guest."""

    name: str
    member: int | str | None
    points: int
    place: int
    rounds: int = 0
    zero_rounds: int = 0
    lowest_nonzero: int | None = None
    forfeit: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldGame:
    """One table of a night; `table` is what the file calls it, or empty. `void`: it counts for nobody."""

    on: date
    table: str
    seats: tuple[ToldSeat, ...]
    void: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class NewSeason:
    """A season that begins with what a file brings."""

    name: str
    starts_on: date
    ends_on: date
    scheme: Scheme


@dataclass(frozen=True, slots=True)
class Known:
    """A game the season has: what its table was called, if it was told, and who had what."""

    table: str | None
    sums: frozenset[tuple[str, int]]


def names_by_number(club: Club) -> dict[int, str]:
    return dict(Member.objects.filter(club=club, merged_into=None).values_list("number", "name"))


def sums_of(game: ToldGame, names: Mapping[int, str]) -> frozenset[tuple[str, int]]:
    """Who had what: another game of the night with the same is the same game. `names` of members."""
    return frozenset(
        (fold(names[seat.member] if isinstance(seat.member, int) else seat.name), seat.points)
        for seat in game.seats
    )


def known_games(season: Season) -> dict[date, list[Known]]:
    """The games the season has, by night; members are called what they are called now."""
    names = {
        (game, seat): name
        for game, seat, name in Player.objects.filter(game__at_club__night__season=season).values_list(
            "game__at_club", "seat", "name"
        )
    }
    sums: dict[int, set[tuple[str, int]]] = {}
    rows = Result.objects.filter(season=season).values_list("club_game", "seat", "member__name", "points")
    for game, seat, member, points in rows:
        sums.setdefault(game, set()).add((fold(member or names.get((game, seat), "")), points))
    found: dict[date, list[Known]] = {}
    played = ClubGame.objects.filter(night__season=season).order_by("pk")
    for game, on, told in played.values_list("pk", "night__on", "told"):
        table = None if told is None else told["table"]
        found.setdefault(on, []).append(Known(table, frozenset(sums.get(game, ()))))
    return found


def table_with(
    club: Club, season: Season | None, scheme: Scheme, games: Sequence[ToldGame]
) -> tuple[tuple[SeasonRow, ...], dict[int, str]]:
    """The season's table if these games were in it, and names by the `person` of its rows."""
    rows = list(Member.objects.filter(club=club, merged_into=None))
    persons: dict[int | str, int] = {row.number: row.pk for row in rows}
    names = {row.pk: row.name for row in rows}
    for game in games:
        for seat in game.seats:
            if isinstance(seat.member, str) and seat.member not in persons:
                persons[seat.member] = NEW_PERSON + len(persons)
                names[persons[seat.member]] = seat.member
    there = [] if season is None else results.season_games(season)
    there += [_season_game(-at, game, persons) for at, game in enumerate(games, start=1)]
    playing = {entry.person for one in there for entry in one.entries if not entry.guest}
    members = [member_of(row) for row in rows if row.pk in playing]
    members += [SeasonMember(one) for one in playing if one >= NEW_PERSON]
    return season_table(there, members=members, scheme=scheme), names


def _season_game(key: int, game: ToldGame, persons: Mapping[int | str, int]) -> SeasonGame:
    entries = tuple(
        Entry(
            person=-at if seat.member is None else persons[seat.member],
            guest=seat.member is None,
            forfeit=seat.forfeit,
            **{name: getattr(seat, name) for name in FIGURES},
        )
        for at, seat in enumerate(game.seats, start=1)
    )
    return SeasonGame(key=key, night=game.on.toordinal(), entries=entries, void=game.void)


@transaction.atomic
def season_bring(
    *,
    club: Club,
    season: Season | NewSeason,
    games: Sequence[ToldGame],
    members: Sequence[str] = (),
    source: str,
    who: str = "",
    version: int | None = None,
) -> Season:
    """Put games that are known by their results on their nights; `members` are new ones to add first.

    One log entry names the file. Refused("invalid"): a new season or a new member that cannot be, a game that
    has too few or too many seats, a day outside the season.
    """
    if isinstance(season, NewSeason):
        about: dict[str, Any] = {
            name: getattr(season, name) for name in ("name", "starts_on", "ends_on", "scheme")
        }
        found = season_add(club=club, who=who, version=version, **about)  # its own line in the log
        club = found.club
    else:
        club = lock(club, version)
        found = Season.objects.select_for_update().get(pk=season.pk, club=club)
    made = members_made(club, [NewMember(name) for name in members])
    if problems := _check_games(found, games):
        raise Refused("invalid", problems)
    _write_games(found, games, made, source=source, who=who)
    results.season_written(found)
    after: dict[str, Any] = {
        "season": found.number,
        "name": found.name,
        "games": len(games),
        "nights": sorted({game.on.isoformat() for game in games}),
        "members": [{"number": one.number, "name": one.name} for one in made],
    }
    write_entry(club, ClubAction.BROUGHT_IN, who=who, about=source, after=after)
    return found


def _check_games(season: Season, games: Iterable[ToldGame]) -> list[Problem]:
    problems = []
    for game in games:
        if not FEWEST_SEATS <= len(game.seats) <= MOST_SEATS:
            params = {"count": len(game.seats), "least": FEWEST_SEATS, "most": MOST_SEATS}
            problems.append(Problem("players_number", field="players", params=params))
        if game.on < season.starts_on or (season.ends_on and game.on > season.ends_on):
            starts, ends = season.starts_on, season.ends_on or ""
            days = {"on": game.on.isoformat(), "starts": str(starts), "ends": str(ends)}
            problems.append(Problem("night_outside", field="on", params=days))
    return problems


def _write_games(
    season: Season, games: Sequence[ToldGame], made: Sequence[Member], *, source: str, who: str
) -> None:
    """All their rows, in as many queries as there are tables to write in."""
    club = season.club_id
    rows = Member.objects.filter(club=club, merged_into=None).values_list("number", "pk")
    persons: dict[int | str, int] = {one.name: one.pk for one in made}
    persons.update(rows)
    nights = _nights(season, {game.on for game in games})
    kept = Game.objects.bulk_create(_game(game) for game in games)
    Player.objects.bulk_create(
        Player(game=row, seat=at, order=at, name=seat.name, start_total=seat.points)
        for row, game in zip(kept, games, strict=True)
        for at, seat in enumerate(game.seats, start=1)
    )
    LogEntry.objects.bulk_create(
        entry for row, game in zip(kept, games, strict=True) for entry in _log(row, game, who)
    )
    played = ClubGame.objects.bulk_create(
        ClubGame(
            night=nights[game.on],
            game=row,
            void=game.void,
            reason=source if game.void else "",
            told={
                "table": game.table,
                "seats": {
                    str(at): {name: getattr(seat, name) for name in FIGURES}
                    for at, seat in enumerate(game.seats, start=1)
                },
            },
        )
        for row, game in zip(kept, games, strict=True)
    )
    seats = ClubSeat.objects.bulk_create(
        ClubSeat(
            club_game=one,
            seat=at,
            member_id=None if seat.member is None else persons[seat.member],
            forfeit=seat.forfeit,
        )
        for one, game in zip(played, games, strict=True)
        for at, seat in enumerate(game.seats, start=1)
    )
    by_game: dict[int, list[ClubSeat]] = {}
    for seat in seats:
        by_game.setdefault(seat.club_game_id, []).append(seat)
    Result.objects.bulk_create(
        result for one in played for result in results.told_results(one, by_game.get(one.pk, []))
    )


def _nights(season: Season, days: set[date]) -> dict[date, Night]:
    there = {night.on: night for night in Night.objects.filter(season=season, on__in=days)}
    made = Night.objects.bulk_create(Night(season=season, on=on) for on in sorted(days - there.keys()))
    return there | {night.on: night for night in made}


def _game(game: ToldGame) -> Game:
    rules = PRESETS["thoughtco"]
    return Game(
        played_on=game.on,
        rules=mapping.rules_to_data(rules),
        first_engine=rules.max_pip,
        round_count=rules.max_pip + 1,
        status=Status.FINISHED,
        version=2,
    )


def _log(row: Game, game: ToldGame, who: str) -> list[LogEntry]:
    """As of any game: it was started, and it is over."""
    about: dict[str, Any] = {
        "name": row.name,
        "played_on": game.on.isoformat(),
        "rules": row.rules,
        "first_engine": row.first_engine,
        "round_count": row.round_count,
        "second_person": row.second_person,
    }
    plain: dict[str, Any] = {"from_round": 1, "to_round": None, "adjustments": []}
    seats = {
        str(at): {"name": seat.name, "order": at, **plain, "start_total": seat.points}
        for at, seat in enumerate(game.seats, start=1)
    }
    begun = {"game": about, "players": [seat.name for seat in game.seats], "seats": seats}
    was, now = ({"game": {"status": str(status)}} for status in (Status.PLAYING, Status.FINISHED))
    return [
        LogEntry(game=row, number=1, at=row.created_at, who=who, action=Action.STARTED, after=begun),
        LogEntry(
            game=row, number=2, at=row.created_at, who=who, action=Action.FINISHED, before=was, after=now
        ),
    ]
