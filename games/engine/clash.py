"""Which facts of a record clash: a group that cannot all be true, and from which none can be spared.

Knows how facts are let go, and how those that are left are told. Must not know how a deal is found: it asks
`deals`, leaving facts out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from games.engine.deals import DRAW, LAY, Deals, Key
from games.engine.record import Left, Score
from games.engine.suits import BIT, numbers


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing a record tells, as far as it clashes with others.

    `kind`: "hand" (the dealt hand holds `tiles`), "lay" (laid this tile), "draw" and "pass" (held nothing
    that fitted; `tiles` are those of the clash that did fit), "drawn" (drew this tile), "left", "score"
    (`points`). `turn` and `action` are 0 for headers and end lines. Tiles are numbers.
    """

    kind: str
    player: str
    turn: int = 0
    action: int = 0
    line: int = 0
    tiles: tuple[int, ...] = ()
    points: int | None = None


def find_clash(deals: Deals, upto: int) -> tuple[Fact, ...]:
    """Facts of the first `upto` steps and lines that cannot all be true; without any one they could.

    Assumes that no deal explains them. Each fact of the hands is a tile; those of one hand come
    back as one fact. Once the budget of the search is spent no more facts are let go.

    >>> from games.engine.reading import parse_record
    >>> from games.engine.replay import deals_of
    >>> text = "set: 6\\nplayers: A, B, C\\ndeal: 9\\nengine: 6-6\\nrules: gamerules\\n1. A -\\n2. B -"
    >>> deals = deals_of(parse_record(text + "\\n3. C -"))
    >>> [(fact.kind, fact.player, fact.turn) for fact in find_clash(deals, 3)]
    [('pass', 'A', 1), ('pass', 'B', 2), ('pass', 'C', 3)]
    """
    deals.renew()
    core, concerned = _core(deals, upto)
    everything = set(keys_of(deals, upto))
    dropped = everything - set(core)
    if deals.exist(upto, dropped):  # points are in it, or the core was too small
        core, dropped = sorted(everything, key=_order), set()
    needed = list(core)
    for size in _halvings(len(needed)):
        at = 0
        while at < len(needed) and deals.budget.left > 0:
            part = needed[at : at + size]
            if deals.exist(upto, dropped.union(part)):
                at += size
            else:
                dropped.update(part)
                del needed[at : at + size]
    return _facts(deals, needed, concerned)


def keys_of(deals: Deals, upto: int) -> Iterable[Key]:
    """Every fact of the first `upto` steps and lines that can be left out."""
    for player, hand in enumerate(deals.record.hands):
        for number in numbers((hand or 0) & ~deals.engine):
            yield "hand", player, number
    for at, step in enumerate(deals.steps[:upto]):
        if step.kind == LAY:
            yield "lay", at, 0
        elif step.fits:
            yield "fits", at, 0
        if step.kind == DRAW and step.tile >= 0:
            yield "drawn", at, 0
    for at, told in enumerate(deals.told[: max(0, upto - len(deals.steps))]):
        yield ("left" if isinstance(told, Left) else "score"), at, 0


def _core(deals: Deals, upto: int) -> tuple[list[Key], int]:
    """The facts that can have to do with the slots that cannot be filled, and the tiles in question.

    Too many slots want too few tiles; so all other tiles are shut out of those slots, each by facts
    about that tile. Only such facts are looked at.
    """
    matching = deals.slots(upto)
    if matching.fill():
        return list(keys_of(deals, upto)), deals.tiles
    wanted = 0
    short = set()
    owners = deals.owners(upto)
    for slot in numbers(matching.stuck):
        wanted |= matching.rows[slot]
        short.add(owners[slot][0])
    others = deals.tiles & ~wanted
    keys = [key for key in keys_of(deals, upto) if _touches(deals, key, others, short)]
    return sorted(keys, key=_order), others


def _touches(deals: Deals, key: Key, tiles: int, players: Collection[int]) -> bool:
    kind, at, number = key
    if kind == "hand":
        return bool(BIT[number] & tiles) or at in players
    if kind in ("left", "score"):
        return True
    step = deals.steps[at]
    if kind == "fits":
        return step.player in players and bool(step.fits & tiles)
    if kind == "drawn":
        return bool(BIT[step.tile] & tiles) or step.player in players
    return bool(BIT[step.tile] & tiles)


def _facts(deals: Deals, keys: Iterable[Key], concerned: int) -> tuple[Fact, ...]:
    hands: dict[int, list[int]] = {}
    facts = []
    named = 0
    for kind, at, number in keys:
        if kind == "hand":
            hands.setdefault(at, []).append(number)
            named |= BIT[number]
        elif kind in ("lay", "drawn"):
            named |= BIT[deals.steps[at].tile]
    for kind, at, _number in sorted(keys, key=lambda key: (key[0] in ("left", "score"), key[1])):
        if kind == "hand":
            continue
        if kind in ("left", "score"):
            told = deals.told[at]
            tiles = tuple(told.tiles) if isinstance(told, Left) else ()
            points = told.points if isinstance(told, Score) else None
            facts.append(Fact(kind, told.player, line=told.line, tiles=tiles, points=points))
            continue
        step = deals.steps[at]
        player = deals.record.players[step.player]
        if kind == "fits":
            shown = step.fits & deals.tiles & (concerned & named or concerned)
            facts.append(Fact(step.kind, player, step.turn, step.action, step.line, tuple(numbers(shown))))
        else:
            facts.append(Fact(kind, player, step.turn, step.action, step.line, (step.tile,)))
    dealt = [
        Fact(
            "hand",
            deals.record.players[player],
            line=deals.record.lines.get(f"hand {deals.record.players[player]}", 0),
            tiles=tuple(sorted(tiles)),
        )
        for player, tiles in sorted(hands.items())
    ]
    return (*dealt, *facts)


def _order(key: Key) -> tuple[int, int]:
    """Facts that are let go first: earlier ones, tiles of known hands last."""
    return (key[0] == "hand", key[1])


def _halvings(count: int) -> Iterable[int]:
    """Sizes of the parts that are tried together: large ones first, each fact alone at last."""
    size = count // 2
    while size > 1:
        yield size
        size //= 4
    yield 1
