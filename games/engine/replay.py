"""Replays a train record: was this round played by its rules, and if not, where is the first breach?

Knows the order in which breaches are looked for and the four verdicts of notation.md. Must not know text or
sentences: a violation is a code, a place and facts. What hidden hands prove is in `deals`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NoReturn

from games.engine import ending
from games.engine.breaches import rule_of
from games.engine.clash import Fact, find_clash
from games.engine.deals import DRAW, LAY, REST, Deals, Step
from games.engine.errors import Problem
from games.engine.explain import facts_about, rule_broken
from games.engine.legality import FAILED, HIDDEN, NOT_DRAWN, OWES
from games.engine.moments import state_after, table_of, trains_of
from games.engine.moves import Action, Draw, Lay, Marker, Pass, Say
from games.engine.record import Left, Record, Turn
from games.engine.round import RoundState
from games.engine.stride import stride
from games.engine.suits import BIT, DOUBLE, numbers, tile_text
from games.engine.sums import BUDGET, Demand
from games.engine.tiles import tile_total

Verdict = Literal["legal", "unfinished", "illegal", "impossible"]
_FOUR_OF_TWELVE = 4 * tile_total(12)


@dataclass(frozen=True, slots=True)
class Violation:
    """The first breach. `rule` is a rule's number or None; `turn` from 1, 0 for headers and end lines;
    `action` from 1, 0 for what is found at the end of a turn; `line` of the text, 0 if there was none.

    `params` are the facts that a sentence needs; `clash`, for "no_deal", the facts that cannot all be true.
    """

    code: str
    rule: str | None
    turn: int
    action: int
    line: int
    params: Mapping[str, object] = field(default_factory=dict, hash=False)
    clash: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True)
class Replay:
    """What a record comes to. The longest legal prefix is `turns` whole turns and the first `actions` of the
    next. `scores` by player id once the round is over; None where nobody knows.
    """

    record: Record
    verdict: Verdict
    violation: Violation | None
    notes: tuple[Problem, ...]
    turns: int
    actions: int
    scores: Mapping[str, int | None] | None = None

    @property
    def state(self) -> RoundState:
        """How the table stands after the longest legal prefix."""
        return state_after(self.record, self.turns, self.actions)


def replay(record: Record, *, budget: int = BUDGET) -> Replay:
    """Play the record move by move and judge it.

    `budget` bounds the search for hands that explain written points; beyond it the note `not_searched`.

    >>> from games.engine.reading import parse_record
    >>> text = "set: 6\\nplayers: A, B\\ndeal: 4\\nengine: 6-6 A\\n1. A 6-3 3-2\\n2. B - \\n3. A 5-1>M"
    >>> found = replay(parse_record(text))
    >>> found.verdict, found.violation.code, found.violation.turn, found.turns
    ('illegal', 'no_match', 3, 2)
    """
    return _run(record).answer(budget)


def steps_for(record: Record, steps: int) -> int:
    """Of so many steps of a search in a round of four players and a double-12 set, as many as take about as
    long in this round: where more people hold more tiles a step takes longer. In smaller rounds all of them.

    >>> from games.engine.reading import parse_record
    >>> steps_for(parse_record("set: 18\\nplayers: A, B, C, D\\ndeal: 9\\nengine: 18-18"), 1000)
    478
    """
    size = len(record.players) * tile_total(record.rules.max_pip)
    return steps * _FOUR_OF_TWELVE // max(_FOUR_OF_TWELVE, size)


def deals_of(record: Record, *, budget: int = BUDGET) -> Deals:
    """All deals that explain the longest legal prefix of a record, for `proof`."""
    run = _Run(record, log=[])
    _play(run)
    return run.deals(budget)


def _run(record: Record) -> _Run:
    run = _Run(record, log=[] if None in record.hands else None)
    try:
        _play(run)
    except _HiddenDrawError:
        run = _Run(record, log=[])
        _play(run)
    return run


def _play(run: _Run) -> None:
    try:
        run.play()
    except _BreachError as breach:
        run.violation = breach.violation


class _BreachError(Exception):
    def __init__(self, violation: Violation) -> None:
        self.violation = violation


class _HiddenDrawError(Exception):
    """A tile was drawn unseen though every hand is known: the steps have to be written down after all."""


class _Run:
    """One replay: the table, what has been found, and the steps for `deals` if a tile is hidden."""

    __slots__ = (
        "actions",
        "clashing",
        "end",
        "log",
        "marker",
        "marker_at",
        "notes",
        "record",
        "seats",
        "table",
        "turns",
        "violation",
    )

    def __init__(self, record: Record, log: list[Step] | None) -> None:
        self.record = record
        self.table = table_of(record)
        self.log = log
        self.seats = trains_of(record)
        self.violation: Violation | None = None
        self.clashing = False
        self.marker: Marker | None = None
        self.marker_at = 0
        self.turns = 0
        self.actions = 0
        self.notes: list[Problem] = []
        self.end: ending.End | None = None

    def play(self) -> None:
        """Everything up to the first breach that needs no search, which is raised."""
        self._engine()
        self._turns()
        if self.record.ended is not None:
            self.end = ending.judge(self.record, self.table, self.seats)
            if self.end.code is not None:
                self._end_breach(self.end, self.end.code)

    # --- the engine ---

    def _engine(self) -> None:
        record = self.record
        bit = DOUBLE[record.engine]
        aside = record.set_aside
        layer = None if aside else record.layer
        for player, hand in zip(record.players, record.hands, strict=True):
            if hand is not None and bool(hand & bit) != (player == layer):
                self._engine_breach(
                    "not_in_hand" if player == layer else "already_laid", player, f"hand {player}"
                )
        if aside and record.layer is not None:
            self._engine_breach("already_laid", record.layer, "engine")

    def _engine_breach(self, code: str, player: str, where: str) -> NoReturn:
        lines = self.record.lines
        line = lines.get(where, lines.get("engine", 0))
        engine = self.record.engine
        facts = {"player": player, "tile": f"{engine}-{engine}"}
        rule = rule_of(code, self.record.rules, "engine")
        raise _BreachError(Violation(code, rule, turn=0, action=0, line=line, params=facts))

    # --- turns ---

    @property
    def _line(self) -> int:
        """Where the turn stands that is being played."""
        return self.record.line_of(self.turns + 1)

    def _turns(self) -> None:  # noqa: C901 - a call a turn would cost too much
        table = self.table
        seats = self.seats
        log = self.log
        lay = table.lay
        names = self.record.players
        announce = table.rules.announce_last
        turns = self.record.turns
        total = len(turns)
        done = 0
        while done < total:
            if log is None and turns[done].course is not None:
                unsaid: list[int] = []
                done = stride(table, turns, done, seats, unsaid)
                for at in unsaid:
                    self._unsaid(at)
                if done == total:
                    break
            turn = turns[done]
            self.turns = done
            if turn.player != names[table.player] or table.ended:
                self._turn_breach(turn)
            for at, action in enumerate(turn.actions, 1):
                if isinstance(action, Lay):
                    try:
                        code = lay(action.number, seats[action.train])
                    except KeyError:
                        code = self._nobody()
                    if code is not None:
                        self._breach(code, at, action)
                    if log is not None:
                        self._step(LAY, at, action.number)
                else:
                    self._other(turn, at, action)
            if table.phase == OWES:
                self._rest(turn, 0, Pass())
            keep = False
            if self.marker is not None:
                keep = self._moved(self.marker, self.marker_at)
                self.marker = None
            if announce and table.count(table.player) == 1:
                self._check_said(turn)
            table.end_turn(keep)
            done += 1
        self.turns = total

    def _nobody(self) -> str:
        """Why no tile goes on the train of somebody who is not there."""
        return "turn_over" if self.table.over else "unknown_player"

    def _other(self, turn: Turn, at: int, action: Draw | Pass | Marker | Say) -> None:
        """What is no tile laid. On a word about the last tile hangs only the note of `_check_said`."""
        if isinstance(action, Draw):
            self._draw(at, action)
        elif isinstance(action, Pass):
            self._rest(turn, at, action)
        elif isinstance(action, Marker):
            self.marker, self.marker_at = action, at

    def _draw(self, at: int, action: Draw) -> None:
        table = self.table
        number = action.number
        log = self.log
        if log is None and number is None:
            raise _HiddenDrawError
        fits = 0 if log is None or table.over else table.fitting()
        seen = table.seen
        code = table.draw(number)
        if code is not None:
            self._breach(code, at, action)
        if log is not None:
            self._step(DRAW, at, HIDDEN if number is None else number, fits)
        elif number is not None and seen & BIT[number]:
            self._drawn_twice(at, number)

    def _rest(self, turn: Turn, at: int, action: Pass) -> None:
        table = self.table
        if turn.implied and at >= len(turn.actions):
            at = 0
        if self.log is None:
            code = table.rest()
            if code is not None:
                self._breach(code, at, action)
            return
        fits = table.fitting() if table.owes else 0
        kept = table.fresh != NOT_DRAWN and not table.must
        code = table.rest()
        if code is not None:
            self._breach(code, at, action)
        self._step(REST, at, HIDDEN, fits, kept=kept)

    def _step(self, kind: str, at: int, tile: int, fits: int = 0, *, kept: bool = False) -> None:
        """Write down what `deals` needs to know."""
        if self.log is not None:
            self.log.append(Step(self.turns + 1, at, kind, self.table.player, tile, fits, kept, self._line))

    def _moved(self, marker: Marker, at: int) -> bool:
        """Check where the marker is said to be at the end of the turn; whether it stays on by choice."""
        table = self.table
        was = bool(table.marks >> table.player & 1)
        stays = marker.on and was and table.rules.marker_off == "optional"
        will = table.phase == FAILED or (stays if table.own else was)
        if marker.on != will:
            self._breach("marker", at, marker)
        return stays

    def _check_said(self, turn: Turn) -> None:
        if Say() not in turn.actions and any(isinstance(action, Lay) for action in turn.actions):
            self._unsaid(self.turns)

    def _unsaid(self, done: int) -> None:
        """Note that nobody said that one tile was left, in the turn behind the first `done`."""
        player, line = self.record.turns[done].player, self.record.line_of(done + 1)
        facts = {"player": player, "turn": done + 1, "line": line, "rule": "G14"}
        self.notes.append(Problem("not_announced", params=facts))

    # --- breaches ---

    def _turn_breach(self, turn: Turn) -> NoReturn:
        facts: dict[str, object] = {"player": turn.player}
        if turn.player not in self.record.players:
            code = "unknown_player"
        elif self.table.ended:
            code = "round_over"
            facts["out"] = self._out()
        else:
            code = "out_of_turn"
            facts["next"] = self.record.players[self.table.player]
        rule = rule_of(code, self.record.rules)
        raise _BreachError(Violation(code, rule, self.turns + 1, 0, self._line, params=facts))

    def _out(self) -> tuple[str, ...]:
        return tuple(self.record.players[player] for player in numbers(self.table.out))

    def _breach(self, code: str, at: int, action: Action) -> NoReturn:
        """Raise what is wrong with this action of the turn."""
        facts = facts_about(action, self.table, self.record.players)
        turn = self.record.turns[self.turns]
        # Where a marker stands wrong, or a pass is missing at the end, all the moves before were right.
        self.actions = at - 1 if at else len(turn.actions) - turn.implied
        rule = rule_broken(code, self.table)
        raise _BreachError(Violation(code, rule, self.turns + 1, at, self._line, params=facts))

    def _drawn_twice(self, at: int, tile: int) -> NoReturn:
        """A drawn tile that another known hand holds: the fully known record's own clash."""
        self.clashing = True
        turn, line = self.turns + 1, self._line
        table = self.table
        players = self.record.players
        bit = BIT[tile]
        owner = next(
            player for seat, player in enumerate(players) if seat != table.player and table.known[seat] & bit
        )
        drawn = Fact("drawn", players[table.player], turn, at, line, (tile,))
        clash = (self._came(tile, owner), drawn)
        self.actions = at - 1
        raise _BreachError(Violation("no_deal", None, turn, at, line, clash=clash))

    def _came(self, tile: int, owner: str) -> Fact:
        """How a tile that this player holds came there: dealt, or drawn face up."""
        record = self.record
        for number, turn in enumerate(record.turns[: self.turns + 1], start=1):
            for at, action in enumerate(turn.actions, start=1):
                if turn.player == owner and isinstance(action, Draw) and action.number == tile:
                    return Fact("drawn", owner, number, at, record.line_of(number), (tile,))
        return Fact("hand", owner, line=record.lines.get(f"hand {owner}", 0), tiles=(tile,))

    def _end_breach(self, end: ending.End, code: str) -> NoReturn:
        record = self.record
        line = record.lines.get("end", 0) if end.told is None else end.told.line
        facts = dict(end.params)
        circumstance = ""
        if code == "not_out":
            facts |= {"given": record.out, "out": self._out(), "over": self.table.ended}
            if self.table.out and not self.table.ended:
                circumstance = "first"
            elif not self.table.out and not record.rules.out_on_double:
                circumstance = "double"
        elif code == "not_blocked":
            facts |= {"yard": self.table.yard, "over": self.table.ended}
        elif code == "left" and isinstance(end.told, Left):
            facts["given"] = tuple(map(tile_text, end.told.tiles))
            facts["count"] = self.table.count(self.seats[end.told.player])
        rule = rule_of(code, record.rules, circumstance)
        raise _BreachError(Violation(code, rule, turn=0, action=0, line=line, params=facts))

    # --- the answer ---

    def deals(self, budget: int) -> Deals:
        """All deals that explain the steps so far and the end lines that agree."""
        end = self.end
        if end is None:
            return Deals(self.record, self.log or (), budget=budget)
        rules, counts = self.record.rules, self.table.counts

        def asked(written: Mapping[int, int]) -> list[list[Demand]]:
            return ending.demands(rules, end, counts, written)

        return Deals(self.record, self.log or (), end.agreed, asked, budget)

    def answer(self, budget: int) -> Replay:
        """The verdict: the first clash, else the first breach, else whether the round is over."""
        verdict: Verdict = "illegal"
        if self.clashing:
            verdict = "impossible"
        elif self.log is not None and not (self.violation and not self.violation.turn and not self.end):
            deals = self.deals(budget)
            clash = deals.first_clash()
            if clash is not None:
                self._rewind(deals, clash)
                verdict = "impossible"
            elif not deals.searched:
                self.notes.append(Problem("not_searched"))
        if self.violation is None:
            over = self.table.ended or self.record.ended == "blocked"
            verdict = "legal" if over else "unfinished"
        return Replay(
            record=self.record,
            verdict=verdict,
            violation=self.violation,
            notes=tuple(self.notes),
            turns=self.turns,
            actions=self.actions,
            scores=self._scores() if self.violation is None and verdict == "legal" else None,
        )

    def _rewind(self, deals: Deals, upto: int) -> None:
        """Go back to just before the last of the first `upto` steps and lines, which no deal explains."""
        turn, action, line = deals.place(upto)
        clash = find_clash(deals, upto)
        if turn:
            done = action - 1 if action else len(self.record.turns[turn - 1].actions) - 1
            self.turns, self.actions = turn - 1, done
            self.notes = [note for note in self.notes if _turn_of(note) < turn]
        self.violation = Violation("no_deal", None, turn, action, line, clash=clash)

    def _scores(self) -> dict[str, int | None]:
        end = self.end or ending.judge(self.record, self.table, self.seats)
        found = end.right or ending.scores(self.record.rules, end, self.table.counts)
        told = end.written | found
        return {player: told.get(at) for at, player in enumerate(self.record.players)}


def _turn_of(note: Problem) -> int:
    turn = note.params.get("turn", 0)
    return turn if isinstance(turn, int) else 0
