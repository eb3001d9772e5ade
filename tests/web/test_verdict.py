"""The verdict page: the verdict in words, the round turn by turn, what hidden hands prove."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from games import shared_records
from games.engine.reading import parse_record
from games.engine.replay import replay
from games.record_words import breach, clash
from tests.engine.test_record_cases import POSITIONS, READABLE
from tests.test_record_table import FIVE
from tests.test_record_words import CODES
from tests.web.test_translatable import Untranslated, pseudo_locale

__all__ = ["pseudo_locale"]
pytestmark = pytest.mark.django_db
HIDDEN = """rules: thoughtco
set: 9
players: A=Ann, B=Ben, C=Chitra
engine: 9-9 B
1. B 9-4>B 4-4>B 4-7>B 7-1>B
2. C - ^
3. A 9-0>A 0-0>A
4. B + - ^
5. C 0-6>A
6. A 9-8>C
7. B 1-1>B 1-5>B v
"""


def address(text: str) -> str:
    return f"/check/{shared_records.record_share(text=text, address='x').slug}/"


def page(text: str, query: str = "", **headers: str) -> str:
    response = Client().get(address(text) + query, headers=headers or None)
    assert response.status_code == 200
    whole = re.sub(r'<span class="nw">([0-9]+-[0-9]+)</span>', r"\1", response.content.decode())
    return unescape(whole)


def spread() -> list[dict[str, Any]]:
    """Two records of each code and each verdict, the shortest."""
    found: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for case in sorted([*POSITIONS, *READABLE], key=lambda case: len(case["record"])):
        found.setdefault((case["verdict"], str(case["code"])), []).append(case)
    return [case for cases in found.values() for case in cases[:2]]


def test_each_code_has_its_page_with_its_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_records, "CHARACTERS_PER_MINUTE", 10**9)
    wrong, codes = [], set()
    words = {
        "legal": "By the rules",
        "unfinished": "Not over yet",
        "illegal": "Not by the rules",
        "impossible": "No deal explains this",
    }
    for case in spread():
        found = replay(parse_record(case["record"]))
        text = page(case["record"])
        said = [words[found.verdict]]
        if found.violation is not None:
            codes.add(found.violation.code)
            message = breach(found.record, found.violation)
            said += [message.lead, message.rest, *clash(found.record, found.violation)]
            said += ["Would have been right:"] if found.violation.code != "no_deal" else []
        wrong += [(case["record"], one) for one in said if one not in text]
    assert wrong == []
    assert codes == CODES


def test_the_page_opens_at_the_breach_and_says_all_of_it() -> None:
    text = page(FIVE)
    assert "Turn 10, Ben. Turns 1 to 9 are fine." in text
    assert "ThoughtCo · 28 in the boneyard" in text
    assert "not allowed" in text
    assert "on Ruth’s 8-8" in text
    assert 'href="/rules/thoughtco/#A11">Rule A11: Cover an open double' in text
    assert "Source: ThoughtCo" in text
    assert "10. B 6-3>M" in text
    assert 'data-step="on"' not in text
    assert 'data-step="back" href="' in text
    assert re.search(r'href="/check/\w+/\?turn=9"><span class="vh">turn 9:', text)


def test_every_turn_has_its_page_and_odd_questions_have_one_too() -> None:
    for turn in range(11):
        text = page(FIVE, f"?turn={turn}")
        assert f'data-turn="{turn}"' in text
        assert ("Ben cannot lay" in text) == (turn == 10)
    for query in ("?turn=99", "?turn=-1", "?turn=x", "?turn=٣", "?turn=9" + "9" * 5000, "?open=%00"):
        assert 'data-turn="10"' in page(FIVE, query), query
    assert "Chitra passes and puts the marker on." in page(FIVE, "?turn=3")
    assert "15 tiles each were dealt. Ruth starts." in page(FIVE, "?turn=0")
    assert "fold-phone" in page(FIVE, "?turn=9")
    assert "fold-phone" not in page(FIVE, "?turn=9&open=B")


def test_a_step_brings_a_part_of_the_page_alone() -> None:
    part = page(FIVE, "?turn=7", **{"HX-Request": "true"})
    assert "<html" not in part
    assert part.count('id="step"') == part.count('id="turn-bar"') == part.count('id="headline"') == 1
    assert "Turn 7. Chitra draws 12-2" in part
    response = Client().get(address(FIVE))
    assert "HX-Request" in response["Vary"]


def test_a_round_that_is_over_shows_its_points() -> None:
    (legal,) = [
        case["record"] for case in READABLE if case["verdict"] == "legal" and case["mode"] == "known"
    ][:1]
    found = replay(parse_record(legal))
    text = page(legal)
    assert found.scores is not None
    for points in found.scores.values():
        assert f"<b>{points}</b>" in text
    assert "Points of the round" not in page(legal, "?turn=1")
    assert "What this proves" not in text or None in found.record.hands


def test_what_hidden_hands_prove_comes_on_demand() -> None:
    text = page(HIDDEN)
    assert "What this proves about the hands" in text
    assert "Has no tile with" not in text
    for by in ("all", "turns"):
        told = page(HIDDEN, f"?turn=2&proves={by}")
        assert "Hands after turn 2" in told
        assert "Has no tile with: <b>1, 9</b>" in told or "Has no tile with: <b>9</b>" in told
        part = page(HIDDEN, f"?turn=2&proves={by}", **{"HX-Request": "true"})
        assert part.strip().startswith('<div id="proof">')
    assert "Must hold:" in page(HIDDEN, "?turn=2&proves=all")
    assert "<html" in page(HIDDEN, "?turn=2&proves=nothing")


def test_looking_writes_nothing_and_searches_once(
    django_assert_num_queries: DjangoAssertNumQueries, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = address(FIVE)
    Client().get(link)
    calls = []
    monkeypatch.setattr(shared_records, "replay", lambda *_args, **_more: calls.append(1))
    with django_assert_num_queries(1):
        Client().get(f"{link}?turn=3")
    assert calls == []


def test_large_records_are_drawn() -> None:
    passes = "".join(f"{'AB'[at % 2]} - \n" for at in range(4_900))
    many = "rules: thoughtco\nset: 18\nplayers: " + ", ".join(
        f"P{at}=Maximiliana-Alexandrina von Hohenzollern {at}" for at in range(14)
    )
    for text in (
        f"players: A, B\ndeal: 45\nengine: 12-12\n{passes}",
        f"{many}\nengine: 18-18\nP0 18-3\nP1 -\n",
        "players: A, B\ndeal: 4\nengine: 6-6\n",
        "players: A, B\ndeal: 4\nengine: 6-6\n1. A 6-99>A\n",
        "players: A, B\ndeal: 4\nengine: 6-6\n1. A 6-5>Q\n",
    ):
        assert "data-turn" in page(text)


@pytest.mark.usefixtures("pseudo_locale")
def test_every_page_is_translatable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_records, "CHARACTERS_PER_MINUTE", 10**9)
    client, plain = Client(), {}
    urls = ["/check/", "/check/?example=1", f"{address(HIDDEN)}share/", address(HIDDEN)]
    for case in spread():
        if re.search(r"^players: A, B(, C)?$", case["record"], re.MULTILINE):
            urls += [address(case["record"]) + query for query in ("", "?turn=1&proves=all")]
    assert len(urls) > 30
    pages = {url: client.get(url).content.decode() for url in urls}
    pages["refused"] = client.post("/check/", {"record": "1. A 12-3>"}).content.decode()
    for url, whole in pages.items():
        text = re.sub(r"<textarea.*?</textarea>", "", whole, flags=re.DOTALL)
        if found := Untranslated(text).found:
            plain[url] = found
    assert plain == {}
