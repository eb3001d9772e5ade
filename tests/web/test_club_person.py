"""A person's page, two people against each other, a club's records: figures read there, and who may."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.clubs import members_merge
from games.models import Club, Member, Season
from games.removal import game_abandon
from games.seasons import doubt_raise, game_change, night_void
from tests import club as at_club
from tests.club import FIRST_NIGHT, night
from tests.web.club_pages import answers, client_of, reader_of
from tests.web.reading import element, rows, words

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return at_club.found()


@pytest.fixture
def spring(club: Club) -> Season:
    """The nights of tests/engine/test_person.py, as far as they are of one set."""
    spring = at_club.season(club)
    night(spring, 1, ["Chitra", "Ben", "Kwame"], [0, 20, 31], [10, 0, 12], [30, 45, 0])
    night(spring, 2, ["Chitra", "Ben", "Visiting Vera"], [8, 30, 0], [0, 5, 9], [0, 20, 7])
    night(spring, 3, ["Chitra", "Ben"], [0, 14], [25, 0])
    return spring


@pytest.fixture
def owner(club: Club) -> Client:
    return client_of(club, 1)


def page(phone: Client, club: Club, where: str) -> Any:
    answer = phone.get(f"/clubs/{club.slug}/{where}")
    assert answer.status_code == 200
    return answer


def test_the_page(owner: Client, club: Club, spring: Season) -> None:
    found = page(owner, club, "people/1/")
    print(words(found))
    for where in ("people/1/against/", "people/1/against/?other=4", "people/5/", "people/5/against/?other=1", "records/", "people/1/?season=1&all"):
        print(where, words(page(owner, club, where)))
    assert 0
