"""A user's token in `Authorization: Bearer TOKEN`: it opens the games in the account, as claimed."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from games import accounts
from games.models import AccessKey, ApiToken, Claim, Game, Role, User
from games.services import link_replace
from tests.api.caller import TRIO, Caller, round_of, scorer

pytestmark = pytest.mark.django_db


@pytest.fixture
def ruth() -> User:
    return User.objects.create_user("ruth@example.org", "trains and tiles")


def claimed(user: User, game: Game, role: Role = Role.SCORER) -> None:
    accounts.games_claim(user=user, key_ids=[AccessKey.objects.get(game=game, role=role).pk])


def token_of(user: User) -> str:
    token = accounts.token_make(user=user, name="Our web page")
    assert token
    return token


def program(user: User, game: Game) -> Caller:
    return Caller(game, token_of(user))


def test_a_token_reads_and_writes_what_was_claimed_for_scoring(ruth: User) -> None:
    ann = scorer()
    claimed(ruth, ann.game)
    program_ = program(ruth, ann.game)

    assert program_("GET").status_code == 200
    assert program_("GET").json() == ann("GET").json()
    assert program_("GET", If_None_Match='"1"').status_code == 304
    assert program_("GET", "log/").status_code == 200
    assert program_.put(1, (0, 5, 7)).status_code == 201
    assert program_("POST", "finish/").status_code == 200


def test_a_token_only_reads_what_was_claimed_for_watching(ruth: User) -> None:
    ann = scorer()
    claimed(ruth, ann.game, Role.VIEWER)
    program_ = program(ruth, ann.game)

    assert program_("GET").status_code == 200
    assert program_.put(1, (0, 5, 7)).status_code == 403


def test_a_game_that_was_not_claimed_looks_as_if_it_were_not_there(ruth: User) -> None:
    ann, other = scorer(), scorer()
    claimed(ruth, ann.game)
    program_ = program(ruth, other.game)

    for method, path in (("GET", ""), ("GET", "log/"), ("PUT", "rounds/1/"), ("POST", "finish/")):
        there = program_(method, path)
        nowhere = Client().generic(
            method, f"/api/games/nowhere/{path}", headers={"Authorization": f"Bearer {program_.key}"}
        )
        assert (there.status_code, nowhere.status_code) == (404, 404)
        assert there.json() == nowhere.json()


def test_a_stopped_link_closes_the_game_to_the_token(ruth: User) -> None:
    ann = scorer()
    claimed(ruth, ann.game)
    program_ = program(ruth, ann.game)
    link_replace(game=ann.game, role=Role.SCORER)

    assert program_("GET").status_code == 404
    assert program_.put(1, (0, 5, 7)).status_code == 404


def test_a_revoked_token_is_dead_at_once(ruth: User) -> None:
    ann = scorer()
    claimed(ruth, ann.game)
    program_ = program(ruth, ann.game)
    accounts.token_revoke(user=ruth, token_id=ApiToken.objects.get().pk)

    assert program_("GET").status_code == 401
    assert program_.put(1, (0, 5, 7)).status_code == 401


def test_a_closed_account_s_token_opens_nothing(ruth: User) -> None:
    ann = scorer()
    claimed(ruth, ann.game)
    program_ = program(ruth, ann.game)
    User.objects.update(is_active=False)

    assert program_("GET").status_code == 401


@pytest.mark.usefixtures("one_minute")
def test_an_unknown_token_counts_as_a_wrong_key(settings: Settings, ruth: User) -> None:
    settings.WRONG_KEYS_PER_MINUTE = 3
    ann = scorer()
    claimed(ruth, ann.game)
    good, wrong = program(ruth, ann.game), Caller(ann.game, "sk_" + "x" * 43)

    assert [wrong("GET").status_code for _time in range(5)] == [401, 401, 401, 429, 429]
    assert good("GET").status_code == 200  # a good one is never put off


def test_the_day_of_the_last_use_is_noted_once(ruth: User) -> None:
    ann = scorer()
    claimed(ruth, ann.game)
    program_ = program(ruth, ann.game)
    assert ApiToken.objects.get().used_on is None

    program_("GET")
    assert ApiToken.objects.get().used_on == timezone.localdate()


def test_a_game_begun_with_a_token_is_in_its_account(ruth: User) -> None:
    token = token_of(ruth)
    authorized = {"Authorization": f"Bearer {token}"}
    answer = Client().post("/api/games/", {"players": TRIO}, "application/json", headers=authorized)

    assert answer.status_code == 201
    assert Claim.objects.get().user == ruth
    assert Caller(Game.objects.get(), token)("GET").status_code == 200


def test_the_log_names_whose_token_it_was(ruth: User) -> None:
    accounts.name_change(user=ruth, name="Ruth")
    ann = scorer()
    claimed(ruth, ann.game)
    program_ = program(ruth, ann.game)
    calls: list[tuple[str, str, object]] = [
        ("PUT", "rounds/1/", round_of((0, 5, 7))),
        ("DELETE", "rounds/1/", b""),
        ("POST", "players/", {"name": "Dan"}),
        ("PATCH", "players/2/", {"retired": True}),
        ("POST", "players/1/adjustments/", {"points": 20, "reason": "Late"}),
        ("POST", "finish/", b""),
    ]
    for method, path, body in calls:
        assert program_(method, path, body).status_code < 300
    assert ann("DELETE", "players/1/adjustments/6/").status_code == 200

    assert list(ann.game.log.values_list("who", flat=True)) == ["", *["Ruth"] * 6, ""]


def test_idempotency_keys_of_a_token_and_of_a_link_are_apart(ruth: User) -> None:
    ann = scorer()
    claimed(ruth, ann.game)
    program_ = program(ruth, ann.game)
    key = "k" * 22

    assert ann.put(1, (0, 5, 7), Idempotency_Key=key).status_code == 201
    again = program_.put(1, (0, 5, 8), Idempotency_Key=key)
    assert again.status_code == 200  # a correction, not «another body»
    assert program_.put(1, (0, 5, 8), Idempotency_Key=key).json() == again.json()


def test_a_token_tells_what_it_opens(ruth: User) -> None:
    accounts.name_change(user=ruth, name="Ruth")
    ann, ben, _other = scorer(), scorer(), scorer()
    claimed(ruth, ann.game)
    claimed(ruth, ben.game, Role.VIEWER)
    answer = Client().get("/api/me/", headers={"Authorization": f"Bearer {token_of(ruth)}"}).json()

    assert answer["name"] == "Ruth"
    assert sorted(answer["games"], key=lambda game: str(game["role"])) == [
        {"id": one.game.slug, "url": f"http://testserver/api/games/{one.game.slug}/", "role": role}
        for one, role in ((ann, "scorer"), (ben, "viewer"))
    ]


def test_a_game_s_key_has_no_account() -> None:
    refused = Client().get("/api/me/", headers={"Authorization": f"Bearer {scorer().key}"})

    assert refused.status_code == 403
    assert refused.json()["message"] == "A game’s key has no account. A user’s token is needed."
    assert Client().get("/api/me/").status_code == 401


def test_a_session_opens_nothing_in_the_api(ruth: User) -> None:
    ann = scorer()
    claimed(ruth, ann.game)
    client = Client()
    client.force_login(ruth)

    assert client.get(f"/api/games/{ann.game.slug}/").status_code == 401
