"""Places and ties → sentences: who wins, and why one stands above another.

Knows language. Must not judge: the facts are games.engine.standings.Reason and Row.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from games.engine.standings import Reason, Row
from games.messages import Names, listed, number

PLACES = (
    gettext_noop("1st"),
    gettext_noop("2nd"),
    gettext_noop("3rd"),
    gettext_noop("4th"),
    gettext_noop("5th"),
    gettext_noop("6th"),
    gettext_noop("7th"),
    gettext_noop("8th"),
    gettext_noop("9th"),
    gettext_noop("10th"),
    gettext_noop("11th"),
    gettext_noop("12th"),
    gettext_noop("13th"),
    gettext_noop("14th"),
)


def place_name(place: int) -> str:
    """«1st», «2nd» …, for as many as can sit at a table."""
    return _(PLACES[place - 1]) if 0 < place <= len(PLACES) else number(place)


def criterion_name(code: str) -> str:
    """What a line of a tie table compares."""
    names = {
        "total": _("Total"),
        "zero_rounds": _("Rounds out"),
        "lowest_nonzero": _("Lowest other round"),
    }
    return names.get(code, code)


def headline(table: Sequence[Row], names: Names, *, finished: bool) -> str:
    """Who wins, or leads so far: «Chitra wins with 248», «Ben and Chitra share 1st with 230»."""
    first = [row for row in table if row.place == 1]
    facts = {"who": listed([names[row.seat] for row in first]), "total": number(first[0].total)}
    if len(first) == 1:
        return (_("%(who)s wins with %(total)s") if finished else _("%(who)s leads with %(total)s")) % facts
    return (_("%(who)s share 1st with %(total)s") if finished else _("%(who)s lead with %(total)s")) % facts


def tie_reason(reason: Reason, names: Names) -> str:
    """One sentence with the figures: «Ann and Ben both have 42 and went out once each; Ann’s …»."""
    facts = _tie_facts(reason, names)
    if reason.code == "shared":
        return _("%(above)s and %(below)s share their place: %(equal)s.") % {
            **facts,
            "equal": equal_counts(reason),
        }
    if reason.code in {"retired", "total"}:
        return tie_verdict(reason, names)
    if len(reason.criteria) == 1 or reason.criteria[1].decides:
        start = _("%(above)s and %(below)s both have %(total)s; %(deciding)s")
    elif reason.criteria[1].code == "zero_rounds":
        zeros = reason.criteria[1].above or 0
        start = (
            _("%(above)s and %(below)s both have %(total)s and went out %(times)s each; %(deciding)s")
            if zeros
            else _("%(above)s and %(below)s both have %(total)s and never went out; %(deciding)s")
        )
        facts["times"] = times(zeros)
    else:
        start = _("%(above)s and %(below)s both have %(total)s and the same lowest other round; %(deciding)s")
    return start % {**facts, "deciding": _deciding(reason) % facts}


def _deciding(reason: Reason) -> str:
    deciding = next(line for line in reason.criteria if line.decides)
    if deciding.code == "zero_rounds":
        return _("%(above)s went out %(above_times)s, %(below)s %(below_times)s.")
    if deciding.below is None:
        return _("%(above)s’s lowest other round is %(above_value)s, %(below)s has none.")
    return _("%(above)s’s lowest other round is %(above_value)s, %(below)s’s %(below_value)s.")


def tie_verdict(reason: Reason, names: Names) -> str:
    """What stands under a tie table, where the figures are: «Level on total. Ann went out in more …»."""
    facts = _tie_facts(reason, names)
    level = _level(reason)
    match reason.code:
        case "shared":
            return tie_reason(reason, names)
        case "retired":
            text = _("%(below)s left the game and stands behind all who played on.")
        case "zero_rounds":
            text = _("%(level)s %(above)s went out in more rounds, so %(above)s is ahead.")
        case "lowest_nonzero" if reason.criteria[-1].below is None:
            text = _("%(level)s Only %(above)s has a round above 0, so %(above)s is ahead.")
        case "lowest_nonzero":
            text = _("%(level)s %(above)s’s lowest other round is smaller, so %(above)s is ahead.")
        case _:
            apart = abs((reason.criteria[0].above or 0) - (reason.criteria[0].below or 0))
            text = (
                ngettext(
                    "%(below)s has %(apart)s point more than %(above)s.",
                    "%(below)s has %(apart)s points more than %(above)s.",
                    apart,
                )
                if reason.criteria[0].relation == "less"
                else ngettext(
                    "%(below)s has %(apart)s point less than %(above)s, and most points win.",
                    "%(below)s has %(apart)s points less than %(above)s, and most points win.",
                    apart,
                )
            )
            facts["apart"] = number(apart)
    return text % {**facts, "level": level}


def shared_words(seats: Sequence[int], place: int, reason: Reason, names: Names) -> str:
    """«Ben and Chitra share 1st: equal on all three counts.»"""
    return _("%(all)s share %(place)s: %(equal)s.") % {
        "all": listed([names[seat] for seat in seats]),
        "place": place_name(place),
        "equal": equal_counts(reason),
    }


def equal_counts(reason: Reason) -> str:
    match len(reason.criteria):
        case 1:
            return _("equal on total")
        case 2:
            return _("equal on both counts")
    return _("equal on all three counts")


def times(count: int) -> str:
    """How often somebody went out: «never», «once», «twice», «3 times»."""
    words = (_("never"), _("once"), _("twice"))
    if count < len(words):
        return words[count]
    return ngettext("%(count)s time", "%(count)s times", count) % {"count": number(count)}


def _level(reason: Reason) -> str:
    equal = [line.code for line in reason.criteria if line.relation == "equal"]
    if "zero_rounds" in equal:
        return _("Level on total and on rounds out.")
    if "lowest_nonzero" in equal:
        return _("Level on total and on the lowest other round.")
    return _("Level on total.")


def _tie_facts(reason: Reason, names: Names) -> dict[str, str]:
    deciding = next((line for line in reason.criteria if line.decides), reason.criteria[-1])
    counted = deciding.code == "zero_rounds"  # any other value may be below 0
    return {
        "above": names[reason.above],
        "below": names[reason.below],
        "total": number(reason.criteria[0].above),
        "above_value": number(deciding.above),
        "below_value": number(deciding.below),
        "above_times": times((counted and deciding.above) or 0),
        "below_times": times((counted and deciding.below) or 0),
    }
