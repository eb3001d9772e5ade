"""Hands from own phones on the scorer's page: they fill empty rows, and what was typed stays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Game
from games.selectors import sheet_of
from tests.web.reading import element, words

pytestmark = pytest.mark.django_db


def hands(game: Game, query: str = "?out=3") -> str:
    return reverse("hands", args=[game.slug, 1]) + query


def news(phone: Client, game: Game, stamp: str) -> Any:
    return phone.get(reverse("hands_in", args=[game.slug, 1]), {"v": stamp})


def tell(phone: Client, game: Game, seat: int, **form: Any) -> None:
    assert phone.post(reverse("my_hand", args=[game.slug]), {"round": 1, **form}).status_code == 302


def field(page: Any, seat: int) -> str:
    return element(page, f'<input class="inp fig" id="hand-{seat}"', ">")


def test_a_page_opened_later_has_them_in_its_rows(phone: Client, ben: Client, game: Game) -> None:
    tell(ben, game, 2, **{"hand-2": "18", "count-2": "3"})
    page = phone.get(hands(game))
    assert 'value="18"' in field(page, 2)
    assert 'value=""' in field(page, 5)
    assert "Ben’s phone says 18." in words(page)
    assert "Still to come: Ruth, Wilhelmina, Ann." in words(page)


def test_an_open_page_asks_for_them_by_one_query(
    phone: Client, ben: Client, ann: Client, game: Game, django_assert_num_queries: Callable[..., Any]
) -> None:
    stamp = Game.objects.get(pk=game.pk).stamp
    with django_assert_num_queries(2):  # whose key it is, and the stamp
        assert news(phone, game, stamp).status_code == 204
    tell(ben, game, 2, **{"hand-2": "9-6 4-4"})
    answer = news(phone, game, stamp)
    line = element(answer, '<li data-for="2"', ">")
    assert 'data-value="9-6 4-4"' in line
    assert 'data-sent="from Ben’s phone"' in line
    assert 'data-sent="on an own phone"' in element(answer, '<li data-for="5"', ">")
    assert f"?v={Game.objects.get(pk=game.pk).stamp}" in answer.content.decode()


def test_what_the_scorer_typed_is_saved_and_a_refused_page_says_what_the_phone_said(
    phone: Client, ben: Client, game: Game
) -> None:
    tell(ben, game, 2, **{"hand-2": "18"})
    form = {"version": game.version, "hand-1": "33", "hand-2": "28", "hand-4": "31"}
    refused = phone.post(hands(game, "?out=3&new=1"), form)
    assert refused.status_code == 422
    assert 'value="28"' in field(refused, 2)
    assert "Ben’s phone says 18." in words(refused)

    phone.post(hands(game, "?out=3&new=1"), form | {"hand-5": "46"})
    assert sheet_of(game).rounds[0].hands[2].points == 28


def test_the_scorer_enters_for_anyone_and_closes_alone(phone: Client, ben: Client, game: Game) -> None:
    form = {"version": game.version, "hand-1": "33", "hand-2": "28", "hand-4": "31", "hand-5": "46"}
    assert phone.post(hands(game, "?out=3&new=1"), form).status_code == 302
    assert news(phone, game, "").status_code == 200  # the round is in: nothing is asked for any more
    assert "data-for" not in news(phone, game, "").content.decode()


def test_who_went_out_by_the_own_phone_is_told_where_it_is_asked(
    phone: Client, ben: Client, game: Game
) -> None:
    tell(ben, game, 2, out="1")
    page = words(phone.get(reverse("round", args=[game.slug, 1])))
    assert "Ben went out, says the own phone" in page
    assert "Ben’s phone says: went out." in words(phone.get(hands(game)))


def test_two_hands_with_one_tile_are_told_to_the_scorer(
    phone: Client, ben: Client, ann: Client, game: Game
) -> None:
    tell(ben, game, 2, **{"hand-2": "9-6"})
    tell(ann, game, 5, **{"hand-5": "9-6", "sure": "1"})
    assert "9-6 is in two hands." in words(phone.get(hands(game)))


def test_a_watcher_a_seat_and_a_stranger_do_not_see_them(
    watcher: Client, ben: Client, stranger: Client, game: Game
) -> None:
    assert [news(one, game, "").status_code for one in (watcher, ben, stranger)] == [403, 403, 404]


def test_it_is_only_read(phone: Client, game: Game) -> None:
    assert phone.post(reverse("hands_in", args=[game.slug, 1])).status_code == 405
