"""A record of a round: attached and taken off, its mark, its scores taken over, a dispute settled by it."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from games.attached import MOST_CHARACTERS, record_of_round
from games.disputes import challenge_add, challenge_rule
from games.engine.reading import parse_record
from games.engine.record import print_record
from games.engine.replay import replay
from games.engine.rules import PRESETS
from games.files.bring_in import games_bring_in, look_into
from games.files.errors import NotBroughtIn
from games.files.export import as_json, game_data
from games.models import Action, Challenge, Game, LogEntry, Role, Round, Ruling, SharedRecord
from games.round_records import (
    challenge_by_record,
    challenge_settle,
    record_attach,
    record_of,
    record_remove,
    record_take_scores,
)
from games.seats import round_confirm
from games.selectors import sheet_of
from games.services import (
    Conflict,
    Refused,
    change_redo,
    change_undo,
    player_change,
    round_put,
    round_remove,
)
from tests.cast import FOURTEEN, claim, play, start
from tests.engine.rounds import random_round
from tests.recorded import BROKEN, HIDDEN, RECORD, UNFINISHED, recorded

pytestmark = pytest.mark.django_db


def mark(game: Game, number: int = 1) -> str:
    entry = sheet_of(Game.objects.get(pk=game.pk)).round(number)
    return "no round" if entry is None else entry.record


def points(game: Game, number: int = 1) -> list[int]:
    entry = sheet_of(Game.objects.get(pk=game.pk)).round(number)
    return [] if entry is None else [hand.points for hand in entry.hands.values()]


def last(game: Game) -> LogEntry:
    return LogEntry.objects.filter(game=game).order_by("number")[
        LogEntry.objects.filter(game=game).count() - 1
    ]


def refused(act: Any, **about: Any) -> tuple[str, list[str]]:
    with pytest.raises(Refused) as found:
        act(**about)
    return found.value.code, [problem.code for problem in found.value.problems]


# Attaching


@pytest.mark.parametrize(
    ("written", "text", "expected"),
    [
        ((0, 40), RECORD, "agrees"),
        ((0, 38), RECORD, "differs"),
        ((0, 40), BROKEN, "broken"),
        ((0, 40), UNFINISHED, "open"),
        ((0, 40), HIDDEN, "open"),
        ((0, 40), HIDDEN + "score: B 40\n", "agrees"),
        ((0, 40), RECORD.replace("engine: 6-6", "engine: 5-5"), "broken"),
        ((0, 40), RECORD.replace("A=Ruth", "A=Rita"), "differs"),
    ],
)
def test_a_record_marks_its_round_and_changes_no_score(
    written: tuple[int, int], text: str, expected: str
) -> None:
    game = recorded(written)
    version = game.version
    sheet = record_attach(game=game, number=1, text=text, who="Ruth").sheet
    entry = last(game)
    assert (sheet.rounds[0].record, mark(game), points(game)) == (expected, expected, list(written))
    assert (entry.number, entry.action, entry.who) == (version + 1, Action.RECORD_ATTACHED, "Ruth")
    assert list(entry.after) == ["records"]  # neither rounds nor status


def test_the_mark_follows_the_round_and_undo() -> None:
    game = recorded((0, 38))
    record_attach(game=game, number=1, text=RECORD)
    seen = [mark(game)]
    round_put(game=game, number=1, claim=claim((0, 40)))
    seen.append(mark(game))
    change_undo(game=game)
    seen.append(mark(game))
    change_undo(game=game)
    seen.append(mark(game))
    change_redo(game=game)
    seen.append(mark(game))
    change_redo(game=game)
    seen.append(mark(game))
    record_remove(game=game, number=1)
    seen.append(mark(game))
    change_undo(game=game)
    seen.append(mark(game))
    round_remove(game=game, number=1)
    seen.append(mark(game))
    change_undo(game=game)
    seen.append(mark(game))
    assert seen == [
        *("differs", "agrees", "differs", "", "differs", "agrees", "", "agrees", "no round", "agrees")
    ]
    found = record_of(sheet_of(game), 1)
    assert found is not None
    assert (found.text, found.seats) == (RECORD, {"A": 1, "B": 2})


def test_a_new_name_changes_nothing_of_who_sits_where() -> None:
    game = recorded((0, 40))
    record_attach(game=game, number=1, text=RECORD)
    player_change(game=game, seat=2, name="Benjamin")
    round_put(game=game, number=1, claim=claim((0, 38)))
    assert mark(game) == "differs"
    round_put(game=game, number=1, claim=claim((0, 40)))
    assert mark(game) == "agrees"


def test_who_sits_where_can_be_said() -> None:
    game = recorded((40, 0))
    others = RECORD.replace("A=Ruth, B=Ben", "A=Anna, B=Bob")
    record_attach(game=game, number=1, text=others)
    assert mark(game) == "differs"
    record_attach(game=game, number=1, text=others, seats={"A": 2, "B": 1})
    assert mark(game) == "agrees"


def test_sent_twice_it_is_there_once_and_another_takes_its_place() -> None:
    game = recorded()
    first = record_attach(game=game, number=1, text=RECORD.replace("\n", "\r\n")).sheet.game.version
    assert record_attach(game=game, number=1, text=RECORD).sheet.game.version == first
    record_attach(game=game, number=1, text=UNFINISHED)
    assert last(game).before["records"]["1"]["record"] == RECORD
    assert (mark(game), Round.objects.get().record) == ("open", UNFINISHED)


def test_what_cannot_be_attached_is_refused_and_nothing_written() -> None:
    game = recorded()
    before = game_data(game)
    for text, codes in (
        ("", ["header"]),
        ("players: A, B\ndeal: 2\nengine: 6-6\n1. A 6-x\n2. ?", ["syntax", "syntax"]),
        ("; " + "x" * MOST_CHARACTERS, ["record_long"]),
    ):
        found = refused(record_attach, game=game, number=1, text=text)
        assert found == ("invalid", codes), text[:40]
    assert refused(record_attach, game=game, number=2, text=RECORD) == ("not_found", ["round_unknown"])
    assert refused(record_remove, game=game, number=1) == ("not_found", ["record_none"])
    assert refused(record_take_scores, game=game, number=1) == ("not_found", ["record_none"])
    assert refused(record_take_scores, game=game, number=3, text=RECORD)[0] == "round_number"
    for act in (record_attach, record_take_scores):
        with pytest.raises(Conflict):
            act(game=game, number=1, text=RECORD, version=1)
    assert game_data(game) == before


def test_signs_that_no_database_keeps_are_replaced() -> None:
    game = recorded((0, 40))
    said = RECORD.replace("A=Ruth", "A=Ru\u202eth\u200b") + ";\t\0 and \ud800\x1b[2J\n"
    record_attach(game=game, number=1, text=f"\ufeff{said}")
    assert Round.objects.get().record == RECORD + ";\t\ufffd and \ufffd\ufffd[2J\n"
    assert mark(game) == "agrees"


def test_the_log_holds_the_text_in_the_entries_that_bring_or_take_it() -> None:
    game = recorded((0, 40))
    text = RECORD + "; " + "long " * 1000 + "\n"
    record_attach(game=game, number=1, text=text)
    for other in (38, 40, 38):
        round_put(game=game, number=1, claim=claim((0, other)))
    record_remove(game=game, number=1)
    sizes = [json.dumps([one.before, one.after]).count("long long") > 0 for one in LogEntry.objects.all()]
    assert sizes == [False, False, True, False, False, False, True]


def test_writes_without_a_record_ask_nothing_more() -> None:
    game = recorded((0, 40))

    def asked(number: int) -> int:
        with CaptureQueriesContext(connection) as found:
            round_put(game=game, number=1, claim=claim((0, number)))
        return len(found)

    without = asked(38)
    record_attach(game=game, number=1, text=RECORD)
    assert asked(40) - without == 2  # the record, and its mark


def test_somebody_who_confirmed_the_round_confirmed_its_scores_alone() -> None:
    game = recorded((0, 38), second_person=True)
    round_confirm(game=game, number=1)
    record_attach(game=game, number=1, text=RECORD)
    assert sheet_of(game).rounds[0].confirmed
    record_take_scores(game=game, number=1)
    assert not sheet_of(game).rounds[0].confirmed


# Its scores


def test_the_record_s_scores_become_the_round_s() -> None:
    game = recorded((0, 38))
    record_attach(game=game, number=1, text=RECORD)
    sheet = record_take_scores(game=game, number=1, reason="By the record.", who="Ruth").sheet
    ruth, ben = sheet.rounds[0].hands.values()
    assert (ruth.out, ruth.points, ben.points, ben.tile_count) == (True, 0, 40, 3)
    assert ben.tiles == ["0-0", "3-3", "5-4"]
    assert mark(game) == "agrees"
    entry = last(game)
    assert (entry.action, entry.reason, list(entry.after)) == (
        Action.ROUND_CORRECTED,
        "By the record.",
        ["rounds"],
    )
    version = sheet.game.version
    assert record_take_scores(game=game, number=1).sheet.game.version == version  # it says so already
    change_undo(game=game)
    assert (points(game), mark(game)) == ([0, 38], "differs")


def test_the_coming_round_is_entered_by_a_record() -> None:
    game = recorded(None)
    written = record_take_scores(game=game, number=1, text=RECORD, reason="By the record.")
    assert written.created
    assert (points(game), mark(game)) == ([0, 40], "agrees")
    entry = last(game)
    assert (entry.action, sorted(entry.after)) == (Action.ROUND_RECORDED, ["records", "rounds"])
    change_undo(game=game)
    assert (points(game), mark(game)) == ([], "no round")
    change_redo(game=game)
    assert (points(game), mark(game)) == ([0, 40], "agrees")


def test_a_record_that_tells_too_little_or_of_another_round_gives_no_scores() -> None:
    for text, number, code in (
        (BROKEN, 1, "record_scoreless"),
        (UNFINISHED, 1, "record_scoreless"),
        (RECORD.replace("double_blank=25", "double_blank=0"), 1, "record_of_another"),
        (RECORD.replace("B=Ben", "B=Bob"), 1, "record_of_another"),
        (RECORD, 2, "record_of_another"),
        (HIDDEN.replace("engine: 6-6", "engine: 5-5").replace("6-1", "5-1"), 2, "record_hides"),
    ):
        game = recorded((0, 38))
        found = refused(record_take_scores, game=game, number=number, text=text)
        assert found == ("invalid", [code]), text
        assert (points(game), mark(game)) == ([0, 38], "")


def test_a_hidden_hand_keeps_its_points_and_what_cannot_be_is_refused() -> None:
    game = recorded((3, 0))
    record_attach(game=game, number=1, text=HIDDEN)
    assert refused(record_take_scores, game=game, number=1)[0] == "round_impossible"  # two went out
    game = recorded((0, 38))
    record_attach(game=game, number=1, text=HIDDEN)
    record_take_scores(game=game, number=1)
    assert points(game) == [0, 38]


def test_a_round_in_doubt_is_settled_by_it() -> None:
    game = recorded(None)
    round_put(game=game, number=1, claim=claim((7, 38)), disputed=True, reason="Who went out?")
    record_attach(game=game, number=1, text=RECORD)
    record_take_scores(game=game, number=1)
    entry = sheet_of(game).rounds[0]
    assert (entry.disputed, entry.marks, mark(game)) == (False, [], "agrees")


# Disputes


@pytest.mark.parametrize(
    ("written", "corrected", "ruling", "becomes"),
    [
        (38, None, Ruling.UPHELD, 40),
        (40, None, Ruling.DISMISSED, 40),
        (40, 38, Ruling.UPHELD, 40),  # a correction since then was wrong
        (38, 40, Ruling.UPHELD, 40),  # or right
    ],
)
def test_a_dispute_is_settled_by_the_record(
    written: int, corrected: int | None, ruling: Ruling, becomes: int
) -> None:
    game = recorded((0, written))
    record_attach(game=game, number=1, text=RECORD)
    challenge_add(game=game, number=1, seat=2, reason="Count again", role=Role.VIEWER)
    if corrected is not None:
        round_put(game=game, number=1, claim=claim((0, corrected)))
    before = LogEntry.objects.count()
    sheet = challenge_settle(game=game, number=1, reason="By the record: 40.", who="Ruth").sheet
    assert (sheet.rounds[0].hands[2].points, Challenge.objects.get().ruling) == (becomes, ruling)
    assert (LogEntry.objects.count() - before, last(game).action) == (1, Action.RULED)
    assert (last(game).reason, mark(game)) == ("By the record: 40.", "agrees")
    change_undo(game=game)
    assert Challenge.objects.get().ruling == Ruling.OPEN


def test_a_record_that_says_nothing_of_the_hand_settles_nothing() -> None:
    for text in (None, HIDDEN, BROKEN, UNFINISHED, RECORD.replace("double_blank=25", "double_blank=0")):
        game = recorded((0, 38))
        if text:
            record_attach(game=game, number=1, text=text)
        challenge_add(game=game, number=1, seat=2, reason="Count again", role=Role.VIEWER)
        found = refused(challenge_settle, game=game, number=1, reason="By the record")
        assert found == ("invalid", ["record_untold"]), text
    assert refused(challenge_settle, game=game, number=9, reason="x") == ("not_found", ["challenge_unknown"])


def lay(game: Game, **more: Any) -> Any:
    about: dict[str, Any] = {"number": 1, "seat": 2, "text": RECORD, "reason": "Written down", "address": "a"}
    return challenge_by_record(game=game, role=Role.VIEWER, **about | more)


def test_a_record_disputes_a_score_with_its_number_and_is_kept_for_its_link() -> None:
    game = recorded((0, 38))
    version = game.version
    (one,) = lay(game).sheet.challenges
    assert (one.was, one.points, one.by_record, one.record) == (38, 40, True, SharedRecord.objects.get())
    assert (last(game).number, last(game).action) == (version + 1, Action.CHALLENGED)
    assert (mark(game), points(game)) == ("", [0, 38])
    ruled = challenge_rule(game=game, number=1, ruling=Ruling.UPHELD, reason="So it was").sheet
    assert (ruled.challenges[0].by_record, points(game)) == (True, [0, 40])
    change_undo(game=game)
    assert sheet_of(Game.objects.get(pk=game.pk)).pending[0].record == SharedRecord.objects.get()


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"text": "A -"}, "header"),
        ({"text": ";" * MOST_CHARACTERS}, "record_long"),
        ({"text": BROKEN}, "record_scoreless"),
        ({"text": UNFINISHED}, "record_scoreless"),
        ({"text": HIDDEN}, "record_hides"),
        ({"text": RECORD.replace("A=Ruth", "A=Rita")}, "record_of_another"),
        ({"text": RECORD.replace("A=Ruth", "A=Rita"), "seats": {"A": 2}}, "record_of_another"),
        ({"points": 41}, "record_says"),
        ({"seat": 1}, "record_same"),
        ({"reason": " "}, "reason_missing"),
    ],
)
def test_what_does_not_tell_the_score_disputes_nothing(more: dict[str, Any], code: str) -> None:
    game = recorded((0, 38))
    assert refused(lay, game=game, **more) == ("invalid", [code])
    assert not Challenge.objects.exists()
    assert not SharedRecord.objects.exists()


def test_a_record_disputes_no_round_that_is_not_in_and_no_other_version() -> None:
    game = recorded((0, 38))
    for there in ({"number": 2}, {"seat": 3}):
        assert refused(lay, game=game, **there) == ("not_found", ["cell_unknown"])
    with pytest.raises(Conflict):
        lay(game, version=game.version - 1)
    assert lay(game, seats={"A": 1, "B": 2}, points=40).sheet.challenges


def test_a_dispute_by_a_record_has_its_number_and_outlives_the_record() -> None:
    (one,) = lay(recorded((0, 38))).sheet.challenges
    for wrong in ({"points": None}, {"by_record": False}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Challenge.objects.update(**wrong)
    SharedRecord.objects.all().delete()
    one.refresh_from_db()
    assert (one.points, one.by_record, one.record) == (40, True, None)


def test_what_a_record_was_said_to_say_is_not_believed_elsewhere() -> None:
    game = recorded((0, 38))
    lay(game)
    data = as_json(game_data(Game.objects.get(pk=game.pk)))
    Game.objects.all().delete()
    games_bring_in(incoming=look_into(data.encode()))
    one = Challenge.objects.get()
    assert (one.points, one.by_record, one.record) == (40, False, None)


# Taken along


def test_a_game_with_records_comes_back_the_same() -> None:
    game = recorded((0, 38))
    record_attach(game=game, number=1, text=UNFINISHED, who="Ruth")
    record_attach(game=game, number=1, text=RECORD)
    record_take_scores(game=game, number=1, reason="By the record.")
    change_undo(game=game)
    change_redo(game=game)
    data = game_data(Game.objects.get(pk=game.pk))
    assert data["rounds"][0]["record"] == RECORD
    file = as_json(data).encode()
    Game.objects.all().delete()
    games_bring_in(incoming=look_into(file))
    back = Game.objects.get()
    assert game_data(back) == data
    assert (mark(back), points(back)) == ("agrees", [0, 40])
    change_undo(game=back)
    assert (mark(back), points(back)) == ("differs", [0, 38])


@pytest.mark.parametrize(
    ("where", "value"),
    [
        (("rounds", 0, "record"), UNFINISHED),  # not the one in the log
        (("rounds", 0, "record"), ""),
        (("rounds", 0, "record_seats"), {"A": 2, "B": 1}),
        (("log", 2, "after", "records", "1", "record"), "no record"),
        (("log", 2, "after", "records", "1", "record"), RECORD + "; \u202e"),
        (("log", 2, "after", "records", "1", "seats"), {"A": 9}),
        (("log", 2, "after", "records", "1", "seats"), {"C": 1}),
        (("log", 2, "after", "records", "1", "seats"), {"A": 1, "B": 1}),
        (("log", 2, "after", "records", "1"), "text"),
        (("log", 2, "after", "records"), {"2": None}),
        (("log", 2, "after", "records"), None),
        (("log", 2, "after"), {}),
        (("log", 2, "action"), "round_corrected"),
        (("log", 2, "action"), "confirmed"),
        (("log", 1, "after", "records"), {"1": {"record": RECORD, "seats": {"A": 1, "B": 2}}}),
        (("log", 2, "after", "records", "1", "record"), RECORD + ";" + "x" * MOST_CHARACTERS),
        (("game", "name"), "x" * 301),
    ],
)
def test_a_file_that_says_otherwise_is_refused_whole(where: tuple[Any, ...], value: Any) -> None:
    game = recorded((0, 40))
    record_attach(game=game, number=1, text=RECORD)
    data = json.loads(as_json(game_data(Game.objects.get(pk=game.pk))))
    place = data
    for step in where[:-1]:
        place = place[step]
    place[where[-1]] = value
    if where[-2:] == ("1", where[-1]):  # wrong in both places, so that it tells by itself
        data["rounds"][0]["record_seats" if where[-1] == "seats" else "record"] = value
    Game.objects.all().delete()
    with pytest.raises(NotBroughtIn):
        games_bring_in(incoming=look_into(as_json(data).encode()))
    assert not Game.objects.exists()


def test_a_record_that_is_attached_writes_no_round() -> None:
    game = recorded((0, 40))
    record_attach(game=game, number=1, text=RECORD)
    data = json.loads(as_json(game_data(Game.objects.get(pk=game.pk))))
    entry, state = data["log"][2], data["log"][1]["after"]["rounds"]
    entry["before"]["rounds"] = entry["after"]["rounds"] = state
    Game.objects.all().delete()
    with pytest.raises(NotBroughtIn):
        games_bring_in(incoming=look_into(as_json(data).encode()))


# What a new record begins with


@pytest.mark.parametrize("preset", PRESETS)
def test_a_record_of_a_round_begins_as_the_round_does(preset: str) -> None:
    own: dict[str, Any] = {"preset": preset, "double_blank": 25, "tiebreaks": (), "deal": 9}
    game = start(FOURTEEN[:9], **own).sheet.game
    for number in (1, 2):
        head = record_of_round(sheet_of(game), number)
        assert head is not None
        text = print_record(head)
        assert parse_record(text) == head
        record = parse_record(text + "\n")
        assert (record.deal, record.engine, record.rules.double_blank) == (9, 13 - number, 25)
        assert record.names == FOURTEEN[:9]
        assert record.start == ("B" if preset == "tournament" and number == 2 else "A")
        if number == 1:
            play(game, (0, *range(11, 19)))
    assert replay(record).verdict == "unfinished"


def test_a_record_of_a_round_needs_to_know_the_deal() -> None:
    sheet = start(FOURTEEN).sheet
    assert record_of_round(sheet, 1) is None
    head = record_of_round(sheet, 1, deal=5)
    assert head is not None
    assert (head.deal, head.players[11:]) == (5, ("L", "N", "O"))


def test_names_that_no_header_can_hold_are_written_without_those_signs() -> None:
    names = ["Lee, Ann; jr", "A=B: <b>", "עברית", "X" * 40, ";,;", "M"]
    game = start(names, deal=7).sheet.game
    head = record_of_round(sheet_of(game), 1)
    assert head is not None
    assert parse_record(print_record(head)) == head
    assert head.names == ("Lee Ann jr", "A=B: <b>", *names[2:4], None, "M")
    play(game, (0, 11, 12, 13, 14, 15))
    sheet = record_attach(game=game, number=1, text=print_record(head)).sheet
    found = record_of(sheet, 1)
    assert found is not None
    assert list(found.seats.values()) == [1, 2, 3, 4, 6]  # ";,;" has no name in it


def test_the_largest_rounds_fit() -> None:
    rng = Random(7)
    rules = start(FOURTEEN, max_pip=18, deal=11).sheet.rules
    longest = max(len(print_record(random_round(rng, rules, 14, 11)[0])) for _ in range(5))
    assert 3_000 < longest < MOST_CHARACTERS // 2
