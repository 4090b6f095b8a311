"""The projection on the simplex in NumPy: a sorting network over samples, then running sums."""

from __future__ import annotations

from types import ModuleType

import numpy as np

from polychotomy.core.arrays import Floats
from polychotomy.core.threads import Buffers
from polychotomy.decoding.kernels.recorded import Tape

NUMBERS_A_CLASS = 3  # floats of a sample on its way: its coordinates, these sorted, sums


_NETWORK = 20  # classes up to which comparing whole rows beats sorting every sample


class WrittenProjection:
    """Projects the rows of (n, k) arrays, chunk by chunk; see ``project_rows`` for the rule.

    Samples are last. NumPy sorts ten numbers in 50 ns, and compares ten thousand pairs of numbers
    in a few µs: so for few classes it is a network of comparisons, the same for all samples.

    Parameters
    ----------
    xp : module
        NumPy's namespace.
    kind : array
        An array of the type of those to come.

    Examples
    --------
    >>> import numpy as np
    >>> points = np.array([[0.6, 0.6, 0.0], [1.5, 0.1, -0.3]])
    >>> WrittenProjection(np, points)(points)
    array([[0.5, 0.5, 0. ],
           [1. , 0. , 0. ]])
    """

    def __init__(self, xp: ModuleType, kind: Floats) -> None:
        self._xp, self._buffers = xp, Buffers(xp, kind)
        self._written: dict[int, tuple[Tape, Floats, Floats]] = {}

    @np.errstate(over="ignore")  # what is that far below the largest is 0 in any case
    def __call__(self, points: Floats) -> Floats:
        """Return the projections, (n, k), good until the next call."""
        n, k = points.shape
        if n not in self._written:
            self._written[n] = self._write(n, k)
        tape, x, descending = self._written[n]
        np.copyto(x, points.T)
        largest = x.max(axis=0)
        np.subtract(x, largest, out=x)  # no cancellation for large coordinates
        if k <= _NETWORK:
            np.copyto(descending, x)
        else:
            np.subtract(np.sort(points, axis=1).T[::-1], largest, out=descending)
        tape.play()
        return x.T

    def _write(self, n: int, k: int) -> tuple[Tape, Floats, Floats]:
        """Write down the way from coordinates below the largest, (k, n), to projections."""
        xp, tape, buffers = self._xp, Tape(self._xp), self._buffers
        x, descending = buffers.get("x", (k, n)), buffers.get("descending", (k, n))
        sums, threshold, each = buffers.get("sums", (3, n))
        rows = [descending[i] for i in range(k)]
        if k <= _NETWORK:
            rows = write_sorting(tape, rows, each)
        tape.fill(sums, -1.0)
        tape.fill(threshold, -1.0)  # of one coordinate: the largest is 0
        for r in range(1, k):
            tape.write(sums, xp.add, sums, rows[r])
            # The row just added is not needed again.
            tape.write(rows[r], xp.multiply, sums, buffers.scalar(1.0 / (r + 1)))
            tape.write(threshold, xp.maximum, threshold, rows[r])
        tape.write(x, xp.subtract, x, threshold)
        tape.write(x, xp.maximum, x, buffers.scalar(0.0))
        tape.write_sum(sums, x)
        tape.write(x, xp.divide, x, sums)
        return tape, x, descending


def write_sorting(tape: Tape, rows: list[Floats], spare: Floats) -> list[Floats]:
    """Write down how rows (n,) are sorted downwards at every sample; return where they will be.

    Parameters
    ----------
    tape : Tape
        Gets the operations.
    rows : list of (n,)
        Overwritten.
    spare : (n,)
        Memory that one of the sorted rows may be in.

    Examples
    --------
    >>> import numpy as np
    >>> a, b, c = np.array([[1.0, 5.0], [2.0, 4.0], [3.0, 6.0]])
    >>> tape = Tape(np)
    >>> found = write_sorting(tape, [a, b, c], np.empty(2))
    >>> tape.play()
    >>> found
    [array([3., 6.]), array([2., 5.]), array([1., 4.])]
    """
    xp, places = tape.xp, list(rows)
    for i, j in comparisons(len(rows)):
        upper, lower = places[i], places[j]
        tape.write(spare, xp.minimum, upper, lower)
        tape.write(upper, xp.maximum, upper, lower)
        places[j], spare = spare, lower
    return places


def comparisons(k: int) -> list[tuple[int, int]]:
    """Return Batcher's merge exchange (Knuth 5.2.2, algorithm M): who is compared with whom.

    Examples
    --------
    >>> comparisons(4)
    [(0, 2), (1, 3), (0, 1), (2, 3), (1, 2)]
    """
    found, largest = list[tuple[int, int]](), 1 << max(0, (k - 1).bit_length() - 1)
    p = largest
    while p > 0 and k > 1:
        q, r, d = largest, 0, p
        while True:
            found += [(i, i + d) for i in range(k - d) if i & p == r]
            if q == p:
                break
            d, q, r = q - p, q // 2, p
        p //= 2
    return found
