"""Writes of records that are built tap by tap. Each is one transaction, and asks for the version shown.

Knows how a record on its way is kept. Must not know requests or sentences, nor judge: the engine says what a
tap does and what is against it, and a broken rule is written down only for who is sure of it.
"""

from __future__ import annotations

from dataclasses import replace

from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone

from games.engine.errors import Problem
from games.engine.reading import parse_record
from games.engine.record import Record, print_record
from games.engine.replay import replay, steps_for
from games.engine.taps import Tap, tapped, why_not_tap
from games.engine.writing import now, opened
from games.models import UNSEEN, Game, RecordDraft
from games.services import Refused, answer_claim, answer_keep, attempt_counted, game_stir

NEW_DRAFT = "new_draft"  # counted against an address
MOST_TEXT = 20_000  # characters; a whole round of 14 players has a tenth of them
# Steps of a search for hands that explain written points, in a round of four players and a double-12 set: far
# fewer than a check takes, since it is asked at each tap.
MOST_SEARCHED = 1_500


class Behind(Exception):
    """Somebody else wrote first: nothing was written. `draft` is the record as it is now."""

    def __init__(self, draft: RecordDraft) -> None:
        super().__init__(f"version {draft.version}")
        self.draft = draft


class Against(Exception):
    """The tap breaks a rule, or does not fit here: nothing was written. Who is sure may send it again."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.code)
        self.problem = problem


def record_of(draft: RecordDraft) -> Record:
    """What is written so far, its last turn still open."""
    return opened(parse_record(draft.text))


def undone_of(draft: RecordDraft) -> Record | None:
    """What was written before Undo, as far as it can be done again."""
    return opened(parse_record(draft.undone)) if draft.undone else None


def budget(record: Record) -> int:
    """How many steps a search may take: fewer where more people hold more tiles."""
    return steps_for(record, MOST_SEARCHED)


@transaction.atomic
def draft_start(
    *,
    record: Record,
    address: str,
    most: int,
    game: Game | None = None,
    round_number: int | None = None,
    form: str = "",
    empty: RecordDraft | None = None,
) -> RecordDraft:
    """A record to write in, with nothing in it but its header; of a round, the one that is there already.

    `form`: a secret of the form and what it says, hashed: the same again is the record that it began.
    `empty`: one that this phone began, which becomes this one if nothing is written in it.
    Refused("throttled") for more than `most` a minute from the address; Refused("invalid") with the code of a
    replay, where what is known of the hands cannot be.
    """
    if form:
        saved, first = answer_claim(credential="", method="POST", path="write", key=form, body_hash="")
        there = None if first else RecordDraft.objects.filter(pk=int(saved.body)).first()
        if there is not None:
            return there
    record = replace(record, turns=(), ended=None, out=(), told=())
    found = replay(record).violation
    if found is not None:
        raise Refused("invalid", [Problem(found.code, params={**found.params, "rule": found.rule})])
    if not attempt_counted(what=NEW_DRAFT, address=address, most=most):
        raise Refused("throttled")
    if game is not None:
        there = draft_of(game, round_number)
        if there is not None:
            return there
    try:
        with transaction.atomic():
            draft = _begun_anew(empty, record) or RecordDraft.objects.create(
                text=print_record(record), game=game, round_number=round_number
            )
    except IntegrityError:  # another phone opened the same round at the same time
        draft = RecordDraft.objects.get(game=game, round_number=round_number)
    _tell(draft)
    if form:
        answer_keep(answer=saved, status=201, body=str(draft.pk))
    return draft


def _begun_anew(empty: RecordDraft | None, record: Record) -> RecordDraft | None:
    """The record that is being written, begun otherwise; None if it has turns, or a game."""
    rows = RecordDraft.objects.select_for_update().filter(game=None)
    row = None if empty is None else rows.filter(pk=empty.pk).first()
    if row is None or record_of(row).turns:
        return None
    row.text, row.undone, row.last_tap = print_record(record), "", ""
    row.version, row.touched_on = row.version + 1, timezone.localdate()
    row.save(update_fields=["text", "undone", "last_tap", "version", "touched_on"])
    return row


def draft_of(game: Game, round_number: int | None) -> RecordDraft | None:
    """The record that is being written of a round."""
    return RecordDraft.objects.filter(game=game, round_number=round_number).first()


def draft_seen(draft: RecordDraft) -> None:
    """It is kept from today on; called for whoever looks at it."""
    today = timezone.localdate()
    if draft.touched_on != today:
        RecordDraft.objects.filter(pk=draft.pk).update(touched_on=today)


@transaction.atomic
def draft_tap(*, draft: RecordDraft, version: int, tap: Tap) -> RecordDraft:
    """Write the tap behind what is written, take the last one back, or do it again; the record as it is then.

    Against(problem) where it breaks a rule and is not `sure`, or where nothing can follow. Behind(draft)
    where `version` is not the newest, unless what came since is the same tap, sent twice or by two phones.
    Refused("invalid") once the record is too long.
    """
    row = RecordDraft.objects.select_for_update().get(pk=draft.pk)
    if row.version != version:
        if row.version == version + 1 and row.last_tap == tap.text:
            return row
        raise Behind(row)
    record = record_of(row)
    problem = why_not_tap(now(record), tap)
    if problem is not None and (not tap.sure or problem.code in ("stuck", "over", "going")):
        raise Against(problem)
    after = tapped(record, tap, undone_of(row))
    if after == record:
        return row
    text = print_record(after)
    if len(text) > MOST_TEXT:
        raise Refused("invalid", [Problem("record_long", params={"most": MOST_TEXT})])
    written = RecordDraft.objects.filter(pk=row.pk, version=version).update(
        text=text,
        undone=_still_undone(row, tap, text),
        last_tap=tap.text,
        version=F("version") + 1,
        touched_on=timezone.localdate(),
    )
    row.refresh_from_db()
    if not written:
        raise Behind(row)
    _tell(row)
    return row


def _still_undone(row: RecordDraft, tap: Tap, text: str) -> str:
    """What can be done again after the tap that leads to the text."""
    if tap.what == "undo":
        return row.undone or row.text
    return row.undone if tap.what == "redo" and text != row.undone else ""


@transaction.atomic
def draft_drop(*, draft: RecordDraft, version: int) -> None:
    """Throw it away. Behind(draft) if something was written since it was shown."""
    row = RecordDraft.objects.select_for_update().get(pk=draft.pk)
    if row.version != version:
        raise Behind(row)
    row.delete()
    _tell(row)


def _tell(draft: RecordDraft) -> None:
    """Boards say how far the record of a round is."""
    if draft.game_id is not None:
        game_stir(draft.game_id)


def drafts_due() -> int:
    """How many records nobody has looked at for 180 days."""
    return RecordDraft.objects.filter(touched_on__lt=timezone.localdate() - UNSEEN).count()


@transaction.atomic
def drafts_forget() -> int:
    """Remove them; how many there were."""
    gone, _rows = RecordDraft.objects.filter(touched_on__lt=timezone.localdate() - UNSEEN).delete()
    return gone
