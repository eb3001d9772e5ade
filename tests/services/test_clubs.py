"""A club's writes: its people, their roles, its links; nothing that was played is ever lost."""

from __future__ import annotations

from contextlib import suppress
from datetime import date, timedelta
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games import clubs
from games.clubs import (
    ClubConflict,
    club_change,
    club_found,
    club_join,
    club_link_replace,
    member_change,
    member_link,
    members_add,
    members_merge,
)
from games.models import Club, ClubEntry, ClubKey, ClubLink, ClubRole, Member, Season, User
from games.seasons import game_change, game_remove
from games.services import Refused
from tests.club import night, table

pytestmark = pytest.mark.django_db


def person(email: str) -> User:
    user = get_user_model().objects.create(email=email)
    assert isinstance(user, User)
    return user


def invitation(club: Club) -> str:
    return ClubKey.objects.get(club=club, role=ClubLink.INVITE, revoked_at=None).key


def named(club: Club, name: str) -> Member:
    return Member.objects.get(club=club, name=name, merged_into=None)


def refused(write: Any, **about: Any) -> list[str]:
    with pytest.raises(Refused) as found:
        write(**about)
    return [problem.code for problem in found.value.problems]


def newest(club: Club) -> ClubEntry:
    entry = ClubEntry.objects.filter(club=club).last()
    assert entry is not None
    club.refresh_from_db()
    assert entry.number == club.version
    return entry


# Names


def test_names_are_told_apart_by_more_than_case(club: Club) -> None:
    assert refused(members_add, club=club, names=["SIOBHÁN", "Dan", "dan"]) == ["name_twice", "name_twice"]
    assert refused(member_change, club=club, number=2, name="siobhán") == ["name_twice"]


def test_a_name_that_is_there_is_told_as_it_is_spelled_there(club: Club) -> None:
    with pytest.raises(Refused) as found:
        members_add(club=club, names=["ben"])
    assert found.value.problems[0].params["name"] == "Ben"


@pytest.mark.parametrize("name", ["İpek", "Straße", "ﬁ"])
def test_a_name_the_database_folds_otherwise_is_taken_or_refused(club: Club, name: str) -> None:
    members_add(club=club, names=[name])
    for other in (name.lower(), name.upper(), name.casefold(), "ipek"):
        with suppress(Refused):  # and nothing else: the database takes what the service let through
            members_add(club=club, names=[other])


# Joining


def test_who_joins_by_a_name_is_that_member_whatever_its_case(club: Club) -> None:
    known = club_join(key=invitation(club), user=person("ben@example.org"), name="siobhán")
    assert (known.name, known.number) == ("Siobhán", 5)
    assert Member.objects.filter(club=club).count() == 6
    assert newest(club).after == {"number": 5, "linked": True, "new": False}


def test_who_joins_by_a_new_name_is_new_and_the_log_says_so(club: Club) -> None:
    dan = club_join(key=invitation(club), user=person("dan@example.org"), name="Dan")
    assert newest(club).after == {"number": dan.number, "linked": True, "new": True}
    again = club_join(key=invitation(club), user=person("other@example.org"), name="Eve")
    assert again.number == dan.number + 1


def test_an_invitation_makes_nobody_an_organiser(club: Club) -> None:
    Member.objects.filter(club=club, name="Kwame").update(role=ClubRole.ORGANISER)
    who = person("eve@example.org")
    assert refused(club_join, key=invitation(club), user=who, name="KWAME") == ["member_with_role"]
    assert refused(club_join, key=invitation(club), user=who, name="Chitra") == ["name_twice"]


def test_an_invitation_brings_nobody_back_who_left(club: Club) -> None:
    dan = club_join(key=invitation(club), user=person("dan@example.org"), name="Dan")
    member_change(club=club, number=dan.number, left_on=timezone.localdate())
    assert dan.user is not None
    for user, name in ((dan.user, "Dan"), (dan.user, "Daniel"), (person("x@example.org"), "Dan")):
        assert refused(club_join, key=invitation(club), user=user, name=name)[0] in {
            "member_left",
            "name_twice",
        }
    member_change(club=club, number=dan.number, stays=True)
    assert club_join(key=invitation(club), user=dan.user, name="").pk == dan.pk


def test_an_invitation_that_was_stopped_opens_nothing(club: Club) -> None:
    old = invitation(club)
    club_link_replace(club=club, role=ClubLink.INVITE)
    assert refused(club_join, key=old, user=person("dan@example.org"), name="Dan") == []
    reader = ClubKey.objects.get(club=club, role=ClubLink.READER).key
    assert refused(club_join, key=reader, user=person("d@example.org"), name="Dan") == []


def test_a_club_has_room_for_so_many_and_no_more(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clubs, "MOST_MEMBERS", 8)
    members_add(club=club, names=["Dan", "Eve"])
    assert refused(members_add, club=club, names=["Fay"]) == ["members_many"]
    assert refused(club_join, key=invitation(club), user=person("f@x.org"), name="Fay") == ["members_many"]
    members_merge(club=club, number=8, into=7)
    members_add(club=club, names=["Fay"])


def test_an_account_founds_so_many_clubs_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clubs, "MOST_CLUBS", 2)
    user = person("ann@example.org")
    for name in ("One", "Two"):
        club_found(name=name, user=user, owner="Ann")
    assert refused(club_found, name="Three", user=user, owner="Ann") == ["clubs_many"]


# Links


def test_the_link_that_was_seen_is_stopped_and_not_a_newer_one(club: Club) -> None:
    seen = ClubKey.objects.get(club=club, role=ClubLink.READER)
    members_add(club=club, names=["Dan"])  # whatever else changed meanwhile
    club_link_replace(club=club, role=ClubLink.READER, link=seen.pk, who="Chitra")
    assert newest(club).about == "reader"
    with pytest.raises(ClubConflict):
        club_link_replace(club=club, role=ClubLink.READER, link=seen.pk)
    assert ClubKey.objects.filter(club=club, role=ClubLink.READER, revoked_at=None).count() == 1


# Leaving, roles, accounts


def test_who_leaves_keeps_all_results_and_may_come_back(club: Club, spring: Season) -> None:
    night(spring, 1, ["Chitra", "Ben"], [0, 20])
    member_change(club=club, number=4, left_on=date(2026, 4, 1), who="Chitra")
    assert newest(club).action == "member_left"
    assert table(spring) == [("Chitra", 1, "0"), ("Ben", 2, "20")]
    member_change(club=club, number=4, stays=True)
    assert newest(club).before["left_on"] == "2026-04-01"


def test_nobody_leaves_on_a_day_to_come(club: Club) -> None:
    day = timezone.localdate() + timedelta(days=1)
    assert refused(member_change, club=club, number=4, left_on=day) == ["left_later"]


def test_the_day_of_joining_can_be_taken_off_again(club: Club) -> None:
    member_change(club=club, number=4, joined_on=date(2026, 3, 1))
    assert member_change(club=club, number=4, since_ever=True).joined_on is None


def test_the_last_owner_stays_whichever_way_it_is_tried(club: Club) -> None:
    for change in ({"role": ClubRole.MEMBER}, {"left_on": date(2026, 4, 1)}):
        assert refused(member_change, club=club, number=1, **change) == ["last_owner"]
    assert refused(member_link, club=club, number=1, user=None) == ["last_owner"]
    member_change(club=club, number=2, role=ClubRole.OWNER)  # Kwame cannot sign in: no help
    assert refused(member_change, club=club, number=1, role=ClubRole.MEMBER) == ["last_owner"]
    member_link(club=club, number=2, user=person("kwame@example.org"))
    member_change(club=club, number=1, role=ClubRole.MEMBER)
    assert refused(member_change, club=club, number=2, left_on=date(2026, 4, 1)) == ["last_owner"]


def test_a_merge_keeps_the_owner_an_owner_who_is_there(club: Club) -> None:
    member_change(club=club, number=4, left_on=date(2026, 4, 1))
    kept = members_merge(club=club, number=1, into=4)
    assert (kept.role, kept.left_on, kept.user is None) == ("owner", None, False)


def test_a_merge_lasts_from_the_first_joining_to_the_last_leaving(club: Club) -> None:
    member_change(club=club, number=4, joined_on=date(2026, 3, 9), left_on=date(2026, 4, 1))
    member_change(club=club, number=5, joined_on=date(2026, 3, 2), left_on=date(2026, 5, 1))
    kept = members_merge(club=club, number=4, into=5)
    assert (kept.joined_on, kept.left_on) == (date(2026, 3, 2), date(2026, 5, 1))


def test_whose_results_somebody_has_is_known_after_a_second_merge(club: Club) -> None:
    members_merge(club=club, number=6, into=5)
    members_merge(club=club, number=5, into=4)
    assert set(Member.objects.filter(club=club, merged_into__number=4).values_list("number", flat=True)) == {
        5,
        6,
    }


def test_two_who_met_at_a_table_are_two_people(club: Club, spring: Season) -> None:
    night(spring, 1, ["Chitra", "Ben"], [0, 20])
    assert refused(members_merge, club=club, number=4, into=1) == ["merge_met"]
    assert refused(members_merge, club=club, number=4, into=4) == ["merge_same"]


def test_an_account_is_one_member_and_a_member_one_account(club: Club) -> None:
    owner, other = named(club, "Chitra").user, person("o@example.org")
    assert refused(member_link, club=club, number=2, user=owner) == ["account_taken"]
    member_link(club=club, number=2, user=other, who="Chitra")
    assert newest(club).after == {"number": 2, "linked": True}
    assert refused(member_link, club=club, number=2, user=person("p@example.org")) == ["member_taken"]
    before = newest(club).number
    member_link(club=club, number=2, user=other)
    assert newest(club).number == before  # nothing changed, nothing to say
    with pytest.raises(ClubConflict):
        member_link(club=club, number=2, user=None, version=before - 1)
    member_link(club=club, number=2, user=None)
    assert newest(club).after == {"number": 2, "linked": False}


def test_every_change_counts_the_club_up_by_one_entry_each(club: Club) -> None:
    members_add(club=club, names=["Dan", "Eve", "Fay"], who="Chitra")
    club_change(club=club, public=True, who="Chitra")
    club_change(club=club, public=True)
    numbers = list(ClubEntry.objects.filter(club=club).values_list("number", flat=True))
    assert numbers == list(range(1, newest(club).number + 1))


def test_a_merge_waits_for_games_that_end_at_this_moment(club: Club, spring: Season) -> None:
    with CaptureQueriesContext(connection) as asked:
        members_merge(club=club, number=6, into=5)
    told = [query["sql"] for query in asked]
    locked = next(at for at, sql in enumerate(told) if 'FROM "games_season"' in sql)
    moved = next(at for at, sql in enumerate(told) if 'UPDATE "games_clubseat"' in sql)
    assert locked < moved


# Games


def test_a_night_without_a_game_is_no_night(spring: Season) -> None:
    played = night(spring, 1, ["Chitra", "Ben"], [0, 20])
    second = night(spring, 1, ["Kwame", "Priya"], [0, 20])
    game_remove(played=played)
    assert spring.nights.count() == 1
    game_remove(played=second)
    assert spring.nights.count() == 0


def test_a_game_that_was_taken_out_meanwhile_cannot_be_changed(spring: Season) -> None:
    played = night(spring, 1, ["Chitra", "Ben"], [0, 20])
    stale = type(played).objects.get(pk=played.pk)
    game_remove(played=played)
    assert refused(game_change, played=stale, forfeits=frozenset({1})) == ["game_unknown"]
    assert refused(game_remove, played=stale) == ["game_unknown"]
