"""Wu, Lin & Weng (2004), second method: pairwise coupling as one linear system for each sample."""

from __future__ import annotations

from types import ModuleType

import numpy as np

from polychotomy.core.arrays import Floats
from polychotomy.core.chunks import Buffers
from polychotomy.decoding.kernels.elimination import ELEMENTWISE, eliminate, solve_batched
from polychotomy.decoding.kernels.in_place import into, sum_of_products
from polychotomy.decoding.kernels.pairs import blocks
from polychotomy.decoding.prepared import like

_RIDGE = 1e-12


def couple_least_squares(
    xp: ModuleType, r: Floats, weights: Floats, k: int, buffers: Buffers
) -> Floats:
    """Minimise Σ_{i<j} w_ij (r_ji p_i − r_ij p_j)² over the simplex.

    The matrix Q of the quadratic form has no positive entry beside its diagonal, so that the
    minimiser on the plane Σp = 1 is nonnegative by itself: (Q + 11ᵀ) x = 1, then p = x / Σx.

    Parameters
    ----------
    xp : module
        The array namespace.
    r : (k(k−1)/2, n)
        r_ij for the pairs i < j in the order of one_vs_one(k).
    weights : (k(k−1)/2,)
        At most 1; 0 where the pair is missing.
    k : int
    buffers : Buffers
        Memory to work in.

    Returns
    -------
    (k, n)

    Examples
    --------
    >>> import numpy as np
    >>> r = np.array([[0.9], [0.4], [0.7]])
    >>> couple_least_squares(np, r, np.ones(3), 3, Buffers(np, r)).ravel().round(6)
    array([0.457233, 0.202129, 0.340638])
    """
    # Where pairs are missing and others certain, several minimisers may be left: the even one.
    corner = 1.0 if weights.all() else 1.0 + _RIDGE
    root = None if (weights == 1.0).all() else like(xp, np.sqrt(weights), r)[:, None]
    x = xp.clip(_solve(xp, r, root, corner, k, buffers), 0.0, None)
    x /= xp.sum(x, axis=0)
    return x


def _solve(
    xp: ModuleType, r: Floats, root: Floats | None, corner: float, k: int, buffers: Buffers
) -> Floats:
    """Solve (Q + 11ᵀ) x = 1, samples last."""
    n = r.shape[1]
    table = buffers.get("factors", (k, k, n))  # √w r_ij, used up when elimination starts
    system, squares = buffers.get("system", (k, k + 1, n)), buffers.get("solutions", (k, n))
    for i, pairs in blocks(k):
        above, row = table[i, i + 1 :, :], system[i, i + 1 : k, :]
        if root is None:
            above[...] = r[pairs, :]
        else:
            into(xp, above, xp.multiply, r[pairs, :], root[pairs, :])
        whole = 1.0 if root is None else root[pairs, :]
        below = into(xp, table[i + 1 :, i, :], xp.subtract, whole, above)
        into(xp, row, xp.multiply, above, below)
        into(xp, row, xp.subtract, 1.0, row)
    xp.reshape(table, (k * k, n))[:: k + 1, :] = 0.0  # the diagonals
    sum_of_products(xp, squares, table, table)
    xp.reshape(system, (k * (k + 1), n))[:: k + 2, :] = squares + corner
    system[:, k, :] = 1.0
    if k > ELEMENTWISE:
        return solve_batched(xp, system[:, :k, :], system[:, k, :])[0]
    return eliminate(xp, system, buffers)
