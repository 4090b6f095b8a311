import numpy as np
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import ttest_1samp

from polychotomy.validation.paired_gains import paired_gains


def test_gains_equal_scipy():
    gains = np.random.default_rng(0).normal(0.4, 1, size=(3, 50))
    mean, lower, upper, pvalues = paired_gains(gains, 0.05)
    for m in range(3):
        oracle = ttest_1samp(gains[m], 0, alternative="greater")
        assert_allclose(mean[m], gains[m].mean())
        assert_allclose(pvalues[m], min(1, 3 * max(oracle.pvalue, np.exp(-gains[m].sum()))))
        interval = ttest_1samp(gains[m], 0).confidence_interval(1 - 0.05 / 3)
        assert_allclose([lower[m], upper[m]], interval)


def test_gain_of_nothing():
    mean, lower, upper, pvalues = paired_gains(np.zeros((3, 10)), 0.05)
    assert_array_equal([mean, lower, upper], np.zeros((3, 3)))
    assert_array_equal(pvalues, np.ones(3))
