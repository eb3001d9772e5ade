"""Reads a club's games as the figures of people and the club's records take them: few queries, however many
games.

Knows which rows count (results that are kept: of finished games) and what is read of them. Must not know
requests or sentences, nor add anything up: games.engine.person does.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, NamedTuple

from django.db.models import Count, F, Max, OuterRef, QuerySet, Subquery

from games import results
from games.engine.club_records import HighRound
from games.engine.nights import Entry, SeasonGame
from games.engine.person import MEASURED, Measure, Played, Score
from games.models import Club, ClubGame, ClubSeat, Doubt, Game, Hand, Member, Night, Result, Round
from games.selectors import Sheet, sheets_of


class About(NamedTuple):
    """Where a game is found: its night, its season's number, its address."""

    on: date
    season: int
    slug: str


@dataclass(frozen=True, slots=True)
class InDoubt:
    """An open doubt, and the game if it fell the other way; None where that cannot be."""

    doubt: Doubt
    otherwise: Played | None


@dataclass(frozen=True, slots=True)
class Games:
    """Finished games in the order of their nights, those that are void among them; `about` by their keys.

    A game's key is its row number as a club's game, a person in it the member's row number.
    """

    played: tuple[Played, ...]
    about: Mapping[int, About]
    doubts: tuple[Doubt, ...]


def games_of(club: Club, *members: Member, season: int | None = None) -> Games:
    """The club's games, or those at which all of `members` sat, then with the rounds of the first of them.

    Four queries with members, three without, whatever was played.
    """
    found = ClubGame.objects.filter(night__season__club=club, results__isnull=False).distinct()
    if season is not None:
        found = found.filter(night__season__number=season)
    for member in members:
        found = found.filter(pk__in=ClubSeat.objects.filter(member=member).values("club_game"))
    keys = found.values("pk")
    doubts = tuple(
        Doubt.objects.filter(club_game__in=keys, open=True).order_by("club_game__night__on", "number")
    )
    pending = {doubt.club_game_id for doubt in doubts}
    entries = _entries(keys)
    scores = _scores(keys, members[0]) if members else {}
    played, about = [], {}
    for key, on, night_void, void, number, slug, rules, rounds in _rows(found):
        measure = Measure(*(rules[name] for name in MEASURED))
        result = SeasonGame(
            key=key,
            night=on.toordinal(),
            entries=tuple(entries[key]),
            void=night_void or void,
            pending=key in pending,
        )
        played.append(
            Played(
                result=result,
                measure=measure,
                rounds=rounds or 0,
                season=number,
                scores=tuple(scores.get(key, ())),
            )
        )
        about[key] = About(on, number, slug)
    return Games(tuple(played), about, doubts)


def _rows(found: QuerySet[ClubGame]) -> Iterable[tuple[Any, ...]]:
    entered = (
        Round.objects.filter(game=OuterRef("game")).order_by().values("game").annotate(number=Count("pk"))
    )
    return (
        found.annotate(entered=Subquery(entered.values("number")))
        .order_by("night__on", "pk")
        .values_list(
            "pk",
            "night__on",
            "night__void",
            "void",
            "night__season__number",
            "game__slug",
            "game__rules",
            "entered",
        )
    )


def _entries(keys: QuerySet[ClubGame, Any]) -> dict[int, list[Entry]]:
    found: dict[int, list[Entry]] = defaultdict(list)
    rows = (
        Result.objects.filter(club_game__in=keys)
        .order_by("club_game_id", "seat")
        .values_list("club_game_id", *results.ENTRY_COLUMNS)
    )
    for key, *values in rows.iterator():
        found[key].append(results.entry_of(Result(**dict(zip(results.ENTRY_COLUMNS, values, strict=True)))))
    return found


def _scores(keys: QuerySet[ClubGame, Any], member: Member) -> dict[int, list[Score]]:
    """A member's rounds by game, each game's in order."""
    rows = Hand.objects.filter(
        player__game__at_club__in=keys,
        player__game__at_club__seats__member=member,
        player__game__at_club__seats__seat=F("player__seat"),
    ).order_by("round__number")
    found: dict[int, list[Score]] = defaultdict(list)
    for key, number, engine, score, out, points in rows.values_list(
        "player__game__at_club__pk", "round__number", "round__engine", "score", "out", "points"
    ).iterator():
        found[key].append(Score(number, engine, score, out or points == 0))
    return found


def evenings_of(club: Club, *, season: int | None = None) -> list[int]:
    """The nights on which anything counted, as the engine numbers them: one query."""
    found = Night.objects.filter(
        season__club=club,
        void=False,
        results__forfeit=False,
        results__club_game__void=False,
    )
    if season is not None:
        found = found.filter(season__number=season)
    return [on.toordinal() for on in found.order_by("on").values_list("on", flat=True).distinct()]


def in_doubt(games: Games, member: Member | None = None) -> list[InDoubt]:
    """The open doubts of these games, and each game as it would be otherwise: no query without a doubt, else
    four, however many there are.
    """
    if not games.doubts:
        return []
    keys = [doubt.club_game_id for doubt in games.doubts]
    rows = {
        one.pk: one
        for one in ClubGame.objects.filter(pk__in=keys)
        .select_related("game", "night__season")
        .prefetch_related("seats")
    }
    sheets = {sheet.game.pk: sheet for sheet in sheets_of([one.game for one in rows.values()])}
    now = {game.key: game for game in games.played}
    found = []
    for doubt in games.doubts:
        played = doubt.club_game = rows[doubt.club_game_id]
        found.append(InDoubt(doubt, _otherwise(now[played.pk], doubt, sheets[played.game_id], member)))
    return found


def _otherwise(now: Played, doubt: Doubt, sheet: Sheet, member: Member | None) -> Played | None:
    played = doubt.club_game
    if "void" in doubt.other:
        result = results.season_game(played, sheet, void=doubt.other["void"])
        return replace(now, result=replace(result, pending=True))
    other = results.sheet_otherwise(sheet, **doubt.other)
    if other is None:
        return None
    result = replace(results.season_game(played, other), pending=True)
    seat = next((one.seat for one in played.seats.all() if member and one.member_id == member.pk), None)
    scores = tuple(
        Score(entry.number, entry.engine, hand.score, hand.out or hand.points == 0)
        for entry in other.rounds
        if (hand := entry.hands.get(seat or 0)) is not None
    )
    return replace(now, result=result, scores=scores)


def high_rounds(club: Club, measure: Measure) -> list[HighRound]:
    """The highest round that a member had in a game of this measure that counts, by all who had it: two
    queries.
    """
    measured = {f"rules__{name}": getattr(measure, name) for name in MEASURED}
    hands = Hand.objects.filter(
        player__game__in=Game.objects.filter(**measured),
        player__game__at_club__void=False,
        player__game__at_club__night__void=False,
        player__game__at_club__night__season__club=club,
        player__game__at_club__results__seat=F("player__seat"),
        player__game__at_club__results__member__isnull=False,
        player__game__at_club__results__forfeit=False,
    )
    most = hands.aggregate(most=Max("score"))["most"]
    rows = hands.filter(score=most).order_by("player__game__at_club__night__on", "pk")
    return [
        HighRound(*row)
        for row in rows.values_list(
            "player__game__at_club__pk",
            "player__game__at_club__results__member",
            "round__number",
            "round__engine",
            "score",
        )
    ]
