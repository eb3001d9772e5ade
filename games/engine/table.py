"""The table while a round is played: one mechanism for every rule set, driven by its fields.

Knows what lies, who holds what as far as it is known, whose turn it is, and what may come next; every step
is refused with a code or done in place. Must not know records or deals. This is the working copy that
`round.RoundState` is frozen from; nothing outside the rule book changes one.

Rulings are those of rules.md: 1 doubles of earlier turns bind, 2–4 doubles of this turn, 5 the last tile a
double, 6–7 the first turn, 8–9 draws, 10 the marker, 12 a blocked round.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from games.engine.legality import FAILED, FREE, HIDDEN, NOT_DRAWN, OVER, OWES, why_draw, why_lay, why_rest
from games.engine.rules import RuleSet
from games.engine.suits import BIT, DOUBLE, DOUBLES, OTHER, SUIT, whole_set
from games.engine.tiles import tile_total

NOT_KNOWN = -1  # `fits` has to be worked out


class Table:
    """A round on the table. Players are 0 … players-1 clockwise, trains the same, `players` the Mexican.

    `ends`: the pip each train shows. `open`: trains whose last tile is a double that nobody played on and
    that is not dead, oldest first; the first `inherited` of them are from earlier turns. `marks`, `out`:
    a bit a player. `known`: for each player the tiles known to be in the hand, `unknown` how many others.
    `plain` and `twin`: a bit for each train that a plain tile, or a double, may go on now; `fits` is what
    `fitting` found. `over`: the player may do nothing more in this turn; `owes`: must do something; `failed`:
    it ended without that. `stuck`: who passed with every train but the own marked since `stuck_at` is what
    lies, a bit each.

    >>> from games.engine.rules import rule_set
    >>> table = Table(rule_set("gamerules", max_pip=6), 6, start=0, known=[0b10, 0], unknown=[1, 2], yard=20)
    >>> table.lay(24, 0), table.ends, table.counts
    (None, [3, 6, 6], (1, 2))
    >>> table.draw(), table.lay(25, 2)
    ('turn_over', 'turn_over')
    """

    __slots__ = (
        "after_double",
        "base",
        "close_order",
        "draw_again",
        "drawn",
        "ended",
        "ends",
        "first",
        "fits",
        "fresh",
        "inherited",
        "known",
        "laid",
        "limit",
        "marks",
        "must",
        "open",
        "others",
        "out",
        "own",
        "phase",
        "plain",
        "player",
        "players",
        "released",
        "restricted",
        "rules",
        "size",
        "stuck",
        "stuck_at",
        "turns",
        "twin",
        "twins",
        "unknown",
        "whole",
        "yard",
    )

    def __init__(
        self,
        rules: RuleSet,
        engine: int,
        *,
        start: int,
        known: Sequence[int],
        unknown: Sequence[int],
        yard: int,
    ) -> None:
        """The engine lies, the hands are dealt, and player `start` is to move."""
        players = len(known)
        self.rules = rules
        self.players = players
        self.size = tile_total(rules.max_pip)
        self.whole = whole_set(rules.max_pip)
        self.must = rules.drawn_tile == "must"
        self.draw_again = rules.draw_again_after_double
        self.limit = rules.doubles_per_turn
        self.after_double = rules.after_double
        self.close_order = rules.close_order
        self.released = rules.dead_double_released
        self.laid = DOUBLE[engine]
        self.ends = [engine] * (players + 1)
        self.open: list[int] = []
        self.marks = 0
        self.out = 0
        self.stuck = self.stuck_at = 0
        # For each player the trains that are always open: the own and, at once or in time, the Mexican.
        self.base = _own(players, mexican=rules.mexican_start != "after_first_turn")
        self.others = _others(players)
        self.known = list(known)
        self.unknown = list(unknown)
        self.yard = yard
        self.turns = 0
        self.ended = False
        self.first = True
        self.restricted = rules.first_turn != "normal"
        self.begin(start)

    def facts(self) -> tuple[object, ...]:
        """Everything that tells two tables apart."""
        values = (getattr(self, name) for name in Table.__slots__ if name != "fits")
        return tuple(tuple(value) if isinstance(value, list) else value for value in values)

    def copy(self) -> Table:
        """One that can be played on without touching this one."""
        twin: Table = object.__new__(Table)
        for name in Table.__slots__:
            setattr(twin, name, getattr(self, name))
        for name in ("ends", "open", "known", "unknown"):
            setattr(twin, name, getattr(self, name).copy())
        return twin

    def count(self, player: int) -> int:
        """How many tiles the player holds."""
        return self.known[player].bit_count() + self.unknown[player]

    @property
    def counts(self) -> tuple[int, ...]:
        """The same for everybody."""
        return tuple(map(self.count, range(self.players)))

    @property
    def seen(self) -> int:
        """Every tile that lies or is known to be in a hand."""
        seen = self.laid
        for hand in self.known:
            seen |= hand
        return seen

    @property
    def over(self) -> bool:
        """Whether the player may do nothing more in this turn."""
        return self.phase >= OVER

    @property
    def owes(self) -> bool:
        """Whether the player must do something yet."""
        return self.phase == OWES

    @property
    def failed(self) -> bool:
        """Whether the turn has ended without what was owed."""
        return self.phase == FAILED

    # --- a turn ---

    def begin(self, player: int) -> None:
        """The player's turn begins."""
        self.player = player
        self.phase = OWES
        self.own = False
        self.drawn = self.twins = 0
        self.fresh = NOT_DRAWN
        if self.restricted or self.open:
            if self.released:
                self.open = [train for train in self.open if self.binds(train)]
            self.inherited = len(self.open)
            self._aim()
        else:
            self.inherited = 0
            self.fits = NOT_KNOWN
            self.plain = self.twin = self.marks | self.base[player]

    def binds(self, train: int) -> bool:
        """Whether the double that the train ends in binds: not where all tiles of its number lie (G24)."""
        return not self.released or bool(SUIT[self.ends[train]] & self.whole & ~self.laid)

    def binding(self) -> list[int]:
        """The trains of earlier turns' doubles that may be closed now; all others are shut (rulings 1, 6)."""
        bound = self.open[: self.inherited]
        if len(bound) > 1 and self.close_order != "any":
            return [bound[0 if self.close_order == "oldest" else -1]]
        return bound

    def reach(self) -> int:
        """Where one may play if no double is open: the own train, marked ones, in time the Mexican."""
        return self.marks | self.base[self.player]

    def closing(self) -> list[int]:
        """The trains of this turn's doubles that a plain tile must go on; empty: it is free (ruling 2)."""
        if not self.twins or self.after_double == "anywhere":
            return []
        mine = self.open[self.inherited :]
        if self.after_double == "cover":
            return mine
        mine = [train for train in mine if self.binds(train)]
        if len(mine) < 2:
            return []
        if self.close_order == "any":
            return mine
        return [mine[0 if self.close_order == "oldest" else -1]]

    def _aim(self) -> None:
        """Work out `plain` and `twin` anew."""
        self.fits = NOT_KNOWN
        if self.restricted:
            self.plain = self.twin = 1 << self.player
        elif self.inherited:
            self.plain = self.twin = _bits(self.binding())
        else:
            self.plain = self.twin = self.reach()
            closing = self.closing()
            if closing:
                self.plain = _bits(closing)
                if self.after_double == "cover":
                    self.twin = self.plain
        if self.limit is not None and self.twins >= self.limit:
            self.twin = 0

    def fitting(self) -> int:
        """The tiles that could be laid now, whoever holds them; tiles that lie already may be among them."""
        if self.fits == NOT_KNOWN:
            ends = self.ends
            tiles = 0
            for train in trains_in(self.plain):
                tiles |= SUIT[ends[train]]
            if self.twin != self.plain:
                tiles &= ~DOUBLES
                for train in trains_in(self.twin):
                    tiles |= DOUBLE[ends[train]]
            self.fits = tiles
        return self.fits

    # --- a tile ---

    def lay(self, number: int, train: int) -> str | None:
        """Lay the tile, or say why not. Nothing lies that is known to be in the player's own hand."""
        if self.phase >= OVER or number >= self.size:
            return why_lay(self, number, train)
        player = self.player
        end = self.ends[train]
        new = OTHER[end][number]
        if new < 0 or not (self.twin if new == end else self.plain) >> train & 1:
            return why_lay(self, number, train)
        bit = BIT[number]
        hand = self.known[player]
        if self.laid & bit:  # also one that a hidden hand laid though it is known to be in this one
            return why_lay(self, number, train)
        if hand & bit:
            self.known[player] = left = hand ^ bit
            left = left or self.unknown[player]
        elif self.unknown[player]:
            self.unknown[player] -= 1
            left = hand or self.unknown[player]
        else:
            return why_lay(self, number, train)
        self.laid |= bit
        self.ends[train] = new
        if train == player:
            self.own = True
        if self.open and train in self.open:
            self._cover(train)
        if new == end:
            self._double(train, left=bool(left))
        elif not left:
            self.phase = OVER
            self.out |= 1 << player
        elif self.restricted and self.rules.first_turn == "own_whole":
            self.fresh = NOT_DRAWN
            self.phase = FREE
            self.fits = NOT_KNOWN
        else:
            self.phase = OVER
        return None

    def _cover(self, train: int) -> None:
        if self.open.index(train) < self.inherited:
            self.inherited -= 1
        self.open.remove(train)

    def _double(self, train: int, *, left: bool) -> None:
        self.fresh = NOT_DRAWN
        self.open.append(train)
        self.twins += 1
        whole = self.restricted and self.rules.first_turn == "own_whole"
        self.phase = FREE if whole else OWES
        if self.after_double == "cover" and not whole and not self.binds(train):
            self.phase = OVER
        elif not left:
            last = self.rules.out_on_double or self.restricted or not (self.may_draw() and self.yard)
            self.phase = OVER if last else OWES
        if self.phase == OVER and not left:
            self.out |= 1 << self.player
        self._aim()

    # --- a draw ---

    def may_draw(self) -> bool:
        """Whether a draw is allowed at this point of the turn, whatever is held or left (rulings 6, 7, 9)."""
        if self.fresh != NOT_DRAWN or (self.drawn and not self.draw_again):
            return False
        return not self.first or self.rules.first_turn_draw

    def draw(self, number: int | None = None) -> str | None:
        """Draw the tile, None if nobody was shown which, or say why not."""
        code = why_draw(self, number)
        if code is not None:
            return code
        self.yard -= 1
        self.drawn += 1
        if number is None:
            self.unknown[self.player] += 1
            self.fresh = HIDDEN
        else:
            self.known[self.player] |= BIT[number]
            self.fresh = number
        return None

    # --- a pass ---

    def rest(self) -> str | None:
        """Pass, or say why not. Whoever still owed something is marked at the end of the turn."""
        code = why_rest(self)
        if code is not None:
            return code
        if self.phase == FREE:
            self.phase = OVER
            return None
        self.phase = FAILED
        self.witness(self.player, kept=self.fresh != NOT_DRAWN and not self.must)
        return None

    def witness(self, player: int, *, kept: bool) -> None:
        """A pass with all other trains marked tells that nothing held fits anywhere, unless a limit held.

        `kept`: a tile was drawn and may have been kept though it fits.
        """
        others = self.others[player]
        if self.marks & others != others or kept:
            return
        if self.first and (self.restricted or self.rules.mexican_start == "after_first_turn"):
            return
        if self.stuck_at != self.laid:
            self.stuck, self.stuck_at = 0, self.laid
        self.stuck |= 1 << player

    # --- the end of a turn, and of the round ---

    def end_turn(self, keep: bool = False) -> None:
        """Move the marker and pass the turn on; `keep`: a marker stays on after a play on the own train."""
        player = self.player
        if self.phase == FAILED:
            self.marks |= 1 << player
        elif self.own and not keep:
            self.marks &= ~(1 << player)
        self.turns += 1
        if self.first and self.turns == self.players:
            self.settle()
        if self.out and (not self.first or self.rules.first_turn_out == "immediate"):
            self.ended = True
        else:
            self.begin(player + 1 if player + 1 < self.players else 0)

    def settle(self) -> None:
        """The second turns begin: nothing of the first binds any more."""
        self.first = self.restricted = False
        self.base = _own(self.players, mexican=True)

    def is_blocked(self) -> bool:
        """Whether nobody can play, as far as the hands and the passes tell (ruling 12). Between turns."""
        if self.yard or self.ended:
            return False
        bound = self.binding()
        stuck = self.stuck if self.stuck_at == self.laid else 0
        tiles = 0
        for train in bound or range(self.players + 1):
            tiles |= SUIT[self.ends[train]]
        return not any(
            self.known[player] & tiles or (self.unknown[player] and not stuck >> player & 1)
            for player in range(self.players)
        )


@cache
def _own(players: int, *, mexican: bool) -> tuple[int, ...]:
    return tuple(1 << player | mexican << players for player in range(players))


@cache
def _others(players: int) -> tuple[int, ...]:
    return tuple((1 << players) - 1 ^ 1 << player for player in range(players))


@cache
def trains_in(bits: int) -> tuple[int, ...]:
    """The trains of a set, there are at most 15."""
    return tuple(train for train in range(15) if bits >> train & 1)


def _bits(trains: Sequence[int]) -> int:
    bits = 0
    for train in trains:
        bits |= 1 << train
    return bits
