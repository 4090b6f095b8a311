"""Speed of ``polychotomy.study`` beside what users would write or call instead.

    python benchmarks/speed_study.py [--quick]

Set OMP_NUM_THREADS=1. Rows:

- YA06's five learners on iris, runs of 5×2 cross-validation, one worker, against a loop over
  ``cross_val_score``. Ours keeps labels and probabilities of every sample in a ledger, theirs keeps
  an accuracy for each fold. Once as they are built in, with the steps that make numbers of any
  table, which are shared; and once with a scaler only. A part of the runs is timed, on both sides.
- The second kind beside its floor: every scaler fitted once, every learner fitted once and asked
  once, scikit-learn's own checks switched off as far as it lets one, and nothing else: no seeds, no
  failures caught, nothing recorded. What is left of the second row's distance to its target is in
  there, in scikit-learn's validation of every array in every call, which has no switch.
- What the engine costs beside the fits themselves, with fits of one millisecond and two workers:
  ours (hand-over, fit, ledger on disk) and joblib's loky with its automatic batches.
- The same on a Dask cluster of two workers, against ``client.map`` over the same fits unbatched.

A fit of the last two kinds spends a millisecond of processor time, whoever else wants it. Overhead
is wall time × workers − that, over all fits. Start-up is before the clock on both sides: workers,
and what is to be done (splits here, index arrays there).
"""

from __future__ import annotations

import argparse
import atexit
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from functools import cache
from pathlib import Path

import numpy as np
from sklearn import config_context
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from polychotomy.learners import NearestMeanClassifier, PrunedTreeClassifier
from polychotomy.study import Ledger, RepeatedFolds, Study
from polychotomy.study.design.candidates import choose
from polychotomy.study.fitting.limits import Limits
from polychotomy.study.progress import Progress, record
from polychotomy.study.study import plan_trials
from polychotomy.study.workers.cluster import Cluster, ClusterPool
from polychotomy.study.workers.pool import Pool
from polychotomy.study.workers.protocol import Setup, pack
from side_by_side import Row, machine, markdown, measure

_held = ExitStack()  # pools and processes that live as long as this one
atexit.register(_held.close)

X, y = load_iris(return_X_y=True)
TRIAL_SECONDS = 1e-3
WORKERS = 2
RUNS = 12  # ledgers begun before the clock: two rows, each run once unmeasured and five times


class Busy(ClassifierMixin, BaseEstimator):
    """Does nothing useful for a given time."""

    def __init__(self, seconds: float = TRIAL_SECONDS) -> None:
        self.seconds = seconds

    def fit(self, X: np.ndarray, y: np.ndarray) -> Busy:
        end = time.thread_time() + self.seconds
        while time.thread_time() < end:
            pass
        self.classes_ = np.arange(3)
        return self

    def predict(self, X: np.ndarray) -> np.ndarray:
        return np.zeros(len(X), dtype=int)


def scaled_learners() -> dict[str, BaseEstimator]:
    """YA06's learners for tables of numbers: nothing but a scaler before them."""
    learners = {
        "nearest mean": NearestMeanClassifier(),
        "logistic": LogisticRegression(max_iter=1000),
        "pruned tree": PrunedTreeClassifier(),
        "1-NN": KNeighborsClassifier(1),
    }
    scaled = {name: make_pipeline(StandardScaler(), one) for name, one in learners.items()}
    return {"MAX": DummyClassifier(), **scaled}


def built_in_learners() -> dict[str, BaseEstimator]:
    """YA06's learners as ``judge`` has them, for tables of any kind."""
    return choose(["MAX", "nearest mean", "logistic", "pruned tree", "1-NN"])


def rows(quick: bool) -> list[Row]:
    runs = 1 if quick else 40
    return [
        _runs_row("the built-in 5", built_in_learners, runs),
        _runs_row("5 with a scaler only", scaled_learners, runs),
        _floor_row(runs),
        *_overhead_rows(400 if quick else 4000),
        _cluster_row(400 if quick else 4000, part=1 if quick else 4),
    ]


def _runs_row(name: str, learners: Callable[[], dict[str, BaseEstimator]], runs: int) -> Row:
    part = max(1, runs // 10)  # the loop does 1/part of the runs
    return Row(
        f"YA06's learners on iris ({name}), 200 runs of 5×2 cv, {runs} of them timed, 1 worker",
        "loop over cross_val_score",
        lambda: _run_study(learners(), runs),
        lambda: _loop(learners(), runs // part),
        3.0,
        scale=part,
    )


def _floor_row(runs: int) -> Row:
    return Row(
        f"the same (5 with a scaler only), {runs} runs",
        "the calls of fit and predict_proba alone",
        lambda: _run_study(scaled_learners(), runs),
        lambda: _floor(scaled_learners(), runs),
        None,
    )


def _run_study(learners: dict[str, BaseEstimator], runs: int) -> None:
    Study(learners, X, y, plan=RepeatedFolds(runs=runs)).run().close()


def _floor(learners: dict[str, BaseEstimator], runs: int) -> None:
    """Fit and ask every learner, as bare as public calls can be."""
    with config_context(assume_finite=True, skip_parameter_validation=True):
        for run in range(5 * runs):
            for train, test in StratifiedKFold(2, shuffle=True, random_state=run).split(X, y):
                scaler = StandardScaler().fit(X[train])
                scaled, left_out = scaler.transform(X[train]), scaler.transform(X[test])
                for name, learner in learners.items():
                    model = clone(learner if name == "MAX" else learner[-1])
                    model.fit(scaled, y[train]).predict_proba(left_out)


def _loop(learners: dict[str, BaseEstimator], runs: int) -> None:
    for run in range(runs):
        for repetition in range(5):
            split = StratifiedKFold(2, shuffle=True, random_state=100 * run + repetition)
            for learner in learners.values():
                cross_val_score(learner, X, y, cv=split)


def _study(trials: int) -> Study:
    return Study({"busy": Busy()}, X, y, plan=RepeatedFolds(runs=trials // 10))


def _overhead_rows(trials: int) -> list[Row]:
    ideal = trials * TRIAL_SECONDS / WORKERS
    fits = f"{trials} fits of 1 ms, {WORKERS} workers"
    return [
        Row(
            f"overhead of {fits}",
            "joblib, loky, automatic batches",
            lambda: _our_pool(trials)(),
            lambda: _joblib(trials)(),
            1 / 1.5,
            ideal=ideal,
        ),
        Row(
            f"all of {fits}",
            "the fits alone",
            lambda: _our_pool(trials)(),
            lambda: time.sleep(ideal),
            0.9,
        ),
    ]


def _cluster_row(trials: int, part: int) -> Row:
    return Row(
        f"overhead of {trials} fits of 1 ms, {WORKERS} workers of a Dask cluster",
        "dask client.map, unbatched",
        lambda: _our_cluster(trials)(),
        lambda: _dask_map(trials // part)(),
        10.0,
        scale=part,
        ideal=trials * TRIAL_SECONDS / WORKERS,
    )


@cache
def _our_pool(trials: int) -> Callable[[], None]:
    return _recorded(trials, lambda setup: _held.enter_context(Pool(setup, WORKERS)))


@cache
def _our_cluster(trials: int) -> Callable[[], None]:
    cluster = _held.enter_context(Cluster(_dask_cluster()))
    return _recorded(trials, lambda setup: _held.enter_context(ClusterPool(cluster, setup)))


def _recorded(trials: int, make: Callable[[Setup], Pool | ClusterPool]) -> Callable[[], None]:
    """Start workers; return what fits everything into a new study file with them."""
    study = _study(trials)
    work = study.work()
    keys = list(plan_trials(work.datasets, work.candidates, work.plans))
    pool = make(pack(work, Limits()))
    list(pool.run(keys[: 4 * WORKERS]))
    folder = Path(_held.enter_context(tempfile.TemporaryDirectory()))
    ledgers = [_held.enter_context(Ledger(folder / f"study {i}")) for i in range(RUNS)]
    for ledger in ledgers:
        study.begin(ledger)

    def run() -> None:
        with ledgers.pop() as ledger:
            record(ledger, pool.run(keys), Progress(done=0, planned=len(keys)), _nothing)

    return run


def _nothing(now: Progress) -> None:
    pass


def _fit_once(train: np.ndarray, test: np.ndarray) -> tuple[np.ndarray, float]:
    start = time.perf_counter()
    predicted = Busy().fit(X[train], y[train]).predict(X[test])
    return predicted, time.perf_counter() - start


def _tasks(trials: int) -> list[tuple[np.ndarray, np.ndarray]]:
    folds = StratifiedKFold(2).split(X, y)
    return list(folds) * (trials // 2)


@cache
def _joblib(trials: int) -> Callable[[], object]:
    from joblib import Parallel, delayed

    tasks = _tasks(trials)
    parallel = _held.enter_context(Parallel(n_jobs=WORKERS, batch_size="auto"))
    parallel(delayed(_fit_once)(*task) for task in tasks[: 4 * WORKERS])
    return lambda: parallel(delayed(_fit_once)(*task) for task in tasks)


@cache
def _dask_map(trials: int) -> Callable[[], object]:
    client = _held.enter_context(Cluster(_dask_cluster())).client
    tasks = _tasks(trials)
    client.gather(client.map(_fit_once, *zip(*tasks[: 4 * WORKERS], strict=True), pure=False))
    return lambda: client.gather(client.map(_fit_once, *zip(*tasks, strict=True), pure=False))


@cache
def _dask_cluster() -> Path:
    """Start a scheduler and workers of one thread each, as processes of their own."""
    folder = _held.enter_context(tempfile.TemporaryDirectory())
    file = Path(folder, "scheduler.json")
    search = os.pathsep.join([str(Path(__file__).parent), *filter(None, sys.path)])

    def start(*arguments: str) -> None:
        process = subprocess.Popen(
            [sys.executable, "-m", "dask", *arguments, "--scheduler-file", str(file)],
            env=os.environ | {"PYTHONPATH": search},
            stderr=subprocess.DEVNULL,
        )
        _held.callback(process.wait)
        _held.callback(process.kill)

    start("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
    while not file.exists():
        time.sleep(0.1)
    for number in range(WORKERS):
        start("worker", "--nthreads", "1", "--no-dashboard", "--no-nanny", "--death-timeout", "60",
              "--local-directory", str(Path(folder, str(number))))  # fmt: skip
    with Cluster(file) as cluster:
        cluster.client.wait_for_workers(WORKERS)
    return file


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true")
    arguments = parser.parse_args()
    measured = [measure(row) for row in rows(arguments.quick)]
    print(machine(), "\n", markdown(measured), sep="\n")


if __name__ == "__main__":
    main()
