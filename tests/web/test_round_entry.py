"""Who went out: the first page of a round."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Game
from tests.cast import play, start
from tests.web.at_the_table import SIX, phone, text, watcher

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    game = start().sheet.game
    play(game, *SIX)
    return game


def who_out(game: Game, number: int) -> str:
    return reverse("round", args=[game.slug, number])


def test_it_shows_the_engine_and_a_tile_for_each_player(game: Game) -> None:
    page = text(phone(game).get(who_out(game, 7)))

    assert 'aria-label="double 6"' in page
    for seat, name in enumerate(("Ruth", "Ben", "Chitra", "Wilhelmina", "Ann"), 1):
        assert f'name="out" value="{seat}"' in page
        assert name in page
    assert "Nobody: the round was blocked" in page


def test_the_next_page_is_reached_by_a_plain_form(game: Game) -> None:
    client = phone(game)

    assert f'method="get" action="/g/{game.slug}/rounds/7/hands/"' in text(client.get(who_out(game, 7)))
    assert client.get(who_out(game, 7) + "hands/?out=3").status_code == 200
    assert client.get(who_out(game, 7) + "hands/?ended=blocked").status_code == 200


@pytest.mark.parametrize(("preset", "offered"), [("thoughtco", True), ("gamerules", False)])
def test_two_can_go_out_only_where_the_rules_allow_it(preset: str, offered: bool) -> None:
    game = start(preset=preset).sheet.game
    client = phone(game)

    assert ("Two went out on the first turn" in text(client.get(who_out(game, 1)))) is offered
    assert ('type="checkbox"' in text(client.get(who_out(game, 1) + "?two=1"))) is True


def test_burned_doubles_can_be_chosen_from_those_not_played() -> None:
    game = start(engine_order="any_unused").sheet.game
    play(game, SIX[0])
    client = phone(game)

    page = text(client.get(who_out(game, 2)))
    chosen = text(client.get(who_out(game, 2) + "?engine=7"))

    assert 'aria-label="double 11"' in page
    assert "?engine=12" not in page
    assert 'aria-label="double 7"' in chosen
    assert '<input type="hidden" name="engine" value="7">' in chosen


def test_an_engine_that_was_played_is_not_taken_over() -> None:
    game = start(engine_order="any_unused").sheet.game
    play(game, SIX[0])

    assert 'aria-label="double 11"' in text(phone(game).get(who_out(game, 2) + "?engine=12"))


def test_a_round_that_is_in_leads_to_its_sheet(game: Game) -> None:
    answer = phone(game).get(who_out(game, 4))

    assert answer.status_code == 302
    assert answer["Location"] == reverse("round_sheet", args=[game.slug, 4])


def test_a_round_that_is_in_can_have_another_winner(game: Game) -> None:
    page = text(phone(game).get(who_out(game, 6) + "?fix=1"))

    assert '<input type="hidden" name="fix" value="1">' in page
    assert page.count("aria-describedby=") == 1


def test_a_round_too_far_ahead_leads_to_the_board_and_says_why(game: Game) -> None:
    client = phone(game)

    answer = client.get(who_out(game, 9), follow=True)

    assert answer.redirect_chain == [(reverse("board", args=[game.slug]), 302)]
    assert "Round 9 is not next. The next one is round 7." in text(answer)


def test_there_is_no_round_0(game: Game) -> None:
    assert phone(game).get(who_out(game, 0)).status_code == 404


def test_hands_without_who_went_out_come_back_here(game: Game) -> None:
    answer = phone(game).get(reverse("hands", args=[game.slug, 7]))

    assert answer["Location"] == who_out(game, 7) + "?go=on"
    assert "data-go-on" in text(phone(game).get(answer["Location"]))


def test_a_player_who_left_is_not_asked(game: Game) -> None:
    game.players.filter(name="Ben").update(to_round=6)

    assert 'value="2"' not in text(phone(game).get(who_out(game, 7)))


def test_a_stranger_finds_nothing(game: Game, client: Client) -> None:
    assert client.get(who_out(game, 7)).status_code == 404


def test_a_watcher_may_not(game: Game) -> None:
    assert watcher(game).get(who_out(game, 7)).status_code == 403


def test_it_is_only_read(game: Game) -> None:
    assert phone(game).post(who_out(game, 7)).status_code == 405
