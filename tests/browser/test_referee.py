"""The round turn by turn in a browser: arrow keys, swipes, Back, the link, in both themes."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import FilePayload, Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.conftest import Watch
from tests.browser.test_every_page import sideways
from tests.browser.test_sharing import NewPhone
from tests.test_record_table import FIVE

pytestmark = pytest.mark.django_db(transaction=True)
SWIPE = """([from, to]) => {
  const main = document.querySelector('.turn-text');
  const touch = (x) => new Touch({ identifier: 1, target: main, clientX: x, clientY: 500 });
  main.dispatchEvent(new TouchEvent('touchstart', { bubbles: true, touches: [touch(from)] }));
  main.dispatchEvent(new TouchEvent('touchend', { bubbles: true, changedTouches: [touch(to)] }));
}"""
CHOSEN = "(() => { const one = record; return one.value.slice(one.selectionStart, one.selectionEnd); })()"


def test_a_round_is_checked_and_stepped_through(
    page: Page, live_server: LiveServer, watch: Watch, axe: Callable[..., None]
) -> None:
    watch.allow("422")
    page.goto(f"{live_server}/")
    page.get_by_role("link", name="Check a round").tap()
    page.get_by_label("The record").fill("x" * 200_001)
    page.get_by_role("button", name="Check this round").tap()
    expect(page.get_by_role("alert")).to_have_text("A record has at most 200,000 characters; this is more.")
    page.get_by_label("The record").fill(FIVE.replace("9. A 8-8 + -", f"9. A 8-8 + - ? ;{'x' * 200}"))
    page.get_by_role("button", name="Check this round").tap()
    expect(page.locator("[data-line]")).to_be_visible()
    page.wait_for_load_state()
    page.locator("[data-line]").tap()
    assert sideways(page) == []
    assert page.evaluate(CHOSEN) == "?"
    page.get_by_label("The record").fill(FIVE)
    page.get_by_role("button", name="Check this round").tap()
    page.wait_for_url("**/check/*/")
    here = page.url
    shown = page.locator("#turn-bar .where b")
    expect(shown).to_have_text("Turn 10")
    axe(page)
    page.emulate_media(color_scheme="dark")
    axe(page, "color-contrast")

    for key, turn in (
        ("ArrowLeft", "Turn 9"),
        ("Home", "Start"),
        ("ArrowRight", "Turn 1"),
        ("End", "Turn 10"),
    ):
        page.keyboard.press(key)
        expect(shown).to_have_text(turn)
    page.evaluate(SWIPE, [100, 300])
    expect(shown).to_have_text("Turn 9")
    expect(page.locator("#headline")).to_contain_text("28 in the boneyard")
    expect(page.locator("#turn-said")).to_contain_text("Turn 9. Ruth lays 8-8")
    page.evaluate(SWIPE, [300, 100])
    expect(shown).to_have_text("Turn 10")
    page.locator("#step-back").focus()
    page.keyboard.press("Enter")
    expect(shown).to_have_text("Turn 9")
    expect(page.locator("#step-back")).to_be_focused()
    expect(page).to_have_url(f"{here}?turn=9")
    page.get_by_role("link", name="turn 1: 12-9").tap()
    expect(page.locator(".done")).to_contain_text("Ruth lays 12-9, 9-4 and 8-4 on Ruth’s train.")

    page.get_by_role("link", name="3 more tiles of Ben").wait_for(state="detached")
    page.get_by_role("link", name="What this proves about the hands").tap()
    expect(page.get_by_role("heading", name="Hands after turn 1")).to_be_visible()
    page.get_by_role("link", name="Share this round").tap()
    expect(page.locator("#link")).to_have_value(here)
    page.get_by_role("link", name="Back").tap()
    page.wait_for_url(here)
    page.locator("#step-back").tap()
    expect(shown).to_have_text("Turn 9")
    page.go_back()
    page.wait_for_url("**/share/")


def test_a_step_leaves_no_trace_and_needs_no_script(
    page: Page, page_without_script: Page, live_server: LiveServer
) -> None:
    page.goto(f"{live_server}/check/?example=1")
    page.get_by_role("button", name="Check this round").tap()
    page.wait_for_url("**/check/*/")
    here = page.url
    for turn in (7, 6, 5):
        page.locator("#step-back").tap()
        expect(page.locator("#turn-bar .where b")).to_have_text(f"Turn {turn}")
    page.go_back()
    page.wait_for_url("**/check/?example=1")

    bare = page_without_script
    bare.goto(here)
    bare.locator("#step-back").tap()
    bare.wait_for_url("**/?turn=7")
    expect(bare.locator("#turn-bar .where b")).to_have_text("Turn 7")


def test_of_a_long_train_only_what_has_room_is_shown(page: Page, live_server: LiveServer) -> None:
    tiles = " ".join(f"{at}-{at + 1}" for at in range(11))
    page.goto(f"{live_server}/check/")
    page.get_by_label("The record").fill(
        f"players: A=Ruth, B=Ben\ndeal: 15\nengine: 12-12 A\n1. A 12-0 {tiles}\n2. B 12-1"
    )
    page.get_by_role("button", name="Check this round").tap()
    page.wait_for_url("**/check/*/")
    train = page.locator("#train-1")
    for width, folded in ((360, "+9"), (1280, "+5")):
        page.set_viewport_size({"width": width, "height": 740})
        expect(train.locator(".folded:visible")).to_have_text(re.compile(re.escape(folded)))
        assert train.locator(".run").evaluate("one => one.scrollWidth <= one.clientWidth"), width


def test_a_file_that_was_chosen_before_the_script_came_is_shown(
    new_phone: Callable[..., Page], live_server: LiveServer
) -> None:
    page = new_phone(early=True)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/referee*.js", hold)
    with page.expect_request("**/referee*.js"):
        page.goto(f"{live_server}/check/", wait_until="commit")
    chosen: FilePayload = {"name": "friday.train", "mimeType": "text/plain", "buffer": FIVE.encode()}
    page.get_by_label("Or open a file").set_input_files(chosen)
    expect(page.get_by_label("The record")).to_have_value("")
    held[0].continue_()
    expect(page.get_by_label("The record")).to_have_value(FIVE)
    expect(page.get_by_role("status")).to_have_text("In the field now: friday.train")


LINES_OF = """sign => {
  const said = document.querySelector('.places p');
  const nodes = document.createTreeWalker(said, NodeFilter.SHOW_TEXT);
  const range = new Range(), from = said.textContent.indexOf(sign), to = from + sign.length;
  for (let at = 0, node; (node = nodes.nextNode()); at += node.length) {
    if (from >= at && from < at + node.length) range.setStart(node, from - at);
    if (to > at && to <= at + node.length) range.setEnd(node, to - at);
  }
  return new Set([...range.getClientRects()].map((one) => Math.round(one.top))).size;
}"""


def test_no_action_that_there_is_breaks_over_lines(page: Page, live_server: LiveServer, watch: Watch) -> None:
    watch.allow("422")
    page.goto(f"{live_server}/check/")
    page.get_by_label("The record").fill("players: A, B\ndeal: 4\nengine: 6-6\n1. A x")
    page.get_by_role("button", name="Check this round").tap()
    expect(page.locator(".places p")).to_contain_text("There are 12-3, 12-3>A, +, +5-4")
    for width in range(320, 400, 4):
        page.set_viewport_size({"width": width, "height": 740})
        for sign in ("12-3,", "12-3>A", "+5-4"):
            assert page.evaluate(LINES_OF, sign) == 1, (width, sign)


def test_signs_from_a_chat_are_mended_and_checked(
    new_phone: NewPhone, live_server: LiveServer, watch: Watch
) -> None:
    watch.allow("422")
    for script in (True, False):
        page = new_phone(java_script_enabled=script)
        page.goto(f"{live_server}/check/")
        page.get_by_label("The record").fill(FIVE.replace("-", "–"))
        page.get_by_role("button", name="Check this round").tap()
        page.get_by_role("button", name="Write - for each –").tap()
        expect(page.get_by_role("status").filter(has_text="became")).to_be_visible()
        expect(page.get_by_label("The record")).to_have_value(FIVE)
        if script:  # what this phone comes back to is the mended one
            page.goto(f"{live_server}/rules/")
            page.goto(f"{live_server}/check/")
            expect(page.get_by_label("The record")).to_have_value(FIVE)
        page.get_by_role("button", name="Check this round").tap()
        expect(page.get_by_role("heading", name="By the rules")).to_be_visible()
