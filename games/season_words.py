"""A season's scheme and rows → sentences: how it is scored, why somebody is 3rd, and what hangs on a result.

Knows language, and how many digits a value needs. Must not judge: the facts are games.engine.season's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.engine.nights import Kind
from games.engine.scheme import Scheme
from games.engine.season import SeasonRow, Shift, Value, compare_rows
from games.messages import Names, listed, number
from games.place_words import PLACES, place_name

MOST_DIGITS = 4
MOST_SHIFTS = 4  # people who are named where many would move
LONG_WAY = 1_000  # farther than any place: into the table, or out of it


def digits_for(values: Iterable[Fraction | None], scheme: Scheme) -> int:
    """The fewest digits after the point that show different values differently (at most 4).

    Averages have one at least; whole sums none.
    """
    known = {value for value in values if value is not None}
    least = 0 if all(value.denominator == 1 for value in known) and _is_sum(scheme) else 1
    for digits in range(least, MOST_DIGITS):
        if len({_rounded(value, digits) for value in known}) == len(known):
            return digits
    return MOST_DIGITS


def shown(value: Value, digits: int = 0) -> str:
    """A value with so many digits after the point, rounded half away from zero; «–» for none."""
    if value is None:
        return "–"
    text = number_format(_rounded(Fraction(value), digits), force_grouping=True)
    return text.replace("-", "−")


def _rounded(value: Fraction, digits: int) -> str:
    shifted = abs(value) * 10**digits
    whole = (2 * shifted.numerator + shifted.denominator) // (2 * shifted.denominator)
    text = str(whole).rjust(digits + 1, "0")
    plain = f"{text[:-digits]}.{text[-digits:]}" if digits else text
    return f"-{plain}" if value < 0 and whole else plain


def _is_sum(scheme: Scheme) -> bool:
    return scheme.measure in {"points", "placement"}


def scheme_line(scheme: Scheme) -> str:
    """The scheme in one line, over the table: «Lowest average a round, at least 8 nights.»"""
    parts = [_measure_words(scheme)]
    if scheme.best is not None:
        best = ngettext("the best night", "the %(count)s best nights", scheme.best)
        parts.append(best % {"count": number(scheme.best)})
    if scheme.least_nights:
        least = ngettext("at least %(count)s night", "at least %(count)s nights", scheme.least_nights)
        parts.append(least % {"count": number(scheme.least_nights)})
    return _("%(what)s.") % {"what": ", ".join(parts)}


def _measure_words(scheme: Scheme) -> str:
    match scheme.measure:
        case "points":
            return _("Highest sum of points") if scheme.high_wins else _("Lowest sum of points")
        case "per_game":
            return _("Highest average a game") if scheme.high_wins else _("Lowest average a game")
        case "per_round":
            return _("Highest average a round") if scheme.high_wins else _("Lowest average a round")
        case "placement":
            return _("Most points for places") if scheme.places else _("Most opponents beaten, added up")
    return _("Most points for places a night") if scheme.places else _("Largest share of opponents beaten")


def scheme_words(scheme: Scheme) -> list[str]:
    """How it is scored, a sentence a rule, in the order in which a result passes them."""
    said = [scheme_line(scheme)]
    if scheme.by_place:
        said.append(_places_words(scheme))
        if scheme.guests_hold_places:
            said.append(_("A guest holds the place reached in the game, and is not in this table."))
        else:
            said.append(_("A guest’s place is passed over: the members behind move up."))
    if scheme.best is not None:
        best = ngettext(
            "Only the best night counts; the others are dropped.",
            "Only the %(count)s best nights count; the others are dropped.",
            scheme.best,
        )
        said.append(best % {"count": number(scheme.best)})
    said.append(_absence_words(scheme))
    if scheme.absence != "blank":
        said.append(
            _("Nights before somebody joined are missed nights.")
            if scheme.late == "as_absent"
            else _("Nights before somebody joined do not count against that person.")
        )
    said.append(_("Who forfeits is behind all at that table, with one more than the worst of them."))
    said.append(_("A night that is void stays readable and counts for nobody."))
    if scheme.tiebreaks:
        said.append(
            _("Who is level is parted by, in this order: %(list)s. Who is level in all shares the place.")
            % {"list": "; ".join(tiebreak_name(code) for code in scheme.tiebreaks)}
        )
        if scheme.best is not None:
            said.append(_("What parts them looks at every night somebody played, the dropped ones too."))
    else:
        said.append(_("Who is level shares the place."))
    return said


def scheme_changes(was: Scheme, now: Scheme) -> tuple[list[str], list[str]]:
    """The sentences of `now` that were not in `was`, and those of `was` that are gone."""
    before, after = scheme_words(was), scheme_words(now)
    return [line for line in after if line not in before], [line for line in before if line not in after]


def _places_words(scheme: Scheme) -> str:
    if scheme.places is None:
        return _(
            "A game is worth the share of opponents beaten, from 0 to 1, so that tables of any size compare; "
            "a level opponent is half beaten."
        )
    given = ", ".join(
        f"{place_name(place)}: {number(points)}" for place, points in enumerate(scheme.places, start=1)
    )
    return _("Points for places: %(list)s; shared places share their points.") % {"list": given}


def _absence_words(scheme: Scheme) -> str:
    match scheme.absence:
        case "blank":
            return _("A missed night counts nothing.")
        case "own_average" if scheme.measure in {"per_game", "per_round"}:
            return _("A missed night leaves the person’s average as it is.")
        case "own_average":
            return _("A missed night counts the person’s own average.")
    if scheme.by_place:
        return _("A missed night counts as the last place: 0.")
    if scheme.high_wins:
        return _("A missed night counts one point less than the least of that night.")
    return _("A missed night counts one point more than the worst of that night.")


def tiebreak_name(code: str) -> str:
    """What a tie-break looks at, as a list names it."""
    names = {
        "value": _("the table's figure"),
        "head_to_head": _("games against each other"),
        "wins": _("games won"),
        "zero_rounds": _("rounds out"),
        "lowest_nonzero": _("lowest other round"),
        "beaten": _("share of opponents beaten"),
        "points": _("points in all"),
        "best_night": _("best night"),
        "nights": _("nights played"),
    }
    return names.get(code, code)


def why(
    row: SeasonRow,
    rows: Sequence[SeasonRow],
    *,
    names: Names,
    dates: Mapping[int, str],
    scheme: Scheme,
) -> list[str]:
    """Why somebody stands there, point by point: the figures, what decided, and the nights that do not count.

    `names` by person, `dates` by night as the page writes them.
    """
    digits = digits_for((one.value for one in rows), scheme)
    said = [_own_figures(row, names, digits, scheme)]
    if row.place is None and scheme.least_nights > row.nights:
        needed = ngettext(
            "%(who)s has %(nights)s of the %(count)s night that a place needs.",
            "%(who)s has %(nights)s of the %(count)s nights that a place needs.",
            scheme.least_nights,
        )
        said.append(
            needed
            % {"who": names[row.person], "nights": number(row.nights), "count": number(scheme.least_nights)}
        )
    at = list(rows).index(row)
    if row.place is not None:
        pairs = [
            (rows[above], rows[below])
            for above, below in ((at - 1, at), (at, at + 1))
            if above >= 0 and below < len(rows) and rows[below].place is not None
        ]
        said += _neighbours(pairs, row, names, digits)
        for above, below in pairs:
            said += _decided(above, below, row, names, digits)
    said += _nights_apart(row, dates, digits)
    return said


def _own_figures(row: SeasonRow, names: Names, digits: int, scheme: Scheme) -> str:
    facts = {
        "who": names[row.person],
        "value": shown(row.value, digits),
        "points": number(row.points),
        "nights": nights_words(row.nights),
    }
    if row.value is None:
        return _("%(who)s has no night that counts yet.") % facts
    match scheme.measure:
        case "points":
            return _("%(value)s points: %(nights)s played.") % facts
        case "per_game" | "per_round":
            games = sum(one.games for one in row.results if one.counted)
            rounds = sum(one.rounds for one in row.results if one.counted)
            facts["points"] = number(sum(one.points for one in row.results if one.counted))
            if scheme.measure == "per_game":
                text = ngettext(
                    "%(points)s points in %(count)s game: an average of %(value)s.",
                    "%(points)s points in %(count)s games: an average of %(value)s.",
                    games,
                )
                return text % {**facts, "count": number(games)}
            text = ngettext(
                "%(points)s points in %(count)s round: an average of %(value)s.",
                "%(points)s points in %(count)s rounds: an average of %(value)s.",
                rounds,
            )
            return text % {**facts, "count": number(rounds)}
        case "placement":
            return _("%(value)s for places: %(nights)s played.") % facts
    return _("%(value)s a night for places: %(nights)s played.") % facts


def nights_words(count: int) -> str:
    return ngettext("%(count)s night", "%(count)s nights", count) % {"count": number(count)}


def _neighbours(
    pairs: Sequence[tuple[SeasonRow, SeasonRow]], row: SeasonRow, names: Names, digits: int
) -> list[str]:
    """Who stands next to a row where the table's own figure parts them, in one line."""
    said = []
    for above, below in pairs:
        if compare_rows(above, below).code == "value":
            other = below if above is row else above
            words = (
                _("Behind: %(who)s with %(value)s.") if above is row else _("Ahead: %(who)s with %(value)s.")
            )
            said.append(words % {"who": names[other.person], "value": shown(other.value, digits)})
    return [" ".join(said)] if said else []


def _decided(above: SeasonRow, below: SeasonRow, row: SeasonRow, names: Names, digits: int) -> list[str]:
    """What parts a row from its neighbour; nothing where the table's own figure does (`_neighbours`)."""
    reason = compare_rows(above, below)
    if reason.code == "value":
        return []
    other = below if above is row else above
    if reason.code == "shared":
        return [
            _("%(other)s is level in everything that counts, and shares %(place)s.")
            % {"other": names[other.person], "place": _place(row.place or 0)}
        ]
    code, one, two = reason.criteria[-1]
    mine, theirs = (one, two) if above is row else (two, one)
    return [
        _("%(other)s has %(value)s too. Decided by %(what)s: %(who)s %(mine)s, %(other)s %(theirs)s.")
        % {
            "other": names[other.person],
            "who": names[row.person],
            "value": shown(row.value, digits),
            "what": tiebreak_name(code),
            "mine": _tie_value(code, mine, digits),
            "theirs": _tie_value(code, theirs, digits),
        }
    ]


def _tie_value(code: str, value: Value, digits: int) -> str:
    if value is None:
        return _("none")
    if code in {"head_to_head", "beaten"}:
        return _("%(share)s%%") % {"share": shown(Fraction(value) * 100, 1)}
    return shown(value, digits if code == "best_night" else 0)


def _nights_apart(row: SeasonRow, dates: Mapping[int, str], digits: int) -> list[str]:
    """The nights that are dropped, missed, forfeited or void, each kind in one sentence."""
    said = []
    for kind, counted in APART:
        found = [one for one in row.results if one.kind == kind and one.counted == counted]
        if found:
            values = ", ".join(shown(one.value, digits) for one in found)
            facts = {"dates": listed([dates[one.night] for one in found]), "values": values}
            said.append(_apart_words(kind, counted=counted, count=len(found)) % facts)
    return said


APART: tuple[tuple[Kind, bool], ...] = (
    ("played", False),
    ("absent", True),
    ("absent", False),
    ("forfeit", True),
    ("forfeit", False),
    ("void", False),
)


def _apart_words(kind: Kind, *, counted: bool, count: int) -> str:
    match kind, counted:
        case "played", _any:
            return ngettext(
                "Dropped: the night of %(dates)s (%(values)s).",
                "Dropped: the nights of %(dates)s (%(values)s).",
                count,
            )
        case "absent", True:
            return ngettext(
                "Missed: the night of %(dates)s, counted as %(values)s.",
                "Missed: the nights of %(dates)s, counted as %(values)s.",
                count,
            )
        case "absent", False:
            return ngettext(
                "Missed: the night of %(dates)s; it counts nothing.",
                "Missed: the nights of %(dates)s; they count nothing.",
                count,
            )
        case "forfeit", True:
            return ngettext(
                "Forfeited: the night of %(dates)s, counted as %(values)s.",
                "Forfeited: the nights of %(dates)s, counted as %(values)s.",
                count,
            )
        case "forfeit", False:
            return ngettext(
                "Forfeited: the night of %(dates)s; it is dropped.",
                "Forfeited: the nights of %(dates)s; they are dropped.",
                count,
            )
    return ngettext(
        "The night of %(dates)s is void and counts for nobody.",
        "The nights of %(dates)s are void and count for nobody.",
        count,
    )


def shift_words(shifts: Sequence[Shift], names: Names, most: int = MOST_SHIFTS) -> str:
    """Who would stand where: «Ben is 3rd, Margaret-Rose 4th»; empty if nobody moves.

    Of more than `most` who move, those who move farthest, and how many more there are.
    """
    some = list(shifts)
    if len(some) > most + 1:
        some = sorted(some, key=_distance, reverse=True)[:most]
    parts = []
    for shift in sorted(some, key=lambda one: (one.other is None, one.other)):
        facts = {"who": names[shift.person], "place": stands(shift.other or 0)}
        if shift.other is None:
            parts.append(_("%(who)s has no place") % facts)
        else:
            parts.append((_("%(who)s is %(place)s") if not parts else _("%(who)s %(place)s")) % facts)
    if more := len(shifts) - len(some):
        text = ngettext("%(count)s more moves", "%(count)s more move", more)
        parts.append(text % {"count": number(more)})
    return ", ".join(parts)


def _distance(shift: Shift) -> int:
    if shift.place is None or shift.other is None:
        return LONG_WAY
    return abs(shift.place - shift.other)


def _place(place: int) -> str:
    """«3rd», «place 27»"""
    return place_name(place) if place <= len(PLACES) else _("place %(place)s") % {"place": number(place)}


def stands(place: int) -> str:
    """«3rd», and where words end, «in place 27»."""
    if place <= len(PLACES):
        return place_name(place)
    return _("in place %(place)s") % {"place": number(place)}
