"""Season tables worked by hand, scheme by scheme, and what must hold of every season."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.nights import Entry, Member, SeasonGame, beaten_share
from games.engine.scheme import MEASURES, Scheme, check_scheme
from games.engine.season import SeasonRow, compare_rows, season_table, shifts

ANN, BEN, CHO, DEE, EVE = range(1, 6)
EVERYBODY = [Member(person) for person in (ANN, BEN, CHO, DEE)]


def game(
    night: int, totals: dict[int, int], *, key: int | None = None, rounds: int = 13, **more: object
) -> SeasonGame:
    """A game with the lowest total first; places are made from the totals."""
    entries = tuple(
        Entry(
            person=person,
            points=points,
            rounds=rounds,
            place=1 + sum(other < points for other in totals.values()),
        )
        for person, points in totals.items()
    )
    return SeasonGame(key=night if key is None else key, night=night, entries=entries, **more)  # type: ignore[arg-type]


def table(
    games: list[SeasonGame], scheme: Scheme, members: list[Member] = EVERYBODY
) -> list[tuple[int, int | None, str | None]]:
    rows = season_table(games, members=members, scheme=scheme)
    return [(row.person, row.place, None if row.value is None else str(row.value)) for row in rows]


# Ann misses the second night, Dee the first and the third.
THREE = [
    game(1, {ANN: 300, BEN: 250, CHO: 410}),
    game(2, {BEN: 200, CHO: 320, DEE: 210}),
    game(3, {ANN: 100, BEN: 180, CHO: 90}, rounds=5),
]


@pytest.mark.parametrize(
    ("scheme", "expected"),
    [
        (Scheme(), [(DEE, 1, "210"), (ANN, 2, "400"), (BEN, 3, "630"), (CHO, 4, "820")]),
        (
            Scheme(measure="per_game"),
            [(ANN, 1, "200"), (BEN, 2, "210"), (DEE, 2, "210"), (CHO, 4, "820/3")],
        ),
        (
            Scheme(measure="per_game", least_nights=2),
            [(ANN, 1, "200"), (BEN, 2, "210"), (CHO, 3, "820/3"), (DEE, None, "210")],
        ),
        (
            Scheme(measure="per_round"),
            [(DEE, 1, "210/13"), (BEN, 2, "630/31"), (ANN, 3, "200/9"), (CHO, 4, "820/31")],
        ),
        (
            Scheme(measure="placement"),
            [(BEN, 1, "2"), (ANN, 2, "1"), (CHO, 2, "1"), (DEE, 4, "1/2")],
        ),
        (
            Scheme(measure="placement_average"),
            [(BEN, 1, "2/3"), (ANN, 2, "1/2"), (DEE, 2, "1/2"), (CHO, 4, "1/3")],
        ),
        (
            Scheme(measure="placement", places=(10, 7, 5, 1)),
            [(BEN, 1, "25"), (CHO, 2, "20"), (ANN, 3, "14"), (DEE, 4, "7")],
        ),
        (Scheme(best=1), [(CHO, 1, "90"), (ANN, 2, "100"), (BEN, 3, "180"), (DEE, 4, "210")]),
        (
            Scheme(absence="own_average"),
            [(ANN, 1, "600"), (BEN, 2, "630"), (DEE, 2, "630"), (CHO, 4, "820")],
        ),
        (
            Scheme(absence="worst_plus_one"),
            [(BEN, 1, "630"), (ANN, 2, "721"), (DEE, 3, "802"), (CHO, 4, "820")],
        ),
        (
            Scheme(absence="worst_plus_one", best=2),
            [(BEN, 1, "380"), (DEE, 2, "391"), (ANN, 3, "400"), (CHO, 4, "410")],
        ),
    ],
)
def test_a_table_worked_by_hand(scheme: Scheme, expected: list[tuple[int, int | None, str | None]]) -> None:
    assert table(THREE, replace(scheme, tiebreaks=())) == expected


def test_where_most_points_win_the_highest_sum_is_first_and_an_absence_costs_one_less_than_the_least() -> (
    None
):
    games = [game(1, {ANN: 30, BEN: 50}), game(2, {ANN: 40, CHO: 10})]
    scheme = Scheme(high_wins=True, absence="worst_plus_one", tiebreaks=())
    members = [Member(ANN), Member(BEN), Member(CHO)]
    assert table(games, scheme, members) == [(ANN, 1, "70"), (BEN, 2, "59"), (CHO, 3, "39")]


def test_tables_of_different_size_are_comparable_by_the_share_of_opponents_beaten() -> None:
    eight = game(1, {person: 100 * person for person in range(1, 9)})
    assert [beaten_share(entry, eight.entries) for entry in eight.entries] == [
        Fraction(7 - at, 7) for at in range(8)
    ]


def test_a_guest_plays_and_counts_for_nobody() -> None:
    played = game(1, {ANN: 10, EVE: 20, BEN: 30, CHO: 40})
    entries = tuple(replace(entry, guest=entry.person == EVE) for entry in played.entries)
    games = [replace(played, entries=entries)]
    members = [*EVERYBODY, Member(EVE)]
    scheme = Scheme(measure="placement", tiebreaks=())
    assert table(games, scheme, members)[:3] == [(ANN, 1, "1"), (BEN, 2, "1/2"), (CHO, 3, "0")]
    assert (EVE, None, None) in table(games, scheme, members)
    held = table(games, replace(scheme, guests_hold_places=True), members)
    assert held[:3] == [(ANN, 1, "1"), (BEN, 2, "1/3"), (CHO, 3, "0")]


def test_a_void_night_is_kept_and_counts_for_nobody() -> None:
    games = [*THREE[:2], replace(THREE[2], void=True)]
    rows = season_table(games, members=EVERYBODY, scheme=Scheme(absence="worst_plus_one"))
    values = [(row.person, int(row.value or 0)) for row in rows]
    assert values == [(BEN, 450), (ANN, 621), (DEE, 621), (CHO, 730)]
    assert all(row.results[-1].kind == "void" and not row.results[-1].counted for row in rows)


def test_a_late_joiner_owes_the_nights_before_only_where_the_scheme_says_so() -> None:
    members = [*EVERYBODY[:3], Member(DEE, joined=2)]
    scheme = Scheme(absence="worst_plus_one", tiebreaks=())
    assert (DEE, 1, "391") in table(THREE, scheme, members)  # 210, and 181 for the third night
    assert (DEE, 3, "802") in table(THREE, replace(scheme, late="as_absent"), members)


def test_who_left_owes_nothing_afterwards() -> None:
    members = [*EVERYBODY[:3], Member(DEE, left=2)]
    rows = season_table(THREE, members=members, scheme=Scheme(absence="worst_plus_one"))
    assert next(row.value for row in rows if row.person == DEE) == 210 + 411


def test_a_forfeit_is_one_worse_than_the_worst_and_beats_nobody() -> None:
    played = game(1, {ANN: 10, BEN: 30, CHO: 0})
    entries = tuple(replace(entry, forfeit=entry.person == CHO) for entry in played.entries)
    games = [replace(played, entries=entries)]
    members = EVERYBODY[:3]
    assert table(games, Scheme(tiebreaks=()), members) == [(ANN, 1, "10"), (BEN, 2, "30"), (CHO, 3, "31")]
    by_place = Scheme(measure="placement", places=(3, 2, 1), tiebreaks=())
    assert table(games, by_place, members) == [(ANN, 1, "3"), (BEN, 2, "2"), (CHO, 3, "0")]
    rows = season_table(games, members=members, scheme=Scheme(least_nights=1))
    assert [(row.person, row.place, row.nights) for row in rows][-1] == (CHO, None, 0)


def test_a_dropped_night_is_marked_and_the_kept_ones_are_the_best() -> None:
    rows = season_table(THREE, members=EVERYBODY, scheme=Scheme(best=2))
    ben = next(row for row in rows if row.person == BEN)
    assert [(one.night, one.counted) for one in ben.results] == [(1, False), (2, True), (3, True)]


def test_a_club_with_a_tie_for_fourth() -> None:
    games = [game(1, dict(zip(range(1, 6), (840, 838, 826, 823, 823), strict=True)))]
    members = [Member(person) for person in range(1, 6)]
    rows = season_table(games, members=members, scheme=Scheme(high_wins=True, tiebreaks=("nights",)))
    assert [row.place for row in rows] == [1, 2, 3, 4, 4]
    assert compare_rows(rows[3], rows[4]).code == "shared"


LEVEL = [
    game(1, {ANN: 100, BEN: 120, CHO: 140}),
    game(2, {ANN: 140, BEN: 120, CHO: 100}),
]


def _with(games: list[SeasonGame], person: int, **what: int) -> list[SeasonGame]:
    """The first game with something else noted of one person."""
    entries = tuple(
        replace(entry, **what) if entry.person == person else entry  # type: ignore[arg-type]
        for entry in games[0].entries
    )
    return [replace(games[0], entries=entries), *games[1:]]


@pytest.mark.parametrize(
    ("code", "games", "order"),
    [
        ("zero_rounds", _with(LEVEL, CHO, zero_rounds=3), [CHO, ANN, BEN]),
        ("lowest_nonzero", _with(LEVEL, BEN, lowest_nonzero=4), [BEN, ANN, CHO]),
        ("wins", LEVEL, [ANN, CHO, BEN]),
        ("best_night", LEVEL, [ANN, CHO, BEN]),
        ("nights", [*LEVEL, game(3, {BEN: 0, DEE: 9})], [BEN, ANN, CHO]),
    ],
)
def test_a_tie_break_parts_those_who_are_level(code: str, games: list[SeasonGame], order: list[int]) -> None:
    members = [Member(ANN), Member(BEN), Member(CHO)]
    rows = season_table(games, members=members, scheme=Scheme(tiebreaks=(code,)))
    assert [row.value for row in rows] == [240, 240, 240]
    assert [row.person for row in rows] == order
    assert rows[0].place == 1
    assert code in {row.decided_by for row in rows}


def test_head_to_head_looks_at_the_games_of_those_still_level_only() -> None:
    games = [game(1, {ANN: 10, BEN: 20}), game(2, {ANN: 30, CHO: 5}), game(3, {BEN: 20, DEE: 90})]
    members = [Member(ANN), Member(BEN)]
    rows = season_table(games, members=members, scheme=Scheme(tiebreaks=("head_to_head",)))
    assert [(row.person, row.place, row.decided_by) for row in rows] == [
        (ANN, 1, None),
        (BEN, 2, "head_to_head"),
    ]
    assert compare_rows(*rows).criteria == (("value", 40, 40), ("head_to_head", 1, 0))


def test_head_to_head_in_a_circle_parts_nobody_and_the_next_tie_break_does() -> None:
    games = [
        game(1, {ANN: 10, BEN: 20}),
        game(2, {BEN: 10, CHO: 20}),
        game(3, {CHO: 10, ANN: 20}),
    ]
    members = [Member(ANN), Member(BEN), Member(CHO)]
    scheme = Scheme(tiebreaks=("head_to_head", "zero_rounds"))
    rows = season_table(_with(games, BEN, zero_rounds=1), members=members, scheme=scheme)
    assert [(row.person, row.place) for row in rows] == [(BEN, 1), (ANN, 2), (CHO, 2)]


def test_who_never_met_all_the_others_is_not_judged_by_head_to_head() -> None:
    games = [game(1, {ANN: 10, BEN: 20}), game(2, {ANN: 20, DEE: 10}), game(3, {BEN: 10}), game(4, {CHO: 30})]
    members = [Member(ANN), Member(BEN), Member(CHO)]
    rows = season_table(games, members=members, scheme=Scheme(tiebreaks=("head_to_head",)))
    assert [row.place for row in rows] == [1, 1, 1]


def test_places_that_hang_on_a_result_are_told() -> None:
    other_way = [THREE[0], THREE[1], game(3, {ANN: 400, BEN: 180, CHO: 90})]
    scheme = Scheme()
    now = season_table(THREE, members=EVERYBODY, scheme=scheme)
    then = season_table(other_way, members=EVERYBODY, scheme=scheme)
    assert [(one.person, one.place, one.other) for one in shifts(now, then)] == [(ANN, 2, 3), (BEN, 3, 2)]


def test_a_scheme_that_cannot_be_is_told_field_by_field() -> None:
    wrong = Scheme(
        measure="luck",  # type: ignore[arg-type]
        best=0,
        least_nights=-1,
        places=(1, 2),
        tiebreaks=("wins", "wins", "age"),
    )
    assert {(one.field, one.code) for one in check_scheme(wrong)} == {
        ("measure", "scheme_choice"),
        ("best", "scheme_number"),
        ("least_nights", "scheme_number"),
        ("places", "scheme_places"),
        ("tiebreaks", "scheme_choice"),
        ("tiebreaks", "scheme_twice"),
    }
    assert not check_scheme(Scheme(measure="placement", places=(10, 7, 5)))


# What must hold of every season


@st.composite
def seasons(draw: st.DrawFn) -> list[SeasonGame]:
    games = []
    for key in range(draw(st.integers(1, 6))):
        some = draw(st.lists(st.integers(1, 5), min_size=2, max_size=5, unique=True))
        totals = {person: draw(st.integers(0, 4)) * 10 for person in some}
        played = game(draw(st.integers(1, 4)), totals, key=key, rounds=draw(st.integers(1, 3)))
        entries = tuple(
            replace(entry, zero_rounds=draw(st.integers(0, 1)), forfeit=draw(st.integers(0, 9)) == 0)
            for entry in played.entries
        )
        games.append(replace(played, entries=entries, void=draw(st.integers(0, 5)) == 0))
    return games


ALL = [Member(person) for person in range(1, 6)]
schemes = st.builds(
    Scheme,
    measure=st.sampled_from(MEASURES),
    places=st.sampled_from([None, (5, 3, 1)]),
    high_wins=st.booleans(),
    best=st.sampled_from([None, 1, 2]),
    least_nights=st.integers(0, 2),
    absence=st.sampled_from(["blank", "own_average", "worst_plus_one"]),
    tiebreaks=st.permutations(
        ["head_to_head", "wins", "zero_rounds", "lowest_nonzero", "beaten", "points", "best_night", "nights"]
    ).map(lambda codes: tuple(codes[:3])),
)


def _plain(rows: tuple[SeasonRow, ...]) -> list[tuple[int, int | None, Fraction | None]]:
    return [(row.person, row.place, row.value) for row in rows]


@given(seasons(), schemes, st.randoms(use_true_random=False))
def test_the_order_of_the_games_does_not_matter(
    games: list[SeasonGame], scheme: Scheme, chance: object
) -> None:
    shuffled = list(games)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    assert season_table(games, members=ALL, scheme=scheme) == season_table(
        shuffled, members=ALL, scheme=scheme
    )


@given(seasons(), schemes)
def test_everybody_is_in_the_table_once_and_places_agree_with_the_comparison(
    games: list[SeasonGame], scheme: Scheme
) -> None:
    rows = season_table(games, members=ALL, scheme=scheme)
    assert sorted(row.person for row in rows) == [1, 2, 3, 4, 5]
    placed = [row for row in rows if row.place is not None]
    assert list(rows[: len(placed)]) == placed
    for at, row in enumerate(placed):
        assert row.place is not None
        assert row.place <= at + 1
        for other in placed[:at]:
            same = other.place == row.place
            assert (compare_rows(other, row).code == "shared") == same


@given(
    seasons(),
    st.sampled_from(["points", "per_game", "per_round", "placement", "placement_average"]),
    st.sampled_from(["blank", "own_average"]),
)
def test_a_game_between_others_swaps_nobody(games: list[SeasonGame], measure: str, absence: str) -> None:
    scheme = Scheme(
        measure=measure,  # type: ignore[arg-type]
        absence=absence if measure in {"per_game", "per_round", "placement_average"} else "blank",  # type: ignore[arg-type]
        tiebreaks=("zero_rounds", "wins", "nights"),
    )
    between_others = game(4, {CHO: 20, DEE: 30, EVE: 0}, key=99)
    before = season_table(games, members=ALL, scheme=scheme)
    after = season_table([*games, between_others], members=ALL, scheme=scheme)
    order = [[row.person for row in rows if row.person in {ANN, BEN}] for rows in (before, after)]
    assert order[0] == order[1]


@given(seasons(), schemes)
def test_numbering_people_otherwise_changes_nothing_but_the_order_of_equals(
    games: list[SeasonGame], scheme: Scheme
) -> None:
    other = dict(zip(range(1, 6), (3, 5, 1, 2, 4), strict=True))
    renamed = [
        replace(one, entries=tuple(replace(entry, person=other[entry.person]) for entry in one.entries))
        for one in games
    ]
    places = {row.person: (row.place, row.value) for row in season_table(games, members=ALL, scheme=scheme)}
    again = {row.person: (row.place, row.value) for row in season_table(renamed, members=ALL, scheme=scheme)}
    assert {other[person]: what for person, what in places.items()} == again


def test_three_games_in_any_order_make_the_same_table() -> None:
    tables = {season_table(order, members=EVERYBODY, scheme=Scheme()) for order in permutations(THREE)}
    assert len(tables) == 1
