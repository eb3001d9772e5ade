"""Paper: the score sheet of a game, filled or blank, its result, and a blank sheet for no game at all.

Knows how rounds lie on a sheet and what fits on it. Must not know the size of anything: print.css does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games import rule_words
from games.agreement_words import SIGNS, mark_keys, mark_words
from games.engine.rules import RuleSet
from games.engine.standings import compare
from games.engine.tiles import SETS
from games.messages import listed, number, signed
from games.models import Status
from games.permissions import Access
from games.place_words import place_name, tie_reason
from games.selectors import Sheet, sheet_of
from games.services import MAX_PLAYERS, MIN_PLAYERS
from games.web.access import reads
from games.web.device import DeviceRequest
from games.web.doubts import doubts_of
from games.web.end import apart_words, headline_of, state_words
from games.web.people import size_of
from games.web.titles import game_title

What = Literal["sheet", "blank", "result"]
PAPERS = ("a4", "letter")
MOST_UPRIGHT = 8  # players on a sheet that stands; more lie
COLUMNS = 7  # of an upright sheet, so that somebody may still join
ROOM = (13, 16, 19)  # rows of one height
FIFTH = 5
LONG_NAME = 14


@dataclass(frozen=True, slots=True)
class Cell:
    """One score with the running total; `out` is boxed. Both blank: to be filled in by hand."""

    points: str = ""
    total: str = ""
    out: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """One round, with the sign of what its record says; or, with a `label`, what was given between two."""

    number: int
    engine: int | None
    cells: tuple[Cell, ...]
    label: str = ""
    sign: str = ""
    sign_words: str = ""

    @property
    def fifth(self) -> bool:
        return not self.label and self.number % FIFTH == 0


@dataclass(frozen=True, slots=True)
class Paper:
    """One sheet as it lies on paper; names are blank where nobody is named."""

    about: str
    top: int
    names: tuple[str, ...]
    rows: tuple[Row, ...]
    foot: tuple[tuple[str, tuple[str, ...]], ...]
    legend: tuple[str, ...]
    lies: bool

    @property
    def heads(self) -> list[tuple[str, bool]]:
        """Each name, and whether it is set smaller, so that no word breaks that need not."""
        return [(name, len(name) > LONG_NAME or bool(size_of(name))) for name in self.names]

    @property
    def recorded(self) -> bool:
        """Whether a sign stands beside some round, so that the foot says more."""
        return any(row.sign for row in self.rows)

    @property
    def room(self) -> int:
        """The class of the rows' height."""
        return next((most for most in ROOM if len(self.rows) <= most), ROOM[-1])


@dataclass(frozen=True, slots=True)
class Place:
    place: str
    name: str
    total: str
    out: str
    why: str


@require_safe
@never_cache
@reads
def printed(request: DeviceRequest, access: Access) -> HttpResponse:
    sheet = sheet_of(access.game)
    what = _what(request, sheet)
    context: dict[str, Any] = {
        "game": access.game,
        "title": game_title(sheet),
        "what": what,
        "has_rounds": bool(sheet.rounds),
        "sheet": paper_of(sheet, filled=what == "sheet"),
        "most_pips": sheet.rules.max_pip,
    }
    if what == "result":
        context |= {
            "headline": headline_of(sheet),
            "state": state_words(sheet, sheet.game.status == Status.FINISHED),
            "places": list(_places(sheet)),
            "apart": [*_disputes(sheet), *_records(sheet), *apart_words(sheet)],
        }
    return _page(request, context)


@require_safe
def blank(request: DeviceRequest) -> HttpResponse:
    """A sheet for a table that has no game here: so many players, this set."""
    players = _number(request, "players", MAX_PLAYERS // 2, range(MIN_PLAYERS, MAX_PLAYERS + 1))
    max_pip = _number(request, "set", 12, SETS)
    context = {
        "what": "blank",
        "sheet": blank_paper(players, max_pip),
        "players": players,
        "set": max_pip,
        "counts": range(MIN_PLAYERS, MAX_PLAYERS + 1),
        "sets": SETS,
        "most_pips": max_pip,
    }
    return _page(request, context)


def _page(request: HttpRequest, context: dict[str, Any]) -> HttpResponse:
    asked = request.GET.get("paper")
    paper = asked if asked in PAPERS else PAPERS[0]
    lies = context["sheet"].lies and context["what"] != "result"
    css = f"games/paper-{paper}-{'landscape' if lies else 'portrait'}.css"
    return render(request, "games/print.html", context | {"paper": paper, "css": css, "lies": lies})


def _what(request: HttpRequest, sheet: Sheet) -> What:
    match request.GET.get("what"):
        case "blank":
            return "blank"
        case "result" if sheet.rounds:
            return "result"
    return "sheet"


def _number(request: HttpRequest, name: str, default: int, allowed: Sequence[int]) -> int:
    text = request.GET.get(name, "")
    value = int(text) if text.isascii() and text.isdecimal() and len(text) < 4 else default
    return value if value in allowed else default


def paper_of(sheet: Sheet, *, filled: bool) -> Paper:
    """A game's sheet; not `filled`: only its names and engines."""
    seats = [player.seat for player in sheet.players]
    lies = len(seats) > MOST_UPRIGHT
    spare = 0 if lies else max(0, COLUMNS - len(seats))
    rows = list(_filled(sheet, seats) if filled else [])
    played = len(sheet.rounds) if filled else 0
    for at in range(played + 1, sheet.game.round_count + 1):
        rows.append(Row(at, _engine(sheet, at), (Cell(),) * len(seats)))
    return Paper(
        about=_about(sheet),
        top=sheet.rules.max_pip,
        names=(*sheet.names().values(), *([""] * spare)),
        rows=tuple(replace(row, cells=(*row.cells, *([Cell()] * spare))) for row in rows),
        foot=tuple(_foot(sheet, seats, spare, filled=filled)),
        legend=(*legend(sheet.rules), *(_beside(sheet) if filled else ())),
        lies=lies,
    )


def blank_paper(players: int, max_pip: int) -> Paper:
    empty = (Cell(),) * players
    return Paper(
        about="",
        top=max_pip,
        names=("",) * players,
        rows=tuple(Row(max_pip - engine + 1, engine, empty) for engine in range(max_pip, -1, -1)),
        foot=tuple((label, ("",) * players) for label in _labels()),
        legend=(_how_to_read(),),
        lies=players > MOST_UPRIGHT,
    )


def _engine(sheet: Sheet, at: int) -> int | None:
    """The engine of a round to come; None where the table will choose it."""
    free = sheet.rules.engine_order == "any_unused"
    return None if free else sheet.engines[at - 1]


def _filled(sheet: Sheet, seats: Sequence[int]) -> Iterator[Row]:
    """The rounds that are in, each with what was given after it, and the running totals."""
    totals = {player.seat: player.start_total for player in sheet.players}
    yield from _given(sheet, seats, totals, after=0)
    for entry in sheet.rounds:
        cells = []
        for seat in seats:
            hand = entry.hands.get(seat)
            if hand is None:
                cells.append(Cell("–"))
                continue
            totals[seat] += hand.score
            cells.append(Cell(number(hand.score), number(totals[seat]), hand.out))
        sign = SIGNS.get(entry.record, "")
        words = mark_words(entry.record) if sign else ""
        yield Row(entry.number, entry.engine, tuple(cells), sign=sign, sign_words=words)
        yield from _given(sheet, seats, totals, after=entry.number)


def _given(sheet: Sheet, seats: Sequence[int], totals: dict[int, int], *, after: int) -> Iterator[Row]:
    """Penalties and bonuses given after so many rounds, or after one taken back since: a row each."""
    last = len(sheet.rounds)
    for player in sheet.players:
        for one in player.adjustments:
            if min(one["round"], last) != after:
                continue
            totals[player.seat] += one["points"]
            mine = Cell(signed(one["points"]), number(totals[player.seat]))
            cells = tuple(mine if seat == player.seat else Cell() for seat in seats)
            yield Row(after, None, cells, str(one["reason"]))


def _foot(sheet: Sheet, seats: Sequence[int], spare: int, *, filled: bool) -> Iterator[tuple[str, Any]]:
    """Total, rounds out and place: known once the game is over."""
    rows = {row.seat: row for row in sheet.table}
    over = filled and sheet.game.status == Status.FINISHED and bool(sheet.rounds)
    values = [
        [number(rows[seat].total) if over else "" for seat in seats],
        [number(rows[seat].zero_rounds) if over else "" for seat in seats],
        [place_name(rows[seat].place) if over and sheet.has_result else "" for seat in seats],
    ]
    for label, texts in zip(_labels(), values, strict=True):
        yield label, (*texts, *([""] * spare))


def _labels() -> tuple[str, str, str]:
    return _("Total"), _("Rounds out"), _("Place")


def _about(sheet: Sheet) -> str:
    """«Friday at Ruth’s · 27 November 2026 · ThoughtCo rules · double-12, 12 tiles each»"""
    game, rules = sheet.game, sheet.rules
    day = game.played_on or timezone.localdate(game.created_at)
    tiles = _("double-%(top)s") % {"top": rules.max_pip}
    deal = sheet.deal(1)
    if deal is not None:
        tiles = _("%(set)s, %(deal)s tiles each") % {"set": tiles, "deal": deal}
    words = [
        game.name,
        date_format(day, pgettext("date format", "j F Y")),
        _("%(card)s rules") % {"card": rule_words.preset_name(rules)},
        tiles,
    ]
    return " · ".join(str(word) for word in words if word)


def _how_to_read() -> str:
    return _("Large: points of the round. Small: running total. A boxed 0: went out.")


def legend(rules: RuleSet) -> Iterator[str]:
    """How the sheet is read and what counts, from the rules."""
    counts_0 = rules.scoring == "penalty" and not rules.out_bonus
    yield (
        _how_to_read()
        if counts_0
        else _("Large: points of the round. Small: running total. Boxed: went out.")
    )
    lines = [rule_words.line(rules, "double_blank"), *rule_words.summary(rules)[2:]]
    if rules.left_counts == "pips":
        yield _("The double blank counts %(points)s.") % {"points": rules.double_blank}
        lines = lines[1:]
    for line in lines:
        yield _("%(what)s: %(how)s.") % {"what": line.label, "how": line.text}
    yield _("Most points win.") if rules.scoring == "positive" else _("Lowest total wins.")
    ways = {"zero_rounds": _("most rounds out"), "lowest_nonzero": _("the lowest other round")}
    if rules.tiebreaks:
        first, *then = [ways[name] for name in rules.tiebreaks]
        text = _("A tie: %(first)s, then %(then)s.") if then else _("A tie: %(first)s.")
        yield text % {"first": first, "then": listed(then)}
    else:
        yield _("A tie: the place is shared.")


def _beside(sheet: Sheet) -> Iterable[str]:
    """Which rounds are in doubt, what signs beside a round say, and who began with points."""
    if doubtful := [number(entry.number) for entry in sheet.rounds if entry.disputed]:
        yield _("Disputed: round %(rounds)s.") % {"rounds": listed(doubtful)}
    yield from _disputes(sheet)
    yield from _records(sheet)
    for player in sheet.players:
        if player.start_total:
            facts = {"name": player.name, "number": player.from_round, "total": number(player.start_total)}
            yield _("%(name)s joined in round %(number)s and began with %(total)s.") % facts


def _disputes(sheet: Sheet) -> Iterator[str]:
    """«In doubt: Ben, round 6. If it is 15, Ben is 2nd.» of each score that waits for a ruling."""
    for one in doubts_of(sheet).lines:
        if one.number:
            yield _("In doubt: %(about)s. %(falls)s") % {"about": one.about, "falls": one.falls}


def _records(sheet: Sheet) -> Iterator[str]:
    """«✓ Every move and all points by the record: rounds 1 and 4.»"""
    return (key.text for key in mark_keys(sheet.record_marks))


def _places(sheet: Sheet) -> Iterator[Place]:
    names = sheet.names()
    for position, row in enumerate(sheet.table):
        above = sheet.table[position - 1] if position else None
        tied = above is not None and above.total == row.total
        yield Place(
            place=place_name(row.place),
            name=names[row.seat],
            total=number(row.total),
            out=number(row.zero_rounds),
            why=tie_reason(compare(above, row, sheet.rules), names) if above is not None and tied else "",
        )
