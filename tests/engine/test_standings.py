"""The table and its reasons: the four tie examples of the rules, and what they leave open."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.rules import RuleSet, rule_set
from games.engine.standings import PlayerResult, RoundResult, Row, compare, game_table, start_total
from games.engine.tiebreaks import TIEBREAKS

RULES = rule_set()


def _player(seat: int, points: list[int], **more: int | bool) -> PlayerResult:
    rounds = tuple(RoundResult(at, left, left, left == 0) for at, left in enumerate(points, start=1))
    return PlayerResult(seat, rounds, **more)  # type: ignore[arg-type]


def _table(scores: dict[str, list[int]], rules: RuleSet = RULES) -> list[tuple[str, int, str | None]]:
    seats = dict(enumerate(scores, start=1))
    rows = game_table([_player(seat, scores[name]) for seat, name in seats.items()], rules=rules)
    return [(seats[row.seat], row.place, row.decided_by) for row in rows]


TIES = [
    (
        {"A": [0, 12, 30], "B": [25, 0, 17], "C": [40, 31, 0]},
        [("A", 1, None), ("B", 2, "lowest_nonzero"), ("C", 3, "total")],
    ),
    (
        {"A": [0, 0, 30, 21], "B": [10, 15, 0, 26], "C": [33, 22, 18, 0]},
        [("A", 1, None), ("B", 2, "zero_rounds"), ("C", 3, "total")],
    ),
    (
        {"A": [0, 0, 18, 27, 15], "B": [10, 20, 0, 0, 30], "C": [14, 6, 22, 18, 0]},
        [("B", 1, None), ("A", 2, "lowest_nonzero"), ("C", 3, "zero_rounds")],
    ),
    (
        {"A": [0, 5, 9, 11], "B": [20, 0, 12, 8], "C": [12, 8, 20, 0], "D": [30, 10, 14, 8]},
        [("A", 1, None), ("B", 2, "total"), ("C", 2, "shared"), ("D", 4, "total")],
    ),
]


@pytest.mark.parametrize(("scores", "table"), TIES)
def test_the_tie_examples(scores: dict[str, list[int]], table: list[tuple[str, int, str | None]]) -> None:
    assert _table(scores) == table


def test_the_example_totals_are_what_the_rules_say() -> None:
    totals = [[sum(points) for points in scores.values()] for scores, _ in TIES]
    assert totals == [[42, 42, 71], [51, 51, 73], [60, 60, 60], [25, 40, 40, 62]]


def test_two_players_who_stopped_after_six_rounds() -> None:
    scores = {"Kim": [46, 0, 0, 0, 0, 0], "Mike": [0, 37, 34, 6, 29, 17]}
    rows = game_table([_player(seat, points) for seat, points in enumerate(scores.values(), 1)], rules=RULES)
    assert [(row.total, row.zero_rounds, row.lowest_nonzero) for row in rows] == [(46, 5, 46), (123, 1, 6)]


def test_players_with_no_round_above_zero_share_their_place() -> None:
    assert _table({"A": [0, 0], "B": [0, 0], "C": [1, 9]}) == [
        ("A", 1, None),
        ("B", 1, "shared"),
        ("C", 3, "total"),
    ]


def test_before_the_first_round_all_share_the_first_place_in_seat_order() -> None:
    rows = game_table([PlayerResult(seat, ()) for seat in (3, 1, 2)], rules=RULES)
    assert [(row.seat, row.place) for row in rows] == [(1, 1), (2, 1), (3, 1)]
    assert game_table([], rules=RULES) == ()


def test_positive_scoring_puts_the_highest_first_and_zero_rounds_part_nobody() -> None:
    def player(seat: int, *rounds: tuple[int, int]) -> PlayerResult:
        return PlayerResult(seat, tuple(RoundResult(1, left, score, left == 0) for left, score in rounds))

    rules = rule_set(scoring="positive")
    rows = game_table(
        [player(1, (0, 20), (9, 0)), player(2, (0, 10), (0, 10), (9, 0)), player(3, (0, 30), (7, 0))],
        rules=rules,
    )
    assert [(row.seat, row.place, row.decided_by) for row in rows] == [
        (3, 1, None),
        (1, 2, "total"),
        (2, 2, "shared"),
    ]


@pytest.mark.parametrize(
    ("tiebreaks", "table"),
    [
        ((), [("A", 1, None), ("B", 1, "shared")]),
        (("zero_rounds",), [("A", 1, None), ("B", 2, "zero_rounds")]),
        (("lowest_nonzero",), [("B", 1, None), ("A", 2, "lowest_nonzero")]),
        (("lowest_nonzero", "zero_rounds"), [("B", 1, None), ("A", 2, "lowest_nonzero")]),
    ],
)
def test_a_table_uses_its_own_tiebreaks_in_its_order(
    tiebreaks: tuple[str, ...], table: list[tuple[str, int, str | None]]
) -> None:
    assert _table({"A": [0, 0, 20], "B": [0, 5, 15]}, rule_set(tiebreaks=tiebreaks)) == table


def test_a_bonus_counts_in_the_total_but_the_round_stays_a_zero_round() -> None:
    (row,) = game_table([PlayerResult(1, (RoundResult(1, 0, -10, out=True),))], rules=RULES)
    assert (row.total, row.zero_rounds, row.lowest_nonzero) == (-10, 1, None)


def test_a_capped_hand_is_no_zero_round() -> None:
    (row,) = game_table([PlayerResult(1, (RoundResult(1, 4, 0, out=False),))], rules=RULES)
    assert (row.total, row.zero_rounds, row.lowest_nonzero) == (0, 0, 4)


def test_a_latecomer_begins_with_a_total() -> None:
    rows = game_table([_player(1, [10, 20]), _player(2, [5], start_total=30)], rules=RULES)
    assert [(row.seat, row.total) for row in rows] == [(1, 30), (2, 35)]


def test_penalties_and_bonuses_count_in_the_total_and_are_no_rounds() -> None:
    apart = PlayerResult(1, (RoundResult(1, 12, 12, out=False),), adjustments=(20, -32))
    rows = game_table([apart, _player(2, [0])], rules=RULES)
    assert [(row.seat, row.total, row.zero_rounds, row.lowest_nonzero) for row in rows] == [
        (2, 0, 1, None),
        (1, 0, 0, 12),
    ]
    assert rows[1].decided_by == "zero_rounds"


@pytest.mark.parametrize(
    ("totals", "average", "highest"),
    [
        ([75, 100, 86], 87, 100),
        ([1, 2], 2, 2),  # 1.5 up
        ([-1, -2], -1, -1),  # −1.5 up
        ([10, 11, 11, 11], 11, 11),
        ([0, 1, 1, 0, 0], 0, 1),
        ([], 0, 0),
    ],
)
def test_who_joins_late_begins_at_nothing_the_average_or_the_highest(
    totals: list[int], average: int, highest: int
) -> None:
    assert [start_total(totals, how) for how in ("zero", "average", "highest")] == [0, average, highest]


def test_who_left_stands_below_all_who_play_on() -> None:
    players = [
        _player(1, [50]),
        _player(2, [5], retired=True),
        _player(3, [60], retired=True),
        _player(4, [70]),
    ]
    rows = game_table(players, rules=RULES)
    assert [(row.seat, row.place, row.decided_by) for row in rows] == [
        (1, 1, None),
        (4, 2, "total"),
        (2, 3, "retired"),
        (3, 4, "total"),
    ]


def test_equal_players_of_whom_one_left_do_not_share() -> None:
    rows = game_table([_player(1, [5], retired=True), _player(2, [5])], rules=RULES)
    assert [(row.seat, row.place, row.decided_by) for row in rows] == [(2, 1, None), (1, 2, "retired")]


def test_a_reason_has_every_criterion_with_both_values_and_marks_the_one_that_decides() -> None:
    ann, ben = Row(1, 42, 1, 1, 12, None), Row(2, 42, 2, 1, 17, "lowest_nonzero")
    reason = compare(ann, ben, RULES)
    assert (reason.code, reason.above, reason.below) == ("lowest_nonzero", 1, 2)
    assert [(one.code, one.above, one.below, one.relation, one.decides) for one in reason.criteria] == [
        ("total", 42, 42, "equal", False),
        ("zero_rounds", 1, 1, "equal", False),
        ("lowest_nonzero", 12, 17, "less", True),
    ]


def test_a_shared_place_has_a_reason_too() -> None:
    reason = compare(Row(1, 40, 2, 1, 8, None), Row(2, 40, 2, 1, 8, "shared"), RULES)
    assert reason.code == "shared"
    assert not any(one.decides for one in reason.criteria)


def test_every_tiebreak_names_its_rule() -> None:
    assert {code: tiebreak.rule for code, tiebreak in TIEBREAKS.items()} == {
        "zero_rounds": "A13",
        "lowest_nonzero": "A13",
    }


@given(st.lists(st.lists(st.integers(0, 4), min_size=4, max_size=4), min_size=1, max_size=4))
def test_places_do_not_depend_on_the_order_of_entry_and_skip_after_a_shared_one(
    scores: list[list[int]],
) -> None:
    players = [_player(seat, points) for seat, points in enumerate(scores, start=1)]
    rows = game_table(players, rules=RULES)
    for order in permutations(players):
        assert game_table(order, rules=RULES) == rows
    facts = [(row.total, -row.zero_rounds, row.lowest_nonzero or 0) for row in rows]
    assert facts == sorted(facts)
    for row, fact in zip(rows, facts, strict=True):
        assert row.place == 1 + sum(other < fact for other in facts)
