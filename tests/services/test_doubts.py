"""Results in doubt: what each decision does to the game and the table, and an appeal's other way."""

from __future__ import annotations

import pytest

from games import results
from games.engine.season import shifts
from games.models import Action, ClubEntry, Doubt, Game, Season, Status
from games.removal import game_delete
from games.seasons import doubt_decide, doubt_raise, doubt_reopen, game_add, game_change, other_way
from games.selectors import log_of, sheet_of
from games.services import Refused, change_redo, change_undo, player_change, round_put, round_remove
from tests import club as at_club
from tests.cast import claim, play, start
from tests.club import FIRST_NIGHT, night, table

pytestmark = pytest.mark.django_db


@pytest.fixture
def spring() -> Season:
    return at_club.season(at_club.found())


def codes(refused: pytest.ExceptionInfo[Refused]) -> list[str]:
    return [problem.code for problem in refused.value.problems]


def test_a_game_that_ended_early_stays_finished_when_its_score_falls_the_other_way(spring: Season) -> None:
    played = night(spring, 1, ["Chitra", "Ben"], [0, 20], [15, 0])
    doubt = doubt_raise(played=played, other={"round": 2, "seat": 1, "points": 25}, reason="15 or 25?")
    doubt_decide(doubt=doubt, stands=False, reason="25")
    played.game.refresh_from_db()
    assert played.game.status == Status.FINISHED
    assert table(spring) == [("Ben", 1, "20"), ("Chitra", 2, "25")]


def test_after_an_appeal_the_other_way_of_a_score_is_what_it_was_before(spring: Season) -> None:
    played = night(spring, 1, ["Chitra", "Ben"], [0, 20], [15, 0])
    doubt = doubt_raise(played=played, other={"round": 2, "seat": 1, "points": 25}, reason="15 or 25?")
    doubt = doubt_decide(doubt=doubt, stands=False, reason="25")
    doubt = doubt_reopen(doubt=doubt, reason="It was 15")
    assert doubt.other == {"round": 2, "seat": 1, "points": 15}
    other = other_way(doubt)
    assert other is not None
    assert len(shifts(results.table_of(spring), results.table_of(spring, instead=other))) == 2
    doubt_decide(doubt=doubt, stands=False, reason="The sheet says 15")
    assert table(spring) == [("Chitra", 1, "15"), ("Ben", 2, "20")]


def test_after_an_appeal_the_other_way_of_a_void_game_is_that_it_counts(spring: Season) -> None:
    played = night(spring, 1, ["Chitra", "Ben"], [0, 20])
    doubt = doubt_raise(played=played, other={"void": True}, reason="Abandoned at 11–9")
    doubt = doubt_decide(doubt=doubt, stands=False, reason="Abandoned")
    doubt = doubt_reopen(doubt=doubt, reason="All agree on the score")
    assert [place for _, place, _ in table(spring)] == [None, None]
    other = other_way(doubt)
    assert other is not None
    assert not other.void
    doubt_decide(doubt=doubt, stands=False, reason="It counts")
    assert table(spring) == [("Chitra", 1, "0"), ("Ben", 2, "20")]
    assert [step.get("other") for step in doubt.steps] == [None, {"void": True}, None]


def test_a_void_that_stands_after_an_appeal_stays_void(spring: Season) -> None:
    played = night(spring, 1, ["Chitra", "Ben"], [0, 20])
    doubt = doubt_raise(played=played, other={"void": True}, reason="Abandoned")
    doubt = doubt_decide(doubt=doubt, stands=False, reason="Abandoned")
    doubt = doubt_reopen(doubt=doubt, reason="All agree on the score")
    doubt_decide(doubt=doubt, stands=True, reason="Not all")
    assert [place for _, place, _ in table(spring)] == [None, None]


@pytest.mark.parametrize(
    ("other", "code"),
    [
        ({"round": 1, "seat": 2, "points": 20}, "doubt_same"),
        ({"round": 1, "seat": 2, "points": -4}, "doubt_cannot"),
        ({"round": 1, "seat": 2}, "doubt_cannot"),
        ({"round": 1, "seat": 2, "points": "5"}, "doubt_cannot"),
        ({"round": 9, "seat": 2, "points": 5}, "round_gone"),
        ({"round": "x", "seat": 2, "points": 5}, "round_gone"),
        ({"round": 1, "seat": 7, "points": 5}, "player_unknown"),
        ({"void": False}, "doubt_same"),
    ],
)
def test_a_doubt_without_another_way_is_refused(spring: Season, other: dict[str, object], code: str) -> None:
    played = night(spring, 1, ["Chitra", "Ben"], [0, 20])
    with pytest.raises(Refused) as refused:
        doubt_raise(played=played, other=other, reason="?")
    assert codes(refused) == [code]


def test_a_score_whose_player_is_no_longer_in_its_round_cannot_fall(spring: Season) -> None:
    played = night(spring, 1, ["Chitra", "Ben", "Kwame"], [0, 20, 9], [15, 0, 8], finish=False)
    doubt = doubt_raise(played=played, other={"round": 2, "seat": 3, "points": 18}, reason="8 or 18?")
    round_remove(game=played.game, number=2)
    player_change(game=played.game, seat=3, retired=True)
    round_put(game=played.game, number=2, claim=claim([15, 0]))
    with pytest.raises(Refused) as refused:
        doubt_decide(doubt=doubt, stands=False, reason="18")
    assert codes(refused) == ["cell_unknown"]
    doubt_decide(doubt=doubt, stands=True, reason="Kwame had left")


def test_who_did_not_turn_up_and_forfeits_has_a_result_without_a_round(spring: Season) -> None:
    started = start(("Chitra", "Ben", "Kwame"), rounds=1)
    game = started.sheet.game
    player_change(game=game, seat=3, retired=True)
    play(game, [0, 20])
    played = game_add(season=spring, on=FIRST_NIGHT, game=game, seats={1: 1, 2: 4, 3: 2})
    assert [name for name, _, _ in table(spring)] == ["Chitra", "Ben"]
    game_change(played=played, forfeits=frozenset({3}))
    assert table(spring) == [("Chitra", 1, "0"), ("Ben", 2, "20"), ("Kwame", 3, "21")]


def test_the_league_s_abandoned_game_by_a_committee_and_an_appeal() -> None:
    league = at_club.season(at_club.found("Sylvers", "Molineux", "Giants"), tiebreaks=("wins",))
    night(league, 1, ["Sylvers", "Molineux", "Giants"], [0, 11, 20], [25, 0, 30])
    night(league, 2, ["Molineux", "Sylvers", "Giants"], [0, 14, 35])
    abandoned = night(league, 3, ["Molineux", "Giants"], [11, 9], [17, 0])  # 28 to Molineux if it counts
    game_change(played=abandoned, void=True, reason="Abandoned at 11–9")
    assert table(league) == [("Molineux", 1, "11"), ("Sylvers", 2, "39"), ("Giants", 3, "85")]
    doubt = doubt_raise(played=abandoned, other={"void": False}, reason="The committee has not met")

    published = results.table_of(league)
    other = other_way(Doubt.objects.get(pk=doubt.pk))
    assert other is not None
    level = results.table_of(league, instead=other)
    assert shifts(published, level) == ()  # they are level then, and parted as they stand now
    assert [row.value for row in level][:2] == [39, 39]
    assert level[1].decided_by == "wins"

    doubt = doubt_decide(doubt=doubt, stands=False, reason="Two witnesses", who="Committee")
    assert table(league)[:2] == [("Molineux", 1, "39"), ("Sylvers", 2, "39")]
    doubt = doubt_reopen(doubt=doubt, reason="Neither saw the last hand", who="Giants")
    doubt = doubt_decide(doubt=doubt, stands=False, reason="On appeal", who="Committee")
    assert table(league)[:2] == [("Molineux", 1, "11"), ("Sylvers", 2, "39")]
    assert [(step["kind"], step["who"]) for step in doubt.steps[1:]] == [
        ("decided", "Committee"),
        ("reopened", "Giants"),
        ("decided", "Committee"),
    ]


def test_the_log_names_what_was_asked_when_it_was_decided(spring: Season) -> None:
    played = night(spring, 1, ["Chitra", "Ben"], [0, 20], [15, 0])
    doubt = doubt_raise(played=played, other={"round": 2, "seat": 1, "points": 25}, reason="15 or 25?")
    doubt = doubt_decide(doubt=doubt, stands=False, reason="25")
    doubt = doubt_reopen(doubt=doubt, reason="It was 15")
    doubt_decide(doubt=doubt, stands=True, reason="25 it is")
    entries = ClubEntry.objects.filter(action__startswith="doubt_").order_by("number")
    assert [entry.after["other"]["points"] for entry in entries] == [25, 25, 15, 15]


def test_a_score_that_was_decided_is_disputed_only_if_it_cannot_be_right(spring: Season) -> None:
    played = night(spring, 1, ["Chitra", "Ben", "Kwame"], [0, 20, 30], [15, 0, 1])
    disputed = []
    for points in (25, 1):
        doubt = doubt_raise(played=played, other={"round": 2, "seat": 1, "points": points}, reason="Seen")
        doubt_decide(doubt=doubt, stands=False, reason="Counted again")
        disputed.append(played.game.rounds.get(number=2).disputed)
    assert disputed == [False, True]


def decided(spring: Season, *, stands: bool = False, rounds: int = 2) -> Game:
    """Two rounds, a correction of the second, and a decision about it."""
    played = night(spring, 1, ["Chitra", "Ben"], [0, 20], [15, 0], rounds=rounds)
    round_put(game=played.game, number=2, claim=claim((16, 0)))
    doubt = doubt_raise(played=played, other={"round": 2, "seat": 1, "points": 25}, reason="16 or 25?")
    doubt_decide(doubt=doubt, stands=stands, reason="Two saw it", who="Kwame")
    return Game.objects.get(pk=played.game.pk)


def scores(game: Game) -> list[list[int]]:
    return [[hand.points for hand in entry.hands.values()] for entry in sheet_of(game).rounds]


@pytest.mark.parametrize(("stands", "there"), [(False, [25, 0]), (True, [16, 0])])
def test_undo_does_not_take_a_decision_back(spring: Season, stands: bool, there: list[int]) -> None:
    game = decided(spring, stands=stands)
    with pytest.raises(Refused) as refused:
        change_undo(game=game)
    assert (refused.value.code, codes(refused)) == ("nothing_to_undo", ["undo_decided"])
    assert refused.value.problems[0].params == {"round": 2}
    assert scores(game)[1] == there
    newest = log_of(game).entries[-1]
    assert (newest.action, newest.who, newest.reason) == (Action.DECIDED, "Kwame", "Two saw it")
    assert Game.objects.get(pk=game.pk).version == newest.number


def test_undo_goes_back_to_a_decision_and_redo_forward_from_it(spring: Season) -> None:
    game = decided(spring, rounds=3)
    play(game, [0, 7])
    round_put(game=game, number=2, claim=claim((24, 0)), reason="A slip")
    change_undo(game=game)
    change_undo(game=game)
    assert scores(game) == [[0, 20], [25, 0]]
    with pytest.raises(Refused):
        change_undo(game=game)
    change_redo(game=game)
    assert scores(game) == [[0, 20], [25, 0], [0, 7]]


def test_redo_brings_nothing_back_over_a_decision(spring: Season) -> None:
    played = night(spring, 1, ["Chitra", "Ben"], [0, 20], [15, 0])
    doubt = doubt_raise(played=played, other={"round": 2, "seat": 1, "points": 25}, reason="15 or 25?")
    round_put(game=played.game, number=2, claim=claim((16, 0)))
    change_undo(game=played.game)
    doubt_decide(doubt=doubt, stands=False, reason="25")
    with pytest.raises(Refused) as refused:
        change_redo(game=played.game)
    assert refused.value.code == "nothing_to_redo"
    assert scores(played.game)[1] == [25, 0]


def test_the_other_way_of_an_appeal_is_not_undone_either(spring: Season) -> None:
    game = decided(spring)
    doubt = doubt_reopen(doubt=Doubt.objects.get(), reason="The sheet says 16")
    doubt_decide(doubt=doubt, stands=False, reason="So it does")
    with pytest.raises(Refused):
        change_undo(game=game)
    assert scores(game)[1] == [16, 0]
    assert table(spring) == [("Chitra", 1, "16"), ("Ben", 2, "20")]


def test_that_a_score_stands_is_decided_though_the_game_or_the_round_is_gone(spring: Season) -> None:
    one, other = (night(spring, at, ["Chitra", "Ben"], [0, 20], [15, 0]) for at in (1, 2))
    doubts = [
        doubt_raise(played=played, other={"round": 2, "seat": 1, "points": 25}, reason="15 or 25?")
        for played in (one, other)
    ]
    game_delete(game=one.game)
    round_remove(game=other.game, number=2)
    for doubt in doubts:
        assert not doubt_decide(doubt=doubt, stands=True, reason="Nobody says so").open
    assert Action.DECIDED not in {entry.action for game in (one.game, other.game) for entry in game.log.all()}


def test_a_decision_that_a_game_counts_or_not_leaves_undo_as_it_was(spring: Season) -> None:
    played = night(spring, 1, ["Chitra", "Ben"], [0, 20], [15, 0])
    doubt = doubt_raise(played=played, other={"void": True}, reason="Abandoned")
    doubt_decide(doubt=doubt, stands=False, reason="It was")
    change_undo(game=played.game)
    assert Game.objects.get(pk=played.game.pk).status == Status.PLAYING
