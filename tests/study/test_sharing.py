"""Sharing between trials: every outcome is that of a trial run by itself, clocks apart."""

import os
import time
import warnings
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.datasets import load_iris
from sklearn.decomposition import PCA, TruncatedSVD
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import SelectKBest
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.svm import LinearSVC

from polychotomy.study import RepeatedFolds, Study
from polychotomy.study.fitting.fit import is_measured
from polychotomy.study.study import plan_trials
from polychotomy.study.workers.runner import run_trials

X, y = load_iris(return_X_y=True)


class Spoiler(GaussianNB):
    """Writes on what it is given."""

    def fit(self, X, y):
        super().fit(X, y)
        X[:] = 0
        return self

    def predict(self, X):
        found = super().predict(X)
        X[:] = 0
        return found


class Moody(TransformerMixin, BaseEstimator):
    """Fails on one of two training sets, warns on the other, and takes its time."""

    def __init__(self, seconds=0.0):
        self.seconds = seconds

    def fit(self, X, y):
        time.sleep(self.seconds)
        if int(10 * np.asarray(X).sum()) % 2:
            raise FloatingPointError("bad mood")
        warnings.warn("in a good mood", stacklevel=1)
        return self

    def transform(self, X):
        return X


def pipelines(*steps):
    learners = {
        "logistic": LogisticRegression(),
        "1-NN": KNeighborsClassifier(1),
        "forest": RandomForestClassifier(3),
        "votes": LinearSVC(),
    }
    return {name: make_pipeline(*steps, learner) for name, learner in learners.items()}


def both_ways(candidates, data):
    """Outcomes of workers, who share, and of each trial by itself in this process."""
    work = Study(candidates, data, y, plan=RepeatedFolds(repetitions=2)).work()
    keys = list(plan_trials(work.datasets, work.candidates, work.plans))
    shared = {outcome.key: outcome for outcome in run_trials(work, keys)}
    assert sorted(shared) == sorted(keys)
    return [(shared[key], work.run(key)) for key in keys]


SHARING = {
    "nothing": {"MAX": DummyClassifier(), "forest": RandomForestClassifier(3)},
    "scaler": pipelines(StandardScaler()),
    "in place": pipelines(StandardScaler(copy=False), SelectKBest(k=2)),
    "random": pipelines(PCA(2, svd_solver="randomized")),
    "function": pipelines(StandardScaler(), FunctionTransformer(np.abs)),
    "moody": pipelines(Moody()),
    "spoiler": {f"spoiler {i}": make_pipeline(StandardScaler(), Spoiler()) for i in range(3)},
    "branches": {
        "two": make_pipeline(StandardScaler(), PCA(2), GaussianNB()),
        "three": make_pipeline(StandardScaler(), PCA(3), GaussianNB()),
        "none": make_pipeline(StandardScaler(), GaussianNB()),
    },
}
FORMS = {"C": np.asarray, "F": np.asfortranarray, "frame": pd.DataFrame}
QUICK = {
    ("C", "in place"),
    ("C", "random"),
    ("F", "spoiler"),
    ("frame", "branches"),
    ("C", "moody"),
}


@pytest.mark.parametrize(
    ("form", "shared"),
    [
        pytest.param(*case, marks=[] if case in QUICK else pytest.mark.long)
        for case in product(FORMS, SHARING)
    ],
)
def test_shared_equals_unshared(form, shared):
    candidates, form = SHARING[shared], FORMS[form]
    if form is pd.DataFrame and "spoiler 0" in candidates:
        candidates = {n: make_pipeline(StandardScaler(), Spoiler()) for n in candidates}
    for shared, alone in both_ways(candidates, form(X)):
        assert (shared.key, shared.status, shared.cause) == (alone.key, alone.status, alone.cause)
        assert shared.warnings == alone.warnings
        assert shared.hard == alone.hard
        assert shared.predicted.tobytes() == alone.predicted.tobytes()
        assert shared.probabilities.tobytes() == alone.probabilities.tobytes()
        assert shared.model_bytes == alone.model_bytes
        if shared.status == "ok":
            assert (shared.model_bytes is not None) == is_measured(shared.key)


def test_sparse_data_too():
    candidates = {
        name: make_pipeline(TruncatedSVD(2), learner)
        for name, learner in (("a", GaussianNB()), ("b", KNeighborsClassifier(3)))
    }
    for shared, alone in both_ways(candidates, sparse.csr_matrix(X)):
        assert shared.probabilities.tobytes() == alone.probabilities.tobytes()


@pytest.mark.long
def test_the_time_of_a_shared_step_is_counted_for_every_candidate():
    outcomes = [shared for shared, _ in both_ways(pipelines(Moody(0.05)), X)]
    assert len(outcomes) == 16
    assert all(outcome.fit_seconds >= 0.05 for outcome in outcomes)


class Logging(StandardScaler):
    """Writes a line for every fit, whatever process it is in."""

    def __init__(self, path=None):
        super().__init__()
        self.path = path

    def fit(self, X, y=None, sample_weight=None):
        with open(self.path, "a") as file:
            file.write("fit\n")
        return super().fit(X, y, sample_weight)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_shared_step_is_fitted_once_for_each_training_set(tmp_path, n_jobs):
    path = str(tmp_path / "fits")
    with Study(pipelines(Logging(path)), X, y).run(n_jobs=n_jobs) as ledger:
        assert {trial["status"] for trial in ledger.trials()} == {"ok"}
    assert Path(path).read_text().count("fit") == 10  # four candidates, ten training sets


@pytest.mark.long
def test_where_the_shared_step_ends_its_process_each_candidate_meets_that_alone():
    with Study(pipelines(Ender()), X, y, plan=RepeatedFolds(repetitions=1)).run() as ledger:
        assert {trial["status"] for trial in ledger.trials()} == {"crashed"}


class Ender(StandardScaler):
    def fit(self, X, y=None, sample_weight=None):
        os._exit(4)


class Reuser(DummyClassifier):
    """Answers in one array, again and again, which differs from fit to fit."""

    said = np.zeros(75, dtype=int)

    def fit(self, X, y):
        self.number = round(X[0, 0] * 10) % 3
        return super().fit(X, y)

    def predict(self, X):
        self.said[:] = self.number
        return self.said


class Silencer(DummyClassifier):
    """Warns, and then lets nobody warn any more."""

    def fit(self, X, y):
        warnings.warn(f"mean {X.mean():.3f}", stacklevel=1)
        warnings.simplefilter("ignore")
        return super().fit(X, y)


class Stranger(DummyClassifier):
    """Predicts a class that there is not."""

    def predict(self, X):
        return np.full(len(X), 7)


def test_a_batch_is_its_trials_one_by_one():
    candidates = [Reuser(), Silencer(), Stranger(), GaussianNB(), LogisticRegression(max_iter=2)]
    for found, alone in both_ways({type(one).__name__: one for one in candidates}, X):
        assert found._replace(fit_seconds=0, predict_seconds=0) == alone._replace(
            fit_seconds=0, predict_seconds=0, details=found.details
        )
        assert (found.status == "failed") == (found.candidate == "Stranger")
        assert found.warnings or found.candidate != "Silencer"
