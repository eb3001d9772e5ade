"""A game whose rounds were written down move by move: proved by a record, against one, being written."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

from django.urls import reverse

from games.drafts import draft_start, draft_tap
from games.engine.moves import Action, Draw, Lay, Move
from games.engine.reading import parse_record
from games.engine.record import Record, Turn, print_record
from games.engine.replay import replay
from games.engine.round import legal_moves
from games.engine.rules import rule_set
from games.engine.scoring import HandClaim, RoundClaim
from games.engine.suits import numbers, tile_number, tile_text, whole_set
from games.engine.taps import Tap
from games.engine.writing import blocked, now, written
from games.models import RecordDraft, SharedRecord
from games.round_records import record_attach
from games.services import Setup, game_start, round_put
from games.shared_records import record_share

NAMES = ("Ruth", "Ben", "Chitra", "Ann")
TITLE = "Written down"
SLIP = 9  # points that the longest hand of round 2 is short of
WRITTEN = 14  # turns of the round that is still being written
_HERE = "demo"  # in the place of an address


def make_written(chance: random.Random) -> None:
    """Round 1 as its record has it, round 2 a slip apart, round 3 as far as it was played."""
    game = game_start(setup=Setup(players=NAMES, rules=rule_set(), name=TITLE), who="Ruth").sheet.game
    first, second, third = (_played(_dealt(game.first_engine - at, chance), chance) for at in range(3))
    for number, record in enumerate((first, second), start=1):
        scores = replay(record).scores or {}
        points = [scores[player] or 0 for player in record.players]
        if number == 2:
            points[points.index(max(points))] -= SLIP
        hands = [HandClaim(seat=seat, points=left) for seat, left in enumerate(points, start=1)]
        claim = RoundClaim(record.engine, record.ended or "out", tuple(hands))
        round_put(game=game, number=number, claim=claim, who="Ruth")
        record_attach(game=game, number=number, text=print_record(record), who="Ruth")
    draft = draft_start(record=third, address=_HERE, most=1, game=game, round_number=3)
    for turn in third.turns[:WRITTEN]:
        for move in turn.actions:
            draft = draft_tap(draft=draft, version=draft.version, tap=_tap(move))
    record_share(text=print_record(_broken(first)), address=_HERE)


def record_lines() -> Iterator[tuple[str, str]]:
    """What to open, and how: (words, path)."""
    for draft in RecordDraft.objects.filter(game__name=TITLE):
        yield f"{TITLE}, round {draft.round_number} move by move", reverse("written", args=[draft.key])
    for record in SharedRecord.objects.order_by("pk")[:1]:
        yield "A round in which a rule was broken", reverse("verdict", args=[record.slug])


def _dealt(engine: int, chance: random.Random) -> Record:
    """The header of a round whose hands are all known; somebody holds the engine."""
    rules = rule_set()
    tiles = list(numbers(whole_set(rules.max_pip)))
    deal = rules.deal_for(len(NAMES)) or 0
    while True:
        chance.shuffle(tiles)
        hands = [tiles[at * deal : (at + 1) * deal] for at in range(len(NAMES))]
        holders = [at for at, hand in enumerate(hands) if tile_number(engine, engine) in hand]
        if holders:
            break
    players = "ABCD"
    names = ", ".join(f"{player}={name}" for player, name in zip(players, NAMES, strict=True))
    lines = [f"players: {names}", f"engine: {engine}-{engine} {players[holders[0]]}"]
    lines += [
        f"hand {player}: {' '.join(map(tile_text, hand))}"
        for player, hand in zip(players, hands, strict=True)
    ]
    return parse_record("\n".join(lines))


def _played(record: Record, chance: random.Random) -> Record:
    """The round to its end: a tile where one can be laid, else what the rules leave."""
    unseen = whole_set(record.rules.max_pip)
    for hand in record.hands:
        unseen &= ~(hand or 0)
    yard = list(numbers(unseen))
    chance.shuffle(yard)
    while not record.ended:
        state = now(record).state
        if state.is_blocked:
            return blocked(record)
        moves = legal_moves(state)
        move: Move = chance.choice([move for move in moves if isinstance(move, Lay)] or moves)
        record = written(record, Draw(yard.pop()) if isinstance(move, Draw) else move)
    return record


def _broken(record: Record) -> Record:
    """The same round, but for one tile that goes on somebody's closed train, where it matches."""
    for at, turn in enumerate(record.turns):
        for train in record.players:
            moved = tuple(replace(one, train=train) if isinstance(one, Lay) else one for one in turn.actions)
            turns = (*record.turns[:at], Turn(turn.player, moved), *record.turns[at + 1 :])
            found = replay(other := replace(record, turns=turns)).violation
            if found is not None and found.code == "train_closed":
                return other
    return record


def _tap(move: Action) -> Tap:
    if isinstance(move, Lay):
        return Tap("lay", move.number, move.train)
    return Tap("draw", move.number) if isinstance(move, Draw) else Tap("pass")
