"""Two and three phones at once: one keeps score, one watches, a television stands in the room."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from games.models import Game, Role
from games.selectors import links_of
from games.services import link_replace, round_put
from tests.browser.conftest import Watch
from tests.cast import FOURTEEN, claim, play, start

pytestmark = pytest.mark.django_db(transaction=True)

FIRST, SECOND = (33, 15, 0, 31, 46), (0, 14, 26, 45, 51)
NewPhone = Callable[..., Page]
# What the page asked before this has been told of by now.
ANSWERED = "fetch(location.href).then((answer) => answer.ok)"


@pytest.fixture
def game() -> Game:
    game = start(name="Friday at Ruth’s").sheet.game
    play(game, FIRST, who="Ruth")
    return game


@pytest.fixture
def scorer(new_phone: NewPhone, live_server: LiveServer, game: Game) -> Page:
    return opened(new_phone(), live_server, game, Role.SCORER)


@pytest.fixture
def watcher(new_phone: NewPhone, live_server: LiveServer, game: Game) -> Page:
    return opened(new_phone(), live_server, game)


@pytest.fixture
def standing(new_phone: NewPhone, live_server: LiveServer, game: Game) -> Page:
    """A watcher for whom time goes only as far as the test lets it: what comes by itself comes at once."""
    page = new_phone()
    page.clock.install()
    opened(page, live_server, game)
    page.clock.pause_at(page.evaluate("Date.now() / 1000") + 1)
    return page


@pytest.fixture
def television(new_phone: NewPhone, live_server: LiveServer, game: Game) -> Page:
    return on_television(opened(new_phone(), live_server, game), live_server, game)


def opened(page: Page, server: LiveServer, game: Game, role: Role = Role.VIEWER) -> Page:
    letter = "s" if role == Role.SCORER else "w"
    page.goto(f"{server}/{letter}/{links_of(game)[role].key}/")
    return page


def on_television(page: Page, server: LiveServer, game: Game, size: tuple[int, int] = (1280, 800)) -> Page:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(f"{server}/g/{game.slug}/tv/")
    return page


def share(page: Page, face: str = "watch") -> None:
    page.get_by_role("link", name="Share", exact=True).tap()
    expect(page.get_by_role("heading", name="Share this game")).to_be_visible()
    if face == "score":
        page.locator("#face-score").tap()
        expect(page.locator("dialog .code.score")).to_be_visible()


def stop(page: Page) -> None:
    page.get_by_text("Stop this link and make a new one").tap()
    page.get_by_role("button", name=re.compile("^Stop the link to")).tap()
    expect(page.locator("dialog")).to_contain_text("The old link is stopped. This is the new one.")


def test_a_watcher_and_a_television_follow_the_scorer_by_themselves(
    scorer: Page, watcher: Page, television: Page
) -> None:
    expect(television.locator("#tv")).to_contain_text("Round 2 of 13")

    scorer.get_by_role("link", name="Enter round 2").tap()
    scorer.get_by_role("button", name="Ruth", exact=True).tap()
    for points in ("14", "26", "45", "51"):
        for key in points:
            scorer.locator(f'.pad [data-key="{key}"]').tap()
        scorer.locator("[data-save]").tap()
    expect(scorer.locator("#notice")).to_contain_text("Round 2 saved")

    expect(watcher.locator("#c2-5")).to_contain_text("51")
    expect(watcher.locator("#news")).to_have_text("Round 2 is in. Chitra leads by 3.")
    expect(television.locator("#tv")).to_contain_text("Round 3 of 13")
    expect(television.locator(".tv-line")).to_have_text("Chitra leads by 3. Last change: Round 2 saved.")

    scorer.locator("#notice-do").tap()
    expect(watcher.locator("#c2-5")).to_have_count(0)
    expect(television.locator("#tv")).to_contain_text("Round 2 of 13")


def test_a_view_link_stopped_while_it_is_open_is_gone_from_every_watching_screen(
    scorer: Page, watcher: Page, television: Page, live_server: LiveServer, watch: Watch, game: Game
) -> None:
    watch.allow("404")
    old = links_of(game)[Role.VIEWER].key
    share(scorer)
    stop(scorer)

    for page in (watcher, television):
        expect(page.get_by_role("heading", name="This link does not work")).to_be_visible()
        expect(page.locator("body")).not_to_contain_text("Chitra")
    new = scorer.locator("#link").input_value()
    path = urlsplit(new).path  # as in life, its host is the machine's name on the network
    assert path == f"/w/{links_of(game)[Role.VIEWER].key}/" != f"/w/{old}/"
    watcher.goto(f"{live_server}/w/{old}/")
    expect(watcher.get_by_role("heading", name="This link does not work")).to_be_visible()
    watcher.goto(f"{live_server}{path}")
    expect(watcher.locator("#c1-5")).to_contain_text("46")

    scorer.locator("[data-close]").tap()
    expect(scorer.get_by_role("link", name="Enter round 2")).to_be_visible()


def test_whoever_stops_the_scorer_link_goes_on_and_the_other_scorer_is_out(
    scorer: Page, new_phone: NewPhone, live_server: LiveServer, watch: Watch, game: Game
) -> None:
    watch.allow("404")
    other = opened(new_phone(), live_server, game, Role.SCORER)
    share(scorer, "score")
    stop(scorer)

    expect(other.get_by_role("heading", name="This link does not work")).to_be_visible()
    expect(scorer.locator("dialog .code.score")).to_be_visible()
    scorer.locator("[data-close]").tap()
    scorer.get_by_role("link", name="Enter round 2").tap()
    expect(scorer.get_by_role("heading", name="Who went out?")).to_be_visible()


def test_without_a_network_it_says_since_when_and_then_goes_on(
    watcher: Page, television: Page, watch: Watch, game: Game
) -> None:
    for allowed in ("ERR_INTERNET_DISCONNECTED", "htmx:sendError"):
        watch.allow(allowed)
    for page in (watcher, television):
        page.context.set_offline(True)
    for page in (watcher, television):
        expect(page.locator("#stale")).to_have_text(re.compile(r"^No connection since \d?\d:\d\d$"))
    said = watcher.locator("#stale").inner_text()
    at = watcher.evaluate("new Date().toLocaleTimeString('en-GB')")
    assert abs(minutes(said.split()[-1]) - minutes(at[:5])) <= 1
    expect(watcher.locator("#c1-5")).to_contain_text("46")  # what it knew stays
    round_put(game=game, number=2, claim=claim(SECOND), who="Ruth")

    for page in (watcher, television):
        page.context.set_offline(False)
    expect(watcher.locator("#c2-5")).to_contain_text("51")
    expect(television.locator("#tv")).to_contain_text("Round 3 of 13")
    for page in (watcher, television):
        expect(page.locator("#stale")).to_have_text("")


def minutes(clock: str) -> int:
    at = datetime.strptime(clock, "%H:%M")  # noqa: DTZ007 - a difference is wanted
    return 60 * at.hour + at.minute


def test_a_server_that_does_not_answer_is_said_and_asked_again(
    standing: Page, watch: Watch, game: Game
) -> None:
    for allowed in ("503", "htmx:responseError"):
        watch.allow(allowed)
    standing.route("**/live/**", lambda route: route.fulfill(status=503, body=""))
    for _ in range(2):
        expect(standing.locator("#stale")).to_have_text("")
        with standing.expect_event("requestfinished"):
            standing.clock.run_for(2000)
    expect(standing.locator("#stale")).to_contain_text("No connection since")
    round_put(game=game, number=2, claim=claim(SECOND), who="Ruth")

    standing.unroute("**/live/**")
    standing.clock.run_for(2000)
    expect(standing.locator("#c2-5")).to_contain_text("51")
    expect(standing.locator("#stale")).to_have_text("")


def test_an_answer_that_never_comes_does_not_keep_it_from_asking_again(
    standing: Page, watch: Watch, game: Game
) -> None:
    watch.allow("htmx:")
    held: list[Route] = []
    asked: list[str] = []
    standing.on("request", lambda request: asked.append(request.url) if "/live/" in request.url else None)

    def first_held(route: Route) -> None:
        if held:
            return route.continue_()
        return held.append(route)

    standing.route("**/live/**", first_held)  # asked, then the phone slept: no answer
    with standing.expect_request("**/live/**"):
        standing.clock.run_for(2000)
    standing.clock.run_for(5000)
    standing.evaluate(ANSWERED)
    assert len(asked) == 1
    round_put(game=game, number=2, claim=claim(SECOND), who="Ruth")

    standing.evaluate("dispatchEvent(new Event('online'))")
    expect(standing.locator("#c2-5")).to_contain_text("51")


def test_a_phone_that_sleeps_asks_nothing_and_is_up_to_date_when_it_wakes(standing: Page, game: Game) -> None:
    asked: list[str] = []
    standing.on("request", lambda request: asked.append(request.url) if "/live/" in request.url else None)
    with standing.expect_event("requestfinished"):
        standing.clock.run_for(2000)
    assert len(asked) == 1
    hide = "Object.defineProperty(document, 'hidden', { value: %s, configurable: true })"
    standing.evaluate(hide % "true")
    round_put(game=game, number=2, claim=claim(SECOND), who="Ruth")
    standing.clock.run_for(60_000)
    standing.evaluate(ANSWERED)
    assert len(asked) == 1

    standing.evaluate(hide % "false")
    standing.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(standing.locator("#c2-5")).to_contain_text("51")


def test_a_television_that_keeps_score_shows_the_new_code(
    new_phone: NewPhone, live_server: LiveServer, game: Game
) -> None:
    page = on_television(opened(new_phone(), live_server, game, Role.SCORER), live_server, game)
    drawn = page.locator(".tv-code path").get_attribute("d")
    link_replace(game=game, role=Role.VIEWER)

    expect(page.locator(".tv-code path")).not_to_have_attribute("d", drawn or "")


def test_the_television_hides_its_pointer_and_has_nothing_to_press(
    standing: Page, live_server: LiveServer, game: Game
) -> None:
    television = on_television(standing, live_server, game)
    assert television.locator("main :is(a, button, input, form)").count() == 0
    expect(television.locator("#tv")).to_have_css("cursor", "auto")
    television.clock.run_for(3000)
    expect(television.locator("#tv")).to_have_css("cursor", "none")
    television.mouse.move(300, 300)
    expect(television.locator("#tv")).to_have_css("cursor", "auto")


@pytest.mark.parametrize(("players", "pips"), [(2, 12), (5, 12), (8, 15), (14, 18)])
def test_every_row_and_round_has_room_on_the_screen(
    page: Page, live_server: LiveServer, players: int, pips: int
) -> None:
    game = start(
        FOURTEEN[:players], max_pip=pips, name="The long evening at the club by the river"
    ).sheet.game
    play(game, *((*range(104, 100 + 4 * players, 4), 0) for _ in range(pips)))
    on_television(opened(page, live_server, game), live_server, game)
    for width, height in ((1280, 720), (1920, 1080), (1024, 768)):
        page.set_viewport_size({"width": width, "height": height})
        beyond = "[document.body.scrollWidth - innerWidth, tv.scrollHeight - innerHeight]"
        assert page.evaluate(beyond) == [0, 0]
        expect(page.locator("tbody tr").last).to_be_in_viewport(ratio=0.99)
        expect(page.locator("thead th").last).to_be_in_viewport(ratio=0.99)
        assert page.evaluate(TOO_WIDE) == []
        assert page.evaluate(CODE_AT) >= page.evaluate(HEAD_TO)


TOO_WIDE = """[...document.querySelectorAll('tbody td b')]
    .filter((one) => one.getBoundingClientRect().width > one.parentNode.getBoundingClientRect().width + 1)
    .map((one) => one.textContent)"""
CODE_AT = "document.querySelector('.tv-code').getBoundingClientRect().top"
HEAD_TO = "document.querySelector('.tv-side h2').getBoundingClientRect().bottom"


def test_the_link_is_copied_where_that_works(
    new_phone: NewPhone, live_server: LiveServer, game: Game
) -> None:
    page = new_phone(permissions=["clipboard-read", "clipboard-write"])
    opened(page, live_server, game, Role.SCORER)
    share(page)
    page.get_by_role("button", name="Copy").tap()

    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == page.locator("#link").input_value()


def test_by_plain_http_on_the_network_it_is_copied_too_but_not_sent(
    new_phone: NewPhone, lan_server: str, game: Game
) -> None:
    page = new_phone()
    page.goto(f"{lan_server}/s/{links_of(game)[Role.SCORER].key}/")
    assert page.evaluate("[isSecureContext, 'clipboard' in navigator, 'share' in navigator]") == [False] * 3
    share(page)
    expect(page.locator("[data-send]")).to_be_hidden()
    page.get_by_role("button", name="Copy").tap()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()


def test_the_link_is_sent_by_the_phone_s_own_sheet(scorer: Page) -> None:
    scorer.add_init_script(
        "Object.defineProperty(navigator, 'share', { value: async (what) => { window.sent = what; } })"
    )
    scorer.reload()
    share(scorer, "score")
    scorer.get_by_role("button", name="Send the link").tap()
    scorer.wait_for_function("() => window.sent")
    sent = scorer.evaluate("window.sent")
    assert sent == {"title": "Friday at Ruth’s", "url": scorer.locator("#link").input_value()}


def test_back_closes_the_sheet_whichever_face_it_shows(scorer: Page) -> None:
    address = scorer.url
    share(scorer, "score")
    expect(scorer.locator("#face-score")).to_be_focused()
    scorer.go_back()
    expect(scorer.locator("dialog")).to_be_hidden()
    expect(scorer).to_have_url(address)


def test_the_menu_leads_to_it_in_the_same_sheet(scorer: Page) -> None:
    address = scorer.url
    scorer.get_by_role("link", name="More").tap()
    scorer.get_by_role("link", name="Share this game").tap()
    expect(scorer.locator("dialog .code")).to_be_visible()
    expect(scorer).to_have_url(address)
    scorer.get_by_role("link", name="Show it on a television").tap()
    expect(scorer.locator("#tv")).to_contain_text("Round 2 of 13")
    scorer.go_back()
    expect(scorer.get_by_role("link", name="Enter round 2")).to_be_visible()


def test_without_script_a_link_is_shown_stopped_and_made_anew(
    page_without_script: Page, live_server: LiveServer, game: Game
) -> None:
    page = opened(page_without_script, live_server, game, Role.SCORER)
    page.get_by_role("link", name="Share", exact=True).tap()
    expect(page.get_by_role("heading", name="Share this game", level=1)).to_be_visible()
    for hidden in ("[data-copy]", "[data-send]"):
        expect(page.locator(hidden)).to_be_hidden()
    page.get_by_role("link", name="Keep score").tap()
    expect(page.locator(".code.score")).to_be_visible()
    old = page.locator("#link").input_value()
    expect(page.get_by_role("button", name="Stop the link to keep score")).to_be_hidden()
    page.get_by_text("Stop this link and make a new one").tap()
    page.get_by_role("button", name="Stop the link to keep score").tap()
    expect(page.locator("main")).to_contain_text("The old link is stopped. This is the new one.")
    expect(page.locator("#link")).not_to_have_value(old)
    page.get_by_role("link", name="Back to the board").tap()
    expect(page.get_by_role("link", name="Enter round 2")).to_be_visible()


def test_nothing_sticks_out_at_the_side(scorer: Page) -> None:
    board = scorer.url
    for query in ("", "?face=score"):
        scorer.goto(f"{board}share/{query}")
        for width in (320, 360):
            scorer.set_viewport_size({"width": width, "height": 640})
            root = "document.documentElement"
            assert scorer.evaluate(f"{root}.scrollWidth <= {root}.clientWidth"), (query, width)
