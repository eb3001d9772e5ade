"""Every call that writes, from the URL table: refused without the page's token, and done once if sent twice.

The API reads no cookie: what it does, it does for a key in a header, which no other site can make a browser
send. So it needs no token, and a phone's cookies alone get nothing from it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.models import AccessKey, Game, HandIn, LogEntry, RecordDraft, Role, SeatHolder, SharedRecord
from tests.test_permission_matrix import ADDRESSES, LINES, game, phone_of, send

pytestmark = pytest.mark.django_db
__all__ = ["game"]  # the fixture

UNSAFE = ("POST", "PUT", "PATCH", "DELETE")
PAGES = [(name, number) for method, name, number, _ in LINES if method in UNSAFE and "api:" not in name]
CALLS = [(method, name, number) for method, name, number, _ in LINES if method in UNSAFE and "api:" in name]
# What these forms say is kept on the phone, refused in this game, or only looked at.
WRITES_NOTHING = {"device", "set_up", "check", "my_check", "bring_in"}
ACCOUNT = {name for name, _number in PAGES if name.startswith("account_")}  # without one: to sign in
# A tap sent again: services/test_drafts.py. A record begun twice leaves one with nothing in it, which goes.
ELSEWHERE = {"write", "written"}
# Lines in the log that one call makes, where it is not one: nothing is logged before a round is closed.
ENTRIES = {"seat": 0, "my_hand": 0, "old_sheet": 2, "check_round": 0, "write_round": 0}


def state() -> list[Any]:
    """What a write would have changed."""
    return [
        list(Game.objects.order_by("pk").values_list("pk", "version", "status", "changed_at")),
        LogEntry.objects.count(),
        list(AccessKey.objects.order_by("pk").values_list("key", "revoked_at")),
        list(SeatHolder.objects.order_by("pk").values_list("player__seat", "device")),
        list(HandIn.objects.order_by("pk").values_list("player__seat", "points", "round_number")),
        list(SharedRecord.objects.order_by("pk").values_list("slug", "text")),
        list(RecordDraft.objects.order_by("pk").values_list("key", "version")),
    ]


# Whose page it is, where it is not the scorer's; and what has to be done before there is anything to write.
OWN = {"seat": "seat", "my_hand": "seat", "my_check": "seat"}
FIRST = {"restore": "delete"}


def phone_for(name: str, game: Game) -> Client:
    """A phone that may send this page."""
    phone = phone_of(OWN.get(name, "scorer"), game)
    if before := FIRST.get(name):
        send(phone, game, "POST", before, "1")
        game.refresh_from_db()
    return phone


def strict(phone: Client) -> Client:
    """The phone, once its browser was led here by another site."""
    phone.get(reverse("new"))
    phone.handler.enforce_csrf_checks = True
    return phone


@pytest.mark.any_database
@pytest.mark.parametrize("who", ["scorer", "seat"])
@pytest.mark.parametrize("sent", ["nothing", "another token", "nonsense", "from another site"])
def test_a_page_writes_nothing_without_its_token(game: Game, who: str, sent: str) -> None:
    phone = strict(phone_of(who, game))
    if sent == "another token":
        phone.defaults["HTTP_X_CSRFTOKEN"] = "a" * 64
    elif sent == "nonsense":
        phone.defaults["HTTP_X_CSRFTOKEN"] = "\x00é"
    elif sent == "from another site":
        phone.defaults |= {
            "HTTP_X_CSRFTOKEN": phone.cookies["csrftoken"].value,
            "HTTP_ORIGIN": "https://elsewhere.example",
        }
    before = state()

    for name, number in PAGES:
        if OWN.get(name, "scorer") == who:
            assert send(phone, game, "POST", name, number).status_code == 403, name
    assert state() == before


@pytest.mark.any_database
@pytest.mark.parametrize(("name", "number"), PAGES)
def test_with_its_token_the_same_call_is_taken(game: Game, name: str, number: str) -> None:
    phone = strict(phone_for(name, game))
    phone.defaults["HTTP_X_CSRFTOKEN"] = phone.cookies["csrftoken"].value

    assert send(phone, game, "POST", name, number).status_code != 403


@pytest.mark.any_database
@pytest.mark.parametrize(("method", "name", "number"), CALLS)
def test_the_api_knows_no_cookie(game: Game, method: str, name: str, number: str) -> None:
    phone = strict(phone_of("scorer", game))
    del phone.defaults["HTTP_AUTHORIZATION"]
    before = state()

    answer = send(phone, game, method, name, number)

    if name == "api:games":  # whoever calls may start a game, and the phone is told nothing
        assert (answer.status_code, answer.cookies) == (201, {})
    elif name == "api:record_check":  # open to all, and nothing is kept
        assert (answer.status_code, answer.cookies) == (200, {})
        assert state() == before
    else:
        assert answer.status_code == 401
        assert state() == before


def test_every_page_that_writes_is_tried() -> None:
    assert {name for name, _number in PAGES} | {name for _method, name, _number in CALLS} == {
        name for method, name, *_ in LINES if method != "GET"
    }
    assert WRITES_NOTHING < {name for name, _number in PAGES} < set(ADDRESSES)


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "number"), [one for one in PAGES if one[0] not in WRITES_NOTHING | ACCOUNT | ELSEWHERE]
)
def test_a_form_sent_again_is_done_once(
    game: Game, name: str, number: str, size: Callable[[int, int], int], figures: Callable[..., None]
) -> None:
    """A double tap, or a phone that sends the same form again because the answer never came."""
    phone = phone_for(name, game)
    link = AccessKey.objects.get(game=game, role=Role.VIEWER, revoked_at=None).pk
    more = {"once": "k" * 22, "link": link}
    seen = {**more, "version": game.version}
    before = LogEntry.objects.count()
    assert send(phone, game, "POST", name, number, seen).status_code == 302
    once = LogEntry.objects.count()
    assert once == before + ENTRIES.get(name, 1)
    made, again = state(), size(2, 200)

    for _time in range(again):
        answer = send(phone, game, "POST", name, number, seen)
        assert answer.status_code in (200, 302, 409, 422)

    figures(page=name, sent_again=again, written_again=LogEntry.objects.count() - once)
    assert state() == made


@pytest.mark.long
@pytest.mark.parametrize(("method", "name", "number"), CALLS)
def test_a_call_sent_again_is_done_once(
    game: Game, method: str, name: str, number: str, size: Callable[[int, int], int]
) -> None:
    phone = phone_of("scorer", game)
    phone.defaults["HTTP_IDEMPOTENCY_KEY"] = "k" * 22
    first = send(phone, game, method, name, number)
    before = state()

    answers = {send(phone, game, method, name, number).content for _time in range(size(2, 50))}

    assert answers == {first.content}
    assert state() == before
