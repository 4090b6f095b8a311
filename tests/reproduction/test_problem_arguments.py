"""Every simulated problem refuses in words what it cannot draw."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from polychotomy.core.exceptions import InvalidInput
from polychotomy.reproduction.data.mixtures import FriedmanNormals, PlaneMixtures
from polychotomy.reproduction.data.problems import ConcentricNormals, TwoNormals

PROBLEMS = [TwoNormals(), ConcentricNormals(), PlaneMixtures(), FriedmanNormals()]


@pytest.mark.parametrize("problem", PROBLEMS)
@pytest.mark.parametrize("seed", [-1, "x", 1.5, True, [1, 2], np.int64(-3)])
def test_what_is_no_seed_is_refused(problem, seed):
    with pytest.raises(InvalidInput, match=r"random_state is .*; expected .*an int of at least 0"):
        problem.sample(5, random_state=seed)


@pytest.mark.parametrize("problem", PROBLEMS)
@pytest.mark.parametrize("n", [0, -1, 2.5, "x", None, np.nan, np.inf, True])
def test_what_is_no_number_of_samples_is_refused(problem, n):
    with pytest.raises(InvalidInput, match=r"n is .*; expected a number of samples, 1 or more"):
        problem.sample(n)


@pytest.mark.parametrize("problem", PROBLEMS)
def test_whole_numbers_of_any_kind_count_samples(problem):
    X, y = problem.sample(np.int32(7), random_state=np.uint8(3))
    again, codes = problem.sample(7.0, random_state=3)
    assert_array_equal(X, again)
    assert_array_equal(y, codes)


@pytest.mark.parametrize("problem", PROBLEMS)
def test_features_that_are_none_are_named(problem):
    X, _ = problem.sample(3, random_state=0)
    X[1, 0] = np.nan
    with pytest.raises(InvalidInput, match=r"X\[1, 0\] is nan; expected finite numbers"):
        problem.posterior(X)
    with pytest.raises(InvalidInput, match="X is no array of numbers"):
        problem.posterior([["a"] * X.shape[1]])
    with pytest.raises(InvalidInput, match=r"X has shape \(0,\); expected"):
        problem.posterior([])
