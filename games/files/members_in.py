"""Members from a table: what would become of each row, and why not where it cannot be.

Knows columns and what a row may say. Nothing is written here: `games.clubs.members_bring` does that.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Literal, TypeVar

from games.clubs import MOST_MEMBERS, NewMember, check_days, fold
from games.files.cells import bare
from games.files.heads import DASHES, MEMBER_HEADS, ROLES, Unclear, columns_of, day, known
from games.files.tables import UNREAD, NoTable, Row, Table
from games.models import NAME_LENGTH, Club, ClubRole, Member
from games.names import tidy, unseen

T = TypeVar("T")
What = Literal["new", "there", "wrong"]


@dataclass(frozen=True, slots=True)
class Wrong:
    """One thing that is wrong: in which row and column, what stands there, and why, as a code and facts."""

    row: int
    code: str
    given: str = ""
    column: str = ""
    facts: dict[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Line:
    """A row: somebody new, somebody who is in the club already, or what is wrong with it."""

    row: int
    name: str
    what: What
    member: NewMember | None = None
    wrong: tuple[Wrong, ...] = ()


@dataclass(frozen=True, slots=True)
class Members:
    """All rows of a table; `ignored` are headings that mean nothing here."""

    lines: tuple[Line, ...]
    ignored: tuple[str, ...] = ()
    full: bool = False  # more than a club can have

    @property
    def new(self) -> list[NewMember]:
        return [line.member for line in self.lines if line.what == "new" and line.member is not None]

    @property
    def there(self) -> list[Line]:
        return [line for line in self.lines if line.what == "there"]

    @property
    def wrong(self) -> list[Line]:
        return [line for line in self.lines if line.what == "wrong"]


def is_head(row: Sequence[str]) -> bool:
    """Whether a row says what its columns are.

    >>> is_head(["Member", "Role"]), is_head(["Ann", "scorer"])
    (True, False)
    """
    return "name" in columns_of(row, MEMBER_HEADS)


def members_of(table: Table, club: Club, may_give: Collection[ClubRole]) -> Members:
    """What each row would do in this club. NoTable if no row names anybody."""
    rows = [(number, row) for number, row in enumerate(table.rows, start=1) if row]
    if not rows:
        raise NoTable("empty")
    columns, ignored = {"name": 0}, tuple[str, ...]()
    if is_head(rows[0][1]):
        columns = columns_of(rows[0][1], MEMBER_HEADS)
        ignored = tuple(cell for at, cell in enumerate(rows[0][1]) if cell and at not in columns.values())
        rows = rows[1:]
    elif any(len(row) > 1 or ";" in row[0] for _number, row in rows):
        raise NoTable("head_members", given=" · ".join(rows[0][1])[:80])
    if not rows:
        raise NoTable("only_head")
    there = {fold(name): name for name in _names(club)}
    seen: dict[str, int] = {}
    lines = []
    for number, row in rows:
        line = _line(number, row, columns, may_give)
        key = fold(line.name)
        if key and key in seen:
            twice = Wrong(number, "twice", line.name, facts={"other": seen[key]})
            line = Line(number, line.name, "wrong", wrong=(*line.wrong, twice))
        elif key in there:  # whatever else the row says, nothing of it is written
            line = Line(number, there[key], "there")
        seen.setdefault(key, number)
        lines.append(line)
    new = sum(line.what == "new" for line in lines)
    return Members(tuple(lines), ignored, full=len(there) + new > MOST_MEMBERS)


def _names(club: Club) -> list[str]:
    return list(Member.objects.filter(club=club, merged_into=None).values_list("name", flat=True))


def cell_of(row: Row, column: int | None) -> str:
    return bare(row[column]) if column is not None and column < len(row) else ""


def name_of(row: Row, column: int | None) -> str:
    return tidy(cell_of(row, column))


def name_wrong(name: str, row: int) -> list[Wrong]:
    if not name:
        return [Wrong(row, "name_blank")]
    if UNREAD in name:
        return [Wrong(row, "name_unread", name)]
    if unseen(name):
        return [Wrong(row, "name_unseen", name)]
    if len(name) > NAME_LENGTH:
        return [Wrong(row, "name_long", name, facts={"most": NAME_LENGTH})]
    return []


def _line(number: int, row: Row, columns: dict[str, int], may_give: Collection[ClubRole]) -> Line:
    name = name_of(row, columns["name"])
    wrong = name_wrong(name, number)
    role, said = _role(cell_of(row, columns.get("role")), may_give, number)
    wrong += said
    days: dict[str, date | None] = {}
    for about in ("joined_on", "left_on"):
        text = cell_of(row, columns.get(about))
        days[about] = read(day, text, number, about, wrong)
    member = NewMember(name, role, days["joined_on"], days["left_on"])
    for problem in check_days(member):
        given = "" if member.left_on is None else member.left_on.isoformat()
        wrong.append(Wrong(number, problem.code, given, "left_on", dict(problem.params)))
    if wrong:
        return Line(number, name, "wrong", wrong=tuple(wrong))
    return Line(number, name, "new", member)


def read(convert: Callable[[str], T], text: str, row: int, column: str, wrong: list[Wrong]) -> T | None:
    """What a cell says; None if it is empty or, told in `wrong`, says nothing sure."""
    try:
        return convert(text) if text and text not in DASHES else None
    except Unclear as unclear:
        wrong.append(Wrong(row, unclear.code, text, column))
        return None


def _role(text: str, may_give: Collection[ClubRole], row: int) -> tuple[ClubRole, list[Wrong]]:
    if not text or text in DASHES:
        return ClubRole.MEMBER, []
    role = known(text, ROLES)
    if role is None:
        return ClubRole.MEMBER, [Wrong(row, "role", text, "role")]
    if ClubRole(role) not in may_give:
        return ClubRole.MEMBER, [Wrong(row, "role_given", text, "role")]
    return ClubRole(role), []
