"""The hands of a round: the page, saving it, what is refused and what is asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Game, LogEntry, Round
from games.selectors import sheet_of
from games.services import round_put, round_remove
from tests.cast import FOURTEEN, claim, play, start
from tests.web.at_the_table import SEVENTH, SIX, fields, phone, save, text, watcher

pytestmark = pytest.mark.django_db
NEW = "out=3&new=1"
Queries = Callable[[int], Any]


@pytest.fixture
def game() -> Game:
    game = start().sheet.game
    play(game, *SIX)
    return game


def hands(game: Game, number: int) -> str:
    return reverse("hands", args=[game.slug, number])


def points(game: Game, number: int) -> list[int]:
    known = sheet_of(game).round(number)
    assert known is not None
    return [known.hands[seat].points for seat in sorted(known.hands)]


# The page


def test_each_player_has_a_field_and_whoever_went_out_the_0(game: Game) -> None:
    page = text(phone(game).get(hands(game, 7) + "?out=3"))

    assert [seat for seat in range(1, 6) if f'name="hand-{seat}"' in page] == [1, 2, 4, 5]
    assert "went out" in page
    assert "Still to come: Ruth, Ben, Wilhelmina, Ann." in page
    assert f'data-draft="g:{game.slug}:r:7"' in page
    assert "Save round 7" in page


def test_a_blocked_round_has_a_field_for_everybody(game: Game) -> None:
    page = text(phone(game).get(hands(game, 7) + "?ended=blocked"))

    assert [seat for seat in range(1, 6) if f'name="hand-{seat}"' in page] == [1, 2, 3, 4, 5]
    assert "Nobody went out" in page


def test_who_is_asked_for_the_marker_is_a_matter_of_the_rules() -> None:
    plain, marked = start().sheet.game, start(open_marker=10).sheet.game

    assert "marker-1" not in text(phone(plain).get(hands(plain, 1) + "?out=3"))
    assert 'name="marker-1"' in text(phone(marked).get(hands(marked, 1) + "?out=3"))


def test_rules_that_look_at_tiles_begin_with_the_tile_pad_and_say_so() -> None:
    game = start(blank_half=5).sheet.game

    page = text(phone(game).get(hands(game, 1) + "?out=3"))

    assert 'data-mode="tiles"' in page
    assert "These house rules look at the tiles" in page


def test_a_big_table_has_a_strip_to_jump() -> None:
    game = start(FOURTEEN, max_pip=18).sheet.game

    page = text(phone(game).get(hands(game, 1) + "?out=3"))

    assert page.count("data-to=") == 14
    assert "1 of 14 are in." in page


def test_it_takes_few_queries(game: Game, django_assert_max_num_queries: Queries) -> None:
    client = phone(game)

    with django_assert_max_num_queries(4):
        client.get(hands(game, 7) + "?out=3")


def test_reading_it_writes_nothing(game: Game) -> None:
    phone(game).get(hands(game, 7) + "?out=3")

    assert sheet_of(game).game.version == game.version


# Saving


def test_a_round_is_saved_and_leads_to_the_board(game: Game) -> None:
    answer = save(phone(game, who="Ruth"), game, 7, NEW, fields(*SEVENTH))

    assert answer.status_code == 302
    assert answer["Location"] == reverse("board", args=[game.slug])
    assert points(game, 7) == [33, 2, 0, 31, 46]
    entry = LogEntry.objects.get(game=game, round_number=7)
    assert entry.who == "Ruth"


def test_by_htmx_the_browser_is_sent_to_the_board(game: Game) -> None:
    answer = phone(game).post(
        f"{hands(game, 7)}?{NEW}",
        fields(*SEVENTH, version=game.version),
        headers={"HX-Request": "true"},
    )

    assert answer["HX-Redirect"] == reverse("board", args=[game.slug])


def test_sums_tiles_and_tile_counts_are_understood(game: Game) -> None:
    save(phone(game), game, 7, NEW, fields("10+15+8", "1-1", None, "9-9 8-5", "46+", count_5="4"))

    known = sheet_of(game).round(7)
    assert known is not None
    assert points(game, 7) == [33, 2, 0, 31, 46]
    assert known.hands[4].tiles == ["9-9", "8-5"]
    assert known.hands[5].tile_count == 4
    assert known.hands[1].tiles is None


def test_a_marker_that_is_on_costs() -> None:
    game = start(open_marker=10).sheet.game

    save(phone(game), game, 1, NEW, fields(*SEVENTH, marker_1="on"))

    known = sheet_of(game).round(1)
    assert known is not None
    assert (known.hands[1].marker, known.hands[1].score) == (True, 43)


def test_two_went_out_on_the_first_turn(game: Game) -> None:
    save(phone(game), game, 7, "out=1&out=3&new=1", fields(None, 2, None, 31, 46))

    known = sheet_of(game).round(7)
    assert known is not None
    assert [seat for seat, hand in known.hands.items() if hand.out] == [1, 3]


def test_a_blocked_round(game: Game) -> None:
    answer = save(phone(game), game, 7, "ended=blocked&new=1", fields(33, 2, 12, 31, 46))

    assert answer.status_code == 302
    assert Round.objects.get(game=game, number=7).ended == "blocked"


def test_a_burned_double(game: Game) -> None:
    game = start(engine_order="any_unused").sheet.game

    save(phone(game), game, 1, "out=3&new=1&engine=7", fields(*SEVENTH))

    assert Round.objects.get(game=game).engine == 7


# What is refused


def test_blank_is_not_0(game: Game) -> None:
    answer = save(phone(game), game, 7, NEW, fields(33, "", None, 31, " "))

    page = text(answer)
    assert answer.status_code == 422
    assert "<b>Ben has no points yet.</b> If Ben went out, tap 0." in page
    assert "Ann has no points yet." in page
    assert not Round.objects.filter(game=game, number=7).exists()


def test_an_impossible_round_is_refused_with_all_its_problems_and_kept_as_typed(game: Game) -> None:
    answer = save(phone(game), game, 7, NEW, fields(31, "2000", None, "10+18", "ten", count_1="1"))

    page = text(answer)
    assert answer.status_code == 422
    assert "This round cannot be right yet" in page
    assert "<b>Ruth: one tile cannot be worth 31.</b>" in page
    assert "Ben: no hand is worth 2,000." in page or "Ben: no hand is worth 2000." in page
    assert "Ann: “ten” cannot be read." in page
    assert 'value="10+18"' in page
    assert 'data-bad="1 2 4 5 "' in page
    assert 'role="alert"' in page
    assert "data-draft-keep" in page


def test_the_clash_is_told_with_the_tile_drawn(game: Game) -> None:
    page = text(save(phone(game), game, 7, NEW, fields(33, 1, None, 28, 1)))

    assert "<b>Ben and Ann cannot both have 1.</b>" in page
    assert 'Only <span class="nw">1-0 <svg' in page or 'Only <span class="nw">0-1 <svg' in page


def test_what_can_be_disputed_is_offered_as_such(game: Game) -> None:
    client = phone(game)
    clash = fields(33, 1, None, 28, 1)

    assert "Save it as disputed" in text(save(client, game, 7, NEW, clash))
    assert "Save it as disputed" not in text(save(client, game, 7, NEW, fields(33, "", None, 28, 1)))

    without = save(client, game, 7, NEW, clash | {"disputed": "1", "reason": " "})
    assert without.status_code == 422
    assert "A disputed round needs a reason." in text(without)

    save(client, game, 7, NEW, clash | {"disputed": "1", "reason": "the tiles are shuffled"})
    known = Round.objects.get(game=game, number=7)
    assert (known.disputed, known.marks) == (True, ["hands_clash"])


def test_a_dispute_overrides_nothing_else(game: Game) -> None:
    data = fields(33, "", None, 28, 1, disputed="1", reason="Ben went home")

    assert save(phone(game), game, 7, NEW, data).status_code == 422


def test_what_is_unusual_is_asked_once(game: Game) -> None:
    client = phone(game)
    data = fields(300, 2, None, 31, 46)

    asked = save(client, game, 7, NEW, data)

    assert asked.status_code == 422
    assert "Ruth: 300 points is unusual." in text(asked)
    assert "Yes, save it" in text(asked)
    assert save(client, game, 7, NEW, data | {"sure": "1"}).status_code == 302


def test_the_rules_that_need_tiles_ask_for_them() -> None:
    game = start(blank_half=5).sheet.game

    assert "which tiles are left?" in text(save(phone(game), game, 1, NEW, fields(*SEVENTH)))


# Saving twice, at once, late


def test_the_same_sent_twice_is_saved_once(game: Game) -> None:
    client = phone(game)

    first = save(client, game, 7, NEW, fields(*SEVENTH))
    second = save(client, game, 7, NEW, fields(*SEVENTH))

    assert first["Location"] == second["Location"] == reverse("board", args=[game.slug])
    assert LogEntry.objects.filter(game=game, round_number=7).count() == 1


def test_a_change_of_another_round_in_between_does_not_matter(game: Game) -> None:
    other = fields(20, 29, None, 33, 12)
    save(phone(game), game, 1, "out=3&fix=1", other)

    assert save(phone(game), game, 7, NEW, fields(*SEVENTH)).status_code == 302
    assert points(game, 7) == [33, 2, 0, 31, 46]
    assert points(game, 1) == [20, 29, 0, 33, 12]


def test_a_round_whose_turn_has_gone_leads_to_the_board(game: Game) -> None:
    round_remove(game=game, number=6)

    answer = save(phone(game), game, 7, NEW, fields(*SEVENTH))

    assert answer["Location"] == reverse("board", args=[game.slug])
    assert not Round.objects.filter(game=game, number=7).exists()


# Correcting a whole round


def test_a_round_that_is_in_comes_with_its_values(game: Game) -> None:
    save(phone(game), game, 7, NEW, fields("33", "1-1", None, 31, 46, count_5="4"))
    page = text(phone(game).get(hands(game, 7)))

    assert "Correct round 7" in page
    assert 'name="hand-1" value="33"' in page
    assert 'name="hand-2" value="1-1"' in page
    assert 'name="count-5" value="4"' in page
    assert 'name="hand-3"' not in page
    assert "Why?" in page


def test_a_correction_is_logged_with_its_reason(game: Game) -> None:
    answer = save(
        phone(game, who="Ann"),
        game,
        6,
        "out=5&fix=1",
        fields(2, 15, 26, 45, None, reason="misread"),
    )

    assert answer.status_code == 302
    assert points(game, 6) == [2, 15, 26, 45, 0]
    entry = LogEntry.objects.filter(game=game).latest("number")
    assert (entry.action, entry.reason, entry.who) == ("round_corrected", "misread", "Ann")


def test_who_went_out_can_be_somebody_else(game: Game) -> None:
    page = text(phone(game).get(hands(game, 6) + "?out=1&fix=1"))

    assert 'name="hand-1"' not in page
    assert 'name="hand-5" value=""' in page
    save(phone(game), game, 6, "out=1&fix=1", fields(None, 51, 26, 45, 7))
    assert points(game, 6) == [0, 51, 26, 45, 7]


def test_a_page_for_a_new_round_that_is_in_leads_to_its_sheet(game: Game) -> None:
    answer = phone(game).get(hands(game, 6) + "?out=3")

    assert answer["Location"] == reverse("round_sheet", args=[game.slug, 6])


# Who may


def test_a_stranger_finds_nothing(game: Game, client: Client) -> None:
    assert client.get(hands(game, 7) + "?out=3").status_code == 404
    assert client.post(hands(game, 7), fields(*SEVENTH)).status_code == 404


def test_a_watcher_may_not(game: Game) -> None:
    assert watcher(game).get(hands(game, 7) + "?out=3").status_code == 403
    assert save(watcher(game), game, 7, NEW, fields(*SEVENTH)).status_code == 403


def test_other_methods_are_not_taken(game: Game) -> None:
    assert phone(game).put(hands(game, 7)).status_code == 405


# What the page does not ask


@pytest.mark.parametrize("open_marker", [0, 10])
def test_a_marker_that_the_page_does_not_ask_about_stays_as_it_was(open_marker: int) -> None:
    game = start(open_marker=open_marker).sheet.game
    round_put(game=game, number=1, claim=claim((33, 2, 0, 31, 46), marker=True))
    game.refresh_from_db()
    asked = {f"marker-{seat}": "on" for seat in (1, 2, 3, 4, 5) if open_marker}

    save(phone(game), game, 1, "out=3&fix=1", fields(33, 2, None, 13, 46) | asked)

    known = sheet_of(game).rounds[0]
    assert known.hands[4].points == 13
    assert [hand.marker for hand in known.hands.values()] == [True] * 5


def test_the_marker_of_whoever_went_out_can_be_told_and_costs_what_the_rules_say() -> None:
    game = start(open_marker=10).sheet.game
    client = phone(game)
    page = client.get(f"/g/{game.slug}/rounds/1/hands/?out=3").content.decode()
    assert 'name="marker-3"' in page

    save(client, game, 1, "out=3&new=1", fields(33, 2, None, 31, 46) | {"marker-3": "on"})

    hand = sheet_of(game).rounds[0].hands[3]
    assert (hand.points, hand.score, hand.marker, hand.out) == (0, 10, True, True)


def test_a_tile_count_that_contradicts_the_tiles_is_refused(game: Game) -> None:
    answer = save(phone(game), game, 7, NEW, fields("8-5 9-9", *SEVENTH[1:], count_1="3"))

    assert answer.status_code == 422
    assert sheet_of(game).round(7) is None


def test_a_reason_is_kept_without_signs_that_no_database_keeps(game: Game) -> None:
    way, reason = "out=1&fix=1", "Mis\x00read\tit"
    save(phone(game), game, 2, way, fields(None, 30, 16, 33, 5, reason=reason))

    assert LogEntry.objects.latest("number").reason == "Mis read it"
