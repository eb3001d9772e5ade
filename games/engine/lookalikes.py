"""Signs that a chat or a word processor puts in the place of a train record's own: a long dash, an arrow.

Knows which sign is taken for which, and which of them keep a record from being read. Must not mend by itself:
to whoever reads a record they are errors.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from games.engine.errors import Problem
from games.engine.reading import why_unread

# What a record has, and what is written for it.
LOOKALIKES = {
    "-": "\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\u2796\ufe63\uff0d",
    ">": "\u203a\u2192\u21d2\u2794\u279c\u279d\u27e9\u27f6\u25b6\u25b8\u25ba\u27a1\uff1e",
    "+": "\u2795\uff0b",
    "!": "\u2757\uff01",
    "^": "\u02c4\u02c6\u2303\uff3e",
    " ": "\u00a0\u2002\u2003\u2007\u2009\u202f\u3000",
}
RIGHT = {sign: right for right, signs in LOOKALIKES.items() for sign in signs}
BEHIND_NUMBER = {")": "."}  # at the number of a turn alone
_NUMBER = re.compile(r"(\s*\d+)(\))(?=\s)")
# With what makes a picture of it, if a phone put that behind it.
_ANY = re.compile(f"([{''.join(RIGHT)}])[\ufe0e\ufe0f]?")
_NAMES = re.compile(r"\s*players\s*:")  # a name may hold any sign


@dataclass(frozen=True, slots=True)
class Lookalike:
    """A sign that is not the record's: which one a record has, and where it stands, as lines and columns."""

    sign: str
    right: str
    places: tuple[tuple[int, int], ...]

    @property
    def lines(self) -> tuple[int, ...]:
        return tuple(dict.fromkeys(line for line, _column in self.places))


def lookalikes(text: str, problems: Sequence[Problem]) -> tuple[tuple[Lookalike, ...], tuple[Problem, ...]]:
    """The signs that are behind these problems of reading the text, and the problems that remain without.

    >>> text = "players: A, B\\ndeal: 4\\nengine: 12-12\\n1. A 12–3\\n2. B +\\n3. A 3–1 x"
    >>> (dash,), others = lookalikes(text, why_unread(text))
    >>> dash.sign, dash.right, dash.places, others
    ('–', '-', ((4, 8), (6, 7)), ())
    """
    found: dict[str, list[tuple[int, int]]] = {}
    for line, column, sign in _standing(text):
        found.setdefault(sign, []).append((line, column))
    if not found:
        return (), tuple(problems)
    still = {_place(one) for one in why_unread(put_right(text, found))}
    lines = {sign: {line for line, _column in places} for sign, places in found.items()}
    behind: set[str] = set()
    others = []
    for one in problems:
        signs = {sign for sign in found if one.params["line"] in lines[sign]}
        if not signs or _place(one) in still:
            others.append(one)
        else:
            # The first mistake of a line is told: no other sign there can be read either, but for a space.
            beside = {sign for sign in signs if RIGHT.get(sign) != " "}
            behind |= signs & set(str(one.params["text"])) | beside or signs
    told = (
        Lookalike(sign, (RIGHT | BEHIND_NUMBER)[sign], tuple(found[sign])) for sign in found if sign in behind
    )
    return tuple(told), tuple(others)


def put_right(text: str, signs: Iterable[str]) -> str:
    """The text with the record's own signs for these, but for names and comments.

    >>> put_right("players: A=Ann–Marie\\n1. A 12–3 ; 12–3", "–")
    'players: A=Ann–Marie\\n1. A 12-3 ; 12–3'
    """
    wanted = set(signs)
    lines = text.split("\n")
    for at, line in enumerate(lines):
        own = _own(line)
        right = _ANY.sub(lambda match: RIGHT[match[1]] if match[1] in wanted else match[0], own)
        number = _NUMBER.match(right)
        if number is not None and number[2] in wanted:
            right = f"{number[1]}{BEHIND_NUMBER[number[2]]}{right[number.end() :]}"
        lines[at] = right + line[len(own) :]
    return "\n".join(lines)


def _own(line: str) -> str:
    """What of a line is read, and is no name."""
    return "" if _NAMES.match(line) else line.partition(";")[0]


def _standing(text: str) -> Iterator[tuple[int, int, str]]:
    for at, line in enumerate(text.split("\n"), start=1):
        own = _own(line)
        if (number := _NUMBER.match(own)) is not None:
            yield at, number.start(2) + 1, number[2]
        for match in _ANY.finditer(own):
            yield at, match.start() + 1, match[1]


def _place(one: Problem) -> tuple[object, object]:
    return one.params["line"], one.params["column"]
