"""A round written down on pages, each step without script: start, moves, why not, the end, a game's round."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from games.engine.reading import parse_record
from games.engine.replay import replay
from games.models import AccessKey, Game, RecordDraft, Role, Round
from games.services import attempt_counted
from games.shared_records import CHECK
from tests.cast import play, start
from tests.web.at_the_table import phone, watcher
from tests.web.test_hostile_names import sound

pytestmark = pytest.mark.django_db

PEOPLE: dict[str, Any] = {"player": ["Ann", "Ben", "", ""], "preset": "gamerules", "set": "6"}
SMALL = PEOPLE | {"engine": "6", "deal": "4"}


def begin(client: Client, **more: Any) -> RecordDraft:
    answer = client.post(reverse("write"), SMALL | {"do": "start:0"} | more)
    assert answer.status_code == 302, answer.content.decode()
    return RecordDraft.objects.latest("pk")


def tap(client: Client, draft: RecordDraft, do: str, query: str = "", **more: Any) -> Any:
    draft.refresh_from_db()
    form = {"do": do, "version": draft.version} | more
    return client.post(reverse("written", args=[draft.key]) + query, form, follow=True)


def words(answer: Any) -> str:
    text = re.sub(r"<(script|style|pre)\b.*?</\1>|<[^>]+>", " ", answer.content.decode(), flags=re.DOTALL)
    return " ".join(text.replace("&#x27;", "'").replace("\u2011", "-").split())


def test_who_plays_then_who_began(client: Client) -> None:
    assert client.get(reverse("write")).status_code == 200
    second = client.post(reverse("write"), PEOPLE | {"do": "next", "set": "9"})
    assert "Who starts?" in words(second)
    assert 'name="deal" value="15"' in second.content.decode()
    assert RecordDraft.objects.count() == 0
    draft = begin(client)
    assert draft.text == ("rules: gamerules\nset: 6\nplayers: A=Ann, B=Ben\ndeal: 4\nengine: 6-6\nstart: A\n")
    laid = begin(client, preset="thoughtco", do="layer:1", seek=["0", "2"], player=["A, b=;", "Ben"])
    assert "engine: 6-6 B\nstart: B\nseek: B 2\n" in laid.text
    assert "players: A=A b, B=Ben" in laid.text


def test_a_known_hand_is_taken(client: Client) -> None:
    draft = begin(client, hand=["6-3 3-1 5-5 4-4", ""])
    assert "hand A: 3-1 6-3 4-4 5-5" in " ".join(draft.text.split()) or "hand A:" in draft.text
    page = words(client.get(reverse("written", args=[draft.key])))
    assert "Draws" in page
    refused = tap(client, draft, "pass")
    assert refused.status_code == 422
    assert "Ann passes though a tile fits." in words(refused)


@pytest.mark.parametrize(
    ("form", "told"),
    [
        ({"player": ["Ann"]}, "2"),
        ({"player": ["Ann", "ann"]}, "ann"),
        ({"player": [str(at) for at in range(15)]}, "14"),
        ({"engine": "7"}, "The engine is a double from 0-0 to 6-6."),
        ({"engine": "<b>"}, "The engine is a double from 0-0 to 6-6."),
        ({"deal": "15"}, "Each can have 1 to 13 tiles here."),
        ({"deal": ""}, ""),
        ({"hand": ["6-3 3-1 5-5", ""]}, "Ann: These are 3 tiles, not 4."),
        ({"hand": ["6-3 3-1 5-5 6-3", ""]}, "Ann: 6-3 is there twice."),
        ({"hand": ["6-3 3-1 5-5 9-9", ""]}, "Ann: “9-9” is no tile of this set."),
        ({"hand": ["6-3 3-1 5-5 6-6", ""]}, "Ann cannot have had 6-6, the engine."),
        ({"preset": "thoughtco", "seek": ["x", ""]}, "“x” is no number of tiles."),
        ({"do": "start:9"}, ""),
        ({"do": "start:²"}, ""),
        ({"set": "7", "preset": "x", "deal": "\x00", "engine": "\u202e"}, ""),
    ],
)
def test_what_cannot_be_begun_is_told_and_nothing_typed_is_lost(
    client: Client, form: dict[str, Any], told: str
) -> None:
    data = SMALL | {"do": "start:0"} | form
    answer = client.post(reverse("write"), data)
    assert answer.status_code in ((302, 422) if not told else (422,)), form
    assert answer.status_code == 302 or told in words(answer), form
    if answer.status_code == 422:
        sound(answer.content.decode(), as_typed=True)


def test_the_tiles_of_a_train_are_one_tap_each(client: Client) -> None:
    draft = begin(client)
    page = tap(client, draft, "lay:6-3:A")
    assert "Ben’s turn" in words(page)
    assert "Undo: Ann lays 6-3" in words(page)
    page = client.get(reverse("written", args=[draft.key]) + "?train=M")
    assert 'value="lay:6-2:M"' in page.content.decode()
    closed = words(client.get(reverse("written", args=[draft.key]) + "?train=A"))
    assert "On Ann’s train nothing goes now: It is closed: no marker is on it." in closed
    page = tap(client, draft, "lay:6-6:M", "?train=M")
    assert page.status_code == 422
    assert "It is the engine." in words(page)
    for do in ("draw", "pass"):
        page = tap(client, draft, do)
    assert "Ann’s turn" in words(page)
    assert "Ben’s marker is on now." in words(page)


def test_a_double_is_owed_and_binds_the_next(client: Client) -> None:
    draft = begin(client)
    tap(client, draft, "lay:6-3:A")
    tap(client, draft, "lay:6-2:B")
    page = words(tap(client, draft, "lay:3-3:A"))
    assert "After the double Ann lays on." in page
    assert "Ann passes without a draw." not in page  # her turn is not over
    tap(client, draft, "draw")
    page = words(tap(client, draft, "pass"))
    assert "An open double comes first: 3-3 on Ann’s train." in page
    assert "Nobody" not in page


def test_why_not_for_each_train_of_a_chosen_tile(client: Client) -> None:
    draft = begin(client)
    tap(client, draft, "lay:6-3:A")
    here = reverse("written", args=[draft.key])
    assert "Which tile?" in words(client.get(f"{here}?mode=any"))
    assert "mode=any" in client.get(f"{here}?mode=any&half=6").content.decode()
    page = words(client.get(f"{here}?mode=any&half=6&tile=6-2"))
    assert "on Ben’s train" in page
    assert "on Ann’s train It shows 3." in page
    shown = words(client.get(f"{here}?mode=drawn&half=5"))
    assert "Which tile does Ben draw?" in shown
    assert "Ben draws 5-4" in words(tap(client, draft, "draw:5-4", "?mode=drawn&half=5"))


def test_a_broken_rule_is_written_only_for_who_is_sure(client: Client) -> None:
    draft = begin(client)
    tap(client, draft, "lay:6-3:A")
    refused = tap(client, draft, "lay:3-1:A")
    assert refused.status_code == 422
    assert "Ben cannot lay 3-1 on Ann’s train. It is closed: no marker is on it. Rule G10" in words(refused)
    assert "Write it all the same" in words(refused)
    page = words(tap(client, draft, "!lay:3-1:A"))
    assert "From here on nothing is judged." in page
    assert "Rule G10" in page
    assert "Nothing can follow a move that breaks a rule." in words(tap(client, draft, "pass"))
    assert "Ben’s turn" in words(tap(client, draft, "undo"))
    page = words(client.get(reverse("written", args=[draft.key]) + "?by=A"))
    assert "Ann, out of turn" in page
    assert "A 3 own" in page  # her train, not that of whose turn it is
    assert (
        'value="lay:3-1:A:A"' in client.get(reverse("written", args=[draft.key]) + "?by=A").content.decode()
    )
    assert "Ann plays out of turn. It is Ben’s turn." in words(tap(client, draft, "lay:6-1:M:A"))


def test_a_marker_that_was_not_moved_is_written_for_who_is_sure(client: Client) -> None:
    draft = begin(client)
    assert "That does not fit here." in words(tap(client, draft, "!unmoved"))
    tap(client, draft, "draw")
    page = words(tap(client, draft, "pass"))
    assert "Ann’s marker was not put on" in page
    refused = words(tap(client, draft, "unmoved"))
    assert "Ann’s marker is not off at the end of this turn." in refused
    assert "Rule G12" in refused
    page = words(tap(client, draft, "!unmoved"))
    assert "Undo: Ann’s marker stays off" in page
    assert "A rule is broken here" in page
    assert "From here on nothing is judged." in page
    draft.refresh_from_db()
    found = replay(parse_record(draft.text)).violation
    assert found is not None
    assert (found.code, found.turn) == ("marker", 1)
    draft = begin(Client(), preset="wikihow")
    for do in ("draw", "pass", "draw", "pass", "draw"):
        tap(client, draft, do)
    page = words(tap(client, draft, "lay:6-2:A"))
    assert "Ann’s marker was not taken off" in page
    page = words(tap(client, draft, "!unmoved"))
    assert "Undo: Ann’s marker stays on" in page
    assert "Ann’s marker is not on at the end of this turn." in page


def test_what_no_deal_explains_is_said_and_kept(client: Client) -> None:
    draft = begin(client)
    for do in ("lay:6-3:A", "draw", "pass"):
        tap(client, draft, do)
    page = words(tap(client, draft, "lay:3-1:A"))
    assert "No deal" not in page
    page = words(tap(client, draft, "lay:6-2:B"))
    assert "No deal of the tiles explains this" in page
    assert "’s turn" in page
    assert "No deal" not in words(tap(client, draft, "undo"))


def to_the_end(client: Client, draft: RecordDraft) -> None:
    for do in (*("lay:6-3:A", "lay:6-2:B", "lay:3-1:A", "lay:2-1:B", "lay:1-0:A", "lay:1-4:B", "lay:2-0:A"),):
        assert tap(client, draft, do).status_code == 200, do


def test_the_score_fills_itself_at_the_end(client: Client) -> None:
    draft = begin(client)
    to_the_end(client, draft)
    page = client.get(reverse("written", args=[draft.key]))
    assert "Ann is out." in words(page)
    assert "What has Ben left?" in words(page)
    assert "1 tile left" in words(page)
    page = tap(client, draft, "left:B:5-5", "?who=B&half=5")
    assert "Everything is written." in words(page)
    assert '<b class="value">10</b>' in page.content.decode()
    taken = client.get(reverse("written_text", args=[draft.key]))
    assert taken["Content-Disposition"].endswith('round.train"')
    found = replay(parse_record(taken.content.decode()))
    assert (found.verdict, found.scores) == ("legal", {"A": 0, "B": 10})
    assert taken.content.decode().endswith("left B: 5-5\nscore: A 0, B 10\n")
    tap(client, draft, "undo")
    page = tap(client, draft, "points:B", **{"points-B": "12"})
    assert "Everything is written." in words(page)
    here = reverse("written", args=[draft.key])
    late = client.post(here, {"do": "points:B", "version": "1", "points-B": "13"})
    assert late.status_code == 409
    assert "What has Ben left?" in words(late)
    assert 'value="13" data-typed>' in late.content.decode()
    many = tap(client, draft, "points:B", "?who=B", **{"points-B": "many"})
    assert "“many” is no number of points. Nothing was written." in words(many)
    assert 'value="many"' in many.content.decode()
    page = tap(client, draft, "points:B", **{"points-B": "1"})
    assert "No deal" in words(page)
    assert "Ben has 1 point " in words(page)


def test_a_hand_told_in_part_is_not_passed_over_for_its_points() -> None:
    game = start(("Ann", "Ben"), preset="gamerules", max_pip=6, deal=4).sheet.game
    scorer = phone(game)
    scorer.post(reverse("write_round", args=[game.slug, 1]), {"do": "start:0"})
    draft = RecordDraft.objects.get()
    for do in (
        "lay:6-3:A",
        "lay:6-2:B",
        "lay:3-1:A",
        "draw",
        "pass",
        "lay:1-0:A",
        "draw",
        "pass",
        "lay:2-0:A",
    ):
        assert tap(scorer, draft, do).status_code == 200, do
    tap(scorer, draft, "left:B:5-5")
    page = words(tap(scorer, draft, "points:B", **{"points-B": "27"}))
    assert "What has Ben left?" in page
    assert "not yet" in page
    assert "Save round 1" not in page
    late = words(tap(scorer, draft, "save", game_version=game.version))
    assert "Ben’s hand is told in part. Tell the rest, or take those tiles back." in late
    assert not Round.objects.exists()
    page = words(tap(scorer, draft, "left:B:5-5"))
    assert "Save round 1" in page


def test_two_phones_on_one_record(client: Client) -> None:
    draft = begin(client)
    tap(client, draft, "lay:6-3:A")
    here = reverse("written", args=[draft.key])
    late = Client().post(here, {"do": "lay:6-2:A", "version": "1"})
    assert late.status_code == 409
    assert "Something else was written meanwhile." in words(late)
    assert "Ben’s turn" in words(late)
    twice = Client().post(here, {"do": "lay:6-3:A", "version": "1"})
    assert twice.status_code == 302
    for version in ("", "x", "²", "-1", "99999999999"):
        assert Client().post(here, {"do": "pass", "version": version}).status_code == 409


def test_what_was_taken_back_can_be_done_again(client: Client) -> None:
    draft = begin(client)
    for do in ("lay:6-3:A", "lay:6-2:B"):
        assert "Redo" not in words(tap(client, draft, do))
    page = words(tap(client, draft, "undo"))
    assert "Undo: Ann lays 6-3 Redo: Ben lays 6-2" in page
    page = words(tap(client, draft, "undo"))
    assert "Undo:" not in page
    assert "Redo: Ann lays 6-3" in page
    other = Client()
    page = words(other.get(reverse("written", args=[draft.key])))
    assert "Redo: Ann lays 6-3" in page
    assert "Redo: Ben lays 6-2" in words(tap(other, draft, "redo"))
    late = client.post(reverse("written", args=[draft.key]), {"do": "redo", "version": draft.version - 1})
    assert late.status_code == 409
    assert "Something else was written meanwhile." in words(late)
    page = words(tap(client, draft, "redo"))
    assert "Redo" not in page
    assert "Undo: Ben lays 6-2" in page
    tap(client, draft, "undo")
    assert "Redo" not in words(tap(client, draft, "draw"))


def news(client: Client, draft: RecordDraft, stamp: str, **query: str) -> Any:
    return client.get(
        reverse("written_live", args=[draft.key]), {"v": stamp, **query}, headers={"hx-request": "true"}
    )


def test_a_record_that_did_not_change_is_204_by_one_query(
    client: Client, small: Game, django_assert_num_queries: Callable[..., Any]
) -> None:
    phone(small).post(reverse("write_round", args=[small.slug, 1]), {"do": "start:0"})
    draft = RecordDraft.objects.get()
    for one in (begin(client), draft):
        shown = one.stamp
        with django_assert_num_queries(1):
            assert news(Client(), one, shown).status_code == 204
    play(small, (0, 7))
    draft.refresh_from_db()
    answer = news(phone(small), draft, shown)
    assert answer.status_code == 200
    assert f'name="v" value="{draft.stamp}"' in answer.content.decode()


def test_the_second_phone_gets_the_page_with_what_it_had_chosen(client: Client) -> None:
    draft = begin(client)
    tap(client, draft, "lay:6-3:A")
    shown = draft.stamp
    tap(client, draft, "draw")  # still Ben's turn
    draft.refresh_from_db()
    page = news(Client(), draft, shown, on="B", train="M").content.decode()
    assert f'action="{reverse("written", args=[draft.key])}?train=M"' in page
    assert 'name="train" value="M"' in page
    assert 'value="lay:6-2:M"' in page
    page = words(news(Client(), draft, shown, on="B", mode="any", half="5"))
    assert "Which tile? Tap one half, then the tile." in page
    assert "Which tile does Ben draw?" not in words(news(Client(), draft, shown, on="B", mode="drawn"))
    tap(client, draft, "pass")
    draft.refresh_from_db()
    for query in ({"train": "M"}, {"mode": "any"}, {"by": "A"}):
        page = news(Client(), draft, shown, on="B", **query).content.decode()
        assert f'action="{reverse("written", args=[draft.key])}"' in page, query
    assert news(Client(), draft, "", on="<b>", train="<b>", who="\x00").status_code == 200


def test_the_second_phone_keeps_the_hand_that_it_tells(client: Client) -> None:
    draft = begin(client, player=["Ann", "Ben", "Cleo"], deal="4")
    for do in ("lay:6-3:A", "!out:A"):
        tap(client, draft, do)
    shown = draft.stamp
    tap(client, draft, "left:B:5-5")
    draft.refresh_from_db()
    page = news(Client(), draft, shown, on="out", who="C", half="4").content.decode()
    assert 'value="left:C:4-4"' in page
    assert "What has Cleo left?" in words(news(Client(), draft, shown, on="out", who="C"))


@pytest.mark.parametrize(
    "do",
    [
        "",
        "lay:99-1:A",
        "lay:6-3:<script>",
        "!lay:99-1:Z",
        "x" * 999,
        "left:B:5-5",
        "keep",
        "points:A",
        "\x00",
    ],
)
def test_a_hostile_tap_is_told_and_writes_nothing(client: Client, do: str) -> None:
    draft = begin(client)
    answer = tap(client, draft, do, "?train=<script>&half=99&tile=1-x&by=Q&who=%00&open=%22%3E&mode=x")
    assert answer.status_code == 422
    sound(answer.content.decode())
    draft.refresh_from_db()
    assert draft.version == 1


def test_a_record_nobody_began_is_not_found(client: Client) -> None:
    for name in ("written", "written_text", "written_live"):
        assert client.get(reverse(name, args=["never-made"])).status_code == 404
    draft = begin(client)
    assert client.put(reverse("written", args=[draft.key])).status_code == 405
    assert client.post(reverse("written_live", args=[draft.key])).status_code == 405
    tap(client, draft, "drop")
    assert client.get(reverse("written", args=[draft.key])).status_code == 404


def test_the_phone_finds_its_record_again(client: Client) -> None:
    draft = begin(client)
    tap(client, draft, "lay:6-3:A")
    assert "Go on: Ann and Ben 1 turn is written" in words(client.get(reverse("write")))
    assert "Go on" not in words(Client().get(reverse("write")))
    client.cookies["writing"] = "<b>\x00"
    assert client.get(reverse("write")).status_code == 200
    tap(client, draft, "drop")
    client.cookies["writing"] = draft.key
    assert "Go on" not in words(client.get(reverse("write")))


def test_a_start_that_is_sent_twice_leaves_no_empty_record_behind(client: Client) -> None:
    page = client.post(reverse("write"), PEOPLE | {"do": "next"}).content.decode()
    once = re.search('name="once" value="([^"]{22})"', page)
    assert once is not None
    form = SMALL | {"once": once[1]}
    draft = begin(client, **form)
    assert begin(Client(), **form) == draft  # the second tap of two: its phone has no answer yet
    tap(client, draft, "lay:6-3:A")
    assert begin(client, **form) == draft
    empty = begin(client)
    assert empty != draft
    client.get(reverse("written", args=[empty.key]))
    assert begin(client, deal="5", do="start:1") == empty
    empty.refresh_from_db()
    assert "deal: 5\nengine: 6-6\nstart: B\n" in empty.text
    assert RecordDraft.objects.count() == 2


@pytest.mark.usefixtures("one_minute")
def test_many_rounds_from_one_address_wait(client: Client, settings: Settings) -> None:
    settings.RECORDS_PER_MINUTE = 1
    begin(client)
    answer = client.post(reverse("write"), SMALL | {"do": "start:0"})
    assert answer.status_code == 429
    assert "Wait a little" in words(answer)


@pytest.mark.usefixtures("one_minute")
def test_who_had_the_computer_work_for_a_minute_waits_and_the_record_is_kept(
    client: Client, settings: Settings
) -> None:
    draft = begin(client)
    settings.CHECK_SECONDS_PER_MINUTE = 1
    attempt_counted(what=CHECK, address="127.0.0.1", most=1_000, times=1_001)
    answer = tap(client, draft, "draw")
    assert answer.status_code == 429
    draft.refresh_from_db()
    assert draft.text.endswith("1. A +\n")


@pytest.fixture
def small() -> Game:
    return start(("Ann", "Ben"), preset="gamerules", max_pip=6, deal=4).sheet.game


def test_a_round_of_a_game_is_written_and_saved(small: Game) -> None:
    scorer = phone(small)
    way = reverse("write_round", args=[small.slug, 1])
    assert "Who starts?" in words(scorer.get(way))
    assert "Write it move by move" in words(scorer.get(reverse("round", args=[small.slug, 1])))
    assert scorer.post(way, {"do": "start:7"}).status_code == 422
    assert scorer.post(way, {"do": "start:0"}).status_code == 302
    draft = RecordDraft.objects.get()
    assert (draft.game_id, draft.round_number) == (small.pk, 1)
    assert "Go on writing it down" in words(phone(small).get(reverse("round", args=[small.slug, 1])))
    assert scorer.get(way)["Location"] == reverse("written", args=[draft.key])
    to_the_end(scorer, draft)
    assert "Save round 1" not in words(scorer.get(reverse("written", args=[draft.key])))
    assert "Save round 1" in words(tap(scorer, draft, "left:B:5-5"))
    stranger = tap(Client(), draft, "save", game_version=small.version)
    assert stranger.status_code == 403
    for htmx, status in (({}, 403), ({"HX-Request": "true"}, 422)):  # of which only the latter is shown
        form = {"do": "save", "version": draft.version, "game_version": small.version}
        answer = Client().post(reverse("written", args=[draft.key]), form, headers=htmx)
        assert answer.status_code == status
        assert "This phone no longer keeps score in this game. What is written stays." in words(answer)
    assert "Save round 1" not in words(Client().get(reverse("written", args=[draft.key])))
    assert "meanwhile" in words(tap(scorer, draft, "save", game_version=99))
    small.refresh_from_db()
    draft.refresh_from_db()
    shown = draft.stamp
    saved = tap(scorer, draft, "save", game_version=small.version)
    assert saved.status_code == 200
    one = Round.objects.get(game=small)
    assert list(one.hands.order_by("player__seat").values_list("points", flat=True)) == [0, 10]
    assert one.record
    assert "Round 1 is saved with this record." in words(news(phone(small), draft, shown))
    page = words(scorer.get(reverse("written", args=[draft.key])))
    assert "Round 1 is saved with this record." in page
    assert "To the board" in page
    assert "Take these scores" not in page
    again = tap(phone(small), draft, "save", game_version=1)  # by another phone, at the same time
    assert again.redirect_chain == [(reverse("board", args=[small.slug]), 302)]
    tap(scorer, draft, "undo")
    page = words(tap(scorer, draft, "points:B", **{"points-B": "9"}))
    assert "Take these scores" in page
    assert "Attach it to round 1" in page


def test_another_round_changed_meanwhile_does_not_keep_a_record_out() -> None:
    game = start(("Ann", "Ben"), preset="gamerules", max_pip=6, deal=4, second_person=True).sheet.game
    play(game, (0, 7))
    scorer = phone(game)
    round_2 = {"do": "start:0"}
    scorer.post(reverse("write_round", args=[game.slug, 2]), round_2)
    draft = RecordDraft.objects.get()
    for do in ("lay:5-3:A", "lay:5-2:B", "lay:3-1:A", "lay:2-1:B", "lay:1-0:A", "lay:1-4:B", "lay:2-0:A"):
        assert tap(scorer, draft, do).status_code == 200, do
    tap(scorer, draft, "left:B:6-6")
    game.refresh_from_db()
    shown = game.version
    phone(game).post(
        reverse("correct", args=[game.slug, 1, 2]), {"do": "save", "value": "8", "version": shown}
    )
    saved = tap(scorer, draft, "save", game_version=shown)
    assert saved.redirect_chain == [(reverse("board", args=[game.slug]), 302)]
    game.refresh_from_db()
    assert game.version == shown + 2
    line = game.log.get(number=game.version)
    assert "By the record of the round, 7 turns." in line.reason
    assert Round.objects.get(game=game, number=2).device  # so that the same phone does not confirm it


def test_with_script_too_another_page_takes_the_place_of_this_one(small: Game) -> None:
    scorer = phone(small)
    scorer.post(reverse("write_round", args=[small.slug, 1]), {"do": "start:0"})
    draft = RecordDraft.objects.get()
    here, board = reverse("written", args=[draft.key]), reverse("board", args=[small.slug])
    page = scorer.get(here).content.decode()
    outside = [tag for tag in re.findall("<button[^>]*>", page) if 'form="taps"' in tag]
    assert len(outside) == 4
    assert all('type="submit"' in tag for tag in outside), (
        "htmx sends no value of a button outside its form else"
    )
    to_the_end(scorer, draft)
    tap(scorer, draft, "left:B:5-5")
    htmx = {"HX-Request": "true"}
    draft.refresh_from_db()
    for do in ("save", "drop"):
        form = {"do": do, "version": draft.version, "game_version": small.version}
        assert scorer.post(here, form, headers=htmx)["HX-Redirect"] == board
    assert scorer.get(here).status_code == 404
    live, of_game = reverse("written_live", args=[draft.key]), {"game": small.slug}
    for address, to in ((here, board), (live, board)):
        gone = scorer.get(address, of_game, headers=htmx)
        assert gone["HX-Redirect"] == to
        assert "The record that was being written was thrown away." in words(scorer.get(to))
    assert scorer.post(here, {"do": "pass"} | of_game, headers=htmx)["HX-Redirect"] == board
    plain = scorer.post(here, {"do": "pass"} | of_game, follow=True)  # without script
    assert plain.redirect_chain == [(board, 302)]
    assert "The record that was being written was thrown away." in words(plain)
    for stranger in ({}, {"game": "\x00"}, {"game": small.slug}):
        assert Client().get(live, stranger, headers=htmx)["HX-Redirect"] == reverse("write")


def test_who_answers_otherwise_than_the_phone_that_began_is_told(small: Game) -> None:
    way = reverse("write_round", args=[small.slug, 1])
    first, second = phone(small), phone(small)
    first.post(way, {"do": "start:0"})
    assert "already" not in words(second.post(way, {"do": "start:0"}, follow=True))
    assert "This round is being written already, and Ann starts." in words(
        second.post(way, {"do": "start:1"}, follow=True)
    )
    assert RecordDraft.objects.count() == 1


def test_who_may_write_a_round_of_a_game(small: Game) -> None:
    way = reverse("write_round", args=[small.slug, 1])
    assert Client().get(way).status_code == 404
    assert watcher(small).get(way).status_code == 403
    assert phone(small).get(reverse("write_round", args=[small.slug, 5])).status_code == 302
    assert phone(small).delete(way).status_code == 405


def test_where_any_unused_double_may_be_the_engine_it_is_chosen() -> None:
    rules: dict[str, Any] = {"preset": "gamerules", "max_pip": 6, "deal": 4, "engine_order": "any_unused"}
    game = start(("Ann", "Ben"), **rules).sheet.game
    play(game, (0, 7))
    scorer = phone(game)
    way = reverse("write_round", args=[game.slug, 2])
    assert (
        f"{way}?engine=4" in scorer.get(reverse("round", args=[game.slug, 2]) + "?engine=4").content.decode()
    )
    page = scorer.get(f"{way}?engine=4").content.decode()
    assert '<option value="4" selected>' in page
    assert '<option value="6"' not in page  # of round 1
    scorer.post(way, {"do": "start:0", "engine": "4"})
    draft = RecordDraft.objects.get()
    assert "engine: 4-4\n" in draft.text
    for do in ("lay:4-3:A", "lay:4-2:B", "lay:3-1:A", "lay:2-1:B", "lay:1-0:A", "lay:6-1:B", "lay:2-0:A"):
        assert tap(scorer, draft, do).status_code == 200, do
    tap(scorer, draft, "left:B:5-5")
    game.refresh_from_db()
    tap(scorer, draft, "save", game_version=game.version)
    assert Round.objects.get(game=game, number=2).engine == 4
    assert scorer.post(way, {"do": "start:0", "engine": "99"}).status_code == 302


def test_a_double_below_those_of_a_short_game_may_be_its_engine_too() -> None:
    rules: dict[str, Any] = {"preset": "gamerules", "max_pip": 6, "deal": 4, "engine_order": "any_unused"}
    game = start(("Ann", "Ben"), rounds=3, **rules).sheet.game
    scorer = phone(game)
    way = reverse("write_round", args=[game.slug, 1])
    assert '<option value="1" selected>' in scorer.get(f"{way}?engine=1").content.decode()
    scorer.post(way, {"do": "start:0", "engine": "1"})
    assert "engine: 1-1\n" in RecordDraft.objects.get().text


def test_a_game_whose_rules_do_not_say_how_many_tiles_asks_for_it() -> None:
    game = start(("Ann", "Ben"), preset="thoughtco", max_pip=18).sheet.game
    scorer = phone(game)
    way = reverse("write_round", args=[game.slug, 1])
    assert "Tiles each" in words(scorer.get(way))
    assert "How many tiles was each dealt?" in words(scorer.post(way, {"do": "layer:1", "deal": "x"}))
    for form, said in (
        ({"seek": ["x", ""]}, "“x” is no number of tiles."),
        ({"hand": ["3-3", ""]}, "Ann: This is 1 tile, not 12."),
        ({"seek": ["99", "99"]}, ""),
    ):
        answer = scorer.post(way, {"do": "layer:1", "deal": "12"} | form)
        assert answer.status_code == 422
        assert said in words(answer)
        assert 'name="deal" value="12"' in answer.content.decode()
    found: dict[str, Any] = {"do": "layer:1", "deal": "12", "seek": ["1", "2"]}  # nobody held the engine
    assert scorer.post(way, found).status_code == 302
    assert "deal: 12\nengine: 18-18 B\nstart: B\nseek: A 1, B 2\n" in RecordDraft.objects.get().text


def test_a_game_without_its_scorer_key_is_not_opened_by_its_record(small: Game) -> None:
    phone(small).post(reverse("write_round", args=[small.slug, 1]), {"do": "start:0"})
    AccessKey.objects.filter(role=Role.SCORER).update(revoked_at="2026-01-01T00:00Z")
    play(small, (0, 7))
    draft = RecordDraft.objects.get()
    assert Client().get(reverse("written", args=[draft.key])).status_code == 200
