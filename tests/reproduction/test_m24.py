"""M24: splits, scores and the order in which a budget is spent."""

import numpy as np
import pytest

from polychotomy.reproduction.budgets import Budget
from polychotomy.reproduction.m24 import (
    GRID,
    METHODS,
    PRINTED_METHODS,
    choose_kernel,
    judge,
    plan_trials,
    split_data,
)
from polychotomy.reproduction.m24_page import _decimals
from polychotomy.reproduction.request import Request


def test_splits_are_70_to_30_and_scaled_by_the_training_part(sets):
    split = split_data("vehicle", sets, seed=3)
    assert (len(split.y), len(split.y_test)) == (63, 27)
    assert split.X.mean(axis=0) == pytest.approx(0, abs=1e-12)
    assert split.X.std(axis=0) == pytest.approx(1)
    assert abs(split.X_test.mean(axis=0)).max() > 1e-3
    again = split_data("vehicle", sets, seed=3)
    assert np.array_equal(split.X_test, again.X_test)


def test_certain_and_right_probabilities_have_full_scores():
    y = np.array([0, 1, 2, 1, 0])
    found = judge(np.eye(3)[y], y)
    assert found["accuracy"] == found["uncertainty coefficient"] == 1.0
    assert (found["r"], found["slope"]) == pytest.approx((1.0, 1.0))


def test_kernel_is_one_of_the_grid(sets):
    kernel = choose_kernel("vehicle", sets, seed=0)
    assert kernel["C"] in GRID["C"]
    assert 6 * kernel["gamma"] in GRID["gamma"]


def test_budget_goes_to_the_papers_methods_first_and_evenly_over_the_sets(sets):
    request = Request(
        data=sets, runs=3, budget=Budget(0), n_jobs=1, study=None, seed=0, progress=print
    )
    kernel = {"C": 1.0, "gamma": 0.1}
    figure, *trials = plan_trials(request, {"vehicle": kernel, "segment": kernel})
    assert figure == ("figure", "vehicle")
    printed = trials[: 3 * 2 * len(PRINTED_METHODS)]
    assert {key[2:] for key in printed} == set(PRINTED_METHODS)
    assert [key[:2] for key in printed[::2]] == [
        (name, trial) for trial in range(3) for name in ("vehicle", "segment")
    ]
    # And the kernels on segment, and another reading of the kernel.
    assert len(trials) == 3 * 2 * len(METHODS) + 3 + 3 * 2 * len(PRINTED_METHODS)


@pytest.mark.parametrize(
    ("score", "text", "decimals"),
    [("accuracy", "0.9946", 4), ("r", "1", 6), ("slope", "1.0023", 5), ("slope", "0.999578", 6)],
)
def test_digits_are_those_of_the_print(score, text, decimals):
    assert _decimals(score, text) == decimals
