"""Databases full of clubs: one season of a realistic size, and as many more like it as are asked for.

The season is made once and then copied by the database itself, row by row in turn with all others, so that
the rows of one season lie as scattered as a site's do after years.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

from django.core.management.color import no_style
from django.db import connection, models, transaction

from games import mapping, results
from games.engine.rules import rule_set
from games.engine.scheme import Scheme
from games.models import (
    Club,
    ClubGame,
    ClubSeat,
    Game,
    Hand,
    Member,
    Night,
    Player,
    Result,
    Round,
    Season,
    Standing,
    Status,
)
from games.standing_rows import scheme_to_data

MEMBERS, NIGHTS, TABLES, SEATS, ROUNDS = 40, 22, 6, 6, 13
SCORES = (NIGHTS * TABLES + 1) * SEATS * ROUNDS  # of a season, with one game beside it that is nobody's
SCHEME = Scheme(
    best=15,
    least_nights=5,
    absence="worst_plus_one",
    tiebreaks=("head_to_head", "wins", "zero_rounds", "lowest_nonzero"),
)
COPIED: tuple[type[models.Model], ...] = (
    Club,
    Member,
    Season,
    Night,
    Game,
    Player,
    Round,
    Hand,
    ClubGame,
    ClubSeat,
    Result,
    Standing,
)
STRIDE, BASE = 1_000, 100_000_000  # where the copies' keys lie
MEASURED = 7  # which of the copies is looked at
FIRST_NIGHT = date(2026, 1, 8)


def fill(clubs: int) -> int:
    """`clubs` clubs, each with a season of SCORES round scores; how many scores there are in all."""
    with transaction.atomic():
        _template()
    first, last = (MEASURED, MEASURED) if clubs == 1 else (0, clubs - 1)
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA cache_size = -256000")  # KiB
    with transaction.atomic(), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL session_replication_role = replica")  # the copies need no checking
        for model in COPIED:
            cursor.execute(_copy(model, first, last))
        for model in reversed(COPIED):
            cursor.execute(f"DELETE FROM {model._meta.db_table} WHERE id < {BASE}")
        for statement in connection.ops.sequence_reset_sql(no_style(), list(COPIED)):
            cursor.execute(statement)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("VACUUM ANALYZE")
    return Hand.objects.count()


def measured() -> tuple[Season, Game, Game]:
    """The season to be looked at, a game of its middle, and a game of the same size without a club."""
    club = Club.objects.get(slug=_slug_of(MEASURED))
    season = Season.objects.get(club=club)
    at_club = ClubGame.objects.filter(night__season=season).order_by("pk")[NIGHTS * TABLES // 2]
    alone = Game.objects.get(slug=f"alone{MEASURED:05d}")
    return season, at_club.game, alone


def _slug_of(copy: int) -> str:
    return f"clubs{copy:05d}"


def _copy(model: type[models.Model], first: int, last: int) -> str:
    """A statement that copies all rows of a model for each number, and changes the keys in them alike."""
    table, values = model._meta.db_table, []
    for field in model._meta.concrete_fields:
        column = f't."{field.column}"'
        if field.primary_key or (field.is_relation and field.related_model in COPIED):
            values.append(f"{BASE} + {column} * {STRIDE} + n.x")
        elif field.name == "slug":
            number = "printf('%05d', n.x)" if connection.vendor == "sqlite" else "lpad(n.x::text, 5, '0')"
            values.append(f"{column} || {number}")
        elif field.name == "uid":
            new = "lower(hex(randomblob(16)))" if connection.vendor == "sqlite" else "gen_random_uuid()"
            values.append(new)
        else:
            values.append(column)
    columns = ", ".join(f'"{field.column}"' for field in model._meta.concrete_fields)
    copies = f"WITH RECURSIVE n(x) AS (SELECT {first} UNION ALL SELECT x + 1 FROM n WHERE x < {last})"
    rows = f"SELECT {', '.join(values)} FROM {table} t, n ORDER BY t.id, n.x"
    return f"INSERT INTO {table} ({columns}) {copies} {rows}"


def _template() -> None:
    """The season that is copied: its rows as the services would have written them."""
    dice = random.Random(1)
    club = Club.objects.create(slug="clubs", name="Thursday Dominoes", public=True)
    season = Season.objects.create(
        club=club, number=1, name="Winter", starts_on=FIRST_NIGHT, scheme=scheme_to_data(SCHEME)
    )
    members = [Member(club=club, number=at, name=f"Member {at}") for at in range(1, MEMBERS + 1)]
    members = Member.objects.bulk_create(members)
    for at in range(NIGHTS):
        night = Night.objects.create(season=season, on=FIRST_NIGHT + timedelta(weeks=at))
        there = dice.sample(members, TABLES * SEATS)
        for table in range(TABLES):
            seated = there[table * SEATS : (table + 1) * SEATS]
            game = _game(dice, {"slug": f"g{at:02d}{table:02d}"}, [one.name for one in seated])
            played = ClubGame.objects.create(night=night, game=game)
            ClubSeat.objects.bulk_create(
                ClubSeat(club_game=played, seat=seat, member=member)
                for seat, member in enumerate(seated, start=1)
            )
    results.season_rebuild(season)
    _game(dice, {"slug": "alone"}, [f"Player {seat}" for seat in range(1, SEATS + 1)])


def _game(dice: random.Random, about: Mapping[str, Any], names: list[str]) -> Game:
    rules = mapping.rules_to_data(rule_set())
    game = Game.objects.create(
        rules=rules, first_engine=12, round_count=ROUNDS, status=Status.FINISHED, **about
    )
    players = Player.objects.bulk_create(
        Player(game=game, seat=seat, order=seat, name=name) for seat, name in enumerate(names, start=1)
    )
    rounds = Round.objects.bulk_create(
        Round(game=game, number=number, engine=ROUNDS - number, ended="out")
        for number in range(1, ROUNDS + 1)
    )
    hands = []
    for one in rounds:
        out = dice.choice(players)
        for player in players:
            points = 0 if player is out else dice.randint(1, 60)
            hands.append(Hand(round=one, player=player, points=points, score=points, out=player is out))
    Hand.objects.bulk_create(hands)
    return game
