"""Work on many samples: in chunks, by several threads, on memory that is used again.

A chunk is as many samples as stay in the processor's cache. Fresh memory is mapped page by page on
first touch, which costs several times the arithmetic done on it here, so `Buffers` keep it for the
next chunk. NumPy lets other threads run while it works on an array, so chunks of thousands of
samples keep as many processors busy as are asked for. Each chunk is worked on alike whoever does
it, so results do not depend on the number of threads, but for the last digits of matrix products:
one thread leaves it to BLAS to share these among threads of its own.

This is the one place that starts threads.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from math import ceil, prod
from operator import index
from threading import Lock, local
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from array_api_compat import device, is_numpy_namespace

from polychotomy.core.arguments import unexpected
from polychotomy.core.arrays import Floats

# float64 numbers that a chunk may hold in matrices: just over 2²² bytes, from where on NumPy asks
# for huge pages, so that fresh memory is not mapped page by page
CACHE = 525_000


THREADED = 4  # times as many for each of several threads, where a chunk is many short calls


MOST_SAMPLES = 10_000  # in a chunk, however small they are


ON_A_DEVICE = 200_000_000  # numbers a chunk may hold on a graphics card: 1.6 gigabytes


ChunkWork: TypeAlias = Callable[[Floats, int], Floats]
"""From (c, …) rows, and the number of the first of them, to (c, …) rows."""


def in_chunks(
    xp: ModuleType,
    prepare: Callable[[], ChunkWork],
    rows: Floats,
    *,
    numbers_each: int,
    n_jobs: int | None = None,
    elementwise: bool = False,
) -> Floats:
    """Return the work done on all rows, in chunks; the result shares no memory with theirs.

    Parameters
    ----------
    xp : module
        The array namespace.
    prepare : callable
        Makes the work; called once for each thread. Each row's result depends on that row alone.
    rows : (n, …)
    numbers_each : int
        How many floats a row occupies while being worked on.
    n_jobs : int, optional
        Threads over chunks, where the rows are NumPy's: see ``threads``.
    elementwise : bool
        Whether the work is calls on vectors of samples, each of a few microseconds, whose results
        are the same bits in chunks of any size (those of BLAS are not). Several threads then get
        larger chunks: to hand Python's lock from one to the other takes longer than such a call.

    Examples
    --------
    >>> import numpy as np
    >>> add = lambda rows, start: rows + start
    >>> in_chunks(np, lambda: add, np.zeros((2, 3)), numbers_each=3)
    array([[0., 0., 0.],
           [0., 0., 0.]])
    """
    n, n_jobs = rows.shape[0], n_jobs if is_numpy_namespace(xp) else 1
    most = samples_together(rows, numbers_each=numbers_each)
    check_jobs(n_jobs)
    parts = cut(n, most, count_threads(n_jobs) if elementwise else 1)
    everything, first = list[Floats](), Lock()

    def work_on_parts() -> Callable[[slice], None]:
        work = prepare()

        def fill(part: slice) -> None:
            done = work(rows[part, ...], part.start)
            with first:
                if not everything:
                    shape = (n, *done.shape[1:])
                    everything.append(xp.empty(shape, dtype=done.dtype, device=device(done)))
            everything[0][part, ...] = done

        return fill

    in_threads(work_on_parts, parts, n_jobs=n_jobs)
    return everything[0]


def cut(n: int, most: int, threads: int = 1) -> list[slice]:
    """Cut n samples into chunks whose sizes differ by one at most, as many for every thread.

    So there is no chunk of a single sample, which NumPy adds up in another order, unless there is
    no other sample.

    Parameters
    ----------
    n : int
    most : int
        Samples in a chunk, at most; ``THREADED`` times as many for several threads, which get
        fewer where that would leave some without work.
    threads : int

    Examples
    --------
    >>> cut(25, 10)
    [slice(0, 8, None), slice(8, 16, None), slice(16, 25, None)]
    >>> cut(60, 10, threads=2)
    [slice(0, 30, None), slice(30, 60, None)]
    """
    rounds = ceil(n / (most if threads == 1 else threads * THREADED * most))
    count = max(1, min(threads * rounds, ceil(n / most)))
    return [slice(i * n // count, (i + 1) * n // count) for i in range(count)]


def samples_together(rows: Floats, *, numbers_each: int) -> int:
    """Return how many samples a chunk has: a few thousand, or as many as a device has room for.

    Examples
    --------
    >>> import numpy as np
    >>> samples_together(np.zeros((1, 45)), numbers_each=100)
    5250
    """
    if "cpu" not in str(device(rows)).lower():
        return max(1, ON_A_DEVICE // numbers_each)
    return max(1, min(MOST_SAMPLES, CACHE // numbers_each))


class Buffers:
    """Float arrays by name; asking again for a name gives the same memory, in any smaller shape.

    Parameters
    ----------
    xp : module
        The array namespace.
    kind : array
        An array of the type and on the device that the buffers shall have.

    Examples
    --------
    >>> import numpy as np
    >>> buffers = Buffers(np, np.zeros(1))
    >>> big = buffers.get("a", (2, 4))
    >>> np.shares_memory(big, buffers.get("a", (2, 3)))
    True
    """

    def __init__(self, xp: ModuleType, kind: Floats) -> None:
        self._xp, self._dtype, self._device = xp, kind.dtype, device(kind)
        self._arrays: dict[str, Floats] = {}

    def get(self, name: str, shape: tuple[int, ...]) -> Floats:
        """Return an array of that shape with arbitrary contents."""
        size = prod(shape)
        array = self._arrays.get(name)
        if array is None or array.shape[0] < size:
            array = self._xp.empty((size,), dtype=self._dtype, device=self._device)
            self._arrays[name] = array
        return self._xp.reshape(array[:size], shape)

    def scalar(self, value: float) -> Floats:
        """Return a number as an array without axes."""
        return self._xp.full((), value, dtype=self._dtype, device=self._device)


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
        Makes the function of an item; called once for each thread, so that each has its own memory.
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
    own, failed = local(), list[int]()

    def run(number: int) -> Any:
        if failed and number > min(failed):  # the error is raised, and nobody sees what follows it
            return None
        if not hasattr(own, "work"):
            own.work = prepare()
        try:
            return own.work(items[number])
        except BaseException:
            failed.append(number)
            raise

    with _blas().limit(limits=1, user_api="blas"), ThreadPoolExecutor(threads) as pool:
        return list(pool.map(run, range(len(items))))


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
        raise unexpected("n_jobs", n_jobs, "None, 1 or more threads, or −1 for all processors")


def count_threads(n_jobs: int | None) -> int:
    """Return how many threads to start: what joblib says, at most one for each processor.

    Examples
    --------
    >>> count_threads(1)
    1
    """
    if n_jobs is None and "joblib" not in sys.modules:  # then nobody has set a context of its up
        return 1
    import joblib

    return int(max(1, min(joblib.effective_n_jobs(n_jobs), joblib.cpu_count())))


@cache
def _blas() -> ThreadpoolController:
    """Find the BLAS libraries, which are loaded by now; looking for them takes milliseconds."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
