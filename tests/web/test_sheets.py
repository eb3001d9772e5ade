"""The sheets of a round and of a player, and the menu."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Game
from games.services import game_finish, round_put
from tests.cast import claim, play, start
from tests.web.reading import element, rows, words

pytestmark = pytest.mark.django_db

FIRST, SECOND = (33, 2, 0, 31, 46), (0, 14, 26, 45, 51)
SHEETS = [("round_sheet", [1]), ("round_sheet", [3]), ("player", [2]), ("more", [])]


@pytest.fixture
def played(game: Game) -> Game:
    play(game, FIRST, SECOND, who="Ben")
    return game


def get(client: Client, name: str, game: Game, *args: int) -> Any:
    return client.get(reverse(name, args=[game.slug, *args]))


def test_a_round_shows_all_hands_and_their_sum(phone: Client, played: Game) -> None:
    page = words(get(phone, "round_sheet", played, 1))

    assert "Round 1 of 13 Engine 12-12" in page
    assert "R Ruth 33 B Ben 2 C Chitra went out 0 W Wilhelmina 31 A Ann 46" in page
    assert "Points left, all hands 112" in page
    assert "Correct the round" in page


def test_only_the_last_round_can_be_taken_back(phone: Client, played: Game) -> None:
    assert "Take round 2 back" in words(get(phone, "round_sheet", played, 2))
    assert "Take round 1 back" not in words(get(phone, "round_sheet", played, 1))


def test_a_blocked_round_says_so(phone: Client, game: Game) -> None:
    play(game, (33, 2, 1, 31, 46))
    assert "Engine 12-12, blocked" in words(get(phone, "round_sheet", game, 1))


def test_a_disputed_round_says_what_cannot_be_and_why_it_was_saved(phone: Client, game: Game) -> None:
    both = claim((1, 1, 0, 31, 46))
    round_put(game=game, number=1, claim=both, disputed=True, reason="Tiles are shuffled", version=1)
    page = words(get(phone, "round_sheet", game, 1))

    assert "In doubt Ruth and Ben cannot both have 1." in page
    assert "Reason: Tiles are shuffled" in page


def test_a_warning_is_in_words(phone: Client, game: Game) -> None:
    play(game, (33, 2, 0, 31, 298))
    assert "Ann: 298 points is unusual." in words(get(phone, "round_sheet", game, 1))


def test_the_coming_round_says_who_starts_and_why(phone: Client, played: Game) -> None:
    page = words(get(phone, "round_sheet", played, 3))

    assert "Whoever holds 10‑10 lays it and starts." in page
    assert "If nobody holds it, it is drawn for." in page
    assert "Each player draws 12 tiles." in page
    assert "Enter round 3" in page


def test_a_number_of_tiles_that_no_rule_names_is_not_guessed(opens: Callable[..., Client]) -> None:
    game = start(["Ann", "Ben"]).sheet.game
    page = words(get(opens(Client(), game), "round_sheet", game, 1))
    assert "The rules name no number of tiles for so many players." in page


def test_a_round_beyond_the_next_is_not_found(phone: Client, played: Game) -> None:
    assert get(phone, "round_sheet", played, 4).status_code == 404


def test_a_player_has_rounds_running_total_and_average(phone: Client, played: Game) -> None:
    page = get(phone, "player", played, 1)
    text = words(page)

    assert "Ruth 3rd of 5, 17 behind Ben" in text
    assert "33 points in 2 rounds" in text
    assert "Rounds out 1 Average 16.5 a round Lowest other round 33" in text
    assert [[row[0], row[2], row[3]] for row in rows(page)] == [["2", "0", "33"], ["1", "33", "33"]]


def test_a_player_before_the_first_round(phone: Client, game: Game) -> None:
    assert "0 points in 0 rounds" in words(get(phone, "player", game, 1))


def test_a_late_comer_says_since_when_and_with_what(phone: Client, played: Game) -> None:
    played.players.filter(seat=1).update(start_total=20, to_round=1, from_round=1)
    page = words(get(phone, "player", played, 1))
    assert "Began with 20" in page
    assert "Left after round 1" in page


def test_a_seat_that_nobody_has_is_not_found(phone: Client, played: Game) -> None:
    assert get(phone, "player", played, 6).status_code == 404


def test_the_menu_asks_before_it_finishes_early(phone: Client, played: Game) -> None:
    page = get(phone, "more", played)

    assert "Finish early… The game ends after 2 rounds. It can be taken up again." in words(page)
    assert f'action="{reverse("finish", args=[played.slug])}"' in page.content.decode()
    assert "Undo Round 2 entered" in words(page)


def test_a_finished_game_offers_a_rematch_and_to_go_on(phone: Client, played: Game) -> None:
    game_finish(game=played)
    page = get(phone, "more", played)

    assert "Go on with round 3" in words(page)
    assert f"{reverse('new')}?again={played.slug}" in page.content.decode()
    assert "Finish early" not in element(page, '<ul class="menu">', "</ul>")


def test_the_menu_of_a_new_game_has_nothing_to_finish(phone: Client, game: Game) -> None:
    page = words(get(phone, "more", game))
    assert "Finish early" not in page
    assert "Players and rules" in page


@pytest.mark.parametrize(("name", "args"), SHEETS)
def test_a_watcher_reads_without_any_control(
    watcher: Client, played: Game, name: str, args: list[int]
) -> None:
    page = get(watcher, name, played, *args)
    assert page.status_code == 200
    assert "<form" not in page.content.decode()


@pytest.mark.parametrize(("name", "args"), SHEETS)
def test_over_the_board_each_comes_without_the_page(
    phone: Client, played: Game, name: str, args: list[int]
) -> None:
    address = reverse(name, args=[played.slug, *args])
    page = phone.get(address, headers={"hx-request": "true"}).content.decode()
    assert "<html" not in page
    assert 'id="sheet-title"' in page


@pytest.mark.parametrize(("name", "args"), SHEETS)
def test_a_stranger_finds_nothing(stranger: Client, played: Game, name: str, args: list[int]) -> None:
    assert get(stranger, name, played, *args).status_code == 404


@pytest.mark.parametrize(("name", "args"), SHEETS)
def test_each_is_only_read(phone: Client, played: Game, name: str, args: list[int]) -> None:
    assert phone.post(reverse(name, args=[played.slug, *args])).status_code == 405
