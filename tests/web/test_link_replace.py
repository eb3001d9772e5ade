"""«Stop this link and make a new one»: asked once, done by a POST, the phone that does it goes on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Game, Role
from games.selectors import links_of
from tests.cast import play, start
from tests.web.reading import words

pytestmark = pytest.mark.django_db

IN_SHEET = {"hx-request": "true"}


def stop(phone: Client, game: Game, face: str, link: object = None, **more: Any) -> Any:
    role = Role.SCORER if face == "score" else Role.VIEWER
    link = links_of(game)[role].pk if link is None else link
    return phone.post(reverse("link_replace", args=[game.slug]), {"face": face, "link": link}, **more)


def status(phone: Client, game: Game) -> int:
    return phone.get(reverse("board", args=[game.slug])).status_code


def test_a_stopped_view_link_shuts_every_watcher_out_at_once(
    phone: Client, watcher: Client, game: Game
) -> None:
    old = links_of(game)[Role.VIEWER]

    answer = stop(phone, game, "watch", follow=True)

    assert answer.redirect_chain == [(f"{reverse('share', args=[game.slug])}?face=watch", 302)]
    assert "The old link is stopped. This is the new one." in words(answer)
    new = links_of(game)[Role.VIEWER]
    assert (old.key in answer.content.decode(), new.key in answer.content.decode()) == (False, True)
    for page in ("board", "live", "tv", "tv_live", "share", "log", "more"):
        assert watcher.get(reverse(page, args=[game.slug])).status_code == 404
    assert watcher.get(reverse("open_viewer", args=[old.key])).status_code == 404
    assert watcher.get(reverse("open_viewer", args=[new.key])).status_code == 302
    assert status(watcher, game) == 200


def test_the_phone_that_stops_the_scorer_link_goes_on_and_the_others_do_not(
    phone: Client, game: Game, opens: Callable[..., Client]
) -> None:
    other, old = opens(Client(), game), links_of(game)[Role.SCORER]

    stop(phone, game, "score")

    assert status(other, game) == 404
    assert status(phone, game) == 200
    entry = reverse("round", args=[game.slug, 1])
    assert (phone.get(entry).status_code, other.get(entry).status_code) == (200, 404)
    api = f"/api/games/{game.slug}/"
    new = links_of(game)[Role.SCORER]
    answers = [
        Client().get(api, headers={"authorization": f"Bearer {key}"}).status_code
        for key in (old.key, new.key)
    ]
    assert answers == [401, 200]


def test_the_page_asks_first_and_says_who_loses_the_game(phone: Client, game: Game) -> None:
    watch = words(phone.get(reverse("share", args=[game.slug])))
    score = words(phone.get(reverse("share", args=[game.slug]), {"face": "score"}))

    assert "Every phone and television that watches by this link loses the game at once." in watch
    assert "Every other phone that keeps score by this link loses the game at once" in score
    assert "This phone goes on by the new link." in score


def test_a_link_that_was_replaced_meanwhile_is_not_stopped(phone: Client, game: Game) -> None:
    seen = links_of(game)[Role.VIEWER].pk
    stop(phone, game, "watch")
    sent_out = links_of(game)[Role.VIEWER]

    answer = stop(phone, game, "watch", link=seen, follow=True)

    assert "Nothing was stopped: somebody has just made this new link." in words(answer)
    assert links_of(game)[Role.VIEWER] == sent_out


def test_a_round_entered_meanwhile_does_not_keep_a_link_alive(phone: Client, game: Game) -> None:
    seen = links_of(game)[Role.VIEWER].pk
    play(game, (33, 2, 0, 31, 46))

    stop(phone, game, "watch", link=seen)

    assert links_of(game)[Role.VIEWER].pk != seen


def test_in_the_sheet_the_new_link_comes_as_a_sheet(phone: Client, game: Game) -> None:
    answer = stop(phone, game, "watch", headers=IN_SHEET, follow=True)

    page = answer.content.decode()
    assert "<html" not in page
    assert links_of(game)[Role.VIEWER].key in page


@pytest.mark.parametrize("link", ["", "x", "0", "-1", "9" * 30, "١"])
def test_a_form_without_its_link_stops_nothing(phone: Client, game: Game, link: str) -> None:
    before = links_of(game)
    assert stop(phone, game, "watch", link=link).status_code == 302
    assert links_of(game) == before


def test_it_stands_in_the_log_and_the_board_keeps_its_last_change(phone: Client, game: Game) -> None:
    play(game, (33, 2, 0, 31, 46))
    stop(phone, game, "watch", follow=True)
    stop(phone, game, "score", follow=True)

    log = words(phone.get(reverse("log", args=[game.slug])))
    assert "Link to watch stopped, new one made" in log
    assert "Link to keep score stopped, new one made" in log
    board = words(phone.get(reverse("board", args=[game.slug])))
    assert "Round 1 saved." in board
    assert "stopped" not in board


def test_a_watcher_may_not_stop_a_link_and_is_not_offered_it(watcher: Client, game: Game) -> None:
    before = links_of(game)
    for face in ("watch", "score"):
        assert stop(watcher, game, face).status_code == 403
        page = watcher.get(reverse("share", args=[game.slug]), {"face": face})
        assert reverse("link_replace", args=[game.slug]) not in page.content.decode()
    assert links_of(game) == before


def test_a_stranger_and_another_game_s_scorer_find_nothing(
    stranger: Client, game: Game, opens: Callable[..., Client]
) -> None:
    other = opens(Client(), start().sheet.game)
    assert stop(stranger, game, "watch").status_code == 404
    assert stop(other, game, "watch").status_code == 404


def test_reading_the_address_stops_nothing(phone: Client, game: Game) -> None:
    assert phone.get(reverse("link_replace", args=[game.slug])).status_code == 405


def test_it_needs_the_page_s_own_token(game: Game, opens: Callable[..., Client]) -> None:
    strict = opens(Client(enforce_csrf_checks=True), game)
    assert stop(strict, game, "watch").status_code == 403
