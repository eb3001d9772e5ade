"""What a season's pages share: a write and what is said when it is not done, two tables side by side.

Knows what a page shows of a refusal or of a change that came first. Must not write by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, TypeVar

from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.http import Http404
from django.utils.translation import gettext as _

from games.clubs import ClubConflict
from games.engine.scheme import Scheme
from games.engine.season import SeasonRow
from games.models import ClubGame, Member, Night, Season
from games.permissions import ClubAccess
from games.season_messages import sentence
from games.season_words import digits_for, shown
from games.selectors import sheet_of
from games.services import Refused
from games.templatetags.tiles import marker_letters
from games.web.actions import shown_version
from games.web.club.said import meanwhile
from games.web.device import DeviceRequest
from games.web.people import Person, size_of


@dataclass(frozen=True, slots=True)
class Faults:
    """Why a write was not done, in sentences, and the status that goes with it."""

    said: tuple[str, ...] = ()
    status: int = 200

    def __bool__(self) -> bool:
        return bool(self.said)


NONE = Faults()


def needs(access: ClubAccess, what: str) -> None:
    """403 for who may read the page and not do `what`."""
    if not access.may(what):
        raise PermissionDenied


def try_to(
    request: DeviceRequest,
    access: ClubAccess,
    write: Callable[..., Any],
    names: Mapping[int, str] | None = None,
) -> Faults:
    """Do a write as this member, by the version the page showed; `names` by seat for what it may say."""
    try:
        write(who=access.who, version=shown_version(request))
    except ClubConflict as conflict:
        access.club.refresh_from_db()
        return Faults((*meanwhile(conflict.club), _("What you typed is still here.")), 409)
    except Refused as refused:
        return Faults(tuple(dict.fromkeys(sentence(one, names or {}) for one in refused.problems)), 422)
    return NONE


Row = TypeVar("Row", bound=Model)


def again(row: Row) -> Row:
    """The row as it is now, after a write of it was not done."""
    row.refresh_from_db()
    return row


def day_of(text: str) -> date:
    """A day as an address writes it; 404 for anything else."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise Http404 from None


def night_of(season: Season, day: str) -> Night:
    try:
        return Night.objects.get(season=season, on=day_of(day))
    except Night.DoesNotExist:
        raise Http404 from None


def game_of(season: Season, slug: str) -> ClubGame:
    try:
        return ClubGame.objects.select_related("night__season__club", "game").get(
            night__season=season, game__slug=slug
        )
    except ClubGame.DoesNotExist:
        raise Http404 from None


def seat_names(played: ClubGame) -> dict[int, str]:
    return sheet_of(played.game).names()


def persons(members: Mapping[int, Member]) -> dict[int, Person]:
    """Members with their markers, by row number; the letters part those who are shown together."""
    in_order = sorted(members.values(), key=lambda member: member.number)
    letters = marker_letters([one.name for one in in_order])
    return {
        one.pk: Person(one.number, one.name, text, size_of(one.name))
        for one, text in zip(in_order, letters, strict=True)
    }


@dataclass(frozen=True, slots=True)
class Both:
    """A person in two tables: the place and value in each; `moves`: "up", "down" or ""."""

    person: Person
    place: int | None
    value: str
    other_place: int | None
    other_value: str
    moves: str


def both_tables(
    now: Sequence[SeasonRow], other: Sequence[SeasonRow], scheme: Scheme, other_scheme: Scheme | None = None
) -> dict[str, list[Both]]:
    """For club/both.html: two tables of the same people side by side, in the order of the other one.

    "both" are all rows, "movers" those of who stands elsewhere then.
    """
    people = persons(Member.objects.in_bulk([row.person for row in other]))
    places = {row.person: row for row in now}
    digits = digits_for((row.value for row in now), scheme)
    more = digits_for((row.value for row in other), other_scheme or scheme)
    found = []
    for row in other:
        old = places.get(row.person)
        found.append(
            Both(
                person=people[row.person],
                place=None if old is None else old.place,
                value="–" if old is None else shown(old.value, digits),
                other_place=row.place,
                other_value=shown(row.value, more),
                moves=_moves(None if old is None else old.place, row.place),
            )
        )
    return {"both": found, "movers": [row for row in found if row.moves]}


def _moves(place: int | None, other: int | None) -> str:
    if place == other:
        return ""
    if place is None or (other is not None and other < place):
        return "up"
    return "down"
