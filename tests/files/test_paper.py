"""An old sheet as text: every way in which people write one down, and every text that is none."""

from __future__ import annotations

import random
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.files.paper import MOST_TEXT, SHAPES, Cell, Shape, Slip, Unread, read_paper, slips

# Ruth 71, Ben 113, Chitra 66 after three rounds.
POINTS = [[55, 40, 45], [0, 33, 5], [16, 40, 16]]
ANN = [[55, 40, 0], [0, 33, 5], [16, 0, 16]]


def both(paper: object) -> list[list[tuple[int | None, int | None]]]:
    return [[(cell.points, cell.total) for cell in line.cells] for line in paper.rounds]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "text",
    [
        "Ruth\tBen\tChitra\n55\t40\t0\n0\t33\t5\n16\t0\t16",
        "Ruth;Ben;Chitra\n55;40;0\n0;33;5\n16;0;16\n",
        "Ruth, Ben, Chitra\n55, 40, 0\n0, 33, 5\n16, 0, 16",
        "Ruth   Ben   Chitra\n 55    40   0\n  0    33   5\n 16     0  16",
        "Ruth Ben Chitra\r\n55 40 0\r\n\r\n0 33 5\r\n16 0 16\r\n",
        "Rd.\tEngine\tRuth\tBen\tChitra\n1\t12-12\t55\t40\t0\n2\t11-11\t0\t33\t5\n3\t10-10\t16\t0\t16",
        "Round;Ruth;Ben;Chitra\n1.;55;40;0\n2.;0;33;5\n3.;16;0;16",
        "\tRuth\tBen\tChitra\nR1\t55\t40\t0\nR2\t0\t33\t5\nR3\t16\t0\t16",
        "Ruth,Ben,Chitra,,\n55,40,0,,\n0,33,5,,\n16,0,16,,",
        '"Ruth","Ben","Chitra"\n"55","40","[0]"\n0,33,5\n16,0,16',
        "\ufeffRuth;Ben;Chitra\n55;40;0\n0;33;5\n16;0;16",
    ],
    ids=[
        *("tabs", "semicolons", "commas", "spaces", "one space", "labels", "round numbers", "blank head"),
        *("spare columns", "quotes", "bom"),
    ],
)
def test_points_are_read_however_they_are_parted(text: str) -> None:
    paper = read_paper(text)

    assert paper.names == ("Ruth", "Ben", "Chitra")
    assert paper.points() == ANN
    assert slips(paper) == []


def test_names_may_come_from_elsewhere() -> None:
    assert read_paper("55 40\n0 33", names=["Ruth", "Ben"]).names == ("Ruth", "Ben")
    with pytest.raises(Unread) as refused:
        read_paper("55 40\n0 33")
    assert refused.value.code == "names"


@pytest.mark.parametrize(
    "text",
    [
        "Ruth;Ben\n55/55;0/0\n0/55;33/33",
        "Ruth;Ben\n55 55;0 0\n0 55;33 33",
        "Ruth  Ben\n55 55  0 0\n0 55  33 33",
        "Ruth;Ben\n55 (55);0 (0)\n0 (55);33 (33)",
        "Ruth;Total;Ben;Total\n55;55;0;0\n0;55;33;33",
        "Rd;Engine;Ruth;;Ben;\n1;12-12;55;55;0;0\n2;11-11;0;55;33;33",
        "Rd.;Engine;Ruth;Ben\n1;12-12;55;0\n;;55;0\n2;11-11;0;33\n;;55;33",
        "Ruth;Ben\n55;0\n55;0\n0;33\n55;33",
    ],
    ids=["slash", "space", "spaces", "brackets", "two columns", "merged heads", "beneath", "beneath, bare"],
)
def test_running_totals_are_read_wherever_they_stand(text: str) -> None:
    paper = read_paper(text)

    assert paper.names == ("Ruth", "Ben")
    assert both(paper) == [[(55, 55), (0, 0)], [(0, 55), (33, 33)]]
    assert slips(paper) == []


def test_totals_alone_are_recognised_and_taken_apart() -> None:
    paper = read_paper("Ruth Ben Ann\n55 40 0\n55 73 5\n71 73 21")
    assert paper.totals_only
    assert paper.points() == ANN


def test_a_sheet_in_which_each_line_has_a_zero_is_points() -> None:
    assert read_paper("Ann Ben\n0 10\n0 15").points() == [[0, 10], [0, 15]]
    assert read_paper("Ann Ben\n0 10\n0 15", shape="totals").points() == [[0, 10], [0, 5]]


def test_the_first_row_where_the_addition_went_wrong() -> None:
    text = "Ruth;Ben\n55/55;0/0\n0/55;33/33\n59/114;14/47\n2/117;0/47\n0/117;5/52"
    assert slips(read_paper(text)) == [Slip(4, 0, before=114, points=2, right=116, written=117)]


def test_a_slip_is_not_told_again_in_the_rows_below() -> None:
    text = "Ann;Ben\n1;0\n1;0\n0;9\n1;10\n5;0\n6;10"
    assert [(slip.number, slip.column) for slip in slips(read_paper(text, shape="beneath"))] == [(2, 1)]


def test_a_total_that_goes_down_is_told() -> None:
    paper = read_paper("Ann Ben\n10 0\n8 5", shape="totals")
    assert slips(paper) == [Slip(2, 0, before=10, points=None, right=10, written=8)]


def test_the_row_of_totals_is_checked() -> None:
    paper = read_paper("Ann;Ben\n10;0\n0;5\nTotal;10;6")
    assert slips(paper) == [Slip(0, 1, before=5, points=0, right=5, written=6)]
    assert slips(read_paper("Rd;Engine;Ann;Ben\n1;12-12;10;0\n2;11-11;0;5\nTotal;;10;5")) == []
    assert slips(read_paper("Ann;Ben\n10;0\n0;5\nSumme:;10;5", total_words=["Summe"])) == []


def test_what_stands_below_the_totals_is_not_read_and_told() -> None:
    paper = read_paper("Rd;Engine;Ann;Ben\n1;12-12;10;0\nTotal;;10;0\nRounds out;;0;1\nPlace;;2nd;1st")
    assert paper.unread == ((4, "Rounds out"), (5, "Place"))
    assert len(paper.rounds) == 1


def test_engines_and_blocked_rounds_are_read() -> None:
    paper = read_paper("Rd;Engine;Ann;Ben\n1;9-9;10;0\n2;8-8;3;5;B\nBlocked;3;4")
    assert [(line.engine, line.blocked) for line in paper.rounds] == [(9, False), (8, True), (None, True)]


def test_who_was_not_there_has_nothing() -> None:
    rounds = read_paper("Ann;Ben;Cho\n10;0;–\n0;5;").rounds
    assert rounds[0].cells[2] == Cell(absent=True)
    assert rounds[1].cells[2] == Cell()  # forgotten


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("", "empty", None),
        (" \n\t\n;;;\n", "empty", None),
        ("Ann;Ben", "rounds", None),
        ("Ann;Ben\n7;2;3", "width", 2),
        ("Ann;Ben\n1;2;3;4;5", "width", 2),
        ("Rd;Ann;Ben\n1;0;5\n3;4;0", "order", 3),
        ("Rd;Engine;Ann;Ben\n1;12-11;0;5", "number", 2),
        ("Ann;Ben\n1;two", "number", 2),
        ("Ann;Ben\n1;0\n=1+1;0", "number", 3),
        ("Ann;Ben\n1;0\n=cmd|' /C calc'!A0;0", "number", 3),
        ("Ann;Ben\n1;0\n1\0;0", "number", 3),
        ("Ann;Ben\n1;0\n1e9;0", "number", 3),
        ("Ann;Ben\n1;0\n٣;0", "number", 3),
        ("Ann;Ben\n1;0\n1234567;0", "number", 3),
        ("Ann;;Ben;Cho\n1;0;0;5", "name_blank", 1),
        ("Ann;Ben\nTotal;1;2\n3;4", "after_total", 3),
        (";".join(f"P{n}" for n in range(15)) + "\n1", "players", 1),
        ("x" * (MOST_TEXT + 1), "long", None),
        ("x" * 10_000_000, "long", None),
        ("\n".join(["1 2"] * 200), "lines", None),
        ("a;b\n" + ";" * 10_000 + "1", "columns", 2),
        ("Ann;Ben\n1;0\n1;0\n2;0", "beneath", 4),
    ],
)
def test_what_is_no_sheet_is_told_with_its_line(text: str, code: str, line: int | None) -> None:
    shape: Shape = "beneath" if code == "beneath" else "auto"
    with pytest.raises(Unread) as refused:
        read_paper(text, shape=shape)
    assert refused.value.code == code
    assert refused.value.facts.get("line") == line


@given(st.text(max_size=300), st.sampled_from(SHAPES))
def test_any_text_is_read_or_refused(text: str, shape: Shape) -> None:
    with suppress(Unread):
        slips(read_paper(text, names=["Ann", "Ben"], shape=shape))


@given(st.text(alphabet="0123456789 /;,\t\n-B[]()TotalRdAnn.", max_size=200))
def test_any_text_that_looks_like_a_sheet_is_read_or_refused(text: str) -> None:
    try:
        paper = read_paper(text, names=["Ann", "Ben"])
    except Unread:
        return
    assert all(len(line.cells) == len(paper.names) for line in paper.rounds)
    slips(paper)


@given(
    st.integers(2, 8),
    st.integers(1, 13),
    st.integers(0, 10**6),
    st.sampled_from(["pair", "beneath", "points"]),
)
def test_what_is_written_down_is_read_as_it_was(players: int, rounds: int, seed: int, way: str) -> None:
    chance = random.Random(seed)
    points = [[chance.randint(1, 60) for _ in range(players)] for _ in range(rounds)]
    for row in points:
        row[chance.randrange(players)] = 0
    totals = [
        [sum(row[column] for row in points[: at + 1]) for column in range(players)] for at in range(rounds)
    ]
    lines = ["Rd.\tEngine\t" + "\t".join(f"Player {seat}" for seat in range(players))]
    for at, row in enumerate(points):
        label = f"{at + 1}\t{12 - at}-{12 - at}\t"
        if way == "pair":
            lines.append(
                label + "\t".join(f"{one}/{total}" for one, total in zip(row, totals[at], strict=True))
            )
        else:
            lines.append(label + "\t".join(map(str, row)))
        if way == "beneath":
            lines.append("\t\t" + "\t".join(map(str, totals[at])))
    lines.append("Total\t\t" + "\t".join(map(str, totals[-1])))

    paper = read_paper("\n".join(lines), shape="points" if way == "points" else "auto")

    assert paper.points() == points
    assert slips(paper) == []
    wrong_at, wrong_column = chance.randrange(rounds), chance.randrange(players)
    if way == "pair":
        cells = list(paper.rounds[wrong_at].cells)
        at_line = lines[wrong_at + 1].split("\t")
        total = cells[wrong_column].total
        assert total is not None
        at_line[wrong_column + 2] = f"{cells[wrong_column].points}/{total + 1}"
        lines[wrong_at + 1] = "\t".join(at_line)
        first = slips(read_paper("\n".join(lines)))[0]
        assert (first.number, first.column, first.written) == (wrong_at + 1, wrong_column, total + 1)
