"""Takes the README's screenshot: the board of a half played game on a phone, from the data of `demo`."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.request import urlopen

from playwright.sync_api import sync_playwright

from tests.chromium import ARGUMENTS, find

ROOT = Path(__file__).parent.parent
PICTURE = ROOT / "games" / "static" / "games" / "readme-phone.png"


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "DATABASE_URL": f"sqlite:///{folder}/shot.sqlite3", "DEBUG": "true"}
        manage = [sys.executable, "manage.py"]
        subprocess.run([*manage, "migrate", "-v0"], env=environment, cwd=ROOT, check=True)
        told = subprocess.check_output([*manage, "demo"], env=environment, cwd=ROOT, text=True)
        link = told.splitlines()[0].rsplit(": ", 1)[1]
        port = free_port()
        server = subprocess.Popen([*manage, "runserver", "--noreload", str(port)], env=environment, cwd=ROOT)
        try:
            take(f"http://127.0.0.1:{port}", link)
        finally:
            server.terminate()
            server.wait(10)
    print(f"{PICTURE.relative_to(ROOT)}: {PICTURE.stat().st_size // 1024} KB")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def take(site: str, link: str) -> None:
    for _ in range(100):
        try:
            urlopen(site).close()
            break
        except OSError:
            time.sleep(0.1)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find(), args=ARGUMENTS)
        page = browser.new_page(viewport={"width": 360, "height": 740}, device_scale_factor=2, has_touch=True)
        page.goto(f"{site}{link}")
        page.screenshot(path=PICTURE)
        browser.close()


if __name__ == "__main__":
    main()
