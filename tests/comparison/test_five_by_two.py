"""5×2cv t test: against mlxtend, degenerate tables, errors."""

import numpy as np
import pytest
from mlxtend.evaluate import paired_ttest_5x2cv
from numpy.testing import assert_allclose
from scipy import stats
from sklearn.dummy import DummyClassifier

from polychotomy.comparison import t_test_5x2
from polychotomy.core.exceptions import InvalidInput


def tables(seed, shape=()):
    return np.random.default_rng(seed).uniform(0.1, 0.4, (2, *shape, 5, 2))


def mlxtends(function, a, b):
    """mlxtend takes estimators; ours score what the tables say, in its order of asking."""
    told = iter(np.stack([a, b], axis=-1).ravel())  # replication, fold, learner
    x = np.zeros((10, 1))
    return function(DummyClassifier(), DummyClassifier(), x, x[:, 0], scoring=lambda *_: next(told))


@pytest.mark.parametrize("seed", range(5))
def test_t_is_mlxtends(seed):
    a, b = tables(seed)
    found = t_test_5x2(a, b)
    t, p = mlxtends(paired_ttest_5x2cv, a, b)
    assert_allclose((found.statistic, found.pvalue), (t, p), rtol=1e-8)
    assert_allclose(t_test_5x2(a, b, alternative="greater").pvalue, stats.t.sf(t, 5), rtol=1e-8)
    assert_allclose(t_test_5x2(a, b, alternative="less").pvalue, stats.t.cdf(t, 5), rtol=1e-8)
    assert found.df == 5
    assert_allclose(found.mean_difference, (a - b).mean())
    assert_allclose(found.estimate, a[0, 0] - b[0, 0])


def test_equal_errors_are_no_difference():
    a, _ = tables(0)
    for alternative, p in (("two-sided", 1.0), ("greater", 0.5), ("less", 0.5)):
        found = t_test_5x2(a, a, alternative=alternative)
        assert (found.statistic, found.pvalue) == (0.0, p)


@pytest.mark.parametrize("gap", [0.1, -0.1, 1 / 3])
def test_a_constant_difference_is_infinite_despite_rounding(gap):
    a, _ = tables(0)
    found = t_test_5x2(a + gap, a, alternative="greater")
    assert found.statistic == np.copysign(np.inf, gap)
    assert found.pvalue == (0.0 if gap > 0 else 1.0)


def test_rounding_alone_never_wins():
    found = t_test_5x2(np.full((5, 2), 0.1 + 0.2), np.full((5, 2), 0.3))
    assert (found.statistic, found.pvalue) == (0.0, 1.0)


def test_units_do_not_matter():
    a, b = tables(3)
    for unit in (1e-200, 1e-3, 1e200):
        assert_allclose(t_test_5x2(a * unit, b * unit).statistic, t_test_5x2(a, b).statistic)


def test_a_batch_is_its_tests_one_by_one():
    a, b = tables(1, (3, 4))
    batch = t_test_5x2(a, b, alternative="greater")
    assert batch.pvalue.shape == (3, 4)
    assert batch.pvalue[2, 1] == t_test_5x2(a[2, 1], b[2, 1], alternative="greater").pvalue
    assert isinstance(t_test_5x2(a[0, 0], b[0, 0]).pvalue, float)


def test_lists_and_other_types_are_read():
    a, b = (tables(2) * 100).astype(int)
    expected = t_test_5x2(a.astype(float), b.astype(float)).statistic
    assert t_test_5x2(a.tolist(), b.tolist()).statistic == expected
    assert t_test_5x2(a.astype(np.float32), np.asfortranarray(b)).statistic == expected


def test_it_is_conservative_on_independent_normal_differences():
    """d₁⁽¹⁾ also enters s₁²; simulated with two million draws: 3.67 % at 5 %, 0.166 % at 0.5 %."""
    d = np.random.default_rng(0).normal(size=(100_000, 5, 2))
    pvalue = t_test_5x2(d, 0 * d, alternative="greater").pvalue
    assert abs(np.mean(pvalue <= 0.05) - 0.0367) < 0.002
    assert abs(np.mean(pvalue <= 0.005) - 0.00166) < 0.0006


def test_errors_name_what_is_wrong():
    a, b = tables(0)
    with pytest.raises(InvalidInput, match=r"a has shape \(10,\); expected \(\.\.\., 5, 2\)|2 or"):
        t_test_5x2(a.ravel(), b.ravel())
    with pytest.raises(InvalidInput, match=r"expected \(\.\.\., 5, 2\)"):
        t_test_5x2(a[:4], b[:4])
    b[3, 1] = np.nan
    with pytest.raises(InvalidInput, match=r"b\[3, 1\] is nan"):
        t_test_5x2(a, b)
    with pytest.raises(InvalidInput, match="alternative is 'larger'"):
        t_test_5x2(a, a, alternative="larger")
