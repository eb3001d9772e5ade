"""The table as it is drawn: rows, folds, states, and what a turn and a breach would have been in words."""

from __future__ import annotations

import pytest

from games.engine.moves import Lay
from games.engine.reading import parse_record
from games.engine.replay import replay
from games.engine.round import start_round
from games.engine.rules import rule_set
from games.record_right import rights
from games.record_table import table_of_state, table_view
from games.turn_words import start_words
from games.turn_words import turn_words as words
from tests.engine.test_record_cases import POSITIONS

HEAD = "rules: thoughtco\nplayers: A=Ruth, B=Ben, C=Chitra, D=Ann\nengine: 12-12\n"
FIVE = (
    HEAD + "hand B: 12-7 7-3 3-1 1-10 10-11 11-0 6-3 8-2 7-6 9-9 5-6 4-2 5-1 6-2 10-3\n"
    "1. A 12-9 9-4 4-8\n2. B 12-7 7-3 3-1 1-10 10-11 11-0\n3. C -\n4. D 12-0 0-3\n5. A 12-5>M\n6. B 5-6>M\n"
    "7. C +12-2 12-2>C v\n8. D 3-2>D\n9. A 8-8 + -\n10. B 6-3>M\n"
)


def test_the_table_at_a_breach() -> None:
    record = parse_record(FIVE)
    found = replay(record)
    view = table_view(record, 10, found.actions, record.turns[9].actions[0])
    ruth, ben, chitra, _ann, mexican = view.rows

    assert (view.boneyard, view.turn, view.turns, view.many, view.engine) == (28, 10, 10, False, 12)
    assert [row.name for row in view.rows] == ["Ruth", "Ben", "Chitra", "Ann", "Mexican Train"]
    assert [(row.left, row.marked, row.on) for row in view.rows] == [
        (11, True, False),
        (8, False, True),
        (15, False, False),
        (12, False, False),
        (None, False, False),
    ]
    assert [(tile.inner, tile.outer, tile.turn, tile.state) for tile in ruth.tiles] == [
        (12, 9, 1, ""),
        (9, 4, 1, ""),
        (4, 8, 1, ""),
        (8, 8, 9, "open"),
    ]
    assert (ben.folded, ben.folded_wide, [tile.fold for tile in ben.tiles]) == (3, 0, ["far"] * 3 + [""] * 3)
    assert [tile.state for tile in mexican.tiles] == ["", "", "refused"]
    assert (mexican.tiles[-1].inner, mexican.tiles[-1].outer) == (6, 3)
    assert (ruth.letters, chitra.seat, mexican.seat) == ("R", 3, 0)
    assert table_view(record, 9, unfolded="B").rows[1].folded == 0
    assert [tile.new for tile in table_view(record, 9).rows[0].tiles] == [False, False, False, True]


def test_a_tile_that_does_not_fit_and_one_of_no_set_are_drawn_too() -> None:
    record = parse_record(HEAD + "1. A 12-9\n2. B 8-3\n")
    view = table_view(record, 2, 0, record.turns[1].actions[0])
    assert [(tile.inner, tile.outer, tile.state, tile.drawn) for tile in view.rows[1].tiles] == [
        (8, 3, "refused", True)
    ]
    view = table_view(record, 2, 0, Lay(4000, "B"))
    assert not view.rows[1].tiles[0].drawn


def test_a_dead_double_says_so_and_many_players_have_low_rows() -> None:
    (dead,) = [case["record"] for case in POSITIONS if case["name"] == "32_gamerules"]
    record = parse_record(dead)
    assert [table_view(record, 10, at).rows[1].tiles[-1].state for at in (1, 2)] == ["open", "dead"]
    state = start_round(rule_set(), [f"P{at}" for at in range(14)], engine=12, deal=5)
    view = table_of_state(state, {"P0": "Maximiliana"}, on="P3")
    assert (view.many, view.long_names, [row.on for row in view.rows].index(True)) == (True, True, 3)


def test_a_name_that_the_column_would_cut_gets_a_wider_one() -> None:
    state = start_round(rule_set(), ["A", "B"], engine=12, deal=5)
    told = {
        name: table_of_state(state, {"A": name}, on="B").long_names
        for name in ("Chitra", "Old Tom", "Charlie", "Margaret-Rose", "Jean-Luc")
    }
    assert told == {
        "Chitra": False,
        "Old Tom": False,
        "Charlie": True,
        "Margaret-Rose": True,
        "Jean-Luc": False,
    }


def test_each_turn_in_words() -> None:
    record = parse_record(FIVE)
    assert start_words(record) == "12-12 is the engine. 15 tiles each were dealt. Ruth starts."
    assert [words(record, at) for at in (3, 7, 9)] == [
        "Chitra passes and puts the marker on.",
        "Chitra draws 12-2, lays 12-2 on Chitra’s train and takes the marker off.",
        "Ruth lays 8-8 on Ruth’s train, draws a tile, passes and puts the marker on.",
    ]
    assert words(record, 10, 0) == ""


SMALL = "rules: gamerules\nset: 6\nplayers: A=Ann, B=Ben\ndeal: 4\nengine: 6-6\n"
HAND = SMALL + "hand A: 6-3 3-3 3-1 5-0\n"
ENDED = SMALL + "hand A: 6-0 0-1 1-2 2-3\nhand B: 5-5 4-4 5-4 3-3\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (FIVE, ["8-2 on Ruth’s 8-8"]),
        (HAND + "1. A 3-1>A", ["6-3 on Ann’s train or the Mexican Train"]),
        (HAND + "1. A -", ["6-3 on Ann’s train or the Mexican Train"]),
        (SMALL + "1. A 6-3>B", ["6? on Ann’s train or the Mexican Train", "with none of these: a draw"]),
        (SMALL + "1. A -", ["a draw before the pass"]),
        (SMALL + "1. B 6-1", ["a turn of Ann"]),
        (SMALL + "1. C 6-1", ["a turn of Ann"]),
        (SMALL + "1. A 6-1 1-2", ["nothing more in this turn, then Ben’s turn"]),
        (SMALL + "1. A 6-1 ^", ["the marker off: “v”, or no sign"]),
        (SMALL + "1. A + - v", ["the marker on: “^”, or no sign"]),
        (HEAD + "1. A + -", ["12? on Ruth’s train", "with none of these: a pass, with the marker on"]),
        (
            SMALL + "1. A 6-1\nout: A",
            ["no end yet: it is Ben’s turn", "before a block, 19 tiles in the boneyard are drawn"],
        ),
        (
            SMALL + "1. A 6-1\nblocked",
            ["no end yet: it is Ben’s turn", "before a block, 19 tiles in the boneyard are drawn"],
        ),
        (SMALL.replace("6-6\n", "6-6 A\n") + "1. A 6-1", ["“engine: 6-6”, with nobody behind it"]),
        (SMALL + "hand A: 6-6 1-1 2-2 3-3\n1. A -", ["a hand without 6-6"]),
    ],
)
def test_what_would_have_been_right(text: str, expected: list[str]) -> None:
    assert told(text) == expected


def told(text: str) -> list[str]:
    said = []
    for right in rights(replay(parse_record(text))):
        tiles = " ".join(map(str, right.tiles)) + (f"{right.half}?" if right.half is not None else "")
        said.append(f"{tiles} {right.text}".strip())
    return said


def test_what_the_end_would_have_been() -> None:
    moves = "1. A 6-0\n2. B +6-1 6-1>B\n3. A 0-1\n4. B +2-2 - ^\n5. A 1-2\n6. B +6-2 6-2>M\n7. A 2-3\n"
    assert told(ENDED + moves + "out: B") == ["the round ended with Ann out"]
    end = ENDED + moves + "out: A\n"
    assert told(end + "left B: 5-5") == ["2-2 3-3 4-4 5-4 5-5 are left"]
    assert told(end + "count: B 4") == ["5 tiles"]
    assert told(end + "score: B 4")[0].endswith("37 points")
    assert told(end + "score: C 4") == ["Ann or Ben"]
    assert replay(parse_record(end)).verdict == "legal"
