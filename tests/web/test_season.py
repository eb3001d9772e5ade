"""A season's table on a page: places, why, as of a day, and a result in doubt."""

from __future__ import annotations

import pytest
from django.test import Client

from games.models import Club, Season
from games.seasons import doubt_raise, game_change
from games.services import game_finish
from tests import club as at_club
from tests.club import night

pytestmark = pytest.mark.django_db


@pytest.fixture
def spring(club: Club) -> Season:
    spring = at_club.season(club)
    night(spring, 1, ["Chitra", "Ben", "Kwame"], [0, 20, 30], [15, 0, 10])
    night(spring, 2, ["Chitra", "Ben"], [40, 0])
    return spring


@pytest.fixture
def owner(client: Client, club: Club) -> Client:
    client.force_login(club.members.get(number=1).user)  # type: ignore[arg-type]
    return client


def page(client: Client, season: Season, query: str = "") -> str:
    answer = client.get(f"/clubs/{season.club.slug}/seasons/{season.number}/{query}")
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def test_the_table_has_places_names_nights_and_values(owner: Client, spring: Season) -> None:
    text = page(owner, spring)
    assert "Lowest sum of points. 2 nights played." in text
    assert text.index(">Ben</a>") < text.index(">Kwame</a>") < text.index(">Chitra</a>")
    assert '<td class="s-value">55</td>' in text


def test_a_row_opens_to_why(owner: Client, spring: Season) -> None:
    assert "Why is Kwame 2nd?" in page(owner, spring, "?row=2")
    assert "Missed: the night of 12 March; it counts nothing." in page(owner, spring, "?row=2")


def test_the_table_as_of_a_day(owner: Client, spring: Season) -> None:
    assert '<td class="s-value">15</td>' in page(owner, spring, "?on=2026-03-06")
    answer = owner.get(f"/clubs/{spring.club.slug}/seasons/1/?on=yesterday")
    assert answer.status_code == 404


def test_a_result_in_doubt_says_how_the_places_would_fall(owner: Client, spring: Season) -> None:
    played = spring.nights.get(on="2026-03-12").games.get()
    doubt_raise(played=played, other={"round": 1, "seat": 1, "points": 4}, reason="14?", who="Chitra")
    text = page(owner, spring)
    assert "If round 1 of 12 March falls the other way, Chitra is 1st, Ben 2nd, Kwame 3rd." in text
    assert text.count("place pending") == 3


def test_the_plain_table_costs_the_same_whatever_was_played(
    owner: Client, spring: Season, django_assert_max_num_queries: pytest.FixtureRequest
) -> None:
    with django_assert_max_num_queries(10):  # type: ignore[operator]
        page(owner, spring)


def test_a_stranger_finds_no_club_and_a_public_club_is_read_by_all(client: Client, spring: Season) -> None:
    address = f"/clubs/{spring.club.slug}/seasons/1/"
    assert client.get(address).status_code == 404
    spring.club.public = True
    spring.club.save()
    assert client.get(address).status_code == 200
    assert client.post(address).status_code == 405
    assert client.get(f"/clubs/{spring.club.slug}/seasons/2/").status_code == 404


def test_a_night_is_played_once_a_result_counts(owner: Client, spring: Season) -> None:
    running = night(spring, 3, ["Chitra", "Ben"], [0, 20], finish=False)
    assert "2 nights played." in page(owner, spring)
    seasons = f"/clubs/{spring.club.slug}/seasons/"
    assert "2 nights</small>" in owner.get(seasons).content.decode()
    game_finish(game=running.game)
    assert "3 nights played." in page(owner, spring)
    assert "3 nights</small>" in owner.get(seasons).content.decode()
    game_change(played=running, void=True, reason="Abandoned")
    assert "2 nights played." in page(owner, spring)
