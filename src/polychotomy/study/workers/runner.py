"""Run trials in worker processes. Ctrl-C once: finish what is running. Twice: stop now."""

from __future__ import annotations

import logging
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import FrameType
from typing import NamedTuple, Protocol

from polychotomy.study.design.trials import Outcome, TrialKey
from polychotomy.study.fitting.limits import Limits
from polychotomy.study.fitting.work import Work
from polychotomy.study.workers.pool import Pool
from polychotomy.study.workers.protocol import pack

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
    Python delivers no signals. Where the signal is ignored, as under ``nohup``, it is not: whoever
    sends one to this very process means it.
    """
    stopping = Stopping()
    with _handling(
        signal.SIGINT, stopping.ask, instead_of=(signal.default_int_handler, signal.SIG_IGN)
    ):
        yield stopping


@contextmanager
def closing_on_terminate() -> Iterator[None]:
    """Turn SIGTERM into ``SystemExit`` in the meantime, so that what is finished is written."""
    with _handling(signal.SIGTERM, _leave, instead_of=(signal.SIG_DFL,)):
        yield


def _leave(number: int, frame: FrameType | None) -> None:
    raise SystemExit(128 + number)


@contextmanager
def _handling(
    number: signal.Signals, handler: _Handler, *, instead_of: tuple[_Handler | int, ...]
) -> Iterator[None]:
    before = signal.getsignal(number)
    ours = threading.current_thread() is threading.main_thread() and before in instead_of
    if ours:
        signal.signal(number, handler)
    try:
        yield
    finally:
        if ours:
            signal.signal(number, before)


_Handler = Callable[[int, FrameType | None], None]

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
        Worker processes that fit at a time. No candidate is ever fitted in this process.
    cluster : address or path, optional
        A Dask scheduler's, or that of its scheduler file; ``n_jobs`` is then not used.
    limits : Limits
        What one trial may take.
    """
    with running(work, n_jobs=n_jobs, cluster=cluster, limits=limits) as run:
        yield from run(keys)


class TimedTrial(NamedTuple):
    """An outcome, and how much of its time went into steps that are shared with others."""

    outcome: Outcome
    preparing: float
    preparation: str | None  # candidates with the same one share it

    @property
    def ok(self) -> bool:
        """Whether it gave predictions."""
        return self.outcome.status == "ok"


def time_trials(
    work: Work, keys: Sequence[TrialKey], *, limits: Limits = _NO_LIMITS
) -> Iterator[TimedTrial]:
    """Run trials one after another, and tell what the shared steps of each have taken."""
    with Pool(pack(work, limits), 1) as pool:
        for outcome in pool.run(keys):
            seconds = pool.preparing_seconds(outcome.dataset, outcome.candidate)
            yield TimedTrial(outcome, seconds, pool.preparation(outcome.candidate))


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
    setup = pack(work, limits)
    if cluster is not None:
        from polychotomy.study.workers.cluster import open_cluster

        with open_cluster(setup, cluster) as cluster_pool:
            yield cluster_pool
    else:
        with Pool(setup, n_jobs) as pool:
            yield pool


class _Runner(Protocol):
    """What runs trials: workers of this machine or of a cluster."""

    def run(
        self, keys: Sequence[TrialKey], *, stopping: Callable[[], bool]
    ) -> Iterator[Outcome]: ...
