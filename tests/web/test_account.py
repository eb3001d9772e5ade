"""Games in an account, its tokens, its name and its end; and that nobody needs one."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games import accounts
from games.models import AccessKey, ApiToken, Claim, Game, LogEntry, Role, User
from games.permissions import digest_of
from games.services import link_replace
from tests.cast import play, start

pytestmark = pytest.mark.django_db
PASSWORD = "trains and tiles"
ROUND = (33, 2, 0, 31, 46)


@pytest.fixture
def ruth() -> User:
    return User.objects.create_user("ruth@example.org", PASSWORD, name="Ruth")


@pytest.fixture
def ben() -> User:
    return User.objects.create_user("ben@example.org", PASSWORD)


def signed_in(user: User, phone: Client | None = None) -> Client:
    phone = phone or Client()
    phone.force_login(user)
    return phone


def claim(phone: Client) -> str:
    return phone.post(reverse("account_claim"), follow=True).content.decode()


def board(phone: Client, game: Game) -> int:
    return phone.get(reverse("board", args=[game.slug])).status_code


def finish(phone: Client, game: Game) -> int:
    return phone.post(
        reverse("finish", args=[game.slug]), {"version": game.version}
    ).status_code  # 302 for who may, 403 for who watches, 404 for strangers


def test_a_claimed_game_is_there_on_another_phone(phone: Client, game: Game, ruth: User) -> None:
    signed_in(ruth, phone)
    assert (
        "One game on this phone is not in the account yet" in phone.get(reverse("account")).content.decode()
    )
    assert "1 game is now in the account." in claim(phone)

    other = signed_in(ruth)
    play(game, ROUND)
    assert board(other, game) == 200
    assert game.slug in other.get(reverse("home")).content.decode()
    assert "watch only" not in other.get(reverse("home")).content.decode()
    news = other.get(reverse("live", args=[game.slug]), {"v": "1"}, headers={"hx-request": "true"})
    assert news.status_code == 200
    assert other.get(reverse("live", args=[game.slug]), {"v": game.version}).status_code == 204
    assert finish(other, game) == 302


def test_signed_out_the_other_phone_forgets_it_and_the_first_one_does_not(
    phone: Client, game: Game, ruth: User
) -> None:
    claim(signed_in(ruth, phone))
    other = signed_in(ruth)
    assert board(other, game) == 200

    for one in (phone, other):
        one.post(reverse("account_logout"))

    assert board(other, game) == 404
    assert board(phone, game) == 200


def test_a_watcher_s_claim_watches(watcher: Client, game: Game, ruth: User) -> None:
    play(game, ROUND)
    claim(signed_in(ruth, watcher))
    other = signed_in(ruth)

    assert board(other, game) == 200
    assert finish(other, game) == 403
    assert "watch only" in other.get(reverse("home")).content.decode()


def test_a_scorer_s_link_makes_more_of_a_watcher_s_claim_and_not_the_other_way(
    phone: Client, watcher: Client, game: Game, ruth: User
) -> None:
    play(game, ROUND)
    claim(signed_in(ruth, watcher))
    assert "1 game is now in the account." in claim(signed_in(ruth, phone))
    assert finish(signed_in(ruth), game) == 302

    page = watcher.get(reverse("account")).content.decode()
    assert "On this phone alone" not in page
    claim(watcher)
    assert Claim.objects.get().key.role == Role.SCORER
    assert finish(watcher, game) == 302  # the account may more than the phone


def test_others_accounts_and_nobody_see_nothing(phone: Client, game: Game, ruth: User, ben: User) -> None:
    claim(signed_in(ruth, phone))

    assert board(signed_in(ben), game) == 404
    assert board(Client(), game) == 404
    assert signed_in(ben).get(reverse("live", args=[game.slug])).status_code == 404
    assert finish(signed_in(ben), game) == 404


def test_a_stopped_link_is_stopped_in_accounts_but_for_whoever_stopped_it(
    phone: Client, game: Game, ruth: User, ben: User, opens: Callable[..., Client]
) -> None:
    bens = opens(Client(), game)
    claim(signed_in(ruth, phone))
    claim(signed_in(ben, bens))
    key = AccessKey.objects.get(game=game, role=Role.SCORER)
    phone.post(reverse("link_replace", args=[game.slug]), {"face": "score", "link": key.pk})

    assert board(bens, game) == 404
    assert board(signed_in(ben), game) == 404
    assert game.slug not in signed_in(ben).get(reverse("account")).content.decode()
    assert board(phone, game) == 200
    assert board(signed_in(ruth), game) == 200


def test_who_stops_a_link_by_the_account_leaves_nothing_on_the_phone(
    phone: Client, game: Game, ruth: User
) -> None:
    claim(signed_in(ruth, phone))
    other = signed_in(ruth)
    key = AccessKey.objects.get(game=game, role=Role.SCORER)
    other.post(reverse("link_replace", args=[game.slug]), {"face": "score", "link": key.pk})

    assert board(other, game) == 200
    other.post(reverse("account_logout"))
    assert board(other, game) == 404


def test_a_link_opened_after_the_stop_is_claimed_again(
    phone: Client, game: Game, ruth: User, opens: Callable[..., Client]
) -> None:
    claim(signed_in(ruth, phone))
    link_replace(game=game, role=Role.SCORER)
    assert board(phone, game) == 404
    key = AccessKey.objects.get(game=game, role=Role.SCORER, revoked_at=None).key
    phone.get(reverse("open_scorer", args=[key]))

    assert "1 game is now in the account." in claim(phone)
    assert board(signed_in(ruth), game) == 200
    assert Claim.objects.count() == 1


def test_a_phone_that_knows_no_game_claims_none(game: Game, ruth: User) -> None:
    assert "0 games are now in the account." in claim(signed_in(ruth))
    forged = signed_in(ruth)
    forged.cookies["games"] = '[["x", "s", 1]]'
    claim(forged)

    assert not Claim.objects.exists()


def test_a_game_taken_out_stays_where_it_was(phone: Client, game: Game, ruth: User, ben: User) -> None:
    claim(signed_in(ruth, phone))
    signed_in(ben).post(reverse("account_drop", args=[game.slug]))
    assert Claim.objects.exists()

    phone.post(reverse("account_drop", args=[game.slug]))
    assert not Claim.objects.exists()
    assert board(phone, game) == 200
    assert board(signed_in(ruth), game) == 404


def test_a_game_begun_while_signed_in_is_in_the_account(ruth: User) -> None:
    signed_in(ruth).post(reverse("new"), {"do": "start", "player": ["Ann", "Ben"]})

    assert board(signed_in(ruth), Game.objects.get()) == 200


def test_a_rematch_takes_the_people_of_a_game_in_the_account(phone: Client, game: Game, ruth: User) -> None:
    claim(signed_in(ruth, phone))

    page = signed_in(ruth).get(reverse("new"), {"again": game.slug}).content.decode()
    assert 'value="Wilhelmina"' in page
    assert 'value="Wilhelmina"' not in Client().get(reverse("new"), {"again": game.slug}).content.decode()


def test_a_claim_is_no_change_of_the_game(phone: Client, game: Game, ruth: User) -> None:
    claim(signed_in(ruth, phone))

    game.refresh_from_db()
    assert (game.version, LogEntry.objects.count()) == (1, 1)


def test_what_watchers_share_says_nothing_of_who_is_signed_in(
    watcher: Client, game: Game, ruth: User, opens: Callable[..., Client]
) -> None:
    ruth.name = "Somebody-Signed-In"
    ruth.save()
    signed_in(ruth, watcher)
    play(game, ROUND)
    url, asked = reverse("live", args=[game.slug]), {"v": "1"}

    first = watcher.get(url, asked, headers={"hx-request": "true"}).content
    other = opens(Client(), game, Role.VIEWER).get(url, asked, headers={"hx-request": "true"}).content
    assert first == other
    assert b"Somebody-Signed-In" not in first
    assert b"ruth@example.org" not in first
    assert reverse("account").encode() not in first


def test_everything_works_without_an_account_and_asks_no_more(
    phone: Client, game: Game, django_assert_num_queries: Callable[..., Any]
) -> None:
    with django_assert_num_queries(4):
        page = phone.get(reverse("home")).content.decode()
    assert "ccount" not in page.replace("No account needed.", "")
    assert board(phone, game) == 200
    assert "Sign in" in phone.get(reverse("device")).content.decode()
    assert "sessionid" not in phone.cookies


def test_the_name_is_kept_and_may_be_empty(ruth: User) -> None:
    phone = signed_in(ruth)
    for name, kept in (("  Ruth  B. ", "Ruth B."), ("", "")):
        assert phone.post(reverse("account_name"), {"name": name}).status_code == 302
        ruth.refresh_from_db()
        assert ruth.name == kept
    refused = phone.post(reverse("account_name"), {"name": "a" * 41})
    assert refused.status_code == 422
    assert "a" * 41 in refused.content.decode()


def make_token(phone: Client, name: str) -> Any:
    return phone.post(reverse("account_tokens"), {"name": name})


def test_a_token_is_shown_once_and_kept_as_a_digest(ruth: User) -> None:
    phone = signed_in(ruth)
    page = make_token(phone, "Our web page").content.decode()
    found = re.search(r"sk_[\w-]{43}", page)
    assert found
    token = found[0]

    assert ApiToken.objects.get().digest == digest_of(token)
    assert token not in str(list(ApiToken.objects.values()))
    listed = phone.get(reverse("account_tokens")).content.decode()
    assert "Our web page" in listed
    assert "never used" in listed
    assert token not in listed


def test_a_token_without_a_name_is_not_made(ruth: User) -> None:
    for name in ("", "   ", "a" * 41, "\u202e"):
        assert make_token(signed_in(ruth), name).status_code == 422
    assert not ApiToken.objects.exists()


def test_an_account_has_so_many_tokens(ruth: User) -> None:
    for number in range(accounts.MOST_TOKENS):
        accounts.token_make(user=ruth, name=str(number))
    refused = make_token(signed_in(ruth), "One more")

    assert refused.status_code == 422
    assert "at most 20 tokens" in refused.content.decode()
    assert 'value="One more"' in refused.content.decode()
    assert ApiToken.objects.count() == accounts.MOST_TOKENS


def test_a_token_is_revoked_by_its_maker_alone(ruth: User, ben: User) -> None:
    make_token(signed_in(ruth), "Our web page")
    url = reverse("account_token_revoke", args=[ApiToken.objects.get().pk])

    assert signed_in(ben).post(url).status_code == 404
    assert ApiToken.objects.exists()
    assert signed_in(ruth).post(url).status_code == 302
    assert not ApiToken.objects.exists()
    assert signed_in(ruth).post(url).status_code == 404


def test_a_deleted_account_takes_its_claims_and_tokens_and_no_game(
    phone: Client, game: Game, ruth: User
) -> None:
    claim(signed_in(ruth, phone))
    other = signed_in(ruth)
    make_token(phone, "Our web page")
    url = reverse("account_delete")

    refused = phone.post(url, {"password": "trains"})
    assert refused.status_code == 422
    assert User.objects.exists()
    assert phone.post(url, {"password": PASSWORD}).headers["Location"] == reverse("home")
    assert [model.objects.count() for model in (User, Claim, ApiToken)] == [0, 0, 0]
    assert board(phone, game) == 200
    assert board(other, game) == 404
    assert phone.get(reverse("account")).status_code == 302


def test_an_account_is_not_deleted_by_guessing(ruth: User) -> None:
    phone = signed_in(ruth)
    codes = [phone.post(reverse("account_delete"), {"password": str(n)}).status_code for n in range(11)]

    assert codes == [422] * 10 + [429]


def test_a_full_account_costs_as_many_queries_as_a_small_one(
    ruth: User, opens: Callable[..., Client], django_assert_max_num_queries: Callable[..., Any]
) -> None:
    phone = signed_in(ruth)
    for number in range(8):
        game = start(name=f"Game {number}").sheet.game
        opens(phone, game)
        if number % 2:
            claim(phone)
    with django_assert_max_num_queries(12):
        phone.get(reverse("account"))


def test_another_s_post_from_another_page_is_refused(ruth: User) -> None:
    phone = Client(enforce_csrf_checks=True)
    phone.force_login(ruth)

    assert phone.post(reverse("account_tokens"), {"name": "x"}).status_code == 403
    assert phone.post(reverse("account_logout")).status_code == 403
