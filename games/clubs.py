"""Writes of a club: its people, their roles and its links. Each is one transaction with one line in its log.

Knows how a change is made and logged. Must not know requests, forms or sentences, nor who may do what:
`permissions` says that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from games import results
from games.engine.errors import Problem
from games.models import (
    NAME_LENGTH,
    REASON_LENGTH,
    AccessKey,
    Club,
    ClubAction,
    ClubEntry,
    ClubKey,
    ClubLink,
    ClubRole,
    ClubSeat,
    Game,
    Member,
    Result,
    Role,
    Season,
    Standing,
    Status,
    User,
)
from games.models.clubs import CLUB_NAME_LENGTH
from games.names import tidy, unseen
from games.permissions import keeps_score
from games.services import Refused, game_stir

MOST_MEMBERS = 500  # of a club
MOST_CLUBS = 50  # that one account founds


class ClubConflict(Exception):
    """Somebody else changed the club first: nothing was written. `club` is the club as it is now."""

    def __init__(self, club: Club) -> None:
        super().__init__(f"version {club.version}")
        self.club = club


@transaction.atomic
def club_found(*, name: str, user: Any, owner: str) -> Club:
    """A new club with its first member, its owner. Refused("invalid"): either name."""
    name, owner = tidy(name), tidy(owner)
    problems = check_title(name, "name") + _check_name(owner, {}, field="owner")
    User.objects.select_for_update().get(pk=user.pk)  # one at a time, so that they can be counted
    if Member.objects.filter(user=user, number=1).count() >= MOST_CLUBS:
        problems.append(Problem("clubs_many", params={"most": MOST_CLUBS}))
    if problems:
        raise Refused("invalid", problems)
    club = Club.objects.create(name=name)
    for role in ClubLink:
        ClubKey.objects.create(club=club, role=role)
    Member.objects.create(club=club, number=1, name=owner, role=ClubRole.OWNER, user=user)
    ClubEntry.objects.create(
        club=club, number=1, who=owner, action=ClubAction.FOUNDED, about=name, at=club.created_at
    )
    return club


@transaction.atomic
def club_change(
    *,
    club: Club,
    name: str | None = None,
    public: bool | None = None,
    who: str = "",
    version: int | None = None,
) -> Club:
    """Another name, or its tables open to anybody or not; what is None stays."""
    club = lock(club, version)
    before = {"name": club.name, "public": club.public}
    if name is not None:
        name = tidy(name)
        if problems := check_title(name, "name"):
            raise Refused("invalid", problems)
        club.name = name
    club.public = club.public if public is None else public
    after = {"name": club.name, "public": club.public}
    if before == after:
        return club
    club.save(update_fields=["name", "public"])
    return write_entry(club, ClubAction.CHANGED, who=who, about=club.name, before=before, after=after)


@transaction.atomic
def club_link_replace(
    *, club: Club, role: ClubLink, link: int | None = None, who: str = "", version: int | None = None
) -> ClubKey:
    """Stop the live link of `role` and make a new one; ClubConflict if `link` is no longer the live one."""
    club = lock(club, version)
    live = ClubKey.objects.filter(club=club, role=role, revoked_at=None)
    if link is not None and not live.filter(pk=link).exists():
        raise ClubConflict(club)
    live.update(revoked_at=timezone.now())
    key = ClubKey.objects.create(club=club, role=role)
    write_entry(club, ClubAction.LINK_REPLACED, who=who, about=str(role))
    return key


@transaction.atomic
def members_add(
    *,
    club: Club,
    names: Sequence[str],
    joined_on: date | None = None,
    who: str = "",
    version: int | None = None,
) -> list[Member]:
    """New members without accounts, all or none.

    Refused("invalid"): every wrong name, with its place in `names` from 1 as `seat`.
    """
    club = lock(club, version)
    names = [tidy(name) for name in names]
    taken = _names(club)
    problems: list[Problem] = []
    for at, name in enumerate(names, start=1):
        problems += _check_name(name, taken, field="names", seat=at)
        taken.setdefault(fold(name), name)
    problems += _check_room(club, len(names), field="names")
    if problems:
        raise Refused("invalid", problems)
    number = _next_number(club)
    members = Member.objects.bulk_create(
        Member(club=club, number=at, name=name, joined_on=joined_on)
        for at, name in enumerate(names, start=number)
    )
    for member in members:
        write_entry(club, ClubAction.MEMBER_ADDED, who=who, about=member.name, after=_state(member))
    return members


@dataclass(frozen=True, slots=True)
class NewMember:
    """Somebody whom a file names."""

    name: str
    role: ClubRole = ClubRole.MEMBER
    joined_on: date | None = None
    left_on: date | None = None


@transaction.atomic
def members_bring(
    *, club: Club, members: Sequence[NewMember], source: str, who: str = "", version: int | None = None
) -> list[Member]:
    """The new members of a file, all or none, with one log entry that names the file.

    Refused("invalid"): every one that cannot be, with its place in `members` from 1 as `seat`.
    """
    club = lock(club, version)
    made = members_made(club, members)
    if made:
        after = {"members": [_state(member) for member in made]}
        write_entry(club, ClubAction.BROUGHT_IN, who=who, about=source, after=after)
    return made


def members_made(club: Club, members: Sequence[NewMember]) -> list[Member]:
    """Inside a write of this club: its new rows, not logged. Refused("invalid") as `members_bring`."""
    taken = _names(club)
    problems: list[Problem] = []
    for at, one in enumerate(members, start=1):
        problems += _check_name(one.name, taken, field="names", seat=at) + check_days(one, seat=at)
        taken.setdefault(fold(one.name), one.name)
    problems += _check_room(club, len(members), field="names")
    if problems:
        raise Refused("invalid", problems)
    rows = (
        Member(
            club=club,
            number=number,
            name=one.name,
            role=one.role,
            joined_on=one.joined_on,
            left_on=one.left_on,
        )
        for number, one in enumerate(members, start=_next_number(club))
    )
    return Member.objects.bulk_create(rows)


def check_days(one: NewMember, seat: int | None = None) -> list[Problem]:
    """What is wrong with the days of somebody's joining and leaving."""
    if one.left_on is None:
        return []
    if one.joined_on is not None and one.left_on < one.joined_on:
        params = {"joined": one.joined_on.isoformat()}
        return [Problem("left_before_joined", seat=seat, field="left_on", params=params)]
    if one.left_on > timezone.localdate():
        params = {"on": one.left_on.isoformat()}
        return [Problem("left_later", seat=seat, field="left_on", params=params)]
    return []


@transaction.atomic
def member_change(
    *,
    club: Club,
    number: int,
    name: str | None = None,
    role: ClubRole | None = None,
    joined_on: date | None = None,
    since_ever: bool = False,
    left_on: date | None = None,
    stays: bool = False,
    who: str = "",
    version: int | None = None,
) -> Member:
    """Another name, role or date of joining or leaving (None: as it is).

    `since_ever`: no day of joining is known; `stays`: has not left. Nobody leaves on a day to come.

    Results stay with the member, whoever leaves. The last owner stays one: Refused("invalid", last_owner).
    """
    club = lock(club, version)
    member = member_at(club, number)
    before, kept_score = _state(member), keeps_score(member)
    problems: list[Problem] = []
    if name is not None:
        member.name = tidy(name)
        problems += _check_name(member.name, _names(club, but=member), field="name")
    member.joined_on = None if since_ever else joined_on or member.joined_on
    member.left_on = None if stays else left_on or member.left_on
    if member.joined_on and member.left_on and member.left_on < member.joined_on:
        problems.append(
            Problem("left_before_joined", field="left_on", params={"joined": member.joined_on.isoformat()})
        )
    if left_on is not None and not stays and left_on > timezone.localdate():
        problems.append(Problem("left_later", field="left_on", params={"on": left_on.isoformat()}))
    if role is not None:
        member.role = role
    if not problems and before["role"] == ClubRole.OWNER and not _owns(member) and not _other_owner(member):
        problems.append(Problem("last_owner", field="role", params={"name": before["name"]}))
    if problems:
        raise Refused("invalid", problems)
    after = _state(member)
    if before == after:
        return member
    member.save(update_fields=["name", "role", "joined_on", "left_on"])
    if kept_score:
        _stop_keys(member)
    action = ClubAction.MEMBER_LEFT if member.left_on and not before["left_on"] else ClubAction.MEMBER_CHANGED
    write_entry(club, action, who=who, about=member.name, before=before, after=after)
    if (before["joined_on"], before["left_on"]) != (after["joined_on"], after["left_on"]):
        _rewrite_seasons(club)
    return member


@transaction.atomic
def member_link(*, club: Club, number: int, user: Any, who: str = "", version: int | None = None) -> Member:
    """Say which account a member is; None takes it off. Refused("invalid"): one of the two is taken."""
    club = lock(club, version)
    member = member_at(club, number)
    if member.user_id == (None if user is None else user.pk):
        return member
    if user is not None:
        other = Member.objects.filter(club=club, user=user).exclude(pk=member.pk).first()
        if other is not None:
            raise Refused("invalid", [Problem("account_taken", params={"name": other.name})])
        if member.user_id not in (None, user.pk):
            raise Refused("invalid", [Problem("member_taken", params={"name": member.name})])
    if user is None and member.role == ClubRole.OWNER and not _other_owner(member):
        raise Refused("invalid", [Problem("last_owner", params={"name": member.name})])
    member.user = user
    member.save(update_fields=["user"])
    _stop_keys(member)
    after = {"number": member.number, "linked": user is not None}
    write_entry(club, ClubAction.MEMBER_LINKED, who=who, about=member.name, after=after)
    return member


@transaction.atomic
def club_join(*, key: str, user: Any, name: str) -> Member:
    """Join by an invitation: who has the name and no account yet is that member, else a new one is made.

    Refused("not_found") for a link that opens nothing; "invalid" for a name another account has, for one that
    has a role, and for whoever has left: an organiser brings them back.
    """
    invitation = ClubKey.objects.filter(key=key, role=ClubLink.INVITE, revoked_at=None).first()
    if invitation is None:
        raise Refused("not_found")
    club = lock(invitation.club, None)
    if not ClubKey.objects.filter(pk=invitation.pk, revoked_at=None).exists():  # stopped while this waited
        raise Refused("not_found")
    if (known := Member.objects.filter(club=club, user=user).first()) is not None:
        _check_there(known)
        return known
    name = tidy(name)
    if problems := _check_name(name, {}, field="name"):
        raise Refused("invalid", problems)
    rows = Member.objects.filter(club=club, merged_into=None)
    member = next((row for row in rows if fold(row.name) == fold(name)), None)
    if member is not None and member.user_id is not None:
        raise Refused("invalid", [_twice(member.name, field="name")])
    if member is not None and member.role != ClubRole.MEMBER:  # a link in a chat must not make organisers
        raise Refused("invalid", [Problem("member_with_role", field="name", params={"name": member.name})])
    if member is not None:
        _check_there(member)
    new = member is None
    if member is None:
        if problems := _check_room(club, 1, field="name"):
            raise Refused("invalid", problems)
        member = Member(club=club, number=_next_number(club), name=name, joined_on=timezone.localdate())
    member.user = user
    member.save()
    after = {"number": member.number, "linked": True, "new": new}
    write_entry(club, ClubAction.MEMBER_LINKED, who=member.name, about=member.name, after=after)
    return member


def _check_there(member: Member) -> None:
    if member.left_on is not None:
        raise Refused("invalid", [Problem("member_left", field="name", params={"name": member.name})])


@transaction.atomic
def members_merge(
    *, club: Club, number: int, into: int, who: str = "", reason: str = "", version: int | None = None
) -> Member:
    """Two entries of one person become one: `into` gets all results of `number`.

    Refused("invalid"): the same one, both in one game (they are two people), or both with accounts.
    """
    club = lock(club, version)
    # Before any result is moved: a game that ends at this moment has written its results, or waits for these.
    _lock_seasons(club)
    gone, kept = member_at(club, number), member_at(club, into)
    if problems := check_merge(gone, kept):
        raise Refused("invalid", problems)
    ClubSeat.objects.filter(member=gone).update(member=kept)
    Result.objects.filter(member=gone).update(member=kept)
    Standing.objects.filter(member=gone).delete()
    before = {"gone": _state(gone), "kept": _state(kept)}
    Member.objects.filter(merged_into=gone).update(merged_into=kept)
    gone.merged_into, user = kept, gone.user
    gone.user = None
    gone.save(update_fields=["merged_into", "user"])
    if user is not None:
        kept.user = user
    if RANK[ClubRole(gone.role)] > RANK[ClubRole(kept.role)]:
        kept.role = gone.role
    if kept.joined_on is not None:
        kept.joined_on = None if gone.joined_on is None else min(gone.joined_on, kept.joined_on)
    if kept.left_on is not None:
        kept.left_on = None if gone.left_on is None else max(gone.left_on, kept.left_on)
    kept.save(update_fields=["user", "role", "joined_on", "left_on"])
    AccessKey.objects.filter(member=gone).update(member=kept)
    _stop_keys(kept)
    _rewrite_seasons(club)
    write_entry(
        club,
        ClubAction.MEMBERS_MERGED,
        who=who,
        about=kept.name,
        reason=reason,
        before=before,
        after={"kept": _state(kept)},
    )
    return kept


@transaction.atomic
def member_key(*, game: Game, member: Member) -> AccessKey | None:
    """The key by which phones and programs of a member keep score in a game of the club.

    It is stopped once the member leaves, is removed, or keeps score no longer; the game's own link goes on.
    None if that right has ended since `member` was read.
    """
    # Whatever ends the right writes this row: it is done already, or waits and finds the key.
    if not keeps_score(Member.objects.select_for_update(no_key=True).get(pk=member.pk)):
        return None
    key, _made = AccessKey.objects.get_or_create(
        game=game, member=member, revoked_at=None, defaults={"role": Role.SCORER}
    )
    return key


def _stop_keys(member: Member) -> None:
    """End what a member's own keys open, unless the member still keeps score; open boards see it at once."""
    if keeps_score(member):
        return
    AccessKey.objects.filter(member=member, revoked_at=None).update(revoked_at=timezone.now())
    # Once it is done, so that nothing waits for a game here.
    transaction.on_commit(partial(_stir_games, member.club_id))


def _stir_games(club_id: int) -> None:
    """Let open boards of the club's games ask anew what their phone may do."""
    playing = Game.objects.filter(at_club__night__season__club=club_id, status=Status.PLAYING)
    for pk in playing.values_list("pk", flat=True):
        game_stir(pk)


def check_merge(gone: Member, kept: Member) -> list[Problem]:
    """Why two entries cannot be one person."""
    if gone.pk == kept.pk:
        return [Problem("merge_same", field="into", params={"name": kept.name})]
    problems = []
    met = ClubSeat.objects.filter(member=gone, club_game__seats__member=kept)
    if (seat := met.select_related("club_game__night").first()) is not None:
        params = {"name": gone.name, "other": kept.name, "on": seat.club_game.night.on.isoformat()}
        problems.append(Problem("merge_met", field="into", params=params))
    if gone.user_id and kept.user_id:
        problems.append(Problem("merge_accounts", field="into", params={"name": gone.name}))
    return problems


RANK = {ClubRole.MEMBER: 0, ClubRole.SCORER: 1, ClubRole.ORGANISER: 2, ClubRole.OWNER: 3}


def lock(club: Club, version: int | None) -> Club:
    """The club's row, locked; ClubConflict if `version` is not what it is."""
    locked = Club.objects.select_for_update().get(pk=club.pk)
    if version is not None and version != locked.version:
        raise ClubConflict(locked)
    return locked


def write_entry(
    club: Club,
    action: ClubAction,
    *,
    who: str,
    about: str = "",
    reason: str = "",
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
) -> Club:
    """Count the club's version up and write the line that says why."""
    club.version += 1
    club.save(update_fields=["version"])
    ClubEntry.objects.create(
        club=club,
        number=club.version,
        who=who,
        action=action,
        about=about[:CLUB_NAME_LENGTH],
        reason=reason[:REASON_LENGTH],
        before=before or {},
        after=after or {},
    )
    return club


def member_at(club: Club, number: int) -> Member:
    member = Member.objects.filter(club=club, number=number, merged_into=None).first()
    if member is None:
        raise Refused("not_found", [Problem("member_unknown", params={"number": number})])
    return member


def check_title(name: str, field: str) -> list[Problem]:
    """What is wrong with the name of a club or a season."""
    if not name.strip() or unseen(name):
        return [Problem("title_blank", field=field)]
    if len(name) > CLUB_NAME_LENGTH:
        return [Problem("title_long", field=field, params={"name": name, "most": CLUB_NAME_LENGTH})]
    return []


def _check_name(name: str, taken: Mapping[str, str], *, field: str, seat: int | None = None) -> list[Problem]:
    if not name.strip():
        return [Problem("name_blank", seat=seat, field=field)]
    if unseen(name):
        return [Problem("name_unseen", seat=seat, field=field)]
    if len(name) > NAME_LENGTH:
        return [Problem("name_long", seat=seat, field=field, params={"name": name, "most": NAME_LENGTH})]
    if fold(name) in taken:
        return [_twice(taken[fold(name)], field=field, seat=seat)]
    return []


def _twice(name: str, *, field: str, seat: int | None = None) -> Problem:
    return Problem("name_twice", seat=seat, field=field, params={"name": name, "other": 0})


def _check_room(club: Club, more: int, *, field: str) -> list[Problem]:
    there = Member.objects.filter(club=club, merged_into=None).count()
    if there + more > MOST_MEMBERS:
        return [Problem("members_many", field=field, params={"most": MOST_MEMBERS})]
    return []


def fold(name: str) -> str:
    """A name as it is compared. It is at least as broad as what either database takes for the same: one of
    PostgreSQL's locales makes İ a plain i.
    """
    return name.casefold().replace("i\u0307", "i")


def _names(club: Club, but: Member | None = None) -> dict[str, str]:
    """All names, each by itself as it is compared."""
    rows = Member.objects.filter(club=club, merged_into=None)
    if but is not None:
        rows = rows.exclude(pk=but.pk)
    return {fold(name): name for name in rows.values_list("name", flat=True)}


def _next_number(club: Club) -> int:
    last = Member.objects.filter(club=club).aggregate(last=Max("number"))["last"]
    return (last or 0) + 1


def _owns(member: Member) -> bool:
    return member.role == ClubRole.OWNER and member.left_on is None


def _other_owner(member: Member) -> bool:
    others = Member.objects.filter(
        club_id=member.club_id, role=ClubRole.OWNER, left_on=None, merged_into=None, user__isnull=False
    )
    return others.exclude(pk=member.pk).exists()


def _state(member: Member) -> dict[str, Any]:
    return {
        "number": member.number,
        "name": member.name,
        "role": str(member.role),
        "joined_on": None if member.joined_on is None else member.joined_on.isoformat(),
        "left_on": None if member.left_on is None else member.left_on.isoformat(),
    }


def _lock_seasons(club: Club) -> list[Season]:
    return list(Season.objects.select_for_update().filter(club=club).order_by("pk"))


def _rewrite_seasons(club: Club) -> None:
    for season in _lock_seasons(club):
        results.season_written(season)
