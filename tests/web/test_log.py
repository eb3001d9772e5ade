"""The log: every change, newest first, with who, when, what and why."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Game
from games.services import change_redo, change_undo, game_finish, round_put, round_remove
from tests.cast import claim, play
from tests.web.reading import element, words

pytestmark = pytest.mark.django_db

FIRST = (33, 15, 0, 31, 46)


def lines(client: Client, game: Game) -> list[str]:
    page: Any = client.get(reverse("log", args=[game.slug]))
    assert page.status_code == 200
    body = element(page, '<ol class="log changes">', "</ol>")
    return [words(line) for line in body.split("<li>")[1:]]


def test_each_change_says_who_what_and_why(phone: Client, game: Game) -> None:
    play(game, FIRST, who="Ben")
    round_put(game=game, number=1, claim=claim((33, 51, 0, 31, 46)), who="Ruth", reason="Typing slip")
    newest, entered, started = lines(phone, game)

    assert newest.startswith("Ben, round 1, corrected Ruth,")
    assert newest.endswith("Ben, round 1: 51, was 15 Reason: Typing slip")
    assert entered.startswith("Round 1 entered Ben,")
    assert entered.endswith("Ruth 33, Ben 15, Chitra 0, Wilhelmina 31, Ann 46")
    assert started.startswith("Game started scorer link,")


def test_an_undo_names_what_it_undid(phone: Client, game: Game) -> None:
    play(game, FIRST)
    change_undo(game=game, who="Ann")
    change_redo(game=game, who="Ben")
    redone, undone = lines(phone, game)[:2]

    assert undone.startswith("Undone: Round 1 entered Ann,")
    assert undone.endswith("Ruth 33, Ben 15, Chitra 0, Wilhelmina 31, Ann 46")
    assert redone.startswith("Done again: Round 1 entered Ben,")


def test_a_round_taken_back_keeps_its_values(phone: Client, game: Game) -> None:
    play(game, FIRST)
    round_remove(game=game, number=1)
    assert lines(phone, game)[0].endswith("Ruth 33, Ben 15, Chitra 0, Wilhelmina 31, Ann 46")


def test_several_hands_of_a_round_are_listed_one_by_one(phone: Client, game: Game) -> None:
    play(game, FIRST)
    round_put(game=game, number=1, claim=claim((0, 15, 33, 31, 46)))
    newest = lines(phone, game)[0]

    assert newest.startswith("Round 1 corrected")
    assert "Ruth, round 1: 0, was 33 Chitra, round 1: 33, was 0" in newest


def test_more_than_scores_can_change(phone: Client, game: Game) -> None:
    play(game, FIRST)
    blocked = claim((33, 15, 1, 31, 46), ended="blocked")
    round_put(game=game, number=1, claim=blocked)
    assert "The round was blocked" in lines(phone, game)[0]

    round_put(game=game, number=1, claim=claim((33, 1, 1, 31, 0)), disputed=True, reason="Shuffled")
    assert "Somebody went out Saved as disputed" in lines(phone, game)[0]

    round_put(game=game, number=1, claim=claim((33, 15, 1, 31, 0)))
    assert "No longer disputed" in lines(phone, game)[0]

    told = claim((33, 15, 1, 31, 0), tile_count=None)
    round_put(game=game, number=1, claim=told)
    assert "No longer disputed" in lines(phone, game)[0], "the same again is no change"


def test_a_finished_game_says_so(phone: Client, game: Game) -> None:
    play(game, FIRST)
    game_finish(game=game, who="Ruth")
    assert lines(phone, game)[0].startswith("Game finished Ruth,")


def test_a_watcher_reads_it(watcher: Client, game: Game) -> None:
    assert len(lines(watcher, game)) == 1


def test_a_stranger_finds_nothing(stranger: Client, game: Game) -> None:
    assert stranger.get(reverse("log", args=[game.slug])).status_code == 404


def test_it_is_only_read(phone: Client, game: Game) -> None:
    assert phone.post(reverse("log", args=[game.slug])).status_code == 405
