"""A second person looks at a round and says that it is right."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Action, Game, LogEntry
from games.services import Started, game_finish, round_put
from tests.cast import claim, play, start
from tests.web.reading import words

pytestmark = pytest.mark.django_db

FIRST = (33, 18, 0, 31, 46)


@pytest.fixture
def started(db: None) -> Started:
    return start(name="Friday at Ruth’s", second_person=True)


def at(name: str, game: Game, *more: object) -> str:
    return reverse(name, args=[game.slug, *more])


def enter(phone: Client, game: Game) -> None:
    """Save round 1 on this phone."""
    form = {f"hand-{seat}": points for seat, points in enumerate(FIRST, start=1) if points}
    url = at("hands", game, 1) + "?out=3&new=1"
    assert phone.post(url, {"version": game.version, **form}).status_code == 302
    game.refresh_from_db()


def confirm(phone: Client, game: Game, version: int | None = None) -> Any:
    return phone.post(at("confirm", game, 1), {"version": version or game.version})


def confirmed(game: Game) -> bool:
    return game.rounds.get(number=1).confirmed


def board(phone: Client, game: Game) -> str:
    return words(phone.get(at("board", game)))


def test_the_numbers_are_read_and_confirmed(phone: Client, ben: Client, game: Game) -> None:
    enter(phone, game)
    assert "Round 1 is not confirmed yet. Look at it" in board(ben, game)
    page = ben.get(at("confirm", game, 1))
    assert "Is round 1 right?" in words(page)
    assert "Ben 18" in words(page)
    assert "They are right" in words(page)
    assert "hand-" not in page.content.decode()  # no field to change it in

    assert confirm(ben, game)["Location"] == at("board", game)
    assert confirmed(game)
    entry = LogEntry.objects.get(game=game, action=Action.CONFIRMED)
    assert entry.who == "Ben"
    assert "not confirmed" not in board(ben, game)
    assert "Round 1 is confirmed" in words(ben.get(at("confirm", game, 1)))
    assert "Round 1 confirmed" in words(ben.get(at("log", game)))


def test_the_phone_that_entered_it_does_not_confirm_it(phone: Client, game: Game) -> None:
    enter(phone, game)
    assert "Round 1 is not confirmed yet." in board(phone, game)
    assert "Look at it" not in board(phone, game)
    assert "Another phone confirms it." in words(phone.get(at("confirm", game, 1)))
    answer = confirm(phone, game)
    assert answer.status_code == 409
    assert "This phone entered round 1." in words(answer)
    assert not confirmed(game)


def test_another_phone_that_keeps_score_may_confirm(
    phone: Client, stranger: Client, game: Game, opens: Any
) -> None:
    enter(phone, game)
    assert confirm(opens(stranger, game), game).status_code == 302
    assert confirmed(game)


def test_a_phone_of_the_table_without_a_seat_is_asked_who_it_is(
    phone: Client, ben: Client, game: Game
) -> None:
    enter(phone, game)
    ben.post(at("seat", game), {"watch": 1})
    assert confirm(ben, game)["Location"] == at("seat", game)
    assert not confirmed(game)


def test_a_round_changed_meanwhile_is_shown_anew(phone: Client, ben: Client, game: Game) -> None:
    enter(phone, game)
    round_put(game=game, number=1, claim=claim((33, 28, 0, 31, 46)))
    answer = confirm(ben, game)
    assert answer.status_code == 409
    assert "Round 1 was changed meanwhile." in words(answer)
    assert "Ben 28" in words(answer)
    assert not confirmed(game)


def test_a_change_elsewhere_does_not_matter(phone: Client, ben: Client, game: Game) -> None:
    enter(phone, game)
    shown = game.version
    play(game, (0, 14, 26, 45, 51))
    assert confirm(ben, game, shown).status_code == 302
    assert confirmed(game)


def test_a_round_taken_back_meanwhile_leads_to_the_board(phone: Client, ben: Client, game: Game) -> None:
    enter(phone, game)
    game.rounds.all().delete()
    assert confirm(ben, game)["Location"] == at("board", game)


def test_not_right_leads_to_the_cells_and_changes_nothing(phone: Client, ben: Client, game: Game) -> None:
    enter(phone, game)
    page = ben.get(at("confirm", game, 1) + "?wrong=1")
    assert "Which number is not right?" in words(page)
    assert at("challenge", game, 1, 2) in page.content.decode()
    assert "They are right" not in words(page)
    assert not confirmed(game)


def test_the_board_marks_the_round_and_the_end_names_it(
    phone: Client, ben: Client, watcher: Client, game: Game
) -> None:
    enter(phone, game)
    page = board(watcher, game)
    assert "R1 ○" in page
    assert "Not confirmed yet: round 1" in page
    assert "Look at it" not in page
    game_finish(game=game)
    assert "Nobody confirmed round 1." in words(watcher.get(at("end", game)))
    game.refresh_from_db()
    confirm(ben, game)
    assert "Nobody confirmed" not in words(watcher.get(at("end", game)))


def test_a_game_without_the_wish_has_no_such_page(db: None, opens: Any) -> None:
    game = start().sheet.game
    play(game, FIRST)
    phone = opens(Client(), game)
    assert phone.get(at("confirm", game, 1)).status_code == 404
    assert "confirmed" not in board(phone, game)


def test_a_watcher_and_a_stranger_confirm_nothing(
    watcher: Client, stranger: Client, phone: Client, game: Game
) -> None:
    enter(phone, game)
    assert [confirm(one, game).status_code for one in (watcher, stranger)] == [403, 404]
    assert phone.delete(at("confirm", game, 1)).status_code == 405


def test_the_wish_is_told_at_the_start_and_kept_for_a_rematch(stranger: Client) -> None:
    form = {"do": "start", "player": ["Ann", "Ben"], "second_person": "on"}
    answer = stranger.post(reverse("new"), form)
    game = Game.objects.get()
    assert answer["Location"] == at("board", game)
    assert game.second_person
    again = stranger.get(reverse("new"), {"again": game.slug}).content.decode()
    assert 'name="second_person" checked' in again
    assert 'name="second_person" checked' not in stranger.get(reverse("new")).content.decode()

    stranger.post(at("set_up", game), {"do": "start", "player": ["Ann", "Ben"], "version": game.version})
    game.refresh_from_db()
    assert not game.second_person
