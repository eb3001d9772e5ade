"""The links of a game with their codes: shown again at any time, stopped by whoever keeps score."""

from __future__ import annotations

from urllib.parse import urlsplit, urlunsplit

import segno
from django.conf import settings
from django.contrib import messages as notices
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from games import accounts, services
from games.messages import listed
from games.models import AccessKey, Role
from games.permissions import Access
from games.seats import seats_held
from games.selectors import Sheet, links_of, sheet_of
from games.services import Conflict
from games.web.access import reads, scores
from games.web.board import sheet
from games.web.device import DeviceRequest
from games.web.titles import game_title

LOOPBACK = ("127.", "localhost", "[::1]")
OPENS = {Role.SCORER: "open_scorer", Role.SEAT: "open_table", Role.VIEWER: "open_viewer"}
FACES = {"watch": Role.VIEWER, "seat": Role.SEAT, "score": Role.SCORER}


@require_safe
@never_cache
@reads
def share(request: DeviceRequest, access: Access) -> HttpResponse:
    links = links_of(access.game)
    faces = [face for face, role in FACES.items() if role in links and role in _may_show(access)]
    asked = request.GET.get("face", "")
    first = "watch" if "watch" in faces else faces[-1]  # a stopped one is not shown
    face = asked if asked in faces else first
    key = links[FACES[face]]
    link = link_of(request, key)
    seated = sheet_of(access.game)
    context = {
        "game": access.game,
        "title": game_title(seated),
        "may_score": access.may_score,
        "faces": faces,
        "face": face,
        "key": key,
        "link": link,
        "code": code(link),
        "on_phones": _on_phones(seated) if face == "seat" else "",
    }
    return sheet(request, "games/share.html", context)


def _may_show(access: Access) -> tuple[Role, ...]:
    """The links that whoever came by one may hand on: those that open no more than theirs."""
    if access.may_score:
        return Role.VIEWER, Role.SEAT, Role.SCORER
    return (Role.VIEWER, Role.SEAT) if access.may_sit else (Role.VIEWER,)


def _on_phones(sheet: Sheet) -> str:
    """Who has a seat on a phone of their own."""
    held = seats_held(sheet.game)
    return listed([player.name for player in sheet.players if player.seat in held])


@require_POST
@scores
def link_replace(request: DeviceRequest, access: Access) -> HttpResponse:
    """Stops the link that the page showed; this phone goes on with the new one."""
    face = request.POST.get("face", "")
    face = face if face in FACES else "watch"
    role = FACES[face]
    seen = request.POST.get("link", "")
    link = int(seen) if seen.isascii() and seen.isdecimal() and len(seen) < 19 else 0
    try:
        done = services.link_replace(game=access.game, role=role, link=link, who=request.device.who)
    except Conflict:
        notices.warning(request, _("Nothing was stopped: somebody has just made this new link."))
    else:
        known = request.device.game(access.game.slug)
        if access.role == role and known is not None and known.key_id == link:
            request.device.add_game(access.game.slug, "s", done.key.pk)
        if request.user.is_authenticated:
            accounts.claim_follow(user=request.user, key=done.key)
        notices.success(request, _("The old link is stopped. This is the new one."))
    return redirect(f"{reverse('share', args=[access.game.slug])}?face={face}")


def link_of(request: DeviceRequest, key: AccessKey) -> str:
    """The address that other phones open."""
    return for_other_phones(request.build_absolute_uri(reverse(OPENS[Role(key.role)], args=[key.key])))


def for_other_phones(url: str) -> str:
    """The address with this machine's name on the network, if the page was opened on the machine itself."""
    parts = urlsplit(url)
    others = (host for host in settings.ALLOWED_HOSTS if not host.startswith((*LOOPBACK, ".", "*")))
    host = next(others, None)
    if host is None or not parts.netloc.startswith(LOOPBACK):
        return url
    netloc = f"{host}:{parts.port}" if parts.port else host
    return urlunsplit(parts._replace(netloc=netloc))


def code(link: str) -> SafeString:
    """The link as a QR code, an SVG of one path."""
    picture = segno.make_qr(link, error="m")
    svg = picture.svg_inline(border=0, omitsize=True, svgclass=None, lineclass=None)
    label = _("QR code of the link")
    return mark_safe(svg.replace("<svg ", f'<svg role="img" aria-label="{label}" ', 1))  # noqa: S308 - our own
