"""Rules beside each other: a side is chosen in place, and a card goes into what is typed for a new game."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.conftest import BUSY

pytestmark = pytest.mark.django_db(transaction=True)


def test_two_cards_are_compared_and_one_is_used(page: Page, live_server: LiveServer) -> None:
    page.goto(f"{live_server}/new/")
    page.fill("#n1", "Ann")
    page.fill("#n2", "Ben")
    page.click(".change summary")
    page.locator("label[for=p-wikihow]").click()
    expect(page.get_by_text("wikiHow", exact=True).first).to_be_visible()
    page.get_by_role("link", name="Compare rules").click()
    expect(page.locator("h1")).to_have_text("Compare rules")
    page.wait_for_load_state()  # htmx is at work from then on

    page.focus("#left")
    page.select_option("#left", "tournament")
    expect(page.locator("#left")).to_be_focused()
    expect(page.locator("[data-card=tournament]")).to_be_visible()
    page.select_option("#right", "gamerules")
    expect(page.locator(BUSY)).to_have_count(0)
    expect(page.locator("[data-card=gamerules]")).to_be_visible()
    expect(page).to_have_url(re.compile(r"/rules/tournament/\?(.*&)?beside=gamerules(&|$)"))
    page.click("#only")
    expect(page.locator("#only")).to_have_text("Show all")
    expect(page.locator(".compare .same")).to_have_count(0)
    page.click("#after_double td:last-child a")
    expect(page.locator("li:target")).to_contain_text("G20")

    page.click("[data-card=gamerules]")
    expect(page.locator("#n2")).to_have_value("Ben")
    expect(page.locator("#facts")).to_contain_text("GameRules")
    expect(page.locator("#facts")).not_to_contain_text("change")
    expect(page.locator("#p-gamerules")).to_be_checked()
    page.click("[data-start]")
    expect(page.locator("h1")).to_contain_text("Ann")
