"""The local runner: every trial once, in workers."""

import json
import os
import time
import warnings
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from polychotomy.study import Ledger, Race, Study
from polychotomy.study.design.dataset import Dataset
from polychotomy.study.design.plan import RepeatedFolds
from polychotomy.study.fitting.user_module import load_module
from polychotomy.study.fitting.work import Work
from polychotomy.study.study import TimeLeft, plan_trials
from polychotomy.study.workers import pool as pool_module
from polychotomy.study.workers.runner import run_trials

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


class Spy(DummyClassifier):
    """Says in what process it is fitted, and with how many threads."""

    def fit(self, X, y):
        from threadpoolctl import threadpool_info

        np.linalg.inv(np.eye(3))
        warnings.warn(
            f"{os.getpid()} {[info['num_threads'] for info in threadpool_info()]}", stacklevel=1
        )
        return super().fit(X, y)


class Jobs(DummyClassifier):
    """Says what it is told of jobs, None of which other packages take for all processors."""

    def __init__(self, n_jobs=None):
        super().__init__()
        self.n_jobs = n_jobs

    def fit(self, X, y):
        warnings.warn(f"{self.n_jobs} jobs", stacklevel=1)
        return super().fit(X, y)


def test_a_fit_has_one_job_unless_it_asks_for_more():
    work = work_of({"none": Jobs(), "in a pipeline": make_pipeline(Jobs()), "two": Jobs(2)})
    said = {o.candidate: o.warnings for o in run_trials(work, keys_of(work))}
    jobs = {"none": 1, "in a pipeline": 1, "two": 2}
    assert said == {name: (f"UserWarning: {count} jobs",) for name, count in jobs.items()}


def test_scikit_learns_own_are_not_told_of_jobs():
    """Some of its learners warn of an ``n_jobs`` that is given, and take None for one."""
    work = work_of({"logistic": make_pipeline(StandardScaler(), LogisticRegression())})
    assert {outcome.warnings for outcome in run_trials(work, keys_of(work))} == {()}


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_no_candidate_is_fitted_in_this_process_or_in_that_of_another(n_jobs):
    work = work_of({"spy": Spy(), "other": Spy()})
    processes = {"spy": set(), "other": set()}
    for outcome in run_trials(work, keys_of(work), n_jobs=n_jobs):
        process, threads = outcome.warnings[0].removeprefix("UserWarning: ").split(" ", 1)
        processes[outcome.candidate].add(int(process))
        assert set(json.loads(threads)) == {1}
    assert os.getpid() not in processes["spy"] | processes["other"]
    assert not processes["spy"] & processes["other"]
    assert len(processes["spy"]) <= n_jobs


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


def test_a_users_candidate_that_ends_its_process_does_not_end_this_one(mine):
    work = work_of({"a": DummyClassifier(), "mine": mine})
    keys = [key for key in keys_of(work) if key.repetition == key.fold == 0]
    outcomes = {o.key.candidate: o for o in run_trials(work, keys, n_jobs=1)}
    assert outcomes["a"].status == "ok"
    assert outcomes["mine"].status == "crashed"
    assert "exit code 7" in outcomes["mine"].cause


def test_workers_stay_from_one_repetition_of_a_race_to_the_next(monkeypatch):
    started = []

    class Counted(pool_module.Worker):
        def __init__(self, unit, *rest):
            started.append(unit.name)
            super().__init__(unit, *rest)

    monkeypatch.setattr(pool_module, "Worker", Counted)
    candidates = {"NB": GaussianNB(), "MAX": DummyClassifier(), "1-NN": KNeighborsClassifier(1)}
    study = Study(candidates, X, y, plan=RepeatedFolds(repetitions=6, folds=5))
    with study.run(race=Race(), n_jobs=2) as ledger:
        assert [stop["candidate"] for stop in ledger.stopped()] == ["MAX"]
    assert set(started) == set(candidates)
    assert len(started) <= 2 * len(candidates)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_candidates_take_turns_where_they_are_told_to(monkeypatch, n_jobs):
    candidates = {name: GaussianNB() for name in ("last", "first", "second")}
    study = Study(candidates, X, y, plan=PLAN)
    time_left = TimeLeft({"first": 0.01, "second": 0.5}, time.monotonic() + 100)
    seen = []
    with study.run() as all_together:
        write = Ledger.record
        monkeypatch.setattr(
            Ledger, "record", lambda own, some: (seen.extend(some), write(own, some))
        )
        ledger = study.run(time_left=time_left, n_jobs=n_jobs)
        one, other = (study.gather(some).probabilities for some in (all_together, ledger))
    in_order = [(rep, name) for rep in (0, 1) for name in ("first", "second", "last")]
    assert list(dict.fromkeys((key.repetition, key.candidate) for key in seen)) == in_order
    assert len(seen) == 18
    np.testing.assert_array_equal(one, other)


class SleepsOnce(GaussianNB):
    """In one fit of all that it is asked for, which nobody could tell from the others before."""

    def __init__(self, path=""):
        super().__init__()
        self.path = path

    def fit(self, X, y):
        if not Path(self.path).exists():
            Path(self.path).touch()
            time.sleep(600)
        return super().fit(X, y)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_fit_that_takes_too_long_waits_for_the_others(monkeypatch, tmp_path, n_jobs):
    """With one worker it held up all, with two it soon held both."""
    sleepy = {f"sleeps {i}": SleepsOnce(str(tmp_path / str(i))) for i in range(n_jobs)}
    study = Study(sleepy | {"quick": GaussianNB()}, X, y, plan=PLAN)
    seen = []
    write = Ledger.record
    monkeypatch.setattr(Ledger, "record", lambda own, some: (seen.extend(some), write(own, some)))
    time_left = TimeLeft(dict.fromkeys(study.candidates, 0.01), time.monotonic() + 4)
    study.run(time_left=time_left, n_jobs=n_jobs).close()
    assert len(seen) == len({one.key for one in seen}) == 6 * len(study.candidates)
    assert {one.status for one in seen} == {"ok"}
    first = [one.candidate for one in seen if one.repetition == 0]
    assert set(first[-3:]) <= set(sleepy)
