"""The shape of what callers send about a club. Must not judge: services and engine do."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from games.api.serializers import (
    HANDS_AT_MOST,
    MOST_POINTS,
    SPOKEN,
    GameInput,
    OneOf,
    Reason,
    Several,
    Strict,
    Text,
    Whole,
    YesNo,
    refused,
)
from games.engine.scheme import ABSENCES, LATE, MEASURES, MOST_NIGHTS, TIEBREAKS, Scheme
from games.engine.scheme import MOST_POINTS as MOST_PLACE_POINTS
from games.models import REASON_LENGTH, ClubRole

MOST_NAMES = 500
HIGHEST = 1_000_000  # number of a member or a season
PLACES_AT_MOST = 50
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


class Day(serializers.DateField):
    default_error_messages = SPOKEN

    def to_internal_value(self, data: Any) -> date:
        try:
            if isinstance(data, str) and _DAY.fullmatch(data):
                return date.fromisoformat(data)
        except ValueError:
            pass
        raise ValidationError([refused(_("a day such as “2026-03-05”"), data)])


class ClubInput(Strict):
    name = Text(help_text=_("What the club is called."))
    owner = Text(required=False, help_text=_("Your name in the club; left out: the account's."))


class ClubChange(Strict):
    """What is left out stays as it is."""

    name = Text(required=False)
    public = YesNo(required=False, help_text=_("Whether anybody may read the tables."))


class JoinInput(Strict):
    key = Text(max_length=64, help_text=_("The invitation's key: the last part of its link."))
    name = Text(
        required=False,
        help_text=_(
            "Your name in the club; a member's without an account: that one. Left out: the account's."
        ),
    )


class MembersInput(Strict):
    names = Several(
        child=Text(),
        most=MOST_NAMES,
        allow_empty=False,
        error_messages={"empty": _("a name is needed.")},
        help_text=_("All are added, or none."),
    )
    joined_on = Day(required=False, allow_null=True, default=None, help_text=_("null: since ever."))


class MemberChange(Strict):
    """What is left out stays as it is."""

    name = Text(required=False)
    role = OneOf(choices=ClubRole.values, required=False)
    joined_on = Day(required=False, allow_null=True, help_text=_("null: since ever."))
    left_on = Day(
        required=False,
        allow_null=True,
        help_text=_("A day: left or was removed then; null: is here (again)."),
    )

    def changes(self) -> dict[str, Any]:
        """As the service takes them."""
        data = dict(self.validated_data)
        for field, flag in (("joined_on", "since_ever"), ("left_on", "stays")):
            if field in data and data[field] is None:
                data[flag] = True
        if "role" in data:
            data["role"] = ClubRole(data["role"])
        return data


class MergeInput(Strict):
    into = Whole(min_value=1, max_value=HIGHEST, help_text=_("The member who has all results then."))
    reason = Reason(required=False, default="", max_length=REASON_LENGTH)


class SchemeInput(Strict):
    """What is left out stays as it is; in a new season it is as in the club's newest."""

    measure = OneOf(choices=MEASURES, required=False, help_text=_("What a season adds up or averages."))
    places = Several(
        child=Whole(min_value=0, max_value=MOST_PLACE_POINTS),
        most=PLACES_AT_MOST,
        required=False,
        allow_null=True,
        help_text=_("Points for 1st, 2nd …; null: the share of opponents beaten."),
    )
    high_wins = YesNo(required=False, help_text=_("Whether most points win."))
    best = Whole(
        required=False,
        allow_null=True,
        min_value=1,
        max_value=MOST_NIGHTS,
        help_text=_("Only so many best nights count; null: all."),
    )
    least_nights = Whole(
        required=False, min_value=0, max_value=MOST_NIGHTS, help_text=_("Nights that a place needs.")
    )
    absence = OneOf(choices=ABSENCES, required=False, help_text=_("What a missed night costs."))
    late = OneOf(choices=LATE, required=False, help_text=_("Nights before somebody joined."))
    guests_hold_places = YesNo(required=False)
    tiebreaks = Several(child=OneOf(choices=list(TIEBREAKS)), most=len(TIEBREAKS), required=False)


def scheme_with(now: Scheme, given: Mapping[str, Any]) -> Scheme:
    """The scheme with those fields that were sent."""
    fields = dict(given)
    for name in ("places", "tiebreaks"):
        if fields.get(name) is not None:
            fields[name] = tuple(fields[name])
    return Scheme(**{name: fields.get(name, getattr(now, name)) for name in now.__dataclass_fields__})


class SeasonInput(Strict):
    name = Text()
    starts_on = Day()
    ends_on = Day(required=False, allow_null=True, default=None, help_text=_("null: open."))
    scheme = SchemeInput(required=False, default=dict)


class SeasonChange(Strict):
    """What is left out stays as it is."""

    name = Text(required=False)
    starts_on = Day(required=False)
    ends_on = Day(required=False, allow_null=True)


class SchemeChange(Strict):
    scheme = SchemeInput()
    reason = Reason(max_length=REASON_LENGTH, help_text=_("Everybody in the club can read it."))


class SchemeTry(Strict):
    scheme = SchemeInput()


class NightChange(Strict):
    void = YesNo(help_text=_("true: out of the table, its games stay; false: back in it."))
    reason = Reason(max_length=REASON_LENGTH)


class ClubSeatInput(Strict):
    seat = Whole(min_value=1, max_value=HANDS_AT_MOST)
    member = Whole(
        min_value=1, max_value=HIGHEST, required=False, allow_null=True, help_text=_("null: a guest.")
    )
    forfeit = YesNo(required=False)


class Seats(Several):
    def to_internal_value(self, data: Any) -> list[Any]:
        seats = super().to_internal_value(data)
        numbers = [one["seat"] for one in seats]
        if twice := [number for number in numbers if numbers.count(number) > 1]:
            raise ValidationError([_("seat %(seat)s is given twice.") % {"seat": twice[0]}])
        return seats


def _seats(help_text: object) -> Seats:
    return Seats(child=ClubSeatInput(), most=HANDS_AT_MOST, required=False, help_text=help_text)


class ClubGameInput(Strict):
    season = Whole(min_value=1, max_value=HIGHEST, help_text=_("The season's number."))
    on = Day(help_text=_("The night."))
    game = Text(
        max_length=40, help_text=_("The game's `id`. It must be in the account, unless a key opens it.")
    )
    key = Text(required=False, default="", max_length=64, help_text=_("A key that opens the game."))
    seats = _seats(_("Who sat where. Of seats left out: who is called as a member is that member."))


class ClubGameStart(GameInput):
    season = Whole(min_value=1, max_value=HIGHEST, help_text=_("The season's number."))
    on = Day(help_text=_("The night."))


class ClubGameChange(Strict):
    """What is left out stays as it is."""

    seats = _seats(_("Those that change."))
    void = YesNo(required=False, help_text=_("true: it does not count; needs a `reason`."))
    reason = Reason(required=False, default="", max_length=REASON_LENGTH)


class DoubtInput(Strict):
    """A score (`round`, `seat`, `points`), or with none of them whether the game counts."""

    game = Text(max_length=40, help_text=_("The game's `id`."))
    round = Whole(required=False, min_value=1, max_value=HANDS_AT_MOST)
    seat = Whole(required=False, min_value=1, max_value=HANDS_AT_MOST)
    points = Whole(
        required=False, min_value=0, max_value=MOST_POINTS, help_text=_("What would count otherwise.")
    )
    reason = Reason(max_length=REASON_LENGTH)

    def validate(self, attrs: Mapping[str, Any]) -> Mapping[str, Any]:
        given = [name for name in SCORE if name in attrs]
        if given and len(given) < len(SCORE):
            missing = {name: [SPOKEN["required"]] for name in SCORE if name not in attrs}
            raise ValidationError(missing, "required")
        return attrs


SCORE = ("round", "seat", "points")


class DecisionInput(Strict):
    stands = YesNo(help_text=_("false: it falls the other way, which is carried out."))
    reason = Reason(max_length=REASON_LENGTH)


class AppealInput(Strict):
    reason = Reason(max_length=REASON_LENGTH)
