"""Work on many samples: chunk by chunk, on memory that is used again.

A chunk is as many samples as stay in the processor's cache. Fresh memory is mapped page by page on
first touch, which costs several times the arithmetic done on it here, so `Buffers` keep it for the
next chunk. Not by several threads: two of them decode 1.2 to 1.6 times as fast as one, since they
hand Python's lock to each other all the time, and matrix products are shared out by BLAS itself.
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, prod
from types import ModuleType

from array_api_compat import device

from polychotomy.core.arrays import Floats

# float64 numbers that a chunk may hold in matrices: just over 2²² bytes, from where on NumPy asks
# for huge pages, so that fresh memory is not mapped page by page
CACHE = 525_000


MOST_SAMPLES = 10_000  # in a chunk, however small they are


ON_A_DEVICE = 200_000_000  # numbers a chunk may hold on a graphics card: 1.6 gigabytes


def in_chunks(
    xp: ModuleType, work: Callable[[Floats, int], Floats], rows: Floats, *, numbers_each: int
) -> Floats:
    """Return the work done on all rows, in chunks; the result shares no memory with theirs.

    Parameters
    ----------
    xp : module
        The array namespace.
    work : callable
        From (c, …) rows, and the number of the first of them, to (c, …) rows. Each row's result
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
    first, *others = cut(rows.shape[0], samples_together(rows, numbers_each=numbers_each))
    done = work(rows[first, ...], 0)
    everything: Floats = xp.empty(
        (rows.shape[0], *done.shape[1:]), dtype=done.dtype, device=device(done)
    )
    everything[first, ...] = done
    for part in others:
        everything[part, ...] = work(rows[part, ...], part.start)
    return everything


def cut(n: int, most: int) -> list[slice]:
    """Cut n samples into chunks of at most so many, whose sizes differ by one at most.

    So there is no chunk of a single sample, which NumPy adds up in another order, unless there is
    no other sample.

    Examples
    --------
    >>> cut(25, 10)
    [slice(0, 8, None), slice(8, 16, None), slice(16, 25, None)]
    """
    count = max(1, ceil(n / most))
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
