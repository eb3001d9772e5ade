"""Abandoning, deleting and bringing back, as phones see it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from games.files.export import as_json, backup_data, game_data
from games.models import AccessKey, Game, LogEntry, Role
from games.removal import game_abandon, game_delete
from games.services import game_finish
from tests.cast import play, start
from tests.web.at_the_table import phone as named_phone
from tests.web.reading import words

pytestmark = pytest.mark.django_db

ROUND = (33, 2, 0, 31, 46)
GAME_PAGES = (
    "board",
    "live",
    "more",
    "end",
    "log",
    "tv",
    "tv_live",
    "files",
    "file_text",
    "file_json",
    "share",
)


def put(phone: Client, name: str, game: Game, version: int | None = None) -> str:
    game.refresh_from_db()
    shown = game.version if version is None else version
    answer = phone.post(reverse(name, args=[game.slug]), {"version": shown}, follow=True)
    return words(answer)


def get(phone: Client, name: str, game: Game) -> str:
    return words(phone.get(reverse(name, args=[game.slug])))


@pytest.mark.parametrize("name", ["delete", "abandon"])
def test_it_is_asked_on_a_page_of_its_own_and_only_the_button_does_it(
    phone: Client, game: Game, name: str
) -> None:
    for page in ("more", "end"):
        assert reverse(name, args=[game.slug]) in phone.get(reverse(page, args=[game.slug])).content.decode()
    page = get(phone, name, game)

    assert "30 days" in page
    assert ("Delete this game?" if name == "delete" else "Abandon this game?") in page
    assert LogEntry.objects.filter(game=game).count() == 1


@pytest.mark.parametrize("name", ["delete", "abandon"])
def test_a_watcher_is_not_even_shown_it(watcher: Client, game: Game, name: str) -> None:
    for page in ("more", "end", "board"):
        assert f"/{name}/" not in watcher.get(reverse(page, args=[game.slug])).content.decode()
    assert watcher.get(reverse(name, args=[game.slug])).status_code == 403


@pytest.mark.parametrize("name", ["delete", "abandon", "restore"])
def test_a_page_of_an_older_state_does_nothing_and_says_so(phone: Client, game: Game, name: str) -> None:
    play(game, ROUND, who="Ben")
    said = put(phone, name, game, version=1)

    assert "Nothing was changed: the game had moved on. Newest change: Round 1 entered (Ben)." in said
    game.refresh_from_db()
    assert (game.deleted_at, game.abandoned_at) == (None, None)


def test_an_abandoned_game_has_no_winner_anywhere(phone: Client, watcher: Client, game: Game) -> None:
    play(game, ROUND)
    page = put(phone, "abandon", game)

    assert "Nobody has won" in page
    assert "Abandoned after 1 of 13 rounds" in page
    for who in (phone, watcher):
        end = who.get(reverse("end", args=[game.slug])).content.decode()
        assert "podium" not in end
        assert "Chitra" in end  # the standing is still to be read
        assert "decided it" not in end
        assert "Abandoned after 1 of 13 rounds" in words(who.get(reverse("home")))
        for name in ("board", "tv", "file_text", "file_picture", "end"):
            text = get(who, name, game)
            assert "Abandoned" in text
            assert "wins" not in text
            assert "leads" not in text


def test_it_is_taken_up_again_from_the_result(phone: Client, game: Game) -> None:
    play(game, ROUND)
    game_abandon(game=game)
    assert "Take it up again" in get(phone, "end", game)
    assert "Take it up again" in get(phone, "more", game)
    assert "Enter round 2" in put(phone, "restore", game)
    assert "Game taken up again." in get(phone, "board", game)


def test_a_finished_game_is_told_that_it_is(phone: Client, game: Game) -> None:
    play(game, ROUND)
    game_finish(game=game)
    assert "Only a game that is still played can be abandoned." in get(phone, "abandon", game)
    assert "Only a game that is still played can be abandoned." in put(phone, "abandon", game)


def test_a_deleted_game_is_not_found_by_those_who_watched(
    phone: Client, watcher: Client, game: Game, stranger: Client
) -> None:
    key = AccessKey.objects.get(game=game, role=Role.VIEWER).key
    link = reverse("open_viewer", args=[key])
    put(phone, "delete", game)

    for name in GAME_PAGES:
        answer = watcher.get(reverse(name, args=[game.slug]))
        assert answer.status_code == 404
        assert "Friday" not in answer.content.decode()
    assert words(watcher.get(reverse("board", args=[game.slug]))) == words(watcher.get("/g/nowhere/"))
    assert stranger.get(link).status_code == 404
    assert "Friday" not in words(watcher.get(reverse("home")))
    assert watcher.post(reverse("restore", args=[game.slug])).status_code == 404


def test_a_phone_that_keeps_score_is_told_until_when_and_brings_it_back(game: Game) -> None:
    phone = named_phone(game, who="Ruth’s phone")
    assert "Friday at Ruth’s is deleted." in put(phone, "delete", game)
    day = f"{game.created_at:%-d %b}"

    for name in GAME_PAGES:
        answer = phone.get(reverse(name, args=[game.slug]))
        assert answer.status_code == 404
        if "live" not in name:
            assert f"Deleted on {day} by Ruth’s phone" in words(answer)
            assert "Gone for good on" in words(answer)
            assert "Bring it back" in words(answer)
    home = words(phone.get(reverse("home")))
    assert "Deleted games (1)" in home
    assert "Friday" not in home
    assert f"Deleted on {day} by Ruth’s phone" in words(phone.get(reverse("deleted_games")))

    assert "Friday at Ruth’s" in put(phone, "restore", game)
    assert "Friday at Ruth’s" in words(phone.get(reverse("home")))
    assert "Deleted games" not in words(phone.get(reverse("home")))


def test_the_link_to_keep_score_leads_to_what_brings_it_back(game: Game, stranger: Client) -> None:
    game_delete(game=game)
    key = AccessKey.objects.get(game=game, role=Role.SCORER).key
    page = words(stranger.get(reverse("open_scorer", args=[key]), follow=True))
    assert "Bring it back" in page


def test_what_was_typed_for_a_game_deleted_meanwhile_is_not_saved(
    phone: Client, game: Game, opens: Callable[..., Client]
) -> None:
    other = opens(Client(), game)
    put(other, "delete", game)
    answer = phone.post(
        reverse("hands", args=[game.slug, 1]) + "?out=3&new=1", {"version": 1, "hand-1": "33"}
    )
    assert answer.status_code == 404
    assert "Bring it back" in words(answer)
    assert not game.rounds.exists()


def test_a_file_of_a_game_deleted_here_makes_no_second_one(
    phone: Client, game: Game, stranger: Client
) -> None:
    alone = as_json(game_data(game)).encode()
    keys = AccessKey.objects.filter(game=game, role=Role.SCORER).select_related("game")
    backup = as_json(backup_data(keys)).encode()
    game_delete(game=game)

    for data in (alone, backup):
        page = words(bring_in(stranger, data))
        assert "Deleted here: “Friday at Ruth’s”." in page
        assert Game.objects.count() == 1
    assert "Deleted games (1)" in words(stranger.get(reverse("home")))  # the backup's key can bring it back


def bring_in(phone: Client, data: bytes) -> object:
    from django.core.files.uploadedfile import SimpleUploadedFile

    file = SimpleUploadedFile("game.json", data)
    return phone.post(reverse("bring_in"), {"file": file}, follow=True)


def test_many_deleted_games_are_listed_in_a_few_queries(
    opens: Callable[..., Client], stranger: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(5):
        game = start(name=f"Game {number}").sheet.game
        opens(stranger, game)
        game_delete(game=game, who=f"Phone {number}")
    with django_assert_max_num_queries(4):
        page = words(stranger.get(reverse("deleted_games")))
    for number in range(5):
        assert f"Game {number} Deleted on" in page
        assert f"by Phone {number}." in page


def test_all_my_games_leave_out_a_deleted_one(phone: Client, game: Game) -> None:
    put(phone, "delete", game)
    assert phone.get(reverse("my_games_file")).json()["games"] == []


def test_without_a_deleted_game_the_list_says_so(stranger: Client) -> None:
    assert "No deleted game" in words(stranger.get(reverse("deleted_games")))


def test_a_game_brought_back_offers_to_undo_what_undo_would_undo(phone: Client, game: Game) -> None:
    play(game, ROUND)
    put(phone, "delete", game)
    assert "Round 1 saved. Undo" in put(phone, "restore", game)


def test_a_score_of_a_deleted_game_is_not_disputed(phone: Client, game: Game) -> None:
    play(game, (33, 2, 0, 31, 46))
    game_delete(game=game, who="Ruth")
    address = reverse("challenge", args=[game.slug, 1, 2])
    for answer in (phone.get(address), phone.post(address, {"reason": "I saw it", "version": "2"})):
        assert answer.status_code == 404
        assert "Bring it back" in words(answer)
