"""A season's table as pages and API read it: as of a day, and with what hangs on results in doubt.

Knows which rows are kept and which must be worked out again. Must not know requests.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from django.db.models import Exists, OuterRef
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from games import results
from games.engine.scheme import Scheme
from games.engine.season import SeasonRow, Shift, season_table, shifts
from games.messages import people_title
from games.models import Club, ClubGame, Doubt, Member, Night, Season
from games.season_words import shift_words
from games.seasons import other_way
from games.selectors import sheets_of
from games.standing_rows import row_from_data, scheme_from_data


def nights_played(season: Season, on: date | None = None) -> int:
    """How many nights, up to `on`, have a result that counts: one whose games still run is none yet."""
    found = Night.objects.filter(season=season, void=False, on__lte=on or date.max)
    return found.filter(results__forfeit=False, results__club_game__void=False).distinct().count()


@dataclass(frozen=True, slots=True)
class Hanging:
    """A result in doubt: what it is, and who would stand where if it fell the other way."""

    doubt: Doubt
    sentence: str
    moved: tuple[Shift, ...]

    @property
    def people(self) -> frozenset[int]:
        return frozenset(one.person for one in self.moved)


def newest_scheme(club: Club) -> Scheme:
    """As the club's newest season is scored; the standard scheme without one."""
    newest = Season.objects.filter(club=club).order_by("-number").first()
    return Scheme() if newest is None else scheme_from_data(newest.scheme)


def open_doubts(season: Season, *, until: date | None = None) -> Sequence[Doubt]:
    doubts = Doubt.objects.filter(club_game__night__season=season, open=True)
    if until is not None:
        doubts = doubts.filter(club_game__night__on__lte=until)
    doubts = doubts.select_related("club_game__night__season", "club_game__game")
    return list(doubts.prefetch_related("club_game__seats"))


def rows_of(season: Season, *, on: date | None, whole: bool) -> Sequence[SeasonRow]:
    """The table as it is kept; worked out again for another day, or where the nights behind it are asked."""
    if on is None and not whole:
        return [row_from_data(row.member_id, row.place, row.data) for row in results.standings(season)]
    return results.table_of(season, until=on)


def hanging_of(
    doubts: Sequence[Doubt], season: Season, rows: Sequence[SeasonRow], on: date | None
) -> list[Hanging]:
    """What hangs on each doubt that can fall the other way; so many queries, however many they are."""
    if not doubts:
        return []
    games = results.season_games(season, until=on)
    members, scheme = results.members_in(games), scheme_from_data(season.scheme)
    names = dict(Member.objects.filter(pk__in=[row.person for row in rows]).values_list("pk", "name"))
    sheets = {sheet.game.pk: sheet for sheet in sheets_of([doubt.club_game.game for doubt in doubts])}
    tables = table_names([doubt.club_game_id for doubt in doubts])
    found = []
    for doubt in doubts:
        other = other_way(doubt, sheets[doubt.club_game.game_id])
        if other is not None:
            instead = [other if other.key == game.key else game for game in games]
            moved = shifts(rows, season_table(instead, members=members, scheme=scheme))
            what = doubt_words(doubt, tables.get(doubt.club_game_id, ""))
            found.append(Hanging(doubt, _hanging_words(what, moved, names), moved))
    return found


def _hanging_words(what: str, moved: Sequence[Shift], names: Mapping[int, str]) -> str:
    facts = {"what": what, "where": shift_words(moved, names)}
    if moved:
        return _("If %(what)s falls the other way, %(where)s.") % facts
    return _("However %(what)s falls, the places stay.") % facts


def doubt_words(doubt: Doubt, table: str = "") -> str:
    """«round 9 of 12 November», or «the game of 12 November (Ann and Ben)» with `table`, of `table_names`."""
    played: ClubGame = doubt.club_game
    facts = {"round": doubt.other.get("round"), "day": night_words(played.night.on)}
    text = _("round %(round)s of %(day)s") if "round" in doubt.other else _("the game of %(day)s")
    if not table:
        return text % facts
    return _("%(what)s (%(table)s)") % {"what": text % facts, "table": table}


def table_names(games: Collection[int]) -> dict[int, str]:
    """What the tables of these club games are called where a night had more than one: one query."""
    others = ClubGame.objects.filter(night=OuterRef("night")).exclude(pk=OuterRef("pk"))
    found = ClubGame.objects.filter(Exists(others), pk__in=games)
    names: dict[int, str] = {}
    people: dict[int, list[str]] = defaultdict(list)
    seated = found.order_by("game__players__order", "game__players__seat")
    for pk, name, player in seated.values_list("pk", "game__name", "game__players__name"):
        names[pk] = name
        people[pk].append(player)
    return {pk: name or people_title(people[pk]) for pk, name in names.items()}


def dates_of(season: Season) -> dict[int, str]:
    days = Night.objects.filter(season=season).values_list("on", flat=True)
    return {day.toordinal(): night_words(day) for day in days}


def night_words(day: date) -> str:
    """«4 March»"""
    return date_format(day, "j F")
