"""The rulings of rules.md one by one, each on the smallest round that shows it; all hands are hidden.

`>` reads: this line, added to the round, gets this code; None if it is legal.
"""

from __future__ import annotations

from typing import Any

import pytest

from games.engine.reading import parse_record
from games.engine.replay import replay
from games.engine.rules import rule_set
from games.engine.suits import BIT, DOUBLE, SUIT, tile_number
from games.engine.table import Table

HEAD = "set: 6\nplayers: A, B\ndeal: 6\nengine: 6-6\n"
# A has a train ending in 1, the Mexican Train ends in 3.
BEGUN = "1. A 6-1>A\n2. B 6-3>M\n"
TWO_LEFT_OPEN = BEGUN + "3. A 1-1>A 3-3>M + -\n"


def code(rules: str, turns: str, head: str = HEAD) -> str | None:
    found = replay(parse_record(f"rules: {rules}\n{head}{turns}"))
    return found.violation.code if found.violation else None


# --- doubles ---


@pytest.mark.parametrize(
    ("order", "line", "expected"),
    [
        ("oldest", "B 1-2>A", None),
        ("oldest", "B 3-2>M", "wrong_double"),
        ("oldest", "B 6-2>B", "must_cover"),
        ("newest", "B 1-2>A", "wrong_double"),
        ("newest", "B 3-2>M", None),
        ("any", "B 1-2>A", None),
        ("any", "B 3-2>M", None),
        ("any", "B 6-2>B", "must_cover"),
        ("any", "B 6-4>M", "no_match"),
    ],
)
def test_ruling_1_doubles_of_earlier_turns_bind_everybody(
    order: str, line: str, expected: str | None
) -> None:
    assert code(f"gamerules close_order={order}", TWO_LEFT_OPEN + line) == expected
    # The layer too, once it is its turn again.
    again = TWO_LEFT_OPEN + "B + -\n" + line.replace("B ", "A + ", 1)
    assert code(f"gamerules close_order={order}", again) == expected


@pytest.mark.parametrize(
    ("rules", "tile", "expected"),
    [
        ("after_double=anywhere", "1-2>A", None),
        ("after_double=anywhere", "3-2>M", None),
        ("after_double=anywhere", "6-2>B", "train_closed"),
        ("after_double=anywhere_or_first", "1-2>A", None),
        ("after_double=anywhere_or_first", "3-2>M", "wrong_double"),
        ("after_double=anywhere_or_first", "6-2>B", "must_cover"),
        ("after_double=anywhere_or_first close_order=newest", "1-2>A", "wrong_double"),
        ("after_double=anywhere_or_first close_order=newest", "3-2>M", None),
        ("after_double=anywhere_or_first close_order=any", "1-2>A", None),
        ("after_double=anywhere_or_first close_order=any", "3-2>M", None),
        ("after_double=anywhere_or_first close_order=any", "6-2>B", "must_cover"),
    ],
)
def test_ruling_2_where_the_tile_after_two_doubles_goes(rules: str, tile: str, expected: str | None) -> None:
    assert code(f"gamerules {rules}", BEGUN + f"3. A 1-1>A 3-3>M {tile}") == expected


def test_ruling_2_after_one_double_the_tile_goes_anywhere_or_on_it() -> None:
    for tile in ("1-2>A", "3-2>M"):
        assert code("gamerules", BEGUN + f"3. A 1-1>A {tile}") is None
        assert code("gamerules after_double=anywhere", BEGUN + f"3. A 1-1>A {tile}") is None
    assert code("gamerules after_double=cover", BEGUN + "3. A 1-1>A 1-2>A") is None
    assert code("gamerules after_double=cover", BEGUN + "3. A 1-1>A 3-2>M") == "cover_on_double"
    assert code("gamerules after_double=cover", BEGUN + "3. A 1-1>A 3-3>M") == "cover_on_double"
    assert code("gamerules doubles_per_turn=1", BEGUN + "3. A 1-1>A 3-3>M") == "one_double"


def test_ruling_3_a_plain_tile_ends_the_turn() -> None:
    for more in ("6-2>M", "+", "-"):
        assert code("gamerules", f"1. A 6-1>A {more}") == "turn_over"


def dead_double(rules: str, **changes: Any) -> Table:
    """A is about to lay 1-1 on the Mexican Train, every other 1 lies, and holds two more tiles."""
    hand = BIT[tile_number(1, 1)] | BIT[tile_number(5, 4)] | BIT[tile_number(5, 5)]
    table = Table(rule_set(rules, max_pip=6, **changes), 6, start=0, known=[hand, 0], unknown=[0, 3], yard=5)
    table.settle()
    table.ends[2] = 1
    table.laid |= SUIT[1] & table.whole & ~DOUBLE[1]
    table._aim()
    assert table.lay(tile_number(1, 1), 2) is None
    return table


def test_ruling_4_a_double_that_is_dead_when_laid() -> None:
    assert dead_double("gamerules").owes
    assert dead_double("thoughtco").owes
    assert dead_double("tournament").over
    assert dead_double("tournament", dead_double_released=False).owes
    released, bound = dead_double("gamerules"), dead_double("gamerules", dead_double_released=False)
    for table in (released, bound):
        assert table.draw() is None
        assert table.rest() is None
        table.end_turn()
    assert (released.binding(), bound.binding()) == ([], [2])


@pytest.mark.parametrize(
    ("rules", "line", "expected"),
    [
        ("gamerules", "A 1-1>A\nout: A", None),
        ("gamerules out_on_double=no", "A 1-1>A\nout: A", "must_draw"),
        ("gamerules out_on_double=no", "A 1-1>A + 1-2>A\nout: A", None),
        ("gamerules out_on_double=no", "A 1-1>A + - ^", None),
        ("gamerules out_on_double=no", "A 1-1>A + -\nout: A", "not_out"),
        ("gamerules out_on_double=no", "A 1-1>A + 6-6>M", "already_laid"),
        ("gamerules out_on_double=no draw_again_after_double=no", "A 1-1>A + 1-2>A\nout: A", None),
    ],
)
def test_ruling_5_the_last_tile_is_a_double(rules: str, line: str, expected: str | None) -> None:
    head = HEAD.replace("deal: 6", "deal: 2")
    assert code(rules, "1. A 6-1>A\n2. B 6-2>B\n" + line, head) == expected


def test_ruling_5_without_a_draw_to_be_had_the_player_is_out() -> None:
    dealt_out = HEAD.replace("A, B", "A, B, C").replace("deal: 6", "deal: 1")
    rules = "gamerules out_on_double=no draw_again_after_double=no"
    turns = "1. A + -\n2. B 6-1>M\nout: B"
    assert code(rules, turns, dealt_out) is None
    # A drew this turn already, so no draw is left after the drawn double.
    assert code(rules, "1. A +\n2. B + -\n3. C + 6-1>M\n4. A + 1-1>M + -", dealt_out) == "no_draw"
    # On a restricted first turn no double has to be followed by more than the own train takes.
    one = HEAD.replace("deal: 6", "deal: 2").replace("engine: 6-6", "engine: 6-6 A")
    assert code("wikihow out_on_double=no", "1. A 6-1>A\nout: A", one) is None


@pytest.mark.parametrize(
    ("rules", "line", "expected"),
    [
        ("first_turn=own_single", "A 6-1>M", "own_train_first"),
        ("first_turn=own_single", "A 6-1>A 1-2>A", "turn_over"),
        ("first_turn=own_whole", "A 6-1>A 1-2>A", None),
        ("first_turn=own_whole", "A 6-1>A 1-1>A -", None),
        ("first_turn=own_whole", "A 6-1>A 1-1>A - ^", "marker"),
        ("first_turn=own_whole", "A 6-1>A 1-1>A +", "no_draw"),
        ("first_turn=own_whole", "A + 6-1>A 1-1>A 1-2>A", None),
        ("first_turn=own_whole", "A 6-1>A 1-1>A 1-2>A 2-2>A", None),
        ("first_turn=own_whole doubles_per_turn=1", "A 6-1>A 1-1>A 1-2>A 2-2>A", "one_double"),
        ("first_turn=own_whole after_double=cover", "A 6-1>A 1-1>A", None),
        ("first_turn=own_whole", "A -", "must_draw"),
        ("first_turn=own_whole first_turn_draw=no", "A - ^", None),
        ("first_turn=own_whole first_turn_draw=no", "A - v", "marker"),
        ("first_turn_draw=no", "A +", "no_draw"),
        ("mexican_start=after_first_turn", "A 6-1>M", "mexican_not_yet"),
        ("mexican_start=after_first_turn", "A 6-1>B", "train_closed"),
    ],
)
def test_rulings_6_and_7_the_first_turn(rules: str, line: str, expected: str | None) -> None:
    assert code(f"gamerules {rules}", line) == expected


def test_ruling_6_open_doubles_do_not_bind_in_a_restricted_first_turn() -> None:
    turns = "1. A 6-1>A 1-1>A\n2. B 6-2>B\n3. A 2-3>B"
    assert code("thoughtco", turns, HEAD.replace("6-6", "6-6 A")) == "must_cover"
    assert code("thoughtco", turns.replace("3. A 2-3>B", "3. A 1-3>A"), HEAD.replace("6-6", "6-6 A")) is None


@pytest.mark.parametrize(
    ("rules", "line", "expected"),
    [
        ("gamerules", "B +6-5 -", "must_play_drawn"),
        ("gamerules", "B +5-4 -", None),
        ("gamerules drawn_tile=may", "B +6-5 - ^", None),
        ("gamerules drawn_tile=may", "B +6-5 - v", "marker"),
        ("gamerules", "B + +", "no_draw"),
        ("gamerules", "B +3-3 3-3>M + -", None),
        ("gamerules", "B +3-3 3-3>M -", "must_draw"),
        ("gamerules draw_again_after_double=no", "B +3-3 3-3>M -", None),
        ("gamerules draw_again_after_double=no", "B +3-3 3-3>M +", "no_draw"),
        ("gamerules draw_again_after_double=no", "B 3-3>M + -", None),
        ("gamerules", "B +5-4 3-2>M", "no_deal"),
    ],
)
def test_rulings_8_and_9_draws(rules: str, line: str, expected: str | None) -> None:
    assert code(rules, BEGUN + "3. A 1-2>A\n4. " + line) == expected


def test_ruling_8_the_rest_of_the_hand_is_not_exempt() -> None:
    turns = BEGUN + "3. A +5-5 -\n4. B 6-5>M\n5. A + -"
    assert code("gamerules", turns.replace("6-5>M", "3-5>M")) == "must_play"
    assert code("gamerules drawn_tile=may", turns.replace("6-5>M", "3-5>M")) == "must_play"


@pytest.mark.parametrize(
    ("rules", "line", "expected"),
    [
        ("gamerules", "A + 1-2>A v", None),
        ("gamerules", "A + 1-2>A", None),
        ("gamerules", "A + 1-2>A ^", None),
        ("gamerules marker_off=auto", "A + 1-2>A ^", "marker"),
        ("gamerules", "A 0-2>M v", "marker"),
        ("gamerules", "A 0-2>M ^", None),
        ("gamerules", "A + 1-1>A + - v", "marker"),
        ("gamerules", "A + 1-1>A + - ^", None),
        ("gamerules", "A + 1-2>A ^\nB + -\nA 2-4>A v", None),
        ("gamerules", "A + 1-2>A ^\nB 0-5>M\nA 5-4>M ^", None),
        ("gamerules", "A + 1-2>A\nB + -\nA 2-4>A ^", "marker"),
    ],
)
def test_ruling_10_the_marker(rules: str, line: str, expected: str | None) -> None:
    assert code(rules, BEGUN + "3. A + - ^\n4. B 3-0>M\n" + line) == expected


def test_ruling_11_the_engine() -> None:
    assert code("gamerules", "1. A 6-1", HEAD.replace("6-6", "6-6 A")) == "already_laid"
    assert code("gamerules", "1. A 6-1", HEAD.replace("6-6", "6-6 A\nseek: A 1")) == "already_laid"
    held = "hand B: 6-6 6-1 6-2 5-1 5-2 5-3"
    assert code("wikihow", "1. A 6-4", HEAD.replace("6-6", "6-6 A\n" + held)) == "already_laid"
    assert code("wikihow", "1. A 6-4", HEAD.replace("6-6", "6-6\n" + held)) == "already_laid"
    assert code("wikihow", "1. B 6-1", HEAD.replace("6-6", "6-6 B\n" + held)) is None
    lacking = held.replace("6-6", "6-5")
    assert code("wikihow", "1. B 6-1", HEAD.replace("6-6", "6-6 B\n" + lacking)) == "not_in_hand"
    assert code("gamerules", "1. A 6-4", HEAD.replace("6-6", "6-6\n" + held)) == "already_laid"
    for engine, yard in (("6-6", 15), ("6-6 B", 16), ("6-6 B\nseek: A 1, B 1", 14)):
        record = parse_record("rules: wikihow\n" + HEAD.replace("6-6", engine))
        assert replay(record).state.boneyard == yard
        assert record.start == ("A" if engine == "6-6" else "B")


@pytest.mark.parametrize(
    ("passes", "expected"),
    [
        ("", "not_blocked"),
        ("1. A -\n", "not_blocked"),
        ("1. A 6-1>A\n2. B -\n", "not_blocked"),
    ],
)
def test_ruling_12_a_block_needs_passes_with_every_other_train_marked(passes: str, expected: str) -> None:
    dealt_out = "set: 6\nplayers: A, B, C\ndeal: 9\nengine: 6-6\n"
    assert code("gamerules", passes + "blocked", dealt_out) == expected
    assert code("gamerules", passes + "blocked", HEAD) in (expected, "must_draw")


def test_ruling_12_hidden_hands_may_call_a_block_after_enough_passes() -> None:
    table = Table(rule_set("gamerules", max_pip=6), 6, start=0, known=[0, 0], unknown=[2, 3], yard=0)
    calls = []
    for _ in range(5):
        calls.append(table.is_blocked())
        assert table.rest() is None
        table.end_turn()
    # A's first pass had B's train closed to it; A's second one is the first that tells.
    assert calls == [False, False, False, True, True]
    assert table.lay(tile_number(6, 1), 2) is None
    table.end_turn()
    assert not table.is_blocked()


@pytest.mark.parametrize(("rules", "known"), [("gamerules", True), ("thoughtco", False)])
def test_ruling_12_a_pass_that_kept_a_drawn_tile_tells_nothing_of_that_tile(rules: str, known: bool) -> None:
    table = Table(rule_set(rules, max_pip=6), 6, start=0, known=[0, 0], unknown=[2, 3], yard=1)
    for _ in range(2):  # the first turns
        if table.may_draw() and table.yard:
            assert table.draw() is None
        assert table.rest() is None
        table.end_turn()
    table.marks, table.stuck, table.yard = 3, 0, 1
    assert table.draw() is None
    assert table.rest() is None
    table.end_turn()
    assert table.rest() is None
    table.end_turn()
    assert table.is_blocked() is known
    assert table.rest() is None
    table.end_turn()
    assert table.is_blocked()
