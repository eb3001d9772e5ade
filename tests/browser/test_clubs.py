"""A club from its founding to its first reader, on three phones; and without JavaScript."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from games.models import Club, Member
from tests.browser.conftest import Watch

pytestmark = pytest.mark.django_db(transaction=True)


def sign_in(page: Page, live_server: LiveServer, name: str) -> None:
    client = Client()
    client.force_login(get_user_model().objects.create(email=f"{name}@example.org", name=name))
    cookie = client.cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])


@pytest.mark.parametrize("script", [True, False], ids=["script", "no script"])
def test_a_club_is_founded_filled_joined_and_read(
    new_phone: Callable[..., Page], live_server: LiveServer, watch: Watch, script: bool
) -> None:
    watch.allow("422")
    owner, ben, reader = (new_phone(java_script_enabled=script) for _ in range(3))
    sign_in(owner, live_server, "Chitra")
    owner.goto(live_server.url)
    owner.get_by_role("link", name="Clubs").click()
    owner.get_by_role("link", name="Found a club").click()
    owner.get_by_label("What is the club called?").fill("Thursday Dominoes")
    owner.get_by_role("button", name="Found the club").click()
    expect(owner.get_by_text("The club is founded. Next: its members.")).to_be_visible()

    owner.get_by_role("link", name="Members").click()
    owner.get_by_role("link", name="Add members").click()
    owner.get_by_label("Names, one a line").fill("Ben\nKwame\nbenn\nben")
    owner.get_by_role("button", name="Add them all").click()
    expect(owner.get_by_role("alert")).to_contain_text("Line 4: The name Ben is taken.")
    owner.get_by_label("Names, one a line").fill("Ben\nKwame\nBenn")
    owner.get_by_role("button", name="Add them all").click()
    expect(owner.get_by_role("heading", level=1)).to_have_text("4 members")

    owner.get_by_role("link", name="Benn", exact=True).click()
    owner.get_by_label("The same person as").select_option("Ben")
    owner.get_by_role("button", name="Look at both").click()
    expect(owner.get_by_text("Ben gets all results of Benn")).to_be_visible()
    owner.get_by_role("button", name="Make them one").click()
    expect(owner.get_by_role("heading", level=1)).to_have_text("3 members")

    owner.get_by_role("link", name="Back to the club").click()
    owner.get_by_role("link", name="Links and invitation").click()
    to_read = owner.get_by_role("textbox", name="The link").input_value()
    owner.get_by_role("link", name="Join").click()
    expect(owner.get_by_role("link", name="Join")).to_have_attribute("aria-current", "true")
    to_join = owner.get_by_role("textbox", name="The link").input_value()

    sign_in(ben, live_server, "BEN")
    ben.goto(live_server.url + urlsplit(to_join).path)
    expect(ben.get_by_label("I am")).to_have_value("2")
    ben.get_by_role("button", name="Join the club").click()
    expect(ben.get_by_text("Ben belongs to the club now.")).to_be_visible()
    assert Member.objects.get(name="Ben").user is not None

    reader.goto(live_server.url + urlsplit(to_read).path)
    expect(reader.get_by_role("heading", level=1)).to_have_text("Thursday Dominoes")
    expect(reader.get_by_role("link", name="Members")).to_have_count(0)
    assert "/clubs/read/" not in reader.url

    ben.get_by_role("link", name="Leave the club").click()
    ben.get_by_role("button", name="Leave the club").click()
    expect(ben.get_by_text("You have left Thursday Dominoes.")).to_be_visible()
    assert Club.objects.get().members.get(name="Ben").left_on is not None
