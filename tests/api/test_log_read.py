"""GET /api/games/{id}/log/"""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.models import AccessKey, Role
from games.round_records import record_attach
from tests.api.caller import Caller, other_game, scorer, stranger, viewer
from tests.recorded import RECORD, recorded

pytestmark = pytest.mark.django_db


@pytest.fixture
def ann() -> Caller:
    caller = scorer()
    caller.put(1, (0, 18, 13))
    caller.put(1, (0, 19, 13), reason="misread")
    return caller


def entries(caller: Caller) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = caller("GET", "log/").json()["entries"]
    return found


def test_a_correction_says_who_when_why_and_from_which_value_to_which(ann: Caller) -> None:
    last = entries(ann)[-1]

    assert (last["version"], last["action"], last["round"]) == (3, "round_corrected", 1)
    assert (last["who"], last["reason"]) == ("scorer link", "misread")
    assert last["at"].startswith("20")
    change = {"round": 1, "seat": 2, "name": "Ben", "from": 18, "to": 19}
    assert last["changes"] == [{**change, "field": "points"}, {**change, "field": "score"}]
    assert list(last["changes"][0]) == ["round", "seat", "name", "field", "from", "to"]


def test_every_change_has_its_line(ann: Caller) -> None:
    ann("DELETE", "rounds/1/")
    ann("POST", "finish/")

    assert [entry["action"] for entry in entries(ann)] == [
        "started",
        "round_recorded",
        "round_corrected",
        "round_removed",
        "finished",
    ]
    removed, finished = entries(ann)[-2:]
    assert {"round": 1, "seat": 2, "name": "Ben", "field": "points", "from": 19, "to": None} in removed[
        "changes"
    ]
    assert [(one["field"], one["from"], one["to"]) for one in finished["changes"]] == [
        ("status", "playing", "finished")
    ]


def test_a_new_round_says_only_what_it_holds(ann: Caller) -> None:
    first = entries(ann)[1]

    assert {(one["seat"], one["field"]) for one in first["changes"]} == {
        (None, "engine"),
        (None, "ended"),
        *((seat, field) for seat in (1, 2, 3) for field in ("points", "score")),
        (1, "out"),
    }


def test_nothing_new_is_a_304(ann: Caller) -> None:
    assert ann("GET", "log/")["ETag"] == '"3"'
    assert ann("GET", "log/", If_None_Match='"3"').status_code == 304


def test_the_view_key_reads_and_strangers_do_not(ann: Caller) -> None:
    assert viewer(ann)("GET", "log/").status_code == 200
    assert stranger(ann)("GET", "log/").status_code == 401
    assert other_game(ann)("GET", "log/").status_code == 404


def test_other_methods_are_refused(ann: Caller) -> None:
    assert ann("POST", "log/").status_code == 405


def test_a_record_is_told_by_the_round_and_the_log() -> None:
    game = recorded((0, 38))
    record_attach(game=game, number=1, text=RECORD)
    key = AccessKey.objects.get(game=game, role=Role.VIEWER).key
    headers = {"Authorization": f"Bearer {key}"}
    url = reverse("api:game", args=[game.slug])
    (entry,) = Client().get(url, headers=headers).json()["rounds"]
    assert entry["record"] == "differs"
    last = Client().get(reverse("api:log", args=[game.slug]), headers=headers).json()["entries"][-1]
    change = {"round": 1, "seat": None, "name": None, "field": "record", "from": False, "to": True}
    assert (last["action"], last["round"], last["changes"]) == ("record_attached", 1, [change])
