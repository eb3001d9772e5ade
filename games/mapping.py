"""Translates rows into engine values and back; nothing else does.

Knows both shapes. Must not decide anything: the engine judges, the services write.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from games.engine.errors import Problem
from games.engine.rules import RuleSet, rule_set
from games.engine.scoring import Hand as EngineHand
from games.engine.scoring import HandClaim, RoundClaim
from games.engine.standings import PlayerResult, RoundResult
from games.models import Challenge, Game, Hand, Player, Round

# A hand as the log and the API write it.
HandData = dict[str, Any]
RoundData = dict[str, Any]
RecordData = dict[str, Any]
PlayerData = dict[str, Any]
ChallengeData = dict[str, Any]
CHALLENGE_FIELDS = (
    *("round_number", "seat", "was", "points", "reason", "who", "role", "at"),
    *("ruling", "ruling_reason", "ruled_by", "ruled_at"),
)
PLAYER_FIELDS = ("name", "order", "from_round", "to_round", "start_total", "adjustments")


def rules_from_data(data: Mapping[str, Any]) -> RuleSet:
    """The rule card a game keeps in its `rules` column."""
    fields = dict(data)
    return rule_set(fields.pop("preset"), **{**fields, "tiebreaks": tuple(fields["tiebreaks"])})


def rules_to_data(rules: RuleSet) -> dict[str, Any]:
    """Every field of the card, preset name included, as JSON."""
    data = dataclasses.asdict(rules)
    data["tiebreaks"] = list(rules.tiebreaks)
    return data


def rules_of(game: Game) -> RuleSet:
    return rules_from_data(game.rules)


def hand_to_data(hand: EngineHand, score: int) -> HandData:
    return {
        "seat": hand.seat,
        "points": hand.points,
        "score": score,
        "out": hand.out,
        "marker": hand.marker,
        "tile_count": hand.tile_count,
        "tiles": None if hand.tiles is None else [str(tile) for tile in hand.tiles],
    }


def hand_row_to_data(hand: Hand, seat: int) -> HandData:
    return {
        "seat": seat,
        "points": hand.points,
        "score": hand.score,
        "out": hand.out,
        "marker": hand.marker,
        "tile_count": hand.tile_count,
        "tiles": hand.tiles,
    }


def round_to_data(row: Round, hands: Iterable[HandData]) -> RoundData:
    return {
        "number": row.number,
        "engine": row.engine,
        "ended": row.ended,
        "disputed": row.disputed,
        "marks": row.marks,
        "warnings": row.warnings,
        "confirmed": row.confirmed,
        "hands": list(hands),
    }


def record_to_data(row: Round) -> RecordData | None:
    """The record that is attached to a round; apart from the round, so that the log tells it once."""
    return {"record": row.record, "seats": row.record_seats} if row.record else None


def player_to_data(player: Player) -> PlayerData:
    return {name: getattr(player, name) for name in PLAYER_FIELDS}


def challenge_to_data(challenge: Challenge) -> ChallengeData:
    """All but its number, as JSON: times as text."""
    found = {name: getattr(challenge, name) for name in CHALLENGE_FIELDS}
    return {
        name: value.isoformat() if isinstance(value, datetime) else value for name, value in found.items()
    }


def claim_from_data(data: RoundData) -> RoundClaim:
    """A saved round as a claim again, so that one hand of it can be changed and the whole checked.

    Who went out is left to follow from the points and tile counts, as they will be after the change; only
    what they would contradict, in a round that is in doubt, is told again.
    """
    blocked = data["ended"] == "blocked"
    return RoundClaim(
        engine=data["engine"],
        ended=data["ended"],
        hands=tuple(
            HandClaim(
                seat=hand["seat"],
                points=hand["points"],
                tile_count=hand["tile_count"],
                tiles=None if hand["tiles"] is None else tuple(hand["tiles"]),
                out=hand["out"] if hand["points"] == 0 and (blocked or not hand["out"]) else None,
                marker=hand["marker"],
            )
            for hand in data["hands"]
        ),
    )


def warning_to_data(warning: Problem) -> dict[str, Any]:
    return {"code": warning.code, "seat": warning.seat}


def results(
    players: Sequence[Any], rounds: Iterable[tuple[int, Mapping[int, Any]]], rounds_in: int
) -> list[PlayerResult]:
    """Players (rows or look-alikes) and (round number, seat → hand) pairs as the standings take them."""
    grid = list(rounds)
    return [
        PlayerResult(
            seat=player.seat,
            rounds=tuple(
                RoundResult(number=number, points=hand.points, score=hand.score, out=hand.out)
                for number, hands in grid
                if (hand := hands.get(player.seat)) is not None
            ),
            start_total=player.start_total,
            retired=player.to_round is not None and player.to_round <= rounds_in,
            adjustments=tuple(one["points"] for one in player.adjustments),
        )
        for player in players
    ]
