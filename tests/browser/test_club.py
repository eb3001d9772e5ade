"""A club's season on phones: from a new season to a corrected standing, and every page of it looked at."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from games.clubs import members_add
from games.models import Club, ClubGame, Member, Season
from games.seasons import doubt_raise, game_change
from tests import club as at_club
from tests.club import night
from tests.web.club_pages import client_of

pytestmark = pytest.mark.django_db(transaction=True)

LONG = "Maximiliana-Alexandrina von Hohenzollern"
SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


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
    assert "?row=4" in page.url

    member = new_phone()
    sign_in(member, live_server, client_of(club, 2))
    member.goto(page.url)
    expect(member.get_by_role("heading", name="Why is Ben 2nd?")).to_be_visible()
    expect(member.get_by_role("link", name="New game tonight")).to_have_count(0)


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


def season_pages(club: Club) -> list[str]:
    """Addresses of a season with everything in it: doubts open and decided, a guest, a void game."""
    spring: Season = at_club.season(club, measure="per_round", least_nights=2)
    night(spring, 1, ["Chitra", "Ben", LONG, "Vera"], [0, 20, 30, 5], [15, 0, 10, 7])
    night(spring, 2, ["Chitra", "Ben", LONG], [40, 0, 9])
    last = night(spring, 3, ["Kwame", "Priya"], [0, 20])
    played = ClubGame.objects.first()
    assert played is not None
    doubt_raise(played=played, other={"round": 2, "seat": 1, "points": 60}, reason="15 or 60?", who="Ben")
    game_change(played=last, void=True, reason="The set was short", who="Ben")
    first = f"/clubs/{club.slug}/seasons/1"
    game = f"{first}/games/{played.game.slug}"
    long = Member.objects.get(name=LONG).number
    return [
        f"/clubs/{club.slug}/seasons/",
        f"{first}/",
        f"{first}/?row={long}",
        f"{first}/more/",
        f"{first}/scheme/",
        f"{first}/scheme/change/",
        f"{first}/nights/",
        f"{first}/nights/2026-03-05/",
        f"{first}/nights/2026-03-19/",
        f"{first}/game/",
        f"{first}/game/known/",
        f"{first}/game/known/?game={played.game.slug}",
        f"{game}/",
        f"{game}/doubt/",
        f"/clubs/{club.slug}/doubts/1/",
    ]


def test_every_page_of_a_season_is_sound(
    page: Page, live_server: LiveServer, club: Club, axe: Callable[..., None]
) -> None:
    addresses = season_pages(club)
    sign_in(page, live_server, client_of(club, 1))
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"{live_server}{addresses[12]}board/")
    wrong: list[str] = []
    for address in addresses:
        page.emulate_media(color_scheme="light")
        page.goto(f"{live_server}{address}")
        for width in (320, 360):
            page.set_viewport_size({"width": width, "height": 740})
            if page.evaluate(SIDEWAYS) > 0:
                wrong.append(f"{address} is wider than {width} px by {page.evaluate(SIDEWAYS)}")
        page.evaluate("for (const one of document.querySelectorAll('main details')) one.open = true")
        if address.endswith("/change/"):
            page.locator("[name=measure]").select_option("placement")
            page.locator(".bar [value=look]").click()
            expect(page.get_by_role("heading", name="Before and after")).to_be_visible()
        try:
            axe(page)
            page.emulate_media(color_scheme="dark")
            axe(page, "color-contrast")
        except AssertionError as found:
            wrong.append(str(found))
    assert not wrong, "\n".join(wrong)
