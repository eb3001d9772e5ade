"""Phones at the table: one that keeps score, one that watches, one that knows nothing."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from games.models import AccessKey, Game, Role
from games.services import Started
from tests.cast import start


@pytest.fixture
def started(db: None) -> Started:
    return start(name="Friday at Ruth’s")


@pytest.fixture
def game(started: Started) -> Game:
    return started.sheet.game


@pytest.fixture
def opens() -> Callable[..., Client]:
    """Let a phone open a game's link: `opens(client, game)`, or with `Role.VIEWER`."""

    def open_link(phone: Client, game: Game, role: Role = Role.SCORER) -> Client:
        names = {Role.SCORER: "open_scorer", Role.SEAT: "open_table", Role.VIEWER: "open_viewer"}
        phone.get(reverse(names[role], args=[AccessKey.objects.get(game=game, role=role).key]))
        return phone

    return open_link


@pytest.fixture
def phone(game: Game, opens: Callable[..., Client]) -> Client:
    """A phone that keeps score in `game`."""
    return opens(Client(), game)


@pytest.fixture
def watcher(game: Game, opens: Callable[..., Client]) -> Client:
    """A phone that watches `game`."""
    return opens(Client(), game, Role.VIEWER)


@pytest.fixture
def ben(game: Game, opens: Callable[..., Client]) -> Client:
    """A phone that has Ben's seat in `game`, the second."""
    phone = opens(Client(), game, Role.SEAT)
    phone.post(reverse("seat", args=[game.slug]), {"seat": 2})
    return phone


@pytest.fixture
def ann(game: Game, opens: Callable[..., Client]) -> Client:
    """A phone that has Ann's seat in `game`, the fifth."""
    phone = opens(Client(), game, Role.SEAT)
    phone.post(reverse("seat", args=[game.slug]), {"seat": 5})
    return phone


@pytest.fixture
def stranger(db: None) -> Client:
    return Client()
