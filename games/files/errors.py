"""Why a file cannot be brought in, as a code and its facts; `words` makes the sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.engine.errors import Problem


class NotBroughtIn(Exception):
    """The file is refused as a whole; nothing of it was saved.

    `code` is one of `words.SENTENCES`; `game` is the name of the game concerned, if its name could be read;
    `problems` are the engine's, where a round or the set-up is refused by the rules; `names` by seat.
    """

    def __init__(
        self,
        code: str,
        *,
        problems: Sequence[Problem] = (),
        names: Mapping[int, str] | None = None,
        **facts: object,
    ) -> None:
        super().__init__(f"{code}: {facts}")
        self.code = code
        self.facts = facts
        self.problems = tuple(problems)
        self.names = names or {}
        self.game = ""
