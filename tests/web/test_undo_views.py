"""Undo, Redo, finishing early, taking back: a POST with the version shown, and back to the board."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Game, Status
from games.selectors import sheet_of
from games.services import change_undo, round_put
from tests.cast import claim, play
from tests.web.reading import words

pytestmark = pytest.mark.django_db

FIRST, SECOND = (33, 2, 0, 31, 46), (0, 14, 26, 45, 51)
ACTIONS = [("undo", []), ("redo", []), ("finish", []), ("round_remove", [2])]


@pytest.fixture
def played(game: Game) -> Game:
    play(game, FIRST, SECOND)
    return game


def post(client: Client, name: str, game: Game, *args: int, version: object = None, **more: Any) -> Any:
    shown = game.version if version is None else version
    return client.post(reverse(name, args=[game.slug, *args]), {"version": shown}, **more)


def rounds(game: Game) -> int:
    return len(sheet_of(Game.objects.get(pk=game.pk)).rounds)


def test_undo_reverses_the_last_change_and_redo_brings_it_back(phone: Client, played: Game) -> None:
    assert post(phone, "undo", played).url == reverse("board", args=[played.slug])
    assert rounds(played) == 1

    played.refresh_from_db()
    assert post(phone, "redo", played).status_code == 302
    assert rounds(played) == 2


def test_the_device_says_who(phone: Client, played: Game) -> None:
    post(phone, "undo", played)
    assert played.log.latest("number").who == ""


def test_finishing_early_leads_to_the_result(phone: Client, played: Game) -> None:
    assert post(phone, "finish", played).url == reverse("end", args=[played.slug])
    played.refresh_from_db()
    assert played.status == Status.FINISHED


def test_the_last_round_is_taken_back(phone: Client, played: Game) -> None:
    post(phone, "round_remove", played, 2)
    assert rounds(played) == 1


def test_an_earlier_round_stays_and_the_board_says_why(phone: Client, played: Game) -> None:
    page = words(post(phone, "round_remove", played, 1, follow=True))
    assert rounds(played) == 2
    assert "Only the last round can be taken back. That is round 2." in page


def test_nothing_to_undo_or_redo_is_said(phone: Client, game: Game) -> None:
    assert "There is nothing to undo." in words(post(phone, "undo", game, follow=True))
    assert "There is nothing to do again." in words(post(phone, "redo", game, follow=True))


@pytest.mark.parametrize(("name", "args"), ACTIONS)
def test_an_old_page_changes_nothing_and_names_what_came_between(
    phone: Client, played: Game, name: str, args: list[int]
) -> None:
    shown = played.version
    round_put(game=played, number=1, claim=claim((33, 15, 0, 31, 46)), who="Ann")
    page = words(post(phone, name, played, *args, version=shown, follow=True))

    assert rounds(played) == 2
    assert played.log.latest("number").who == "Ann"
    assert "Nothing was changed: the game had moved on." in page
    assert "Newest change: Ben, round 1, corrected (Ann)." in page


def test_a_second_press_undoes_nothing_more(phone: Client, played: Game) -> None:
    post(phone, "undo", played)
    post(phone, "undo", played)
    assert rounds(played) == 1


@pytest.mark.parametrize("version", ["", "x", "1" * 12])
def test_a_form_without_a_version_is_as_good_as_an_old_one(phone: Client, played: Game, version: str) -> None:
    post(phone, "undo", played, version=version)
    assert rounds(played) == 2


def test_undoing_the_end_takes_the_game_up_again(phone: Client, played: Game) -> None:
    post(phone, "finish", played)
    change_undo(game=played)
    played.refresh_from_db()
    assert played.status == Status.PLAYING


@pytest.mark.parametrize(("name", "args"), ACTIONS)
def test_a_watcher_may_not(watcher: Client, played: Game, name: str, args: list[int]) -> None:
    assert post(watcher, name, played, *args).status_code == 403
    assert rounds(played) == 2


@pytest.mark.parametrize(("name", "args"), ACTIONS)
def test_a_stranger_finds_nothing(stranger: Client, played: Game, name: str, args: list[int]) -> None:
    assert post(stranger, name, played, *args).status_code == 404


@pytest.mark.parametrize(("name", "args"), ACTIONS)
def test_a_page_that_is_only_read_changes_nothing(
    phone: Client, played: Game, name: str, args: list[int]
) -> None:
    assert phone.get(reverse(name, args=[played.slug, *args])).status_code == 405
    assert rounds(played) == 2
