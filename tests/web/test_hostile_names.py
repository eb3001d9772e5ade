"""Sixty hostile names, and other texts as bad, on every page and in every export: they are nothing but text.

The pages come from the URL table. What cannot be kept is refused in words, whoever sends it.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.urls import get_resolver, reverse

from games.clubs import club_change
from games.files.bring_in import games_bring_in, look_into
from games.files.export import game_data
from games.models import Game, LogEntry, RecordDraft
from games.seasons import doubt_raise, season_add
from tests import club as at_club
from tests import hostile
from tests.api.caller import Caller, scorer
from tests.cast import play, start
from tests.hostile import FORMULAS, NAMES, NASTIEST, REFUSED, packed
from tests.web.at_the_table import phone as scorers_phone
from tests.web.at_the_table import watcher as watchers_phone

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

FILES = {"file_text", "file_csv", "file_json", "file_picture", "my_games_file"}
# And no link but a record.
LINKS = {"open_scorer", "open_table", "open_viewer", "written", "written_text", "written_live"}
AT_CLUBS = get_resolver("games.web.club.urls").reverse_dict
PAGES = sorted(
    name
    for name in get_resolver("games.web.urls").reverse_dict
    if isinstance(name, str) and name not in FILES | LINKS and name not in AT_CLUBS
)
QUERIES = {
    "hands": ("?out=1", "?ended=blocked"),
    "board": ("", "?by=seat"),
    "share": ("", "?face=score"),
    "new": ("", "?again={slug}"),
    "end": ("", "?why=2", "?why=1"),
    "live": ("?v=1",),
    "tv_live": ("?v=1",),
    "home": ("", "?q=alert"),
}
# On these, everybody at the table is named.
ALL_NAMED = {"board", "end", "tv", "players", "round", "hands", "round_sheet", "files"}
HTML = """html head meta title link script body a header footer main nav section article aside div span p br
    h1 h2 h3 h4 ul ol li dl dt dd table caption colgroup col thead tbody tfoot tr th td b i em strong small s
    del ins q form fieldset legend label input button select option optgroup textarea output details summary
    datalist dialog time abbr bdi wbr sup sub img figure figcaption hr template noscript code pre"""
SVG = """svg g path rect circle line polyline polygon text tspan use symbol defs title desc ellipse
    clippath"""
TAGS = {*HTML.split(), *SVG.split()}
UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
LEADS = {"href", "src", "action", "formaction", "hx-get", "hx-post", "xlink:href"}
OURS = re.compile(r"(/|#|\?|http://testserver/|$)")


class Reader(HTMLParser):
    """What a page is made of, as a browser reads it."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.wrong: list[str] = []
        self.words: list[str] = []
        self.code = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.code = tag if tag in ("script", "style") else ""
        if tag not in TAGS:
            self.wrong.append(f"<{tag}>")
        for name, value in attrs:
            strange = name in ("style", "srcdoc", "xss") or (name == "x" and tag not in SVG.split())
            if strange or name.startswith(("on", "hx-on")) or "<" in name:
                self.wrong.append(f"<{tag} {name}>")
            if name in ("href", "src", "action", "formaction", "hx-get", "hx-post") and not OURS.match(
                value or ""
            ):
                self.wrong.append(f"<{tag} {name}={value}>")
            self.words.append(value or "")

    def handle_endtag(self, tag: str) -> None:
        self.code = ""

    def handle_data(self, data: str) -> None:
        if self.code and data.strip():
            self.wrong.append(f"inline {self.code}: {data[:60]}")
        self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join("".join(self.words).replace("\u00ad", "").replace("\u2060", "").split())


def sound(content: str, *, as_typed: bool = False) -> Reader:
    """Fail on what does not belong; a field that was refused shows what was typed, with all its signs."""
    reader = Reader(content)
    assert reader.wrong == []
    if as_typed:
        return reader
    found = UNSEEN.search(re.sub("\u2068([^\u2068\u2069]*)\u2069", r"\1", content))
    assert found is None, ascii(content[found.start() - 60 : found.end() + 20])
    return reader


def tables(whole: int) -> list[tuple[str, ...]]:
    """The names by fourteen, or the nastiest alone."""
    if whole == len(NASTIEST):
        return [NASTIEST]
    sets = [NAMES[at : at + 14] for at in range(0, len(NAMES), 14)]
    return [names if len(names) > 4 else (*names, *NASTIEST[:8]) for names in sets]


@pytest.fixture
def games(size: Callable[[int, int], int]) -> list[Game]:
    return [packed(names) for names in tables(size(len(NASTIEST), len(NAMES)))]


def address(name: str, slug: str, number: int) -> str:
    wanted = get_resolver("games.web.urls").reverse_dict.getlist(name)[0][0][0][1]
    about = {"slug": slug, "number": number, "seat": 1, "preset": "thoughtco"}
    return reverse(name, kwargs={key: value for key, value in about.items() if key in wanted})


def test_there_are_sixty_and_all_different() -> None:
    assert len({name.casefold() for name in NAMES}) == 60
    assert set(NASTIEST) < set(NAMES)
    assert len(NASTIEST) == 14


@pytest.mark.long
@pytest.mark.parametrize("name", PAGES)
def test_on_every_page_they_are_text(name: str, games: list[Game]) -> None:
    for game in games:
        names = list(game.players.values_list("name", flat=True))
        for phone in (scorers_phone(game, who=names[0]), watchers_phone(game)):
            for number in (1, 3, 4):
                for query in QUERIES.get(name, ("",)):
                    page = phone.get(address(name, game.slug, number) + query.format(slug=game.slug))
                    if page.status_code != 200:
                        assert page.status_code in (204, 302, 403, 404, 405)
                        continue
                    reader = sound(page.content.decode())
                    if name in ALL_NAMED and not (name == "round_sheet" and number == 4):
                        missing = [one for one in names if one not in reader.text]
                        assert missing == [], reader.text[:3_000]


@pytest.mark.long
def test_a_page_that_refuses_them_is_sound_too(games: list[Game]) -> None:
    for game in games:
        names = list(game.players.values_list("name", flat=True))
        phone = scorers_phone(game)
        version, why = {"version": str(game.version)}, hostile.REASON
        said = {f"hand-{seat}": name for seat, name in enumerate(names, 1)}
        for path, data in (
            (reverse("new"), {"do": "start", "player": [*names, names[0]], "name": hostile.GAME_NAME * 2}),
            (reverse("new"), {"do": "look", "player": names, "who": names[1], "max_pip": names[2]}),
            (f"{reverse('hands', args=[game.slug, 4])}?out=1", {**said, **version, "reason": why}),
            (f"{reverse('check', args=[game.slug, 4])}?out=1", {**said, **version}),
            (
                reverse("correct", args=[game.slug, 1, 3]),
                {"value": names[1], "other": why, **version},
            ),
            (
                reverse("correct", args=[game.slug, 1, 3]),
                {"value": "7", "other": why, "version": "1"},
            ),
            (reverse("players", args=[game.slug]), {"do": "add", "name": names[1], **version}),
            (reverse("player_edit", args=[game.slug, 1]), {"do": "change", "name": names[1], **version}),
            (reverse("undo", args=[game.slug]), {"version": "1"}),
            (reverse("device"), {"who": "x" * 41, "theme": names[0]}),
        ):
            page = phone.post(path, data, follow=True)
            assert page.status_code in (200, 409, 422), path
            sound(page.content.decode())


@pytest.mark.long
def test_a_record_written_of_their_round_is_sound(games: list[Game]) -> None:
    """Names stand in the record's own header, and in every sentence about it."""
    for game in games:
        phone = scorers_phone(game)
        way = reverse("write_round", args=[game.slug, 4])
        page = phone.post(way, {"do": "layer:0", "deal": "5"}, follow=True)
        assert page.status_code == 200, page.content.decode()[:2_000]
        sound(page.content.decode())
        here = page.request["PATH_INFO"]
        for do in ("lay:0-0:A", "pass", "!pass", "undo", "redo", "undo", "lay:1-1:B", "!out:C"):
            version = RecordDraft.objects.get(game=game).version
            page = phone.post(here, {"do": do, "version": version}, follow=True)
            sound(page.content.decode())
            for name in ("round_written", "round_written_live"):
                seen = watchers_phone(game).get(address(name, game.slug, 4))
                assert seen.status_code == 200
                sound(seen.content.decode())


def files(phone: Client, game: Game) -> dict[str, str]:
    return {name: phone.get(address(name, game.slug, 1)).content.decode() for name in FILES}


@pytest.mark.long
def test_in_every_export_they_are_text(games: list[Game]) -> None:
    for game in games:
        names = set(game.players.values_list("name", flat=True))
        taken = files(scorers_phone(game), game)
        text = taken["file_text"] = re.sub("\u2068([^\u2068\u2069]*)\u2069", r"\1", taken["file_text"])
        for content in taken.values():
            assert not UNSEEN.search(content.replace("\r\n", "\n"))

        lines = text.splitlines()
        assert lines[0] == hostile.GAME_NAME
        assert {line.partition(" ")[2].rpartition(": ")[0] for line in lines[5 : 5 + len(names)]} <= names

        rows = list(csv.reader(io.StringIO(taken["file_csv"].removeprefix("\ufeff"))))
        assert len({len(row) for row in rows}) == 1
        assert {row[1].removeprefix("'") if row[1] not in names else row[1] for row in rows[1:]} == names
        cells = [cell for row in rows for cell in row if not re.fullmatch(r"-?\d+", cell)]
        assert [cell for cell in cells if re.match(r"\s*[=+\-@\t\r＝＋－＠]", cell)] == []

        picture = ElementTree.fromstring(taken["file_picture"])
        tags = {one.tag.partition("}")[2] for one in picture.iter()}
        assert tags <= {"svg", "title", "rect", "path", "g", "circle", "text", "polyline", "line", "tspan"}
        given = {attribute for one in picture.iter() for attribute in one.attrib}
        assert not [one for one in given if one.startswith("on") or "href" in one or one in ("style", "xss")]

        assert {one["name"] for one in json.loads(taken["file_json"])["players"]} == names
        assert json.loads(taken["file_json"]) == game_data(game)


def test_a_name_from_right_to_left_takes_no_figure_along() -> None:
    """Else «محمد» would stand between its place and its total the other way round."""
    game = start(("محمد", "Ben"), rounds=1).sheet.game
    play(game, (7, 0))
    phone = scorers_phone(game)

    text = phone.get(reverse("file_text", args=[game.slug])).content.decode()
    log = phone.get(reverse("log", args=[game.slug])).content.decode()

    assert "2nd \u2068محمد\u2069: 7\n" in text
    assert "1st Ben: 0\n" in text
    assert "<bdi>محمد</bdi> <b>7</b>" in log


@pytest.mark.long
def test_a_backup_of_them_is_the_same_game_again(games: list[Game]) -> None:
    for game in games:
        before = game_data(game)
        backup = files(scorers_phone(game), game)["my_games_file"]
        game.delete()
        brought = games_bring_in(incoming=look_into(backup.encode()))
        again = Game.objects.get(uid=before["game"]["uid"])
        assert [one.how for one in brought] == ["new"]
        assert game_data(again) == before


@pytest.mark.long
def test_the_api_gives_them_back_as_they_are(games: list[Game]) -> None:
    for game in games:
        key = game.keys.get(role="scorer").key
        answer = Caller(game, key).read()
        assert [one["name"] for one in answer["standings"]]
        assert {one["name"] for one in answer["players"]} == set(game.players.values_list("name", flat=True))


def test_formulas_are_told_apart_from_signed_numbers() -> None:
    assert any(name.startswith("-") for name in FORMULAS)


@pytest.mark.parametrize("name", REFUSED, ids=range(len(REFUSED)))
def test_what_cannot_be_kept_is_refused_in_words(name: str, client: Client) -> None:
    caller = scorer()
    game = caller.game
    phone = scorers_phone(game)
    entries = LogEntry.objects.count()
    version = {"version": str(game.version)}
    pages = [
        client.post(reverse("new"), {"do": "start", "player": [name, "Ben"]}),
        client.post(reverse("new"), {"do": "start", "player": ["Ann", "Ben"], "who": name}),
        phone.post(reverse("set_up", args=[game.slug]), {"do": "start", "player": [name, "Ben"], **version}),
        phone.post(reverse("players", args=[game.slug]), {"do": "add", "name": name, **version}),
        phone.post(reverse("player_edit", args=[game.slug, 1]), {"do": "change", "name": name, **version}),
    ]
    answers: list[Any] = [
        Client().post("/api/games/", {"players": [name, "Ben"]}, "application/json"),
        caller("POST", "players/", {"name": name}),
        caller("PATCH", "players/1/", {"name": name}),
    ]

    assert [page.status_code for page in pages] == [422] * len(pages)
    assert [answer.status_code for answer in answers] == [400] * len(answers)
    for page in pages:
        text = sound(page.content.decode(), as_typed=True).text
        assert "40" in text or "nobody can see" in text
    assert all(answer.json()["problems"][0]["message"] for answer in answers)
    assert (Game.objects.count(), LogEntry.objects.count()) == (1, entries)


UNBROKEN = "An\u202egnorw\u2066 text\u2028with signs"
TURNED = "An\u202egnorw\u2066 \x1b[31mtext\u2028with\x00 signs"


def test_a_reason_loses_the_signs_that_turn_the_text_around_it(client: Client) -> None:
    caller = scorer()
    caller.put(1, (0, 5, 9))
    game = caller.game
    phone = scorers_phone(game)
    game.refresh_from_db()
    phone.post(
        reverse("correct", args=[game.slug, 1, 2]),
        {"value": "6", "why": "other", "other": TURNED, "version": str(game.version)},
    )
    game.refresh_from_db()
    phone.post(
        reverse("player_edit", args=[game.slug, 1]),
        {"do": "adjust", "kind": "penalty", "points": "5", "reason": TURNED, "version": str(game.version)},
    )
    caller.put(1, (0, 7, 9), reason=UNBROKEN)
    caller("POST", "players/1/adjustments/", {"points": 5, "reason": UNBROKEN})

    reasons = [reason for reason in LogEntry.objects.values_list("reason", flat=True) if reason]

    assert len(reasons) == 4
    assert [ascii(reason) for reason in reasons if UNSEEN.search(reason)] == []
    sound(phone.get(reverse("log", args=[game.slug])).content.decode())


HEAD = "Night\tName\tPoints\tNote"


@pytest.mark.long
def test_on_every_page_of_a_club_they_are_text(size: Callable[[int, int], int]) -> None:
    for number, names in enumerate(tables(size(len(NASTIEST), len(NAMES)))):
        club = at_club.found(f"Owner {number}", *names)
        club_change(club=club, name=names[0], who=names[1])
        season = season_add(club=club, name=names[2], starts_on=at_club.FIRST_NIGHT, who=names[3])
        seated = list(club.members.values_list("name", flat=True))[1:6]
        played = at_club.night(season, 1, seated, [0, 20, 30, 31, 32])
        doubt_raise(played=played, other={"void": True}, reason=names[4], who=names[5])
        at_club.night(season, 2, seated, [0, 20, 30, 31, 32], finish=False)
        owner = Client()
        owner.force_login(club.members.get(number=1).user)  # type: ignore[arg-type]
        about = {"slug": club.slug, "number": 1, "day": at_club.FIRST_NIGHT.isoformat()}
        about |= {"game": played.game.slug, "secret": club.keys.get(role="invite").key}
        about |= {"what": "results", "ending": "csv"}
        for name in sorted(name for name in AT_CLUBS if isinstance(name, str)):
            wanted = get_resolver("games.web.urls").reverse_dict.getlist(name)[0][0][0][1]
            path = reverse(name, kwargs={part: value for part, value in about.items() if part in wanted})
            for query in ("", "?row=2&into=2"):
                if not name.endswith("_file"):  # a table to save is no page
                    sound(owner.get(path + query).content.decode())
        nights = "".join(f"\n2026-03-05\t{name}\t{at}\t{name}" for at, name in enumerate(names))
        for name, rows in (("members_bring", "\n".join(names)), ("season_bring", f"{HEAD}{nights}")):
            for season_name in ("", names[2]):
                form = {"text": rows, "season_name": season_name, "source": names[0], "do": "bring"}
                sound(owner.post(reverse(name, args=[club.slug]), form).content.decode())
        log = sound(owner.get(reverse("club_log", args=[club.slug])).content.decode())
        assert " ".join(names[4].split()) in log.text
