"""Fills a database with games to look at: one half played, one with a tie that was settled, one large one.

Knows how to deal and count as a table does: hands are what is left of real deals, so every round can be.
"""

from __future__ import annotations

import random
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.urls import reverse

from games.disputes import challenge_add
from games.engine.rules import RuleSet, rule_set
from games.engine.scoring import HandClaim, RoundClaim
from games.engine.tiles import Tile, tiles_of
from games.messages import listed
from games.models import Game, Role
from games.selectors import links_of
from games.services import NEXT_ENGINE, Setup, game_finish, game_start, round_put

FRIDAY = ("Ruth", "Ben", "Chitra", "Wilhelmina", "Ann")
CLUB = (
    *FRIDAY,
    "Graham",
    "Dolores",
    "José María",
    "Kwame",
    "Priya",
    "Big Ben",
    "Margaret-Rose",
    "Old Tom",
    "Siobhán",
)
# Ben and Wilhelmina both come to 297 with two rounds out; Ben's lowest other round is smaller.
MUMS_80TH = (
    (48, 25, 0, 31, 16),
    (33, 2, 36, 0, 29),
    (21, 30, 0, 17, 47),
    (0, 54, 12, 38, 20),
    (37, 0, 26, 41, 33),
    (60, 19, 9, 22, 0),
    (14, 33, 0, 11, 52),
    (0, 28, 45, 27, 18),
    (41, 0, 13, 36, 30),
    (29, 47, 31, 0, 9),
    (38, 21, 0, 35, 24),
    (26, 16, 44, 20, 0),
    (29, 22, 32, 19, 21),
)


class Command(BaseCommand):
    help = "Makes games to look at, once, and prints the links that open them."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--site", default="", help="what stands before the links: http://127.0.0.1:8000")

    def handle(self, *args: Any, **options: Any) -> None:
        if not Game.objects.exists():
            _make_games(random.Random(12))  # noqa: S311 - the same demonstration each time
        for game in Game.objects.order_by("pk"):
            names = listed([player.name for player in game.players.order_by("order")])
            link = reverse("open_scorer", args=[links_of(game)[Role.SCORER].key])
            self.stdout.write(f"{game.name or names}: {options['site']}{link}")


def _make_games(chance: random.Random) -> None:
    friday = game_start(setup=Setup(players=FRIDAY, rules=rule_set(), name="Friday at Ruth’s"), who="Ruth")
    _play(friday.sheet.game, friday.sheet.rules, 6, chance)
    _correct_a_slip(friday.sheet.game)

    tie = game_start(setup=Setup(players=FRIDAY, rules=rule_set(), name="Mum’s 80th"), who="Ann")
    for number, points in enumerate(MUMS_80TH, start=1):
        hands = tuple(HandClaim(seat=seat, points=left) for seat, left in enumerate(points, start=1))
        claim = RoundClaim(NEXT_ENGINE, "out" if 0 in points else "blocked", hands)
        round_put(game=tie.sheet.game, number=number, claim=claim, who="Ann")

    setup = Setup(players=CLUB, rules=rule_set(max_pip=18), name="Club night, table 3")
    club = game_start(setup=setup, who="Kwame")
    _play(club.sheet.game, club.sheet.rules, 6, chance)

    challenge_add(
        game=club.sheet.game,
        number=6,
        seat=2,
        reason="We counted without the 9-6.",
        role=Role.VIEWER,
        who="Dolores’ phone",
    )

    two = game_start(setup=Setup(players=("Kim", "Mike"), rules=rule_set(deal=15)))
    _play(two.sheet.game, two.sheet.rules, 6, chance)
    game_finish(game=two.sheet.game)


def _play(game: Game, rules: RuleSet, rounds: int, chance: random.Random) -> None:
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
        round_put(game=game, number=number, claim=RoundClaim(engine, "out", tuple(hands)), who="Ruth")


def _correct_a_slip(game: Game) -> None:
    """Ben's last hand was written down 6 points short."""
    row = game.rounds.get(number=6)
    hands = tuple(
        HandClaim(
            seat=hand.player.seat,
            points=hand.points + (6 if hand.player.name == "Ben" and not hand.out else 0),
        )
        for hand in row.hands.select_related("player").order_by("player__seat")
    )
    claim = RoundClaim(row.engine, "out", hands)
    round_put(game=game, number=6, claim=claim, who="Ruth", reason="a typing slip")
