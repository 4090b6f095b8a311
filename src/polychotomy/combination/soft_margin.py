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
from polychotomy.combination.sides import Sides
from polychotomy.decoding import project_to_simplex

EVALUATIONS = 500  # tens are usual
_PROJECTIONS = 5  # more are left to the level method
_MERGES = 200  # bisection to rounding takes 60


@dataclass(frozen=True)
class Evaluation:
    """A soft margin and its slope; the value is right to ``error``, from above."""

    value: float
    slope: Floats  # (m,)
    error: float


@dataclass(frozen=True)
class _Bracket:
    """Thresholds lower ≤ ρ ≤ upper, and for each the negatives paired with each positive."""

    lower: float
    upper: float
    counts_lower: Ints  # (N⁺,) by ascending score, descending themselves
    counts_upper: Ints
    pairs: tuple[int, int]  # their sums


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
    bracket, error = _find_threshold(xp, high, low, wanted, accuracy)
    below, above = bracket.pairs
    share = (wanted - below) / (above - below)
    lower, upper = bracket.counts_lower, bracket.counts_upper
    parts_high = _mix(xp, lower, upper, share, high) / wanted
    lower, upper = (_partners(xp, counts, low.shape[0]) for counts in (lower, upper))
    parts_low = _mix(xp, lower, upper, share, low) / wanted
    rows = xp.concat([xp.take(sides.positives, order_high), xp.take(sides.negatives, order_low)])
    parts = _in_order(xp, rows, xp.concat([parts_high, -parts_low]))
    value = float(parts_high @ high - parts_low @ low)
    return Evaluation(value, np.asarray(to_host(parts @ sides.scores), dtype=np.float64), error)


def _in_order(xp: ModuleType, rows: Ints, values: Floats) -> Floats:
    """Put each value at its row: written there by NumPy, by a sort where arrays do not change."""
    if is_numpy_namespace(xp):
        placed = np.empty_like(values)
        placed[rows] = values
        return placed
    ordered: Floats = xp.take(values, xp.argsort(rows, stable=False))
    return ordered


def _find_threshold(
    xp: ModuleType, high: Floats, low: Floats, wanted: float, accuracy: float
) -> tuple[_Bracket, float]:
    """Narrow a bracket around the ``wanted``-th smallest pair margin of two sorted arrays."""
    n_high, n_low = high.shape[0], low.shape[0]
    least, most = float(high[0] - low[-1]), float(high[-1] - low[0])
    everything = xp.full_like(xp.searchsorted(low, high), n_low)
    bracket = _Bracket(
        least, _just_above(xp, most, high), xp.zeros_like(everything), everything,
        (0, n_high * n_low),
    )  # fmt: skip
    for step in range(_MERGES):
        below, above = bracket.pairs
        error = (above - below) / wanted * (bracket.upper - bracket.lower)
        if above == wanted or error <= accuracy:
            break
        # Interpolation, with a bisection every third time for distributions that defeat it.
        part = 0.5 if step % 3 == 2 else min(max((wanted - below) / (above - below), 0.02), 0.98)
        middle = bracket.lower + part * (bracket.upper - bracket.lower)
        if not bracket.lower < middle < bracket.upper:
            break
        bracket = _narrow(xp, bracket, high, low, middle, wanted)
    return bracket, 0.0 if above == wanted else error


def _just_above(xp: ModuleType, value: float, kind: Floats) -> float:
    """Return a number that is larger in the arrays' precision too."""
    epsilon = float(xp.finfo(kind.dtype).eps)
    return value + max(abs(value), 1.0 if epsilon > 1e-12 else 0.0) * 2 * epsilon + 5e-324


def _narrow(
    xp: ModuleType, bracket: _Bracket, high: Floats, low: Floats, rho: float, wanted: float
) -> _Bracket:
    counts = low.shape[0] - xp.searchsorted(low, high - rho, side="right")
    pairs = int(xp.sum(counts))
    if pairs < wanted:
        return _Bracket(rho, bracket.upper, counts, bracket.counts_upper, (pairs, bracket.pairs[1]))
    return _Bracket(bracket.lower, rho, bracket.counts_lower, counts, (bracket.pairs[0], pairs))


def _partners(xp: ModuleType, counts: Ints, n_low: int) -> Ints:
    """For each negative, by ascending score: how many positives count it among their highest.

    The negative of rank r from the top is counted by the positives whose count exceeds r; counts
    descend with the positives' scores, so these are the first ones.
    """
    ascending = xp.flip(counts)
    ranks = xp.arange(n_low, dtype=counts.dtype, device=device(counts))
    with_fewer = xp.searchsorted(ascending, ranks, side="right")
    partners: Ints = xp.flip(counts.shape[0] - with_fewer)
    return partners


def _mix(xp: ModuleType, lower: Ints, upper: Ints, share: float, kind: Floats) -> Floats:
    below, above = (xp.astype(counts, kind.dtype) for counts in (lower, upper))
    mixed: Floats = (1.0 - share) * below + share * above
    return mixed
