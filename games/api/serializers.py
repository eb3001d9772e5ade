"""The shape of what callers send: types, bounds and names of fields, every mistake found at once.

Knows shapes. Must not judge a game: whether names, engines or hands can be, services and engine say.
DRF's own fields are lenient ("12", 12.0 and true pass for 12); a score is too easily wrong for that.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError

from games.api.errors import shown
from games.engine.errors import Problem, RuleSetError
from games.engine.rules import FIELDS, PRESETS, Field, RuleSet, rule_set
from games.engine.scoring import HandClaim, RoundClaim
from games.models import REASON_LENGTH, Ended, Ruling
from games.names import one_line, tidy, unseen
from games.selectors import STARTS
from games.services import MAX_ADJUSTMENT, NEXT_ENGINE, Setup, check_setup

HANDS_AT_MOST, TILES_AT_MOST, NAMES_AT_MOST = 50, 200, 100
HIGHEST_ENGINE = 18
MOST_POINTS = 32_767  # what the column holds
CARD = frozenset({"rules", "preset", "max_pip"})


def _field_schema(field: Field) -> dict[str, Any]:
    match field.kind:
        case "bool":
            return {"type": "boolean"}
        case "int":
            whole = {"type": "integer", "minimum": field.least, "maximum": field.most}
            return whole | ({"nullable": True} if field.optional else {})
        case "list":
            return {
                "type": "array",
                "items": {"type": "string", "enum": list(field.choices)},
                "uniqueItems": True,
            }
        case _:
            values = [value for value in field.choices if value is not None]
            kind = "integer" if all(isinstance(value, int) for value in values) else "string"
            if len(values) == len(field.choices):
                return {"type": kind, "enum": values}
            return {"type": kind, "enum": [*values, None], "nullable": True}


RULES_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {name: _field_schema(field) for name, field in FIELDS.items()},
    "additionalProperties": False,
}


class Strict(serializers.Serializer[Any]):
    """An object that names every unknown field beside all other mistakes."""

    default_error_messages = {"invalid": _("an object is needed, in braces.")}

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, Mapping):
            raise ValidationError({"non_field_errors": [self.error_messages["invalid"]]}, "invalid")
        problems: dict[str, Any] = {}
        known = ", ".join(self.fields)
        for name in list(data)[:100]:
            if name not in self.fields:
                message = _("there is no such field here; there are: %(known)s.")
                problems[name[:60]] = [ErrorDetail(message % {"known": known}, "unknown_field")]
        try:
            value = super().to_internal_value(data)
        except ValidationError as error:
            raise ValidationError(problems | _by_field(error)) from error
        if problems:
            raise ValidationError(problems)
        return value


def _by_field(error: ValidationError) -> dict[str, Any]:
    assert isinstance(error.detail, dict)  # noqa: S101 - a serializer's always is
    return dict(error.detail)


def refused(needed: object, given: object) -> ErrorDetail:
    text = _("%(needed)s is needed, not %(given)s.")
    return ErrorDetail(str(text) % {"needed": needed, "given": shown(given)}, "invalid")


def _too_many(most: int, count: int) -> ErrorDetail:
    text = _("at most %(most)s are possible, not %(count)s.")
    return ErrorDetail(str(text) % {"most": most, "count": count}, "invalid")


def _whole(low: object, high: object) -> str:
    return str(_("a whole number from %(low)s to %(high)s")) % {"low": low, "high": high}


def _one_of(choices: Iterable[object]) -> str:
    return str(_("one of %(choices)s")) % {"choices": ", ".join(map(shown, choices))}


# In every field: messages follow the field's name and a colon.
SPOKEN: dict[str, Any] = {"required": _("it is missing."), "null": _("it must not be null.")}


class Whole(serializers.IntegerField):
    default_error_messages = SPOKEN

    def to_internal_value(self, data: Any) -> int:
        low, high = self.min_value, self.max_value
        if type(data) is int and (low is None or low <= data) and (high is None or data <= high):
            return data
        bounded = low is not None and high is not None
        raise ValidationError([refused(_whole(low, high) if bounded else _("a whole number"), data)])


class YesNo(serializers.BooleanField):
    default_error_messages = SPOKEN

    def to_internal_value(self, data: Any) -> bool:
        if isinstance(data, bool):
            return data
        raise ValidationError([refused(_("true or false"), data)])


class OneOf(serializers.ChoiceField):
    default_error_messages = SPOKEN

    def to_internal_value(self, data: Any) -> str:
        if isinstance(data, str) and data in self.choices:
            return data
        raise ValidationError([refused(_one_of(self.choices), data)])


class Text(serializers.CharField):
    """Text of one line or several; spaces at its ends are taken off."""

    default_error_messages = SPOKEN

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            raise ValidationError([refused(_("a text"), data)])
        if any(unicodedata.category(sign) == "Cc" and sign not in "\n\t" for sign in data):
            raise ValidationError([refused(_("a text without control characters"), data)])
        return data.strip()

    def run_validation(self, data: Any = serializers.empty) -> Any:
        # CharField would take numbers and refuse blanks before to_internal_value is asked.
        is_empty, value = self.validate_empty_values(data)
        if is_empty:
            return value
        value = self.to_internal_value(data)
        if self.max_length is not None and len(value) > self.max_length:
            most = str(_("a text of at most %(most)s characters")) % {"most": self.max_length}
            raise ValidationError([refused(most, data)])
        return value


class Title(Text):
    """A name that people see again: tidied, and of signs that can be seen."""

    def to_internal_value(self, data: Any) -> str:
        title = tidy(super().to_internal_value(data))
        if unseen(title):
            raise ValidationError([refused(_("a text of signs that can be seen"), data)])
        return title


class Reason(Text):
    """Words of the table's own, as one line."""

    def to_internal_value(self, data: Any) -> str:
        return one_line(super().to_internal_value(data))


class Several(serializers.ListField):
    default_error_messages = SPOKEN

    def __init__(self, **options: Any) -> None:
        self.most = options.pop("most")
        super().__init__(**options)

    def to_internal_value(self, data: Any) -> list[Any]:
        if not isinstance(data, list):
            raise ValidationError([refused(_("a list"), data)])
        if len(data) > self.most:
            raise ValidationError([_too_many(self.most, len(data))])
        return super().to_internal_value(data)


class HandInput(Strict):
    seat = Whole(help_text=_("The player's seat."))
    points = Whole(
        required=False,
        allow_null=True,
        help_text=_("The bare pips left; may be left out beside `tiles`."),
    )
    tile_count = Whole(
        required=False,
        allow_null=True,
        min_value=0,
        max_value=TILES_AT_MOST,
        help_text=_("How many tiles were left, if it is known."),
    )
    tiles = Several(
        child=Text(max_length=40),
        most=TILES_AT_MOST,
        required=False,
        allow_null=True,
        help_text=_("The tiles left, such as “5-5”, if they are known."),
    )
    out = YesNo(
        required=False,
        allow_null=True,
        help_text=_("Whether this player went out; left out: 0 points and no tiles."),
    )
    marker = YesNo(required=False, default=False, help_text=_("Whether this player's marker is on."))


class Hands(serializers.ListSerializer[Any]):
    default_error_messages: ClassVar[dict[str, Any]] = SPOKEN | {
        "not_a_list": _("a list of hands is needed.")
    }

    def to_internal_value(self, data: Any) -> list[Any]:
        if isinstance(data, list) and len(data) > HANDS_AT_MOST:
            raise ValidationError({"non_field_errors": [_too_many(HANDS_AT_MOST, len(data))]})
        hands: list[Any] = super().to_internal_value(data)
        return hands


class RoundInput(Strict):
    engine = Whole(
        required=False,
        allow_null=True,
        min_value=0,
        max_value=HIGHEST_ENGINE,
        help_text=_("The engine's number; left out: the next in order, or the round's own."),
    )
    ended = OneOf(choices=Ended.values, help_text=_("Somebody went out, or nobody could play."))
    hands = Hands(child=HandInput(), help_text=_("One hand for each player of this round."))
    disputed = YesNo(
        required=False,
        default=False,
        help_text=_("Save it though it cannot be; needs a `reason`."),
    )
    reason = Reason(required=False, default="", max_length=REASON_LENGTH)

    def claim(self) -> RoundClaim:
        data = self.validated_data
        engine = data.get("engine")
        return RoundClaim(
            engine=NEXT_ENGINE if engine is None else engine,
            ended=data["ended"],
            hands=tuple(_hand_claim(hand) for hand in data["hands"]),
        )


def _hand_claim(hand: Mapping[str, Any]) -> HandClaim:
    tiles = hand.get("tiles")
    return HandClaim(
        seat=hand["seat"],
        points=hand.get("points"),
        tile_count=hand.get("tile_count"),
        tiles=None if tiles is None else tuple(tiles),
        out=hand.get("out"),
        marker=hand["marker"],
    )


@extend_schema_field(RULES_SCHEMA)
class RulesField(serializers.DictField):
    """Fields of the rule card; the engine says what may stand in each."""

    def run_validation(self, data: Any = serializers.empty) -> Any:
        if data is serializers.empty:
            return {}
        if not isinstance(data, dict):
            raise ValidationError(_("an object is needed, in braces."), "invalid")
        return data


class GameInput(Strict):
    players = Several(
        child=Text(), most=NAMES_AT_MOST, help_text=_("2 to 14 names, in the order people sit.")
    )
    preset = OneOf(choices=list(PRESETS), required=False, default="thoughtco")
    max_pip = Whole(required=False, help_text=_("The set's highest double: 6, 9, 12, 15 or 18."))
    first_engine = Whole(required=False, help_text=_("Left out: the set's highest double."))
    rounds = Whole(required=False, help_text=_("Left out: down to the double blank."))
    rules = RulesField(required=False, help_text=_("Where the table differs from the preset."))
    name = Title(required=False, default="", max_length=80)
    played_on = serializers.DateField(required=False, default=None, allow_null=True)
    second_person = YesNo(
        required=False, default=False, help_text=_("Whether somebody else confirms each round.")
    )

    def to_internal_value(self, data: Any) -> Any:
        """The rule card is judged even where other fields are wrong, so that all is said at once."""
        self.card: RuleSet | None = None
        problems: dict[str, Any] = {}
        value: dict[str, Any] = {}
        try:
            value = super().to_internal_value(data)
        except ValidationError as error:
            problems = _by_field(error)
        if isinstance(data, Mapping) and "rules" not in problems:
            known = {name: given for name, given in data.items() if name not in problems}
            try:
                card = _card(known)
            except ValidationError as error:
                problems |= _by_field(error)
            else:
                self.card = None if CARD & problems.keys() else card
        if problems:
            raise ValidationError(problems)
        return value

    def setup(self) -> Setup:
        assert self.card is not None  # noqa: S101 - a valid body has one
        data = self.validated_data
        return Setup(
            players=_names(data["players"]),
            rules=self.card,
            first_engine=data.get("first_engine"),
            rounds=data.get("rounds"),
            name=data["name"],
            played_on=data["played_on"],
            second_person=data["second_person"],
        )

    def setup_problems(self) -> list[Problem]:
        """What the services find wrong with those fields whose shape is right."""
        data, wrong = self.initial_data, set(self.errors)
        if not isinstance(data, Mapping):
            return []
        if self.card is None:
            wrong |= {"first_engine", "rounds", "deal"}
        if "players" in wrong:
            wrong.add("deal")
        if "first_engine" in wrong:
            wrong.add("rounds")
        setup = Setup(
            players=() if "players" in wrong else _names(data["players"]),
            rules=self.card or PRESETS["thoughtco"],
            first_engine=None if "first_engine" in wrong else data.get("first_engine"),
            rounds=None if "rounds" in wrong else data.get("rounds"),
        )
        return [problem for problem in check_setup(setup) if problem.field not in wrong]


def _names(given: list[str]) -> list[str]:
    return [tidy(name) for name in given]


def _card(data: Mapping[str, Any]) -> RuleSet:
    fields = dict(data.get("rules", {}))
    problems: dict[str, Any] = {}
    own: dict[str, Any] = {}
    if "preset" in fields:
        del fields["preset"]
        problems["preset"] = [ErrorDetail(str(_("it belongs beside `rules`, not in it.")), "unknown_field")]
    if "max_pip" in data:
        if "max_pip" in fields:
            problems["max_pip"] = [_("it is given twice: beside `rules` and in it.")]
        fields["max_pip"] = data["max_pip"]
    try:
        card = rule_set(data.get("preset", "thoughtco"), **fields)
    except RuleSetError as error:
        for problem in error.problems:
            name = str(problem.field)[:60]
            place = own if name == "max_pip" and "max_pip" in data else problems
            place[name] = [_not_allowed(name, problem.params)]
    if problems:
        own["rules"] = problems
    if own:
        raise ValidationError(own)
    return card


def _not_allowed(name: str, facts: Mapping[str, Any]) -> ErrorDetail:
    field = FIELDS.get(name)
    if field is None:
        text = str(_("there is no such field in a rule card; there are: %(known)s."))
        return ErrorDetail(text % {"known": ", ".join(FIELDS)}, "unknown_field")
    match field.kind:
        case "bool":
            needed = str(_("true or false"))
        case "int":
            needed = _whole(*facts["allowed"])
        case "list":
            needed = str(_("a list without repeats of %(choices)s"))
            needed %= {"choices": ", ".join(map(shown, field.choices))}
        case _:
            needed = _one_of(field.choices)
    return refused(needed, facts["given"])


class HandInInput(Strict):
    """One hand of the coming round, told before the round is closed."""

    round = Whole(
        required=False, allow_null=True, help_text=_("The round it is meant for; left out: the coming one.")
    )
    points = Whole(required=False, allow_null=True, help_text=_("The bare pips left."))
    tile_count = Whole(required=False, allow_null=True, min_value=0, max_value=TILES_AT_MOST)
    tiles = Several(child=Text(max_length=40), most=TILES_AT_MOST, required=False, allow_null=True)
    out = YesNo(required=False, allow_null=True)
    marker = YesNo(required=False, default=False)

    def claim(self, seat: int) -> HandClaim:
        return _hand_claim({**self.validated_data, "seat": seat})


class ConfirmInput(Strict):
    seat = Whole(help_text=_("Whose player confirms it: the name stands in the log."))


class PlayerInput(Strict):
    name = Text()
    start = OneOf(
        choices=list(STARTS),
        required=False,
        default="zero",
        help_text=_("The total to begin with: 0, the average of those still in, or their highest."),
    )
    order = Whole(
        required=False,
        min_value=1,
        max_value=HANDS_AT_MOST,
        help_text=_("The place at the table; left out: the last."),
    )


class PlayerChange(Strict):
    """What is left out stays as it is."""

    name = Text(required=False)
    order = Whole(required=False, min_value=1, max_value=HANDS_AT_MOST)
    retired = YesNo(
        required=False, help_text=_("true: out from the next round on; false: back from the next round on.")
    )


class AdjustmentInput(Strict):
    points = Whole(
        min_value=-MAX_ADJUSTMENT,
        max_value=MAX_ADJUSTMENT,
        help_text=_("What is added to the total, below 0 what is taken off it; not 0."),
    )
    reason = Reason(max_length=REASON_LENGTH)


class ChallengeInput(Strict):
    round = Whole(min_value=1, max_value=HANDS_AT_MOST, help_text=_("The round whose score is in doubt."))
    seat = Whole(min_value=1, max_value=HANDS_AT_MOST)
    reason = Reason(max_length=REASON_LENGTH)
    points = Whole(
        required=False,
        allow_null=True,
        min_value=0,
        max_value=MOST_POINTS,
        help_text=_("The bare pips that were left, as the challenger says; may be left out."),
    )


class RulingInput(Strict):
    ruling = OneOf(
        choices=[Ruling.UPHELD.value, Ruling.DISMISSED.value],
        help_text=_("dismissed: the score stays; upheld: it becomes `points`."),
    )
    reason = Reason(max_length=REASON_LENGTH)
    points = Whole(
        required=False,
        allow_null=True,
        min_value=0,
        max_value=MOST_POINTS,
        help_text=_("The bare pips left; left out: what the challenger said."),
    )
    disputed = YesNo(
        required=False,
        default=False,
        help_text=_("Save the round though it cannot be."),
    )


class RecordText(Text):
    """A train record as it is: its lines are counted, and what cannot be read in it is told by the engine."""

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            raise ValidationError([refused(_("a text"), data)])
        return data


class RecordInput(Strict):
    record = RecordText(help_text="A round, written move by move; see the notation of train records.")
