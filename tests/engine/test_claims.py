"""A round's claims: every code, all at once, the zeros of every rule set, warnings apart."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.checks import CHECKS
from games.engine.feasible import BUDGET
from games.engine.rules import rule_set
from games.engine.scoring import HandClaim, RoundCheck, RoundClaim, check_round, score_round
from tests.engine.naive import can_be

Told = dict[str, Any]


def check(
    *hands: int | Told | None,
    ended: Any = "out",
    engine: int = 12,
    preset: str = "gamerules",
    budget: int = BUDGET,
    **options: Any,
) -> RoundCheck:
    """Judge a round by seat: a number is points, a dict is a claim, None is not told yet."""
    claims = tuple(
        HandClaim(seat, **(told if isinstance(told, dict) else {"points": told}))
        for seat, told in enumerate(hands, start=1)
        if told is not None
    )
    return check_round(
        RoundClaim(engine, ended, claims),
        rules=rule_set(preset, **options),
        seats=range(1, len(hands) + 1),
        budget=budget,
    )


def codes(result: RoundCheck) -> list[str]:
    return [problem.code for problem in result.problems]


FREE: Told = {"double_blank": 0}
TURN_ONE: Told = {"first_turn_out": "finish_turn_one"}
BLANK = {"points": 0, "tile_count": 1}
EMPTY = {"points": 0, "tile_count": 0}

# hands, options, ended → codes
ZEROS = [
    ((0, 20, 30), {}, "out", []),
    ((10, 20, 30), {}, "out", ["zeros"]),
    ((0, 0, 30), {}, "out", ["zeros"]),
    ((0, 20, 30), {}, "blocked", ["zeros"]),
    ((10, 20, 30), {}, "blocked", []),
    ((10, 20, None), {}, "out", ["seat_missing"]),
    ((0, 0, None), {}, "out", ["seat_missing", "zeros"]),
    # several may go out on turn one
    ((0, 0, 30), TURN_ONE, "out", []),
    ((0, 0, 0), TURN_ONE, "out", []),
    ((10, 20, 30), TURN_ONE, "out", ["zeros"]),
    ((0, 20, 30), TURN_ONE, "blocked", ["zeros"]),
    # where 0-0 costs nothing, it alone is a zero too
    ((0, 0, 30), FREE, "out", []),
    ((0, 0, 0), FREE, "out", ["zeros"]),
    ((0, BLANK, 30), FREE, "out", []),
    ((EMPTY, BLANK, 30), FREE, "out", []),
    ((EMPTY, EMPTY, 30), FREE, "out", ["zeros"]),
    ((BLANK, BLANK, 30), FREE, "out", ["zeros"]),
    ((BLANK, 20, 30), FREE, "out", ["zeros"]),
    ((BLANK, 20, None), FREE, "out", ["seat_missing"]),
    ((BLANK, BLANK, None), FREE, "out", ["seat_missing", "hands_clash"]),
    ((0, 20, 30), FREE, "blocked", []),
    ((BLANK, 20, 30), FREE, "blocked", []),
    ((EMPTY, 20, 30), FREE, "blocked", ["zeros"]),
    ((0, 0, 30), FREE, "blocked", ["zeros"]),
    ((EMPTY, BLANK, 0), FREE | TURN_ONE, "out", []),
    ((EMPTY, BLANK, BLANK), FREE | TURN_ONE, "out", ["hands_clash"]),
    ((BLANK, 20, 30), FREE | TURN_ONE, "out", ["zeros"]),
    # somebody else holds it
    ((0, 0, {"tiles": ("0-0", "3-0")}), FREE, "out", ["hands_clash"]),
    ((0, BLANK, {"tiles": ("0-0", "3-0")}), FREE, "out", ["hands_clash"]),
    ((0, 0, {"tiles": ("0-0", "3-0")}), FREE | TURN_ONE, "out", []),
    ((0, 20, {"tiles": ("0-0", "3-0")}), FREE, "blocked", ["hands_clash"]),
    ((0, {"tiles": ("0-0",)}, 30), FREE, "out", []),
    ((0, {"tiles": ("0-0",)}, BLANK), FREE | TURN_ONE, "out", ["hands_clash"]),
    # told who went out
    (({"points": 0, "out": True}, 0, 30), {}, "out", ["zeros"]),
    (({"points": 0, "out": True}, 0, 30), FREE, "out", []),
    (({"points": 0, "out": True}, {"points": 0, "out": True}, 30), FREE, "out", ["zeros"]),
    (({"points": 0, "out": False}, 20, 30), {}, "out", ["zeros"]),
    (({"points": 0, "out": False}, 20, 30), FREE, "out", ["zeros"]),
    (({"points": 0, "out": False}, 0, 30), TURN_ONE, "out", ["count_points"]),
    (({"points": 5, "out": True}, 0, 30), {}, "out", ["count_points"]),
    (({"tile_count": 3, "points": 9, "out": True}, 20, 30), {}, "out", ["count_points"]),
    (({"out": True}, 20, 30), {}, "out", []),
    (({"points": 0, "out": True}, 20, 30), {}, "blocked", ["zeros"]),
]


@pytest.mark.parametrize(("hands", "options", "ended", "expected"), ZEROS)
def test_the_zeros_of_a_round(hands: tuple[Any, ...], options: Told, ended: str, expected: list[str]) -> None:
    assert codes(check(*hands, ended=ended, **options)) == expected


def test_a_free_double_blank_that_is_the_engine_leaves_one_zero() -> None:
    assert codes(check(0, 0, 30, engine=0, **FREE)) == ["zeros"]


# one hand beside an empty one → the code and its facts
HANDS = [
    (-5, {}, "points_range", {"points": -5, "least": 0, "most": 1118}),
    (1119, {}, "points_range", {"points": 1119, "most": 1118}),
    (
        {"points": 31, "tile_count": 1},
        {},
        "count_points",
        {"most": 50, "most_plain": 23, "least": 1, "kind": "no_hand"},
    ),
    ({"points": 24, "tile_count": 1}, {}, "count_points", {"points": 24, "tile_count": 1}),
    ({"points": 2, "tile_count": 2}, {}, "count_points", {"least": 3}),
    ({"points": 9, "tile_count": 0}, {}, "count_points", {"most": 0}),
    ({"points": 9, "tile_count": 99}, {}, "count_points", {"most": None, "tiles": 90}),
    ({"points": 9, "tile_count": -1}, {}, "count_points", {"most": None}),
    (
        {"points": 9, "tiles": ("5-5",)},
        {},
        "points_tiles",
        {"points": 9, "tiles_points": 10, "tiles": ("5-5",)},
    ),
    (
        {"tile_count": 2, "tiles": ("5-5",)},
        {},
        "count_points",
        {"kind": "tiles", "tile_count": 2, "tiles": 1},
    ),
    ({"tile_count": 1, "tiles": ("5-5", "2-1")}, {}, "count_points", {"tile_count": 1, "tiles": 2}),
    ({"tiles": ("13-1",)}, {}, "tile_unknown", {"tile": "13-1", "max_pip": 12}),
    ({"tiles": ("five",)}, {}, "tile_unknown", {"tile": "five"}),
    ({"tiles": ("12-12",)}, {}, "tile_engine", {"tile": "12-12"}),
    ({"tiles": ("5-4", "4-5")}, {}, "tile_twice", {"tile": "5-4", "first": 2}),
    ({"points": 3, "tile_count": 4}, {"left_counts": "tiles"}, "count_points", {"points": 3}),
    (91, {"left_counts": "tiles"}, "points_range", {"most": 90}),
    (13, {"blank_half": 5}, "needs_tiles", {"points": 13, "options": ("blank_half",)}),
    (
        {"points": 13, "tile_count": 2},
        {"doubles_twice": True},
        "needs_tiles",
        {"options": ("doubles_twice",)},
    ),
]


@pytest.mark.parametrize(("told", "options", "code", "facts"), HANDS)
def test_what_one_hand_cannot_be(told: int | Told, options: Told, code: str, facts: Told) -> None:
    result = check(0, told, **options)
    found = [problem for problem in result.problems if problem.code != "round_sum"]
    assert [problem.code for problem in found] == [code]
    assert (found[0].seat, found[0].seats) == (2, (2,))
    assert facts.items() <= found[0].params.items()


RIGHT = [
    {"points": 50, "tile_count": 1},
    {"points": 23, "tile_count": 1},
    {"tiles": ("0-0", "3-0"), "points": 53, "tile_count": 2},
    {"points": 33, "tile_count": 10},
    {"points": 500},
]


@pytest.mark.parametrize("told", RIGHT)
def test_what_one_hand_can_be(told: Told) -> None:
    assert check(0, told).possible


def test_a_tile_in_two_hands_names_who_has_it_already() -> None:
    (problem,) = check(0, {"tiles": ("9-6",)}, {"tiles": ("1-0", "6-9")}).problems
    assert (problem.code, problem.seat, problem.seats) == ("tile_twice", 3, (2, 3))
    assert problem.params == {"tile": "9-6", "first": 2}


def test_a_round_may_come_to_so_much() -> None:
    hands = (0, 352, 352, 352)
    (problem,) = [one for one in check(*hands[:3], 353).problems if one.code == "round_sum"]
    assert problem.params == {"total": 1057, "most": 1056, "players": 4, "laid": 15}
    assert "round_sum" not in codes(check(*hands))


def test_the_winner_may_have_laid_a_dealt_engine() -> None:
    hands = (0, 352, 352)
    assert "round_sum" not in codes(check(*hands, 358, engine=12, deal=15, preset="thoughtco"))
    assert "round_sum" in codes(check(*hands, 359, engine=12, deal=15, preset="thoughtco"))
    (problem,) = [
        one for one in check(*hands, 900, deal=15, preset="thoughtco").problems if one.code == "round_sum"
    ]
    assert problem.params["laid"] == 14
    assert problem.params["most"] == 1062


def test_without_a_deal_and_in_a_blocked_round_nothing_is_subtracted() -> None:
    for result in (
        check(0, 600, 519, preset="thoughtco"),  # no row for three players
        check(200, 200, 400, 319, ended="blocked"),
    ):
        (problem,) = [one for one in result.problems if one.code == "round_sum"]
        assert (problem.params["most"], problem.params["laid"]) == (1118, 0)


def test_seats_missing_twice_or_not_here_are_told() -> None:
    claim = RoundClaim(12, "out", (HandClaim(1, 0), HandClaim(1, 5), HandClaim(9, 4), HandClaim(2)))
    result = check_round(claim, rules=rule_set("gamerules"), seats=(1, 2, 3))
    assert [(one.code, one.seat, one.params.get("kind")) for one in result.problems] == [
        ("seat_unknown", 1, "twice"),
        ("seat_unknown", 9, "not_here"),
        ("seat_missing", 2, None),
        ("seat_missing", 3, None),
    ]


def test_all_problems_come_at_once() -> None:
    result = check(
        -1,
        {"tiles": ("12-12", "x", "5-4")},
        {"tiles": ("4-5",), "points": 1},
        {"points": 31, "tile_count": 1},
        None,
    )
    assert set(codes(result)) == {
        "points_range",
        "tile_engine",
        "tile_unknown",
        "points_tiles",
        "count_points",
        "seat_missing",
    }


# hands, options → the seats that clash, what they all have, the tiles it could be
CLASHES = [
    ((0, 1, 1), {}, (2, 3), 1, ("1-0",)),
    ((0, 2, 2, 2), {}, (2, 3, 4), 2, ("1-0", "1-1", "2-0")),
    ((0, 1, 140, {"tiles": ("1-0", "9-9")}), {}, (2, 4), None, ()),
    ((0, {"points": 50, "tile_count": 1}, {"points": 50, "tile_count": 1}), {}, (2, 3), 50, ("0-0",)),
    ((0, 0, {"tiles": ("0-0", "3-0")}), FREE, (1, 2, 3), None, ()),
    ((EMPTY, BLANK, BLANK), FREE | TURN_ONE, (2, 3), 0, ("0-0",)),
    ((0, 1, 1), FREE, (2, 3), 1, ("1-0",)),
    ((0, 1, 3, 3, 3, 200), {}, (2, 3, 4, 5), None, ()),
]


@pytest.mark.parametrize(("hands", "options", "seats", "points", "tiles"), CLASHES)
def test_a_clash_names_only_those_it_takes(
    hands: tuple[Any, ...], options: Told, seats: tuple[int, ...], points: int | None, tiles: tuple[str, ...]
) -> None:
    (problem,) = check(*hands, **options).problems
    assert (problem.code, problem.seats) == ("hands_clash", seats)
    assert (problem.params["points"], problem.params["tiles"]) == (points, tiles)


def test_the_hands_are_not_searched_while_one_is_wrong_by_itself() -> None:
    assert codes(check(0, 1, 1, {"points": 31, "tile_count": 1})) == ["count_points"]


def test_what_is_told_so_far_is_searched_while_a_seat_is_missing() -> None:
    assert codes(check(0, 1, 1, None)) == ["seat_missing", "hands_clash"]


def test_a_search_that_gives_up_warns_and_refuses_nothing() -> None:
    result = check(0, 40, 41, 42, budget=0)
    assert result.possible
    assert [warning.code for warning in result.warnings] == ["not_searched"]


# options, hands → who is asked for tiles
NEEDS = [
    ({"blank_half": 5}, (0, 13, {"tiles": ("5-5",)}), [2]),
    ({"doubles_twice": True, "scoring": "positive"}, (0, 13, 20), [2, 3]),
    ({"scoring": "positive"}, (0, 13, 20), []),
    (FREE | {"out_bonus": 5}, (0, 0, 20), [1, 2]),
    (FREE | {"scoring": "positive"}, (0, 0, 20), [1, 2]),
    (FREE | {"open_marker": 5}, (0, 0, 20), []),
    (FREE | {"out_bonus": 5}, (0, BLANK, 20), []),
    (FREE | {"out_bonus": 5}, ({"out": True}, 0, 20), []),
    (FREE | {"out_bonus": 5}, (0, 20, 30), []),
    (FREE | TURN_ONE | {"out_bonus": 5}, (EMPTY, 0, 20), [2]),
    (FREE | TURN_ONE | {"out_bonus": 5}, (EMPTY, 0, BLANK), []),
    (FREE | {"blank_half": 5}, (0, 0, {"tiles": ("5-5",)}), [1, 2]),
]


@pytest.mark.parametrize(("options", "hands", "asked"), NEEDS)
def test_tiles_are_asked_for_where_the_score_hangs_on_them(
    options: Told, hands: tuple[Any, ...], asked: list[int]
) -> None:
    problems = check(*hands, **options).problems
    assert [(problem.code, problem.seat) for problem in problems] == [("needs_tiles", seat) for seat in asked]


def test_a_blocked_round_scores_nobody_under_positive_and_needs_no_tiles() -> None:
    assert check(5, 13, ended="blocked", scoring="positive", doubles_twice=True).possible


# wikihow deals 8 tiles to nine players
def test_more_points_than_the_dealt_tiles_give_are_unusual() -> None:
    nine = (0, 170, *range(10, 17))
    (warning,) = check(*nine, preset="wikihow").warnings
    assert (warning.code, warning.seat) == ("many_points", 2)
    assert warning.params == {"points": 170, "deal": 8, "most": 169, "tiles_needed": 9}
    assert not check(0, 169, *range(10, 17), preset="wikihow").warnings


def test_more_tiles_than_dealt_are_unusual() -> None:
    (warning,) = check(0, 20, 30, {"points": 200, "tile_count": 16}).warnings
    assert (warning.code, warning.seat) == ("many_tiles", 4)
    assert warning.params == {"tile_count": 16, "deal": 15, "points": 200}
    assert not check(0, 20, 30, {"points": 200, "tile_count": 15}).warnings


def test_three_equal_hands_are_unusual_and_two_are_not() -> None:
    (warning,) = check(0, 30, 30, 30).warnings
    assert (warning.code, warning.seats, warning.params) == ("equal_hands", (2, 3, 4), {"points": 30})
    assert not check(0, 30, 30, 31).warnings


def test_a_hand_keeps_what_was_told_and_what_follows() -> None:
    told: tuple[Any, ...] = (
        {"points": 0},
        {"tiles": ("1-2", "5-5"), "marker": True},
        {"points": 30, "tile_count": 4},
    )
    first, second, third = check(*told).hands
    assert (first.points, first.tile_count, first.tiles, first.out) == (0, None, None, True)
    assert (second.points, second.tile_count, second.out, second.marker) == (13, 2, False, True)
    assert [str(tile) for tile in second.tiles or ()] == ["2-1", "5-5"]
    assert (third.points, third.tile_count, third.tiles) == (30, 4, None)


def test_who_went_out_is_known_as_far_as_it_can_be() -> None:
    def out(*hands: Any, **options: Any) -> list[bool]:
        return [hand.out for hand in check(*hands, **options).hands]

    assert out(0, 20) == [True, False]
    assert out(0, 20, ended="blocked", **FREE) == [False, False]
    assert out({"points": 0, "out": True}, 0, 20, **FREE) == [True, False, False]
    assert out(0, BLANK, 20, **FREE) == [True, False, False]
    assert out(0, 0, 20, **FREE) == [True, True, False]  # one of them; nobody has said which
    assert out(0, 0, 20, **TURN_ONE) == [True, True, False]


@pytest.mark.parametrize(("hands", "options", "ended", "expected"), ZEROS)
def test_a_round_found_possible_can_be_told_again_from_its_hands(
    hands: tuple[Any, ...], options: Told, ended: str, expected: list[str]
) -> None:
    first = check(*hands, ended=ended, **options)
    again: list[Told | None] = [None] * len(hands)
    for hand in first.hands:
        tiles = None if hand.tiles is None else tuple(map(str, hand.tiles))
        again[hand.seat - 1] = {"points": hand.points, "tile_count": hand.tile_count, "tiles": tiles}
    if expected in ([], ["seat_missing"]):
        assert check(*again, ended=ended, **options) == first


def test_a_problem_hand_can_still_be_scored_when_it_is_kept_as_disputed() -> None:
    result = check(0, {"points": 31, "tile_count": 1}, 0)
    assert score_round(result.hands, rules=rule_set("gamerules"), ended="out") == {1: 0, 2: 31, 3: 0}


def test_every_check_names_its_rules() -> None:
    assert set(CHECKS) == {
        *("seat_missing", "seat_unknown", "tile_unknown", "tile_engine", "tile_twice", "points_tiles"),
        *("points_range", "count_points", "zeros", "round_sum", "hands_clash", "needs_tiles"),
        *("many_points", "many_tiles", "equal_hands", "not_searched"),
    }


@pytest.mark.parametrize("engine", [-1, 99])
def test_an_engine_of_no_set_is_left_to_the_engines_own_check(engine: int) -> None:
    assert check(0, 20, engine=engine).possible


@st.composite
def rounds(draw: st.DrawFn) -> tuple[RoundClaim, dict[str, Any]]:
    """Small hands of a double-6 set, told in every way, under every rule on zeros."""
    options = {
        "max_pip": 6,
        "double_blank": draw(st.sampled_from((0, 25, 50))),
        "first_turn_out": draw(st.sampled_from(("immediate", "finish_turn_one"))),
        "left_counts": draw(st.sampled_from(("pips", "pips", "pips", "tiles"))),
    }
    most = 1 if options["left_counts"] == "tiles" else 5
    points = st.one_of(st.just(0), st.integers(1, most), st.integers(1, most))
    tiles = st.lists(st.sampled_from(("0-0", "1-0", "1-1", "2-0", "2-1", "3-0")), max_size=2, unique=True)
    hands = []
    for seat in range(1, draw(st.integers(2, 4)) + 1):
        hand: dict[str, Any] = {"points": draw(points)}
        match draw(st.sampled_from(("points", "points", "count", "out", "tiles"))):
            case "count":
                hand["tile_count"] = draw(st.integers(0, 3))
            case "out":
                hand["out"] = draw(st.booleans())
            case "tiles" if options["left_counts"] == "pips":
                hand["tiles"] = tuple(draw(tiles))
        hands.append(HandClaim(seat, **hand))
    engine = draw(st.sampled_from((6, 6, 2, 1, 0)))
    return RoundClaim(engine, draw(st.sampled_from(("out", "out", "blocked"))), tuple(hands)), options


@settings(deadline=None)
@given(rounds())
def test_a_round_is_refused_exactly_if_no_hands_can_be(told: tuple[RoundClaim, dict[str, Any]]) -> None:
    claim, options = told
    rules = rule_set("wikihow", **options)  # it deals no double-6, so nothing is said of what was laid
    result = check_round(claim, rules=rules, seats=range(1, len(claim.hands) + 1))
    assert result.possible is can_be(claim, rules)


def test_a_number_of_tiles_that_contradicts_the_tiles_is_kept_as_told() -> None:
    result = check(0, {"tiles": ("5-5", "2-1"), "tile_count": 3})

    assert codes(result) == ["count_points"]
    assert (result.hands[1].tile_count, result.hands[1].points) == (3, 13)
