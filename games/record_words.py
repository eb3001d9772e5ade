"""What a replay found, in words: each code, each reason why a record cannot be read, each fact of a clash.

Knows language, and the record the words are about. Must not judge: `engine.replay` and `engine.reading` found
what is said here. `clash_words` tells facts that cannot all be true.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.clash_words import clash_lines
from games.engine.breaches import BREACHES
from games.engine.errors import Problem
from games.engine.lookalikes import Lookalike
from games.engine.moves import Lay
from games.engine.record import Record
from games.engine.replay import Violation
from games.engine.rules import PRESETS
from games.engine.suits import tile_text
from games.messages import Message, double, listed, number
from games.record_names import Named, either, runs, several, shown
from games.rule_words import PRESET_NAMES


def sentence(record: Record, violation: Violation) -> str:
    """The whole on one line: where, what is wrong, what would be right, which rule says so.

    >>> from games.engine.reading import parse_record
    >>> from games.engine.replay import replay
    >>> text = "set: 6\\nplayers: A=Ann, B\\ndeal: 4\\nengine: 6-6 A\\n1. A 6-3 3-2\\n2. B - \\n3. A 5-1>M"
    >>> sentence((found := replay(parse_record(text))).record, found.violation)
    'Turn 3, line 7: Ann cannot lay 5-1 on the Mexican Train. It shows 6. Our reading; ThoughtCo is silent.'
    """
    said = breach(record, violation)
    facts = "; ".join(clash(record, violation))
    parts = (place(violation), said.lead, facts and f"{facts}.", said.rest, rule(record, violation))
    return " ".join(part for part in parts if part)


def breach(record: Record, violation: Violation) -> Message:
    """What is wrong, then what would be right; neither place nor rule."""
    say = SENTENCES.get(violation.code)
    return Message(violation.code) if say is None else say(Told(record, violation))


def clash(record: Record, violation: Violation) -> list[str]:
    """The facts that cannot all be true, a line each, at most eight; empty where it is no clash."""
    return clash_lines(record, violation.clash)


def place(violation: Violation) -> str:
    """«Turn 3, line 7:», as far as it has them."""
    about = {"turn": number(violation.turn), "line": number(violation.line)}
    if violation.turn and violation.line:
        return _("Turn %(turn)s, line %(line)s:") % about
    if violation.turn:
        return _("Turn %(turn)s:") % about
    return _("Line %(line)s:") % about if violation.line else ""


def rule(record: Record, violation: Violation) -> str:
    """The rule that is broken and whose it is; empty where the record contradicts itself and no rule."""
    about = {"rule": violation.rule, "source": PRESET_NAMES[record.rules.preset]}
    match whose(record, violation):
        case Whose.SOURCE:
            return _("Rule %(rule)s (%(source)s).") % about
        case Whose.OWN:
            return _("A rule of this table’s own.")
        case Whose.READING:
            return _("Our reading; %(source)s is silent.") % about
    return ""


class Whose(Enum):
    """Whose rule is broken: the source's by its number, the table's own, what we read; or no rule is."""

    SOURCE = "source"
    OWN = "own"
    READING = "reading"
    NOBODY = ""


def whose(record: Record, violation: Violation) -> Whose:
    """Where the rule that is broken comes from."""
    if violation.rule is not None:
        return Whose.SOURCE
    fields = fields_of(violation)
    if not fields or (violation.code == "already_laid" and violation.turn):
        return Whose.NOBODY
    return Whose.OWN if own_field(record, violation) else Whose.READING


def own_field(record: Record, violation: Violation) -> str | None:
    """The field of the rule set that this table chose for itself and that is behind the breach."""
    ours, theirs = record.rules, PRESETS[record.rules.preset]
    changed = (name for name in fields_of(violation) if name and getattr(ours, name) != getattr(theirs, name))
    return next(changed, None)


def fields_of(violation: Violation) -> list[str | None]:
    """The fields that decide a breach of this code; None among them where it hangs on none."""
    codes = (field for key, (field, _rules) in BREACHES.items() if key.split()[0] == violation.code)
    return list(dict.fromkeys(codes))


def note(record: Record, problem: Problem) -> str:
    """What is worth knowing and changes no verdict."""
    say = NOTES.get(problem.code)
    return problem.code if say is None else say(record, problem.params)


def unread(problem: Problem) -> str:
    """Why the record cannot be read: the line, the column, the text and what could stand there."""
    params = dict(problem.params)
    where = _("Line %(line)s, column %(column)s:") % {
        "line": number(params["line"]),
        "column": number(params["column"]),
    }
    say = UNREAD.get(str(params["reason"]))
    if say is None:
        return f"{where} {params['reason']}"
    about = {name: number(value) for name, value in params.items()}
    allowed = params.get("allowed")
    if isinstance(allowed, tuple):
        about["allowed"] = either(allowed)
    about["text"] = shown(params["text"], most=40)
    return f"{where} {say() % about}"


def lookalike(one: Lookalike) -> str:
    """«Lines 3 to 14: “–” is not the plain “-” that a record has.»"""
    said = _("a space there is not the plain one that a record has.")
    if one.right != " ":
        said = _("“%(sign)s” is not the “%(right)s” that a record has.")
    return f"{_lines(one.lines)} {said % {'sign': one.sign, 'right': one.right}}"


def _lines(lines: Sequence[int]) -> str:
    """«Lines 3 to 5, 8 and 9:»"""
    text = ngettext("Line %(lines)s:", "Lines %(lines)s:", len(lines))
    return text % {"lines": several(runs(lines), most=8)}


def mend(found: Sequence[Lookalike]) -> str:
    """What the button does: «Write - for each –», «Write - for each – and > for each →»."""
    return _("Write %(signs)s") % {"signs": listed([_each(one) for one in found])}


def mended(found: Sequence[Lookalike]) -> list[str]:
    """What it did: «Lines 3 to 14: “–” became “-”, 23 times.»"""
    return [_mended(one) for one in found]


def _mended(one: Lookalike) -> str:
    times = len(one.places)
    facts = {"sign": one.sign, "right": one.right, "times": number(times)}
    if one.right == " ":
        said = ngettext("a space became a plain one.", "%(times)s spaces became plain ones.", times)
    else:
        said = ngettext(
            "“%(sign)s” became “%(right)s”.", "“%(sign)s” became “%(right)s”, %(times)s times.", times
        )
    return f"{_lines(one.lines)} {said % facts}"


def _each(one: Lookalike) -> str:
    if one.right == " ":
        return _("a plain space for each other one")
    return _("%(right)s for each %(sign)s") % {"right": one.right, "sign": one.sign}


@dataclass(frozen=True, slots=True)
class Told:
    """A violation with its facts and the names of its record within reach of a sentence."""

    record: Record
    violation: Violation

    def __getitem__(self, fact: str) -> Any:
        return self.violation.params[fact]

    def get(self, fact: str) -> Any:
        return self.violation.params.get(fact)

    @property
    def names(self) -> Named:
        return Named(self.record)

    def fill(self, text: str, **more: object) -> str:
        about: dict[str, object] = {"who": self.names.player(str(self.get("player") or ""))}
        if self.get("tile") is not None:
            about["tile"] = shown(self["tile"])
        if self.get("train") is not None:
            about["train"] = self.names.train(self["train"])
            about["shows"] = self["ends"].get(self["train"], "")
        return text % {**about, **more}

    def say(self, lead: str, rest: str = "", **more: object) -> Message:
        return Message(self.fill(lead, **more), self.fill(rest, **more))

    def places(self, fact: str) -> str:
        """«5-5 on the Mexican Train»: open doubles; «5-3 on Ben’s train»: tiles that fitted."""
        return self.listed(self.pairs(fact))

    def listed(self, pairs: Sequence[tuple[str, str]]) -> str:
        """These tiles on these trains, one of which it may be."""
        on = _("%(tile)s on %(train)s")
        return either([on % {"tile": tile, "train": self.names.train(train)} for tile, train in pairs])

    def pairs(self, fact: str) -> list[tuple[str, str]]:
        """Tiles with trains, each tile once; a double is told as the tile it is."""
        if fact == "could":
            first: dict[str, str] = {}
            for tile, train in self["could"]:
                first.setdefault(tile, train)
            return list(first.items())
        return [(double(pip), train) for train, pip in self[fact]]

    def fitted(self) -> str:
        """What the player could have laid, as a sentence; empty where nothing is known to fit."""
        places = self.places("could") if self.get("could") else ""
        return places and self.fill(_("%(who)s could lay %(places)s."), places=places)


def _unknown_player(told: Told) -> Message:
    everyone = told.names.everyone(told.record.players)
    rest = _("The players are %(everyone)s.")
    if told.get("train") is not None:
        lead = _("There is no train of %(unknown)s.")
        return told.say(lead, rest, unknown=shown(told["train"], most=20), everyone=everyone)
    return told.say(_("%(who)s is none of the players."), rest, everyone=everyone)


def _out_of_turn(told: Told) -> Message:
    return told.say(
        _("%(who)s plays out of turn."), _("It is %(next)s’s turn."), next=told.names.player(told["next"])
    )


def _round_over(told: Told) -> Message:
    out = [told.names.player(player) for player in told["out"]]
    return told.say(_("%(who)s plays though the round is over."), _("%(out)s went out."), out=several(out))


def _not_in_set(told: Told) -> Message:
    top = double(told.record.rules.max_pip)
    return told.say(_("%(who)s cannot have %(tile)s."), _("The tiles of this set end at %(top)s."), top=top)


def _already_laid(told: Told) -> Message:
    engine = double(told.record.engine)
    if not told.violation.turn:
        return told.say(
            _("%(who)s cannot have had %(tile)s, the engine."), _("It is set aside before tiles are dealt.")
        )
    if told["tile"] == engine:
        return told.say(_("%(who)s cannot have %(tile)s."), _("It is the engine."))
    for at, turn in enumerate(told.record.turns[: told.violation.turn], start=1):
        for action in turn.actions:
            if isinstance(action, Lay) and tile_text(action.number) == told["tile"]:
                return told.say(
                    _("%(who)s cannot have %(tile)s."),
                    _("%(other)s laid it at turn %(at)s."),
                    other=told.names.player(turn.player),
                    at=number(at),
                )
    return told.say(_("%(who)s cannot have %(tile)s."), _("It lies on the table already."))


def _not_in_hand(told: Told) -> Message:
    if not told.violation.turn:
        return told.say(_("%(who)s cannot have laid the engine."), _("%(tile)s is not in that hand."))
    if told.get("train") is None:
        return told.say(_("%(who)s cannot draw %(tile)s."), _("It is in that hand already."))
    return told.say(_("%(who)s does not have %(tile)s."), _("All tiles of that hand are known."))


def _no_match(told: Told) -> Message:
    return told.say(_("%(who)s cannot lay %(tile)s on %(train)s."), _("It shows %(shows)s."))


def _train_closed(told: Told) -> Message:
    return told.say(_("%(who)s cannot lay %(tile)s on %(train)s."), _("It is closed: no marker is on it."))


def _mexican_not_yet(told: Told) -> Message:
    return told.say(
        _("%(who)s cannot start the Mexican Train with %(tile)s."),
        _("It starts in the second turn."),
    )


def _own_train_first(told: Told) -> Message:
    return told.say(
        _("%(who)s cannot lay %(tile)s on %(train)s."),
        _("The first turn is for %(own)s alone."),
        own=told.names.train(told["player"]),
    )


def _must_cover(told: Told) -> Message:
    if told["bound"]:
        return told.say(
            _("%(who)s cannot lay %(tile)s on %(train)s."),
            _("An open double comes first: %(doubles)s."),
            doubles=told.places("bound"),
        )
    return told.say(
        _("%(who)s cannot lay %(tile)s on %(train)s."),
        _("After several doubles the next tile goes on one of them: %(doubles)s."),
        doubles=_mine(told),
    )


def _mine(told: Told) -> str:
    """The doubles of this turn that the next tile may go on."""
    pairs = told.pairs("doubles")
    order = told.record.rules.close_order
    chosen = pairs if order == "any" else pairs[:1] if order == "oldest" else pairs[-1:]
    words = (
        _("%(tile)s on %(train)s") % {"tile": tile, "train": told.names.train(train)}
        for tile, train in chosen
    )
    return either(list(words))


def _wrong_double(told: Told) -> Message:
    newest = told.record.rules.close_order == "newest"
    return told.say(
        _("%(who)s cannot lay %(tile)s on %(train)s."),
        _("Doubles close in reverse order: now %(doubles)s.")
        if newest
        else _("Doubles close in the order they were laid: now %(doubles)s."),
        doubles=told.places("bound") if told["bound"] else _mine(told),
    )


def _cover_on_double(told: Told) -> Message:
    return told.say(
        _("%(who)s cannot lay %(tile)s on %(train)s."),
        _("The next tile covers the double: %(doubles)s."),
        doubles=told.places("doubles"),
    )


def _one_double(told: Told) -> Message:
    return told.say(_("%(who)s cannot lay %(tile)s."), _("One double a turn is allowed."))


def _turn_over(told: Told) -> Message:
    return told.say(
        _("%(who)s’s turn is over before “%(action)s”."),
        _("A tile that is no double ends it, and so does a pass."),
        action=shown(told["action"]),
    )


def _must_play(told: Told) -> Message:
    if str(told["action"]).startswith("+"):
        return Message(told.fill(_("%(who)s draws though a tile fits.")), told.fitted())
    return Message(told.fill(_("%(who)s passes though a tile fits.")), told.fitted())


def _must_play_drawn(told: Told) -> Message:
    return Message(told.fill(_("%(who)s keeps the drawn tile though it fits.")), told.fitted())


def _must_follow_double(told: Told) -> Message:
    return Message(told.fill(_("%(who)s stops at a double though a tile can follow.")), told.fitted())


def _must_draw(told: Told) -> Message:
    return told.say(
        _("%(who)s passes without a draw."),
        _("Who cannot play draws a tile first, while there are any."),
    )


def _no_draw(told: Told) -> Message:
    if told.violation.turn <= len(told.record.players) and not told.record.rules.first_turn_draw:
        return told.say(_("%(who)s cannot draw here."), _("There is no draw in the first turn."))
    return told.say(
        _("%(who)s cannot draw here."), _("A draw is for who cannot play, and for one tile at a time.")
    )


def _yard_empty(told: Told) -> Message:
    return told.say(_("%(who)s cannot draw."), _("The boneyard is empty."))


def _marker(told: Told) -> Message:
    if told["action"] == "^":
        return told.say(
            _("%(who)s’s marker is not on at the end of this turn."),
            _("It goes on after a turn without the play that was due."),
        )
    return told.say(
        _("%(who)s’s marker is not off at the end of this turn."),
        _("It comes off after a tile on the own train."),
    )


def _not_out(told: Told) -> Message:
    given = [told.names.player(player) for player in told["given"]]
    out = [told.names.player(player) for player in told["out"]]
    lead = told.fill(_("The round did not end with %(given)s out."), given=several(given))
    if not out:
        return Message(lead, _("Everybody still has something to play."))
    if not told["over"]:
        return Message(lead, _("Everybody has a first turn before it ends."))
    return Message(lead, told.fill(_("%(out)s went out."), out=several(out)))


def _not_blocked(told: Told) -> Message:
    lead = _("The round is not blocked.")
    if told["over"]:
        return Message(lead, _("It ended with somebody out."))
    if told["yard"]:
        yard = told["yard"]
        text = ngettext("%(yard)s tile can still be drawn.", "%(yard)s tiles can still be drawn.", yard)
        return Message(lead, text % {"yard": number(yard)})
    return Message(lead, _("Nobody has shown that no tile fits with every train open."))


def _left(told: Told) -> Message:
    given, count = told["given"], told["count"]
    if not given:
        lead = _("%(who)s cannot have nothing left.")
    else:
        lead = _("%(who)s cannot have %(given)s left.")
    gone = [tile for tile in given if tile in _on_the_table(told.record)]
    if gone:
        rest = ngettext("%(gone)s lies on the table.", "%(gone)s lie on the table.", len(gone))
    elif len(given) != count:
        rest = ngettext("%(count)s tile is left there.", "%(count)s tiles are left there.", count)
    else:
        rest = _("That hand has others, as far as it is known.")
    tiles = several(given, most=12)
    return told.say(lead, rest, given=tiles, gone=several(gone, most=12), count=number(count))


def _on_the_table(record: Record) -> set[str]:
    actions = (action for turn in record.turns for action in turn.actions)
    laid = {tile_text(action.number) for action in actions if isinstance(action, Lay)}
    return {double(record.engine), *laid}


def _count(told: Told) -> Message:
    right = told["right"]
    rest = ngettext("%(right)s tile is left.", "%(right)s tiles are left.", right)
    return told.say(
        _("%(who)s does not have %(given)s left."), rest, given=number(told["given"]), right=number(right)
    )


def _score(told: Told) -> Message:
    return told.say(
        _("%(who)s does not score %(given)s."),
        _("It is %(right)s."),
        given=number(told["given"]),
        right=number(told["right"]),
    )


def _no_deal(told: Told) -> Message:
    if len(told.violation.clash) == 1:
        return Message(_("No deal of the tiles explains this:"))
    return Message(_("No deal of the tiles explains this together:"))


SENTENCES: Mapping[str, Callable[[Told], Message]] = {
    "unknown_player": _unknown_player,
    "out_of_turn": _out_of_turn,
    "not_in_set": _not_in_set,
    "already_laid": _already_laid,
    "not_in_hand": _not_in_hand,
    "no_match": _no_match,
    "train_closed": _train_closed,
    "mexican_not_yet": _mexican_not_yet,
    "own_train_first": _own_train_first,
    "must_cover": _must_cover,
    "wrong_double": _wrong_double,
    "must_follow_double": _must_follow_double,
    "cover_on_double": _cover_on_double,
    "one_double": _one_double,
    "turn_over": _turn_over,
    "must_play": _must_play,
    "must_play_drawn": _must_play_drawn,
    "must_draw": _must_draw,
    "no_draw": _no_draw,
    "yard_empty": _yard_empty,
    "marker": _marker,
    "round_over": _round_over,
    "not_out": _not_out,
    "not_blocked": _not_blocked,
    "left": _left,
    "count": _count,
    "score": _score,
    "no_deal": _no_deal,
}


def _not_announced(record: Record, params: Mapping[str, object]) -> str:
    who = Named(record).player(str(params["player"]))
    text = _("Turn %(turn)s: %(who)s has one tile left and does not say so. No penalty (rule %(rule)s).")
    return text % {"turn": number(params["turn"]), "who": who, "rule": params["rule"]}


def _not_searched(record: Record, params: Mapping[str, object]) -> str:
    return _("Whether hands can come to the written points took too long to find out.")


NOTES: Mapping[str, Callable[[Record, Mapping[str, object]], str]] = {
    "not_announced": _not_announced,
    "not_searched": _not_searched,
}

# Why a record cannot be read; called when it is said, in the language of then.
UNREAD: Mapping[str, Callable[[], str]] = {
    "too_long": lambda: _("A record has at most %(most)s characters."),
    "too_many_lines": lambda: _("A record has at most %(most)s lines."),
    "unknown_key": lambda: _("“%(text)s” starts no line that a record can have."),
    "header_late": lambda: _("“%(text)s” belongs above the first turn."),
    "turn_late": lambda: _("“%(text)s” is a turn after the end."),
    "key_twice": lambda: _("“%(text)s” is there twice."),
    "player": lambda: _("“%(text)s” is no player. A player is a letter, then letters, digits or _."),
    "no_action": lambda: _("“%(text)s” is followed by no action. A pass is “-”."),
    "action": lambda: _("“%(text)s” is no action. There are 12-3, 12-3>A, +, +5-4, -, ^, v and !."),
    "both_markers": lambda: _("“%(text)s”: the marker cannot be on and off at the end of one turn."),
    "end_twice": lambda: _("“%(text)s” is a second end."),
    "no_end": lambda: _("“%(text)s” belongs below “out:” or “blocked”."),
    "told_twice": lambda: _("“%(text)s” says it of the same player twice."),
    "tile": lambda: _("“%(text)s” is no tile of this set."),
    "player_number": lambda: _("“%(text)s” is no player with a number, such as B 3."),
    "player_twice": lambda: _("“%(text)s” names a player twice."),
    "preset": lambda: _("“%(text)s” are no rules known here. There are %(allowed)s."),
    "override": lambda: _("“%(text)s” is no rule. One is written as double_blank=25."),
    "override_twice": lambda: _("“%(text)s” is there twice."),
    "override_value": lambda: _("“%(text)s” is no value of %(name)s."),
    "set": lambda: _("“%(text)s” is no set. There are %(allowed)s."),
    "set_twice": lambda: _("“%(text)s”: the set is in the rules already, as max_pip."),
    "rules": lambda: _("“%(text)s” makes no rules."),
    "player_taken": lambda: _("“%(text)s” is the Mexican Train’s and no player’s."),
    "players": lambda: _("“%(text)s”: a round has %(least)s to %(most)s players."),
    "player_unknown": lambda: _("“%(text)s” is none of the players."),
    "missing": lambda: _("The line “%(text)s” is missing."),
    "deal_unknown": lambda: _(
        "“%(text)s”: how many tiles these rules deal to %(players)s players of a double-%(max_pip)s set is "
        "not known. A line such as “deal: 15” says it."
    ),
    "deal": lambda: _("“%(text)s” cannot be dealt. It is a whole number from %(least)s."),
    "too_many_dealt": lambda: _("“%(text)s” deals %(over)s more than the %(total)s tiles of the set."),
    "engine": lambda: _(
        "“%(text)s” is no engine. It is a double up to %(max_pip)s-%(max_pip)s, such as 6-6."
    ),
    "start": lambda: _("“%(text)s” cannot start: %(layer)s laid the engine."),
    "seek_set_aside": lambda: _("“%(text)s”: nobody looks for an engine that is set aside."),
    "tile_twice": lambda: _("“%(text)s” is dealt twice."),
    "hand_size": lambda: _("“%(text)s” are %(tiles)s tiles, not %(size)s."),
}
