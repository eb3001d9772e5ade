"""What people, trains and lists of a record are called in a sentence.

Knows language. Whatever was typed is shown with a sign for each character that nobody can see.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.engine.moves import MEXICAN
from games.engine.record import Record
from games.messages import listed, number
from games.names import FLAG_TAGS, JOINERS


def shown(text: object, most: int = 80) -> str:
    """The text on one line, cut to `most` characters, nothing in it that a terminal or page would obey.

    >>> shown("1. A\\t12-3>\\x1b[2J", most=12), shown("12-3>")
    ('1. A\N{REPLACEMENT CHARACTER}12-3>…', '12-3>')
    """
    line = "".join(sign if _seen(sign) else "\N{REPLACEMENT CHARACTER}" for sign in str(text))
    return line if len(line) <= most else f"{line[: most - 2]}…"


def _seen(sign: str) -> bool:
    """Whether it can be seen, or shapes what can: letters of some scripts, joined emoji, flags."""
    return sign.isprintable() or sign in JOINERS or sign in FLAG_TAGS


def several(words: Sequence[object], most: int = 14) -> str:
    """«5-3, 4-2 and 1-1»; beyond `most` the rest is counted: «5-3, 4-2 and 7 more».

    >>> several(["5-3", "4-2", "1-1"]), several(range(9), most=2)
    ('5-3, 4-2 and 1-1', '0, 1 and 7 more')
    """
    if len(words) <= most + 1:
        return listed(words)
    rest = len(words) - most
    more = ngettext("%(count)s more", "%(count)s more", rest) % {"count": number(rest)}
    return listed([*words[:most], more])


def runs(numbers: Iterable[int]) -> list[str]:
    """Ascending numbers in words, three and more in a row as one.

    >>> runs([1, 3, 4, 6, 7, 8])
    ['1', '3', '4', '6 to 8']
    """
    rows: list[list[int]] = []
    for one in numbers:
        if rows and rows[-1][-1] == one - 1:
            rows[-1].append(one)
        else:
            rows.append([one])
    words: list[str] = []
    for row in rows:
        if len(row) < 3:
            words += map(number, row)
        else:
            words.append(_("%(first)s to %(last)s") % {"first": number(row[0]), "last": number(row[-1])})
    return words


def either(words: Sequence[object], most: int = 6) -> str:
    """«5-3 or 4-2»; beyond `most`: «5-3, 4-2 or one of 7 more».

    >>> either(["5-3"]), either(["5-3", "4-2", "1-1"]), either(range(9), most=2)
    ('5-3', '5-3, 4-2 or 1-1', '0, 1 or one of 7 more')
    """
    if len(words) > most + 1:
        rest = _("one of %(count)s more") % {"count": number(len(words) - most)}
        words = [*words[:most], rest]
    texts = [str(word) for word in words]
    if len(texts) < 2:
        return "".join(texts)
    return _("%(first)s or %(last)s") % {"first": ", ".join(texts[:-1]), "last": texts[-1]}


@dataclass(frozen=True, slots=True)
class Named:
    """The names of a record's players and trains."""

    record: Record

    def player(self, player: str) -> str:
        """The name beside the id, with the id where another could be meant; the id where there is none."""
        if player not in self.record.players:
            return shown(player, most=20)
        name = self.record.names[self.record.players.index(player)]
        if name is None or name == player:
            return shown(player, most=20)
        others = [*self.record.names, *self.record.players]
        if others.count(name) > 1:
            return f"{shown(name, most=40)} ({shown(player, most=20)})"
        return shown(name, most=40)

    def train(self, train: str) -> str:
        """«Ben’s train», «the Mexican Train»."""
        if train == MEXICAN:
            return _("the Mexican Train")
        return _("%(who)s’s train") % {"who": self.player(train)}

    def everyone(self, players: Iterable[str]) -> str:
        """These players, as a list."""
        return several([self.player(player) for player in players])
