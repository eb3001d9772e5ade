"""Why a table, a row or a cell cannot be taken, in sentences that name the place and what stands there.

Knows language. Must not judge: `tables`, `xlsx`, `members_in` and `season_in` found it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from games.files.heads import MEMBER_HEADS, SEASON_HEADS
from games.files.members_in import Line, Wrong
from games.files.tables import NoTable
from games.messages import listed, number
from games.names import one_line

NO_TABLE = {
    "too_large": gettext_noop("This file is too large. A table has %(most)s MB at most."),
    "empty": gettext_noop("There is nothing in it. Choose a file, or paste the rows."),
    "old_excel": gettext_noop("This is an old Excel file. Save it as .xlsx or as CSV, and choose that one."),
    "not_text": gettext_noop("This file is no table. Save the table as .xlsx or as CSV."),
    "not_xlsx": gettext_noop(
        "This file is packed, but it is no Excel file. Save the table as .xlsx or as CSV."
    ),
    "broken": gettext_noop("This Excel file is damaged. Open it, save it again as .xlsx or as CSV."),
    "no_sheet": gettext_noop("There is no sheet in this Excel file that can be seen."),
    "unpacked": gettext_noop("This Excel file unpacks to more than %(most)s MB. No table of a club does."),
    "long": gettext_noop("This is too much text: %(most)s letters are the most. Bring it in in parts."),
    "rows": gettext_noop("There are more than %(most)s rows. Bring them in in parts, one season at a time."),
    "columns": gettext_noop("Row %(row)s has more than %(most)s columns."),
    "cell": gettext_noop(
        "Row %(row)s: a cell is too long, “%(given)s…”. %(most)s letters are the most. "
        "Perhaps a quotation mark is open before it."
    ),
    "only_head": gettext_noop("There is a heading and no row below it."),
    "head_members": gettext_noop(
        "The first row does not say which column is the name: “%(given)s”. Write “Name” above the names."
    ),
    "head_season": gettext_noop(
        "The first row does not say what the columns are: “%(given)s”. There is none for %(lacking)s."
    ),
    "unknown_many": gettext_noop(
        "%(count)s names are not in the club. Bring the members in first; %(most)s can be matched here."
    ),
}
NOTES = {
    "windows": gettext_noop(
        "The file was read as Windows-1252, because it is not UTF-8. Look whether letters like é are right."
    ),
    "sheet": gettext_noop("The sheet “%(given)s” was read, no other one."),
}
WRONG = {
    "name_blank": gettext_noop("there is no name."),
    "name_unread": gettext_noop("“%(given)s” holds a sign that could not be read."),
    "name_unseen": gettext_noop("“%(given)s” holds a sign that nobody can see."),
    "name_long": gettext_noop("“%(given)s” is too long. A name has at most %(most)s letters."),
    "twice": gettext_noop("“%(given)s” is in row %(other)s already. Two people need two names."),
    "role": gettext_noop("“%(given)s” is no role. The roles are owner, organiser, scorer and member."),
    "role_given": gettext_noop("“%(given)s” is a role that only an owner gives."),
    "number": gettext_noop("“%(given)s” is no whole number."),
    "range": gettext_noop("“%(given)s” cannot be: it goes from %(least)s to %(most)s."),
    "day": gettext_noop("“%(given)s” is no day. A day goes as 2026-03-12 or 12.3.2026."),
    "day_none": gettext_noop("there is no day “%(given)s”."),
    "day_two_ways": gettext_noop(
        "“%(given)s” can be read in two ways, month first or day first. Write it as 2026-03-12."
    ),
    "left_before_joined": gettext_noop("“%(given)s” is before the day of joining."),
    "left_later": gettext_noop("“%(given)s” is still to come. Nobody can leave before then."),
    "note": gettext_noop("“%(given)s” is not known. It can be guest, forfeit, absent or void."),
    "night_blank": gettext_noop("there is no day."),
    "night_twice": gettext_noop("two columns are the night %(given)s."),
    "points_blank": gettext_noop("“%(given)s” has no points. Who was not there is “absent” in the notes."),
    "absent_points": gettext_noop("it says absent, and there are points, “%(given)s”."),
    "out_more": gettext_noop("“%(given)s” is more than the %(rounds)s rounds played."),
    "table_long": gettext_noop("“%(given)s…” is too long. %(most)s letters are the most."),
    "needs_rounds": gettext_noop("this season is scored per round, and there is no column with rounds."),
    "sat_twice": gettext_noop("“%(given)s” sits at this table already, in row %(other)s as “%(as)s”."),
    "seats_many": gettext_noop(
        "%(count)s people sit at one table. %(most)s are the most: a column “Table” keeps tables apart."
    ),
    "alone": gettext_noop("“%(given)s” is alone at the table. A game has two people at least."),
    "outside": gettext_noop("the night of %(given)s is outside of the season, %(starts)s to %(ends)s."),
    "outside_open": gettext_noop("the night of %(given)s is before the season, which starts on %(starts)s."),
    "other_game": gettext_noop(
        "the season has another game at this table on %(on)s. Nothing replaces it: take that one out first, "
        "or name another table."
    ),
    "misplaced": gettext_noop(
        "place %(given)s goes against the points: “%(who)s” is %(place)s with %(points)s points."
    ),
}
DAYS = ("on", "starts", "ends")


def no_table(refused: NoTable) -> str:
    """Why the whole table cannot be read."""
    facts = {name: _fact(value) for name, value in refused.facts.items()}
    if isinstance(lacking := refused.facts.get("lacking"), list):
        facts["lacking"] = listed([column_name(name) for name in lacking])
    return _(NO_TABLE[refused.code]) % facts


def note(about: tuple[str, str]) -> str:
    code, given = about
    return _(NOTES[code]) % {"given": one_line(given)}


def wrong_words(wrong: Wrong) -> str:
    """«Row 7, Points: “39,5” is no whole number.»"""
    what, row = wrong_here(wrong), number(wrong.row)
    if not wrong.column:
        return _("Row %(row)s: %(what)s") % {"row": row, "what": what}
    place = {"row": row, "column": column_name(wrong.column), "what": what}
    return _("Row %(row)s, %(column)s: %(what)s") % place


def wrong_here(wrong: Wrong) -> str:
    """The same where the row is in sight."""
    code = wrong.code
    if code == "outside" and not wrong.facts["ends"]:
        code = "outside_open"
    facts = {name: _day(value) if name in DAYS else _fact(value) for name, value in wrong.facts.items()}
    given = one_line(wrong.given)  # what turns the text would turn the sentence, too
    if code in {"outside", "outside_open", "night_twice"}:
        given = _day(given)
    return _(WRONG[code]) % {**facts, "given": given}


def line_words(line: Line) -> str:
    """What becomes of somebody who is in the club already."""
    facts = {"row": number(line.row), "name": line.name}
    return _("Row %(row)s, “%(name)s”: there is already a %(name)s in the club.") % facts


def column_name(field: str) -> str:
    """What a column is called; a night of a wide table by its day."""
    names: Mapping[str, Sequence[str]] = {**MEMBER_HEADS, **SEASON_HEADS}
    return _(names[field][0]) if field in names else _day(field)


def _day(text: object) -> str:
    try:
        return date_format(date.fromisoformat(str(text)), "j F Y")
    except ValueError:
        return str(text)


def _fact(value: object) -> str:
    return number(value) if isinstance(value, int) else one_line(str(value))
