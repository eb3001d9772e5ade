"""What the columns of a table are called, and what stands in a cell: days, numbers, words.

Knows headings and how a cell is read: what could be read in two ways is refused, never guessed. Pure but for
the language: headings are known in English and in the language of the page.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from games.clubs import fold

Fields = Mapping[str, Sequence[str]]

MEMBER_HEADS: Fields = {
    "name": (gettext_noop("Name"), "Names", "Member", "Player", "Person"),
    "role": (gettext_noop("Role"),),
    "joined_on": (gettext_noop("Joined on"), "Joined", "Since"),
    "left_on": (gettext_noop("Left on"), "Left", "Until"),
}
SEASON_HEADS: Fields = {
    "night": (gettext_noop("Night"), "Date", "Day", "Evening"),
    "table": (gettext_noop("Table"), "Game"),
    "name": (gettext_noop("Name"), "Member", "Player", "Person"),
    "points": (gettext_noop("Points"), "Total", "Total points", "Score"),
    "rounds": (gettext_noop("Rounds"), "Rounds played"),
    "zero_rounds": (gettext_noop("Rounds out"), "Zero rounds", "Zeros"),
    "lowest_nonzero": (gettext_noop("Lowest other round"), "Lowest round"),
    "place": (gettext_noop("Place"), "Rank"),
    "note": (gettext_noop("Note"), "Notes", "Remark"),
}
NOTES: Fields = {
    "guest": (gettext_noop("guest"), "guests"),
    "forfeit": (gettext_noop("forfeit"), "forfeits", "forfeited"),
    "absent": (gettext_noop("absent"), "away", "missing"),
    "void": (gettext_noop("void"), "does not count"),
}
ROLES: Fields = {
    "owner": (gettext_noop("owner"),),
    "organiser": (gettext_noop("organiser"), "organizer"),
    "scorer": (gettext_noop("scorer"),),
    "member": (gettext_noop("member"),),
}
DASHES = frozenset({"-", "–", "—", "/"})
WHOLE = re.compile(r"([-−+]?[0-9]{1,6})(?:[.,]0{1,2})?")
ISO = re.compile(r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})(?:[T ][0-9:.]{1,15}Z?)?")
DOTTED = re.compile(r"([0-9]{1,2})\. ?([0-9]{1,2})\. ?([0-9]{4})")
SLASHED = re.compile(r"([0-9]{1,2})/([0-9]{1,2})/([0-9]{4})")


class Unclear(Exception):
    """A cell that says nothing sure. `code` names why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def known(text: str, words: Fields) -> str | None:
    """Which of `words` a text is, by its own name, in English or in the page's language."""
    plain = _plain(text)
    for field, names in words.items():
        own = (field.replace("_", " "), *names, _(names[0]))
        if plain in {_plain(name) for name in own}:
            return field
    return None


def _plain(text: str) -> str:
    return fold(text.replace("_", " ")).strip(" .:*#")


def columns_of(row: Sequence[str], words: Fields) -> dict[str, int]:
    """Columns by what their headings mean, each field once; empty if the row is no heading.

    >>> columns_of(["Member", "Since", "Shoe size"], MEMBER_HEADS)
    {'name': 0, 'joined_on': 1}
    """
    found: dict[str, int] = {}
    for at, cell in enumerate(row):
        field = known(cell, words) if cell else None
        if field is not None:
            found.setdefault(field, at)
    return found


def whole(text: str) -> int:
    """A whole number, also as 39.0 or 39,00. Unclear for anything else.

    >>> whole("39,0"), whole("−12")
    (39, -12)
    """
    if number := WHOLE.fullmatch(text):
        return int(number[1].replace("−", "-"))
    raise Unclear("number")


def day(text: str) -> date:
    """A day as 2026-03-12 or 12.3.2026; 25/3/2026 as well, which can be but one day. Unclear otherwise.

    >>> day("2026-03-12") == day("12.3.2026") == day("12. 03. 2026")
    True
    """
    if found := ISO.fullmatch(text):
        return _day(found[1], found[2], found[3])
    if found := DOTTED.fullmatch(text):
        return _day(found[3], found[2], found[1])
    if found := SLASHED.fullmatch(text):
        first, second, year = found.groups()
        if int(first) > 12 >= int(second):
            return _day(year, second, first)
        if int(second) > 12 >= int(first):
            return _day(year, first, second)
        if first == second:
            return _day(year, first, second)
        raise Unclear("day_two_ways")
    raise Unclear("day")


def _day(year: str, month: str, in_month: str) -> date:
    try:
        found = date(int(year), int(month), int(in_month))
    except ValueError:
        raise Unclear("day_none") from None
    if not 1900 <= found.year <= 2200:
        raise Unclear("day_none")
    return found


def notes(text: str) -> frozenset[str]:
    """The notes in a cell, «guest, forfeit». Unclear for any other word."""
    return frozenset(_notes(part for part in re.split(r"[,;+]", text) if part.strip()))


def _notes(parts: Iterable[str]) -> Iterable[str]:
    for part in parts:
        found = known(part, NOTES)
        if found is None:
            raise Unclear("note")
        yield found
