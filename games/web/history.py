"""What happened to one score, in one round, to one player: sheets over the board, and pages of their own."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from django.http import Http404, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games import services
from games.agreement_words import SIGNS, mark_words
from games.engine.standings import Row
from games.messages import number, sentence, signed
from games.models import Action, LogEntry, Player, Ruling
from games.permissions import Access
from games.place_words import place_name
from games.selectors import HandCell, Log, RoundSheet, Sheet, log_of, sheet_of, takes_part
from games.web.access import reads
from games.web.board import sheet as as_sheet
from games.web.changes import change_words, who_words
from games.web.device import DeviceRequest
from games.web.doubts import doubts_of
from games.web.grid import adjusted_words, start_of
from games.web.people import Person, people
from games.web.titles import game_title

# What gave a score its value; the rest is what was said about it.
CHANGES = frozenset({"first", "changed", "gone", "undone", "redone", "ruled", "decided"})


@dataclass(frozen=True, slots=True)
class Value:
    """One value a score has had, newest first; `standing` is the one that counts."""

    text: str
    standing: bool
    kind: str
    who: str
    at: object
    reason: str
    said: str = ""  # of a dispute: the number that was asked for
    number: int = 0  # of its entry in the log
    by_record: bool = False  # a record was laid with the dispute
    record: str = ""  # where it can be seen


@require_safe
@never_cache
@reads
def cell(request: DeviceRequest, access: Access, number: int, seat: int) -> HttpResponse:
    sheet = sheet_of(access.game)
    entry, hand = hand_or_404(sheet, number, seat)
    values = _values(log_of(access.game), sheet, number, seat)
    earlier = (one.text for one in values if one.kind in CHANGES and not one.standing)
    context = _context(access, sheet) | {
        "round": entry,
        "hand": hand,
        "person": people(sheet.players)[seat],
        "values": values,
        "challenge": sheet.challenge_at(number, seat),
        "record_sign": SIGNS.get(entry.record, "○"),
        "record_words": mark_words(entry.record),
        "was": next(filter(None, earlier), ""),
    }
    return as_sheet(request, "games/cell.html", context)


def hand_or_404(sheet: Sheet, number: int, seat: int) -> tuple[RoundSheet, HandCell]:
    entry = sheet.round(number)
    if entry is None or seat not in entry.hands:
        raise Http404
    return entry, entry.hands[seat]


def _context(access: Access, sheet: Sheet) -> dict[str, object]:
    return {
        "game": access.game,
        "sheet": sheet,
        "title": game_title(sheet),
        "may_score": access.may_score,
        "most_pips": sheet.rules.max_pip,
    }


def _values(log: Log, sheet: Sheet, at: int, seat: int) -> list[Value]:
    changes = log.history(at, seat)
    found: list[Value] = list(_challenges(log, sheet, at, seat))
    own = len(found)
    for position, change in enumerate(changes):
        entry = change.entry
        kind = "first" if position == 0 else "gone" if change.score is None else "changed"
        if entry.action == Action.UNDONE:
            kind = "undone"
        elif entry.action == Action.REDONE:
            kind = "redone"
        elif entry.action == Action.RULED:
            kind = "ruled"
        elif entry.action == Action.DECIDED:
            kind = "decided"
        found.append(
            Value(
                text="" if change.score is None else number(change.score),
                standing=position == len(changes) - 1,
                kind=kind,
                who=who_words(entry),
                at=entry.at,
                reason=entry.reason,
                number=entry.number,
            )
        )
    return sorted(found[own:] + found[:own], key=lambda value: value.number, reverse=True)


def _challenges(log: Log, sheet: Sheet, at: int, seat: int) -> Iterable[Value]:
    """Who disputed the score and why, and the rulings that left it as it was."""
    for entry in log.entries:
        for key, data in entry.after.get("challenges", {}).items():
            if (data["round_number"], data["seat"]) != (at, seat):
                continue
            if entry.action == Action.CHALLENGED:
                said = "" if data["points"] is None else number(data["points"])
                value = _value(entry, number(data["was"]), "disputed", said)
                one = sheet.challenge(int(key))
                by_record = one is not None and one.by_record
                link = reverse("verdict", args=[one.record_id]) if one is not None and one.record_id else ""
                yield replace(value, by_record=by_record, record=link)
            elif "rounds" not in entry.after:
                undone = data["ruling"] == Ruling.OPEN
                yield _value(entry, number(data["was"]), "reopened" if undone else "kept")


def _value(entry: LogEntry, text: str, kind: str, said: str = "") -> Value:
    return Value(text, False, kind, who_words(entry), entry.at, entry.reason, said, entry.number)


@dataclass(frozen=True, slots=True)
class RoundHand:
    person: Person
    hand: HandCell
    score: str
    disputed: bool


@require_safe
@never_cache
@reads
def round_sheet(request: DeviceRequest, access: Access, number: int) -> HttpResponse:
    """A whole round; of the coming one, who starts and why, and what is dealt."""
    sheet = sheet_of(access.game)
    entry = sheet.round(number)
    context = _context(access, sheet) | {"number": number}
    if entry is None:
        if number != sheet.next_number:
            raise Http404
        context |= {
            "start": start_of(sheet),
            "deal": sheet.deal(number),
            "coming": sheet.engines[number - 1 :],
        }
        return as_sheet(request, "games/coming.html", context)
    return as_sheet(request, "games/round_sheet.html", context | _round(access, sheet, entry))


def _round(access: Access, sheet: Sheet, entry: RoundSheet) -> dict[str, object]:
    who, names = people(sheet.players), sheet.names()
    log = log_of(access.game)
    entries = {line.number: line for line in log.entries}
    lines = [line for line in log.entries if _is_about(line, entry.number)]
    check = services.round_check(sheet, entry.number, entry.claim())
    return {
        "round": entry,
        "hands": [
            RoundHand(
                who[seat],
                entry.hands[seat],
                number(entry.hands[seat].score),
                disputed=sheet.challenge_at(entry.number, seat) is not None,
            )
            for seat in who
            if seat in entry.hands
        ],
        "sum": number(sum(hand.points for hand in entry.hands.values())),
        "problems": [sentence(problem, names) for problem in check.problems] if entry.disputed else [],
        "warnings": [sentence(problem, names) for problem in check.warnings],
        "reason": next((one.reason for one in reversed(lines) if one.reason and "rounds" in one.after), ""),
        "changes": [change_words(line, entries, names, sheet.laid) for line in reversed(lines)],
        "is_last": entry.number == len(sheet.rounds),
        "record_sign": SIGNS.get(entry.record, "○"),
        "record_words": mark_words(entry.record),
    }


def _is_about(line: LogEntry, at: int) -> bool:
    """Whether it wrote round `at`, or what is disputed in it."""
    challenged = [one["round_number"] for one in line.after.get("challenges", {}).values()]
    written = {*line.after.get("rounds", ()), *line.after.get("records", ())}
    return str(at) in written or at in challenged


@dataclass(frozen=True, slots=True)
class PlayerRound:
    """A round of one player, or, with a `reason`, what was added to the total between two rounds."""

    number: int
    engine: int
    hand: HandCell | None
    score: str
    running: str
    reason: str = ""


@require_safe
@never_cache
@reads
def player(request: DeviceRequest, access: Access, seat: int) -> HttpResponse:
    sheet = sheet_of(access.game)
    who = people(sheet.players)
    row = next((row for row in sheet.table if row.seat == seat), None)
    if row is None:
        raise Http404
    someone = next(player for player in sheet.players if player.seat == seat)
    rounds = _player_rounds(sheet, someone)
    played = [entry.hands[seat] for entry in sheet.rounds if seat in entry.hands]
    doubts = doubts_of(sheet)
    context = _context(access, sheet) | {
        "person": who[seat],
        "player": someone,
        "row": row,
        "standing": _standing(sheet, row),
        "pending": seat in doubts.totals | doubts.places,
        "total": number(row.total),
        "rounds": rounds[::-1],
        "played": len(played),
        "out": sum(hand.out for hand in played),
        "average": round(sum(hand.score for hand in played) / len(played), 1) if played else None,
        "adjusted": adjusted_words(someone),
        "plays_next": sheet.next_number is not None and takes_part(someone, sheet.next_number),
    }
    return as_sheet(request, "games/player.html", context)


def _standing(sheet: Sheet, row: Row) -> str:
    """«2nd of 5, 16 behind Ann»"""
    if not sheet.rounds:
        return ""
    place = _("%(place)s of %(count)s") % {"place": place_name(row.place), "count": len(sheet.table)}
    first = sheet.table[0]
    gap = abs(row.total - first.total)
    if row.place == 1 or not gap or row.retired:
        return place
    return _("%(place)s, %(gap)s behind %(leader)s") % {
        "place": place,
        "gap": number(gap),
        "leader": sheet.names()[first.seat],
    }


def _player_rounds(sheet: Sheet, player: Player) -> list[PlayerRound]:
    """Every round with the total so far; penalties and bonuses stand where they were given."""
    running, found, last = player.start_total, [], len(sheet.rounds)
    for at in range(last + 1):
        if at:
            entry = sheet.rounds[at - 1]
            hand = entry.hands.get(player.seat)
            running += 0 if hand is None else hand.score
            score = "–" if hand is None else number(hand.score)
            found.append(PlayerRound(entry.number, entry.engine, hand, score, number(running)))
        for one in player.adjustments:
            if min(one["round"], last) == at:
                running += one["points"]
                points, reason = signed(one["points"]), one["reason"]
                found.append(PlayerRound(at, 0, None, points, number(running), reason))
    return found
