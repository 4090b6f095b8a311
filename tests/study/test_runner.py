"""The local runner: every trial once, in this process or in workers."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier

from polychotomy.study.plan import RepeatedFolds
from polychotomy.study.runner import Work, plan_trials, run_trials
from polychotomy.study.target import Target

X, y = load_iris(return_X_y=True)
TARGET = Target.from_labels(y)
FOLDS = RepeatedFolds(repetitions=2, folds=3).split(TARGET.codes, seed=0)
WORK = Work({"a": DummyClassifier(), "b": DummyClassifier()}, X, TARGET, FOLDS, seed=0)


def test_plan_has_every_trial_once():
    keys = plan_trials("iris", ["a", "b"], FOLDS)
    assert len(keys) == len(set(keys)) == 2 * 2 * 3
    assert {key.fold for key in keys} == {0, 1, 2}


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_every_trial_is_run_once(n_jobs):
    keys = plan_trials("iris", ["a", "b"], FOLDS)
    outcomes = list(run_trials(WORK, keys, n_jobs=n_jobs))
    assert sorted(outcome.key for outcome in outcomes) == sorted(keys)
    assert all(outcome.status == "ok" for outcome in outcomes)
    assert sum(len(o.predicted) for o in outcomes if o.key.candidate == "a") == 2 * 150


def test_linear_algebra_has_one_thread():
    from threadpoolctl import threadpool_info

    class Spy(DummyClassifier):
        def fit(self, X, y):
            np.linalg.inv(np.eye(3))
            seen.extend(info["num_threads"] for info in threadpool_info())
            return super().fit(X, y)

    seen = []
    work = Work({"spy": Spy()}, X, TARGET, FOLDS, seed=0)
    next(iter(run_trials(work, plan_trials("iris", ["spy"], FOLDS), n_jobs=1)))
    assert seen
    assert set(seen) == {1}
