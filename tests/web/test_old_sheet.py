"""An old sheet typed in or pasted, until it is a game like any other."""

from __future__ import annotations

import re
from datetime import date
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from games.files.from_paper import OldSheet, game_from_paper
from games.files.paper import read_paper, slips
from games.models import Game, LogEntry
from games.selectors import log_of, sheet_of
from games.services import Refused, Setup
from games.web.written import as_csv
from tests.cast import FRIDAY, play, start
from tests.web.reading import words

pytestmark = pytest.mark.django_db

RIGHT = """Ruth;Ben;Chitra;Wilhelmina;Ann
55/55;40/40;45/45;21/21;0/0
0/55;33/73;5/50;29/50;20/20
16/71;40/113;16/66;11/61;0/20
0/71;33/146;57/123;18/79;31/51
59/130;14/160;0/123;38/117;65/116"""
WRONG = RIGHT.replace("14/160", "14/150")
POINTS = [
    [55, 40, 45, 21, 0],
    [0, 33, 5, 29, 20],
    [16, 40, 16, 11, 0],
    [0, 33, 57, 18, 31],
    [59, 14, 0, 38, 65],
]


def post(phone: Client, text: str, do: str = "read", **more: Any) -> Any:
    first = phone.get(reverse("old_sheet"))
    form = {"sheet": text, "shape": "auto", "do": do, "set_auto": "12", "max_pip": "12", **more}
    assert first.status_code == 200
    return phone.post(reverse("old_sheet"), form)


def make(phone: Client, text: str, **more: Any) -> Any:
    """Read it, and make the game that was shown."""
    read = post(phone, text, **more)
    found = re.search('name="seen" value="([0-9a-f]+)"', read.content.decode())
    assert found
    return post(phone, text, "make", seen=found[1], **more)


def scores(game: Game) -> list[list[int]]:
    sheet = sheet_of(game)
    return [[entry.hands[seat].score for seat in sheet.names()] for entry in sheet.rounds]


def test_a_sheet_that_is_right_is_shown_and_then_made(stranger: Client) -> None:
    read = post(stranger, RIGHT)
    assert "Every sum is right. 5 rounds, 5 players." in words(read)
    assert not Game.objects.exists()

    made = make(stranger, RIGHT, ended="1", played_on="2019-08-03", name="Summer")
    game = Game.objects.get()
    assert made["Location"] == reverse("board", args=[game.slug])
    assert scores(game) == POINTS
    assert (game.name, game.played_on, game.status) == ("Summer", date(2019, 8, 3), "finished")
    assert "Round 5" in words(stranger.get(made["Location"]))
    assert stranger.get(reverse("file_json", args=[game.slug])).status_code == 200


def test_the_log_says_where_it_comes_from(stranger: Client) -> None:
    make(stranger, RIGHT, who="Ruth")
    entries = LogEntry.objects.exclude(action="started")
    assert {(entry.action, entry.reason, entry.who) for entry in entries} == {
        ("round_recorded", "From paper", "Ruth")
    }
    assert "From paper" in words(stranger.get(reverse("log", args=[Game.objects.get().slug])))


def test_the_first_row_where_the_addition_went_wrong_is_told_and_nothing_is_lost(stranger: Client) -> None:
    answer = post(stranger, WRONG, name="Summer", open_marker="5")

    assert answer.status_code == 422
    assert "Round 5, Ben: 146 and 14 make 160, the sheet says 150." in words(answer)
    page = answer.content.decode()
    assert "14/150" in page
    assert 'value="Summer"' in page
    assert re.search(r'<tr class="off"><th scope="row">5', page)
    assert page.count('class="slip"') == 1
    assert not Game.objects.exists()


def test_only_a_tick_takes_the_points_and_adds_anew(stranger: Client) -> None:
    assert make(stranger, WRONG).status_code == 422
    assert "The points are taken; the totals are added anew." in words(post(stranger, WRONG, take="1"))
    assert make(stranger, WRONG, take="1").status_code == 302
    assert scores(Game.objects.get()) == POINTS


def test_what_is_made_is_what_was_shown(stranger: Client) -> None:
    answer = post(stranger, RIGHT, "make", seen="another text")
    assert answer.status_code == 200
    assert not Game.objects.exists()


def test_a_round_without_a_zero_is_asked_about(stranger: Client) -> None:
    text = "Ann;Ben;Cho\n10;0;5\n3;4;5"
    assert "Round 2: nobody has 0. Was it blocked?" in words(post(stranger, text))
    assert make(stranger, text, blocked="2").status_code == 302
    assert sheet_of(Game.objects.get()).rounds[1].ended == "blocked"
    assert make(stranger, text + ";B").status_code == 302


def test_rounds_that_cannot_be_are_told_one_by_one_and_kept_only_on_purpose(stranger: Client) -> None:
    text = "Ann;Ben;Cho\n0;0;5\n10;0;5\n1;0;1"
    rules = {"preset": "thoughtco", "card_of": "thoughtco", "first_turn_out": "immediate"}
    answer = post(stranger, text, **rules)
    assert "Round 1: Ann and Ben have 0. Only one can go out in a round." in words(answer)
    assert "Round 3: Ann and Cho cannot both have 1." in words(answer)
    assert "Keep round 1 as it stands, disputed" in words(answer)
    assert not Game.objects.exists()

    keep: dict[str, Any] = {"standing": ["1", "3"], **rules}
    assert "A round that is kept as it stands needs a reason." in words(post(stranger, text, **keep))
    assert make(stranger, text, **keep, reason="It says so.").status_code == 302
    sheet = sheet_of(Game.objects.get())
    assert [entry.disputed for entry in sheet.rounds] == [True, False, True]
    assert log_of(sheet.game).entries[1].reason == "It says so."


OWN = "Place,Name,Total,Rounds out,Lowest other round,Began with,Penalties and bonuses,Round 1 (12-12)\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Ann Ben Cho\n0 - -\n10 0 5", "Round 1: A game has 2 to 14 players. Here is 1."),
        ("Ann Ben Cho\n0 5 3\n0 - -", "Round 2: A round has 2 to 14 players. Here it would be 1."),
        (OWN + "1,Ann,0,1,,0,0,0\n2,Ben,99999,0,5,0,99994,5", "Round 1: Ben: how many points?"),
        ("Ann Ben Cho\n- 0 5\n7 0 9999", "Round 2: Cho: no hand is worth 9,999."),
    ],
)
def test_what_no_game_can_hold_is_told_with_its_round(stranger: Client, text: str, said: str) -> None:
    answer = post(stranger, text)
    assert answer.status_code == 422
    assert said in words(answer)
    assert not Game.objects.exists()


def test_two_may_take_the_places_of_the_last_two(stranger: Client) -> None:
    assert make(stranger, "Ann Ben Cho Dan\n0 5 - -\n- - 0 9").status_code == 302
    sheet = sheet_of(Game.objects.get())
    assert {sheet.names()[row.seat]: row.total for row in sheet.table} == {
        "Ann": 0,
        "Ben": 5,
        "Cho": 0,
        "Dan": 9,
    }


def test_more_rounds_than_the_set_has_are_told(stranger: Client) -> None:
    text = "\n".join(["Ann;Ben", *["0;9"] * 14])
    assert "Round 14: All 13 rounds are in." in words(post(stranger, text))
    assert not Game.objects.exists()


def test_the_engine_on_the_sheet_must_be_the_one_whose_turn_it_is(stranger: Client) -> None:
    text = "Rd;Engine;Ann;Ben\n1;9-9;0;9"
    assert "Round 1: The engine of this round is 12-12. 9-9 is not its turn." in words(post(stranger, text))
    assert make(stranger, text, max_pip="9", set_auto="").status_code == 302


def test_rules_that_count_otherwise_are_told(stranger: Client) -> None:
    answer = post(stranger, "Ann;Ben\n0;9", out_bonus="10", preset="thoughtco", card_of="thoughtco")
    assert "by these rules 0 counts as −10" in words(answer)
    assert not Game.objects.exists()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "Nothing is written here yet."),
        ("Ann;Ben\n=1+1;0", "Line 2: “=1+1” cannot be read."),
        ("Ann;Ann\n1;0", "The name Ann is taken."),
        ("Ann;<script>alert(1)</script>\n1;<b>", "Line 2: “<b>” cannot be read."),
        ("Ann;Ben\n\0;0", "cannot be read"),
        ("Ann;" + "x" * 50 + "\n1;0", "is too long"),
        ("5;0\n0;5", "Who is playing?"),
    ],
)
def test_what_cannot_be_read_is_told_and_stays(stranger: Client, text: str, said: str) -> None:
    answer = post(stranger, text)
    assert answer.status_code == 422
    assert said in words(answer)
    assert "<script>alert" not in answer.content.decode()
    assert answer.context["text"] == text


def test_ten_megabytes_are_refused(stranger: Client) -> None:
    answer = post(stranger, "9;0\n" * 2_500_000)
    assert answer.status_code in (400, 413)


def test_who_comes_and_goes_has_a_dash(stranger: Client) -> None:
    assert make(stranger, "Ann;Cho;Ben\n10;-;0\n0;5;7\n-;0;3").status_code == 302
    sheet = sheet_of(Game.objects.get())
    assert list(sheet.names().values()) == ["Ann", "Cho", "Ben"]
    assert [sorted(entry.hands) for entry in sheet.rounds] == [[1, 2], [1, 2, 3], [2, 3]]
    assert {row.name: row.total for row in _named(sheet)} == {"Ann": 10, "Ben": 10, "Cho": 5}


def _named(sheet: Any) -> list[Any]:
    from types import SimpleNamespace

    return [SimpleNamespace(name=sheet.names()[row.seat], total=row.total) for row in sheet.table]


def test_a_forgotten_number_is_no_dash(stranger: Client) -> None:
    assert "Round 1: Cho has no points yet." in words(post(stranger, "Ann;Ben;Cho\n10;0;\n0;5;7"))


def test_names_that_stand_on_the_sheet_are_not_asked_again(stranger: Client) -> None:
    asked = "Who is playing?"
    assert asked in words(stranger.get(reverse("old_sheet")))
    answer = post(stranger, RIGHT)
    assert asked not in words(answer)
    assert answer.content.decode().count('type="hidden" name="player"') == 5
    assert asked in words(post(stranger, "5;0\n0;5", player=["Ann", "Ben"]))
    assert make(stranger, "5;0\n0;5", player=["Ann", "Ben"]).status_code == 302


def test_buttons_that_only_change_the_form_lose_nothing(stranger: Client) -> None:
    answer = stranger.post(reverse("old_sheet"), {"sheet": RIGHT, "do": "add", "player": ["Ann"]})
    assert answer.context["text"] == RIGHT


def from_csv(game: Game) -> Game:
    """The game made anew of its own table."""
    sheet = sheet_of(game)
    paper = read_paper(as_csv(sheet))
    assert slips(paper) == []
    setup = Setup(
        players=paper.names, rules=sheet.rules, first_engine=game.first_engine, rounds=game.round_count
    )
    blocked = {entry.number for entry in sheet.rounds if entry.ended == "blocked"}
    return game_from_paper(
        old=OldSheet(setup=setup, paper=paper, source="From paper", blocked=blocked)
    ).sheet.game


def result(game: Game) -> set[tuple[Any, ...]]:
    sheet = sheet_of(game)
    names = sheet.names()
    return {
        (
            names[row.seat],
            row.place,
            row.total,
            row.zero_rounds,
            *(entry.hands[row.seat].score if row.seat in entry.hands else None for entry in sheet.rounds),
        )
        for row in sheet.table
    }


@given(
    st.lists(st.lists(st.integers(0, 60), min_size=4, max_size=4), min_size=1, max_size=6), st.integers(0, 3)
)
@hypothesis_settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25, deadline=None
)
def test_a_game_s_own_table_pasted_back_is_the_same_game(rounds: list[list[int]], out: int) -> None:
    game = start(("Ann", "Ben", "=Cho", "Dee")).sheet.game
    for at, points in enumerate(rounds):
        row = [value or 7 for value in points]
        row[(out + at) % 4] = 0
        try:
            play(game, row)
        except Refused:
            continue
    if not game.rounds.exists():
        return
    assert result(from_csv(game)) == result(game)


def test_penalties_come_back_with_the_table() -> None:
    from games.services import adjustment_add

    game = start(FRIDAY).sheet.game
    play(game, *[tuple(row) for row in POINTS])
    adjustment_add(game=game, seat=2, points=20, reason="late")
    assert result(from_csv(game)) == result(game)
