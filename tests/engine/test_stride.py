"""A stride is the same as one step after the other, whatever the rules and whatever is wrong."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from games.engine import replay as replaying
from games.engine.course import course_of
from games.engine.record import Record, Turn
from games.engine.replay import _run
from games.engine.stride import stride
from games.engine.table import Table
from tests.engine.rounds import any_round, mutated


def test_turns_at_a_stride_come_to_the_same_as_step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = Random(7)
    turns = strode = 0

    def counted(table: Any, line: Any, begun: int, seats: Any, unsaid: Any) -> int:
        nonlocal turns, strode
        at = stride(table, line, begun, seats, unsaid)
        turns += at - begun + (at < len(line))
        strode += at - begun
        return at

    for number in range(150):
        whole, _ = any_round(rng)
        for record in map(_with_courses, (whole, mutated(rng, whole), mutated(rng, whole))):
            found = []
            for way in (counted, lambda _table, _line, begun, _seats, _unsaid: begun):
                monkeypatch.setattr(replaying, "stride", way)
                run = _run(record)
                answer = run.answer(20_000)
                found.append((answer, _facts(run.table)))
            assert found[0] == found[1], (number, record)
    assert strode > 0.7 * turns


def _with_courses(record: Record) -> Record:
    turns = tuple(Turn(turn.player, turn.actions, turn.implied) for turn in record.turns)
    for turn in turns:
        turn.course = course_of(turn.actions)
    return replace(record, turns=turns)


def _facts(table: Table) -> object:
    """All that tells it apart; once the round is over, all that is still asked."""
    if not table.ended:
        return table.facts()
    return table.player, table.turns, table.ends, table.open, table.marks, table.out, table.known, table.yard
