"""A pool of worker processes that survives whatever a candidate does to them.

Every process serves one candidate, so that nothing passes from one to another: no patched class, no
changed setting, no memory that was not given back. Every worker has pipes of its own: one that dies
takes no lock and no other's work with it, and the driver knows which trial it died of. (A pool with
one shared channel, as most are, cannot promise that: a worker killed while it holds the channel's
lock leaves all others waiting.)

- A trial during which its process ends is tried once more, alone, in a fresh process; killed from
  outside (SIGKILL), twice more, with nobody beside it. What ends that process too is recorded as
  ``crashed``.
- A trial that runs out of memory is tried once more in the same way: what earlier trials left
  behind in the process may have been the reason.
- A trial over the time limit is ended with its process and recorded as ``timeout``.
- Batch-mates of such a trial wait for another worker; nothing is held against them.
- Steps that candidates share are fitted in processes of their own, before the candidates. Where
  that fails, candidates fit these steps themselves.
"""

from __future__ import annotations

import queue
import sys
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from polychotomy.core.exceptions import StudyError
from polychotomy.study.design.trials import (
    Outcome,
    Status,
    TrialKey,
    believe,
    fail,
    ran_out_of_memory,
    training_set,
)
from polychotomy.study.fitting.causes import writable
from polychotomy.study.workers.batching import Backlog, Clocks, sorted_by_training_set
from polychotomy.study.workers.processes import (
    Batch,
    Gone,
    Programs,
    ServerLost,
    StudyServer,
    Worker,
)
from polychotomy.study.workers.protocol import Answer, Refused, Setup, Unit, cannot_load
from polychotomy.study.workers.server import NoFork
from polychotomy.study.workers.worker import table_path

_TICK = 0.1  # seconds between looks at clocks and at Ctrl-C

_FALSE_STARTS = 3  # processes that may end before they have begun

_LOADING = 30.0  # seconds that loading may take beyond the time limit of a fit

_IDLE = 16  # workers that may wait for more of their candidate's trials

_WORTH_KEEPING = 20  # a worker waits if its fits do not take so many times its start

_TABLE_BYTES = 256 * 2**20  # of prepared tables at a time


@dataclass(frozen=True)
class Patience:
    """How long a fit of each candidate may take while others wait, in seconds.

    One that takes longer is ended, and not recorded: it is ``put_off``, with all of its candidate.
    """

    seconds: Mapping[str, float] = field(default_factory=dict)
    put_off: list[TrialKey] = field(default_factory=list)


class Pool(AbstractContextManager["Pool"]):
    """Worker processes for the trials of one work.

    Parameters
    ----------
    setup : Setup
        What workers get.
    n_jobs : int
        Workers that fit at a time. They are started when the first trials come.
    loading : float
        Seconds that loading may take beyond the time limit of a fit.
    """

    def __init__(self, setup: Setup, n_jobs: int, *, loading: float = _LOADING) -> None:
        self._setup, self._n_jobs, self._loading = setup, n_jobs, loading
        self._patience = Patience()
        self._workers: list[Worker] = []
        self._events: SimpleQueue[tuple[Worker, Any]] = SimpleQueue()
        self._deaths: Counter[TrialKey] = Counter()
        self._retries: deque[TrialKey] = deque()
        self._killed: set[TrialKey] = set()  # from outside: perhaps by a neighbour
        self._clocks: Clocks = {}
        self._false_starts: Counter[str] = Counter()
        self._source: StudyServer | Programs | None = None
        self._forks, self._stopping = sys.platform == "linux", False
        self._backlog = Backlog((), n_workers=n_jobs)
        self._tables = _Tables(setup.units, (), Path(), n_jobs)

    def __exit__(self, *raised: object) -> None:
        self.close()

    def close(self) -> None:
        """End all workers, in the middle of a fit if need be, and whatever they have started."""
        for worker in self._workers:
            if worker.batches:
                worker.kill()
            worker.close()
        self._workers = []
        if self._source is not None:
            self._source.close()
            self._source = None

    def run(
        self,
        keys: Sequence[TrialKey],
        *,
        stopping: Callable[[], bool] = bool,
        patience: Patience | None = None,
    ) -> Iterator[Outcome | None]:
        """Yield the outcome of every trial as it comes; after ``stopping``, of those running.

        None comes whenever there may be a while before the next one.
        """
        if not keys:
            return
        self._patience = patience or Patience()
        ordered = sorted_by_training_set(keys)
        folder = self._open_source().folder
        self._tables = _Tables(self._setup.units, ordered, folder, self._n_jobs)
        self._backlog = Backlog(
            [*self._tables.to_make, *ordered], n_workers=self._n_jobs, clocks=self._clocks
        )
        self._feed(stopping())
        while any(worker.batches for worker in self._workers):
            outcomes = list(self._wait())
            for outcome in outcomes:
                self._tables.release(outcome.key)
            if self._events.empty():  # else an answer may be there already
                self._kill_overdue()
            self._feed(stopping())
            yield from (*outcomes, None)  # last: recording them takes its time
        assert stopping() or not len(self._backlog), "every trial is given to somebody"
        self._retries.clear()  # those of a run that was stopped

    def preparing_seconds(self, dataset: str, candidate: str) -> float:
        """Return the seconds that it took to prepare a training set for a candidate."""
        unit, total = self._setup.units[candidate], 0.0
        while unit.parent is not None:
            total += self._clocks.get((dataset, unit.parent), 0.0)
            unit = self._setup.units[unit.parent]
        return total

    def _open_source(self) -> StudyServer | Programs:
        """Return what to get workers from, started if it is not there."""
        attempts = 0
        while self._source is None or not self._source.alive:
            attempts += 1
            try:
                self._source = StudyServer(self._setup) if self._forks else Programs(self._setup)
            except ServerLost as error:
                if attempts == _FALSE_STARTS:
                    raise _cannot_start(attempts, str(error)) from error
            except NoFork:
                self._forks = False
        return self._source

    def _start(self, unit: Unit) -> Worker:
        idle = [worker for worker in self._workers if not worker.batches]
        if len(idle) >= _IDLE:
            self._let_go(min(idle, key=lambda worker: worker.used))
        worker = Worker(unit, self._events, self._open_source())
        self._workers.append(worker)
        return worker

    def _let_go(self, worker: Worker) -> None:
        self._workers.remove(worker)
        worker.close()

    def _feed(self, stopping: bool) -> None:
        """Give work to as many workers as may work."""
        self._stopping = stopping
        if stopping:
            for worker in self._workers:
                worker.board.stop()
            return
        ready = self._tables.ready
        working = [worker for worker in self._workers if worker.batches]
        if any(batch.keys[0] in self._killed for one in working for batch in one.batches):
            return  # nobody runs beside it
        busy = len(working)
        while busy < self._n_jobs:
            if self._retries:
                if self._retries[0] in self._killed and busy:
                    return
                key = self._retries.popleft()
                batch = Batch([key], alone=True)
                worker = self._start(self._setup.units[key.candidate])
            else:
                batch = Batch(self._backlog.take(ready=ready))
                if not batch.keys:
                    break
                worker = self._find(batch.keys[0].candidate)
            worker.give(batch)
            if batch.keys[0] in self._killed:
                return
            busy += 1
        for worker in self._workers:
            if len(worker.batches) == 1 and not worker.batches[0].alone:
                following = self._backlog.next_queue(ready)
                if following == worker.unit.name:
                    worker.give(Batch(self._backlog.take(following, ready)))

    def _find(self, name: str) -> Worker:
        """Return a worker of a unit that has nothing to do, or a new one."""
        idle = (one for one in self._workers if one.unit.name == name and not one.batches)
        return next(idle, None) or self._start(self._setup.units[name])

    def _wait(self) -> Iterator[Outcome]:
        """Wait a moment for something to happen; yield the outcomes that it brings."""
        try:
            worker, message = self._events.get(timeout=_TICK)
        except queue.Empty:
            return
        if worker not in self._workers:
            return  # it has been replaced; all it had was given to others
        if isinstance(message, Answer):
            yield from self._take_answer(worker, message)
        elif isinstance(message, Gone):
            yield from self._take_death(worker, message)
        elif isinstance(message, Refused):
            yield from self._take_refusal(worker, message)
        else:
            worker.ready, worker._seen = True, (0, time.monotonic())  # loading is no part of a fit
            worker.load_seconds = time.monotonic() - worker.began

    def _take_answer(self, worker: Worker, answer: Answer) -> Iterator[Outcome]:
        try:
            batch, rows = worker.batches[0], answer.rows
            told = believe(rows, batch.keys, self._setup.sizes)
            early = self._stopping or (told and ran_out_of_memory(told[-1]))
            if len(rows) < len(batch.keys) and not early:
                raise ValueError("there are fewer than there should be")
        except Exception:  # whatever a candidate has written into the pipe
            yield from self._take_death(worker, Gone(None))
            return
        worker.batches.popleft()
        worker.answered += len(rows)
        self._backlog.put_back(batch.keys[len(rows) :])
        if worker.unit.prepares:
            for outcome in told:
                self._backlog.learn(outcome, outcome.fit_seconds)
                self._tables.note(outcome.key, outcome.model_bytes or 0)
        else:
            yield from self._take_outcomes(worker, batch, told)
        if worker in self._workers and not worker.batches and batch.keys:
            seconds = self._backlog.expect(batch.keys[0])
            if seconds > _WORTH_KEEPING * worker.load_seconds:
                self._let_go(worker)

    def _take_outcomes(
        self, worker: Worker, batch: Batch, outcomes: list[Outcome]
    ) -> Iterator[Outcome]:
        if outcomes and ran_out_of_memory(outcomes[-1]):
            self._backlog.put_back(worker.in_flight())
            self._end(worker)
            if not batch.alone:
                self._retries.append(outcomes.pop().key)
        for outcome in outcomes:
            before = self.preparing_seconds(outcome.dataset, outcome.candidate)
            self._backlog.learn(outcome, max(outcome.seconds - before, 0.0))
            yield self._within_limits(outcome)

    def _end(self, worker: Worker) -> None:
        """Do without a worker; what it had is somebody else's."""
        worker.batches.clear()
        worker.kill()
        self._let_go(worker)

    def _within_limits(self, outcome: Outcome) -> Outcome:
        """Name the limit where one has ended a trial; hold what has finished to it as well."""
        if ran_out_of_memory(outcome):
            return outcome._replace(cause=f"{outcome.cause}{self._name_memory()}")
        limit = self._setup.limits.seconds
        if limit is None or outcome.seconds <= limit:
            return outcome
        return _timeout(outcome.key, limit)

    def _name_memory(self) -> str:
        memory = self._setup.limits.memory
        return "" if memory is None else f" (the memory limit is {memory / 2**30:.3g} GiB a fit)"

    def _take_death(self, worker: Worker, gone: Gone) -> Iterator[Outcome]:
        """Give away what a dead worker had; judge the trial that it died of."""
        victim = worker.running() if worker.ready else None
        self._backlog.put_back(key for key in worker.in_flight() if key != victim)
        timed_out, unit = worker.timed_out, worker.unit
        self._end(worker)
        if not worker.ready and timed_out:
            yield from self._give_up(unit, "timeout", "it was not loaded in time")
        elif not worker.ready:
            yield from self._count_false_start(unit, gone)
        elif victim is not None and unit.prepares:
            # The others would meet the same end. Candidates do without, and find it out alone.
            self._backlog.put_back([victim])
            yield from self._give_up(unit, "crashed", str(gone))
        elif victim is not None:
            self._deaths[victim] += 1
            # SIGKILL is the system's for want of memory, or somebody's: that may pass.
            if timed_out or self._deaths[victim] > 1 + (gone.returncode == -9):
                yield self._judge(victim, gone, timed_out=timed_out)
            else:
                self._retries.append(victim)
                # A candidate can end the server of a study, and with it whoever runs beside it.
                self._killed |= {victim} if gone.returncode == -9 else set()

    def _judge(self, key: TrialKey, gone: Gone, *, timed_out: bool) -> Outcome:
        limit = self._setup.limits.seconds
        if timed_out and limit is not None:
            return _timeout(key, limit)
        details = f"tried {self._deaths[key]} times, the last time alone in a fresh process"
        if gone.printed:
            details += f"; printed last:\n{writable(gone.printed.decode(errors='replace'))}"
        by_signal = (gone.returncode or 0) < 0
        memory = self._name_memory() if by_signal else ""  # it may have been the reason
        return fail(key, status="crashed", cause=f"{gone}{memory}", details=details)

    def _take_refusal(self, worker: Worker, refused: Refused) -> Iterator[Outcome]:
        # A candidate that cannot be loaded here could not have been sent from here either: but for
        # another machine, where packages may be missing, that is its own doing.
        if refused.everywhere and not (self._forks and self._setup.surroundings):
            raise cannot_load(refused.reason)
        self._backlog.put_back(worker.in_flight())
        self._end(worker)
        yield from self._give_up(worker.unit, "failed", refused.reason)

    def _count_false_start(self, unit: Unit, gone: Gone) -> Iterator[Outcome]:
        if self._source is not None and not self._source.alive:
            return  # nobody's fault that is known
        self._false_starts[unit.name] += 1
        if self._false_starts[unit.name] < _FALSE_STARTS:
            return
        if not self._forks and len(self._false_starts) == 1:
            raise _cannot_start(_FALSE_STARTS, str(gone))
        yield from self._give_up(unit, "crashed", f"{gone}, before it was loaded")

    def _give_up(self, unit: Unit, status: Status, cause: str) -> Iterator[Outcome]:
        """Do without a unit: its trials have failed before they were begun."""
        for key in self._take_away(unit):
            details = "the candidate cannot be loaded in a worker process"
            yield fail(key, status=status, cause=cause, details=details)

    def _take_away(self, unit: Unit) -> list[TrialKey]:
        """End the workers of a unit; return its trials, and let others do without what it makes."""
        for worker in [one for one in self._workers if one.unit is unit]:
            self._backlog.put_back(worker.in_flight())
            self._end(worker)
        waiting = self._backlog.drop(unit.name)
        waiting += [key for key in self._retries if key.candidate == unit.name]
        self._retries = deque(key for key in self._retries if key.candidate != unit.name)
        for key in waiting if unit.prepares else ():
            self._tables.note(key, 0)
        return [] if unit.prepares else waiting

    def _kill_overdue(self) -> None:
        limit, patience = self._setup.limits.seconds or inf, self._patience.seconds
        shortest = min(patience.values(), default=inf)  # for what several wait for
        for worker in [one for one in self._workers if not one.timed_out]:
            if worker.overdue(limit if worker.ready else limit + self._loading):
                worker.timed_out = True
                worker.kill()
            elif worker.overdue(patience.get(worker.unit.name, shortest)):
                for key in self._take_away(worker.unit):
                    self._patience.put_off.append(key)
                    self._tables.release(key)


class _Tables:
    """Which training sets are prepared for whom; a table is removed when all have used it.

    Parameters
    ----------
    units : {name: Unit}
    keys : trials
        That will be run, those of a training set together.
    folder : path
        Of the tables.
    """

    def __init__(
        self, units: dict[str, Unit], keys: Sequence[TrialKey], folder: Path, n_jobs: int
    ) -> None:
        self._units, self._folder, self._n_jobs = units, folder, n_jobs
        self._done: set[TrialKey] = set()  # preparations, also those that failed
        self._users: Counter[TrialKey] = Counter()
        self._left: Counter[Any] = Counter()  # tables of a training set that are in use
        self._places: dict[Any, int] = {}  # of training sets
        self._removed = self._n_tables = self._bytes = 0
        for key in keys:
            above = self._above(key)
            while above is not None:
                self._users[above] += 1
                if self._users[above] > 1:
                    break
                self._left[training_set(key)] += 1
                self._places.setdefault(training_set(key), len(self._places))
                above = self._above(above)
        order = list(units)  # a preparation comes after the one it builds on
        self.to_make = sorted(
            self._users,
            key=lambda key: (self._places[training_set(key)], order.index(key.candidate)),
        )

    def _above(self, key: TrialKey) -> TrialKey | None:
        """Return the preparation that a trial, or another preparation, waits for."""
        parent = self._units[key.candidate].parent
        return None if parent is None else key._replace(candidate=parent)

    def ready(self, key: TrialKey) -> bool:
        """Say whether a trial, or a preparation, may begin."""
        above = self._above(key)
        if above is not None:
            return above in self._done or above not in self._users
        if not self._units[key.candidate].prepares:
            return True
        # Only what comes first waits for room: what builds on it is needed to make some.
        size = self._bytes / self._n_tables if self._n_tables else _TABLE_BYTES
        most = max(self._n_jobs + 1, int(_TABLE_BYTES // (size + 1)))
        return self._places[training_set(key)] < self._removed + most

    def note(self, key: TrialKey, size: int) -> None:
        """Note that a preparation is done, or has failed."""
        self._done.add(key)
        self._bytes, self._n_tables = self._bytes + size, self._n_tables + 1
        self.release(key)

    def release(self, key: TrialKey) -> None:
        """Note that a trial, or a preparation, has used what was prepared for it."""
        above = self._above(key)
        if above is None or above not in self._users:
            return
        self._users[above] -= 1
        if self._users[above]:
            return
        with suppress(OSError):
            table_path(self._folder, above.candidate, above).unlink(missing_ok=True)
        place = training_set(key)
        self._left[place] -= 1
        self._removed += not self._left[place]


def _cannot_start(attempts: int, how: str) -> StudyError:
    return StudyError(
        f"{attempts} worker processes ended before they had begun: the last one, {how}. What they "
        "said is on standard error; expected a Python that can import polychotomy and enough "
        "memory for the data in every worker."
    )


def _timeout(key: TrialKey, limit: float) -> Outcome:
    cause = f"it was not done within the time limit of {limit:g} second{'s' * (limit != 1)}"
    details = "the worker process was ended"
    return fail(key, status="timeout", cause=cause, details=details, seconds=limit)
