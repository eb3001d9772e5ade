"""The colours of the stylesheet, measured: text at 4.5 and more, edges with a meaning at 3 and more."""

import re
from pathlib import Path

import pytest

STYLESHEET = Path(__file__).resolve().parents[2] / "games/static/games/app.css"
TOLERANCE = 0.15
TEXT, EDGE = 4.5, 3.0

# What stands on what, the least ratio allowed, and those measured when the colours were chosen: light, dark.
PAIRS = [
    ("ink", "cloth", TEXT, 12.3, 14.8),
    ("ink", "cloth-2", TEXT, 11.0, 13.1),
    ("ink", "tile", TEXT, 15.3, 11.8),
    ("ink-2", "cloth", TEXT, 6.3, 9.0),
    ("ink-2", "cloth-2", TEXT, 5.7, 8.0),
    ("ink-2", "tile", TEXT, 7.9, 7.2),
    ("go", "cloth", TEXT, 7.1, 12.3),
    ("go", "cloth-2", TEXT, 6.3, 10.9),
    ("go", "tile", TEXT, 8.8, 9.8),
    ("go-ink", "go", TEXT, 8.8, 11.5),
    ("ink", "red-bg", TEXT, 12.3, 12.1),
    ("ink", "brass-bg", TEXT, 12.3, 10.9),
    ("red", "cloth", TEXT, 6.2, 8.6),
    ("red", "red-bg", TEXT, 6.2, 7.1),
    ("red", "tile", TEXT, 7.7, 6.9),
    ("brass", "cloth", TEXT, 5.5, 10.4),
    ("brass", "brass-bg", TEXT, 5.6, 7.6),
    ("line-2", "cloth", EDGE, 3.8, 4.9),
    ("line-2", "cloth-2", EDGE, 3.4, 4.3),
    ("line-2", "tile", EDGE, 4.7, 3.9),
    ("edge", "cloth", EDGE, 5.1, 5.5),
    ("edge", "cloth-2", EDGE, 4.5, 4.9),
]
LEAST = [
    ([f"p{number}" for number in range(1, 13)], "tile", TEXT, 4.9, 6.1),
    ([f"m{number}" for number in range(1, 8)], "cloth", EDGE, 5.0, 8.8),
    ([f"m{number}" for number in range(1, 8)], "go-ink", TEXT, 6.2, 8.2),
]

Colours = dict[str, str]


def block(css: str, selector: str) -> str:
    start = css.index(selector + " {") + len(selector) + 2
    return css[start : css.index("}", start)]


def colours(rules: str) -> Colours:
    return dict(re.findall(r"--([a-z0-9-]+):\s*(#[0-9A-Fa-f]{6})\b", rules))


def luminance(colour: str) -> float:
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def ratio(one: str, other: str) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


CSS = STYLESHEET.read_text(encoding="utf-8")
LIGHT = colours(block(CSS, ":root"))
DARK = LIGHT | colours(block(CSS, ":root.theme-dark"))


def test_the_dark_colours_are_the_same_by_choice_and_by_the_phones_setting() -> None:
    assert colours(block(CSS, ":root:not(.theme-light)")) == colours(block(CSS, ":root.theme-dark"))


def test_every_colour_but_the_fixed_ones_has_a_dark_value() -> None:
    assert set(colours(block(CSS, ":root.theme-dark"))) == set(LIGHT)


@pytest.mark.parametrize(("front", "ground", "least", "light", "dark"), PAIRS)
def test_a_pair_is_as_readable_as_when_it_was_chosen(
    front: str, ground: str, least: float, light: float, dark: float
) -> None:
    for theme, chosen in ((LIGHT, light), (DARK, dark)):
        measured = ratio(theme[front], theme[ground])
        assert measured >= least
        assert measured == pytest.approx(chosen, abs=TOLERANCE)


@pytest.mark.parametrize(("fronts", "ground", "least", "light", "dark"), LEAST)
def test_the_faintest_of_a_family_is_still_readable(
    fronts: list[str], ground: str, least: float, light: float, dark: float
) -> None:
    for theme, chosen in ((LIGHT, light), (DARK, dark)):
        measured = min(ratio(theme[front], theme[ground]) for front in fronts)
        assert measured >= least
        assert measured == pytest.approx(chosen, abs=TOLERANCE)


def test_black_and_white_are_21_apart() -> None:
    assert ratio("#000000", "#FFFFFF") == pytest.approx(21)
