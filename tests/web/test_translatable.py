"""Every page is rendered in a pseudo-locale, in which each translated text stands in ⟦brackets⟧.

What a person reads outside of brackets was not translated. Names, numbers and addresses are left as they are.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from html.parser import HTMLParser
from itertools import product
from typing import Any

import pytest
from django.test import Client
from django.urls import get_resolver, reverse
from django.utils import translation

from games.clubs import club_change, member_change
from games.models import AccessKey, Club, ClubGame, ClubRole, Role
from games.seasons import doubt_raise, night_void, season_add
from games.services import change_undo, round_put
from tests import club as at_club
from tests.cast import claim, play, start

pytestmark = pytest.mark.django_db

# Names of this test, and words that are nobody's language.
NAMES = re.compile(
    r"\b(Ruth|Ben|Chitra|Wilhelmina|Ann|RuthPhone|FridayNight|Slipped|R|B|C|W|A|x|html|svg"
    r"|ThoughtCo|GameRules|wikiHow|[GWA][0-9]+|T)\b"
)
READ_ALOUD = ("aria-label", "title", "placeholder", "alt")
SHOWN_BY_SCRIPT = re.compile(r"^data-(say|label|text|words?)(-|$)")
NOT_READ = {"script", "style", "head"}


class Untranslated(HTMLParser):
    """Collects the texts of a page that stand outside of ⟦brackets⟧."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.inside: list[str] = []
        self.depth = 0
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in NOT_READ:
            self.inside.append(tag)
        values = dict(attrs)
        for name, value in attrs:
            if name in READ_ALOUD or SHOWN_BY_SCRIPT.match(name):
                self.look_at(value or "")
        if tag == "input" and values.get("type") in ("submit", "button"):
            self.look_at(values.get("value") or "")

    def handle_endtag(self, tag: str) -> None:
        if tag in NOT_READ and tag in self.inside:
            self.inside.remove(tag)

    def handle_data(self, data: str) -> None:
        if "script" in self.inside or "style" in self.inside:
            return
        outside = []
        for letter in data:
            if letter == "⟦":
                self.depth += 1
            elif letter == "⟧":
                self.depth -= 1
            elif not self.depth:
                outside.append(letter)
        self.judge("".join(outside), data)

    def look_at(self, text: str) -> None:
        while "⟦" in text:
            shorter = re.sub("⟦[^⟦⟧]*⟧", "", text)
            if shorter == text:
                break
            text = shorter
        self.judge(text, text)

    def judge(self, outside: str, whole: str) -> None:
        if re.search(r"[^\W\d_]", NAMES.sub("", outside)):
            self.found.append(whole.strip())


@pytest.fixture
def pseudo_locale(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrapped(real: Callable[..., str]) -> Callable[..., str]:
        return lambda *args: f"⟦{real(*args)}⟧"

    for name in ("gettext", "ngettext", "pgettext", "npgettext"):
        real = getattr(translation._trans, name)  # type: ignore[attr-defined]
        monkeypatch.setattr(translation._trans, name, wrapped(real))  # type: ignore[attr-defined]


@pytest.fixture
def at_the_table(client: Client) -> tuple[Client, dict[str, str]]:
    """A phone that knows a game in each of its states; their slugs."""
    slugs = {}
    for state in ("new", "playing", "undone", "finished", "watched"):
        started = start(name="FridayNight", rounds=2, open_marker=5)
        game = started.sheet.game
        slugs[state] = game.slug
        if state != "new":
            play(game, (33, 2, 0, 31, 46), who="RuthPhone")
            tiles = claim((33, 2, 0, 13, 46))
            round_put(game=game, number=1, claim=tiles, who="RuthPhone", reason="Slipped")
        if state == "undone":
            change_undo(game=game)
        if state == "finished":
            clash = claim((0, 1, 1, 31, 2))
            round_put(game=game, number=2, claim=clash, disputed=True, reason="Slipped")
        role = Role.VIEWER if state == "watched" else Role.SCORER
        key = AccessKey.objects.get(game=game, role=role).key
        client.get(reverse("open_viewer" if role == Role.VIEWER else "open_scorer", args=[key]))
    return client, slugs


assert get_resolver().url_patterns  # imported now, not in the pseudo-locale
GAME_PAGES = sorted(
    name
    for name in get_resolver("games.web.urls").reverse_dict
    if isinstance(name, str) and name not in ("home", "new", "device", "open_scorer", "open_viewer")
    if name not in get_resolver("games.web.club.urls").reverse_dict
    if name not in ("file_json", "my_games_file")  # whole games, for a program to read
)


def arguments(name: str, slug: str) -> dict[str, Any]:
    wanted = get_resolver("games.web.urls").reverse_dict.getlist(name)[0][0][0][1]
    return {key: value for key, value in {"slug": slug, "number": 1, "seat": 2}.items() if key in wanted}


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
    more = {"day": at_club.FIRST_NIGHT.isoformat(), "game": game.game.slug}
    return client, more | {"slug": club.slug, "secret": at_club.found("W").keys.get(role="invite").key}


@pytest.mark.usefixtures("pseudo_locale")
@pytest.mark.parametrize("name", CLUB_PAGES)
def test_a_club_s_page_is_translatable(name: str, at_the_club: tuple[Client, dict[str, Any]]) -> None:
    client, about = at_the_club
    wanted = get_resolver("games.web.urls").reverse_dict.getlist(name)[0][0][0][1]
    for number, query in product((1, 2, 3), ("", "?q=A&into=4", "?face=invite&row=1")):
        parts = {key: value for key, value in {**about, "number": number}.items() if key in wanted}
        for caller in (client, Client()):
            response = caller.get(reverse(name, kwargs=parts) + query)
            assert Untranslated(response.content.decode()).found == []
        version = Club.objects.get(slug=about["slug"]).version
        form = {"version": version, "name": "", "names": "Ben", "do": "change", "into": "1", "member": ""}
        response = client.post(reverse(name, kwargs=parts), form)
        assert Untranslated(response.content.decode()).found == []


QUERIES = {"hands": ["?out=1", "?ended=blocked"], "board": ["", "?by=seat"], "share": ["", "?face=score"]}


@pytest.mark.usefixtures("pseudo_locale")
@pytest.mark.parametrize("name", GAME_PAGES)
def test_a_game_s_page_is_translatable(name: str, at_the_table: tuple[Client, dict[str, str]]) -> None:
    client, slugs = at_the_table
    for slug, query in product(slugs.values(), QUERIES.get(name, [""])):
        response = client.get(reverse(name, kwargs=arguments(name, slug)) + query, follow=True)
        assert response.status_code in (200, 204, 403, 404, 405)
        assert Untranslated(response.content.decode()).found == []


@pytest.mark.usefixtures("pseudo_locale")
@pytest.mark.parametrize("name", ["home", "new", "device"])
def test_a_page_of_the_phone_is_translatable(name: str, at_the_table: tuple[Client, dict[str, str]]) -> None:
    client, _slugs = at_the_table
    for caller in (client, Client()):
        assert Untranslated(caller.get(reverse(name)).content.decode()).found == []


@pytest.mark.usefixtures("pseudo_locale")
def test_a_refused_round_is_translatable(at_the_table: tuple[Client, dict[str, str]]) -> None:
    client, slugs = at_the_table
    page = client.post(
        reverse("hands", args=[slugs["playing"], 2]) + "?out=1",
        {"version": "3", "out": "1", "hand-2": "1", "hand-3": "1", "hand-4": "", "hand-5": "nothing"},
    )

    assert page.status_code == 422
    assert Untranslated(page.content.decode()).found in ([], ["nothing"])


def test_the_search_itself_finds_what_is_not_translated() -> None:
    page = '<p>⟦Round ⟦7⟧⟧ of 13</p><b aria-label="Close">⟦ok⟧</b><p>Ben</p>'

    assert Untranslated(page).found == ["⟦Round ⟦7⟧⟧ of 13", "Close"]
