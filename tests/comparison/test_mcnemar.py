"""McNemar's test against statsmodels and mlxtend."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mlxtend.evaluate import mcnemar as mlxtend_mcnemar
from numpy.testing import assert_allclose
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar

from polychotomy.comparison import mcnemar_test
from polychotomy.core.exceptions import InvalidInput

counts = st.tuples(st.integers(0, 40), st.integers(0, 40), st.integers(0, 9), st.integers(1, 9))


def cases(only_a, only_b, both=3, none=4):
    wrong_a = [1] * only_a + [0] * only_b + [1] * both + [0] * none
    wrong_b = [0] * only_a + [1] * only_b + [1] * both + [0] * none
    return np.array(wrong_a, bool), np.array(wrong_b, bool)


@given(counts.filter(lambda c: c[0] != c[1]))
def test_chi_squared_is_statsmodels_and_mlxtends(table):
    only_a, only_b, both, none = table
    found = mcnemar_test(*cases(*table))
    square = np.array([[none, only_b], [only_a, both]])
    oracle = statsmodels_mcnemar(square, exact=False, correction=True)
    assert_allclose((found.statistic, found.pvalue), (oracle.statistic, oracle.pvalue), rtol=1e-9)
    assert_allclose(
        (found.statistic, found.pvalue), mlxtend_mcnemar(square, corrected=True), rtol=1e-9
    )


@given(counts)
def test_exact_is_statsmodels(table):
    only_a, only_b, both, none = table
    found = mcnemar_test(*cases(*table), exact=True)
    if only_a + only_b:
        oracle = statsmodels_mcnemar(np.array([[none, only_b], [only_a, both]]), exact=True)
        assert_allclose((found.statistic, found.pvalue), (oracle.statistic, oracle.pvalue))
        one_sided = mcnemar_test(*cases(*table), exact=True, alternative="greater").pvalue
        oracle = stats.binomtest(only_a, only_a + only_b, alternative="greater").pvalue
        assert_allclose(one_sided, oracle)
    else:
        assert (found.statistic, found.pvalue) == (0.0, 1.0)


def test_equal_counts_follow_the_equation_to_the_letter():
    found = mcnemar_test(*cases(4, 4))
    assert found.statistic == 1 / 8
    assert_allclose(found.pvalue, stats.chi2.sf(1 / 8, 1))
    assert mcnemar_test(*cases(4, 4), alternative="greater").pvalue == 0.5
    assert (mcnemar_test(*cases(0, 0)).statistic, mcnemar_test(*cases(0, 0)).pvalue) == (0.0, 1.0)


def test_one_sided_is_half_of_two_sided():
    two = mcnemar_test(*cases(10, 3)).pvalue
    assert_allclose(mcnemar_test(*cases(10, 3), alternative="greater").pvalue, two / 2)
    assert_allclose(mcnemar_test(*cases(10, 3), alternative="less").pvalue, 1 - two / 2)


def test_batches_and_the_interval():
    wrong_a, wrong_b = cases(10, 3)
    batch = mcnemar_test(np.stack([wrong_a, wrong_b]), wrong_b)
    assert batch.pvalue.shape == (2,)
    assert batch.pvalue[1] == 1.0
    one = mcnemar_test(wrong_a, wrong_b)
    low, high = one.confidence_interval()
    assert low < one.mean_difference == 7 / 20 < high
    assert one.df == 1
    assert len(batch.to_frame()) == 2
    assert "confidence interval" in one.plot().get_xlabel()


def test_the_exact_test_keeps_its_level():
    rng = np.random.default_rng(0)
    wrong = rng.random((2, 4000, 60)) < 0.2
    rejected = np.mean(mcnemar_test(*wrong, exact=True).pvalue <= 0.05)
    assert rejected < 0.05


def test_errors():
    with pytest.raises(InvalidInput, match=r"wrong_a\[1\] is 2; expected True or False"):
        mcnemar_test([0, 2], [0, 1])
    with pytest.raises(InvalidInput, match="same test cases"):
        mcnemar_test([0, 1, 1], [0, 1])
    with pytest.raises(InvalidInput, match="same test cases"):
        mcnemar_test(np.ones((2, 3)), np.ones((3, 3)))
    with pytest.raises(InvalidInput, match="at least one"):
        mcnemar_test([], [])
