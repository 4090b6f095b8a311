"""The margin's linear program on a few rows, and a bound on what other weights could reach.

HiGHS solves the dual: minimise t over distributions λ on the positives and μ on the negatives with
λᵀA − μᵀB ≤ t, a row for each classifier.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import linprog

from polychotomy.combination.nearest_point import to_simplex
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
        rounding = (
            4 * float(np.finfo(np.float64).eps) * float(max(np.abs(high).max(), np.abs(low).max()))
        )
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
        return np.array_equal(self.positives, other.positives) and np.array_equal(
            self.negatives, other.negatives
        )


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
