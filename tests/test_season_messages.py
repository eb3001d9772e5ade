"""Each code of a season's services and of its scheme has its sentence."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from games import messages
from games.engine.errors import Problem
from games.engine.scheme import Scheme, check_scheme
from games.season_messages import SENTENCES, sentence

CODE = re.compile(r'_?[pP]roblem\(\s*"([a-z_]+)"|Problem\("([a-z_]+)" if \w+ else "([a-z_]+)"\)')
WHERE = ("games/seasons.py", "games/engine/scheme.py", "games/web/club/scheme.py")


def test_every_code_has_a_sentence() -> None:
    used = set()
    for path in WHERE:
        for found in CODE.findall(Path(path).read_text(encoding="utf-8")):
            used |= {code for code in found if code}
    assert {"doubt_decided", "night_outside", "scheme_twice"} <= used
    assert used <= SENTENCES.keys() | messages.SENTENCES.keys()


@pytest.mark.parametrize(
    ("problem", "said"),
    [
        (
            Problem("night_outside", params={"on": "2026-03-01", "starts": "2026-03-05", "ends": ""}),
            "The night of 1 March 2026 is outside of the season. It begins on 5 March 2026.",
        ),
        (
            Problem(
                "night_outside", params={"on": "2026-09-01", "starts": "2026-03-05", "ends": "2026-06-30"}
            ),
            (
                "The night of 1 September 2026 is outside of the season. "
                "It runs from 5 March 2026 to 30 June 2026."
            ),
        ),
        (
            Problem("doubt_same", seat=2, params={"points": 20}),
            "20 is the score that counts now. Type what it would be otherwise.",
        ),
        (Problem("doubt_same"), "This is how the game counts now."),
        (
            Problem("doubt_cannot", seat=2, params={"points": None}),
            "Type the score that would count otherwise. It is a whole number.",
        ),
        (Problem("doubt_cannot", seat=2, params={"points": -4}), "This hand cannot be worth −4."),
        (Problem("member_twice", seat=2, params={"name": "Ben"}), "Ben cannot sit in two seats of one game."),
        (Problem("reason_missing"), "A reason is needed. Everybody in the club can read it."),
        (
            Problem("night_unknown", params={"on": "2026-03-01"}),
            "There is no night on 1 March 2026 in this season.",
        ),
        (
            Problem("title_long", params={"name": "x", "most": 80}),
            "This name is too long. 80 letters are the most.",
        ),
        (Problem("players_number", params={"count": 1, "least": 2, "most": 14}), None),
    ],
)
def test_the_words(problem: Problem, said: str | None) -> None:
    assert sentence(problem) == (messages.sentence(problem, {}) if said is None else said)


def test_a_scheme_s_problems_in_words() -> None:
    wrong = Scheme(best=0, places=(1, 2), tiebreaks=("wins", "wins", "age"), measure="luck")  # type: ignore[arg-type]
    assert {sentence(one) for one in check_scheme(wrong)} == {
        "“luck” is not one of the choices here.",
        "How many nights count: 0 is not possible. It can be 1 to 400.",
        "Points for places cannot rise from one place to the next. Try 10, 7, 5, 3, 1.",
        "“age” is not one of the choices here.",
        "The same tie-break is there twice.",
    }
