"""Which double is the engine of which round."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.rules import RuleSet, rule_set
from games.engine.sequence import check_engine, engines, next_engine

DOWN = rule_set()
BURNED = rule_set(engine_order="any_unused")


def test_a_whole_game_goes_down_to_the_blank() -> None:
    assert engines(DOWN, 12, 13) == tuple(range(12, -1, -1))
    assert next_engine(DOWN, 12, 13, list(range(12, 0, -1))) == 0
    assert next_engine(DOWN, 12, 13, list(range(12, -1, -1))) is None


def test_a_short_game_stops_earlier_and_may_begin_lower() -> None:
    assert engines(DOWN, 9, 3) == (9, 8, 7)
    assert next_engine(DOWN, 9, 3, [9, 8, 7]) is None


def test_burned_doubles_are_passed_over_and_can_come_back() -> None:
    assert engines(BURNED, 6, 7, [6, 3]) == (6, 3, 5, 4, 2, 1, 0)
    assert next_engine(BURNED, 6, 7, [6, 3]) == 5
    assert next_engine(BURNED, 6, 2, [6, 3]) is None


# rules, round, given, used → None or (expected, played in)
CHECKS = [
    (DOWN, 1, 12, {}, None),
    (DOWN, 3, 10, {1: 12, 2: 11}, None),
    (DOWN, 3, 7, {1: 12, 2: 11}, (10, None)),
    (DOWN, 3, 12, {1: 12, 2: 11}, (10, 1)),
    (DOWN, 2, 11, {1: 12, 2: 11, 3: 10}, None),
    (DOWN, 2, 10, {1: 12, 2: 11, 3: 10}, (11, 3)),
    (DOWN, 14, 0, {}, (None, None)),
    (DOWN, 1, -1, {}, (12, None)),
    (BURNED, 2, 7, {1: 12}, None),
    (BURNED, 3, 12, {1: 12, 2: 7}, (11, 1)),
    (BURNED, 3, 13, {1: 12, 2: 7}, (11, None)),
    (BURNED, 2, 7, {1: 12, 2: 9, 3: 7}, (11, 3)),
    (BURNED, 2, 9, {1: 12, 2: 9, 3: 7}, None),
]


@pytest.mark.parametrize(("rules", "number", "given", "used", "wrong"), CHECKS)
def test_an_engine_is_right_or_the_right_one_is_named(
    rules: RuleSet, number: int, given: int, used: dict[int, int], wrong: tuple[int | None, int | None] | None
) -> None:
    problem = check_engine(rules, 12, number=number, given=given, used=used)
    if wrong is None:
        assert problem is None
    else:
        assert problem is not None
        assert (problem.code, problem.field) == ("engine_order", "engine")
        assert problem.params == {"given": given, "expected": wrong[0], "played_in": wrong[1]}


@given(st.sampled_from((DOWN, BURNED)), st.integers(0, 18), st.data())
def test_the_next_engine_is_always_right_and_none_comes_twice(
    rules: RuleSet, first: int, data: st.DataObject
) -> None:
    rounds = data.draw(st.integers(1, first + 1))
    used: list[int] = []
    while (following := next_engine(rules, first, rounds, used)) is not None:
        numbered = dict(enumerate(used, start=1))
        assert check_engine(rules, first, number=len(used) + 1, given=following, used=numbered) is None
        used.append(following)
    assert len(used) == len(set(used)) == rounds
