"""Moments in words, for readers without script."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from games.templatetags.when import ago_words, clock

NOW = datetime(2026, 11, 29, 21, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("past", "words"),
    [
        (timedelta(seconds=-5), "just now"),
        (timedelta(seconds=59), "just now"),
        (timedelta(minutes=2), "2 min ago"),
        (timedelta(minutes=59, seconds=59), "59 min ago"),
        (timedelta(hours=3), "3 h ago"),
        (timedelta(days=2), "27 Nov, 21:12"),
    ],
)
def test_how_long_ago(past: timedelta, words: str) -> None:
    assert ago_words(NOW - past, NOW) == words


def test_a_moment_carries_its_time_for_the_phones_own_zone() -> None:
    assert clock(NOW) == ('<time datetime="2026-11-29T21:12:00+00:00" data-clock>29 Nov, 21:12</time>')
