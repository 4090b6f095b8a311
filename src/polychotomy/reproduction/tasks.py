"""Runs one after the other, or several at a time, into a log, while the budget lasts."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import replace
from typing import Any, TypeAlias

from threadpoolctl import threadpool_limits

from polychotomy.reproduction.budgets import Budget
from polychotomy.reproduction.run_log import RunLog, Values
from polychotomy.study.progress import Progress, ShowProgress

Key: TypeAlias = tuple[str | int, ...]

Task: TypeAlias = tuple[Callable[..., Values], tuple[Any, ...]]
"""A function that other processes can import, and its arguments."""


def run_tasks(
    tasks: Mapping[Key, Task],
    log: RunLog,
    *,
    budget: Budget,
    n_jobs: int = 1,
    progress: ShowProgress | None = None,
) -> None:
    """Run what the log does not have, in order; no new run begins once the budget is spent.

    The first run is made in any case, so that every call gets on.

    Examples
    --------
    >>> log = RunLog(None, {"paper": "none"})
    >>> tasks = {(run,): (dict, ([("square", run**2)],)) for run in range(3)}
    >>> run_tasks(tasks, log, budget=Budget(0))
    >>> [(run,) in log for run in range(3)]
    [True, False, False]
    >>> run_tasks(tasks, log, budget=Budget(None))
    >>> log.get((2,))
    {'square': 4}
    """
    waiting = {key: task for key, task in tasks.items() if key not in log}
    now = count_runs(len(tasks) - len(waiting), len(tasks))
    show, start = progress or (lambda now: None), time.monotonic()
    show(now)
    finished = _one_by_one(waiting, budget) if n_jobs == 1 else _in_pool(waiting, budget, n_jobs)
    for key, (values, seconds) in finished:
        log.put(key, values, seconds=seconds)
        now = replace(now, done=now.done + 1, seconds=time.monotonic() - start)
        show(now)


def count_runs(done: int, planned: int) -> Progress:
    """Begin to count runs.

    Examples
    --------
    >>> count_runs(3, 10).resumed
    3
    """
    return Progress(done=done, planned=planned, resumed=done, doing="runs", of="runs")


def _timed(task: Task) -> tuple[Values, float]:
    function, arguments = task
    start = time.perf_counter()
    with threadpool_limits(limits=1):
        values = function(*arguments)
    return values, time.perf_counter() - start


def _one_by_one(
    tasks: Mapping[Key, Task], budget: Budget
) -> Iterator[tuple[Key, tuple[Values, float]]]:
    for key, task in tasks.items():
        yield key, _timed(task)
        if budget.is_spent():
            return


def _in_pool(
    tasks: Mapping[Key, Task], budget: Budget, n_jobs: int
) -> Iterator[tuple[Key, tuple[Values, float]]]:
    pending: dict[Future[tuple[Values, float]], Key] = {}
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(max_workers=n_jobs, mp_context=context) as pool:
        for number, (key, task) in enumerate(tasks.items()):
            if number and budget.is_spent():
                break
            pending[pool.submit(_timed, task)] = key
            if len(pending) >= n_jobs:
                yield from _collect(pending)
        while pending:
            yield from _collect(pending)


def _collect(
    pending: dict[Future[tuple[Values, float]], Key],
) -> Iterator[tuple[Key, tuple[Values, float]]]:
    done, _ = wait(pending, return_when=FIRST_COMPLETED)
    for future in done:
        yield pending.pop(future), future.result()
