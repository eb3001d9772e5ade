"""After every swap the focus is on something sensible, and what changed is said where it is heard."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.urls import reverse
from playwright.sync_api import Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from games.models import AccessKey, Game, Role
from games.services import change_undo, game_finish, game_stir, round_put
from tests.browser.conftest import BUSY, Watch
from tests.cast import claim, play, start

pytestmark = pytest.mark.django_db(transaction=True)
SECOND = claim((0, 14, 26, 45, 51))
Open = Callable[..., Page]

# What a swap's focus must not be: nothing, or something that is not there to be seen.
LOST = """() => {
  const one = document.activeElement;
  return !one || one === document.body || !one.checkVisibility({ checkVisibilityCSS: true });
}"""

# Keeps where the focus is as soon as `selector` is there: not later, since a key may be pressed at once.
FOCUS_AS_IT_COMES = """(selector) => new MutationObserver((changes, self) => {
  if (!document.querySelector(selector)) return;
  self.disconnect();
  window.came = document.activeElement.id;
}).observe(document.body, { childList: true, subtree: true })"""


@pytest.fixture
def game() -> Game:
    game = start(name="Friday at Ruth’s").sheet.game
    play(game, (33, 15, 0, 31, 46), who="Ben")
    return game


@pytest.fixture
def opened(page: Page, live_server: LiveServer, game: Game) -> Open:
    def open_page(path: str = "", role: Role = Role.SCORER) -> Page:
        link = "open_scorer" if role == Role.SCORER else "open_viewer"
        url = f"{live_server}{reverse(link, args=[AccessKey.objects.get(game=game, role=role).key])}"
        if path:
            page.request.get(url)
            page.goto(f"{live_server}/g/{game.slug}/{path}")
        else:
            page.goto(url)
        return page

    return open_page


def on(page: Page, selector: str) -> None:
    """The focus is there, once what was pressed has been answered and has settled."""
    expect(page.locator(BUSY)).to_have_count(0)
    expect(page.locator(selector)).to_be_focused()
    assert not page.evaluate(LOST)


def press(page: Page, selector: str) -> None:
    """Once it is there and all that came with it is at work."""
    expect(page.locator(selector)).to_be_attached()
    expect(page.locator(BUSY)).to_have_count(0)
    page.locator(selector).focus()
    page.keyboard.press("Enter")


PLACES = ("#home", "#share", "#more", "#start", "#sort", "#s2", "#r1", "#c1-2", "#undo", "#enter")


def test_news_leave_the_focus_where_it_is(opened: Open, page: Page, game: Game) -> None:
    page.clock.install()
    opened()
    for number, selector in enumerate(PLACES, start=2):
        page.locator(selector).focus()
        round_put(game=game, number=number, claim=SECOND, who="Ann")
        page.clock.run_for(2000)

        expect(page.locator(f"#c{number}-1")).to_be_attached()
        on(page, selector)
        lead = "Chitra leads by 3" if number == 2 else f"Ruth leads by {14 * number - 32}"
        expect(page.locator("#news")).to_have_text(f"Round {number} is in. {lead}.")


def test_what_the_news_take_away_leaves_the_focus_on_the_board(opened: Open, game: Game) -> None:
    page = opened()
    page.locator("#enter").focus()
    page.evaluate(FOCUS_AS_IT_COMES, "[data-over]")
    game_finish(game=game)

    page.wait_for_function("() => 'came' in window")
    assert page.evaluate("window.came") == "main"
    on(page, "#main")


def test_a_sheet_takes_the_focus_and_gives_it_back(opened: Open, game: Game) -> None:
    page = opened()
    for number, opener in enumerate(("#share", "#more", "#start", "#s2", "#r1", "#c1-2"), start=2):
        press(page, opener)
        expect(page.locator("dialog#sheet")).to_be_visible()
        page.wait_for_function("() => sheet.contains(document.activeElement)")
        round_put(game=game, number=number, claim=SECOND, who="Ann")  # the news wait for the sheet to close

        page.keyboard.press("Escape")
        on(page, opener)
        expect(page.locator(f"#c{number}-1")).to_be_attached()
        on(page, opener)


def test_a_slow_sheet_gives_the_focus_back_to_what_opened_it(opened: Open, page: Page) -> None:
    opened()

    def slowly(route: Route) -> None:
        page.wait_for_timeout(300)
        route.continue_()

    page.route("**/share/", slowly)
    press(page, "#share")
    page.keyboard.press("Tab")
    expect(page.locator("dialog#sheet")).to_be_visible()
    page.keyboard.press("Escape")
    on(page, "#share")


def test_a_sheet_in_a_sheets_place_has_the_focus(opened: Open, page: Page) -> None:
    opened()
    press(page, "#c1-2")
    press(page, "#sheet a[href$='/rounds/1/sheet/']")
    expect(page.locator("#sheet").get_by_role("heading", name="Round 1 of 13")).to_be_visible()
    page.wait_for_function("() => sheet.contains(document.activeElement)")

    page.keyboard.press("Escape")
    on(page, "#c1-2")


def test_the_share_sheet_keeps_the_focus_inside(opened: Open, page: Page) -> None:
    opened()
    press(page, "#share")
    press(page, "#face-score")
    expect(page.locator("#face-score")).to_have_attribute("aria-current", "true")
    on(page, "#face-score")

    press(page, "#sheet summary")
    press(page, "#sheet form button")
    expect(page.locator("#sheet .msg")).to_have_text("The old link is stopped. This is the new one.")
    on(page, "#sheet .msg")


def test_copying_is_said(opened: Open, page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    opened("share/")
    press(page, "[data-copy]")
    expect(page.locator("[data-copy] [aria-live=polite]")).to_have_text("Copied")

    page.goto(page.url.replace("share/", "files/"))
    press(page, "[data-copy-text]")
    expect(page.locator("[data-copy-text] [aria-live=polite]")).to_have_text("Copied")


def test_undo_and_redo_are_read_first(opened: Open, page: Page) -> None:
    opened()
    press(page, "#undo")
    expect(page.locator("#notice")).to_contain_text("Undone")
    on(page, "#notice")

    press(page, "#notice-do")
    expect(page.locator("#c1-2")).to_be_attached()
    on(page, "#notice")


def test_a_refused_save_says_all_once_and_goes_to_the_row(opened: Open, page: Page, watch: Watch) -> None:
    watch.allow("422")
    opened("rounds/2/hands/?out=3")
    live = page.locator("[data-live]")
    page.keyboard.type("33")
    expect(live).to_contain_text("33 can be right. Still to come: Ben, Wilhelmina, Ann.")
    for points in ("1", "1", "46"):
        page.keyboard.press("Enter")
        page.keyboard.type(points)
    expect(live).to_contain_text("Ben and Wilhelmina cannot both have 1.")
    assert page.locator("#check [role=alert]").count() == 0  # nothing loud while keys are pressed

    page.keyboard.press("Control+Enter")
    page.locator("#entry").evaluate("form => form.requestSubmit()")
    expect(page.locator("#check [role=alert]")).to_contain_text("Ben and Wilhelmina cannot both have 1.")
    on(page, "#hand-2")


def test_a_round_saved_twice_is_read_first(opened: Open, game: Game, page: Page, watch: Watch) -> None:
    watch.allow("409")
    opened("rounds/2/hands/?out=3")
    round_put(game=game, number=2, claim=SECOND, who="Ann")
    for points in ("33", "2", "31", "46"):
        page.keyboard.type(points)
        page.keyboard.press("Enter")

    expect(page.get_by_role("heading", name="Round 2 was saved twice")).to_be_visible()
    on(page, "[data-focus]")


def test_the_pads_keep_the_focus_in_the_hand(opened: Open, page: Page) -> None:
    opened("rounds/2/hands/?out=3")
    page.locator('[data-key="7"]').tap()
    on(page, "#hand-1")
    page.locator('[data-key="clear"]').tap()
    page.locator('[data-key="tiles"]').tap()
    on(page, "#hand-1")
    page.locator('[data-half="9"]').tap()
    page.locator('[data-tile="9-6"]').tap()
    on(page, "#hand-1")
    page.locator('[data-key="numbers"]').tap()
    on(page, "#hand-1")


def test_the_rows_of_names_keep_the_focus(page: Page, live_server: LiveServer) -> None:
    page.goto(f"{live_server}/new/")
    for number, name in enumerate(("Ann", "Ben", "Kim"), start=1):
        page.locator(f"#n{number}").focus()
        page.keyboard.type(name)
        page.keyboard.press("Enter")
        on(page, f"#n{number + 1}")
    press(page, "[value='move:3']")
    on(page, "[value='move:3']")
    for way in ("up", "down", "first"):
        press(page, f"[data-moves] [value^='{way}:']")
        on(page, f"[data-moves] [value^='{way}:']")
    press(page, "[value='remove:2']")
    on(page, "#n2")


def test_a_remembered_name_leaves_the_focus_among_the_names(page: Page, live_server: LiveServer) -> None:
    page.goto(f"{live_server}/new/")
    for number, name in enumerate(("Ann", "Ben"), start=1):
        page.locator(f"#n{number}").fill(name)
    page.locator("[data-start]").tap()
    page.wait_for_url("**/g/*/")
    page.goto(f"{live_server}/new/")

    press(page, ".chip >> nth=0")
    on(page, ".chip:not([hidden])")
    press(page, ".chip:not([hidden])")
    on(page, "[data-start]")


def test_choosing_rules_keeps_the_focus_and_says_the_deal(page: Page, live_server: LiveServer) -> None:
    page.goto(f"{live_server}/new/")
    says = page.locator("#suits")
    says.evaluate("one => { window.says = one; }")
    for number in (1, 2):
        page.locator(f"#n{number}").fill("AB"[number - 1])
    expect(says).to_contain_text("tiles")
    page.locator("#set-12").focus()
    page.keyboard.press("ArrowRight")
    expect(says).to_contain_text("15")
    on(page, "#set-15")
    press(page, ".change summary")
    page.locator("[name=preset]:checked").focus()
    with page.expect_response("**/new/**"):
        page.keyboard.press("ArrowDown")
    expect(page.locator(BUSY)).to_have_count(0)
    on(page, "[name=preset]:checked")
    with page.expect_response("**/new/**"):
        page.locator("[name=double_blank]").select_option(index=1)
        page.locator("[name=double_blank]").focus()
    expect(page.locator(BUSY)).to_have_count(0)
    on(page, "[name=double_blank]")
    assert page.evaluate("window.says === document.querySelector('#suits')")


def test_what_a_new_player_brings_is_said_in_one_place(opened: Open, page: Page) -> None:
    opened("players/")
    says = page.locator("#add [role=status]")
    says.evaluate("one => { window.says = one; }")
    with page.expect_response("**/players/"):
        page.get_by_label("Name", exact=True).press_sequentially("Kim")
    expect(says).to_contain_text("Kim")
    assert page.evaluate("window.says === document.querySelector('#add [role=status]')")
    on(page, "#add [name=name]")


def test_a_penalty_is_said_in_one_place(opened: Open, page: Page) -> None:
    opened("seats/2/edit/")
    page.locator("#adjust [role=status]").evaluate("one => { window.says = one; }")
    with page.expect_response("**/edit/"):
        page.get_by_label("Points", exact=True).press_sequentially("5")
    expect(page.locator("#adjust [role=status]")).to_contain_text("20")
    assert page.evaluate("window.says === document.querySelector('#adjust [role=status]')")
    on(page, "#adjust [name=points]")


def test_the_search_keeps_the_focus_and_says_what_it_found(page: Page, live_server: LiveServer) -> None:
    for number in range(7):
        key = AccessKey.objects.get(game=start(name=f"Friday {number}").sheet.game, role=Role.SCORER).key
        page.request.get(f"{live_server}{reverse('open_scorer', args=[key])}")
    page.goto(f"{live_server}/")
    page.get_by_role("searchbox").press_sequentially("Friday 3")

    expect(page.locator("#games li")).to_have_count(1)
    on(page, "[type=search]")
    page.get_by_role("searchbox").press_sequentially("99")
    expect(page.locator("#games")).to_contain_text("No game and no player here is called")
    on(page, "[type=search]")


def test_the_watched_board_says_one_sentence(opened: Open, game: Game) -> None:
    page = opened(role=Role.VIEWER)
    news = page.locator("#news")
    expect(news).to_have_text("")
    news.evaluate("one => { window.says = one; }")
    round_put(game=game, number=2, claim=SECOND, who="Ann")

    expect(news).to_have_text("Round 2 is in. Chitra leads by 3.")
    assert page.evaluate(
        "[...document.querySelectorAll('[role=status], [role=alert]')].map((one) => one.id)"
    ) == [
        "stale",
        "news",
    ]
    assert page.evaluate("window.says === document.querySelector('#news')")


def test_what_was_said_is_not_said_again_when_only_a_phone_of_the_table_stirs(
    opened: Open, game: Game
) -> None:
    page = opened(role=Role.VIEWER)
    round_put(game=game, number=2, claim=SECOND, who="Ann")
    news = page.locator("#news")
    expect(news).to_have_text("Round 2 is in. Chitra leads by 3.")
    news.evaluate(
        "one => { window.said = 0;"
        " new MutationObserver(() => window.said++).observe(one, { childList: true }); }"
    )
    game_stir(game.pk)
    game.refresh_from_db()
    expect(page.locator(f"#board[hx-get$='v={game.stamp}']")).to_be_visible()
    assert page.evaluate("window.said") == 0

    change_undo(game=game)
    expect(news).to_have_text("Round 1 is in. Chitra leads by 15.")
    assert page.evaluate("window.said") == 1
