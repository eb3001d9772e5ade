"""No state is told by colour alone or lost in forced colours, and nothing moves where that is asked."""

from __future__ import annotations

from itertools import combinations
from typing import Literal

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from games.models import AccessKey, Game, Role
from games.services import round_put
from tests.browser.conftest import Watch
from tests.cast import claim, play, start
from tests.web.at_the_table import SIX

pytestmark = pytest.mark.django_db(transaction=True)

FORCED: tuple[Literal["none", "active"], ...] = ("none", "active")
# What an element looks like but for its colours: frames, lines, marks before and after it, weight, words.
SHAPE = """(one) => {
  const told = [], page = getComputedStyle(document.documentElement).backgroundColor;
  const frame = (style) => ![page, "rgba(0, 0, 0, 0)"].includes(style.borderTopColor) && style.borderTopStyle;
  for (const node of [one, ...one.querySelectorAll("b, .nm, .mk, .sign, .zero, .tile")]) {
    if (!node.checkVisibility({ checkVisibilityCSS: true })) continue;
    for (const pseudo of [null, "::before", "::after"]) {
      const style = getComputedStyle(node, pseudo);
      if (pseudo && /^(none|normal)$/.test(style.content)) continue;
      told.push(pseudo || node.classList[0] || node.localName, style.opacity, style.fontWeight,
        frame(style), style.borderTopWidth, style.borderBottomWidth, style.outlineStyle,
        style.boxShadow.replace(/rgba?\\([^)]*\\)/g, ""), style.textDecorationLine,
        /gradient|url/.test(style.backgroundImage));
    }
    if (node.matches(".nm")) told.push(node.textContent.match(/[a-z]+/)?.[0]);
  }
  return JSON.stringify(told);
}"""
MOVES = """() => [...document.querySelectorAll("*")].flatMap((one) => (
  [null, "::before", "::after", "::backdrop"].map((pseudo) => [one, getComputedStyle(one, pseudo)])
)).filter(([, style]) => /[1-9]/.test(style.transitionDuration) || style.animationName !== "none")
  .map(([one]) => one.outerHTML.slice(0, 90))"""


@pytest.fixture
def game(page: Page, live_server: LiveServer) -> Game:
    """A board with every mark: who went out, corrected, last change, in doubt, left, still to come."""
    game = start(("Ruth", "Ben", "Chitra", "Wilhelmina", "Ann")).sheet.game
    play(game, *SIX[:5])
    clash = claim((1, 1, 0, 31, 46))
    round_put(game=game, number=6, claim=clash, disputed=True, reason="The tiles are shuffled.")
    for points in (7, 9):
        round_put(game=game, number=4, claim=claim((0, 18, 57, 18, points)), reason="a typing slip")
    key = AccessKey.objects.get(game=game, role=Role.SCORER).key
    page.goto(f"{live_server}{reverse('open_scorer', args=[key])}")
    return game


def apart(page: Page, **states: str) -> None:
    """Every two of the states, each given by a selector, differ in more than colour, forced or not."""
    for forced in FORCED:
        page.emulate_media(forced_colors=forced, reduced_motion="reduce")  # nothing is seen on its way
        shapes = {name: page.locator(selector).first.evaluate(SHAPE) for name, selector in states.items()}
        for one, other in combinations(shapes, 2):
            told = f"{one} and {other} look the same without colour (forced colours: {forced})"
            assert shapes[one] != shapes[other], told


def on_the_tiles(page: Page, live_server: LiveServer, game: Game) -> None:
    page.goto(f"{live_server}/g/{game.slug}/rounds/7/hands/?out=3")
    page.locator('[data-key="tiles"]').tap()
    for tile in ("9-5", "8-7"):
        page.locator(f'[data-half="{tile[0]}"]').tap()
        page.locator(f'[data-tile="{tile}"]').tap()
        page.locator("[data-save]").tap()
    page.locator('[data-half="6"]').tap()
    page.locator('[data-tile="6-2"]').tap()
    page.locator('[data-half="6"]').tap()


def test_each_mark_on_the_board_has_a_shape(page: Page, game: Game) -> None:
    apart(
        page,
        plain="#c5-2",
        out="td:has(#c5-3)",
        last="td:has(#c4-5)",
        doubt="td:has(#c6-2)",
        doubt_and_out="td:has(#c6-3)",
    )
    apart(page, first=".place.first", other=".place:not(.first)")


def test_each_tile_of_the_pad_has_a_shape(page: Page, live_server: LiveServer, game: Game) -> None:
    on_the_tiles(page, live_server, game)
    apart(
        page,
        free=".picks [data-tile='6-1']",
        mine=".picks [data-tile='6-2']",
        engine=".picks [data-tile='6-6']",
    )
    apart(page, chosen="[data-half='6']", other="[data-half='7']")
    page.locator('[data-half="9"]').tap()
    apart(page, free=".picks [data-tile='9-6']", taken=".picks [data-tile='9-5']")


def test_each_hand_and_choice_has_a_shape(
    page: Page, live_server: LiveServer, game: Game, watch: Watch
) -> None:
    watch.allow("422")
    page.goto(f"{live_server}/g/{game.slug}/rounds/7/hands/?out=3")
    for points in ("1", "1", "31", "46"):
        page.keyboard.type(points)
        page.keyboard.press("Enter")
    expect(page.locator(".hand.bad")).to_have_count(2)
    apart(page, bad="#row-2.bad", open_and_bad="#row-1.now.bad", out="#row-3", fine="#row-4")

    page.goto(f"{live_server}/device/")
    apart(page, chosen="input:checked + .btn", other="input:not(:checked) + .btn")
    page.emulate_media(forced_colors="active")
    expect(page.locator("input:checked + .btn")).to_have_css("border-top-width", "3px")
    page.goto(f"{live_server}/new/")
    apart(page, chosen="input:checked + .set", other="input:not(:checked) + .set")
    apart(page, held="[data-start]", ready=".inp")


def test_nothing_moves_where_that_is_asked(page: Page, live_server: LiveServer, game: Game) -> None:
    assert page.evaluate(MOVES)  # there is motion to take away
    page.emulate_media(reduced_motion="reduce")
    for path in (
        "",
        "end/",
        "rounds/7/",
        "rounds/7/hands/?out=3",
        "rounds/4/seats/5/correct/",
        "tv/",
        "players/",
    ):
        page.goto(f"{live_server}/g/{game.slug}/{path}")
        assert page.evaluate(MOVES) == []
    page.goto(f"{live_server}/g/{game.slug}/")
    page.locator("#c4-5").tap()
    expect(page.locator("dialog#sheet")).to_be_visible()
    assert page.evaluate(MOVES) == []
    page.goto(f"{live_server}/new/")
    assert page.evaluate(MOVES) == []
