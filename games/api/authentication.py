"""Who calls: a game's key or a user's token, sent as `Authorization: Bearer KEY`.

Knows the header and the limit on wrong keys. Must not know what a key may do: permissions knows that.
"""

from __future__ import annotations

import re
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.utils.translation import gettext as _
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed, NotAuthenticated, NotFound, PermissionDenied
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from games.accounts import token_used
from games.api.limits import count
from games.models import ApiToken, ClubKey, ClubLink, User
from games.permissions import (
    Access,
    ClubAccess,
    access_by_bearer,
    access_by_secret,
    club_access,
    club_key,
    token_by_secret,
)
from games.services import WRONG_KEY

SAID = "said"  # a refusal whose words are its own

_HEADER = re.compile(r"bearer +([A-Za-z0-9_-]{1,64})", re.IGNORECASE)


def bearer(request: HttpRequest | Request) -> str | None:
    """The key that was sent, if it could be one."""
    found = _HEADER.fullmatch(request.META.get("HTTP_AUTHORIZATION", "").strip())
    return found[1] if found else None


Opened = Access | ApiToken | ClubKey


class BearerAuthentication(BaseAuthentication):
    """Sets `request.auth` to what was sent: a token, a club's reader key, or what a game's key opens.

    A good key is never put off, a wrong one is counted.
    """

    def authenticate(self, request: Request) -> tuple[AnonymousUser | User, Opened] | None:
        if not request.META.get("HTTP_AUTHORIZATION", "").strip():
            return None
        secret = bearer(request)
        token = token_by_secret(secret) if secret else None
        if token is not None:
            token_used(token)
            return token.user, self.opened(request, secret or "", token) or token
        access = access_by_secret(secret, deleted=True) if secret else None
        if access is not None:
            return AnonymousUser(), access
        key = club_key(secret, ClubLink.READER) if secret else None
        if key is None:
            count(request, WRONG_KEY, most=settings.WRONG_KEYS_PER_MINUTE)
            raise AuthenticationFailed(_("This key is unknown or has been stopped."))
        return AnonymousUser(), self.opened(request, secret or "", None) or key

    def opened(self, request: Request, secret: str, token: ApiToken | None) -> Access | None:
        """What a token or a club's key opens at this address."""
        return None

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="games"'


class GameKeyAuthentication(BearerAuthentication):
    """For the address of a game: `request.auth` is what the key opens there, if it opens it."""

    def opened(self, request: Request, secret: str, token: ApiToken | None) -> Access | None:
        return access_by_bearer(secret, request.parser_context["kwargs"].get("slug", ""), token)


class TokenAuthentication(BearerAuthentication):
    """For what an account has."""


class ClubKeyAuthentication(BearerAuthentication):
    """For the address of a club."""


def token_of(request: Request) -> ApiToken:
    """The token that was sent; 401 for nothing, 403 for a key that has no account."""
    token: Any = request.auth
    if token is None:
        raise NotAuthenticated(_("A token is needed, in the header “Authorization: Bearer TOKEN”."))
    if not isinstance(token, ApiToken):
        raise PermissionDenied(_("A game’s key has no account. A user’s token is needed."), SAID)
    return token


class OpensThisGame(BasePermission):
    """A key of another game, an account without it, a deleted game and none at all look alike.

    Only a view's `brings_back` methods find a deleted game, and only for who keeps score.
    """

    def has_permission(self, request: Request, view: APIView) -> bool:
        access: Any = request.auth
        if access is None:
            raise NotAuthenticated(_("A key is needed, in the header “Authorization: Bearer KEY”."))
        if not isinstance(access, Access) or access.game.slug != view.kwargs["slug"]:
            raise NotFound
        if access.deleted and not (access.may_score and request.method in getattr(view, "brings_back", ())):
            raise NotFound
        return True


class OpensThisClub(BasePermission):
    """By a token or a reader's key, or without any where anybody may read the club.

    A club that is not theirs and none at all look alike. What a call needs beyond reading is its view's
    `needs`, by method; permissions says who may do that.
    """

    def has_permission(self, request: Request, view: APIView) -> bool:
        auth: Any = request.auth
        user = auth.user if isinstance(auth, ApiToken) else None
        keys = [auth.pk] if isinstance(auth, ClubKey) else []
        access = club_access(view.kwargs["slug"], user=user, reader_keys=keys)
        method = "GET" if request.method == "HEAD" else request.method
        needs = getattr(view, "needs", {}).get(method, "read")
        if auth is None and (access is None or not access.may(needs)):
            raise NotAuthenticated(
                _("A token or a reader’s key is needed, in the header “Authorization: Bearer TOKEN”.")
            )
        if access is None:
            raise NotFound
        if not access.may(needs):
            raise PermissionDenied(refusal(access), SAID)
        view.opened = access  # type: ignore[attr-defined]
        return True


def refusal(access: ClubAccess) -> str:
    if access.role is None:
        return _("This key may read the club’s tables, no more. A member’s token is needed.")
    return _("Your role in the club is %(role)s. That is not enough for this.") % {"role": access.role.label}
