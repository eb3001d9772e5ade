"""The three links of a game. Opening one lets the device remember the game; its secret leaves the address."""

from __future__ import annotations

from django.conf import settings
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games import services
from games.clubs import member_key
from games.models import Role
from games.permissions import Access, access_by_club, access_by_secret, version_by_id
from games.web.access import address, user_of
from games.web.device import DeviceGame, DeviceRequest, Letter

LETTERS: dict[Role, Letter] = {
    Role.SCORER: "s",
    Role.SEAT: "t",
    Role.VIEWER: "v",
}  # the one who may most first
RANK = list(LETTERS.values())


@require_safe
@never_cache
def open_link(request: DeviceRequest, secret: str, role: Role) -> HttpResponse:
    """Wrong, stopped and unknown links look the same; too many of them from one address are put off."""
    access = access_by_secret(secret, deleted=role == Role.SCORER)  # which can bring a deleted game back
    if access is None or access.role != role:
        return wrong_link(request)
    opened = DeviceGame(access.game.slug, LETTERS[role], _key_for(request, access))
    known = request.device.game(opened.slug)
    more = known is not None and RANK.index(known.role) < RANK.index(opened.role)
    if known and more and version_by_id(known.key_id, known.slug) is not None:
        opened = known  # a watcher's link takes nothing from a phone that may do more
    request.device.add_game(*opened)
    request.device.identified()
    return redirect("seat" if opened.role == "t" and role == Role.SEAT else "board", access.game.slug)


def _key_for(request: DeviceRequest, access: Access) -> int:
    """The key that the phone remembers: who keeps score by the club anyway gets one that ends with that."""
    user = user_of(request)
    if user is None or not access.may_score:
        return access.key_id
    found = access_by_club(access.game.slug, user=user)
    if found is None or not found[0].may_score or found[1].member is None:
        return access.key_id
    key = member_key(game=access.game, member=found[1].member)
    return access.key_id if key is None else key.pk


def wrong_link(request: DeviceRequest) -> HttpResponse:
    """The answer to a link that opens nothing, a game's or a club's: all of them count together."""
    most = settings.WRONG_KEYS_PER_MINUTE
    if not services.attempt_counted(what=services.WRONG_KEY, address=address(request), most=most):
        return render(request, "429.html", status=429)
    raise Http404
