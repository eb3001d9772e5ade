"""Files that somebody broke, or made to break something: each is refused in words, and nothing is saved."""

from __future__ import annotations

import copy
import json
import random
import time
from collections.abc import Callable
from typing import Any

import pytest

from games.disputes import challenge_add, challenge_rule
from games.files.bring_in import games_bring_in, look_into
from games.files.errors import NotBroughtIn
from games.files.export import as_json, game_data
from games.files.read import MOST_BYTES
from games.files.words import SENTENCES, refusal
from games.models import AccessKey, Challenge, Game, Hand, LogEntry, Player, Role, Round, Ruling
from games.services import change_undo, game_finish, round_put
from tests.cast import claim, play, start

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

Change = Callable[[Any], Any]


@pytest.fixture
def data() -> Any:
    """Two rounds, a correction, an undo, an early end, a dispute; then taken out of the database."""
    game = start(name="Friday", rounds=5, deal=15).sheet.game
    play(game, (33, 2, 0, 31, 46), (0, 14, 26, 45, 51))
    round_put(game=game, number=1, claim=claim((33, 2, 0, 13, 46)), reason="a slip")
    change_undo(game=game)
    clash = claim((0, 1, 1, 31, 2))
    round_put(game=game, number=3, claim=clash, disputed=True, reason="nobody knows")
    game_finish(game=game)
    challenge_add(game=game, number=1, seat=4, points=13, reason="I held the 9-4.", role=Role.VIEWER)
    challenge_rule(game=game, number=1, ruling=Ruling.UPHELD, reason="Counted again.", who="Ruth")
    found = json.loads(as_json(game_data(game)))
    game.delete()
    return found


def refused(raw: bytes) -> NotBroughtIn:
    with pytest.raises(NotBroughtIn) as caught:
        games_bring_in(incoming=look_into(raw))
    for model in (Game, Player, Round, Hand, Challenge, LogEntry, AccessKey):
        assert not model._default_manager.exists()
    sentences = refusal(caught.value)
    assert all(text and "%(" not in text for text in sentences)
    assert len(" ".join(sentences)) < 2_000
    return caught.value


NOT_JSON = {
    "nothing": (b"", "empty"),
    "white space": (b" \n\t ", "empty"),
    "a picture": (b"\x89PNG\r\n\x1a\n\x00\x00", "not_text"),
    "utf-16": ("{}".encode("utf-16"), "not_text"),
    "html": (b"<!doctype html><script>alert(1)</script>", "not_json"),
    "cut off": (b'{"format": "scorekeeper-game", "game": {"na', "not_json"),
    "two documents": (b"{} {}", "not_json"),
    "nan": (b'{"format": NaN}', "no_number"),
    "infinity": (b'[-Infinity, "scorekeeper-game"]', "no_number"),
    "a broken number": (b'{"format": 1.5}', "no_number"),
    "a number of 5,000 digits": (b'{"format": ' + b"9" * 5_000 + b"}", "no_number"),
    "nested without end": (b"[" * 100_000, "nested"),
    "nested and closed": (b"[" * 5_000 + b"]" * 5_000, "nested"),
    "objects nested": (b'{"a":' * 900 + b"1" + b"}" * 900, "nested"),
    "ten megabytes": (b'{"format": "' + b"a" * 10_000_000 + b'"}', "too_large"),
    "just too large": (b" " * (MOST_BYTES + 1), "too_large"),
    "a name twice": (b'{"format": "x", "format": "scorekeeper-game"}', "shape"),
    "null": (b"null", "not_ours"),
    "a list": (b"[]", "not_ours"),
    "a text": (b'"scorekeeper-game"', "not_ours"),
    "another program's": (b'{"format": "chess", "format_version": 1}', "not_ours"),
    "a list as format": (b'{"format": ["scorekeeper-game"], "format_version": 1}', "not_ours"),
    "no version": (b'{"format": "scorekeeper-game"}', "not_ours"),
    "version true": (b'{"format": "scorekeeper-game", "format_version": true}', "not_ours"),
    "from the future": (b'{"format": "scorekeeper-game", "format_version": 2}', "newer"),
    "no games": (b'{"format": "scorekeeper-games", "format_version": 1}', "shape"),
    "games of the wrong type": (
        b'{"format": "scorekeeper-games", "format_version": 1, "games": [1]}',
        "shape",
    ),
    "no game": (b'{"format": "scorekeeper-game", "format_version": 1}', "shape"),
    "a long text": (b'{"format": "' + b"a" * 301 + b'"}', "text"),
    "a nul": (b'{"format": "\\u0000"}', "text"),
    "half a sign": (b'{"format": "\\ud800"}', "text"),
}


@pytest.mark.parametrize(("raw", "code"), NOT_JSON.values(), ids=NOT_JSON)
def test_what_is_no_export_is_refused(raw: bytes, code: str) -> None:
    assert refused(raw).code == code


def put(path: str, value: Any) -> Change:
    """Change one value of the file, as "log.0.after.players.1"."""

    def change(data: Any) -> None:
        *way, last = [int(part) if part.lstrip("-").isdigit() else part for part in path.split("/")]
        for part in way:
            data = data[part if not isinstance(data, dict) else str(part)]
        data[last if not isinstance(data, dict) else str(last)] = value

    return change


def both(*changes: Change) -> Change:
    def change(data: Any) -> None:
        for one in changes:
            one(data)

    return change


def drop(path: str) -> Change:
    def change(data: Any) -> None:
        *way, last = path.split("/")
        for part in way:
            data = data[int(part) if isinstance(data, list) else part]
        del data[int(last) if isinstance(data, list) else last]

    return change


def repeat(name: str, times: int) -> Change:
    return lambda data: data.update({name: data[name] * times})


def everywhere(field: str, value: Any) -> Change:
    """The same change in the round and in every state of the log, so that they agree with each other."""

    def walk(data: Any) -> None:
        if isinstance(data, dict):
            if data.get("seat") == 4 and field in data:
                data[field] = value
            for one in data.values():
                walk(one)
        elif isinstance(data, list):
            for one in data:
                walk(one)

    return walk


CHANGED: dict[str, tuple[Change, str]] = {
    "a total of one's own": (put("rounds/0/hands/3/score", 1), "end"),
    "a score of one's own, in the log too": (everywhere("score", 1), "score"),
    "a hand that cannot be, in the log too": (
        both(everywhere("points", 4000), everywhere("score", 4000)),
        "impossible",
    ),
    "somebody else out, in the log too": (everywhere("out", True), "impossible"),
    "a tile that is none": (everywhere("tiles", ["13-1"]), "impossible"),
    "tiles that are no texts": (everywhere("tiles", [1]), "shape"),
    "true for 1": (put("rounds/0/number", True), "shape"),
    "1 for true": (put("rounds/0/hands/0/out", 1), "shape"),
    "text for a number": (put("rounds/0/hands/0/points", "33"), "shape"),
    "less than nothing": (put("rounds/0/hands/0/points", -1), "shape"),
    "more than a column holds": (put("rounds/0/hands/0/points", 40_000), "shape"),
    "null where a value must be": (put("game/name", None), "shape"),
    "a list as a name": (put("game/name", ["Friday"]), "shape"),
    "a column of its own": (put("game/is_admin", True), "shape"),
    "a slug of its own": (put("game/slug", "mine"), "shape"),
    "an id of its own": (put("players/0/id", 1), "shape"),
    "no identity": (drop("game/uid"), "shape"),
    "an identity that is none": (put("game/uid", "1"), "shape"),
    "a moment without a zone": (put("game/created_at", "2026-11-29T20:00:00"), "shape"),
    "a moment at the end of time": (put("game/changed_at", "9999-12-31T23:59:59+00:00"), "shape"),
    "a day that is none": (put("game/played_on", "2026-02-30"), "shape"),
    "a status that is none": (put("game/status", "won"), "shape"),
    "playing, though it was ended": (put("game/status", "playing"), "end"),
    "a key without its role": (put("key", "abc"), "shape"),
    "a role that is none": (both(put("key", "abc"), put("role", "admin")), "shape"),
    "thousands of players": (repeat("players", 1_000), "too_many"),
    "thousands of rounds": (repeat("rounds", 1_000), "too_many"),
    "thousands of changes": (repeat("log", 450), "too_many"),
    "fifteen players in the log": (put("log/0/after/players", [f"P{at}" for at in range(15)]), "set_up"),
    "one player": (put("log/0/after/players", ["Ann"]), "set_up"),
    "a player of no name": (put("log/0/after/players/1", ""), "shape"),
    "the same player twice": (put("log/0/after/players/1", "RUTH"), "set_up"),
    "a player turned around": (put("players/0/name", "\u202eRuth"), "unseen"),
    "somebody who cannot be seen": (put("log/1/who", "\u200b"), "unseen"),
    "players that are numbers": (put("log/0/after/players", [1, 2]), "log"),
    "a player renamed in the game alone": (put("players/0/name", "Rita"), "end"),
    "rules that are none": (put("log/0/after/game/rules", {"preset": "mine"}), "rules"),
    "rules that are a list": (put("log/0/after/game/rules", []), "rules"),
    "a rule of the wrong type": (put("log/0/after/game/rules/double_blank", "50"), "rules"),
    "a rule that is not known": (put("log/0/after/game/rules/cheating", True), "rules"),
    "other rules in the game alone": (put("game/rules/double_blank", 0), "end"),
    "a first engine that is no double": (put("log/0/after/game/first_engine", 13), "set_up"),
    "more rounds than engines": (put("log/0/after/game/round_count", 14), "set_up"),
    "a seat of its own": (put("log/0/after/seats", {"x": {"name": "Eve", "order": 6}}), "shape"),
    "a seat that is a list": (put("log/0/after/seats", []), "log"),
    "a seat without a name": (put("log/0/after/seats", {"6": {"order": 6}}), "shape"),
    "a player away who has hands": (
        both(
            put("log/3/after/seats", {"1": None}),
            put("log/3/before/seats", {"1": {"order": 1, "name": "Ruth"}}),
        ),
        "log",
    ),
    "a link of its own": (put("log/1/after/link", "scorer"), "log"),
    "a link that is none": (both(put("log/1/after", {"link": "x"}), put("log/1/before", {})), "log"),
    "no log": (put("log", []), "log"),
    "no beginning": (drop("log/0"), "log"),
    "a change left out": (drop("log/2"), "log"),
    "a log cut off": (drop("log/-1"), "log"),
    "an action that is none": (put("log/1/action", "cheated"), "shape"),
    "a second beginning": (put("log/3/action", "started"), "log"),
    "an undo of nothing": (put("log/1/action", "undone"), "log"),
    "an undo of something else": (put("log/4/target", 2), "log"),
    "an undo that writes something else": (put("log/4/after/rounds/1", None), "log"),
    "a state that is a list": (put("log/1/after", []), "log"),
    "rounds that are a list": (put("log/1/after/rounds", []), "log"),
    "a state of something else": (put("log/1/after/keys", {}), "log"),
    "a before that never was": (put("log/3/before/rounds/1/hands/0/points", 34), "log"),
    "a round out of its turn": (
        both(put("log/1/after/rounds", {"7": None}), put("log/1/before/rounds", {"7": None})),
        "log",
    ),
    "a round of no number": (
        both(
            put("log/1/after/rounds", {"x": {}}),
            put("log/1/before/rounds", {"x": None}),
            put("log/1/action", "setup_changed"),
        ),
        "shape",
    ),
    "an engine of one's own": (put("log/1/after/rounds/1/engine", 3), "impossible"),
    "a hand missing": (put("log/1/after/rounds/1/hands", []), "impossible"),
    "a seat twice": (put("log/1/after/rounds/1/hands/1/seat", 1), "impossible"),
    "a doubtful round that nobody disputed": (put("log/5/after/rounds/3/disputed", False), "impossible"),
    "marks of one's own": (put("log/5/after/rounds/3/marks", ["<b>"]), "score"),
    "marks that are no texts": (put("log/5/after/rounds/3/marks", [{}]), "shape"),
    "warnings of one's own": (put("log/1/after/rounds/1/warnings", [{"code": "<b>", "seat": 1}]), "score"),
    "warnings that are none": (put("log/1/after/rounds/1/warnings", ["many_points"]), "shape"),
    "a dispute without a reason": (put("log/5/reason", ""), "log"),
    "a challenge in the game alone": (put("challenges/0/points", 12), "end"),
    "a challenge left out": (put("challenges", []), "end"),
    "more challenges than there are": (put("game/challenge_count", 2), "end"),
    "a challenge by an admin": (put("log/7/after/challenges/1/role", "admin"), "log"),
    "a challenge of what was not there": (put("log/7/after/challenges/1/was", 30), "log"),
    "a challenge without a reason": (
        both(put("log/7/after/challenges/1/reason", ""), put("log/7/reason", "")),
        "shape",
    ),
    "a challenge for another reason": (put("log/7/reason", "because"), "log"),
    "a challenge ruled on at once": (put("log/7/after/challenges/1/ruling", "upheld"), "log"),
    "a challenge that changes a score": (
        both(put("log/7/before/rounds", {"3": None}), put("log/7/after/rounds", {"3": None})),
        "log",
    ),
    "a challenge that is none": (put("log/7/after/challenges/1", []), "shape"),
    "a challenge that is nothing": (put("log/8/after/challenges/1", None), "shape"),
    "a challenge of no number": (
        both(put("log/7/after/challenges", {"x": {}}), put("log/7/before/challenges", {"x": None})),
        "shape",
    ),
    "two challenges at once": (
        both(put("log/7/after/challenges/2", {}), put("log/7/before/challenges/2", None)),
        "log",
    ),
    "a ruling on nothing": (
        both(put("log/8/after/challenges", {}), put("log/8/before/challenges", {})),
        "log",
    ),
    "a ruling that rules nothing": (put("log/8/after/challenges/1/ruling", "open"), "log"),
    "a ruling without a reason": (
        both(put("log/8/after/challenges/1/ruling_reason", ""), put("log/8/reason", "")),
        "log",
    ),
    "a ruling without its moment": (put("log/8/after/challenges/1/ruled_at", None), "log"),
    "a ruling that changes what was said": (put("log/8/after/challenges/1/points", 7), "log"),
    "a dismissal that changes the score": (put("log/8/after/challenges/1/ruling", "dismissed"), "log"),
    "a ruling that takes the round away": (put("log/8/after/rounds/1", None), "log"),
    "a ruling on another round": (put("log/8/round_number", 2), "log"),
    "ended by itself too early": (put("log/1/after/game", {"status": "finished"}), "log"),
    "a wrong version": (put("game/version", 70), "log"),
}


@pytest.mark.parametrize(("change", "code"), CHANGED.values(), ids=CHANGED)
def test_a_changed_file_is_refused(data: Any, change: Change, code: str) -> None:
    change(data)
    found = refused(json.dumps(data).encode())
    assert found.code == code
    assert found.code in SENTENCES or found.code == "too_many"


def test_the_unchanged_file_is_taken(data: Any) -> None:
    (brought,) = games_bring_in(incoming=look_into(json.dumps(data).encode()))
    assert (brought.title, brought.how) == ("Friday", "new")


def test_a_refused_round_says_what_the_rules_say_and_of_which_game(data: Any) -> None:
    for state in (data["log"][1]["after"]["rounds"]["1"],):
        state["hands"][0]["points"] = state["hands"][0]["score"] = 4000
    found = refused(json.dumps(data).encode())
    assert refusal(found)[0] == "“Friday”: Round 1 cannot be, and was not saved as disputed."
    assert "Ruth: no hand is worth 4,000." in refusal(found)[1]


def _spots(data: Any, way: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    children = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [way, *(spot for name, one in children for spot in _spots(one, (*way, name)))]


WRONG: list[Any] = [None, True, -1, 10**9, 10**40, "", "x", "\u202e", [], {}, [[]], {"seat": 1}, "12-12"]


@pytest.mark.parametrize("seed", range(4))
def test_any_one_value_changed_is_refused_or_harmless(data: Any, seed: int) -> None:
    """Wherever a value is put: a refusal, or a game that exports exactly as the file says. Never a crash."""
    chance = random.Random(seed)
    spots = _spots(data)
    taken = 0
    for _try in range(150):
        changed = copy.deepcopy(data)
        *way, last = chance.choice([spot for spot in spots if spot])
        target = changed
        for part in way:
            target = target[part]
        target[last] = chance.choice(WRONG)
        said: list[str] | None = None
        try:
            (brought,) = games_bring_in(incoming=look_into(json.dumps(changed).encode()))
        except NotBroughtIn as found:
            said = refusal(found)
        if said is not None:
            assert all(said)
            assert not Game.objects.exists()
            continue
        assert brought.access is not None
        taken += 1
        again = json.loads(as_json(game_data(brought.access.game)))
        assert again["rounds"] == data["rounds"]
        assert again["players"] == data["players"]
        brought.access.game.delete()
    assert taken < 30


def test_a_hostile_file_does_not_take_long(data: Any) -> None:
    begun = time.process_time()
    for raw in (b"[" * 4_000_000, b'{"a":' * 800_000, b'["' + b'a","' * 1_200_000, b"1" * 4_999_999):
        refused(raw)
    assert time.process_time() - begun < 20


def decided_in(data: Any, at: int, *, writes: int | None = None, **about: Any) -> None:
    """Put in a decision that round 1 stands, as entry `at`; `writes`: with a round, as it is."""
    same = {} if writes is None else {"rounds": {str(writes): data["log"][1]["after"]["rounds"]["1"]}}
    entry = {**data["log"][1], "action": "decided", "before": same, "after": same, "reason": "Seen", **about}
    data["log"].insert(at - 1, entry)
    for number, one in enumerate(data["log"], start=1):
        one["number"] = number
        if one["target"] is not None and one["target"] >= at:
            one["target"] += 1
    data["game"]["version"] = len(data["log"])


@pytest.mark.parametrize(
    ("at", "about", "taken"),
    [
        (3, {}, True),
        (3, {"reason": ""}, False),
        (3, {"round_number": 2}, False),  # which is not there yet
        (3, {"round_number": None}, False),
        (4, {}, False),  # the undo of round 2 would go past it
        (5, {}, True),
        (6, {}, True),
        (6, {"writes": 1}, True),
        (6, {"writes": 1, "round_number": 2}, False),
    ],
)
def test_a_decision_stands_where_it_could_be_made(at: int, about: dict[str, Any], taken: bool) -> None:
    game = start().sheet.game
    play(game, (33, 2, 0, 31, 46), (0, 14, 26, 45, 51))
    change_undo(game=game)
    play(game, (0, 14, 26, 45, 52))
    data = json.loads(as_json(game_data(game)))
    game.delete()
    decided_in(data, at, **about)
    if taken:
        assert [one.how for one in games_bring_in(incoming=look_into(json.dumps(data).encode()))] == ["new"]
    else:
        assert refused(json.dumps(data).encode()).code == "log"
