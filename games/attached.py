"""The record of a round beside its game: what it tells, who of it sits where, what a new one begins with.

Knows sheets and the engine's answers. Must not write rows, and must not know requests or sentences.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import lru_cache

from games.engine.agreement import (
    Agreement,
    Facts,
    PlayedHand,
    PlayedRound,
    compare,
    facts_of,
    plain,
    seated,
)
from games.engine.claims import Ended
from games.engine.moves import MEXICAN
from games.engine.reading import parse_record
from games.engine.record import Record
from games.engine.replay import replay, steps_for
from games.engine.rules import PRESETS
from games.models import Round
from games.names import lines
from games.selectors import Sheet, build_sheet, starter

# A whole round of fourteen players with the largest set, every tile shown, is a third of it.
MOST_CHARACTERS = 20_000
# Steps of one search for hands that explain written points, in a round of four players and a double-12 set;
# there are two at most, for the verdict and for what clashes.
BUDGET = 10_000
# They shape the letters of a name; beside a sign of the notation nobody sees them, and nothing can be read.
_JOINED = re.compile("(?<=[ -~])[\u200c\u200d]+|[\u200c\u200d]+(?=[ -~])")
_IDS = [chr(letter) for letter in range(ord("A"), ord("Z") + 1) if chr(letter) != MEXICAN]


def as_kept(text: str) -> str:
    """A record's text as it is read and kept: with nothing unseen in it, and no empty lines at its end.

    >>> as_kept("\\ufeffplayers: A, B\\r\\n\\r\\n")
    'players: A, B\\n'
    """
    return _JOINED.sub("", lines(text)).rstrip("\n") + "\n"


@lru_cache(maxsize=32)  # a record is read far more often than it is changed
def told_by(text: str) -> Facts:
    """What the record tells. Raises RecordError if it cannot be read."""
    record = parse_record(text)
    return facts_of(replay(record, budget=steps_for(record, BUDGET)))


def at_table(sheet: Sheet, number: int) -> list[tuple[int, str]]:
    """The seats and names of those who play round `number`, in the order they sit."""
    names = sheet.names()
    return [(seat, names[seat]) for seat in sheet.seats(number)]


def seats_of(
    sheet: Sheet, number: int, record: Record, said: Mapping[str, int] | None = None
) -> dict[str, int]:
    """Who of the record sits where; `said` first."""
    return seated(record, at_table(sheet, number), said)


def played(sheet: Sheet, number: int, wanted: int | None = None) -> PlayedRound:
    """Round `number`, or what is known of it before it is in: `wanted` is its engine if it may be."""
    entry = sheet.round(number)
    if entry is None:
        hands = tuple(PlayedHand(seat, name, 0, 0) for seat, name in at_table(sheet, number))
        engine = wanted if wanted in sheet.engine_choices(number) else sheet.next_engine
        assert engine is not None  # noqa: S101 - a coming round has one
        return PlayedRound(sheet.rules, engine, sheet.deal(number), None, hands)
    told = tuple(
        PlayedHand(
            seat,
            name,
            hand.points,
            hand.score,
            hand.out,
            hand.marker,
            hand.tile_count,
            None if hand.tiles is None else tuple(hand.tiles),
        )
        for seat, name in at_table(sheet, number)
        for hand in [entry.hands[seat]]
    )
    ended: Ended = "blocked" if entry.ended == "blocked" else "out"
    return PlayedRound(sheet.rules, entry.engine, sheet.deal(number), ended, told)


def agreement(sheet: Sheet, number: int, facts: Facts, seats: Mapping[str, int]) -> Agreement:
    return compare(facts, played(sheet, number, facts.record.engine), seats)


def marks_now(sheet: Sheet, numbers: Collection[int]) -> dict[int, str]:
    """The mark that each of these rounds should have; of those alone that have a record."""
    rows = Round.objects.filter(game=sheet.game, number__in=numbers).exclude(record="")
    return {
        number: agreement(sheet, number, told_by(text), seats).mark
        for number, text, seats in rows.values_list("number", "record", "record_seats")
    }


def with_marks(sheet: Sheet, marks: Mapping[int, str]) -> Sheet:
    rounds = tuple(
        replace(entry, record=marks[entry.number]) if entry.number in marks else entry
        for entry in sheet.rounds
    )
    return build_sheet(sheet.game, sheet.players, rounds, sheet.challenges)


def record_of_round(
    sheet: Sheet, number: int, *, deal: int | None = None, engine: int | None = None
) -> Record | None:
    """A record of this round with no turn in it yet: rules, set, players by name, deal, engine, who starts.

    Players are A, B, C … in the order they sit; who laid the engine is not known. `deal`: tiles each, for
    where the rules have no number; None if neither says. `engine`: of a coming round, where it may be chosen.
    """
    there = played(sheet, number, engine)
    deal = there.deal if deal is None else deal
    if deal is None:
        return None
    ids = tuple(_IDS[: len(there.hands)])
    first = starter(sheet, number) if sheet.rules.starter == "rotate" else there.hands[0].seat
    start = ids[[hand.seat for hand in there.hands].index(first)]
    preset = PRESETS[sheet.rules.preset]
    return Record(
        # What no header can say has no say in a round.
        rules=replace(sheet.rules, deal=preset.deal, tiebreaks=preset.tiebreaks),
        players=ids,
        names=tuple(plain(hand.name) or None for hand in there.hands),
        deal=deal,
        engine=there.engine,
        layer=None,
        start=start,
        seek=(0,) * len(ids),
        hands=(None,) * len(ids),
        turns=(),
    )
