"""Reads a train record from text, and says at which line and column it cannot be read.

Knows the lines, keys and signs of notation.md and what a header may hold beside another. Must not know how
tiles fit or whose turn it is. All problems of the first part that cannot be read come at once.

`params` of a problem: `line` and `column` from 1, `text` as written, `reason` a word for what is wrong, and
what a sentence about that needs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import NoReturn

from games.engine.errors import Problem, RuleSetError
from games.engine.moves import MEXICAN, Action, Draw, Lay, Marker, Pass, Say
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
    table_of,
    with_passes,
)
from games.engine.rules import FIELDS, PRESETS, RuleSet, rule_set
from games.engine.suits import BIT, DOUBLE, tile_number
from games.engine.tiles import SETS, tile_total

_ID = r"[^\W\d_]\w*"
_PIP = r"(?:0|[1-9][0-9]?)"
_PLAYER = re.compile(_ID)
_TILE = re.compile(rf"({_PIP})-({_PIP})", re.ASCII)
_LAY = re.compile(rf"({_PIP})-({_PIP})(?:>({_ID}))?")
_DRAW = re.compile(rf"\+(?:({_PIP})-({_PIP}))?", re.ASCII)
_NUMBER = re.compile(r"[0-9]+\.", re.ASCII)
_INT = re.compile(r"-?[0-9]{1,6}", re.ASCII)
_KEYED = re.compile(rf"\s*(\w+)(?:[ \t]+({_ID}))?\s*:")
_BARE = ("rules", "set", "players", "deal", "engine", "start", "seek")
_TAIL = ("out", "left", "count", "score")
_NOT_HERE = ("max_pip", "deal", "tiebreaks")
_SIGNS: dict[str, Action] = {"-": Pass(), "^": Marker(on=True), "v": Marker(on=False), "!": Say()}
_MOST_PROBLEMS = 20


class _WrongError(Exception):
    def __init__(self, problem: Problem) -> None:
        self.problem = problem


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
        raise RecordError((_problem("syntax", "too_long", 1, 1, "", most=MOST_CHARACTERS),))
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if len(lines) > MOST_LINES:
        raise RecordError((_problem("syntax", "too_many_lines", MOST_LINES + 1, 1, "", most=MOST_LINES),))
    reader = _Reader()
    for at, line in enumerate(lines, start=1):
        content = line.partition(";")[0].rstrip() if ";" in line else line.rstrip()
        if content:
            reader.line(at, content)
            if len(reader.problems) >= _MOST_PROBLEMS:
                break
    return reader.record()


def _problem(code: str, reason: str, line: int, column: int, text: str, **params: object) -> Problem:
    facts = {"reason": reason, "line": line, "column": column, "text": text[:80], **params}
    return Problem(code, params=facts)


class _Header:
    """The value of one header line, and where it stands."""

    __slots__ = ("column", "line", "value")

    def __init__(self, line: int, column: int, value: str) -> None:
        self.line = line
        self.column = column
        self.value = value

    def wrong(self, reason: str, text: str | None = None, at: int = 0, **params: object) -> NoReturn:
        given = self.value if text is None else text
        raise _WrongError(_problem("header", reason, self.line, self.column + at, given, **params))

    def words(self) -> Iterator[tuple[int, str]]:
        """The words, each with its offset in the value."""
        return ((match.start(), match[0]) for match in re.finditer(r"\S+", self.value))

    def parts(self) -> Iterator[tuple[int, str]]:
        """What stands between commas, each with its offset."""
        at = 0
        for part in self.value.split(","):
            stripped = part.strip()
            yield at + len(part) - len(part.lstrip()), stripped
            at += len(part) + 1


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
        self.headers: dict[str, _Header] = {}
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
        except _WrongError as wrong:
            self.problems.append(wrong.problem)

    def _keyed(self, at: int, content: str, keyed: re.Match[str]) -> None:
        key, name = keyed[1], keyed[2]
        rest = content[keyed.end() :]
        value = _Header(at, keyed.end() + 1 + len(rest) - len(rest.lstrip()), rest.strip())
        column = keyed.start(1) + 1
        if key in _TAIL and (name is not None) == (key == "left"):
            self._tail(at, content, key, name, value)
            return
        known = (key in _BARE and name is None) or (key == "hand" and name is not None)
        if not known:
            code = "syntax" if self.turns else "header"
            text = content[: keyed.end()].strip()
            raise _WrongError(_problem(code, "unknown_key", at, column, text))
        if self.turns or self.ended:
            raise _WrongError(_problem("syntax", "header_late", at, column, content.strip()))
        whole = key if name is None else f"{key} {name}"
        if whole in self.headers:
            raise _WrongError(_problem("header", "key_twice", at, column, whole))
        self.headers[whole] = value

    def _turn(self, at: int, content: str) -> None:
        if self.ended:
            raise _WrongError(_problem("syntax", "turn_late", at, 1, content.strip()))
        words = content.split()
        first = 1 if _NUMBER.fullmatch(words[0]) else 0
        if first >= len(words) or _PLAYER.fullmatch(words[first]) is None:
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
        elif isinstance(last, Lay) and last.number < len(BIT) and BIT[last.number] & _DOUBLES:
            self.doubtful = True
        self.turns.append(turn)

    def _unread(self, at: int, content: str, number: int, reason: str) -> NoReturn:
        match = list(re.finditer(r"\S+", content))[number]
        raise _WrongError(_problem("syntax", reason, at, match.start() + 1, match[0]))

    # --- what stands after the turns ---

    def _end(self, at: int, content: str, ended: Ended) -> None:
        if self.ended:
            raise _WrongError(_problem("syntax", "end_twice", at, 1, content.strip()))
        self.ended = ended
        self.end_line = at

    def _tail(self, at: int, content: str, key: str, name: str | None, value: _Header) -> None:
        if key == "out":
            self._end(at, content, "out")
            self.out = tuple(part for _offset, part in value.parts())
            for offset, part in value.parts():
                if _PLAYER.fullmatch(part) is None:
                    self._tail_wrong(value, "player", part, offset)
            if len(set(self.out)) < len(self.out):
                self._tail_wrong(value, "player_twice", value.value, 0)
            return
        if not self.ended:
            raise _WrongError(_problem("syntax", "no_end", at, 1, content.strip()))
        told = [self._left(name, value)] if name else list(self._pairs(key, value))
        for one in told:
            if any(type(one) is type(other) and one.player == other.player for other in self.told):
                self._tail_wrong(value, "told_twice", value.value, 0)
            self.told.append(one)

    def _tail_wrong(self, value: _Header, reason: str, text: str, offset: int) -> NoReturn:
        raise _WrongError(_problem("syntax", reason, value.line, value.column + offset, text))

    def _left(self, name: str, value: _Header) -> Told:
        tiles = []
        for offset, word in value.words():
            match = _TILE.fullmatch(word)
            if match is None:
                self._tail_wrong(value, "tile", word, offset)
            tiles.append(tile_number(int(match[1]), int(match[2])))
        return Left(name, tuple(tiles), line=value.line)

    def _pairs(self, key: str, value: _Header) -> Iterator[Told]:
        for offset, part in value.parts():
            player, _, number = part.partition(" ")
            number = number.strip()
            if _PLAYER.fullmatch(player) is None or _INT.fullmatch(number) is None:
                self._tail_wrong(value, "player_number", part, offset)
            if key == "count":
                yield Count(player, int(number), line=value.line)
            else:
                yield Score(player, int(number), line=value.line)

    # --- the whole ---

    def record(self) -> Record:
        """Everything read, put together; raises RecordError with what was wrong."""
        record = None
        if not self.problems or all(problem.code == "syntax" for problem in self.problems):
            try:
                record = self._assemble()
            except _WrongError as wrong:
                self.problems.append(wrong.problem)
        if self.problems or record is None:
            raise RecordError(tuple(sorted(self.problems, key=_place)))
        return record

    def _assemble(self) -> Record:
        rules = self._rules()
        players, names = self._players()
        deal = self._deal(rules, players)
        engine, layer = self._engine(rules, players)
        start = self._start(rules, players, layer)
        seek = self._seek(rules, players, layer)
        record = Record(
            rules=rules,
            players=players,
            names=names,
            deal=deal,
            engine=engine,
            layer=layer,
            start=start,
            seek=seek,
            hands=self._hands(rules, players, deal, seek),
            turns=tuple(self.turns),
            ended=self.ended,
            out=self.out,
            told=tuple(self.told),
            lines={key: header.line for key, header in self.headers.items()} | {"end": self.end_line},
        )
        if record.yard < 0:
            where = self.headers.get("deal", self.headers["players"])
            where.wrong("too_many_dealt", total=tile_total(rules.max_pip), over=-record.yard)
        if not self.doubtful:
            return record
        return replace(record, turns=with_passes(record.turns, table_of(record), players))

    def _rules(self) -> RuleSet:
        header = self.headers.get("rules")
        words = list(header.words()) if header else []
        preset = words[0][1] if words else "thoughtco"
        overrides: dict[str, object] = {}
        if header is not None:
            if preset not in PRESETS:
                header.wrong("preset", preset, words[0][0] if words else 0, allowed=tuple(PRESETS))
            for offset, word in words[1:]:
                name, equals, text = word.partition("=")
                if not equals or name not in FIELDS or name in ("deal", "tiebreaks"):
                    header.wrong("override", word, offset)
                if name in overrides:
                    header.wrong("override_twice", word, offset)
                overrides[name] = _value(name, text)
                if not FIELDS[name].allows(overrides[name]):
                    header.wrong("override_value", word, offset, name=name)
        highest = self.headers.get("set")
        if highest is not None:
            if "max_pip" in overrides:
                highest.wrong("set_twice")
            if highest.value not in map(str, SETS):
                highest.wrong("set", allowed=SETS)
            overrides["max_pip"] = int(highest.value)
        try:
            return rule_set(preset, **overrides)
        except RuleSetError:  # pragma: no cover - every value was looked at
            raise _WrongError(_problem("header", "rules", 1, 1, preset)) from None

    def _players(self) -> tuple[tuple[str, ...], tuple[str | None, ...]]:
        header = self._required("players")
        ids: list[str] = []
        names: list[str | None] = []
        for offset, part in header.parts():
            player, equals, name = part.partition("=")
            player, name = player.strip(), name.strip()
            if _PLAYER.fullmatch(player) is None or (equals and not name):
                header.wrong("player", part, offset)
            if player == MEXICAN:
                header.wrong("player_taken", player, offset)
            if player in ids:
                header.wrong("player_twice", player, offset)
            ids.append(player)
            names.append(name or None)
        if not 2 <= len(ids) <= 14:
            header.wrong("players", least=2, most=14)
        return tuple(ids), tuple(names)

    def _required(self, key: str) -> _Header:
        header = self.headers.get(key)
        if header is None:
            raise _WrongError(_problem("header", "missing", 1, 1, f"{key}:", key=key))
        return header

    def _deal(self, rules: RuleSet, players: tuple[str, ...]) -> int:
        header = self.headers.get("deal")
        if header is None:
            deal = rules.deal_for(len(players))
            if deal is None:
                where = self.headers["players"]
                where.wrong("deal_unknown", players=len(players), max_pip=rules.max_pip)
            return deal
        least = 2 if rules.engine == "dealt" else 1
        if re.fullmatch(r"[0-9]{1,3}", header.value, re.ASCII) is None or int(header.value) < least:
            header.wrong("deal", least=least)
        return int(header.value)

    def _engine(self, rules: RuleSet, players: tuple[str, ...]) -> tuple[int, str | None]:
        header = self._required("engine")
        words = list(header.words())
        match = _TILE.fullmatch(words[0][1]) if 1 <= len(words) <= 2 else None
        if match is None or match[1] != match[2] or int(match[1]) > rules.max_pip:
            header.wrong("engine", max_pip=rules.max_pip)
        layer = words[1][1] if len(words) == 2 else None
        if layer is not None and layer not in players:
            header.wrong("player_unknown", layer, words[1][0])
        return int(match[1]), layer

    def _start(self, rules: RuleSet, players: tuple[str, ...], layer: str | None) -> str:
        header = self.headers.get("start")
        if header is None:
            return layer or players[0]
        if header.value not in players:
            header.wrong("player_unknown")
        if layer is not None and rules.starter == "engine_player" and header.value != layer:
            header.wrong("start", layer=layer)
        return header.value

    def _seek(self, rules: RuleSet, players: tuple[str, ...], layer: str | None) -> tuple[int, ...]:
        header = self.headers.get("seek")
        if header is None:
            return (0,) * len(players)
        # A player who laid an engine that was set aside breaks a rule, and is told so by the replay.
        if rules.engine == "set_aside" and layer is None:
            header.wrong("seek_set_aside")
        drawn: dict[str, int] = {}
        for offset, part in header.parts():
            player, _, number = part.partition(" ")
            if re.fullmatch(r"[0-9]{1,3}", number.strip(), re.ASCII) is None:
                header.wrong("player_number", part, offset)
            if player not in players:
                header.wrong("player_unknown", player, offset)
            if player in drawn:
                header.wrong("player_twice", player, offset)
            drawn[player] = int(number)
        return tuple(drawn.get(player, 0) for player in players)

    def _hands(
        self, rules: RuleSet, players: tuple[str, ...], deal: int, seek: tuple[int, ...]
    ) -> tuple[int | None, ...]:
        hands: dict[str, int] = {}
        everyone = 0
        for key, header in self.headers.items():
            if not key.startswith("hand "):
                continue
            player = key[5:]
            if player not in players:
                header.wrong("player_unknown", player, -header.column + 1)
            hand = 0
            for offset, word in header.words():
                match = _TILE.fullmatch(word)
                number = tile_number(int(match[1]), int(match[2])) if match else -1
                if not 0 <= number < tile_total(rules.max_pip):
                    header.wrong("tile", word, offset)
                if (hand | everyone) & BIT[number]:
                    header.wrong("tile_twice", word, offset)
                hand |= BIT[number]
            everyone |= hand
            size = deal + seek[players.index(player)]
            if hand.bit_count() != size:
                header.wrong("hand_size", player=player, tiles=hand.bit_count(), size=size)
            hands[player] = hand
        return tuple(hands.get(player) for player in players)


_DOUBLES = sum(DOUBLE)
_PARSERS: dict[str, Callable[[str], object]] = {
    "bool": lambda text: {"yes": True, "no": False}.get(text, text),
    "int": lambda text: int(text) if _INT.fullmatch(text) else text,
    "choice": lambda text: None if text == "none" else int(text) if _INT.fullmatch(text) else text,
}


def _value(name: str, text: str) -> object:
    """The value that an override's text stands for; text that stands for none is given back."""
    return _PARSERS[FIELDS[name].kind](text)


def _place(problem: Problem) -> tuple[object, ...]:
    return problem.params["line"], problem.params["column"]
