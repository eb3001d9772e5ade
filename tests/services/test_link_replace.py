"""Stopping a link: dead at once for pages and programs, another in its place, a line in the log."""

from __future__ import annotations

import pytest

from games.models import AccessKey, Action, Game, Role
from games.permissions import access_by_id, access_by_secret, version_by_id, version_by_secret
from games.selectors import links_of, log_of, sheet_of
from games.services import Conflict, change_redo, change_undo, game_finish, link_replace
from tests.cast import play, start

pytestmark = pytest.mark.django_db

FIRST, SECOND = (33, 2, 0, 31, 46), (0, 14, 26, 45, 51)


@pytest.fixture
def game() -> Game:
    return start().sheet.game


@pytest.mark.parametrize("role", Role)
def test_the_old_link_opens_nothing_and_the_new_one_the_game(game: Game, role: Role) -> None:
    old = links_of(game)[role]

    new = link_replace(game=game, role=role, link=old.pk).key

    assert access_by_secret(old.key) is None
    assert access_by_id(old.pk, game.slug) is None
    assert version_by_secret(old.key) is None
    assert version_by_id(old.pk, game.slug) is None
    access = access_by_secret(new.key)
    assert access is not None
    assert (access.game, access.role, access.key_id) == (game, role, new.pk)
    assert len(new.key) >= 32
    assert links_of(game)[role] == new


def test_the_other_link_goes_on(game: Game) -> None:
    other = links_of(game)[Role.SCORER]

    link_replace(game=game, role=Role.VIEWER)

    assert access_by_secret(other.key) is not None


def test_it_is_logged_without_a_secret(game: Game) -> None:
    link_replace(game=game, role=Role.VIEWER, who="Ruth’s phone")

    game.refresh_from_db()
    last = log_of(game).entries[-1]
    assert (last.action, last.who, last.after) == (Action.LINK_REPLACED, "Ruth’s phone", {"link": "viewer"})
    assert last.number == game.version == 2
    assert not any(key.key in str(last.after) for key in AccessKey.objects.all())


def test_whoever_saw_another_link_than_the_live_one_stops_nothing(game: Game) -> None:
    seen = links_of(game)[Role.VIEWER].pk
    sent = link_replace(game=game, role=Role.VIEWER, link=seen).key

    with pytest.raises(Conflict):
        link_replace(game=game, role=Role.VIEWER, link=seen)

    assert access_by_secret(sent.key) is not None


def test_the_version_is_checked_if_it_is_given(game: Game) -> None:
    play(game, FIRST)
    with pytest.raises(Conflict):
        link_replace(game=game, role=Role.VIEWER, version=1)


def test_undo_and_redo_pass_over_it(game: Game) -> None:
    play(game, FIRST, SECOND)
    link_replace(game=game, role=Role.VIEWER)
    stopped = AccessKey.objects.exclude(revoked_at=None).get()

    assert len(change_undo(game=game).sheet.rounds) == 1
    link_replace(game=game, role=Role.SCORER)
    assert len(change_redo(game=game).sheet.rounds) == 2
    assert access_by_secret(stopped.key) is None


def test_a_game_that_was_ended_early_stays_ended(game: Game) -> None:
    play(game, FIRST)
    game_finish(game=game)
    link_replace(game=game, role=Role.SCORER)
    assert sheet_of(Game.objects.get()).game.status == "finished"
