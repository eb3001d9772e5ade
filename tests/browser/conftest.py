"""
Phones for the browser tests: 360×740, touch, light or dark, with and without JavaScript.

Each phone is watched: an error in its console, a broken security policy or a request to another
host fails the test. Every test in this folder carries the marker `browser`.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Request, WebError, expect
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer
from pytest_playwright import CreateContextCallback

from scorekeeper.serve import lan_addresses
from tests import chromium

PHONE = {
    "viewport": {"width": 360, "height": 740},
    "device_scale_factor": 2,
    "is_mobile": True,
    "has_touch": True,
    "locale": "en-GB",
}

# Milliseconds until what is waited for counts as missing: as long as a busy machine may need, since how long
# a page takes is not what is tested.
PATIENCE = 20_000
expect.set_options(timeout=PATIENCE)

# While htmx asks, swaps or settles; what it brought is not at work before.
BUSY = ".htmx-request, .htmx-swapping, .htmx-settling"

# A page that a tap led to stands before its scripts are at work; a test goes on when they are.
TELLS_READY = 'addEventListener("DOMContentLoaded", () => { document.documentElement.dataset.ready = ""; });'
NOT_READY = "html:not([data-ready])"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    executable = chromium.find()
    if executable is None:
        pytest.skip("no Chromium on this machine; `make browser` installs it")
    return browser_type_launch_args | {
        "executable_path": executable,
        "args": chromium.ARGUMENTS,
    }


@pytest.fixture(scope="session")
def base_url() -> str | None:
    """Stand before pytest-playwright's own, whose form pytest deprecates."""
    return None


@pytest.fixture
def color_scheme() -> str:
    """Return light; a test asks for both by parametrizing `color_scheme`."""
    return "light"


@pytest.fixture
def browser_context_args(browser_context_args: dict[str, Any], color_scheme: str) -> dict[str, Any]:
    return browser_context_args | PHONE | {"color_scheme": color_scheme}


class Watch:
    """Collects what must not happen on a phone, but for what the test allows."""

    def __init__(self, hosts: set[str]) -> None:
        self.hosts = hosts
        # A question that is given up for a newer one; one that failed says sendError or responseError.
        self.allowed = ["htmx:sendAbort", "htmx:afterRequest"]
        self.problems: list[str] = []

    def __call__(self, context: BrowserContext) -> None:
        context.set_default_timeout(PATIENCE)
        context.on("console", self._console)
        context.on("weberror", self._error)
        context.on("request", self._request)

    def allow(self, text: str) -> None:
        """Let console messages pass that hold `text`, such as the 409 that a test provokes."""
        self.allowed.append(text)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type == "error" or "Content Security Policy" in message.text:
            self.problems.append(f"console: {message.text} ({message.location.get('url')})")

    def _error(self, error: WebError) -> None:
        self.problems.append(f"uncaught: {error.error}")

    def _request(self, request: Request) -> None:
        parts = urlsplit(request.url)
        if parts.scheme in {"http", "https", "ws", "wss"} and parts.hostname not in self.hosts:
            self.problems.append(f"request to another host: {request.url}")

    def check(self) -> None:
        left = [problem for problem in self.problems if not any(text in problem for text in self.allowed)]
        assert not left, "\n".join(left)


@pytest.fixture
def watch(live_server: LiveServer) -> Iterator[Watch]:
    watch = Watch({urlsplit(live_server.url).hostname or "", *lan_addresses()})
    yield watch
    watch.check()


@pytest.fixture
def new_phone(new_context: CreateContextCallback, watch: Watch) -> Callable[..., Page]:
    """
    Return a maker of phones, each with its own cookies; keyword arguments go to the context.

    What a test does or expects waits until the page's scripts are at work, but on a phone that is `early`.
    """

    def make(*, early: bool = False, **options: Any) -> Page:
        context = new_context(**options)
        watch(context)
        page = context.new_page()
        if not early and options.get("java_script_enabled", True):
            context.add_init_script(TELLS_READY)
            page.add_locator_handler(page.locator(NOT_READY), lambda: None)
        return page

    return make


@pytest.fixture
def page(new_phone: Callable[..., Page]) -> Page:
    return new_phone()


@pytest.fixture
def page_without_script(new_phone: Callable[..., Page]) -> Page:
    return new_phone(java_script_enabled=False)


@pytest.fixture
def lan_server(transactional_db: None, settings: Settings) -> Iterator[str]:
    """Serve on every interface and return the plain-http address that other phones would open."""
    addresses = lan_addresses()
    if not addresses:
        pytest.skip("this machine has no address but its own loopback")
    settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, addresses[0]]
    server = LiveServer("0.0.0.0")
    yield f"http://{addresses[0]}:{server.thread.port}"
    server.stop()


@pytest.fixture
def axe() -> Callable[..., None]:
    """Return a check that fails on serious and critical findings of axe, by all its rules or by some."""

    def check(page: Page, *rules: str) -> None:
        # Stylesheets are not fetched for it again: no rule that runs by default reads them.
        options: dict[str, Any] = {"resultTypes": ["violations"], "preload": False}
        if rules:
            options["runOnly"] = list(rules)
        if not page.evaluate("'axe' in window"):
            page.evaluate(AXE_SCRIPT)
        violations = page.evaluate("options => axe.run(options)", options)["violations"]
        serious = [
            f"{found['impact']} {found['id']}: {node['html'][:200]}\n{node['failureSummary']}"
            for found in violations
            if found["impact"] in {"serious", "critical"}
            for node in found["nodes"]
        ]
        assert not serious, f"axe on {page.url}:\n" + "\n".join(serious)

    return check
