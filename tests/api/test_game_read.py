"""GET /api/games/{id}/"""

from __future__ import annotations

from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from games.engine.rules import FIELDS
from tests.api.caller import Caller, other_game, scorer, stranger, viewer
from tests.cast import FOURTEEN, start

pytestmark = pytest.mark.django_db

CONTRACT = {
    "game": [
        "id",
        "url",
        "version",
        "status",
        "rules",
        "engines",
        "next_engine",
        "warnings",
        "players",
        "rounds",
        "standings",
    ],
    "players": ["seat", "name", "order", "from_round", "to_round", "start_total", "adjustments"],
    "hands": ["seat", "points", "score", "out", "marker", "tile_count", "tiles"],
    "standings": ["seat", "name", "total", "place", "zero_rounds", "lowest_nonzero", "decided_by"],
}


@pytest.fixture
def ann() -> Caller:
    return scorer()


def test_the_game_holds_the_keys_of_the_contract_in_their_order(ann: Caller) -> None:
    ann("PUT", "rounds/1/", {
        "ended": "out",
        "hands": [
            {"seat": 3, "tiles": ["5-5", "1-2"], "marker": True},
            {"seat": 1, "points": 0},
            {"seat": 2, "points": 18, "tile_count": 3},
        ],
    })  # fmt: skip

    game = ann.read()

    assert [key for key in game if key in CONTRACT["game"]] == CONTRACT["game"]
    assert game["rules"].keys() == FIELDS.keys()
    assert list(game["players"][0]) == CONTRACT["players"]
    assert list(game["standings"][0]) == CONTRACT["standings"]
    first = game["rounds"][0]
    assert [key for key in first if key not in ("marks", "confirmed", "record")] == [
        "number",
        "engine",
        "ended",
        "disputed",
        "hands",
    ]
    assert list(first["hands"][0]) == CONTRACT["hands"]
    assert [list(hand.values()) for hand in first["hands"]] == [
        [1, 0, 0, True, False, None, None],
        [2, 18, 18, False, False, 3, None],
        [3, 13, 13, False, True, 2, ["5-5", "2-1"]],
    ]
    assert [(row["name"], row["total"], row["decided_by"]) for row in game["standings"]] == [
        ("Ann", 0, None),
        ("Cho", 13, "total"),
        ("Ben", 18, "total"),
    ]
    assert (game["version"], game["status"], game["next_engine"]) == (2, "playing", 11)


def test_rules_are_plain_values_with_the_deal_in_force(ann: Caller) -> None:
    rules = scorer(("Ann", "Ben", "Cho", "Dee"), preset="tournament").read()["rules"]

    assert rules["deal"] == 15
    assert rules["doubles_per_turn"] == 1
    assert rules["out_on_double"] is False
    assert rules["tiebreaks"] == ["zero_rounds", "lowest_nonzero"]
    assert ann.read()["rules"]["deal"] is None
    assert ann.read()["rules"]["doubles_per_turn"] is None


def test_what_was_unlikely_is_listed_and_was_not_refused(ann: Caller) -> None:
    ann.put(1, (0, 40, 30))
    ann = scorer(("Ann", "Ben", "Cho", "Dee"))
    response = ann.put(1, (0, 40, 40, 40))

    assert response.status_code == 201
    assert {"code": "equal_hands", "round": 1, "seat": None} in response.json()["warnings"]


def test_under_any_unused_the_used_engines_come_first() -> None:
    ann = scorer(engine_order="any_unused", first_engine=6, max_pip=6)
    ann.put(1, (0, 5, 7), engine=4)

    game = ann.read()

    assert game["engines"] == [4, 6, 5, 3, 2, 1, 0]
    assert game["next_engine"] == 6


def test_the_view_key_reads_the_same(ann: Caller) -> None:
    assert viewer(ann).read() == ann.read()


def test_nobody_reads_without_a_key(ann: Caller) -> None:
    response = stranger(ann)("GET")

    assert response.status_code == 401
    assert response["WWW-Authenticate"] == 'Bearer realm="games"'
    assert response.json()["code"] == "unauthenticated"


def test_another_games_key_and_no_such_game_look_alike(ann: Caller) -> None:
    nowhere = other_game(ann)
    nowhere.game = start().sheet.game
    nowhere.game.slug = "nowhere"

    answers = [other_game(ann)("GET"), nowhere("GET")]

    assert [answer.status_code for answer in answers] == [404, 404]
    assert answers[0].content == answers[1].content
    assert answers[0].json()["code"] == "not_found"


def test_other_methods_are_refused(ann: Caller) -> None:
    for method in ("POST", "PUT", "PATCH", "OPTIONS"):
        response = ann(method)

        assert response.status_code == 405
        assert response.json()["code"] == "unsupported"
        assert set(response["Allow"].split(", ")) == {"GET", "HEAD", "DELETE"}


@pytest.mark.parametrize("seen", ['"1"', 'W/"1"', "1", '"0", "1"', "*"])
def test_nothing_new_is_a_304_of_one_query(
    ann: Caller, seen: str, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(1):
        response = ann("GET", If_None_Match=seen)

    assert response.status_code == 304
    assert response.content == b""
    assert response["ETag"] == '"1"'


def test_news_come_in_full(ann: Caller) -> None:
    ann.put(1, (0, 18, 13))

    response = ann("GET", If_None_Match='"1"')

    assert response.status_code == 200
    assert response["ETag"] == '"2"'


def test_a_304_tells_a_stranger_nothing(ann: Caller) -> None:
    assert stranger(ann)("GET", If_None_Match='"1"').status_code == 401
    assert other_game(ann)("GET", If_None_Match='"1"').status_code == 404


def test_a_game_of_fourteen_takes_as_many_queries_as_a_small_one(
    ann: Caller, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    ann = scorer(FOURTEEN, max_pip=18)
    for number in range(1, 4):
        ann.put(number, (0, *range(20, 33)))

    with django_assert_num_queries(4):
        assert len(ann.read()["rounds"]) == 3


def test_head_answers_without_a_body(ann: Caller) -> None:
    response: Any = ann("HEAD")

    assert (response.status_code, response.content, response["ETag"]) == (200, b"", '"1"')
