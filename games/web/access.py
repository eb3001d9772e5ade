"""Opens a game for a page: from the device's memory or through its club, with the role that is left there."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse

from games import permissions
from games.models import User
from games.permissions import Access, access_by_club, access_by_id
from games.web.device import DeviceRequest

P = ParamSpec("P")
View = Callable[Concatenate[DeviceRequest, Access, P], HttpResponse]


def opened(request: DeviceRequest, slug: str) -> Access | None:
    """What this device may do in the game, or somebody at the club it is played at: whatever is more."""
    known = request.device.game(slug)
    access = None if known is None else access_by_id(known.key_id, slug)
    if access is None or not access.may_score:
        return _by_club(request, slug, access)
    return access


def _by_club(request: DeviceRequest, slug: str, access: Access | None) -> Access | None:
    user = user_of(request)
    if user is None and (access is not None or not request.device.reader_keys):
        return access
    found = access_by_club(slug, user=user, reader_keys=request.device.reader_keys)
    if found is None or (access is not None and not found[0].may_score):
        return access
    request.device.who = (
        request.device.who or found[1].who
    )  # for the log, if the phone has no name of its own
    return found[0]


def user_of(request: HttpRequest) -> User | None:
    return request.user if isinstance(request.user, User) else None


def _open(request: DeviceRequest, slug: str) -> Access:
    access = opened(request, slug)
    if access is None:
        raise Http404
    return access


def reads(view: View[P]) -> Callable[..., HttpResponse]:
    """The view gets (request, access, …) instead of a slug; 404 if this device does not know the game."""

    @wraps(view)
    def opened(request: DeviceRequest, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        return view(request, _open(request, slug), *args, **kwargs)

    return opened


def scores(view: View[P]) -> Callable[..., HttpResponse]:
    """As `reads`, and 403 for a device that may only watch."""

    @wraps(view)
    def opened(request: DeviceRequest, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        access = _open(request, slug)
        if not access.may_score:
            raise PermissionDenied
        return view(request, access, *args, **kwargs)

    return opened


def address(request: HttpRequest) -> str:
    """The caller's address, as limits count it."""
    return permissions.address(request.META)
