"""Correcting one score: told before it is saved, refused in words, nothing that was typed is lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from zeal import zeal_ignore

from games.engine.scoring import HandClaim, RoundClaim
from games.models import Game, LogEntry
from games.selectors import sheet_of
from games.services import round_put, round_remove
from tests.api.threads import at_once
from tests.cast import claim, play, start
from tests.web.reading import element, words

pytestmark = pytest.mark.django_db

# Totals: Ann 116, Ruth 132, Chitra 149, Wilhelmina 162, Ben 211.
ROUNDS = (
    (55, 40, 45, 21, 0),
    (0, 33, 5, 29, 20),
    (16, 40, 16, 11, 0),
    (0, 33, 57, 18, 31),
    (59, 14, 0, 38, 65),
    (2, 51, 26, 45, 0),
)


@pytest.fixture
def friday(game: Game) -> Game:
    play(game, *ROUNDS, who="Ruth")
    return game


def url(game: Game, number: int = 5, seat: int = 4) -> str:
    return reverse("correct", args=[game.slug, number, seat])


def post(client: Client, game: Game, value: str, *, number: int = 5, seat: int = 4, **more: Any) -> Any:
    data = {"version": game.version, "value": value, **more}
    headers = data.pop("headers", None)
    return client.post(url(game, number, seat), data, headers=headers)


def points(game: Game, number: int = 5, seat: int = 4) -> int:
    entry = sheet_of(game).round(number)
    assert entry is not None
    return entry.hands[seat].points


def newest(game: Game) -> LogEntry:
    return game.log.latest("number")


def test_the_page_shows_the_old_value_and_an_empty_field(phone: Client, friday: Game) -> None:
    page = phone.get(url(friday))

    assert page.status_code == 200
    assert "Wilhelmina Round 5 of 13, engine 8‑8 now 38 new" in words(page)
    assert 'name="value" value=""' in page.content.decode()
    assert f'name="version" value="{friday.version}"' in page.content.decode()


def test_the_effect_is_told_before_saving(phone: Client, friday: Game) -> None:
    page = post(phone, friday, "18", do="check")

    assert page.status_code == 200
    assert (
        "18 can be right. The total becomes 142, not 162: Wilhelmina moves up to 3rd, Chitra to 4th."
        in words(page)
    )
    assert points(friday) == 38


@pytest.mark.parametrize(
    ("number", "seat", "value", "effect"),
    [
        (5, 4, "37", "The total becomes 161, not 162: no place changes."),
        (5, 4, "99", "The total becomes 223, not 162: Wilhelmina moves down to 5th, Ben to 4th."),
        (5, 4, "25", "The total becomes 149, not 162: no place changes."),
        (
            6,
            1,
            "90",
            "not 132: Ruth moves down to 5th, Chitra to 2nd, Wilhelmina to 3rd, Ben to 4th.",
        ),
    ],
)
def test_whoever_is_moved_is_named(
    phone: Client, friday: Game, number: int, seat: int, value: str, effect: str
) -> None:
    told = words(post(phone, friday, value, number=number, seat=seat, do="check"))
    assert effect in told


def test_a_check_by_htmx_is_its_line_alone(phone: Client, friday: Game) -> None:
    page = post(phone, friday, "10+8", do="check", headers={"hx-request": "true"})

    assert words(page).startswith("18 can be right.")
    assert "<html" not in page.content.decode()


def test_nothing_typed_is_nothing_to_say_yet(phone: Client, friday: Game) -> None:
    assert words(post(phone, friday, "", do="check", headers={"hx-request": "true"})) == ""


def test_it_is_saved_with_its_reason(phone: Client, friday: Game) -> None:
    response = post(phone, friday, "18", why="slip")

    assert response.url == reverse("board", args=[friday.slug])
    assert points(friday) == 18
    assert newest(friday).reason == "Typing slip"
    assert "now 18, was 38. Undo" in words(phone.get(response.url))


@pytest.mark.parametrize(
    ("why", "other", "reason"),
    [
        ("", "", ""),
        ("miscounted", "", "Miscounted"),
        ("other", "Ben read it out wrong", "Ben read it out wrong"),
        ("slip", "again", "Typing slip: again"),
        ("nonsense", "", ""),
    ],
)
def test_the_reason_is_optional(phone: Client, friday: Game, why: str, other: str, reason: str) -> None:
    post(phone, friday, "18", why=why, other=other)
    assert newest(friday).reason == reason


def test_tiles_are_taken_as_text(phone: Client, friday: Game) -> None:
    assert post(phone, friday, "9-5 2-2").status_code == 302
    entry = sheet_of(friday).round(5)
    assert entry is not None
    assert entry.hands[4].points == 18
    assert entry.hands[4].tiles == ["9-5", "2-2"]


def test_the_same_value_again_is_no_change(phone: Client, friday: Game) -> None:
    assert post(phone, friday, "38").status_code == 302
    friday.refresh_from_db()
    assert friday.version == 7


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ("", "No new points yet. Blank is not 0."),
        ("ten", "Wilhelmina: “ten” cannot be read."),
        ("9-", "Wilhelmina: “9-” cannot be read."),
        ("8-8", "8-8 is this round’s engine. Nobody can hold it."),
        ("13-1", "Wilhelmina: “13-1” is no tile of this set."),
        ("5000", "Wilhelmina: no hand is worth 5,000."),
    ],
)
def test_what_cannot_be_is_refused_in_words_and_kept(
    phone: Client, friday: Game, value: str, sentence: str
) -> None:
    page = post(phone, friday, value, why="other", other="because")

    assert page.status_code == 422
    assert sentence in words(page)
    assert f'name="value" value="{value}"' in page.content.decode()
    assert 'value="because"' in page.content.decode()
    assert 'role="alert"' in page.content.decode()
    assert points(friday) == 38


def test_if_another_hand_is_wrong_too_it_leads_to_the_whole_round(phone: Client, friday: Game) -> None:
    page = post(phone, friday, "12", seat=3)

    assert page.status_code == 422
    assert "Nobody has 0, but the round was not marked as blocked. Who went out?" in words(page)
    assert f'href="{reverse("hands", args=[friday.slug, 5])}"' in page.content.decode()


def test_a_fault_of_this_hand_alone_does_not_lead_there(phone: Client, friday: Game) -> None:
    assert "Correct the whole round" not in words(post(phone, friday, "13-1"))


def test_an_impossible_round_can_be_saved_as_disputed_with_a_reason(phone: Client, friday: Game) -> None:
    page = post(phone, friday, "12", seat=3)
    assert "Save it as disputed" in words(page)

    page = post(phone, friday, "12", seat=3, do="dispute")
    assert page.status_code == 422
    assert "A disputed round needs a reason." in words(page)

    response = post(phone, friday, "12", seat=3, do="dispute", doubt="Tiles were shuffled")
    assert response.status_code == 302
    entry = sheet_of(friday).round(5)
    assert entry is not None
    assert entry.disputed
    assert entry.marks == ["zeros"]
    assert newest(friday).reason == "Tiles were shuffled"


def test_a_possible_round_is_never_disputed(phone: Client, friday: Game) -> None:
    assert "Save it as disputed" not in words(post(phone, friday, "18", do="check"))
    post(phone, friday, "18", do="dispute", doubt="Because")
    entry = sheet_of(friday).round(5)
    assert entry is not None
    assert not entry.disputed


def test_what_is_no_tile_cannot_be_disputed_either(phone: Client, friday: Game) -> None:
    page = post(phone, friday, "13-1", do="dispute", doubt="Because")
    assert page.status_code == 422
    assert "Save it as disputed" not in words(page)


def test_a_correction_settles_a_disputed_round(phone: Client, friday: Game) -> None:
    post(phone, friday, "12", seat=3, do="dispute", doubt="Tiles were shuffled")
    friday.refresh_from_db()
    assert "The round is no longer in doubt." in words(post(phone, friday, "0", seat=3, do="check"))
    post(phone, friday, "0", seat=3)
    entry = sheet_of(friday).round(5)
    assert entry is not None
    assert not entry.disputed


def test_what_is_unusual_asks_once(phone: Client, friday: Game) -> None:
    page = post(phone, friday, "298")
    assert page.status_code == 422
    assert "Wilhelmina: 298 points is unusual." in words(page)
    assert "Yes, save it" in words(page)

    assert post(phone, friday, "298", sure="1").status_code == 302
    assert points(friday) == 298


def test_under_positive_scoring_other_totals_follow(opens: Callable[..., Client]) -> None:
    game = start(["Ann", "Ben", "Chitra"], scoring="positive").sheet.game
    phone = opens(Client(), game)
    play(game, (0, 25, 40))
    page = words(post(phone, game, "20", number=1, seat=2, do="check"))

    assert "The total stays 0: no place changes." in page
    assert "Other totals change too: Ann to 60." in page


def test_the_marker_stays_where_it_was(opens: Callable[..., Client]) -> None:
    game = start(["Ann", "Ben", "Chitra"], open_marker=10).sheet.game
    phone = opens(Client(), game)
    hands = (HandClaim(1, points=0), HandClaim(2, points=13, marker=True), HandClaim(3, points=53))
    round_put(game=game, number=1, claim=RoundClaim(engine=12, ended="out", hands=hands))
    game.refresh_from_db()
    post(phone, game, "15", number=1, seat=2)
    entry = sheet_of(game).round(1)

    assert entry is not None
    assert (entry.hands[2].points, entry.hands[2].score, entry.hands[2].marker) == (15, 25, True)


def test_options_that_look_at_tiles_ask_for_them(opens: Callable[..., Client]) -> None:
    game = start(["Ann", "Ben", "Chitra"], doubles_twice=True).sheet.game
    phone = opens(Client(), game)
    hands = (HandClaim(1, points=0), HandClaim(2, tiles=("5-5",)), HandClaim(3, tiles=("9-6", "2-1")))
    round_put(game=game, number=1, claim=RoundClaim(engine=12, ended="out", hands=hands))
    game.refresh_from_db()

    assert "Ben: which tiles are left?" in words(post(phone, game, "15", number=1, seat=2))
    assert 'data-mode="tiles"' in phone.get(url(game, 1, 2)).content.decode()
    assert post(phone, game, "7-7", number=1, seat=2).status_code == 302


def test_tiles_of_other_hands_are_known_to_the_pad(phone: Client, friday: Game) -> None:
    post(phone, friday, "9-5 2-2")
    page = phone.get(url(friday, 5, 1)).content.decode()
    assert words(element(page, '<span data-hand data-name="Wilhelmina"', "</span>")) == "W"
    assert 'class="fig" value="9-5 2-2"' in page


# Two phones


def test_another_rounds_change_is_no_conflict(phone: Client, friday: Game) -> None:
    shown = friday.version
    round_put(game=friday, number=1, claim=claim((55, 41, 45, 21, 0)), who="Ann")
    assert post(phone, friday, "18", version=shown).status_code == 302
    assert points(friday) == 18


def test_the_same_round_changed_meanwhile_shows_both(phone: Client, friday: Game) -> None:
    shown = friday.version
    round_put(game=friday, number=5, claim=claim((59, 14, 0, 28, 65)), who="Ann")
    page = post(phone, friday, "18", version=shown, why="slip")
    text = words(page)

    assert page.status_code == 409
    assert "Round 5 was changed meanwhile" in text
    assert "Wilhelmina, round 5, corrected: Ann, just now. Nothing is lost." in text
    assert "Yours Ann W Wilhelmina ≠ differs 18 28" in text
    assert "Keep Ann’s" in text
    assert points(friday) == 28


def test_use_mine_saves_over_what_was_shown(phone: Client, friday: Game) -> None:
    shown = friday.version
    round_put(game=friday, number=5, claim=claim((59, 14, 0, 28, 65)), who="Ann")
    page = post(phone, friday, "18", version=shown, why="slip").content.decode()

    assert 'name="value" value="18"' in page
    assert 'name="why" value="slip"' in page
    assert f'name="version" value="{shown + 1}"' in page
    friday.refresh_from_db()
    assert post(phone, friday, "18", why="slip", do="save").status_code == 302
    assert points(friday) == 18


def test_a_round_taken_back_meanwhile_leads_to_the_board(phone: Client, friday: Game) -> None:
    shown = friday.version
    round_remove(game=friday, number=6, who="Ann")
    response = post(phone, friday, "18", number=6, version=shown)

    assert response.url == reverse("board", args=[friday.slug])
    assert "Newest change: Round 6 taken back (Ann)." in words(phone.get(response.url))


@pytest.mark.parametrize(("number", "seat"), [(7, 1), (0, 1), (5, 6)])
def test_a_score_that_is_not_there_is_not_found(phone: Client, friday: Game, number: int, seat: int) -> None:
    assert phone.get(url(friday, number, seat)).status_code == 404


def test_a_watcher_may_not(watcher: Client, friday: Game) -> None:
    assert watcher.get(url(friday)).status_code == 403
    assert post(watcher, friday, "18").status_code == 403
    assert points(friday) == 38


def test_a_stranger_finds_nothing(stranger: Client, friday: Game) -> None:
    assert stranger.get(url(friday)).status_code == 404
    assert post(stranger, friday, "18").status_code == 404


def test_other_methods_are_refused(phone: Client, friday: Game) -> None:
    assert phone.delete(url(friday)).status_code == 405


def test_a_change_sent_twice_is_no_conflict(phone: Client, friday: Game) -> None:
    answers = [post(phone, friday, "18") for _ in range(2)]

    assert [answer.status_code for answer in answers] == [302, 302]
    assert points(friday) == 18
    assert LogEntry.objects.filter(action="round_corrected").count() == 1


def test_a_reason_is_kept_without_signs_that_no_database_keeps(phone: Client, friday: Game) -> None:
    post(phone, friday, "18", why="other", other="Mis\x00read\tit")

    assert LogEntry.objects.latest("number").reason == "Mis read it"


@pytest.mark.django_db(transaction=True)
def test_two_rounds_can_be_corrected_at_the_same_moment(friday: Game, opens: Callable[..., Client]) -> None:
    changes = ((opens(Client(), friday), 6, "44"), (opens(Client(), friday), 5, "18"))

    def save(at: int) -> int:
        phone, number, value = changes[at]
        with zeal_ignore():  # one of them may try again
            return int(post(phone, friday, value, number=number).status_code)

    assert at_once(2, save) == [302, 302]
    assert (points(friday, 6), points(friday, 5)) == (44, 18)


def test_a_round_that_nobody_went_out_of_stays_in_doubt_with_another_score(phone: Client, game: Game) -> None:
    told = [HandClaim(seat, points) for seat, points in enumerate((33, 2, 18, 31), start=1)]
    nobody = RoundClaim(12, "out", (*told, HandClaim(5, 0, out=False)))
    round_put(game=game, number=1, claim=nobody, disputed=True, reason="Nobody knows")
    game.refresh_from_db()

    response = post(phone, game, "13", number=1)
    post(phone, game, "13", number=1, do="dispute", doubt="Still not")

    known = sheet_of(game).rounds[0]
    assert response.status_code == 422
    assert (known.disputed, known.marks, known.hands[5].out) == (True, ["zeros"], False)
    assert known.hands[4].points == 13
