"""What is written after the last turn, held against the table: out, blocked, left, count, score.

Knows what each line may say as far as the table, the counts and that player's own tiles tell. Must not know
what other hands or earlier passes prove: that is for `deals`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from games.engine.record import Count, Left, Record, Told
from games.engine.rules import RuleSet
from games.engine.scoring import tile_score
from games.engine.suits import BIT, tile_of
from games.engine.sums import Demand
from games.engine.table import Table
from games.engine.tiles import tile_total


@dataclass(slots=True)
class End:
    """What the end lines come to: one statement, so that a breach in one of them leaves nothing to search.

    `code` is the first breach, of the line `told`, or None with all `agreed`.

    `left` maps a player to the tiles that are left, `written` to the points; `right` are those that tiles and
    counts tell, once they were asked for. `out` has a bit for each
    player who went out.
    """

    ended: str
    marks: int
    out: int
    code: str | None = None
    told: Told | None = None
    agreed: list[Told] = field(default_factory=list)
    left: dict[int, int] = field(default_factory=dict)
    written: dict[int, int] = field(default_factory=dict)
    right: dict[int, int] | None = None
    params: dict[str, object] = field(default_factory=dict)


def judge(record: Record, table: Table, seats: Mapping[str, int]) -> End:
    """Every end line in order, up to the first that is wrong. The table stands after the last turn.

    Without end lines nothing is wrong; a round that is over anyway ended with somebody out.
    """
    end = End(record.ended or "out", table.marks, table.out)
    end.code = _ended(record, table, seats, end)
    if end.code is not None:
        return end
    for player, tiles in enumerate(table.known):
        if not table.unknown[player]:
            end.left[player] = tiles
    if len(end.left) < table.players:
        _shown(record, table, seats, end)
    for told in record.told:
        end.told = told
        end.code = _told(told, record, table, seats, end)
        if end.code is not None:
            end.agreed.clear()
            return end
        end.agreed.append(told)
    end.told = None
    return end


def _shown(record: Record, table: Table, seats: Mapping[str, int], end: End) -> None:
    """What `left` lines show of hands that nobody knew."""
    for told in record.told:
        if isinstance(told, Left) and seats.get(told.player, table.players) not in (*end.left, table.players):
            tiles = _tiles(told, table)
            if tiles is not None:
                end.left[seats[told.player]] = tiles


def _ended(record: Record, table: Table, seats: Mapping[str, int], end: End) -> str | None:
    if record.ended is None:
        return None
    out = 0
    for player in record.out:
        if player not in record.players:
            end.params = {"player": player}
            return "unknown_player"
        out |= 1 << seats[player]
    if record.ended == "blocked":
        return None if not table.ended and table.is_blocked() else "not_blocked"
    return None if table.ended and out == table.out else "not_out"


def _told(told: Told, record: Record, table: Table, seats: Mapping[str, int], end: End) -> str | None:
    player = seats.get(told.player, table.players)
    if player == table.players:
        end.params = {"player": told.player}
        return "unknown_player"
    if isinstance(told, Left):
        tiles = _tiles(told, table)
        known, hidden = table.known[player], table.unknown[player]
        right = tiles is not None and tiles.bit_count() == table.count(player) and not known & ~tiles
        if right and (hidden or tiles == known):
            return None
        end.params = {"player": told.player}
        return "left"
    if isinstance(told, Count):
        if told.number == table.count(player):
            return None
        end.params = {"player": told.player, "given": told.number, "right": table.count(player)}
        return "count"
    end.written[player] = told.points
    if end.right is None:
        end.right = scores(record.rules, end, table.counts)
    points = end.right.get(player)
    if points is None or points == told.points:
        return None
    end.params = {"player": told.player, "given": told.points, "right": points}
    return "score"


def _tiles(told: Left, table: Table) -> int | None:
    """The tiles of a `left` line as a set; None if one lies on the table, comes twice, or is in no set."""
    tiles = 0
    for number in told.tiles:
        if number >= table.size or (tiles | table.laid) & BIT[number]:
            return None
        tiles |= BIT[number]
    return tiles


def cost(tiles: int, price: Mapping[int, int]) -> int:
    """What a hand of these tiles costs, every option that looks at tiles included.

    >>> from games.engine.rules import rule_set
    >>> cost(0b10011, costs_of(rule_set()))
    54
    """
    total = 0
    while tiles:
        lowest = tiles & -tiles
        total += price[lowest.bit_length() - 1]
        tiles ^= lowest
    return total


def scores(rules: RuleSet, end: End, counts: Sequence[int]) -> dict[int, int]:
    """The points of each player as far as tiles and counts tell, by the rules of `scoring.score_round`."""
    price = costs_of(rules)
    costs = {player: cost(tiles, price) for player, tiles in end.left.items()}
    if len(costs) < len(counts):
        # Where every tile costs the same, how many are left is enough.
        alike = rules.left_counts == "tiles" and len(set(price.values())) == 1
        for player, count in enumerate(counts):
            if not count or alike:
                costs[player] = count * price[0]
    players = range(len(counts))
    everyone = len(costs) == len(players)
    if rules.scoring == "positive":
        winners = [player for player in players if end.out >> player & 1 and end.ended == "out"]
        found = {player: 0 for player in players if player not in winners}
        if everyone and winners:
            pot = sum(value for player, value in costs.items() if player not in winners)
            found |= dict.fromkeys(winners, pot // len(winners))
        return found
    if end.ended == "blocked" and rules.blocked_cap:
        if not everyone:
            return {}
        lowest = min(costs.values())
        costs = {player: 0 if value == lowest else value for player, value in costs.items()}
    if rules.open_marker or rules.out_bonus:
        return {player: value + extra(rules, end, player) for player, value in costs.items()}
    return costs


def extra(rules: RuleSet, end: End, player: int) -> int:
    """What a marker that is still on, or going out, adds to a player's cost."""
    out = end.ended == "out" and end.out >> player & 1
    return rules.open_marker * (end.marks >> player & 1) - (rules.out_bonus if out else 0)


def demands(
    rules: RuleSet, end: End, counts: Sequence[int], written: Mapping[int, int]
) -> list[list[Demand]]:
    """What written points ask of the hands that nobody saw: one list of demands or the other must be met.

    `written` are the points that are believed; `end.left` the hands that are known anyway.
    """
    price = costs_of(rules)
    hidden = [player for player, count in enumerate(counts) if count and player not in end.left]
    if rules.scoring == "positive":
        return [_pot(rules, end, counts, written, hidden)]
    asked = {player: written[player] - extra(rules, end, player) for player in hidden if player in written}
    if end.ended == "blocked" and rules.blocked_cap:
        return list(_capped(rules, end, counts, written, hidden))
    return [[Demand((player,), counts[player], need, need, price) for player, need in asked.items()]]


def _pot(
    rules: RuleSet, end: End, counts: Sequence[int], written: Mapping[int, int], hidden: Sequence[int]
) -> list[Demand]:
    winners = [player for player in range(len(counts)) if end.out >> player & 1]
    claims = [written[player] for player in winners if player in written]
    if not claims or end.ended != "out":
        return []
    price = costs_of(rules)
    seen = sum(cost(tiles, price) for player, tiles in end.left.items() if player not in winners)
    least = max(claims) * len(winners) - seen
    most = min(claims) * len(winners) + len(winners) - 1 - seen
    held = sum(counts[player] for player in hidden)
    return [Demand(tuple(hidden), held, least, most, price)]


def _capped(
    rules: RuleSet, end: End, counts: Sequence[int], written: Mapping[int, int], hidden: Sequence[int]
) -> Iterator[list[Demand]]:
    """One list for each cost that the lowest hand of a blocked round may have, which then scores 0."""
    price = costs_of(rules)
    total = sum(price.values())
    seen = {player: cost(tiles, price) for player, tiles in end.left.items()}
    base = {player: points - extra(rules, end, player) for player, points in written.items()}
    ceiling = min([total, *seen.values(), *(points for points in base.values() if points > 0)])
    for lowest in range(ceiling + 1):
        if any(
            base[player] != (0 if seen[player] == lowest else seen[player])
            for player in seen
            if player in base
        ):
            continue
        if any(points == lowest > 0 for points in base.values()):
            continue
        spans = {}
        for player in hidden:
            if player not in base:
                spans[player] = (lowest, total)
            else:
                need = base[player] or lowest
                spans[player] = (need, need)
        free = [player for player in hidden if player not in base]
        settled = lowest in seen.values() or any(base.get(player) == 0 for player in hidden)
        for holder in [None] if settled else free:
            chosen = spans | ({} if holder is None else {holder: (lowest, lowest)})
            yield [Demand((player,), counts[player], *span, price) for player, span in chosen.items()]


@lru_cache(maxsize=64)
def costs_of(rules: RuleSet) -> Mapping[int, int]:
    """What each tile of the set costs, by number."""
    return {number: tile_score(tile_of(number), rules) for number in range(tile_total(rules.max_pip))}
