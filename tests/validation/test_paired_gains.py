import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import ttest_1samp

from polychotomy.validation.recalibration import paired_gains


def test_gains_equal_scipy():
    gains = np.random.default_rng(0).normal(0.4, 1, size=(3, 50))
    mean, lower, upper, pvalues = paired_gains(gains, 0.05)
    for m in range(3):
        oracle = ttest_1samp(gains[m], 0)
        assert_allclose(mean[m], gains[m].mean())
        assert_allclose(pvalues[m], min(1, 3 * max(oracle.pvalue, np.exp(-gains[m].sum()))))
        interval = ttest_1samp(gains[m], 0).confidence_interval(1 - 0.05 / 3)
        assert_allclose([lower[m], upper[m]], interval)


@given(
    st.integers(2, 60),
    st.floats(0.0, 0.5),
    st.floats(1e-3, 1.0),
    st.sampled_from([0.01, 0.05, 0.2]),
    st.integers(0, 2**32 - 1),
)
def test_interval_and_pvalue_say_the_same(n, gain, spread, alpha, seed):
    gains = np.random.default_rng(seed).normal(gain, spread, size=(3, n))
    mean, lower, upper, pvalues = paired_gains(gains, alpha)
    assert_array_equal(pvalues <= alpha, lower >= 0)
    assert ((lower <= mean) & (mean <= upper)).all()


def test_a_gain_that_a_few_alike_cases_show_is_not_certain():
    """Forty cases gaining 0.02 each: a likelihood ratio of 2.2, and so the interval holds 0."""
    gains = 0.02 + 1e-4 * np.random.default_rng(0).normal(size=(3, 40))
    _, lower, _, pvalues = paired_gains(gains, 0.05)
    assert (pvalues > 0.05).all()
    assert (lower < 0).all()


def test_gain_of_nothing():
    mean, lower, upper, pvalues = paired_gains(np.zeros((3, 10)), 0.05)
    assert_array_equal([mean, upper], np.zeros((2, 3)))
    assert_allclose(lower, -np.log(3 / 0.05) / 10)
    assert_array_equal(pvalues, np.ones(3))
