"""What a phone keeps of a club's games: its own key, which ends with the right to keep score for the club."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.accounts import account_delete, games_claim
from games.clubs import member_change, member_key, member_link, members_merge
from games.engine.rules import PRESETS
from games.models import AccessKey, Club, ClubRole, Game, Member, Role, Season, User
from games.permissions import claimed
from games.seasons import game_add, game_begin
from games.selectors import links_of, sheet_of
from games.services import Refused, Setup
from tests.cast import start
from tests.club import FIRST_NIGHT
from tests.web.club_pages import client_of
from tests.web.reading import words

pytestmark = pytest.mark.django_db

ENDED = "This phone no longer keeps score here"
SETUP = Setup(players=("Chitra", "Ben"), rules=PRESETS["thoughtco"])


@pytest.fixture
def kwame(club: Club) -> Client:
    """The phone of number 2, who keeps score for the club."""
    return client_of(club, 2, ClubRole.SCORER)


@pytest.fixture
def begun(kwame: Client, club: Club, spring: Season) -> Game:
    """A game that Kwame started on the night's page."""
    form = {"do": "start", "player": ["Chitra", "Ben"], "on": FIRST_NIGHT.isoformat()}
    answer = kwame.post(f"/clubs/{club.slug}/seasons/{spring.number}/game/", form)
    return Game.objects.get(slug=answer["Location"].split("/")[2])


def leaves(club: Club) -> None:
    member_change(club=club, number=2, left_on=timezone.localdate())


def is_a_member_only(club: Club) -> None:
    member_change(club=club, number=2, role=ClubRole.MEMBER)


def has_the_account_taken_off(club: Club) -> None:
    member_link(club=club, number=2, user=None)


def is_merged_into_who_has_left(club: Club) -> None:
    member_change(club=club, number=6, left_on=timezone.localdate())
    members_merge(club=club, number=2, into=6)
    member_change(club=club, number=6, left_on=timezone.localdate())


def enters(phone: Client, game: Game, number: int = 1) -> int:
    """What the phone gets for entering a round."""
    version = Game.objects.get(pk=game.pk).version
    url = reverse("hands", args=[game.slug, number])
    answer = phone.post(f"{url}?out=1&new=1", {"version": version, "hand-2": str(number)})
    return int(answer.status_code)


def by_link(game: Game, phone: Client | None = None) -> Client:
    phone = Client() if phone is None else phone
    phone.get(reverse("open_scorer", args=[links_of(game)[Role.SCORER].key]))
    return phone


def signed_out(phone: Client) -> Client:
    del phone.cookies["sessionid"]
    return phone


@pytest.mark.parametrize(
    "ends", [leaves, is_a_member_only, has_the_account_taken_off, is_merged_into_who_has_left]
)
@pytest.mark.parametrize("signed", ["in", "out"])
def test_a_phone_that_started_a_club_s_game_keeps_score_for_as_long_as_its_owner_may(
    kwame: Client, begun: Game, club: Club, ends: Any, signed: str
) -> None:
    phone = kwame if signed == "in" else signed_out(kwame)
    assert enters(phone, begun) == 302
    ends(club)
    assert enters(phone, begun, 2) in (403, 404)
    assert len(sheet_of(begun).rounds) == 1


def test_the_phone_is_told_why_and_the_score_and_the_others_stay(
    kwame: Client, begun: Game, club: Club
) -> None:
    others = [client_of(club, 1), client_of(club, 3, ClubRole.SCORER), by_link(begun)]
    leaves(club)
    page = kwame.get(f"/g/{begun.slug}/")
    assert page.status_code == 404
    assert "no-store" in page["Cache-Control"]
    told = "It did so for Thursday Dominoes, as Kwame, who keeps score there no longer."
    assert f"{ENDED} {told} Every score is kept, and the other phones go on." in words(page)
    assert kwame.get(f"/g/{begun.slug}/live/").status_code == 404  # which an open board answers by reloading
    assert [enters(phone, begun, number) for number, phone in enumerate(others, start=1)] == [302] * 3
    assert "Chitra" not in words(kwame.get("/"))


def test_nobody_else_is_told_so(begun: Game, club: Club) -> None:
    stopped = by_link(begun)
    AccessKey.objects.filter(game=begun, member=None).update(revoked_at=timezone.now())
    leaves(club)
    for phone in (stopped, Client()):
        page = phone.get(f"/g/{begun.slug}/")
        assert page.status_code == 404
        assert ENDED not in words(page)


def test_a_link_that_was_opened_while_the_club_let_one_in_ends_too(
    kwame: Client, begun: Game, club: Club
) -> None:
    phone = client_of(club, 2)
    by_link(begun, phone)
    assert enters(signed_out(phone), begun) == 302
    leaves(club)
    assert enters(phone, begun, 2) == 404


def test_a_game_opened_at_the_table_stays_on_the_phone_that_opened_it(
    kwame: Client, club: Club, spring: Season
) -> None:
    """It came by nobody's right in the club: its link is stopped where links are."""
    started = start(["Chitra", "Ben"])
    game = started.sheet.game
    by_link(game, kwame)
    game_add(season=spring, on=FIRST_NIGHT, game=game, seats={1: 1, 2: 4})
    leaves(club)
    assert enters(kwame, game) == 302


def test_stopping_the_game_s_link_gives_no_new_one_to_who_came_by_the_club(
    kwame: Client, begun: Game, club: Club
) -> None:
    link = links_of(begun)[Role.SCORER]
    kwame.post(f"/g/{begun.slug}/share/replace/", {"face": "score", "link": link.pk})
    link.refresh_from_db()
    assert link.revoked_at is not None
    assert enters(kwame, begun) == 302
    leaves(club)
    assert enters(kwame, begun, 2) == 404


def test_an_account_has_the_game_no_longer_than_the_phone(kwame: Client, begun: Game, club: Club) -> None:
    user = Member.objects.get(club=club, number=2).user
    assert user is not None
    key = AccessKey.objects.get(game=begun, member__number=2)
    assert games_claim(user=user, key_ids=[key.pk]) == 1
    kwame.post(f"/g/{begun.slug}/share/replace/", {"face": "score", "link": links_of(begun)[Role.SCORER].pk})
    assert claimed(user, begun.slug) is not None
    leaves(club)
    assert claimed(user, begun.slug) is None


def test_an_account_that_is_deleted_takes_its_keys_along(kwame: Client, begun: Game, club: Club) -> None:
    user = Member.objects.get(club=club, number=2).user
    assert user is not None
    said = "What a club opened to this account closes on every phone."
    assert said in words(kwame.get(reverse("account_delete")))
    account_delete(user=user)
    assert ENDED in words(kwame.get(f"/g/{begun.slug}/"))
    assert enters(client_of(club, 1), begun) == 302


def closes(operator: Client, user: User) -> None:
    inlines = {f"{name}-{part}_FORMS": "0" for name in ("claims", "tokens") for part in ("TOTAL", "INITIAL")}
    url = reverse("admin:games_user_change", args=[user.pk])
    operator.post(url, {"email": user.email, "name": user.name, **inlines})


def deletes(operator: Client, user: User) -> None:
    operator.post(reverse("admin:games_user_delete", args=[user.pk]), {"post": "yes"})


def deletes_from_the_list(operator: Client, user: User) -> None:
    form = {"action": "delete_selected", "_selected_action": str(user.pk), "post": "yes"}
    operator.post(reverse("admin:games_user_changelist"), form)


@pytest.mark.parametrize("ends", [closes, deletes, deletes_from_the_list])
def test_an_account_that_an_operator_ends_takes_its_keys_along(
    kwame: Client, begun: Game, club: Club, ends: Any
) -> None:
    user = Member.objects.get(club=club, number=2).user
    assert user is not None
    operator = Client()
    operator.force_login(User.objects.create_superuser("ops@example.org", "trains and tiles"))
    ends(operator, user)
    assert not User.objects.filter(pk=user.pk, is_active=True).exists()
    assert ENDED in words(kwame.get(f"/g/{begun.slug}/"))
    assert enters(kwame, begun) == 404


def test_an_open_board_no_longer_offers_to_score_as_soon_as_a_scorer_only_watches(
    begun: Game, club: Club, django_capture_on_commit_callbacks: Any
) -> None:
    """No score has changed: a board that asks for news alone would go on offering it."""
    kwame = client_of(club, 2)
    begun.refresh_from_db()
    live = f"/g/{begun.slug}/live/?v={begun.stamp}"
    assert kwame.get(live).status_code == 204
    with django_capture_on_commit_callbacks(execute=True):
        is_a_member_only(club)
    news = kwame.get(live)
    assert news.status_code == 200
    assert 'id="enter"' not in news.content.decode()


def test_who_comes_back_is_told_so_on_a_phone_that_is_signed_out(
    kwame: Client, begun: Game, club: Club
) -> None:
    leaves(club)
    member_change(club=club, number=2, stays=True)
    page = signed_out(kwame).get(f"/g/{begun.slug}/")
    assert "who keeps score there no longer" not in words(page)
    assert "It did so for Thursday Dominoes, as Kwame. Sign in as Kwame, and it does so again." in words(page)
    assert f'href="{reverse("account_login")}?next=/g/{begun.slug}/"' in page.content.decode()


def test_who_comes_back_keeps_score_by_the_club_again(kwame: Client, begun: Game, club: Club) -> None:
    leaves(club)
    member_change(club=club, number=2, stays=True)
    assert enters(kwame, begun) == 302
    by_link(begun, kwame)
    assert enters(signed_out(kwame), begun, 2) == 302


def test_no_key_is_made_for_whose_right_ended_while_the_link_was_opened(
    kwame: Client, begun: Game, club: Club, spring: Season
) -> None:
    seen = Member.objects.get(club=club, number=2)
    leaves(club)
    assert member_key(game=begun, member=seen) is None
    with pytest.raises(Refused) as refused:
        game_begin(season=spring, on=FIRST_NIGHT, setup=SETUP, by=seen)
    assert refused.value.code == "forbidden"
    assert not AccessKey.objects.filter(member=seen, revoked_at=None).exists()
    assert Game.objects.count() == 1


def test_an_owner_goes_on(begun: Game, club: Club) -> None:
    """What changes in the club stops nobody's key but that of whoever it is about."""
    kwame = client_of(club, 2)
    by_link(begun, kwame)
    member_change(club=club, number=3, left_on=timezone.localdate())
    member_change(club=club, number=2, name="Kwame A", role=ClubRole.ORGANISER)
    assert enters(signed_out(kwame), begun) == 302


def test_it_is_said_before_somebody_leaves(kwame: Client, begun: Game, club: Club) -> None:
    said = words(client_of(club, 1).get(f"/clubs/{club.slug}/members/2/"))
    assert "The club’s games close on Kwame’s phones at once" in said
    assert "The club’s games close on this phone at once" in words(kwame.get(f"/clubs/{club.slug}/leave/"))
    assert "close on" not in words(client_of(club, 1).get(f"/clubs/{club.slug}/members/4/"))
