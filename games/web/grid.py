"""The board as a page shows it: rows, cells with their marks, the legend, whose start it is.

Knows the sheet, its log and the words for them. Must not know requests, or write.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.agreement_words import SIGNS, mark_keys, mark_words
from games.engine.standings import Row as TableRow
from games.messages import double, listed, number, signed
from games.models import Action, Challenge, LogEntry, Player, Status
from games.selectors import HandCell, Log, RoundSheet, Sheet, starter, takes_part
from games.web.changes import Change, change_words, saved_words
from games.web.doubts import Doubts, challenger_name, doubts_of
from games.web.people import Person, people
from games.web.titles import abandoned_words, game_title

By = Literal["place", "seat"]
MANY = 9  # players from which rows are low and the head shrinks
LISTED = 3  # cells that the legend names one by one
# What has no place among the changes of scores, nor in the notice beside Undo.
ASIDE = frozenset({Action.LINK_REPLACED, Action.CHALLENGED, Action.DELETED, Action.RESTORED})
NO_LOG = Log(entries=(), undo=None, redo=None)


class Cell(NamedTuple):
    """One score. `kind`: "score", "absent" (not in this round) or "next" (not yet entered)."""

    kind: str
    said: str
    number: int
    url: str = ""
    score: str = ""
    marks: str = ""
    more: str = ""


class Row(NamedTuple):
    person: Person
    url: str
    place: int | None
    total: str
    note: str
    retired: bool
    cells: tuple[Cell, ...]  # newest round first
    adjusted: str  # what penalties and bonuses add to the total, which no round shows
    unsure: str  # classes: what hangs on a dispute
    said: str  # the same in words for those who hear the board


class Column(NamedTuple):
    number: int
    engine: int
    url: str
    last: bool  # entered just now, as a whole
    unconfirmed: bool = False  # where a second person confirms each round
    record: str = ""  # the sign of what its record says
    record_words: str = ""


class Key(NamedTuple):
    """One line of the legend: the mark's sample, its meaning, which scores have it, who made it, when."""

    marks: str
    sample: str
    lead: str
    text: str = ""
    who: str = ""
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Start:
    """Who starts the coming round, and by which rule."""

    words: str
    why: str


@dataclass(frozen=True, slots=True)
class Notice:
    """What was done last, and what can be done about it: "undo", "redo" or nothing."""

    text: str
    action: str = ""


@dataclass(frozen=True, slots=True)
class Board:
    sheet: Sheet
    by: By
    title: str
    rows: tuple[Row, ...]
    columns: tuple[Column, ...]
    keys: tuple[Key, ...]
    many: bool
    start: Start | None
    notice: Notice | None
    undo: Change | None
    held: Change | None  # the decision at which Undo stops
    redo: Change | None
    news: str
    doubts: Doubts
    drafts_done: tuple[str, ...]

    @property
    def next_number(self) -> int | None:
        return self.sheet.next_number

    @property
    def open_number(self) -> int | None:
        """The round that the bar offers to enter: none once the game is finished."""
        return None if self.sheet.game.status == Status.FINISHED else self.sheet.next_number

    @property
    def engine(self) -> str:
        """The coming round's, in a word that does not break."""
        return "" if self.sheet.next_engine is None else unbroken(self.sheet.next_engine)

    @property
    def thousands(self) -> bool:
        """Some total needs the room of four figures."""
        return any(len(row.total) > 3 for row in self.rows)

    @property
    def draft(self) -> str:
        return draft_key(self.sheet.game.slug, self.open_number or 0)

    @property
    def state(self) -> str:
        """Under the title, once no round is to be entered."""
        played = {"count": len(self.sheet.rounds)}
        if self.sheet.game.abandoned_at is not None:
            return abandoned_words(self.sheet)
        text = (
            ngettext("Finished after %(count)s round", "Finished after %(count)s rounds", played["count"])
            if self.next_number
            else ngettext("%(count)s round played", "All %(count)s rounds played", played["count"])
        ) % played
        doubtful = sum(entry.disputed for entry in self.sheet.rounds)
        if not doubtful:
            return text
        doubt = ngettext("%(count)s round in doubt", "%(count)s rounds in doubt", doubtful)
        return f"{text} · {doubt % {'count': doubtful}}"


def board_of(sheet: Sheet, log: Log, by: By = "place") -> Board:
    names, who = sheet.names(), people(sheet.players)
    entries = {entry.number: entry for entry in log.entries}
    of_game = [entry for entry in log.entries if entry.action not in ASIDE]
    last = change_words(of_game[-1], entries, names) if of_game else None
    undo = None if log.undo is None else change_words(log.undo, entries, names)
    held = None if log.held is None else change_words(log.held, entries, names)
    redo = None if log.redo is None else change_words(log.redo, entries, names)
    marks, doubts = _marks(sheet, log, last), doubts_of(sheet)
    slug = sheet.game.slug
    by = by if sheet.rounds else "seat"
    return Board(
        sheet=sheet,
        by=by,
        title=game_title(sheet),
        rows=tuple(_rows(sheet, who, by, marks, doubts)),
        columns=tuple(
            Column(
                one.number,
                one.engine,
                reverse("round_sheet", args=[slug, one.number]),
                last=one.number == marks.last_round,
                unconfirmed=one.number in sheet.unconfirmed,
                record=SIGNS.get(one.record, ""),
                record_words=mark_words(one.record),
            )
            for one in _columns(sheet)
        ),
        keys=tuple(_keys(sheet, marks, last, names)),
        many=len(sheet.players) >= MANY,
        start=start_of(sheet),
        notice=_notice(last, undo, redo, entries, names),
        undo=undo,
        held=held,
        redo=redo,
        news=" ".join(filter(None, [news_of(sheet), doubts.lead if doubts.lines else ""])),
        doubts=doubts,
        drafts_done=tuple(draft_key(slug, entry.number) for entry in sheet.rounds),
    )


def unbroken(engine: int) -> str:
    """6‑6 with a hyphen at which no line breaks."""
    return double(engine).replace("-", "\u2011")


def draft_key(slug: str, number: int) -> str:
    return f"g:{slug}:r:{number}"


def _columns(sheet: Sheet) -> list[RoundSheet]:
    """The rounds, newest first; of a game without one, the first round's empty column."""
    if sheet.rounds or sheet.next_engine is None:
        return list(reversed(sheet.rounds))
    return [RoundSheet(1, sheet.next_engine, "", False, [], [], {})]


# Marks


@dataclass(frozen=True, slots=True)
class Marks:
    """Which cells carry which mark, by (round, seat)."""

    last: frozenset[tuple[int, int]]
    last_round: int | None  # a round entered as a whole: its head carries the mark, not each score
    corrected: Mapping[tuple[int, int], int]  # and the score before
    disputed: frozenset[int]  # rounds
    challenged: Mapping[tuple[int, int], Challenge]

    def of(self, number: int, seat: int, hand: HandCell) -> tuple[str, str]:
        """The classes of a cell, and the same in words for those who hear the board."""
        classes, words = [], []
        if hand.out:
            classes.append("out")
            words.append(_("went out"))
        if (number, seat) in self.corrected:
            classes.append("corrected")
            words.append(_("corrected, was %(before)s") % {"before": self.corrected[number, seat]})
        if number in self.disputed:
            classes.append("doubt")
            words.append(_("in doubt"))
        if (number, seat) in self.challenged:
            classes += [] if number in self.disputed else ["doubt"]
            words.append(_disputed_words(self.challenged[number, seat]))
        if (number, seat) in self.last:
            classes.append("last")
            words.append(_("last change"))
        return " ".join(classes), "".join(f", {word}" for word in words)


def _disputed_words(challenge: Challenge) -> str:
    """«disputed, Ann says 15»"""
    if challenge.points is None:
        return _("disputed by %(who)s") % {"who": challenger_name(challenge)}
    facts = {"who": challenger_name(challenge), "points": challenge.points}
    if challenge.by_record:
        return _("disputed, a record says %(points)s") % facts
    return _("disputed, %(who)s says %(points)s") % facts


def _marks(sheet: Sheet, log: Log, last: Change | None) -> Marks:
    present = {(entry.number, seat) for entry in sheet.rounds for seat in entry.hands}
    cells = [cell for cell in (last.cells if last else ()) if (cell.number, cell.seat) in present]
    whole = bool(cells) and all(cell.before is None for cell in cells)
    return Marks(
        last=frozenset() if whole else frozenset((cell.number, cell.seat) for cell in cells),
        last_round=cells[0].number if whole else None,
        corrected={cell: before for cell, before in log.corrected().items() if cell in present},
        disputed=frozenset(entry.number for entry in sheet.rounds if entry.disputed),
        challenged={(one.round_number, one.seat): one for one in sheet.pending},
    )


def _rows(sheet: Sheet, who: Mapping[int, Person], by: By, marks: Marks, doubts: Doubts) -> Iterable[Row]:
    table = {row.seat: row for row in sheet.table}
    players = {player.seat: player for player in sheet.players}
    order = list(table) if by == "place" and sheet.rounds else list(players)
    best = sheet.table[0]
    shared = len(sheet.table) > 1 and sheet.table[1].place == 1
    columns = _columns(sheet)
    for seat in order:
        row = table[seat]
        yield Row(
            person=who[seat],
            url=reverse("player", args=[sheet.game.slug, seat]),
            place=row.place if sheet.rounds else None,
            total=str(row.total).replace("-", "−"),  # ungrouped: the column is narrow
            note=_note(sheet, row, best, shared, pending=seat in doubts.totals | doubts.places),
            retired=row.retired,
            cells=tuple(_cell(sheet, players[seat], column, marks) for column in columns),
            adjusted=adjusted_words(players[seat]),
            unsure=_unsure(seat, doubts),
            said=_unsure_words(seat, doubts),
        )


def _unsure(seat: int, doubts: Doubts) -> str:
    classes = {"unsure": doubts.places, "unsure-total": doubts.totals}
    return " ".join(name for name, seats in classes.items() if seat in seats)


def _unsure_words(seat: int, doubts: Doubts) -> str:
    if seat in doubts.totals:
        return _("total and place pending") if seat in doubts.places else _("total pending")
    return _("place pending") if seat in doubts.places else ""


def adjusted_words(player: Player) -> str:
    """«+20», the sum of all that was added apart from the rounds; "" if nothing was."""
    points = [one["points"] for one in player.adjustments]
    return signed(sum(points)) if points else ""


def _note(sheet: Sheet, row: TableRow, best: TableRow, shared: bool, *, pending: bool) -> str:
    """Under the name: «leads», or how far behind the leader, unless that hangs on a dispute."""
    return _("pending") if pending and sheet.rounds else _gap(sheet, row, best, shared)


def _gap(sheet: Sheet, row: TableRow, best: TableRow, shared: bool) -> str:
    if not sheet.rounds:
        return ""
    if row.retired:
        return _("left")
    if row.place == 1 and sheet.game.abandoned_at is not None:
        return ""
    if row.place == 1:
        return _("shares 1st") if shared else _("leads")
    gap = row.total - best.total
    return _("level") if gap == 0 else f"{'+' if gap > 0 else '−'}{number(abs(gap))}"


def _cell(sheet: Sheet, player: Player, column: RoundSheet, marks: Marks) -> Cell:
    said = _("%(name)s, round %(number)s, ") % {"name": player.name, "number": column.number}
    hand = column.hands.get(player.seat)
    if hand is not None:
        classes, words = marks.of(column.number, player.seat, hand)
        url = reverse("cell", args=[sheet.game.slug, column.number, player.seat])
        return Cell("score", said, column.number, url, str(hand.score), classes, words)
    if takes_part(player, column.number) and not column.hands:
        return Cell("next", said, column.number, more=_("not yet"))
    return Cell("absent", said, column.number, more=_("not in this round"))


# The legend


def _keys(sheet: Sheet, marks: Marks, last: Change | None, names: Mapping[int, str]) -> Iterable[Key]:
    if last is not None and last.entry.action != Action.STARTED:
        yield _last_key(sheet, marks, last)
    older = sorted(cell for cell in marks.corrected if cell not in marks.last)
    if older:
        at, seat = older[-1]
        yield Key("corrected", _score(sheet, at, seat), _("Corrected:"), _cells_listed(older, names))
    for entry in sheet.rounds:
        if entry.disputed:
            sample = number(max((hand.score for hand in entry.hands.values()), default=0))
            yield Key("doubt", sample, _("In doubt:"), _("round %(number)s") % {"number": entry.number})
    if marks.challenged:
        at, seat = min(marks.challenged)
        cells = _cells_listed(sorted(marks.challenged), names)
        yield Key("doubt", _score(sheet, at, seat), _("Disputed:"), cells)
    if waiting := sheet.unconfirmed:
        numbers = ngettext("round %(numbers)s", "rounds %(numbers)s", len(waiting))
        text = numbers % {"numbers": listed([number(one) for one in waiting])}
        yield Key("began", "○", _("Not confirmed yet:"), text)
    for key in mark_keys(sheet.record_marks):
        yield Key("began", key.sign, key.lead, key.rounds)
    if any(hand.out for entry in sheet.rounds for hand in entry.hands.values()):
        yield Key("out", "0", _("Went out"))
    if any(player.seat not in entry.hands for player in sheet.players for entry in sheet.rounds):
        yield Key("absent", "–", _("Not in this round"))
    yield from _apart_keys(sheet)


def _apart_keys(sheet: Sheet) -> Iterable[Key]:
    """What is in the totals and in no round: penalties and bonuses, and what late-comers began with."""
    adjusted = [player for player in sheet.players if player.adjustments]
    if adjusted:
        what = [
            _("%(name)s %(points)s, %(reason)s")
            % {"name": player.name, "points": signed(one["points"]), "reason": one["reason"]}
            for player in adjusted
            for one in player.adjustments
        ]
        if len(what) > LISTED:
            text = ngettext("%(count)s adjustment", "%(count)s adjustments", len(what))
            what = [text % {"count": len(what)}]
        yield Key("adjusted", adjusted_words(adjusted[0]), _("In the total, in no round:"), "; ".join(what))
    late = [
        _("%(name)s with %(total)s") % {"name": player.name, "total": number(player.start_total)}
        for player in sheet.players
        if player.start_total
    ]
    if late:
        yield Key("began", "→", _("Began:"), "; ".join(late))


def _last_key(sheet: Sheet, marks: Marks, last: Change) -> Key:
    lead, at = _("Last change:"), last.entry.at
    if marks.last_round is not None:
        sample = _("R%(number)s") % {"number": marks.last_round}
        return Key("last", sample, lead, last.title, last.who, at)
    cells = [cell for cell in last.cells if (cell.number, cell.seat) in marks.last]
    if not cells:
        return Key("", "", lead, last.title, last.who, at)
    round_number, seat = cells[0].number, cells[0].seat
    classes = "last corrected" if len(cells) == 1 and (round_number, seat) in marks.corrected else "last"
    if len(cells) > 1:
        sample = _("R%(number)s") % {"number": round_number}
        return Key(classes, sample, lead, last.title, last.who, at)
    text = _("%(name)s, round %(number)s") % {"name": cells[0].name, "number": round_number}
    if cells[0].before is not None:
        text = _("%(cell)s; it was %(before)s.") % {"cell": text, "before": number(cells[0].before)}
    return Key(classes, _score(sheet, round_number, seat), lead, text, last.who, at)


def _score(sheet: Sheet, at: int, seat: int) -> str:
    entry = sheet.round(at)
    return number(entry.hands[seat].score) if entry and seat in entry.hands else ""


def _cells_listed(cells: list[tuple[int, int]], names: Mapping[int, str]) -> str:
    if len(cells) > LISTED:
        return ngettext("%(count)s score", "%(count)s scores", len(cells)) % {"count": len(cells)}
    return "; ".join(
        _("%(name)s, round %(number)s") % {"name": names[seat], "number": at} for at, seat in cells
    )


# The lines above the table


def start_of(sheet: Sheet) -> Start | None:
    """Who lays the first tile of the coming round, as the card says."""
    number, engine, rules = sheet.next_number, sheet.next_engine, sheet.rules
    if number is None or engine is None:
        return None
    tile = {"tile": unbroken(engine)}
    if rules.engine == "dealt":
        holder = _("Whoever holds %(tile)s lays it.") % tile
        both = _("Whoever holds %(tile)s lays it and starts.") % tile
        why = _("The engine is dealt with the other tiles. If nobody holds it, it is drawn for.")
    else:
        holder = _("Set %(tile)s aside.") % tile
        both = _("Set %(tile)s aside. Choose who starts.") % tile
        why = _("The engine is laid in the middle before the tiles are mixed, so nobody holds it.")
    if rules.starter == "engine_player":
        return Start(both, why)
    if rules.starter == "rotate":
        name = starter_name(sheet, number)
        start = _("%(name)s starts.") % {"name": name}
        why = f"{why} {_('The start goes round the table, one seat further each round.')}"
    else:
        start = _("Choose who starts.")
        why = f"{why} {_('The table chooses who starts.')}"
    return Start(f"{holder} {start}", why)


def starter_name(sheet: Sheet, number: int) -> str:
    return sheet.names()[starter(sheet, number)]


def _notice(
    last: Change | None,
    undo: Change | None,
    redo: Change | None,
    entries: Mapping[int, LogEntry],
    names: Mapping[int, str],
) -> Notice | None:
    if last is None:
        return None
    if last.entry.action == Action.STARTED:
        return Notice(_("Game started. %(name)s sits first.") % {"name": next(iter(names.values()))})
    text = saved_words(last.entry, entries, names)
    if last.entry.action == Action.UNDONE and redo is not None:
        return Notice(text, "redo")
    return Notice(text, "undo" if undo is not None else "")


def news_of(sheet: Sheet) -> str:
    """What the watched board says when something changed: «Round 7 is in. Ann leads by 16.»"""
    if sheet.game.abandoned_at is not None:
        return _("%(what)s.") % {"what": abandoned_words(sheet)}
    if not sheet.rounds:
        return ""
    entered = _("Round %(number)s is in.") % {"number": len(sheet.rounds)}
    return f"{entered} {lead_of(sheet)}"


def lead_of(sheet: Sheet) -> str:
    """«Ann leads by 16.»"""
    first = [row for row in sheet.table if row.place == 1]
    names = sheet.names()
    if len(first) > 1:
        return _("%(who)s lead.") % {"who": listed([names[row.seat] for row in first])}
    next_one = sheet.table[1] if len(sheet.table) > 1 and not sheet.table[1].retired else first[0]
    behind = abs(next_one.total - first[0].total)
    leads = _("%(who)s leads by %(gap)s.") if behind else _("%(who)s leads.")
    return leads % {"who": names[first[0].seat], "gap": number(behind)}
