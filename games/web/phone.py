"""The device page: what this phone looks like and whose name its entries carry."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.forms import DeviceForm
from games.web.device import DeviceRequest


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def device(request: DeviceRequest) -> HttpResponse:
    own = request.device
    if request.method != "POST":
        now = {name: getattr(own, name) for name in DeviceForm.base_fields}
        return render(
            request, "device.html", {"form": DeviceForm(initial=now), "kept": "kept" in request.GET}
        )
    form = DeviceForm(request.POST)
    if not form.is_valid():
        return render(request, "device.html", {"form": form}, status=422)
    for name, value in form.cleaned_data.items():
        setattr(own, name, value)
    own.changed = True
    return redirect(f"{reverse('device')}?kept")
