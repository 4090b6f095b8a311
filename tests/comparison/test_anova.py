"""Anova and Kruskal–Wallis against scipy and R."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose
from scipy import stats

from polychotomy.comparison import anova_test, kruskal_wallis_test
from polychotomy.core.exceptions import InvalidInput

ORACLES = Path(__file__).parent / "oracles"


@pytest.mark.parametrize("shape", [(2, 2), (3, 10), (8, 25)])
def test_anova_is_scipys(shape):
    errors = np.random.default_rng(0).uniform(size=shape)
    found, oracle = anova_test(errors), stats.f_oneway(*errors)
    assert_allclose((found.statistic, found.pvalue), oracle, rtol=1e-9)
    assert found.df == (shape[0] - 1, shape[0] * (shape[1] - 1))


@given(arrays(float, (3, 6), elements=st.integers(0, 4)))
def test_kruskal_wallis_is_scipys(errors):
    found = kruskal_wallis_test(errors)
    if len(np.unique(errors)) == 1:
        assert (found.statistic, found.pvalue) == (0.0, 1.0)
        return
    assert_allclose((found.statistic, found.pvalue), stats.kruskal(*errors), rtol=1e-9, atol=1e-12)
    assert found.df == 2


def test_kruskal_wallis_is_rs():
    errors = np.loadtxt(ORACLES / "ranks.csv", delimiter=",")
    oracle = pd.read_csv(ORACLES / "rank_tests.csv").set_index("test").loc["kruskal"]
    found = kruskal_wallis_test(errors)
    assert_allclose((found.statistic, found.pvalue), (oracle["statistic"], oracle["p"]), rtol=1e-10)


def test_degenerate_tables():
    same = anova_test(np.full((3, 4), 0.1 + 0.2))
    assert (same.statistic, same.pvalue) == (0.0, 1.0)
    apart = anova_test(np.array([[0.1], [0.3]]) * np.ones((2, 5)))
    assert (apart.statistic, apart.pvalue) == (np.inf, 0.0)


def test_batches():
    errors = np.random.default_rng(0).uniform(size=(4, 2, 3, 5))
    for test in (anova_test, kruskal_wallis_test):
        batch = test(errors)
        assert batch.pvalue.shape == (4, 2)
        assert_allclose(batch.pvalue[3, 1], test(errors[3, 1]).pvalue)
        assert len(batch.to_frame()) == 8
        assert "of 8 tables" in str(batch)


def test_a_true_null_is_rejected_at_the_level():
    errors = np.random.default_rng(0).normal(size=(20_000, 4, 10))
    rejected = np.mean(anova_test(errors).pvalue <= 0.05)
    assert abs(rejected - 0.05) < 4 * np.sqrt(0.05 * 0.95 / 20_000)


def test_text_and_drawing():
    found = kruskal_wallis_test([[1, 2, 3], [4, 5, 6], [7, 8, 9]])
    assert str(found) == "Kruskal–Wallis test: χ² = 7.2 with 2 degrees of freedom, p = 0.0273."
    assert found.plot().get_xlabel() == "statistic"


def test_errors():
    with pytest.raises(InvalidInput, match="two or more of each"):
        anova_test([[1, 2, 3]])
    with pytest.raises(InvalidInput, match=r"errors\[0, 1\] is nan"):
        kruskal_wallis_test([[1, np.nan], [2, 3]])
