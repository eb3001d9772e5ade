"""“Check a round”: a record is pasted or opened; what cannot be read is told at its line.

Knows the page. Must not read a record or judge it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods

from games.attached import as_kept
from games.engine.errors import Problem
from games.engine.lookalikes import Lookalike, lookalikes, put_right
from games.engine.reading import why_unread
from games.engine.record import MOST_CHARACTERS, RecordError
from games.messages import number
from games.models import SharedRecord
from games.record_names import shown
from games.record_words import lookalike, mend, unread
from games.record_words import mended as mended_words
from games.services import Refused
from games.shared_records import record_judged, record_share, work_counted
from games.web.access import address
from games.web.device import DeviceRequest

AROUND = 34  # characters of a long line that are shown before what is wrong
WIDEST = 80
# A round of two with known hands, and one move that is not by the rules.
EXAMPLE = """rules: gamerules
set: 6
players: A=Ann, B=Ben
deal: 4
engine: 6-6
hand A: 6-3 3-3 3-1 5-0
hand B: 6-2 4-4 2-1 5-5
1. A 6-3>A
2. B 6-2>B
3. A 3-3>A 3-1>A !
4. B 2-1>B
5. A +4-1 1-4>A !
6. B +2-0 - ^
7. A +1-0 1-0>B !
8. B +3-2 -
"""


class Place(NamedTuple):
    """One thing that cannot be read: the sentence, and the line with what is meant in the middle."""

    text: str
    line: int
    column: int
    length: int
    before: str
    wrong: str
    after: str


@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(private=True, no_cache=True)  # not no-store: Back must find what was typed
def check_round(request: DeviceRequest) -> HttpResponse:
    if request.method != "POST":
        return check_page(request, *_first(request))
    typed = request.POST.get("record", "")
    text, fault = opened_file(request)
    if fault:
        return check_page(request, typed, fault=fault, status=422)
    text = as_kept(typed if text is None else text)
    aside = typed if typed.strip() and as_kept(typed) != text else ""
    if not text.strip():
        return check_page(request, typed, fault=no_record(), status=422)
    try:
        if request.POST.get("do") == "mend":
            with work_counted(address(request)):
                return _mended(request, text)
        record_judged(text=text, address=address(request))
        kept = record_share(text=text, address=address(request))
    except RecordError as error:
        return check_page(request, text, problems=error.problems, aside=aside, status=422)
    except Refused:
        fault = _("Many records were checked here in this minute. Wait a little, then check again.")
        return check_page(request, text, fault=fault, aside=aside, status=429)
    return redirect("verdict", kept.slug)


def _mended(request: DeviceRequest, text: str) -> HttpResponse:
    """The page with the record's own signs in the field, what was done, and what still cannot be read."""
    new = mended_record(text)
    return check_page(request, new.text, given=True, problems=new.unread, mended=new.said, status=new.status)


def no_record() -> str:
    return _("There is no record yet. Paste one, or open a file.")


def _first(request: DeviceRequest) -> tuple[str, bool]:
    """The text that the page opens with, and whether it is anybody's but the phone's own draft."""
    if request.GET.get("example"):
        return EXAMPLE, True
    slug = request.GET.get("from", "")
    found = SharedRecord.objects.filter(slug=slug).first() if slug.isalnum() else None
    return ("", False) if found is None else (found.text, True)


def opened_file(request: DeviceRequest) -> tuple[str | None, str]:
    """The text of the file that was sent, if one was, and what is wrong with it."""
    sent = request.FILES.get("file")
    if sent is None:
        return None, ""
    if (sent.size or 0) > 4 * MOST_CHARACTERS:
        most = number(4 * MOST_CHARACTERS // 1000)
        return None, _("This file is too large for a record. One has at most %(most)s kB.") % {"most": most}
    data = sent.read()
    try:
        return data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"), ""
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        text = _("This file cannot be read from line %(line)s on. Save it as UTF-8 text, then open it again.")
        return None, text % {"line": number(line)}


def check_page(
    request: DeviceRequest,
    text: str,
    given: bool = False,
    *,
    problems: Sequence[Problem] = (),
    fault: str = "",
    aside: str = "",
    mended: Sequence[str] = (),
    status: int = 200,
) -> HttpResponse:
    """The page with this text; `given`: it is not the phone's own draft; `aside`: typed beside a file;
    `mended`: what was done to the text.
    """
    page = {
        "text": text,
        "given": given,
        "aside": aside,
        "fault": fault,
        **unread_of(text, problems),
        "mended": mended,
        "most": MOST_CHARACTERS,
        "most_words": number(MOST_CHARACTERS),
    }
    return render(request, "records/check.html", page, status=status)


def unread_of(text: str, problems: Sequence[Problem]) -> dict[str, Any]:
    """`places`: what cannot be read, each at its line, a wrong sign once; `mend`: the button for those."""
    lines = as_kept(text).split("\n")
    signs, others = lookalikes(as_kept(text), problems)
    found = [_place(lines, problem) for problem in others]
    found += [_sign_place(lines, sign) for sign in signs]
    return {
        "places": sorted(found, key=lambda place: (place.line, place.column)),
        "mend": mend(signs) if signs else "",
    }


class Mended(NamedTuple):
    """A record's text with its own signs, what became what, and what still cannot be read."""

    text: str
    said: Sequence[str]
    unread: Sequence[Problem]

    @property
    def status(self) -> int:
        return 422 if self.unread else 200


def mended_record(text: str) -> Mended:
    """The text with the record's own signs for those that kept it from being read."""
    text = as_kept(text)
    signs, _others = lookalikes(text, why_unread(text))
    text = put_right(text, [one.sign for one in signs])
    return Mended(text, mended_words(signs), why_unread(text))


def _sign_place(lines: Sequence[str], sign: Lookalike) -> Place:
    line, column = sign.places[0]
    return _at(lines, line, column, 1, lookalike(sign))


def _place(lines: Sequence[str], problem: Problem) -> Place:
    line, column = int(str(problem.params["line"])), int(str(problem.params["column"]))
    return _at(lines, line, column, len(str(problem.params["text"])), unread(problem))


def _at(lines: Sequence[str], line: int, column: int, length: int, text: str) -> Place:
    content = lines[line - 1] if line <= len(lines) else ""
    start = column - 1
    before, wrong, after = content[:start], content[start : start + length], content[start + length :]
    if len(before) > AROUND:
        before = f"…{before[-AROUND:]}"
    return Place(
        text,
        line,
        column,
        len(wrong),
        shown(before, most=WIDEST),
        shown(wrong, most=WIDEST),
        shown(after, most=AROUND),
    )
