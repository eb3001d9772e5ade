"""What the API answers with about a club, as JSON whose keys keep their order.

Knows the answers' shape. Must not decide: it is given rows, tables and accesses.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from rest_framework.request import Request

from games.api.answers import game_url
from games.engine.nights import NightResult
from games.engine.scheme import TIEBREAKS, Scheme
from games.engine.season import SeasonRow, Shift, Value, compare_rows
from games.models import (
    Club,
    ClubEntry,
    ClubGame,
    ClubKey,
    ClubLink,
    Doubt,
    Game,
    Member,
    Night,
    Result,
    Season,
    Status,
)
from games.permissions import CLUB_MAY, ClubAccess
from games.season_reads import Hanging
from games.season_words import digits_for, scheme_line, scheme_words, shown
from games.selectors import Sheet
from games.standing_rows import scheme_from_data, scheme_to_data, value_to_data

AnyRequest = HttpRequest | Request
MAY = ("read", "belong", "score", "organise", "own")


def address(request: AnyRequest, name: str, *parts: object) -> str:
    return request.build_absolute_uri(reverse(f"api:{name}", args=parts))


def day(on: date | None) -> str | None:
    return None if on is None else on.isoformat()


def known_data(request: AnyRequest, club: Club, role: str | None) -> dict[str, Any]:
    """A club in a list."""
    return {
        "id": club.slug,
        "url": address(request, "club", club.slug),
        "version": club.version,
        "name": club.name,
        "public": club.public,
        "role": role,
    }


def club_data(request: AnyRequest, access: ClubAccess) -> dict[str, Any]:
    club = access.club
    newest = Season.objects.filter(club=club).order_by("-number").values_list("number", flat=True).first()
    return {
        **known_data(request, club, None if access.role is None else access.role.value),
        "member": None if access.member is None else access.member.number,
        "may": [what for what in MAY if what in CLUB_MAY[access.role]],
        "founded_at": club.created_at.isoformat(),
        "season": newest,
    }


def links_data(request: AnyRequest, keys: Iterable[ClubKey]) -> dict[str, Any]:
    pages = {ClubLink.READER: "club_reader", ClubLink.INVITE: "club_join"}
    found = {key.role: key for key in keys}
    return {
        role.value: {
            "key": found[role].key,
            "url": request.build_absolute_uri(reverse(page, args=[found[role].key])),
            "since": found[role].created_at.isoformat(),
        }
        for role, page in pages.items()
    }


def member_data(member: Member) -> dict[str, Any]:
    return {
        "number": member.number,
        "name": member.name,
        "role": member.role,
        "account": member.user_id is not None,
        "joined_on": day(member.joined_on),
        "left_on": day(member.left_on),
    }


def season_data(request: AnyRequest, season: Season, club: Club) -> dict[str, Any]:
    return {
        "number": season.number,
        "url": address(request, "club_season", club.slug, season.number),
        "name": season.name,
        "starts_on": day(season.starts_on),
        "ends_on": day(season.ends_on),
        "scored": scheme_line(scheme_from_data(season.scheme)),
    }


def scheme_data(scheme: Scheme) -> dict[str, Any]:
    return {"scheme": scheme_to_data(scheme), "line": scheme_line(scheme), "words": scheme_words(scheme)}


def night_data(night: Night, games: int, members: int) -> dict[str, Any]:
    return {
        "on": day(night.on),
        "void": night.void,
        "reason": night.reason,
        "games": games,
        "members": members,
    }


def club_game_data(
    request: AnyRequest, club: Club, played: ClubGame, sheet: Sheet, results: Mapping[int, Result]
) -> dict[str, Any]:
    """Who sat where with what: as the season takes it once it is finished, until then as the game stands.

    `played` with its night, season, seats, members and doubts.
    """
    seats = {one.seat: one for one in played.seats.all()}
    table = {row.seat: row for row in sheet.table} if sheet.rounds else {}
    found = []
    for player in sheet.players:
        seat, row = seats.get(player.seat), results.get(player.seat)
        now = table.get(player.seat)
        member = None if seat is None else seat.member
        found.append(
            {
                "seat": player.seat,
                "name": player.name,
                "member": None if member is None else member.number,
                "forfeit": seat is not None and seat.forfeit,
                "place": row.place if row is not None else None if now is None else now.place,
                "points": row.points if row is not None else None if now is None else now.total,
            }
        )
    doubts = list(played.doubts.all())
    return {
        "id": played.game.slug,
        "url": address(request, "club_game", club.slug, played.game.slug),
        "game_url": None if played.told is not None else game_url(request, played.game.slug),
        "season": played.night.season.number,
        "on": day(played.night.on),
        "name": played.game.name,
        "state": state_of(played.game),
        "told": played.told is not None,
        "void": played.void,
        "reason": played.reason,
        "night_void": played.night.void,
        "in_doubt": any(doubt.open for doubt in doubts),
        "doubts": [doubt.number for doubt in doubts],
        "seats": found,
    }


DECIDED = ("value", *TIEBREAKS, "shared", "attendance")  # what can part two rows
STATES = ("playing", "finished", "abandoned", "deleted")


def state_of(game: Game) -> str:
    if game.deleted_at is not None:
        return "deleted"
    if game.abandoned_at is not None:
        return "abandoned"
    return "finished" if game.status == Status.FINISHED else "playing"


def doubt_data(request: AnyRequest, club: Club, doubt: Doubt) -> dict[str, Any]:
    night = doubt.club_game.night
    return {
        "number": doubt.number,
        "url": address(request, "club_doubt", club.slug, doubt.number),
        "game": doubt.club_game.game.slug,
        "season": night.season.number,
        "on": day(night.on),
        "open": doubt.open,
        "other": other_data(doubt.other),
        "steps": [
            {
                "kind": step["kind"],
                "at": step["at"],
                "who": step["who"],
                "reason": step["reason"],
                "stands": step["stands"],
                "fell": other_data(step.get("other")),
            }
            for step in doubt.steps
        ],
    }


def other_data(other: Mapping[str, Any] | None) -> dict[str, Any] | None:
    return None if other is None else {name: other.get(name) for name in ("void", "round", "seat", "points")}


def entry_data(entry: ClubEntry) -> dict[str, Any]:
    old, new = entry.before, entry.after
    return {
        "version": entry.number,
        "at": entry.at.isoformat(),
        "who": entry.who,
        "action": entry.action,
        "about": entry.about,
        "reason": entry.reason,
        "changes": [
            {"field": field, "from": old.get(field), "to": new.get(field)}
            for field in sorted(old.keys() | new.keys())
            if old.get(field) != new.get(field)
        ],
    }


@dataclass(frozen=True, slots=True)
class Table:
    """A season's table with all that its rows are explained by; `members` by row number."""

    rows: Sequence[SeasonRow]
    scheme: Scheme
    members: Mapping[int, Member]
    hanging: Sequence[Hanging] = ()

    @property
    def digits(self) -> int:
        return digits_for((row.value for row in self.rows), self.scheme)

    def names(self) -> dict[int, str]:
        return {pk: member.name for pk, member in self.members.items()}

    def who(self, person: int) -> dict[str, Any]:
        member = self.members[person]
        return {"member": member.number, "name": member.name}


def standing_data(table: Table, at: int, said: Sequence[str]) -> dict[str, Any]:
    """The row at an index; `said` are its reasons in words."""
    row, rows = table.rows[at], table.rows
    above = rows[at - 1] if at else None
    below = rows[at + 1] if at + 1 < len(rows) else None
    hanging = [one for one in table.hanging if row.person in one.people]
    return {
        "place": row.place,
        **table.who(row.person),
        **value_data(row.value, table.digits),
        "nights": row.nights,
        "games": row.games,
        "rounds": row.rounds,
        "points": row.points,
        "pending": bool(hanging),
        "decided_by": row.decided_by,
        "why": {
            "said": list(said),
            "above": None if above is None else _neighbour(table, above, compared=(above, row)),
            "below": None if below is None else _neighbour(table, below, compared=(row, below)),
            "nights": [night_result_data(one, table.digits) for one in row.results],
            "hanging": [hanging_data(table, one) for one in hanging],
        },
    }


def _neighbour(table: Table, other: SeasonRow, *, compared: tuple[SeasonRow, SeasonRow]) -> dict[str, Any]:
    """What parts a row from the one above or below it: the last of the criteria did."""
    found = compare_rows(*compared)
    first = compared[0] is other
    return {
        **table.who(other.person),
        "decided_by": found.code,
        "criteria": [
            {
                "code": code,
                "own": exact(below if first else above),
                "theirs": exact(above if first else below),
            }
            for code, above, below in found.criteria
        ],
    }


def value_data(value: Value, digits: int) -> dict[str, Any]:
    """As a number, exactly, and as the pages write it."""
    return {
        "value": None if value is None else float(value),
        "exact": exact(value),
        "shown": shown(value, digits),
    }


def exact(value: Value) -> str | None:
    found = value_to_data(value)
    return None if found is None else str(found)


def night_result_data(one: NightResult, digits: int) -> dict[str, Any]:
    return {
        "on": date.fromordinal(one.night).isoformat(),
        "kind": one.kind,
        "counted": one.counted,
        "pending": one.pending,
        **value_data(one.value, digits),
        "points": one.points,
        "games": one.games,
        "rounds": one.rounds,
    }


def hanging_data(table: Table, one: Hanging) -> dict[str, Any]:
    return {
        "doubt": one.doubt.number,
        "said": one.sentence,
        "moves": [move_data(table, shift) for shift in one.moved],
    }


def move_data(table: Table, shift: Shift) -> dict[str, Any]:
    return {**table.who(shift.person), "place": shift.place, "other_place": shift.other}


def both_data(now: Table, other: Table) -> list[dict[str, Any]]:
    """Two tables of the same people side by side, in the order of the other one."""
    rows = {row.person: row for row in now.rows}
    return [
        {
            **now.who(row.person),
            "place": rows[row.person].place,
            **value_data(rows[row.person].value, now.digits),
            "other": {"place": row.place, **value_data(row.value, other.digits)},
        }
        for row in other.rows
    ]
