"""A game on a night: a new one with members to tap, or one this phone knows already."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.clubs import members_add
from games.models import AccessKey, Club, ClubGame, ClubRole, Game, Role, Season
from games.seasons import game_add, season_change
from tests import club as at_club
from tests.cast import start
from tests.club import night
from tests.web.club_pages import answers, client_of
from tests.web.reading import element, words

pytestmark = pytest.mark.django_db
NIGHT = "2026-03-12"


@pytest.fixture
def scorer(club: Club, spring: Season) -> Client:
    return client_of(club, 3, ClubRole.SCORER)


def page(club: Club) -> str:
    return f"/clubs/{club.slug}/seasons/1/game/"


def send(client: Client, club: Club, *names: str, do: str = "start", **more: Any) -> Any:
    return client.post(page(club), {"player": list(names), "on": NIGHT, "do": do, **more})


def test_members_are_there_to_be_tapped_and_tonight_is_proposed(scorer: Client, club: Club) -> None:
    answer = scorer.get(page(club))
    said = words(answer)
    for name in at_club.CLUB:
        assert f"+ {name}" in said
    assert f'name="on" value="{timezone.localdate().isoformat()}"' in answer.content.decode()
    assert "Find a member" not in said


def test_a_member_tapped_is_seated_and_writes_nothing(scorer: Client, club: Club) -> None:
    answer = send(scorer, club, "Ben", do="chip:Kwame")
    markup = answer.content.decode()
    assert 'value="Ben"' in markup
    assert 'value="Kwame"' in markup
    assert f'name="on" value="{NIGHT}"' in markup
    assert 'data-name="Kwame" hidden' in markup
    assert not Game.objects.exists()


def test_a_game_starts_on_its_night_with_members_and_guests(scorer: Client, club: Club) -> None:
    answer = send(scorer, club, "ben", "Kwame", "Vera")
    game = Game.objects.get()
    assert answer["Location"] == f"/g/{game.slug}/"
    assert scorer.get(f"/g/{game.slug}/rounds/1/").status_code == 200
    played = ClubGame.objects.get(game=game)
    assert played.night.on == game.played_on == date(2026, 3, 12)
    assert [None if one.member is None else one.member.name for one in played.seats.order_by("seat")] == [
        "Ben",
        "Kwame",
        None,
    ]
    assert game.log.get().who == "Margaret-Rose"


@pytest.mark.parametrize(
    ("names", "more", "said"),
    [
        (["Ben"], {}, "Two names are needed."),
        (["Ben", "Kwame"], {"on": ""}, "The day of the night is needed."),
        (["Ben", "Kwame"], {"on": "soon"}, "The day of the night is needed."),
        (["Ben", "Kwame"], {"on": "2026-01-01"}, "The night of 1 January 2026 is outside of the season."),
        (["Ben", "ben"], {}, "The name Ben is taken."),
    ],
)
def test_what_cannot_be_is_told_and_nothing_is_begun(
    scorer: Client, club: Club, names: list[str], more: dict[str, str], said: str
) -> None:
    answer = send(scorer, club, *names, **more)
    assert answer.status_code == 422
    assert said in words(answer)
    assert f'value="{names[0]}"' in answer.content.decode()
    assert f'name="on" value="{more.get("on", NIGHT)}"' in answer.content.decode()
    assert not Game.objects.exists()


def test_the_rules_of_the_newest_game_are_proposed(scorer: Client, club: Club, spring: Season) -> None:
    game = start(("Ben", "Kwame"), preset="gamerules", max_pip=9).sheet.game

    game_add(season=spring, on=at_club.FIRST_NIGHT, game=game, seats={})
    markup = scorer.get(page(club)).content.decode()
    assert 'id="set-9" value="9" checked' in markup
    assert 'id="p-gamerules" value="gamerules" checked' in markup


def test_forty_members_are_folded_up_and_found_by_name(scorer: Client, club: Club, spring: Season) -> None:
    members_add(club=club, names=[f"Member {number:02}" for number in range(1, 35)])
    night(spring, 1, ["Member 30", "Ben"], [0, 20])
    markup = scorer.get(page(club)).content.decode()
    first = element(markup, '<div class="chips">', "</div>")
    assert first.count('class="chip"') == 12
    assert words(first).startswith("+ Ben + Member 30")
    assert "28 more members" in words(markup)
    found = send(scorer, club, "Ben", do="find", find="BER 3")
    chips = words(element(found, '<div class="chips">', "</div>"))
    assert chips == "+ Member 30 + Member 31 + Member 32 + Member 33 + Member 34"
    assert 'value="Ben"' in found.content.decode()
    assert "No member is called “Vera”." in words(send(scorer, club, do="find", find="Vera"))


def test_the_proposed_night_lies_within_the_season(scorer: Client, club: Club, spring: Season) -> None:
    season_change(season=spring, name="Spring", starts_on=spring.starts_on, ends_on=date(2026, 6, 25))
    assert 'name="on" value="2026-06-25"' in scorer.get(page(club)).content.decode()
    assert f'name="on" value="{NIGHT}"' in scorer.get(f"{page(club)}?on={NIGHT}").content.decode()


def test_each_role_gets_what_is_theirs(club: Club, spring: Season) -> None:
    form = {"do": "start", "player": ["Ben", "Kwame"], "on": NIGHT}
    assert answers(club, "get", page(club)) == "404 302 403 200 200 200 404"
    assert answers(club, "post", page(club), form) == "404 302 403 302 302 302 404"
    known = f"{page(club)}known/"
    assert answers(club, "get", known) == "404 302 403 200 200 200 404"
    assert answers(club, "post", known, {"game": "nothing"}) == "404 302 403 422 422 422 404"
    owner = client_of(club, 1)
    assert owner.put(page(club)).status_code == owner.put(known).status_code == 405


# A game that was played


@pytest.fixture
def played(scorer: Client) -> Game:
    game = start(("Ben", "Vera", "KWAME"), name="At the pub").sheet.game
    key = AccessKey.objects.get(game=game, role=Role.SCORER).key
    scorer.get(reverse("open_scorer", args=[key]))
    return game


def add(client: Client, club: Club, game: Game, **more: Any) -> Any:
    club.refresh_from_db()
    form = {
        "game": game.slug,
        "on": NIGHT,
        "seat-1": "4",
        "seat-2": "",
        "seat-3": "2",
        "version": club.version,
    }
    return client.post(f"{page(club)}known/", {**form, **more})


def test_a_game_of_this_phone_is_chosen_with_its_people_found_by_name(
    scorer: Client, club: Club, played: Game
) -> None:
    assert f'href="?game={played.slug}">At the pub</a>' in scorer.get(f"{page(club)}known/").content.decode()
    markup = scorer.get(f"{page(club)}known/?game={played.slug}").content.decode()
    for seat, option in ((1, '"4" selected>Ben'), (2, '"">a guest'), (3, '"2" selected>Kwame')):
        assert f"<option value={option}<" in element(markup, f'name="seat-{seat}"', "</select>")
    assert "selected" not in element(markup, 'name="seat-2"', "</select>")


def test_it_is_put_on_a_night_and_is_not_offered_again(scorer: Client, club: Club, played: Game) -> None:
    answer = add(scorer, club, played)
    assert answer["Location"] == f"/clubs/{club.slug}/seasons/1/nights/{NIGHT}/"
    seats = ClubGame.objects.get(game=played).seats.order_by("seat")
    assert [one.member and one.member.name for one in seats] == ["Ben", None, "Kwame"]
    assert "At the pub" not in scorer.get(f"{page(club)}known/").content.decode()
    again = add(scorer, club, played)
    assert again.status_code == 422
    assert "This game belongs to a night already." in words(again)


def test_a_link_opens_a_game_that_the_phone_does_not_know(scorer: Client, club: Club) -> None:
    game = start(("Ben", "Priya"), name="Elsewhere").sheet.game
    key = AccessKey.objects.get(game=game, role=Role.VIEWER).key
    known = f"{page(club)}known/"
    assert "Elsewhere" in words(scorer.get(known, {"game": f"https://here.example/w/{key}/"}))
    for wrong in (game.slug, f"https://here.example/w/{key}x/", key):
        answer = scorer.get(known, {"game": wrong})
        assert answer.status_code == 422
        assert "This phone knows no such game. A link of the game opens it." in words(answer)
        assert f'value="{wrong}"' in answer.content.decode()


@pytest.mark.parametrize(
    ("more", "status", "said"),
    [
        ({"on": ""}, 422, "The day of the night is needed."),
        ({"on": "2026-01-01"}, 422, "The night of 1 January 2026 is outside of the season."),
        ({"seat-3": "4"}, 422, "Ben cannot sit in two seats of one game."),
        ({"version": 0}, 409, "Nothing was changed: the club had moved on."),
    ],
)
def test_seats_and_days_that_cannot_be_are_told_and_stay(
    scorer: Client, club: Club, played: Game, more: dict[str, Any], status: int, said: str
) -> None:
    answer = add(scorer, club, played, **more)
    assert answer.status_code == status
    assert said in words(answer)
    seat = element(answer, 'name="seat-3"', "</select>")
    assert f'value="{more.get("seat-3", "2")}" selected' in seat
    assert not ClubGame.objects.exists()
