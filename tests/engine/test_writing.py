"""A record written tap by tap is the record; what may come next is what the rules allow."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from games.engine import writing
from games.engine.moves import Draw, Lay, Marker, Move, Pass, Say
from games.engine.reading import parse_record
from games.engine.record import Record, Turn, print_record
from games.engine.replay import replay
from games.engine.round import legal_moves
from games.engine.rules import PRESETS
from games.engine.suits import numbers
from games.engine.writing import Now, WritingError, now, opened
from tests.engine.rounds import hidden, most_dealt, random_round, random_rules

SIX = "rules: {0}\nset: 6\nplayers: A=Ann, B=Ben\ndeal: 4\nengine: 6-6{1}\n"


def read(lines: str, rules: str = "gamerules", layer: str = "") -> Record:
    return opened(parse_record(SIX.format(rules, layer) + lines))


def tile(one: int, other: int) -> int:
    return max(one, other) * (max(one, other) + 1) // 2 + min(one, other)


def again(record: Record) -> Record:
    """Kept as text and read again."""
    return opened(parse_record(print_record(record)))


def tapped(record: Record) -> list[Record]:
    """A record written anew, one after each tap. Signs that change nothing are not written."""
    state = replace(record, turns=(), ended=None, out=(), told=())
    states = [state]
    for turn in record.turns:
        for action in turn.actions:
            if isinstance(action, Marker) and action.on and now(state).may_keep:
                state = writing.kept(state)
            elif isinstance(action, Say | Marker):
                continue
            else:
                at = now(state)
                assert at.player == turn.player
                assert writing.why_not(at, action) is None
                if isinstance(action, Lay):
                    spot = next(spot for spot in writing.spots(at) if spot.train == action.train)
                    assert spot.tiles >> action.number & 1
                state = writing.written(state, action)
            states.append(state)
    if record.ended == "blocked":
        state = writing.blocked(state)
        states.append(state)
    return states


@pytest.mark.parametrize("preset", PRESETS)
def test_whole_rounds_are_tapped_taken_back_and_done_again(preset: str) -> None:
    """Rounds played by chance come out as they were, shown and hidden, undone to nothing, done again."""
    rng = Random(preset)
    for _ in range(6):
        rules = replace(PRESETS[preset], max_pip=rng.choice((6, 9)))
        players = rng.randint(2, 5)
        shown, _may = random_round(rng, rules, players, min(5, most_dealt(rules, players)), most=60)
        for record in (shown, hidden(rng, shown)):
            states = tapped(record)
            whole = last = states[-1]
            assert [moves(turn) for turn in last.turns] == [moves(turn) for turn in record.turns]
            assert (last.ended, set(last.out)) == (record.ended, set(record.out))
            for state in states[:: max(1, len(states) // 12)]:
                assert again(state) == state
            found = replay(record)
            assert replay(again(last)).verdict in {found.verdict, "legal"}
            for state in reversed(states[:-1]):
                last = writing.taken_back(last)
                assert last == state
            assert writing.taken_back(last) == last
            assert writing.last_step(last) is None
            undone = again(whole)
            for state in states[1:]:
                last = writing.done_again(last, undone)
                assert last == state
            assert writing.done_again(last, whole) == whole


def moves(turn: Turn) -> list[object]:
    return [action for action in turn.actions if not isinstance(action, Marker | Say)]


def test_what_may_come_is_what_the_rules_allow() -> None:
    """At each moment of rounds under any mix of rules: trains and tiles, draw and pass."""
    rng = Random(12)
    for _ in range(25):
        rules = random_rules(rng, rng.choice((6, 9)))
        players = rng.randint(2, 4)
        record = hidden(rng, random_round(rng, rules, players, 4, most=12)[0])
        for state in tapped(replace(record, ended=None, out=())):
            at = now(state)
            if at.player is None:
                continue
            legal = legal_moves(at.state)
            may = {Lay(one, spot.train) for spot in writing.spots(at) for one in numbers(spot.tiles)}
            assert may == {move for move in legal if isinstance(move, Lay)}
            for spot in writing.spots(at):
                closed = writing.why_shut(at, spot.train)
                assert (closed and closed.code) == spot.why
                assert spot.why is None or not spot.tiles
            for move in (Draw(), Pass()):
                assert (writing.why_not(at, move) is None) == (move in legal)


def test_a_marker_told_as_not_moved_is_what_a_replay_calls_wrong() -> None:
    """After each turn of rounds under any mix of rules that moved a marker; and only there."""
    rng = Random(5)
    seen = 0
    for _ in range(12):
        rules = random_rules(rng, 6)
        record, _may = random_round(rng, rules, rng.randint(2, 4), 4, most=14)
        for state in tapped(replace(record, ended=None, out=())):
            at = now(state)
            if at.unmoved is None:
                assert writing.why_unmoved(at) is None
                with pytest.raises(WritingError):
                    writing.unmoved(state)
                continue
            signed = writing.unmoved(state)
            problem, found = writing.why_unmoved(at), replay(again(signed)).violation
            assert problem is not None
            assert found is not None
            assert (
                (found.code, found.turn) == (problem.code, len(state.turns)) == ("marker", len(state.turns))
            )
            assert (found.rule, found.params["action"]) == (problem.params["rule"], problem.params["action"])
            assert now(signed).stuck
            assert writing.taken_back(signed) == state
            seen += 1
    assert seen > 20


WHY: dict[str, tuple[str, Move]] = {
    "already_laid": ("1. A 6-3", Lay(tile(6, 3), "B")),
    "no_match": ("1. A 6-3", Lay(tile(5, 4), "B")),
    "train_closed": ("1. A 6-3", Lay(tile(3, 1), "A")),
    "must_cover": ("1. A 6-3\n2. B 6-2\n3. A 3-3 +  -", Lay(tile(6, 1), "M")),
    "must_draw": ("", Pass()),
    "no_draw": ("1. A +", Draw()),
    "not_in_set": ("", Lay(tile(7, 6), "A")),
    "unknown_player": ("", Lay(tile(6, 3), "Z")),
}


@pytest.mark.parametrize("code", WHY)
def test_why_a_move_is_not_allowed_is_told(code: str) -> None:
    lines, move = WHY[code]
    found = writing.why_not(now(read(lines)), move)
    assert found is not None
    assert found.code == code


def test_what_other_rules_refuse_is_told() -> None:
    first = now(read("", "wikihow", " A"))
    assert code(writing.why_not(first, Lay(tile(6, 1), "M"))) == "own_train_first"
    thought = now(read("", "thoughtco", " A"))
    assert code(writing.why_not(thought, Draw())) == "no_draw"
    club = now(read("1. A 6-3\n2. B 6-2\n3. A 3-3", "tournament"))
    assert code(writing.why_not(club, Lay(tile(6, 1), "M"))) == "cover_on_double"
    twice = now(read("1. A 6-3\n2. B 6-2\n3. A 3-3", "tournament double_blank=25 after_double=anywhere"))
    assert code(writing.why_not(twice, Lay(tile(2, 2), "M"))) in {"no_match", "one_double"}
    known = "hand A: 6-3 5-4 4-2 1-0\n"
    at = now(read(known))
    assert code(writing.why_not(at, Lay(tile(6, 1), "A"))) == "not_in_hand"
    assert code(writing.why_not(at, Pass())) == "must_play"
    drawn = now(read("hand A: 5-1 5-4 4-2 1-0\n1. A +6-1"))
    assert code(writing.why_not(drawn, Pass())) == "must_play_drawn"
    double = now(read("hand A: 6-3 3-3 3-2 1-0\n1. A 6-3\n2. B 6-2\n3. A 3-3"))
    assert code(writing.why_not(double, Pass())) == "must_follow_double"
    assert code(writing.why_not(now(read("")), Draw(), "B")) == "out_of_turn"


def code(problem: object) -> str | None:
    return getattr(problem, "code", None)


def test_a_move_against_the_rules_is_written_and_nothing_follows() -> None:
    record = writing.written(read("1. A 6-3"), Lay(tile(3, 1), "A"))
    at = now(again(record))
    assert at.stuck
    assert at.player is None
    assert writing.spots(at) == ()
    found = replay(again(record))
    assert (found.verdict, found.violation and found.violation.code) == ("illegal", "train_closed")
    with pytest.raises(WritingError):
        writing.written(record, Pass())
    assert writing.taken_back(record) == read("1. A 6-3")


def test_somebody_may_be_written_to_have_played_out_of_turn() -> None:
    record = writing.written(read(""), Lay(tile(6, 1), "B"), "B")
    found = replay(again(record))
    assert found.violation is not None
    assert found.violation.code == "out_of_turn"


def test_a_marker_that_was_on_may_have_stayed() -> None:
    record = read("1. A + -\n2. B 6-2\n3. A + 6-3")
    at = now(record)
    assert (at.marker, at.may_keep) == ("off", True)
    stayed = writing.kept(record)
    assert now(stayed).state.marked == ("A",)
    assert now(stayed).marker is None
    assert replay(stayed).verdict == "unfinished"
    with pytest.raises(WritingError):
        writing.kept(stayed)
    assert writing.taken_back(stayed) == record
    assert not now(read("1. A -\n2. B -\n3. A 6-3", "thoughtco", " A")).may_keep


def test_a_first_turn_s_own_train_is_stopped_by_a_pass() -> None:
    record = writing.written(read("", "thoughtco", " A"), Lay(tile(6, 3), "A"))
    assert now(record).may_stop
    done = writing.written(record, Pass())
    assert now(done).player == "B"
    assert now(done).marker is None
    assert print_record(done).endswith("1. A 6-3>A -\n")


def test_the_last_tile_is_said() -> None:
    record = read("1. A 6-3\n2. B 6-2\n3. A 3-1\n4. B 2-1>B\n5. A 1-0")
    assert now(record).may_say
    said = writing.said(record)
    assert not now(said).may_say
    assert replay(said).notes == ()
    assert len(replay(record).notes) == 1


def test_the_last_tile_ends_the_round() -> None:
    before = read("1. A 6-3\n2. B 6-2\n3. A 3-1\n4. B 2-1>B\n5. A 1-0\n6. B 1-4")
    record = writing.written(before, Lay(tile(0, 2), "A"))
    assert (record.ended, record.out) == ("out", ("A",))
    assert replay(record).scores == {"A": 0, "B": None}
    assert replay(writing.with_left(record, "B", tile(5, 5))).scores == {"A": 0, "B": 10}
    assert writing.taken_back(record) == before


def test_hands_are_told_tile_by_tile() -> None:
    lines = "1. A 6-3\n2. B + -\n3. A 3-1\n4. B + -\n5. A 1-0\n6. B + -\n7. A 0-2\nout: A\n"
    record = read(lines)
    assert now(record).state.count("B") == 7
    hand = [tile(5, 5), tile(4, 4), tile(3, 3), tile(5, 4), tile(5, 3), tile(4, 3)]
    for number in hand:
        record = writing.with_left(record, "B", number)
        assert writing.judged(record).told == ()
        assert again(record) == record
    record = writing.with_left(record, "B", tile(4, 3))
    record = writing.with_left(record, "B", tile(4, 3))
    assert writing.taken_back(record) != record
    record = writing.with_left(record, "B", tile(1, 1))
    found = replay(writing.judged(record))
    points = sum(sum(divmod_of(one)) for one in [*hand, tile(1, 1)])
    assert found.verdict in {"legal", "impossible"}
    whole = writing.with_scores(record, {"A": 0, "B": points})
    assert replay(whole).violation is None or replay(whole).verdict == "impossible"
    assert print_record(whole).endswith(f"score: A 0, B {points}\n")
    at = now(record)
    assert code(writing.why_not_left(at, "A", tile(5, 5))) == "tile_twice"
    assert code(writing.why_not_left(at, "B", tile(6, 3))) == "already_laid"
    assert code(writing.why_not_left(at, "B", tile(7, 3))) == "not_in_set"
    assert writing.why_not_left(at, "B", tile(2, 2)) is None
    given = writing.with_points(record, "B", 12)
    assert replay(given).violation is not None
    assert writing.with_points(given, "B", None) == record


def divmod_of(number: int) -> tuple[int, int]:
    high = next(high for high in range(19) if (high + 1) * (high + 2) // 2 > number)
    return high, number - high * (high + 1) // 2


def test_blocked_is_called_only_where_nobody_can_play() -> None:
    assert code(writing.why_not_blocked(now(read("1. A 6-3")))) == "not_blocked"
    record = writing.blocked(read("1. A 6-3"))
    found = replay(record)
    assert found.violation is not None
    assert found.violation.code == "not_blocked"
    assert writing.taken_back(record) == read("1. A 6-3")
    out = writing.called_out(read("1. A 6-3"), "A")
    assert code(replay(out).violation) == "not_out"
    assert writing.taken_back(out) == read("1. A 6-3")


def test_now_is_a_value() -> None:
    at = now(read("1. A 6-3\n2. B +"))
    assert isinstance(at, Now)
    assert (at.player, at.going, at.last and at.last.player) == ("B", True, "B")
    assert writing.wholly_known(at.state, "A") is False
