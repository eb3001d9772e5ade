"""The link of a game on a phone: copied, or handed to another app where the phone can."""

from __future__ import annotations

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from games.models import AccessKey, Role
from tests.cast import start

pytestmark = pytest.mark.django_db(transaction=True)


def open_share(page: Page, site: str) -> str:
    """Open the share page of a new game; its watcher's link."""
    game = start(name="Friday at Ruth’s").sheet.game
    keys = {key.role: key.key for key in AccessKey.objects.filter(game=game)}
    page.request.get(f"{site}{reverse('open_scorer', args=[keys[Role.SCORER]])}")
    page.goto(f"{site}/g/{game.slug}/share/")
    link = page.get_by_role("textbox", name="The link").input_value()
    assert link.endswith(reverse("open_viewer", args=[keys[Role.VIEWER]]))
    return link


def test_the_link_is_copied(page: Page, live_server: LiveServer) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    link = open_share(page, live_server.url)
    page.get_by_role("button", name="Copy").tap()

    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == link


def test_the_link_is_copied_on_a_plain_address_too(page: Page, lan_server: str) -> None:
    open_share(page, lan_server)
    assert page.evaluate("navigator.clipboard === undefined")
    page.get_by_role("button", name="Copy").tap()

    expect(page.get_by_role("button", name="Copied")).to_be_visible()


def test_the_link_is_sent_where_the_phone_can(page: Page, live_server: LiveServer) -> None:
    page.add_init_script("navigator.share = async (what) => { window.sent = what; }")
    link = open_share(page, live_server.url)
    page.get_by_role("button", name="Send the link").tap()

    page.wait_for_function("() => window.sent")
    assert page.evaluate("window.sent") == {"title": "Friday at Ruth’s", "url": link}


def test_what_the_phone_cannot_do_is_not_there(page: Page, live_server: LiveServer) -> None:
    page.add_init_script("Object.defineProperty(navigator, 'share', { value: undefined })")
    open_share(page, live_server.url)

    expect(page.get_by_role("button", name="Copy")).to_be_visible()
    expect(page.get_by_role("button", name="Send the link")).to_have_count(0)
