"""A thousand new cases: as many dots, as many wrong as the verdict expects."""

import re

import pytest

from polychotomy.report.figures.candidates import draw_icon_array


@pytest.mark.parametrize(("error", "low", "high"), [(0.024, 0.011, 0.042), (0, 0, 0), (1, 1, 1)])
def test_a_thousand_dots_are_a_thousand(error, low, high):
    figure = draw_icon_array(error, low, high, level=0.95)
    assert figure.drawing.count("h0") == 1000
    wrong = re.search(r'class="dots right" d="([^"]*)"', figure.drawing)
    assert (wrong[1].count("h0") if wrong else 0) == 1000 - round(1000 * high)


def test_the_caption_says_what_full_and_pale_dots_are():
    figure = draw_icon_array(0.024, 0.011, 0.042, level=0.9)
    drawn = {kind: len(re.findall("h0", path)) for kind, path in
             re.findall(r'class="dots (\w+)" d="([^"]*)"', figure.drawing)}  # fmt: skip
    assert drawn["sure"] == 11
    assert drawn["sure"] + drawn["about"] == 24
    assert drawn["sure"] + drawn["about"] + drawn["perhaps"] == 42
    assert figure.reading == (
        "Each dot is one of 1000 new cases. Full: as many as are expected to be wrong, 24; pale: "
        "as many more as could be, to the upper end of the 90 % interval, 42. By its lower end "
        "only 11 of the full ones are wrong."
    )


@pytest.mark.parametrize(
    ("error", "high", "words"),
    [
        (0.0001, 0.0007, "Fewer than one is expected to be wrong; pale: as many as could be, to "
         "the upper end of the 95 % interval, 1."),
        (0.0, 0.0004, "Fewer than one is expected to be wrong, by the upper end of the 95 % "
         "interval too."),
        (0.002, 0.005, "interval, 5. By its lower end fewer than one of the full ones are wrong."),
    ],
)  # fmt: skip
def test_nobody_is_counted_as_zero(error, high, words):
    figure = draw_icon_array(error, 0.0, high, level=0.95)
    assert figure.reading.endswith(words)
    assert ("fewer than one" in figure.message) == (error < 0.0005)
