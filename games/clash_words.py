"""Facts of a record that cannot all be true, in words that a player understands; many of a kind together.

Knows language. Must not find out what clashes: `engine.clash` did.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.engine.clash import Fact
from games.engine.moments import open_ends
from games.engine.moves import Draw
from games.engine.record import Record
from games.engine.suits import halves, tile_text
from games.messages import number
from games.record_names import Named, several

MOST_LINES = 8


def clash_lines(record: Record, facts: Sequence[Fact]) -> list[str]:
    """A line for each fact; if there are more than eight, one for all of a player's of a kind, or of a kind.

    >>> from games.engine.reading import parse_record
    >>> from games.engine.replay import replay
    >>> text = "rules: gamerules\\nset: 6\\nplayers: A, B, C\\ndeal: 9\\nengine: 6-6\\nA -\\nB -\\nC -"
    >>> found = replay(parse_record(text))
    >>> for line in clash_lines(found.record, found.violation.clash):
    ...     print(line)
    A passed at turn 1 while 6 was open on A’s train and the Mexican Train
    B passed at turn 2 while 6 was open on A’s train, B’s train and the Mexican Train
    C passed at turn 3 while 6 was open on A’s train, B’s train, C’s train and the Mexican Train
    """
    return [line.text for line in clash_told(record, facts)]


class Line(NamedTuple):
    """One line of a clash, and the turns that it tells of."""

    text: str
    turns: tuple[int, ...]


def clash_told(record: Record, facts: Sequence[Fact]) -> list[Line]:
    """The same lines, each with its turns, so that a page can lead to them."""
    if len(facts) <= MOST_LINES + 1:
        lines = _each(record, facts)
        if len(lines) <= MOST_LINES:
            return lines
    by_player = _grouped(facts, lambda fact: (_kind(fact), fact.player))
    if len(by_player) <= MOST_LINES:
        return [Line(_together(record, group), _turns(group)) for group in by_player]
    return [Line(_of_a_kind(record, group), _turns(group)) for group in _grouped(facts, _kind)]


def _turns(facts: Iterable[Fact]) -> tuple[int, ...]:
    return tuple(sorted({fact.turn for fact in facts if fact.turn}))


def _kind(fact: Fact) -> str:
    return "idle" if fact.kind in ("pass", "draw") else fact.kind


def _grouped(facts: Iterable[Fact], key: Callable[[Fact], object]) -> list[list[Fact]]:
    groups: dict[object, list[Fact]] = {}
    for fact in facts:
        groups.setdefault(key(fact), []).append(fact)
    return list(groups.values())


def _each(record: Record, facts: Sequence[Fact]) -> list[Line]:
    """One line a fact, a pass and the tile that was held at it in one."""
    lines = []
    told: set[Fact] = set()
    for fact in facts:
        if fact in told:
            continue
        later = _laid_later(record, fact, [one for one in facts if one not in told])
        if later is None:
            lines.append(Line(FACTS[fact.kind](record, fact), _turns([fact])))
            continue
        told.add(later)
        text = _("%(passed)s, drew nothing since, and laid %(tile)s at turn %(turn)s")
        about = {
            "passed": FACTS[fact.kind](record, fact),
            "tile": tile_text(later.tiles[0]),
            "turn": number(later.turn),
        }
        lines.append(Line(text % about, _turns([fact, later])))
    return lines


def _laid_later(record: Record, passed: Fact, facts: Sequence[Fact]) -> Fact | None:
    """The tile of these that the player laid after the pass without a draw, though it would have fitted."""
    if passed.kind != "pass":
        return None
    for fact in facts:
        if fact.kind == "lay" and fact.player == passed.player and set(fact.tiles) <= set(passed.tiles):
            between = record.turns[passed.turn : fact.turn]
            drew = any(
                isinstance(action, Draw)
                for turn in between
                if turn.player == passed.player
                for action in turn.actions
            )
            if fact.turn > passed.turn and not drew:
                return fact
    return None


def _tiles(tiles: Iterable[int], most: int = 12) -> str:
    return several([tile_text(tile) for tile in tiles], most)


def _hand(record: Record, fact: Fact) -> str:
    return _("%(who)s was dealt %(tiles)s") % {
        "who": Named(record).player(fact.player),
        "tiles": _tiles(fact.tiles),
    }


def _lay(record: Record, fact: Fact) -> str:
    return _("%(who)s laid %(tile)s at turn %(turn)s") % _about(record, fact)


def _drawn(record: Record, fact: Fact) -> str:
    return _("%(who)s drew %(tile)s at turn %(turn)s") % _about(record, fact)


def _about(record: Record, fact: Fact) -> dict[str, str]:
    return {
        "who": Named(record).player(fact.player),
        "turn": number(fact.turn),
        "tile": _tiles(fact.tiles),
    }


def _pass(record: Record, fact: Fact) -> str:
    about = _about(record, fact) | {"open": _open(record, fact)}
    return _("%(who)s passed at turn %(turn)s while %(open)s") % about


def _draw(record: Record, fact: Fact) -> str:
    about = _about(record, fact) | {"open": _open(record, fact)}
    return _("%(who)s drew at turn %(turn)s while %(open)s") % about


def _open(record: Record, fact: Fact) -> str:
    """«5 was open on Ann’s train and 3 on the Mexican Train», as far as tiles of the clash fitted there."""
    pips = {pip for tile in fact.tiles for pip in halves(tile)}
    names = Named(record)
    trains: dict[int, list[str]] = {}
    for train, pip in open_ends(record, fact.turn, fact.action):
        if pip in pips or not pips:
            trains.setdefault(pip, []).append(names.train(train))
    words = [
        _("%(pip)s was open on %(trains)s") % {"pip": pip, "trains": several(where, most=4)}
        for pip, where in trains.items()
    ]
    return several(words, most=4) or _("%(tiles)s fitted") % {"tiles": _tiles(fact.tiles)}


def _left(record: Record, fact: Fact) -> str:
    about = _about(record, fact)
    if not fact.tiles:
        return _("%(who)s has nothing left") % about
    return _("%(who)s has %(tile)s left") % about


def _score(record: Record, fact: Fact) -> str:
    return ngettext("%(who)s has %(points)s point", "%(who)s has %(points)s points", fact.points or 0) % {
        **_about(record, fact),
        "points": number(fact.points),
    }


FACTS: Mapping[str, Callable[[Record, Fact], str]] = {
    "hand": _hand,
    "lay": _lay,
    "drawn": _drawn,
    "pass": _pass,
    "draw": _draw,
    "left": _left,
    "score": _score,
}


def _together(record: Record, facts: Sequence[Fact]) -> str:
    """All facts of one kind of one player."""
    first = facts[0]
    if len(facts) == 1:
        return FACTS[first.kind](record, first)
    turns = sorted({fact.turn for fact in facts})
    about = {
        "who": Named(record).player(first.player),
        "tiles": _tiles(_union(facts)),
        "turns": several([number(turn) for turn in turns], most=8),
    }
    one = len(turns)
    match _kind(first):
        case "lay":
            text = ngettext(
                "%(who)s laid %(tiles)s at turn %(turns)s", "%(who)s laid %(tiles)s at turns %(turns)s", one
            )
        case "drawn":
            text = ngettext(
                "%(who)s drew %(tiles)s at turn %(turns)s", "%(who)s drew %(tiles)s at turns %(turns)s", one
            )
        case _:
            text = ngettext(
                "%(who)s drew or passed at turn %(turns)s, when some of %(tiles)s fitted",
                "%(who)s drew or passed at turns %(turns)s, each time when some of %(tiles)s fitted",
                one,
            )
    return text % about


def _of_a_kind(record: Record, facts: Sequence[Fact]) -> str:
    """All facts of one kind, whoever they are about."""
    players = list(dict.fromkeys(fact.player for fact in facts))
    if len(players) == 1:
        return _together(record, facts)
    names = Named(record)
    about = {
        "who": names.everyone(players),
        "tiles": _tiles(_union(facts)),
        "turns": several([number(turn) for turn in sorted({fact.turn for fact in facts})], most=8),
        "points": several([number(fact.points) for fact in facts]),
    }
    match _kind(facts[0]):
        case "hand":
            return _("%(who)s were dealt %(tiles)s among them") % about
        case "lay":
            return _("%(who)s laid %(tiles)s at turns %(turns)s") % about
        case "drawn":
            return _("%(who)s drew %(tiles)s at turns %(turns)s") % about
        case "left":
            return _("%(who)s have %(tiles)s left among them") % about
        case "score":
            return _("%(who)s have %(points)s points") % about
    return _("%(who)s drew or passed at turns %(turns)s, each time when some of %(tiles)s fitted") % about


def _union(facts: Iterable[Fact]) -> list[int]:
    return sorted({tile for fact in facts for tile in fact.tiles})
