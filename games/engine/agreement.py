"""Holds a record against the round that was written down: where do they not say the same?

Knows what a replay tells of each hand, and what of it a scored round has beside it. Must not judge moves
(`replay`) or claims (`checks`). A difference is what differs, whose it is, and both values.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal
from unicodedata import normalize

from games.engine.claims import Ended, HandClaim, RoundClaim
from games.engine.hands import tile_points
from games.engine.record import Left, Record
from games.engine.replay import Replay, Verdict, Violation
from games.engine.rules import FIELDS, RuleSet
from games.engine.suits import tile_of
from games.engine.tiles import Tile

# What decides neither whether a move of one round is legal nor what a hand costs; `max_pip` and `deal` are
# told by themselves.
_NOT_OF_A_ROUND = frozenset({"max_pip", "deal", "engine_order", "starter", "announce_last", "tiebreaks"})
# With one of these the record is not of this round, or not by its rules.
OF_ANOTHER_ROUND = frozenset({"set", "rules", "deal", "engine", "player", "seat"})

Mark = Literal["agrees", "differs", "broken", "open"]
# fmt: off
What = Literal[
    "set", "rules", "deal", "engine", "player", "seat",
    "ended", "out", "score", "points", "tiles", "count", "marker",
]
# fmt: on


@dataclass(frozen=True, slots=True)
class ToldHand:
    """What a record tells of one player at the end: bare `points`, `score` as it counts; None: hidden."""

    player: str
    name: str | None
    out: bool
    marker: bool
    count: int
    score: int | None
    points: int | None
    tiles: tuple[Tile, ...] | None


@dataclass(frozen=True, slots=True)
class Facts:
    """What a record tells of its round. `ended` None and no hands where it is not legal to its end.

    `searched`: whether the verdict is all that could be found out.
    """

    record: Record
    verdict: Verdict
    ended: Ended | None
    hands: tuple[ToldHand, ...]
    searched: bool = True
    violation: Violation | None = None

    def hand(self, player: str) -> ToldHand | None:
        return next((hand for hand in self.hands if hand.player == player), None)


@dataclass(frozen=True, slots=True)
class PlayedHand:
    """A hand as it was written down; `score` is what counts."""

    seat: int
    name: str
    points: int
    score: int
    out: bool = False
    marker: bool = False
    tile_count: int | None = None
    tiles: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """A round as it was written down, its hands in the order people sit; `deal` None: nobody knows.

    `ended` None: it is not written down yet, and its hands say only who plays.
    """

    rules: RuleSet
    engine: int
    deal: int | None
    ended: Ended | None
    hands: tuple[PlayedHand, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing of which the record says `record` and the round `round`.

    `about`: the field of the rules, or the record's id of a player who sits nowhere.
    """

    what: What
    seat: int | None = None
    record: object = None
    round: object = None
    about: str = ""


@dataclass(frozen=True, slots=True)
class Agreement:
    """What comes of holding them together. `hidden`: the seats whose score the record does not tell."""

    mark: Mark
    differences: tuple[Difference, ...]
    hidden: tuple[int, ...] = ()

    @property
    def same_round(self) -> bool:
        """Whether the record is of this round: the same players, rules, set, deal and engine."""
        return not any(one.what in OF_ANOTHER_ROUND for one in self.differences)


def facts_of(found: Replay) -> Facts:
    """What a replayed record tells.

    >>> from games.engine.reading import parse_record
    >>> from games.engine.replay import replay
    >>> head = "rules: gamerules\\nset: 6\\nplayers: A, B\\ndeal: 1\\nengine: 6-6\\n"
    >>> told = facts_of(replay(parse_record(head + "1. A 6-3\\nout: A\\nleft B: 5-5")))
    >>> [(hand.player, hand.out, hand.score, hand.count) for hand in told.hands]
    [('A', True, 0, 0), ('B', False, 10, 1)]
    """
    searched = all(one.code != "not_searched" for one in found.notes)
    if found.verdict != "legal":
        return Facts(found.record, found.verdict, None, (), searched, found.violation)
    ended: Ended = found.record.ended or "out"
    return Facts(found.record, found.verdict, ended, tuple(_hands(found, ended)), searched)


def _hands(found: Replay, ended: Ended) -> Iterable[ToldHand]:
    record, state = found.record, found.state
    left = {one.player: one.tiles for one in record.told if isinstance(one, Left)}
    for player, name in zip(record.players, record.names, strict=True):
        count, tiles = state.count(player), state.hand(player)
        known: tuple[Tile, ...] | None = tiles if len(tiles) == count else None
        if known is None and player in left:
            known = tuple(map(tile_of, sorted(left[player])))
        hand = ToldHand(
            player=player,
            name=name,
            out=ended == "out" and player in state.out,
            marker=player in state.marked,
            count=count,
            score=(found.scores or {}).get(player),
            points=None,
            tiles=known,
        )
        yield replace(hand, points=_points(hand, record.rules, ended))


def _points(hand: ToldHand, rules: RuleSet, ended: Ended) -> int | None:
    """The bare points, from the tiles or, where the rules let it be told, from what counts."""
    if hand.tiles is not None:
        return sum(tile_points(tile, rules) for tile in hand.tiles)
    if rules.left_counts == "tiles":
        return hand.count
    if hand.score is None or rules.scoring == "positive" or rules.blank_half or rules.doubles_twice:
        return None
    points = hand.score - rules.open_marker * hand.marker + rules.out_bonus * hand.out
    return None if ended == "blocked" and rules.blocked_cap and not points else points


def plain(name: str) -> str:
    """A name as a record's header can hold it; its signs end a name or a line there.

    >>> plain("Lee, Ann;  jr")
    'Lee Ann jr'
    """
    return " ".join("".join(" " if sign in ",;" else sign for sign in name).split())


def _same(name: str) -> str:
    """What two ways of writing one name have in common."""
    return normalize("NFC", plain(name)).casefold()


def seated(
    record: Record, hands: Sequence[tuple[int, str]], said: Mapping[str, int] | None = None
) -> dict[str, int]:
    """The seat of each player of the record that can be told; `hands`: seats and names in the order they sit.

    By what is `said`; else by name, whatever the case; else, where the record names nobody and as many play,
    by the order they sit. No seat twice.

    >>> from games.engine.reading import parse_record
    >>> table = [(1, "Ruth"), (4, "Ben")]
    >>> seated(parse_record("players: A=ben, B=RUTH\\ndeal: 2\\nengine: 6-6"), table)
    {'A': 4, 'B': 1}
    >>> seated(parse_record("players: A, B\\ndeal: 2\\nengine: 6-6"), table)
    {'A': 1, 'B': 4}
    """
    seats = [seat for seat, _name in hands]
    found: dict[str, int] = {}
    for player, seat in (said or {}).items():
        if player in record.players and seat in seats and seat not in found.values():
            found[player] = seat
    by_name = {_same(name): seat for seat, name in hands}
    for player, name in zip(record.players, record.names, strict=True):
        seat = by_name.get(_same(name or player), 0)
        if player not in found and seat and seat not in found.values():
            found[player] = seat
    if not found and len(seats) == len(record.players) and not any(record.names):
        found = dict(zip(record.players, seats, strict=True))
    return {player: found[player] for player in record.players if player in found}


def compare(facts: Facts, played: PlayedRound, seats: Mapping[str, int]) -> Agreement:
    """Hold them together; `seats` as `seated` has them.

    "agrees": legal, nothing differs, and every score is told. "open": nothing differs, but the round is not
    over, a score is hidden, or the search was too long. "broken": not by the rules it names.
    """
    differences = [*_heads(facts.record, played, seats)]
    hidden: list[int] = []
    if facts.ended is not None and played.ended is not None:
        differences += _ends(facts, played, seats)
        hidden = [seats[hand.player] for hand in facts.hands if hand.player in seats and hand.score is None]
    mark: Mark = "agrees"
    if facts.verdict in ("illegal", "impossible"):
        mark = "broken"
    elif differences:
        mark = "differs"
    elif facts.ended is None or played.ended is None or hidden or not facts.searched:
        mark = "open"
    return Agreement(mark, tuple(differences), tuple(hidden))


def _heads(record: Record, played: PlayedRound, seats: Mapping[str, int]) -> Iterable[Difference]:
    """Who played, and by what."""
    rules = record.rules
    if rules.max_pip != played.rules.max_pip:
        yield Difference("set", record=rules.max_pip, round=played.rules.max_pip)
    for name in FIELDS:
        told, there = getattr(rules, name), getattr(played.rules, name)
        if name not in _NOT_OF_A_ROUND and told != there:
            yield Difference("rules", record=told, round=there, about=name)
    if record.engine != played.engine:
        yield Difference("engine", record=record.engine, round=played.engine)
    if played.deal is not None and record.deal != played.deal:
        yield Difference("deal", record=record.deal, round=played.deal)
    for player in record.players:
        if player not in seats:
            yield Difference("player", about=player)
    for hand in played.hands:
        if hand.seat not in seats.values():
            yield Difference("seat", seat=hand.seat)


def _ends(facts: Facts, played: PlayedRound, seats: Mapping[str, int]) -> Iterable[Difference]:
    """How it ended, and what was left to whom."""
    if facts.ended != played.ended:
        yield Difference("ended", record=facts.ended, round=played.ended)
    players = {seat: player for player, seat in seats.items()}
    for hand in played.hands:
        told = facts.hand(players[hand.seat]) if hand.seat in players else None
        if told is not None:
            yield from _hand(told, hand, played.rules)


def _hand(told: ToldHand, hand: PlayedHand, rules: RuleSet) -> Iterable[Difference]:
    seat = hand.seat
    if told.out != hand.out:
        yield Difference("out", seat, told.out, hand.out)
    if told.points is not None and told.points != hand.points:
        yield Difference("points", seat, told.points, hand.points)
    elif told.score is not None and told.score != hand.score:
        yield Difference("score", seat, told.score, hand.score)
    if told.tiles is not None and hand.tiles is not None:
        tiles = tuple(map(str, told.tiles))
        if set(tiles) != set(hand.tiles):
            yield Difference("tiles", seat, tiles, hand.tiles)
    elif hand.tile_count is not None and told.count != hand.tile_count:
        yield Difference("count", seat, told.count, hand.tile_count)
    if rules.open_marker and told.marker != hand.marker:
        yield Difference("marker", seat, told.marker, hand.marker)


def claim_by(facts: Facts, played: PlayedRound, seats: Mapping[str, int]) -> RoundClaim:
    """The round as the record has it, to be judged as any claim.

    A hand that the record does not tell keeps what the round has; in a round that is not written down yet
    such a hand claims nothing. Only of a legal record.
    """
    assert facts.ended is not None  # noqa: S101 - so it says
    players = {seat: player for player, seat in seats.items()}
    claims = []
    for hand in played.hands:
        told = facts.hand(players[hand.seat]) if hand.seat in players else None
        claims.append(_claim(told, hand, written=played.ended is not None))
    return RoundClaim(facts.record.engine, facts.ended, tuple(claims))


def _claim(told: ToldHand | None, hand: PlayedHand, *, written: bool) -> HandClaim:
    if told is None or told.points is None:
        marker = hand.marker if told is None else told.marker
        if not written:
            return HandClaim(hand.seat, marker=marker)
        return HandClaim(hand.seat, hand.points, hand.tile_count, hand.tiles, marker=marker)
    tiles = None if told.tiles is None else tuple(map(str, told.tiles))
    if tiles is not None and hand.tiles is not None and set(tiles) == set(hand.tiles):
        tiles = hand.tiles  # in the order in which they were told
    return HandClaim(
        hand.seat,
        points=told.points,
        tile_count=told.count,
        tiles=tiles,
        out=told.out if told.points == 0 else None,
        marker=told.marker,
    )
