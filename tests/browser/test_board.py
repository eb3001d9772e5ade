"""The board on a phone: sheets and Back, news that come by themselves, a correction undone and done again."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from games.models import AccessKey, Game, RecordMark, Role, Round
from games.services import round_put
from tests.browser.test_every_page import SCHEMES, AxeCheck
from tests.cast import FOURTEEN, claim, play, start

pytestmark = pytest.mark.django_db(transaction=True)

FIRST, SECOND = (33, 15, 0, 31, 46), (0, 14, 26, 45, 51)
SHEET = "dialog#sheet"


@pytest.fixture
def game() -> Game:
    game = start(name="Friday at Ruth’s").sheet.game
    play(game, FIRST, SECOND, who="Ben")
    return game


def open_board(page: Page, server: LiveServer, game: Game, role: Role = Role.SCORER, query: str = "") -> None:
    letter = "s" if role == Role.SCORER else "w"
    url = f"{server}/{letter}/{AccessKey.objects.get(game=game, role=role).key}/"
    if query:
        page.request.get(url)
        page.goto(f"{server}/g/{game.slug}/{query}")
    else:
        page.goto(url)


def test_a_score_opens_its_history_and_back_closes_it(
    page: Page, live_server: LiveServer, game: Game
) -> None:
    open_board(page, live_server, game)
    page.locator("#c1-2").tap()

    expect(page.get_by_role("heading", name="Ben, round 1")).to_be_visible()
    page.get_by_role("link", name="Whole round").tap()
    expect(page.get_by_role("heading", name="Round 1 of 13")).to_be_visible()
    page.go_back()
    expect(page.locator(SHEET)).to_be_hidden()
    expect(page.locator("#c1-2")).to_be_focused()
    expect(page).to_have_url(re.compile(rf"/g/{game.slug}/$"))


@pytest.mark.parametrize("way", ["cross", "escape", "outside", "reload"])
def test_a_sheet_closes_in_every_way_and_leaves_back_alone(
    page: Page, live_server: LiveServer, game: Game, way: str
) -> None:
    page.goto(f"{live_server}/")
    open_board(page, live_server, game)
    page.locator("#s2").tap()
    expect(page.locator(SHEET)).to_be_visible()
    match way:
        case "cross":
            page.get_by_role("button", name="Close").tap()
        case "escape":
            page.keyboard.press("Escape")
        case "outside":
            page.mouse.click(180, 20)
        case "reload":
            page.reload()
    expect(page.locator(SHEET)).to_be_hidden()
    page.wait_for_function("() => !history.state || !history.state.sheet")
    page.go_back()
    expect(page.get_by_role("link", name="New game")).to_be_visible()


def test_a_correction_is_told_saved_undone_and_done_again(
    page: Page, live_server: LiveServer, game: Game
) -> None:
    open_board(page, live_server, game)
    page.locator("#c1-2").tap()
    page.get_by_role("link", name="Correct this score").tap()
    for key in "51":
        page.locator(f'[data-key="{key}"]').tap()
    expect(page.locator("#said")).to_contain_text(
        "51 can be right. The total becomes 65, not 29: Ben moves down to 3rd, Ruth to 2nd."
    )
    page.get_by_text("Typing slip").tap()
    page.get_by_role("button", name="Change to 51").tap()

    expect(page.locator("#notice")).to_contain_text("Ben, round 1: now 51, was 15.")
    expect(page.locator("#notice")).to_be_focused()
    expect(page.locator("#c1-2")).to_contain_text("51")
    page.locator("#notice-do").tap()
    expect(page.locator("#notice")).to_contain_text("Undone: Ben, round 1, corrected.")
    expect(page.locator("#c1-2")).to_contain_text("15")
    page.locator("#notice-do").tap()
    expect(page.locator("#c1-2")).to_contain_text("51")


def test_a_refused_correction_keeps_what_was_typed(page: Page, live_server: LiveServer, game: Game) -> None:
    open_board(page, live_server, game, query="rounds/1/seats/3/correct/")
    for key in "12":
        page.locator(f'[data-key="{key}"]').tap()
    expect(page.locator("#said")).to_contain_text("Nobody has 0")
    expect(page.get_by_role("link", name="Correct the whole round")).to_be_visible()
    expect(page.locator("#value")).to_have_value("12")


def test_news_come_by_themselves_and_the_board_stays_where_it_was(
    new_phone: Callable[..., Page], live_server: LiveServer
) -> None:
    game = start(FOURTEEN, max_pip=18).sheet.game
    play(game, *(tuple(range(first, first + 56, 4)) for first in (0, 0, 0, 0, 0, 0, 0)))
    watcher = new_phone()
    open_board(watcher, live_server, game, Role.VIEWER)
    watcher.evaluate("document.querySelector('main').scrollTo(100, 120)")
    watcher.evaluate("document.getElementById('c5-6').focus({ preventScroll: true })")
    round_put(game=game, number=7, claim=claim((0, 5, *range(8, 56, 4))), who="Ann")

    expect(watcher.locator("#c7-2")).to_contain_text("5")
    expect(watcher.locator("#news")).to_have_text("Round 7 is in. Ruth leads by 29.")
    expect(watcher.locator("#c5-6")).to_be_focused()
    assert watcher.evaluate("[main.scrollLeft, main.scrollTop]") == [100, 120]


def test_without_script_every_step_is_a_page(
    page_without_script: Page, live_server: LiveServer, game: Game
) -> None:
    page = page_without_script
    open_board(page, live_server, game)
    page.locator("#c1-2").tap()
    page.get_by_role("link", name="Correct this score").tap()
    page.get_by_label("new", exact=True).fill("40+11")
    page.get_by_role("button", name="Check").tap()
    expect(page.locator("#said")).to_contain_text("51 can be right.")
    page.get_by_role("button", name="Save the change").tap()
    expect(page.locator("#notice")).to_contain_text("now 51, was 15.")
    page.locator("#notice-do").tap()
    expect(page.locator("#c1-2")).to_contain_text("15")
    page.locator("[href$='/more/']").tap()
    page.get_by_text("Finish early…").tap()
    page.get_by_role("button", name="Finish early").tap()
    expect(page.get_by_role("heading", name="Ruth and Ben")).to_have_count(0)
    expect(page.get_by_text("Finished after 2 of 13 rounds")).to_be_visible()


def test_fourteen_players_and_nineteen_rounds_are_seen_at_once(page: Page, live_server: LiveServer) -> None:
    game = start(FOURTEEN, max_pip=18).sheet.game
    play(game, *(tuple(range(0, 56, 4)) for _ in range(19)))
    page.set_viewport_size({"width": 1280, "height": 800})
    open_board(page, live_server, game)

    assert page.evaluate("[main.scrollWidth - main.clientWidth]") == [0]
    for corner in ("#c19-1", "#c1-1", "#c1-14", "#c19-14"):
        expect(page.locator(corner)).to_be_in_viewport(ratio=0.9)


def test_nothing_sticks_out_at_the_side(page: Page, live_server: LiveServer, game: Game) -> None:
    open_board(page, live_server, game)
    for query in ("", "end/", "log/", "more/", "rounds/1/sheet/", "rounds/3/sheet/", "seats/2/"):
        page.goto(f"{live_server}/g/{game.slug}/{query}")
        for width in (320, 360):
            page.set_viewport_size({"width": width, "height": 640})
            root = "document.documentElement"
            assert page.evaluate(f"{root}.scrollWidth <= {root}.clientWidth"), (query, width)


def test_axe_finds_nothing_serious_in_a_sheet_over_the_board(
    page: Page, live_server: LiveServer, game: Game, axe: AxeCheck
) -> None:
    open_board(page, live_server, game)
    page.emulate_media(reduced_motion="reduce")  # else the sheet is still rising
    page.locator("#c1-2").tap()
    expect(page.get_by_role("heading", name="Ben, round 1")).to_be_visible()
    for scheme, rules in SCHEMES.items():
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        axe(page, *rules)


def test_the_sign_of_a_record_stands_beside_its_round_from_round_10_on_too(
    page: Page, live_server: LiveServer, game: Game
) -> None:
    play(game, *[SECOND] * 9)
    Round.objects.filter(game=game).update(record="A", record_mark=RecordMark.AGREES)
    Round.objects.filter(game=game, number=10).update(record_mark=RecordMark.DIFFERS)
    open_board(page, live_server, game)
    for width, height in ((360, 740), (320, 640), (740, 360)):
        page.set_viewport_size({"width": width, "height": height})
        broken = page.locator(".col-round > a > :last-child").evaluate_all(
            """(all) => all.filter((one) => {
              const text = document.createRange();
              text.selectNodeContents(one);
              return new Set([...text.getClientRects()].map((part) => part.top)).size > 1;
            }).map((one) => one.textContent)"""
        )
        assert broken == [], (width, height)
    expect(page.locator(".col-round").nth(1)).to_contain_text("R10 ≠")
