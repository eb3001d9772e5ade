"""Signing up and in, addresses and passwords: django-allauth's flows as this site answers them."""

from __future__ import annotations

import re

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from games.models import User

pytestmark = pytest.mark.django_db
PASSWORD = "trains and tiles"
ADDRESS = "ruth@example.org"


@pytest.fixture
def ruth() -> User:
    user = User.objects.create_user(ADDRESS, PASSWORD, name="Ruth")
    EmailAddress.objects.create(user=user, email=ADDRESS, verified=True, primary=True)
    return user


def send(client: Client, page: str, /, **data: str) -> HttpResponse:
    return client.post(reverse(page), data)  # type: ignore[return-value]


def sign_up(client: Client, email: str = ADDRESS, **more: str) -> HttpResponse:
    return send(client, "account_signup", **{"email": email, "password1": PASSWORD, "name": "Ruth"} | more)


def sign_in(client: Client, email: str = ADDRESS, password: str = PASSWORD) -> HttpResponse:
    return send(client, "account_login", login=email, password=password)


def link() -> str:
    """The link of the newest message."""
    found = re.search(r"http://testserver(/\S+)", str(mail.outbox[-1].body))
    assert found
    return found[1]


def is_in(client: Client) -> bool:
    return client.get(reverse("account")).status_code == 200


def test_who_signs_up_confirms_the_address_and_is_in(client: Client) -> None:
    answer = sign_up(client, "Ruth@Example.org")

    assert answer.headers["Location"] == reverse("account_email_verification_sent")
    assert not is_in(client)
    assert mail.outbox[0].to == [ADDRESS]
    assert "testserver" in str(mail.outbox[0].body)
    assert client.get(link()).status_code == 200
    assert not EmailAddress.objects.get().verified  # looking is not confirming
    assert client.post(link()).headers["Location"] == reverse("account")
    assert is_in(client)
    assert User.objects.get().name == "Ruth"


def test_the_link_opened_elsewhere_confirms_but_signs_nobody_in(client: Client) -> None:
    sign_up(client)
    other = Client()

    assert other.post(link()).status_code == 302
    assert not is_in(other)
    assert sign_in(other).headers["Location"] == reverse("account")
    assert is_in(other)
    assert other.post(link()).status_code == 404  # used


def test_an_unconfirmed_address_does_not_sign_in(client: Client) -> None:
    sign_up(client)
    other = Client()

    assert sign_in(other).headers["Location"] == reverse("account_email_verification_sent")
    assert not is_in(other)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"email": "ruth"}, "An address looks like ruth@example.org."),
        ({"email": ""}, "E-mail address:</b> Nothing is typed here yet."),
        ({"password1": ""}, "Password:</b> Nothing is typed here yet."),
        ({"password1": "12345"}, "too short"),
        ({"password1": "password1"}, "too common"),
        ({"password1": "ruth@example"}, "too similar"),
        ({"name": "a" * 41}, "Name:</b>"),
        ({"name": "\u2800\u202e"}, "nobody can see"),
    ],
)
def test_what_cannot_be_taken_is_said_and_stays_typed(
    client: Client, data: dict[str, str], said: str
) -> None:
    answer = sign_up(client, **data)
    page = answer.content.decode()

    assert answer.status_code == 422
    assert said in page
    assert f'value="{data.get("email", ADDRESS)}"' in page
    assert PASSWORD not in page
    assert not User.objects.exists()


def test_signing_up_does_not_tell_who_has_an_account(client: Client, ruth: User) -> None:
    taken = sign_up(client)
    free = sign_up(Client(), "ben@example.org")

    assert (taken.status_code, taken.headers["Location"]) == (free.status_code, free.headers["Location"])
    assert mail.outbox[0].subject == "There is an account at Scorekeeper already"
    assert [message.to for message in mail.outbox] == [[ADDRESS], ["ben@example.org"]]
    assert User.objects.filter(email=ADDRESS).count() == 1


def test_a_wrong_password_and_an_unknown_address_look_alike(client: Client, ruth: User) -> None:
    wrong = sign_in(client, password="trains")
    unknown = sign_in(client, "ben@example.org")

    said = "This address and this password do not belong together."
    assert [answer.status_code for answer in (wrong, unknown)] == [422, 422]
    assert all(said in answer.content.decode() for answer in (wrong, unknown))


def test_asking_for_a_new_password_does_not_tell_who_has_an_account(client: Client, ruth: User) -> None:
    answers = [send(client, "account_reset_password", email=email) for email in (ADDRESS, "ben@example.org")]

    assert {answer.headers["Location"] for answer in answers} == {reverse("account_reset_password_done")}
    assert [message.subject for message in mail.outbox] == [
        "A new password for Scorekeeper",
        "No account at Scorekeeper",
    ]


def test_a_forgotten_password_is_set_anew_once(client: Client, ruth: User) -> None:
    send(client, "account_reset_password", email=ADDRESS)
    key = link()
    form = client.get(key, follow=True)
    assert key not in form.request["PATH_INFO"]  # the secret leaves the address

    refused = client.post(form.request["PATH_INFO"], {"password1": "123"})
    assert refused.status_code == 422
    assert client.post(form.request["PATH_INFO"], {"password1": "dominoes at noon"}).status_code == 302
    assert is_in(client)
    assert sign_in(Client()).status_code == 422
    assert sign_in(Client(), password="dominoes at noon").status_code == 302
    assert Client().get(key, follow=True).status_code == 404


def test_a_new_password_signs_the_other_phones_out(client: Client, ruth: User) -> None:
    other = Client()
    sign_in(client)
    sign_in(other)

    wrong = send(client, "account_change_password", oldpassword="trains", password1="dominoes at noon")
    assert wrong.status_code == 422
    assert is_in(other)
    right = send(client, "account_change_password", oldpassword=PASSWORD, password1="dominoes at noon")
    assert right.headers["Location"] == reverse("account")
    assert is_in(client)
    assert not is_in(other)


def test_a_new_address_counts_once_it_is_confirmed(client: Client, ruth: User) -> None:
    sign_in(client)
    change = {"action_add": "1", "email": "Ruth@club.example"}

    assert send(client, "account_email", **change, password="trains").status_code == 422
    assert not mail.outbox
    assert send(client, "account_email", **change, password=PASSWORD).status_code == 302
    assert b"ruth@club.example" in client.get(reverse("account_email")).content
    ruth.refresh_from_db()
    assert ruth.email == ADDRESS
    client.post(link())
    ruth.refresh_from_db()
    assert ruth.email == "ruth@club.example"
    assert sign_in(Client()).status_code == 422
    assert sign_in(Client(), "ruth@club.example").status_code == 302


def test_a_change_of_address_does_not_tell_who_has_an_account(client: Client, ruth: User) -> None:
    User.objects.create_user("ben@example.org", PASSWORD)
    sign_in(client)
    change = {"action_add": "1", "password": PASSWORD}

    answers = [
        send(client, "account_email", email=email, **change) for email in ("ben@example.org", "x@example.org")
    ]
    assert [answer.status_code for answer in answers] == [302, 302]


def test_a_closed_account_does_not_sign_in(client: Client, ruth: User) -> None:
    User.objects.update(is_active=False)

    assert sign_in(client).headers["Location"] == reverse("account_inactive")
    assert not is_in(client)


def test_an_operator_made_on_the_console_confirms_the_address_once(client: Client) -> None:
    User.objects.create_superuser(ADDRESS, PASSWORD)

    assert sign_in(client).headers["Location"] == reverse("account_email_verification_sent")
    client.post(link())
    assert client.get("/admin/").status_code == 200


def test_signing_out_takes_a_post(client: Client, ruth: User) -> None:
    sign_in(client)

    assert client.get(reverse("account_logout")).status_code == 200
    assert is_in(client)
    assert send(client, "account_logout").headers["Location"] == reverse("home")
    assert not is_in(client)


def test_who_signs_in_goes_on_where_it_was_asked_for_and_nowhere_else(client: Client, ruth: User) -> None:
    asked = client.get(reverse("account_tokens"))
    assert asked.headers["Location"] == f"{reverse('account_login')}?next={reverse('account_tokens')}"
    page = client.get(asked.headers["Location"]).content.decode()
    assert f'<input type="hidden" name="next" value="{reverse("account_tokens")}">' in page
    away = client.post(
        reverse("account_login"), {"login": ADDRESS, "password": PASSWORD, "next": "https://x.test/"}
    )
    assert away.headers["Location"] == reverse("account")


def test_wrong_passwords_of_one_account_are_put_off(client: Client, ruth: User) -> None:
    codes = [sign_in(client, password=f"wrong {number}").status_code for number in range(6)]

    assert codes == [422] * 5 + [429]
    late = sign_in(client)  # the right one has to wait, too
    assert late.status_code == 429
    assert "Wait five minutes" in late.content.decode()


@pytest.mark.parametrize(
    ("name", "most", "data"),
    [
        ("account_login", 30, {"login": "nobody"}),
        ("account_signup", 20, {"email": "nobody"}),
        ("account_reset_password", 5, {"email": ADDRESS}),
    ],
)
def test_one_address_is_put_off(client: Client, name: str, most: int, data: dict[str, str]) -> None:
    codes = [send(client, name, **data).status_code for _time in range(most + 1)]

    assert 429 not in codes[:-1]
    assert codes[-1] == 429
    assert b"Tried too often" in send(client, name, **data).content


def test_a_proxy_s_callers_are_counted_apart(client: Client, settings: object) -> None:
    settings.NUM_PROXIES = 1  # type: ignore[attr-defined]
    url, data = reverse("account_signup"), {"email": "nobody"}
    for caller, codes in (("192.0.2.1", [422] * 20 + [429]), ("192.0.2.9", [422])):
        for code in codes:
            assert client.post(url, data, headers={"X-Forwarded-For": caller}).status_code == code


def test_pages_of_accounts_are_kept_by_nobody(client: Client, ruth: User) -> None:
    assert "no-store" in client.get(reverse("account_login")).headers["Cache-Control"]
    sign_in(client)
    assert "no-store" in client.get(reverse("account")).headers["Cache-Control"]


def test_nothing_of_allauth_is_reached_but_what_is_wanted(client: Client) -> None:
    for path in ("login/", "login/code/", "reauthenticate/", "password/set/", "3rdparty/", "phone/verify/"):
        assert client.get(f"/account/{path}").status_code == 404
