"""The local runner: every trial once, in this process or in workers."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier

from polychotomy.study.dataset import Dataset
from polychotomy.study.plan import RepeatedFolds
from polychotomy.study.planning import plan_trials
from polychotomy.study.runner import run_trials
from polychotomy.study.work import Work

X, y = load_iris(return_X_y=True)
DATA = Dataset.of(X, y)
PLAN = RepeatedFolds(repetitions=2, folds=3)


def work_of(candidates):
    split = PLAN.split(DATA.target.codes, seed=0)
    return Work(
        candidates=candidates,
        datasets={"iris": DATA},
        plans={PLAN.name: PLAN},
        splits={("iris", PLAN.name): split},
        seed=0,
    )


def keys_of(work):
    return list(plan_trials(work.datasets, work.candidates, work.plans))


WORK = work_of({"a": DummyClassifier(), "b": DummyClassifier()})


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_every_trial_is_run_once(n_jobs):
    keys = keys_of(WORK)
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
    work = work_of({"spy": Spy()})
    next(iter(run_trials(work, keys_of(work), n_jobs=1)))
    assert seen
    assert set(seen) == {1}
