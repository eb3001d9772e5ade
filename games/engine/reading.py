"""Reads a train record from text, and says at which line and column it cannot be read.

Knows the lines and signs of notation.md; what the header may say is in `heading`. Must not know how tiles fit
or whose turn it is. Every line that cannot be read is told at once, then what is wrong with the header.

`params` of a problem: `line` and `column` from 1, `text` as written, `reason` a word for what is wrong, and
what a sentence about that needs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import filterfalse
from operator import attrgetter
from typing import NoReturn

from games.engine.course import Course, course_of
from games.engine.errors import Problem
from games.engine.heading import ID, INT, PIP, Header, Heading, WrongError, is_player, problem, tile_named
from games.engine.moments import with_passes
from games.engine.moves import Action, Draw, Lay, Marker, Pass, Say
from games.engine.record import (
    MOST_CHARACTERS,
    MOST_LINES,
    Count,
    Ended,
    Left,
    Record,
    RecordError,
    Score,
    Told,
    Turn,
)
from games.engine.suits import BIT, DOUBLES, tile_number
from games.engine.tiles import tile_total

_LAY = re.compile(rf"({PIP})-({PIP})(?:>({ID}))?")
_DRAW = re.compile(rf"\+(?:({PIP})-({PIP}))?", re.ASCII)
_NUMBERED = re.compile(r"\s*[0-9]+\.(?=\S)", re.ASCII)
_NUMBER = re.compile(r"[0-9]+\.", re.ASCII)
_KEYED = re.compile(rf"\s*(\w+)(?:[ \t]+({ID}))?\s*:\s*")
_BARE = frozenset(("rules", "set", "players", "deal", "engine", "start", "seek"))
_TAIL = frozenset(("out", "left", "count", "score"))
_SIGNS: dict[str, Action] = {"-": Pass(), "^": Marker(on=True), "v": Marker(on=False), "!": Say()}
_MOST_PROBLEMS = 20
_course = attrgetter("course")

# What stands in one round comes again in the next: turns that were read, by their text; no longer ones.
_known: dict[str, Turn] = {}
_NUMBERS = frozenset(map(str, range(1, 1000)))
_MOST_KNOWN, _LONGEST_KNOWN = 32768, 40

# What a turn's words come to: the actions, whether the last one was left out, and their course.
Moves = tuple[tuple[Action, ...], bool, Course | None]


def parse_record(text: str) -> Record:
    """The record in the text. `record.print_record` is the inverse.

    Raises RecordError with the problems found, code "syntax" or "header". More than 200,000 characters or
    5,000 lines are refused unread.

    >>> record = parse_record("players: A, B\\ndeal: 4\\nengine: 12-12\\n1. A 12-3")
    >>> record.players, str(record.turns[0].actions[0]), record.yard
    (('A', 'B'), '12-3>A', 82)
    >>> parse_record("players: A, B\\ndeal: 4\\nengine: 12-12\\n1. A 12-3>")
    Traceback (most recent call last):
    ...
    games.engine.record.RecordError: line 4, column 6: action: '12-3>'
    """
    if len(text) > MOST_CHARACTERS:
        raise RecordError((problem("syntax", "too_long", 1, 1, "", most=MOST_CHARACTERS),))
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if len(lines) > MOST_LINES:
        raise RecordError((problem("syntax", "too_many_lines", MOST_LINES + 1, 1, "", most=MOST_LINES),))
    reader = _Reader()
    reader.read(lines)
    return reader.record()


def why_unread(text: str) -> tuple[Problem, ...]:
    """Why there is no record in the text, as RecordError tells it; nothing if there is one."""
    try:
        parse_record(text)
    except RecordError as error:
        return error.problems
    return ()


def _action(word: str, player: str) -> Action | None:
    """The action that a word of this player's turn stands for; None if for none.

    Where the player is "", a tile has to name its train.
    """
    sign = _SIGNS.get(word)
    if sign is not None:
        return sign
    match = _LAY.fullmatch(word)
    if match is not None:
        train = match[3] or player
        return Lay(tile_number(int(match[1]), int(match[2])), train) if train else None
    match = _DRAW.fullmatch(word)
    if match is not None:
        return Draw(None if match[1] is None else tile_number(int(match[1]), int(match[2])))
    return None


_known_action = lru_cache(maxsize=4096)(_action)


def _moves(
    player: str, words: Iterable[str], read: Callable[[str, str], Action | None]
) -> Moves | tuple[int, str]:
    """What the words of this player's turn come to; else which of them cannot be read, from 1, and why."""
    actions = [read(word, player) for word in words]
    done = tuple([action for action in actions if action is not None])
    if len(done) == len(actions):
        course = course_of(done)
        if course is not None:
            return done, False, course
    marker: Action | None = None
    last: Action | None = None
    for number, action in enumerate(actions, start=1):
        if action is None:
            return number, "action"
        if isinstance(action, Marker):
            if marker is not None and marker != action:
                return number, "both_markers"
            marker = action
        elif not isinstance(action, Say):
            last = action
    if not done:
        return 0, "no_action"
    if last is not None and not isinstance(last, Draw):
        return done, False, None
    done = (*done, Pass())
    return done, True, course_of(done)


@lru_cache(maxsize=_MOST_KNOWN)
def _known_moves(player: str, text: str) -> Moves | tuple[int, str]:
    return _moves(player, text.split(), _known_action)


def _learn(text: str) -> Turn | None:
    """The turn in the text, kept for the next record; None if it is to be read word by word."""
    player, _, words = text.partition(" ")
    if len(text) > _LONGEST_KNOWN or not player.isalpha():
        return None
    # What names its train is the same whoever does it.
    moves = _known_moves("" if ">" in words else player, words)
    if isinstance(moves[0], int):
        return None
    actions, implied, course = moves
    turn = Turn(player, actions, implied)
    turn.course = course
    if len(_known) >= _MOST_KNOWN:
        _known.clear()
    _known[text] = turn
    return turn


def _stops_at_double(turn: Turn) -> bool:
    moves = [action for action in turn.actions if not isinstance(action, Marker | Say)]
    last = moves[-1]
    return isinstance(last, Lay) and last.number < len(BIT) and bool(BIT[last.number] & DOUBLES)


class _Reader:
    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.heading = Heading()
        self.turns: list[Turn] = []
        self.turn_lines: list[int] = []
        self.ended: Ended | None = None
        self.out: tuple[str, ...] = ()
        self.told: list[Told] = []
        self.said: set[tuple[str, str]] = set()  # which of it, and of whom
        self.end_line = 0

    # --- lines ---

    def read(self, lines: Iterable[str]) -> None:
        """Take all lines, until too many of them cannot be read."""
        add, place, known, numbers = self.turns.append, self.turn_lines.append, _known.get, _NUMBERS
        for at, line in enumerate(lines, start=1):
            number, _, text = line.partition(". ")
            if number in numbers:
                turn = known(text) or _learn(text)
                if turn is not None:
                    add(turn)
                    place(at)
                    continue
            content = line.partition(";")[0].rstrip()
            if content:
                self.line(at, content)
                if self.ended:
                    numbers = frozenset()
                if len(self.problems) >= _MOST_PROBLEMS:
                    break

    def line(self, at: int, content: str) -> None:
        """Take one line, without its comment; keep a problem rather than raise it."""
        try:
            keyed = _KEYED.match(content) if ":" in content else None
            if keyed is not None:
                self._keyed(at, content, keyed)
            elif content.strip() == "blocked":
                self._end(at, content, "blocked")
            else:
                self._turn(at, content)
        except WrongError as wrong:
            self.problems.append(wrong.problem)

    def _keyed(self, at: int, content: str, keyed: re.Match[str]) -> None:
        key, name = keyed.groups()
        value = Header(at, keyed.end() + 1, content[keyed.end() :])
        whole = key if name is None else f"{key} {name}"
        if key in _TAIL and (name is not None) == (key == "left"):
            self._tail(at, content, key, name, value)
        elif key not in _BARE if name is None else key != "hand":
            code = "syntax" if self.turns else "header"
            text = content[: keyed.end()].strip()
            raise WrongError(problem(code, "unknown_key", at, keyed.start(1) + 1, text))
        elif self.turns or self.ended:
            raise WrongError(problem("syntax", "header_late", at, keyed.start(1) + 1, content.strip()))
        elif whole in self.heading.headers:
            raise WrongError(problem("header", "key_twice", at, keyed.start(1) + 1, whole))
        else:
            self.heading.headers[whole] = value

    def _turn(self, at: int, content: str) -> None:
        if self.ended:
            raise WrongError(problem("syntax", "turn_late", at, 1, content.strip()))
        glued = _NUMBERED.match(content)
        if glued is not None:  # 1.A as well as 1. A
            content = " " * glued.end() + content[glued.end() :]
        words = content.split()
        first = 1 if _NUMBER.fullmatch(words[0]) else 0
        if first >= len(words) or not is_player(words[first]):
            self._unread(at, content, min(first, len(words) - 1), "player")
        moves = _moves(words[first], words[first + 1 :], _action)
        if isinstance(moves[0], int):
            self._unread(at, content, first + moves[0], moves[1])
        actions, implied, course = moves
        turn = Turn(words[first], actions, implied)
        turn.course = course
        self.turns.append(turn)
        self.turn_lines.append(at)

    def _unread(self, at: int, content: str, number: int, reason: str) -> NoReturn:
        match = list(re.finditer(r"\S+", content))[number]
        raise WrongError(problem("syntax", reason, at, match.start() + 1, match[0]))

    # --- what stands after the turns ---

    def _end(self, at: int, content: str, ended: Ended) -> None:
        if self.ended:
            raise WrongError(problem("syntax", "end_twice", at, 1, content.strip()))
        self.ended = ended
        self.end_line = at

    def _tail(self, at: int, content: str, key: str, name: str | None, value: Header) -> None:
        if key == "out":
            self._end(at, content, "out")
            parts = list(value.parts())
            self.out = tuple([part for _offset, part in parts])
            for offset, part in parts:
                if not is_player(part):
                    self._tail_wrong(value, "player", part, offset)
            if len(set(self.out)) < len(self.out):
                self._tail_wrong(value, "player_twice", value.value, 0)
            return
        if not self.ended:
            raise WrongError(problem("syntax", "no_end", at, 1, content.strip()))
        told = [self._left(name, value)] if name else list(self._pairs(key, value))
        for one in told:
            if (key, one.player) in self.said:
                self._tail_wrong(value, "told_twice", value.value, 0)
            self.said.add((key, one.player))
            self.told.append(one)

    def _tail_wrong(self, value: Header, reason: str, text: str, offset: int) -> NoReturn:
        raise WrongError(problem("syntax", reason, value.line, value.column + offset, text))

    def _left(self, name: str, value: Header) -> Told:
        tiles = []
        for offset, word in value.words():
            number = tile_named(word)
            if number is None:
                self._tail_wrong(value, "tile", word, offset)
            tiles.append(number)
        return Left(name, tuple(tiles), line=value.line)

    def _pairs(self, key: str, value: Header) -> Iterator[Told]:
        for offset, part in value.parts():
            player, _, number = part.partition(" ")
            number = number.strip()
            if not is_player(player) or INT.fullmatch(number) is None:
                self._tail_wrong(value, "player_number", part, offset)
            if key == "count":
                yield Count(player, int(number), line=value.line)
            else:
                yield Score(player, int(number), line=value.line)

    # --- the whole ---

    def record(self) -> Record:
        """Everything read, put together; raises RecordError with what was wrong."""
        record = None
        if not self.problems or all(one.code == "syntax" for one in self.problems):
            try:
                record = self._assemble()
            except WrongError as wrong:
                self.problems.append(wrong.problem)
        if self.problems or record is None:
            raise RecordError(tuple(sorted(self.problems, key=_place)))
        return record

    def _assemble(self) -> Record:
        heading = self.heading
        rules = heading.rules()
        players, names = heading.players()
        deal = heading.deal(rules, players)
        engine, layer = heading.engine(rules, players)
        seek = heading.seek(rules, players, layer)
        record = Record(
            rules=rules,
            players=players,
            names=names,
            deal=deal,
            engine=engine,
            layer=layer,
            start=heading.start(rules, players, layer),
            seek=seek,
            hands=heading.hands(rules, players, deal, seek),
            turns=tuple(self.turns),
            ended=self.ended,
            out=self.out,
            told=tuple(self.told),
            lines={key: header.line for key, header in heading.headers.items()} | {"end": self.end_line},
            turn_lines=tuple(self.turn_lines),
        )
        if record.yard < 0:
            where = heading.headers.get("deal", heading.headers["players"])
            where.wrong("too_many_dealt", total=tile_total(rules.max_pip), over=-record.yard)
        # Where a line stops at a double only the table tells whether a pass is owed; who went out owes none.
        doubtful = [turn for turn in filterfalse(_course, self.turns) if _stops_at_double(turn)]
        if not doubtful or (doubtful == self.turns[-1:] and doubtful[0].player in self.out):
            return record
        return replace(record, turns=with_passes(record))


def _place(one: Problem) -> tuple[object, ...]:
    return one.params["line"], one.params["column"]
