"""`manage.py check_record`: replays train records, a line a file; what is wrong comes with place and rule.

Ends with 0 if all are legal or unfinished, 1 if one is not, 2 if one cannot be read. One file is held at a
time, however many there are. No database is asked.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from django.core.management.base import BaseCommand, CommandParser

from games.engine.reading import parse_record
from games.engine.record import MOST_CHARACTERS, RecordError
from games.engine.replay import replay
from games.record_names import shown
from games.record_words import sentence, unread

STANDARD_INPUT = "-"
GOOD = ("legal", "unfinished")
_MOST_BYTES = 4 * MOST_CHARACTERS + 3  # the widest characters, and a mark that it is UTF-8


class Checked(NamedTuple):
    """`verdict` is None for what cannot be read; `violation` then says why. `line` has all of it."""

    file: str
    verdict: str | None
    violation: dict[str, Any] | None

    @property
    def code(self) -> int:
        """What the command ends with, if this is the worst."""
        return 2 if self.verdict is None else int(self.verdict not in GOOD)

    def line(self, *, named: bool) -> str:
        """The verdict; `named`: with the file, where there is something to say of it."""
        if self.violation is None:
            return str(self.verdict)
        file = f"{shown(self.file, most=200)}: " if named else ""
        return f"{self.verdict or 'unreadable'}: {file}{self.violation['message']}"


class Command(BaseCommand):
    help = "Replays train records (.train) and says of each whether it was played by its rules."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE", help="a record; - is the standard input")
        parser.add_argument("--json", action="store_true", help="a list of {file, verdict, violation}")

    def handle(self, *args: Any, files: Sequence[str], **options: Any) -> None:
        worst = 0
        between = "["
        for one in checked(files):
            worst = max(worst, one.code)
            if options["json"]:
                self.stdout.write(between + "\n" + json.dumps(one._asdict()), ending="")
                between = ","
            else:
                self.stdout.write(one.line(named=len(files) > 1))
        if options["json"]:
            self.stdout.write("\n]")
        if worst:
            raise SystemExit(worst)


def checked(files: Sequence[str]) -> Iterator[Checked]:
    """Each file's verdict, one after the other."""
    for file in files:
        yield _check(file)


def _check(file: str) -> Checked:
    try:
        text = _text(file)
    except OSError as error:
        return _unread(file, "file", error.strerror or str(error))
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        return _unread(file, "syntax", f"Line {line}: this is not UTF-8.", line)
    try:
        found = replay(parse_record(text))
    except RecordError as error:
        first = error.problems[0]
        message = " ".join(unread(problem) for problem in error.problems)
        return _unread(file, first.code, message, first.params["line"])
    breach = found.violation
    if breach is None:
        return Checked(file, found.verdict, None)
    place = {"turn": breach.turn, "action": breach.action, "line": breach.line}
    about = {"code": breach.code, "rule": breach.rule, **place, "message": sentence(found.record, breach)}
    return Checked(file, found.verdict, about)


def _unread(file: str, code: str, message: str, line: object = 0) -> Checked:
    about = {"code": code, "rule": None, "turn": 0, "action": 0, "line": line, "message": message}
    return Checked(file, None, about)


def _text(file: str) -> str:
    """What is in the file; of one that is too large, enough for that to be found out."""
    if file == STANDARD_INPUT:
        return _decoded(sys.stdin.buffer)
    with Path(file).open("rb") as stream:
        return _decoded(stream)


def _decoded(stream: BinaryIO) -> str:
    raw = stream.read(_MOST_BYTES + 1)
    return raw.decode("utf-8", "replace" if len(raw) > _MOST_BYTES else "strict")
