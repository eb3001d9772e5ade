"""The seasons of a club: list, a new one, its name and days."""

from __future__ import annotations

from datetime import date

import pytest
from django.test import Client

from games.engine.scheme import Scheme
from games.models import Club, Season
from games.seasons import season_change
from games.standing_rows import scheme_from_data
from tests import club as at_club
from tests.club import night
from tests.web.club_pages import answers, client_of
from tests.web.reading import words

pytestmark = pytest.mark.django_db


@pytest.fixture
def spring(club: Club) -> Season:
    return at_club.season(club, measure="per_round", least_nights=2)


@pytest.fixture
def owner(club: Club, spring: Season) -> Client:
    club.refresh_from_db()
    return client_of(club, 1)


def add(client: Client, club: Club, **typed: object) -> object:
    form = {"name": "Autumn", "starts_on": "2026-09-03", "ends_on": "", "measure": "last", **typed}
    return client.post(f"/clubs/{club.slug}/seasons/", {"version": club.version, **form})


def test_the_list_names_each_season_its_days_and_how_it_is_scored(owner: Client, spring: Season) -> None:
    night(spring, 1, ["Chitra", "Ben"], [0, 20])
    said = words(owner.get(f"/clubs/{spring.club.slug}/seasons/"))
    assert "Spring season since 5 March 2026 Lowest average a round, at least 2 nights. 1 night" in said
    assert "Add a season" in said


def test_a_season_is_added_and_scored_as_the_newest_one(owner: Client, club: Club) -> None:
    answer = add(owner, club, ends_on="2026-12-17")
    assert answer.status_code == 302  # type: ignore[attr-defined]
    assert answer["Location"] == f"/clubs/{club.slug}/seasons/2/"  # type: ignore[index]
    autumn = Season.objects.get(number=2)
    assert (autumn.name, autumn.starts_on, autumn.ends_on) == ("Autumn", date(2026, 9, 3), date(2026, 12, 17))
    assert scheme_from_data(autumn.scheme).measure == "per_round"


def test_a_season_is_added_with_a_scheme_of_its_own(owner: Client, club: Club) -> None:
    add(owner, club, measure="placement")
    assert scheme_from_data(Season.objects.get(number=2).scheme) == Scheme(measure="placement")


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({"name": " "}, "A name is needed."),
        ({"name": "x" * 90}, "This name is too long. 80 letters are the most."),
        ({"starts_on": ""}, "The day of the first night is needed."),
        ({"starts_on": "in May"}, "“in May” is not a day."),
        ({"ends_on": "2026-01-01"}, "A season cannot end before it begins."),
    ],
)
def test_a_season_that_cannot_be_is_told_and_what_was_typed_stays(
    owner: Client, club: Club, typed: dict[str, str], said: str
) -> None:
    answer = add(owner, club, **typed)
    assert answer.status_code == 422  # type: ignore[attr-defined]
    assert said in words(answer)
    for value in {"Autumn", "2026-09-03", *typed.values()} - {typed.get("name") and "Autumn"}:
        if value and value.strip() and not (typed.get("starts_on") is not None and value == "2026-09-03"):
            assert f'value="{value.strip()}"' in answer.content.decode()  # type: ignore[attr-defined]
    assert Season.objects.count() == 1


def test_a_change_meanwhile_is_told_and_what_was_typed_stays(
    owner: Client, club: Club, spring: Season
) -> None:
    season_change(season=spring, name="Spring", starts_on=spring.starts_on, ends_on=None, who="Ben")
    answer = add(owner, club)
    assert answer.status_code == 409  # type: ignore[attr-defined]
    said = words(answer)
    assert (
        "Nothing was changed: the club had moved on. Newest change: The season “Spring” is changed (Ben)."
        in said
    )
    assert 'value="Autumn"' in answer.content.decode()  # type: ignore[attr-defined]
    club.refresh_from_db()
    assert f'name="version" value="{club.version}"' in answer.content.decode()  # type: ignore[attr-defined]


def test_a_season_gets_another_name_and_other_days(owner: Client, club: Club) -> None:
    page = f"/clubs/{club.slug}/seasons/1/more/"
    assert 'value="Spring season"' in owner.get(page).content.decode()
    form = {
        "name": "Spring 2026",
        "starts_on": "2026-03-01",
        "ends_on": "2026-06-30",
        "version": club.version,
    }
    assert owner.post(page, form).status_code == 302
    spring = Season.objects.get()
    assert (spring.name, spring.ends_on) == ("Spring 2026", date(2026, 6, 30))


def test_days_that_leave_a_night_outside_are_refused(owner: Client, club: Club, spring: Season) -> None:
    night(spring, 1, ["Chitra", "Ben"], [0, 20])
    club.refresh_from_db()
    form = {"name": "Spring", "starts_on": "2026-04-01", "ends_on": "", "version": club.version}
    answer = owner.post(f"/clubs/{club.slug}/seasons/1/more/", form)
    assert answer.status_code == 422
    said = words(answer)
    assert "The night of 5 March 2026 is outside of the season. It begins on 1 April 2026." in said
    assert 'value="2026-04-01"' in answer.content.decode()


def test_each_role_gets_what_is_theirs(club: Club, spring: Season) -> None:
    form = {"name": "Autumn", "starts_on": "2026-09-03"}
    seasons, more = f"/clubs/{club.slug}/seasons/", f"/clubs/{club.slug}/seasons/1/more/"
    assert answers(club, "get", seasons) == "404 200 200 200 200 200 404"
    assert answers(club, "post", seasons, form) == "404 403 403 403 302 302 404"
    assert answers(club, "get", more) == "404 200 200 200 200 200 404"
    assert answers(club, "post", more, form) == "404 403 403 403 302 302 404"


def test_a_member_reads_no_form_and_another_method_is_refused(club: Club, spring: Season) -> None:
    member = client_of(club, 2)
    for page in (f"/clubs/{club.slug}/seasons/", f"/clubs/{club.slug}/seasons/1/more/"):
        assert "<form" not in member.get(page).content.decode()
        assert member.delete(page).status_code == 405
    assert member.get(f"/clubs/{club.slug}/seasons/9/more/").status_code == 404
