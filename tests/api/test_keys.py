"""The key in `Authorization: Bearer KEY`, and the limit on wrong ones."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games.models import AccessKey, Attempts, Role
from tests.api.caller import Caller, other_game, scorer, stranger

pytestmark = pytest.mark.django_db


@pytest.fixture
def ann() -> Caller:
    return scorer()


@pytest.mark.parametrize(
    "header",
    ["", "Bearer", "Bearer ", "Bearer x", "Basic eDp5", "Bearer a b", "Bearer \x00", "Bearer é", "x" * 9000],
)
def test_no_key_and_a_wrong_one_are_401_on_every_call(ann: Caller, header: str) -> None:
    for method, path in (
        ("GET", ""),
        ("GET", "log/"),
        ("PUT", "rounds/1/"),
        ("DELETE", "rounds/1/"),
        ("POST", "finish/"),
    ):
        response = ann(method, path, Authorization=header)

        assert response.status_code == 401
        assert response["WWW-Authenticate"].startswith("Bearer")
        assert response.json()["code"] == "unauthenticated"


def test_the_scheme_is_read_in_any_case(ann: Caller) -> None:
    assert ann("GET", Authorization=f"bearer {ann.key}").status_code == 200


def test_a_revoked_key_is_dead_at_once(ann: Caller) -> None:
    assert ann("GET").status_code == 200

    AccessKey.objects.filter(game=ann.game, role=Role.SCORER).update(revoked_at=timezone.now())

    assert ann("GET").status_code == 401
    assert ann("GET", If_None_Match='"1"').status_code == 401


@pytest.mark.usefixtures("one_minute")
def test_wrong_keys_are_put_off_after_so_many_a_minute_good_ones_never(ann: Caller, settings: Any) -> None:
    settings.WRONG_KEYS_PER_MINUTE = 3

    tries = [ann("GET", Authorization="Bearer wrong") for _attempt in range(5)]

    assert [response.status_code for response in tries] == [401, 401, 401, 429, 429]
    assert tries[-1].json()["code"] == "throttled"
    assert 1 <= int(tries[-1]["Retry-After"]) <= 60
    assert ann("GET").status_code == 200
    assert ann.put(1, (0, 18, 13)).status_code == 201


@pytest.mark.usefixtures("one_minute")
def test_each_address_has_its_own_count(ann: Caller, settings: Any) -> None:
    settings.WRONG_KEYS_PER_MINUTE = 1
    wrong = {"Authorization": "Bearer wrong"}
    url = f"/api/games/{ann.game.slug}/"

    def status(address: str) -> int:
        return Client(REMOTE_ADDR=address).get(url, headers=wrong).status_code

    assert [status(address) for address in ("192.0.2.1", "192.0.2.1", "192.0.2.2")] == [401, 429, 401]


@pytest.mark.usefixtures("one_minute")
def test_behind_a_proxy_the_address_is_what_the_proxy_saw(ann: Caller, settings: Any) -> None:
    settings.WRONG_KEYS_PER_MINUTE, settings.NUM_PROXIES = 1, 1

    def status(forwarded: str) -> int:
        response: Any = ann("GET", Authorization="Bearer wrong", X_Forwarded_For=forwarded)
        return int(response.status_code)

    # What the caller writes before it does not give a fresh count.
    assert [status(seen) for seen in ("192.0.2.1", "203.0.113.9, 192.0.2.1", "192.0.2.2")] == [401, 429, 401]


def test_no_key_and_another_games_key_are_not_counted(ann: Caller) -> None:
    stranger(ann)("GET")
    other_game(ann)("GET")

    assert not Attempts.objects.exists()
