"""What the page of a record that is being written shows: whose turn, trains, tiles, draw, pass, the end.

Knows what is chosen on the page (its query). Must not write, nor judge: the engine says what may be done.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.http import QueryDict
from django.utils.translation import gettext as _

from games.drafts import budget
from games.engine import writing
from games.engine.errors import Problem
from games.engine.moves import MEXICAN, Draw, Lay, Pass
from games.engine.record import Left, Record, Score
from games.engine.replay import Replay, Violation
from games.engine.replay import replay as played
from games.engine.round import may_hold
from games.engine.rules import RuleSet
from games.engine.suits import BIT, SUIT, halves, numbers, tile_number, tile_text
from games.engine.writing import Now, Spot
from games.messages import Message
from games.record_names import Named
from games.record_table import TableView, table_of_state
from games.record_words import breach, clash, rule
from games.rule_book import rule_address, rule_title
from games.templatetags.tiles import marker_letters
from games.web.people import Person, size_of
from games.writing_words import (
    against,
    due,
    last_words,
    moved,
    out_words,
    rule_of_it,
    shut,
    tiles_left,
    unmoved_words,
)

NEVER = {"stuck", "over", "going", "no_tap", "points_unread", "record_long"}  # nothing to write all the same
FEW_TILES = 14  # so many can be shown at once
STRIP = 6  # with more trains the row of trains scrolls


class Key(NamedTuple):
    """One tile to tap. `may`: it may be laid, or left, there; `gone`: it lies on the table already."""

    first: int
    second: int
    name: str
    do: str
    may: bool
    gone: bool
    chosen: bool = False


class Half(NamedTuple):
    """One number to tap; `may`: a tile with it may come."""

    pip: int
    href: str
    may: bool
    chosen: bool


class Chip(NamedTuple):
    """One train: the pip it shows, whether a tile may go there, and why not."""

    train: str
    label: str
    name: str
    person: Person | None
    end: int
    href: str
    open: bool
    chosen: bool
    why: str


class Place(NamedTuple):
    """Where a chosen tile may go: a train, or why it may not."""

    chip: Chip
    do: str
    why: Message | None


class Row(NamedTuple):
    """One player at the end: tiles left, those told, points."""

    person: Person
    player: str
    left: str
    tiles: list[tuple[int, int]]
    points: int | None
    out: bool
    missing: bool
    chosen: bool


@dataclass(frozen=True, slots=True)
class Chosen:
    """What is chosen on the page: a train, a half, a tile, somebody out of turn, a hand at the end."""

    train: str = ""
    half: int | None = None
    tile: int | None = None
    mode: str = ""  # "any": any tile; "drawn": which tile was drawn
    by: str = ""
    who: str = ""
    unfolded: str = ""

    @property
    def kept(self) -> dict[str, object]:
        """The page's query again, without what is not chosen."""
        parts = {
            "train": self.train,
            "half": self.half,
            "tile": None if self.tile is None else tile_text(self.tile),
            "mode": self.mode,
            "by": self.by,
            "who": self.who,
            "open": self.unfolded,
        }
        return {name: part for name, part in parts.items() if part not in (None, "")}

    @property
    def query(self) -> str:
        return f"?{urlencode(self.kept)}" if self.kept else ""

    def still(self, at: Now, on: str) -> Chosen:
        """What is left of it once more was written: `on` is whose turn it was chosen in."""
        if on != moment(at):
            return Chosen()
        drawn = self.mode == "drawn" and (at.player is None or writing.why_not(at, Draw()) is not None)
        return replace(self, mode="", half=None) if drawn else self


def moment(at: Now) -> str:
    """Whose turn it is, or how the round stands: what is chosen on the page holds as long as this."""
    return at.player or at.record.ended or "stuck"


def read_chosen(query: QueryDict, record: Record) -> Chosen:
    """The query; what is not at this table is passed over."""
    most = record.rules.max_pip
    half, tile = str(query.get("half", "")), str(query.get("tile", ""))
    parts = [int(part) for part in tile.split("-") if part.isascii() and part.isdecimal() and len(part) < 3]
    train, by, who, unfolded = (str(query.get(name, "")) for name in ("train", "by", "who", "open"))
    mode = str(query.get("mode", ""))
    return Chosen(
        train=train if train == MEXICAN or train in record.players else "",
        half=int(half) if half in map(str, range(most + 1)) else None,
        tile=tile_number(*parts) if len(parts) == 2 and max(parts) <= most else None,
        mode=mode if mode in ("any", "drawn") else "",
        by=by if by in record.players else "",
        who=who if who in record.players else "",
        unfolded=unfolded if unfolded == MEXICAN or unfolded in record.players else "",
    )


def persons_of(record: Record) -> dict[str, Person]:
    """By id, with the letters on their markers."""
    named = Named(record)
    names = [named.player(player) for player in record.players]
    letters = marker_letters(names)
    return {
        player: Person(seat, name, letter, size_of(name))
        for seat, (player, name, letter) in enumerate(zip(record.players, names, letters, strict=True), 1)
    }


def table_now(at: Now, persons: dict[str, Person], unfolded: str = "") -> TableView:
    """The table as it stands; a move that nothing can follow is drawn where it was meant for."""
    record, state = at.record, at.state
    laid: dict[str, list[int]] = {train: [] for train in state.trains}
    for number, turn in enumerate(record.turns, start=1):
        for action in turn.actions:
            if isinstance(action, Lay) and len(laid.get(action.train, ())) < len(
                state.trains.get(action.train, ())
            ):
                laid[action.train].append(number)
    last = record.turns[-1].actions[-1] if record.turns and at.stuck else None
    view = table_of_state(
        state,
        {player: person.name for player, person in persons.items()},
        on=at.player,
        turn=len(record.turns),
        turns=len(record.turns),
        refused=last if isinstance(last, Lay) else None,
        unfolded=unfolded,
        laid_at=laid,
    )
    return replace(view, engine=record.engine)


def turn_of(at: Now) -> int:
    """The number of the turn that is played; of the last one, at the end."""
    over = at.going or at.stuck or at.record.ended is not None
    return len(at.record.turns) + (not over)


@dataclass(slots=True)
class Shown:
    """The page's facts, made once for a request.

    `undone`: the record as it was before Undo, if that can be done again. `on`: as `Chosen.still` takes it.
    """

    record: Record
    chosen: Chosen
    undone: Record | None = None
    on: str = ""
    at: Now = field(init=False)
    found: Replay = field(init=False)
    persons: dict[str, Person] = field(init=False)

    def __post_init__(self) -> None:
        self.at = writing.now(self.record)
        if self.on:
            self.chosen = self.chosen.still(self.at, self.on)
        self.found = self._judged()
        self.persons = persons_of(self.record)

    def _judged(self) -> Replay:
        """The replay of what is written; a turn that goes on is not taken for one that stops there."""
        found = played(writing.judged(self.record), budget=budget(self.record))
        wrong, turns = found.violation, self.record.turns
        if self.at.going and wrong is not None and (wrong.turn, wrong.action) == (len(turns), 0):
            found = played(replace(self.record, turns=turns[:-1]), budget=budget(self.record))
        return found

    @property
    def rules(self) -> RuleSet:
        return self.record.rules

    def context(self) -> dict[str, Any]:
        page: dict[str, Any] = {
            "record": self.record,
            "most_pips": self.rules.max_pip,
            "chosen": self.chosen,
            "on": moment(self.at),
            "undo": last_words(self.record),
            "redo": self.undone and last_words(writing.done_again(self.record, self.undone)),
            "moved": moved(self.at),
            "unmoved": unmoved_words(self.at),
            "may_keep": self.at.may_keep,
            "may_say": self.at.may_say,
            "yard": self.at.state.boneyard,
            "persons": list(self.persons.items()),
            "wrong": self._wrong(),
            "view": table_now(self.at, self.persons, self.chosen.unfolded),
        }
        if self.record.ended:
            return page | self._end()
        if self.at.stuck or self.at.player is None:
            return page | {"kind": "stuck"}
        return page | self._turn(self.at.player)

    def _wrong(self) -> dict[str, Any] | None:
        """What is wrong with what is written: a broken rule, or that no deal explains it."""
        violation = self.found.violation
        if violation is None:
            return None
        said = breach(self.record, violation)
        return {
            "impossible": violation.code == "no_deal",
            "lead": said.lead,
            "rest": said.rest,
            "facts": clash(self.record, violation),
            **self._rule(violation),
        }

    def _rule(self, violation: Violation) -> dict[str, str]:
        """«Rule A11: Cover an open double», and where it is; or whose reading it is."""
        preset = self.rules.preset
        address = rule_address(preset, violation.rule, code=violation.code)
        if violation.rule is None:
            words = rule(self.record, violation)
            return {"rule": words, "rule_address": address if words else ""}
        about = {"rule": violation.rule, "title": rule_title(violation.rule)}
        return {"rule": _("Rule %(rule)s: %(title)s") % about, "rule_address": address}

    # --- a turn ---

    def _turn(self, player: str) -> dict[str, Any]:
        at = self.at
        spots = writing.spots(at)
        by = self.chosen.by if self.chosen.by != player else ""
        chips = self._chips(spots, player)
        page: dict[str, Any] = {
            "kind": "turn",
            "player": player,
            "person": self.persons[by or player],
            "by": by,
            "due": "" if by else due(at),
            "chips": chips,
            "many": len(chips) > STRIP,
            "blocked": writing.why_not_blocked(at) is None,
            "others": [one for key, one in self.persons.items() if key != player],
            "other_ids": [(key, one) for key, one in self.persons.items() if key != player],
            "stops": at.may_stop,
            "known": writing.wholly_known(at.state, player),
        }
        self._buttons(page, by)
        if self.chosen.tile is not None and self.chosen.mode == "any":
            page["mode_words"] = _("Where may %(tile)s go?") % {"tile": tile_text(self.chosen.tile)}
            return page | self._places(chips, self.chosen.tile, by)
        if self.chosen.mode:
            page["mode_words"] = self._mode_words(by or player)
            return page | self._pad(self._mode_keys(by), f"mode={self.chosen.mode}")
        chosen = next(chip for chip in chips if chip.chosen)
        spot = next(spot for spot in spots if spot.train == chosen.train)
        return page | {"spot": chosen, "keys": list(self._keys(spot, by))}

    def _mode_words(self, player: str) -> str:
        if self.chosen.mode == "any":
            return _("Which tile? Tap one half, then the tile.")
        return _("Which tile does %(who)s draw?") % {"who": self.persons[player].name}

    def _buttons(self, page: dict[str, Any], by: str) -> None:
        at = self.at
        behind = f":{by}" if by else ""
        page["draw_no"] = bool(by) or writing.why_not(at, Draw()) is not None
        page["pass_no"] = bool(by) or writing.why_not(at, Pass()) is not None
        page["draw_do"], page["pass_do"] = f"draw{':' if by else ''}{behind}", f"pass{behind}"
        drawn = at.going and at.last is not None and isinstance(at.last.actions[-1], Draw)
        page["drawn"] = drawn

    def _chips(self, spots: Sequence[Spot], player: str) -> list[Chip]:
        """The own train, then those that are open, then the closed ones."""
        named = Named(self.record)
        by = self.chosen.by or player
        wanted = self.chosen.train or ("" if by == player else by)
        if not wanted:
            best = [spot for spot in spots if spot.tiles] or [spot for spot in spots if spot.why is None]
            wanted = (best or list(spots))[0].train
        chips = []
        for spot in spots:
            problem = None if spot.why is None else writing.why_shut(self.at, spot.train)
            person = self.persons.get(spot.train)
            chips.append(
                Chip(
                    train=spot.train,
                    label=_("own") if spot.train == by else person.name if person else _("Mexican"),
                    name=named.train(spot.train),
                    person=person,
                    end=spot.end,
                    href=self._href(train=spot.train),
                    open=spot.why is None,
                    chosen=spot.train == wanted,
                    why="" if problem is None else shut(self.record, problem),
                )
            )
        return sorted(chips, key=lambda chip: not chip.open)

    def _href(self, **query: object) -> str:
        if self.chosen.by:
            query["by"] = self.chosen.by
        return "?" + "&".join(f"{name}={value}" for name, value in query.items())

    def _keys(self, spot: Spot, by: str) -> Iterator[Key]:
        """Every tile with the number that the train shows, the blank first."""
        lying = writing.lying(self.at.state)
        behind = f":{by}" if by else ""
        for tile in numbers(SUIT[spot.end] & _whole(self.rules)):
            first, second = _from(spot.end, tile)
            if first == second == self.record.engine:  # it lies, whatever happens
                continue
            may = bool(spot.tiles & BIT[tile]) and not by
            do = f"lay:{tile_text(tile)}:{spot.train}{behind}"
            yield Key(first, second, f"{first}-{second}", do, may, bool(lying & BIT[tile]))

    def _places(self, chips: Sequence[Chip], tile: int, by: str) -> dict[str, Any]:
        """For a chosen tile, every train: whether it may go there, and if not, why."""
        places = []
        for chip in chips:
            problem = writing.why_not(self.at, Lay(tile, chip.train), by or None)
            why = None if problem is None else against(self.record, problem)
            do = f"lay:{tile_text(tile)}:{chip.train}" + (f":{by}" if by else "")
            places.append(Place(chip, do, why))
        return {"places": places, "tile": halves(tile), "tile_name": tile_text(tile)}

    def _mode_keys(self, by: str) -> list[Key]:
        """Any tile of the chosen half: to see where it may go, or because it was drawn."""
        if self.chosen.half is None:
            return []
        lying = writing.lying(self.at.state)
        state, player = self.at.state, by or self.at.player or ""
        if self.chosen.mode == "any":
            may = may_hold(state, player)
        else:
            may = _whole(self.rules) & ~lying & ~_known(self.at)
        keys = []
        for tile in numbers(SUIT[self.chosen.half] & _whole(self.rules)):
            first, second = _from(self.chosen.half, tile)
            name = tile_text(tile)
            do = f"draw:{name}" + (f":{by}" if by else "")
            if self.chosen.mode == "any":
                do = self._href(mode="any", half=self.chosen.half, tile=name)
            gone = bool(lying & BIT[tile])
            keys.append(Key(first, second, f"{first}-{second}", do, bool(may & BIT[tile]), gone))
        return keys

    def _pad(self, keys: list[Key], query: str) -> dict[str, Any]:
        """First the half, then the tile."""
        free = _whole(self.rules) & ~writing.lying(self.at.state)
        by = f"&by={self.chosen.by}" if self.chosen.by else ""
        pad = [
            Half(pip, f"?{query}{by}&half={pip}", bool(SUIT[pip] & free), pip == self.chosen.half)
            for pip in range(self.rules.max_pip + 1)
        ]
        return {"halves": pad, "keys": keys}

    # --- the end ---

    def _end(self) -> dict[str, Any]:
        rows = self._rows()
        chosen = next((row for row in rows if row.chosen), None)
        page: dict[str, Any] = {
            "kind": "end",
            "out": out_words(self.record),
            "rows": rows,
            "row": chosen,
            "missing": [row.person.name for row in rows if row.missing],
        }
        if chosen is None:
            return page
        free = _whole(self.rules) & ~writing.lying(self.at.state)
        if free.bit_count() <= FEW_TILES:  # no half first
            return page | {"keys": list(self._left_keys(chosen.player, free))}
        half = self.chosen.half
        suit = 0 if half is None else SUIT[half] & _whole(self.rules)
        return page | self._pad(list(self._left_keys(chosen.player, suit)), f"who={chosen.player}")

    def _count(self, player: str) -> int:
        return self.at.state.count(player)

    def _rows(self) -> list[Row]:
        told = {one.player: one.tiles for one in self.record.told if isinstance(one, Left)}
        written = {one.player: one.points for one in self.record.told if isinstance(one, Score)}
        scores = self.found.scores or {}
        half = writing.half_told(self.at)
        rows = []
        for player, person in self.persons.items():
            count = self._count(player)
            known = writing.wholly_known(self.at.state, player)
            tiles = told.get(player, ())
            if known:
                tiles = tuple(numbers(may_hold(self.at.state, player)))
            points = scores.get(player, written.get(player))
            missing = player in half or (points is None and not known and len(tiles) != count)
            rows.append(
                Row(
                    person=person,
                    player=player,
                    left=_("out") if player in self.record.out else tiles_left(count),
                    tiles=[halves(tile) for tile in tiles],
                    points=points,
                    out=player in self.record.out,
                    missing=missing,
                    chosen=False,
                )
            )
        wanted = self.chosen.who or next((row.player for row in rows if row.missing), "")
        return [row._replace(chosen=row.player == wanted) for row in rows]

    def _left_keys(self, player: str, tiles: int) -> Iterator[Key]:
        told = {one.player: one.tiles for one in self.record.told if isinstance(one, Left)}
        half = self.chosen.half
        lying = writing.lying(self.at.state)
        for tile in numbers(tiles):
            first, second = halves(tile) if half is None else _from(half, tile)
            may = writing.why_not_left(self.at, player, tile) is None
            here = tile in told.get(player, ())
            do = f"left:{player}:{tile_text(tile)}"
            yield Key(first, second, f"{first}-{second}", do, may, bool(lying & BIT[tile]), here)


def _whole(rules: RuleSet) -> int:
    return (1 << tile_number(rules.max_pip, rules.max_pip) + 1) - 1


def _known(at: Now) -> int:
    """The tiles that some hand is known to hold."""
    hands = map(at.state.hand, at.record.players)
    return sum(BIT[tile_number(tile.high, tile.low)] for hand in hands for tile in hand)


def _from(end: int, tile: int) -> tuple[int, int]:
    """The tile's halves, the one that touches first."""
    high, low = halves(tile)
    return (low, high) if low == end else (high, low)


class Said(NamedTuple):
    """What a refused tap is told: what is wrong, the rule, and the button that writes it all the same."""

    lead: str
    rest: str
    rule: str
    sure: str = ""


def said_of(record: Record, problem: Problem, tap: str) -> Said:
    """`tap`: as it was sent; blank where it cannot be written all the same."""
    message = against(record, problem)
    sure = f"!{tap.removeprefix('!')}" if tap and problem.code not in NEVER else ""
    return Said(message.lead, message.rest, rule_of_it(record, problem), sure)
