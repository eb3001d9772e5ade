"""One tap on a record that is being written: what it says as text, what it does, why it should not.

Knows the few things that can be tapped. Must not know pages; what a tap does to a record is in `writing`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from games.engine.errors import Problem
from games.engine.moves import MEXICAN, Draw, Lay, Move, Pass
from games.engine.record import Record
from games.engine.suits import tile_number, tile_text
from games.engine.writing import (
    Now,
    WritingError,
    blocked,
    called_out,
    done_again,
    kept,
    said,
    taken_back,
    unmoved,
    why_not,
    why_not_blocked,
    why_not_left,
    why_unmoved,
    with_left,
    with_points,
    written,
)

_TILE = re.compile(r"(0|[1-9][0-9]?)-(0|[1-9][0-9]?)", re.ASCII)
_POINTS = re.compile(r"-?[0-9]{1,4}", re.ASCII)
# What can be tapped, and what stands behind it: a tile, a train, a player; "?" where it may be left out.
_PARTS = {
    "lay": ("tile", "train", "player?"),
    "draw": ("tile?", "player?"),
    "pass": ("player?",),
    "keep": (),
    "say": (),
    "unmoved": (),
    "blocked": (),
    "out": ("player",),
    "left": ("player", "tile"),
    "points": ("player",),
    "undo": (),
    "redo": (),
}


@dataclass(frozen=True, slots=True)
class Tap:
    """What was tapped. `tile` is a number; `sure`: it is to be written though a rule is broken.

    `player` of a move is somebody who is not on turn.
    """

    what: str
    tile: int | None = None
    train: str = ""
    player: str | None = None
    points: int | None = None
    sure: bool = False

    @property
    def move(self) -> Move | None:
        """The move that it is, if it is one."""
        if self.what == "lay" and self.tile is not None:
            return Lay(self.tile, self.train)
        if self.what == "draw":
            return Draw(self.tile)
        return Pass() if self.what == "pass" else None

    @property
    def text(self) -> str:
        """What it says, sure or not: two taps are the same if this is.

        >>> Tap("lay", 24, "A").text, Tap("draw", player="B").text, Tap("points", player="A", points=0).text
        ('lay:6-3:A', 'draw:B', 'points:A:0')
        """
        tile = None if self.tile is None else tile_text(self.tile)
        parts = (self.what, tile, self.train or None, self.player, self.points)
        return ":".join(str(part) for part in parts if part is not None)


def read_tap(text: str, record: Record, points: str = "") -> Tap | None:
    """The tap that the text stands for: "lay:8-3:M", "draw", "draw:5-4", "pass:B", "left:B:5-5", "undo" …

    A "!" before it means `sure`. None for anything else, and for whoever and whatever is not at this table.

    >>> from games.engine.reading import parse_record
    >>> record = parse_record("set: 6\\nplayers: A, B\\ndeal: 4\\nengine: 6-6 A")
    >>> read_tap("lay:6-3:A", record).move
    Lay(number=24, train='A')
    >>> read_tap("!draw", record).sure, read_tap("lay:6-3:<b>", record), read_tap("lay:x", record)
    (True, None, None)
    """
    sure = text.startswith("!")
    what, *rest = text.removeprefix("!").split(":")
    parts = _PARTS.get(what)
    if parts is None or len(rest) > len(parts):
        return None
    found: dict[str, object] = {}
    for at, part in enumerate(parts):
        given = rest[at] if at < len(rest) else ""
        name = part.removesuffix("?")
        if not given:
            if not part.endswith("?"):
                return None
            continue
        if name == "tile":
            match = _TILE.fullmatch(given)
            if match is None:
                return None
            found[name] = tile_number(int(match[1]), int(match[2]))
        elif given in record.players or (name == "train" and given == MEXICAN):
            found[name] = given
        else:
            return None
    if what == "points":
        given = points.strip()
        if given and _POINTS.fullmatch(given) is None:
            return None
        found["points"] = int(given) if given else None
    return Tap(what, sure=sure, **found)  # type: ignore[arg-type]


def why_not_tap(at: Now, tap: Tap) -> Problem | None:
    """What is wrong with it, as a problem with a code of notation.md; None if nothing is.

    Where nothing can be written at all, the code is "stuck", "over" or "going".
    """
    if tap.what in ("undo", "redo"):
        return None
    if tap.what == "points":
        return None if at.record.ended else Problem("going")
    if tap.what in ("keep", "say"):
        return None if (at.may_keep if tap.what == "keep" else at.may_say) else Problem("going")
    if tap.what == "left":
        if at.record.ended is None:
            return Problem("going")
        assert tap.player is not None and tap.tile is not None  # noqa: S101, PT018 - read_tap has them
        return why_not_left(at, tap.player, tap.tile)
    if at.stuck or at.record.ended:
        return Problem("stuck" if at.stuck else "over")
    if tap.what == "blocked":
        return why_not_blocked(at)
    if tap.what == "unmoved":
        return why_unmoved(at) or Problem("going")
    if tap.what == "out":
        given = (tap.player,)
        facts = {"player": tap.player, "given": given, "out": at.state.out, "over": at.state.is_over}
        return Problem("not_out", params={**facts, "rule": None})
    move = tap.move
    return None if move is None else why_not(at, move, tap.player)


def tapped(record: Record, tap: Tap, undone: Record | None = None) -> Record:
    """The record after it, whether a rule is broken or not. WritingError where nothing can be written.

    `undone`: from what the record was taken back, if that can be done again.
    """
    if tap.what == "redo":
        return record if undone is None else done_again(record, undone)
    move = tap.move
    if move is not None:
        return written(record, move, tap.player)
    player = tap.player or ""
    if tap.what == "left" and tap.tile is not None:
        return with_left(record, player, tap.tile)
    if tap.what == "points":
        return with_points(record, player, tap.points)
    if tap.what == "out":
        return called_out(record, player)
    act = {"keep": kept, "say": said, "unmoved": unmoved, "blocked": blocked, "undo": taken_back}.get(
        tap.what
    )
    if act is None:
        raise WritingError("going")
    return act(record)
