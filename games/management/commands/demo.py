"""Fills a database to look at: games half played, a settled tie, records, and a club in mid-season."""

from __future__ import annotations

import random
from itertools import chain
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.urls import reverse

from games.disputes import challenge_add
from games.engine.rules import rule_set
from games.engine.scoring import HandClaim, RoundClaim
from games.management.dealt import play
from games.management.demo_club import club_lines, make_club
from games.management.demo_records import make_written, record_lines
from games.messages import listed
from games.models import Club, Game, Role
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
ROUNDS = 3
SEASON = 7  # two pairs are level after it, one of them apart by their meetings


class Command(BaseCommand):
    help = "Makes games and a club to look at, once, and prints the links that open them."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--site", default="", help="what stands before the links: http://127.0.0.1:8000")

    def handle(self, *args: Any, **options: Any) -> None:
        if not Game.objects.exists():
            _make_games(random.Random(12))  # noqa: S311 - the same demonstration each time
            make_written(random.Random(ROUNDS))  # noqa: S311
        if not Club.objects.exists():
            make_club(random.Random(SEASON))  # noqa: S311
        for game in Game.objects.filter(at_club=None).order_by("pk"):
            names = listed([player.name for player in game.players.order_by("order")])
            link = reverse("open_scorer", args=[links_of(game)[Role.SCORER].key])
            self.stdout.write(f"{game.name or names}: {options['site']}{link}")
        for what, path in chain(record_lines(), club_lines()):
            self.stdout.write(f"{what}: {options['site']}{path}")


def _make_games(chance: random.Random) -> None:
    friday = game_start(setup=Setup(players=FRIDAY, rules=rule_set(), name="Friday at Ruth’s"), who="Ruth")
    play(friday.sheet.game, friday.sheet.rules, 6, chance)
    _correct_a_slip(friday.sheet.game)

    tie = game_start(setup=Setup(players=FRIDAY, rules=rule_set(), name="Mum’s 80th"), who="Ann")
    for number, points in enumerate(MUMS_80TH, start=1):
        hands = tuple(HandClaim(seat=seat, points=left) for seat, left in enumerate(points, start=1))
        claim = RoundClaim(NEXT_ENGINE, "out" if 0 in points else "blocked", hands)
        round_put(game=tie.sheet.game, number=number, claim=claim, who="Ann")

    setup = Setup(players=CLUB, rules=rule_set(max_pip=18), name="Club night, table 3")
    club = game_start(setup=setup, who="Kwame")
    play(club.sheet.game, club.sheet.rules, 6, chance)

    challenge_add(
        game=club.sheet.game,
        number=6,
        seat=2,
        reason="We counted without the 9-6.",
        role=Role.VIEWER,
        who="Dolores’ phone",
    )

    two = game_start(setup=Setup(players=("Kim", "Mike"), rules=rule_set(deal=15)))
    play(two.sheet.game, two.sheet.rules, 6, chance)
    game_finish(game=two.sheet.game)


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
