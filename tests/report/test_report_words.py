"""Numbers in words: never longer than the data can bear."""

import pytest

from polychotomy.report.words import (
    Unit,
    count,
    join,
    memory,
    percent,
    plain,
    points,
    pvalue,
    seconds,
    short,
    some,  # fmt: skip
)


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (percent(0.9333333), "93.3 %"),
        (points(-0.0004), "−0.04"),
        (points(0.00099999), "+0.1"),
        (points(-0.00003), "0.0"),
        (points(0.1, sign=False), "10.0"),
        (plain(-0.00001, sign=True), "0.000"),
        (pvalue(0.04999), "0.05"),
        (seconds(0.0009999), "1 ms"),
        (seconds(0.9999), "1.0 s"),
        (seconds(3e-6), "3 µs"),
        (seconds(1200), "20 min"),
        (count(1234567), "1,234,567"),
        (count(9999.4), "9999"),
        (count(9999.6), "10,000"),
        (some(0, "class"), "0 classes"),
        (short("abc", 3), "abc"),
        (join(["a", "b"]), "a and b"),
        (Unit("cost", False).size(0.5), "0.5"),
        (Unit("cost", False).difference(-0.5), "−0.500"),
        (Unit("error", True).tick(-0.05), "−5 %"),
    ],
)
def test_written(written, expected):
    assert written == expected


@pytest.mark.parametrize("write", [percent, points, pvalue, seconds, memory])
def test_what_is_not_known_is_a_dash(write):
    assert write(float("nan")) == "–"
    assert write(float("inf")) == "–"


def test_a_score_can_be_infinite():
    assert plain(float("inf")) == "∞"
    assert plain(float("-inf")) == "−∞"
    assert plain(float("nan")) == "–"
