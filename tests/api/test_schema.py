"""GET /api/schema/: the description is valid, complete, and what the API really does."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from django.core.management import call_command
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections, transaction
from django.test import Client
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from games.engine.rules import FIELDS
from games.models import Game
from tests.api.caller import Caller, scorer
from tests.api.club_caller import grown_club, owner_of

CHECKS: list[Any] = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]


# Paths below /api/clubs/ and their methods
AT_CLUBS = {
    f"/api/clubs/{path}": methods.split()
    for path, methods in {
        "": "get post",
        "join/": "post",
        "{slug}/": "get patch",
        "{slug}/doubts/": "get post",
        "{slug}/doubts/{number}/": "get",
        "{slug}/doubts/{number}/decide/": "post",
        "{slug}/doubts/{number}/reopen/": "post",
        "{slug}/games/": "get post",
        "{slug}/games/new/": "post",
        "{slug}/games/{game}/": "delete get patch",
        "{slug}/leave/": "post",
        "{slug}/links/": "get",
        "{slug}/links/{role}/replace/": "post",
        "{slug}/log/": "get",
        "{slug}/members/": "get post",
        "{slug}/members/{number}/": "get patch",
        "{slug}/members/{number}/account/": "delete",
        "{slug}/members/{number}/against/{other}/": "get",
        "{slug}/members/{number}/figures/": "get",
        "{slug}/records/": "get",
        "{slug}/members/{number}/merge/": "post",
        "{slug}/seasons/": "get post",
        "{slug}/seasons/{number}/": "get patch",
        "{slug}/seasons/{number}/nights/": "get",
        "{slug}/seasons/{number}/nights/{day}/": "get patch",
        "{slug}/seasons/{number}/scheme/": "get patch",
        "{slug}/seasons/{number}/scheme/preview/": "post",
        "{slug}/seasons/{number}/standings/": "get",
    }.items()
}


def document() -> dict[str, Any]:
    found: dict[str, Any] = Client().get("/api/schema/").json()
    return found


def test_the_document_is_valid_and_nothing_in_it_is_guessed(tmp_path: Path) -> None:
    call_command("spectacular", validate=True, fail_on_warn=True, file=str(tmp_path / "schema.yaml"))


def test_every_call_is_described_with_its_errors() -> None:
    paths = document()["paths"]

    assert {path: sorted(calls) for path, calls in paths.items()} == AT_CLUBS | {
        "/api/games/": ["get", "post"],
        "/api/games/{slug}/": ["delete", "get"],
        "/api/games/{slug}/abandon/": ["post"],
        "/api/games/{slug}/challenges/": ["post"],
        "/api/games/{slug}/challenges/{number}/ruling/": ["post"],
        "/api/games/{slug}/finish/": ["post"],
        "/api/games/{slug}/hands/": ["get"],
        "/api/games/{slug}/hands/{seat}/": ["delete", "put"],
        "/api/games/{slug}/log/": ["get"],
        "/api/games/{slug}/players/": ["post"],
        "/api/games/{slug}/players/{seat}/": ["patch"],
        "/api/games/{slug}/players/{seat}/adjustments/": ["post"],
        "/api/games/{slug}/players/{seat}/adjustments/{number}/": ["delete"],
        "/api/games/{slug}/restore/": ["post"],
        "/api/games/{slug}/rounds/{number}/": ["delete", "put"],
        "/api/games/{slug}/rounds/{number}/confirm/": ["post"],
        "/api/me/": ["get"],
        "/api/records/check/": ["post"],
    }
    put = paths["/api/games/{slug}/rounds/{number}/"]["put"]
    assert put["responses"].keys() >= {"200", "201", "400", "401", "403", "404", "405", "409", "415", "429"}
    assert {one["name"] for one in put["parameters"]} == {
        "slug",
        "number",
        "Idempotency-Key",
        "If-Match",
        "If-None-Match",
    }
    assert put["security"] == [{"gameKey": []}]
    assert "security" not in paths["/api/games/"]["post"] or paths["/api/games/"]["post"]["security"] == [{}]


def test_every_field_of_the_rule_card_is_described() -> None:
    rules = document()["components"]["schemas"]["GameInput"]["properties"]["rules"]

    assert rules["properties"].keys() == FIELDS.keys()
    assert rules["properties"]["double_blank"] == {"type": "integer", "enum": [0, 25, 50]}
    assert rules["properties"]["doubles_per_turn"]["enum"] == [1, None]


def test_yaml_is_there_for_those_who_ask() -> None:
    response = Client().get("/api/schema/", headers={"Accept": "application/yaml"})

    assert response["Content-Type"].startswith("application/yaml")
    assert response.content.startswith(b"openapi: 3")


@pytest.mark.parametrize("accept", ["", "nonsense", "text/html", "image/png;q=x"])
def test_whoever_asks_for_something_else_gets_json(accept: str) -> None:
    response = Client().get("/api/schema/", headers={"Accept": accept})

    assert (response.status_code, response.json()["openapi"][:2]) == (200, "3.")


@pytest.mark.django_db
def test_the_examples_are_taken() -> None:
    paths = document()["paths"]

    def examples(path: str, method: str) -> dict[str, Any]:
        content = paths[path][method]["requestBody"]["content"]["application/json"]
        return {name: one["value"] for name, one in content["examples"].items()}

    for body in examples("/api/games/", "post").values():
        assert Client().post("/api/games/", body, "application/json").status_code == 201
    for body in examples("/api/records/check/", "post").values():
        assert Client().post("/api/records/check/", body, "application/json").status_code == 200
    for body in examples("/api/games/{slug}/rounds/{number}/", "put").values():
        assert scorer()("PUT", "rounds/1/", body).status_code == 201
    for body in examples("/api/games/{slug}/hands/{seat}/", "put").values():
        assert scorer()("PUT", "hands/2/", body).status_code == 200
    for body in examples("/api/games/{slug}/players/", "post").values():
        assert scorer()("POST", "players/", body).status_code == 201
    for body in examples("/api/games/{slug}/players/{seat}/", "patch").values():
        assert scorer()("PATCH", "players/1/", body).status_code == 200
    for body in examples("/api/games/{slug}/players/{seat}/adjustments/", "post").values():
        assert scorer()("POST", "players/1/adjustments/", body).status_code == 201


@pytest.fixture
def ann(db: None) -> Caller:
    caller = scorer()
    caller.put(1, (0, 18, 13))
    return caller


@pytest.fixture
def api(ann: Caller) -> Iterator[Any]:
    """The site without what closes the connection, and the test's transaction with it, at each request.

    Django's own test client, which `ann` uses, connects it again after each call.
    """
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield schemathesis.openapi.from_wsgi("/api/schema/", get_wsgi_application())
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.mark.long
@pytest.mark.parametrize(
    ("path", "method"),
    [
        ("/api/games/", "POST"),
        ("/api/games/{slug}/", "GET"),
        ("/api/games/{slug}/log/", "GET"),
        ("/api/games/{slug}/finish/", "POST"),
        ("/api/games/{slug}/rounds/{number}/", "PUT"),
        ("/api/games/{slug}/rounds/{number}/", "DELETE"),
        ("/api/games/{slug}/players/", "POST"),
        ("/api/games/{slug}/players/{seat}/", "PATCH"),
        ("/api/games/{slug}/players/{seat}/adjustments/", "POST"),
        ("/api/games/{slug}/players/{seat}/adjustments/{number}/", "DELETE"),
        ("/api/records/check/", "POST"),
    ],
)
@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
def test_whatever_is_sent_the_answer_is_as_described(
    api: Any,
    ann: Caller,
    settings: Any,
    size: Callable[[int, int], int],
    path: str,
    method: str,
    mode: GenerationMode,
) -> None:
    settings.GAMES_PER_MINUTE = settings.WRONG_KEYS_PER_MINUTE = 1_000_000

    @given(case=api[path][method].as_strategy(generation_mode=mode))
    @hypothesis_settings(
        max_examples=size(20, 300),
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    def send(case: Any) -> None:
        case.headers["Accept-Encoding"] = "identity"
        if "slug" in case.path_parameters:
            case.path_parameters["slug"] = ann.game.slug
            case.headers["Authorization"] = f"Bearer {ann.key}"
        case.validate_response(case.call(), checks=CHECKS)

    send()


@pytest.mark.django_db
def test_the_games_answer_has_no_key_that_is_not_described(ann: Caller) -> None:
    schemas = document()["components"]["schemas"]
    game = ann.read()

    assert list(game) == list(schemas["Game"]["properties"])
    assert list(game["players"][0]) == list(schemas["Player"]["properties"])
    assert list(game["rounds"][0]) == list(schemas["Round"]["properties"])
    assert list(game["rounds"][0]["hands"][0]) == list(schemas["Hand"]["properties"])
    assert list(game["standings"][0]) == list(schemas["Standing"]["properties"])
    log = ann("GET", "log/").json()
    assert list(log) == list(schemas["Log"]["properties"])
    assert list(log["entries"][0]) == list(schemas["Entry"]["properties"])
    assert list(log["entries"][0]["changes"][0]) == list(schemas["Change"]["properties"])
    assert json.dumps(game)


@pytest.mark.long
def test_clubs_answer_as_described_whatever_is_sent(
    api: Any, settings: Any, size: Callable[[int, int], int]
) -> None:
    settings.GAMES_PER_MINUTE = settings.WRONG_KEYS_PER_MINUTE = 1_000_000
    owner = owner_of(grown_club())
    game = Game.objects.filter(at_club__isnull=False)[0].slug
    about = {"slug": owner.slug, "number": 1, "day": "2026-03-05", "game": game, "other": 4}
    for path, methods in AT_CLUBS.items():
        for method in methods:

            @given(case=api[path][method.upper()].as_strategy())
            @hypothesis_settings(
                max_examples=size(2, 100),
                deadline=None,
                derandomize=True,
                database=None,
                suppress_health_check=list(HealthCheck),
            )
            def send(case: Any) -> None:
                case.headers["Accept-Encoding"] = "identity"
                case.headers["Authorization"] = f"Bearer {owner.key}"
                case.path_parameters |= {name: about[name] for name in case.path_parameters if name in about}
                point = transaction.savepoint()
                case.validate_response(case.call(), checks=CHECKS)
                transaction.savepoint_rollback(point)

            send()
