"""If-Match and If-None-Match: nobody overwrites what they have not seen."""

from __future__ import annotations

import pytest

from games.models import LogEntry
from tests.api.caller import Caller, scorer

pytestmark = pytest.mark.django_db


@pytest.fixture
def ann() -> Caller:
    caller = scorer()
    caller.put(1, (0, 18, 13))
    return caller


@pytest.mark.parametrize("version", ['"2"', 'W/"2"', "2"])
def test_the_present_version_may_be_changed(ann: Caller, version: str) -> None:
    response = ann.put(1, (0, 19, 13), If_Match=version)

    assert (response.status_code, response.json()["version"]) == (200, 3)


@pytest.mark.parametrize("version", ['"1"', 'W/"1"', "1", '"3"', "999999999999999999"])
def test_another_version_is_a_conflict_that_writes_nothing(ann: Caller, version: str) -> None:
    for response in (
        ann.put(1, (0, 19, 13), If_Match=version),
        ann.put(2, (0, 19, 13), If_Match=version),
        ann("DELETE", "rounds/1/", If_Match=version),
        ann("POST", "finish/", If_Match=version),
    ):
        assert response.status_code == 409
        assert response.json()["code"] == "conflict"
        assert response.json()["game"] == ann.read()
        assert response["ETag"] == '"2"'
    assert LogEntry.objects.count() == 2


def test_only_a_new_round_is_entered_where_that_is_asked(ann: Caller) -> None:
    taken = ann.put(1, (0, 19, 13), If_None_Match="*")
    free = ann.put(2, (0, 19, 13), If_None_Match="*")

    assert (taken.status_code, taken.json()["code"]) == (409, "conflict")
    assert taken.json()["game"]["rounds"][0]["hands"][1]["points"] == 18
    assert free.status_code == 201


@pytest.mark.parametrize("version", ["*", "", "two", '"2', '"1", "2"', "-2", "٢", '"' + "2" * 40 + '"'])
def test_an_if_match_that_is_no_version_is_refused(ann: Caller, version: str) -> None:
    response = ann.put(1, (0, 19, 13), If_Match=version)

    assert response.status_code == 400
    assert response.json()["code"] == "invalid"
    assert response.json()["problems"][0]["field"] == "If-Match"


def test_if_none_match_takes_only_the_star(ann: Caller) -> None:
    response = ann.put(2, (0, 19, 13), If_None_Match='"2"')

    assert response.status_code == 400
    assert response.json()["problems"][0]["field"] == "If-None-Match"


def test_without_a_version_the_last_word_counts(ann: Caller) -> None:
    assert ann.put(1, (0, 19, 13)).status_code == 200
    assert ann.put(1, (0, 20, 13)).status_code == 200
