"""An exported game that is brought in elsewhere is the same game, but for its address and its keys."""

from __future__ import annotations

import json
import random
import uuid
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from django.apps import apps
from django.db.models import Model
from django.utils import timezone

from games.disputes import score_decide
from games.files.bring_in import Brought, games_bring_in, look_into
from games.files.errors import NotBroughtIn
from games.files.export import (
    GAME_FORMAT,
    LEFT_OUT,
    NOT_EXPORTED,
    TRAVEL,
    as_json,
    backup_data,
    game_data,
)
from games.models import KEPT, AccessKey, Action, Game, LogEntry, Role, Round, Status
from games.permissions import access_by_secret
from games.removal import game_abandon, game_delete
from games.selectors import log_of, sheet_of
from games.services import change_redo, change_undo, game_finish
from tests.cast import play, start
from tests.files.table import random_game

pytestmark = pytest.mark.django_db

SEEDS = range(25)


def bring_in(data: Any) -> list[Brought]:
    raw = data if isinstance(data, bytes) else as_json(data).encode()
    return games_bring_in(incoming=look_into(raw))


def moved(game: Game) -> Game:
    """The game brought in where nobody knows it."""
    raw = as_json(game_data(game))
    game.delete()
    (brought,) = bring_in(raw.encode())
    assert brought.how == "new"
    assert brought.access is not None
    return brought.access.game


def test_games_that_move_are_the_identical_games() -> None:
    """Corrections, Undo, Redo, disputes, blocked rounds and early ends: each is met, and more than once."""
    other: dict[int, Game] = {}
    for seed in SEEDS:
        game = random_game(random.Random(seed))
        before, table = game_data(game), sheet_of(game).table
        slug, keys = game.slug, set(game.keys.values_list("key", flat=True))

        there = moved(game)

        if (game_data(there), sheet_of(there).table) != (before, table):
            other[seed] = there
        assert there.slug != slug
        assert keys.isdisjoint(there.keys.values_list("key", flat=True))

    assert other == {}
    assert Game.objects.count() == len(SEEDS)
    actions = Counter(LogEntry.objects.values_list("action", flat=True))
    assert min(actions[action] for action in Action.values) > 1
    assert Round.objects.filter(disputed=True).count() > 2
    assert Round.objects.filter(ended="blocked").count() > 2


def test_a_moved_game_plays_on() -> None:
    game = start(rounds=3).sheet.game
    play(game, (33, 2, 0, 31, 46), (0, 14, 26, 45, 51))
    game_finish(game=game)

    there = moved(game)
    change_undo(game=there)
    change_undo(game=there)
    change_redo(game=there)
    play(there, (5, 0, 7, 9, 10))

    assert len(sheet_of(there).rounds) == 3
    assert [entry.number for entry in log_of(there).entries] == list(range(1, there.version + 1))


@pytest.mark.parametrize("action", ["decided", "round_corrected"])  # as logs tell it, and once told it
def test_a_game_ended_early_moves_with_what_a_doubt_of_it_decided(action: str) -> None:
    game = start(rounds=3).sheet.game
    play(game, (33, 2, 0, 31, 46))
    game_finish(game=game)
    score_decide(game=game, number=1, seat=1, points=30, reason="Two witnesses")
    LogEntry.objects.filter(game=game, action=Action.DECIDED).update(action=action)
    game.refresh_from_db()
    assert game.status == Status.FINISHED
    before = game_data(game)

    assert game_data(moved(game)) == before


def test_the_same_game_is_never_there_twice() -> None:
    game = start().sheet.game
    data = game_data(game)

    assert [one.how for one in bring_in(data)] == ["closed"]
    assert Game.objects.count() == 1
    game.delete()
    twice = {"format": "scorekeeper-games", "format_version": 1, "games": [data, data]}
    assert [one.how for one in bring_in(twice)] == ["new"]
    assert Game.objects.count() == 1


def test_an_old_file_changes_nothing_in_a_game_that_has_moved_on() -> None:
    game = start().sheet.game
    data = game_data(game)
    play(game, (33, 2, 0, 31, 46))
    now = game_data(game)

    bring_in(data)

    assert game_data(game) == now


def test_a_game_whose_thirty_days_are_over_comes_in_anew() -> None:
    game = start().sheet.game
    data = game_data(game)
    game_delete(game=game)
    assert [one.how for one in bring_in(data)] == ["deleted"]

    Game.objects.filter(pk=game.pk).update(deleted_at=timezone.now() - KEPT)
    assert look_into(as_json(data).encode()).new == 1
    assert [one.how for one in bring_in(data)] == ["new"]
    assert game_data(Game.objects.get()) == data


def test_an_export_holds_no_key() -> None:
    game = start().sheet.game
    text = as_json(game_data(game))
    for key in AccessKey.objects.filter(game=game):
        assert key.key not in text
    assert "key" not in json.loads(text)
    assert game.slug not in text


def test_a_backup_opens_the_games_that_are_here_and_only_with_a_live_key() -> None:
    started = start()
    game = started.sheet.game
    scorer, viewer = (game.keys.get(role=role) for role in (Role.SCORER, Role.VIEWER))

    for key in (scorer, viewer):
        (brought,) = bring_in(backup_data([key]))
        assert brought.how == "opened"
        assert brought.access is not None
        assert brought.access.role == key.role

    backup = backup_data([scorer])
    scorer.revoked_at = game.created_at
    scorer.save()
    incoming = look_into(as_json(backup).encode())
    assert incoming.wrong_keys == 1
    assert [one.how for one in games_bring_in(incoming=incoming)] == ["closed"]


def test_a_key_of_another_game_opens_nothing() -> None:
    mine, other = start(), start()
    data = game_data(other.sheet.game) | {"role": "scorer", "key": mine.scorer_key}
    backup = {"format": "scorekeeper-games", "format_version": 1, "games": [data]}

    assert [(one.how, one.access) for one in bring_in(backup)] == [("closed", None)]


def test_a_backup_moves_to_another_site_with_new_keys() -> None:
    keys = [start(name=name).sheet.game.keys.get(role=Role.SCORER) for name in ("One", "Two")]
    old = [key.key for key in keys]
    raw = as_json(backup_data(keys)).encode()
    Game.objects.all().delete()

    assert [(one.how, one.title) for one in bring_in(raw)] == [("new", "One"), ("new", "Two")]
    assert all(access_by_secret(key) is None for key in old)


def test_a_bad_game_among_good_ones_leaves_nothing_behind() -> None:
    games = [game_data(start(name=name).sheet.game) for name in ("One", "Two")]
    Game.objects.all().delete()
    games[1]["log"][0]["after"]["players"] = ["Ann"]
    with pytest.raises(Exception, match="set_up"):
        bring_in({"format": "scorekeeper-games", "format_version": 1, "games": games})
    assert Game.objects.count() == 0


def test_a_file_from_before_a_column_was_there_is_read() -> None:
    game = start().sheet.game
    data = game_data(game)
    del data["players"][0]["start_total"], data["players"][1]["to_round"]
    game.delete()

    assert [one.how for one in bring_in(data)] == ["new"]


@pytest.mark.parametrize("model", TRAVEL)
def test_every_column_travels_or_is_left_out_on_purpose(model: type[Model]) -> None:
    columns = {field.name for field in model._meta.concrete_fields}
    assert columns - set(TRAVEL[model]) - LEFT_OUT[model] == set()
    assert set(TRAVEL[model]) & LEFT_OUT[model] == set()


def test_every_table_of_a_game_travels_or_is_left_out_on_purpose() -> None:
    of_a_game = {
        model
        for model in apps.get_app_config("games").get_models()
        if any(field.related_model in TRAVEL for field in model._meta.concrete_fields)
    }
    assert of_a_game - set(TRAVEL) - NOT_EXPORTED == set()


def test_the_identity_is_random_and_is_not_the_address() -> None:
    one, two = (game_data(start().sheet.game) for _ in range(2))
    assert one["format"] == GAME_FORMAT
    assert uuid.UUID(one["game"]["uid"]).version == 4
    assert one["game"]["uid"] != two["game"]["uid"]


def _forged(change: Callable[[dict[str, Any]], object]) -> None:
    game = start().sheet.game
    play(game, (33, 2, 0, 31, 46))
    game_abandon(game=game)
    data = json.loads(as_json(game_data(game)))
    game.delete()
    change(data)
    with pytest.raises(NotBroughtIn):
        bring_in(data)
    assert not Game.objects.exists()


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data["game"].update(abandoned_at=None),
        lambda data: data["game"].update(abandoned_at="2026-01-01T00:00:00+00:00"),
        lambda data: data["log"][-1].update(action="finished"),
        lambda data: data["log"][-1]["after"]["game"].update(status="playing"),
        lambda data: data["log"][-1]["after"]["game"].pop("abandoned_at"),
        lambda data: data["log"][-1]["after"]["game"].update(abandoned_at="yesterday"),
        lambda data: data["log"][1].update(action="deleted", before={}, after={}, round_number=None),
        lambda data: _then(data, "deleted"),
        lambda data: _then(data, "restored"),
    ],
)
def test_a_forged_ending_is_refused(change: Callable[[dict[str, Any]], object]) -> None:
    _forged(change)


def _then(data: dict[str, Any], action: str) -> None:
    """One more entry that changes nothing."""
    entry = data["log"][-1] | {"number": len(data["log"]) + 1, "action": action, "before": {}, "after": {}}
    data["log"].append(entry)
    data["game"]["version"] += 1
