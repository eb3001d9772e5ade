"""Writes. Each is one transaction: the game's row locked, its version checked, the change and its log line
saved.

Knows how a change is made and logged. Must not know requests, forms or sentences, nor the rules of the game:
the engine judges, and what it finds is raised as `Refused` with all problems at once.

A log entry holds the state of what changed before and after, as {"rounds": {"7": … or null}, "game": {…},
"players": […], "seats": {"6": … or null}}. Undo puts `before` back by a new entry; Redo puts `after` back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from games import mapping, results
from games.engine import sequence
from games.engine.errors import EngineError, Problem
from games.engine.rules import RuleSet
from games.engine.scoring import RoundCheck, RoundClaim, check_round, score_round
from games.engine.standings import Start
from games.models import (
    NAME_LENGTH,
    REASON_LENGTH,
    AccessKey,
    Action,
    Attempts,
    Game,
    Hand,
    LogEntry,
    Player,
    Role,
    Round,
    SavedAnswer,
    Status,
)
from games.names import tidy, unseen
from games.selectors import Sheet, log_of, sheet_of, takes_part

# What a disputed round may be saved in spite of (contract: "nothing else is ever overridden").
DISPUTABLE = frozenset({"zeros", "round_sum", "hands_clash", "count_points"})
MIN_PLAYERS, MAX_PLAYERS = 2, 14  # in a round
MAX_SEATS = 28  # in a game, whoever left it counted
MAX_ADJUSTMENT = 9_999
MAX_ADJUSTMENTS = 50  # to one total
NEXT_ENGINE = -1  # as a claim's engine: the one whose turn it is, or the one the round already has
HAND_COLUMNS = ["points", "score", "out", "marker", "tile_count", "tiles"]
ANSWERS_KEPT = timedelta(hours=24)
WRONG_KEY, NEW_GAME, IMPORT = (
    "wrong_key",
    "new_game",
    "import",
)  # what is counted against an address, by pages and API together


class Refused(Exception):
    """The change cannot be made. `code` is one of the top-level codes; `problems` are all of them."""

    def __init__(self, code: str, problems: Sequence[Problem] = ()) -> None:
        super().__init__(code)
        self.code = code
        self.problems = tuple(problems)


class Conflict(Exception):
    """Somebody else was first: nothing was written. `sheet` is the game as it is now."""

    def __init__(self, sheet: Sheet) -> None:
        super().__init__(f"version {sheet.game.version}")
        self.sheet = sheet


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What a game is started with; `first_engine` and `rounds` None: as the set has it."""

    players: Sequence[str]
    rules: RuleSet
    first_engine: int | None = None
    rounds: int | None = None
    name: str = ""
    played_on: date | None = None


@dataclass(frozen=True, slots=True)
class Started:
    sheet: Sheet
    scorer_key: str
    scorer_key_id: int


@dataclass(frozen=True, slots=True)
class Replaced:
    """The new link's key row, and the game as it is now."""

    sheet: Sheet
    key: AccessKey


@dataclass(frozen=True, slots=True)
class Written:
    """What a write left: the game as it is now, and whether a round is new."""

    sheet: Sheet
    created: bool = False


def check_setup(setup: Setup) -> list[Problem]:
    """All that is wrong with it: names, numbers of players, first engine, number of rounds."""
    problems = []
    count = len(setup.players)
    if not MIN_PLAYERS <= count <= MAX_PLAYERS:
        problems.append(
            Problem(
                "players_number",
                field="players",
                params={"count": count, "least": MIN_PLAYERS, "most": MAX_PLAYERS},
            )
        )
    seen: dict[str, int] = {}
    for seat, name in enumerate(setup.players, start=1):
        problems += _check_name(name, seat, seen, field="players")
        seen.setdefault(name.casefold(), seat)
    first = _first_engine(setup)
    if not 0 <= first <= setup.rules.max_pip:
        problems.append(
            Problem(
                "first_engine", field="first_engine", params={"given": first, "most": setup.rules.max_pip}
            )
        )
    elif not 1 <= _round_count(setup) <= first + 1:
        problems.append(
            Problem(
                "rounds_number",
                field="rounds",
                params={"given": _round_count(setup), "most": first + 1, "engine": first},
            )
        )
    deal = setup.rules.deal
    tiles = (setup.rules.max_pip + 1) * (setup.rules.max_pip + 2) // 2 - (setup.rules.engine == "set_aside")
    if deal is not None and deal * count > tiles:
        problems.append(
            Problem("deal_large", field="deal", params={"deal": deal, "players": count, "tiles": tiles})
        )
    return problems


def _check_name(name: str, seat: int, others: Mapping[str, int], *, field: str) -> list[Problem]:
    """What is wrong with a name; `others` are those taken, casefolded, by seat."""
    if not name.strip():
        return [Problem("name_blank", seat=seat, field=field)]
    if unseen(name):
        return [Problem("name_unseen", seat=seat, field=field)]
    if len(name) > NAME_LENGTH:
        return [Problem("name_long", seat=seat, field=field, params={"name": name, "most": NAME_LENGTH})]
    if name.casefold() in others:
        params = {"name": name, "other": others[name.casefold()]}
        return [Problem("name_twice", seat=seat, field=field, params=params)]
    return []


def _first_engine(setup: Setup) -> int:
    return setup.rules.max_pip if setup.first_engine is None else setup.first_engine


def _round_count(setup: Setup) -> int:
    return _first_engine(setup) + 1 if setup.rounds is None else setup.rounds


@transaction.atomic
def game_start(*, setup: Setup, who: str = "") -> Started:
    """A new game with its scorer and view keys. Refused("invalid") with every problem of `check_setup`."""
    if problems := check_setup(setup):
        raise Refused("invalid", problems)
    game = Game.objects.create(
        name=setup.name,
        played_on=setup.played_on,
        rules=mapping.rules_to_data(setup.rules),
        first_engine=_first_engine(setup),
        round_count=_round_count(setup),
    )
    _seat_players(game, setup.players)
    scorer = AccessKey.objects.create(game=game, role=Role.SCORER)
    AccessKey.objects.create(game=game, role=Role.VIEWER)
    LogEntry.objects.create(
        game=game,
        number=game.version,
        at=game.created_at,
        who=who,
        action=Action.STARTED,
        after=_setup_state(game),
    )
    return Started(sheet=sheet_of(game), scorer_key=scorer.key, scorer_key_id=scorer.pk)


@transaction.atomic
def game_set_up_anew(*, game: Game, setup: Setup, who: str = "", version: int | None = None) -> Written:
    """Other players, rules or names, as long as no round is in. Refused("rules_frozen") afterwards."""
    game = _lock(game, version)
    if game.rounds.exists():
        raise Refused("rules_frozen")
    if problems := check_setup(setup):
        raise Refused("invalid", problems)
    before = _setup_state(game)
    game.name, game.played_on = setup.name, setup.played_on
    game.rules = mapping.rules_to_data(setup.rules)
    game.first_engine, game.round_count = _first_engine(setup), _round_count(setup)
    game.save(update_fields=["name", "played_on", "rules", "first_engine", "round_count"])
    adjusted = {player.name: player.adjustments for player in game.players.all() if player.adjustments}
    game.players.all().delete()
    _seat_players(game, setup.players)
    for name, adjustments in adjusted.items():
        game.players.filter(name=name).update(adjustments=adjustments)
    return _finish_write(game, action=Action.SETUP_CHANGED, who=who, before=before, after=_setup_state(game))


def _seat_players(game: Game, names: Sequence[str]) -> None:
    Player.objects.bulk_create(
        Player(game=game, seat=seat, order=seat, name=name) for seat, name in enumerate(names, start=1)
    )


def _setup_state(game: Game) -> dict[str, Any]:
    return {
        "game": {
            "name": game.name,
            "played_on": None if game.played_on is None else game.played_on.isoformat(),
            "rules": game.rules,
            "first_engine": game.first_engine,
            "round_count": game.round_count,
        },
        **_players_state(game),
    }


def _players_state(game: Game) -> dict[str, Any]:
    """Everybody's name in the order they sit; and each seat, where more than the names is to be known."""
    players = list(game.players.order_by("order", "seat"))
    state: dict[str, Any] = {"players": [player.name for player in players]}
    plain: dict[str, Any] = {"from_round": 1, "to_round": None, "start_total": 0, "adjustments": []}
    seats = {str(player.seat): mapping.player_to_data(player) for player in players}
    if any(
        data != {"name": data["name"], "order": int(seat), **plain} for seat, data in seats.items()
    ) or sorted(map(int, seats)) != list(range(1, len(seats) + 1)):
        state["seats"] = seats
    return state


# People come and go


@transaction.atomic
def player_add(
    *,
    game: Game,
    name: str,
    start: Start = "zero",
    order: int | None = None,
    who: str = "",
    version: int | None = None,
) -> Written:
    """Somebody joins, from the next round on; `order` is the place at the table (None: the last).

    Before the first round it is somebody who was forgotten. Later ones begin with what `start` gives. A game
    ended early goes on. Refused("invalid"): the name, too many for a round, or no round left to join.
    """
    game = _lock(game, version)
    sheet = sheet_of(game)
    name, seat = tidy(name), _new_seat(game, sheet)
    problems = _check_name(name, seat, _names_taken(sheet), field="name")
    if sheet.next_number is None:
        problems.append(Problem("game_over", params={"rounds": game.round_count}))
    else:
        problems += _check_room(sheet, joining=1)
    if problems:
        raise Refused("invalid", problems)
    player = Player(
        game=game,
        seat=seat,
        order=len(sheet.players) + 1,
        name=name,
        from_round=sheet.next_number or 1,
        start_total=sheet.starts()[start],
    )
    return _write_players(
        game, sheet, _moved([*sheet.players, player], player, order), Action.PLAYER_JOINED, who=who
    )


@transaction.atomic
def player_change(
    *,
    game: Game,
    seat: int,
    name: str | None = None,
    order: int | None = None,
    retired: bool | None = None,
    who: str = "",
    version: int | None = None,
) -> Written:
    """Another name, another place at the table, gone or back again: what is None stays as it is.

    Scores stay with the seat. Who left plays no further round, and after coming back those from the next one
    on. Refused: "not_found", or "invalid" for the name or too few or too many players.
    """
    game = _lock(game, version)
    sheet = sheet_of(game)
    player = _player_at(sheet, seat)
    problems: list[Problem] = []
    leaves = retired and player.to_round is None
    returns = retired is False and player.to_round is not None
    if name is not None:
        name = tidy(name)
        problems += _check_name(name, seat, _names_taken(sheet, but=seat), field="name")
    if (leaves or returns) and sheet.next_number is None:
        problems.append(Problem("game_over", params={"rounds": game.round_count}))
    elif leaves or returns:
        problems += _check_room(sheet, joining=0 if leaves else 1, leaving=player if leaves else None)
    if problems:
        raise Refused("invalid", problems)
    changed = copy(player)
    changed.name = player.name if name is None else name
    if leaves:
        changed.to_round = max(len(sheet.rounds), player.from_round - 1)
    elif returns:
        changed.to_round = None
    others = [changed if one.seat == seat else one for one in sheet.players]
    players = others if order is None else _moved(others, changed, order)
    return _write_players(game, sheet, players, Action.PLAYER_CHANGED, who=who, reopens=returns)


@transaction.atomic
def adjustment_add(
    *, game: Game, seat: int, points: int, reason: str, who: str = "", version: int | None = None
) -> Written:
    """A penalty or a bonus: signed points on a total, apart from the rounds, with the reason for them."""
    game = _lock(game, version)
    sheet = sheet_of(game)
    player = _player_at(sheet, seat)
    problems = []
    if not points or abs(points) > MAX_ADJUSTMENT:
        params = {"points": points, "most": MAX_ADJUSTMENT}
        problems.append(Problem("adjustment_points", seat=seat, field="points", params=params))
    if not reason.strip():
        problems.append(Problem("adjustment_reason", seat=seat, field="reason"))
    if len(player.adjustments) >= MAX_ADJUSTMENTS:
        problems.append(Problem("adjustments_many", seat=seat, params={"most": MAX_ADJUSTMENTS}))
    if problems:
        raise Refused("invalid", problems)
    reason = reason.strip()[:REASON_LENGTH]
    given = {"number": game.version + 1, "points": points, "reason": reason, "round": len(sheet.rounds)}
    changed = copy(player)
    changed.adjustments = [*player.adjustments, given]
    players = [changed if one.seat == seat else one for one in sheet.players]
    return _write_players(game, sheet, players, Action.ADJUSTED, who=who, reason=reason)


@transaction.atomic
def adjustment_remove(
    *, game: Game, seat: int, number: int, who: str = "", version: int | None = None
) -> Written:
    """Take a penalty or bonus back: the one that log entry `number` gave. Refused("not_found")."""
    game = _lock(game, version)
    sheet = sheet_of(game)
    player = _player_at(sheet, seat)
    changed = copy(player)
    changed.adjustments = [one for one in player.adjustments if one["number"] != number]
    if len(changed.adjustments) == len(player.adjustments):
        raise Refused("not_found", [Problem("adjustment_unknown", seat=seat, params={"number": number})])
    players = [changed if one.seat == seat else one for one in sheet.players]
    return _write_players(game, sheet, players, Action.ADJUSTMENT_GONE, who=who)


def _player_at(sheet: Sheet, seat: int) -> Player:
    player = sheet.player(seat)
    if player is None:
        raise Refused("not_found", [Problem("player_unknown", params={"seat": seat})])
    return player


def _names_taken(sheet: Sheet, but: int = 0) -> dict[str, int]:
    return {player.name.casefold(): player.seat for player in sheet.players if player.seat != but}


def _check_room(sheet: Sheet, *, joining: int, leaving: Player | None = None) -> list[Problem]:
    """2 to 14 in the coming round, and two of them to the end."""
    number = sheet.next_number or 1
    count = joining + sum(takes_part(one, number) for one in sheet.players if one is not leaving)
    staying = joining + sum(one.to_round is None for one in sheet.players if one is not leaving)
    if count <= MAX_PLAYERS and (leaving is None or staying >= MIN_PLAYERS):
        return []
    params = {"count": min(count, staying) if leaving else count, "least": MIN_PLAYERS, "most": MAX_PLAYERS}
    return [Problem("players_in_round", params=params)]


def _new_seat(game: Game, sheet: Sheet) -> int:
    """A seat that nobody has or ever had: the log remembers who was undone."""
    had = {player.seat for player in sheet.players}
    for before, after in LogEntry.objects.filter(game=game).values_list("before", "after"):
        had |= {int(seat) for state in (before, after) for seat in state.get("seats", {})}
    if len(sheet.players) >= MAX_SEATS:
        raise Refused("invalid", [Problem("seats_full", params={"most": MAX_SEATS})])
    return max(had) + 1


def _moved(players: Sequence[Player], who: Player, order: int | None) -> list[Player]:
    """The players with one of them at place `order`, counted from 1; past the end is the last place."""
    if order is None:
        return list(players)
    others = [player for player in players if player is not who]
    others.insert(max(order, 1) - 1, who)
    return others


def _write_players(
    game: Game,
    sheet: Sheet,
    players: Sequence[Player],
    action: Action,
    *,
    who: str,
    reason: str = "",
    reopens: bool = False,
) -> Written:
    """Save those who are not as `sheet` has them, in the order given; nothing if nobody is."""
    old = {player.seat: mapping.player_to_data(player) for player in sheet.players}
    moved = [player.seat for player in players] != [player.seat for player in sheet.players]
    before: dict[str, Any] = {}
    after: dict[str, Any] = {}
    for place, player in enumerate(players, start=1):
        data = mapping.player_to_data(player) | ({"order": place} if moved else {})
        if data != old.get(player.seat):
            before[str(player.seat)], after[str(player.seat)] = old.get(player.seat), data
    if not after:
        return Written(sheet)
    _write_seats(game, after)
    joined = action == Action.PLAYER_JOINED
    return _finish_write(
        game,
        action=action,
        who=who,
        reason=reason,
        before={"seats": before},
        after={"seats": after},
        created=joined or action == Action.ADJUSTED,
        keep_status=not (joined or reopens),
    )


def _write_seats(game: Game, seats: Mapping[str, mapping.PlayerData | None]) -> None:
    """Make the player of each seat what `seats` says; None takes a player away who has no hands."""
    if gone := [int(seat) for seat, data in seats.items() if data is None]:
        game.players.filter(seat__in=gone).delete()
    Player.objects.bulk_create(
        [Player(game=game, seat=int(seat), **data) for seat, data in seats.items() if data is not None],
        update_conflicts=True,
        unique_fields=["game", "seat"],
        update_fields=mapping.PLAYER_FIELDS,
    )


def round_check(sheet: Sheet, number: int, claim: RoundClaim) -> RoundCheck:
    """The engine's whole judgement of round `number` in this game, its engine's turn included."""
    check = check_round(claim, rules=sheet.rules, seats=sheet.seats(number), deal=sheet.deal(number))
    used = {entry.number: entry.engine for entry in sheet.rounds if entry.number != number}
    wrong = sequence.check_engine(
        sheet.rules, sheet.game.first_engine, number=number, given=claim.engine, used=used
    )
    return replace(check, problems=(wrong, *check.problems)) if wrong else check


def may_be_disputed(problem: Problem) -> bool:
    """Whether a disputed round may be saved in spite of it. Who went out can be said anew at any time."""
    return problem.code in DISPUTABLE and problem.params.get("kind") not in ("out", "not_out")


@transaction.atomic
def round_put(
    *,
    game: Game,
    number: int,
    claim: RoundClaim,
    disputed: bool = False,
    reason: str = "",
    who: str = "",
    version: int | None = None,
    only_new: bool = False,
    stays_ended: bool = False,
) -> Written:
    """Enter round `number`, or correct it if it is there.

    `version`: the version the caller saw (None: any); `only_new`: the round must not be there yet. If either
    does not hold: Conflict. `stays_ended`: a game that was ended early is not taken up again. Refused:
    "round_number" past the next one, "round_impossible" with all problems, "invalid" if disputed without a
    reason. `claim.engine` may be NEXT_ENGINE.
    """
    game = _lock(game, version)
    sheet = sheet_of(game)
    existing = sheet.round(number)
    if only_new and existing is not None:
        raise Conflict(sheet)
    if existing is None and number != sheet.next_number:
        raise Refused("round_number", [_round_number(sheet, number)])
    if claim.engine == NEXT_ENGINE:
        engine = existing.engine if existing else sheet.next_engine
        assert engine is not None  # noqa: S101 - a next round has a next engine
        claim = replace(claim, engine=engine)
    if disputed and not reason:
        raise Refused("invalid", [Problem("reason_missing", field="reason")])
    check = round_check(sheet, number, claim)
    incomplete = {hand.seat for hand in check.hands} != set(sheet.seats(number))
    if incomplete or not all(disputed and may_be_disputed(problem) for problem in check.problems):
        raise Refused("round_impossible", check.problems)
    try:
        scores = score_round(check.hands, rules=sheet.rules, ended=claim.ended)
    except EngineError as error:  # of a hand that is wrong already, check_round asks for no tiles
        raise Refused("round_impossible", [*check.problems, _needs_tiles(sheet, check, error)]) from error
    data: mapping.RoundData = {
        "number": number,
        "engine": claim.engine,
        "ended": claim.ended,
        "disputed": disputed,
        "marks": sorted({problem.code for problem in check.problems}),
        "warnings": [mapping.warning_to_data(warning) for warning in check.warnings],
        "hands": [
            mapping.hand_to_data(hand, scores[hand.seat])
            for hand in sorted(check.hands, key=lambda hand: hand.seat)
        ],
    }
    before = _round_state(game, number)
    stays_ended = stays_ended and game.status == Status.FINISHED
    if before["rounds"][str(number)] == data and (stays_ended or game.status == _settled(sheet)):
        return Written(sheet)
    _write_round(game, number, data)
    return _finish_write(
        game,
        action=Action.ROUND_CORRECTED if existing else Action.ROUND_RECORDED,
        round_number=number,
        who=who,
        reason=reason,
        before=before,
        after={"rounds": {str(number): data}},
        created=existing is None,
        keep_status=stays_ended,
    )


@transaction.atomic
def round_remove(
    *, game: Game, number: int, reason: str = "", who: str = "", version: int | None = None
) -> Written:
    """Take the last round back. Refused("round_number") for any other."""
    game = _lock(game, version)
    sheet = sheet_of(game)
    if number != len(sheet.rounds) or number == 0:
        raise Refused("round_number", [_round_number(sheet, number, removing=True)])
    before = _round_state(game, number)
    _write_round(game, number, None)
    return _finish_write(
        game,
        action=Action.ROUND_REMOVED,
        round_number=number,
        who=who,
        reason=reason,
        before=before,
        after={"rounds": {str(number): None}},
    )


@transaction.atomic
def game_finish(*, game: Game, who: str = "", version: int | None = None) -> Written:
    """End the game before its last round. A finished game stays as it is."""
    game = _lock(game, version)
    if game.status == Status.FINISHED:
        return Written(sheet_of(game))
    game.status = Status.FINISHED
    return _finish_write(game, action=Action.FINISHED, who=who, before={}, after={}, keep_status=True)


@transaction.atomic
def change_undo(*, game: Game, who: str = "", version: int | None = None) -> Written:
    """Reverse the last change that stands, by a new line in the log. Refused("nothing_to_undo")."""
    game = _lock(game, version)
    entry = log_of(game).undo
    if entry is None:
        raise Refused("nothing_to_undo")
    return _apply(game, entry, state=entry.before, other=entry.after, action=Action.UNDONE, who=who)


@transaction.atomic
def change_redo(*, game: Game, who: str = "", version: int | None = None) -> Written:
    """Bring back the change undone last, until something else changes. Refused("nothing_to_redo")."""
    game = _lock(game, version)
    entry = log_of(game).redo
    if entry is None:
        raise Refused("nothing_to_redo")
    return _apply(game, entry, state=entry.after, other=entry.before, action=Action.REDONE, who=who)


@transaction.atomic
def link_replace(
    *, game: Game, role: Role, link: int | None = None, who: str = "", version: int | None = None
) -> Replaced:
    """Stop the live link of `role` and make a new one.

    `link`: the key row that the caller saw as the live one. If another has taken its place: Conflict, so that
    a link that was sent out a moment ago is not stopped by somebody who never saw it.
    """
    game = _lock(game, version)
    live = AccessKey.objects.filter(game=game, role=role, revoked_at=None)
    if link is not None and not live.filter(pk=link).exists():
        raise Conflict(sheet_of(game))
    live.update(revoked_at=timezone.now())
    key = AccessKey.objects.create(game=game, role=role)
    # The log is read by those who only watch: it names the link, never a secret.
    after = {"link": str(role)}
    action = Action.LINK_REPLACED
    written = _finish_write(game, action=action, who=who, before={}, after=after, keep_status=True)
    return Replaced(sheet=written.sheet, key=key)


def _apply(
    game: Game, entry: LogEntry, *, state: dict[str, Any], other: dict[str, Any], action: Action, who: str
) -> Written:
    if "players" in state:
        game.players.all().delete()
        if "seats" not in state:
            _seat_players(game, state["players"])
    _write_seats(game, state.get("seats", {}))
    for number, data in state.get("rounds", {}).items():
        _write_round(game, int(number), data)
    fields = state.get("game", {})
    for name, value in fields.items():
        setattr(game, name, date.fromisoformat(value) if name == "played_on" and value else value)
    if fields:
        game.save(update_fields=list(fields))
    return _finish_write(
        game,
        action=action,
        round_number=entry.round_number,
        target=entry.number,
        who=who,
        before=other,
        after=state,
        keep_status=True,
    )


def _settled(sheet: Sheet) -> Status:
    """The status that the rounds give by themselves: a game ends with its last one."""
    return Status.FINISHED if sheet.next_number is None else Status.PLAYING


def _lock(game: Game, version: int | None) -> Game:
    locked = Game.objects.select_for_update().get(pk=game.pk)
    if version is not None and version != locked.version:
        raise Conflict(sheet_of(locked))
    return locked


def _needs_tiles(sheet: Sheet, check: RoundCheck, error: EngineError) -> Problem:
    hand = next(hand for hand in check.hands if hand.seat == error.params["seat"])
    options = tuple(name for name in ("blank_half", "doubles_twice") if getattr(sheet.rules, name))
    params = {"points": hand.points, "options": options}
    return Problem("needs_tiles", seat=hand.seat, seats=(hand.seat,), params=params)


def _round_number(sheet: Sheet, number: int, *, removing: bool = False) -> Problem:
    return Problem(
        "round_number",
        field="number",
        params={
            "given": number,
            "next": sheet.next_number,
            "last": len(sheet.rounds),
            "rounds": sheet.game.round_count,
            "removing": removing,
        },
    )


def _round_state(game: Game, number: int) -> dict[str, Any]:
    row = Round.objects.filter(game=game, number=number).first()
    if row is None:
        return {"rounds": {str(number): None}}
    hands = Hand.objects.filter(round=row).select_related("player").order_by("player__seat")
    data = mapping.round_to_data(row, (mapping.hand_row_to_data(hand, hand.player.seat) for hand in hands))
    return {"rounds": {str(number): data}}


def _write_round(game: Game, number: int, data: mapping.RoundData | None) -> None:
    """Make round `number` what `data` says; None takes it away."""
    if data is None:
        Round.objects.filter(game=game, number=number).delete()
        return
    row, _ = Round.objects.update_or_create(
        game=game,
        number=number,
        defaults={name: data[name] for name in ("engine", "ended", "disputed", "marks", "warnings")},
    )
    players = dict(game.players.values_list("seat", "pk"))
    Hand.objects.bulk_create(
        [
            Hand(round=row, player_id=players[hand["seat"]], **{name: hand[name] for name in HAND_COLUMNS})
            for hand in data["hands"]
        ],
        update_conflicts=True,
        unique_fields=["round", "player"],
        update_fields=HAND_COLUMNS,
    )


def _finish_write(
    game: Game,
    *,
    action: Action,
    who: str,
    before: dict[str, Any],
    after: dict[str, Any],
    round_number: int | None = None,
    target: int | None = None,
    reason: str = "",
    created: bool = False,
    keep_status: bool = False,
) -> Written:
    """Count the version up, settle the status, write the log line, and read the game back."""
    old_status = Game.objects.values_list("status", flat=True).get(pk=game.pk)
    sheet = sheet_of(game)
    if not keep_status:
        game.status = _settled(sheet)
    if game.status != old_status:
        before = {**before, "game": {**before.get("game", {}), "status": old_status}}
        after = {**after, "game": {**after.get("game", {}), "status": game.status}}
    game.version += 1
    game.changed_at = timezone.now()
    game.save(update_fields=["version", "status", "changed_at"])
    LogEntry.objects.create(
        game=game,
        number=game.version,
        at=game.changed_at,
        who=who,
        action=action,
        round_number=round_number,
        target=target,
        reason=reason,
        before=before,
        after=after,
    )
    results.game_written(game, sheet)
    return Written(sheet=sheet, created=created)


def attempt_counted(*, what: str, address: str, most: int, times: int = 1) -> bool:
    """Count one more (or `times`) of `what` from `address` in this minute; False once over `most`."""
    minute = timezone.now().replace(second=0, microsecond=0)
    use = {"what": what, "address": address, "minute": minute}
    Attempts.objects.bulk_create([Attempts(**use)], ignore_conflicts=True)
    rows = Attempts.objects.filter(**use)
    rows.update(count=F("count") + times)
    count = rows.values_list("count", flat=True)[0]
    if count == times:
        Attempts.objects.filter(minute__lt=minute - timedelta(hours=1)).delete()
    return count <= most


def answer_claim(
    *, credential: str, method: str, path: str, key: str, body_hash: str
) -> tuple[SavedAnswer, bool]:
    """The saved answer of this idempotency key, and whether the caller is the first to use it.

    Call it inside the write's transaction: a second call with the same key then waits for the first.
    """
    SavedAnswer.objects.filter(created_at__lt=timezone.now() - ANSWERS_KEPT).delete()
    use = {"credential": credential, "method": method, "path": path, "key": key}
    SavedAnswer.objects.bulk_create([SavedAnswer(**use, body_hash=body_hash)], ignore_conflicts=True)
    answer = SavedAnswer.objects.get(**use)
    return answer, answer.status is None  # one that is there already was kept together with its write


def answer_keep(*, answer: SavedAnswer, status: int, body: str) -> None:
    answer.status, answer.body = status, body
    answer.save(update_fields=["status", "body"])
