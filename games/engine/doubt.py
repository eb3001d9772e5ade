"""What hangs on one doubtful score: the table as it is, and as it would be with another number in that hand.

Knows results and the round as it was told. Must not know names, or who doubts a score and why.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from games.engine.checks import check_round
from games.engine.claims import HandClaim, RoundClaim
from games.engine.errors import EngineError
from games.engine.hands import Hand, stock_for
from games.engine.rules import RuleSet
from games.engine.scoring import score_round
from games.engine.standings import PlayerResult, RoundResult, Row, game_table

Table = tuple[Row, ...]
Place = tuple[int, bool]  # and whether it is shared


@dataclass(frozen=True, slots=True)
class DoubtfulRound:
    """Round `number` of a game as it was told, and everybody's results, that round among them.

    `marks`: the codes that a disputed round was saved in spite of, which are no reason against a number.
    """

    results: tuple[PlayerResult, ...]
    number: int
    claim: RoundClaim
    rules: RuleSet
    seats: tuple[int, ...]
    deal: int | None = None
    marks: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Fall:
    """From `least` to `most` points in the hand everybody's place is as in `table` (that of `least`)."""

    least: int
    most: int
    table: Table


def with_hand(
    claim: RoundClaim, seat: int, points: int | None = None, tiles: tuple[str, ...] | None = None
) -> RoundClaim:
    """The round with another hand at `seat`. What was told of that hand before goes, but for the marker.

    >>> claim = RoundClaim(12, "out", (HandClaim(1, 0), HandClaim(2, 18, tile_count=3, marker=True)))
    >>> with_hand(claim, 2, 20).hands[1]
    HandClaim(seat=2, points=20, tile_count=None, tiles=None, out=None, marker=True)
    """
    return replace(
        claim,
        hands=tuple(
            HandClaim(seat, points, tiles=tiles, marker=hand.marker) if hand.seat == seat else hand
            for hand in claim.hands
        ),
    )


def table_with(doubt: DoubtfulRound, seat: int, points: int) -> Table | None:
    """The table with `points` in the hand at `seat`; None where what they score hangs on tiles nobody told.

    The round is scored anew, whether it can be or not: somebody else's hand may be wrong too.
    """
    check = check_round(
        with_hand(doubt.claim, seat, points), rules=doubt.rules, seats=doubt.seats, deal=doubt.deal
    )
    if any(problem.code == "needs_tiles" for problem in check.problems):
        return None
    return _table(doubt, check.hands)


def table_without(results: Iterable[PlayerResult], number: int, *, rules: RuleSet) -> Table:
    """The table if round `number` did not count.

    >>> from games.engine.rules import rule_set
    >>> rounds = (RoundResult(1, 9, 9, False), RoundResult(2, 5, 5, False))
    >>> [row.total for row in table_without([PlayerResult(1, rounds)], 2, rules=rule_set())]
    [9]
    """
    return game_table(
        (
            replace(result, rounds=tuple(one for one in result.rounds if one.number != number))
            for result in results
        ),
        rules=rules,
    )


def falls(doubt: DoubtfulRound, seat: int) -> tuple[Fall, ...]:
    """Which points that the hand at `seat` could have give which places, from the least points up.

    Left out are numbers that the rest of the round rules out by the zeros or by the sum of all hands; what
    the search for disjoint hands would rule out is not looked for. Empty where scores hang on tiles.

    Between two numbers above 0 with equal places all others have them too: as the points grow, each player
    passes each other one in one direction at most (total, blocked_cap, awards and the least hand all move
    the same way), so halving finds every limit.
    """
    top = stock_for(doubt.rules, doubt.claim.engine).total
    check = check_round(
        with_hand(doubt.claim, seat, top), rules=doubt.rules, seats=doubt.seats, deal=doubt.deal
    )
    codes = {problem.code for problem in check.problems}
    if "needs_tiles" in codes:
        return ()
    found: list[Fall] = []
    if (zero := _at_zero(doubt, seat)) is not None:
        found.append(Fall(0, 0, zero))
    doubt = replace(doubt, results=tuple(_condensed(result, doubt.number) for result in doubt.results))
    most = top
    for problem in check.problems:
        if problem.code == "round_sum" and "round_sum" not in doubt.marks:
            most = top - int(str(problem.params["total"])) + int(str(problem.params["most"]))
    if most >= 1 and codes - {"round_sum"} <= doubt.marks:

        def table(points: int) -> Table:
            hands = (replace(hand, points=points) if hand.seat == seat else hand for hand in check.hands)
            found = _table(doubt, hands)
            assert found is not None  # noqa: S101 - no option looks at tiles
            return found

        found += _halved(1, most, table, {})
    return tuple(_joined(found))


def _condensed(result: PlayerResult, number: int) -> PlayerResult:
    """A result of fewer rounds that ranks the same, whatever comes of round `number`."""
    rounds = [one for one in result.rounds if one.number != number]
    kept = [one for one in rounds if one.out or one.points == 0]
    kept += sorted((one for one in rounds if one.points > 0), key=lambda one: one.points)[:1]
    own = [one for one in result.rounds if one.number == number]
    return replace(
        result,
        rounds=(*own, *(replace(one, score=0) for one in kept)),
        start_total=result.start_total + sum(one.score for one in rounds),
    )


def _at_zero(doubt: DoubtfulRound, seat: int) -> Table | None:
    claim = with_hand(doubt.claim, seat, 0)
    check = check_round(claim, rules=doubt.rules, seats=doubt.seats, deal=doubt.deal)
    codes = {problem.code for problem in check.problems}
    return _table(doubt, check.hands) if codes <= doubt.marks else None


def _halved(low: int, high: int, table: Callable[[int], Table], known: dict[int, Table]) -> list[Fall]:
    for points in (low, high):
        if points not in known:
            known[points] = table(points)
    if _order(known[low]) == _order(known[high]):
        return [Fall(low, high, known[low])]
    middle = (low + high) // 2
    return [*_halved(low, middle, table, known), *_halved(middle + 1, high, table, known)]


def _joined(found: Sequence[Fall]) -> Iterable[Fall]:
    """Neighbours with equal places as one."""
    last: Fall | None = None
    for one in found:
        if last is not None and _order(last.table) == _order(one.table) and last.most + 1 == one.least:
            last = replace(last, most=one.most)
            continue
        if last is not None:
            yield last
        last = one
    if last is not None:
        yield last


def _order(table: Table) -> list[tuple[int, int]]:
    return [(row.seat, row.place) for row in table]


def _table(doubt: DoubtfulRound, hands: Iterable[Hand]) -> Table | None:
    hands = tuple(hands)
    try:
        scores = score_round(hands, rules=doubt.rules, ended=doubt.claim.ended)
    except EngineError:
        return None
    told = {hand.seat: hand for hand in hands}
    return game_table(
        (_result(result, doubt.number, told.get(result.seat), scores) for result in doubt.results),
        rules=doubt.rules,
    )


def _result(result: PlayerResult, number: int, hand: Hand | None, scores: Mapping[int, int]) -> PlayerResult:
    if hand is None:
        return result
    new = RoundResult(number, hand.points, scores[hand.seat], hand.out)
    return replace(result, rounds=tuple(new if one.number == number else one for one in result.rounds))


def places(table: Table) -> dict[int, Place]:
    """Everybody's place by seat, and whether another one shares it.

    >>> places((Row(2, 9, 1, 0, 9, None), Row(1, 9, 1, 0, 9, "shared"), Row(3, 12, 3, 0, 12, "total")))
    {2: (1, True), 1: (1, True), 3: (3, False)}
    """
    held = [row.place for row in table]
    return {row.seat: (row.place, held.count(row.place) > 1) for row in table}


def moved(before: Table, after: Table) -> tuple[int, ...]:
    """The seats whose place is another one, or shared by others, in the order of `after`.

    >>> first = (Row(1, 5, 1, 0, 5, None), Row(2, 9, 2, 0, 9, "total"), Row(3, 12, 3, 0, 12, "total"))
    >>> then = (Row(1, 5, 1, 0, 5, None), Row(3, 7, 2, 0, 7, "total"), Row(2, 9, 3, 0, 9, "total"))
    >>> moved(first, then)
    (3, 2)
    """
    old, new = _company(before), _company(after)
    return tuple(row.seat for row in after if old.get(row.seat) != new[row.seat])


def _company(table: Table) -> dict[int, tuple[int, frozenset[int]]]:
    """Everybody's place, and who is on it."""
    found = {row.place: frozenset(one.seat for one in table if one.place == row.place) for row in table}
    return {row.seat: (row.place, found[row.place]) for row in table}
