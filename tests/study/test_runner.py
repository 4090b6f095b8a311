"""The local runner: every trial once, in this process or in workers."""

import pickle

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import BaggingClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from polychotomy.study.design.dataset import Dataset
from polychotomy.study.design.plan import RepeatedFolds
from polychotomy.study.fitting.limits import Limits
from polychotomy.study.fitting.user_module import load_module
from polychotomy.study.fitting.work import Work
from polychotomy.study.study import plan_trials
from polychotomy.study.workers.runner import needs_process, run_trials

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


def test_nothing_to_do():
    assert list(run_trials(WORK, [], n_jobs=2)) == []


MINE = """
import os
from sklearn.dummy import DummyClassifier

class Mine(DummyClassifier):
    def fit(self, X, y):
        os._exit(7)
"""


@pytest.fixture
def mine(tmp_path):
    (tmp_path / "mine.py").write_text(MINE)
    return load_module(tmp_path / "mine.py").Mine()


def test_which_work_needs_a_process_even_for_one_job(mine):
    assert not needs_process(WORK, Limits())
    assert needs_process(WORK, Limits(seconds=9))
    assert needs_process(work_of({"mine": mine}), Limits())
    assert needs_process(work_of({"bag": BaggingClassifier(mine)}), Limits())
    # What cannot be sent to another process can only be run in this one.
    unsendable = make_pipeline(FunctionTransformer(lambda X: X), DummyClassifier())
    with pytest.raises((pickle.PicklingError, AttributeError)):
        pickle.dumps(unsendable)
    assert not needs_process(work_of({"mine": mine, "lambda": unsendable}), Limits())


def test_a_users_candidate_that_ends_its_process_does_not_end_this_one(mine):
    work = work_of({"a": DummyClassifier(), "mine": mine})
    keys = [key for key in keys_of(work) if key.repetition == key.fold == 0]
    outcomes = {o.key.candidate: o for o in run_trials(work, keys, n_jobs=1)}
    assert outcomes["a"].status == "ok"
    assert outcomes["mine"].status == "crashed"
    assert "exit code 7" in outcomes["mine"].cause
