"""A person's page, two people against each other, a club's records: the figures there, and who may."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from games.clubs import member_change, members_merge
from games.engine.scheme import Scheme
from games.models import Club, ClubSeat, Member, Season
from games.removal import game_abandon, game_delete
from games.seasons import doubt_raise, game_change, night_void, season_add
from games.told import NewSeason, ToldGame, ToldSeat, season_bring
from tests import club as at_club
from tests.cast import FOURTEEN
from tests.club import FIRST_NIGHT, night
from tests.web.club_pages import client_of, reader_of
from tests.web.reading import element, words

pytestmark = pytest.mark.django_db
Counted = Callable[[int], AbstractContextManager[object]]


@pytest.fixture
def spring(club: Club) -> Season:
    """Chitra beats both, then Ben and a guest, then loses to Ben by 11; each night a game."""
    spring = at_club.season(club)
    night(spring, 1, ["Chitra", "Ben", "Kwame"], [0, 20, 31], [10, 0, 12], [30, 45, 0])
    night(spring, 2, ["Chitra", "Ben", "Vera"], [8, 30, 0], [0, 5, 9], [0, 20, 7])
    night(spring, 3, ["Chitra", "Ben"], [0, 14], [25, 0])
    return spring


@pytest.fixture
def owner(club: Club) -> Client:
    return client_of(club, 1)


def page(phone: Client, club: Club, where: str, status: int = 200) -> Any:
    answer = phone.get(f"/clubs/{club.slug}/{where}")
    assert answer.status_code == status, where
    return answer


def figures(found: Any) -> dict[str, str]:
    pairs = re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", element(found, '<dl class="figs">', "</dl>"))
    return {words(name): words(value) for name, value in pairs}


def table(found: Any, caption: str) -> list[list[str]]:
    """The rows of the table with that caption, without its head."""
    text = found.content.decode()
    body = element(text[text.index(f">{caption}</caption>") :], "<tbody>", "</tbody>")
    return [
        [words(cell) for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL)]
        for row in re.findall(r"<tr>(.*?)</tr>", body, re.DOTALL)
    ]


def told(found: Any) -> dict[str, str]:
    """Facts and games: title → value and what is said of it."""
    lines = re.findall(r'<div class="what">(.*?)</div><b class="total">(.*?)</b>', found.content.decode())
    return {
        words(re.sub("<small.*", "", what)): f"{total} {words(re.sub('^.*?<small', '<small', what))}"
        for what, total in lines
    }


def test_the_figures_of_a_person_s_games(owner: Client, club: Club, spring: Season) -> None:
    found = page(owner, club, "people/1/")

    assert figures(found) == {
        "Games": "3",
        "Won": "2",
        "Opponents beaten": "67%",  # both, both, nobody
        "A round": "9.1",  # 73 points in 8 rounds
        "Rounds out": "4 50%",
        "Nights": "3",
    }
    assert table(found, "Points a round by engine") == [
        ["12‑12", "", "2.7", "3", "2"],
        ["11‑11", "", "11.7", "3", "1"],
        ["10‑10", "", "15.0", "2", "1"],
    ]
    assert table(found, "How often each place was reached") == [["1st", "", "2"], ["2nd", "", "1"]]
    assert table(found, "Points a round, game by game") == [
        ["19 Mar 2026", "12.5", "9.1"],
        ["12 Mar 2026", "2.7", "8.0"],
        ["5 Mar 2026", "13.3", "13.3"],
    ]
    assert told(found) == {
        "Best game, 3 rounds": "8 12 Mar 2026 · of 2 games, 24.0 on average",
        "Worst game, 3 rounds": "40 5 Mar 2026",
        "Best game, 2 rounds": "25 19 Mar 2026",
        "Best round without going out": "8 12 Mar 2026 · engine 12‑12",
        "Worst round": "30 5 Mar 2026 · engine 10‑10",
        "Games won in a row": "2 5 Mar 2026 – 12 Mar 2026 · now 0",
        "Rounds out in a row": "3 12 Mar 2026 – 19 Mar 2026 · now 0",
        "Nights in a row": "3 5 Mar 2026 – 19 Mar 2026 · now 3",
        "19 Mar 2026": "25 2nd of 2 · 2 rounds",
        "12 Mar 2026": "8 1st of 3 · 3 rounds",
        "5 Mar 2026": "40 1st of 3 · 3 rounds",
    }
    assert "Spring season 2nd · 3 nights" in words(found)
    assert "Ben 3 games 2: 1 K Kwame 1 game 1: 0" in words(found)
    chart = element(found, '<svg class="course"', "</svg>")
    assert chart.count('class="dot"') == 3
    assert 'role="img" aria-label="The average a round of each of 3 games as dots' in chart
    assert "style=" not in found.content.decode()


def test_one_game_has_no_chart_and_nobody_s_page_is_empty(owner: Client, club: Club, spring: Season) -> None:
    kwame, nobody = page(owner, club, "people/2/"), page(owner, club, "people/5/")

    assert figures(kwame)["Games"] == "1"
    assert '<svg class="course"' not in kwame.content.decode()
    assert told(kwame)["5 Mar 2026"] == "43 2nd of 3 · 3 rounds"
    assert "No game of Siobhán counts yet." in words(nobody)
    assert '<dl class="figs">' not in nobody.content.decode()


def test_what_does_not_count(owner: Client, club: Club, spring: Season) -> None:
    """Void and forfeited games are kept and marked; abandoned and deleted ones have no result."""
    night_void(season=spring, on=FIRST_NIGHT, void=True, reason="The set was short", who="Chitra")
    lost = night(spring, 4, ["Chitra", "Ben"], [0, 20])
    game_change(played=lost, forfeits=frozenset({1}), who="Chitra")
    for at, remove in ((5, game_abandon), (6, game_delete)):
        remove(game=night(spring, at, ["Chitra", "Ben"], [0, 20], finish=False).game)
    found = page(owner, club, "people/1/")

    assert figures(found) | {"Games": "2", "Won": "1", "Nights": "2"} == figures(found)
    assert told(found)["5 Mar 2026"] == "40 3 rounds void"
    assert told(found)["26 Mar 2026"] == "0 1 round forfeits"
    assert told(found)["Games won in a row"] == "1 12 Mar 2026 · now 0"
    assert not {"2 Apr 2026", "9 Apr 2026"} & told(found).keys()
    assert "Most games won in a row 2 B Ben 19 Mar 2026 – 26 Mar 2026" in words(page(owner, club, "records/"))


def test_a_result_in_doubt_counts_as_it_stands_and_says_what_hangs_on_it(
    owner: Client, club: Club, spring: Season
) -> None:
    first, second, third = (one.games.get() for one in spring.nights.order_by("on"))
    doubt_raise(played=first, other={"round": 3, "seat": 1, "points": 60}, reason="6 or 3?", who="Ben")
    doubt_raise(played=second, other={"void": True}, reason="Who sat there?", who="Ben")
    doubt_raise(played=third, other={"round": 1, "seat": 2, "points": 15}, reason="14?", who="Ben")
    found = page(owner, club, "people/1/")

    assert figures(found)["A round"] == "9.1"
    assert told(found)["5 Mar 2026"] == "40 1st of 3 · 3 rounds pending"
    assert (
        "3 results are in doubt. If round 3 of 5 March falls the other way, Chitra has 70 and is 3rd of 3. "
    ) in words(found)
    assert "If the game of 12 March falls the other way, this game does not count." in words(found)
    assert "However round 1 of 19 March falls, the points and the place of Chitra stay." in words(found)
    assert "Biggest round" in words(page(owner, club, "records/"))
    assert table(page(owner, club, "people/1/against/?other=4"), "Games together")[0] == [
        "19 Mar 2026 pending",
        "25 2nd",
        "14 1st",
        "−11",
    ]


def test_two_against_each_other(owner: Client, club: Club, spring: Season) -> None:
    whom = words(page(owner, club, "people/1/against/"))
    assert whom.endswith("placed better: worse. B Ben 3 games 2: 1 K Kwame 1 game 1: 0")
    found, turned = (
        page(owner, club, where) for where in ("people/1/against/?other=4", "people/4/against/?other=1")
    )

    assert table(found, "Who placed better") == [
        ["Chitra placed better", "2"],
        ["Level", "0"],
        ["Ben placed better", "1"],
    ]
    assert table(found, "Games together") == [
        ["19 Mar 2026", "25 2nd", "14 1st", "−11"],
        ["12 Mar 2026", "8 1st", "55 3rd", "+47"],
        ["5 Mar 2026", "40 1st", "65 3rd", "+25"],
    ]
    assert "Chitra is 61 points better in 3 games together." in words(found)
    assert "Chitra is 61 points better in 3 games together." in words(turned)
    assert [row[1:] for row in table(turned, "Games together")] == [
        ["14 1st", "25 2nd", "+11"],
        ["55 3rd", "8 1st", "−47"],
        ["65 3rd", "40 1st", "−25"],
    ]
    assert 'aria-label="Chitra placed better 2 times, Ben 1 times, level 0 times."' in found.content.decode()
    assert "They have not sat at one table yet." in words(page(owner, club, "people/1/against/?other=5"))
    assert "Against whom?" in words(page(owner, club, "people/1/against/?other=1"))
    for wrong in ("?other=99", "?other=Ben", "?other=٣"):
        page(owner, club, f"people/1/against/{wrong}", 404)


def test_records_name_who_and_when_and_are_shared(owner: Client, club: Club, spring: Season) -> None:
    text = page(owner, club, "records/").content.decode()
    held = re.findall(r'<h2>(.*?)</h2><b class="total">(.*?)</b><ul>(.*?)</ul>', text, re.DOTALL)

    assert [(name, value, words(holders)) for name, value, holders in held] == [
        ("Lowest total, 3 rounds", "8", "C Chitra 12 Mar 2026"),
        ("Lowest total, 2 rounds", "14", "B Ben 19 Mar 2026"),
        ("Highest total, 3 rounds", "65", "B Ben 5 Mar 2026"),
        ("Highest total, 2 rounds", "25", "C Chitra 19 Mar 2026"),
        ("Lowest average a round over a season", "9.1", "C Chitra Spring season"),
        ("Biggest round", "45", "B Ben engine 10‑10 5 Mar 2026"),
        ("Most rounds out in one game", "2", "C Chitra 12 Mar 2026"),
        ("Most games won in a row", "2", "C Chitra 5 Mar 2026 – 12 Mar 2026"),
        ("Most games won", "2", "C Chitra"),
        ("Most nights", "3", "C Chitra B Ben"),
        ("Most nights in a row", "3", "C Chitra 5 Mar 2026 – 19 Mar 2026 B Ben 5 Mar 2026 – 19 Mar 2026"),
    ]
    ClubSeat.objects.update(member=None)
    Member.objects.get(club=club, number=1).results.update(member=None)
    Member.objects.get(club=club, number=4).results.update(member=None)
    Member.objects.get(club=club, number=2).results.update(member=None)
    assert "Nobody holds a record yet." in words(page(owner, club, "records/"))


def test_seasons_and_rules_are_told_apart(owner: Client, club: Club, spring: Season) -> None:
    autumn = season_add(club=club, name="Autumn", starts_on=FIRST_NIGHT)
    for at in range(1, 12):
        night(autumn, at, ["Chitra", "Ben"], [0, 9], max_pip=9, rounds=10)
    whole, nine = page(owner, club, "people/1/"), page(owner, club, "people/1/?season=1")

    assert figures(whole)["Games"] == "14"
    assert figures(whole)["A round, Double-9"] == "0.0"
    assert "Double-9 · 11 games" in words(whole)
    assert "Double-12 · 3 games" in words(whole)
    assert "All 14 games" in words(whole)
    assert len(told(page(owner, club, "people/1/?all"))) > len(told(whole))
    assert 'people/1/?season=1">' in page(owner, club, "seasons/1/?row=1").content.decode()
    assert figures(nine)["Games"] == "3"
    assert figures(nine)["A round"] == "9.1"
    twelve = page(owner, club, "people/1/?rules=12-penalty-pips-50-0-0-0-0-0")
    assert figures(twelve)["A round, Double-12"] == "9.1"
    assert "Double-9: Chitra is 99 points better in 11 games together." in words(
        page(owner, club, "people/1/against/?other=4")
    )
    assert "Lowest total, 3 rounds 8" in words(
        page(owner, club, "records/?rules=12-penalty-pips-50-0-0-0-0-0")
    )
    assert figures(page(owner, club, "people/1/?rules=unknown")) == figures(whole)
    for wrong in ("?season=3", "?season=x"):
        page(owner, club, f"people/1/{wrong}", 404)


def test_the_last_of_fourteen(club: Club) -> None:
    big = at_club.found(*FOURTEEN)
    night(at_club.season(big), 1, FOURTEEN, tuple(range(0, 140, 10)), max_pip=18, rounds=19)
    found = page(client_of(big, 14), big, "people/14/")

    assert told(found)["5 Mar 2026"] == "130 14th of 14 · 1 round"
    assert "All opponents" in words(found)
    assert words(page(client_of(big, 14), big, "people/14/against/")).count("1 game") == 13


def test_a_night_of_two_tables_is_told_with_the_table(owner: Client, club: Club, spring: Season) -> None:
    """By the game's name or its people, in the records and where something hangs on a doubt."""
    assert "Biggest round 45 B Ben engine 10‑10 5 Mar 2026" in words(page(owner, club, "records/"))
    night(spring, 1, ["Siobhán", "Priya", "Kwame", "Margaret-Rose", "Vera"], [0, 60, 31, 4, 5])
    night(spring, 1, ["Priya", "Ben"], [0, 61], name="The second table")
    records = words(page(owner, club, "records/"))
    assert "Biggest round 61 B Ben engine 12‑12 · The second table 5 Mar 2026" in records
    high = ClubSeat.objects.get(member__name="Priya", seat=2).club_game
    doubt_raise(played=high, other={"round": 1, "seat": 2, "points": 6}, reason="60 or 6?")
    what = "round 1 of 5 March (Siobhán, Priya, Kwame and 2 more)"
    assert f"If {what} falls the other way" in words(page(owner, club, "people/6/"))
    assert f"{what} falls" in words(page(owner, club, "seasons/1/"))
    assert "It is about round 1 of 5 March." in words(page(owner, club, "doubts/1/"))  # under its table


def test_who_left_and_who_was_merged_keep_a_page(owner: Client, club: Club, spring: Season) -> None:
    member_change(club=club, number=4, left_on=FIRST_NIGHT, who="Chitra")
    members_merge(club=club, number=2, into=5, who="Chitra")
    assert "left on 5 March 2026" in words(page(owner, club, "people/4/"))
    assert figures(page(owner, club, "people/4/"))["Games"] == "3"

    moved = page(owner, club, "people/2/", 302)
    assert moved["Location"] == f"/clubs/{club.slug}/people/5/"
    assert figures(page(owner, club, "people/5/"))["Games"] == "1"
    assert "Siobhán placed better" in words(page(owner, club, "people/1/against/?other=2"))


def test_who_may_see_it(club: Club, spring: Season) -> None:
    """Readers see who sat at a table, as the nights show them, and not who else is a member."""
    stranger, reader, member = Client(), reader_of(club), client_of(club, 2)
    for where in ("people/1/", "people/1/against/", "people/1/against/?other=4", "records/"):
        page(stranger, club, where, 404)
        page(reader, club, where)
        page(member, club, where)
        assert reader.post(f"/clubs/{club.slug}/{where}").status_code == 405
    for where in ("people/5/", "people/5/against/", "people/1/against/?other=5"):
        page(reader, club, where, 404)
        page(member, club, where)
    page(member, club, "people/99/", 404)
    Club.objects.filter(pk=club.pk).update(public=True)
    assert "Chitra" in words(page(stranger, club, "people/1/"))
    page(stranger, club, "people/5/", 404)
    assert f'href="/clubs/{club.slug}/records/"' in page(stranger, club, "").content.decode()


PAGES = {"people/1/": 12, "people/1/against/": 10, "people/1/against/?other=4": 10, "records/": 13}


def test_a_page_asks_as_often_whatever_was_played(
    owner: Client, club: Club, spring: Season, django_assert_num_queries: Counted
) -> None:
    for where, queries in PAGES.items():
        with django_assert_num_queries(queries):
            page(owner, club, where)
    for at in range(4, 9):
        night(spring, at, ["Chitra", "Ben", "Kwame", "Vera"], [0, 20, 31, 7], [10, 0, 12, 9])
    for where, queries in PAGES.items():
        with django_assert_num_queries(queries):
            page(owner, club, where)


def test_past_nights_count_places_and_wins_and_no_rounds(owner: Client, club: Club, spring: Season) -> None:
    seats = (
        ToldSeat(name="Chitra", member=1, points=90, place=1, rounds=13, zero_rounds=4),
        ToldSeat(name="Ben", member=4, points=120, place=2, rounds=13),
    )
    games = [ToldGame(on=FIRST_NIGHT + timedelta(weeks=at), table="1", seats=seats) for at in (-30, -29)]
    club.refresh_from_db()
    before = figures(page(owner, club, "people/1/"))
    winter = NewSeason(name="Winter", starts_on=games[0].on, ends_on=games[-1].on, scheme=Scheme())
    season_bring(club=club, season=winter, games=games, members=[], source="winter.csv")

    after = figures(page(owner, club, "people/1/"))
    assert (int(after["Games"]), int(after["Won"])) == (int(before["Games"]) + 2, int(before["Won"]) + 2)
    assert after["A round"] == before["A round"]
    together = words(page(owner, club, "people/1/against/?other=4").content.decode())
    assert "90" in together
    page(owner, club, "records/")
    page(owner, club, "people/1/?season=2")
