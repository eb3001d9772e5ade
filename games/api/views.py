"""The calls of the API: each opens the game, checks the body's shape, calls a service and answers.

Knows HTTP. Must not judge rounds or rules: services and the engine do.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import NotFound, PermissionDenied
from rest_framework.request import Request

from games import disputes, removal, seats, services
from games.accounts import games_claim, token_used
from games.api import calls, schema
from games.api.answers import (
    answer,
    claim_data,
    deleted_data,
    etag,
    game_data,
    game_url,
    hands_data,
    log_data,
    not_modified,
    text,
)
from games.api.authentication import OpensThisGame, TokenAuthentication, bearer, token_of
from games.api.calls import ApiView, body_of, has_version, if_match, if_none_match
from games.api.errors import BadBody, flatten, handle, problem_data
from games.api.filters import GameFilters, LogFilters
from games.api.limits import count
from games.api.lists import WHOLE, page_of
from games.api.serializers import (
    AdjustmentInput,
    ChallengeInput,
    ConfirmInput,
    GameInput,
    HandInInput,
    PlayerChange,
    PlayerInput,
    RoundInput,
    RulingInput,
    Strict,
)
from games.models import Game, LogEntry, Ruling
from games.permissions import (
    Access,
    Dated,
    access_by_bearer,
    claimed_keys,
    claims_of,
    token_by_secret,
    version_by_secret,
)
from games.selectors import Sheet, games_by_key, sheet_of
from games.services import Written


class GameApiView(ApiView):
    """What needs a key that opens the game in the path."""

    permission_classes = [OpensThisGame]

    def names(self) -> Mapping[int, str]:
        return dict(self.access().game.players.values_list("seat", "name"))

    def access(self) -> Access:
        access: Any = self.request.auth
        assert isinstance(access, Access)  # noqa: S101 - OpensThisGame lets nobody else in
        return access

    def scorer(self) -> Access:
        access = self.access()
        if not access.may_score:
            raise PermissionDenied
        return access


class ReadView(GameApiView):
    """A reading that the game's version dates.

    Whoever has that version already is told so by one narrow query, and what can be read is read, before any
    of DRF's machinery; every refusal is DRF's.
    """

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.method in ("GET", "HEAD") and (secret := bearer(request)):
            dated = version_by_secret(secret) or self.by_bearer(secret, kwargs["slug"])
            if dated is not None and dated.slug == kwargs["slug"]:
                if has_version(request.META.get("HTTP_IF_NONE_MATCH", ""), dated.version):
                    return not_modified(dated.version)
                try:
                    return self.read(request, dated)
                except BadBody as refusal:
                    return self.refused(request, refusal)
        return super().dispatch(request, *args, **kwargs)

    def by_bearer(self, secret: str, slug: str) -> Dated | None:
        token = token_by_secret(secret)
        access = access_by_bearer(secret, slug, token)
        if access is None or access.deleted:
            return None
        if token is not None:
            token_used(token)
        return Dated(slug, access.game.version, access.game.pk)

    def refused(self, request: HttpRequest, refusal: BadBody) -> HttpResponse:
        answered = handle(refusal, {"request": request, "view": self})
        assert answered is not None  # noqa: S101 - it is foreseen
        return answered

    def get(self, request: Request, slug: str) -> HttpResponse:
        raise NotFound  # who may read was answered before

    def read(self, request: HttpRequest, dated: Dated) -> HttpResponse:
        raise NotImplementedError


class GamesView(ApiView):
    """New games, by anybody; and which ones an account has. Which others there are is nobody's business."""

    def get_authenticators(self) -> list[BaseAuthentication]:
        reads = getattr(self.request, "method", "") in ("GET", "HEAD")  # no request: it is being described
        return [TokenAuthentication()] if reads else []

    @schema.games_read
    def get(self, request: Request) -> HttpResponse:
        found = page_of(request, GameFilters, claims_of(token_of(request).user))
        return answer(
            found.data(claim_data(claim, game_url(request, claim.game.slug)) for claim in found.rows)
        )

    @schema.game_start
    def post(self, request: Request) -> HttpResponse:
        data = body_of(request)
        body = GameInput(data=data)
        problems = [] if body.is_valid() else list(flatten(body.errors, data))
        problems += (problem_data(problem, self.sentence(problem)) for problem in body.setup_problems())
        if problems:
            raise BadBody(problems)

        def start() -> HttpResponse:
            with transaction.atomic():  # a game that is not made does not count
                count(request, services.NEW_GAME, most=settings.GAMES_PER_MINUTE)
                token = token_by_secret(bearer(request) or "")
                who = "" if token is None else token.user.name
                started = services.game_start(setup=body.setup(), who=who)
                if token is not None:
                    token_used(token)
                    games_claim(user=token.user, key_ids=[started.scorer_key_id])
            return _written(_game(request, started.sheet) | {"scorer_key": started.scorer_key}, 201)

        # No credential: a phone that tries again may have another address by then, and a key of 22
        # characters is a secret of its own.
        return once(request, start, body=data, credential="")


@schema.game_read
class GameView(ReadView):
    brings_back = ("DELETE",)  # so that the same call again gets its answer again

    def read(self, request: HttpRequest, dated: Dated) -> HttpResponse:
        version, body = _game_body(dated, game_url(request, dated.slug))
        return answer(body, ETag=etag(version))

    @schema.game_delete
    def delete(self, request: Request, slug: str) -> HttpResponse:
        access = self.scorer()
        version = if_match(request)

        def write() -> HttpResponse:
            written = removal.game_delete(game=access.game, version=version)
            return _written(deleted_data(written.sheet.game), 200)

        return once(request, write, body=None, credential=str(access.key_id))


@lru_cache(maxsize=128)
def _game_body(dated: Dated, url: str) -> tuple[int, str]:
    """The game of one version: the hall that asks for it after a change is given the same words.

    Whatever changes the game counts its version up, so this can only be newer than what was asked for.
    """
    sheet = sheet_of(Game.objects.get(pk=dated.game_id))
    return sheet.game.version, text(game_data(sheet, url))


@schema.log_read
class LogView(ReadView):
    def read(self, request: HttpRequest, dated: Dated) -> HttpResponse:
        game = Game.objects.get(pk=dated.game_id)
        names = dict(game.players.values_list("seat", "name"))
        # Without a `limit` it is whole, as it was before there was one.
        entries = LogEntry.objects.filter(game=game).order_by("number")
        found = page_of(request, LogFilters, entries, limit=WHOLE)
        return answer(log_data(found, game, names), ETag=etag(game.version))


class RoundView(GameApiView):
    @schema.round_put
    def put(self, request: Request, slug: str, number: int) -> HttpResponse:
        access = self.scorer()
        data = body_of(request)
        body = RoundInput(data=data)
        if not body.is_valid():
            raise BadBody(list(flatten(body.errors, data)))
        only_new = if_none_match(request)
        version = if_match(request)

        def write() -> HttpResponse:
            written = services.round_put(
                game=access.game,
                number=number,
                claim=body.claim(),
                disputed=body.validated_data["disputed"],
                reason=body.validated_data["reason"],
                version=version,
                only_new=only_new,
                who=access.who,
            )
            return _written(_game(request, written.sheet), 201 if written.created else 200)

        return once(request, write, body=data, credential=access.credential)

    @schema.round_delete
    def delete(self, request: Request, slug: str, number: int) -> HttpResponse:
        access = self.scorer()
        version = if_match(request)

        def write() -> HttpResponse:
            written = services.round_remove(game=access.game, number=number, version=version, who=access.who)
            return _written(_game(request, written.sheet), 200)

        return once(request, write, body=None, credential=access.credential)


class SeatApiView(GameApiView):
    """Hands that are told before a round is closed, by the table's code or the scorer's."""

    def teller(self) -> Access:
        access = self.access()
        if not access.may_confirm:
            raise PermissionDenied
        return access

    def hands(self, access: Access) -> HttpResponse:
        sheet = sheet_of(Game.objects.get(pk=access.game.pk))
        told = seats.hands_in(sheet.game, seats.coming(sheet))
        return answer(hands_data(sheet, told, whole=access.may_score))


class HandsView(SeatApiView):
    @schema.hands_read
    def get(self, request: Request, slug: str) -> HttpResponse:
        return self.hands(self.access())


class HandView(SeatApiView):
    @schema.hand_put
    def put(self, request: Request, slug: str, seat: int) -> HttpResponse:
        access = self.teller()
        data = body_of(request)
        body = HandInInput(data=data)
        if not body.is_valid():
            raise BadBody(list(flatten(body.errors, data)))

        def write() -> HttpResponse:
            number = body.validated_data.get("round")
            seats.hand_put(game=access.game, number=number, claim=body.claim(seat))
            return self.hands(access)

        return once(request, write, body=data, credential=str(access.key_id))

    @schema.hand_remove
    def delete(self, request: Request, slug: str, seat: int) -> HttpResponse:
        access = self.teller()

        def write() -> HttpResponse:
            seats.hand_remove(game=access.game, seat=seat)
            return self.hands(access)

        return once(request, write, body=None, credential=str(access.key_id))


class ConfirmView(GameApiView):
    @schema.round_confirm
    def post(self, request: Request, slug: str, number: int) -> HttpResponse:
        """By the table's code alone: who has the scorer's key may have entered the round."""
        access = self.access()
        if not access.may_sit:
            raise PermissionDenied
        data = body_of(request)
        body = ConfirmInput(data=data)
        if not body.is_valid():
            raise BadBody(list(flatten(body.errors, data)))
        version = if_match(request)
        who = self.names().get(body.validated_data["seat"])
        if who is None:
            raise NotFound

        def write() -> HttpResponse:
            written = seats.round_confirm(game=access.game, number=number, who=who, version=version)
            return _written(_game(request, written.sheet), 200)

        return once(request, write, body=data, credential=str(access.key_id))


class PeopleApiView(GameApiView):
    """Who plays, what is added to a total, what is in doubt: each call is one change of the game."""

    def writer(self) -> Access:
        return self.scorer()

    def change(
        self, request: Request, write: Callable[..., Written], body: Strict | None = None, **about: Any
    ) -> HttpResponse:
        """Call `write` with what the body says, once, for the version that was seen."""
        access = self.writer()
        data = None if body is None else body.initial_data
        if body is not None and not body.is_valid():
            raise BadBody(list(flatten(body.errors, data)))
        about |= {} if body is None else body.validated_data
        version = if_match(request)

        def once_only() -> HttpResponse:
            written = write(game=access.game, version=version, who=access.who, **about)
            return _written(_game(request, written.sheet), 201 if written.created else 200)

        return once(request, once_only, body=data, credential=access.credential)


class PlayersView(PeopleApiView):
    @schema.player_add
    def post(self, request: Request, slug: str) -> HttpResponse:
        self.scorer()
        return self.change(request, services.player_add, PlayerInput(data=body_of(request)))


class PlayerView(PeopleApiView):
    @schema.player_change
    def patch(self, request: Request, slug: str, seat: int) -> HttpResponse:
        self.scorer()
        return self.change(request, services.player_change, PlayerChange(data=body_of(request)), seat=seat)


class AdjustmentsView(PeopleApiView):
    @schema.adjustment_add
    def post(self, request: Request, slug: str, seat: int) -> HttpResponse:
        self.scorer()
        return self.change(
            request, services.adjustment_add, AdjustmentInput(data=body_of(request)), seat=seat
        )


class AdjustmentView(PeopleApiView):
    @schema.adjustment_remove
    def delete(self, request: Request, slug: str, seat: int, number: int) -> HttpResponse:
        return self.change(request, services.adjustment_remove, seat=seat, number=number)


class ChallengesView(PeopleApiView):
    """A score is doubted: no score changes, so that a view key may do it too."""

    def writer(self) -> Access:
        access = self.access()
        if not access.may_challenge:
            raise PermissionDenied
        return access

    @schema.challenge_add
    def post(self, request: Request, slug: str) -> HttpResponse:
        def add(*, round: int, **about: Any) -> Written:  # noqa: A002 - the contract's word
            return disputes.challenge_add(number=round, role=self.access().role, **about)

        return self.change(request, add, ChallengeInput(data=body_of(request)))


class RulingView(PeopleApiView):
    @schema.challenge_rule
    def post(self, request: Request, slug: str, number: int) -> HttpResponse:
        self.scorer()

        def rule(*, ruling: str, **about: Any) -> Written:
            return disputes.challenge_rule(number=number, ruling=Ruling(ruling), **about)

        return self.change(request, rule, RulingInput(data=body_of(request)))


class FinishView(GameApiView):
    @schema.game_finish
    def post(self, request: Request, slug: str) -> HttpResponse:
        access = self.scorer()
        version = if_match(request)

        def write() -> HttpResponse:
            written = services.game_finish(game=access.game, version=version, who=access.who)
            return _written(_game(request, written.sheet), 200)

        return once(request, write, body=None, credential=access.credential)


class MeView(ApiView):
    """Whose token was sent, and what it opens."""

    authentication_classes = [TokenAuthentication]

    @schema.me_read
    def get(self, request: Request) -> HttpResponse:
        token = token_of(request)
        games = [
            {"id": game.slug, "url": game_url(request, game.slug), "role": role}
            for _key_id, role, game in games_by_key(claimed_keys(token.user))
        ]
        return answer({"name": token.user.name, "games": games})


class AbandonView(PeopleApiView):
    @schema.game_abandon
    def post(self, request: Request, slug: str) -> HttpResponse:
        return self.change(request, removal.game_abandon)


class RestoreView(PeopleApiView):
    brings_back = ("POST",)

    @schema.game_restore
    def post(self, request: Request, slug: str) -> HttpResponse:
        return self.change(request, removal.game_restore)


class NothingHereView(ApiView):
    """Every other address under /api/."""

    authentication_classes = []
    schema = None

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        self.request = request  # type: ignore[assignment]
        return handle(NotFound(), {"request": request, "view": self}) or HttpResponse(status=404)


def once(request: Request, write: Callable[[], HttpResponse], *, body: Any, credential: str) -> HttpResponse:
    return calls.once(request, write, body=body, credential=credential, again=_written)


def _game(request: HttpRequest | Request, sheet: Sheet) -> dict[str, Any]:
    return game_data(sheet, game_url(request, sheet.game.slug))


def _written(data: Mapping[str, Any] | str, status: int) -> HttpResponse:
    body = data if isinstance(data, str) else text(data)
    game = json.loads(body) if isinstance(data, str) else data
    headers = {"ETag": etag(game["version"])} if "rounds" in game else {}
    if "scorer_key" in game:
        headers |= {"Location": game["url"], "Cache_Control": "no-store"}
    return answer(body, status, **headers)
