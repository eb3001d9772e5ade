"""A season's rows in words: the figures, what decided, and how many digits a value needs."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from games.engine.nights import Entry, Member, SeasonGame
from games.engine.scheme import TIEBREAKS, Scheme
from games.engine.season import Shift, season_table
from games.season_words import digits_for, scheme_line, scheme_words, shift_words, shown, tiebreak_name, why

NAMES = {1: "Chitra", 2: "Margaret-Rose", 3: "Ben", 4: "Siobhán"}
DATES = {1: "4 March", 2: "11 March", 3: "18 March"}


def game(
    night: int, totals: dict[int, int], rounds: int = 10, zeros: dict[int, int] | None = None
) -> SeasonGame:
    return SeasonGame(
        key=night,
        night=night,
        entries=tuple(
            Entry(
                person=person,
                points=points,
                rounds=rounds,
                place=1 + sum(other < points for other in totals.values()),
                zero_rounds=(zeros or {}).get(person, 0),
            )
            for person, points in totals.items()
        ),
    )


def said(person: int, games: list[SeasonGame], scheme: Scheme, members: int = 3) -> list[str]:
    rows = season_table(games, members=[Member(at) for at in range(1, members + 1)], scheme=scheme)
    row = next(row for row in rows if row.person == person)
    return why(row, rows, names=NAMES, dates=DATES, scheme=scheme)


def test_why_somebody_is_third_says_the_average_the_tie_break_and_the_void_night() -> None:
    games = [
        replace(game(1, {1: 100, 2: 100, 3: 100}), void=True),
        game(2, {1: 380, 2: 416, 3: 416}, zeros={2: 3, 3: 2}),
    ]
    assert said(2, games, Scheme(measure="per_round")) == [
        "416 points in 10 rounds: an average of 41.6.",
        "Ahead: Chitra with 38.0.",
        "Ben has 41.6 too. Decided by rounds out: Margaret-Rose 3, Ben 2.",
        "The night of 4 March is void and counts for nobody.",
    ]


def test_dropped_and_missed_nights_are_named_with_what_they_count() -> None:
    games = [game(1, {1: 300, 2: 200}), game(2, {1: 100, 2: 220}), game(3, {1: 120, 2: 90, 3: 80})]
    assert said(1, games, Scheme(best=2))[-1] == "Dropped: the night of 4 March (300)."
    assert said(3, games, Scheme(absence="worst_plus_one"))[-1] == (
        "Missed: the nights of 4 March and 11 March, counted as 301, 221."
    )
    assert said(3, games, Scheme())[-1] == "Missed: the nights of 4 March and 11 March; they count nothing."


def test_who_has_too_few_nights_is_told_how_many_a_place_needs() -> None:
    games = [game(1, {1: 300, 2: 200}), game(2, {1: 100, 2: 220, 3: 20})]
    assert "Ben has 1 of the 2 nights that a place needs." in said(3, games, Scheme(least_nights=2))


def test_a_shared_place_is_said_to_be_shared() -> None:
    games = [game(1, {1: 10, 2: 20, 3: 20})]
    assert said(2, games, Scheme())[1:] == [
        "Ahead: Chitra with 10.",
        "Ben is level in everything that counts, and shares 2nd.",
    ]


def test_where_the_figure_parts_two_it_is_told_of_both_neighbours() -> None:
    games = [game(1, {1: 10, 2: 20, 3: 30})]
    assert said(1, games, Scheme())[1:] == ["Behind: Margaret-Rose with 20."]
    assert said(2, games, Scheme())[1:] == ["Ahead: Chitra with 10. Behind: Ben with 30."]


def test_the_line_over_a_table_names_the_nights_that_count() -> None:
    assert scheme_line(Scheme(best=8, least_nights=4)) == (
        "Lowest sum of points, the 8 best nights, at least 4 nights."
    )


@pytest.mark.parametrize(
    ("values", "measure", "digits"),
    [
        ([Fraction(400), Fraction(630)], "points", 0),
        ([Fraction(41), Fraction(38)], "per_round", 1),
        ([Fraction(4161, 100), Fraction(4164, 100)], "per_round", 2),
        ([Fraction(1, 3), Fraction(1, 3)], "placement_average", 1),
        ([Fraction(1, 3), Fraction(333_333, 1_000_000)], "per_round", 4),
    ],
)
def test_a_value_gets_the_digits_that_tell_it_from_the_others(
    values: list[Fraction], measure: str, digits: int
) -> None:
    assert digits_for(values, Scheme(measure=measure)) == digits  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (Fraction(820, 3), 1, "273.3"),
        (Fraction(1, 2), 0, "1"),
        (Fraction(-1, 2), 0, "−1"),
        (Fraction(-1, 3), 0, "0"),
        (Fraction(4992), 0, "4,992"),
        (Fraction(1, 20), 1, "0.1"),
        (None, 1, "–"),
    ],
)
def test_a_value_is_rounded_half_away_from_zero(value: Fraction | None, digits: int, text: str) -> None:
    assert shown(value, digits) == text


def test_a_scheme_is_told_in_one_line_and_in_full() -> None:
    scheme = Scheme(measure="per_round", least_nights=8, tiebreaks=("zero_rounds", "head_to_head"))
    assert scheme_line(scheme) == "Lowest average a round, at least 8 nights."
    assert (
        "Who is level is parted by, in this order: rounds out; games against each other. "
        "Who is level in all shares the place."
    ) in scheme_words(scheme)


def test_with_the_best_nights_alone_it_is_said_that_tie_breaks_look_at_all_of_them() -> None:
    told = "What parts them looks at every night somebody played, the dropped ones too."
    assert told in scheme_words(Scheme(best=1))
    assert told not in scheme_words(Scheme())
    assert told not in scheme_words(Scheme(best=1, tiebreaks=()))
    games = [game(1, {1: 100, 2: 100}), game(2, {1: 300, 2: 300}, zeros={2: 1})]
    why = said(2, games, Scheme(best=1))
    assert "Chitra has 100 too. Decided by rounds out: Margaret-Rose 1, Chitra 0." in why
    assert "Dropped: the night of 11 March (300)." in why


def test_every_tie_break_has_a_name() -> None:
    assert not [code for code in TIEBREAKS if tiebreak_name(code) == code]


def test_how_places_would_fall_names_everybody_who_moves() -> None:
    assert shift_words((Shift(2, 3, 4), Shift(3, 4, 3)), NAMES) == "Ben is 3rd, Margaret-Rose 4th"


def test_where_many_would_move_those_are_named_who_move_farthest() -> None:
    names = {person: f"P{person}" for person in range(1, 9)}
    one_up = [Shift(person, person, person - 1) for person in range(3, 9)]
    said = shift_words([Shift(2, 2, 8), *one_up], names, 2)
    assert said == "P3 is 2nd, P2 8th, 5 more move"
    assert shift_words([Shift(2, None, 27)], names) == "P2 is in place 27"
