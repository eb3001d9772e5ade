"""Each code of a replay, each reason why a record cannot be read and each fact of a clash has a sentence."""

from __future__ import annotations

import doctest
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from games import (
    attached,
    clash_words,
    record_names,
    record_right,
    record_table,
    record_words,
    turn_words,
)
from games.clash_words import FACTS, MOST_LINES, clash_lines
from games.engine.clash import Fact
from games.engine.errors import Problem
from games.engine.reading import parse_record
from games.engine.record import RecordError
from games.engine.replay import Replay, Violation, replay
from games.record_names import Named, either, several, shown
from games.record_words import NOTES, SENTENCES, UNREAD, breach, clash, note, rule, sentence, unread
from tests.engine.test_record_cases import POSITIONS, READABLE, RECORDS

# notation.md
CODES = {
    *(
        "unknown_player",
        "out_of_turn",
        "not_in_set",
        "already_laid",
        "not_in_hand",
        "no_match",
        "train_closed",
    ),
    *("mexican_not_yet", "own_train_first", "must_cover", "wrong_double", "must_follow_double"),
    *("cover_on_double", "one_double", "turn_over", "must_play", "must_play_drawn", "must_draw", "no_draw"),
    *("yard_empty", "marker", "round_over", "not_out", "not_blocked", "left", "count", "score", "no_deal"),
}
REASON = re.compile(
    r'(?:problem\((?:"\w+"|code), |\.wrong\(|_unread\([^"]*?|_tail_wrong\(value, |return (?:number|0), )'
    r'"([a-z_]+)"',
    re.DOTALL,
)
SMALL = "rules: gamerules\nset: 6\nplayers: A=Ann, B=Ben\ndeal: 4\nengine: 6-6\n"


def found(text: str) -> Replay:
    return replay(parse_record(text))


def said(text: str) -> str:
    answer = found(text)
    assert answer.violation is not None
    return sentence(answer.record, answer.violation)


def test_every_code_of_the_notation_has_a_sentence() -> None:
    assert set(SENTENCES) == CODES


def test_every_reason_has_a_sentence() -> None:
    used = set()
    for path in ("games/engine/reading.py", "games/engine/heading.py"):
        used |= set(REASON.findall(Path(path).read_text(encoding="utf-8")))
    assert {"too_long", "header_late", "action", "set_twice", "no_end", "too_many_dealt"} <= used
    assert used == set(UNREAD)


def test_every_kind_of_fact_has_a_sentence() -> None:
    told = re.search(r"`kind`: (.*?)\. `turn`", str(Fact.__doc__), re.DOTALL)
    assert told is not None
    assert set(re.findall(r'"(\w+)"', told[1])) == set(FACTS)


def test_every_note_has_a_sentence() -> None:
    text = Path("games/engine/replay.py").read_text(encoding="utf-8")
    assert set(re.findall(r'Problem\("(\w+)"', text)) == set(NOTES)


@pytest.fixture(scope="module")
def everything() -> list[tuple[str, str]]:
    """What is said of every case, with its code or reason."""
    lines = []
    for case in (*RECORDS, *POSITIONS):
        try:
            answer = replay(parse_record(case["record"]))
        except RecordError as error:
            lines += [(str(one.params["reason"]), unread(one)) for one in error.problems]
            continue
        lines += [(one.code, note(answer.record, one)) for one in answer.notes]
        if answer.violation is not None:
            lines.append((answer.violation.code, sentence(answer.record, answer.violation)))
    return lines


def test_no_case_leaves_a_gap_in_a_sentence(everything: list[tuple[str, str]]) -> None:
    wrong = re.compile(r"%\(|\(\)|None|\b[a-z]+_[a-z]+\b|  | \.|:$|: \.|^ ")
    assert [one for one in everything if wrong.search(one[1])] == []
    assert {code for code, _text in everything} >= CODES | {"not_announced"}


def test_each_sentence_has_a_place_and_fits_on_a_screen(everything: list[tuple[str, str]]) -> None:
    assert [text for _code, text in everything if not re.match(r"(Turn|Line) [0-9]", text)] == []
    assert max(len(text) for _code, text in everything) < 2_000
    assert max(len(text) for code, text in everything if code != "no_deal") < 220


@pytest.mark.parametrize("reason", UNREAD)
def test_no_reason_leaves_a_gap(reason: str) -> None:
    facts: dict[str, Any] = dict.fromkeys(
        ("name", "key", "layer", "least", "most", "players", "max_pip", "tiles", "size", "over", "total"), 7
    )
    params = {"reason": reason, "line": 3, "column": 9, "text": "§%s", "allowed": (6, 9), **facts}
    text = unread(Problem("header", params=params))
    assert re.match(r"Line 3, column 9: \S", text)
    assert "%(" not in text
    assert ("“§%s”" in text) == (not reason.startswith("too_many_lines") and reason != "too_long")


@pytest.mark.parametrize(
    ("turns", "words"),
    [
        (
            "1. A 6-3\n2. A 6-1",
            "Turn 2, line 7: Ann plays out of turn. It is Ben’s turn. Rule G8 (GameRules).",
        ),
        (
            "1. A 6-3\n2. B 6-3>M",
            "Turn 2, line 7: Ben cannot have 6-3. Ann laid it at turn 1.",
        ),
        (
            "1. A 6-3>M\n2. B 6-4>A",
            (
                "Turn 2, line 7: Ben cannot lay 6-4 on Ann’s train. It is closed: no marker is on it. "
                "Rule G10 (GameRules)."
            ),
        ),
        (
            "1. A 6-3>Z",
            "Turn 1, line 6: There is no train of Z. The players are Ann and Ben.",
        ),
        (
            "1. Z 6-3>M",
            "Turn 1, line 6: Z is none of the players. The players are Ann and Ben.",
        ),
        (
            "1. A 6-3>M\n2. B 5-4>M",
            (
                "Turn 2, line 7: Ben cannot lay 5-4 on the Mexican Train. It shows 3. "
                "Our reading; GameRules is silent."
            ),
        ),
        (
            "1. A + - v",
            (
                "Turn 1, line 6: Ann’s marker is not off at the end of this turn. "
                "It comes off after a tile on the own train. Rule G12 (GameRules)."
            ),
        ),
        (
            "1. A 6-3\nblocked",
            "Line 7: The round is not blocked. 19 tiles can still be drawn. Rule G15 (GameRules).",
        ),
    ],
)
def test_the_words(turns: str, words: str) -> None:
    assert said(SMALL + turns) == words


def test_what_could_have_been_laid_is_told() -> None:
    text = SMALL + "hand A: 6-3 3-3 3-1 5-0\n1. A + -"
    assert said(text) == (
        "Turn 1, line 7: Ann draws though a tile fits. Ann could lay 6-3 on Ann’s train. "
        "Rule G11 (GameRules)."
    )


def test_a_rule_of_the_table_s_own_is_told_from_our_reading() -> None:
    def whose(rules: str) -> str:
        text = f"rules: {rules}\nset: 6\nplayers: A, B\ndeal: 4\nengine: 6-6\n1. A 6-3>M"
        answer = found(text)
        assert answer.violation is not None
        return rule(answer.record, answer.violation)

    assert whose("thoughtco engine=set_aside") == "Rule A6 (ThoughtCo)."
    assert whose("gamerules first_turn=own_single") == "A rule of this table’s own."
    ours = Violation("no_match", None, 1, 1, 6)
    assert rule(parse_record(SMALL), ours) == "Our reading; GameRules is silent."
    assert rule(parse_record(SMALL), Violation("left", None, 0, 0, 6)) == ""


@pytest.mark.parametrize(
    ("code", "facts", "words"),
    [
        (
            "left",
            {"given": ("6-3", "5-0", "4-4"), "count": 3},
            "Ann cannot have 6-3, 5-0 and 4-4 left. 6-3 lies on the table.",
        ),
        ("left", {"given": ("5-0",), "count": 3}, "Ann cannot have 5-0 left. 3 tiles are left there."),
        (
            "left",
            {"given": ("5-0", "4-4"), "count": 2},
            "Ann cannot have 5-0 and 4-4 left. That hand has others, as far as it is known.",
        ),
        ("left", {"given": (), "count": 3}, "Ann cannot have nothing left. 3 tiles are left there."),
        ("count", {"given": 2, "right": 1}, "Ann does not have 2 left. 1 tile is left."),
        ("score", {"given": -5, "right": 1_056}, "Ann does not score −5. It is 1,056."),
        (
            "not_out",
            {"given": ("A",), "out": ("B",), "over": False},
            "The round did not end with Ann out. Everybody has a first turn before it ends.",
        ),
        (
            "not_out",
            {"given": ("A", "B"), "out": ("B",), "over": True},
            "The round did not end with Ann and Ben out. Ben went out.",
        ),
        ("not_blocked", {"yard": 0, "over": True}, "The round is not blocked. It ended with somebody out."),
        ("not_blocked", {"yard": 1, "over": False}, "The round is not blocked. 1 tile can still be drawn."),
    ],
)
def test_the_words_of_the_end(code: str, facts: dict[str, Any], words: str) -> None:
    record = parse_record(SMALL + "1. A 6-3")
    assert str(breach(record, Violation(code, None, 0, 0, 7, {"player": "A", **facts}))) == words


def test_a_pass_and_the_tile_that_was_held_are_one_line() -> None:
    text = SMALL + "1. A 6-3\n2. B + -\n3. A 3-1>A\n4. B 6-2>M\n"
    answer = found(text)
    assert answer.violation is not None
    assert clash(answer.record, answer.violation) == [
        (
            "Ben passed at turn 2 while 6 was open on Ben’s train and the Mexican Train, "
            "drew nothing since, and laid 6-2 at turn 4"
        )
    ]
    assert said(text) == (
        "Turn 4, line 9: No deal of the tiles explains this together: Ben passed at turn 2 "
        "while 6 was open on Ben’s train and the Mexican Train, drew nothing since, and laid 6-2 at turn 4."
    )


def test_no_clash_of_the_cases_is_longer_than_a_hand_s_fingers() -> None:
    longest = 0
    for case in READABLE:
        answer = replay(parse_record(case["record"]))
        if answer.violation is not None and answer.violation.clash:
            lines = clash(answer.record, answer.violation)
            longest = max(longest, len(lines))
            assert lines
            for fact in answer.violation.clash:  # nobody who is part of it is left out
                assert fact.player in " ".join(lines)
    assert 1 < longest <= MOST_LINES


@pytest.mark.parametrize("seats", [1, 2, 14])
def test_any_number_of_facts_is_told_on_few_lines(seats: int) -> None:
    players = [f"P{seat}" for seat in range(14)]
    record = parse_record(
        f"rules: gamerules\nset: 18\nplayers: {', '.join(players)}\ndeal: 2\nengine: 18-18\n"
    )
    tiles = tuple(range(30))
    once = [
        Fact(kind, players[at], tiles=tiles, points=at)
        for kind in ("hand", "left", "score")
        for at in range(seats)
    ]
    often = [
        Fact(kind, players[at % seats], turn=at + 1, tiles=tiles)
        for kind in ("lay", "drawn", "pass", "draw")
        for at in range(40)
    ]
    lines = clash_lines(record, [*once, *often])
    assert 6 <= len(lines) <= MOST_LINES
    assert all(len(line) < 300 and "%(" not in line for line in lines)
    assert "and 18 more" in " ".join(lines)
    assert {player for player in players[:seats] if player not in " ".join(lines)} == set()


def test_a_player_goes_by_name_and_by_id_where_two_have_it() -> None:
    record = parse_record("players: A=Ann, B=Ben, C=Ann, D=B, E\ndeal: 4\nengine: 6-6")
    names = Named(record)
    assert [names.player(one) for one in "ABCDEM"] == ["Ann (A)", "Ben", "Ann (C)", "B (D)", "E", "M"]
    assert (names.train("B"), names.train("M")) == ("Ben’s train", "the Mexican Train")


def test_what_was_typed_cannot_act_on_who_reads_it() -> None:
    with pytest.raises(RecordError) as caught:
        parse_record(SMALL + "1. A \x1b[2J%s%(x)s<b>\u202e" + "x" * 500)
    (problem,) = caught.value.problems
    text = unread(problem)
    assert text.isprintable()
    assert text.startswith("Line 6, column 6: “\N{REPLACEMENT CHARACTER}[2J%s%(x)s<b>")
    assert len(text) < 150
    assert len(shown("x" * 500)) < 80
    for name in (
        "👩\u200d🚀",
        "می\u200cخواهم",
        "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
    ):
        assert shown(name) == name


def test_lists_are_cut() -> None:
    assert several(range(3), most=2) == "0, 1 and 2"
    assert several(range(4), most=2) == "0, 1 and 2 more"
    assert either([]) == several([]) == ""


def test_every_sentence_can_be_translated(monkeypatch: pytest.MonkeyPatch) -> None:
    """With texts in ⟦brackets⟧ what a case says has no word outside of them but names."""
    for one in (record_words, clash_words):
        monkeypatch.setattr(one, "_", lambda text: f"⟦{text}⟧")
        monkeypatch.setattr(one, "ngettext", lambda one, more, count: f"⟦{one if count == 1 else more}⟧")
    outside = set()
    for case in READABLE[::3]:
        answer = replay(parse_record(case["record"]))
        texts = [note(answer.record, one) for one in answer.notes]
        if answer.violation is not None:
            texts.append(sentence(answer.record, answer.violation))
        for text in texts:
            while text != (inner := re.sub(r"⟦[^⟦⟧]*⟧", "", text)):
                text = inner  # noqa: PLW2901
            outside |= set(re.findall(r"\w+", text))
    assert outside == set()


@pytest.mark.parametrize(
    "module",
    [record_words, clash_words, record_names, record_right, record_table, attached, turn_words],
)
def test_the_examples_of_a_module_run(module: ModuleType) -> None:
    results = doctest.testmod(module)
    assert results.attempted > 0
    assert results.failed == 0
