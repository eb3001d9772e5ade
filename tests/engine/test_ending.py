"""What stands after the last turn: each line by itself, and what it leaves of the scores."""

from __future__ import annotations

from itertools import product

import pytest

from games.engine.claims import Ended
from games.engine.ending import End, demands
from games.engine.hands import Hand
from games.engine.reading import parse_record
from games.engine.replay import Replay, replay
from games.engine.rules import RuleSet, rule_set
from games.engine.scoring import score_round

# A is out; B holds two tiles, one of them 5-4 if it was drawn face up.
ROUND = """rules: gamerules
set: 6
players: A, B
deal: 2
engine: 6-6
1. A 6-1>A
2. B +5-4 -
3. A 1-2>A
"""
HIDDEN = ROUND.replace("+5-4", "+")
KNOWN = ROUND.replace("engine: 6-6", "engine: 6-6\nhand A: 6-1 1-2\nhand B: 3-3 0-0")


def judged(text: str) -> Replay:
    return replay(parse_record(text))


@pytest.mark.parametrize(
    ("end", "verdict", "code", "line"),
    [
        ("", "legal", None, 0),
        ("out: A", "legal", None, 0),
        ("out: B", "illegal", "not_out", 9),
        ("out: A, B", "illegal", "not_out", 9),
        ("out: C", "illegal", "unknown_player", 9),
        ("blocked", "illegal", "not_blocked", 9),
        ("out: A\nleft B: 5-4 3-3 0-0", "legal", None, 0),
        ("out: A\nleft A:\nleft B: 5-4 3-3 0-0\ncount: A 0, B 3\nscore: A 0, B 65", "legal", None, 0),
        ("out: A\nleft B: 5-4 3-3", "illegal", "left", 10),
        ("out: A\nleft B: 5-4 3-3 3-3", "illegal", "left", 10),
        ("out: A\nleft B: 5-4 3-3 7-0", "illegal", "left", 10),
        ("out: A\nleft B: 5-4 3-3 2-1", "illegal", "left", 10),
        ("out: A\nleft B: 5-5 3-3 0-0", "illegal", "left", 10),
        ("out: A\nleft B: 5-4 3-3 6-2", "impossible", "no_deal", 10),
        ("out: A\nleft C: 5-4", "illegal", "unknown_player", 10),
        ("out: A\ncount: B 2", "illegal", "count", 10),
        ("out: A\ncount: C 3", "illegal", "unknown_player", 10),
        ("out: A\nscore: A 5", "illegal", "score", 10),
        ("out: A\nscore: C 5", "illegal", "unknown_player", 10),
        ("out: A\nscore: B 9", "impossible", "no_deal", 10),
        ("out: A\nscore: B 12", "legal", None, 0),
        ("out: A\nscore: B 15\nleft B: 5-4 3-3 0-0", "illegal", "score", 10),
        # One line is wrong by itself: that comes before what no deal explains in another.
        ("out: A\nscore: B 9\ncount: B 1", "illegal", "count", 11),
    ],
)
def test_an_end_line_of_a_half_hidden_round(end: str, verdict: str, code: str | None, line: int) -> None:
    found = judged(ROUND + end)
    breach = found.violation
    assert (found.verdict, breach.code if breach else None) == (verdict, code)
    if breach:
        assert (breach.turn, breach.action, breach.line) == (0, 0, line)


def test_hands_known_are_held_against_every_line() -> None:
    assert judged(KNOWN + "out: A\nscore: B 65").verdict == "legal"
    for end in ("left B: 5-4 3-3 1-0", "score: B 64", "score: A 1"):
        found = judged(f"{KNOWN}out: A\n{end}")
        assert found.violation is not None
        assert (found.verdict, found.violation.code) == ("illegal", end.split()[0].rstrip(":"))


def test_scores_are_told_as_far_as_anybody_knows_them() -> None:
    assert judged(HIDDEN).scores == {"A": 0, "B": None}
    assert judged(HIDDEN + "out: A\nscore: B 12").scores == {"A": 0, "B": 12}
    assert judged(HIDDEN + "out: A\nleft B: 5-4 3-3 0-0").scores == {"A": 0, "B": 65}
    assert judged(KNOWN).scores == {"A": 0, "B": 65}
    assert judged(ROUND.replace("3. A 1-2>A\n", "")).scores is None
    assert judged(HIDDEN + "out: B").scores is None
    by_count = HIDDEN.replace("gamerules", "gamerules left_counts=tiles")
    assert judged(by_count).scores == {"A": 0, "B": 3}
    found = judged(by_count + "out: A\nscore: B 4")
    assert found.violation is not None
    assert found.violation.code == "score"


def test_points_options_and_awards_count_in_a_record() -> None:
    options = "gamerules open_marker=10 out_bonus=5 doubles_twice=yes blank_half=5"
    assert judged(KNOWN.replace("gamerules", options)).scores == {"A": -5, "B": 9 + 12 + 120 + 10}
    award = KNOWN.replace("gamerules", "gamerules scoring=positive")
    assert judged(award + "out: A\nscore: A 65, B 0").scores == {"A": 65, "B": 0}
    hidden = HIDDEN.replace("gamerules", "gamerules scoring=positive")
    assert judged(hidden + "out: A\nscore: B 0").scores == {"A": None, "B": 0}
    assert judged(hidden + "out: A\nscore: A 12").verdict == "legal"
    assert judged(hidden + "out: A\nscore: A 4").verdict == "impossible"


def test_several_may_go_out_where_everybody_gets_a_first_turn() -> None:
    text = "rules: thoughtco\nset: 6\nplayers: A, B, C\ndeal: 2\nengine: 6-6 A\n1. A 6-1\n2. B 6-2 2-3\n"
    found = judged(text + "out: A")
    assert found.violation is not None
    assert (found.violation.code, found.violation.rule) == ("not_out", "A5")
    assert judged(text).verdict == "unfinished"
    whole = text + "3. C - ^\n"
    assert judged(whole).verdict == "legal"
    assert judged(whole + "out: A, B").verdict == "legal"
    assert judged(whole + "out: A").verdict == "illegal"
    assert judged(whole + "4. A -").verdict == "illegal"


@pytest.mark.parametrize(
    ("rules", "ended"),
    [
        (rule_set(blocked_cap=True), "blocked"),
        (rule_set(blocked_cap=True, open_marker=3), "blocked"),
        (rule_set(open_marker=3, out_bonus=5), "out"),
        (rule_set(scoring="positive"), "out"),
        (rule_set(scoring="positive"), "blocked"),
    ],
)
def test_what_points_ask_of_hidden_hands_is_what_the_scoring_gives(rules: RuleSet, ended: Ended) -> None:
    """Three hands, the last one known; any points written down, against what the hands would score."""
    known = 0b110000  # 2-1 and 2-2
    out = 0b001 if ended == "out" else 0
    counts = (0 if out else 2, 2, 2)
    for costs in product((0,) if out else range(1, 10), range(1, 10), (7,)):
        hands = [
            Hand(seat, cost, out=seat == 0 and bool(out), marker=seat == 1) for seat, cost in enumerate(costs)
        ]
        right = score_round(hands, rules=rules, ended=ended)
        for told in product((None, 0, 3, 6, 7, 8, 10), repeat=2):
            written = {seat: points for seat, points in enumerate(told) if points is not None}
            if out and "positive" not in rules.scoring:
                written.pop(0, None)  # that one is held against the line itself
            if rules.scoring == "positive":
                written = {seat: points for seat, points in written.items() if seat == 0 and out}
            asked = demands(rules, End(ended, 0b010, out, left={2: known}), counts, written)
            met = any(
                all(one.least <= sum(costs[player] for player in one.players) <= one.most for one in together)
                for together in asked
            )
            assert met == all(right[seat] == points for seat, points in written.items()), (costs, written)


def test_an_award_that_two_share_leaves_a_point_open() -> None:
    end = End("out", 0, 0b011)
    ((asked,),) = demands(rule_set(scoring="positive"), end, (0, 0, 2), {0: 4})
    assert (asked.players, asked.count, asked.least, asked.most) == ((2,), 2, 8, 9)
