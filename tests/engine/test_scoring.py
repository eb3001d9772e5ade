"""What counts: the worked round of the rules, and the options together."""

from __future__ import annotations

from typing import Any

import pytest

from games.engine.errors import EngineError
from games.engine.hands import Hand
from games.engine.rules import rule_set
from games.engine.scoring import HandClaim, RoundCheck, RoundClaim, check_round, score_round
from games.engine.tiles import parse_tile

# The worked round: A out, B 5-5 2-1 (its marker is on), C 0-0 3-0.
WORKED = [
    # options                                            A    B    C
    ({}, (0, 13, 53)),
    ({"double_blank": 25}, (0, 13, 28)),
    ({"double_blank": 0}, (0, 13, 3)),
    ({"blank_half": 5}, (0, 13, 68)),
    ({"doubles_twice": True}, (0, 23, 103)),
    ({"blank_half": 5, "doubles_twice": True}, (0, 23, 128)),
    ({"open_marker": 10}, (0, 23, 53)),
    ({"out_bonus": 10}, (-10, 13, 53)),
    ({"out_bonus": 5, "open_marker": 25, "blank_half": 25}, (-5, 38, 128)),
    ({"blocked_cap": True}, (0, 13, 53)),
    ({"left_counts": "tiles"}, (0, 2, 2)),
    ({"left_counts": "tiles", "doubles_twice": True}, (0, 3, 3)),
    ({"scoring": "positive"}, (66, 0, 0)),
    ({"scoring": "positive", "out_bonus": 10, "open_marker": 10, "blocked_cap": True}, (66, 0, 0)),
    ({"scoring": "positive", "blank_half": 5}, (81, 0, 0)),
]

# The same blocked, A with 4.
BLOCKED = [
    ({}, (4, 13, 53)),
    ({"blocked_cap": True}, (0, 13, 53)),
    ({"blocked_cap": True, "open_marker": 10}, (0, 23, 53)),
    ({"out_bonus": 10}, (4, 13, 53)),
    ({"scoring": "positive"}, (0, 0, 0)),
]


def _checked(ended: Any, first: HandClaim, options: dict[str, Any]) -> RoundCheck:
    hands = (first, HandClaim(2, tiles=("5-5", "2-1"), marker=True), HandClaim(3, tiles=("0-0", "3-0")))
    rules = rule_set("gamerules", **options)
    return check_round(RoundClaim(12, ended, hands), rules=rules, seats=(1, 2, 3))


@pytest.mark.parametrize(("options", "scores"), WORKED)
def test_the_worked_round(options: dict[str, Any], scores: tuple[int, ...]) -> None:
    check = _checked("out", HandClaim(1, 0), options)
    assert check.possible
    rules = rule_set("gamerules", **options)
    assert tuple(score_round(check.hands, rules=rules, ended="out").values()) == scores
    assert check.hands[0].points == 0
    assert check.hands[0].out


@pytest.mark.parametrize(("options", "scores"), BLOCKED)
def test_the_worked_round_when_it_is_blocked(options: dict[str, Any], scores: tuple[int, ...]) -> None:
    check = _checked("blocked", HandClaim(1, 4), options)
    assert check.possible
    rules = rule_set("gamerules", **options)
    assert tuple(score_round(check.hands, rules=rules, ended="blocked").values()) == scores
    assert check.hands[0].points == 4
    assert not any(hand.out for hand in check.hands)


def test_several_who_went_out_share_the_award_rounded_down() -> None:
    hands = [Hand(1, 0, out=True), Hand(2, 0, out=True), Hand(3, 25)]
    scores = score_round(hands, rules=rule_set(scoring="positive"), ended="out")
    assert scores == {1: 12, 2: 12, 3: 0}


def test_each_who_went_out_has_the_bonus() -> None:
    hands = [Hand(1, 0, out=True), Hand(2, 0, out=True), Hand(3, 25)]
    assert score_round(hands, rules=rule_set(out_bonus=5), ended="out") == {1: -5, 2: -5, 3: 25}


def test_all_who_share_the_lowest_hand_of_a_blocked_round_score_nothing() -> None:
    hands = [Hand(1, 4), Hand(2, 4), Hand(3, 5)]
    assert score_round(hands, rules=rule_set(blocked_cap=True), ended="blocked") == {1: 0, 2: 0, 3: 5}


def test_the_lowest_hand_is_found_after_the_tiles_are_priced() -> None:
    rules = rule_set(blocked_cap=True, doubles_twice=True)
    hands = [
        Hand(1, 10, tiles=(parse_tile("5-5"),)),
        Hand(2, 11, tiles=(parse_tile("6-5"),)),
    ]
    assert score_round(hands, rules=rules, ended="blocked") == {1: 20, 2: 0}


def test_the_double_blank_alone_pays_for_its_halves_where_it_costs_nothing_else() -> None:
    rules = rule_set("wikihow", blank_half=5, doubles_twice=True)
    hands = [Hand(1, 0, out=True), Hand(2, 0)]
    assert score_round(hands, rules=rules, ended="out") == {1: 0, 2: 20}


def test_an_option_that_looks_at_tiles_cannot_do_without_them() -> None:
    with pytest.raises(EngineError) as caught:
        score_round([Hand(2, 13)], rules=rule_set(doubles_twice=True), ended="out")
    assert (caught.value.code, caught.value.params) == ("needs_tiles", {"seat": 2})


def test_a_hand_of_0_in_a_blocked_round_is_the_double_blank_only_where_that_costs_nothing() -> None:
    claim = RoundClaim(12, "blocked", (HandClaim(1, 0), HandClaim(2, tiles=("5-5",))))
    scores = []
    for double_blank in (50, 0):
        rules = rule_set("gamerules", blank_half=5, double_blank=double_blank)
        hands = check_round(claim, rules=rules, seats=(1, 2)).hands
        scores.append(score_round(hands, rules=rules, ended="blocked"))

    assert scores == [{1: 0, 2: 10}, {1: 10, 2: 10}]
