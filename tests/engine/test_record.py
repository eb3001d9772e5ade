"""The train record: read and printed again, and what is said of text that is none."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import replace
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine import reading
from games.engine.moves import Draw, Lay, Marker, Pass, Say
from games.engine.reading import parse_record
from games.engine.record import MOST_CHARACTERS, MOST_LINES, Record, RecordError, print_record
from games.engine.replay import replay
from games.engine.rules import rule_set
from tests.engine.rounds import any_round, hidden, mutated

HEAD = "rules: gamerules\nset: 6\nplayers: A, B\ndeal: 4\nengine: 6-6\n"

KNOWN = """rules: gamerules
set: 6
players: A, B
deal: 4
engine: 6-6
hand A: 6-3 3-3 3-1 5-0
hand B: 6-2 4-4 2-1 5-5
1. A 6-3>A
2. B 6-2>B
3. A 3-3>A 3-1>A !
4. B 2-1>B
5. A +4-1 1-4>A !
6. B +2-0 - ^
7. A +1-0 1-0>B !
8. B 0-2>B v
9. A +5-4 4-5>A !
10. B +6-5 6-5>M
11. A 5-0>A
out: A
left B: 4-4 5-5
score: A 0, B 18
"""

HIDDEN = """rules: thoughtco
set: 9
players: A, B, C
engine: 9-9 B
1. B 9-4>B 4-4>B 4-7>B 7-1>B
2. C - ^
3. A 9-0>A 0-0>A
4. B + - ^
5. C 0-6>A          ; A is unmarked: C owes the double
6. A 9-8>C
7. B 1-1>B 1-5>B v
8. C + 8-3>C v
9. A 9-5>M
"""


def problems(text: str) -> list[tuple[object, ...]]:
    """Code, reason, line, column and text of everything that is wrong."""
    with pytest.raises(RecordError) as raised:
        parse_record(text)
    return [
        (problem.code, *(problem.params[name] for name in ("reason", "line", "column", "text")))
        for problem in raised.value.problems
    ]


# --- both ways ---


def test_the_example_with_known_hands_is_legal_and_read_as_it_stands() -> None:
    record = parse_record(KNOWN)
    assert record.turns[5].actions == (Draw(3), Pass(), Marker(on=True))
    assert record.turns[2].actions == (Lay(9, "A"), Lay(7, "A"), Say())
    found = replay(record)
    assert (found.verdict, found.scores) == ("legal", {"A": 0, "B": 18})
    printed = print_record(record)
    assert printed.splitlines()[7:] == ["hand B: 2-1 4-4 5-5 6-2", *KNOWN.splitlines()[7:]]
    assert "start: A" in printed


def test_the_example_with_hidden_hands_is_unfinished() -> None:
    record = parse_record(HIDDEN)
    assert (record.deal, record.start, record.hands) == (15, "B", (None, None, None))
    found = replay(record)
    assert (found.verdict, found.violation, found.turns) == ("unfinished", None, 9)


def test_any_record_is_printed_and_read_back_unchanged() -> None:
    for seed in range(80):
        rng = Random(seed)
        record, _sure = any_round(rng)
        record = replace(
            rng.choice((record, hidden(rng, record), mutated(rng, record))),
            names=tuple(rng.choice((None, "Ann Lee", "Þóra = 2")) for _ in record.players),
        )
        text = print_record(record)
        again = parse_record(text)
        assert parse_record(print_record(again)) == again, seed
        assert print_record(parse_record(print_record(again))) == print_record(again), seed
        assert _bare(again) == _bare(record), seed


def _bare(record: Record) -> Record:
    """Without the passes that a line may leave out, which reading puts in."""
    turns = tuple(
        replace(turn, actions=tuple(action for action in turn.actions if action != Pass()))
        for turn in record.turns
    )
    return replace(record, turns=turns)


WORDS = (
    "A B M Z 1. 12. 6-3 3-6>A 6-6>M 9-9>B +6-1 + - ^ v ! ; : = , rules: set: players: deal: engine: start: "
    "seek: hand left out: blocked count: score: left B: hand A: gamerules thoughtco close_order=any 6 12 4 "
    "6-6 12-12 -1 999999999 6-3>É ^v ٣-٢ \t \u2028"
)
words = st.sampled_from(WORDS.split(" "))
lines = st.lists(words, max_size=6).map(" ".join)
mangled = st.lists(lines | st.sampled_from((HEAD + KNOWN).splitlines()), max_size=20).map("\n".join)


@given(mangled | st.text(max_size=200))
@settings(max_examples=100, deadline=None)
def test_any_text_is_refused_with_a_place_or_read_and_printed_back(text: str) -> None:
    try:
        record = parse_record(text)
    except RecordError as error:
        for problem in error.problems:
            assert problem.code in ("syntax", "header")
            line, column = problem.params["line"], problem.params["column"]
            assert isinstance(line, int)
            assert isinstance(column, int)
            assert 1 <= line <= max(1, len(text.splitlines()) + text.count("\r"))
            assert column >= 1
    else:
        assert parse_record(print_record(record)) == record
        replay(record)


def test_a_turn_is_the_same_in_whatever_way_it_is_written() -> None:
    rewritten = (
        r"\1. \2 \3",
        r"\2 \3",
        r"\1.\2 \3",
        r"  \1.  \2\t\3  ; \1 well done",
        r"000\1. \2 \3",
    )
    for seed in range(12):
        rng = Random(seed)
        record, _sure = any_round(rng)
        text = print_record(rng.choice((record, mutated(rng, record))))
        plain = parse_record(text)
        for way, own in product(rewritten, (False, True)):
            lines = [
                re.sub(r"^(\d+)\. (\w+) (.*)", way, _own_unsaid(line) if own else line)
                for line in text.splitlines()
            ]
            again = parse_record("\n".join(lines))
            assert again == plain, lines
            assert again.turn_lines == plain.turn_lines
            assert [turn.course for turn in again.turns] == [turn.course for turn in plain.turns]
            assert (replay(again).verdict, replay(again).violation) == (
                replay(plain).verdict,
                replay(plain).violation,
            )


def _own_unsaid(line: str) -> str:
    player = re.match(r"\d+\. (\w+)", line)
    return line if player is None else re.sub(rf">{player[1]}\b", "", line)


def test_what_is_kept_of_turns_for_the_next_record_does_not_grow() -> None:
    turns = [f"{one}-{other}>{train}" for one in range(100) for other in range(100) for train in "AB"]
    long = "1. A " + "12-3>A " * 30
    for at in range(0, len(turns), 4000):
        lines = [f"{number}. A {turn}" for number, turn in enumerate(turns[at : at + 4000], start=1)]
        parse_record("\n".join((HEAD, *lines, long)))
        assert len(reading._known) <= reading._MOST_KNOWN
    assert max(map(len, reading._known)) <= reading._LONGEST_KNOWN


# --- what a line may leave out ---


def test_a_line_that_stops_while_something_is_owed_is_judged_and_printed_with_a_pass() -> None:
    record = parse_record(HEAD + "1. A +\n2. B 6-2\n3. A + ^\n4. B 2-2>B !\n5. A - ^")
    assert [turn.implied for turn in record.turns] == [True, False, True, True, False]
    assert [turn.actions[-1] == Pass() for turn in record.turns] == [True, False, True, True, False]
    assert print_record(record).splitlines()[6:] == [
        "1. A + -",
        "2. B 6-2>B",
        "3. A + ^ -",
        "4. B 2-2>B ! -",
        "5. A - ^",
    ]


def test_a_pass_that_was_not_written_is_found_at_the_end_of_its_turn() -> None:
    found = replay(parse_record(HEAD + "1. A 6-6>A\n"))
    assert found.violation is not None
    assert found.violation.code == "already_laid"
    found = replay(parse_record(HEAD + "1. A 6-1\n2. B 6-2\n3. A 1-1>A"))
    assert found.violation is not None
    assert (found.violation.code, found.violation.turn, found.violation.action) == ("must_draw", 3, 0)
    assert (found.turns, found.actions) == (2, 1)
    found = replay(parse_record(HEAD + "1. A 6-1\n2. B 6-2\n3. A 1-1>A -"))
    assert found.violation is not None
    assert (found.violation.code, found.violation.turn, found.violation.action) == ("must_draw", 3, 2)


def test_after_a_whole_first_train_nothing_is_owed() -> None:
    record = parse_record(HEAD.replace("gamerules", "thoughtco") + "1. A 6-1 1-1")
    assert record.turns[0].actions == (Lay(22, "A"), Lay(2, "A"))
    assert replay(record).state.marked == ()


def test_what_may_be_left_out_is_filled_in() -> None:
    record = parse_record("players: B, A=Ann\nengine: 12-12 A\nset: 6\nseek: A 2\n".replace("12-12", "6-6"))
    assert record.rules == rule_set("thoughtco", max_pip=6)
    assert (record.deal, record.start, record.names, record.seek) == (7, "A", (None, "Ann"), (0, 2))
    assert record.yard == 28 - 14 - 2
    assert parse_record("players: B, A\nengine: 6-6\nset: 6").start == "B"


def test_comments_blank_lines_and_other_line_ends_are_nothing() -> None:
    plain = parse_record(HEAD + "1. A 6-1>A\n2. B 6-2>B")
    other = "\ufeff; a game\r\n" + HEAD.replace("\n", "\r\n\r\n") + "A 6-1 ; the first\r17.B 2-6  \n"
    assert parse_record(other) == plain


def test_overrides_are_read_by_the_fields_of_the_rule_set() -> None:
    text = "rules: wikihow double_blank=25 doubles_per_turn=1 drawn_tile=may out_on_double=no deal=4"
    assert problems(text + "\nplayers: A, B\nengine: 6-6")[0][:2] == ("header", "override")
    record = parse_record(text.removesuffix(" deal=4") + "\nset: 6\ndeal: 4\nplayers: A, B\nengine: 6-6")
    assert record.rules == rule_set(
        "wikihow", max_pip=6, double_blank=25, doubles_per_turn=1, drawn_tile="may", out_on_double=False
    )
    assert print_record(record).startswith(
        "rules: wikihow drawn_tile=may doubles_per_turn=1 out_on_double=no double_blank=25\n"
    )


# --- what cannot be read ---


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("rules: gamerules", "rules: chess", ("header", "preset", 1, 8, "chess")),
        ("rules: gamerules", "rules: gamerules x=1", ("header", "override", 1, 18, "x=1")),
        (
            "rules: gamerules",
            "rules: gamerules close_order=last",
            ("header", "override_value", 1, 18, "close_order=last"),
        ),
        (
            "rules: gamerules",
            "rules: gamerules engine=dealt engine=dealt",
            ("header", "override_twice", 1, 31, "engine=dealt"),
        ),
        ("rules: gamerules", "rules: gamerules max_pip=6", ("header", "set_twice", 2, 6, "6")),
        ("set: 6", "set: 7", ("header", "set", 2, 6, "7")),
        ("players: A, B", "players: A", ("header", "players", 3, 10, "A")),
        ("players: A, B", "players: A, M", ("header", "player_taken", 3, 13, "M")),
        ("players: A, B", "players: A, A", ("header", "player_twice", 3, 13, "A")),
        ("players: A, B", "players: A, 2", ("header", "player", 3, 13, "2")),
        ("players: A, B", "", ("header", "missing", 1, 1, "players:")),
        ("deal: 4", "", ("header", "deal_unknown", 3, 10, "A, B")),
        ("deal: 4", "deal: 0", ("header", "deal", 4, 7, "0")),
        ("deal: 4", "deal: 14", ("header", "too_many_dealt", 4, 7, "14")),
        ("deal: 4", "deal: 4\ndeal: 4", ("header", "key_twice", 5, 1, "deal")),
        ("engine: 6-6", "engine: 7-7", ("header", "engine", 5, 9, "7-7")),
        ("engine: 6-6", "engine: 6-5", ("header", "engine", 5, 9, "6-5")),
        ("engine: 6-6", "engine: 6-6 D", ("header", "player_unknown", 5, 13, "D")),
        ("engine: 6-6", "", ("header", "missing", 1, 1, "engine:")),
        ("engine: 6-6", "engine: 6-6\nstart: D", ("header", "player_unknown", 6, 8, "D")),
        ("engine: 6-6", "engine: 6-6\nseek: A 1", ("header", "seek_set_aside", 6, 7, "A 1")),
        ("engine: 6-6", "engine: 6-6\ncolour: red", ("header", "unknown_key", 6, 1, "colour:")),
        ("engine: 6-6", "engine: 6-6\nhand A: 6-1", ("header", "hand_size", 6, 9, "6-1")),
        (
            "engine: 6-6",
            "engine: 6-6\nhand A: 6-1 1-6 5-0 5-1",
            ("header", "tile_twice", 6, 13, "1-6"),
        ),
        ("engine: 6-6", "engine: 6-6\nhand A: 7-1", ("header", "tile", 6, 9, "7-1")),
        ("engine: 6-6", "engine: 6-6\nhand D: 6-1", ("header", "player_unknown", 6, 1, "D")),
        ("1. A 6-1", "1. A 6-1>", ("syntax", "action", 6, 6, "6-1>")),
        ("1. A 6-1", "1. A 6-1 06-2", ("syntax", "action", 6, 10, "06-2")),
        ("1. A 6-1", "1. A 6-1 ^ v", ("syntax", "both_markers", 6, 12, "v")),
        ("1. A 6-1", "1. A", ("syntax", "no_action", 6, 4, "A")),
        ("1. A 6-1", "1.", ("syntax", "player", 6, 1, "1.")),
        ("1. A 6-1", "1. 6-1", ("syntax", "player", 6, 4, "6-1")),
        ("1. A 6-1", "1. A 6-1\nset: 6", ("syntax", "header_late", 7, 1, "set: 6")),
        ("1. A 6-1", "1. A 6-1\ncount: A 3", ("syntax", "no_end", 7, 1, "count: A 3")),
        ("1. A 6-1", "1. A 6-1\nout: A\n2. B 6-2", ("syntax", "turn_late", 8, 1, "2. B 6-2")),
        ("1. A 6-1", "1. A 6-1\nout: A\nblocked", ("syntax", "end_twice", 8, 1, "blocked")),
        ("1. A 6-1", "1. A 6-1\nout: A, A", ("syntax", "player_twice", 7, 6, "A, A")),
        ("1. A 6-1", "1. A 6-1\nout: A\nscore: A x", ("syntax", "player_number", 8, 8, "A x")),
        ("1. A 6-1", "1. A 6-1\nout: A\nleft B: 6", ("syntax", "tile", 8, 9, "6")),
        (
            "1. A 6-1",
            "1. A 6-1\nout: A\nscore: A 1\nscore: A 2",
            ("syntax", "told_twice", 9, 8, "A 2"),
        ),
    ],
)
def test_what_cannot_be_read_is_pointed_at(old: str, new: str, expected: tuple[object, ...]) -> None:
    text = HEAD + "1. A 6-1"
    assert old in text
    assert problems(text.replace(old, new)) == [expected]


def test_the_layer_starts_where_the_rules_say_so_and_needs_two_tiles() -> None:
    dealt = "rules: wikihow\nset: 6\nplayers: A, B\ndeal: 4\nengine: 6-6 A\nstart: B\n"
    assert problems(dealt) == [("header", "start", 6, 8, "B")]
    assert parse_record(dealt.replace("wikihow", "wikihow starter=chosen")).start == "B"
    assert problems(dealt.replace("deal: 4", "deal: 1"))[0][:3] == ("header", "deal", 4)
    assert problems(dealt.replace("start: B", "seek: B 1, B 2")) == [("header", "player_twice", 6, 12, "B")]
    assert problems(dealt.replace("start: B", "seek: D 1")) == [("header", "player_unknown", 6, 7, "D")]
    assert problems(dealt.replace("start: B", "seek: A")) == [("header", "player_number", 6, 7, "A")]


def test_every_line_that_cannot_be_read_is_told_at_once() -> None:
    found = problems(HEAD + "1. A 6-1>\n2. B ?\n3. A 6-1>A #")
    assert [(line, text) for _code, _reason, line, _column, text in found] == [
        (6, "6-1>"),
        (7, "?"),
        (8, "#"),
    ]
    assert len(problems(HEAD + "1. A ?\n" * 500)) == 20


def test_an_unknown_player_after_the_header_is_for_the_replay() -> None:
    for end in ("1. D 6-1", "1. A 6-1>D", "1. A 6-1\nblocked", "1. A 6-1\nout: D"):
        found = replay(parse_record(HEAD + end))
        assert found.violation is not None
        assert found.violation.code in ("unknown_player", "not_blocked")


def test_a_long_or_hostile_text_is_refused_or_done_fast() -> None:
    assert problems(HEAD + "1. A +\n" * 10_000)[0][:2] == ("syntax", "too_many_lines")
    assert problems("x" * (MOST_CHARACTERS + 1))[0][:2] == ("syntax", "too_long")
    assert problems("players: " + ",".join("A" * 50 for _ in range(2_000)))[0][0] == "header"
    passes = "".join(f"{'AB'[at % 2]} -\n" for at in range(MOST_LINES - 10))
    for hostile in (
        HEAD.replace("deal: 4", "deal: 13") + passes,
        HEAD + "1. A " + "+ " * 50_000,
        HEAD + "1. A " + "6-1>A " * 30_000,
        HEAD + "1. A " + "!" * 100_000,
        HEAD + ":" * 150_000,
        HEAD + "hand" + " " * 150_000 + ":",
        "a" * 150_000 + ":",
        HEAD + "1. A 6-1\nout: A\nscore: " + "A 1," * 40_000,
    ):
        with suppress(RecordError):
            replay(parse_record(hostile))
