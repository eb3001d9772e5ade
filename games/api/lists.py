"""Lists, the same way everywhere: `?limit=&offset=`, filters by name, and one shape of answer.

Knows paging and how a wrong query is refused. Must not know what is listed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Generic, TypeVar

import django_filters
from django import forms
from django.db.models import QuerySet
from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter
from rest_framework.pagination import LimitOffsetPagination
from rest_framework.request import Request

from games.api.errors import BadBody, shown
from games.models import SavedAnswer
from games.names import plain

LIMIT, MOST, FARTHEST = 50, 200, 1_000_000_000
WHOLE = None  # a list that is not cut unless it is asked for

Row = TypeVar("Row")
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_WHOLE = re.compile(r"[0-9]{1,10}")


@dataclass(frozen=True, slots=True)
class Page(Generic[Row]):
    """Some rows of a list, how many there are in all, and where to read on."""

    rows: Sequence[Row]
    count: int
    next: str | None
    previous: str | None

    def data(self, results: Iterable[Any], **about: Any) -> dict[str, Any]:
        """The answer; `about` stands before the list."""
        return {**about, **self.around(), "results": list(results)}

    def around(self) -> dict[str, Any]:
        return {"count": self.count, "next": self.next, "previous": self.previous}


class Filters(django_filters.FilterSet):  # type: ignore[misc] # the package has no types
    """A list's filters. A name that is none of them, or a value that cannot be, is refused."""

    def checked(self, *, paged: bool = True) -> None:
        """BadBody with every name and value that is wrong, each as the `field` of its problem."""
        more = ("limit", "offset") if paged else ()
        problems = [*_names(self.data, list(self.filters), more), *self._values()]
        if problems:
            raise BadBody(problems)

    def value(self, name: str) -> Any:
        return self.form.cleaned_data[name]

    def _values(self) -> Iterable[dict[str, Any]]:
        for name, errors in self.form.errors.items():
            for text in errors:
                yield _problem(name, text)


def page_of(
    request: Request | HttpRequest,
    filters: type[Filters],
    rows: QuerySet[Any],
    *,
    limit: int | None = LIMIT,
) -> Page[Any]:
    """What of `rows`, in their order, is asked for. BadBody: the query is wrong."""
    found = filtered(request, filters, rows)
    return paged(request, found.qs, limit=limit)


def filtered(request: Request | HttpRequest, filters: type[Filters], rows: QuerySet[Any]) -> Filters:
    """The filters with their values, checked; also what is wrong with `limit` and `offset`."""
    found = filters(request.GET, queryset=rows)
    problems: list[Any] = []
    for check in (found.checked, lambda: _bounds(request, LIMIT)):
        try:
            check()
        except BadBody as refusal:
            problems += refusal.problems
    if problems:
        raise BadBody(problems)
    return found


def checked(request: Request | HttpRequest, filters: type[Filters]) -> Filters:
    """The values of what is asked of something that is no list."""
    found = filters(request.GET, queryset=SavedAnswer.objects.none())
    found.checked(paged=False)
    return found


def paged(
    request: Request | HttpRequest, rows: QuerySet[Any] | Sequence[Row], *, limit: int | None = LIMIT
) -> Page[Any]:
    """One page of rows that are filtered already."""
    most, offset = _bounds(request, limit)
    if most is None:
        whole = list(rows)
        return Page(whole[offset:], len(whole), None, None)
    paging = _Paging(most, offset)
    some = paging.paginate_queryset(rows, request)  # type: ignore[arg-type] # it reads no more
    return Page(some or [], paging.count or 0, paging.get_next_link(), paging.get_previous_link())


class _Paging(LimitOffsetPagination):
    """Where a page begins and ends was read before, strictly; what is left is to count and to link."""

    template = None

    def __init__(self, most: int, begin: int) -> None:
        self.most, self.begin = most, begin

    def get_limit(self, request: Any) -> int:
        return self.most

    def get_offset(self, request: Any) -> int:
        return self.begin


def _bounds(request: Request | HttpRequest, limit: int | None) -> tuple[int | None, int]:
    """Limit and offset as asked for."""
    found: dict[str, int | None] = {"limit": limit, "offset": 0}
    problems = []
    for name, least, most in (("limit", 1, MOST), ("offset", 0, FARTHEST)):
        text = request.GET.get(name)
        if text is None:
            continue
        found[name] = int(text) if _WHOLE.fullmatch(text) and least <= int(text) <= most else None
        if found[name] is None:
            needed = _("a whole number from %(low)s to %(high)s") % {"low": least, "high": most}
            problems.append(_problem(name, needs(needed, text)))
    if problems:
        raise BadBody(problems)
    return found["limit"], found["offset"] or 0


def _names(query: QueryDict, known: Sequence[str], more: Sequence[str]) -> Iterable[dict[str, Any]]:
    """What is wrong with the names, and with what is given twice or empty; `more` are read by others."""
    there = [*known, *more]
    for name in list(query)[:100]:
        if name not in there:
            text = _("there is no such filter here; there are: %(known)s.")
            yield _problem(name[:60], text % {"known": ", ".join(there)}, code="unknown_filter")
        elif len(query.getlist(name)) > 1:
            yield _problem(name, _("it is given twice."))
        elif name in known and not query.get(name, "").strip():
            yield _problem(name, _("it is empty."))


def _problem(name: str, text: object, *, code: str = "invalid") -> dict[str, Any]:
    name = name.encode("utf-8", "backslashreplace").decode()
    return {"code": code, "message": f"{name}: {text}", "field": name}


def needs(needed: object, given: object) -> str:
    return _("%(needed)s is needed, not %(given)s.") % {"needed": needed, "given": shown(given)}


# The kinds of filters there are


class _Field(forms.Field):
    """Reads one value of a query; `read` says None for what it cannot be."""

    def to_python(self, value: Any) -> Any:
        if value is None or not str(value).strip():
            return None
        read = self.read(str(value))
        if read is None:
            raise forms.ValidationError(needs(self.needed(), value))
        return read

    def read(self, text: str) -> Any:
        raise NotImplementedError

    def needed(self) -> str:
        raise NotImplementedError


class _Word(_Field):
    def __init__(self, *, words: Sequence[str], **options: Any) -> None:
        super().__init__(**options)
        self.words = words

    def read(self, text: str) -> str | None:
        return text if text in self.words else None

    def needed(self) -> str:
        return _("one of %(choices)s") % {"choices": ", ".join(map(shown, self.words))}


class _YesNo(_Field):
    def read(self, text: str) -> bool | None:
        return {"true": True, "false": False}.get(text)

    def needed(self) -> str:
        return _("true or false")


class _Number(_Field):
    def read(self, text: str) -> int | None:
        return int(text) if _WHOLE.fullmatch(text) and int(text) < FARTHEST else None

    def needed(self) -> str:
        return _("a whole number")


class _Day(_Field):
    def read(self, text: str) -> date | None:
        try:
            return date.fromisoformat(text) if _DAY.fullmatch(text) else None
        except ValueError:
            return None

    def needed(self) -> str:
        return _("a day such as 2026-03-05")


class _Text(_Field):
    def read(self, text: str) -> str | None:
        text = text.strip()
        return text if len(text) <= 80 and "\x00" not in text and text.isprintable() else None

    def needed(self) -> str:
        return _("a text of at most 80 characters")


class Word(django_filters.Filter):  # type: ignore[misc]
    """One of some words."""

    field_class, kind = _Word, str

    def __init__(self, *, words: Sequence[str], **options: Any) -> None:
        super().__init__(words=words, **options)
        self.words = words


class YesNo(django_filters.Filter):  # type: ignore[misc]
    field_class, kind = _YesNo, bool


class Number(django_filters.Filter):  # type: ignore[misc]
    field_class, kind = _Number, int


class Day(django_filters.Filter):  # type: ignore[misc]
    field_class, kind = _Day, date


Query = TypeVar("Query", bound=type[Filters])


def dated(field: str, label: object) -> Callable[[Query], Query]:
    """Adds `from` (which is a word of Python) and `to`, both days included."""

    def decorate(filters: Query) -> Query:
        filters.base_filters = {
            **filters.base_filters,
            "from": Day(field_name=field, lookup_expr="gte", label=f"{label}: the first day."),
            "to": Day(field_name=field, lookup_expr="lte", label=f"{label}: the last day."),
        }
        return filters

    return decorate


class Text(django_filters.Filter):  # type: ignore[misc]
    field_class, kind = _Text, str


class Named(django_filters.Filter):  # type: ignore[misc]
    """Part of a name, found as the pages find it: without case and accents."""

    field_class, kind = _Text, str

    def filter(self, qs: QuerySet[Any], value: str | None) -> QuerySet[Any]:
        if value is None:
            return qs
        named: Iterable[tuple[int, str]] = qs.order_by().values_list("pk", self.field_name)
        return qs.filter(pk__in=[pk for pk, name in named if plain(value) in plain(name)])


def parameters(filters: type[Filters], limit: str | None = "50") -> list[OpenApiParameter]:
    """A list's query, for its description; `limit`: what it is unless it is given; None: it is no list."""
    found = [
        OpenApiParameter(name, one.kind, enum=getattr(one, "words", None), description=str(one.label))
        for name, one in filters.base_filters.items()
    ]
    bounds = (
        ("limit", 1, MOST, f"How many at once; left out: {limit}."),
        ("offset", 0, FARTHEST, "How many to pass over."),
    )
    for name, least, most, about in bounds if limit else ():
        schema = {"type": "integer", "minimum": least, "maximum": most}
        found.append(OpenApiParameter(name, schema, description=about))
    return found
