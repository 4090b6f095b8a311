"""A trial: what it keeps, how it fails, and that its seed is its own."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from polychotomy.core.predictions import check_probabilities
from polychotomy.study.design.dataset import Target
from polychotomy.study.design.folds import assign_folds
from polychotomy.study.design.trials import TrialKey
from polychotomy.study.fitting.fit import run_trial, take
from polychotomy.study.fitting.prepare import Prepared

X, y = load_iris(return_X_y=True)
KEY = TrialKey("iris", "c", "1x2 folds", 0, 0, 1)


class Stub(ClassifierMixin, BaseEstimator):
    """A learner whose answers are given."""

    def __init__(self, predict=None, proba=None, classes=(0, 1, 2)):
        self.predict_value = predict
        self.predict = lambda X: np.full(len(X), predict)
        self.proba = proba
        self.classes = classes

    def get_params(self, deep=True):
        return {"predict": self.predict_value, "proba": self.proba, "classes": self.classes}

    def fit(self, X, y):
        self.classes_ = np.array(self.classes)
        return self

    def predict_proba(self, X):
        return np.tile(self.proba, (len(X), 1))


class Shaped(Stub):
    """Naive answers, of which ``cut`` makes what another library might return."""

    def __init__(self, cut_labels=slice(None), cut_shares=slice(None)):
        self.cut_labels = cut_labels
        self.cut_shares = cut_shares

    def get_params(self, deep=True):
        return {"cut_labels": self.cut_labels, "cut_shares": self.cut_shares}

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.zeros(len(X), dtype=int)[self.cut_labels]

    def predict_proba(self, X):
        return np.tile([1.0, 0.0, 0.0], (len(X), 1))[self.cut_shares]


def trial(estimator, X=X, y=y, seed=0, key=KEY):
    target = Target.from_labels(y)
    folds = assign_folds(target.codes, 2, stratified=True, seed=5)
    train, test = np.flatnonzero(folds != key.fold), np.flatnonzero(folds == key.fold)
    rows = Prepared(take(X, train), take(X, test))
    outcome = run_trial(key, estimator, rows, target, train=train, study_seed=seed)
    return outcome, folds


def test_predictions_equal_a_fit_by_hand():
    outcome, folds = trial(LogisticRegression(max_iter=500))
    by_hand = LogisticRegression(max_iter=500).fit(X[folds != 1], y[folds != 1])
    np.testing.assert_allclose(
        outcome.probabilities, by_hand.predict_proba(X[folds == 1]), atol=1e-6
    )
    np.testing.assert_array_equal(outcome.predicted, by_hand.predict(X[folds == 1]))
    assert outcome.status == "ok"
    assert outcome.fit_seconds > 0
    assert not outcome.hard


@pytest.mark.parametrize("convert", [pd.DataFrame, sparse.csr_matrix])
def test_frames_and_sparse_matrices_are_taken_as_they_are(convert):
    dense, _ = trial(make_pipeline(StandardScaler(with_mean=False), LogisticRegression()))
    other, _ = trial(
        make_pipeline(StandardScaler(with_mean=False), LogisticRegression()), X=convert(X)
    )
    np.testing.assert_allclose(other.probabilities, dense.probabilities, atol=1e-4)


def test_labels_go_to_the_learner_as_they_are():
    words = np.array(["x", "y", "z"])[y]
    weighted = LogisticRegression(class_weight={"x": 1, "y": 2, "z": 1}, max_iter=500)
    outcome, _ = trial(weighted, y=words)
    assert outcome.status == "ok"


def test_learner_without_probabilities_gives_votes():
    outcome, _ = trial(LinearSVC())
    assert outcome.hard
    assert set(np.unique(outcome.probabilities)) == {0, 1}
    np.testing.assert_array_equal(outcome.probabilities.argmax(axis=1), outcome.predicted)


def test_missing_class_gets_a_column_of_zeros():
    outcome, _ = trial(Stub(predict=2, proba=[0.3, 0.7], classes=(0, 2)))
    np.testing.assert_allclose(outcome.probabilities[0], [0.3, 0, 0.7], rtol=1e-6)


@pytest.mark.parametrize(
    ("estimator", "cause"),
    [
        (LogisticRegression(C=-1), "InvalidParameterError"),
        (Stub(predict=9, proba=[1, 0, 0]), "predicted 9, which is none of the classes 0, 1, 2"),
        (Stub(predict=0, proba=[np.nan, 0, 0]), r"expected finite probabilities"),
        (Stub(predict=0, proba=[1.5, -0.5, 0]), "expected finite probabilities from 0 to 1"),
        (Stub(predict=0, proba=[0.9, 0.9, 0.0]), "which sum to 1.8; expected finite"),
        (
            Stub(predict=0, proba=[0.3, 0.3, 0.3]),
            "for row 0 of the fold left out, which sum to 0.9",
        ),
        (Stub(predict=0, proba=[1 + 1j, 0, 0]), "predict_proba gave complex numbers"),
        (Stub(predict=0, proba=[0.0, 0.0, 0.0]), "which sum to 0; expected"),
        (Shaped(cut_labels=slice(1, None)), "predict gave an array of shape (74,) for 75 rows"),
        (Shaped(cut_shares=slice(1, None)), "shape (74, 3) for 75 rows; expected (75, 3)."),
        (Shaped(cut_shares=(slice(None), slice(2))), "shape (75, 2) for 75 rows; expected"),
    ],
)
def test_failure_is_an_outcome_with_its_cause(estimator, cause):
    outcome, _ = trial(estimator)
    assert outcome.status == "failed"
    assert cause in outcome.cause
    assert cause in outcome.details
    assert len(outcome.predicted) == 0


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_rounded_probabilities_are_taken(dtype):
    """And their sums are made 1, as whoever judges them takes no others."""
    shares = np.array([1 / 3, 1 / 3, 1 / 3], dtype=dtype)
    outcome, _ = trial(Stub(predict=0, proba=shares))
    assert outcome.status == "ok", outcome.cause
    check_probabilities(outcome.probabilities)


def test_labels_may_stand_in_a_column():
    outcome, _ = trial(Shaped(cut_labels=(slice(None), np.newaxis)))
    assert (outcome.status, outcome.predicted.shape) == ("ok", (75,))


def test_warnings_are_kept():
    outcome, _ = trial(LogisticRegression(max_iter=1))
    assert any("ConvergenceWarning" in text for text in outcome.warnings)


def test_seed_depends_on_the_key_alone():
    forest = RandomForestClassifier(10)
    first, _ = trial(forest)
    again, _ = trial(forest)
    other_study, _ = trial(forest, seed=1)
    np.testing.assert_array_equal(first.probabilities, again.probabilities)
    assert (first.probabilities != other_study.probabilities).any()


def test_the_users_own_seed_is_kept():
    fixed = RandomForestClassifier(10, random_state=3)
    a, _ = trial(fixed, seed=0)
    b, _ = trial(fixed, seed=1)
    np.testing.assert_array_equal(a.probabilities, b.probabilities)


class Leaver(Stub):
    """Leaves in the middle of a fit."""

    def fit(self, X, y):
        raise self.proba


class Mute(Exception):
    def __str__(self):
        raise RuntimeError("no words")


@pytest.mark.parametrize(
    ("error", "cause"),
    [
        (SystemExit(3), "SystemExit: 3"),
        (SystemExit("enough of this"), "SystemExit: enough of this"),
        (KeyboardInterrupt("mine"), "KeyboardInterrupt: mine"),
        (GeneratorExit(), "GeneratorExit:"),
        (BaseException("all"), "BaseException: all"),
        (ValueError("half \udce9 pair"), "ValueError: half \\udce9 pair"),
        (Mute(), "Mute, whose message cannot be had: RuntimeError"),
        (ValueError("x" * 10_000), "ValueError: " + "x" * 1988),
        (MemoryError(), "MemoryError:"),
    ],
)
def test_whatever_is_raised_is_recorded_with_its_type_and_text(error, cause):
    outcome, _ = trial(Leaver(proba=error))
    assert (outcome.status, outcome.cause) == ("failed", cause)
    (outcome.cause + outcome.details).encode()


def test_a_step_that_writes_on_its_input_does_so_once():
    """Labels and probabilities are predicted from fresh rows each."""
    writing, _ = trial(make_pipeline(StandardScaler(copy=False), LogisticRegression()))
    copying, _ = trial(make_pipeline(StandardScaler(), LogisticRegression()))
    np.testing.assert_array_equal(writing.probabilities, copying.probabilities)
