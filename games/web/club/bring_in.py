"""Members and past nights out of a file or pasted rows: first looked at, then brought in, all or nothing.

What was read stands in the form as text, so that it can be corrected and nothing is uploaded twice. A second
look follows whatever was changed after the first one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from hashlib import sha256
from itertools import groupby
from typing import Any

from django.contrib import messages as notices
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods

from games import told
from games.clubs import ClubConflict, check_title, fold
from games.clubs import members_bring as bring_members
from games.engine.scheme import Scheme
from games.files import members_in, season_in
from games.files.club_words import column_name, line_words, no_table, note, wrong_here, wrong_words
from games.files.members_in import Members
from games.files.season_in import GUEST, MOST_UNKNOWN, NEW, Nights
from games.files.tables import (
    MOST_TEXT,
    ZIP,
    NoTable,
    Table,
    as_text,
    check_bytes,
    decoded,
    read_text,
)
from games.files.xlsx import read_xlsx
from games.messages import listed, number
from games.models import Club, Season
from games.models.clubs import CLUB_NAME_LENGTH
from games.names import one_line, tidy
from games.permissions import ClubAccess, address
from games.season_messages import sentence
from games.season_reads import night_words
from games.season_words import digits_for, scheme_line, shown
from games.services import IMPORT, Refused, attempt_counted
from games.standing_rows import scheme_from_data
from games.told import NewSeason, ToldGame, table_with
from games.told import season_bring as bring_season
from games.web.actions import shown_version
from games.web.club.access import club_may
from games.web.club.home import LONGEST
from games.web.club.said import faults, meanwhile
from games.web.device import DeviceRequest
from games.web.mine import IMPORTS_PER_MINUTE

MOST_SHOWN = 50  # things that are wrong, at once
MOST_CHOICES = 20  # names for which all members can be chosen
ANY_SEASON = "new"


@dataclass(frozen=True, slots=True)
class Given:
    """What was sent: the rows as text, where they came from, and the table in them or why there is none."""

    text: str
    source: str
    table: Table | None
    refused: str = ""
    notes: Sequence[str] = ()

    def known(self) -> Table:
        """The table; NoTable, of which `refused` tells, if there is none."""
        if self.table is None:
            raise NoTable("empty")
        return self.table


def given(request: DeviceRequest, is_head: Callable[[Sequence[str]], bool], wanted: Sequence[str]) -> Given:
    """A file, or the rows in the form. A file does not push out rows that were typed."""
    text = request.POST.get("text", "")
    source = one_line(request.POST.get("source", ""))[:CLUB_NAME_LENGTH]
    upload = request.FILES.get("file")
    try:
        if isinstance(upload, UploadedFile):
            if text.strip():
                refused = _("There are rows here, and a file was chosen as well. Keep one of the two.")
                return Given(text, source, None, refused)
            source = one_line(upload.name or "")[:CLUB_NAME_LENGTH]
            text, table = _file(upload.read(), is_head, frozenset(name.casefold() for name in wanted))
        else:
            table = read_text(text, is_head)
        if not table:
            raise NoTable("empty")
    except NoTable as refused_table:
        return Given(text, source, None, no_table(refused_table))
    return Given(text, source or _("pasted rows"), table, notes=[note(one) for one in table.notes])


def _file(data: bytes, is_head: Callable[[Sequence[str]], bool], wanted: frozenset[str]) -> tuple[str, Table]:
    """The table of a file, and the same as text for the form."""
    check_bytes(data)
    if data.startswith(ZIP):
        table = read_xlsx(data, wanted)
    else:
        text, notes_of = decoded(data)
        table = replace(read_text(text, is_head), notes=notes_of)
    text = as_text(table)
    if len(text) > MOST_TEXT:
        raise NoTable("long", most=MOST_TEXT)
    return text, table


def _seal(*parts: str) -> str:
    """What a preview was of: whoever presses its button sends the same."""
    plain = "\0".join(part.replace("\r\n", "\n").strip() for part in parts)
    return sha256(plain.encode("utf-8", "replace")).hexdigest()[:24]


def _throttled(request: DeviceRequest) -> bool:
    most = IMPORTS_PER_MINUTE
    return bool(request.FILES) and not attempt_counted(what=IMPORT, address=address(request.META), most=most)


# Members


@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(private=True, no_cache=True)  # not no-store: Back must find what was typed
@club_may("organise")
def members_bring(request: DeviceRequest, access: ClubAccess) -> HttpResponse:
    """Many members at once from a table, looked at before they are added."""
    page: dict[str, Any] = {"club": access.club, "version": access.club.version, "most_text": MOST_TEXT}
    if request.method != "POST":
        return render(request, "club/members_bring.html", page)
    if _throttled(request):
        return render(request, "429.html", status=429)
    rows = given(request, members_in.is_head, ("Members", _("Members")))
    page |= {"text": rows.text, "source": rows.source}
    try:
        table = rows.known()
        plan = members_in.members_of(table, access.club, access.may_give())
    except NoTable as refused:
        return _refused(request, "members", page, rows.refused or no_table(refused))
    tried = Tried(status=422 if plan.wrong or plan.full else 200)
    seal = _seal(rows.text)
    if request.POST.get("do") == "bring" and tried.status == 200 and plan.new:
        about: dict[str, Any] = {"club": access.club, "members": plan.new, "source": rows.source}
        tried = _try(request, access, seal, partial(bring_members, **about), faults)
        if tried.done:
            notices.success(request, _added(plan))
            return redirect("members", access.club.slug)
        plan = members_in.members_of(table, access.club, access.may_give())
    page |= {"seal": seal, "notes": rows.notes, "faults": tried.said, "looked": True}
    page["version"] = access.club.version
    return render(request, "club/members_bring.html", page | _members_page(plan), status=tried.status)


@dataclass(frozen=True, slots=True)
class Tried:
    """What came of a write: done, or not done, with what is said then and the status."""

    done: Any = None
    said: Sequence[str] = ()
    status: int = 200


def _try(
    request: DeviceRequest,
    access: ClubAccess,
    seal: str,
    write: Callable[..., Any],
    words: Callable[[Refused], list[str]],
) -> Tried:
    """Write what the last look showed, if nothing was changed since."""
    if request.POST.get("seal") != seal:
        said = _("Something was changed since the last look. This is what would come of it now.")
        return Tried(said=[said])
    try:
        return Tried(done=write(who=access.who, version=shown_version(request)))
    except ClubConflict as conflict:
        access.club.refresh_from_db()
        return Tried(said=meanwhile(conflict.club), status=409)
    except Refused as refused:
        return Tried(said=words(refused), status=422)


def _members_page(plan: Members) -> dict[str, Any]:
    wrong = [wrong_words(one) for line in plan.wrong for one in line.wrong]
    return {
        "lines": [(line, [wrong_here(one) for one in line.wrong], _becomes(line)) for line in plan.lines],
        "wrong": wrong[:MOST_SHOWN],
        "more_wrong": max(0, len(wrong) - MOST_SHOWN),
        "there": [line_words(line) for line in plan.there],
        "new": len(plan.new),
        "full": plan.full,
        "ignored": listed([f"“{one_line(name)}”" for name in plan.ignored]),
        "ready": bool(plan.new) and not plan.wrong and not plan.full,
    }


def _becomes(line: members_in.Line) -> str:
    if line.what == "there":
        return _("is in the club already: left out")
    if line.member is None:
        return ""
    said = [_("new")] if line.member.role == "member" else [_("new"), str(line.member.role.label)]
    if line.member.joined_on:
        said.append(_("since %(day)s") % {"day": column_name(line.member.joined_on.isoformat())})
    if line.member.left_on:
        said.append(_("left on %(day)s") % {"day": column_name(line.member.left_on.isoformat())})
    return " · ".join(said)


def _added(plan: Members) -> str:
    count = len(plan.new)
    many = ngettext("%(count)s member is added.", "%(count)s members are added.", count)
    said = many % {"count": number(count)}
    if plan.there:
        left = ngettext(
            "%(count)s was in the club already.", "%(count)s were in the club already.", len(plan.there)
        )
        said += " " + left % {"count": number(len(plan.there))}
    return said


def _refused(request: DeviceRequest, what: str, page: dict[str, Any], said: str) -> HttpResponse:
    return render(request, f"club/{what}_bring.html", page | {"faults": [said]}, status=422)


# Past nights


@dataclass(frozen=True, slots=True)
class Asked:
    """For which season: one that is there, or a new one of this name. `chosen`: who a name means."""

    season: Season | None
    name: str
    scheme: Scheme
    chosen: Mapping[str, str]

    @property
    def key(self) -> str:
        return ANY_SEASON if self.season is None else str(self.season.number)


def _asked(request: DeviceRequest, club: Club) -> Asked:
    data = request.POST if request.method == "POST" else request.GET
    number_typed = data.get("season", "")
    found = None
    if number_typed.isascii() and number_typed.isdecimal() and len(number_typed) < 7:
        found = Season.objects.filter(club=club, number=int(number_typed)).first()
    like = found or Season.objects.filter(club=club).first()
    scheme = Scheme() if like is None else scheme_from_data(like.scheme)
    chosen = {
        fold(tidy(data[f"name-{at}"])): data.get(f"who-{at}", NEW)[:9]
        for at in range(MOST_UNKNOWN)
        if data.get(f"name-{at}")
    }
    return Asked(found, data.get("season_name", "")[:LONGEST], scheme, chosen)


@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(private=True, no_cache=True)  # not no-store: Back must find what was typed
@club_may("organise")
def season_bring(request: DeviceRequest, access: ClubAccess) -> HttpResponse:
    """The nights of a season that was scored elsewhere, with the table they would give."""
    asked = _asked(request, access.club)
    page = _season_first(access, asked)
    if request.method != "POST":
        return render(request, "club/season_bring.html", page)
    if _throttled(request):
        return render(request, "429.html", status=429)
    rows = given(request, season_in.is_head, ("Results", _("Results")))
    page |= {"text": rows.text, "source": rows.source}
    try:
        table = rows.known()
        plan = _plan(table, access.club, asked)
    except NoTable as refused:
        return _refused(request, "season", page, rows.refused or no_table(refused))
    unnamed = _name_faults(access.club, asked)
    tried = Tried(said=unnamed, status=422 if plan.wrong or unnamed else 200)
    seal = _seal(rows.text, asked.key, asked.name, *(f"{one.name}={one.chosen}" for one in plan.unknown))
    if request.POST.get("do") == "bring" and tried.status == 200 and plan.new:
        write = partial(_bring, access.club, asked, plan, rows.source)
        tried = _try(request, access, seal, write, _season_faults)
        if tried.done:
            notices.success(request, _brought(plan))
            return redirect("season", access.club.slug, tried.done.number)
        plan = _plan(table, access.club, asked)
    page |= {"version": access.club.version, "seal": seal, "notes": rows.notes, "faults": tried.said}
    page |= {"looked": True, **_season_page(access.club, asked, plan, blocked=tried.status == 422)}
    return render(request, "club/season_bring.html", page, status=tried.status)


def _season_first(access: ClubAccess, asked: Asked) -> dict[str, Any]:
    return {
        "club": access.club,
        "version": access.club.version,
        "most_text": MOST_TEXT,
        "seasons": Season.objects.filter(club=access.club),
        "season": asked.key,
        "season_name": asked.name,
        "line": scheme_line(asked.scheme),
    }


def _season_faults(refused: Refused) -> list[str]:
    return [sentence(one) for one in refused.problems]


def _plan(table: Table, club: Club, asked: Asked) -> Nights:
    return season_in.nights_of(
        table,
        club,
        season=asked.season,
        chosen=asked.chosen,
        per_round=asked.scheme.measure == "per_round",
        high_wins=asked.scheme.high_wins,
    )


def _name_faults(club: Club, asked: Asked) -> list[str]:
    """Why the name of a new season cannot be; one that is there would become two."""
    if asked.season is not None:
        return []
    name = tidy(asked.name)
    if problems := check_title(name, "name"):
        return [_("The new season: %(what)s") % {"what": sentence(one)} for one in problems]
    known = Season.objects.filter(club=club).values_list("name", flat=True)
    if fold(name) in {fold(one) for one in known}:
        return [
            _("There is already a season “%(name)s”. Choose it above: nothing comes into it twice.")
            % {"name": name}
        ]
    return []


def _bring(club: Club, asked: Asked, plan: Nights, source: str, **about: Any) -> Season:
    days = [game.on for game in plan.new]
    season = asked.season or NewSeason(
        name=asked.name, starts_on=min(days), ends_on=max(days), scheme=asked.scheme
    )
    return bring_season(
        club=club, season=season, games=plan.new, members=plan.members, source=source, **about
    )


def _brought(plan: Nights) -> str:
    said = [_("Brought in: %(games)s") % {"games": _counted(plan.new)}]
    if plan.members:
        many = ngettext("%(count)s member is new.", "%(count)s members are new.", len(plan.members))
        said.append(many % {"count": number(len(plan.members))})
    if plan.here:
        said.append(_here(plan))
    return " ".join(said)


def _counted(games: Sequence[ToldGame]) -> str:
    nights = len({game.on for game in games})
    many = ngettext("%(count)s game", "%(count)s games", len(games)) % {"count": number(len(games))}
    words = ngettext("%(games)s of %(count)s night.", "%(games)s of %(count)s nights.", nights)
    return words % {"games": many, "count": number(nights)}


def _here(plan: Nights) -> str:
    many = ngettext(
        "%(count)s game is in the season already and is left out.",
        "%(count)s games are in the season already and are left out.",
        len(plan.here),
    )
    return many % {"count": number(len(plan.here))}


@dataclass(frozen=True, slots=True)
class NightRow:
    """A night of the preview with its games: name, note and points of each seat."""

    day: str
    on: date
    here: bool
    games: Sequence[tuple[str, bool, Sequence[tuple[int, str, str, str]]]]


def _season_page(club: Club, asked: Asked, plan: Nights, *, blocked: bool) -> dict[str, Any]:
    members = sorted(told.names_by_number(club).items(), key=lambda one: fold(one[1]))
    wrong = list(dict.fromkeys(map(wrong_words, plan.wrong)))
    page: dict[str, Any] = {
        "wrong": wrong[:MOST_SHOWN],
        "more_wrong": max(0, len(wrong) - MOST_SHOWN),
        "wide": plan.shape == "wide",
        "unknown": [(at, one, _choices(one.near, members, plan)) for at, one in enumerate(plan.unknown)],
        "nights": _night_rows(plan),
        "count": _counted(plan.new) if plan.new else "",
        "here": _here(plan) if plan.here else "",
        "absent": plan.absent,
        "ignored": listed([f"“{one_line(name)}”" for name in plan.ignored]),
        "missing": listed([column_name(name) for name in sorted(plan.missing)]),
        "ready": bool(plan.new) and not plan.wrong and not blocked,
        "new": len(plan.new),
    }
    if plan.new and not plan.wrong:
        rows, names = table_with(club, asked.season, asked.scheme, plan.new)
        digits = digits_for((row.value for row in rows), asked.scheme)
        page["table"] = [(row.place, names[row.person], shown(row.value, digits), row.nights) for row in rows]
    return page


def _choices(
    near: Sequence[tuple[int, str]], members: Sequence[tuple[int, str]], plan: Nights
) -> list[tuple[str, str]]:
    """What can be chosen for a name: new, a guest, the nearest members, then the others."""
    others = members if len(plan.unknown) <= MOST_CHOICES else ()
    people = dict.fromkeys([*near, *others])
    first = [(NEW, _("a new member")), (GUEST, _("a guest, who does not count"))]
    return first + [(str(at), _("it is %(name)s") % {"name": name}) for at, name in people]


def _night_rows(plan: Nights) -> list[NightRow]:
    found = []
    for on, some in groupby(plan.games, key=lambda one: one.game.on):
        games = list(some)
        rows = []
        for one in games:
            seats = sorted(one.game.seats, key=lambda seat: seat.place)
            said = [(seat.place, seat.name, _seat_note(seat), number(seat.points)) for seat in seats]
            rows.append((one.game.table, one.here, said))
        found.append(NightRow(night_words(on), on, all(one.here for one in games), rows))
    return found


def _seat_note(seat: told.ToldSeat) -> str:
    said = [_("guest")] if seat.member is None else []
    return " · ".join([*said, _("forfeits")] if seat.forfeit else said)
