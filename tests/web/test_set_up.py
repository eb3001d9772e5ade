"""Players and rules can be changed until round 1 is in; afterwards the page is the frozen card in words."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Game, LogEntry
from games.selectors import sheet_of
from tests.cast import FRIDAY, play
from tests.web.test_new import form, names_in, text

pytestmark = pytest.mark.django_db


def address(game: Game) -> str:
    return reverse("set_up", args=[game.slug])


def put(client: Client, game: Game, *names: str, **more: Any) -> Any:
    return client.post(address(game), form(*names, set_auto="", version=str(game.version), **more))


def test_the_form_shows_the_game_as_it_is(phone: Client, game: Game) -> None:
    response = phone.get(address(game))

    assert names_in(response) == list(FRIDAY)
    assert 'value="Friday at Ruth’s"' in response.content.decode()
    assert "Keep this set-up" in text(response)


def test_other_players_and_rules_are_kept_with_a_line_in_the_log(phone: Client, game: Game) -> None:
    response = put(phone, game, "Ruth", "Ben", "Zoë", double_blank="25", first_engine="9")

    assert response.status_code == 302
    assert response["Location"] == reverse("board", args=[game.slug])
    sheet = sheet_of(Game.objects.get())
    assert [player.name for player in sheet.players] == ["Ruth", "Ben", "Zoë"]
    assert (sheet.rules.double_blank, sheet.game.first_engine, sheet.game.round_count) == (25, 9, 10)
    assert LogEntry.objects.last() == LogEntry.objects.get(action="setup_changed")


def test_names_that_cannot_be_are_refused_and_kept_as_typed(phone: Client, game: Game) -> None:
    response = put(phone, game, "Ruth", "ruth")

    assert response.status_code == 422
    assert "The name Ruth is taken. Add a letter: Ruth K?" in text(response)
    assert names_in(response) == ["Ruth", "ruth"]
    assert Game.objects.get().version == 1


def test_a_button_that_changes_the_form_writes_nothing(phone: Client, game: Game) -> None:
    response = put(phone, game, "Ruth", "Ben", do="first:2")

    assert response.status_code == 200
    assert names_in(response) == ["Ben", "Ruth"]
    assert "Keep this set-up" in text(response)
    assert Game.objects.get().version == 1


def test_a_change_meanwhile_is_told_and_the_form_kept(phone: Client, game: Game) -> None:
    put(phone, game, "Ruth", "Ben")

    response = put(phone, game, "Ruth", "Cho")

    assert response.status_code == 409
    assert "This game was changed meanwhile." in text(response)
    assert names_in(response) == ["Ruth", "Cho"]
    assert 'name="version" value="2"' in response.content.decode()


def test_after_round_1_the_card_is_shown_in_words_with_its_sources(phone: Client, game: Game) -> None:
    play(game, (0, 20, 36, 41, 55))

    page = text(phone.get(address(game)))

    assert "Round 1 is in: these rules stay for this game." in page
    assert "A drawn tile that fits May be kept A9" in page
    assert "Several open doubles Close in any order our reading" in page
    assert "Tiles each 12 tiles A2" in page
    assert "Each blank half left" not in page


def test_after_round_1_nothing_is_changed_any_more(phone: Client, game: Game) -> None:
    play(game, (0, 20, 36, 41, 55))

    for response in (put(phone, game, "Ruth", "Ben"), phone.post(address(game), form("Ruth", "Ben"))):
        assert response.status_code == 409
        assert "Not changed. Round 1 is in" in text(response)
    assert sheet_of(Game.objects.get()).players[4].name == "Ann"


def test_a_watcher_reads_the_card_and_changes_nothing(watcher: Client, game: Game) -> None:
    page = watcher.get(address(game))

    assert "Whoever keeps score can change these until round 1 is saved." in text(page)
    assert "<form" not in page.content.decode()
    assert put(watcher, game, "Ruth", "Ben").status_code == 403


def test_a_stranger_finds_nothing(stranger: Client, game: Game) -> None:
    assert stranger.get(address(game)).status_code == 404
    assert put(stranger, game, "Ruth", "Ben").status_code == 404


def test_another_method_is_refused(phone: Client, game: Game) -> None:
    assert phone.delete(address(game)).status_code == 405


def test_a_set_up_sent_twice_is_no_conflict(phone: Client, game: Game) -> None:
    answers = [put(phone, game, "Ruth", "Ben", "Zoë") for _ in range(2)]

    assert [answer.status_code for answer in answers] == [302, 302]
    assert LogEntry.objects.filter(action="setup_changed").count() == 1


@pytest.mark.parametrize("version", ["", "x", "9" * 30])
def test_a_form_without_a_version_that_was_overwrites_nothing(
    phone: Client, game: Game, version: str
) -> None:
    response = phone.post(address(game), form("Ruth", "Zoë", set_auto="", version=version))

    assert response.status_code == 409
    assert [player.name for player in sheet_of(game).players] == list(FRIDAY)
