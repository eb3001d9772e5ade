"""A dispute by a record: replayed, kept for its link, shown to who rules; nothing of it is attached."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from games import shared_records
from games.attached import MOST_CHARACTERS
from games.models import Attempts, Challenge, Game, Role, Round, SharedRecord
from games.round_records import record_attach
from games.selectors import sheet_of
from games.services import change_undo, round_put
from tests.cast import claim
from tests.recorded import BROKEN, HIDDEN, RECORD, UNFINISHED, recorded
from tests.web.reading import found_by_its_places, words

pytestmark = pytest.mark.django_db
Opens = Callable[..., Client]


@pytest.fixture
def table() -> Game:
    """Ben has 38 where the record has 40."""
    return recorded((0, 38))


@pytest.fixture
def host(table: Game, opens: Opens) -> Client:
    return opens(Client(), table)


@pytest.fixture
def guest(table: Game, opens: Opens) -> Client:
    return opens(Client(), table, Role.VIEWER)


def url(game: Game) -> str:
    return reverse("challenge", args=[game.slug, 1, 2])


def lay(client: Client, game: Game, record: str = RECORD, **more: Any) -> Any:
    game.refresh_from_db()
    form = {"version": game.version, "reason": "We wrote it down", "value": "", "record": record}
    return client.post(url(game), form | more)


def ben(game: Game) -> int:
    return sheet_of(Game.objects.get(pk=game.pk)).rounds[0].hands[2].points


def test_the_form_takes_a_record_from_who_watches_and_who_keeps_score(
    host: Client, guest: Client, table: Game
) -> None:
    for client in (host, guest):
        assert "I have a record of this round" in words(client.get(url(table)))


def test_it_says_what_the_record_says_and_links_to_it(host: Client, guest: Client, table: Game) -> None:
    assert lay(guest, table).url == reverse("board", args=[table.slug])

    one, shared = Challenge.objects.get(), SharedRecord.objects.get()
    assert (one.was, one.points, one.by_record, one.record_id) == (38, 40, True, shared.slug)
    assert shared.text == RECORD
    assert not Round.objects.exclude(record="").exists()
    assert ben(table) == 38
    verdict = f'href="{reverse("verdict", args=[shared.slug])}"'
    said = "By the record Ben held 40, not 38."
    for client in (host, guest):
        board = words(client.get(reverse("board", args=[table.slug])))
        assert f"Ben, round 1: A watcher disputes 38. {said} We wrote it down" in board
        assert "disputed, a record says 40" in board
        cell = client.get(reverse("cell", args=[table.slug, 1, 2]))
        assert "Disputed by watch link: 40, not 38, by a record" in words(cell)
        assert verdict in cell.content.decode()
        for name, args in (("log", []), ("round_sheet", [1])):
            page = words(client.get(reverse(name, args=[table.slug, *args])))
            assert "disputed: 40, not 38 watch link" in page
            assert "With a record of the round Reason: We wrote it down" in page
    assert "By the rules" in words(guest.get(reverse("verdict", args=[shared.slug])))
    ruling = host.get(reverse("rule_challenge", args=[table.slug, 1]))
    assert f"A watcher disputes it with a record. {said} We wrote it down" in words(ruling)
    assert verdict in ruling.content.decode()
    assert 'name="value" value="40"' in ruling.content.decode()
    assert "Change to 40" in words(ruling)


def test_the_scorer_takes_its_number_and_undo_opens_it_again(
    host: Client, guest: Client, table: Game
) -> None:
    lay(guest, table)
    table.refresh_from_db()
    form = {"version": table.version, "do": "change", "value": "40", "reason": "We replayed it"}
    host.post(reverse("rule_challenge", args=[table.slug, 1]), form)
    assert ben(table) == 40
    told = words(guest.get(reverse("cell", args=[table.slug, 1, 2])))
    assert "40, not 38, by a record" in told
    change_undo(game=table)
    (one,) = sheet_of(Game.objects.get(pk=table.pk)).pending
    assert (one.by_record, one.record) == (True, SharedRecord.objects.get())


def test_the_record_of_the_round_stands_apart_from_the_one_of_the_dispute(host: Client, table: Game) -> None:
    record_attach(game=table, number=1, text=RECORD)
    lay(host, table)
    page = words(host.get(reverse("rule_challenge", args=[table.slug, 1])))
    assert "The scorer disputes it with a record. By the record Ben held 40, not 38." in page
    assert "See that record" in page
    assert "Attached to the round: the record differs. See the record" in page


def test_a_record_that_was_kept_before_is_kept_anew(guest: Client, table: Game) -> None:
    shared_records.record_share(text=RECORD, address="")
    SharedRecord.objects.update(seen_on=timezone.localdate() - timedelta(days=180))
    lay(guest, table)
    assert SharedRecord.objects.get().seen_on == timezone.localdate()


def test_once_the_record_is_forgotten_its_words_stay(host: Client, guest: Client, table: Game) -> None:
    lay(guest, table)
    SharedRecord.objects.update(seen_on=timezone.localdate() - timedelta(days=181))
    assert shared_records.unseen_forget() == 1
    for name, args in (("cell", [1, 2]), ("rule_challenge", [1]), ("board", [])):
        page = host.get(reverse(name, args=[table.slug, *args]))
        assert "record" in words(page), name
        assert "/check/" not in page.content.decode(), name
    assert "By the record Ben held 40, not 38." in words(
        host.get(reverse("rule_challenge", args=[table.slug, 1]))
    )


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        (RECORD.replace("1-2>A", "1-x>A"), ["Line 10, column 6:", "1-x>A"]),
        ("; " + "x" * MOST_CHARACTERS, ["Up to 20,000 can be kept with a round."]),
        (BROKEN, ["The record is not by the rules Turn 3, line 10:", "It proves no points of this round."]),
        (UNFINISHED, ["Every move is by the rules so far. It stops before the round is over."]),
        (HIDDEN, ["It does not tell the points of Ben."]),
        (
            RECORD.replace("6-6", "5-5").replace("6-1", "5-1").replace("+5-4", "+6-4"),
            ["it proves nothing here.", "Engine 5-5 6-6"],
        ),
        (RECORD.replace("B=Ben", "B=Bob"), ["Bob plays nobody of this name", "Who is who"]),
    ],
)
def test_a_record_that_does_not_tell_the_score_is_refused_and_kept_in_the_field(
    guest: Client, table: Game, text: str, sentences: list[str]
) -> None:
    page = lay(guest, table, text, value="41")
    assert page.status_code == 422
    for sentence in sentences:
        assert sentence in words(page)
    markup = unescape(page.content.decode())
    assert text in markup
    assert 'name="reason" value="We wrote it down"' in markup
    assert 'name="value" value="41"' in markup
    assert not Challenge.objects.exists()
    assert not SharedRecord.objects.exists()


@pytest.mark.parametrize(
    ("text", "more", "sentence"),
    [
        (RECORD, {"value": "41"}, "By the record Ben held 40, not 41."),
        (RECORD, {"value": "five"}, "“five” is no number of points."),
        (RECORD, {"reason": " "}, "A dispute needs a reason. What did you see?"),
        (BROKEN, {"reason": " "}, "A dispute needs a reason. What did you see?"),
    ],
)
def test_what_stands_beside_it_has_to_fit(
    guest: Client, table: Game, text: str, more: dict[str, str], sentence: str
) -> None:
    page = lay(guest, table, text, **more)
    assert page.status_code == 422
    assert sentence in words(page)
    assert text in unescape(page.content.decode())
    assert not Challenge.objects.exists()
    assert not SharedRecord.objects.exists()


def test_a_record_that_says_the_same_disputes_nothing(guest: Client, table: Game) -> None:
    round_put(game=table, number=1, claim=claim((0, 40)))
    page = lay(guest, table)
    assert page.status_code == 422
    assert "By the record Ben held 40, as it is written." in words(page)


def test_who_is_who_is_chosen_on_the_page(guest: Client, table: Game) -> None:
    text = RECORD.replace("A=Ruth, B=Ben", "A=Anna, B=Bob")
    assert lay(guest, table, text).status_code == 422
    assert lay(guest, table, text, **{"seat-A": "1", "seat-B": "2"}).status_code == 302
    assert Challenge.objects.get().points == 40


def test_a_file_is_opened_and_one_that_cannot_be_read_is_told(guest: Client, table: Game) -> None:
    broken = SimpleUploadedFile("round.train", b"players: A\nx\xff\xff")
    page = lay(guest, table, "typed by hand", file=broken)
    assert "This file cannot be read from line 2 on." in words(page)
    assert "typed by hand" in page.content.decode()
    assert lay(guest, table, "", file=SimpleUploadedFile("round.train", RECORD.encode())).status_code == 302
    assert SharedRecord.objects.get().text == RECORD


def test_sent_twice_it_is_there_once(guest: Client, table: Game) -> None:
    assert [lay(guest, table).status_code for _ in range(2)] == [302, 302]
    assert Challenge.objects.count() == 1
    page = words(lay(guest, table, reason="Something else"))
    assert "Ben’s round 1 is disputed already" in page


def test_a_score_that_changed_meanwhile_is_looked_at_again(guest: Client, table: Game) -> None:
    shown = table.version
    round_put(game=table, number=1, claim=claim((0, 39)))
    page = lay(guest, table, version=shown)
    assert page.status_code == 409
    assert RECORD in unescape(page.content.decode())
    assert lay(guest, table).status_code == 302


def test_records_are_limited_by_address(
    guest: Client, table: Game, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared_records, "CHARACTERS_PER_MINUTE", len(RECORD) - 1)
    page = lay(guest, table)
    assert page.status_code == 429
    assert "Wait a minute, then try again." in words(page)
    assert RECORD in unescape(page.content.decode())
    settings.CHECK_SECONDS_PER_MINUTE = 0
    assert lay(guest, table).status_code == 429
    assert lay(guest, table, do="mend").status_code == 429
    assert not Challenge.objects.exists()
    assert Attempts.objects.count() <= 2


def test_signs_from_a_chat_are_mended_in_its_field(guest: Client, table: Game) -> None:
    chat = RECORD.replace("-", "–").replace("– ^", "- ^")
    page = lay(guest, table, chat)
    assert page.status_code == 422
    assert "Write - for each –" in words(page)
    assert found_by_its_places(page)
    mended = lay(guest, table, chat, do="mend", reason="")
    assert mended.status_code == 200
    assert RECORD in unescape(mended.content.decode())
    assert not Challenge.objects.exists()
