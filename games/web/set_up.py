"""What the set-up form shows, and what its buttons do to it: rows of names, the set, the card in words.

Knows the form as typed, right or not. Must not write.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext as _

from games import rule_words
from games.engine.rules import PRESETS, RuleSet
from games.engine.tiles import SETS
from games.forms import RULES, SetUpForm, code, follow_card, follow_players
from games.names import tidy
from games.rule_book import rule_address
from games.rule_words import Line, Words
from games.services import MAX_PLAYERS, MIN_PLAYERS
from games.templatetags.tiles import marker_letters
from games.web.device import Device

MOST_CHIPS = 9
SPARE_ROWS = 4  # blank rows for who cannot add them one by one: without script
Typed = MultiValueDict[str, Any]


@dataclass(frozen=True, slots=True)
class Row:
    """One place at the table: `shown` or still to be added, `optional` where a game can start without."""

    number: int
    value: str
    letters: str
    shown: bool
    fault: str
    moving: bool
    focus: bool

    @property
    def optional(self) -> bool:
        return self.number > MIN_PLAYERS


@dataclass(frozen=True, slots=True)
class Choice:
    code: str
    text: Words
    source: str
    chosen: bool
    standard: bool


@dataclass(frozen=True, slots=True)
class Option:
    """One field of the card to choose from; `source` is the preset's own."""

    name: str
    label: Words
    source: str
    choices: list[Choice]


@dataclass(frozen=True, slots=True)
class Group:
    label: Words
    options: list[Option]


@dataclass(slots=True)
class Steps:
    """What a button without a write has changed: which row is being moved, whether more rows are wanted."""

    moving: int = 0
    add: bool = False
    card: bool = False


def step(data: Typed, do: str, device: Device) -> Steps:
    """Do what a button of the form says, on the form itself: nothing is written anywhere else."""
    steps = Steps()
    rows = [str(name) for name in data.getlist("player")]
    action, _colon, rest = do.partition(":")
    place = int(rest) - 1 if rest.isascii() and rest.isdecimal() and len(rest) < 3 else -1
    if action == "chip" and tidy(rest):
        rows = [name for name in rows if tidy(name)] + [tidy(rest)]
    elif 0 <= place < len(rows):
        steps.moving = _move(rows, action, place)
    elif action in {"look", "add"}:
        steps.add = True
    steps.card = action == "card" or data.get("preset") != data.get("card_of", data.get("preset"))
    follow_card(data, keep_own=action != "card")
    if not steps.moving:
        rows = [name for name in rows if tidy(name)]
    data.setlist("player", rows[:MAX_PLAYERS] if action == "chip" else rows)
    follow_players(data, device.max_pip)
    return steps


def _move(rows: list[str], action: str, place: int) -> int:
    """Reorder the names; the number of the row whose buttons stay open, or 0."""
    to = {"up": place - 1, "down": place + 1, "first": 0, "move": place}.get(action)
    if action == "remove":
        rows.pop(place)
    if to is None:
        return 0
    to = min(max(to, 0), len(rows) - 1)
    rows.insert(to, rows.pop(place))
    return to + 1


def context(form: SetUpForm, steps: Steps, device: Device, *, told: bool = False) -> dict[str, Any]:
    """Everything the page shows; `told`: its faults too."""
    errors = form.errors if told else {}
    names, rules = form.names, form.rules()
    lead, rest = rule_words.deal_words(rules, max(MIN_PLAYERS, len(names)))
    return {
        "form": form,
        "errors": errors,
        "told": told,
        "rows": _rows(form, steps, told=told),
        "moving": steps.moving,
        "chips": _chips(names, device),
        "sets": [(number, number == rules.max_pip) for number in SETS],
        "enough": len(names) >= MIN_PLAYERS,
        "suits_lead": lead,
        "suits_rest": rest,
        "no_deal": rules.deal_for(max(MIN_PLAYERS, len(names))) is None,
        "facts": facts(rules, form),
        "presets": _presets(rules),
        "card_name": rule_words.PRESET_NAMES[rules.preset],
        "groups": _groups(rules),
        "compare": compare(rules, len(names)),
        "card_open": steps.card or any(name in errors for name in (*RULES, "first_engine", "rounds")),
        "more_open": any(name in errors or form.data.get(name) for name in ("name", "played_on", "who")),
        "starts": [_starts(count) for count in range(MAX_PLAYERS + 1)],
        "start": _starts(min(len(names), MAX_PLAYERS)),
        "held": len(names) < MIN_PLAYERS,
        "ask_who": not device.who,
        "most_pips": SETS[-1],
    }


def compare(rules: RuleSet, seats: int) -> str:
    """The page of the card's rules, beside another's."""
    other = next(name for name in PRESETS if name != rules.preset)
    query = {"beside": other} | ({"players": seats} if seats >= MIN_PLAYERS else {})
    return f"{rule_address(rules.preset)}?{urlencode(query)}"


def linked(groups: list[tuple[Words, list[Line]]], preset: str) -> list[tuple[Words, list[dict[str, Any]]]]:
    """A card in words, each line with the place on the page of its preset's rules that tells more."""
    return [
        (
            label,
            [
                {
                    **line._asdict(),
                    "reading": line.reading,
                    "address": rule_address(
                        preset, None if line.own or line.reading else str(line.source), line.field
                    ),
                }
                for line in lines
            ],
        )
        for label, lines in groups
    ]


def _starts(count: int) -> str:
    if count < MIN_PLAYERS:
        return _("Start the game")
    return _("Start with %(players)s") % {"players": rule_words.players(count)}


def _rows(form: SetUpForm, steps: Steps, *, told: bool) -> list[Row]:
    values = form.rows + [""] * (MAX_PLAYERS - len(form.rows))
    last = max((number for number, name in enumerate(values, start=1) if tidy(name)), default=0)
    shown = max(last + (SPARE_ROWS if steps.add else 1), MIN_PLAYERS + 1)
    faults = dict(form.row_faults) if told else {}
    short = told and len(form.names) < MIN_PLAYERS
    wanted = min(faults, default=last if steps.add or short else None)
    letters = iter(marker_letters(form.names))
    return [
        Row(
            number=number,
            value=value,
            letters=next(letters) if tidy(value) else "",
            shown=number <= shown,
            fault=faults.get(number - 1, ""),
            moving=number == steps.moving,
            focus=wanted == number - 1,
        )
        for number, value in enumerate(values, start=1)
    ]


def _chips(names: list[str], device: Device) -> list[tuple[str, bool]]:
    """Names this device has played with, and whether each is still to be had."""
    taken = {name.casefold() for name in names}
    free = [name for name in device.names if name.casefold() not in taken][:MOST_CHIPS]
    return [(name, name in free) for name in device.names if name in free or name.casefold() in taken]


def _presets(rules: RuleSet) -> list[dict[str, Any]]:
    return [
        {
            "code": name,
            "name": rule_words.PRESET_NAMES[name],
            "line": rule_words.PRESET_LINES[name],
            "chosen": name == rules.preset,
        }
        for name in PRESETS
    ]


def _groups(rules: RuleSet) -> list[Group]:
    return [
        Group(
            group.label,
            [_option(rules, name) for name in group.fields if name in RULES],
        )
        for group in rule_words.GROUPS
    ]


def _option(rules: RuleSet, name: str) -> Option:
    chosen = getattr(rules, name)
    return Option(
        name=name,
        label=rule_words.label(name),
        source=rule_words.source_words(PRESETS[rules.preset], name),
        choices=[
            Choice(
                code=code(value),
                text=rule_words.choice(name, value),
                source=rule_words.choice_source(rules.preset, name, value),
                chosen=code(value) == code(chosen),
                standard=code(value) == code(getattr(PRESETS[rules.preset], name)),
            )
            for value in rule_words.values(name)
        ],
    )


@dataclass(frozen=True, slots=True)
class Facts:
    """The house rules in short: the card, the first engine and rounds, and what tables ask about."""

    card: str
    engine: int
    rounds: str
    lines: list[Line]


def facts(rules: RuleSet, form: SetUpForm) -> Facts:
    engine = _number(form, "first_engine", rules.max_pip, most=rules.max_pip)
    rounds = _number(form, "rounds", engine + 1, most=engine + 1)
    return Facts(
        card=rule_words.preset_name(rules),
        engine=engine,
        rounds=rule_words.rounds(rounds),
        lines=rule_words.summary(rules),
    )


def _number(form: SetUpForm, name: str, default: int, *, most: int) -> int:
    text = str(form.data.get(name) or "")
    number = int(text) if text.isascii() and text.isdecimal() and len(text) < 4 else default
    return number if number <= most else default
