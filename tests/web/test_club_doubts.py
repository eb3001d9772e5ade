"""A result in doubt on pages: raised, what hangs on it, decided, appealed against."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Club, ClubGame, Doubt, Game, Role, Season
from games.round_records import record_attach
from games.seasons import doubt_raise
from games.selectors import links_of, sheet_of
from games.services import round_remove
from tests import club as at_club
from tests.cast import play
from tests.club import night, table
from tests.web.club_pages import answers, client_of
from tests.web.reading import rows, words

pytestmark = pytest.mark.django_db


@pytest.fixture
def played(club: Club, spring: Season) -> ClubGame:
    played = night(spring, 1, ["Chitra", "Ben", "Kwame"], [0, 20, 30], [15, 0, 10])
    return ClubGame.objects.get(pk=played.pk)


@pytest.fixture
def owner(club: Club, played: ClubGame) -> Client:
    return client_of(club, 1)


def send(client: Client, club: Club, page: str, **form: Any) -> Any:
    club.refresh_from_db()
    return client.post(f"/clubs/{club.slug}/{page}", {"version": club.version, **form})


def raising(played: ClubGame) -> str:
    return f"seasons/1/games/{played.game.slug}/doubt/"


SCORE = {"what": "score", "round": "2", "seat": "1", "points": "25", "reason": "15 or 25?"}


def test_a_score_is_put_in_doubt_and_the_page_says_what_hangs_on_it(
    owner: Client, club: Club, played: ClubGame
) -> None:
    form = words(owner.get(f"/clubs/{club.slug}/{raising(played)}"))
    assert "one score: it might be another" in form
    answer = send(owner, club, raising(played), **SCORE)
    assert answer["Location"] == f"/clubs/{club.slug}/doubts/1/"
    page = owner.get(answer["Location"])
    said = words(page)
    assert "It is about round 2 of 5 March." in said
    assert "Then Chitra has 25 in round 2; now it is 15. In the table, Ben is 1st, Chitra 2nd." in said
    assert rows(page) == [
        ["B Ben", "2 20", "1 20"],
        ["C Chitra", "1 15", "2 25"],
        ["K Kwame", "3 40", "3 40"],
    ]
    assert '<tr class="moves-up">' in page.content.decode()
    assert "Put in doubt 15 or 25? Chitra," in said


def test_the_season_leads_to_the_doubt_and_marks_the_places(
    owner: Client, club: Club, played: ClubGame
) -> None:
    send(owner, club, raising(played), **SCORE)
    page = owner.get(f"/clubs/{club.slug}/seasons/1/")
    assert f'href="/clubs/{club.slug}/doubts/1/"' in page.content.decode()
    said = words(page)
    assert (
        "One result is in doubt. If round 2 of 5 March falls the other way, Ben is 1st, Chitra 2nd." in said
    )
    assert said.count("place pending") == 2
    opened = owner.get(f"/clubs/{club.slug}/seasons/1/?row=1").content.decode()
    assert opened.index("Why is Chitra 1st?") < opened.index("One result is in doubt.")
    assert words(opened).count("One result is in doubt.") == 1
    other = owner.get(f"/clubs/{club.slug}/seasons/1/?row=2").content.decode()
    assert other.index("One result is in doubt.") < other.index("Why is Kwame 3rd?")


def test_a_decision_carries_the_other_way_out_and_an_appeal_keeps_both(
    owner: Client, club: Club, spring: Season, played: ClubGame
) -> None:
    send(owner, club, raising(played), **SCORE)
    assert send(owner, club, "doubts/1/", do="falls", reason="Two saw it").status_code == 302
    assert table(spring)[0] == ("Ben", 1, "20")
    said = words(owner.get(f"/clubs/{club.slug}/doubts/1/"))
    assert "A result that was in doubt" in said
    assert "Decided: it falls the other way Chitra was given 25 in round 2. Two saw it" in said
    assert send(owner, club, "doubts/1/", do="reopen", reason="Chitra was out").status_code == 302
    again = words(owner.get(f"/clubs/{club.slug}/doubts/1/"))
    assert "Then Chitra has 15 in round 2; now it is 25. In the table, Chitra is 1st, Ben 2nd." in again
    send(owner, club, "doubts/1/", do="stands", reason="Nobody else says so")
    said = words(owner.get(f"/clubs/{club.slug}/doubts/1/"))
    for step in (
        "15 or 25?",
        "Two saw it",
        "Appealed against Chitra was out",
        "it stands Nobody else says so",
    ):
        assert step in said
    assert table(spring)[0] == ("Ben", 1, "20")


def test_the_league_s_abandoned_game_is_published_with_a_place_pending() -> None:
    club = at_club.found("Sylvers", "Molineux", "Giants")
    league = at_club.season(club, tiebreaks=())
    night(league, 1, ["Sylvers", "Molineux", "Giants"], [0, 11, 20], [25, 0, 30])
    night(league, 2, ["Molineux", "Sylvers", "Giants"], [0, 14, 35])
    played = night(league, 3, ["Molineux", "Giants"], [11, 9], [17, 0])
    owner = client_of(club, 1)
    send(owner, club, f"seasons/1/games/{played.game.slug}/", do="void", reason="Abandoned at 11–9")
    send(owner, club, raising(played), what="game", reason="The committee has not met")
    said = words(owner.get(f"/clubs/{club.slug}/seasons/1/"))
    assert "If the game of 19 March falls the other way, Sylvers is 1st." in said
    assert "Sylvers place pending 2 39" in said
    doubt = owner.get(f"/clubs/{club.slug}/doubts/1/")
    assert "Then the game counts. In the table, Sylvers is 1st." in words(doubt)
    assert rows(doubt)[:2] == [["S Sylvers", "2 39", "1 39"], ["M Molineux", "1 11", "1 39"]]
    send(owner, club, "doubts/1/", do="falls", reason="Two witnesses")
    assert table(league)[:2] == [("Sylvers", 1, "39"), ("Molineux", 1, "39")]
    send(owner, club, "doubts/1/", do="reopen", reason="Neither saw the last hand")
    send(owner, club, "doubts/1/", do="falls", reason="On appeal")
    assert table(league)[:2] == [("Molineux", 1, "11"), ("Sylvers", 2, "39")]
    said = words(owner.get(f"/clubs/{club.slug}/doubts/1/"))
    assert "The game was counted. Two witnesses" in said
    assert "The game was taken out of the table. On appeal" in said


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({"reason": " "}, "A reason is needed."),
        ({"points": "15"}, "15 is the score that counts now. Type what it would be otherwise."),
        ({"points": "many"}, "Type the score that would count otherwise. It is a whole number."),
        ({"points": "-4"}, "This hand cannot be worth −4."),
        ({"round": "9"}, "This round is not in the game."),
        ({"seat": "7"}, ""),
    ],
)
def test_what_cannot_be_is_told_and_stays_as_typed(
    owner: Client, club: Club, played: ClubGame, typed: dict[str, str], said: str
) -> None:
    answer = send(owner, club, raising(played), **{**SCORE, **typed})
    assert answer.status_code == 422
    assert said in words(answer)
    page = answer.content.decode()
    assert 'value="score" checked' in page
    assert f'name="points" value="{typed.get("points", "25")}"' in page
    assert not Doubt.objects.exists()


def test_a_second_doubt_about_the_same_game_waits(owner: Client, club: Club, played: ClubGame) -> None:
    send(owner, club, raising(played), **SCORE)
    answer = send(owner, club, raising(played), what="game", reason="Again")
    assert answer.status_code == 422
    assert "A result of this game is in doubt already. It has to be decided first." in words(answer)


def test_a_decision_needs_a_reason_and_is_made_once(owner: Client, club: Club, played: ClubGame) -> None:
    doubt_raise(played=played, other={"void": True}, reason="?")
    answer = send(owner, club, "doubts/1/", do="stands", reason="")
    assert answer.status_code == 422
    assert "A reason is needed." in words(answer)
    old = Club.objects.get(pk=club.pk).version
    send(owner, club, "doubts/1/", do="stands", reason="Seen")
    late = owner.post(f"/clubs/{club.slug}/doubts/1/", {"do": "falls", "reason": "No", "version": old})
    assert late.status_code == 409
    assert "Newest change: The result stands: Chitra, Ben and Kwame, 5 March 2026 (Chitra)." in words(late)
    again = send(owner, club, "doubts/1/", do="falls", reason="No")
    assert again.status_code == 422
    assert "This is decided already." in words(again)


def test_a_game_that_has_changed_since_says_so(owner: Client, club: Club, played: ClubGame) -> None:
    doubt_raise(played=played, other={"round": 2, "seat": 1, "points": 25}, reason="?")
    round_remove(game=played.game, number=2)
    said = words(owner.get(f"/clubs/{club.slug}/doubts/1/"))
    assert "The game has changed since: it cannot fall that way any more." in said
    answer = send(owner, club, "doubts/1/", do="falls", reason="x")
    assert answer.status_code == 422
    assert "This round is not in the game." in words(answer)


def test_each_role_gets_what_is_theirs(club: Club, spring: Season, played: ClubGame) -> None:
    new = f"/clubs/{club.slug}/{raising(played)}"
    assert answers(club, "get", new) == "404 302 403 403 200 200 404"
    assert answers(club, "post", new, {"what": "game", "reason": "?"}) == "404 302 403 403 302 422 404"
    doubt = f"/clubs/{club.slug}/doubts/1/"
    assert answers(club, "get", doubt) == "404 200 200 200 200 200 404"
    decide = {"do": "stands", "reason": "Seen"}
    assert answers(club, "post", doubt, decide) == "404 403 403 403 302 422 404"
    owner = client_of(club, 1)
    assert owner.put(doubt).status_code == owner.put(new).status_code == 405
    assert owner.get(f"/clubs/{club.slug}/doubts/9/").status_code == 404


def test_the_record_of_the_round_is_named_where_its_doubt_is_decided(
    owner: Client, club: Club, played: ClubGame
) -> None:
    send(owner, club, raising(played), **SCORE)
    page = f"/clubs/{club.slug}/doubts/1/"
    assert "record" not in words(owner.get(page))
    record_attach(game=played.game, number=2, text="players: Chitra, Ben, Kwame\ndeal: 9\nengine: 11-11")
    assert "Round 2: the record" in words(owner.get(page))
    link = reverse("record", args=[played.game.slug, 2])
    assert f'href="{link}"' in owner.get(page).content.decode()
    Club.objects.update(public=True)
    assert "Round 2: the record" in words(Client().get(page))
    assert link not in Client().get(page).content.decode()


def decided(owner: Client, club: Club, played: ClubGame, **step: str) -> str:
    """A score is put in doubt and decided; the address of the game's pages."""
    send(owner, club, raising(played), **SCORE)
    send(owner, club, "doubts/1/", **{"do": "falls", "reason": "Two saw it"} | step)
    return f"/g/{played.game.slug}/"


def undo(phone: Client, played: ClubGame) -> Any:
    version = Game.objects.get(pk=played.game.pk).version
    return phone.post(f"/g/{played.game.slug}/undo/", {"version": version}, follow=True)


def test_undo_on_the_board_says_that_the_club_decided_and_leads_there(
    owner: Client, club: Club, played: ClubGame
) -> None:
    board = decided(owner, club, played)
    page = owner.get(board)
    assert "Chitra, round 2, decided by the club: now 25, was 15." in words(page)
    assert 'class="btn undo held" id="undo" title="Chitra, round 2, decided by the club"' in html(page)
    after = undo(owner, played)
    assert (
        "Undo stops here: the club decided round 2. Where it was in doubt it can be decided again. "
        "Any other score can be corrected. To the decision"
    ) in words(after)
    assert f'<a href="/clubs/{club.slug}/doubts/1/">To the decision</a>' in html(after)
    assert sheet_of(played.game).rounds[1].hands[1].points == 25
    assert "It stops at: Chitra, round 2, decided by the club" in words(owner.get(f"{board}more/"))


def test_who_came_by_the_game_s_link_is_told_and_not_sent_to_the_club(
    owner: Client, club: Club, played: ClubGame
) -> None:
    decided(owner, club, played)
    phone = Client()
    phone.get(reverse("open_scorer", args=[links_of(played.game)[Role.SCORER].key]))
    after = undo(phone, played)
    assert "Undo stops here: the club decided round 2." in words(after)
    assert "To the decision" not in words(after)


def test_what_comes_after_a_decision_is_undone_as_ever(owner: Client, club: Club, played: ClubGame) -> None:
    board = decided(owner, club, played)
    owner.get(board)
    play(Game.objects.get(pk=played.game.pk), [0, 5, 9])
    assert "held" not in html(owner.get(board))
    assert "Undone: Round 3 entered. Redo" in words(undo(owner, played))
    assert "Undo stops here" in words(undo(owner, played))


def test_the_log_and_the_score_tell_who_decided_and_why(owner: Client, club: Club, played: ClubGame) -> None:
    board = decided(owner, club, played)
    send(owner, club, "doubts/1/", do="reopen", reason="Chitra was out")
    send(owner, club, "doubts/1/", do="stands", reason="Chitra was not")
    log = words(owner.get(f"{board}log/"))
    assert "Chitra, round 2, decided by the club" in log
    assert "Round 2 decided by the club: it stands" in log
    assert "Decided by the club (Chitra)" in words(owner.get(f"{board}rounds/2/seats/1/"))
    assert "decided by the club" in words(owner.get(f"{board}rounds/2/sheet/"))


def html(page: Any) -> str:
    return str(page.content.decode())
