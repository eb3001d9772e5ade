"""Reads a train record from text, and says at which line and column it cannot be read.

Knows the lines and signs of notation.md; what the header may say is in `heading`. Must not know how tiles fit
or whose turn it is. Every line that cannot be read is told at once, then what is wrong with the header.

`params` of a problem: `line` and `column` from 1, `text` as written, `reason` a word for what is wrong, and
what a sentence about that needs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import NoReturn

from games.engine.errors import Problem
from games.engine.heading import ID, INT, PIP, PLAYER, TILE, Header, Heading, WrongError, problem
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
    closed,
)
from games.engine.suits import BIT, DOUBLES, tile_number
from games.engine.tiles import tile_total

_LAY = re.compile(rf"({PIP})-({PIP})(?:>({ID}))?")
_DRAW = re.compile(rf"\+(?:({PIP})-({PIP}))?", re.ASCII)
_NUMBERED = re.compile(r"\s*[0-9]+\.(?=\S)", re.ASCII)
_NUMBER = re.compile(r"[0-9]+\.", re.ASCII)
_KEYED = re.compile(rf"\s*(\w+)(?:[ \t]+({ID}))?\s*:")
_BARE = ("rules", "set", "players", "deal", "engine", "start", "seek")
_TAIL = ("out", "left", "count", "score")
_SIGNS: dict[str, Action] = {"-": Pass(), "^": Marker(on=True), "v": Marker(on=False), "!": Say()}
_MOST_PROBLEMS = 20


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
    for at, line in enumerate(lines, start=1):
        content = line.partition(";")[0].rstrip() if ";" in line else line.rstrip()
        if content:
            reader.line(at, content)
            if len(reader.problems) >= _MOST_PROBLEMS:
                break
    return reader.record()


@lru_cache(maxsize=4096)
def _action(word: str, player: str) -> Action | None:
    """The action that a word of this player's turn stands for; None if for none."""
    sign = _SIGNS.get(word)
    if sign is not None:
        return sign
    match = _LAY.fullmatch(word)
    if match is not None:
        return Lay(tile_number(int(match[1]), int(match[2])), match[3] or player)
    match = _DRAW.fullmatch(word)
    if match is not None:
        return Draw(None if match[1] is None else tile_number(int(match[1]), int(match[2])))
    return None


class _Reader:
    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.heading = Heading()
        self.turns: list[Turn] = []
        self.ended: Ended | None = None
        self.out: tuple[str, ...] = ()
        self.told: list[Told] = []
        self.end_line = 0
        self.doubtful = False  # a line stops at a double: only the table tells whether a pass is owed

    # --- lines ---

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
        key, name = keyed[1], keyed[2]
        rest = content[keyed.end() :]
        value = Header(at, keyed.end() + 1 + len(rest) - len(rest.lstrip()), rest.strip())
        column = keyed.start(1) + 1
        if key in _TAIL and (name is not None) == (key == "left"):
            self._tail(at, content, key, name, value)
            return
        known = (key in _BARE and name is None) or (key == "hand" and name is not None)
        if not known:
            code = "syntax" if self.turns else "header"
            text = content[: keyed.end()].strip()
            raise WrongError(problem(code, "unknown_key", at, column, text))
        if self.turns or self.ended:
            raise WrongError(problem("syntax", "header_late", at, column, content.strip()))
        whole = key if name is None else f"{key} {name}"
        if whole in self.heading.headers:
            raise WrongError(problem("header", "key_twice", at, column, whole))
        self.heading.headers[whole] = value

    def _turn(self, at: int, content: str) -> None:
        if self.ended:
            raise WrongError(problem("syntax", "turn_late", at, 1, content.strip()))
        glued = _NUMBERED.match(content) if content.lstrip()[0].isdigit() else None
        if glued is not None:  # 1.A as well as 1. A
            content = " " * glued.end() + content[glued.end() :]
        words = content.split()
        first = 1 if _NUMBER.fullmatch(words[0]) else 0
        if first >= len(words) or PLAYER.fullmatch(words[first]) is None:
            self._unread(at, content, min(first, len(words) - 1), "player")
        player = words[first]
        if first + 1 >= len(words):
            self._unread(at, content, first, "no_action")
        actions = []
        marker: Action | None = None
        last: Action | None = None
        for number in range(first + 1, len(words)):
            action = _action(words[number], player)
            if action is None:
                self._unread(at, content, number, "action")
            if isinstance(action, Marker):
                if marker is not None and marker != action:
                    self._unread(at, content, number, "both_markers")
                marker = action
            elif not isinstance(action, Say):
                last = action
            actions.append(action)
        turn = Turn(player, tuple(actions), line=at)
        if last is None or isinstance(last, Draw):
            turn = closed(turn)
        elif isinstance(last, Lay) and last.number < len(BIT) and BIT[last.number] & DOUBLES:
            self.doubtful = True
        self.turns.append(turn)

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
            self.out = tuple(part for _offset, part in value.parts())
            for offset, part in value.parts():
                if PLAYER.fullmatch(part) is None:
                    self._tail_wrong(value, "player", part, offset)
            if len(set(self.out)) < len(self.out):
                self._tail_wrong(value, "player_twice", value.value, 0)
            return
        if not self.ended:
            raise WrongError(problem("syntax", "no_end", at, 1, content.strip()))
        told = [self._left(name, value)] if name else list(self._pairs(key, value))
        for one in told:
            if any(type(one) is type(other) and one.player == other.player for other in self.told):
                self._tail_wrong(value, "told_twice", value.value, 0)
            self.told.append(one)

    def _tail_wrong(self, value: Header, reason: str, text: str, offset: int) -> NoReturn:
        raise WrongError(problem("syntax", reason, value.line, value.column + offset, text))

    def _left(self, name: str, value: Header) -> Told:
        tiles = []
        for offset, word in value.words():
            match = TILE.fullmatch(word)
            if match is None:
                self._tail_wrong(value, "tile", word, offset)
            tiles.append(tile_number(int(match[1]), int(match[2])))
        return Left(name, tuple(tiles), line=value.line)

    def _pairs(self, key: str, value: Header) -> Iterator[Told]:
        for offset, part in value.parts():
            player, _, number = part.partition(" ")
            number = number.strip()
            if PLAYER.fullmatch(player) is None or INT.fullmatch(number) is None:
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
        )
        if record.yard < 0:
            where = heading.headers.get("deal", heading.headers["players"])
            where.wrong("too_many_dealt", total=tile_total(rules.max_pip), over=-record.yard)
        if not self.doubtful:
            return record
        return replace(record, turns=with_passes(record))


def _place(one: Problem) -> tuple[object, ...]:
    return one.params["line"], one.params["column"]
