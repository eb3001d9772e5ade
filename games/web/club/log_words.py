"""A line of a club's log in words: what was done, and what it was before.

Knows every kind of change in a club. Must not know requests.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.club_messages import day_words
from games.messages import listed, people_title
from games.models import ClubAction, ClubEntry, ClubLink, ClubRole
from games.season_words import scheme_changes
from games.standing_rows import scheme_from_data

Names = Mapping[int, str]  # members by number
NOBODY: Names = {}


def title(entry: ClubEntry) -> str:
    """One line: «Ben’s role is scorer now», «Benn and Ben are one: Ben has all results»."""
    return TITLES[ClubAction(entry.action)](entry)


def notes(entry: ClubEntry, names: Names = NOBODY) -> list[str]:
    """What more there is to say, a sentence each; the reason is the entry's own."""
    more = NOTES.get(ClubAction(entry.action))
    return [] if more is None else more(entry, names)


def role_name(role: object) -> str:
    return str(ClubRole(str(role)).label)


def _founded(entry: ClubEntry) -> str:
    return _("The club is founded")


def _changed(entry: ClubEntry) -> str:
    was, now = entry.before, entry.after
    said = []
    if was.get("name") != now.get("name"):
        said.append(_("The club is called “%(name)s”, no longer “%(was)s”") % {**now, "was": was.get("name")})
    if was.get("public") != now.get("public"):
        said.append(
            _("Anybody may read the tables") if now.get("public") else _("Only the club reads the tables")
        )
    return " · ".join(said) or _("The club is changed")


def _link_replaced(entry: ClubEntry) -> str:
    if entry.about == ClubLink.INVITE:
        return _("The invitation is stopped, a new one made")
    return _("The link to read is stopped, a new one made")


def _member_added(entry: ClubEntry) -> str:
    return _("%(name)s is added") % {"name": entry.about}


def _member_changed(entry: ClubEntry) -> str:
    was, now = entry.before, entry.after
    if was.get("left_on") and not now.get("left_on"):
        return _("%(name)s is back") % {"name": entry.about}
    if was.get("name") != now.get("name"):
        return _("%(was)s is called %(name)s") % {"was": was.get("name"), "name": entry.about}
    if was.get("role") != now.get("role"):
        return _("%(name)s’s role is %(role)s now") % {"name": entry.about, "role": role_name(now["role"])}
    return _("%(name)s’s days are changed") % {"name": entry.about}


def _member_changes(entry: ClubEntry, names: Names) -> list[str]:
    was, now = entry.before, entry.after
    said = []
    if was.get("name") != now.get("name") and was.get("role") != now.get("role"):
        said.append(_("Role: %(role)s.") % {"role": role_name(now["role"])})
    if was.get("role") != now.get("role"):
        said.append(_("Was %(role)s.") % {"role": role_name(was["role"])})
    for field, words in (("joined_on", _("Joined: %(day)s.")), ("left_on", _("Left: %(day)s."))):
        if was.get(field) != now.get(field):
            said.append(words % {"day": _day(now.get(field))})
            said += [_("Was %(day)s.") % {"day": _day(was[field])}] if was.get(field) else []
    return said


def _day(text: object) -> str:
    return day_words(text) if text else "–"


def _member_linked(entry: ClubEntry) -> str:
    name = {"name": entry.about}
    if not entry.after.get("linked"):
        return _("%(name)s’s account is taken off") % name
    if entry.after.get("new"):
        return _("%(name)s joins by the invitation") % name
    return _("%(name)s has an account now") % name


def _member_left(entry: ClubEntry) -> str:
    return _("%(name)s leaves on %(day)s") % {"name": entry.about, "day": _day(entry.after.get("left_on"))}


def _members_merged(entry: ClubEntry) -> str:
    gone = entry.before.get("gone", {}).get("name", "")
    return _("%(gone)s and %(name)s are one: %(name)s has all results") % {"gone": gone, "name": entry.about}


def _season_added(entry: ClubEntry) -> str:
    return _("The season “%(name)s” is added") % {"name": entry.about}


def _season_changed(entry: ClubEntry) -> str:
    return _("The season “%(name)s” is changed") % {"name": entry.about}


def _season_changes(entry: ClubEntry, names: Names) -> list[str]:
    was, now = entry.before, entry.after
    said = []
    if was.get("name") != now.get("name"):
        said.append(_("It was called “%(name)s”.") % {"name": was.get("name")})
    if [was.get("starts_on"), was.get("ends_on")] != [now.get("starts_on"), now.get("ends_on")]:
        facts = {"from": _day(now.get("starts_on")), "to": _day(now.get("ends_on"))}
        said.append(_("From %(from)s to %(to)s.") % facts)
    return said


def _scheme_changed(entry: ClubEntry) -> str:
    return _("“%(name)s” is scored otherwise") % {"name": entry.about}


def _scheme_changes(entry: ClubEntry, names: Names) -> list[str]:
    now, was = (scheme_from_data(side["scheme"]) for side in (entry.after, entry.before))
    new, old = scheme_changes(was, now)
    return [
        *(_("Now: %(line)s") % {"line": line} for line in new),
        *(_("Before: %(line)s") % {"line": line} for line in old),
    ]


def _night_changed(entry: ClubEntry) -> str:
    day = {"day": day_words(entry.about)}
    if entry.after.get("void"):
        return _("The night of %(day)s does not count") % day
    return _("The night of %(day)s counts again") % day


def _game(entry: ClubEntry) -> str:
    """The game's name, else who sat at it then."""
    names = entry.after.get("names") or entry.before.get("names") or {}
    return _("“%(name)s”") % {"name": entry.about} if entry.about else people_title(list(names.values()))


def _night_game(entry: ClubEntry) -> str:
    """The game and its night."""
    facts = {"day": _day(entry.after.get("on")), "game": _game(entry)}
    return _("%(game)s, %(day)s") % facts


def _game_added(entry: ClubEntry) -> str:
    return _("On the night of %(day)s: %(game)s") % {"day": _day(entry.after.get("on")), "game": _game(entry)}


def _game_changed(entry: ClubEntry) -> str:
    was, now = entry.before, entry.after
    if was.get("void") != now.get("void"):
        words = _("Does not count: %(game)s") if now.get("void") else _("Counts again: %(game)s")
        return words % {"game": _night_game(entry)}
    return _("Who sat where: %(game)s") % {"game": _night_game(entry)}


def _game_removed(entry: ClubEntry) -> str:
    facts = {"day": _day(entry.before.get("on")), "game": _game(entry)}
    return _("Taken from the night of %(day)s: %(game)s") % facts


def _game_changes(entry: ClubEntry, names: Names) -> list[str]:
    was, now = entry.before.get("seats", {}), entry.after.get("seats", {})
    said = []
    for seat in sorted({*was, *now}, key=int):
        old, new = was.get(seat, {}), now.get(seat, {})
        facts = {"seat": seat, "now": _sits(new, names), "was": _sits(old, names)}
        if was and old.get("member") != new.get("member"):
            said.append(_("Seat %(seat)s: %(now)s, was %(was)s.") % facts)
        if bool(old.get("forfeit")) != bool(new.get("forfeit")):
            words = _("%(now)s forfeits.") if new.get("forfeit") else _("%(now)s does not forfeit.")
            said.append(words % facts)
    return said


def _game_people(entry: ClubEntry, names: Names) -> list[str]:
    seats = entry.after.get("seats") or entry.before.get("seats") or {}
    members = [_sits(seats[seat], names) for seat in sorted(seats, key=int) if seats[seat].get("member")]
    guests = len(seats) - len(members)
    more = ngettext("%(count)s guest", "%(count)s guests", guests) % {"count": guests}
    who = listed([*members, more] if guests else members)
    return [_("%(who)s.") % {"who": who}] if who else []


def _sits(seat: Mapping[str, Any], names: Names) -> str:
    number = seat.get("member")
    if number is None:
        return _("a guest")
    return names.get(number) or _("member %(number)s") % {"number": number}


def _doubt_raised(entry: ClubEntry) -> str:
    return _("A result is in doubt: %(game)s") % {"game": _night_game(entry)}


def _doubt_decided(entry: ClubEntry) -> str:
    words = _("The result stands: %(game)s") if entry.after.get("stands") else _("The result falls: %(game)s")
    return words % {"game": _night_game(entry)}


def _doubt_reopened(entry: ClubEntry) -> str:
    return _("In doubt again, by an appeal: %(game)s") % {"game": _night_game(entry)}


def _doubt_other(entry: ClubEntry, names: Names) -> list[str]:
    other = entry.after.get("other", {})
    if other.get("void"):
        return [_("It is about whether the game counts.")]
    if "round" in other:
        facts = {**other, "name": entry.after["names"].get(str(other["seat"]), "")}
        return [_("It is about round %(round)s: does %(name)s have %(points)s?") % facts]
    return []


def _brought_in(entry: ClubEntry) -> str:
    return _("Brought in from a file: %(what)s") % {"what": entry.about}


def _brought_in_all(entry: ClubEntry, names: Names) -> list[str]:
    """The season it went into, and who is new."""
    after, said = entry.after, []
    if "season" in after:
        games, nights = after["games"], len(after["nights"])
        facts = {
            "games": ngettext("%(count)s game", "%(count)s games", games) % {"count": games},
            "nights": ngettext("%(count)s night", "%(count)s nights", nights) % {"count": nights},
            "name": after["name"],
        }
        said.append(_("%(games)s of %(nights)s of “%(name)s”.") % facts)
    if members := after.get("members"):
        many = ngettext("%(count)s new member: %(who)s.", "%(count)s new members: %(who)s.", len(members))
        who = listed([member["name"] for member in members])
        said.append(many % {"count": len(members), "who": who})
    return said


TITLES: Mapping[ClubAction, Callable[[ClubEntry], str]] = {
    ClubAction.FOUNDED: _founded,
    ClubAction.CHANGED: _changed,
    ClubAction.LINK_REPLACED: _link_replaced,
    ClubAction.MEMBER_ADDED: _member_added,
    ClubAction.MEMBER_CHANGED: _member_changed,
    ClubAction.MEMBER_LINKED: _member_linked,
    ClubAction.MEMBER_LEFT: _member_left,
    ClubAction.MEMBERS_MERGED: _members_merged,
    ClubAction.SEASON_ADDED: _season_added,
    ClubAction.SEASON_CHANGED: _season_changed,
    ClubAction.SCHEME_CHANGED: _scheme_changed,
    ClubAction.NIGHT_CHANGED: _night_changed,
    ClubAction.GAME_ADDED: _game_added,
    ClubAction.GAME_CHANGED: _game_changed,
    ClubAction.GAME_REMOVED: _game_removed,
    ClubAction.DOUBT_RAISED: _doubt_raised,
    ClubAction.DOUBT_DECIDED: _doubt_decided,
    ClubAction.DOUBT_REOPENED: _doubt_reopened,
    ClubAction.BROUGHT_IN: _brought_in,
}
NOTES: Mapping[ClubAction, Callable[[ClubEntry, Names], list[str]]] = {
    ClubAction.MEMBER_CHANGED: _member_changes,
    ClubAction.SEASON_CHANGED: _season_changes,
    ClubAction.SCHEME_CHANGED: _scheme_changes,
    ClubAction.BROUGHT_IN: _brought_in_all,
    ClubAction.GAME_ADDED: _game_people,
    ClubAction.GAME_CHANGED: _game_changes,
    ClubAction.GAME_REMOVED: _game_people,
    ClubAction.DOUBT_RAISED: _doubt_other,
    ClubAction.DOUBT_DECIDED: _doubt_other,
    ClubAction.DOUBT_REOPENED: _doubt_other,
}
