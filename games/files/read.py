"""From bytes to columns: what is no JSON, too large, too deep or of the wrong type ends here.

Knows formats, sizes and the types of columns. Must not know the rules of the game: `walk` asks the engine.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, NoReturn
from uuid import UUID

from django.db import models
from django.db.backends.base.operations import BaseDatabaseOperations

from games.attached import MOST_CHARACTERS as MOST_RECORD
from games.files.errors import NotBroughtIn
from games.files.export import FORMAT_VERSION, GAME_FORMAT, GAMES_FORMAT, TRAVEL
from games.models import Challenge, Game, Hand, LogEntry, Player, Role, Round

MOST_BYTES = 5_000_000
MOST_GAMES = 60
MOST_PLAYERS, MOST_ROUNDS = 14, 19
MOST_SEATS = 28  # who has left is still a player
MOST_ENTRIES = 3_000  # in the log of one game
MOST_CHALLENGES = MOST_ENTRIES
MOST_TEXT = 300
MOST_NESTED = 12
MOST_WHOLE = 2**31 - 1
YEARS = range(2000, 2101)
# Without these a file is no export; other columns may be missing from the file of an older version.
NEEDED = frozenset({"uid", "version", "status", "created_at", "changed_at", "at", "before", "after"})

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Document:
    """One game of a file. Rows hold column values; `raw` is the same as the file has it."""

    raw: Mapping[str, Any]
    game: Row
    players: list[Row]
    rounds: list[Row]  # each with its "hands"
    challenges: list[Row]
    log: list[Row]
    role: str | None = None
    key: str | None = None

    @property
    def title(self) -> str:
        return str(self.game["name"] or ", ".join(str(player["name"]) for player in self.players[:4]))


def documents(data: bytes) -> list[Document]:
    """The games of a file, each column of its type; NotBroughtIn otherwise."""
    content = load(data)
    if not isinstance(content, dict) or content.get("format") not in (GAME_FORMAT, GAMES_FORMAT):
        raise NotBroughtIn("not_ours")
    version = content.get("format_version")
    if type(version) is not int or version < 1:
        raise NotBroughtIn("not_ours")
    if version > FORMAT_VERSION:
        raise NotBroughtIn("newer")
    if content["format"] == GAME_FORMAT:
        return [_document(content, "game")]
    games = content.get("games")
    if not isinstance(games, list):
        raise NotBroughtIn("shape", where="games")
    if len(games) > MOST_GAMES:
        raise NotBroughtIn("too_many", most=MOST_GAMES, what="games", given=len(games))
    return [_document(one, f"games[{position}]") for position, one in enumerate(games, start=1)]


def load(data: bytes) -> Any:
    """The JSON of a file, if it is of a size, depth and content that an export can have."""
    if len(data) > MOST_BYTES:
        raise NotBroughtIn("too_large", most=MOST_BYTES)
    if not data.strip():
        raise NotBroughtIn("empty")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise NotBroughtIn("not_text") from None
    try:
        content = json.loads(
            text, parse_constant=_no_number, parse_float=_no_number, object_pairs_hook=_no_name_twice
        )
    except RecursionError:
        raise NotBroughtIn("nested") from None
    except json.JSONDecodeError as error:
        raise NotBroughtIn("not_json", line=error.lineno) from None
    except ValueError:  # a whole number of thousands of digits
        raise NotBroughtIn("no_number") from None
    _look_through(content)
    return content


def _no_number(text: str) -> NoReturn:
    raise NotBroughtIn("no_number")


def _no_name_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise NotBroughtIn("shape", where=next(iter(found), "")[:MOST_TEXT])
    return found


def _look_through(content: Any) -> None:
    """Every value, level by level: no text or number that a column could not hold, and not too deep."""
    level: list[Any] = [content]
    for _depth in range(MOST_NESTED):
        below: list[Any] = []
        for value in level:
            if isinstance(value, dict):
                below += value.keys()
                below += (_record(one) if name == "record" else one for name, one in value.items())
            elif isinstance(value, list):
                below += value
            elif isinstance(value, str):
                if len(value) > MOST_TEXT or re.search("[\0\ud800-\udfff]", value):
                    raise NotBroughtIn("text", given=re.sub("[\0\ud800-\udfff]", "?", value[:20]))
            elif isinstance(value, int) and abs(value) > MOST_WHOLE:
                raise NotBroughtIn("no_number")
        if not below:
            return
        level = below
    raise NotBroughtIn("nested")


def _record(value: Any) -> Any:
    """The text of a record, in parts that are no longer than other texts: it may be a whole one."""
    if not isinstance(value, str):
        return value
    if len(value) > MOST_RECORD:
        raise NotBroughtIn("text", given=value[:20])
    return [value[at : at + MOST_TEXT] for at in range(0, len(value), MOST_TEXT)]


def _document(content: Any, where: str) -> Document:
    if not isinstance(content, dict):
        raise NotBroughtIn("shape", where=where)
    known = {"format", "format_version", "game", "players", "rounds", "challenges", "log", "role", "key"}
    if unknown := sorted(content.keys() - known):
        raise NotBroughtIn("shape", where=f"{where}.{unknown[0]}")
    role, key = content.get("role"), content.get("key")
    if (role, key) != (None, None) and not (role in Role.values and isinstance(key, str)):
        raise NotBroughtIn("shape", where=f"{where}.key")
    game = columns(Game, content.get("game"), "game")
    return Document(
        raw=content,
        game=game,
        players=_rows(Player, content, "players", MOST_SEATS),
        rounds=[
            round_columns(one, f"rounds[{position}]")
            for position, one in enumerate(_listed(content, "rounds", MOST_ROUNDS), start=1)
        ],
        # A file made before there were disputes has none.
        challenges=_rows(Challenge, {"challenges": [], **content}, "challenges", MOST_CHALLENGES),
        log=_rows(LogEntry, content, "log", MOST_ENTRIES),
        role=role,
        key=key,
    )


def _listed(content: Mapping[str, Any], name: str, most: int) -> list[Any]:
    found = content.get(name)
    if not isinstance(found, list):
        raise NotBroughtIn("shape", where=name)
    if len(found) > most:
        raise NotBroughtIn("too_many", most=most, what=name, given=len(found))
    return found


def _rows(model: type[models.Model], content: Mapping[str, Any], name: str, most: int) -> list[Row]:
    return [
        columns(model, one, f"{name}[{position}]")
        for position, one in enumerate(_listed(content, name, most), start=1)
    ]


def round_columns(content: Any, where: str) -> Row:
    """One round with its hands, as the rounds of a file and the states of the log have it."""
    row = columns(Round, content, where, more=["hands"])
    hands = _listed(content, "hands", MOST_PLAYERS)
    row["hands"] = [_hand(one, where) for one in hands]
    return row


def _hand(content: Any, where: str) -> Row:
    row = columns(Hand, content, f"{where}.hands", more=["seat"])
    return {"seat": _value(Player._meta.get_field("seat"), content.get("seat"), f"{where}.seat"), **row}


def _texts(content: Any) -> bool:
    return isinstance(content, list) and all(isinstance(one, str) for one in content)


def _each(content: Any, **kinds: tuple[type, ...]) -> bool:
    """A list of objects with exactly these values; a true is no number."""
    return isinstance(content, list) and all(
        isinstance(one, dict)
        and one.keys() == kinds.keys()
        and all(type(one[name]) in kind for name, kind in kinds.items())
        for one in content
    )


# What stands in a column of JSON. The rules and the states of the log are read by `walk`.
JSON_SHAPES: Mapping[str, Callable[[Any], bool]] = {
    "marks": _texts,
    "tiles": _texts,
    "warnings": lambda content: _each(content, code=(str,), seat=(int, type(None))),
    "record_seats": lambda content: (
        isinstance(content, dict) and all(type(seat) is int for seat in content.values())
    ),
    "adjustments": lambda content: _each(content, number=(int,), points=(int,), reason=(str,), round=(int,)),
}


def _wrong(where: str) -> NoReturn:
    raise NotBroughtIn("shape", where=where)


def columns(
    model: type[models.Model],
    content: Any,
    where: str,
    more: Iterable[str] = (),
    only: Collection[str] | None = None,
) -> Row:
    """The columns of a row that travel, each of its type; `only` some of them, in a state of the log."""
    if not isinstance(content, dict):
        _wrong(where)
    names = TRAVEL[model]
    if unknown := sorted(content.keys() - {*names, *more}):
        _wrong(f"{where}.{unknown[0]}")
    row = {}
    for name in names:
        field = model._meta.get_field(name)
        assert isinstance(field, models.Field)  # noqa: S101 - a column that travels is a column
        if name in content:
            row[name] = _value(field, content[name], f"{where}.{name}")
        elif only is not None:
            continue
        elif name in NEEDED or not (field.has_default() or field.null):
            _wrong(f"{where}.{name}")
        else:
            row[name] = field.get_default()
    return row


def _value(field: Any, given: Any, where: str) -> Any:
    if given is None:
        if not field.null:
            _wrong(where)
        return None
    kind = field.get_internal_type()
    if kind == "JSONField":
        shape = JSON_SHAPES.get(field.name)
        return given if shape is None or shape(given) else _wrong(where)
    found = _read(kind, given)
    limits = BaseDatabaseOperations.integer_field_ranges.get(kind)
    if found is None or (limits and not limits[0] <= found <= limits[1]):
        _wrong(where)
    if kind == "CharField":
        choices = [value for value, _label in field.choices] if field.choices else [found]
        if found not in choices or len(found) > field.max_length or not (found or field.blank):
            _wrong(where)
    return found


def _read(kind: str, given: Any) -> Any:
    """The value of a column of this kind, or None if it is none."""
    if kind == "BooleanField":
        return given if isinstance(given, bool) else None
    if kind.endswith("IntegerField"):
        return given if type(given) is int else None
    if not isinstance(given, str):
        return None
    try:
        match kind:
            case "UUIDField":
                return UUID(given) if str(UUID(given)) == given else None
            case "DateTimeField":
                moment = datetime.fromisoformat(given)
                return moment if moment.tzinfo and moment.year in YEARS else None
            case "DateField":
                return date.fromisoformat(given) if re.fullmatch(r"\d{4}-\d\d-\d\d", given) else None
    except (ValueError, OverflowError):
        return None
    return given
