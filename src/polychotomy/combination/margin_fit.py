"""RankMarginFit: the weights a margin was maximised with, and how it was done."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from polychotomy._result import Result
from polychotomy.arrays import Floats, Ints
from polychotomy.combination.drawings import draw_weights
from polychotomy.combination.equal_optima import Rule

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
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
    >>> from polychotomy.combination import RankMarginFit, rank_margin_weights
    >>> fit = rank_margin_weights([[0.9, 0.2], [0.1, -0.4]], [1, 0])
    >>> isinstance(fit, RankMarginFit), fit.weights, round(fit.margin, 6)
    (True, array([1., 0.]), 0.8)
    """

    weights: Floats
    margin: float
    gap: float
    iterations: int

    def to_frame(self) -> pd.DataFrame:
        """Return a row a classifier: its position and its weight."""
        import pandas as pd

        return pd.DataFrame({"classifier": range(len(self.weights)), "weight": self.weights})

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the weights as bars."""
        return draw_weights(self.weights, ax=ax)

    def __str__(self) -> str:
        used = int((self.weights > 0).sum())
        return (
            f"Rank margin {self.margin:.4g} with {used} of {len(self.weights)} classifiers "
            f"(gap at most {self.gap:.1g})."
        )


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class HardMarginFit(RankMarginFit):
    """Weights of the largest rank margin: no crucial pair is given up.

    Parameters
    ----------
    pairs : (pairs, 2) ints
        The crucial pairs that hold the margin down: row of the positive, row of the negative.
    duals : (pairs,) floats
        How strongly each does: positive, sum 1. Raising the difference of a pair by ε raises the
        largest margin by its dual times ε, to first order.
    rule : str
        Which of the optima the weights are: "the only optimum", "nearest to uniform weights"
        among several, or "a vertex of the optimal set" should rounding have hidden the nearest.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy import rank_margin_weights
    >>> scores = np.array([[0.9, 0.2], [0.1, 0.8], [0.0, 0.0]])
    >>> fit = rank_margin_weights(scores, [1, 1, 0])
    >>> fit.pairs.tolist()
    [[0, 2], [1, 2]]
    >>> fit.duals.round(6).tolist()
    [0.5, 0.5]
    >>> fit.rule
    'the only optimum'
    """

    pairs: Ints
    duals: Floats
    rule: Rule


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
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
