"""Walks a game's log from its start and judges every state on the way, as the services did when it was made.

Knows what a log entry may do to a game. Must not write, and believes nothing: each round is checked and
scored by the engine under the rules in force at that point, Undo and Redo must reverse what they say, and the
end of the log must be the game as the file has it.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from games import mapping
from games.attached import as_kept, told_by
from games.engine.checks import CHECKS
from games.engine.errors import EngineError, Problem
from games.engine.reading import parse_record
from games.engine.record import RecordError
from games.engine.rules import RuleSet
from games.engine.scoring import HandClaim, RoundClaim, score_round
from games.files.errors import NotBroughtIn
from games.files.export import TRAVEL
from games.files.read import MOST_ROUNDS, MOST_SEATS, Document, Row, columns, round_columns
from games.models import Action, Challenge, Game, Player, Role, Ruling, Status
from games.names import unseen
from games.selectors import NOT_UNDONE, HandCell, RoundSheet, Sheet, build_sheet
from games.services import Setup, check_setup, may_be_disputed, round_check

SECONDS = 20  # for all rounds of one file: an honest one takes a tenth of it
ENDING = ("status", "abandoned_at")  # how a game ends
GAME_STATE = ("name", "played_on", "rules", "first_engine", "round_count", *ENDING, "second_person")
SETTING = frozenset(GAME_STATE) - {"name", "played_on", *ENDING, "second_person"}
SECTIONS = frozenset({"game", "players", "seats", "rounds", "challenges", "records", "link", "said"})
TABLES = ("rounds", "seats", "challenges", "records")
BESIDES = frozenset({"seats", "link", "said"})  # what may stand on one side alone
OLDER: Mapping[str, Any] = {"second_person": False}  # what the log of an older game does not say
OLDER_ROUND: Mapping[str, Any] = {"confirmed": False}
RECORD_COLUMNS = frozenset({"record", "record_seats"})  # of a round; the log keeps them apart
RECORD_ACTIONS = {Action.RECORD_ATTACHED, Action.RECORD_REMOVED}
ROUND_ACTIONS = {Action.ROUND_RECORDED, Action.ROUND_CORRECTED, Action.ROUND_REMOVED}
SILENT = {Action.DELETED, Action.RESTORED}  # they change nothing that the log keeps
SETTLING = ROUND_ACTIONS | {Action.STARTED, Action.SETUP_CHANGED}  # after them no game is ended early
BACK = {Action.UNDONE, Action.REDONE}
NOTHING = HandCell(0, 0, False, False, None, None)

State = Mapping[str, Any]


class Clock:
    """The time that one file's rounds may take."""

    def __init__(self) -> None:
        self.until = time.monotonic() + SECONDS

    def check(self) -> None:
        if time.monotonic() > self.until:
            raise NotBroughtIn("slow")


@dataclass(slots=True)
class _Walk:
    """The game as the log has made it so far, in the file's own values."""

    clock: Clock
    game: dict[str, Any] = field(
        default_factory=lambda: {"status": str(Status.PLAYING), "abandoned_at": None, **OLDER}
    )
    seats: dict[str, Any] = field(default_factory=dict)  # the columns of the player at each seat
    rounds: dict[str, Any] = field(default_factory=dict)
    challenges: dict[str, Any] = field(default_factory=dict)
    records: dict[str, Any] = field(default_factory=dict)
    done: list[Row] = field(default_factory=list)
    undone: list[Row] = field(default_factory=list)
    deleted: bool = False

    def names(self) -> dict[int, str]:
        return {player.seat: player.name for player in self.seated()}

    def seated(self) -> tuple[Player, ...]:
        """The players in the order they sit."""
        rows = [
            columns(Player, {"seat": int(seat), **data}, "log.seats") for seat, data in self.seats.items()
        ]
        return tuple(Player(**row) for row in sorted(rows, key=lambda row: (row["order"], row["seat"])))

    def sheet(self) -> Sheet:
        """The game as it is now, as far as a round is judged by it: whose turn, who is in, which engines."""
        rounds = tuple(
            RoundSheet(
                *(data["number"], data["engine"], data["ended"], False, [], []),
                {hand["seat"]: NOTHING for hand in data["hands"]},
            )
            for _key, data in sorted(self.rounds.items(), key=lambda item: int(item[0]))
        )
        game = Game(**{name: self.game[name] for name in SETTING})
        return build_sheet(game, self.seated(), rounds)


def walk(document: Document, clock: Clock) -> None:
    """NotBroughtIn where the services could not have written this log, or it does not end in this game."""
    _texts(document)
    now = _Walk(clock)
    for position, entry in enumerate(document.log, start=1):
        if entry["number"] != position or (entry["action"] == Action.STARTED) != (position == 1):
            raise NotBroughtIn("log", number=position)
        _step(now, entry)
    if document.game["version"] != len(document.log) or not document.log:
        raise NotBroughtIn("log", number=len(document.log))
    raw = document.raw
    ends_so = (
        _same({name: raw["game"].get(name, OLDER.get(name)) for name in GAME_STATE}, now.game)
        and _same(
            [_round(_without_record(data)) for data in raw["rounds"]],
            [now.rounds[str(number)] for number in range(1, len(now.rounds) + 1)],
        )
        and _same(_records_of(document), now.records)
        and document.players == _player_rows(now)
        and document.game["challenge_count"] == len(now.challenges)
        and _same(
            raw.get("challenges", []),
            [{"number": at, **now.challenges[str(at)]} for at in range(1, len(now.challenges) + 1)],
        )
        and not now.deleted
    )
    if not ends_so:
        raise NotBroughtIn("end")
    for data in now.records.values():
        clock.check()
        told_by(data["record"])  # kept for the marks of its rounds


def _round(data: Any) -> Any:
    """A round as it is written today."""
    return {**OLDER_ROUND, **data} if isinstance(data, dict) else data


def _without_record(data: Any) -> Any:
    return {name: value for name, value in data.items() if name not in RECORD_COLUMNS}


def _records_of(document: Document) -> dict[str, mapping.RecordData]:
    """The records of its rounds, as the log has them."""
    rows = [row for row in document.rounds if row["record"] or row["record_seats"]]
    return {str(row["number"]): {"record": row["record"], "seats": row["record_seats"]} for row in rows}


def _texts(document: Document) -> None:
    shown = [document.game["name"], *(player["name"] for player in document.players)]
    shown += [one[who] for one in document.challenges for who in ("who", "ruled_by")]
    if any(map(unseen, [*shown, *(entry["who"] for entry in document.log)])):
        raise NotBroughtIn("unseen")


def _player_rows(now: _Walk) -> list[Row]:
    rows = [{name: getattr(player, name) for name in TRAVEL[Player]} for player in now.seated()]
    return sorted(rows, key=lambda row: int(row["seat"]))


def _same(one: Any, other: Any) -> bool:
    """Equal as JSON: 1 is not true, and no order of names matters."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def _step(now: _Walk, entry: Row) -> None:
    number, before, after = entry["number"], entry["before"], entry["after"]
    if not (_is_state(before) and _is_state(after)) or (entry["action"] in SILENT and (before or after)):
        raise NotBroughtIn("log", number=number)
    if now.deleted != (entry["action"] == Action.RESTORED):  # nothing else is possible once it is deleted
        raise NotBroughtIn("log", number=number)
    now.deleted = entry["action"] == Action.DELETED
    if number == 1:
        if before or not {"game", "players"} <= after.keys() or not after["game"].keys() >= SETTING:
            raise NotBroughtIn("log", number=number)
    elif not _follows(now, before, after, free_status=entry["action"] in BACK):
        raise NotBroughtIn("log", number=number)
    _history(now, entry)
    _game(now, after, number)
    _challenges(now, entry)
    _rounds(now, entry)
    _records(now, entry)
    settled = Status.FINISHED if len(now.rounds) == now.game["round_count"] else Status.PLAYING
    settles = entry["action"] in SETTLING and not _decides_doubt(entry)
    if now.game["status"] != settled and (settled == Status.FINISHED or settles):
        raise NotBroughtIn("log", number=number)
    if not _abandoned_so(now, entry, settled):
        raise NotBroughtIn("log", number=number)


def _decides_doubt(entry: Row) -> bool:
    """Whether a result in doubt was decided as logs told it once: a game that was ended early stays ended."""
    return bool(entry["action"] == Action.ROUND_CORRECTED and "game" not in entry["after"])


def _abandoned_so(now: _Walk, entry: Row, settled: str) -> bool:
    """Whether the entry may leave the game abandoned, or not abandoned, as it does."""
    action = entry["action"]
    if now.game["abandoned_at"] is None:
        return bool(action != Action.ABANDONED)
    given = entry["after"].get("game", {}).get("abandoned_at") is not None
    return (
        now.game["status"] == Status.FINISHED != settled
        and action not in SETTLING | {Action.RESUMED, Action.PLAYER_JOINED}
        and (not given or action in BACK | {Action.ABANDONED})
    )


def _is_state(state: Any) -> bool:
    return (
        isinstance(state, dict)
        and state.keys() <= SECTIONS
        and ("link" not in state or (len(state) == 1 and state["link"] in Role.values))
        and isinstance(state.get("said", {}), dict)
        and all(
            seat in _SEATS and type(points) is int and points >= 0
            for seat, points in state.get("said", {}).items()
        )
        and isinstance(state.get("game", {}), dict)
        and state.get("game", {}).keys() <= set(GAME_STATE)
        and isinstance(state.get("players", []), list)
        and all(isinstance(name, str) for name in state.get("players", []))
        and all(
            isinstance(state.get(name, {}), dict) for name in ("rounds", "seats", "challenges", "records")
        )
        and all(data is None or isinstance(data, dict) for data in state.get("seats", {}).values())
    )


def _follows(now: _Walk, before: State, after: State, *, free_status: bool) -> bool:
    """Whether `before` is the game as it is now, in all that `after` changes.

    An undo writes the status that its target had left, which a round put since may have settled otherwise.
    """
    if before.keys() | BESIDES != after.keys() | BESIDES:
        return False
    sections = {"game": now.game, "rounds": now.rounds, "seats": now.seats, "challenges": now.challenges}
    sections["records"] = now.records
    for section, now_there in sections.items():
        was, becomes = before.get(section, {}), after.get(section, {})
        if was.keys() != becomes.keys() and not (section == "seats" and "players" in before):
            return False
        if not all(
            (free_status and name in ENDING)
            or _same(_round(value) if section == "rounds" else value, now_there.get(name))
            for name, value in was.items()
        ):
            return False
    return "players" not in before or before["players"] == [player.name for player in now.seated()]


def _history(now: _Walk, entry: Row) -> None:
    """Keep what can be undone and done again; an undo or redo must be of the entry it names."""
    action = entry["action"]
    if action in NOT_UNDONE:
        return
    if action == Action.DECIDED:
        now.done.clear()
        now.undone.clear()
        return
    if action not in BACK:
        now.done.append(entry)
        now.undone.clear()
        return
    source, other = (now.done, now.undone) if action == Action.UNDONE else (now.undone, now.done)
    if not source or source[-1]["number"] != entry["target"]:
        raise NotBroughtIn("log", number=entry["number"])
    target = source.pop()
    other.append(target)
    back = target["before"] if action == Action.UNDONE else target["after"]
    same = all(
        _same(entry["after"].get(name), back.get(name))
        for name in ("players", "seats", "rounds", "challenges", "records", "said")
    )
    status = entry["after"].get("game", {})
    if not same or not _same(status | back.get("game", {}), status):
        raise NotBroughtIn("log", number=entry["number"])


def _game(now: _Walk, after: State, number: int) -> None:
    """The game's own fields and its players, after this entry."""
    fields = after.get("game", {})
    columns(Game, fields, "log.game", only=fields)
    now.game.update(fields)
    setting = "players" in after or (SETTING | {"second_person"}) & fields.keys()
    if setting and now.rounds:
        raise NotBroughtIn("log", number=number)
    if "players" in after:
        names = enumerate(after["players"], start=1)
        seated = [Player(seat=seat, order=seat, name=name) for seat, name in names]
        now.seats = {str(player.seat): mapping.player_to_data(player) for player in seated}
    for seat, data in after.get("seats", {}).items():
        if seat not in _SEATS:
            raise NotBroughtIn("shape", where="log.seats")
        now.seats[seat] = data
    now.seats = {seat: data for seat, data in now.seats.items() if data is not None}
    if setting:
        _set_up(now)
    if "seats" in after:
        _seats(now, number)


def _set_up(now: _Walk) -> None:
    setup = Setup(
        players=[player.name for player in sorted(now.seated(), key=lambda player: player.seat)],
        rules=_rules(now.game["rules"]),
        first_engine=now.game["first_engine"],
        rounds=now.game["round_count"],
    )
    if problems := check_setup(setup):
        raise NotBroughtIn("set_up", problems=problems, names=now.names())


def _seats(now: _Walk, number: int) -> None:
    """Who came or went: no name twice or unseen, and nobody away who has a hand."""
    names = [player.name for player in now.seated()]
    hands = {str(hand["seat"]) for data in now.rounds.values() for hand in data["hands"]}
    apart = len({name.casefold() for name in names}) == len(names)
    if not apart or any(map(unseen, names)) or not hands <= now.seats.keys():
        raise NotBroughtIn("log", number=number)


def _rules(data: Any) -> RuleSet:
    if not isinstance(data, dict) or not isinstance(data.get("preset"), str):
        raise NotBroughtIn("rules")
    try:
        rules = mapping.rules_from_data(data)
    except (EngineError, KeyError, TypeError):
        raise NotBroughtIn("rules") from None
    if not _same(mapping.rules_to_data(rules), data):
        raise NotBroughtIn("rules")
    return rules


# What a ruling does not change.
CHALLENGED = ("round_number", "seat", "was", "points", "reason", "who", "role", "at")


def _challenges(now: _Walk, entry: Row) -> None:
    """One challenge made or ruled on, as `disputes` does it; an undone ruling is open again."""
    states, action = entry["after"].get("challenges", {}), entry["action"]
    most = 1 if action in (Action.CHALLENGED, Action.RULED) or action in BACK else 0
    if len(states) > most or (len(states) < most and action not in BACK):
        raise NotBroughtIn("log", number=entry["number"])
    for key, data in states.items():
        if not key.isdecimal() or not isinstance(data, dict):
            raise NotBroughtIn("shape", where="log.challenges")
        row = columns(Challenge, {"number": int(key), **data}, "log.challenges")
        if not (action in BACK or _is_new(now, key, row, entry) or _is_ruling(now, key, row, entry)):
            raise NotBroughtIn("log", number=entry["number"])
        now.challenges[key] = data
    open_ones = [one for one in now.challenges.values() if one["ruling"] == Ruling.OPEN]
    if len(open_ones) != len({(one["round_number"], one["seat"]) for one in open_ones}):
        raise NotBroughtIn("log", number=entry["number"])


def _is_new(now: _Walk, key: str, row: Row, entry: Row) -> bool:
    """A challenge of a score that is there, with the points it has, and no ruling yet."""
    hands = now.rounds.get(str(row["round_number"]), {}).get("hands", [])
    return (
        entry["action"] == Action.CHALLENGED
        and key == str(len(now.challenges) + 1)
        and any((hand["seat"], hand["points"]) == (row["seat"], row["was"]) for hand in hands)
        and (row["round_number"], row["reason"], row["who"])
        == (entry["round_number"], entry["reason"], entry["who"])
        and bool(row["reason"])
        and row["role"] in Role.values
        and row["ruling"] == Ruling.OPEN
        and row["ruled_at"] is None
        and not row["ruling_reason"]
        and not row["ruled_by"]
    )


def _is_ruling(now: _Walk, key: str, row: Row, entry: Row) -> bool:
    """A ruling on an open challenge, with its reason, that changes nothing else of it."""
    was, data = now.challenges.get(key), entry["after"]["challenges"][key]
    return (
        entry["action"] == Action.RULED
        and was is not None
        and was["ruling"] == Ruling.OPEN
        and all(_same(data[name], was[name]) for name in CHALLENGED)
        and (row["round_number"], row["ruling_reason"], row["ruled_by"])
        == (entry["round_number"], entry["reason"], entry["who"])
        and bool(row["ruling_reason"])
        and row["ruling"] != Ruling.OPEN
        and row["ruled_at"] is not None
        and (row["ruling"] == Ruling.UPHELD or not entry["after"].get("rounds"))
    )


def _rounds(now: _Walk, entry: Row) -> None:
    """The rounds that this entry wrote: in their place, and each as the engine has it."""
    states = entry["after"].get("rounds", {})
    if not _writes_its_own(entry, states) or not _is_decision(now, entry):
        raise NotBroughtIn("log", number=entry["number"])
    for key, data in states.items():
        if key not in _KEYS:
            raise NotBroughtIn("shape", where="log.rounds")
        if data is None:
            now.rounds.pop(key, None)
            continue
        row = round_columns(data, "log.rounds")
        if row["number"] != int(key):
            raise NotBroughtIn("log", number=entry["number"])
        if row["disputed"] and entry["action"] in ROUND_ACTIONS and not entry["reason"]:
            raise NotBroughtIn("log", number=entry["number"])
        if entry["action"] == Action.CONFIRMED:
            _confirmed(now, entry, key)
        elif entry["action"] not in BACK:  # those were judged when they were made
            if row["confirmed"]:
                raise NotBroughtIn("log", number=entry["number"])
            judge(now, row)
        now.rounds[key] = _round(data)
    if sorted(map(int, now.rounds)) != list(range(1, len(now.rounds) + 1)):
        raise NotBroughtIn("log", number=entry["number"])
    if len(now.rounds) > now.game["round_count"]:
        raise NotBroughtIn("log", number=entry["number"])


def _records(now: _Walk, entry: Row) -> None:
    """The record that this entry brought or took away, of the round it is about; one that can be read."""
    states, action = entry["after"].get("records", {}), entry["action"]
    own = [str(entry["round_number"])]
    if action not in BACK and not _record_as_told(action, states, own):
        raise NotBroughtIn("log", number=entry["number"])
    for key, data in states.items():
        now.clock.check()
        if data is None:
            now.records.pop(key, None)
        elif _is_record(now, key, data):
            now.records[key] = data
        else:
            raise NotBroughtIn("log", number=entry["number"])
    if not now.records.keys() <= now.rounds.keys():
        raise NotBroughtIn("log", number=entry["number"])


def _record_as_told(action: str, states: State, own: list[str]) -> bool:
    """Whether an entry does with records what its action can."""
    if not states:
        return action not in RECORD_ACTIONS
    if list(states) != own:
        return False
    if action in (Action.RECORD_REMOVED, Action.ROUND_REMOVED):
        return states[own[0]] is None
    brings = (Action.RECORD_ATTACHED, Action.ROUND_RECORDED, Action.ROUND_CORRECTED)
    return action in brings and states[own[0]] is not None


def _is_record(now: _Walk, key: str, data: Any) -> bool:
    """Whether it can be read, and its players sit where somebody of that round does, none twice."""
    if (
        not isinstance(data, dict)
        or data.keys() != {"record", "seats"}
        or not isinstance(data["record"], str)
    ):
        return False
    try:
        text = str(data["record"])
        players = parse_record(text).players
    except RecordError:
        return False
    seats = data["seats"]
    there = {hand["seat"] for hand in now.rounds.get(key, {}).get("hands", [])}
    return (
        isinstance(seats, dict)
        and text == as_kept(text)
        and seats.keys() <= set(players)
        and all(type(seat) is int for seat in seats.values())
        and set(seats.values()) <= there
        and len(set(seats.values())) == len(seats)
    )


def _writes_its_own(entry: Row, states: State) -> bool:
    """Whether an entry changes what its action can: its own round, the one ruled on, or none."""
    action, own = entry["action"], list(states) == [str(entry["round_number"])]
    if ("link" in entry["after"]) != (action == Action.LINK_REPLACED):
        return False
    if action in ROUND_ACTIONS:
        return own
    if action in RECORD_ACTIONS:
        return not states
    if action in (Action.RULED, Action.DECIDED):
        return not states or (own and None not in states.values())
    return action != Action.CHALLENGED or not states


def _is_decision(now: _Walk, entry: Row) -> bool:
    """A decision is about a round that is there, with its reason; True for what is none."""
    decided = entry["action"] == Action.DECIDED
    return not decided or (bool(entry["reason"]) and str(entry["round_number"]) in now.rounds)


def _confirmed(now: _Walk, entry: Row, key: str) -> None:
    """Only a round that is there, as it is, where a second person was asked for."""
    there = {**now.rounds.get(key, {}), "confirmed": True}
    same = _same(_round(entry["after"]["rounds"][key]), there) and key in now.rounds
    if not same or key != str(entry["round_number"]) or not now.game["second_person"]:
        raise NotBroughtIn("log", number=entry["number"])


_KEYS = frozenset(map(str, range(1, MOST_ROUNDS + 1)))
_SEATS = frozenset(map(str, range(1, MOST_SEATS + 1)))


def judge(now: _Walk, row: Row) -> None:
    """One round by the engine: what it refuses is refused, and the file's scores must be the engine's."""
    sheet = now.sheet()
    now.clock.check()
    refused: tuple[Problem, ...] = ()
    for claim in _claims(row):
        check = round_check(sheet, row["number"], claim)
        told = {hand.seat for hand in check.hands} == set(sheet.seats(row["number"]))
        if not told or not all(row["disputed"] and may_be_disputed(one) for one in check.problems):
            refused = refused or check.problems
            continue
        try:
            scores = score_round(check.hands, rules=sheet.rules, ended=row["ended"])
        except EngineError:
            continue
        expected = {
            **row,
            "marks": sorted({problem.code for problem in check.problems}),
            "hands": [
                mapping.hand_to_data(hand, scores[hand.seat])
                for hand in sorted(check.hands, key=lambda hand: hand.seat)
            ],
        }
        warned = all(
            warning["code"] in CHECKS and (warning["seat"] is None or warning["seat"] in scores)
            for warning in row["warnings"]
        )
        if warned and _same(expected, row):
            return
    raise NotBroughtIn(
        "impossible" if refused else "score", problems=refused, names=now.names(), round=row["number"]
    )


def _claims(row: Row) -> tuple[RoundClaim, RoundClaim]:
    """The round as it was told: who went out said, or left to follow from the hands."""
    hands = tuple(
        HandClaim(
            seat=hand["seat"],
            points=hand["points"],
            tile_count=hand["tile_count"],
            tiles=None if hand["tiles"] is None else tuple(hand["tiles"]),
            out=hand["out"],
            marker=hand["marker"],
        )
        for hand in row["hands"]
    )
    said = RoundClaim(row["engine"], row["ended"], hands)
    return said, replace(said, hands=tuple(replace(hand, out=None) for hand in hands))
