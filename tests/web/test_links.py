"""Opening a scorer or view link makes the device remember the game; any other link says the same."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from games.models import AccessKey, Attempts, Game, Role
from tests.cast import start

pytestmark = pytest.mark.django_db


def secret(game: Game, role: Role) -> str:
    return AccessKey.objects.get(game=game, role=role).key


def test_a_scorer_link_opens_the_game_and_its_secret_leaves_the_address(client: Client) -> None:
    started = start()

    response = client.get(reverse("open_scorer", args=[started.scorer_key]))

    assert response.status_code == 302
    assert response["Location"] == reverse("board", args=[started.sheet.game.slug])
    assert client.get(response["Location"]).status_code == 200
    assert client.get(reverse("round", args=[started.sheet.game.slug, 1])).status_code == 200


def test_a_view_link_opens_the_board_and_no_entry(client: Client) -> None:
    game = start().sheet.game

    client.get(reverse("open_viewer", args=[secret(game, Role.VIEWER)]))

    assert client.get(reverse("board", args=[game.slug])).status_code == 200
    assert client.get(reverse("round", args=[game.slug, 1])).status_code == 403


def test_a_wrong_a_stopped_and_an_exchanged_link_look_the_same(client: Client) -> None:
    game = start().sheet.game
    viewer = secret(game, Role.VIEWER)
    AccessKey.objects.filter(game=game, role=Role.SCORER).update(revoked_at="2026-01-01T00:00Z")
    addresses = (
        reverse("open_scorer", args=["nothing-like-it"]),
        reverse("open_scorer", args=[secret(game, Role.SCORER)]),
        reverse("open_scorer", args=[viewer]),
    )

    pages = [client.get(address) for address in addresses]

    assert [page.status_code for page in pages] == [404, 404, 404]
    assert len({re.sub(rb'"X-CSRFToken": "\w+"', b"", page.content) for page in pages}) == 1


def test_a_stopped_link_is_dead_at_once_on_a_phone_that_had_opened_it(client: Client) -> None:
    started = start()
    client.get(reverse("open_scorer", args=[started.scorer_key]))
    AccessKey.objects.filter(key=started.scorer_key).update(revoked_at="2026-01-01T00:00Z")

    assert client.get(reverse("board", args=[started.sheet.game.slug])).status_code == 404


@pytest.mark.usefixtures("one_minute")
def test_guessing_is_put_off_and_a_good_link_is_not_counted(client: Client, settings: Settings) -> None:
    settings.WRONG_KEYS_PER_MINUTE = 3
    started = start()
    for _ in range(5):
        client.get(reverse("open_scorer", args=[started.scorer_key]))
    assert not Attempts.objects.exists()

    guesses = [reverse("open_viewer", args=[f"guess-{number}"]) for number in range(5)]
    answers = [client.get(guess).status_code for guess in guesses]

    assert answers == [404, 404, 404, 429, 429]


def test_a_link_is_opened_by_get_alone(client: Client) -> None:
    assert client.post(reverse("open_scorer", args=[start().scorer_key])).status_code == 405


def test_the_watchers_link_takes_nothing_from_a_phone_that_keeps_score(client: Client) -> None:
    started = start()
    game = started.sheet.game
    client.get(reverse("open_scorer", args=[started.scorer_key]))

    client.get(reverse("open_viewer", args=[secret(game, Role.VIEWER)]))

    assert client.get(reverse("round", args=[game.slug, 1])).status_code == 200
    AccessKey.objects.filter(key=started.scorer_key).update(revoked_at="2026-01-01T00:00Z")
    client.get(reverse("open_viewer", args=[secret(game, Role.VIEWER)]))
    assert client.get(reverse("board", args=[game.slug])).status_code == 200
    assert client.get(reverse("round", args=[game.slug, 1])).status_code == 403


def test_an_address_that_no_link_can_have_is_not_found(client: Client) -> None:
    assert [client.get(f"/{letter}/a%00b/").status_code for letter in "sw"] == [404, 404]
