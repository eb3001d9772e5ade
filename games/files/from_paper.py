"""Makes a game of an old sheet: started, each round put, all through the services and all or nothing.

Knows in which order. Must not know text (`paper` read it) or sentences; the rules judge each round as ever.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.db import transaction

from games.engine.errors import Problem
from games.engine.scoring import HandClaim, RoundClaim
from games.engine.standings import Start
from games.files.paper import Line, Paper
from games.models import Game
from games.selectors import Sheet, sheet_of
from games.services import (
    NEXT_ENGINE,
    Refused,
    Setup,
    Started,
    adjustment_add,
    game_finish,
    game_start,
    may_be_disputed,
    player_add,
    player_change,
    round_put,
)


@dataclass(frozen=True, slots=True)
class Wrong:
    """What the rules say against one round; `may_stand`: it can be kept as disputed."""

    number: int
    problems: tuple[Problem, ...]
    may_stand: bool


class NotTaken(Exception):
    """The sheet is no game as it stands: nothing was saved. `wrong` are all rounds that cannot be."""

    def __init__(self, wrong: Sequence[Wrong], names: dict[int, str]) -> None:
        super().__init__(f"{len(wrong)} rounds")
        self.wrong = tuple(wrong)
        self.names = names


@dataclass(frozen=True, slots=True, kw_only=True)
class OldSheet:
    """A sheet with what its people say of it.

    `setup` names everybody on it in seat order. `blocked` and `standing` are numbers of rounds: nobody went
    out; kept as disputed, for `reason`. `ended`: the game was over after the last of them. `source` is the
    reason of every entry in the log.
    """

    setup: Setup
    paper: Paper
    source: str
    blocked: Collection[int] = field(default_factory=frozenset)
    standing: Collection[int] = field(default_factory=frozenset)
    reason: str = ""
    ended: bool = False
    who: str = ""


def wrong_in(old: OldSheet) -> NotTaken | None:
    """What would be refused, without making the game."""
    try:
        with transaction.atomic():
            game_from_paper(old=old)
            transaction.set_rollback(True)
    except NotTaken as refused:
        return refused
    return None


@transaction.atomic
def game_from_paper(*, old: OldSheet) -> Started:
    """The game of a sheet, with a log entry for each round. NotTaken."""
    rows = old.paper.points()
    here = [column for column in range(len(rows[0])) if not _away(old.paper, 0, column)]
    names = old.setup.players
    first = replace(old.setup, players=[names[column] for column in here])
    try:
        started = game_start(setup=first, who=old.who)
    except Refused as refused:
        raise NotTaken(
            [Wrong(1, refused.problems, may_stand=False)], dict(enumerate(first.players, 1))
        ) from refused
    game = started.sheet.game
    seats = {column: seat for seat, column in enumerate(here, start=1)}
    wrong: list[Wrong] = []
    for number, line in enumerate(old.paper.rounds, start=1):
        try:
            _come_and_go(game, old, number, seats)
        except Refused as refused:
            wrong.append(Wrong(number, refused.problems, may_stand=False))
            break
        found = _put(game, old, number, line, rows[number - 1], seats)
        if found is not None:
            wrong.append(found)
            if sheet_of(game).round(number) is None:
                break
    if wrong:
        raise NotTaken(wrong, sheet_of(game).names())
    try:
        _apart(game, old, seats)
    except Refused as refused:
        last = Wrong(len(rows), refused.problems, may_stand=False)
        raise NotTaken([last], sheet_of(game).names()) from refused
    if old.ended and sheet_of(game).next_number is not None:
        game_finish(game=game, who=old.who)
    return replace(started, sheet=sheet_of(Game.objects.get(pk=game.pk)))


def _away(paper: Paper, at: int, column: int) -> bool:
    return paper.rounds[at].cells[column].absent


def _come_and_go(game: Game, old: OldSheet, number: int, seats: dict[int, int]) -> None:
    """Who has a dash in this round does not play it; who has points again is back.

    Those who come are first: two may take the places of the last two.
    """
    sheet = sheet_of(Game.objects.get(pk=game.pk))
    gone = [_away(old.paper, number - 1, column) for column in range(len(old.setup.players))]
    for column, away in sorted(enumerate(gone), key=lambda one: one[1]):
        name = old.setup.players[column]
        player = sheet.player(seats[column]) if column in seats else None
        if player is None and not away:
            begin = old.paper.started[column] if old.paper.started else 0
            start = _start(sheet, begin)
            order = 1 + sum(other < column for other in seats)
            joined = player_add(game=game, name=name, start=start, order=order, who=old.who).sheet
            seats[column] = max(one.seat for one in joined.players)
            sheet = joined
        elif player is not None and away != (player.to_round is not None):
            sheet = player_change(game=game, seat=player.seat, retired=away, who=old.who).sheet


def _start(sheet: Sheet, total: int) -> Start:
    return next((how for how, value in sheet.starts().items() if value == total), "zero")


def _put(
    game: Game, old: OldSheet, number: int, line: Line, points: Sequence[int | None], seats: dict[int, int]
) -> Wrong | None:
    """Put one round; what is wrong with it, though it may be there then so that the next can be judged."""
    hands = tuple(
        HandClaim(seat=seats[column], points=value)
        for column, value in enumerate(points)
        if not line.cells[column].absent
    )
    claim = RoundClaim(
        engine=NEXT_ENGINE if line.engine is None else line.engine,
        ended="blocked" if line.blocked or number in old.blocked else "out",
        hands=hands,
    )
    stands = number in old.standing and bool(old.reason)
    about: dict[str, Any] = {"game": game, "number": number, "claim": claim, "who": old.who}
    try:
        sheet = round_put(**about, disputed=stands, reason=old.reason if stands else old.source).sheet
    except Refused as refused:
        may_stand = bool(refused.problems) and all(map(may_be_disputed, refused.problems))
        if may_stand:
            round_put(**about, disputed=True, reason=old.source)
        return Wrong(number, refused.problems, may_stand)
    return _counted(sheet, number)


def _counted(sheet: Sheet, number: int) -> Wrong | None:
    """What counts otherwise under the rules than on the sheet, where points are what counts."""
    entry = sheet.round(number)
    assert entry is not None  # noqa: S101 - it was put
    for seat, hand in entry.hands.items():
        if hand.score != hand.points:
            params = {"points": hand.points, "score": hand.score}
            return Wrong(number, (Problem("paper_score", seat=seat, params=params),), may_stand=False)
    return None


def _apart(game: Game, old: OldSheet, seats: dict[int, int]) -> None:
    """What the sheet's totals hold beside the rounds, as an adjustment."""
    sheet = sheet_of(Game.objects.get(pk=game.pk))
    for column, seat in seats.items():
        player = sheet.player(seat)
        given = old.paper.apart[column] if old.paper.apart else 0
        begin = old.paper.started[column] if old.paper.started else 0
        points = given + begin - (player.start_total if player else 0)
        if points:
            adjustment_add(game=game, seat=seat, points=points, reason=old.source, who=old.who)
