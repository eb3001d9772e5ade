"""A past season's nights: all or none, in so many queries whatever the file holds, one line in the log."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.clubs import ClubConflict
from games.engine.scheme import Scheme
from games.models import Club, ClubEntry, ClubGame, Game, LogEntry, Member, Season
from games.results import season_differences
from games.services import Refused
from games.told import NewSeason, ToldGame, ToldSeat, season_bring, table_with
from tests import club as at_club
from tests.club import table

pytestmark = pytest.mark.django_db

FIRST = date(2025, 9, 4)


def evenings(nights: int, tables: int) -> list[ToldGame]:
    """Each night at so many tables of four, who move on; the lowest total is ahead."""
    found = []
    for on in range(nights):
        for at in range(tables):
            names = [f"Player {(4 * at + seat + on) % (4 * tables) + 1}" for seat in range(4)]
            points = [(7 * on + 13 * at + 29 * seat) % 97 for seat in range(4)]
            seats = tuple(
                ToldSeat(name=name, member=name, points=one, place=sorted(points).index(one) + 1, rounds=13)
                for name, one in zip(names, points, strict=True)
            )
            found.append(ToldGame(on=FIRST + timedelta(weeks=on), table=str(at + 1), seats=seats))
    return found


def people(games: list[ToldGame]) -> list[str]:
    return list(dict.fromkeys(seat.name for game in games for seat in game.seats))


def new(games: list[ToldGame], name: str = "Winter") -> NewSeason:
    return NewSeason(name=name, starts_on=games[0].on, ends_on=games[-1].on, scheme=Scheme())


def test_the_table_is_the_one_that_was_previewed_and_queries_do_not_grow() -> None:
    counts = []
    for nights, tables in ((2, 2), (20, 6)):
        club, games = at_club.found(f"Owner {nights}"), evenings(nights, tables)
        previewed, names = table_with(club, None, Scheme(), games)
        with CaptureQueriesContext(connection) as asked:
            season = season_bring(
                club=club, season=new(games), games=games, members=people(games), source="winter.xlsx"
            )
        counts.append(len(asked))
        assert table(season) == [(names[row.person], row.place, str(row.value)) for row in previewed]
        assert season.results.count() == nights * tables * 4
        assert season_differences(season) == []
        club.refresh_from_db()
        assert club.version == 3
        entry = ClubEntry.objects.get(club=club, number=3)
        assert (entry.action, entry.about) == ("brought_in", "winter.xlsx")
        assert (entry.after["games"], len(entry.after["nights"])) == (nights * tables, nights)
    assert counts[1] <= counts[0] + 12, counts  # rows go in by batches
    game = Game.objects.filter(at_club__night__season=season)[0]
    assert game.version == LogEntry.objects.filter(game=game).count() == 2


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"members": ["Player 1", "PLAYER 1"]}, "name_twice"),
        ({"members": ["Chitra"]}, "name_twice"),
        ({"season": NewSeason(name=" ", starts_on=FIRST, ends_on=FIRST, scheme=Scheme())}, "title_blank"),
        ({"season": NewSeason(name="x", starts_on=FIRST, ends_on=FIRST, scheme=Scheme())}, "night_outside"),
        ({"games": [ToldGame(on=FIRST, table="", seats=())]}, "players_number"),
    ],
)
def test_nothing_is_half_done(change: dict[str, object], code: str) -> None:
    club, games = at_club.found("Chitra"), evenings(2, 1)
    before = state(club)
    about = {"season": new(games), "games": games, "members": people(games), "source": "x"} | change
    with pytest.raises(Refused) as refused:
        season_bring(club=club, **about)  # type: ignore[arg-type]
    assert refused.value.problems[0].code == code
    with pytest.raises(ClubConflict):
        season_bring(club=club, season=new(games), games=games, members=people(games), source="x", version=7)
    with pytest.raises(KeyError):  # a seat for somebody who is neither here nor new
        season_bring(club=club, season=new(games), games=games, members=["Player 1"], source="x")
    assert state(club) == before


def state(club: Club) -> tuple[int, ...]:
    club.refresh_from_db()
    counts = (Season, Game, ClubGame, Member, ClubEntry)
    return (club.version, *(model.objects.count() for model in counts))
