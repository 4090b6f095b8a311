"""Rounding makes ties and zeros, whatever the unit."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_array_equal
from scipy import stats

from polychotomy.comparison import friedman_test, kruskal_wallis_test
from polychotomy.comparison.inputs import midranks, scaled_differences


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=9), st.integers(0, 10**6))
def test_rounding_noise_does_not_change_the_ranks(values, seed):
    values = np.round(values, 6)
    noise = 1 + np.random.default_rng(seed).integers(-4, 5, len(values)) * 2.0**-52
    assert_array_equal(midranks(values * noise), stats.rankdata(values))


@given(arrays(float, st.tuples(st.integers(0, 3), st.integers(1, 9)), elements=st.integers(0, 5)))
def test_rows_are_scipys_ranks(values):
    assert_array_equal(midranks(values), stats.rankdata(values, axis=-1))


def test_tiny_values_are_told_apart():
    assert midranks(np.array([1.0, 2e-20, 1e-20])).tolist() == [3, 2, 1]


def test_ranks_of_equal_means_are_shared():
    scores = np.array([[0.1 + 0.2, 0.3], [0.7 + 0.1, 0.8], [0.5, 0.5]])
    assert friedman_test(scores).pvalue == 1.0
    assert kruskal_wallis_test(np.array([[0.1 + 0.2] * 3, [0.3] * 3])).pvalue == 1.0


def test_extreme_units():
    for unit in (1e-320, 1e-300, 1e300, 1.7e308):
        d, _ = scaled_differences(np.array([1.0, 0.5]) * unit, np.array([0.5, 0.5]) * unit, ndim=1)
        assert np.isfinite(d).all()
        assert d[0] > 0 == d[1]
