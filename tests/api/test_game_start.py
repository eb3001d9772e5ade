"""POST /api/games/"""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from games.models import Game

pytestmark = pytest.mark.django_db

PLAYERS = ["Ann", "Ben", "Cho"]


def post(body: Any, client: Client | None = None, **headers: str) -> Any:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return (client or Client()).post("/api/games/", body, "application/json", headers=named)


def fields(response: Any) -> dict[str, str]:
    return {problem.get("field", ""): problem["code"] for problem in response.json()["problems"]}


def test_names_alone_start_a_game_of_the_default_card() -> None:
    response = post({"players": PLAYERS})

    game = response.json()
    assert response.status_code == 201
    assert response["Location"] == game["url"] == f"http://testserver/api/games/{game['id']}/"
    assert response["ETag"] == '"1"'
    assert [player["name"] for player in game["players"]] == PLAYERS
    assert (game["preset"], game["rules"]["max_pip"], game["next_engine"]) == ("thoughtco", 12, 12)
    assert game["engines"] == list(range(12, -1, -1))


def test_the_scorer_key_of_the_answer_opens_the_game_and_is_shown_nowhere_else() -> None:
    game = post({"players": PLAYERS}).json()

    response = Client().get(game["url"], headers={"Authorization": f"Bearer {game['scorer_key']}"})

    assert response.status_code == 200
    assert "scorer_key" not in response.json()
    assert len(game["scorer_key"]) >= 22  # 128 bits


def test_every_field_of_the_contract_is_taken() -> None:
    body = {
        "players": PLAYERS,
        "preset": "gamerules",
        "max_pip": 9,
        "first_engine": 7,
        "rounds": 5,
        "rules": {"double_blank": 25, "deal": 9, "tiebreaks": [], "doubles_per_turn": 1, "out_bonus": 10},
    }

    game = post(body).json()

    assert game["preset"] == "gamerules"
    assert game["engines"] == [7, 6, 5, 4, 3]
    rules = game["rules"]
    assert (rules["max_pip"], rules["double_blank"], rules["deal"]) == (9, 25, 9)
    assert (rules["tiebreaks"], rules["doubles_per_turn"], rules["out_bonus"]) == ([], 1, 10)


def test_the_set_may_stand_in_the_rules_but_not_in_both_places() -> None:
    assert post({"players": PLAYERS, "rules": {"max_pip": 15}}).json()["rules"]["max_pip"] == 15

    response = post({"players": PLAYERS, "max_pip": 15, "rules": {"max_pip": 15}})

    assert response.status_code == 400
    assert fields(response) == {"rules.max_pip": "invalid"}


def test_a_deal_the_card_has_no_row_for_is_unknown() -> None:
    assert post({"players": PLAYERS}).json()["rules"]["deal"] is None
    assert post({"players": [*PLAYERS, "Dee"]}).json()["rules"]["deal"] == 15


def test_everything_that_is_wrong_is_said_at_once() -> None:
    body = {
        "players": ["Ann", "ann", " ", "D" * 200],
        "max_pip": 12,
        "first_engine": 13,
        "rules": {"double_blank": 7, "blocked_cap": 1, "house": True, "preset": "wikihow"},
        "colour": "red",
    }

    response = post(body)

    problems = response.json()["problems"]
    assert response.status_code == 400
    assert response.json()["code"] == "invalid"
    assert {problem["field"]: problem["code"] for problem in problems if problem["field"] != "players"} == {
        "colour": "unknown_field",
        "rules.preset": "unknown_field",
        "rules.double_blank": "invalid",
        "rules.blocked_cap": "invalid",
        "rules.house": "unknown_field",
    }
    assert [(problem["seat"], problem["code"]) for problem in problems if problem["field"] == "players"] == [
        (2, "name_twice"),
        (3, "name_blank"),
        (4, "name_long"),
    ]


def test_the_rest_of_the_card_is_judged_though_its_set_or_preset_is_wrong() -> None:
    response = post({"players": PLAYERS, "max_pip": "x", "preset": "poker", "rules": {"house": 1}})

    assert fields(response) == {"max_pip": "invalid", "preset": "invalid", "rules.house": "unknown_field"}


def test_names_are_tidied_as_on_the_page() -> None:
    response = post({"players": [" Ann\u200e ", "Jose\u0301"]})

    assert [player["name"] for player in response.json()["players"]] == ["Ann", "José"]


def test_a_name_with_a_sign_that_nobody_sees_is_refused() -> None:
    response = post({"players": ["Ann", "Ben\u202e"]})

    assert [problem["code"] for problem in response.json()["problems"]] == ["name_unseen"]


@pytest.mark.parametrize(
    ("body", "field", "code"),
    [
        ({}, "players", "required"),
        ({"players": None}, "players", "null"),
        ({"players": "Ann, Ben"}, "players", "invalid"),
        ({"players": ["Ann", 7]}, "players[1]", "invalid"),
        ({"players": ["Ann", "B\x00n"]}, "players[1]", "invalid"),
        ({"players": ["Ann"]}, "players", "players_number"),
        ({"players": [f"P{seat}" for seat in range(15)]}, "players", "players_number"),
        ({"players": [str(seat) for seat in range(2000)]}, "players", "invalid"),
        ({"players": PLAYERS, "preset": "poker"}, "preset", "invalid"),
        ({"players": PLAYERS, "preset": ["thoughtco"]}, "preset", "invalid"),
        ({"players": PLAYERS, "max_pip": 13}, "max_pip", "invalid"),
        ({"players": PLAYERS, "max_pip": "12"}, "max_pip", "invalid"),
        ({"players": PLAYERS, "max_pip": 12.0}, "max_pip", "invalid"),
        ({"players": PLAYERS, "first_engine": True}, "first_engine", "invalid"),
        ({"players": PLAYERS, "first_engine": 13}, "first_engine", "first_engine"),
        ({"players": PLAYERS, "first_engine": -1}, "first_engine", "first_engine"),
        ({"players": PLAYERS, "rounds": 0}, "rounds", "rounds_number"),
        ({"players": PLAYERS, "rounds": 10**30}, "rounds", "rounds_number"),
        ({"players": PLAYERS, "rules": []}, "rules", "invalid"),
        ({"players": PLAYERS, "rules": None}, "rules", "invalid"),
        ({"players": PLAYERS, "rules": {"tiebreaks": "zero_rounds"}}, "rules.tiebreaks", "invalid"),
        ({"players": PLAYERS, "rules": {"double_blank": [50]}}, "rules.double_blank", "invalid"),
        ({"players": PLAYERS, "rules": {"double_blank": False}}, "rules.double_blank", "invalid"),
        ({"players": PLAYERS, "rules": {"deal": 191}}, "rules.deal", "invalid"),
        ({"players": PLAYERS, "rules": {"deal": 60}}, "deal", "deal_large"),
        ({"players": PLAYERS, "name": 7}, "name", "invalid"),
        ({"players": PLAYERS, "name": "n" * 81}, "name", "invalid"),
        ({"players": PLAYERS, "played_on": "yesterday"}, "played_on", "invalid"),
        ({"players": PLAYERS, "played_on": 20260101}, "played_on", "invalid"),
    ],
)
def test_a_wrong_field_is_named(body: object, field: str, code: str) -> None:
    response = post(body)

    assert response.status_code == 400
    assert fields(response) == {field: code}
    assert response.json()["message"]
    assert not Game.objects.exists()


def test_what_was_given_is_quoted() -> None:
    response = post({"players": PLAYERS, "rules": {"double_blank": 30}})

    assert response.json()["message"] == "rules.double_blank: one of 0, 25, 50 is needed, not 30."


def test_spaces_around_a_name_are_taken_off() -> None:
    game = post({"players": ["  Ann ", "José  María"]}).json()

    assert [player["name"] for player in game["players"]] == ["Ann", "José María"]


def test_other_methods_are_refused() -> None:
    for method in ("put", "patch", "delete", "options"):
        response = getattr(Client(), method)("/api/games/")

        assert response.status_code == 405
        assert response["Allow"] == "GET, HEAD, POST"
        assert response.json()["code"] == "unsupported"


@pytest.mark.usefixtures("one_minute")
def test_an_address_starts_so_many_games_a_minute_and_failures_do_not_count(settings: Any) -> None:
    settings.GAMES_PER_MINUTE = 2
    client = Client(REMOTE_ADDR="192.0.2.7")

    for _attempt in range(5):
        assert post({"players": []}, client).status_code == 400
    assert [post({"players": PLAYERS}, client).status_code for _game in range(3)] == [201, 201, 429]
    response = post({"players": PLAYERS}, client)

    assert response.json()["code"] == "throttled"
    assert 1 <= int(response["Retry-After"]) <= 60
    assert Game.objects.count() == 2
    assert post({"players": PLAYERS}, Client(REMOTE_ADDR="192.0.2.8")).status_code == 201


@pytest.mark.usefixtures("one_minute")
def test_a_repeated_answer_does_not_count(settings: Any) -> None:
    settings.GAMES_PER_MINUTE = 1
    key = "a-key-of-22-characters"

    answers = [post({"players": PLAYERS}, Idempotency_Key=key) for _attempt in range(3)]

    assert [answer.status_code for answer in answers] == [201, 201, 201]
    assert len({answer.content for answer in answers}) == 1
