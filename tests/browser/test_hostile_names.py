"""Hostile names in a browser: nothing runs, nothing sticks out at 360 px, every control can be pressed."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.urls import get_resolver, reverse
from playwright.sync_api import Dialog, Page, expect
from pytest_django.live_server_helper import LiveServer

from games.models import AccessKey, Game, Role
from tests.browser.conftest import Watch
from tests.browser.test_every_page import PAGES, SIDEWAYS
from tests.cast import start
from tests.hostile import NAMES, NASTIEST, packed

pytestmark = pytest.mark.django_db(transaction=True)

# What a table looks at most; in the long form it is every page.
MOST_SEEN = (
    "board",
    "tv",
    "round",
    "hands",
    "end",
    "players",
    "log",
    "share",
    "talk",
    "more",
    "correct",
    "new",
)
NO_GAME = {"open_scorer", "open_viewer"}
# What a thumb meets in the middle of each control is the control itself, its label or what lies in it.
COVERED = """() => [
  ...document.querySelectorAll('a[href], button, summary, select, input:not([type=hidden])')
].filter((one) => {
  if (!one.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })) return false;
  if (one.closest('.skip, .vh, [aria-hidden=true], [inert]')) return false;
  if (one.disabled || one.tabIndex < 0) return false;
  one.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
  const { left, right, top, bottom } = one.getClientRects()[0] || one.getBoundingClientRect();
  if (right - left < 4 || bottom - top < 4) return false;
  const met = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  return ![one, one.closest('label'), ...(one.labels || [])].some((own) => own?.contains(met));
}).map((one) => one.outerHTML.slice(0, 120))"""
RAN = "[...document.querySelectorAll('xss, [xss], base, script:not([src])')].map((one) => one.outerHTML)"


@pytest.fixture
def games(size: Callable[[int, int], int]) -> list[Game]:
    if size(0, 1):
        sets = [NAMES[at : at + 14] for at in range(0, len(NAMES), 14)]
        return [packed((*names, *NASTIEST)[:14]) for names in sets]
    return [packed(NASTIEST)]


def addresses(game: Game, names: list[str]) -> list[str]:
    found = {}
    for name in names:
        wanted = get_resolver("games.web.urls").reverse_dict.getlist(name)[0][0][0][1]
        number = 4 if name in ("round", "hands") else 3
        about = {"slug": game.slug, "number": number, "seat": 2, "preset": "thoughtco"}
        path = reverse(name, kwargs={key: value for key, value in about.items() if key in wanted})
        for stop in PAGES[name]:
            found[path + stop.query.format(slug=game.slug)] = name
    return list(found)


@pytest.mark.long
def test_nothing_runs_and_nothing_breaks(
    page: Page,
    live_server: LiveServer,
    watch: Watch,
    games: list[Game],
    size: Callable[[int, int], int],
    figures: Callable[..., None],
) -> None:
    watch.allow("403")
    watch.allow("404")
    wrong: list[str] = []
    seen = 0

    def shown(dialog: Dialog) -> None:
        wrong.append(f"{page.url}: it ran, and said {dialog.message}")
        dialog.dismiss()

    page.on("dialog", shown)
    whole = bool(size(0, 1))
    names = [name for name in PAGES if name not in NO_GAME and (whole or name in MOST_SEEN)]
    for game in games:
        key = AccessKey.objects.get(game=game, role=Role.SCORER).key
        page.goto(f"{live_server}{reverse('open_scorer', args=[key])}")
        for path in addresses(game, names):
            seen += 1
            page.goto(f"{live_server}{path}")
            wrong += [f"{path}: {one}" for one in page.evaluate(RAN)]
            for width in (360, 320) if whole else (360,):
                page.set_viewport_size({"width": width, "height": 740})
                if "/tv/" not in path:
                    out = page.evaluate(SIDEWAYS)
                    wrong += [f"{path} is wider than {width} px by {out}"] if out > 0 else []
                    wrong += [f"{path} at {width} px, covered: {one}" for one in page.evaluate(COVERED)]
            page.set_viewport_size({"width": 360, "height": 740})

    figures(names=len(NAMES) if whole else len(NASTIEST), pages=seen, wrong=len(wrong))
    assert not wrong, "\n".join(wrong)


def test_what_a_script_says_of_a_name_is_the_name(page: Page, live_server: LiveServer) -> None:
    page.goto(f"{live_server}/new/")
    for name in ("$& $1 $` $$", "<img src=x onerror=alert(1)>", "{} {0} {name}"):
        page.locator("#n1").fill(name)
        page.locator("#n2").fill(name)
        page.locator("#n2").blur()
        expect(page.locator("#fault-2")).to_contain_text(f"The name {name} is taken.")


def test_the_pad_names_who_is_next(page: Page, live_server: LiveServer) -> None:
    game = start(("Ann", "$& $1", "%s %d")).sheet.game
    key = AccessKey.objects.get(game=game, role=Role.SCORER).key
    page.goto(f"{live_server}{reverse('open_scorer', args=[key])}")
    page.goto(f"{live_server}{reverse('hands', args=[game.slug, 1])}?ended=blocked&new=1")
    page.locator("#hand-1").focus()

    expect(page.locator(".pad")).to_contain_text("$& $1")
    page.locator("#hand-2").focus()
    expect(page.locator(".pad")).to_contain_text("%s %d")
