"""The watch over the phones sees what it is there for."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from tests.browser.conftest import Watch

GOOD = (
    '<!doctype html><html lang=en><meta name=viewport content="width=device-width">'
    "<title>T</title><link rel=icon href=/icon><main><h1>T</h1>"
)


@pytest.fixture
def shown(page: Page, watch: Watch, live_server: LiveServer) -> Iterator[Callable[[str], Watch]]:
    def show(body: str) -> Watch:
        page.route(
            "**/*",
            lambda route: route.fulfill(
                content_type="text/html",
                headers={"Content-Security-Policy": "default-src 'self' http://other.example.org"},
                body=GOOD + body,
            ),
        )
        page.goto(f"{live_server}/")
        page.wait_for_load_state("networkidle")
        return watch

    yield show
    watch.problems.clear()


def test_a_clean_page_passes(shown: Callable[[str], Watch]) -> None:
    shown("<p>Hello").check()


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ("<p style='color: red'>Hello", "Content Security Policy"),
        ("<script>alert(1)</script>", "Content Security Policy"),
        ("<img alt='' src='http://other.example.org/x.png'>", "request to another host"),
    ],
)
def test_a_bad_page_fails(shown: Callable[[str], Watch], body: str, problem: str) -> None:
    with pytest.raises(AssertionError, match=problem):
        shown(body).check()


def test_axe_finds_a_serious_fault(
    shown: Callable[[str], Watch], page: Page, axe: Callable[[Page], None]
) -> None:
    shown("<p>Hello")
    axe(page)
    shown("<button></button>")
    with pytest.raises(AssertionError, match="button-name"):
        axe(page)


@pytest.mark.parametrize("color_scheme", ["light", "dark"])
def test_a_phone_is_small_and_in_the_asked_scheme(
    shown: Callable[[str], Watch], page: Page, color_scheme: str
) -> None:
    shown("<p>Hello")
    assert page.evaluate("[innerWidth, innerHeight]") == [360, 740]
    assert page.evaluate(f"matchMedia('(prefers-color-scheme: {color_scheme})').matches")


def test_the_lan_server_answers_on_its_own_address(page: Page, lan_server: str, watch: Watch) -> None:
    watch.allow("404")
    answer = page.goto(f"{lan_server}/no-such-page/")
    assert answer
    assert answer.status == 404
    assert "127.0.0.1" not in lan_server
