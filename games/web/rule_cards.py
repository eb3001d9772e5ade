"""One or two rule cards as tables: a row a field, what each card says of it, and whether they differ.

Knows rule sets and their words alone: every value here is the rule set's. Must not know requests.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from games import rule_words
from games.engine.rules import DEALS, FIELDS, OPTIONS, RuleSet
from games.rule_book import Deal, deal_rows
from games.rule_words import Line, Words


@dataclass(frozen=True, slots=True)
class DealTable:
    """The deal of one set: tiles each by number of players; `source` is a rule's number or «our reading»."""

    set_name: str
    rows: Sequence[Deal]
    source: str
    reading: bool


@dataclass(frozen=True, slots=True)
class Cell:
    """What one card says: `lines` with their sources, or the `deals` of each set, the card's own first."""

    lines: Sequence[Line] = ()
    deals: Sequence[DealTable] = ()


@dataclass(frozen=True, slots=True)
class Row:
    field: str
    label: Words
    cells: Sequence[Cell]
    differs: bool


@dataclass(frozen=True, slots=True)
class Table:
    label: Words
    rows: Sequence[Row]


@dataclass(frozen=True, slots=True)
class Option:
    """A scoring option that no card here has on, and what a table may choose."""

    field: str
    label: Words
    choices: str


def card_tables(cards: Sequence[RuleSet], seats: int = 0) -> list[Table]:
    """The cards by group; the deal for `seats` players, or for any number of them with 0.

    Options that are off on all cards are left out: `options_off` has them.
    """
    off = {option.field for option in options_off(cards)}
    return [
        Table(group.label, [_row(cards, name, seats) for name in group.fields if name not in off])
        for group in rule_words.GROUPS
    ]


def differing(tables: Sequence[Table]) -> list[Table]:
    """The same with the rows alone in which the cards differ."""
    kept = (Table(table.label, [row for row in table.rows if row.differs]) for table in tables)
    return [table for table in kept if table.rows]


def options_off(cards: Sequence[RuleSet]) -> list[Option]:
    names = [name for name in OPTIONS if not any(getattr(card, name) for card in cards)]
    return [Option(name, rule_words.label(name), _choices(name)) for name in names]


def readings_of(card: RuleSet) -> list[Line]:
    """What the card's source is silent about, as we read it."""
    lines = (rule_words.line(card, name) for name in FIELDS if name != "deal")
    return [line for line in lines if line.reading]


def _choices(name: str) -> str:
    if FIELDS[name].kind == "int":
        return _("up to %(points)s") % {"points": rule_words.points(FIELDS[name].most)}
    return " · ".join(str(rule_words.choice(name, value)) for value in rule_words.values(name) if value)


def _row(cards: Sequence[RuleSet], name: str, seats: int) -> Row:
    if name == "deal":
        return _deal_row(cards, seats)
    values = [getattr(card, name) for card in cards]
    cells = [Cell([rule_words.line(card, name)]) for card in cards]
    return Row(name, rule_words.label(name), cells, any(value != values[0] for value in values))


def _deal_row(cards: Sequence[RuleSet], seats: int) -> Row:
    if not seats:
        dealt = [[(one.set_name, one.rows) for one in _deals(card)] for card in cards]
        cells = [Cell(deals=_deals(card)) for card in cards]
        return Row("deal", rule_words.label("deal"), cells, any(one != dealt[0] for one in dealt))
    label = _("Tiles for %(players)s") % {"players": rule_words.players(seats)}
    cells = [Cell(_deal_lines(card, seats)) for card in cards]
    said = [[line.text for line in cell.lines] for cell in cells]
    return Row("deal", label, cells, any(one != said[0] for one in said))


def _sets(card: RuleSet) -> list[RuleSet]:
    """The card with each set it has a deal for, its own first."""
    others = (max_pip for max_pip in DEALS[card.preset] if max_pip != card.max_pip)
    return [replace(card, max_pip=max_pip) for max_pip in (card.max_pip, *others)]


def _deals(card: RuleSet) -> list[DealTable]:
    found = []
    for one in _sets(card):
        source = _deal_source(one)
        rows = deal_rows(card.preset, one.max_pip)
        if rows:
            set_name = rule_words.set_name(one.max_pip)
            found.append(DealTable(set_name, rows, source, reading=source == rule_words.our_reading()))
    return found


def _deal_source(card: RuleSet) -> str:
    return rule_words.source_words(card, "deal")


def _deal_lines(card: RuleSet, seats: int) -> list[Line]:
    """«12», or «15 with double-9» for another set than the card's own."""
    lines = []
    label = rule_words.label("deal")
    for one in _sets(card):
        dealt = one.deal_for(seats)
        if dealt is None:
            continue
        text = number_format(dealt)
        if one.max_pip != card.max_pip:
            set_name = _("double-%(number)s") % {"number": one.max_pip}
            text = _("%(tiles)s with %(set)s") % {"tiles": text, "set": set_name}
        lines.append(Line("deal", label, text, _deal_source(one)))
    return lines or [Line("deal", label, _("The card gives none"))]
