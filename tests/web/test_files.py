"""A game to take along: text, table, picture and whole, and none of them opens it."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from datetime import date
from typing import Any
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.urls import reverse

from games.files.export import game_data
from games.models import AccessKey, Game
from games.services import game_finish, round_put
from tests.cast import claim, play, start
from tests.web.reading import words

pytestmark = pytest.mark.django_db

KINDS = ("file_text", "file_csv", "file_json", "file_picture")
PAGES = ("files", *KINDS)
HOSTILE = (
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "＝1+1",
    "<script>alert(1)</script>",
    '"><img src=x>',
    "&amp;",
    "a,b;c",
    'say "hi"',
    "محمد",
    "👩‍👩‍👧",
    "W" * 40,
    "]]>",
)


@pytest.fixture
def taken(opens: Callable[..., Client]) -> Callable[..., str]:
    """One file of a game after these rounds, as text."""

    def take(kind: str, *rounds: tuple[int, ...], finish: bool = False, **setup: Any) -> str:
        setup.setdefault("rounds", max(len(rounds), 1))
        game = start(**setup).sheet.game
        play(game, *rounds)
        if finish:
            game_finish(game=game)
        phone = opens(Client(), game)
        return str(phone.get(reverse(kind, args=[game.slug])).content.decode())

    return take


def test_the_text_has_places_totals_and_what_decided_a_tie(taken: Callable[..., str]) -> None:
    text = taken(
        "file_text",
        (0, 25, 40),
        (12, 0, 31),
        (30, 17, 0),
        names=["Ann", "Ben", "Chitra"],
        name="Friday",
        played_on=date(2026, 11, 8),
    )
    assert text.split("\n") == [
        "Friday, 8 November 2026",
        "Finished, 3 rounds",
        "",
        "Ann wins with 42",
        "",
        "1st Ann: 42",
        "2nd Ben: 42",
        "3rd Chitra: 71",
        "",
        "Ann and Ben both have 42 and went out once each; Ann’s lowest other round is 12, Ben’s 17.",
        "",
    ]


def test_the_text_of_a_game_that_is_still_played_says_so(taken: Callable[..., str]) -> None:
    text = taken("file_text", (0, 5), names=["Ann", "Ben"], rounds=13)
    assert "After 1 of 13 rounds\n\nAnn leads with 0\n" in text
    assert "Ann and Ben\n" in taken("file_text", names=["Ann", "Ben"])


def test_the_text_says_what_is_in_doubt(phone: Client, game: Game) -> None:
    round_put(game=game, number=1, claim=claim((0, 1, 1, 31, 2)), disputed=True, reason="?")
    assert "Disputed: round 1." in phone.get(reverse("file_text", args=[game.slug])).content.decode()


def test_the_table_has_a_row_a_player_and_a_column_a_round(taken: Callable[..., str]) -> None:
    text = taken("file_csv", (0, 25), (12, 0), names=["Ann", "Ben"], out_bonus=5)
    rows = list(csv.reader(io.StringIO(text.removeprefix("\ufeff"))))
    first = [
        "Place",
        "Name",
        "Total",
        "Rounds out",
        "Lowest other round",
        "Began with",
        "Penalties and bonuses",
    ]
    assert rows == [
        [*first, "Round 1 (12-12)", "Round 2 (11-11)"],
        ["1", "Ann", "7", "1", "12", "0", "0", "-5", "12"],
        ["2", "Ben", "20", "1", "25", "0", "0", "25", "-5"],
    ]
    assert text.startswith("\ufeff")
    assert text.count("\r\n") == 3


def test_no_name_is_a_formula_in_a_spreadsheet(taken: Callable[..., str]) -> None:
    text = taken("file_csv", tuple(range(14)), names=HOSTILE, max_pip=18)
    rows = list(csv.reader(io.StringIO(text.removeprefix("\ufeff"))))
    names = [row[1] for row in rows[1:]]
    assert [name.removeprefix("'") for name in names] == list(HOSTILE)
    assert not any(re.match(r"[=+\-@\t\r＝＋－＠]", name) for name in names)


def test_the_whole_game_is_in_the_json(phone: Client, game: Game) -> None:
    play(game, (33, 2, 0, 31, 46))
    content = phone.get(reverse("file_json", args=[game.slug])).content
    assert json.loads(content) == game_data(game)


def test_the_picture_is_an_svg_of_its_own(taken: Callable[..., str]) -> None:
    svg = taken("file_picture", tuple(range(14)), names=HOSTILE, max_pip=18, name="<b>Friday & co</b>")
    root = ElementTree.fromstring(svg)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    texts = [one.text or "" for one in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "<b>Friday & co</b>" in texts
    assert "<script>alert(1)</script>" in texts
    tags = {one.tag.split("}")[1] for one in root.iter()}
    assert tags <= {"svg", "title", "rect", "path", "g", "circle", "text"}
    attributes = {name for one in root.iter() for name in one.attrib}
    assert not any(name.startswith("on") or "href" in name or name == "style" for name in attributes)


def test_a_game_without_a_round_has_its_files_too(phone: Client, game: Game) -> None:
    for name in PAGES:
        assert phone.get(reverse(name, args=[game.slug])).status_code == 200


@pytest.mark.parametrize("name", PAGES)
def test_nothing_carries_a_key(phone: Client, game: Game, name: str) -> None:
    play(game, (33, 2, 0, 31, 46))
    page = phone.get(reverse(name, args=[game.slug])).content.decode()
    for key in AccessKey.objects.filter(game=game):
        assert key.key not in page
    if name != "files":
        assert game.slug not in page


@pytest.mark.parametrize(
    ("name", "kind", "ending"),
    [
        ("file_text", "text/plain", "txt"),
        ("file_csv", "text/csv", "csv"),
        ("file_json", "application/json", "json"),
        ("file_picture", "image/svg+xml", "svg"),
    ],
)
def test_a_file_is_saved_under_the_game_s_name(
    phone: Client, game: Game, name: str, kind: str, ending: str
) -> None:
    response = phone.get(reverse(name, args=[game.slug]))
    assert response["Content-Type"] == f"{kind}; charset=utf-8"
    assert response["Content-Disposition"] == f'attachment; filename="friday-at-ruths.{ending}"'
    assert "no-store" in response["Cache-Control"]


def test_a_file_without_plain_letters_has_a_name_all_the_same(opens: Callable[..., Client]) -> None:
    game = start(["محمد", "علي"]).sheet.game
    response = opens(Client(), game).get(reverse("file_csv", args=[game.slug]))
    assert response["Content-Disposition"] == 'attachment; filename="scorekeeper.csv"'


def test_the_page_is_reached_from_the_end_the_menu_and_sharing(phone: Client, game: Game) -> None:
    play(game, (33, 2, 0, 31, 46))
    for name in ("end", "more", "share"):
        page = phone.get(reverse(name, args=[game.slug])).content.decode()
        assert f'href="{reverse("files", args=[game.slug])}"' in page


def test_a_hostile_name_is_text_on_the_page(opens: Callable[..., Client]) -> None:
    game = start(["</textarea><script>x</script>", "Ben"]).sheet.game
    play(game, (0, 5))
    page = opens(Client(), game).get(reverse("files", args=[game.slug])).content.decode()
    assert "<script>x" not in page
    assert page.count("</textarea>") == 1


@pytest.mark.parametrize("name", PAGES)
def test_a_watcher_may_take_them_and_a_stranger_finds_nothing(
    watcher: Client, stranger: Client, game: Game, name: str
) -> None:
    assert watcher.get(reverse(name, args=[game.slug])).status_code == 200
    assert stranger.get(reverse(name, args=[game.slug])).status_code == 404


@pytest.mark.parametrize("name", PAGES)
def test_they_are_only_read(phone: Client, game: Game, name: str) -> None:
    assert phone.post(reverse(name, args=[game.slug])).status_code == 405


def test_the_page_says_that_nothing_of_it_opens_the_game(phone: Client, game: Game) -> None:
    assert "Nothing here opens the game" in words(phone.get(reverse("files", args=[game.slug])))
