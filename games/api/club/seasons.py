"""The calls about a club's seasons: how they are scored, nights and games, results in doubt, the table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Count, QuerySet
from django.http import HttpResponse
from django.utils.translation import gettext as _
from rest_framework.exceptions import NotFound
from rest_framework.request import Request

from games import results, season_messages, services
from games import seasons as writes
from games.api.club import schema
from games.api.club.answers import (
    Table,
    both_data,
    club_game_data,
    doubt_data,
    hanging_data,
    move_data,
    night_data,
    scheme_data,
    season_data,
    standing_data,
)
from games.api.club.calls import ClubApiView, body_as
from games.api.club.filters import (
    ClubGameFilters,
    DoubtFilters,
    NightFilters,
    SeasonFilters,
    StandingFilters,
)
from games.api.club.inputs import (
    AppealInput,
    ClubGameChange,
    ClubGameInput,
    ClubGameStart,
    DecisionInput,
    DoubtInput,
    NightChange,
    SchemeChange,
    SchemeTry,
    SeasonChange,
    SeasonInput,
    scheme_with,
)
from games.api.errors import BadBody, flatten, problem_data
from games.api.limits import count
from games.api.lists import filtered, page_of, paged
from games.engine.errors import Problem
from games.engine.scheme import Scheme, check_scheme
from games.engine.season import SeasonRow, shifts
from games.models import ApiToken, ClubGame, Doubt, Game, Member, Night, Result, Season
from games.permissions import access_by_bearer, access_by_secret
from games.season_reads import (
    Hanging,
    dates_of,
    hanging_of,
    newest_scheme,
    open_doubts,
    rows_of,
)
from games.season_words import shift_words, why
from games.selectors import sheet_of, sheets_of
from games.services import Refused
from games.standing_rows import scheme_from_data, scheme_to_data


class SeasonApiView(ClubApiView):
    """What is said of a season's problems; the club game in question names its seats."""

    played: ClubGame | None = None

    def names(self) -> Mapping[int, str]:
        if self.played is None:
            return {}
        return dict(self.played.game.players.values_list("seat", "name"))

    def sentence(self, problem: Problem) -> str:
        return season_messages.sentence(problem, self.names())

    def season(self, number: int) -> Season:
        found = Season.objects.filter(club=self.opened.club, number=number).first()
        if found is None:
            raise NotFound
        return found

    def season_in_body(self, number: int) -> Season:
        found = Season.objects.filter(club=self.opened.club, number=number).first()
        if found is None:
            raise refusal("season", _("There is no such season."))
        return found

    def game(self, slug: str) -> ClubGame:
        """The club's game; its seats have names from now on."""
        self.played = self.games().filter(game__slug=slug).first()
        if self.played is None:
            raise NotFound
        return self.played

    def games(self) -> QuerySet[ClubGame]:
        """Newest night first."""
        played = ClubGame.objects.filter(night__season__club=self.opened.club)
        played = played.select_related("game", "night__season").prefetch_related("seats__member", "doubts")
        return played.order_by("-night__on", "-pk")

    def game_data(self, played: ClubGame) -> dict[str, Any]:
        return next(iter(self.games_data([played])))

    def games_data(self, games: Sequence[ClubGame]) -> Iterable[dict[str, Any]]:
        sheets = {sheet.game.pk: sheet for sheet in sheets_of([one.game for one in games])}
        kept: dict[int, dict[int, Result]] = {one.pk: {} for one in games}
        for row in Result.objects.filter(club_game__in=kept):
            kept[row.club_game_id][row.seat] = row
        for one in games:
            yield club_game_data(self.request, self.opened.club, one, sheets[one.game_id], kept[one.pk])

    def doubts(self) -> QuerySet[Doubt]:
        """Newest first."""
        found = Doubt.objects.filter(club_game__night__season__club=self.opened.club)
        return found.select_related("club_game__night__season__club", "club_game__game").order_by("-number")


def refusal(field: str, said: str, code: str = "invalid") -> BadBody:
    return BadBody([{"code": code, "message": f"{field}: {said}", "field": field}])


class SeasonsView(SeasonApiView):
    needs = {"POST": "organise"}
    dated = True

    @schema.seasons_read
    def get(self, request: Request, slug: str) -> HttpResponse:
        club = self.opened.club
        seasons = Season.objects.filter(club=club).order_by("-number")
        found = page_of(request, SeasonFilters, seasons)
        return self.listed(found, (season_data(request, one, club) for one in found.rows))

    @schema.season_add
    def post(self, request: Request, slug: str) -> HttpResponse:
        club = self.opened.club

        def add(*, scheme: Mapping[str, Any], **about: Any) -> Mapping[str, Any]:
            whole = scheme_with(newest_scheme(club), scheme)
            return season_data(request, writes.season_add(club=club, scheme=whole, **about), club)

        return self.written(request, add, body_as(request, SeasonInput), status=201)


class SeasonView(SeasonApiView):
    needs = {"PATCH": "organise"}
    dated = True

    @schema.season_read
    def get(self, request: Request, slug: str, number: int) -> HttpResponse:
        return self.told(season_data(request, self.season(number), self.opened.club))

    @schema.season_change
    def patch(self, request: Request, slug: str, number: int) -> HttpResponse:
        season = self.season(number)
        as_is = {name: getattr(season, name) for name in ("name", "starts_on", "ends_on")}

        def change(**about: Any) -> Mapping[str, Any]:
            changed = writes.season_change(season=season, **as_is | about)
            return season_data(request, changed, self.opened.club)

        return self.written(request, change, body_as(request, SeasonChange))


class SchemeView(SeasonApiView):
    needs = {"PATCH": "organise"}
    dated = True

    @schema.scheme_read
    def get(self, request: Request, slug: str, number: int) -> HttpResponse:
        return self.told(scheme_data(scheme_from_data(self.season(number).scheme)))

    @schema.scheme_change
    def patch(self, request: Request, slug: str, number: int) -> HttpResponse:
        season = self.season(number)

        def change(*, scheme: Mapping[str, Any], **about: Any) -> Mapping[str, Any]:
            whole = scheme_with(scheme_from_data(season.scheme), scheme)
            changed = writes.scheme_change(season=season, scheme=whole, **about)
            return scheme_data(scheme_from_data(changed.scheme))

        return self.written(request, change, body_as(request, SchemeChange))


class SchemePreviewView(SeasonApiView):
    needs = {"POST": "organise"}

    @schema.scheme_preview
    def post(self, request: Request, slug: str, number: int) -> HttpResponse:
        """Both tables and who moves; nothing is written."""
        season = self.season(number)
        body = body_as(request, SchemeTry)
        if not body.is_valid():
            raise BadBody(list(flatten(body.errors, body.initial_data)))
        now = scheme_from_data(season.scheme)
        scheme = scheme_with(now, body.validated_data["scheme"])
        if problems := check_scheme(scheme):
            raise Refused("invalid", problems)
        tables = [table_of(results.table_of(season, scheme=one), one) for one in (now, scheme)]
        moved = shifts(tables[0].rows, tables[1].rows)
        data = {
            **scheme_data(scheme),
            "same": scheme_to_data(scheme) == scheme_to_data(now),
            "said": shift_words(moved, tables[0].names()),
            "moves": [move_data(tables[0], one) for one in moved],
            "rows": both_data(*tables),
        }
        return self.told(data)


def table_of(rows: Sequence[SeasonRow], scheme: Scheme, hanging: Sequence[Hanging] = ()) -> Table:
    return Table(rows, scheme, Member.objects.in_bulk([row.person for row in rows]), hanging)


class StandingsView(SeasonApiView):
    @schema.standings_read
    def get(self, request: Request, slug: str, number: int) -> HttpResponse:
        """The whole table is worked out, the page cut from it, and each row of the page explained."""
        season = self.season(number)
        asked = filtered(request, StandingFilters, Member.objects.none())
        on: date | None = asked.value("as_of")
        rows = rows_of(season, on=on, whole=True)
        hanging = hanging_of(open_doubts(season, until=on), season, rows, on)
        table = table_of(rows, scheme_from_data(season.scheme), hanging)
        member = asked.value("member")
        some = [at for at, row in enumerate(rows) if member in (None, table.members[row.person].number)]
        found = paged(request, some)
        about: dict[str, Any] = {"names": table.names(), "dates": dates_of(season), "scheme": table.scheme}
        return self.listed(
            found, (standing_data(table, at, why(rows[at], rows, **about)) for at in found.rows)
        )


class NightsView(SeasonApiView):
    @schema.nights_read
    def get(self, request: Request, slug: str, number: int) -> HttpResponse:
        found = page_of(request, NightFilters, nights_of(self.season(number)).order_by("-on"))
        return self.listed(found, map(_night, found.rows))


def nights_of(season: Season) -> QuerySet[Any]:
    """With how many `tables` there were, and how many members `sat` there."""
    return Night.objects.filter(season=season).annotate(
        tables=Count("games", distinct=True), sat=Count("games__seats__member", distinct=True)
    )


def _night(night: Any) -> dict[str, Any]:
    return night_data(night, night.tables, night.sat)


class NightView(SeasonApiView):
    needs = {"PATCH": "organise"}

    def night(self, season: Season, day: str) -> Any:
        try:
            found = nights_of(season).filter(on=date.fromisoformat(day)).first()
        except ValueError:
            found = None
        if found is None:
            raise NotFound
        return found

    @schema.night_read
    def get(self, request: Request, slug: str, number: int, day: str) -> HttpResponse:
        return self.told(_night(self.night(self.season(number), day)))

    @schema.night_change
    def patch(self, request: Request, slug: str, number: int, day: str) -> HttpResponse:
        season = self.season(number)
        night = self.night(season, day)

        def change(**about: Any) -> Mapping[str, Any]:
            writes.night_void(season=season, on=night.on, **about)
            return _night(self.night(season, day))

        return self.written(request, change, body_as(request, NightChange))


class ClubGamesView(SeasonApiView):
    needs = {"POST": "score"}
    guessed = False

    @schema.club_games_read
    def get(self, request: Request, slug: str) -> HttpResponse:
        found = page_of(request, ClubGameFilters, self.games())
        return self.listed(found, self.games_data(found.rows))

    @schema.club_game_add
    def post(self, request: Request, slug: str) -> HttpResponse:
        def add(
            *,
            season: int,
            on: date,
            game: str,
            key: str,
            seats: Iterable[Mapping[str, Any]] = (),
            **about: Any,
        ) -> Mapping[str, Any]:
            at = self.season_in_body(season)
            known = self.known_game(request, game, key)
            who = writes.seats_by_name(self.opened.club, sheet_of(known).names())
            who |= {seat["seat"]: seat.get("member") for seat in seats}
            writes.game_add(season=at, on=on, game=known, seats=who, **about)
            return self.game_data(self.game(game))

        try:
            return self.written(request, add, body_as(request, ClubGameInput), status=201)
        except BadBody:
            if self.guessed:  # counted here, where nothing takes it back
                count(request, services.WRONG_KEY, most=settings.WRONG_KEYS_PER_MINUTE)
            raise

    def known_game(self, request: Request, slug: str, key: str) -> Game:
        """A game that is in the account, or that the key opens."""
        token: Any = request.auth
        access = access_by_secret(key) if key else None
        self.guessed = bool(key) and access is None
        if access is None and isinstance(token, ApiToken):
            access = access_by_bearer("", slug, token)
        if access is None or access.deleted or access.game.slug != slug:
            raise refusal("game", _("there is no such game in the account, and no key that opens it."))
        return access.game


class ClubGameStartView(SeasonApiView):
    needs = {"POST": "score"}

    @schema.club_game_start
    def post(self, request: Request, slug: str) -> HttpResponse:
        body = body_as(request, ClubGameStart)
        problems = [] if body.is_valid() else list(flatten(body.errors, body.initial_data))
        problems += (problem_data(one, self.sentence(one)) for one in body.setup_problems())
        if problems:
            raise BadBody(problems)

        def start(*, who: str, version: int | None, **about: Any) -> Mapping[str, Any]:
            season, on = self.season_in_body(about["season"]), about["on"]
            with transaction.atomic():  # a game that is not made does not count
                count(request, services.NEW_GAME, most=settings.GAMES_PER_MINUTE)
                setup = body.setup()
                setup = replace(setup, played_on=setup.played_on or on)
                by = self.opened.member
                started = writes.game_begin(
                    season=season, on=on, setup=setup, by=by, who=who, version=version
                )
            data = self.game_data(self.game(started.sheet.game.slug))
            return {**data, "scorer_key": started.scorer_key}

        return self.written(request, start, body, status=201)


class ClubGameView(SeasonApiView):
    needs = {"PATCH": "organise", "DELETE": "organise"}

    @schema.club_game_read
    def get(self, request: Request, slug: str, game: str) -> HttpResponse:
        return self.told(self.game_data(self.game(game)))

    @schema.club_game_change
    def patch(self, request: Request, slug: str, game: str) -> HttpResponse:
        played = self.game(game)

        def change(*, seats: Sequence[Mapping[str, Any]] = (), **about: Any) -> Mapping[str, Any]:
            now = {one.seat: one for one in played.seats.all()}
            who = {seat: None if one.member is None else one.member.number for seat, one in now.items()}
            lost = {seat for seat, one in now.items() if one.forfeit}
            for seat in seats:
                if "member" in seat:
                    who[seat["seat"]] = seat["member"]
                if "forfeit" in seat:
                    (lost.add if seat["forfeit"] else lost.discard)(seat["seat"])
            if seats:
                about |= {"seats": who, "forfeits": frozenset(lost)}
            writes.game_change(played=played, **about)
            return self.game_data(self.game(game))

        return self.written(request, change, body_as(request, ClubGameChange))

    @schema.club_game_remove
    def delete(self, request: Request, slug: str, game: str) -> HttpResponse:
        played = self.game(game)

        def remove(**about: Any) -> Mapping[str, Any]:
            writes.game_remove(played=played, **about)
            return {"id": game}

        return self.written(request, remove)


class DoubtsView(SeasonApiView):
    needs = {"POST": "organise"}

    @schema.doubts_read
    def get(self, request: Request, slug: str) -> HttpResponse:
        found = page_of(request, DoubtFilters, self.doubts())
        return self.listed(found, (doubt_data(request, self.opened.club, one) for one in found.rows))

    @schema.doubt_raise
    def post(self, request: Request, slug: str) -> HttpResponse:
        def put(*, game: str, reason: str, who: str, version: int | None, **other: Any) -> Mapping[str, Any]:
            try:
                played = self.game(game)
            except NotFound:
                raise refusal("game", _("there is no such game in this club.")) from None
            doubt = writes.doubt_raise(
                played=played,
                other=other or {"void": not played.void},
                reason=reason,
                who=who,
                version=version,
            )
            return doubt_data(request, self.opened.club, self.doubts().get(pk=doubt.pk))

        return self.written(request, put, body_as(request, DoubtInput), status=201)


class DoubtApiView(SeasonApiView):
    def doubt(self, number: int) -> Doubt:
        found = self.doubts().filter(number=number).first()
        if found is None:
            raise NotFound
        self.played = found.club_game
        return found

    def whole(self, found: Doubt) -> dict[str, Any]:
        """With who would stand elsewhere, while it is open."""
        data = doubt_data(self.request, self.opened.club, found)
        season = found.club_game.night.season
        doubts = [found] if found.open else []
        rows = rows_of(season, on=None, whole=True) if doubts else ()
        table = table_of(rows, scheme_from_data(season.scheme))
        hanging = [hanging_data(table, one) for one in hanging_of(doubts, season, rows, None)]
        return {**data, "hanging": hanging[0] if hanging else None}


class DoubtView(DoubtApiView):
    @schema.doubt_read
    def get(self, request: Request, slug: str, number: int) -> HttpResponse:
        return self.told(self.whole(self.doubt(number)))


class DecisionView(DoubtApiView):
    needs = {"POST": "organise"}

    @schema.doubt_decide
    def post(self, request: Request, slug: str, number: int) -> HttpResponse:
        found = self.doubt(number)

        def decide(**about: Any) -> Mapping[str, Any]:
            writes.doubt_decide(doubt=found, **about)
            return self.whole(self.doubt(number))

        return self.written(request, decide, body_as(request, DecisionInput))


class AppealView(DoubtApiView):
    needs = {"POST": "organise"}

    @schema.doubt_reopen
    def post(self, request: Request, slug: str, number: int) -> HttpResponse:
        found = self.doubt(number)

        def reopen(**about: Any) -> Mapping[str, Any]:
            writes.doubt_reopen(doubt=found, **about)
            return self.whole(self.doubt(number))

        return self.written(request, reopen, body_as(request, AppealInput))
