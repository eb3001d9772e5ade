"""A club's two links: one reads its tables, one lets people with an account join."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages as notices
from django.contrib.auth.views import redirect_to_login
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games import clubs as services
from games.clubs import ClubConflict, fold
from games.models import Club, ClubKey, ClubLink, ClubRole, Member, User
from games.permissions import ClubAccess, club_key
from games.services import Refused
from games.web.access import user_of
from games.web.club.access import club_may
from games.web.club.home import LONGEST
from games.web.club.said import faults
from games.web.device import DeviceRequest
from games.web.links import wrong_link
from games.web.share import code, for_other_phones

OPENS = {ClubLink.READER: "club_reader", ClubLink.INVITE: "club_join"}


@require_safe
@never_cache
@club_may("organise")
def club_links(request: DeviceRequest, access: ClubAccess) -> HttpResponse:
    role = _face(request.GET.get("face", ""))
    key = ClubKey.objects.get(club=access.club, role=role, revoked_at=None)
    link = for_other_phones(request.build_absolute_uri(reverse(OPENS[role], args=[key.key])))
    context = {
        "club": access.club,
        "inviting": role == ClubLink.INVITE,
        "key": key,
        "link": link,
        "code": code(link),
    }
    return render(request, "club/links.html", context)


@require_POST
@club_may("organise")
def club_link_replace(request: DeviceRequest, access: ClubAccess) -> HttpResponse:
    """Stops the link that the page showed, whatever else changed in the club."""
    role = _face(request.POST.get("face", ""))
    seen = request.POST.get("link", "")
    link = int(seen) if seen.isascii() and seen.isdecimal() and len(seen) < 19 else 0
    try:
        services.club_link_replace(club=access.club, role=role, link=link, who=access.who)
    except ClubConflict:
        notices.warning(request, _("Nothing was stopped: somebody has just made this new link."))
    else:
        notices.success(request, _("The old link is stopped. This is the new one."))
    return redirect(f"{reverse('club_links', args=[access.club.slug])}?face={role}")


def _face(text: str) -> ClubLink:
    return ClubLink.INVITE if text == ClubLink.INVITE else ClubLink.READER


@require_safe
@never_cache
def club_reader(request: DeviceRequest, secret: str) -> HttpResponse:
    """The device reads the club from now on; the secret leaves the address."""
    key = club_key(secret, ClubLink.READER)
    if key is None:
        return wrong_link(request)
    request.device.add_club(key.pk)
    return redirect("club", key.club.slug)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def club_join(request: DeviceRequest, secret: str) -> HttpResponse:
    """Who is signed in says who they are in the club; anybody else signs in first."""
    key, user = club_key(secret, ClubLink.INVITE), user_of(request)
    if key is None:
        return wrong_link(request)
    if user is None:
        return redirect_to_login(request.get_full_path(), str(settings.LOGIN_URL))
    known = Member.objects.filter(club=key.club, user=user).first()
    if known is not None and known.left_on is None:
        return redirect("club", key.club.slug)
    if known is not None:
        status = 422 if request.method == "POST" else 200
        return render(request, "club/join.html", {"club": key.club, "left": known.name}, status=status)
    if request.method != "POST":
        return _ask(request, key.club, typed=user.name, chosen=_likely(key.club, user))
    chosen, typed = request.POST.get("member", "")[:9], request.POST.get("name", "")[:LONGEST]
    name = _free(key.club).get(chosen, typed)
    try:
        member = services.club_join(key=secret, user=user, name=name)
    except Refused as refused:
        if refused.code == "not_found":  # stopped at this moment
            return wrong_link(request)
        return _ask(request, key.club, typed=typed, chosen=chosen, wrong=faults(refused))
    notices.success(request, _("%(name)s belongs to the club now.") % {"name": member.name})
    return redirect("club", key.club.slug)


def _ask(
    request: DeviceRequest, club: Club, *, typed: str, chosen: str, wrong: list[str] | None = None
) -> HttpResponse:
    context = {"club": club, "free": _free(club).items(), "typed": typed, "chosen": chosen, "faults": wrong}
    return render(request, "club/join.html", context, status=422 if wrong else 200)


def _free(club: Club) -> dict[str, str]:
    """Names by number of whoever has no account yet, and no role that a link must not give."""
    rows = Member.objects.filter(club=club, user=None, merged_into=None, left_on=None, role=ClubRole.MEMBER)
    named = sorted(rows.values_list("number", "name"), key=lambda row: fold(row[1]))
    return {str(number): name for number, name in named}


def _likely(club: Club, user: User) -> str:
    return next((number for number, name in _free(club).items() if fold(name) == fold(user.name)), "")
