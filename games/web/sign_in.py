"""How django-allauth is made part of the house: its words, its answers and what it counts.

Knows allauth's hooks. Must not know games.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account import forms as allauth_forms
from allauth.account.adapter import DefaultAccountAdapter
from django import forms
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games import permissions

TOO_MANY = _("That was tried too often. Wait five minutes, then try again.")
View = Callable[..., HttpResponseBase]


class Adapter(DefaultAccountAdapter):  # type: ignore[misc] # allauth is not typed
    """Words of the house, and the address that all limits count."""

    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "duplicate_email": _("This is the account’s address already."),
        "email_password_mismatch": _("This address and this password do not belong together."),
        "enter_current_password": _("This is not the account’s password."),
        "incorrect_password": _("This is not the account’s password."),
        "invalid_password_reset": _("This link has been used, or it is too old."),
        "rate_limited": TOO_MANY,
        "too_many_login_attempts": TOO_MANY,
    }

    def get_client_ip(self, request: HttpRequest) -> str:
        return permissions.address(request.META)

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        return reverse("account")


LABELS = {
    "email": _("E-mail address"),
    "login": _("E-mail address"),
    "name": _("Name"),
    "oldpassword": _("Present password"),
    "password": _("Password"),
    "password1": _("Password"),
}


class InHouse:
    """One of allauth's forms in words of the house; a password is typed once, since a new one is soon had."""

    fields: dict[str, forms.Field]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields.pop("password2", None)
        for name, field in self.fields.items():
            field.label = LABELS.get(name, field.label)
            field.error_messages["required"] = _("Nothing is typed here yet.")
            if isinstance(field, forms.EmailField):
                field.error_messages["invalid"] = _("An address looks like ruth@example.org.")


class SignUp(InHouse, allauth_forms.SignupForm):  # type: ignore[misc] # allauth is not typed
    pass


class SignIn(InHouse, allauth_forms.LoginForm):  # type: ignore[misc]
    pass


class ForgottenPassword(InHouse, allauth_forms.ResetPasswordForm):  # type: ignore[misc]
    pass


class NewPassword(InHouse, allauth_forms.ResetPasswordKeyForm):  # type: ignore[misc]
    pass


class ChangePassword(InHouse, allauth_forms.ChangePasswordForm):  # type: ignore[misc]
    pass


class ChangeEmail(InHouse, allauth_forms.AddEmailForm):  # type: ignore[misc]
    """Another address for the account, by whoever knows its password: a phone may have been left lying."""

    password = forms.CharField()

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        if not self.user.check_password(password):
            raise forms.ValidationError(Adapter.error_messages["incorrect_password"])
        return password


def in_house(view: View) -> View:
    """One of allauth's pages with the house's answers: 422 for what cannot be taken, 429 for what is put off,
    404 for a link that is dead."""

    @wraps(view)
    def answered(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        response = view(request, *args, **kwargs)
        context = getattr(response, "context_data", None) or {}
        form = context.get("form")
        if context.get("token_fail") or not context.get("confirmation", True):
            response.status_code = 404
        elif isinstance(form, forms.BaseForm) and form.errors:
            put_off = any(error == str(TOO_MANY) for error in form.non_field_errors())
            response.status_code = 429 if put_off else 422
        return response

    return require_http_methods(["GET", "HEAD", "POST"])(never_cache(answered))


def too_many(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """What allauth shows once a limit is reached."""
    return render(request, "account/429.html", status=429)
