"""Who gets what at every address of the site: an address without a line here fails.

Each line is the answers to nobody, a watcher, a scorer, another game's scorer and a scorer whose link was
stopped. No GET writes anything.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from games.models import (
    AccessKey,
    Club,
    ClubEntry,
    ClubGame,
    ClubKey,
    ClubLink,
    ClubRole,
    Game,
    LogEntry,
    Member,
    Role,
    User,
)
from games.seasons import doubt_raise, game_add
from games.services import change_undo
from games.web.club.urls import later
from tests import club as at_club
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


ALL = {name: pattern for name, pattern in names(get_resolver().url_patterns) if name != "kit"}
AT_CLUBS = {name for name, _pattern in names(get_resolver("games.web.club.urls").url_patterns)}
AT_CLUBS |= {name for name in ALL if name.startswith("api:club")}
ADDRESSES = {name: pattern for name, pattern in ALL.items() if name not in AT_CLUBS}


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
        "secret": secret(game, Role.VIEWER if name == "open_viewer" else Role.SCORER),
    }
    url = reverse(name, kwargs={part: about[part] for part in ADDRESSES[name].pattern.converters})
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


# Clubs. Each line is the answers to nobody, a device that reads by a link, a member, a scorer, an organiser,
# an owner and another club's owner; «in» is the way to sign in.

CLUB_MATRIX = """
    GET    clubs             200 200 200 200 200 200 200
    GET    club_found        in  in  200 200 200 200 200
    POST   club_found        in  in  302 302 302 302 302
    GET    club_reader       302 302 302 302 302 302 302
    GET    club_join         in  in  302 302 302 302 200
    POST   club_join         in  in  302 302 302 302 302
    GET    club              404 200 200 200 200 200 404
    GET    members           404 in  200 200 200 200 404
    GET    members_add       404 in  403 403 200 200 404
    POST   members_add       404 in  403 403 302 302 404
    GET    member            404 in  403 403 200 200 404
    POST   member            404 in  403 403 302 302 404
    GET    member_merge      404 in  403 403 200 200 404
    POST   member_merge      404 in  403 403 302 302 404
    GET    club_leave        404 in  200 200 200 200 404
    POST   club_leave        404 in  302 302 302 422 404
    GET    club_links        404 in  403 403 200 200 404
    POST   club_link_replace 404 in  403 403 302 302 404
    GET    club_settings     404 in  403 403 403 200 404
    POST   club_settings     404 in  403 403 403 302 404
    GET    club_log          404 in  200 200 200 200 404
    GET    season            404 200 200 200 200 200 404
    GET    seasons           404 200 200 200 200 200 404
    POST   seasons           404 403 403 403 302 302 404
    GET    season_more       404 200 200 200 200 200 404
    POST   season_more       404 403 403 403 302 302 404
    GET    scheme            404 200 200 200 200 200 404
    GET    scheme_form       404 in  403 403 200 200 404
    POST   scheme_form       404 in  403 403 302 302 404
    GET    nights            404 200 200 200 200 200 404
    GET    night             404 200 200 200 200 200 404
    POST   night             404 403 403 403 302 302 404
    GET    night_game        404 in  403 200 200 200 404
    POST   night_game        404 in  403 302 302 302 404
    GET    night_known       404 in  403 200 200 200 404
    POST   night_known       404 in  403 422 422 422 404
    GET    night_board       404 in  302 302 302 302 404
    GET    club_game         404 in  403 403 200 200 404
    POST   club_game         404 in  403 403 302 302 404
    GET    doubt_new         404 in  403 403 200 200 404
    POST   doubt_new         404 in  403 403 302 302 404
    GET    doubt             404 200 200 200 200 200 404
    POST   doubt             404 403 403 403 302 302 404
"""
CLUB_LINES = [line.split(maxsplit=2) for line in CLUB_MATRIX.strip().splitlines()]
CLUB_WHO = ("nobody", "reader", "member", "scorer", "organiser", "owner", "other")
CLUB_FORMS: dict[str, dict[str, Any]] = {
    "club_found": {"name": "Friday Dominoes", "owner": "Ann"},
    "club_join": {"name": "Somebody new"},
    "members_add": {"names": "Dan"},
    "member": {"do": "change", "name": "Siobhan", "role": "scorer"},
    "member_merge": {"into": "6"},
    "club_link_replace": {"face": "reader"},
    "club_settings": {"name": "Friday Dominoes"},
    "seasons": {"name": "Autumn", "starts_on": "2026-09-03"},
    "season_more": {"name": "Spring", "starts_on": "2026-03-01"},
    "scheme_form": {
        "do": "save",
        "measure": "per_game",
        "by": "share",
        "absence": "blank",
        "late": "as_absent",
        "reason": "Fairer",
    },
    "night": {"do": "void", "reason": "The set was short"},
    "night_game": {"do": "start", "player": ["Ben", "Kwame"], "on": "2026-03-19"},
    "night_known": {"game": "unknown"},
    "club_game": {"do": "void", "reason": "Never finished"},
    "doubt_new": {"what": "game", "reason": "Who sat there?"},
    "doubt": {"do": "stands", "reason": "All saw it"},
}
CLUB_ADDRESSES = {
    name: pattern for name, pattern in ALL.items() if name in AT_CLUBS and pattern.callback is not later
}


@pytest.fixture
def club() -> Club:
    """Chitra owns it, Kwame organises, Margaret-Rose scores, Ben is a member; Siobhán is number 5."""
    club = at_club.found()
    for number, role in ((2, ClubRole.ORGANISER), (3, ClubRole.SCORER), (4, ClubRole.MEMBER)):
        user = User.objects.create(email=f"{role}@example.org")
        Member.objects.filter(club=club, number=number).update(role=role, user=user)
    spring = at_club.season(club)
    at_club.night(spring, 1, ["Chitra", "Ben"], [0, 20])
    abandoned = at_club.night(spring, 2, ["Chitra", "Ben"], [0, 20])
    doubt_raise(played=abandoned, other={"void": True}, reason="It was not finished")
    return club


def club_secret(club: Club, role: ClubLink) -> ClubKey:
    return ClubKey.objects.get(club=club, role=role, revoked_at=None)


def club_phone(who: str, club: Club) -> Client:
    phone = Client()
    if who == "reader":
        phone.get(reverse("club_reader", args=[club_secret(club, ClubLink.READER).key]))
    elif who == "other":
        phone.force_login(other_owner())
    elif who != "nobody":
        user = Member.objects.get(club=club, role=who, user__isnull=False).user
        assert user is not None
        phone.force_login(user)
    return phone


def other_owner() -> User:
    found = User.objects.filter(email="zoë@example.org").first()
    if found is None:
        at_club.found("Zoë")
        found = User.objects.get(email="zoë@example.org")
    return found


def club_send(phone: Client, club: Club, method: str, name: str) -> Any:
    club.refresh_from_db()
    where = str(CLUB_ADDRESSES[name].pattern)
    about = {
        "slug": club.slug,
        "number": 5 if "<int:number>" in where and ("members/" in where or "people/" in where) else 1,
        "day": at_club.FIRST_NIGHT.isoformat(),
        "game": ClubGame.objects.filter(night__season__club=club).order_by("pk")[0].game.slug,
        "secret": club_secret(club, ClubLink.READER if name == "club_reader" else ClubLink.INVITE).key,
    }
    path = reverse(name, kwargs={part: about[part] for part in CLUB_ADDRESSES[name].pattern.converters})
    if method != "POST":
        return phone.generic(method, f"{path}?into=6" if name == "member_merge" else path)
    seen = club_secret(club, ClubLink.READER).pk
    return phone.post(path, {"version": club.version, "link": seen} | CLUB_FORMS.get(name, {}))


def club_answer(phone: Client, club: Club, method: str, name: str) -> str:
    answer = club_send(phone, club, method, name)
    asks = answer.status_code == 302 and "?next=" in answer["Location"]
    return "in" if asks else str(answer.status_code)


def test_every_club_address_has_its_lines() -> None:
    assert {name for _method, name, _answers in CLUB_LINES} == set(CLUB_ADDRESSES)


@pytest.mark.parametrize(("method", "name", "answers"), CLUB_LINES)
def test_each_gets_what_is_theirs_in_a_club(club: Club, method: str, name: str, answers: str) -> None:
    found = []
    for who in CLUB_WHO:
        phone = club_phone(who, club)
        entries = ClubEntry.objects.filter(club=club).count()
        point = transaction.savepoint()
        found.append(club_answer(phone, club, method, name))
        if found[-1] in {"in", "403", "404", "422"}:
            assert ClubEntry.objects.filter(club=club).count() == entries
        transaction.savepoint_rollback(point)
    assert found == answers.split()


@pytest.mark.parametrize("name", CLUB_ADDRESSES)
def test_no_other_method_is_answered_at_a_club(club: Club, name: str) -> None:
    others = set(METHODS) - {method for method, line, _answers in CLUB_LINES if line == name}

    phone = club_phone("owner", club)
    assert {club_send(phone, club, method, name).status_code for method in others} == {405}


@pytest.mark.parametrize("name", [name for method, name, _answers in CLUB_LINES if method == "GET"])
def test_a_get_writes_nothing_at_a_club(club: Club, name: str) -> None:
    phones = [club_phone(who, club) for who in CLUB_WHO]
    with CaptureQueriesContext(connection) as asked:
        for phone in phones:
            club_send(phone, club, "GET", name)
    assert [query["sql"] for query in asked if query["sql"].startswith(WRITES)] == []


@pytest.mark.parametrize(("method", "name", "answers"), CLUB_LINES)
def test_a_public_club_is_read_by_anybody_and_no_more(
    club: Club, method: str, name: str, answers: str
) -> None:
    """As by a reader's link; who is signed in gets 403 where a reader could sign in."""
    Club.objects.filter(pk=club.pk).update(public=True)
    if "slug" not in CLUB_ADDRESSES[name].pattern.converters:
        return
    by_link = answers.split()[1]
    expected = {"nobody": by_link, "other": "403" if by_link == "in" else by_link}

    assert {who: club_answer(club_phone(who, club), club, method, name) for who in expected} == expected


# Games that are played at a club: without the game's own link, its people get what a link would give them.

AS = {
    "nobody": "nobody",
    "reader": "watcher",
    "member": "watcher",
    "scorer": "scorer",
    "organiser": "scorer",
    "owner": "scorer",
    "other": "nobody",
}
AT_GAMES = [line for line in LINES if "slug" in ADDRESSES[line[1]].pattern.converters and ":" not in line[1]]


@pytest.mark.parametrize(("method", "name", "number", "answers"), AT_GAMES)
def test_a_club_opens_its_games(
    game: Game, club: Club, method: str, name: str, number: str, answers: str
) -> None:
    seats: dict[int, int | None] = {1: 1, 2: 4}
    game_add(season=club.seasons.get(), on=at_club.FIRST_NIGHT, game=game, seats=seats)
    found = []
    for who in CLUB_WHO:
        phone, point = club_phone(who, club), transaction.savepoint()
        found.append(str(send(phone, game, method, name, number).status_code))
        transaction.savepoint_rollback(point)
    assert found == [answers.split()[WHO.index(AS[who])] for who in CLUB_WHO]
