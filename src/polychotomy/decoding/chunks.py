"""Work on samples a chunk at a time, so that what a chunk needs stays in the processor's cache."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

from array_api_compat import device

from polychotomy.arrays import Floats

CACHE = 500_000  # float64 numbers that a chunk may hold in matrices: four megabytes

MOST_SAMPLES = 10_000  # in a chunk, however small they are

ON_A_DEVICE = 200_000_000  # numbers a chunk may hold on a graphics card: 1.6 gigabytes


def in_chunks(
    xp: ModuleType, work: Callable[[Floats, int], Floats], rows: Floats, *, numbers_each: int
) -> Floats:
    """Return ``work`` done on all rows, in chunks of rows; the result shares no memory with theirs.

    Parameters
    ----------
    xp : module
        The array namespace.
    work : callable
        From (c, …) rows, and the number of the first of them, to (c, …) rows; each row's result
        depends on that row alone.
    rows : (n, …)
    numbers_each : int
        How many floats a row occupies while being worked on.

    Examples
    --------
    >>> import numpy as np
    >>> in_chunks(np, lambda rows, start: rows + start, np.zeros((2, 3)), numbers_each=3)
    array([[0., 0., 0.],
           [0., 0., 0.]])
    """
    n, step = rows.shape[0], samples_together(rows, numbers_each=numbers_each)
    done = work(rows[: min(step, n), ...], 0)
    everything: Floats = xp.empty((n, *done.shape[1:]), dtype=done.dtype, device=device(done))
    everything[: min(step, n), ...] = done
    for start in range(step, n, step):
        part = slice(start, min(start + step, n))
        everything[part, ...] = work(rows[part, ...], start)
    return everything


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
