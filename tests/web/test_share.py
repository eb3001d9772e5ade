"""The share page shows the links again, to each what it may give away."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from games.models import AccessKey, Game, Role
from games.web.share import for_other_phones
from tests.cast import start

pytestmark = pytest.mark.django_db


def opened(client: Client, role: Role) -> Game:
    game = start().sheet.game
    key = AccessKey.objects.get(game=game, role=role).key
    client.get(reverse("open_scorer" if role == Role.SCORER else "open_viewer", args=[key]))
    return game


def test_a_scorer_sees_either_link_one_at_a_time(client: Client) -> None:
    game = opened(client, Role.SCORER)
    keys = dict(AccessKey.objects.values_list("role", "key"))

    watch = client.get(reverse("share", args=[game.slug])).content.decode()
    score = client.get(reverse("share", args=[game.slug]), {"face": "score"}).content.decode()

    assert (keys["viewer"] in watch, keys["scorer"] in watch) == (True, False)
    assert (keys["viewer"] in score, keys["scorer"] in score) == (False, True)
    assert '<svg role="img" aria-label=' in score


def test_a_watcher_sees_the_view_link_only(client: Client) -> None:
    game = opened(client, Role.VIEWER)

    page = client.get(reverse("share", args=[game.slug]), {"face": "score"}).content.decode()

    assert AccessKey.objects.get(game=game, role=Role.SCORER).key not in page


def test_a_stranger_sees_nothing(client: Client) -> None:
    assert client.get(reverse("share", args=[start().sheet.game.slug])).status_code == 404


def test_on_the_machine_itself_the_link_names_the_address_that_phones_can_open(settings: Settings) -> None:
    settings.ALLOWED_HOSTS = ["127.0.0.1", "localhost", "192.168.1.7"]

    assert for_other_phones("http://127.0.0.1:8000/w/k/") == "http://192.168.1.7:8000/w/k/"
    assert for_other_phones("https://score.example/w/k/") == "https://score.example/w/k/"


def test_without_a_network_the_link_stays_as_it_is(settings: Settings) -> None:
    settings.ALLOWED_HOSTS = ["127.0.0.1", "localhost"]

    assert for_other_phones("http://localhost:8000/w/k/") == "http://localhost:8000/w/k/"


def test_once_the_watchers_link_is_stopped_a_scorer_sees_the_other(client: Client) -> None:
    game = opened(client, Role.SCORER)
    AccessKey.objects.filter(role=Role.VIEWER).update(revoked_at="2026-01-01T00:00Z")

    page = client.get(reverse("share", args=[game.slug])).content.decode()

    assert AccessKey.objects.get(role=Role.SCORER).key in page
