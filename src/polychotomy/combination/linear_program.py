"""Two small programs on the simplex: the margin's linear one, and the point nearest to another.

The margin's is on a few rows, with a bound on what other weights could reach. HiGHS solves the
dual: minimise t over distributions λ on the positives and μ on the negatives with λᵀA − μᵀB ≤ t, a
row for each classifier.

The nearest point of a polytope in the simplex is least-distance programming by non-negative least
squares (Lawson & Hanson 1974, ch. 23): a small quadratic program without a quadratic programming
solver. It has two uses here: to choose among equal optima of the hard margin, and to take the steps
of the level method for the soft one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import helmert
from scipy.optimize import linprog, nnls

from polychotomy.core.arrays import Floats, Ints

# HiGHS's tightest; where it gives up on them, its own defaults.
_ATTEMPTS: tuple[dict[str, float | bool], ...] = (
    {"presolve": False, "primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    {"presolve": True},
)


@dataclass(frozen=True)
class WorkingSet:
    """Rows of both classes that may bind, shifted and scaled to differences of order 1.

    A margin does not feel a shift of a column, and feels one of all the positives as a constant. So
    classifiers that differ by 1e-9 only are as good a problem as any.
    """

    positives: Ints  # (p,) row numbers, ascending
    negatives: Ints  # (q,)
    high: Floats  # (p, m), the positives' scores: high * scale + offset + shift of the column
    low: Floats  # (q, m)
    scale: float
    offset: float
    rounding: float  # of a combined score

    @classmethod
    def of(cls, high: Floats, low: Floats, positives: Ints, negatives: Ints) -> WorkingSet:
        """Take those of these rows, of these numbers, that can bind."""
        largest = float(max(np.abs(high).max(), np.abs(low).max()))
        rounding = 4 * float(np.finfo(np.float64).eps) * largest
        # At any weights the lowest positive is at most min max, so a row above that never binds.
        kept_high = high.min(axis=1) <= high.max(axis=1).min()
        kept_low = low.max(axis=1) >= low.min(axis=1).max()
        high, low = high[kept_high], low[kept_low]
        shift = low[0].copy()
        high, low = high - shift, low - shift
        offset = float(high[0].mean())
        high -= offset
        scale = max(float(np.abs(high).max()), float(np.abs(low).max()), rounding) or 1.0
        return cls(
            positives[kept_high], negatives[kept_low], high / scale, low / scale,
            scale, offset, rounding,
        )  # fmt: skip

    def margin(self, value: float) -> float:
        """Return a margin of these rows in the unit of the scores."""
        return value * self.scale + self.offset

    def has_same_rows(self, other: WorkingSet) -> bool:
        """Say whether growing has added nothing."""
        same = np.array_equal(self.positives, other.positives)
        return same and np.array_equal(self.negatives, other.negatives)


@dataclass(frozen=True)
class Saddle:
    """Weights, and duals that bound every other margin, on a working set and in its scale."""

    weights: Floats  # (m,), on the simplex
    high: Floats  # (p,), on the simplex
    low: Floats  # (q,), on the simplex
    bound: float


def solve_saddle(working: WorkingSet) -> Saddle:
    """Minimise t over λ, μ on their simplices, with λᵀA − μᵀB ≤ t for every classifier.

    The dual has a row for each classifier, the primal a row for each sample: HiGHS is faster on
    this one. To its tolerance: solving the equations of its last basis afresh, and again with a
    unit for each classifier, made gaps of 10⁻⁹ of the range 10⁻¹⁰ at best.
    """
    p, q, m = len(working.positives), len(working.negatives), working.high.shape[1]
    cost = np.zeros(p + q + 1)
    cost[-1] = 1.0
    rows = np.concatenate([working.high.T, -working.low.T, np.full((m, 1), -1.0)], axis=1)
    sums = np.zeros((2, p + q + 1))
    sums[0, :p] = sums[1, p:-1] = 1.0
    bounds = np.zeros((p + q + 1, 2))
    bounds[:, 1] = np.inf
    bounds[-1, 0] = -np.inf
    for options in _ATTEMPTS:
        solution = linprog(
            cost, A_ub=rows, b_ub=np.zeros(m), A_eq=sums, b_eq=np.ones(2), bounds=bounds,
            method="highs", options=options,
        )  # fmt: skip
        if solution.status == 0:
            break
    marginals = -solution.ineqlin.marginals
    parts = (marginals / marginals.sum(), solution.x[:p], solution.x[p:-1])
    weights, high, low = (to_simplex(part) for part in parts)
    return Saddle(weights, high, low, float((high @ working.high - low @ working.low).max()))


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
    >>> from polychotomy.combination.linear_program import nearest_on_simplex
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
    >>> from polychotomy.combination.linear_program import to_simplex
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
    try:
        multipliers, _ = nnls(system, target)
    except RuntimeError:  # more steps than it allows itself, which no program here was seen to take
        return None
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
