"""The hands without points: who went out, and who holds the double blank alone.

Knows how a round ended and what the rules say of zeros (G15, A5, A12). Must not know any other hand's points.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from games.engine.claims import Ended, Told
from games.engine.errors import Problem, about
from games.engine.hands import Stock
from games.engine.rules import RuleSet
from games.engine.tiles import Tile

_BLANK = Tile(0, 0)


class Zeros:
    """The hands without points: which are empty, which hold the double blank alone, which may be either.

    Only where 0-0 costs nothing and is no engine can a hand of 0 points hold a tile. `complete`: every
    seat has told.

    >>> from games.engine.hands import stock_for
    >>> from games.engine.rules import rule_set
    >>> rules = rule_set("wikihow")
    >>> hands = [Told(seat=1, points=0, out=True), Told(seat=2, points=0)]
    >>> zeros = Zeros(hands, "out", rules, stock_for(rules, 12), complete=True)
    >>> [zeros.went_out(hand) for hand in hands], [hand.seat for hand in zeros.blank]
    ([True, False], [2])
    """

    def __init__(
        self,
        hands: Sequence[Told],
        ended: Ended,
        rules: RuleSet,
        stock: Stock,
        *,
        complete: bool,
    ) -> None:
        self.blocked = ended == "blocked"
        self.one_out = rules.first_turn_out == "immediate"
        self.complete = complete
        self.hands = hands
        self.held = not stock.zero_is_empty
        self.all = [hand for hand in hands if hand.points == 0]
        self.empty = [hand for hand in self.all if self._is_empty(hand)]
        self.blank = [hand for hand in self.all if self.held and self._is_blank(hand)]
        self.open = [one for one in self.all if one not in self.empty and one not in self.blank]
        self._settle()

    def _is_empty(self, hand: Told) -> bool:
        return hand.count == 0 or hand.out is True or not self.held

    def _is_blank(self, hand: Told) -> bool:
        return not self._is_empty(hand) and (hand.count is not None or hand.out is False)

    def _settle(self) -> None:
        """Decide an open hand where the others leave one way only."""
        # 0-0 alone may lie in one hand; of two hands that may hold it, somebody's must (`both_open`).
        self.both_open: tuple[Told, ...] = ()
        if self.blocked:
            self._move(self.blank)
        elif self.one_out and len(self.all) == 2 and len(self.open) == 2:
            self.both_open = tuple(self.open)
        elif self.one_out and len(self.all) == 2 and self.open:
            self._move(self.blank if self.empty else self.empty)
        elif self._blank_is_elsewhere() or (self.complete and len(self.all) == 1):
            self._move(self.empty)

    def _move(self, to: list[Told]) -> None:
        to += self.open
        self.open = []

    def _blank_is_elsewhere(self) -> bool:
        return bool(self.blank) or any(_BLANK in (hand.tiles or ()) for hand in self.hands)

    def problems(self) -> list[Problem]:
        """`zeros` where there are too many, too few, or one in a blocked round."""
        seats = [hand.seat for hand in self.all]
        if self.blocked:
            if self.empty or len(self.all) > 1:
                wrong = seats if len(self.all) > 1 else [hand.seat for hand in self.empty]
                return [about("zeros", *wrong, kind="in_blocked", seats=tuple(wrong))]
            return []
        if self.one_out:
            spare = self.held and len(self.empty) < len(self.all)
            if len(self.empty) > 1 or len(self.all) > 1 + spare:
                return [about("zeros", *seats, kind="too_many", seats=tuple(seats))]
        if self.complete and not self._somebody_out():
            return [about("zeros", kind="too_few", seats=())]
        return [
            about("count_points", hand.seat, kind="not_out", points=0, tile_count=hand.count)
            for hand in self.empty
            if hand.out is False
        ]

    def _somebody_out(self) -> bool:
        if any(hand.out and hand.points for hand in self.hands):
            return True  # that hand is wrong by itself
        return any(hand.out is not False for hand in self.empty) or bool(self.open)

    def unclear(self) -> Sequence[Told]:
        """Hands of which it is not known whether they went out."""
        return () if self.blocked else self.open

    def went_out(self, hand: Told) -> bool:
        """Whether this hand ended the round; of two that may have, both: nobody has said which."""
        if self.blocked or hand.points != 0:
            return bool(hand.out)
        return hand.out is not False and not any(one.seat == hand.seat for one in self.blank)

    def counted(self, hand: Told) -> Told:
        """The hand with its number of tiles, where that parts an empty hand from 0-0 alone.

        So what was found out can be told again without `out`.
        """
        if hand.points != 0 or hand.count is not None:
            return hand
        if self.blocked and hand in self.empty:
            return replace(hand, count=0)  # nobody went out, and yet it holds nothing: in doubt
        if not self.held:
            return hand
        if hand.out:
            return replace(hand, count=0)
        return replace(hand, count=1) if hand in self.blank else hand
