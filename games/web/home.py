"""The first page: the games this device knows, the newest unfinished one on top.

Knows what a game's row in the list says. Reads all games of the device in three queries.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.formats import date_format, number_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games import selectors
from games.messages import listed
from games.models import Role, Status
from games.names import plain
from games.permissions import Access, claimed_keys, deleted_by_ids
from games.selectors import Sheet
from games.web.device import MOST_GAMES, Device, DeviceRequest
from games.web.people import Person, people
from games.web.titles import abandoned_words, game_title

SEARCH_FROM = 6
MOST_WINNERS = 2  # markers that fit at the head of a row
WEEK = 6


@dataclass(frozen=True, slots=True)
class GameRow:
    """One game in the list: an engine while it is played, its winners' markers afterwards."""

    sheet: Sheet
    title: str
    status: str
    day: date
    day_words: str
    winners: list[Person]
    watching: bool

    @property
    def slug(self) -> str:
        return self.sheet.game.slug

    @property
    def playing(self) -> bool:
        return self.sheet.game.status == Status.PLAYING

    @property
    def engine(self) -> int:
        return self.sheet.engines[0] if self.sheet.next_engine is None else self.sheet.next_engine

    def matches(self, query: str) -> bool:
        words = [self.title, *(player.name for player in self.sheet.players)]
        return any(query in plain(text) for text in words)


@require_safe
@never_cache
def home(request: DeviceRequest) -> HttpResponse:
    rows = game_rows(request)
    query = request.GET.get("q", "").strip()[:80]
    found = [row for row in rows if row.matches(plain(query))] if query else rows
    current = None if query else next((row for row in rows if row.playing), None)
    context = {
        "rows": [row for row in found if row is not current],
        "current": current,
        "has_games": bool(rows),
        "deleted": len(deleted_games(request.device)),
        "query": query,
        "searchable": len(rows) >= SEARCH_FROM or query,
        "full": max(len(request.device.games), len(rows)) >= MOST_GAMES,
        "most": MOST_GAMES,
        "most_pips": max((row.engine for row in rows), default=12),
    }
    page = "games/home.html#games" if request.htmx else "games/home.html"
    return render(request, page, context)


def deleted_games(device: Device) -> list[Access]:
    """The deleted games that this device can bring back, last deleted first."""
    slugs = {game.slug for game in device.games}
    found = deleted_by_ids([game.key_id for game in device.games])
    return [access for access in found if access.game.slug in slugs]


def game_rows(request: DeviceRequest) -> list[GameRow]:
    """The games that this device, or whoever is signed in on it, may still open, last changed first."""
    known = {game.key_id: game.slug for game in request.device.games}
    claims = set(claimed_keys(request.user)) if request.user.is_authenticated else set()
    found = [
        (role, game)
        for key_id, role, game in selectors.games_by_key([*known, *claims])
        if key_id in claims or known[key_id] == game.slug
    ]
    games = {game.slug: game for _role, game in found}
    scored = {game.slug for role, game in found if role == Role.SCORER}
    newest = sorted(games.values(), key=lambda game: (game.changed_at, game.pk), reverse=True)
    return [game_row(sheet, watching=sheet.game.slug not in scored) for sheet in selectors.sheets_of(newest)]


def game_row(sheet: Sheet, *, watching: bool) -> GameRow:
    today = timezone.localdate()
    day = sheet.game.played_on or timezone.localdate(sheet.game.changed_at)
    first = [row.seat for row in sheet.table if row.place == 1]
    finished = sheet.has_result and bool(sheet.rounds)
    seated = people(sheet.players) if finished else {}
    return GameRow(
        sheet=sheet,
        title=game_title(sheet),
        status=status_words(sheet),
        day=day,
        day_words=day_words(day, today),
        winners=[seated[seat] for seat in first[:MOST_WINNERS]] if finished else [],
        watching=watching,
    )


def status_words(sheet: Sheet) -> str:
    """«Round 7 of 13 · Ann leads by 16», «Won by Wilhelmina with 312», «Ben and Chitra share 1st»."""
    names = sheet.names()
    first = [row for row in sheet.table if row.place == 1]
    who = listed([names[row.seat] for row in first])
    if sheet.game.abandoned_at is not None:
        return abandoned_words(sheet)
    if sheet.game.status == Status.FINISHED:
        if not sheet.rounds:
            return _("Ended before round 1")
        if len(first) > 1:
            return _("%(who)s share 1st") % {"who": who}
        return _("Won by %(who)s with %(total)s") % {"who": who, "total": number_format(first[0].total)}
    number = len(sheet.rounds) if sheet.next_number is None else sheet.next_number
    now = _("Round %(number)d of %(rounds)d") % {"number": number, "rounds": sheet.game.round_count}
    if not sheet.rounds:
        return now
    return f"{now} · {lead_words(sheet, who)}"


def lead_words(sheet: Sheet, who: str) -> str:
    first = [row for row in sheet.table if row.place == 1]
    if len(first) == len(sheet.table):
        return _("all level")
    if len(first) > 1:
        return _("%(who)s lead") % {"who": who}
    gap = abs(sheet.table[1].total - first[0].total)
    if not gap:
        return _("%(who)s leads") % {"who": who}
    return _("%(who)s leads by %(gap)s") % {"who": who, "gap": number_format(gap)}


def day_words(day: date, today: date) -> str:
    """«Today», «Wed» within a week, «8 Nov», and with its year where it is another."""
    age = (today - day).days
    if age == 0:
        return _("Today")
    if 0 < age <= WEEK:
        return date_format(day, pgettext("date format", "D"))
    if day.year == today.year:
        return date_format(day, pgettext("date format", "j M"))
    return date_format(day, pgettext("date format", "j M Y"))
