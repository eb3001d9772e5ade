"""Writes. Each is one transaction: the game's row locked, its version checked, the change and its log line
saved.

Knows how a change is made and logged. Must not know requests, forms or sentences, nor the rules of the game:
the engine judges, and what it finds is raised as `Refused` with all problems at once.

A log entry holds the state of what changed before and after, as {"rounds": {"7": … or null}, "game": {…},
"players": […], "seats": {"6": … or null}, "challenges": {"1": … or null},
"records": {"7": … or null}}. Undo puts `before` back by a new entry; Redo puts `after` back. A round's record
stands apart from the round, so that its text is in those entries alone that bring it or take it away.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from games import attached, mapping, results
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
    Challenge,
    Game,
    Hand,
    HandIn,
    LogEntry,
    Player,
    RecordMark,
    Role,
    Round,
    Ruling,
    SavedAnswer,
    SeatHolder,
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
STATE_READERS = {"played_on": date.fromisoformat, "abandoned_at": datetime.fromisoformat}
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
    second_person: bool = False  # somebody else confirms each round


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
    """A new game with its three keys. Refused("invalid") with every problem of `check_setup`."""
    if problems := check_setup(setup):
        raise Refused("invalid", problems)
    game = Game.objects.create(
        name=setup.name,
        played_on=setup.played_on,
        rules=mapping.rules_to_data(setup.rules),
        first_engine=_first_engine(setup),
        round_count=_round_count(setup),
        second_person=setup.second_person,
    )
    _seat_players(game, setup.players)
    scorer = AccessKey.objects.create(game=game, role=Role.SCORER)
    AccessKey.objects.create(game=game, role=Role.VIEWER)
    AccessKey.objects.create(game=game, role=Role.SEAT)
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
def game_made_once(*, form: str, make: Callable[[], Started], address: str, most: int) -> tuple[str, int]:
    """Make the game of a form that may be sent twice: its slug and the row of its scorer key.

    `form`: a secret of the form and what it says, hashed. The same again opens the game that it made, as long
    as nothing has happened in that game; a second one sent at once waits for the first. Refused("throttled")
    for more new games than `most` a minute from `address`.
    """
    saved, first = answer_claim(credential="", method="POST", path="new", key=form, body_hash="")
    if not first:
        key, version = saved.body.split()
        made = AccessKey.objects.filter(pk=int(key), revoked_at=None, game__version=int(version))
        if slug := made.values_list("game__slug", flat=True).first():
            return slug, int(key)
    if not attempt_counted(what=NEW_GAME, address=address, most=most):
        raise Refused("throttled")
    started = make()
    answer_keep(answer=saved, status=201, body=f"{started.scorer_key_id} {started.sheet.game.version}")
    return started.sheet.game.slug, started.scorer_key_id


@transaction.atomic
def game_set_up_anew(*, game: Game, setup: Setup, who: str = "", version: int | None = None) -> Written:
    """Other players, rules or names, as long as no round is in. Refused("rules_frozen") afterwards."""
    game = lock_game(game, version)
    if game.rounds.exists():
        raise Refused("rules_frozen")
    if problems := check_setup(setup):
        raise Refused("invalid", problems)
    before = _setup_state(game)
    game.name, game.played_on = setup.name, setup.played_on
    game.rules = mapping.rules_to_data(setup.rules)
    game.first_engine, game.round_count = _first_engine(setup), _round_count(setup)
    game.second_person = setup.second_person
    game.save(update_fields=["name", "played_on", "rules", "first_engine", "round_count", "second_person"])
    adjusted = {player.name: player.adjustments for player in game.players.all() if player.adjustments}
    held = _unseat(game)
    _seat_players(game, setup.players)
    _hold_again(game, held)
    for name, adjustments in adjusted.items():
        game.players.filter(name=name).update(adjustments=adjustments)
    return finish_write(game, action=Action.SETUP_CHANGED, who=who, before=before, after=_setup_state(game))


def _seat_players(game: Game, names: Sequence[str]) -> None:
    Player.objects.bulk_create(
        Player(game=game, seat=seat, order=seat, name=name) for seat, name in enumerate(names, start=1)
    )


def _unseat(game: Game) -> list[tuple[str, SeatHolder]]:
    """Take all players away; which phones had whose seat."""
    held = SeatHolder.objects.filter(game=game).select_related("player")
    found = [(holder.player.name, holder) for holder in held]
    game.players.all().delete()
    return found


def _hold_again(game: Game, held: Sequence[tuple[str, SeatHolder]]) -> None:
    """Phones keep the seats of those who are at the table again."""
    if not held:
        return
    players = dict(game.players.values_list("name", "pk"))
    SeatHolder.objects.bulk_create(
        SeatHolder(game=game, player_id=players[name], device=one.device, lost=one.lost, at=one.at)
        for name, one in held
        if name in players
    )


def _setup_state(game: Game) -> dict[str, Any]:
    return {
        "game": {
            "name": game.name,
            "played_on": None if game.played_on is None else game.played_on.isoformat(),
            "rules": game.rules,
            "first_engine": game.first_engine,
            "round_count": game.round_count,
            "second_person": game.second_person,
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
    game = lock_game(game, version)
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
    game = lock_game(game, version)
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
    game = lock_game(game, version)
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
    game = lock_game(game, version)
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
    return finish_write(
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
    device: str = "",
) -> Written:
    """Enter round `number`, or correct it if it is there; it is then unconfirmed. `device`: the phone.

    `version`: the version the caller saw (None: any); `only_new`: the round must not be there yet. If either
    does not hold: Conflict. Refused: "round_number" past the next one, "round_impossible" with all problems,
    "invalid" if disputed without a reason. `claim.engine` may be NEXT_ENGINE.
    """
    game = lock_game(game, version)
    sheet = sheet_of(game)
    existing = sheet.round(number)
    if only_new and existing is not None:
        raise Conflict(sheet)
    if existing is None and number != sheet.next_number:
        raise Refused("round_number", [round_number_problem(sheet, number)])
    if claim.engine == NEXT_ENGINE:
        engine = existing.engine if existing else sheet.next_engine
        assert engine is not None  # noqa: S101 - a next round has a next engine
        claim = replace(claim, engine=engine)
    if disputed and not reason:
        raise Refused("invalid", [Problem("reason_missing", field="reason")])
    data = judged_round(sheet, number, claim, disputed=disputed)
    before = round_state(game, number)
    if before["rounds"][str(number)] == data and game.status == _settled(sheet):
        return Written(sheet)
    data["confirmed"] = False
    write_round(game, number, data, device)
    said = {} if existing else hands_said(game, number)
    return finish_write(
        game,
        action=Action.ROUND_CORRECTED if existing else Action.ROUND_RECORDED,
        round_number=number,
        who=who,
        reason=reason,
        before=before,
        after={"rounds": {str(number): data}, **said},
        created=existing is None,
    )


def judged_round(sheet: Sheet, number: int, claim: RoundClaim, *, disputed: bool) -> mapping.RoundData:
    """The round as it is to be saved. Refused("round_impossible") with all problems."""
    check = round_check(sheet, number, claim)
    incomplete = {hand.seat for hand in check.hands} != set(sheet.seats(number))
    if incomplete or not all(disputed and may_be_disputed(problem) for problem in check.problems):
        raise Refused("round_impossible", check.problems)
    try:
        scores = score_round(check.hands, rules=sheet.rules, ended=claim.ended)
    except EngineError as error:  # of a hand that is wrong already, check_round asks for no tiles
        raise Refused("round_impossible", [*check.problems, _needs_tiles(sheet, check, error)]) from error
    existing = sheet.round(number)
    return {
        "number": number,
        "engine": claim.engine,
        "ended": claim.ended,
        "disputed": disputed,
        "marks": sorted({problem.code for problem in check.problems}),
        "warnings": [mapping.warning_to_data(warning) for warning in check.warnings],
        "confirmed": existing is not None and existing.confirmed,
        "hands": [
            mapping.hand_to_data(hand, scores[hand.seat])
            for hand in sorted(check.hands, key=lambda hand: hand.seat)
        ],
    }


def hands_said(game: Game, number: int) -> dict[str, Any]:
    """What players told of their hands of this round from their own phones: {"said": {seat: points}}."""
    told = HandIn.objects.filter(game=game, round_number=number).order_by("player__seat")
    said = {str(seat): points for seat, points in told.values_list("player__seat", "points")}
    return {"said": said} if said else {}


@transaction.atomic
def round_remove(
    *, game: Game, number: int, reason: str = "", who: str = "", version: int | None = None
) -> Written:
    """Take the last round back. Refused("round_number") for any other."""
    game = lock_game(game, version)
    sheet = sheet_of(game)
    if number != len(sheet.rounds) or number == 0:
        raise Refused("round_number", [round_number_problem(sheet, number, removing=True)])
    before: dict[str, Any] = round_state(game, number)
    after: dict[str, Any] = {"rounds": {str(number): None}}
    if sheet.rounds[-1].record:
        before |= record_state(game, number)
        after["records"] = {str(number): None}
    write_round(game, number, None)
    return finish_write(
        game,
        action=Action.ROUND_REMOVED,
        round_number=number,
        who=who,
        reason=reason,
        before=before,
        after=after,
    )


@transaction.atomic
def game_finish(*, game: Game, who: str = "", version: int | None = None) -> Written:
    """End the game before its last round. A finished game stays as it is."""
    game = lock_game(game, version)
    if game.status == Status.FINISHED:
        return Written(sheet_of(game))
    game.status = Status.FINISHED
    return finish_write(game, action=Action.FINISHED, who=who, before={}, after={}, keep_status=True)


@transaction.atomic
def change_undo(*, game: Game, who: str = "", version: int | None = None, device: str = "") -> Written:
    """Reverse the last change that stands, by a new line in the log.

    Refused("nothing_to_undo"); with a problem where that is a score which the club decided.
    """
    game = lock_game(game, version)
    log = log_of(game)
    entry = log.undo
    if entry is None:
        held = log.held
        told = [] if held is None else [Problem("undo_decided", params={"round": held.round_number})]
        raise Refused("nothing_to_undo", told)
    about: dict[str, Any] = {"action": Action.UNDONE, "who": who, "device": device}
    return _apply(game, entry, state=entry.before, other=entry.after, **about)


@transaction.atomic
def change_redo(*, game: Game, who: str = "", version: int | None = None, device: str = "") -> Written:
    """Bring back the change undone last, until something else changes. Refused("nothing_to_redo")."""
    game = lock_game(game, version)
    entry = log_of(game).redo
    if entry is None:
        raise Refused("nothing_to_redo")
    about: dict[str, Any] = {"action": Action.REDONE, "who": who, "device": device}
    return _apply(game, entry, state=entry.after, other=entry.before, **about)


@transaction.atomic
def link_replace(
    *, game: Game, role: Role, link: int | None = None, who: str = "", version: int | None = None
) -> Replaced:
    """Stop the live link of `role` and make a new one.

    `link`: the key row that the caller saw as the live one. If another has taken its place: Conflict, so that
    a link that was sent out a moment ago is not stopped by somebody who never saw it.
    """
    game = lock_game(game, version)
    live = AccessKey.objects.filter(game=game, role=role, member=None, revoked_at=None)
    if link is not None and not live.filter(pk=link).exists():
        raise Conflict(sheet_of(game))
    live.update(revoked_at=timezone.now())
    key = AccessKey.objects.create(game=game, role=role)
    # The log is read by those who only watch: it names the link, never a secret.
    after = {"link": str(role)}
    action = Action.LINK_REPLACED
    written = finish_write(game, action=action, who=who, before={}, after=after, keep_status=True)
    return Replaced(sheet=written.sheet, key=key)


def _apply(
    game: Game,
    entry: LogEntry,
    *,
    state: dict[str, Any],
    other: dict[str, Any],
    action: Action,
    who: str,
    device: str,
) -> Written:
    held = _unseat(game) if "players" in state else []
    if "players" in state and "seats" not in state:
        _seat_players(game, state["players"])
    _write_seats(game, state.get("seats", {}))
    _hold_again(game, held)
    entered_by = None if entry.action == Action.CONFIRMED else device
    for number, data in state.get("rounds", {}).items():
        write_round(game, int(number), data, entered_by)
    for number, data in state.get("records", {}).items():
        write_record(game, int(number), data)
    for number, data in state.get("challenges", {}).items():
        write_challenge(game, int(number), data)
    fields = state.get("game", {})
    for name, value in fields.items():
        read = STATE_READERS.get(name)
        setattr(game, name, read(value) if read and value else value)
    if fields:
        game.save(update_fields=list(fields))
    return finish_write(
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


def lock_game(game: Game, version: int | None, *, deleted: bool = False) -> Game:
    """The game's row, locked; `deleted`: also if it is a deleted game's. Refused("not_found"), Conflict."""
    locked = Game.objects.select_for_update().filter(pk=game.pk).first()
    if locked is None or (locked.deleted_at is not None and not deleted):
        raise Refused("not_found", [Problem("game_deleted")])
    if version is not None and version != locked.version:
        raise Conflict(sheet_of(locked))
    return locked


def _needs_tiles(sheet: Sheet, check: RoundCheck, error: EngineError) -> Problem:
    hand = next(hand for hand in check.hands if hand.seat == error.params["seat"])
    options = tuple(name for name in ("blank_half", "doubles_twice") if getattr(sheet.rules, name))
    params = {"points": hand.points, "options": options}
    return Problem("needs_tiles", seat=hand.seat, seats=(hand.seat,), params=params)


def round_number_problem(sheet: Sheet, number: int, *, removing: bool = False) -> Problem:
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


def round_state(game: Game, number: int) -> dict[str, Any]:
    row = Round.objects.filter(game=game, number=number).first()
    if row is None:
        return {"rounds": {str(number): None}}
    hands = Hand.objects.filter(round=row).select_related("player").order_by("player__seat")
    data = mapping.round_to_data(row, (mapping.hand_row_to_data(hand, hand.player.seat) for hand in hands))
    return {"rounds": {str(number): data}}


def write_round(game: Game, number: int, data: mapping.RoundData | None, device: str | None = "") -> None:
    """Make round `number` what `data` says; None takes it away. `device` entered it; None: who did before."""
    if data is None:
        Round.objects.filter(game=game, number=number).delete()
        return
    row, _ = Round.objects.update_or_create(
        game=game,
        number=number,
        defaults={
            **{name: data[name] for name in ("engine", "ended", "disputed", "marks", "warnings")},
            "confirmed": data.get("confirmed", False),  # what was logged before there was such a column
            **({} if device is None else {"device": device}),
        },
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


def record_state(game: Game, number: int) -> dict[str, Any]:
    """The record that round `number` has, apart from the round."""
    row = Round.objects.filter(game=game, number=number).only("record", "record_seats").first()
    return {"records": {str(number): None if row is None else mapping.record_to_data(row)}}


def write_record(game: Game, number: int, data: mapping.RecordData | None) -> None:
    """Make the record of a round that is there what `data` says; `finish_write` gives it its mark."""
    data = {"record": "", "seats": {}} if data is None else data
    mark = RecordMark.OPEN if data["record"] else ""
    rows = Round.objects.filter(game=game, number=number)
    rows.update(record=data["record"], record_seats=data["seats"], record_mark=mark)


def write_challenge(game: Game, number: int, data: mapping.ChallengeData) -> None:
    """Make challenge `number` what `data` says. Refused("invalid") where the cell has another open one."""
    cell = {"round_number": data["round_number"], "seat": data["seat"], "ruling": Ruling.OPEN}
    other = Challenge.objects.filter(game=game, **cell).exclude(number=number).first()
    if other is not None and data["ruling"] == Ruling.OPEN:
        raise Refused("invalid", [challenge_open(other)])
    times = {name: data[name] and datetime.fromisoformat(data[name]) for name in ("at", "ruled_at")}
    Challenge.objects.update_or_create(game=game, number=number, defaults={**data, **times})


def challenge_open(challenge: Challenge) -> Problem:
    return Problem(
        "challenge_open",
        seat=challenge.seat,
        params={"round": challenge.round_number, "reason": challenge.reason, "number": challenge.number},
    )


def finish_write(
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
    old = _end_state(Game.objects.only("status", "abandoned_at").get(pk=game.pk))
    sheet = _marked(sheet_of(game), {*after.get("rounds", ()), *after.get("records", ())})
    if not keep_status:
        game.status, game.abandoned_at = _settled(sheet), None
    new = _end_state(game)
    if changed := [name for name in new if new[name] != old[name]]:
        before = {**before, "game": {**before.get("game", {}), **{name: old[name] for name in changed}}}
        after = {**after, "game": {**after.get("game", {}), **{name: new[name] for name in changed}}}
    game.version += 1
    game.changed_at = timezone.now()
    game.save(update_fields=["version", "status", "abandoned_at", "deleted_at", "changed_at"])
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


def _marked(sheet: Sheet, written: Collection[str]) -> Sheet:
    """The sheet with what records say of the rounds that were written; asked only where there is one."""
    numbers = [entry.number for entry in sheet.rounds if entry.record and str(entry.number) in written]
    marks = attached.marks_now(sheet, numbers) if numbers else {}
    for number, mark in marks.items():
        Round.objects.filter(game=sheet.game, number=number).update(record_mark=mark)
    return attached.with_marks(sheet, marks) if marks else sheet


def _end_state(game: Game) -> dict[str, str | None]:
    """Whether the game is over, as the log writes it."""
    at = game.abandoned_at
    return {"status": str(game.status), "abandoned_at": None if at is None else at.isoformat()}


def game_stir(pk: int) -> None:
    """Tell the open boards of something that is no change of the game."""
    Game.objects.filter(pk=pk).update(stirred=F("stirred") + 1)


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


def attempts_within(*, what: str, address: str, most: int) -> bool:
    """Whether this minute's count of `what` from `address` is below `most`; counts nothing."""
    minute = timezone.now().replace(second=0, microsecond=0)
    rows = Attempts.objects.filter(what=what, address=address, minute=minute)
    return sum(rows.values_list("count", flat=True)) < most


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
