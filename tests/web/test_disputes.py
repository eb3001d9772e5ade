"""Disputing a score from its sheet, and the scorer's ruling: told in words, nothing typed is lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.disputes import challenge_add, challenge_rule
from games.models import Challenge, Game, Role, Ruling
from games.seats import round_confirm
from games.selectors import sheet_of
from games.services import change_undo, game_finish, round_put, round_remove
from tests.cast import claim, play, start
from tests.web.at_the_table import SIX
from tests.web.reading import cell, rows, words

pytestmark = pytest.mark.django_db


@pytest.fixture
def friday(game: Game) -> Game:
    """Ruth 97, Chitra 99, Ben 146, Ann 155, Wilhelmina 178."""
    play(game, *SIX, who="Ruth")
    return game


def disputed(game: Game, seat: int = 3, points: int | None = 5, number: int = 6, **more: Any) -> Challenge:
    about: dict[str, Any] = {"reason": "I saw the 5-0.", "role": Role.VIEWER, "who": "Ben’s phone"} | more
    sheet = challenge_add(game=game, number=number, seat=seat, points=points, **about).sheet
    game.refresh_from_db()
    return sheet.challenges[-1]


def url(game: Game, number: int = 6, seat: int = 3) -> str:
    return reverse("challenge", args=[game.slug, number, seat])


def dispute(client: Client, game: Game, number: int = 6, seat: int = 3, **more: Any) -> Any:
    form = {"version": game.version, "reason": "I saw the 5-0.", "value": "5"} | more
    return client.post(url(game, number, seat), form)


def rule(client: Client, game: Game, do: str, challenge: int = 1, **more: Any) -> Any:
    headers = more.pop("headers", None)
    form = {"version": game.version, "reason": "Counted again", "value": "5", "do": do} | more
    return client.post(reverse("rule_challenge", args=[game.slug, challenge]), form, headers=headers)


def board(client: Client, game: Game) -> Any:
    return client.get(reverse("board", args=[game.slug]))


def sheet(client: Client, game: Game, number: int = 6, seat: int = 3) -> str:
    return words(client.get(reverse("cell", args=[game.slug, number, seat])))


def points(game: Game, number: int = 6, seat: int = 3) -> int:
    entry = sheet_of(game).round(number)
    assert entry is not None
    return entry.hands[seat].points


# Disputing


def test_the_sheet_of_a_score_offers_it_to_who_watches_too(
    phone: Client, watcher: Client, friday: Game
) -> None:
    for client in (phone, watcher):
        assert (
            f'href="{url(friday)}"' in client.get(reverse("cell", args=[friday.slug, 6, 3])).content.decode()
        )


def test_the_page_shows_the_score_and_asks_why(watcher: Client, friday: Game) -> None:
    page = words(watcher.get(url(friday)))
    assert "Chitra Round 6 of 13, engine 7‑7 26 points left in the hand" in page
    assert "No score changes yet." in page


def test_a_watcher_disputes_and_no_score_changes(watcher: Client, friday: Game) -> None:
    response = dispute(watcher, friday)

    assert response.url == reverse("board", args=[friday.slug])
    (one,) = sheet_of(Game.objects.get(pk=friday.pk)).pending
    assert (one.round_number, one.seat, one.was, one.points) == (6, 3, 26, 5)
    assert (one.reason, one.role) == ("I saw the 5-0.", Role.VIEWER)
    assert points(friday) == 26


def test_the_number_can_be_left_out_or_a_sum(watcher: Client, friday: Game) -> None:
    dispute(watcher, friday, value="")
    dispute(watcher, friday, seat=2, value="10+5")
    assert [one.points for one in Challenge.objects.order_by("number")] == [None, 15]


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"reason": " "}, "A dispute needs a reason. What did you see?"),
        ({"value": "five"}, "“five” is no number of points. It can be left out."),
        ({"value": "5-0"}, "“5-0” is no number of points."),
        ({"value": "26"}, "Chitra has 26 already. What should it be?"),
        ({"value": "5000"}, "Chitra: no hand is worth 5,000."),
    ],
)
def test_what_is_no_dispute_is_said_and_kept(
    watcher: Client, friday: Game, more: dict[str, Any], sentence: str
) -> None:
    page = dispute(watcher, friday, **more)
    assert page.status_code == 422
    assert sentence in words(page)
    typed = {"reason": "I saw the 5-0.", "value": "5"} | more
    assert f'name="value" value="{typed["value"]}"' in page.content.decode()
    assert f'name="reason" value="{typed["reason"].strip()}"' in page.content.decode()
    assert not Challenge.objects.exists()


def test_a_second_one_hears_what_the_first_said(watcher: Client, friday: Game) -> None:
    disputed(friday)
    page = words(watcher.get(url(friday)))
    assert "This score is disputed already." in page
    assert "Ben’s phone disputes 26 and says 5. I saw the 5-0." in page

    page = words(dispute(watcher, friday, reason="It was less", value=""))
    assert "Chitra’s round 6 is disputed already: “I saw the 5-0.”" in page
    assert Challenge.objects.count() == 1


def test_sent_twice_it_is_there_once(watcher: Client, friday: Game) -> None:
    assert [dispute(watcher, friday).status_code for _ in range(2)] == [302, 302]
    assert Challenge.objects.count() == 1


def test_a_score_that_changed_meanwhile_is_looked_at_again(watcher: Client, friday: Game) -> None:
    round_put(game=friday, number=6, claim=claim((2, 51, 9, 45, 0)))
    page = dispute(watcher, friday)
    assert page.status_code == 409
    assert "Round 6 has changed: Chitra has 9 now. Look at it again." in words(page)
    assert 'name="reason" value="I saw the 5-0."' in page.content.decode()
    friday.refresh_from_db()
    assert f'name="version" value="{friday.version}"' in page.content.decode()
    assert dispute(watcher, friday).status_code == 302


def test_a_confirmation_meanwhile_is_no_change_of_the_score(
    phone: Client, watcher: Client, friday: Game
) -> None:
    Game.objects.filter(pk=friday.pk).update(second_person=True)
    assert round_confirm(game=friday, number=6).sheet.round(6).confirmed  # type: ignore[union-attr]
    assert dispute(watcher, friday).status_code == 302
    shown = Game.objects.get(pk=friday.pk)
    change_undo(game=friday)
    assert rule(phone, shown, "keep").status_code == 302
    assert Challenge.objects.get().ruling == Ruling.DISMISSED


def test_whoever_has_a_seat_disputes_by_name(ben: Client, phone: Client, friday: Game) -> None:
    assert dispute(ben, friday).status_code == 302
    assert "Chitra, round 6: Ben disputes 26 and says 5." in words(board(phone, friday))
    assert dispute(ben, friday).status_code == 302  # sent twice
    assert Challenge.objects.get().who == "Ben"


def test_another_round_that_changed_meanwhile_is_no_matter(watcher: Client, friday: Game) -> None:
    round_put(game=friday, number=1, claim=claim((20, 29, 0, 33, 22)))
    assert dispute(watcher, friday).status_code == 302


def test_a_round_taken_back_meanwhile_leads_to_the_board(watcher: Client, friday: Game) -> None:
    round_remove(game=friday, number=6)
    response = dispute(watcher, friday)
    assert response.status_code == 302
    assert "Nothing was changed" in words(watcher.get(response.url))


def test_there_is_no_dispute_about_what_is_not_there(watcher: Client, friday: Game) -> None:
    for number, seat in ((7, 1), (6, 9), (0, 1)):
        assert watcher.get(url(friday, number, seat)).status_code == 404


# What hangs on it


def test_board_shows_the_score_and_the_places_as_pending(watcher: Client, friday: Game) -> None:
    disputed(friday)
    page = board(watcher, friday)

    assert cell(page, 6, 3) == "cell doubt|Chitra, round 6, 26, disputed, Ben’s phone says 5"
    table = {row[0].split()[3]: row for row in rows(page)}
    assert "pending" in table["Chitra"][0]
    assert table["Chitra"][1] == "99, total and place pending"
    assert table["Ruth"][1] == "97, place pending"
    assert table["Ben"][1] == "146"
    assert "pending" not in table["Ben"][0]


def test_the_sheets_of_player_and_round_say_it_too(watcher: Client, friday: Game) -> None:
    disputed(friday)
    for seat, pending in ((3, True), (1, True), (2, False)):
        page = words(watcher.get(reverse("player", args=[friday.slug, seat])))
        assert ("points in 6 rounds, pending" in page) == pending
    page = words(watcher.get(reverse("round_sheet", args=[friday.slug, 6])))
    assert "Chitra disputed" in page
    assert page.count("disputed") == 2  # and in its changes
    assert "Chitra, round 6, disputed: 5, not 26" in page


def test_it_says_how_the_places_would_fall(phone: Client, friday: Game) -> None:
    disputed(friday)
    page = words(board(phone, friday))
    assert (
        "One result is in doubt. Chitra, round 6: Ben’s phone disputes 26 and says 5. I saw the 5-0." in page
    )
    assert "If it is 5, Chitra is 1st, Ruth 2nd. Rule on it" in page


def test_without_a_number_it_says_from_which_on(watcher: Client, friday: Game) -> None:
    disputed(friday, points=None)
    page = words(board(watcher, friday))
    assert "Chitra, round 6: Ben’s phone disputes 26." in page
    assert "With 24 or less Chitra is 1st, with 25 to 73 2nd, with 74 to 82 3rd." in page
    assert "See what happened" in page


def test_where_no_place_changes_it_says_so(watcher: Client, friday: Game) -> None:
    disputed(friday, seat=2, points=15)
    page = board(watcher, friday)
    assert "If it is 15, no place changes." in words(page)
    assert [row[1] for row in rows(page)] == ["97", "99", "146, total pending", "155", "178"]


def test_under_positive_scoring_the_winner_s_total_hangs_on_it(opens: Callable[..., Client]) -> None:
    game = start(["Ann", "Ben", "Chitra"], scoring="positive").sheet.game
    play(game, (0, 30, 30), (20, 0, 25))
    disputed(game, seat=3, points=60, number=2)
    page = board(opens(Client(), game, Role.VIEWER), game)
    assert "If it is 60, Ben is 1st, Ann 2nd." in words(page)
    assert [row[1] for row in rows(page)] == [
        "60, place pending",
        "45, total and place pending",
        "0, total pending",
    ]


def test_several_are_told_each_for_itself(watcher: Client, friday: Game) -> None:
    for seat in range(1, 6):
        disputed(friday, seat=seat, points=None)
    disputed(friday, number=5, points=7)
    page = words(board(watcher, friday))
    assert "Some results are in doubt." in page
    assert "1 more is in the log." in page


def test_a_round_saved_as_disputed_says_what_if_it_did_not_count(watcher: Client, game: Game) -> None:
    play(game, *SIX[:5])
    round_put(
        game=game, number=6, claim=claim((1, 1, 0, 90, 31)), disputed=True, reason="The tiles are shuffled."
    )
    page = words(board(watcher, game))
    assert "Round 6 is saved as disputed. If round 6 did not count, Wilhelmina is 4th, Ann 5th." in page


def test_the_end_does_not_name_a_winner_while_the_first_place_hangs_on_it(
    watcher: Client, friday: Game
) -> None:
    game_finish(game=friday)
    end = reverse("end", args=[friday.slug])
    assert "Ruth wins with 97" in words(watcher.get(end))

    disputed(friday)
    page = words(watcher.get(end))
    assert "Ruth leads with 97 1st place is pending. One result is in doubt." in page
    assert "If it is 5, Chitra is 1st, Ruth 2nd." in page
    assert "wins" not in page.split("How it went")[0]

    picture = words(watcher.get(reverse("file_picture", args=[friday.slug])))
    assert "Ruth leads with 97" in picture
    assert "Chitra (pending)" in picture
    text = watcher.get(reverse("file_text", args=[friday.slug])).content.decode()
    assert "Ruth leads with 97" in text
    assert "1st Ruth: 97 (pending)" in text
    assert "If it is 5, Chitra is 1st, Ruth 2nd." in text
    assert "In doubt: Chitra, round 6. If it is 5" in words(watcher.get(reverse("tv", args=[friday.slug])))
    for what in ("sheet", "result"):
        paper = words(watcher.get(reverse("print", args=[friday.slug]), {"what": what}))
        assert "In doubt: Chitra, round 6. If it is 5, Chitra is 1st, Ruth 2nd." in paper, what


def test_a_lower_place_in_doubt_leaves_the_winner_alone(watcher: Client, friday: Game) -> None:
    disputed(friday, seat=4, points=15)
    game_finish(game=friday)
    page = words(watcher.get(reverse("end", args=[friday.slug])))
    assert "Ruth wins with 97 One result is in doubt." in page


def test_who_watches_hears_of_it_at_once(watcher: Client, friday: Game) -> None:
    live = reverse("live", args=[friday.slug])
    version = friday.version
    disputed(friday)
    page = watcher.get(live, {"v": version})
    assert page.status_code == 200
    assert "Ruth leads by 2. One result is in doubt." in words(page)


def test_a_dispute_does_not_stand_beside_undo(phone: Client, friday: Game) -> None:
    disputed(friday)
    assert "Round 6 saved. Undo" in words(board(phone, friday))


def test_only_a_game_with_disputes_costs_a_query_more(watcher: Client, friday: Game) -> None:
    def asked() -> int:
        with CaptureQueriesContext(connection) as found:
            board(watcher, friday)
        return len(found)

    before = asked()
    disputed(friday)
    disputed(friday, seat=2)
    assert asked() == before + 1


def test_a_round_taken_back_leaves_nothing_pending(watcher: Client, friday: Game) -> None:
    disputed(friday)
    change_undo(game=friday)
    page = words(board(watcher, friday))
    assert "in doubt" not in page
    assert "pending" not in page


# Ruling


def test_the_sheet_leads_the_scorer_to_it(phone: Client, watcher: Client, friday: Game) -> None:
    disputed(friday)
    assert "Rule on the dispute" in sheet(phone, friday)
    assert "Rule on the dispute" not in sheet(watcher, friday)
    assert "Dispute it" not in sheet(watcher, friday)
    page = words(phone.get(reverse("rule_challenge", args=[friday.slug, 1])))
    assert "Ben’s phone says 5. I saw the 5-0." in page
    assert "If it is 5, Chitra is 1st, Ruth 2nd." in page
    assert "5 can be right. The total becomes 78, not 99: Chitra moves up to 1st, Ruth to 2nd." in page
    assert "Keep 26 Change to 5" in page


def test_the_effect_of_another_number_is_told_before_saving(phone: Client, friday: Game) -> None:
    disputed(friday)
    page = rule(phone, friday, "check", value="24", headers={"hx-request": "true"})
    assert words(page) == (
        "24 can be right. The total becomes 97, not 99: Chitra moves up to 1st, Ruth to 2nd."
        " Keep 26 Change to 24"
    )
    assert points(friday) == 26


def test_upheld_everybody_sees_the_new_score_and_what_led_to_it(
    phone: Client, watcher: Client, friday: Game
) -> None:
    disputed(friday)
    response = rule(phone, friday, "change")

    assert response.url == reverse("board", args=[friday.slug])
    assert points(friday) == 5
    page = words(phone.get(response.url))
    assert "Chitra, round 6: now 5, was 26. Undo" in page
    assert "in doubt" not in page
    told = sheet(watcher, friday)
    assert "Ruled by scorer link: changed" in told
    assert "Reason: Counted again" in told
    assert "Disputed by Ben’s phone: 5, not 26" in told
    assert "Reason: I saw the 5-0." in told
    assert "First entered by Ruth" in told
    assert "5 points, was 26" in told


def test_dismissed_the_score_stays_and_the_ruling_is_readable(
    phone: Client, watcher: Client, friday: Game
) -> None:
    disputed(friday)
    rule(phone, friday, "keep")

    assert points(friday) == 26
    told = sheet(watcher, friday)
    assert "Ruled by scorer link: it stays" in told
    assert "Reason: Counted again" in told
    assert "Disputed by Ben’s phone: 5, not 26" in told
    assert "Chitra, round 6, ruled on: 26 stays. Undo" in words(board(phone, friday))
    log = words(watcher.get(reverse("log", args=[friday.slug])))
    assert "Chitra, round 6, ruled on: 26 stays" in log
    assert "Chitra, round 6, disputed: 5, not 26" in log


def test_an_undone_ruling_is_pending_again_and_said(phone: Client, friday: Game) -> None:
    disputed(friday)
    rule(phone, friday, "keep")
    change_undo(game=friday, who="Ruth")
    assert "One result is in doubt." in words(board(phone, friday))
    assert "Ruling undone by Ruth" in sheet(phone, friday)


@pytest.mark.parametrize("do", ["keep", "change"])
def test_a_ruling_needs_its_reason(phone: Client, friday: Game, do: str) -> None:
    disputed(friday)
    page = rule(phone, friday, do, reason="  ", value="7")
    assert page.status_code == 422
    assert "A ruling needs a reason." in words(page)
    assert 'value="7"' in page.content.decode()
    assert Challenge.objects.get().ruling == Ruling.OPEN


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ("", "No new points yet. Blank is not 0."),
        ("ten", "Chitra: “ten” cannot be read."),
        ("5000", "Chitra: no hand is worth 5,000."),
    ],
)
def test_a_number_that_cannot_be_is_refused_in_words_and_kept(
    phone: Client, friday: Game, value: str, sentence: str
) -> None:
    disputed(friday)
    page = rule(phone, friday, "change", value=value)
    assert page.status_code == 422
    assert sentence in words(page)
    assert f'name="value" value="{value}"' in page.content.decode()
    assert 'value="Counted again"' in page.content.decode()
    assert points(friday) == 26


def test_what_is_unusual_asks_once(phone: Client, friday: Game) -> None:
    disputed(friday)
    page = rule(phone, friday, "change", value="298")
    assert page.status_code == 422
    assert "298 points is unusual." in words(page)
    assert rule(phone, friday, "", value="298", sure="1").status_code == 302
    assert points(friday) == 298


def test_a_round_that_cannot_be_is_saved_as_disputed(phone: Client, friday: Game) -> None:
    disputed(friday, seat=5, points=12)
    page = rule(phone, friday, "change", value="12")
    assert page.status_code == 422
    assert "Save it as disputed" in words(page)
    assert rule(phone, friday, "dispute", value="12").status_code == 302
    entry = sheet_of(Game.objects.get(pk=friday.pk)).round(6)
    assert entry is not None
    assert (entry.disputed, entry.marks) == (True, ["zeros"])


def test_a_round_that_changed_meanwhile_is_looked_at_again(phone: Client, friday: Game) -> None:
    disputed(friday)
    round_put(game=friday, number=6, claim=claim((2, 51, 9, 45, 0)))
    page = rule(phone, friday, "change")
    assert page.status_code == 409
    assert "Round 6 has changed: Chitra has 9 now." in words(page)
    assert "9 points left in the hand, was 26 when it was disputed" in words(page)
    assert points(friday) == 9


def test_another_round_entered_meanwhile_does_not_stop_it(phone: Client, friday: Game) -> None:
    disputed(friday)
    round_put(game=friday, number=7, claim=claim((33, 2, 0, 31, 46)))
    assert rule(phone, friday, "change").status_code == 302
    assert points(friday) == 5


def test_one_that_is_ruled_on_leads_to_the_board(phone: Client, friday: Game) -> None:
    disputed(friday)
    challenge_rule(game=friday, number=1, ruling=Ruling.DISMISSED, reason="No")
    assert phone.get(reverse("rule_challenge", args=[friday.slug, 1])).status_code == 302
    response = rule(phone, friday, "change")
    assert "Nothing was changed" in words(phone.get(response.url))
    assert points(friday) == 26


def test_one_that_never_was_is_not_found(phone: Client, friday: Game) -> None:
    assert phone.get(reverse("rule_challenge", args=[friday.slug, 1])).status_code == 404
