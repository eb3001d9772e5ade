"""A game written down for other programs: as text for a message, and as a table for a spreadsheet.

Knows what a reader wants to see. Neither carries a link or a key.
"""

from __future__ import annotations

import csv
import io

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, pgettext

from games.agreement_words import mark_keys
from games.engine.standings import compare
from games.files.cells import safe
from games.messages import double, listed, number
from games.models import Status
from games.names import apart
from games.place_words import place_name, tie_reason
from games.selectors import RoundSheet, Sheet
from games.web.doubts import doubts_of
from games.web.end import headline_of, state_words
from games.web.titles import game_title

BOM = "\ufeff"  # so that a spreadsheet reads UTF-8
COLUMNS = (
    gettext_noop("Place"),
    gettext_noop("Name"),
    gettext_noop("Total"),
    gettext_noop("Rounds out"),
    gettext_noop("Lowest other round"),
    gettext_noop("Began with"),
    gettext_noop("Penalties and bonuses"),
)


def heading(sheet: Sheet) -> str:
    """«Friday at Ruth’s, 8 November 2026»; the day only where somebody wrote it down."""
    day = sheet.game.played_on
    if day is None:
        return game_title(sheet)
    words = date_format(day, pgettext("date format", "j F Y"))
    return _("%(title)s, %(day)s") % {"title": game_title(sheet), "day": words}


def as_text(sheet: Sheet) -> str:
    """Places, totals, and what decided a tie: fit for a chat message."""
    finished = sheet.game.status == Status.FINISHED
    lines = [heading(sheet), state_words(sheet, finished)]
    if not sheet.rounds:
        return "\n".join([*lines, "", listed(list(sheet.names().values())), ""])
    names = {seat: apart(name) for seat, name in sheet.names().items()}
    doubts = doubts_of(sheet)
    lines += ["", headline_of(sheet, sure=not doubts.first, names=names), ""]
    ties = []
    for position, row in enumerate(sheet.table):
        text = _("%(place)s %(name)s: %(total)s") % {
            "place": place_name(row.place),
            "name": names[row.seat],
            "total": number(row.total),
        }
        pending = row.seat in doubts.places | doubts.totals
        lines.append(text + (_(" (left)") if row.retired else "") + (_(" (pending)") if pending else ""))
        above = sheet.table[position - 1] if position else None
        if above is not None and above.total == row.total:
            ties.append(tie_reason(compare(above, row, sheet.rules), names))
    if ties:
        lines += ["", *ties]
    if sheet.rules.scoring == "positive":
        lines += ["", _("Most points win.")]
    if doubtful := [number(one.number) for one in sheet.rounds if one.disputed]:
        lines += ["", _("Disputed: round %(rounds)s.") % {"rounds": listed(doubtful)}]
    if doubts.lines:
        lines += [
            "",
            doubts.lead,
            *(f"{one.what} {one.falls}" if one.number else one.falls for one in doubts.lines),
        ]
    if records := mark_keys(sheet.record_marks):
        lines += ["", *(one.text for one in records)]
    return "\n".join([*lines, ""])


def as_csv(sheet: Sheet) -> str:
    """A row a player, best first; a column a round with its score."""
    out = io.StringIO()
    write = csv.writer(out, quoting=csv.QUOTE_MINIMAL)
    write.writerow([*(_(name) for name in COLUMNS), *(_round(one) for one in sheet.rounds)])
    players = {player.seat: player for player in sheet.players}
    for row in sheet.table:
        player = players[row.seat]
        hands = [one.hands.get(row.seat) for one in sheet.rounds]
        scores = ["" if hand is None else hand.score for hand in hands]
        apart = row.total - player.start_total - sum(hand.score for hand in hands if hand is not None)
        lowest = "" if row.lowest_nonzero is None else row.lowest_nonzero
        facts = [row.place, safe(player.name), row.total, row.zero_rounds, lowest, player.start_total, apart]
        write.writerow([*facts, *scores])
    return BOM + out.getvalue()


def _round(one: RoundSheet) -> str:
    facts = {"number": one.number, "engine": double(one.engine)}
    if one.disputed:
        return _("Round %(number)s (%(engine)s), disputed") % facts
    return _("Round %(number)s (%(engine)s)") % facts
