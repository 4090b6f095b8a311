"""rank_margin_weights: the paper's weights (MST09 section 3), and the soft margin it leaves open."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from polychotomy.arrays import Floats, Ints
from polychotomy.combination.equal_optima import choose_optimum
from polychotomy.combination.margin_fit import HardMarginFit, RankMarginFit
from polychotomy.combination.hard_margin import HardOptimum, Sides, maximise_margin
from polychotomy.combination.two_class_scores import check_two_class_scores


def rank_margin_weights(scores: ArrayLike, y: ArrayLike) -> RankMarginFit:
    """Weights on the simplex that maximise the rank margin of the combination.

    [MST09]_ section 3: max ρ subject to Σ_j w_j (f_j(x_i) − f_j(x_k)) ≥ ρ for every crucial pair
    (i, k), Σw = 1, w ≥ 0, with ρ free in sign. Solved exactly by cutting planes over samples
    instead of pairs; the ``gap`` of the result certifies it. Where several weights have the largest
    margin, those nearest to uniform are returned.

    Parameters
    ----------
    scores : (n, m) array-like
        Column j holds classifier j's scores, larger for more surely positive, on scales that may
        be compared (the paper: all in [−1, 1]). Finite.
    y : (n,) array-like
        1 (positive) or 0 (negative); both must occur.

    Returns
    -------
    HardMarginFit
        ``weights``, ``margin``, ``gap``, ``iterations``, the binding ``pairs`` with their
        ``duals``, and the ``rule`` that chose among equal optima.

    Examples
    --------
    Each classifier alone ranks one pair wrongly; together they rank all of them rightly:

    >>> import numpy as np
    >>> from polychotomy import rank_margin_weights
    >>> scores = np.array([[0.9, 0.1], [0.1, 0.9], [0.3, 0.0], [0.0, 0.3]])
    >>> fit = rank_margin_weights(scores, [1, 1, 0, 0])
    >>> fit.weights.round(6)
    array([0.5, 0.5])
    >>> round(fit.margin, 6)
    0.35
    """
    matrix, positive = check_two_class_scores(scores, y)
    return _hard(Sides.split(matrix, positive))


def _hard(sides: Sides) -> HardMarginFit:
    optimum = maximise_margin(sides)
    choice = choose_optimum(sides, optimum)
    pairs, duals = _match(optimum)
    return HardMarginFit(
        weights=choice.weights,
        margin=choice.margin,
        gap=max(0.0, optimum.gap + optimum.margin - choice.margin),
        iterations=optimum.iterations + choice.products,
        pairs=pairs,
        duals=duals,
        rule=choice.rule,
    )


def _match(optimum: HardOptimum) -> tuple[Ints, Floats]:
    """Pairs whose duals have the duals of the rows as sums (the north-west corner rule)."""
    saddle, working = optimum.saddle, optimum.working
    high, low = np.flatnonzero(saddle.high), np.flatnonzero(saddle.low)
    ends_high, ends_low = np.cumsum(saddle.high[high]), np.cumsum(saddle.low[low])
    ends = np.union1d(ends_high[:-1], ends_low[:-1])
    starts = np.concatenate([[0.0], ends])
    i = np.searchsorted(ends_high[:-1], starts, side="right")
    k = np.searchsorted(ends_low[:-1], starts, side="right")
    duals = np.diff(np.concatenate([starts, [1.0]]))
    pairs = np.stack([working.positives[high[i]], working.negatives[low[k]]], axis=1)
    real = duals > 1e-12  # the others are two ends that differ by rounding
    return pairs[real], duals[real] / duals[real].sum()
