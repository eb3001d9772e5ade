"""Opens a club for a page: for whoever is signed in, or for a device that has opened a reader's link."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec
from urllib.parse import urlencode

from django.conf import settings
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import render, resolve_url

from games.permissions import ClubAccess, club_access
from games.web.access import user_of
from games.web.device import DeviceRequest

P = ParamSpec("P")
UNTYPED = {"csrfmiddlewaretoken", "version", "do"}
View = Callable[Concatenate[DeviceRequest, ClubAccess, P], HttpResponse]


def club_may(what: str) -> Callable[[View[P]], Callable[..., HttpResponse]]:
    """The view gets (request, access, …) instead of a slug.

    404 for who may not read the club, so that a club that is not theirs and none look alike; 403 for who may
    read and not do `what`; who is not signed in may sign in first, and has what was typed to copy.
    """

    def decorate(view: View[P]) -> Callable[..., HttpResponse]:
        @wraps(view)
        def opened(request: DeviceRequest, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            user = user_of(request)
            access = club_access(slug, user=user, reader_keys=request.device.reader_keys)
            if access is None:
                return render(request, "club/closed.html", _closed(request), status=404)
            if not access.may(what) and user is None:
                return redirect_to_login(request.get_full_path(), str(settings.LOGIN_URL))
            try:
                if not access.may(what):
                    raise PermissionDenied
                response = view(request, access, *args, **kwargs)
            except PermissionDenied:
                response = render(request, "club/closed.html", {"club": access.club}, status=403)
            response.headers["X-Robots-Tag"] = "noindex"  # people's names: for who has the address
            return response

        return opened

    return decorate


def _closed(request: DeviceRequest) -> dict[str, str]:
    """Where to sign in, and what a form brought that came without an account: a session may have run out."""
    back = {REDIRECT_FIELD_NAME: request.path}
    context = {"sign_in": f"{resolve_url(settings.LOGIN_URL)}?{urlencode(back)}"}
    if request.user.is_anonymous:
        fields = [values for name, values in request.POST.lists() if name not in UNTYPED]
        context["typed"] = "\n".join(value for values in fields for value in values if value)
    return context
