"""The margin below which a given number of pairs lies, of two sorted arrays; no pair is formed.

With both classes sorted, the pairs below a threshold are one merge. Ten to thirty of them find it.
(First thresholds from thinned arrays would spare most merges and a fifth to two fifths of the time
from 20,000 samples on: less than anybody notices beside fits on so many.)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from polychotomy.combination.linear_program import (
    WorkingSet,
    nearest_on_simplex,
    solve_saddle,
    to_simplex,
)
from polychotomy.combination.two_classes import Sides
from polychotomy.core.arrays import Floats, Ints

_MERGES = 200  # bisection to rounding takes 60


class Cut(NamedTuple):
    """A threshold, and how many negatives each positive outranks by less: by ascending score."""

    rho: float
    counts: Ints  # (N⁺,), descending
    pairs: int  # their sum


class Bracket(NamedTuple):
    """Two thresholds around the wanted one."""

    lower: Cut
    upper: Cut

    def error(self, wanted: float) -> float:
        """By how much the mean of the ``wanted`` smallest margins may be too large."""
        (least, _, below), (most, _, above) = self
        return 0.0 if above == wanted else (above - below) / wanted * (most - least)

    def interpolate(self, wanted: float) -> float:
        """Share of the way from lower to upper at which ``wanted`` pairs are to be expected."""
        return (wanted - self.lower.pairs) / (self.upper.pairs - self.lower.pairs)


def find_threshold(high: Floats, low: Floats, wanted: float, accuracy: float) -> Bracket:
    """Narrow a bracket around the ``wanted``-th smallest pair margin of two sorted arrays.

    It ends where its ``error`` is at most ``accuracy``, or rounding allows no more.

    Examples
    --------
    Margins −1, 0, 1, 2; two lie below 1:

    >>> import numpy as np
    >>> high, low = np.array([0.0, 2.0]), np.array([0.0, 1.0])
    >>> bracket = find_threshold(high, low, 2.0, 1e-3)
    >>> bracket.upper.pairs, bool(0.0 < bracket.upper.rho <= 1.0)
    (2, True)
    """
    least, most = float(high[0] - low[-1]), float(high[-1] - low[0])
    above = most + abs(most) * 2 * float(np.finfo(np.float64).eps) + 5e-324
    every = np.full(len(high), len(low))
    bracket = Bracket(Cut(least, 0 * every, 0), Cut(above, every, len(high) * len(low)))
    for step in range(_MERGES):
        if bracket.error(wanted) <= accuracy:
            break
        # Interpolation, with a bisection every third time for distributions that defeat it.
        part = 0.5 if step % 3 == 2 else min(max(bracket.interpolate(wanted), 0.02), 0.98)
        rho = bracket.lower.rho + part * (bracket.upper.rho - bracket.lower.rho)
        if not bracket.lower.rho < rho < bracket.upper.rho:
            break
        counts = len(low) - np.searchsorted(low, high - rho, side="right")
        cut = Cut(rho, counts, int(counts.sum()))
        bracket = bracket._replace(**{"lower" if cut.pairs < wanted else "upper": cut})
    return bracket


LEVEL = 0.5  # between the best value (0) and the upper bound (1)


class Evaluation(NamedTuple):
    """A value that is right to ``error``, from above, and a slope."""

    value: float
    slope: Floats  # (m,)
    error: float


Oracle = Callable[[Floats], Evaluation]
"""From weights to what is maximised there."""


@dataclass(frozen=True)
class LevelOptimum:
    """The best point found, its value, and how much better another could be."""

    weights: Floats
    value: float = -np.inf
    gap: float = np.inf
    evaluations: int = 0

    def or_else(self, weights: Floats, found: Evaluation, *, upper: float) -> LevelOptimum:
        """Return the better of this and a further point; ``upper`` bounds all values."""
        value = found.value - found.error
        if value <= self.value:
            weights, value = self.weights, self.value
        return LevelOptimum(weights, value, max(0.0, upper - value), self.evaluations + 1)


def maximise_on_simplex(
    oracle: Oracle, start: Floats, *, gap: float, most_evaluations: int
) -> LevelOptimum:
    """Maximise until the certified gap is small, from a start on the simplex.

    Examples
    --------
    The minimum of two straight lines:

    >>> import numpy as np
    >>> from polychotomy.combination.soft_margin import Evaluation, maximise_on_simplex
    >>> lines = np.array([[1.0, 0.0], [0.0, 2.0]])
    >>> def lowest(w):
    ...     line = lines[(lines @ w).argmin()]
    ...     return Evaluation(line @ w, line, 0.0)
    >>> found = maximise_on_simplex(lowest, np.full(2, 0.5), gap=1e-9, most_evaluations=50)
    >>> found.weights.round(6)
    array([0.666667, 0.333333])
    """
    best, weights, upper = LevelOptimum(start), start, np.inf
    planes = np.empty((0, len(start)))  # plane i is planes[i] @ w: its constant is in its slope
    for _ in range(most_evaluations):
        found = oracle(weights)
        planes = np.vstack([planes, found.slope + (found.value - found.slope @ weights)])
        bound, corner = _maximise_planes(planes)
        upper = min(upper, bound)
        best = best.or_else(weights, found, upper=upper)
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


def maximise_soft_margin(
    sides: Sides, *, slack: float, pull: float, gap: float = 5e-7
) -> LevelOptimum:
    """Maximise the soft margin less pull/2 · ‖w − uniform‖² over the simplex.

    The gap is in the unit of the scores where their range is of order 1 to 100, and relative to
    that range elsewhere.
    """
    uniform = np.full(sides.m, 1.0 / sides.m)
    span = float(np.ptp(sides.scores, axis=0).max()) or 1.0
    goal = gap * max(min(1.0, span), span / 100)

    def objective(weights: Floats) -> Evaluation:
        value, slope, error = evaluate_soft_margin(sides, weights, slack, accuracy=goal / 20)
        away = weights - uniform
        return Evaluation(value - pull / 2 * float(away @ away), slope - pull * away, error)

    near = LevelOptimum(uniform)
    if pull > 0:
        near = _step_by_projections(objective, uniform, pull=pull, gap=goal)
    if near.gap <= goal:
        return near
    found = maximise_on_simplex(objective, near.weights, gap=goal, most_evaluations=EVALUATIONS)
    return replace(found, evaluations=near.evaluations + found.evaluations)


def _step_by_projections(oracle: Oracle, start: Floats, *, pull: float, gap: float) -> LevelOptimum:
    """Maximise the plane at the last point, bent by the pull, exactly, a few times.

    That is the projection of w + slope / pull. It ends at once for slack 1, whose margin is
    linear, and soon for a strong pull; the maximum of the bent plane is the upper bound.
    """
    best, weights, upper = LevelOptimum(start), start, np.inf
    for _ in range(_PROJECTIONS):
        found = oracle(weights)
        # Not project_to_simplex: for a single small row it takes many times as long.
        point = weights + found.slope / pull
        point = np.maximum(point - point.max(), -1.0)  # below that all is 0 in any case
        thresholds = (np.cumsum(np.sort(point)[::-1]) - 1.0) / np.arange(1.0, len(point) + 1.0)
        following = to_simplex(np.maximum(point - thresholds.max(), 0.0))
        step = following - weights
        bent = found.value + float(found.slope @ step) - pull / 2 * float(step @ step)
        upper = min(upper, bent)
        best = best.or_else(weights, found, upper=upper)
        if best.gap <= gap or np.array_equal(following, weights):
            break
        weights = following
    return best


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
    parts_high, parts_low = np.zeros(len(high)), np.zeros(len(low))
    for cut, part in zip(bracket, (1.0 - share, share), strict=True):
        parts_high += part / wanted * cut.counts
        parts_low += part / wanted * _partners(cut.counts, len(low))
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
