"""The site's answers against a bare view of one query, all under one server and in one interleaved run.

Starts gunicorn as `make run` does (two processes of sixteen threads) on the loopback, with a database of its
own that holds one game of eight players and thirteen rounds. Prints ratios: 1.00 is as fast as the bare view.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import secrets
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count, repeat
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

CONNECTIONS = 8  # which of the two processes gets each is chance, so every turn opens them anew
TURNS = 12  # of every target, one after the other
KIB = 1024
# (what, least or most, unit): the aims of the project.
PAGE_BUDGET, SCRIPT_BUDGET, HTMX_BUDGET = 25, 10, 17


@dataclass(frozen=True)
class Target:
    name: str
    path: str
    headers: tuple[tuple[str, str], ...]
    status: int
    requests: int  # a turn
    aim: float | None = None
    fresh: bool = False  # every request by another name of the host, so that no answer is a remembered one


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="scorekeeper-bench-") as folder:
        environment = _environment(Path(folder))
        made = json.loads(
            subprocess.run(
                [sys.executable, "-c", "from tests.bench.http import prepare; prepare()"],
                env=environment,
                check=True,
                stdout=subprocess.PIPE,
            ).stdout
        )
        with _server(environment) as port:
            targets = list(_targets(made, port))
            _measure(targets, port)
            _first_visit(port)
    if made["board_queries"] is not None:
        print(f"  HTML board: {made['board_queries']} queries (aim: at most 5, one of them for the club)")


def prepare() -> None:
    """In a process of its own: the database, the static files, the game; its facts as JSON."""
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    from tests.bench._game import large_game

    call_command("migrate", interactive=False, verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    started = large_game()
    game = started.sheet.game
    browser = Client(SERVER_NAME="127.0.0.1")
    browser.get(f"/s/{started.scorer_key}/")
    queries = None
    if browser.get(f"/g/{game.slug}/").status_code == 200:
        with CaptureQueriesContext(
            connection,
        ) as captured:
            browser.get(f"/g/{game.slug}/")
        queries = len(captured)
    facts = {
        "slug": game.slug,
        "version": game.version,
        "key": started.scorer_key,
        "cookie": "; ".join(f"{name}={one.value}" for name, one in browser.cookies.items()),
        "board_queries": queries,
    }
    print(json.dumps(facts))


def _environment(folder: Path) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    return kept | {
        "DJANGO_SETTINGS_MODULE": "tests.bench._settings",
        "DATABASE_URL": f"sqlite:///{folder / 'bench.sqlite3'}",
        "SECRET_KEY": secrets.token_urlsafe(40),
        "BENCH_STATIC": str(folder / "static"),
    }


@contextmanager
def _server(environment: dict[str, str]) -> Iterator[int]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    options = ["-k", "gthread", "-w", "2", "--threads", "16", "--keep-alive", "60", "--preload"]
    command = [sys.executable, "-m", "gunicorn", *options, "--log-level", "warning"]
    command += ["--no-control-socket", "-b", f"127.0.0.1:{port}", "scorekeeper.wsgi"]
    server = subprocess.Popen(command, env=environment)
    try:
        for _attempt in range(100):
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                break
            except OSError:
                time.sleep(0.1)
        yield port
    finally:
        server.terminate()
        try:
            server.wait(timeout=10)
        except subprocess.TimeoutExpired:
            server.kill()


def _targets(made: dict[str, Any], port: int) -> Iterator[Target]:
    slug, version = made["slug"], made["version"]
    key = ("Authorization", f"Bearer {made['key']}")
    cookie = ("Cookie", made["cookie"])
    yield Target("bare one-query view", f"/bench/{slug}/", (), 200, 160)
    game = f"/api/games/{slug}/"
    yield Target("API 200, 8×13", game, (key,), 200, 80, 0.3)
    yield Target("API 200, 8×13, made anew each time", game, (key,), 200, 80, fresh=True)
    yield Target("API 304", game, (key, ("If-None-Match", f'"{version}"')), 304, 160, 0.9)
    pages = (
        Target("page 204, nothing new", f"/g/{slug}/live/?v={version}", (cookie,), 204, 160, 0.9),
        Target("HTML board, 8×13", f"/g/{slug}/", (cookie,), 200, 20),
    )
    for target in pages:
        status = _Connection(port, target).call()[0]
        if status == target.status:
            yield target
        else:
            print(f"  {target.name}: left out, {target.path} answers {status} instead of {target.status}")


_fresh = count(1)  # one for all connections: each number is asked once


class _Connection:
    """One kept-alive connection that asks the same thing again and again, with little work of its own."""

    def __init__(self, port: int, target: Target) -> None:
        self.port = port
        lines = [f"GET {target.path} HTTP/1.1", *(f"{name}: {value}" for name, value in target.headers)]
        self.request = "\r\n".join([*lines, "Accept: */*", "Host: 127.0.0.1:"]).encode()
        self.ports = _fresh if target.fresh else repeat(port)
        self.socket: socket.socket | None = None  # gunicorn lets a silent new connection keep a thread busy

    def call(self) -> tuple[int, bytes]:
        if self.socket is None:
            self.socket = socket.create_connection(("127.0.0.1", self.port), timeout=20)
        self.socket.sendall(self.request + b"%d\r\n\r\n" % next(self.ports))
        data = b""
        while (end := data.find(b"\r\n\r\n")) < 0:
            data += self._more(self.socket)
        head = data[:end].lower()
        found = re.search(rb"\r\ncontent-length: (\d+)", head)
        missing = end + 4 + (int(found[1]) if found else 0) - len(data)
        while missing > 0:
            more = self._more(self.socket)
            data += more
            missing -= len(more)
        if b"\r\nconnection: close" in head:
            self.close()
        return int(head[9:12]), data[end + 4 :]

    def close(self) -> None:
        if self.socket is not None:
            self.socket.close()
            self.socket = None

    @staticmethod
    def _more(connection: socket.socket) -> bytes:
        more = connection.recv(65536)
        if not more:
            raise ConnectionError("the server closed the connection")
        return more

    def many(self, tickets: Iterator[int], status: int) -> None:
        """Ask as long as there are tickets: who is answered sooner asks more."""
        for _request in tickets:
            got, _body = self.call()
            if got != status:
                raise SystemExit(f"{self.request.splitlines()[0].decode()}: {got} instead of {status}")


def _measure(targets: list[Target], port: int) -> None:
    connections = {
        target: [_Connection(port, target) for _connection in range(CONNECTIONS)] for target in targets
    }
    rates: dict[Target, list[float]] = {target: [] for target in targets}
    begun, own = time.perf_counter(), time.process_time()
    with ThreadPoolExecutor(CONNECTIONS) as pool:

        def turn(target: Target) -> float:
            for one in connections[target]:
                one.close()
            before, tickets = time.perf_counter(), iter(range(target.requests))
            runs = [pool.submit(one.many, tickets, target.status) for one in connections[target]]
            for run in runs:
                run.result()
            return target.requests / (time.perf_counter() - before)

        for target in targets:
            turn(target)  # warms up
        for _turn in range(TURNS):
            for target in targets:
                rates[target].append(turn(target))
    busy = (time.process_time() - own) / (time.perf_counter() - begun)
    bare = rates[targets[0]]
    print(f"  {targets[0].name}: {statistics.median(bare):.0f} requests/s, the reference")
    for target in targets[1:]:
        ratios = [rate / reference for rate, reference in zip(rates[target], bare, strict=True)]
        aim = "" if target.aim is None else f" (aim: at least {target.aim})"
        print(f"  {target.name}: {statistics.median(ratios):.2f}{aim}")
    print(f"  the client itself was busy {busy:.0%} of the time")


def _first_visit(port: int) -> None:
    """What a phone loads to start its first game; over plain http browsers ask for gzip alone."""
    status, page = _fetch(port, "/new/")
    if status != 200:
        print(f"  first visit: left out, /new/ answers {status}")
        return
    html = gzip.decompress(page).decode()
    styles = re.findall(r'<link[^>]*rel="?stylesheet"?[^>]*href="([^"]+)"', html)
    scripts = re.findall(r'<script[^>]*src="([^"]+)"', html)
    htmx = [url for url in scripts if "htmx" in url]
    own = sum(_size(port, url) for url in scripts if url not in htmx)
    style = sum(_size(port, url) for url in styles)
    total = len(page) + style + own
    print(
        f"  first visit, compressed: {_kib(total)} of {PAGE_BUDGET} KB (document {_kib(len(page))}, "
        f"styles {_kib(style)}, own script {_kib(own)} of {SCRIPT_BUDGET}); "
        f"htmx {_kib(sum(_size(port, url) for url in htmx))} of {HTMX_BUDGET} KB"
    )


def _size(port: int, url: str) -> int:
    return len(_fetch(port, urljoin("/new/", url))[1])


def _fetch(port: int, path: str) -> tuple[int, bytes]:
    return _Connection(port, Target("", path, (("Accept-Encoding", "gzip, deflate"),), 200, 1)).call()


def _kib(size: int) -> str:
    return f"{size / KIB:.1f}"
