"""The addresses of accounts: the pages of django-allauth that are wanted, under its names, and our own."""

from allauth.account import views
from django.urls import URLPattern, path, re_path

from games.web import account
from games.web.sign_in import in_house

urlpatterns: list[URLPattern] = [
    path("", account.account, name="account"),
    path("claim/", account.claim, name="account_claim"),
    path("games/<slug:slug>/drop/", account.claim_drop, name="account_drop"),
    path("name/", account.name, name="account_name"),
    path("tokens/", account.tokens, name="account_tokens"),
    path("tokens/<int:token_id>/revoke/", account.token_revoke, name="account_token_revoke"),
    path("delete/", account.delete, name="account_delete"),
    path("sign-up/", in_house(views.signup), name="account_signup"),
    path("sign-in/", in_house(views.login), name="account_login"),
    path("sign-out/", in_house(views.logout), name="account_logout"),
    path("closed/", in_house(views.account_inactive), name="account_inactive"),
    path("confirm/", in_house(views.email_verification_sent), name="account_email_verification_sent"),
    re_path(r"^confirm/(?P<key>[-:\w]+)/$", in_house(views.confirm_email), name="account_confirm_email"),
    path("e-mail/", in_house(views.email), name="account_email"),
    path("password/", in_house(views.password_change), name="account_change_password"),
    path("forgotten/", in_house(views.password_reset), name="account_reset_password"),
    path("forgotten/sent/", in_house(views.password_reset_done), name="account_reset_password_done"),
    re_path(
        r"^forgotten/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        in_house(views.password_reset_from_key),
        name="account_reset_password_from_key",
    ),
]
