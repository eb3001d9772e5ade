"""Django's admin: operators alone, the log only read, no secret shown."""

from __future__ import annotations

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import reverse

from games import accounts
from games.models import AccessKey, ApiToken, Game, LogEntry, User
from tests.cast import play, start

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    game = start(name="Friday at Ruth’s").sheet.game
    play(game, (33, 2, 0, 31, 46))
    return game


@pytest.fixture
def ruth() -> User:
    return User.objects.create_user("ruth@example.org", "trains and tiles", name="Ruth")


@pytest.fixture
def operator() -> Client:
    client = Client()
    client.force_login(User.objects.create_superuser("ops@example.org", "trains and tiles"))
    return client


def lists() -> list[str]:
    return [f"{model._meta.app_label}_{model._meta.model_name}" for model in admin.site._registry]


def test_who_is_signed_out_is_asked_to_sign_in_where_everybody_does(client: Client) -> None:
    for path in ("/admin/", "/admin/games/game/", "/admin/games/logentry/1/change/"):
        answer = client.get(path, follow=True)
        assert answer.redirect_chain[-1][0].startswith(reverse("account_login"))
    assert client.post("/admin/login/", {"username": "ops@example.org", "password": "x"}).status_code == 302


def test_who_is_no_operator_gets_nothing(client: Client, ruth: User, game: Game) -> None:
    client.force_login(ruth)

    for name in lists():
        url = reverse(f"admin:{name}_changelist")
        assert client.get(url, follow=True).status_code == 403
    assert client.get("/admin/", follow=True).status_code == 403


def test_an_operator_opens_every_list(operator: Client, game: Game, ruth: User) -> None:
    assert {"games_game", "games_logentry", "games_user"} <= set(lists())
    for name in lists():
        assert operator.get(reverse(f"admin:{name}_changelist"), {"q": "Ruth"}).status_code == 200


@pytest.mark.parametrize("name", ["games_game", "games_logentry"])
def test_games_and_the_log_are_only_read(operator: Client, game: Game, name: str) -> None:
    entry = LogEntry.objects.get(number=2)
    pk = game.pk if name == "games_game" else entry.pk
    before = (list(Game.objects.values()), list(LogEntry.objects.values()))

    assert operator.get(reverse(f"admin:{name}_change", args=[pk])).status_code == 200
    for url in (
        reverse(f"admin:{name}_add"),
        reverse(f"admin:{name}_change", args=[pk]),
        reverse(f"admin:{name}_delete", args=[pk]),
    ):
        assert operator.post(url, {"post": "yes", "name": "x", "reason": "x"}).status_code == 403
    operator.post(
        reverse(f"admin:{name}_changelist"),
        {"action": "delete_selected", "_selected_action": str(pk), "post": "yes"},
    )
    assert (list(Game.objects.values()), list(LogEntry.objects.values())) == before


def test_no_secret_is_shown(operator: Client, game: Game, ruth: User) -> None:
    accounts.games_claim(user=ruth, key_ids=list(AccessKey.objects.values_list("pk", flat=True)))
    accounts.token_make(user=ruth, name="Our web page")
    pages = [
        operator.get(reverse("admin:games_game_change", args=[game.pk])),
        operator.get(reverse("admin:games_user_change", args=[ruth.pk])),
    ]
    shown = "".join(page.content.decode() for page in pages)

    assert "Our web page" in shown
    for secret in (
        *AccessKey.objects.values_list("key", flat=True),
        *ApiToken.objects.values_list("digest", flat=True),
        ruth.password,
    ):
        assert secret not in shown
    registered = {model._meta.model_name for model in admin.site._registry}
    assert not registered & {"accesskey", "apitoken", "savedanswer", "session"}


def test_an_operator_adds_a_user_without_a_password_and_closes_an_account(
    operator: Client, ruth: User
) -> None:
    inlines = {f"{name}-{part}_FORMS": "0" for name in ("claims", "tokens") for part in ("TOTAL", "INITIAL")}
    new = {"email": "Ben@Example.org", "name": "Ben", **inlines}
    assert operator.post(reverse("admin:games_user_add"), new).status_code == 302
    ben = User.objects.get(email="ben@example.org")
    assert not ben.has_usable_password()

    data = {"email": ruth.email, "name": ruth.name, **inlines}
    assert operator.post(reverse("admin:games_user_change", args=[ruth.pk]), data).status_code == 302
    ruth.refresh_from_db()
    assert not ruth.is_active


def test_the_admin_s_pages_obey_the_site_s_policy(operator: Client, client: Client, game: Game) -> None:
    here = operator.get("/admin/games/game/").headers["Content-Security-Policy"]

    assert here == client.get("/").headers["Content-Security-Policy"]
