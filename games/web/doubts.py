"""What is in doubt, in sentences: who disputes what, and which places would fall how.

Knows the sheet and the engine's answer. Must not know requests, or write.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import mapping
from games.engine.doubt import DoubtfulRound, Fall, Place, falls, moved, places, table_with, table_without
from games.engine.standings import PlayerResult, Row
from games.messages import number
from games.models import Challenge, Role
from games.place_words import place_name
from games.selectors import RoundSheet, Sheet

TOLD = 5  # disputes that are told one by one
NAMED = 4  # places that a sentence names one by one
Table = tuple[Row, ...]


class Doubt(NamedTuple):
    """One result in doubt. `about`: «Ben, round 6». `number`: the challenge's, 0 if a round was saved so."""

    number: int
    about: str
    what: str
    reason: str
    falls: str
    url: str
    draft: str  # of the form it was written in


@dataclass(frozen=True, slots=True)
class Doubts:
    """All that is in doubt: whose totals and places hang on it, and whether the first place does."""

    lines: tuple[Doubt, ...] = ()
    more: str = ""
    totals: frozenset[int] = frozenset()
    places: frozenset[int] = frozenset()
    first: bool = False

    @property
    def lead(self) -> str:
        """«One result is in doubt.»"""
        count = len(self.lines)
        if count == 1 and not self.more:
            return _("One result is in doubt.")
        return _("Some results are in doubt.")


def doubts_of(sheet: Sheet) -> Doubts:
    pending = sheet.pending
    disputed = [entry for entry in sheet.rounds if entry.disputed]
    if not (pending or disputed):
        return Doubts()
    lines: list[Doubt] = []
    totals: set[int] = set()
    hanging: set[int] = set()
    first = False
    told = [_challenged(sheet, one) for one in pending] + [_disputed(sheet, entry) for entry in disputed]
    for line, tables in told:
        lines += [line] if len(lines) < TOLD else []
        for table in tables:
            hanging.update(moved(sheet.table, table))
            first |= _firsts(table) != _firsts(sheet.table)
            totals |= _other_totals(sheet.table, table) if line.number else set()
    totals |= {one.seat for one in pending}
    left = len(pending) + len(disputed) - len(lines)
    more = ngettext("%(count)s more is in the log.", "%(count)s more are in the log.", left)
    return Doubts(
        tuple(lines), more % {"count": left} if left else "", frozenset(totals), frozenset(hanging), first
    )


def _firsts(table: Table) -> set[int]:
    return {row.seat for row in table if row.place == 1}


def _other_totals(before: Table, after: Table) -> set[int]:
    old = {row.seat: row.total for row in before}
    return {row.seat for row in after if old[row.seat] != row.total}


def _challenged(sheet: Sheet, challenge: Challenge) -> tuple[Doubt, list[Table]]:
    words, tables = fall_words(sheet, challenge)
    cell = [sheet.game.slug, challenge.round_number, challenge.seat]
    doubt = Doubt(
        number=challenge.number,
        about=_about(challenge, sheet.names()),
        what=challenge_words(challenge, sheet.names()),
        reason=challenge.reason,
        falls=words,
        url=reverse("cell", args=cell),
        draft=draft_key(sheet, challenge.round_number, challenge.seat),
    )
    return doubt, tables


def draft_key(sheet: Sheet, at: int, seat: int) -> str:
    return f"g:{sheet.game.slug}:d:{at}:{seat}"


def _disputed(sheet: Sheet, entry: RoundSheet) -> tuple[Doubt, list[Table]]:
    table = table_without(_results(sheet), entry.number, rules=sheet.rules)
    words = _("If round %(number)s did not count, %(places)s.") % {
        "number": entry.number,
        "places": _places_words(sheet, table),
    }
    what = _("Round %(number)s is saved as disputed.") % {"number": entry.number}
    url = reverse("round_sheet", args=[sheet.game.slug, entry.number])
    about = _("Round %(number)s") % {"number": entry.number}
    return Doubt(0, about, what, "", words, url, ""), [table]


def _about(challenge: Challenge, names: Mapping[int, str]) -> str:
    return _("%(name)s, round %(number)s") % {
        "name": _name(challenge, names),
        "number": challenge.round_number,
    }


def _name(challenge: Challenge, names: Mapping[int, str]) -> str:
    return names.get(challenge.seat) or _("Seat %(seat)s") % {"seat": challenge.seat}


def challenge_words(challenge: Challenge, names: Mapping[int, str]) -> str:
    """«Ben, round 6: Ann disputes 51 and says 15.», «… disputes 51. By the record Ben held 15, not 51.»"""
    text = _("%(name)s, round %(number)s: %(who)s disputes %(was)s and says %(points)s.")
    if challenge.by_record:
        text = _("%(name)s, round %(number)s: %(who)s disputes %(was)s. %(record)s")
    elif challenge.points is None:
        text = _("%(name)s, round %(number)s: %(who)s disputes %(was)s.")
    return text % {
        "record": record_said(challenge, names),
        "name": _name(challenge, names),
        "number": challenge.round_number,
        "who": challenger_name(challenge),
        "was": number(challenge.was),
        "points": number(challenge.points),
    }


def record_said(challenge: Challenge, names: Mapping[int, str]) -> str:
    """«By the record Ben held 40, not 38.» of a challenge that a record was laid with; else nothing."""
    if not challenge.by_record:
        return ""
    return _("By the record %(name)s held %(points)s, not %(was)s.") % {
        "name": _name(challenge, names),
        "points": number(challenge.points),
        "was": number(challenge.was),
    }


def challenger_name(challenge: Challenge) -> str:
    if challenge.who:
        return challenge.who
    return _("The scorer") if challenge.role == Role.SCORER else _("A watcher")


def fall_words(sheet: Sheet, challenge: Challenge) -> tuple[str, list[Table]]:
    """How the places would fall the other way, and the tables that they would make."""
    entry = sheet.round(challenge.round_number)
    if entry is None or challenge.seat not in entry.hands:
        return "", []
    doubt = _doubtful(sheet, entry)
    if challenge.points is None:
        ways = falls(doubt, challenge.seat)
        return _range_words(sheet, challenge.seat, entry.hands[challenge.seat].points, ways), [
            one.table for one in ways
        ]
    table = table_with(doubt, challenge.seat, challenge.points)
    if table is None:
        return _("What it changes hangs on the tiles."), []
    text = _("If it is %(points)s, %(places)s.")
    return text % {"points": number(challenge.points), "places": _places_words(sheet, table)}, [table]


def _doubtful(sheet: Sheet, entry: RoundSheet) -> DoubtfulRound:
    return DoubtfulRound(
        results=tuple(_results(sheet)),
        number=entry.number,
        claim=entry.claim(),
        rules=sheet.rules,
        seats=sheet.seats(entry.number),
        deal=sheet.deal(entry.number),
        marks=frozenset(entry.marks),
    )


def _results(sheet: Sheet) -> list[PlayerResult]:
    grid = [(entry.number, entry.hands) for entry in sheet.rounds]
    return mapping.results(sheet.players, grid, len(sheet.rounds))


def _places_words(sheet: Sheet, table: Table) -> str:
    """«Ben is 3rd, Margaret-Rose 4th»"""
    seats, names, held = moved(sheet.table, table), sheet.names(), places(table)
    if not seats:
        return _("no place changes")
    if all(place == (1, True) for place in held.values()):
        return _("all are level")
    words: list[str] = []
    for seat in seats[:NAMED]:
        place, shared = held[seat]
        if shared:
            text = _("%(name)s shares %(place)s")
        else:
            text = _("%(name)s %(place)s") if words else _("%(name)s is %(place)s")
        words.append(text % {"name": names[seat], "place": place_name(place)})
    if left := len(seats) - len(words):
        text = ngettext("and %(count)s other place changes", "and %(count)s other places change", left)
        words.append(text % {"count": left})
    return ", ".join(words)


def _range_words(sheet: Sheet, seat: int, now: int, ways: Sequence[Fall]) -> str:
    """«With 30 or less Ben is 2nd, with 31 or more 3rd.»"""
    if not ways:
        return _("What it changes hangs on the tiles.")
    if len(ways) == 1 and ways[0].least == ways[0].most:
        return _("Nothing else fits the rest of the round.")
    seats = [seat, *(row.seat for row in sheet.table if row.seat != seat)]
    held = [places(one.table) for one in ways]
    subject = next((one for one in seats if len({way[one] for way in held}) > 1), None)
    if subject is None:
        return _("No place hangs on it.")
    runs = _runs(ways, [way[subject] for way in held])
    name = sheet.names()[subject]
    own = next((at for at, run in enumerate(runs) if run.least <= now <= run.most), 0)
    shown = runs[max(own - 1, 0) : own + 2]
    words = [
        _run_words(run, name if run is shown[0] else "", first=run is runs[0], last=run is runs[-1])
        for run in shown
    ]
    return _("%(ranges)s.") % {"ranges": ", ".join(words)}


class Run(NamedTuple):
    """Points with one place."""

    least: int
    most: int
    place: Place


def _runs(ways: Iterable[Fall], held: Iterable[Place]) -> list[Run]:
    runs: list[Run] = []
    for way, place in zip(ways, held, strict=True):
        if runs and runs[-1].place == place:
            runs[-1] = runs[-1]._replace(most=way.most)
        else:
            runs.append(Run(way.least, way.most, place))
    return runs


def _run_words(run: Run, name: str, *, first: bool, last: bool) -> str:
    """«With 30 or less Ben is 2nd», and without a name «with 31 or more 3rd»."""
    facts = {
        "name": name,
        "least": number(run.least),
        "most": number(run.most),
        "place": place_name(run.place[0]),
    }
    if name:
        held = _("%(name)s shares %(place)s") if run.place[1] else _("%(name)s is %(place)s")
    else:
        held = _("shared %(place)s") if run.place[1] else "%(place)s"
    facts["held"] = held % facts
    if run.least == run.most:
        text = _("With %(least)s %(held)s") if name else _("with %(least)s %(held)s")
    elif first:
        text = _("With %(most)s or less %(held)s") if name else _("with %(most)s or less %(held)s")
    elif last:
        text = _("With %(least)s or more %(held)s") if name else _("with %(least)s or more %(held)s")
    else:
        text = _("With %(least)s to %(most)s %(held)s") if name else _("with %(least)s to %(most)s %(held)s")
    return text % facts
