"""Pairwise p-values: every named test is the function of that name; functions of one's own."""

from functools import partial

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from polychotomy.comparison import (
    calibrated_t_test,
    corrected_t_test,
    paired_t_test,
    t_test_5x2,
    wilcoxon_test,
)
from polychotomy.comparison.multitest import multitest
from polychotomy.core.exceptions import InvalidInput

ROWS = {
    "5x2cv-t": t_test_5x2,
    "paired-t": lambda a, b, **k: paired_t_test(a.ravel(), b.ravel(), **k),
    "corrected-t": lambda a, b, **k: corrected_t_test(
        a.ravel(), b.ravel(), test_train_ratio=1 / (a.shape[1] - 1), **k
    ),
    "calibrated-t": lambda a, b, **k: calibrated_t_test(a.ravel(), b.ravel(), df=10, **k),
    "wilcoxon": lambda a, b, **k: wilcoxon_test(a.ravel(), b.ravel(), **k),
}


@pytest.mark.parametrize("name", ROWS)
@pytest.mark.parametrize("margin", [None, 0.03])
def test_names_are_functions(name, margin):
    shape = (3, 5, 2) if name == "5x2cv-t" else (3, 4, 5)
    errors = np.random.default_rng(0).uniform(0.1, 0.4, shape)
    found = multitest(errors, test=name, margin=margin)
    if margin is None:
        expected = ROWS[name](errors[0], errors[2], alternative="greater")
    else:
        expected = ROWS[name](errors[0], errors[2] + margin, alternative="less")
    assert_allclose(found.pvalues[0, 2], expected.pvalue, rtol=1e-10)


def test_functions_may_return_a_number_or_a_result():
    errors = np.random.default_rng(0).uniform(size=(3, 5, 2))
    named = multitest(errors)
    own = multitest(errors, test=partial(t_test_5x2, alternative="greater"))
    assert_allclose(own.pvalues, named.pvalues)
    scipys = multitest(
        errors, test=lambda a, b: stats.ttest_rel(a.ravel(), b.ravel(), alternative="greater")
    )
    assert_allclose(scipys.pvalues, multitest(errors, test="paired-t").pvalues)
    assert "test 'partial'" in str(own)


def test_a_ratio_of_one_s_own():
    errors = np.random.default_rng(0).uniform(size=(2, 1, 10))
    found = multitest(errors, test="corrected-t", test_train_ratio=0.5)
    a, b = errors[:, 0]
    expected = corrected_t_test(a, b, test_train_ratio=0.5, alternative="greater").pvalue
    assert_allclose(found.pvalues[0, 1], expected)
    assert_allclose(
        multitest(errors[:, 0], test="corrected-t").pvalues[0, 1],
        corrected_t_test(a, b, test_train_ratio=1 / 9, alternative="greater").pvalue,
    )


def test_errors():
    errors = np.random.default_rng(0).uniform(size=(3, 10, 1))
    with pytest.raises(InvalidInput, match="pass test_train_ratio="):
        multitest(errors, test="corrected-t")
    with pytest.raises(InvalidInput, match="test is 'welch'; expected one of"):
        multitest(errors, test="welch")
    with pytest.raises(InvalidInput, match=r"expected \(\.\.\., 5, 2\)"):
        multitest(errors)
    with pytest.raises(InvalidInput, match=r"errors.reshape\(-1, 5, 2\)"):
        multitest(errors[..., 0])
