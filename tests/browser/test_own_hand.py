"""Three phones at once: one keeps score, Ben and Ann enter their own hands; and a second person confirms."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from games.models import Game, HandIn, Role
from games.seats import hands_in, seats_held
from games.selectors import links_of, sheet_of
from games.services import link_replace
from tests.browser.conftest import Watch
from tests.cast import play, start

pytestmark = pytest.mark.django_db(transaction=True)

FIRST = (33, 15, 0, 31, 46)
NewPhone = Callable[..., Page]


@pytest.fixture
def game() -> Game:
    game = start(name="Friday at Ruth’s", second_person=True).sheet.game
    play(game, FIRST, who="Ruth")
    return game


def opened(page: Page, server: LiveServer, game: Game, role: Role) -> Page:
    letter = {Role.SCORER: "s", Role.SEAT: "t", Role.VIEWER: "w"}[role]
    page.goto(f"{server}/{letter}/{links_of(game)[role].key}/")
    return page


@pytest.fixture
def scorer(new_phone: NewPhone, live_server: LiveServer, game: Game) -> Page:
    return opened(new_phone(), live_server, game, Role.SCORER)


@pytest.fixture
def ben(new_phone: NewPhone, live_server: LiveServer, game: Game) -> Page:
    return seated(opened(new_phone(), live_server, game, Role.SEAT), "Ben")


@pytest.fixture
def ann(new_phone: NewPhone, live_server: LiveServer, game: Game) -> Page:
    return seated(opened(new_phone(), live_server, game, Role.SEAT), "Ann")


def seated(page: Page, name: str) -> Page:
    expect(page.get_by_role("heading", name="Who are you?")).to_be_visible()
    page.get_by_role("button", name=name, exact=True).tap()
    expect(page.locator("#board")).to_be_visible()
    return page


def tell(page: Page, keys: str) -> None:
    """Enter the own hand by the pad."""
    page.get_by_role("link", name=re.compile("my hand$")).tap()
    expect(page.locator(".fig")).to_be_focused()
    press(page, keys)
    expect(page.locator("[data-save]")).to_have_text(re.compile(r"^Enter my \d+$"))
    page.locator("[data-save]").tap()
    expect(page.locator("#mine")).to_be_visible()


def press(page: Page, keys: str) -> None:
    for key in keys:
        page.locator(f'.pad [data-key="{key}"]').tap()


def to_the_hands(page: Page) -> None:
    page.get_by_role("link", name="Enter round 2").tap()
    page.get_by_role("button", name="Chitra").tap()
    expect(page.locator("#hand-1")).to_be_focused()


def test_hands_come_in_while_the_scorer_enters_and_the_scorer_closes_the_round(
    scorer: Page, ben: Page, ann: Page, game: Game
) -> None:
    tell(ben, "10+8")
    expect(ben.locator("#mine")).to_have_text("Your 18 is in. Still to come: Ruth, Chitra, Wilhelmina, Ann.")
    expect(scorer.locator("#told")).to_have_text("1 of 5 hands is in.")

    to_the_hands(scorer)
    expect(scorer.locator("#hand-2")).to_have_value("18")
    expect(scorer.locator("#row-2 [data-says]")).to_have_text("from Ben’s phone")
    expect(scorer.locator("#row-5 [data-says]")).to_have_text("on an own phone")
    expect(scorer.locator("#said")).to_contain_text("Still to come: Ruth, Wilhelmina, Ann.")

    tell(ann, "46")
    expect(scorer.locator("#hand-5")).to_have_value("46")  # without a reload
    expect(scorer.locator("#row-5 [data-says]")).to_have_text("from Ann’s phone")
    expect(scorer.locator("#said")).to_contain_text("Still to come: Ruth, Wilhelmina.")
    press(scorer, "33")
    scorer.locator("[data-save]").tap()
    press(scorer, "31")
    scorer.locator("[data-save]").tap()
    expect(scorer.locator("#notice")).to_contain_text("Round 2 saved.")

    for phone in (ben, ann):
        expect(phone.locator("#c2-2")).to_contain_text("18")
        expect(phone.locator("#mine")).to_have_count(0)
        expect(phone.get_by_role("link", name="Enter my hand")).to_be_visible()
    assert [hand.points for hand in sheet_of(game).rounds[1].hands.values()] == [33, 18, 0, 31, 46]


def test_what_the_scorer_typed_stays_and_the_phone_s_number_is_one_tap_away(
    scorer: Page, ben: Page, game: Game
) -> None:
    to_the_hands(scorer)
    scorer.locator("#row-2").tap()
    press(scorer, "28")
    tell(ben, "18")
    row = scorer.locator("#row-2")
    expect(row.locator("[data-says]")).to_contain_text("Ben’s phone says 18.")
    expect(scorer.locator("#hand-2")).to_have_value("28")

    row.get_by_role("button", name="Take it").tap()
    expect(scorer.locator("#hand-2")).to_have_value("18")
    expect(row.locator("[data-says]")).to_have_text("from Ben’s phone")

    tell(ben, "+7")  # told again: it follows, for nobody typed over it
    expect(scorer.locator("#hand-2")).to_have_value("25")


def test_an_open_empty_row_is_not_filled_under_the_thumb(scorer: Page, ben: Page, game: Game) -> None:
    to_the_hands(scorer)
    scorer.locator("#row-2").tap()
    tell(ben, "18")
    expect(scorer.locator("#row-2 [data-says]")).to_contain_text("Ben’s phone says 18.")
    expect(scorer.locator("#hand-2")).to_have_value("")
    press(scorer, "2")
    expect(scorer.locator("#hand-2")).to_have_value("2")
    press(scorer, "8")
    scorer.locator("#row-1").tap()
    expect(scorer.locator("#hand-2")).to_have_value("28")


def test_a_seat_on_another_phone_is_asked_about_and_that_phone_is_told(
    ben: Page, ann: Page, live_server: LiveServer, watch: Watch, game: Game
) -> None:
    watch.allow("409")
    ben.goto(f"{live_server}/g/{game.slug}/seat/")
    ben.get_by_role("button", name=re.compile("^Ann")).tap()
    expect(ben.get_by_role("heading", name="Ann’s seat is on another phone")).to_be_visible()
    assert seats_held(game).keys() == {2, 5}
    ben.get_by_role("button", name="Yes, I am Ann").tap()

    expect(ben.locator("#board")).to_be_visible()
    assert seats_held(game).keys() == {5}
    expect(ann.locator("#board")).to_contain_text("Ann’s seat is on another phone now.")
    expect(ann.get_by_role("link", name="Take a seat")).to_be_visible()


def test_without_a_network_what_was_typed_stays_on_the_phone(ben: Page, watch: Watch, game: Game) -> None:
    watch.allow("ERR_INTERNET_DISCONNECTED")
    watch.allow("htmx")
    ben.get_by_role("link", name="Enter my hand").tap()
    press(ben, "18")
    expect(ben.locator("#said")).to_contain_text("18 can be right.")
    ben.context.set_offline(True)
    ben.locator("[data-save]").tap()
    expect(ben.locator("[data-failed=offline]")).to_contain_text("Your numbers are on this phone.")
    ben.context.set_offline(False)
    ben.reload()
    expect(ben.locator(".fig")).to_have_value("18")
    assert not HandIn.objects.exists()
    ben.locator("[data-save]").tap()
    expect(ben.locator("#mine")).to_contain_text("Your 18 is in.")
    assert hands_in(game, 2)[2].points == 18


def test_a_code_stopped_while_typing_leaves_the_numbers_for_the_new_one(
    ben: Page, live_server: LiveServer, watch: Watch, game: Game
) -> None:
    watch.allow("404")
    ben.get_by_role("link", name="Enter my hand").tap()
    press(ben, "18")
    link_replace(game=game, role=Role.SEAT)
    ben.locator("[data-save]").tap()
    expect(ben.locator("[data-failed=site]")).to_be_visible()
    expect(ben.locator("[data-failed=site]")).to_contain_text("Your numbers are on this phone.")

    opened(ben, live_server, game, Role.SEAT)
    ben.goto(f"{live_server}/g/{game.slug}/my-hand/")
    expect(ben.locator(".fig")).to_have_value("18")
    ben.locator("[data-save]").tap()
    expect(ben.locator("#mine")).to_contain_text("Your 18 is in.")


def test_a_round_closed_meanwhile_shows_what_this_phone_has(ben: Page, watch: Watch, game: Game) -> None:
    watch.allow("409")
    ben.get_by_role("link", name="Enter my hand").tap()
    press(ben, "18")
    play(game, (33, 28, 0, 31, 46))
    ben.locator("[data-save]").tap()
    expect(ben.locator("#main")).to_contain_text("Round 2 is closed already")
    expect(ben.locator("#main")).to_contain_text("This phone has 18; saved for Ben is 28.")


def test_another_phone_confirms_a_round_and_cannot_change_it(scorer: Page, ben: Page, game: Game) -> None:
    to_the_hands(scorer)
    for points in ("33", "18", "31", "46"):
        press(scorer, points)
        scorer.locator("[data-save]").tap()
    expect(scorer.locator("#board")).to_contain_text("Rounds 1 and 2 are not confirmed yet.")
    expect(scorer.locator("#r2")).to_contain_text("R2 ○")

    expect(ben.locator("#board")).to_contain_text("Rounds 1 and 2 are not confirmed yet.")
    ben.set_viewport_size({"width": 740, "height": 360})  # also held across, and with large text
    expect(ben.get_by_role("link", name="Look at it")).to_be_visible()
    ben.set_viewport_size({"width": 360, "height": 740})
    ben.evaluate("document.documentElement.style.fontSize = '200%'")
    ben.get_by_role("link", name="Look at it").tap()
    expect(ben.get_by_role("heading", name="Is round 2 right?")).to_be_visible()
    assert ben.locator("input:not([type=hidden])").count() == 0
    ben.get_by_role("button", name="They are right").tap()
    expect(ben.locator("#board")).to_contain_text("Round 1 is not confirmed yet.")
    expect(scorer.locator("#board")).to_contain_text("Round 1 is not confirmed yet.")
    assert [entry.confirmed for entry in sheet_of(game).rounds] == [False, True]


def test_without_script_a_hand_is_told_and_the_scorer_finds_it(
    new_phone: NewPhone, live_server: LiveServer, game: Game
) -> None:
    ben = seated(opened(new_phone(java_script_enabled=False), live_server, game, Role.SEAT), "Ben")
    ben.get_by_role("link", name="Enter my hand").tap()
    ben.locator(".fig").fill("10+8")
    ben.get_by_role("button", name="Enter my hand").tap()
    expect(ben.locator("#mine")).to_contain_text("Your 18 is in.")

    scorer = opened(new_phone(java_script_enabled=False), live_server, game, Role.SCORER)
    scorer.goto(f"{live_server}/g/{game.slug}/rounds/2/hands/?out=3")
    expect(scorer.locator("#hand-2")).to_have_value("18")
    expect(scorer.locator("#hands-in")).to_contain_text("Ben’s phone says 18.")
