"""Abandoned, deleted, brought back, and after 30 days really gone."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from io import StringIO
from typing import Any

import pytest
from django.apps import apps
from django.core.management import call_command
from django.utils import timezone

from games.models import KEPT, AccessKey, Action, Game, LogEntry, Role, SavedAnswer
from games.permissions import access_by_id, access_by_secret, version_by_id, version_by_secret
from games.removal import game_abandon, game_delete, game_remove, game_restore, games_due
from games.selectors import games_by_key, log_of, sheet_of
from games.services import Conflict, Refused, change_redo, change_undo, game_finish, link_replace, round_put
from tests.cast import claim, play, start

pytestmark = pytest.mark.django_db

ROUND = (33, 2, 0, 31, 46)
NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch) -> Callable[[timedelta], None]:
    """Set the clock to so long after noon."""

    def set_clock(since: timedelta) -> None:
        monkeypatch.setattr(timezone, "now", lambda: NOON + since)

    set_clock(timedelta())
    return set_clock


@pytest.fixture
def game(at: Callable[[timedelta], None]) -> Game:
    game = start(name="Friday at Ruth’s").sheet.game
    play(game, ROUND, who="Ruth")
    return game


def now(game: Game) -> Game:
    return Game.objects.get(pk=game.pk)


def remove(*options: str) -> list[str]:
    out = StringIO()
    call_command("remove_games", *options, stdout=out)
    return out.getvalue().splitlines()


def test_an_abandoned_game_is_finished_and_nobody_has_won(game: Game) -> None:
    written = game_abandon(game=game, who="Ruth", version=game.version)

    assert now(game).status == "finished"
    assert now(game).abandoned_at == NOON
    assert not written.sheet.has_result
    assert len(written.sheet.table) == 5
    entry = LogEntry.objects.get(game=game, number=now(game).version)
    assert (entry.action, entry.who) == (Action.ABANDONED, "Ruth")
    assert entry.before == {"game": {"status": "playing", "abandoned_at": None}}


def test_a_finished_game_cannot_be_abandoned(game: Game) -> None:
    game_finish(game=game)
    with pytest.raises(Refused) as refused:
        game_abandon(game=game)
    assert [problem.code for problem in refused.value.problems] == ["abandon_finished"]
    assert now(game).abandoned_at is None


def test_a_game_is_abandoned_once(game: Game) -> None:
    game_abandon(game=game)
    version = now(game).version
    game_abandon(game=game)
    assert now(game).version == version


@pytest.mark.parametrize(
    "take_up",
    [
        lambda game: game_restore(game=game),
        lambda game: change_undo(game=game),
        lambda game: round_put(game=game, number=2, claim=claim(ROUND)),
        lambda game: round_put(game=game, number=1, claim=claim(ROUND)),
    ],
    ids=["restore", "undo", "the next round", "the same round again"],
)
def test_an_abandoned_game_is_taken_up_again(game: Game, take_up: Callable[[Game], Any]) -> None:
    game_abandon(game=game)
    take_up(game)

    assert (now(game).status, now(game).abandoned_at) == ("playing", None)
    assert now(game).version == log_of(game).entries[-1].number


def test_undo_and_redo_go_through_an_abandonment(game: Game) -> None:
    game_abandon(game=game)
    round_put(game=game, number=2, claim=claim(ROUND))
    change_undo(game=game)
    assert now(game).abandoned_at == NOON
    change_undo(game=game)
    assert now(game).abandoned_at is None
    change_redo(game=game)
    assert now(game).abandoned_at == NOON
    change_redo(game=game)
    assert (now(game).status, now(game).abandoned_at) == ("playing", None)


@pytest.mark.parametrize("write", [game_abandon, game_delete, game_restore])
def test_an_old_version_does_nothing(game: Game, write: Callable[..., Any]) -> None:
    before = now(game)
    with pytest.raises(Conflict):
        write(game=game, version=game.version - 1)
    assert (now(game).version, now(game).deleted_at) == (before.version, None)


def test_a_deleted_game_opens_nothing(game: Game) -> None:
    keys = list(AccessKey.objects.filter(game=game))
    game_delete(game=game, who="Ruth")

    for key in keys:
        assert access_by_secret(key.key) is None
        assert access_by_id(key.pk, game.slug) is None
        assert version_by_secret(key.key) is None
        assert version_by_id(key.pk, game.slug) is None
    assert games_by_key([key.pk for key in keys]) == []


def test_nothing_is_written_into_a_deleted_game(game: Game) -> None:
    game_delete(game=game)
    for version in (None, now(game).version):
        with pytest.raises(Refused) as refused:
            round_put(game=game, number=2, claim=claim(ROUND), version=version)
        assert refused.value.code == "not_found"
    assert len(sheet_of(game).rounds) == 1


def test_a_game_that_is_brought_back_is_as_it_was(game: Game) -> None:
    keys = list(game.keys.values_list("key", flat=True))
    before = sheet_of(game)
    game_delete(game=game, who="Ben")
    game_restore(game=game, who="Ruth", version=now(game).version)

    assert now(game).deleted_at is None
    assert sheet_of(now(game)).rounds == before.rounds
    assert all(access_by_secret(key) for key in keys)
    assert [entry.action for entry in log_of(game).entries][-2:] == ["deleted", "restored"]
    change_undo(game=game)  # it passes over both: the round goes
    assert (now(game).deleted_at, sheet_of(game).rounds) == (None, ())


def test_a_deleted_game_that_was_abandoned_comes_back_abandoned(game: Game) -> None:
    game_abandon(game=game)
    game_delete(game=game)
    game_restore(game=game)
    assert now(game).abandoned_at == NOON


@pytest.mark.parametrize("write", [game_abandon, game_delete])
def test_it_is_kept_for_thirty_days_and_then_removed(
    game: Game, at: Callable[[timedelta], None], write: Callable[..., Any]
) -> None:
    write(game=game, who="Ruth")
    at(timedelta(days=29, hours=23))
    assert remove() == ["0 games removed."]
    assert Game.objects.exists()

    at(timedelta(days=30))
    line, total = remove()
    what = "deleted" if write is game_delete else "abandoned"
    assert line == (
        f"Friday at Ruth’s ({game.slug}): {what} 2026-11-29 12:00 by Ruth; "
        "1 round; Ruth, Ben, Chitra, Wilhelmina, Ann"
    )
    assert total == "1 game removed."
    assert not Game.objects.exists()


def test_after_thirty_days_it_cannot_be_brought_back_though_the_command_never_ran(
    game: Game, at: Callable[[timedelta], None]
) -> None:
    key = AccessKey.objects.get(game=game, role=Role.SCORER).key
    game_delete(game=game)
    at(KEPT - timedelta(seconds=1))
    assert access_by_secret(key, deleted=True) is not None
    at(KEPT)
    assert access_by_secret(key, deleted=True) is None
    with pytest.raises(Refused):
        game_restore(game=game)


def test_what_was_brought_back_is_never_removed(game: Game, at: Callable[[timedelta], None]) -> None:
    other = start().sheet.game
    game_delete(game=game)
    game_abandon(game=other)
    at(timedelta(days=30))
    due = [one.game for one in games_due()]
    assert due == [other, game] or due == [game, other]
    Game.objects.update(deleted_at=None, abandoned_at=None)  # between the list and the removal

    assert [game_remove(game=one) for one in due] == [False, False]
    assert Game.objects.count() == 2


def test_an_abandoned_game_that_was_written_in_since_is_kept(
    game: Game, at: Callable[[timedelta], None]
) -> None:
    game_abandon(game=game)
    at(timedelta(days=20))
    link_replace(game=game, role=Role.VIEWER)
    at(timedelta(days=31))
    assert remove("--dry-run") == ["0 games to be removed."]


def test_a_dry_run_lists_and_removes_nothing(game: Game, at: Callable[[timedelta], None]) -> None:
    game_delete(game=game)
    at(timedelta(days=40))
    assert remove("--dry-run")[-1] == "1 game to be removed."
    assert Game.objects.exists()


def test_no_row_of_a_removed_game_is_left(game: Game, at: Callable[[timedelta], None]) -> None:
    other = start().sheet.game
    play(other, ROUND)
    key = AccessKey.objects.get(game=game, role=Role.SCORER)
    for credential in (str(key.pk), ""):
        SavedAnswer.objects.create(credential=credential, method="PUT", path="/", key="k" * 22, body="{}")
    game_delete(game=game)
    at(timedelta(days=30))
    remove()

    assert list(Game.objects.all()) == [other]
    for model in apps.get_app_config("games").get_models():
        if any(field.name == "game" for field in model._meta.concrete_fields):
            assert not model._default_manager.exclude(game=other).exists()
    assert other.rounds.count() == 1
    assert not SavedAnswer.objects.exists()
