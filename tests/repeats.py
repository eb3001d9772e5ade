"""zeal for every request but those that write one round after the other on purpose."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from zeal.middleware import zeal_middleware

ROUND_BY_ROUND = frozenset({"/new/sheet/"})  # each row of an old sheet is saved as if it were entered
Respond = Callable[[HttpRequest], HttpResponse]


def middleware(get_response: Respond) -> Respond:
    watched: Respond = zeal_middleware(get_response)

    def respond(request: HttpRequest) -> HttpResponse:
        return (get_response if request.path in ROUND_BY_ROUND else watched)(request)

    return respond
