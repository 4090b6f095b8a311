"""Numbers in sentences are rounded to what they can bear."""

import pytest

from polychotomy.comparison import Criterion
from polychotomy.verdict.wording import amount, gap, join, percent, pvalue, seconds, span, times


@pytest.mark.parametrize(
    ("share", "text"),
    [(0.0, "0 %"), (0.0004, "0.04 %"), (0.02345, "2.3 %"), (0.02, "2.0 %"), (1.0, "100.0 %")],
)
def test_percent(share, text):
    assert percent(share) == text


@pytest.mark.parametrize(
    ("p", "text"),
    [(0.05, "p = 0.05"), (0.00009, "p < 0.0001"), (1.0, "p = 1"), (0.0, "p < 0.0001")],
)
def test_pvalue(p, text):
    assert pvalue(p) == text


@pytest.mark.parametrize(
    ("words", "text"), [(["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")]
)
def test_join(words, text):
    assert join(words) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.01, "1 point"), (-0.01, "−1 point"), (0.006, "0.6 points"), (0.0, "0 points"),
     (0.0101, "1 point"), (0.0002, "0.02 points")],
)  # fmt: skip
def test_points(value, text):
    assert gap(value, Criterion(name="error")) == text


def test_other_losses_are_plain_numbers():
    brier = Criterion(name="brier")
    assert amount(0.12345, brier) == "0.123"
    assert gap(-0.01, brier) == "-0.01"
    assert span(-0.012, 0.5, brier) == "−0.012 to 0.5"


@pytest.mark.parametrize(
    ("value", "text"), [(0.4, "400 ms"), (2.0, "2.0 s"), (59, "59 s"), (600, "10 min")]
)
def test_seconds(value, text):
    assert seconds(value) == text


def test_times():
    assert [times(x) for x in (1.5, 9.04, 37.6, 940)] == [
        "1.5 times", "9 times", "38 times", "940 times"]  # fmt: skip
