"""What is uploaded stays in memory, and no more of it than a file of games can have.

Knows sizes. The rest of a larger upload is read and dropped, so that the page can still say why; where too
much was typed, the page of a bad request says it.
"""

from __future__ import annotations

from io import BytesIO

from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.core.files.uploadedfile import InMemoryUploadedFile
from django.core.files.uploadhandler import FileUploadHandler
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from games.files.read import MOST_BYTES


class LimitedUpload(FileUploadHandler):
    """Keeps one byte more than is allowed, which says that it was more."""

    def new_file(self, *args: object, **kwargs: object) -> None:
        super().new_file(*args, **kwargs)  # type: ignore[arg-type]
        self.file = BytesIO()

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        self.file.write(raw_data[: max(0, MOST_BYTES + 1 - self.file.tell())])

    def file_complete(self, file_size: int) -> InMemoryUploadedFile:
        size = self.file.tell()
        self.file.seek(0)
        return InMemoryUploadedFile(
            file=self.file,
            field_name=self.field_name,
            name=self.file_name,
            content_type=self.content_type or "",
            size=size,
            charset=self.charset,
            content_type_extra=self.content_type_extra,
        )


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The page of what Django does not read: too much at once, or what no page here sends."""
    large = isinstance(exception, RequestDataTooBig | TooManyFieldsSent | TooManyFilesSent)
    return render(request, "400.html", {"large": large}, status=413 if large else 400)
