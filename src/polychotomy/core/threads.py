"""Pieces of work done by several threads at a time: the one place that starts threads.

NumPy lets other threads run while it works on an array, so pieces of many thousand samples each
keep as many processors busy as are asked for. Each piece is done alike whoever does it, so results
do not depend on the number of threads, but for the last digits of matrix products: one thread
leaves it to BLAS to share these among threads of its own.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from operator import index
from threading import Lock
from typing import TYPE_CHECKING, TypeVar

from polychotomy.core.exceptions import InvalidInput

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController


Item = TypeVar("Item")

Result = TypeVar("Result")


def in_threads(
    prepare: Callable[[], Callable[[Item], Result]],
    items: Sequence[Item],
    *,
    n_jobs: int | None = None,
) -> list[Result]:
    """Return the results of all items, in their order.

    While several threads run, BLAS keeps to one of its own in each. An error stops the work; it is
    that of the first item that fails, as if there were one thread.

    Parameters
    ----------
    prepare : callable
        Makes the function of an item; called once a thread, so that each has its own memory.
    items : sequence
    n_jobs : int, optional
        Threads, as joblib counts them: None is 1 unless a ``joblib.parallel_config`` says
        otherwise, −1 all processors.

    Examples
    --------
    >>> in_threads(lambda: lambda x: x * x, [1, 2, 3], n_jobs=2)
    [1, 4, 9]
    """
    check_jobs(n_jobs)
    threads = min(count_threads(n_jobs), len(items)) if len(items) > 1 else 1
    if threads == 1:
        work = prepare()
        return [work(item) for item in items]
    queue, results = _Queue(len(items)), dict[int, Result]()

    def run() -> None:
        work = prepare()
        for number in queue:
            try:
                results[number] = work(items[number])
            except BaseException as error:
                queue.stop(number, error)

    with _blas().limit(limits=1, user_api="blas"), ThreadPoolExecutor(threads) as pool:
        try:
            for thread in [pool.submit(run) for _ in range(threads)]:
                thread.result()
        except BaseException as error:  # the user's Ctrl-C among them: no further item is begun
            queue.stop(-1, error)
    queue.raise_first()
    return [results[number] for number in range(len(items))]


def check_jobs(n_jobs: int | None) -> None:
    """Raise where that is no number of threads.

    Examples
    --------
    >>> check_jobs(0)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    polychotomy.core.exceptions.InvalidInput: n_jobs is 0; expected None, 1 or more threads, \
or −1 ...
    """
    try:
        fine = n_jobs is None or index(n_jobs) != 0
    except TypeError:
        fine = False
    if not fine or isinstance(n_jobs, bool):
        raise InvalidInput(
            f"n_jobs is {n_jobs!r}; expected None, 1 or more threads, or −1 for all processors."
        )


def count_threads(n_jobs: int | None) -> int:
    """Return how many threads to start: what joblib says, at most one a processor.

    Examples
    --------
    >>> count_threads(1)
    1
    """
    if n_jobs is None and "joblib" not in sys.modules:  # then nobody has set a context of its up
        return 1
    import joblib

    return int(max(1, min(joblib.effective_n_jobs(n_jobs), joblib.cpu_count())))


class _Queue:
    """Numbers handed out in ascending order, until one fails."""

    def __init__(self, size: int) -> None:
        self._numbers, self._lock = iter(range(size)), Lock()
        self._errors: dict[int, BaseException] = {}

    def __iter__(self) -> Iterator[int]:
        while True:
            with self._lock:
                number = None if self._errors else next(self._numbers, None)
            if number is None:
                return
            yield number

    def stop(self, number: int, error: BaseException) -> None:
        with self._lock:
            self._errors[number] = error

    def raise_first(self) -> None:
        # Every number below a failed one had been handed out, so the lowest is the first of all.
        if self._errors:
            raise self._errors[min(self._errors)]


@cache
def _blas() -> ThreadpoolController:
    """Find the BLAS libraries, which are loaded by now; looking for them takes milliseconds."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
