"""Who plays, on a phone: somebody joins late, a penalty, somebody leaves and comes back; Undo for each."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from games.models import AccessKey, Game, Role
from tests.cast import play, start

pytestmark = pytest.mark.django_db(transaction=True)

FIRST, SECOND = (33, 15, 0, 31, 46), (0, 14, 26, 45, 51)  # 33, 29, 26, 76, 97


@pytest.fixture
def game() -> Game:
    game = start(name="Friday at Ruth’s").sheet.game
    play(game, FIRST, SECOND, who="Ben")
    return game


def open_board(page: Page, server: LiveServer, game: Game) -> None:
    page.goto(f"{server}/s/{AccessKey.objects.get(game=game, role=Role.SCORER).key}/")
    expect(page).to_have_url(f"{server}/g/{game.slug}/")


def total(page: Page, seat: int) -> Locator:
    return page.locator(f"tr:has(#s{seat}) td.total")


def join(page: Page, name: str) -> None:
    page.get_by_label("More", exact=True).click()
    page.get_by_role("link", name="Add or change players").click()
    page.get_by_label("Name").fill(name)


def test_somebody_joins_late_and_the_number_is_told_before(
    page: Page, live_server: LiveServer, game: Game, axe: Callable[[Page], None]
) -> None:
    open_board(page, live_server, game)
    join(page, "Dan")
    expect(page.get_by_text("Dan plays from round 3 on and starts with 52: 4th of 6.")).to_be_visible()
    page.locator("label[for=start-highest]").tap()
    expect(page.get_by_text("Dan plays from round 3 on and starts with 97: 6th of 6.")).to_be_visible()
    axe(page)
    page.get_by_role("button", name="Add the player").tap()

    expect(page.locator("#notice")).to_contain_text("Dan joined in round 3. Dan starts with 97.")
    expect(total(page, 6)).to_have_text("97")
    page.get_by_role("link", name="Enter round 3").tap()
    expect(page.get_by_role("button", name="Dan")).to_be_visible()
    page.go_back()
    page.locator("#notice-do").tap()
    expect(page.locator("#s6")).to_have_count(0)
    page.locator("#notice-do").tap()
    expect(page.locator("#s6")).to_be_visible()


def test_all_of_it_works_without_script(
    page_without_script: Page, live_server: LiveServer, game: Game
) -> None:
    page = page_without_script
    open_board(page, live_server, game)
    join(page, "Dan")
    page.get_by_role("button", name="Check").tap()
    expect(page.get_by_text("Dan plays from round 3 on and starts with 52")).to_be_visible()
    page.get_by_role("button", name="Add the player").last.tap()
    expect(page.locator("#notice")).to_contain_text("Dan joined in round 3.")

    page.locator("#s2").tap()
    page.get_by_role("link", name="Rename, adjust, leave").tap()
    page.get_by_label("Points").fill("20")
    page.get_by_label("What for?").fill("Late twice")
    page.get_by_role("button", name="Put it on the total").last.tap()
    expect(total(page, 2)).to_have_text(re.compile(r"^\s*49\s*of which apart from the rounds\s*\+20\s*$"))

    page.locator("#s2").tap()
    page.get_by_role("link", name="Rename, adjust, leave").tap()
    page.get_by_text("Ben leaves the game…").tap()
    page.get_by_role("button", name="Ben leaves").tap()
    expect(page.locator("#notice")).to_contain_text("Ben left after round 2.")
    page.locator("#s2").tap()
    page.get_by_role("link", name="Rename, adjust, leave").tap()
    page.get_by_role("button", name="Bring Ben back").tap()
    expect(page.locator("#notice")).to_contain_text("Ben is back.")


def test_a_name_is_changed_from_the_player_s_sheet(page: Page, live_server: LiveServer, game: Game) -> None:
    open_board(page, live_server, game)
    page.locator("#s2").tap()
    page.get_by_role("link", name="Rename, adjust, leave").tap()
    page.get_by_label("Name").fill("Bea")
    page.get_by_label("Sits").select_option("In the first seat")
    page.get_by_role("button", name="Save name and seat").tap()

    expect(page.locator("#notice")).to_contain_text("Ben is now Bea")
    expect(page.locator("#s2")).to_contain_text("Bea")
    expect(total(page, 2)).to_have_text("29")


def test_what_was_typed_stays_on_the_phone_until_it_is_saved(
    page: Page, live_server: LiveServer, game: Game
) -> None:
    open_board(page, live_server, game)
    join(page, "Dan")
    page.locator("label[for=start-highest]").tap()
    page.reload()
    expect(page.get_by_label("Name")).to_have_value("Dan")
    expect(page.get_by_text("Dan plays from round 3 on and starts with 97: 6th of 6.")).to_be_visible()
    page.get_by_role("button", name="Add the player").last.tap()
    expect(page.locator("#s6")).to_be_visible()
    page.goto(f"{live_server}/g/{game.slug}/players/")
    expect(page.get_by_label("Name")).to_have_value("")

    page.goto(f"{live_server}/g/{game.slug}/seats/2/edit/")
    page.get_by_label("Points", exact=True).fill("7")
    page.get_by_label("What for?").fill("late")
    page.reload()
    expect(page.get_by_label("Points", exact=True)).to_have_value("7")
    expect(page.locator("#adjust [role=status]")).to_contain_text("36")
    page.locator("#adjust button:not(.vh)").last.tap()
    expect(page.locator("#notice")).to_be_visible()
    page.goto(f"{live_server}/g/{game.slug}/seats/2/edit/")
    expect(page.get_by_label("Points", exact=True)).to_have_value("")
