"""An old score sheet as text, typed in as it stands or pasted from a spreadsheet, read and added up anew.

Knows lines, columns and sums. Pure: no Django, no rules of the game, no words for people. A cell holds
points, a running total, or both; nothing in it is ever worked out.
"""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

Shape = Literal["auto", "points", "beneath", "totals"]
SHAPES: tuple[Shape, ...] = ("auto", "points", "beneath", "totals")
MOST_TEXT = 40_000
MOST_LINES = 120
MOST_CELLS = 80  # in a line
MOST_PLAYERS = 14
MOST_SHOWN = 40
FIXED = 7  # columns of our own table before its rounds: place, name, total, …

NUMBER = re.compile(r"[-−+]?[0-9]{1,5}")
PAIR = re.compile(r"([-−+]?[0-9]{1,5})(?:\s*[/|]\s*|\s+)\(?([-−+]?[0-9]{1,5})\)?")
ENGINE = re.compile(r"([0-9]{1,2})[-‑–]([0-9]{1,2})")
LABEL = re.compile(r"[^\W\d_]*\.?\s*([0-9]{1,2})\.?")
NOTHING = frozenset({"", "-", "–", "—", "·", "."})
BLOCKED = frozenset({"b", "blocked"})
ROUND_HEADS = frozenset({"", "rd", "round", "r", "#", "no", "nr", "n°"})
ENGINE_HEADS = frozenset({"", "engine", "double", "station"})
TOTAL_HEADS = frozenset({"total", "totals", "sum", "σ"})
OWN_ROUND = re.compile(r"[^()]*?([0-9]{1,2}) \(([0-9]{1,2})-([0-9]{1,2})\).*")


class Unread(Exception):
    """The text is no sheet. `code` names what is wrong; `facts` say where."""

    def __init__(self, code: str, **facts: object) -> None:
        super().__init__(f"{code}: {facts}")
        self.code = code
        self.facts = facts


@dataclass(frozen=True, slots=True)
class Cell:
    """What one player has in one round; None where nothing is written. `absent`: a dash, not in the round."""

    points: int | None = None
    total: int | None = None
    absent: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """One round as the sheet has it; `at` is the line of the text, from 1."""

    at: int
    cells: tuple[Cell, ...]
    engine: int | None = None
    blocked: bool = False


@dataclass(frozen=True, slots=True)
class Paper:
    """A sheet as it was read. `last` is its row of totals; `started` and `apart` are what no round holds.

    `unread` are lines at the end that hold neither: their number and how they begin.
    """

    names: tuple[str, ...]
    rounds: tuple[Line, ...]
    last: tuple[int | None, ...] = ()
    started: tuple[int, ...] = ()
    apart: tuple[int, ...] = ()
    unread: tuple[tuple[int, str], ...] = ()
    totals_only: bool = False
    headed: bool = True  # it names its people itself

    def points(self) -> list[list[int | None]]:
        """By round and player: what is written, or what the totals say was added."""
        if not self.totals_only:
            return [[cell.points for cell in line.cells] for line in self.rounds]
        before = [0] * len(self.names)
        found: list[list[int | None]] = []
        for line in self.rounds:
            row: list[int | None] = []
            for column, cell in enumerate(line.cells):
                row.append(None if cell.total is None else cell.total - before[column])
                before[column] = before[column] if cell.total is None else cell.total
            found.append(row)
        return found


@dataclass(frozen=True, slots=True)
class Slip:
    """A place where the addition went wrong: in round `number` (0: the row of totals), for one player.

    `points` None: the total alone is there, and it went down.
    """

    number: int
    column: int
    before: int
    points: int | None
    right: int
    written: int


def slips(paper: Paper) -> list[Slip]:
    """Every wrong sum, the first row first. Each row goes on from what the one above says, right or not.

    >>> paper = read_paper("Ann Ben\\n10/10 0/0\\n5/16 3/3\\n0/16 1/4")
    >>> [(slip.number, slip.column, slip.right, slip.written) for slip in slips(paper)]
    [(2, 0, 15, 16)]
    """
    found = []
    started = paper.started or (0,) * len(paper.names)
    before = list(started)
    for number, line in enumerate(paper.rounds, start=1):
        for column, cell in enumerate(line.cells):
            if paper.totals_only:
                if cell.total is not None and cell.total < before[column]:
                    slip = Slip(number, column, before[column], None, before[column], cell.total)
                    found.append(slip)
                before[column] = before[column] if cell.total is None else cell.total
                continue
            right = before[column] + (cell.points or 0)
            if cell.total is not None and cell.total != right:
                found.append(Slip(number, column, before[column], cell.points or 0, right, cell.total))
            before[column] = right if cell.total is None else cell.total
    for column, written in enumerate(paper.last):
        given = paper.apart[column] if paper.apart else 0
        if written is not None and written != before[column] + given:
            found.append(Slip(0, column, before[column], given, before[column] + given, written))
    return found


def read_paper(
    text: str,
    names: Sequence[str] = (),
    *,
    shape: Shape = "auto",
    total_words: Iterable[str] = (),
    blocked_words: Iterable[str] = (),
) -> Paper:
    """A sheet from its text. `names`: who sits where, if the first line does not say. Unread if it is none.

    `total_words` and `blocked_words` are further ones than the English.

    >>> paper = read_paper("Ruth;Ben\\n0;20\\n14;0")
    >>> paper.names, paper.points()
    (('Ruth', 'Ben'), [[0, 20], [14, 0]])
    """
    rows = _rows(text)
    if own := _own_table(rows):
        return own
    totals = TOTAL_HEADS | {word.casefold().rstrip(".") for word in total_words}
    blocked = BLOCKED | {word.casefold() for word in blocked_words}
    head = _head(*rows[0], totals)
    headed = head is not None
    if head is not None:
        rows = rows[1:]
    elif names:
        head = _Head(tuple(names))
    else:
        raise Unread("names", line=rows[0][0])
    body: list[_Row] = []
    last: tuple[int | None, ...] = ()
    unread: list[tuple[int, str]] = []
    for at, cells in rows:
        word = _word(cells)
        if word.casefold().rstrip(".:") in totals and not last:
            last = _last(at, cells[1:], head)
        elif word and word.casefold() not in blocked and not LABEL.fullmatch(word):
            if not body:
                raise Unread("head", line=at, given=word[:MOST_SHOWN])
            unread.append((at, word[:MOST_SHOWN]))
        elif last or unread:
            raise Unread("after_total", line=at)
        else:
            expected = sum(row.labelled for row in body) or len(body)
            body.append(_row(at, cells, head, blocked, expected + 1))
    return _shaped(Paper(head.names, (), last, unread=tuple(unread), headed=headed), body, shape)


def _last(at: int, cells: Sequence[str], head: _Head) -> tuple[int | None, ...]:
    """The row of totals, whatever blank cells stand before them."""
    found = list(cells)
    while len(found) > head.width and not found[0]:
        found.pop(0)
    pairs = head.pairs
    values = tuple(_cells(at, _fit(at, found, head), pairs))
    return tuple(cell.total if cell.points is None else cell.points for cell in values)


# Lines and columns


def _rows(text: str) -> list[tuple[int, list[str]]]:
    """The lines that hold something, with their number, in cells."""
    if len(text) > MOST_TEXT:
        raise Unread("long", most=MOST_TEXT)
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    lines = [(at, line) for at, line in enumerate(text.split("\n"), start=1) if line.strip(" \t;,\0")]
    if not lines:
        raise Unread("empty")
    if len(lines) > MOST_LINES:
        raise Unread("lines", most=MOST_LINES)
    between = next((sign for sign in "\t;," if any(sign in line for _at, line in lines)), "")
    rows = [(at, _split(line, between)) for at, line in lines]
    for at, cells in rows:
        if len(cells) > MOST_CELLS:
            raise Unread("columns", line=at, most=MOST_CELLS)
    return rows


def _split(line: str, between: str) -> list[str]:
    if between:
        try:
            found = next(csv.reader(io.StringIO(line), delimiter=between), [])
        except csv.Error:
            found = line.split(between)
        return [cell.strip() for cell in found]
    found = re.split(r"\s{2,}", line.strip())
    return found if len(found) > 1 else line.split()


@dataclass(frozen=True, slots=True)
class _Head:
    """Who sits where. `labels`: columns before theirs; `pairs`: each has two, points and total."""

    names: tuple[str, ...]
    labels: int = 0
    pairs: bool = False

    @property
    def width(self) -> int:
        return len(self.names) * (2 if self.pairs else 1)


def _head(at: int, cells: Sequence[str], totals: frozenset[str]) -> _Head | None:
    """The first line, if it names people."""
    words = [cell for cell in cells if re.search(r"[^\W\d_]", cell)]
    if len(words) < 2 or cells[0].casefold().rstrip(".") in totals:
        return None
    left, labels = list(cells), 0
    for heads in (ROUND_HEADS, ENGINE_HEADS):
        if len(left) > 1 and left[0].casefold().rstrip(".") in heads:
            left.pop(0)
            labels += 1
    while left and not left[-1]:
        left.pop()
    both = left + [""] * (len(left) % 2)
    pairs = len(both) > 3 and all(both[::2]) and {cell.casefold() for cell in both[1::2]} <= totals | {""}
    names = both[::2] if pairs else left
    if any(not name for name in names):
        raise Unread("name_blank", line=at)
    if len(names) > MOST_PLAYERS:
        raise Unread("players", line=at, count=len(names), most=MOST_PLAYERS)
    return _Head(tuple(names), labels, pairs)


def _word(cells: Sequence[str]) -> str:
    """What a line is called, if it begins with a word."""
    first = cells[0] if cells else ""
    return first if re.match(r"[^\W\d_]|Σ", first) else ""


@dataclass(frozen=True, slots=True)
class _Row:
    line: Line
    labelled: bool


def _row(at: int, cells: Sequence[str], head: _Head, blocked: frozenset[str], expected: int) -> _Row:
    """One line of numbers. `expected` is the number of the next round, which may stand before them."""
    marked = any(cell.casefold() in blocked for cell in cells)
    left = [cell for cell in cells if cell.casefold() not in blocked]
    if marked and head.labels and len(left) < len(cells) and cells[0].casefold() in blocked:
        left = ["", *left]  # the mark stands where the number would
    label, engine = "", ""
    if head.labels:
        labels = left[: head.labels]
        left = left[head.labels :]
    else:
        left = _trimmed(left)
        spare = max(0, len(left) - head.width)
        labels = left[:spare]
        left = left[spare:]
    for text in labels:
        if ENGINE.fullmatch(text):
            engine = text
        elif text:
            label = text
    if len(labels) > 2 or (label and not LABEL.fullmatch(label)):
        raise Unread("width", line=at, count=len(_trimmed(cells)), players=head.width)
    number = int(LABEL.sub(r"\1", label)) if label else expected
    if number != expected:
        if not head.labels:
            raise Unread("width", line=at, count=len(_trimmed(cells)), players=head.width)
        raise Unread("order", line=at, given=number, expected=expected)
    found = ENGINE.fullmatch(engine)
    if found and found[1] != found[2]:
        raise Unread("number", line=at, given=engine)
    line = Line(
        at, tuple(_cells(at, _fit(at, left, head), head.pairs)), int(found[1]) if found else None, marked
    )
    return _Row(line, bool(label or engine))


def _trimmed(cells: Sequence[str]) -> list[str]:
    found = list(cells)
    while found and not found[-1]:
        found.pop()
    return found


def _fit(at: int, cells: Sequence[str], head: _Head) -> list[str]:
    """As many cells as there are columns: blank ones at the end may be missing, or too many."""
    found = _trimmed(cells)
    if len(found) > head.width or not found:
        raise Unread("width", line=at, count=len(found), players=head.width)
    return found + [""] * (head.width - len(found))


def _cells(at: int, texts: Sequence[str], pairs: bool) -> Iterator[Cell]:
    if pairs:
        for points, total in zip(texts[::2], texts[1::2], strict=True):
            yield Cell(_number(at, points), _number(at, total), points in NOTHING and points != "")
        return
    for text in texts:
        if both := PAIR.fullmatch(text):
            yield Cell(_int(both[1]), _int(both[2]))
        else:
            yield Cell(_number(at, text), absent=text in NOTHING and text != "")


def _number(at: int, text: str) -> int | None:
    bare = text.strip("[]() ")
    if bare in NOTHING:
        return None
    if not NUMBER.fullmatch(bare):
        shown = "".join("?" if unicodedata.category(char)[0] == "C" else char for char in text)
        raise Unread("number", line=at, given=shown[:MOST_SHOWN])
    return _int(bare)


def _int(text: str) -> int:
    return int(text.replace("−", "-"))


# What the numbers are


def _shaped(paper: Paper, rows: Sequence[_Row], shape: Shape) -> Paper:
    if not rows:
        raise Unread("rounds")
    lines = [row.line for row in rows]
    if any(cell.total is not None for line in lines for cell in line.cells):
        return replace(paper, rounds=tuple(lines))
    if shape == "auto":
        shape = _recognised(rows)
    if shape == "beneath":
        return replace(paper, rounds=tuple(_beneath(rows)))
    if shape == "totals":
        turned = [
            replace(line, cells=tuple(Cell(None, cell.points, cell.absent) for cell in line.cells))
            for line in lines
        ]
        return replace(paper, rounds=tuple(turned), totals_only=True)
    return replace(paper, rounds=tuple(lines))


def _recognised(rows: Sequence[_Row]) -> Shape:
    lines = [[cell.points for cell in row.line.cells] for row in rows]
    labels = [row.labelled for row in rows]
    halves = len(rows) % 2 == 0
    if halves and labels == [True, False] * (len(rows) // 2):
        return "beneath"
    if halves and not any(labels) and lines[0] == lines[1] and _mostly_sums(lines):
        return "beneath"
    grows = all(_grows([line[column] for line in lines]) for column in range(len(lines[0])))
    if len(lines) > 1 and grows and not all(0 in line for line in lines):
        return "totals"
    return "points"


def _mostly_sums(lines: Sequence[Sequence[int | None]]) -> bool:
    """Whether every second line is, for most players, the one above added to the total before."""
    right = wrong = 0
    for above, points, total in zip(lines[1::2], lines[2::2], lines[3::2], strict=False):
        for before, more, after in zip(above, points, total, strict=True):
            fits = (before or 0) + (more or 0) == (after or 0)
            right, wrong = right + fits, wrong + (not fits)
    return right >= 3 * wrong


def _grows(column: Sequence[int | None]) -> bool:
    values = [value for value in column if value is not None]
    return all(one <= other for one, other in pairwise(values))


def _beneath(rows: Sequence[_Row]) -> Iterator[Line]:
    if len(rows) % 2:
        raise Unread("beneath", line=rows[-1].line.at)
    for upper, lower in zip(rows[::2], rows[1::2], strict=True):
        cells = zip(upper.line.cells, lower.line.cells, strict=True)
        joined = tuple(Cell(above.points, below.points, above.absent) for above, below in cells)
        yield replace(upper.line, cells=joined, blocked=upper.line.blocked or lower.line.blocked)


# Our own table for spreadsheets: a row a player, a column a round


def _own_table(rows: list[tuple[int, list[str]]]) -> Paper | None:
    at, head = rows[0]
    heads = [OWN_ROUND.fullmatch(cell) for cell in head[FIXED:]]
    if not heads or not all(heads):
        return None
    engines = [int(found[2]) for found in heads if found]
    width = FIXED + len(heads)
    if len(rows) - 1 > MOST_PLAYERS:
        raise Unread("players", line=at, count=len(rows) - 1, most=MOST_PLAYERS)
    names, last, started, apart, columns = [], [], [], [], []
    for at, given in rows[1:]:
        if len(given) < FIXED or len(given) > width:
            raise Unread("width", line=at, count=len(given), players=width)
        cells = given + [""] * (width - len(given))
        names.append(_unguarded(cells[1]))
        last.append(_number(at, cells[2]))
        started.append(_number(at, cells[5]) or 0)
        apart.append(_number(at, cells[6]) or 0)
        columns.append([Cell(_number(at, cell), absent=not cell) for cell in cells[FIXED:]])
    lines = [
        Line(rows[0][0], tuple(column[number] for column in columns), engine)
        for number, engine in enumerate(engines)
    ]
    if not names:
        raise Unread("names", line=rows[0][0])
    return Paper(tuple(names), tuple(lines), tuple(last), tuple(started), tuple(apart))


def _unguarded(name: str) -> str:
    """A name without the apostrophe that told a spreadsheet it is no formula."""
    return name[1:] if re.match(r"'\s*[=+\-@＝＋－＠]", name) else name
