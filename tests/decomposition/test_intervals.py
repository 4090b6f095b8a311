import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from polychotomy.decomposition.accumulation import mean_interval, share_interval


@pytest.mark.parametrize(("wrong", "n"), [(0, 20), (1, 20), (7, 50), (50, 50)])
def test_rates_have_wilsons_interval(wrong, n):
    values = np.r_[np.ones(wrong), np.zeros(n - wrong)]
    expected = proportion_confint(wrong, n, method="wilson")
    got = share_interval(values)
    # The variance of zeros and ones has n − 1 below it, a coin's n: 2 % at n = 50.
    assert got == pytest.approx(expected, abs=0.005)


def test_values_that_vary_less_than_a_coin_have_shorter_intervals():
    rng = np.random.default_rng(0)
    values = 0.3 + 0.05 * rng.uniform(-1, 1, 400)
    low, high = share_interval(values)
    plain = mean_interval(values)
    assert (low, high) == pytest.approx(plain, abs=2e-3)


def test_means_have_the_normal_interval():
    values = np.random.default_rng(1).normal(size=50)
    expected = stats.norm.interval(0.95, values.mean(), stats.sem(values))
    assert mean_interval(values) == pytest.approx(expected)


def test_degenerate_samples():
    assert mean_interval(np.array([2.0])) == (-np.inf, np.inf)
    assert mean_interval(np.array([1.0, np.inf])) == (np.inf, np.inf)
    assert share_interval(np.array([])) == (0.0, 1.0)
    low, high = share_interval(np.array([1.0]))
    assert 0 < low < high <= 1


def test_coverage():
    """95 % intervals of a mixture of errors between 0 and 1 hold in about 95 %."""
    rng = np.random.default_rng(2)
    held = 0
    for _ in range(600):
        values = rng.beta(0.3, 1.7, 60)  # mean 0.15
        low, high = share_interval(values)
        held += low <= 0.15 <= high
    assert held / 600 == pytest.approx(0.95, abs=0.03)
