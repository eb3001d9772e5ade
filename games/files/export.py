"""A game as data that can be brought in elsewhere: the whole of it, without what opens it.

Knows which columns travel. Must not know files, requests or words. Keys never stand in a game's own export;
only the backup of a device carries them, because it is that device's.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from datetime import date, datetime
from typing import Any
from uuid import UUID

from django.db.models import Model

from games.mapping import CHALLENGE_FIELDS
from games.models import (
    AccessKey,
    Challenge,
    Claim,
    ClubGame,
    Game,
    Hand,
    HandIn,
    LogEntry,
    Player,
    RecordDraft,
    Round,
    SeatHolder,
)

GAME_FORMAT, GAMES_FORMAT = "scorekeeper-game", "scorekeeper-games"
FORMAT_VERSION = 1
READS = 5  # if somebody writes between the queries, they are asked again

# The columns of each table that travel; what stays behind is in LEFT_OUT, with the reason beside it. A new
# column belongs into one of the two (tests/services/test_exports.py fails until it is).
TRAVEL: Mapping[type[Model], tuple[str, ...]] = {
    Game: (
        *("uid", "name", "played_on", "rules", "first_engine", "round_count", "status", "version"),
        *("created_at", "changed_at", "challenge_count", "abandoned_at", "second_person"),
    ),
    Player: ("seat", "order", "name", "from_round", "to_round", "start_total", "adjustments"),
    Round: (
        "number",
        "engine",
        "ended",
        "disputed",
        "marks",
        "warnings",
        "confirmed",
        "record",
        "record_seats",
    ),
    Hand: ("points", "score", "out", "marker", "tile_count", "tiles"),  # and the player's seat
    Challenge: ("number", *CHALLENGE_FIELDS),
    LogEntry: ("number", "at", "who", "action", "round_number", "target", "reason", "before", "after"),
}
LEFT_OUT: Mapping[type[Model], frozenset[str]] = {
    # A copy elsewhere has its own address and open boards; a deleted game is not given out.
    Game: frozenset({"id", "slug", "deleted_at", "stirred"}),
    Player: frozenset({"id", "game"}),
    # A phone here is nobody there; what a record says of the round is worked out anew.
    Round: frozenset({"id", "game", "device", "record_mark"}),
    Hand: frozenset({"id", "round", "player"}),
    # What a record was said to say could not be looked at there: the record is not the game's.
    Challenge: frozenset({"id", "game", "by_record", "record"}),
    LogEntry: frozenset({"id", "game"}),
}
# Tables that hang on a game and stay behind: what opens a game is not part of it, nor is what phones are at,
# nor the club's night it is played on, nor a record that is still being written.
NOT_EXPORTED: frozenset[type[Model]] = frozenset(
    {AccessKey, SeatHolder, HandIn, Claim, ClubGame, RecordDraft}
)


def game_data(game: Game) -> dict[str, Any]:
    """The whole game as JSON values, all of one version, without any key."""
    return games_data([game])[game.pk]


def games_data(games: Iterable[Game]) -> dict[int, dict[str, Any]]:
    """Many games by primary key, in seven queries."""
    pks = [game.pk for game in games]
    for _again in range(READS):
        found = _read(pks)
        now = dict(Game.objects.filter(pk__in=pks).values_list("pk", "version"))
        if all(data["game"]["version"] == now.get(pk) for pk, data in found.items()):
            break
    return found


def _read(pks: list[int]) -> dict[int, dict[str, Any]]:
    hands: dict[int, list[dict[str, Any]]] = {}
    for hand in Hand.objects.filter(round__game__in=pks).select_related("player").order_by("player__seat"):
        hands.setdefault(hand.round_id, []).append({"seat": hand.player.seat, **_columns(hand)})
    found: dict[int, dict[str, Any]] = {
        game.pk: {
            "format": GAME_FORMAT,
            "format_version": FORMAT_VERSION,
            "game": _columns(game),
            **{name: [] for name in ("players", "rounds", "challenges", "log")},
        }
        for game in Game.objects.filter(pk__in=pks)
    }
    for player in Player.objects.filter(game__in=found).order_by("seat"):
        found[player.game_id]["players"].append(_columns(player))
    for one in Round.objects.filter(game__in=found).order_by("number"):
        found[one.game_id]["rounds"].append({**_columns(one), "hands": hands.get(one.pk, [])})
    for challenge in Challenge.objects.filter(game__in=found).order_by("number"):
        found[challenge.game_id]["challenges"].append(_columns(challenge))
    for entry in LogEntry.objects.filter(game__in=found).order_by("number"):
        found[entry.game_id]["log"].append(_columns(entry))
    return found


def backup_data(keys: Collection[AccessKey]) -> dict[str, Any]:
    """All games that these keys open, each with its key: whoever has this file has these games."""
    found = games_data([key.game for key in keys])
    return {
        "format": GAMES_FORMAT,
        "format_version": FORMAT_VERSION,
        "opens_games": True,
        "games": [
            {**found[key.game_id], "role": key.role, "key": key.key} for key in keys if key.game_id in found
        ],
    }


def as_json(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def _columns(row: Model) -> dict[str, Any]:
    return {name: _value(getattr(row, name)) for name in TRAVEL[type(row)]}


def _value(value: Any) -> Any:
    if isinstance(value, datetime | date):
        return value.isoformat()
    return str(value) if isinstance(value, UUID) else value
