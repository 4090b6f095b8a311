"""A pool of worker processes that survives whatever a candidate does to them.

Every worker has pipes of its own: one that dies takes no lock and no other's work with it, and the
driver knows which trial it died of. (A pool with one shared channel, as most are, cannot promise
that: a worker killed while it holds the channel's lock leaves all others waiting.)

- A trial during which its process ends is tried once more, alone, in a fresh process; killed from
  outside (SIGKILL), twice more. What ends that process too is recorded as ``crashed``.
- A trial that runs out of memory is tried once more in the same way: what earlier trials left
  behind in the process may have been the reason.
- A trial over the time limit is ended with its process and recorded as ``timeout``.
- Batch-mates of such a trial wait for another worker; nothing is held against them.
"""

from __future__ import annotations

import queue
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from queue import SimpleQueue
from types import TracebackType
from typing import Any

from polychotomy.core.exceptions import StudyError
from polychotomy.study.design.trials import Outcome, TrialKey, fail, ran_out_of_memory
from polychotomy.study.workers.batching import Backlog, Clocks
from polychotomy.study.workers.processes import Batch, Brood, FitProcess, Gone
from polychotomy.study.workers.worker import Answer, Declined, Refused, Setup

_AHEAD = 2  # batches a worker has: one at hand, one so that it need not wait for the driver

_TICK = 0.1  # seconds between looks at clocks and at Ctrl-C

_FALSE_STARTS = 3  # workers that may end before they have begun


class Pool:
    """Worker processes for the trials of one work.

    Parameters
    ----------
    setup : Setup
        What every worker gets once.
    n_jobs : int
        Workers. They are started when the first trials come.
    """

    def __init__(self, setup: Setup, n_jobs: int) -> None:
        self._setup, self._n_jobs = setup, n_jobs
        self._workers: list[FitProcess] = []
        self._events: SimpleQueue[Any] = SimpleQueue()
        self._deaths: Counter[TrialKey] = Counter()
        self._clocks: Clocks = {}
        self._false_starts = 0
        self._brood: Brood | None = None
        self._copies = sys.platform == "linux"

    def __enter__(self) -> Pool:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close(now=kind is not None)

    def close(self, *, now: bool = False) -> None:
        """End all workers; ``now``: in the middle of a fit."""
        for worker in self._workers:
            if now or worker.batches:
                worker.kill()
            worker.close()
        self._workers = []
        if self._brood is not None:
            self._brood.close()
            self._brood = None

    def run(
        self, keys: Sequence[TrialKey], *, stopping: Callable[[], bool] = bool
    ) -> Iterator[Outcome]:
        """Yield the outcome of every trial as it comes; after ``stopping``, of those running."""
        backlog = Backlog(keys, n_workers=self._n_jobs, clocks=self._clocks)
        while len(self._workers) < min(self._n_jobs, len(keys)):
            self._workers.append(self._start())
        self._feed(backlog, stopping())
        while any(worker.batches for worker in self._workers):
            outcomes = self._wait(backlog)
            if self._events.empty():  # else an answer may be there already
                self._kill_overdue()
            self._feed(backlog, stopping())
            yield from outcomes  # last: recording them takes its time

    def _start(self) -> FitProcess:
        """Start a worker, as a copy of a process that has loaded everything where that can be."""
        if self._copies and (self._brood is None or not self._brood.alive):
            self._brood = Brood(self._setup, self._events)
        return FitProcess(self._setup, self._events, self._brood if self._copies else None)

    def _wait(self, backlog: Backlog) -> list[Outcome]:
        """Wait a moment for something to happen; return the outcomes that it brings."""
        try:
            worker, message = self._events.get(timeout=_TICK)
        except queue.Empty:
            return []
        return list(self._handle(worker, message, backlog))

    def _feed(self, backlog: Backlog, stopping: bool) -> None:
        """Give every worker something to do, or tell all to come to an end."""
        for worker in self._workers:
            worker.board.stop = stopping
            while not stopping and worker.has_room(_AHEAD):
                keys = backlog.take()
                if not keys:
                    return
                worker.give(Batch(keys))

    def _handle(
        self, worker: FitProcess | None, message: Any, backlog: Backlog
    ) -> Iterator[Outcome]:
        if isinstance(message, Refused):
            raise StudyError(
                f"a worker process cannot load the candidates and the data: {message.reason}. "
                "Expected classes and functions that can be imported there."
            )
        if isinstance(message, Declined):
            self._copies = False
        if worker is None or worker not in self._workers:
            return  # it has been replaced; all it had was given to others
        if isinstance(message, Answer):
            yield from self._take_answer(worker, message.outcomes, backlog)
        elif isinstance(message, Gone):
            yield from self._bury(worker, message, backlog)
        else:
            worker.ready = True
            self._false_starts = 0

    def _take_answer(
        self, worker: FitProcess, outcomes: list[Outcome], backlog: Backlog
    ) -> Iterator[Outcome]:
        batch = worker.batches.popleft()
        worker.answered += len(outcomes)
        backlog.put_back(batch.keys[len(outcomes) :])
        if outcomes and ran_out_of_memory(outcomes[-1]):
            backlog.put_back(worker.in_flight())
            worker.kill()
            self._replace(worker, retry=None if batch.alone else outcomes.pop().key)
        backlog.learn_from(outcomes)
        yield from map(self._within_limits, outcomes)

    def _within_limits(self, outcome: Outcome) -> Outcome:
        """Name the limit where one has ended a trial."""
        if ran_out_of_memory(outcome):
            return outcome._replace(cause=f"{outcome.cause}{self._name_memory()}")
        return self._in_time(outcome)

    def _name_memory(self) -> str:
        memory = self._setup.limits.memory
        return "" if memory is None else f" (the memory limit is {memory / 2**30:.3g} GiB a fit)"

    def _in_time(self, outcome: Outcome) -> Outcome:
        """Hold what has finished to the time limit as well."""
        limit = self._setup.limits.seconds
        if limit is None or outcome.seconds <= limit:
            return outcome
        return _timeout(outcome.key, outcome.n_classes, limit)

    def _bury(self, worker: FitProcess, gone: Gone, backlog: Backlog) -> Iterator[Outcome]:
        """Give away what a dead worker had; judge the trial that it died of."""
        if not worker.ready and worker.is_copy == self._copies:
            self._count_false_start(gone)
        victim = worker.running()
        backlog.put_back(key for key in worker.in_flight() if key != victim)
        if victim is None:
            self._replace(worker)
            return
        self._deaths[victim] += 1
        if worker.timed_out or self._deaths[victim] > _retries(gone):
            self._replace(worker)
            yield self._judge(worker, victim, gone)
        else:
            self._replace(worker, retry=victim)

    def _judge(self, worker: FitProcess, key: TrialKey, gone: Gone) -> Outcome:
        n_classes = self._setup.n_classes[key.dataset]
        limit = self._setup.limits.seconds
        if worker.timed_out and limit is not None:
            return _timeout(key, n_classes, limit)
        return fail(
            key,
            n_classes,
            status="crashed",
            cause=f"{gone}{self._name_memory()}",
            details=f"tried {self._deaths[key]} times, the last time alone in a fresh process",
        )

    def _replace(self, worker: FitProcess, *, retry: TrialKey | None = None) -> None:
        """Put a fresh worker in the place of another, and let it begin with a trial to retry."""
        worker.batches.clear()
        fresh = self._start()
        self._workers[self._workers.index(worker)] = fresh
        if retry is not None:
            fresh.give(Batch([retry], alone=True))

    def _count_false_start(self, gone: Gone) -> None:
        self._false_starts += 1
        if self._false_starts >= _FALSE_STARTS:
            raise StudyError(
                f"{self._false_starts} worker processes ended before they had begun: the last one, "
                f"{gone}. What they said is on standard error; expected a Python that can import "
                "polychotomy and enough memory for the data in every worker."
            )

    def _kill_overdue(self) -> None:
        limit = self._setup.limits.seconds
        for worker in self._workers:
            if limit is not None and worker.overdue(limit) and not worker.timed_out:
                worker.timed_out = True
                worker.kill()


def _retries(gone: Gone) -> int:
    return 2 if gone.returncode == -9 else 1


def _timeout(key: TrialKey, n_classes: int, seconds: float) -> Outcome:
    return fail(
        key,
        n_classes,
        status="timeout",
        cause=f"it was not done within the time limit of {seconds:g} second{'s' * (seconds != 1)}",
        details="the worker process was ended",
        seconds=seconds,
    )
