"""A thousand random corrections of all kinds leave the kept tables as they would be worked out anew."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest
from django.db import connection

from games.clubs import ClubConflict, member_change, members_add, members_merge
from games.disputes import challenge_add, challenge_rule
from games.engine.rules import rule_set
from games.engine.scheme import ABSENCES, MEASURES, TIEBREAKS, Scheme
from games.models import (
    Challenge,
    ClubGame,
    Doubt,
    Game,
    Member,
    Night,
    Result,
    Role,
    Ruling,
    Season,
)
from games.removal import game_abandon, game_delete, game_restore
from games.results import season_differences, table_of
from games.seasons import (
    doubt_decide,
    doubt_raise,
    doubt_reopen,
    game_add,
    game_begin,
    game_change,
    game_remove,
    night_void,
    scheme_change,
)
from games.services import (
    Conflict,
    Refused,
    Setup,
    adjustment_add,
    change_redo,
    change_undo,
    game_finish,
    player_add,
    player_change,
    round_put,
    round_remove,
)
from games.standing_rows import row_to_data
from tests import club as at_club
from tests.cast import claim
from tests.club import FIRST_NIGHT, night

pytestmark = pytest.mark.django_db

CHECKED_EVERY = 50
ROUNDS = 3


class Secretary:
    """Does one thing after another to a club with two seasons, as the dice have it."""

    def __init__(self, dice: random.Random) -> None:
        self.dice = dice
        self.club = at_club.found()
        self.seasons = [at_club.season(self.club, tiebreaks=("head_to_head", "wins")) for _ in range(2)]
        self.done: Counter[str] = Counter()
        for at in range(1, 7):
            names = dice.sample(self.names(), 3)
            night(self.seasons[at % 2], at, names, *([dice.sample((0, 5, 9), 3)] * 2))

    def step(self) -> str:
        """One thing that was not refused; its name."""
        kinds = [name for name in dir(self) if name.startswith("do_")]
        while True:
            name = self.dice.choice([*kinds, *["do_put"] * 6, *["do_finish"] * 3, *["do_restore"] * 3])
            try:
                done = getattr(self, name)()
            except (Refused, Conflict, ClubConflict):
                continue
            if done is not False:
                self.done[name] += 1
                return name

    def names(self) -> list[str]:
        return list(Member.objects.filter(club=self.club, merged_into=None).values_list("name", flat=True))

    def numbers(self) -> list[int]:
        members = Member.objects.filter(club=self.club, merged_into=None)
        return list(members.values_list("number", flat=True))

    def member(self) -> int:
        return self.dice.choice(self.numbers())

    def season(self) -> Season:
        return self.dice.choice(self.seasons)

    def day(self) -> date:
        return FIRST_NIGHT + timedelta(weeks=self.dice.randrange(5))

    def played(self) -> ClubGame:
        keys = list(ClubGame.objects.order_by("pk").values_list("pk", flat=True))
        return ClubGame.objects.get(pk=self.dice.choice(keys)) if keys else self.begun()

    def game(self) -> Game:
        return self.played().game

    def seats(self, game: Game) -> list[int]:
        return list(game.players.order_by("seat").values_list("seat", flat=True))

    def seated(self, game: Game) -> dict[int, int | None]:
        some = [None, *self.dice.sample(self.numbers(), 3)]
        return {seat: some[at % 4] for at, seat in enumerate(self.seats(game), start=self.dice.randrange(4))}

    def points(self) -> int:
        return self.dice.choice((0, 5, 5, 9, 30))

    def begun(self) -> ClubGame:
        names = self.dice.sample([*self.names(), "Visitor", "Guest"], 3)
        setup = Setup(players=names, rules=rule_set(), rounds=ROUNDS)
        started = game_begin(season=self.season(), on=self.day(), setup=setup)
        return ClubGame.objects.get(game=started.sheet.game)

    # Games

    def do_put(self) -> None:
        game = self.game()
        number = self.dice.randint(1, min(ROUNDS, game.rounds.count() + 1))
        points = [self.points() for _ in self.seats(game)]
        ended = "out" if 0 in points else "blocked"
        round_put(game=game, number=number, claim=claim(points, ended=ended), disputed=True, reason="so")

    def do_remove_round(self) -> None:
        game = self.game()
        round_remove(game=game, number=game.rounds.count())

    def do_finish(self) -> None:
        game_finish(game=self.game())

    def do_undo(self) -> None:
        change_undo(game=self.game())

    def do_redo(self) -> None:
        game = self.game()
        change_undo(game=game)
        change_redo(game=game)

    def do_adjust(self) -> None:
        game = self.game()
        adjustment_add(game=game, seat=self.dice.choice(self.seats(game)), points=7, reason="late")

    def do_join(self) -> None:
        player_add(game=self.game(), name=f"Late {self.done.total()}", start="average")

    def do_retire(self) -> None:
        game = self.game()
        player_change(game=game, seat=self.dice.choice(self.seats(game)), retired=self.dice.random() < 0.5)

    def do_rule(self) -> None:
        game = self.game()
        seat = self.dice.choice(self.seats(game))
        challenge_add(game=game, number=1, seat=seat, points=self.points(), reason="seen", role=Role.VIEWER)
        number = Challenge.objects.filter(game=game).order_by("-number")[0].number
        challenge_rule(game=game, number=number, ruling=Ruling.UPHELD, reason="so", disputed=True)

    def do_abandon(self) -> None:
        game_abandon(game=self.game())

    def do_delete(self) -> None:
        game_delete(game=self.game())

    def do_restore(self) -> bool:
        games = Game.objects.exclude(deleted_at=None, abandoned_at=None).order_by("pk")
        if not games:
            return False
        game_restore(game=self.dice.choice(list(games)))
        return True

    # The season

    def do_begin(self) -> bool:
        if ClubGame.objects.count() > 10:
            return False
        self.begun()
        return True

    def do_add(self) -> bool:
        free = list(Game.objects.filter(at_club=None, deleted_at=None).order_by("pk"))
        if not free:
            return False
        game = self.dice.choice(free)
        seats = self.seated(game)
        game_add(season=self.season(), on=self.day(), game=game, seats=seats)
        return True

    def do_remove(self) -> None:
        game_remove(played=self.played())

    def do_seat(self) -> None:
        played = self.played()
        game_change(played=played, seats=self.seated(played.game))

    def do_forfeit(self) -> None:
        played = self.played()
        some = self.dice.choice(([], self.seats(played.game)[:1], self.seats(played.game)))
        game_change(played=played, forfeits=frozenset(some))

    def do_void(self) -> None:
        played = self.played()
        game_change(played=played, void=not played.void, reason="so")

    def do_void_night(self) -> None:
        one = self.dice.choice(list(Night.objects.order_by("pk")))
        night_void(season=one.season, on=one.on, void=not one.void, reason="so")

    def do_scheme(self) -> None:
        scheme = Scheme(
            measure=self.dice.choice(MEASURES),
            best=self.dice.choice((None, 1, 2)),
            absence=self.dice.choice(ABSENCES),
            least_nights=self.dice.choice((0, 2)),
            tiebreaks=tuple(self.dice.sample(list(TIEBREAKS), 2)),
        )
        scheme_change(season=self.season(), scheme=scheme, reason="voted")

    def do_doubt(self) -> None:
        played = self.played()
        score = {"round": 1, "seat": self.dice.choice(self.seats(played.game)), "points": self.points()}
        doubt_raise(played=played, other=self.dice.choice(({"void": not played.void}, score)), reason="so")

    def do_decide(self) -> bool:
        return self.doubt(
            lambda doubt: doubt_decide(doubt=doubt, stands=self.dice.random() < 0.3, reason="so")
        )

    def do_appeal(self) -> bool:
        return self.doubt(lambda doubt: doubt_reopen(doubt=doubt, reason="so"))

    def doubt(self, change: Callable[[Doubt], Any]) -> bool:
        doubts = list(Doubt.objects.select_related("club_game__night__season", "club_game__game"))
        if doubts:
            change(self.dice.choice(doubts))
        return bool(doubts)

    # People

    def do_add_member(self) -> bool:
        if len(self.names()) > 9:
            return False
        members_add(club=self.club, names=[f"New {self.done.total()}"], joined_on=self.day())
        return True

    def do_leave(self) -> None:
        left = {"left_on": self.day()} if self.dice.random() < 0.5 else {"stays": True, "since_ever": True}
        member_change(club=self.club, number=self.member(), **left)

    def do_merge(self) -> bool:
        if len(self.names()) < 6:
            return False
        members_merge(club=self.club, number=self.member(), into=self.member())
        return True


@pytest.mark.long
def test_a_thousand_random_corrections_leave_no_difference(
    size: Callable[[int, int], int], figures: Callable[..., None]
) -> None:
    secretary = Secretary(random.Random(12))
    steps: list[str] = []
    count = size(1_000 if connection.vendor == "sqlite" else 100, 1_000)
    while len(steps) < count:
        steps.append(secretary.step())
        season = secretary.seasons[len(steps) % 2]  # the next step may make good what this one left wrong
        season.refresh_from_db(fields=["scheme"])
        assert kept(season) == anew(season), f"after {steps[-2:]}"
        if len(steps) % CHECKED_EVERY == 0:
            assert [season_differences(one) for one in secretary.seasons] == [[], []]
            assert with_results() == that_count()
    figures(corrections=count, of_kinds=len(secretary.done), differences=0)
    kinds = {name for name in dir(secretary) if name.startswith("do_")}
    assert {name for name in kinds if secretary.done[name] < count // 300} == set()


def kept(season: Season) -> list[tuple[Any, ...]]:
    return list(season.standings.order_by("position").values_list("position", "member", "place", "data"))


def anew(season: Season) -> list[tuple[Any, ...]]:
    rows = enumerate(table_of(season), start=1)
    return [(at, row.person, row.place, row_to_data(row)) for at, row in rows]


def with_results() -> set[int]:
    return set(Result.objects.values_list("club_game", flat=True))


def that_count() -> set[int]:
    """Finished games that were neither abandoned nor deleted, or were brought back."""
    games = ClubGame.objects.filter(game__status="finished", game__abandoned_at=None, game__deleted_at=None)
    return set(games.exclude(game__rounds=None).values_list("pk", flat=True))
