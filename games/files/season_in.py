"""Past nights from a table: the games it tells of, who is meant, and what is wrong, row by row.

Knows two shapes: a row for each result (night, name, points, …), or a row for each person with a column for
each night. Nothing is written here: `games.told.season_bring` does that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from difflib import get_close_matches
from itertools import pairwise
from typing import Literal

from games.clubs import fold
from games.files.heads import DASHES, SEASON_HEADS, Unclear, columns_of, day, known, notes, whole
from games.files.members_in import Wrong, cell_of, name_of, name_wrong, read
from games.files.tables import NoTable, Row, Table
from games.models import Club, Member, Season
from games.names import one_line
from games.told import (
    FEWEST_SEATS,
    MOST_SEATS,
    Known,
    ToldGame,
    ToldSeat,
    known_games,
    names_by_number,
    sums_of,
)

NEEDED = ("night", "name", "points")
MOST_UNKNOWN = 200  # names to choose for on one page
LONGEST_TABLE = 40
RANGES = {"points": (-9_999, 99_999), "rounds": (0, 99), "zero_rounds": (0, 99), "place": (1, MOST_SEATS)}
RANGES["lowest_nonzero"] = (0, 9_999)
NEW, GUEST = "new", "guest"
NO_NOTES: frozenset[str] = frozenset()
Shape = Literal["long", "wide"]


@dataclass(frozen=True, slots=True)
class Told:
    """One row, or one cell of a wide table, as it was read."""

    row: int
    night: date
    table: str
    name: str
    points: int
    rounds: int = 0
    zero_rounds: int = 0
    lowest_nonzero: int | None = None
    place: int | None = None
    notes: frozenset[str] = NO_NOTES


@dataclass(frozen=True, slots=True)
class Unknown:
    """A name that no member has: what was chosen for it, and the members it is nearest to."""

    name: str
    row: int
    chosen: str  # NEW, GUEST or a member's number
    near: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class Planned:
    """A game of the table; `here`: the season has it already, so that nothing is written of it."""

    game: ToldGame
    rows: tuple[int, ...]
    here: bool


@dataclass(slots=True)
class Nights:
    """What a table would bring. `absent` counts the rows that say that somebody was not there."""

    shape: Shape
    games: list[Planned] = field(default_factory=list)
    wrong: list[Wrong] = field(default_factory=list)
    unknown: list[Unknown] = field(default_factory=list)
    ignored: tuple[str, ...] = ()
    missing: frozenset[str] = frozenset()
    absent: int = 0

    @property
    def new(self) -> list[ToldGame]:
        return [one.game for one in self.games if not one.here]

    @property
    def here(self) -> list[ToldGame]:
        return [one.game for one in self.games if one.here]

    @property
    def members(self) -> list[str]:
        """Names of the members to add, as the games to be written need them."""
        found = (seat.member for game in self.new for seat in game.seats)
        return list(dict.fromkeys(name for name in found if isinstance(name, str)))


def is_head(row: Sequence[str]) -> bool:
    """Whether a row is the heading of either shape.

    >>> is_head(["Night", "Name", "Points"]), is_head(["Name", "5.3.2026"]), is_head(["Ann", "12"])
    (True, True, False)
    """
    columns = columns_of(row, SEASON_HEADS)
    return "name" in columns and ("points" in columns or bool(_nights_in(row)))


def nights_of(
    table: Table,
    club: Club,
    *,
    season: Season | None,
    chosen: Mapping[str, str],
    per_round: bool = False,
    high_wins: bool = False,
) -> Nights:
    """The games of a table. `chosen` by folded name is NEW, GUEST or a member's number. NoTable.

    `per_round`: the season needs to know rounds. `high_wins`: most points are ahead at a table.
    """
    rows = [(number, row) for number, row in enumerate(table.rows, start=1) if row]
    if not rows:
        raise NoTable("empty")
    head, body = rows[0][1], rows[1:]
    columns = columns_of(head, SEASON_HEADS)
    wide = "night" not in columns and bool(_nights_in(head))
    if "name" not in columns or not (wide or {"night", "points"} <= columns.keys()):
        lacking = [name for name in NEEDED if name not in columns]
        raise NoTable("head_season", row=rows[0][0], given=" · ".join(head)[:80], lacking=lacking)
    if not body:
        raise NoTable("only_head")
    found = Nights("wide" if wide else "long")
    told = _wide(rows[0], body, columns, found) if wide else _long(head, body, columns, found)
    if per_round and "rounds" in found.missing:
        found.wrong.insert(0, Wrong(rows[0][0], "needs_rounds", column="rounds"))
    people = _people(told, club, chosen, found)
    _games(told, people, season, names_by_number(club), found, high_wins=high_wins)
    found.wrong.sort(key=lambda one: one.row)
    return found


# The two shapes


def _long(
    head: Row, body: Sequence[tuple[int, Row]], columns: Mapping[str, int], found: Nights
) -> list[Told]:
    found.ignored = tuple(cell for at, cell in enumerate(head) if cell and at not in columns.values())
    found.missing = frozenset({"rounds", "zero_rounds"} - columns.keys())
    told = []
    for number, row in body:
        wrong: list[Wrong] = []

        def cell(name: str, row: Row = row) -> str:
            return cell_of(row, columns.get(name))

        said = read(notes, cell("note"), number, "note", wrong) or NO_NOTES
        night = read(day, cell("night"), number, "night", wrong)
        if not cell("night"):
            wrong.append(Wrong(number, "night_blank", column="night"))
        name = name_of(row, columns["name"])
        wrong += name_wrong(name, number)
        figures = {
            about: _figure(cell(about), number, about, wrong)
            for about in ("points", "rounds", "zero_rounds", "lowest_nonzero", "place")
        }
        absent = "absent" in said
        if figures["points"] is None and not absent and not cell("points"):
            wrong.append(Wrong(number, "points_blank", name, "points"))
        if absent and figures["points"] is not None:
            wrong.append(Wrong(number, "absent_points", cell("points"), "points"))
        rounds, out = figures["rounds"], figures["zero_rounds"]
        if rounds is not None and out is not None and out > rounds:
            wrong.append(Wrong(number, "out_more", cell("zero_rounds"), "zero_rounds", {"rounds": rounds}))
        label = one_line(cell("table"))
        if len(label) > LONGEST_TABLE:
            wrong.append(Wrong(number, "table_long", label[:40], "table", {"most": LONGEST_TABLE}))
        found.wrong += wrong
        if absent:
            found.absent += 1
        elif not wrong and night is not None and figures["points"] is not None:
            about = {name: value for name, value in figures.items() if value is not None}
            told.append(Told(number, night, label, name, notes=said, **about))
    return told


def _nights_in(head: Sequence[str]) -> dict[int, date]:
    found = {}
    for at, cell in enumerate(head):
        try:
            found[at] = day(cell)
        except Unclear:
            continue
    return found


def _wide(
    head: tuple[int, Row], body: Sequence[tuple[int, Row]], columns: Mapping[str, int], found: Nights
) -> list[Told]:
    nights = _nights_in(head[1])
    others = [cell for at, cell in enumerate(head[1]) if cell and at not in nights and at != columns["name"]]
    ignored = []
    for cell in others:
        try:
            day(cell)
        except Unclear as unclear:
            if unclear.code == "day":
                ignored.append(cell)  # a column of sums, or a remark
            else:
                found.wrong.append(Wrong(head[0], unclear.code, cell, "night"))
    found.ignored = tuple(ignored)
    found.missing = frozenset({"rounds", "zero_rounds"})
    days = list(nights.values())
    for on in sorted({on for on in days if days.count(on) > 1}):
        found.wrong.append(Wrong(head[0], "night_twice", on.isoformat(), "night"))
    told = []
    for number, row in body:
        name = name_of(row, columns["name"])
        wrong = name_wrong(name, number)
        results = []
        for at, on in nights.items():
            text = cell_of(row, at)
            if not text or text in DASHES or known(text, {"absent": ("absent", "away", "missing")}):
                continue
            points = _figure(text, number, on.isoformat(), wrong, "points")
            if points is not None:
                results.append(Told(number, on, "", name, points))
        found.wrong += wrong
        told += [] if wrong else results
    return told


def _figure(text: str, row: int, column: str, wrong: list[Wrong], field: str = "") -> int | None:
    """A number in a cell, within what can be."""
    value = read(whole, text, row, column, wrong)
    least, most = RANGES[field or column]
    if value is not None and not least <= value <= most:
        wrong.append(Wrong(row, "range", text, column, {"least": least, "most": most}))
        return None
    return value


# Who is meant


def _people(
    told: Sequence[Told], club: Club, chosen: Mapping[str, str], found: Nights
) -> dict[str, int | str | None]:
    """By folded name: a member's number, the name of a new member, or None for a guest."""
    rows = list(Member.objects.filter(club=club, merged_into=None).values_list("number", "name"))
    by_name = {fold(name): number for number, name in rows}
    by_number = dict(rows)
    guests = {fold(one.name) for one in told if "guest" in one.notes}
    counted = {fold(one.name) for one in told if "guest" not in one.notes}
    people: dict[str, int | str | None] = {}
    for one in told:
        key = fold(one.name)
        if key in people:
            continue
        if key in by_name:
            people[key] = by_name[key]
        elif key in guests and key not in counted:
            people[key] = None
        else:
            what = chosen.get(key, NEW)
            number = int(what) if what.isascii() and what.isdecimal() and len(what) < 9 else None
            if number not in by_number:
                what, number = what if what == GUEST else NEW, None
            people[key] = None if what == GUEST else one.name if number is None else number
            found.unknown.append(Unknown(one.name, one.row, what, _near(one.name, rows)))
    if len(found.unknown) > MOST_UNKNOWN:
        raise NoTable("unknown_many", count=len(found.unknown), most=MOST_UNKNOWN)
    return people


def _near(name: str, rows: Sequence[tuple[int, str]]) -> tuple[tuple[int, str], ...]:
    """The members whose names are most like it: «Bob» for «Bob K», «Siobhan» for «Siobhán»."""
    folded = {fold(one): (number, one) for number, one in rows}
    close = get_close_matches(fold(name), list(folded), n=3, cutoff=0.6)
    first = fold(name).split()[0]
    close += [one for one in folded if one.split()[0] == first and one not in close]
    return tuple(folded[one] for one in close[:3])


# The games


def _games(
    told: Sequence[Told],
    people: Mapping[str, int | str | None],
    season: Season | None,
    names: Mapping[int, str],
    found: Nights,
    *,
    high_wins: bool,
) -> None:
    tables: dict[tuple[date, str], list[Told]] = {}
    for one in told:
        tables.setdefault((one.night, one.table), []).append(one)
    broken = {one.row for one in found.wrong}
    there = {} if season is None else known_games(season)
    for (on, table), rows in sorted(tables.items(), key=lambda item: (item[0][0], item[1][0].row)):
        wrong = _sat_twice(rows, people) or _count(rows, partial=bool(broken))
        game, misplaced = _game(on, table, rows, people, high_wins=high_wins)
        wrong += misplaced
        here, clash = _here(game, names, there.get(on, ()), rows[0].row)
        if season is not None and not here:
            wrong += _outside(season, on, rows[0].row)
        found.wrong += wrong + clash
        found.games.append(Planned(game, tuple(one.row for one in rows), here))


def _sat_twice(rows: Sequence[Told], people: Mapping[str, int | str | None]) -> list[Wrong]:
    """Two rows of one game that are one person."""
    seen: dict[object, Told] = {}
    wrong = []
    for one in rows:
        guest = people[fold(one.name)] is None or "guest" in one.notes
        keys = [fold(one.name)] if guest else [fold(one.name), people[fold(one.name)]]
        other = next((seen[key] for key in keys if key in seen), None)
        if other is not None:
            facts: dict[str, object] = {"other": other.row, "as": other.name}
            wrong.append(Wrong(one.row, "sat_twice", one.name, "name", facts))
        for key in keys:
            seen.setdefault(key, one)
    return wrong


def _count(rows: Sequence[Told], *, partial: bool) -> list[Wrong]:
    if len(rows) > MOST_SEATS:
        facts: dict[str, object] = {"count": len(rows), "most": MOST_SEATS}
        return [Wrong(rows[0].row, "seats_many", rows[0].night.isoformat(), "night", facts)]
    if len(rows) < FEWEST_SEATS and not partial:  # with rows that cannot be read, there may be more
        return [Wrong(rows[0].row, "alone", rows[0].name, "name", {"on": rows[0].night.isoformat()})]
    return []


def _outside(season: Season, on: date, row: int) -> list[Wrong]:
    if on >= season.starts_on and (season.ends_on is None or on <= season.ends_on):
        return []
    facts: dict[str, object] = {
        "starts": season.starts_on.isoformat(),
        "ends": "" if season.ends_on is None else season.ends_on.isoformat(),
    }
    return [Wrong(row, "outside", on.isoformat(), "night", facts)]


def _here(
    game: ToldGame, names: Mapping[int, str], there: Sequence[Known], row: int
) -> tuple[bool, list[Wrong]]:
    """Whether the season has this game; it may not have another one of the same night and table."""
    sums = sums_of(game, names)
    if any(one.sums == sums for one in there):
        return True, []
    if any(one.table is not None and fold(one.table) == fold(game.table) for one in there):
        return False, [Wrong(row, "other_game", game.table, "table", {"on": game.on.isoformat()})]
    return False, []


def _game(
    on: date,
    table: str,
    rows: Sequence[Told],
    people: Mapping[str, int | str | None],
    *,
    high_wins: bool,
) -> tuple[ToldGame, list[Wrong]]:
    """The game, each with the place the file says, or the one the points say; who forfeits comes last."""
    sign = -1 if high_wins else 1
    played = [one for one in rows if "forfeit" not in one.notes]
    seats = []
    for one in rows:
        forfeit = "forfeit" in one.notes
        ahead = len(played) if forfeit else sum(sign * other.points < sign * one.points for other in played)
        seats.append(
            ToldSeat(
                name=one.name,
                member=None if "guest" in one.notes else people[fold(one.name)],
                points=one.points,
                rounds=one.rounds,
                zero_rounds=one.zero_rounds,
                lowest_nonzero=one.lowest_nonzero,
                place=one.place or ahead + 1,
                forfeit=forfeit,
            )
        )
    wrong = _misplaced(rows, seats, sign)
    void = any("void" in one.notes for one in rows)
    return ToldGame(on=on, table=table, seats=tuple(seats), void=void), wrong


def _misplaced(rows: Sequence[Told], seats: Sequence[ToldSeat], sign: int) -> list[Wrong]:
    """Places that go against the points: somebody with better points is farther back."""
    each = zip(rows, seats, strict=True)
    told = [(sign * seat.points, seat.place, one) for one, seat in each if not seat.forfeit]
    told.sort(key=lambda item: item[:2])
    wrong = []
    for (better, place, one), (worse, next_place, other) in pairwise(told):
        if better < worse and next_place <= place:
            facts: dict[str, object] = {"who": one.name, "place": place, "points": one.points}
            wrong.append(Wrong(other.row, "misplaced", str(next_place), "place", facts))
    return wrong
