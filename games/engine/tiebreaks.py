"""What parts players with equal totals.

Knows each tie-break: its code, the rule it comes from (A13), and what it looks at. Must not know places or
totals: `standings` applies them in the order the rule set lists them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, Protocol

from games.engine.rules import RuleSet


class Record(Protocol):
    """What a tie-break may look at in a player's rounds."""

    @property
    def zero_rounds(self) -> int:
        """Rounds the player went out of or left 0 points in."""

    @property
    def lowest_nonzero(self) -> int | None:
        """The least points above 0 the player was left with; None without such a round."""


@dataclass(frozen=True, slots=True)
class TieBreak:
    """One criterion. `better` says whether more or less of `value` is ahead; `rule` is its source.

    A player without a value (None) stands behind one who has it.

    >>> ZERO_ROUNDS.code, ZERO_ROUNDS.better, ZERO_ROUNDS.rule
    ('zero_rounds', 'more', 'A13')
    """

    code: str
    rule: str
    better: Literal["more", "less"]
    value: Callable[[Record], int | None]

    def key(self, record: Record) -> tuple[bool, int]:
        """A sort key: the smaller is ahead."""
        value = self.value(record)
        if value is None:
            return True, 0
        return False, -value if self.better == "more" else value


ZERO_ROUNDS = TieBreak("zero_rounds", "A13", "more", lambda record: record.zero_rounds)
LOWEST_NONZERO = TieBreak("lowest_nonzero", "A13", "less", lambda record: record.lowest_nonzero)

TIEBREAKS: Mapping[str, TieBreak] = MappingProxyType(
    {tiebreak.code: tiebreak for tiebreak in (ZERO_ROUNDS, LOWEST_NONZERO)}
)


def in_force(rules: RuleSet) -> tuple[TieBreak, ...]:
    """The tie-breaks a table uses, in order. Under positive scoring zero rounds part nobody.

    >>> from games.engine.rules import rule_set
    >>> [tiebreak.code for tiebreak in in_force(rule_set(scoring="positive"))]
    ['lowest_nonzero']
    """
    return tuple(
        TIEBREAKS[code]
        for code in rules.tiebreaks
        if not (rules.scoring == "positive" and code == ZERO_ROUNDS.code)
    )
