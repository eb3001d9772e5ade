"""Spreadsheet files, as far as tables go: rows of texts out of one, and sheets of values into one.

Knows the parts of an .xlsx file. Pure. What a file unpacks to is counted while it is unpacked, a document
type is never followed, and only the cells' own texts are read. What is written holds no formula.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Callable, Mapping, Sequence
from datetime import date, timedelta
from math import isfinite
from posixpath import normpath
from typing import Any
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

from games.files.cells import safe
from games.files.tables import MOST_COLUMNS, MOST_ROWS, NoTable, Table, check_cells, checked

MOST_UNPACKED = 16_000_000  # of one part
MOST_PARTS = 1_000
CHUNK = 65_536
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
FIRST_DAY, FIRST_DAY_1904 = date(1899, 12, 30), date(1904, 1, 1)
LAST_SERIAL = 2_958_465  # 31 December 9999
DAY_FORMATS = frozenset({14, 15, 16, 17, 22, *range(27, 37), *range(50, 59)})
NOT_PATTERN = re.compile(r'"[^"]*"|\[[^\]]*\]|\\.|_.|\*.')
PLACE = re.compile(r"([A-Z]{1,3})([1-9][0-9]{0,6})")
Start = Callable[[str, dict[str, str]], None]


def read_xlsx(data: bytes, wanted: frozenset[str] = frozenset()) -> Table:
    """The rows of the sheet whose name (casefolded) is one of `wanted`, or of the first; NoTable."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            return _Book(packed).table(wanted)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, NotImplementedError):
        raise NoTable("broken") from None
    except (expat.ExpatError, LookupError, ValueError, OverflowError, UnicodeError):
        raise NoTable("broken") from None


class _Book:
    def __init__(self, packed: zipfile.ZipFile) -> None:
        self.packed = packed
        self.names = frozenset(packed.namelist())
        kinds = {one.compress_type for one in packed.infolist()}
        if len(self.names) > MOST_PARTS or not kinds <= {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
            raise NoTable("broken")
        if "xl/workbook.xml" not in self.names:
            raise NoTable("not_xlsx")
        self.sheets: list[tuple[str, str]] = []
        self.first_day = FIRST_DAY

    def table(self, wanted: frozenset[str]) -> Table:
        self._read("xl/workbook.xml", self._workbook)
        targets: dict[str, str] = {}

        def relation(name: str, given: dict[str, str]) -> None:
            if name == "Relationship" and given.get("TargetMode") != "External":
                target = given.get("Target", "")
                path = target.removeprefix("/") if target.startswith("/") else normpath(f"xl/{target}")
                targets[given.get("Id", "")] = path

        self._read("xl/_rels/workbook.xml.rels", relation)
        known = [(name, targets[key]) for name, key in self.sheets if targets.get(key) in self.names]
        if not known:
            raise NoTable("no_sheet")
        chosen = next((one for one in known if one[0].casefold() in wanted), known[0])
        notes = (("sheet", chosen[0][:40]),) if len(known) > 1 else ()
        return Table(checked(self._rows(chosen[1])), notes)

    def _workbook(self, name: str, given: dict[str, str]) -> None:
        if name == "sheet" and given.get("state", "visible") == "visible":
            self.sheets.append((given.get("name", ""), given.get(f"{OFFICE} id", "")))
        elif name == "workbookPr" and given.get("date1904") in {"1", "true"}:
            self.first_day = FIRST_DAY_1904

    def _read(
        self,
        part: str,
        start: Start,
        text: Callable[[str], None] | None = None,
        end: Callable[[str], None] | None = None,
    ) -> None:
        """Go through a part; NoTable("unpacked") as soon as it is more than a table can be."""
        parser = expat.ParserCreate(namespace_separator=" ")
        parser.buffer_text = True
        parser.StartElementHandler = lambda name, given: start(name.rpartition(" ")[2], given)
        if text is not None:
            parser.CharacterDataHandler = text
        if end is not None:
            parser.EndElementHandler = lambda name: end(name.rpartition(" ")[2])
        parser.StartDoctypeDeclHandler = _no_doctype
        seen = 0
        with self.packed.open(part) as unpacked:
            while chunk := unpacked.read(CHUNK):
                seen += len(chunk)
                if seen > MOST_UNPACKED:
                    raise NoTable("unpacked", most=MOST_UNPACKED // 1_000_000)
                parser.Parse(chunk, False)
            parser.Parse(b"", True)

    def _shared(self) -> list[str]:
        found: list[str] = []
        if "xl/sharedStrings.xml" in self.names:
            texts = _Texts("si", found.append)
            self._read("xl/sharedStrings.xml", texts.start, texts.text, texts.end)
        return found

    def _day_styles(self) -> frozenset[int]:
        """Numbers of the cell styles that show a day."""
        days, styles, inside = set(DAY_FORMATS), list[int](), [False]

        def start(name: str, given: dict[str, str]) -> None:
            if name == "numFmt":
                pattern = NOT_PATTERN.sub("", given.get("formatCode", "").casefold())
                if "d" in pattern and ("m" in pattern or "y" in pattern):
                    days.add(int(given.get("numFmtId", "-1")))
            elif name in {"cellXfs", "cellStyleXfs"}:
                inside[0] = name == "cellXfs"
            elif name == "xf" and inside[0]:
                styles.append(int(given.get("numFmtId", "0")))

        if "xl/styles.xml" in self.names:
            self._read("xl/styles.xml", start)
        return frozenset(at for at, number in enumerate(styles) if number in days)

    def _rows(self, part: str) -> list[list[str]]:
        grid = _Grid(self._shared(), self._day_styles(), self.first_day)
        self._read(part, grid.start, grid.text, grid.end)
        return grid.rows


class _Texts:
    """Collects the texts of one kind of element, without those of phonetic guides."""

    def __init__(self, whole: str, keep: Callable[[str], None]) -> None:
        self.whole, self.keep = whole, keep
        self.parts: list[str] = []
        self.in_text = self.in_guide = False

    def start(self, name: str, _given: dict[str, str]) -> None:
        if name == self.whole:
            self.parts = []
        self.in_guide = self.in_guide or name == "rPh"
        self.in_text = name == "t" and not self.in_guide

    def text(self, text: str) -> None:
        if self.in_text:
            self.parts.append(text)

    def end(self, name: str) -> None:
        self.in_text = False
        if name == "rPh":
            self.in_guide = False
        elif name == self.whole:
            self.keep("".join(self.parts))


class _Grid:
    """A sheet's cells, each in its place."""

    def __init__(self, shared: Sequence[str], days: frozenset[int], first_day: date) -> None:
        self.shared, self.days, self.first_day = shared, days, first_day
        self.rows: list[list[str]] = []
        self.row = self.column = 0
        self.given: dict[str, str] = {}
        self.parts: list[str] = []
        self.reading = self.in_guide = False

    def start(self, name: str, given: dict[str, str]) -> None:
        if name == "row":
            self.row = int(given.get("r", self.row + 1))
            self.column = 0
        elif name == "c":
            self.column += 1
            if place := PLACE.fullmatch(given.get("r", "")):
                self.column, self.row = _column(place[1]), int(place[2])
            self.given, self.parts = given, []
        self.in_guide = self.in_guide or name == "rPh"
        self.reading = name in {"v", "t"} and not self.in_guide

    def text(self, text: str) -> None:
        if self.reading:
            self.parts.append(text)

    def end(self, name: str) -> None:
        self.reading = False
        if name == "rPh":
            self.in_guide = False
        if name == "c" and (value := self._value("".join(self.parts))):
            self._put(value)

    def _put(self, value: str) -> None:
        if self.row > MOST_ROWS:
            raise NoTable("rows", most=MOST_ROWS)
        if self.column > MOST_COLUMNS:
            raise NoTable("columns", row=self.row, most=MOST_COLUMNS)
        check_cells((value,), self.row)
        while len(self.rows) < self.row:
            self.rows.append([])
        line = self.rows[self.row - 1]
        line.extend([""] * (self.column - len(line)))
        line[self.column - 1] = value

    def _value(self, raw: str) -> str:
        kind = self.given.get("t", "n")
        if kind == "s":
            return self.shared[int(raw)] if raw.strip() and 0 <= int(raw) < len(self.shared) else ""
        if kind != "n" or not raw.strip():
            return raw
        number = float(raw)
        if not isfinite(number):
            return raw
        if int(self.given.get("s", "0")) in self.days and 1 <= number <= LAST_SERIAL:
            return (self.first_day + timedelta(days=int(number))).isoformat()
        return str(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)


def _no_doctype(*_given: Any) -> None:
    raise NoTable("broken")


def _column(letters: str) -> int:
    at = 0
    for letter in letters:
        at = at * 26 + ord(letter) - 64
    return at


# Writing

Value = str | int | float | date | None
STYLES = (
    f'<styleSheet xmlns="{MAIN}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/>'
    '</numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/>'
    '<name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill>'
    '<fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/>'
    '<top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" '
    'fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" '
    'borderId="0" xfId="0"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" '
    'applyNumberFormat="1"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>'
    '</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>'
    "</styleSheet>"
)
DAY, BOLD = 1, 2
NOT_IN_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
NOT_IN_NAME = re.compile(r"[\[\]:*?/\\']")
LONGEST_NAME = 31


def write_xlsx(sheets: Mapping[str, tuple[Sequence[str], Sequence[Sequence[Value]]]]) -> bytes:
    """A file of sheets by name: each a heading and rows. The same sheets give the same bytes."""
    names = _sheet_names(list(sheets))
    parts = {
        "[Content_Types].xml": _content_types(len(names)),
        "_rels/.rels": _relations({"rId1": ("officeDocument", "xl/workbook.xml")}),
        "xl/workbook.xml": _workbook(names),
        "xl/_rels/workbook.xml.rels": _relations(
            {f"rId{at}": ("worksheet", f"worksheets/sheet{at}.xml") for at in range(1, len(names) + 1)}
            | {"styles": ("styles", "styles.xml")}
        ),
        "xl/styles.xml": STYLES,
    }
    for at, (heading, rows) in enumerate(sheets.values(), start=1):
        parts[f"xl/worksheets/sheet{at}.xml"] = _sheet(heading, rows)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, text in parts.items():
            about = zipfile.ZipInfo(name, (2000, 1, 1, 0, 0, 0))
            about.compress_type = zipfile.ZIP_DEFLATED
            head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
            packed.writestr(about, (head + text).encode())
    return out.getvalue()


def _sheet_names(names: Sequence[str]) -> list[str]:
    """As a spreadsheet allows them: 31 letters, none of []:*?/\\', each once."""
    found: list[str] = []
    for name in names:
        plain = NOT_IN_NAME.sub(" ", NOT_IN_XML.sub("", name)).strip()[:LONGEST_NAME] or "Sheet"
        at, once = 1, plain
        while once.casefold() in {one.casefold() for one in found}:
            at += 1
            once = f"{plain[: LONGEST_NAME - 4]} {at}"
        found.append(once)
    return found


def _sheet(heading: Sequence[str], rows: Sequence[Sequence[Value]]) -> str:
    lines = [_row(1, [_cell(1, at, name, BOLD) for at, name in enumerate(heading, start=1)])]
    for number, row in enumerate(rows, start=2):
        lines.append(_row(number, [_cell(number, at, value) for at, value in enumerate(row, start=1)]))
    pane = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>'
    view = f'<sheetViews><sheetView workbookViewId="0">{pane}</sheetView></sheetViews>'
    return f'<worksheet xmlns="{MAIN}">{view}<sheetData>{"".join(lines)}</sheetData></worksheet>'


def _row(number: int, cells: Sequence[str]) -> str:
    return f'<row r="{number}">{"".join(cells)}</row>'


def _cell(row: int, column: int, value: Value, style: int = 0) -> str:
    place = f'r="{_letters(column)}{row}"'
    if value is None or value == "":
        return ""
    if isinstance(value, date):
        return f'<c {place} s="{DAY}"><v>{(value - FIRST_DAY).days}</v></c>'
    if isinstance(value, int | float):
        return f"<c {place}><v>{value!r}</v></c>"
    text = escape(NOT_IN_XML.sub("\ufffd", safe(value)))
    return f'<c {place} s="{style}" t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>'


def _letters(column: int) -> str:
    letters = ""
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def _workbook(names: Sequence[str]) -> str:
    sheets = "".join(
        f'<sheet name={quoteattr(name)} sheetId="{at}" r:id="rId{at}"/>' for at, name in enumerate(names, 1)
    )
    return f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets>{sheets}</sheets></workbook>'


def _relations(relations: Mapping[str, tuple[str, str]]) -> str:
    each = "".join(
        f'<Relationship Id="{key}" Type="{OFFICE}/{kind}" Target="{target}"/>'
        for key, (kind, target) in relations.items()
    )
    return f'<Relationships xmlns="{PACKAGE}/relationships">{each}</Relationships>'


def _content_types(count: int) -> str:
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    sheets = "".join(
        f'<Override PartName="/xl/worksheets/sheet{at}.xml" ContentType="{kind}.worksheet+xml"/>'
        for at in range(1, count + 1)
    )
    return (
        f'<Types xmlns="{PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{kind}.sheet.main+xml"/>'
        f'<Override PartName="/xl/styles.xml" ContentType="{kind}.styles+xml"/>{sheets}</Types>'
    )
