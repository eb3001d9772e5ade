"""A person's page: what somebody played at a club.

Knows how figures are shown and found by address. Must not work them out: games.engine.person does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games import person_words as words
from games.club_messages import day_words
from games.engine.head_to_head import head_to_head
from games.engine.nights import Entry, counts
from games.engine.person import Figures, Mark, Measure, Played, Run, person
from games.messages import number as number_words
from games.models import Member, Season, Standing
from games.permissions import ClubAccess
from games.place_words import place_name
from games.played import About, Games, evenings_of, games_of, in_doubt
from games.season_reads import doubt_words, table_names
from games.season_words import nights_words, stands
from games.templatetags.course import Bar, bars, course
from games.web.club.access import club_may
from games.web.club.parts import persons
from games.web.device import DeviceRequest
from games.web.people import Person

NEWEST = 10  # games that are listed at once
OPPONENTS = 5


class Choice(NamedTuple):
    """One of the views a page can be switched to: its query, its name, whether it is the one shown."""

    query: str
    text: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class GameLine:
    """A game in the list: `note` says what is special about it; `each`, `so_far`: averages a round."""

    about: About
    day: str
    place: str
    points: str
    rounds: str
    each: str
    so_far: str
    note: str
    pending: bool
    counts: bool


@dataclass(frozen=True, slots=True)
class EngineLine:
    engine: int
    bar: Bar
    each: str
    rounds: str
    out: str


@dataclass(frozen=True, slots=True)
class PlaceLine:
    place: str
    bar: Bar
    games: str


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing to tell, and where it was: `more` are how many other places there were."""

    title: str
    value: str
    where: Sequence[tuple[About, str]] = ()
    note: str = ""
    more: int = 0


@dataclass(frozen=True, slots=True)
class Opponent:
    person: Person
    games: str
    better: int
    worse: int
    level: int


@require_safe
@never_cache
@club_may("read")
def person_page(request: DeviceRequest, access: ClubAccess, number: int) -> HttpResponse:
    member = member_of(access, number)
    if member.merged_into is not None:
        return redirect("person", access.club.slug, member.merged_into.number)
    standings = list(
        Standing.objects.filter(member=member).select_related("season").order_by("-season__number")
    )
    season = season_asked(request, [row.season for row in standings])
    found = games_of(access.club, member, season=None if season is None else season.number)
    evenings = evenings_of(access.club, season=None if season is None else season.number)
    figures = person(member.pk, found.played, evenings)
    shown = figures_asked(request, figures.figures)
    context = {
        "club": access.club,
        "member": member,
        "left_on": day_words(member.left_on) if member.left_on else "",
        "organises": access.may("organise"),
        "belongs": access.may("belong"),
        "figures": figures,
        "season": season,
        "seasons": season_choices(standings, season),
        "standings": [
            (row, stands(row.place) if row.place else "", nights_words(row.data["nights"]))
            for row in standings
        ],
        "beaten": words.share(figures.beaten),
        "out": words.share(Fraction(figures.out, figures.rounds) if figures.rounds else None),
        "pending": pending(found, member),
        "places": place_lines(figures.places),
        "runs": run_facts(figures.won, figures.went_out, figures.attended, found.about),
        "games": game_lines(member, found, shown),
        "whole_list": "all" in request.GET,
        "newest": NEWEST,
        "opponents": opponents(member, found)[:OPPONENTS],
        "how": words.how_figures_count(),
    }
    context |= {} if shown is None else measured(shown, figures.figures, found)
    return render(request, "club/person.html", context)


def member_of(access: ClubAccess, number: int) -> Member:
    """Whoever has that number. Who reads by a link sees those who sat at a table, as the nights show them."""
    found = Member.objects.select_related("merged_into").filter(club=access.club, number=number).first()
    if found is None or not access.may_see(found):
        raise Http404
    return found


def season_asked(request: DeviceRequest, seasons: Sequence[Season]) -> Season | None:
    """The season whose figures alone are asked for; 404 for one in which the person has none."""
    asked = request.GET.get("season", "")
    found = next((one for one in seasons if str(one.number) == asked), None)
    if asked and found is None:
        raise Http404
    return found


def season_choices(standings: Sequence[Standing], chosen: Season | None) -> list[Choice]:
    """The whole time and each season, if there is more than one."""
    if len(standings) < 2:
        return []
    return [
        Choice("", _("All seasons"), chosen is None),
        *(Choice(f"season={row.season.number}", row.season.name, row.season == chosen) for row in standings),
    ]


def figures_asked(request: DeviceRequest, figures: Sequence[Figures]) -> Figures | None:
    """The figures of the rules asked for; without such ones those of most games."""
    asked = request.GET.get("rules", "")
    found = (one for one in figures if words.measure_code(one.measure) == asked)
    return next(found, figures[0] if figures else None)


def rule_choices(shown: Measure, among: Sequence[tuple[Measure, int]]) -> list[Choice]:
    """Each kind of game with how many there were, if there is more than one."""
    kinds = [measure for measure, _games in among]
    if len(kinds) < 2:
        return []
    return [
        Choice(
            f"rules={words.measure_code(one)}",
            f"{words.measure_words(one, kinds)} · {words.games(games)}",
            one == shown,
        )
        for one, games in among
    ]


def measured(shown: Figures, figures: Sequence[Figures], found: Games) -> dict[str, Any]:
    """What is said of the games of one kind."""
    chart = None
    if len(shown.course) > 1:
        waits = {game.key for game in found.played if game.result.pending}
        first, last = (found.about[step.key].on for step in (shown.course[0], shown.course[-1]))
        chart = course(
            [step.so_far for step in shown.course],
            label=words.average(shown.average),
            ends=(words.day(first), words.day(last)),
            dots=[step.each for step in shown.course],
            marked=[step.key in waits for step in shown.course],
        )
    return {
        "shown": shown,
        "average": words.average(shown.average),
        "rules": rule_choices(shown.measure, [(one.measure, one.games) for one in figures]),
        "line": words.measure_words(shown.measure, [shown.measure]),
        "kind": words.measure_words(shown.measure, [one.measure for one in figures]),
        "chart": chart,
        "engines": engine_lines(shown),
        "facts": best_facts(shown, found.about),
    }


def engine_lines(shown: Figures) -> list[EngineLine]:
    drawn = bars([one.each for one in shown.engines], shown.average)
    return [
        EngineLine(one.engine, bar, words.average(one.each), number_words(one.rounds), number_words(one.out))
        for one, bar in zip(shown.engines, drawn, strict=True)
    ]


def place_lines(places: Sequence[tuple[int, int]]) -> list[PlaceLine]:
    drawn = bars([games for _place, games in places])
    return [
        PlaceLine(place_name(place), bar, number_words(games))
        for (place, games), bar in zip(places, drawn, strict=True)
    ]


def best_facts(shown: Figures, about: Mapping[int, About]) -> list[Fact]:
    """Best and worst: whole games of each length, then single rounds."""
    facts = []
    for length in shown.lengths:
        mean = words.average(Fraction(length.points, length.games))
        about_all = {"games": words.games(length.games), "average": mean}
        facts.append(
            where_fact(
                _("Best game, %(rounds)s") % {"rounds": words.rounds(length.rounds)},
                number_words(length.best),
                length.best_in,
                about,
                _("of %(games)s, %(average)s on average") % about_all if length.games > 1 else "",
            )
        )
        if length.best != length.worst:
            title = _("Worst game, %(rounds)s") % {"rounds": words.rounds(length.rounds)}
            facts.append(where_fact(title, number_words(length.worst), length.worst_in, about))
    best = _("Best round") if shown.measure.high_wins else _("Best round without going out")
    for title, mark in ((best, shown.best_round), (_("Worst round"), shown.worst_round)):
        if mark is not None:
            facts.append(mark_fact(title, mark, about))
    return facts


def where_fact(
    title: str, value: str, keys: Sequence[int], about: Mapping[int, About], note: str = ""
) -> Fact:
    """The newest game of several, and how many more there are."""
    newest = about[keys[-1]]
    return Fact(title, value, [(newest, words.day(newest.on))], note, len(keys) - 1)


def mark_fact(title: str, mark: Mark, about: Mapping[int, About]) -> Fact:
    engine = mark.where[-1][1]
    note = _("engine %(engine)s") % {"engine": f"{engine}‑{engine}"}
    return where_fact(title, number_words(mark.score), [one for one, _engine in mark.where], about, note)


def run_facts(
    won: Run[int], went_out: Run[tuple[int, int]], attended: Run[int], about: Mapping[int, About]
) -> list[Fact]:
    """Rows of the same: the longest, where it lies, and the one that lasts."""
    evenings = {one.on.toordinal(): one for one in about.values()}
    games = [about[key] for key in (won.first, won.last) if key is not None]
    rounds = [about[where[0]] for where in (went_out.first, went_out.last) if where is not None]
    nights = [evenings[night] for night in (attended.first, attended.last) if night is not None]
    return [
        run_fact(_("Games won in a row"), won, games),
        run_fact(_("Rounds out in a row"), went_out, rounds),
        run_fact(_("Nights in a row"), attended, nights),
    ]


def run_fact(title: str, found: Run[Any], ends: Sequence[About]) -> Fact:
    now = _("now %(count)s") % {"count": number_words(found.now)} if found.longest else ""
    return Fact(title, number_words(found.longest), by_day(ends), now)


def by_day(places: Sequence[About]) -> list[tuple[About, str]]:
    """Where something was, each day once."""
    return list({one.on: (one, words.day(one.on)) for one in places}.values())


def game_lines(member: Member, found: Games, shown: Figures | None) -> list[GameLine]:
    """All games, the newest first."""
    steps = {} if shown is None else {step.key: step for step in shown.course}
    lines = []
    for game in reversed(found.played):
        entry = game.entry(member.pk)
        if entry is None:
            continue
        step = steps.get(game.key)
        lines.append(
            GameLine(
                about=found.about[game.key],
                day=words.day(found.about[game.key].on),
                place=words.place_of(game.place(entry), len(game.result.entries)),
                points=number_words(entry.points),
                rounds=words.rounds(entry.rounds),
                each=words.average(step.each) if step else "",
                so_far=words.average(step.so_far) if step else "",
                note=note(game, entry),
                pending=game.result.pending and counts(game.result),
                counts=counts(game.result) and not entry.forfeit,
            )
        )
    return lines


def note(game: Played, entry: Entry) -> str:
    if game.result.void:
        return _("void")
    if entry.forfeit:
        return _("forfeits")
    return _("pending") if game.result.pending else ""


def pending(found: Games, member: Member) -> list[tuple[Any, str]]:
    """The doubts about the games, and what each may change."""
    said = []
    now = {game.key: game for game in found.played}
    tables = table_names([doubt.club_game_id for doubt in found.doubts])
    for one in in_doubt(found, member):
        game = now[one.doubt.club_game_id]
        entry = game.entry(member.pk)
        if entry is None or (game.result.void and not (one.otherwise and counts(one.otherwise.result))):
            continue
        other = None if one.otherwise is None else one.otherwise.entry(member.pk)
        what = doubt_words(one.doubt, tables.get(game.result.key, ""))
        said.append((one.doubt, words.doubt_words(what, game, one.otherwise, entry, other, member.name)))
    return said


def opponents(member: Member, found: Games) -> list[Opponent]:
    """All members met at a table that counts, who was met most first: one query."""
    met: dict[int, list[int]] = {}
    for game in found.played:
        for entry in game.result.entries:
            if counts(game.result) and entry.person != member.pk and not entry.guest:
                met.setdefault(entry.person, []).append(game.key)
    who = persons(Member.objects.in_bulk(list(met)))
    games = {game.key: game for game in found.played}
    lines = []
    for other in sorted(who, key=lambda pk: (-len(met[pk]), who[pk].name.casefold())):
        both = head_to_head([games[key] for key in met[other]], member.pk, other)
        lines.append(Opponent(who[other], words.games(len(both.met)), both.better, both.worse, both.level))
    return lines
