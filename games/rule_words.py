"""The rule card in plain words: what a field is about, what a choice means, where a preset has it from.

Knows language and, from the engine, fields, values and sources. Must not judge, nor know pages or forms.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from typing import NamedTuple

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.engine.rules import DEALS, FIELDS, OPTIONS, PRESETS, SOURCES, RuleSet, differences, source
from games.engine.tiles import tile_total

Words = str | Promise

PRESET_NAMES: Mapping[str, Words] = {
    "thoughtco": gettext_lazy("ThoughtCo"),
    "gamerules": gettext_lazy("GameRules"),
    "wikihow": gettext_lazy("wikiHow"),
    "tournament": gettext_lazy("Tournament"),
}
PRESET_LINES: Mapping[str, Words] = {
    "thoughtco": gettext_lazy("A whole train on the first turn; ties have rules. 2 to 14 players."),
    "gamerules": gettext_lazy("The engine is set aside; two doubles close in the order laid."),
    "wikihow": gettext_lazy("The own train first; the double blank costs nothing extra."),
    "tournament": gettext_lazy("One double a turn, covered at once; nobody goes out on it."),
}


@dataclass(frozen=True, slots=True)
class About:
    """A field's label and the words of its choices; `each` is for a number, with one %(number)s."""

    label: Words
    choices: Mapping[object, Words]
    each: tuple[str, str] | None = None


class Group(NamedTuple):
    label: Words
    fields: tuple[str, ...]


GROUPS: Sequence[Group] = (
    Group(gettext_lazy("Setting up"), ("max_pip", "deal", "engine", "engine_order", "starter")),
    Group(
        gettext_lazy("First turn"),
        ("first_turn", "first_turn_draw", "first_turn_out", "mexican_start"),
    ),
    Group(gettext_lazy("Playing"), ("drawn_tile", "marker_off", "announce_last")),
    Group(
        gettext_lazy("Doubles"),
        (
            "doubles_per_turn",
            "after_double",
            "draw_again_after_double",
            "close_order",
            "dead_double_released",
            "out_on_double",
        ),
    ),
    Group(
        gettext_lazy("Scoring"),
        (
            "scoring",
            "left_counts",
            "double_blank",
            "blank_half",
            "doubles_twice",
            "out_bonus",
            "blocked_cap",
            "open_marker",
        ),
    ),
    Group(gettext_lazy("Ties"), ("tiebreaks",)),
)

ABOUT: Mapping[str, About] = {
    "max_pip": About(gettext_lazy("Set"), {}),
    "deal": About(gettext_lazy("Tiles each"), {None: gettext_lazy("As the card deals")}),
    "engine": About(
        gettext_lazy("The engine"),
        {
            "set_aside": gettext_lazy("Set aside before the deal"),
            "dealt": gettext_lazy("Dealt; its holder lays it"),
        },
    ),
    "engine_order": About(
        gettext_lazy("The next engine"),
        {
            "descending": gettext_lazy("Always one lower"),
            "any_unused": gettext_lazy("Any double not played yet"),
        },
    ),
    "starter": About(
        gettext_lazy("Who starts a round"),
        {
            "chosen": gettext_lazy("Whoever the table chooses"),
            "engine_player": gettext_lazy("Whoever lays the engine"),
            "rotate": gettext_lazy("The next player, clockwise"),
        },
    ),
    "first_turn": About(
        gettext_lazy("First turn"),
        {
            "normal": gettext_lazy("Like any other turn"),
            "own_single": gettext_lazy("One tile, your own train only"),
            "own_whole": gettext_lazy("A whole train, your own only"),
        },
    ),
    "first_turn_draw": About(
        gettext_lazy("No tile to start with"),
        {True: gettext_lazy("Draw one"), False: gettext_lazy("No draw: marker on")},
    ),
    "first_turn_out": About(
        gettext_lazy("Out on the first turn"),
        {
            "immediate": gettext_lazy("The round ends at once"),
            "finish_turn_one": gettext_lazy("All have their first turn"),
        },
    ),
    "mexican_start": About(
        gettext_lazy("The Mexican Train starts"),
        {
            "any_turn": gettext_lazy("In any turn"),
            "after_first_turn": gettext_lazy("From the second turn on"),
        },
    ),
    "drawn_tile": About(
        gettext_lazy("A drawn tile that fits"),
        {"must": gettext_lazy("Must be played"), "may": gettext_lazy("May be kept")},
    ),
    "draw_again_after_double": About(
        gettext_lazy("A drawn double was played"),
        {True: gettext_lazy("Draw again for it"), False: gettext_lazy("One draw a turn")},
    ),
    "marker_off": About(
        gettext_lazy("After a tile on the own train"),
        {
            "auto": gettext_lazy("The marker comes off"),
            "optional": gettext_lazy("The marker may stay on"),
        },
    ),
    "doubles_per_turn": About(
        gettext_lazy("Doubles in one turn"),
        {None: gettext_lazy("As many as fit"), 1: gettext_lazy("One")},
    ),
    "after_double": About(
        gettext_lazy("After a double"),
        {
            "cover": gettext_lazy("Cover it at once"),
            "anywhere": gettext_lazy("One more tile, anywhere"),
            "anywhere_or_first": gettext_lazy("One more tile; after two doubles, on the first"),
        },
    ),
    "close_order": About(
        gettext_lazy("Several open doubles"),
        {
            "oldest": gettext_lazy("Oldest first"),
            "newest": gettext_lazy("Newest first"),
            "any": gettext_lazy("Close in any order"),
        },
    ),
    "dead_double_released": About(
        gettext_lazy("A double that no tile is left for"),
        {True: gettext_lazy("Binds nobody any more"), False: gettext_lazy("Stays open")},
    ),
    "out_on_double": About(
        gettext_lazy("Going out on a double"),
        {True: gettext_lazy("Allowed"), False: gettext_lazy("Not allowed")},
    ),
    "announce_last": About(
        gettext_lazy("With one tile left"),
        {True: gettext_lazy("Say so, or tap"), False: gettext_lazy("Nothing to say")},
    ),
    "double_blank": About(
        gettext_lazy("Double blank"),
        {
            0: gettext_lazy("0 points"),
            25: gettext_lazy("25 points"),
            50: gettext_lazy("50 points"),
        },
    ),
    "left_counts": About(
        gettext_lazy("Left in the hand"),
        {"pips": gettext_lazy("The pips count"), "tiles": gettext_lazy("Each tile counts 1")},
    ),
    "scoring": About(
        gettext_lazy("Who wins"),
        {
            "penalty": gettext_lazy("Fewest points"),
            "positive": gettext_lazy("Most points: going out earns the others’ tiles"),
        },
    ),
    "tiebreaks": About(
        gettext_lazy("A tie"),
        {
            ("zero_rounds", "lowest_nonzero"): gettext_lazy("Most rounds out, then the lowest other round"),
            ("zero_rounds",): gettext_lazy("Most rounds out"),
            ("lowest_nonzero", "zero_rounds"): gettext_lazy("The lowest round above 0, then most rounds out"),
            ("lowest_nonzero",): gettext_lazy("The lowest round above 0"),
            (): gettext_lazy("The place is shared"),
        },
    ),
    "blank_half": About(
        gettext_lazy("Each blank half left"),
        {
            0: gettext_lazy("Nothing extra"),
            5: gettext_lazy("5 points"),
            25: gettext_lazy("25 points"),
        },
    ),
    "doubles_twice": About(
        gettext_lazy("A double left"),
        {True: gettext_lazy("Counts twice"), False: gettext_lazy("Counts once")},
    ),
    "out_bonus": About(
        gettext_lazy("Going out"),
        {
            0: gettext_lazy("Nothing extra"),
            5: gettext_lazy("5 points off"),
            10: gettext_lazy("10 points off"),
        },
    ),
    "blocked_cap": About(
        gettext_lazy("Lowest hand in a blocked round"),
        {True: gettext_lazy("Scores 0"), False: gettext_lazy("Counts as it is")},
    ),
    "open_marker": About(
        gettext_lazy("A marker still on"),
        {0: gettext_lazy("Nothing extra")},
    ),
}


class Line(NamedTuple):
    """One field of a card: `field` is its name, `source` a rule number, «our reading» or empty."""

    field: str
    label: Words
    text: Words
    source: Words = ""
    own: bool = False  # differs from the preset

    @property
    def reading(self) -> bool:
        """Whether the source is silent, so that this is ours."""
        return not self.own and bool(self.source) and self.source == our_reading()


def our_reading() -> str:
    return _("our reading")


def label(name: str) -> Words:
    return ABOUT[name].label


def values(name: str) -> tuple[object, ...]:
    """What may stand in a field, in the order people are shown it; none for one that may be left open."""
    field = FIELDS[name]
    if field.kind == "list":
        members = tuple(str(one) for one in field.choices)
        lists = [chosen for size in range(len(members), -1, -1) for chosen in permutations(members, size)]
        return tuple(lists)
    if field.kind == "int" and not field.optional:
        return tuple(range(field.least, field.most + 1))
    return field.choices


def choice(name: str, value: object) -> Words:
    """One value of a field in words."""
    if name == "max_pip":
        return set_name(value)
    words = ABOUT[name].choices
    for known, text in words.items():
        if known == value and isinstance(known, bool) == isinstance(value, bool):
            return text
    if name == "deal" and isinstance(value, int):
        return tiles(value)
    if isinstance(value, int):
        return points(value)
    return str(value)


def set_name(max_pip: object) -> str:
    """«Double-12»."""
    return _("Double-%(number)s") % {"number": max_pip}


def tiles(count: int) -> str:
    return ngettext("%(count)s tile", "%(count)s tiles", count) % {"count": number_format(count)}


def points(count: int) -> str:
    return ngettext("%(count)s point", "%(count)s points", count) % {"count": number_format(count)}


def players(count: int) -> str:
    return ngettext("%(count)s player", "%(count)s players", count) % {"count": number_format(count)}


def rounds(count: int) -> str:
    return ngettext("%(count)s round", "%(count)s rounds", count) % {"count": number_format(count)}


def source_words(rules: RuleSet, name: str) -> str:
    """Where the card has this value from: «A10», «our reading», or nothing for the table's own choice."""
    if name in OPTIONS or name in differences(rules):
        return ""  # the table's own choice
    return source(rules, name) or our_reading()


def choice_source(preset: str, name: str, value: object) -> str:
    """What stands behind a choice: the preset's own source for its value, else whose rule it is."""
    if name in OPTIONS:
        return ""
    if getattr(PRESETS[preset], name) == value:
        return SOURCES.get((preset, name)) or our_reading()
    numbers = (
        SOURCES.get((other, name)) for other, rules in PRESETS.items() if getattr(rules, name) == value
    )
    return " ".join(number for number in numbers if number)


def preset_name(rules: RuleSet) -> str:
    """«ThoughtCo», or «ThoughtCo, 2 changes» where the table plays it its own way."""
    name = str(PRESET_NAMES[rules.preset])
    changes = len([field for field in differences(rules) if field not in {"max_pip", "deal"}])
    if not changes:
        return name
    return ngettext("%(card)s, %(count)s change", "%(card)s, %(count)s changes", changes) % {
        "card": name,
        "count": number_format(changes),
    }


def line(rules: RuleSet, name: str, seats: int = 0) -> Line:
    """One field of a card; `seats` players are dealt to."""
    if name == "deal":
        dealt = rules.deal_for(seats)
        if dealt is None:
            return Line(name, label(name), _("The card gives none"))
        return Line(name, label(name), tiles(dealt), source_words(rules, name))
    own = name in differences(rules) and name != "max_pip"
    return Line(name, label(name), choice(name, getattr(rules, name)), source_words(rules, name), own)


def summary(rules: RuleSet) -> list[Line]:
    """The few lines that most tables look at, and each one in which the table differs from its card."""
    always = ("double_blank", "tiebreaks")
    own = [name for name in differences(rules) if name not in {*always, "max_pip", "deal"}]
    return [line(rules, name) for name in (*always, *own)]


def card(rules: RuleSet, seats: int) -> list[tuple[Words, list[Line]]]:
    """The whole card in words, by group; options that are off are left out."""
    return [
        (
            group.label,
            [
                line(rules, name, seats)
                for name in group.fields
                if name not in OPTIONS or name in differences(rules)
            ],
        )
        for group in GROUPS
    ]


# The set and the deal

# How many can play with a set that the card has no deal for.
ROOM: Mapping[int, int] = {6: 4, 9: 4, 12: 8, 15: 12, 18: 14}


def boneyard(rules: RuleSet, seats: int) -> int | None:
    """Tiles left in the boneyard after the deal; None where the card deals none for so many."""
    deal = rules.deal_for(seats)
    if deal is None:
        return None
    return tile_total(rules.max_pip) - deal * seats - (rules.engine == "set_aside")


def has_tiles(rules: RuleSet, max_pip: int, seats: int) -> bool:
    """Whether a set has tiles for so many: fewer than the card's largest table always have."""
    rules = replace(rules, max_pip=max_pip)
    if rules.deal is not None:
        return (boneyard(rules, seats) or 0) >= 0 and seats <= ROOM[max_pip]
    return seats <= max(DEALS[rules.preset].get(max_pip, {}), default=ROOM[max_pip])


def deal_words(rules: RuleSet, seats: int) -> tuple[str, str]:
    """What to say under the set: «Double-12 suits 5 players:», «12 tiles each, 31 in the boneyard.»"""
    deal, left = rules.deal_for(seats), boneyard(rules, seats)
    facts = {"set": set_name(rules.max_pip), "players": players(seats)}
    if deal is None or left is None:
        lead = _("%(card)s gives no deal for %(players)s with %(set)s.") % {
            **facts,
            "card": PRESET_NAMES[rules.preset],
            "set": _("double-%(number)s") % {"number": rules.max_pip},
        }
        return lead, _(
            "Agree how many tiles each draws, then start. "
            "Told below, the number also helps to check each round."
        )
    if left < 0:
        return (
            _("%(set)s is too small for %(players)s:") % facts,
            _("%(tiles)s each are more than it has.") % {"tiles": tiles(deal)},
        )
    lead = _("%(set)s suits %(players)s:") if rules.deal is None else _("%(set)s, %(players)s:")
    return lead % facts, _("%(tiles)s each, %(left)s in the boneyard.") % {
        "tiles": tiles(deal),
        "left": number_format(left),
    }
