"""The first page lists the games of this phone, whatever their number, in a few queries."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from games.models import AccessKey, Game, Role
from games.services import game_finish
from games.web.device import MOST_GAMES
from games.web.home import day_words
from tests.cast import play, start

pytestmark = pytest.mark.django_db
HOME = reverse("home")
Opens = Callable[..., Client]


def shown(client: Client, query: str = "", **headers: str) -> str:
    response = client.get(HOME, {"q": query} if query else {}, headers=headers)
    assert response.status_code == 200
    return response.content.decode()


def test_a_phone_without_games_is_told_how_to_start(stranger: Client) -> None:
    page = shown(stranger)

    assert "No games on this phone yet" in page
    assert "Two names and one tap start one." in page
    assert reverse("new") in page
    assert reverse("device") in page
    assert "My games" not in page


def test_the_newest_unfinished_game_stands_on_top(phone: Client, game: Game) -> None:
    play(game, (0, 20, 36, 41, 55))

    page = shown(phone)

    assert "now-game" in page
    assert "Friday at Ruth’s" in page
    assert "Round 2 of 13 · Ruth leads by 20" in page
    assert 'class="rows games"' not in page


@pytest.mark.parametrize(
    ("rounds", "status"),
    [
        ([], "Round 1 of 2"),
        ([(0, 20, 36)], "Round 2 of 2 · Ann leads by 20"),
        ([(0, 20, 36), (20, 0, 36)], "Ann and Ben share 1st"),
        ([(0, 20, 36), (30, 0, 36)], "Won by Ben with 20"),
        ([(0, 20, 36), (20, 5, 0)], "Won by Ann with 20"),
    ],
)
def test_a_game_says_how_it_stands(
    stranger: Client, opens: Opens, rounds: list[tuple[int, ...]], status: str
) -> None:
    game = start(("Ann", "Ben", "Cho"), rounds=2).sheet.game
    play(game, *rounds)

    page = shown(opens(stranger, game))

    assert status in page
    assert "Ann, Ben and Cho" in page


def test_players_level_on_all_counts_lead_together(stranger: Client, opens: Opens) -> None:
    game = start(("Ann", "Ben", "Cho")).sheet.game
    play(game, (0, 20, 36), (20, 0, 36))

    assert "Round 3 of 13 · Ann and Ben lead" in shown(opens(stranger, game))


def test_a_leader_by_a_tie_break_leads_by_no_number(stranger: Client, opens: Opens) -> None:
    game = start(("Ann", "Ben", "Cho")).sheet.game
    play(game, (0, 20, 36), (30, 10, 0))

    page = shown(opens(stranger, game))

    assert "Ann leads<" in page or "Ben leads<" in page


def test_a_game_ended_before_its_first_round_has_no_winner(phone: Client, game: Game) -> None:
    game_finish(game=game)

    assert "Ended before round 1" in shown(phone)


def test_the_last_changed_game_comes_first(phone: Client, game: Game, opens: Opens) -> None:
    other = start(name="Older").sheet.game
    opens(phone, other)
    Game.objects.filter(pk=other.pk).update(changed_at=timezone.now() - timedelta(days=3))

    page = shown(phone)

    assert page.index("Friday at Ruth’s") < page.index("Older")
    assert "now-game" in page[: page.index("Friday at Ruth’s")]


def test_many_games_take_no_more_queries_than_one(
    phone: Client, opens: Opens, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(8):
        game = start(name=f"Evening {number}").sheet.game
        play(game, (0, 20, 36, 41, 55))
        opens(phone, game)

    with django_assert_max_num_queries(4):
        shown(phone)


def test_a_game_whose_link_was_stopped_vanishes(phone: Client, game: Game) -> None:
    AccessKey.objects.filter(game=game).update(revoked_at=timezone.now())

    assert "Friday at Ruth’s" not in shown(phone)


def test_a_watched_game_says_so(watcher: Client) -> None:
    assert "watch only" in shown(watcher)


def test_a_stranger_does_not_see_the_game(phone: Client, stranger: Client) -> None:
    assert "Friday at Ruth’s" not in shown(stranger)


def six_games(phone: Client, opens: Opens) -> None:
    for number, names in enumerate((("José", "Ben"), ("Kim", "Mike"), ("A", "B"), ("C", "D"), ("E", "F"))):
        opens(phone, start(names, name=f"Evening {number}").sheet.game)


def test_the_search_is_offered_from_six_games_on(phone: Client, opens: Opens) -> None:
    assert "Find by name or player" not in shown(phone)

    six_games(phone, opens)

    assert "Find by name or player" in shown(phone)


@pytest.mark.parametrize("query", ["jose", "JOSÉ", "evening 0"])
def test_a_game_is_found_by_its_name_or_a_player(phone: Client, opens: Opens, query: str) -> None:
    six_games(phone, opens)

    page = shown(phone, query)

    assert "Evening 0" in page
    assert "Evening 1" not in page
    assert "Friday at Ruth’s" not in page


def test_a_search_without_a_find_quotes_what_was_sought(phone: Client, opens: Opens) -> None:
    six_games(phone, opens)

    assert "called “&lt;b&gt;”" in shown(phone, "<b>")


def test_a_live_search_gets_the_list_alone(phone: Client, opens: Opens) -> None:
    six_games(phone, opens)

    page = shown(phone, "kim", **{"HX-Request": "true"})

    assert "Evening 1" in page
    assert "<html" not in page


def test_sixty_games_say_that_older_ones_are_kept(
    phone: Client, opens: Opens, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "Older ones are kept" not in shown(phone)

    for _number in range(MOST_GAMES):
        opens(phone, start(("A", "B")).sheet.game)

    page = shown(phone)
    assert "Here are the newest 60 games. Older ones are kept" in page
    assert page.count("<li>") == MOST_GAMES - 1
    assert "Friday at Ruth’s" not in page


@pytest.mark.parametrize(
    ("day", "words"),
    [
        (date(2026, 11, 29), "Today"),
        (date(2026, 11, 25), "Wed"),
        (date(2026, 11, 22), "22 Nov"),
        (date(2026, 12, 1), "1 Dec"),
        (date(2025, 11, 28), "28 Nov 2025"),
    ],
)
def test_a_date_is_as_short_as_it_can_be(day: date, words: str) -> None:
    assert day_words(day, datetime(2026, 11, 29, tzinfo=UTC).date()) == words


def test_the_first_page_is_only_read(stranger: Client) -> None:
    assert stranger.post(HOME).status_code == 405


def test_a_forged_cookie_is_an_empty_memory(stranger: Client) -> None:
    stranger.cookies["games"] = "forged"

    assert "No games on this phone yet" in shown(stranger)


def test_the_watcher_s_role_is_the_key_s(game: Game, watcher: Client) -> None:
    AccessKey.objects.filter(game=game, role=Role.VIEWER).update(revoked_at=timezone.now())

    assert "Friday at Ruth’s" not in shown(watcher)
