"""A club as tables and as JSON, for spreadsheets and other programs.

Knows which tables there are and what stands in them. Must not know who may have which (`permissions` says
that) nor requests. No e-mail address and no secret of a link is in any of them: those columns are never read.

The JSON of a club, `"format": "scorekeeper-club"`, version 1; a field that is not the reader's is left out:

- `club`: name
- `members`: number, name, role, joined_on, left_on
- `seasons`: number, name, starts_on, ends_on, scheme (all fields of games.engine.scheme), and
  - `standings`: place, member, name, value (exact, «1248/31»), nights, games, rounds, points, decided_by
  - `nights`: on, void, reason, `games`: table, finished, void, reason, known_by_result, `seats`: name, member
    (null: a guest), forfeit, points, rounds, zero_rounds, lowest_nonzero, place (null until it is finished)
  - `doubts`: number, on, table, other (how it may fall), open, steps
- `log`: number, at, who, action, about, reason, before, after
"""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Any

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from games import results
from games.engine.scheme import Scheme
from games.engine.season import SeasonRow
from games.files.cells import safe
from games.files.club_words import column_name
from games.files.xlsx import Value, write_xlsx
from games.models import Club, ClubEntry, ClubGame, ClubRole, Doubt, Member, Night, Player, Result, Season
from games.season_words import scheme_line, tiebreak_name, why
from games.standing_rows import scheme_from_data, value_to_data

FORMAT, FORMAT_VERSION = "scorekeeper-club", 1
BOM = "\ufeff"  # so that a spreadsheet reads UTF-8
FIGURES = ("points", "rounds", "zero_rounds", "lowest_nonzero", "place")
SEASON_TABLES = ("standings", "results", "nights", "doubts")


@dataclass(frozen=True, slots=True)
class OutTable:
    """A table under its own name."""

    title: str
    heading: Sequence[str]
    rows: Sequence[Sequence[Value]]


@dataclass(frozen=True, slots=True)
class Seat:
    name: str
    member: int | None
    forfeit: bool
    figures: Mapping[str, int | None]


@dataclass(frozen=True, slots=True)
class OutGame:
    """A game of a night, best first; `table` is its own name on that night."""

    pk: int
    on: date
    table: str
    void: bool
    reason: str
    told: bool
    seats: Sequence[Seat]

    @property
    def finished(self) -> bool:
        return any(seat.figures for seat in self.seats)


# Tables


def table_title(name: str) -> str:
    """What a table of permissions.CLUB_FILES is called."""
    titles = {
        "members": _("Members"),
        "seasons": _("Seasons"),
        "standings": _("Standings"),
        "results": _("Results"),
        "nights": _("Nights"),
        "doubts": _("Doubts"),
        "log": _("Log"),
    }
    return titles[name]


def members_table(club: Club) -> OutTable:
    rows = Member.objects.filter(club=club, merged_into=None).order_by("number")
    heading = [column_name(name) for name in ("name", "role", "joined_on", "left_on")]
    words = [[one.name, str(ClubRole(one.role).label), one.joined_on, one.left_on] for one in rows]
    return OutTable(table_title("members"), heading, words)


def seasons_table(club: Club) -> OutTable:
    heading = [_("Season"), _("Starts on"), _("Ends on"), _("How it is scored")]
    rows = [[one.name, one.starts_on, one.ends_on, scheme_line(_scheme(one))] for one in _seasons(club)]
    return OutTable(table_title("seasons"), heading, rows)


def season_tables(
    seasons: Sequence[Season], which: Collection[str], *, on: date | None = None
) -> dict[str, OutTable]:
    """Those of SEASON_TABLES by name; with a first column for the season where there are several."""
    made = {"standings": _standings, "results": _results, "nights": _nights, "doubts": _doubts}
    found = {}
    for name in which:
        each = [(season, made[name](season, on)) for season in seasons]
        heading = list(dict.fromkeys(cell for _season, table in each for cell in table.heading))
        several = len(seasons) != 1
        rows: list[list[Value]] = []
        for season, table in each:
            named: list[Value] = [season.name] if several else []
            for row in table.rows:
                cells = dict(zip(table.heading, row, strict=True))
                rows.append([*named, *(cells.get(cell) for cell in heading)])
        found[name] = OutTable(table_title(name), ([_("Season")] if several else []) + heading, rows)
    return found


def _standings(season: Season, on: date | None) -> OutTable:
    scheme = _scheme(season)
    rows = results.table_of(season, until=on)
    names = _names(rows)
    dates = {day.toordinal(): date_format(day, "j F") for day in _days(season)}
    ties = [code for code in scheme.tiebreaks if code != "head_to_head"]
    heading = [
        *(_("Place"), _("Name"), _("Value"), _("Nights"), _("Games"), _("Rounds"), _("Points")),
        *(_("Tie: %(what)s") % {"what": tiebreak_name(code)} for code in ties),
        _("Why"),
    ]
    words = []
    for row in rows:
        criteria = {one.code: _number(one.value) for one in row.criteria}
        reasons = " ".join(why(row, rows, names=names, dates=dates, scheme=scheme))
        figures = [_number(row.value), row.nights, row.games, row.rounds, row.points]
        tied = [criteria.get(code) for code in ties]
        words.append([row.place, names[row.person], *figures, *tied, reasons])
    return OutTable(table_title("standings"), heading, words)


def _results(season: Season, on: date | None) -> OutTable:
    columns = ("night", "table", "name", "points", "rounds", "zero_rounds", "lowest_nonzero", "place", "note")
    voids = set(Night.objects.filter(season=season, void=True).values_list("on", flat=True))
    rows: list[list[Value]] = []
    for game in games_of(season, until=on):
        void = game.void or game.on in voids
        for seat in game.seats:
            if not seat.figures:
                continue
            said = (("guest", seat.member is None), ("forfeit", seat.forfeit), ("void", void))
            note = ", ".join(_(word) for word, holds in said if holds)
            figures = [seat.figures[name] for name in FIGURES]
            rows.append([game.on, game.table, seat.name, *figures, note])
    return OutTable(table_title("results"), [column_name(name) for name in columns], rows)


def _nights(season: Season, on: date | None) -> OutTable:
    games: dict[date, list[OutGame]] = {}
    for game in games_of(season, until=on):
        games.setdefault(game.on, []).append(game)
    heading = [_("Night"), _("Tables"), _("People"), _("Counts"), _("Reason")]
    rows: list[list[Value]] = [
        [
            night.on,
            len(games.get(night.on, ())),
            sum(len(game.seats) for game in games.get(night.on, ())),
            _("no") if night.void else _("yes"),
            night.reason,
        ]
        for night in Night.objects.filter(season=season, on__lte=on or date.max)
    ]
    return OutTable(table_title("nights"), heading, rows)


def _doubts(season: Season, on: date | None) -> OutTable:
    tables = {game.pk: game for game in games_of(season, until=on)}
    heading = [
        *(_("Doubt"), _("Night"), _("Table"), _("About"), _("Step"), _("Stands"), _("Reason"), _("Who")),
        _("When"),
    ]
    rows: list[list[Value]] = []
    for doubt in _doubts_of(season, on):
        game = tables[doubt.club_game_id]
        for step in doubt.steps:
            stands = step["stands"]
            rows.append(
                [
                    *(doubt.number, game.on, game.table, _about(doubt, step)),
                    _step(step["kind"]),
                    "" if stands is None else _("yes") if stands else _("no"),
                    *(step["reason"], step["who"], step["at"]),
                ]
            )
    return OutTable(table_title("doubts"), heading, rows)


def _step(kind: str) -> str:
    words = {"raised": _("in doubt"), "decided": _("decided"), "reopened": _("appeal")}
    return str(words.get(kind, kind))


def _about(doubt: Doubt, step: Mapping[str, Any]) -> str:
    other = step.get("other") or doubt.other
    if "round" in other:
        return str(_("round %(round)s, seat %(seat)s: %(points)s points") % other)
    return _("whether the game counts")


def log_table(club: Club) -> OutTable:
    heading = [_("Number"), _("When"), _("Who"), _("What"), _("About"), _("Reason")]
    rows: list[list[Value]] = [
        [
            one.number,
            one.at.isoformat(timespec="seconds"),
            one.who,
            one.get_action_display(),
            one.about,
            one.reason,
        ]
        for one in ClubEntry.objects.filter(club=club)
    ]
    return OutTable(table_title("log"), heading, rows)


# What they are made of


def games_of(season: Season, *, until: date | None = None) -> list[OutGame]:
    """Every game of a season by night, with its seats, best first; four queries."""
    played = ClubGame.objects.filter(night__season=season, night__on__lte=until or date.max)
    figures: dict[int, dict[int, Mapping[str, int | None]]] = {}
    for row in Result.objects.filter(club_game__in=played):
        told = {name: getattr(row, name) for name in FIGURES}
        figures.setdefault(row.club_game_id, {})[row.seat] = told
    names: dict[int, list[tuple[int, str]]] = {}
    for pk, seat, name in Player.objects.filter(game__at_club__in=played).values_list(
        "game__at_club", "seat", "name"
    ):
        names.setdefault(pk, []).append((seat, name))
    found, taken = [], dict[date, set[str]]()
    games = list(played.select_related("night").prefetch_related("seats__member").order_by("night__on", "pk"))
    for one in games:
        if one.told is not None:
            taken.setdefault(one.night.on, set()).add(one.told["table"])
    for one in games:
        table = _table_name(one, taken.setdefault(one.night.on, set()))
        sat = {seat.seat: seat for seat in one.seats.all()}
        seats = []
        for seat, name in names.get(one.pk, ()):
            member = sat[seat].member if seat in sat else None
            about = figures.get(one.pk, {}).get(seat, {})
            place = about.get("place") or 0
            called = name if member is None else member.name
            number = None if member is None else member.number
            forfeit = seat in sat and sat[seat].forfeit
            seats.append((place, seat, Seat(called, number, forfeit, about)))
        in_order = [seat for _place, _number, seat in sorted(seats, key=lambda item: item[:2])]
        by_result = one.told is not None
        found.append(OutGame(one.pk, one.night.on, table, one.void, one.reason, by_result, in_order))
    return found


def _table_name(played: ClubGame, taken: set[str]) -> str:
    """What a file called it, or the first number that no other table of that night has."""
    if played.told is not None:
        return str(played.told["table"])
    name = next(str(at) for at in range(1, len(taken) + 2) if str(at) not in taken)
    taken.add(name)
    return name


def _seasons(club: Club) -> list[Season]:
    return list(Season.objects.filter(club=club).order_by("number"))


def _scheme(season: Season) -> Scheme:
    return scheme_from_data(season.scheme)


def _names(rows: Iterable[SeasonRow]) -> dict[int, str]:
    return dict(Member.objects.filter(pk__in=[row.person for row in rows]).values_list("pk", "name"))


def _days(season: Season) -> Iterable[date]:
    return Night.objects.filter(season=season).values_list("on", flat=True)


def _doubts_of(season: Season, on: date | None) -> Iterable[Doubt]:
    doubts = Doubt.objects.filter(club_game__night__season=season)
    return doubts.filter(club_game__night__on__lte=on or date.max).order_by("number")


def _number(value: Fraction | int | None) -> int | float | None:
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else round(float(value), 4)
    return value


# Files


def as_csv(table: OutTable) -> str:
    """A table for a spreadsheet; no cell of it begins like a formula."""
    out = io.StringIO()
    write = csv.writer(out)
    write.writerow([safe(cell) for cell in table.heading])
    write.writerows([_csv_cell(cell) for cell in row] for row in table.rows)
    return BOM + out.getvalue()


def _csv_cell(value: Value) -> Value:
    if isinstance(value, str):
        return safe(value)
    return value.isoformat() if isinstance(value, date) else value


def as_xlsx(tables: Iterable[OutTable]) -> bytes:
    return write_xlsx({table.title: (table.heading, table.rows) for table in tables})


def as_zip(tables: Mapping[str, OutTable]) -> bytes:
    """A CSV file for each table, in one."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, table in tables.items():
            packed.writestr(zipfile.ZipInfo(f"{name}.csv", (2000, 1, 1, 0, 0, 0)), as_csv(table).encode())
    return out.getvalue()


# JSON


def club_data(club: Club, which: Collection[str]) -> dict[str, Any]:
    """The whole club, as far as `which` (tables of permissions.CLUB_FILES) says."""
    data: dict[str, Any] = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "club": {"name": club.name},
    }
    if "members" in which:
        rows = Member.objects.filter(club=club, merged_into=None).order_by("number")
        about = ("number", "name", "role", "joined_on", "left_on")
        data["members"] = [{name: _json(getattr(one, name)) for name in about} for one in rows]
    if "seasons" in which:
        data["seasons"] = [season_data(season) for season in _seasons(club)]
    if "log" in which:
        columns = ("number", "at", "who", "action", "about", "reason", "before", "after")
        entries = ClubEntry.objects.filter(club=club)
        data["log"] = [{name: _json(getattr(one, name)) for name in columns} for one in entries]
    return data


def season_data(season: Season, *, on: date | None = None) -> dict[str, Any]:
    """One season, as of a day."""
    rows = results.table_of(season, until=on)
    members = Member.objects.in_bulk([row.person for row in rows])
    games = games_of(season, until=on)
    tables = {game.pk: game for game in games}
    return {
        "number": season.number,
        "name": season.name,
        "starts_on": _json(season.starts_on),
        "ends_on": _json(season.ends_on),
        "scheme": season.scheme,
        "standings": [
            {
                "place": row.place,
                "member": members[row.person].number,
                "name": members[row.person].name,
                "value": value_to_data(row.value),
                **{
                    name: getattr(row, name) for name in ("nights", "games", "rounds", "points", "decided_by")
                },
            }
            for row in rows
        ],
        "nights": [
            {
                "on": _json(night.on),
                "void": night.void,
                "reason": night.reason,
                "games": [_game_data(game) for game in games if game.on == night.on],
            }
            for night in Night.objects.filter(season=season, on__lte=on or date.max)
        ],
        "doubts": [
            {
                "number": doubt.number,
                "on": _json(tables[doubt.club_game_id].on),
                "table": tables[doubt.club_game_id].table,
                "other": doubt.other,
                "open": doubt.open,
                "steps": doubt.steps,
            }
            for doubt in _doubts_of(season, on)
        ],
    }


def _game_data(game: OutGame) -> dict[str, Any]:
    return {
        "table": game.table,
        "finished": game.finished,
        "void": game.void,
        "reason": game.reason,
        "known_by_result": game.told,
        "seats": [
            {
                "name": seat.name,
                "member": seat.member,
                "forfeit": seat.forfeit,
                **{name: seat.figures.get(name) for name in FIGURES},
            }
            for seat in game.seats
        ],
    }


def _json(value: Any) -> Any:
    return value.isoformat() if hasattr(value, "isoformat") else value
