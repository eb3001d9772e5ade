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
from games.models import AccessKey, Role
from games.permissions import Access
from games.selectors import links_of, sheet_of
from games.services import Conflict
from games.web.access import reads, scores
from games.web.board import sheet
from games.web.device import DeviceRequest
from games.web.titles import game_title

LOOPBACK = ("127.", "localhost", "[::1]")
OPENS = {Role.SCORER: "open_scorer", Role.VIEWER: "open_viewer"}


@require_safe
@never_cache
@reads
def share(request: DeviceRequest, access: Access) -> HttpResponse:
    links = links_of(access.game)
    only_score = Role.VIEWER not in links  # the watcher's was stopped
    scoring = access.may_score and (only_score or request.GET.get("face") == "score")
    key = links[Role.SCORER if scoring else Role.VIEWER]
    link = link_of(request, key)
    context = {
        "game": access.game,
        "title": game_title(sheet_of(access.game)),
        "may_score": access.may_score,
        "scoring": scoring,
        "key": key,
        "link": link,
        "code": code(link),
    }
    return sheet(request, "games/share.html", context)


@require_POST
@scores
def link_replace(request: DeviceRequest, access: Access) -> HttpResponse:
    """Stops the link that the page showed; this phone goes on with the new one."""
    face = "score" if request.POST.get("face") == "score" else "watch"
    role = Role.SCORER if face == "score" else Role.VIEWER
    seen = request.POST.get("link", "")
    link = int(seen) if seen.isascii() and seen.isdecimal() and len(seen) < 19 else 0
    try:
        done = services.link_replace(game=access.game, role=role, link=link, who=request.device.who)
    except Conflict:
        notices.warning(request, _("Nothing was stopped: somebody has just made this new link."))
    else:
        if access.role == role and request.device.game(access.game.slug):
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
