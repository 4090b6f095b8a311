"""The combined 5×2cv F test against mlxtend's formula."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from polychotomy.comparison import f_test_5x2
from polychotomy.exceptions import InvalidInput


def tables(seed, shape=()):
    return np.random.default_rng(seed).uniform(0.1, 0.4, (2, *shape, 5, 2))


def alpaydin_f(a, b):
    """The formula of mlxtend.evaluate.combined_ftest_5x2cv, which takes estimators, not errors."""
    variances, squares = [], []
    for one, two in a - b:
        mean = (one + two) / 2.0
        variances.append((one - mean) ** 2 + (two - mean) ** 2)
        squares.extend([one**2, two**2])
    f = sum(squares) / (2.0 * sum(variances))
    return f, stats.f.sf(f, 10, 5)


@pytest.mark.parametrize("seed", range(4))
def test_f_is_alpaydins(seed):
    a, b = tables(seed)
    found = f_test_5x2(a, b)
    assert_allclose((found.statistic, found.pvalue), alpaydin_f(a, b), rtol=1e-9)
    assert found.df == (10, 5)


def test_the_order_of_folds_does_not_matter():
    a, b = tables(0)
    assert_allclose(f_test_5x2(a[::-1, ::-1], b[::-1, ::-1]).statistic, f_test_5x2(a, b).statistic)


def test_degenerate_tables():
    a, _ = tables(0)
    assert (f_test_5x2(a, a).statistic, f_test_5x2(a, a).pvalue) == (0.0, 1.0)
    constant = f_test_5x2(a, a + 0.1)
    assert (constant.statistic, constant.pvalue) == (np.inf, 0.0)
    assert_allclose(constant.confidence_interval(), (-0.1, -0.1))


def test_the_interval_is_what_the_test_does_not_reject():
    a, b = tables(1)
    low, high = f_test_5x2(a, b).confidence_interval(0.95)
    for end in (low, high):
        assert_allclose(f_test_5x2(a - end, b).pvalue, 0.05, rtol=1e-6)


def test_batches():
    a, b = tables(2, (4,))
    batch = f_test_5x2(a, b)
    assert_allclose(batch.statistic[3], f_test_5x2(a[3], b[3]).statistic)
    assert "of 4 comparisons" in str(batch)


def test_errors():
    with pytest.raises(InvalidInput, match=r"expected \(\.\.\., 5, 2\)"):
        f_test_5x2(np.ones((2, 5)), np.ones((2, 5)))
