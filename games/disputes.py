"""Disputes: anybody at the game challenges a score, the scorer rules; the game's club may decide. Each is one
write, as in `services`.

Knows what a challenge needs and what a ruling or decision does to the score. Must not know requests, forms or
sentences.
"""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils import timezone

from games import mapping
from games.engine.doubt import with_hand
from games.engine.errors import Problem
from games.models import REASON_LENGTH, Action, Challenge, Game, Role, Ruling, SharedRecord
from games.selectors import HandCell, Sheet, sheet_of
from games.services import (
    Refused,
    Written,
    challenge_open,
    finish_write,
    judged_round,
    lock_game,
    round_check,
    round_state,
    write_challenge,
    write_round,
)

MAX_OPEN = 20  # pending in a game: a link that is shared widely must not bury it


@transaction.atomic
def challenge_add(
    *,
    game: Game,
    number: int,
    seat: int,
    reason: str,
    role: Role,
    points: int | None = None,
    record: SharedRecord | None = None,
    who: str = "",
    version: int | None = None,
) -> Written:
    """Doubt the score of `seat` in round `number`; `points` are what was left in the hand, if that is said.

    `record` is one that says these points (`round_records.challenge_by_record` has looked). No score changes.
    Refused: "not_found" where there is no such score, "invalid" without a reason, for points that no hand
    has, and where the score is challenged already.
    """
    game = lock_game(game, version)
    sheet = sheet_of(game)
    reason = reason.strip()[:REASON_LENGTH]
    hand = hand_there(sheet, number, seat)
    problems = _no_points(sheet, number, seat, points)
    if not reason:
        problems.append(Problem("reason_missing", field="reason", params={"of": "challenge"}))
    if (other := sheet.challenge_at(number, seat)) is not None:
        problems.append(challenge_open(other))
    elif len(sheet.pending) >= MAX_OPEN:  # those of a round taken back cannot be ruled on
        problems.append(Problem("challenges_many", params={"most": MAX_OPEN}))
    if problems:
        raise Refused("invalid", problems)
    game.challenge_count += 1
    game.save(update_fields=["challenge_count"])
    challenge = Challenge(
        game=game,
        number=game.challenge_count,
        round_number=number,
        seat=seat,
        was=hand.points,
        points=points,
        by_record=record is not None,
        record=record,
        reason=reason,
        who=who,
        role=role,
        at=timezone.now(),
    )
    challenge.save()
    key = str(challenge.number)
    return finish_write(
        game,
        action=Action.CHALLENGED,
        round_number=number,
        who=who,
        reason=reason,
        before={"challenges": {key: None}},
        after={"challenges": {key: mapping.challenge_to_data(challenge)}},
        created=True,
        keep_status=True,
    )


@transaction.atomic
def challenge_rule(
    *,
    game: Game,
    number: int,
    ruling: Ruling,
    reason: str,
    points: int | None = None,
    tiles: tuple[str, ...] | None = None,
    disputed: bool = False,
    who: str = "",
    version: int | None = None,
    device: str = "",
) -> Written:
    """Rule on challenge `number`: dismissed, the score stays; upheld, the hand becomes `points` or `tiles`.

    Without either it becomes what the challenger said. The round is judged as at any correction (`disputed`
    as there), and a game that was ended early stays ended. Refused: "not_found"; "invalid" if it is ruled on
    already, without a reason or a number, or if the score is not there; "round_impossible".
    """
    game = lock_game(game, version)
    sheet = sheet_of(game)
    challenge = sheet.challenge(number)
    if challenge is None:
        raise Refused("not_found", [Problem("challenge_unknown", params={"number": number})])
    reason = reason.strip()[:REASON_LENGTH]
    if problems := _no_ruling(sheet, challenge, ruling, reason, told=points is not None or tiles is not None):
        raise Refused("invalid", problems)
    before: dict[str, Any] = {"challenges": {str(number): mapping.challenge_to_data(challenge)}}
    after: dict[str, Any] = {}
    if ruling == Ruling.UPHELD:
        if points is None and tiles is None:
            points = challenge.points
        before |= round_state(game, challenge.round_number)
        after |= _corrected(sheet, challenge, points, tiles, disputed=disputed)
        if before["rounds"] == after["rounds"]:  # it was corrected already
            del before["rounds"], after["rounds"]
        for data in after.get("rounds", {}).values():
            data["confirmed"] = False  # nobody else has seen what it is now
            write_round(game, challenge.round_number, data, device)
    challenge.ruling, challenge.ruling_reason = ruling, reason
    challenge.ruled_by, challenge.ruled_at = who, timezone.now()
    after["challenges"] = {str(number): mapping.challenge_to_data(challenge)}
    write_challenge(game, number, after["challenges"][str(number)])
    return finish_write(
        game,
        action=Action.RULED,
        round_number=challenge.round_number,
        who=who,
        reason=reason,
        before=before,
        after=after,
        keep_status=True,
    )


@transaction.atomic
def score_decide(
    *, game: Game, number: int, seat: int, points: int | None, reason: str, who: str = ""
) -> Written:
    """The club's decision: `seat` has `points` in round `number`, or (None) the round stands as it is.

    Undo stops at it, also where nothing changes, and a game that was ended early stays ended. What cannot be
    right is put in all the same: the round is disputed then. Refused: "round_number" for a round that is
    gone, "not_found" where it has no such score any more, "round_impossible" for what nothing allows.
    """
    game = lock_game(game, None)
    sheet = sheet_of(game)
    entry = sheet.round(number)
    if entry is None:
        raise Refused("round_number", [Problem("round_gone", params={"round": number})])
    before: dict[str, Any] = {}
    after: dict[str, Any] = {}
    if points is not None:
        hand_there(sheet, number, seat)
        claim = with_hand(entry.claim(), seat, points)
        try:
            data = judged_round(sheet, number, claim, disputed=False)
        except Refused:
            data = judged_round(sheet, number, claim, disputed=True)
        data["confirmed"] = False
        before, after = round_state(game, number), {"rounds": {str(number): data}}
        write_round(game, number, data)
    return finish_write(
        game,
        action=Action.DECIDED,
        round_number=number,
        who=who,
        reason=reason.strip()[:REASON_LENGTH],
        before=before,
        after=after,
        keep_status=True,
    )


def hand_there(sheet: Sheet, number: int, seat: int) -> HandCell:
    """The score that is doubted. Refused("not_found")."""
    entry = sheet.round(number)
    if entry is None or seat not in entry.hands:
        raise Refused("not_found", [Problem("cell_unknown", params={"round": number, "seat": seat})])
    return entry.hands[seat]


def _no_points(sheet: Sheet, number: int, seat: int, points: int | None) -> list[Problem]:
    """Why no hand has so many points; what the other hands say to it is for the ruling."""
    entry = sheet.round(number)
    if points is None or entry is None:
        return []
    if points == entry.hands[seat].points:
        return [Problem("challenge_same", seat=seat, field="points", params={"points": points})]
    check = round_check(sheet, number, with_hand(entry.claim(), seat, points))
    alone = ("points_range", "count_points")
    return [one for one in check.problems if one.code in alone and one.seat == seat]


def _no_ruling(
    sheet: Sheet, challenge: Challenge, ruling: Ruling, reason: str, *, told: bool
) -> list[Problem]:
    at = {"round": challenge.round_number, "number": challenge.number}
    if challenge.ruling != Ruling.OPEN:
        return [Problem("challenge_ruled", seat=challenge.seat, params=at)]
    problems = []
    if not reason:
        problems.append(Problem("reason_missing", field="reason", params={"of": "ruling"}))
    if ruling == Ruling.UPHELD:
        if sheet.hand(challenge) is None:
            problems.append(Problem("cell_unknown", params={"round": at["round"], "seat": challenge.seat}))
        if not told and challenge.points is None:
            problems.append(Problem("ruling_points", seat=challenge.seat, field="points"))
    return problems


def _corrected(
    sheet: Sheet, challenge: Challenge, points: int | None, tiles: tuple[str, ...] | None, *, disputed: bool
) -> dict[str, Any]:
    """The state of the round with the hand that was found to be right."""
    number = challenge.round_number
    entry = sheet.round(number)
    assert entry is not None  # noqa: S101 - `_no_ruling` has looked
    claim = entry.claim()
    if tiles is not None or points != entry.hands[challenge.seat].points:
        claim = with_hand(claim, challenge.seat, points, tiles)
    data = judged_round(sheet, number, claim, disputed=disputed)
    return {"rounds": {str(number): data}}
