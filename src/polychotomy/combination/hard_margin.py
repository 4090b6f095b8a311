"""The largest rank margin, exactly (MST09 section 3), by cutting planes.

The paper's program has a row for each of the N⁺N⁻ crucial pairs. Since the lowest positive minus
the highest negative is what counts, N⁺ + N⁻ rows say the same, and of those only a few bind: we
solve over a working set of rows, look (one product ``scores @ w``) which rows the answer violates
most, add them, and stop when a dual solution certifies that nothing better exists.

As printed, the paper's block form has Σw ≤ 1, whose optimum is w = 0 whenever no combination
separates the classes. Here Σw = 1 and the margin is free in sign.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from polychotomy.combination.linear_program import (
    Saddle,
    WorkingSet,
    nearest_on_simplex,
    solve_saddle,
)
from polychotomy.combination.two_classes import Sides
from polychotomy.core.arrays import Floats, Ints

ROWS_ADDED = 100  # a side and iteration: few enough for the program, enough for few iterations

GAP = 1e-12  # relative to the range of the rows that may bind


@dataclass(frozen=True)
class HardOptimum:
    """What the cutting planes end with; ``iterations`` counts products with the whole matrix."""

    saddle: Saddle
    working: WorkingSet
    margin: float
    iterations: int

    @property
    def gap(self) -> float:
        """How much larger a margin the duals leave possible."""
        return max(0.0, self.working.margin(self.saddle.bound) - self.margin)


def maximise_margin(sides: Sides) -> HardOptimum:
    """Weights of largest rank margin, with the duals that certify it."""
    working = add_extremes(sides, None, *sides.combine(np.full(sides.m, 1.0 / sides.m)))
    iterations = 1
    while True:
        saddle = solve_saddle(working)
        high, low = sides.combine(saddle.weights)
        iterations += 1
        optimum = HardOptimum(saddle, working, sides.margin(high, low), iterations)
        if optimum.gap <= GAP * working.scale + working.rounding:
            return optimum
        grown = add_extremes(sides, working, high, low)
        if grown.has_same_rows(working):  # no row is violated: the rest of the gap is rounding
            return optimum
        working = grown


def add_extremes(sides: Sides, working: WorkingSet | None, high: Floats, low: Floats) -> WorkingSet:
    """Add the rows that hold the margin down most: lowest positives and highest negatives."""
    positives = sides.positives[_smallest(high)]
    negatives = sides.negatives[_smallest(-low)]
    if working is not None:
        positives = np.union1d(working.positives, positives)
        negatives = np.union1d(working.negatives, negatives)
    return WorkingSet.of(sides.scores[positives], sides.scores[negatives], positives, negatives)


def _smallest(values: Floats) -> Ints:
    """Places of the ``ROWS_ADDED`` smallest values, ascending."""
    if len(values) <= ROWS_ADDED:
        return np.arange(len(values))
    return np.sort(np.argpartition(values, ROWS_ADDED)[:ROWS_ADDED])


Rule = Literal["the only optimum", "nearest to uniform weights", "a vertex of the optimal set"]

SLACK = 1e-12  # of the range of the rows that may bind: margins this close count as equal

_STRICT = 1e-9  # duals and reduced costs above this hold their row or classifier for certain

_PAIRS_ADDED = 5  # a side and round

_PRODUCTS = 50  # two or three are usual; a bound for scores degenerate beyond rounding


@dataclass(frozen=True)
class Choice:
    """The weights chosen, their margin, and the products with the whole matrix that it took."""

    weights: Floats
    margin: float
    rule: Rule
    products: int


def choose_optimum(sides: Sides, optimum: HardOptimum) -> Choice:
    """Keep the only optimum, or find the one nearest to uniform."""
    if _is_only_optimum(optimum):
        return Choice(optimum.saddle.weights, optimum.margin, "the only optimum", 0)
    return _nearest_to_uniform(sides, optimum)


def _is_only_optimum(optimum: HardOptimum) -> bool:
    """Complementary slackness leaves one point: free classifiers, binding rows, full rank."""
    working, saddle = optimum.working, optimum.saddle
    reduced = saddle.bound - (saddle.high @ working.high - saddle.low @ working.low)
    free = reduced <= _STRICT
    high, low = working.high[saddle.high > _STRICT], working.low[saddle.low > _STRICT]
    # The equations that bind, of the free weights and of u, v: A w = u, B w = v, Σw = 1.
    system = np.zeros((len(high) + len(low) + 1, int(free.sum()) + 2))
    system[: len(high), :-2], system[: len(high), -2] = high[:, free], -1.0
    system[len(high) : -1, :-2], system[len(high) : -1, -1] = low[:, free], -1.0
    system[-1, :-2] = 1.0
    return bool(np.linalg.matrix_rank(system, tol=_STRICT) == system.shape[1])


def _nearest_to_uniform(sides: Sides, optimum: HardOptimum) -> Choice:
    """Project uniform weights on {w : margin ≥ largest}, adding violated pairs until none is."""
    working, m = optimum.working, len(optimum.saddle.weights)
    slack = SLACK * working.scale + working.rounding
    uniform = np.full(m, 1.0 / m)
    weights: Floats | None = uniform
    differences = np.empty((0, m))
    products = 0
    while weights is not None and products < _PRODUCTS:
        violated = _violated_pairs(sides, working, weights, below=optimum.margin - 2 * slack)
        before = len(differences)
        differences = np.unique(np.concatenate([differences, violated]), axis=0)
        if len(differences) > before:
            least = np.full(len(differences), optimum.margin - slack)
            weights = nearest_on_simplex(uniform, differences, least)
            continue
        high, low = sides.combine(weights)
        products += 1
        margin = sides.margin(high, low)
        if margin >= optimum.margin - 3 * slack:
            return Choice(weights, margin, "nearest to uniform weights", products)
        working = add_extremes(sides, working, high, low)
    return Choice(optimum.saddle.weights, optimum.margin, "a vertex of the optimal set", products)


def _violated_pairs(sides: Sides, working: WorkingSet, weights: Floats, *, below: float) -> Floats:
    """Score differences (pairs, m) of the worst pairs of these rows whose margin is below."""
    high, low = sides.scores[working.positives], sides.scores[working.negatives]
    combined_high, combined_low = high @ weights, low @ weights
    first = np.argsort(combined_high)[:_PAIRS_ADDED]
    last = np.argsort(-combined_low)[:_PAIRS_ADDED]
    i, k = np.nonzero(combined_high[first, None] - combined_low[last] < below)
    return np.asarray(high[first[i]] - low[last[k]])
