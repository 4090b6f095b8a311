"""Run trials in worker processes. Ctrl-C once: finish what is running. Twice: stop now."""

from __future__ import annotations

import logging
import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from types import FrameType
from typing import Any, NamedTuple

from polychotomy.study.design.trials import Outcome, TrialKey
from polychotomy.study.fitting.limits import Limits
from polychotomy.study.fitting.work import Work
from polychotomy.study.workers.cluster import Cluster, ClusterPool
from polychotomy.study.workers.pool import Patience, Pool
from polychotomy.study.workers.protocol import pack, require_picklable

_log = logging.getLogger("polychotomy.study")


@contextmanager
def stopping_on_interrupt() -> Iterator[Callable[[], bool]]:
    """Take over Ctrl-C in the meantime, where it is ours to take; tell whether to stop.

    Left alone are the handler of a program that has one of its own, and threads, to which
    Python delivers no signals. Where the signal is ignored, as under ``nohup``, it is not: whoever
    sends one to this very process means it.
    """
    asked: list[int] = []

    def ask(number: int, frame: FrameType | None) -> None:
        if asked:
            raise KeyboardInterrupt
        asked.append(number)
        _log.warning("stopping when the fits that are running have ended; Ctrl-C stops now")

    with _handling(signal.SIGINT, ask, instead_of=(signal.default_int_handler, signal.SIG_IGN)):
        yield lambda: bool(asked)


def closing_on_terminate() -> AbstractContextManager[None]:
    """Turn SIGTERM into ``SystemExit`` in the meantime, so that what is finished is written."""
    return _handling(signal.SIGTERM, _leave, instead_of=(signal.SIG_DFL,))


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


# Runs some trials, with some patience, and yields their outcomes as they come, None whenever there
# may be a while.
RunTrials = Callable[[Sequence[TrialKey], Patience], Iterator[Outcome | None]]


def run_trials(work: Work, keys: Sequence[TrialKey], **how: Any) -> Iterator[Outcome]:
    """Yield the outcome of every trial, in the order in which they finish.

    Parameters as in :func:`running`.
    """
    with running(work, **how) as run:
        yield from filter(None, run(keys, Patience()))


class TimedTrial(NamedTuple):
    """An outcome, and how much of its time went into steps that are shared with others."""

    outcome: Outcome
    preparing: float
    own: float  # seconds, of the learner and the steps that are its alone
    preparation: str | None  # candidates with the same one share it


def time_trials(
    work: Work, rounds: Iterable[Sequence[TrialKey]], limits: Limits, **how: float
) -> Iterator[TimedTrial]:
    """Run trials one after another, and tell what the shared steps of each have taken.

    A candidate that is stopped by the time limit is not tried again in later rounds. ``how`` goes
    to :class:`Pool`.
    """
    require_picklable(work.candidates)
    setup, stopped = pack(work, limits), set[str]()
    with Pool(setup, 1, **how) as pool:
        for keys in rounds:
            going_on = [key for key in keys if key.candidate not in stopped]
            for outcome in filter(None, pool.run(going_on)):
                stopped |= {outcome.candidate} if outcome.status == "timeout" else set()
                seconds = pool.preparing_seconds(outcome.dataset, outcome.candidate)
                own = max(outcome.seconds - seconds, 0.0)
                yield TimedTrial(outcome, seconds, own, setup.units[outcome.candidate].parent)


@contextmanager
def running(
    work: Work, *, n_jobs: int = 1, cluster: Cluster | None = None, limits: Limits = _NO_LIMITS
) -> Iterator[RunTrials]:
    """Give a function that runs trials and keeps its workers from one call to the next.

    Workers are started by the first trials. Ctrl-C once lets the trials that are running finish and
    be yielded, then raises ``KeyboardInterrupt``; twice raises it at once.

    Parameters
    ----------
    n_jobs : int
        Worker processes that fit at a time. No candidate is ever fitted in this process.
    cluster : Cluster, optional
        Whose workers to use instead; ``n_jobs`` is then not used.
    limits : Limits
        What one trial may take.
    """
    with stopping_on_interrupt() as stopping, ExitStack() as held:
        pool: Any = None

        def run(keys: Sequence[TrialKey], patience: Patience) -> Iterator[Outcome | None]:
            nonlocal pool
            if not keys:
                return
            if pool is None:
                setup = pack(work, limits)
                opened = Pool(setup, n_jobs) if cluster is None else ClusterPool(cluster, setup)
                pool = held.enter_context(opened)
            yield from pool.run(keys, stopping=stopping, patience=patience)
            if stopping():
                raise KeyboardInterrupt

        yield run
