"""The soft rank margin: MST09's future work, as the mean of the worst pair margins.

Slack turns the hard margin into max over ρ of ρ − C · mean over pairs of (ρ − pair margin)₊. At its
best ρ this is the mean of the smallest 1/C of all pair margins (Rockafellar & Uryasev 2000): the
hard margin for C → ∞, the mean margin for C = 1. For C < 1 no best ρ exists.

Value and slope cost two sorts and a few merges. For a positive, the pairs below ρ are those with
the highest negatives, so counting them says how often each sample takes part.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import ModuleType

import numpy as np
from array_api_compat import device, is_numpy_namespace

from polychotomy.arrays import Floats, Ints, to_host
from polychotomy.combination.level_method import LevelOptimum, maximise_on_simplex
from polychotomy.combination.nearest_point import to_simplex
from polychotomy.combination.pair_threshold import find_threshold
from polychotomy.combination.sides import Sides
from polychotomy.decoding import project_to_simplex

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

    xp = sides.xp
    spans = xp.max(sides.scores, axis=0) - xp.min(sides.scores, axis=0)
    span = float(xp.max(spans)) or 1.0
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
        following = to_simplex(project_to_simplex(uniform + found.slope / pull))
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
    xp = sides.xp
    high, low = sides.combine(weights)
    order_high, order_low = xp.argsort(high, stable=False), xp.argsort(low, stable=False)
    high, low = xp.take(high, order_high), xp.take(low, order_low)
    wanted = max(1.0, high.shape[0] * low.shape[0] / slack)
    bracket = find_threshold(xp, high, low, wanted, accuracy)
    share = bracket.interpolate(wanted)
    lower, upper = bracket.counts_lower, bracket.counts_upper
    parts_high = _mix(xp, lower, upper, share, high) / wanted
    lower, upper = (_partners(xp, counts, low.shape[0]) for counts in (lower, upper))
    parts_low = _mix(xp, lower, upper, share, low) / wanted
    rows = xp.concat([xp.take(sides.positives, order_high), xp.take(sides.negatives, order_low)])
    parts = _in_order(xp, rows, xp.concat([parts_high, -parts_low]))
    value = float(parts_high @ high - parts_low @ low)
    slope = np.asarray(to_host(parts @ sides.scores), dtype=np.float64)
    return Evaluation(value, slope, bracket.error(wanted))


def _in_order(xp: ModuleType, rows: Ints, values: Floats) -> Floats:
    """Put each value at its row: written there by NumPy, by a sort where arrays do not change."""
    if is_numpy_namespace(xp):
        placed = np.empty_like(values)
        placed[rows] = values
        return placed
    ordered: Floats = xp.take(values, xp.argsort(rows, stable=False))
    return ordered


def _partners(xp: ModuleType, counts: Ints, n_low: int) -> Ints:
    """For each negative, by ascending score: how many positives count it among their highest.

    The negative of rank r from the top is counted by the positives whose count exceeds r; counts
    descend with the positives' scores, so these are the first ones.
    """
    if is_numpy_namespace(xp):
        paired = np.bincount(counts, minlength=n_low + 1)  # positives with so many partners
        return np.cumsum(paired[:0:-1])
    ascending = xp.flip(counts)
    ranks = xp.arange(n_low, dtype=counts.dtype, device=device(counts))
    with_fewer = xp.searchsorted(ascending, ranks, side="right")
    partners: Ints = xp.flip(counts.shape[0] - with_fewer)
    return partners


def _mix(xp: ModuleType, lower: Ints, upper: Ints, share: float, kind: Floats) -> Floats:
    below, above = (xp.astype(counts, kind.dtype) for counts in (lower, upper))
    mixed: Floats = (1.0 - share) * below + share * above
    return mixed
