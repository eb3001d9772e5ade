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
from django.db.models import Q, QuerySet
from django.utils import timezone

from games.models import KEPT, AccessKey, ApiToken, Claim, Game, Role, User, rows_of, sql_of, stamp

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
    def may_challenge(self) -> bool:
        """Whoever has the game open may doubt a score: it changes no number. Ruling is scoring."""
        return self.role in Role.values

    @property
    def credential(self) -> str:
        """Who called, for what is remembered of a call."""
        return str(self.key_id) if self.token_id is None else f"token {self.token_id}"

    @property
    def may_sit(self) -> bool:
        """Whether it came by the table's code: it takes a seat and enters that hand, no score."""
        return self.role == Role.SEAT

    @property
    def may_confirm(self) -> bool:
        return self.may_score or self.may_sit

    @property
    def deleted(self) -> bool:
        return self.game.deleted_at is not None


def access_by_secret(secret: str, *, deleted: bool = False) -> Access | None:
    """What a link's secret opens; None if it is unknown, stopped or of a deleted game (which look alike).

    `deleted`: what it would open in a deleted game too, for as long as that can be brought back.
    """
    return _access(AccessKey.objects.filter(key=secret), deleted=deleted)


def accesses_by_secret(secrets: Collection[str]) -> dict[str, Access]:
    """What many links open, in one query, deleted games too; those that open nothing are left out."""
    keys = AccessKey.objects.filter(_there(), key__in=secrets, revoked_at=None).select_related("game")
    return {key.key: Access(game=key.game, role=Role(key.role), key_id=key.pk) for key in keys}


def access_by_id(key_id: int, slug: str, *, deleted: bool = False) -> Access | None:
    """As `access_by_secret`, for a key the device has used before, if it belongs to that game."""
    return _access(AccessKey.objects.filter(pk=key_id, game__slug=slug), deleted=deleted)


def deleted_by_ids(key_ids: Collection[int]) -> list[Access]:
    """The deleted games of many keys that may be brought back by them, last deleted first."""
    keys = AccessKey.objects.filter(pk__in=key_ids, role=Role.SCORER, revoked_at=None)
    keys = keys.filter(game__deleted_at__gt=timezone.now() - KEPT).select_related("game")
    return [Access(key.game, Role(key.role), key.pk) for key in keys.order_by("-game__deleted_at", "pk")]


def _access(keys: QuerySet[AccessKey], *, deleted: bool) -> Access | None:
    keys = keys.filter(_there() if deleted else Q(game__deleted_at=None))
    try:
        key = keys.select_related("game").get(revoked_at=None)
    except AccessKey.DoesNotExist:
        return None
    return Access(game=key.game, role=Role(key.role), key_id=key.pk)


def _there() -> Q:
    """Keys of games that are not deleted, or can still be brought back."""
    return Q(game__deleted_at=None) | Q(game__deleted_at__gt=timezone.now() - KEPT)


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
    keys = AccessKey.objects.filter(revoked_at=None, game__deleted_at=None, key="")
    return sql_of(keys.values_list("game__slug", "game__version", "game_id"))


def version_by_id(key_id: int, slug: str) -> int | None:
    """The version of the game that a key this device has used before still opens: one narrow query."""
    rows = rows_of(_version_by_id(), [key_id, slug])
    return rows[0][0] if rows else None


def stamp_by_id(key_id: int, slug: str) -> str | None:
    """As `version_by_id`, with what happened since: what an open board asks about."""
    rows = rows_of(_version_by_id(), [key_id, slug])
    return stamp(*rows[0]) if rows else None


@cache
def _version_by_id() -> str:
    keys = AccessKey.objects.filter(revoked_at=None, game__deleted_at=None, pk=0).filter(game__slug="")
    return sql_of(keys.values_list("game__version", "game__stirred"))


def claimed(user: User, slug: str, *, token_id: int | None = None, deleted: bool = False) -> Access | None:
    """What an account opens: a game that was claimed by a key which still lives; `deleted` as for links."""
    claims = Claim.objects.filter(user=user, game__slug=slug, key__revoked_at=None)
    claims = claims.filter(_there() if deleted else Q(game__deleted_at=None))
    claim = claims.select_related("game", "key").first()
    if claim is None:
        return None
    role = Role(claim.key.role)
    return Access(game=claim.game, role=role, key_id=claim.key_id, who=user.name, token_id=token_id)


def claimed_keys(user: User) -> list[int]:
    """The live keys in an account, newest claim first."""
    claims = Claim.objects.filter(user=user, key__revoked_at=None, game__deleted_at=None).order_by(
        "-created_at", "-pk"
    )
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
