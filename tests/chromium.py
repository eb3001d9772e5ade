"""Find the browser of the browser tests; `python -m tests.chromium` installs it where it is missing."""

import ctypes.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


# Debian's browser without windows: the same engine for a third of the work.
SHELL = "chromium-headless-shell"
WHOLE = ("/usr/bin/chromium", "chromium", "chromium-browser", "google-chrome")


def find(*, whole: bool = False) -> str | None:
    """The browser that `CHROMIUM` names, else the first there is; the shell comes last if `whole`."""
    given = os.environ.get("CHROMIUM")
    for name in (given, *WHOLE, SHELL) if whole else (given, SHELL, *WHOLE):
        found = shutil.which(name) if name else None
        if found:
            return found
    from playwright.sync_api import sync_playwright

    try:
        with sync_playwright() as playwright:
            own = playwright.chromium.executable_path
    except Exception:  # noqa: BLE001 - its driver does not run here
        return None
    return own if Path(own).exists() else None


def driver_lacks_library() -> bool:
    """Tell whether Playwright's own Node cannot start, as on a bare Debian."""
    return sys.platform == "linux" and ctypes.util.find_library("atomic") is None


def install() -> None:
    packages = ["fonts-dejavu-core", "fonts-noto-color-emoji", "libatomic1"]
    if shutil.which("apt-get") and os.geteuid() == 0:
        print("Installing Chromium and what it needs.", flush=True)
        install = ["apt-get", "install", "-y", "-qq", "--no-install-recommends"]
        commands = [["apt-get", "update", "-qq"], [*install, *packages]]
        commands += [] if find() else [[*install, SHELL]]
    else:
        commands = [[sys.executable, "-m", "playwright", "install", "chromium"]]
    for command in commands:
        environ = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
        subprocess.run(command, env=environ, check=False, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    if driver_lacks_library() or not find():
        install()
    if not find():
        print("No Chromium can be had here: the browser tests will be skipped.")
