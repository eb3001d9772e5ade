"""Records of rounds that were checked on a page and can be seen again by their link.

Knows columns. Must not know what a record says: the engine reads it.
"""

from __future__ import annotations

import secrets
from datetime import timedelta
from typing import ClassVar

from django.db import models
from django.utils import timezone

from games.models.games import SLUG_ALPHABET

LINK_LENGTH = 16  # 78 bits: nobody finds another's record by trying
UNSEEN = timedelta(days=180)  # how long a record stays that nobody looks at


def new_link() -> str:
    """The address of one record, which is all that opens it."""
    return "".join(secrets.choice(SLUG_ALPHABET) for _ in range(LINK_LENGTH))


class SharedRecord(models.Model):
    """A train record as it was checked; its text never changes.

    `digest` is the text's, so that the same text twice is one row; `seen_on` the last day that anybody
    looked at it.
    """

    slug = models.SlugField(max_length=LINK_LENGTH, unique=True, default=new_link, editable=False)
    text = models.TextField()
    digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(default=timezone.now)
    seen_on = models.DateField(default=timezone.localdate, db_index=True)

    objects: ClassVar[models.Manager[SharedRecord]] = models.Manager()

    def __str__(self) -> str:
        return self.slug
