"""What a season's table costs the writes of its games: few questions, few rows, and no deadlock."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games import results
from games.clubs import members_add, members_merge
from games.engine.scheme import Scheme
from games.models import Club, ClubGame, Game, Season, Standing
from games.results import season_differences
from games.seasons import game_change, scheme_change
from games.services import game_finish, round_put
from tests import club as at_club
from tests.api.threads import at_once
from tests.cast import claim, play, start
from tests.club import night, table


def asked(write: Callable[[], Any]) -> tuple[int, int]:
    """How many statements a write makes, and how many of them are about a club's tables."""
    with CaptureQueriesContext(connection) as captured:
        write()
    ours = ("games_club", "games_season", "games_night", "games_result", "games_standing", "games_member")
    statements = [query["sql"] for query in captured]
    return len(statements), sum(any(name in sql for name in ours) for sql in statements)


def correct(game: Game, *points: int) -> Callable[[], Any]:
    return lambda: round_put(game=game, number=1, claim=claim(points), disputed=True, reason="tried")


@pytest.mark.django_db
def test_a_game_at_no_club_is_asked_once_and_one_still_played_twice() -> None:
    alone = start(("Ann", "Ben"), rounds=2).sheet.game
    play(alone, [0, 5])
    assert asked(correct(alone, 0, 6))[1] == 1
    season = at_club.season(at_club.found())
    played = night(season, 1, ["Chitra", "Ben"], [0, 5], finish=False)
    assert asked(correct(played.game, 0, 6))[1] == 2


@pytest.mark.django_db
def test_a_longer_season_takes_no_more_questions_and_only_rows_that_change_are_written() -> None:
    season = at_club.season(at_club.found())
    first = night(season, 1, ["Chitra", "Ben", "Kwame"], *(13 * [[0, 20, 30]]))
    before = asked(correct(first.game, 0, 21, 30))
    for at in range(2, 9):
        night(season, at, ["Chitra", "Ben", "Kwame"], *(13 * [[0, 20, 30]]))
    season.refresh_from_db()
    assert asked(correct(first.game, 0, 22, 30)) == before

    with CaptureQueriesContext(connection) as captured:
        correct(first.game, 0, 23, 30)()
    (written,) = [one["sql"] for one in captured if one["sql"].startswith('INSERT INTO "games_standing"')]
    assert written.count('"value":') + written.count('\\"value\\":') == 1  # Ben's
    assert [name for name, _, _ in table(season)] == ["Chitra", "Ben", "Kwame"]


@pytest.mark.django_db(transaction=True)
def test_tables_of_one_night_are_finished_at_once_while_the_club_changes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whoever locks a game locks its season after it, and the club before both."""
    made = results.table_of

    def slowly(season: Season) -> Any:
        rows = made(season)
        time.sleep(0.02)  # in which another would work out the same table
        return rows

    monkeypatch.setattr(results, "table_of", slowly)
    club = at_club.found()
    season = at_club.season(club)
    tables = [
        night(season, 1, names, *(12 * [[0, 20]]))
        for names in (["Chitra", "Ben"], ["Kwame", "Priya"], ["Siobhán", "Visitor"])
    ]
    ended = night(season, 2, ["Chitra", "Ben"], [0, 9])
    twice = members_add(club=club, names=["Kwamé", "Kwamee", "Kwami"])

    def work(at: int) -> None:
        for turn in range(3):
            if at < 3:
                finish(tables[at].game, turn)
            elif at == 3:
                game_change(played=ended, forfeits=frozenset({1} if turn % 2 else ()))
                correct(ended.game, 0, 10 + turn)()
                game_finish(game=ended.game)
            else:
                scheme_change(season=season, scheme=Scheme(best=turn + 1), reason="tried")
                members_merge(club=Club.objects.get(), number=twice[turn].number, into=2)

    at_once(5, work)

    season.refresh_from_db()
    assert season_differences(season) == []
    assert ClubGame.objects.filter(game__status="finished").count() == 4
    assert Standing.objects.count() == 5


def finish(game: Game, turn: int) -> None:
    round_put(game=game, number=13, claim=claim([0, 7 + turn]))
    game_finish(game=game)
