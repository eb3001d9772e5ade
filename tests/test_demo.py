"""The demonstration: games in each state and a club in mid-season, made once, with links that open them."""

from __future__ import annotations

import re
from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from games.models import Club, ClubGame, ClubSeat, Doubt, Game, Member, Season
from games.results import season_differences, table_of
from games.selectors import sheet_of

pytestmark = pytest.mark.django_db


def told() -> list[str]:
    out = StringIO()
    call_command("demo", "--site", "http://testserver", stdout=out)
    return out.getvalue().splitlines()


def test_it_makes_games_in_each_state_once_and_its_links_open_them(client: Client) -> None:
    lines = told()

    assert [(game.status, game.rounds.count()) for game in Game.objects.filter(at_club=None)] == [
        ("playing", 6),
        ("finished", 13),
        ("playing", 6),
        ("finished", 6),
        ("playing", 2),
    ]
    for line in lines:
        response = client.get(line.rsplit(": ", 1)[1], follow=True)
        assert response.status_code == 200

    table = sheet_of(Game.objects.get(name="Mum’s 80th")).table
    assert [row.decided_by for row in table] == [None, "total", "lowest_nonzero", "total", "total"]

    assert told() == lines  # it is made once
    assert (Game.objects.filter(at_club=None).count(), Club.objects.count()) == (5, 1)


def test_one_game_is_written_down_move_by_move(client: Client) -> None:
    lines = dict(line.rsplit(": ", 1) for line in told())
    sheet = sheet_of(Game.objects.get(name="Written down"))

    assert [one.record for one in sheet.rounds] == ["agrees", "differs"]
    assert b"Round 3 is being written down" in client.get(lines["Written down"], follow=True).content
    assert b"Undo:" in client.get(lines["Written down, round 3 move by move"]).content
    assert b"It is closed" in client.get(lines["A round in which a rule was broken"], follow=True).content


def test_its_club_is_in_mid_season_with_all_that_happens_in_one(client: Client) -> None:
    lines = told()
    season = Season.objects.get()
    rows = list(season.standings.select_related("member").order_by("position"))

    assert Member.objects.filter(user=None).count() == len(rows) - 2 == 11
    assert [night.games.count() for night in season.nights.all()] == [2, 3, 2, 3, 2, 2, 1]
    assert {one.game.players.count() for one in ClubGame.objects.all()} == {4, 5, 6}
    assert season.nights.get(void=True).reason
    assert ClubGame.objects.get(game__status="playing").night.on == timezone.localdate()
    assert ClubSeat.objects.get(member=None).club_game.night.void is False  # a guest's
    assert {row.data["nights"] for row in rows} >= {3, 4, 5}  # some were absent
    decided = {row.data["decided_by"] for row in rows}
    assert {"head_to_head", "zero_rounds", "attendance"} <= decided
    assert any(
        one.kind == "played" and not one.counted for row in table_of(season) for one in row.results
    )  # dropped
    assert [(one.open, len(one.steps)) for one in Doubt.objects.order_by("number")] == [(False, 4), (True, 1)]
    assert season_differences(season) == []

    said = next(line for line in lines if "an organiser" in line)
    email, password = re.findall(r"[(]([^,]+), password (\w+)[)]", said)[0]
    answer = client.post(said.rsplit(": ", 1)[1], {"login": email, "password": password}, follow=True)
    assert answer.redirect_chain[-1][0] == f"/clubs/{season.club.slug}/"
    assert b"New game tonight" in answer.content
