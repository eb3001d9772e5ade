"""One person's figures, two people against each other and a club's records: worked by hand, and by chance."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.club_records import ClubRecord, HighRound, Holder, club_records
from games.engine.head_to_head import head_to_head
from games.engine.nights import Entry, SeasonGame
from games.engine.person import (
    EngineAverage,
    Length,
    Mark,
    Measure,
    Person,
    Played,
    Run,
    Score,
    Step,
    measure_of,
    person,
)
from games.engine.rules import rule_set

ANN, BEN, CHO, DAN = 1, 2, 3, 4
TWELVE, NINE = Measure(), Measure(max_pip=9)
Line = tuple[int, list[int]]  # place, rounds


def game(
    key: int,
    night: int,
    lines: dict[int, Line],
    *,
    measure: Measure = TWELVE,
    about: int = ANN,
    void: bool = False,
    forfeit: tuple[int, ...] = (),
    guests: tuple[int, ...] = (),
    rounds: int | None = None,
) -> Played:
    """A game by its sheet; `about`: whose rounds are read."""
    entries = tuple(
        Entry(
            person=who,
            points=sum(scores),
            rounds=len(scores),
            place=place,
            zero_rounds=scores.count(0),
            forfeit=who in forfeit,
            guest=who in guests,
        )
        for who, (place, scores) in lines.items()
    )
    mine = lines.get(about, (0, []))[1]
    return Played(
        result=SeasonGame(key=key, night=night, entries=entries, void=void),
        measure=measure,
        rounds=max(len(scores) for _place, scores in lines.values()) if rounds is None else rounds,
        season=1,
        scores=tuple(
            Score(number, measure.max_pip + 1 - number, score, score == 0)
            for number, score in enumerate(mine, start=1)
        ),
    )


# Night 2 has two games, of night 5 nothing counts, on night 6 another set is played.
SPRING = (
    game(1, 1, {ANN: (1, [0, 10, 30]), BEN: (3, [20, 0, 45]), CHO: (2, [31, 12, 0])}),
    game(2, 2, {ANN: (1, [8, 0, 0]), BEN: (2, [30, 5, 20])}),
    game(3, 2, {ANN: (2, [12, 50, 9]), BEN: (2, [40, 30, 1]), CHO: (1, [0, 0, 0])}),
    game(4, 3, {ANN: (2, [0, 25]), BEN: (1, [14, 0])}),
    game(5, 4, {BEN: (2, [10, 20, 30]), CHO: (1, [5, 0, 1])}),
    game(6, 5, {ANN: (1, [0, 3]), BEN: (2, [50, 60])}, void=True),
    game(7, 6, {ANN: (1, [0, 5]), CHO: (2, [9, 0])}, measure=NINE),
)
EVENINGS = (1, 2, 3, 4, 6)


def test_ann_s_spring() -> None:
    ann = person(ANN, SPRING, EVENINGS)

    assert (ann.games, ann.nights, ann.forfeits, ann.wins) == (5, 4, 0, 3)
    assert ann.places == ((1, 3), (2, 2))
    assert ann.beaten == Fraction(13, 20)  # all, all, half of one of two, nobody, all
    assert (ann.rounds, ann.out) == (13, 5)
    assert ann.won == Run(2, 1, 2, now=1)
    assert ann.went_out == Run(2, (2, 2), (2, 3), now=0)
    assert ann.attended == Run(3, 1, 3, now=1)
    twelve, nine = ann.figures
    assert (twelve.measure, twelve.games, twelve.average) == (TWELVE, 4, Fraction(144, 11))
    assert (nine.measure, nine.games, nine.average) == (NINE, 1, Fraction(5, 2))
    assert twelve.engines == (
        EngineAverage(12, 4, 20, out=2),
        EngineAverage(11, 4, 85, out=1),
        EngineAverage(10, 3, 39, out=1),
    )
    assert twelve.engines[1].each == Fraction(85, 4)
    assert twelve.lengths == (Length(3, 3, 119, 8, (2,), 71, (3,)), Length(2, 1, 25, 25, (4,), 25, (4,)))
    assert twelve.best_round == Mark(8, ((2, 12),))
    assert twelve.worst_round == Mark(50, ((3, 11),))
    assert twelve.course == (
        Step(1, 3, 40, Fraction(40, 3)),
        Step(2, 3, 8, Fraction(8)),
        Step(3, 3, 71, Fraction(119, 9)),
        Step(4, 2, 25, Fraction(144, 11)),
    )


def test_ann_against_ben_and_cho() -> None:
    ben, cho = head_to_head(SPRING, ANN, BEN), head_to_head(SPRING, ANN, CHO)

    assert [(one.game.key, one.ahead, one.by) for one in ben.met] == [
        (1, 1, 25),
        (2, 1, 47),
        (3, 0, 0),
        (4, -1, -11),
    ]
    assert (ben.better, ben.worse, ben.level) == (2, 1, 1)
    assert [(one.measure, one.games, one.points) for one in ben.differences] == [(TWELVE, 4, 61)]
    assert (cho.better, cho.worse, cho.level) == (2, 1, 0)
    assert [(one.measure, one.games, one.points) for one in cho.differences] == [
        (TWELVE, 2, 3 - 71),
        (NINE, 1, 4),
    ]


def test_the_records_of_the_spring() -> None:
    high = [HighRound(6, BEN, 2, 11, 60), HighRound(3, ANN, 2, 11, 50)]  # game 6 is void
    found = club_records(SPRING, measure=TWELVE, evenings=EVENINGS, rounds=high)

    assert found == (
        ClubRecord("best_total", 0, (Holder(CHO, (3,)),), 3),
        ClubRecord("best_total", 14, (Holder(BEN, (4,)),), 2),
        ClubRecord("worst_total", 71, (Holder(ANN, (3,)), Holder(BEN, (3,))), 3),
        ClubRecord("worst_total", 25, (Holder(ANN, (4,)),), 2),
        ClubRecord("best_average", Fraction(49, 9), (Holder(CHO, season=1),)),
        ClubRecord("high_round", 50, (Holder(ANN, (3,), engine=11),)),
        ClubRecord("most_out", 3, (Holder(CHO, (3,)),)),
        ClubRecord("wins_in_row", 2, (Holder(ANN, (1, 2)), Holder(CHO, (3, 5)))),
        ClubRecord("wins", 3, (Holder(ANN),)),
        ClubRecord("nights", 4, (Holder(ANN), Holder(BEN), Holder(CHO))),
        ClubRecord("nights_in_row", 4, (Holder(BEN, nights=(1, 4)),)),
    )
    assert club_records((), measure=TWELVE) == ()


def test_who_has_played_nothing_has_no_figures() -> None:
    nobody = person(9, SPRING, EVENINGS)

    assert (nobody.games, nobody.places, nobody.beaten, nobody.figures) == (0, (), None, ())
    assert (nobody.won, nobody.attended) == (Run(), Run())
    assert head_to_head(SPRING, ANN, 9).met == ()


def test_a_forfeit_ends_a_row_of_wins_and_is_no_game() -> None:
    """Ben, whose opponent forfeits, is first although the sheet says second."""
    lost = game(8, 7, {ANN: (1, [0, 1]), BEN: (2, [30, 0]), CHO: (3, [5, 40])}, forfeit=(ANN,))
    ann, ben = person(ANN, (*SPRING, lost), (*EVENINGS, 7)), person(BEN, [lost], [7])

    assert (ann.games, ann.nights, ann.forfeits, ann.rounds) == (5, 4, 1, 13)
    assert (ann.won.now, ann.attended.now) == (0, 0)
    assert (ben.places, ben.beaten) == (((1, 1),), Fraction(1))
    met = head_to_head([lost], ANN, BEN).met[0]
    assert (met.ahead, met.by) == (-1, None)
    codes = {one.code: one for one in club_records([lost], measure=TWELVE, evenings=[7])}
    assert codes["best_total"].holders == (Holder(BEN, (8,)),)
    assert codes["wins"].holders == (Holder(BEN),)
    assert codes["nights"].holders == (Holder(BEN), Holder(CHO))


def test_a_guest_is_an_opponent_and_holds_nothing() -> None:
    visited = game(1, 1, {ANN: (2, [20, 0]), -2: (1, [0, 9]), BEN: (3, [40, 1])}, guests=(-2,))

    ann = person(ANN, [visited], [1])
    assert (ann.places, ann.beaten) == (((2, 1),), Fraction(1, 2))
    held = {one.code: one.holders for one in club_records([visited], measure=TWELVE, evenings=[1])}
    assert held["best_total"] == (Holder(ANN, (1,)),)
    assert "wins" not in held


def test_who_once_came_as_a_guest_has_no_figures_of_that_night() -> None:
    visited = game(1, 1, {ANN: (1, [0, 9]), BEN: (2, [40, 1])}, guests=(ANN,))

    assert person(ANN, [visited], [1]).games == 0
    assert head_to_head([visited], ANN, BEN).met == ()


def test_a_season_s_average_needs_half_of_its_nights() -> None:
    """Ann's one night of 1 a round is no record; Ben's 10 on three of five is."""
    games = [game(at, at, {BEN: (1, [10]), CHO: (2, [20])}) for at in (1, 2, 3)]
    games += [game(4, 4, {ANN: (1, [1]), CHO: (2, [20])}), game(5, 5, {CHO: (1, [20]), DAN: (2, [30])})]
    found = {one.code: one for one in club_records(games, measure=TWELVE)}

    assert found["best_average"] == ClubRecord("best_average", Fraction(10), (Holder(BEN, season=1),))
    few = {one.code for one in club_records(games[:2], measure=TWELVE)}
    assert "best_average" not in few


def test_a_part_of_a_game_counts_by_its_rounds_and_not_by_its_total() -> None:
    """Ann comes in the second round with Ben's 40 points: 12 more make 52, which is nobody's best."""
    late = game(1, 1, {ANN: (2, [12]), BEN: (1, [40, 0])}, rounds=2)
    line = replace(late.result.entries[0], points=52)
    late = replace(late, result=replace(late.result, entries=(line, late.result.entries[1])))
    ann = person(ANN, [late], [1])

    assert (ann.games, ann.places) == (1, ((2, 1),))
    assert (ann.figures[0].average, ann.figures[0].lengths) == (Fraction(12), ())
    assert head_to_head([late], ANN, BEN).met[0].by is None
    assert {one.code: one.value for one in club_records([late], measure=TWELVE)}["worst_total"] == 40


def test_where_most_points_win_high_is_good() -> None:
    high = Measure(scoring="positive")
    games = [
        game(1, 1, {ANN: (1, [90, 0]), BEN: (2, [0, 60])}, measure=high),
        game(2, 2, {ANN: (2, [0, 10]), BEN: (1, [70, 0])}, measure=high),
    ]
    figures = person(ANN, games, (1, 2)).figures[0]

    assert figures.lengths == (Length(2, 2, 100, 90, (1,), 10, (2,)),)
    assert (figures.best_round, figures.worst_round) == (Mark(90, ((1, 12),)), None)
    assert [one.by for one in head_to_head(games, ANN, BEN).met] == [30, -60]
    found = {one.code: (one.value, one.holders[0].person) for one in club_records(games, measure=high)}
    assert found["best_total"] == (90, ANN)
    assert found["worst_total"] == (10, ANN)


@pytest.mark.parametrize(
    "other", [{"max_pip": 15}, {"scoring": "positive"}, {"left_counts": "tiles"}, {"out_bonus": 10}]
)
def test_points_of_other_rules_are_not_held_against_each_other(other: dict[str, Any]) -> None:
    assert measure_of(rule_set()) == measure_of(rule_set("tournament", starter="chosen")) == TWELVE
    games = [
        game(1, 1, {ANN: (1, [5]), BEN: (2, [9])}),
        game(2, 2, {ANN: (1, [7]), BEN: (2, [9])}, measure=measure_of(rule_set(**other))),
    ]
    ann = person(ANN, games, (1, 2))

    assert (ann.wins, len(ann.figures)) == (2, 2)
    against = {one.measure: one.points for one in head_to_head(games, ANN, BEN).differences}
    assert against == {TWELVE: 4, games[1].measure: -2 if games[1].measure.high_wins else 2}


@st.composite
def seasons(draw: st.DrawFn) -> list[Played]:
    """Up to six games of some of four people; equal totals share a place."""
    games = []
    for key in range(1, draw(st.integers(1, 6)) + 1):
        sitting = draw(st.lists(st.sampled_from((1, 2, 3, 4)), min_size=2, max_size=4, unique=True))
        rounds = draw(st.integers(1, 3))
        hands = {who: draw(st.lists(st.integers(0, 3), min_size=rounds, max_size=rounds)) for who in sitting}
        lines = {
            who: (1 + sum(sum(other) < sum(mine) for other in hands.values()), mine)
            for who, mine in hands.items()
        }
        games.append(
            game(
                key,
                draw(st.integers(1, 4)),
                lines,
                measure=draw(st.sampled_from((TWELVE, NINE))),
                void=draw(st.sampled_from((False, False, False, True))),
                forfeit=tuple(draw(st.sets(st.sampled_from(sitting), max_size=1))),
            )
        )
    return games


def nights(games: list[Played]) -> list[int]:
    return sorted({one.result.night for one in games if not one.result.void})


@settings(max_examples=30, deadline=None)
@given(games=seasons(), seed=st.integers(0, 99))
def test_the_order_of_the_games_does_not_matter_and_parts_add_up(games: list[Played], seed: int) -> None:
    shuffled = Random(seed).sample(games, len(games))
    ann: Person = person(ANN, games, nights(games))

    assert person(ANN, shuffled, nights(games)) == ann
    assert club_records(shuffled, measure=TWELVE) == club_records(games, measure=TWELVE)
    assert sum(number for _place, number in ann.places) == ann.games
    assert sum(one.games for one in ann.figures) == ann.games
    for figures in ann.figures:
        total = sum(one.points for one in figures.engines)
        assert total == sum(one.points for one in figures.course)
        assert figures.average == Fraction(total, sum(one.rounds for one in figures.engines))
    assert max(ann.won.longest, ann.won.now) <= ann.wins
    assert max(ann.went_out.longest, ann.went_out.now) <= ann.out


@settings(max_examples=30, deadline=None)
@given(games=seasons())
def test_what_one_has_against_the_other_the_other_lacks(games: list[Played]) -> None:
    one, other = head_to_head(games, ANN, BEN), head_to_head(games, BEN, ANN)

    assert (one.better, one.worse, one.level) == (other.worse, other.better, other.level)
    assert [met.ahead for met in one.met] == [-met.ahead for met in other.met]
    assert [met.by for met in one.met] == [None if met.by is None else -met.by for met in other.met]
    assert [(d.measure, d.games, d.points) for d in one.differences] == [
        (d.measure, d.games, -d.points) for d in other.differences
    ]
