"""The pages of a club in a pseudo-locale, as in test_translatable.py."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from django.test import Client
from django.urls import get_resolver, reverse

from games.clubs import club_change, member_change
from games.models import Club, ClubGame, ClubRole, Game, Member, Role
from games.seasons import doubt_decide, doubt_raise, doubt_reopen, night_void, season_add
from games.selectors import links_of
from tests import club as at_club
from tests.web.club_pages import client_of
from tests.web.test_translatable import Untranslated, pseudo_locale

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

__all__ = ["pseudo_locale"]

CLUB_PAGES = sorted(
    name for name in get_resolver("games.web.club.urls").reverse_dict if isinstance(name, str)
)


@pytest.fixture
def at_the_club(client: Client) -> tuple[Client, dict[str, Any]]:
    """Ruth's phone, who owns a club where all kinds of things happened; what its addresses need."""
    club = at_club.found("Ruth", "Ben", "Chitra", "Ann")
    club_change(club=club, name="FridayNight", public=True, who="Ruth")
    spring = season_add(club=club, name="FridayNight", starts_on=at_club.FIRST_NIGHT, who="Ruth")
    for at in (1, 2):
        at_club.night(spring, at, ["Ruth", "Ben", "Wilhelmina"], [0, 20, 30], finish=at == 1)
    night_void(season=spring, on=at_club.FIRST_NIGHT, void=True, reason="Slipped", who="Ruth")
    member_change(club=club, number=2, joined_on=at_club.FIRST_NIGHT, role=ClubRole.SCORER, who="Ruth")
    member_change(club=club, number=3, left_on=at_club.FIRST_NIGHT, who="Ruth")
    client.force_login(club.members.get(number=1).user)  # type: ignore[arg-type]
    game = ClubGame.objects.filter(night__season=spring).order_by("pk")[0]
    doubt_raise(played=game, other={"round": 1, "seat": 2, "points": 9}, reason="Slipped", who="Ruth")
    for at, set_ in ((3, 12), (4, 12), (5, 9)):
        one = at_club.night(spring, at, ["Ruth", "Ben", "Wilhelmina"], [0, 20, 30], max_pip=set_, rounds=5)
    doubt_raise(played=one, other={"round": 1, "seat": 2, "points": 9}, reason="Slipped", who="Ruth")
    more = {"day": at_club.FIRST_NIGHT.isoformat(), "game": game.game.slug, "what": "x", "ending": "x"}
    return client, more | {"slug": club.slug, "secret": at_club.found("W").keys.get(role="invite").key}


QUERIES = ("", "?q=A&into=4", "?face=invite&row=1&other=2&all")


@pytest.mark.usefixtures("pseudo_locale")
def test_every_page_of_a_club_is_translatable(at_the_club: tuple[Client, dict[str, Any]]) -> None:
    found = {name: untranslated(name, *at_the_club) for name in CLUB_PAGES}
    assert {name: words for name, words in found.items() if words} == {}


def untranslated(name: str, client: Client, about: dict[str, Any]) -> set[str]:
    """What a page shows of no language: to its owner and to nobody, after a form was sent to it, too."""
    pages: list[str] = []
    wanted = get_resolver("games.web.urls").reverse_dict.getlist(name)[0][0][0][1]
    for number in (1, 2, 3) if "number" in wanted else (1,):
        parts = {key: value for key, value in {**about, "number": number}.items() if key in wanted}
        path = reverse(name, kwargs=parts)
        for query in QUERIES:
            pages.append(client.get(path + query).content.decode())
        version = Club.objects.get(slug=about["slug"]).version
        form = {"version": version, "name": "", "names": "Ben", "do": "change", "into": "1", "member": ""}
        pages.append(client.post(path, form).content.decode())
    pages.append(Client().get(path).content.decode())
    return {words for page in set(pages) for words in Untranslated(page).found}


@pytest.mark.usefixtures("pseudo_locale")
def test_what_is_said_of_a_decision_and_of_a_key_that_ended(
    at_the_club: tuple[Client, dict[str, Any]],
) -> None:
    owner, about = at_the_club
    played = ClubGame.objects.get(game__slug=about["game"])
    doubt = doubt_decide(doubt=played.doubts.get(), stands=True, reason="Slipped", who="Ruth")
    doubt = doubt_reopen(doubt=doubt, reason="Slipped", who="Ruth")
    doubt_decide(doubt=doubt, stands=False, reason="Slipped", who="Ruth")
    scorer = client_of(Club.objects.get(slug=about["slug"]), 2, ClubRole.SCORER)
    scorer.get(reverse("open_scorer", args=[links_of(played.game)[Role.SCORER].key]))
    board = f"/g/{about['game']}/"
    version = Game.objects.get(slug=about["game"]).version
    pages = [owner.post(f"{board}undo/", {"version": version}, follow=True)]
    pages += [owner.get(f"{board}{page}") for page in ("more/", "log/", "rounds/1/seats/2/")]
    pages += [scorer.get(f"/clubs/{about['slug']}/leave/"), owner.get(f"/clubs/{about['slug']}/members/2/")]
    member_change(club=played.night.season.club, number=2, role=ClubRole.MEMBER)
    Member.objects.filter(number=2).update(user=None)
    pages.append(scorer.get(board))
    assert pages[-1].status_code == 404
    assert [Untranslated(page.content.decode()).found for page in pages] == [[]] * len(pages)


MEMBERS = ("Ann", "Name;Role\nAnn;member", "Ann\nW", "Name;Role;x\nBen;x\nW;scorer\nW;", "Ruth")
NIGHTS = (
    "Night;Name;Points;Note;x\n2026-03-26;W;3;\n2026-03-26;G1;4;guest\n2026-03-26;Ben;9;forfeit\n2026-04-02;Ben;;absent",
    "Night;Name;Points\n3/4/2026;W;3\n2026-03-26;Ben;x",
    "Name;2026-03-05;2026-03-12\nBen;3;4\nAnn;2;4",
    "Night;Name;Points;Table\n2026-03-05;Ruth;0;1\n2026-03-05;Ben;20;1\n2026-03-05;Wilhelmina;30;1",
)


@pytest.mark.usefixtures("pseudo_locale")
def test_every_look_at_a_file_is_translatable(at_the_club: tuple[Client, dict[str, Any]]) -> None:
    client, about = at_the_club
    found = {}
    for name, texts in (("members_bring", MEMBERS), ("season_bring", NIGHTS)):
        path = reverse(name, args=[about["slug"]])
        for text, season in product(texts, ("1", "new")):
            form = {"text": text, "season": season, "season_name": "T", "source": "x", "do": "bring"}
            response = client.post(path, form)
            words = Untranslated(response.content.decode()).found
            found[name, text, season] = [one for one in words if one != text]  # what was typed
    assert {key: words for key, words in found.items() if words} == {}
