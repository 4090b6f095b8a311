"""rank_margin_weights: the paper's weights (MST09 section 3), and the soft margin after it."""

from __future__ import annotations

from numbers import Real

import numpy as np
from numpy.typing import ArrayLike

from polychotomy.arrays import Floats, Ints
from polychotomy.combination.equal_optima import choose_optimum
from polychotomy.combination.hard_margin import HardOptimum, maximise_margin
from polychotomy.combination.margin_fit import HardMarginFit, RankMarginFit, SoftMarginFit
from polychotomy.combination.sides import Sides
from polychotomy.combination.soft_margin import maximise_soft_margin
from polychotomy.combination.two_class_scores import check_scores_anywhere
from polychotomy.exceptions import InvalidInput


def rank_margin_weights(
    scores: ArrayLike, y: ArrayLike, *, slack: float | None = None, pull: float = 0.0
) -> RankMarginFit:
    """Weights on the simplex that maximise the rank margin of the combination.

    [MST09]_ section 3: max ρ subject to Σ_j w_j (f_j(x_i) − f_j(x_k)) ≥ ρ for every crucial pair
    (i, k), Σw = 1, w ≥ 0, with ρ free in sign. Solved exactly by cutting planes over samples
    instead of pairs; the ``gap`` of the result certifies it. Where several weights have the largest
    margin, those nearest to uniform are returned.

    The hard margin is decided by a few extreme samples. With ``slack=C`` it is traded against the
    mean hinge of the pairs, max ρ − C · mean (ρ − pair margin)₊ − pull/2 · ‖w − uniform‖²: the mean
    of the smallest 1/C of the pair margins, and a pull towards the plain average. Solved by the
    level method to a gap of at most 1e-6 (for scores of order 1; relative for larger ones).

    Parameters
    ----------
    scores : (n, m) array-like
        Column j holds classifier j's scores, larger for more surely positive, on scales that may
        be compared (the paper: all in [−1, 1]). Finite. Arrays of PyTorch, CuPy and the like
        stay where they are: only the m weights and the few rows that may bind are copied.
    y : (n,) array-like
        1 (positive) or 0 (negative); both must occur.
    slack : float, optional
        C ≥ 1; the larger, the harder the margin. None, or infinity: no pair is given up.
    pull : float
        Strength of the pull towards uniform weights, in the unit of the scores; ≥ 0.

    Returns
    -------
    HardMarginFit or SoftMarginFit
        ``weights``, ``margin``, ``gap``, ``iterations``; without slack and pull the binding
        ``pairs`` with their ``duals`` and the ``rule`` that chose among equal optima; with them,
        the ``soft_margin`` and the ``objective``.

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

    One outlier decides the hard margin; with slack it is one pair in many:

    >>> scores = np.array([[1.0, 0.1], [1.0, 0.2], [1.0, 0.1], [-1.0, 0.1], [0.0, 0.0]])
    >>> rank_margin_weights(scores, [1, 1, 1, 1, 0]).weights.round(3)
    array([0., 1.])
    >>> rank_margin_weights(scores, [1, 1, 1, 1, 0], slack=1.0).weights.round(3)
    array([1., 0.])
    """
    matrix, positive = check_scores_anywhere(scores, y)
    checked_slack, checked_pull = _check_slack(slack), _check_pull(pull)
    sides = Sides.split(matrix, positive)
    if checked_slack == np.inf and checked_pull == 0:
        return _hard(sides)
    return _soft(sides, checked_slack, checked_pull)


def _check_slack(slack: float | None) -> float:
    if slack is None:
        return np.inf
    if not (isinstance(slack, Real) and float(slack) >= 1):
        raise InvalidInput(
            f"slack is {slack!r}; expected a number of at least 1 (1: the mean of all pair "
            "margins; below 1 the objective has no maximum), or None for the hard margin."
        )
    return float(slack)


def _check_pull(pull: float) -> float:
    if not (isinstance(pull, Real) and 0 <= float(pull) < np.inf):
        raise InvalidInput(
            f"pull is {pull!r}; expected a finite number of at least 0. For uniform weights use "
            "them as they are."
        )
    return float(pull)


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


def _soft(sides: Sides, slack: float, pull: float) -> SoftMarginFit:
    optimum = maximise_soft_margin(sides, slack=slack, pull=pull)
    high, low = sides.combine(optimum.weights)
    m = len(optimum.weights)
    penalty = pull / 2 * float(((optimum.weights - 1 / m) ** 2).sum())
    return SoftMarginFit(
        weights=optimum.weights,
        margin=sides.margin(high, low),
        gap=optimum.gap,
        iterations=optimum.evaluations,
        slack=slack,
        pull=pull,
        objective=optimum.value,
        soft_margin=optimum.value + penalty,
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
