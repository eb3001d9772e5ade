"""What the OpenAPI document says of the calls about clubs; `answers` makes the answers, a test compares."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from drf_spectacular.utils import (
    OpenApiExample,
    OpenApiParameter,
    OpenApiResponse,
    extend_schema,
)
from rest_framework import serializers

from games.api.club.answers import DECIDED, MAY, STATES
from games.api.club.filters import (
    ClubFilters,
    ClubGameFilters,
    ClubLogFilters,
    DoubtFilters,
    FigureFilters,
    MemberFilters,
    NightFilters,
    RecordFilters,
    SeasonFilters,
    StandingFilters,
)
from games.api.club.inputs import (
    AppealInput,
    ClubChange,
    ClubGameChange,
    ClubGameInput,
    ClubGameStart,
    ClubInput,
    DecisionInput,
    DoubtInput,
    JoinInput,
    MemberChange,
    MembersInput,
    MergeInput,
    NightChange,
    SchemeChange,
    SchemeTry,
    SeasonChange,
    SeasonInput,
)
from games.api.lists import Filters, parameters
from games.api.schema import ERRORS, Anything, Error, Paged, error_answers
from games.engine.scheme import ABSENCES, LATE, MEASURES, TIEBREAKS
from games.models import ClubAction, ClubLink, ClubRole

Shape = serializers.Serializer[Any]
KINDS = ("played", "absent", "forfeit", "void")


class Dated(Shape):
    version = serializers.IntegerField(help_text="Counts the club's changes; what If-Match takes.")


class KnownClub(Shape):
    id = serializers.CharField()
    url = serializers.URLField()
    version = serializers.IntegerField(help_text="Counts the club's changes; what If-Match takes.")
    name = serializers.CharField()
    public = serializers.BooleanField(help_text="Whether anybody may read the tables.")
    role = serializers.ChoiceField(
        choices=ClubRole.values, allow_null=True, help_text="Yours; null: reads by a link, or as anybody."
    )


class Club(KnownClub):
    member = serializers.IntegerField(allow_null=True, help_text="Your number among the members.")
    may = serializers.ListField(child=serializers.ChoiceField(choices=MAY))
    founded_at = serializers.DateTimeField()
    season = serializers.IntegerField(allow_null=True, help_text="The newest season's number.")


class ClubLinkOut(Shape):
    key = serializers.CharField(help_text="The reader's is a bearer key; the invitation's joins.")
    url = serializers.URLField(help_text="The page it opens.")
    since = serializers.DateTimeField()


class ClubLinks(Dated):
    reader = ClubLinkOut()
    invite = ClubLinkOut()


class ClubMember(Shape):
    number = serializers.IntegerField(help_text="An identity, never used again.")
    name = serializers.CharField()
    role = serializers.ChoiceField(choices=ClubRole.values)
    account = serializers.BooleanField(help_text="Whether an account belongs to it.")
    joined_on = serializers.DateField(allow_null=True, help_text="null: since ever.")
    left_on = serializers.DateField(allow_null=True)


class Season(Shape):
    number = serializers.IntegerField()
    url = serializers.URLField()
    name = serializers.CharField()
    starts_on = serializers.DateField()
    ends_on = serializers.DateField(allow_null=True)
    scored = serializers.CharField(help_text="How, in one line.")


class Scheme(Shape):
    measure = serializers.ChoiceField(choices=MEASURES)
    places = serializers.ListField(child=serializers.IntegerField(), allow_null=True)
    high_wins = serializers.BooleanField()
    best = serializers.IntegerField(allow_null=True)
    least_nights = serializers.IntegerField()
    absence = serializers.ChoiceField(choices=ABSENCES)
    late = serializers.ChoiceField(choices=LATE)
    guests_hold_places = serializers.BooleanField()
    tiebreaks = serializers.ListField(child=serializers.ChoiceField(choices=list(TIEBREAKS)))


class SeasonScheme(Dated):
    scheme = Scheme()
    line = serializers.CharField()
    words = serializers.ListField(child=serializers.CharField(), help_text="A sentence a rule.")


class Figure(Shape):
    value = serializers.FloatField(allow_null=True)
    exact = serializers.CharField(allow_null=True, help_text="Such as “1248/31”.")
    shown = serializers.CharField(help_text="As the pages write it.")


class Placed(Figure):
    place = serializers.IntegerField(allow_null=True)


class Move(Shape):
    member = serializers.IntegerField()
    name = serializers.CharField()
    place = serializers.IntegerField(allow_null=True)
    other_place = serializers.IntegerField(allow_null=True)


class BothRow(Placed):
    member = serializers.IntegerField()
    name = serializers.CharField()
    other = Placed()


class SchemePreview(SeasonScheme):
    same = serializers.BooleanField(help_text="Whether it is how the season is scored already.")
    said = serializers.CharField(allow_blank=True, help_text="Who moves, in words.")
    moves = Move(many=True)
    rows = BothRow(many=True, help_text="In the order of the new table.")


class Criterion(Shape):
    code = serializers.CharField()
    own = serializers.CharField(allow_null=True)
    theirs = serializers.CharField(allow_null=True)


class Neighbour(Shape):
    member = serializers.IntegerField()
    name = serializers.CharField()
    decided_by = serializers.ChoiceField(choices=DECIDED)
    criteria = Criterion(many=True, help_text="What both were ranked by; the last one decided.")


class NightResult(Figure):
    on = serializers.DateField()
    kind = serializers.ChoiceField(choices=KINDS)
    counted = serializers.BooleanField(help_text="false: void, dropped, or a blank absence.")
    pending = serializers.BooleanField()
    points = serializers.IntegerField()
    games = serializers.IntegerField()
    rounds = serializers.IntegerField()


class Hanging(Shape):
    doubt = serializers.IntegerField()
    said = serializers.CharField()
    moves = Move(many=True, help_text="Who would stand elsewhere if it fell the other way.")


class Why(Shape):
    said = serializers.ListField(child=serializers.CharField(), help_text="In sentences.")
    above = Neighbour(allow_null=True)
    below = Neighbour(allow_null=True)
    nights = NightResult(many=True)
    hanging = Hanging(many=True, help_text="Results in doubt that this place hangs on.")


class SeasonStanding(Placed):
    member = serializers.IntegerField()
    name = serializers.CharField()
    nights = serializers.IntegerField()
    games = serializers.IntegerField()
    rounds = serializers.IntegerField()
    points = serializers.IntegerField()
    pending = serializers.BooleanField()
    decided_by = serializers.ChoiceField(
        choices=DECIDED, allow_null=True, help_text="What parts it from the row above; null in the first."
    )
    why = Why()


class Night(Shape):
    on = serializers.DateField()
    void = serializers.BooleanField()
    reason = serializers.CharField(allow_blank=True)
    games = serializers.IntegerField()
    members = serializers.IntegerField(help_text="How many sat there.")


class ClubSeat(Shape):
    seat = serializers.IntegerField()
    name = serializers.CharField()
    member = serializers.IntegerField(allow_null=True, help_text="null: a guest.")
    forfeit = serializers.BooleanField()
    place = serializers.IntegerField(allow_null=True)
    points = serializers.IntegerField(allow_null=True, help_text="The total; null before a round is in.")


class ClubGame(Shape):
    id = serializers.CharField()
    url = serializers.URLField()
    game_url = serializers.URLField(
        allow_null=True, help_text="The game itself, with its rounds; null where there are none."
    )
    season = serializers.IntegerField()
    on = serializers.DateField()
    name = serializers.CharField(allow_blank=True)
    state = serializers.ChoiceField(choices=STATES)
    told = serializers.BooleanField(help_text="Known by its result alone, which a file brought.")
    void = serializers.BooleanField(help_text="Whether this game alone does not count.")
    reason = serializers.CharField(allow_blank=True)
    night_void = serializers.BooleanField()
    in_doubt = serializers.BooleanField()
    doubts = serializers.ListField(child=serializers.IntegerField())
    seats = ClubSeat(many=True)


class Other(Shape):
    void = serializers.BooleanField(allow_null=True)
    round = serializers.IntegerField(allow_null=True)
    seat = serializers.IntegerField(allow_null=True)
    points = serializers.IntegerField(allow_null=True)


class DoubtStep(Shape):
    kind = serializers.ChoiceField(choices=["raised", "decided", "reopened"])
    at = serializers.DateTimeField()
    who = serializers.CharField(allow_blank=True)
    reason = serializers.CharField()
    stands = serializers.BooleanField(allow_null=True, help_text="Of a decision.")
    fell = Other(allow_null=True, help_text="What a decision carried out.")


class DoubtRow(Shape):
    number = serializers.IntegerField()
    url = serializers.URLField()
    game = serializers.CharField()
    season = serializers.IntegerField()
    on = serializers.DateField()
    open = serializers.BooleanField()
    other = Other(help_text="How it would fall otherwise.")
    steps = DoubtStep(many=True, help_text="Oldest first; an appeal keeps both decisions.")


class Doubt(DoubtRow):
    hanging = Hanging(allow_null=True, help_text="null once it is decided.")


class ClubChanged(Shape):
    field = serializers.CharField()
    to = Anything(allow_null=True)

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        fields = super().get_fields()
        to = fields.pop("to")
        return {**fields, "from": Anything(allow_null=True), "to": to}  # `from` is a word of Python


class ClubEntry(Shape):
    version = serializers.IntegerField(help_text="The club's version after the change.")
    at = serializers.DateTimeField()
    who = serializers.CharField(allow_blank=True)
    action = serializers.ChoiceField(choices=ClubAction.values)
    about = serializers.CharField(allow_blank=True, help_text="Whom or what, as it was called then.")
    reason = serializers.CharField(allow_blank=True)
    changes = ClubChanged(many=True)


class ExactNumber(Shape):
    value = serializers.FloatField(allow_null=True)
    exact = serializers.CharField(allow_null=True, help_text="Such as “1248/31”.")


class PlaceCount(Shape):
    place = serializers.IntegerField()
    games = serializers.IntegerField()


class RunEnd(Shape):
    game = serializers.CharField(required=False)
    round = serializers.IntegerField(required=False)
    on = serializers.DateField(required=False)


class InARow(Shape):
    longest = serializers.IntegerField()
    now = serializers.IntegerField(help_text="How long the row is that has not ended.")
    first = RunEnd(allow_null=True)
    last = RunEnd(allow_null=True)


class Measured(Shape):
    rules = serializers.CharField(help_text="The code by which it is asked for.")
    said = serializers.CharField()
    measure = serializers.DictField(help_text="What a point is; only such points are compared.")


class EngineFigures(Shape):
    engine = serializers.IntegerField()
    rounds = serializers.IntegerField()
    points = serializers.IntegerField()
    out = serializers.IntegerField()
    average = ExactNumber()


class LengthFigures(Shape):
    rounds = serializers.IntegerField()
    games = serializers.IntegerField()
    points = serializers.IntegerField()
    best = serializers.IntegerField()
    best_in = serializers.ListField(child=serializers.CharField())
    worst = serializers.IntegerField()
    worst_in = serializers.ListField(child=serializers.CharField())


class MarkPlace(Shape):
    game = serializers.CharField()
    engine = serializers.IntegerField()


class RoundMark(Shape):
    score = serializers.IntegerField()
    where = MarkPlace(many=True)


class CourseStep(Shape):
    game = serializers.CharField()
    on = serializers.DateField()
    rounds = serializers.IntegerField()
    points = serializers.IntegerField()
    average = ExactNumber()
    so_far = ExactNumber(help_text="The average a round of all games up to it.")


class FiguresOut(Measured):
    games = serializers.IntegerField()
    average = ExactNumber(help_text="A round.")
    engines = EngineFigures(many=True)
    lengths = LengthFigures(many=True)
    best_round = RoundMark(allow_null=True)
    worst_round = RoundMark(allow_null=True)
    course = CourseStep(many=True)


class PersonFigures(Dated):
    number = serializers.IntegerField()
    name = serializers.CharField()
    games = serializers.IntegerField()
    nights = serializers.IntegerField()
    forfeits = serializers.IntegerField()
    wins = serializers.IntegerField(help_text="Shared first places among them.")
    places = PlaceCount(many=True)
    beaten = ExactNumber(help_text="The share of opponents beaten.")
    rounds = serializers.IntegerField()
    out = serializers.IntegerField()
    won_in_row = InARow()
    out_in_row = InARow()
    nights_in_row = InARow()
    doubts = serializers.ListField(child=serializers.IntegerField(), help_text="Open ones about the games.")
    figures = FiguresOut(many=True, help_text="Most played first.")


class Somebody(Shape):
    number = serializers.IntegerField()
    name = serializers.CharField()


class DifferenceOut(Measured):
    games = serializers.IntegerField()
    points = serializers.IntegerField(help_text="By which the first was better.")


class MetOut(Shape):
    game = serializers.CharField()
    on = serializers.DateField()
    season = serializers.IntegerField()
    places = serializers.ListField(child=serializers.IntegerField())
    points = serializers.ListField(child=serializers.IntegerField())
    ahead = serializers.IntegerField(help_text="1: the first placed better; -1: the other; 0: level.")
    by = serializers.IntegerField(allow_null=True)
    pending = serializers.BooleanField()


class HeadToHead(Dated):
    members = Somebody(many=True)
    better = serializers.IntegerField(help_text="How often the first placed better.")
    worse = serializers.IntegerField()
    level = serializers.IntegerField()
    differences = DifferenceOut(many=True)
    met = MetOut(many=True, help_text="Oldest first.")


class RecordHolder(Somebody):
    games = serializers.ListField(child=serializers.CharField())
    engine = serializers.IntegerField(allow_null=True)
    season = serializers.IntegerField(allow_null=True)
    nights = serializers.ListField(child=serializers.DateField())


class ClubRecordOut(ExactNumber):
    code = serializers.CharField()
    said = serializers.CharField()
    rounds = serializers.IntegerField(allow_null=True)
    holders = RecordHolder(many=True)


class ClubRecords(Dated):
    rules = Measured(many=True, help_text="What was measured, most games first.")
    shown = serializers.CharField(allow_null=True)
    records = ClubRecordOut(many=True)


class ClubConflictError(Error):
    club = Club(required=False, help_text="With `conflict`: the club as it is now.")


def _with_version(shape: type[Shape], name: str, **more: Any) -> type[Shape]:
    """One thing of a club, as it is answered by itself."""
    return type(name, (shape,), {"version": Dated._declared_fields["version"], **more})


def _list_of(shape: type[Shape], name: str, order: str, *, version: bool = True) -> type[Shape]:
    rows = shape(many=True, help_text=order)
    return type(name, (Dated, Paged) if version else (Paged,), {"results": rows})


OneMember = _with_version(ClubMember, "OneMember")
OneSeason = _with_version(Season, "OneSeason")
OneNight = _with_version(Night, "OneNight")
OneClubGame = _with_version(ClubGame, "OneClubGame")
NewClubGame = _with_version(
    ClubGame,
    "NewClubGame",
    scorer_key=serializers.CharField(
        help_text="Shown here alone. It ends once whoever began the game keeps score for the club no longer."
    ),
)
OneDoubt = _with_version(Doubt, "OneDoubt")
NewDoubt = _with_version(DoubtRow, "NewDoubt")
RemovedGame = type("RemovedGame", (Dated,), {"id": serializers.CharField()})
Clubs = _list_of(KnownClub, "Clubs", "By name.", version=False)
Members = _list_of(ClubMember, "Members", "By number.")
Seasons = _list_of(Season, "Seasons", "Newest first.")
Nights = _list_of(Night, "Nights", "Newest first.")
ClubGames = _list_of(ClubGame, "ClubGames", "Newest night first.")
Doubts = _list_of(DoubtRow, "Doubts", "Newest first.")
Standings = _list_of(SeasonStanding, "Standings", "As they stand.")
ClubLog = _list_of(ClubEntry, "ClubLog", "Newest first.")

_ERRORS = ERRORS | {
    400: "The body or the query is wrong, or it cannot be done.",
    401: "No token or key, or an unknown one.",
    403: "The role is not enough; the message says what is.",
    404: "No such club, or the key does not open it; or nothing of that number in it.",
    409: "`conflict`: somebody was faster; `idempotency`: the key was used with another body; "
    "`round_number`: the round of a result in doubt is gone.",
    429: "Too many tries from this address in this minute.",
}


def _errors(*statuses: int) -> dict[int, OpenApiResponse]:
    return error_answers(_ERRORS, ClubConflictError, statuses)


_SLUG = OpenApiParameter("slug", str, OpenApiParameter.PATH, description="The club's `id`.")
_GAME = OpenApiParameter("game", str, OpenApiParameter.PATH, description="The game's `id`.")
_DAY = OpenApiParameter("day", str, OpenApiParameter.PATH, description="The night, as 2026-03-05.")
_ROLE = OpenApiParameter("role", str, OpenApiParameter.PATH, enum=ClubLink.values, description="Which link.")
_MEMBER = OpenApiParameter("number", int, OpenApiParameter.PATH, description="The member's number.")
_SEASON = OpenApiParameter("number", int, OpenApiParameter.PATH, description="The season's number.")
_DOUBT = OpenApiParameter("number", int, OpenApiParameter.PATH, description="The doubt's number.")
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
    description="The club's version the change was made for; 409 if there is a newer one.",
)
_SEEN = OpenApiParameter(
    "If-None-Match",
    str,
    OpenApiParameter.HEADER,
    description="The ETag of the last answer; 304 if nothing has changed.",
)
_TAG = OpenApiParameter("ETag", str, OpenApiParameter.HEADER, response=True)
_BAD_FILTER = OpenApiExample(
    "a filter that is not there",
    value={
        "code": "invalid",
        "message": "rule: there is no such filter here; there are: role, left, account, q, limit, offset.",
        "problems": [
            {
                "code": "unknown_filter",
                "message": "rule: there is no such filter here; there are: role, left, account, q, limit, "
                "offset.",
                "field": "rule",
            }
        ],
    },
    response_only=True,
    status_codes=["400"],
)

Decorator = Callable[[Any], Any]


def _reads(
    call: str,
    summary: str,
    answer: type[Shape],
    *path: OpenApiParameter,
    about: str = "",
    filters: type[Filters] | None = None,
    limit: str | None = "50",
    tag: str = "clubs",
) -> Decorator:
    query = [] if filters is None else parameters(filters, limit)
    slug = [_SLUG, *path]
    return extend_schema(
        operation_id=call,
        summary=summary,
        description=about or None,
        tags=[tag],
        parameters=[*slug, *query, _SEEN, _TAG],
        responses={
            200: answer,
            304: OpenApiResponse(None, "Nothing has changed."),
            **_errors(*([400] if query else []), 401, 403, 404, 405, 429),
        },
        examples=[_BAD_FILTER] if filters is MemberFilters else [],
    )


def _writes(
    call: str,
    summary: str,
    body: type[Shape] | None,
    answer: type[Shape],
    *path: OpenApiParameter,
    about: str = "",
    status: int = 200,
    tag: str = "clubs",
    example: tuple[str, dict[str, Any]] | None = None,
    plain: bool = False,
) -> Decorator:
    """`plain`: it writes nothing, so that nothing is in its way."""
    headers = [] if plain else [_IDEMPOTENCY_KEY, _IF_MATCH, _TAG]
    return extend_schema(
        operation_id=call,
        summary=summary,
        description=about or None,
        tags=[tag],
        parameters=[_SLUG, *path, *headers],
        request=body,
        responses={status: answer, **_errors(400, 401, 403, 404, 405, 409, 413, 415, 429)},
        examples=[] if example is None else [OpenApiExample(example[0], value=example[1], request_only=True)],
    )


clubs_read = extend_schema(
    operation_id="clubs_read",
    summary="Your clubs",
    description="Those the token's user belongs to; with a reader's key the one it reads.",
    tags=["clubs"],
    parameters=parameters(ClubFilters),
    responses={200: Clubs, **_errors(400, 401, 405, 429)},
)
club_found = extend_schema(
    operation_id="club_found",
    summary="Found a club",
    description="The token's user owns it.",
    tags=["clubs"],
    parameters=[_IDEMPOTENCY_KEY, _TAG],
    request=ClubInput,
    responses={201: Club, **_errors(400, 401, 403, 405, 409, 413, 415, 429)},
    examples=[
        OpenApiExample("a club", value={"name": "Thursday Dominoes", "owner": "Chitra"}, request_only=True)
    ],
)
club_join = extend_schema(
    operation_id="club_join",
    summary="Join a club",
    description="By the key of its invitation. Who is there already by that name and has no account is that "
    "member from now on, with all results. An unknown key: 404, counted as a wrong one.",
    tags=["clubs"],
    parameters=[_IDEMPOTENCY_KEY, _TAG],
    request=JoinInput,
    responses={200: Club, **_errors(400, 401, 403, 404, 405, 409, 413, 415, 429)},
)
club_read = _reads("club_read", "The club", Club, about="And what you may do in it.")
club_change = _writes(
    "club_change",
    "Rename a club, open or close its tables",
    ClubChange,
    Club,
    about="Owners.",
    example=("anybody may read the tables", {"public": True}),
)
club_links_read = _reads("club_links_read", "The club's links", ClubLinks, about="Organisers.")
club_link_replace = _writes(
    "club_link_replace",
    "Stop a link and make a new one",
    None,
    ClubLinks,
    _ROLE,
    about="Organisers. The old one opens nothing from now on.",
)
club_leave = _writes(
    "club_leave", "Leave the club", None, OneMember, about="Members, for themselves. Results stay."
)
members_read = _reads(
    "members_read", "The members", Members, about="Members.", filters=MemberFilters, tag="members"
)
members_add = _writes(
    "members_add",
    "Add members",
    MembersInput,
    Members,
    about="Organisers. Without accounts; a problem's `seat` is the place in `names`.",
    status=201,
    tag="members",
    example=("three at once", {"names": ["Dan", "Dolores", "Tom"]}),
)
member_read = _reads("member_read", "A member", OneMember, _MEMBER, about="Members.", tag="members")
member_change = _writes(
    "member_change",
    "Rename a member, give a role, say who joined or left when",
    MemberChange,
    OneMember,
    _MEMBER,
    about="Organisers; owners and organisers are changed by owners alone. Who left keeps all results.",
    tag="members",
    example=("keeps score from now on", {"role": "scorer"}),
)
member_unlink = _writes(
    "member_unlink",
    "Take a member's account off",
    None,
    OneMember,
    _MEMBER,
    about="Organisers.",
    tag="members",
)
member_merge = _writes(
    "member_merge",
    "Make two entries of one person one",
    MergeInput,
    OneMember,
    _MEMBER,
    about="Organisers. It cannot be undone: `into` has all results then, and this number is gone.",
    tag="members",
)
_OTHER = OpenApiParameter("other", int, OpenApiParameter.PATH, description="The other member's number.")
figures_read = _reads(
    "figures_read",
    "What a member played",
    PersonFigures,
    _MEMBER,
    about="Games, places, averages a round and by engine, rounds gone out, rows of the same, best and worst. "
    "By a reader's key, of those who sat at a table.",
    filters=FigureFilters,
    limit=None,
    tag="members",
)
against_read = _reads(
    "against_read", "Two members against each other", HeadToHead, _MEMBER, _OTHER, tag="members"
)
records_read = _reads("records_read", "The club's records", ClubRecords, filters=RecordFilters, limit=None)
club_log_read = _reads(
    "club_log_read",
    "The club's log",
    ClubLog,
    about="Members. Who changed what, from what to what, when and why.",
    filters=ClubLogFilters,
)
seasons_read = _reads("seasons_read", "The seasons", Seasons, filters=SeasonFilters, tag="seasons")
season_add = _writes(
    "season_add",
    "Add a season",
    SeasonInput,
    OneSeason,
    about="Organisers.",
    status=201,
    tag="seasons",
    example=(
        "the lowest average a round, from eight nights on",
        {
            "name": "Spring",
            "starts_on": "2026-03-05",
            "scheme": {"measure": "per_round", "least_nights": 8, "tiebreaks": ["head_to_head", "wins"]},
        },
    ),
)
season_read = _reads("season_read", "A season", OneSeason, _SEASON, tag="seasons")
season_change = _writes(
    "season_change",
    "Rename a season or move its ends",
    SeasonChange,
    OneSeason,
    _SEASON,
    about="Organisers.",
    tag="seasons",
)
scheme_read = _reads(
    "scheme_read",
    "How a season is scored",
    SeasonScheme,
    _SEASON,
    about="In words and as data.",
    tag="seasons",
)
scheme_change = _writes(
    "scheme_change",
    "Score a season otherwise",
    SchemeChange,
    SeasonScheme,
    _SEASON,
    about="Organisers. From its first night on; the reason is for the log. See its preview first.",
    tag="seasons",
    example=(
        "nights are missed at a price",
        {"scheme": {"absence": "worst_plus_one"}, "reason": "We voted."},
    ),
)
scheme_preview = _writes(
    "scheme_preview",
    "The table before and after another scheme",
    SchemeTry,
    SchemePreview,
    _SEASON,
    about="Organisers. Nothing is written.",
    tag="seasons",
    example=("points for places", {"scheme": {"measure": "placement", "places": [10, 7, 5, 3, 1]}}),
    plain=True,
)
standings_read = _reads(
    "standings_read",
    "The table",
    Standings,
    _SEASON,
    about="As it is, or `as_of` any day; each row with why it stands there.",
    filters=StandingFilters,
    tag="seasons",
)
nights_read = _reads("nights_read", "A season's nights", Nights, _SEASON, filters=NightFilters, tag="nights")
night_read = _reads("night_read", "A night", OneNight, _SEASON, _DAY, tag="nights")
night_change = _writes(
    "night_change",
    "Take a night out of the table, or put it back",
    NightChange,
    OneNight,
    _SEASON,
    _DAY,
    about="Organisers. Its games stay readable.",
    tag="nights",
    example=("a void night", {"void": True, "reason": "The set was a tile short."}),
)
club_games_read = _reads(
    "club_games_read", "The club's games", ClubGames, filters=ClubGameFilters, tag="nights"
)
club_game_add = _writes(
    "club_game_add",
    "Put a game on a night",
    ClubGameInput,
    OneClubGame,
    about="Scorers. A game that was played elsewhere, by its `id`.",
    status=201,
    tag="nights",
)
club_game_start = _writes(
    "club_game_start",
    "Begin a game on a night",
    ClubGameStart,
    NewClubGame,
    about="Scorers. Who is called as a member is that member. Rounds go to `game_url`, with the same token.",
    status=201,
    tag="nights",
    example=(
        "three members",
        {"season": 1, "on": "2026-03-05", "players": ["Chitra", "Ben", "Kwame"], "max_pip": 12},
    ),
)
club_game_read = _reads("club_game_read", "A game of the club", OneClubGame, _GAME, tag="nights")
club_game_change = _writes(
    "club_game_change",
    "Say who sat where, who forfeits, whether it counts",
    ClubGameChange,
    OneClubGame,
    _GAME,
    about="Organisers.",
    tag="nights",
    example=("seat 2 was Ben, who forfeits", {"seats": [{"seat": 2, "member": 4, "forfeit": True}]}),
)
club_game_remove = _writes(
    "club_game_remove",
    "Take a game out of its season",
    None,
    RemovedGame,
    _GAME,
    about="Organisers. The game itself stays as it is.",
    tag="nights",
)
doubts_read = _reads("doubts_read", "Results in doubt", Doubts, filters=DoubtFilters, tag="doubts")
doubt_raise = _writes(
    "doubt_raise",
    "Put a result in doubt",
    DoubtInput,
    NewDoubt,
    about="Organisers. It counts as it stands until it is decided.",
    status=201,
    tag="doubts",
)
doubt_read = _reads(
    "doubt_read",
    "A result in doubt",
    OneDoubt,
    _DOUBT,
    about="With what hangs on it while it is open.",
    tag="doubts",
)
doubt_decide = _writes(
    "doubt_decide",
    "Decide it",
    DecisionInput,
    OneDoubt,
    _DOUBT,
    about="Organisers. If it does not stand, it falls the other way, which is carried out.",
    tag="doubts",
    example=("it stands", {"stands": True, "reason": "All saw it."}),
)
doubt_reopen = _writes(
    "doubt_reopen",
    "Appeal against a decision",
    AppealInput,
    OneDoubt,
    _DOUBT,
    about="Organisers. The first decision stays readable.",
    tag="doubts",
)
