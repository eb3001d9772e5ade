"""The rules of a preset, beside those of another."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from games.engine.rules import PRESETS
from games.web.device import DeviceRequest


@require_safe
def which_rules(request: DeviceRequest) -> HttpResponse:
    return redirect("rules", "thoughtco")


@require_safe
def rules(request: DeviceRequest, preset: str) -> HttpResponse:
    if preset not in PRESETS:
        raise Http404
    return render(request, "games/rules.html", {"preset": preset})
