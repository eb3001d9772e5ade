"""The filters of a club's lists."""

from __future__ import annotations

from typing import Any

from django.db.models import Q, QuerySet

from games.api.club.answers import STATES
from games.api.lists import Day, Filters, Named, Number, Text, Word, YesNo, dated
from games.models import ClubAction, ClubRole, Status


class ClubFilters(Filters):
    role = Word(field_name="role", words=ClubRole.values, label="Your role there.")
    public = YesNo(field_name="public", label="Whether anybody may read its tables.")
    q = Named(field_name="name", label="Part of its name, without case and accents.")


def _without(field: str) -> Any:
    def keep(rows: QuerySet[Any], name: str, value: bool) -> QuerySet[Any]:
        return rows.filter(**{f"{field}__isnull": not value})

    return keep


class MemberFilters(Filters):
    role = Word(field_name="role", words=ClubRole.values, label="The role.")
    left = YesNo(method=_without("left_on"), label="Whether they have left.")
    account = YesNo(method=_without("user"), label="Whether they have an account.")
    q = Named(field_name="name", label="Part of the name, without case and accents.")


@dated("starts_on", "When it begins")
class SeasonFilters(Filters):
    q = Named(field_name="name", label="Part of its name, without case and accents.")


@dated("on", "The night's day")
class NightFilters(Filters):
    void = YesNo(field_name="void", label="Whether it counts for nobody.")


def _state(rows: QuerySet[Any], name: str, value: str) -> QuerySet[Any]:
    if value == "deleted":
        return rows.filter(game__deleted_at__isnull=False)
    rows = rows.filter(game__deleted_at=None, game__abandoned_at__isnull=value != "abandoned")
    if value == "abandoned":
        return rows
    return rows.filter(game__status=Status.FINISHED if value == "finished" else Status.PLAYING)


def _void(rows: QuerySet[Any], name: str, value: bool) -> QuerySet[Any]:
    void = Q(void=True) | Q(night__void=True)
    return rows.filter(void if value else ~void)


def _in_doubt(rows: QuerySet[Any], name: str, value: bool) -> QuerySet[Any]:
    doubted = Q(pk__in=rows.filter(doubts__open=True).order_by().values("pk"))
    return rows.filter(doubted if value else ~doubted)


@dated("night__on", "The night's day")
class ClubGameFilters(Filters):
    season = Number(field_name="night__season__number", label="The season's number.")
    night = Day(field_name="night__on", label="One night's day.")
    member = Number(field_name="seats__member__number", label="The number of a member who sat there.")
    state = Word(method=_state, words=STATES, label="Where the game stands.")
    void = YesNo(method=_void, label="Whether it counts for nobody, by itself or with its night.")
    in_doubt = YesNo(method=_in_doubt, label="Whether its result is in doubt.")


@dated("club_game__night__on", "The night's day")
class DoubtFilters(Filters):
    open = YesNo(field_name="open", label="Whether it waits for a decision.")
    season = Number(field_name="club_game__night__season__number", label="The season's number.")
    member = Number(
        field_name="club_game__seats__member__number", label="The number of a member who sat there."
    )


@dated("at__date", "When it was changed")
class ClubLogFilters(Filters):
    action = Word(field_name="action", words=ClubAction.values, label="What was done.")
    before = Number(field_name="number", lookup_expr="lt", label="Only older than this version.")


def _asked(rows: QuerySet[Any], name: str, value: Any) -> QuerySet[Any]:
    """The table is worked out as of that day: its rows are cut afterwards."""
    return rows


class StandingFilters(Filters):
    as_of = Day(method=_asked, label="The table as it was after this day's night; left out: as it is.")
    member = Number(method=_asked, label="One member's row alone, by number.")


class FigureFilters(Filters):
    season = Number(method=_asked, label="One season's games alone, by its number.")


class RecordFilters(Filters):
    rules = Text(method=_asked, label="What is measured, by its code; left out: what was played most.")
