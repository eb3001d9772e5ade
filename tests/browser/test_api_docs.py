"""The page that describes the API comes up under the strict policy, from this host alone."""

from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer


def test_every_call_is_listed(page: Page, live_server: LiveServer) -> None:
    page.goto(f"{live_server}/api/docs/")

    expect(page.locator(".opblock")).to_have_count(62)
    page.locator(".opblock-summary", has_text="Start a game").click()
    expect(page.locator("option", has_text="three players, the blank at 25")).to_be_attached()
