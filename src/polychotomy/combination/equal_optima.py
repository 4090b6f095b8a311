"""Which weights to return when several have the same, largest rank margin.

Identical or constant classifiers, tied scores or a single binding pair leave a whole face of
optima. We return its point nearest to uniform weights: unique, the same for identical classifiers,
and indifferent to the order of samples and classifiers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from polychotomy.arrays import Floats
from polychotomy.combination.hard_margin import HardOptimum, add_extremes
from polychotomy.combination.margin_program import WorkingSet, binding_equations
from polychotomy.combination.nearest_point import nearest_on_simplex
from polychotomy.combination.sides import Sides

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
    system, _ = binding_equations(working, saddle.high > _STRICT, saddle.low > _STRICT, free)
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
    high, low = sides.rows(working.positives), sides.rows(working.negatives)
    combined_high, combined_low = high @ weights, low @ weights
    first = np.argsort(combined_high)[:_PAIRS_ADDED]
    last = np.argsort(-combined_low)[:_PAIRS_ADDED]
    i, k = np.nonzero(combined_high[first, None] - combined_low[last] < below)
    return np.asarray(high[first[i]] - low[last[k]])
