"""What can be wrong, as values: a code and its facts, never a sentence.

Knows no rule. Must not know who is told, or in which language: `Problem` is for what a person claims, and a
check returns all of them; `EngineError` is for a caller's wrong input, and is raised.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping


@dataclasses.dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong, or unusual, with what was claimed.

    `seat` is the one hand concerned, if it is one; `seats` all hands concerned; `field` the name of a wrong
    field; `params` every fact that a sentence about it needs.

    >>> Problem("tile_twice", seats=(1, 3), params={"tile": "9-6"}).code
    'tile_twice'
    """

    code: str
    seat: int | None = None
    seats: tuple[int, ...] = ()
    field: str | None = None
    params: Mapping[str, object] = dataclasses.field(default_factory=dict, hash=False)


def about(code: str, *seats: int, **params: object) -> Problem:
    """A problem of these seats; of one seat alone, it is that seat's.

    >>> about("seat_missing", 3).seat, about("hands_clash", 1, 2).seat
    (3, None)
    """
    return Problem(code, seat=seats[0] if len(seats) == 1 else None, seats=seats, params=params)


class EngineError(ValueError):
    """Input the engine cannot work on. `code` is stable; `params` holds what was given.

    >>> EngineError("needs_tiles", seat=2).params
    {'seat': 2}
    """

    def __init__(self, code: str, message: str = "", **params: object) -> None:
        super().__init__(message or f"{code}: {params}")
        self.code = code
        self.params: Mapping[str, object] = params


class TileError(EngineError):
    """Text or numbers that are no tile of any set; the message quotes them."""


class RuleSetError(EngineError):
    """Fields that make no rule set. `problems` holds all of them."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        fields = ", ".join(str(problem.field) for problem in problems)
        super().__init__("invalid", f"not a rule set: {fields}")
        self.problems = problems
