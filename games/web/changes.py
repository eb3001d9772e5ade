"""Log entries in words: what was done, by whom, and from which value to which.

Knows the states that services write into the log. Must not know how a change is undone, or the game's rules.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from games.messages import Names, double, listed, number, signed
from games.models import Action, LogEntry, Role, Ruling


@dataclass(frozen=True, slots=True)
class CellChange:
    """One hand that an entry changed; None where there was, or is now, no such hand."""

    number: int
    seat: int
    name: str
    before: int | None
    after: int | None


@dataclass(frozen=True, slots=True)
class Change:
    """One log entry: `title` says what was done, `notes` what changed besides scores."""

    entry: LogEntry
    who: str
    title: str
    cells: tuple[CellChange, ...]
    notes: tuple[str, ...]

    @property
    def new_cells(self) -> bool:
        """The entry put a whole round there, so that no cell had a value before."""
        return bool(self.cells) and all(cell.before is None for cell in self.cells)

    @property
    def gone_cells(self) -> bool:
        return bool(self.cells) and all(cell.after is None for cell in self.cells)


def who_words(entry: LogEntry) -> str:
    if entry.who:
        return entry.who
    return _("scorer link") if entry.role == Role.SCORER else _("watch link")


def change_words(
    entry: LogEntry, entries: Mapping[int, LogEntry], names: Names, laid: Collection[int] = ()
) -> Change:
    """`entries` by number: an undo names what it undid. `laid`: challenges that came with a record."""
    return Change(
        entry=entry,
        who=who_words(entry),
        title=title(entry, entries, names),
        cells=tuple(cell_changes(entry, names)),
        notes=(*_notes(entry), *_said(entry, names), *_laid(entry, laid)),
    )


def title(entry: LogEntry, entries: Mapping[int, LogEntry], names: Names) -> str:
    """«Round 7 entered», «Ben, round 6, corrected», «Undone: round 7 entered»."""
    at = {"number": entry.round_number}
    match entry.action:
        case Action.ROUND_RECORDED:
            return _("Round %(number)s entered") % at
        case Action.ROUND_CORRECTED:
            return _corrected(entry, names)
        case Action.ROUND_REMOVED:
            return _("Round %(number)s taken back") % at
        case Action.UNDONE | Action.REDONE:
            target = entries.get(entry.target or 0)
            text = _("Undone: %(what)s") if entry.action == Action.UNDONE else _("Done again: %(what)s")
            return text % {"what": title(target, entries, names) if target else entry.target}
        case Action.PLAYER_JOINED | Action.PLAYER_CHANGED | Action.ADJUSTED | Action.ADJUSTMENT_GONE:
            words = [text for _rank, text in sorted(set(_people(entry)))]
            return "; ".join(words) or str(Action(entry.action).label)
        case Action.CHALLENGED | Action.RULED:
            return _dispute(entry, names)
        case Action.DECIDED:
            return _decided(entry, names)
        case Action.RECORD_ATTACHED | Action.RECORD_REMOVED:
            return _record(entry)
        case Action.CONFIRMED:
            return _("Round %(number)s confirmed") % at
        case Action.LINK_REPLACED:
            return _link(entry.after["link"])
    return str(Action(entry.action).label)


def _link(role: str) -> str:
    if role == Role.SCORER:
        return _("Link to keep score stopped, new one made")
    if role == Role.SEAT:
        return _("Link for own hands stopped, new one made")
    return _("Link to watch stopped, new one made")


def _record(entry: LogEntry) -> str:
    attached = entry.action == Action.RECORD_ATTACHED
    text = _("Record attached to round %(number)s") if attached else _("Record taken off round %(number)s")
    return text % {"number": entry.round_number}


def _corrected(entry: LogEntry, names: Names) -> str:
    who = [change.name for change in cell_changes(entry, names)]
    if len(who) != 1:
        return _("Round %(number)s corrected") % {"number": entry.round_number}
    return _("%(who)s, round %(number)s, corrected") % {"who": who[0], "number": entry.round_number}


def _dispute(entry: LogEntry, names: Names) -> str:
    """«Ben, round 6, disputed: 15 instead of 51», «Ben, round 6, ruled: 51 stays»."""
    (data,) = entry.after["challenges"].values()
    facts = {
        "who": names.get(data["seat"]) or _("Seat %(seat)s") % {"seat": data["seat"]},
        "number": data["round_number"],
        "was": number(data["was"]),
        "points": number(data["points"]),
    }
    if entry.action == Action.CHALLENGED and data["points"] is None:
        text = _("%(who)s, round %(number)s, disputed: %(was)s")
    elif entry.action == Action.CHALLENGED:
        text = _("%(who)s, round %(number)s, disputed: %(points)s, not %(was)s")
    elif data["ruling"] == Ruling.DISMISSED:
        text = _("%(who)s, round %(number)s, ruled on: %(was)s stays")
    else:
        text = _("%(who)s, round %(number)s, ruled on: the dispute is right")
    return text % facts


def _laid(entry: LogEntry, laid: Collection[int]) -> Iterable[str]:
    if entry.action == Action.CHALLENGED and any(int(key) in laid for key in entry.after["challenges"]):
        yield _("With a record of the round")


def _decided(entry: LogEntry, names: Names) -> str:
    """«Ben, round 6, decided by the club», «Round 6 decided by the club: it stands»."""
    if not entry.after.get("rounds"):
        return _("Round %(number)s decided by the club: it stands") % {"number": entry.round_number}
    who = [change.name for change in cell_changes(entry, names)]
    if len(who) != 1:
        return _("Round %(number)s decided by the club") % {"number": entry.round_number}
    return _("%(who)s, round %(number)s, decided by the club") % {
        "who": who[0],
        "number": entry.round_number,
    }


def _people(entry: LogEntry) -> Iterable[tuple[int, str]]:
    """What became of whom, the weightier first: «Dan joined in round 7», «Ben is now Bea»."""
    for seat, after in entry.after.get("seats", {}).items():
        before = entry.before["seats"][seat]
        if before is None:
            yield 0, _joined(after)
            continue
        if before["name"] != after["name"]:
            yield 1, _("%(before)s is now %(after)s") % {"before": before["name"], "after": after["name"]}
        if before["to_round"] != after["to_round"]:
            yield 2, _left_or_back(after)
        if before["order"] != after["order"] and entry.action != Action.PLAYER_JOINED:
            yield 3, _("Places at the table changed")
        yield from ((4, text) for text in _adjustments(before, after))


def _joined(after: dict[str, Any]) -> str:
    if after["from_round"] == 1:
        return _("%(name)s joined") % {"name": after["name"]}
    return _("%(name)s joined in round %(number)s") % {"name": after["name"], "number": after["from_round"]}


def _left_or_back(after: dict[str, Any]) -> str:
    if after["to_round"] is None:
        return _("%(name)s is back") % {"name": after["name"]}
    if not after["to_round"]:
        return _("%(name)s left") % {"name": after["name"]}
    return _("%(name)s left after round %(number)s") % {"name": after["name"], "number": after["to_round"]}


def _adjustments(before: dict[str, Any], after: dict[str, Any]) -> Iterable[str]:
    for one in after["adjustments"]:
        if one not in before["adjustments"]:
            yield f"{after['name']}: {signed(one['points'])}"
    for one in before["adjustments"]:
        if one not in after["adjustments"]:
            yield _("%(name)s: %(points)s taken back") % {
                "name": after["name"],
                "points": signed(one["points"]),
            }


def saved_words(entry: LogEntry, entries: Mapping[int, LogEntry], names: Names) -> str:
    """The notice after a change, beside «Undo» or «Redo»."""
    if entry.action == Action.ROUND_RECORDED:
        return _("Round %(number)s saved.") % {"number": entry.round_number}
    if entry.action == Action.PLAYER_JOINED:
        return " ".join(
            _("%(what)s.") % {"what": words} for words in (title(entry, entries, names), *_notes(entry))
        )
    cells = list(cell_changes(entry, names))
    if (
        entry.action in (Action.ROUND_CORRECTED, Action.RULED, Action.DECIDED)
        and len(cells) == 1
        and cells[0].before is not None
    ):
        text = _("%(who)s, round %(number)s: now %(after)s, was %(before)s.")
        if entry.action == Action.DECIDED:
            text = _("%(who)s, round %(number)s, decided by the club: now %(after)s, was %(before)s.")
        return text % {
            "who": cells[0].name,
            "number": cells[0].number,
            "after": cells[0].after,
            "before": cells[0].before,
        }
    return _("%(what)s.") % {"what": title(entry, entries, names)}


def cell_changes(entry: LogEntry, names: Names) -> Iterable[CellChange]:
    """Every hand whose score the entry changed, by round and seat."""
    for key, after in entry.after.get("rounds", {}).items():
        before = entry.before.get("rounds", {}).get(key)
        old, new = _scores(before), _scores(after)
        for seat in sorted(old.keys() | new.keys()):
            if old.get(seat) != new.get(seat):
                name = names.get(seat) or _("Seat %(seat)s") % {"seat": seat}
                yield CellChange(int(key), seat, name, old.get(seat), new.get(seat))


def _scores(data: dict[str, Any] | None) -> dict[int, int]:
    return {} if data is None else {hand["seat"]: hand["score"] for hand in data["hands"]}


def _notes(entry: LogEntry) -> Iterable[str]:
    for key, after in entry.after.get("rounds", {}).items():
        before = entry.before.get("rounds", {}).get(key)
        if after is None or before is None:
            yield from _round_notes({}, after or {})
        else:
            yield from _round_notes(before, after)
    if entry.action == Action.RECORD_ATTACHED and any(entry.before["records"].values()):
        yield _("In the place of another")
    if entry.action == Action.ROUND_RECORDED and "records" in entry.after:
        yield _("With its record")
    if entry.action == Action.PLAYER_JOINED:
        for after in entry.after["seats"].values():
            if after["start_total"]:
                yield _("%(name)s starts with %(total)s") % {
                    "name": after["name"],
                    "total": number(after["start_total"]),
                }
    if entry.action == Action.ADJUSTMENT_GONE:
        for seat, before in entry.before["seats"].items():
            left = entry.after["seats"][seat]["adjustments"]
            gone = [one["reason"] for one in before["adjustments"] if one not in left]
            yield from (_("It was for: %(reason)s") % {"reason": reason} for reason in gone)
    if "players" in entry.after:
        yield _("Players: %(names)s") % {"names": listed(entry.after["players"])}


def _said(entry: LogEntry, names: Names) -> Iterable[str]:
    """Whose hands came from their own phones, and what those said if it was not what was saved."""
    said = entry.after.get("said", {})
    if not said:
        return
    told = [names.get(int(seat), seat) for seat in said]
    yield _("From own phones: %(names)s") % {"names": listed(told)}
    data = entry.after.get("rounds", {}).get(str(entry.round_number)) or {"hands": []}
    for hand in data["hands"]:
        points = said.get(str(hand["seat"]))
        if points is not None and points != hand["points"]:
            name = names.get(hand["seat"], hand["seat"])
            yield _("%(name)s’s phone said %(points)s") % {"name": name, "points": number(points)}


def _round_notes(before: dict[str, Any], after: dict[str, Any]) -> Iterable[str]:
    if not after:
        return
    if before and before["engine"] != after["engine"]:
        yield _("Engine %(after)s, was %(before)s") % {
            "after": double(after["engine"]),
            "before": double(before["engine"]),
        }
    if after["ended"] != before.get("ended", "out"):
        yield _("The round was blocked") if after["ended"] == "blocked" else _("Somebody went out")
    if after["disputed"] != before.get("disputed", False):
        yield _("Saved as disputed") if after["disputed"] else _("No longer disputed")
    if before and before["hands"] != after["hands"] and _scores(before) == _scores(after):
        yield _("The same scores, told otherwise")
