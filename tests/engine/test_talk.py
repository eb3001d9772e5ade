"""What people talk about: worked by hand on small tables, one row a round."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from games.engine.rules import rule_set
from games.engine.standings import PlayerResult, RoundResult, game_table
from games.engine.talk import Decided, Talk, race, talk

ANN, BEN, CHO = 1, 2, 3


def played(
    *rounds: Sequence[int | None],
    starts: Sequence[int] = (),
    scoring: str = "penalty",
    retired: Sequence[int] = (),
) -> Talk:
    """A game from its rounds, each as the scores of the seats 1, 2, …; None: not in."""
    seats = range(1, len(rounds[0]) + 1)
    results = [
        PlayerResult(
            seat=seat,
            rounds=tuple(
                RoundResult(number, score, score, score == 0)
                for number, row in enumerate(rounds, start=1)
                if (score := row[seat - 1]) is not None
            ),
            start_total=starts[seat - 1] if starts else 0,
            retired=seat in retired,
        )
        for seat in seats
    ]
    table = game_table(results, rules=rule_set(scoring=scoring))
    engines = {number: 13 - number for number in range(1, len(rounds) + 1)}
    return talk(results, table, engines, positive=scoring == "positive")


SEE_SAW = (
    (0, 5, 9),  # Ann 0, Ben 5, Cho 9
    (12, 0, 9),  # Ann 12, Ben 5, Cho 18
    (0, 7, 9),  # Ann 12, Ben 12, Cho 27
    (3, 0, 40),  # Ann 15, Ben 12, Cho 67
    (4, 1, 0),  # Ann 19, Ben 13, Cho 67
)


def test_the_totals_run_from_the_start() -> None:
    lines = played(*SEE_SAW).lines
    assert [line.totals for line in lines] == [
        (0, 0, 12, 12, 15, 19),
        (0, 5, 5, 12, 12, 13),
        (0, 9, 18, 27, 67, 67),
    ]


def test_who_led_when_counts_level_as_its_own_stretch() -> None:
    assert [(lead.seats, lead.first, lead.last) for lead in played(*SEE_SAW).leads] == [
        ((ANN,), 1, 1),
        ((BEN,), 2, 2),
        ((ANN, BEN), 3, 3),
        ((BEN,), 4, 5),
    ]


def test_the_deciding_round_is_the_one_after_which_the_winner_was_never_caught() -> None:
    assert played(*SEE_SAW).decided == Decided("round", 4)


@pytest.mark.parametrize(
    ("rounds", "expected"),
    [
        pytest.param([(0, 5), (3, 0), (0, 9)], Decided("start", 1), id="ahead from the first round on"),
        pytest.param([(5, 0), (0, 9)], Decided("round", 2), id="ahead at the very end only"),
        pytest.param([(0, 5), (5, 0), (0, 9)], Decided("round", 3), id="level once is caught once"),
        pytest.param([(0, 4), (4, 0)], Decided("shared"), id="equal in everything"),
        pytest.param([(0, 8), (0, 4), (12, 0)], Decided("tiebreak"), id="level on total"),
        pytest.param([(0, 8)], Decided("start", 1), id="one round"),
    ],
)
def test_how_it_was_decided(rounds: list[tuple[int, int]], expected: Decided) -> None:
    assert played(*rounds).decided == expected


def test_under_positive_scoring_the_highest_total_leads() -> None:
    found = played((40, 0), (0, 90), (10, 0), scoring="positive")
    assert found.decided == Decided("round", 2)
    assert [lead.seats for lead in found.leads] == [(ANN,), (BEN,)]
    assert found.swing is not None
    assert (found.swing.number, found.swing.gainers, found.swing.losers) == (2, (BEN,), (ANN,))
    assert (found.bests[0].best, found.bests[0].worst) == (40, 0)


def test_a_late_comer_s_line_begins_where_they_came_in() -> None:
    found = played((0, 20, None), (30, 0, None), (0, 15, 9), starts=(0, 0, 25))
    assert found.lines[2].totals == (None, None, 25, 34)
    # Level with Cho's start in round 2 is no round that Cho played, but it is who is in front then.
    assert [(lead.seats, lead.first, lead.last) for lead in found.leads] == [
        ((ANN,), 1, 1),
        ((BEN,), 2, 2),
        ((ANN,), 3, 3),
    ]


def test_who_left_is_in_front_only_while_there() -> None:
    found = played((0, 20, 9), (None, 0, 30), (None, 15, 9), retired=(ANN,))
    assert found.lines[0].totals == (0, 0, None, None)
    assert [(lead.seats, lead.first) for lead in found.leads] == [((ANN,), 1), ((BEN,), 2)]
    assert found.decided == Decided("round", 2)


def test_a_penalty_counts_from_the_round_after_which_it_was_given() -> None:
    rounds = tuple(RoundResult(number, 5, 5, False) for number in (1, 2, 3))
    (line,) = race([PlayerResult(ANN, rounds)], 3, {ANN: {0: 10, 2: -3}})
    assert line.totals == (10, 15, 17, 22)


def test_a_round_that_was_missed_leaves_the_total_as_it_is() -> None:
    rounds = (RoundResult(1, 5, 5, False), RoundResult(3, 5, 5, False))
    assert race([PlayerResult(ANN, rounds)], 3)[0].totals == (0, 5, 5, 10)


def test_engines_are_compared_by_what_a_hand_cost() -> None:
    # 12: 14 in 2 hands; 11: 18 in 3 hands, 6 each; 10: 7 in 1.
    found = played((0, 14, None), (0, 9, 9), (None, 7, None))
    assert [(cost.engine, cost.total, cost.hands) for cost in found.dearest] == [(12, 14, 2), (10, 7, 1)]
    assert [cost.engine for cost in found.cheapest] == [11]


def test_if_every_round_cost_the_same_no_engine_is_dear() -> None:
    found = played((0, 9), (9, 0))
    assert (found.dearest, found.cheapest) == ((), ())


def test_the_biggest_swing_is_the_widest_round_and_of_equals_the_first() -> None:
    swing = played((0, 30, 30), (9, 0, 7), (31, 1, 5)).swing
    assert swing is not None
    assert (swing.number, swing.points, swing.gainers, swing.losers) == (1, 30, (ANN,), (BEN, CHO))


def test_a_round_in_which_all_score_the_same_is_no_swing() -> None:
    assert played((7, 7)).swing is None


def test_best_and_worst_name_all_their_rounds() -> None:
    ann = played(*SEE_SAW).bests[0]
    assert (ann.best, ann.best_rounds, ann.worst, ann.worst_rounds) == (0, (1, 3), 12, (2,))


def test_without_rounds_there_is_nothing_to_say() -> None:
    results = [PlayerResult(ANN, ()), PlayerResult(BEN, ())]
    found = talk(results, game_table(results, rules=rule_set()), {}, positive=False)
    assert found == Talk((), (), (), (), (), None, None)
