"""Wu, Lin & Weng (2004), second method: pairwise coupling as one linear system a sample."""

from __future__ import annotations

from types import ModuleType

from polychotomy.arrays import Floats
from polychotomy.decoding.arguments import like
from polychotomy.decoding.elimination import ELEMENTWISE, solve_definite
from polychotomy.decoding.pairs import add_to_classes, symmetric


def couple_least_squares(xp: ModuleType, r: Floats, weights: Floats, k: int) -> Floats:
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

    Returns
    -------
    (k, n)

    Examples
    --------
    >>> import numpy as np
    >>> couple_least_squares(np, np.array([[0.9], [0.4], [0.7]]), np.ones(3), 3).ravel().round(6)
    array([0.457233, 0.202129, 0.340638])
    """
    w = like(xp, weights, r)[:, None]
    s = 1.0 - r
    squares = add_to_classes(xp, w * s * s, w * r * r, k)
    full = k > ELEMENTWISE
    matrices = symmetric(xp, 1.0 - w * r * s, k, full=full)
    for i in range(k):
        matrices[i, i, :] = squares[i, :] + 1.0
    x = solve_definite(xp, matrices, xp.ones_like(squares))
    x = xp.clip(x, 0.0, None)
    p: Floats = x / xp.sum(x, axis=0)
    return p
