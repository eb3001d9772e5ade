"""A game deleted and brought back under a watcher's eyes; sheets on one page; an old sheet made a game."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import product
from typing import Any, Literal

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from games.models import Game, RecordMark, Role, Round
from games.selectors import links_of
from games.services import Refused
from tests.browser.conftest import Watch
from tests.cast import FOURTEEN, play, start

pytestmark = pytest.mark.django_db(transaction=True)

FIRST = (33, 15, 0, 31, 46)
NewPhone = Callable[..., Page]
SHEET = """Ruth;Ben;Chitra;Wilhelmina;Ann
55/55;40/40;45/45;21/21;0/0
0/55;33/73;5/50;29/50;20/20
16/71;40/113;16/66;11/61;0/20
0/71;33/146;57/123;18/79;31/51
59/130;14/150;0/123;38/117;65/116"""


@pytest.fixture
def game() -> Game:
    game = start(name="Friday at Ruth’s").sheet.game
    play(game, FIRST, who="Ruth")
    return game


def opened(page: Page, server: LiveServer, game: Game, role: Role = Role.SCORER) -> Page:
    letter = "s" if role == Role.SCORER else "w"
    page.goto(f"{server}/{letter}/{links_of(game)[role].key}/")
    return page


def more(page: Page, what: str) -> None:
    page.get_by_role("link", name="More", exact=True).tap()
    page.locator("dialog").get_by_role("link", name=what).tap()


def test_who_watches_is_told_of_a_deletion_and_sees_the_game_again(
    new_phone: NewPhone, live_server: LiveServer, game: Game, watch: Watch
) -> None:
    watch.allow("404")
    a = opened(new_phone(), live_server, game)
    b = opened(new_phone(), live_server, game, Role.VIEWER)
    other = opened(new_phone(), live_server, game)
    more(a, "Delete this game…")
    expect(a.get_by_role("heading", name="Delete this game?")).to_be_visible()
    expect(b.locator("#c1-5")).to_contain_text("46")  # it was only asked
    a.get_by_role("button", name="Delete this game").tap()

    expect(a.get_by_text("Friday at Ruth’s is deleted.")).to_be_visible()
    expect(b.get_by_role("heading", name="This link does not work")).to_be_visible()
    expect(b.locator("body")).not_to_contain_text("Chitra")
    expect(other.get_by_text(re.compile("^Deleted on .* by scorer link"))).to_be_visible()
    b.goto(f"{live_server}/")
    expect(b.get_by_text("No games on this phone yet")).to_be_visible()

    other.get_by_role("button", name="Bring it back").tap()
    expect(other.locator("#c1-5")).to_contain_text("46")
    b.goto(f"{live_server}/")
    b.get_by_role("link", name="Friday at Ruth’s").tap()
    expect(b.locator("#c1-5")).to_contain_text("46")


def test_an_abandoned_game_tells_its_watcher_and_is_taken_up_again(
    new_phone: NewPhone, live_server: LiveServer, game: Game
) -> None:
    a = opened(new_phone(), live_server, game)
    b = opened(new_phone(), live_server, game, Role.VIEWER)
    more(a, "Abandon this game…")
    a.get_by_role("button", name="Abandon this game").tap()

    expect(a.get_by_role("heading", name="Nobody has won")).to_be_visible()
    expect(b.locator("#board-head")).to_contain_text("Abandoned after 1 of 13 rounds")
    expect(b.locator("#news")).to_have_text("Abandoned after 1 of 13 rounds.")
    a.get_by_role("button", name="Take it up again").tap()
    expect(a.get_by_role("link", name="Enter round 2")).to_be_visible()
    expect(b.locator("#board")).to_contain_text("Round 2 of 13")


def test_a_page_that_was_open_too_long_deletes_nothing(
    new_phone: NewPhone, live_server: LiveServer, game: Game
) -> None:
    a = opened(new_phone(), live_server, game)
    more(a, "Delete this game…")
    expect(a.get_by_role("button", name="Delete this game")).to_be_visible()
    play(game, FIRST, who="Ben")
    a.get_by_role("button", name="Delete this game").tap()
    expect(a.get_by_role("alert")).to_contain_text("Nothing was changed: the game had moved on.")
    expect(a.locator("#c2-5")).to_contain_text("46")


def full(players: int, **setup: Any) -> Game:
    """A game with every round in."""
    game = start(FOURTEEN[:players], name="Club night", **setup).sheet.game
    for at in range(game.round_count):
        points = [(7 * at + 11 * seat) % 53 + 2 for seat in range(players)]
        points[at % players] = 0
        for shift in range(20):
            try:
                play(game, [value + shift if value else 0 for value in points])
            except Refused:
                continue
            break
    assert game.rounds.count() == game.round_count
    return game


SIZES = {"a4": (595, 842), "letter": (612, 792)}
BOTH: tuple[Literal["light", "dark"], ...] = ("light", "dark")


@pytest.mark.parametrize(("players", "setup"), [(5, {}), (8, {}), (14, {"max_pip": 15, "rounds": 13})])
def test_a_sheet_fits_one_page_of_either_paper(
    page: Page, live_server: LiveServer, players: int, setup: dict[str, int]
) -> None:
    game = full(players, **setup)
    opened(page, live_server, game)
    for paper, size in SIZES.items():
        for what in ("sheet", "blank", "result"):
            page.goto(f"{live_server}/g/{game.slug}/print/?what={what}&paper={paper}")
            pages, width, height = printed(page)
            upright = players <= 8 or what == "result"
            assert (pages, (width, height)) == (1, size if upright else size[::-1]), (paper, what)
    Round.objects.filter(game=game).update(record="A", record_mark=RecordMark.AGREES)
    Round.objects.filter(game=game, number__in=(2, 3, 5, 9)).update(record_mark=RecordMark.DIFFERS)
    Round.objects.filter(game=game, number__in=(4, 7)).update(record_mark=RecordMark.BROKEN)
    for paper, what in product(SIZES, ("sheet", "result")):  # signs beside rounds, and a foot that says more
        page.goto(f"{live_server}/g/{game.slug}/print/?what={what}&paper={paper}")
        assert printed(page)[0] == 1, (paper, what)


def test_a_blank_sheet_for_no_game_fits_one_page(page: Page, live_server: LiveServer) -> None:
    for players in (2, 8, 14):
        for paper in SIZES:
            page.goto(f"{live_server}/paper/?players={players}&paper={paper}")
            assert printed(page)[0] == 1, (players, paper)


def printed(page: Page) -> tuple[int, int, int]:
    """Pages, and the first one's width and height in points."""
    pdf = page.pdf(prefer_css_page_size=True)
    box = re.search(rb"/MediaBox\s*\[\s*0 0 ([0-9.]+) ([0-9.]+)\]", pdf)
    assert box
    return len(re.findall(rb"/Type\s*/Page\b", pdf)), round(float(box[1])), round(float(box[2]))


def test_it_is_black_on_white_and_without_the_page_around_it(
    page: Page, live_server: LiveServer, game: Game
) -> None:
    opened(page, live_server, game)
    page.goto(f"{live_server}/g/{game.slug}/print/")
    for scheme in BOTH:
        page.emulate_media(media="print", color_scheme=scheme)
        for gone in (".head", ".print-acts", ".bar"):
            expect(page.locator(gone)).to_be_hidden()
        expect(page.locator(".paper")).to_have_css("color", "rgb(0, 0, 0)")
        expect(page.locator("html")).to_have_css("background-color", "rgb(255, 255, 255)")
        expect(page.locator(".paper tbody .p12").first).to_have_css("color", "rgb(0, 0, 0)")


def test_the_button_prints(page: Page, live_server: LiveServer, game: Game) -> None:
    opened(page, live_server, game)
    more(page, "Print")
    page.wait_for_url("**/print/")
    page.evaluate("window.print = () => { document.title = 'printed'; }")
    page.get_by_role("button", name="Print").tap()
    expect(page).to_have_title("printed")


def test_without_script_it_says_how_to_print(
    page_without_script: Page, live_server: LiveServer, game: Game
) -> None:
    page = opened(page_without_script, live_server, game)
    page.goto(f"{live_server}/g/{game.slug}/print/")
    expect(page.get_by_text("To print it, use the browser’s own menu: Print.")).to_be_visible()
    expect(page.get_by_role("button", name="Print")).to_be_hidden()


@pytest.mark.parametrize("script", [True, False])
def test_an_old_sheet_with_a_wrong_sum_is_mended_and_becomes_a_game(
    new_phone: NewPhone, live_server: LiveServer, watch: Watch, script: bool
) -> None:
    watch.allow("422")
    page = new_phone(java_script_enabled=script)
    page.goto(f"{live_server}/new/")
    page.get_by_role("link", name="From a paper sheet").tap()
    page.get_by_label("Type or paste the sheet").fill(SHEET)
    page.get_by_role("button", name="Read the sheet").tap()

    expect(page.get_by_role("alert").first).to_contain_text(
        "Round 5, Ben: 146 and 14 make 160, the sheet says 150."
    )
    expect(page.locator("td.slip")).to_have_text(re.compile(r"14\s*150 ≠ 160"))
    text = page.get_by_label("Type or paste the sheet")
    expect(text).to_have_value(SHEET)
    text.fill(SHEET.replace("14/150", "14/160"))
    page.get_by_role("button", name="Read the sheet").tap()
    expect(page.get_by_text("Every sum is right.")).to_be_visible()
    page.get_by_role("button", name="Make this game").tap()

    page.wait_for_url("**/g/*/")
    expect(page.locator("#c5-2")).to_contain_text("14")
    expect(page.locator("#board-head, #board").first).to_contain_text("Ruth")
    game = Game.objects.get()
    assert (game.status, game.rounds.count()) == ("finished", 5)
    page.goto(f"{live_server}/new/sheet/")
    expect(page.get_by_label("Type or paste the sheet")).to_have_value("")  # what became a game is no draft
