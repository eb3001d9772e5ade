"""Scheme and season rows ⇄ JSON and columns; the club's part of `mapping`.

Knows both shapes. Must not decide anything.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from datetime import date
from fractions import Fraction
from typing import Any

from games.engine.nights import Member
from games.engine.scheme import FIELDS, Scheme
from games.engine.season import Criterion, SeasonRow, Value
from games.models import Member as MemberRow

RowData = dict[str, Any]


def scheme_from_data(data: Mapping[str, Any]) -> Scheme:
    """The scheme a season keeps; a field that was not there yet when it was kept has its default."""
    fields = {name: data[name] for name in FIELDS if name in data}
    for name in ("places", "tiebreaks"):
        if fields.get(name) is not None:
            fields[name] = tuple(fields[name])
    return Scheme(**fields)


def scheme_to_data(scheme: Scheme) -> dict[str, Any]:
    data = dataclasses.asdict(scheme)
    data["places"] = None if scheme.places is None else list(scheme.places)
    data["tiebreaks"] = list(scheme.tiebreaks)
    return data


def member_of(row: MemberRow) -> Member:
    """A member as the engine takes one; nights are numbered by their dates."""
    return Member(row.pk, _number(row.joined_on), _number(row.left_on))


def _number(day: date | None) -> int | None:
    return None if day is None else day.toordinal()


def value_to_data(value: Value) -> str | int | None:
    """An exact value as JSON: «1248/31», 7 or null."""
    return str(value) if isinstance(value, Fraction) else value


def value_from_data(data: str | int | None) -> Value:
    return Fraction(data) if isinstance(data, str) else data


def row_to_data(row: SeasonRow) -> RowData:
    """A row of the table without the nights behind it: those are read from the results."""
    return {
        "value": value_to_data(row.value),
        "nights": row.nights,
        "games": row.games,
        "rounds": row.rounds,
        "points": row.points,
        "decided_by": row.decided_by,
        "criteria": [[one.code, value_to_data(one.value)] for one in row.criteria],
    }


def row_from_data(person: int, place: int | None, data: RowData) -> SeasonRow:
    value = value_from_data(data["value"])
    return SeasonRow(
        person=person,
        place=place,
        value=None if value is None else Fraction(value),
        nights=data["nights"],
        games=data["games"],
        rounds=data["rounds"],
        points=data["points"],
        decided_by=data["decided_by"],
        criteria=tuple(Criterion(code, value_from_data(given)) for code, given in data["criteria"]),
        results=(),
    )
