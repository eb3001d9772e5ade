"""Entering and correcting a round: what is saved, logged and refused."""

from __future__ import annotations

import pytest

from games.models import Action, Hand, LogEntry
from games.selectors import log_of, sheet_of
from games.services import Conflict, Refused, round_put
from tests.cast import claim, play, start

pytestmark = pytest.mark.django_db

FIRST = (33, 2, 0, 31, 46)
SECOND = (0, 14, 26, 45, 51)


def test_a_round_is_saved_with_points_scores_and_a_log_line() -> None:
    game = start().sheet.game

    written = round_put(game=game, number=1, claim=claim(FIRST), who="Ruth")

    assert written.created
    assert [row.total for row in written.sheet.table] == [0, 2, 31, 33, 46]
    assert written.sheet.next_engine == 11
    entry = LogEntry.objects.get(game=game, number=2)
    assert (entry.action, entry.round_number, entry.who) == (Action.ROUND_RECORDED, 1, "Ruth")
    assert entry.before == {"rounds": {"1": None}}
    assert [hand["points"] for hand in entry.after["rounds"]["1"]["hands"]] == list(FIRST)


def test_the_version_is_the_number_of_the_newest_log_entry() -> None:
    game = start().sheet.game
    play(game, FIRST, SECOND)

    assert game.version == 3
    assert list(game.log.values_list("number", flat=True)) == [1, 2, 3]


def test_a_correction_keeps_the_old_value_the_reason_and_who() -> None:
    game = start().sheet.game
    play(game, FIRST)

    written = round_put(
        game=game, number=1, claim=claim((33, 2, 0, 13, 46)), who="Ann", reason="a typing slip"
    )

    assert not written.created
    log = log_of(game)
    first, second = log.history(1, seat=4)
    assert (first.points, second.points) == (31, 13)
    assert (second.entry.who, second.entry.reason) == ("Ann", "a typing slip")
    assert log.corrected() == {(1, 4): 31}
    assert len(log.history(1, seat=1)) == 1


def test_a_correction_touches_only_the_hands_that_changed_value() -> None:
    game = start().sheet.game
    play(game, FIRST)
    rows = set(Hand.objects.values_list("pk", flat=True))

    round_put(game=game, number=1, claim=claim((33, 2, 0, 13, 46)))

    assert set(Hand.objects.values_list("pk", flat=True)) == rows


def test_saving_the_same_again_changes_nothing() -> None:
    game = start().sheet.game
    play(game, FIRST)

    written = round_put(game=game, number=1, claim=claim(FIRST))

    assert written.sheet.game.version == 2
    assert game.log.count() == 2


def test_an_impossible_round_is_refused_with_all_its_problems_and_nothing_is_saved() -> None:
    game = start().sheet.game

    with pytest.raises(Refused) as refused:
        round_put(game=game, number=1, claim=claim((1, 1, 7000, 5, 5)))

    assert refused.value.code == "round_impossible"
    assert {problem.code for problem in refused.value.problems} >= {"points_range", "zeros"}
    assert not game.rounds.exists()


def test_the_engine_must_be_the_next_in_order() -> None:
    game = start().sheet.game
    play(game, FIRST)

    with pytest.raises(Refused) as refused:
        round_put(game=game, number=2, claim=claim(SECOND, engine=9))

    (problem,) = refused.value.problems
    assert problem.code == "engine_order"
    assert problem.params["expected"] == 11


def test_burned_doubles_may_be_played_in_any_order_but_never_twice() -> None:
    game = start(engine_order="any_unused").sheet.game

    round_put(game=game, number=1, claim=claim(FIRST, engine=7))
    with pytest.raises(Refused) as refused:
        round_put(game=game, number=2, claim=claim(SECOND, engine=7))

    assert [problem.code for problem in refused.value.problems] == ["engine_order"]
    sheet = sheet_of(game)
    assert sheet.next_engine == 12
    assert sheet.engines[:3] == (7, 12, 11)


def test_a_round_beyond_the_next_is_refused() -> None:
    game = start().sheet.game

    for number in (0, 2, 14):
        with pytest.raises(Refused) as refused:
            round_put(game=game, number=number, claim=claim(FIRST))
        assert refused.value.code == "round_number"


def test_an_old_version_writes_nothing_and_shows_the_game_as_it_is() -> None:
    game = start().sheet.game
    play(game, FIRST)

    with pytest.raises(Conflict) as conflict:
        round_put(game=game, number=1, claim=claim((33, 2, 0, 13, 46)), version=1)

    assert conflict.value.sheet.game.version == 2
    assert game.log.count() == 2


def test_a_round_that_must_be_new_conflicts_with_one_that_is_there() -> None:
    game = start().sheet.game
    play(game, FIRST)

    with pytest.raises(Conflict):
        round_put(game=game, number=1, claim=claim(FIRST), only_new=True)


def test_a_disputed_round_needs_a_reason_and_keeps_its_marks() -> None:
    game = start(("Ann", "Ben", "Cho")).sheet.game
    clash = claim((0, 1, 1))

    with pytest.raises(Refused) as refused:
        round_put(game=game, number=1, claim=clash, disputed=True)
    assert refused.value.code == "invalid"

    written = round_put(game=game, number=1, claim=clash, disputed=True, reason="tiles were shuffled")
    (entry,) = written.sheet.rounds
    assert entry.disputed
    assert entry.marks == ["hands_clash"]


def test_a_dispute_does_not_override_what_can_be_repaired() -> None:
    game = start(("Ann", "Ben", "Cho")).sheet.game

    with pytest.raises(Refused) as refused:
        round_put(game=game, number=1, claim=claim((0, 5, None)), disputed=True, reason="Cho left")

    assert [problem.code for problem in refused.value.problems] == ["seat_missing"]


def test_the_last_round_finishes_the_game_and_taking_it_back_goes_on() -> None:
    game = start(("Kim", "Mike"), rounds=2).sheet.game
    play(game, (0, 37), (0, 34))

    assert game.status == "finished"
    assert sheet_of(game).next_engine is None
