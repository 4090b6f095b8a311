"""The projection on the simplex in NumPy: a sorting network over samples, then running sums."""

from __future__ import annotations

from types import ModuleType

import numpy as np

from polychotomy.core.arrays import Floats
from polychotomy.core.threads import Buffers
from polychotomy.decoding.kernels.recorded import Recorder

NUMBERS_A_CLASS = 3  # floats of a sample on its way: its coordinates, these sorted, sums


_NETWORK = 20  # classes up to which comparing whole rows beats sorting every sample


class RecordedProjection:
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
    >>> RecordedProjection(np, points)(points)
    array([[0.5, 0.5, 0. ],
           [1. , 0. , 0. ]])
    """

    def __init__(self, xp: ModuleType, kind: Floats) -> None:
        self._xp, self._buffers = xp, Buffers(xp, kind)
        self._recorded: dict[int, tuple[Recorder, Floats, Floats]] = {}

    @np.errstate(over="ignore")  # what is that far below the largest is 0 in any case
    def __call__(self, points: Floats) -> Floats:
        """Return the projections, (n, k), good until the next call."""
        n, k = points.shape
        if n not in self._recorded:
            self._recorded[n] = self._record(n, k)
        recorder, x, descending = self._recorded[n]
        np.copyto(x, points.T)
        largest = x.max(axis=0)
        np.subtract(x, largest, out=x)  # no cancellation for large coordinates
        if k <= _NETWORK:
            np.copyto(descending, x)
        else:
            np.subtract(np.sort(points, axis=1).T[::-1], largest, out=descending)
        recorder.replay()
        return x.T

    def _record(self, n: int, k: int) -> tuple[Recorder, Floats, Floats]:
        """Record the way from coordinates below the largest, (k, n), to projections."""
        xp, recorder, buffers = self._xp, Recorder(self._xp), self._buffers
        x, descending = buffers.get("x", (k, n)), buffers.get("descending", (k, n))
        sums, threshold, each = buffers.get("sums", (3, n))
        rows = [descending[i] for i in range(k)]
        if k <= _NETWORK:
            rows = record_sorting(recorder, rows, each)
        recorder.record_fill(sums, -1.0)
        recorder.record_fill(threshold, -1.0)  # of one coordinate: the largest is 0
        for r in range(1, k):
            recorder.record(sums, xp.add, sums, rows[r])
            # The row just added is not needed again.
            recorder.record(rows[r], xp.multiply, sums, buffers.scalar(1.0 / (r + 1)))
            recorder.record(threshold, xp.maximum, threshold, rows[r])
        recorder.record(x, xp.subtract, x, threshold)
        recorder.record(x, xp.maximum, x, buffers.scalar(0.0))
        recorder.record_sum(sums, x)
        recorder.record(x, xp.divide, x, sums)
        return recorder, x, descending


def record_sorting(recorder: Recorder, rows: list[Floats], spare: Floats) -> list[Floats]:
    """Record how rows (n,) are sorted downwards at every sample; return where they will be.

    Parameters
    ----------
    recorder : Recorder
        Gets the operations.
    rows : list of (n,)
        Overwritten.
    spare : (n,)
        Memory that one of the sorted rows may be in.

    Examples
    --------
    >>> import numpy as np
    >>> a, b, c = np.array([[1.0, 5.0], [2.0, 4.0], [3.0, 6.0]])
    >>> recorder = Recorder(np)
    >>> found = record_sorting(recorder, [a, b, c], np.empty(2))
    >>> recorder.replay()
    >>> found
    [array([3., 6.]), array([2., 5.]), array([1., 4.])]
    """
    xp, places = recorder.xp, list(rows)
    for i, j in comparisons(len(rows)):
        upper, lower = places[i], places[j]
        recorder.record(spare, xp.minimum, upper, lower)
        recorder.record(upper, xp.maximum, upper, lower)
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
