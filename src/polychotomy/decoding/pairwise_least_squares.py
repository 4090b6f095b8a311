"""Wu, Lin & Weng (2004), second method: pairwise coupling as one linear system a sample."""

from __future__ import annotations

from types import ModuleType

import numpy as np

from polychotomy.arrays import Floats
from polychotomy.decoding.arguments import like
from polychotomy.decoding.buffers import Buffers, into
from polychotomy.decoding.elimination import solve_definite
from polychotomy.decoding.pairs import blocks, empty_matrices

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
    n = r.shape[1]
    root = None if (weights == 1.0).all() else like(xp, np.sqrt(weights), r)[:, None]
    matrices = empty_matrices(xp, k, n, buffers)
    squares = buffers.get("squares", (k, n))
    # Where pairs are missing and others certain, several minimisers may be left: the even one.
    squares[:, :] = 1.0 if weights.all() else 1.0 + _RIDGE
    for i, pairs in blocks(k):
        above = r[pairs, :]
        below = into(xp, buffers.like("below", above), xp.subtract, 1.0, above)
        if root is not None:
            above, below = above * root[pairs, :], below * root[pairs, :]
        row = into(xp, matrices[i, i + 1 :, :], xp.multiply, above, below)
        into(xp, row, xp.subtract, 1.0, row)
        below *= below
        squares[i, :] += xp.sum(below, axis=0)
        squares[i + 1 :, :] += into(xp, below, xp.multiply, above, above)
        matrices[i, i, :] = squares[i, :]
    matrices[k - 1, k - 1, :] = squares[k - 1, :]
    x = xp.clip(solve_definite(xp, matrices, xp.ones_like(squares)), 0.0, None)
    p: Floats = x / xp.sum(x, axis=0)
    return p
