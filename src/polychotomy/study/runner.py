"""Run trials: in this process, in worker processes of this machine, or on a cluster."""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Sequence
from pathlib import Path

from polychotomy.study.batching import sorted_by_training_set
from polychotomy.study.interrupt import Stopping, stopping_on_interrupt
from polychotomy.study.limits import Limits
from polychotomy.study.pool import Pool
from polychotomy.study.trials import Outcome, TrialKey
from polychotomy.study.user_module import is_users_own
from polychotomy.study.work import Work
from polychotomy.study.workbench import Workbench
from polychotomy.study.worker import pack

_NO_LIMITS = Limits()


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
    with stopping_on_interrupt() as stopping:
        if not keys:
            return
        if cluster is not None:
            from polychotomy.study.cluster import run_on_cluster

            yield from run_on_cluster(work, keys, cluster, limits, stopping=stopping.__bool__)
        elif n_jobs > 1 or needs_process(work, limits):
            with Pool(pack(work, limits), n_jobs) as pool:
                yield from pool.run(keys, stopping=stopping.__bool__)
        else:
            yield from _run_here(work, keys, stopping)
        if stopping:
            raise KeyboardInterrupt


def _run_here(work: Work, keys: Sequence[TrialKey], stopping: Stopping) -> Iterator[Outcome]:
    with Workbench(work) as bench:
        for key in sorted_by_training_set(keys):
            if stopping:
                return
            yield bench.run(key)


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
