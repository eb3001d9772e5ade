"""`make run`: what is served, to whom, and that it goes without leaving anything behind."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from scorekeeper import serve

ROOT = Path(__file__).parent.parent


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class TestPort:
    @pytest.mark.parametrize("value", ["", "0", "65536", "80a", "-1"])
    def test_a_wrong_port_is_named(self, value: str) -> None:
        with pytest.raises(SystemExit, match=f"PORT='{value}' is not allowed"):
            serve.port_number({"PORT": value})

    def test_the_port_is_8000_unless_said(self) -> None:
        assert serve.port_number({}) == 8000
        assert serve.port_number({"PORT": "8123"}) == 8123

    def test_a_taken_port_is_told_in_one_line(self) -> None:
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = taken.getsockname()[1]
            with pytest.raises(SystemExit, match=f"Port {port} is taken; choose another"):
                serve.check_port(port)


class TestBanner:
    def test_it_shows_both_addresses_and_the_code(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(serve, "lan_addresses", lambda: ["10.1.2.3", "10.9.9.9"])
        text = serve.banner(8123)
        assert "http://127.0.0.1:8123" in text
        assert "http://10.1.2.3:8123" in text
        assert "█" in text

    def test_without_a_network_it_says_so(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(serve, "lan_addresses", list)
        text = serve.banner(8000)
        assert "No network" in text
        assert "█" not in text

    def test_the_code_holds_the_address_and_its_own_colours_on_a_terminal(self) -> None:
        plain = serve.qr_code("http://10.1.2.3:8000", coloured=False)
        coloured = serve.qr_code("http://10.1.2.3:8000", coloured=True)
        assert "\x1b" not in plain
        assert coloured.replace("\x1b[97;40m", "").replace("\x1b[0m", "") == plain


def test_no_loopback_address_is_given_to_phones() -> None:
    addresses = serve.lan_addresses()
    assert len(addresses) == len(set(addresses))
    assert not [address for address in addresses if address.startswith("127.")]


def test_the_zone_is_the_machines(tmp_path: Path) -> None:
    link = tmp_path / "localtime"
    assert serve.local_zone(link) == "UTC"
    link.symlink_to("/usr/share/zoneinfo/Europe/Vienna")
    assert serve.local_zone(link) == "Europe/Vienna"


def test_a_database_that_cannot_be_reached_is_told_in_one_line(tmp_path: Path) -> None:
    result = subprocess.run(
        [sys.executable, "-m", "scorekeeper.serve"],
        cwd=ROOT,
        env=os.environ
        | {
            "PORT": str(free_port()),
            "DATABASE_URL": f"postgresql://ann@/scores?host={tmp_path}",
            "SECRET_KEY": "k" * 50,
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 1
    assert result.stderr.startswith("The database of DATABASE_URL cannot be used: ")
    assert result.stderr.count("\n") == 1


class Site:
    def __init__(self, process: subprocess.Popen[str], port: int, folder: Path) -> None:
        self.process, self.port, self.folder = process, port, folder

    def status(self, host: str) -> int:
        url = f"http://{host}:{self.port}/no-such-page/"
        try:
            with urllib.request.urlopen(url, timeout=10) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as error:
            with error:
                return error.code

    def children(self) -> list[int]:
        return [
            int(path.name)
            for path in Path("/proc").iterdir()
            if path.name.isdigit() and self._parent(path) == self.process.pid
        ]

    @staticmethod
    def _parent(path: Path) -> int:
        try:
            return int((path / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            return 0


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    port = free_port()
    dropped = ("DATABASE_URL", "ALLOWED_HOSTS", "DEBUG", "COV_CORE_DATAFILE")
    environ = {name: value for name, value in os.environ.items() if name not in dropped} | {
        "PORT": str(port),
        "DATABASE_URL": f"sqlite:///{tmp_path / 'db.sqlite3'}",
        "STATIC_ROOT": str(tmp_path / "static"),
        "SECRET_KEY": "k" * 50,
    }
    with subprocess.Popen(
        [sys.executable, "-m", "scorekeeper.serve"],
        cwd=ROOT,
        env=environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        assert process.stdout
        first = process.stdout.readline()
        try:
            assert first.startswith("Scorekeeper is running"), first + process.stdout.read()
            yield Site(process, port, tmp_path)
        finally:
            if process.poll() is None:
                process.kill()


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc to see processes")
def test_the_site_is_served_to_the_table_and_stops_on_ctrl_c(site: Site) -> None:
    assert site.status("127.0.0.1") == 404
    for address in serve.lan_addresses():
        assert site.status(address) == 404
    assert site.status("127.0.0.2") == 400, "only the hosts that it printed are allowed"
    assert list(site.folder.joinpath("static").rglob("*.css.br")), "static files are compressed"

    children = site.children()
    assert len(children) == 2
    for pid in [site.process.pid, *children]:  # as a terminal does
        os.kill(pid, signal.SIGINT)
    assert site.process.wait(timeout=20) == 0
    deadline = time.monotonic() + 5
    while any(Path(f"/proc/{pid}").exists() for pid in children):
        assert time.monotonic() < deadline, "a worker stayed"
        time.sleep(0.05)
