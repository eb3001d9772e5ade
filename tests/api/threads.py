"""Many callers at once, each on a connection of its own."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TypeVar

from django.db import connections

T = TypeVar("T")


def at_once(count: int, call: Callable[[int], T]) -> list[T]:
    """What `call` gives for 0, 1, …, all begun at the same moment."""
    barrier = Barrier(count)

    def run(number: int) -> T:
        try:
            barrier.wait(timeout=20)
            return call(number)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(run, range(count)))
