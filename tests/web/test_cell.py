"""The history of one score: a sheet over the board, and a page of its own."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.engine.scoring import HandClaim, RoundClaim
from games.models import Game
from games.services import change_undo, round_put, round_remove
from tests.cast import claim, play, start
from tests.web.reading import element, words

pytestmark = pytest.mark.django_db

FIRST = (33, 15, 0, 31, 46)
CORRECTED = (33, 51, 0, 31, 46)


def url(game: Game, number: int = 1, seat: int = 2) -> str:
    return reverse("cell", args=[game.slug, number, seat])


def history(page: Any) -> str:
    return words(element(page, '<ol class="log">', "</ol>"))


@pytest.fixture
def corrected(game: Game) -> Game:
    play(game, FIRST, who="Ben")
    round_put(game=game, number=1, claim=claim(CORRECTED), who="Ruth", reason="Typing slip")
    game.refresh_from_db()
    return game


def test_it_keeps_every_value_with_who_and_why(phone: Client, corrected: Game) -> None:
    page = phone.get(url(corrected))

    assert page.status_code == 200
    assert "51 points, was 15" in words(page)
    lines = history(page)
    assert lines.startswith("51 Changed by Ruth")
    assert "Reason: Typing slip 15 First entered by Ben" in lines
    assert "<s>15</s>" in page.content.decode()


def test_an_undone_value_stays_too(phone: Client, corrected: Game) -> None:
    change_undo(game=corrected, who="Ann")
    assert history(phone.get(url(corrected))).startswith("15 Undone by Ann")


def test_a_round_that_was_gone_in_between_says_so(phone: Client, corrected: Game) -> None:
    round_remove(game=corrected, number=1, who="Ann")
    change_undo(game=corrected, who="Ruth")
    lines = history(phone.get(url(corrected)))
    assert lines.startswith("51 Undone by Ruth")
    assert "– Taken back by Ann" in lines


def test_who_went_out_is_said_instead_of_points(phone: Client, corrected: Game) -> None:
    assert "0 went out" in words(phone.get(url(corrected, seat=3)))


def test_over_the_board_it_comes_without_the_page(phone: Client, corrected: Game) -> None:
    sheet = phone.get(url(corrected), headers={"hx-request": "true"})

    assert "<html" not in sheet.content.decode()
    assert '<h2 id="sheet-title">Ben, round 1</h2>' in sheet.content.decode()
    assert sheet["HX-Push-Url"] == "false"
    assert "<h1" in phone.get(url(corrected)).content.decode()


def test_it_leads_to_the_correction_and_to_the_whole_round(phone: Client, corrected: Game) -> None:
    page = phone.get(url(corrected)).content.decode()
    assert reverse("correct", args=[corrected.slug, 1, 2]) in page
    assert reverse("round_sheet", args=[corrected.slug, 1]) in page


def test_what_counts_may_differ_from_the_points_left(opens: Any) -> None:
    game = start(["Ann", "Ben", "Chitra"], open_marker=10, out_bonus=5).sheet.game
    phone = opens(Client(), game)
    play(game, (0, 13, 53))

    assert "-5 went out" in words(phone.get(url(game, seat=1)))
    assert "0 points left in the hand" in words(phone.get(url(game, seat=1)))


def test_tiles_and_their_number_are_told(opens: Any) -> None:
    game = start(["Ann", "Ben", "Chitra"]).sheet.game
    phone = opens(Client(), game)
    told = claim((0, None, 18))
    hands = (*told.hands[:1], HandClaim(2, tiles=("5-5", "2-1")), HandClaim(3, points=18, tile_count=3))
    round_put(game=game, number=1, claim=RoundClaim(engine=12, ended="out", hands=hands))

    assert "5-5 2-1" in words(phone.get(url(game, seat=2)))
    assert "3 tiles" in words(phone.get(url(game, seat=3)))


@pytest.mark.parametrize(("number", "seat"), [(2, 1), (0, 1), (1, 6), (1, 0)])
def test_a_score_that_is_not_there_is_not_found(
    phone: Client, corrected: Game, number: int, seat: int
) -> None:
    assert phone.get(url(corrected, number, seat)).status_code == 404


def test_a_watcher_reads_it_and_cannot_correct_it(watcher: Client, corrected: Game) -> None:
    page = watcher.get(url(corrected))
    assert page.status_code == 200
    assert "Correct this score" not in words(page)


def test_a_stranger_finds_nothing(stranger: Client, corrected: Game) -> None:
    assert stranger.get(url(corrected)).status_code == 404


def test_it_is_only_read(phone: Client, corrected: Game) -> None:
    assert phone.post(url(corrected)).status_code == 405
