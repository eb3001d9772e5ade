"""The record that this phone wrote in last, so that leaving the page loses no way back.

Knows one cookie. Must not write rows.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from games import drafts
from games.messages import people_title
from games.models import UNSEEN, RecordDraft
from games.record_names import Named

COOKIE = "writing"
KEY = re.compile(r"[A-Za-z0-9_-]{1,32}", re.ASCII)


class Begun(NamedTuple):
    """Where the record is, who plays, and how many turns it has."""

    href: str
    people: str
    turns: int


def begun_here(request: HttpRequest) -> Begun | None:
    """What this phone can go on with."""
    draft = draft_here(request)
    if draft is None:
        return None
    record = drafts.record_of(draft)
    people = people_title([Named(record).player(player) for player in record.players])
    return Begun(reverse("written", args=[draft.key]), people, len(record.turns))


def draft_here(request: HttpRequest) -> RecordDraft | None:
    key = request.COOKIES.get(COOKIE, "")
    return RecordDraft.objects.filter(key=key).first() if KEY.fullmatch(key) else None


def remember(request: HttpRequest, answer: HttpResponse, draft: RecordDraft) -> HttpResponse:
    """A record of a round is found from its round; any other one by this."""
    if draft.game_id is None and request.COOKIES.get(COOKIE) != draft.key:
        answer.set_cookie(
            COOKIE,
            draft.key,
            max_age=int(UNSEEN.total_seconds()),
            path=reverse("write"),
            httponly=True,
            samesite="Lax",
            secure=settings.SESSION_COOKIE_SECURE,
        )
    return answer
