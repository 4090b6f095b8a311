"""DeLong's test against its definition by structural components, and its level."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose
from scipy import stats
from sklearn.metrics import roc_auc_score

from polychotomy.comparison import delong_test
from polychotomy.core.exceptions import InvalidInput


def by_components(y, scores):
    """The paper's V10 and V01, from all pairs of cases."""
    v10, v01 = [], []
    for s in scores:
        kernel = np.sign(s[y == 1][:, None] - s[y == 0][None, :]) / 2 + 0.5
        v10.append(kernel.mean(axis=1))
        v01.append(kernel.mean(axis=0))
    return np.cov(v10) / (y == 1).sum() + np.cov(v01) / (y == 0).sum()


@given(arrays(float, (2, 12), elements=st.integers(0, 6)), st.integers(2, 10))
def test_covariance_is_that_of_the_structural_components(scores, positives):
    y = (np.arange(12) < positives).astype(int)
    found = delong_test(y, *scores)
    difference = roc_auc_score(y, scores[0]) - roc_auc_score(y, scores[1])
    assert_allclose(found.mean_difference, difference, atol=1e-12)
    covariance = by_components(y, scores)
    variance = covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]
    if variance > 1e-12:
        assert_allclose(found.statistic, difference / np.sqrt(variance), atol=1e-8)
        assert_allclose(found.pvalue, 2 * stats.norm.sf(abs(found.statistic)), rtol=1e-8)
    assert 0 <= found.pvalue <= 1


def test_equal_rankings_are_no_difference():
    y, s = [0, 0, 1, 1, 1], np.array([1.0, 4.0, 2.0, 3.0, 5.0])
    same = delong_test(y, s, np.exp(s))
    assert (same.statistic, same.pvalue) == (0.0, 1.0)
    assert delong_test(y, s, s, alternative="less").pvalue == 0.5
    best = delong_test([0, 0, 1, 1], [1, 2, 3, 4], [4, 3, 2, 1], alternative="greater")
    assert (best.statistic, best.pvalue) == (np.inf, 0.0)


def test_the_level_is_kept_on_a_true_null():
    rng = np.random.default_rng(0)
    y = np.arange(200) % 2
    pvalues = []
    for _ in range(600):
        signal = y + rng.normal(size=200)
        a, b = signal + rng.normal(size=(2, 200))
        pvalues.append(delong_test(y, a, b).pvalue)
    assert abs(np.mean(np.array(pvalues) <= 0.05) - 0.05) < 4 * np.sqrt(0.05 * 0.95 / 600)


def test_errors():
    with pytest.raises(InvalidInput, match="1 of 3 cases of the positive class"):
        delong_test([0, 0, 1], [1, 2, 3], [1, 2, 3])
    with pytest.raises(InvalidInput, match=r"scores_b has shape \(2,\); expected"):
        delong_test([0, 0, 1, 1], [1, 2, 3, 4], [1, 2])
    with pytest.raises(InvalidInput, match=r"y\[0\] is -1"):
        delong_test([-1, 1], [1, 2], [1, 2])
    with pytest.raises(InvalidInput, match=r"scores\[1, 0\] is nan"):
        delong_test([0, 0, 1, 1], [1, np.nan, 3, 4], [1, 2, 3, 4])
