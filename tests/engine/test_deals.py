"""Hidden hands: which deals explain a record, against a list of all deals on tiny sets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations, product
from random import Random

import pytest

from games.engine import sums
from games.engine.clash import Fact, keys_of
from games.engine.deals import Deals
from games.engine.matching import Matching
from games.engine.moves import Lay
from games.engine.proof import proven
from games.engine.reading import parse_record
from games.engine.record import Record
from games.engine.replay import Replay, deals_of, replay
from games.engine.suits import numbers, tile_number
from games.engine.sums import Budget, Demand, find
from tests.engine.naive_round import answer, hands_after, judge
from tests.engine.rounds import another_that_fits, hidden, most_dealt, mutated, random_round, random_rules

Size = Callable[[int, int], int]
Figures = Callable[..., None]


def tiny_rounds(seeds: range) -> Iterator[tuple[Random, Record]]:
    """Rounds of the double-2 and double-3 sets with something hidden, small enough to list every deal."""
    for seed in seeds:
        rng = Random(seed)
        rules = random_rules(rng, rng.choice((2, 3)), mix=rng.random() < 0.8)
        players = rng.randint(2, 3)
        least = 2 if rules.engine == "dealt" else 1
        most = min(most_dealt(rules, players), 2 if rules.max_pip == 3 else 3)
        if most < least:
            continue
        most_turns = rng.choice((None, rng.randint(1, 12)))
        record, _sure = random_round(rng, rules, players, rng.randint(least, most), most=most_turns)
        if sum(record.seek) < 3:
            yield rng, hidden(rng, record)


@pytest.mark.long
def test_a_record_is_impossible_if_and_only_if_no_deal_explains_it(size: Size, figures: Figures) -> None:
    verdicts: Counter[str] = Counter()
    for rng, record in tiny_rounds(range(size(30, 3_000))):
        others = [another_that_fits(rng, record) for _ in range(2)]
        for tried in (record, mutated(rng, record), *(other for other in others if other)):
            found = answer(replay(tried))
            assert found == judge(tried, worlds=True), tried
            verdicts[found[0]] += 1
    assert verdicts["impossible"] >= 4
    figures(**verdicts)


def test_a_tile_of_a_shown_hand_that_a_hidden_one_laid_is_not_laid_again() -> None:
    """The first of the two is what no deal explains, though the hand that holds it lays it later."""
    start = "rules: wikihow\nset: 6\nplayers: A, B, C\ndeal: 2\nengine: 1-1 C\nhand A: 1-0 2-1\n"
    record = parse_record(f"{start}1. C +3-1 1-0>C v\n2. A 1-0>A v")
    assert answer(replay(record)) == ("impossible", "no_deal", 1, 2)


@pytest.mark.long
def test_what_is_proven_is_what_all_deals_have_in_common(size: Size, figures: Figures) -> None:
    compared = sharp = 0
    for rng, record in tiny_rounds(range(1_000, 1_000 + size(30, 1_500))):
        if answer(replay(record))[0] not in ("legal", "unfinished"):
            continue
        after = rng.randint(1, len(record.turns))
        proofs = proven(record, after)
        worlds = hands_after(record, after)
        assert worlds
        assert proofs is not None
        for seat, player in enumerate(record.players):
            proof = proofs[player]
            hands = [world[seat] for world in worlds]
            must = frozenset.intersection(*hands)
            may = frozenset.union(*hands)
            assert {(tile.high, tile.low) for tile in proof.must} == must, (record, after, player)
            assert not {(tile.high, tile.low) for tile in proof.cannot} & may, (record, after, player)
            assert {len(hand) for hand in hands} == {proof.count}
            unseen = len(proof.cannot) + len(may)
            laid = [
                action for turn in record.turns[:after] for action in turn.actions if isinstance(action, Lay)
            ]
            assert unseen == deals_of(record).tiles.bit_count() - len(laid), (record, after, player)
            compared += 1
            sharp += record.hands[seat] is None and bool(must)
    assert sharp > 8
    figures(hands=compared, with_a_proven_tile=sharp)


def test_what_was_known_at_the_time_is_less_than_what_is_known_in_the_end() -> None:
    text = "rules: gamerules\nset: 6\nplayers: A, B\ndeal: 3\nengine: 6-6\n1. A + -\n2. B 6-1>M\n3. A 1-5>M"
    record = parse_record(text)
    later, then = proven(record, after=1), proven(record, after=1, upto=1)
    assert later is not None
    assert then is not None
    assert [str(tile) for tile in later["A"].must] == ["5-1"]
    assert then["A"].must == ()
    assert then["A"].cannot == later["A"].cannot


def test_nothing_is_proven_of_a_record_that_no_deal_explains_but_its_prefix_is() -> None:
    text = "rules: gamerules\nset: 6\nplayers: A, B, C\ndeal: 9\nengine: 6-6\n1. A -\n2. B -\n3. C -"
    assert proven(parse_record(text), after=3) is None
    proofs = proven(parse_record(text), after=2, upto=2)
    assert proofs is not None
    sixes = {tile_number(6, low) for low in range(6)}
    assert {tile_number(tile.high, tile.low) for tile in proofs["C"].must} == sixes


# --- clashes ---


def impossible() -> Iterator[tuple[Record, Replay]]:
    for rng, record in tiny_rounds(range(2_000, 2_120)):
        for tried in (mutated(rng, record), mutated(rng, record)):
            found = replay(tried)
            if found.verdict == "impossible":
                yield tried, found


def test_no_fact_can_be_dropped_from_a_clash() -> None:
    seen = 0
    for record, found in impossible():
        assert found.violation is not None
        clash = found.violation.clash
        assert clash
        deals = deals_up_to(record, found)
        upto = len(deals)
        keys = set(keys_of(deals, upto))
        kept = {key for key in keys if told(deals, key, clash)}
        assert not deals.exist(upto, keys - kept), clash
        for key in kept:
            assert deals.exist(upto, keys - kept | {key}), (clash, key)
        seen += 1
    assert seen >= 8


def test_whatever_is_left_out_of_a_record_that_a_deal_explains_a_deal_still_explains_it() -> None:
    for seed in range(60):
        rng = Random(seed)
        rules = random_rules(rng, rng.choice((3, 6, 9)), mix=seed % 2 > 0)
        players = rng.randint(2, 4)
        deal = rng.randint(2, min(6, most_dealt(rules, players)))
        record, _sure = random_round(rng, rules, players, deal)
        deals = deals_of(hidden(rng, record))
        upto = rng.choice((len(deals), rng.randint(0, len(deals))))
        keys = sorted(keys_of(deals, upto))
        for share in (0.05, 0.5, 0.95):
            without = {key for key in keys if rng.random() < share}
            assert deals.exist(upto, without), (seed, without)
    assert deals.searched


def deals_up_to(record: Record, found: Replay) -> Deals:
    """The deals by everything up to the step that no deal explains, if it was a step."""
    assert found.violation is not None
    turn, action = found.violation.turn, found.violation.action
    deals = deals_of(record)
    if not turn:
        return deals
    steps = [
        step
        for step in deals.steps
        if step.turn < turn or (step.turn == turn and (not action or step.action <= action))
    ]
    return Deals(record, steps)


def told(deals: Deals, key: tuple[str, int, int], clash: tuple[Fact, ...]) -> bool:
    """Whether the clash names the fact with this key."""
    kind, at, number = key
    if kind == "hand":
        player = deals.record.players[at]
        return any(fact.kind == "hand" and fact.player == player and number in fact.tiles for fact in clash)
    if kind in ("left", "score"):
        line = deals.told[at]
        return any(
            fact.kind == kind and fact.player == line.player and fact.line == line.line for fact in clash
        )
    step = deals.steps[at]
    kinds = ("draw", "pass") if kind == "fits" else (kind,)
    return any(fact.kind in kinds and (fact.turn, fact.action) == (step.turn, step.action) for fact in clash)


def test_the_clash_is_told_in_facts_a_player_understands() -> None:
    text = """rules: gamerules\nset: 12\nplayers: A, B\ndeal: 4\nengine: 12-12
    1. A 12-5>A\n2. B 12-6>B\n3. A + -\n4. B 6-1>B\n5. A 5-3>A"""
    found = replay(parse_record(text.replace("    ", "")))
    assert found.violation is not None
    assert (found.verdict, found.violation.turn, found.turns) == ("impossible", 5, 4)
    five_three = (tile_number(5, 3),)
    assert found.violation.clash == (
        Fact("pass", "A", 3, 2, 8, five_three),
        Fact("lay", "A", 5, 1, 10, five_three),
    )


def test_the_legal_prefix_ends_before_the_action_that_no_deal_explains() -> None:
    text = "rules: gamerules\nset: 6\nplayers: A, B\ndeal: 6\nengine: 6-6\n1. A 6-1>A\n2. B 6-3>M\n"
    found = replay(parse_record(text + "3. A 1-2>A\n4. B +5-4 3-2>M"))
    assert found.violation is not None
    assert (found.violation.turn, found.violation.action) == (4, 2)
    assert (found.turns, found.actions) == (3, 1)
    assert (found.state.boneyard, found.state.count("B")) == (14, 6)
    assert found.state.ends == {"A": 2, "B": 6, "M": 3}


def test_a_drawn_tile_that_another_known_hand_holds_clashes_with_it() -> None:
    text = """rules: gamerules\nset: 6\nplayers: A, B\ndeal: 2\nengine: 6-6\nhand A: 1-0 2-0\nhand B: 5-4 3-3
1. A +5-4 -"""
    found = replay(parse_record(text))
    assert found.violation is not None
    assert (found.verdict, found.violation.code) == ("impossible", "no_deal")
    assert [(fact.kind, fact.player) for fact in found.violation.clash] == [("hand", "B"), ("drawn", "A")]
    again = replay(parse_record(text.replace("+5-4 -", "+1-1 -\n2. B +5-5 -\n3. A +5-5 -")))
    assert again.violation is not None
    assert again.violation.clash == (Fact("drawn", "B", 2, 1, 9, (20,)), Fact("drawn", "A", 3, 1, 10, (20,)))


# --- the parts ---


def test_slots_are_filled_if_they_can_be() -> None:
    for seed in range(200):
        rng = Random(seed)
        slots = rng.randint(1, 4)
        rooms = [rng.randint(0, 2) for _ in range(slots)]
        total = sum(rooms)
        tiles = (1 << total) - 1
        rows = [rng.randrange(1 << total) | rng.randrange(1 << total) for _ in range(slots)]
        matching = Matching(rows, rooms, tiles, rng.randrange(1 << total))
        places = [slot for slot, room in enumerate(rooms) for _ in range(room)]
        fillings = {
            order
            for order in product(range(slots), repeat=total)
            if Counter(order) == Counter(places)
            and all(rows[slot] >> at & 1 for at, slot in enumerate(order))
        }
        assert matching.fill() == bool(fillings), seed
        if fillings:
            assert matching.movable() == [
                sum(1 << at for at in range(total) if any(order[at] == slot for order in fillings))
                for slot in range(slots)
            ], seed


@pytest.mark.parametrize("tries", [0, 6])
def test_sums_are_found_if_they_are_there(tries: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sums, "_TRIES", tries)
    made = Counter[bool | None]()
    for seed in range(250):
        rng = Random(seed)
        total = rng.randint(3, 7)
        tiles = range(total)
        costs = {at: rng.randint(0, 6) for at in tiles}
        first = rng.randint(1, total - 2)
        second = rng.randint(0, total - 1 - first)
        rooms = [first, second, total - first - second]
        rows = [rng.randrange(1 << total) | rng.randrange(1 << total) for _ in rooms]
        matching = Matching(rows, rooms, (1 << total) - 1)
        if not matching.fill():
            continue
        points = [rng.randint(0, 5 * room) for room in rooms[:2]]
        wide = rng.choice((0, 0, 2))
        demands = [
            Demand((player,), rooms[player], points[player], points[player] + wide, costs)
            for player in (0, 1)
            if rooms[player]
        ]
        possible = any(
            all(rows[0] >> at & 1 for at in one)
            and all(rows[1] >> at & 1 for at in two)
            and all(rows[2] >> at & 1 for at in tiles if at not in (*one, *two))
            and all(
                demand.least <= sum(costs[at] for at in (one, two)[demand.players[0]]) <= demand.most
                for demand in demands
            )
            for one in combinations(tiles, first)
            for two in combinations([at for at in tiles if at not in one], second)
        )
        found = find(matching, [0, 1, -1], (1 << total) - 1, demands, Budget())
        assert found.possible == possible, seed
        made[found.possible] += 1
        if found.filling is not None:
            held = found.filling.held
            assert [tiles.bit_count() for tiles in held] == rooms
            assert not any(tiles & ~row for tiles, row in zip(held, rows, strict=True))
            for demand in demands:
                sum_ = sum(costs[at] for at in numbers(held[demand.players[0]]))
                assert demand.least <= sum_ <= demand.most
    assert min(made[True], made[False]) > 30


def test_beyond_the_budget_nothing_is_refused_and_a_note_says_so() -> None:
    record = parse_record(
        "rules: gamerules\nset: 12\nplayers: A, B\ndeal: 1\nengine: 12-12\n1. A 12-5>A\nout: A\nscore: B 9"
    )
    assert replay(record).notes == ()
    spent = replay(record, budget=0)
    assert (spent.verdict, [note.code for note in spent.notes]) == ("legal", ["not_searched"])


def test_written_points_of_a_capped_block_or_an_award_are_searched_too() -> None:
    seen = Counter[str]()
    for seed in range(400):
        rng = Random(seed)
        rules = replace(
            random_rules(rng, 3, mix=True), scoring=rng.choice(("positive", "penalty")), blocked_cap=True
        )
        least = 2 if rules.engine == "dealt" else 1
        record, _sure = random_round(rng, rules, 2, rng.randint(least, 2))
        if not record.told or sum(record.seek) > 2:
            continue
        record = replace(record, hands=(None, None))
        tried = mutated(rng, record)
        for one in (record, tried):
            if seen[f"{one.ended}"] > 40:
                continue
            assert answer(replay(one)) == judge(one, worlds=True), seed
            seen[f"{one.ended}"] += 1
    assert seen["out"] > 20
    assert seen["blocked"] > 5
