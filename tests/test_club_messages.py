"""Every code of a club's writes has its sentence, and every kind of change its line in the log."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from games import club_messages, clubs, messages
from games.club_messages import club_sentence
from games.engine.errors import Problem
from games.engine.scheme import Scheme
from games.models import ClubAction, ClubEntry
from games.standing_rows import scheme_to_data
from games.web.club.log_words import TITLES, notes, title


def test_every_code_has_a_sentence() -> None:
    codes = set(re.findall(r'Problem\(\s*"(\w+)"', Path(clubs.__file__).read_text(encoding="utf-8")))
    assert len(codes) > 12
    assert codes <= {*club_messages.SENTENCES, *messages.SENTENCES}
    assert set(club_messages.SENTENCES) <= codes


@pytest.mark.parametrize(
    ("problem", "said"),
    [
        (Problem("name_blank", field="name"), "A name is needed."),
        (
            Problem("name_twice", field="name", params={"name": "Ben"}),
            "The name Ben is taken. Add a letter: Ben K?",
        ),
        (
            Problem("name_twice", seat=3, field="names", params={"name": "Ben"}),
            "Line 3: The name Ben is taken. Add a letter: Ben K?",
        ),
        (
            Problem("left_later", params={"on": "2026-12-24"}),
            "24 December 2026 is still to come. Nobody can leave before then.",
        ),
        (
            Problem("merge_met", params={"name": "Ben", "other": "Benn", "on": "2026-03-12"}),
            "Ben and Benn are two people. They sat at one table on 12 March 2026.",
        ),
        (Problem("members_many", params={"most": 1500}), "A club has at most 1,500 members."),
    ],
)
def test_a_problem_is_told_in_words(problem: Problem, said: str) -> None:
    assert club_sentence(problem) == said


BEN: dict[str, Any] = {"number": 2, "name": "Ben", "role": "member", "joined_on": None, "left_on": None}
SEATS = {"1": {"member": 2, "forfeit": False}, "2": {"member": None, "forfeit": False}}
SPRING = {"number": 1, "name": "Spring", "starts_on": "2026-03-05", "ends_on": None}
GAME = {"on": "2026-03-12", "game": "abc", "names": {"1": "Vera", "2": "Ben", "3": "Cho"}}
SCHEMES = [{"scheme": scheme_to_data(Scheme(measure=one))} for one in ("points", "per_round")]
LINES: list[tuple[ClubAction, str, dict[str, Any], dict[str, Any], str]] = [
    (ClubAction.FOUNDED, "Club", {}, {}, "The club is founded"),
    (
        ClubAction.CHANGED,
        "New",
        {"name": "Old", "public": False},
        {"name": "New", "public": True},
        "The club is called “New”, no longer “Old” · Anybody may read the tables",
    ),
    (ClubAction.CHANGED, "Old", {"public": True}, {"public": False}, "Only the club reads the tables"),
    (ClubAction.LINK_REPLACED, "invite", {}, {}, "The invitation is stopped, a new one made"),
    (ClubAction.LINK_REPLACED, "reader", {}, {}, "The link to read is stopped, a new one made"),
    (ClubAction.MEMBER_ADDED, "Ben", {}, BEN, "Ben is added"),
    (ClubAction.MEMBER_CHANGED, "Ben", {**BEN, "name": "Benn"}, BEN, "Benn is called Ben"),
    (
        ClubAction.MEMBER_CHANGED,
        "Ben",
        BEN,
        {**BEN, "role": "scorer", "joined_on": "2026-03-05"},
        "Ben’s role is scorer now / Was member. / Joined: 5 March 2026.",
    ),
    (
        ClubAction.MEMBER_CHANGED,
        "Ben",
        {**BEN, "left_on": "2026-04-01"},
        BEN,
        "Ben is back / Left: –. / Was 1 April 2026.",
    ),
    (ClubAction.MEMBER_LINKED, "Ben", {}, {"linked": True, "new": False}, "Ben has an account now"),
    (ClubAction.MEMBER_LINKED, "Ben", {}, {"linked": True, "new": True}, "Ben joins by the invitation"),
    (ClubAction.MEMBER_LINKED, "Ben", {}, {"linked": False}, "Ben’s account is taken off"),
    (ClubAction.MEMBER_LEFT, "Ben", BEN, {**BEN, "left_on": "2026-04-01"}, "Ben leaves on 1 April 2026"),
    (
        ClubAction.MEMBERS_MERGED,
        "Ben",
        {"gone": {"name": "Benn"}},
        {},
        "Benn and Ben are one: Ben has all results",
    ),
    (ClubAction.SEASON_ADDED, "Spring", {}, SPRING, "The season “Spring” is added"),
    (
        ClubAction.SEASON_CHANGED,
        "Spring",
        {**SPRING, "name": "Sprin", "ends_on": "2026-06-01"},
        SPRING,
        "The season “Spring” is changed / It was called “Sprin”. / From 5 March 2026 to –.",
    ),
    (
        ClubAction.SCHEME_CHANGED,
        "Spring",
        SCHEMES[0],
        SCHEMES[1],
        "“Spring” is scored otherwise / Now: Lowest average a round. / Before: Lowest sum of points.",
    ),
    (
        ClubAction.SCHEME_CHANGED,  # what stays as it was is not told
        "Spring",
        {"scheme": scheme_to_data(Scheme(absence="blank"))},
        {"scheme": scheme_to_data(Scheme(absence="own_average", late="as_absent"))},
        (
            "“Spring” is scored otherwise / Now: A missed night counts the person’s own average. / "
            "Now: Nights before somebody joined are missed nights. / Before: A missed night counts nothing."
        ),
    ),
    (
        ClubAction.NIGHT_CHANGED,
        "2026-03-12",
        {"void": False},
        {"void": True},
        "The night of 12 March 2026 does not count",
    ),
    (ClubAction.NIGHT_CHANGED, "2026-03-12", {}, {"void": False}, "The night of 12 March 2026 counts again"),
    (
        ClubAction.GAME_ADDED,
        "",
        {},
        {**GAME, "seats": SEATS},
        "On the night of 12 March 2026: Vera, Ben and Cho / Ben and 1 guest.",
    ),
    (
        ClubAction.GAME_CHANGED,
        "Table 1",
        {"seats": SEATS, "void": False},
        {**GAME, "seats": {**SEATS, "2": {"member": 3, "forfeit": True}}, "void": False},
        "Who sat where: “Table 1”, 12 March 2026 / Seat 2: member 3, was a guest. / member 3 forfeits.",
    ),
    (
        ClubAction.GAME_CHANGED,
        "Table 1",
        {"seats": SEATS, "void": False},
        {**GAME, "seats": SEATS, "void": True},
        "Does not count: “Table 1”, 12 March 2026",
    ),
    (
        ClubAction.GAME_REMOVED,
        "",
        {**GAME, "seats": SEATS},
        {},
        "Taken from the night of 12 March 2026: Vera, Ben and Cho / Ben and 1 guest.",
    ),
    (
        ClubAction.DOUBT_RAISED,
        "Table 1",
        {},
        {**GAME, "doubt": 1, "other": {"round": 2, "seat": 3, "points": 4}, "stands": None},
        "A result is in doubt: “Table 1”, 12 March 2026 / It is about round 2: does Cho have 4?",
    ),
    (
        ClubAction.DOUBT_DECIDED,
        "Table 1",
        {},
        {**GAME, "other": {"void": True}, "stands": True},
        "The result stands: “Table 1”, 12 March 2026 / It is about whether the game counts.",
    ),
    (
        ClubAction.DOUBT_DECIDED,
        "Table 1",
        {},
        {**GAME, "other": {}, "stands": False},
        "The result falls: “Table 1”, 12 March 2026",
    ),
    (ClubAction.DOUBT_REOPENED, "T", {}, GAME, "In doubt again, by an appeal: “T”, 12 March 2026"),
    (ClubAction.BROUGHT_IN, "members.csv", {}, {}, "Brought in from a file: members.csv"),
]


@pytest.mark.parametrize(("action", "about", "before", "after", "said"), LINES)
def test_a_change_is_told_in_words(
    action: ClubAction, about: str, before: dict[str, Any], after: dict[str, Any], said: str
) -> None:
    entry = ClubEntry(action=action, about=about, before=before, after=after)
    assert " / ".join([title(entry), *notes(entry, {2: "Ben"})]) == said


def test_every_kind_of_change_is_among_them() -> None:
    assert {action for action, *_ in LINES} == set(ClubAction) == set(TITLES)
