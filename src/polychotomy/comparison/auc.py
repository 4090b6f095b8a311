"""DeLong's test of two areas under the ROC curve on the same cases."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from polychotomy.comparison.inputs import Alternative, check_alternative
from polychotomy.comparison.results import draw_intervals, t_ratio
from polychotomy.core.arguments import as_floats, check_finite, check_share
from polychotomy.core.arrays import Floats
from polychotomy.core.exceptions import InvalidInput
from polychotomy.core.ranking import check_two_class_scores, placement_covariance, placements
from polychotomy.core.result import Axes, DataFrame, Result


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
        tail = 1.0 - check_share("level", level, such_as=0.95)
        width = -special.ndtri(tail / 2 if self.alternative == "two-sided" else tail)
        reach = float(width) * self.standard_error
        low = -np.inf if self.alternative == "less" else self.mean_difference - reach
        high = np.inf if self.alternative == "greater" else self.mean_difference + reach
        return float(low), float(high)

    def to_frame(self) -> DataFrame:
        """One row."""
        low, high = self.confidence_interval()
        return self._frame(
            "alternative",
            auc_a=self.aucs[0],
            auc_b=self.aucs[1],
            mean_difference=self.mean_difference,
            statistic=self.statistic,
            pvalue=self.pvalue,
            low=low,
            high=high,
        )

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the confidence interval beside the line of no difference."""
        return draw_intervals(ax, self.mean_difference, *self.confidence_interval(), of="AUC")

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
    y : (n,) bools, 0 and 1, or two labels as texts
        The true class, of texts the second in sorted order; two or more cases of each.
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
    check_alternative(alternative)
    first, second = as_floats("scores_a", scores_a), as_floats("scores_b", scores_b)
    if first.ndim != 1 or first.shape != second.shape:
        raise InvalidInput(
            f"scores_a has shape {first.shape}, scores_b {second.shape}; expected (n,) both."
        )
    check_finite("scores_a", first)
    check_finite("scores_b", second)
    try:
        scores, positive = check_two_class_scores(np.column_stack([first, second]), y)
    except InvalidInput as refused:
        raise InvalidInput(
            f"{refused} The true classes come first: delong_test(y, scores_a, scores_b)."
        ) from None
    count = int(positive.sum())
    if min(count, len(positive) - count) < 2:
        raise InvalidInput(
            f"y has {count} positive and {len(positive) - count} negative cases; expected two or "
            "more of each."
        )
    above, below = (
        np.array(part)
        for part in zip(*(placements(row, positive) for row in scores.T), strict=True)
    )
    areas, covariance = above.mean(axis=1), placement_covariance(above, below)
    difference = areas[0] - areas[1]
    variance = covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]
    # Variances are sums of squares of numbers up to 1: below this they are rounding.
    error = np.sqrt(variance) if variance > 1e-28 else 0.0
    z = t_ratio(np.asarray(difference if abs(difference) > 1e-14 else 0.0), np.asarray(error))
    return AUCTest(
        alternative=alternative,
        statistic=float(z),
        df=np.inf,
        pvalue=_z_pvalue(float(z), alternative),
        aucs=areas,
        covariance=covariance,
    )


def _z_pvalue(z: float, alternative: Alternative) -> float:
    if alternative == "two-sided":
        return float(2.0 * special.ndtr(-abs(z)))
    return float(special.ndtr(-z if alternative == "greater" else z))
