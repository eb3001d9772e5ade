"""Every page, in light and in dark: axe finds nothing serious, nothing sticks out, targets are large enough.

The pages come from the URL table, so that a new address without a line here fails.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal, NamedTuple

import pytest
from django.urls import get_resolver, reverse
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from games.attached import record_of_round
from games.disputes import challenge_add
from games.drafts import draft_start, draft_tap
from games.engine.scoring import HandClaim
from games.engine.suits import tile_number
from games.engine.taps import Tap
from games.models import AccessKey, Game, Role, SharedRecord
from games.round_records import record_attach
from games.seats import hand_put
from games.selectors import sheet_of
from games.services import game_finish, round_put
from games.shared_records import record_share
from tests.browser.conftest import BUSY, Watch
from tests.cast import FOURTEEN, claim, play, start
from tests.recorded import BROKEN, recorded
from tests.recorded import RECORD as WHOLE
from tests.web.at_the_table import SIX

pytestmark = pytest.mark.django_db(transaction=True)
AxeCheck = Callable[..., None]


class Stop(NamedTuple):
    """One page in one state: a game of `tables`, a query, and what is pressed once it is there."""

    table: str = "friday"
    query: str = ""
    number: int = 6
    press: tuple[str, ...] = ()


NEXT = 7
PAGES: dict[str, tuple[Stop, ...]] = {
    "home": (Stop(), Stop(query="?q=nobody")),
    "new": (Stop(), Stop(press=("summary >> nth=0", "summary >> nth=1")), Stop(query="?again={slug}")),
    "device": (Stop(),),
    "rules": (Stop(press=("summary >> nth=0",)), Stop(query="?beside=gamerules"), Stop(query="?players=5")),
    "set_up": (Stop(), Stop("fresh")),
    "share": (Stop(), Stop(query="?face=score"), Stop(query="?face=seat"), Stop("own", query="?face=seat")),
    "board": (
        *(Stop(), Stop("fresh"), Stop("club"), Stop("doubt", "?by=seat"), Stop("level"), Stop("watched")),
        *(Stop("own"), Stop("phones"), Stop("disputed"), Stop("writing")),
    ),
    "more": (Stop(press=("summary",)), Stop("level")),
    "end": (Stop(query="?why=2"), Stop("fresh"), Stop("level"), Stop("disputed")),
    "log": (Stop(), Stop("fresh"), Stop("disputed")),
    "player": (Stop(), Stop("fresh")),
    "players": (Stop(), Stop("fresh"), Stop("watched")),
    "player_edit": (Stop(),),
    "tv": (Stop("club"), Stop("disputed")),
    "files": (Stop(),),
    "my_games": (Stop(),),
    "abandon": (Stop(), Stop("level")),
    "print": (Stop(), Stop(query="?what=blank"), Stop("level", "?what=result"), Stop("club")),
    "paper": (Stop(), Stop(query="?players=14&set=18")),
    "old_sheet": (Stop(), Stop(press=("summary >> nth=0", "summary >> nth=1"))),
    "check_round": (Stop(), Stop(query="?example=1")),
    "verdict": (Stop("record"), Stop("record", "?turn=1&proves=all")),
    "verdict_share": (Stop("record"),),
    "delete": (Stop(), Stop("level")),
    "deleted_games": (Stop(),),
    "bring_in": (Stop(),),
    "round": (Stop(number=NEXT), Stop(number=NEXT, query="?two=1"), Stop("watched", number=NEXT)),
    "hands": (
        Stop(number=NEXT, query="?out=3", press=('[data-key="3"]', '[data-key="+"]', '[data-key="8"]')),
        Stop(number=NEXT, query="?ended=blocked", press=('[data-key="tiles"]', '[data-half="9"]')),
        Stop("club", number=2, query="?out=3"),
        Stop(number=6),
        Stop("phones", number=2, query="?out=3", press=('[data-key="7"]',)),
    ),
    "write": (Stop(press=("summary",)),),
    "round_written": (Stop("writing", number=7),),
    "write_round": (Stop(number=NEXT, press=("summary",)), Stop(number=6)),
    "round_sheet": (Stop(), Stop("doubt"), Stop(number=NEXT)),
    "cell": (Stop(), Stop("doubt"), Stop("disputed")),
    "challenge": (
        *(Stop(), Stop("disputed"), Stop("watched")),
        Stop("recorded", number=1, press=("summary:has-text('record')",)),
    ),
    "rule_challenge": (Stop("disputed", number=1), Stop("disputed", number=2)),
    "correct": (
        Stop(press=('[data-key="3"]', "label[for=why-other]")),
        Stop("doubt", press=('[data-key="1"]', "#said summary")),
    ),
    "open_scorer": (Stop("wrong"),),
    "open_viewer": (Stop("wrong"),),
    "open_table": (Stop("wrong"),),
    "seat": (Stop("own"), Stop("watched")),
    "my_hand": (
        Stop("own", press=('[data-key="3"]', '[data-key="+"]', '[data-key="8"]')),
        Stop("own", press=('[data-key="tiles"]', '[data-half="9"]')),
    ),
    "record": (
        *(Stop("recorded", number=1, press=("summary >> nth=0", "summary >> nth=2")), Stop("watched")),
        *(Stop("recorded", number=2), Stop("broken", number=1, press=("summary >> nth=0",))),
    ),
    "confirm": (Stop("own"), Stop("own", query="?wrong=1")),
}
# Parts of a page, files to take along, and what only writes.
NO_PAGE = {"live", "tv_live", "undo", "redo", "finish", "check", "round_remove", "link_replace", "restore"}
NO_PAGE |= {"file_text", "file_csv", "file_json", "file_picture", "my_games_file"}
NO_PAGE |= {"my_check", "hands_in", "verdict_file", "which_rules"}
NO_PAGE |= {"round_written_live"}
NO_PAGE |= {"written", "written_text", "written_live"}  # a record of its own: test_write.py

SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
# What can be tapped: 48 px high and 24 px wide at least (WCAG 2.5.8), but for links within a sentence.
# A field may be reached by what stands around it, a link by its row.
SMALL = """() => [...document.querySelectorAll(
    'a[href], button, summary, select, input:not([type=hidden]):not(.vh), input.vh + label'
)].filter((one) => {
  if (!one.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })) return false;
  if (one.closest('.skip, [aria-hidden=true]') || one.tabIndex < 0 && one.localName !== 'label') return false;
  const boxes = [one];
  if (one.localName === 'input') boxes.push(one.closest('label') || one.closest('.hand, .copy') || one);
  const cover = getComputedStyle(one, '::after');
  if (cover.position === 'absolute' && cover.inset === '0px') boxes.push(one.closest('li, tr'));
  const fits = ({ width, height }) => height >= 47.5 && width >= 24;
  if (boxes.some((box) => fits(box.getBoundingClientRect()))) return false;
  return !(getComputedStyle(one).display === 'inline' && one.closest('p'));
}).map((one) => `${one.outerHTML.slice(0, 90)} ${JSON.stringify(one.getBoundingClientRect())}`)"""


@pytest.fixture
def tables(page: Page, live_server: LiveServer) -> dict[str, Game | SharedRecord]:
    """Games in every state, each known to the phone."""
    friday = start(name="Friday at Ruth’s").sheet.game
    play(friday, *SIX, who="Ruth")
    round_put(game=friday, number=6, claim=claim((2, 15, 26, 45, 0)), who="Ben", reason="a typing slip")
    doubt = start(name="Disputed").sheet.game
    play(doubt, *SIX[:5])
    clash = claim((1, 1, 0, 31, 46))
    round_put(game=doubt, number=6, claim=clash, disputed=True, reason="The tiles are shuffled.")
    level = start(("Ann", "Bartholomew", "Maximiliana-Alexandrina von Hohenzollern")).sheet.game
    play(level, (10, 0, 31), (0, 10, 33))
    club = start(FOURTEEN, max_pip=18, name="Club night, table 3").sheet.game
    play(club, tuple(range(0, 56, 4)))
    disputed = start(name="In dispute").sheet.game
    play(disputed, *SIX)
    for seat, points in ((2, 15), (4, None)):
        challenge_add(game=disputed, number=6, seat=seat, points=points, reason="I saw it.", role=Role.VIEWER)
    watched = start().sheet.game
    play(watched, *SIX)
    game_finish(game=level)
    games = {"friday": friday, "doubt": doubt, "club": club, "watched": watched, "level": level}
    games["disputed"] = disputed
    games |= {"recorded": recorded((0, 38)), "broken": recorded((0, 40))}
    for name, text in (("recorded", WHOLE), ("broken", BROKEN.replace("B=Ben", f"B={'W' * 40}"))):
        record_attach(game=games[name], number=1, text=text)
    games["fresh"] = start(("Kim", "Mike")).sheet.game
    for name in ("own", "phones"):  # this phone has a seat; it keeps score, and hands come from other phones
        games[name] = start(second_person=True).sheet.game
        play(games[name], *SIX[: 6 if name == "own" else 1])
        hand_put(game=games[name], number=None, claim=HandClaim(5, points=46))
    hand_put(game=games["phones"], number=None, claim=HandClaim(1, points=33))
    games["writing"] = start().sheet.game
    play(games["writing"], *SIX)
    record = record_of_round(sheet_of(games["writing"]), 7)
    assert record is not None
    draft = draft_start(record=record, address="", most=60, game=games["writing"], round_number=7)
    draft_tap(draft=draft, version=1, tap=Tap("lay", tile_number(6, 3), record.start))
    for name, game in games.items():
        role, link = LINKS.get(name, (Role.SCORER, "open_scorer"))
        key = AccessKey.objects.get(game=game, role=role).key
        page.request.get(f"{live_server}{reverse(link, args=[key])}")
    page.goto(f"{live_server}/g/{games['own'].slug}/seat/")
    page.get_by_role("button", name="Ben").click()
    return {**games, "record": record_share(text=RECORD, address="a phone")}


# The first player hides the hand; the last tile is not allowed.
RECORD = (
    "players: A=Ann, B=Wilhelmina\ndeal: 9\nengine: 12-12\n1. A 12-3 3-3\n2. B -\n3. A 12-5>M\n4. B 12-7>A\n"
)


LINKS = {"watched": (Role.VIEWER, "open_viewer"), "own": (Role.SEAT, "open_table")}


def address(name: str, stop: Stop, tables: dict[str, Game | SharedRecord]) -> str:
    """Where the page is; `wrong` stands for a link that was never made."""
    wanted = get_resolver("games.web.urls").reverse_dict.getlist(name)[0][0][0][1]
    slug = tables[stop.table].slug if stop.table in tables else ""
    values = {"slug": slug, "number": stop.number, "seat": 2, "secret": "never-made", "preset": "thoughtco"}
    path = reverse(name, kwargs={key: value for key, value in values.items() if key in wanted})
    return path + stop.query.format(slug=slug)


def test_every_address_has_a_line() -> None:
    names = {name for name in get_resolver("games.web.urls").reverse_dict if isinstance(name, str)}
    names -= set(get_resolver("games.web.club.urls").reverse_dict)  # in test_club_pages.py

    assert names == PAGES.keys() | NO_PAGE


# What axe looks for in each theme: all but the colours is the same in the dark.
SCHEMES: dict[Literal["light", "dark"], tuple[str, ...]] = {"light": (), "dark": ("color-contrast",)}


@pytest.mark.timeout(240)
@pytest.mark.parametrize("part", range(3))
def test_every_page_is_sound(
    page: Page,
    live_server: LiveServer,
    tables: dict[str, Game | SharedRecord],
    watch: Watch,
    axe: AxeCheck,
    part: int,
) -> None:
    watch.allow("403")
    watch.allow("404")
    wrong: list[str] = []
    for name, stops in list(PAGES.items())[part::3]:
        for stop in stops:
            wrong += unsound(page, f"{live_server}{address(name, stop, tables)}", stop.press, axe)
            wrong += [] if name == "tv" else sideways(page)  # a television lies on its side
    assert not wrong, "\n".join(wrong)


def unsound(page: Page, url: str, press: Iterable[str], axe: AxeCheck) -> list[str]:
    """What is wrong with a page at `url` after tapping what is named in `press`, in both themes."""
    page.goto(url)
    for target in press:
        page.locator(f"{target} >> visible=true").first.click()
    page.wait_for_load_state()  # what was pressed may lead on
    expect(page.locator(BUSY)).to_have_count(0)
    wrong = []
    for scheme, rules in SCHEMES.items():
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        try:
            axe(page, *rules)
        except AssertionError as found:
            wrong.append(f"{scheme}: {found}")
    return wrong + [f"{url}: a small target: {one}" for one in page.evaluate(SMALL)]


def sideways(page: Page) -> list[str]:
    wrong = []
    for width in (320, 360):
        page.set_viewport_size({"width": width, "height": 740})
        if page.evaluate(SIDEWAYS) > 0:
            wrong.append(f"{page.url} is wider than {width} px by {page.evaluate(SIDEWAYS)}")
    return wrong


# Each word of the names on the board with the lines it stands on, and how far it sticks out of its column.
WORDS = """() => [...document.querySelectorAll('.who .name > span')].flatMap((name) => {
  const node = name.firstChild, range = document.createRange();
  const edge = name.closest('th').getBoundingClientRect().right;
  return [...node.data.matchAll(/[^ -]+/g)].map((word) => {
    range.setStart(node, word.index);
    range.setEnd(node, word.index + word[0].length);
    const boxes = [...range.getClientRects()];
    return [word[0], boxes.length, Math.max(...boxes.map((box) => box.right)) - edge];
  });
})"""


def test_no_word_under_twelve_letters_breaks_on_the_board(page: Page, live_server: LiveServer) -> None:
    names = ("Bartholomew", "Wilhelmina", "Montgomery", "Magdalena", "Maximiliana-Alexandrina", "Margaret")
    game = start(names).sheet.game
    play(game, (148, 0, 131, 150, 160, 170))
    key = AccessKey.objects.get(game=game, role=Role.VIEWER).key
    page.goto(f"{live_server}{reverse('open_viewer', args=[key])}")

    for width in (320, 360):
        page.set_viewport_size({"width": width, "height": 740})
        for word, lines, out in page.evaluate(WORDS):
            assert (word, lines, width) == (word, 1, width)
            assert out < 8, (word, width)


def reach(page: Page, selector: str, most: int = 60) -> None:
    """Go on by Tab until the focus is on `selector`, and see it there."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            expect(page.locator(selector)).to_be_in_viewport()
            assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
            return
    raise AssertionError(f"{selector} is not reached by Tab")


def test_a_keyboard_alone_starts_saves_and_corrects(page: Page, live_server: LiveServer) -> None:
    page.goto(f"{live_server}/new/")
    reach(page, "#n1")
    page.keyboard.type("Ann")
    reach(page, "#n2")
    page.keyboard.type("Ben")
    reach(page, "[data-start]")
    page.keyboard.press("Enter")
    page.wait_for_url("**/g/*/")

    reach(page, ".bar .primary:not([hidden])")
    page.keyboard.press("Enter")
    page.wait_for_url("**/rounds/1/")
    reach(page, "[name=out][value='1']")
    page.keyboard.press("Enter")
    expect(page.locator("#hand-2")).to_be_focused()
    page.keyboard.type("12")
    reach(page, "[data-save]")
    page.keyboard.press("Enter")
    expect(page.locator("#notice")).to_be_focused()

    reach(page, "#c1-2")
    page.keyboard.press("Enter")
    expect(page.locator("dialog#sheet")).to_be_visible()
    reach(page, "#sheet .primary")
    page.keyboard.press("Enter")
    expect(page.locator("#value")).to_be_focused()
    page.keyboard.type("14")
    reach(page, "[data-save]")
    page.keyboard.press("Enter")
    expect(page.locator("#notice")).to_contain_text("now 14, was 12.")


def test_a_keyboard_alone_undoes_redoes_and_shares(
    page: Page, live_server: LiveServer, tables: dict[str, Game | SharedRecord]
) -> None:
    page.goto(f"{live_server}{reverse('board', args=[tables['friday'].slug])}")
    reach(page, "#undo")
    page.keyboard.press("Enter")
    expect(page.locator("#notice")).to_be_focused()
    expect(page.locator("#notice")).to_contain_text("Undone")
    reach(page, "#notice-do")
    page.keyboard.press("Enter")
    expect(page.locator("#notice")).not_to_contain_text("Undone")

    page.reload()
    reach(page, "#share")
    page.keyboard.press("Enter")
    expect(page.locator("dialog#sheet")).to_be_visible()
    reach(page, "#face-score")
    page.keyboard.press("Enter")
    expect(page.locator("#face-score")).to_have_attribute("aria-current", "true")
    link = page.locator("#link").input_value()
    reach(page, "#sheet summary")
    page.keyboard.press("Enter")
    reach(page, "#sheet form button")
    page.keyboard.press("Enter")
    expect(page.locator("#sheet .msg")).to_be_focused()
    expect(page.locator("#link")).not_to_have_value(link)
    page.keyboard.press("Escape")
    expect(page.locator("#share")).to_be_focused()


def test_big_text_draws_numbers_instead_of_pips(page: Page, live_server: LiveServer) -> None:
    game = start().sheet.game
    key = AccessKey.objects.get(game=game, role=Role.SCORER).key
    page.goto(f"{live_server}{reverse('open_scorer', args=[key])}")
    tile = page.locator(".round-head .tile")
    pips = tile.screenshot()
    page.goto(f"{live_server}/device/")
    page.get_by_label("Numbers instead of pips").check()
    page.get_by_role("button", name="Keep these").tap()
    expect(page.get_by_text("Kept on this phone.")).to_be_visible()
    page.goto(f"{live_server}/g/{game.slug}/")

    assert page.locator("html.big-text").count() == 1
    assert tile.screenshot() != pips
