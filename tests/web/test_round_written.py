"""A round that is being written, for who watches: the board's line, the table, its news; never the key."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Game, RecordDraft
from tests.cast import play, start
from tests.web.at_the_table import phone, watcher
from tests.web.reading import words
from tests.web.test_write import tap, to_the_end

pytestmark = pytest.mark.django_db


@pytest.fixture
def small() -> Game:
    return start(("Ann", "Ben"), preset="gamerules", max_pip=6, deal=4).sheet.game


@pytest.fixture
def draft(small: Game) -> RecordDraft:
    """Of round 1, with one turn."""
    scorer = phone(small)
    scorer.post(reverse("write_round", args=[small.slug, 1]), {"do": "start:0"})
    draft = RecordDraft.objects.get()
    tap(scorer, draft, "lay:6-3:A")
    small.refresh_from_db()
    return draft


def board(client: Client, game: Game) -> str:
    return words(client.get(reverse("board", args=[game.slug])))


def table(client: Client, game: Game, number: int = 1, **query: str) -> Any:
    return client.get(reverse("round_written", args=[game.slug, number]), query)


def news(client: Client, game: Game, stamp: str, of: str = "round_written_live") -> Any:
    where = [game.slug] if of == "live" else [game.slug, 1]
    return client.get(reverse(of, args=where), {"v": stamp}, headers={"hx-request": "true"})


def test_the_board_says_that_the_coming_round_is_being_written(small: Game) -> None:
    seen, scorer = watcher(small), phone(small)
    assert "written down" not in board(seen, small)
    scorer.post(reverse("write_round", args=[small.slug, 1]), {"do": "start:0"})
    assert "Round 1 is being written down" in board(seen, small)
    assert "turns" not in board(seen, small)
    draft = RecordDraft.objects.get()
    for do in ("lay:6-3:A", "lay:6-2:B"):
        tap(scorer, draft, do)
    for client in (seen, scorer):
        assert "Round 1 is being written down · 2 turns" in board(client, small)
    play(small, (0, 7))
    assert "written down" not in board(seen, small)


def test_each_tap_is_news_for_those_who_watch_and_no_change_of_the_game(
    small: Game, draft: RecordDraft
) -> None:
    seen, scorer, version = watcher(small), phone(small), small.version
    for do, said in (
        ("lay:6-2:B", "written down · 2 turns"),
        ("undo", "written down · 1 turn"),
        ("redo", "written down · 2 turns"),
        ("drop", ""),
    ):
        before = small.stamp
        tap(scorer, draft, do)
        small.refresh_from_db()
        assert small.version == version
        answer = news(seen, small, before, "live")
        assert answer.status_code == 200
        assert said in words(answer), do
    assert "written down" not in words(answer)


def test_the_table_is_read_alone_and_never_tells_the_key(small: Game, draft: RecordDraft) -> None:
    seen = table(watcher(small), small)
    assert "Round 1 so far" in words(seen)
    assert "turn 2" in words(seen)
    assert "Ben’s turn Last written: Ann lays 6\u20113" in words(seen)
    assert "<form" not in seen.content.decode()
    assert "Go on writing it down" not in words(seen)
    assert "Go on writing it down" in words(table(phone(small), small))
    pages = (seen, table(phone(small), small), news(watcher(small), small, ""))
    for page in (*pages, watcher(small).get(reverse("board", args=[small.slug]))):
        assert draft.key not in page.content.decode()


def test_nobody_else_at_the_table_is_told_which_tile_was_drawn(small: Game, draft: RecordDraft) -> None:
    tap(phone(small), draft, "draw:5-4")
    assert "+5-4" in RecordDraft.objects.get().text
    for seen in (table(watcher(small), small), news(watcher(small), small, "")):
        assert "Last written: Ben draws " in words(seen)
        assert "5\u20114" not in words(seen)


def test_its_end_and_what_breaks_a_rule_are_told(small: Game, draft: RecordDraft) -> None:
    scorer = phone(small)
    tap(scorer, draft, "!lay:3-1:A")
    assert "A rule is broken here" in words(table(watcher(small), small))
    tap(scorer, draft, "undo")
    tap(scorer, draft, "undo")
    assert "Nothing is written yet." in words(table(watcher(small), small, open="<b>"))
    to_the_end(scorer, draft)
    assert "Ann is out." in words(table(watcher(small), small, open="A"))


def test_its_news_are_204_by_one_query_and_drawn_once_for_all(
    small: Game, draft: RecordDraft, django_assert_num_queries: Callable[..., Any]
) -> None:
    one, other = watcher(small), watcher(small)
    with django_assert_num_queries(1):
        assert news(one, small, small.stamp).status_code == 204
    shown = small.stamp
    tap(phone(small), draft, "lay:6-2:B")
    first = news(one, small, shown)
    with django_assert_num_queries(2):  # the version, and whose key it is
        second = news(other, small, shown)
    assert first.content == second.content
    assert "Ann’s turn Last written: Ben lays 6\u20112" in words(second)
    small.refresh_from_db()
    assert f"?v={small.stamp}" in second.content.decode()
    assert "<html" not in second.content.decode()


def test_once_the_round_is_in_or_the_record_gone_it_leads_to_the_board(
    small: Game, draft: RecordDraft
) -> None:
    seen, where = watcher(small), reverse("board", args=[small.slug])
    assert table(seen, small, 2)["Location"] == where
    shown = small.stamp
    play(small, (0, 7))
    assert table(seen, small)["Location"] == where
    assert news(seen, small, shown)["HX-Redirect"] == where


def test_who_may_see_it(small: Game, draft: RecordDraft) -> None:
    for name in ("round_written", "round_written_live"):
        address = reverse(name, args=[small.slug, 1])
        assert Client().get(address).status_code == 404
        assert watcher(small).get(address).status_code == 200
        assert phone(small).post(address).status_code == 405
