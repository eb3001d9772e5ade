"""Opens a club for a page: for whoever is signed in, or for a device that has opened a reader's link."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse

from games.permissions import ClubAccess, club_access
from games.web.access import user_of
from games.web.device import DeviceRequest

P = ParamSpec("P")
View = Callable[Concatenate[DeviceRequest, ClubAccess, P], HttpResponse]


def club_may(what: str) -> Callable[[View[P]], Callable[..., HttpResponse]]:
    """The view gets (request, access, …) instead of a slug.

    404 for who may not read the club, so that a club that is not theirs and none look alike; 403 for who may
    read and not do `what`; who is not signed in may sign in first.
    """

    def decorate(view: View[P]) -> Callable[..., HttpResponse]:
        @wraps(view)
        def opened(request: DeviceRequest, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            user = user_of(request)
            access = club_access(slug, user=user, reader_keys=request.device.reader_keys)
            if access is None:
                raise Http404
            if not access.may(what):
                if user is None:
                    return redirect_to_login(request.get_full_path(), str(settings.LOGIN_URL))
                raise PermissionDenied
            response = view(request, access, *args, **kwargs)
            response.headers["X-Robots-Tag"] = "noindex"  # people's names: for who has the address
            return response

        return opened

    return decorate
