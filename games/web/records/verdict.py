"""The verdict of a record, and the round turn by turn: one page, wherever the record is kept.

Knows the page. Must not judge: the engine did; sentences are `record_words`, `turn_words`, `record_right`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.attached import as_kept
from games.clash_words import Line, clash_told
from games.engine.moves import Draw, Lay
from games.engine.proof import Proof, proven
from games.engine.record import Record, RecordError
from games.engine.replay import Replay, Violation
from games.engine.suits import halves
from games.engine.tiles import Tile
from games.messages import Message, number
from games.record_names import Named, shown
from games.record_right import Right, left_of, rights
from games.record_table import TableView, table_view
from games.record_words import Whose, breach, note, own_field, whose
from games.rule_book import WHENCE, rule_address, rule_title
from games.rule_words import PRESET_NAMES, preset_name
from games.services import Refused
from games.shared_records import budget, record_judged, work_counted
from games.templatetags.tiles import marker_letters
from games.turn_words import start_words, turn_words
from games.web.access import address
from games.web.device import DeviceRequest
from games.web.records.check import check_page

PAGE = "records/verdict.html"
MOST_TILES = 40  # that are named one by one in what a hand cannot hold


class Banner(NamedTuple):
    """The verdict: its kind ("legal", "unfinished", "illegal", "impossible"), a word and a line."""

    kind: str
    word: str
    line: str


class Broken(NamedTuple):
    """The rule that is broken: the words of the link, where it leads, whose rule it is."""

    text: str
    address: str
    source: str


class Wrong(NamedTuple):
    """Everything that is said about the violation."""

    said: Message
    clash: list[Line]
    rights: list[Right]
    broken: Broken | None
    line: int
    quoted: str


class Noted(NamedTuple):
    text: str
    turn: int


class ScoreRow(NamedTuple):
    seat: int
    letters: str
    name: str
    points: str
    out: bool
    tiles: tuple[Tile, ...]


class Shown(NamedTuple):
    """What is proven of one hand, as it is shown: numbers that it cannot have, and single tiles."""

    seat: int
    letters: str
    name: str
    held: int
    must: tuple[Tile, ...]
    whole: bool
    none_of: list[int]
    cannot: list[str]
    more: int


@dataclass(frozen=True, slots=True)
class Steps:
    """Where the page stands, and where it can go; None: nowhere."""

    turn: int
    last: int
    turns: int

    @property
    def before(self) -> int | None:
        return self.turn - 1 if self.turn else None

    @property
    def after(self) -> int | None:
        return self.turn + 1 if self.turn < self.last else None

    @property
    def is_last(self) -> bool:
        return self.turn == self.last


def verdict_page(
    request: DeviceRequest,
    record_text: str,
    *,
    here: str,
    back: str,
    title: str,
    share: str = "",
    change: str = "",
    template: str = PAGE,
    more: Mapping[str, Any] | None = None,
) -> HttpResponse:
    """The page of a record. `here` is its address without a query, `back` where its arrow leads.

    `share` and `change` are addresses, if it has them. Another `template` extends records/verdict.html and
    fills its block `record_actions` with what is in `more`. The query holds `turn`, `open` (a train whose
    tiles are all shown) and `proves` ("all" that is told, or the "turns" so far).
    """
    try:
        found = record_judged(text=record_text, address=address(request))
    except RecordError as error:
        return check_page(request, record_text, given=True, problems=error.problems)
    except Refused:
        return render(request, "records/later.html", {"back": back, "title": title}, status=429)
    steps = steps_of(found, request.GET.get("turn", ""))
    page: dict[str, Any] = {
        "here": here,
        "back": back,
        "title": title,
        "share": share,
        "change": change,
        **page_of(found, steps, record_text, unfolded=request.GET.get("open", "")),
        **(more or {}),
    }
    proves = request.GET.get("proves", "")
    if proves in ("all", "turns"):
        page |= proof_of(request, found, steps, proves)
    part = f"{PAGE}#proof" if proves and request.htmx else "records/step.html" if request.htmx else template
    response = render(request, part, page)
    patch_vary_headers(response, ["HX-Request"])
    patch_cache_control(response, private=True, no_cache=True)
    return response


def steps_of(found: Replay, asked: str) -> Steps:
    """The turn that is asked for; else the violation, else the last turn."""
    turns = len(found.record.turns)
    last = found.turns if found.violation is None else found.violation.turn or found.turns
    turn = int(asked) if asked.isascii() and asked.isdecimal() and len(asked) < 7 else last
    return Steps(min(turn, last), last, turns)


def page_of(found: Replay, steps: Steps, text: str, *, unfolded: str = "") -> dict[str, Any]:
    """What the template needs for this turn."""
    record, violation = found.record, found.violation
    at_breach = violation is not None and steps.is_last
    view = _table(found, steps, at_breach=at_breach, unfolded=unfolded)
    pips = [record.rules.max_pip, *(max(tile.inner, tile.outer) for row in view.rows for tile in row.tiles)]
    return {
        "found": found,
        "steps": steps,
        "view": view,
        "rules_name": rules_name(record),
        "rules_address": rule_address(record.rules.preset),
        "yard_words": yard_words(view.boneyard),
        "banner": banner(found),
        "done": _done(found, steps, at_breach=at_breach),
        "wrong": _wrong(found, violation, text) if violation is not None and at_breach else None,
        "notes": [
            Noted(note(record, one), _turn_of(one.params))
            for one in found.notes
            if steps.is_last or _turn_of(one.params) == steps.turn
        ],
        "scores": score_rows(found) if found.verdict == "legal" and steps.is_last else [],
        "next_up": _next_up(found) if found.verdict == "unfinished" and steps.is_last else "",
        "hidden": _has_hidden(record),
        "most_pips": 18 if max(pips) > 12 else 12,
    }


def _table(found: Replay, steps: Steps, *, at_breach: bool, unfolded: str) -> TableView:
    violation = found.violation
    if violation is None or not at_breach or not violation.turn:
        return table_view(found.record, steps.turn, unfolded=unfolded)
    turn = found.record.turns[violation.turn - 1]
    refused = turn.actions[violation.action - 1] if violation.action else None
    return table_view(
        found.record,
        violation.turn,
        found.actions,
        refused,
        tried=found.verdict == "impossible",
        unfolded=unfolded,
    )


def _done(found: Replay, steps: Steps, *, at_breach: bool) -> str:
    if not steps.turn:
        return start_words(found.record)
    if at_breach and found.violation is not None and found.violation.turn:
        return turn_words(found.record, steps.turn, found.actions)
    return turn_words(found.record, steps.turn)


def rules_name(record: Record) -> str:
    """«ThoughtCo», and that the table has rules of its own."""
    return str(preset_name(record.rules))


def yard_words(count: int) -> str:
    text = ngettext("%(count)s in the boneyard", "%(count)s in the boneyard", count)
    return text % {"count": number(count)} if count else _("the boneyard is empty")


def banner(found: Replay) -> Banner:
    record, violation = found.record, found.violation
    if violation is None:
        turns = len(record.turns)
        if found.verdict == "legal":
            text = ngettext(
                "The one turn is fine, and the end too.", "All %(turns)s turns are fine, and the end.", turns
            )
            return Banner("legal", _("By the rules"), text % {"turns": number(turns)})
        if not turns:
            return Banner("unfinished", _("Not over yet"), _("No turn is written yet."))
        text = ngettext(
            "The one turn so far is by the rules.", "All %(turns)s turns so far are by the rules.", turns
        )
        return Banner("unfinished", _("Not over yet"), text % {"turns": number(turns)})
    where = _where(record, violation, found.turns)
    if found.verdict == "impossible":
        return Banner("impossible", _("No deal explains this"), where)
    return Banner("illegal", _("Not by the rules"), where)


def _where(record: Record, violation: Violation, turns: int) -> str:
    """«Turn 10, Ben. Turns 1 to 9 are fine.»"""
    about = {"turn": number(violation.turn), "line": number(violation.line), "turns": number(turns)}
    if violation.turn:
        about["who"] = Named(record).player(record.turns[violation.turn - 1].player)
        said = _("Turn %(turn)s, %(who)s.") % about
    elif turns:
        said = _("The end, line %(line)s.") % about
    else:
        return _("Line %(line)s, before the first turn.") % about
    if turns:
        said += " " + ngettext("Turn 1 is fine.", "Turns 1 to %(turns)s are fine.", turns) % about
    return said


def _wrong(found: Replay, violation: Violation, text: str) -> Wrong:
    record = found.record
    lines = as_kept(text).split("\n")
    quoted = lines[violation.line - 1].strip() if 0 < violation.line <= len(lines) else ""
    return Wrong(
        breach(record, violation),
        clash_told(record, violation.clash),
        rights(found),
        broken(record, violation),
        violation.line,
        shown(quoted, most=90),
    )


def broken(record: Record, violation: Violation) -> Broken | None:
    """The broken rule in our words, and whose it is; None where the record contradicts itself."""
    preset = record.rules.preset
    about = {"source": PRESET_NAMES[preset]}
    match whose(record, violation):
        case Whose.SOURCE:
            rule = str(violation.rule)
            text = _("Rule %(rule)s: %(title)s") % {"rule": rule, "title": rule_title(rule)}
            return Broken(
                text, rule_address(preset, rule), _("Source: %(whence)s.") % {"whence": WHENCE[preset]}
            )
        case Whose.OWN:
            field = own_field(record, violation)
            text = _("A rule of this table’s own")
            return Broken(
                text, rule_address(preset, field=field), _("It is not the one of %(source)s.") % about
            )
        case Whose.READING:
            text = _("Our reading: the rule page does not say")
            link = rule_address(preset, code=violation.code)
            return Broken(text, link, _("The rules are those of %(source)s, which is silent here.") % about)
    return None


def _turn_of(params: Mapping[str, object]) -> int:
    turn = params.get("turn")
    return turn if isinstance(turn, int) else 0


def _next_up(found: Replay) -> str:
    player = found.state.player
    if player is None:
        return ""
    return _("It is %(who)s’s turn.") % {"who": Named(found.record).player(player)}


def _has_hidden(record: Record) -> bool:
    if None in record.hands:
        return True
    return any(isinstance(one, Draw) and one.number is None for turn in record.turns for one in turn.actions)


def _people(record: Record) -> list[tuple[int, str, str, str]]:
    """Seat, letters, name and id of each player."""
    names = [Named(record).player(player) for player in record.players]
    letters = marker_letters(names)
    return [(at, letters[at - 1], names[at - 1], player) for at, player in enumerate(record.players, start=1)]


def score_rows(found: Replay) -> list[ScoreRow]:
    """The points of a round that is over, and the tiles behind them as far as they are known."""
    scores = found.scores or {}
    state = found.state
    rows = []
    for seat, letters, name, player in _people(found.record):
        points = scores.get(player)
        out = found.record.ended != "blocked" and player in state.out
        tiles = tuple(left_of(found, player))
        rows.append(ScoreRow(seat, letters, name, "–" if points is None else number(points), out, tiles))
    return rows


# What hidden hands prove


def proof_of(request: DeviceRequest, found: Replay, steps: Steps, by: str) -> dict[str, Any]:
    """What is proven of each hand after the turn that is shown (before it, where it is the breach)."""
    record = found.record
    after = min(steps.turn, found.turns)
    try:
        with work_counted(address(request)):
            proofs = proven(record, after, None if by == "all" else after, budget=budget(record))
    except Refused:
        return {
            "proves": by,
            "proof_fault": _("Much was checked here in this minute. Wait a little, then ask again."),
        }
    if proofs is None:
        return {
            "proves": by,
            "proof_fault": _("No deal explains all that is told, so nothing follows from it."),
        }
    laid = _laid(record, after)
    top = record.rules.max_pip
    rows = [
        _shown(seat, letters, name, proofs[player], laid, top)
        for seat, letters, name, player in _people(record)
    ]
    return {"proves": by, "proofs": rows, "proof_turn": after}


def _laid(record: Record, after: int) -> set[tuple[int, int]]:
    actions = (one for turn in record.turns[:after] for one in turn.actions)
    laid = {halves(one.number) for one in actions if isinstance(one, Lay)}
    return laid | {(record.engine, record.engine)}


def _shown(seat: int, letters: str, name: str, proof: Proof, laid: set[tuple[int, int]], top: int) -> Shown:
    """The tiles that a hand cannot hold, as numbers where it has none of a number."""
    cannot = {(tile.high, tile.low) for tile in proof.cannot}
    numbers = []
    for pip in range(top + 1):
        suit = {(max(pip, other), min(pip, other)) for other in range(top + 1)} - laid
        if suit and suit <= cannot:
            numbers.append(pip)
    single = [f"{high}-{low}" for high, low in sorted(cannot) if high not in numbers and low not in numbers]
    whole = len(proof.must) == proof.count
    return Shown(
        seat,
        letters,
        name,
        proof.count,
        proof.must,
        whole,
        numbers,
        single[:MOST_TILES],
        max(0, len(single) - MOST_TILES),
    )
