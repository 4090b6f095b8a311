"""The Bayesian correlated t test against baycomp."""

import baycomp
import numpy as np
import pytest
from numpy.testing import assert_allclose

from polychotomy.comparison import bayesian_t_test, corrected_t_test
from polychotomy.core.exceptions import InvalidInput


@pytest.mark.parametrize("runs", [1, 10])
@pytest.mark.parametrize("rope", [0.0, 0.01, 0.05])
def test_probabilities_are_baycomps(runs, rope):
    """baycomp takes scores, of which more is better, and gives (first better, rope, second)."""
    folds = 10
    a, b = np.random.default_rng(runs).normal([[0.2], [0.21]], 0.03, (2, runs * folds))
    found = bayesian_t_test(a, b, test_train_ratio=1 / (folds - 1), rope=rope)
    oracle = baycomp.CorrelatedTTest(1 - a, 1 - b, rope=rope, runs=runs).probs()
    if rope:
        assert_allclose(found.probabilities, oracle, atol=1e-10)
    else:
        assert_allclose((found.a_better, found.b_better), oracle, atol=1e-10)
        assert_allclose(found.equivalent, 0, atol=1e-15)


def test_without_a_rope_it_is_the_one_sided_pvalue():
    a, b = np.random.default_rng(0).normal(size=(2, 3, 10))
    found = bayesian_t_test(a, b, test_train_ratio=1 / 9, rope=0)
    test = corrected_t_test(a, b, test_train_ratio=1 / 9, alternative="greater")
    assert_allclose(found.a_better, test.pvalue)
    assert_allclose(sum(found.probabilities), np.ones(3))


@pytest.mark.parametrize(
    ("gap", "rope", "expected"),
    [
        (0.0, 0.01, (0, 1, 0)),
        (0.1, 0.01, (0, 0, 1)),
        (-0.1, 0.01, (1, 0, 0)),
        (0, 0, (0.5, 0, 0.5)),
    ],
)
def test_a_constant_difference_is_a_point(gap, rope, expected):
    b = np.linspace(0.1, 0.3, 5)
    assert bayesian_t_test(b + gap, b, test_train_ratio=0.25, rope=rope).probabilities == expected


def test_text_table_and_drawing():
    a, b = np.random.default_rng(0).normal(size=(2, 10))
    found = bayesian_t_test(a, b, test_train_ratio=1 / 9, rope=0.1)
    assert "practically equivalent (difference of at most 0.1)" in str(found)
    assert found.to_frame()["b_better"][0] == found.b_better
    assert found.plot().get_xlabel() == "error of a − error of b"


def test_errors():
    with pytest.raises(InvalidInput, match="rope is -1"):
        bayesian_t_test([1, 2], [1, 3], test_train_ratio=1, rope=-1)
