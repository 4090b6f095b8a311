"""DeLong's test of two areas under the ROC curve on the same cases."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from polychotomy.comparison.inputs import Alternative, check_alternative
from polychotomy.comparison.results import PairedTest, t_pvalue, t_ratio
from polychotomy.core.arguments import as_floats, wrong_shape
from polychotomy.core.exceptions import InvalidInput
from polychotomy.core.ranking import check_two_class_scores, placement_covariance, placements


def delong_test(
    y: ArrayLike,
    scores_a: ArrayLike,
    scores_b: ArrayLike,
    *,
    alternative: Alternative = "two-sided",
) -> PairedTest:
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

    Returns
    -------
    PairedTest
        Of AUC of a − AUC of b: z is a t with infinite degrees of freedom.

    Examples
    --------
    >>> from polychotomy.comparison import delong_test
    >>> test = delong_test([0, 0, 0, 1, 1], [1, 2, 3, 4, 5], [2, 4, 1, 3, 5])
    >>> round(test.mean_difference, 4), round(test.pvalue, 4)  # areas of 1 and 0.8333
    (0.1667, 0.4795)
    """
    check_alternative(alternative)
    first, second = as_floats("scores_a", scores_a), as_floats("scores_b", scores_b)
    if first.ndim != 1 or first.shape != second.shape:
        raise wrong_shape("scores_b", second, f"(n,), as scores_a with {first.shape}")
    scores, positive = check_two_class_scores(np.column_stack([first, second]), y)
    count = int(positive.sum())
    if min(count, len(positive) - count) < 2:
        found = f"{count} of {len(positive)} cases of the positive class"
        raise InvalidInput(f"y has {found}; expected two or more of each.")
    placed = [placements(row, positive) for row in scores.T]
    above, below = np.array([a for a, _ in placed]), np.array([b for _, b in placed])
    areas, covariance = above.mean(axis=1), placement_covariance(above, below)
    difference = areas[0] - areas[1] if abs(areas[0] - areas[1]) > 1e-14 else 0.0
    variance = covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]
    # Variances are sums of squares of numbers up to 1: below this they are rounding.
    error = np.sqrt(variance) if variance > 1e-28 else 0.0
    z = t_ratio(np.asarray(difference), np.asarray(error))
    return PairedTest(
        method="DeLong's test",
        alternative=alternative,
        statistic=float(z),
        df=np.inf,
        pvalue=float(t_pvalue(z, np.inf, alternative)),
        mean_difference=float(difference),
        estimate=float(difference),
        standard_error=float(error),
    )
