"""On a phone: take a game along, bring it to another phone, and see how it went."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from games.models import AccessKey, Game, Role
from games.services import Started
from tests.browser.conftest import Watch
from tests.cast import FOURTEEN, play, start

SIX = (
    (20, 29, 0, 33, 21),
    (0, 29, 16, 33, 5),
    (16, 5, 0, 11, 33),
    (0, 18, 57, 18, 31),
    (59, 14, 0, 38, 65),
    (2, 51, 26, 45, 0),
)


@pytest.fixture
def friday(transactional_db: None) -> Started:
    started = start(name="Friday at Ruth’s", rounds=6)
    play(started.sheet.game, *SIX)
    return started


def opens(page: Page, live_server: LiveServer, game: Game) -> None:
    """The phone knows the game; it shows no page yet."""
    key = AccessKey.objects.get(game=game, role=Role.SCORER).key
    page.request.get(live_server.url + reverse("open_scorer", args=[key]))


def saved(page: Page, name: str, folder: Path) -> Path:
    """Press a link or button and keep what the phone saves."""
    with page.expect_download() as download:
        page.locator("a, button").filter(has_text=name).click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


def fits(page: Page) -> None:
    root = "document.documentElement"  # a phone shows as much more as sticks out: innerWidth grows with it
    assert page.evaluate(f"{root}.scrollWidth <= {root}.clientWidth")


@pytest.mark.parametrize("script", [True, False])
def test_all_games_move_to_a_new_phone(
    new_phone: Callable[..., Page], live_server: LiveServer, friday: Started, tmp_path: Path, script: bool
) -> None:
    old, new = (new_phone(java_script_enabled=script) for _phone in range(2))
    opens(old, live_server, friday.sheet.game)
    old.goto(live_server.url)
    old.get_by_role("link", name="All my games as a file").click()
    expect(old.get_by_text("This file opens your games.")).to_be_visible()
    fits(old)
    backup = saved(old, "Save the file", tmp_path)

    for _again in range(2):
        new.goto(live_server.url)
        new.get_by_role("link", name="Bring games in").click()
        new.get_by_label("The file with games").set_input_files(backup)
        new.get_by_role("button", name="Bring in").click()
        expect(new.get_by_role("status").first).to_contain_text("open on this phone: “Friday at Ruth’s”")
    fits(new)
    new.get_by_role("link", name="My games").click()
    expect(new.get_by_role("link", name="Friday at Ruth’s")).to_have_count(1)
    assert Game.objects.count() == 1


def test_a_game_is_saved_whole_and_comes_back(
    page: Page, live_server: LiveServer, friday: Started, tmp_path: Path
) -> None:
    game = friday.sheet.game
    opens(page, live_server, game)
    page.goto(live_server.url + reverse("end", args=[game.slug]))
    page.get_by_role("link", name="Text, picture, files").click()
    whole = saved(page, "Save as .json", tmp_path)
    assert json.loads(whole.read_text("utf-8"))["game"]["name"] == "Friday at Ruth’s"
    assert saved(page, "Save as .csv", tmp_path).read_text("utf-8-sig").startswith("Place,Name,Total")
    game.delete()

    page.goto(live_server.url + reverse("bring_in"))
    page.get_by_label("The file with games").set_input_files(whole)
    page.get_by_role("button", name="Bring in").click()

    expect(page.get_by_role("status").first).to_contain_text("1 game brought in: “Friday at Ruth’s”.")
    there = Game.objects.get()
    page.goto(live_server.url + reverse("end", args=[there.slug]))
    expect(page.get_by_role("heading", level=1)).to_contain_text("wins with")


def test_a_broken_file_is_told_and_nothing_comes_of_it(
    page: Page, live_server: LiveServer, transactional_db: None, watch: Watch, tmp_path: Path
) -> None:
    watch.allow("422")
    broken = tmp_path / "broken.json"
    broken.write_text('{"format": "scorekeeper-game", "game": {"na')
    page.goto(live_server.url + reverse("bring_in"))
    page.get_by_label("The file with games").set_input_files(broken)
    page.get_by_role("button", name="Bring in").click()
    expect(page.get_by_role("alert")).to_contain_text("Nothing was brought in.")
    expect(page.get_by_role("alert")).to_contain_text("This file breaks off or was changed")
    fits(page)


def test_the_picture_is_shown_and_saved_as_pixels(
    page: Page, live_server: LiveServer, friday: Started, tmp_path: Path
) -> None:
    opens(page, live_server, friday.sheet.game)
    page.goto(live_server.url + reverse("files", args=[friday.sheet.game.slug]))
    picture = page.get_by_role("img", name="The result as a picture")
    picture.scroll_into_view_if_needed()
    page.wait_for_function("() => document.getElementById('picture').naturalWidth > 600")
    png = saved(page, "Save as .png", tmp_path)
    assert png.read_bytes().startswith(b"\x89PNG")
    assert png.stat().st_size > 20_000
    page.get_by_role("button", name="Copy the text").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    fits(page)


LOOKS: tuple[tuple[int, Literal["light", "dark"]], ...] = ((320, "light"), (360, "dark"), (1280, "light"))


def test_how_it_went_fits_and_is_clean(
    page: Page, live_server: LiveServer, transactional_db: None, axe: Callable[[Page], None]
) -> None:
    started = start(FOURTEEN, max_pip=18, name="Club night")
    grid: list[Any] = [tuple((seat + number) % 14 * 9 for seat in range(14)) for number in range(6)]
    play(started.sheet.game, *grid)
    opens(page, live_server, started.sheet.game)

    def looked_at(*, sound: bool = True) -> None:
        for width, scheme in LOOKS:
            page.set_viewport_size({"width": width, "height": 740})
            page.emulate_media(color_scheme=scheme)
            fits(page)
            if sound:
                axe(page)

    for name in ("end", "files"):
        page.goto(live_server.url + reverse(name, args=[started.sheet.game.slug]))
        if name == "end":
            looked_at(sound=False)
            page.get_by_text("The figures as a table").click()
            expect(page.get_by_role("region", name="Totals after each round")).to_be_visible()
        looked_at()
    for name in ("my_games", "bring_in"):
        page.goto(live_server.url + reverse(name))
        looked_at()
