"""What watching costs: a thousand phones that ask for news, against the same thousand asking a bare view.

Starts gunicorn as `make run` does, on two cores if the machine has more, with one game of eight players and
thirteen rounds. Every phone keeps its connection and asks every three seconds; the price of an answer is the
processor time that the server spent, so that it counts what the hall costs and not how idle it leaves the
machine. Then the same phones ask as often as the site's own pages do, while scores are corrected.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import resource
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil  # type: ignore[import-untyped]

from tests.bench.http import _environment

PHONES = 1000
EVERY, OWN_EVERY = 3.0, 2.0  # seconds; the second is static/games/watch.js's
MEASURED = 9.0  # seconds of each part, after one round in which the phones come
CHANGES = 4
PATIENCE = 20.0
CORES = 2


@dataclass
class Hall:
    """What the phones of one part saw."""

    answers: int = 0
    errors: list[str] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)
    seen: dict[int, list[float]] = field(default_factory=dict)  # by version: when each phone had it
    late: list[float] = field(default_factory=list)  # seconds from each change to each phone
    counting: bool = False


def main() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 8192)), hard))
    with tempfile.TemporaryDirectory(prefix="scorekeeper-bench-") as folder:
        environment = _environment(Path(folder))
        Path(folder, "static").mkdir()
        command = [sys.executable, "-c", "from tests.bench.watch import prepare; prepare()"]
        made = json.loads(subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE).stdout)
        with _server(environment) as (server, port):
            asyncio.run(_measure(made, server, port))


def prepare() -> None:
    """In a process of its own: the database and the game; its facts as JSON."""
    import django

    django.setup()
    from django.core.management import call_command
    from django.test import Client

    from games.models import Role
    from games.selectors import links_of
    from tests.bench._game import large_game

    call_command("migrate", interactive=False, verbosity=0)
    started = large_game()
    game = started.sheet.game
    phone = Client(SERVER_NAME="127.0.0.1")
    phone.get(f"/w/{links_of(game)[Role.VIEWER].key}/")
    cookie = f"games={phone.cookies['games'].value}"
    facts = {"slug": game.slug, "version": game.version, "key": started.scorer_key, "cookie": cookie}
    print(json.dumps(facts))


@contextmanager
def _server(environment: dict[str, str]) -> Iterator[tuple[psutil.Process, int]]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    command = [sys.executable, "-m", "gunicorn", "-c", "python:scorekeeper.gunicorn_conf"]
    command += ["-b", f"127.0.0.1:{port}", "scorekeeper.wsgi"]
    server = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
    if hasattr(os, "sched_setaffinity"):
        cores = sorted(os.sched_getaffinity(0))[:CORES]
        os.sched_setaffinity(server.pid, cores)  # before it makes its workers
    try:
        for _attempt in range(150):
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                break
            except OSError:
                time.sleep(0.1)
        yield psutil.Process(server.pid), port
    finally:
        server.terminate()
        try:
            server.wait(timeout=10)
        except subprocess.TimeoutExpired:
            server.kill()


async def _measure(made: dict[str, Any], server: psutil.Process, port: int) -> None:
    slug, cookie = made["slug"], f"Cookie: {made['cookie']}\r\n"
    news = f"/g/{slug}/live/?v={made['version']}"
    bare, bare_price, _bare_share = await _part(server, port, f"/bench/{slug}/", "", 200)
    watched, price, share = await _part(server, port, news, cookie, 204)
    for name, hall in (("bare view", bare), ("watching", watched)):
        print(
            f"  {PHONES:,} phones every {EVERY:g} s, {name}: {hall.answers / MEASURED:.0f} answers/s, "
            f"errors {len(hall.errors)}, waiting {_ms(hall.waits, 50)} (95 of 100: {_ms(hall.waits, 95)})"
        )
    print(f"  an answer's price, bare view = 1: {price / bare_price:.2f}; {share:.0%} of {CORES} cores busy")
    changed, shares = await _changes(made, server, port, news, cookie)
    print(
        f"  {PHONES:,} phones every {OWN_EVERY:g} s while {CHANGES} scores are corrected: "
        f"errors {len(changed.errors)}, {shares:.0%} of {CORES} cores busy"
    )
    late = changed.late
    print(
        f"  a change is on {len(late) / CHANGES:.0f} phones: "
        f"half after {_seconds(late, 50)}, 95 of 100 after {_seconds(late, 95)}, all after {max(late):.1f} s"
    )
    errors = [*bare.errors, *watched.errors, *changed.errors]
    if errors or len(late) != PHONES * CHANGES:
        raise SystemExit(f"  errors: {len(errors)}, as {sorted(set(errors))[:5]}")


async def _part(
    server: psutil.Process, port: int, path: str, headers: str, status: int
) -> tuple[Hall, float, float]:
    """The phones, the processor seconds of one answer, and the share of the cores that was busy."""
    hall = Hall()
    tasks = [asyncio.create_task(_phone(hall, port, path, headers, status, at)) for at in _arrivals(EVERY)]
    await asyncio.sleep(EVERY + 0.5)
    hall.counting, before = True, _spent(server)
    await asyncio.sleep(MEASURED)
    hall.counting, spent = False, _spent(server) - before
    await _gone(tasks)
    return hall, spent / hall.answers, spent / MEASURED / CORES


async def _changes(
    made: dict[str, Any], server: psutil.Process, port: int, news: str, cookie: str
) -> tuple[Hall, float]:
    hall = Hall()
    tasks = [
        asyncio.create_task(_phone(hall, port, news, cookie, 204, at, every=OWN_EVERY))
        for at in _arrivals(OWN_EVERY)
    ]
    await asyncio.sleep(OWN_EVERY + 0.5)
    begun, before = time.perf_counter(), _spent(server)
    answered: dict[int, float] = {}
    for change in range(CHANGES):
        version, at = await _correct(made, port, change)
        answered[version] = at
        await asyncio.sleep(2 * OWN_EVERY)
    spent = (_spent(server) - before) / (time.perf_counter() - begun) / CORES
    await _gone(tasks)
    hall.late = [max(0.0, seen - answered[version]) for version in answered for seen in hall.seen[version]]
    return hall, spent


def _arrivals(every: float) -> list[float]:
    return [every * number / PHONES for number in range(PHONES)]


async def _gone(tasks: list[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def _phone(
    hall: Hall, port: int, path: str, headers: str, status: int, wait: float, every: float = EVERY
) -> None:
    """Asks, and after news asks with the version that came; a page that is 204 now and then has news."""
    await asyncio.sleep(wait)
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    due = time.perf_counter()
    while True:
        begun = time.perf_counter()
        try:
            async with asyncio.timeout(PATIENCE):
                got, body = await _ask(reader, writer, path, headers)
        except (OSError, EOFError, TimeoutError) as error:
            hall.errors.append(type(error).__name__)
            writer.close()
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            continue
        now = time.perf_counter()
        if got == 200 and status == 204:
            found = re.search(rb"/live/\?v=(\d+)", body)
            if found is None or b'id="c13-8"' not in body:
                hall.errors.append("no board")
            else:
                path = re.sub(r"v=\d+", f"v={int(found[1])}", path)
                hall.seen.setdefault(int(found[1]), []).append(now)
        elif got != status:
            hall.errors.append(str(got))
        if hall.counting:
            hall.answers += 1
            hall.waits.append(now - begun)
        due += every
        await asyncio.sleep(max(0.0, due - time.perf_counter()))


async def _ask(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, path: str, headers: str
) -> tuple[int, bytes]:
    writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nHX-Request: true\r\n{headers}\r\n".encode())
    return await _answer(reader)


async def _answer(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    head = await reader.readuntil(b"\r\n\r\n")
    found = re.search(rb"\r\ncontent-length: (\d+)", head.lower())
    return int(head[9:12]), await reader.readexactly(int(found[1]) if found else 0)


async def _correct(made: dict[str, Any], port: int, change: int) -> tuple[int, float]:
    """Correct a score of the last round through the API: the new version, and when it was answered."""
    points = [(7 * seat + 5 * 12) % 61 + 3 for seat in range(8)]
    points[12 % 8] = 0
    points[7] += change + 1
    hands = [{"seat": seat, "points": value} for seat, value in enumerate(points, start=1)]
    body = json.dumps({"ended": "out", "hands": hands}).encode()
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    lines = (
        f"PUT /api/games/{made['slug']}/rounds/13/ HTTP/1.1",
        "Host: 127.0.0.1",
        f"Authorization: Bearer {made['key']}",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
        "Connection: close",
    )
    writer.write("\r\n".join((*lines, "", "")).encode() + body)
    status, answer = await _answer(reader)
    writer.close()
    if status != 200:
        raise SystemExit(f"  the correction was answered by {status}: {answer.decode()[:300]}")
    return int(json.loads(answer)["version"]), time.perf_counter()


def _spent(server: psutil.Process) -> float:
    """Processor seconds of the server and its workers so far."""
    times = [process.cpu_times() for process in (server, *server.children())]
    return float(sum(each.user + each.system for each in times))


def _at(values: list[float], hundredth: int) -> float:
    return statistics.quantiles(values, n=100)[hundredth - 1]


def _ms(values: list[float], hundredth: int) -> str:
    return f"{_at(values, hundredth) * 1000:.0f} ms"


def _seconds(values: list[float], hundredth: int) -> str:
    return f"{_at(values, hundredth):.1f} s"
