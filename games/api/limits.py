"""What one address may do so often in a minute, counted by services across all workers."""

from __future__ import annotations

from django.http import HttpRequest
from django.utils import timezone
from rest_framework.exceptions import Throttled
from rest_framework.request import Request

from games import services
from games.permissions import address


def count(request: HttpRequest | Request, what: str, *, most: int) -> None:
    """Count one more of `what`; Throttled once it is more than `most`, until the minute is over."""
    if not services.attempt_counted(what=what, address=address(request.META), most=most):
        raise Throttled(wait=60 - timezone.now().second)
