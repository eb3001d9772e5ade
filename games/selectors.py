"""Reads that more than one caller needs: a game's sheet, its log, a cell's history, the games of a device.

Knows queries. Must not write, and must not know requests, forms or sentences.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from games import mapping
from games.engine import sequence
from games.engine.rules import RuleSet
from games.engine.scoring import RoundClaim
from games.engine.standings import Row, Start, game_table, start_total
from games.engine.tiles import tile_total
from games.models import (
    AccessKey,
    Action,
    Challenge,
    Game,
    Hand,
    LogEntry,
    Player,
    Ruling,
    Status,
    rows_of,
    sql_of,
)

NOT_UNDONE = frozenset(
    {Action.STARTED, Action.LINK_REPLACED, Action.CHALLENGED, Action.DELETED, Action.RESTORED}
)
PLAYER_COLUMNS = [field.attname for field in Player._meta.concrete_fields]
ADJUSTMENTS = PLAYER_COLUMNS.index("adjustments")
STARTS: tuple[Start, ...] = ("zero", "average", "highest")


class HandCell(NamedTuple):
    """One cell of the sheet: `points` are the bare pips left, `score` is what counts."""

    points: int
    score: int
    out: bool
    marker: bool
    tile_count: int | None
    tiles: list[str] | None


@dataclass(frozen=True, slots=True)
class RoundSheet:
    number: int
    engine: int
    ended: str
    disputed: bool
    marks: list[str]
    warnings: list[dict[str, Any]]
    hands: dict[int, HandCell]  # by seat
    confirmed: bool = False  # by a second person
    record: str = ""  # one of RecordMark, where a record is attached

    def claim(self) -> RoundClaim:
        """The round as a claim again, so that a hand of it can be changed and the whole judged."""
        hands = [{"seat": seat, **hand._asdict()} for seat, hand in self.hands.items()]
        return mapping.claim_from_data({"engine": self.engine, "ended": self.ended, "hands": hands})


@dataclass(frozen=True, slots=True)
class Sheet:
    """A whole game as it stands: two queries, whatever its size, and a third where a score was challenged."""

    game: Game
    rules: RuleSet
    players: tuple[Player, ...]  # in the order they sit
    rounds: tuple[RoundSheet, ...]  # by number
    table: tuple[Row, ...]
    engines: tuple[int, ...]
    next_engine: int | None
    challenges: tuple[Challenge, ...] = ()  # by number, whatever became of them

    @property
    def pending(self) -> tuple[Challenge, ...]:
        """The challenges that wait for a ruling; not those of a round that was taken back meanwhile."""
        return tuple(one for one in self.challenges if one.ruling == Ruling.OPEN and self.hand(one))

    @property
    def laid(self) -> frozenset[int]:
        """The numbers of the challenges that a record was laid with."""
        return frozenset(one.number for one in self.challenges if one.by_record)

    def hand(self, challenge: Challenge) -> HandCell | None:
        """The cell it is about, if it is there."""
        entry = self.round(challenge.round_number)
        return None if entry is None else entry.hands.get(challenge.seat)

    def challenge(self, number: int) -> Challenge | None:
        return next((one for one in self.challenges if one.number == number), None)

    def challenge_at(self, number: int, seat: int) -> Challenge | None:
        """The open challenge of the cell (round `number`, `seat`)."""
        of_cell = (one for one in self.challenges if (one.round_number, one.seat) == (number, seat))
        return next((one for one in of_cell if one.ruling == Ruling.OPEN), None)

    @property
    def record_marks(self) -> dict[int, str]:
        """What its record says of each round, by number; "" of a round without one."""
        return {entry.number: entry.record for entry in self.rounds}

    @property
    def next_number(self) -> int | None:
        """The number of the round to be entered next; None once all are in."""
        number = len(self.rounds) + 1
        return number if number <= self.game.round_count else None

    def engine_choices(self, number: int) -> tuple[int, ...]:
        """The doubles that may be the engine of round `number`, the highest first."""
        if self.rules.engine_order == "descending":
            return (self.engines[number - 1],)
        used = {entry.engine for entry in self.rounds if entry.number != number}
        return tuple(pip for pip in range(self.game.first_engine, -1, -1) if pip not in used)

    @property
    def has_result(self) -> bool:
        """Whether somebody has won: it is finished, and was not abandoned."""
        return self.game.status == Status.FINISHED and self.game.abandoned_at is None

    def names(self) -> dict[int, str]:
        return {player.seat: player.name for player in self.players}

    def seats(self, number: int) -> tuple[int, ...]:
        """The seats that take part in round `number`, in the order they sit.

        A round that is in knows who played it: whoever left and came back since was not there.
        """
        if entry := self.round(number):
            return tuple(player.seat for player in self.players if player.seat in entry.hands)
        return tuple(player.seat for player in self.players if takes_part(player, number))

    def player(self, seat: int) -> Player | None:
        return next((player for player in self.players if player.seat == seat), None)

    def starts(self) -> dict[Start, int]:
        """What somebody who joined now would begin with, each way; the totals of those still in count."""
        totals = [row.total for row in self.table if not row.retired]
        return {how: start_total(totals, how) for how in STARTS}

    @property
    def too_few_tiles(self) -> bool:
        """Whether the set has not enough tiles to deal for all in the coming round."""
        seats = len(self.seats(self.next_number)) if self.next_number else 0
        return deal_is_short(self.rules, seats)

    @property
    def unconfirmed(self) -> list[int]:
        """The rounds that a second person is yet to confirm, where the table wanted one."""
        if not self.game.second_person:
            return []
        return [entry.number for entry in self.rounds if not entry.confirmed]

    def round(self, number: int) -> RoundSheet | None:
        return self.rounds[number - 1] if 0 < number <= len(self.rounds) else None

    def deal(self, number: int) -> int | None:
        """Tiles dealt to each in round `number`; None where the card has no row for so many players."""
        return self.rules.deal_for(len(self.seats(number)))


def starter(sheet: Sheet, number: int) -> int:
    """The seat that starts round `number` under a rotating start: one seat further, in the order people sit.

    It goes on from whoever started the round before, so that nobody's turn is lost where people come and go.
    """
    order = [player.seat for player in sheet.players]
    at = -1
    for one in range(1, number + 1):
        playing = sheet.seats(one)
        further = [(at + step) % len(order) for step in range(1, len(order) + 1)]
        at = next((place for place in further if order[place] in playing), at)
    return order[at]


def deal_is_short(rules: RuleSet, seats: int) -> bool:
    """Whether `seats` hands are more tiles than the set has."""
    deal = rules.deal_for(seats)
    return deal is not None and deal * seats > tile_total(rules.max_pip) - (rules.engine == "set_aside")


def takes_part(player: Player, number: int) -> bool:
    return player.from_round <= number and (player.to_round is None or number <= player.to_round)


def sheet_of(game: Game) -> Sheet:
    return sheets_of([game])[0]


def sheets_of(games: Collection[Game]) -> list[Sheet]:
    """The sheets of many games in two queries, in the order given."""
    if not games:
        return []
    players: dict[int, list[Player]] = defaultdict(list)
    for row in rows_of(_seated(len(games)), [game.pk for game in games]):
        values = [*row[:ADJUSTMENTS], json.loads(row[ADJUSTMENTS]), *row[ADJUSTMENTS + 1 :]]
        player = Player.from_db("default", PLAYER_COLUMNS, values)
        players[player.game_id].append(player)
    rounds, challenges = _rounds(games), _challenges(games)
    return [
        build_sheet(
            game, tuple(players[game.pk]), tuple(rounds[game.pk].values()), tuple(challenges[game.pk])
        )
        for game in games
    ]


def build_sheet(
    game: Game,
    players: tuple[Player, ...],
    rounds: tuple[RoundSheet, ...],
    challenges: tuple[Challenge, ...] = (),
) -> Sheet:
    rules = mapping.rules_of(game)
    used = [entry.engine for entry in rounds]
    grid = [(entry.number, entry.hands) for entry in rounds]
    return Sheet(
        game=game,
        rules=rules,
        players=players,
        rounds=rounds,
        table=game_table(mapping.results(players, grid, len(rounds)), rules=rules),
        engines=sequence.engines(rules, game.first_engine, game.round_count, used),
        next_engine=sequence.next_engine(rules, game.first_engine, game.round_count, used),
        challenges=challenges,
    )


def _challenges(games: Collection[Game]) -> dict[int, list[Challenge]]:
    """By game id; asked for only where there is one."""
    found: dict[int, list[Challenge]] = defaultdict(list)
    if challenged := [game.pk for game in games if game.challenge_count]:
        for challenge in Challenge.objects.filter(game__in=challenged).order_by("number"):
            found[challenge.game_id].append(challenge)
    return found


def _rounds(games: Collection[Game]) -> dict[int, dict[int, RoundSheet]]:
    """By game id and round number."""
    rounds: dict[int, dict[int, RoundSheet]] = defaultdict(dict)
    cells = rows_of(_cells(len(games)), [game.pk for game in games])
    for game_id, number, engine, ended, disputed, marks, warnings, confirmed, record, seat, *cell in cells:
        if number not in rounds[game_id]:
            rounds[game_id][number] = RoundSheet(
                *(number, engine, ended, bool(disputed), json.loads(marks), json.loads(warnings), {}),
                confirmed=bool(confirmed),
                record=record,
            )
        points, score, out, marker, count, tiles = cell
        rounds[game_id][number].hands[seat] = HandCell(
            points, score, bool(out), bool(marker), count, None if tiles is None else json.loads(tiles)
        )
    return rounds


@lru_cache(maxsize=64)
def _seated(games: int) -> str:
    """The statement for the players of so many games."""
    players = Player.objects.filter(game_id__in=range(games)).order_by("order", "seat")
    return sql_of(players.values_list(*PLAYER_COLUMNS))


@lru_cache(maxsize=64)
def _cells(games: int) -> str:
    """The statement for the cells of so many games."""
    return sql_of(
        Hand.objects.filter(round__game_id__in=range(games))
        .order_by("round__number", "player__seat")
        .values_list(
            "round__game_id",
            "round__number",
            "round__engine",
            "round__ended",
            "round__disputed",
            "round__marks",
            "round__warnings",
            "round__confirmed",
            "round__record_mark",
            "player__seat",
            "points",
            "score",
            "out",
            "marker",
            "tile_count",
            "tiles",
        )
    )


@dataclass(frozen=True, slots=True)
class CellChange:
    """One value a cell has had: None where the round was not (or no longer) there."""

    entry: LogEntry
    points: int | None
    score: int | None


@dataclass(frozen=True, slots=True)
class Log:
    """All entries of one game, oldest first, and what can be undone and done again."""

    entries: tuple[LogEntry, ...]
    undo: LogEntry | None
    redo: LogEntry | None
    held: LogEntry | None = None  # the decision at which Undo stops

    def history(self, number: int, seat: int) -> tuple[CellChange, ...]:
        """Every value of the cell (round `number`, `seat`), oldest first."""
        changes = []
        for entry in self.entries:
            key = str(number)
            if key not in entry.after.get("rounds", {}):
                continue
            before = _hand(entry.before["rounds"][key], seat)
            after = _hand(entry.after["rounds"][key], seat)
            if before != after:
                changes.append(
                    CellChange(
                        entry=entry,
                        points=None if after is None else after["points"],
                        score=None if after is None else after["score"],
                    )
                )
        return tuple(changes)

    def touched(self, number: int, since: int) -> bool:
        """Whether round `number` has other hands than in version `since`; a confirmation changes none."""
        lines = (entry for entry in self.entries if entry.number > since)
        return any(_told(line.before, number) != _told(line.after, number) for line in lines)

    def corrected(self) -> dict[tuple[int, int], int]:
        """The cells whose value differs from an earlier one: (round, seat) → the score before that.

        A round entered anew after it was taken back begins anew; one that Undo brings back does not.
        """
        earlier: dict[tuple[int, int], list[int]] = defaultdict(list)
        for entry in self.entries:
            for key, data in entry.after.get("rounds", {}).items():
                for hand in [] if data is None else data["hands"]:
                    cell, score = (int(key), hand["seat"]), hand["score"]
                    if entry.action == Action.ROUND_RECORDED:
                        earlier[cell] = [score]
                    elif entry.action == Action.UNDONE and earlier[cell][-2:-1] == [score]:
                        earlier[cell].pop()
                    elif earlier[cell][-1:] != [score]:
                        earlier[cell].append(score)
        return {cell: values[-2] for cell, values in earlier.items() if len(values) > 1}


def _hand(data: dict[str, Any] | None, seat: int) -> dict[str, Any] | None:
    if data is None:
        return None
    return next((hand for hand in data["hands"] if hand["seat"] == seat), None)


def _told(state: dict[str, Any], number: int) -> dict[str, Any] | None:
    """What a state of the log says of a round's hands."""
    data = state.get("rounds", {}).get(str(number))
    return None if data is None else {name: data[name] for name in ("engine", "ended", "hands")}


def log_of(game: Game) -> Log:
    entries = tuple(LogEntry.objects.filter(game=game).order_by("number"))
    undo, redo, held = undo_and_redo(entries)
    return Log(entries=entries, undo=undo, redo=redo, held=held)


def undo_and_redo(
    entries: Iterable[LogEntry],
) -> tuple[LogEntry | None, LogEntry | None, LogEntry | None]:
    """The change that Undo would reverse, the one that Redo would bring back, the decision that stops Undo.

    An undo takes the newest change that stands; a new change forgets what could be done again.
    The start of a game cannot be undone, nor can a stopped link come back: it does not count at all. Nor does
    a challenge: it is ruled on, not swept away; nor a deletion, which is brought back by itself. What the
    club decided of a score stands until it is decided again: neither Undo nor Redo goes past it.
    """
    held: LogEntry | None = None
    done: list[LogEntry] = []
    undone: list[LogEntry] = []
    for entry in entries:
        if entry.action == Action.UNDONE:
            undone.append(done.pop())
        elif entry.action == Action.REDONE:
            done.append(undone.pop())
        elif entry.action == Action.DECIDED:
            held = entry
            done.clear()
            undone.clear()
        elif entry.action not in NOT_UNDONE:
            done.append(entry)
            undone.clear()
    undo, redo = (done[-1] if done else None), (undone[-1] if undone else None)
    return undo, redo, None if undo else held


def games_by_key(key_ids: Sequence[int]) -> list[tuple[int, str, Game]]:
    """(key id, role, game) of those keys that still open a game."""
    keys = AccessKey.objects.filter(pk__in=key_ids, revoked_at__isnull=True, game__deleted_at=None)
    keys = keys.select_related("game")
    return [(key.pk, key.role, key.game) for key in keys]


def links_of(game: Game) -> dict[str, AccessKey]:
    """The live links of a game by role."""
    keys = AccessKey.objects.filter(game=game, member=None, revoked_at__isnull=True)
    return {key.role: key for key in keys}
