"""The pages of who plays: joining late, leaving and coming back, other names, penalties and bonuses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.engine.scoring import HandClaim, RoundClaim
from games.models import Game
from games.selectors import sheet_of
from games.services import (
    NEXT_ENGINE,
    adjustment_add,
    change_undo,
    game_finish,
    player_add,
    player_change,
    round_put,
)
from tests.cast import FOURTEEN, play, start
from tests.web.reading import element, rows, words

pytestmark = pytest.mark.django_db

FIRST, SECOND = (33, 15, 0, 31, 46), (0, 14, 26, 45, 51)  # 33, 29, 26, 76, 97


@pytest.fixture
def played(game: Game) -> Game:
    play(game, FIRST, SECOND, who="Ben")
    return game


def get(client: Client, name: str, game: Game, *more: object) -> Any:
    return client.get(reverse(name, args=[game.slug, *more]))


def send(client: Client, page: str, game: Game, /, *more: object, **fields: object) -> Any:
    data = {"version": game.version} | fields
    return client.post(reverse(page, args=[game.slug, *more]), data)


def totals(game: Game) -> dict[str, int]:
    sheet = sheet_of(Game.objects.get(pk=game.pk))
    return {sheet.names()[row.seat]: row.total for row in sheet.table}


# One more


def test_it_lists_everybody_with_the_total(phone: Client, played: Game) -> None:
    player_change(game=played, seat=4, retired=True)
    adjustment_add(game=played, seat=2, points=20, reason="Late")
    page = words(get(phone, "players", played))

    assert "Ruth 33 B Ben +20 apart from the rounds 49" in page
    assert "Wilhelmina left after round 2 76" in page


def test_each_way_to_begin_says_its_number_before_it_is_chosen(phone: Client, played: Game) -> None:
    page = words(get(phone, "players", played))

    assert "From zero 0 At the average 52 At the highest 97" in page  # 261 / 5 = 52.2
    assert "Whoever joins plays from round 3 on and starts with 52: 4th of 6." in page
    assert "Double-12 suits 6 players: 12 tiles each, 19 in the boneyard." in page


@pytest.mark.parametrize(
    ("how", "told"), [("zero", "0: 1st"), ("average", "52: 4th"), ("highest", "97: 6th")]
)
def test_the_effect_is_told_for_who_is_typed(phone: Client, played: Game, how: str, told: str) -> None:
    page = words(send(phone, "players", played, do="check", name="Dan", start=how))

    assert f"Dan plays from round 3 on and starts with {told} of 6." in page
    assert sheet_of(played).player(6) is None


def test_a_late_comer_joins_and_the_board_says_so(phone: Client, played: Game) -> None:
    answer = send(phone, "players", played, do="add", name="Dan", start="average", after="1")

    assert answer["Location"] == reverse("board", args=[played.slug])
    board = get(phone, "board", played)
    assert "Dan joined in round 3. Dan starts with 52. Undo" in words(board)
    assert "Began: Dan with 52" in words(board)
    dan = next(row for row in rows(board) if "Dan" in row[0])
    assert dan[1] == "52"
    assert dan[2].startswith("–")
    assert [player.name for player in sheet_of(played).players][:3] == ["Ruth", "Dan", "Ben"]


def test_who_joins_is_asked_for_the_coming_round_and_not_for_an_old_one(phone: Client, played: Game) -> None:
    player_add(game=played, name="Dan")

    assert "Dan" in words(get(phone, "round", played, 3))
    assert "Dan" not in words(get(phone, "hands", played, 2).content.decode().split("<main")[1])


def test_before_the_first_round_nobody_is_asked_how_to_begin(phone: Client, game: Game) -> None:
    page = get(phone, "players", game)

    assert "At the average" not in words(page)
    send(phone, "players", game, do="add", name="Dan")
    assert sheet_of(game).seats(1) == (1, 2, 3, 4, 5, 6)
    assert "Dan joined. Undo" in words(get(phone, "board", game))


def test_a_set_too_small_for_all_is_told(opens: Callable[..., Client]) -> None:
    game = start(("Ann", "Ben"), max_pip=6, deal=12).sheet.game
    page = get(opens(Client(), game), "players", game)

    assert "Double-6 is too small for 3 players: 12 tiles each are more than it has." in words(page)
    assert "msg brass" in page.content.decode()


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("", "A name is needed."),
        ("BEN", "The name Ben is taken."),
        ("x" * 41, "A name has at most 40 letters."),
    ],
)
def test_a_name_that_cannot_be_comes_back_as_typed(phone: Client, played: Game, name: str, told: str) -> None:
    answer = send(phone, "players", played, do="add", name=name, start="highest")

    assert answer.status_code == 422
    assert told in words(answer)
    assert f'name="name" value="{name}"' in answer.content.decode()
    assert 'value="highest" checked' in answer.content.decode()


def test_a_fifteenth_is_refused(opens: Callable[..., Client]) -> None:
    game = start(FOURTEEN, max_pip=18).sheet.game
    answer = send(opens(Client(), game), "players", game, do="add", name="Dan")

    assert answer.status_code == 422
    assert "A round has 2 to 14 players. Here they would be 15." in words(answer)


def test_what_was_typed_survives_another_phone(phone: Client, played: Game) -> None:
    seen = played.version
    play(played, (0, 1, 2, 3, 4))
    answer = send(phone, "players", played, do="add", name="Dan", version=seen)

    assert answer.status_code == 409
    assert "Newest change: Round 3 entered" in words(answer)
    assert 'value="Dan"' in answer.content.decode()
    assert f'name="version" value="{played.version}"' in answer.content.decode()
    assert len(sheet_of(played).players) == 5


def test_once_all_rounds_are_in_the_page_says_so(opens: Callable[..., Client]) -> None:
    game = start(rounds=1).sheet.game
    play(game, FIRST)
    phone = opens(Client(), game)

    assert "All rounds are in. Nobody can join any more." in words(get(phone, "players", game))
    assert send(phone, "players", game, do="add", name="Dan").status_code == 422


# One of them


def test_a_player_gets_another_name_and_place(phone: Client, played: Game) -> None:
    before = totals(played)
    send(phone, "player_edit", played, 2, do="change", name="Bea", after="0")

    assert [player.name for player in sheet_of(played).players][:2] == ["Bea", "Ruth"]
    assert sorted(totals(played).values()) == sorted(before.values())
    assert "Ben is now Bea; Places at the table changed." in words(get(phone, "board", played))
    assert "Ben is now Bea" in words(get(phone, "log", played))


def test_who_sits_where_is_shown_as_it_is(phone: Client, played: Game) -> None:
    page = element(get(phone, "player_edit", played, 2), "<select", "</select>")

    assert '<option value="1" selected>After Ruth' in page
    send(phone, "player_edit", played, 2, do="change", name="Ben", after="1")
    assert sheet_of(Game.objects.get(pk=played.pk)).game.version == played.version


def test_who_leaves_is_told_and_not_asked_again(phone: Client, played: Game) -> None:
    page = words(get(phone, "player_edit", played, 2))
    assert "Ben plays no more rounds and stands behind all who play on." in page
    assert "Double-12 gives" in page or "Double-12 suits 4 players: 15 tiles each" in page

    send(phone, "player_edit", played, 2, do="leave")

    board = get(phone, "board", played)
    assert "Ben left after round 2. Undo" in words(board)
    assert "Ben" in rows(board)[-1][0]
    assert "Ben" not in element(get(phone, "round", played, 3), "<main", "</main>")


def test_who_left_comes_back_and_the_round_between_stays_empty(phone: Client, played: Game) -> None:
    player_change(game=played, seat=2, retired=True)
    hands = tuple(HandClaim(seat, points) for seat, points in ((1, 0), (3, 26), (4, 45), (5, 51)))
    round_put(game=played, number=3, claim=RoundClaim(NEXT_ENGINE, "out", hands))
    played.refresh_from_db()
    assert "Ben plays again from round 4 on." in words(get(phone, "player_edit", played, 2))

    send(phone, "player_edit", played, 2, do="return")

    board = get(phone, "board", played)
    assert "Ben is back. Undo" in words(board)
    ben = next(row for row in rows(board) if "Ben" in row[0])
    assert ben[1:4] == ["29", "– Ben, round 3, not in this round", "Ben, round 2, 14"]
    assert "Ben" in words(get(phone, "round", played, 4))
    assert "Ben" not in element(get(phone, "hands", played, 3), "<main", "</main>")


def test_a_penalty_is_told_before_it_is_given(phone: Client, played: Game) -> None:
    page = words(send(phone, "player_edit", played, 2, do="check", points="20", kind="penalty"))
    assert "The total becomes 49, not 29: Ben moves down to 3rd, Ruth to 2nd." in page

    send(phone, "player_edit", played, 2, do="adjust", points="20", kind="penalty", reason="Late  twice")

    board = get(phone, "board", played)
    assert "Ben: +20. Undo" in words(board)
    assert "In the total, in no round: Ben +20, Late twice" in words(board)
    assert [row[1] for row in rows(board) if "Ben" in row[0]] == ["49 of which apart from the rounds +20"]


def test_a_penalty_stands_apart_on_sheet_end_and_log(phone: Client, played: Game) -> None:
    adjustment_add(game=played, seat=2, points=20, reason="Late twice", who="Ann")
    play(played, (0, 1, 2, 3, 4))

    sheet = get(phone, "player", played, 2)
    assert [row[-3:] for row in rows(sheet)] == [
        ["", "1", "50"],
        ["Late twice", "+20", "49"],
        ["", "14", "29"],
        ["", "15", "15"],
    ]
    assert "Apart from the rounds +20" in words(sheet)
    assert "Average 10.0 a round" in words(sheet)
    assert "Ben: +20, Late twice" in words(get(phone, "end", played))
    assert "Ben: +20 Ann," in words(get(phone, "log", played))
    assert "Reason: Late twice" in words(get(phone, "log", played))


def test_a_bonus_is_taken_off_and_taken_back(phone: Client, played: Game) -> None:
    send(phone, "player_edit", played, 3, do="adjust", points="30", kind="bonus", reason="Baked a cake")
    assert totals(played)["Chitra"] == -4
    played.refresh_from_db()
    page = get(phone, "player_edit", played, 3)
    assert "−30 Baked a cake Take back" in words(page)

    send(phone, "player_edit", played, 3, do=f"unadjust:{played.version}")

    assert totals(played)["Chitra"] == 26
    assert "Chitra: −30 taken back" in words(get(phone, "log", played))
    assert "It was for: Baked a cake" in words(get(phone, "log", played))


def test_where_most_points_win_a_penalty_takes_off(opens: Callable[..., Client]) -> None:
    game = start(("Ann", "Ben"), scoring="positive").sheet.game
    phone = opens(Client(), game)
    assert "Penalty taken off the total Bonus added to the total" in words(get(phone, "player_edit", game, 1))

    send(phone, "player_edit", game, 1, do="adjust", points="5", kind="penalty", reason="Late")

    assert totals(game)["Ann"] == -5


@pytest.mark.parametrize("points", ["", "0", "ten", "1.5", "123456", "²"])
def test_points_that_are_none_come_back_as_typed(phone: Client, played: Game, points: str) -> None:
    answer = send(phone, "player_edit", played, 2, do="adjust", points=points, reason="Late")

    assert answer.status_code == 422
    assert "Ben: how many points?" in words(answer)
    assert f'name="points" value="{points}"' in answer.content.decode()
    assert 'value="Late"' in answer.content.decode()


def test_a_penalty_without_a_reason_is_refused(phone: Client, played: Game) -> None:
    answer = send(phone, "player_edit", played, 2, do="adjust", points="20")

    assert answer.status_code == 422
    assert "Ben: what is it for? A penalty or bonus needs a reason." in words(answer)


def test_the_last_two_cannot_leave(opens: Callable[..., Client]) -> None:
    game = start(("Ann", "Ben")).sheet.game
    answer = send(opens(Client(), game), "player_edit", game, 1, do="leave")

    assert answer.status_code == 422
    assert "A round has 2 to 14 players. Here it would be 1." in words(answer)


def test_another_phone_was_faster(phone: Client, played: Game) -> None:
    seen = played.version
    play(played, (0, 1, 2, 3, 4))
    answer = send(phone, "player_edit", played, 2, do="adjust", points="20", reason="Late", version=seen)

    assert answer.status_code == 409
    assert 'name="points" value="20"' in answer.content.decode()
    assert f'name="version" value="{played.version}"' in answer.content.decode()
    assert totals(played)["Ben"] == 30


def test_undo_and_redo_name_what_they_do(phone: Client, played: Game) -> None:
    player_add(game=played, name="Dan", start="highest")
    change_undo(game=played)
    board = words(get(phone, "board", played))

    assert "Undone: Dan joined in round 3. Redo" in board
    played.refresh_from_db()
    phone.post(reverse("redo", args=[played.slug]), {"version": played.version})
    assert totals(played)["Dan"] == 97


def test_joining_a_game_ended_early_goes_on(phone: Client, played: Game) -> None:
    game_finish(game=played)
    played.refresh_from_db()
    send(phone, "players", played, do="add", name="Dan")

    assert "Enter round 3" in words(get(phone, "board", played))


def test_the_start_goes_round_the_table_whoever_comes_and_goes(opens: Callable[..., Client]) -> None:
    game = start(("Ann", "Ben", "Cho", "Dee"), starter="rotate").sheet.game
    phone = opens(Client(), game)
    play(game, (0, 5, 9, 12), (0, 5, 9, 13), (0, 5, 9, 14))
    assert "Dee starts." in words(get(phone, "round_sheet", game, 4))

    player_add(game=game, name="Eve")  # of five the fourth round is Dee's all the same
    assert "Dee starts." in words(get(phone, "round_sheet", game, 4))
    player_change(game=game, seat=1, retired=True)  # of four that are left the fourth would be Eve
    assert "Dee starts." in words(get(phone, "round_sheet", game, 4))
    player_change(game=game, seat=4, retired=True)
    assert "Eve starts." in words(get(phone, "round_sheet", game, 4))


def test_the_menu_and_the_player_s_sheet_lead_here(phone: Client, watcher: Client, played: Game) -> None:
    for name, more, to in (("more", (), "players"), ("player", (2,), "player_edit")):
        link = f'href="{reverse(to, args=[played.slug, *more])}"'
        assert link in get(phone, name, played, *more).content.decode()
        assert link not in get(watcher, name, played, *more).content.decode()


def test_a_round_typed_for_other_people_is_looked_at_again(phone: Client, played: Game) -> None:
    seen = played.version
    typed = {f"hand-{seat}": str(points) for seat, points in enumerate((0, 14, 26, 45, 51), start=1)}
    player_change(game=played, seat=2, retired=True)
    played.refresh_from_db()
    url = reverse("hands", args=[played.slug, 3]) + "?out=1&new=1"

    answer = phone.post(url, {**typed, "version": seen})
    assert answer.status_code == 409
    assert "The game was changed meanwhile." in words(answer)
    assert phone.post(url, {**typed, "version": played.version}).status_code == 302
    assert sheet_of(Game.objects.get(pk=played.pk)).seats(3) == (1, 3, 4, 5)


def test_a_new_name_does_not_hold_up_a_round_being_typed(phone: Client, played: Game) -> None:
    seen = played.version
    typed = {f"hand-{seat}": str(points) for seat, points in enumerate((0, 14, 26, 45, 51), start=1)}
    player_change(game=played, seat=2, name="Bea")

    url = reverse("hands", args=[played.slug, 3]) + "?out=1&new=1"
    assert phone.post(url, {**typed, "version": seen}).status_code == 302


def test_the_coming_round_says_that_the_set_is_too_small(opens: Callable[..., Client]) -> None:
    game = start(("Ann", "Ben", "Cho"), max_pip=6, deal=9).sheet.game
    phone = opens(Client(), game)
    assert "too few tiles" not in words(get(phone, "round_sheet", game, 1))

    player_add(game=game, name="Dan")
    assert "The set has too few tiles for all of them." in words(get(phone, "round_sheet", game, 1))


def test_a_name_is_shown_as_text(phone: Client, played: Game) -> None:
    player_change(game=played, seat=2, name="<b>Ben</b>")
    adjustment_add(game=played, seat=2, points=1, reason="<i>Late</i>")
    for page in (
        get(phone, "players", played),
        get(phone, "player_edit", played, 2),
        get(phone, "player", played, 2),
        get(phone, "board", played),
        get(phone, "end", played),
    ):
        assert "<b>Ben</b>" not in page.content.decode()
        assert "<i>Late" not in page.content.decode()


PAGES: list[tuple[str, tuple[int, ...]]] = [("players", ()), ("player_edit", (2,))]


@pytest.mark.parametrize(("name", "more"), PAGES)
def test_who_watches_may_not(watcher: Client, played: Game, name: str, more: tuple[int, ...]) -> None:
    assert get(watcher, name, played, *more).status_code == 403
    assert send(watcher, name, played, *more, do="add", name="Dan").status_code == 403


@pytest.mark.parametrize(("name", "more"), PAGES)
def test_a_stranger_finds_nothing(stranger: Client, played: Game, name: str, more: tuple[int, ...]) -> None:
    assert get(stranger, name, played, *more).status_code == 404
    assert send(stranger, name, played, *more, do="add", name="Dan").status_code == 404


@pytest.mark.parametrize(("name", "more"), PAGES)
def test_no_other_method(phone: Client, played: Game, name: str, more: tuple[int, ...]) -> None:
    assert phone.put(reverse(name, args=[played.slug, *more])).status_code == 405


def test_a_seat_that_nobody_has_is_not_found(phone: Client, played: Game) -> None:
    assert get(phone, "player_edit", played, 9).status_code == 404
    assert send(phone, "player_edit", played, 2, do="unadjust:99").status_code == 422
