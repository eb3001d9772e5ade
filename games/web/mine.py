"""All games of this phone as one file, and games brought in from a file."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages as notices
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from games.files.bring_in import Brought, games_bring_in, look_into
from games.files.errors import NotBroughtIn
from games.files.export import as_json, backup_data
from games.files.words import refusal
from games.messages import listed, number
from games.models import AccessKey, Role
from games.services import IMPORT, NEW_GAME, WRONG_KEY, attempt_counted
from games.web.access import address
from games.web.device import MOST_GAMES, Device, DeviceRequest
from games.web.files import download
from games.web.links import LETTERS

IMPORTS_PER_MINUTE = 20


def own_keys(device: Device) -> list[AccessKey]:
    """The live keys of the games this device knows, newest game first."""
    known = {game.key_id: position for position, game in enumerate(device.games)}
    keys = AccessKey.objects.filter(pk__in=known, revoked_at=None, game__deleted_at=None)
    keys = keys.select_related("game")
    slugs = {game.slug for game in device.games}
    return sorted((key for key in keys if key.game.slug in slugs), key=lambda key: known[key.pk])


@require_safe
@never_cache
def my_games(request: DeviceRequest) -> HttpResponse:
    keys = own_keys(request.device)
    scoring = sum(key.role == Role.SCORER for key in keys)
    return render(request, "my_games.html", {"scoring": scoring, "watching": len(keys) - scoring})


@require_safe
@never_cache
def my_games_file(request: DeviceRequest) -> HttpResponse:
    """The one file that carries keys: this device's own."""
    name = f"scorekeeper-{timezone.localdate().isoformat()}.json"
    return download(as_json(backup_data(own_keys(request.device))), "application/json", name)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def bring_in(request: DeviceRequest) -> HttpResponse:
    if request.method != "POST":
        return render(request, "bring_in.html")
    upload = request.FILES.get("file")
    if not isinstance(upload, UploadedFile):
        return _refused(request, [_("No file was chosen.")])
    where = address(request)
    if not attempt_counted(what=IMPORT, address=where, most=IMPORTS_PER_MINUTE):
        return render(request, "429.html", status=429)
    try:
        incoming = look_into(upload.read())
        if incoming.new > max(1, MOST_GAMES - len(request.device.games)):
            return _refused(request, [_no_room(incoming.new)])
        for what, times, most in (
            (WRONG_KEY, incoming.wrong_keys, settings.WRONG_KEYS_PER_MINUTE),
            (NEW_GAME, incoming.new, max(settings.GAMES_PER_MINUTE, MOST_GAMES)),
        ):
            if times and not attempt_counted(what=what, address=where, most=most, times=times):
                return render(request, "429.html", status=429)
        brought = games_bring_in(incoming=incoming)
    except NotBroughtIn as refused:
        return _refused(request, refusal(refused))
    return _welcome(request, brought)


def _refused(request: DeviceRequest, said: list[str]) -> HttpResponse:
    return render(request, "bring_in.html", {"said": said}, status=422)


def _no_room(new: int) -> str:
    facts = {"new": number(new), "most": number(MOST_GAMES)}
    return _("This phone remembers %(most)s games, and there is no room for %(new)s more.") % facts


def _welcome(request: DeviceRequest, brought: list[Brought]) -> HttpResponse:
    """Remember the games, the file's first one on top, as far as they find room; say what came of each."""
    for one in reversed(brought):
        if one.access is None:
            continue
        known = request.device.game(one.access.game.slug)
        if one.how in ("opened", "deleted") and known is None and len(request.device.games) >= MOST_GAMES:
            continue  # it would push out another; its link opens it
        if known is None or one.access.may_score:
            request.device.add_game(one.access.game.slug, LETTERS[one.access.role], one.access.key_id)
    for line in outcome(brought):
        notices.success(request, line)
    return redirect("bring_in")


def outcome(brought: list[Brought]) -> list[str]:
    new = [one for one in brought if one.how == "new"]
    opened = [one for one in brought if one.how == "opened"]
    closed = [one for one in brought if one.how == "closed"]
    deleted = [one for one in brought if one.how == "deleted"]
    said = []
    if new:
        said.append(
            ngettext(
                "%(count)s game brought in: %(games)s.", "%(count)s games brought in: %(games)s.", len(new)
            )
            % {"count": number(len(new)), "games": _titles(new)}
        )
    if opened:
        said.append(
            _("Here already, and open on this phone: %(games)s. Nothing was changed in them.")
            % {"games": _titles(opened)}
        )
    if closed:
        said.append(
            _("Here already: %(games)s. Nothing was changed. Their own links open them.")
            % {"games": _titles(closed)}
        )
    if deleted:
        said.append(
            _("Deleted here: %(games)s. Whoever keeps score in it can bring it back for 30 days.")
            % {"games": _titles(deleted)}
        )
    return said or [_("There is no game in this file.")]


def _titles(games: list[Brought]) -> str:
    return listed([f"“{one.title}”" for one in games])
