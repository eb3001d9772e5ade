"""A record as it is written down move by move: what each tap adds, what may come next, what is taken back.

Knows how a record grows. Must not judge by rules of its own: what may be done is asked of `round` and
`legality`, and a move that breaks a rule can be written all the same, since that is what a dispute is about;
nothing follows it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from games.engine.breaches import rule_of
from games.engine.errors import EngineError, Problem
from games.engine.explain import facts_about, rule_broken
from games.engine.legality import FREE, why_closed
from games.engine.moments import step, table_of, trains_of
from games.engine.moves import MEXICAN, Action, Lay, Marker, Move, Say
from games.engine.record import Count, Left, Record, Score, Told, Turn
from games.engine.round import Laid, RoundState, may_hold, why_illegal
from games.engine.suits import BIT, DOUBLES, SUIT, numbers, tile_text


class WritingError(EngineError):
    """Nothing can be written here: code "stuck" after a broken rule, "over" after the end, "going" before."""


@dataclass(frozen=True, slots=True)
class Now:
    """How far a record has come.

    `state` is the table after what is written, `before` the one before the last turn. `going`: the last turn
    is not over yet. `stuck`: a step is against the rules of play, and nothing can follow it; `state` is then
    the table before that step.
    """

    record: Record
    state: RoundState
    before: RoundState
    going: bool = False
    stuck: bool = False

    @property
    def player(self) -> str | None:
        """Whose turn it is; None once the round is over, called blocked, or stuck."""
        return None if self.stuck or self.record.ended else self.state.player

    @property
    def last(self) -> Turn | None:
        """The turn written last."""
        return self.record.turns[-1] if self.record.turns else None

    @property
    def may_stop(self) -> bool:
        """Whether the player has laid what was owed and may lay more: a first turn's own train."""
        return not self.stuck and self.state._table.phase == FREE

    @property
    def marker(self) -> Literal["on", "off"] | None:
        """What the last turn, if it is over, did to its player's marker."""
        if self.going or self.stuck or self.last is None:
            return None
        was, still = (self.last.player in state.marked for state in (self.before, self.state))
        return None if was == still else "on" if still else "off"

    @property
    def may_keep(self) -> bool:
        """Whether the marker that the last turn took off may have stayed on."""
        return self.marker == "off" and self.record.rules.marker_off == "optional" and not self.record.told

    @property
    def unmoved(self) -> Marker | None:
        """The sign that the last turn's marker was left where it was, though the rules move it."""
        if self.marker is None or self.may_keep or self.record.ended or self.last is None:
            return None
        signed = any(isinstance(action, Marker) for action in self.last.actions)
        return None if signed else Marker(on=self.marker == "off")

    @property
    def may_say(self) -> bool:
        """Whether the last turn's player has one tile left, should say so, and is not written to have."""
        turn = self.last
        if turn is None or self.going or self.stuck or self.record.ended or Say() in turn.actions:
            return False
        laid = any(isinstance(action, Lay) for action in turn.actions)
        return laid and self.record.rules.announce_last and self.state.count(turn.player) == 1


@dataclass(frozen=True, slots=True)
class Spot:
    """One train in this turn: the pip it shows, the tiles that may go there, or the code of why none may."""

    train: str
    end: int
    tiles: int
    why: str | None


def opened(record: Record) -> Record:
    """The record as it is being written: without the pass that its last line leaves out, if it does.

    >>> from games.engine.reading import parse_record
    >>> record = opened(parse_record("set: 6\\nplayers: A, B\\ndeal: 4\\nengine: 6-6 A\\n1. A 6-3\\n2. B +"))
    >>> [str(action) for action in record.turns[-1].actions]
    ['+']
    """
    last = record.turns[-1] if record.turns else None
    if last is None or not last.implied:
        return record
    turn = Turn(last.player, last.actions[:-1])
    return replace(record, turns=(*record.turns[:-1], turn))


def now(record: Record) -> Now:
    """Play what is written, up to the first step that is refused.

    >>> from games.engine.reading import parse_record
    >>> at = now(opened(parse_record("set: 6\\nplayers: A, B\\ndeal: 4\\nengine: 6-6 A\\n1. A 6-3 3-2")))
    >>> at.player, at.going, at.may_stop, at.state.ends["A"]
    ('A', True, True, 2)
    """
    walk = _Walk(record)
    stuck = not all(walk.turn(turn) for turn in record.turns[:-1])
    before = walk.state()
    if not stuck and record.turns:
        stuck = not walk.turn(record.turns[-1], last=True)
    return Now(record, walk.state(), before, going=walk.going, stuck=stuck)


class _Walk:
    def __init__(self, record: Record) -> None:
        self.record = record
        self.table = table_of(record)
        self.places = trains_of(record)
        self.trains: dict[str, tuple[Laid, ...]] = dict.fromkeys(self.places, ())
        self.going = False

    def state(self) -> RoundState:
        return RoundState(self.record.players, self.trains, self.table.copy())

    def turn(self, turn: Turn, *, last: bool = False) -> bool:
        """Play it; False where something in it is refused."""
        table = self.table
        if table.ended or self.places.get(turn.player) != table.player:
            return False
        if not all(map(self._step, turn.actions)):
            return False
        if last and not table.over:
            self.going = True
            return True
        if table.owes and table.rest() is not None:
            return False
        table.end_turn(table.rules.marker_off == "optional" and Marker(on=True) in turn.actions)
        marked = bool(table.marks >> self.places[turn.player] & 1)
        return Marker(on=not marked) not in turn.actions

    def _step(self, action: Action) -> bool:
        ends = tuple(self.table.ends)
        if step(self.table, self.places, action) is not None:
            return False
        if isinstance(action, Lay):
            at = self.places[action.train]
            self.trains[action.train] += ((ends[at], self.table.ends[at]),)
        return True


# --- what may come ---


def spots(at: Now) -> tuple[Spot, ...]:
    """Every train, the player's own first, then clockwise, the Mexican Train last; none where nobody plays.

    Of a hand that is not wholly known any tile may come that nobody has seen.

    >>> from games.engine.reading import parse_record
    >>> at = now(parse_record("rules: wikihow\\nset: 6\\nplayers: A, B\\ndeal: 4\\nengine: 6-6 A"))
    >>> [(spot.train, len(list(numbers(spot.tiles))), spot.why) for spot in spots(at)]
    [('A', 6, None), ('B', 0, 'own_train_first'), ('M', 0, 'own_train_first')]
    """
    table = at.state._table
    if at.player is None or table.over:
        return ()
    may = may_hold(at.state, at.player) & table.fitting()
    first = table.player
    order = (*range(first, table.players), *range(first), table.players)
    names = (*at.record.players, MEXICAN)
    found = []
    for train in order:
        end = table.ends[train]
        tiles = SUIT[end] & may
        plain, twin = table.plain >> train & 1, table.twin >> train & 1
        tiles = (tiles & ~DOUBLES if plain else 0) | (tiles & DOUBLES if twin else 0)
        found.append(Spot(names[train], end, tiles, why_closed(table, train)))
    return tuple(found)


def wholly_known(state: RoundState, player: str) -> bool:
    """Whether every tile of the hand is known."""
    return not state._table.unknown[state.players.index(player)]


def lying(state: RoundState) -> int:
    """The tiles on the table, the engine among them, as a set."""
    return state._table.laid


def why_shut(at: Now, train: str) -> Problem | None:
    """Why no tile may go on the train now, told of one that would match; None if one may."""
    table = at.state._table
    seat = (*at.record.players, MEXICAN).index(train)
    code = why_closed(table, seat)
    if code is None:
        return None
    end = table.ends[seat]
    tile = next(numbers(SUIT[end] & table.whole & ~DOUBLES))
    return Problem(code, params={**_facts(Lay(tile, train), at), "rule": rule_broken(code, table)})


def why_not(at: Now, move: Move, player: str | None = None) -> Problem | None:
    """What is wrong with the move, by the player whose turn it is or another one; None if nothing is."""
    turn = at.state.player
    if player is not None and turn is not None and player != turn:
        facts = {"player": player, "next": turn, "rule": rule_of("out_of_turn", at.record.rules)}
        return Problem("out_of_turn", params=facts)
    return why_illegal(at.state, move)


def why_unmoved(at: Now) -> Problem | None:
    """What is wrong with a marker that is left where it was; None where the rules do not move it."""
    sign = at.unmoved
    if sign is None or at.last is None:
        return None
    rule = rule_of("marker", at.record.rules, "off" if sign.on else "")
    return Problem("marker", params={"player": at.last.player, "action": str(sign), "rule": rule})


def why_not_blocked(at: Now) -> Problem | None:
    """Why the round cannot be called blocked now; None if it can (ruling 12)."""
    if not at.going and at.state.is_blocked:
        return None
    facts = {"yard": at.state.boneyard, "over": at.state.is_over}
    return Problem("not_blocked", params={**facts, "rule": rule_of("not_blocked", at.record.rules)})


def why_not_left(at: Now, player: str, tile: int) -> Problem | None:
    """Why the tile cannot be left in the hand: it lies on the table, or another has it; None if it can."""
    about: dict[str, object] = {"player": player, "tile": tile_text(tile), "train": None}
    table = at.state._table
    if tile >= table.size:
        return Problem("not_in_set", params=about)
    if table.laid & BIT[tile]:
        return Problem("already_laid", params=about)
    others = {one.player: one.tiles for one in at.record.told if isinstance(one, Left)}
    for seat, other in enumerate(at.record.players):
        held = table.known[seat] & BIT[tile] or tile in others.get(other, ())
        if other != player and held:
            return Problem("tile_twice", params={**about, "other": other})
    if wholly_known(at.state, player) and not may_hold(at.state, player) & BIT[tile]:
        return Problem("not_in_hand", params={**about, "train": player, "ends": {}})
    return None


def _facts(action: Action, at: Now) -> dict[str, object]:
    return facts_about(action, at.state._table, at.record.players)


# --- what is written ---


def written(record: Record, move: Move, player: str | None = None) -> Record:
    """The record with the move behind everything, legal or not; with the end, if it ends the round.

    `player`: whoever moves out of turn. Raises WritingError where nothing can follow.

    >>> from games.engine.moves import Pass
    >>> from games.engine.reading import parse_record
    >>> record = parse_record("set: 6\\nplayers: A, B\\ndeal: 4\\nengine: 6-6 A")
    >>> record = written(written(record, Lay(24, "A")), Pass())
    >>> [str(action) for action in record.turns[0].actions], now(record).player
    (['6-3>A', '-'], 'B')
    """
    at = now(record)
    if at.stuck:
        raise WritingError("stuck")
    who = player or at.player
    if who is None or record.ended:
        raise WritingError("over")
    if at.going and at.last is not None and at.last.player == who:
        return _ended(_last_with(record, (*at.last.actions, move)))
    return _ended(replace(record, turns=(*record.turns, Turn(who, (move,)))))


def kept(record: Record) -> Record:
    """The record with the word that the last turn's marker stayed on (G12)."""
    return _signed(record, Marker(on=True), may=now(record).may_keep)


def unmoved(record: Record) -> Record:
    """The record with the word that the last turn's marker was not moved, against the rules."""
    sign = now(record).unmoved
    return _signed(record, sign or Say(), may=sign is not None)


def said(record: Record) -> Record:
    """The record with the word that the last turn's player said that one tile is left."""
    return _signed(record, Say(), may=now(record).may_say)


def _signed(record: Record, sign: Action, *, may: bool) -> Record:
    if not may:
        raise WritingError("going")
    return _ended(_last_with(record, (*record.turns[-1].actions, sign)))


def _last_with(record: Record, actions: tuple[Action, ...]) -> Record:
    return replace(record, turns=(*record.turns[:-1], Turn(record.turns[-1].player, actions)))


def _ended(record: Record) -> Record:
    """With the line that says who is out, once the table says so; without it before."""
    at = now(replace(record, ended=None, out=()))
    if at.stuck or not at.state.is_over:
        return at.record
    return replace(record, ended="out", out=at.state.out)


def blocked(record: Record) -> Record:
    """The record of a round that is called blocked, rightly or not. WritingError within a turn."""
    if record.ended or now(record).stuck:
        raise WritingError("over")
    return replace(record, ended="blocked")


def called_out(record: Record, player: str) -> Record:
    """The record of a round that is said to have ended with the player out, whatever the counts say."""
    if record.ended or now(record).stuck:
        raise WritingError("over")
    return replace(record, ended="out", out=(player,))


def with_left(record: Record, player: str, tile: int) -> Record:
    """The tile is left in the player's hand; or is not after all, if it was."""
    before = next((one.tiles for one in _lefts(record) if one.player == player), ())
    tiles = tuple(one for one in before if one != tile) if tile in before else (*before, tile)
    return _told(record, player, Left, Left(player, tiles) if tiles else None)


def with_points(record: Record, player: str, points: int | None) -> Record:
    """The player's points as they were written down; None: they were not."""
    return _told(record, player, Score, None if points is None else Score(player, points))


def _lefts(record: Record) -> Iterator[Left]:
    return (one for one in record.told if isinstance(one, Left))


def _told(record: Record, player: str, kind: type[Told], new: Told | None) -> Record:
    if record.ended is None:
        raise WritingError("going")
    others = [one for one in record.told if type(one) is not kind or one.player != player]
    told = (*others, new) if new is not None else tuple(others)
    return replace(record, told=told)


def half_told(at: Now) -> tuple[str, ...]:
    """Whose hand at the end is told in part: some of its tiles, but not as many as are left."""
    lefts = [one for one in _lefts(at.record) if one.player in at.record.players]
    return tuple(one.player for one in lefts if len(one.tiles) < at.state.count(one.player))


def judged(record: Record) -> Record:
    """The record without the hands that are told in part, so that what is written can be judged."""
    if not record.told:
        return record
    half = half_told(now(record))
    told = tuple(one for one in record.told if not isinstance(one, Left) or one.player not in half)
    return replace(record, told=told)


def with_scores(record: Record, scores: dict[str, int | None]) -> Record:
    """The record with the points of all whose are known and not written yet: one line, players in order."""
    told = {one.player: one.points for one in record.told if isinstance(one, Score)}
    points = {player: told.get(player, scores.get(player)) for player in record.players}
    lines = [Score(player, value) for player, value in points.items() if value is not None]
    kinds = (Left, Count)
    return replace(
        record, told=(*(one for kind in kinds for one in record.told if isinstance(one, kind)), *lines)
    )


# --- what is taken back ---


@dataclass(frozen=True, slots=True)
class Step:
    """What was written last: an action of the player's, or something said after the end.

    `tile`: of a hand told tile by tile, the last one. `ended`: the end itself, "blocked" or out by word.
    """

    player: str = ""
    action: Action | None = None
    told: Told | None = None
    tile: int | None = None
    ended: str | None = None


def last_step(record: Record) -> Step | None:
    """What `taken_back` takes back; None where nothing is written."""
    if record.told:
        told = record.told[-1]
        tile = told.tiles[-1] if isinstance(told, Left) and told.tiles else None
        return Step(told.player, told=told, tile=tile)
    if record.ended and _by_word(record):
        return Step(record.out[0] if record.out else "", ended=record.ended)
    if not record.turns:
        return None
    turn = record.turns[-1]
    return Step(turn.player, action=turn.actions[-1])


def taken_back(record: Record) -> Record:
    """The record before the last tap; one with nothing written stays as it is.

    >>> from games.engine.reading import parse_record
    >>> record = parse_record("set: 6\\nplayers: A, B\\ndeal: 4\\nengine: 6-6 A")
    >>> taken_back(written(record, Lay(24, "A"))) == record
    True
    """
    step = last_step(record)
    if step is None:
        return record
    if step.told is not None:
        rest = record.told[:-1]
        if isinstance(step.told, Left) and len(step.told.tiles) > 1:
            rest = (*rest, replace(step.told, tiles=step.told.tiles[:-1]))
        return replace(record, told=rest)
    if step.ended:
        return replace(record, ended=None, out=())
    actions = record.turns[-1].actions[:-1]
    if not actions:
        return _ended(replace(record, turns=record.turns[:-1]))
    return _ended(_last_with(record, actions))


def done_again(record: Record, undone: Record) -> Record:
    """The record one step on towards `undone`, from which it was taken back; `undone` itself stays as it is.

    >>> from games.engine.reading import parse_record
    >>> record = parse_record("set: 6\\nplayers: A, B\\ndeal: 4\\nengine: 6-6 A")
    >>> undone = written(record, Lay(24, "A"))
    >>> done_again(record, undone) == done_again(undone, undone) == undone
    True
    """
    at = len(record.turns)
    done = record.turns[-1].actions if at else ()
    meant = undone.turns[at - 1].actions if at else ()
    if len(done) < len(meant):
        return _ended(_last_with(record, meant[: len(done) + 1]))
    if at < len(undone.turns):
        turn = undone.turns[at]
        return _ended(replace(record, turns=(*record.turns, Turn(turn.player, turn.actions[:1]))))
    if not record.ended:
        return replace(record, ended=undone.ended, out=undone.out)
    return replace(record, told=_told_again(record.told, undone.told))


def _told_again(told: tuple[Told, ...], undone: tuple[Told, ...]) -> tuple[Told, ...]:
    """With what was said next; of a hand, with its next tile."""
    at = len(told)
    if at and told[-1] != undone[at - 1]:
        return (*told[:-1], _first_tiles(undone[at - 1], told[-1]))
    return (*told, *(_first_tiles(one) for one in undone[at : at + 1]))


def _first_tiles(told: Told, shorter: Told | None = None) -> Told:
    """A hand with one tile more than the shorter one has; anything else as it is."""
    if not isinstance(told, Left):
        return told
    count = len(shorter.tiles) if isinstance(shorter, Left) else 0
    return replace(told, tiles=told.tiles[: count + 1])


def _by_word(record: Record) -> bool:
    """Whether the end was called, rather than reached by a last tile."""
    if record.ended == "blocked":
        return True
    at = now(record)
    return at.stuck or not at.state.is_over
