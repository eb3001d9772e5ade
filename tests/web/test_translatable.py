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
from django.core import mail
from django.test import Client
from django.urls import get_resolver, reverse
from django.utils import translation

from games.accounts import games_claim, token_make
from games.disputes import challenge_add, challenge_rule
from games.engine.rules import PRESETS
from games.engine.scoring import HandClaim
from games.models import AccessKey, Game, RecordDraft, Role, Ruling, User
from games.round_records import record_attach
from games.seats import hand_put, seat_take
from games.services import change_undo, round_put
from tests.cast import claim, play, start
from tests.recorded import BROKEN, HIDDEN, RECORD, recorded

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

# Names of this test, and words that are nobody's language.
NAMES = re.compile(
    r"\b(Ruth|Ben|Chitra|Wilhelmina|Ann|RuthPhone|FridayNight|Slipped|R|B|C|W|A|x|html|svg"
    r"|ThoughtCo|GameRules|wikiHow|[GWA][0-9]+|T)\b"
)
READ_ALOUD = ("aria-label", "title", "placeholder", "alt")
SHOWN_BY_SCRIPT = re.compile(r"^data-(say|label|text|words?)(-|$)")
SIGNS = {"script", "style", "code", "pre", "textarea"}  # a record's own signs are in no language
NOT_READ = {*SIGNS, "head"}


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
        if SIGNS.intersection(self.inside):
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
    for state in ("new", "playing", "undone", "finished", "watched", "seated", "told", "lost", "unseated"):
        started = start(name="FridayNight", rounds=2, open_marker=5, second_person=True)
        game = started.sheet.game
        slugs[state] = game.slug
        if state != "new":
            play(game, (33, 2, 0, 31, 46), who="RuthPhone")
            tiles = claim((33, 2, 0, 13, 46))
            round_put(game=game, number=1, claim=tiles, who="RuthPhone", reason="Slipped")
        if state in ("playing", "watched"):
            for seat, points, who in ((2, 12, "RuthPhone"), (4, None, "")):
                challenge_add(
                    game=game, number=1, seat=seat, points=points, reason="Slipped", role=Role.VIEWER, who=who
                )
        attach(game, state)
        if state == "watched":
            challenge_rule(game=game, number=1, ruling=Ruling.DISMISSED, reason="Slipped")
            challenge_rule(game=game, number=2, ruling=Ruling.UPHELD, points=14, reason="Slipped")
            change_undo(game=game)
        if state == "undone":
            change_undo(game=game)
        if state == "finished":
            clash = claim((0, 1, 1, 31, 2))
            round_put(game=game, number=2, claim=clash, disputed=True, reason="Slipped")
        role, link = ROLES.get(state, (Role.SCORER, "open_scorer"))
        client.get(reverse(link, args=[AccessKey.objects.get(game=game, role=role).key]))
        if state in ("seated", "told", "lost"):
            client.post(reverse("seat", args=[game.slug]), {"seat": 2})
        if state == "told":
            client.post(reverse("my_hand", args=[game.slug]), {"round": 2, "hand-2": "13"})
            round_put(game=game, number=1, claim=claim((33, 3, 0, 13, 46)), who="RuthPhone")
        if state == "lost":
            seat_take(game=game, seat=2, device="another phone", take_over=True)
        if state == "playing":
            seat_take(game=game, seat=1, device="another phone")
            hand_put(game=game, number=2, claim=HandClaim(2, points=13))
            hand_put(game=game, number=2, claim=HandClaim(3, points=0, out=True))
    return client, slugs


HEAD = "rules: thoughtco open_marker=5\nplayers: Ruth, Ben, Chitra, Wilhelmina, Ann\nengine: 12-12 Ruth\n"
RECORDS = {  # unfinished; illegal; of another engine, deal and other people
    "playing": HEAD,
    "watched": HEAD + "1. Ben -",
    "undone": HEAD,
    "finished": "rules: wikihow\nset: 9\nplayers: A=Ruth, R=Ben\ndeal: 2\nengine: 9-9\n",
}


def attach(game: Game, state: str) -> None:
    if state in RECORDS:
        record_attach(game=game, number=1, text=RECORDS[state])


ROLES = {"watched": (Role.VIEWER, "open_viewer")}
ROLES |= dict.fromkeys(("seated", "told", "lost", "unseated"), (Role.SEAT, "open_table"))


assert get_resolver().url_patterns  # imported now, not in the pseudo-locale
GAME_PAGES = sorted(
    name
    for name in get_resolver("games.web.urls").reverse_dict
    if isinstance(name, str)
    and name not in ("home", "new", "device", "open_scorer", "open_viewer", "open_table")
    and name not in ("written", "written_text", "written_live")  # a record of its own: below
    and name not in get_resolver("games.web.club.urls").reverse_dict
    if name
    not in ("file_json", "my_games_file", "rules", "which_rules")  # whole games, for a program to read
)


def arguments(name: str, slug: str) -> dict[str, Any]:
    wanted = get_resolver("games.web.urls").reverse_dict.getlist(name)[0][0][0][1]
    return {key: value for key, value in {"slug": slug, "number": 1, "seat": 2}.items() if key in wanted}


QUERIES = {
    "hands": ["?out=1", "?ended=blocked"],
    "board": ["", "?by=seat"],
    "share": ["", "?face=score", "?face=seat"],
}
QUERIES |= {"print": ["", "?what=blank&paper=letter", "?what=result"], "confirm": ["", "?wrong=1"]}


@pytest.mark.usefixtures("pseudo_locale")
def test_a_game_s_pages_are_translatable(at_the_table: tuple[Client, dict[str, str]]) -> None:
    """In one test, since its games take longer to make than its pages."""
    client, slugs = at_the_table
    plain = {}
    for name in GAME_PAGES:
        for state, query in product(slugs, QUERIES.get(name, [""])):
            response = client.get(reverse(name, kwargs=arguments(name, slugs[state])) + query, follow=True)
            assert response.status_code in (200, 204, 403, 404, 405)
            if found := Untranslated(response.content.decode()).found:
                plain[name, state, query] = found
    assert plain == {}


@pytest.mark.usefixtures("pseudo_locale")
@pytest.mark.parametrize("name", ["home", "new", "device", "deleted_games", "old_sheet", "paper"])
def test_a_page_of_the_phone_is_translatable(name: str, at_the_table: tuple[Client, dict[str, str]]) -> None:
    client, _slugs = at_the_table
    for caller in (client, Client()):
        assert Untranslated(caller.get(reverse(name)).content.decode()).found == []


@pytest.mark.usefixtures("pseudo_locale")
def test_the_rules_are_translatable(client: Client) -> None:
    for preset, query in product(
        PRESETS, ("", "?players=14", "?beside=wikihow&only=1", "?beside=tournament")
    ):
        page = client.get(reverse("rules", args=[preset]) + query)
        assert Untranslated(page.content.decode()).found == [], (preset, query)


ACCOUNT_PAGES = sorted(
    name for name in get_resolver("games.web.account_urls").reverse_dict if isinstance(name, str)
)


@pytest.mark.usefixtures("pseudo_locale")
@pytest.mark.parametrize("name", ACCOUNT_PAGES)
def test_a_page_of_accounts_is_translatable(name: str, at_the_table: tuple[Client, dict[str, str]]) -> None:
    client, slugs = at_the_table
    ruth = User.objects.create_user("x@x.x", "x", name="Ruth")
    keys = AccessKey.objects.filter(game__slug__in=[slugs["watched"], slugs["finished"]])
    games_claim(user=ruth, key_ids=list(keys.values_list("pk", flat=True)))
    token_make(user=ruth, name="RuthPhone")
    wanted = get_resolver("games.web.account_urls").reverse_dict.getlist(name)[0][0][0][1]
    values = {"slug": slugs["new"], "token_id": 1, "key": "x", "uidb36": "x"}
    url = reverse(name, kwargs={part: values[part] for part in wanted})
    for signed_in in (False, True):
        if signed_in:
            client.force_login(ruth)
        for response in (
            client.get(url, follow=True),
            client.post(url, {"email": "x", "name": "\u202e", "action_add": "x"}, follow=True),
        ):
            assert response.status_code in (200, 404, 405, 422)
            assert Untranslated(response.content.decode()).found == []


@pytest.mark.usefixtures("pseudo_locale")
@pytest.mark.parametrize("known", [False, True])
def test_the_messages_of_accounts_are_translatable(client: Client, known: bool) -> None:
    if known:
        User.objects.create_user("x@example.org", "x")
    for name in ("account_signup", "account_reset_password"):
        client.post(reverse(name), {"email": "x@example.org", "password1": "Fix Six Mix Wax"})

    assert len(mail.outbox) == 2
    for message in mail.outbox:
        said = re.sub(r"http://\S+|testserver", "", f"{message.subject} {message.body}")
        assert Untranslated(said).found == []


@pytest.mark.usefixtures("pseudo_locale")
def test_a_record_that_tells_all_or_cannot_be_read_is_translatable(client: Client) -> None:
    pages = []
    for points, text in (
        *(((0, 40), RECORD), ((0, 38), RECORD), ((38, 0), RECORD)),
        *(((0, 40), HIDDEN), (None, RECORD)),
    ):
        game = recorded(points)
        client.get(reverse("open_scorer", args=[AccessKey.objects.get(game=game, role=Role.SCORER).key]))
        url = reverse("record", args=[game.slug, 1])
        pages.append(client.post(url, {"version": game.version, "do": "check", "record": text}))
        pages.append(client.post(url, {"version": game.version, "do": "attach", "record": "A -"}))
        client.post(url, {"version": game.version, "do": "attach", "record": text})
        pages.append(client.get(url))
        if points:
            challenge_add(game=game, number=1, seat=2, reason="Slipped", role=Role.VIEWER)
            pages.append(client.get(reverse("rule_challenge", args=[game.slug, 1])))
        for name in ("board", "log", "end", "tv", "print", "files"):
            pages.append(client.get(reverse(name, args=[game.slug])))
    assert [found for page in pages for found in Untranslated(page.content.decode()).found] == []


@pytest.mark.usefixtures("pseudo_locale")
def test_a_record_of_a_dispute_and_one_from_a_chat_are_translatable(client: Client) -> None:
    pages = []
    chat = RECORD.replace("6-1", "6–1").replace("2-1", "2–1").replace("1-2>", "1-2→")
    chat = chat.replace("hand B", "hand\u00a0B").replace("deal: 2", "deal: 2-")
    game = recorded((0, 38))
    client.get(reverse("open_scorer", args=[AccessKey.objects.get(game=game, role=Role.SCORER).key]))
    url = reverse("challenge", args=[game.slug, 1, 2])
    form = {"version": game.version, "reason": "Slipped", "value": ""}
    for text in (BROKEN, HIDDEN, chat, RECORD.replace("Ben", "Ann"), RECORD.replace("deal: 2", "deal: 3")):
        pages += [client.post(url, form | {"record": text, "do": do}) for do in ("", "mend")]
        pages += [client.post(reverse("check_round"), {"record": text, "do": do}) for do in ("", "mend")]
    pages.append(client.post(url, form | {"record": RECORD, "value": "41"}))
    client.post(url, form | {"record": RECORD})
    for name, args in (("challenge", [1, 2]), ("cell", [1, 2]), ("rule_challenge", [1]), ("board", [])):
        pages.append(client.get(reverse(name, args=[game.slug, *args])))
    text_of = re.compile(r"<(pre|textarea)\b.*?</\1>", re.DOTALL)  # the record itself
    found = [Untranslated(text_of.sub("", page.content.decode())).found for page in pages]
    assert [one for one in found if one] == []


@pytest.mark.usefixtures("pseudo_locale")
def test_a_refused_round_is_translatable(at_the_table: tuple[Client, dict[str, str]]) -> None:
    client, slugs = at_the_table
    page = client.post(
        reverse("hands", args=[slugs["playing"], 2]) + "?out=1",
        {"version": "3", "out": "1", "hand-2": "1", "hand-3": "1", "hand-4": "", "hand-5": "nothing"},
    )

    assert page.status_code == 422
    assert Untranslated(page.content.decode()).found in ([], ["nothing"])


@pytest.mark.usefixtures("pseudo_locale")
def test_a_round_that_is_being_written_is_translatable(at_the_table: tuple[Client, dict[str, str]]) -> None:
    client, slugs = at_the_table
    slug = slugs["playing"]
    client.post(reverse("write_round", args=[slug, 2]), {"do": "layer:0"})
    here = reverse("written", args=[RecordDraft.objects.get().key])
    pages = []
    for do in ("draw", "pass", "!out:A"):
        pages += [
            client.get(reverse("board", args=[slug])),
            client.get(reverse("round_written", args=[slug, 2])),
        ]
        client.post(here, {"do": do, "version": RecordDraft.objects.get().version})
    pages.append(client.get(reverse("round_written", args=[slug, 2])))
    assert {page.status_code for page in pages} == {200}
    assert [found for page in pages for found in Untranslated(page.content.decode()).found] == []


@pytest.mark.usefixtures("pseudo_locale")
def test_a_record_that_is_being_written_is_translatable(client: Client) -> None:
    form = {"player": ["Ann", "Ben"], "preset": "gamerules", "set": "6", "engine": "6", "deal": "4"}
    pages = [client.post(reverse("write"), form | {"do": do}) for do in ("next", "people", "start:9")]
    pages.append(client.post(reverse("write"), form | {"do": "start:0", "hand": ["6-6", ""]}))
    client.post(reverse("write"), form | {"do": "start:0"})
    here = reverse("written", args=[RecordDraft.objects.get().key])
    shown = ("", "?mode=any&half=6", "?mode=any&tile=6-2", "?mode=drawn&half=5", "?by=B", "?train=B")
    taps: tuple[str, ...] = (
        "pass",
        "blocked",
        "out:B",
        "lay:3-1:B",
        "lay:6-3:A",
        "draw",
        "pass",
        "lay:3-3:A",
        "lay:3-1:A",
    )
    taps += (
        "lay:6-2:B",
        "undo",
        "redo",
        "undo",
        "!lay:3-2:A",
        "pass",
        "undo",
        "!out:B",
        "left:A:5-5",
        "points:B",
        "x",
        "drop",
    )
    for at, do in enumerate(taps, start=1):
        pages += [client.get(here + query) for query in shown]
        version = RecordDraft.objects.get().version - (do == "x")
        pages.append(client.post(here, {"do": do, "version": version, "points-B": str(at)}, follow=True))
    text = re.compile(r"<(pre|textarea)\b.*?</\1>", re.DOTALL)  # the record itself
    assert {page.status_code for page in pages} <= {200, 409, 422}
    found = [Untranslated(text.sub("", page.content.decode())).found for page in pages]
    assert [one for one in found if one] == []


@pytest.mark.usefixtures("pseudo_locale")
def test_what_a_phone_with_a_seat_is_told_is_translatable(
    at_the_table: tuple[Client, dict[str, str]],
) -> None:
    client, slugs = at_the_table
    seat_take(game=Game.objects.get(slug=slugs["seated"]), seat=3, device="another phone")
    asked = client.post(reverse("seat", args=[slugs["seated"]]), {"seat": 3})
    mine = reverse("my_hand", args=[slugs["told"]])
    late = [client.post(mine, {"round": number, "hand-2": "13"}) for number in (1, 2, 3)]
    empty = client.post(mine, {"round": 2})
    lost = client.post(reverse("my_hand", args=[slugs["lost"]]), {"round": 2, "hand-2": "13"})
    check = client.post(reverse("my_check", args=[slugs["told"]]), {"hand-2": "13"})

    pages = [asked, *late, empty, lost, check]
    assert [page.status_code for page in pages] == [409, 409, 302, 409, 422, 409, 200]
    assert [found for page in pages for found in Untranslated(page.content.decode()).found] == []


def test_the_search_itself_finds_what_is_not_translated() -> None:
    page = '<p>⟦Round ⟦7⟧⟧ of 13</p><b aria-label="Close">⟦ok⟧</b><p>Ben</p>'

    assert Untranslated(page).found == ["⟦Round ⟦7⟧⟧ of 13", "Close"]
