"""The season's table against a second, naive one, and the cases in which the first one was wrong."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from games.engine.nights import Entry, Member, SeasonGame
from games.engine.scheme import MEASURES, TIEBREAKS, Scheme
from games.engine.season import season_table
from tests.engine.naive_season import naive_table

ANN, BEN, CHO, DEE = range(1, 5)


def game(night: int, *entries: Entry, key: int = 0, **more: bool) -> SeasonGame:
    return SeasonGame(key=key or night, night=night, entries=entries, **more)


def played(person: int, points: int, place: int, **more: object) -> Entry:
    return Entry(**{"person": person, "points": points, "place": place, "rounds": 13, **more})  # type: ignore[arg-type]


def values(games: list[SeasonGame], scheme: Scheme, *people: int) -> dict[int, Fraction | None]:
    rows = season_table(games, members=[Member(one) for one in people], scheme=scheme)
    return {row.person: row.value for row in rows}


def test_points_for_places_are_added_up_game_by_game() -> None:
    twice = [
        game(1, played(ANN, 10, 1), played(BEN, 20, 2)),
        game(1, played(ANN, 10, 1), played(BEN, 20, 2), key=2),
    ]
    assert values(twice, Scheme(measure="placement", places=(10, 7)), ANN, BEN) == {ANN: 20, BEN: 14}
    average = Scheme(measure="placement_average", places=(10, 7))
    assert values(twice, average, ANN, BEN) == {ANN: 10, BEN: 7}


def test_two_who_forfeit_have_not_half_beaten_each_other() -> None:
    some = [
        game(
            1,
            played(ANN, 10, 1),
            played(BEN, 20, 2),
            played(CHO, 30, 3, forfeit=True),
            played(DEE, 40, 4, forfeit=True),
        )
    ]
    found = values(some, Scheme(measure="placement"), ANN, BEN, CHO, DEE)
    assert found == {ANN: 1, BEN: Fraction(2, 3), CHO: 0, DEE: 0}


def test_who_forfeits_is_behind_the_worst_average_too() -> None:
    short = played(ANN, 60, 1, rounds=2)  # joined late: 30 a round, while Ben has 10
    some = [game(1, short, played(BEN, 130, 2), played(CHO, 0, 3, forfeit=True))]
    assert values(some, Scheme(measure="per_round"), ANN, BEN, CHO)[CHO] == Fraction(61, 2)


def test_a_night_missed_is_worse_than_the_worst_evening_of_two_games() -> None:
    some = [
        game(1, played(ANN, 100, 1), played(BEN, 200, 2)),
        game(1, played(ANN, 100, 1), played(BEN, 300, 2), key=2),
        game(2, played(ANN, 50, 1), played(CHO, 60, 2), key=3),
    ]
    found = values(some, Scheme(absence="worst_plus_one"), ANN, BEN, CHO)
    assert found == {ANN: 250, BEN: 500 + 61, CHO: 501 + 60}


def test_a_guest_s_evening_is_no_measure_for_who_missed_it() -> None:
    some = [
        game(1, played(ANN, 100, 1), played(BEN, 200, 2), played(-3, 900, 3, guest=True)),
        game(2, played(ANN, 50, 1), played(CHO, 60, 2)),
    ]
    assert values(some, Scheme(absence="worst_plus_one"), ANN, BEN, CHO)[CHO] == 201 + 60


def test_an_own_average_takes_a_place_among_the_best_nights_by_average_of_places_too() -> None:
    some = [
        game(1, played(ANN, 10, 1), played(BEN, 20, 2)),
        game(2, played(ANN, 30, 2), played(BEN, 20, 1)),
        game(3, played(BEN, 20, 1), played(CHO, 30, 2)),
    ]
    scheme = Scheme(measure="placement_average", absence="own_average", best=2)
    assert values(some, scheme, ANN, BEN, CHO)[ANN] == Fraction(3, 4)


def test_a_meeting_that_nobody_played_is_none() -> None:
    nobody = game(2, played(ANN, 0, 1, forfeit=True), played(BEN, 0, 1, forfeit=True))
    some = [game(1, played(ANN, 10, 1), played(CHO, 20, 2)), game(3, played(BEN, 10, 1), played(CHO, 20, 2))]
    rows = season_table(
        [*some, nobody],
        members=[Member(ANN), Member(BEN), Member(CHO)],
        scheme=Scheme(tiebreaks=("head_to_head",)),
    )
    level = [row for row in rows if row.place == 1]
    assert [row.person for row in level] == [ANN, BEN]
    assert {row.criteria[-1].value for row in level} == {None}


def test_who_left_before_a_void_night_is_not_told_of_it() -> None:
    some = [
        game(1, played(ANN, 10, 1), played(BEN, 20, 2)),
        game(2, played(ANN, 10, 1), void=True),
    ]
    rows = season_table(some, members=[Member(ANN), Member(BEN, left=1)], scheme=Scheme())
    assert [[one.night for one in row.results] for row in rows] == [[1, 2], [1]]


@st.composite
def seasons(draw: st.DrawFn) -> list[SeasonGame]:
    """Nights with several tables, guests, forfeits, late comers with fewer rounds, void games."""
    games = []
    for key in range(1, draw(st.integers(1, 6)) + 1):
        sitting = draw(st.lists(st.integers(1, 5), min_size=1, max_size=4, unique=True))
        guests = draw(st.integers(0 if len(sitting) > 1 else 1, 2))
        everybody = [*sitting, *(-10 * key - at for at in range(guests))]
        totals = {person: draw(st.integers(0, 5)) * 10 for person in everybody}
        most = draw(st.integers(1, 3))
        high = draw(st.booleans())
        games.append(
            SeasonGame(
                key=key,
                night=draw(st.integers(1, 4)),
                void=draw(st.integers(0, 5)) == 0,
                entries=tuple(
                    Entry(
                        person=person,
                        points=points,
                        rounds=draw(st.integers(1, most)),
                        place=1
                        + sum((other > points) if high else (other < points) for other in totals.values()),
                        zero_rounds=draw(st.integers(0, 1)),
                        lowest_nonzero=draw(st.sampled_from([None, 3, 7])),
                        guest=person < 0,
                        forfeit=draw(st.integers(0, 6)) == 0,
                    )
                    for person, points in totals.items()
                ),
            )
        )
    return games


day = st.sampled_from([None, None, 1, 2, 3])
earlier = [st.builds(Member, st.just(person), day, st.just(None)) for person in range(1, 5)]
clubs = st.tuples(*earlier, st.builds(Member, st.just(5), st.just(None), day)).map(list)
schemes = st.builds(
    Scheme,
    measure=st.sampled_from(MEASURES),
    places=st.sampled_from([None, (5, 3, 1), (4,)]),
    high_wins=st.booleans(),
    best=st.sampled_from([None, 1, 2]),
    least_nights=st.integers(0, 2),
    absence=st.sampled_from(["blank", "own_average", "worst_plus_one"]),
    late=st.sampled_from(["from_joining", "as_absent"]),
    guests_hold_places=st.booleans(),
    tiebreaks=st.permutations(list(TIEBREAKS)).map(lambda codes: tuple(codes[:3])),
)


@given(seasons(), clubs, schemes)
def test_a_naive_table_finds_the_same_places_and_values(
    games: list[SeasonGame], members: list[Member], scheme: Scheme
) -> None:
    rows = season_table(games, members=members, scheme=scheme)
    assert {row.person: (row.place, row.value) for row in rows} == naive_table(games, members, scheme)


def test_renaming_a_game_s_guests_changes_nothing() -> None:
    one = game(1, played(ANN, 10, 1), played(-2, 5, 1, guest=True))
    other = replace(one, entries=(one.entries[0], replace(one.entries[1], person=-7)))
    assert values([one], Scheme(measure="placement"), ANN) == values(
        [other], Scheme(measure="placement"), ANN
    )
