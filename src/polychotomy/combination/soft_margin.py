"""The margin below which a given number of pairs lies, of two sorted arrays; no pair is formed.

With both classes sorted, the pairs below a threshold are one merge. Ten to thirty of them find it.
(First thresholds from thinned arrays would spare most merges and a fifth to two fifths of the time
from 20,000 samples on: less than anybody notices beside fits on so many.)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from array_api_compat import numpy

from polychotomy.combination.linear_program import WorkingSet, solve_saddle
from polychotomy.combination.nearest_point import nearest_on_simplex, to_simplex
from polychotomy.combination.two_classes import Sides
from polychotomy.core.arrays import Floats, Ints
from polychotomy.decoding.simplex import project_rows

_MERGES = 200  # bisection to rounding takes 60


@dataclass(frozen=True)
class Bracket:
    """Thresholds lower ≤ ρ ≤ upper, and for each the negatives paired with each positive."""

    lower: float
    upper: float
    counts_lower: Ints  # (N⁺,) by ascending score, descending themselves
    counts_upper: Ints
    pairs: tuple[int, int]  # their sums

    def error(self, wanted: float) -> float:
        """By how much the mean of the ``wanted`` smallest margins may be too large."""
        below, above = self.pairs
        return 0.0 if above == wanted else (above - below) / wanted * (self.upper - self.lower)

    def interpolate(self, wanted: float) -> float:
        """Share of the way from lower to upper at which ``wanted`` pairs are to be expected."""
        below, above = self.pairs
        return (wanted - below) / (above - below)


def find_threshold(high: Floats, low: Floats, wanted: float, accuracy: float) -> Bracket:
    """Narrow a bracket around the ``wanted``-th smallest pair margin of two sorted arrays.

    It ends where its ``error`` is at most ``accuracy``, or rounding allows no more.

    Examples
    --------
    Margins −1, 0, 1, 2; two lie below 1:

    >>> import numpy as np
    >>> high, low = np.array([0.0, 2.0]), np.array([0.0, 1.0])
    >>> bracket = find_threshold(high, low, 2.0, 1e-3)
    >>> bracket.pairs[1], bool(0.0 < bracket.upper <= 1.0)
    (2, True)
    """
    bracket = _everything(high, low)
    for step in range(_MERGES):
        if bracket.error(wanted) <= accuracy:
            break
        # Interpolation, with a bisection every third time for distributions that defeat it.
        part = 0.5 if step % 3 == 2 else min(max(bracket.interpolate(wanted), 0.02), 0.98)
        middle = bracket.lower + part * (bracket.upper - bracket.lower)
        if not bracket.lower < middle < bracket.upper:
            break
        bracket = _narrow(bracket, high, low, middle, wanted)
    return bracket


def _everything(high: Floats, low: Floats) -> Bracket:
    """Return the bracket from the smallest margin to just above the largest."""
    n_high, n_low = len(high), len(low)
    least, most = float(high[0] - low[-1]), float(high[-1] - low[0])
    none, every = np.zeros(n_high, dtype=np.intp), np.full(n_high, n_low)
    above = most + abs(most) * 2 * float(np.finfo(np.float64).eps) + 5e-324
    return Bracket(least, above, none, every, (0, n_high * n_low))


def _narrow(bracket: Bracket, high: Floats, low: Floats, rho: float, wanted: float) -> Bracket:
    """Count the pairs with a margin below ``rho``, which becomes one of the two ends."""
    counts = len(low) - np.searchsorted(low, high - rho, side="right")
    pairs = int(counts.sum())
    if pairs < wanted:
        return Bracket(rho, bracket.upper, counts, bracket.counts_upper, (pairs, bracket.pairs[1]))
    return Bracket(bracket.lower, rho, bracket.counts_lower, counts, (bracket.pairs[0], pairs))


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
    >>> from polychotomy.combination.soft_margin import maximise_on_simplex
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
    working = WorkingSet.of(planes, zero, numbers[:-1], numbers[-1:])
    saddle = solve_saddle(working)
    return working.margin(saddle.bound), saddle.weights


EVALUATIONS = 500  # tens are usual

_PROJECTIONS = 5  # more are left to the level method


@dataclass(frozen=True)
class Evaluation:
    """A soft margin and its slope; the value is right to ``error``, from above."""

    value: float
    slope: Floats  # (m,)
    error: float


def maximise_soft_margin(
    sides: Sides, *, slack: float, pull: float, gap: float = 5e-7
) -> LevelOptimum:
    """Maximise the soft margin less pull/2 · ‖w − uniform‖² over the simplex.

    The gap is in the unit of the scores where their range is of order 1 to 100, and relative to
    that range elsewhere.
    """
    uniform = np.full(sides.m, 1.0 / sides.m)

    def objective(weights: Floats) -> tuple[float, Floats, float]:
        evaluation = evaluate_soft_margin(sides, weights, slack, accuracy=goal / 20)
        slope = evaluation.slope - pull * (weights - uniform)
        return evaluation.value - _penalty(weights, pull), slope, evaluation.error

    span = float(np.ptp(sides.scores, axis=0).max()) or 1.0
    goal = gap * max(min(1.0, span), span / 100)
    near = LevelOptimum(uniform, -np.inf, np.inf, 0)
    if pull > 0:
        near = _step_by_projections(sides, slack, pull, goal)
    if near.gap <= goal:
        return near
    found = maximise_on_simplex(objective, near.weights, gap=goal, most_evaluations=EVALUATIONS)
    return replace(found, evaluations=near.evaluations + found.evaluations)


def _step_by_projections(sides: Sides, slack: float, pull: float, goal: float) -> LevelOptimum:
    """Maximise the plane at the last point less the pull, exactly, a few times.

    That is the projection of uniform + slope / pull. It ends at once for slack 1, whose margin is
    linear, and soon for a strong pull; the plane's own maximum is the upper bound.
    """
    uniform = np.full(sides.m, 1.0 / sides.m)
    best = LevelOptimum(uniform, -np.inf, np.inf, 0)
    weights, upper = uniform, np.inf
    for step in range(1, _PROJECTIONS + 1):
        found = evaluate_soft_margin(sides, weights, slack, accuracy=goal / 20)
        value = found.value - found.error - _penalty(weights, pull)
        # Not project_to_simplex: its checks and chunks take five times as long as one small row.
        following = to_simplex(project_rows(numpy, (uniform + found.slope / pull)[None])[0])
        plane = found.value + found.slope @ (following - weights)
        upper = min(upper, float(plane) - _penalty(following, pull))
        if value > best.value:
            best = LevelOptimum(weights, value, np.inf, step)
        best = LevelOptimum(best.weights, best.value, max(0.0, upper - best.value), step)
        if best.gap <= goal or np.array_equal(following, weights):
            break
        weights = following
    return best


def _penalty(weights: Floats, pull: float) -> float:
    away = weights - 1.0 / len(weights)
    return pull / 2 * float(away @ away)


def evaluate_soft_margin(
    sides: Sides, weights: Floats, slack: float, *, accuracy: float
) -> Evaluation:
    """Mean of the smallest 1/slack of the pair margins, and a slope of it in the weights.

    The slope makes a valid cutting plane whatever the ``error``: it is that of a mean over some
    1/slack of the pairs, and no such mean is below the smallest.
    """
    high, low = sides.combine(weights)
    order_high, order_low = np.argsort(high), np.argsort(low)
    high, low = high[order_high], low[order_low]
    wanted = max(1.0, len(high) * len(low) / slack)
    bracket = find_threshold(high, low, wanted, accuracy)
    share = bracket.interpolate(wanted)
    lower, upper = bracket.counts_lower, bracket.counts_upper
    parts_high = ((1.0 - share) * lower + share * upper) / wanted
    lower, upper = (_partners(counts, len(low)) for counts in (lower, upper))
    parts_low = ((1.0 - share) * lower + share * upper) / wanted
    parts = np.empty(len(sides.scores))
    parts[sides.positives[order_high]] = parts_high
    parts[sides.negatives[order_low]] = -parts_low
    value = float(parts_high @ high - parts_low @ low)
    return Evaluation(value, parts @ sides.scores, bracket.error(wanted))


def _partners(counts: Ints, n_low: int) -> Ints:
    """For each negative, by ascending score: how many positives count it among their highest.

    The negative of rank r from the top is counted by the positives whose count exceeds r; counts
    descend with the positives' scores, so these are the first ones.
    """
    paired = np.bincount(counts, minlength=n_low + 1)  # positives with so many partners
    return np.cumsum(paired[:0:-1])
