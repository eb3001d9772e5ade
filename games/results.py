"""A season's results and table, kept up to date inside the write that changes them.

Knows which games count (finished ones of a club's night) and how rows are kept. Must not know requests, forms
or sentences, nor how a table is made: the engine makes it. `services` calls `game_written`, the club's
services call `season_written`; nothing is ever added to or subtracted from a total.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cache
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from django.db import transaction

from games.engine.errors import EngineError
from games.engine.nights import Entry, SeasonGame
from games.engine.nights import Member as SeasonMember
from games.engine.scheme import Scheme
from games.engine.scoring import check_round, score_round
from games.engine.season import SeasonRow, season_table
from games.models import (
    ClubGame,
    ClubSeat,
    Doubt,
    Game,
    Member,
    Result,
    Season,
    Standing,
    Status,
    rows_of,
    sql_of,
)
from games.selectors import Sheet, build_sheet, sheet_of, sheets_of
from games.standing_rows import RowData, member_of, row_to_data, scheme_from_data

# What a game brought somebody, as the engine takes it.
ENTRY_COLUMNS = ("seat", "member_id", "points", "rounds", "place", "zero_rounds", "lowest_nonzero", "forfeit")
RESULT_COLUMNS = ("season_id", "night_id", *ENTRY_COLUMNS[1:])
READ_COLUMNS = ("club_game_id", "night__on", "night__void", "club_game__void", *ENTRY_COLUMNS)
SHEETS = 50  # games that are read at once where a season is made anew


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A row that was not what the games say: of the table, or of a game, by its `club_game` and `seat`.

    `was` and `now` are its columns by name; None: it was not there, or should not have been.
    """

    member: int | None  # None: a guest's
    was: RowData | None
    now: RowData | None
    club_game: int | None = None
    seat: int | None = None

    def columns(self) -> list[tuple[str, Any, Any]]:
        """(name, as it was, as it is now) of those that differ; of all where a row was missing."""
        was, now = self.was or {}, self.now or {}
        names = list(dict.fromkeys([*was, *now]))
        return [(name, was.get(name), now.get(name)) for name in names if was.get(name) != now.get(name)]


def game_written(game: Game, sheet: Sheet) -> None:
    """Bring a game's results and its season's table up to date, if it is played at a club."""
    played = ClubGame.objects.filter(game=game).select_related("night").first()
    if played is None:
        return
    if not _counts(played, sheet) and not Result.objects.filter(club_game=played).exists():
        return  # still played: tables of one night do not wait for each other
    season = _lock(played.night.season_id)
    if _write_results(played, sheet):
        season_written(season)


def club_game_written(played: ClubGame) -> None:
    """As `game_written`, after a seat, a forfeit or the night itself has changed."""
    _write_results(played, sheet_of(Game.objects.get(pk=played.game_id)))


def season_written(season: Season) -> list[Difference]:
    """Make the season's rows what its results say, and leave those alone that are; what was otherwise."""
    kept = {row.member_id: row for row in Standing.objects.filter(season=season)}
    differences, changed = [], []
    for position, row in enumerate(table_of(season), start=1):
        data = {"position": position, "place": row.place, **row_to_data(row)}
        old = kept.pop(row.person, None)
        was = None if old is None else _standing_data(old)
        if was != data:
            changed.append(_standing(season, row.person, data))
            differences.append(Difference(member=row.person, was=was, now=data))
    if kept:
        Standing.objects.filter(pk__in=[row.pk for row in kept.values()]).delete()
        differences += [
            Difference(member=member, was=_standing_data(row), now=None) for member, row in kept.items()
        ]
    if changed:
        Standing.objects.bulk_create(
            changed,
            update_conflicts=True,
            unique_fields=["season", "member"],
            update_fields=["position", "place", "data"],
        )
    return differences


def _standing(season: Season, member: int, data: RowData) -> Standing:
    columns = dict(data)
    position, place = columns.pop("position"), columns.pop("place")
    return Standing(season=season, member_id=member, position=position, place=place, data=columns)


def _standing_data(row: Standing) -> RowData:
    return {"position": row.position, "place": row.place, **row.data}


@transaction.atomic
def season_rebuild(season: Season) -> list[Difference]:
    """Write all results of the season anew from its games, and then its table; what was otherwise."""
    season = _lock(season.pk)
    differences = []
    keys = list(ClubGame.objects.filter(night__season=season).order_by("pk").values_list("pk", flat=True))
    for at in range(0, len(keys), SHEETS):
        found = ClubGame.objects.filter(pk__in=keys[at : at + SHEETS]).select_related("night", "game")
        games = list(found.prefetch_related("seats").order_by("pk"))
        for played, sheet in zip(games, sheets_of([one.game for one in games]), strict=True):
            differences += _write_results(played, sheet)
    return differences + season_written(season)


@transaction.atomic
def season_differences(season: Season) -> list[Difference]:
    """What `season_rebuild` would mend; nothing is written."""
    differences = season_rebuild(season)
    transaction.set_rollback(True)
    return differences


def table_of(
    season: Season,
    *,
    until: date | None = None,
    scheme: Scheme | None = None,
    instead: SeasonGame | None = None,
) -> tuple[SeasonRow, ...]:
    """The season's table from its results: as of a date, by another scheme, or with a game otherwise.

    `person` in a row is the member's row number in the database. Whoever has no result in the season yet is
    not in its table.
    """
    games = [
        instead if instead is not None and instead.key == one.key else one
        for one in season_games(season, until=until)
    ]
    scheme = scheme_from_data(season.scheme) if scheme is None else scheme
    return season_table(games, members=members_in(games), scheme=scheme)


def members_in(games: Iterable[SeasonGame]) -> list[SeasonMember]:
    """Who has a result in one of the games, as the engine takes them."""
    there = {entry.person for game in games for entry in game.entries if not entry.guest}
    return [member_of(row) for row in Member.objects.filter(pk__in=there)]


def season_games(season: Season, *, until: date | None = None) -> list[SeasonGame]:
    """The season's finished games as the engine takes them; `key` is the club game's row number."""
    pending = set(
        Doubt.objects.filter(club_game__night__season=season, open=True).values_list(
            "club_game_id", flat=True
        )
    )
    games = []
    for key, some in groupby(rows_of(_season_results(), [season.pk]), key=itemgetter(0)):
        rows = list(some)
        _, day, night_void, void, *_ = rows[0]
        on = date.fromisoformat(str(day))
        if until is None or on <= until:
            game = SeasonGame(
                key=key,
                night=on.toordinal(),
                entries=tuple(entry_of(Brought(*row[4:])) for row in rows),
                void=bool(night_void or void),
                pending=key in pending,
            )
            games.append(game)
    return games


@cache
def _season_results() -> str:
    """The statement for what a season's games brought: every write that changes a result asks it."""
    rows = Result.objects.filter(season=0).order_by("club_game_id", "seat")
    return sql_of(rows.values_list(*READ_COLUMNS))


def season_game(played: ClubGame, sheet: Sheet, *, void: bool | None = None) -> SeasonGame:
    """A club game as the season would take it if it were what `sheet` says."""
    return SeasonGame(
        key=played.pk,
        night=played.night.on.toordinal(),
        entries=tuple(map(entry_of, results_of(played, sheet))),
        void=(played.void if void is None else void) or played.night.void,
    )


def sheet_otherwise(sheet: Sheet, *, round: int, seat: int, points: int) -> Sheet | None:  # noqa: A002
    """The game if that hand had been `points`; None where the round, the hand or such points cannot be."""
    entry = sheet.round(round)
    if entry is None or seat not in entry.hands:
        return None
    claim = entry.claim()
    hands = tuple(
        replace(hand, points=points, tiles=None, tile_count=None, out=None) if hand.seat == seat else hand
        for hand in claim.hands
    )
    claim = replace(claim, hands=hands)
    check = check_round(claim, rules=sheet.rules, seats=sheet.seats(round), deal=sheet.deal(round))
    if any(problem.code == "points_range" for problem in check.problems):
        return None
    try:
        scores = score_round(check.hands, rules=sheet.rules, ended=claim.ended)
    except EngineError:
        return None
    if set(scores) != set(entry.hands):
        return None
    cells = {
        hand.seat: entry.hands[hand.seat]._replace(points=hand.points, score=scores[hand.seat], out=hand.out)
        for hand in check.hands
    }
    rounds = tuple(replace(one, hands=cells) if one.number == round else one for one in sheet.rounds)
    return build_sheet(sheet.game, sheet.players, rounds)


class Brought(NamedTuple):
    """What a seat brought, as `Result` has it."""

    seat: int
    member_id: int | None
    points: int
    rounds: int
    place: int
    zero_rounds: int
    lowest_nonzero: int | None
    forfeit: bool


def entry_of(result: Result | Brought) -> Entry:
    """A result as the engine takes it; a guest is nobody, and told apart by the seat."""
    guest = result.member_id is None
    return Entry(
        person=-result.seat if guest else result.member_id or 0,
        points=result.points,
        rounds=result.rounds,
        place=result.place,
        zero_rounds=result.zero_rounds,
        lowest_nonzero=result.lowest_nonzero,
        guest=guest,
        forfeit=bool(result.forfeit),
    )


def _counts(played: ClubGame, sheet: Sheet) -> bool:
    """Whether the game has results: it is finished or known by them alone, and neither abandoned nor deleted,
    which nobody has won.
    """
    if sheet.game.abandoned_at is not None or sheet.game.deleted_at is not None:
        return False
    return played.told is not None or (sheet.game.status == Status.FINISHED and bool(sheet.rounds))


def results_of(played: ClubGame, sheet: Sheet) -> list[Result]:
    """A club game's results, one a seat that played or forfeits; none while it does not count."""
    if not _counts(played, sheet):
        return []
    if played.told is not None:
        return told_results(played, played.seats.all())
    seats = {seat.seat: seat for seat in played.seats.all()}
    rounds = {seat: sum(seat in entry.hands for entry in sheet.rounds) for seat in sheet.names()}
    return [
        Result(
            season_id=played.night.season_id,
            night_id=played.night_id,
            club_game=played,
            seat=row.seat,
            member_id=seats[row.seat].member_id if row.seat in seats else None,
            points=row.total,
            rounds=rounds[row.seat],
            place=row.place,
            zero_rounds=row.zero_rounds,
            lowest_nonzero=row.lowest_nonzero,
            forfeit=row.seat in seats and seats[row.seat].forfeit,
        )
        for row in sheet.table
        if rounds[row.seat] or (row.seat in seats and seats[row.seat].forfeit)
    ]


def told_results(played: ClubGame, seats: Iterable[ClubSeat]) -> list[Result]:
    """The results of a game that is known by them alone."""
    told = {} if played.told is None else played.told["seats"]
    return [
        Result(
            season_id=played.night.season_id,
            night_id=played.night_id,
            club_game=played,
            seat=seat.seat,
            member_id=seat.member_id,
            forfeit=seat.forfeit,
            **told[str(seat.seat)],
        )
        for seat in seats
        if str(seat.seat) in told
    ]


def _write_results(played: ClubGame, sheet: Sheet) -> list[Difference]:
    """Make the rows of a game what it says; what was otherwise."""
    new = {one.seat: one for one in results_of(played, sheet)}
    old = {one.seat: one for one in Result.objects.filter(club_game=played)}
    changed = [one for seat, one in new.items() if seat not in old or _columns(old[seat]) != _columns(one)]
    gone = [one for seat, one in old.items() if seat not in new]
    if gone:
        Result.objects.filter(pk__in=[one.pk for one in gone]).delete()
    if changed:
        Result.objects.bulk_create(
            changed,
            update_conflicts=True,
            unique_fields=["club_game", "seat"],
            update_fields=[name.removesuffix("_id") for name in RESULT_COLUMNS],
        )
    return [
        Difference(
            member=one.member_id,
            was=_columns(old[one.seat]) if one.seat in old else None,
            now=_columns(one) if one.seat in new else None,
            club_game=played.pk,
            seat=one.seat,
        )
        for one in (*changed, *gone)
    ]


def _columns(result: Result) -> RowData:
    return {name: getattr(result, name) for name in RESULT_COLUMNS}


def _lock(season: int) -> Season:
    """One at a time: a table is made from all results of its season."""
    return Season.objects.select_for_update().get(pk=season)


def standings(season: Season) -> Sequence[Standing]:
    """The table's rows as kept, each with its member: one query."""
    return list(Standing.objects.filter(season=season).select_related("member"))
