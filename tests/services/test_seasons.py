"""A season's writes: games on nights, the table kept with them, results in doubt."""

from __future__ import annotations

import random
from datetime import date

import pytest

from games import results
from games.clubs import ClubConflict, member_change, members_add, members_merge
from games.engine.scheme import Scheme
from games.engine.season import shifts
from games.models import Club, ClubEntry, Game, Member, Result, Season, Standing
from games.removal import game_abandon, game_delete, game_restore, games_due
from games.seasons import (
    doubt_decide,
    doubt_raise,
    doubt_reopen,
    game_add,
    game_change,
    game_remove,
    night_void,
    other_way,
    scheme_change,
    season_add,
    season_change,
)
from games.services import Refused, change_undo, round_put
from tests.cast import claim, start
from tests.club import FIRST_NIGHT, night, table

pytestmark = pytest.mark.django_db


def codes(refused: pytest.ExceptionInfo[Refused]) -> list[str]:
    return [problem.code for problem in refused.value.problems]


def test_a_finished_game_is_in_the_table_and_a_running_one_is_not(spring: Season) -> None:
    night(spring, 1, ["Chitra", "Ben", "Kwame"], [0, 20, 30], [15, 0, 10])
    night(spring, 2, ["Chitra", "Ben"], [40, 0], finish=False)
    assert table(spring) == [("Chitra", 1, "15"), ("Ben", 2, "20"), ("Kwame", 3, "40")]


def test_the_table_follows_a_correction_an_undo_and_a_reopened_game(spring: Season) -> None:
    played = night(spring, 1, ["Chitra", "Ben", "Kwame"], [0, 20, 30], [15, 0, 10])
    round_put(game=played.game, number=1, claim=claim([0, 20, 3]))
    assert table(spring) == []  # a correction of a game that was ended early takes it up again
    change_undo(game=played.game)
    assert table(spring) == [("Chitra", 1, "15"), ("Ben", 2, "20"), ("Kwame", 3, "40")]


def test_an_abandoned_or_deleted_game_does_not_count_until_it_is_taken_up(spring: Season) -> None:
    one = night(spring, 1, ["Chitra", "Ben"], [0, 20])
    other = night(spring, 2, ["Kwame", "Ben"], [0, 9], finish=False)
    whole = [("Chitra", 1, "0"), ("Ben", 2, "20")]
    assert table(spring) == whole

    game_abandon(game=other.game)
    assert table(spring) == whole
    game_delete(game=one.game)
    assert table(spring) == []
    game_restore(game=one.game)
    assert table(spring) == whole


def test_an_abandoned_game_of_a_club_is_never_removed(spring: Season) -> None:
    played = night(spring, 1, ["Chitra", "Ben"], [0, 20], finish=False)
    game_abandon(game=played.game)
    Game.objects.update(changed_at="2020-01-01T00:00Z", abandoned_at="2020-01-01T00:00Z")
    assert games_due() == []

    played.delete()
    assert [due.game for due in games_due()] == [played.game]
    Game.objects.update(deleted_at="2020-01-01T00:00Z", abandoned_at=None)
    assert [due.deleted for due in games_due()] == [True]


def test_a_guest_plays_and_is_not_in_the_table(spring: Season) -> None:
    night(spring, 1, ["Visitor", "Ben", "Kwame"], [0, 20, 30])
    assert [name for name, _, _ in table(spring)] == ["Ben", "Kwame"]


def test_a_void_night_is_kept_and_can_be_put_back(spring: Season) -> None:
    night(spring, 1, ["Chitra", "Ben"], [0, 20])
    night(spring, 2, ["Chitra", "Ben"], [50, 0])
    night_void(season=spring, on=FIRST_NIGHT.replace(day=12), void=True, reason="The set was short.")
    assert table(spring) == [("Chitra", 1, "0"), ("Ben", 2, "20")]
    night_void(season=spring, on=FIRST_NIGHT.replace(day=12), void=False, reason="It was not.")
    assert table(spring) == [("Ben", 1, "20"), ("Chitra", 2, "50")]
    with pytest.raises(Refused) as refused:
        night_void(season=spring, on=FIRST_NIGHT, void=True, reason=" ")
    assert codes(refused) == ["reason_missing"]


def test_another_scheme_makes_another_table_and_is_logged(spring: Season) -> None:
    night(spring, 1, ["Chitra", "Ben"], [0, 20])
    night(spring, 2, ["Chitra", "Ben", "Kwame"], [50, 0, 10])
    scheme_change(
        season=spring, scheme=Scheme(measure="placement", tiebreaks=()), reason="Voted", who="Chitra"
    )
    assert table(spring) == [("Chitra", 1, "1"), ("Ben", 1, "1"), ("Kwame", 3, "1/2")]
    entry = ClubEntry.objects.get(action="scheme_changed")
    assert (entry.before["scheme"]["measure"], entry.after["scheme"]["measure"]) == ("points", "placement")


def test_a_season_that_cannot_be_is_refused_with_all_that_is_wrong(club: Club) -> None:
    with pytest.raises(Refused) as refused:
        season_add(
            club=club,
            name=" ",
            starts_on=date(2026, 3, 5),
            ends_on=date(2026, 3, 4),
            scheme=Scheme(best=0),
        )
    assert codes(refused) == ["title_blank", "season_dates", "scheme_number"]


def test_a_game_is_refused_where_it_does_not_belong(club: Club, spring: Season) -> None:
    played = night(spring, 1, ["Chitra", "Ben"], [0, 20])
    with pytest.raises(Refused) as refused:
        game_add(season=spring, on=date(2026, 3, 1), game=played.game, seats={1: 1, 2: 1, 9: 2})
    assert codes(refused) == ["night_outside", "game_at_club", "player_unknown", "member_twice"]
    with pytest.raises(Refused) as refused:
        season_change(season=spring, name="Spring", starts_on=date(2026, 4, 1), ends_on=None)
    assert codes(refused) == ["night_outside"]


def test_seats_forfeits_and_removal_change_the_table(spring: Season) -> None:
    played = night(spring, 1, ["Chitra", "Ben", "Guest"], [0, 20, 30])
    game_change(played=played, seats={1: 1, 2: 4, 3: 2})
    assert table(spring)[-1] == ("Kwame", 3, "30")
    game_change(played=played, forfeits=frozenset({1}))
    assert table(spring) == [("Ben", 1, "20"), ("Kwame", 2, "30"), ("Chitra", 3, "31")]
    game_change(played=played, void=True, reason="Never happened")
    assert all(place is None for _, place, _ in table(spring))
    game_remove(played=played)
    assert table(spring) == []


def test_a_doubt_tells_both_ways_is_decided_with_a_reason_and_can_be_appealed(spring: Season) -> None:
    played = night(spring, 1, ["Chitra", "Ben", "Kwame"], *(13 * [[0, 20, 30]]))
    other = {"round": 2, "seat": 3, "points": 3}
    doubt = doubt_raise(played=played, other=other, reason="Kwame had 2-1", who="Kwame")
    now = results.table_of(spring)
    assert any(one.pending for row in now for one in row.results)
    fallen = other_way(doubt)
    assert fallen is not None
    assert {entry.points for entry in fallen.entries} == {0, 260, 363}
    assert shifts(now, results.table_of(spring, instead=fallen)) == ()
    doubt_decide(doubt=doubt, stands=True, reason="Nobody else saw it", who="Chitra")
    assert table(spring)[-1] == ("Kwame", 3, "390")
    doubt_reopen(doubt=doubt, reason="Ben did", who="Kwame")
    doubt = doubt_decide(doubt=doubt, stands=False, reason="Two saw it", who="Chitra")
    assert table(spring)[-1] == ("Kwame", 3, "363")
    assert [step["kind"] for step in doubt.steps] == ["raised", "decided", "reopened", "decided"]
    assert [step["reason"] for step in doubt.steps if step["kind"] == "decided"] == [
        "Nobody else saw it",
        "Two saw it",
    ]


def test_a_void_that_is_in_doubt_takes_the_game_out_only_once_it_is_decided(spring: Season) -> None:
    played = night(spring, 1, ["Chitra", "Ben"], [0, 20])
    doubt = doubt_raise(played=played, other={"void": True}, reason="Ended at 11–9", who="Ben")
    assert table(spring)[0] == ("Chitra", 1, "0")
    with pytest.raises(Refused) as refused:
        doubt_raise(played=played, other={"void": True}, reason="Again")
    assert codes(refused) == ["doubt_open"]
    doubt_decide(doubt=doubt, stands=False, reason="Abandoned")
    assert [place for _, place, _ in table(spring)] == [None, None]


def test_two_entries_of_one_person_become_one_without_losing_a_result(club: Club, spring: Season) -> None:
    night(spring, 1, ["Ben", "Chitra"], [0, 20])
    (benny,) = members_add(club=club, names=["Benny"])
    night(spring, 2, ["Benny", "Chitra"], [30, 0])
    members_merge(club=club, number=benny.number, into=4)
    assert table(spring) == [("Chitra", 1, "20"), ("Ben", 2, "30")]
    night(spring, 3, ["Ben", "Chitra"], [0, 5])
    with pytest.raises(Refused) as refused:
        members_merge(club=club, number=4, into=1)
    assert codes(refused) == ["merge_met"]


def test_who_leaves_keeps_the_results_and_the_last_owner_stays(club: Club, spring: Season) -> None:
    night(spring, 1, ["Ben", "Chitra"], [0, 20])
    member_change(club=club, number=4, left_on=date(2026, 3, 6))
    assert table(spring)[0] == ("Ben", 1, "0")
    with pytest.raises(Refused) as refused:
        member_change(club=club, number=1, left_on=date(2026, 3, 6))
    assert codes(refused) == ["last_owner"]


def test_who_comes_second_gets_the_club_as_it_is_now(club: Club) -> None:
    members_add(club=club, names=["Tom"], version=club.version)
    with pytest.raises(ClubConflict):
        members_add(club=club, names=["Tim"], version=club.version)
    assert not Member.objects.filter(name="Tim").exists()


def test_a_thousandth_correction_leaves_no_difference(spring: Season) -> None:
    chance = random.Random(7)
    games = [night(spring, at, ["Chitra", "Ben", "Kwame"], *(13 * [[0, 20, 30]])) for at in range(1, 4)]
    for _ in range(40):
        played = chance.choice(games)
        points = [chance.randint(1, 60) for _ in range(3)]
        points[chance.randrange(3)] = 0
        round_put(
            game=played.game,
            number=chance.randint(1, 13),
            claim=claim(points),
            disputed=True,
            reason="tried",
        )
    assert results.season_rebuild(spring) == []
    Standing.objects.filter(season=spring, position=1).update(place=9)
    Result.objects.filter(season=spring).first().delete()  # type: ignore[union-attr]
    assert results.season_rebuild(spring)
    assert results.season_rebuild(spring) == []


def test_a_game_without_a_club_writes_no_results() -> None:
    game = start(("Ann", "Ben"), rounds=1).sheet.game
    round_put(game=game, number=1, claim=claim([0, 5]))
    assert not Result.objects.exists()
