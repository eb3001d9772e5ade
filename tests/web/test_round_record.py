"""The page of a round's record: what agrees and what does not, attaching, taking its scores, settling."""

from __future__ import annotations

from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from pytest_django import Settings

from games.attached import MOST_CHARACTERS
from games.disputes import challenge_add
from games.models import Game, LogEntry, Role, Round
from games.round_records import record_attach
from games.selectors import sheet_of
from games.services import round_put
from tests.cast import claim, play
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


def url(game: Game, number: int = 1) -> str:
    return reverse("record", args=[game.slug, number])


def send(client: Client, game: Game, do: str, number: int = 1, **more: Any) -> Any:
    game.refresh_from_db()
    return client.post(url(game, number), {"version": game.version, "do": do} | more)


def page(client: Client, game: Game, number: int = 1) -> str:
    return words(client.get(url(game, number)))


def ben(game: Game) -> int:
    return sheet_of(Game.objects.get(pk=game.pk)).rounds[0].hands[2].points


def test_a_record_is_attached_and_says_where_it_differs(host: Client, guest: Client, table: Game) -> None:
    assert "Attach a record" in words(host.get(reverse("round_sheet", args=[table.slug, 1])))
    assert "Attach a record" not in words(guest.get(reverse("round_sheet", args=[table.slug, 1])))
    response = send(host, table, "attach", record=RECORD)
    assert response.url == url(table)
    for client in (host, guest):
        seen = page(client, table)
        assert "By the rules All 3 turns are fine, and the end. The record and the round differ Where" in seen
        assert "Every move is by the rules" not in seen  # the page has said it
        assert "Record Round Ben, points left 40 38" in seen
        assert "Turn 3 of 3" in seen
    assert "Take its scores" in page(host, table)
    assert "If its scores are taken: The totals become: Ben 40, not 38. No place changes." in page(
        host, table
    )
    assert "Take" not in page(guest, table)


def test_the_page_says_how_a_record_of_this_round_begins(host: Client, table: Game) -> None:
    begins = "rules: gamerules double_blank=25 set: 6 players: A=Ruth, B=Ben deal: 2 engine: 5-5 start: A"
    assert begins in page(host, table, 2)
    send(host, table, "attach", record=begins.replace(" set", "\nset"))
    assert begins.replace("5-5", "6-6") in page(host, table)


def test_its_scores_are_taken_and_the_board_carries_the_mark(
    host: Client, guest: Client, table: Game
) -> None:
    record_attach(game=table, number=1, text=RECORD)
    board = reverse("board", args=[table.slug])
    assert "the record differs R1 ≠" in words(guest.get(board))
    assert "≠ The record does not agree: round 1" in words(guest.get(board))
    assert send(host, table, "take").url == board
    seen = words(host.get(board))
    assert "Ben, round 1: now 40, was 38. Undo" in seen
    assert "the record agrees R1 ✓" in seen
    assert "✓ Every move and all points by the record: round 1" in seen
    sheet = words(guest.get(reverse("cell", args=[table.slug, 1, 2])))
    assert "The record agrees. See the record" in sheet
    assert "Reason: By the record of the round, 3 turns." in sheet
    assert "The record agrees All points are as written." in page(guest, table)
    host.post(reverse("undo", args=[table.slug]), {"version": Game.objects.get(pk=table.pk).version})
    assert ben(table) == 38
    assert "R1 ≠" in words(guest.get(board))
    log = words(guest.get(reverse("log", args=[table.slug])))
    assert "Record attached to round 1" in log


def test_wherever_rounds_are_read_the_mark_is_told(host: Client, guest: Client, table: Game) -> None:
    second = RECORD.replace("6-6", "5-5").replace("6-1", "5-1").replace("+5-4", "+6-4")
    play(table, (0, 41), (3, 0))
    record_attach(game=table, number=1, text=RECORD)
    record_attach(game=table, number=2, text=second)
    play(table, (0, 5))
    record_attach(game=table, number=4, text=BROKEN)
    agrees, differs, broken = (
        "✓ Every move and all points by the record: round 2.",
        "≠ The record does not agree: round 1.",
        "≠ The record is not by the rules: round 4.",
    )
    for client in (host, guest):
        for name in ("end", "tv", "print", "files"):
            seen = words(client.get(reverse(name, args=[table.slug])))
            assert agrees in seen, name
            assert differs in seen, name
            assert broken in seen, name
        paper = words(client.get(reverse("print", args=[table.slug])))
        assert "1 ≠, the record differs 6-6 0 0 38 38 2 ✓, the record agrees 5-5" in paper
        result = words(client.get(reverse("print", args=[table.slug]), {"what": "result"}))
        assert f"{agrees} {differs} {broken}" in result
        blank = words(client.get(reverse("print", args=[table.slug]), {"what": "blank"}))
        assert "✓" not in blank
        assert "record" not in blank
        screen = words(client.get(reverse("tv", args=[table.slug])))
        assert "Round 2, engine 5-5, the record agrees ✓" in screen
        assert "Round 3, engine 4-4 Round 4" in screen


def test_where_no_round_has_a_record_nothing_is_said_of_records(guest: Client, table: Game) -> None:
    for name in ("end", "tv", "print", "files"):
        assert "the record" not in words(guest.get(reverse(name, args=[table.slug]))), name


@pytest.mark.parametrize("name", ["end", "tv", "print", "files"])
def test_marks_ask_the_database_nothing_more(guest: Client, table: Game, name: str) -> None:
    def asked() -> int:
        with CaptureQueriesContext(connection) as queries:
            guest.get(reverse(name, args=[table.slug]))
        return len(queries)

    without = asked()
    record_attach(game=table, number=1, text=RECORD)
    assert asked() == without


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (BROKEN, "It proves no points of this round."),
        (UNFINISHED, "The record does not tell enough It stops before the round is over."),
        (HIDDEN, "The record does not tell enough It does not tell the points of Ben."),
        (RECORD.replace("engine: 6-6", "engine: 5-5"), "Engine 5-5 6-6"),
        (RECORD.replace("double_blank=25", "double_blank=0"), "Double blank 0 points 25 points"),
        (RECORD.replace("B=Ben", "B=<b>Bob"), "<b>Bob plays nobody of this name Ben not named plays"),
        (RECORD.replace("deal: 2", "deal: 3"), ""),
    ],
)
def test_what_keeps_a_record_from_agreeing_is_said(
    host: Client, guest: Client, table: Game, text: str, sentence: str
) -> None:
    send(host, table, "attach", record=text)
    if sentence:
        assert sentence in page(guest, table)
        assert "Take its scores" not in page(host, table)
        assert send(host, table, "take").status_code == 302
    else:
        assert not Round.objects.exclude(record="").exists()
    assert ben(table) == 38


def test_what_cannot_be_read_is_told_by_its_line_and_stays_in_the_field(host: Client, table: Game) -> None:
    for text, sentence in (
        (RECORD.replace("1-2>A", "1-x>A"), "Line 10, column 6:"),
        ("", "There is no record yet. Paste one, or open a file."),
        ("; " + "x" * MOST_CHARACTERS, "Up to 20,000 can be kept with a round."),
    ):
        for number, do in ((1, "attach"), (2, "check"), (2, "take")):
            response = send(host, table, do, number=number, record=text or " ")
            assert response.status_code == 422, (text[:30], do)
            assert sentence in words(response), (text[:30], do)
            assert text[:60] in words(response) or text.splitlines()[0] in response.content.decode()
            assert ("<mark>1-x&gt;A</mark>" in response.content.decode()) is ("1-x" in text)
    assert LogEntry.objects.count() == 2


def test_empty_lines_in_front_leave_each_mistake_at_its_line(host: Client, table: Game) -> None:
    response = send(host, table, "attach", record="\n\n" + RECORD.replace("1-2>A", "1-x>A"))
    assert "Line 12, column 6:" in words(response)
    assert "<mark>1-x&gt;A</mark>" in response.content.decode()
    assert 'data-line="12" data-column="6"' in response.content.decode()
    send(host, table, "attach", record=f"\n\n{RECORD}\n\n")
    assert Round.objects.get().record == f"\n\n{RECORD}"


def test_signs_from_a_chat_are_mended_in_the_field(host: Client, guest: Client, table: Game) -> None:
    chat = RECORD.replace("-", "–")
    for number, do in ((1, "attach"), (2, "check")):
        refused = send(host, table, do, number=number, record=chat)
        assert "Lines 5 to 10: “–” is not the “-” that a record has." in words(refused)
        assert "Write - for each –" in words(refused)
        assert found_by_its_places(refused)
        mended = send(host, table, "mend", number=number, record=chat)
        assert mended.status_code == 200
        assert "Lines 5 to 10: “–” became “-”, 9 times." in words(mended)
        assert RECORD in unescape(mended.content.decode())
    assert send(guest, table, "mend", record=chat).status_code == 403
    assert not Round.objects.exclude(record="").exists()


def test_a_file_is_read_before_what_is_typed(host: Client, table: Game) -> None:
    file = SimpleUploadedFile("round.train", b"\xef\xbb\xbf" + RECORD.replace("\n", "\r\n").encode())
    send(host, table, "attach", record="x", file=file)
    assert Round.objects.get().record == RECORD
    for broken in (b"\xff\xfe\x00", b"\x00" * 90_000):
        file = SimpleUploadedFile("round.train", broken)
        assert send(host, table, "attach", file=file).status_code == 422
    file = SimpleUploadedFile("round.train", RECORD.replace("Ben", "Bén").encode("latin-1"))
    seen = words(send(host, table, "attach", record=RECORD, file=file))
    assert "This file cannot be read from line 3 on. Save it as UTF-8 text" in seen
    assert "players: A=Ruth, B=Ben" in seen


def test_who_is_who_is_chosen_on_the_page(host: Client, table: Game) -> None:
    text = RECORD.replace("A=Ruth, B=Ben", "A=Anna, B=Bob")
    send(host, table, "attach", record=text)
    assert "Take its scores" not in page(host, table)
    seats: dict[str, Any] = {"seat-A": "1", "seat-B": "2", "seat-C": "9" * 5000}
    send(host, table, "attach", record=text, **seats)
    assert Round.objects.get().record_seats == {"A": 1, "B": 2}
    assert "Ben, points left 40 38" in page(host, table)


def test_the_coming_round_is_entered_by_its_record(host: Client, guest: Client, table: Game) -> None:
    second = HIDDEN.replace("engine: 6-6", "engine: 5-5").replace("6-1", "5-1").replace("+5-4", "+")
    second += "left B: 3-3 0-0 6-4\n"
    response: Any = guest.get(url(table, 2))
    assert response.url == reverse("round_sheet", args=[table.slug, 2])

    response = send(host, table, "check", number=2, record=second)
    seen = words(response)
    assert "The record can be entered Every move is by the rules." in seen
    assert "Ben 0-0 3-3 6-4 41" in seen.replace("\u2011", "-")
    assert "The totals become" not in seen  # all of them do
    assert "Save round 2" in seen
    assert not Round.objects.filter(number=2).exists()
    assert send(host, table, "take", number=2, record=second).url == reverse("board", args=[table.slug])
    assert Round.objects.get(number=2).record == second
    assert "With its record" in words(host.get(reverse("log", args=[table.slug])))
    shown = Game.objects.get(pk=table.pk).version - 1
    also = host.post(url(table, 2), {"version": shown, "do": "take", "record": second})
    assert (also.status_code, Game.objects.get(pk=table.pk).version) == (
        302,
        shown + 1,
    )  # by two phones at once


def test_it_is_taken_off_and_comes_back_by_undo(host: Client, table: Game) -> None:
    record_attach(game=table, number=1, text=RECORD)
    board = words(host.get(send(host, table, "remove").url))
    assert "Record taken off round 1. Undo" in board
    assert "R1 ≠" not in board
    host.post(reverse("undo", args=[table.slug]), {"version": Game.objects.get(pk=table.pk).version})
    assert "R1 ≠" in words(host.get(reverse("board", args=[table.slug])))


def test_what_changed_meanwhile_is_looked_at_again(host: Client, table: Game) -> None:
    record_attach(game=table, number=1, text=RECORD)
    table.refresh_from_db()
    shown = table.version
    round_put(game=table, number=1, claim=claim((0, 30)))
    for do in ("take", "remove"):
        response: Any = host.post(url(table), {"version": shown, "do": do})
        assert response.url == reverse("board", args=[table.slug]), do
        assert "Nothing was changed" in words(host.get(response.url)), do
    for do, text in (("attach", UNFINISHED), ("take", HIDDEN)):  # what was pasted stands beside what is now
        response = host.post(url(table), {"version": shown, "do": do, "record": text})
        assert response.status_code == 409, do
        assert "Nothing was changed" in words(response), do
        assert text in unescape(response.content.decode()), do
        assert f'name="version" value="{shown + 1}"' in response.content.decode(), do
    assert (ben(table), Round.objects.get().record) == (30, RECORD)
    for do, text in (("remove", ""), ("attach", BROKEN)):  # sent twice
        table.refresh_from_db()
        form = {"version": table.version, "do": do, "record": text}
        assert [host.post(url(table), form).status_code for _ in range(2)] == [302, 302], do
        assert Game.objects.get(pk=table.pk).version == table.version + 1, do
        assert "Nothing was changed" not in words(host.get(reverse("board", args=[table.slug]))), do
    record_attach(game=table, number=1, text=RECORD)
    table.refresh_from_db()
    shown = table.version
    round_put(game=table, number=2, claim=claim((0, 9)))
    host.post(url(table), {"version": shown, "do": "take"})
    assert ben(table) == 40  # another round is no matter
    also = host.post(url(table), {"version": shown, "do": "take"}, follow=True)  # on two phones
    assert "Nothing was changed" not in words(also)
    other = RECORD.replace("A 1-2>A", "A 2-1>A")
    record_attach(game=table, number=1, text=other)
    late = host.post(url(table), {"version": shown, "do": "take"}, follow=True)
    assert "Nothing was changed" in words(late)  # these are not the scores that were seen


def test_there_is_no_record_of_what_is_not_there(host: Client, guest: Client, table: Game) -> None:
    assert "This round has no record." in page(guest, table)
    for number in (0, 3, 99):
        assert host.get(url(table, number)).status_code == 404
        assert send(host, table, "attach", number=number, record=RECORD).status_code == 302
    for do in ("attach", "take", "remove", "check", ""):
        assert send(guest, table, do, record=RECORD).status_code == 403
    assert host.put(url(table)).status_code == 405


def test_reading_records_is_limited_by_address(host: Client, table: Game, settings: Settings) -> None:
    settings.CHECK_SECONDS_PER_MINUTE = 0
    response = send(host, table, "attach", record=RECORD)
    assert response.status_code == 429
    assert "Wait a minute, then try again." in words(response)
    assert not Round.objects.exclude(record="").exists()


def test_a_dispute_is_settled_on_its_page(host: Client, guest: Client, table: Game) -> None:
    record_attach(game=table, number=1, text=RECORD)
    challenge_add(game=table, number=1, seat=2, reason="Count again", role=Role.VIEWER)
    rule = reverse("rule_challenge", args=[table.slug, 1])
    seen = words(host.get(rule))
    assert "By the record Ben has 40. The total becomes 40, not 38: no place changes." in seen
    assert "Settle it by the record: 40" in seen
    table.refresh_from_db()
    host.post(rule, {"version": table.version, "do": "record", "reason": "We replayed it"})
    assert ben(table) == 40
    told = words(guest.get(reverse("cell", args=[table.slug, 1, 2])))
    assert "Ruled by scorer link: changed" in told
    assert "Reason: By the record, 40: We replayed it" in told


def test_a_dispute_that_the_record_does_not_tell_is_not_offered(host: Client, table: Game) -> None:
    record_attach(game=table, number=1, text=HIDDEN)
    challenge_add(game=table, number=1, seat=2, reason="Count again", role=Role.VIEWER)
    rule = reverse("rule_challenge", args=[table.slug, 1])
    assert "Settle it" not in words(host.get(rule))
    table.refresh_from_db()
    response = host.post(rule, {"version": table.version, "do": "record"})
    assert response.status_code == 422
    assert "The record of this round does not tell these points." in words(response)
