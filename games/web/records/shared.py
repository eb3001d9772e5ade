"""A checked record at its own address: the verdict, the link to share, the text to take along."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from games.models import SharedRecord
from games.shared_records import record_seen
from games.web.device import DeviceRequest
from games.web.records.verdict import verdict_page


def _record(slug: str) -> SharedRecord:
    record = get_object_or_404(SharedRecord, slug=slug)
    record_seen(record=record)
    return record


@require_safe
def verdict(request: DeviceRequest, slug: str) -> HttpResponse:
    record = _record(slug)
    return verdict_page(
        request,
        record.text,
        here=reverse("verdict", args=[slug]),
        back=reverse("check_round"),
        title=_("Check a round"),
        share=reverse("verdict_share", args=[slug]),
        change=f"{reverse('check_round')}?from={slug}",
    )


@require_safe
@cache_control(private=True, no_cache=True)
def verdict_share(request: DeviceRequest, slug: str) -> HttpResponse:
    record = _record(slug)
    page = {
        "record": record,
        "here": reverse("verdict", args=[slug]),
        "link": request.build_absolute_uri(reverse("verdict", args=[slug])),
    }
    return render(request, "records/share.html", page)


@require_safe
def verdict_file(request: DeviceRequest, slug: str) -> HttpResponse:
    """The record as a file, as it was given."""
    record = _record(slug)
    return HttpResponse(
        record.text,
        content_type="text/plain; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="round-{slug}.train"'},
    )
