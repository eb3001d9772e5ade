"""The result as a picture to share: an SVG of its own, drawn on the server, that needs no stylesheet.

Knows where things stand on the picture. An SVG, because none of the libraries here draws pixels; where there
is script, the page turns it into a PNG on the phone (static/games/files.js).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from games.engine.standings import compare
from games.messages import number
from games.models import Status
from games.place_words import tie_reason
from games.selectors import Sheet
from games.templatetags.chart import Chart, Curve, chart, shortened, text_width
from games.templatetags.tiles import MARKER_FEET, MARKER_SHAPES, SHAPES, graphemes
from games.web.doubts import doubts_of
from games.web.end import headline_of, state_words
from games.web.people import Person, people
from games.web.talk import talk_of
from games.web.written import heading

WIDTH, MARGIN, ROW = 720, 40, 52
CLOTH, INK, SECOND, LINE, BRASS, BRASS_LINE, FACE, EDGE = (
    *("#E2E6D3", "#1B2620", "#48534A", "#BEC5AC", "#E3B341", "#765200", "#FFFDF5", "#6F5B42"),
)
COLOURS = ("#17607A", "#9C3A1E", "#5B3F95", "#3C6B1F", "#8A2560", "#7A5600", "#37474F")
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif"


def as_picture(sheet: Sheet) -> SafeString:
    """Title, who won, every place with its total, what decided ties, and the lines of the totals."""
    parts: list[SafeString] = []
    finished = sheet.game.status == Status.FINISHED
    y = 64.0
    parts.append(_text(MARGIN, y, heading(sheet), 30, 700, room=WIDTH - 2 * MARGIN))
    y += 34
    parts.append(_text(MARGIN, y, state_words(sheet, finished), 21, 400, SECOND))
    if sheet.rounds:
        y += 62
        doubts = doubts_of(sheet)
        won = headline_of(sheet, sure=not doubts.first)
        for line in wrapped(won, 40, WIDTH - 2 * MARGIN):
            parts.append(_text(MARGIN, y, line, 40, 700))
            y += 48
        rows, y = _rows(sheet, y, doubts.places | doubts.totals)
        parts += rows
        drawn, y = _race(sheet, y + 24)
        parts.append(drawn)
    else:
        y += 40
    parts.append(_text(MARGIN, y + 34, _("Scorekeeper"), 18, 400, SECOND))
    height = round(y + 60)
    return format_html(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0} {1}" width="{0}" height="{1}" '
        'font-family="{2}"><title>{3}</title><rect width="{0}" height="{1}" fill="{4}"/>{5}</svg>\n',
        *(WIDTH, height, FONT, heading(sheet), CLOTH),
        mark_safe("".join(parts)),  # noqa: S308 - each part is escaped
    )


def _rows(sheet: Sheet, y: float, pending: Collection[int]) -> tuple[list[SafeString], float]:
    parts: list[SafeString] = []
    who = people(sheet.players)
    for position, row in enumerate(sheet.table):
        parts.append(
            format_html('<path d="M{} {}H{}" stroke="{}"/>', MARGIN, round(y, 1), WIDTH - MARGIN, LINE)
        )
        person = who[row.seat]
        if row.seat in pending:
            person = person._replace(name=_("%(name)s (pending)") % {"name": person.name})
        first = row.place == 1 and sheet.game.abandoned_at is None
        parts += _row(person, row.place, row.total, y + ROW / 2, first=first)
        y += ROW
        above = sheet.table[position - 1] if position else None
        if above is not None and above.total == row.total:
            reason = tie_reason(compare(above, row, sheet.rules), sheet.names())
            for line in wrapped(reason, 19, WIDTH - 2 * MARGIN - 100):
                parts.append(_text(MARGIN + 100, y + 8, line, 19, 400, SECOND))
                y += 26
            y += 6
    return parts, y


def _row(person: Person, place: int, total: int, middle: float, *, first: bool) -> Iterator[SafeString]:
    if first:
        yield format_html(
            '<circle cx="{}" cy="{}" r="17" fill="{}" stroke="{}" stroke-width="1.5"/>',
            *(MARGIN + 18, middle, BRASS, BRASS_LINE),
        )
    yield _text(MARGIN + 18, middle + 8, number(place), 22, 700, INK if first else SECOND, "middle")
    yield _marker(person.seat, person.letters, MARGIN + 54, middle - 16, 1)
    room = WIDTH - 2 * MARGIN - 100 - text_width(number(total), 30) - 12
    yield _text(MARGIN + 100, middle + 9, person.name, 26, 600, room=room)
    yield _text(WIDTH - MARGIN, middle + 10, number(total), 30, 700, INK, "end")


def _race(sheet: Sheet, y: float) -> tuple[SafeString, float]:
    """The chart of the result page, with colours of its own."""
    best = [row.seat for row in sheet.table if row.place == 1]
    drawn = chart(talk_of(sheet).lines, people(sheet.players), best)
    scale = (WIDTH - 2 * MARGIN) / drawn.width
    content = _grid(drawn) + format_html_join("", "{}", ((_curve(one, drawn),) for one in drawn.curves))
    group = format_html(
        '<g transform="translate({} {}) scale({})">{}</g>', MARGIN, y, round(scale, 3), content
    )
    return group, y + drawn.height * scale


def _grid(drawn: Chart) -> SafeString:
    across = format_html_join(
        "",
        '<path d="M{1} {0}H{2}" stroke="{3}"/>{4}',
        (
            (y, drawn.left, drawn.right, LINE, _text(drawn.left - 8, y + 4, text, 11, 400, SECOND, "end"))
            for y, text in drawn.across
        ),
    )
    along = format_html_join(
        "",
        "{}",
        ((_text(x, drawn.height - 7, text, 11, 400, SECOND, "middle"),) for x, text in drawn.along),
    )
    return across + along


def _curve(one: Curve, drawn: Chart) -> SafeString:
    colour = COLOURS[one.shape - 1]
    dots = format_html_join("", "{}", ((_marker(one.seat, "", x - 4, y - 4, 0.25),) for x, y in one.marks))
    return format_html(
        '<path d="{}" fill="none" stroke="{}" stroke-width="{}"{} stroke-linejoin="round"/>'
        '<path d="M{} {}L{} {}" stroke="{}" stroke-dasharray="1 3"/>{}{}{}',
        *(one.path, colour, 3.2 if one.best else 2),
        mark_safe(' stroke-dasharray="6 3"') if one.ring else "",
        *(*one.end, drawn.right + 8, one.label_y, colour),
        dots,
        _marker(one.seat, one.letters, drawn.right + 8, one.label_y - 8, 0.5),
        _text(drawn.right + 28, one.label_y + 4, one.name, 12, 600),
    )


def _marker(seat: int, letters: str, x: float, y: float, scale: float) -> SafeString:
    turn, shape = divmod(seat - 1, SHAPES)
    ring, colour = turn % 2 == 1, COLOURS[shape]
    two = len(graphemes(letters)) > 1
    letter = format_html(
        '<text x="16" y="{}" font-size="{}" font-weight="700" text-anchor="middle" fill="{}" '
        'stroke="none">{}</text>',
        *(MARKER_FEET[shape], 12.5 if two else 16, INK if ring else FACE, letters),
    )
    return format_html(
        '<g transform="translate({} {}) scale({})" fill="{}" stroke="{}" stroke-width="{}">{}{}</g>',
        *(round(x, 1), round(y, 1), scale, FACE if ring else colour, colour, 3 if ring else 0),
        mark_safe(MARKER_SHAPES[shape]),  # noqa: S308 - our own
        letter if letters else "",
    )


def _text(
    x: float,
    y: float,
    text: str,
    size: float,
    weight: int,
    colour: str = INK,
    anchor: str = "start",
    room: float | None = None,
) -> SafeString:
    shown = text if room is None else shortened(text, room, size)
    return format_html(
        '<text x="{}" y="{}" font-size="{}" font-weight="{}" fill="{}" text-anchor="{}">{}</text>',
        *(round(x, 1), round(y, 1), size, weight, colour, anchor, shown),
    )


def wrapped(text: str, size: float, room: float) -> Sequence[str]:
    """The text in lines that fit, broken at spaces; a word wider than a line is cut."""
    lines: list[str] = []
    for word in text.split():
        if lines and text_width(f"{lines[-1]} {word}", size) <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(shortened(word, room, size))
    return lines
