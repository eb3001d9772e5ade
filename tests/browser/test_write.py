"""A small round of two, tapped to its end: an undo, a reload, a refused tile, the verdict."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from games.models import RecordDraft
from tests.browser.conftest import BUSY, Watch
from tests.browser.test_every_page import SCHEMES, SMALL, sideways

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
