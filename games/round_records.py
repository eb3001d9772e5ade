"""A record that belongs to a round: attached, taken off, its scores taken over, a dispute made or settled.

Knows what of it is written and logged. Must not know requests, forms or sentences: a record is replayed and
compared by the engine (`attached`), and what it writes into a round is judged as any claim.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from games.attached import (
    MOST_CHARACTERS,
    agreement,
    as_kept,
    played,
    seats_of,
    told_by,
)
from games.disputes import challenge_add, challenge_rule, hand_there
from games.engine.agreement import Facts, ToldHand, claim_by
from games.engine.errors import Problem
from games.engine.record import RecordError
from games.models import REASON_LENGTH, Action, Game, Role, Round, Ruling
from games.selectors import Sheet, sheet_of
from games.services import (
    Refused,
    Written,
    finish_write,
    hands_said,
    judged_round,
    lock_game,
    record_state,
    round_number_problem,
    round_state,
    write_record,
    write_round,
)
from games.shared_records import record_share


@dataclass(frozen=True, slots=True)
class Attached:
    """A round's record: its text, who of it sits at which seat, and what it tells."""

    text: str
    seats: dict[str, int]
    facts: Facts


# Reads


def record_of(sheet: Sheet, number: int) -> Attached | None:
    """The record that round `number` has."""
    entry = sheet.round(number)
    if entry is None or not entry.record:
        return None
    rows = Round.objects.filter(game=sheet.game, number=number).exclude(record="")
    found = rows.values_list("record", "record_seats").first()
    return None if found is None else Attached(found[0], found[1], told_by(found[0]))


def read_record(sheet: Sheet, number: int, text: str, seats: Mapping[str, int] | None = None) -> Attached:
    """A record as it would be attached to round `number`; `seats`: who is said to sit where.

    Refused("invalid"): too long, or the problems of `RecordError`.
    """
    text = as_kept(text)
    if len(text) > MOST_CHARACTERS:
        long = Problem("record_long", params={"given": len(text), "most": MOST_CHARACTERS})
        raise Refused("invalid", [long])
    try:
        facts = told_by(text)
    except RecordError as error:
        raise Refused("invalid", error.problems) from None
    return Attached(text, seats_of(sheet, number, facts.record, seats), facts)


def told_hand(found: Attached | None, seat: int) -> ToldHand | None:
    """What a record tells of the hand at `seat`, if it is legal to its end and tells the points."""
    players = {} if found is None else {at: player for player, at in found.seats.items()}
    hand = found.facts.hand(players[seat]) if found is not None and seat in players else None
    return None if hand is None or hand.points is None else hand


# Writes


@transaction.atomic
def record_attach(
    *,
    game: Game,
    number: int,
    text: str,
    seats: Mapping[str, int] | None = None,
    who: str = "",
    version: int | None = None,
) -> Written:
    """Attach a record to a round that is in, in the place of one that is there. No score changes.

    `seats`: who of the record sits where, as far as names and order do not tell. Refused: "not_found" if
    there is no such round; "invalid" if it cannot be read or is too long.
    """
    game = lock_game(game, version)
    sheet = sheet_of(game)
    _there(sheet, number)
    new = read_record(sheet, number, text, seats)
    before, data = record_state(game, number), {"record": new.text, "seats": new.seats}
    if before["records"][str(number)] == data:
        return Written(sheet)  # sent twice
    write_record(game, number, data)
    return finish_write(
        game,
        action=Action.RECORD_ATTACHED,
        round_number=number,
        who=who,
        before=before,
        after={"records": {str(number): data}},
        keep_status=True,
    )


@transaction.atomic
def record_remove(*, game: Game, number: int, who: str = "", version: int | None = None) -> Written:
    """Take the record off its round; the log keeps it. Refused("not_found") if there is none."""
    game = lock_game(game, version)
    sheet = sheet_of(game)
    _there(sheet, number)
    before = record_state(game, number)
    if before["records"][str(number)] is None:
        raise Refused("not_found", [Problem("record_none", params={"number": number})])
    write_record(game, number, None)
    return finish_write(
        game,
        action=Action.RECORD_REMOVED,
        round_number=number,
        who=who,
        before=before,
        after={"records": {str(number): None}},
        keep_status=True,
    )


@transaction.atomic
def record_take_scores(
    *,
    game: Game,
    number: int,
    text: str | None = None,
    seats: Mapping[str, int] | None = None,
    reason: str = "",
    who: str = "",
    version: int | None = None,
    device: str = "",
) -> Written:
    """Make the round what its record says, or enter the coming one so; the round is then unconfirmed.

    `text` is attached with it; None: the record that is there. A hand that the record hides stays as it is.
    The round is judged as any: whatever it was disputed for is settled. Refused: "not_found" without a
    record, "round_number" past the coming round, "invalid" for one that cannot be read, is not of this round
    or tells too little, "round_impossible".
    """
    game = lock_game(game, version)
    sheet = sheet_of(game)
    entry = sheet.round(number)
    if entry is None and number != sheet.next_number:
        raise Refused("round_number", [round_number_problem(sheet, number)])
    found = record_of(sheet, number) if text is None else read_record(sheet, number, text, seats)
    if found is None:
        raise Refused("not_found", [Problem("record_none", params={"number": number})])
    if problems := why_not_taken(sheet, number, found):
        raise Refused("invalid", problems)
    data = judged_round(
        sheet, number, claim_by(found.facts, played(sheet, number), found.seats), disputed=False
    )
    before: dict[str, Any] = round_state(game, number)
    after: dict[str, Any] = {"rounds": {str(number): data}}
    if before == after:
        before, after = {}, {}
    else:
        data["confirmed"] = False  # nobody else has seen what it is now
    had, record = record_state(game, number), {"record": found.text, "seats": found.seats}
    if had["records"][str(number)] != record:
        before |= had
        after |= {"records": {str(number): record}}
    if not after:
        return Written(sheet)  # it says so already
    said = {} if entry else hands_said(game, number)
    if "rounds" in after:
        write_round(game, number, data, device)
    if "records" in after:
        write_record(game, number, record)
    corrected = Action.ROUND_CORRECTED if "rounds" in after else Action.RECORD_ATTACHED
    return finish_write(
        game,
        action=corrected if entry else Action.ROUND_RECORDED,
        round_number=number,
        who=who,
        reason=reason.strip()[:REASON_LENGTH],
        before=before,
        after=after | said,
        created=entry is None,
        keep_status="rounds" not in after,
    )


@transaction.atomic
def challenge_by_record(
    *,
    game: Game,
    number: int,
    seat: int,
    text: str,
    seats: Mapping[str, int] | None = None,
    reason: str,
    role: Role,
    address: str,
    points: int | None = None,
    who: str = "",
    version: int | None = None,
) -> Written:
    """Doubt the score of `seat` in round `number` by a record of it: the points are what the record says.

    The record is kept for its link, at the cost of `address`; nothing is attached to the round. `points` are
    what is said beside it. Refused as `disputes.challenge_add`; "invalid" as `read_record`, for a record that
    does not tell these points, or other ones than are said, or the score as it is; "throttled".
    """
    game = lock_game(game, version)
    sheet = sheet_of(game)
    now = hand_there(sheet, number, seat).points
    found = read_record(sheet, number, text, seats)
    evidence = _evidence(sheet, number, seat, found, now=now, said=points)
    return challenge_add(
        game=game,
        number=number,
        seat=seat,
        reason=reason,
        role=role,
        points=evidence,
        record=record_share(text=found.text, address=address),
        who=who,
        version=version,
    )


@transaction.atomic
def challenge_settle(
    *,
    game: Game,
    number: int,
    reason: str,
    who: str = "",
    version: int | None = None,
    device: str = "",
) -> Written:
    """Rule on challenge `number` by the record of its round: the score stays or becomes what the record says.

    Refused as `disputes.challenge_rule`, and "invalid" if there is no such record or it tells too little.
    """
    game = lock_game(game, version)
    sheet = sheet_of(game)
    challenge = sheet.challenge(number)
    if challenge is None:
        raise Refused("not_found", [Problem("challenge_unknown", params={"number": number})])
    found = record_of(sheet, challenge.round_number)
    hand = told_hand(found, challenge.seat)
    if found is None or hand is None or why_not_taken(sheet, challenge.round_number, found):
        raise Refused("invalid", [Problem("record_untold", seat=challenge.seat)])
    now = sheet.hand(challenge)
    stays = hand.points == challenge.was and now is not None and now.points == hand.points
    return challenge_rule(
        game=game,
        number=number,
        ruling=Ruling.DISMISSED if stays else Ruling.UPHELD,
        points=None if stays or hand.tiles is not None else hand.points,
        tiles=None if stays or hand.tiles is None else tuple(map(str, hand.tiles)),
        reason=reason,
        who=who,
        version=version,
        device=device,
    )


def why_not_taken(sheet: Sheet, number: int, found: Attached) -> list[Problem]:
    """Why a record's scores cannot be those of round `number`."""
    if found.facts.ended is None:
        return [Problem("record_scoreless", params={"verdict": found.facts.verdict})]
    if not agreement(sheet, number, found.facts, found.seats).same_round:
        return [Problem("record_of_another", params={"number": number})]
    hidden = [seat for seat in sheet.seats(number) if told_hand(found, seat) is None]
    if hidden and sheet.round(number) is None:
        return [Problem("record_hides", seats=tuple(hidden))]
    return []


def _evidence(
    sheet: Sheet, number: int, seat: int, found: Attached, *, now: int, said: int | None
) -> int | None:
    """The points of `seat` by a record; `now`: the score as it is, `said`: what is said beside the record.

    Refused("invalid") where the score cannot be doubted by it.
    """
    if problems := why_not_taken(sheet, number, found):
        raise Refused("invalid", problems)
    told = told_hand(found, seat)
    if told is None:
        raise Refused("invalid", [Problem("record_hides", seats=(seat,))])
    if said is not None and said != told.points:
        facts = {"points": told.points, "given": said}
        raise Refused("invalid", [Problem("record_says", seats=(seat,), params=facts)])
    if told.points == now:
        raise Refused("invalid", [Problem("record_same", seats=(seat,), params={"points": now})])
    return told.points


def _there(sheet: Sheet, number: int) -> None:
    if sheet.round(number) is None:
        raise Refused("not_found", [Problem("round_unknown", params={"number": number})])
