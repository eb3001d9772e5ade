"""Writes of an account: games claimed, tokens made and revoked, the account deleted.

Knows what a user has. Must not know how a user signs in (django-allauth does), nor change a game: a claim is
the account's memory of a key, as a cookie is a phone's.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection

from django.db import transaction
from django.utils import timezone

from games.models import AccessKey, ApiToken, Claim, Member, Role, User
from games.permissions import TOKEN_PREFIX, digest_of

MOST_TOKENS = 20


@transaction.atomic
def games_claim(*, user: User, key_ids: Collection[int]) -> int:
    """Put the games of these live keys into the account; how many are new there, or may now be scored.

    A game that is there already keeps a live scorer's key; any other key gives way.
    """
    User.objects.select_for_update().get(pk=user.pk)
    keys = list(AccessKey.objects.filter(pk__in=key_ids, revoked_at=None))
    known = {
        claim.game_id: claim
        for claim in Claim.objects.filter(user=user, game__in=[key.game_id for key in keys]).select_related(
            "key"
        )
    }
    gained = 0
    for key in sorted(keys, key=lambda key: key.role != Role.SCORER):  # a scorer's key first
        claim = known.get(key.game_id)
        if claim is None:
            known[key.game_id] = Claim.objects.create(user=user, game_id=key.game_id, key=key)
            gained += 1
        elif claim.key.revoked_at or (claim.key.role != key.role and key.role == Role.SCORER):
            claim.key = key
            claim.save(update_fields=["key"])
            gained += 1
    return gained


@transaction.atomic
def claim_follow(*, user: User, key: AccessKey) -> None:
    """Let the account of whoever stopped a link go on by the new one; every other account loses the game."""
    claims = Claim.objects.filter(user=user, game_id=key.game_id, key__role=key.role, key__member=None)
    claims.update(key=key)


@transaction.atomic
def claim_drop(*, user: User, slug: str) -> None:
    """Take a game out of the account. The game stays, and so does what phones remember."""
    Claim.objects.filter(user=user, game__slug=slug).delete()


@transaction.atomic
def name_change(*, user: User, name: str) -> None:
    user.name = name
    user.save(update_fields=["name"])


@transaction.atomic
def token_make(*, user: User, name: str) -> str | None:
    """The new token, to be shown once; None if the account has MOST_TOKENS already."""
    User.objects.select_for_update().get(pk=user.pk)
    if ApiToken.objects.filter(user=user).count() >= MOST_TOKENS:
        return None
    token = TOKEN_PREFIX + secrets.token_urlsafe(32)
    ApiToken.objects.create(user=user, name=name, digest=digest_of(token))
    return token


def token_used(token: ApiToken) -> None:
    """Note the day on which a token was used last."""
    today = timezone.localdate()
    if token.used_on != today:
        ApiToken.objects.filter(pk=token.pk).update(used_on=today)


@transaction.atomic
def token_revoke(*, user: User, token_id: int) -> bool:
    """Whether the account had this token; it opens nothing from now on."""
    gone, _rows = ApiToken.objects.filter(user=user, pk=token_id).delete()
    return bool(gone)


@transaction.atomic
def account_delete(*, user: User) -> None:
    """The account goes with its claims and tokens, and with what clubs opened to it. Games stay: they belong
    to their tables.
    """
    club_keys_end(user=user)
    user.delete()


@transaction.atomic
def club_keys_end(*, user: User) -> None:
    """Close on every phone what clubs opened to the account. While its members are locked, no key is made."""
    members = list(Member.objects.select_for_update(no_key=True).filter(user=user).order_by("pk"))
    AccessKey.objects.filter(member__in=members, revoked_at=None).update(revoked_at=timezone.now())
