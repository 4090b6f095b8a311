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

import numpy as np
from array_api_compat import is_numpy_namespace

from polychotomy.arrays import Floats, Ints, to_host
from polychotomy.combination.margin_program import Saddle, WorkingSet, solve_saddle
from polychotomy.combination.sides import Sides

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
    positives = _rows_of_smallest(sides, sides.positives, high)
    negatives = _rows_of_smallest(sides, sides.negatives, -low)
    if working is not None:
        positives = np.union1d(working.positives, positives)
        negatives = np.union1d(working.negatives, negatives)
    return WorkingSet.of(
        sides.rows(positives), sides.rows(negatives), positives, negatives, epsilon=sides.epsilon
    )


def _rows_of_smallest(sides: Sides, numbers: Ints, values: Floats) -> Ints:
    """Row numbers of the smallest values, ascending, on the host."""
    if is_numpy_namespace(sides.xp):
        return numbers[_smallest(values)]
    order = sides.xp.argsort(values, stable=False)[: min(ROWS_ADDED, values.shape[0])]
    rows: Ints = np.sort(to_host(sides.xp.take(numbers, order))).astype(np.intp)
    return rows


def _smallest(values: Floats) -> Ints:
    """Places of the smallest values, ascending; a partition of a few candidates, not of all."""
    candidates = _candidates(values)
    if len(candidates) <= ROWS_ADDED:
        return candidates
    return np.sort(candidates[np.argpartition(values[candidates], ROWS_ADDED)[:ROWS_ADDED]])


def _candidates(values: Floats) -> Ints:
    """Places of all values up to the ``ROWS_ADDED``-th smallest of the minima of some blocks."""
    blocks = 16 * ROWS_ADDED
    size = len(values) // blocks
    if size < 2:
        return np.arange(len(values))
    minima = values[: blocks * size].reshape(blocks, size).min(axis=1)
    return np.flatnonzero(values <= np.partition(minima, ROWS_ADDED)[ROWS_ADDED])
