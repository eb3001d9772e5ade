"""The rules by number: each rule of a source in our own plain words, and what we read where it is silent.

Knows language, the numbers of the presets' rules, and the address of a rule on the page of its preset. What a
field holds comes from the rule set itself, in the words of `rule_words`. Must not judge.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.engine.rules import DEALS, PRESETS, SOURCES
from games.rule_readings import ANCHORS
from games.rule_words import choice, set_name, tiles

Words = str | Promise

# The letter that a preset's rules are numbered with.
LETTERS: Mapping[str, str] = {"A": "thoughtco", "G": "gamerules", "W": "wikihow", "T": "tournament"}

WHENCE: Mapping[str, Words] = {
    "thoughtco": gettext_lazy("ThoughtCo / The Spruce (Arneson), read in translation"),
    "gamerules": gettext_lazy("GameRules.com, read in three translations"),
    "wikihow": gettext_lazy("wikiHow, read in translation"),
    "tournament": gettext_lazy("tournament sheets and Wikipedia, where they agree"),
}


class Rule(NamedTuple):
    """One rule of a source: `text`, and `more` paragraphs of it. `reading` is ours, where the source is
    silent or unclear. `variant`: the source only names it as another way to play.
    """

    title: Words
    text: Words
    reading: Words = ""
    variant: bool = False
    more: tuple[Words, ...] = ()


RULES: Mapping[str, Rule] = {
    "G1": Rule(
        gettext_lazy("Play every tile first"),
        gettext_lazy("Be the first to play every tile. Over all rounds, the lowest total wins."),
    ),
    "G2": Rule(
        gettext_lazy("How many play, with which set"),
        gettext_lazy(
            "2 to 4 players take a double-9 set, 2 to 8 a double-12 set, 9 to 12 a double-15 or double-18 "
            "set."
        ),
    ),
    "G3": Rule(
        gettext_lazy("What a set holds"),
        gettext_lazy("Double-9 has 55 tiles, 10 with each number. Double-12 has 91, 13 with each number."),
    ),
    "G4": Rule(
        gettext_lazy("Markers and the hub"),
        gettext_lazy(
            "Each player has one train marker. The hub in the middle has a slot for the engine, for the "
            "Mexican Train and for each player’s train."
        ),
    ),
    "G5": Rule(
        gettext_lazy("Set the engine aside"),
        gettext_lazy("The highest double goes into the hub before the shuffle, so nobody holds it."),
    ),
    "G6": Rule(
        gettext_lazy("How many tiles to draw"),
        gettext_lazy("%(deal)s"),
        gettext_lazy("Double-15 and double-18: %(read)s each. The page gives no number for these sets."),
    ),
    "G7": Rule(
        gettext_lazy("The boneyard and the hands"),
        gettext_lazy("The tiles that are left are the boneyard. Hands are kept secret or lie face up."),
    ),
    "G8": Rule(
        gettext_lazy("Choose who starts; play goes clockwise"),
        gettext_lazy("Choose who starts the round. Play goes clockwise."),
    ),
    "G9": Rule(
        gettext_lazy("Start with the engine’s number"),
        gettext_lazy(
            "A tile with the engine’s number starts your own train or the Mexican Train. Anybody may start "
            "the Mexican Train in any turn of their own, the first included."
        ),
    ),
    "G10": Rule(
        gettext_lazy("One tile a turn, on an open train"),
        gettext_lazy(
            "Play one tile a turn, doubles apart: on your own train, on the Mexican Train, or on another "
            "player’s train that has its marker on."
        ),
    ),
    "G11": Rule(
        gettext_lazy("Play if you can"),
        gettext_lazy("Whoever can play must play. No tile is held back for strategy."),
    ),
    "G12": Rule(
        gettext_lazy("Cannot play: draw one, then mark"),
        gettext_lazy(
            "Whoever cannot play draws one tile. If nothing can be played even then, the marker goes on the "
            "own train and the turn is over. After a tile on the own train the marker may be taken off."
        ),
        gettext_lazy("It comes off by itself, unless the record says that it stayed on."),
    ),
    "G13": Rule(
        gettext_lazy("With an empty boneyard, pass and mark"),
        gettext_lazy(
            "When the boneyard is empty, whoever cannot play passes and puts the marker on the own train."
        ),
    ),
    "G14": Rule(
        gettext_lazy("Announce the last tile"),
        gettext_lazy("With one tile left, say so, or tap. The page names no penalty."),
    ),
    "G15": Rule(
        gettext_lazy("When the round ends"),
        gettext_lazy(
            "The round ends when a player is out, on a double too, or when the boneyard is empty and nobody "
            "can play."
        ),
    ),
    "G16": Rule(
        gettext_lazy("The next engine is one lower"),
        gettext_lazy(
            "Each round’s engine is one lower than the one before. The double blank is the engine of the "
            "last round, so there are as many rounds as the set has doubles."
        ),
    ),
    "G17": Rule(
        gettext_lazy("Play on after a double"),
        gettext_lazy("After a double, play another tile: on it, or on any train that is open to you."),
    ),
    "G18": Rule(
        gettext_lazy("The last tile is a double, or nothing follows it"),
        gettext_lazy(
            "If the double was the last tile, the round ends. If there are tiles left but none fits, draw: "
            "play the drawn tile, or put the marker on."
        ),
    ),
    "G19": Rule(
        gettext_lazy("Cover an open double"),
        gettext_lazy(
            "While a double is open, with no tile played on it yet, every other train is closed to "
            "everybody. Whoever cannot cover it, even after a draw, puts the marker on."
        ),
    ),
    "G20": Rule(
        gettext_lazy("After several doubles, the first comes first"),
        gettext_lazy(
            "Two or more doubles may be played in a row. They close in the order they were laid, so the "
            "extra tile goes only on the first of them."
        ),
    ),
    "G21": Rule(
        gettext_lazy("Nothing follows a double: draw"),
        gettext_lazy(
            "If nothing can be played after the doubles, draw. A drawn double that fits is played, and then "
            "another tile is drawn."
        ),
    ),
    "G22": Rule(
        gettext_lazy("When a turn ends"),
        gettext_lazy("A turn ends with a tile that is no double, or when nothing can be played."),
    ),
    "G23": Rule(
        gettext_lazy("Open doubles close in the order laid"),
        gettext_lazy(
            "An open double binds everybody, whoever laid it included. Several close in the order in which "
            "they were laid."
        ),
    ),
    "G24": Rule(
        gettext_lazy("A dead double binds nobody"),
        gettext_lazy(
            "A double is dead when all other tiles with its number are on the table. It binds nobody any "
            "more."
        ),
    ),
    "G25": Rule(
        gettext_lazy("What the tiles left cost"),
        gettext_lazy(
            "An empty hand scores 0. All others score the pips left in the hand; the double blank counts "
            "%(blank)s."
        ),
    ),
    "G26": Rule(
        gettext_lazy("Variation: the newest double first"),
        gettext_lazy("As another way to play, several open doubles close in reverse order."),
        variant=True,
    ),
    "W1": Rule(
        gettext_lazy("The set and the deal"),
        gettext_lazy("The set is a double-12, 91 tiles. %(deal)s"),
    ),
    "W2": Rule(
        gettext_lazy("Whoever holds the engine opens"),
        gettext_lazy(
            "Whoever holds 12-12 opens round 1, whoever holds 11-11 round 2, and so on for 13 rounds. If "
            "nobody holds the engine, each player draws one tile, clockwise, until it is found."
        ),
    ),
    "W3": Rule(
        gettext_lazy("Touching ends match"),
        gettext_lazy(
            "Trains run out from the middle. Ends that touch have the same number; the first tile of a train "
            "has the engine’s."
        ),
    ),
    "W4": Rule(
        gettext_lazy("Draw until you can start"),
        gettext_lazy(
            "Whoever cannot start draws, until a tile has the engine’s number or can be played on the "
            "Mexican Train."
        ),
        gettext_lazy("One tile is drawn a turn."),
    ),
    "W5": Rule(
        gettext_lazy("Start your own train first"),
        gettext_lazy(
            "In your first turn, play on no other train and do not start the Mexican Train: your first tile "
            "starts your own train."
        ),
    ),
    "W6": Rule(
        gettext_lazy("Then anybody may start the Mexican Train"),
        gettext_lazy("After your first turn, any tile with the engine’s number may start the Mexican Train."),
    ),
    "W7": Rule(
        gettext_lazy("Cannot play: draw one, mark, pass"),
        gettext_lazy(
            "Whoever can play nowhere draws one tile. If there is still no play: say so, put the marker on "
            "and pass."
        ),
    ),
    "W8": Rule(
        gettext_lazy("When a turn ends; going out on a double"),
        gettext_lazy(
            "A turn ends with a tile that is no double, or with a pass and the marker on. Going out on a "
            "double is allowed."
        ),
    ),
    "W9": Rule(
        gettext_lazy("Cover an open double"),
        gettext_lazy(
            "A double that was left open binds the next player, even one who has a tile for the own train. "
            "Whoever cannot cover it draws; if that does not help, the player puts the marker on and passes, "
            "and it binds the one after. Several open doubles are covered in turn."
        ),
        gettext_lazy("In turn: the oldest first."),
    ),
    "W10": Rule(
        gettext_lazy("When the round ends, and what is left"),
        gettext_lazy(
            "The round ends when somebody is out, or when no tile can be played any more. The tiles left in "
            "the hands are penalty points. As written, the page counts tiles; it says nothing of the double "
            "blank."
        ),
        gettext_lazy(
            "The pips of these tiles count. The double blank costs nothing extra, unless the table chooses "
            "so."
        ),
    ),
    "W11": Rule(
        gettext_lazy("“Moves twice”"),
        gettext_lazy("What the page means by “moves twice” is not clear."),
        gettext_lazy("One tile covers one double and, unless it is a double too, ends the turn."),
    ),
    "W12": Rule(
        gettext_lazy("Variants"),
        gettext_lazy(
            "Other ways to play that the page names: a whole train in the first turn; one double a turn; "
            "only one open double at a time; playing to block others; whoever has the marker on may not "
            "build on the own train until the open double is covered; positive scoring, where whoever goes "
            "out gets the sum of the others’ pips, and several winners share it."
        ),
        variant=True,
    ),
    "A1": Rule(
        gettext_lazy("How many play"),
        gettext_lazy("2 to 14 players; 4 to 8 is best."),
    ),
    "A2": Rule(gettext_lazy("Which set, and how many tiles"), gettext_lazy("%(deal)s")),
    "A3": Rule(
        gettext_lazy("Whoever holds the engine starts"),
        gettext_lazy(
            "Whoever holds the engine lays it and starts. If nobody holds it, tiles are drawn until it is "
            "found, and whoever drew it starts. The next round has the next lower double; the 13th has the "
            "double blank."
        ),
    ),
    "A4": Rule(
        gettext_lazy("A whole train in the first turn"),
        gettext_lazy(
            "In the first turn only, lay as many tiles as you like on your own train, as long as they match."
        ),
    ),
    "A5": Rule(
        gettext_lazy("Out on the first turn: all have theirs"),
        gettext_lazy(
            "If somebody goes out on the first turn, the round ends after every player has had one turn."
        ),
    ),
    "A6": Rule(
        gettext_lazy("First turn: your own train or nothing"),
        gettext_lazy(
            "In the first turn, start your own train or pass, nothing else. Whoever cannot start puts the "
            "marker on and does not draw."
        ),
    ),
    "A7": Rule(
        gettext_lazy("The Mexican Train waits for the second turn"),
        gettext_lazy(
            "From the second turn on, anybody may start the Mexican Train. It is always open to everybody."
        ),
    ),
    "A8": Rule(
        gettext_lazy("One tile a turn, on an open train"),
        gettext_lazy(
            "From the second turn on, play one tile a turn: on your own train, on a train with its marker "
            "on, or on the Mexican Train."
        ),
    ),
    "A9": Rule(
        gettext_lazy("Cannot play: draw one"),
        gettext_lazy(
            "Whoever cannot play draws one tile. It may be played at once; if it is not, the marker goes on. "
            "When the boneyard is empty, the marker just goes on."
        ),
    ),
    "A10": Rule(
        gettext_lazy("Play on after a double"),
        gettext_lazy(
            "From the second turn on, a double must be followed by another tile in any legal position; if "
            "that is a double too, by a third, and so on. If nothing can follow, draw one tile; if that does "
            "not follow either, the marker goes on."
        ),
    ),
    "A11": Rule(
        gettext_lazy("Cover an open double"),
        gettext_lazy(
            "When a train ends in an open double, the next player must cover it, even where playing would "
            "not be allowed otherwise. If that cannot be done, one tile is drawn; if it does not cover the "
            "double, the marker goes on, and the next player must."
        ),
    ),
    "A12": Rule(
        gettext_lazy("When the round ends, and what is left"),
        gettext_lazy(
            "The round ends when somebody plays the last tile, or when nobody has a legal play. Whoever is "
            "out scores 0. All others score the pips left; the double blank counts %(blank)s."
        ),
    ),
    "A13": Rule(
        gettext_lazy("The fewest points win; ties"),
        gettext_lazy(
            "The fewest points win. In a tie, whoever has the most rounds of 0 points is ahead; if that is "
            "equal too, whoever has the lowest round other than 0."
        ),
    ),
    "T": Rule(
        gettext_lazy("Tournament rules"),
        gettext_lazy(
            "The engine is set aside before the deal, and each next one is one lower. The start goes round. "
            "%(deal)s"
        ),
        gettext_lazy("When the last tile is a double and the boneyard is empty, its player is out."),
        more=(
            gettext_lazy(
                "The first turn is like any other, and the Mexican Train may be started in any turn. Whoever "
                "cannot play draws one tile and plays it if it fits; if not, the marker goes on. It comes "
                "off by itself after a tile on the own train."
            ),
            gettext_lazy(
                "One double a turn. It is covered at once, on the double itself, by a tile from the hand or "
                "from one draw. Open doubles close in the order laid; a dead one binds nobody any more."
            ),
            gettext_lazy(
                "The round ends when somebody is out. Nobody goes out on a double that is not covered: one "
                "tile is drawn to cover it. Nothing has to be said with one tile left."
            ),
            gettext_lazy(
                "The pips left in the hand count, the double blank %(blank)s, and the fewest points win. In "
                "a tie, most rounds of 0 points, then the lowest round other than 0."
            ),
        ),
    ),
}


def rule_title(number: str) -> str:
    """A rule in a few words of ours; KeyError where there is no such rule.

    >>> rule_title("A11")
    'Cover an open double'
    """
    return str(RULES[number].title)


def rule_text(number: str) -> str:
    """What the source says there, in our words; `rule_reading` has what we add to it."""
    return " ".join(paragraphs(number))


def paragraphs(number: str) -> list[str]:
    """The same, a paragraph each."""
    facts = _facts(number)
    return [str(text) % facts for text in (RULES[number].text, *RULES[number].more)]


def rule_reading(number: str) -> str:
    """What we read where the source is silent or unclear, or nothing: never the source's own rule."""
    return str(RULES[number].reading) % _facts(number)


def preset_of(number: str) -> str:
    """The preset whose rules have this number."""
    return LETTERS[number[0]]


def numbers(preset: str) -> list[str]:
    """The numbers of a preset's rules, in their order."""
    return [number for number in RULES if preset_of(number) == preset]


def fields_of(number: str) -> list[str]:
    """The fields that the preset takes from this rule."""
    return [field for (_preset, field), source in SOURCES.items() if source == number]


def rule_address(
    preset: str, rule: str | None = None, field: str | None = None, code: str | None = None
) -> str:
    """The page of a preset's rules, at a rule; else at a field, for our reading or a table's own; else at
    what we read where a breach of this code has neither.

    >>> rule_address("thoughtco", "A11"), rule_address("thoughtco", field="close_order")
    ('/rules/thoughtco/#A11', '/rules/thoughtco/#close_order')
    >>> rule_address("thoughtco", code="no_match")
    '/rules/thoughtco/#the-table'
    """
    anchor = rule or field or ANCHORS.get(code or "")
    return reverse("rules", args=[preset]) + (f"#{anchor}" if anchor else "")


def _facts(number: str) -> dict[str, object]:
    """Numbers that the rules are told with, from the presets themselves."""
    preset = preset_of(number)
    read = DEALS[preset].get(18, {}) if number == "G6" else {}
    sets = [max_pip for max_pip in DEALS[preset] if not (preset == "gamerules" and max_pip > 12)]
    return {
        "deal": " ".join(deal_sentence(preset, max_pip) for max_pip in sets),
        "read": " ".join(tiles(count) for count in sorted(set(read.values()))),
        "blank": choice("double_blank", PRESETS[preset].double_blank),
    }


class Deal(NamedTuple):
    """Tiles each, for so many players: «5–6» and 12."""

    players: str
    tiles: int


def deal_rows(preset: str, max_pip: int) -> Sequence[Deal]:
    """The preset's deal of one set; numbers of players that are dealt alike stand together.

    >>> deal_rows("thoughtco", 12)[1]
    Deal(players='5–6', tiles=12)
    """
    rows = DEALS[preset].get(max_pip, {})
    found = []
    for count, same in groupby(sorted(rows), key=rows.__getitem__):
        seats = list(same)
        found.append(Deal(str(seats[0]) if len(seats) == 1 else f"{seats[0]}–{seats[-1]}", count))
    return found


def deal_sentence(preset: str, max_pip: int) -> str:
    """«Double-12: 15 tiles for 2–4 players, 12 for 5–6, 10 for 7–8.»"""
    first, *more = deal_rows(preset, max_pip)
    parts = [_("%(tiles)s tiles each for %(players)s players") % first._asdict()]
    parts += [_("%(tiles)s for %(players)s") % one._asdict() for one in more]
    return _("%(set)s: %(deal)s.") % {"set": set_name(max_pip), "deal": ", ".join(parts)}
