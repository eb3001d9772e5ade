"""Which rule a breach breaks: a code of notation.md and a rule set give the rule's number, or None.

Knows the four presets' rule numbers. None where the source is silent, where the table chose the rule itself,
and where no rule of the game is broken but the record contradicts itself. Must not know sentences.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from games.engine.rules import PRESETS, RuleSet

Sources = tuple[str | None, str | None, str | None, str | None]
_PRESET_ORDER = ("gamerules", "wikihow", "thoughtco", "tournament")

# code, or code and circumstance → the field that decides it, and where each preset has it from.
BREACHES: Mapping[str, tuple[str | None, Sources]] = MappingProxyType(
    {
        "out_of_turn": (None, ("G8", None, None, None)),
        "not_in_set": ("max_pip", ("G3", "W1", "A2", "T")),
        "already_laid engine": ("engine", ("G5", None, None, "T")),
        "no_match": (None, (None, "W3", None, None)),
        "own_train_first": ("first_turn", (None, "W5", "A6", None)),
        "mexican_not_yet": ("mexican_start", (None, "W5", "A7", None)),
        "one_double": ("doubles_per_turn", (None, None, None, "T")),
        "must_cover": (None, ("G19", "W9", "A11", "T")),
        "must_cover own": ("after_double", ("G20", None, None, "T")),
        "wrong_double": ("close_order", ("G23", "W9", None, "T")),
        "wrong_double own": ("after_double", ("G20", None, None, "T")),
        "cover_on_double": ("after_double", (None, None, None, "T")),
        "train_closed": (None, ("G10", None, "A8", None)),
        "turn_over": (None, ("G22", "W8", "A8", None)),
        "turn_over first": ("first_turn", ("G10", "W8", None, "T")),
        "no_draw": (None, ("G12", "W7", "A9", "T")),
        "no_draw first": ("first_turn_draw", (None, None, "A6", None)),
        "no_draw again": ("draw_again_after_double", (None, None, None, "T")),
        "yard_empty": (None, ("G13", None, "A9", None)),
        "must_play": (None, ("G11", "W7", "A9", None)),
        "must_play bound": (None, ("G19", "W9", "A11", "T")),
        "must_play_drawn": ("drawn_tile", ("G11", None, None, "T")),
        "must_follow_double": ("after_double", ("G17", None, "A10", "T")),
        "must_draw": (None, ("G12", "W7", "A9", "T")),
        "must_draw double": (None, ("G21", "W8", "A10", "T")),
        "marker": (None, ("G12", "W7", "A9", "T")),
        "marker off": ("marker_off", ("G12", None, None, "T")),
        "round_over": (None, ("G15", "W10", "A12", None)),
        "not_out": (None, ("G15", "W10", "A12", None)),
        "not_out double": ("out_on_double", ("G15", "W8", "A12", "T")),
        "not_out first": ("first_turn_out", ("G15", "W10", "A5", None)),
        "not_blocked": (None, ("G15", "W10", "A12", None)),
        "score": ("left_counts", ("G25", "W10", "A12", None)),
    }
)


def rule_of(code: str, rules: RuleSet, circumstance: str = "") -> str | None:
    """The number of the rule that is broken, in the preset's own numbering.

    >>> from games.engine.rules import rule_set
    >>> rule_of("must_cover", rule_set()), rule_of("wrong_double", rule_set("gamerules"), "own")
    ('A11', 'G20')
    >>> rule_of("wrong_double", rule_set("gamerules", close_order="newest")) is None
    True
    """
    found = BREACHES.get(f"{code} {circumstance}".strip()) or BREACHES.get(code)
    if found is None:
        return None
    field, sources = found
    if field is not None and getattr(rules, field) != getattr(PRESETS[rules.preset], field):
        return None
    return sources[_PRESET_ORDER.index(rules.preset)]
