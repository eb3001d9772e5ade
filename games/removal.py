"""A game abandoned, deleted and brought back, and what is left of it after 30 days: nothing.

Knows how long a game is kept, and what goes with it. Must not know who asks, or how it is told.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from games.engine.errors import Problem
from games.models import KEPT, Action, ClubGame, Game, LogEntry, SavedAnswer, Status
from games.selectors import sheet_of
from games.services import ANSWERS_KEPT, Refused, Written, finish_write, lock_game


@dataclass(frozen=True, slots=True)
class Due:
    """A game whose 30 days are over. `who`: by whom it was deleted or abandoned; blank: the scorer link."""

    game: Game
    at: datetime
    deleted: bool
    who: str
    players: tuple[str, ...]
    rounds: int


@transaction.atomic
def game_abandon(*, game: Game, who: str = "", version: int | None = None) -> Written:
    """Stop a game without a result: it stays readable, and nobody has won. One that is abandoned stays so.

    A round put later, Undo, or `game_restore` takes it up again. Refused("invalid") if it is finished.
    """
    game = lock_game(game, version)
    if game.abandoned_at is not None:
        return Written(sheet_of(game))
    if game.status == Status.FINISHED:
        raise Refused("invalid", [Problem("abandon_finished")])
    game.status, game.abandoned_at = Status.FINISHED, timezone.now()
    return finish_write(game, action=Action.ABANDONED, who=who, before={}, after={}, keep_status=True)


@transaction.atomic
def game_delete(*, game: Game, who: str = "", version: int | None = None) -> Written:
    """Take a game away from everybody. Whoever keeps score can bring it back for 30 days (`KEPT`)."""
    game = lock_game(game, version)
    game.deleted_at = timezone.now()
    return finish_write(game, action=Action.DELETED, who=who, before={}, after={}, keep_status=True)


@transaction.atomic
def game_restore(*, game: Game, who: str = "", version: int | None = None) -> Written:
    """Bring a deleted game back as it was, or take up an abandoned one; any other stays as it is.

    Refused("not_found") once a deleted game's 30 days are over.
    """
    game = lock_game(game, version, deleted=True)
    if game.deleted_at is not None:
        if game.deleted_at <= timezone.now() - KEPT:
            raise Refused("not_found", [Problem("game_deleted")])
        game.deleted_at = None
        return finish_write(game, action=Action.RESTORED, who=who, before={}, after={}, keep_status=True)
    if game.abandoned_at is None:
        return Written(sheet_of(game))
    return finish_write(game, action=Action.RESUMED, who=who, before={}, after={})


def deleted_by(games: Collection[Game]) -> dict[int, str]:
    """By primary key, who deleted each of them last, or abandoned it; blank: the scorer link."""
    over = {Action.ABANDONED, Action.DELETED}
    entries = LogEntry.objects.filter(game__in=games, action__in=over).order_by("number")
    deleted = {game.pk for game in games if game.deleted_at is not None}
    return {
        entry.game_id: entry.who
        for entry in entries
        if (entry.action == Action.DELETED) == (entry.game_id in deleted)
    }


def games_due() -> list[Due]:
    """The games to be removed for good, the oldest first.

    An abandoned game that was written in since, as by a new link, is kept for 30 days from then on; one of a
    club's night stays.
    """
    return [_due(game) for game in Game.objects.filter(_over()).order_by("deleted_at", "abandoned_at", "pk")]


def _over() -> Q:
    until = timezone.now() - KEPT
    at_club = Exists(ClubGame.objects.filter(game=OuterRef("pk")))  # its nights tell what became of them
    left = Q(~at_club, deleted_at=None, abandoned_at__lte=until, changed_at__lte=until)
    return Q(deleted_at__lte=until) | left


def _due(game: Game) -> Due:
    at = game.deleted_at or game.abandoned_at
    assert at is not None  # noqa: S101 - as _over has it
    return Due(
        game=game,
        at=at,
        deleted=game.deleted_at is not None,
        who=deleted_by([game]).get(game.pk, ""),
        players=tuple(game.players.order_by("order", "seat").values_list("name", flat=True)),
        rounds=game.rounds.count(),
    )


@transaction.atomic
def game_remove(*, game: Game) -> bool:
    """Remove a game with everything that hangs on it; False if it was brought back meanwhile."""
    locked = Game.objects.select_for_update().filter(_over(), pk=game.pk).first()
    if locked is None:
        return False
    forget_answers([str(pk) for pk in locked.keys.values_list("pk", flat=True)])
    locked.delete()
    return True


def forget_answers(credentials: Sequence[str] = ()) -> None:
    """Answers that were kept to be given again: those of these keys, and all that are a day old."""
    old = Q(created_at__lt=timezone.now() - ANSWERS_KEPT)
    SavedAnswer.objects.filter(old | Q(credential__in=credentials)).delete()
