"""Train records checked for whoever asks, and those kept so that a link shows them again.

Knows how much of the computer's time, and of the database, one address may have in a minute. Must not know
pages, or judge a round: the engine replays it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from math import ceil
from threading import Lock
from time import thread_time

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from games import attached
from games.engine.reading import parse_record
from games.engine.record import Record
from games.engine.replay import Replay, replay, steps_for
from games.models import UNSEEN, SharedRecord
from games.services import Refused, attempt_counted, attempts_within

CHECK = "check"
BUDGET = attached.BUDGET  # as for the record of a round
LIGHT = 50  # milliseconds of work that are not worth a line in the database
KEEP = "record"
CHARACTERS_PER_MINUTE = (
    400_000  # that one address may have kept: two of the largest, two hundred ordinary ones
)


def budget(record: Record) -> int:
    """How many steps a search may take."""
    return steps_for(record, BUDGET)


@contextmanager
def work_counted(address: str) -> Iterator[None]:
    """Do some work for an address: Refused("throttled") if it has had its seconds of this minute.

    Light work is free and writes nothing, so that looking at a page stays a reading.
    """
    most = settings.CHECK_SECONDS_PER_MINUTE * 1_000
    if not attempts_within(what=CHECK, address=address, most=most):
        raise Refused("throttled")
    began = thread_time()
    try:
        yield
    finally:
        took = ceil((thread_time() - began) * 1_000)
        if took > LIGHT:
            attempt_counted(what=CHECK, address=address, most=most, times=took)


class _Judged:
    """The verdicts of the records that were looked at last, as far as this many characters go.

    A page that shows a round turn by turn does not search again at each turn.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.size = 0
        self.found: OrderedDict[str, tuple[int, Replay]] = OrderedDict()
        self.lock = Lock()

    def get(self, digest: str) -> Replay | None:
        with self.lock:
            if digest not in self.found:
                return None
            self.found.move_to_end(digest)
            return self.found[digest][1]

    def put(self, digest: str, size: int, found: Replay) -> None:
        with self.lock:
            self.size += size - self.found.pop(digest, (0, found))[0]
            self.found[digest] = size, found
            while self.size > self.most:
                _digest, (old, _replay) = self.found.popitem(last=False)
                self.size -= old


_judged = _Judged(most=1_000_000)


def record_judged(*, text: str, address: str) -> Replay:
    """What the record comes to; the same text again costs nothing for as long as it is remembered.

    RecordError if it cannot be read, Refused("throttled") as `work_counted`.
    """
    digest = _digest(text)
    found = _judged.get(digest)
    if found is None:
        with work_counted(address):
            record = parse_record(text)
            found = replay(record, budget=budget(record))
        _judged.put(digest, len(text) + 1_000, found)
    return found


@transaction.atomic
def record_share(*, text: str, address: str) -> SharedRecord:
    """Keep a record that can be read; the same text once only. Refused("throttled") if it is too much."""
    digest = _digest(text)
    found = SharedRecord.objects.filter(digest=digest).first()
    if found is not None:
        record_seen(record=found)
        return found
    if not attempt_counted(what=KEEP, address=address, most=CHARACTERS_PER_MINUTE, times=len(text)):
        raise Refused("throttled")
    SharedRecord.objects.bulk_create([SharedRecord(text=text, digest=digest)], ignore_conflicts=True)
    return SharedRecord.objects.get(digest=digest)


def record_seen(*, record: SharedRecord) -> None:
    """Somebody looks at it: it stays for as long as somebody does, to the day."""
    today = timezone.localdate()
    if record.seen_on < today:
        SharedRecord.objects.filter(pk=record.pk).update(seen_on=today)


def unseen_records() -> int:
    """How many records nobody has looked at for 180 days (`UNSEEN`)."""
    return SharedRecord.objects.filter(seen_on__lt=timezone.localdate() - UNSEEN).count()


def unseen_forget() -> int:
    """Remove them for good; how many they were."""
    gone, _rows = SharedRecord.objects.filter(seen_on__lt=timezone.localdate() - UNSEEN).delete()
    return gone


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "replace")).hexdigest()
