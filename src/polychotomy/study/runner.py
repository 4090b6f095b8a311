"""Run trials on this machine: in this process, or in a pool of worker processes."""

from __future__ import annotations

import multiprocessing
import pickle
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from pathlib import Path
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from polychotomy.arrays import Ints
from polychotomy.study.target import Target
from polychotomy.study.trials import Outcome, TrialKey, fail, run_trial
from polychotomy.study.user_module import load_all, loaded_files

_WINDOW = 4  # trials in flight a worker: enough to keep it busy, few to redo after a crash


class Work:
    """All that a worker needs besides a trial's key; sent to each worker once."""

    def __init__(
        self, candidates: dict[str, Any], X: Any, target: Target, folds: Ints, *, seed: int
    ) -> None:
        self.candidates = candidates
        self.X = X
        self.target = target
        self.folds = folds  # (runs, repetitions, n)
        self.seed = seed

    def run(self, key: TrialKey) -> Outcome:
        """Run one trial, with one thread for its linear algebra."""
        with threadpool_limits(limits=1):
            return run_trial(
                key,
                self.candidates[key.candidate],
                self.X,
                self.target,
                self.folds[key.run, key.repetition],
                study_seed=self.seed,
            )


def run_trials(work: Work, keys: Sequence[TrialKey], *, n_jobs: int) -> Iterator[Outcome]:
    """Yield the outcome of every trial, in the order in which they finish."""
    if n_jobs == 1:
        yield from map(work.run, keys)
    else:
        yield from _run_in_pool(work, keys, n_jobs)


def _run_in_pool(work: Work, keys: Sequence[TrialKey], n_jobs: int) -> Iterator[Outcome]:
    from pebble import ProcessPool

    pending: dict[Future[Outcome], TrialKey] = {}
    waiting = iter(keys)
    with ProcessPool(
        max_workers=n_jobs,
        context=multiprocessing.get_context("spawn"),
        initializer=_receive,
        initargs=(loaded_files(), pickle.dumps(work)),
    ) as pool:
        try:
            for key in waiting:
                pending[pool.schedule(_run_received, args=(key,))] = key
                if len(pending) >= _WINDOW * n_jobs:
                    yield from _collect(pending, work)
            while pending:
                yield from _collect(pending, work)
        except BaseException:
            pool.stop()
            raise


def _collect(pending: dict[Future[Outcome], TrialKey], work: Work) -> Iterator[Outcome]:
    """Wait for at least one trial; yield all that have finished."""
    done, _ = wait(pending, return_when=FIRST_COMPLETED)
    for future in done:
        key = pending.pop(future)
        error = future.exception()
        if error is None:
            yield future.result()
        else:
            yield fail(
                key,
                len(work.target.classes),
                status="crashed",
                cause=f"{type(error).__name__}: {error}",
                details="the worker process ended during this fit",
            )


_received: Work | None = None  # of this worker process


def _receive(files: tuple[Path, ...], work: bytes) -> None:
    """Load the user's files first: what was pickled may refer to them."""
    global _received
    load_all(files)
    _received = pickle.loads(work)


def _run_received(key: TrialKey) -> Outcome:
    assert _received is not None, "the pool's initializer runs before any trial"
    return _received.run(key)


def plan_trials(dataset: str, candidates: Sequence[str], folds: Ints) -> list[TrialKey]:
    """List the trials of a study, repetition by repetition, candidates in turn.

    Examples
    --------
    >>> import numpy as np
    >>> plan = plan_trials("iris", ["a", "b"], np.array([[[0, 1, 1, 0]]]))
    >>> [(key.candidate, key.fold) for key in plan]
    [('a', 0), ('a', 1), ('b', 0), ('b', 1)]
    """
    runs, repetitions, _ = folds.shape
    n_folds = int(np.max(folds)) + 1
    return [
        TrialKey(dataset, candidate, run, repetition, fold)
        for run in range(runs)
        for repetition in range(repetitions)
        for candidate in candidates
        for fold in range(n_folds)
    ]
