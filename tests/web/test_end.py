"""The result: who won, who is where, and what decided each place."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Game
from games.services import game_finish, round_put
from tests.cast import claim, play, start
from tests.web.reading import element, words

pytestmark = pytest.mark.django_db

# Chitra 248, Ben and Wilhelmina 297, Ann 299, Ruth 376.
RUTHS = (
    (90, 0, 60, 11, 20),
    (80, 2, 0, 86, 50),
    (70, 100, 88, 0, 70),
    (80, 0, 50, 200, 100),
    (56, 195, 50, 0, 59),
)


@pytest.fixture
def at(opens: Callable[..., Client]) -> Callable[..., Any]:
    """The result page of a game of these rounds, one tuple a round."""

    def page(*rounds: tuple[int, ...], why: str = "", finish: bool = False, **setup: Any) -> Any:
        setup.setdefault("rounds", max(len(rounds), 1))
        game = start(**setup).sheet.game
        phone = opens(Client(), game)
        play(game, *rounds)
        if finish:
            game_finish(game=game)
        return phone.get(reverse("end", args=[game.slug]), {"why": why} if why else {})

    return page


def podium(page: Any) -> list[str]:
    items = element(page, '<ol class="podium">', "</ol>").split("<li ")[1:]
    return [words("<" + item) for item in items]


def sections(page: Any) -> list[str]:
    return [words(part) for part in re.findall(r"<section.*?</section>", page.content.decode(), re.DOTALL)]


def test_a_tie_is_explained_without_asking(at: Callable[..., Any]) -> None:
    page = at(*RUTHS, deal=15)

    assert "Chitra wins with 248" in words(page)
    assert "Finished, 5 rounds" in words(page)
    assert podium(page) == ["C Chitra 1st, 248", "B Ben 2nd, 297", "W Wilhelmina 3rd, 297"]
    (section,) = sections(page)
    assert section == (
        "Why is Ben 2nd and Wilhelmina 3rd? B Ben W Wilhelmina Total 297 = 297 Rounds out 2 = 2 "
        "Lowest other round 2 < 11 Level on total and on rounds out. "
        "Ben’s lowest other round is smaller, so Ben is ahead."
    )


def test_only_the_deciding_line_is_marked(at: Callable[..., Any]) -> None:
    page = at(*RUTHS, deal=15).content.decode()
    assert words(element(page, '<tr class="decides">', "</tr>")) == "Lowest other round 2 < 11"
    assert page.count('class="decides"') == 1 + 2  # Ann's and Ruth's own, folded


def test_every_other_row_has_its_reason_folded(at: Callable[..., Any]) -> None:
    page = at(*RUTHS, deal=15)
    ranking = element(page, '<ol class="rows ranking"', "</ol>")

    assert 'start="4"' in ranking
    assert "<details open" not in ranking
    assert "4 A Ann +51 299 Why is Wilhelmina 3rd and Ann 4th?" in words(ranking)
    assert "Ann has 2 points more than Wilhelmina." in words(ranking)


def test_a_row_that_is_asked_for_is_open(at: Callable[..., Any]) -> None:
    page = at(*RUTHS, deal=15, why="1")
    assert page.content.decode().count("<details open") == 1
    assert len(sections(at(*RUTHS, deal=15, why="2"))) == 2


@pytest.mark.parametrize("why", ["x", "99", "-1"])
def test_a_row_that_is_not_there_opens_nothing(at: Callable[..., Any], why: str) -> None:
    assert len(sections(at(*RUTHS, deal=15, why=why))) == 1


def test_the_lowest_other_round_decides_the_first_place(at: Callable[..., Any]) -> None:
    page = at((0, 25, 40), (12, 0, 31), (30, 17, 0), names=["Ann", "Ben", "Chitra"])
    assert "Ann wins with 42" in words(page)
    assert "Why is Ann 1st and Ben 2nd?" in words(page)


def test_rounds_out_decide_before_the_lowest_other_round(at: Callable[..., Any]) -> None:
    page = at((0, 10, 33), (0, 15, 22), (30, 0, 18), (21, 26, 0), names=["Ann", "Ben", "Chitra"])
    assert "Rounds out 2 > 1 Level on total. Ann went out in more rounds, so Ann is ahead." in words(page)
    assert "Lowest other round" not in sections(page)[0]


def test_a_shared_place_is_shown_as_shared(at: Callable[..., Any]) -> None:
    page = at(
        (0, 20, 12, 30),
        (5, 0, 8, 10),
        (9, 12, 20, 14),
        (11, 8, 0, 8),
        names=["Ann", "Ben", "Chitra", "Dolores"],
    )
    assert podium(page) == ["A Ann 1st, 25", "B Ben 2nd, 40", "C Chitra 2nd, 40"]
    assert "Why do Ben and Chitra share 2nd?" in words(page)
    assert "Ben and Chitra share 2nd: equal on all three counts." in words(page)
    assert words(element(page, '<ol class="rows ranking"', "</ol>")).startswith("4 D Dolores")


def test_a_shared_win_names_both(at: Callable[..., Any]) -> None:
    page = at((0, 5, 9), (5, 0, 9), names=["Ann", "Ben", "Chitra"])
    assert "Ann and Ben share 1st with 5" in words(page)
    assert podium(page) == ["A Ann 1st, 5", "B Ben 1st, 5", "C Chitra 3rd, 18"]


def test_an_early_finish_is_said(at: Callable[..., Any]) -> None:
    page = at((46, 0), (0, 37), names=["Kim", "Mike"], finish=True, rounds=13)
    assert "Finished after 2 of 13 rounds" in words(page)
    assert "Mike wins with 37" in words(page)


def test_most_points_win_under_positive_scoring(at: Callable[..., Any]) -> None:
    page = at((0, 25, 40), names=["Ann", "Ben", "Chitra"], scoring="positive", why="2")
    assert "Ann wins with 65" in words(page)
    assert "Most points win." in words(page)
    assert "Ben has 65 points less than Ann, and most points win." in words(page)


def test_an_unfinished_game_has_a_standing_so_far(at: Callable[..., Any]) -> None:
    page = words(at((46, 0), names=["Kim", "Mike"], rounds=13))
    assert "Mike leads with 0 The standing so far." in page
    assert "Rematch" not in page


def test_before_the_first_round_there_is_nothing_to_rank(phone: Client, game: Game) -> None:
    assert "No round is in yet." in words(phone.get(reverse("end", args=[game.slug])))


def test_it_offers_a_rematch_and_to_share(at: Callable[..., Any]) -> None:
    page = at(*RUTHS, deal=15)
    slug = page.context["game"].slug
    assert f'href="{reverse("new")}?again={slug}"' in page.content.decode()
    assert f'href="{reverse("share", args=[slug])}"' in page.content.decode()


def test_who_left_stands_last_with_the_reason(game: Game, phone: Client) -> None:
    game.players.filter(name="Chitra").update(to_round=0)
    play_without_chitra = (33, 2, None, 0, 46)
    round_put(game=game, number=1, claim=claim(play_without_chitra))
    page = words(phone.get(reverse("end", args=[game.slug])))
    assert "Chitra left the game and stands behind all who played on." in page


def test_a_watcher_sees_it_without_a_rematch(watcher: Client, game: Game) -> None:
    play(game, (33, 2, 0, 31, 46))
    game_finish(game=game)
    page = watcher.get(reverse("end", args=[game.slug]))
    assert "Chitra wins with 0" in words(page)
    assert "Rematch" not in words(page)


def test_a_stranger_finds_nothing(stranger: Client, game: Game) -> None:
    assert stranger.get(reverse("end", args=[game.slug])).status_code == 404


def test_it_is_only_read(phone: Client, game: Game) -> None:
    assert phone.post(reverse("end", args=[game.slug])).status_code == 405
