"""Work on samples a chunk at a time, so that what a chunk needs stays in the processor's cache."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from types import ModuleType
from typing import TypeAlias

from array_api_compat import device, is_numpy_namespace

from polychotomy.arrays import Floats
from polychotomy.decoding.threads import in_threads

CACHE = 500_000  # float64 numbers that a chunk may hold in matrices: four megabytes

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

    Examples
    --------
    >>> import numpy as np
    >>> add = lambda rows, start: rows + start
    >>> in_chunks(np, lambda: add, np.zeros((2, 3)), numbers_each=3)
    array([[0., 0., 0.],
           [0., 0., 0.]])
    """
    n, step = rows.shape[0], samples_together(rows, numbers_each=numbers_each)
    parts = [slice(start, min(start + step, n)) for start in range(0, max(n, 1), step)]
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

    in_threads(work_on_parts, parts, n_jobs=n_jobs if is_numpy_namespace(xp) else 1)
    return everything[0]


def samples_together(rows: Floats, *, numbers_each: int) -> int:
    """Return how many samples a chunk has: a few thousand, or as many as a device has room for.

    Examples
    --------
    >>> import numpy as np
    >>> samples_together(np.zeros((1, 45)), numbers_each=100)
    5000
    """
    if "cpu" not in str(device(rows)).lower():
        return max(1, ON_A_DEVICE // numbers_each)
    return max(1, min(MOST_SAMPLES, CACHE // numbers_each))
