"""Tied probabilities have no order of their own: the test of the trace must not depend on it."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from polychotomy.core.predictions import OutOfFold
from polychotomy.validation import assess_trust, probability_trace, recalibrate
from polychotomy.validation.trace import straight_over_ties
from polychotomy.validation.trace_sums import Ties
from validation_strategies import draw_forecasts


@st.composite
def tied_forecasts(draw):
    """Probabilities from a small set of rows, classes, and another order of them."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, k, leaves = draw(st.integers(2, 30)), draw(st.integers(2, 4)), draw(st.integers(1, 3))
    p = rng.dirichlet(np.ones(k), size=leaves)[rng.integers(leaves, size=n)]
    return p, rng.integers(k, size=n), rng.permutation(n)


@settings(deadline=None, max_examples=60)
@given(tied_forecasts())
def test_the_order_of_rows_does_not_count(case):
    p, y, order = case
    a = probability_trace(p, y).null_band(1, random_state=0)
    b = probability_trace(p[order], y[order]).null_band(1, random_state=0)
    assert_allclose([b.observed_r, b.observed_slope], [a.observed_r, a.observed_slope], atol=1e-10)
    assert_allclose(b.observed, a.observed, atol=1e-10)


def test_the_band_does_not_depend_on_the_order_of_rows():
    """Cases keep their names, so the same classes are drawn for them in every order."""
    rng = np.random.default_rng(0)
    p = rng.dirichlet(np.ones(3), size=4)[rng.integers(4, size=60)]
    y, order = rng.integers(3, size=60), rng.permutation(60)
    a = probability_trace(p, y, samples=np.arange(60)).null_band(49, random_state=0)
    b = probability_trace(p[order], y[order], samples=order).null_band(49, random_state=0)
    for name in ("r", "slope", "lower", "upper", "pvalue_r", "pvalue_slope", "pvalue"):
        assert_allclose(getattr(b, name), getattr(a, name), atol=1e-10)


def test_simulated_traces_are_straight_over_ties_as_well():
    p, y = np.tile([0.33, 0.4, 0.27], (50, 1)), np.arange(50) % 3
    null = probability_trace(p, y).null_band(1, random_state=0, level=0.5)
    bends = np.diff(null.lower, n=2)
    assert_array_equal(np.flatnonzero(np.abs(bends) > 1e-9) + 1, [50, 100])


@pytest.mark.long
@pytest.mark.parametrize("leaves", [1, 2, 8])
def test_level_with_ties_and_rows_sorted_by_class(leaves):
    """Sorted by class, true probabilities were rejected in every case of one leaf."""
    rng = np.random.default_rng(leaves)
    rejected = 0
    for _ in range(100):
        p = rng.dirichlet(np.ones(3), size=leaves)[rng.integers(leaves, size=178)]
        y = (rng.random((178, 1)) > p.cumsum(axis=1)[:, :-1]).sum(axis=1)
        order = np.argsort(y, kind="stable")
        null = probability_trace(p[order], y[order]).null_band(59, random_state=rng)
        rejected += null.pvalue <= 0.05
    assert rejected <= 11  # 5 % and a chance of 0.004


def test_false_tied_probabilities_are_found_in_any_order():
    p, y = np.tile([0.8, 0.1, 0.1], (90, 1)), np.repeat(np.arange(3), 30)
    assert probability_trace(p, y).null_band(99, random_state=0).pvalue <= 0.02


def test_without_ties_nothing_changes():
    p, y = draw_forecasts(np.random.default_rng(3), 90, 4)
    trace = probability_trace(p, y)
    null = trace.null_band(19, random_state=0)
    assert (null.observed_r, null.observed_slope) == (trace.r, trace.slope)
    assert_array_equal(straight_over_ties(trace), trace.trace)


def test_ends_of_ties_are_those_of_the_trace():
    p, y = np.tile([0.2, 0.5, 0.3], (4, 1)), [0, 1, 1, 2]
    trace = probability_trace(p, y)
    assert_allclose(straight_over_ties(trace)[::4], trace.trace[::4], atol=1e-12)


def test_ties_by_hand():
    values = np.array([0.2, 0.2, 0.5, 0.5 * (1 + 1e-15)])  # rounding is no order
    ties = Ties(values, 2)
    assert_array_equal(ties.group_of(np.arange(4)), [0, 0, 1, 1])
    assert_allclose(ties.rises(np.array([0, 1])), [0.625, 0.625, 1, 1])
    assert_array_equal(Ties(values, 1).group_of(np.arange(4)), [0, 1, 2, 2])
    assert_array_equal(Ties(np.array([0.0, 1e-300, 1.0]), 1).counts, [1, 1, 1])
    assert_array_equal(Ties(np.array([0.5]), 0).counts, [1])


@pytest.mark.parametrize("p", [[0.5, 0.5], [0.25] * 4, [1 / 3] * 3, [0.3, 0.7]])
def test_rounding_of_ties_makes_no_pvalue(p):
    """With equal classes the trace is the same for all classes drawn: nothing speaks against it."""
    k = len(p)
    y = np.repeat(np.arange(k), 21) if p[0] != 0.3 else np.repeat([0, 1], [27, 63])
    assert probability_trace(np.tile(p, (y.size, 1)), y).null_band(99, random_state=0).pvalue > 0.9


def test_the_slope_of_trust_does_not_depend_on_the_order_of_rows():
    rng = np.random.default_rng(1)
    y = rng.permutation(np.repeat(np.arange(3), 30))
    slopes = []
    for order in (np.arange(90), np.argsort(y)):
        p = np.tile([0.5, 0.3, 0.2], (1, 1, 1, 90, 1))
        seen = OutOfFold(
            names=("a",), classes=tuple("xyz"), y=y[order], folds=np.arange(90)[None, None] % 5,
            predicted=np.zeros((1, 1, 1, 90), dtype=int), probabilities=p, hard=np.array([False]),
        )  # fmt: skip
        slopes.append(assess_trust(seen, n_simulations=9).to_frame()["slope"][0])
    assert_allclose(*slopes, rtol=1e-10)


def test_a_recalibration_says_the_same_in_every_order_of_rows():
    rng = np.random.default_rng(3)
    p = rng.dirichlet(np.full(3, 0.3), size=5)[rng.integers(5, size=300)]
    y, order = rng.integers(3, size=300), rng.permutation(300)
    folds = np.arange(300) % 5
    a = recalibrate(p, y, folds=folds, samples=np.arange(300))
    b = recalibrate(p[order], y[order], folds=folds[order], samples=order)
    assert str(a) == str(b)
    labels = [[one.get_label() for one in found.plot().get_lines()] for found in (a, b)]
    assert labels[0] == labels[1]
