"""Every page of a club looks right to a machine at least; an address without a line here fails."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from django.test import Client
from django.urls import get_resolver, reverse
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from games.clubs import member_change
from games.models import Club, ClubGame, ClubKey, ClubLink
from games.seasons import doubt_raise, game_change
from tests import club as at_club
from tests.browser.conftest import Watch
from tests.browser.test_every_page import AxeCheck, sideways, unsound

pytestmark = pytest.mark.django_db(transaction=True)


LONG = "Maximiliana-Alexandrina von Hohenzollern"


class Stop(NamedTuple):
    """A page to look at: about which number, with which query, after tapping what; of which night."""

    number: int = 1
    query: str = ""
    press: tuple[str, ...] = ()
    day: int = 1
    invited: bool = False


PAGES: dict[str, tuple[Stop, ...]] = {
    "clubs": (Stop(),),
    "club_found": (Stop(),),
    "club": (Stop(),),
    "members": (Stop(), Stop(query="?q=nobody")),
    "members_add": (Stop(),),
    "member": (Stop(4, press=("summary",)), Stop(6)),
    "member_merge": (Stop(4, "?into=2"), Stop(6, "?into=7")),
    "club_leave": (Stop(),),
    "club_links": (Stop(press=("summary",)), Stop(query="?face=invite")),
    "club_settings": (Stop(),),
    "club_log": (Stop(),),
    "club_reader": (Stop(),),
    "club_join": (Stop(), Stop(invited=True)),
    "season": (Stop(), Stop(query="?row=2")),
    "seasons": (Stop(press=("summary",)),),
    "season_more": (Stop(),),
    "scheme": (Stop(),),
    "scheme_form": (Stop(press=(".bar [value=look]",)),),
    "members_bring": (Stop(), Stop(press=("text=Look at the rows",))),
    "season_bring": (Stop(), Stop(query="?season=1", press=("text=Look at the rows",))),
    "club_take": (Stop(),),
    "season_take": (Stop(), Stop(query="?on=2026-03-05")),
    "nights": (Stop(),),
    "night": (Stop(press=("summary",)), Stop(day=2)),
    "night_game": (Stop(),),
    "night_known": (Stop(), Stop(query="?game={game}")),
    "club_game": (Stop(press=("summary",)),),
    "doubt_new": (Stop(),),
    "doubt": (Stop(),),
    "person": (Stop(press=("details:last-of-type > summary",)), Stop(4), Stop(5)),
    "against": (Stop(), Stop(query="?other=4"), Stop(query="?other=5")),
    "club_records": (Stop(press=("summary",)),),
}
# What only writes, or goes on to another page.
NO_PAGE = {"club_link_replace", "night_board", "club_file", "season_file"}


def test_every_address_has_a_line() -> None:
    names = {name for name in get_resolver("games.web.club.urls").reverse_dict if isinstance(name, str)}

    assert names == PAGES.keys() | NO_PAGE


@pytest.fixture
def club(page: Page, live_server: LiveServer) -> Club:
    """A club whose owner is signed in on the phone."""
    club = at_club.found(*at_club.CLUB, LONG)
    spring = at_club.season(club)
    played = at_club.night(spring, 1, ["Chitra", "Ben", LONG, "Vera"], [0, 20, 30, 5])
    doubt_raise(played=played, other={"round": 1, "seat": 2, "points": 2}, reason="2 or 20?", who="Ben")
    at_club.night(spring, 2, ["Chitra", "Priya", at_club.CLUB[2]], [0, 20, 30], finish=False)
    void = at_club.night(spring, 2, ["Kwame", "Priya"], [0, 20])
    game_change(played=void, void=True, reason="The set was short", who="Ben")
    owner = club.members.get(number=1).user
    assert owner is not None
    signed_in = Client()
    signed_in.force_login(owner)
    cookie = signed_in.cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])
    member_change(club=club, number=6, left_on=at_club.FIRST_NIGHT, who="Chitra")
    return club


@pytest.fixture
def invitation() -> str:
    """The secret of another club's invitation."""
    return ClubKey.objects.get(club=at_club.found("Zoë", "Ann"), role=ClubLink.INVITE).key


def test_every_page_of_a_club_is_sound(
    page: Page, live_server: LiveServer, club: Club, invitation: str, watch: Watch, axe: AxeCheck
) -> None:
    watch.allow("404")
    watch.allow("422")
    games = ClubGame.objects.filter(night__season__club=club).select_related("night", "game").order_by("pk")
    wrong: list[str] = []
    for name, stops in PAGES.items():
        wanted = get_resolver("games.web.urls").reverse_dict.getlist(name)[0][0][0][1]
        for stop in stops:
            played, secret = games[stop.day - 1], invitation if stop.invited else "never-made"
            about = {"slug": club.slug, "day": played.night.on.isoformat(), "game": played.game.slug}
            values = {**about, "number": stop.number, "secret": secret}
            path = reverse(name, kwargs={key: value for key, value in values.items() if key in wanted})
            path += stop.query.format(game=played.game.slug)
            wrong += unsound(page, f"{live_server}{path}", stop.press, axe)
            wrong += sideways(page)
    assert not wrong, "\n".join(wrong)
