import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import BaggingClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from polychotomy.core.exceptions import InvalidInput, LearnerError
from polychotomy.decomposition.from_estimator import (
    Plan,
    draw_counts,
    fit_bags,
    fit_one,
    one_hot,
    predict_rows,
    seed_learner,
)

X = np.arange(12.0)[:, None]
Y = np.repeat(["a", "b", "c"], 4)


class Says(ClassifierMixin, BaseEstimator):
    """Predicts what it is told to."""

    def __init__(self, answer=None):
        self.answer = answer

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.answer)

    def predict_proba(self, X):
        return np.tile(self.answer, (len(X), 1))


def plan(answer, *, votes):
    return Plan(Says(answer), X, Y, np.array(["a", "b", "c"]), votes)


def test_columns_follow_the_classes_seen():
    seen = Y != "b"
    learner = Says([0.25, 0.75]).fit(X[seen], Y[seen])
    assert_array_equal(predict_rows(plan(None, votes=False), learner, X[:2]), [[0.25, 0, 0.75]] * 2)


def test_single_precision_need_not_sum_to_one_exactly():
    answer = np.array([0.1, 0.2, 0.70001], dtype=np.float32)
    found = predict_rows(plan(answer, votes=False), Says(answer).fit(X, Y), X[:1])
    assert found.dtype == np.float64


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ([0.5, 0.5], r"shape \(12, 2\), .* each of 3 classes"),
        ([0.5, 0.5, 0.5], "not probabilities"),
        ([1.5, -0.5, 0.0], "not probabilities"),
        ([np.nan, 0.5, 0.5], "not probabilities"),
    ],
)
def test_probabilities_that_are_none_are_failures(answer, message):
    with pytest.raises(LearnerError, match=message):
        predict_rows(plan(answer, votes=False), Says(answer).fit(X, Y), X)
    counts = np.tile([0, 2], 6)
    found = fit_one(plan(answer, votes=False), counts, np.random.SeedSequence(4))
    assert found.startswith("LearnerError: predict_proba gave")


def test_labels_that_are_none_are_failures():
    with pytest.raises(LearnerError, match=r"predict gave .*'z'.*not a label of y"):
        one_hot(np.array(["a", "z"]), np.array(["a", "b"]))
    with pytest.raises(LearnerError, match="not a label"):
        one_hot(np.array([0, 7]), np.array([0, 1]))


def test_counts_are_a_bootstrap_samples():
    counts = np.array([draw_counts(seed, 50) for seed in np.random.SeedSequence(0).spawn(400)])
    assert (counts.sum(axis=1) == 50).all()
    assert (counts == 0).mean() == pytest.approx((1 - 1 / 50) ** 50, abs=0.01)


def test_every_random_state_is_set():
    nested = make_pipeline(StandardScaler(), BaggingClassifier(DecisionTreeClassifier()))
    one = seed_learner(nested, np.random.SeedSequence(0)).get_params()
    states = [value for name, value in one.items() if name.endswith("random_state")]
    assert len(states) == 2
    assert len(set(states)) == 2
    assert all(isinstance(state, int) for state in states)


def test_nothing_out_of_bag_and_nothing_fitted():
    seeds = np.random.SeedSequence(0).spawn(1)
    with pytest.raises(InvalidInput, match="no sample is out of bag in any of the fits"):
        fit_bags(plan("a", votes=True), np.ones((1, 12), dtype=int), seeds, n_jobs=1)
    with pytest.raises(LearnerError, match="failed on all 1 bootstrap samples, first with"):
        fit_bags(plan("z", votes=True), np.repeat([[0, 1]], 6, axis=1), seeds, n_jobs=1)
