"""What the calls of a club have in common: who may, one answer with the club's version, a list page by page.

Knows HTTP. Must not know what is answered.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, ClassVar, TypeVar

from django.http import HttpResponse
from django.utils.translation import gettext_lazy
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request

from games.api import calls
from games.api.answers import answer, etag, not_modified, text
from games.api.authentication import SAID, ClubKeyAuthentication, OpensThisClub
from games.api.calls import ApiView, body_of, has_version, if_match
from games.api.club.answers import club_data
from games.api.errors import BadBody, flatten
from games.api.lists import Page
from games.api.serializers import Strict
from games.club_messages import club_sentence
from games.engine.errors import Problem
from games.models import ApiToken, Club
from games.permissions import ClubAccess


class ClubApiView(ApiView):
    """What needs a token or a reader's key that opens the club in the path.

    `needs`: what of `CLUB_MAY` each method wants; "read" where nothing is said. `dated`: whether the club's
    version dates what is read here; scores change without it.
    """

    authentication_classes = [ClubKeyAuthentication]
    permission_classes = [OpensThisClub]
    nothing = gettext_lazy("There is no such thing in this club, or this key does not open the club.")
    needs: ClassVar[Mapping[str, str]] = {}
    dated = False
    opened: ClubAccess

    def sentence(self, problem: Problem) -> str:
        return club_sentence(problem)

    def club_data(self, club: Club) -> dict[str, Any]:
        return club_data(self.request, replace(self.opened, club=club))

    def told(self, data: Mapping[str, Any]) -> HttpResponse:
        """What was read, with the version in front; 304 for whoever has it."""
        version = self.opened.club.version
        data = {"version": version, **data}
        body = text(data)
        tag = version if self.dated else hashlib.sha256(body.encode()).hexdigest()[:32]
        seen = self.request.META.get("HTTP_IF_NONE_MATCH", "") if self.request.method != "POST" else ""
        if has_version(seen, tag):
            return not_modified(tag)
        return answer(body, ETag=etag(tag))

    def listed(self, page: Page[Any], results: Iterable[Any]) -> HttpResponse:
        return self.told(page.data(results))

    def written(
        self,
        request: Request,
        write: Callable[..., Mapping[str, Any]],
        body: Strict | None = None,
        *,
        status: int = 200,
    ) -> HttpResponse:
        """Do a write as this member, once, for the version that was seen; `write` returns what is answered.

        It gets what the body says, and `who` and `version` for the log and the check.
        """
        data = None if body is None else body.initial_data
        if body is not None and not body.is_valid():
            raise BadBody(list(flatten(body.errors, data)))
        about = {} if body is None else body.validated_data
        version = if_match(request)

        def once_only() -> HttpResponse:
            made = write(who=self.opened.who, version=version, **about)
            self.opened.club.refresh_from_db(fields=["version", "name", "public"])
            return after(text({"version": self.opened.club.version, **made}), status)

        token: Any = request.auth
        credential = f"token {token.pk}" if isinstance(token, ApiToken) else "club key"
        return calls.once(request, once_only, body=data, credential=credential, again=after)


def after(body: str, status: int) -> HttpResponse:
    """The answer to a write, from its body alone: as it is when it is given again."""
    data = json.loads(body)
    headers = {"ETag": etag(data["version"])}
    if status == 201 and "url" in data:
        headers["Location"] = data["url"]
    if "scorer_key" in data or "reader" in data:  # secrets
        headers["Cache_Control"] = "no-store"
    return answer(body, status, **headers)


Shape = TypeVar("Shape", bound=Strict)


def body_as(request: Request, shape: type[Shape]) -> Shape:
    return shape(data=body_of(request))


def forbidden(said: str) -> PermissionDenied:
    return PermissionDenied(said, SAID)
