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
from polychotomy.study.fitting.fit import is_measured
from polychotomy.study.fitting.workbench import Workbench
from polychotomy.study.study import plan_trials
from polychotomy.study.workers.batching import sorted_by_training_set

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


class Glutton(DummyClassifier):
    """Finds no memory."""

    def fit(self, X, y):
        raise MemoryError("no")


def keys_and_work(candidates):
    work = Study(candidates, X, y, plan=RepeatedFolds(runs=2)).work()
    return list(plan_trials(work.datasets, work.candidates, work.plans)), work


@pytest.mark.parametrize("most", [1, 2000, 100_000])
def test_a_batch_is_its_trials_one_by_one(monkeypatch, most):
    monkeypatch.setattr("polychotomy.study.fitting.workbench._MOST_VALUES", most)
    candidates = [Reuser(), Silencer(), Stranger(), GaussianNB(), LogisticRegression(max_iter=2)]
    keys, work = keys_and_work({type(one).__name__: one for one in candidates})
    with Workbench(work) as bench:
        together = bench.run_all(keys)
    for key, found in zip(keys, together, strict=True):
        alone = work.run(key)
        assert found._replace(fit_seconds=0, predict_seconds=0) == alone._replace(
            fit_seconds=0, predict_seconds=0
        )
    assert {one.status for one in together if one.candidate == "Stranger"} == {"failed"}
    assert all(one.warnings for one in together if one.candidate == "Silencer")


def test_a_batch_ends_where_it_is_told_or_memory_has_run_out():
    keys, work = keys_and_work({"MAX": DummyClassifier()})
    with Workbench(work) as bench:
        assert len(bench.run_all(keys, iter([True, True, False]).__next__)) == 2
        assert bench.run_all(keys, lambda: False) == []
    keys, work = keys_and_work({"MAX": DummyClassifier(), "glutton": Glutton()})
    keys = sorted_by_training_set(keys)
    with Workbench(work) as bench:
        found = bench.run_all(keys)
    assert [one.candidate for one in found] == ["MAX", "glutton"]
    assert found[-1].cause == "MemoryError: no"
