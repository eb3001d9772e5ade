"""`manage.py check_record`: a line a file or a list, what it ends with, and no more memory for more files."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import tracemalloc
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games.engine.record import MOST_CHARACTERS
from games.management.commands.check_record import checked
from tests.api.test_record_check import SMALL
from tests.engine.test_record import KNOWN
from tests.engine.test_record_cases import POSITIONS, READABLE, RECORDS

ROOT = Path(__file__).parent.parent
UNFINISHED = SMALL + "1. A 6-3>M\n"
ILLEGAL = SMALL + "1. A 6-3>M\n2. B 6-4>A\n"
IMPOSSIBLE = SMALL + "1. A 6-3\n2. B + -\n3. A 3-1>A\n4. B 6-2>M\n"
UNREADABLE = SMALL + "1. A 12-3>\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in {
        "legal": KNOWN,
        "unfinished": UNFINISHED,
        "illegal": ILLEGAL,
        "impossible": IMPOSSIBLE,
        "unreadable": UNREADABLE,
    }.items():
        (tmp_path / f"{name}.train").write_text(text, encoding="utf-8")
    return tmp_path


def run(*files: Path | str, **options: Any) -> tuple[int, str]:
    """What the command ends with, and what it printed."""
    out = io.StringIO()
    try:
        call_command("check_record", *map(str, files), stdout=out, **options)
    except SystemExit as end:
        return int(str(end.code)), out.getvalue()
    return 0, out.getvalue()


def test_a_good_file_is_a_word(folder: Path) -> None:
    assert run(folder / "legal.train") == (0, "legal\n")
    assert run(folder / "unfinished.train") == (0, "unfinished\n")


def test_what_is_wrong_is_on_the_same_line(folder: Path) -> None:
    assert run(folder / "illegal.train") == (
        1,
        (
            "illegal: Turn 2, line 7: Ben cannot lay 6-4 on Ann’s train. It is closed: no marker is on it. "
            "Rule G10 (GameRules).\n"
        ),
    )
    code, said = run(folder / "impossible.train")
    assert (code, said.count("\n")) == (1, 1)
    assert said.startswith(
        "impossible: Turn 4, line 9: No deal of the tiles explains this together: Ben passed"
    )
    code, said = run(folder / "unreadable.train")
    assert (code, said[:52]) == (2, "unreadable: Line 6, column 6: “12-3>” is no action. ")


def test_of_several_files_each_has_its_line_and_what_is_wrong_its_name(folder: Path) -> None:
    names = ("legal", "illegal", "unreadable", "unfinished", "impossible")
    code, said = run(*(folder / f"{name}.train" for name in names))

    lines = said.splitlines()
    assert code == 2
    assert (lines[0], lines[3]) == ("legal", "unfinished")
    for at in (1, 2, 4):
        assert lines[at].startswith(f"{names[at]}: {folder / names[at]}.train: ")
    assert len(lines) == 5


@pytest.mark.parametrize(
    ("names", "code"),
    [
        (("legal", "unfinished"), 0),
        (("legal", "illegal"), 1),
        (("impossible", "legal"), 1),
        (("unreadable", "illegal"), 2),
        (("missing", "legal"), 2),
    ],
)
def test_the_worst_file_decides_what_it_ends_with(folder: Path, names: Sequence[str], code: int) -> None:
    files = [folder / f"{name}.train" for name in names]
    assert run(*files)[0] == run(*files, json=True)[0] == code


def test_as_json_it_is_a_list(folder: Path) -> None:
    files = [folder / f"{name}.train" for name in ("legal", "illegal", "unreadable", "missing")]
    code, said = run(*files, json=True)
    legal, illegal, unreadable, missing = json.loads(said)

    assert code == 2
    assert legal == {"file": str(files[0]), "verdict": "legal", "violation": None}
    assert illegal["verdict"] == "illegal"
    assert {name: illegal["violation"][name] for name in ("code", "rule", "turn", "action", "line")} == {
        "code": "train_closed",
        "rule": "G10",
        "turn": 2,
        "action": 1,
        "line": 7,
    }
    assert (unreadable["verdict"], unreadable["violation"]["code"]) == (None, "syntax")
    assert unreadable["violation"]["line"] == 6
    assert (missing["verdict"], missing["violation"]["code"]) == (None, "file")
    assert "No such file" in missing["violation"]["message"]
    assert json.loads(run(files[0], json=True)[1]) == [legal]


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b"players: A, B\n1. A \xff", "unreadable: Line 2: this is not UTF-8."),
        (KNOWN.encode("utf-16"), "unreadable: Line 1: this is not UTF-8."),
        (b"", "unreadable: Line 1, column 1: The line “players:” is missing."),
        ("é".encode() * (MOST_CHARACTERS + 1), "unreadable: Line 1, column 1: A record has at most 200,000"),
        (b"x" * (5 * MOST_CHARACTERS), "unreadable: Line 1, column 1: A record has at most 200,000"),
        (b"\xef\xbb\xbf" + KNOWN.replace("\n", "\r\n").encode(), "legal"),
        (SMALL.encode() + b"1. A \x1b[2J", "unreadable: Line 6, column 6: “\N{REPLACEMENT CHARACTER}[2J”"),
    ],
)
def test_any_bytes_get_their_line(tmp_path: Path, raw: bytes, words: str) -> None:
    file = tmp_path / "any.train"
    file.write_bytes(raw)
    code, said = run(file)

    assert said.startswith(words)
    assert said.count("\n") == 1
    assert code == (0 if words == "legal" else 2)


def test_a_folder_cannot_be_read(tmp_path: Path) -> None:
    assert run(tmp_path) == (2, "unreadable: Is a directory\n")


def test_without_a_file_it_says_how_it_is_called() -> None:
    with pytest.raises(CommandError, match="FILE"):
        call_command("check_record")


@pytest.mark.parametrize(("text", "code"), [(KNOWN, 0), (ILLEGAL, 1), (UNREADABLE, 2)])
def test_from_a_shell_with_the_standard_input(text: str, code: int) -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "check_record", "-", "--json"],
        cwd=ROOT,
        input=text.encode(),
        capture_output=True,
        check=False,
    )
    (answer,) = json.loads(done.stdout)
    assert (done.returncode, done.stderr, answer["file"]) == (code, b"", "-")


def test_every_case_gets_its_verdict_code_and_place(tmp_path: Path) -> None:
    cases = {tmp_path / f"{case['id']}.train": case for case in RECORDS}
    cases |= {tmp_path / f"{case['name']}.train": case for case in POSITIONS}
    for file, case in cases.items():
        file.write_text(case["record"], encoding="utf-8")

    wrong = []
    for (file, case), one in zip(cases.items(), checked([*map(str, cases)]), strict=True):
        violation = one.violation or {}
        expected = {name: case[name] for name in ("code", "turn", "action") if name in case}
        found = {name: violation.get(name) for name in expected}
        if case["code"] is None:
            expected = dict.fromkeys(expected)
        if (one.verdict, found) != (case["verdict"], expected):
            wrong.append((file.name, one))
    assert wrong == []


def test_more_files_take_no_more_memory(tmp_path: Path) -> None:
    """300 files in a row need hardly more than 30 of them: no record and no answer is kept."""
    files = []
    for number in range(300):
        file = tmp_path / f"{number}.train"
        file.write_text(READABLE[number % 30]["record"], encoding="utf-8")
        files.append(str(file))

    class Sink(io.StringIO):
        def write(self, text: str) -> int:
            return len(text)

    def peak(some: Sequence[str]) -> int:
        tracemalloc.reset_peak()
        before = tracemalloc.get_traced_memory()[0]
        with pytest.raises(SystemExit):
            call_command("check_record", *some, json=True, stdout=Sink())
        return tracemalloc.get_traced_memory()[1] - before

    tracemalloc.start()
    try:
        peak(files[:30])  # caches fill
        few, many = peak(files[:30]), peak(files)
    finally:
        tracemalloc.stop()
    # The arguments are some 40 kB; an answer is 1 kB, a record with its replay 50.
    assert many < few + 120_000
