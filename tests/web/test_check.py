"""The line above the pad: what is typed so far, judged in words."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Game
from tests.cast import FOURTEEN, play, start
from tests.web.at_the_table import SIX, fields, phone, text, watcher

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    game = start().sheet.game
    play(game, *SIX)
    return game


def check(game: Game, number: int, data: dict[str, Any], way: str = "out=3&new=1") -> str:
    address = reverse("check", args=[game.slug, number])
    answer = phone(game).post(f"{address}?{way}", data)
    assert answer.status_code == 200
    return text(answer)


def test_a_hand_can_be_right_and_the_others_are_still_to_come(game: Game) -> None:
    line = check(game, 7, fields("10+15+8", "", None, "", "", at="1"))

    assert "33 can be right." in line
    assert "Still to come: Ben, Wilhelmina, Ann." in line
    assert "3 to come." in line
    assert 'data-bad=""' in line


def test_a_big_table_is_counted() -> None:
    game = start(FOURTEEN, max_pip=18).sheet.game

    line = check(game, 1, fields(61, 44, None, 57, 43, at="5"))

    assert "43 can be right." in line
    assert "5 of 14 are in." in line


def test_all_are_in(game: Game) -> None:
    assert "All 5 are in." in check(game, 7, fields(33, 2, None, 31, 46, at="5"))


def test_nothing_is_said_of_what_is_not_typed(game: Game) -> None:
    line = check(game, 7, fields("", "", "", "", ""), way="new=1")

    assert "no points yet" not in line
    assert "Who went out" not in line


def test_every_problem_is_told_and_its_rows_named(game: Game) -> None:
    line = check(game, 7, fields(31, "2000", None, "", "8-5 6-6", count_1="1", at="1"))

    assert "one tile cannot be worth 31" in line
    assert "Ben: no hand is worth" in line
    assert "6-6 is this round’s engine." in line
    assert 'data-bad="1 2 5 "' in line


def test_unfinished_text_is_not_held_against_the_one_who_types(game: Game) -> None:
    typing, left = fields("", "8-", None, at="2"), fields("", "8-", None, at="1")

    assert "cannot be read" not in check(game, 7, typing)
    assert "Ben: “8-” cannot be read." in check(game, 7, left)


def test_what_is_unusual_is_told_without_a_question_to_answer(game: Game) -> None:
    line = check(game, 7, fields(300, at="1"))

    assert "Ruth: 300 points is unusual." in line
    assert "Yes, save it" not in line


def test_it_saves_nothing(game: Game) -> None:
    check(game, 7, fields(33, 2, None, 31, 46))

    assert game.rounds.count() == 6


def test_names_and_text_are_escaped() -> None:
    game = start(("<b>Bo</b>", "Ann")).sheet.game

    line = check(game, 1, fields("<i>", "", at="2"), way="out=2&new=1")

    assert "&lt;b&gt;Bo&lt;/b&gt;: “&lt;i&gt;” cannot be read." in line


def test_a_round_that_cannot_be_entered_is_not_found(game: Game) -> None:
    assert phone(game).post(reverse("check", args=[game.slug, 9]), {}).status_code == 404


def test_a_stranger_finds_nothing(game: Game, client: Client) -> None:
    assert client.post(reverse("check", args=[game.slug, 7]), {}).status_code == 404


def test_a_watcher_may_not(game: Game) -> None:
    assert watcher(game).post(reverse("check", args=[game.slug, 7]), {}).status_code == 403


def test_it_is_only_posted(game: Game) -> None:
    assert phone(game).get(reverse("check", args=[game.slug, 7])).status_code == 405


@pytest.mark.parametrize("at", ["", "x", "99", "٣", "1" * 5000])
def test_a_field_that_is_not_there_is_nobodys(game: Game, at: str) -> None:
    assert "Still to come" in check(game, 7, fields(33, at=at))
