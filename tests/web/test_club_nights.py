"""A season's nights: their games, who sat where, what is void, and the way to a game's board and back."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from games.clubs import club_change, member_change
from games.models import AccessKey, Club, ClubGame, ClubRole, Night, Season
from games.seasons import doubt_raise, game_change
from tests.club import FIRST_NIGHT, night, table
from tests.web.club_pages import answers, client_of, reader_of
from tests.web.reading import element, words

pytestmark = pytest.mark.django_db


@pytest.fixture
def played(club: Club, spring: Season) -> ClubGame:
    played = night(spring, 1, ["Chitra", "Ben", "Vera"], [0, 20, 30], [15, 0, 10])
    night(spring, 2, ["Chitra", "Ben"], [40, 0], finish=False)
    club.refresh_from_db()
    return ClubGame.objects.get(pk=played.pk)


@pytest.fixture
def owner(club: Club, played: ClubGame) -> Client:
    return client_of(club, 1)


def pages(club: Club) -> str:
    return f"/clubs/{club.slug}/seasons/1"


def send(client: Client, club: Club, page: str, **form: Any) -> Any:
    club.refresh_from_db()
    return client.post(f"{pages(club)}/{page}", {"version": club.version, **form})


def test_the_list_has_each_night_with_its_games_and_how_many_came(owner: Client, club: Club) -> None:
    said = words(owner.get(f"{pages(club)}/nights/"))
    assert "12 March 1 game · 2 members 5 March 1 game · 2 members" in said


def test_a_season_without_a_night_says_what_to_do(club: Club, spring: Season) -> None:
    assert "No night of this season has a game yet." in words(
        client_of(club, 1).get(f"{pages(club)}/nights/")
    )


def test_a_night_shows_its_games_with_their_rows(owner: Client, club: Club) -> None:
    said = words(owner.get(f"{pages(club)}/nights/2026-03-05/"))
    assert "Chitra, Ben and Vera Finished after 2 of 13 rounds" in said
    assert "1 C Chitra 15 2 B Ben 20 3 V Vera guest 40" in said
    running = words(owner.get(f"{pages(club)}/nights/2026-03-12/"))
    assert "After 1 of 13 rounds" in running


def test_a_night_costs_the_same_queries_however_many_games_it_has(
    owner: Client, club: Club, spring: Season, django_assert_max_num_queries: Any
) -> None:
    for _ in range(3):
        night(spring, 1, ["Kwame", "Priya", "Ben"], [0, 20, 30])
    with django_assert_max_num_queries(13):
        owner.get(f"{pages(club)}/nights/2026-03-05/")


def test_a_night_is_void_with_a_reason_and_put_back(owner: Client, club: Club, spring: Season) -> None:
    address = "nights/2026-03-05/"
    answer = send(owner, club, address, do="void", reason=" ")
    assert answer.status_code == 422
    assert "A reason is needed." in words(answer)
    assert send(owner, club, address, do="void", reason="The set was short").status_code == 302
    said = words(owner.get(f"{pages(club)}/{address}"))
    assert "This night is void and counts for nobody. The set was short" in said
    assert [place for _, place, _ in table(spring)] == [None, None]
    assert "void" in words(owner.get(f"{pages(club)}/nights/"))
    send(owner, club, address, do="count", reason="It was not")
    assert table(spring)[0] == ("Chitra", 1, "15")


def test_who_sat_where_is_put_right_and_a_forfeit_ticked(
    owner: Client, club: Club, spring: Season, played: ClubGame
) -> None:
    address = f"games/{played.game.slug}/"
    page = owner.get(f"{pages(club)}/{address}").content.decode()
    assert '<option value="1" selected>Chitra</option>' in page
    form = {"do": "seats", "seat-1": "1", "seat-2": "4", "seat-3": "2", "forfeit-1": "1"}
    assert send(owner, club, address, **form).status_code == 302
    assert table(spring) == [("Ben", 1, "20"), ("Kwame", 2, "40"), ("Chitra", 3, "41")]
    said = words(owner.get(f"{pages(club)}/nights/2026-03-05/"))
    assert "Chitra forfeits 15" in said
    assert "Vera = Kwame" in said


def test_a_member_in_two_seats_is_told_and_the_choice_stays(
    owner: Client, club: Club, played: ClubGame
) -> None:
    form = {"do": "seats", "seat-1": "1", "seat-2": "1", "seat-3": ""}
    answer = send(owner, club, f"games/{played.game.slug}/", **form)
    assert answer.status_code == 422
    assert "Chitra cannot sit in two seats of one game." in words(answer)
    seat = element(answer, '<select class="inp" id="seat-2"', "</select>")
    assert '<option value="1" selected>' in seat
    unknown = send(owner, club, f"games/{played.game.slug}/", **{"do": "seats", "seat-1": "99"})
    assert "One of these people is not in the club any more." in words(unknown)


def test_a_game_is_taken_out_of_the_table_and_from_its_night(
    owner: Client, club: Club, spring: Season, played: ClubGame
) -> None:
    address = f"games/{played.game.slug}/"
    assert send(owner, club, address, do="void", reason="").status_code == 422
    send(owner, club, address, do="void", reason="Never finished")
    assert "This game does not count. Never finished" in words(owner.get(f"{pages(club)}/nights/2026-03-05/"))
    send(owner, club, address, do="count", reason="It was")
    assert table(spring)[0] == ("Chitra", 1, "15")
    send(owner, club, address, do="remove", reason="Another club's")
    assert table(spring) == []
    assert owner.get(f"{pages(club)}/{address}").status_code == 404


def test_a_change_meanwhile_is_told(owner: Client, club: Club, played: ClubGame) -> None:
    old = club.version
    game_change(played=played, void=True, reason="First", who="Ben")
    for page, form in (
        (f"games/{played.game.slug}/", {"do": "void", "reason": "Mine"}),
        ("nights/2026-03-05/", {"do": "void", "reason": "Mine"}),
    ):
        answer = owner.post(f"{pages(club)}/{page}", {"version": old, **form})
        assert answer.status_code == 409
        assert "Newest change: Does not count: Chitra, Ben and Vera, 5 March 2026 (Ben)." in words(answer)
        assert 'value="Mine"' in answer.content.decode()
    assert not Night.objects.get(on="2026-03-05").void


def test_the_board_opens_as_the_role_may_and_leads_back(club: Club, spring: Season, played: ClubGame) -> None:
    board = f"{pages(club)}/games/{played.game.slug}/board/"
    scorer, member = client_of(club, 3, ClubRole.SCORER), client_of(club, 2)
    for phone, may in ((scorer, True), (member, False)):
        answer = phone.get(board, follow=True)
        assert answer.status_code == 200
        back = f'href="{pages(club)}/">Spring season</a>'
        assert back in answer.content.decode()
        assert back in phone.get(f"/g/{played.game.slug}/end/").content.decode()
        correct = phone.get(f"/g/{played.game.slug}/rounds/1/seats/2/correct/")
        assert correct.status_code == (200 if may else 403)


def test_who_was_sent_from_the_club_keeps_no_score_in_its_games(club: Club, played: ClubGame) -> None:
    scorer = client_of(club, 3, ClubRole.SCORER)
    board = f"/g/{played.game.slug}/"
    opened = scorer.get(f"{pages(club)}/games/{played.game.slug}/board/", follow=True)
    assert opened.redirect_chain == [(board, 302)]
    assert scorer.get(f"{board}rounds/1/seats/2/correct/").status_code == 200
    member_change(club=club, number=3, left_on=FIRST_NIGHT)
    assert scorer.get(f"{board}rounds/1/seats/2/correct/").status_code == 404
    assert scorer.get(board).status_code == 404


def test_who_cannot_read_the_club_sees_no_way_back_to_it(club: Club, played: ClubGame) -> None:
    key = AccessKey.objects.get(game=played.game, role="viewer").key
    stranger = Client()
    page = stranger.get(f"/w/{key}/", follow=True)
    assert page.status_code == 200
    assert "Spring season" not in page.content.decode()


def test_each_role_gets_what_is_theirs(club: Club, spring: Season, played: ClubGame) -> None:
    game = f"{pages(club)}/games/{played.game.slug}/"
    void = {"do": "void", "reason": "Short"}
    assert answers(club, "get", f"{pages(club)}/nights/") == "404 200 200 200 200 200 404"
    assert answers(club, "get", f"{pages(club)}/nights/2026-03-05/") == "404 200 200 200 200 200 404"
    assert answers(club, "post", f"{pages(club)}/nights/2026-03-05/", void) == "404 403 403 403 302 302 404"
    assert answers(club, "get", game) == "404 302 403 403 200 200 404"
    assert answers(club, "post", game, void) == "404 302 403 403 302 302 404"
    assert answers(club, "get", f"{game}board/") == "404 302 302 302 302 302 404"


def test_other_methods_days_and_games_are_not_there(owner: Client, club: Club, played: ClubGame) -> None:
    assert owner.put(f"{pages(club)}/nights/2026-03-05/").status_code == 405
    assert owner.put(f"{pages(club)}/games/{played.game.slug}/").status_code == 405
    assert owner.post(f"{pages(club)}/nights/").status_code == 405
    for page in ("nights/2026-03-06/", "nights/soon/", "games/nothing/", "games/nothing/board/"):
        assert owner.get(f"{pages(club)}/{page}").status_code == 404
    doubt_raise(played=played, other={"void": True}, reason="?")
    assert "In doubt: what it is about" in words(owner.get(f"{pages(club)}/games/{played.game.slug}/"))


def test_who_reads_by_a_link_finds_the_board_and_who_reads_the_public_page_does_not(
    club: Club, played: ClubGame
) -> None:
    phone, board = reader_of(club), f"/g/{played.game.slug}/"
    page = f"{pages(club)}/nights/2026-03-05/"
    assert f'href="{board}">The board</a>' in phone.get(page).content.decode()
    assert phone.get(board).status_code == 200
    club_change(club=club, name=club.name, public=True)
    assert "The board" not in Client().get(page).content.decode()
    assert Client().get(board).status_code == 404
