"""A second person's confirmations travel with a game, and a file that makes one up is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from games.engine.scoring import HandClaim
from games.files.bring_in import games_bring_in, look_into
from games.files.errors import NotBroughtIn
from games.files.export import as_json, game_data
from games.models import AccessKey, Game, HandIn, Role, SeatHolder
from games.seats import hand_put, round_confirm, seat_take
from games.selectors import sheet_of
from tests.cast import play, start

pytestmark = pytest.mark.django_db

FIRST = (33, 28, 0, 31, 46)
Change = Callable[[dict[str, Any]], None]


def exported(*, second_person: bool = True) -> dict[str, Any]:
    game = start(second_person=second_person).sheet.game
    seat_take(game=game, seat=2, device="ben-s-phone")
    hand_put(game=game, number=1, claim=HandClaim(2, points=18), device="ben-s-phone")
    play(game, FIRST)
    if second_person:
        round_confirm(game=game, number=1, who="Ben")
    data = game_data(Game.objects.get(pk=game.pk))
    Game.objects.all().delete()
    return data


def bring(data: dict[str, Any]) -> Game:
    brought = games_bring_in(incoming=look_into(as_json(data).encode()))
    assert brought[0].access is not None
    return brought[0].access.game


def test_a_confirmed_round_and_what_phones_said_come_along() -> None:
    data = exported()
    there = bring(data)

    assert game_data(there) == data
    assert there.second_person
    assert sheet_of(there).rounds[0].confirmed
    assert data["log"][1]["after"]["said"] == {"2": 18}
    assert AccessKey.objects.filter(game=there, role=Role.SEAT).count() == 1
    assert not SeatHolder.objects.exists()
    assert not HandIn.objects.exists()


def test_a_file_from_before_there_was_a_second_person_comes_in() -> None:
    data = exported(second_person=False)
    del data["game"]["second_person"], data["log"][0]["after"]["game"]["second_person"]
    for one in (data["rounds"][0], data["log"][1]["after"]["rounds"]["1"]):
        del one["confirmed"]
    there = bring(data)

    assert not there.second_person
    assert not sheet_of(there).rounds[0].confirmed
    data = game_data(there)
    there.delete()
    assert game_data(bring(data)) == data


def made_up_at_once(data: dict[str, Any]) -> None:
    """The round is confirmed by the entry that recorded it."""
    data["log"].pop()
    data["game"]["version"] = 2
    data["log"][1]["after"]["rounds"]["1"]["confirmed"] = True


def made_up_in_the_end(data: dict[str, Any]) -> None:
    data["log"].pop()
    data["game"]["version"] = 2


def with_another_number(data: dict[str, Any]) -> None:
    data["log"][2]["after"]["rounds"]["1"]["hands"][1]["points"] = 29


def nobody_asked_for_it(data: dict[str, Any]) -> None:
    data["game"]["second_person"] = data["log"][0]["after"]["game"]["second_person"] = False


def said_by_nobody(data: dict[str, Any]) -> None:
    data["log"][1]["after"]["said"] = {"Ben": "18"}


@pytest.mark.parametrize(
    "change",
    [made_up_at_once, made_up_in_the_end, with_another_number, nobody_asked_for_it, said_by_nobody],
)
def test_a_confirmation_that_is_made_up_is_refused(change: Change) -> None:
    data = exported()
    change(data)

    with pytest.raises(NotBroughtIn):
        bring(data)
    assert not Game.objects.exists()
