"""Every page, in light and in dark: axe finds nothing serious, nothing sticks out, targets are large enough.

The pages come from the URL table, so that a new address without a line here fails.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import pytest
from django.test import Client
from django.urls import get_resolver, reverse
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from games.clubs import member_change
from games.models import AccessKey, Club, ClubGame, ClubKey, ClubLink, Game, Role
from games.seasons import doubt_raise
from games.services import game_finish, round_put
from tests import club as at_club
from tests.browser.conftest import Watch
from tests.cast import FOURTEEN, claim, play, start
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
    "set_up": (Stop(), Stop("fresh")),
    "share": (Stop(), Stop(query="?face=score")),
    "board": (Stop(), Stop("fresh"), Stop("club"), Stop("doubt", "?by=seat"), Stop("level"), Stop("watched")),
    "more": (Stop(press=("summary",)), Stop("level")),
    "end": (Stop(query="?why=2"), Stop("fresh"), Stop("level")),
    "log": (Stop(), Stop("fresh")),
    "player": (Stop(), Stop("fresh")),
    "players": (Stop(), Stop("fresh"), Stop("watched")),
    "player_edit": (Stop(),),
    "tv": (Stop("club"),),
    "files": (Stop(),),
    "my_games": (Stop(),),
    "bring_in": (Stop(),),
    "round": (Stop(number=NEXT), Stop(number=NEXT, query="?two=1"), Stop("watched", number=NEXT)),
    "hands": (
        Stop(number=NEXT, query="?out=3", press=('[data-key="3"]', '[data-key="+"]', '[data-key="8"]')),
        Stop(number=NEXT, query="?ended=blocked", press=('[data-key="tiles"]', '[data-half="9"]')),
        Stop("club", number=2, query="?out=3"),
        Stop(number=6),
    ),
    "round_sheet": (Stop(), Stop("doubt"), Stop(number=NEXT)),
    "cell": (Stop(), Stop("doubt")),
    "correct": (
        Stop(press=('[data-key="3"]', "label[for=why-other]")),
        Stop("doubt", press=('[data-key="1"]', "#said summary")),
    ),
    "clubs": (Stop(),),
    "club_found": (Stop(),),
    "club": (Stop("dominoes"),),
    "members": (Stop("dominoes"), Stop("dominoes", "?q=nobody")),
    "members_add": (Stop("dominoes"),),
    "member": (Stop("dominoes", number=4, press=("summary",)), Stop("dominoes", number=6)),
    "member_merge": (Stop("dominoes", "?into=2", number=4), Stop("dominoes", "?into=7", number=6)),
    "club_leave": (Stop("dominoes"),),
    "club_links": (Stop("dominoes", press=("summary",)), Stop("dominoes", "?face=invite")),
    "club_settings": (Stop("dominoes"),),
    "club_log": (Stop("dominoes"),),
    "club_reader": (Stop("wrong"),),
    "club_join": (Stop("wrong"), Stop("invited")),
    "season": (Stop("dominoes", number=1), Stop("dominoes", "?row=2", number=1)),
    "seasons": (Stop("dominoes", press=("summary",)),),
    "season_more": (Stop("dominoes", number=1),),
    "scheme": (Stop("dominoes", number=1),),
    "scheme_form": (Stop("dominoes", number=1, press=(".bar [value=look]",)),),
    "nights": (Stop("dominoes", number=1),),
    "night": (Stop("dominoes", number=1, press=("summary",)),),
    "night_game": (Stop("dominoes", number=1),),
    "night_known": (Stop("dominoes", number=1),),
    "club_game": (Stop("dominoes", number=1, press=("summary",)),),
    "doubt_new": (Stop("dominoes", number=1),),
    "doubt": (Stop("dominoes", number=1),),
    "open_scorer": (Stop("wrong"),),
    "open_viewer": (Stop("wrong"),),
}
# Parts of a page, files to take along, and what only writes.
NO_PAGE = {"live", "tv_live", "undo", "redo", "finish", "check", "round_remove", "link_replace"}
NO_PAGE |= {"club_link_replace"}
NO_PAGE |= {"night_board"}
NO_PAGE |= {"person"}  # not made yet
NO_PAGE |= {"file_text", "file_csv", "file_json", "file_picture", "my_games_file"}

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
def tables(page: Page, live_server: LiveServer) -> dict[str, Game]:
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
    watched = start().sheet.game
    play(watched, *SIX)
    game_finish(game=level)
    games = {"friday": friday, "doubt": doubt, "club": club, "watched": watched, "level": level}
    games["fresh"] = start(("Kim", "Mike")).sheet.game
    for name, game in games.items():
        role, link = (Role.VIEWER, "open_viewer") if name == "watched" else (Role.SCORER, "open_scorer")
        key = AccessKey.objects.get(game=game, role=role).key
        page.request.get(f"{live_server}{reverse(link, args=[key])}")
    return games


@pytest.fixture
def clubs(page: Page, live_server: LiveServer) -> dict[str, Club]:
    """A club whose owner is signed in on the phone, and another that they are invited to."""
    club = at_club.found(*at_club.CLUB, "Maximiliana-Alexandrina von Hohenzollern")
    other = at_club.found("Zoë", "Ann")
    spring = at_club.season(club)
    played = at_club.night(spring, 1, ["Chitra", "Ben", "Kwame"], [0, 20, 30])
    doubt_raise(played=played, other={"round": 1, "seat": 2, "points": 2}, reason="2 or 20?", who="Ben")
    at_club.night(spring, 2, ["Chitra", "Priya", at_club.CLUB[2]], [0, 20, 30], finish=False)
    owner = club.members.get(number=1).user
    assert owner is not None
    signed_in = Client()
    signed_in.force_login(owner)
    cookie = signed_in.cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])
    member_change(club=club, number=6, left_on=at_club.FIRST_NIGHT, who="Chitra")
    return {"dominoes": club, "invited": other}


def address(name: str, stop: Stop, tables: Mapping[str, Game | Club]) -> str:
    """Where the page is; `wrong` stands for a link that was never made."""
    wanted = get_resolver("games.web.urls").reverse_dict.getlist(name)[0][0][0][1]
    slug = tables[stop.table].slug if stop.table in tables else ""
    secret = "never-made"
    if stop.table == "invited":
        secret = ClubKey.objects.get(club__slug=slug, role=ClubLink.INVITE).key
    values = {"slug": slug, "number": stop.number, "seat": 2, "secret": secret}
    if "game" in wanted or "day" in wanted:
        played = ClubGame.objects.order_by("pk")[0]
        values |= {"day": played.night.on.isoformat(), "game": played.game.slug}
    path = reverse(name, kwargs={key: value for key, value in values.items() if key in wanted})
    return path + stop.query.format(slug=slug)


def test_every_address_has_a_line() -> None:
    names = {name for name in get_resolver("games.web.urls").reverse_dict if isinstance(name, str)}

    assert names == PAGES.keys() | NO_PAGE


@pytest.mark.parametrize("color_scheme", ["light", "dark"])
def test_every_page_is_sound(
    page: Page,
    live_server: LiveServer,
    tables: dict[str, Game],
    watch: Watch,
    axe: AxeCheck,
    color_scheme: str,
) -> None:
    watch.allow("403")
    watch.allow("404")
    names = [name for name in PAGES if name not in AT_CLUBS]
    wrong = [one for name in names for one in unsound(page, live_server, name, tables, axe, color_scheme)]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("color_scheme", ["light", "dark"])
def test_every_page_of_a_club_is_sound(
    page: Page,
    live_server: LiveServer,
    clubs: dict[str, Club],
    watch: Watch,
    axe: AxeCheck,
    color_scheme: str,
) -> None:
    watch.allow("404")
    names = [name for name in PAGES if name in AT_CLUBS]
    wrong = [one for name in names for one in unsound(page, live_server, name, clubs, axe, color_scheme)]
    assert not wrong, "\n".join(wrong)


AT_CLUBS = {name for name in get_resolver("games.web.club.urls").reverse_dict if isinstance(name, str)}


def unsound(
    page: Page,
    live_server: LiveServer,
    name: str,
    tables: Mapping[str, Game | Club],
    axe: AxeCheck,
    color_scheme: str,
) -> list[str]:
    """What is wrong with a page, at all its stops."""
    page.emulate_media(reduced_motion="reduce")
    rules = () if color_scheme == "light" else ("color-contrast",)  # the rest is the same in the dark
    wrong: list[str] = []
    for stop in PAGES[name]:
        path = address(name, stop, tables)
        page.goto(f"{live_server}{path}")
        for target in stop.press:
            page.locator(f"{target} >> visible=true").first.click()
        try:
            axe(page, *rules)
        except AssertionError as found:
            wrong.append(str(found))
        if color_scheme == "light":
            wrong += [f"{path}: a small target: {one}" for one in page.evaluate(SMALL)]
            wrong += [] if name == "tv" else sideways(page, path)  # a television lies on its side
    return wrong


def sideways(page: Page, path: str) -> list[str]:
    wrong = []
    for width in (320, 360):
        page.set_viewport_size({"width": width, "height": 740})
        if page.evaluate(SIDEWAYS) > 0:
            wrong.append(f"{path} is wider than {width} px by {page.evaluate(SIDEWAYS)}")
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


@pytest.mark.parametrize("width", [320, 360])
def test_no_word_under_twelve_letters_breaks_on_the_board(
    page: Page, live_server: LiveServer, width: int
) -> None:
    names = ("Bartholomew", "Wilhelmina", "Montgomery", "Magdalena", "Maximiliana-Alexandrina", "Margaret")
    game = start(names).sheet.game
    play(game, (148, 0, 131, 150, 160, 170))
    page.set_viewport_size({"width": width, "height": 740})
    key = AccessKey.objects.get(game=game, role=Role.VIEWER).key
    page.goto(f"{live_server}{reverse('open_viewer', args=[key])}")

    for word, lines, out in page.evaluate(WORDS):
        assert (word, lines) == (word, 1)
        assert out < 8, word


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
    reach(page, "#sheet .primary")
    page.keyboard.press("Enter")
    expect(page.locator("#value")).to_be_focused()
    page.keyboard.type("14")
    reach(page, "[data-save]")
    page.keyboard.press("Enter")
    expect(page.locator("#notice")).to_contain_text("now 14, was 12.")


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
