"""How we read the rules together: what the referee does where the fields of a rule set meet.

Knows language and rule sets. None of it is a source's own words. Must not judge: `engine.table` does what is
said here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.engine.rules import RuleSet


class Reading(NamedTuple):
    """One ruling: its anchor on the page, a title, and what holds under the rule set."""

    anchor: str
    title: str
    text: str


# Where the page tells of a breach that has no number and no field of its own.
ANCHORS = {
    "out_of_turn": "the-table",
    "no_match": "the-table",
    "already_laid": "the-table",
    "train_closed": "the-table",
    "turn_over": "turns",
    "must_play": "turns",
    "must_draw": "draws",
    "no_draw": "draws",
    "yard_empty": "draws",
    "must_cover": "open-doubles",
    "marker": "markers",
    "round_over": "the-end",
    "not_out": "the-end",
    "not_blocked": "the-end",
}


def readings(rules: RuleSet) -> list[Reading]:
    """Every ruling that these rules have a use for, those that no rule set can do without first."""
    return [Reading(anchor, title, " ".join(text)) for anchor, title, text in _readings(rules) if text]


def _readings(rules: RuleSet) -> Iterator[tuple[str, str, list[str]]]:
    yield "the-table", _("What goes without saying"), _the_table()
    yield "the-engine", _("The engine"), _the_engine(rules)
    yield "one-train", _("The first turn, on the own train"), _one_train(rules)
    yield "turns", _("How a turn ends"), _turns(rules)
    yield "draws", _("Drawing"), _draws(rules)
    yield "open-doubles", _("Doubles of earlier turns"), _open_doubles(rules)
    yield "own-doubles", _("Doubles of this turn"), _own_doubles(rules)
    yield "dead-doubles", _("A double that is dead when laid"), _dead(rules)
    yield "last-double", _("The last tile is a double"), _last_double(rules)
    yield "markers", _("When the marker moves"), _markers(rules)
    yield "the-end", _("When the round ends"), _the_end(rules)


def _the_table() -> list[str]:
    return [
        _("Turns go clockwise."),
        _("Ends that touch have the same number, and each tile is there once."),
        _("A train without its marker is open to its own player only."),
    ]


def _the_engine(rules: RuleSet) -> list[str]:
    if rules.engine == "set_aside":
        return [_("The engine is set aside: nobody can hold or lay it.")]
    return [
        _(
            "Whoever holds the engine lays it before the first turn, and then has a first turn like all "
            "others."
        ),
        _(
            "If nobody had it and nobody looked for it, it comes from the boneyard, which is then one "
            "smaller."
        ),
    ]


def _one_train(rules: RuleSet) -> list[str]:
    if rules.first_turn == "normal":
        return []
    said = [_("In the first turn only the own train counts, and open doubles do not bind.")]
    if rules.first_turn == "own_whole":
        said += [
            _("At least one tile is laid if one fits."),
            _("After that the player may stop at any tile, at a double too, and cannot draw."),
            _("A double that such a train ends in binds from the second turn on, its first player first."),
        ]
        if rules.doubles_per_turn is not None:
            said.append(_("One double a turn holds here too."))
    return said


def _turns(rules: RuleSet) -> list[str]:
    said = [_("Whoever can play plays: a draw or a pass is for whoever cannot.")]
    if rules.first_turn == "own_whole":
        said.append(_("From the second turn on, one tile that is no double ends the turn, always."))
    else:
        said.append(_("One tile that is no double ends the turn, always."))
    return said


def _draws(rules: RuleSet) -> list[str]:
    said = [_("A draw is for whoever cannot play, while the boneyard has tiles.")]
    if not rules.first_turn_draw:
        said.append(_("In the first turn nobody draws: whoever cannot start passes and puts the marker on."))
    if rules.drawn_tile == "may":
        said += [
            _("A drawn tile may be kept, one that was drawn for a double too."),
            _("To keep it is a pass, and puts the marker on."),
            _("Only the tile just drawn may be kept: nothing else in the hand fitted before the draw."),
        ]
    else:
        said.append(_("A drawn tile that fits is played."))
    if not rules.draw_again_after_double:
        said.append(
            _(
                "There is one draw a turn: after a drawn double, the next tile comes from the hand, or the "
                "marker goes on."
            )
        )
    return said


ORDERS = {
    "oldest": gettext_lazy("They close in the order they were laid, the oldest first."),
    "newest": gettext_lazy("They close in reverse order, the newest first."),
    "any": gettext_lazy("Several may be covered in any order."),
}


def _open_doubles(rules: RuleSet) -> list[str]:
    return [
        _("Doubles that earlier turns left open come first: whoever can cover one must, on anybody’s train."),
        str(ORDERS[rules.close_order]),
        _("They bind whoever laid them, too, and players who have no train yet."),
        _("A train that is open for this alone stays closed otherwise."),
    ]


NEXT = {
    "oldest": gettext_lazy(
        "Where two or more doubles of the turn still bind, a tile that is no double goes only on the first "
        "of them."
    ),
    "newest": gettext_lazy(
        "Where two or more doubles of the turn still bind, a tile that is no double goes only on the last of "
        "them."
    ),
    "any": gettext_lazy(
        "Where two or more doubles of the turn still bind, a tile that is no double goes on one of them."
    ),
}


def _own_doubles(rules: RuleSet) -> list[str]:
    if rules.after_double == "cover":
        return [_("After a double, the next tile of the turn goes on that double.")]
    said = [
        _("To whoever lays a double, it closes no other train in the same turn."),
        _("The next tile goes on any train that is open to the player, the double’s own too."),
    ]
    if rules.after_double == "anywhere_or_first":
        said += [str(NEXT[rules.close_order]), _("Another double may go anywhere even then.")]
    return said


def _dead(rules: RuleSet) -> list[str]:
    if not rules.dead_double_released:
        return []
    if rules.after_double == "cover":
        return [
            _("If every other tile of its number is on the table when a double is laid, it ends the turn.")
        ]
    return [
        _(
            "Even if every other tile of its number is on the table when a double is laid, another tile must "
            "follow."
        ),
        _("Whoever cannot draws, and then puts the marker on."),
    ]


def _last_double(rules: RuleSet) -> list[str]:
    if rules.out_on_double:
        return [_("A player whose last tile is a double is out.")]
    said = [
        _(
            "A player whose last tile is a double is not out while a tile can be drawn: it is drawn, and "
            "play goes on."
        ),
        _("If none can be drawn, the player is out."),
    ]
    if rules.after_double == "cover":
        said.append(_("So is a player whose last double is dead when it is laid."))
    if rules.first_turn != "normal":
        said.append(_("In the first turn on one train, the player is out as well."))
    return said


def _markers(rules: RuleSet) -> list[str]:
    said = [_("The marker goes on when a turn ends without what was owed.")]
    if rules.marker_off == "auto":
        said.append(_("It comes off after any tile on the own train, one that covers a double there too."))
    else:
        said.append(
            _(
                "It comes off after any tile on the own train, one that covers a double there too, unless "
                "the record says that it stays on."
            )
        )
    said += [
        _("If the same turn ends without what was owed, it is on again."),
        _("Nothing else moves it: a tile of somebody else on that train does not."),
    ]
    return said


def _the_end(rules: RuleSet) -> list[str]:
    if rules.first_turn_out == "immediate":
        said = [_("The round ends with the turn in which somebody is out.")]
    else:
        said = [
            _("The round ends with the turn in which somebody is out, but not before all have had a turn.")
        ]
    said += [
        _(
            "It is blocked when the boneyard is empty and no tile of anybody fits, even with every train "
            "open and without the limits of a first turn. Open doubles bind here too."
        ),
        _(
            "Where hands are hidden, passes show it: since the last tile was laid, each such player has "
            "passed in a turn in which every other train was marked, no limit of the first turn held, and no "
            "drawn tile was kept."
        ),
        _("A block does not end a round by itself: passes after it are allowed."),
    ]
    return said
