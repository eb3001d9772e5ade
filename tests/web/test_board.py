"""The board: who has what, who leads, what changed last, and what can be done next."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.engine.scoring import HandClaim, RoundClaim
from games.models import Game
from games.services import change_undo, game_finish, round_put, round_remove
from tests.cast import FOURTEEN, claim, play, start
from tests.web.reading import cell, element, rows, words

pytestmark = pytest.mark.django_db

FIRST, SECOND, THIRD = (33, 2, 0, 31, 46), (0, 14, 26, 45, 51), (5, 0, 40, 16, 3)


def board(client: Client, game: Game, **query: str) -> Any:
    response = client.get(reverse("board", args=[game.slug]), query)
    assert response.status_code == 200
    return response


def of(opens: Callable[..., Client], **more: Any) -> tuple[Client, Game]:
    """A phone that keeps score in a game set up as told."""
    game = start(**more).sheet.game
    return opens(Client(), game), game


def test_players_are_rows_by_place_with_the_newest_round_beside_the_total(phone: Client, game: Game) -> None:
    play(game, FIRST, SECOND)
    page = rows(board(phone, game))

    assert page[0] == [
        "place 1 B Ben leads 16",
        "16",
        "Ben, round 2, 14",
        "Ben, round 1, 2",
    ]
    assert [row[1] for row in page] == ["16", "26", "33", "76", "97"]
    assert "Chitra +10" in page[1][0]


def test_the_columns_are_headed_by_their_engines(phone: Client, game: Game) -> None:
    play(game, FIRST, SECOND)
    head = element(board(phone, game), "<thead>", "</thead>")

    assert words(head).endswith("Total Round 2, engine 11-11, last change R2 Round 1, engine 12-12 R1")


def test_it_can_be_sorted_by_seat(phone: Client, game: Game) -> None:
    play(game, FIRST)
    page = board(phone, game, by="seat")

    assert [row[0].split()[3] for row in rows(page)] == ["Ruth", "Ben", "Chitra", "Wilhelmina", "Ann"]
    assert 'aria-sort="other"' in page.content.decode()
    assert 'aria-sort="ascending"' in board(phone, game).content.decode()


def test_a_new_board_has_a_slot_for_the_first_round_and_no_places(phone: Client, game: Game) -> None:
    page = board(phone, game)

    assert rows(page)[0] == ["R Ruth 0", "0", "Ruth, round 1, not yet"]
    assert "by=seat" not in page.content.decode()  # goes by place once there are any
    assert "Round 1 of 13" in words(page)
    assert "Game started. Ruth sits first." in words(page)
    assert "Enter round 1" in words(page)
    assert reverse("undo", args=[game.slug]) not in page.content.decode()


@pytest.mark.parametrize(
    ("rules", "sentence"),
    [
        ({}, "Whoever holds 12‑12 lays it and starts."),
        ({"preset": "tournament"}, "Set 12‑12 aside. Ruth starts."),
        ({"preset": "gamerules"}, "Set 12‑12 aside. Choose who starts."),
        ({"engine": "set_aside"}, "Set 12‑12 aside. Choose who starts."),
        ({"starter": "chosen"}, "Whoever holds 12‑12 lays it. Choose who starts."),
    ],
)
def test_it_says_who_starts_as_the_card_has_it(
    opens: Callable[..., Client], rules: dict[str, Any], sentence: str
) -> None:
    assert sentence in words(board(*of(opens, **rules)))


def test_the_start_goes_round_the_table(opens: Callable[..., Client]) -> None:
    phone, game = of(opens, preset="tournament")
    play(game, FIRST)
    assert "Ben starts." in words(board(phone, game))


def test_those_level_in_first_place_share_it(opens: Callable[..., Client]) -> None:
    phone, game = of(opens, names=["Ann", "Ben", "Chitra"], rounds=2)
    play(game, (0, 5, 9), (5, 0, 9))
    names = [row[0] for row in rows(board(phone, game))]

    assert names[:2] == ["place 1 A Ann shares 1st 5", "place 1 B Ben shares 1st 5"]


def test_a_tie_that_was_broken_is_level_and_yet_second(opens: Callable[..., Client]) -> None:
    phone, game = of(opens, names=["Ann", "Ben", "Chitra"])
    play(game, (0, 25, 40), (12, 0, 31), (30, 17, 0))
    assert [row[0] for row in rows(board(phone, game))][:2] == [
        "place 1 A Ann leads 42",
        "place 2 B Ben level 42",
    ]


def test_under_positive_scoring_the_others_are_short_of_the_leader(opens: Callable[..., Client]) -> None:
    phone, game = of(opens, names=["Ann", "Ben", "Chitra"], scoring="positive")
    play(game, (0, 25, 40))
    assert [row[0] for row in rows(board(phone, game))][:2] == [
        "place 1 A Ann leads 65",
        "place 2 B Ben −65 0",
    ]


def test_a_correction_is_marked_on_its_cell_and_explained_below(phone: Client, game: Game) -> None:
    play(game, FIRST, SECOND)
    round_put(game=game, number=1, claim=claim((33, 15, 0, 31, 46)), who="Ruth", version=3)
    page = board(phone, game)

    assert cell(page, 1, 2) == "cell corrected last|Ben, round 1, 15, corrected, was 2, last change"
    assert cell(page, 2, 2) == "cell|Ben, round 2, 14"
    assert cell(page, 1, 3) == "cell out|Chitra, round 1, 0, went out"
    legend = words(element(page, '<ul class="key-list">', "</ul>"))
    assert legend.startswith("15 Last change: Ben, round 1; it was 2. Ruth, just now")
    assert "Corrected:" not in legend
    assert "Ben, round 1: now 15, was 2. Undo" in words(page)


def test_an_older_correction_is_explained_too(phone: Client, game: Game) -> None:
    play(game, FIRST)
    round_put(game=game, number=1, claim=claim((33, 15, 0, 31, 46)))
    play(game, SECOND)
    legend = words(element(board(phone, game), '<ul class="key-list">', "</ul>"))

    assert "R2 Last change: Round 2 entered scorer link, just now" in legend
    assert "15 Corrected: Ben, round 1" in legend


def test_many_corrections_are_counted(phone: Client, game: Game) -> None:
    play(game, FIRST)
    round_put(game=game, number=1, claim=claim((30, 5, 0, 21, 56)))
    play(game, SECOND)
    assert "Corrected: 4 scores" in words(board(phone, game))


def test_a_disputed_round_is_in_doubt(phone: Client, game: Game) -> None:
    impossible = claim((1, 1, 0, 31, 46))
    round_put(game=game, number=1, claim=impossible, disputed=True, reason="Tiles are shuffled", version=1)
    page = board(phone, game)

    assert cell(page, 1, 1) == "cell doubt|Ruth, round 1, 1, in doubt"
    assert "In doubt: round 1" in words(page)


def test_a_mark_that_is_not_in_use_is_not_explained(phone: Client, game: Game) -> None:
    play(game, (33, 2, 1, 31, 46))
    legend = words(element(board(phone, game), '<ul class="key-list">', "</ul>"))
    assert legend == "R1 Last change: Round 1 entered scorer link, just now"


def test_a_round_entered_as_a_whole_is_marked_at_its_head(phone: Client, game: Game) -> None:
    play(game, FIRST, SECOND)
    page = board(phone, game)

    assert "Round 2, engine 11-11, last change" in words(page)
    assert "Round 1, engine 12-12, last change" not in words(page)
    assert page.content.decode().count("col-round last") == 1


def test_after_saving_the_notice_offers_undo(phone: Client, game: Game) -> None:
    play(game, FIRST)
    notice = element(board(phone, game), '<div class="notice"', "</div>")

    assert words(notice + ">").startswith("Round 1 saved. Undo")
    assert f'action="{reverse("undo", args=[game.slug])}"' in notice
    assert 'name="version" value="2"' in notice


def test_after_an_undo_it_offers_redo(phone: Client, game: Game) -> None:
    play(game, FIRST)
    change_undo(game=game)
    notice = element(board(phone, game), '<div class="notice notice-redo"', "</div>")

    assert "Undone: Round 1 entered. Redo" in words(notice + ">")
    assert f'action="{reverse("redo", args=[game.slug])}"' in notice


def test_a_round_taken_back_leaves_its_line_in_the_legend(phone: Client, game: Game) -> None:
    play(game, FIRST)
    round_remove(game=game, number=1, who="Ben")
    assert "Last change: Round 1 taken back Ben, just now" in words(board(phone, game))


def test_the_bar_leads_to_the_next_round_or_goes_on_with_a_begun_one(phone: Client, game: Game) -> None:
    play(game, FIRST)
    page = board(phone, game).content.decode()
    key = f"g:{game.slug}:r:2"

    assert f'href="{reverse("round", args=[game.slug, 2])}" data-draft-fresh="{key}"' in page
    assert f'href="{reverse("hands", args=[game.slug, 2])}" data-draft-begun="{key}" hidden' in page
    assert f'data-draft-done="g:{game.slug}:r:1"' in page


def test_when_all_rounds_are_in_it_leads_to_the_result(opens: Callable[..., Client]) -> None:
    phone, game = of(opens, rounds=1)
    play(game, FIRST)
    page = board(phone, game)

    assert "See the result" in words(page)
    assert "All 1 rounds" not in words(page)
    assert "1 round played" in words(page)
    assert "Enter round" not in words(page)


def test_a_game_finished_early_says_so(phone: Client, game: Game) -> None:
    play(game, FIRST, SECOND)
    game_finish(game=game)
    page = words(board(phone, game))
    assert "Finished after 2 rounds" in page
    assert "See the result" in page


def test_fourteen_players_have_low_rows_and_a_short_head(opens: Callable[..., Client]) -> None:
    phone, game = of(opens, names=FOURTEEN, max_pip=18, name="Club night")
    page = board(phone, game)

    assert '<table class="board many"' in page.content.decode()
    assert "Round 1 of 19 · engine 18‑18" in words(page)
    assert "round-head" not in page.content.decode()


def test_two_share_a_letter_and_long_names_are_set_smaller(opens: Callable[..., Client]) -> None:
    phone, game = of(opens, names=["Ben", "Big Ben", "Wilhelmina", "Wolfeschlegelsteinhausenbergerdorff"])
    page = board(phone, game).content.decode()

    assert ">BB</text>" in page
    assert '<span class="name long l10"><span>Wilhelmina</span>' in page
    assert '<span class="name long very-long"><span>Wolfe' in page


def test_who_joined_late_or_left_has_a_dash(phone: Client, game: Game) -> None:
    game.players.filter(name="Ann").update(from_round=2)
    game.players.filter(name="Ben").update(to_round=1)
    play(game, (33, 2, 0, 31))
    hands = tuple(HandClaim(seat=seat, points=points) for seat, points in ((1, 0), (3, 26), (4, 45), (5, 51)))
    round_put(game=game, number=2, claim=RoundClaim(engine=11, ended="out", hands=hands))
    page = {row[0].split()[3]: row for row in rows(board(phone, game))}

    assert page["Ann"][3] == "– Ann, round 1, not in this round"
    assert page["Ben"][2] == "– Ben, round 2, not in this round"
    assert "left" in page["Ben"][0]
    assert "Not in this round" in words(board(phone, game))


def test_it_takes_five_queries(
    opens: Callable[..., Client], django_assert_num_queries: Callable[..., Any]
) -> None:
    phone, game = of(opens, names=FOURTEEN, max_pip=18)
    play(game, tuple(range(0, 56, 4)), tuple(range(0, 70, 5)))
    with django_assert_num_queries(5):
        board(phone, game)


def test_a_watcher_sees_the_board_and_no_control(watcher: Client, game: Game) -> None:
    play(game, FIRST)
    page = board(watcher, game)

    assert "Chitra leads" in words(page)
    assert "<form" not in page.content.decode()
    assert "Enter round" not in words(page)


def test_a_stranger_finds_nothing(stranger: Client, game: Game) -> None:
    assert stranger.get(reverse("board", args=[game.slug])).status_code == 404


def test_it_is_only_read(phone: Client, game: Game) -> None:
    assert phone.post(reverse("board", args=[game.slug])).status_code == 405


def test_a_name_is_shown_as_text(opens: Callable[..., Client]) -> None:
    phone, game = of(opens, names=["<b>Ann</b>", "Ben"])
    assert "&lt;b&gt;Ann&lt;/b&gt;" in board(phone, game).content.decode()
