"""A train record checked for whoever asks: nothing of a game is read, and nothing is kept.

Knows HTTP. Must not judge a round: the engine replays it, and `record_words` says what it found.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import ceil
from time import thread_time
from typing import Any

from django.conf import settings
from django.http import HttpResponse
from rest_framework.request import Request

from games import services
from games.api import schema
from games.api.answers import answer
from games.api.calls import ApiView, body_of
from games.api.errors import BadBody, flatten
from games.api.limits import count
from games.api.serializers import RecordInput
from games.engine.errors import Problem
from games.engine.reading import parse_record
from games.engine.record import RecordError
from games.engine.replay import Replay, replay
from games.permissions import address
from games.record_words import note, sentence, unread
from games.shared_records import CHECK, budget


class RecordCheckView(ApiView):
    """What an address may have is work, in milliseconds: an ordinary record is cheap, a hostile one not."""

    authentication_classes = []

    @schema.record_check
    def post(self, request: Request) -> HttpResponse:
        data = body_of(request)
        body = RecordInput(data=data)
        if not body.is_valid():
            raise BadBody(list(flatten(body.errors, data)))
        most = settings.CHECK_SECONDS_PER_MINUTE * 1_000
        count(request, CHECK, most=most)
        began = thread_time()
        try:
            checked = record_data(body.validated_data["record"])
        finally:
            took = ceil((thread_time() - began) * 1_000)
            services.attempt_counted(what=CHECK, address=address(request.META), most=most, times=took)
        return answer(checked)


def record_data(text: str) -> dict[str, Any]:
    """The answer to a record. BadBody if it cannot be read, with every problem found."""
    try:
        record = parse_record(text)
    except RecordError as error:
        raise BadBody(list(unread_data(error.problems))) from None
    found = replay(record, budget=budget(record))
    return {
        "verdict": found.verdict,
        "violation": breach_data(found),
        "notes": [note_data(found, one) for one in found.notes],
        "turns": found.turns,
        "scores": None if found.scores is None else dict(found.scores),
    }


def breach_data(found: Replay) -> dict[str, Any] | None:
    violation = found.violation
    if violation is None:
        return None
    return {
        "code": violation.code,
        "rule": violation.rule,
        "turn": violation.turn,
        "action": violation.action,
        "line": violation.line,
        "message": sentence(found.record, violation),
    }


def note_data(found: Replay, problem: Problem) -> dict[str, Any]:
    return {"code": problem.code, "message": note(found.record, problem), **problem.params}


def unread_data(problems: Iterable[Problem]) -> Iterable[Mapping[str, Any]]:
    for problem in problems:
        about = {name: problem.params[name] for name in ("line", "column", "text")}
        yield {"code": problem.code, "message": unread(problem), "field": "record", **about}
