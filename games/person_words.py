"""A person's figures and a club's records → words: shares, rows of the same, what hangs on a result in doubt.

Knows language. Must not judge: the facts are games.engine.person's.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from fractions import Fraction

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.engine.club_records import LEAST_NIGHTS, ClubRecord
from games.engine.nights import Entry, counts
from games.engine.person import MEASURED, Measure, Played
from games.messages import number
from games.rule_words import choice, label, set_name
from games.season_words import shown, stands

POINTS = 1  # digits of an average


def average(value: Fraction | None) -> str:
    """«41.6»"""
    return shown(value, POINTS)


def share(value: Fraction | None) -> str:
    """«58%»; a part that is not nothing is not shown as nothing, nor less than all as all."""
    if value is None:
        return "–"
    per_cent = min(max(value * 100, Fraction(1)), Fraction(99)) if 0 < value < 1 else value * 100
    return _("%(share)s%%") % {"share": shown(per_cent)}


def ahead(points: int | None) -> str:
    """How much better somebody was: «+25», «−11», «0»."""
    if points is None:
        return "–"
    return f"+{number(points)}" if points > 0 else number(points)


def day(on: date) -> str:
    """«12 Mar 2026»"""
    return date_format(on, "j M Y")


def games(count: int) -> str:
    return ngettext("%(count)s game", "%(count)s games", count) % {"count": number(count)}


def rounds(count: int) -> str:
    return ngettext("%(count)s round", "%(count)s rounds", count) % {"count": number(count)}


def measure_words(measure: Measure, among: Sequence[Measure]) -> str:
    """What is measured, as far as it must be told apart from others: «Double-12»; alone, who wins as well."""
    parts = [set_name(measure.max_pip)]
    if len(among) < 2 or len({one.high_wins for one in among}) > 1:
        parts.append(_("most points win") if measure.high_wins else _("fewest points win"))
    for name in MEASURED:
        if name not in {"max_pip", "scoring"} and len({getattr(one, name) for one in among}) > 1:
            parts.append(f"{label(name)}: {choice(name, getattr(measure, name))}")
    return ", ".join(parts)


def measure_code(measure: Measure) -> str:
    """How an address names it, the same whatever else is played: «12-penalty-pips-50-0-0-0-0-0»."""
    values = (getattr(measure, name) for name in MEASURED)
    return "-".join(str(int(value)) if isinstance(value, bool) else str(value) for value in values)


def place_of(place: int, field: int) -> str:
    """«2nd of 5»"""
    return _("%(place)s of %(field)s") % {"place": stands(place), "field": number(field)}


def doubt_words(
    what: str, now: Played, otherwise: Played | None, entry: Entry, other: Entry | None, name: str
) -> str:
    """What becomes of somebody's game if a doubt about it falls the other way."""
    facts = {"what": what, "who": name}
    if otherwise is None:
        return _("%(what)s is in doubt.") % facts
    if other is None or not counts(otherwise.result):
        return _("If %(what)s falls the other way, this game does not count.") % facts
    there, field = otherwise.place(other), len(otherwise.result.entries)
    facts |= {"points": number(other.points), "place": place_of(there, field)}
    if not counts(now.result):
        text = _("If %(what)s falls the other way, this game counts: %(who)s has %(points)s, %(place)s.")
        return text % facts
    if (there, other.points) == (now.place(entry), entry.points):
        return _("However %(what)s falls, the points and the place of %(who)s stay.") % facts
    return _("If %(what)s falls the other way, %(who)s has %(points)s and is %(place)s.") % facts


def record_name(record: ClubRecord, measure: Measure) -> str:
    """What the record is about; points with the games they are compared with."""
    if record.rounds is not None:
        best = record.code == "best_total"
        high = best == measure.high_wins
        text = (
            ngettext("Highest total, %(count)s round", "Highest total, %(count)s rounds", record.rounds)
            if high
            else ngettext("Lowest total, %(count)s round", "Lowest total, %(count)s rounds", record.rounds)
        )
        return text % {"count": number(record.rounds)}
    if record.code == "best_average":
        return (
            _("Highest average a round over a season")
            if measure.high_wins
            else _("Lowest average a round over a season")
        )
    return {
        "high_round": _("Biggest round"),
        "most_out": _("Most rounds out in one game"),
        "wins_in_row": _("Most games won in a row"),
        "wins": _("Most games won"),
        "nights": _("Most nights"),
        "nights_in_row": _("Most nights in a row"),
    }[record.code]


def record_value(record: ClubRecord) -> str:
    return average(record.value) if isinstance(record.value, Fraction) else number(record.value)


def how_records_count() -> list[str]:
    return [
        _("Who did equally well shares a record. Guests play and hold none."),
        _("A total is held against totals of as many rounds, and only if every one of them was played."),
        ngettext(
            "An average over a season needs half of its nights, and %(count)s at least.",
            "An average over a season needs half of its nights, and %(count)s at least.",
            LEAST_NIGHTS,
        )
        % {"count": number(LEAST_NIGHTS)},
        _("What is void, abandoned or forfeited does not count. A result in doubt counts as it stands."),
    ]


def how_figures_count() -> list[str]:
    return [
        _("A place is the one in the game; guests are opponents there."),
        _("Averages are of what the rounds brought: penalties and bonuses are part of a total only."),
        _("A total is held against totals of as many rounds, and only if every one of them was played."),
        _("What is void, abandoned or forfeited does not count. A result in doubt counts as it stands."),
    ]
