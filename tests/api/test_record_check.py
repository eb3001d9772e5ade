"""POST /api/records/check/: a record's verdict, for whoever asks."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries, Settings

from games import shared_records
from games.api import records
from games.api.errors import BadBody
from games.api.parsers import LARGEST
from games.api.records import record_data
from games.engine import sums
from games.engine.reading import parse_record
from games.models import Attempts, Game, LogEntry
from games.shared_records import budget
from tests.api.test_bodies import BODIES
from tests.engine.test_record import KNOWN
from tests.engine.test_record_cases import POSITIONS, RECORDS

URL = "/api/records/check/"
SMALL = "rules: gamerules\nset: 6\nplayers: A=Ann, B=Ben\ndeal: 4\nengine: 6-6\n"


def check(record: object, **headers: str) -> Any:
    return Client().post(URL, json.dumps({"record": record}), "application/json", headers=headers or None)


@pytest.mark.django_db
def test_a_legal_round() -> None:
    response = check(KNOWN)

    assert response.status_code == 200
    assert response.json() == {
        "verdict": "legal",
        "violation": None,
        "notes": [],
        "turns": 11,
        "scores": {"A": 0, "B": 18},
    }


@pytest.mark.django_db
def test_an_illegal_round_says_where_and_by_which_rule() -> None:
    answer = check(SMALL + "1. A 6-3>M\n2. B 6-4>A").json()

    assert answer == {
        "verdict": "illegal",
        "violation": {
            "code": "train_closed",
            "rule": "G10",
            "turn": 2,
            "action": 1,
            "line": 7,
            "message": "Turn 2, line 7: Ben cannot lay 6-4 on Ann’s train. It is closed: no marker is on it. "
            "Rule G10 (GameRules).",
        },
        "notes": [],
        "turns": 1,
        "scores": None,
    }


@pytest.mark.django_db
def test_an_impossible_round_names_what_clashes() -> None:
    answer = check(SMALL + "1. A 6-3\n2. B + -\n3. A 3-1>A\n4. B 6-2>M\n").json()

    assert (answer["verdict"], answer["violation"]["code"]) == ("impossible", "no_deal")
    assert "drew nothing since, and laid 6-2 at turn 4" in answer["violation"]["message"]


@pytest.mark.django_db
def test_notes_are_told_beside_any_verdict() -> None:
    answer = check(KNOWN.replace(" !", "", 1)).json()

    assert answer["verdict"] == "legal"
    assert answer["notes"] == [
        {
            "code": "not_announced",
            "message": "Turn 3: A has one tile left and does not say so. No penalty (rule G14).",
            "player": "A",
            "turn": 3,
            "line": 10,
            "rule": "G14",
        }
    ]


@pytest.mark.django_db
def test_a_score_that_nobody_can_know_is_null() -> None:
    text = "rules: gamerules\nset: 6\nplayers: A, B\ndeal: 1\nengine: 6-6\n1. A 6-3\nout: A\n"

    assert check(text).json()["scores"] == {"A": 0, "B": None}
    assert check(text + "score: B 5").json()["scores"] == {"A": 0, "B": 5}


@pytest.mark.django_db
def test_a_record_that_cannot_be_read_is_a_400_with_every_place() -> None:
    response = check("\n\nplayers: A, B\r\ndeal: 4\r\nengine: 6-6 \x00\r\n1. A 12-3>\n2. B ?")
    answer = response.json()

    assert (response.status_code, answer["code"]) == (400, "invalid")
    assert answer["message"].startswith("3 things are wrong: Line 5")
    assert [(one["code"], one["line"], one["column"], one["text"]) for one in answer["problems"]] == [
        ("header", 5, 13, "\x00"),
        ("syntax", 6, 6, "12-3>"),
        ("syntax", 7, 6, "?"),
    ]
    assert {one["field"] for one in answer["problems"]} == {"record"}
    assert answer["problems"][1]["message"].startswith("Line 6, column 6: “12-3>” is no action.")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("record", "code"),
    [
        ("", "header"),
        (" \n ", "header"),
        ("\ufeff", "header"),
        ("players: A", "header"),
        ("x" * 90_000, "syntax"),
    ],
)
def test_hardly_anything_is_no_record_either(record: str, code: str) -> None:
    response = check(record)

    assert response.status_code == 400
    assert code in {one["code"] for one in response.json()["problems"]}


@pytest.mark.django_db
@pytest.mark.parametrize("record", [None, 7, True, ["players: A, B"], {"text": "players: A, B"}])
def test_what_is_no_text_is_invalid(record: object) -> None:
    response = check(record)

    assert response.status_code == 400
    (problem,) = response.json()["problems"]
    assert (problem["field"], problem["code"]) == ("record", "invalid" if record is not None else "null")


@pytest.mark.django_db
def test_a_missing_record_and_unknown_fields_are_all_named() -> None:
    response = Client().post(URL, {"text": "players: A, B"}, "application/json")

    assert response.status_code == 400
    assert {(one["code"], one["field"]) for one in response.json()["problems"]} == {
        ("required", "record"),
        ("unknown_field", "text"),
    }


@pytest.mark.django_db
@pytest.mark.parametrize("body", BODIES)
def test_a_body_that_cannot_be_read_is_a_clear_400(body: bytes) -> None:
    response = Client().generic("POST", URL, body, "application/json")

    assert (response.status_code, response.json()["code"]) == (400, "invalid")
    assert response.json()["message"]


@pytest.mark.django_db
def test_a_body_that_is_too_large_is_refused() -> None:
    response = check("1. A -\n" * (LARGEST // 7))

    assert (response.status_code, response.json()["code"]) == (413, "invalid")


@pytest.mark.django_db
def test_another_kind_of_body_is_unsupported_and_so_is_another_method() -> None:
    assert Client().post(URL, {"record": KNOWN}).status_code == 415
    assert Client().get(URL).status_code == 405


@pytest.mark.django_db
@pytest.mark.parametrize("key", ["Bearer unknown", "Bearer", "Basic YTpi", "\x00"])
def test_no_key_is_asked_for_and_none_is_looked_at(key: str) -> None:
    assert check(KNOWN, Authorization=key).status_code == 200


@pytest.mark.django_db
def test_nothing_is_kept_but_the_time_it_took(django_assert_max_num_queries: DjangoAssertNumQueries) -> None:
    with django_assert_max_num_queries(14):
        check(KNOWN)
        check("nonsense")

    assert (Game.objects.count(), LogEntry.objects.count()) == (0, 0)
    assert {one.what for one in Attempts.objects.all()} == {"check"}


class Clock:
    """A check begins and ends at the next two ticks."""

    def __init__(self, tick: float) -> None:
        self.now, self.tick = 0.0, tick

    def __call__(self) -> float:
        self.now += self.tick
        return self.now


@pytest.mark.django_db
@pytest.mark.usefixtures("one_minute")
def test_an_address_has_so_much_time_in_a_minute(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.CHECK_SECONDS_PER_MINUTE = 1
    monkeypatch.setattr(records, "thread_time", Clock(0.4))

    answers = [check(text) for text in (KNOWN, "nonsense", SMALL, KNOWN)]

    # 0.4 s and 0.4 s are used, then a third begins: what began is answered.
    assert [one.status_code for one in answers] == [200, 400, 200, 429]
    assert answers[-1].json()["code"] == "throttled"
    assert 0 < int(answers[-1]["Retry-After"]) <= 60
    other = Client(REMOTE_ADDR="10.0.0.9").post(URL, {"record": KNOWN}, "application/json")
    assert other.status_code == 200


def found(text: str) -> tuple[object, ...]:
    try:
        answer = record_data(text)
    except BadBody as refusal:
        return (None, refusal.problems[0]["code"], 0, 0)
    assert not [one for one in answer["notes"] if one["code"] == "not_searched"]
    breach = answer["violation"]
    return (answer["verdict"], *(breach[name] if breach else None for name in ("code", "turn", "action")))


def test_every_case_gets_its_verdict_code_and_place() -> None:
    wrong = [
        (case["id"], answer)
        for case in RECORDS
        if (answer := found(case["record"])) != (case["verdict"], case["code"], case["turn"], case["action"])
    ]
    assert wrong == []
    assert len(RECORDS) == 964


def test_every_position_gets_its_verdict_and_code() -> None:
    wrong = [
        (case["name"], answer)
        for case in POSITIONS
        if (answer := found(case["record"]))[:2] != (case["verdict"], case["code"])
    ]
    assert wrong == []
    assert len(POSITIONS) == 162


def test_every_score_of_a_case_is_told() -> None:
    for case in RECORDS:
        if case["scores"] is not None:
            assert record_data(case["record"])["scores"] == case["scores"], case["id"]


@pytest.mark.django_db
def test_over_http_cases_get_the_same_answers() -> None:
    statuses: Counter[int] = Counter()
    for case in RECORDS[::60]:
        response = check(case["record"])
        statuses[response.status_code] += 1
        answer = response.json()
        assert answer.get("verdict") == case["verdict"]
        if case["verdict"] == "illegal":
            breach = answer["violation"]
            assert (breach["code"], breach["turn"], breach["action"]) == (
                case["code"],
                case["turn"],
                case["action"],
            )
    assert sum(statuses.values()) >= 12
    assert statuses[200] > 10


def test_a_hostile_record_costs_no_more_steps_than_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Points of a hand of many tiles that nobody saw: searched for up to the budget, and then left open."""
    monkeypatch.setattr(shared_records, "BUDGET", 0)
    text = "rules: gamerules announce_last=no\nset: 6\nplayers: A, B, C\ndeal: 3\nengine: 6-6\n"
    text += "1. A 6-1\n2. B 6-2\n3. C 6-3\n4. A 1-2\n5. B 2-0\n6. C 3-0\n7. A 2-2\n"
    text = text.replace("7. A 2-2\n", "7. A 2-5\nout: A\nscore: B 9, C 8\n")
    spent = record_data(text)
    assert (spent["verdict"], [one["code"] for one in spent["notes"]]) == ("legal", ["not_searched"])
    assert spent["notes"][0].keys() == {"code", "message"}

    monkeypatch.undo()
    assert record_data(text)["notes"] == []
    assert shared_records.BUDGET <= sums.BUDGET


@pytest.mark.parametrize(
    ("players", "pips", "steps"),
    [(2, 6, 10_000), (4, 12, 10_000), (8, 12, 5_000), (4, 18, 4_789), (14, 18, 1_368)],
)
def test_a_larger_round_has_fewer_steps(players: int, pips: int, steps: int) -> None:
    ids = ", ".join(f"P{seat}" for seat in range(players))
    record = parse_record(f"rules: gamerules\nset: {pips}\nplayers: {ids}\ndeal: 2\nengine: {pips}-{pips}\n")
    assert budget(record) == steps
