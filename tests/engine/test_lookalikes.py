"""Signs from a chat in a record: found where they keep it from being read, never mended by themselves."""

from __future__ import annotations

import re

import pytest

from games.engine.errors import Problem
from games.engine.lookalikes import LOOKALIKES, Lookalike, lookalikes, put_right
from games.engine.reading import parse_record
from games.engine.record import RecordError

ROUND = """rules: thoughtco
players: A=Ann-Marie, B=Ben
deal: 4
engine: 12-12
hand A: 12-3 12-0 3-1 9-9
1. A 12-3>A
2. B +
3. A 3-1>A ^
4. B + 12-4>B 4-5 !
"""


def problems_of(text: str) -> tuple[Problem, ...]:
    with pytest.raises(RecordError) as refused:
        parse_record(text)
    return refused.value.problems


def found(text: str) -> tuple[tuple[Lookalike, ...], tuple[Problem, ...]]:
    return lookalikes(text, problems_of(text))


@pytest.mark.parametrize("right", [right for right in LOOKALIKES if right != " "])
def test_each_sign_is_an_error_found_as_what_it_stands_for_and_put_right(right: str) -> None:
    for sign in LOOKALIKES[right]:
        head, names, rest = ROUND.partition("players: A=Ann-Marie, B=Ben\n")
        text = head + names + rest.replace(right, sign)
        (one,), others = found(text)
        assert (one.sign, one.right, others) == (sign, right, ()), hex(ord(sign))
        assert len(one.places) == rest.count(right)
        assert put_right(text, [sign]) == ROUND


def test_a_number_with_a_bracket_is_one_of_a_turn_and_no_other_bracket_is_touched() -> None:
    text = re.sub(r"^(\d)\.", r"\1)", ROUND, flags=re.MULTILINE)
    text = text.replace("A=Ann-Marie", "A=Ann (1)").replace("2) B +", "2) B + ; (3) then")
    (one,), others = found(text)
    assert (one.sign, one.right, one.lines, others) == (")", ".", (6, 7, 8, 9), ())
    assert one.places[0] == (6, 2)
    assert put_right(text, [")"]) == ROUND.replace("A=Ann-Marie", "A=Ann (1)").replace(
        "2. B +", "2. B + ; (3) then"
    )
    bracket = ROUND.replace("12-3>A", "12-3)>A")
    assert found(bracket) == ((), problems_of(bracket))


def test_an_arrow_that_a_phone_made_a_picture_is_one_sign() -> None:
    text = ROUND.replace(">", "\u27a1\ufe0f").replace("4-5 !", "4-5 \u2757\ufe0f")
    signs, others = found(text)
    assert [(one.sign, one.right, one.lines) for one in signs] == [
        ("\u27a1", ">", (6, 8, 9)),
        ("\u2757", "!", (9,)),
    ]
    assert others == ()
    assert put_right(text, [one.sign for one in signs]) == ROUND


@pytest.mark.parametrize("sign", LOOKALIKES[" "])
def test_a_space_that_is_none_is_named_only_where_it_is_in_the_way(sign: str) -> None:
    parse_record(ROUND.replace("1. A 12-3", f"1.{sign}A{sign}12-3"))
    (dash,), _others = found(ROUND.replace("1. A 12-3", f"1.{sign}A{sign}12–3"))
    assert dash.sign == "–"
    (one,), others = found(ROUND.replace("hand A", f"hand{sign}A"))
    assert (one.right, one.places, others) == (" ", ((5, 5),), ())


def test_names_and_comments_keep_their_signs() -> None:
    text = ROUND.replace("Ann-Marie", "Ann–Marie").replace("2. B +", "2. B + ; B – then")
    parse_record(text)
    (one,), _others = found(text.replace("12-3>A", "12–3>A"))
    assert one.lines == (6,)
    assert put_right(text, ["–"]) == text


def test_what_is_wrong_besides_stays_told() -> None:
    text = ROUND.replace("12-3>A", "12–3>A").replace("3-1>A ^", "3–1>A ?").replace("2. B +", "2. B x–")
    (one,), others = found(text)
    assert one.lines == (6, 7, 8)
    assert [problem.params["line"] for problem in others] == [7]  # “x-” is no action either
    assert [problem.params["text"] for problem in problems_of(put_right(text, "–"))] == ["x-", "?"]


def test_of_several_signs_each_is_found() -> None:
    text = ROUND.replace("12-3>A", "12–3→A").replace("4-5 !", "4−5 !")
    signs, others = found(text)
    assert [(one.sign, one.lines) for one in signs] == [("–", (6,)), ("→", (6,)), ("−", (9,))]
    assert others == ()
    assert put_right(text, [one.sign for one in signs]) == ROUND


def test_a_record_that_is_wrong_without_such_signs_has_none() -> None:
    text = ROUND.replace("12-3>A", "12-3>")
    assert found(text) == ((), problems_of(text))


def test_a_long_text_of_them_is_done_at_once() -> None:
    text = "players: A, B\ndeal: 4\nengine: 12-12\n" + "1. A 12–3→A\n" * 4_900
    signs, others = found(text)
    assert {one.sign: len(one.places) for one in signs} == {"–": 4_900, "→": 4_900}
    assert others == ()
