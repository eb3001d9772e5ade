"""The house keeps its promises: locked requirements, no other host, commands that exist."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TOP = {
    *(".ci", "games", "requirements", "scorekeeper", "templates", "tests"),
    *(".editorconfig", ".gitignore", "CONTRIBUTING.md", "LICENSE", "Makefile", "README.md"),
    *("manage.py", "pyproject.toml"),
}
MADE = re.compile(r"^\.git$|^staticfiles$|cache|^\.(venv|hypothesis|schemathesis)$|^htmlcov$")
TEXT = {".css", ".html", ".in", ".js", ".json", ".md", ".po", ".py", ".svg", ".toml", ".txt", ""}
ADDRESS = re.compile(r"\b(?:https?|wss?)://([\w.\[\]:-]*[\w\]])")
PINNED = re.compile(r"[\w.-]+==[\w.]+.*--hash=sha256:", re.DOTALL)
HOSTS = re.compile(
    r"""(?x)
    127\.0\.0\.1 | localhost | 0\.0\.0\.0 | \[::1\]     # this machine
    | (10|192\.168)\.[\d.]+                              # a table's network
    | ([\w-]+\.)*(example(\.(org|com))?|test)              # nobody's
    | (www\.w3 | schemas\.openxmlformats)\.org            # names of XML vocabularies
    | testserver
    """
)


def files() -> Iterator[Path]:
    for folder, names, found in os.walk(ROOT):
        names[:] = [name for name in names if not MADE.search(name)]
        yield from (Path(folder, name) for name in found)


def test_the_top_level_holds_nothing_unexpected() -> None:
    ignored = re.compile(r"sqlite3|^\.secret-key|^\.?coverage|^\.env$|^test-results$")
    found = {path.name for path in ROOT.iterdir()}
    assert {name for name in found if not MADE.search(name) and not ignored.search(name)} == TOP


def test_every_address_is_this_site_or_an_example() -> None:
    foreign = [
        f"{path.relative_to(ROOT)}: {host}"
        for path in files()
        if path.suffix in TEXT and path != Path(__file__)
        for host in ADDRESS.findall(path.read_text(encoding="utf-8", errors="ignore"))
        if not HOSTS.fullmatch(re.sub(r":\d+$", "", host))
    ]
    assert foreign == []


@pytest.mark.parametrize("name", ["install", "base", "test", "bench"])
def test_requirements_are_pinned_and_hashed(name: str) -> None:
    text = (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")
    entries = [entry for entry in re.split(r"\n(?=\S)", text.strip()) if entry]
    assert entries
    assert [entry for entry in entries if not PINNED.match(entry)] == []
    assert "://" not in text


def test_what_is_served_is_what_is_tested() -> None:
    def pins(name: str) -> set[str]:
        text = (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")
        return set(re.findall(r"^[\w.-]+==[\w.]+", text, re.MULTILINE))

    assert pins("base") - pins("test") == set()


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md"])
def test_every_command_that_is_told_exists(name: str) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    text = (ROOT / name).read_text(encoding="utf-8")
    told = set(re.findall(r"(?:`|^)make ([a-z-]+)", text, re.MULTILINE))
    assert {"run", "test"} <= told
    assert told - targets == set()


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "games/README.md"])
def test_every_linked_file_exists(name: str) -> None:
    path = ROOT / name
    links = re.findall(r"\]\(([^)#:]+)\)", path.read_text(encoding="utf-8"))
    assert [link for link in links if not (path.parent / link).exists()] == []


def test_ci_calls_make_test() -> None:
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    assert "make test" in script.read_text(encoding="utf-8")
