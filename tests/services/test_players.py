"""People come and go in the middle of a game, and no score is lost by it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.engine.rules import rule_set
from games.engine.scoring import HandClaim, RoundClaim
from games.models import Action, Game, LogEntry, Player
from games.selectors import Sheet, sheet_of
from games.services import (
    NEXT_ENGINE,
    Conflict,
    Refused,
    Setup,
    Written,
    adjustment_add,
    adjustment_remove,
    change_redo,
    change_undo,
    game_finish,
    game_set_up_anew,
    player_add,
    player_change,
    round_put,
    round_remove,
)
from tests.cast import FOURTEEN, claim, play, start

pytestmark = pytest.mark.django_db

TRIO = ("Ann", "Ben", "Cho")
FIRST, SECOND = (0, 100, 60), (75, 0, 20)  # totals 75, 100, 80


@pytest.fixture
def game() -> Game:
    return start(TRIO).sheet.game


def totals(sheet: Sheet) -> dict[str, int]:
    names = sheet.names()
    return {names[row.seat]: row.total for row in sheet.table}


def state(game: Game) -> Any:
    """Everything of a game that Undo must bring back."""
    sheet = sheet_of(Game.objects.get(pk=game.pk))
    players = [
        (one.seat, one.order, one.name, one.from_round, one.to_round, one.start_total, one.adjustments)
        for one in sheet.players
    ]
    return sheet.game.status, players, [entry.hands for entry in sheet.rounds], sheet.table


def put(game: Game, number: int, points: dict[int, int]) -> Written:
    hands = tuple(HandClaim(seat=seat, points=value) for seat, value in points.items())
    return round_put(game=game, number=number, claim=RoundClaim(NEXT_ENGINE, "out", hands))


def refused(problem: str, **about: Any) -> list[str]:
    service = about.pop("service", player_change)
    with pytest.raises(Refused) as error:
        service(**about)
    codes = [one.code for one in error.value.problems]
    assert problem in codes
    return codes


def test_who_was_forgotten_joins_before_the_first_round(game: Game) -> None:
    sheet = player_add(game=game, name="  Dan ").sheet

    dan = sheet.player(4)
    assert dan is not None
    assert (dan.name, dan.order, dan.from_round, dan.start_total) == ("Dan", 4, 1, 0)
    assert sheet.seats(1) == (1, 2, 3, 4)


@pytest.mark.parametrize(("how", "total"), [("zero", 0), ("average", 85), ("highest", 100)])
def test_a_late_comer_begins_as_the_table_says(game: Game, how: Any, total: int) -> None:
    play(game, FIRST, SECOND)

    sheet = player_add(game=game, name="Dan", start=how).sheet

    assert totals(sheet)["Dan"] == total
    assert sheet.seats(2) == (1, 2, 3)
    assert sheet.seats(3) == (1, 2, 3, 4)


def test_who_left_does_not_count_in_the_average(game: Game) -> None:
    play(game, FIRST, SECOND)
    player_change(game=game, seat=2, retired=True)  # 75 and 80 are left: 77.5

    assert totals(player_add(game=game, name="Dan", start="average").sheet)["Dan"] == 78


def test_a_late_comer_sits_where_there_is_room(game: Game) -> None:
    sheet = player_add(game=game, name="Dan", order=2).sheet

    assert [player.name for player in sheet.players] == ["Ann", "Dan", "Ben", "Cho"]
    assert [player.seat for player in sheet.players] == [1, 4, 2, 3]
    assert [player.order for player in sheet.players] == [1, 2, 3, 4]


def test_an_old_round_is_corrected_without_who_was_not_there(game: Game) -> None:
    play(game, FIRST, SECOND)
    player_add(game=game, name="Dan", start="average")

    sheet = round_put(game=game, number=1, claim=claim((0, 90, 60))).sheet
    assert totals(sheet) == {"Ann": 75, "Ben": 90, "Cho": 80, "Dan": 85}
    problems = refused("seat_missing", service=put, game=game, number=3, points={1: 0, 2: 5, 3: 9})
    assert problems == ["seat_missing"]


def test_the_deal_follows_the_number_of_players() -> None:
    game = start(("Ann", "Ben", "Cho", "Dee"), preset="gamerules").sheet.game
    play(game, (0, 10, 20, 30))

    sheet = player_add(game=game, name="Dan").sheet

    assert (sheet.deal(1), sheet.deal(2)) == (15, 14)


def test_a_set_with_too_few_tiles_is_told_and_not_refused() -> None:
    game = start(("Ann", "Ben"), max_pip=6, deal=12).sheet.game  # 28 tiles

    sheet = player_add(game=game, name="Cho").sheet

    assert sheet.too_few_tiles
    assert not change_undo(game=game).sheet.too_few_tiles


def test_a_new_name_keeps_seat_and_scores(game: Game) -> None:
    play(game, FIRST, SECOND)
    before = totals(sheet_of(game))

    sheet = player_change(game=game, seat=2, name="Bea").sheet

    assert totals(sheet) == {"Ann": 75, "Bea": 100, "Cho": 80}
    assert totals(change_undo(game=game).sheet) == before


def test_people_move_and_their_scores_with_them(game: Game) -> None:
    play(game, FIRST, SECOND)

    sheet = player_change(game=game, seat=3, order=1).sheet

    assert [player.name for player in sheet.players] == ["Cho", "Ann", "Ben"]
    assert totals(sheet) == {"Ann": 75, "Ben": 100, "Cho": 80}
    assert [player.order for player in sheet.players] == [1, 2, 3]


def test_who_leaves_ranks_last_at_once_and_plays_no_more() -> None:
    game = start(("Ann", "Ben", "Cho", "Dee")).sheet.game
    play(game, (0, 20, 30, 40))

    sheet = player_change(game=game, seat=1, retired=True).sheet

    assert [row.seat for row in sheet.table] == [2, 3, 4, 1]
    assert sheet.seats(2) == (2, 3, 4)
    assert totals(sheet)["Ann"] == 0


def test_who_comes_back_is_asked_for_the_rounds_that_were_played_and_no_other() -> None:
    game = start(("Ann", "Ben", "Cho", "Dee")).sheet.game
    play(game, (0, 20, 30, 40))
    player_change(game=game, seat=4, retired=True)
    put(game, 2, {1: 0, 2: 14, 3: 9})

    sheet = player_change(game=game, seat=4, retired=False).sheet

    assert sheet.seats(3) == (1, 2, 3, 4)
    assert totals(sheet)["Dee"] == 40
    assert totals(put(game, 2, {1: 0, 2: 15, 3: 9}).sheet)["Ben"] == 35
    assert refused("seat_unknown", service=put, game=game, number=2, points={1: 0, 2: 15, 3: 9, 4: 7})


def test_a_seat_is_never_used_again_even_after_undo(game: Game) -> None:
    player_add(game=game, name="Dan")
    change_undo(game=game)

    sheet = player_add(game=game, name="Eve").sheet

    assert {player.name: player.seat for player in sheet.players}["Eve"] == 5


def test_a_penalty_counts_in_the_total_and_in_no_round(game: Game) -> None:
    play(game, FIRST, SECOND)

    sheet = adjustment_add(game=game, seat=1, points=20, reason="Late", who="Ben").sheet

    assert totals(sheet)["Ann"] == 95
    assert sheet.player(1).adjustments == [  # type: ignore[union-attr]
        {"number": 4, "points": 20, "reason": "Late", "round": 2}
    ]
    row = next(row for row in sheet.table if row.seat == 1)
    assert (row.zero_rounds, row.lowest_nonzero) == (1, 75)
    entry = LogEntry.objects.get(game=game, number=4)
    assert (entry.action, entry.reason, entry.who) == (Action.ADJUSTED, "Late", "Ben")


def test_a_bonus_is_taken_back_later(game: Game) -> None:
    adjustment_add(game=game, seat=1, points=-5, reason="Baked a cake")
    adjustment_add(game=game, seat=1, points=7, reason="Late")

    assert totals(adjustment_remove(game=game, seat=1, number=2).sheet)["Ann"] == 7
    assert totals(change_undo(game=game).sheet)["Ann"] == 2


def test_another_set_up_keeps_what_was_given(game: Game) -> None:
    adjustment_add(game=game, seat=1, points=20, reason="Handicap")
    before = state(game)

    game_set_up_anew(game=game, setup=Setup(players=("Ben", "Ann"), rules=rule_set()))

    assert totals(sheet_of(game)) == {"Ann": 20, "Ben": 0}
    change_undo(game=game)
    assert state(game) == before


def test_another_set_up_is_undone_with_the_seats_that_were_there(game: Game) -> None:
    player_add(game=game, name="Dan", order=1)
    before = state(game)
    game_set_up_anew(game=game, setup=Setup(players=("Ben", "Ann"), rules=rule_set()))
    change_undo(game=game)

    assert state(game) == before


def test_joining_a_game_ended_early_goes_on_with_it(game: Game) -> None:
    play(game, FIRST)
    game_finish(game=game)

    assert player_add(game=game, name="Dan").sheet.game.status == "playing"
    assert change_undo(game=game).sheet.game.status == "finished"


def test_a_new_name_does_not_go_on_with_a_game_ended_early(game: Game) -> None:
    play(game, FIRST)
    game_finish(game=game)

    assert player_change(game=game, seat=1, name="Anna").sheet.game.status == "finished"
    assert adjustment_add(game=game, seat=1, points=1, reason="Late").sheet.game.status == "finished"
    assert change_undo(game=game).sheet.game.status == "finished"


def test_what_changes_nothing_leaves_no_line(game: Game) -> None:
    player_change(game=game, seat=1, name="Ann", order=1, retired=False)

    assert sheet_of(game).game.version == 1


def test_who_is_behind_the_time_changes_nothing(game: Game) -> None:
    play(game, FIRST)
    for service, about in (
        (player_add, {"name": "Dan"}),
        (player_change, {"seat": 1, "name": "Bea"}),
        (adjustment_add, {"seat": 1, "points": 3, "reason": "Late"}),
        (adjustment_remove, {"seat": 1, "number": 3}),
    ):
        with pytest.raises(Conflict):
            service(game=game, version=1, **about)


def test_names_are_checked_as_at_the_start(game: Game) -> None:
    for name, code in (("", "name_blank"), ("BEN", "name_twice"), ("x" * 41, "name_long")):
        assert refused(code, game=game, seat=1, name=name) == [code]
        assert refused(code, service=player_add, game=game, name=name) == [code]


def test_two_to_fourteen_play_a_round() -> None:
    full = start(FOURTEEN, max_pip=18).sheet.game
    refused("players_in_round", service=player_add, game=full, name="One more")
    player_change(game=full, seat=1, retired=True)
    player_add(game=full, name="One more")
    refused("players_in_round", game=full, seat=1, retired=False)

    two = start(("Ann", "Ben")).sheet.game
    refused("players_in_round", game=two, seat=1, retired=True)


def test_once_all_rounds_are_in_nobody_joins_or_leaves() -> None:
    game = start(TRIO, rounds=1).sheet.game
    play(game, FIRST)

    refused("game_over", service=player_add, game=game, name="Dan")
    refused("game_over", game=game, seat=1, retired=True)


def test_an_adjustment_needs_points_and_a_reason(game: Game) -> None:
    about: dict[str, Any] = {"service": adjustment_add, "game": game, "seat": 1}
    assert refused("adjustment_points", **about, points=0, reason="Late") == ["adjustment_points"]
    assert len(refused("adjustment_reason", **about, points=99_999, reason=" ")) == 2
    assert refused("player_unknown", **about | {"seat": 9}, points=1, reason="Late")
    assert refused("adjustment_unknown", service=adjustment_remove, game=game, seat=1, number=3)


STEPS = st.lists(st.tuples(st.integers(0, 7), st.integers(0, 5), st.integers(1, 40)), max_size=14)


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(STEPS)
def test_whatever_people_do_scores_stay_and_undo_brings_everything_back(steps: Any) -> None:
    game = start(TRIO, rounds=8).sheet.game
    given_scores: dict[tuple[int, int], int] = {}
    seats: set[int] = {1, 2, 3}
    past = [state(game)]

    for kind, which, value in steps:
        sheet = sheet_of(Game.objects.get(pk=game.pk))
        seat = sheet.players[which % len(sheet.players)].seat
        version = sheet.game.version
        try:
            _step(game, sheet, kind, seat, value)
        except Refused:
            continue
        game.refresh_from_db()
        if game.version == version:
            continue
        now = sheet_of(game)
        new = {player.seat for player in now.players} - {player.seat for player in sheet.players}
        assert not new & seats, "a seat was used again"
        seats |= new
        given_scores = {
            (entry.number, seat): hand.score for entry in now.rounds for seat, hand in entry.hands.items()
        }
        _adds_up(now, given_scores)
        past.append(state(game))

    for wanted in reversed(past[:-1]):
        change_undo(game=game)
        assert state(game) == wanted
    for wanted in past[1:]:
        change_redo(game=game)
        assert state(game) == wanted


def _step(game: Game, sheet: Sheet, kind: int, seat: int, value: int) -> None:
    player = sheet.player(seat)
    assert player is not None
    match kind:
        case 0 | 1 if sheet.next_number:
            playing = sheet.seats(sheet.next_number)
            put(game, sheet.next_number, {one: at * (value + at) for at, one in enumerate(playing)})
        case 2:
            player_add(game=game, name=f"New {value}", start=("zero", "average", "highest")[value % 3])
        case 3:
            player_change(game=game, seat=seat, retired=player.to_round is None)
        case 4:
            player_change(game=game, seat=seat, name=f"Name {value}", order=value % 5 + 1)
        case 5:
            adjustment_add(game=game, seat=seat, points=value - 20, reason="Late")
        case 6 if player.adjustments:
            adjustment_remove(game=game, seat=seat, number=player.adjustments[0]["number"])
        case 7 if sheet.rounds:
            round_remove(game=game, number=len(sheet.rounds))


def _adds_up(sheet: Sheet, scores: dict[tuple[int, int], int]) -> None:
    """Every total is where the player began, what each round gave, and what was given apart."""
    for row in sheet.table:
        player: Player | None = sheet.player(row.seat)
        assert player is not None
        rounds = sum(score for (_number, seat), score in scores.items() if seat == row.seat)
        apart = sum(one["points"] for one in player.adjustments)
        assert row.total == player.start_total + rounds + apart
    assert [player.order for player in sheet.players] == list(range(1, len(sheet.players) + 1))
