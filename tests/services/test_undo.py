"""Undo reverses the last change, whatever it was, by a new line in the log; Redo until the next change."""

from __future__ import annotations

import pytest

from games.engine.rules import rule_set
from games.models import Action, Game, Status
from games.selectors import Sheet, log_of, sheet_of
from games.services import (
    Conflict,
    Refused,
    Setup,
    change_redo,
    change_undo,
    game_finish,
    game_set_up_anew,
    round_put,
    round_remove,
)
from tests.cast import claim, play, start

pytestmark = pytest.mark.django_db

FIRST, SECOND = (33, 2, 0, 31, 46), (0, 14, 26, 45, 51)


def grid(sheet: Sheet) -> list[list[int]]:
    return [[entry.hands[seat].points for seat in sorted(entry.hands)] for entry in sheet.rounds]


def actions(game: Game) -> list[str]:
    return [entry.action for entry in log_of(game).entries]


def test_a_new_round_is_undone_and_done_again() -> None:
    game = start().sheet.game
    play(game, FIRST, SECOND)

    assert grid(change_undo(game=game, who="Ben").sheet) == [list(FIRST)]
    assert grid(change_redo(game=game).sheet) == [list(FIRST), list(SECOND)]
    assert actions(game)[-2:] == [Action.UNDONE, Action.REDONE]
    assert log_of(game).entries[-2].who == "Ben"


def test_a_correction_is_undone() -> None:
    game = start().sheet.game
    play(game, FIRST)
    round_put(game=game, number=1, claim=claim((33, 2, 0, 13, 46)))

    assert grid(change_undo(game=game).sheet) == [list(FIRST)]
    assert log_of(game).corrected() == {}
    assert len(log_of(game).history(1, seat=4)) == 3


def test_a_round_taken_back_comes_again() -> None:
    game = start().sheet.game
    play(game, FIRST, SECOND)
    round_remove(game=game, number=2)

    assert grid(change_undo(game=game).sheet) == [list(FIRST), list(SECOND)]


def test_finishing_early_is_undone() -> None:
    game = start().sheet.game
    play(game, FIRST)
    assert game_finish(game=game).sheet.game.status == "finished"

    assert change_undo(game=game).sheet.game.status == "playing"
    assert change_redo(game=game).sheet.game.status == "finished"


def test_the_round_that_ended_the_game_is_undone_with_its_end() -> None:
    game = start(("Kim", "Mike"), rounds=1).sheet.game
    play(game, (0, 37))

    assert change_undo(game=game).sheet.game.status == "playing"
    assert change_redo(game=game).sheet.game.status == "finished"


def test_another_set_up_is_undone_with_its_players() -> None:
    game = start(("Kim", "Mike")).sheet.game
    game_set_up_anew(game=game, setup=Setup(players=("Mike", "Kim", "Lou"), rules=rule_set("gamerules")))

    sheet = change_undo(game=game).sheet

    assert [player.name for player in sheet.players] == ["Kim", "Mike"]
    assert sheet.rules.preset == "thoughtco"
    assert [player.name for player in change_redo(game=game).sheet.players] == ["Mike", "Kim", "Lou"]


def test_undo_goes_back_step_by_step_to_the_start_and_no_further() -> None:
    game = start().sheet.game
    play(game, FIRST, SECOND)
    change_undo(game=game)
    change_undo(game=game)

    assert grid(sheet_of(game)) == []
    with pytest.raises(Refused) as refused:
        change_undo(game=game)
    assert refused.value.code == "nothing_to_undo"
    change_redo(game=game)
    assert grid(change_redo(game=game).sheet) == [list(FIRST), list(SECOND)]


def test_a_new_change_forgets_what_could_be_done_again() -> None:
    game = start().sheet.game
    play(game, FIRST, SECOND)
    change_undo(game=game)
    play(game, (0, 1, 2, 3, 4))

    with pytest.raises(Refused) as refused:
        change_redo(game=game)
    assert refused.value.code == "nothing_to_redo"


def test_undo_of_what_somebody_else_has_changed_meanwhile_conflicts() -> None:
    game = start().sheet.game
    play(game, FIRST)
    seen = game.version
    play(game, SECOND)

    with pytest.raises(Conflict):
        change_undo(game=game, version=seen)


def test_undo_of_a_last_round_leaves_a_game_finished_that_was_finished_early() -> None:
    game = start(rounds=2).sheet.game
    play(game, FIRST)
    game_finish(game=game)
    play(game, SECOND)

    assert change_undo(game=game).sheet.game.status == Status.FINISHED
    assert change_undo(game=game).sheet.game.status == Status.PLAYING
    change_redo(game=game)
    assert change_redo(game=game).sheet.game.status == Status.FINISHED


def test_a_corrected_round_taken_back_and_brought_back_is_still_corrected() -> None:
    game = start().sheet.game
    play(game, FIRST)
    round_put(game=game, number=1, claim=claim((33, 2, 0, 13, 46)))
    round_remove(game=game, number=1)
    change_undo(game=game)

    assert log_of(game).corrected() == {(1, 4): 31}


def test_a_round_entered_anew_is_not_a_correction_of_the_one_taken_back() -> None:
    game = start().sheet.game
    play(game, FIRST)
    round_remove(game=game, number=1)
    play(game, (33, 2, 0, 13, 46))

    assert log_of(game).corrected() == {}
