"""Looney's F against statsmodels and R, F⁺ against R, Cochran's Q against statsmodels, mlxtend."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from mlxtend.evaluate import cochrans_q as mlxtend_cochran
from mlxtend.evaluate import ftest as mlxtend_ftest
from numpy.testing import assert_allclose
from scipy import stats
from statsmodels.formula.api import ols
from statsmodels.stats.anova import anova_lm
from statsmodels.stats.contingency_tables import cochrans_q as statsmodels_cochran

from polychotomy.comparison import cochran_test, looney_test, mcnemar_test
from polychotomy.core.exceptions import InvalidInput

ORACLES = Path(__file__).parent / "oracles"
tables = arrays(bool, st.tuples(st.integers(2, 12), st.integers(2, 4)))


def answers(n, m, seed):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, 1)) + rng.normal(size=(n, m)) < 0.3 * np.arange(m)


@pytest.mark.parametrize("seed", [1, 2])
def test_looney_is_rs(seed):
    oracle = pd.read_csv(ORACLES / "looney.csv").set_index("seed").loc[seed]
    found = looney_test(np.loadtxt(ORACLES / f"looney_{seed}.csv", delimiter=","))
    assert_allclose((found.statistic, found.pvalue), (oracle["F"], oracle["p"]), rtol=1e-8)
    assert_allclose(found.epsilon, oracle["epsilon"], atol=5e-5)  # printed with four digits
    assert_allclose(found.adjusted_pvalue, oracle["adjusted"], rtol=1e-8)


def test_looney_is_a_two_way_analysis_of_variance():
    correct = answers(30, 4, 0)
    n, m = correct.shape
    long = pd.DataFrame(
        {
            "right": correct.ravel().astype(float),
            "case": np.repeat(np.arange(n), m),
            "learner": np.tile(np.arange(m), n),
        }
    )
    table = anova_lm(ols("right ~ C(learner) + C(case)", long).fit())
    found = looney_test(correct)
    assert_allclose(found.statistic, table.loc["C(learner)", "F"], rtol=1e-8)
    assert_allclose(found.pvalue, table.loc["C(learner)", "PR(>F)"], rtol=1e-8)
    assert found.df == (m - 1, (m - 1) * (n - 1))


def test_mlxtend_has_the_same_f_and_other_degrees_of_freedom():
    correct = answers(30, 3, 1)
    f, p = mlxtend_ftest(np.ones(30, int), *correct.T.astype(int))
    found = looney_test(correct)
    assert_allclose(found.statistic, f, rtol=1e-8)
    assert_allclose(p, stats.f.sf(f, 2, 2 * 30), rtol=1e-8)  # (m − 1) n in place of (m − 1)(n − 1)


@given(tables)
def test_looney_on_any_table(correct):
    found = looney_test(correct)
    m = correct.shape[1]
    assert 0 <= found.pvalue <= 1
    assert 0 <= found.adjusted_pvalue <= 1
    assert 1 / (m - 1) - 1e-9 <= found.epsilon <= 1
    if len(set(correct.sum(axis=0))) == 1:
        assert (found.statistic, found.pvalue) == (0.0, 1.0)
    assert_allclose(found.means, correct.mean(axis=0))


@given(tables)
def test_cochran_is_statsmodels_and_mlxtends(correct):
    found = cochran_test(correct)
    if len(set(correct.sum(axis=0))) == 1:
        assert (found.statistic, found.pvalue) == (0.0, 1.0)
        return
    oracle = statsmodels_cochran(correct.astype(int))
    assert_allclose((found.statistic, found.pvalue), (oracle.statistic, oracle.pvalue), rtol=1e-9)
    theirs = mlxtend_cochran(np.ones(len(correct), int), *correct.T.astype(int))
    assert_allclose((found.statistic, found.pvalue), theirs, rtol=1e-9)
    assert found.df == correct.shape[1] - 1


def test_cochran_of_two_is_mcnemar_uncorrected():
    correct = answers(60, 2, 3)
    only = mcnemar_test(~correct[:, 0], ~correct[:, 1])
    assert_allclose(
        cochran_test(correct).statistic,
        (only.only_a - only.only_b) ** 2 / (only.only_a + only.only_b),
    )


def test_text_table_and_drawing():
    found = looney_test(answers(30, 3, 1))
    assert found.to_frame()["adjusted_pvalue"].tolist() == [found.adjusted_pvalue]
    assert "F⁺ (ε = " in str(found)


def test_errors():
    for test in (looney_test, cochran_test):
        with pytest.raises(InvalidInput, match=r"expected \(cases, classifiers\)"):
            test([True, False])
        with pytest.raises(InvalidInput, match=r"correct\[0, 1\] is 0.5"):
            test([[0, 0.5], [1, 1]])
