"""A club for the tests: Thursday Dominoes, its members, and short ways to play its nights."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

from django.contrib.auth import get_user_model

from games.clubs import club_found, members_add
from games.engine.scheme import Scheme
from games.models import Club, ClubGame, Member, Season
from games.seasons import game_add, season_add
from games.services import game_finish
from tests.cast import play, start

CLUB = ("Chitra", "Kwame", "Margaret-Rose", "Ben", "Siobhán", "Priya")
FIRST_NIGHT = date(2026, 3, 5)


def found(*names: str) -> Club:
    """The club; the first of `names` is its owner, with an account."""
    owner, *others = names or CLUB
    user = get_user_model().objects.create(email=f"{owner.casefold()}@example.org")
    club = club_found(name="Thursday Dominoes", user=user, owner=owner)
    members_add(club=club, names=others)
    club.refresh_from_db()
    return club


def season(club: Club, **scheme: object) -> Season:
    return season_add(
        club=club,
        name="Spring season",
        starts_on=FIRST_NIGHT,
        scheme=Scheme(**scheme),  # type: ignore[arg-type]
    )


def night(
    of: Season, at: int, names: Sequence[str], *rounds: Sequence[int], finish: bool = True, **setup: Any
) -> ClubGame:
    """A game on the night `at` (from 1, a week apart); names without a member are guests'.

    `setup` as for `start`.
    """
    started = start(names, **{"rounds": 13, **setup})
    game = started.sheet.game
    play(game, *rounds)
    if finish and rounds:
        game_finish(game=game)
    members = dict(Member.objects.filter(club=of.club, merged_into=None).values_list("name", "number"))
    seats = {seat: members.get(name) for seat, name in enumerate(names, start=1)}
    return game_add(season=of, on=FIRST_NIGHT + timedelta(weeks=at - 1), game=game, seats=seats)


def table(of: Season) -> list[tuple[str, int | None, str]]:
    """(name, place, value) as the rows are kept."""
    return [
        (row.member.name, row.place, str(row.data["value"]))
        for row in of.standings.select_related("member").order_by("position")
    ]
