"""Plays games as a table does: hands are what is left of real deals, so every round can be."""

from __future__ import annotations

import random

from games.engine.rules import RuleSet
from games.engine.scoring import HandClaim, RoundClaim
from games.engine.tiles import Tile, tiles_of
from games.models import Game
from games.services import round_put


def play(game: Game, rules: RuleSet, rounds: int, chance: random.Random, who: str = "Ruth") -> None:
    """Rounds with the hands that a shuffled set leaves: dealt, some laid, one player out."""
    seats = range(1, game.players.count() + 1)
    deal = rules.deal_for(len(seats)) or 7
    for number in range(1, rounds + 1):
        engine = game.first_engine - number + 1
        tiles = [tile for tile in tiles_of(rules.max_pip) if tile != Tile(engine, engine)]
        chance.shuffle(tiles)
        out = chance.choice(seats)
        hands = []
        for seat in seats:
            left = 0 if seat == out else chance.randint(1, max(2, deal * 2 // 3))
            hand = tuple(str(tiles.pop()) for _ in range(left))
            points = None if seat != out else 0
            hands.append(HandClaim(seat=seat, points=points, tiles=hand if seat != out else None))
        round_put(game=game, number=number, claim=RoundClaim(engine, "out", tuple(hands)), who=who)
