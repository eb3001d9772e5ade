"""`manage.py rebuild_standings`: rows broken on purpose are found, told in words, and mended."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games.models import Member, Result, Season, Standing
from games.results import season_differences
from tests import club as at_club
from tests.club import night, table

pytestmark = pytest.mark.django_db


@pytest.fixture
def spring() -> Season:
    season = at_club.season(at_club.found())
    night(season, 1, ["Chitra", "Ben", "Kwame", "Visitor"], [0, 20, 30, 8], [15, 0, 10, 9])
    night(season, 2, ["Chitra", "Ben"], [0, 25])
    return season


def told(*options: str) -> tuple[list[str], int]:
    """The lines of the command and the code it ends with."""
    out = StringIO()
    try:
        call_command("rebuild_standings", *options, stdout=out)
    except SystemExit as end:
        return out.getvalue().splitlines(), int(str(end.code))
    return out.getvalue().splitlines(), 0


def rows(model: Any) -> list[tuple[Any, ...]]:
    return list(model.objects.order_by("pk").values_list())


def test_there_is_nothing_to_say_of_rows_kept_by_the_writes(spring: Season) -> None:
    before = rows(Result), rows(Standing)
    assert told("--check") == (["0 rows to be mended in 1 season."], 0)
    assert told() == (["0 rows mended in 1 season."], 0)
    assert (rows(Result), rows(Standing)) == before


def test_broken_rows_are_found_told_and_mended(spring: Season) -> None:
    good = table(spring)
    ben, priya = (Member.objects.get(name=name) for name in ("Ben", "Priya"))
    first, second = spring.results.order_by("club_game").values_list("club_game", flat=True).distinct()
    one, other = (Result.objects.filter(club_game=key)[0].club_game for key in (first, second))
    Result.objects.filter(club_game=first, seat=1).update(points=51)
    Result.objects.filter(club_game=second, seat=2).delete()
    Result.objects.create(
        season=spring,
        night=other.night,
        club_game=other,
        seat=3,
        member=priya,
        points=1,
        rounds=1,
        place=1,
        zero_rounds=0,
    )
    Standing.objects.filter(season=spring, member=ben).delete()
    Standing.objects.filter(season=spring, member__name="Kwame").update(place=9)
    Standing.objects.create(season=spring, member=priya, position=3, data={"value": "7"})
    broken = rows(Result), rows(Standing)

    lines, code = told("--check")
    assert code == 1
    assert (rows(Result), rows(Standing)) == broken
    games = [line for line in lines if " game " in line]
    head = "Thursday Dominoes, Spring season, game"
    missing = "points 25, rounds 1, place 2, zero rounds 0, lowest nonzero 25, forfeit False"
    needless = "points 1, rounds 1, place 1, zero rounds 0, lowest nonzero none, forfeit False"
    assert games == [
        f"{head} {one.game.slug} of 2026-03-05, seat 1, Chitra: points kept 51, is 15",
        f"{head} {other.game.slug} of 2026-03-12, seat 2, Ben: no row kept, is {missing}",
        f"{head} {other.game.slug} of 2026-03-12, seat 3, Priya: row kept, is none; had {needless}",
    ]
    assert lines[-1] == f"{len(lines) - 1} rows to be mended in 1 season."

    mended, code = told()
    assert (mended[:-1], code) == (lines[:-1], 0)
    head = "Thursday Dominoes, Spring season, table"
    assert any(line.startswith(f"{head}, Kwame: ") and "place kept 9, is 2" in line for line in lines)
    assert any(line.startswith(f"{head}, Ben: no row kept, is position 3, place 3") for line in lines)
    assert f"{head}, Priya: row kept, is none; had position 3, place none, value 7" in lines
    assert table(spring) == good
    assert season_differences(spring) == []
    assert told("--check") == (["0 rows to be mended in 1 season."], 0)


def test_it_looks_at_the_clubs_and_seasons_asked_for(spring: Season) -> None:
    at_club.season(spring.club)
    Standing.objects.filter(season=spring).delete()
    assert told("--check", "--season", "2") == (["0 rows to be mended in 1 season."], 0)
    assert told("--check", "--club", "thursday dominoes")[1] == 1
    assert told("--club", spring.club.slug)[0][-1] == "3 rows mended in 2 seasons."
    with pytest.raises(CommandError, match="no such season"):
        told("--club", "Friday")
