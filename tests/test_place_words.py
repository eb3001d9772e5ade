"""Why one player stands above another, in words: the tie cases of the rules (A13)."""

from __future__ import annotations

from typing import Any

import pytest

from games import place_words
from games.engine.rules import RuleSet, rule_set
from games.engine.standings import PlayerResult, Reason, RoundResult, Row, compare, game_table

NAMES = {1: "Ann", 2: "Ben", 3: "Chitra", 4: "Dolores"}


def player(seat: int, *points: int, **more: Any) -> PlayerResult:
    rounds = tuple(RoundResult(at, left, left, left == 0) for at, left in enumerate(points, 1))
    return PlayerResult(seat, rounds, **more)


def table(*players: PlayerResult, **rules: Any) -> tuple[tuple[Row, ...], RuleSet]:
    card = rule_set(**rules)
    return game_table(players, rules=card), card


def reason_between(*players: PlayerResult, first: int = 0, **rules: Any) -> Reason:
    rows, card = table(*players, **rules)
    return compare(rows[first], rows[first + 1], card)


def test_the_lowest_other_round_parts_two_who_went_out_equally_often() -> None:
    reason = reason_between(player(1, 0, 12, 30), player(2, 25, 0, 17))
    assert place_words.tie_reason(reason, NAMES) == (
        "Ann and Ben both have 42 and went out once each; Ann’s lowest other round is 12, Ben’s 17."
    )
    assert place_words.tie_verdict(reason, NAMES) == (
        "Level on total and on rounds out. Ann’s lowest other round is smaller, so Ann is ahead."
    )


def test_more_rounds_out_come_before_the_lowest_other_round() -> None:
    reason = reason_between(player(1, 0, 0, 30, 21), player(2, 10, 15, 0, 26))
    assert place_words.tie_reason(reason, NAMES) == (
        "Ann and Ben both have 51; Ann went out twice, Ben once."
    )
    assert place_words.tie_verdict(reason, NAMES) == (
        "Level on total. Ann went out in more rounds, so Ann is ahead."
    )


def test_three_times_out_against_never() -> None:
    reason = reason_between(player(1, 0, 0, 0, 51), player(2, 10, 15, 20, 6))
    assert place_words.tie_reason(reason, NAMES) == (
        "Ann and Ben both have 51; Ann went out 3 times, Ben never."
    )


def test_level_without_ever_going_out() -> None:
    reason = reason_between(player(1, 5, 15), player(2, 8, 12))
    assert place_words.tie_reason(reason, NAMES) == (
        "Ann and Ben both have 20 and never went out; Ann’s lowest other round is 5, Ben’s 8."
    )


def test_equal_on_everything_is_shared() -> None:
    reason = reason_between(player(2, 20, 0, 12, 8), player(3, 12, 8, 20, 0))
    assert place_words.tie_verdict(reason, NAMES) == (
        "Ben and Chitra share their place: equal on all three counts."
    )
    assert place_words.shared_words([2, 3], 2, reason, NAMES) == (
        "Ben and Chitra share 2nd: equal on all three counts."
    )


def test_three_share_a_place_in_one_sentence() -> None:
    reason = reason_between(player(1, 4), player(2, 4), player(3, 4))
    assert place_words.shared_words([1, 2, 3], 1, reason, NAMES) == (
        "Ann, Ben and Chitra share 1st: equal on all three counts."
    )


@pytest.mark.parametrize(
    ("tiebreaks", "words"),
    [
        ((), "equal on total"),
        (("zero_rounds",), "equal on both counts"),
        (("zero_rounds", "lowest_nonzero"), "equal on all three counts"),
    ],
)
def test_as_many_counts_as_the_card_has_tie_breaks(tiebreaks: tuple[str, ...], words: str) -> None:
    reason = reason_between(player(1, 4), player(2, 4), tiebreaks=tiebreaks)
    assert place_words.equal_counts(reason) == words


def test_totals_that_differ_say_by_how_much() -> None:
    assert place_words.tie_reason(reason_between(player(1, 10), player(2, 26)), NAMES) == (
        "Ben has 16 points more than Ann."
    )
    assert place_words.tie_reason(reason_between(player(1, 10), player(2, 11)), NAMES) == (
        "Ben has 1 point more than Ann."
    )


def test_positive_scoring_says_that_most_points_win() -> None:
    reason = reason_between(player(1, 66), player(2, 50), scoring="positive")
    assert place_words.tie_reason(reason, NAMES) == ("Ben has 16 points less than Ann, and most points win.")


def test_positive_scoring_leaves_rounds_out_aside() -> None:
    reason = reason_between(player(1, 10, 56), player(2, 50, 16), scoring="positive")
    assert place_words.tie_verdict(reason, NAMES) == (
        "Level on total. Ann’s lowest other round is smaller, so Ann is ahead."
    )
    assert place_words.tie_reason(reason, NAMES) == (
        "Ann and Ben both have 66; Ann’s lowest other round is 10, Ben’s 16."
    )


def test_the_tie_breaks_may_stand_in_the_other_order() -> None:
    reason = reason_between(
        player(1, 0, 0, 12), player(2, 0, 12), tiebreaks=("lowest_nonzero", "zero_rounds")
    )
    assert place_words.tie_reason(reason, NAMES) == (
        "Ann and Ben both have 12 and the same lowest other round; Ann went out twice, Ben once."
    )
    assert place_words.tie_verdict(reason, NAMES) == (
        "Level on total and on the lowest other round. Ann went out in more rounds, so Ann is ahead."
    )


def test_somebody_without_a_round_above_0_stands_behind() -> None:
    reason = reason_between(player(1, 0, 7), player(2, 0, start_total=7))
    assert place_words.tie_reason(reason, NAMES) == (
        "Ann and Ben both have 7 and went out once each; Ann’s lowest other round is 7, Ben has none."
    )
    assert place_words.tie_verdict(reason, NAMES) == (
        "Level on total and on rounds out. Only Ann has a round above 0, so Ann is ahead."
    )


def test_who_left_stands_behind_all_who_played_on() -> None:
    reason = reason_between(player(1, 30), player(2, 10, retired=True))
    assert place_words.tie_reason(reason, NAMES) == "Ben left the game and stands behind all who played on."


def test_totals_below_zero_are_told_apart() -> None:
    reason = reason_between(player(1, -30), player(2, -10))
    assert place_words.tie_verdict(reason, NAMES) == "Ben has 20 points more than Ann."


@pytest.mark.parametrize(
    ("finished", "players", "words"),
    [
        (True, [player(1, 248), player(2, 297)], "Ann wins with 248"),
        (False, [player(1, 248), player(2, 297)], "Ann leads with 248"),
        (True, [player(1, 230), player(2, 230), player(3, 231)], "Ann and Ben share 1st with 230"),
        (False, [player(1, 1056), player(2, 1056)], "Ann and Ben lead with 1,056"),
    ],
)
def test_the_headline_names_everybody_in_first_place(
    finished: bool, players: list[PlayerResult], words: str
) -> None:
    rows, _ = table(*players)
    assert place_words.headline(rows, NAMES, finished=finished) == words


def test_places_are_ordinals_for_a_whole_table() -> None:
    assert [place_words.place_name(place) for place in (1, 2, 3, 4, 11, 14, 15)] == [
        "1st",
        "2nd",
        "3rd",
        "4th",
        "11th",
        "14th",
        "15",
    ]


@pytest.mark.parametrize("code", ["total", "zero_rounds", "lowest_nonzero"])
def test_every_criterion_has_a_name(code: str) -> None:
    assert place_words.criterion_name(code) != code
