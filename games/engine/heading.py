"""The header of a train record: what each line may hold, and what may stand beside what.

Knows the keys of notation.md. Must not know turns or end lines: `reading` hands over the lines it found.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NoReturn

from games.engine.errors import Problem, RuleSetError
from games.engine.moves import MEXICAN
from games.engine.rules import FIELDS, PRESETS, RuleSet, rule_set
from games.engine.suits import BIT, tile_number
from games.engine.tiles import SETS, tile_total

ID = r"[^\W\d_]\w*"
PIP = r"(?:0|[1-9][0-9]?)"
PLAYER = re.compile(ID)
TILE = re.compile(rf"({PIP})-({PIP})", re.ASCII)
INT = re.compile(r"-?[0-9]{1,6}", re.ASCII)


class WrongError(Exception):
    """A line cannot be read; the reader keeps the problem and goes on."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem


def problem(code: str, reason: str, line: int, column: int, text: str, **params: object) -> Problem:
    facts = {"reason": reason, "line": line, "column": column, "text": text[:80], **params}
    return Problem(code, params=facts)


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
            if highest.value not in map(str, SETS):
                highest.wrong("set", allowed=SETS)
            overrides["max_pip"] = int(highest.value)
        try:
            return rule_set(preset, **overrides)
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
            if PLAYER.fullmatch(player) is None or (equals and not name):
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
        if re.fullmatch(r"[0-9]{1,3}", header.value, re.ASCII) is None or int(header.value) < least:
            header.wrong("deal", least=least)
        return int(header.value)

    def engine(self, rules: RuleSet, players: tuple[str, ...]) -> tuple[int, str | None]:
        """The engine's pip, and who laid it."""
        header = self.required("engine")
        words = list(header.words())
        match = TILE.fullmatch(words[0][1]) if 1 <= len(words) <= 2 else None
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
            if re.fullmatch(r"[0-9]{1,3}", number.strip(), re.ASCII) is None:
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
        for key, header in self.headers.items():
            if not key.startswith("hand "):
                continue
            player = key[5:]
            if player not in players:
                header.wrong("player_unknown", player, -header.column + 1)
            hand = 0
            for offset, word in header.words():
                match = TILE.fullmatch(word)
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


_PARSERS: dict[str, Callable[[str], object]] = {
    "bool": lambda text: {"yes": True, "no": False}.get(text, text),
    "int": lambda text: int(text) if INT.fullmatch(text) else text,
    "choice": lambda text: None if text == "none" else int(text) if INT.fullmatch(text) else text,
}


def _value(name: str, text: str) -> object:
    """The value that an override's text stands for; text that stands for none is given back."""
    return _PARSERS[FIELDS[name].kind](text)
