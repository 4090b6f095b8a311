"""Numbers in sentences, tables and figures are rounded to what they can bear, by one writer."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from polychotomy.comparison import Criterion
from polychotomy.core.numbers import (
    amount,
    at_least,
    bare_pvalue,
    count,
    counted,
    difference,
    fixed,
    gap,
    gap_beside,
    in_points,
    join,
    measured,
    memory,
    number,
    percent,
    plain,
    plus_minus,
    pvalue,
    seconds,
    short,
    signed,
    span,
    tick,
    times,
)


@pytest.mark.parametrize(
    ("share", "text"),
    [(0.0, "0 %"), (0.0004, "0.04 %"), (0.02345, "2.3 %"), (0.02, "2.0 %"), (1.0, "100.0 %"),
     (0.00000003, "3e-06 %"), (-0.012, "−1.2 %")],
)  # fmt: skip
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
    assert gap(-0.01, brier) == "−0.01"
    assert gap(-0.0, brier) == "0"
    assert span(-0.012, 0.5, brier) == "0.0 to 0.5"


@pytest.mark.parametrize(
    ("value", "text"),
    [(3e-6, "3 µs"), (0.0009999, "1 ms"), (0.4, "400 ms"), (0.9999, "1.0 s"), (2.0, "2.0 s"),
     (95, "95 s"), (600, "10 min"), (9000, "2.5 h")],
)  # fmt: skip
def test_seconds(value, text):
    assert seconds(value) == text


@given(st.floats(1e-3, 1e6))
def test_a_time_is_within_a_twentieth_of_what_is_written(value):
    written, unit = seconds(value).split()
    scale = {"µs": 1e-6, "ms": 1e-3, "s": 1.0, "min": 60.0, "h": 3600.0}[unit]
    assert float(written) * scale == pytest.approx(value, rel=0.055)


COST = Criterion(name="cost", costs=np.array([[0, 1], [1, 0]]))


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (in_points(-0.0004), "−0.04"),
        (signed(in_points(0.00099999)), "+0.1"),
        (signed(in_points(-0.00003)), "0.0"),
        (in_points(0.1), "10.0"),
        (difference(-0.00001, COST), "0.000"),
        (difference(-0.5, COST), "−0.500"),
        (gap(0.5, COST), "0.5"),
        (tick(-0.05, Criterion(name="error")), "−5 %"),
        (plain(123456.0), "123456"),
        (plain(0.00001), "1e-05"),
        (bare_pvalue(0.04999), "0.05"),
        (count(1234567), "1,234,567"),
        (count(9999.4), "9999"),
        (count(9999.6), "10,000"),
        (counted(0, "class"), "0 classes"),
        (short("abc", 3), "abc"),
    ],
)
def test_written(written, expected):
    assert written == expected


@pytest.mark.parametrize("write", [percent, in_points, bare_pvalue, seconds, memory])
def test_what_is_not_known_is_a_dash(write):
    assert write(float("nan")) == "–"
    assert write(float("inf")) == "–"


def test_a_score_can_be_infinite():
    assert plain(float("inf")) == "∞"
    assert plain(float("-inf")) == "−∞"
    assert plain(float("nan")) == "–"


def test_times():
    assert [times(x) for x in (1.5, 9.04, 37.6, 940)] == [
        "1.5 times", "9 times", "38 times", "940 times"]  # fmt: skip


@pytest.mark.parametrize("value", [-0.0, -1e-9, -0.004, 0.0, 1e-12])
def test_never_minus_nothing(value):
    assert number(value) == "0"
    assert fixed(value, 1) == "0.0"
    assert "−0 " not in gap(value, Criterion(name="error"))


@given(
    st.floats(-0.5, 0.5), st.floats(1e-4, 0.3), st.sampled_from(["error", "log-loss"]),
    st.sampled_from([0.0, 0.005, -0.005]),
)  # fmt: skip
def test_an_interval_is_written_to_what_it_can_bear(value, reach, loss, bound):
    scale = 100 if loss == "error" else 1
    criterion = Criterion(name=loss)
    ends = (value - reach, value + reach)
    written, *inside = measured(value, *ends, criterion, clear_of=(bound,))
    low, high = (float(one.replace("−", "-")) for one in inside)
    digits = len(written.partition(".")[2])
    assert float(written.replace("−", "-")) == pytest.approx(scale * value, abs=0.51 * 10**-digits)
    assert low == pytest.approx(scale * ends[0], abs=0.51 * 10**-digits)
    assert high == pytest.approx(scale * ends[1], abs=0.51 * 10**-digits)
    if digits < 4:  # which side of the bound an end lies on can be read
        for end, shown in zip(ends, (low, high), strict=True):
            if end != bound:
                assert np.sign(shown - scale * bound) == np.sign(end - bound)


def test_half_an_interval():
    assert plus_minus(0.017, 0.03, Criterion(name="error")) == "1.7 ± 3.0 points"
    assert plus_minus(-0.0001, 0.03, Criterion(name="error")) == "0.0 ± 3.0 points"


@given(st.floats(1e-3, 1.0))
def test_a_margin_is_rounded_up(value):
    written = float(at_least(value, Criterion(name="error")).split()[0]) / 100
    assert value - 1e-9 <= written <= value + 0.0011
    assert float(at_least(value, Criterion(name="brier"))) >= value - 1e-9


@given(st.floats(0.0001, 0.05), st.sampled_from(["error", "brier"]))
def test_a_difference_beside_the_margin_is_not_written_like_it(value, name):
    criterion = Criterion(name=name)
    written = gap_beside(value, 0.01, criterion)
    if abs(value - 0.01) > 1e-4:
        assert written != gap(0.01, criterion)
    if gap(value, criterion) != gap(0.01, criterion):
        assert written == gap(value, criterion)


@pytest.mark.parametrize("name", ["error", "score"])
def test_an_interval_without_ends_is_written(name):
    assert measured(0.5, -np.inf, np.inf, Criterion(name=name))[1:] == ("−inf", "inf")
