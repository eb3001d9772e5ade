"""The rules of a preset: its card field by field, beside another's if wished, then its rules by number.

Knows what the page's addresses carry: the other side, the number of players, only what differs, the way back;
and where a card is taken from here to be played by.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import Resolver404, resolve, reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from games import rule_book, rule_words, selectors
from games.engine.rules import PRESETS, RuleSet
from games.rule_readings import readings
from games.services import MAX_PLAYERS, MIN_PLAYERS
from games.web.access import opened
from games.web.device import DeviceRequest
from games.web.rule_cards import card_tables, differing, options_off, readings_of
from games.web.way_back import way_back

STANDARD = "thoughtco"


@dataclass(frozen=True, slots=True)
class Side:
    """One card of the page. `use` leads to a new game by it, or to the set-up it was opened from."""

    code: str
    name: str
    whence: str
    alone: str
    use: str


@require_safe
def which_rules(request: DeviceRequest) -> HttpResponse:
    """Where the form leads that chooses the sides, since a form cannot choose a path."""
    asked = request.GET.dict()
    preset = asked.pop("preset", STANDARD)
    if preset not in PRESETS:
        raise Http404
    return redirect(_address(preset, asked))


@require_safe
@cache_control(private=True, no_cache=True)
@vary_on_headers("Referer")
def rules(request: DeviceRequest, preset: str) -> HttpResponse:
    beside = request.GET.get("beside", "")
    if preset not in PRESETS or (beside and beside not in PRESETS):
        raise Http404
    cards = [PRESETS[name] for name in dict.fromkeys((preset, beside)) if name]
    seats = _seats(request.GET.get("players", ""))
    only = len(cards) > 1 and "only" in request.GET
    back = way_back(request, reverse("which_rules"))
    tables = card_tables(cards, seats)
    rows = [row for table in tables for row in table.rows]
    kept = {"players": str(seats or ""), "back": back.carried}
    beside_kept = {"beside": beside, **kept, "only": "" if only else "1"}
    new, draft = _set_up(request, back.carried)
    context = {
        "back": back.address,
        "sides": [_side(card, _address(card.preset, kept), new) for card in cards],
        "draft": draft,
        "presets": rule_words.PRESET_NAMES.items(),
        "kept": {name: value for name, value in kept.items() if value},
        "tables": differing(tables) if only else tables,
        "options": [] if only else options_off(cards),
        "differs": sum(row.differs for row in rows),
        "fields": len(rows),
        "only": only,
        "other": _address(preset, beside_kept),
        "books": [_book(card, alone=len(cards) == 1) for card in cards],
        "most_pips": 0,
    }
    return render(request, "games/rules.html", context)


def _seats(text: str) -> int:
    """How many players the page is opened for, or 0."""
    number = int(text) if text.isascii() and text.isdecimal() and len(text) < 3 else 0
    return number if MIN_PLAYERS <= number <= MAX_PLAYERS else 0


def _address(preset: str, query: Mapping[str, str]) -> str:
    told = urlencode([(name, value) for name, value in query.items() if value])
    return reverse("rules", args=[preset]) + (f"?{told}" if told else "")


def _side(card: RuleSet, alone: str, new: str) -> Side:
    return Side(
        code=card.preset,
        name=str(rule_words.PRESET_NAMES[card.preset]),
        whence=str(rule_book.WHENCE[card.preset]),
        alone=alone,
        use=f"{new}{'&' if '?' in new else '?'}{urlencode({'rules': card.preset})}",
    )


def _set_up(request: DeviceRequest, back: str) -> tuple[str, str]:
    """The form that a card of this page is for, and how its draft on the device begins."""
    path, _mark, query = back.partition("?")
    try:
        found = resolve(path)
    except Resolver404:
        return reverse("new"), "new"
    again = request.GET.__class__(query).get("again", "")
    if found.url_name == "new" and again:
        return f"{path}?{urlencode({'again': again})}", f"new:{again}"
    if found.url_name == "set_up":
        access = opened(request, found.kwargs["slug"])
        if access is not None and access.may_score and not selectors.sheet_of(access.game).rounds:
            return path, f"g:{access.game.slug}:set-up:"
    return reverse("new"), "new"


def _book(card: RuleSet, *, alone: bool) -> dict[str, Any]:
    """A source's rules by number; on a page of its own also what it leaves to us."""
    book: dict[str, Any] = {
        "name": rule_words.PRESET_NAMES[card.preset],
        "rules": [_rule(number) for number in rule_book.numbers(card.preset)],
    }
    if alone:
        book |= {"silent": readings_of(card), "readings": readings(card)}
    return book


def _rule(number: str) -> dict[str, Any]:
    return {
        "number": number,
        "title": rule_book.rule_title(number),
        "paragraphs": rule_book.paragraphs(number),
        "reading": rule_book.rule_reading(number),
        "variant": rule_book.RULES[number].variant,
        "fields": [(name, rule_words.label(name)) for name in rule_book.fields_of(number)],
    }
