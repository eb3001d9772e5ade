"""What hangs on a doubtful score: by hand, and against trying every number."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.checks import check_round
from games.engine.claims import HandClaim, RoundClaim
from games.engine.doubt import (
    DoubtfulRound,
    Fall,
    falls,
    moved,
    places,
    table_with,
    table_without,
    with_hand,
)
from games.engine.hands import stock_for
from games.engine.rules import RuleSet, rule_set
from games.engine.scoring import Ended, score_round
from games.engine.standings import PlayerResult, RoundResult, game_table

RULES = rule_set()


def doubtful(
    played: list[list[int]], *, rules: RuleSet = RULES, ended: Ended = "out", **more: Any
) -> DoubtfulRound:
    """The last of some rounds, each as the points of the seats 1, 2, …"""
    seats = tuple(range(1, len(played[0]) + 1))
    rounds: dict[int, list[RoundResult]] = {seat: [] for seat in seats}
    for number, points in enumerate(played, start=1):
        last = number == len(played)
        claim = RoundClaim(13 - number, ended if last else "out", tuple(map(HandClaim, seats, points)))
        check = check_round(claim, rules=rules, seats=seats)
        scores = score_round(check.hands, rules=rules, ended=claim.ended)
        for hand in check.hands:
            rounds[hand.seat].append(RoundResult(number, hand.points, scores[hand.seat], hand.out))
    results = tuple(PlayerResult(seat, tuple(rounds[seat])) for seat in seats)
    return DoubtfulRound(results, len(played), claim, rules, seats, **more)


def seated(table: Any) -> list[tuple[int, int]]:
    return [(row.seat, row.place) for row in table]


ROUNDS = [[55, 40, 45, 0], [0, 33, 5, 29], [16, 51, 0, 60]]  # totals 71, 124, 50, 89


def test_the_other_number_is_scored_and_ranked_as_the_round_would_be() -> None:
    doubt = doubtful(ROUNDS)
    other = table_with(doubt, 2, 15)
    assert other is not None
    assert seated(other) == [(3, 1), (1, 2), (2, 3), (4, 4)]
    assert moved(game_table(doubt.results, rules=RULES), other) == (2, 4)
    assert {row.seat: row.total for row in other}[2] == 88


def test_the_number_as_it_is_gives_the_table_as_it_is() -> None:
    doubt = doubtful(ROUNDS)
    assert table_with(doubt, 2, 51) == game_table(doubt.results, rules=RULES)


def test_the_limits_at_which_places_change() -> None:
    found = [(fall.least, places(fall.table)[2]) for fall in falls(doubtful(ROUNDS), 2)]
    # Ben has 73 without it: level with Dora at 16, who went out once and is ahead.
    assert found == [(0, (3, False)), (16, (4, False))]


def test_no_hand_is_worth_more_than_the_others_leave() -> None:
    doubt = doubtful(ROUNDS)
    most = falls(doubt, 2)[-1].most
    for points, codes in ((most, set()), (most + 1, {"round_sum"})):
        check = check_round(with_hand(doubt.claim, 2, points), rules=RULES, seats=doubt.seats)
        assert {problem.code for problem in check.problems} == codes


def test_who_went_out_cannot_have_anything_else_left_by_itself() -> None:
    assert [(fall.least, fall.most) for fall in falls(doubtful(ROUNDS), 3)] == [(0, 0)]


def test_in_a_round_saved_in_spite_of_its_zeros_any_number_could_be() -> None:
    found = falls(doubtful(ROUNDS, marks=frozenset({"zeros"})), 3)
    assert found[0].least == 0
    assert found[-1].most > 900


def test_under_positive_scoring_the_winner_s_place_hangs_on_a_loser_s_hand() -> None:
    rules = rule_set(scoring="positive", tiebreaks=())
    doubt = doubtful([[0, 30, 30], [20, 0, 25]], rules=rules)  # 60, 45, 0
    first = [(fall.least, seated(fall.table)[:2]) for fall in falls(doubt, 3)]
    # With 0 the loser would have gone out too and share 2nd; from 40 on the winner is level with Ann.
    ahead, level, behind = [(1, 1), (2, 2)], [(1, 1), (2, 1)], [(2, 1), (1, 2)]
    assert first == [(0, ahead), (1, ahead), (40, level), (41, behind)]


def test_a_blocked_round_capped_at_the_lowest_hand() -> None:
    rules = rule_set(blocked_cap=True, tiebreaks=())
    doubt = doubtful([[0, 30, 20], [12, 7, 19]], rules=rules, ended="blocked")
    below = table_with(doubt, 3, 3)
    assert below is not None
    assert {row.seat: row.total for row in below} == {1: 12, 2: 37, 3: 20}
    assert {row.seat: row.total for row in game_table(doubt.results, rules=rules)} == {1: 12, 2: 30, 3: 39}


def test_where_scores_hang_on_tiles_that_nobody_told_nothing_is_said() -> None:
    seats = (1, 2)
    claim = RoundClaim(12, "out", (HandClaim(1, 0), HandClaim(2, tiles=("5-5",))))
    results = tuple(PlayerResult(seat, (RoundResult(1, 0, 0, seat == 1),)) for seat in seats)
    doubt = DoubtfulRound(results, 1, claim, rule_set(doubles_twice=True), seats)
    assert table_with(doubt, 2, 9) is None
    assert falls(doubt, 2) == ()


def test_a_round_that_does_not_count() -> None:
    doubt = doubtful(ROUNDS)
    table = table_without(doubt.results, 3, rules=RULES)
    assert [(row.seat, row.total) for row in table] == [(4, 29), (3, 50), (1, 55), (2, 73)]


def test_sharing_a_place_with_others_is_another_place() -> None:
    three = doubtful([[0, 10, 10], [10, 0, 0]], rules=rule_set(tiebreaks=()))
    before = game_table(three.results, rules=three.rules)
    after = table_with(three, 1, 11)
    assert after is not None
    assert places(before)[1] == (1, True)
    assert moved(before, after) == (2, 3, 1)


@st.composite
def rounds(draw: st.DrawFn) -> tuple[DoubtfulRound, int]:
    rules = rule_set(
        max_pip=6,
        double_blank=draw(st.sampled_from([0, 25, 50])),
        scoring=draw(st.sampled_from(["penalty", "penalty", "positive"])),
        left_counts=draw(st.sampled_from(["pips", "pips", "tiles"])),
        blocked_cap=draw(st.booleans()),
        out_bonus=draw(st.sampled_from([0, 10])),
        open_marker=draw(st.sampled_from([0, 5])),
        first_turn_out=draw(st.sampled_from(["immediate", "finish_turn_one"])),
        tiebreaks=draw(st.sampled_from([("zero_rounds", "lowest_nonzero"), ("lowest_nonzero",), ()])),
        deal=draw(st.sampled_from([3, 5])),
    )
    seats = tuple(range(1, draw(st.integers(2, 4)) + 1))
    number = draw(st.integers(1, 3))
    ended: Ended = draw(st.sampled_from(["out", "blocked"]))
    least = draw(st.integers(0, 3))
    points = draw(st.lists(st.integers(0, 25), min_size=len(seats), max_size=len(seats)))
    if ended == "out":
        points[draw(st.integers(0, len(seats) - 1))] = 0
    hands = tuple(
        HandClaim(seat, worth, marker=draw(st.booleans())) for seat, worth in zip(seats, points, strict=True)
    )
    claim = RoundClaim(6, ended, hands)
    check = check_round(claim, rules=rules, seats=seats)
    scores = score_round(check.hands, rules=rules, ended=ended)
    told = {hand.seat: hand for hand in check.hands}
    small = st.integers(-20, 40)
    results = tuple(
        PlayerResult(
            seat,
            (
                *(
                    RoundResult(at, score, score, score == 0)
                    for at in range(4)
                    if at != number and (score := draw(st.integers(0, 12))) >= least
                ),
                RoundResult(number, told[seat].points, scores[seat], told[seat].out),
            ),
            start_total=draw(small),
            retired=draw(st.integers(0, 5)) == 0,
        )
        for seat in seats
    )
    marks = frozenset(problem.code for problem in check.problems) - {"needs_tiles"}
    return DoubtfulRound(results, number, claim, rules, seats, None, marks), draw(st.sampled_from(seats))


@settings(max_examples=40, deadline=None)
@given(rounds())
def test_halving_finds_what_trying_every_number_finds(case: tuple[DoubtfulRound, int]) -> None:
    doubt, seat = case
    naive = []
    cheap = doubt.marks | {"hands_clash"}  # what halving does not look for
    for points in range(stock_for(doubt.rules, 6).total + 1):
        claim = with_hand(doubt.claim, seat, points)
        check = check_round(claim, rules=doubt.rules, seats=doubt.seats)
        codes = {problem.code for problem in check.problems}
        if codes <= (cheap if points else doubt.marks) and (table := table_with(doubt, seat, points)):
            naive.append((points, seated(table)))
    found = falls(doubt, seat)
    assert [
        (points, seated(fall.table)) for fall in found for points in range(fall.least, fall.most + 1)
    ] == naive
    for one, other in pairwise(found):
        assert seated(one.table) != seated(other.table) or one.most + 1 < other.least


def test_places_beside_each_other_are_joined() -> None:
    doubt = doubtful([[10, 0], [0, 20]], rules=rule_set(tiebreaks=()))
    found = falls(replace(doubt, marks=frozenset({"zeros"})), 2)
    assert [(one.least, one.most) for one in found] == [(0, 9), (10, 10), (11, found[-1].most)]
    assert isinstance(found[0], Fall)
