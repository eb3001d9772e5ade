"""What is asked before a round is written down, as it was typed: who plays, by which rules, who began.

Knows the form. Must not write, and must not judge more than whether a record can be begun.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.engine.errors import TileError
from games.engine.reading import parse_record
from games.engine.record import Record, RecordError, print_record
from games.engine.rules import PRESETS, RuleSet, rule_set, suits
from games.engine.suits import BIT, tile_number
from games.engine.tiles import SETS, parse_tile, tile_total
from games.messages import number
from games.messages import sentence as said
from games.names import tidy
from games.record_words import unread
from games.services import MAX_PLAYERS, MIN_PLAYERS, Setup, check_setup

IDS = "ABCDEFGHIJKLNO"  # of players in a record: M is the Mexican Train's
SHOWN_ROWS = 4  # places for names before «more players»
AUTO = "auto"


@dataclass(slots=True)
class Begin:
    """The form: `faults` says what is wrong, by the field it is beside."""

    preset: str = "thoughtco"
    max_pip: str = AUTO
    names: list[str] = field(default_factory=list)
    engine: str = ""
    deal: str = ""
    hands: list[str] = field(default_factory=list)
    seek: list[str] = field(default_factory=list)
    faults: dict[str, str] = field(default_factory=dict)

    @property
    def rules(self) -> RuleSet:
        players = max(MIN_PLAYERS, len(self.names))
        card = PRESETS[self.preset]
        pip = int(self.max_pip) if self.max_pip != AUTO else suits(card, players)
        return rule_set(self.preset, max_pip=pip)

    @property
    def rows(self) -> list[str]:
        return [*self.names, *[""] * (MAX_PLAYERS - len(self.names))]

    @property
    def most(self) -> int:
        return self.rules.max_pip


def read_begin(data: QueryDict) -> Begin:
    """The form as sent; what is no choice of it becomes the first one."""
    preset, pips = str(data.get("preset", "")), str(data.get("set", ""))
    names = [tidy(str(name)) for name in data.getlist("player")[: MAX_PLAYERS + 1]]
    return Begin(
        preset=preset if preset in PRESETS else "thoughtco",
        max_pip=pips if pips in map(str, SETS) else AUTO,
        names=[name for name in names if name],
        engine=str(data.get("engine", ""))[:8],
        deal=str(data.get("deal", ""))[:8],
        hands=[str(text)[:400] for text in data.getlist("hand")[:MAX_PLAYERS]],
        seek=[str(text)[:8] for text in data.getlist("seek")[:MAX_PLAYERS]],
    )


def check_people(begin: Begin) -> bool:
    """Whether the first half is right: who plays."""
    problems = check_setup(Setup(players=begin.names, rules=begin.rules))
    names = dict(enumerate(begin.names, start=1))
    told = [said(problem, names) for problem in problems if problem.field == "players"]
    if told:
        begin.faults["player"] = " ".join(dict.fromkeys(told))
    return not told


def dealt(begin: Begin) -> str:
    """How many tiles each has by the card, or nothing where it does not say."""
    deal = begin.rules.deal_for(len(begin.names))
    return "" if deal is None else str(deal)


def begun(begin: Begin, *, start: int | None, layer: int | None) -> Record | None:
    """The record of a round that is about to begin, or None with what is wrong in `faults`.

    `start` and `layer` count the players from 0: who moves first, who laid the engine.
    """
    rules, count = begin.rules, len(begin.names)
    engine = _whole(begin.engine, rules.max_pip)
    if engine is None:
        begin.faults["engine"] = _("The engine is a double from 0-0 to %(top)s-%(top)s.") % {
            "top": rules.max_pip
        }
    seek = _seek(begin, count)
    deal = _deal(begin, rules, count, sum(seek or ()))
    if engine is None or deal is None or seek is None:
        return None
    hands = _hands(begin, rules, [deal + more for more in seek])
    if hands is None:
        return None
    ids = tuple(IDS[:count])
    record = Record(
        rules=rules,
        players=ids,
        names=tuple(map(record_name, begin.names)),
        deal=deal,
        engine=engine,
        layer=None if layer is None else ids[layer],
        start=ids[layer if layer is not None else start or 0],
        seek=tuple(seek),
        hands=hands,
        turns=(),
    )
    try:
        return parse_record(print_record(record))
    except RecordError as error:
        begin.faults["form"] = unread(error.problems[0])
        return None


def with_told(begin: Begin, record: Record | None) -> Record | None:
    """The record with what is told of hands before it begins; None with what is wrong in `faults`."""
    seek = None if record is None else _seek(begin, len(record.players))
    if record is None or seek is None:
        return None
    hands = _hands(begin, record.rules, [record.deal + more for more in seek])
    if hands is None:
        return None
    try:
        return parse_record(print_record(replace(record, seek=tuple(seek), hands=hands)))
    except RecordError as error:
        begin.faults["form"] = unread(error.problems[0])
        return None


def record_name(name: str) -> str | None:
    """A name as a record's header can hold it: its own signs become spaces."""
    kept = tidy("".join(" " if sign in ",;=" else sign for sign in name))
    return kept or None


def _whole(text: str, most: int) -> int | None:
    text = text.strip()
    if not (text.isascii() and text.isdecimal() and len(text) < 4) or int(text) > most:
        return None
    return int(text)


def _deal(begin: Begin, rules: RuleSet, players: int, more: int) -> int | None:
    most = (tile_total(rules.max_pip) - more - (rules.engine == "set_aside")) // players
    least = 2 if rules.engine == "dealt" else 1
    deal = _whole(begin.deal, max(most, 0))
    if deal is None or deal < least:
        begin.faults["deal"] = _("Each can have %(least)s to %(most)s tiles here.") % {
            "least": number(least),
            "most": number(most),
        }
        return None
    return deal


def _seek(begin: Begin, players: int) -> list[int] | None:
    found = []
    for text in [*begin.seek, *[""] * players][:players]:
        count = _whole(text or "0", 99)
        if count is None:
            begin.faults["seek"] = _("“%(text)s” is no number of tiles.") % {"text": text}
            return None
        found.append(count)
    return found


def _hands(begin: Begin, rules: RuleSet, sizes: Sequence[int]) -> tuple[int | None, ...] | None:
    hands: list[int | None] = []
    everyone = 0
    for at, size in enumerate(sizes):
        words = (begin.hands[at] if at < len(begin.hands) else "").replace(",", " ").split()
        hand, fault = _hand(words, rules, size, everyone)
        if fault:
            begin.faults["hands"] = f"{begin.names[at]}: {fault}"
            return None
        everyone |= hand
        hands.append(hand if words else None)
    return tuple(hands)


def _hand(words: Sequence[str], rules: RuleSet, size: int, others: int) -> tuple[int, str]:
    """The tiles as a set, and what is wrong with them."""
    hand = 0
    for word in words:
        tile = _tile(word, rules)
        if tile is None:
            return hand, _("“%(text)s” is no tile of this set.") % {"text": word[:20]}
        if (hand | others) & BIT[tile]:
            return hand, _("%(tile)s is there twice.") % {"tile": word[:20]}
        hand |= BIT[tile]
    if words and len(words) != size:
        told = len(words)
        text = ngettext(
            "This is %(told)s tile, not %(size)s.", "These are %(told)s tiles, not %(size)s.", told
        )
        return hand, text % {"told": number(told), "size": number(size)}
    return hand, ""


def _tile(word: str, rules: RuleSet) -> int | None:
    try:
        tile = parse_tile(word.replace("\u2011", "-").replace("\u2013", "-"))
    except TileError:
        return None
    return tile_number(tile.high, tile.low) if tile.high <= rules.max_pip else None


def as_context(begin: Begin) -> dict[str, Any]:
    """What both halves of the form show."""
    return {"begin": begin, "rows": begin.rows, "shown": SHOWN_ROWS, "faults": begin.faults}
