"""Work on samples a chunk at a time, so that what a chunk needs stays in the processor's cache."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

from polychotomy.arrays import Floats

CACHE = 500_000  # float64 numbers that a chunk may hold in matrices: four megabytes

MOST_SAMPLES = 10_000  # in a chunk, however small they are


def in_chunks(
    xp: ModuleType, work: Callable[[Floats], Floats], rows: Floats, *, numbers_each: int
) -> Floats:
    """Return ``work`` done on all rows, in chunks of rows.

    Parameters
    ----------
    xp : module
        The array namespace.
    work : callable
        From (c, …) rows to (c, …) rows; each row's result depends on that row alone.
    rows : (n, …)
    numbers_each : int
        How many floats a row occupies while being worked on.

    Examples
    --------
    >>> import numpy as np
    >>> in_chunks(np, lambda rows: rows + 1, np.zeros((2, 3)), numbers_each=3)
    array([[1., 1., 1.],
           [1., 1., 1.]])
    """
    step = max(1, min(MOST_SAMPLES, CACHE // numbers_each))
    if rows.shape[0] <= step:
        return work(rows)
    n = rows.shape[0]
    done = [work(rows[i : min(i + step, n), ...]) for i in range(0, n, step)]
    together: Floats = xp.concat(done, axis=0)
    return together
