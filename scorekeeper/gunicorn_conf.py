"""How gunicorn serves the site: `gunicorn -c python:scorekeeper.gunicorn_conf scorekeeper.wsgi`."""

import os
import signal
from types import FrameType
from typing import Any

from scorekeeper.serve import banner, port_number

bind = f"0.0.0.0:{port_number(os.environ)}"
worker_class = "gthread"
workers = int(os.environ.get("WEB_CONCURRENCY", "2"))
threads = 16  # browsers open connections ahead, and each holds a thread until it speaks
preload_app = True
keepalive = 5
timeout = 60
graceful_timeout = 10
loglevel = "warning"
control_socket_disable = True


def when_ready(server: Any) -> None:
    """Say where the site is; let the first Ctrl-C finish what runs, the second stop at once."""
    at_once = signal.getsignal(signal.SIGINT)

    def gently(signum: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, at_once)
        server.signal(signal.SIGTERM, frame)

    signal.signal(signal.SIGINT, gently)
    print(banner(port_number(os.environ)), flush=True)


def post_worker_init(worker: Any) -> None:
    # The terminal sends Ctrl-C to the workers too; they wait for the master's word.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
