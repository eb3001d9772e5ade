"""A program that calls the API with one key, and a game for it to call about."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from django.test import Client

from games.models import AccessKey, Game, Role
from tests.cast import start

IN = {"content_type": "application/json"}
TRIO = ("Ann", "Ben", "Cho")


class Caller:
    """Paths are relative to the game's own; a body is sent as JSON, bytes as they are."""

    def __init__(self, game: Game, key: str | None) -> None:
        self.game = game
        self.key = key
        self.client = Client()

    def __call__(self, method: str, path: str = "", body: Any = b"", **headers: str) -> Any:
        if self.key is not None:
            headers.setdefault("Authorization", f"Bearer {self.key}")
        data = body if isinstance(body, bytes) else json.dumps(body)
        content_type = headers.pop("content_type", "application/json")
        url = f"/api/games/{self.game.slug}/{path}"
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.client.generic(method, url, data, content_type, headers=named)

    def put(self, number: int, points: Sequence[int], **more: Any) -> Any:
        """Put a round of which the seats 1, 2, … left these points; headers begin with a capital."""
        headers = {name: more.pop(name) for name in list(more) if name[0].isupper()}
        return self("PUT", f"rounds/{number}/", round_of(points, **more), **headers)

    def read(self) -> Any:
        return self("GET").json()


def round_of(points: Sequence[int], **more: Any) -> dict[str, Any]:
    hands = [{"seat": seat, "points": value} for seat, value in enumerate(points, start=1)]
    return {"ended": "out" if 0 in points else "blocked", "hands": hands, **more}


def codes(response: Any) -> list[str]:
    return [problem["code"] for problem in response.json()["problems"]]


def scorer(names: Sequence[str] = TRIO, **more: Any) -> Caller:
    started = start(names, **more)
    return Caller(started.sheet.game, started.scorer_key)


def viewer(of: Caller) -> Caller:
    key = AccessKey.objects.get(game=of.game, role=Role.VIEWER)
    return Caller(of.game, key.key)


def stranger(of: Caller) -> Caller:
    return Caller(of.game, None)


def other_game(of: Caller) -> Caller:
    """Somebody with a good key, but of another game."""
    return Caller(of.game, scorer(("Dee", "Eve")).key)
