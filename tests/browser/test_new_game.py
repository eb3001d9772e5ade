"""A new game on a phone: names typed, moved and repaired, a reload that loses nothing, and Start."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from games.models import Game
from tests.browser.conftest import BUSY, Watch

pytestmark = pytest.mark.django_db(transaction=True)
FRIDAY = ("Ruth", "Ben", "Chitra", "Wilhelmina", "Ann")


def names(page: Page) -> list[str]:
    fields = page.locator('[name="player"]').all()
    return [field.input_value() for field in fields if field.input_value()]


def type_names(page: Page, *given: str) -> None:
    for number, name in enumerate(given, start=1):
        page.get_by_label(f"Player {number}", exact=True).fill(name)


def start_button(page: Page) -> str:
    return page.locator("[data-start]").inner_text()


def test_two_names_and_one_tap_start_a_game(page: Page, live_server: LiveServer) -> None:
    page.goto(f"{live_server}/")
    page.get_by_role("link", name="New game").tap()
    type_names(page, "Kim", "Mike")
    page.get_by_role("button", name="Start with 2 players").tap()

    expect(page).to_have_url(re.compile(r"/g/\w+/$"))
    page.goto(f"{live_server}/new/")
    assert names(page) == []
    expect(page.get_by_role("button", name="+ Mike")).to_be_visible()


def test_the_return_key_goes_from_name_to_name(page: Page, live_server: LiveServer) -> None:
    page.goto(f"{live_server}/new/")
    page.get_by_label("Player 1", exact=True).tap()
    for name in FRIDAY:
        page.keyboard.type(name)
        page.keyboard.press("Enter")

    assert names(page) == list(FRIDAY)
    expect(page.locator("#suits")).to_have_text(
        "Double-12 suits 5 players: 12 tiles each, 31 in the boneyard."
    )
    assert start_button(page) == "Start with 5 players"


def test_start_without_names_goes_to_what_is_missing(page: Page, live_server: LiveServer) -> None:
    page.goto(f"{live_server}/new/")
    type_names(page, "Kim")
    page.get_by_role("button", name="Start the game").tap()

    expect(page.get_by_text("Two names are needed.")).to_be_visible()
    expect(page.get_by_label("Player 2", exact=True)).to_be_focused()


def test_names_are_dragged_moved_and_taken_out(page: Page, live_server: LiveServer) -> None:
    page.goto(f"{live_server}/new/")
    type_names(page, *FRIDAY)
    handle = page.get_by_role("button", name="Move player 1", exact=True).bounding_box()
    third = page.get_by_role("button", name="Move player 3", exact=True).bounding_box()
    assert handle
    assert third
    page.mouse.move(handle["x"] + 20, handle["y"] + 20)
    page.mouse.down()
    page.mouse.move(third["x"] + 20, third["y"] + 20, steps=6)
    page.mouse.up()
    assert names(page) == ["Ben", "Chitra", "Ruth", "Wilhelmina", "Ann"]

    page.get_by_role("button", name="Move player 5", exact=True).tap()
    page.get_by_role("button", name="Up", exact=True).tap()
    assert names(page) == ["Ben", "Chitra", "Ruth", "Ann", "Wilhelmina"]
    page.get_by_role("button", name="First", exact=True).tap()
    assert names(page) == ["Ann", "Ben", "Chitra", "Ruth", "Wilhelmina"]

    page.get_by_role("button", name="Take out player 2", exact=True).tap()
    assert names(page) == ["Ann", "Chitra", "Ruth", "Wilhelmina"]
    assert start_button(page) == "Start with 4 players"


def test_a_second_ben_is_told_at_once_and_by_the_server(
    page: Page, live_server: LiveServer, watch: Watch
) -> None:
    watch.allow("422")
    said = "The name Ben is taken. Add a letter: Ben K?"
    page.goto(f"{live_server}/new/")
    type_names(page, "Ben", "Ann", "ben")
    page.keyboard.press("Enter")
    expect(page.locator("#fault-3")).to_have_text(said)

    page.get_by_role("button", name="Start with 3 players").tap()
    expect(page.get_by_role("alert")).to_have_text(said)
    expect(page.get_by_label("Player 3", exact=True)).to_be_focused()
    assert names(page) == ["Ben", "Ann", "ben"]

    page.get_by_label("Player 3", exact=True).fill("Ben K")
    expect(page.locator("#fault-3")).to_be_hidden()
    page.get_by_role("button", name="Start with 3 players").tap()
    expect(page).to_have_url(re.compile(r"/g/\w+/$"))


def test_a_reload_and_back_lose_nothing(page: Page, live_server: LiveServer) -> None:
    page.goto(f"{live_server}/new/")
    type_names(page, *FRIDAY)
    page.locator(".set").filter(has_text="15").tap()
    page.get_by_text("Change", exact=True).tap()
    page.get_by_text("GameRules").filter(has_not_text="ThoughtCo").first.tap()
    expect(page.locator("#facts")).to_contain_text("GameRules")
    expect(page.locator(BUSY)).to_have_count(0)
    page.locator('[name="double_blank"]').select_option("25")
    expect(page.locator("#facts")).to_contain_text("GameRules, 1 change")

    for leave in (page.reload, lambda: (page.goto(f"{live_server}/"), page.go_back())):
        leave()
        expect(page.locator("#facts")).to_contain_text("GameRules, 1 change")
        assert names(page) == list(FRIDAY)
        expect(page.locator('[name="max_pip"]:checked')).to_have_value("15")
        expect(page.locator('[name="double_blank"]')).to_have_value("25")
        assert start_button(page) == "Start with 5 players"


def test_the_set_follows_the_players_until_it_is_touched(page: Page, live_server: LiveServer) -> None:
    page.goto(f"{live_server}/new/")
    chosen = page.locator('[name="max_pip"]:checked')
    type_names(page, *(f"Player {number}" for number in range(1, 10)))
    expect(chosen).to_have_value("15")
    page.get_by_role("button", name="Take out player 9", exact=True).tap()
    expect(chosen).to_have_value("12")

    page.locator(".set").filter(has_text="18").tap()
    page.get_by_role("button", name="Take out player 8", exact=True).tap()
    expect(page.locator("#suits")).to_contain_text("ThoughtCo gives no deal for 7 players with double-18.")
    expect(chosen).to_have_value("18")


def test_a_double_tap_starts_one_game(page: Page, live_server: LiveServer) -> None:
    page.goto(f"{live_server}/new/")
    type_names(page, "Kim", "Mike")
    page.evaluate("() => { const b = document.querySelector('[data-start]'); b.click(); b.click(); }")
    expect(page).to_have_url(re.compile(r"/g/\w+/$"))

    page.goto(f"{live_server}/")
    expect(page.get_by_text("Kim and Mike")).to_have_count(1)


def test_a_game_starts_with_htmx_blocked(page: Page, live_server: LiveServer, watch: Watch) -> None:
    watch.allow("Failed to load resource")
    page.route("**/htmx*.js", lambda route: route.abort())
    page.goto(f"{live_server}/new/")
    type_names(page, *(f"Player {number}" for number in range(1, 10)))
    page.get_by_role("button", name="Start with 9 players").tap()

    expect(page).to_have_url(re.compile(r"/g/\w+/$"))
    expect(page.locator("body")).to_contain_text("15")


def test_a_game_is_set_up_and_started_without_javascript(
    page_without_script: Page, live_server: LiveServer, watch: Watch
) -> None:
    watch.allow("422")
    page = page_without_script
    page.goto(f"{live_server}/new/")
    type_names(page, "Ruth", "Ben", "Chitra")
    page.get_by_role("button", name="Add more players").tap()
    page.get_by_label("Player 4", exact=True).fill("Ben")
    page.get_by_role("button", name="Move player 3", exact=True).tap()
    page.get_by_role("button", name="First", exact=True).tap()
    expect(page.get_by_label("Player 1", exact=True)).to_have_value("Chitra")
    assert names(page) == ["Chitra", "Ruth", "Ben", "Ben"]

    page.get_by_role("button", name="Start with 4 players").tap()
    expect(page.get_by_role("alert")).to_contain_text("The name Ben is taken. Add a letter: Ben K?")
    page.get_by_role("button", name="Take out player 4", exact=True).tap()
    page.get_by_text("Change", exact=True).tap()
    page.get_by_text("wikiHow").first.tap()
    page.get_by_role("button", name="Use this card").tap()
    expect(page.locator("#facts")).to_contain_text("0 points")
    page.get_by_role("button", name="Start with 3 players").tap()

    expect(page).to_have_url(re.compile(r"/g/\w+/$"))


def test_nothing_sticks_out_at_the_side(page: Page, live_server: LiveServer) -> None:
    page.goto(f"{live_server}/new/")
    type_names(page, "W" * 40, "محمد عبد الله", "Margaret-Rose")
    page.get_by_text("Change", exact=True).tap()
    page.get_by_text("Add a name or date").tap()

    for width in (320, 360, 1280):
        page.set_viewport_size({"width": width, "height": 640})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_slow_answer_undoes_no_choice(page: Page, live_server: LiveServer) -> None:
    page.goto(f"{live_server}/new/")
    late: list[Route] = []
    page.route(
        "**/new/",
        lambda route: (
            late.append(route) if not late and route.request.method == "POST" else route.continue_()
        ),
    )
    with page.expect_request(lambda request: request.method == "POST"):
        type_names(page, *FRIDAY)
    page.locator(".set").filter(has_text="18").tap()
    assert late
    late[0].continue_()
    expect(page.locator("#suits")).to_contain_text("double-18")
    expect(page.locator('[name="max_pip"]:checked')).to_have_value("18")


def test_back_to_a_refused_set_up_sends_nothing_again(
    page: Page, live_server: LiveServer, watch: Watch
) -> None:
    watch.allow("422")
    page.goto(f"{live_server}/new/")
    for number, name in enumerate(("Ann", "Ben", "Ann"), start=1):
        page.fill(f"#n{number}", name)
    page.click("[data-start]")
    expect(page.locator(".bar .msg")).to_contain_text("The name Ann is taken.")
    page.fill("#n3", "Cho")
    page.click("[data-start]")
    page.wait_for_url("**/g/*/")

    page.go_back()
    expect(page.locator("#n1")).to_have_value("")
    expect(page.locator("#n3")).to_have_value("")
    assert Game.objects.count() == 1
