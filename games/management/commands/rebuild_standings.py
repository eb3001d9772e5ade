"""`manage.py rebuild_standings`: works every season's results and table out anew and says what was otherwise.

They are kept by each write, so there should never be anything to say. With --check nothing is written, and
the command ends with 1 if it has found anything.
"""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db.models import Q

from games.models import ClubGame, Member, Season
from games.results import Difference, season_differences, season_rebuild


class Command(BaseCommand):
    help = (
        "Works out each season's results and table from its games, mends them, and lists what was otherwise."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--check", action="store_true", help="List it only; write nothing.")
        parser.add_argument("--club", help="Only this club: its name, or the part of its address.")
        parser.add_argument("--season", type=int, help="Only the club's season of this number.")

    def handle(self, *args: Any, check: bool, club: str | None, season: int | None, **options: Any) -> None:
        seasons = Season.objects.select_related("club").order_by("club__name", "club", "number")
        if club is not None:
            seasons = seasons.filter(Q(club__slug=club) | Q(club__name__iexact=club))
        if season is not None:
            seasons = seasons.filter(number=season)
        count = wrong = 0
        for count, one in enumerate(seasons, start=1):  # noqa: B007
            found = season_differences(one) if check else season_rebuild(one)
            wrong += len(found)
            for line in lines(one, found):
                self.stdout.write(line)
        if not count and (club is not None or season is not None):
            raise CommandError("There is no such season.")
        rows = "1 row" if wrong == 1 else f"{wrong} rows"
        done = "to be mended" if check else "mended"
        self.stdout.write(f"{rows} {done} in {'1 season' if count == 1 else f'{count} seasons'}.")
        if check and wrong:
            raise SystemExit(1)


def lines(season: Season, differences: list[Difference]) -> list[str]:
    """«Thursday Dominoes, Spring season, table, Kwame: place kept 9, is 1; position kept 9, is 1»"""
    members = Member.objects.in_bulk([one.member for one in differences if one.member is not None])
    games = ClubGame.objects.select_related("night", "game").in_bulk(
        [one.club_game for one in differences if one.club_game is not None]
    )
    found = []
    for one in differences:
        where, who = "table", "guest" if one.member is None else members[one.member].name
        if one.club_game is not None:
            played = games[one.club_game]
            where = f"game {played.game.slug} of {played.night.on}, seat {one.seat}"
        found.append(f"{season.club.name}, {season.name}, {where}, {who}: {told(one)}")
    return found


def told(one: Difference) -> str:
    """What was kept, and what is."""
    if one.was is None or one.now is None:
        row = one.was or one.now or {}
        values = ", ".join(f"{column(name)} {value(row[name])}" for name in row if not name.endswith("_id"))
        return f"no row kept, is {values}" if one.was is None else f"row kept, is none; had {values}"
    return "; ".join(f"{column(name)} kept {value(was)}, is {value(now)}" for name, was, now in one.columns())


def column(name: str) -> str:
    return name.removesuffix("_id").replace("_", " ")


def value(given: Any) -> str:
    """A column's value on one line; criteria are [[code, value], …]."""
    if isinstance(given, list):
        return " ".join(f"{code} {value(of)}" for code, of in given) or "none"
    return "none" if given is None else str(given)
