"""DeLong's test of two areas under the ROC curve on the same cases."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from polychotomy.combination.auc import placement_covariance, placements
from polychotomy.comparison.inputs import (
    Alternative,
    as_floats,
    as_truth_values,
    require_alternative,
    require_finite,
    require_level,
)
from polychotomy.comparison.paired_test import draw_intervals, t_ratio
from polychotomy.core.arrays import Bools, Floats
from polychotomy.core.exceptions import InvalidInput
from polychotomy.core.result import Result, new_axes

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class AUCTest(Result):
    """Conclusion of DeLong's test between two learners' areas under the ROC curve.

    Parameters
    ----------
    alternative : {"two-sided", "greater", "less"}
        "greater" is the one-sided test of H0: AUC of a ≤ that of b. A larger AUC is better.
    statistic : float
        z; 0 where the scores rank alike, ±inf where the difference has no variance.
    df : float
        inf: z is a t with infinite degrees of freedom.
    pvalue : float
    aucs : (2,) floats
    covariance : (2, 2) floats
        Of the two areas.

    Examples
    --------
    >>> from polychotomy.comparison import delong_test
    >>> print(delong_test([0, 0, 0, 1, 1], [1, 2, 3, 4, 5], [2, 4, 1, 3, 5]))
    DeLong's test: AUC 1 against 0.8333, z = 0.7071 (two-sided p = 0.48).
    """

    alternative: Alternative
    statistic: float
    df: float
    pvalue: float
    aucs: Floats
    covariance: Floats

    @property
    def mean_difference(self) -> float:
        """AUC of a − AUC of b."""
        return float(self.aucs[0] - self.aucs[1])

    @property
    def standard_error(self) -> float:
        """Standard error of the difference."""
        (a, ab), (_, b) = self.covariance
        return float(np.sqrt(max(a + b - 2 * ab, 0.0)))

    def confidence_interval(self, level: float = 0.95) -> tuple[float, float]:
        """Return the ends of the interval of differences that this test would not reject.

        Examples
        --------
        >>> from polychotomy.comparison import delong_test
        >>> test = delong_test([0, 0, 0, 1, 1], [1, 2, 3, 4, 5], [2, 4, 1, 3, 5])
        >>> [round(end, 3) for end in test.confidence_interval()]
        [-0.295, 0.629]
        """
        tail = 1.0 - require_level(level, "level")
        width = -special.ndtri(tail / 2 if self.alternative == "two-sided" else tail)
        reach = float(width) * self.standard_error
        low = -np.inf if self.alternative == "less" else self.mean_difference - reach
        high = np.inf if self.alternative == "greater" else self.mean_difference + reach
        return float(low), float(high)

    def to_frame(self) -> pd.DataFrame:
        """One row."""
        import pandas as pd

        low, high = self.confidence_interval()
        return pd.DataFrame(
            {
                "alternative": [self.alternative],
                "auc_a": [self.aucs[0]],
                "auc_b": [self.aucs[1]],
                "mean_difference": [self.mean_difference],
                "statistic": [self.statistic],
                "pvalue": [self.pvalue],
                "low": [low],
                "high": [high],
            }
        )

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the confidence interval beside the line of no difference."""
        ax = new_axes(ax, height=1.8)
        low, high = self.confidence_interval()
        draw_intervals(ax, np.array([self.mean_difference]), np.array([low]), np.array([high]))
        ax.set_xlabel("AUC of a − AUC of b, with 95 % confidence interval")
        return ax

    def __str__(self) -> str:
        sided = "two-sided" if self.alternative == "two-sided" else f"one-sided {self.alternative}"
        return (
            f"DeLong's test: AUC {self.aucs[0]:.4g} against {self.aucs[1]:.4g}, "
            f"z = {self.statistic:.4g} ({sided} p = {self.pvalue:.3g})."
        )


def delong_test(
    y: ArrayLike,
    scores_a: ArrayLike,
    scores_b: ArrayLike,
    *,
    alternative: Alternative = "two-sided",
) -> AUCTest:
    """DeLong's test of two areas under the ROC curve (DeLong, DeLong and Clarke-Pearson, 1988).

    Computed from placements in O(n log n). As McNemar's test it judges two fitted
    classifiers on one test set, and says nothing of other training sets.

    Parameters
    ----------
    y : (n,) bools, or 0 and 1
        The true class; two or more cases of each.
    scores_a, scores_b : (n,) array-like
        Scores of the two classifiers, larger for the positive class.
    alternative : {"two-sided", "greater", "less"}
        "greater" is the one-sided test of H0: AUC of a ≤ that of b. Note that a larger AUC is
        better, while a larger error is worse.

    Examples
    --------
    >>> from polychotomy.comparison import delong_test
    >>> test = delong_test([0, 0, 0, 1, 1], [1, 2, 3, 4, 5], [2, 4, 1, 3, 5])
    >>> test.aucs.round(4), round(test.pvalue, 4)
    (array([1.    , 0.8333]), 0.4795)
    """
    require_alternative(alternative)
    positive = _truth(y)
    scores = np.stack(
        [_scores(scores_a, "scores_a", positive), _scores(scores_b, "scores_b", positive)]
    )
    aucs, covariance = auc_covariance(scores, positive)
    difference = aucs[0] - aucs[1]
    variance = covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]
    # Variances are sums of squares of numbers up to 1: below this they are rounding.
    error = np.sqrt(variance) if variance > 1e-28 else 0.0
    z = t_ratio(np.asarray(difference if abs(difference) > 1e-14 else 0.0), np.asarray(error))
    return AUCTest(
        alternative=alternative,
        statistic=float(z),
        df=np.inf,
        pvalue=_z_pvalue(float(z), alternative),
        aucs=aucs,
        covariance=covariance,
    )


def auc_covariance(scores: Floats, positive: Bools) -> tuple[Floats, Floats]:
    """Areas (m,) under the ROC curves of scores (m, n), and DeLong's covariance of them, (m, m).

    Examples
    --------
    >>> import numpy as np
    >>> auc, covariance = auc_covariance(np.array([[1.0, 3, 2, 4]]), np.array([0, 0, 1, 1]) > 0)
    >>> auc, covariance
    (array([0.75]), array([[0.125]]))
    """
    parts = [placements(row, positive) for row in scores]
    above, below = (np.array(part) for part in zip(*parts, strict=True))
    return above.mean(axis=1), placement_covariance(above, below)


def _z_pvalue(z: float, alternative: Alternative) -> float:
    if alternative == "two-sided":
        return float(2.0 * special.ndtr(-abs(z)))
    return float(special.ndtr(-z if alternative == "greater" else z))


def _truth(y: ArrayLike) -> Bools:
    try:
        return as_truth_values(y, "y")
    except InvalidInput as error:
        raise InvalidInput(
            f"{error} The true classes come first: delong_test(y, scores_a, scores_b)."
        ) from None


def _scores(scores: ArrayLike, name: str, positive: Bools) -> Floats:
    array = as_floats(scores, name)
    if array.shape != positive.shape or array.ndim != 1:
        raise InvalidInput(f"{name} has shape {array.shape}, y {positive.shape}; expected (n,).")
    require_finite(array, name)
    count = int(positive.sum())
    if min(count, len(positive) - count) < 2:
        raise InvalidInput(
            f"y has {count} positive and {len(positive) - count} negative cases; expected two or "
            "more of each."
        )
    return array
