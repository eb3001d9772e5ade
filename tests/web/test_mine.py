"""All games of a phone as one file, and in again on a new one."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from games.files.export import as_json, game_data
from games.files.read import MOST_BYTES
from games.models import AccessKey, Game, LogEntry, Role
from games.web.mine import IMPORTS_PER_MINUTE
from tests.cast import play, start
from tests.web.reading import words

pytestmark = pytest.mark.django_db


def backup(phone: Client) -> bytes:
    return bytes(phone.get(reverse("my_games_file")).content)


def bring(phone: Client, raw: bytes, **more: Any) -> Any:
    return phone.post(reverse("bring_in"), {"file": SimpleUploadedFile("games.json", raw)}, **more)


def home(phone: Client) -> str:
    return words(phone.get(reverse("home")))


def test_the_backup_holds_the_games_this_phone_keeps_and_watches(
    phone: Client, game: Game, opens: Callable[..., Client]
) -> None:
    watched = start(name="Club").sheet.game
    start(name="Nobody's")
    opens(phone, watched, Role.VIEWER)

    data = json.loads(backup(phone))

    assert [(one["game"]["name"], one["role"]) for one in data["games"]] == [
        ("Club", "viewer"),
        ("Friday at Ruth’s", "scorer"),
    ]
    assert data["opens_games"] is True
    scorer_of_the_watched = AccessKey.objects.get(game=watched, role=Role.SCORER)
    assert scorer_of_the_watched.key not in backup(phone).decode()


def test_a_stopped_link_is_in_no_backup(phone: Client, game: Game) -> None:
    AccessKey.objects.filter(game=game).update(revoked_at=timezone.now())
    assert json.loads(backup(phone))["games"] == []


def test_the_page_warns_that_the_file_opens_the_games(phone: Client, stranger: Client) -> None:
    page = words(phone.get(reverse("my_games")))
    assert "1 game in which this phone keeps score." in page
    assert "This file opens your games." in page
    assert "No games on this phone yet" in words(stranger.get(reverse("my_games")))


def test_a_new_phone_gets_the_games_and_none_twice(phone: Client, game: Game) -> None:
    raw, new = backup(phone), Client()

    for _again in range(2):
        page = words(bring(new, raw, follow=True))
        assert "Here already, and open on this phone: “Friday at Ruth’s”." in page

    assert Game.objects.count() == 1
    assert "Friday at Ruth’s" in home(new)
    assert new.get(reverse("round", args=[game.slug, 1])).status_code == 200


def test_who_watched_still_only_watches(watcher: Client, game: Game) -> None:
    new = Client()
    bring(new, backup(watcher))
    assert new.get(reverse("board", args=[game.slug])).status_code == 200
    assert new.get(reverse("round", args=[game.slug, 1])).status_code == 403


def test_a_watcher_s_file_takes_nothing_from_who_keeps_score(
    phone: Client, watcher: Client, game: Game
) -> None:
    bring(phone, backup(watcher))
    assert phone.get(reverse("round", args=[game.slug, 1])).status_code == 200


def test_an_export_from_a_chat_opens_nothing_here(phone: Client, game: Game) -> None:
    raw = phone.get(reverse("file_json", args=[game.slug])).content
    new = Client()

    page = words(bring(new, raw, follow=True))

    assert "Here already: “Friday at Ruth’s”. Nothing was changed. Their own links open them." in page
    assert new.get(reverse("board", args=[game.slug])).status_code == 404
    assert "No games on this phone yet" in home(new)


def test_elsewhere_it_is_a_game_of_its_own(phone: Client, game: Game) -> None:
    play(game, (33, 2, 0, 31, 46))
    raw = phone.get(reverse("file_json", args=[game.slug])).content
    before = game_data(game)
    game.delete()
    new = Client()

    page = words(bring(new, raw, follow=True))

    assert "1 game brought in: “Friday at Ruth’s”." in page
    there = Game.objects.get()
    assert game_data(there) == before
    assert new.get(reverse("round", args=[there.slug, 2])).status_code == 200
    assert phone.get(reverse("board", args=[there.slug])).status_code == 404


def test_a_bad_file_is_refused_in_words_and_nothing_is_saved(stranger: Client, game: Game) -> None:
    data = game_data(game)
    data["log"][0]["after"]["players"] = ["Ruth", "<b>Ruth</b>", "ruth"]
    game.delete()

    page = bring(stranger, as_json(data).encode())

    assert page.status_code == 422
    assert "Nothing was brought in. “Friday at Ruth’s”: Its players or its rules cannot be." in words(page)
    assert not Game.objects.exists()
    assert not LogEntry.objects.exists()


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"{", "This file breaks off or was changed: line 1 cannot be read."),
        (b"[" * 100_000, "nested too deep"),
        (b"x" * 10_000_000, "This file is too large. A file of games has 5 MB at most."),
        (b" " * (MOST_BYTES + 1), "This file is too large."),
    ],
)
def test_a_hostile_upload_is_answered(stranger: Client, raw: bytes, said: str) -> None:
    page = bring(stranger, raw)
    assert page.status_code == 422
    assert said in words(page)


def test_no_more_of_an_upload_is_kept_than_is_allowed(stranger: Client) -> None:
    response = bring(stranger, b"x" * 10_000_000)
    assert response.wsgi_request.FILES["file"].size == MOST_BYTES + 1


@pytest.mark.parametrize("sent", [{}, {"file": "text"}])
def test_without_a_file_nothing_happens(stranger: Client, sent: dict[str, str]) -> None:
    page = stranger.post(reverse("bring_in"), sent)
    assert page.status_code == 422
    assert "No file was chosen." in words(page)


def test_a_file_without_games_says_so(stranger: Client) -> None:
    raw = b'{"format": "scorekeeper-games", "format_version": 1, "games": []}'
    assert "There is no game in this file." in words(bring(stranger, raw, follow=True))


def test_it_is_refused_without_the_page_s_token(game: Game) -> None:
    careful = Client(enforce_csrf_checks=True)
    assert bring(careful, as_json(game_data(game)).encode()).status_code == 403


@pytest.mark.usefixtures("one_minute")
def test_guessed_keys_are_counted(stranger: Client, game: Game, settings: Settings) -> None:
    settings.WRONG_KEYS_PER_MINUTE = 3
    data = game_data(game) | {"role": "scorer", "key": "guess"}
    raw = as_json({"format": "scorekeeper-games", "format_version": 1, "games": [data] * 4}).encode()
    assert bring(stranger, raw).status_code == 429
    assert stranger.get(reverse("board", args=[game.slug])).status_code == 404


@pytest.mark.usefixtures("one_minute")
def test_new_games_are_counted_as_new_games(stranger: Client, settings: Settings) -> None:
    settings.GAMES_PER_MINUTE = 1
    games = [game_data(start(name=f"Game {at}").sheet.game) for at in range(40)]
    Game.objects.all().delete()
    halves = [
        as_json({"format": "scorekeeper-games", "format_version": 1, "games": half}).encode()
        for half in (games[:30], games[30:], games[:1])
    ]
    assert [bring(Client(), half).status_code for half in halves] == [302, 302, 302]
    Game.objects.all().delete()
    assert bring(Client(), halves[0]).status_code == 429
    assert not Game.objects.exists()


@pytest.mark.usefixtures("one_minute")
def test_too_many_files_are_put_off(stranger: Client) -> None:
    codes = [bring(stranger, b"{").status_code for _time in range(IMPORTS_PER_MINUTE + 1)]
    assert codes == [422] * IMPORTS_PER_MINUTE + [429]


def test_more_new_games_than_a_phone_remembers_are_not_made(phone: Client, game: Game) -> None:
    games = [game_data(start(name=f"Game {at}").sheet.game) for at in range(60)]
    Game.objects.exclude(pk=game.pk).delete()
    raw = as_json({"format": "scorekeeper-games", "format_version": 1, "games": games}).encode()
    page = bring(phone, raw)
    assert page.status_code == 422
    assert "there is no room for 60 more" in words(page)
    assert Game.objects.count() == 1


@pytest.mark.parametrize("name", ["my_games", "my_games_file"])
def test_they_are_only_read(stranger: Client, name: str) -> None:
    assert stranger.get(reverse(name)).status_code == 200
    assert stranger.post(reverse(name)).status_code == 405


def test_the_backup_is_kept_in_no_cache(phone: Client) -> None:
    response = phone.get(reverse("my_games_file"))
    assert "no-store" in response["Cache-Control"]
    assert response["Content-Disposition"].startswith('attachment; filename="scorekeeper-20')


def test_home_leads_there(phone: Client, stranger: Client) -> None:
    assert f'href="{reverse("my_games")}"' in phone.get(reverse("home")).content.decode()
    for caller in (phone, stranger):
        assert f'href="{reverse("bring_in")}"' in caller.get(reverse("home")).content.decode()
