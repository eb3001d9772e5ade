"""What the API answers with: a game, its log, an error, as JSON whose keys keep their order.

Knows the answers' shape. Must not decide or query: it is given sheets, logs and problems.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from rest_framework.request import Request

from games.engine.rules import FIELDS
from games.mapping import CHALLENGE_FIELDS, PLAYER_FIELDS, challenge_to_data
from games.models import KEPT, Challenge, Claim, Game, LogEntry, Role
from games.seats import HandTold, coming
from games.selectors import Sheet

if TYPE_CHECKING:  # it refuses queries by errors, which are answered here
    from games.api.lists import Page

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode

_RULES = tuple(name for name in FIELDS if name not in ("deal", "tiebreaks"))
_ADJUSTMENT = ("number", "points", "reason", "round")  # a JSON column may reorder its keys
_NO_PLAYER: dict[str, Any] = {name: [] if name == "adjustments" else None for name in PLAYER_FIELDS}
_NO_CHALLENGE: dict[str, Any] = dict.fromkeys(CHALLENGE_FIELDS)
# What is not there reads as this, so that the log of a new round says only what it holds.
_NO_ROUND: dict[str, Any] = {"engine": None, "ended": None, "disputed": False, "confirmed": False}
_NO_HAND: dict[str, Any] = {
    "points": None,
    "score": None,
    "out": False,
    "marker": False,
    "tile_count": None,
    "tiles": None,
}


def answer(data: Mapping[str, Any] | str, status: int = 200, **headers: str) -> HttpResponse:
    """JSON for one reader: no cache between keeps it, and the reader's own asks again each time."""
    body = data if isinstance(data, str) else _encode(data)
    response = HttpResponse(body, status=status, content_type="application/json")
    response["Cache-Control"] = "private, no-cache"
    for name, value in headers.items():
        response[name.replace("_", "-")] = value
    return response


def etag(version: int | str) -> str:
    return f'"{version}"'


def not_modified(version: int | str) -> HttpResponse:
    response = HttpResponse(status=304)
    response["ETag"] = etag(version)
    response["Cache-Control"] = "private, no-cache"
    return response


def text(data: Mapping[str, Any]) -> str:
    return _encode(data)


def game_url(request: HttpRequest | Request, slug: str) -> str:
    return request.build_absolute_uri(reverse("api:game", args=[slug]))


def _head(game: Game, url: str) -> dict[str, Any]:
    """What is said of a game wherever it is named."""
    return {
        "id": game.slug,
        "url": url,
        "version": game.version,
        "status": game.status,
        "abandoned": game.abandoned_at is not None,
        "name": game.name,
        "played_on": None if game.played_on is None else game.played_on.isoformat(),
        "changed_at": game.changed_at.isoformat(),
    }


def game_data(sheet: Sheet, url: str) -> dict[str, Any]:
    game, names = sheet.game, sheet.names()
    return {
        **_head(game, url),
        "preset": sheet.rules.preset,
        "second_person": game.second_person,
        "rules": _rules(sheet),
        "engines": sheet.engines,
        "next_engine": sheet.next_engine,
        "warnings": [
            {"code": warning["code"], "round": entry.number, "seat": warning["seat"]}
            for entry in sheet.rounds
            for warning in entry.warnings
        ]
        + _deal_warnings(sheet),
        "players": [
            {
                "seat": player.seat,
                "name": player.name,
                "order": player.order,
                "from_round": player.from_round,
                "to_round": player.to_round,
                "start_total": player.start_total,
                "adjustments": [{name: one[name] for name in _ADJUSTMENT} for one in player.adjustments],
            }
            for player in sheet.players
        ],
        "rounds": [
            {
                "number": entry.number,
                "engine": entry.engine,
                "ended": entry.ended,
                "disputed": entry.disputed,
                "marks": entry.marks,
                "confirmed": entry.confirmed,
                "record": entry.record or None,
                "hands": [
                    {
                        "seat": seat,
                        "points": hand.points,
                        "score": hand.score,
                        "out": hand.out,
                        "marker": hand.marker,
                        "tile_count": hand.tile_count,
                        "tiles": hand.tiles,
                    }
                    for seat, hand in entry.hands.items()
                ],
            }
            for entry in sheet.rounds
        ],
        "standings": [
            {
                "seat": row.seat,
                "name": names[row.seat],
                "total": row.total,
                "place": row.place,
                "zero_rounds": row.zero_rounds,
                "lowest_nonzero": row.lowest_nonzero,
                "decided_by": row.decided_by,
            }
            for row in sheet.table
        ],
        "challenges": [_challenge(sheet, one) for one in sheet.challenges],
    }


def _challenge(sheet: Sheet, one: Challenge) -> dict[str, Any]:
    """`pending`: it waits for a ruling, and the score it is about is there."""
    data = challenge_to_data(one)
    return {
        "number": one.number,
        "round": data.pop("round_number"),
        **data,
        "who": _who(one.who, one.role),
        "by_record": one.by_record,
        "pending": one in sheet.pending,
    }


def _who(name: str, role: str) -> str:
    return name or (_("scorer link") if role == Role.SCORER else _("watch link"))


def deleted_data(game: Game) -> dict[str, Any]:
    """What is said of a game that was deleted just now, and until when it can be brought back."""
    assert game.deleted_at is not None  # noqa: S101 - it was
    return {
        "id": game.slug,
        "version": game.version,
        "deleted_at": game.deleted_at.isoformat(),
        "kept_until": (game.deleted_at + KEPT).isoformat(),
    }


def hands_data(sheet: Sheet, told: Mapping[int, HandTold], *, whole: bool) -> dict[str, Any]:
    """Who is in for the coming round; `whole`: with what was told."""
    number, names = coming(sheet), sheet.names()
    return {
        "id": sheet.game.slug,
        "version": sheet.game.version,
        "round": number,
        "engine": None if number is None else sheet.next_engine,
        "hands": [
            {
                "seat": seat,
                "name": names[seat],
                "in": seat in told,
                **{name: getattr(told.get(seat), name, None) for name in (_TOLD if whole else ())},
            }
            for seat in (() if number is None else sheet.seats(number))
        ],
    }


_TOLD = ("points", "out", "marker", "tile_count", "tiles")


def _deal_warnings(sheet: Sheet) -> list[dict[str, Any]]:
    """The coming round has more players than the set has tiles for: `deal_large`, of nobody's seat."""
    return [{"code": "deal_large", "round": sheet.next_number, "seat": None}] if sheet.too_few_tiles else []


def _rules(sheet: Sheet) -> dict[str, Any]:
    """Every field of the card; `deal` is the number in force for those who play now."""
    rules = sheet.rules
    return {
        "max_pip": rules.max_pip,
        "deal": sheet.deal(sheet.next_number or len(sheet.rounds)),
        **{name: getattr(rules, name) for name in _RULES},
        "tiebreaks": rules.tiebreaks,
    }


def claim_data(claim: Claim, url: str) -> dict[str, Any]:
    """A game in an account's list."""
    return {"id": claim.game.slug, "url": url, "role": claim.key.role, **_head(claim.game, url)}


def log_data(found: Page[LogEntry], game: Game, names: Mapping[int, str]) -> dict[str, Any]:
    """`entries` is older than the other lists' `results`."""
    return {
        "id": game.slug,
        "version": game.version,
        **found.around(),
        "entries": [_entry(entry, names) for entry in found.rows],
    }


def _entry(entry: LogEntry, names: Mapping[int, str]) -> dict[str, Any]:
    return {
        "version": entry.number,
        "at": entry.at.isoformat(),
        "who": _who(entry.who, entry.role),
        "action": entry.action,
        "round": entry.round_number,
        "target": entry.target,
        "reason": entry.reason,
        "changes": list(_changes(entry, names)),
    }


def _changes(entry: LogEntry, names: Mapping[int, str]) -> Iterable[dict[str, Any]]:
    """Each value that became another, as {"round", "seat", "name", "field", "from", "to"}."""
    before, after = entry.before, entry.after
    yield from _differences(before.get("game") or {}, after.get("game") or {})
    if "link" in after:
        yield _change("link", None, after["link"])
    for key, data in after.get("records", {}).items():
        yield _change("record", before["records"][key] is not None, data is not None, int(key))
    for seat, points in after.get("said", {}).items():
        said = _change("said", None, points, entry.round_number)
        yield {**said, "seat": int(seat), "name": names.get(int(seat))}
    if before.get("players") != after.get("players"):
        yield _change("players", before.get("players"), after.get("players"))
    for key, data in after.get("seats", {}).items() if "players" not in after else ():
        old, new = _NO_PLAYER | (before["seats"][key] or {}), _NO_PLAYER | (data or {})
        name = (data or before["seats"][key])["name"]
        for change in _differences(old, new, only=_NO_PLAYER):
            yield {**change, "seat": int(key), "name": name}
    for key, data in after.get("challenges", {}).items():
        old, new = _NO_CHALLENGE | (before["challenges"][key] or {}), _NO_CHALLENGE | data
        fields = [name for name in CHALLENGE_FIELDS if name not in ("round_number", "seat")]
        for change in _differences(old, new, data["round_number"], only=fields):
            yield {
                **change,
                "field": f"challenges[{key}].{change['field']}",
                "seat": data["seat"],
                "name": names.get(data["seat"]),
            }
    for key, data in after.get("rounds", {}).items():
        old, new, number = before["rounds"][key] or {}, data or {}, int(key)
        yield from _differences(_NO_ROUND | old, _NO_ROUND | new, number, only=_NO_ROUND)
        old_hands = {hand["seat"]: hand for hand in old.get("hands", ())}
        new_hands = {hand["seat"]: hand for hand in new.get("hands", ())}
        for seat in sorted(old_hands.keys() | new_hands.keys()):
            for change in _differences(
                _NO_HAND | old_hands.get(seat, {}),
                _NO_HAND | new_hands.get(seat, {}),
                number,
                only=_NO_HAND,
            ):
                yield {**change, "seat": seat, "name": names.get(seat)}


def _differences(
    old: Mapping[str, Any],
    new: Mapping[str, Any],
    number: int | None = None,
    only: Iterable[str] | None = None,
) -> Iterable[dict[str, Any]]:
    for field in only or sorted(old.keys() | new.keys()):
        if old.get(field) != new.get(field):
            yield _change(field, old.get(field), new.get(field), number)


def _change(field: str, old: Any, new: Any, number: int | None = None) -> dict[str, Any]:
    return {"round": number, "seat": None, "name": None, "field": field, "from": old, "to": new}


def error_data(code: str, message: str, problems: Sequence[Mapping[str, Any]] = ()) -> dict[str, Any]:
    return {"code": code, "message": message, "problems": list(problems)}
