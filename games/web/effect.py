"""What a corrected score does to totals and places, told before it is saved.

Knows the sheet as it is and as it would be. Must not write.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games.engine.scoring import Ended, RoundCheck, score_round
from games.engine.standings import Row
from games.messages import listed, number
from games.place_words import place_name
from games.selectors import HandCell, Sheet, build_sheet


def sheet_with(sheet: Sheet, at: int, ended: Ended, check: RoundCheck) -> Sheet:
    """The sheet as it would be with round `at` as it was checked."""
    scores = score_round(check.hands, rules=sheet.rules, ended=ended)
    hands = {
        hand.seat: HandCell(hand.points, scores[hand.seat], hand.out, hand.marker, hand.tile_count, None)
        for hand in check.hands
    }
    rounds = tuple(replace(entry, hands=hands) if entry.number == at else entry for entry in sheet.rounds)
    return build_sheet(sheet.game, sheet.players, rounds)


def effect_words(before: Sheet, after: Sheet, seat: int) -> SafeString:
    """«The total becomes 142, not 162: Wilhelmina moves up to 3rd, Chitra to 4th.»"""
    old = {row.seat: row for row in before.table}
    new = {row.seat: row for row in after.table}
    moves = ", ".join(_moves(old, new, seat, before.names())) or _("no place changes")
    if old[seat].total == new[seat].total:
        own = format_html(
            _("The total stays <b>{total}</b>: {moves}."), total=number(old[seat].total), moves=moves
        )
    else:
        own = format_html(
            _("The total becomes <b>{new}</b>, not {old}: {moves}."),
            new=number(new[seat].total),
            old=number(old[seat].total),
            moves=moves,
        )
    others = _others(old, new, seat, before.names())
    return format_html("{} {}", own, others) if others else own


def _moves(old: dict[int, Row], new: dict[int, Row], seat: int, names: dict[int, str]) -> Iterable[str]:
    """The player's own move first, then whoever is moved by it."""
    moved = [one for one in new if one != seat and old[one].place != new[one].place]
    verb = True
    if old[seat].place != new[seat].place:
        up = new[seat].place < old[seat].place
        text = _("%(name)s moves up to %(place)s") if up else _("%(name)s moves down to %(place)s")
        yield text % {"name": names[seat], "place": place_name(new[seat].place)}
        verb = False
    for one in moved:
        text = _("%(name)s moves to %(place)s") if verb else _("%(name)s to %(place)s")
        yield text % {"name": names[one], "place": place_name(new[one].place)}
        verb = False


def _others(old: dict[int, Row], new: dict[int, Row], seat: int, names: dict[int, str]) -> str:
    """Totals of others that follow, where a score is made of all hands."""
    changed = [
        _("%(name)s to %(total)s") % {"name": names[one], "total": number(new[one].total)}
        for one in new
        if one != seat and old[one].total != new[one].total
    ]
    return _("Other totals change too: %(list)s.") % {"list": listed(changed)} if changed else ""


def effects_words(before: Sheet, after: Sheet) -> str:
    """«The totals become: Ben 148, not 146; Ann 12, not 20. Ben moves down to 3rd.»"""
    old = {row.seat: row for row in before.table}
    new = {row.seat: row for row in after.table}
    names = before.names()
    totals = [
        _("%(name)s %(new)s, not %(old)s")
        % {"name": names[seat], "new": number(new[seat].total), "old": number(old[seat].total)}
        for seat in old
        if new[seat].total != old[seat].total
    ]
    moves = [
        (_("%(name)s moves up to %(place)s") if up else _("%(name)s moves down to %(place)s"))
        % {"name": names[seat], "place": place_name(new[seat].place)}
        for seat in new
        for up in [new[seat].place < old[seat].place]
        if new[seat].place != old[seat].place
    ]
    if not totals:
        return _("No total changes.")
    told = _("The totals become: %(totals)s.") % {"totals": "; ".join(totals)}
    places = _("%(moves)s.") % {"moves": ", ".join(moves)} if moves else _("No place changes.")
    return f"{told} {places}"
