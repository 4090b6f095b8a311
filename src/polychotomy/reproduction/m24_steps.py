"""M24 eqs. (12), (13): the directions in which the projection on the simplex moves.

What they are good for is a proof, not a computation. Every step of the loop leads from one plane
to the nearest point of a smaller plane inside it, and all later steps stay in that smaller plane;
so the steps are orthogonal, no step undoes another, their squared lengths add up to the squared
distance, and after at most k steps it is done. As a basis to compute in the vectors of (13) cost
k² products where the loop subtracts a mean; and they are the steps only where coordinates leave
one at a time, the first first.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from polychotomy.core.arguments import as_floats, check_finite
from polychotomy.core.arrays import Floats


def projection_steps(point: ArrayLike) -> Floats:
    """Return the steps (s, k) of M24's loop, its sign repaired, from a point to the simplex.

    Examples
    --------
    Eq. (12): the second of two steps, where one of four coordinates is negative after the first.

    >>> import numpy as np
    >>> from polychotomy.reproduction.m24_steps import projection_steps
    >>> steps = projection_steps([-0.35, 0.5, 0.4, 0.25])
    >>> steps.round(6)
    array([[ 0.05,  0.05,  0.05,  0.05],
           [ 0.3 , -0.1 , -0.1 , -0.1 ]])
    >>> bool(abs(steps[0] @ steps[1]) < 1e-12)
    True
    """
    here = as_floats("point", point).ravel()
    check_finite("point", here)
    free, steps = np.ones(len(here), dtype=bool), []
    while True:
        there = np.where(free, here, 0.0)
        there[free] -= (there.sum() - 1.0) / free.sum()
        steps.append(there - here)
        here, negative = there, there < 0
        if not negative.any():
            return np.array(steps)
        free &= ~negative


def direction_vectors(k: int, *, as_printed: bool = False) -> Floats:
    """Vectors v_0, …, v_{k−2} of eq. (13), with their norms repaired or as printed.

    The squared norm is (k − i)(k − i − 1) for i from 0; (k − i)² − 2(k − i − 1) is printed, which
    is the same for the last vector only. Repaired, they are Helmert's: with (1, …, 1)/√k an
    orthonormal basis.

    Examples
    --------
    >>> from polychotomy.reproduction.m24_steps import direction_vectors
    >>> (direction_vectors(3) ** 2).sum(axis=1).round(6)
    array([1., 1.])
    >>> (direction_vectors(4, as_printed=True) ** 2).sum(axis=1).round(6)
    array([1.2, 1.2, 1. ])
    """
    left = k - np.arange(k - 1)
    vectors = np.triu(np.ones((k - 1, k)), 1)
    vectors[np.arange(k - 1), np.arange(k - 1)] = 1 - left
    squares = left**2 - 2 * (left - 1) if as_printed else left * (left - 1)
    return np.asarray(vectors / np.sqrt(squares)[:, None])
