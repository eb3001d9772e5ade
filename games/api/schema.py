"""What the OpenAPI document says of each call: bodies, answers, errors, headers, examples.

Knows the answers' shape as documentation; `answers` makes them, and a test compares the two.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import (
    OpenApiExample,
    OpenApiParameter,
    OpenApiResponse,
    extend_schema,
    extend_schema_field,
    extend_schema_view,
)
from rest_framework import serializers

from games.api.errors import STATUS
from games.api.filters import GameFilters, LogFilters
from games.api.lists import parameters
from games.api.serializers import (
    RULES_SCHEMA,
    AdjustmentInput,
    ChallengeInput,
    ConfirmInput,
    GameInput,
    HandInInput,
    PlayerChange,
    PlayerInput,
    RecordInput,
    RoundInput,
    RulingInput,
)
from games.engine.rules import FIELDS, PRESETS
from games.engine.tiebreaks import TIEBREAKS
from games.models import Action, Ended, RecordMark, Role, Ruling, Status
from games.record_words import NOTES, SENTENCES


class BearerScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class: str | None = None
    description = ""

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:
        return {
            "type": "http",
            "scheme": "bearer",
            "description": self.description,
        }


class GameKeyScheme(BearerScheme):  # type: ignore[no-untyped-call]
    target_class = "games.api.authentication.GameKeyAuthentication"
    name = "gameKey"
    description = (
        "The game's `scorer_key`; or the key of its view link, which may only read; or the key of the "
        "table's code, which may also tell hands and confirm rounds. Or a user's token, made on the "
        "account's page: it opens the games in the account, as they were claimed, and those of the user's "
        "clubs: to whoever may score there for scoring, to other members for reading. A club's reader key "
        "reads them."
    )


class TokenScheme(BearerScheme):  # type: ignore[no-untyped-call]
    target_class = "games.api.authentication.TokenAuthentication"
    name = "token"
    description = "A user's token, made on the account's page."


class ClubKeyScheme(BearerScheme):  # type: ignore[no-untyped-call]
    target_class = "games.api.authentication.ClubKeyAuthentication"
    name = "clubKey"
    description = (
        "A user's token, made on the account's page: it may do what its user's role in the club allows. Or "
        "the key of the club's reader link, which reads its tables. Where anybody may read the tables, none."
    )


@extend_schema_field({**RULES_SCHEMA, "required": list(FIELDS)})
class RulesOut(serializers.JSONField):
    pass


class OwnGame(serializers.Serializer[Any]):
    id = serializers.CharField()
    url = serializers.URLField()
    role = serializers.ChoiceField(choices=Role.choices, help_text="May it write, or only read?")


class Me(serializers.Serializer[Any]):
    name = serializers.CharField(allow_blank=True)
    games = OwnGame(many=True)


class Warning(serializers.Serializer[Any]):  # noqa: A001 - the contract's word
    code = serializers.CharField()
    round = serializers.IntegerField()
    seat = serializers.IntegerField(allow_null=True)


class Adjustment(serializers.Serializer[Any]):
    number = serializers.IntegerField(help_text="The version that gave it; its address ends in it.")
    points = serializers.IntegerField(help_text="Counts in the total, and in no round.")
    reason = serializers.CharField()
    round = serializers.IntegerField(help_text="How many rounds were in.")


class Player(serializers.Serializer[Any]):
    seat = serializers.IntegerField(help_text="An identity, never changed or used again.")
    name = serializers.CharField()
    order = serializers.IntegerField(help_text="Where the player sits.")
    from_round = serializers.IntegerField()
    to_round = serializers.IntegerField(allow_null=True)
    start_total = serializers.IntegerField()
    adjustments = Adjustment(many=True)


class Hand(serializers.Serializer[Any]):
    seat = serializers.IntegerField()
    points = serializers.IntegerField(help_text="The bare pips left in the hand.")
    score = serializers.IntegerField(help_text="What counts, by the table's scoring options.")
    out = serializers.BooleanField()
    marker = serializers.BooleanField()
    tile_count = serializers.IntegerField(allow_null=True)
    tiles = serializers.ListField(child=serializers.CharField(), allow_null=True)


class Round(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    engine = serializers.IntegerField()
    ended = serializers.ChoiceField(choices=Ended.values)
    disputed = serializers.BooleanField()
    marks = serializers.ListField(
        child=serializers.CharField(), help_text="What a disputed round was saved in spite of."
    )
    confirmed = serializers.BooleanField(help_text="A second person has seen it as it stands.")
    record = serializers.ChoiceField(
        choices=RecordMark.values,
        allow_null=True,
        help_text="What its record says: `agrees` (legal, and all points the same), `differs`, `broken` (not "
        "by the rules), `open` (it does not tell enough); null without one.",
    )
    hands = Hand(many=True)


class Standing(serializers.Serializer[Any]):
    seat = serializers.IntegerField()
    name = serializers.CharField()
    total = serializers.IntegerField()
    place = serializers.IntegerField(help_text="1-2-2-4: equal players share their place.")
    zero_rounds = serializers.IntegerField()
    lowest_nonzero = serializers.IntegerField(allow_null=True)
    decided_by = serializers.ChoiceField(
        choices=["total", *TIEBREAKS, "shared", "retired"],
        allow_null=True,
        help_text="What parts this row from the one above; null in the first.",
    )


class Challenge(serializers.Serializer[Any]):
    number = serializers.IntegerField(help_text="From 1; the address of its ruling has it.")
    round = serializers.IntegerField()
    seat = serializers.IntegerField()
    was = serializers.IntegerField(help_text="The points that were challenged.")
    points = serializers.IntegerField(
        allow_null=True, help_text="What they should be, as the challenger says."
    )
    reason = serializers.CharField()
    who = serializers.CharField()
    role = serializers.ChoiceField(choices=Role.values)
    at = serializers.DateTimeField()
    ruling = serializers.ChoiceField(choices=Ruling.values)
    ruling_reason = serializers.CharField(allow_blank=True)
    ruled_by = serializers.CharField(allow_blank=True)
    ruled_at = serializers.DateTimeField(allow_null=True)
    by_record = serializers.BooleanField(
        help_text="A record of the round was laid with it, and says these points."
    )
    pending = serializers.BooleanField(help_text="It waits for a ruling, and its round is in.")


class Game(serializers.Serializer[Any]):
    id = serializers.CharField()
    url = serializers.URLField()
    version = serializers.IntegerField(help_text="Counts the changes; also the ETag.")
    status = serializers.ChoiceField(choices=Status.values)
    abandoned = serializers.BooleanField(help_text="Finished, and nobody has won.")
    name = serializers.CharField(allow_blank=True)
    played_on = serializers.DateField(allow_null=True)
    changed_at = serializers.DateTimeField()
    preset = serializers.ChoiceField(choices=list(PRESETS))
    second_person = serializers.BooleanField(help_text="Somebody else confirms each round.")
    rules = RulesOut(help_text="The whole card; `deal` is the number in force, null if unknown.")
    engines = serializers.ListField(child=serializers.IntegerField())
    next_engine = serializers.IntegerField(allow_null=True)
    warnings = Warning(many=True, help_text="Unlikely, never refused.")
    players = Player(many=True)
    rounds = Round(many=True)
    standings = Standing(many=True)
    challenges = Challenge(many=True, help_text="Scores that somebody doubts or doubted, oldest first.")


class DeletedGame(serializers.Serializer[Any]):
    id = serializers.CharField()
    version = serializers.IntegerField()
    deleted_at = serializers.DateTimeField()
    kept_until = serializers.DateTimeField(help_text="Until then it can be brought back.")


class HandTold(serializers.Serializer[Any]):
    seat = serializers.IntegerField()
    name = serializers.CharField()
    points = serializers.IntegerField(required=False, allow_null=True, help_text="To the scorer alone.")
    out = serializers.BooleanField(required=False, allow_null=True)
    marker = serializers.BooleanField(required=False, allow_null=True)
    tile_count = serializers.IntegerField(required=False, allow_null=True)
    tiles = serializers.ListField(child=serializers.CharField(), required=False, allow_null=True)

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        fields = super().get_fields()
        known = {name: fields.pop(name) for name in ("seat", "name")}
        return {**known, "in": serializers.BooleanField(), **fields}  # `in` is a word of Python


class HandsTold(serializers.Serializer[Any]):
    id = serializers.CharField()
    version = serializers.IntegerField()
    round = serializers.IntegerField(allow_null=True, help_text="The coming one; null once it is finished.")
    engine = serializers.IntegerField(allow_null=True)
    hands = HandTold(many=True)


class ClaimedGame(serializers.Serializer[Any]):
    id = serializers.CharField()
    url = serializers.URLField()
    role = serializers.ChoiceField(choices=Role.choices, help_text="May it write, or only read?")
    version = serializers.IntegerField()
    status = serializers.ChoiceField(choices=Status.values)
    abandoned = serializers.BooleanField()
    name = serializers.CharField(allow_blank=True)
    played_on = serializers.DateField(allow_null=True)
    changed_at = serializers.DateTimeField()


class NewGame(Game):
    scorer_key = serializers.CharField(help_text="Shown here alone; it is the scorer link's secret.")


@extend_schema_field({"description": "Any JSON value, null where there was none."})
class Anything(serializers.JSONField):
    pass


class Change(serializers.Serializer[Any]):
    round = serializers.IntegerField(allow_null=True)
    seat = serializers.IntegerField(allow_null=True)
    name = serializers.CharField(allow_null=True)
    field = serializers.CharField()
    to = Anything(allow_null=True)

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        fields = super().get_fields()
        to = fields.pop("to")
        return {**fields, "from": Anything(allow_null=True), "to": to}  # `from` is a word of Python


class Entry(serializers.Serializer[Any]):
    version = serializers.IntegerField(help_text="The game's version after the change.")
    at = serializers.DateTimeField()
    who = serializers.CharField()
    action = serializers.ChoiceField(choices=Action.values)
    round = serializers.IntegerField(allow_null=True)
    target = serializers.IntegerField(allow_null=True, help_text="What was undone or done again.")
    reason = serializers.CharField(allow_blank=True)
    changes = Change(many=True)


class Paged(serializers.Serializer[Any]):
    """What every list has around its rows."""

    count = serializers.IntegerField(help_text="How many there are in all, on every page.")
    next = serializers.URLField(allow_null=True, help_text="The next page; null on the last.")
    previous = serializers.URLField(allow_null=True)


class Log(serializers.Serializer[Any]):
    id = serializers.CharField()
    version = serializers.IntegerField()
    count = serializers.IntegerField(help_text="How many entries there are in all.")
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    entries = Entry(many=True, help_text="Oldest first.")


class ClaimedGames(Paged):
    results = ClaimedGame(many=True, help_text="Newest claim first.")


class Problem(serializers.Serializer[Any]):
    code = serializers.CharField()
    message = serializers.CharField()
    seat = serializers.IntegerField(required=False, help_text="The one hand concerned.")
    seats = serializers.ListField(
        child=serializers.IntegerField(), required=False, help_text="The hands concerned."
    )
    field = serializers.CharField(required=False, help_text="Such as `hands[1].points`.")
    line = serializers.IntegerField(required=False, help_text="Of a record that cannot be read.")
    column = serializers.IntegerField(required=False)
    text = serializers.CharField(required=False, allow_blank=True, help_text="What stands there.")


ERROR_CODES = list(STATUS)


class Error(serializers.Serializer[Any]):
    code = serializers.ChoiceField(choices=ERROR_CODES)
    message = serializers.CharField()
    problems = Problem(many=True)


class ConflictError(Error):
    game = Game(required=False, help_text="With `conflict`: the game as it is now.")


_UNAUTHENTICATED = OpenApiExample(
    "no key or an unknown one",
    value={
        "code": "unauthenticated",
        "message": "This key is unknown or has been stopped.",
        "problems": [],
    },
    response_only=True,
    status_codes=["401"],
)
_IMPOSSIBLE = OpenApiExample(
    "a round that cannot be",
    value={
        "code": "round_impossible",
        "message": "Two hands claim the 9-6.",
        "problems": [{"code": "tile_twice", "message": "Two hands claim the 9-6.", "seats": [2, 3]}],
    },
    response_only=True,
    status_codes=["400"],
)
_NEW_GAME = OpenApiExample(
    "three players, the blank at 25",
    value={
        "players": ["Ann", "Ben", "Cho"],
        "preset": "thoughtco",
        "max_pip": 12,
        "first_engine": 12,
        "rounds": 13,
        "rules": {"double_blank": 25},
    },
    request_only=True,
)
_ROUND = OpenApiExample(
    "points, points and tiles, tiles alone",
    value={
        "engine": 12,
        "ended": "out",
        "hands": [
            {"seat": 1, "points": 0},
            {"seat": 2, "points": 18, "tile_count": 3},
            {"seat": 3, "tiles": ["5-5", "2-1"]},
        ],
    },
    request_only=True,
)
_DISPUTED = OpenApiExample(
    "a disputed round",
    value={
        "ended": "out",
        "hands": [{"seat": 1, "points": 0}, {"seat": 2, "points": 1}, {"seat": 3, "points": 1}],
        "disputed": True,
        "reason": "The tiles were shuffled before we saw it.",
    },
    request_only=True,
)

_NEW_PLAYER = OpenApiExample(
    "joins at the average of the totals", value={"name": "Dan", "start": "average"}, request_only=True
)
_RETIRED = OpenApiExample("leaves the game", value={"retired": True}, request_only=True)
_PENALTY = OpenApiExample(
    "a penalty of 20", value={"points": 20, "reason": "A tile was on the floor."}, request_only=True
)

_CHALLENGE = OpenApiExample(
    "Ben's round 6 should be 15",
    value={"round": 6, "seat": 2, "points": 15, "reason": "Only the 9-6 was left."},
    request_only=True,
)
_RULING = OpenApiExample(
    "it stays", value={"ruling": "dismissed", "reason": "We counted again."}, request_only=True
)
_HAND_IN = OpenApiExample("18 points in 3 tiles", value={"points": 18, "tile_count": 3}, request_only=True)
_CONFIRM = OpenApiExample("seat 2 has seen it", value={"seat": 2}, request_only=True)

_IDEMPOTENCY_KEY = OpenApiParameter(
    "Idempotency-Key",
    str,
    OpenApiParameter.HEADER,
    description="22 to 255 characters, kept for 24 hours: the same key and body again get the same answer, "
    "and nothing is written twice.",
)
_IF_MATCH = OpenApiParameter(
    "If-Match",
    str,
    OpenApiParameter.HEADER,
    description='The version the change was made for, as `"7"`, `W/"7"` or `7`; 409 if there is a newer one.',
)
_ONLY_NEW = OpenApiParameter(
    "If-None-Match",
    str,
    OpenApiParameter.HEADER,
    enum=["*"],
    description="`*`: only if the round is not there yet; else 409.",
)
_SEEN = OpenApiParameter(
    "If-None-Match",
    str,
    OpenApiParameter.HEADER,
    description="The ETag of the last answer; 304 if nothing has changed.",
)
_NUMBER = OpenApiParameter("number", int, OpenApiParameter.PATH, description="The round, from 1.")
_SEAT = OpenApiParameter("seat", int, OpenApiParameter.PATH, description="The player's seat.")
_ADJUSTMENT = OpenApiParameter(
    "number", int, OpenApiParameter.PATH, description="The adjustment's number, as the game lists it."
)
_CHALLENGE_NUMBER = OpenApiParameter(
    "number", int, OpenApiParameter.PATH, description="The challenge's number, as the game lists it."
)
_SLUG = OpenApiParameter("slug", str, OpenApiParameter.PATH, description="The game's `id`.")


def _tag(*statuses: str) -> OpenApiParameter:
    return OpenApiParameter(
        "ETag", str, OpenApiParameter.HEADER, response=list(statuses), description="The version."
    )


ERRORS = {
    400: "The body is wrong, or the round cannot be.",
    401: "No key, or an unknown one.",
    403: "The key may read, not write.",
    404: "No such game, or the key does not open it.",
    405: "Another method is needed.",
    409: "`conflict`: somebody was faster; `idempotency`: the key was used with another body; "
    "`round_number`: not the last round, or beyond the next one.",
    413: "The body is too large.",
    415: "The body is not JSON.",
    429: "Too many tries from this address in this minute.",
}


def error_answers(
    texts: Mapping[int, str], conflict: Any, statuses: Iterable[int]
) -> dict[int, OpenApiResponse]:
    """The answers of these statuses, each with its text; 409 carries `conflict`."""
    return {
        status: OpenApiResponse(conflict if status == 409 else Error, texts[status]) for status in statuses
    }


def _errors(*statuses: int) -> dict[int, OpenApiResponse]:
    return error_answers(ERRORS, ConflictError, statuses)


def _writing(*more: int) -> dict[int, OpenApiResponse]:
    return _errors(*sorted({400, 401, 403, 404, 405, 409, 413, 415, 429, *more}))


def _reading() -> dict[int, OpenApiResponse]:
    return {
        304: OpenApiResponse(None, "Nothing has changed."),
        **_errors(401, 404, 405, 429),
    }


def _parameters(*more: OpenApiParameter) -> Sequence[OpenApiParameter]:
    return [_SLUG, *more]


games_read = extend_schema(
    operation_id="games_read",
    summary="The games of an account",
    description="Those that were claimed and are not deleted, page by page.",
    tags=["games"],
    parameters=parameters(GameFilters),
    responses={200: ClaimedGames, **_errors(400, 401, 403, 405, 429)},
)
game_start = extend_schema(
    operation_id="game_start",
    summary="Start a game",
    description="Open to all. The answer alone holds the `scorer_key`.",
    tags=["games"],
    auth=[],
    parameters=[_IDEMPOTENCY_KEY, _tag("201")],
    request=GameInput,
    responses={201: NewGame, **_errors(400, 405, 409, 413, 415, 429)},
    examples=[_NEW_GAME],
)
game_read = extend_schema_view(
    get=extend_schema(
        operation_id="game_read",
        summary="The game",
        description="Players, rounds and standings as they are now.",
        tags=["games"],
        parameters=_parameters(_SEEN, _tag("200", "304")),
        responses={200: Game, **_reading()},
        examples=[_UNAUTHENTICATED],
    )
)
game_finish = extend_schema(
    operation_id="game_finish",
    summary="End the game early",
    description="A later change of a round opens it again.",
    tags=["games"],
    parameters=_parameters(_IDEMPOTENCY_KEY, _IF_MATCH, _tag("200")),
    request=None,
    responses={200: Game, **_writing()},
)
game_delete = extend_schema(
    operation_id="game_delete",
    summary="Delete the game",
    description="It opens nothing any more: 404 to every key. For 30 days the scorer key can bring it back "
    "by `restore`; then it is gone.",
    tags=["games"],
    parameters=_parameters(_IDEMPOTENCY_KEY, _IF_MATCH, _tag("200")),
    request=None,
    responses={200: DeletedGame, **_writing()},
)
game_abandon = extend_schema(
    operation_id="game_abandon",
    summary="Abandon the game",
    description="It ends without a result: `finished` and `abandoned`, and nobody has won. `restore`, or a "
    "later change of a round, takes it up again; after 30 days without a change it is removed.",
    tags=["games"],
    parameters=_parameters(_IDEMPOTENCY_KEY, _IF_MATCH, _tag("200")),
    request=None,
    responses={200: Game, **_writing()},
)
game_restore = extend_schema(
    operation_id="game_restore",
    summary="Bring the game back",
    description="A deleted game as it was, or an abandoned one to be played on. Any other stays as it is.",
    tags=["games"],
    parameters=_parameters(_IDEMPOTENCY_KEY, _IF_MATCH, _tag("200")),
    request=None,
    responses={200: Game, **_writing()},
)
me_read = extend_schema(
    operation_id="me_read",
    summary="What a token opens",
    description="The account's name and its games. A game's key has no account: 403.",
    tags=["account"],
    responses={200: Me, **_errors(401, 403, 405, 429)},
)
log_read = extend_schema_view(
    get=extend_schema(
        operation_id="log_read",
        summary="The log",
        description="Who entered and changed what, from which value to which, when and why; oldest first.",
        tags=["games"],
        parameters=_parameters(*parameters(LogFilters, limit="all"), _SEEN, _tag("200", "304")),
        responses={200: Log, **_errors(400), **_reading()},
    )
)
round_put = extend_schema(
    operation_id="round_put",
    summary="Enter or correct a round",
    description="The next round, or one that is there already: that is a correction, and the log keeps the "
    "old values. `points` are always the bare pips left; every check works on them.",
    tags=["rounds"],
    parameters=_parameters(_NUMBER, _IDEMPOTENCY_KEY, _IF_MATCH, _ONLY_NEW, _tag("200", "201")),
    request=RoundInput,
    responses={200: Game, 201: Game, **_writing()},
    examples=[_ROUND, _DISPUTED, _IMPOSSIBLE],
)
round_delete = extend_schema(
    operation_id="round_delete",
    summary="Take the last round back",
    description="Any other round: 409 `round_number`.",
    tags=["rounds"],
    parameters=_parameters(_NUMBER, _IDEMPOTENCY_KEY, _IF_MATCH, _tag("200")),
    request=None,
    responses={200: Game, **_writing()},
)
hands_read = extend_schema(
    operation_id="hands_read",
    summary="Whose hands are in",
    description="For the coming round, told before it is closed. The scorer's key sees what was told.",
    tags=["hands"],
    parameters=_parameters(),
    responses={200: HandsTold, **_errors(401, 404, 405, 429)},
)
hand_put = extend_schema(
    operation_id="hand_put",
    summary="Tell one hand of the coming round",
    description="No score yet: whoever keeps score closes the round. With the key of the table's code or the "
    "scorer's; a seat that a phone has is told by that phone alone: 403.",
    tags=["hands"],
    parameters=_parameters(_SEAT, _IDEMPOTENCY_KEY),
    request=HandInInput,
    responses={200: HandsTold, **_writing()},
    examples=[_HAND_IN],
)
hand_remove = extend_schema(
    operation_id="hand_remove",
    summary="Take a hand out again",
    tags=["hands"],
    parameters=_parameters(_SEAT, _IDEMPOTENCY_KEY),
    request=None,
    responses={200: HandsTold, **_writing()},
)
round_confirm = extend_schema(
    operation_id="round_confirm",
    summary="Confirm a round",
    description="Where the game was started with `second_person`. With the key of the table's code alone: "
    "who has the scorer's may have entered the round. A correction makes it unconfirmed again.",
    tags=["rounds"],
    parameters=_parameters(_NUMBER, _IDEMPOTENCY_KEY, _IF_MATCH, _tag("200")),
    request=ConfirmInput,
    responses={200: Game, **_writing()},
    examples=[_CONFIRM],
)
player_add = extend_schema(
    operation_id="player_add",
    summary="Add a player",
    description="From the next round on: somebody who was forgotten before the first one, or who joins late.",
    tags=["players"],
    parameters=_parameters(_IDEMPOTENCY_KEY, _IF_MATCH, _tag("201")),
    request=PlayerInput,
    responses={201: Game, **_writing()},
    examples=[_NEW_PLAYER],
)
player_change = extend_schema(
    operation_id="player_change",
    summary="Rename, move, retire or bring back a player",
    description="What is left out stays as it is. Scores stay with the seat; who left plays no more rounds.",
    tags=["players"],
    parameters=_parameters(_SEAT, _IDEMPOTENCY_KEY, _IF_MATCH, _tag("200")),
    request=PlayerChange,
    responses={200: Game, **_writing()},
    examples=[_RETIRED],
)
adjustment_add = extend_schema(
    operation_id="adjustment_add",
    summary="Give a penalty or a bonus",
    description="Signed points that count in the total, apart from the rounds and from the tie-breaks.",
    tags=["players"],
    parameters=_parameters(_SEAT, _IDEMPOTENCY_KEY, _IF_MATCH, _tag("201")),
    request=AdjustmentInput,
    responses={201: Game, **_writing()},
    examples=[_PENALTY],
)
adjustment_remove = extend_schema(
    operation_id="adjustment_remove",
    summary="Take a penalty or bonus back",
    tags=["players"],
    parameters=_parameters(_SEAT, _ADJUSTMENT, _IDEMPOTENCY_KEY, _IF_MATCH, _tag("200")),
    request=None,
    responses={200: Game, **_writing()},
)
challenge_add = extend_schema(
    operation_id="challenge_add",
    summary="Doubt a score",
    description="With any key that reads the game. No score changes: the score, and the places that hang on "
    "it, are pending until the scorer rules. `invalid` with `challenge_open` where it is doubted already.",
    tags=["disputes"],
    parameters=_parameters(_IDEMPOTENCY_KEY, _IF_MATCH, _tag("201")),
    request=ChallengeInput,
    responses={201: Game, **_writing()},
    examples=[_CHALLENGE],
)
challenge_rule = extend_schema(
    operation_id="challenge_rule",
    summary="Rule on a challenge",
    description="With the scorer key. Upheld, the score changes with it, judged as any correction; both the "
    "old value and the ruling stay readable.",
    tags=["disputes"],
    parameters=_parameters(_CHALLENGE_NUMBER, _IDEMPOTENCY_KEY, _IF_MATCH, _tag("200")),
    request=RulingInput,
    responses={200: Game, **_writing()},
    examples=[_RULING],
)


VIOLATIONS = list(SENTENCES)
RECORD_NOTES = list(NOTES)


class Breach(serializers.Serializer[Any]):
    code = serializers.ChoiceField(choices=VIOLATIONS)
    rule = serializers.CharField(allow_null=True, help_text="Such as `A6`; null where no source says it.")
    turn = serializers.IntegerField(help_text="From 1; 0 for headers and end lines.")
    action = serializers.IntegerField(
        help_text="From 1; 0 for what is found at the end of a turn, headers and end lines."
    )
    line = serializers.IntegerField()
    message = serializers.CharField()


class Note(serializers.Serializer[Any]):
    code = serializers.ChoiceField(choices=RECORD_NOTES)
    message = serializers.CharField()
    player = serializers.CharField(required=False)
    turn = serializers.IntegerField(required=False)
    line = serializers.IntegerField(required=False)
    rule = serializers.CharField(required=False)


class RecordChecked(serializers.Serializer[Any]):
    verdict = serializers.ChoiceField(choices=["legal", "unfinished", "illegal", "impossible"])
    violation = Breach(allow_null=True, help_text="The first one.")
    notes = Note(many=True)
    turns = serializers.IntegerField(help_text="Whole turns before the violation, or all.")
    scores = serializers.DictField(
        child=serializers.IntegerField(allow_null=True),
        allow_null=True,
        help_text="By player, of a legal round; null for a player where nobody can know.",
    )


_RECORD = OpenApiExample(
    "three turns, all hands hidden",
    value={
        "record": "rules: thoughtco\nset: 9\nplayers: A, B, C\nengine: 9-9 B\n"
        "1. B 9-4>B 4-4>B 4-7>B 7-1>B\n2. C - ^\n3. A 9-0>A 0-0>A"
    },
    request_only=True,
)
_UNREAD = OpenApiExample(
    "a record that cannot be read",
    value={
        "code": "invalid",
        "message": "Line 5, column 6: “9-4>” is no action. There are 12-3, 12-3>A, +, +5-4, -, ^, v and !.",
        "problems": [
            {
                "code": "syntax",
                "message": "Line 5, column 6: “9-4>” is no action. "
                "There are 12-3, 12-3>A, +, +5-4, -, ^, v and !.",
                "field": "record",
                "line": 5,
                "column": 6,
                "text": "9-4>",
            }
        ],
    },
    response_only=True,
    status_codes=["400"],
)
record_check = extend_schema(
    operation_id="record_check",
    summary="Check a round",
    description="Replays a train record move by move by the rules it declares. Open to all; nothing is kept. "
    "`syntax` and `header` in `problems` mean that it could not be read.",
    tags=["records"],
    auth=[],
    request=RecordInput,
    responses={200: RecordChecked, **_errors(400, 405, 413, 415, 429)},
    examples=[_RECORD, _UNREAD],
)
