"""The workbench: every outcome is that of a trial run by itself, clocks apart."""

import time
import warnings

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
from polychotomy.study.batching import sorted_by_training_set
from polychotomy.study.model_size import is_measured
from polychotomy.study.planning import plan_trials
from polychotomy.study.workbench import Workbench

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
    work = Study(candidates, data, y, plan=RepeatedFolds(repetitions=2)).work()
    keys = sorted_by_training_set(plan_trials(work.datasets, work.candidates, work.plans))
    with Workbench(work) as bench:
        return [(bench.run(key), work.run(key)) for key in keys]


@pytest.mark.parametrize(
    "candidates",
    [
        {"MAX": DummyClassifier(), "forest": RandomForestClassifier(3)},
        pipelines(StandardScaler()),
        pipelines(StandardScaler(copy=False), SelectKBest(k=2)),
        pipelines(PCA(2, svd_solver="randomized")),
        pipelines(StandardScaler(), FunctionTransformer(np.abs)),
        pipelines(Moody()),
        {f"spoiler {i}": make_pipeline(StandardScaler(), Spoiler()) for i in range(3)},
        {
            "two": make_pipeline(StandardScaler(), PCA(2), GaussianNB()),
            "three": make_pipeline(StandardScaler(), PCA(3), GaussianNB()),
            "none": make_pipeline(StandardScaler(), GaussianNB()),
        },
    ],
)
@pytest.mark.parametrize("form", [np.asarray, np.asfortranarray, pd.DataFrame])
def test_shared_equals_unshared(candidates, form):
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


def test_the_time_of_a_shared_step_is_counted_for_every_candidate():
    outcomes = [shared for shared, _ in both_ways(pipelines(Moody(0.05)), X)]
    assert len(outcomes) == 16
    assert all(outcome.fit_seconds >= 0.05 for outcome in outcomes)


def test_linear_algebra_has_one_thread_and_gets_its_own_back():
    from threadpoolctl import threadpool_info, threadpool_limits

    class Spy(DummyClassifier):
        def fit(self, X, y):
            seen.extend(info["num_threads"] for info in threadpool_info())
            return super().fit(X, y)

    seen = []
    work = Study({"spy": Spy()}, X, y).work()
    with threadpool_limits(limits=2):
        with Workbench(work) as bench:
            bench.run(next(plan_trials(work.datasets, work.candidates, work.plans)))
        after = {info["num_threads"] for info in threadpool_info()}
    assert set(seen) == {1}
    assert after == {2}
