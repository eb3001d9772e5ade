"""The header of a train record: what each line may hold, and what may stand beside what.

Knows the keys of notation.md. Must not know turns or end lines: `reading` hands over the lines it found.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NoReturn

from games.engine.errors import Problem, RuleSetError
from games.engine.moves import MEXICAN
from games.engine.rules import FIELDS, PRESETS, RuleSet, rule_set
from games.engine.suits import BIT, PIPS, tile_number, whole_set
from games.engine.tiles import SETS

ID = r"[^\W\d_]\w*"
PIP = r"(?:0|[1-9][0-9]?)"
_PLAYER = re.compile(ID)
_TILE = re.compile(rf"({PIP})-({PIP})", re.ASCII)
INT = re.compile(r"-?[0-9]{1,6}", re.ASCII)

_HOW_MANY = re.compile(r"[0-9]{1,3}", re.ASCII)
_SETS = {str(highest): highest for highest in SETS}
# Every tile by its text, either half first, and the bit of it.
_NUMBERS = {f"{one}-{other}": tile_number(one, other) for one in PIPS for other in PIPS}
_TILES = {word: BIT[number] for word, number in _NUMBERS.items()}


class WrongError(Exception):
    """A line cannot be read; the reader keeps the problem and goes on."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem


def problem(code: str, reason: str, line: int, column: int, text: str, **params: object) -> Problem:
    facts = {"reason": reason, "line": line, "column": column, "text": text[:80], **params}
    return Problem(code, params=facts)


def is_player(word: str) -> bool:
    """Whether the word can be a player's id: a letter, then letters, digits or underscores."""
    return word.isalpha() or _PLAYER.fullmatch(word) is not None


def tile_named(word: str) -> int | None:
    """The number of the tile that a word is, also of one that is in no set; None if it is no tile.

    >>> tile_named("2-1"), tile_named("0-19"), tile_named("1-02")
    (4, 190, None)
    """
    number = _NUMBERS.get(word)
    if number is None and (match := _TILE.fullmatch(word)) is not None:
        number = tile_number(int(match[1]), int(match[2]))
    return number


class Header:
    """The value of one header line, and where it stands."""

    __slots__ = ("column", "line", "value")

    def __init__(self, line: int, column: int, value: str) -> None:
        self.line = line
        self.column = column
        self.value = value

    def wrong(self, reason: str, text: str | None = None, at: int = 0, **params: object) -> NoReturn:
        given = self.value if text is None else text
        raise WrongError(problem("header", reason, self.line, self.column + at, given, **params))

    def words(self) -> Iterator[tuple[int, str]]:
        """The words, each with its offset in the value."""
        return ((match.start(), match[0]) for match in re.finditer(r"\S+", self.value))

    def parts(self) -> Iterator[tuple[int, str]]:
        """What stands between commas, each with its offset.

        >>> list(Header(3, 10, "A=Ann, B").parts())
        [(0, 'A=Ann'), (7, 'B')]
        """
        at = 0
        for part in self.value.split(","):
            stripped = part.strip()
            yield at + len(part) - len(part.lstrip()), stripped
            at += len(part) + 1


class Heading:
    """All header lines by their key, `hand A` among them; each method makes of them what it is named after.

    Each raises WrongError with the first thing that is wrong.
    """

    def __init__(self) -> None:
        self.headers: dict[str, Header] = {}

    def rules(self) -> RuleSet:
        """What is played: the preset, then its overrides, then the set."""
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
            if highest.value not in _SETS:
                highest.wrong("set", allowed=SETS)
            overrides["max_pip"] = _SETS[highest.value]
        try:
            return _rule_set(preset, tuple(overrides.items()))
        except RuleSetError:  # pragma: no cover - every value was looked at
            raise WrongError(problem("header", "rules", 1, 1, preset)) from None

    def players(self) -> tuple[tuple[str, ...], tuple[str | None, ...]]:
        """The ids, clockwise, and the names beside them, None where there is none."""
        header = self.required("players")
        ids: list[str] = []
        names: list[str | None] = []
        for offset, part in header.parts():
            player, equals, name = part.partition("=")
            player, name = player.strip(), name.strip()
            if not is_player(player) or (equals and not name):
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

    def required(self, key: str) -> Header:
        """The line that no record may leave out."""
        header = self.headers.get(key)
        if header is None:
            raise WrongError(problem("header", "missing", 1, 1, f"{key}:", key=key))
        return header

    def deal(self, rules: RuleSet, players: tuple[str, ...]) -> int:
        """How many tiles each is dealt, by default what the preset's table has."""
        header = self.headers.get("deal")
        if header is None:
            deal = rules.deal_for(len(players))
            if deal is None:
                where = self.headers["players"]
                where.wrong("deal_unknown", players=len(players), max_pip=rules.max_pip)
            return deal
        least = 2 if rules.engine == "dealt" else 1
        if _HOW_MANY.fullmatch(header.value) is None or int(header.value) < least:
            header.wrong("deal", least=least)
        return int(header.value)

    def engine(self, rules: RuleSet, players: tuple[str, ...]) -> tuple[int, str | None]:
        """The engine's pip, and who laid it."""
        header = self.required("engine")
        words = list(header.words())
        match = _TILE.fullmatch(words[0][1]) if 1 <= len(words) <= 2 else None
        if match is None or match[1] != match[2] or int(match[1]) > rules.max_pip:
            header.wrong("engine", max_pip=rules.max_pip)
        layer = words[1][1] if len(words) == 2 else None
        if layer is not None and layer not in players:
            header.wrong("player_unknown", layer, words[1][0])
        return int(match[1]), layer

    def start(self, rules: RuleSet, players: tuple[str, ...], layer: str | None) -> str:
        """Who moves first."""
        header = self.headers.get("start")
        if header is None:
            return layer or players[0]
        if header.value not in players:
            header.wrong("player_unknown")
        if layer is not None and rules.starter == "engine_player" and header.value != layer:
            header.wrong("start", layer=layer)
        return header.value

    def seek(self, rules: RuleSet, players: tuple[str, ...], layer: str | None) -> tuple[int, ...]:
        """How many tiles each drew before play."""
        header = self.headers.get("seek")
        if header is None:
            return (0,) * len(players)
        # A player who laid an engine that was set aside breaks a rule, and is told so by the replay.
        if rules.engine == "set_aside" and layer is None:
            header.wrong("seek_set_aside")
        drawn: dict[str, int] = {}
        for offset, part in header.parts():
            player, _, number = part.partition(" ")
            if _HOW_MANY.fullmatch(number.strip()) is None:
                header.wrong("player_number", part, offset)
            if player not in players:
                header.wrong("player_unknown", player, offset)
            if player in drawn:
                header.wrong("player_twice", player, offset)
            drawn[player] = int(number)
        return tuple(drawn.get(player, 0) for player in players)

    def hands(
        self, rules: RuleSet, players: tuple[str, ...], deal: int, seek: tuple[int, ...]
    ) -> tuple[int | None, ...]:
        """Each dealt hand as a set of tiles, None where it is hidden."""
        hands: dict[str, int] = {}
        everyone = 0
        whole = whole_set(rules.max_pip)
        for key, header in self.headers.items():
            if not key.startswith("hand "):
                continue
            player = key[5:]
            if player not in players:
                header.wrong("player_unknown", player, -header.column + 1)
            tiles = [_TILES.get(word, 0) for word in header.value.split()]
            hand = sum(tiles)
            if hand.bit_count() < len(tiles) or hand & ~whole or hand & everyone:
                _wrong_tile(header, whole, everyone)
            everyone |= hand
            size = deal + seek[players.index(player)]
            if hand.bit_count() != size:
                header.wrong("hand_size", player=player, tiles=hand.bit_count(), size=size)
            hands[player] = hand
        return tuple(hands.get(player) for player in players)


def _wrong_tile(header: Header, whole: int, others: int) -> NoReturn:
    """Name the first tile of a hand that is none, not in the set, or here or in another hand already."""
    for offset, word in header.words():
        tile = _TILES.get(word, 0) & whole
        if not tile or others & tile:
            header.wrong("tile_twice" if tile else "tile", word, offset)
        others |= tile
    raise AssertionError(header.value)  # pragma: no cover - one of them is wrong


@lru_cache(maxsize=256)
def _rule_set(preset: str, overrides: tuple[tuple[str, object], ...]) -> RuleSet:
    """Most records are played by rules that were read before. No field takes both yes and 1."""
    return rule_set(preset, **dict(overrides))


_PARSERS: dict[str, Callable[[str], object]] = {
    "bool": lambda text: {"yes": True, "no": False}.get(text, text),
    "int": lambda text: int(text) if INT.fullmatch(text) else text,
    "choice": lambda text: None if text == "none" else int(text) if INT.fullmatch(text) else text,
}


def _value(name: str, text: str) -> object:
    """The value that an override's text stands for; text that stands for none is given back."""
    return _PARSERS[FIELDS[name].kind](text)
