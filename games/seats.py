"""Own hands on own phones: who has which seat, what they told of the coming round, and who confirmed a round.

Knows phones by an id that says nothing about them. A hand that is told so is no score: whoever keeps score
closes the round (services). Must not know requests, forms or sentences.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from django.db import transaction
from django.utils import timezone

from games.engine.errors import Problem
from games.engine.scoring import Hand, HandClaim, RoundClaim
from games.models import Action, Game, HandIn, Round, SeatHolder, Status
from games.selectors import Sheet, sheet_of
from games.services import (
    Refused,
    Written,
    finish_write,
    game_stir,
    lock_game,
    round_check,
    round_number_problem,
    round_state,
    write_round,
)

# What only the whole round can tell, or is not told of one hand: the scorer's page says it.
NOT_OF_ONE = frozenset({"seat_missing", "zeros", "round_sum", "hands_clash"})


class HandTold(NamedTuple):
    """A hand that is in, of one seat."""

    points: int
    out: bool
    marker: bool
    tile_count: int | None
    tiles: list[str] | None
    times: int  # how often it was told


@dataclass(frozen=True, slots=True)
class HandCheck:
    """What can be said of one hand by itself. `taken`: other hands that are in and tell the same tiles."""

    problems: tuple[Problem, ...]
    warnings: tuple[Problem, ...]
    hand: Hand | None


# Reads


def hands_in(game: Game, number: int | None) -> dict[int, HandTold]:
    """What was told of round `number` from own phones, by seat."""
    rows = HandIn.objects.filter(game=game, round_number=number or 0).order_by("player__seat")
    found = rows.values_list("player__seat", *HandTold._fields)
    return {seat: HandTold(*told) for seat, *told in found}


def seats_held(game: Game) -> dict[int, str]:
    """The phone of each seat that has one."""
    held = SeatHolder.objects.filter(game=game, lost=False)
    return dict(held.values_list("player__seat", "device"))


def seat_of(game: Game, device: str) -> tuple[int, bool] | None:
    """The seat of a phone, and whether another took it over since; None if it took none."""
    rows = SeatHolder.objects.filter(game=game, device=device).values_list("player__seat", "lost")
    return rows.first() if device else None


def entered_by(game: Game) -> dict[int, str]:
    """The phone that entered each round which nobody has confirmed; "" if a program did."""
    return dict(Round.objects.filter(game=game, confirmed=False).values_list("number", "device"))


def coming(sheet: Sheet) -> int | None:
    """The round whose hands can be told: none once the game is finished."""
    return None if sheet.game.status == Status.FINISHED else sheet.next_number


def hand_check(sheet: Sheet, number: int, claim: HandClaim, others: Mapping[int, HandTold]) -> HandCheck:
    """The engine's judgement of one hand of the coming round, as far as it can be judged by itself.

    What clashes with `others` is a warning: which of the two is wrong, the table must see.
    """
    free = sheet.rules.engine_order == "any_unused"  # the table may have laid another engine
    engine = sheet.engines[number - 1]
    check = round_check(sheet, number, RoundClaim(engine, "out", (claim,)))
    passed = NOT_OF_ONE | ({"tile_engine"} if free else frozenset())
    problems = tuple(
        replace(problem, seat=claim.seat) if problem.seat is None else problem
        for problem in check.problems
        if problem.code not in passed or (problem.code == "seat_missing" and problem.seat == claim.seat)
    )
    hand = next((hand for hand in check.hands if hand.seat == claim.seat), None)
    warnings = [problem for problem in check.warnings if problem.code in ("many_points", "many_tiles")]
    told = {} if hand is None else {str(tile) for tile in hand.tiles or ()}
    for seat, other in others.items():
        if seat == claim.seat:
            continue
        warnings += [
            Problem("tile_has", seat=seat, seats=(seat,), params={"tile": tile})
            for tile in other.tiles or ()
            if tile in told
        ]
        if hand is not None and hand.out and other.out:
            warnings.append(Problem("out_already", seat=seat, seats=(seat,)))
    return HandCheck(problems, tuple(warnings), hand)


# Writes


@transaction.atomic
def seat_take(*, game: Game, seat: int, device: str, take_over: bool = False) -> None:
    """The phone `device` has this seat from now on, and no other.

    Refused: "not_found" for no such seat or one that was left; "forbidden" if another phone has it, unless
    `take_over`: then that phone loses it and is told.
    """
    game = lock_game(game, None)
    sheet = sheet_of(game)
    player = sheet.player(seat)
    if player is None or seat not in sheet.seats(sheet.next_number or len(sheet.rounds)):
        raise Refused(
            "not_found", [Problem("seat_unknown", seat=seat, seats=(seat,), params={"kind": "not_here"})]
        )
    holder = SeatHolder.objects.filter(game=game, player=player, lost=False).first()
    if holder is not None and holder.device == device:
        return
    if holder is not None:
        if not take_over:
            raise Refused("forbidden", [Problem("seat_held", seat=seat, seats=(seat,))])
        holder.lost = True
        holder.save(update_fields=["lost"])
    SeatHolder.objects.update_or_create(
        game=game, device=device, defaults={"player": player, "lost": False, "at": timezone.now()}
    )
    game_stir(game.pk)


@transaction.atomic
def seat_leave(*, game: Game, device: str) -> None:
    """The phone only watches from now on. What it told of a hand stays."""
    gone, _ = SeatHolder.objects.filter(game=game, device=device).delete()
    if gone:
        game_stir(game.pk)


@transaction.atomic
def hand_put(
    *, game: Game, number: int | None, claim: HandClaim, device: str = "", who: str = ""
) -> HandTold:
    """One hand of the coming round, told from its own phone; told again, it takes the place of the first.

    `number`: the round it is meant for (None: whichever is coming). Refused: "round_number" if that is not
    the coming one (closed meanwhile, or the game is finished), "not_found" if the seat does not play it,
    "forbidden" unless `device` is the seat's phone ("" for a program: a seat without one),
    "round_impossible" with what is wrong.
    """
    game = lock_game(game, None)
    sheet = sheet_of(game)
    now = _open_round(sheet)
    number = now if number is None else number
    if number != now:
        raise Refused("round_number", [round_number_problem(sheet, number)])
    player = _own_seat(sheet, claim.seat, now, device)
    told = hands_in(game, now)
    check = hand_check(sheet, now, claim, told)
    if check.problems or check.hand is None:
        raise Refused("round_impossible", check.problems)
    hand = check.hand
    new = HandTold(
        points=hand.points,
        out=hand.out,
        marker=hand.marker,
        tile_count=hand.tile_count,
        tiles=None if hand.tiles is None else [str(tile) for tile in hand.tiles],
        times=1,
    )
    old = told.get(claim.seat)
    if old is not None and old._replace(times=1) == new:
        return old  # sent twice
    if old is not None:
        new = new._replace(times=old.times + 1)
    HandIn.objects.update_or_create(
        game=game,
        player_id=player,
        round_number=now,
        defaults={**new._asdict(), "at": timezone.now(), "who": who},
    )
    game_stir(game.pk)
    return new


@transaction.atomic
def hand_remove(*, game: Game, seat: int, device: str = "") -> None:
    """Take a hand of the coming round out again; refused as `hand_put`. Nothing if it was not in."""
    game = lock_game(game, None)
    sheet = sheet_of(game)
    number = _open_round(sheet)
    player = _own_seat(sheet, seat, number, device)
    gone, _ = HandIn.objects.filter(game=game, player_id=player, round_number=number).delete()
    if gone:
        game_stir(game.pk)


def _open_round(sheet: Sheet) -> int:
    """The round whose hands can be told; Refused("round_number") once the game is finished."""
    number = coming(sheet)
    if number is None:
        raise Refused("round_number", [Problem("hands_over")])
    return number


def _own_seat(sheet: Sheet, seat: int, number: int, device: str) -> int:
    """The player's primary key, if this phone may tell their hand."""
    player = sheet.player(seat)
    if player is None or seat not in sheet.seats(number):
        wrong = Problem("seat_unknown", seat=seat, seats=(seat,), params={"kind": "not_here"})
        raise Refused("not_found", [wrong])
    if seats_held(sheet.game).get(seat, "") != device:
        raise Refused("forbidden", [Problem("seat_held", seat=seat, seats=(seat,))])
    return player.pk


@transaction.atomic
def round_confirm(
    *, game: Game, number: int, device: str = "", who: str = "", version: int | None = None
) -> Written:
    """A second person has seen round `number` as it stands. Confirmed already: nothing happens.

    Refused: "not_found" if there is no such round or the game asks for no second person; "forbidden" for
    the phone that entered it (`device` "" is a program's, and no phone's).
    """
    game = lock_game(game, version)
    row = Round.objects.filter(game=game, number=number).first()
    if not game.second_person:
        raise Refused("not_found", [Problem("confirm_unasked")])
    if row is None:
        raise Refused("not_found", [Problem("round_unknown", params={"number": number})])
    if row.confirmed:
        return Written(sheet_of(game))
    if device and row.device == device:
        raise Refused("forbidden", [Problem("same_phone", params={"number": number})])
    before = round_state(game, number)
    data: dict[str, Any] = before["rounds"][str(number)] | {"confirmed": True}
    write_round(game, number, data, None)
    return finish_write(
        game,
        action=Action.CONFIRMED,
        round_number=number,
        who=who,
        before=before,
        after={"rounds": {str(number): data}},
        keep_status=True,
    )
