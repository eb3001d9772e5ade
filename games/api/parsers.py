"""The body as JSON, read strictly: what Python lets pass and a database or a client would not is refused."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import IO, Any, NoReturn

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest
from django.utils.translation import gettext as _
from rest_framework.exceptions import ParseError, UnsupportedMediaType
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.utils.mediatypes import _MediaType

LARGEST = 100_000  # bytes; 14 hands of all tiles of a double-18 are a fifth of it


class StrictJSONParser(BaseParser):
    """UTF-8, no NaN or infinity, no key twice, no lone surrogates (they cannot be stored or sent)."""

    media_type = "application/json"

    def parse(
        self,
        stream: IO[Any] | HttpRequest,
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        charset = _MediaType(media_type or "").params.get("charset", "utf-8")
        if charset.strip("\"'").lower() not in ("utf-8", "utf8"):
            raise UnsupportedMediaType(media_type or "")
        # Django bounds `body` (DATA_UPLOAD_MAX_MEMORY_SIZE), but not the stream below it.
        raw = stream.body if isinstance(stream, HttpRequest) else stream.read()
        if len(raw) > LARGEST:
            raise RequestDataTooBig
        try:
            data = json.loads(raw.decode("utf-8-sig"), parse_constant=_constant, object_pairs_hook=_object)
            json.dumps(data, ensure_ascii=False).encode()
        except UnicodeDecodeError as error:
            raise ParseError(_("The body is not UTF-8.")) from error
        except UnicodeEncodeError as error:
            raise ParseError(_("The body holds half a character (a lone surrogate).")) from error
        except RecursionError as error:
            raise ParseError(_("The body is nested too deeply.")) from error
        except json.JSONDecodeError as error:
            message = _("The body is not JSON (line %(line)s, column %(column)s).")
            raise ParseError(message % {"line": error.lineno, "column": error.colno}) from error
        except ValueError as error:  # an integer of thousands of digits
            raise ParseError(_("The body holds a number that is far too long.")) from error
        return data


def _constant(name: str) -> NoReturn:
    raise ParseError(_("%(name)s is not JSON.") % {"name": name})


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        keys = [key for key, _value in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ParseError(_("“%(key)s” is given twice in one object.") % {"key": twice[:40]})
    return data


class AlwaysJSON(DefaultContentNegotiation):
    """The answer is JSON, whatever the caller says to accept."""

    def select_renderer(
        self, request: Request, renderers: Any, format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        return renderers[0], renderers[0].media_type
