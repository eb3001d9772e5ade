"""Who may see a game and who may write in it, for the web and the API alike.

Knows keys, roles, accounts and whose address a limit counts. Must not know cookies or where in a request a
key stood: the callers read those.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, NamedTuple

from django.conf import settings
from django.db.models import CharField, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Lower
from django.utils import timezone

from games.models import (
    KEPT,
    AccessKey,
    ApiToken,
    Claim,
    Club,
    ClubGame,
    ClubKey,
    ClubLink,
    ClubRole,
    ClubSeat,
    Game,
    Member,
    Role,
    User,
    rows_of,
    sql_of,
    stamp,
)

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
    return list(claims_of(user).values_list("key_id", flat=True))


def claims_of(user: User) -> QuerySet[Claim]:
    """The claims of live keys, newest first, with what they open."""
    claims = Claim.objects.filter(user=user, key__revoked_at=None, game__deleted_at=None)
    return claims.select_related("game", "key").order_by("-created_at", "-pk")


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


# Clubs: what each role may do, in one place for pages and API

CLUB_MAY: Mapping[ClubRole | None, frozenset[str]] = {
    None: frozenset({"read"}),  # by a reader's link, or where the club's tables are open to anybody
    ClubRole.MEMBER: frozenset({"read", "belong"}),
    ClubRole.SCORER: frozenset({"read", "belong", "score"}),
    ClubRole.ORGANISER: frozenset({"read", "belong", "score", "organise"}),
    ClubRole.OWNER: frozenset({"read", "belong", "score", "organise", "own"}),
}
# What may be taken along as files, by whoever may see it on the pages. E-mail addresses and the secrets of
# links are in none of them.
CLUB_FILES: Mapping[str, str] = {
    "standings": "read",
    "results": "read",
    "nights": "read",
    "doubts": "read",
    "seasons": "read",
    "members": "belong",
    "log": "belong",
}


@dataclass(frozen=True, slots=True)
class ClubAccess:
    """What somebody may do in a club: `member` is who they are there, if anybody."""

    club: Club
    member: Member | None

    @property
    def role(self) -> ClubRole | None:
        return None if self.member is None else ClubRole(self.member.role)

    def may(self, what: str) -> bool:
        """`what`: "read" its tables, "belong", "score" its games, "organise" people and seasons, "own" it."""
        return what in CLUB_MAY[self.role]

    def may_take(self, table: str) -> bool:
        """Whether they may have `table` of CLUB_FILES as a file."""
        return self.may(CLUB_FILES[table])

    def may_see(self, member: Member) -> bool:
        """Whether they may see what `member` played; by a link, of those who sat at a table, as nights do."""
        seats = ClubSeat.objects.filter(member=member.merged_into or member)
        return self.may("belong") or seats.exists()

    def may_change(self, member: Member) -> bool:
        """Whether they may change, merge or send away `member`; owners and organisers are an owner's."""
        return self.may("own") or (self.may("organise") and ClubRole(member.role) in GIVEN_BY_ORGANISERS)

    def may_merge(self, gone: Member, kept: Member) -> bool:
        """Whether they may make two entries of one person one."""
        return self.may_change(gone) and self.may_change(kept)

    def may_give(self) -> tuple[ClubRole, ...]:
        """The roles they may give, from the most to the least."""
        if self.may("own"):
            return tuple(ClubRole)
        return GIVEN_BY_ORGANISERS if self.may("organise") else ()

    @property
    def who(self) -> str:
        return "" if self.member is None else self.member.name


GIVEN_BY_ORGANISERS = (ClubRole.SCORER, ClubRole.MEMBER)


def keeps_score(member: Member) -> bool:
    """Whether somebody keeps score in the club's games: with an account, there, and with the role for it."""
    there = member.user_id is not None and member.left_on is None and member.merged_into_id is None
    return there and "score" in CLUB_MAY[ClubRole(member.role)]


def who_kept_score(key_id: int, slug: str) -> Member | None:
    """Whose own key this was, if the right to keep score in the game by the club has ended since."""
    keys = AccessKey.objects.filter(pk=key_id, game__slug=slug, game__deleted_at=None)
    key = keys.filter(revoked_at__isnull=False).select_related("member__club").first()
    return None if key is None else key.member


def club_access(slug: str, *, user: User | None, reader_keys: Collection[int] = ()) -> ClubAccess | None:
    """What an account, or a device that opened a reader's link, may do in a club; None: it does not exist.

    Who has left the club, or was removed, is a stranger again.
    """
    club = Club.objects.filter(slug=slug).first()
    if club is None:
        return None
    found = _belongs(club, user, reader_keys)
    return ClubAccess(club, None) if found is None and club.public else found


def _belongs(club: Club, user: User | None, reader_keys: Collection[int]) -> ClubAccess | None:
    """As a member, or by a reader's link that still lives."""
    if user is not None:
        mine = Member.objects.filter(club=club, user=user, left_on=None, merged_into=None).first()
        if mine is not None:
            return ClubAccess(club, mine)
    by_link = ClubKey.objects.filter(pk__in=reader_keys, club=club, role=ClubLink.READER, revoked_at=None)
    return ClubAccess(club, None) if reader_keys and by_link.exists() else None


def access_by_club(
    slug: str, *, user: User | None, reader_keys: Collection[int] = ()
) -> tuple[Access, ClubAccess] | None:
    """What somebody may do in a game because of the club it is played at, without the game's own link.

    Who may score for the club keeps score, members and readers by link watch. A club's page that is open to
    anybody opens no game. A game that is known by its result alone has no board.
    """
    at_club = ClubGame.objects.select_related("game", "night__season__club")
    played = at_club.filter(game__slug=slug, told__isnull=True).first()
    found = None if played is None else _belongs(played.night.season.club, user, reader_keys)
    if played is None or found is None:
        return None
    role = Role.SCORER if found.may("score") else Role.VIEWER
    key = AccessKey.objects.filter(game=played.game, role=role, member=None, revoked_at=None).first()
    return Access(game=played.game, role=role, key_id=0 if key is None else key.pk), found


def access_by_bearer(secret: str, slug: str, token: ApiToken | None) -> Access | None:
    """What an account's token (`token`, which `secret` is) or a club's reader key opens of one game.

    By what the account has claimed, or by the club it is played at: the one that may do more.
    """
    if token is None:
        key = club_key(secret, ClubLink.READER)
        found = None if key is None else access_by_club(slug, user=None, reader_keys=[key.pk])
        return None if found is None else found[0]
    own = claimed(token.user, slug, token_id=token.pk, deleted=True)
    if own is not None and own.may_score:
        return own
    found = access_by_club(slug, user=token.user)
    if found is None or (own is not None and not found[0].may_score):
        return own
    return replace(found[0], who=found[1].who, token_id=token.pk)


def clubs_known(user: User | None, reader_keys: Collection[int] = ()) -> QuerySet[Club]:
    """As `clubs_of`, for lists that are paged: each with its `role` there, null for who reads by a link."""
    mine = Member.objects.filter(club=OuterRef("pk"), user=user, left_on=None, merged_into=None)
    by_link = ClubKey.objects.filter(pk__in=reader_keys, role=ClubLink.READER, revoked_at=None)
    none = Value(None, output_field=CharField())
    clubs = Club.objects.annotate(role=none if user is None else Subquery(mine.values("role")[:1]))
    clubs = clubs.filter(Q(role__isnull=False) | Q(pk__in=by_link.values("club")))
    return clubs.order_by(Lower("name"), "pk")


def clubs_of(user: User | None, reader_keys: Collection[int]) -> list[ClubAccess]:
    """Every club that an account or a device knows, by name; a link that was stopped knows none."""
    found: dict[int, ClubAccess] = {}
    if reader_keys:
        keys = ClubKey.objects.filter(pk__in=reader_keys, role=ClubLink.READER, revoked_at=None)
        found = {key.club_id: ClubAccess(key.club, None) for key in keys.select_related("club")}
    if user is not None:
        mine = Member.objects.filter(user=user, left_on=None, merged_into=None).select_related("club")
        found |= {member.club_id: ClubAccess(member.club, member) for member in mine}
    return sorted(found.values(), key=lambda one: (one.club.name.casefold(), one.club.pk))


def club_key(secret: str, role: ClubLink) -> ClubKey | None:
    """What a club's link opens; None if it is unknown or stopped (which look alike)."""
    keys = ClubKey.objects.filter(key=secret, role=role, revoked_at=None)
    return keys.select_related("club").first()
