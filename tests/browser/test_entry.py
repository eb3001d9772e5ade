"""Entering a round on a phone: the pads, the live check, and nothing that can be lost."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from games.models import AccessKey, Game, LogEntry, Role
from games.selectors import sheet_of
from games.services import round_put
from tests.browser.conftest import BUSY, Watch
from tests.cast import FOURTEEN, claim, play, start
from tests.web.at_the_table import SIX

pytestmark = pytest.mark.django_db(transaction=True)
AxeCheck = Callable[[Page], None]


class Table:
    """A game and the phones that open it."""

    def __init__(self, game: Game, server: str) -> None:
        self.game = game
        self.server = server

    def open(self, page: Page, path: str = "") -> Page:
        key = AccessKey.objects.get(game=self.game, role=Role.SCORER).key
        url = f"{self.server}{reverse('open_scorer', args=[key])}"
        if path:
            page.request.get(url)
            page.goto(f"{self.server}/g/{self.game.slug}/{path}")
        else:
            page.goto(url)
        return page

    def points(self, number: int) -> list[int]:
        known = sheet_of(self.game).round(number)
        assert known is not None
        return [known.hands[seat].points for seat in sorted(known.hands)]


@pytest.fixture
def friday(live_server: LiveServer) -> Table:
    game = start().sheet.game
    play(game, *SIX)
    return Table(game, live_server.url)


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.click(f'#bar [data-key="{key}"]')


def enter(page: Page, *hands: str) -> None:
    """Each hand, and Next or Save behind it."""
    for hand in hands:
        press(page, *hand)
        page.click("[data-save]")


def tap_tiles(page: Page, *tiles: str) -> None:
    for tile in tiles:
        high = tile.split("-")[0]
        page.click(f'[data-half="{high}"]')
        page.click(f'.picks [data-tile="{tile}"]')


def on_the_board(page: Page, table: Table) -> None:
    expect(page).to_have_url(f"{table.server}/g/{table.game.slug}/")


def test_a_round_is_entered_with_one_thumb(friday: Table, page: Page) -> None:
    friday.open(page)
    page.click("text=Enter round 7")
    page.click("text=Chitra")

    expect(page.locator("#hand-1")).to_be_focused()
    press(page, *"10+15+8")
    expect(page.locator("#row-1 .eqs")).to_have_text(re.compile(r"=\s*33"))
    expect(page.locator("#said")).to_contain_text("33 can be right.")
    expect(page.locator("#said")).to_contain_text("Still to come: Ben, Wilhelmina, Ann.")
    expect(page.locator("[data-save]")).to_have_text("Next: Ben")

    page.click("[data-save]")
    enter(page, "2", "31")
    press(page, *"46")
    expect(page.locator("[data-save]")).to_have_text("Save round 7")
    page.click("[data-save]")

    on_the_board(page, friday)
    assert friday.points(7) == [33, 2, 0, 31, 46]


SHIFTS = """() => new Promise((done) => new PerformanceObserver((list) => {
  done(list.getEntries().reduce((sum, one) => sum + one.value, 0));
}).observe({ type: "layout-shift", buffered: true }) || setTimeout(() => done(0), 300))"""


@pytest.mark.parametrize("path", ["rounds/7/hands/?out=3", "rounds/6/seats/2/correct/"])
def test_a_slow_pad_does_not_push_the_rows_about(friday: Table, page: Page, path: str) -> None:
    friday.open(page)

    def slowly(route: Route) -> None:
        page.wait_for_timeout(600)
        route.continue_()

    page.route("**/pad*.js", slowly)
    page.goto(f"{friday.server}/g/{friday.game.slug}/{path}")

    expect(page.locator("[data-save]")).to_be_visible()
    assert page.evaluate(SHIFTS) < 0.05


def test_a_short_phone_shows_two_rows_of_tiles(friday: Table, page: Page) -> None:
    page.set_viewport_size({"width": 320, "height": 640})
    friday.open(page, "rounds/7/hands/?out=3")
    press(page, "tiles")
    page.click('[data-half="9"]')

    for tile in ("9-0", "9-6", "11-9"):
        expect(page.locator(f'.picks [data-tile="{tile}"]')).to_be_in_viewport(ratio=1)
        box = page.locator(f'.picks [data-tile="{tile}"]').bounding_box()
        assert box
        assert box["width"] >= 48
        assert box["height"] >= 48


def test_the_keys_delete_clear_and_jump(friday: Table, page: Page) -> None:
    friday.open(page, "rounds/7/hands/?out=3")
    field = page.locator("#hand-1")

    press(page, *"01+", "+", *"05", "back")
    expect(field).to_have_value("1+")
    page.locator('.pad [data-key="back"]:visible').click(delay=700)
    expect(field).to_have_value("")
    press(page, *"12", "clear")
    expect(field).to_have_value("")

    page.click("#row-4")
    press(page, "7")
    expect(page.locator("#hand-4")).to_have_value("7")
    expect(page.locator("[data-save]")).to_have_text("Next: Ann")


def test_a_keyboard_does_as_well(friday: Table, page: Page) -> None:
    friday.open(page, "rounds/7/hands/?out=3")

    for hand in ("10+15+8", "1-1", "31", "46"):
        page.keyboard.type(hand)
        page.keyboard.press("Enter")

    on_the_board(page, friday)
    assert friday.points(7) == [33, 2, 0, 31, 46]


def test_tiles_are_tapped_and_kept(friday: Table, page: Page) -> None:
    friday.open(page, "rounds/7/hands/?out=3")
    press(page, "tiles")
    tap_tiles(page, "9-6")
    page.click("[data-save]")
    tap_tiles(page, "8-5", "9-9")
    expect(page.locator("#hand-2")).to_have_value("8-5 9-9")
    expect(page.locator("#row-2 .eqs")).to_have_text(re.compile(r"=\s*31"))
    expect(page.locator(".ask b")).to_have_text("9 and…?")

    page.click('.picks [data-tile="9-6"]')
    expect(page.locator(".tilepad")).to_contain_text("Ruth has 9-6.")
    expect(page.locator("#hand-2")).to_have_value("8-5 9-9")
    page.click("text=Go to Ruth")
    expect(page.locator("#row-1")).to_have_class(re.compile("now"))
    page.click('[data-half="6"]')
    page.click('.picks [data-tile="6-6"]')
    expect(page.locator(".tilepad")).to_contain_text("6-6 is this round’s engine.")
    expect(page.locator("#hand-1")).to_have_value("9-6")

    press(page, "numbers")
    page.click("#row-2")
    press(page, *"33")
    expect(page.locator("[data-replace]")).to_contain_text("Replace the two tiles by 33?")
    press(page, "no")
    expect(page.locator("#hand-2")).to_have_value("8-5 9-9")
    press(page, *"33", "yes")
    expect(page.locator("#hand-2")).to_have_value("33")


def test_undo_and_a_tap_take_a_tile_out(friday: Table, page: Page) -> None:
    friday.open(page, "rounds/7/hands/?out=3")
    press(page, "tiles")
    tap_tiles(page, "8-5", "9-9", "9-1")

    page.click('.pad [data-key="back"]:visible')
    expect(page.locator("#hand-1")).to_have_value("8-5 9-9")
    page.click('.picks [data-tile="9-9"]')
    expect(page.locator("#hand-1")).to_have_value("8-5")
    page.click("#row-1 .laid button")
    expect(page.locator("#hand-1")).to_have_value("")


def test_a_mis_keyed_round_is_refused_in_words_and_repaired(
    friday: Table, page: Page, watch: Watch, axe: AxeCheck
) -> None:
    watch.allow("422")
    friday.open(page, "rounds/7/hands/?out=3")
    press(page, *"31")
    page.click("#row-1 .cnt-label")
    press(page, "1")
    expect(page.locator("#said")).to_contain_text("Ruth: one tile cannot be worth 31.")
    expect(page.locator("#row-1")).to_have_class(re.compile("bad"))
    page.click("[data-save]")
    enter(page, "1", "28", "1")

    expect(page.locator("#said")).to_have_attribute("role", "alert")
    expect(page.locator("#hand-1")).to_be_focused()
    axe(page)
    page.click("#row-1 .cnt-label")
    press(page, "clear")
    expect(page.locator("#said")).to_contain_text("Ben and Ann cannot both have 1.")
    expect(page.locator("[data-save]")).to_have_class(re.compile("held"))
    page.click("#row-5")
    press(page, "back", "2")
    expect(page.locator("#said")).to_contain_text("2 can be right.")
    page.click("[data-save]")

    on_the_board(page, friday)
    assert friday.points(7) == [31, 1, 0, 28, 2]


def test_a_reload_back_and_forth_lose_nothing(friday: Table, page: Page) -> None:
    friday.open(page)
    page.click("text=Enter round 7")
    page.click("text=Chitra")
    enter(page, "33")
    press(page, "2")

    page.reload()
    expect(page.locator("#hand-1")).to_have_value("33")
    expect(page.locator("[data-save]")).to_have_text("Next: Ann")
    page.click("header .tap")
    expect(page.locator("h1")).to_have_text("Who went out?")
    page.click("header .tap")
    page.click("text=Round 7 begun. Go on")
    expect(page.locator("#hand-2")).to_have_value("2")
    page.go_back()
    page.go_forward()
    expect(page.locator("#hand-1")).to_have_value("33")

    enter(page, "31", "46")
    on_the_board(page, friday)
    expect(page.locator("text=Enter round 8")).to_be_visible()


def test_who_went_out_can_be_changed_on_the_way(friday: Table, page: Page) -> None:
    friday.open(page, "rounds/7/hands/?out=3")
    enter(page, "33", "2")

    page.click("#row-3")
    page.click("text=Ann")
    expect(page.locator("#hand-1")).to_have_value("33")
    expect(page.locator("#hand-2")).to_have_value("2")
    expect(page.locator("#row-5")).to_contain_text("went out")
    page.click("#row-3")
    enter(page, "12", "31")

    on_the_board(page, friday)
    assert friday.points(7) == [33, 2, 12, 31, 0]


def test_without_a_connection_the_numbers_stay_and_can_be_sent_again(
    friday: Table, page: Page, watch: Watch
) -> None:
    for text in ("ERR_INTERNET_DISCONNECTED", "htmx:sendError"):
        watch.allow(text)
    friday.open(page, "rounds/7/hands/?out=3")
    enter(page, "33", "2", "31")
    press(page, *"46")
    expect(page.locator("#said")).to_contain_text("All 5 are in.")

    page.context.set_offline(True)
    page.click("[data-save]")
    expect(page.locator("[data-failed=offline]")).to_contain_text("Not saved: no connection")
    expect(page.locator("#hand-5")).to_have_value("46")
    page.context.set_offline(False)
    page.click("text=Try again")

    on_the_board(page, friday)
    assert friday.points(7) == [33, 2, 0, 31, 46]


def test_a_double_tap_on_save_saves_once(friday: Table, page: Page) -> None:
    friday.open(page, "rounds/7/hands/?out=3")
    enter(page, "33", "2", "31")
    press(page, *"46")

    page.evaluate("""() => {
        const save = document.querySelector("[data-save]");
        save.click(); save.click(); save.click();
    }""")

    on_the_board(page, friday)
    assert LogEntry.objects.filter(game=friday.game, round_number=7).count() == 1


def test_what_is_unusual_is_asked(friday: Table, page: Page, watch: Watch) -> None:
    watch.allow("422")
    friday.open(page, "rounds/7/hands/?out=3")
    enter(page, "300", "2", "31", "46")

    expect(page.locator("#said")).to_contain_text("Ruth: 300 points is unusual.")
    page.click("text=Look again")
    page.click("[data-save]")
    expect(page.locator(BUSY)).to_have_count(0)
    page.click("text=Yes, save it")

    on_the_board(page, friday)
    assert friday.points(7) == [300, 2, 0, 31, 46]


def test_what_cannot_be_repaired_is_saved_as_disputed(friday: Table, page: Page, watch: Watch) -> None:
    watch.allow("422")
    friday.open(page, "rounds/7/hands/?out=3")
    enter(page, "33", "1", "28", "1")

    page.click("text=The tiles are shuffled already?")
    page.fill(".dispute input", "The tiles are in the box")
    page.click("text=Save it as disputed")

    on_the_board(page, friday)
    known = sheet_of(friday.game).round(7)
    assert known is not None
    assert known.disputed


def test_a_round_saved_by_another_phone_is_put_beside_mine(
    friday: Table, page: Page, watch: Watch, axe: AxeCheck
) -> None:
    watch.allow("409")
    friday.open(page, "rounds/7/hands/?out=3")
    enter(page, "33", "2", "31")
    round_put(game=friday.game, number=7, claim=claim((33, 2, 0, 13, 46)), who="Ann")
    enter(page, "46")

    expect(page.locator("h1")).to_have_text("Round 7 was saved twice")
    expect(page.locator(".differs")).to_have_count(1)
    axe(page)
    page.click("text=Use mine")

    on_the_board(page, friday)
    assert friday.points(7) == [33, 2, 0, 31, 46]


def test_with_htmx_blocked_the_form_is_sent_by_the_browser(friday: Table, page: Page, watch: Watch) -> None:
    for text in ("ERR_FAILED", "422"):
        watch.allow(text)
    page.route("**/htmx*.js", lambda route: route.abort())
    friday.open(page, "rounds/7/hands/?out=3")
    enter(page, "33", "1", "28", "1")
    expect(page.locator("#said")).to_contain_text("Ben and Ann cannot both have 1.")
    page.click("#row-5")
    press(page, "clear", *"46")
    page.click("[data-save]")

    on_the_board(page, friday)
    assert friday.points(7) == [33, 1, 0, 28, 46]


def test_without_script_it_is_a_plain_form(friday: Table, page_without_script: Page, watch: Watch) -> None:
    watch.allow("422")
    page = friday.open(page_without_script)
    page.goto(f"{friday.server}/g/{friday.game.slug}/rounds/7/")
    page.click("text=Chitra")
    page.fill("#hand-1", "10+15+8")
    page.fill("#hand-2", "1-1")
    page.fill("#hand-4", "31")
    page.click("text=Save round 7")
    expect(page.locator("#said")).to_contain_text("Ann has no points yet.")
    expect(page.locator("#hand-1")).to_have_value("10+15+8")
    page.fill("#hand-5", "46")
    page.click("text=Save round 7")

    on_the_board(page, friday)
    assert friday.points(7) == [33, 2, 0, 31, 46]


def test_fourteen_jump_by_their_markers(live_server: LiveServer, page: Page) -> None:
    table = Table(start(FOURTEEN, max_pip=18).sheet.game, live_server.url)
    table.open(page, "rounds/1/hands/?out=3")
    enter(page, "61", "44", "57")
    press(page, *"24+19")
    expect(page.locator("#said")).to_contain_text("5 of 14 are in.")

    page.click('[data-to="14"]')
    expect(page.locator("#hand-14")).to_be_focused()
    expect(page.locator("#row-14")).to_be_in_viewport()
    expect(page.locator('[data-to="4"]')).to_contain_text("57")
    expect(page.locator(".pad [data-save]")).to_be_in_viewport()


@pytest.mark.parametrize(
    "size", [(320, 640), (360, 740), (740, 360), (1280, 800)], ids=lambda size: f"{size[0]}"
)
def test_the_pad_is_always_whole_and_nothing_sticks_out(
    friday: Table, page: Page, size: tuple[int, int]
) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    friday.open(page, "rounds/7/hands/?out=3")
    press(page, *"10+15+8+12")

    def look() -> None:
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
        assert page.evaluate("(m => m.scrollWidth - m.clientWidth)(document.querySelector('main'))") <= 0
        box: Any = page.locator("[data-save]").bounding_box()
        assert box["y"] + box["height"] <= size[1]

    look()
    for key in page.locator(".pad-in .num:visible").all():
        box: Any = key.bounding_box()
        assert box["height"] >= 48, key.inner_text()
        assert box["width"] >= 48, key.inner_text()
    press(page, "tiles")
    page.click('[data-half="9"]')
    look()
    for half in page.locator("[data-half]").all():
        box = half.bounding_box()
        assert min(box["width"], box["height"]) >= 47.5
    page.click('.picks [data-tile="9-9"]')
    expect(page.locator("[data-replace]")).to_contain_text("Replace 45 by the tile 9‑9?")
    look()
    press(page, "no")
    expect(page.locator("#hand-1")).to_have_value("10+15+8+12")
    page.click('.picks [data-tile="9-9"]')
    press(page, "yes")
    expect(page.locator("#hand-1")).to_have_value("9-9")


def test_left_handed_the_pad_is_mirrored(friday: Table, page: Page) -> None:
    friday.open(page, "")
    page.goto(f"{friday.server}/device/")
    page.check("[name=left_handed]")
    page.click("main form button.primary, .bar button.primary")
    page.goto(f"{friday.server}/g/{friday.game.slug}/rounds/7/hands/?out=3")

    def left(which: str) -> float:
        box: Any = page.locator(which).bounding_box()
        return float(box["x"])

    assert left(".pad [data-save]") < left('.pad [data-key="0"]')
    assert left('.pad [data-key="7"]') < left('.pad [data-key="9"]')
