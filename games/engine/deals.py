"""Does any deal explain a record? Exact: which tiles could lie in which hand, drawn when, is a matching.

Knows the steps of a replay and the facts they tell about hidden tiles. A tile lies in a hand from when it was
dealt or drawn until it is laid; whenever its holder drew or passed, it must not have fitted. So each tile may
be in some of the slots (a hand as dealt, one draw, the boneyard's rest) and not in others, whatever the other
tiles do: a deal is a filling of all slots. Written points are sums over several tiles: those are searched for
in `sums`. Must not know legality: the steps are legal, and what fitted is told with them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple

from games.engine.matching import Matching
from games.engine.record import Left, Record, Score, Told
from games.engine.suits import BIT, DOUBLE, numbers, whole_set
from games.engine.sums import BUDGET, Budget, Demand, Found, find

LAY, DRAW, REST = "lay", "draw", "pass"


class Step(NamedTuple):
    """One legal action. `player` is a seat from 0; `tile` the number laid or drawn, -1 if hidden.

    `fits`: for a draw or a pass, the tiles that fitted just then. `kept`: a pass straight after a draw under
    rules by which the drawn tile may be kept. `line` is where it stands.
    """

    turn: int
    action: int
    kind: str
    player: int
    tile: int
    fits: int
    kept: bool
    line: int


# What one list of demands costs of the budget, however few steps its search takes.
_A_TRY = 20

# A fact that can be left out: what it is, and which step, line or hand it comes from.
Key = tuple[str, int, int]


class Deals:
    """All deals that explain a record as far as its steps and end lines go.

    `steps` as the replay saw them; `told` the end lines that agree with the table. `demands` makes, from
    the score lines that are believed, what the hands must come to together. A part of the record is
    its first so many steps and end lines: `len(deals)` is all of it.

    >>> from games.engine.reading import parse_record
    >>> from games.engine.replay import deals_of
    >>> text = "set: 6\\nplayers: A, B, C\\ndeal: 9\\nengine: 6-6\\nrules: gamerules\\n1. A -\\n2. B -"
    >>> deals = deals_of(parse_record(text + "\\n3. C -"))
    >>> len(deals), deals.exist(2), deals.exist(3), deals.first_clash()
    (3, True, False, 3)
    """

    def __init__(
        self,
        record: Record,
        steps: Sequence[Step],
        told: Sequence[Told] = (),
        demands: Callable[[Mapping[int, int]], Sequence[Sequence[Demand]]] | None = None,
        budget: int = BUDGET,
    ) -> None:
        self.record = record
        self.steps = steps
        self.told = [one for one in told if isinstance(one, Left | Score)]
        self.seats = {player: at for at, player in enumerate(record.players)}
        self.engine = DOUBLE[record.engine]
        self.tiles = whole_set(record.rules.max_pip) & ~self.engine
        self.demands = demands
        self.allowance = budget
        self.budget = Budget(budget)
        self.searched = True
        self.owned: list[list[tuple[int, Step]]] = [[] for _ in record.players]
        for at, step in enumerate(steps):
            self.owned[step.player].append((at, step))

    def __len__(self) -> int:
        return len(self.steps) + len(self.told)

    def renew(self) -> None:
        """Let the next search have the whole budget again."""
        self.budget = Budget(self.allowance)

    # --- slots ---

    def slots(self, upto: int, without: Collection[Key] = ()) -> Matching:
        """The slots and what may lie in them by the first `upto` steps and lines, some facts left out.

        A tile laid of which that is left out lies on the table all the same, but may have come from anywhere.
        """
        record = self.record
        laid = loose = draws = 0
        for at, step in enumerate(self.steps[:upto]):
            if step.kind == LAY:
                laid |= BIT[step.tile]
                if ("lay", at, 0) in without:
                    loose |= BIT[step.tile]
            elif step.kind == DRAW:
                draws += 1
        unlaid = self.tiles & ~laid
        left = self._left(upto, without)
        everyone = 0
        for tiles in left.values():
            everyone |= tiles
        rows: list[int] = []
        rooms: list[int] = []
        for player in range(len(record.players)):
            start = left.get(player, ~everyone)
            start = unlaid & start | loose
            self._hand(player, upto, without, start, loose, rows, rooms)
        rows.append(unlaid & ~everyone | loose)
        rooms.append(record.yard - draws)
        return Matching(rows, rooms, self.tiles, laid)

    def _left(self, upto: int, without: Collection[Key]) -> dict[int, int]:
        left = {}
        for at, told in enumerate(self.told[: max(0, upto - len(self.steps))]):
            if isinstance(told, Left) and ("left", at, 0) not in without:
                left[self.seats[told.player]] = sum(BIT[number] for number in told.tiles)
        return left

    def _hand(
        self,
        player: int,
        upto: int,
        without: Collection[Key],
        alive: int,
        loose: int,
        rows: list[int],
        rooms: list[int],
    ) -> None:
        """The slots of one player, from the last step back to the deal.

        `alive` are the tiles that may be in the hand at a time: those still there at the end, and those
        laid later; a draw or a pass kills what fitted for all earlier slots.
        """
        spare = 0
        for at, step in reversed(self.owned[player]):
            if at >= upto:
                continue
            if step.kind == LAY:
                if ("lay", at, 0) not in without:
                    alive |= BIT[step.tile]
                continue
            fits = step.fits if ("fits", at, 0) not in without else 0
            if step.kind == DRAW:
                row = alive | spare
                if step.tile >= 0 and ("drawn", at, 0) not in without:
                    row &= BIT[step.tile]
                rows.append(row)
                rooms.append(1)
            spare = alive & fits if step.kept else 0
            alive = alive & ~fits | loose
        record = self.record
        hand = record.hands[player]
        size = record.deal + record.seek[player]
        if record.players[player] == record.layer and not record.set_aside:
            size -= 1
        if hand is not None:
            for number in numbers(hand & ~self.engine):
                if ("hand", player, number) not in without:
                    rows.append(alive & BIT[number])
                    rooms.append(1)
                    size -= 1
        if size:
            rows.append(alive)
            rooms.append(size)

    def owners(self, upto: int, without: Collection[Key] = ()) -> list[tuple[int, int]]:
        """For each slot of `slots`, in its order: whose it is and the step it was drawn at, -1 for dealt.

        The last slot is the boneyard: (-1, -1).
        """
        found = []
        record = self.record
        for player in range(len(record.players)):
            found += [
                (player, at) for at, step in reversed(self.owned[player]) if at < upto and step.kind == DRAW
            ]
            hand = record.hands[player]
            size = record.deal + record.seek[player]
            if record.players[player] == record.layer and not record.set_aside:
                size -= 1
            fixed = 0
            if hand is not None:
                tiles = numbers(hand & ~self.engine)
                fixed = sum(("hand", player, number) not in without for number in tiles)
            found += [(player, -1)] * (fixed + (size > fixed))
        return [*found, (-1, -1)]

    # --- is there one? ---

    def exist(self, upto: int, without: Collection[Key] = ()) -> bool:
        """Whether some deal explains the first `upto` steps and lines, some facts left out.

        True too where the search for written points ran out of its budget; `searched` is then False.
        """
        matching = self.slots(upto, without)
        return matching.fill() and self._comes_to(matching, upto, without).possible is not False

    def asks(self, upto: int) -> bool:
        """Whether written points are among the first `upto` steps and lines."""
        return bool(self._written(upto, ()))

    def with_tile(self, upto: int, matching: Matching, tile: int, slot: int) -> Found:
        """A deal that explains so much and has the tile in this slot; `matching` are `slots`, filled."""
        trial = matching.copy()
        if not trial.confine(BIT[tile], 1 << slot):
            return Found(possible=False)
        return self._comes_to(trial, upto, ())

    def _comes_to(self, matching: Matching, upto: int, without: Collection[Key]) -> Found:
        """A filling of these slots, which can be filled, that makes the written points."""
        written = self._written(upto, without)
        if not written or self.demands is None:
            return Found(possible=True, filling=matching)
        owners = [player for player, _at in self.owners(upto, without)]
        unlaid = self._unlaid(upto)
        found = Found(possible=False)
        for demands in self.demands(written):
            self.budget.left -= _A_TRY
            found = find(matching.copy(), owners, unlaid, demands, self.budget)
            if found.possible is not False:
                self.searched = self.searched and found.possible is True
                break
        return found

    def _unlaid(self, upto: int) -> int:
        tiles = self.tiles
        for step in self.steps[:upto]:
            if step.kind == LAY:
                tiles &= ~BIT[step.tile]
        return tiles

    def _written(self, upto: int, without: Collection[Key]) -> dict[int, int]:
        return {
            self.seats[told.player]: told.points
            for at, told in enumerate(self.told[: max(0, upto - len(self.steps))])
            if isinstance(told, Score) and ("score", at, 0) not in without
        }

    def first_clash(self) -> int | None:
        """How many steps and lines it takes until no deal explains them; None if one explains all."""
        most = len(self)
        if self.exist(most):
            return None
        least = -1  # that much has a deal, or nothing at all was asked
        while most - least > 1:
            middle = (least + most) // 2
            if self.exist(middle):
                least = middle
            else:
                most = middle
        return most

    def place(self, upto: int) -> tuple[int, int, int]:
        """Turn, action and line of the last of the first `upto` steps and lines."""
        if 0 < upto <= len(self.steps):
            step = self.steps[upto - 1]
            return step.turn, step.action, step.line
        line = self.told[upto - len(self.steps) - 1].line if upto else 0
        return 0, 0, line
