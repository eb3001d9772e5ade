"""The calls about what people played: a member's figures, two against each other, the club's records.

Knows how figures are answered. Must not work them out: the engine does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import date
from typing import Any

from django.http import HttpResponse
from rest_framework.exceptions import NotFound
from rest_framework.request import Request

from games import person_words as words
from games.api.club import schema
from games.api.club.answers import exact
from games.api.club.calls import ClubApiView
from games.api.club.filters import FigureFilters, RecordFilters
from games.api.lists import checked
from games.engine.club_records import ClubRecord, club_records
from games.engine.head_to_head import head_to_head
from games.engine.nights import counts
from games.engine.person import Figures, Mark, Measure, Run, measures, person
from games.engine.season import Value
from games.models import Member
from games.played import Games, evenings_of, games_of, high_rounds


class FiguresApiView(ClubApiView):
    def member(self, number: int) -> Member:
        """Who has the results of that number."""
        found = Member.objects.select_related("merged_into").filter(club=self.opened.club, number=number)
        member = found.first()
        if member is None or not self.opened.may_see(member):
            raise NotFound
        return member.merged_into or member


class FiguresView(FiguresApiView):
    @schema.figures_read
    def get(self, request: Request, slug: str, number: int) -> HttpResponse:
        member = self.member(number)
        season = checked(request, FigureFilters).value("season")
        found = games_of(self.opened.club, member, season=season)
        figures = person(member.pk, found.played, evenings_of(self.opened.club, season=season))
        kinds = [one.measure for one in figures.figures]
        data = {
            "number": member.number,
            "name": member.name,
            "games": figures.games,
            "nights": figures.nights,
            "forfeits": figures.forfeits,
            "wins": figures.wins,
            "places": [{"place": place, "games": games} for place, games in figures.places],
            "beaten": number_data(figures.beaten),
            "rounds": figures.rounds,
            "out": figures.out,
            "won_in_row": run_data(figures.won, lambda key: {"game": found.about[key].slug}),
            "out_in_row": run_data(
                figures.went_out, lambda at: {"game": found.about[at[0]].slug, "round": at[1]}
            ),
            "nights_in_row": run_data(figures.attended, lambda night: {"on": day(night)}),
            "doubts": [doubt.number for doubt in found.doubts],
            "figures": [figures_data(one, kinds, found) for one in figures.figures],
        }
        return self.told(data)


def day(night: int) -> str:
    return date.fromordinal(night).isoformat()


def number_data(value: Value) -> dict[str, Any]:
    return {"value": None if value is None else float(value), "exact": exact(value)}


def run_data(run: Run[Any], where: Callable[[Any], dict[str, Any]]) -> dict[str, Any]:
    first, last = (None if at is None else where(at) for at in (run.first, run.last))
    return {"longest": run.longest, "now": run.now, "first": first, "last": last}


def measure_data(measure: Measure, kinds: Sequence[Measure]) -> dict[str, Any]:
    """`rules`: the code by which records are asked for."""
    code, said = words.measure_code(measure), words.measure_words(measure, kinds)
    return {"rules": code, "said": said, "measure": asdict(measure)}


def figures_data(one: Figures, kinds: Sequence[Measure], found: Games) -> dict[str, Any]:
    def slugs(keys: Iterable[int]) -> list[str]:
        return [found.about[key].slug for key in keys]

    return {
        **measure_data(one.measure, kinds),
        "games": one.games,
        "average": number_data(one.average),
        "engines": [
            {
                "engine": engine.engine,
                "rounds": engine.rounds,
                "points": engine.points,
                "out": engine.out,
                "average": number_data(engine.each),
            }
            for engine in one.engines
        ],
        "lengths": [
            {
                "rounds": length.rounds,
                "games": length.games,
                "points": length.points,
                "best": length.best,
                "best_in": slugs(length.best_in),
                "worst": length.worst,
                "worst_in": slugs(length.worst_in),
            }
            for length in one.lengths
        ],
        "best_round": mark_data(one.best_round, found),
        "worst_round": mark_data(one.worst_round, found),
        "course": [
            {
                "game": found.about[step.key].slug,
                "on": found.about[step.key].on.isoformat(),
                "rounds": step.rounds,
                "points": step.points,
                "average": number_data(step.each),
                "so_far": number_data(step.so_far),
            }
            for step in one.course
        ],
    }


def mark_data(mark: Mark | None, found: Games) -> dict[str, Any] | None:
    if mark is None:
        return None
    where = [{"game": found.about[key].slug, "engine": engine} for key, engine in mark.where]
    return {"score": mark.score, "where": where}


class AgainstView(FiguresApiView):
    @schema.against_read
    def get(self, request: Request, slug: str, number: int, other: int) -> HttpResponse:
        one, two = self.member(number), self.member(other)
        if one == two:
            raise NotFound
        found = games_of(self.opened.club, one, two)
        both = head_to_head(found.played, one.pk, two.pk)
        kinds = [difference.measure for difference in both.differences]
        data = {
            "members": [{"number": member.number, "name": member.name} for member in (one, two)],
            "better": both.better,
            "worse": both.worse,
            "level": both.level,
            "differences": [
                {**measure_data(each.measure, kinds), "games": each.games, "points": each.points}
                for each in both.differences
            ],
            "met": [
                {
                    "game": found.about[met.game.key].slug,
                    "on": found.about[met.game.key].on.isoformat(),
                    "season": found.about[met.game.key].season,
                    "places": [met.game.place(met.mine), met.game.place(met.theirs)],
                    "points": [met.mine.points, met.theirs.points],
                    "ahead": met.ahead,
                    "by": met.by,
                    "pending": met.game.result.pending,
                }
                for met in both.met
            ],
        }
        return self.told(data)


class RecordsView(ClubApiView):
    @schema.records_read
    def get(self, request: Request, slug: str) -> HttpResponse:
        asked = checked(request, RecordFilters).value("rules")
        club = self.opened.club
        found = games_of(club)
        counting = [game for game in found.played if counts(game.result)]
        kinds = measures(counting)
        shown = next((one for one in kinds if asked in (None, words.measure_code(one))), None)
        if shown is None and asked is not None:
            raise NotFound
        records: Sequence[ClubRecord] = ()
        if shown is not None:
            records = club_records(
                counting, measure=shown, evenings=evenings_of(club), rounds=high_rounds(club, shown)
            )
        people = Member.objects.in_bulk(list({one.person for record in records for one in record.holders}))
        data = {
            "rules": [measure_data(one, kinds) for one in kinds],
            "shown": None if shown is None else words.measure_code(shown),
            "records": [record_data(record, shown, people, found) for record in records if shown],
        }
        return self.told(data)


def record_data(
    record: ClubRecord, measure: Measure, people: Mapping[int, Member], found: Games
) -> dict[str, Any]:
    return {
        "code": record.code,
        "said": words.record_name(record, measure),
        **number_data(record.value),
        "rounds": record.rounds,
        "holders": [
            {
                "number": people[one.person].number,
                "name": people[one.person].name,
                "games": [found.about[key].slug for key in one.games],
                "engine": one.engine,
                "season": one.season,
                "nights": [day(night) for night in one.nights],
            }
            for one in record.holders
        ],
    }
