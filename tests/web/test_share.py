"""The share page shows the links again, to each what it may give away."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from games.models import AccessKey, Game, Role
from games.seats import seat_take
from games.web.share import OPENS, for_other_phones
from tests.cast import start

pytestmark = pytest.mark.django_db


def opened(client: Client, role: Role) -> Game:
    game = start().sheet.game
    key = AccessKey.objects.get(game=game, role=role).key
    client.get(reverse(OPENS[role], args=[key]))
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


def test_the_table_s_code_is_a_face_of_its_own(client: Client) -> None:
    game = opened(client, Role.SCORER)
    seat = AccessKey.objects.get(role=Role.SEAT)
    seat_take(game=game, seat=2, device="ben-s-phone")

    page = client.get(reverse("share", args=[game.slug]), {"face": "seat"}).content.decode()

    assert seat.key in page
    assert "Enter one’s own hand, change nothing else." in page
    assert "On their own phones: Ben." in page
    assert 'class="code score"' not in page


def test_the_table_s_code_is_stopped_and_replaced_like_the_others(client: Client) -> None:
    game = opened(client, Role.SCORER)
    seat = AccessKey.objects.get(role=Role.SEAT)

    client.post(reverse("link_replace", args=[game.slug]), {"face": "seat", "link": seat.pk})

    assert AccessKey.objects.filter(role=Role.SEAT, revoked_at=None).exclude(pk=seat.pk).count() == 1
    assert Client().get(reverse("open_table", args=[seat.key])).status_code == 404
    log = client.get(reverse("log", args=[game.slug])).content.decode()
    assert "Link for own hands stopped, new one made" in log
    assert client.get(reverse("round", args=[game.slug, 1])).status_code == 200


def test_who_came_for_a_seat_hands_on_no_more_than_that(client: Client) -> None:
    game = opened(client, Role.SEAT)
    keys = {Role(key.role): key.key for key in AccessKey.objects.all()}
    seen = [
        client.get(reverse("share", args=[game.slug]), {"face": face}).content.decode()
        for face in ("watch", "seat", "score")
    ]

    assert keys[Role.VIEWER] in seen[0]
    assert keys[Role.SEAT] in seen[1]
    assert not any(keys[Role.SCORER] in page for page in seen)
    assert not any("Stop this link" in page for page in seen)
