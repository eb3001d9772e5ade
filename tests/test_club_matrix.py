"""Who gets what at every address of a club, as in test_permission_matrix.py: one without a line here fails.

Each line is the answers to nobody, a device that reads by a link, a member, a scorer, an organiser, an owner
and another club's owner; «in» is the way to sign in. No GET writes anything. The API is called with the
token of each, with the reader's key, or with nothing.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.timezone import localdate
from pytest_django import Settings

from games.clubs import member_change
from games.models import (
    AccessKey,
    ApiToken,
    Club,
    ClubEntry,
    ClubGame,
    ClubKey,
    ClubLink,
    ClubRole,
    Game,
    Member,
    Role,
    User,
)
from games.permissions import TOKEN_PREFIX, digest_of
from games.seasons import doubt_raise, game_add
from tests import club as at_club
from tests import test_permission_matrix as at_table
from tests.cast import start
from tests.test_permission_matrix import AT_CLUBS, METHODS, WRITES, game

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

__all__ = ["game"]

MATRIX = """
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
    GET    members_bring     404 in  403 403 200 200 404
    POST   members_bring     404 in  403 403 200 200 404
    GET    season_bring      404 in  403 403 200 200 404
    POST   season_bring      404 in  403 403 200 200 404
    GET    club_take         404 200 200 200 200 200 404
    GET    club_file         404 in  200 200 200 200 404
    GET    season_take       404 200 200 200 200 200 404
    GET    season_file       404 200 200 200 200 200 404
    GET    doubt_new         404 in  403 403 200 200 404
    POST   doubt_new         404 in  403 403 302 302 404
    GET    person            404 404 200 200 200 200 404
    GET    against           404 404 200 200 200 200 404
    GET    club_records      404 200 200 200 200 200 404
    GET    doubt             404 200 200 200 200 200 404
    POST   doubt             404 403 403 403 302 302 404
    GET    api:clubs         401 200 200 200 200 200 200
    POST   api:clubs         401 403 201 201 201 201 201
    POST   api:club_join     401 403 200 200 200 200 200
    GET    api:club          401 200 200 200 200 200 404
    PATCH  api:club          401 403 403 403 403 200 404
    GET    api:club_links    401 403 403 403 200 200 404
    POST   api:club_link     401 403 403 403 200 200 404
    POST   api:club_leave    401 403 200 200 200 400 404
    GET    api:club_members  401 403 200 200 200 200 404
    POST   api:club_members  401 403 403 403 201 201 404
    GET    api:club_member   401 403 200 200 200 200 404
    PATCH  api:club_member   401 403 403 403 200 200 404
    DELETE api:club_member_account 401 403 403 403 200 200 404
    POST   api:club_member_merge   401 403 403 403 200 200 404
    GET    api:club_figures  401 404 200 200 200 200 404
    GET    api:club_against  401 404 200 200 200 200 404
    GET    api:club_records  401 200 200 200 200 200 404
    GET    api:club_log      401 403 200 200 200 200 404
    GET    api:club_seasons  401 200 200 200 200 200 404
    POST   api:club_seasons  401 403 403 403 201 201 404
    GET    api:club_season   401 200 200 200 200 200 404
    PATCH  api:club_season   401 403 403 403 200 200 404
    GET    api:club_scheme   401 200 200 200 200 200 404
    PATCH  api:club_scheme   401 403 403 403 200 200 404
    POST   api:club_scheme_preview 401 403 403 403 200 200 404
    GET    api:club_standings 401 200 200 200 200 200 404
    GET    api:club_nights   401 200 200 200 200 200 404
    GET    api:club_night    401 200 200 200 200 200 404
    PATCH  api:club_night    401 403 403 403 200 200 404
    GET    api:club_games    401 200 200 200 200 200 404
    POST   api:club_games    401 403 403 201 201 201 404
    POST   api:club_game_start 401 403 403 201 201 201 404
    GET    api:club_game     401 200 200 200 200 200 404
    PATCH  api:club_game     401 403 403 403 200 200 404
    DELETE api:club_game     401 403 403 403 200 200 404
    GET    api:club_doubts   401 200 200 200 200 200 404
    POST   api:club_doubts   401 403 403 403 201 201 404
    GET    api:club_doubt    401 200 200 200 200 200 404
    POST   api:club_doubt_decide   401 403 403 403 200 200 404
    POST   api:club_doubt_reopen   401 403 403 403 400 400 404
"""
LINES = [line.split(maxsplit=2) for line in MATRIX.strip().splitlines()]
WHO = ("nobody", "reader", "member", "scorer", "organiser", "owner", "other")
FORMS: dict[str, dict[str, Any]] = {
    "club_found": {"name": "Friday Dominoes", "owner": "Ann"},
    "club_join": {"name": "Somebody new"},
    "members_add": {"names": "Dan"},
    "members_bring": {"text": "Dan"},
    "season_bring": {"text": "Night;Name;Points\n2026-03-26;Ben;3\n2026-03-26;Dan;4", "season": "1"},
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
BODIES: dict[tuple[str, str], dict[str, Any]] = {
    ("POST", "api:clubs"): {"name": "Friday Dominoes", "owner": "Ann"},
    ("POST", "api:club_join"): {"name": "Somebody new"},
    ("PATCH", "api:club"): {"name": "Friday Dominoes"},
    ("POST", "api:club_members"): {"names": ["Dan"]},
    ("PATCH", "api:club_member"): {"role": "scorer"},
    ("POST", "api:club_member_merge"): {"into": 6},
    ("POST", "api:club_seasons"): {"name": "Autumn", "starts_on": "2026-09-03"},
    ("PATCH", "api:club_season"): {"ends_on": "2026-06-30"},
    ("PATCH", "api:club_scheme"): {"scheme": {"best": 7}, "reason": "Fairer"},
    ("POST", "api:club_scheme_preview"): {"scheme": {"best": 7}},
    ("PATCH", "api:club_night"): {"void": True, "reason": "The set was short"},
    ("POST", "api:club_games"): {"season": 1, "on": "2026-03-19"},
    ("POST", "api:club_game_start"): {"season": 1, "on": "2026-03-19", "players": ["Ben", "Kwame"]},
    ("PATCH", "api:club_game"): {"void": True, "reason": "Never finished"},
    ("POST", "api:club_doubts"): {"reason": "Who sat there?"},
    ("POST", "api:club_doubt_decide"): {"stands": True, "reason": "All saw it"},
    ("POST", "api:club_doubt_reopen"): {"reason": "They did not"},  # it is open: nothing to appeal against
}
ADDRESSES = AT_CLUBS


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


def secret(club: Club, role: ClubLink) -> ClubKey:
    return ClubKey.objects.get(club=club, role=role, revoked_at=None)


def phone_of(who: str, club: Club) -> Client:
    """A phone that is signed in or reads by the link, and sends what goes with that to the API."""
    phone = Client()
    if who == "reader":
        phone.defaults["HTTP_AUTHORIZATION"] = f"Bearer {secret(club, ClubLink.READER).key}"
        phone.get(reverse("club_reader", args=[secret(club, ClubLink.READER).key]))
    elif who == "other":
        sign_in(phone, other_owner())
    elif who != "nobody":
        user = Member.objects.get(club=club, role=who, user__isnull=False).user
        assert user is not None
        sign_in(phone, user)
    return phone


def sign_in(phone: Client, user: User) -> None:
    token = f"{TOKEN_PREFIX}{user.pk:040}"
    ApiToken.objects.get_or_create(user=user, digest=digest_of(token), name="A program", used_on=localdate())
    phone.defaults["HTTP_AUTHORIZATION"] = f"Bearer {token}"
    phone.force_login(user)


def other_owner() -> User:
    found = User.objects.filter(email="zoë@example.org").first()
    if found is None:
        at_club.found("Zoë")
        found = User.objects.get(email="zoë@example.org")
    return found


def send(phone: Client, club: Club, method: str, name: str) -> Any:
    club.refresh_from_db()
    where = str(ADDRESSES[name].pattern)
    about = {
        "what": "members" if name == "club_file" else "results",
        "ending": "csv",
        "slug": club.slug,
        "number": 5 if "<int:number>" in where and ("members/" in where or "people/" in where) else 1,
        "day": at_club.FIRST_NIGHT.isoformat(),
        "game": ClubGame.objects.filter(night__season__club=club).order_by("pk")[0].game.slug,
        "secret": secret(club, ClubLink.READER if name == "club_reader" else ClubLink.INVITE).key,
        "role": ClubLink.READER.value,
        "other": 1,
    }
    path = reverse(name, kwargs={part: about[part] for part in ADDRESSES[name].pattern.converters})
    if name.startswith("api:"):
        return phone.generic(method, path, json.dumps(body_of(club, method, name)), "application/json")
    if method != "POST":
        return phone.generic(method, f"{path}?into=6" if name == "member_merge" else path)
    seen = secret(club, ClubLink.READER).pk
    return phone.post(path, {"version": club.version, "link": seen} | FORMS.get(name, {}))


def body_of(club: Club, method: str, name: str) -> dict[str, Any]:
    body = dict(BODIES.get((method, name), {}))
    if method != "POST":
        return body
    if name == "api:club_join":
        body["key"] = secret(club, ClubLink.INVITE).key
    elif name == "api:club_games":
        started = start(["Ben", "Kwame"])
        body |= {"game": started.sheet.game.slug, "key": started.scorer_key}
    elif name == "api:club_doubts":
        body["game"] = ClubGame.objects.filter(night__season__club=club).order_by("pk")[0].game.slug
    return body


def answer_to(phone: Client, club: Club, method: str, name: str) -> str:
    answer = send(phone, club, method, name)
    asks = answer.status_code == 302 and "?next=" in answer["Location"]
    return "in" if asks else str(answer.status_code)


def test_every_address_has_its_lines() -> None:
    assert {name for _method, name, _answers in LINES} == set(ADDRESSES)


def test_each_gets_what_is_theirs(club: Club) -> None:
    """Whoever is turned away has changed nothing; each answer is to the club as it was before."""
    wrong: dict[tuple[str, str], list[str]] = {}
    programs = {who: phone_of(who, club) for who in WHO}  # they remember nothing
    for method, name, answers in LINES:
        found = []
        for who in WHO:
            phone = programs[who] if name.startswith("api:") else phone_of(who, club)
            point = transaction.savepoint()
            entries = ClubEntry.objects.filter(club=club).count()
            found.append(answer_to(phone, club, method, name))
            if found[-1] in {"in", "400", "401", "403", "404", "422"}:
                assert ClubEntry.objects.filter(club=club).count() == entries, (method, name, who)
            transaction.savepoint_rollback(point)
        if found != answers.split():
            wrong[method, name] = found
    assert wrong == {}


def test_a_program_s_head_is_answered_as_its_get(club: Club) -> None:
    wrong: dict[tuple[str, str], list[str]] = {}
    for who in WHO:
        phone = phone_of(who, club)
        for method, name, answers in LINES:
            if method == "GET" and name.startswith("api:"):
                found = answer_to(phone, club, "HEAD", name)
                if found != answers.split()[WHO.index(who)]:
                    wrong[who, name] = [found, answers]
    assert wrong == {}


def test_no_other_method_is_answered(club: Club) -> None:
    phone = phone_of("owner", club)
    answered: dict[tuple[str, str], int] = {}
    for name in ADDRESSES:
        others = set(METHODS) - {method for method, line, _answers in LINES if line == name}
        codes = {method: send(phone, club, method, name).status_code for method in others}
        answered |= {(name, method): code for method, code in codes.items() if code != 405}
    assert answered == {}


def test_a_get_writes_nothing(club: Club) -> None:
    wrote: dict[tuple[str, str], list[str]] = {}
    for who in WHO:
        phone = phone_of(who, club)
        for name in [name for method, name, _answers in LINES if method == "GET"]:
            with CaptureQueriesContext(connection) as asked:
                send(phone, club, "GET", name)
            if found := [query["sql"] for query in asked if query["sql"].startswith(WRITES)]:
                wrote[who, name] = found
    assert wrote == {}


def test_a_public_club_is_read_by_anybody_and_no_more(club: Club) -> None:
    """As by a reader's link; who is signed in gets 403 where a reader could sign in."""
    Club.objects.filter(pk=club.pk).update(public=True)
    wrong: dict[tuple[str, str], dict[str, str]] = {}
    for method, name, answers in LINES:
        if "slug" not in ADDRESSES[name].pattern.converters:
            continue
        by_link = answers.split()[1]
        nobody = "401" if name.startswith("api:") and by_link == "403" else by_link
        expected = {"nobody": nobody, "other": "403" if by_link == "in" else by_link}
        found = {who: answer_to(phone_of(who, club), club, method, name) for who in expected}
        if found != expected:
            wrong[method, name] = found
    assert wrong == {}


def test_who_left_and_a_stopped_link_are_strangers(club: Club, settings: Settings) -> None:
    settings.WRONG_KEYS_PER_MINUTE = 1_000
    gone, reading = phone_of("member", club), phone_of("reader", club)
    Member.objects.filter(club=club, role=ClubRole.MEMBER).update(left_on=at_club.FIRST_NIGHT)
    ClubKey.objects.filter(club=club).update(revoked_at="2026-01-01T00:00Z")
    ClubKey.objects.create(club=club, role=ClubLink.READER)
    ClubKey.objects.create(club=club, role=ClubLink.INVITE)
    strange = [line for line in LINES if line[2].endswith("404")]
    calls = [line for line in strange if line[1].startswith("api:")]
    pages = [line for line in strange if line not in calls]

    for phone in (gone, reading):
        assert {answer_to(phone, club, method, name) for method, name, _answers in pages} == {"404"}
    for phone, code in ((gone, "404"), (reading, "401")):
        assert {answer_to(phone, club, method, name) for method, name, _answers in calls} == {code}


# Games that are played at a club: without the game's own link, its people get what a link would give them.
AS = {"nobody": "nobody", "reader": "watcher", "member": "watcher", "scorer": "scorer", "other": "nobody"}
OTHERWISE = {"api:hand", "api:challenges"}  # there a phone has the seat, or the score is doubted before
AT_GAMES = [
    line
    for line in at_table.LINES
    if "slug" in at_table.ADDRESSES[line[1]].pattern.converters and line[1] not in OTHERWISE
]


def test_a_club_opens_its_games(game: Game, club: Club) -> None:
    seats: dict[int, int | None] = {1: 1, 2: 4}
    game_add(season=club.seasons.get(), on=at_club.FIRST_NIGHT, game=game, seats=seats)
    wrong: dict[tuple[str, str], list[str]] = {}
    programs = {who: phone_of(who, club) for who in AS}
    for method, name, number, answers in AT_GAMES:
        found = []
        for who in AS:
            phone = programs[who] if name.startswith("api:") else phone_of(who, club)
            point = transaction.savepoint()
            found.append(str(at_table.send(phone, game, method, name, number).status_code))
            transaction.savepoint_rollback(point)
        expected = [answers.split()[at_table.WHO.index(as_)] for as_ in AS.values()]
        if name.startswith("api:"):
            expected[-1] = "404"  # whose token is good, and opens other games
        if found != expected:
            wrong[method, name] = found
    assert wrong == {}

    for who in ("organiser", "owner"):
        assert at_table.send(phone_of(who, club), game, "GET", "players", "1").status_code == 200


def test_what_came_by_the_club_ends_with_it(game: Game, club: Club, settings: Settings) -> None:
    """A phone with a member's own key is a scorer's, signed in or not; then one whose link was stopped."""
    settings.WRONG_KEYS_PER_MINUTE = 1_000
    game_add(season=club.seasons.get(), on=at_club.FIRST_NIGHT, game=game, seats={1: 1, 2: 4})
    phone = phone_of("scorer", club)
    phone.get(reverse("open_scorer", args=[at_table.secret(game, Role.SCORER)]))
    by_token = phone.defaults["HTTP_AUTHORIZATION"]
    by_key = f"Bearer {AccessKey.objects.get(game=game, member__number=3).key}"
    session = phone.cookies["sessionid"]

    def answers(signed_in: bool) -> dict[tuple[str, str, str], str]:
        """By its token or its session, or by the key alone."""
        phone.defaults["HTTP_AUTHORIZATION"] = by_token if signed_in else by_key
        phone.cookies["sessionid"] = session if signed_in else ""
        found = {}
        for method, name, number, _answers in AT_GAMES:
            point = transaction.savepoint()
            code = at_table.send(phone, game, method, name, number).status_code
            found[method, name, number] = str(code)
            transaction.savepoint_rollback(point)
        return found

    def column(who: str) -> dict[tuple[str, str, str], str]:
        at = at_table.WHO.index(who)
        return {(method, name, number): all_.split()[at] for method, name, number, all_ in AT_GAMES}

    assert answers(True) == answers(False) == column("scorer")
    member_change(club=club, number=3, left_on=localdate())
    stopped = column("stopped")
    assert answers(False) == stopped
    strange = {line: "404" if line[1].startswith("api:") else code for line, code in stopped.items()}
    assert answers(True) == strange  # whose token is good, and opens other games
