"""Wu, Lin & Weng (2004), second method: pairwise coupling as one linear system for each sample."""

from __future__ import annotations

from types import ModuleType

import numpy as np
from array_api_compat import device

from polychotomy.core.arrays import Floats, Ints
from polychotomy.core.chunks import Buffers
from polychotomy.decoding.kernels.elimination import ELEMENTWISE, record_elimination, solve_batched
from polychotomy.decoding.kernels.pairs import blocks
from polychotomy.decoding.kernels.recorded import Recorder, into
from polychotomy.decoding.prepared import like

_RIDGE = 1e-12


class LeastSquaresCoupling:
    """Minimise Σ_{i<j} w_ij (r_ji p_i − r_ij p_j)² over the simplex, chunk by chunk of samples.

    The matrix Q of the quadratic form has no positive entry beside its diagonal, so that the
    minimiser on the plane Σp = 1 is nonnegative by itself: (Q + 11ᵀ) x = 1, then p = x / Σx.

    Parameters
    ----------
    xp : module
        The array namespace.
    kind : array
        An array of the type and on the device of those to come.
    weights : (k(k−1)/2,)
        At most 1; 0 where the pair is missing.
    k : int

    Examples
    --------
    >>> import numpy as np
    >>> r = np.array([[0.9], [0.4], [0.7]])
    >>> LeastSquaresCoupling(np, r, np.ones(3), 3)(r).ravel().round(6)
    array([0.457233, 0.202129, 0.340638])
    """

    def __init__(self, xp: ModuleType, kind: Floats, weights: Floats, k: int) -> None:
        self._xp, self._k, self._buffers = xp, k, Buffers(xp, kind)
        # Where pairs are missing and others certain, several minimisers may be left: the even one.
        self._corner = 1.0 if weights.all() else 1.0 + _RIDGE
        self._root = None if (weights == 1.0).all() else like(xp, np.sqrt(weights), kind)[:, None]
        self._recorded: dict[int, tuple[Recorder, Floats, Floats]] = {}
        if k > ELEMENTWISE:
            self._places = xp.asarray(_places_in_table(k), device=device(kind))

    def __call__(self, r: Floats) -> Floats:
        """Return p, (k, n), good until the next call, for pairs i < j in order, (k(k−1)/2, n)."""
        n = r.shape[1]
        if self._k > ELEMENTWISE:
            x = self._xp.clip(self._solve_many(r), 0.0, None)
            return x / self._xp.sum(x, axis=0)
        if n not in self._recorded:
            self._recorded[n] = self._record(n)
        recorder, table, p = self._recorded[n]
        for i, pairs in blocks(self._k):
            table[i, i + 1 :, :] = r[pairs, :]
        recorder.replay()
        return p

    def _record(self, n: int) -> tuple[Recorder, Floats, Floats]:
        """Record the way from a table r_ij, upper triangles, to p; samples are last."""
        xp, k, buffers, recorder = self._xp, self._k, self._buffers, Recorder(self._xp)
        one, total = buffers.scalar(1.0), buffers.get("total", (n,))
        table = buffers.get("factors", (k, k, n))  # √w r_ij, used up when elimination starts
        system, squares = buffers.get("system", (k, k + 1, n)), buffers.get("solutions", (k, n))
        for i, pairs in blocks(k):
            above, below, row = table[i, i + 1 :, :], table[i + 1 :, i, :], system[i, i + 1 : k, :]
            if self._root is not None:
                recorder.record(above, xp.multiply, above, self._root[pairs, :])
            recorder.record(
                below, xp.subtract, one if self._root is None else self._root[pairs, :], above
            )
            recorder.record(row, xp.multiply, above, below)
            recorder.record(row, xp.subtract, one, row)
        recorder.record_fill(xp.reshape(table, (k * k, n))[:: k + 1, :], 0.0)  # the diagonals
        recorder.record_sum_of_products(squares, table, table)
        diagonals = xp.reshape(system, (k * (k + 1), n))[:: k + 2, :]
        recorder.record(diagonals, xp.add, squares, buffers.scalar(self._corner))
        recorder.record_fill(system[:, k, :], 1.0)
        x = record_elimination(recorder, system, buffers)
        recorder.record(x, xp.maximum, x, buffers.scalar(0.0))
        recorder.record_sum(total, x)
        recorder.record(x, xp.divide, x, total)
        return recorder, table, x

    def _solve_many(self, r: Floats) -> Floats:
        """Solve with samples first, a matrix at a time."""
        xp, k, (n_pairs, n) = self._xp, self._k, r.shape
        one, sides = self._buffers.scalar(1.0), self._buffers.get("sides", (n, 2 * n_pairs))
        root = one if self._root is None else self._root[:, 0]
        above, below = sides[:, :n_pairs], sides[:, n_pairs:]
        above[...] = r.T if self._root is None else r.T * root
        into(xp, below, xp.subtract, root, above)
        flat: Floats = xp.take(sides, self._places, axis=1)  # √w r_ij
        flat[:, :: k + 1] = 0.0
        table = xp.reshape(flat, (n, k, k))
        matrices = self._buffers.get("matrices", (n, k, k))
        into(xp, matrices, xp.multiply, table, xp.matrix_transpose(table))
        into(xp, matrices, xp.subtract, one, matrices)
        squares = xp.vecdot(table, table, axis=-2)
        xp.reshape(matrices, (n, k * k))[:, :: k + 1] = squares + self._corner
        right = xp.ones((k, n), dtype=r.dtype, device=device(r))
        return solve_batched(xp, xp.moveaxis(matrices, 0, -1), right)[0]


def numbers_a_sample(k: int) -> int:
    """Return how many floats a sample occupies in fast memory on its way.

    Examples
    --------
    >>> numbers_a_sample(10), numbers_a_sample(100)
    (100, 25000)
    """
    return k * k if k <= ELEMENTWISE else 5 * k * k // 2


def _places_in_table(k: int) -> Ints:
    """Return where r_ij is among the pairs i < j (j > i) and, after these, their opposites."""
    places = np.zeros((k, k), dtype=np.intp)
    upper, lower = np.triu_indices(k, 1)
    places[upper, lower] = np.arange(len(upper))
    places[lower, upper] = len(upper) + np.arange(len(upper))
    return places.ravel()
