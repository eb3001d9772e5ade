"""The running totals of a game as lines, drawn on the server without an inline style.

Knows geometry: where lines, ticks and labels stand. Must not know rules or how a total came about; colours
are the stylesheet's, by the classes of the players' markers.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from games.engine.talk import Line
from games.messages import number
from games.templatetags.tiles import MARKER_FEET, SHAPES, graphemes

register = template.Library()

WIDTH, LEFT, RIGHT, TOP, BOTTOM = 340.0, 36.0, 98.0, 14.0, 24.0
LEAST_HEIGHT, LABEL_GAP = 190.0, 19.0
TICKS = 5
ROUND_GAP = 15.0  # units between the numbers of rounds
FEW_LINES = 5  # up to so many, each point carries its marker's shape
TEXT = 12.0


class Named(Protocol):
    @property
    def seat(self) -> int: ...
    @property
    def name(self) -> str: ...
    @property
    def letters(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Curve:
    """One player's line, its marks, and the label at its end."""

    seat: int
    name: str
    letters: str
    path: str
    marks: tuple[tuple[float, float], ...]
    end: tuple[float, float]
    label_y: float
    best: bool

    @property
    def shape(self) -> int:
        return (self.seat - 1) % SHAPES + 1

    @property
    def ring(self) -> bool:
        return (self.seat - 1) // SHAPES % 2 == 1


@dataclass(frozen=True, slots=True)
class Chart:
    width: float
    height: float
    left: float
    right: float  # where the plot ends and the labels begin
    curves: tuple[Curve, ...]
    across: tuple[tuple[float, str], ...]  # totals: y, text
    along: tuple[tuple[float, str], ...]  # rounds: x, text


def chart(
    lines: Sequence[Line], people: Mapping[int, Named], best: Sequence[int], *, width: float = WIDTH
) -> Chart:
    """Where everything stands. `best`: the seats in front at the end, drawn last and stronger."""
    rounds = max(len(line.totals) for line in lines) - 1
    height = max(LEAST_HEIGHT, LABEL_GAP * len(lines)) + TOP + BOTTOM
    values = [total for line in lines for total in line.totals if total is not None]
    step = round_step(max(values) - min(0, *values))
    low, high = min(0, *values) // step * step, -(-max(values) // step) * step
    high = high if high > low else low + step
    right = width - RIGHT

    def x(at: int) -> float:
        return round(LEFT + (right - LEFT) * at / rounds, 1)

    def y(total: float) -> float:
        return round(height - BOTTOM - (height - TOP - BOTTOM) * (total - low) / (high - low), 1)

    ends = {line.seat: _end(line) for line in lines}
    feet = _apart({seat: y(total) for seat, (_at, total) in ends.items()}, TOP, height - BOTTOM)
    curves = [
        Curve(
            seat=line.seat,
            name=shortened(people[line.seat].name, RIGHT - 30),
            letters=people[line.seat].letters,
            path="M"
            + "L".join(f"{x(at)} {y(total)}" for at, total in enumerate(line.totals) if total is not None),
            marks=tuple(
                (x(at), y(total))
                for at, total in enumerate(line.totals)
                if total is not None and (len(lines) <= FEW_LINES or (at + line.seat) % 4 == 0)
            ),
            end=(x(ends[line.seat][0]), y(ends[line.seat][1])),
            label_y=feet[line.seat],
            best=line.seat in best,
        )
        for line in lines
    ]
    skip = next(skip for skip in (1, 2, 3, 5) if (right - LEFT) * skip / rounds >= ROUND_GAP or skip == 5)
    return Chart(
        width=width,
        height=height,
        left=LEFT,
        right=right,
        curves=tuple(sorted(curves, key=lambda curve: curve.best)),
        across=tuple((y(total), number(total)) for total in range(low, high + 1, step)),
        along=tuple((x(at), number(at)) for at in range(skip, rounds + 1, skip)),
    )


def round_step(span: int) -> int:
    """A round number of points between two lines across, so that there are few of them."""
    size = 1
    while True:
        for one in (1, 2, 5):
            if span <= one * size * TICKS:
                return one * size
        size *= 10


def _end(line: Line) -> tuple[int, int]:
    return [(at, total) for at, total in enumerate(line.totals) if total is not None][-1]


def _apart(places: Mapping[int, float], top: float, bottom: float) -> dict[int, float]:
    """The labels' heights: each as near to its line's end as the others leave room for."""
    seats = sorted(places, key=lambda seat: places[seat])
    found = [places[seat] for seat in seats]
    for at in range(1, len(found)):
        found[at] = max(found[at], found[at - 1] + LABEL_GAP)
    found[-1] = min(found[-1], bottom)
    for at in range(len(found) - 2, -1, -1):
        found[at] = min(found[at], found[at + 1] - LABEL_GAP)
    shift = max(0.0, top - found[0])
    return {seat: round(at + shift, 1) for seat, at in zip(seats, found, strict=True)}


def text_width(text: str, size: float = TEXT) -> float:
    """About how wide a text is: nobody knows the phone's letters here."""
    return sum(map(_char_width, text)) * size


def _char_width(char: str) -> float:
    if unicodedata.east_asian_width(char) in "WF":
        return 1.0
    if char in "iljtfrI1.,:;|!'’ -()":
        return 0.34
    if char in "mwMW@%…":
        return 0.9
    return 0.68 if char.isupper() else 0.58


def shortened(text: str, room: float, size: float = TEXT) -> str:
    if text_width(text, size) <= room:
        return text
    while text and text_width(text + "…", size) > room:
        text = text[:-1]
    return text.rstrip() + "…"


@register.simple_tag
def race_chart(drawn: Chart, label: str) -> SafeString:
    """The chart as SVG. It is hidden from nobody: its label says what it shows, a table stands beneath."""
    return format_html(
        '<svg class="race" viewBox="0 0 {} {}" role="img" aria-label="{}">{}{}{}</svg>',
        _plain(drawn.width),
        _plain(drawn.height),
        label,
        format_html_join(
            "",
            '<path class="grid" d="M{1} {0}H{2}"/><text class="tick" x="{3}" y="{4}">{5}</text>',
            ((y, drawn.left, drawn.right, drawn.left - 8, round(y + 4, 1), text) for y, text in drawn.across),
        ),
        format_html_join(
            "",
            '<text class="tick at" x="{}" y="{}">{}</text>',
            ((x, drawn.height - 7, text) for x, text in drawn.along),
        ),
        format_html_join("", "{}", ((_curve(one, drawn.right),) for one in drawn.curves)),
    )


def _curve(one: Curve, right: float) -> SafeString:
    dots = format_html_join(
        "",
        '<use href="#m{}" class="dot" transform="translate({} {}) scale(.25)"/>',
        ((one.shape, round(x - 4, 1), round(y - 4, 1)) for x, y in one.marks),
    )
    return format_html(
        '<g class="c{shape}{ring}{best}"><path class="line" d="{path}"/>'
        '<path class="lead-out" d="M{x} {y}L{to} {label_y}"/>{dots}'
        '<use href="#m{shape}" class="dot" transform="translate({mark} {mark_y}) scale(.5)"/>'
        '<text class="letter{two}" x="{middle}" y="{letter_y}">{letters}</text>'
        '<text class="who" x="{who}" y="{who_y}">{name}</text></g>',
        shape=one.shape,
        ring=" ringed" if one.ring else "",
        best=" best" if one.best else "",
        path=one.path,
        x=one.end[0],
        y=one.end[1],
        to=right + 8,
        label_y=one.label_y,
        dots=dots,
        mark=right + 8,
        mark_y=round(one.label_y - 8, 1),
        two=" two" if len(graphemes(one.letters)) > 1 else "",
        middle=right + 16,
        letter_y=round(one.label_y - 8 + MARKER_FEET[one.shape - 1] / 2, 1),
        letters=one.letters,
        who=right + 28,
        who_y=round(one.label_y + 4, 1),
        name=one.name,
    )


def _plain(value: float) -> str:
    return f"{value:g}"
