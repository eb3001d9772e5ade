"""A new game on one page: names, set, house rules; nothing is written before Start."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from games import selectors
from games.engine.rules import FIELDS, PRESETS, rule_set
from games.forms import RULES, code
from games.models import Attempts, Game, LogEntry
from games.web.device import MOST_NAMES
from tests.api.threads import at_once
from tests.cast import FOURTEEN, FRIDAY, play

pytestmark = pytest.mark.django_db
NEW = reverse("new")


def form(*names: str, do: str = "start", **more: Any) -> dict[str, Any]:
    """What the page sends; the set is the proposed one unless `max_pip` says otherwise."""
    return {"do": do, "player": names, "max_pip": "12", "set_auto": "12", **more}


def card(preset: str, shown: str, **own: str) -> dict[str, str]:
    """The card's fields as `shown` has them, with `preset` chosen."""
    fields = {name: code(getattr(PRESETS[shown], name)) for name in RULES}
    return {"preset": preset, "card_of": shown, **fields, **own}


def text(response: Any) -> str:
    return " ".join(re.sub("<[^>]+>", " ", response.content.decode()).split())


def names_in(response: Any) -> list[str]:
    found = re.findall(r'name="player" value="([^"]*)"', response.content.decode())
    return [name for name in found if name]


def started(response: Any) -> selectors.Sheet:
    assert response.status_code == 302, text(response)
    sheet = selectors.sheet_of(Game.objects.get())
    assert response["Location"] == reverse("board", args=[sheet.game.slug])
    return sheet


def refused(response: Any) -> str:
    assert response.status_code == 422
    assert not Game.objects.exists()
    return text(response)


def test_two_names_and_one_tap_start_a_game(stranger: Client) -> None:
    sheet = started(stranger.post(NEW, form("Kim", "Mike", "", "")))

    assert [player.name for player in sheet.players] == ["Kim", "Mike"]
    assert sheet.rules == rule_set("thoughtco")
    assert (sheet.game.first_engine, sheet.game.round_count) == (12, 13)
    assert stranger.get(reverse("board", args=[sheet.game.slug])).status_code == 200


def test_the_device_remembers_the_game_the_names_and_the_set(stranger: Client) -> None:
    sheet = started(stranger.post(NEW, form(*FRIDAY, max_pip="15")))

    page = text(stranger.get(NEW))
    assert "Played with you before: + Ruth + Ben + Chitra + Wilhelmina + Ann" in page
    assert 'value="15" checked' in stranger.get(NEW).content.decode()
    assert sheet.rules.max_pip == 15
    assert "Ruth, Ben, Chitra and 2 more" in text(stranger.get(reverse("home")))


def test_names_are_tidied_and_blank_rows_ignored(stranger: Client) -> None:
    sheet = started(stranger.post(NEW, form("  Big \t Ben ", "", "Zoe\u0308", " \u200e", "Ann")))

    assert [player.name for player in sheet.players] == ["Big Ben", "Zoë", "Ann"]


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ((), "Two names are needed."),
        (("Ann", ""), "Two names are needed."),
        (("Ben", "Ann", "ben"), "The name Ben is taken. Add a letter: Ben K?"),
        (("Ann", "B\u0007en"), "There is a sign in this name that nobody can see. Type it again."),
        (("Ann", "\u202eBen"), "There is a sign in this name that nobody can see. Type it again."),
        (("Ann", "B" * 41), "is too long"),
        ((*FOURTEEN, "Zed"), "A game has 2 to 14 players. Here are 15."),
    ],
)
def test_names_that_cannot_be_are_refused_kindly(stranger: Client, names: tuple[str, ...], said: str) -> None:
    response = stranger.post(NEW, form(*names))

    assert said in refused(response)
    assert len(names_in(response)) == len([name for name in names if name])


@pytest.mark.parametrize(
    "name", ["B" * 40, "محمد عبد الله", "👨\u200d👩\u200d👧", "🏴󠁧󠁢󠁥󠁮󠁧󠁿 Zoë", "O’Brien-Smith", "R2"]
)
def test_names_of_all_the_world_are_taken(stranger: Client, name: str) -> None:
    sheet = started(stranger.post(NEW, form(name, "Ben")))

    assert sheet.players[0].name == name


def test_what_was_typed_survives_a_refusal(stranger: Client) -> None:
    more = card("wikihow", "wikihow", double_blank="25", deal="9", name="At Ruth’s", played_on="2026-11-29")
    response = stranger.post(NEW, form("Ben", "Ben", **more))

    page = response.content.decode()
    refused(response)
    assert "data-draft-keep" in page
    assert 'value="At Ruth’s"' in page
    assert 'value="2026-11-29"' in page
    assert 'name="deal" value="9"' in page
    assert re.search(r'<option value="25" selected>25 points', page)
    assert "wikiHow, 1 change" in page


@pytest.mark.parametrize(
    ("do", "names"),
    [
        ("up:3", ["Ann", "Cho", "Ben"]),
        ("up:1", ["Ann", "Ben", "Cho"]),
        ("down:1", ["Ben", "Ann", "Cho"]),
        ("down:3", ["Ann", "Ben", "Cho"]),
        ("first:3", ["Cho", "Ann", "Ben"]),
        ("move:2", ["Ann", "Ben", "Cho"]),
        ("remove:2", ["Ann", "Cho"]),
        ("chip:Dolores", ["Ann", "Ben", "Cho", "Dolores"]),
        ("look", ["Ann", "Ben", "Cho"]),
        ("add", ["Ann", "Ben", "Cho"]),
        ("up:99", ["Ann", "Ben", "Cho"]),
        ("up:x", ["Ann", "Ben", "Cho"]),
        ("nothing", ["Ann", "Ben", "Cho"]),
        ("", ["Ann", "Ben", "Cho"]),
    ],
)
def test_buttons_that_change_the_form_write_nothing(stranger: Client, do: str, names: list[str]) -> None:
    response = stranger.post(NEW, form("Ann", "Ben", "Cho", do=do))

    assert response.status_code == 200
    assert names_in(response) == names
    assert not Game.objects.exists()


def test_a_row_that_is_moved_shows_where_it_can_go(stranger: Client) -> None:
    page = stranger.post(NEW, form("Ann", "Ben", do="move:2")).content.decode()

    assert 'value="up:2"' in page
    assert 'aria-expanded="true"' in page


@pytest.mark.parametrize(
    ("count", "preset", "max_pip", "said"),
    [
        (5, "thoughtco", 12, "Double-12 suits 5 players: 12 tiles each, 31 in the boneyard."),
        (5, "gamerules", 12, "Double-12 suits 5 players: 14 tiles each, 20 in the boneyard."),
        (10, "thoughtco", 15, "Double-15 suits 10 players: 11 tiles each, 26 in the boneyard."),
        (10, "wikihow", 12, "Double-12 suits 10 players: 8 tiles each, 11 in the boneyard."),
        (14, "thoughtco", 18, "Double-18 suits 14 players: 11 tiles each, 36 in the boneyard."),
        (
            3,
            "thoughtco",
            12,
            (
                "ThoughtCo gives no deal for 3 players with double-12. "
                "Agree how many tiles each draws, then start. "
                "Told below, the number also helps to check each round."
            ),
        ),
    ],
)
def test_the_set_follows_the_number_of_players(
    stranger: Client, count: int, preset: str, max_pip: int, said: str
) -> None:
    more = card(preset, preset)
    response = stranger.post(NEW, form(*FOURTEEN[:count], do="look", **more))

    assert said in text(response)
    assert f'value="{max_pip}" checked' in response.content.decode()
    assert started(stranger.post(NEW, form(*FOURTEEN[:count], **more))).rules.max_pip == max_pip


def test_a_set_that_was_touched_stays(stranger: Client) -> None:
    response = stranger.post(NEW, form(*FOURTEEN[:4], do="look", max_pip="9"))
    page = response.content.decode()

    assert 'value="9" checked' in page
    assert 'name="set_auto" value=""' in page
    again = stranger.post(NEW, form(*FOURTEEN, do="look", max_pip="9", set_auto=""))
    assert 'value="9" checked' in again.content.decode()


def test_the_last_set_of_the_device_is_taken_if_it_has_tiles_for_all(stranger: Client) -> None:
    stranger.post(NEW, form("Ann", "Ben", max_pip="9"))
    few = stranger.post(NEW, form("Ann", "Ben", "Cho", do="look", max_pip="9", set_auto="9"))
    many = stranger.post(NEW, form(*FRIDAY, do="look", max_pip="9", set_auto="9"))

    assert 'value="9" checked' in few.content.decode()
    assert 'value="12" checked' in many.content.decode()


def test_an_own_deal_is_counted_and_refused_where_tiles_run_out(stranger: Client) -> None:
    good = stranger.post(NEW, form("Ann", "Ben", "Cho", do="look", deal="15"))
    bad = stranger.post(NEW, form("Ann", "Ben", "Cho", deal="80"))

    assert "Double-12, 3 players: 15 tiles each, 46 in the boneyard." in text(good)
    assert "80 tiles each are too many." in refused(bad)
    assert started(stranger.post(NEW, form("Ann", "Ben", "Cho", deal="15"))).deal(1) == 15


def test_another_preset_resets_the_fields_and_keeps_the_names(stranger: Client) -> None:
    own = card("gamerules", "thoughtco", double_blank="25")
    response = stranger.post(NEW, form("Ann", "Ben", do="card", name="At Ruth’s", **own))
    page = response.content.decode()

    assert names_in(response) == ["Ann", "Ben"]
    assert 'value="At Ruth’s"' in page
    assert 'name="card_of" value="gamerules"' in page
    assert re.search(r'<option value="set_aside" class="std" selected>', page)
    assert re.search(r'<option value="50" class="std" selected>50 points \(G25\)', page)
    assert '<details class="change" open>' in page


def test_a_preset_chosen_before_another_button_is_followed_with_what_else_was_changed(
    stranger: Client,
) -> None:
    own = card("gamerules", "thoughtco", double_blank="25")
    page = stranger.post(NEW, form("Ann", "Ben", do="look", **own), headers={"HX-Request": "true"}).content

    assert b"GameRules, 1 change" in page
    assert b'name="card_of" value="gamerules"' in page


def test_a_preset_chosen_just_before_start_is_played_with_what_else_was_changed(stranger: Client) -> None:
    sheet = started(
        stranger.post(NEW, form("Ann", "Ben", **card("gamerules", "thoughtco", double_blank="25")))
    )

    assert sheet.rules == rule_set("gamerules", double_blank=25)


def test_every_field_of_the_card_can_be_chosen(stranger: Client) -> None:
    page = stranger.get(NEW).content.decode()

    for name in FIELDS:
        assert f'name="{name}"' in page
    for said in ("May be kept (A9)", "Must be played (G11 T)", "our reading"):
        assert said in page


def test_a_card_of_one_s_own_is_kept_with_the_game(stranger: Client) -> None:
    own = card(
        "thoughtco",
        "thoughtco",
        tiebreaks="shared",
        open_marker="7",
        doubles_per_turn="1",
        out_on_double="no",
    )
    sheet = started(stranger.post(NEW, form("Ann", "Ben", **own)))

    assert sheet.rules == rule_set(
        "thoughtco", tiebreaks=(), open_marker=7, doubles_per_turn=1, out_on_double=False
    )


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("first_engine", "13", "The first engine cannot be 13-13. This set goes up to 12-12."),
        ("rounds", "14", "14 rounds cannot be. From 12-12 down there are 1 to 13."),
        ("rounds", "many", "Enter a whole number."),
        ("played_on", "soon", "Enter a valid date."),
        ("drawn_tile", "perhaps", "Select a valid choice."),
        ("max_pip", "13", "Select a valid choice."),
        ("preset", "ours", "Select a valid choice."),
        ("name", "a\u0000b", "There is a sign in this name"),
    ],
)
def test_a_field_that_cannot_be_is_told(stranger: Client, field: str, value: str, said: str) -> None:
    assert said in refused(stranger.post(NEW, form("Ann", "Ben", **{field: value})))


def test_a_short_game_from_a_lower_engine(stranger: Client) -> None:
    sheet = started(stranger.post(NEW, form("Ann", "Ben", first_engine="9", rounds="3")))

    assert sheet.engines == (9, 8, 7)


def test_who_starts_a_game_is_asked_once_and_logged(stranger: Client) -> None:
    assert "Your name, for the history" in text(stranger.get(NEW))

    started(stranger.post(NEW, form("Ann", "Ben", who=" Ann  B ")))

    assert LogEntry.objects.get().who == "Ann B"
    assert "Your name, for the history" not in text(stranger.get(NEW))


def test_a_live_look_gets_parts_alone(stranger: Client) -> None:
    def look(do: str) -> str:
        response = stranger.post(NEW, form(*FRIDAY, do=do), headers={"HX-Request": "true"})
        return response.content.decode()

    assert "<html" not in look("names")
    assert re.findall(r'id="(sets|suits|facts|card)" ?', look("look")) == ["suits", "facts"]
    assert re.findall(r'id="(sets|suits|facts|card)" ?', look("names")) == ["sets", "suits", "facts"]
    assert re.findall(r'id="(sets|suits|facts|card)" ?', look("card")) == ["sets", "suits", "facts", "card"]
    assert "Double-12 suits 5 players" in look("look")


def test_a_rematch_takes_the_same_people_and_rules(phone: Client, game: Game) -> None:
    play(game, (0, 20, 36, 41, 55))

    response = phone.get(NEW, {"again": game.slug})

    assert names_in(response) == list(FRIDAY)
    assert f'data-draft="new:{game.slug}"' in response.content.decode()
    assert 'value="Friday at Ruth’s"' not in response.content.decode()


def test_a_rematch_of_a_game_this_phone_does_not_know_is_a_blank_page(stranger: Client, game: Game) -> None:
    assert names_in(stranger.get(NEW, {"again": game.slug})) == []


@pytest.mark.usefixtures("one_minute")
def test_too_many_games_from_one_address_are_put_off(stranger: Client, settings: Settings) -> None:
    settings.GAMES_PER_MINUTE = 1
    Attempts.objects.all().delete()
    stranger.post(NEW, form("Ann", "Ben"))

    response = stranger.post(NEW, form("Cho", "Dee"))

    assert response.status_code == 429
    assert names_in(response) == ["Cho", "Dee"]
    assert Game.objects.count() == 1


def test_remembered_names_are_offered_and_not_those_already_typed(stranger: Client) -> None:
    stranger.post(NEW, form(*FOURTEEN))

    page = stranger.post(NEW, form("ruth", do="look")).content.decode()

    assert re.search(r'value="chip:Ruth"[^>]* hidden', page)
    assert re.search(r'value="chip:Ben"[^>]*>\+ Ben', page)
    assert len(re.findall('value="chip:', page)) - 1 <= MOST_NAMES


def test_another_method_is_refused(stranger: Client) -> None:
    assert stranger.put(NEW).status_code == 405


def test_looking_asks_the_database_nothing(stranger: Client, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(0):
        stranger.get(NEW)
        stranger.post(NEW, form(*FRIDAY, do="look"))


def once(client: Client) -> str:
    """The secret of a form that was opened just now."""
    found = re.search(r'name="once" value="([\w-]{22})"', client.get(NEW).content.decode())
    assert found
    return found[1]


def test_the_same_form_sent_again_opens_the_same_game(stranger: Client) -> None:
    typed = form("Kim", "Mike", once=once(stranger))

    first = stranger.post(NEW, typed)
    again = Client().post(NEW, typed)  # the answer, with its cookie, never came

    assert first["Location"] == again["Location"]
    assert Game.objects.count() == 1
    assert LogEntry.objects.count() == 1


def test_it_opens_it_for_the_phone_whose_answer_was_lost(stranger: Client) -> None:
    typed = form("Kim", "Mike", once=once(stranger))
    Client().post(NEW, typed)

    board = stranger.post(NEW, typed)["Location"]

    assert stranger.get(f"{board}rounds/1/").status_code == 200


def test_another_form_and_another_text_in_it_are_other_games(stranger: Client) -> None:
    first, second = once(stranger), once(stranger)
    assert first != second

    for typed in (
        form("Kim", "Mike", once=first),
        form("Kim", "Mike", once=second),
        form("Kim", "Mia", once=first),
        form("Kim", "Mike"),
        form("Kim", "Mike"),
        form("Kim", "Mike", once="x"),
        form("Kim", "Mike", once="x"),
    ):
        assert stranger.post(NEW, typed).status_code == 302
    assert Game.objects.count() == 7


def test_a_form_sent_again_later_starts_another_game_once_something_happened(stranger: Client) -> None:
    typed = form("Kim", "Mike", once=once(stranger))
    stranger.post(NEW, typed)
    play(Game.objects.get(), (0, 12))

    stranger.post(NEW, typed)
    stranger.post(NEW, typed)

    assert Game.objects.count() == 2


@pytest.mark.usefixtures("one_minute")
def test_a_form_sent_again_is_never_put_off(stranger: Client, settings: Settings) -> None:
    settings.GAMES_PER_MINUTE = 1
    typed = form("Kim", "Mike", once=once(stranger))

    assert [stranger.post(NEW, typed).status_code for _time in range(3)] == [302, 302, 302]
    assert stranger.post(NEW, form("Kim", "Mike", once=once(stranger))).status_code == 429


def test_a_refused_form_keeps_its_secret(stranger: Client) -> None:
    secret = once(stranger)

    page = stranger.post(NEW, form("Kim", once=secret))

    assert f'name="once" value="{secret}"' in page.content.decode()


@pytest.mark.django_db(transaction=True)
def test_a_form_sent_five_times_at_once_is_one_game() -> None:
    typed = form("Kim", "Mike", once="k" * 22)

    answers = at_once(5, lambda _number: Client().post(NEW, typed))

    assert len({answer["Location"] for answer in answers}) == 1
    assert Game.objects.count() == 1
