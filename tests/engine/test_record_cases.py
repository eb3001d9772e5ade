"""The record cases: the positions a referee must judge, and random rounds, whole or broken in one place.

An independent, slow program made them from the rules. `code` is the one to report; a record that cannot be
read has no verdict.
"""

from __future__ import annotations

import gzip
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from games.engine.reading import parse_record
from games.engine.record import RecordError, print_record
from games.engine.replay import Replay, replay

FOLDER = Path(__file__).parent / "cases"
POSITIONS = [json.loads(line) for line in (FOLDER / "positions.jsonl").read_text().splitlines()]
with gzip.open(FOLDER / "records.jsonl.gz", "rt", encoding="utf-8") as file:
    RECORDS = [json.loads(line) for line in file]
READABLE = [case for case in RECORDS if case["code"] != "header"]
PRESETS = ("gamerules", "wikihow", "thoughtco", "tournament")

# Rows of the table of positions that name a rule: what the breach must be put down to.
RULES = {
    "04_gamerules": "G20",
    "06_gamerules": "G20",
    "07_gamerules": "G23",
    "07_wikihow": "W9",
    "14_gamerules": "G11",
    "17_wikihow": "W5",
    "17_thoughtco": "A6",
    "18_thoughtco": "A6",
    "23_gamerules": "G5",
}


def _answer(text: str) -> Replay | str:
    """The replay, or the code of a record that cannot be read."""
    try:
        return replay(parse_record(text))
    except RecordError as error:
        return error.code


@pytest.mark.parametrize("case", POSITIONS, ids=lambda case: case["name"])
def test_a_position_gets_its_verdict(case: dict[str, Any]) -> None:
    answer = _answer(case["record"])
    assert isinstance(answer, Replay)
    code = answer.violation.code if answer.violation else None
    assert (answer.verdict, code) == (case["verdict"], case["code"])


@pytest.mark.parametrize("name", RULES)
def test_a_position_names_the_rule_that_is_broken(name: str) -> None:
    (case,) = [case for case in POSITIONS if case["name"] == name]
    answer = _answer(case["record"])
    assert isinstance(answer, Replay)
    assert answer.violation is not None
    assert answer.violation.rule == RULES[name]


def test_an_unannounced_last_tile_is_a_note_under_gamerules_alone() -> None:
    noted = set()
    for case in POSITIONS:
        if case["name"].startswith("38"):
            answer = _answer(case["record"])
            assert isinstance(answer, Replay)
            assert answer.verdict == case["verdict"]
            noted |= {(case["name"], note.code) for note in answer.notes}
    assert noted == {("38_gamerules", "not_announced")}


@pytest.mark.parametrize("mode", ["known", "hidden", "hidden_known_draws", "mixed"])
@pytest.mark.parametrize("preset", PRESETS)
def test_random_rounds_get_verdict_code_and_place(preset: str, mode: str) -> None:
    wrong = []
    cases = [case for case in RECORDS if (case["preset"], case["mode"]) == (preset, mode)]
    assert len(cases) > 20
    for case in cases:
        answer = _answer(case["record"])
        found: tuple[object, ...] = (None, answer, 0, 0)
        if isinstance(answer, Replay):
            breach = answer.violation
            found = (answer.verdict, None, None, None)
            if breach is not None:
                found = (answer.verdict, breach.code, breach.turn, breach.action)
            assert "not_searched" not in {note.code for note in answer.notes}
        if found != (case["verdict"], case["code"], case["turn"], case["action"]):
            wrong.append((case["id"], found))
    assert wrong == []


def test_the_scores_of_rounds_that_ended_are_right() -> None:
    told = [case for case in RECORDS if case["scores"] is not None]
    assert len(told) > 150
    for case in told:
        answer = _answer(case["record"])
        assert isinstance(answer, Replay)
        assert answer.scores == case["scores"], case["id"]


def test_every_case_is_printed_and_read_back_unchanged() -> None:
    for case in READABLE:
        record = parse_record(case["record"])
        text = print_record(record)
        assert parse_record(text) == record, case["id"]
        assert print_record(parse_record(text)) == text, case["id"]


def test_a_clash_is_always_named() -> None:
    for case in READABLE:
        if case["verdict"] == "impossible":
            answer = _answer(case["record"])
            assert isinstance(answer, Replay)
            assert answer.violation is not None
            assert answer.violation.clash, case["id"]


def test_the_cases_are_all_there() -> None:
    assert (len(RECORDS), len(POSITIONS)) == (964, 162)
    assert Counter(case["verdict"] for case in RECORDS) == {
        "legal": 176,
        "unfinished": 169,
        "illegal": 525,
        "impossible": 74,
        None: 20,
    }
