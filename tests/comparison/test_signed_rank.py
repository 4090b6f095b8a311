"""Wilcoxon's test against scipy without ties, and against all sign patterns with them."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import stats

from polychotomy.comparison import wilcoxon_test
from polychotomy.core.exceptions import InvalidInput


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("n", [5, 12, 50])
def test_untied_pairs_are_scipys(n, alternative):
    a, b = np.random.default_rng(n).normal(size=(2, n))
    found = wilcoxon_test(a, b, alternative=alternative)
    oracle = stats.wilcoxon(a, b, alternative=alternative, method="exact")
    assert_allclose(found.pvalue, oracle.pvalue, rtol=1e-10)
    assert found.df == n


@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
def test_many_pairs_are_scipys_with_ties(alternative):
    a, b = np.random.default_rng(1).integers(0, 9, (2, 200))
    found = wilcoxon_test(a, b, alternative=alternative)
    oracle = stats.wilcoxon(a, b, alternative=alternative, method="approx", correction=False)
    assert_allclose(found.pvalue, oracle.pvalue, rtol=1e-10)


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=8))
def test_ties_are_exact(differences):
    """p by running through every pattern of signs."""
    d = np.array(differences)
    d = d[d != 0]
    found = wilcoxon_test(differences, np.zeros(len(differences)), alternative="greater")
    if not len(d):
        assert (found.statistic, found.pvalue) == (0.0, 0.5)
        return
    ranks = stats.rankdata(np.abs(d))
    sums = np.array([np.dot(signs, ranks) for signs in product([0, 1], repeat=len(d))])
    assert_allclose(found.pvalue, np.mean(sums >= ranks[d > 0].sum()))


@pytest.mark.long
def test_a_true_null_is_rejected_at_no_more_than_the_level():
    """Also with many ties, where a normal approximation would be off."""
    d = np.random.default_rng(0).integers(-3, 4, (1500, 12))
    pvalues = [wilcoxon_test(row, np.zeros(12)).pvalue for row in d]
    assert 0.02 < np.mean(np.array(pvalues) <= 0.05) < 0.06


def test_errors():
    with pytest.raises(InvalidInput, match=r"expected \(L,\)"):
        wilcoxon_test(np.ones((2, 3)), np.ones((2, 3)))
