"""Scales: ends where they should be, round numbers inside."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from polychotomy.report.drawing import Scale

ends = st.tuples(st.floats(-1e3, 1e3), st.floats(1e-3, 1e3)).map(lambda t: (t[0], t[0] + t[1]))


@given(ends, st.floats(0, 1))
def test_linear_places_lie_between_the_ends(between, part):
    low, high = between
    scale = Scale(low, high, first=10, last=90)
    value = low + part * (high - low)
    assert scale(value) == pytest.approx(10 + 80 * part, abs=1e-6)


@given(ends, st.integers(2, 8))
def test_ticks_are_inside_even_and_few(between, about):
    low, high = between
    ticks = Scale(low, high).ticks(about)
    assert len(ticks) <= 2 * about + 1
    slack = 1e-6 * (abs(low) + abs(high))
    assert all(low - slack <= tick <= high + slack for tick in ticks)
    if len(ticks) > 2:
        steps = np.diff(ticks)
        np.testing.assert_allclose(steps, steps[0], rtol=1e-4)


def test_logarithmic_scale_puts_ratios_apart_evenly():
    scale = Scale(0.001, 1000, logarithmic=True)
    assert scale(1) == pytest.approx(50)
    assert scale.ticks() == [0.001, 0.01, 0.1, 1, 10, 100, 1000]


def test_one_value_stands_in_the_middle():
    assert Scale(3, 3)(3) == 50
    assert Scale(3, 3).ticks() == [3]


def test_beyond_the_ends_is_cut():
    scale = Scale(0, 1)
    assert (scale.clipped(-1), scale.clipped(2), scale(2)) == (0, 100, 200)
