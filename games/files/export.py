"""A game as data that can be brought in elsewhere: the whole of it, without what opens it.

Knows which columns travel. Must not know files, requests or words. Keys never stand in a game's own export;
only the backup of a device carries them, because it is that device's.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import Any
from uuid import UUID

from django.db.models import Model

from games.models import AccessKey, Game, Hand, LogEntry, Player, Round

GAME_FORMAT, GAMES_FORMAT = "scorekeeper-game", "scorekeeper-games"
FORMAT_VERSION = 1
READS = 5  # if somebody writes between the queries, they are asked again

# The columns of each table that travel; what stays behind is in LEFT_OUT, with the reason beside it. A new
# column belongs into one of the two (tests/services/test_exports.py fails until it is).
TRAVEL: Mapping[type[Model], tuple[str, ...]] = {
    Game: (
        *("uid", "name", "played_on", "rules", "first_engine", "round_count", "status", "version"),
        *("created_at", "changed_at"),
    ),
    Player: ("seat", "order", "name", "from_round", "to_round", "start_total"),
    Round: ("number", "engine", "ended", "disputed", "marks", "warnings"),
    Hand: ("points", "score", "out", "marker", "tile_count", "tiles"),  # and the player's seat
    LogEntry: ("number", "at", "who", "action", "round_number", "target", "reason", "before", "after"),
}
LEFT_OUT: Mapping[type[Model], frozenset[str]] = {
    Game: frozenset({"id", "slug"}),  # a copy elsewhere has its own address
    Player: frozenset({"id", "game"}),
    Round: frozenset({"id", "game"}),
    Hand: frozenset({"id", "round", "player"}),
    LogEntry: frozenset({"id", "game"}),
}
# Tables that hang on a game and stay behind: what opens a game is not part of it.
NOT_EXPORTED: frozenset[type[Model]] = frozenset({AccessKey})


def game_data(game: Game) -> dict[str, Any]:
    """The whole game as JSON values, all of one version, without any key."""
    for _again in range(READS):
        data = _read(Game.objects.get(pk=game.pk))
        if Game.objects.values_list("version", flat=True).get(pk=game.pk) == data["game"]["version"]:
            break
    return data


def _read(game: Game) -> dict[str, Any]:
    hands: dict[int, list[dict[str, Any]]] = {}
    for hand in Hand.objects.filter(round__game=game).select_related("player").order_by("player__seat"):
        hands.setdefault(hand.round_id, []).append({"seat": hand.player.seat, **_columns(hand)})
    return {
        "format": GAME_FORMAT,
        "format_version": FORMAT_VERSION,
        "game": _columns(game),
        "players": [_columns(player) for player in Player.objects.filter(game=game).order_by("seat")],
        "rounds": [
            {**_columns(one), "hands": hands.get(one.pk, [])}
            for one in Round.objects.filter(game=game).order_by("number")
        ],
        "log": [_columns(entry) for entry in LogEntry.objects.filter(game=game).order_by("number")],
    }


def backup_data(keys: Iterable[AccessKey]) -> dict[str, Any]:
    """All games that these keys open, each with its key: whoever has this file has these games."""
    return {
        "format": GAMES_FORMAT,
        "format_version": FORMAT_VERSION,
        "opens_games": True,
        "games": [{**game_data(key.game), "role": key.role, "key": key.key} for key in keys],
    }


def as_json(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def _columns(row: Model) -> dict[str, Any]:
    return {name: _value(getattr(row, name)) for name in TRAVEL[type(row)]}


def _value(value: Any) -> Any:
    if isinstance(value, datetime | date):
        return value.isoformat()
    return str(value) if isinstance(value, UUID) else value
