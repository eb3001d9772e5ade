"""The drawings: where pips lie, what a tile says, and how a name shortens to the letters of its marker."""

from types import SimpleNamespace

import pytest
from django.template import Context, Template

from games.templatetags import tiles


@pytest.mark.parametrize("number", range(19))
def test_a_half_has_as_many_pips_as_its_number(number: int) -> None:
    assert len(set(tiles.pips(number))) == number


@pytest.mark.parametrize("number", range(19))
def test_pips_stay_on_the_face_and_do_not_touch(number: int) -> None:
    radius = tiles.radius(number) if number else 0
    pips = tiles.pips(number)
    for x, y in pips:
        assert radius + 5 <= x <= 95 - radius
        assert radius + 5 <= y <= 95 - radius
    distances = [((x - u) ** 2 + (y - v) ** 2) ** 0.5 for x, y in pips for u, v in pips if (x, y) != (u, v)]
    assert all(distance > 2 * radius for distance in distances)


@pytest.mark.parametrize("number", range(19))
def test_a_half_turned_round_is_the_same_half(number: int) -> None:
    turned = {(round(100 - x, 2), round(100 - y, 2)) for x, y in tiles.pips(number)}
    assert turned == {(round(x, 2), round(y, 2)) for x, y in tiles.pips(number)}


@pytest.mark.parametrize(
    ("number", "radius"),
    [(1, 10.5), (6, 10.5), (7, 9.3), (9, 9.3), (10, 8.2), (12, 8.2), (13, 7), (15, 7), (16, 6.4), (17, 6)],
)
def test_more_pips_are_smaller(number: int, radius: float) -> None:
    assert tiles.radius(number) == radius


def test_pips_lie_where_the_look_says() -> None:
    assert set(tiles.pips(3)) == {(24, 24), (50, 50), (76, 76)}
    assert set(tiles.pips(10)) == {(x, y) for x in (22, 78) for y in (20, 40, 60, 80)} | {(50, 30), (50, 70)}
    assert set(tiles.pips(13)) - set(tiles.pips(15)) == {(50, 25.25), (50, 74.75)}
    assert set(tiles.pips(17)) - set(tiles.pips(16)) == {(50, 50)}
    assert sorted({x for x, _ in tiles.pips(18)}) == [20, 50, 80]


def test_13_to_18_take_the_colours_of_1_to_6() -> None:
    assert [tiles.colour(number) for number in range(13, 19)] == [1, 2, 3, 4, 5, 6]


def draw(tag: str, **context: object) -> str:
    return Template("{% load tiles %}" + tag).render(Context(context))


@pytest.mark.parametrize(
    ("first", "second", "label"), [(9, 5, "9-5"), (0, 9, "0-9"), (9, 9, "double 9"), (0, 0, "double blank")]
)
def test_a_tile_says_its_name(first: int, second: int, label: str) -> None:
    drawn = draw("{% tile first second size=24 lying=True %}", first=first, second=second)
    assert f'role="img" aria-label="{label}"' in drawn
    assert 'class="tile t24 lying"' in drawn
    assert f'href="#h{first}"' in drawn
    assert f'href="#h{second}"' in drawn


def test_a_tile_beside_its_name_is_not_read_twice() -> None:
    drawn = draw("{% tile 9 5 hidden=True %}")
    assert 'aria-hidden="true"' in drawn
    assert "aria-label" not in drawn


def test_a_tile_face_down_shows_no_pips() -> None:
    drawn = draw("{% tile 9 5 face_down=True %}")
    assert "9" not in drawn.replace('height="204"', "").replace('width="96"', "")


def test_the_drawings_are_there_once_for_each_half_of_the_set() -> None:
    drawn = draw("{% tile_symbols 9 %}")
    assert [drawn.count(f'id="h{number}"') for number in range(11)] == [1] * 10 + [0]
    assert all(drawn.count(f'id="m{shape}"') == 1 for shape in range(1, 8))


@pytest.mark.parametrize("most", ["", None, 19, -1, "x"])
def test_without_a_set_the_drawings_are_those_of_double_12(most: object) -> None:
    assert draw("{% tile_symbols most %}", most=most) == draw("{% tile_symbols 12 %}")


@pytest.mark.parametrize("tag", ["tile_symbols 18", "tile 9 5", "half 7", "podium_pips 2"])
def test_no_drawing_has_an_inline_style(tag: str) -> None:
    assert "style" not in draw("{% " + tag + " %}")


def test_a_marker_takes_its_shape_from_the_seat() -> None:
    players = [SimpleNamespace(seat=seat, letters="A") for seat in range(1, 15)]
    drawn = [draw("{% marker player %}", player=player) for player in players]
    assert len(set(drawn)) == 14
    assert ["ring" in one for one in drawn] == [False] * 7 + [True] * 7
    assert draw('{% marker 8 "A" %}') == drawn[7]


def test_a_marker_escapes_its_letters() -> None:
    assert "<b" not in draw("{% marker player %}", player=SimpleNamespace(seat=1, letters="<b"))


@pytest.mark.parametrize(
    ("names", "letters"),
    [
        (["Ruth", "Ben", "Ann"], ["R", "B", "A"]),
        (["ben", "Big Ben"], ["B", "BB"]),
        (["Ann", "Anna", "Anne", "An"], ["A", "An", "Ae", "A2"]),
        (["Margaret-Rose", "Mia"], ["M", "Mi"]),
        (["Mia", "Margaret-Rose"], ["M", "MR"]),
        (["Ben", "Ben K", "Ben L"], ["B", "BK", "BL"]),
        (["Élodie", "E\u0301ric"], ["É", "Ér"]),
        (["(Ben)", "7up"], ["B", "7"]),
        (["ßen"], ["ß"]),
        (["🦊", "👩🏽\u200d🚀", "🇨🇭"], ["🦊", "👩🏽\u200d🚀", "🇨🇭"]),
        (["رُقَيَّة", "رامي"], ["ر", "را"]),
        (["नीता"], ["नी"]),
        (["각나"], ["각"]),
        (["   "], ["?"]),
    ],
)
def test_a_name_shortens_to_one_letter_or_two(names: list[str], letters: list[str]) -> None:
    assert tiles.marker_letters(names) == letters


def test_14_of_one_name_still_get_letters() -> None:
    assert len(tiles.marker_letters(["B"] * 14)) == 14


@pytest.mark.parametrize("name", tiles.ICONS)
def test_an_icon_is_silent_unless_it_is_given_words(name: str) -> None:
    assert 'aria-hidden="true"' in draw("{% icon name %}", name=name)
    assert 'role="img" aria-label="Words"' in draw('{% icon name "Words" %}', name=name)
