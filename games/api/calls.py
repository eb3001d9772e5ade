"""What every call of the API has in common: its view, a body, headers about versions, a call sent twice.

Knows HTTP. Must not know games or clubs.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from django.db import transaction
from django.http import HttpResponse
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.views import APIView

from games import services
from games.api.authentication import GameKeyAuthentication
from games.api.errors import BadBody, IdempotencyKeyReused, handle
from games.api.parsers import AlwaysJSON, StrictJSONParser
from games.engine.errors import Problem
from games.messages import sentence

_IF_MATCH = re.compile(r'(?:W/)?"([0-9]{1,18})"|([0-9]{1,18})')
_IDEMPOTENCY_KEY = re.compile(r"[ -~]{22,255}")


class ApiView(APIView):
    authentication_classes = [GameKeyAuthentication]
    content_negotiation_class = AlwaysJSON
    parser_classes = [StrictJSONParser]
    http_method_names = ["get", "head", "post", "put", "patch", "delete"]

    def get_exception_handler(self) -> Callable[..., Any]:
        return handle

    def names(self) -> Mapping[int, str]:
        """Who sits where, for sentences about a problem."""
        return {}

    def sentence(self, problem: Problem) -> str:
        return sentence(problem, self.names())


def once(
    request: Request,
    write: Callable[[], HttpResponse],
    *,
    body: Any,
    credential: str,
    again: Callable[[str, int], HttpResponse],
) -> HttpResponse:
    """The answer of `write`; with an Idempotency-Key that was used before, `again` makes it of what was kept.

    The key is claimed in the write's own transaction: a second call waits for the first, and a write that
    fails leaves the key unused.
    """
    key = request.META.get("HTTP_IDEMPOTENCY_KEY")
    if key is None:
        return write()
    if not _IDEMPOTENCY_KEY.fullmatch(key):
        message = _("Idempotency-Key: 22 to 255 plain characters are needed, not %(count)s.")
        raise bad_header("Idempotency-Key", message % {"count": len(key)})
    body_hash = _hash(json.dumps(body, sort_keys=True))
    path = request.path if len(request.path) <= 100 else _hash(request.path)
    with transaction.atomic():
        saved, first = services.answer_claim(
            credential=credential,
            method=str(request.method),
            path=path,
            key=key,
            body_hash=body_hash,
        )
        if saved.body_hash != body_hash:
            raise IdempotencyKeyReused
        if not first:
            return again(saved.body, saved.status or 200)
        response = write()
        services.answer_keep(answer=saved, status=response.status_code, body=response.content.decode())
        return response


def body_of(request: Request) -> Mapping[str, Any]:
    data: Any = request.data
    if not isinstance(data, Mapping):
        message = _("The body must be a JSON object, in braces.")
        raise BadBody([{"code": "invalid", "message": message}])
    return data


def has_version(if_none_match: str, version: int | str) -> bool:
    """Whether the caller has this version; a proxy that compresses may have made the tag weak."""
    tags = (tag.strip().removeprefix("W/").strip('"') for tag in if_none_match.split(","))
    return any(tag in ("*", str(version)) for tag in tags)


def if_match(request: Request) -> int | None:
    given = request.META.get("HTTP_IF_MATCH")
    if given is None:
        return None
    found = _IF_MATCH.fullmatch(given.strip())
    if not found:
        raise bad_header("If-Match", _("If-Match: one version is needed, as “7” or W/“7” or 7."))
    return int(found[1] or found[2])


def if_none_match(request: Request) -> bool:
    given = request.META.get("HTTP_IF_NONE_MATCH")
    if given is None:
        return False
    if given.strip() != "*":
        raise bad_header("If-None-Match", _("If-None-Match: only * is possible here, for a new round."))
    return True


def bad_header(name: str, message: str) -> BadBody:
    return BadBody([{"code": "invalid", "message": message, "field": name}])


def _hash(content: str) -> str:
    return hashlib.sha256(content.encode()).hexdigest()
