"""The result page tells what people talk about: the chart with its table, and the facts in words."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Game
from games.selectors import sheet_of
from games.services import adjustment_add, game_finish, round_remove
from games.web.talk import talk_of
from tests.cast import FOURTEEN, play, start
from tests.web.reading import element, words

pytestmark = pytest.mark.django_db

SEE_SAW = ((0, 5, 9), (12, 0, 9), (0, 7, 9), (3, 0, 40), (4, 1, 0))
NAMES = ("Ann", "Ben", "Cho")


@pytest.fixture
def at(opens: Callable[..., Client]) -> Callable[..., Any]:
    """The result page after these rounds."""

    def page(*rounds: tuple[int, ...], finish: bool = False, **setup: Any) -> Any:
        setup.setdefault("rounds", max(len(rounds), 1))
        setup.setdefault("names", NAMES)
        game = start(**setup).sheet.game
        phone = opens(Client(), game)
        play(game, *rounds)
        if finish:
            game_finish(game=game)
        return phone.get(reverse("end", args=[game.slug]))

    return page


def facts(page: Any) -> dict[str, str]:
    found = element(page, '<dl class="talk-facts">', "</dl>")
    return {words(title): words(text) for title, text in re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", found)}


def figures(page: Any) -> list[list[str]]:
    table = element(page, '<table class="figures">', "</table>")
    return [
        [words(cell) for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row)]
        for row in re.findall(r"<tr>(.*?)</tr>", table, re.DOTALL)
    ]


def test_a_finished_game_is_told_from_its_lead_to_its_deciding_round(at: Callable[..., Any]) -> None:
    assert facts(at(*SEE_SAW)) == {
        "The round that decided it": "Round 4, engine 9-9: from then on Ben was never caught.",
        "Who led when": (
            "Ann in round 1; Ben in round 2; Ann and Ben level in round 3; Ben in rounds 4–5. "
            "The lead changed 3 times."
        ),
        "Biggest swing": "Round 4, engine 9-9: Ben gained 40 points on Cho.",
        "Dearest engine": "9-9 in round 4: about 14 points a hand.",
        "Cheapest engine": "8-8 in round 5: about 2 points a hand.",
    }


def test_so_far_nothing_is_decided(at: Callable[..., Any]) -> None:
    page = at(*SEE_SAW[:2], rounds=13)
    assert "The round that decided it" not in facts(page)
    assert facts(page)["Who led when"].startswith("Ann in round 1; Ben in round 2.")


@pytest.mark.parametrize(
    ("rounds", "said"),
    [
        ([(0, 5, 9), (3, 0, 9)], "Ann led from the first round to the last."),
        (
            [(0, 8, 20), (0, 4, 20), (12, 0, 20)],
            "No round: level on total at the end, the tie-break decided.",
        ),
        ([(0, 4, 9), (4, 0, 9)], "No round: the first place is shared."),
    ],
)
def test_how_it_was_decided(at: Callable[..., Any], rounds: list[tuple[int, ...]], said: str) -> None:
    assert facts(at(*rounds))["The round that decided it"] == said


def test_the_table_beneath_has_the_chart_s_figures(at: Callable[..., Any]) -> None:
    table = figures(at(*SEE_SAW))
    assert table[0] == ["Player", "R1 12‑12", "R2 11‑11", "R3 10‑10", "R4 9‑9", "R5 8‑8"]
    assert table[2] == ["B Ben", "5", "5", "12", "12", "13"]


def test_a_late_comer_s_line_begins_later(opens: Callable[..., Client]) -> None:
    game = start(("Ann", "Ben"), rounds=3).sheet.game
    play(game, (0, 9))
    game.players.create(seat=3, order=3, name="Cho", from_round=2, start_total=5)
    play(game, (4, 0, 7))
    table = figures(opens(Client(), game).get(reverse("end", args=[game.slug])))
    assert table[0] == ["Player", "R1 12‑12", "R2 11‑11"]
    assert table[3] == ["C Cho", "5", "12"]


def test_points_to_begin_with_have_a_column(opens: Callable[..., Client]) -> None:
    game = start(("Ann", "Ben"), rounds=3).sheet.game
    game.players.filter(name="Ben").update(start_total=10)
    play(game, (0, 9))
    table = figures(opens(Client(), game).get(reverse("end", args=[game.slug])))
    assert table[0] == ["Player", "Start", "R1 12‑12"]
    assert table[2] == ["B Ben", "10", "19"]


def test_every_player_has_a_line_a_shape_and_a_label(at: Callable[..., Any]) -> None:
    scores = tuple(range(0, 140, 10))
    page = at(scores, names=FOURTEEN, max_pip=18, rounds=19)
    chart = element(page, '<svg class="race"', "</svg>")
    assert chart.count('class="line"') == chart.count('class="who"') == 14
    assert len(set(re.findall(r'<g class="(c\d(?: ringed)?)', chart))) == 14
    heights = sorted(float(y) for y in re.findall(r'class="who" x="[\d.]+" y="([\d.]+)"', chart))
    assert min(b - a for a, b in pairwise(heights)) >= 18.9
    assert 'role="img" aria-label="Running totals of Ruth, Ben' in chart


@pytest.mark.parametrize("names", [FOURTEEN[:2], FOURTEEN])
@pytest.mark.parametrize("rounds", [1, 13, 19])
def test_nothing_stands_outside_of_the_picture(
    at: Callable[..., Any], names: tuple[str, ...], rounds: int
) -> None:
    grid = [tuple((seat + number) % len(names) * 9 for seat in range(len(names))) for number in range(rounds)]
    page = at(*grid, names=names, max_pip=18, rounds=19, blocked_cap=False)
    chart = element(page, '<svg class="race"', "</svg>")
    width, height = map(float, re.findall(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', chart)[0])
    points = re.findall(r"[ML]([\d.]+) ([\d.-]+)", chart)
    assert len(points) > rounds * len(names)
    assert all(0 <= float(x) <= width and 0 <= float(y) <= height for x, y in points)
    assert "style=" not in chart


def test_before_the_first_round_there_is_no_chart(phone: Client, game: Game) -> None:
    assert "race" not in phone.get(reverse("end", args=[game.slug])).content.decode()


def test_a_penalty_stays_in_the_lines_when_its_round_is_taken_back(game: Game) -> None:
    play(game, (0, 5, 9, 3, 2), (12, 0, 9, 3, 2))
    adjustment_add(game=game, seat=1, points=20, reason="late")
    round_remove(game=game, number=2)
    sheet = sheet_of(game)
    totals = {row.seat: row.total for row in sheet.table}
    assert totals[1] == 20
    assert {line.seat: line.totals[-1] for line in talk_of(sheet).lines} == totals
