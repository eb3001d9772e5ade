"""A small round of two, tapped to its end: an undo, a reload, a refused tile, the verdict. Two phones."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.urls import reverse
from playwright.sync_api import Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from games.drafts import draft_start
from games.engine.reading import parse_record
from games.models import AccessKey, RecordDraft, Role
from tests.browser.conftest import BUSY, Watch
from tests.browser.test_every_page import SCHEMES, SMALL, sideways
from tests.cast import start

pytestmark = pytest.mark.django_db(transaction=True)


def tap(page: Page, do: str) -> None:
    page.locator(f'#bar button[name=do][value="{do}"]').tap()
    expect(page.locator(BUSY)).to_have_count(0)


def turn(page: Page, words: str) -> None:
    expect(page.locator("#turn")).to_contain_text(words)


def sound(page: Page, axe: Callable[..., None]) -> None:
    for scheme, rules in SCHEMES.items():
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        axe(page, *rules)
    assert page.evaluate(SMALL) == []
    assert sideways(page) == []
    assert page.evaluate("document.scrollingElement.scrollHeight <= innerHeight")  # its parts scroll, not it
    page.set_viewport_size({"width": 360, "height": 740})
    page.emulate_media(color_scheme="light")


def test_a_small_round_is_tapped_to_its_verdict(
    page: Page, live_server: LiveServer, axe: Callable[..., None], watch: Watch
) -> None:
    for told in ("422", "429", "ERR_INTERNET_DISCONNECTED", "htmx:sendError"):
        watch.allow(told)
    page.goto(f"{live_server}/write/")
    page.locator("#p1").fill("Ann")
    page.locator("#p2").fill("Ben")
    page.get_by_label("GameRules").check()
    page.get_by_label("Set of dominoes").select_option("6")
    page.get_by_role("button", name="Next: who began").tap()
    page.get_by_label("Tiles each").fill("4")
    page.get_by_role("button", name="Ann").tap()
    turn(page, "Ann’s turn")

    tap(page, "lay:6-3:A")
    turn(page, "Ben’s turn")
    expect(page.locator("#turn")).to_be_focused()
    tap(page, "lay:6-2:B")
    tap(page, "lay:3-2:A")
    expect(page.locator("#bar")).to_contain_text("Undo: Ann lays 3\u20112")
    tap(page, "undo")
    turn(page, "Ann’s turn")
    page.reload()
    turn(page, "Ann’s turn")
    page.get_by_text("Something else happened").tap()
    page.get_by_role("button", name="The round is blocked").tap()
    expect(page.locator("#said")).to_contain_text("The round is not blocked.")
    page.context.set_offline(True)
    page.locator('#bar [value="lay:3-1:A"]').tap()
    expect(page.get_by_text("Not written: no connection.")).to_be_visible()
    page.context.set_offline(False)
    page.route(page.url, lambda route: route.fulfill(status=429), times=1)
    page.locator('#bar [value="lay:3-1:A"]').tap()
    expect(page.get_by_text("The site did not answer.")).to_be_visible()
    expect(page.get_by_text("Not written: no connection.")).to_be_hidden()
    tap(page, "lay:3-1:A")
    expect(page.locator("[data-failed]:visible")).to_have_count(0)

    page.locator(".chip-train.shut").tap()
    expect(page.locator(".why-shut")).to_contain_text("no marker is on it")
    tap(page, "lay:1-1:A")
    expect(page.locator("#said")).to_contain_text("Ben cannot lay 1-1 on Ann’s train.")
    expect(page.locator("#said")).to_be_focused()
    sound(page, axe)
    page.locator('.chip-train[href*="train=M"]').tap()
    expect(page.locator('#bar [value="lay:6-1:M"]')).to_be_visible()
    page.locator('.chip-train[href*="train=B"]').tap()
    for do in ("lay:2-1:B", "lay:1-0:A", "lay:4-1:B", "lay:2-0:A"):
        tap(page, do)
    turn(page, "What has Ben left?")
    sound(page, axe)
    page.locator(".halves .pick", has_text="5").tap()
    tap(page, "left:B:5-5")
    expect(page.locator(".left-rows")).to_contain_text("10")
    turn(page, "Everything is written.")
    text = RecordDraft.objects.get().text
    assert text.endswith("6. B 1-4>B\n7. A 0-2>A\nout: A\nleft B: 5-5\n")
    sound(page, axe)
    page.get_by_role("button", name="Check this round").tap()
    page.wait_for_url("**/check/*/")
    expect(page.locator("main")).to_be_visible()
    page.go_back()
    page.locator("summary.delete").tap()
    page.get_by_role("button", name="Throw it away").tap()
    page.wait_for_url("**/write/")
    expect(page.locator("#bar, #taps")).to_have_count(0)
    expect(page.get_by_role("button", name="Next: who began")).to_be_visible()


@pytest.fixture
def begun(page: Page, live_server: LiveServer) -> Page:
    """A phone on a record of three, in which nothing is written yet."""
    record = parse_record(
        "rules: gamerules\nset: 6\nplayers: A=Ann, B=Ben, C=Cleo\ndeal: 4\nengine: 6-6\nstart: A"
    )
    draft = draft_start(record=record, address="", most=1_000)
    page.goto(f"{live_server}/write/{draft.key}/")
    turn(page, "Ann’s turn")
    return page


def came(page: Page, words: str) -> None:
    """News are there, and a tap is no longer taken for one at what stood there before."""
    turn(page, words)
    newest = page.locator("#shown [name=v]").input_value()
    expect(page.locator("#taps [name=version]")).to_have_value(newest)


def follow(page: Page) -> None:
    """Ask for news now, as a phone does that is back on the network, rather than within two seconds."""
    page.evaluate("dispatchEvent(new Event('online'))")


def test_two_phones_write_one_record(begun: Page, new_phone: Callable[..., Page], watch: Watch) -> None:
    watch.allow("409")
    watch.allow("404")
    first, second = begun, new_phone()
    second.goto(first.url)
    tap(first, "lay:6-3:A")
    came(second, "Ben’s turn")  # by itself
    tap(second, "lay:6-2:B")
    came(first, "Cleo’s turn")
    tap(first, "undo")
    tap(first, "undo")
    came(second, "Ann’s turn")
    expect(second.locator(".redo")).to_contain_text("Redo: Ann lays 6\u20113")
    tap(second, "redo")
    came(first, "Ben’s turn")
    expect(first.locator(".redo")).to_contain_text("Redo: Ben lays 6\u20112")
    expect(first.locator(".train-row .laid")).to_have_count(1)
    tap(first, "redo")
    came(second, "Cleo’s turn")
    expect(second.locator(".redo")).to_have_count(0)
    expect(second.locator(".train-row .laid")).to_have_count(2)
    assert RecordDraft.objects.get().text.endswith("start: A\n1. A 6-3>A\n2. B 6-2>B\n")
    second.get_by_text("Throw this record away").tap()
    second.get_by_role("button", name="Throw it away").tap()
    expect(first.get_by_role("alert")).to_contain_text("The record that was being written was thrown away.")
    expect(first.get_by_role("button", name="Next: who began")).to_be_visible()


def test_news_disturb_nobody(begun: Page, new_phone: Callable[..., Page], watch: Watch) -> None:
    """The chosen train, an open fold, focus, scrolling, and points that are typed and not sent."""
    watch.allow("422")
    first, second = begun, new_phone()
    second.set_viewport_size({"width": 360, "height": 560})
    second.goto(f"{first.url}?train=M")
    second.get_by_text("Something else happened").tap()
    second.locator("main").evaluate("(main) => main.scrollTo(0, 90)")
    second.locator('#bar [name=do][value="draw:"], #bar [name=do][value="draw"]').focus()
    tap(first, "draw")
    follow(second)
    expect(second.locator("#bar .undo")).to_contain_text("Ann draws")
    expect(second.locator('.chip-train[href*="train=M"]')).to_have_attribute("aria-current", "true")
    expect(second.locator('#bar [name=do][value="draw"]')).to_be_focused()
    expect(second.get_by_role("button", name="The round is blocked")).to_be_attached()
    assert second.locator("main").evaluate("(main) => main.scrollTop") == 90
    assert second.locator("details[open]").count() == 1
    tap(first, "lay:6-3:A")
    follow(second)
    turn(second, "Ben’s turn")
    expect(second.locator('.chip-train[href*="train=B"]')).to_have_attribute("aria-current", "true")

    first.get_by_text("Something else happened").tap()
    first.get_by_role("button", name="Ann is out, whatever the count says").tap()
    tap(first, "!out:A")
    follow(second)
    turn(second, "What has Ann left?")
    points = second.locator("#points")
    points.press_sequentially("13")
    points.press("ArrowLeft")
    expect(second.get_by_role("button", name="Keep")).to_have_css("outline-style", "none")
    came(first, "What has Ann left?")
    first.locator("#points").fill("7")
    first.get_by_role("button", name="Keep").tap()
    turn(first, "What has Ben left?")
    follow(second)
    expect(second.locator("#bar .undo")).to_contain_text("Ann has 7")
    expect(points).to_be_focused()
    points.press_sequentially("2")
    expect(points).to_have_value("123")
    tap(first, "undo")
    tap(first, "undo")
    follow(second)
    turn(second, "Ben’s turn")
    expect(second.locator("#turn")).to_be_focused()
    tap(first, "redo")
    follow(second)
    expect(points).to_have_value("123")
    came(second, "What has Ann left?")
    second.get_by_role("button", name="Keep").tap()
    turn(second, "What has Ben left?")
    expect(points).to_have_value("")
    assert RecordDraft.objects.get().text.endswith("score: A 123\n")


def test_a_tap_that_was_aimed_at_what_stood_there_before_is_no_other_tap(
    begun: Page, new_phone: Callable[..., Page], watch: Watch
) -> None:
    watch.allow("409")
    first, second = begun, new_phone()
    second.goto(first.url)
    second.evaluate(
        """() => {
          const aim = (event) => {
            if (event.target.id !== "main") return;
            document.removeEventListener("htmx:afterSettle", aim);
            document.querySelector('#bar [value="lay:6-2:B"]').click();
          };
          document.addEventListener("htmx:afterSettle", aim);
        }"""
    )
    tap(first, "lay:6-3:A")
    follow(second)
    expect(second.locator("#said")).to_contain_text("Something else was written meanwhile.")
    assert RecordDraft.objects.get().version == 2
    tap(second, "lay:6-2:B")
    turn(second, "Cleo’s turn")


def test_news_that_do_not_come_are_told_quietly(begun: Page, watch: Watch) -> None:
    for told in ("ERR_INTERNET_DISCONNECTED", "htmx:sendError", "500"):
        watch.allow(told)
    begun.context.set_offline(True)
    expect(begun.locator("#stale")).to_contain_text("No connection since")
    expect(begun.locator("[data-failed]:visible")).to_have_count(0)
    begun.context.set_offline(False)
    expect(begun.locator("#stale")).to_be_empty()
    begun.route("**/live/**", lambda route: route.fulfill(status=500))
    for _ in range(2):
        with begun.expect_response("**/live/**"):
            follow(begun)
    expect(begun.locator("[data-failed]:visible")).to_have_count(0)
    tap(begun, "lay:6-3:A")
    turn(begun, "Ben’s turn")


def test_news_that_come_late_undo_no_choice(begun: Page, new_phone: Callable[..., Page]) -> None:
    first, second = begun, new_phone()
    second.goto(first.url)
    tap(first, "draw")
    late: list[Route] = []

    def keep(route: Route) -> None:
        late.append(route)

    second.route("**/live/**", keep)
    with second.expect_request("**/live/**"):
        follow(second)
    second.locator('.chip-train[href*="train=M"]').tap()
    chosen = second.locator('.chip-train[href*="train=M"][aria-current]')
    expect(chosen).to_be_visible()
    with second.expect_response("**/live/**"):
        late[0].continue_()
    second.unroute("**/live/**")
    follow(second)
    expect(second.locator(BUSY)).to_have_count(0)
    expect(chosen).to_be_visible()


def test_news_wait_for_a_finger_that_lies_on_a_button(
    begun: Page, new_phone: Callable[..., Page], watch: Watch
) -> None:
    watch.allow("409")
    first, second = begun, new_phone()
    second.goto(first.url)
    tap(first, "draw")
    second.locator('#bar [value="lay:6-2:A"]').hover()
    second.mouse.down()
    with second.expect_response("**/live/**"):
        follow(second)
    second.mouse.up()
    expect(second.locator("#said")).to_contain_text("Something else was written meanwhile.")
    expect(second.locator("#bar .undo")).to_contain_text("Ann draws")


def test_who_watches_the_game_sees_the_table_grow(
    new_phone: Callable[..., Page], live_server: LiveServer, axe: Callable[..., None]
) -> None:
    game = start(("Ann", "Ben"), preset="gamerules", max_pip=6, deal=4).sheet.game
    scorer, watcher = new_phone(), new_phone()
    for phone, role, link in (
        (scorer, Role.SCORER, "open_scorer"),
        (watcher, Role.VIEWER, "open_viewer"),
    ):
        key = AccessKey.objects.get(game=game, role=role).key
        phone.goto(f"{live_server}{reverse(link, args=[key])}")
    scorer.goto(f"{live_server}{reverse('write_round', args=[game.slug, 1])}")
    scorer.get_by_role("button", name="Ann").tap()
    watcher.get_by_role("link", name="Round 1 is being written down").tap()
    expect(watcher.get_by_text("Nothing is written yet.")).to_be_visible()
    tap(scorer, "lay:6-3:A")
    follow(watcher)
    expect(watcher.get_by_role("heading", name="Ben’s turn")).to_be_visible()
    expect(watcher.locator(".train-row .laid")).to_have_count(1)
    axe(watcher)
    assert sideways(watcher) == []
    watcher.get_by_label("To the board").tap()
    expect(watcher.locator("#writing")).to_contain_text("Round 1 is being written down · 1 turn")
    watcher.go_back()
    scorer.get_by_text("Throw this record away").tap()
    scorer.get_by_role("button", name="Throw it away").tap()
    scorer.wait_for_url(f"**{reverse('board', args=[game.slug])}")
    follow(watcher)
    watcher.wait_for_url(f"**{reverse('board', args=[game.slug])}")
    expect(watcher.locator("#writing")).to_have_count(0)
