"""The score sheet as it is printed, filled and blank, and the result."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.engine.rules import rule_set
from games.models import Game
from games.removal import game_abandon
from games.selectors import sheet_of
from games.services import adjustment_add, game_finish, player_add, round_remove
from games.web.printed import legend, paper_of
from tests.cast import FOURTEEN, claim, play, start
from tests.web.reading import words

pytestmark = pytest.mark.django_db

# The printed sheet of the picture: six rounds, Ruth 132, Ben 211, Chitra 149, Wilhelmina 162, Ann 116.
SIX = (
    (55, 40, 45, 21, 0),
    (0, 33, 5, 29, 20),
    (16, 40, 16, 11, 0),
    (0, 33, 57, 18, 31),
    (59, 14, 0, 38, 65),
    (2, 51, 26, 45, 0),
)


@pytest.fixture
def six(game: Game) -> Game:
    play(game, *SIX)
    return game


def filled(game: Game) -> list[list[tuple[str, str, bool]]]:
    paper = paper_of(sheet_of(Game.objects.get(pk=game.pk)), filled=True)
    return [[(cell.points, cell.total, cell.out) for cell in row.cells] for row in paper.rows]


def test_points_stand_over_running_totals_and_the_zero_is_boxed(six: Game) -> None:
    rows = filled(six)
    assert rows[0][:5] == [
        ("55", "55", False),
        ("40", "40", False),
        ("45", "45", False),
        ("21", "21", False),
        ("0", "0", True),
    ]
    assert [total for _points, total, _out in rows[5][:5]] == ["132", "211", "149", "162", "116"]
    assert rows[6] == [("", "", False)] * 7  # to be filled in by hand
    assert len(rows) == 13


@pytest.mark.parametrize(
    ("card", "boxed"),
    [
        ({}, "A boxed 0: went out."),
        ({"out_bonus": 10}, "Boxed: went out."),
        ({"scoring": "positive"}, "Boxed: went out."),
    ],
)
def test_the_legend_says_how_who_went_out_is_shown(card: dict[str, Any], boxed: str) -> None:
    how = next(iter(legend(rule_set("thoughtco", **card))))
    assert how == f"Large: points of the round. Small: running total. {boxed}"


def test_a_penalty_stays_on_the_sheet_when_its_round_is_taken_back(six: Game) -> None:
    adjustment_add(game=six, seat=2, points=20, reason="late")
    round_remove(game=six, number=6)
    assert filled(six)[5][1] == ("+20", "180", False)


def test_the_running_totals_end_in_the_totals_of_the_table(six: Game) -> None:
    adjustment_add(game=six, seat=2, points=-20, reason="late")
    player_add(game=six, name="Dan", start="highest")
    play(six, (5, 6, 7, 8, 0, 9))
    sheet = sheet_of(Game.objects.get(pk=six.pk))
    totals = {row.seat: str(row.total) for row in sheet.table}
    last = filled(six)[7]
    assert [total for _points, total, _out in last[:6]] == [totals[player.seat] for player in sheet.players]


def test_what_counts_is_added_up_not_the_pips() -> None:
    game = start(out_bonus=10, rounds=2).sheet.game
    play(game, (33, 2, 0, 31, 46), (5, 0, 7, 8, 9))
    sheet = sheet_of(game)
    totals = {row.seat: str(row.total).replace("-", "−") for row in sheet.table}
    rows = filled(game)
    assert rows[0][2] == ("−10", "−10", True)
    assert [total for _points, total, _out in rows[-1][:5]] == [totals[one.seat] for one in sheet.players]


def test_a_penalty_has_a_row_of_its_own_after_its_round(six: Game) -> None:
    adjustment_add(game=six, seat=2, points=20, reason="A tile was on the floor")
    row = paper_of(sheet_of(Game.objects.get(pk=six.pk)), filled=True).rows[6]
    assert row.label == "A tile was on the floor"
    assert (row.cells[1].points, row.cells[1].total) == ("+20", "231")
    assert row.cells[0].points == ""


def test_who_was_not_there_has_a_dash(six: Game) -> None:
    player_add(game=six, name="Dan")
    assert filled(six)[0][5] == ("–", "", False)


def test_foot_rows_are_filled_once_they_are_known(six: Game) -> None:
    assert paper_of(sheet_of(six), filled=True).foot[0] == ("Total", ("",) * 7)
    game_finish(game=six)
    foot = dict(paper_of(sheet_of(Game.objects.get(pk=six.pk)), filled=True).foot)
    assert foot["Total"][:5] == ("132", "211", "149", "162", "116")
    assert foot["Rounds out"][:5] == ("2", "0", "1", "0", "3")
    assert foot["Place"][:5] == ("2nd", "5th", "3rd", "4th", "1st")


def test_an_abandoned_game_has_totals_and_no_places(six: Game) -> None:
    game_abandon(game=six)
    foot = dict(paper_of(sheet_of(Game.objects.get(pk=six.pk)), filled=True).foot)
    assert foot["Total"][0] == "132"
    assert foot["Place"] == ("",) * 7


def test_a_blank_sheet_has_names_and_no_numbers(six: Game) -> None:
    paper = paper_of(sheet_of(six), filled=False)
    assert paper.names[:5] == ("Ruth", "Ben", "Chitra", "Wilhelmina", "Ann")
    assert not any(cell.points or cell.total for row in paper.rows for cell in row.cells)
    assert [row.engine for row in paper.rows] == list(range(12, -1, -1))


def test_where_the_table_chooses_the_engine_it_is_left_blank() -> None:
    game = start(engine_order="any_unused").sheet.game
    play(game, (1, 2, 0, 4, 5))
    rows = paper_of(sheet_of(game), filled=True).rows
    assert rows[0].engine is not None
    assert {row.engine for row in rows[1:]} == {None}


@pytest.mark.parametrize(
    ("players", "lies", "columns"), [(2, False, 7), (8, False, 8), (9, True, 9), (14, True, 14)]
)
def test_more_than_eight_players_lie(players: int, lies: bool, columns: int) -> None:
    paper = paper_of(sheet_of(start(FOURTEEN[:players], max_pip=18).sheet.game), filled=True)
    assert (paper.lies, len(paper.names)) == (lies, columns)


def test_the_legend_is_made_of_the_rules() -> None:
    def said(**rules: object) -> str:
        return " ".join(legend(start(**rules).sheet.rules))  # type: ignore[arg-type]

    assert said() == (
        "Large: points of the round. Small: running total. A boxed 0: went out. The double blank counts 50. "
        "Lowest total wins. A tie: most rounds out, then the lowest other round."
    )
    assert "The double blank counts 0." in said(preset="wikihow", double_blank=0)
    assert "Most points win." in said(scoring="positive")
    assert "A tie: the place is shared." in said(tiebreaks=())
    assert "10" in said(out_bonus=10)


def test_the_pages_show_it(phone: Client, watcher: Client, six: Game) -> None:
    for who in (phone, watcher):
        page = who.get(reverse("print", args=[six.slug]))
        assert "Friday at Ruth’s" in words(page)
        assert "games/paper-a4-portrait.css" in page.content.decode()
        assert page.content.decode().count('class="boxed"') == 6
    letter = phone.get(reverse("print", args=[six.slug]), {"paper": "letter", "what": "result"})
    assert "games/paper-letter-portrait.css" in letter.content.decode()
    assert "Ann leads with 116" in words(letter)
    assert "1st Ann 116 3" in words(letter)
    for name in ("more", "share", "end"):
        assert reverse("print", args=[six.slug]) in phone.get(reverse(name, args=[six.slug])).content.decode()


def test_a_tie_is_explained_on_the_printed_result(opens: Callable[..., Client]) -> None:
    game = start(("Ann", "Ben", "Cho"), rounds=2).sheet.game
    play(game, (0, 5, 9), (5, 0, 8))
    page = opens(Client(), game).get(reverse("print", args=[game.slug]), {"what": "result"})
    assert "Ann and Ben share their place: equal on all three counts." in words(page)


@pytest.mark.parametrize(
    "query", ["", "?players=99&set=13&paper=a3", "?players=x", "?players=14&set=18&paper=letter"]
)
def test_a_blank_sheet_needs_no_game(stranger: Client, query: str) -> None:
    page = stranger.get(reverse("paper") + query)
    assert page.status_code == 200
    assert len(page.context["sheet"].names) == (14 if "14" in query else 7)
    assert len(page.context["sheet"].rows) == (19 if "14" in query else 13)


def test_hostile_names_are_text(opens: Callable[..., Client]) -> None:
    game = start(("<script>", "Ann")).sheet.game
    assert b"<script>Ann" not in opens(Client(), game).get(reverse("print", args=[game.slug])).content
    assert "&lt;script&gt;" in opens(Client(), game).get(reverse("print", args=[game.slug])).content.decode()


def test_a_disputed_round_is_marked_on_paper(phone: Client, game: Game) -> None:
    from games.services import round_put

    clash = claim((1, 1, 0, 31, 46))
    round_put(game=game, number=1, claim=clash, disputed=True, reason="Shuffled")
    assert "Disputed: round 1." in words(phone.get(reverse("print", args=[game.slug])))
