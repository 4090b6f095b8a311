"""The Bayesian correlated t test against baycomp."""

import baycomp
import numpy as np
import pytest
from numpy.testing import assert_allclose

from polychotomy.comparison import corrected_t_test
from polychotomy.core.exceptions import InvalidInput


@pytest.mark.parametrize("runs", [1, 10])
@pytest.mark.parametrize("rope", [0.0, 0.01, 0.05])
def test_probabilities_are_baycomps(runs, rope):
    """baycomp takes scores, of which more is better, and gives (first better, rope, second)."""
    folds = 10
    a, b = np.random.default_rng(runs).normal([[0.2], [0.21]], 0.03, (2, runs * folds))
    found = corrected_t_test(a, b, test_train_ratio=1 / (folds - 1)).probabilities(rope)
    oracle = baycomp.CorrelatedTTest(1 - a, 1 - b, rope=rope, runs=runs).probs()
    if rope:
        assert_allclose(found, oracle, atol=1e-10)
    else:
        assert_allclose(found[::2], oracle, atol=1e-10)
        assert_allclose(found[1], 0, atol=1e-15)


def test_without_a_rope_it_is_the_one_sided_pvalue():
    a, b = np.random.default_rng(0).normal(size=(2, 3, 10))
    test = corrected_t_test(a, b, test_train_ratio=1 / 9, alternative="greater")
    found = test.probabilities(0)
    assert_allclose(found[0], test.pvalue)
    assert_allclose(sum(found), np.ones(3))


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
    assert corrected_t_test(b + gap, b, test_train_ratio=0.25).probabilities(rope) == expected


def test_errors():
    with pytest.raises(InvalidInput, match="rope is -1"):
        corrected_t_test([1, 2], [1, 3], test_train_ratio=1).probabilities(-1)
