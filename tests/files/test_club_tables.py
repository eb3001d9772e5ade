"""Tables of a club in and out: broken and hostile files are named, and what went out comes in the same."""

from __future__ import annotations

import doctest
import io
import random
import re
import time
import zipfile
from collections.abc import Mapping
from datetime import date
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from games.clubs import NewMember, members_bring
from games.engine.scheme import Scheme
from games.files import cells, club_out, heads, members_in, season_in, tables
from games.files.cells import bare, safe
from games.files.club_out import as_csv, as_xlsx, members_table, season_tables
from games.files.club_words import NO_TABLE, NOTES, WRONG
from games.files.heads import Unclear, day, whole
from games.files.tables import NoTable, Table, as_text, decoded, read_text
from games.files.xlsx import Value, read_xlsx, write_xlsx
from games.models import Attempts, Club, ClubRole, Game, Member, Season
from games.seasons import doubt_decide, doubt_raise, game_change, night_void
from games.told import NewSeason, season_bring
from tests import club as at_club
from tests.club import night, table
from tests.hostile import NAMES, REFUSED
from tests.web.test_club_home import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def packed(parts: Mapping[str, str | bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return out.getvalue()


def book(sheet: str | bytes, **others: str | bytes) -> bytes:
    """A spreadsheet file whose first sheet is `sheet`; `others` replace its parts. Style 2 shows a day."""
    with zipfile.ZipFile(io.BytesIO(write_xlsx({"One": (["Name"], [[date(2026, 3, 5)]])}))) as whole_file:
        parts: dict[str, str | bytes] = {name: whole_file.read(name) for name in whole_file.namelist()}
    types = parts["[Content_Types].xml"]
    assert isinstance(types, bytes)
    strings = f'<Override PartName="/xl/sharedStrings.xml" ContentType="{KIND}.sharedStrings+xml"/></Types>'
    parts["[Content_Types].xml"] = types.decode().replace("</Types>", strings)
    parts["xl/sharedStrings.xml"] = f"<sst {NS}/>"
    parts["xl/worksheets/sheet1.xml"] = sheet
    return packed(parts | {name.replace("__", "/"): text for name, text in others.items()})


NS = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
KIND = "application/vnd.openxmlformats-officedocument.spreadsheetml"


def sheet(cells: str) -> str:
    return f"<worksheet {NS}><sheetData>{cells}</sheetData></worksheet>"


def text_cell(text: str) -> str:
    return f'<c t="inlineStr"><is><t>{text}</t></is></c>'


LAUGHS = (
    '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "haha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;">'
    f'<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;">]><worksheet {NS}><sheetData><row><c t="inlineStr"><is><t>'
    "&c;</t></is></c></row></sheetData></worksheet>"
)
OUTSIDE = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>' + sheet(f"<row>{text_cell('&a;')}</row>")
ZEROS = b"<worksheet>" + b" " * 40_000_000
# Both of its two lists say so.
LIES = book(ZEROS).replace(len(ZEROS).to_bytes(4, "little"), (40).to_bytes(4, "little"))

# What is in the file, and a part of the sentence that says so.
HOSTILE: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", "There is nothing in it"),
    "white space": (b" \r\n\t\n", "There is nothing in it"),
    "separators alone": (b";;;\n;;\n", "There is nothing in it"),
    "a heading alone": (b"Name;Role\n", "a heading and no row"),
    "a picture": (b"\x89PNG\r\n\x1a\n\x00\x00", "is no table"),
    "a pdf": (b"%PDF-1.7 ...", "is no table"),
    "rich text": (b"{\\rtf1 Ann}", "is no table"),
    "an old excel file": (b"\xd0\xcf\x11\xe0" + b"\0" * 600, "an old Excel file"),
    "nul bytes": (b"Name\nAnn\0Ben", "is no table"),
    "half of utf-16": (b"\xff\xfeN\x00a", "is no table"),
    "three megabytes": (b"Name\n" + b"a" * 3_000_000, "too large"),
    "half a million letters": (b"Name\n" + b"Ann\n" * 120_000, "too much text"),
    "a million rows": (b"Name\n" + b"\n" * 360_000 + b"Ann\n", "more than 3,000 rows"),
    "columns without end": (b"Name" + b";x" * 200 + b"\n", "Row 1 has more than 100 columns"),
    "a cell without end": (b"Name\n" + b"A" * 5_000, "Row 2: a cell is too long, “AAAA"),
    "an open quotation mark": (b'Name;Role\n"Ann;member\n' + b"Cem;member\n" * 9, "Row 4: “Cem” is in row 3"),
    "columns without a heading": (b"Ann;scorer\nBen;member\n", "which column is the name: “Ann;scorer”"),
    "no zip": (b"PK\x03\x04 and nothing more", "damaged"),
    "half a zip": (book(sheet(""))[:700], "damaged"),
    "another zip": (packed({"mimetype": "application/vnd.oasis.opendocument.spreadsheet"}), "no Excel file"),
    "two thousand parts": (packed({f"p{at}": "" for at in range(2_000)}), "damaged"),
    "a zip bomb": (book(ZEROS), "unpacks to more than 16 MB"),
    "a zip bomb that says it is small": (LIES, "damaged"),
    "a bomb of strings": (
        book(
            sheet('<row><c t="s"><v>0</v></c></row>'),
            **{"xl__sharedStrings.xml": f"<sst {NS}><si><t>{'A' * 10_000_000}</t></si></sst>"},
        ),
        "a cell is too long",
    ),
    "a billion laughs": (book(LAUGHS), "damaged"),
    "a file from outside": (book(OUTSIDE), "damaged"),
    "xml that breaks off": (book(sheet("<row><c>")[:-30]), "damaged"),
    "xml that is none": (book(b"\x00\x01\x02"), "damaged"),
    "another letter code": (book('<?xml version="1.0" encoding="x-none"?>' + sheet("")), "damaged"),
    "no sheet": (book(sheet(""), **{"xl__workbook.xml": f"<workbook {NS}><sheets/></workbook>"}), "no sheet"),
    "an empty sheet": (book(sheet("")), "There is nothing in it"),
    "a row of no number": (book(sheet('<row r="x"><c><v>1</v></c></row>')), "damaged"),
    "a row far below": (book(sheet(f'<row r="1048576">{text_cell("Ann")}</row>')), "more than 3,000 rows"),
    "a row below the last one": (
        book(sheet(f'<row r="{10**14}">{text_cell("Ann")}</row>')),
        "more than 3,000 rows",
    ),
    "a size that is none": (
        book(sheet("").replace("<sheetData>", '<dimension ref="A1:XFD1048576"/><sheetData>')),
        "There is nothing in it",
    ),
    "cells without end": (book(sheet("<row>" + "<c/>" * 400_000 + "</row>")), "too much text"),
    "rows that are all too wide": (
        book(sheet("".join(f'<row><c r="XFD{at}"/></row>' for at in range(1, 3_000)))),
        "too much text",
    ),
    "a column far out": (
        book(sheet('<row r="1"><c r="XFD1" t="inlineStr"><is><t>x</t></is></c></row>')),
        "Row 1 has more than 100 columns",
    ),
    "a number of 5,000 digits": (
        book(sheet(f"<row><c><v>{'9' * 5_000}</v></c></row>")),
        "damaged",
    ),
    "a number of 1,000 digits": (
        book(sheet(f"<row><c><v>{'9' * 1_000}</v></c></row>")),
        "a cell is too long",
    ),
    "a number without end": (book(sheet("<row><c><v>1e999</v></c></row>")), "damaged"),
    "a string that is not there": (book(sheet('<row><c t="s"><v>7</v></c></row>')), "damaged"),
    "a style that is none": (book(sheet('<row><c s="x"><v>7</v></c></row>')), "damaged"),
    "a name turned around": ("Name\nAnn\u202ennA".encode(), "Row 2: “AnnnnA” holds a sign that nobody"),
    "a name nobody sees": ("Name;Role\n\u2800;member".encode(), "Row 2: “\u2800” holds a sign that nobody"),
    "a control sign": (b"Name\nAn\x07n\n", "holds a sign that could not be read"),
    "a name without end": (b"Name\n" + b"A" * 41, "is too long. A name has at most 40 letters."),
    "600 members": (
        b"Name\n" + b"".join(b"Member %d\n" % at for at in range(600)),
        "more members than a club can have",
    ),
}


def test_forty_broken_and_hostile_files_are_named_and_none_is_taken() -> None:
    club = at_club.found()
    phone = signed_in(club, "Kwame", ClubRole.ORGANISER)
    before = (Member.objects.count(), club.log.count())
    assert len(HOSTILE) >= 40
    for where in ("members", "seasons"):
        for name, (data, said) in HOSTILE.items():
            Attempts.objects.all().delete()
            begun = time.process_time()
            file = SimpleUploadedFile("evil\u202e<b>.xlsx", data)
            answer = phone.post(f"/clubs/{club.slug}/{where}/bring-in/", {"do": "bring", "file": file})
            text = " ".join(answer.content.decode().split())
            assert answer.status_code == 422, (where, name, answer.status_code)
            assert 'role="alert"' in text, (where, name)
            assert where == "seasons" or said in text, (name, text[text.index("<main") :][:1_500])
            assert "<b>.xlsx" not in text, name
            assert time.process_time() - begun < 5, (where, name)
    assert (Member.objects.count(), club.log.count()) == before
    assert not Game.objects.exists()


@pytest.mark.usefixtures("one_minute")
def test_a_throttled_phone_is_told() -> None:
    club = at_club.found()
    phone = signed_in(club, "Kwame", ClubRole.ORGANISER)
    answers = {
        phone.post(
            f"/clubs/{club.slug}/members/bring-in/", {"file": SimpleUploadedFile("a.csv", b"Name\nAnn")}
        ).status_code
        for _try in range(25)
    }
    assert answers == {200, 429}


def test_every_code_has_its_sentence() -> None:
    sources = {
        one: Path(f"games/files/{one}.py").read_text(encoding="utf-8")
        for one in ("tables", "xlsx", "members_in", "season_in", "heads")
    }
    text = "".join(sources.values())
    assert set(re.findall(r'NoTable\(\s*"(\w+)"', text)) == set(NO_TABLE)
    found = set(re.findall(r'Wrong\(\s*[\w.\[\]]+,\s*"(\w+)"', text))
    found |= set(re.findall(r'Unclear\("(\w+)"\)', text)) | {
        "left_before_joined",
        "left_later",
        "outside_open",
    }
    assert found == set(WRONG)
    assert set(NOTES) == {"windows", "sheet"}


@pytest.mark.parametrize(
    ("data", "rows"),
    [
        ("Name;Role\r\nÉva;scorer\r\n".encode("cp1252"), (("Name", "Role"), ("Éva", "scorer"))),
        ("\ufeffName,Role\nÉva,scorer".encode(), (("Name", "Role"), ("Éva", "scorer"))),
        ("Name\tRole\r\nÉva\tscorer\r\n".encode("utf-16"), (("Name", "Role"), ("Éva", "scorer"))),
        (b'sep=;\nName;Role\n"Ann; K";scorer', ((), ("Name", "Role"), ("Ann; K", "scorer"))),
        (b"Smith, Ann\nJones, Ben", (("Smith, Ann",), ("Jones, Ben",))),
        (b'Name,Note\n"Ann ""Bo""\nK",x', (("Name", "Note"), ('Ann "Bo" K', "x"))),
        (b'Name\n5" Ann\n"Ben" x', (("Name",), ('5" Ann',), ('"Ben" x',))),
    ],
)
def test_text_is_read_in_every_shape(data: bytes, rows: tuple[tuple[str, ...], ...]) -> None:
    text, _notes = decoded(data)
    read = read_text(text, members_in.is_head)
    assert read.rows == rows
    assert read_text(as_text(read), members_in.is_head).rows == rows


def test_what_can_be_read_in_two_ways_is_refused() -> None:
    assert day("5.3.2026") == day("2026-3-5") == day("2026-03-05T00:00:00") == date(2026, 3, 5)
    assert day("25/3/2026") == day("3/25/2026") == date(2026, 3, 25)
    for text in ("3/4/2026", "5.3.26", "2026", "46086", "31.2.2026", "5. March", "5.3.2026.", "0001-01-01"):
        with pytest.raises(Unclear):
            day(text)
    assert [whole(text) for text in ("39", "39,0", "39.00", "−3", "+3")] == [39, 39, 39, -3, 3]
    for text in ("39,5", "1.000", "1 000", "1e3", "٣", "--3", "12a", "=1+1", "9999999"):
        with pytest.raises(Unclear):
            whole(text)


def test_a_cell_is_never_a_formula_and_comes_back_the_same() -> None:
    for name in (*NAMES, *REFUSED, "'=1", "''+1", "\t=1", "'", "=", "-", "@a", "＝1"):
        assert bare(safe(name)) == name
        assert not safe(name).lstrip().startswith(("=", "+", "-", "@", "＝", "＋", "－", "＠"))


def test_what_a_spreadsheet_holds_is_read_as_its_texts() -> None:
    cells = (
        '<row r="1"><c r="A1" t="inlineStr"><is><t>Name</t></is></c>'
        '<c r="C1" t="str"><f>1+1</f><v>2</v></c></row>'
        '<row r="3"><c r="A3" t="inlineStr"><is><r><t>An</t></r><r><t>n</t></r>'
        '<rPh sb="0" eb="1"><t>x</t></rPh></is></c>'
        '<c r="B3" s="2"><v>46086</v></c><c r="C3"><v>39.0</v></c><c r="D3" t="e"><v>#REF!</v></c>'
        '<c r="E3"><v>7.5</v></c><c r="F3" t="b"><v>1</v></c></row>'
    )
    odd = sheet(cells).replace("<sheetData>", '<dimension ref="A1"/><sheetData>')
    odd = odd.replace("</sheetData>", '</sheetData><extLst><ext uri="x"/></extLst>')  # openpyxl warns of it
    assert read_xlsx(book(odd)).rows == (
        ("Name", "", "2"),
        (),
        ("Ann", "2026-03-05", "39", "#REF!", "7.5", "1"),
    )


@pytest.mark.parametrize(("number", "text"), [(1, "46086"), (14, "2026-03-05"), (31, "2026-03-05")])
def test_a_day_is_told_from_a_number_by_its_style(number: int, text: str) -> None:
    styles = f'<styleSheet {NS}><cellXfs><xf/><xf numFmtId="{number}"/></cellXfs></styleSheet>'
    cells = sheet('<row><c s="1"><v>46086</v></c></row>')
    assert read_xlsx(book(cells, **{"xl__styles.xml": styles})).rows == ((text,),)


def test_the_sheet_that_is_wanted_is_read_and_a_hidden_one_never() -> None:
    made = write_xlsx({name: ([name], [["Ann"]]) for name in ("One", "Two", "Three", "a/b" * 12, "one")})
    with zipfile.ZipFile(io.BytesIO(made)) as whole_file:
        parts = {name: whole_file.read(name) for name in whole_file.namelist()}
    hidden = parts["xl/workbook.xml"].replace(b'sheetId="2" state="visible"', b'sheetId="2" state="hidden"')
    data = packed(parts | {"xl/workbook.xml": hidden.replace(b'sheetId="1" state="visible"', b'sheetId="1"')})
    for wanted, name in (("three", "Three"), ("two", "One"), ("one1", "one"), ("none", "One")):
        read = read_xlsx(data, frozenset({wanted}))
        assert read.rows[0] == (name,)
        assert read.notes == (("sheet", "one1" if wanted == "one1" else name),)


def test_a_damaged_spreadsheet_is_a_table_or_none() -> None:
    good = write_xlsx({"One": (["Name", "Day"], [["Ann", date(2026, 3, 5)], ["Zoë", 7.5]])})
    with zipfile.ZipFile(io.BytesIO(good)) as whole_file:
        parts = {name: whole_file.read(name) for name in whole_file.namelist()}
    chance = random.Random(8)
    found = set()
    for at in range(30):
        name = chance.choice(sorted(parts))
        broken = bytearray(parts[name] if at % 2 else good)
        for _sign in range(chance.randrange(1, 4)):
            broken[chance.randrange(len(broken))] = chance.choice(b'0123456789-<>/="&; Ax\xff')
        try:
            read_xlsx(packed(parts | {name: bytes(broken)}) if at % 2 else bytes(broken))
            found.add("a table")
        except NoTable as none:
            found.add(none.code)
    assert {"a table", "broken"} <= found <= {"a table", *NO_TABLE}


def test_a_text_is_written_as_one_and_the_same_twice() -> None:
    rows: list[list[Value]] = [["#N/A", 39], ["=1+1", 7.5], ["12", None], ["", 0], [" a\tb ", -1]]
    rows.append(["\x0b\ud800", date(2026, 3, 5)])
    made = write_xlsx({"One": (["TRUE", "Day"], rows)})
    with zipfile.ZipFile(io.BytesIO(made)) as whole_file:
        text = whole_file.read("xl/worksheets/sheet1.xml").decode()
        assert {one.date_time[0] for one in whole_file.infolist()} == {2000}
        assert b"2000-01-01" in whole_file.read("docProps/core.xml")
    assert set(re.findall(r' t="(\w+)"', text)) == {"inlineStr", "n"}
    assert "<f" not in text
    assert read_xlsx(made).rows == (
        ("TRUE", "Day"),
        ("#N/A", "39"),
        ("'=1+1", "7.5"),
        ("12",),
        ("", "0"),
        ("a b", "-1"),
        ("\ufffd\ufffd", "2026-03-05"),
    )
    assert write_xlsx({"One": (["TRUE", "Day"], rows)}) == made


# Out and in again


def a_season(club: Club) -> Season:
    """Two nights with a tie, a guest, a forfeit, a void night and a doubt that was decided."""
    spring = at_club.season(club)
    tied = night(spring, 1, ["Chitra", "Ben", "Guest"], [0, 20, 5], [20, 0, 8])
    night(spring, 1, ["Kwame", "Priya"], [0, 7])
    lost = night(spring, 2, ["Chitra", "Priya"], [3, 0])
    game_change(played=lost, forfeits=frozenset({2}), reason="Left")
    night(spring, 3, ["Ben", "Priya"], [0, 30])
    night_void(season=spring, on=date(2026, 3, 19), void=True, reason="The set was short")
    night(spring, 4, ["Ben", "Priya"], [0, 30], finish=False)
    doubt = doubt_raise(played=tied, other={"void": True}, reason="=Who?")
    doubt_decide(doubt=doubt, stands=True, reason="All saw it")
    return spring


def again(read: Table, club: Club, name: str) -> Season:
    """A season of what a file holds, in another club."""
    plan = season_in.nights_of(read, club, season=None, chosen={})
    assert plan.wrong == []
    days = [game.on for game in plan.new]
    new = NewSeason(name=name, starts_on=min(days), ends_on=max(days), scheme=Scheme())
    return season_bring(club=club, season=new, games=plan.new, members=plan.members, source="file.csv")


def test_results_go_out_and_come_in_as_the_same_table() -> None:
    spring = a_season(at_club.found())
    before = table(spring)
    out = season_tables([spring], ["results"])["results"]
    assert len(out.rows) == 9
    elsewhere = at_club.found("Zoë", *NAMES[:20])
    by_csv = again(read_text(as_csv(out), season_in.is_head), elsewhere, "By CSV")
    other = at_club.found("Yan")
    by_xlsx = again(read_xlsx(as_xlsx([out])), other, "By XLSX")
    for season in (by_csv, by_xlsx):
        assert sorted(table(season)) == sorted(before)
        came = season_tables([season], ["results"])["results"]
        assert (came.heading, came.rows) == (out.heading, out.rows)
    plan = season_in.nights_of(
        read_text(as_csv(out), season_in.is_head), spring.club, season=spring, chosen={}
    )
    assert (len(plan.new), len(plan.here), plan.wrong) == (0, 4, [])


def test_hostile_names_travel_round_as_members_and_in_results() -> None:
    club, other = at_club.found("Ruth"), at_club.found("Zoë")
    names = [*NAMES, "'=1", "''+1"]
    members_bring(club=club, members=[NewMember(name) for name in names], source="=list.csv")
    out = members_table(club)
    for read in (read_text(as_csv(out), members_in.is_head), read_xlsx(as_xlsx([out]))):
        plan = members_in.members_of(read, other, tuple(ClubRole))
        assert [line for line in plan.lines if line.what == "wrong"] == []
        assert [one.name for one in plan.new] == ["Ruth", *names]
    spring = at_club.season(club)
    for at in range(0, len(names) - 1, 4):
        some = names[at : at + 4]
        night(spring, 1 + at // 4, some, [0, 20, 30, 11][: len(some)])
    out = season_tables([spring], ["results"])["results"]
    for at, read in enumerate((read_text(as_csv(out), season_in.is_head), read_xlsx(as_xlsx([out])))):
        season = again(read, at_club.found(f"Owner {at}"), "Again")
        assert season_tables([season], ["results"])["results"].rows == out.rows
    for line in as_csv(out).splitlines():
        assert not line.startswith(("=", "+", "-", "@"))
    assert b"<f" not in as_xlsx([out])


def test_the_json_of_a_club_says_what_it_documents_and_nothing_secret() -> None:
    spring = a_season(at_club.found())
    club = spring.club
    data = club_out.club_data(club, ("members", "seasons", "log"))
    assert list(data) == ["format", "format_version", "club", "members", "seasons", "log"]
    (season,) = data["seasons"]
    documented = club_out.__doc__ or ""
    game = season["nights"][0]["games"][0]
    parts = [data["members"][0], season, season["standings"][0], season["nights"][0], game, game["seats"][0]]
    for part in [*parts, season["doubts"][0], data["log"][0]]:
        for field in part:
            assert field in documented, field
    text = club_out.as_csv(club_out.log_table(club)) + str(data)
    assert "@" not in text
    for key in club.keys.all():
        assert key.key not in text
    assert [one["value"] for one in season["standings"]] == ["0", "11", "20", "23"]
    assert [one["finished"] for one in season["nights"][3]["games"]] == [False]


def test_the_examples_of_these_modules_run() -> None:
    for module in (cells, heads, members_in, season_in, tables):
        found = doctest.testmod(module)
        assert (found.failed, found.attempted > 0) == (0, True), module.__name__
