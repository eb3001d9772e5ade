"""Opens a game for a page: from the device's memory or an account's, with the role its key still has."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse

from games import permissions
from games.permissions import Access, access_by_id, claimed
from games.web import gone
from games.web.device import DeviceRequest

P = ParamSpec("P")
View = Callable[Concatenate[DeviceRequest, Access, P], HttpResponse]


def opened(request: DeviceRequest, slug: str) -> Access | None:
    """What this device may do in the game, or whoever is signed in on it: the one that may do more.

    Of a deleted game, what a scorer's key would open.
    """
    known = request.device.game(slug)
    access = None if known is None else access_by_id(known.key_id, slug, deleted=True)
    if (access is None or not access.may_score) and request.user.is_authenticated:
        own = claimed(request.user, slug, deleted=True)
        if own is not None and (access is None or own.may_score):
            access = own
    return None if access is None or (access.deleted and not access.may_score) else access


def _open(request: DeviceRequest, slug: str) -> Access:
    access = opened(request, slug)
    if access is None:
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
