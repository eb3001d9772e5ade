"""
The picture language: dominoes, players' markers and icons as SVG, drawn without an inline style.

Knows where pips lie and how a name shortens to letters. Must not know games, rounds or rules; colours and
sizes are the stylesheet's, reached by class.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import product
from typing import Protocol

from django import template
from django.utils.html import conditional_escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

register = template.Library()

MOST_PIPS = 18
MOST_SEATS = 14
SHAPES = 7
TILE_SIZES = (20, 22, 24, 26, 30, 34, 38, 44, 52, 66, 140)
MARKER_SIZES = (22, 24, 26, 30)

# Where pips lie along the tile, by how many stand in one column.
THREE = (24.0, 50.0, 76.0)
FOUR = (20.0, 40.0, 60.0, 80.0)
FIVE = (17.0, 33.5, 50.0, 66.5, 83.0)
SIX = (14.5, 28.7, 42.9, 57.1, 71.3, 85.5)
SQUARE = (18.0, 39.3, 60.7, 82.0)

Pip = tuple[float, float]


def _at(columns: Iterable[float], rows: Iterable[float]) -> tuple[Pip, ...]:
    return tuple(product(columns, rows))


TWO: tuple[Pip, ...] = ((24, 24), (76, 76))
CENTRE: tuple[Pip, ...] = ((50, 50),)
CORNERS = _at((24, 76), (24, 76))
SIDES = _at((24, 76), THREE)

PIPS: tuple[tuple[Pip, ...], ...] = (
    (),
    CENTRE,
    TWO,
    TWO + CENTRE,
    CORNERS,
    CORNERS + CENTRE,
    SIDES,
    SIDES + CENTRE,
    SIDES + _at((50,), (24, 76)),
    SIDES + _at((50,), THREE),
    _at((22, 78), FOUR) + _at((50,), (30, 70)),
    _at((22, 78), FOUR) + _at((50,), THREE),
    _at((22, 50, 78), FOUR),
    _at((22, 78), FIVE) + _at((50,), (25.25, 50, 74.75)),
    _at((22, 78), FIVE) + _at((50,), (25.25, 41.75, 58.25, 74.75)),
    _at((22, 50, 78), FIVE),
    _at(SQUARE, SQUARE),
    _at(SQUARE, SQUARE) + CENTRE,
    _at((20, 50, 80), SIX),
)
# The radius of a half's pips, by the most pips it is good for.
RADII = ((6, 10.5), (9, 9.3), (12, 8.2), (15, 7.0), (16, 6.4), (17, 6.0), (18, 6.4))


def pips(number: int) -> tuple[Pip, ...]:
    """The pips' centres in a half of 100 × 100 units, as the half stands at the top of an upright tile."""
    return PIPS[number]


def radius(number: int) -> float:
    return next(radius for most, radius in RADII if number <= most)


def colour(number: int) -> int:
    """Which of the twelve pip colours a half has: 13–18 take those of 1–6."""
    return number if number <= 12 else number - 12


def tile_label(first: int, second: int) -> str:
    """How a tile is read out."""
    if first != second:
        return f"{first}-{second}"
    return _("double %(number)d") % {"number": first} if first else _("double blank")


# A face's corner is (2, 2) and its thickness is the same shape 8 units lower. A lying tile is the whole
# upright drawing turned anticlockwise, except its thickness, which stays at the bottom of the screen.

FACES = (
    '<symbol id="f1"><rect class="te" x="2" y="10" width="96" height="96" rx="16"/>'
    '<rect class="tf" x="3.5" y="3.5" width="93" height="95" rx="15"/></symbol>'
    '<symbol id="f2"><rect class="te" x="2" y="10" width="96" height="196" rx="16"/>'
    '<rect class="tf" x="3.5" y="3.5" width="93" height="193" rx="15"/>'
    '<path class="tb" d="M14 100h72"/><circle class="tp" cx="50" cy="100" r="6.5"/></symbol>'
    '<symbol id="f3"><rect class="te" x="2" y="10" width="196" height="96" rx="16"/>'
    '<rect class="tf" x="3.5" y="3.5" width="193" height="93" rx="15"/>'
    '<path class="tb" d="M100 14v72"/><circle class="tp" cx="100" cy="50" r="6.5"/></symbol>'
)

MARKER_SHAPES = (
    '<circle cx="16" cy="16" r="14"/>',
    '<rect x="3" y="3" width="26" height="26" rx="4"/>',
    '<path d="M16 1 31 16 16 31 1 16Z"/>',
    '<path d="M9 3.5h14L30.5 16 23 28.5H9L1.5 16Z"/>',
    '<path d="M3 3h26v13c0 8-6 12-13 15C9 28 3 24 3 16Z"/>',
    '<path d="M16 1 31 12v18H1V12Z"/>',
    (
        '<path d="M10 2a8 8 0 0 1 12 0 8 8 0 0 1 8 8 8 8 0 0 1 0 12 8 8 0 0 1-8 8 8 8 0 0 1-12 0 8 8 0 0 1'
        '-8-8 8 8 0 0 1 0-12 8 8 0 0 1 8-8Z"/>'
    ),
)
# How far below the middle a letter's foot stands in each shape: a shield's weight is high, a house's low.
MARKER_FEET = (21.6, 21.6, 21.6, 21.6, 20.6, 25, 21.6)

ICONS = {
    "back": "M15 4 7 12l8 8",
    "backspace": "M9 5h12v14H9l-6.5-7Zm2.7 4.2 5.6 5.6m0-5.6-5.6 5.6",
    "check": "m4.5 13 5 5L20 6.5",
    "chevron": "m9 4 8 8-8 8",
    "chevron-down": "m5 9 7 7 7-7",
    "chevron-up": "m5 15 7-7 7 7",
    "clock": "M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18Zm0 4v5.5l3.5 2",
    "close": "m5 5 14 14m0-14L5 19",
    "copy": "M9 3h12v12H9Zm0 5.5H3v12h12V15",
    "drag": "M4 9h16M4 15h16",
    "first": "M6 5v14M18 5l-8 7 8 7",
    "eye": "M1.5 12q10.5-14 21 0-10.5 14-21 0Zm7.5 0a3 3 0 1 1 6 0 3 3 0 0 1-6 0",
    "last": "M18 5v14M6 5l8 7-8 7",
    "link": "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1m2 4a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
    "more": "".join(f"M{x} 10.3a1.7 1.7 0 1 1 0 3.4 1.7 1.7 0 0 1 0-3.4Z" for x in (5, 12, 19)),
    "pencil": "m3.5 20.5 1.2-5L16.5 3.7l3.8 3.8L8.5 19.3ZM14 6.2 17.8 10",
    "plus": "M12 4v16M4 12h16",
    "printer": "M7 9V3h10v6M7 17H3V9h18v8h-4M7 14h10v7H7Z",
    "redo": "m16 5 4.5 4.5L16 14m4.5-4.5H9.5a5 5 0 0 0 0 10H13",
    "search": "M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13Zm4.7 11.2L21 21",
    "share": "M12 15V3.5M7.5 8 12 3.5 16.5 8M4.5 12.5v8h15v-8",
    "undo": "M8 5 3.5 9.5 8 14M3.5 9.5h11a5 5 0 0 1 0 10H11",
    "warning": "M12 3.5 22 20.5H2ZM12 10v5.2m0 2.2v.5",
}
TURNING_ICONS = {
    "back",
    "chevron",
    "first",
    "last",
    "undo",
    "redo",
}  # they point the other way in a right-to-left script


def _number(value: float) -> str:
    return f"{value:g}"


@cache
def half_symbol(number: int) -> SafeString:
    """One half as a symbol `h<number>`: its pips, and the figure that the big-text switch shows instead."""
    circles = format_html_join(
        "",
        '<circle cx="{}" cy="{}" r="{}"/>',
        ((_number(x), _number(y), _number(radius(number))) for x, y in pips(number)),
    )
    return format_html(
        '<symbol id="h{0}"><g fill="currentColor">{1}</g><text x="50" y="72">{0}</text></symbol>',
        number,
        circles,
    )


@cache
def _symbols(most: int) -> SafeString:
    shapes = format_html_join(
        "",
        '<symbol id="m{}">{}</symbol>',
        ((seat, mark_safe(shape)) for seat, shape in enumerate(MARKER_SHAPES, start=1)),  # noqa: S308
    )
    halves = format_html_join("", "{}", ((half_symbol(number),) for number in range(most + 1)))
    return format_html(
        '<svg class="symbols" width="0" height="0" aria-hidden="true">{}{}{}</svg>',
        mark_safe(FACES),  # noqa: S308
        shapes,
        halves,
    )


@register.simple_tag
def tile_symbols(most: object = 12) -> SafeString:
    """The drawings that tiles and markers refer to: once a page, for halves 0 to `most`."""
    return _symbols(most if isinstance(most, int) and 0 <= most <= MOST_PIPS else 12)


def _half_use(number: int, y: int = 0) -> SafeString:
    place = format_html(' y="{}"', y) if y else ""
    return format_html('<use href="#h{}" class="p{}"{}/>', number, colour(number), place)


def _classes(*names: str | bool) -> str:
    return " ".join(name for name in names if isinstance(name, str) and name)


def _named(label: str) -> SafeString:
    return format_html('role="img" aria-label="{}"', label) if label else mark_safe('aria-hidden="true"')


@register.simple_tag
def tile(
    first: int,
    second: int,
    size: int = 24,
    lying: bool = False,
    hidden: bool = False,
    face_down: bool = False,
    extra: str = "",
) -> SafeString:
    """A tile, `first` at the top or, lying, at the left.

    `size` is the side of a half in px, one of TILE_SIZES. `hidden` keeps it from screen readers, for where
    the text beside it says the same; `face_down` shows only its back. `extra` are further classes (`pale`).
    """
    label = "" if hidden else _("a tile face down") if face_down else tile_label(first, second)
    width, height = (200, 100) if lying else (100, 200)
    if face_down:
        back = '<rect class="back" x="2" y="2" width="{}" height="{}" rx="16"/>'
        drawing = format_html(back, width - 4, height + 4)
    else:
        turn = mark_safe(' transform="matrix(0-1 1 0 0 100)"') if lying else ""
        halves = _half_use(first) + _half_use(second, 100)
        drawing = format_html('<use href="#{}"/><g{}>{}</g>', "f3" if lying else "f2", turn, halves)
    return format_html(
        '<svg class="{}" viewBox="0 0 {} {}" {}>{}</svg>',
        _classes("tile", f"t{size}", lying and "lying", extra),
        width,
        height + 8,
        _named(label),
        drawing,
    )


@register.simple_tag
def half(number: int, size: int = 38, hidden: bool = False, extra: str = "") -> SafeString:
    """A half by itself, as the set chooser and the tile pad show it."""
    return format_html(
        '<svg class="{}" viewBox="0 0 100 108" {}><use href="#f1"/>{}</svg>',
        _classes("half", f"t{size}", extra),
        _named("" if hidden else str(number)),
        _half_use(number),
    )


@register.simple_tag
def podium_pips(place: int) -> SafeString:
    """The upper half of a standing tile on the podium: the place in pips, the winner's in brass."""
    if place == 1:
        return mark_safe('<span class="podium-win"></span>')
    return format_html('<svg viewBox="12 12 76 76" aria-hidden="true"><use href="#h{}"/></svg>', place)


TILE_NAMES = re.compile(r"\b(1[0-8]|[0-9])-(1[0-8]|[0-9])\b")


@register.simple_tag
def tiles_in(text: str) -> SafeString:
    """A sentence with a small drawing behind each tile that it names."""
    parts, end = [], 0
    for found in TILE_NAMES.finditer(text):
        first, second = int(found[1]), int(found[2])
        drawing = tile(first, second, size=20, lying=True, hidden=True)
        parts += [conditional_escape(text[end : found.start()])]
        parts += [format_html('<span class="nw">{}\u2011{} {}</span>', first, second, drawing)]
        end = found.end()
    return mark_safe("".join((*parts, conditional_escape(text[end:]))))  # noqa: S308


@register.filter
def unbroken(text: str) -> SafeString:
    """A sentence in which no tile's name is parted at the end of a line."""
    return mark_safe(TILE_NAMES.sub(r'<span class="nw">\g<0></span>', conditional_escape(text)))  # noqa: S308


# Markers


class Marked(Protocol):
    """Somebody at the table: the seat gives the shape, the letters come from `marker_letters`."""

    @property
    def seat(self) -> int: ...

    @property
    def letters(self) -> str: ...


@register.simple_tag
def marker(player: Marked | int, letters: str = "", size: int = 24, extra: str = "") -> SafeString:
    """A player's marker: `{% marker player %}`, or `{% marker seat letters %}`. Hidden from screen readers,
    because the name stands beside it."""
    seat, text = (player, letters) if isinstance(player, int) else (player.seat, player.letters)
    turn, shape = divmod(seat - 1, SHAPES)
    two = len(graphemes(text)) > 1
    return format_html(
        '<svg class="{}" viewBox="0 0 32 32" aria-hidden="true"><use href="#m{}"/>'
        '<text x="16" y="{}">{}</text></svg>',
        _classes("mk", f"c{shape + 1}", turn % 2 == 1 and "ring", two and "two", f"k{size}", extra),
        shape + 1,
        _number(MARKER_FEET[shape] - (1.2 if two else 0)),
        text,
    )


def graphemes(text: str) -> list[str]:
    """`text` in what a reader sees as letters: marks, joiners, flags and skin tones stay with theirs."""
    found: list[str] = []
    joined = False
    for char in unicodedata.normalize("NFC", text):
        point = ord(char)
        belongs = (
            joined
            or unicodedata.category(char) in {"Mn", "Me", "Mc"}
            or char == "\u200d"
            or 0x1F3FB <= point <= 0x1F3FF
            or 0xE0020 <= point <= 0xE007F
            or _second_flag(found, char)
            or _jamo_follows(found, char)
        )
        if belongs and found:
            found[-1] += char
        else:
            found.append(char)
        joined = char == "\u200d"
    return found


def _is_flag(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def _second_flag(found: Sequence[str], char: str) -> bool:
    return bool(found) and len(found[-1]) == 1 and _is_flag(found[-1]) and _is_flag(char)


def _jamo_follows(found: Sequence[str], char: str) -> bool:
    return bool(found) and "\u1160" <= char <= "\u11ff" and "\u1100" <= found[-1][-1] <= "\u11ff"


def _letters_of(name: str) -> list[str]:
    """The graphemes a marker may show: letters and digits, else whatever there is."""
    units = [unit for unit in graphemes(name) if not unit[0].isspace()]
    letters = [unit for unit in units if unit[0].isalnum()]
    # Arabic and Hebrew are as readable without their vowel marks, and two markers then differ by a letter.
    bare = [unit[0] if unicodedata.bidirectional(unit[0]) in {"R", "AL"} else unit for unit in letters]
    return bare or units or ["?"]


def _capital(unit: str) -> str:
    upper = unit.upper()
    return upper if len(graphemes(upper)) == 1 else unit


def marker_letters(names: Sequence[str]) -> list[str]:
    """One letter for each name, in seat order; two for whoever shares it with somebody before.

    >>> marker_letters(["Ruth", "Ben", "Big Ben", "Bea"])
    ['R', 'B', 'BB', 'Be']
    """
    taken: list[str] = []
    for name in names:
        taken.append(next((text for text in _candidates(name) if text not in taken), _candidates(name)[1]))
    return taken


def _candidates(name: str) -> list[str]:
    letters = _letters_of(name)
    first = _capital(letters[0])
    words = [word for word in name.replace("-", " ").split() if any(char.isalnum() for char in word)]
    initials = [first + _capital(_letters_of(word)[0]) for word in reversed(words[1:])]
    others = [*letters[1:], *"23456789"]
    return [first, *initials, *(first + other for other in others)]


TRAIN_ENGINE = (
    '<path class="engine-body" d="M.9.9h10.3v6.8h5.7V.9h4.7v6.8h3.7v6.7l2.8 2.6H.9Z"/>'
    '<path class="engine-window" d="M3.8 3.9h4.6v4.6H3.8Z"/>'
    '<g class="engine-wheels"><circle cx="6.4" cy="18.9" r="4.2"/><circle cx="15.8" cy="18.9" r="4.2"/>'
    '<circle cx="23.4" cy="20.1" r="2.9"/></g>'
)


@register.simple_tag
def train_engine() -> SafeString:
    """The small brass engine of the Mexican Train's row. Screen readers hear its name beside it."""
    drawing = mark_safe(TRAIN_ENGINE)  # noqa: S308
    return format_html('<svg class="train-engine" viewBox="0 0 29 23.2" aria-hidden="true">{}</svg>', drawing)


# Icons


@register.simple_tag
def icon(name: str, label: str = "", extra: str = "") -> SafeString:
    """A line drawing of 24 × 24. Without a label it is hidden from screen readers."""
    return format_html(
        '<svg class="{}" viewBox="0 0 24 24" {}><path d="{}"/></svg>',
        _classes("i", name in TURNING_ICONS and "i-turn", extra),
        _named(label),
        ICONS[name],
    )
