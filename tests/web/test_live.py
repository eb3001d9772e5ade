"""The news of an open board: nothing while nothing changed, else the board again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.models import AccessKey, Game, Role
from tests.cast import play
from tests.web.reading import words

pytestmark = pytest.mark.django_db

FIRST = (33, 2, 0, 31, 46)


def news(client: Client, game: Game, version: object, **query: str) -> Any:
    return client.get(
        reverse("live", args=[game.slug]), {"v": str(version), **query}, headers={"hx-request": "true"}
    )


def test_an_unchanged_game_is_204_by_one_query(
    watcher: Client, game: Game, django_assert_num_queries: Callable[..., Any]
) -> None:
    with django_assert_num_queries(1):
        response = news(watcher, game, game.version)
    assert response.status_code == 204
    assert response.content == b""


def test_a_changed_game_is_the_board_with_its_head_and_bar(watcher: Client, game: Game) -> None:
    shown = game.version
    play(game, FIRST)
    response = news(watcher, game, shown)
    page = response.content.decode()

    assert response.status_code == 200
    assert f"?v={game.version}" in page
    assert "<html" not in page
    assert page.index('id="board"') < page.index('id="board-head" hx-swap-oob="true"')
    assert 'id="board-bar" hx-swap-oob="true"' in page
    assert "Round 1 is in. Chitra leads by 2." in words(response)


def test_it_keeps_the_order_of_the_rows(watcher: Client, game: Game) -> None:
    play(game, FIRST)
    assert "&amp;by=seat" in news(watcher, game, 1, by="seat").content.decode()


@pytest.mark.parametrize("version", ["", "x", "99", "-1"])
def test_any_other_version_gets_the_board(watcher: Client, game: Game, version: str) -> None:
    assert news(watcher, game, version).status_code == 200


def test_a_stopped_link_is_dead_at_once(watcher: Client, game: Game) -> None:
    AccessKey.objects.all().delete()
    assert news(watcher, game, game.version).status_code == 404


def test_a_stranger_finds_nothing(stranger: Client, game: Game) -> None:
    assert news(stranger, game, game.version).status_code == 404


def test_it_is_only_read(watcher: Client, game: Game) -> None:
    assert watcher.post(reverse("live", args=[game.slug])).status_code == 405


def test_the_news_are_drawn_once_for_everybody_who_watches(
    watcher: Client, game: Game, opens: Callable[..., Client], django_assert_num_queries: Callable[..., Any]
) -> None:
    other = opens(Client(), game, Role.VIEWER)
    play(game, FIRST)
    first = news(watcher, game, 1)
    with django_assert_num_queries(2):  # the version, and whose key it is
        second = news(other, game, 1)
    assert first.content == second.content
    assert "Round 1 is in." in words(second)

    play(game, (0, 14, 26, 45, 51))
    assert "Round 2 is in." in words(news(other, game, 2))
    assert "<form" not in news(other, game, 2).content.decode()


def test_whoever_keeps_score_gets_news_of_their_own(watcher: Client, phone: Client, game: Game) -> None:
    play(game, FIRST)
    news(watcher, game, 1)
    assert "Enter round 2" in words(news(phone, game, 1))
    assert "Enter round 2" not in words(news(watcher, game, 1))
