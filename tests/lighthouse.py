"""`make lighthouse`: what Lighthouse gives the pages of an evening on a phone, and which audits lost points.

Serves the games of `demo` as `make run` does, with a database and static files of its own. Ends with 1
where a category is under 95. Performance is the median of three runs, since the machine's other work counts
in it; the others are the least of the three.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urljoin

from playwright.sync_api import sync_playwright

from tests import chromium

ROOT = Path(__file__).parent.parent
VERSION = "12.8.2"  # 13 wants Node 22
LEAST = 95
RUNS = 3
CATEGORIES = ("performance", "accessibility", "best-practices")
Report = dict[str, Any]


class Result(NamedTuple):
    """One page's points by category, 0 to 100, and what lost some of them."""

    page: str
    points: dict[str, int]
    lost: list[str]


def main() -> int:
    browser = chromium.find(whole=True)
    if not shutil.which("npm"):
        print("Lighthouse needs Node 18.20 or newer with npm: install the packages nodejs and npm.")
        return 1
    if browser is None:
        print("Lighthouse needs Chromium: `make browser` installs it.")
        return 1
    with tempfile.TemporaryDirectory(prefix="scorekeeper-lighthouse-") as folder, site(Path(folder)) as links:
        results = []
        for page, address in pages(links, browser, Path(folder)):
            results.append(result(page, [look(address, browser, Path(folder)) for _ in range(RUNS)]))
            print(line(results[-1]), flush=True)
    return 0 if all(enough(one) for one in results) else 1


def pages(links: list[str], browser: str, folder: Path) -> Iterator[tuple[str, str]]:
    """Name and address, once the phone knows the games: the first is half played, the second over."""
    with sync_playwright() as playwright:
        phone = playwright.chromium.launch_persistent_context(
            folder / "phone", executable_path=browser, args=chromium.ARGUMENTS
        )
        page = phone.new_page()
        boards = []
        for link in links[:2]:
            page.goto(link)
            boards.append(page.url)
        phone.close()
    half, over = boards
    yield "new game", urljoin(half, "/new/")
    yield "board", half
    yield "entry", f"{half}rounds/7/hands/?out=3"
    yield "end", f"{over}end/"


@contextmanager
def site(folder: Path) -> Iterator[list[str]]:
    """Serve the demonstration's games; yield their scorers' links."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    environment = os.environ | {
        "DATABASE_URL": f"sqlite:///{folder / 'games.sqlite3'}",
        "SECRET_KEY": secrets.token_urlsafe(40),
        "STATIC_ROOT": str(folder / "static"),
        "PORT": str(port),
    }
    environment.pop("DEBUG", None)
    manage = [sys.executable, "manage.py"]
    subprocess.run([*manage, "migrate", "-v0"], env=environment, cwd=ROOT, check=True)
    demo = [*manage, "demo", "--site", f"http://127.0.0.1:{port}"]
    told = subprocess.check_output(demo, env=environment, cwd=ROOT, text=True)
    serve = [sys.executable, "-m", "scorekeeper.serve"]
    server = subprocess.Popen(serve, env=environment, cwd=ROOT, stdout=subprocess.DEVNULL)
    try:
        while server.poll() is None:  # collecting the static files takes its time
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                break
            except OSError:
                time.sleep(0.1)
        yield [said.rsplit(": ", 1)[1] for said in told.splitlines()]
    finally:
        server.terminate()
        server.wait(20)


def look(address: str, browser: str, folder: Path) -> Report:
    """One run, as a middling phone on a slow network (Lighthouse's own setting), with the phone's cookies."""
    report = folder / "report.json"
    flags = ["--headless=new", f"--user-data-dir={folder / 'phone'}", *chromium.ARGUMENTS]
    command = ["npm", "exec", "--yes", f"--package=lighthouse@{VERSION}", "--", "lighthouse", address]
    command += ["--quiet", "--no-enable-error-reporting", "--output=json", f"--output-path={report}"]
    command += [f"--only-categories={','.join(CATEGORIES)}", f"--chrome-flags={' '.join(flags)}"]
    environment = os.environ | {"CHROME_PATH": browser, "NO_UPDATE_NOTIFIER": "1"}
    subprocess.run(command, env=environment, cwd=folder, check=True)
    found: Report = json.loads(report.read_text(encoding="utf-8"))
    return found


def result(page: str, reports: list[Report]) -> Result:
    """The page's points over its runs, and the audits of the middle one that lost some."""

    def points(report: Report, category: str) -> int:
        return round(100 * (report["categories"][category]["score"] or 0))

    middle = sorted(reports, key=lambda report: points(report, "performance"))[len(reports) // 2]
    least = {category: min(points(report, category) for report in reports) for category in CATEGORIES}
    median = round(statistics.median(points(report, "performance") for report in reports))
    return Result(page, least | {"performance": median}, list(lost(middle)))


def lost(report: Report) -> Iterator[str]:
    """What lost points, by category: "performance: first-contentful-paint 1.2 s"."""
    for category in CATEGORIES:
        for reference in report["categories"][category]["auditRefs"]:
            audit = report["audits"][reference["id"]]
            if reference["weight"] and audit["score"] is not None and audit["score"] < 1:
                yield f"{category}: {audit['id']} {audit.get('displayValue', '')}".rstrip()


def enough(one: Result) -> bool:
    return all(points >= LEAST for points in one.points.values())


def line(one: Result) -> str:
    told = " · ".join(f"{category} {one.points[category]:3}" for category in CATEGORIES)
    under = "" if enough(one) else f"  (under {LEAST})"
    return "\n".join([f"{one.page:9} {told}{under}", *(f"          {audit}" for audit in one.lost)])


if __name__ == "__main__":
    sys.exit(main())
