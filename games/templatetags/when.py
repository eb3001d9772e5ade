"""
Moments for readers: how long ago, or the day and the hour.

Knows the clock. The server does not know the phone's time zone, so games/sheet.js writes each moment again in
the phone's own; what stands here is read without script.
"""

from datetime import datetime, timedelta

from django import template
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

register = template.Library()

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


def ago_words(at: datetime, now: datetime) -> str:
    """«just now», «2 min ago», «3 h ago», then the day."""
    past = now - at
    if past < MINUTE:
        return _("just now")
    if past < HOUR:
        return _("%(count)s min ago") % {"count": past // MINUTE}
    if past < DAY:
        return _("%(count)s h ago") % {"count": past // HOUR}
    return clock_words(at)


def clock_words(at: datetime) -> str:
    """«29 Nov, 21:12»"""
    return date_format(timezone.localtime(at), "j M, H:i")


@register.simple_tag
def ago(at: datetime) -> SafeString:
    return format_html(
        '<time datetime="{}" data-ago>{}</time>', at.isoformat(), ago_words(at, timezone.now())
    )


@register.simple_tag
def clock(at: datetime) -> SafeString:
    return format_html('<time datetime="{}" data-clock>{}</time>', at.isoformat(), clock_words(at))
