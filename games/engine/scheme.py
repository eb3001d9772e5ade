"""How a season is scored: what is counted, what is dropped, what an absence costs, what parts equals.

Knows the choices and which of them fit together. Must not know results: `season` applies a scheme to them.
Schemes are a club's own; no rule page names one, so the rule column reads "club".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Literal

from games.engine.errors import Problem

Measure = Literal["points", "per_game", "per_round", "placement", "placement_average"]
Absence = Literal["blank", "own_average", "worst_plus_one"]
Late = Literal["from_joining", "as_absent"]

MEASURES: tuple[Measure, ...] = ("points", "per_game", "per_round", "placement", "placement_average")
ABSENCES: tuple[Absence, ...] = ("blank", "own_average", "worst_plus_one")
LATE: tuple[Late, ...] = ("from_joining", "as_absent")
MOST_NIGHTS = 400
MOST_POINTS = 1_000

# Which way is ahead in each tie-break. `points` and `best_night` go the season's own way.
TIEBREAKS: Mapping[str, Literal["more", "less", "own"]] = MappingProxyType(
    {
        "head_to_head": "more",
        "wins": "more",
        "zero_rounds": "more",
        "lowest_nonzero": "less",
        "beaten": "more",
        "points": "own",
        "best_night": "own",
        "nights": "more",
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scheme:
    """One way to score a season; the defaults are a sum of points, the lowest ahead.

    `measure`: the sum of `points`; points `per_game` or `per_round`; `placement` points of all games added
    up, or their average a night. `places`: the points for 1st, 2nd … in a game, those beyond get the last one
    given; None means the share of opponents beaten, which makes tables of any size comparable (0 to 1).
    `high_wins`: the games are scored so that most points win; placement is always high.
    `best`: only so many best nights count; None: all. `least_nights`: fewer nights give no place yet.
    `absence`: what a night missed costs. `late`: whether nights before somebody joined are missed ones.
    `guests_hold_places`: whether a guest's place in a game is a place, or is passed over.
    `tiebreaks`: codes of TIEBREAKS in order.
    """

    measure: Measure = "points"
    places: tuple[int, ...] | None = None
    high_wins: bool = False
    best: int | None = None
    least_nights: int = 0
    absence: Absence = "blank"
    late: Late = "from_joining"
    guests_hold_places: bool = False
    tiebreaks: tuple[str, ...] = ("zero_rounds", "lowest_nonzero")

    @property
    def by_place(self) -> bool:
        return self.measure in {"placement", "placement_average"}

    @property
    def high_is_good(self) -> bool:
        """Whether the greater value of `measure` is ahead.

        >>> Scheme().high_is_good, Scheme(measure="placement").high_is_good
        (False, True)
        """
        return self.by_place or self.high_wins


FIELDS = tuple(field.name for field in fields(Scheme))


def check_scheme(scheme: Scheme) -> list[Problem]:
    """All that is wrong with it, each with its `field` and what is `allowed`.

    >>> [(one.field, one.code) for one in check_scheme(Scheme(best=0, tiebreaks=("wins", "wins")))]
    [('best', 'scheme_number'), ('tiebreaks', 'scheme_twice')]
    """
    problems = []
    chosen: tuple[tuple[str, str, tuple[str, ...]], ...] = (
        ("measure", scheme.measure, MEASURES),
        ("absence", scheme.absence, ABSENCES),
        ("late", scheme.late, LATE),
    )
    for name, given, allowed in chosen:
        if given not in allowed:
            problems.append(_problem("scheme_choice", name, given=given, allowed=allowed))
    if scheme.best is not None and not 1 <= scheme.best <= MOST_NIGHTS:
        problems.append(_problem("scheme_number", "best", given=scheme.best, least=1, most=MOST_NIGHTS))
    if not 0 <= scheme.least_nights <= MOST_NIGHTS:
        problems.append(
            _problem("scheme_number", "least_nights", given=scheme.least_nights, least=0, most=MOST_NIGHTS)
        )
    for place, points in enumerate(scheme.places or (), start=1):
        if not 0 <= points <= MOST_POINTS:
            problems.append(
                _problem("scheme_number", "places", given=points, place=place, least=0, most=MOST_POINTS)
            )
    falling = scheme.places is None or list(scheme.places) == sorted(scheme.places, reverse=True)
    if scheme.places == () or not falling:
        problems.append(_problem("scheme_places", "places", given=scheme.places))
    problems += [
        _problem("scheme_choice", "tiebreaks", given=code, allowed=tuple(TIEBREAKS))
        for code in scheme.tiebreaks
        if code not in TIEBREAKS
    ]
    if len(set(scheme.tiebreaks)) < len(scheme.tiebreaks):
        problems.append(_problem("scheme_twice", "tiebreaks", given=scheme.tiebreaks))
    return problems


def _problem(code: str, field: str, **params: object) -> Problem:
    return Problem(code, field=field, params=params)
