"""The combined 5×2cv F test against mlxtend."""

import numpy as np
import pytest
from mlxtend.evaluate import combined_ftest_5x2cv
from numpy.testing import assert_allclose
from sklearn.dummy import DummyClassifier

from polychotomy.comparison import f_test_5x2
from polychotomy.core.exceptions import InvalidInput


def tables(seed, shape=()):
    return np.random.default_rng(seed).uniform(0.1, 0.4, (2, *shape, 5, 2))


def mlxtends(a, b):
    """mlxtend takes estimators; ours score what the tables say, in its order of asking."""
    told = iter(np.stack([a, b], axis=-1).ravel())  # replication, fold, learner
    x, one, two = np.zeros((10, 1)), DummyClassifier(), DummyClassifier()
    return combined_ftest_5x2cv(one, two, x, x[:, 0], scoring=lambda *_: next(told))


@pytest.mark.parametrize("seed", range(4))
def test_f_is_mlxtends(seed):
    a, b = tables(seed)
    found = f_test_5x2(a, b)
    assert_allclose((found.statistic, found.pvalue), mlxtends(a, b), rtol=1e-8)
    assert found.df == (10, 5)


def test_the_order_of_folds_does_not_matter():
    a, b = tables(0)
    assert_allclose(f_test_5x2(a[::-1, ::-1], b[::-1, ::-1]).statistic, f_test_5x2(a, b).statistic)


def test_degenerate_tables():
    a, _ = tables(0)
    assert (f_test_5x2(a, a).statistic, f_test_5x2(a, a).pvalue) == (0.0, 1.0)
    constant = f_test_5x2(a, a + 0.1)
    assert (constant.statistic, constant.pvalue) == (np.inf, 0.0)
    assert_allclose(constant.means, [a.mean(), a.mean() + 0.1])


def test_batches():
    a, b = tables(2, (4,))
    batch = f_test_5x2(a, b)
    assert_allclose(batch.statistic[3], f_test_5x2(a[3], b[3]).statistic)
    assert "of 4 tables" in str(batch)


def test_errors():
    with pytest.raises(InvalidInput, match=r"expected \(\.\.\., 5, 2\)"):
        f_test_5x2(np.ones((2, 5)), np.ones((2, 5)))
