import joblib
import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from polychotomy.core.exceptions import InvalidInput, LearnerError
from polychotomy.decomposition import decompose_error, decompose_predictions
from polychotomy.decomposition.from_estimator import draw_counts

IRIS = load_iris(return_X_y=True)


class Fussy(ClassifierMixin, BaseEstimator):
    """Fails on bootstrap samples that hold the first row; votes for the commonest class."""

    def fit(self, X, y):
        if len(np.unique(X[:, 0])) < len(X) and (X[:, 0] == 0).any():
            raise ValueError("the first row is here\nand more lines")
        self.classes_, counts = np.unique(y, return_counts=True)
        self.common_ = self.classes_[counts.argmax()]
        return self

    def predict(self, X):
        return np.full(len(X), self.common_)


def by_hand(estimator, X, y, seed, b, loss):
    """The fits again, repeated rows and all, handed to decompose_predictions."""
    root = np.random.SeedSequence(seed)
    root.spawn(1)  # the full-sample fit's
    classes, codes = np.unique(y, return_inverse=True)
    predictions, in_bag = np.zeros((b, len(y), len(classes))), np.zeros((b, len(y)), dtype=int)
    for fit, child in enumerate(root.spawn(b)):
        in_bag[fit] = draw_counts(child, len(y))
        rows = np.repeat(np.arange(len(y)), in_bag[fit])
        learner = estimator.fit(X[rows], y[rows])
        columns = np.searchsorted(classes, learner.classes_)
        predictions[fit][:, columns] = learner.predict_proba(X)
    return decompose_predictions(predictions, in_bag, codes, loss=loss)


@pytest.mark.parametrize("loss", ["misclassification", "squared", "deviance"])
def test_engine_agrees_with_fits_by_hand(loss):
    X, y = IRIS
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    ours = decompose_error(
        LinearDiscriminantAnalysis(), X, names, loss=loss, n_bootstraps=40, random_state=7
    )
    hand = by_hand(LinearDiscriminantAnalysis(), X, names, 7, 40, loss)
    assert_allclose(ours.estimates, hand.estimates, rtol=1e-12, atol=1e-12)
    assert_allclose(ours.monte_carlo_errors, hand.monte_carlo_errors, rtol=1e-9, atol=1e-12)
    assert_allclose(ours.aggregated, hand.aggregated, atol=1e-12)
    assert ours.classes == ("setosa", "versicolor", "virginica")


def test_same_seed_same_result_whatever_the_workers():
    X, y = IRIS
    one = decompose_error(DecisionTreeClassifier(), X, y, n_bootstraps=20, random_state=1)
    with joblib.parallel_config(backend="threading"):  # processes would take seconds to start
        two = decompose_error(
            DecisionTreeClassifier(), X, y, n_bootstraps=20, random_state=1, n_jobs=2
        )
    assert_array_equal(one.sample_estimates, two.sample_estimates)
    assert_array_equal(one.monte_carlo_errors, two.monte_carlo_errors)
    other = decompose_error(DecisionTreeClassifier(), X, y, n_bootstraps=20, random_state=2)
    assert not np.array_equal(one.sample_estimates, other.sample_estimates)


def test_any_way_to_say_a_seed():
    X, y = IRIS
    seeds = (np.random.default_rng(0), np.random.RandomState(0), np.random.SeedSequence(5), None)
    for seed in seeds:
        budget = decompose_error(GaussianNB(), X, y, n_bootstraps=5, random_state=seed)
        assert budget.n_bootstraps == 5


def test_votes_and_probabilities():
    X, y = IRIS
    soft = decompose_error(GaussianNB(), X, y, n_bootstraps=30, random_state=0)
    hard = decompose_error(GaussianNB(), X, y, n_bootstraps=30, random_state=0, output="votes")
    assert (soft.output, hard.output) == ("probabilities", "votes")
    assert soft.error == pytest.approx(hard.error, abs=1e-12)  # Q1 does not care
    assert set(np.unique(hard.votes * hard.n_out_of_bag[:, None])) <= set(range(31))
    assert_allclose(hard.aggregated, hard.votes, atol=1e-12)
    assert decompose_error(LinearSVC(), X, y, n_bootstraps=3, random_state=0).output == "votes"


def test_rows_may_be_lists_frames_or_sparse():
    X, y = IRIS
    expected = decompose_error(GaussianNB(), X, y, n_bootstraps=10, random_state=0)
    for rows, labels in ((X.tolist(), y.tolist()), (pd.DataFrame(X), pd.Series(y, index=y + 9))):
        got = decompose_error(GaussianNB(), rows, labels, n_bootstraps=10, random_state=0)
        assert_array_equal(got.estimates, expected.estimates)
    thin = decompose_error(
        KNeighborsClassifier(), sparse.coo_array(X), y, n_bootstraps=5, random_state=0
    )
    assert thin.nearest_neighbour_error is None
    assert thin.bayes_bound == 0


def test_a_class_absent_from_a_bootstrap_sample():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(30, 2)), np.array([0] * 14 + [1] * 15 + [2])
    budget = decompose_error(GaussianNB(), X, y, n_bootstraps=40, random_state=0, loss="squared")
    assert budget.aggregated[-1, 2] == 0  # out of bag, the only case of class 2 is never found
    assert budget.failures == ()
    seen = budget.n_out_of_bag > 0
    assert_allclose(budget.aggregated[seen].sum(axis=1), 1)


def test_failures_are_counted_and_named():
    X, y = np.arange(20.0)[:, None], np.repeat([0, 1], 10)
    budget = decompose_error(Fussy(), X, y, n_bootstraps=40, random_state=0)
    assert 10 < len(budget.failures) < 40
    assert budget.n_bootstraps == 40 - len(budget.failures)
    index, cause = budget.failures[0]
    assert cause == "ValueError: the first row is here"
    counts = draw_counts(np.random.SeedSequence(0, spawn_key=(1 + index,)), 20)
    assert counts[0] > 0
    assert f"failed on {len(budget.failures)} bootstrap samples" in str(budget)


def test_a_learner_that_always_fails_is_said():
    class Broken(Fussy):
        def fit(self, X, y):
            if len(np.unique(X)) < len(X):
                raise RuntimeError("no doubles")
            return super().fit(X, y)

    X, y = np.arange(20.0)[:, None], np.repeat([0, 1], 10)
    with pytest.raises(LearnerError, match=r"failed on all 5 bootstrap samples.*no doubles"):
        decompose_error(Broken(), X, y, n_bootstraps=5)
    with pytest.raises(LearnerError, match=r"failed on all 200 bootstrap samples.*NaN"):
        decompose_error(LogisticRegression(), X * np.nan, y)


@pytest.mark.long
def test_monte_carlo_error_predicts_the_spread_over_seeds():
    """The same samples, other bootstrap fits: what would change is what is said to be unsure."""
    X, y = IRIS[0][:, :2], IRIS[1]
    runs = [
        decompose_error(
            GaussianNB(), X, y, n_bootstraps=40, nearest_neighbour_error=None, random_state=seed
        )
        for seed in range(40)
    ]
    spread = np.std([run.estimates[0] for run in runs], axis=0, ddof=1)
    said = np.sqrt(np.mean([np.square(run.monte_carlo_errors[0]) for run in runs], axis=0))
    assert_allclose(said / spread, 1, atol=0.35)  # 40 runs tell a spread to 11 %


def test_the_table_holds_every_estimate():
    budget = decompose_error(GaussianNB(), *IRIS, n_bootstraps=10, random_state=0)
    frame = budget.to_frame().set_index(["quantity", "class"])["estimate"]
    for name in ("error", "variance", "bayes_bound", "bias_bound"):
        assert frame[name, "all"] == getattr(budget, name)
    assert frame["error", "2"] == budget.estimates[3, 0]


def test_a_learner_that_ignores_the_features():
    X, y = IRIS
    budget = decompose_error(
        DummyClassifier(strategy="prior"), X, y, n_bootstraps=50, random_state=0
    )
    assert budget.error > 0.6
    assert budget.variance > 0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"y": [0] * 150}, "y has one class only, "),
        ({"y": [None] + [0, 1] * 74 + [1]}, r"y is \[None, .*; expected a label for every"),
        ({"y": np.r_[np.nan, np.ones(149)]}, r"y is \[.*nan.*; expected a label for every"),
        (
            {"y": np.array(["a", 1] * 75, dtype=object)},
            r"y is \['a', 1.*all of them numbers or all",
        ),
        ({"y": [0, 1]}, r"X has shape \(150, 4\) and y \(2,\)"),
        ({"y": np.zeros((150, 1))}, r"y \(150, 1\)"),
        ({"n_bootstraps": 0}, "n_bootstraps is 0; expected"),
        ({"n_bootstraps": 2.5}, "n_bootstraps is 2.5; expected"),
        ({"output": "labels"}, "output is 'labels'"),
        ({"nearest_neighbour_error": "loo"}, "nearest_neighbour_error is 'loo'"),
        ({"nearest_neighbour_error": 3}, "nearest_neighbour_error is 3"),
        ({"loss": "hinge"}, "loss is 'hinge'"),
    ],
)
def test_bad_arguments_are_named(change, message):
    arguments = {"X": IRIS[0], "y": IRIS[1]} | change
    with pytest.raises(InvalidInput, match=message):
        decompose_error(GaussianNB(), **arguments)


@pytest.mark.parametrize("learner", [None, "GaussianNB", GaussianNB, 3])
def test_what_is_no_learner_is_said(learner):
    with pytest.raises(InvalidInput, match=r"estimator is .*; expected a learner, such as"):
        decompose_error(learner, *IRIS)


def test_probabilities_from_a_learner_without_them():
    with pytest.raises(InvalidInput, match="LinearSVC has no predict_proba"):
        decompose_error(LinearSVC(), *IRIS, output="probabilities")


def test_a_regressor_is_refused():
    with pytest.raises(InvalidInput, match="expected a classifier"):
        decompose_error(LinearRegression(), [[0.0], [1.0]], [0.5, 1.5])
