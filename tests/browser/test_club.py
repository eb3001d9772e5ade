"""A club's season on phones: from a new season to a corrected standing."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from games.clubs import member_change, members_add
from games.models import Club, ClubRole
from tests import club as at_club
from tests.browser.conftest import Watch
from tests.web.club_pages import client_of

pytestmark = pytest.mark.django_db(transaction=True)

LONG = "Maximiliana-Alexandrina von Hohenzollern"


@pytest.fixture
def club() -> Club:
    return at_club.found(*at_club.CLUB, LONG)


def sign_in(page: Page, live_server: LiveServer, signed_in: Client) -> None:
    """Give the phone the session of a test client."""
    cookie = signed_in.cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])


def play_round(page: Page, board: str, number: int, out: int, points: dict[int, int]) -> None:
    page.goto(f"{board}rounds/{number}/hands/?out={out}")
    for seat, value in points.items():
        page.locator(f"#hand-{seat}").fill(str(value))
    page.locator("[data-save]").click()
    page.wait_for_url(board)


def test_from_a_new_season_to_a_corrected_standing(
    new_phone: Callable[..., Page], live_server: LiveServer, club: Club
) -> None:
    page = new_phone()
    sign_in(page, live_server, client_of(club, 1))
    page.goto(f"{live_server}/clubs/{club.slug}/seasons/")
    page.get_by_label("Name", exact=True).fill("Autumn")
    page.get_by_role("button", name="Add the season").tap()
    expect(page.get_by_role("heading", name="Autumn")).to_be_visible()
    season = page.url

    page.get_by_role("link", name="New game tonight").tap()
    page.get_by_role("button", name="+ Ben").tap()
    page.get_by_role("button", name="+ Kwame").tap()
    page.locator("#n3").fill("Vera")
    page.locator("details.change > summary").tap()
    page.locator("[name=first_engine]").fill("1")
    page.locator("[data-start]").tap()
    page.wait_for_url("**/g/*/")
    board = page.url
    play_round(page, board, 1, 1, {2: 20, 3: 30})
    play_round(page, board, 2, 2, {1: 15, 3: 5})

    page.get_by_role("link", name="Autumn").tap()
    page.wait_for_url(season)
    rows = page.locator(".season-table tbody tr")
    expect(rows).to_have_count(2)
    expect(rows.nth(0)).to_contain_text("Ben")
    expect(rows.nth(0).locator(".s-value")).to_have_text("15")
    expect(rows.nth(1).locator(".s-value")).to_have_text("20")

    page.goto(f"{board}rounds/1/seats/2/correct/")
    page.locator("#value").fill("2")
    page.locator("[data-save]").click()
    page.wait_for_url(board)
    page.goto(season)
    expect(rows.nth(0)).to_contain_text("Kwame")
    expect(rows.nth(0).locator(".s-value")).to_have_text("2")
    rows.nth(1).tap()
    expect(page.get_by_role("heading", name="Why is Ben 2nd?")).to_be_visible()
    expect(page).to_have_url(re.compile(r"\?row=4"))

    member = new_phone()
    sign_in(member, live_server, client_of(club, 2))
    member.goto(page.url)
    expect(member.get_by_role("heading", name="Why is Ben 2nd?")).to_be_visible()
    expect(member.get_by_role("link", name="New game tonight")).to_have_count(0)


def test_who_is_removed_is_told_on_the_open_board_and_the_others_go_on(
    new_phone: Callable[..., Page], live_server: LiveServer, club: Club, watch: Watch
) -> None:
    watch.allow("404")
    kwame, chitra = new_phone(), new_phone()
    sign_in(kwame, live_server, client_of(club, 2, ClubRole.SCORER))
    sign_in(chitra, live_server, client_of(club, 1))
    kwame.goto(f"{live_server}/clubs/{club.slug}/seasons/{at_club.season(club).number}/game/")
    kwame.get_by_role("button", name="+ Ben").tap()
    kwame.get_by_role("button", name="+ Chitra").tap()
    kwame.locator("[data-start]").tap()
    kwame.wait_for_url("**/g/*/")
    play_round(kwame, kwame.url, 1, 1, {2: 20})

    chitra.goto(f"{live_server}/clubs/{club.slug}/members/2/")
    chitra.get_by_text("Kwame leaves the club…").tap()
    chitra.get_by_role("button", name="Kwame leaves", exact=True).tap()
    expect(chitra.get_by_text("Kwame has left the club. Every result stays.")).to_be_visible()

    kwame.bring_to_front()
    expect(kwame.get_by_role("heading", level=1)).to_have_text("This phone no longer keeps score here")
    play_round(chitra, kwame.url, 2, 2, {1: 7})
    expect(chitra.locator("#notice")).to_contain_text("Round 2 saved.")


def test_who_is_removed_with_hands_typed_is_told_and_goes_on_with_them_once_back(
    new_phone: Callable[..., Page], live_server: LiveServer, club: Club, watch: Watch
) -> None:
    watch.allow("404")
    kwame = new_phone()
    sign_in(kwame, live_server, client_of(club, 2, ClubRole.SCORER))
    kwame.goto(f"{live_server}/clubs/{club.slug}/seasons/{at_club.season(club).number}/game/")
    kwame.get_by_role("button", name="+ Ben").tap()
    kwame.get_by_role("button", name="+ Chitra").tap()
    kwame.locator("[data-start]").tap()
    kwame.wait_for_url("**/g/*/")
    board = kwame.url
    kwame.goto(f"{board}rounds/1/hands/?out=1&new=1")
    kwame.locator("#hand-2").fill("17")

    member_change(club=club, number=2, left_on=timezone.localdate())
    kwame.locator("[data-save]").tap()
    expect(kwame.get_by_role("heading", level=1)).to_have_text("This phone no longer keeps score here")

    member_change(club=club, number=2, stays=True)
    kwame.goto(board)
    kwame.get_by_role("link", name="Round 1 begun. Go on").tap()
    expect(kwame.locator("#hand-2")).to_have_value("17")


def test_members_are_found_among_forty(page: Page, live_server: LiveServer, club: Club) -> None:
    spring = at_club.season(club)
    members_add(club=club, names=[f"Member {number:02}" for number in range(1, 35)])
    sign_in(page, live_server, client_of(club, 1))
    page.goto(f"{live_server}/clubs/{club.slug}/seasons/{spring.number}/game/")
    chip = page.get_by_role("button", name="+ Member 30")
    expect(chip).to_be_hidden()
    field = page.get_by_label("Find a member")
    field.fill("ber 30")
    expect(chip).to_be_visible()
    expect(page.get_by_role("button", name="+ Ben")).to_be_hidden()
    field.press("Enter")
    expect(page.locator("#n1")).to_have_value("Member 30")
    expect(page.get_by_role("button", name="+ Ben")).to_be_visible()
