"""A seat on an own phone, and the own hand of the coming round."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.engine.scoring import HandClaim
from games.models import AccessKey, Game, HandIn, LogEntry, Role
from games.seats import hand_put, hands_in, seat_of, seats_held
from games.services import change_undo, game_finish, link_replace, player_change
from games.web.device import Device
from tests.cast import play, start
from tests.web.reading import words

pytestmark = pytest.mark.django_db

FIRST = (33, 28, 0, 31, 46)
Opens = Callable[..., Client]


def at(name: str, game: Game, *more: object) -> str:
    return reverse(name, args=[game.slug, *more])


def tell(phone: Client, game: Game, text: str = "18", *, seat: int = 2, **more: Any) -> Any:
    count = {"count-2": more.pop("count")} if "count" in more else {}
    form = {"round": 1, f"hand-{seat}": text, **count, **more}
    return phone.post(at("my_hand", game), form)


def board(phone: Client, game: Game) -> str:
    return words(phone.get(at("board", game)))


# Who are you?


def test_the_table_s_code_asks_who_it_is(stranger: Client, game: Game, opens: Opens) -> None:
    key = AccessKey.objects.get(game=game, role=Role.SEAT).key
    assert stranger.get(reverse("open_table", args=[key]))["Location"] == at("seat", game)

    page = words(stranger.get(at("seat", game)))
    for name in ("Who are you?", "Ruth", "Ben", "Chitra", "Wilhelmina", "Ann", "Just watch"):
        assert name in page
    assert "Take a seat" in board(stranger, game)


def test_a_seat_is_taken_and_the_board_offers_its_hand(ben: Client, game: Game) -> None:
    assert seats_held(game).keys() == {2}
    page = board(ben, game)
    assert "Enter my hand" in page
    assert "Enter round 1" not in page
    assert "on this phone" in words(ben.get(at("seat", game)))


def test_a_seat_on_another_phone_is_asked_about_once_and_that_phone_is_told(
    ben: Client, ann: Client, game: Game
) -> None:
    asked = ben.post(at("seat", game), {"seat": 5})
    assert asked.status_code == 409
    assert "Ann’s seat is on another phone" in words(asked)
    assert seat_of(game, _id(ann)) == (5, False)

    ben.post(at("seat", game), {"seat": 5, "take": 1})
    assert seats_held(game) == {5: _id(ben)}
    assert "Ann’s seat is on another phone now." in board(ann, game)
    assert "Take a seat" in board(ann, game)
    assert ann.get(at("my_hand", game))["Location"] == at("seat", game)


def _id(phone: Client) -> str:
    return Device({name: one.value for name, one in phone.cookies.items()}).id


def test_just_watch_leaves_the_seat(ben: Client, game: Game) -> None:
    assert ben.post(at("seat", game), {"watch": 1})["Location"] == at("board", game)
    assert seats_held(game) == {}
    assert ben.get(at("my_hand", game))["Location"] == at("seat", game)


@pytest.mark.parametrize("seat", ["", "x", "0", "77", "-1", "9" * 30])
def test_no_such_seat_is_told(ben: Client, game: Game, seat: str) -> None:
    answer = ben.post(at("seat", game), {"seat": seat})
    assert answer.status_code == 422
    assert "Nobody has this seat any more." in words(answer)


def test_a_view_link_takes_no_seat_from_a_phone_and_the_scorer_s_stays_the_scorer_s(
    ben: Client, phone: Client, game: Game, opens: Opens
) -> None:
    opens(ben, game, Role.VIEWER)
    assert "Enter my hand" in board(ben, game)
    opens(phone, game, Role.SEAT)
    assert "Enter round 1" in board(phone, game)
    opens(ben, game, Role.SCORER)
    assert "Enter round 1" in board(ben, game)


def test_the_cookies_hold_sixty_games_and_a_seat_in_each(stranger: Client, opens: Opens) -> None:
    for _ in range(61):
        opens(stranger, start().sheet.game, Role.SEAT)
    assert max(len(one.value) for one in stranger.cookies.values()) <= 4000


# The own hand


def test_the_page_shows_the_round_its_engine_and_one_hand(ben: Client, game: Game) -> None:
    page = ben.get(at("my_hand", game))
    assert "Round 1" in words(page)
    assert 'id="hand-2"' in page.content.decode()
    assert page.content.decode().count("data-hand ") == 1
    assert "Still to come: Ruth, Chitra, Wilhelmina, Ann." in words(page)  # not Ben, who types


def test_the_last_to_come_is_not_told_to_wait_for_the_own_hand(ben: Client, game: Game) -> None:
    for seat in (1, 3, 4, 5):
        hand_put(game=game, number=1, claim=HandClaim(seat, points=10 + seat))
    assert "All the others are in." in words(ben.get(at("my_hand", game)))


def test_a_hand_is_in_and_can_be_changed_until_the_round_is_closed(ben: Client, game: Game) -> None:
    answer = tell(ben, game, "10+8", count="3")
    assert answer["Location"] == at("board", game)
    page = board(ben, game)
    assert "Your 18 is in. Still to come: Ruth, Chitra, Wilhelmina, Ann." in page
    assert "1 of 5 hands is in." in page
    assert "Change my hand" in page
    mine = ben.get(at("my_hand", game)).content.decode()
    assert 'value="18"' in mine

    tell(ben, game, "9-9 5-5")
    assert "Your 28 is in." in board(ben, game)
    assert hands_in(game, 1)[2].tiles == ["9-9", "5-5"]


def test_who_went_out_says_so_by_one_button(ben: Client, game: Game) -> None:
    tell(ben, game, "17", out="1")
    assert hands_in(game, 1)[2][:2] == (0, True)
    assert "In: went out, 0." in board(ben, game)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "No points yet."),
        ("ten", "ten"),
        ("5000", "Ben"),
        ("12-12", "12-12 is this round’s engine"),
        ("<script>", "<script>"),
    ],
)
def test_what_cannot_be_is_told_and_stays_on_the_page(ben: Client, game: Game, text: str, said: str) -> None:
    answer = tell(ben, game, text)
    assert answer.status_code == 422
    assert said in words(answer.content.decode().split("</form>")[1])
    assert not HandIn.objects.exists()
    assert f'value="{text}"' in answer.content.decode() or text in ("", "<script>")


def test_a_tile_that_another_hand_has_is_told_without_more(ben: Client, ann: Client, game: Game) -> None:
    tell(ann, game, "9-6 4-4", seat=5)
    check = words(ben.post(at("my_check", game), {"hand-2": "9-6"}))
    assert "Ann has 9-6 already." in check
    assert "4-4" not in check

    asked = tell(ben, game, "9-6")
    assert asked.status_code == 422
    assert "Yes, save it" in words(asked)
    tell(ben, game, "9-6", sure="1")
    assert hands_in(game, 1)[2].points == 15


def test_two_who_went_out_are_asked_about(ben: Client, ann: Client, game: Game) -> None:
    tell(ann, game, seat=5, out="1")
    asked = tell(ben, game, out="1")
    assert "Ann went out already." in words(asked)


def test_the_check_says_what_one_hand_can_be(ben: Client, game: Game) -> None:
    assert "18 can be right." in words(ben.post(at("my_check", game), {"hand-2": "18"}))
    check = words(ben.post(at("my_check", game), {"hand-2": "31", "count-2": "1"}))
    assert "Ben: one tile cannot be worth 31." in check


def test_a_post_sent_twice_is_one_hand(ben: Client, game: Game) -> None:
    tell(ben, game)
    tell(ben, game)
    assert HandIn.objects.get().times == 1


def test_a_round_closed_meanwhile_shows_both_numbers(ben: Client, game: Game) -> None:
    play(game, FIRST)
    answer = tell(ben, game, "10+8")
    assert answer.status_code == 409
    page = words(answer)
    assert "Round 1 is closed already" in page
    assert "This phone has 10+8; saved for Ben is 28." in page
    assert "Ben has 28 in it, as typed here." in words(tell(ben, game, "28"))


def test_a_round_taken_back_meanwhile_is_told(ben: Client, game: Game) -> None:
    play(game, FIRST)
    change_undo(game=game)
    answer = ben.post(at("my_hand", game), {"round": 2, "hand-2": "18"})
    assert answer.status_code == 409
    assert "This phone has 18. Nothing was saved. The next one is round 1." in words(answer)


def test_a_round_saved_with_another_number_is_told_on_the_board(ben: Client, ann: Client, game: Game) -> None:
    tell(ben, game)
    tell(ann, game, "46", seat=5)
    play(game, FIRST)
    assert "Round 1: this phone said 18, saved is 28." in board(ben, game)
    assert "this phone said" not in board(ann, game)
    change_undo(game=game)
    assert "Your 18 is in." in board(ben, game)


def test_who_left_meanwhile_loses_nothing_typed(ben: Client, game: Game) -> None:
    player_change(game=game, seat=2, retired=True)
    answer = tell(ben, game)
    assert answer.status_code == 422
    assert "Ben is not in round 1." in words(answer)
    assert 'value="18"' in answer.content.decode()
    assert ben.get(at("my_hand", game))["Location"] == at("board", game)


def test_who_lost_the_seat_while_typing_loses_nothing_typed(ben: Client, ann: Client, game: Game) -> None:
    ann.post(at("seat", game), {"seat": 2, "take": 1})
    answer = tell(ben, game)
    assert answer.status_code == 409
    assert "Not saved: the seat is on another phone" in words(answer)
    assert 'value="18"' in answer.content.decode()
    assert not HandIn.objects.exists()


def test_a_finished_game_asks_for_no_hand(ben: Client, game: Game) -> None:
    play(game, FIRST)
    game_finish(game=game)
    assert ben.get(at("my_hand", game))["Location"] == at("board", game)
    answer = ben.post(at("my_hand", game), {"round": 2, "hand-2": "18"})
    assert "The game is finished." in words(answer)


def test_the_next_engine_s_turn_is_judged_as_it_is_now(ben: Client, game: Game) -> None:
    play(game, FIRST)
    answer = ben.post(at("my_hand", game), {"round": 2, "hand-2": "11-11"})
    assert answer.status_code == 422
    assert "11-11" in words(answer)


def test_a_stopped_code_is_dead_at_once_and_a_new_one_finds_the_seat_again(
    ben: Client, game: Game, opens: Opens
) -> None:
    link_replace(game=game, role=Role.SEAT)
    assert tell(ben, game).status_code == 404
    assert ben.get(at("board", game)).status_code == 404

    key = AccessKey.objects.get(game=game, role=Role.SEAT, revoked_at=None).key
    ben.get(reverse("open_table", args=[key]))
    assert tell(ben, game).status_code == 302
    assert hands_in(game, 1)[2].points == 18


def test_neither_a_watcher_nor_a_scorer_nor_a_stranger_has_an_own_hand(
    watcher: Client, phone: Client, stranger: Client, game: Game
) -> None:
    for name in ("seat", "my_hand"):
        answers = [one.get(at(name, game)).status_code for one in (watcher, phone, stranger)]
        assert answers == [403, 403, 404]


def test_a_watcher_sees_how_many_are_in(ben: Client, watcher: Client, game: Game) -> None:
    news = at("live", game)
    before = watcher.get(news, {"v": game.version})
    tell(ben, game)
    after = watcher.get(news, {"v": Game.objects.get(pk=game.pk).version})
    assert before.status_code in (200, 204)
    assert "1 of 5 hands is in." in words(after)
    assert watcher.get(news, {"v": Game.objects.get(pk=game.pk).stamp}).status_code == 204


def test_nothing_of_it_is_in_the_log_before_the_round_is_closed(
    ben: Client, phone: Client, game: Game
) -> None:
    tell(ben, game)
    assert LogEntry.objects.filter(game=game).count() == 1
    play(game, FIRST)
    log = words(phone.get(at("log", game)))
    assert "From own phones: Ben" in log
    assert "Ben’s phone said 18" in log
