"""A record held against the round that was written down: what differs, what can be taken over."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from games.engine.agreement import (
    Agreement,
    Facts,
    PlayedHand,
    PlayedRound,
    claim_by,
    compare,
    facts_of,
    seated,
)
from games.engine.reading import parse_record
from games.engine.record import Record, Score, print_record
from games.engine.replay import replay
from games.engine.rules import FIELDS, rule_set
from games.engine.scoring import check_round, score_round
from tests.engine.rounds import random_round, random_rules

CASES = Path(__file__).parent / "cases" / "records.jsonl.gz"
HEAD = """rules: gamerules double_blank=25
set: 6
players: A=Ruth, B=Ben
deal: 2
engine: 6-6
hand A: 6-1 2-1
hand B: 3-3 0-0
1. A 6-1>A !
2. B +5-4 - ^
3. A 1-2>A
out: A
"""  # B is left with 3-3, 0-0 and 5-4: 40 points
SEATS = {"A": 3, "B": 5}


def facts(text: str) -> Facts:
    return facts_of(replay(parse_record(text)))


def written(told: Facts, **more: Any) -> PlayedRound:
    """The round just as the record has it, at seats 1, 2, …"""
    record = told.record
    hands = tuple(
        PlayedHand(
            seat=seat,
            name=hand.name or hand.player,
            points=hand.points or 0,
            score=hand.score or 0,
            out=hand.out,
            marker=hand.marker,
            tile_count=hand.count,
            tiles=None if hand.tiles is None else tuple(map(str, hand.tiles)),
        )
        for seat, hand in enumerate(told.hands, start=1)
    )
    about: dict[str, Any] = {
        "rules": record.rules,
        "engine": record.engine,
        "deal": record.deal,
        "ended": told.ended,
    }
    return PlayedRound(**about | {"hands": hands} | more)


def ruths(**more: Any) -> PlayedRound:
    """The round of HEAD as a table wrote it down: Ruth at seat 3, Ben at 5."""
    hands = [PlayedHand(3, "Ruth", 0, 0, out=True), PlayedHand(5, "Ben", 40, 40, tile_count=3)]
    for seat, change in more.pop("change", {}).items():
        hands = [replace(hand, **change) if hand.seat == seat else hand for hand in hands]
    rules = rule_set("gamerules", max_pip=6, double_blank=25)
    about: dict[str, Any] = {"rules": rules, "engine": 6, "deal": 2, "ended": "out", "hands": tuple(hands)}
    return PlayedRound(**about | more)


def said(found: Agreement) -> list[tuple[Any, ...]]:
    return [(one.what, one.seat, one.record, one.round) for one in found.differences]


def test_a_round_as_its_record_has_it_agrees() -> None:
    found = compare(facts(HEAD), ruths(), SEATS)
    assert (found.mark, found.differences, found.hidden, found.same_round) == ("agrees", (), (), True)


@pytest.mark.parametrize(
    ("round_", "differences"),
    [
        (ruths(change={5: {"points": 38, "score": 38}}), [("points", 5, 40, 38)]),
        (ruths(change={5: {"score": 50}}), [("score", 5, 40, 50)]),
        (ruths(change={5: {"tile_count": 2}}), [("count", 5, 3, 2)]),
        (
            ruths(change={5: {"tiles": ("3-3", "0-0", "5-3")}}),
            [("tiles", 5, ("0-0", "3-3", "5-4"), ("3-3", "0-0", "5-3"))],
        ),
        (ruths(change={5: {"tiles": ("5-4", "3-3", "0-0"), "tile_count": None}}), []),
        (
            ruths(change={3: {"out": False, "points": 1, "score": 1}, 5: {"out": True}}),
            [("out", 3, True, False), ("points", 3, 0, 1), ("out", 5, False, True)],
        ),
        (ruths(ended="blocked"), [("ended", None, "out", "blocked")]),
        (ruths(engine=5), [("engine", None, 6, 5)]),
        (ruths(deal=3), [("deal", None, 2, 3)]),
        (ruths(deal=None), []),
        (ruths(change={5: {"marker": False}}), []),  # nobody asks for it where it costs nothing
        (
            ruths(rules=rule_set("gamerules", max_pip=9, double_blank=25, drawn_tile="may")),
            [("set", None, 6, 9), ("rules", None, "must", "may")],
        ),
        (
            ruths(rules=rule_set("gamerules", max_pip=6, double_blank=25, starter="rotate", tiebreaks=())),
            [],  # neither has a say in one round
        ),
        (
            ruths(rules=rule_set("gamerules", max_pip=6, double_blank=25, open_marker=5)),
            [("rules", None, 0, 5), ("marker", 5, True, False)],
        ),
    ],
)
def test_each_thing_that_differs_is_told_with_both_values(
    round_: PlayedRound, differences: list[tuple[Any, ...]]
) -> None:
    found = compare(facts(HEAD), round_, SEATS)
    assert said(found) == differences
    assert found.mark == ("differs" if differences else "agrees")
    another = {"set", "rules", "deal", "engine"} & {what for what, *_rest in differences}
    assert found.same_round == (not another)


def test_somebody_missing_on_either_side_is_told() -> None:
    found = compare(facts(HEAD), ruths(), {"A": 3})
    assert [(one.what, one.seat, one.about) for one in found.differences] == [
        ("player", None, "B"),
        ("seat", 5, ""),
    ]
    assert (found.mark, found.same_round) == ("differs", False)


def test_only_a_record_to_the_end_and_by_the_rules_agrees() -> None:
    broken = HEAD.replace("3. A 1-2>A", "3. A 1-2>M")
    unfinished = HEAD[: HEAD.index("3. A")]
    assert compare(facts(broken), ruths(), SEATS).mark == "broken"
    assert compare(facts(unfinished), ruths(), SEATS).mark == "open"
    assert compare(facts(unfinished), ruths(engine=5), SEATS).mark == "differs"
    assert compare(facts(HEAD), ruths(ended=None), SEATS).mark == "open"
    assert compare(replace(facts(HEAD), searched=False), ruths(), SEATS).mark == "open"


def test_a_hidden_hand_is_compared_by_what_is_written_of_it() -> None:
    shown = HEAD.replace("hand B: 3-3 0-0\n", "").replace("+5-4", "+")
    for end, mark, hidden_seats in (
        ("", "open", (5,)),
        ("score: B 40\n", "agrees", ()),
        ("left B: 5-4 3-3 0-0\n", "agrees", ()),
        ("left B: 5-4 3-3 1-0\n", "differs", ()),
        ("score: B 38\n", "differs", ()),
        ("count: B 3\n", "open", (5,)),
    ):
        found = compare(facts(shown + end), ruths(), SEATS)
        assert (found.mark, found.hidden) == (mark, hidden_seats), end


@pytest.mark.parametrize(
    ("players", "said_so", "seats"),
    [
        ("A=Ruth, B=Ben", {}, {"A": 3, "B": 5}),
        ("A=BEN, B=ruth", {}, {"A": 5, "B": 3}),
        ("Ben, Ruth", {}, {"Ben": 5, "Ruth": 3}),
        ("A, B", {}, {"A": 3, "B": 5}),
        ("A, B, C", {}, {}),
        ("A=Ruth, B=Benjamin", {}, {"A": 3}),
        ("A=Ruth, B=Benjamin", {"B": 5}, {"A": 3, "B": 5}),
        ("A=Ruth, B=Ruth", {}, {"A": 3}),
        ("A=Anna, B=Bob", {}, {}),  # other people: nothing is guessed
        ("A=Ruth, B=Ben", {"A": 5, "B": 3}, {"A": 5, "B": 3}),
        ("A=Ruth, B=Ben", {"A": 5, "B": 5, "C": 3}, {"A": 5}),
        ("A=Ruth, B=Ben", {"A": 9}, {"A": 3, "B": 5}),
    ],
)
def test_players_find_their_seats(players: str, said_so: dict[str, int], seats: dict[str, int]) -> None:
    record = parse_record(f"players: {players}\ndeal: 2\nengine: 6-6")
    assert seated(record, [(3, "Ruth"), (5, "Ben")], said_so) == seats


def test_a_name_that_a_header_cannot_hold_is_found_again() -> None:
    record = parse_record("players: A=Lee Ann jr, B=JOSE\u0301\ndeal: 2\nengine: 6-6")
    assert seated(record, [(1, "Lee, Ann; jr"), (2, "jos\u00e9")]) == {"A": 1, "B": 2}


def _rounds(seed: int, many: int) -> Iterator[Record]:
    """Rounds played by chance to their end, under any mix of rules, shown and then hidden."""
    rng = Random(seed)
    for _ in range(many):
        rules = random_rules(rng, rng.choice([6, 9]))
        record, _blocked = random_round(rng, rules, rng.randint(2, 4), rng.randint(2, 4))
        yield record


def test_what_is_taken_from_a_record_is_judged_right_and_agrees_with_it() -> None:
    """The record's claim, judged as any claim, scores what the record says: under any mix of rules."""
    seen: Counter[str] = Counter()
    for record in _rounds(5, 150):
        told = facts_of(replay(record))
        if told.ended is None:
            continue
        played = written(told)
        seats = {player: seat for seat, player in enumerate(record.players, start=1)}
        text = print_record(record)
        assert compare(told, played, seats).mark == "agrees", text
        claim = claim_by(told, replace(played, ended=None), seats)
        check = check_round(claim, rules=record.rules, seats=tuple(seats.values()), deal=record.deal)
        assert check.problems == (), (text, check.problems)
        scores = score_round(check.hands, rules=record.rules, ended=told.ended)
        assert scores == {seats[hand.player]: hand.score for hand in told.hands}, text
        seen[told.ended] += 1
    assert seen["out"] > 60, seen


def test_the_legal_cases_agree_with_a_round_written_from_them() -> None:
    with gzip.open(CASES, "rt", encoding="utf-8") as file:
        cases = [json.loads(line) for line in file]
    marks: Counter[str] = Counter()
    for case in cases:
        if case["verdict"] not in ("legal", "unfinished"):
            continue
        told = facts(case["record"])
        seats = {player: seat for seat, player in enumerate(told.record.players, start=1)}
        found = compare(told, written(told), seats)
        assert found.differences == (), case["id"]
        unknown = told.ended is None or any(hand.score is None for hand in told.hands)
        assert found.mark == ("open" if unknown else "agrees"), case["id"]
        if found.mark == "agrees":
            off = replace(written(told).hands[0], points=77, score=77)
            wrong = replace(written(told), hands=(off, *written(told).hands[1:]))
            assert compare(told, wrong, seats).mark == "differs", case["id"]
        marks[found.mark] += 1
    assert marks["agrees"] > 80, marks
    assert marks["open"] > 100, marks


def test_a_hand_that_the_record_hides_keeps_what_the_round_has() -> None:
    shown = HEAD.replace("hand B: 3-3 0-0\n", "").replace("+5-4", "+")
    before = ruths(change={3: {"out": False, "points": 4, "score": 4}, 5: {"tile_count": None}})
    taken = claim_by(facts(shown), before, SEATS)
    assert [(hand.seat, hand.points, hand.tile_count, hand.out) for hand in taken.hands] == [
        (3, 0, 0, True),
        (5, 40, None, None),
    ]
    new = claim_by(facts(shown), replace(before, ended=None), SEATS)
    assert [hand.points for hand in new.hands] == [0, None]


def test_written_points_are_taken_without_what_was_added_to_them() -> None:
    rules = "rules: gamerules double_blank=25 open_marker=5 out_bonus=10"
    shown = HEAD.replace("rules: gamerules double_blank=25", rules)
    shown = shown.replace("hand B: 3-3 0-0\n", "").replace("+5-4", "+") + "score: A -10, B 45\n"
    taken = claim_by(facts(shown), ruths(), SEATS)
    assert [(hand.points, hand.marker) for hand in taken.hands] == [(0, False), (40, True)]


def test_the_lowest_hand_of_a_blocked_round_may_hide_behind_its_0() -> None:
    """Under `blocked_cap` the score 0 is that of the lowest hand, whatever was in it."""
    rng, seen = Random(3), 0
    for _ in range(300):
        rules = replace(random_rules(rng, 6, mix=False), blocked_cap=True)
        record, shows = random_round(rng, rules, 3, 3)
        told = facts_of(replay(replace(record, told=())))
        if told.ended != "blocked" or not shows:
            continue
        seen += 1
        scores = tuple(Score(hand.player, hand.score or 0) for hand in told.hands)
        hidden = facts_of(replay(replace(record, hands=(None,) * 3, told=scores)))
        points = {hand.score: hand.points for hand in hidden.hands}
        assert points[0] is None
        assert all(points[score] == score for score in points if score)
    assert seen > 3


def test_every_field_of_the_rules_is_compared_or_known_to_have_no_say() -> None:
    silent = set(FIELDS)
    base = rule_set("gamerules", max_pip=6, double_blank=25)
    for name, field in FIELDS.items():
        values = field.choices or (3, 7)
        for value in values if field.kind != "list" else [()]:
            if value != getattr(base, name):
                changed: dict[str, Any] = {name: value}
                other = replace(base, **changed)
                if compare(facts(HEAD), ruths(rules=other), SEATS).differences:
                    silent.discard(name)
    assert silent == {"deal", "engine_order", "starter", "announce_last", "tiebreaks"}
