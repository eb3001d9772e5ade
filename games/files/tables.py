"""A table from a file or from pasted text, as rows of texts: CSV in any of its shapes, or a spreadsheet.

Knows bytes, signs and limits. Pure: no Django, no words for people. A cell is text and is never worked out;
where a formula stood, its last result is read. Each row keeps the number it has in the file.
"""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

MOST_BYTES = 2_000_000  # of a file
MOST_TEXT = 400_000  # letters
MOST_ROWS = 3_000
MOST_COLUMNS = 100
MOST_CELL = 200  # letters
SEPARATORS = "\t;,|"
BREAKS = "\t\n\r\v\f\x85\u2028\u2029"
UNREAD = "\ufffd"  # stands for a sign that could not be read

ZIP, OLD_EXCEL, PDF = b"PK\x03\x04", b"\xd0\xcf\x11\xe0", b"%PDF"
Row = tuple[str, ...]


class NoTable(Exception):
    """The file or text cannot be read as a table. `code` names what is wrong, `facts` where."""

    def __init__(self, code: str, **facts: object) -> None:
        super().__init__(f"{code}: {facts}")
        self.code = code
        self.facts = facts


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells; the first is row 1 of the file, and empty ones are kept, so that numbers stay right.

    `notes` are codes of what the reader should know: "windows" (read as Windows-1252), ("sheet", its name).
    """

    rows: tuple[Row, ...]
    notes: tuple[tuple[str, str], ...] = ()

    def __bool__(self) -> bool:
        return any(any(row) for row in self.rows)


def decoded(data: bytes) -> tuple[str, tuple[tuple[str, str], ...]]:
    """The text of a file: UTF-8 or UTF-16 with their mark, UTF-8, else Windows-1252, which is noted."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        try:
            return data.decode("utf-16"), ()
        except UnicodeDecodeError:
            raise NoTable("not_text") from None
    if b"\0" in data:
        raise NoTable("not_text")
    try:
        return data.decode("utf-8-sig"), ()
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace"), (("windows", ""),)


def check_bytes(data: bytes) -> None:
    """NoTable for what is too large, empty, or another program's."""
    if len(data) > MOST_BYTES:
        raise NoTable("too_large", most=MOST_BYTES // 1_000_000)
    if not data.strip():
        raise NoTable("empty")
    if data.startswith(OLD_EXCEL):
        raise NoTable("old_excel")
    if data.startswith((PDF, b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"{\\rtf")):
        raise NoTable("not_text")


def read_text(text: str, is_head: Callable[[Sequence[str]], bool]) -> Table:
    """The rows of a text. A sign separates its columns if the first row is a heading then, or is a tab.

    >>> read_text("Name;Role\\nAnn;member", lambda row: "Name" in row).rows
    (('Name', 'Role'), ('Ann', 'member'))
    """
    if len(text) > MOST_TEXT:
        raise NoTable("long", most=MOST_TEXT)
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    lines = [line if line.strip(f" {SEPARATORS}") else "" for line in text.split("\n")]
    told = _told_separator(lines)  # Excel's own first line, «sep=;»
    between = told or _separator(lines, is_head)
    if told:
        lines[0] = ""
    return Table(checked(_split("\n".join(lines), between)))


def _told_separator(lines: Sequence[str]) -> str:
    first = lines[0].strip().casefold()
    return first[4:] if first.startswith("sep=") and len(first) == 5 and first[4] in SEPARATORS else ""


def _separator(lines: Sequence[str], is_head: Callable[[Sequence[str]], bool]) -> str:
    first = next((line for line in lines if line.strip()), "")
    for sign in SEPARATORS:
        cells = _line(first, sign)
        if len(cells) > 1 and is_head(cells):
            return sign
    return "\t"


def _split(text: str, between: str) -> list[list[str]]:
    try:
        return list(csv.reader(io.StringIO(text), delimiter=between, strict=True))
    except csv.Error:  # a quotation mark that is none
        return [line.split(between) for line in text.split("\n")]


def _line(line: str, between: str) -> list[str]:
    try:
        return [cell.strip() for cell in next(csv.reader([line], delimiter=between), [])]
    except csv.Error:
        return line.split(between)


def checked(rows: Iterable[Sequence[str]]) -> tuple[Row, ...]:
    """The rows without blanks around cells and at their ends; NoTable beyond a limit, which it names."""
    found: list[Row] = []
    for number, row in enumerate(rows, start=1):
        check_cells(row, number)
        cells = [cell_text(cell) for cell in row]
        while cells and not cells[-1]:
            cells.pop()
        if cells and number > MOST_ROWS:
            raise NoTable("rows", most=MOST_ROWS)
        if len(cells) > MOST_COLUMNS:
            raise NoTable("columns", row=number, most=MOST_COLUMNS)
        found.append(tuple(cells))
    while found and not found[-1]:
        found.pop()
    return tuple(found)


def check_cells(cells: Iterable[str], row: int) -> None:
    """NoTable for a cell that is longer than any name or note."""
    for cell in cells:
        if len(cell) > MOST_CELL:
            raise NoTable("cell", row=row, given=cell_text(cell[:40]), most=MOST_CELL)


def cell_text(text: str) -> str:
    """A cell on one line, without blanks around it; a control sign is a sign that could not be read."""
    if text.isascii() and text.isprintable():
        return text.strip()
    return "".join(map(_sign, text)).strip()


def _sign(char: str) -> str:
    if char in BREAKS:
        return " "
    return UNREAD if unicodedata.category(char) == "Cc" else char


def as_text(table: Table) -> str:
    """The table as text that `read_text` reads as the same rows: a row a line, a tab between cells.

    >>> as_text(Table((("Name", "Role"), (), ("Ann", ""))))
    'Name\\tRole\\n\\nAnn\\t\\n'
    """
    out = io.StringIO()
    write = csv.writer(out, delimiter="\t", lineterminator="\n")
    for row in table.rows:
        if row:
            write.writerow(row)
        else:
            out.write("\n")
    return out.getvalue()
