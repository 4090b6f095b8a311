"""Run trials on this machine: in this process, or in a pool of worker processes."""

from __future__ import annotations

import multiprocessing
import pickle
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from pathlib import Path

from threadpoolctl import threadpool_limits

from polychotomy.study.trials import Outcome, TrialKey, fail
from polychotomy.study.user_module import load_all, loaded_files
from polychotomy.study.work import Work

_WINDOW = 4  # trials in flight a worker: enough to keep it busy, few to redo after a crash


def run_trials(work: Work, keys: Iterable[TrialKey], *, n_jobs: int) -> Iterator[Outcome]:
    """Yield the outcome of every trial, in the order in which they finish."""
    if n_jobs == 1:
        yield from _run_here(work, keys)
    else:
        yield from _run_in_pool(work, keys, n_jobs)


def _run_here(work: Work, keys: Iterable[TrialKey]) -> Iterator[Outcome]:
    for key in keys:
        with threadpool_limits(limits=1):
            outcome = work.run(key)
        yield outcome


def _run_in_pool(work: Work, keys: Iterable[TrialKey], n_jobs: int) -> Iterator[Outcome]:
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
                work.n_classes(key),
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
    with threadpool_limits(limits=1):
        return _received.run(key)
