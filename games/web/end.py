"""The result, or the standing so far: who is where, and what decided it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.agreement_words import mark_keys
from games.engine.standings import Reason, Row, compare
from games.messages import Names, listed, number, signed
from games.models import Status
from games.permissions import Access
from games.place_words import criterion_name, headline, place_name, shared_words, tie_verdict
from games.selectors import Sheet, sheet_of
from games.web.access import reads
from games.web.club.back import season_of_game
from games.web.device import DeviceRequest
from games.web.doubts import doubts_of
from games.web.people import Person, people
from games.web.talk import talk_page
from games.web.titles import abandoned_words, game_title

PODIUM = 3  # places that stand on it
SIGNS = {"less": "<", "equal": "=", "more": ">"}


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a tie table."""

    name: str
    above: str
    sign: str
    below: str
    decides: bool


@dataclass(frozen=True, slots=True)
class Why:
    """Why one row stands where it does, against the row above it."""

    question: str
    above: Person
    below: Person
    lines: tuple[Line, ...]
    verdict: str


@dataclass(frozen=True, slots=True)
class Ranked:
    """A row of the result. `tied`: its total is that of the row above, so its reason opens by itself."""

    row: Row
    person: Person
    place: str
    total: str
    note: str
    tied: bool
    why: Why | None


@require_safe
@never_cache
@reads
def end(request: DeviceRequest, access: Access) -> HttpResponse:
    sheet = sheet_of(access.game)
    doubts = doubts_of(sheet)
    finished = access.game.status == Status.FINISHED
    ranking = ranking_of(sheet) if sheet.rounds else []
    asked = request.GET.get("why", "")
    abandoned = access.game.abandoned_at is not None
    standing = [one for one in ranking if one.row.place <= PODIUM and not (one.row.retired or abandoned)]
    context = {
        "game": access.game,
        "doubts": doubts,
        "sheet": sheet,
        "title": game_title(sheet),
        "state": state_words(sheet, finished),
        "headline": headline_of(sheet, sure=not doubts.first) if sheet.rounds else "",
        "positive": sheet.rules.scoring == "positive",
        "podium": standing,
        "rest": [one for one in ranking if one not in standing],
        "whys": [one for one in standing if one.why and (one.tied or str(one.row.seat) == asked)],
        "asked": asked,
        "apart": list(apart_words(sheet)),
        "unconfirmed": _unconfirmed(sheet),
        "records": mark_keys(sheet.record_marks),
        "finished": finished,
        "abandoned": abandoned,
        "may_abandon": not finished,
        "may_score": access.may_score,
        "most_pips": sheet.rules.max_pip,
        "talk": talk_page(sheet),
        "season": season_of_game(request, access.game),
    }
    return render(request, "games/end.html", context)


def apart_words(sheet: Sheet) -> Iterable[str]:
    """What is in the totals and in no round, in the order people sit."""
    for player in sheet.players:
        if player.start_total:
            yield _("%(name)s joined in round %(number)s and began with %(total)s.") % {
                "name": player.name,
                "number": player.from_round,
                "total": number(player.start_total),
            }
        for one in player.adjustments:
            yield _("%(name)s: %(points)s, %(reason)s") % {
                "name": player.name,
                "points": signed(one["points"]),
                "reason": one["reason"],
            }


def _unconfirmed(sheet: Sheet) -> str:
    """Which rounds nobody confirmed, where the table wanted a second person."""
    waiting = sheet.unconfirmed
    if not waiting:
        return ""
    text = ngettext(
        "Nobody confirmed round %(numbers)s.", "Nobody confirmed rounds %(numbers)s.", len(waiting)
    )
    return text % {"numbers": listed([number(one) for one in waiting])}


def state_words(sheet: Sheet, finished: bool) -> str:
    facts = {"played": len(sheet.rounds), "rounds": sheet.game.round_count}
    if sheet.game.abandoned_at is not None:
        return abandoned_words(sheet)
    if not finished:
        return _("After %(played)s of %(rounds)s rounds") % facts
    if sheet.next_number is None:
        return _("Finished, %(rounds)s rounds") % facts
    return _("Finished after %(played)s of %(rounds)s rounds") % facts


def headline_of(sheet: Sheet, *, sure: bool = True, names: Names | None = None) -> str:
    """Who wins or leads (leads only, while a dispute could change that); of an abandoned game: nobody."""
    if sheet.game.abandoned_at is not None:
        return _("Nobody has won")
    return headline(sheet.table, names or sheet.names(), finished=sheet.has_result and sure)


def ranking_of(sheet: Sheet) -> list[Ranked]:
    who, table = people(sheet.players), sheet.table
    found = []
    for position, row in enumerate(table):
        above = table[position - 1] if position else None
        gap = row.total - table[0].total
        found.append(
            Ranked(
                row=row,
                person=who[row.seat],
                place=place_name(row.place),
                total=number(row.total),
                note=f"{'+' if gap > 0 else '−'}{number(abs(gap))}" if gap else "",
                tied=above is not None and above.total == row.total and not row.retired,
                why=_why(sheet, above, row, who) if above else None,
            )
        )
    return found


def _why(sheet: Sheet, above: Row, row: Row, who: dict[int, Person]) -> Why:
    reason, names = compare(above, row, sheet.rules), sheet.names()
    facts = {
        "above": names[above.seat],
        "below": names[row.seat],
        "above_place": place_name(above.place),
        "below_place": place_name(row.place),
    }
    if reason.code == "shared":
        seats = [one.seat for one in sheet.table if one.place == row.place]
        question = _("Why do %(above)s and %(below)s share %(below_place)s?") % facts
        verdict = shared_words(seats, row.place, reason, names)
    else:
        question = _("Why is %(above)s %(above_place)s and %(below)s %(below_place)s?") % facts
        verdict = tie_verdict(reason, names)
    return Why(question, who[above.seat], who[row.seat], tuple(_lines(reason)), verdict)


def _lines(reason: Reason) -> Iterable[Line]:
    for one in reason.criteria:
        above, below = (number(value) if value is not None else "–" for value in (one.above, one.below))
        yield Line(criterion_name(one.code), above, SIGNS[one.relation], below, one.decides)
        if one.decides:
            return
