"""One handler and one shape for every error: {"code", "message", "problems": [{"code", "message", …}]}.

Knows which status a code goes with and how a problem is told. Must not find anything wrong itself.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.http import Http404, HttpResponse, UnreadablePostError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from rest_framework import exceptions

from games.api.answers import answer, error_data, etag, game_data, game_url
from games.clubs import ClubConflict
from games.engine.errors import Problem
from games.services import Conflict, Refused

STATUS = {
    "invalid": 400,
    "round_impossible": 400,
    "unauthenticated": 401,
    "forbidden": 403,
    "not_found": 404,
    "conflict": 409,
    "idempotency": 409,
    "round_number": 409,
    "throttled": 429,
    "unsupported": 415,
}


class BadBody(Exception):
    """The body, or a header that goes with it, is wrong; `problems` are all of them, as they are answered."""

    def __init__(self, problems: Sequence[Mapping[str, Any]]) -> None:
        super().__init__(f"{len(problems)} problems")
        self.problems = problems


class IdempotencyKeyReused(Exception):
    """The key was used with another body."""


def handle(exception: Exception, context: Mapping[str, Any]) -> HttpResponse | None:
    """The answer to anything a view raises; None for what nobody foresaw."""
    request, view = context["request"], context["view"]
    match exception:
        case Refused():
            found = [problem_data(problem, view.sentence(problem)) for problem in exception.problems]
            said = summary(found) if found else str(getattr(view, "nothing", None) or _NOTHING)
            return error(exception.code, said, found)
        case BadBody(problems=problems):
            return error("invalid", summary(problems), problems)
        case Conflict(sheet=sheet):
            text = _("Somebody was faster: the game has changed since. Nothing was written.")
            data = error_data("conflict", text) | {
                "game": game_data(sheet, game_url(request, sheet.game.slug))
            }
            return answer(data, STATUS["conflict"], ETag=etag(sheet.game.version))
        case IdempotencyKeyReused():
            text = _("This Idempotency-Key was used with another body. Nothing was written.")
            return error("idempotency", text)
        case RequestDataTooBig():
            return error("invalid", _("The body is too large."), status=413)
        case UnreadablePostError():
            return error("invalid", _("The body ended too early."))
        case exceptions.MethodNotAllowed():
            allowed = ", ".join(view.allowed_methods)
            text = _("%(method)s is not possible here; possible: %(allowed)s.")
            text %= {"method": str(request.method)[:20], "allowed": allowed}
            return error("unsupported", text, status=405, Allow=allowed)
        case ClubConflict(club=club):
            text = _("Somebody was faster: the club has changed since. Nothing was written.")
            data = error_data("conflict", text) | {"club": view.club_data(club)}
            return answer(data, STATUS["conflict"], ETag=etag(club.version))
        case Http404() | exceptions.APIException():
            return _drf(exception, getattr(view, "nothing", None) or _NOTHING)
    return None


_NOTHING = gettext_lazy("There is no such game, or this key does not open it.")


def _drf(exception: Exception, nothing: object) -> HttpResponse | None:
    match exception:
        case exceptions.NotAuthenticated() | exceptions.AuthenticationFailed():
            header = getattr(exception, "auth_header", "Bearer")
            return error("unauthenticated", str(exception.detail), WWW_Authenticate=header)
        case exceptions.PermissionDenied() if exception.get_codes() == "said":
            return error("forbidden", str(exception.detail))
        case exceptions.PermissionDenied():
            return error("forbidden", _("This key may read the game, not write in it."))
        case exceptions.NotFound() | Http404():
            return error("not_found", str(nothing))
        case exceptions.UnsupportedMediaType():
            text = _("The body must be JSON, in UTF-8, with “Content-Type: application/json”.")
            return error("unsupported", text)
        case exceptions.Throttled():
            text = _("Too many tries from this address. Please wait for a minute.")
            return error("throttled", text, Retry_After=str(getattr(exception, "wait", 60)))
        case exceptions.ParseError():
            return error("invalid", str(exception.detail))
    return None


def error(
    code: str,
    message: str,
    problems: Sequence[Mapping[str, Any]] = (),
    status: int | None = None,
    **headers: str,
) -> HttpResponse:
    return answer(error_data(code, message, problems), status or STATUS[code], **headers)


def problem_data(problem: Problem, said: str) -> dict[str, Any]:
    """`said`: the problem in words."""
    data: dict[str, Any] = {"code": problem.code, "message": said}
    if problem.seat is not None:
        data["seat"] = problem.seat
    if len(problem.seats) > 1:
        data["seats"] = list(problem.seats)
    if problem.field is not None:
        data["field"] = problem.field
    return data


def summary(problems: Sequence[Mapping[str, Any]]) -> str:
    if len(problems) == 1:
        return str(problems[0]["message"])
    text = ngettext(
        "%(count)s thing is wrong: %(first)s", "%(count)s things are wrong: %(first)s", len(problems)
    )
    first = " ".join(str(problem["message"]) for problem in problems[:3])
    if len(problems) > 3:
        first += " …"
    return text % {"count": len(problems), "first": first}


def flatten(detail: Any, body: Any, path: str = "", seat: int | None = None) -> Iterable[dict[str, Any]]:
    """Nested validation errors as problems that name the field they are in: `hands[1].points`."""
    if isinstance(detail, Mapping):
        for key, inner in detail.items():
            if isinstance(key, int):
                yield from _item(inner, body, path, key, seat)
            elif key == "non_field_errors":
                yield from flatten(inner, body, path, seat)
            else:
                part = body.get(key) if isinstance(body, Mapping) else None
                yield from flatten(inner, part, f"{path}.{key}" if path else str(key), seat)
        return
    for index, inner in enumerate(detail):
        if isinstance(inner, exceptions.ErrorDetail):
            problem: dict[str, Any] = {
                "code": inner.code,
                "message": f"{path}: {inner}" if path else str(inner),
            }
            if seat is not None:
                problem["seat"] = seat
            if path:
                problem["field"] = path
            yield problem
        else:
            yield from _item(inner, body, path, index, seat)


def _item(detail: Any, body: Any, path: str, index: int, seat: int | None) -> Iterable[dict[str, Any]]:
    part = body[index] if isinstance(body, list) and index < len(body) else None
    if isinstance(part, Mapping) and type(part.get("seat")) is int:
        seat = part["seat"]
    yield from flatten(detail, part, f"{path}[{index}]", seat)


def shown(value: Any) -> str:
    """What was given, as JSON, cut to fit into a sentence."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError):
        text = str(value)
    text = text.encode("utf-8", "backslashreplace").decode()
    return text if len(text) <= 40 else f"{text[:39]}…"
