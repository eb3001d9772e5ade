"""What people talk about, in sentences: who led when, the dear engines, the swing, what decided the game.

Knows language. Must not judge: the facts are games.engine.talk's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.engine.talk import EngineCost, Lead, Talk
from games.messages import Names, double, listed, number


def talk_sentences(
    talk: Talk, names: Names, engines: Mapping[int, int], *, finished: bool
) -> list[tuple[str, str]]:
    """(what it is about, the sentence), in the order people ask; `engines` by round number."""
    return [
        (title, text)
        for title, text in (
            (_("The round that decided it"), _decided(talk, names, engines) if finished else ""),
            (_("Who led when"), lead_words(talk.leads, names)),
            (_("Biggest swing"), _swing(talk, names, engines)),
            (_("Dearest engine"), _engine(talk.dearest)),
            (_("Cheapest engine"), _engine(talk.cheapest)),
        )
        if text
    ]


def _decided(talk: Talk, names: Names, engines: Mapping[int, int]) -> str:
    if talk.decided is None or not talk.leads:
        return ""
    facts = {"who": listed([names[seat] for seat in talk.leads[-1].seats])}
    if talk.decided.number is not None:
        at = talk.decided.number
        facts |= {"number": number(at), "engine": double(engines[at])}
    match talk.decided.code:
        case "start":
            return _("%(who)s led from the first round to the last.") % facts
        case "round":
            return _("Round %(number)s, engine %(engine)s: from then on %(who)s was never caught.") % facts
        case "tiebreak":
            return _("No round: level on total at the end, the tie-break decided.")
    return _("No round: the first place is shared.")


def lead_words(leads: Sequence[Lead], names: Names) -> str:
    """«Ann in rounds 1–3, Ben and Chitra level in round 4, Ben in rounds 5–13. The lead changed twice.»"""
    if not leads:
        return ""
    parts = "; ".join(_stretch(lead, names) for lead in leads)
    changes = len(leads) - 1
    if not changes:
        return _("%(stretches)s. The lead never changed.") % {"stretches": parts}
    return ngettext(
        "%(stretches)s. The lead changed %(count)s time.",
        "%(stretches)s. The lead changed %(count)s times.",
        changes,
    ) % {"stretches": parts, "count": number(changes)}


def _stretch(lead: Lead, names: Names) -> str:
    facts = {
        "who": listed([names[seat] for seat in lead.seats]),
        "first": number(lead.first),
        "last": number(lead.last),
    }
    if lead.first == lead.last:
        if len(lead.seats) > 1:
            return _("%(who)s level in round %(first)s") % facts
        return _("%(who)s in round %(first)s") % facts
    if len(lead.seats) > 1:
        return _("%(who)s level in rounds %(first)s–%(last)s") % facts
    return _("%(who)s in rounds %(first)s–%(last)s") % facts


def _swing(talk: Talk, names: Names, engines: Mapping[int, int]) -> str:
    if talk.swing is None:
        return ""
    return ngettext(
        "Round %(number)s, engine %(engine)s: %(gainers)s gained %(points)s point on %(losers)s.",
        "Round %(number)s, engine %(engine)s: %(gainers)s gained %(points)s points on %(losers)s.",
        talk.swing.points,
    ) % {
        "number": number(talk.swing.number),
        "engine": double(engines[talk.swing.number]),
        "gainers": listed([names[seat] for seat in talk.swing.gainers]),
        "losers": listed([names[seat] for seat in talk.swing.losers]),
        "points": number(talk.swing.points),
    }


def _engine(costs: Sequence[EngineCost]) -> str:
    """«9-9, round 4: 86 points a hand.» A broken number is rounded to one half up."""
    if not costs:
        return ""
    each = costs[0].each
    whole = (2 * each.numerator + each.denominator) // (2 * each.denominator)
    rounds = listed(list(_played(costs)))
    if each.denominator == 1:
        text = ngettext(
            "%(rounds)s: %(points)s point a hand.", "%(rounds)s: %(points)s points a hand.", whole
        )
    else:
        text = ngettext(
            "%(rounds)s: about %(points)s point a hand.", "%(rounds)s: about %(points)s points a hand.", whole
        )
    return text % {"rounds": rounds, "points": number(whole)}


def _played(costs: Sequence[EngineCost]) -> Iterator[str]:
    for cost in costs:
        yield _("%(engine)s in round %(number)s") % {
            "engine": double(cost.engine),
            "number": number(cost.number),
        }
