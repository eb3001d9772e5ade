"""An account takes a game from one phone to another; its pages are sound in light and dark."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.urls import get_resolver, reverse
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from games import accounts
from games.models import AccessKey, Role, User
from tests.browser.conftest import Watch
from tests.browser.test_every_page import AxeCheck, sideways, unsound
from tests.cast import play, start

pytestmark = pytest.mark.django_db(transaction=True)
PASSWORD = "trains and tiles"


class Stop(NamedTuple):
    """An account's page; who stops there, and what is pressed once it is there."""

    signed_in: bool = True
    press: str = ""


OUT, IN = Stop(signed_in=False), Stop()
SEND = ".bar .primary"
PAGES: dict[str, tuple[Stop, ...]] = {
    "account": (IN,),
    "account_name": (IN,),
    "account_tokens": (IN, Stop(press=SEND)),
    "account_delete": (IN, Stop(press="form .delete")),
    "account_signup": (OUT, Stop(signed_in=False, press=SEND)),
    "account_login": (OUT, Stop(signed_in=False, press=SEND)),
    "account_logout": (IN,),
    "account_inactive": (OUT,),
    "account_email_verification_sent": (OUT,),
    "account_confirm_email": (OUT,),
    "account_email": (IN, Stop(press=SEND)),
    "account_change_password": (IN, Stop(press=SEND)),
    "account_reset_password": (OUT, Stop(signed_in=False, press=SEND)),
    "account_reset_password_done": (OUT,),
    "account_reset_password_from_key": (OUT,),
}
NO_PAGE = {"account_claim", "account_drop", "account_token_revoke"}


def link(server: str) -> str:
    """The link of the newest message."""
    found = re.search(rf"{server}/\S+", str(mail.outbox[-1].body))
    assert found
    return found[0]


def sign_in(page: Page, server: str, email: str) -> None:
    page.goto(f"{server}{reverse('account_login')}")
    page.get_by_label("E-mail address").fill(email)
    page.get_by_label("Password").fill(PASSWORD)
    page.locator(SEND).click()
    page.wait_for_url("**/account/")


def test_a_game_claimed_on_one_phone_is_on_the_other(
    new_phone: Callable[..., Page], live_server: LiveServer, watch: Watch
) -> None:
    watch.allow("422")
    game = start(name="Friday at Ruth’s").sheet.game
    play(game, (33, 2, 0, 31, 46))
    key = AccessKey.objects.get(game=game, role=Role.SCORER).key
    one = new_phone()
    one.goto(f"{live_server}{reverse('open_scorer', args=[key])}")
    one.goto(f"{live_server}/device/")
    one.get_by_role("link", name="Sign in").click()
    one.get_by_role("link", name="Make an account").click()
    one.get_by_label("E-mail address").fill("ruth@example")
    one.get_by_label("Password").fill(PASSWORD)
    one.get_by_label("Name").fill("Ruth")
    one.locator(SEND).click()
    expect(one.get_by_role("alert")).to_contain_text("An address looks like ruth@example.org.")
    one.get_by_label("E-mail address").fill("ruth@example.org")
    one.get_by_label("Password").fill(PASSWORD)
    one.locator(SEND).click()
    expect(one.get_by_role("heading", level=1)).to_have_text("Look at your mail")

    one.goto(link(live_server.url))
    one.get_by_role("button", name="Confirm").click()
    expect(one.get_by_text("Friday at Ruth’s")).to_be_visible()
    one.get_by_role("button", name="Claim this game").click()
    expect(one.get_by_text("1 game is now in the account.")).to_be_visible()

    two = new_phone(java_script_enabled=False)
    two.goto(live_server.url)
    expect(two.get_by_text("No games on this phone yet")).to_be_visible()
    expect(two.get_by_role("link", name="Your account")).to_have_count(0)
    sign_in(two, live_server.url, "ruth@example.org")
    two.goto(live_server.url)
    two.get_by_role("link", name=re.compile("Friday at Ruth’s")).click()
    two.get_by_role("link", name="Enter round 2").click()
    expect(two.get_by_role("heading", level=1)).to_be_visible()
    two.goto(f"{live_server}/account/")
    two.get_by_role("button", name="Sign out").click()
    expect(two.get_by_text("No games on this phone yet")).to_be_visible()


def test_every_address_has_a_line() -> None:
    names = {name for name in get_resolver("games.web.account_urls").reverse_dict if isinstance(name, str)}

    assert names == PAGES.keys() | NO_PAGE


def test_every_page_of_accounts_is_sound(
    new_phone: Callable[..., Page], live_server: LiveServer, watch: Watch, axe: AxeCheck
) -> None:
    watch.allow("422")
    watch.allow("404")
    long = "Maximiliana-Alexandrina von Hohenzollern"
    email = "maximiliana-alexandrina.von-hohenzollern@example.org"
    user = User.objects.create_user(email, PASSWORD, name=long)
    EmailAddress.objects.create(user=user, email=email, verified=True, primary=True)
    accounts.token_make(user=user, name=long)
    known = new_phone()
    for name in ("Friday at Ruth’s", "A" * 60):
        game = start((long, "Ben"), name=name).sheet.game
        key = AccessKey.objects.get(game=game, role=Role.SCORER)
        if name[0] == "A":
            known.request.get(f"{live_server}{reverse('open_scorer', args=[key.key])}")
        else:
            accounts.games_claim(user=user, key_ids=[key.pk])
    sign_in(known, live_server.url, email)
    unknown = new_phone()
    wrong: list[str] = []
    for name, stops in PAGES.items():
        wanted = get_resolver("games.web.account_urls").reverse_dict.getlist(name)[0][0][0][1]
        path = reverse(name, kwargs={part: {"key": "MQ", "uidb36": "1"}[part] for part in wanted})
        for stop in stops:
            page = known if stop.signed_in else unknown
            wrong += unsound(page, f"{live_server}{path}", [stop.press] if stop.press else [], axe)
            if stop.press:
                expect(page.get_by_role("alert")).to_be_visible()
            wrong += sideways(page)
    known.goto(f"{live_server}{reverse('account_tokens')}")
    known.get_by_label("Name of a new token").fill(long)
    known.locator(SEND).click()
    expect(known.get_by_label("The token")).to_have_value(re.compile("^sk_"))
    axe(known)
    wrong += sideways(known)
    assert not wrong, "\n".join(wrong)


def test_an_operator_s_pages_work_under_the_policy(page: Page, live_server: LiveServer, watch: Watch) -> None:
    watch.allow("favicon.ico")
    play(start(name="Friday at Ruth’s").sheet.game, (33, 2, 0, 31, 46))
    user = User.objects.create_superuser("ops@example.org", PASSWORD)
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    page.goto(f"{live_server}/admin/")
    page.get_by_label("E-mail address").fill(user.email)
    page.get_by_label("Password").fill(PASSWORD)
    page.locator(SEND).click()
    page.wait_for_url("**/admin/")
    for name in ("game", "logentry", "user"):
        page.goto(f"{live_server}/admin/games/{name}/")
        page.locator("#result_list tbody th a").first.click()
        page.wait_for_url("**/change/**")
        expect(page.locator("#content h1")).to_be_visible()
