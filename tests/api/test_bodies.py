"""Bodies that are no JSON object, and addresses that are none of the API's."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from games.models import Game
from tests.api.caller import Caller, scorer

pytestmark = pytest.mark.django_db

BODIES = [
    b"",
    b"{",
    b"nonsense",
    b"\xff\xfe",
    b'{"players": ["\xe9"]}',
    b"[]",
    b"null",
    b"7",
    b'"text"',
    b"NaN",
    b'{"players": [NaN, Infinity]}',
    b'{"players": ["\\ud800", "Ben"]}',
    b'{"players": ["Ann"], "players": ["Ben"]}',
    b'{"first_engine": ' + b"9" * 5000 + b"}",
    b"[" * 60_000 + b"]" * 30_000,
    b'{"a":' * 15_000,
    b"\x00",
]


@pytest.mark.parametrize("body", BODIES)
def test_a_body_that_cannot_be_read_is_a_clear_400(body: bytes) -> None:
    caller = scorer()
    answers = [
        Client().generic("POST", "/api/games/", body, "application/json"),
        caller("PUT", "rounds/1/", body),
    ]

    for response in answers:
        assert response.status_code == 400
        assert response.json()["code"] == "invalid"
        assert response.json()["message"]
    assert Game.objects.count() == 1


def test_a_body_that_is_too_large_is_refused() -> None:
    for size in (100_001, 3_000_000):
        response = scorer()("PUT", "rounds/1/", b" " * size)

        assert response.status_code == 413
        assert response.json()["code"] == "invalid"


@pytest.mark.parametrize(
    "content_type",
    [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
        "",
        "application/json; charset=latin-1",
    ],
)
def test_another_kind_of_body_is_unsupported(content_type: str) -> None:
    response = scorer()("PUT", "rounds/1/", b'{"ended": "out"}', content_type=content_type)

    assert response.status_code == 415
    assert response.json()["code"] == "unsupported"


def test_the_charset_may_be_named() -> None:
    response = scorer()("PUT", "rounds/1/", b"{}", content_type='application/json; charset="UTF-8"')

    assert response.status_code == 400
    assert response.json()["problems"][0]["field"] == "ended"


def test_the_answer_is_json_whatever_is_asked_for() -> None:
    response = scorer()("GET", Accept="text/html;q=0.9, application/xml")

    assert response.status_code == 200
    assert response["Content-Type"] == "application/json"


@pytest.mark.parametrize(
    "path", ["", "games", "nothing/", "games/x/y/z/", "games/a.b/", "games/x/rounds/one/"]
)
def test_other_addresses_are_404_in_the_same_shape(path: str) -> None:
    for method in ("GET", "POST"):
        response: Any = Client().generic(method, f"/api/{path}")

        assert response.status_code == 404
        assert response.json()["code"] == "not_found"


@pytest.fixture
def ann() -> Caller:
    return scorer()


def test_a_number_of_thousands_of_digits_in_the_path_is_no_round(ann: Caller) -> None:
    assert ann.put(int("9" * 300), (0, 1, 2), Idempotency_Key="k" * 22).status_code == 409
    assert ann("PUT", f"rounds/{'9' * 5000}/", b"{}").status_code == 404
