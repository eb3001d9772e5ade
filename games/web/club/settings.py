"""What a club is called, and whether anybody may read its tables."""

from __future__ import annotations

from django.contrib import messages as notices
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games import clubs as services
from games.clubs import ClubConflict
from games.permissions import ClubAccess
from games.services import Refused
from games.web.actions import shown_version
from games.web.club.access import club_may
from games.web.club.home import LONGEST
from games.web.club.said import faults, meanwhile
from games.web.device import DeviceRequest
from games.web.share import code, for_other_phones


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@club_may("own")
def club_settings(request: DeviceRequest, access: ClubAccess) -> HttpResponse:
    club = access.club
    address = for_other_phones(request.build_absolute_uri(reverse("club", args=[club.slug])))
    context = {"club": club, "version": club.version, "address": address, "code": code(address)}
    if request.method != "POST":
        return render(request, "club/settings.html", context | {"name": club.name, "public": club.public})
    name, public = request.POST.get("name", "")[:LONGEST], "public" in request.POST
    context |= {"name": name, "public": public}
    try:
        services.club_change(
            club=club, name=name, public=public, who=access.who, version=shown_version(request)
        )
    except ClubConflict as conflict:
        context |= {"version": conflict.club.version, "faults": meanwhile(conflict.club)}
        return render(request, "club/settings.html", context, status=409)
    except Refused as refused:
        return render(request, "club/settings.html", context | {"faults": faults(refused)}, status=422)
    if public != club.public:
        said = _("Anybody can read the page now.") if public else _("The page is shut: it opens nothing now.")
        notices.success(request, said)
        return redirect("club_settings", club.slug)
    notices.success(request, _("Saved."))
    return redirect("club", club.slug)
