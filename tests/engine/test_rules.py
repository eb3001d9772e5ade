"""House rules: the presets, their deals, what may stand in a field."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from games.engine.errors import RuleSetError
from games.engine.rules import (
    FIELDS,
    OPTIONS,
    PRESETS,
    SOURCES,
    RuleSet,
    differences,
    rule_set,
    source,
    suits,
)

PRESET_TABLE = """
field                    gamerules          wikihow           thoughtco         tournament
max_pip                  12                 12                12                12
engine                   set_aside          dealt             dealt             set_aside
engine_order             descending         descending        descending        descending
starter                  chosen             engine_player     engine_player     rotate
first_turn               normal             own_single        own_whole         normal
first_turn_draw          yes                yes               no                yes
first_turn_out           immediate          immediate         finish_turn_one   immediate
mexican_start            any_turn           after_first_turn  after_first_turn  any_turn
drawn_tile               must               must[read]        may               must
draw_again_after_double  yes                yes[read]         yes               no
marker_off               optional           auto[read]        auto[read]        auto
doubles_per_turn         none               none              none              1
after_double             anywhere_or_first  anywhere[read]    anywhere          cover
close_order              oldest             oldest[read]      any[read]         oldest
dead_double_released     yes                yes[read]         yes[read]         yes
out_on_double            yes                yes               yes               no
announce_last            yes                no                no                no
double_blank             50                 0[read]           50                50
left_counts              pips               pips[read]        pips              pips
scoring                  penalty            penalty           penalty           penalty
tiebreaks                A13[read]          A13[read]         A13               A13
"""
HEAD, *ROWS = [line.split() for line in PRESET_TABLE.strip().splitlines()]
WORDS: dict[str, object] = {
    "yes": True,
    "no": False,
    "none": None,
    "A13": ("zero_rounds", "lowest_nonzero"),
}
CELLS = [(preset, row[0], cell) for row in ROWS for preset, cell in zip(HEAD[1:], row[1:], strict=True)]


@pytest.mark.parametrize(("preset", "field", "cell"), CELLS)
def test_a_preset_says_what_its_page_says(preset: str, field: str, cell: str) -> None:
    word, read, _ = cell.partition("[read]")
    expected = WORDS.get(word, int(word) if word.isdigit() else word)
    value = getattr(PRESETS[preset], field)
    assert (type(value), value) == (type(expected), expected)
    if read:
        assert SOURCES[preset, field] is None, "a reading is never shown as the source's own rule"


@pytest.mark.parametrize("preset", PRESETS)
def test_every_option_is_off_in_every_preset(preset: str) -> None:
    assert not any(getattr(PRESETS[preset], option) for option in OPTIONS)
    assert PRESETS[preset].preset == preset


def test_every_field_is_described_and_every_preset_has_a_source_or_a_reading_for_it() -> None:
    assert {field.name for field in fields(RuleSet)} == {"preset", *FIELDS}
    assert set(SOURCES) == {(preset, field) for preset in PRESETS for field in FIELDS if field not in OPTIONS}


# preset, set: from so many players on, tiles each; - is no row
DEALS = [
    ("gamerules", 6, 2, "-"),
    ("gamerules", 9, 2, "15 13 10 -"),
    ("gamerules", 12, 2, "16 16 15 14 12 10 9 -"),
    ("gamerules", 15, 8, "- 11 11 11 11 -"),
    ("gamerules", 18, 8, "- 11 11 11 11 - -"),
    ("wikihow", 12, 2, "12 12 12 12 12 10 10 8 8 -"),
    ("wikihow", 15, 2, "- - - - - - - - - - -"),
    ("thoughtco", 6, 2, "7 7 7 -"),
    ("thoughtco", 9, 2, "15 15 -"),
    ("thoughtco", 12, 2, "- - 15 12 12 11 11 -"),
    ("thoughtco", 15, 8, "- 11 11 11 11 -"),
    ("thoughtco", 18, 12, "- 11 11"),
    ("tournament", 12, 2, "15 15 15 12 12 10 10 -"),
    ("tournament", 18, 12, "- - -"),
]


@pytest.mark.parametrize(("preset", "max_pip", "first", "row"), DEALS)
def test_the_deal_is_the_tables_or_unknown(preset: str, max_pip: int, first: int, row: str) -> None:
    rules = rule_set(preset, max_pip=max_pip)
    for players, tiles in enumerate(row.split(), start=first):
        assert rules.deal_for(players) == (None if tiles == "-" else int(tiles))


def test_a_tables_own_deal_goes_before_the_presets() -> None:
    assert rule_set("gamerules", deal=7).deal_for(4) == 7
    assert rule_set("wikihow", max_pip=18, deal=7).deal_for(14) == 7


@pytest.mark.parametrize(
    ("preset", "sets"),
    [
        ("gamerules", "12 12 12 12 12 12 12 15 15 15 15 18 18"),
        ("wikihow", "12 12 12 12 12 12 12 12 12 15 15 18 18"),
        ("thoughtco", "12 12 12 12 12 12 12 15 15 15 15 18 18"),
        ("tournament", "12 12 12 12 12 12 12 15 15 15 15 18 18"),
    ],
)
def test_the_set_is_the_smallest_with_tiles_for_all(preset: str, sets: str) -> None:
    assert [suits(rule_set(preset), players) for players in range(2, 15)] == [
        int(one) for one in sets.split()
    ]


def test_the_set_for_an_own_deal_holds_it() -> None:
    assert suits(rule_set("gamerules", deal=11), 8) == 12
    assert suits(rule_set("gamerules", deal=12), 8) == 15


WRONG = [
    ("max_pip", 7),
    ("max_pip", "12"),
    ("max_pip", True),
    ("max_pip", 12.0),
    ("max_pip", None),
    ("deal", 0),
    ("deal", 92),
    ("deal", "x"),
    ("double_blank", 10),
    ("double_blank", False),
    ("first_turn_draw", 1),
    ("first_turn_draw", None),
    ("doubles_per_turn", 2),
    ("doubles_per_turn", True),
    ("open_marker", 26),
    ("open_marker", -1),
    ("open_marker", True),
    ("engine", "held"),
    ("tiebreaks", "zero_rounds"),
    ("tiebreaks", ["zero_rounds", "zero_rounds"]),
    ("tiebreaks", ["alphabet"]),
    ("tiebreaks", [[]]),
    ("tiebreaks", None),
    ("preset", "mine"),
    ("colour", "red"),
    ("scoring", []),
]


@pytest.mark.parametrize(("field", "value"), WRONG)
def test_a_wrong_value_is_named_and_quoted(field: str, value: Any) -> None:
    with pytest.raises(RuleSetError) as caught:
        rule_set(**{"preset": "thoughtco", field: value})
    (problem,) = caught.value.problems
    assert (problem.code, problem.field, problem.params["given"]) == ("invalid", field, value)


def test_all_wrong_values_are_named_at_once() -> None:
    with pytest.raises(RuleSetError) as caught:
        rule_set("mine", deal=0, scoring="chess", engine="set_aside")
    assert [problem.field for problem in caught.value.problems] == ["preset", "deal", "scoring"]


@pytest.mark.parametrize(
    ("field", "value"),
    [("deal", None), ("deal", 91), ("doubles_per_turn", 1), ("tiebreaks", ()), ("open_marker", 25)],
)
def test_a_right_value_is_taken(field: str, value: Any) -> None:
    assert getattr(rule_set(**{field: value}), field) == value


def test_tiebreaks_may_be_a_list_in_any_order() -> None:
    order = ["lowest_nonzero", "zero_rounds"]
    assert rule_set(tiebreaks=order).tiebreaks == tuple(order)


def test_a_tables_own_choice_has_no_source() -> None:
    rules = rule_set("thoughtco", double_blank=25)
    assert differences(rules) == ("double_blank",)
    assert source(rules, "double_blank") is None
    assert source(rules, "left_counts") == "A12"
    assert source(rule_set("gamerules", max_pip=18), "deal") is None
