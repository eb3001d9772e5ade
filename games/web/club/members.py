"""The members of a club: who they are, who is added, changed, merged, and who leaves.

Knows the forms. Must not judge or write (the services do), nor say who may do what: permissions says that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.contrib import messages as notices
from django.db.models import Count
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from games import clubs as services
from games.club_messages import club_sentence, day_words
from games.clubs import ClubConflict, fold
from games.models import ClubRole, Member
from games.names import plain, tidy
from games.permissions import ClubAccess, keeps_score
from games.services import Refused
from games.templatetags.tiles import marker_letters
from games.web.actions import shown_version
from games.web.club.access import club_may
from games.web.club.home import LONGEST
from games.web.club.log_words import role_name
from games.web.club.said import faults, meanwhile, typed_day
from games.web.device import DeviceRequest
from games.web.people import Person, size_of
from games.web.typed import read_reason

SEARCH_FROM = 8
MOST_LINES = 300


@dataclass(frozen=True, slots=True)
class Line:
    """One member in the list: `note` says role, account and days, as far as there is something to say."""

    person: Person
    note: str
    left: bool

    @property
    def number(self) -> int:
        return self.person.seat


@require_safe
@never_cache
@club_may("belong")
def members(request: DeviceRequest, access: ClubAccess) -> HttpResponse:
    lines = _lines(access)
    query = request.GET.get("q", "").strip()[:80]
    found = [one for one in lines if plain(query) in plain(one.person.name)] if query else lines
    context = {
        "club": access.club,
        "organises": access.may("organise"),
        "there": [one for one in found if not one.left],
        "gone": [one for one in found if one.left],
        "count": sum(not one.left for one in lines),
        "query": query,
        "searchable": len(lines) >= SEARCH_FROM or query,
    }
    page = "club/members.html#list" if request.htmx else "club/members.html"
    return render(request, page, context)


def _lines(access: ClubAccess) -> list[Line]:
    """By name. The shape of a marker follows the number, as in the tables."""
    rows = list(Member.objects.filter(club=access.club, merged_into=None))
    letters = marker_letters([one.name for one in rows])
    people = [
        Person(one.number, one.name, sign, size_of(one.name)) for one, sign in zip(rows, letters, strict=True)
    ]
    lines = [
        Line(person, _note(row), row.left_on is not None) for row, person in zip(rows, people, strict=True)
    ]
    return sorted(lines, key=lambda one: (fold(one.person.name), one.number))


def _note(member: Member) -> str:
    said = [] if member.role == ClubRole.MEMBER else [role_name(member.role)]
    if member.user_id is not None:
        said.append(_("has an account"))
    if member.left_on is not None:
        said.append(_("left on %(day)s") % {"day": day_words(member.left_on)})
    elif member.joined_on is not None:
        said.append(_("since %(day)s") % {"day": day_words(member.joined_on)})
    return " · ".join(said)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@club_may("organise")
def members_add(request: DeviceRequest, access: ClubAccess) -> HttpResponse:
    """Many at once, a name a line; none is added while one of them is wrong."""
    typed = request.POST.get("names", "")[: MOST_LINES * LONGEST]
    context: dict[str, Any] = {"club": access.club, "version": access.club.version, "names": typed}
    context |= {"joined": request.POST.get("joined_on", "")[:20]}
    if request.method != "POST":
        return render(request, "club/members_add.html", context)
    names = [name for line in typed.splitlines() if (name := tidy(line))]
    context["names"] = "\n".join(names)  # so that the lines are counted as they are shown
    if not names:
        return _show(request, "members_add", context, [_("A name is needed.")], status=422)
    try:
        services.members_add(
            club=access.club,
            names=names,
            joined_on=typed_day(request, "joined_on"),
            who=access.who,
            version=shown_version(request),
        )
    except ValueError:
        return _show(request, "members_add", context, [_wrong_day()], status=422)
    except ClubConflict as conflict:
        context["version"] = conflict.club.version
        return _show(request, "members_add", context, meanwhile(conflict.club), status=409)
    except Refused as refused:
        return _show(request, "members_add", context, faults(refused), status=422)
    many = ngettext("%(count)s member is added.", "%(count)s members are added.", len(names))
    notices.success(request, many % {"count": len(names)})
    return redirect("members", access.club.slug)


def _wrong_day() -> str:
    return _("This is no day. A day goes as 2026-03-12.")


def _show(
    request: DeviceRequest, page: str, context: dict[str, Any], wrong: Sequence[str], status: int
) -> HttpResponse:
    return render(request, f"club/{page}.html", context | {"faults": wrong}, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@club_may("organise")
def member(request: DeviceRequest, access: ClubAccess, number: int) -> HttpResponse:
    """One member: another name, role or day, leaving and coming back, the account."""
    found = _member(access, number)
    context = _as_is(access, found)
    if request.method != "POST":
        return render(request, "club/member.html", context)
    if not access.may_change(found):
        return _show(request, "member", context, [_owners_only()], status=403)
    context |= _as_typed(request, context["typed"])
    try:
        changed = _change(request, access, found)
    except ValueError:
        return _show(request, "member", context, [_wrong_day()], status=422)
    except ClubConflict as conflict:
        context["version"] = conflict.club.version
        return _show(request, "member", context, meanwhile(conflict.club), status=409)
    except Refused as refused:
        return _show(request, "member", context, faults(refused), status=422)
    notices.success(request, _saved(context["do"]) % {"name": changed.name})
    return redirect("members", access.club.slug)


def _saved(do: str) -> str:
    match do:
        case "leave":
            return _("%(name)s has left the club. Every result stays.")
        case "return":
            return _("%(name)s is back in the club.")
    return _("%(name)s: saved.")


def _as_typed(request: DeviceRequest, as_is: dict[str, str]) -> dict[str, Any]:
    """What was typed into the form whose button was pressed; the other forms as they were."""
    do = request.POST.get("do", "")
    fields = ("left_on",) if do == "leave" else tuple(as_is) if do == "change" else ()
    return {"do": do, "typed": as_is | {name: request.POST.get(name, "")[:LONGEST] for name in fields}}


def _change(request: DeviceRequest, access: ClubAccess, found: Member) -> Member:
    """Carries out what the pressed button stands for."""
    about: dict[str, Any] = {
        "club": access.club,
        "number": found.number,
        "who": access.who,
        "version": shown_version(request),
    }
    match request.POST.get("do"):
        case "leave":
            day = typed_day(request, "left_on") or timezone.localdate()
            return services.member_change(left_on=day, **about)
        case "return":
            return services.member_change(stays=True, **about)
        case "unlink":
            return services.member_link(user=None, **about)
    role = request.POST.get("role", "")
    joined = typed_day(request, "joined_on")
    return services.member_change(
        name=request.POST.get("name", "")[:LONGEST],
        role=ClubRole(role) if role in access.may_give() else None,
        joined_on=joined,
        since_ever=joined is None,
        **about,
    )


def _member(access: ClubAccess, number: int) -> Member:
    found = Member.objects.filter(club=access.club, number=number, merged_into=None).first()
    if found is None:
        raise Http404
    return found


def _owners_only() -> str:
    return _("Only an owner changes owners and organisers.")


def _as_is(access: ClubAccess, found: Member) -> dict[str, Any]:
    others = Member.objects.filter(club=access.club, merged_into=None).exclude(pk=found.pk)
    return {
        "club": access.club,
        "version": access.club.version,
        "member": found,
        "role": role_name(found.role),
        "may_change": access.may_change(found),
        "owners_only": _owners_only(),
        "roles": [(str(role), role_name(role)) for role in reversed(access.may_give())],
        "plain_member": found.role == ClubRole.MEMBER,
        "keeps_score": keeps_score(found),
        "typed": {"name": found.name, "role": found.role, "joined_on": _iso(found.joined_on)},
        "left_on": day_words(found.left_on) if found.left_on else "",
        "today": _iso(timezone.localdate()),
        "others": sorted(others.values_list("number", "name"), key=lambda row: fold(row[1])),
    }


def _iso(day: date | None) -> str:
    return "" if day is None else day.isoformat()


@dataclass(frozen=True, slots=True)
class Side:
    """One of two entries that may be one person."""

    number: int
    name: str
    role: str
    account: bool
    days: str
    games: int


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@club_may("organise")
def member_merge(request: DeviceRequest, access: ClubAccess, number: int) -> HttpResponse:
    """Shows both entries before they become one: `number` goes, `into` has all results then."""
    given = request.POST if request.method == "POST" else request.GET
    into = given.get("into", "")
    if not (into.isascii() and into.isdecimal() and len(into) < 9):
        return redirect("member", access.club.slug, number)
    gone, kept = _member(access, number), _member(access, int(into))
    reason = read_reason(request.POST.get("reason", ""))
    context: dict[str, Any] = {"club": access.club, "version": access.club.version, "reason": reason}
    context |= {"gone": _side(gone), "kept": _side(kept)}
    if not access.may_merge(gone, kept):
        return _show(request, "merge", context | {"held": True}, [_owners_only()], status=403)
    if request.method != "POST":
        wrong = [club_sentence(problem) for problem in services.check_merge(gone, kept)]
        return _show(request, "merge", context | {"held": bool(wrong)}, wrong, status=200)
    about: dict[str, Any] = {"number": gone.number, "into": kept.number, "who": access.who}
    try:
        services.members_merge(club=access.club, reason=reason, version=shown_version(request), **about)
    except ClubConflict as conflict:
        context["version"] = conflict.club.version
        return _show(request, "merge", context, meanwhile(conflict.club), status=409)
    except Refused as refused:
        return _show(request, "merge", context | {"held": True}, faults(refused), status=422)
    facts = {"gone": gone.name, "name": kept.name}
    notices.success(request, _("%(gone)s and %(name)s are one: %(name)s has all results.") % facts)
    return redirect("members", access.club.slug)


def _side(one: Member) -> Side:
    games = Member.objects.filter(pk=one.pk).aggregate(games=Count("seats"))["games"]
    since = day_words(one.joined_on) if one.joined_on else _("from the start")
    days = since if one.left_on is None else f"{since} – {day_words(one.left_on)}"
    return Side(one.number, one.name, role_name(one.role), one.user_id is not None, days, games)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@club_may("belong")
def club_leave(request: DeviceRequest, access: ClubAccess) -> HttpResponse:
    """Leave the club oneself: asked once."""
    mine = access.member
    if mine is None:
        raise Http404
    context: dict[str, Any] = {"club": access.club, "name": mine.name, "version": access.club.version}
    context["keeps_score"] = keeps_score(mine)
    if request.method != "POST":
        return render(request, "club/leave.html", context)
    try:
        services.member_change(
            club=access.club, number=mine.number, left_on=timezone.localdate(), who=mine.name
        )
    except Refused as refused:
        return _show(request, "leave", context, faults(refused), status=422)
    notices.success(request, _("You have left %(club)s.") % {"club": access.club.name})
    return redirect("clubs")
