"""The score cases: a round's claims with the codes they must give, and round scores with their standings.

An independent program made them from the rules; `allowed_too` are codes that may come as well.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from games.engine.rules import RuleSet, rule_set
from games.engine.scoring import HandClaim, RoundClaim, check_round
from games.engine.sequence import check_engine
from games.engine.standings import PlayerResult, RoundResult, game_table

LINES = (Path(__file__).parent / "cases" / "scores.jsonl").read_text().splitlines()
CASES = [json.loads(line) for line in LINES]
ROUNDS = [case for case in CASES if case["kind"] == "round"]
TIES = [case for case in CASES if case["kind"] == "ties"]


def _rules(facts: dict[str, Any]) -> RuleSet:
    return rule_set(
        max_pip=facts["max_pip"],
        double_blank=facts["double_blank"],
        first_turn_out=facts["first_turn_out"],
        engine=facts["engine_rule"],
        deal=facts["deal"],
    )


def _codes(facts: dict[str, Any]) -> set[str]:
    rules = _rules(facts)
    hands = tuple(
        HandClaim(**{**hand, "tiles": tuple(hand["tiles"])} if "tiles" in hand else hand)
        for hand in facts["hands"]
    )
    claim = RoundClaim(facts["engine"], facts["ended"], hands)
    check = check_round(claim, rules=rules, seats=range(1, facts["players"] + 1))
    number = facts["max_pip"] - facts["expected_engine"] + 1
    used = {at: facts["max_pip"] + 1 - at for at in range(1, number)}
    wrong = check_engine(rules, facts["max_pip"], number=number, given=facts["engine"], used=used)
    assert not any(warning.code == "not_searched" for warning in check.warnings)
    return {problem.code for problem in check.problems} | ({wrong.code} if wrong else set())


@pytest.mark.parametrize("case", ROUNDS, ids=lambda case: case["label"])
def test_a_round_gives_its_codes_and_no_other(case: dict[str, Any]) -> None:
    codes = _codes(case["round"])
    assert set(case["codes"]) <= codes <= {*case["codes"], *case["allowed_too"]}


@pytest.mark.parametrize("case", TIES, ids=lambda case: str(len(case["players"])))
def test_scores_give_their_standings(case: dict[str, Any]) -> None:
    results = [
        PlayerResult(
            seat,
            tuple(
                RoundResult(number, points, points, points == 0) for number, points in enumerate(scores, 1)
            ),
        )
        for seat, scores in enumerate(case["players"].values(), start=1)
    ]
    names = dict(enumerate(case["players"], start=1))
    rows = [
        {
            "seat": row.seat,
            "name": names[row.seat],
            "total": row.total,
            "zero_rounds": row.zero_rounds,
            "lowest_nonzero": row.lowest_nonzero,
            "decided_by": row.decided_by,
            "place": row.place,
        }
        for row in game_table(results, rules=rule_set())
    ]
    assert rows == case["standings"]


def test_the_cases_are_all_there() -> None:
    assert (len(ROUNDS), len(TIES)) == (208, 33)
