"""Somebody's account: the games in it, the tokens of its programs, its name and its end.

Knows forms and answers. Signing in, addresses and passwords are django-allauth's (sign_in).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from allauth.core import ratelimit
from django.contrib import messages as notices
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games import accounts, selectors
from games.accounts import MOST_TOKENS
from games.forms import PersonForm, TokenForm
from games.messages import number
from games.models import ApiToken, Role, User
from games.permissions import claimed_keys
from games.web.device import DeviceRequest
from games.web.home import GameRow, game_row
from games.web.sign_in import TOO_MANY

P = ParamSpec("P")
View = Callable[Concatenate[DeviceRequest, User, P], HttpResponse]


def signed_in(view: View[P]) -> Callable[..., HttpResponse]:
    """The view gets (request, user, …); who is not signed in is asked to."""

    @wraps(view)
    def known(request: DeviceRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        assert isinstance(request.user, User)  # noqa: S101 - login_required lets nobody else in
        return view(request, request.user, *args, **kwargs)

    return never_cache(login_required(known))


@require_safe
@signed_in
def account(request: DeviceRequest, user: User) -> HttpResponse:
    inside = claimed_keys(user)
    context = {
        "inside": _rows(inside),
        "outside": _rows(_unclaimed(request, user, inside)),
        "token_count": ApiToken.objects.filter(user=user).count(),
    }
    return render(request, "account/account.html", context)


def _unclaimed(request: DeviceRequest, user: User, inside: list[int]) -> list[int]:
    """The keys on this phone that would add a game to the account, or let it keep score in one."""
    claims = selectors.games_by_key(inside)
    roles = {game.pk: role for _key_id, role, game in claims}
    known = {game.key_id: game.slug for game in request.device.games}
    return [
        key_id
        for key_id, role, game in selectors.games_by_key(list(known))
        if known[key_id] == game.slug and roles.get(game.pk) not in (role, Role.SCORER)
    ]


def _rows(key_ids: list[int]) -> list[GameRow]:
    """Games as the home page lists them, last changed first."""
    roles = {game: role for _key_id, role, game in selectors.games_by_key(key_ids)}
    newest = sorted(roles, key=lambda game: (game.changed_at, game.pk), reverse=True)
    return [
        game_row(sheet, watching=roles[sheet.game] == Role.VIEWER) for sheet in selectors.sheets_of(newest)
    ]


@require_POST
@signed_in
def claim(request: DeviceRequest, user: User) -> HttpResponse:
    """All games of this phone; a forged cookie holds none, so nobody claims what was never opened."""
    count = accounts.games_claim(user=user, key_ids=_unclaimed(request, user, claimed_keys(user)))
    notices.success(
        request,
        ngettext("%(count)s game is now in the account.", "%(count)s games are now in the account.", count)
        % {"count": number(count)},
    )
    return redirect("account")


@require_POST
@signed_in
def claim_drop(request: DeviceRequest, user: User, slug: str) -> HttpResponse:
    accounts.claim_drop(user=user, slug=slug)
    notices.success(request, _("The game is no longer in the account. Nothing in it was changed."))
    return redirect("account")


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def name(request: DeviceRequest, user: User) -> HttpResponse:
    if request.method != "POST":
        return render(request, "account/name.html", {"form": PersonForm(initial={"name": user.name})})
    form = PersonForm(request.POST)
    if not form.is_valid():
        return render(request, "account/name.html", {"form": form}, status=422)
    accounts.name_change(user=user, name=form.cleaned_data["name"])
    notices.success(request, _("The name is kept."))
    return redirect("account")


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def tokens(request: DeviceRequest, user: User) -> HttpResponse:
    if request.method != "POST":
        return _tokens(request, user, TokenForm())
    form = TokenForm(request.POST)
    token = accounts.token_make(user=user, name=form.cleaned_data["name"]) if form.is_valid() else None
    if token is None:
        if form.is_valid():
            most = _("An account has at most %(most)s tokens. Revoke one that is not used.")
            form.add_error("name", most % {"most": number(MOST_TOKENS)})
        return _tokens(request, user, form, status=422)
    return render(request, "account/token.html", {"token": token, "name": form.cleaned_data["name"]})


def _tokens(request: DeviceRequest, user: User, form: TokenForm, status: int = 200) -> HttpResponse:
    context = {"tokens": ApiToken.objects.filter(user=user).order_by("-created_at", "-pk"), "form": form}
    return render(request, "account/tokens.html", context, status=status)


@require_POST
@signed_in
def token_revoke(request: DeviceRequest, user: User, token_id: int) -> HttpResponse:
    if not accounts.token_revoke(user=user, token_id=token_id):
        raise Http404
    notices.success(request, _("The token is revoked. It opens nothing any more."))
    return redirect("account_tokens")


@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters("password")
@signed_in
def delete(request: DeviceRequest, user: User) -> HttpResponse:
    if request.method != "POST":
        return render(request, "account/delete.html")
    if not ratelimit.consume(request, action="reauthenticate", user=user):
        return render(request, "account/delete.html", {"fault": TOO_MANY}, status=429)
    if not user.check_password(request.POST.get("password", "")):
        fault = _("This is not the account’s password.")
        return render(request, "account/delete.html", {"fault": fault}, status=422)
    accounts.account_delete(user=user)
    logout(request)
    return redirect("home")
