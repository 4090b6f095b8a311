"""A thousand new cases: as many dots, as many wrong as the verdict expects."""

import re

import pytest

from polychotomy.report.figures.candidates import draw_icon_array


@pytest.mark.parametrize(("error", "low", "high"), [(0.024, 0.011, 0.042), (0, 0, 0), (1, 1, 1)])
def test_a_thousand_dots_are_a_thousand(error, low, high):
    figure = draw_icon_array(error, low, high)
    assert figure.drawing.count("h0") == 1000
    wrong = re.search(r'class="dots right" d="([^"]*)"', figure.drawing)
    assert (wrong[1].count("h0") if wrong else 0) == 1000 - round(1000 * high)


def test_full_and_pale_dots_and_their_number():
    figure = draw_icon_array(0.024, 0.011, 0.042)
    drawn = {kind: len(re.findall("h0", path)) for kind, path in
             re.findall(r'class="dots (\w+)" d="([^"]*)"', figure.drawing)}  # fmt: skip
    assert drawn["sure"] == 11
    assert drawn["sure"] + drawn["about"] == 24
    assert drawn["sure"] + drawn["about"] + drawn["perhaps"] == 42
    assert figure.reading == "24 of 1000 wrong; pale: perhaps."
    assert "about 24 will be wrong (11 to 42)" in figure.message


@pytest.mark.parametrize(
    ("error", "high", "words"),
    [
        (0.0001, 0.0007, "At most 1 of 1000 wrong."),
        (0.0, 0.0004, "Fewer than one of 1000 wrong."),
        (0.002, 0.005, "2 of 1000 wrong; pale: perhaps."),
    ],
)
def test_nobody_is_counted_as_zero(error, high, words):
    figure = draw_icon_array(error, 0.0, high)
    assert figure.reading == words
    assert ("fewer than one" in figure.message) == (error < 0.0005)
