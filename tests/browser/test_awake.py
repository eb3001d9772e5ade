"""The screen stays awake while a game is open: asked for again after sleep, given back at the end."""

from __future__ import annotations

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from games.models import AccessKey, Game, Role
from games.services import game_finish
from tests.cast import play, start

pytestmark = pytest.mark.django_db(transaction=True)

# A stand-in for the browser's own: what is asked for and given back, and a phone that can be put to sleep.
STAND_IN = """
window.told = [];
let held = null, hidden = false;
Object.defineProperty(Document.prototype, "hidden", { get: () => hidden, configurable: true });
Object.defineProperty(navigator, "wakeLock", { configurable: true, value: { request: async (what) => {
  window.told.push(`request ${what}`);
  if (window.refuses) throw new DOMException("no", "NotAllowedError");
  held = { released: false, release: async () => { held.released = true; window.told.push("release"); } };
  return held;
} } });
window.sleeps = (now) => {
  hidden = now;
  if (now && held) held.released = true;
  document.dispatchEvent(new Event("visibilitychange"));
};
"""
NONE = "delete Navigator.prototype.wakeLock"


@pytest.fixture
def game() -> Game:
    game = start().sheet.game
    play(game, (33, 15, 0, 31, 46))
    return game


def open_board(page: Page, server: LiveServer, game: Game, role: Role = Role.SCORER) -> None:
    link = "open_scorer" if role == Role.SCORER else "open_viewer"
    page.goto(f"{server}{reverse(link, args=[AccessKey.objects.get(game=game, role=role).key])}")


def told(page: Page, *wanted: str) -> None:
    page.wait_for_function("count => window.told.length >= count", arg=len(wanted))
    assert page.evaluate("window.told") == list(wanted)


def test_a_page_of_the_game_keeps_the_screen_awake(page: Page, live_server: LiveServer, game: Game) -> None:
    page.add_init_script(STAND_IN)
    open_board(page, live_server, game)
    for path in ("", "rounds/2/", "rounds/2/hands/?out=3", "rounds/1/seats/2/correct/", "tv/"):
        page.goto(f"{live_server}/g/{game.slug}/{path}")  # where nothing has been told yet
        told(page, "request screen")


def test_it_is_asked_for_again_after_sleep(page: Page, live_server: LiveServer, game: Game) -> None:
    page.add_init_script(STAND_IN)
    open_board(page, live_server, game, Role.VIEWER)
    told(page, "request screen")

    page.evaluate("sleeps(true)")
    told(page, "request screen")
    page.evaluate("sleeps(false)")
    told(page, "request screen", "request screen")
    page.evaluate("sleeps(false)")
    told(page, "request screen", "request screen")


def test_a_game_that_is_over_lets_the_phone_sleep(page: Page, live_server: LiveServer, game: Game) -> None:
    page.add_init_script(STAND_IN)
    open_board(page, live_server, game, Role.VIEWER)
    told(page, "request screen")

    game_finish(game=game)
    told(page, "request screen", "release")
    page.reload()
    expect(page.locator("[data-over]")).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert page.evaluate("window.told") == []


def test_the_switch_is_on_at_first_and_turns_it_off(page: Page, live_server: LiveServer, game: Game) -> None:
    page.add_init_script(STAND_IN)
    page.goto(f"{live_server}{reverse('device')}")
    switch = page.get_by_label("Keep the screen awake while a game is open")
    expect(switch).to_be_checked()
    expect(page.get_by_text("This browser cannot keep the screen awake here.")).to_be_hidden()
    assert page.evaluate("window.told") == []

    switch.uncheck()
    page.get_by_role("button", name="Keep these").tap()
    expect(switch).not_to_be_checked()
    open_board(page, live_server, game)
    page.wait_for_load_state("networkidle")
    page.evaluate("sleeps(false)")
    assert page.evaluate("window.told") == []


def test_without_it_nothing_happens_and_the_switch_says_so(
    page: Page, live_server: LiveServer, game: Game
) -> None:
    page.add_init_script(NONE)
    open_board(page, live_server, game)
    page.goto(f"{live_server}{reverse('device')}")

    expect(page.get_by_text("This browser cannot keep the screen awake here.")).to_be_visible()


def test_over_plain_http_on_the_network_the_switch_says_so(page: Page, lan_server: str) -> None:
    page.goto(f"{lan_server}{reverse('device')}")

    expect(page.get_by_text("This browser cannot keep the screen awake here.")).to_be_visible()


def test_a_phone_that_refuses_is_left_in_peace(page: Page, live_server: LiveServer, game: Game) -> None:
    page.add_init_script(STAND_IN + "window.refuses = true;")
    open_board(page, live_server, game)

    told(page, "request screen")
