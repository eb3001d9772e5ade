"""“Check a round”: a record is pasted or opened; what cannot be read is told at its line; nothing is lost."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape
from io import StringIO
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from games import shared_records
from games.attached import as_kept
from games.models import Attempts, SharedRecord
from tests.hostile import NAMES
from tests.web.reading import found_by_its_places, words

pytestmark = pytest.mark.django_db
URL = "/check/"
ROUND = "players: A=Ann, B=Ben\ndeal: 4\nengine: 12-12\n1. A 12-3\n2. B -\n"
HOSTILE = [
    "",
    " \n",
    "\x00",
    "\ufeff",
    "<script>alert(1)</script>",
    "players: A=<script>alert(1)</script>, B\ndeal: x\nengine: 12-12",
    "x" * 200_001,
    "\n" * 5_001,
    "1. A 12-3>\n" * 4_000,
    "players: \u202eA, B\nengine: \u202e12-13\n",
    "𝟙. A +\n" + "é" * 5_000,
]


def check(text: str, **more: Any) -> Any:
    return Client().post(URL, {"record": text, **more})


def test_too_much_at_once_has_a_page_of_its_own(settings: Settings) -> None:
    answer = check("x" * (settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1))
    assert answer.status_code == 413
    assert "That is too much for one page" in answer.content.decode()
    assert "Go back and send less of it at once." in answer.content.decode()
    many = Client().post(URL, {f"field-{at}": "" for at in range(1_001)})
    assert many.status_code == 413
    strange = Client().get("/", headers={"Host": "elsewhere.example"})
    assert strange.status_code == 400
    assert "This cannot be read here" in strange.content.decode()


def area(page: str) -> str:
    """What stands in the text field."""
    found = re.search(r'<textarea[^>]*id="record"[^>]*>\n(.*?)</textarea>', page, re.DOTALL)
    assert found is not None
    return unescape(found[1])


def test_a_record_is_kept_once_and_shown_under_its_link() -> None:
    answers = [check(text) for text in (ROUND, ROUND.replace("\n", "\r\n"), "\ufeff" + ROUND)]
    assert {answer.status_code for answer in answers} == {302}
    assert len({answer["Location"] for answer in answers}) == 1
    record = SharedRecord.objects.get()
    assert (record.text, len(record.slug)) == (ROUND, 16)
    assert Client().get(answers[0]["Location"]).status_code == 200
    file = Client().get(f"{answers[0]['Location']}file/")
    assert (file.content.decode(), file["Content-Disposition"]) == (
        ROUND,
        f'attachment; filename="round-{record.slug}.train"',
    )
    share = Client().get(f"{answers[0]['Location']}share/").content.decode()
    assert f'value="http://testserver{answers[0]["Location"]}"' in share
    assert area(Client().get(f"{URL}?from={record.slug}").content.decode()) == ROUND


def test_signs_that_nobody_sees_are_dropped_as_from_any_text() -> None:
    chat = ROUND.replace("A=Ann", "\u2068A=Ann\u2069").replace("12-3", "12\u200d-\u200c3\u200b")
    assert check(chat).status_code == 302
    assert SharedRecord.objects.get().text == ROUND


def test_every_mistake_is_told_at_its_line_and_the_text_stays() -> None:
    text = "players: A, B\ndeal: 4\nengine: 6-6\n1. A 12-3>\n2. B ? <i>\n"
    response = check(text)
    page = response.content.decode()
    assert response.status_code == 422
    assert "2 things cannot be read" in page
    assert "Line 4, column 6: “12-3&gt;” is no action." in page.replace(
        '<span class="nw">12-3</span>', "12-3"
    )
    assert "<mark>12-3&gt;</mark>" in page
    assert "<mark>?</mark> &lt;i&gt;" in page
    assert area(page) == text
    assert SharedRecord.objects.count() == 0


def test_signs_from_a_chat_are_told_once_and_mended_by_a_button_that_says_so() -> None:
    own = ROUND.replace("A=Ann", "A=Ann–Marie") + "; from – chat\n"
    chat = ROUND.replace("-", "–").replace("A=Ann", "A=Ann–Marie") + "3. A 3→A\n; from – chat\n"
    refused = check(chat.replace("3. A 3→A\n", ""))
    assert refused.status_code == 422
    assert "One thing cannot be read Lines 3 to 5: “–” is not the “-” that a record has." in words(refused)
    assert "Write - for each –" in words(refused)
    assert "<mark>–</mark>12" in refused.content.decode()
    assert found_by_its_places(refused)

    mended = check(chat.replace("3. A 3→A\n", ""), do="mend")
    assert mended.status_code == 200
    assert area(mended.content.decode()) == own
    assert "Lines 3 to 5: “–” became “-”, 3 times." in words(mended)
    assert "data-draft-keep" in mended.content.decode()  # what was typed does not come back over it
    assert not SharedRecord.objects.exists()

    both = check(chat, do="mend")  # “3>A” is no action either
    assert both.status_code == 422
    assert "Lines 3 to 5: “–” became “-”, 3 times." in words(both)
    assert "One thing cannot be read Line 6, column 6: “3→A” is no action." in words(both)


def test_of_a_record_without_such_signs_the_button_changes_nothing() -> None:
    assert 'value="mend"' not in check("players: A\n1. A x").content.decode()
    page = check(ROUND, do="mend")
    assert (page.status_code, area(page.content.decode())) == (200, ROUND)
    assert "became" not in page.content.decode()


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_texts_are_refused_in_words_and_kept(text: str) -> None:
    response = check(text)
    page = response.content.decode()
    assert response.status_code == 422
    assert 'role="alert"' in page
    assert "<script>alert" not in page
    assert as_kept(area(page)) == as_kept(text)
    assert check(text, do="mend").status_code == 422


def test_hostile_names_and_comments_are_nothing_but_text() -> None:
    for name in NAMES:
        clean = re.sub(r"[,;\r\n\x00]", "", name).strip() or "x"
        response = check(f"players: A={clean}, B\ndeal: 4\nengine: 12-12\n1. A 12-3\n; {name!r}\n")
        if response.status_code == 422:
            continue
        page = Client().get(response["Location"]).content.decode()
        assert "<script>alert" not in page, name
        assert "onerror=" not in page.replace("&lt;", "<").partition("<main")[0], name


def test_a_file_is_opened_and_what_was_typed_beside_it_stays() -> None:
    def send(data: bytes, typed: str = "") -> Any:
        file = SimpleUploadedFile("a.train", data, "text/plain")
        return Client().post(URL, {"record": typed, "file": file})

    for data in (ROUND.encode(), ROUND.encode("utf-8-sig"), ROUND.encode("utf-16")):
        assert send(data).status_code == 302
    assert SharedRecord.objects.count() == 1
    unreadable = send(b"players: A\nx\xff\xff", "typed by hand")
    assert unreadable.status_code == 422
    assert "cannot be read from line 2 on" in unreadable.content.decode()
    assert area(unreadable.content.decode()) == "typed by hand"
    wrong = send(b"players: A, B\nnothing: 1", "typed by hand").content.decode()
    assert area(wrong) == "players: A, B\nnothing: 1\n"
    assert "typed by hand" in wrong
    large = send(b"x" * 900_000)
    assert (large.status_code, "too large" in large.content.decode()) == (422, True)
    assert send(b"\xff\xfe\xff").status_code == 422


def test_the_example_is_one_tap_away() -> None:
    page = Client().get(f"{URL}?example=1").content.decode()
    assert "illegal" in Client().get(check(area(page))["Location"]).content.decode()
    assert Client().get(f"{URL}?from=%00x").status_code == 200


def test_an_address_has_so_much_time_and_room_in_a_minute(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared_records, "CHARACTERS_PER_MINUTE", 2 * len(ROUND))
    answers = [check(ROUND.replace("12-3", f"12-{pip}")) for pip in (1, 2, 3)]
    assert [answer.status_code for answer in answers] == [302, 302, 429]
    assert "Wait a little" in answers[2].content.decode()
    assert area(answers[2].content.decode()) == ROUND
    again = check(ROUND.replace("12-3", "12-1"))  # kept already
    assert again.status_code == 302

    settings.CHECK_SECONDS_PER_MINUTE = 1
    monkeypatch.setattr(shared_records, "LIGHT", -1)
    Attempts.objects.filter(what="check").delete()
    one = SharedRecord.objects.first()
    assert one is not None
    shared_records._judged.found.clear()
    link = f"{URL}{one.slug}/"
    assert Client().get(link).status_code == 200
    assert Attempts.objects.get(what="check").count >= 0
    Attempts.objects.filter(what="check").update(count=1_000)
    assert Client().get(link).status_code == 200  # remembered: it costs nothing
    shared_records._judged.found.clear()
    assert Client().get(link).status_code == 429
    assert check(ROUND.replace("12-3", "12-5")).status_code == 429


def test_records_that_nobody_looks_at_are_removed() -> None:
    links = [check(ROUND.replace("12-3", f"12-{pip}"))["Location"] for pip in (1, 2)]
    SharedRecord.objects.update(seen_on=timezone.localdate() - timedelta(days=181))
    Client().get(links[0])
    told = StringIO()
    call_command("remove_games", "--dry-run", stdout=told)
    assert "1 unseen record to be removed." in told.getvalue()
    call_command("remove_games", stdout=told)
    assert "1 unseen record removed." in told.getvalue()
    assert [Client().get(link).status_code for link in links] == [200, 404]
