"""The demonstration: games in each state, made once, with links that open them."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client

from games.models import Game
from games.selectors import sheet_of

pytestmark = pytest.mark.django_db


def told() -> list[str]:
    out = StringIO()
    call_command("demo", "--site", "http://testserver", stdout=out)
    return out.getvalue().splitlines()


def test_it_makes_games_half_played_ended_and_large_and_its_links_open_them(client: Client) -> None:
    lines = told()

    assert [(game.status, game.rounds.count()) for game in Game.objects.order_by("pk")] == [
        ("playing", 6),
        ("finished", 13),
        ("playing", 6),
        ("finished", 6),
    ]
    for line in lines:
        response = client.get(line.rsplit(": ", 1)[1], follow=True)
        assert response.status_code == 200


def test_its_tie_is_settled_by_the_lowest_other_round() -> None:
    told()
    table = sheet_of(Game.objects.get(name="Mum’s 80th")).table

    assert [row.decided_by for row in table] == [None, "total", "lowest_nonzero", "total", "total"]


def test_it_is_made_once() -> None:
    assert told() == told()
    assert Game.objects.count() == 4
