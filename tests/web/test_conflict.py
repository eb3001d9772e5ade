"""A round that two phones saved: nothing is lost, and nobody overwrites unasked."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from games.engine.rules import rule_set
from games.models import Game, LogEntry
from games.selectors import sheet_of
from games.services import Setup, game_set_up_anew, round_put
from tests.cast import FRIDAY, claim, play, start
from tests.web.at_the_table import SEVENTH, SIX, fields, phone, save, text

pytestmark = pytest.mark.django_db
NEW = "out=3&new=1"


@pytest.fixture
def game() -> Game:
    """Ann's phone has just saved round 7; the row still has the version that the other phone saw."""
    game = start().sheet.game
    play(game, *SIX)
    round_put(game=game, number=7, claim=claim((33, 2, 0, 13, 46)), who="Ann")
    return game


def mine(game: Game, **more: Any) -> Any:
    return save(phone(game), game, 7, NEW, fields(*SEVENTH, **more))


def test_both_are_shown_and_what_differs_is_said(game: Game) -> None:
    answer = mine(game)

    page = text(answer)
    assert answer.status_code == 409
    assert "Round 7 was saved twice" in page
    assert "Ann’s phone saved it" in page
    assert "Nothing is lost." in page
    assert page.count("≠ differs") == 1
    assert "<td>31</td><td>13</td>" in page
    assert "<td>112</td><td>94</td>" in page
    assert "Keep Ann’s" in page
    assert page.count('<b class="zero">0</b>') == 2


def test_nothing_was_written(game: Game) -> None:
    mine(game)

    known = sheet_of(game).round(7)
    assert known is not None
    assert known.hands[4].points == 13


def test_use_mine_writes_over_the_other_and_notes_why(game: Game) -> None:
    page = text(mine(game))
    game.refresh_from_db()
    assert f'name="version" value="{game.version}"' in page
    assert f"/g/{game.slug}/rounds/7/hands/?engine=6&amp;out=3&amp;fix=1" in page
    assert 'name="hand-4" value="31"' in page

    answer = save(
        phone(game), game, 7, "engine=6&out=3&fix=1", fields(*SEVENTH, sure="1", reason="Saved twice.")
    )

    assert answer.status_code == 302
    known = sheet_of(game).round(7)
    assert known is not None
    assert known.hands[4].points == 31
    entry = LogEntry.objects.filter(game=game).latest("number")
    assert (entry.action, entry.reason) == ("round_corrected", "Saved twice.")
    assert entry.before["rounds"]["7"]["hands"][3]["points"] == 13


def test_the_same_values_are_no_conflict(game: Game) -> None:
    answer = save(phone(game), game, 7, NEW, fields(33, 2, None, 13, 46))

    assert answer.status_code == 302
    assert LogEntry.objects.filter(game=game, round_number=7).count() == 1


def test_a_phone_without_a_name_is_the_other_phone(game: Game) -> None:
    LogEntry.objects.filter(game=game, round_number=7).update(who="")

    page = text(mine(game))

    assert "Another phone saved it" in page
    assert "Keep the other one" in page


def test_two_who_name_different_winners(game: Game) -> None:
    page = text(save(phone(game), game, 7, "out=2&new=1", fields(33, None, 2, 13, 46)))

    assert page.count("≠ differs") == 2


def test_blocked_or_not_differs_too(game: Game) -> None:
    page = text(save(phone(game), game, 7, "ended=blocked&new=1", fields(33, 2, 12, 13, 46)))

    assert "How it ended" in page


def test_two_corrections_of_one_round_collide(game: Game) -> None:
    game.refresh_from_db()
    round_put(game=game, number=7, claim=claim((33, 2, 0, 14, 46)), who="Ben")

    answer = save(phone(game), game, 7, "out=3&fix=1", fields(33, 2, None, 15, 46))

    assert answer.status_code == 409
    assert "Keep Ben’s" in text(answer)


def test_what_is_impossible_is_told_first(game: Game) -> None:
    assert save(phone(game), game, 7, NEW, fields(33, 1, None, 28, 1)).status_code == 422


def test_by_htmx_it_comes_as_the_same_page(game: Game) -> None:
    answer = phone(game).post(
        f"{reverse('hands', args=[game.slug, 7])}?{NEW}",
        fields(*SEVENTH, version=game.version),
        headers={"HX-Request": "true"},
    )

    assert answer.status_code == 409
    assert 'id="main"' in text(answer)


def test_players_who_were_changed_meanwhile_are_not_mistaken_for_each_other() -> None:
    game = start().sheet.game
    again = ("Ben", "Ruth", *FRIDAY[2:])
    game_set_up_anew(game=game, setup=Setup(players=again, rules=rule_set()))

    answer = save(phone(game), game, 1, NEW, fields(*SEVENTH))

    assert answer.status_code == 409
    assert "The game was changed meanwhile." in text(answer)
    assert not game.rounds.exists()


@pytest.mark.parametrize("version", ["x", "٧", "9" * 9, "9" * 30, "1" * 5000])
def test_a_version_that_never_was_overwrites_nothing(game: Game, version: str) -> None:
    answer = save(phone(game), game, 7, "out=3&fix=1", fields(*SEVENTH, version=version))

    assert answer.status_code == 409
    assert LogEntry.objects.latest("number").who == "Ann"
