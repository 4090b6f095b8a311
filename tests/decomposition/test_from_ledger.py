"""The error budget from a ledger's fits: the same as from the predictions, and no fit."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB

from polychotomy.core.exceptions import InvalidInput
from polychotomy.decomposition import decompose_error, decompose_from_ledger, decompose_predictions

X, Y = load_iris(return_X_y=True)
NAMES = np.array(["setosa", "versicolor", "virginica"])[Y]


class Stored:
    """A ledger of twenty bootstrap fits, NaN in bag, single precision, as the study keeps them."""

    def __init__(self):
        rng = np.random.default_rng(0)
        rows = rng.integers(0, 150, (20, 150))
        self.in_bag = np.array([np.bincount(some, minlength=150) for some in rows])
        fits = [GaussianNB().fit(X[some], Y[some]) for some in rows]
        self.predictions = np.array([fit.predict_proba(X) for fit in fits], dtype=np.float32)
        self.predictions[self.in_bag > 0] = np.nan
        self.asked = []

    def bootstrap_predictions(self, candidate, *, dataset=None):
        self.asked.append((candidate, dataset))
        return self.predictions, self.in_bag


def test_equals_the_decomposition_of_its_predictions():
    ledger = Stored()
    budget = decompose_from_ledger(ledger, "bayes", X, NAMES, dataset="iris")
    direct = decompose_predictions(
        ledger.predictions, ledger.in_bag, Y,
        nearest_neighbour_error=decompose_from_ledger(
            ledger, "bayes", X, NAMES, nearest_neighbour_error=None
        ).bayes_bound,
    )  # fmt: skip
    assert ledger.asked == [("bayes", "iris"), ("bayes", None)]
    assert_allclose(budget.estimates, direct.estimates)
    assert_allclose(budget.monte_carlo_errors, direct.monte_carlo_errors)
    assert budget.classes == ("setosa", "versicolor", "virginica")
    assert budget.n_bootstraps == 20


def test_nearest_neighbours_on_the_ledgers_own_bootstrap_samples():
    ledger = Stored()
    budget = decompose_from_ledger(ledger, "bayes", X, Y)
    assert 0 < budget.bayes_bound < 0.1
    assert decompose_from_ledger(ledger, "bayes", None, Y).bayes_bound == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("bayes", X, Y, "study.db"), "ledger is of type str; expected an open Ledger"),
        (("bayes", X[45:55], Y[45:55], Stored()), r"\(20, 150, 3\); expected \(b, 10, 2\)"),
    ],
)
def test_errors_are_named(arguments, message):
    candidate, rows, labels, ledger = arguments
    with pytest.raises(InvalidInput, match=message):
        decompose_from_ledger(ledger, candidate, rows, labels)


def test_a_name_alone_is_no_classifier():
    with pytest.raises(InvalidInput, match=r"estimator is 'bayes'; .* call decompose_from_ledger"):
        decompose_error("bayes", X, Y)


def test_neither_rate_nor_word():
    with pytest.raises(InvalidInput, match="nearest_neighbour_error is 'loo'"):
        decompose_from_ledger(Stored(), "bayes", X, Y, nearest_neighbour_error="loo")
