"""The board on a television: read across a room, pressed by nobody.

Knows how the board's rows lie there: rounds in playing order, the coming ones too.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.agreement_words import MarkKey, mark_keys
from games.models import Role, Status
from games.permissions import Access
from games.selectors import Log, Sheet, links_of, log_of, sheet_of
from games.web.access import reads
from games.web.board import unchanged
from games.web.device import DeviceRequest
from games.web.doubts import Doubt
from games.web.end import headline_of
from games.web.grid import Board, Cell, board_of, lead_of
from games.web.people import Person
from games.web.share import code, link_of

PAGE = "games/tv.html"
COLUMNS = (13, 16, 19)  # how many rounds have room at one size of the figures


class Column(NamedTuple):
    """One round: "played", "now" (being played) or "coming"; `last`: entered just now, as a whole.

    `record`: the sign of what its record says, and that in words.
    """

    number: int
    engine: int
    kind: str
    last: bool
    record: str = ""
    record_words: str = ""


class Spot(NamedTuple):
    """One score; without a text the round is "now" or "coming"."""

    classes: str
    text: str = ""
    more: str = ""  # read out


class Row(NamedTuple):
    person: Person
    place: int | None
    total: str
    retired: bool
    unsure: str
    said: str
    spots: tuple[Spot, ...]  # in playing order


@dataclass(frozen=True, slots=True)
class Television:
    board: Board
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    lead: str
    last: str
    doubt: Doubt | None  # the first result in doubt
    records: tuple[MarkKey, ...]  # what signs beside a round say

    @property
    def room(self) -> int:
        """The class of the figures' size, by the number of rounds."""
        return next((most for most in COLUMNS if len(self.columns) <= most), COLUMNS[-1])


@require_safe
@never_cache
@reads
def tv(request: DeviceRequest, access: Access) -> HttpResponse:
    return render(request, PAGE, _context(request, access))


@require_safe
@never_cache
def live(request: DeviceRequest, slug: str) -> HttpResponse:
    return unchanged(request, slug) or _news(request, slug)


@reads
def _news(request: DeviceRequest, access: Access) -> HttpResponse:
    return render(request, f"{PAGE}#news", _context(request, access))


def _context(request: DeviceRequest, access: Access) -> dict[str, object]:
    game = sheet_of(access.game)
    link = link_of(request, links_of(access.game)[Role.VIEWER])
    return {
        "game": access.game,
        "tv": tv_of(game, log_of(access.game)),
        "code": code(link),
        "most_pips": game.rules.max_pip,
    }


def tv_of(sheet: Sheet, log: Log) -> Television:
    board = board_of(sheet, log)
    columns = tuple(_columns(sheet, board))
    return Television(
        board=board,
        columns=columns,
        rows=tuple(
            Row(
                row.person,
                row.place,
                row.total,
                row.retired,
                row.unsure,
                row.said,
                tuple(_spots(row.cells, columns)),
            )
            for row in board.rows
        ),
        lead=_lead(sheet, sure=not board.doubts.first),
        last=board.notice.text if board.notice else "",
        doubt=board.doubts.lines[0] if board.doubts.lines else None,
        records=tuple(mark_keys(sheet.record_marks)),
    )


def _columns(sheet: Sheet, board: Board) -> Iterable[Column]:
    told = {column.number: column for column in board.columns}
    for number, engine in enumerate(sheet.engines, start=1):
        kind = "coming"
        if number <= len(sheet.rounds):
            kind = "played"
        elif number == board.open_number:
            kind = "now"
        of_board = told.get(number)
        if of_board is None:
            yield Column(number, engine, kind, last=False)
        else:
            yield Column(number, engine, kind, of_board.last, of_board.record, of_board.record_words)


def _spots(newest_first: Iterable[Cell], columns: Iterable[Column]) -> Iterable[Spot]:
    cells = {cell.number: cell for cell in newest_first}
    for column in columns:
        cell = cells.get(column.number)
        if cell is None or cell.kind == "next":
            yield Spot(column.kind)
        elif cell.kind == "score":
            yield Spot(cell.marks, cell.score, cell.more)
        else:
            yield Spot(f"absent {column.kind}", "–", cell.more)


def _lead(sheet: Sheet, *, sure: bool) -> str:
    """«Ann leads by 16.», «Chitra wins with 248.» if nobody disputes it."""
    if not sheet.rounds:
        return ""
    if sheet.game.status == Status.FINISHED:
        return _("%(what)s.") % {"what": headline_of(sheet, sure=sure)}
    return lead_of(sheet)
