"""Figures over time and figures beside each other as SVG, drawn on the server without an inline style.

Knows geometry. Must not know what a figure means; colours are the stylesheet's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from games.messages import number
from games.templatetags.chart import round_step, text_width

register = template.Library()

WIDTH, HEIGHT = 340, 190
TOP, BOTTOM = 12, 24
GAP = 10  # between the plot and the figures beside it
TICK, LAST = 11.0, 13.0  # sizes of text
BOLD = 1.12  # how much wider bold text is
BAR = 1000  # units of a bar's length


@dataclass(frozen=True, slots=True)
class Course:
    """`dots` are single figures, `line` joins figures; both (x, y). `label` stands at the line's end.

    The plot reaches from `left` to `right`.
    """

    left: float
    right: float
    across: tuple[tuple[float, str], ...]
    along: tuple[tuple[float, str, str], ...]  # x, text, where the text is anchored
    dots: tuple[tuple[float, float, str], ...]  # x, y, extra class
    line: str
    end: tuple[float, float]
    label: str
    zero: float | None  # where nothing is, if figures lie on both sides


def course(
    line: Sequence[Fraction | int],
    *,
    label: str,
    ends: tuple[str, str],
    dots: Sequence[Fraction | int] = (),
    marked: Sequence[bool] = (),
) -> Course:
    """Two figures at least. `ends`: what stands under the first and the last; `marked`: dots drawn hollow."""
    values = [float(one) for one in (*line, *dots)]
    step = round_step(int(max(values)) + 1 - int(min(0, *values)))
    low, high = min(0, int(min(values) // step)) * step, -int(-max(values) // step) * step
    high = high if high > low else low + step
    ticks = {value: number(value) for value in range(low, high + 1, step)}
    left = round(max(text_width(text, TICK) for text in ticks.values()) + GAP)
    right, foot = round(WIDTH - text_width(label, LAST) * BOLD - GAP), HEIGHT - BOTTOM

    def x(at: int) -> float:
        return round(left + (right - left) * at / (len(line) - 1), 1)

    def y(value: Fraction | int | float) -> float:
        return round(foot - (foot - TOP) * (float(value) - low) / (high - low), 1)

    return Course(
        left=left,
        right=right,
        across=tuple((y(value), text) for value, text in ticks.items()),
        along=((left, ends[0], "from"), (right, ends[1], "to")),
        dots=tuple(
            (x(at), y(value), " hollow" if at < len(marked) and marked[at] else "")
            for at, value in enumerate(dots)
        ),
        line="M" + "L".join(f"{x(at)} {y(value)}" for at, value in enumerate(line)),
        end=(x(len(line) - 1), y(line[-1])),
        label=label,
        zero=y(0) if low < 0 else None,
    )


@register.simple_tag
def course_chart(drawn: Course, label: str) -> SafeString:
    """The chart; its label says what it shows, and a table stands beneath."""
    many = " many" if len(drawn.dots) > 60 else ""
    zero = (
        ""
        if drawn.zero is None
        else format_html('<path class="zero" d="M{} {}H{}"/>', drawn.left, drawn.zero, drawn.right)
    )
    return format_html(
        '<svg class="course{}" viewBox="0 0 {} {}" role="img" aria-label="{}">{}{}{}{}'
        '<path class="line" d="{}"/><circle class="end" cx="{}" cy="{}" r="4.5"/>'
        '<text class="last" x="{}" y="{}">{}</text></svg>',
        many,
        WIDTH,
        HEIGHT,
        label,
        format_html_join(
            "",
            '<path class="grid" d="M{1} {0}H{2}"/><text class="tick" x="{3}" y="{4}">{5}</text>',
            ((y, drawn.left, drawn.right, drawn.left - 8, round(y + 4, 1), text) for y, text in drawn.across),
        ),
        zero,
        format_html_join(
            "",
            '<text class="{}" x="{}" y="{}">{}</text>',
            ((where, x, HEIGHT - 6, text) for x, text, where in drawn.along),
        ),
        format_html_join(
            "",
            '<circle class="dot{2}" cx="{0}" cy="{1}" r="{3}"/>',
            ((x, y, extra, 3.2 if extra or not many else 1.8) for x, y, extra in drawn.dots),
        ),
        drawn.line,
        *drawn.end,
        round(drawn.end[0] + 9, 1),
        round(drawn.end[1] + 4, 1),
        drawn.label,
    )


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar among others: where it begins, how long it is, where the mean lies (of BAR units)."""

    start: float
    length: float
    mean: float | None


def bars(values: Sequence[Fraction | int], mean: Fraction | None = None) -> list[Bar]:
    """Bars of one scale, from nothing to the right, or to the left below zero."""
    shown = [0, *values, *([] if mean is None else [mean])]
    low, high = float(min(shown)), float(max(shown))
    span = high - low or 1.0

    def at(value: Fraction | int | float) -> float:
        return round((float(value) - low) / span * BAR, 1)

    return [
        Bar(min(at(0), at(value)), round(abs(at(value) - at(0)), 1), None if mean is None else at(mean))
        for value in values
    ]


@register.simple_tag
def strip(drawn: Bar) -> SafeString:
    """A bar beside its figure, so hidden from screen readers."""
    mean = (
        ""
        if drawn.mean is None
        else format_html(
            '<path class="halo" d="M{0} 0V20"/><path class="mean" d="M{0} 0V20"/>',
            min(max(drawn.mean, 4), BAR - 4),
        )
    )
    return format_html(
        '<svg class="strip" viewBox="0 0 {} 20" preserveAspectRatio="none" aria-hidden="true">'
        '<rect class="fill" x="{}" y="3" width="{}" height="14"/>{}</svg>',
        BAR,
        drawn.start,
        drawn.length,
        mean,
    )


@register.simple_tag
def split_bar(parts: Sequence[tuple[int, str]], label: str) -> SafeString:
    """One bar in parts, each with its number; parts that are nothing are left out."""
    total = sum(size for size, _kind in parts) or 1
    drawn, at = [], 0.0
    for size, kind in parts:
        width = WIDTH * size / total
        if size:
            drawn.append((kind, round(at, 1), round(width, 1), round(at + width / 2, 1), number(size)))
        at += width
    return format_html(
        '<svg class="split" viewBox="0 0 {} 44" role="img" aria-label="{}">{}</svg>',
        WIDTH,
        label,
        format_html_join(
            "",
            '<g class="{}"><rect x="{}" y="1" width="{}" height="42"/><text x="{}" y="28">{}</text></g>',
            drawn,
        ),
    )
