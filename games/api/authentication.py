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
from rest_framework.exceptions import AuthenticationFailed, NotAuthenticated, NotFound
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from games.accounts import token_used
from games.api.limits import count
from games.models import ApiToken, User
from games.permissions import Access, access_by_secret, claimed, token_by_secret
from games.services import WRONG_KEY

_HEADER = re.compile(r"bearer +([A-Za-z0-9_-]{1,64})", re.IGNORECASE)


def bearer(request: HttpRequest | Request) -> str | None:
    """The key that was sent, if it could be one."""
    found = _HEADER.fullmatch(request.META.get("HTTP_AUTHORIZATION", "").strip())
    return found[1] if found else None


class GameKeyAuthentication(BaseAuthentication):
    """Sets `request.auth` to what the key opens, or to a token whose account does not have this game.

    A good key is never put off, a wrong one is counted.
    """

    def authenticate(self, request: Request) -> tuple[AnonymousUser | User, Access | ApiToken] | None:
        if not request.META.get("HTTP_AUTHORIZATION", "").strip():
            return None
        secret = bearer(request)
        token = token_by_secret(secret) if secret else None
        if token is not None:
            token_used(token)
            slug = request.parser_context["kwargs"].get("slug", "")
            return token.user, claimed(token.user, slug, token_id=token.pk, deleted=True) or token
        access = access_by_secret(secret, deleted=True) if secret else None
        if access is None:
            count(request, WRONG_KEY, most=settings.WRONG_KEYS_PER_MINUTE)
            raise AuthenticationFailed(_("This key is unknown or has been stopped."))
        return AnonymousUser(), access

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="games"'


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
