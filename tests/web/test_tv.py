"""The board on a television: playing order, what is coming, a code to watch, nothing to press."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Game, Role
from games.selectors import links_of
from games.services import game_finish, round_put
from tests.cast import FOURTEEN, claim, play, start
from tests.web.reading import element, rows, words

pytestmark = pytest.mark.django_db

FIRST, SECOND = (33, 2, 0, 31, 46), (0, 14, 26, 45, 51)


def tv(client: Client, game: Game) -> Any:
    return client.get(reverse("tv", args=[game.slug]))


def heads(page: Any) -> list[str]:
    """The kinds of the rounds' columns, from left to right."""
    head = element(page, "<thead>", "</thead>")
    return re.findall(r'<th scope="col" class="((?:played|now|coming)[^"]*)"', head)


def test_rounds_lie_in_playing_order_and_the_coming_ones_are_pale(watcher: Client, game: Game) -> None:
    play(game, FIRST, SECOND)
    page = tv(watcher, game)

    assert page.status_code == 200
    assert heads(page) == ["played", "played entered", "now", *["coming"] * 10]
    assert rows(page)[0][:5] == ["place 1 B Ben", "16", "2", "14", ""]
    assert rows(page)[1][:5] == ["place 2 C Chitra", "26", "0, went out", "26", ""]
    assert "Round 3 of 13" in words(page)
    assert "Ben leads by 10. Last change: Round 2 saved." in words(page)


def test_it_says_who_leads_and_what_changed_last(watcher: Client, game: Game) -> None:
    play(game, FIRST)
    round_put(game=game, number=1, claim=claim((33, 5, 0, 31, 46)))
    page = words(tv(watcher, game))

    assert "Chitra leads by 5. Last change: Ben, round 1: now 5, was 2." in page


def test_a_new_game_shows_its_people_and_the_first_engine(watcher: Client, game: Game) -> None:
    page = tv(watcher, game)
    assert heads(page) == ["now", *["coming"] * 12]
    assert [row[0] for row in rows(page)] == ["R Ruth", "B Ben", "C Chitra", "W Wilhelmina", "A Ann"]
    assert "Game started. Ruth sits first." in words(page)


def test_a_finished_game_says_who_won(watcher: Client, game: Game) -> None:
    play(game, FIRST)
    game_finish(game=game)
    page = tv(watcher, game)

    assert "Chitra wins with 0." in words(page)
    assert "Finished after 1 round" in words(page)
    assert heads(page) == ["played", *["coming"] * 12]


def test_the_code_is_the_link_to_watch_whoever_opened_the_page(
    phone: Client, watcher: Client, game: Game
) -> None:
    scorer = links_of(game)[Role.SCORER].key
    for client in (phone, watcher):
        page = tv(client, game).content.decode()
        assert '<svg role="img" aria-label="QR code of the link"' in page
        assert scorer not in page
        assert not re.search(r"<(form|button|input)\b", page)
    assert element(tv(phone, game), 'class="tv-code"', "</div>") == element(
        tv(watcher, game), 'class="tv-code"', "</div>"
    )


def test_fourteen_people_and_nineteen_rounds(client: Client, opens: Callable[..., Client]) -> None:
    game = start(FOURTEEN, max_pip=18).sheet.game
    page = tv(opens(client, game, Role.VIEWER), game)
    assert (len(rows(page)), len(heads(page))) == (14, 19)
    assert 'class="rounds-19 many" data-rows="14"' in page.content.decode()


def test_its_news_are_204_by_one_query_while_nothing_changed(
    watcher: Client, game: Game, django_assert_num_queries: Callable[..., Any]
) -> None:
    with django_assert_num_queries(1):
        response = watcher.get(reverse("tv_live", args=[game.slug]), {"v": game.version})
    assert (response.status_code, response.content) == (204, b"")


def test_its_news_are_the_table_and_a_sentence_for_those_who_hear(watcher: Client, game: Game) -> None:
    play(game, FIRST)
    response = watcher.get(reverse("tv_live", args=[game.slug]), {"v": 1}, headers={"hx-request": "true"})

    page = response.content.decode()
    assert "<html" not in page
    assert f"?v={game.version}" in page
    assert "Round 1 is in. Chitra leads by 2." in words(page)


@pytest.mark.parametrize("name", ["tv", "tv_live"])
def test_a_stranger_finds_nothing_and_it_is_only_read(
    stranger: Client, watcher: Client, game: Game, name: str
) -> None:
    address = reverse(name, args=[game.slug])
    assert stranger.get(address).status_code == 404
    assert watcher.post(address).status_code == 405


@pytest.mark.parametrize("name", ["board", "live", "tv", "tv_live", "share", "more", "log", "end"])
def test_watching_never_writes(
    watcher: Client, game: Game, name: str, django_assert_max_num_queries: Callable[..., Any]
) -> None:
    play(game, FIRST)
    with django_assert_max_num_queries(20) as asked:
        response = watcher.get(reverse(name, args=[game.slug]), {"v": "1"})
    assert response.status_code == 200
    assert response.cookies.keys() <= {"csrftoken"}
    assert [
        query["sql"] for query in asked if not query["sql"].lstrip("( ").upper().startswith("SELECT")
    ] == []
