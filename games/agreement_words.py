"""What came of holding a record against its round, in words: the heading, each difference, each refusal.

Knows language. Must not judge: `engine.agreement` found what is said here, and `record_words` tells a breach.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.engine.agreement import Agreement, Difference, Facts
from games.engine.errors import Problem
from games.messages import Message, double, listed, number, sentence
from games.record_names import Named, runs
from games.record_words import unread
from games.rule_words import choice, label, set_name

Names = Mapping[int, str]
# Beside a round's number: its record agrees, or does not; one that tells too little has none.
SIGNS: Mapping[str, str] = {"agrees": "✓", "differs": "≠", "broken": "≠"}


class Row(NamedTuple):
    """One thing on which they differ: what it is, then what each says."""

    what: str
    record: str
    round: str


class MarkKey(NamedTuple):
    """A sign beside rounds, and what it claims of which: «✓», «Every move …:», «rounds 1 and 4»."""

    sign: str
    lead: str
    rounds: str

    @property
    def text(self) -> str:
        facts = {"sign": self.sign, "lead": self.lead, "rounds": self.rounds}
        return _("%(sign)s\u00a0%(lead)s %(rounds)s.") % facts


def mark_keys(marks: Mapping[int, str]) -> list[MarkKey]:
    """What the signs claim, as far as one is used. `marks`: of each round that is in, its record's or ""."""
    leads = {
        "agrees": _("Every move and all points by the record:"),
        "differs": _("The record does not agree:"),
        "broken": _("The record is not by the rules:"),
    }
    keys = []
    for kind, lead in leads.items():
        marked = [at for at, mark in marks.items() if mark == kind]
        if marked:
            rounds = ngettext("round %(numbers)s", "rounds %(numbers)s", len(marked))
            keys.append(MarkKey(SIGNS[kind], lead, rounds % {"numbers": listed(runs(marked))}))
    return keys


def mark_words(mark: str) -> str:
    """The mark of a round as the board says it; "" where there is none."""
    return {
        "agrees": _("the record agrees"),
        "differs": _("the record differs"),
        "broken": _("the record is not by the rules"),
        "open": _("the record does not tell enough"),
    }.get(mark, "")


def heading(
    found: Agreement, facts: Facts, names: Names, *, written: bool = True, replayed: bool = False
) -> Message:
    """What a mark claims: all of it, and no more. `written`: the round is in; `replayed`: how the moves were
    is said beside it.
    """
    by_rules = "" if replayed else _("Every move is by the rules.")
    if found.mark == "agrees":
        rest = _("Every move is by the rules, and all points are as written.")
        return Message(_("The record agrees"), _("All points are as written.") if replayed else rest)
    if found.mark == "differs":
        return Message(_("The record and the round differ"), _scope(found, facts, names, by_rules))
    if facts.verdict == "impossible":
        return Message(_("No deal explains the record"), _("It proves no points of this round."))
    if found.mark == "broken":
        return Message(_("The record is not by the rules"), _("It proves no points of this round."))
    if not written and facts.ended is not None:
        return Message(_("The record can be entered"), by_rules)
    return Message(_("The record does not tell enough"), _scope(found, facts, names, by_rules))


def _scope(found: Agreement, facts: Facts, names: Names, by_rules: str) -> str:
    """What was not compared, and why; first what its moves were, if that is to be said."""
    if not found.same_round:
        return _("It is of other people, by other rules or of another engine: it proves nothing here.")
    if facts.ended is None:
        so_far = _("Every move is by the rules so far. It stops before the round is over.")
        return so_far if by_rules else _("It stops before the round is over.")
    said = [by_rules] if by_rules else []
    if found.hidden:
        hidden = listed([names[seat] for seat in found.hidden])
        said.append(_("It does not tell the points of %(names)s.") % {"names": hidden})
    if not facts.searched:
        said.append(_("Whether a deal explains it would take too long to find out."))
    return " ".join(said)


def rows(found: Agreement, facts: Facts, names: Names) -> list[Row]:
    """Every difference, both values beside each other."""
    said = Said(facts, names)
    return [said.row(one) for one in found.differences]


class Said:
    """Differences in words, with the names of both sides at hand."""

    def __init__(self, facts: Facts, names: Names) -> None:
        self.record = Named(facts.record)
        self.names = names

    def row(self, one: Difference) -> Row:
        if one.what == "rules":
            return Row(
                str(label(one.about)), str(choice(one.about, one.record)), str(choice(one.about, one.round))
            )
        if one.what == "player":
            return Row(self.record.player(one.about), _("plays"), _("nobody of this name"))
        name = "" if one.seat is None else self.names[one.seat]
        if one.what == "seat":
            return Row(name, _("not named"), _("plays"))
        what, say = SAYS[one.what]
        return Row(what() % {"name": name}, say(one.record), say(one.round))


def _tiles(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, Iterable) and value else _("none")


SAYS: Mapping[str, tuple[Callable[[], str], Callable[[object], str]]] = {
    "set": (lambda: _("Set"), set_name),
    "deal": (lambda: _("Tiles dealt"), number),
    "engine": (lambda: _("Engine"), lambda value: double(value) if isinstance(value, int) else ""),
    "ended": (lambda: _("How it ended"), lambda value: _("blocked") if value == "blocked" else _("out")),
    "out": (lambda: _("%(name)s went out"), lambda value: _("yes") if value else _("no")),
    "points": (lambda: _("%(name)s, points left"), number),
    "score": (lambda: _("%(name)s, what counts"), number),
    "tiles": (lambda: _("%(name)s, tiles left"), _tiles),
    "count": (lambda: _("%(name)s, how many tiles"), number),
    "marker": (lambda: _("%(name)s, marker"), lambda value: _("on") if value else _("off")),
}


def refusal(problem: Problem, names: Names) -> str:
    """Why a record is not attached, or gives no scores."""
    if problem.code in ("syntax", "header"):
        return unread(problem)
    say = REFUSALS.get(problem.code)
    if say is None:
        return sentence(problem, names)
    facts = {name: number(value) for name, value in problem.params.items()}
    return say() % {**facts, "names": listed([names[seat] for seat in problem.seats])}


REFUSALS: Mapping[str, Callable[[], str]] = {
    "record_none": lambda: _("Round %(number)s has no record."),
    "record_long": lambda: _("The record has %(given)s characters. Up to %(most)s can be kept with a round."),
    "record_scoreless": lambda: _("Only a record of a whole round, by its rules, gives scores."),
    "record_of_another": lambda: _(
        "The record is not of this round: players, rules, set, deal and engine have to be the same."
    ),
    "record_hides": lambda: _("The record does not tell the points of %(names)s."),
    "record_says": lambda: _("By the record %(names)s held %(points)s, not %(given)s."),
    "record_same": lambda: _("By the record %(names)s held %(points)s, as it is written."),
    "record_untold": lambda: _("The record of this round does not tell these points."),
}
