"""A round as it stands, what may be done next, and what it then looks like.

Knows how to begin a round, and hands out values only: `apply` gives a new state and refuses an illegal move.
Must not know records or chance: who draws a tile says which, or that nobody was shown it. The rules are in
`table`, which this wraps.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from games.engine.errors import EngineError, Problem
from games.engine.explain import facts_about, rule_broken
from games.engine.legality import why_draw, why_lay, why_rest
from games.engine.moves import MEXICAN, Draw, Lay, Move, Pass
from games.engine.rules import RuleSet
from games.engine.suits import BIT, DOUBLE, OTHER, numbers, tile_number, tile_of, whole_set
from games.engine.table import Table
from games.engine.tiles import Tile, tile_total

# A tile as it lies: the end that touches the train, then the end that shows.
Laid = tuple[int, int]


class RoundError(EngineError):
    """A round that cannot be begun, or a move that is illegal; the code is one of notation.md."""


class RoundState:
    """One moment of a round. Players go by their ids; trains by their player's id, or "M".

    Never changes. Two states are equal if nothing tells them apart.
    """

    __slots__ = ("_table", "players", "trains")

    players: tuple[str, ...]
    trains: Mapping[str, tuple[Laid, ...]]
    _table: Table

    def __init__(
        self, players: tuple[str, ...], trains: Mapping[str, tuple[Laid, ...]], table: Table
    ) -> None:
        object.__setattr__(self, "players", players)
        object.__setattr__(self, "trains", MappingProxyType(dict(trains)))
        object.__setattr__(self, "_table", table)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a round's state never changes: {name}")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RoundState):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[object, ...]:
        return self.players, tuple(self.trains.items()), self._table.facts()

    @property
    def rules(self) -> RuleSet:
        """What the table plays by."""
        return self._table.rules

    @property
    def player(self) -> str | None:
        """Whose turn it is; None once the round is over."""
        return None if self._table.ended else self.players[self._table.player]

    @property
    def turn(self) -> int:
        """The number of the turn that is played now, from 1."""
        return self._table.turns + 1

    @property
    def ends(self) -> Mapping[str, int]:
        """The pip that each train shows."""
        return dict(zip((*self.players, MEXICAN), self._table.ends, strict=True))

    @property
    def open_doubles(self) -> tuple[str, ...]:
        """The trains that end in a double nobody has played on, the oldest first; dead ones are left out."""
        names = (*self.players, MEXICAN)
        return tuple(names[train] for train in self._table.open if self._table.binds(train))

    @property
    def marked(self) -> tuple[str, ...]:
        """Whose marker is on."""
        return tuple(self.players[player] for player in numbers(self._table.marks))

    @property
    def boneyard(self) -> int:
        """How many tiles are left to draw."""
        return self._table.yard

    @property
    def out(self) -> tuple[str, ...]:
        """Who has gone out."""
        return tuple(self.players[player] for player in numbers(self._table.out))

    @property
    def is_over(self) -> bool:
        """Whether somebody's going out has ended the round. A block never does by itself."""
        return self._table.ended

    @property
    def is_blocked(self) -> bool:
        """Whether it may be called blocked: ruling 12. Only between turns."""
        return self._table.is_blocked()

    def count(self, player: str) -> int:
        """How many tiles the player holds."""
        return self._table.count(self.players.index(player))

    def hand(self, player: str) -> tuple[Tile, ...]:
        """The tiles known to be in the hand, the lowest first; `count` tells whether that is all."""
        return tuple(map(tile_of, numbers(self._table.known[self.players.index(player)])))


def start_round(
    rules: RuleSet,
    players: Sequence[str],
    *,
    engine: int,
    hands: Mapping[str, Iterable[Tile]] | None = None,
    deal: int | None = None,
    start: str | None = None,
    layer: str | None = None,
    seek: Mapping[str, int] | None = None,
) -> RoundState:
    """The table before the first turn; the engine lies.

    `hands` are the whole dealt hands of those whose tiles are known; the others hold `deal` tiles each, by
    default what the deal table says, and what `seek` says they drew before. `layer` laid the engine from
    the hand and starts, unless `start` says who does. Raises RoundError "header" if that cannot be.

    >>> from games.engine.rules import rule_set
    >>> state = start_round(rule_set("gamerules"), ["A", "B"], engine=12, deal=5)
    >>> state.player, state.boneyard, state.count("B")
    ('A', 80, 5)
    """
    ids = tuple(players)
    size = rules.deal_for(len(ids)) if deal is None else deal
    if size is None or not 2 <= len(set(ids)) == len(ids) <= 14 or not 0 <= engine <= rules.max_pip:
        raise RoundError("header", players=ids, deal=size, engine=engine)
    known, unknown, seen = [], [], 0
    for player in ids:
        dealt = size + (seek or {}).get(player, 0)
        hand = sum(BIT[tile_number(tile.high, tile.low)] for tile in (hands or {}).get(player, ()))
        if hand and (hand.bit_count() != dealt or hand & (seen | ~whole_set(rules.max_pip))):
            raise RoundError("header", player=player, deal=dealt)
        seen |= hand
        if hand and player == layer:
            hand &= ~DOUBLE[engine]
        known.append(hand)
        unknown.append(0 if hand else dealt - (player == layer))
    if seen & DOUBLE[engine] and (layer is None or seen & DOUBLE[engine] & sum(known)):
        raise RoundError("already_laid", engine=engine)
    held = sum(hand.bit_count() for hand in known) + sum(unknown)
    yard = tile_total(rules.max_pip) - 1 - held
    if yard < 0 or (layer is not None and rules.engine == "set_aside"):
        raise RoundError("header", deal=size, layer=layer)
    first = ids.index(start or layer or ids[0])
    table = Table(rules, engine, start=first, known=known, unknown=unknown, yard=yard)
    return RoundState(ids, dict.fromkeys((*ids, MEXICAN), ()), table)


def may_hold(state: RoundState, player: str) -> int:
    """The tiles that may be in the hand, as a set: those known; if they are not all, any nobody has seen."""
    table = state._table
    seat = state.players.index(player)
    hand = table.known[seat]
    if table.unknown[seat]:
        elsewhere = table.laid
        for other, known in enumerate(table.known):
            if other != seat:
                elsewhere |= known
        hand |= table.whole & ~elsewhere
    return hand


def legal_moves(state: RoundState) -> tuple[Move, ...]:
    """Every move the player may make next: tiles with their trains, then a draw, then a pass.

    Of a hand that is not wholly known every tile nobody has seen may come; a draw is always `Draw()`,
    whichever tile it will be. Empty once the round is over.

    >>> from games.engine.rules import rule_set
    >>> hands = {"A": [Tile(6, 1), Tile(5, 5)]}
    >>> state = start_round(rule_set("gamerules", max_pip=6), ["A", "B"], engine=6, hands=hands, deal=2)
    >>> [str(move) for move in legal_moves(state)]
    ['6-1>A', '6-1>M']
    """
    table = state._table
    if table.ended:
        return ()
    hand = may_hold(state, state.players[table.player])
    moves: list[Move] = []
    names = (*state.players, MEXICAN)
    for number in numbers(hand & table.fitting()):
        moves += [
            Lay(number, names[train])
            for train, end in enumerate(table.ends)
            if OTHER[end][number] >= 0 and why_lay(table, number, train) is None
        ]
    if why_draw(table) is None:
        moves.append(Draw())
    if why_rest(table) is None:
        moves.append(Pass())
    return tuple(moves)


def why_illegal(state: RoundState, move: Move) -> Problem | None:
    """What is wrong with the move: the first code that holds, its `rule` and the facts; None if nothing is.

    >>> from games.engine.rules import rule_set
    >>> state = start_round(rule_set("wikihow", max_pip=6), ["A", "B"], engine=6, deal=2, layer="A")
    >>> problem = why_illegal(state, Lay.of(Tile(6, 1), "M"))
    >>> problem.code, problem.params["rule"]
    ('own_train_first', 'W5')
    """
    table = state._table
    if table.ended:
        return Problem("round_over", params={"out": state.out})
    if isinstance(move, Lay):
        names = (*state.players, MEXICAN)
        if move.train not in names:
            code: str | None = "unknown_player"
        else:
            code = why_lay(table, move.number, names.index(move.train))
    elif isinstance(move, Draw):
        code = why_draw(table, move.number)
    else:
        code = why_rest(table)
    if code is None:
        return None
    facts = facts_about(move, table, state.players)
    return Problem(code, params={**facts, "rule": rule_broken(code, table)})


def apply(state: RoundState, move: Move, *, keep_marker: bool = False) -> RoundState:
    """The state after the move. When that ends the turn the marker has moved and the next player is on.

    `keep_marker`: a marker that is on stays on after a play on the own train, where the rules leave that
    open. Raises RoundError with the code of `why_illegal`.

    >>> from games.engine.rules import rule_set
    >>> state = start_round(rule_set("gamerules", max_pip=6), ["A", "B"], engine=6, deal=2)
    >>> after = apply(state, Lay.of(Tile(6, 1), "M"))
    >>> after.player, after.trains["M"], state.trains["M"]
    ('B', ((6, 1),), ())
    """
    table = state._table.copy()
    trains = state.trains
    code: str | None = "round_over"
    if table.ended:
        pass
    elif isinstance(move, Lay):
        names = (*state.players, MEXICAN)
        code = "unknown_player"
        if move.train in names:
            train = names.index(move.train)
            end = table.ends[train]
            code = why_lay(table, move.number, train)
            if code is None:
                table.lay(move.number, train)
                trains = {**trains, move.train: (*trains[move.train], (end, table.ends[train]))}
    else:
        code = table.draw(move.number) if isinstance(move, Draw) else table.rest()
    if code is not None:
        problem = why_illegal(state, move)
        raise RoundError(code, f"{code}: {move}", **(problem.params if problem else {}))
    if table.over:
        table.end_turn(keep_marker and table.rules.marker_off == "optional")
    return RoundState(state.players, trains, table)
