"""What every test shares: how tests run here, and a club. The rule book's tests read it without Django."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, Any, TypeVar

import pytest

if TYPE_CHECKING:
    from games.models import Club, Season

Report = TypeVar("Report", pytest.TestReport, pytest.CollectReport)

# Playwright's sync API runs an event loop in the thread of the test.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="tests marked `long` at full size: make test-long")


def pytest_configure(config: pytest.Config) -> None:
    if not config.pluginmanager.hasplugin("django"):  # make test-engine, which reads no pyproject.toml
        config.addinivalue_line("markers", "long: runs at full size in make test-long")
        return
    from django.conf import settings
    from zeal.constants import initialize_app_registry
    from zeal.patch import patch

    # Tests read the static files where they lie, without collecting them.
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    }
    settings.WHITENOISE_AUTOREFRESH = True
    settings.WHITENOISE_USE_FINDERS = True

    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # fast

    # A request that asks the database the same question once a row fails; what libraries ask is theirs.
    # Who is signed in is asked for by itself, beside what a page is about.
    settings.ZEAL_ALLOWLIST = [
        {"model": "account.*"},
        {"model": "sessions.*"},
        {"model": "games.User", "field": "get()"},
    ]
    initialize_app_registry()
    patch()
    settings.MIDDLEWARE = [*settings.MIDDLEWARE, "tests.repeats.middleware"]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    return _no_skip_in_ci((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    return _no_skip_in_ci((yield))


def _no_skip_in_ci(report: Report) -> Report:
    """Turn a skip or an expected failure into a failure where CI=true: there, everything must run."""
    if report.skipped and os.environ.get("CI") == "true":
        reason = getattr(report, "wasxfail", report.longrepr)
        if isinstance(reason, tuple):
            reason = reason[2]
        report.outcome = "failed"
        report.longrepr = f"In CI nothing may be skipped: {reason}"
        if hasattr(report, "wasxfail"):
            del report.wasxfail
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Measure the first case of a test for coverage, not every one: to measure takes as long as to run."""
    from coverage import Coverage

    measured = Coverage.current()
    spec = getattr(item, "callspec", None)
    if measured is None or spec is None or not any(spec.indices.values()):
        return (yield)
    measured.stop()
    try:
        return (yield)
    finally:
        measured.start()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the tests that take longest, which say so by `timeout`: none is left alone at the end."""
    items.sort(key=lambda item: item.get_closest_marker("timeout") is None)


@pytest.fixture
def size(request: pytest.FixtureRequest) -> Callable[[int, int], int]:
    """`size(10, 200)`: how often a test marked `long` does its thing, in make test and in make test-long."""
    whole: bool = request.config.getoption("--long")
    return lambda short, long: long if whole else short


@pytest.fixture
def figures(record_property: Callable[[str, object], None]) -> Callable[..., None]:
    """`figures(edits=1000, lost=0)`: what a long test counted, printed when it ran at full size."""

    def tell(**counted: object) -> None:
        record_property("figures", ", ".join(f"{name.replace('_', ' ')} {n}" for name, n in counted.items()))

    return tell


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    if not config.getoption("--long"):
        return
    terminalreporter.section("figures")
    for report in terminalreporter.getreports("passed") + terminalreporter.getreports("failed"):
        for name, value in report.user_properties:
            if name == "figures" and report.when == "call":
                terminalreporter.write_line(f"{report.nodeid.rpartition('::')[2]}: {value}")


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Keep SQLite's test database in a file: threads then have connections of their own, as in life."""
    from django.db import connection

    if connection.vendor == "sqlite":
        path = tmp_path_factory.mktemp("database") / "test.sqlite3"
        connection.settings_dict["TEST"]["NAME"] = str(path)


@pytest.fixture
def club() -> Club:
    """Thursday Dominoes, which Chitra owns."""
    from tests import club as at_club

    return at_club.found()


@pytest.fixture
def spring(club: Club) -> Season:
    """Its season, with no game yet."""
    from tests import club as at_club

    return at_club.season(club)


@pytest.fixture
def one_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock stands: what is counted by the minute does not begin anew in the middle of a test."""
    from django.utils import timezone

    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)
