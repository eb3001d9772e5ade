"""The site as it is served: gunicorn with the project's own settings, in processes that can be killed."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
# What pytest and coverage leave in the environment would be measured, or asked for, in each process.
DROPPED = ("ALLOWED_HOSTS", "DEBUG", "COV_CORE_DATAFILE", "COVERAGE_PROCESS_START", "COVERAGE_PROCESS_CONFIG")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Site:
    """One database and its server; `start` and `kill` as often as wanted."""

    def __init__(self, database_url: str) -> None:
        self.port = free_port()
        self.process: subprocess.Popen[bytes] | None = None
        self.environ = {name: value for name, value in os.environ.items() if name not in DROPPED} | {
            "PORT": str(self.port),
            "DATABASE_URL": database_url,
            "SECRET_KEY": "k" * 50,
            "GAMES_PER_MINUTE": "1000000",
            "CHECK_SECONDS_PER_MINUTE": "1000000",
            "RECORDS_PER_MINUTE": "1000000",
            "LOG_LEVEL": "CRITICAL",
        }

    def migrate(self) -> None:
        command = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
        subprocess.run(command, cwd=ROOT, env=self.environ, check=True)

    def start(self) -> None:
        """Start master and workers in a process group of their own, and wait until they answer."""
        self.process = subprocess.Popen(
            [sys.executable, "-m", "gunicorn", "-c", "python:scorekeeper.gunicorn_conf", "scorekeeper.wsgi"],
            cwd=ROOT,
            env=self.environ,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        for _try in range(600):
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=5).close()
            except OSError:
                assert self.process.poll() is None, "the server did not start"
                time.sleep(0.05)
            else:
                return
        raise AssertionError("the server never answered")

    def kill(self) -> None:
        """End all of it at once, as a power cut would."""
        if self.process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.process = None

    def call(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        """The answer's status and JSON; OSError or HTTPException where there was none, or half of one."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        try:
            data = None if body is None else json.dumps(body)
            connection.request(method, path, data, {"Content-Type": "application/json", **named})
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())
        finally:
            connection.close()

    def drop(self, method: str, path: str, body: Any, stay: Callable[[], object], **headers: str) -> None:
        """Send a call, `stay` on the line, and hang up without reading the answer."""
        data = json.dumps(body).encode()
        lines = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{self.port}", "Connection: close"]
        lines += ["Content-Type: application/json", f"Content-Length: {len(data)}"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        with socket.create_connection(("127.0.0.1", self.port), timeout=30) as line:
            line.sendall("\r\n".join([*lines, "", ""]).encode() + data)
            stay()
