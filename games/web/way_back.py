"""Where a page that is opened from anywhere leads back to: the page of this site it was opened from, or home.

The address comes from the browser, so it is believed only as far as it is a path of this site.
"""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import urlsplit

from django.http import HttpRequest
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme

MOST = 300  # characters


class WayBack(NamedTuple):
    """`address` to lead to; `carried` goes along in the page's own links, and is empty for home."""

    address: str
    carried: str


def way_back(request: HttpRequest, own: str) -> WayBack:
    """The path carried by `?back=`, else of the referring page unless it is one of the `own` pages."""
    path = _path(request, request.GET.get("back", "")) or _path(request, request.headers.get("Referer", ""))
    home = reverse("home")
    if path.startswith(own) or path in ("", home):
        return WayBack(home, "")
    return WayBack(path, path)


def _path(request: HttpRequest, address: str) -> str:
    """Path and query of an address of this site, or nothing."""
    here = {request.get_host()}
    if len(address) > MOST or not url_has_allowed_host_and_scheme(
        address, here, require_https=request.is_secure()
    ):
        return ""
    parts = urlsplit(address)
    path = f"{parts.path}?{parts.query}" if parts.query else parts.path
    return path if path.startswith("/") and url_has_allowed_host_and_scheme(path, None) else ""
