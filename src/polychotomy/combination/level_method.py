"""Maximise a concave function on the simplex by the level method.

Lemaréchal, Nemirovskii & Nesterov (1995). Each evaluation gives a plane above the function. The
planes' own maximum is an upper bound; the next point is not there (that is the cutting-plane
method, which jumps between corners and stalls) but the point nearest to the best one so far at
which the planes still promise half of what is missing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from polychotomy.arrays import Floats
from polychotomy.combination.margin_program import WorkingSet, solve_saddle
from polychotomy.combination.nearest_point import nearest_on_simplex

LEVEL = 0.5  # between the best value (0) and the upper bound (1)

Oracle = Callable[[Floats], tuple[float, Floats, float]]
"""weights → a value, a slope, and by how much the value may be too large."""


@dataclass(frozen=True)
class LevelOptimum:
    """The best point found, its value, and how much better another could be."""

    weights: Floats
    value: float
    gap: float
    evaluations: int


def maximise_on_simplex(
    oracle: Oracle, start: Floats, *, gap: float, most_evaluations: int
) -> LevelOptimum:
    """Maximise until the certified gap is small, from a start on the simplex.

    Examples
    --------
    The minimum of two straight lines:

    >>> import numpy as np
    >>> from polychotomy.combination.level_method import maximise_on_simplex
    >>> lines = np.array([[1.0, 0.0], [0.0, 2.0]])
    >>> def lowest(w):
    ...     line = lines[(lines @ w).argmin()]
    ...     return line @ w, line, 0.0
    >>> found = maximise_on_simplex(lowest, np.full(2, 0.5), gap=1e-9, most_evaluations=50)
    >>> found.weights.round(6)
    array([0.666667, 0.333333])
    """
    weights, upper = start, np.inf
    best = LevelOptimum(start, -np.inf, np.inf, 0)
    planes = np.empty((0, len(start)))  # plane i is planes[i] @ w: its constant is in its slope
    for evaluation in range(1, most_evaluations + 1):
        value, slope, error = oracle(weights)
        planes = np.concatenate([planes, [slope + (value - slope @ weights)]])
        bound, corner = _maximise_planes(planes)
        upper = min(upper, bound)
        if value - error > best.value:
            best = LevelOptimum(weights, value - error, np.inf, evaluation)
        best = LevelOptimum(best.weights, best.value, max(0.0, upper - best.value), evaluation)
        if best.gap <= gap:
            break
        level = best.value + LEVEL * best.gap
        nearest = nearest_on_simplex(best.weights, planes, np.full(len(planes), level))
        weights = corner if nearest is None else nearest
    return best


def _maximise_planes(planes: Floats) -> tuple[float, Floats]:
    """Upper bound and where the planes reach it: the margin program with a single negative, 0."""
    zero, numbers = np.zeros((1, planes.shape[1])), np.arange(len(planes) + 1)
    epsilon = float(np.finfo(np.float64).eps)
    working = WorkingSet.of(planes, zero, numbers[:-1], numbers[-1:], epsilon=epsilon)
    saddle = solve_saddle(working)
    return working.margin(saddle.bound), saddle.weights
