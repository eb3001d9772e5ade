"""A sheet read by its two statements holds Python's own values, on either database."""

from __future__ import annotations

import pytest
from pytest_django import DjangoAssertNumQueries

from games.models import AccessKey, Game, Role
from games.permissions import access_by_secret, version_by_id, version_by_secret
from games.selectors import HandCell, sheet_of, sheets_of
from games.services import round_put
from tests.cast import claim, play, start

pytestmark = pytest.mark.django_db

TRIO = ("Ann", "Ben", "Cho")


@pytest.fixture
def game() -> Game:
    return start(TRIO).sheet.game


def test_flags_are_flags_and_lists_are_lists(game: Game) -> None:
    round_put(game=game, number=1, claim=claim((0, 1, 1)), disputed=True, reason="shuffled")

    entry = sheet_of(game).rounds[0]

    assert entry.disputed is True
    assert entry.marks == ["hands_clash"]
    assert entry.warnings == []
    assert entry.hands[1] == HandCell(0, 0, out=True, marker=False, tile_count=None, tiles=None)
    assert entry.hands[1].out is True
    assert entry.hands[2].out is False


def test_hands_stand_in_the_order_of_the_seats(game: Game) -> None:
    round_put(game=game, number=1, claim=claim((0, 18, 13)))

    assert list(sheet_of(game).rounds[0].hands) == [1, 2, 3]


def test_many_sheets_take_two_queries_and_keep_their_order(
    game: Game, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    other = start(("Dee", "Eve")).sheet.game
    play(game, (0, 18, 13))
    play(other, (0, 7), (9, 0))

    with django_assert_num_queries(2):
        sheets = sheets_of([other, game])

    assert [sheet.game for sheet in sheets] == [other, game]
    assert [len(sheet.rounds) for sheet in sheets] == [2, 1]
    assert [player.name for player in sheets[1].players] == list(TRIO)
    assert sheets[1].players[0] == game.players.get(seat=1)


def test_no_games_have_no_sheets(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    with django_assert_num_queries(0):
        assert sheets_of([]) == []


def test_a_key_tells_the_version_until_it_is_stopped(game: Game) -> None:
    key = AccessKey.objects.get(game=game, role=Role.VIEWER)
    play(game, (0, 18, 13))

    assert version_by_secret(key.key) == (game.slug, 2, game.pk)
    assert version_by_id(key.pk, game.slug) == 2
    assert version_by_id(key.pk, "another") is None
    assert version_by_secret("wrong") is None

    AccessKey.objects.filter(pk=key.pk).update(revoked_at=game.changed_at)

    assert version_by_secret(key.key) is None
    assert version_by_id(key.pk, game.slug) is None
    assert access_by_secret(key.key) is None
