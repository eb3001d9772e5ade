"""The train record: one round written move by move, read and printed.

Knows the signs and lines of notation.md and what makes a record readable; whether the round was played by the
rules is for `replay`. Must not know a hand that is not written, or a language: what is wrong comes out as
`Problem` values with line, column and the text, code "syntax" or "header".
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, Literal

from games.engine.course import Course
from games.engine.errors import EngineError, Problem
from games.engine.moves import Action, Lay, Pass
from games.engine.rules import RuleSet, differences
from games.engine.suits import OTHER, numbers, tile_text
from games.engine.tiles import tile_total

# What people write stays far below; beyond it nothing is read.
MOST_CHARACTERS = 200_000
MOST_LINES = 5_000

Ended = Literal["out", "blocked"]


class RecordError(EngineError):
    """Text that is no record. `problems`, in the order of the lines, hold `line`, `column` and `text`."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        first = problems[0]
        where = f"line {first.params['line']}, column {first.params['column']}"
        super().__init__(first.code, f"{where}: {first.params['reason']}: {first.params['text']!r}")
        self.problems = problems


@dataclass(slots=True, unsafe_hash=True)
class Turn:
    """One line of play: who, and what in the order it happened.

    `implied`: the last action is a pass that was not written; the line just stopped. That does not make two
    turns differ. `course` is what `course_of` makes of the actions, set by whoever reads a record so that a
    replay is quicker. Not frozen only because a frozen value takes several times as long to make.
    """

    player: Final[str]
    actions: Final[tuple[Action, ...]]
    implied: Final[bool] = field(default=False, compare=False)
    course: Course | None = field(default=None, init=False, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Left:
    """`left B: 5-5 2-1`: the tiles, by number, in this hand at the end."""

    player: str
    tiles: tuple[int, ...]
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Count:
    """`count: B 3`: how many tiles are left."""

    player: str
    number: int
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Score:
    """`score: B 18`: the points written down."""

    player: str
    points: int
    line: int = field(default=0, compare=False)


Told = Left | Count | Score


@dataclass(frozen=True, slots=True)
class Record:
    """A round as it was written. Players go by their ids, in clockwise order; `names` beside them, or None.

    `deal` tiles each; `layer` laid the engine from the hand; `start` moves first; `seek` for each player
    what was drawn while the engine was looked for; `hands` for each the whole dealt hand (`seek` and engine
    included) as a set of tiles, or None where it is hidden. `ended` and `out` say how it ended, `told`
    what is written after that. `lines` tells where what the names say stands: "engine", "hand A", "end";
    `turn_lines` the same for each turn that was read from text.
    """

    rules: RuleSet
    players: tuple[str, ...]
    names: tuple[str | None, ...]
    deal: int
    engine: int
    layer: str | None
    start: str
    seek: tuple[int, ...]
    hands: tuple[int | None, ...]
    turns: tuple[Turn, ...]
    ended: Ended | None = None
    out: tuple[str, ...] = ()
    told: tuple[Told, ...] = ()
    lines: dict[str, int] = field(default_factory=dict, compare=False, hash=False)
    turn_lines: tuple[int, ...] = field(default=(), compare=False)

    def line_of(self, turn: int) -> int:
        """At which line of the text the turn stands, both from 1; 0 if there was none."""
        return self.turn_lines[turn - 1] if turn <= len(self.turn_lines) else 0

    @property
    def yard(self) -> int:
        """How many tiles the boneyard has before the first turn (rulings 11)."""
        dealt = self.deal * len(self.players) + sum(self.seek)
        return tile_total(self.rules.max_pip) - dealt - (self.layer is None or self.set_aside)

    @property
    def set_aside(self) -> bool:
        """Whether the rules lay the engine in the hub before the deal."""
        return self.rules.engine == "set_aside"


def closed(turn: Turn) -> Turn:
    """The turn with the pass that its line left out, behind everything written."""
    return Turn(turn.player, (*turn.actions, Pass()), implied=True)


def print_record(record: Record) -> str:
    """The record as text, every header written out; reading it again gives an equal record.

    Tiles are printed with the end first that touches the train.
    """
    rules = record.rules
    lines = [
        " ".join(("rules:", rules.preset, *_overrides(rules))),
        f"set: {rules.max_pip}",
        "players: "
        + ", ".join(
            player if name is None else f"{player}={name}"
            for player, name in zip(record.players, record.names, strict=True)
        ),
        f"deal: {record.deal}",
        f"engine: {record.engine}-{record.engine}" + (f" {record.layer}" if record.layer else ""),
        f"start: {record.start}",
    ]
    if any(record.seek):
        lines.append(
            "seek: "
            + ", ".join(f"{player} {n}" for player, n in zip(record.players, record.seek, strict=True) if n)
        )
    for player, hand in zip(record.players, record.hands, strict=True):
        if hand is not None:
            lines.append(f"hand {player}: " + " ".join(map(tile_text, numbers(hand))))
    ends = dict.fromkeys((*record.players, "M"), record.engine)
    for number, turn in enumerate(record.turns, start=1):
        actions = " ".join(_action_text(action, ends) for action in turn.actions)
        lines.append(f"{number}. {turn.player} {actions}")
    lines.extend(_end_lines(record))
    return "\n".join(lines) + "\n"


def _overrides(rules: RuleSet) -> Iterable[str]:
    for name in differences(rules):
        if name not in ("max_pip", "deal", "tiebreaks"):
            yield f"{name}={value_text(getattr(rules, name))}"


def value_text(value: object) -> str:
    """How a rule set's value is written: numbers, words, `yes`/`no`, `none`.

    >>> value_text(True), value_text(None), value_text("oldest")
    ('yes', 'none', 'oldest')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


def _action_text(action: Action, ends: dict[str, int]) -> str:
    if not isinstance(action, Lay):
        return str(action)
    end = ends.get(action.train)
    if end is None or action.number >= len(OTHER[end]) or OTHER[end][action.number] < 0:
        return str(action)
    ends[action.train] = other = OTHER[end][action.number]
    return f"{end}-{other}>{action.train}"


def _end_lines(record: Record) -> Iterable[str]:
    if record.ended == "out":
        yield "out: " + ", ".join(record.out)
    elif record.ended == "blocked":
        yield "blocked"
    told = record.told
    while told:
        first = told[0]
        same = 1
        if not isinstance(first, Left):
            while same < len(told) and type(told[same]) is type(first):
                same += 1
        yield _told_text(told[:same])
        told = told[same:]


def _told_text(told: tuple[Told, ...]) -> str:
    first = told[0]
    if isinstance(first, Left):
        return f"left {first.player}:" + "".join(f" {tile_text(number)}" for number in first.tiles)
    if isinstance(first, Count):
        return "count: " + ", ".join(f"{one.player} {one.number}" for one in told if isinstance(one, Count))
    return "score: " + ", ".join(f"{one.player} {one.points}" for one in told if isinstance(one, Score))
