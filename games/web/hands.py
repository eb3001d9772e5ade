"""The hands of one round as they stand on the entry page: read from what was typed, made into a claim.

Knows the page's fields (`hand-SEAT`, `count-SEAT`, `marker-SEAT`), its query (`out`, `ended`, `engine`,
`new`, `fix`) and the engine's claims.
Must not judge or save: services do.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from django.http import QueryDict

from games import services
from games.engine.errors import Problem
from games.engine.rules import RuleSet
from games.engine.scoring import Hand, HandClaim, RoundClaim
from games.selectors import HandCell, RoundSheet, Sheet
from games.web.people import Person, people
from games.web.typed import Typed, read_count, read_hand

# Engine warnings that nobody at the table can answer.
NOT_ASKED = frozenset({"not_searched"})


class Ending(NamedTuple):
    """How a round ended: the seats that went out, or none because it was blocked."""

    outs: frozenset[int] = frozenset()
    blocked: bool = False

    @property
    def known(self) -> bool:
        return self.blocked or bool(self.outs)


@dataclass(frozen=True, slots=True)
class TypedHand:
    """One player's fields, as text."""

    text: str = ""
    count_text: str = ""
    marker: bool = False

    @property
    def typed(self) -> Typed:
        return read_hand(self.text)

    @property
    def count(self) -> int | None:
        """The tile count; None where it is not told, or no number."""
        try:
            return read_count(self.count_text)
        except ValueError:
            return None

    def faults(self, seat: int) -> Iterator[Problem]:
        if self.typed.wrong:
            yield Problem("hand_text", seat=seat, params={"text": self.typed.wrong})
        if self.count_text.strip() and self.count is None:
            yield Problem("count_text", seat=seat, params={"text": self.count_text.strip()[:40]})

    def claim(self, seat: int) -> HandClaim | None:
        hand = self.typed
        if hand.points is None and hand.tiles is None:
            return None
        return HandClaim(
            seat=seat,
            points=hand.points,
            tile_count=self.count,
            tiles=hand.tiles,
            marker=self.marker,
        )


class Row(NamedTuple):
    """One line of the page."""

    person: Person
    hand: TypedHand
    out: bool
    bad: bool

    @property
    def seat(self) -> int:
        return self.person.seat


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the engine, and the reading of the fields, find: all of it."""

    problems: tuple[Problem, ...]
    warnings: tuple[Problem, ...]
    hands: tuple[Hand, ...]

    @property
    def bad_seats(self) -> set[int]:
        return {
            seat for problem in self.problems for seat in (problem.seat, *problem.seats) if seat is not None
        }

    @property
    def disputable(self) -> bool:
        """Whether the round can be saved all the same, as disputed."""
        return bool(self.problems) and all(problem.code in services.DISPUTABLE for problem in self.problems)


@dataclass(frozen=True, slots=True)
class Entry:
    """A whole page of hands. `is_new`: the page was for a round that was not in yet."""

    number: int
    engine: int
    ending: Ending
    hands: Mapping[int, TypedHand]  # by seat, in the order they sit
    is_new: bool = True

    @property
    def claim(self) -> RoundClaim:
        return RoundClaim(
            engine=self.engine,
            ended="blocked" if self.ending.blocked else "out",
            hands=tuple(self._claims()),
        )

    def _claims(self) -> Iterator[HandClaim]:
        for seat, hand in self.hands.items():
            if seat in self.ending.outs:
                yield HandClaim(seat=seat, points=0, out=True, marker=hand.marker)
            elif (claim := hand.claim(seat)) is not None:
                yield claim

    @property
    def way(self) -> str:
        """The page's query: what it is for. Not among its fields, which a phone keeps as a draft."""
        way = QueryDict(mutable=True)
        way["engine"] = str(self.engine)
        if self.ending.blocked:
            way["ended"] = "blocked"
        way.setlist("out", [str(seat) for seat in sorted(self.ending.outs)])
        way["new" if self.is_new else "fix"] = "1"
        return way.urlencode()

    def blank_seats(self) -> tuple[int, ...]:
        return tuple(
            seat for seat, hand in self.hands.items() if seat not in self.ending.outs and hand.typed.blank
        )

    def judge(self, sheet: Sheet, *, typing: int | None = None, so_far: bool = False) -> Verdict:
        """Everything wrong or unusual. `so_far`: nothing is said of what is not typed yet, nor of
        unfinished text in the field of the seat `typing`."""
        check = services.round_check(sheet, self.number, self.claim)
        faults = [
            fault
            for seat, hand in self.hands.items()
            if seat not in self.ending.outs
            for fault in hand.faults(seat)
        ]
        said = {fault.seat for fault in faults}
        if so_far:
            faults = [fault for fault in faults if fault.seat != typing]
        missing = [
            problem
            for problem in check.problems
            if problem.code == "seat_missing" and not so_far and problem.seat not in said
        ]
        others = [problem for problem in check.problems if problem.code != "seat_missing"]
        return Verdict((*faults, *missing, *others), check.warnings, check.hands)

    def rows(self, sheet: Sheet, bad: set[int]) -> list[Row]:
        persons = people(sheet.players)
        return [
            Row(persons[seat], hand, seat in self.ending.outs, seat in bad)
            for seat, hand in self.hands.items()
        ]


def read_ending(data: QueryDict, sheet: Sheet, number: int) -> Ending:
    """Who went out, as `out` (several times) or `ended=blocked` say; unknown seats are passed over."""
    if data.get("ended") == "blocked":
        return Ending(blocked=True)
    given = set(data.getlist("out"))
    return Ending(frozenset(seat for seat in sheet.seats(number) if str(seat) in given))


def read_engine(data: QueryDict, sheet: Sheet, number: int) -> int:
    """The engine that was chosen, where it may be; else the one whose turn it is."""
    given = data.get("engine", "")
    choices = {str(pip): pip for pip in sheet.engine_choices(number)}
    return choices.get(given, sheet.engines[number - 1])


def read_typed(data: QueryDict, sheet: Sheet, number: int) -> Entry:
    """The page as it was sent. A marker that it does not ask about stays as it was."""
    ending, known = read_ending(data, sheet, number), sheet.round(number)
    unasked = () if sheet.rules.open_marker else sheet.seats(number)
    kept = {seat for seat in unasked if known and seat in known.hands and known.hands[seat].marker}
    return Entry(
        number=number,
        engine=read_engine(data, sheet, number),
        ending=ending,
        hands={
            seat: TypedHand(
                text=data.get(f"hand-{seat}", "")[:400],
                count_text=data.get(f"count-{seat}", "")[:40],
                marker=f"marker-{seat}" in data or seat in kept,
            )
            for seat in sheet.seats(number)
        },
        is_new="new" in data,
    )


def fresh(sheet: Sheet, number: int, engine: int, ending: Ending) -> Entry:
    """An empty page for the next round."""
    hands = {seat: TypedHand() for seat in sheet.seats(number)}
    return Entry(number=number, engine=engine, ending=ending, hands=hands)


def saved(sheet: Sheet, known: RoundSheet, ending: Ending) -> Entry:
    """The page of a round that is in, filled with its values; who went out may be another now."""
    outs = frozenset(seat for seat, cell in known.hands.items() if cell.out)
    if not ending.known:
        ending = Ending(outs, known.ended == "blocked")
    hands = {}
    for seat in sheet.seats(known.number):
        cell = known.hands.get(seat)
        hand = TypedHand() if cell is None else saved_hand(cell)
        # Whoever went out and now did not has something left, and nobody knows yet what.
        hands[seat] = replace(hand, text="") if seat in outs - ending.outs else hand
    return Entry(known.number, known.engine, ending, hands, is_new=False)


def saved_hand(cell: HandCell) -> TypedHand:
    if cell.tiles:
        return TypedHand(text=" ".join(cell.tiles), marker=cell.marker)
    count = "" if cell.tile_count is None else str(cell.tile_count)
    return TypedHand(text=str(cell.points), count_text=count, marker=cell.marker)


def same_hand(mine: Hand, theirs: HandCell, rules: RuleSet) -> bool:
    """Whether two phones say the same of a hand. Tiles matter where the rules look at them."""
    if (mine.points, mine.out, mine.marker) != (theirs.points, theirs.out, theirs.marker):
        return False
    if not (rules.blank_half or rules.doubles_twice):
        return True
    tiles = None if mine.tiles is None else sorted(str(tile) for tile in mine.tiles)
    return tiles == (None if theirs.tiles is None else sorted(theirs.tiles))


def same_round(entry: Entry, hands: tuple[Hand, ...], known: RoundSheet, rules: RuleSet) -> bool:
    """Whether what was typed is what is in already."""
    return (
        (entry.engine, entry.claim.ended) == (known.engine, known.ended)
        and {hand.seat for hand in hands} == known.hands.keys()
        and all(same_hand(hand, known.hands[hand.seat], rules) for hand in hands)
    )
