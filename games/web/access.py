"""Opens a game for a page: by the device, an account or the game's club, with the role that is left there."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse

from games import permissions
from games.models import User
from games.permissions import Access, access_by_club, access_by_id, claimed, who_kept_score
from games.web import gone
from games.web.device import DeviceRequest

P = ParamSpec("P")
View = Callable[Concatenate[DeviceRequest, Access, P], HttpResponse]


def opened(request: DeviceRequest, slug: str) -> Access | None:
    """What this device may do in the game, or whoever is signed in on it: the one that may do more.

    By the device's memory first, then by what the account has claimed, then by the club it is played at. Of a
    deleted game, what a scorer's key would open.
    """
    known = request.device.game(slug)
    access = None if known is None else access_by_id(known.key_id, slug, deleted=True)
    for other in (_by_account, _by_club):
        if access is not None and access.may_score:
            break
        own = other(request, slug, access)
        access = own if own is not None and (access is None or own.may_score) else access
    return None if access is None or (access.deleted and not access.may_score) else access


def _by_account(request: DeviceRequest, slug: str, access: Access | None) -> Access | None:
    user = user_of(request)
    return None if user is None else claimed(user, slug, deleted=True)


def _by_club(request: DeviceRequest, slug: str, access: Access | None) -> Access | None:
    user = user_of(request)
    if user is None and (access is not None or not request.device.reader_keys):
        return None
    found = access_by_club(slug, user=user, reader_keys=request.device.reader_keys)
    if found is None or (access is not None and not found[0].may_score):
        return None
    # for the log, if the phone has no name of its own
    request.device.who = request.device.who or found[1].who
    return found[0]


def user_of(request: HttpRequest) -> User | None:
    return request.user if isinstance(request.user, User) else None


def _opens(
    view: View[P], may: Callable[[Access], bool], *, deleted: bool = False
) -> Callable[..., HttpResponse]:
    """The view gets (request, access, …) instead of a slug; 403 for a device that may not do what it does.

    A deleted game shows what became of it instead, unless the view is for `deleted` ones, too.
    """

    @wraps(view)
    def guarded(request: DeviceRequest, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        access = opened(request, slug)
        if access is None:
            return _closed(request, slug)
        if access.deleted and not deleted:
            return gone.page(request, access)
        if not may(access):
            raise PermissionDenied
        return view(request, access, *args, **kwargs)

    return guarded


def _closed(request: DeviceRequest, slug: str) -> HttpResponse:
    """404; on a phone that kept score by the right of a club's member, whose right it was."""
    known = request.device.game(slug)
    member = None if known is None else who_kept_score(known.key_id, slug)
    if member is None:
        raise Http404
    return gone.no_longer(request, member)


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
