"""Seats on own phones, hands told before a round is closed, and a second person who confirms a round."""

from __future__ import annotations

from typing import Any

import pytest

from games.engine.rules import rule_set
from games.engine.scoring import HandClaim
from games.models import Action, Game, HandIn, LogEntry, Round, SeatHolder
from games.seats import (
    hand_put,
    hand_remove,
    hands_in,
    round_confirm,
    seat_leave,
    seat_of,
    seat_take,
    seats_held,
)
from games.selectors import sheet_of
from games.services import (
    Conflict,
    Refused,
    Setup,
    change_redo,
    change_undo,
    game_finish,
    game_set_up_anew,
    player_change,
    round_put,
    round_remove,
)
from tests.cast import claim, play, start

pytestmark = pytest.mark.django_db

BEN, ANN = "ben-s-phone", "ann-s-phone"
FIRST = (33, 18, 0, 31, 46)


@pytest.fixture
def game() -> Game:
    game = start(second_person=True).sheet.game
    seat_take(game=game, seat=2, device=BEN)
    return game


def tell(game: Game, points: int | None = 18, *, seat: int = 2, device: str = BEN, **more: Any) -> None:
    number = more.pop("number", None)
    hand_put(game=game, number=number, claim=HandClaim(seat, points=points, **more), device=device)


def refused(code: str, problem: str, act: Any, **about: Any) -> None:
    before = list(HandIn.objects.values()), list(SeatHolder.objects.values())
    with pytest.raises(Refused) as found:
        act(**about)
    assert (found.value.code, [one.code for one in found.value.problems]) == (
        code,
        [problem] if problem else [],
    )
    assert (list(HandIn.objects.values()), list(SeatHolder.objects.values())) == before


# Seats


def test_a_seat_is_one_phone_s_and_a_phone_has_one_seat(game: Game) -> None:
    seat_take(game=game, seat=5, device=ANN)
    assert seats_held(game) == {2: BEN, 5: ANN}

    seat_take(game=game, seat=1, device=BEN)
    assert seats_held(game) == {1: BEN, 5: ANN}


def test_a_held_seat_is_taken_over_only_by_who_says_so_and_the_other_phone_is_told(game: Game) -> None:
    refused("forbidden", "seat_held", seat_take, game=game, seat=2, device=ANN)

    seat_take(game=game, seat=2, device=ANN, take_over=True)

    assert seats_held(game) == {2: ANN}
    assert seat_of(game, BEN) == (2, True)
    assert seat_of(game, ANN) == (2, False)
    seat_take(game=game, seat=2, device=BEN, take_over=True)
    assert (seat_of(game, BEN), seat_of(game, ANN)) == ((2, False), (2, True))


def test_a_phone_without_an_id_has_no_seat(game: Game) -> None:
    assert seat_of(game, "") is None


@pytest.mark.parametrize("seat", [0, 6, 99])
def test_there_is_no_such_seat(game: Game, seat: int) -> None:
    refused("not_found", "seat_unknown", seat_take, game=game, seat=seat, device=ANN)


def test_a_game_set_up_anew_leaves_the_phones_of_those_who_stay(game: Game) -> None:
    seat_take(game=game, seat=5, device=ANN)
    setup = Setup(players=["Ruth", "Dan", "Ben"], rules=rule_set("thoughtco"), second_person=True)
    game_set_up_anew(game=game, setup=setup)
    assert seats_held(game) == {3: BEN}
    change_undo(game=game)
    assert seats_held(game) == {2: BEN}


def test_whoever_only_watches_gives_the_seat_back(game: Game) -> None:
    tell(game)
    seat_leave(game=game, device=BEN)

    assert seats_held(game) == {}
    assert hands_in(game, 1)[2].points == 18  # what was told stays told


# Hands


def test_a_hand_is_told_and_is_no_score_and_no_change_of_the_game(game: Game) -> None:
    before = Game.objects.get(pk=game.pk)
    tell(game, 18, tile_count=3)

    now = Game.objects.get(pk=game.pk)
    assert hands_in(game, 1)[2]._asdict() == {
        "points": 18, "out": False, "marker": False, "tile_count": 3, "tiles": None, "times": 1,
    }  # fmt: skip
    assert sheet_of(now).rounds == ()
    assert (now.version, now.log.count()) == (before.version, 1)
    assert now.stirred == before.stirred + 1
    assert now.stamp != before.stamp


def test_told_again_it_takes_the_place_of_the_first_and_sent_twice_it_is_one(game: Game) -> None:
    tell(game, 18)
    stamp = Game.objects.get(pk=game.pk).stamp
    tell(game, 18)
    assert Game.objects.get(pk=game.pk).stamp == stamp
    assert hands_in(game, 1)[2].times == 1

    tell(game, 28)
    assert (hands_in(game, 1)[2].points, hands_in(game, 1)[2].times) == (28, 2)


def test_nobody_tells_the_hand_of_a_seat_on_another_phone(game: Game) -> None:
    for device in (ANN, "", "another"):
        refused("forbidden", "seat_held", tell, game=game, device=device)
    refused("forbidden", "seat_held", tell, game=game, seat=5, device=BEN)  # Ann's, which no phone has
    tell(game, 46, seat=5, device="")  # a program tells it
    tell(game)
    refused("forbidden", "seat_held", hand_remove, game=game, seat=2, device=ANN)

    hand_remove(game=game, seat=2, device=BEN)
    assert hands_in(game, 1).keys() == {5}


@pytest.mark.parametrize(
    ("hand", "problem"),
    [
        ({"points": 5000}, "points_range"),
        ({"points": 31, "tile_count": 1}, "count_points"),
        ({"tiles": ("13-1",)}, "tile_unknown"),
        ({"tiles": ("12-12",)}, "tile_engine"),
        ({"tiles": ("5-5",), "points": 3}, "points_tiles"),
    ],
)
def test_a_hand_that_cannot_be_is_refused(game: Game, hand: dict[str, Any], problem: str) -> None:
    refused("round_impossible", problem, tell, game=game, points=hand.pop("points", None), **hand)


def test_where_the_engine_is_free_its_double_may_be_held() -> None:
    game = start(engine_order="any_unused").sheet.game
    tell(game, None, tiles=("12-12",), device="")
    assert hands_in(game, 1)[2].points == 24


def test_what_others_told_refuses_no_hand(game: Game) -> None:
    seat_take(game=game, seat=5, device=ANN)
    tell(game, None, tiles=("9-6",))
    tell(game, None, seat=5, device=ANN, tiles=("9-6",))
    tell(game, 0, out=True)
    tell(game, 0, seat=5, device=ANN, out=True)
    assert [hand.out for hand in hands_in(game, 1).values()] == [True, True]


def test_a_hand_for_another_round_than_the_coming_one_is_refused(game: Game) -> None:
    play(game, FIRST)
    refused("round_number", "round_number", tell, game=game, number=1)
    refused("round_number", "round_number", tell, game=game, number=3)
    game_finish(game=game)
    refused("round_number", "hands_over", tell, game=game, number=2)
    refused("round_number", "hands_over", hand_remove, game=game, seat=2, device=BEN)


def test_a_hand_of_somebody_who_left_is_refused(game: Game) -> None:
    tell(game)
    player_change(game=game, seat=2, retired=True)
    refused("not_found", "seat_unknown", tell, game=game, points=28)


def test_closing_a_round_keeps_who_told_what_in_the_log(game: Game) -> None:
    tell(game, 18)
    tell(game, 46, seat=5, device="")
    play(game, (33, 28, 0, 31, 46))

    entry = LogEntry.objects.get(game=game, action=Action.ROUND_RECORDED)
    assert entry.after["said"] == {"2": 18, "5": 46}
    assert sheet_of(game).rounds[0].hands[2].points == 28


def test_a_round_that_is_taken_back_finds_its_hands_again(game: Game) -> None:
    tell(game, 18)
    play(game, FIRST)
    assert hands_in(game, 2) == {}
    change_undo(game=game)
    assert hands_in(game, 1)[2].points == 18
    change_redo(game=game)
    round_remove(game=game, number=1)
    assert hands_in(game, 1)[2].points == 18


# Confirming


def confirmed(game: Game) -> list[bool]:
    return [entry.confirmed for entry in sheet_of(Game.objects.get(pk=game.pk)).rounds]


def test_a_second_person_confirms_a_round(game: Game) -> None:
    play(game, FIRST, device=ANN)
    written = round_confirm(game=game, number=1, device=BEN, who="Ben")

    assert confirmed(game) == [True]
    entry = LogEntry.objects.get(game=game, number=written.sheet.game.version)
    assert (entry.action, entry.who, entry.round_number) == (Action.CONFIRMED, "Ben", 1)
    version = written.sheet.game.version
    assert round_confirm(game=game, number=1, device=BEN).sheet.game.version == version  # once is enough


def test_not_the_phone_that_entered_it(game: Game) -> None:
    play(game, FIRST, device=BEN)
    refused("forbidden", "same_phone", round_confirm, game=game, number=1, device=BEN)
    assert confirmed(game) == [False]


def test_a_phone_that_brings_a_round_back_has_entered_it(game: Game) -> None:
    play(game, FIRST, device=ANN)
    change_undo(game=game, device=BEN)
    change_redo(game=game, device=BEN)
    refused("forbidden", "same_phone", round_confirm, game=game, number=1, device=BEN)


def test_no_round_and_no_wish_for_a_second_person(game: Game) -> None:
    refused("not_found", "round_unknown", round_confirm, game=game, number=1)
    plain = start().sheet.game
    play(plain, FIRST)
    refused("not_found", "confirm_unasked", round_confirm, game=plain, number=1)


def test_an_old_version_conflicts(game: Game) -> None:
    play(game, FIRST)
    with pytest.raises(Conflict):
        round_confirm(game=game, number=1, version=1)


def test_a_correction_makes_it_unconfirmed_again_and_undo_brings_the_confirmation_back(game: Game) -> None:
    play(game, FIRST, device=ANN)
    round_confirm(game=game, number=1, device=BEN)
    round_put(game=game, number=1, claim=claim((33, 28, 0, 31, 46)), device=ANN)
    assert confirmed(game) == [False]

    change_undo(game=game)
    assert confirmed(game) == [True]
    change_undo(game=game)
    assert confirmed(game) == [False]
    assert Round.objects.get(game=game).device == ""  # the one whose undo brought back those numbers
    change_redo(game=game)
    assert confirmed(game) == [True]


def test_the_same_round_put_again_stays_confirmed(game: Game) -> None:
    play(game, FIRST)
    round_confirm(game=game, number=1)
    round_put(game=game, number=1, claim=claim(FIRST))
    assert confirmed(game) == [True]


def test_undoing_a_confirmation_leaves_who_entered_the_round(game: Game) -> None:
    play(game, FIRST, device=ANN)
    round_confirm(game=game, number=1, device=BEN)
    change_undo(game=game, device=BEN)
    refused("forbidden", "same_phone", round_confirm, game=game, number=1, device=ANN)
    round_confirm(game=game, number=1, device=BEN)


def test_an_unconfirmed_round_blocks_nothing(game: Game) -> None:
    play(game, FIRST, (0, 14, 26, 45, 51))
    assert confirmed(game) == [False, False]
