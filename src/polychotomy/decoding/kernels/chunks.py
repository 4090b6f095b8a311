"""Work on samples a chunk at a time, so that what a chunk needs stays in the processor's cache."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from math import ceil
from threading import Lock
from types import ModuleType
from typing import Any, TypeAlias

from array_api_compat import device, is_numpy_namespace

from polychotomy.core.arrays import Floats
from polychotomy.core.threads import check_jobs, count_threads, in_threads

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
        Makes the work; called once a thread. Each row's result depends on that row alone.
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


Compiler: TypeAlias = Callable[[Callable[..., Any]], Callable[..., Any]]
"""`torch.compile`, or anything that returns a faster function of the same arrays."""


def compile_once(
    compiler: Compiler, make: Callable[[ModuleType], Callable[..., Any]]
) -> Callable[[ModuleType], Callable[..., Any]]:
    """Return a function from an array namespace to what the compiler makes of ``make(namespace)``.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.decoding.kernels.chunks import compile_once
    >>> compiled = compile_once(lambda function: function, lambda xp: xp.sqrt)
    >>> float(compiled(np)(4.0))
    2.0
    """
    return cache(lambda xp: compiler(make(xp)))


@dataclass(frozen=True)
class Precision:
    """What counts as small in Newton's method for coupling."""

    certain: float  # r nearer to 0 or 1 than this counts as 0 or 1
    short: float  # a Newton step this short leaves an error below its square
    settled: float  # a change of p this small is rounding
    lowest: float  # exp of less is not a normal number
    most_steps: int


DOUBLE = Precision(certain=2.0**-40, short=1e-5, settled=1e-12, lowest=-700.0, most_steps=500)

SINGLE = Precision(certain=2.0**-22, short=1e-3, settled=4e-6, lowest=-80.0, most_steps=60)


def precision_of(xp: ModuleType, array: Floats) -> Precision:
    """Return the numbers for the type of an array.

    Examples
    --------
    >>> import numpy as np
    >>> precision_of(np, np.ones(1)).most_steps
    500
    """
    return DOUBLE if array.dtype == xp.float64 else SINGLE
