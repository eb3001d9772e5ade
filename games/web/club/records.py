"""A club's records: who holds them, and where.

Knows how they are shown. Must not judge: games.engine.club_records does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games import person_words as words
from games.engine.club_records import ClubRecord, Holder, club_records
from games.engine.nights import counts
from games.engine.person import Measure, measures
from games.messages import number as number_words
from games.models import Club, Member, Season
from games.permissions import ClubAccess
from games.played import About, Games, evenings_of, games_of, high_rounds
from games.season_reads import table_names
from games.web.club.access import club_may
from games.web.club.parts import persons
from games.web.club.person import by_day, rule_choices
from games.web.device import DeviceRequest
from games.web.people import Person

MOST_HOLDERS = 5


@dataclass(frozen=True, slots=True)
class HolderLine:
    """Who holds it; `where` are the games it was in, `note` what else belongs to it."""

    person: Person
    where: Sequence[tuple[About, str]]
    note: str
    pending: bool


@dataclass(frozen=True, slots=True)
class RecordLine:
    name: str
    value: str
    holders: Sequence[HolderLine]
    more: int


@require_safe
@never_cache
@club_may("read")
def club_records_page(request: DeviceRequest, access: ClubAccess) -> HttpResponse:
    found = games_of(access.club)
    counting = [game for game in found.played if counts(game.result)]
    kinds = measures(counting)
    asked = request.GET.get("rules", "")
    shown = next((one for one in kinds if words.measure_code(one) == asked), kinds[0] if kinds else None)
    context = {"club": access.club, "how": words.how_records_count()}
    if shown is not None:
        records = club_records(
            counting,
            measure=shown,
            evenings=evenings_of(access.club),
            rounds=high_rounds(access.club, shown),
        )
        number = [(one, sum(game.measure == one for game in counting)) for one in kinds]
        context |= {
            "records": record_lines(access.club, records, shown, found),
            "line": words.measure_words(shown, [shown]),
            "rules": rule_choices(shown, number),
            "games": words.games(len(counting)),
        }
    return render(request, "club/records.html", context)


def record_lines(
    club: Club, records: Sequence[ClubRecord], measure: Measure, found: Games
) -> list[RecordLine]:
    """Each record with its holders, who is named once however often; of many only some."""
    who = persons(Member.objects.in_bulk(list({one.person for record in records for one in record.holders})))
    seasons = dict(Season.objects.filter(club=club).values_list("number", "name"))
    single = {one.games[0] for record in records for one in record.holders if len(one.games) == 1}
    tables = table_names(single)
    lines = []
    for record in records:
        by_person: dict[int, list[Holder]] = {}
        for holder in record.holders:
            by_person.setdefault(holder.person, []).append(holder)
        holders = [
            holder_line(who[number], some, found, seasons, tables) for number, some in by_person.items()
        ]
        lines.append(
            RecordLine(
                words.record_name(record, measure),
                words.record_value(record),
                holders[:MOST_HOLDERS],
                max(0, len(holders) - MOST_HOLDERS),
            )
        )
    return lines


def holder_line(
    who: Person,
    some: Sequence[Holder],
    found: Games,
    seasons: Mapping[int, str],
    tables: Mapping[int, str],
) -> HolderLine:
    """The newest place of somebody's record, with its table if that night had several, and how many more."""
    newest = some[-1]
    games = {game.key: game for game in found.played}
    evenings = {one.on.toordinal(): one for one in found.about.values()}
    notes = []
    if newest.season is not None:
        notes.append(seasons[newest.season])
    if newest.engine is not None:
        notes.append(_("engine %(engine)s") % {"engine": f"{newest.engine}‑{newest.engine}"})
    if len(some) > 1:
        notes.append(_("%(count)s times") % {"count": number_words(len(some))})
    if len(newest.games) == 1 and newest.games[0] in tables:
        notes.append(tables[newest.games[0]])
    where = [found.about[key] for key in newest.games] + [evenings[night] for night in newest.nights]
    waits = any(games[key].result.pending for holder in some for key in holder.games)
    return HolderLine(who, by_day(where), " · ".join(notes), waits)
