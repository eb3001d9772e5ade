"""Two people against each other: the games both played, who placed better, by how many points.

Knows how it is shown and found by address. Must not work it out: games.engine.head_to_head does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games import person_words as words
from games.engine.head_to_head import HeadToHead, Met, head_to_head
from games.engine.person import measures
from games.messages import number as number_words
from games.models import Member
from games.permissions import ClubAccess
from games.place_words import place_name
from games.played import About, games_of
from games.templatetags.course import Course, course
from games.web.club.access import club_may
from games.web.club.parts import persons
from games.web.club.person import NEWEST, member_of, opponents
from games.web.device import DeviceRequest


@dataclass(frozen=True, slots=True)
class MetLine:
    """A game of both: places, points and the difference, the first of the two first."""

    about: About
    day: str
    place_words: tuple[str, str]
    points: tuple[str, str]
    by: str
    ahead: int
    pending: bool


@require_safe
@never_cache
@club_may("read")
def against(request: DeviceRequest, access: ClubAccess, number: int) -> HttpResponse:
    """Two people against each other; without `other`, the people to choose from."""
    member = survivor(member_of(access, number))
    other = other_asked(request, access)
    if other is None or other == member:
        found = games_of(access.club, member)
        context = {"club": access.club, "member": member, "opponents": opponents(member, found)}
        return render(request, "club/against_whom.html", context)
    found = games_of(access.club, member, other)
    both = head_to_head(found.played, member.pk, other.pk)
    who = persons({one.pk: one for one in (member, other)})
    context = {
        "club": access.club,
        "member": member,
        "other": other,
        "one": who[member.pk],
        "two": who[other.pk],
        "both": both,
        "parts": [(both.better, "one"), (both.level, "level"), (both.worse, "two")],
        "label": _("%(one)s placed better %(better)s times, %(two)s %(worse)s times, level %(level)s times.")
        % {
            "one": member.name,
            "two": other.name,
            "better": number_words(both.better),
            "worse": number_words(both.worse),
            "level": number_words(both.level),
        },
        "differences": difference_words(both, member, other),
        "chart": difference_chart(both, found.about),
        "lines": [met_line(one, found.about) for one in reversed(both.met)],
        "whole_list": "all" in request.GET,
        "newest": NEWEST,
    }
    return render(request, "club/against.html", context)


def survivor(member: Member) -> Member:
    """Who has the results of an entry that was merged."""
    return member.merged_into or member


def other_asked(request: DeviceRequest, access: ClubAccess) -> Member | None:
    asked = request.GET.get("other", "")
    if not asked:
        return None
    if not (asked.isascii() and asked.isdecimal() and len(asked) < 9):
        raise Http404
    return survivor(member_of(access, int(asked)))


def difference_words(both: HeadToHead, member: Member, other: Member) -> list[str]:
    """By how many points one was better in all, a sentence for each kind of game."""
    kinds = [one.measure for one in both.differences]
    said = []
    for one in both.differences:
        facts = {
            "points": number_words(abs(one.points)),
            "count": number_words(one.games),
            "who": member.name if one.points > 0 else other.name,
            "kind": words.measure_words(one.measure, kinds),
        }
        if one.points:
            text = ngettext(
                "%(who)s is %(points)s points better in %(count)s game.",
                "%(who)s is %(points)s points better in %(count)s games together.",
                one.games,
            )
        else:
            text = ngettext(
                "Level on points in %(count)s game.",
                "Level on points in %(count)s games together.",
                one.games,
            )
        said.append(f"{facts['kind']}: {text % facts}" if len(kinds) > 1 else text % facts)
    return said


def difference_chart(both: HeadToHead, about: Mapping[int, About]) -> Course | None:
    """The points by which the first is better, added up game by game, of the kind played most."""
    kinds = measures(one.game for one in both.met if one.by is not None)
    some = [one for one in both.met if one.by is not None and one.game.measure == kinds[0]]
    if len(some) < 2:
        return None
    sums = list(accumulate(one.by or 0 for one in some))
    ends = words.day(about[some[0].game.key].on), words.day(about[some[-1].game.key].on)
    return course(sums, label=words.ahead(sums[-1]), ends=ends)


def met_line(one: Met, about: Mapping[int, About]) -> MetLine:
    where = about[one.game.key]
    return MetLine(
        about=where,
        day=words.day(where.on),
        place_words=(place_name(one.game.place(one.mine)), place_name(one.game.place(one.theirs))),
        points=(number_words(one.mine.points), number_words(one.theirs.points)),
        by=words.ahead(one.by),
        ahead=one.ahead,
        pending=one.game.result.pending,
    )
