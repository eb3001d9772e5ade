"""Phones for the entry tests: clients that have opened a game's links, and what they send."""

from __future__ import annotations

from typing import Any

from django.test import Client
from django.urls import reverse

from games.models import AccessKey, Game, Role

# Six rounds of Friday's five, seats 1–5; Chitra goes out of the seventh.
SIX = (
    (20, 29, 0, 33, 21),
    (0, 29, 16, 33, 5),
    (16, 5, 0, 11, 33),
    (0, 18, 57, 18, 31),
    (59, 14, 0, 38, 65),
    (2, 51, 26, 45, 0),
)
SEVENTH = (33, 2, None, 31, 46)


def phone(game: Game, *, who: str = "") -> Client:
    """A phone that keeps score."""
    client = Client()
    client.get(reverse("open_scorer", args=[_key(game, Role.SCORER)]))
    if who:
        client.post(reverse("device"), {"who": who, "theme": "auto"})
    return client


def watcher(game: Game) -> Client:
    client = Client()
    client.get(reverse("open_viewer", args=[_key(game, Role.VIEWER)]))
    return client


def _key(game: Game, role: Role) -> str:
    return AccessKey.objects.get(game=game, role=role).key


def fields(*hands: object, **more: Any) -> dict[str, Any]:
    """What the page sends for the seats 1, 2, …; None for a hand that is not on the page."""
    typed = {f"hand-{seat}": str(hand) for seat, hand in enumerate(hands, 1) if hand is not None}
    return typed | {name.replace("_", "-"): value for name, value in more.items()}


def save(client: Client, game: Game, number: int, way: str, data: dict[str, Any]) -> Any:
    """Save a round as the page for `way` (its query, as "out=3&new=1") does."""
    game_version = {"version": game.version} | data
    return client.post(f"{reverse('hands', args=[game.slug, number])}?{way}", game_version)


def text(answer: Any) -> str:
    """The page in plain characters, tile names with a plain hyphen."""
    page: str = answer.content.decode()
    return page.replace("\u2011", "-").replace("&#x27;", "'")
