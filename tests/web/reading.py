"""Reads a page as a person does: its words, a table's rows, the marks of a cell."""

from __future__ import annotations

import re
from html import unescape
from typing import Any


def words(page: Any) -> str:
    """A page's text (a response's, or markup) without tags, in one line."""
    markup = page if isinstance(page, str) else page.content.decode()
    text = " ".join(unescape(re.sub("<[^>]*>", " ", markup)).split())
    return re.sub(r" (?=[,.:;])", "", text)


def element(page: Any, start: str, end: str) -> str:
    """The markup from `start` to the next `end`."""
    markup = page if isinstance(page, str) else page.content.decode()
    assert start in markup, f"{start} is not on the page"
    return start + markup.split(start, 1)[1].split(end, 1)[0]


def rows(page: Any) -> list[list[str]]:
    """The words of every cell of the page's first table body."""
    body = element(page, "<tbody>", "</tbody>")
    return [
        [words(cell) for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL)]
        for row in re.findall(r"<tr[^>]*>(.*?)</tr>", body, re.DOTALL)
    ]


def cell(page: Any, number: int, seat: int) -> str:
    """The markup of one score on the board, its classes included."""
    markup = page if isinstance(page, str) else page.content.decode()
    found = re.search(rf'<td class="([^"]*)"><a[^>]*id="c{number}-{seat}">(.*?)</a>', markup, re.DOTALL)
    assert found, f"no score of seat {seat} in round {number}"
    return f"{found[1]}|{words(found[2])}"


def found_by_its_places(page: Any) -> bool:
    """Whether each mistake in a record leads to the field that it stands in, without script too."""
    markup = page if isinstance(page, str) else page.content.decode()
    targets = re.findall(r'href="#([^"]*)" data-line', markup)
    field = re.search(r"<textarea[^>]*name=\"record\"[^>]*>", markup)
    return bool(targets) and field is not None and all(f' id="{one}"' in field[0] for one in targets)
