"""Spreadsheet files, as far as tables go: rows of texts out of one, and sheets of values into one.

Knows what openpyxl may be given. Pure. Only the parts that a table stands in are unpacked, and counted while
they are; defusedxml, which openpyxl uses, follows no entity of theirs. What is written holds no formula.
"""

from __future__ import annotations

import io
import re
import warnings
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import Any
from xml.etree.ElementTree import ParseError

from openpyxl import Workbook, load_workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.styles import Font
from openpyxl.styles.numbers import BUILTIN_FORMATS
from openpyxl.utils.exceptions import CellCoordinatesException
from openpyxl.writer.excel import ExcelWriter

from games.files.cells import safe
from games.files.tables import MOST_ROWS, MOST_TEXT, NoTable, Table, checked

MOST_UNPACKED = 16_000_000  # of all parts together
MOST_PARTS = 1_000
MOST_TAGS = 400_000  # of one part
MOST_PLACES = 1_000_000  # of a sheet, empty ones too
LAST_ROW = 1_048_576  # that a spreadsheet has
PART = re.compile(r"\[Content_Types\]\.xml|xl/_rels/workbook\.xml\.rels|xl/(worksheets/)?[^/]+\.xml")
BROKEN = (
    *(zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError),  # the packing
    *(ParseError, CellCoordinatesException),  # the parts; ValueError is defusedxml's, too
    *(LookupError, ValueError, TypeError, AttributeError, ArithmeticError),
)
# Days as East Asian editions count them.
BUILTIN_FORMATS.update(dict.fromkeys((*range(27, 37), *range(50, 59)), "yyyy-mm-dd"))
# What openpyxl leaves out of a file is of no table.
warnings.filterwarnings("ignore", category=UserWarning, module="openpyxl")


def read_xlsx(data: bytes, wanted: frozenset[str] = frozenset()) -> Table:
    """The rows of the sheet whose name (casefolded) is one of `wanted`, or of the first; NoTable."""
    try:
        book = load_workbook(_unpacked(data), read_only=True, data_only=True, keep_links=False)
        known = [sheet for sheet in book.worksheets if sheet.sheet_state == "visible"]
        if not known:
            raise NoTable("no_sheet")
        sheet = next((one for one in known if one.title.casefold() in wanted), known[0])
        sheet.reset_dimensions()
        rows = checked(_rows(sheet.iter_rows(values_only=True)))
    except BROKEN:
        raise NoTable("broken") from None
    return Table(rows, (("sheet", sheet.title[:40]),) if len(known) > 1 else ())


def _unpacked(data: bytes) -> io.BytesIO:
    """The parts of a file that a table stands in, not packed any more; NoTable."""
    out, left = io.BytesIO(), MOST_UNPACKED
    with zipfile.ZipFile(io.BytesIO(data)) as packed, zipfile.ZipFile(out, "w") as plain:
        names = frozenset(packed.namelist())
        kinds = {one.compress_type for one in packed.infolist()}
        if len(names) > MOST_PARTS or not kinds <= {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
            raise NoTable("broken")
        if "xl/workbook.xml" not in names:
            raise NoTable("not_xlsx")
        for name in filter(PART.fullmatch, names):
            with packed.open(name) as part:
                xml = part.read(left + 1)  # whatever it says that it unpacks to
            left -= len(xml)
            if left < 0:
                raise NoTable("unpacked", most=MOST_UNPACKED // 1_000_000)
            if xml.count(b"<") > MOST_TAGS:
                raise NoTable("long", most=MOST_TEXT)
            plain.writestr(name, xml)
    return out


def _rows(rows: Iterator[Sequence[object]]) -> Iterator[list[str]]:
    """Each row as texts, to the last that may have one; NoTable. A row that is left out counts as well."""
    left = MOST_PLACES
    for number, row in enumerate(rows, start=1):
        left -= len(row)
        if left < 0:
            raise NoTable("long", most=MOST_TEXT)
        cells = [_text(value) for value in row]
        if number > LAST_ROW or (number > MOST_ROWS and any(cells)):
            raise NoTable("rows", most=MOST_ROWS)
        if number <= MOST_ROWS:
            yield cells


def _text(value: object) -> str:
    """A day in ISO, a whole number without a point; ValueError for a number without end."""
    if isinstance(value, date):
        return value.isoformat()[:10]
    if isinstance(value, bool | float) and value == int(value) and abs(value) < 1e15:
        return str(int(value))
    return "" if value is None else str(value)


# Writing

Value = str | int | float | date | None
NOT_IN_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
NOT_IN_NAME = re.compile(r"[\[\]:*?/\\']")
LONGEST_NAME = 31
BOLD = Font(name="Calibri", size=11, bold=True)
ALWAYS = datetime(2000, 1, 1)  # noqa: DTZ001 - a file has no zone


def write_xlsx(sheets: Mapping[str, tuple[Sequence[str], Sequence[Sequence[Value]]]]) -> bytes:
    """A file of sheets by name: each a heading and rows. The same sheets give the same bytes."""
    book = Workbook(write_only=True)
    book.properties.creator = None
    book.properties.created = book.properties.modified = ALWAYS
    for name, (heading, rows) in sheets.items():
        # Two letters less than a name may have: openpyxl numbers those that are there already.
        plain = NOT_IN_NAME.sub(" ", NOT_IN_XML.sub("", name)).strip()[: LONGEST_NAME - 2]
        sheet = book.create_sheet(plain or "Sheet")
        sheet.freeze_panes = "A2"
        sheet.append([_cell(sheet, value, BOLD) for value in heading])
        for row in rows:
            sheet.append([_cell(sheet, value) for value in row])
    made, out = io.BytesIO(), io.BytesIO()
    ExcelWriter(book, zipfile.ZipFile(made, "w")).save()
    with zipfile.ZipFile(made) as parts, zipfile.ZipFile(out, "w") as packed:
        for part in parts.namelist():
            about = zipfile.ZipInfo(part, ALWAYS.timetuple()[:6])
            packed.writestr(about, parts.read(part), zipfile.ZIP_DEFLATED)
    return out.getvalue()


def _cell(sheet: Any, value: Value, font: Font | None = None) -> object:
    """A text stays one, whatever it looks like."""
    if not isinstance(value, str) or not value:
        return None if value == "" else value
    cell = WriteOnlyCell(sheet, NOT_IN_XML.sub("\ufffd", safe(value)))
    cell.data_type = "s"
    if font:
        cell.font = font
    return cell
