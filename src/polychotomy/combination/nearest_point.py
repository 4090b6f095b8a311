"""The point of a polytope in the simplex that is nearest to a given point.

Least-distance programming by non-negative least squares (Lawson & Hanson 1974, ch. 23): a small
quadratic program without a quadratic programming solver. Two uses here: to choose among equal
optima of the hard margin, and to take the steps of the level method for the soft one.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import helmert

from polychotomy.core.arrays import Bools, Floats


def nearest_on_simplex(centre: Floats, normals: Floats, offsets: Floats) -> Floats | None:
    """Minimise ‖w − centre‖ over the simplex subject to ``normals @ w >= offsets``.

    Parameters
    ----------
    centre : (m,) floats
        A point whose coordinates sum to 1.
    normals : (rows, m) floats
    offsets : (rows,) floats

    Returns
    -------
    (m,) floats or None
        None where no point satisfies the constraints to rounding.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.combination.nearest_point import nearest_on_simplex
    >>> uniform = np.full(3, 1 / 3)
    >>> nearest_on_simplex(uniform, np.array([[1.0, 0.0, 0.0]]), np.array([0.5]))
    array([0.5 , 0.25, 0.25])
    """
    m = len(centre)
    basis = helmert(m).T  # orthonormal columns, spanning the vectors of sum 0
    rows = np.concatenate([normals, np.eye(m)])
    slopes = rows @ basis  # the constraints in coordinates of the plane of sum 1
    heights = np.concatenate([offsets, np.zeros(m)]) - rows @ centre
    lengths = np.linalg.norm(slopes, axis=1)
    # A row that is constant on the simplex constrains nothing (or everything: left to the caller,
    # who checks the point returned).
    used = lengths > np.finfo(np.float64).eps * np.abs(rows).max(axis=1)
    step = _least_distance(slopes[used] / lengths[used, None], heights[used] / lengths[used])
    return None if step is None else to_simplex(centre + basis @ step)


def to_simplex(weights: Floats) -> Floats:
    """Remove rounding: no negative weight, sum 1.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.combination.nearest_point import to_simplex
    >>> to_simplex(np.array([0.5, 0.5, -1e-17]))
    array([0.5, 0.5, 0. ])
    """
    kept = np.where(weights > 1e-15, weights, 0.0)
    return np.asarray(kept / kept.sum())


def _least_distance(slopes: Floats, heights: Floats) -> Floats | None:
    """Shortest x with ``slopes @ x >= heights``."""
    if (heights <= 0).all():
        return np.zeros(slopes.shape[1])
    system = np.concatenate([slopes.T, heights[None]])
    target = np.zeros(len(system))
    target[-1] = 1.0
    multipliers = non_negative_least_squares(system, target)
    residual = system @ multipliers - target
    if residual[-1] > -1e-6:  # ‖x‖ > 1000: beyond the simplex, so nothing satisfies them
        return None
    shortest = np.asarray(-residual[:-1] / residual[-1], dtype=np.float64)
    # The binding rows as equations, solved afresh, are usually satisfied to rounding; not when a
    # row has a multiplier by rounding only.
    binding = multipliers > 0
    solved = np.linalg.lstsq(slopes[binding], heights[binding], rcond=1e-13)[0]
    afresh = np.asarray(solved, dtype=np.float64)
    violated = [float((slopes @ x - heights).min()) for x in (shortest, afresh)]
    return afresh if violated[1] >= violated[0] else shortest


def non_negative_least_squares(system: Floats, target: Floats) -> Floats:
    """Minimise ‖system @ x − target‖ over x ≥ 0 by Lawson & Hanson's active sets.

    Not scipy's ``nnls``: version 1.17 was seen to stop at a point that is no minimum when columns
    depend on each other, which is the usual case here.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.combination.nearest_point import non_negative_least_squares
    >>> non_negative_least_squares(np.eye(2), np.array([2.0, -1.0]))
    array([2., 0.])
    """
    n = system.shape[1]
    x, used, refused = np.zeros(n), np.zeros(n, dtype=bool), np.zeros(n, dtype=bool)
    least = 1e-14 * float(np.abs(system.T @ target).max(initial=0.0))
    for _ in range(20 * n + 100):  # the textbook's bound is 3n; a guard against cycling by rounding
        gradient = system.T @ (target - system @ x)
        gradient[used | refused] = -np.inf
        entering = int(gradient.argmax())
        if gradient[entering] <= least:
            break
        used[entering] = True
        trial = _solve_on(system, target, used)
        if trial[entering] <= 0:  # depends on the columns in use: entered by rounding only
            used[entering], refused[entering] = False, True
            continue
        refused[:] = False
        x = _drop_negatives(system, target, x, trial, used)
    return x


def _solve_on(system: Floats, target: Floats, used: Bools) -> Floats:
    x = np.zeros(len(used))
    x[used] = np.linalg.lstsq(system[:, used], target, rcond=None)[0]
    return x


def _drop_negatives(
    system: Floats, target: Floats, x: Floats, trial: Floats, used: Bools
) -> Floats:
    """Walk from x towards the trial, dropping (in ``used``) what would turn negative on the way."""
    while (blocked := used & (trial <= 0)).any():
        ratios = np.full(len(x), np.inf)
        ratios[blocked] = x[blocked] / (x[blocked] - trial[blocked])
        x = x + ratios.min() * (trial - x)
        used[blocked & (ratios <= ratios.min())] = False
        x[~used] = 0.0
        trial = _solve_on(system, target, used)
    return trial
