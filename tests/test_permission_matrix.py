"""Who gets what at every address of the site: an address without a line here fails.

Operators' addresses are in test_admin.py, what an account opens in web/test_account.py.

Each line is the answers to nobody, a watcher, a scorer, another game's scorer and a scorer whose link was
stopped. No GET writes anything.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from games.models import AccessKey, Game, LogEntry, Role
from games.services import change_undo
from tests.cast import play, start

pytestmark = pytest.mark.django_db

# method, address, number of the round; nobody, watcher, scorer, other, stopped
MATRIX = """
    GET    home         1  200 200 200 200 200
    GET    new          1  200 200 200 200 200
    POST   new          1  302 302 302 302 302
    GET    device       1  200 200 200 200 200
    POST   device       1  302 302 302 302 302
    GET    set_up       1  404 200 200 404 404
    POST   set_up       1  404 403 409 404 404
    GET    share        1  404 200 200 404 404
    POST   link_replace 1  404 403 302 404 404
    GET    tv           1  404 200 200 404 404
    GET    tv_live      1  404 200 200 404 404
    GET    board        1  404 200 200 404 404
    GET    live         1  404 200 200 404 404
    GET    more         1  404 200 200 404 404
    POST   undo         1  404 403 302 404 404
    POST   redo         1  404 403 302 404 404
    POST   finish       1  404 403 302 404 404
    GET    end          1  404 200 200 404 404
    GET    log          1  404 200 200 404 404
    GET    player       1  404 200 200 404 404
    GET    players      1  404 403 200 404 404
    POST   players      1  404 403 302 404 404
    GET    player_edit  1  404 403 200 404 404
    POST   player_edit  1  404 403 302 404 404
    GET    files        1  404 200 200 404 404
    GET    file_text    1  404 200 200 404 404
    GET    file_csv     1  404 200 200 404 404
    GET    file_json    1  404 200 200 404 404
    GET    file_picture 1  404 200 200 404 404
    GET    my_games     1  200 200 200 200 200
    GET    my_games_file 1 200 200 200 200 200
    GET    bring_in     1  200 200 200 200 200
    POST   bring_in     1  422 422 422 422 422
    GET    round        2  404 403 200 404 404
    GET    hands        2  404 403 302 404 404
    POST   hands        2  404 403 302 404 404
    POST   check        2  404 403 200 404 404
    GET    round_sheet  1  404 200 200 404 404
    POST   round_remove 1  404 403 302 404 404
    GET    cell         1  404 200 200 404 404
    GET    correct      1  404 403 200 404 404
    POST   correct      1  404 403 302 404 404
    GET    open_scorer  1  302 302 302 302 302
    GET    open_viewer  1  302 302 302 302 302
    GET    account      1  302 302 302 302 302
    POST   account_claim 1 302 302 302 302 302
    POST   account_drop 1  302 302 302 302 302
    GET    account_name 1  302 302 302 302 302
    POST   account_name 1  302 302 302 302 302
    GET    account_tokens 1 302 302 302 302 302
    POST   account_tokens 1 302 302 302 302 302
    POST   account_token_revoke 1 302 302 302 302 302
    GET    account_delete 1 302 302 302 302 302
    POST   account_delete 1 302 302 302 302 302
    GET    account_signup 1 200 200 200 200 200
    POST   account_signup 1 422 422 422 422 422
    GET    account_login 1 200 200 200 200 200
    POST   account_login 1 422 422 422 422 422
    GET    account_logout 1 302 302 302 302 302
    POST   account_logout 1 302 302 302 302 302
    GET    account_inactive 1 200 200 200 200 200
    GET    account_email_verification_sent 1 200 200 200 200 200
    GET    account_confirm_email 1 404 404 404 404 404
    POST   account_confirm_email 1 404 404 404 404 404
    GET    account_email 1 302 302 302 302 302
    POST   account_email 1 302 302 302 302 302
    GET    account_change_password 1 302 302 302 302 302
    POST   account_change_password 1 302 302 302 302 302
    GET    account_reset_password 1 200 200 200 200 200
    POST   account_reset_password 1 422 422 422 422 422
    GET    account_reset_password_done 1 200 200 200 200 200
    GET    account_reset_password_from_key 1 404 404 404 404 404
    POST   account_reset_password_from_key 1 404 404 404 404 404
    POST   api:games    1  201 201 201 201 201
    GET    api:game     1  401 200 200 404 401
    PUT    api:round    2  401 403 201 404 401
    DELETE api:round    1  401 403 200 404 401
    POST   api:players  1  401 403 201 404 401
    PATCH  api:player   1  401 403 200 404 401
    POST   api:adjustments 1  401 403 201 404 401
    DELETE api:adjustment  1  401 403 404 404 401
    POST   api:finish   1  401 403 200 404 401
    GET    api:log      1  401 200 200 404 401
    GET    api:me       1  401 403 403 403 401
    GET    api:schema   1  200 200 200 200 200
    GET    api:docs     1  200 200 200 200 200
"""
LINES = [line.split(maxsplit=3) for line in MATRIX.strip().splitlines()]
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
WRITES = ("INSERT", "UPDATE", "DELETE")
WHO = ("nobody", "watcher", "scorer", "other", "stopped")
ROUND = (33, 2, 0, 31, 46)
FORMS: dict[str, dict[str, Any]] = {
    "new": {"do": "start", "player": ["Ann", "Ben"]},
    "device": {"theme": "dark"},
    "set_up": {"do": "start", "player": ["Ann", "Ben"]},
    "hands": {f"hand-{seat}": points for seat, points in enumerate(ROUND, 1) if points},
    "correct": {"value": "13"},
    "players": {"do": "add", "name": "Dan"},
    "player_edit": {"do": "leave"},
}
BODIES: dict[str, dict[str, Any]] = {
    "api:players": {"name": "Dan"},
    "api:player": {"retired": True},
    "api:adjustments": {"points": 20, "reason": "Late"},
    "api:games": {"players": ["Ann", "Ben"]},
    "api:round": {
        "ended": "out",
        "hands": [{"seat": seat, "points": points} for seat, points in enumerate(ROUND, start=1)],
    },
}


def names(patterns: Sequence[Any], space: str = "") -> Iterator[tuple[str, URLPattern]]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            inner = f"{pattern.namespace}:" if pattern.namespace else ""
            yield from names(pattern.url_patterns, space + inner)
        elif pattern.name:
            yield space + pattern.name, pattern


ADDRESSES = {
    name: pattern
    for name, pattern in names(get_resolver().url_patterns)
    if name != "kit" and not name.startswith("admin:")
}


@pytest.fixture
def game() -> Game:
    """One round in, one change undone."""
    game = start().sheet.game
    play(game, ROUND, ROUND)
    change_undo(game=game)
    game.refresh_from_db()
    return game


def secret(game: Game, role: Role) -> str:
    return AccessKey.objects.get(game=game, role=role, revoked_at=None).key


def phone_of(who: str, game: Game) -> Client:
    """A phone that has opened its link, and sends the link's key to the API."""
    if who == "nobody":
        return Client()
    role = Role.VIEWER if who == "watcher" else Role.SCORER
    key = secret(start().sheet.game if who == "other" else game, role)
    phone = Client(headers={"Authorization": f"Bearer {key}"})
    phone.get(reverse("open_viewer" if who == "watcher" else "open_scorer", args=[key]))
    if who == "stopped":
        AccessKey.objects.filter(key=key).update(revoked_at="2026-01-01T00:00Z")
        AccessKey.objects.create(game=game, role=role)
    return phone


def send(phone: Client, game: Game, method: str, name: str, number: str) -> Any:
    about = {
        "slug": game.slug,
        "number": number,
        "seat": 4,
        "token_id": 1,
        "key": "never-made",
        "uidb36": "1",
        "secret": secret(game, Role.VIEWER if name == "open_viewer" else Role.SCORER),
    }
    parts = ADDRESSES[name].pattern.regex.groupindex
    url = reverse(name, kwargs={part: about[part] for part in parts})
    if name.startswith("api:"):
        return phone.generic(method, url, json.dumps(BODIES.get(name, {})), "application/json")
    if method != "POST":
        return phone.generic(method, url)
    game.refresh_from_db()
    form = FORMS.get(name, {}) | {"version": game.version}
    return phone.post(f"{url}?out=3&new=1", form)


def call(who: str, game: Game, method: str, name: str, number: str) -> Any:
    return send(phone_of(who, game), game, method, name, number)


def test_every_address_has_its_lines() -> None:
    assert {name for _method, name, *_ in LINES} == set(ADDRESSES)


@pytest.mark.parametrize(("method", "name", "number", "answers"), LINES)
def test_each_gets_what_is_theirs(game: Game, method: str, name: str, number: str, answers: str) -> None:
    found = []
    for who in WHO:
        entries = LogEntry.objects.filter(game=game).count()
        code = call(who, game, method, name, number).status_code
        found.append(str(code))
        assert code < 400 or LogEntry.objects.filter(game=game).count() == entries
    assert " ".join(found) == answers


@pytest.mark.parametrize("name", ADDRESSES)
def test_no_other_method_is_answered(game: Game, name: str) -> None:
    others = set(METHODS) - {method for method, line, *_ in LINES if line == name}

    assert {call("scorer", game, method, name, "1").status_code for method in others} == {405}


@pytest.mark.parametrize("name", [name for method, name, *_ in LINES if method == "GET"])
def test_a_get_writes_nothing(game: Game, name: str) -> None:
    phones = [phone_of(who, game) for who in ("watcher", "scorer")]
    with CaptureQueriesContext(connection) as asked:
        for phone in phones:
            for number in "0123":
                send(phone, game, "GET", name, number)
    assert [query["sql"] for query in asked if query["sql"].startswith(WRITES)] == []
