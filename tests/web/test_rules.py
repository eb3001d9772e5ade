"""The page of a preset's rules: each field once, as its rule set has it; each number has words and place."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games import rule_book, rule_words
from games.engine.breaches import BREACHES
from games.engine.rules import DEALS, FIELDS, OPTIONS, PRESETS, SOURCES, RuleSet, rule_set
from games.mapping import rules_of
from games.models import Game
from games.record_words import SENTENCES
from games.rule_readings import ANCHORS, readings
from games.web import rules as page
from games.web.rule_cards import card_tables, options_off
from tests.cast import play
from tests.web.test_new import form

pytestmark = pytest.mark.django_db
PAIRS = list(product(PRESETS, ["", *PRESETS]))


def get(client: Client, preset: str, query: str = "", **headers: str) -> str:
    response = client.get(reverse("rules", args=[preset]) + query, headers=headers)
    assert response.status_code == 200, (preset, query)
    return response.content.decode()


def ids(html: str) -> list[str]:
    return re.findall(r' id="([^"]+)"', html)


def plain(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def row(html: str, field: str) -> str:
    """The words of one field's row."""
    found = re.search(rf'<(tr|tbody) id="{field}">(.*?)</\1>', html, re.DOTALL)
    assert found, field
    return plain(re.sub(r"</th>(?=</tr>)", " | ", found[2]).replace("<td>", "| "))


def test_each_field_is_there_once_as_the_rule_sets_have_it(client: Client) -> None:
    for left, right in PAIRS:
        html = get(client, left, f"?beside={right}" if right else "")
        cards = [PRESETS[name] for name in dict.fromkeys((left, right)) if name]
        assert len(ids(html)) == len(set(ids(html))), (left, right)
        for name in FIELDS:
            assert ids(html).count(name) == 1, (left, right, name)
            if name in OPTIONS or name == "deal":
                continue
            said = [part.strip() for part in row(html, name).split("|") if part.strip()][1:]
            wanted = [plain(_words(card, name)) for card in cards]
            assert said[-len(cards) :] == wanted, (left, right, name)
            if len(cards) == 2:
                same = len({getattr(card, name) for card in cards}) == 1
                assert ("= the same" in row(html, name)) == same, (left, right, name)
                assert ("≠ differs" in row(html, name)) != same, (left, right, name)


def _words(card: RuleSet, name: str) -> str:
    source = SOURCES[card.preset, name] or "our reading"
    return f"{rule_words.choice(name, getattr(card, name))} {source}"


def test_what_the_page_says_follows_the_rule_set(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    own: Mapping[str, Any] = {
        name: next(value for value in rule_words.values(name) if value != getattr(PRESETS["thoughtco"], name))
        for name in FIELDS
        if name not in ("deal", "max_pip")
    }
    before = get(client, "thoughtco")
    for name, value in own.items():
        changed = replace(PRESETS["thoughtco"], **{name: value})
        monkeypatch.setattr(page, "PRESETS", {**PRESETS, "thoughtco": changed})
        said = row(get(client, "thoughtco"), name)
        assert str(rule_words.choice(name, value)) in said, name
        if name not in OPTIONS:
            assert f"| {rule_words.choice(name, value)}" not in row(before, name), name


def test_the_deal_is_the_preset_s_own(client: Client) -> None:
    for preset, sets in DEALS.items():
        whole = row(get(client, preset), "deal")
        for max_pip, deal in sets.items():
            assert f"Double-{max_pip} " in whole, (preset, max_pip)
            for players, tiles in deal.items():
                said = row(get(client, preset, f"?players={players}"), "deal")
                own = str(tiles) if max_pip == PRESETS[preset].max_pip else f"{tiles} with double-{max_pip}"
                assert f"Tiles for {players} players" in said
                assert re.search(rf"(?<!\d){own}(?! with)", said), (preset, players, said)
    assert row(get(client, "gamerules", "?players=10"), "deal").count("our reading") == 2
    assert "The card gives none" in row(get(client, "wikihow", "?players=14"), "deal")
    both = get(client, "thoughtco", "?beside=gamerules&players=5")
    assert row(both, "deal") == "≠ differs Tiles for 5 players | | 12 A2 | 14 G6"
    for wrong in ("1", "15", "x", "²", "-3", "5555"):
        assert "Tiles each" in get(client, "thoughtco", f"?players={wrong}"), wrong


def test_only_what_differs_is_shown_on_wish(client: Client) -> None:
    for left, right in PAIRS:
        differ = [name for name in FIELDS if right and name != "deal"]
        differ = [name for name in differ if getattr(PRESETS[left], name) != getattr(PRESETS[right], name)]
        html = get(client, left, f"?beside={right}&only=1")
        shown = re.findall(r'<tbody id="(\w+)"', html)
        if right not in ("", left):
            assert set(shown) == {*differ, "deal"}, (left, right)
            assert f"{len(shown)} of {len(FIELDS) - len(OPTIONS)} differ" in plain(html)
            assert "Show all" in html
        else:
            assert not shown
            assert 'class="one-card"' in html


def test_every_number_has_words_and_a_place(client: Client) -> None:
    told = {number for _field, sources in BREACHES.values() for number in sources if number}
    told |= {number for number in SOURCES.values() if number}
    rules = {
        f"{letter}{number}"
        for letter, last in (("G", 26), ("W", 12), ("A", 13))
        for number in range(1, last + 1)
    }
    assert set(rule_book.RULES) == rules | {"T"}
    assert told <= set(rule_book.RULES)
    for preset, card in PRESETS.items():
        html = get(client, preset)
        places = {"", *ids(html)}
        for number in rule_book.numbers(preset):
            item = re.search(rf'<li id="{number}">(.*?)</li>', html, re.DOTALL)
            assert item, number
            said = plain(item[1]).replace("&#x27;", "'")
            parts = (
                rule_book.rule_title(number),
                rule_book.rule_text(number),
                rule_book.rule_reading(number),
            )
            assert all(part in said for part in parts), number
            assert ("our reading" in said) == bool(parts[2]), number
            assert "%(" not in said, number
            for name in rule_book.fields_of(number):
                assert f'href="#{name}"' in item[1], (number, name)
        assert {number for (whose, _name), number in SOURCES.items() if whose == preset and number} <= places
        silent = {str(rule_words.label(name)) for name in FIELDS if SOURCES.get((preset, name), "") is None}
        told_silent = re.search(r'id="our-reading">(.*?)</section>', html, re.DOTALL)
        assert {
            plain(one) for one in re.findall(r"<dt>(.*?)</dt>", told_silent[1] if told_silent else "")
        } == silent
        for key, (field, sources) in BREACHES.items():
            for code in (key.split()[0], "header"):
                for rule in (*sources, None):
                    if rule is None or rule_book.preset_of(rule) == preset:
                        address = rule_book.rule_address(preset, rule, field, code)
                        assert address.partition("#")[2] in places, (preset, key, rule)
        assert {reading.anchor for reading in readings(card)} <= places


def test_a_breach_without_number_and_field_has_a_place() -> None:
    bare = {key.split()[0] for key, (field, sources) in BREACHES.items() if field is None and None in sources}

    assert bare <= set(ANCHORS)
    assert set(ANCHORS) <= set(SENTENCES)


def test_rulings_are_told_where_they_matter() -> None:
    def said(anchor: str, preset: str, **own: Any) -> str:
        return next((one.text for one in readings(rule_set(preset, **own)) if one.anchor == anchor), "")

    cases: tuple[tuple[str, str, dict[str, Any], str], ...] = (
        ("one-train", "gamerules", {}, ""),
        ("one-train", "thoughtco", {}, "At least one tile is laid if one fits."),
        ("one-train", "thoughtco", {"doubles_per_turn": 1}, "One double a turn holds here too."),
        ("turns", "thoughtco", {}, "From the second turn on, one tile that is no double ends the turn"),
        ("draws", "thoughtco", {}, "In the first turn nobody draws"),
        ("draws", "wikihow", {}, "A drawn tile that fits is played."),
        ("draws", "tournament", {}, "There is one draw a turn"),
        ("open-doubles", "gamerules", {"close_order": "newest"}, "the newest first"),
        ("own-doubles", "gamerules", {}, "goes only on the first of them"),
        ("own-doubles", "gamerules", {"close_order": "any"}, "goes on one of them"),
        ("own-doubles", "tournament", {}, "goes on that double"),
        ("dead-doubles", "tournament", {}, "it ends the turn"),
        ("dead-doubles", "tournament", {"dead_double_released": False}, ""),
        ("last-double", "tournament", {}, "So is a player whose last double is dead"),
        ("last-double", "thoughtco", {"out_on_double": False}, "In the first turn on one train"),
        ("markers", "gamerules", {}, "unless the record says that it stays on"),
        ("the-engine", "tournament", {}, "nobody can hold or lay it"),
        ("the-end", "thoughtco", {}, "not before all have had a turn"),
    )
    for anchor, preset, own, words in cases:
        found = said(anchor, preset, **own)
        assert words in found if words else not found, (anchor, preset, own, found)
    assert [one for one in card_tables([rule_set(out_bonus=5)])[4].rows if one.field == "out_bonus"]
    assert "out_bonus" not in {one.field for one in options_off([rule_set(), rule_set(out_bonus=5)])}


def test_what_is_not_there_is_not_found(client: Client) -> None:
    for address in (
        "/rules/poker/",
        "/rules/thoughtco/?beside=poker",
        "/rules/?preset=poker",
        "/rules/%3Cb%3E/",
    ):
        assert client.get(address).status_code == 404, address
    assert client.post("/rules/thoughtco/").status_code == 405


def test_the_form_leads_to_the_page_of_both(client: Client) -> None:
    for asked, led in (
        ("", "/rules/thoughtco/"),
        ("?preset=wikihow&beside=", "/rules/wikihow/"),
        (
            "?preset=gamerules&beside=wikihow&players=5&back=/g/a/",
            "/rules/gamerules/?beside=wikihow&players=5&back=%2Fg%2Fa%2F",
        ),
    ):
        response = client.get(f"/rules/{asked}")
        assert (response.status_code, response["Location"]) == (302, led), asked


def test_back_leads_to_where_the_page_was_opened(client: Client) -> None:
    def back(query: str = "", referer: str = "") -> str:
        html = get(client, "thoughtco", query, **({"Referer": referer} if referer else {}))
        return re.findall(r'class="tap" href="([^"]*)"', html)[0]  # type: ignore[no-any-return]

    for query, referer, led in (
        ("", "", "/"),
        ("", "http://testserver/new/?again=x", "/new/?again=x"),
        ("?back=/g/a/set-up/", "http://testserver/new/", "/g/a/set-up/"),
        ("", "http://testserver/rules/wikihow/", "/"),
        ("", "http://evil.example/new/", "/"),
        ("?back=//evil.example/", "", "/"),
        ("?back=http://evil.example/", "", "/"),
        ("?back=javascript:alert(1)", "", "/"),
        ("?back=/%5Cevil.example/", "", "/"),
        ("?back=http:///evil.example", "", "/"),
        ("", "http://testserver//evil.example/", "/"),
        ("?back=" + "/a" * 200, "", "/"),
        ("?back=http://[", "", "/"),
        ("", "http://testserver:99999999/new/", "/"),
    ):
        assert back(query, referer) == led, (query, referer)
    html = get(client, "thoughtco", "?beside=wikihow&players=5&only=1", Referer="http://testserver/g/a/")
    assert 'name="back" value="/g/a/"' in html
    assert "/rules/thoughtco/?beside=wikihow&amp;players=5&amp;back=%2Fg%2Fa%2F" in html


def test_a_card_is_taken_to_a_new_game_or_to_the_set_up_it_was_opened_from(phone: Client, game: Game) -> None:
    def uses(back: str) -> list[str]:
        return re.findall(r'href="([^"]*)" data-card', get(phone, "gamerules", f"?back={back}"))

    set_up = reverse("set_up", args=[game.slug])
    assert uses("/nowhere") == uses("/") == uses("/new/") == ["/new/?rules=gamerules"]
    assert uses(f"/new/?again={game.slug}") == [f"/new/?again={game.slug}&amp;rules=gamerules"]
    assert uses(set_up) == [f"{set_up}?rules=gamerules"]
    chosen = 'name="preset" id="p-gamerules" value="gamerules" checked'
    for address in ("/new/", f"/new/?again={game.slug}", set_up):
        mark = "&" if "?" in address else "?"
        html = phone.get(f"{address}{mark}rules=gamerules").content.decode()
        assert chosen in html, address
        assert '<option value="oldest" class="std" selected>' in html, address
        assert chosen not in phone.get(f"{address}{mark}rules=poker").content.decode(), address
    made = phone.post("/new/?rules=gamerules", form("Ann", "Ben", preset="wikihow", card_of="wikihow"))
    assert made.status_code == 302
    assert rules_of(Game.objects.latest("pk")).preset == "wikihow"
    play(game, (0, 1, 2, 3, 4))
    assert uses(set_up) == ["/new/?rules=gamerules"]
    assert get(Client(), "gamerules", f"?back={set_up}").count(f"{set_up}?rules") == 0


def test_a_game_s_card_leads_to_the_rules(phone: Client, game: Game) -> None:
    play(game, (0, 1, 2, 3, 4))
    html = phone.get(reverse("set_up", args=[game.slug])).content.decode()

    assert '<a class="src" href="/rules/thoughtco/#A4">A4</a>' in html
    assert '<a class="reading" href="/rules/thoughtco/#close_order">' in html
    assert "/rules/thoughtco/?beside=gamerules&amp;players=5" in html
    own = phone.post("/new/", form("Ann", "Ben", close_order="oldest"))["Location"].split("/")[2]
    play(Game.objects.get(slug=own), (0, 1))
    html = phone.get(reverse("set_up", args=[own])).content.decode()
    assert '<a class="src" href="/rules/thoughtco/#close_order">this table’s own</a>' in html
