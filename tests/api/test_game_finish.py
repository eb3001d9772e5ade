"""POST /api/games/{id}/finish/"""

from __future__ import annotations

import pytest

from tests.api.caller import Caller, other_game, scorer, stranger, viewer

pytestmark = pytest.mark.django_db


@pytest.fixture
def ann() -> Caller:
    caller = scorer()
    caller.put(1, (0, 18, 13))
    return caller


def test_the_game_ends_early(ann: Caller) -> None:
    response = ann("POST", "finish/")

    assert response.status_code == 200
    assert response["ETag"] == '"3"'
    assert response.json()["status"] == "finished"
    assert response.json() == ann.read()


def test_it_needs_no_body_and_a_second_time_changes_nothing(ann: Caller) -> None:
    ann("POST", "finish/", {})

    response = ann("POST", "finish/", b"", content_type="text/plain")

    assert (response.status_code, response.json()["version"]) == (200, 3)


def test_the_view_key_and_strangers_may_not(ann: Caller) -> None:
    assert viewer(ann)("POST", "finish/").status_code == 403
    assert stranger(ann)("POST", "finish/").status_code == 401
    assert other_game(ann)("POST", "finish/").status_code == 404
    assert ann.read()["status"] == "playing"


def test_other_methods_are_refused(ann: Caller) -> None:
    for method in ("GET", "PUT", "PATCH", "DELETE"):
        response = ann(method, "finish/")

        assert response.status_code == 405
        assert response["Allow"] == "POST"
