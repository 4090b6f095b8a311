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

from polychotomy.arrays import Bools, Floats, Ints
from polychotomy.combination.margin_program import Saddle, WorkingSet, solve_saddle

ROWS_ADDED = 100  # a side and iteration: few enough for the program, enough for few iterations
GAP = 1e-12  # relative to the range of the rows that may bind


@dataclass(frozen=True)
class Sides:
    """The scores and the two classes' row numbers; every product with the whole matrix is here."""

    scores: Floats  # (n, m)
    positives: Ints
    negatives: Ints

    @classmethod
    def split(cls, scores: Floats, positive: Bools) -> Sides:
        """Find the rows of the two classes."""
        return cls(scores, np.flatnonzero(positive), np.flatnonzero(~positive))

    def combine(self, weights: Floats) -> tuple[Floats, Floats]:
        """Return the combined scores of the positives and of the negatives."""
        combined = self.scores @ weights
        return combined[self.positives], combined[self.negatives]


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
    m = sides.scores.shape[1]
    working = add_extremes(sides, None, *sides.combine(np.full(m, 1.0 / m)))
    iterations = 1
    while True:
        saddle = solve_saddle(working)
        high, low = sides.combine(saddle.weights)
        iterations += 1
        optimum = HardOptimum(saddle, working, float(high.min() - low.max()), iterations)
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
    return WorkingSet.of(sides.scores, positives, negatives)


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
