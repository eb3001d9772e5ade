"""Members pasted, one of them wrong: told where, corrected, added; nothing that was typed is lost."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from games.models import Member
from tests import club as at_club
from tests.browser.conftest import Watch
from tests.browser.test_every_page import SCHEMES, SMALL, AxeCheck, sideways

pytestmark = pytest.mark.django_db(transaction=True)

LONG = "Maximiliana-Alexandrina von Hohenzollern"
NIGHTS = f"Night;Name;Points;Note\n2026-03-05;Ann;20;\n2026-03-05;{LONG};30;\n2026-03-05;Zoe;9;guest\n"
ROWS = "Name;Joined on\nAnn;12.3.2026\nBob;3/4/2026\nCem;\n"


def sound(page: Page, axe: AxeCheck, script: bool) -> None:
    """As every page (test_club_pages.py), where something was typed before."""
    if not script:
        return
    assert [*sideways(page), *page.evaluate(SMALL)] == []
    for scheme, rules in SCHEMES.items():
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        axe(page, *rules)


def test_three_members_are_pasted_corrected_and_added(
    new_phone: Callable[..., Page], live_server: LiveServer, watch: Watch, axe: AxeCheck
) -> None:
    watch.allow("422")
    club = at_club.found()
    for script in (False, True):
        phone = new_phone(java_script_enabled=script)
        signed_in = Client()
        signed_in.force_login(club.members.get(number=1).user)  # type: ignore[arg-type]
        cookie = signed_in.cookies["sessionid"].value
        phone.context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])
        phone.goto(f"{live_server.url}/clubs/{club.slug}/members/")
        phone.get_by_role("link", name="Add members").click()
        phone.get_by_role("link", name="From a file or a spreadsheet").click()
        rows = ROWS if script is False else ROWS.replace("Ann", "Dan").replace("Bob", "Eva")
        phone.get_by_label("Or the rows, pasted from anywhere").fill(rows)
        phone.get_by_role("button", name="Look at the rows").click()
        alert = phone.get_by_role("alert")
        expect(alert).to_contain_text("Row 3, Joined on: “3/4/2026” can be read in two ways")
        typed = phone.get_by_label("The rows, to be corrected")
        expect(typed).to_have_value(rows)
        sound(phone, axe, script)
        typed.fill(rows.replace("3/4/2026", "2026-04-03"))
        phone.get_by_role("button", name="Look again").last.click()
        new = 3 if script is False else 2
        expect(phone.get_by_role("status")).to_contain_text(f"{new} members would be added.")
        sound(phone, axe, script)
        phone.get_by_role("button", name=f"Add {new} members").click()
        expect(phone.get_by_text(f"{new} members are added.")).to_be_visible()
    phone.goto(f"{live_server.url}/clubs/{club.slug}/seasons/bring-in/")
    phone.get_by_label("What is the new season called?").fill("Winter")
    phone.get_by_label("Or the rows, pasted from anywhere").fill(NIGHTS)
    phone.get_by_role("button", name="Look at the rows").click()
    expect(phone.get_by_role("heading", name="The table it would give")).to_be_visible()
    phone.locator(".past-night summary").click()
    sound(phone, axe, script=True)
    days = dict(Member.objects.filter(club=club, number__gt=6).values_list("name", "joined_on"))
    assert {name: str(day) for name, day in days.items()} == {
        "Ann": "2026-03-12",
        "Bob": "2026-04-03",
        "Cem": "None",
        "Dan": "2026-03-12",
        "Eva": "2026-04-03",
    }
