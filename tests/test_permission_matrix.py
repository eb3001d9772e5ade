"""Who gets what at every address of the site: an address without a line here fails.

Operators' addresses are in test_admin.py, a club's in test_club_matrix.py, what an account opens in
web/test_account.py.

Each line is the answers to nobody, a watcher, a phone with a seat, a scorer, another game's scorer and a
scorer whose link was stopped. No GET writes anything.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from games.disputes import challenge_add
from games.models import AccessKey, Game, LogEntry, Role
from games.seats import seat_take
from games.services import change_undo
from tests.cast import play, start

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

# method, address, number of the round; nobody, watcher, seat, scorer, other, stopped
MATRIX = """
    GET    home           1  200 200 200 200 200 200
    GET    new            1  200 200 200 200 200 200
    POST   new            1  302 302 302 302 302 302
    GET    old_sheet      1  200 200 200 200 200 200
    POST   old_sheet      1  302 302 302 302 302 302
    GET    check_round    1  200 200 200 200 200 200
    POST   check_round    1  302 302 302 302 302 302
    GET    verdict        1  404 404 404 404 404 404
    GET    verdict_share  1  404 404 404 404 404 404
    GET    verdict_file   1  404 404 404 404 404 404
    GET    paper          1  200 200 200 200 200 200
    GET    which_rules    1  302 302 302 302 302 302
    GET    rules          1  200 200 200 200 200 200
    GET    device         1  200 200 200 200 200 200
    POST   device         1  302 302 302 302 302 302
    GET    set_up         1  404 200 200 200 404 404
    POST   set_up         1  404 403 403 409 404 404
    GET    share          1  404 200 200 200 404 404
    POST   link_replace   1  404 403 403 302 404 404
    GET    tv             1  404 200 200 200 404 404
    GET    tv_live        1  404 200 200 200 404 404
    GET    board          1  404 200 200 200 404 404
    GET    live           1  404 200 200 200 404 404
    GET    more           1  404 200 200 200 404 404
    POST   undo           1  404 403 403 302 404 404
    POST   redo           1  404 403 403 302 404 404
    POST   finish         1  404 403 403 302 404 404
    GET    end            1  404 200 200 200 404 404
    GET    log            1  404 200 200 200 404 404
    GET    player         1  404 200 200 200 404 404
    GET    players        1  404 403 403 200 404 404
    POST   players        1  404 403 403 302 404 404
    GET    player_edit    1  404 403 403 200 404 404
    POST   player_edit    1  404 403 403 302 404 404
    GET    files          1  404 200 200 200 404 404
    GET    file_text      1  404 200 200 200 404 404
    GET    file_csv       1  404 200 200 200 404 404
    GET    file_json      1  404 200 200 200 404 404
    GET    file_picture   1  404 200 200 200 404 404
    GET    print          1  404 200 200 200 404 404
    GET    abandon        1  404 403 403 200 404 404
    POST   abandon        1  404 403 403 302 404 404
    GET    delete         1  404 403 403 200 404 404
    POST   delete         1  404 403 403 302 404 404
    POST   restore        1  404 403 403 302 404 404
    GET    deleted_games  1  200 200 200 200 200 200
    GET    my_games       1  200 200 200 200 200 200
    GET    my_games_file  1  200 200 200 200 200 200
    GET    bring_in       1  200 200 200 200 200 200
    POST   bring_in       1  422 422 422 422 422 422
    GET    round          2  404 403 403 200 404 404
    GET    hands          2  404 403 403 302 404 404
    POST   hands          2  404 403 403 302 404 404
    POST   check          2  404 403 403 200 404 404
    GET    write          1  200 200 200 200 200 200
    POST   write          1  302 302 302 302 302 302
    GET    written        1  404 404 404 404 404 404
    POST   written        1  404 404 404 404 404 404
    GET    written_text   1  404 404 404 404 404 404
    GET    written_live   1  404 404 404 404 404 404
    GET    round_written  2  404 302 302 302 404 404
    GET    round_written_live 2  404 302 302 302 404 404
    GET    write_round    2  404 403 403 200 404 404
    POST   write_round    2  404 403 403 302 404 404
    GET    round_sheet    1  404 200 200 200 404 404
    GET    record         1  404 200 200 200 404 404
    POST   record         1  404 403 403 302 404 404
    POST   round_remove   1  404 403 403 302 404 404
    GET    cell           1  404 200 200 200 404 404
    GET    correct        1  404 403 403 200 404 404
    POST   correct        1  404 403 403 302 404 404
    GET    challenge      1  404 200 200 200 404 404
    POST   challenge      1  404 302 422 302 404 404
    GET    rule_challenge 1  404 403 403 200 404 404
    POST   rule_challenge 1  404 403 403 302 404 404
    GET    open_scorer    1  302 302 302 302 302 302
    GET    open_viewer    1  302 302 302 302 302 302
    GET    api:games      1  401 403 403 403 403 401
    POST   api:games      1  201 201 201 201 201 201
    GET    api:game       1  401 200 200 200 404 401
    DELETE api:game       1  401 403 403 200 404 401
    POST   api:abandon    1  401 403 403 200 404 401
    POST   api:restore    1  401 403 403 200 404 401
    PUT    api:round      2  401 403 403 201 404 401
    DELETE api:round      1  401 403 403 200 404 401
    POST   api:players    1  401 403 403 201 404 401
    PATCH  api:player     1  401 403 403 200 404 401
    POST   api:adjustments 1  401 403 403 201 404 401
    DELETE api:adjustment 1  401 403 403 404 404 401
    POST   api:challenges 1  401 201 400 400 404 401
    POST   api:ruling     1  401 403 403 200 404 401
    POST   api:finish     1  401 403 403 200 404 401
    GET    api:log        1  401 200 200 200 404 401
    POST   api:record_check 1  200 200 200 200 200 200
    GET    api:schema     1  200 200 200 200 200 200
    GET    api:docs       1  200 200 200 200 200 200
    GET    seat           1  404 403 200 403 404 404
    POST   seat           1  404 403 302 403 404 404
    GET    my_hand        1  404 403 200 403 404 404
    POST   my_hand        1  404 403 302 403 404 404
    POST   my_check       1  404 403 200 403 404 404
    GET    hands_in       2  404 403 403 200 404 404
    GET    confirm        1  404 403 200 200 404 404
    POST   confirm        1  404 403 302 302 404 404
    GET    open_table     1  302 302 302 302 302 302
    GET    api:hands      1  401 200 200 200 404 401
    PUT    api:hand       1  401 403 403 403 404 401
    DELETE api:hand       1  401 403 403 403 404 401
    POST   api:confirm    1  401 403 200 403 404 401
    GET    account        1  302 302 302 302 302 302
    POST   account_claim  1  302 302 302 302 302 302
    POST   account_drop   1  302 302 302 302 302 302
    GET    account_name   1  302 302 302 302 302 302
    POST   account_name   1  302 302 302 302 302 302
    GET    account_tokens 1  302 302 302 302 302 302
    POST   account_tokens 1  302 302 302 302 302 302
    POST   account_token_revoke 1  302 302 302 302 302 302
    GET    account_delete 1  302 302 302 302 302 302
    POST   account_delete 1  302 302 302 302 302 302
    GET    account_signup 1  200 200 200 200 200 200
    POST   account_signup 1  422 422 422 422 422 422
    GET    account_login  1  200 200 200 200 200 200
    POST   account_login  1  422 422 422 422 422 422
    GET    account_logout 1  302 302 302 302 302 302
    POST   account_logout 1  302 302 302 302 302 302
    GET    account_inactive 1  200 200 200 200 200 200
    GET    account_email_verification_sent 1  200 200 200 200 200 200
    GET    account_confirm_email 1  404 404 404 404 404 404
    POST   account_confirm_email 1  404 404 404 404 404 404
    GET    account_email  1  302 302 302 302 302 302
    POST   account_email  1  302 302 302 302 302 302
    GET    account_change_password 1  302 302 302 302 302 302
    POST   account_change_password 1  302 302 302 302 302 302
    GET    account_reset_password 1  200 200 200 200 200 200
    POST   account_reset_password 1  422 422 422 422 422 422
    GET    account_reset_password_done 1  200 200 200 200 200 200
    GET    account_reset_password_from_key 1  404 404 404 404 404 404
    POST   account_reset_password_from_key 1  404 404 404 404 404 404
    GET    api:me         1  401 403 403 403 403 401
"""
LINES = [line.split(maxsplit=3) for line in MATRIX.strip().splitlines()]
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND")
WRITES = ("INSERT", "UPDATE", "DELETE")
WHO = ("nobody", "watcher", "seat", "scorer", "other", "stopped")
ROLES = {"watcher": Role.VIEWER, "seat": Role.SEAT}
LINKS = {"watcher": "open_viewer", "seat": "open_table"}
OPENING = {"open_scorer", "open_table", "open_viewer"}  # a link makes the phone another's
ROUND = (33, 2, 0, 31, 46)
SHEET = "Ann;Ben\n0;9"
FORMS: dict[str, dict[str, Any]] = {
    "old_sheet": {
        "do": "make",
        "sheet": SHEET,
        "shape": "auto",
        "seen": sha256(f"auto\n{SHEET}".encode()).hexdigest(),
    },
    "check_round": {"record": "players: A, B\ndeal: 5\nengine: 12-12 A\n1. A 12-3"},
    "new": {"do": "start", "player": ["Ann", "Ben"]},
    "device": {"theme": "dark"},
    "write": {"do": "layer:0", "player": ["Ann", "Ben"], "engine": "6", "deal": "7", "set": "6"},
    "write_round": {"do": "layer:0"},
    "set_up": {"do": "start", "player": ["Ann", "Ben"]},
    "hands": {f"hand-{seat}": points for seat, points in enumerate(ROUND, 1) if points},
    "correct": {"value": "13"},
    "challenge": {"value": "12", "reason": "I saw it"},
    "rule_challenge": {"do": "keep", "reason": "Counted again"},
    "players": {"do": "add", "name": "Dan"},
    "player_edit": {"do": "leave"},
    "record": {"do": "attach", "record": "players: A, B\ndeal: 5\nengine: 12-12 A\n1. A 12-3 3-9"},
    "seat": {"seat": 2},
    "my_hand": {"round": 2, "hand-4": 31},
}
BODIES: dict[str, dict[str, Any]] = {
    "api:players": {"name": "Dan"},
    "api:player": {"retired": True},
    "api:adjustments": {"points": 20, "reason": "Late"},
    "api:challenges": {"round": 1, "seat": 4, "points": 12, "reason": "I saw it"},
    "api:ruling": {"ruling": "dismissed", "reason": "Counted again"},
    "api:hand": {"points": 31},
    "api:confirm": {"seat": 2},
    "api:games": {"players": ["Ann", "Ben"]},
    "api:record_check": {"record": "players: A, B\ndeal: 5\nengine: 12-12 A\n1. A 12-3 3-9\n2. B -"},
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


EVERY = dict(names(get_resolver().url_patterns))
AT_CLUBS = dict(names(get_resolver("games.web.club.urls").url_patterns))
AT_CLUBS |= {name: pattern for name, pattern in EVERY.items() if name.startswith("api:club")}
ADDRESSES = {
    name: pattern
    for name, pattern in EVERY.items()
    if name != "kit" and not name.startswith("admin:") and name not in AT_CLUBS
}


@pytest.fixture
def game() -> Game:
    """One round in, one change undone, one score disputed; a second person confirms, and seat 4 is taken."""
    game = start(second_person=True).sheet.game
    play(game, ROUND, ROUND)
    change_undo(game=game)
    challenge_add(game=game, number=1, seat=2, points=12, reason="I saw it", role=Role.VIEWER)
    game.refresh_from_db()
    return game


def secret(game: Game, role: Role) -> str:
    return AccessKey.objects.get(game=game, role=role, member=None, revoked_at=None).key


def phone_of(who: str, game: Game) -> Client:
    """A phone that has opened its link, and sends the link's key to the API."""
    if who == "nobody":
        return Client()
    role = ROLES.get(who, Role.SCORER)
    key = secret(start().sheet.game if who == "other" else game, role)
    phone = Client(headers={"Authorization": f"Bearer {key}"})
    phone.get(reverse(LINKS.get(who, "open_scorer"), args=[key]))
    if who == "seat":
        phone.post(reverse("seat", args=[game.slug]), {"seat": 4, "take": 1})
    elif who == "scorer" and role == Role.SCORER:
        seat_take(game=game, seat=4, device="another phone", take_over=True)
    if who == "stopped":
        AccessKey.objects.filter(key=key).update(revoked_at="2026-01-01T00:00Z")
        AccessKey.objects.create(game=game, role=role)
    return phone


def send(
    phone: Client, game: Game, method: str, name: str, number: str, more: dict[str, Any] | None = None
) -> Any:
    """Call an address as its page does; `more` fields stand above those of `FORMS`."""
    about = {
        "slug": game.slug,
        "number": number,
        "seat": 4,
        "token_id": 1,
        "key": "never-made",
        "preset": "wikihow",
        "uidb36": "1",
        "secret": secret(game, {"open_viewer": Role.VIEWER, "open_table": Role.SEAT}.get(name, Role.SCORER)),
    }
    parts = ADDRESSES[name].pattern.regex.groupindex
    url = reverse(name, kwargs={part: about[part] for part in parts})
    if name.startswith("api:"):
        return phone.generic(method, url, json.dumps(BODIES.get(name, {})), "application/json")
    if method != "POST":
        return phone.generic(method, url)
    game.refresh_from_db()
    form = FORMS.get(name, {}) | {"version": game.version} | (more or {})
    return phone.post(f"{url}?out=3&new=1", form)


def call(who: str, game: Game, method: str, name: str, number: str) -> Any:
    return send(phone_of(who, game), game, method, name, number)


def test_every_address_has_its_lines() -> None:
    assert {name for _method, name, *_ in LINES} == set(ADDRESSES)


def test_every_address_has_a_name() -> None:
    """One without would be in no test; what is left is the answer to whatever is no address of the API."""
    patterns = [one for one in get_resolver().url_patterns if str(one.pattern) != "admin/"]  # Django's own
    assert unnamed(patterns) == ["api/"]


def unnamed(patterns: Sequence[Any], before: str = "") -> list[str]:
    found = []
    for pattern in patterns:
        way = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            found += unnamed(pattern.url_patterns, way)
        elif not pattern.name:
            found.append(way)
    return found


# What changes nothing, neither in a game nor on a phone, needs no game and no phone of its own.
READS = [line for line in LINES if line[0] == "GET" and line[1] not in OPENING]


def test_each_reads_what_is_theirs(game: Game) -> None:
    found: dict[tuple[str, str], list[str]] = {(name, number): [] for _method, name, number, _ in READS}
    for who in WHO:
        phone = phone_of(who, game)
        entries = LogEntry.objects.count()
        for (name, number), codes in found.items():
            codes.append(str(send(phone, game, "GET", name, number).status_code))
        assert LogEntry.objects.count() == entries
    assert {line: " ".join(codes) for line, codes in found.items()} == {
        (name, number): answers for _method, name, number, answers in READS
    }


@pytest.mark.parametrize(
    ("method", "name", "number", "answers"), [line for line in LINES if line not in READS]
)
def test_each_gets_what_is_theirs(game: Game, method: str, name: str, number: str, answers: str) -> None:
    found = []
    for who in WHO:
        entries = LogEntry.objects.filter(game=game).count()
        code = call(who, game, method, name, number).status_code
        found.append(str(code))
        assert code < 400 or LogEntry.objects.filter(game=game).count() == entries
    assert " ".join(found) == answers


@pytest.mark.parametrize("who", WHO)
def test_a_head_is_answered_as_its_get(game: Game, who: str) -> None:
    reads = [(name, number) for _method, name, number, _ in READS]
    phone = phone_of(who, game)
    codes = {
        name: [send(phone, game, method, name, number).status_code for method in ("GET", "HEAD")]
        for name, number in reads
    }
    assert {name: both for name, both in codes.items() if len(set(both)) > 1} == {}


def test_no_other_method_is_answered(game: Game) -> None:
    phone = phone_of("scorer", game)
    answered: dict[tuple[str, str], int] = {}
    for name in ADDRESSES:
        others = set(METHODS) - {method for method, line, *_ in LINES if line == name}
        codes = {method: send(phone, game, method, name, "1").status_code for method in others}
        answered |= {(name, method): code for method, code in codes.items() if code != 405}
    assert answered == {}


@pytest.mark.parametrize("who", ["watcher", "seat", "scorer"])
def test_a_get_writes_nothing(game: Game, who: str) -> None:
    phone = phone_of(who, game)
    wrote: dict[str, list[str]] = {}
    for name in (name for method, name, *_ in LINES if method == "GET"):
        with CaptureQueriesContext(connection) as asked:
            for number in "0123":
                send(phone, game, "GET", name, number)
        if found := [query["sql"] for query in asked if query["sql"].startswith(WRITES)]:
            wrote[name] = found
    assert wrote == {}
