"""Ctrl-C once: finish what is running. Twice: stop now."""

from __future__ import annotations

import logging
import pickle
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import FrameType
from typing import Protocol

from polychotomy.study.design.trials import Outcome, TrialKey
from polychotomy.study.fitting.limits import Limits
from polychotomy.study.fitting.user_module import is_users_own
from polychotomy.study.fitting.work import Work
from polychotomy.study.fitting.workbench import Workbench
from polychotomy.study.workers.batching import sorted_by_training_set
from polychotomy.study.workers.pool import Pool
from polychotomy.study.workers.worker import pack

_log = logging.getLogger("polychotomy.study")


class Stopping:
    """Whether the user has asked to stop.

    Examples
    --------
    >>> stopping = Stopping()
    >>> bool(stopping)
    False
    """

    def __init__(self) -> None:
        self.asked = False

    def __bool__(self) -> bool:
        return self.asked

    def ask(self, number: int, frame: FrameType | None) -> None:
        """Answer a signal: note the first, raise at the second."""
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True
        _log.warning("finishing the fits that are running; Ctrl-C again stops now")


@contextmanager
def stopping_on_interrupt() -> Iterator[Stopping]:
    """Take over Ctrl-C in the meantime, where it is ours to take.

    Left alone are the handler of a program that has one of its own, and threads, to which
    Python delivers no signals.
    """
    stopping = Stopping()
    ours = (
        threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    )
    if ours:
        signal.signal(signal.SIGINT, stopping.ask)
    try:
        yield stopping
    finally:
        if ours:
            signal.signal(signal.SIGINT, signal.default_int_handler)


_NO_LIMITS = Limits()


RunTrials = Callable[[Sequence[TrialKey]], Iterator[Outcome]]
"""Runs some trials and yields their outcomes as they come."""


def run_trials(
    work: Work,
    keys: Sequence[TrialKey],
    *,
    n_jobs: int = 1,
    cluster: str | Path | None = None,
    limits: Limits = _NO_LIMITS,
) -> Iterator[Outcome]:
    """Yield the outcome of every trial, in the order in which they finish.

    Ctrl-C once lets the trials that are running finish and be yielded, then raises
    ``KeyboardInterrupt``; twice raises it at once.

    Parameters
    ----------
    n_jobs : int
        Worker processes. One job is done in this process, unless something must be kept out of
        it: see :func:`needs_process`.
    cluster : address or path, optional
        A Dask scheduler's, or that of its scheduler file; ``n_jobs`` is then not used.
    limits : Limits
        What one trial may take.
    """
    with running(work, n_jobs=n_jobs, cluster=cluster, limits=limits) as run:
        yield from run(keys)


@contextmanager
def running(
    work: Work,
    *,
    n_jobs: int = 1,
    cluster: str | Path | None = None,
    limits: Limits = _NO_LIMITS,
) -> Iterator[RunTrials]:
    """Give a function that runs trials and keeps its workers from one call to the next.

    Parameters as in :func:`run_trials`. Workers are started by the first trials.
    """
    with stopping_on_interrupt() as stopping, ExitStack() as held:
        pools: list[_Runner] = []

        def run(keys: Sequence[TrialKey]) -> Iterator[Outcome]:
            if not keys:
                return
            if not pools:
                pools.append(held.enter_context(_open(work, n_jobs, cluster, limits)))
            yield from pools[0].run(keys, stopping=stopping.__bool__)
            if stopping:
                raise KeyboardInterrupt

        yield run


@contextmanager
def _open(work: Work, n_jobs: int, cluster: str | Path | None, limits: Limits) -> Iterator[_Runner]:
    if cluster is not None:
        from polychotomy.study.workers.cluster import open_cluster

        with open_cluster(work, cluster, limits) as cluster_pool:
            yield cluster_pool
    elif n_jobs > 1 or needs_process(work, limits):
        with Pool(pack(work, limits), n_jobs) as pool:
            yield pool
    else:
        with Workbench(work) as bench:
            yield _Here(bench)


class _Runner(Protocol):
    """What runs trials: workers of this machine or of a cluster, or this process."""

    def run(
        self, keys: Sequence[TrialKey], *, stopping: Callable[[], bool]
    ) -> Iterator[Outcome]: ...


class _Here:
    """Runs trials in the process at hand."""

    def __init__(self, bench: Workbench) -> None:
        self._bench = bench

    def run(self, keys: Sequence[TrialKey], *, stopping: Callable[[], bool]) -> Iterator[Outcome]:
        for key in sorted_by_training_set(keys):
            if stopping():
                return
            yield self._bench.run(key)


def needs_process(work: Work, limits: Limits) -> bool:
    """Say whether even a single job needs a process of its own.

    It does where a limit is set, since nothing can stop a fit from within, and for candidates from
    a file of the user's, which might end the process; the latter only if all candidates can be
    sent to another process.
    """
    if limits:
        return True
    return any(map(is_users_own, work.candidates.values())) and _can_be_sent(work)


def _can_be_sent(work: Work) -> bool:
    try:
        pickle.dumps(dict(work.candidates))
    except Exception:  # pickle raises whatever the object's own methods do
        return False
    return True
