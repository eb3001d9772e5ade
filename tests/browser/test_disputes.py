"""Two phones at once: one watches and disputes a score, the other keeps score and rules."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from games.models import Challenge, Game, Role
from tests.browser.conftest import Watch
from tests.browser.test_sharing import NewPhone, on_television, opened
from tests.cast import play, start
from tests.recorded import RECORD, recorded
from tests.web.at_the_table import SIX

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def game() -> Game:
    """Ruth 97, Chitra 99, Ben 146, Ann 155, Wilhelmina 178."""
    game = start(name="Friday at Ruth’s").sheet.game
    play(game, *SIX, who="Ruth")
    return game


@pytest.fixture
def scorer(new_phone: NewPhone, live_server: LiveServer, game: Game) -> Page:
    return opened(new_phone(), live_server, game, Role.SCORER)


@pytest.fixture
def watcher(new_phone: NewPhone, live_server: LiveServer, game: Game) -> Page:
    return opened(new_phone(), live_server, game)


def dispute(page: Page, points: str = "5") -> None:
    """Chitra's round 6, which is 26."""
    page.locator("#c6-3").tap()
    page.get_by_role("link", name="Dispute it").tap()
    page.get_by_label("What did you see?").fill("I saw the 5-0.")
    page.get_by_label("What should it be?").fill(points)
    page.get_by_role("button", name="Dispute 26").tap()
    expect(page.locator("#c6-3")).to_contain_text("disputed")


def test_disputed_on_one_phone_ruled_on_another_and_both_see_it(
    scorer: Page, watcher: Page, new_phone: NewPhone, live_server: LiveServer, game: Game
) -> None:
    television = on_television(opened(new_phone(), live_server, game), live_server, game)
    dispute(watcher)

    expect(scorer.locator("#c6-3")).to_contain_text("disputed, A watcher says 5")
    expect(scorer.locator("#doubts")).to_contain_text("If it is 5, Chitra is 1st, Ruth 2nd.")
    doubt = "In doubt: Chitra, round 6. If it is 5"
    expect(television.locator(".tv-line")).to_contain_text(doubt)
    assert "dashed" in scorer.locator(".unsure .place").first.evaluate("one => getComputedStyle(one).border")

    scorer.locator("#doubts").get_by_role("link", name="Rule on it").tap()
    expect(scorer.locator("#check")).to_contain_text("5 can be right. The total becomes 78, not 99")
    scorer.get_by_label("Why is it so?").fill("The 5-0 lay there.")
    scorer.get_by_role("button", name="Change to 5").tap()
    expect(scorer.locator("#notice")).to_contain_text("Chitra, round 6: now 5, was 26.")

    expect(watcher.locator("#c6-3 b")).to_have_text("5")
    expect(watcher.locator("#doubts")).to_have_count(0)
    for page in (watcher, scorer):
        page.locator("#c6-3").tap()
        history = page.locator("#sheet .log")
        for line in ("The 5-0 lay there.", "I saw the 5-0.", "5, not 26", "First entered by Ruth"):
            expect(history).to_contain_text(line)


def test_dismissed_the_score_stays_on_both(scorer: Page, watcher: Page) -> None:
    dispute(watcher)
    scorer.locator("#c6-3").tap()
    expect(scorer.locator("#sheet")).to_contain_text("26 points")
    scorer.locator("[data-close]").tap()
    expect(scorer.locator("#doubts")).to_be_visible()
    scorer.locator("#c6-3").tap()
    scorer.get_by_role("link", name="Rule on the dispute").tap()
    scorer.get_by_label("Why is it so?").fill("Counted again")
    scorer.get_by_role("button", name="Keep 26").tap()
    expect(scorer.locator("#notice")).to_contain_text("26 stays")

    expect(watcher.locator("#doubts")).to_have_count(0)
    expect(watcher.locator("#c6-3 b")).to_have_text("26")
    watcher.locator("#c6-3").tap()
    expect(watcher.locator("#sheet .log")).to_contain_text("it stays")
    watcher.get_by_role("link", name="Dispute it").tap()
    expect(watcher.get_by_label("What did you see?")).to_have_value("")


def test_the_effect_follows_what_is_typed(scorer: Page, watcher: Page) -> None:
    dispute(watcher, "")
    scorer.reload()
    scorer.locator("#doubts").get_by_role("link", name="Rule on it").tap()
    scorer.get_by_label("The right number").fill("24")
    expect(scorer.get_by_role("button", name="Change to 24")).to_be_visible()
    expect(scorer.locator("#check")).to_contain_text("The total becomes 97, not 99")
    scorer.get_by_label("The right number").fill("5000")
    expect(scorer.locator("#check")).to_contain_text("no hand is worth 5,000")


def test_what_was_typed_survives_a_reload(watcher: Page) -> None:
    watcher.locator("#c6-3").tap()
    watcher.get_by_role("link", name="Dispute it").tap()
    watcher.wait_for_url("**/challenge/", wait_until="load")
    watcher.get_by_label("What did you see?").fill("I saw the 5-0.")
    watcher.reload()
    expect(watcher.get_by_label("What did you see?")).to_have_value("I saw the 5-0.")


def test_without_script_it_is_disputed_and_ruled_on(
    new_phone: NewPhone, live_server: LiveServer, game: Game
) -> None:
    page = opened(new_phone(java_script_enabled=False), live_server, game, Role.SCORER)
    dispute(page)
    page.get_by_role("link", name="Rule on it").tap()
    page.get_by_label("Why is it so?").fill("It lay there")
    page.get_by_label("The right number").fill("7")
    page.get_by_role("button", name="Check").tap()
    expect(page.locator("#check")).to_contain_text("7 can be right.")
    page.get_by_role("button", name="Change to 7").tap()
    expect(page.locator("#notice")).to_contain_text("now 7, was 26")


def test_a_record_from_a_chat_is_laid_with_a_dispute(
    new_phone: NewPhone, live_server: LiveServer, watch: Watch
) -> None:
    watch.allow("422")
    game = recorded((0, 38))
    watcher = opened(new_phone(), live_server, game)
    watcher.locator("#c1-2").tap()
    watcher.get_by_role("link", name="Dispute it").tap()
    watcher.wait_for_url("**/challenge/", wait_until="load")
    watcher.get_by_text("I have a record of this round").tap()
    field = watcher.get_by_label("Paste the record")
    chat = RECORD.replace("-", "–").replace(">", "→")
    field.fill(chat)
    watcher.reload()
    expect(field).to_be_visible()  # what is there again is seen before it is sent
    expect(field).to_have_value(chat)
    watcher.get_by_label("What did you see?").fill("We wrote it down.")
    mend = watcher.get_by_role("button", name="Write - for each – and > for each →")
    for _again in range(2):
        with watcher.expect_navigation():
            watcher.get_by_label("What did you see?").press("Enter")  # sends it, and mends nothing
        expect(mend).to_be_visible()
    mend.tap()
    expect(watcher.get_by_role("status").filter(has_text="became")).to_contain_text(
        "Lines 5 to 10: “–” became “-”, 9 times."
    )
    expect(field).to_have_value(RECORD)
    watcher.get_by_label("What did you see?").press("Enter")
    expect(watcher.locator("#doubts")).to_contain_text("By the record Ben held 40, not 38.")

    scorer = opened(new_phone(), live_server, game, Role.SCORER)
    scorer.locator("#doubts").get_by_role("link", name="Rule on it").tap()
    expect(scorer.get_by_label("The right number")).to_have_value("40")
    expect(scorer.get_by_role("button", name="Change to 40")).to_be_visible()
    scorer.get_by_role("link", name="See that record").tap()
    expect(scorer.locator("main")).to_contain_text("By the rules")
    assert Challenge.objects.get().points == 40
