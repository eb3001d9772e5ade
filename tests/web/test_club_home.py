"""The clubs somebody knows, founding one, a club's first page, and its games without their links."""

from __future__ import annotations

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.utils import timezone

from games import clubs
from games.clubs import club_link_replace, member_change
from games.models import Club, ClubGame, ClubKey, ClubLink, ClubRole, LogEntry, Member, Season, User
from games.seasons import game_add, season_add
from tests import club as at_club
from tests.cast import play, start
from tests.club import night
from tests.web.reading import element

pytestmark = pytest.mark.django_db


@pytest.fixture
def spring(club: Club) -> Season:
    spring = at_club.season(club)
    night(spring, 1, ["Chitra", "Ben", "Kwame"], [0, 20, 30], [15, 0, 10])
    return spring


def signed_in(club: Club, name: str, role: str = "member") -> Client:
    """A phone on which that member is signed in."""
    member = Member.objects.get(club=club, name=name)
    if member.user is None:
        member.user = User.objects.create(email=f"{member.number}@example.org")
        member.role = role
        member.save()
    phone = Client()
    phone.force_login(member.user)
    return phone


def reader(club: Club) -> Client:
    phone = Client()
    key = ClubKey.objects.get(club=club, role=ClubLink.READER, revoked_at=None).key
    assert phone.get(f"/clubs/read/{key}/").status_code == 302
    return phone


def page(phone: Client, path: str, status: int = 200) -> str:
    answer = phone.get(path)
    assert answer.status_code == status
    return " ".join(answer.content.decode().split())


# Your clubs


def test_your_clubs_are_those_you_belong_to_and_those_whose_link_you_opened(club: Club) -> None:
    other = at_club.found("Zoë", "Ann")
    phone = reader(other)
    assert "reads by a link" in page(phone, "/clubs/")
    phone.force_login(club.members.get(number=1).user)  # type: ignore[arg-type]
    text = page(phone, "/clubs/")
    assert text.count("Thursday Dominoes</a>") == 2
    assert text.index("owner") < text.index("reads by a link")


def test_a_stranger_finds_clubs_from_the_first_page_and_is_told_to_sign_in(
    client: Client, club: Club
) -> None:
    assert "/?next=/clubs/" in page(client, "/clubs/")
    assert "Members sign in, and so does whoever founds one." in page(client, "/clubs/")
    for phone in (client, reader(club), signed_in(club, "Ben")):
        assert '<a class="lone" href="/clubs/">Clubs</a>' in page(phone, "/")
    assert client.post("/clubs/").status_code == 405


def test_founding_a_club_makes_its_owner(client: Client) -> None:
    client.force_login(get_user_model().objects.create(email="ann@example.org", name="Ann"))
    assert 'value="Ann"' in page(client, "/clubs/found/")
    answer = client.post("/clubs/found/", {"name": "  Friday   Dominoes ", "owner": "Ann"})
    club = Club.objects.get(name="Friday Dominoes")
    assert answer["Location"] == f"/clubs/{club.slug}/"
    assert "Ann · owner" in page(client, answer["Location"])


def test_a_club_without_a_name_is_not_founded_and_nothing_typed_is_lost(client: Client) -> None:
    client.force_login(get_user_model().objects.create(email="ann@example.org"))
    answer = client.post("/clubs/found/", {"name": "", "owner": "x" * 60})
    text = answer.content.decode()
    assert answer.status_code == 422
    assert "A name is needed. It must hold something to see." in text
    assert "is too long." in text
    assert 'value="' + "x" * 60 in text
    assert not Club.objects.exists()


def test_too_many_clubs_are_told(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clubs, "MOST_CLUBS", 0)
    client.force_login(get_user_model().objects.create(email="ann@example.org"))
    answer = client.post("/clubs/found/", {"name": "Friday", "owner": "Ann"})
    assert answer.status_code == 422
    assert "One account founds at most 0 clubs." in answer.content.decode()


def test_founding_needs_an_account(client: Client) -> None:
    answer = client.get("/clubs/found/")
    assert (answer.status_code, "next=/clubs/found/" in answer["Location"]) == (302, True)


# A club's page


def test_the_page_shows_the_top_of_the_table_and_the_last_nights(club: Club, spring: Season) -> None:
    text = page(signed_in(club, "Chitra"), f"/clubs/{club.slug}/")
    assert "Spring season" in text
    assert text.index(">Chitra</a>") < text.index(">Ben</a>") < text.index(">Kwame</a>")
    assert "5 March 2026" in text
    assert "1 game" in text


def test_a_game_that_is_played_now_is_one_tap_away(club: Club, spring: Season) -> None:
    game = start(["Chitra", "Ben"], name="Table 1").sheet.game
    play(game, [0, 12])
    game_add(season=spring, on=timezone.localdate(), game=game, seats={1: 1, 2: 4})
    for phone in (signed_in(club, "Kwame"), reader(club)):
        text = page(phone, f"/clubs/{club.slug}/")
        assert f'href="/g/{game.slug}/"' in text
        assert "Round 2 of 13 · Chitra leads by 12" in text


def test_a_club_without_a_season_says_what_one_is(club: Club) -> None:
    assert "No season yet" in page(signed_in(club, "Chitra"), f"/clubs/{club.slug}/")
    season_add(club=club, name="Empty", starts_on=timezone.localdate())
    assert "No game of this season is finished yet." in page(signed_in(club, "Ben"), f"/clubs/{club.slug}/")


def test_a_reader_sees_tables_and_nothing_of_the_club_itself(club: Club, spring: Season) -> None:
    text = page(reader(club), f"/clubs/{club.slug}/")
    assert "Spring season" in text
    for own in ("members/", "log/", "settings/", "links/", "leave/"):
        assert f"/clubs/{club.slug}/{own}" not in text


def test_a_stopped_readers_link_is_dead_at_once(club: Club) -> None:
    phone = reader(club)
    club_link_replace(club=club, role=ClubLink.READER)
    assert phone.get(f"/clubs/{club.slug}/").status_code == 404
    assert "No club on this phone" in page(phone, "/clubs/")


def test_who_left_is_a_stranger_again(club: Club) -> None:
    phone = signed_in(club, "Ben")
    member_change(club=club, number=4, left_on=timezone.localdate())
    assert phone.get(f"/clubs/{club.slug}/").status_code == 404


def test_the_page_costs_the_same_whatever_was_played(
    club: Club, spring: Season, django_assert_max_num_queries: pytest.FixtureRequest
) -> None:
    for at in range(2, 6):
        night(spring, at, ["Chitra", "Ben", "Kwame"], [0, 20, 30], finish=at % 2 == 0)
    phone = signed_in(club, "Chitra")
    with django_assert_max_num_queries(20):  # type: ignore[operator]
        page(phone, f"/clubs/{club.slug}/")


# Games through their club


@pytest.fixture
def played(spring: Season) -> ClubGame:
    return night(spring, 2, ["Chitra", "Ben"], [40, 0], finish=False)


def test_a_scorer_of_the_club_keeps_score_and_stands_in_the_log(club: Club, played: ClubGame) -> None:
    phone = signed_in(club, "Kwame", ClubRole.SCORER)
    answer = phone.post(f"/g/{played.game.slug}/undo/", {"version": played.game.version})
    assert answer.status_code == 302
    entry = LogEntry.objects.filter(game=played.game).order_by("number").last()
    assert entry is not None
    assert entry.who == "Kwame"


def test_a_member_and_a_reader_watch(club: Club, played: ClubGame) -> None:
    for phone in (signed_in(club, "Kwame"), reader(club)):
        board = f"/g/{played.game.slug}/"
        assert phone.get(board).status_code == 200
        assert phone.get(f"{board}live/?v={played.game.version}").status_code == 204
        assert phone.get(f"{board}rounds/2/").status_code == 403


def test_a_watchers_link_takes_nothing_from_a_scorer_of_the_club(club: Club, played: ClubGame) -> None:
    phone = signed_in(club, "Kwame", ClubRole.SCORER)
    key = played.game.keys.get(role="viewer").key
    phone.get(f"/w/{key}/")
    assert phone.get(f"/g/{played.game.slug}/rounds/2/").status_code == 200


def test_another_club_and_a_public_page_open_no_game(club: Club, played: ClubGame) -> None:
    other = at_club.found("Zoë")
    club.public = True
    club.save()
    for phone in (signed_in(other, "Zoë"), reader(other), Client()):
        assert phone.get(f"/clubs/{club.slug}/").status_code == 200
        assert phone.get(f"/g/{played.game.slug}/").status_code == 404
        assert f"/g/{played.game.slug}/" not in phone.get(f"/clubs/{club.slug}/").content.decode()


def test_a_stranger_finds_clubs_on_the_page_of_the_phone(client: Client) -> None:
    assert 'href="/clubs/"' in page(client, "/device/")
    assert "whoever founds one" in page(client, "/clubs/")


def test_whose_session_has_run_out_signs_in_and_has_what_was_typed(club: Club, client: Client) -> None:
    add = f"/clubs/{club.slug}/members/add/"
    answer = client.post(add, {"version": "77", "names": "Gus\nHal <Jr>", "joined_on": "2026-11-30"})
    assert answer.status_code == 404
    text = answer.content.decode()
    assert "Not saved: this phone is not signed in" in text
    assert ">Gus\nHal &lt;Jr&gt;\n2026-11-30</textarea>" in text
    sign_in = f'href="/account/sign-in/?next={add.replace("/", "%2F")}"'
    assert sign_in in text
    there, not_there = page(client, add, 404), page(client, add.replace(club.slug, "nothing"), 404)
    alike = element(there, "<main", "</html>").replace(club.slug, "nothing")
    assert alike == element(not_there, "<main", "</html>")
    assert "<textarea" not in there


def test_whose_account_is_not_the_clubs_is_told_whose_it_is(club: Club) -> None:
    zoe = at_club.found("Zoe", "Yan")
    text = page(signed_in(zoe, "Zoe"), f"/clubs/{club.slug}/", 404)
    assert "Signed in as" in text
    assert "Thursday Dominoes" not in text
    answer = signed_in(zoe, "Zoe").post(f"/clubs/{club.slug}/members/add/", {"names": "Gus"})
    assert "<textarea" not in answer.content.decode()


def test_what_a_role_may_not_do_is_said_in_the_clubs_words(club: Club) -> None:
    ben = signed_in(club, "Ben")
    for answer in (
        ben.get(f"/clubs/{club.slug}/members/add/"),
        ben.post(f"/clubs/{club.slug}/seasons/", {"name": "Autumn"}),
    ):
        assert answer.status_code == 403
        text = answer.content.decode()
        assert "The club keeps this for others" in text
        assert f'href="/clubs/{club.slug}/">Thursday Dominoes</a>' in text
