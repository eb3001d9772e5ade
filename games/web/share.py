"""The links of a game with their codes, shown again at any time."""

from __future__ import annotations

from urllib.parse import urlsplit, urlunsplit

import segno
from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.models import Role
from games.permissions import Access
from games.selectors import links_of
from games.web.access import reads
from games.web.device import DeviceRequest

LOOPBACK = ("127.", "localhost", "[::1]")


@require_safe
@never_cache
@reads
def share(request: DeviceRequest, access: Access) -> HttpResponse:
    links = links_of(access.game)
    only_score = Role.VIEWER not in links  # the watcher's was stopped
    scoring = access.may_score and (only_score or request.GET.get("face") == "score")
    role, name = (Role.SCORER, "open_scorer") if scoring else (Role.VIEWER, "open_viewer")
    link = for_other_phones(request.build_absolute_uri(reverse(name, args=[links[role].key])))
    context = {
        "game": access.game,
        "may_score": access.may_score,
        "scoring": scoring,
        "link": link,
        "code": code(link),
    }
    return render(request, "games/share.html", context)


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
