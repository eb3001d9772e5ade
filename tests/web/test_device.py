"""What this phone looks like, and whose name its entries carry."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from games.models import Game, LogEntry, new_slug
from games.web.device import Device, write
from tests.web.test_new import NEW, form, text

pytestmark = pytest.mark.django_db
DEVICE = reverse("device")


def keep(client: Client, **fields: Any) -> Any:
    return client.post(DEVICE, {"theme": "auto", "who": "", **fields}, follow=True)


def test_a_new_phone_follows_its_own_light(stranger: Client) -> None:
    page = stranger.get(DEVICE).content.decode()

    assert 'class="theme-auto"' in page
    assert 'value="auto" checked' in page


def test_what_is_kept_is_shown_on_every_page(stranger: Client) -> None:
    response = keep(stranger, theme="dark", big_text="on", left_handed="on", who=" Ruth ")

    assert "Kept on this phone." in text(response)
    assert 'value="Ruth"' in response.content.decode()
    assert 'class="theme-dark big-text left-handed"' in stranger.get(NEW).content.decode()


def test_what_is_left_out_is_off_again(stranger: Client) -> None:
    keep(stranger, theme="dark", big_text="on")

    keep(stranger, theme="light")

    assert 'class="theme-light"' in stranger.get(NEW).content.decode()


def test_the_screen_stays_awake_until_the_switch_is_off(phone: Client, game: Game) -> None:
    board = reverse("board", args=[game.slug])
    assert "awake" in phone.get(board).content.decode()

    keep(phone)
    assert "awake" not in phone.get(board).content.decode()
    keep(phone, awake="on")
    assert "awake" in phone.get(board).content.decode()


def test_the_name_stands_in_the_history(stranger: Client) -> None:
    keep(stranger, who="Ruth")

    stranger.post(NEW, form("Ann", "Ben"))

    assert LogEntry.objects.get().who == "Ruth"


@pytest.mark.parametrize("fields", [{"who": "R\u0007uth"}, {"who": "R" * 41}, {"theme": "pink"}])
def test_what_cannot_be_is_refused_and_not_kept(stranger: Client, fields: dict[str, str]) -> None:
    response = keep(stranger, **fields)

    assert response.status_code == 422
    assert "device" not in stranger.cookies


def test_another_method_is_refused(stranger: Client) -> None:
    assert stranger.delete(DEVICE).status_code == 405


def test_names_and_games_are_not_lost_by_it(phone: Client) -> None:
    keep(phone, theme="dark")

    assert "Friday at Ruth’s" in text(phone.get(reverse("home")))


def test_a_cookie_is_never_too_large_for_a_browser(client: Client) -> None:
    signs = Random(1)
    response = HttpResponse()
    device = Device({})
    names = ["".join(chr(signs.randrange(0x1F300, 0x1F600)) for _ in range(40)) for _ in range(40)]
    device.add_names(names)
    device.who = names[-1]
    for number in range(60):
        device.add_game(new_slug(), "s", 2**40 + signs.randrange(2**40) + number)

    write(device, response)

    assert max(len(cookie.key + cookie.coded_value) for cookie in response.cookies.values()) < 4096
    kept = Device({name: cookie.value for name, cookie in response.cookies.items()})
    assert len(kept.games) == 60
    assert len(kept.names) > 10
    assert kept.names == names[: len(kept.names)]
