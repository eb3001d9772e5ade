"""Members: listed, added, changed, merged, leaving; what was typed stays, what was played too."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games.clubs import club_change
from games.models import Club, ClubEntry, ClubRole, Member, Season, User
from tests import club as at_club
from tests.club import night, table
from tests.web.test_club_home import page, reader, signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def spring(club: Club) -> Season:
    spring = at_club.season(club)
    night(spring, 1, ["Chitra", "Ben", "Kwame"], [0, 20, 30])
    return spring


@pytest.fixture
def organiser(club: Club) -> Client:
    return signed_in(club, "Kwame", ClubRole.ORGANISER)


def post(phone: Client, club: Club, path: str, status: int, **form: Any) -> str:
    club.refresh_from_db()
    answer = phone.post(f"/clubs/{club.slug}/{path}", {"version": club.version, **form})
    assert answer.status_code == status
    return " ".join(answer.content.decode().split())


def at(club: Club, number: int) -> Member:
    return Member.objects.get(club=club, number=number)


# The list


def test_the_list_is_by_name_and_says_role_account_and_who_left(organiser: Client, club: Club) -> None:
    post(organiser, club, "members/6/", 302, do="leave", left_on="2026-04-20")
    text = page(organiser, f"/clubs/{club.slug}/members/")
    assert "<h1>5 members</h1>" in text
    assert text.index(">Ben</a>") < text.index(">Chitra</a>") < text.index(">Kwame</a>")
    assert "organiser · has an account" in text
    assert text.index("Left the club") < text.index(">Priya</a>") < text.index("left on 20 April 2026")


def test_search_finds_without_accents_and_case(organiser: Client, club: Club) -> None:
    text = page(organiser, f"/clubs/{club.slug}/members/?q=SIOBHAN")
    assert ">Siobhán</a>" in text
    assert ">Ben</a>" not in text
    assert "Nobody here is called “zz”." in page(organiser, f"/clubs/{club.slug}/members/?q=zz")


def test_a_member_sees_the_list_and_changes_nothing(club: Club) -> None:
    phone = signed_in(club, "Ben")
    text = page(phone, f"/clubs/{club.slug}/members/")
    assert f"/clubs/{club.slug}/people/1/" in text
    assert "members/add/" not in text
    assert phone.get(f"/clubs/{club.slug}/members/2/").status_code == 403
    assert reader(club).get(f"/clubs/{club.slug}/members/").status_code == 302  # to sign in
    assert Client().get(f"/clubs/{club.slug}/members/").status_code == 404


def test_forty_members_cost_no_more_queries_than_six(
    organiser: Client, club: Club, django_assert_max_num_queries: pytest.FixtureRequest
) -> None:
    post(organiser, club, "members/add/", 302, names="\n".join(f"Member {at}" for at in range(34)))
    with django_assert_max_num_queries(8):  # type: ignore[operator]
        assert "<h1>40 members</h1>" in page(organiser, f"/clubs/{club.slug}/members/")


# Adding


def test_many_are_added_at_once_a_name_a_line(organiser: Client, club: Club) -> None:
    names = "Dan\r\n\r\n  Eve   Adams \nFay"
    post(organiser, club, "members/add/", 302, names=names, joined_on="2026-03-12")
    added = Member.objects.filter(club=club, number__gt=6)
    assert [(one.name, str(one.joined_on)) for one in added] == [
        ("Dan", "2026-03-12"),
        ("Eve Adams", "2026-03-12"),
        ("Fay", "2026-03-12"),
    ]
    assert "3 members are added." in page(organiser, f"/clubs/{club.slug}/members/")
    assert "3 members are added" in page(organiser, f"/clubs/{club.slug}/log/")


def test_one_wrong_line_adds_nobody_and_says_which(organiser: Client, club: Club) -> None:
    text = post(organiser, club, "members/add/", 422, names="Dan\n\nben\nDAN\n" + "x" * 60)
    assert "Line 2: The name Ben is taken." in text
    assert "Line 3: The name Dan is taken." in text
    assert "Line 4: “xxxx" in text
    assert "Dan ben DAN" in text  # nothing typed is lost
    assert Member.objects.filter(club=club).count() == 6
    assert "A name is needed." in post(organiser, club, "members/add/", 422, names=" \n ")
    assert "This is no day." in post(organiser, club, "members/add/", 422, names="Dan", joined_on="soon")


def test_somebody_was_first(organiser: Client, club: Club) -> None:
    version = club.version
    club_change(club=club, public=True, who="Chitra")
    text = post(organiser, club, "members/add/", 409, names="Dan", version=version)
    assert "Newest change: Anybody may read the tables (Chitra)." in text
    assert "Dan" in text
    assert f'name="version" value="{version + 1}"' in text


# One member


def test_a_member_is_renamed_gets_a_role_and_a_day(organiser: Client, club: Club) -> None:
    form = {"do": "change", "name": "Benjamin", "role": "scorer", "joined_on": "2026-03-05"}
    post(organiser, club, "members/4/", 302, **form)
    assert (at(club, 4).name, at(club, 4).role, str(at(club, 4).joined_on)) == (
        "Benjamin",
        "scorer",
        "2026-03-05",
    )
    post(organiser, club, "members/4/", 302, **{**form, "joined_on": ""})
    assert at(club, 4).joined_on is None


def test_a_refused_change_keeps_what_was_typed(organiser: Client, club: Club) -> None:
    text = post(organiser, club, "members/4/", 422, do="change", name="chitra", role="scorer")
    assert "The name Chitra is taken." in text
    assert 'name="name" value="chitra"' in text
    assert '<option value="scorer" selected>' in text
    text = post(organiser, club, "members/4/", 422, do="leave", left_on="2100-01-01")
    assert "1 January 2100 is still to come." in text
    assert 'value="2100-01-01"' in text
    assert post(organiser, club, "members/99/", 404, do="leave")


def test_an_organiser_makes_no_organiser_and_touches_no_owner(organiser: Client, club: Club) -> None:
    post(organiser, club, "members/4/", 302, do="change", name="Ben", role="owner")
    assert at(club, 4).role == "member"
    for form in ({"do": "leave"}, {"do": "unlink"}, {"do": "change", "name": "Nobody"}):
        text = post(organiser, club, "members/1/", 403, **form)
        assert "Only an owner changes owners and organisers." in text
    assert (at(club, 1).name, at(club, 1).left_on) == ("Chitra", None)
    at_rank = Member.objects.filter(club=club, number=3)
    at_rank.update(role=ClubRole.OWNER)
    text = post(organiser, club, "members/3/merge/", 403, into=2)  # nobody rises by a merge
    assert "Only an owner changes" in text


def test_who_leaves_keeps_every_result_and_comes_back(organiser: Client, club: Club, spring: Season) -> None:
    before = table(spring)
    text = page(organiser, f"/clubs/{club.slug}/members/4/")
    assert "No result is lost: what Ben played stays in every table." in text
    post(organiser, club, "members/4/", 302, do="leave", left_on="2026-04-20")
    assert table(spring) == before
    told = page(organiser, f"/clubs/{club.slug}/members/")
    assert "Ben has left the club. Every result stays." in told
    assert "Is Ben back?" in page(organiser, f"/clubs/{club.slug}/members/4/")
    post(organiser, club, "members/4/", 302, do="return")
    assert at(club, 4).left_on is None
    assert "Ben is back in the club." in page(organiser, f"/clubs/{club.slug}/members/")


def test_the_last_owner_cannot_go(club: Club) -> None:
    phone = signed_in(club, "Chitra")
    assert "Chitra is the last owner." in post(phone, club, "members/1/", 422, do="leave")
    assert "Chitra is the last owner." in post(phone, club, "leave/", 422)
    assert "Chitra is the last owner." in post(phone, club, "members/1/", 422, do="unlink")


def test_an_account_is_taken_off(organiser: Client, club: Club) -> None:
    ben = signed_in(club, "Ben")
    post(organiser, club, "members/4/", 302, do="unlink")
    assert at(club, 4).user is None
    assert ben.get(f"/clubs/{club.slug}/").status_code == 404
    assert "opens the invitation, signs in and chooses this name" in page(
        organiser, f"/clubs/{club.slug}/members/4/"
    )


# Merging


def test_both_are_shown_before_they_become_one(organiser: Client, club: Club, spring: Season) -> None:
    night(spring, 2, ["Priya", "Siobhán"], [10, 0])
    text = page(organiser, f"/clubs/{club.slug}/members/6/merge/?into=4")
    assert "Ben gets all results of Priya" in text
    assert '<th scope="row">Games</th><td>1</td><td>1</td>' in text
    post(organiser, club, "members/6/merge/", 302, into=4, reason="One\x00person")
    assert [name for name, _place, _value in table(spring)] == ["Chitra", "Siobhán", "Ben", "Kwame"]
    entry = ClubEntry.objects.filter(club=club).last()
    assert entry is not None
    assert (entry.action, entry.reason, entry.who) == ("members_merged", "One person", "Kwame")
    assert organiser.get(f"/clubs/{club.slug}/members/6/").status_code == 404


def test_two_who_sat_at_one_table_stay_two(club: Club, spring: Season) -> None:
    phone = signed_in(club, "Chitra")
    text = post(phone, club, "members/4/merge/", 422, into=1)
    assert "Ben and Chitra are two people. They sat at one table on 5 March 2026." in text
    assert "Make them one" not in text
    assert text.count("two people") == page(phone, f"/clubs/{club.slug}/members/4/merge/?into=1").count(
        "two people"
    )
    for into in ("", "x", "٣"):
        assert phone.get(f"/clubs/{club.slug}/members/4/merge/?into={into}").status_code == 302
    assert phone.get(f"/clubs/{club.slug}/members/4/merge/?into=99").status_code == 404


# Leaving oneself


def test_somebody_leaves_by_themselves(club: Club) -> None:
    phone = signed_in(club, "Ben")
    assert "Your results stay in its tables, under the name Ben." in page(phone, f"/clubs/{club.slug}/leave/")
    answer = phone.post(f"/clubs/{club.slug}/leave/")
    assert answer["Location"] == "/clubs/"
    assert at(club, 4).left_on == timezone.localdate()
    assert "You have left Thursday Dominoes." in page(phone, "/clubs/")
    assert phone.get(f"/clubs/{club.slug}/leave/").status_code == 404


# The log


def test_the_log_is_for_who_belongs_and_goes_back_page_by_page(club: Club) -> None:
    for at_time in range(110):
        club_change(club=club, public=at_time % 2 == 0, who="Chitra")
    phone = signed_in(club, "Ben")
    text = page(phone, f"/clubs/{club.slug}/log/")
    assert "Only the club reads the tables" in text
    assert "The club is founded" not in text
    older = page(phone, f"/clubs/{club.slug}/log/?before=18")
    assert "The club is founded" in older
    assert "Older changes" not in older
    assert phone.get(f"/clubs/{club.slug}/log/?before=x").status_code == 200
    assert phone.post(f"/clubs/{club.slug}/log/").status_code == 405


def test_a_user_of_no_club_gets_nothing(club: Club) -> None:
    phone = Client()
    phone.force_login(User.objects.create(email="eve@example.org"))
    for path in ("", "members/", "members/1/", "members/add/", "log/", "links/", "settings/", "leave/"):
        assert phone.get(f"/clubs/{club.slug}/{path}").status_code == 404


def test_signs_that_no_database_keeps_and_numbers_nobody_has(organiser: Client, club: Club) -> None:
    for form in ({"name": "B\x00n"}, {"name": "Ben\u202e"}, {"name": "Ben", "joined_on": "\x00"}):
        post(organiser, club, "members/4/", 422, do="change", **form)
    post(organiser, club, "members/add/", 422, names="Dan\x00")
    assert organiser.get(f"/clubs/{club.slug}/members/?q=%00").status_code == 200
    assert organiser.get(f"/clubs/{club.slug}/members/{10**30}/").status_code == 404
