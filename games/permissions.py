"""Who may see a game and who may write in it, for the web and the API alike.

Knows keys, roles, accounts and whose address a limit counts. Must not know cookies or where in a request a
key stood: the callers read those.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from django.conf import settings
from django.db.models import QuerySet

from games.models import AccessKey, ApiToken, Claim, Game, Role, User, rows_of, sql_of

TOKEN_PREFIX = "sk_"  # noqa: S105 - it tells an account's token from a game's key


@dataclass(frozen=True, slots=True)
class Access:
    """What one key opens: its game, as what and by which key row; `who` and `token_id` if by an account."""

    game: Game
    role: Role
    key_id: int
    who: str = ""
    token_id: int | None = None

    @property
    def may_score(self) -> bool:
        return self.role == Role.SCORER

    @property
    def credential(self) -> str:
        """Who called, for what is remembered of a call."""
        return str(self.key_id) if self.token_id is None else f"token {self.token_id}"


def access_by_secret(secret: str) -> Access | None:
    """What a link's secret opens; None if it is unknown or stopped (which look alike)."""
    return _access(AccessKey.objects.filter(key=secret))


def accesses_by_secret(secrets: Collection[str]) -> dict[str, Access]:
    """What many links open, in one query; those that open nothing are left out."""
    keys = AccessKey.objects.filter(key__in=secrets, revoked_at=None).select_related("game")
    return {key.key: Access(game=key.game, role=Role(key.role), key_id=key.pk) for key in keys}


def access_by_id(key_id: int, slug: str) -> Access | None:
    """What a key the device has used before still opens, if it belongs to that game."""
    return _access(AccessKey.objects.filter(pk=key_id, game__slug=slug))


def _access(keys: QuerySet[AccessKey]) -> Access | None:
    try:
        key = keys.select_related("game").get(revoked_at=None)
    except AccessKey.DoesNotExist:
        return None
    return Access(game=key.game, role=Role(key.role), key_id=key.pk)


class Dated(NamedTuple):
    """Which game a key opens and how new it is, without the game itself."""

    slug: str
    version: int
    game_id: int


def version_by_secret(secret: str) -> Dated | None:
    """What a link's secret opens: one narrow query, for those who ask often."""
    rows = rows_of(_version_by_secret(), [secret])
    return Dated._make(rows[0]) if rows else None


@cache
def _version_by_secret() -> str:
    keys = AccessKey.objects.filter(revoked_at=None, key="")
    return sql_of(keys.values_list("game__slug", "game__version", "game_id"))


def version_by_id(key_id: int, slug: str) -> int | None:
    """The version of the game that a key this device has used before still opens: one narrow query."""
    rows = rows_of(_version_by_id(), [key_id, slug])
    return rows[0][0] if rows else None


@cache
def _version_by_id() -> str:
    keys = AccessKey.objects.filter(revoked_at=None, pk=0).filter(game__slug="")
    return sql_of(keys.values_list("game__version"))


def claimed(user: User, slug: str, *, token_id: int | None = None) -> Access | None:
    """What an account opens: a game that was claimed by a key which still lives."""
    claims = Claim.objects.filter(user=user, game__slug=slug, key__revoked_at=None)
    claim = claims.select_related("game", "key").first()
    if claim is None:
        return None
    role = Role(claim.key.role)
    return Access(game=claim.game, role=role, key_id=claim.key_id, who=user.name, token_id=token_id)


def claimed_keys(user: User) -> list[int]:
    """The live keys in an account, newest claim first."""
    claims = Claim.objects.filter(user=user, key__revoked_at=None).order_by("-created_at", "-pk")
    return list(claims.values_list("key_id", flat=True))


def digest_of(token: str) -> str:
    """A token as it is kept. It holds 256 bits of chance, so one round of hashing hides it."""
    return hashlib.sha256(token.encode()).hexdigest()


def token_by_secret(secret: str) -> ApiToken | None:
    """The token with its user; None if it is unknown, revoked or its account is closed."""
    if not secret.startswith(TOKEN_PREFIX):
        return None
    tokens = ApiToken.objects.filter(digest=digest_of(secret), user__is_active=True)
    return tokens.select_related("user").first()


def address(meta: Mapping[str, Any]) -> str:
    """The caller's address, as limits count it; behind NUM_PROXIES proxies, what the outermost saw."""
    forwarded = str(meta.get("HTTP_X_FORWARDED_FOR", "")).split(",")
    proxies = settings.NUM_PROXIES
    if proxies and len(forwarded) >= proxies and forwarded[-proxies].strip():
        return forwarded[-proxies].strip()[:64]
    return str(meta.get("REMOTE_ADDR", ""))[:64]
