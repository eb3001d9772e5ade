"""Opens a game for a page: from the device's memory, with the role that its key still has."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse

from games import permissions
from games.permissions import Access, access_by_id
from games.web import gone
from games.web.device import DeviceRequest

P = ParamSpec("P")
View = Callable[Concatenate[DeviceRequest, Access, P], HttpResponse]


def _open(request: DeviceRequest, slug: str) -> Access:
    """What this device may do in the game; of a deleted one, what a scorer's key would open. Else 404."""
    known = request.device.game(slug)
    if known is None:
        raise Http404
    access = access_by_id(known.key_id, slug, deleted=True)
    if access is None or (access.deleted and not access.may_score):
        raise Http404
    return access


def _opens(
    view: View[P], may: Callable[[Access], bool], *, deleted: bool = False
) -> Callable[..., HttpResponse]:
    """The view gets (request, access, …) instead of a slug; 403 for a device that may not do what it does.

    A deleted game shows what became of it instead, unless the view is for `deleted` ones, too.
    """

    @wraps(view)
    def opened(request: DeviceRequest, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        access = _open(request, slug)
        if access.deleted and not deleted:
            return gone.page(request, access)
        if not may(access):
            raise PermissionDenied
        return view(request, access, *args, **kwargs)

    return opened


def reads(view: View[P]) -> Callable[..., HttpResponse]:
    """The view gets (request, access, …) instead of a slug; 404 if this device does not know the game."""
    return _opens(view, lambda access: True)


def scores(view: View[P]) -> Callable[..., HttpResponse]:
    """As `reads`, and 403 for a device that may only watch."""
    return _opens(view, lambda access: access.may_score)


def restores(view: View[P]) -> Callable[..., HttpResponse]:
    """As `scores`, for a deleted game too."""
    return _opens(view, lambda access: access.may_score, deleted=True)


def challenges(view: View[P]) -> Callable[..., HttpResponse]:
    """As `reads`, and 403 for a device that may not doubt a score."""
    return _opens(view, lambda access: access.may_challenge)


def sits(view: View[P]) -> Callable[..., HttpResponse]:
    """As `reads`, and 403 for a device that did not come by the table's code."""
    return _opens(view, lambda access: access.may_sit)


def address(request: HttpRequest) -> str:
    """The caller's address, as limits count it."""
    return permissions.address(request.META)
