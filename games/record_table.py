"""The table of a round as it is drawn: a row a train, every tile as it lies, what is folded away.

Knows a record, or a round that is being built, and how wide tiles and words are on a phone. Must not know
requests or addresses: the template makes links of the turns.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from django.utils.translation import gettext as _

from games.engine.moments import state_after
from games.engine.moves import MEXICAN, Action, Lay
from games.engine.record import Record
from games.engine.round import RoundState
from games.engine.suits import OTHER, halves
from games.engine.tiles import SETS
from games.record_names import Named
from games.templatetags.tiles import marker_letters

FEW = 4  # players, up to whom rows are high and tiles large
LONG_WORD = 7  # letters, from which on names take a wider column; a hyphen at the end of a line is one
# Widths in px at the browser's own text size: what a row has for its tiles on a phone of 360 px and in the
# widest column, and what stands there.
ROOM, ROOM_LONG, ROOM_MANY, ROOM_WIDE = 238, 214, 204, 440
# A lying tile, a double that lies across, the fold; in high rows and in low ones.
HIGH, LOW, FOLD = (49, 25, 52), (41, 21, 46), 2
OPEN, DEAD, REFUSED = 46, 44, 64


@dataclass(frozen=True, slots=True)
class TrainTile:
    """A tile as it lies: the end that touches the train, then the end that shows.

    `turn`: which turn laid it, 0 if that is not told; `new`: the turn that is looked at. `state`: "open" and
    "dead" for a double at the end of its train, "refused" for a tile that was not allowed here, "tried" for
    one that no deal explains. `fold`: "far" if a phone has no room for it, "farther" if no screen has.
    """

    inner: int
    outer: int
    turn: int = 0
    new: bool = False
    state: str = ""
    fold: str = ""

    @property
    def double(self) -> bool:
        return self.inner == self.outer

    @property
    def drawn(self) -> bool:
        """Whether there is a drawing of it: a record may name a tile that is in no set."""
        return max(self.inner, self.outer) <= SETS[-1]


@dataclass(frozen=True, slots=True)
class TrainRow:
    """One train. `train` is its player's id, or "M"; `seat` from 1, 0 for the Mexican Train.

    `left`: how many tiles the player holds, None for the Mexican Train. `folded`, `folded_wide`: how many
    tiles are folded away on a phone, and in the widest column. `ends`: the pip that the train shows.
    """

    train: str
    name: str
    seat: int
    letters: str
    left: int | None
    marked: bool
    on: bool
    ends: int
    tiles: tuple[TrainTile, ...]
    folded: int = 0
    folded_wide: int = 0
    unfolded: bool = False

    @property
    def mexican(self) -> bool:
        return self.train == MEXICAN

    @property
    def long(self) -> bool:
        """Whether a word of the name has to be set smaller."""
        return self.mexican or _longest(self.name) >= LONG_WORD


@dataclass(frozen=True, slots=True)
class TableView:
    """The whole table: `turn` of `turns`, 0 before the first; `many` players have lower rows."""

    rows: tuple[TrainRow, ...]
    boneyard: int
    engine: int
    turn: int
    turns: int
    many: bool
    long_names: bool


def table_view(
    record: Record,
    turn: int,
    action: int | None = None,
    refused: Action | None = None,
    *,
    tried: bool = False,
    unfolded: str = "",
) -> TableView:
    """The table after this turn (0: before the first), or after the first `action` actions of it.

    All that must be legal. `refused` is the action that is not: a tile is drawn where it was meant for,
    `tried` if it is no breach but no deal explains it. The row of whoever has the turn is `on`; `unfolded`
    is the train whose tiles are all shown.

    >>> from games.engine.reading import parse_record
    >>> record = parse_record("set: 6\\nplayers: A=Ann, B\\ndeal: 4\\nengine: 6-6 A\\n1. A 6-3 3-2\\n2. B -")
    >>> ann = table_view(record, 1).rows[0]
    >>> ann.name, ann.left, [(tile.inner, tile.outer, tile.turn) for tile in ann.tiles]
    ('Ann', 1, [(6, 3, 1), (3, 2, 1)])
    """
    whole = turn if action is None else turn - 1
    state = state_after(record, whole, action or 0)
    turns = record.turns
    names = Named(record)
    if 0 < turn <= len(turns) and turns[turn - 1].player in record.players:
        on: str | None = turns[turn - 1].player
    else:
        on = record.start if not turn else state.player
    view = table_of_state(
        state,
        {player: names.player(player) for player in record.players},
        on=on,
        turn=turn,
        turns=len(turns),
        refused=refused if isinstance(refused, Lay) else None,
        tried=tried,
        unfolded=unfolded,
        laid_at=_laid_at(record, whole, action or 0),
    )
    return replace(view, engine=record.engine)


def _laid_at(record: Record, turns: int, actions: int) -> Mapping[str, Sequence[int]]:
    """For each train the turns that laid its tiles."""
    found: dict[str, list[int]] = {train: [] for train in (*record.players, MEXICAN)}
    lines: Iterable[tuple[int, Sequence[Action]]] = (
        (at, line.actions) for at, line in enumerate(record.turns[:turns], start=1)
    )
    if actions:
        lines = chain(lines, [(turns + 1, record.turns[turns].actions[:actions])])
    for at, doings in lines:
        for doing in doings:
            if isinstance(doing, Lay):
                found[doing.train].append(at)
    return found


def table_of_state(
    state: RoundState,
    names: Mapping[str, str],
    *,
    on: str | None = None,
    turn: int = 0,
    turns: int = 0,
    refused: Lay | None = None,
    tried: bool = False,
    unfolded: str = "",
    laid_at: Mapping[str, Sequence[int]] | None = None,
) -> TableView:
    """The same of a round that is being built: `names` by player id, `on` whose turn it is.

    >>> from games.engine.round import start_round
    >>> from games.engine.rules import rule_set
    >>> view = table_of_state(start_round(rule_set(), ["A", "B"], engine=12, deal=5), {"A": "Ann"}, on="A")
    >>> [(row.name, row.left, row.on) for row in view.rows], view.boneyard
    ([('Ann', 5, True), ('B', 5, False), ('Mexican Train', None, False)], 80)
    """
    shown = [names.get(player, player) for player in state.players]
    letters = marker_letters(shown)
    many = len(shown) > FEW
    long_names = any(_longest(name) >= LONG_WORD for name in shown)
    room = ROOM_MANY if many else ROOM_LONG if long_names else ROOM
    rows = []
    for at, train in enumerate((*state.players, MEXICAN)):
        mexican = train == MEXICAN
        tiles = _tiles(state, train, turn, laid_at)
        if refused is not None and refused.train == train:
            tiles.append(_meant(refused, state.ends[train], "tried" if tried else "refused"))
        far, farther = (0, 0) if train == unfolded else _folds(tiles, room, many=many)
        rows.append(
            TrainRow(
                train=train,
                name=_("Mexican Train") if mexican else shown[at],
                seat=0 if mexican else at + 1,
                letters="" if mexican else letters[at],
                left=None if mexican else state.count(train),
                marked=train in state.marked,
                on=train == on,
                ends=state.ends[train],
                tiles=tuple(
                    replace(tile, fold="farther" if place < farther else "far" if place < far else "")
                    for place, tile in enumerate(tiles)
                ),
                folded=far,
                folded_wide=farther,
                unfolded=train == unfolded,
            )
        )
    engine = state.trains[rows[0].train][0][0] if state.trains[rows[0].train] else state.ends[rows[0].train]
    return TableView(tuple(rows), state.boneyard, engine, turn, turns, many, long_names)


def _longest(name: str) -> int:
    return max((len(part) for part in name.replace("-", "- ").split()), default=0)


def _tiles(
    state: RoundState, train: str, turn: int, laid_at: Mapping[str, Sequence[int]] | None
) -> list[TrainTile]:
    laid = state.trains[train]
    when = laid_at[train] if laid_at else [0] * len(laid)
    tiles = [
        TrainTile(inner, outer, at, new=bool(at) and at == turn)
        for (inner, outer), at in zip(laid, when, strict=True)
    ]
    if tiles and tiles[-1].double:
        tiles[-1] = replace(tiles[-1], state="open" if train in state.open_doubles else "dead")
    return tiles


def _meant(refused: Lay, end: int, state: str) -> TrainTile:
    """The tile as it would have lain; one that does not fit has its higher end at the train."""
    high, low = halves(refused.number)
    fits = refused.number < len(OTHER[end]) and OTHER[end][refused.number] >= 0
    inner, outer = (end, OTHER[end][refused.number]) if fits else (high, low)
    return TrainTile(inner, outer, state=state)


def _folds(tiles: Sequence[TrainTile], room: int, *, many: bool) -> tuple[int, int]:
    """How many of the oldest tiles have no room on a phone, and how many in the widest column."""
    sizes = LOW if many else HIGH
    widths = [_width(tile, sizes) for tile in tiles]
    return _over(widths, room, sizes[FOLD]), _over(widths, ROOM_WIDE, sizes[FOLD])


def _width(tile: TrainTile, sizes: tuple[int, int, int]) -> int:
    words = {"open": OPEN, "dead": DEAD, "refused": REFUSED, "tried": OPEN}
    return sizes[tile.double] + words.get(tile.state, 0)


def _over(widths: Sequence[int], room: int, fold: int) -> int:
    if sum(widths) <= room:
        return 0
    left = room - fold
    shown = 0
    for width in reversed(widths):
        left -= width
        if left < 0 and shown:
            break
        shown += 1
    return len(widths) - shown
