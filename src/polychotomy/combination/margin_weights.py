"""Weights of largest rank margin (MST09 section 3), hard or soft, and what is known of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from polychotomy.combination.hard_margin import Rule, choose_optimum, maximise_margin
from polychotomy.combination.soft_margin import maximise_soft_margin
from polychotomy.combination.two_classes import Sides
from polychotomy.core.arguments import is_number, unexpected
from polychotomy.core.arrays import Floats
from polychotomy.core.ranking import check_two_class_scores
from polychotomy.core.result import Axes, DataFrame, Result, draw_bars


def draw_weights(
    weights: Floats, *, names: Sequence[str] | None = None, ax: Axes | None = None
) -> Axes:
    """Draw a bar for each classifier, with uniform weights as a dashed line.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.combination.margin_weights import draw_weights
    >>> draw_weights(np.array([0.7, 0.3]), names=["tree", "forest"]).get_xlabel()
    'weight'
    """
    labels = [str(j) for j in range(len(weights))] if names is None else list(names)
    ax = draw_bars(ax, labels, weights, "weight")
    ax.axvline(1 / len(weights), color="#555555", linestyle="--", linewidth=1)
    ax.annotate(
        "uniform", (1 / len(weights), 1.0), xycoords=("data", "axes fraction"),
        xytext=(0, 3), textcoords="offset points", ha="center", fontsize="small", color="#555555",
    )  # fmt: skip
    ax.set_xlim(0, 1)
    return ax


class RankMarginFit(Result):
    """Weights of several classifiers, learned for a large rank margin.

    Parameters
    ----------
    weights : (m,) floats
        On the simplex: none negative, sum 1.
    margin : float
        Their rank margin ([MST09]_ eq. 1), whatever was maximised.
    gap : float
        How much better the objective could still be, by a certificate computed from the data.
    iterations : int
        How often all the samples were looked at.

    Examples
    --------
    >>> from polychotomy.combination import RankMarginFit
    >>> from polychotomy.combination import rank_margin_weights
    >>> fit = rank_margin_weights([[0.9, 0.2], [0.1, -0.4]], [1, 0])
    >>> isinstance(fit, RankMarginFit), fit.weights, round(fit.margin, 6)
    (True, array([1., 0.]), 0.8)
    """

    weights: Floats
    margin: float
    gap: float
    iterations: int

    def to_frame(self) -> DataFrame:
        """Return a row for each classifier: its position and its weight."""
        return self._frame(classifier=range(len(self.weights)), weight=self.weights)

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the weights as bars."""
        return draw_weights(self.weights, ax=ax)

    def __str__(self) -> str:
        used = int((self.weights > 0).sum())
        return (
            f"Rank margin {self.margin:.4g} with {used} of {len(self.weights)} classifiers "
            f"(gap at most {self.gap:.1g})."
        )


class HardMarginFit(RankMarginFit):
    """Weights of the largest rank margin: no crucial pair is given up.

    Parameters
    ----------
    rule : str
        Which of the optima the weights are: "the only optimum", "nearest to uniform weights"
        among several, or "a vertex of the optimal set" should rounding have hidden the nearest.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy import rank_margin_weights
    >>> scores = np.array([[0.9, 0.2], [0.1, 0.8], [0.0, 0.0]])
    >>> fit = rank_margin_weights(scores, [1, 1, 0])
    >>> fit.rule
    'the only optimum'
    """

    rule: Rule


class SoftMarginFit(RankMarginFit):
    """Weights of the largest soft margin: the mean of the smallest 1/slack of the pair margins.

    Parameters
    ----------
    slack : float
        C of the objective; ``inf`` for none.
    pull : float
        Strength of the pull towards uniform weights.
    objective : float
        What was maximised, at the weights.
    soft_margin : float
        ρ − C · mean(ρ − pair margin)₊ at its best ρ: the mean of the worst 1/C of the pairs.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy import rank_margin_weights
    >>> scores = np.array([[0.9, 0.1], [0.1, 0.9], [0.3, 0.0], [0.0, 0.3]])
    >>> fit = rank_margin_weights(scores, [1, 1, 0, 0], slack=2.0)
    >>> round(fit.soft_margin, 6) >= round(fit.margin, 6)
    True
    """

    slack: float
    pull: float
    objective: float
    soft_margin: float

    def __str__(self) -> str:
        used = int((self.weights > 0).sum())
        return (
            f"Soft margin {self.soft_margin:.4g} at slack {self.slack:g} and pull {self.pull:g}, "
            f"rank margin {self.margin:.4g}, with {used} of {len(self.weights)} classifiers "
            f"(gap at most {self.gap:.1g})."
        )


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
        be compared (the paper: all in [−1, 1]). Finite.
    y : (n,) array-like
        1 (positive) or 0 (negative), or two texts, the second in sorted order positive; both must
        occur.
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
    matrix, positive = check_two_class_scores(scores, y)
    slack = np.inf if slack is None else slack
    if not is_number(slack) or slack < 1:
        raise unexpected("slack", slack, "a number of at least 1, or None for the hard margin")
    if not is_number(pull) or not 0 <= pull < np.inf:
        raise unexpected("pull", pull, "a finite number of at least 0")
    sides = Sides.split(matrix, positive)
    if slack == np.inf and pull == 0:
        return _hard(sides)
    return _soft(sides, float(slack), float(pull))


def _hard(sides: Sides) -> HardMarginFit:
    optimum = maximise_margin(sides)
    choice = choose_optimum(sides, optimum)
    return HardMarginFit(
        weights=choice.weights,
        margin=choice.margin,
        gap=max(0.0, optimum.gap + optimum.margin - choice.margin),
        iterations=optimum.iterations + choice.products,
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
