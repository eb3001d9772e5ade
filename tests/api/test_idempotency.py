"""Idempotency-Key: a call that is sent again is answered again, and nothing is written twice."""

from __future__ import annotations

from datetime import timedelta
from threading import Event
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.utils import timezone

from games import services
from games.models import Game, LogEntry, SavedAnswer
from tests.api.caller import Caller, scorer, viewer
from tests.api.threads import at_once

KEY = "0123456789abcdefghijkl"  # 22 characters
OTHER = KEY[::-1]


@pytest.fixture
def ann(db: None) -> Caller:
    return scorer()


def test_the_same_call_again_has_the_same_answer(ann: Caller) -> None:
    answers = [ann.put(1, (0, 18, 13), Idempotency_Key=KEY) for _attempt in range(3)]

    assert [answer.status_code for answer in answers] == [201, 201, 201]
    assert len({answer.content for answer in answers}) == 1
    assert len({answer["ETag"] for answer in answers}) == 1
    assert LogEntry.objects.count() == 2


def test_the_answer_stays_though_the_game_has_changed_since(ann: Caller) -> None:
    first = ann.put(1, (0, 18, 13), Idempotency_Key=KEY, If_Match='"1"')
    ann.put(1, (0, 20, 13))

    again = ann.put(1, (0, 18, 13), Idempotency_Key=KEY, If_Match='"1"')

    assert again.content == first.content
    assert ann.read()["rounds"][0]["hands"][1]["points"] == 20


def test_a_body_written_otherwise_is_still_the_same(ann: Caller) -> None:
    first = ann("PUT", "rounds/1/", b'{"ended":"blocked","hands":[{"seat":1,"points":4},'
                b'{"seat":2,"points":5},{"seat":3,"points":6}]}', Idempotency_Key=KEY)  # fmt: skip
    again = ann("PUT", "rounds/1/", b'{ "hands": [{"points": 4, "seat": 1}, {"seat": 2, "points": 5}, '
                b'{"seat": 3, "points": 6}], "ended": "blocked" }', Idempotency_Key=KEY)  # fmt: skip

    assert (first.status_code, again.content) == (201, first.content)


def test_another_body_is_refused(ann: Caller) -> None:
    ann.put(1, (0, 18, 13), Idempotency_Key=KEY)

    response = ann.put(1, (0, 19, 13), Idempotency_Key=KEY)

    assert (response.status_code, response.json()["code"]) == (409, "idempotency")
    assert ann.read()["version"] == 2


def test_a_key_belongs_to_one_path_one_method_and_one_credential(ann: Caller) -> None:
    ben = scorer(("Dee", "Eve", "Flo"))

    assert ann.put(1, (0, 18, 13), Idempotency_Key=KEY).status_code == 201
    assert ann.put(2, (0, 18, 13), Idempotency_Key=KEY).status_code == 201
    assert ann("DELETE", "rounds/2/", Idempotency_Key=KEY).status_code == 200
    assert ann("POST", "finish/", Idempotency_Key=KEY).status_code == 200
    assert ben.put(1, (0, 18, 13), Idempotency_Key=KEY).status_code == 201


def test_delete_and_finish_are_repeated_too(ann: Caller) -> None:
    ann.put(1, (0, 18, 13))
    ann.put(2, (0, 18, 13))

    removed = [ann("DELETE", "rounds/2/", Idempotency_Key=KEY) for _attempt in range(2)]
    finished = [ann("POST", "finish/", Idempotency_Key=KEY) for _attempt in range(2)]

    assert removed[0].content == removed[1].content
    assert finished[0].content == finished[1].content
    assert len(ann.read()["rounds"]) == 1


def test_answers_that_failed_are_not_kept(ann: Caller) -> None:
    impossible = ann.put(1, (0, 1, 1), Idempotency_Key=KEY)
    conflict = ann.put(1, (0, 18, 13), Idempotency_Key=KEY, If_Match='"9"')
    good = ann.put(1, (0, 18, 13), Idempotency_Key=KEY)

    assert [one.status_code for one in (impossible, conflict, good)] == [400, 409, 201]


def test_an_answer_is_kept_for_a_day(ann: Caller) -> None:
    ann.put(1, (0, 18, 13), Idempotency_Key=KEY)
    SavedAnswer.objects.update(created_at=timezone.now() - timedelta(hours=23, minutes=59))
    assert ann.put(1, (0, 18, 13), Idempotency_Key=KEY).status_code == 201

    SavedAnswer.objects.update(created_at=timezone.now() - timedelta(hours=24, minutes=1))

    assert ann.put(1, (0, 19, 13), Idempotency_Key=KEY).status_code == 200


@pytest.mark.parametrize("key", ["", "k" * 21, "k" * 256, "é" * 30, "k\x00" * 20])
def test_a_key_of_another_length_or_kind_is_refused(ann: Caller, key: str) -> None:
    response = ann.put(1, (0, 18, 13), Idempotency_Key=key)

    assert response.status_code == 400
    assert response.json()["problems"][0]["field"] == "Idempotency-Key"
    assert ann.read()["version"] == 1


def test_keys_of_22_and_of_255_characters_are_taken(ann: Caller) -> None:
    assert ann.put(1, (0, 18, 13), Idempotency_Key="k" * 22).status_code == 201
    assert ann.put(2, (0, 18, 13), Idempotency_Key="k" * 255).status_code == 201


def test_a_key_opens_nothing_for_those_who_may_not_write(ann: Caller) -> None:
    ann.put(1, (0, 18, 13), Idempotency_Key=KEY)

    assert viewer(ann).put(1, (0, 18, 13), Idempotency_Key=KEY).status_code == 403


def test_one_game_is_started_from_wherever_it_is_asked_again(db: None) -> None:
    body = {"players": ["Ann", "Ben"]}

    answers = [
        Client(REMOTE_ADDR=address).post(
            "/api/games/", body, "application/json", headers={"Idempotency-Key": KEY}
        )
        for address in ("192.0.2.1", "198.51.100.1")
    ]

    assert answers[0].content == answers[1].content
    assert answers[0]["Location"] == answers[1]["Location"]
    assert Game.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_call_sent_five_times_at_once_is_done_once() -> None:
    caller = scorer()

    def call(_number: int) -> Any:
        return Caller(caller.game, caller.key).put(1, (0, 18, 13), Idempotency_Key=KEY)

    answers = at_once(5, call)

    assert [answer.status_code for answer in answers] == [201] * 5
    assert len({answer.content for answer in answers}) == 1
    assert LogEntry.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_a_game_started_five_times_at_once_is_one_game() -> None:
    def call(_number: int) -> Any:
        headers = {"Idempotency-Key": KEY}
        return Client().post("/api/games/", {"players": ["Ann", "Ben"]}, "application/json", headers=headers)

    answers = at_once(5, call)

    assert [answer.status_code for answer in answers] == [201] * 5
    assert len({answer.content for answer in answers}) == 1
    assert Game.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_second_call_waits_for_the_first_and_tries_itself_if_that_fails() -> None:
    """The first holds the key until the second asks for it, and is then undone."""
    caller = scorer()
    claimed, asking = Event(), Event()

    def first() -> Any:
        try:
            with transaction.atomic():
                services.answer_claim(
                    credential=str(caller.game.keys.get(role="scorer").pk),
                    method="PUT",
                    path=f"/api/games/{caller.game.slug}/rounds/1/",
                    key=KEY,
                    body_hash="of another body",
                )
                claimed.set()
                asking.wait(timeout=20)
                raise _UndoneError
        except _UndoneError:
            pass

    def second() -> Any:
        claimed.wait(timeout=20)
        asking.set()
        return Caller(caller.game, caller.key).put(1, (0, 18, 13), Idempotency_Key=KEY)

    _none, answer = at_once(2, lambda number: (first, second)[number]())

    assert answer.status_code == 201


class _UndoneError(Exception):
    pass
