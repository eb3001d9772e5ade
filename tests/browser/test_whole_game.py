"""A stranger plays a whole game on a phone, errs and repairs; one game without script; one on two phones."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from games.management.commands.demo import FRIDAY, MUMS_80TH
from games.models import Game
from games.selectors import log_of, sheet_of
from tests.browser.conftest import Watch

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(240)]


def start(page: Page, site: str, names: Sequence[str]) -> Game:
    page.goto(f"{site}/")
    page.get_by_role("link", name="New game").tap()
    for number, name in enumerate(names, start=1):
        page.get_by_label(f"Player {number}", exact=True).fill(name)
    page.locator("[data-start]").tap()
    expect(page).to_have_url(re.compile(r"/g/\w+/$"))
    return Game.objects.get(slug=page.url.rstrip("/").rsplit("/", 1)[1])


def who_went_out(page: Page, number: int, points: Sequence[int]) -> None:
    page.get_by_role("link", name=re.compile(f"Enter round {number}$")).tap()
    if 0 in points:
        page.get_by_role("button", name=FRIDAY[points.index(0)], exact=True).tap()
    else:
        page.get_by_role("button", name="Nobody: the round was blocked").tap()


def press(page: Page, points: int | str) -> None:
    for key in str(points):
        page.locator(f'.pad [data-key="{key}"]').tap()


def save_key(page: Page) -> None:
    page.locator("[data-save]").tap()


def enter(page: Page, number: int, points: Sequence[int]) -> None:
    who_went_out(page, number, points)
    for left in points:
        if left:
            press(page, left)
            save_key(page)
    saved(page, number)


def saved(page: Page, number: int) -> None:
    expect(page.locator("#notice")).to_contain_text(f"Round {number} saved")


def test_a_game_of_thirteen_rounds_with_mistakes_and_repairs(
    page: Page, live_server: LiveServer, watch: Watch
) -> None:
    watch.allow("422")
    game = start(page, live_server.url, FRIDAY)

    # A mis-keyed round: 1 for Ben as well as for Ann. It is refused in words, and nothing is lost.
    first = MUMS_80TH[0]  # 48, 25, out, 31, 16
    who_went_out(page, 1, first)
    for wrong in ("48", "1", "31", "1"):
        press(page, wrong)
        save_key(page)
    expect(page.locator("#said")).to_contain_text("Ben and Ann cannot both have 1.")
    expect(page.locator("#said")).to_contain_text(re.compile("Only 1.0 +is worth 1, and there is one of it."))
    assert not game.rounds.exists()
    expect(page.locator("#hand-1")).to_have_value("48")
    for seat, right in ((2, "25"), (5, "16")):
        page.locator(f"#row-{seat}").tap()
        page.locator('.pad [data-key="clear"]').tap()
        press(page, right)
    expect(page.locator("#said")).to_contain_text("can be right")
    save_key(page)
    saved(page, 1)

    # A reload in the middle of an entry, then Back, and Back again: the round goes on where it was.
    second = MUMS_80TH[1]  # 33, 2, 36, out, 29
    who_went_out(page, 2, second)
    press(page, "10+15+8")
    save_key(page)
    press(page, "2")
    page.reload()
    expect(page.locator("#hand-1")).to_have_value("10+15+8")
    expect(page.locator("#hand-2")).to_have_value("2")
    page.go_back()
    expect(page.get_by_role("heading", name="Who went out?")).to_be_visible()
    page.go_back()
    page.get_by_role("link", name="Round 2 begun. Go on").tap()
    expect(page.locator("#hand-1")).to_have_value("10+15+8")
    page.locator("#row-3").tap()
    press(page, "36")
    save_key(page)
    press(page, "29")
    save_key(page)
    saved(page, 2)

    for number, points in enumerate(MUMS_80TH[2:], start=3):
        # In round 4 Ben's 54 is written down as 45.
        enter(page, number, [45 if (number, left) == (4, 54) else left for left in points])

    expect(page.get_by_role("link", name="See the result")).to_be_visible()
    page.locator("#c4-2").tap()
    page.get_by_role("link", name="Correct this score").tap()
    press(page, "54")
    expect(page.locator("main")).to_contain_text("The total becomes 297, not 288")
    page.get_by_text("Typing slip").tap()
    page.get_by_role("button", name="Change to 54").tap()
    expect(page.locator("#notice")).to_contain_text("Ben, round 4: now 54, was 45.")

    page.locator("#notice-do").tap()
    expect(page.locator("#c4-2 b")).to_have_text("45")
    page.locator("#notice-do").tap()
    expect(page.locator("#c4-2 b")).to_have_text("54")

    page.get_by_role("link", name="See the result").tap()
    expect(page.get_by_role("heading", level=1)).to_have_text("Chitra wins with 248")
    expect(page.get_by_role("heading", name="Why is Ben 2nd and Wilhelmina 3rd?")).to_be_visible()
    expect(page.locator("main")).to_contain_text("Level on total and on rounds out.")

    sheet = sheet_of(game)
    grid = tuple(tuple(entry.hands[seat].points for seat in range(1, 6)) for entry in sheet.rounds)
    assert grid == MUMS_80TH
    assert [(row.seat, row.total, row.place, row.decided_by) for row in sheet.table] == [
        (3, 248, 1, None),
        (2, 297, 2, "total"),
        (4, 297, 3, "lowest_nonzero"),
        (5, 299, 4, "total"),
        (1, 376, 5, "total"),
    ]
    assert [change.score for change in log_of(game).history(4, seat=2)] == [45, 54, 45, 54]


def test_a_game_without_script_with_a_tie_settled(
    page_without_script: Page, live_server: LiveServer, watch: Watch
) -> None:
    watch.allow("422")
    page = page_without_script
    page.goto(f"{live_server}/new/")
    for number, name in enumerate(("Ann", "Ben", "Cho"), start=1):
        page.get_by_label(f"Player {number}", exact=True).fill(name)
    page.locator("[data-start]").tap()
    expect(page.get_by_role("heading", name="Round 1 of 13")).to_be_visible()

    def played(number: int, out: str, hands: dict[str, str]) -> None:
        page.get_by_role("link", name=f"Enter round {number}").tap()
        page.get_by_role("button", name=out, exact=True).tap()
        for name, typed in hands.items():
            page.get_by_label(re.compile(f"^{name} points")).fill(typed)
        page.get_by_role("button", name=f"Save round {number}").tap()

    # Tie example 1 of the rules: A 0, 12, 30 · B 25, 0, 17 · C 40, 31, 0.
    played(1, "Ann", {"Ben": "10+15", "Cho": "nothing"})
    expect(page.locator("#said")).to_contain_text("nothing")
    expect(page.get_by_label(re.compile("^Ben points"))).to_have_value("10+15")
    page.get_by_label(re.compile("^Cho points")).fill("40")
    page.get_by_role("button", name="Save round 1").tap()
    played(2, "Ben", {"Ann": "12", "Cho": "12-9 8-2"})
    played(3, "Cho", {"Ann": "30", "Ben": "17"})

    page.get_by_role("link", name="More").tap()
    page.get_by_text("Finish early…").tap()
    page.get_by_role("button", name="Finish early").tap()

    expect(page.get_by_role("heading", level=1)).to_have_text("Ann wins with 42")
    expect(page.get_by_role("heading", name="Why is Ann 1st and Ben 2nd?")).to_be_visible()
    assert [row.decided_by for row in sheet_of(Game.objects.get()).table] == [
        None,
        "lowest_nonzero",
        "total",
    ]


@pytest.mark.whole_game
def test_two_phones_on_the_network_of_the_table(
    new_phone: Callable[..., Page], lan_server: str, watch: Watch
) -> None:
    watch.allow("409")
    ruth, ann = new_phone(), new_phone()
    game = start(ruth, lan_server, FRIDAY)
    ruth.get_by_role("link", name="Share").tap()
    ruth.get_by_role("link", name="Keep score").tap()
    expect(ruth.locator(".code.score")).to_be_visible()
    link = ruth.get_by_role("textbox", name="The link").input_value()
    assert link.startswith(lan_server)
    ann.goto(link)
    ruth.goto(f"{lan_server}/g/{game.slug}/")

    enter(ruth, 1, MUMS_80TH[0])
    expect(ann.locator("#c1-1 b")).to_have_text("48")

    # Both enter round 2; Ann is first, and Ruth is asked which one is right.
    for phone in (ann, ruth):
        who_went_out(phone, 2, MUMS_80TH[1])
    for left in (33, 2, 36, 29):
        press(ann, left)
        save_key(ann)
    saved(ann, 2)
    for left in (33, 2, 63, 29):
        press(ruth, left)
        save_key(ruth)
    expect(ruth.get_by_role("heading", name="Round 2 was saved twice")).to_be_visible()
    ruth.get_by_role("button", name="Use mine").tap()

    expect(ruth.locator("#c2-3 b")).to_have_text("63")
    expect(ann.locator("#c2-3 b")).to_have_text("63")
    assert [change.score for change in log_of(game).history(2, seat=3)] == [36, 63]
