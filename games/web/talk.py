"""What people talk about afterwards, for the result page: the chart, its table, and the facts in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from games import mapping
from games.engine.talk import Best, Talk, talk
from games.messages import listed, number
from games.models import Player
from games.selectors import Sheet
from games.talk_words import talk_sentences
from games.templatetags.chart import Chart, chart
from games.web.people import Person, people


@dataclass(frozen=True, slots=True)
class TotalsRow:
    """One player's running totals, as the table beneath the chart has them."""

    person: Person
    start: str
    totals: list[str]


@dataclass(frozen=True, slots=True)
class BestRow:
    person: Person
    best: str
    best_in: str
    worst: str
    worst_in: str


@dataclass(frozen=True, slots=True)
class TalkPage:
    chart: Chart
    label: str
    positive: bool
    facts: list[tuple[str, str]]
    rounds: list[tuple[int, int]]  # number, engine
    totals: list[TotalsRow]
    bests: list[BestRow]
    started: bool  # somebody began with points


def talk_of(sheet: Sheet) -> Talk:
    grid = [(one.number, one.hands) for one in sheet.rounds]
    return talk(
        mapping.results(sheet.players, grid, len(grid)),
        sheet.table,
        engines_of(sheet),
        positive=sheet.rules.scoring == "positive",
        apart={player.seat: given for player in sheet.players if (given := _apart(player, len(grid)))},
    )


def _apart(player: Player, last: int) -> dict[int, int]:
    """Penalties and bonuses by the round after which they were given; `last` is the newest that is in."""
    found: dict[int, int] = {}
    for one in player.adjustments:
        at = min(one["round"], last)  # that round may have been taken back
        found[at] = found.get(at, 0) + one["points"]
    return found


def engines_of(sheet: Sheet) -> dict[int, int]:
    return {one.number: one.engine for one in sheet.rounds}


def talk_page(sheet: Sheet) -> TalkPage | None:
    """None before the first round."""
    if not sheet.rounds:
        return None
    found, who, engines = talk_of(sheet), people(sheet.players), engines_of(sheet)
    best = [row.seat for row in sheet.table if row.place == 1]
    finished = sheet.has_result
    return TalkPage(
        chart=chart(found.lines, who, best),
        label=_(
            "Running totals of %(who)s over %(rounds)s rounds, as lines. The table below has the figures."
        )
        % {"who": listed([who[line.seat].name for line in found.lines]), "rounds": number(len(engines))},
        positive=sheet.rules.scoring == "positive",
        facts=talk_sentences(found, sheet.names(), engines, finished=finished),
        rounds=list(engines.items()),
        totals=[
            TotalsRow(who[line.seat], _cell(line.totals[0]), [_cell(total) for total in line.totals[1:]])
            for line in found.lines
        ],
        bests=[_best(one, who) for one in found.bests],
        started=any(line.totals[0] for line in found.lines),
    )


def _cell(total: int | None) -> str:
    return "–" if total is None else number(total)


def _best(one: Best, who: Mapping[int, Person]) -> BestRow:
    return BestRow(
        who[one.seat],
        number(one.best),
        _rounds(one.best_rounds),
        number(one.worst),
        _rounds(one.worst_rounds),
    )


def _rounds(numbers: tuple[int, ...]) -> str:
    return listed([_("R%(number)s") % {"number": one} for one in numbers])
