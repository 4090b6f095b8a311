"""The threshold of one dichotomy that makes fewest errors (HT98 §3)."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from polychotomy.core.arguments import as_floats, check_entries, wrong_shape
from polychotomy.core.arrays import Bools, Floats
from polychotomy.core.exceptions import InvalidInput

_LARGEST = float(np.finfo(np.float64).max)


def optimal_threshold(
    scores: ArrayLike, positive: ArrayLike, *, sample_weight: ArrayLike | None = None
) -> float:
    """Find the threshold on a score that misclassifies the fewest samples.

    [HT98]_ §3: with d the logit of one pair, "positive iff d > t" may err less than
    "positive iff d > 0"; the shifted logit d − t then enters the coupling. Every t in an optimal
    interval is as good as another, so the rule here is the least intrusive one: 0 if 0 is optimal,
    else the middle of the optimal interval nearest 0 (of two equally near, the wider, then the
    lower). Where that interval is unbounded, t lies half a neighbouring gap beyond the outermost
    score. Exact, in O(n log n).

    Parameters
    ----------
    scores : (n,) array-like
        Decision values or logits, better from samples that the learner has not seen. Infinite
        values are allowed: no finite threshold moves them.
    positive : (n,) array-like of bool
        Which samples truly are on the + side; 0 and 1 are taken as False and True.
    sample_weight : (n,) array-like, optional
        Weight of each sample's error; all ones if not given.

    Returns
    -------
    float
        A finite t; a sample is called positive iff its score > t.

    Examples
    --------
    Three negatives lie below 2, both positives above 3; nothing else separates them:

    >>> from polychotomy.multiclass import optimal_threshold
    >>> optimal_threshold([-1.0, 1.0, 2.0, 3.0, 5.0], [False, False, False, True, True])
    2.5

    Zero stays zero where it is as good as any other:

    >>> optimal_threshold([-1.0, 2.0, 3.0], [False, True, True])
    0.0
    """
    values, is_positive, weights = _checked(scores, positive, sample_weight)
    values = np.where(values <= -_LARGEST, -np.inf, values)  # no finite t is below it either
    levels, errors = _errors_by_level(values, is_positive, weights)
    # Whole weights add up exactly; others are held equal within the rounding of their sum.
    exact = bool(np.all(weights == np.round(weights)))
    tolerance = 0.0 if exact else 1e-12 * float(weights.sum())
    optimal = errors <= errors.min() + tolerance
    if levels.size == 0 or optimal[np.searchsorted(levels, 0.0, side="right")]:
        return 0.0
    return _middle_nearest_zero(levels, optimal)


def _errors_by_level(values: Floats, positive: Bools, weights: Floats) -> tuple[Floats, Floats]:
    """Distinct finite scores (m,), and the errors with t below, between and above them (m + 1,)."""
    levels, level = np.unique(values[np.isfinite(values)], return_inverse=True)
    finite = np.isfinite(values)
    signed = np.where(positive, weights, -weights)[finite]
    # t moving up across a level turns its positives into errors and rights its negatives.
    steps = np.bincount(level, weights=signed, minlength=levels.size)
    below_all = weights[~positive & (values > -np.inf)].sum()
    below_all += weights[positive & (values == -np.inf)].sum()
    return levels, below_all + np.concatenate([[0.0], np.cumsum(steps)])


def _middle_nearest_zero(levels: Floats, optimal: Bools) -> float:
    """Middle of the maximal optimal interval nearest 0, which lies in none of them."""
    edges = np.diff(np.concatenate([[False], optimal, [False]]).astype(np.int8))
    first, last = np.flatnonzero(edges == 1), np.flatnonzero(edges == -1) - 1
    bounds = np.concatenate([[-np.inf], levels, [np.inf]])
    low, high = bounds[first], bounds[last + 1]  # t in [low, high)
    distance = np.where(low > 0, low, -high)
    nearest = np.lexsort((low, low - high, distance))[0]
    return _middle(float(low[nearest]), float(high[nearest]), levels)


def _middle(low: float, high: float, levels: Floats) -> float:
    if np.isfinite(low) and np.isfinite(high):
        middle = low / 2 + high / 2  # (low + high) / 2 could overflow
        return middle if low <= middle < high else low
    last = np.isfinite(low)
    pair = levels[-2:] if last else levels[:2]
    half_gap = float(pair[1] / 2 - pair[0] / 2) if pair.size > 1 else 0.5
    if last:
        return min(low + half_gap, _LARGEST)
    return max(min(high - half_gap, math.nextafter(high, -math.inf)), -_LARGEST)


def _checked(
    scores: ArrayLike, positive: ArrayLike, sample_weight: ArrayLike | None
) -> tuple[Floats, Bools, Floats]:
    values, truth = as_floats("scores", scores), as_floats("positive", positive)
    if values.ndim != 1 or values.shape != truth.shape or values.size == 0:
        raise InvalidInput(
            f"scores have shape {values.shape} and positive {truth.shape}; expected two equal "
            "shapes (n,) with n ≥ 1: one score and one truth for each sample."
        )
    check_entries("scores", values, ~np.isnan(values), "numbers: drop samples without a score")
    fine = (truth == 0) | (truth == 1)
    check_entries("positive", truth, fine, "bools, such as y == the label on the + side")
    return values, truth == 1, checked_weights(sample_weight, values.shape)


def checked_weights(sample_weight: ArrayLike | None, shape: tuple[int, ...]) -> Floats:
    """Return the weights as floats of that shape, all ones for None; finite, at least 0."""
    if sample_weight is None:
        return np.ones(shape)
    weights = as_floats("sample_weight", sample_weight)
    if weights.shape != shape:
        raise wrong_shape("sample_weight", weights, f"{shape}: one for each sample")
    fine = np.isfinite(weights) & (weights >= 0)
    check_entries("sample_weight", weights, fine, "finite weights ≥ 0")
    return weights
