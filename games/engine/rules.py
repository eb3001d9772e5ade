"""House rules as data: one `RuleSet`, the presets as their differences, the deal tables.

Knows every field, what may stand in it, and which rule a preset took its value from; None marks a value that
is our reading, because the source is silent. Must not judge hands or moves. Rule numbers: G GameRules.com, W
wikiHow, A ThoughtCo, T the tournament consensus.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Literal

from games.engine.errors import Problem, RuleSetError
from games.engine.tiles import SETS, tile_total

Kind = Literal["choice", "bool", "int", "list"]

# preset → set → numbers of players → tiles each (G6, W1, A2, T). What is not here is not guessed.
DEALS: Mapping[str, Mapping[int, Mapping[int, int]]] = MappingProxyType(
    {
        "gamerules": {
            9: {2: 15, 3: 13, 4: 10},
            12: {2: 16, 3: 16, 4: 15, 5: 14, 6: 12, 7: 10, 8: 9},
            15: dict.fromkeys(range(9, 13), 11),
            18: dict.fromkeys(range(9, 13), 11),
        },
        "wikihow": {
            12: dict.fromkeys(range(2, 7), 12) | dict.fromkeys((7, 8), 10) | dict.fromkeys((9, 10), 8),
        },
        "thoughtco": {
            6: dict.fromkeys(range(2, 5), 7),
            9: dict.fromkeys((2, 3), 15),
            12: {4: 15, 5: 12, 6: 12, 7: 11, 8: 11},
            15: dict.fromkeys(range(9, 13), 11),
            18: dict.fromkeys((13, 14), 11),
        },
        "tournament": {
            12: dict.fromkeys(range(2, 5), 15) | dict.fromkeys((5, 6), 12) | dict.fromkeys((7, 8), 10),
        },
    }
)

# For which numbers of players a set is offered where the preset has no row: set → most players.
_ROOM = {12: 8, 15: 12, 18: 14}


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSet:
    """One table's house rules. The defaults are `thoughtco`; make others with `rule_set`.

    `max_pip` is the set's highest double. `deal` is the table's own number of tiles, or None: the
    preset's deal table. `doubles_per_turn` None means any number. `double_blank` is what 0-0 costs;
    `blank_half`, `out_bonus` and `open_marker` are points; see rules.md for every other value.
    """

    preset: str = "thoughtco"
    max_pip: int = 12
    deal: int | None = None
    engine: str = "dealt"
    engine_order: str = "descending"
    starter: str = "engine_player"
    first_turn: str = "own_whole"
    first_turn_draw: bool = False
    first_turn_out: str = "finish_turn_one"
    mexican_start: str = "after_first_turn"
    drawn_tile: str = "may"
    draw_again_after_double: bool = True
    marker_off: str = "auto"
    doubles_per_turn: int | None = None
    after_double: str = "anywhere"
    close_order: str = "any"
    dead_double_released: bool = True
    out_on_double: bool = True
    announce_last: bool = False
    double_blank: int = 50
    left_counts: str = "pips"
    scoring: str = "penalty"
    tiebreaks: tuple[str, ...] = ("zero_rounds", "lowest_nonzero")
    blank_half: int = 0
    doubles_twice: bool = False
    out_bonus: int = 0
    blocked_cap: bool = False
    open_marker: int = 0

    def __hash__(self) -> int:
        """By what tells most rule sets apart; all that is remembered of one is looked up by it."""
        return hash((self.preset, self.max_pip))

    def deal_for(self, players: int) -> int | None:
        """Tiles dealt to each of `players`; None where the preset has no row and no own number is set (G6 W1
        A2).

        >>> rule_set("gamerules").deal_for(4), rule_set("thoughtco").deal_for(3)
        (15, None)
        """
        if self.deal is not None:
            return self.deal
        return DEALS[self.preset].get(self.max_pip, {}).get(players)


@dataclass(frozen=True, slots=True)
class Field:
    """What may stand in a field of a rule set.

    `choices` are the values of a "choice", or the members of a "list" (in any order, none twice);
    `least` and `most` bound an "int"; `optional` allows None for "not set".
    """

    kind: Kind
    choices: tuple[object, ...] = ()
    least: int = 0
    most: int = 0
    optional: bool = False

    def allows(self, value: object) -> bool:
        """Whether `value` may stand here; True is no 1 and 12.0 is no 12."""
        if value is None:
            return self.optional or (self.kind == "choice" and None in self.choices)
        match self.kind:
            case "bool":
                return isinstance(value, bool)
            case "int":
                return type(value) is int and self.least <= value <= self.most
            case "choice":
                return any(type(value) is type(one) and value == one for one in self.choices)
            case "list":
                return (
                    isinstance(value, tuple | list)
                    and all(isinstance(one, str) and one in self.choices for one in value)
                    and len(set(value)) == len(value)
                )


def _choice(*choices: object) -> Field:
    return Field("choice", choices)


_YES_NO = Field("bool", (True, False))

# Every field of a rule set but `preset`, in the order people are shown them.
FIELDS: Mapping[str, Field] = MappingProxyType(
    {
        "max_pip": _choice(*SETS),
        "deal": Field("int", least=1, most=tile_total(SETS[-1]), optional=True),
        "engine": _choice("set_aside", "dealt"),
        "engine_order": _choice("descending", "any_unused"),
        "starter": _choice("chosen", "engine_player", "rotate"),
        "first_turn": _choice("normal", "own_single", "own_whole"),
        "first_turn_draw": _YES_NO,
        "first_turn_out": _choice("immediate", "finish_turn_one"),
        "mexican_start": _choice("any_turn", "after_first_turn"),
        "drawn_tile": _choice("must", "may"),
        "draw_again_after_double": _YES_NO,
        "marker_off": _choice("auto", "optional"),
        "doubles_per_turn": _choice(None, 1),
        "after_double": _choice("cover", "anywhere", "anywhere_or_first"),
        "close_order": _choice("oldest", "newest", "any"),
        "dead_double_released": _YES_NO,
        "out_on_double": _YES_NO,
        "announce_last": _YES_NO,
        "double_blank": _choice(0, 25, 50),
        "left_counts": _choice("pips", "tiles"),
        "scoring": _choice("penalty", "positive"),
        "tiebreaks": Field("list", ("zero_rounds", "lowest_nonzero")),
        "blank_half": _choice(0, 5, 25),
        "doubles_twice": _YES_NO,
        "out_bonus": _choice(0, 5, 10),
        "blocked_cap": _YES_NO,
        "open_marker": Field("int", least=0, most=25),
    }
)

# Scoring options that tables ask for: off in every preset, so no source is claimed for them.
OPTIONS = ("blank_half", "doubles_twice", "out_bonus", "blocked_cap", "open_marker")

_THOUGHTCO = RuleSet()
PRESETS: Mapping[str, RuleSet] = MappingProxyType(
    {
        "thoughtco": _THOUGHTCO,
        "gamerules": replace(
            _THOUGHTCO,
            preset="gamerules",
            engine="set_aside",
            starter="chosen",
            first_turn="normal",
            first_turn_draw=True,
            first_turn_out="immediate",
            mexican_start="any_turn",
            drawn_tile="must",
            marker_off="optional",
            after_double="anywhere_or_first",
            close_order="oldest",
            announce_last=True,
        ),
        "wikihow": replace(
            _THOUGHTCO,
            preset="wikihow",
            first_turn="own_single",
            first_turn_draw=True,
            first_turn_out="immediate",
            drawn_tile="must",
            close_order="oldest",
            double_blank=0,
        ),
        "tournament": replace(
            _THOUGHTCO,
            preset="tournament",
            engine="set_aside",
            starter="rotate",
            first_turn="normal",
            first_turn_draw=True,
            first_turn_out="immediate",
            mexican_start="any_turn",
            drawn_tile="must",
            draw_again_after_double=False,
            doubles_per_turn=1,
            after_double="cover",
            close_order="oldest",
            out_on_double=False,
        ),
    }
)

# field → where gamerules, wikihow, thoughtco and tournament take it from; None: our reading.
_SOURCES: Mapping[str, tuple[str | None, str | None, str | None, str | None]] = {
    "max_pip": ("G2", "W1", "A2", "T"),
    "deal": ("G6", "W1", "A2", "T"),
    "engine": ("G5", "W2", "A3", "T"),
    "engine_order": ("G16", "W2", "A3", "T"),
    "starter": ("G8", "W2", "A3", "T"),
    "first_turn": ("G9", "W5", "A4", "T"),
    "first_turn_draw": ("G12", "W4", "A6", "T"),
    "first_turn_out": ("G15", "W10", "A5", "T"),
    "mexican_start": ("G9", "W6", "A7", "T"),
    "drawn_tile": ("G11", None, "A9", "T"),
    "draw_again_after_double": ("G21", None, "A10", "T"),
    "marker_off": ("G12", None, None, "T"),
    "doubles_per_turn": ("G20", "W12", "A10", "T"),
    "after_double": ("G20", None, "A10", "T"),
    "close_order": ("G23", None, None, "T"),
    "dead_double_released": ("G24", None, None, "T"),
    "out_on_double": ("G15", "W8", "A12", "T"),
    "announce_last": ("G14", None, None, "T"),
    "double_blank": ("G25", None, "A12", "T"),
    "left_counts": ("G25", None, "A12", "T"),
    "scoring": ("G1", "W10", "A13", "T"),
    "tiebreaks": (None, None, "A13", "T"),
}
SOURCES: Mapping[tuple[str, str], str | None] = MappingProxyType(
    {
        (preset, field): source
        for field, sources in _SOURCES.items()
        for preset, source in zip(("gamerules", "wikihow", "thoughtco", "tournament"), sources, strict=True)
    }
)


def rule_set(preset: str = "thoughtco", **overrides: Any) -> RuleSet:
    """The preset with some fields of the table's own.

    Raises RuleSetError with all problems: code "invalid", the field, params `given` and `allowed` (the
    choices, or the least and the most).

    >>> rule_set("gamerules", double_blank=25).double_blank
    25
    >>> rule_set(double_blank=7, deal=0)
    Traceback (most recent call last):
    ...
    games.engine.errors.RuleSetError: not a rule set: double_blank, deal
    """
    problems = []
    if preset not in PRESETS:
        problems.append(_invalid("preset", preset, tuple(PRESETS)))
    for name, value in overrides.items():
        field = FIELDS.get(name)
        if field is None:
            problems.append(_invalid(name, value, ()))
        elif not field.allows(value):
            allowed = (field.least, field.most) if field.kind == "int" else field.choices
            problems.append(_invalid(name, value, allowed))
    if problems:
        raise RuleSetError(tuple(problems))
    if "tiebreaks" in overrides:
        overrides["tiebreaks"] = tuple(overrides["tiebreaks"])
    rules = replace(PRESETS[preset], **overrides)
    most = tile_total(rules.max_pip)
    if rules.deal is not None and rules.deal > most:
        raise RuleSetError((_invalid("deal", rules.deal, (1, most)),))
    return rules


def _invalid(name: str, given: object, allowed: tuple[object, ...]) -> Problem:
    return Problem("invalid", field=name, params={"given": given, "allowed": allowed})


def differences(rules: RuleSet) -> tuple[str, ...]:
    """The fields in which a table differs from its preset, in display order.

    >>> differences(rule_set("wikihow", double_blank=50))
    ('double_blank',)
    """
    base = PRESETS[rules.preset]
    return tuple(name for name in FIELDS if getattr(rules, name) != getattr(base, name))


def source(rules: RuleSet, name: str) -> str | None:
    """The rule that field `name` is taken from; None for our reading and for the table's own choice.

    >>> source(rule_set("gamerules"), "deal"), source(rule_set("gamerules", max_pip=15), "deal")
    ('G6', None)
    """
    if name == "deal" and rules.preset == "gamerules" and rules.max_pip in (15, 18):
        return None  # [read]: G2 names these sets, no page gives their deal
    if getattr(rules, name) != getattr(PRESETS[rules.preset], name):
        return None
    return SOURCES.get((rules.preset, name))


def suits(rules: RuleSet, players: int) -> int:
    """The smallest of double-12, 15 and 18 with tiles for `players`, 2–14 (G2, A2).

    A set has tiles for them if the preset deals that many hands of it, or, with an own `deal`, if it
    holds so many tiles. Without any such set: 12 up to 8 players, 15 up to 12, 18 above.

    >>> [suits(rule_set("thoughtco"), players) for players in (2, 8, 9, 13)]
    [12, 12, 15, 18]
    """
    spare = rules.engine == "set_aside"
    for max_pip, room in _ROOM.items():
        if rules.deal is None:
            enough = players in DEALS[rules.preset].get(max_pip, {})
        else:
            enough = players <= room and rules.deal * players + spare <= tile_total(max_pip)
        if enough:
            return max_pip
    return next((max_pip for max_pip, room in _ROOM.items() if players <= room), SETS[-1])
