"""Disputes: a challenge changes no score and stays; a ruling is one change that Undo can reverse."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError, transaction

from games.disputes import MAX_OPEN, challenge_add, challenge_rule
from games.models import Action, Challenge, Game, Role, Ruling, Status
from games.selectors import Sheet, sheet_of
from games.services import (
    Conflict,
    Refused,
    change_redo,
    change_undo,
    game_finish,
    player_add,
    round_put,
    round_remove,
)
from tests.cast import claim, play, start

pytestmark = pytest.mark.django_db

ROUND = (33, 2, 0, 31, 46)
SECOND = (0, 14, 26, 45, 51)


@pytest.fixture
def game() -> Game:
    game = start().sheet.game
    play(game, ROUND, SECOND)
    return game


def challenge(game: Game, number: int = 1, seat: int = 4, **more: Any) -> Sheet:
    about: dict[str, Any] = {
        "points": 13,
        "reason": "I held the 9-4.",
        "role": Role.VIEWER,
        "who": "Wilhelmina",
    }
    return challenge_add(game=game, number=number, seat=seat, **about | more).sheet


def rule(game: Game, ruling: Ruling = Ruling.UPHELD, number: int = 1, **more: Any) -> Sheet:
    about: dict[str, Any] = {"reason": "We counted again.", "who": "Ruth"}
    return challenge_rule(game=game, number=number, ruling=ruling, **about | more).sheet


def codes(refused: pytest.ExceptionInfo[Refused]) -> list[str]:
    return [problem.code for problem in refused.value.problems]


def points(game: Game, number: int = 1, seat: int = 4) -> int:
    entry = sheet_of(game).round(number)
    assert entry is not None
    return entry.hands[seat].points


def test_a_challenge_keeps_all_that_was_said_and_changes_no_score(game: Game) -> None:
    sheet = challenge(game)

    (one,) = sheet.pending
    assert (one.number, one.round_number, one.seat, one.was, one.points) == (1, 1, 4, 31, 13)
    assert (one.reason, one.who, one.role) == ("I held the 9-4.", "Wilhelmina", "viewer")
    assert points(game) == 31
    entry = game.log.latest("number")
    assert (entry.action, entry.round_number, entry.who) == (Action.CHALLENGED, 1, "Wilhelmina")
    assert (entry.number, entry.reason) == (sheet.game.version, "I held the 9-4.")
    assert entry.role == Role.VIEWER


def test_upheld_it_changes_the_score_in_the_same_entry(game: Game) -> None:
    challenge(game)
    sheet = rule(game)

    assert points(game) == 13
    assert sheet.pending == ()
    (one,) = sheet.challenges
    assert (one.ruling, one.ruling_reason, one.ruled_by) == ("upheld", "We counted again.", "Ruth")
    assert (one.was, one.points) == (31, 13)
    entry = game.log.latest("number")
    assert entry.action == Action.RULED
    assert [hand["points"] for hand in entry.before["rounds"]["1"]["hands"]] == list(ROUND)
    assert [hand["points"] for hand in entry.after["rounds"]["1"]["hands"]] == [33, 2, 0, 13, 46]
    assert entry.before["challenges"]["1"]["ruling"] == "open"
    assert entry.after["challenges"]["1"]["ruling"] == "upheld"


def test_the_scorer_may_find_a_third_number(game: Game) -> None:
    challenge(game)
    rule(game, points=22)
    assert points(game) == 22


def test_tiles_may_settle_it(game: Game) -> None:
    challenge(game, points=None)
    sheet = rule(game, tiles=("9-4", "2-2"))
    entry = sheet.round(1)
    assert entry is not None
    assert (entry.hands[4].points, entry.hands[4].tiles) == (17, ["9-4", "2-2"])


def test_dismissed_it_leaves_the_score_and_stays_readable(game: Game) -> None:
    challenge(game)
    sheet = rule(game, Ruling.DISMISSED)

    assert points(game) == 31
    assert [one.ruling for one in sheet.challenges] == ["dismissed"]
    assert "rounds" not in game.log.latest("number").after


def test_undo_passes_over_a_challenge(game: Game) -> None:
    challenge(game)
    sheet = change_undo(game=game).sheet

    assert len(sheet.rounds) == 1
    assert len(sheet.pending) == 1


def test_undo_of_a_ruling_puts_score_and_challenge_back_and_redo_rules_again(game: Game) -> None:
    challenge(game)
    rule(game)

    sheet = change_undo(game=game).sheet
    assert points(game) == 31
    assert len(sheet.pending) == 1
    assert sheet.pending[0].ruled_at is None

    sheet = change_redo(game=game).sheet
    assert points(game) == 13
    assert sheet.pending == ()
    assert sheet.challenges[0].ruled_at is not None


def test_a_cell_is_challenged_once_at_a_time(game: Game) -> None:
    challenge(game)
    with pytest.raises(Refused) as refused:
        challenge(game, reason="And I saw it")
    assert codes(refused) == ["challenge_open"]
    assert refused.value.problems[0].params["reason"] == "I held the 9-4."

    rule(game, Ruling.DISMISSED)
    assert len(challenge(game).pending) == 1


def test_the_database_holds_one_open_challenge_a_cell(game: Game) -> None:
    challenge(game)
    with pytest.raises(IntegrityError), transaction.atomic():
        Challenge.objects.create(
            game=game, number=2, round_number=1, seat=4, was=31, reason="x", role=Role.VIEWER
        )


def test_a_ruling_is_not_undone_while_the_cell_is_challenged_anew(game: Game) -> None:
    challenge(game)
    rule(game, Ruling.DISMISSED)
    challenge(game, reason="Once more")
    with pytest.raises(Refused) as refused:
        change_undo(game=game)
    assert codes(refused) == ["challenge_open"]


def test_a_round_taken_back_is_not_pending_until_redo_brings_it_back(game: Game) -> None:
    challenge(game, number=2)
    assert change_undo(game=game).sheet.pending == ()
    assert len(change_redo(game=game).sheet.pending) == 1

    round_remove(game=game, number=2)
    with pytest.raises(Refused) as refused:
        rule(game)
    assert codes(refused) == ["cell_unknown"]
    assert [one.ruling for one in rule(game, Ruling.DISMISSED).challenges] == ["dismissed"]


def test_a_player_who_is_undone_takes_no_challenge_along(game: Game) -> None:
    player_add(game=game, name="Dan")
    round_put(game=game, number=3, claim=claim((1, 0, 20, 30, 40, 50)))
    challenge(game, number=3, seat=6, points=5)
    change_undo(game=game)
    sheet = change_undo(game=game).sheet
    assert sheet.player(6) is None
    assert sheet.pending == ()
    change_redo(game=game)
    assert len(change_redo(game=game).sheet.pending) == 1


def test_a_game_that_was_ended_early_stays_ended(game: Game) -> None:
    challenge(game)
    game_finish(game=game)
    assert rule(game).game.status == Status.FINISHED
    assert change_undo(game=game).sheet.game.status == Status.FINISHED


def test_a_score_corrected_meanwhile_is_upheld_without_another_change(game: Game) -> None:
    challenge(game)
    round_put(game=game, number=1, claim=claim((33, 2, 0, 13, 46)))
    rule(game)
    assert points(game) == 13
    assert "rounds" not in game.log.latest("number").after


@pytest.mark.parametrize(
    ("number", "seat", "more", "code"),
    [
        (3, 4, {}, "cell_unknown"),
        (0, 4, {}, "cell_unknown"),
        (1, 9, {}, "cell_unknown"),
        (1, 4, {"reason": "  "}, "reason_missing"),
        (1, 4, {"points": 5000}, "points_range"),
        (1, 4, {"points": 31}, "challenge_same"),
    ],
)
def test_what_cannot_be_challenged(game: Game, number: int, seat: int, more: Any, code: str) -> None:
    version = sheet_of(game).game.version
    with pytest.raises(Refused) as refused:
        challenge(game, number, seat, **more)
    assert codes(refused) == [code]
    game.refresh_from_db()
    assert (game.version, game.challenge_count) == (version, 0)


def test_a_link_that_is_shared_widely_cannot_bury_the_game() -> None:
    game = start([f"P{seat}" for seat in range(1, 12)]).sheet.game
    play(game, (0, *range(1, 20, 2), 30)[:11], (0, *range(21, 40, 2), 30)[:11])
    for at in range(MAX_OPEN):
        challenge(game, 1 + at // 10, 1 + at % 10, points=None)
    with pytest.raises(Refused) as refused:
        challenge(game, 2, 11, points=None)
    assert codes(refused) == ["challenges_many"]
    round_remove(game=game, number=2)  # what was disputed in it waits for no ruling now
    challenge(game, 1, 11, points=None)


@pytest.mark.parametrize(
    ("number", "more", "top", "code"),
    [
        (2, {}, "not_found", "challenge_unknown"),
        (1, {"reason": "", "points": 13}, "invalid", "reason_missing"),
        (1, {}, "invalid", "ruling_points"),
        (1, {"points": 5000}, "round_impossible", "points_range"),
    ],
)
def test_what_is_no_ruling(game: Game, number: int, more: Any, top: str, code: str) -> None:
    challenge(game, points=None)
    with pytest.raises(Refused) as refused:
        rule(game, number=number, **more)
    assert (refused.value.code, codes(refused)[0]) == (top, code)
    assert points(game) == 31
    assert len(sheet_of(Game.objects.get(pk=game.pk)).pending) == 1


def test_a_round_that_cannot_be_is_ruled_as_disputed_with_its_reason(game: Game) -> None:
    challenge(game, seat=3, points=12)
    with pytest.raises(Refused) as refused:
        rule(game)
    assert (refused.value.code, codes(refused)) == ("round_impossible", ["zeros"])
    sheet = rule(game, disputed=True)
    entry = sheet.round(1)
    assert entry is not None
    assert (entry.disputed, entry.marks) == (True, ["zeros"])


def test_it_is_ruled_on_once(game: Game) -> None:
    challenge(game)
    rule(game)
    with pytest.raises(Refused) as refused:
        rule(game, Ruling.DISMISSED)
    assert codes(refused) == ["challenge_ruled"]


def test_who_saw_an_older_game_writes_nothing(game: Game) -> None:
    with pytest.raises(Conflict):
        challenge(game, version=game.version - 1)
    challenge(game)
    with pytest.raises(Conflict):
        rule(game, version=game.version)
