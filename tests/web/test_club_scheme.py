"""How a season is scored: its words, and the form that shows the table before and after."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from games.engine.scheme import Scheme
from games.models import Club, ClubEntry, Season
from games.standing_rows import scheme_from_data
from games.web.club.scheme import Typed, reordered, typed_of
from tests import club as at_club
from tests.club import night
from tests.web.club_pages import answers, client_of
from tests.web.reading import rows, words

pytestmark = pytest.mark.django_db


@pytest.fixture
def spring(club: Club) -> Season:
    spring = at_club.season(club)
    night(spring, 1, ["Chitra", "Ben", "Kwame"], [0, 20, 30])
    night(spring, 2, ["Chitra", "Ben"], [40, 0])
    club.refresh_from_db()
    return spring


@pytest.fixture
def owner(club: Club, spring: Season) -> Client:
    return client_of(club, 1)


def send(client: Client, club: Club, do: str, **typed: Any) -> Any:
    form = {
        "measure": "points",
        "by": "share",
        "places": "10, 7, 5",
        "absence": "blank",
        "late": "from_joining",
        "tiebreak": ["zero_rounds", "lowest_nonzero"],
        **typed,
    }
    address = f"/clubs/{club.slug}/seasons/1/scheme/change/"
    return client.post(address, {**form, "do": do, "version": club.version})


def scheme(club: Club) -> Scheme:
    return scheme_from_data(Season.objects.get(club=club, number=1).scheme)


def test_everybody_reads_how_it_is_scored_and_why_it_was_changed(owner: Client, club: Club) -> None:
    send(owner, club, "save", measure="placement", reason="Voted in March")
    said = words(client_of(club, 2).get(f"/clubs/{club.slug}/seasons/1/scheme/"))
    assert "Most opponents beaten, added up." in said
    assert "Voted in March Now: Most opponents beaten, added up." in said
    assert "Before: Lowest sum of points. Chitra," in said
    assert "Score it otherwise" not in said


def test_the_form_holds_every_field_of_the_scheme(owner: Client, club: Club) -> None:
    full = Scheme(
        measure="placement_average",
        places=(10, 7, 5, 1),
        high_wins=True,
        best=3,
        least_nights=2,
        absence="worst_plus_one",
        late="as_absent",
        guests_hold_places=True,
        tiebreaks=("head_to_head", "wins"),
    )
    assert typed_of(full).scheme() == (full, [])
    typed = {name: getattr(typed_of(full), name) for name in Typed.__dataclass_fields__}
    codes = typed.pop("tiebreaks")
    answer = send(owner, club, "save", **{**typed, "tiebreak": list(codes), "reason": "All of it"})
    assert answer.status_code == 302
    assert scheme(club) == full
    page = owner.get(f"/clubs/{club.slug}/seasons/1/scheme/change/").content.decode()
    for piece in ('value="10, 7, 5, 1"', 'value="placement_average" selected', 'name="best" value="3"'):
        assert piece in page
    assert page.index("tiebreak") < page.index('value="head_to_head"') < page.index('value="wins"')


def test_before_it_is_changed_both_tables_stand_side_by_side(owner: Client, club: Club) -> None:
    answer = send(owner, club, "look", measure="per_game")
    assert answer.status_code == 200
    assert scheme(club) == Scheme()
    said = words(answer)
    assert "Then Chitra is 2nd, Kwame 3rd." in said
    assert rows(answer) == [
        ["B Ben", "1 20", "1 10.0"],
        ["C Chitra", "3 40", "2 20.0"],
        ["K Kwame", "2 30", "3 30.0"],
    ]
    assert answer.content.decode().count('<tr class="moves-') == 2
    assert "Why is it changed?" in said


def test_the_scheme_as_it_is_says_so(owner: Client, club: Club) -> None:
    said = words(send(owner, club, "look"))
    assert "This is how the season is scored now." in said
    assert "Why is it changed?" not in said


def test_a_change_needs_a_reason_and_is_logged(owner: Client, club: Club) -> None:
    answer = send(owner, club, "save", measure="per_game")
    assert answer.status_code == 422
    assert "A reason is needed." in words(answer)
    assert 'value="per_game" selected' in answer.content.decode()
    assert send(owner, club, "save", measure="per_game", reason="Fairer").status_code == 302
    entry = ClubEntry.objects.get(action="scheme_changed")
    assert (entry.who, entry.reason, entry.after["season"]) == ("Chitra", "Fairer", 1)


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({"best": "0"}, "How many nights count: 0 is not possible. It can be 1 to 400."),
        ({"best": "many"}, "How many nights count: “many” is not a whole number."),
        ({"least_nights": "-1"}, "The nights that a place needs: “-1” is not a whole number."),
        ({"by": "list", "places": "1, 2"}, "Points for places cannot rise from one place to the next."),
        ({"by": "list", "places": ""}, "Points for places cannot rise from one place to the next."),
        ({"by": "list", "places": "10, ten"}, "Points for a place: “ten” is not a whole number."),
        ({"measure": "luck"}, "“luck” is not one of the choices here."),
    ],
)
def test_what_cannot_be_is_told_and_stays_as_typed(
    owner: Client, club: Club, typed: dict[str, str], said: str
) -> None:
    answer = send(owner, club, "save", reason="Try", **typed)
    assert answer.status_code == 422
    assert said in words(answer)
    for name, value in typed.items():
        if name not in {"by", "measure"}:
            assert f'value="{value}"' in answer.content.decode()
    assert scheme(club) == Scheme()


@pytest.mark.parametrize(
    ("do", "codes"),
    [
        ("up:wins", ("wins", "nights", "points")),
        ("up:nights", ("nights", "wins", "points")),
        ("down:wins", ("nights", "points", "wins")),
        ("down:points", ("nights", "wins", "points")),
        ("out:wins", ("nights", "points")),
        ("in:beaten", ("nights", "wins", "points", "beaten")),
        ("in:wins", ("nights", "wins", "points")),
        ("in:age", ("nights", "wins", "points")),
        ("up:age", ("nights", "wins", "points")),
        ("turn:wins", ("nights", "wins", "points")),
    ],
)
def test_tie_breaks_are_put_in_order_by_buttons(do: str, codes: tuple[str, ...]) -> None:
    assert reordered(("nights", "wins", "points"), do) == codes


def test_a_button_of_the_order_writes_nothing_and_keeps_the_rest(owner: Client, club: Club) -> None:
    answer = send(owner, club, "up:lowest_nonzero", best="7")
    page = answer.content.decode()
    assert page.index('value="lowest_nonzero"') < page.index('value="zero_rounds"')
    assert 'name="best" value="7"' in page
    assert scheme(club) == Scheme()


def test_a_change_meanwhile_is_told(owner: Client, club: Club) -> None:
    send(owner, club, "save", measure="per_game", reason="First")
    answer = send(owner, club, "save", measure="per_round", reason="Second")
    assert answer.status_code == 409
    assert "Newest change: “Spring season” is scored otherwise (Chitra)." in words(answer)
    assert 'value="Second"' in answer.content.decode()
    assert scheme(club).measure == "per_game"


def test_each_role_gets_what_is_theirs(club: Club, spring: Season) -> None:
    page = f"/clubs/{club.slug}/seasons/1/scheme/"
    form = {"do": "look", "measure": "per_game", "by": "share", "absence": "blank", "late": "as_absent"}
    assert answers(club, "get", page) == "404 200 200 200 200 200 404"
    assert answers(club, "get", f"{page}change/") == "404 403 403 403 200 200 404".replace("403", "302", 1)
    assert answers(club, "post", f"{page}change/", form) == "404 302 403 403 200 200 404"
    assert client_of(club, 1).post(page).status_code == 405
    assert client_of(club, 1).put(f"{page}change/").status_code == 405


def test_before_the_first_game_no_empty_tables_are_compared() -> None:
    other = at_club.found("Zoe", "Yan")
    at_club.season(other)
    answer = send(client_of(other, 1), other, "look", best="3")
    assert "Nobody is in the table yet." in words(answer)
    assert "<table" not in answer.content.decode()
