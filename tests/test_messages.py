"""Each code has its sentence, in the words of the look."""

from __future__ import annotations

from typing import Any

import pytest

from games.engine.checks import CHECKS
from games.engine.rules import rule_set
from games.engine.scoring import HandClaim, RoundClaim, check_round
from games.engine.sequence import check_engine
from games.messages import SENTENCES, listed, message, sentence

NAMES = {1: "Ruth", 2: "Ben", 3: "Chitra", 4: "Ann"}


def problems(*hands: dict[str, Any], ended: str = "out", engine: int = 6, **rules: Any) -> list[str]:
    claims = tuple(HandClaim(seat=seat, **hand) for seat, hand in enumerate(hands, start=1))
    claim = RoundClaim(engine=engine, ended=ended, hands=claims)  # type: ignore[arg-type]
    check = check_round(claim, rules=rule_set(**rules), seats=(1, 2, 3, 4))
    return [sentence(found, NAMES) for found in (*check.problems, *check.warnings)]


def p(points: int, **more: Any) -> dict[str, Any]:
    return {"points": points, **more}


@pytest.mark.parametrize(
    ("hands", "more", "said"),
    [
        (
            (p(31, tile_count=1), p(12), p(0), p(28)),
            {},
            "Ruth: one tile cannot be worth 31. The most is 24, or 50 for the double blank.",
        ),
        (
            (p(200, tile_count=3), p(12), p(0), p(28)),
            {},
            "Ruth: 3 tiles cannot be worth 200. The most is 69, or 97 with the double blank.",
        ),
        ((p(2, tile_count=3), p(12), p(0), p(28)), {}, "Ruth: 3 tiles cannot be worth 2. The least is 5."),
        (
            (p(28), p(1), p(0), p(1)),
            {},
            "Ben and Ann cannot both have 1. Only 1-0 is worth 1, and there is one of it.",
        ),
        (
            (p(2), p(2), p(0), p(2)),
            {},
            (
                "Ruth, Ben and Ann cannot all have 2. "
                "Only 1-0, 1-1 and 2-0 can make that, and there is one of each."
            ),
        ),
        ((p(0), p(0), p(4), p(9)), {}, "Ruth and Ben have 0. Only one can go out in a round."),
        (
            (p(3), p(5), p(4), p(9)),
            {},
            "Nobody has 0, but the round was not marked as blocked. Who went out?",
        ),
        (
            (p(0), p(5), p(4), p(9)),
            {"ended": "blocked"},
            "Ruth has 0, but the round was blocked. In a blocked round nobody goes out.",
        ),
        ((p(0), p(5), p(4)), {}, "Ann has no points yet. If Ann went out, tap 0."),
        ((p(0), p(5), p(4), p(-3)), {}, "Ann: nobody can have less than 0 points."),
        (
            (p(0), p(5), p(4), p(5000)),
            {},
            "Ann: no hand is worth 5,000. All tiles of this round together are worth 1,130.",
        ),
        ((p(0), p(5), p(4), {"tiles": ("6-6",)}), {}, "6-6 is this round’s engine. Nobody can hold it."),
        (
            (p(0), {"tiles": ("9-6",)}, p(4), {"tiles": ("6-9", "1-1")}),
            {},
            "9-6 is in two hands. Ben has it already.",
        ),
        ((p(0), p(5), p(4), p(33, tiles=("9-9", "8-5"))), {}, "Ann: these tiles make 31, not 33."),
        (
            (p(0), p(5), p(4), {"tiles": ("13-1",)}),
            {},
            "Ann: “13-1” is no tile of this set. Its tiles go from 0-0 to 12-12.",
        ),
        (
            (p(0), p(5), p(4), p(9)),
            {"blank_half": 5},
            (
                "Ben: which tiles are left? "
                "The house rules look at the tiles, so the points alone are not enough."
            ),
        ),
    ],
)
def test_a_problem_is_told_in_words(
    hands: tuple[dict[str, Any], ...], more: dict[str, Any], said: str
) -> None:
    assert said in problems(*hands, **{"first_turn_out": "immediate", **more})


def test_a_large_sum_says_what_the_set_can_give() -> None:
    said = problems(p(0), p(400), p(400), p(290), engine=12, preset="gamerules")

    assert "This round comes to 1,090. With this set and 4 players it can be 1,056 at most." in said


def test_an_unusual_hand_asks_once() -> None:
    said = problems(p(0), p(348), p(4), p(9), engine=12, deal=9)

    assert "Ben: 348 points is unusual. It needs at least 16 tiles. Is it right?" in said


def test_an_engine_out_of_turn_names_the_one_expected_and_the_round_it_was_in() -> None:
    problem = check_engine(rule_set(), 12, number=8, given=7, used={6: 7, 7: 6})

    assert problem is not None
    assert sentence(problem, {}) == "The engine of this round is 5-5. 7-7 was played in round 6."


def test_every_check_of_the_engine_has_its_words() -> None:
    assert set(CHECKS) <= set(SENTENCES)


def test_the_names_come_first_and_stand_apart() -> None:
    problem = check_round(
        RoundClaim(6, "out", (HandClaim(1, 31, tile_count=1),)), rules=rule_set(), seats=(1,)
    ).problems[0]

    assert message(problem, NAMES).lead == "Ruth: one tile cannot be worth 31."


def test_names_are_listed_as_spoken() -> None:
    assert [listed([]), listed(["Ann"]), listed(["Ann", "Ben"]), listed(["Ann", "Ben", "Cho"])] == [
        "",
        "Ann",
        "Ann and Ben",
        "Ann, Ben and Cho",
    ]
