"""Programs that call the API about a club: each with a token, a key or nothing."""

from __future__ import annotations

import json
from typing import Any

from django.test import Client
from django.utils import timezone

from games import accounts
from games.models import AccessKey, ApiToken, Club, Member, Role, User
from games.seasons import doubt_raise
from tests import club as at_club
from tests.cast import start


class ClubCaller:
    """Paths are relative to the club's own, or to /api/ if they begin with a stroke."""

    def __init__(self, key: str | None, slug: str = "") -> None:
        self.key, self.slug, self.client = key, slug, Client()

    def __call__(self, method: str, path: str = "", body: Any = b"", **headers: str) -> Any:
        if self.key is not None:
            headers.setdefault("Authorization", f"Bearer {self.key}")
        data = body if isinstance(body, bytes) else json.dumps(body)
        url = f"/api{path}" if path.startswith("/") else f"/api/clubs/{self.slug}/{path}"
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.client.generic(method, url, data, "application/json", headers=named)

    def done(self, method: str, path: str = "", body: Any = b"", **headers: str) -> Any:
        """What a call that must succeed answers."""
        answer = self(method, path, body, **headers)
        assert answer.status_code in (200, 201), (method, path, answer.status_code, answer.content)
        return answer.json()

    def read(self, path: str = "") -> Any:
        return self.done("GET", path)


def token_of(user: User | None) -> str:
    """A new token, used today already: so no reading notes it."""
    assert user is not None
    token = accounts.token_make(user=user, name="A program")
    assert token is not None
    ApiToken.objects.filter(user=user).update(used_on=timezone.localdate())
    return token


def owner_of(club: Club) -> ClubCaller:
    return ClubCaller(token_of(club.members.get(number=1).user), club.slug)


def grown_club() -> Club:
    """Two seasons, three nights, three games, two of them in doubt."""
    club = at_club.found()
    spring = at_club.season(club)
    for at in (1, 2, 3):
        played = at_club.night(spring, at, ["Chitra", "Ben", "Siobhán"], [0, 20, at])
        if at > 1:
            doubt_raise(played=played, other={"round": 1, "seat": 2, "points": 9}, reason="Who counted?")
    at_club.season(club)
    user = club.members.get(number=1).user
    assert user is not None
    claimed = [AccessKey.objects.get(game=start().sheet.game, role=Role.SCORER).pk for _game in range(3)]
    accounts.games_claim(user=user, key_ids=claimed)
    more = at_club.found("Zoë")
    Member.objects.create(club=more, number=2, name="Chitra", user=user)
    return club
