"""Every field of a rule card and every choice has words, and says where it comes from."""

from __future__ import annotations

from typing import Any

import pytest

from games import rule_words
from games.engine.rules import FIELDS, OPTIONS, PRESETS, rule_set


def test_the_groups_hold_every_field_once() -> None:
    grouped = [name for group in rule_words.GROUPS for name in group.fields]

    assert sorted(grouped) == sorted(FIELDS)
    assert set(rule_words.ABOUT) == set(FIELDS)


@pytest.mark.parametrize("name", FIELDS)
def test_every_choice_has_words_of_its_own(name: str) -> None:
    values = rule_words.values(name)
    words = [str(rule_words.choice(name, value)) for value in values]

    assert all(FIELDS[name].allows(value) for value in values)
    assert len(set(words)) == len(values)
    assert not any("_" in word for word in words)


def test_every_preset_has_a_name_and_a_line() -> None:
    assert set(rule_words.PRESET_NAMES) == set(rule_words.PRESET_LINES) == set(PRESETS)


@pytest.mark.parametrize(
    ("preset", "own", "name", "source"),
    [
        ("thoughtco", {}, "after_double", "A10"),
        ("thoughtco", {}, "close_order", "our reading"),
        ("gamerules", {}, "close_order", "G23"),
        ("wikihow", {"double_blank": 50}, "double_blank", ""),
        ("wikihow", {}, "doubles_twice", ""),
    ],
)
def test_a_line_says_where_its_value_comes_from(
    preset: str, own: dict[str, Any], name: str, source: str
) -> None:
    assert rule_words.source_words(rule_set(preset, **own), name) == source


@pytest.mark.parametrize(
    ("preset", "name", "value", "source"),
    [
        ("thoughtco", "drawn_tile", "may", "A9"),
        ("thoughtco", "drawn_tile", "must", "G11 T"),
        ("wikihow", "drawn_tile", "must", "our reading"),
        ("thoughtco", "close_order", "newest", ""),
        ("thoughtco", "out_bonus", 5, ""),
    ],
)
def test_a_choice_says_whose_rule_it_is(preset: str, name: str, value: object, source: str) -> None:
    assert rule_words.choice_source(preset, name, value) == source


def test_the_summary_tells_what_tables_ask_about_and_what_is_their_own() -> None:
    rules = rule_set("wikihow", out_on_double=False, double_blank=50)

    assert [(str(line.label), str(line.text), line.own) for line in rule_words.summary(rules)] == [
        ("Double blank", "50 points", True),
        ("A tie", "Most rounds out, then the lowest other round", False),
        ("Going out on a double", "Not allowed", True),
    ]
    assert rule_words.preset_name(rules) == "wikiHow, 2 changes"
    assert rule_words.preset_name(rule_set("wikihow", max_pip=15, deal=9)) == "wikiHow"


def test_a_card_leaves_out_options_that_are_off() -> None:
    def fields(**own: Any) -> set[str]:
        return {line.field for _label, lines in rule_words.card(rule_set(**own), 5) for line in lines}

    assert fields() == set(FIELDS) - set(OPTIONS)
    assert fields(open_marker=3) == set(FIELDS) - set(OPTIONS) | {"open_marker"}


@pytest.mark.parametrize(
    ("preset", "max_pip", "players", "enough"),
    [
        ("thoughtco", 12, 8, True),
        ("thoughtco", 12, 9, False),
        ("thoughtco", 12, 2, True),
        ("thoughtco", 9, 3, True),
        ("thoughtco", 9, 4, False),
        ("wikihow", 12, 10, True),
        ("wikihow", 15, 12, True),
        ("gamerules", 18, 13, False),
    ],
)
def test_fewer_than_the_largest_table_always_have_tiles(
    preset: str, max_pip: int, players: int, enough: bool
) -> None:
    assert rule_words.has_tiles(rule_set(preset), max_pip, players) is enough


def test_a_deal_that_is_too_large_is_said() -> None:
    assert rule_words.deal_words(rule_set(deal=40), 3) == (
        "Double-12 is too small for 3 players:",
        "40 tiles each are more than it has.",
    )
