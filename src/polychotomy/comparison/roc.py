"""ROC curves: their convex hull (YA06 §2.5), and DeLong's test of two areas under them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from polychotomy.comparison.inputs import Alternative, check_alternative, learner_names
from polychotomy.comparison.results import PairedTest, t_pvalue, t_ratio
from polychotomy.core.arguments import as_floats, wrong_shape
from polychotomy.core.arrays import Bools, Floats, Ints
from polychotomy.core.exceptions import InvalidInput
from polychotomy.core.ranking import check_two_class_scores, placement_covariance, placements
from polychotomy.core.result import Axes, DataFrame, Result, new_axes, shortened


class ROCConvexHull(Result):
    """Which classifiers are best for some cost of errors and some share of positives.

    Parameters
    ----------
    names : tuple of str
    fpr, tpr : (v,) floats
        Corners of the hull, from (0, 0) to (1, 1).
    learner : (v,) ints
        Whose operating point each corner is, the lowest row where several share it; −1 for "always
        negative" (0, 0) and "always positive" (1, 1).
    threshold : (v,) floats
        Positive iff its score is at least this; inf and −inf at the ends.
    optimal : (m,) bools
        Who has an operating point at a corner, so is best for some costs and shares.
    curves : tuple of (2, points) floats
        ROC curve of each classifier: false positive rates, true positive rates.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.comparison import roc_convex_hull
    >>> scores = np.array([[1, 1], [2, 2], [3, 1], [4, 2], [5, 2]])
    >>> print(roc_convex_hull(scores, [0, 0, 1, 0, 1], names=["A", "B"]))
    On the ROC convex hull: A. Never best, whatever the costs: B.
    """

    names: tuple[str, ...]
    fpr: Floats
    tpr: Floats
    learner: Ints
    threshold: Floats
    optimal: Bools
    curves: tuple[Floats, ...]

    def to_frame(self) -> DataFrame:
        """One row for each corner, with the range of slopes for which it is best."""
        with np.errstate(divide="ignore"):
            slopes = np.diff(self.tpr) / np.diff(self.fpr)  # inf where it is upright
        return self._frame(
            "fpr",
            "tpr",
            learner=[self.names[i] if i >= 0 else "" for i in self.learner],
            threshold=self.threshold,
            slope_from=[*slopes, 0.0],
            slope_to=[np.inf, *slopes],
        )

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the curves, those of classifiers that are never best dotted, and the hull."""
        ax = new_axes(ax, width=5.4, height=5.0)
        for name, (across, up), best in zip(self.names, self.curves, self.optimal, strict=True):
            label = shortened(name) if best else f"{shortened(name)} (never best)"
            ax.plot(across, up, "-" if best else ":", label=label)
        ax.fill_between(self.fpr, self.tpr, color="0.95", zorder=0)
        ax.plot(self.fpr, self.tpr, "o-", color="0.2", markersize=3, label="convex hull")
        ax.set(xlabel="false positive rate", ylabel="true positive rate", aspect="equal")
        ax.legend(loc="lower right", frameon=False, fontsize="small")
        return ax

    def __str__(self) -> str:
        names = np.array(self.names)
        on, off = ", ".join(names[self.optimal]), ", ".join(names[~self.optimal])
        never = f" Never best, whatever the costs: {off}." if off else ""
        return f"On the ROC convex hull: {on or 'nobody'}.{never}"


def roc_convex_hull(
    scores: ArrayLike, y: ArrayLike, *, names: Sequence[str] | None = None
) -> ROCConvexHull:
    """Find the classifiers that are optimal for some costs of errors and some share of positives.

    ROCCH (YA06 §2.5): every threshold of every classifier is a point (false positive rate, true
    positive rate); those on the upper convex hull of all points can be optimal, the others never.
    For two classes only.

    Parameters
    ----------
    scores : (n, m) array-like
        Scores of m classifiers, larger for the positive class. Labels 0 and 1 are scores too, with
        one operating point.
    y : (n,) bools, 0 and 1, or two labels as texts
        The true class, both present; of texts the second in sorted order is positive.
    names : sequence of str, optional

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.comparison import roc_convex_hull
    >>> hull = roc_convex_hull(np.arange(5.0)[:, None], [0, 0, 1, 0, 1])
    >>> np.column_stack([hull.fpr, hull.tpr]).round(3).tolist()
    [[0.0, 0.0], [0.0, 0.5], [0.333, 1.0], [1.0, 1.0]]
    """
    from sklearn.metrics import roc_curve  # slow to import

    table, positive = check_two_class_scores(scores, y)
    found = [roc_curve(positive, column, drop_intermediate=False) for column in table.T]
    points = np.stack([np.concatenate([one[axis] for one in found]) for axis in (0, 1)])
    threshold = np.concatenate([cuts for *_, cuts in found])
    owner = np.repeat(np.arange(len(found)), [len(cuts) for *_, cuts in found])
    corner = _upper_hull(points)
    trivial = np.isinf(threshold[corner]) | (points[:, corner].sum(axis=0) == 2)
    ends = np.where(points[0, corner] == 0, np.inf, -np.inf)
    inner = points[:, corner[points[:, corner].sum(axis=0) % 2 > 0]]  # not (0, 0) and (1, 1)
    on = (points[:, :, None] == inner[:, None]).all(axis=0).any(axis=1)
    return ROCConvexHull(
        names=learner_names(names, table.shape[1]),
        fpr=points[0, corner],
        tpr=points[1, corner],
        learner=np.where(trivial, -1, owner[corner]),
        threshold=np.where(trivial, ends, threshold[corner]),
        optimal=np.isin(np.arange(table.shape[1]), owner[on]),
        curves=tuple(np.stack(rates) for *rates, _ in found),
    )


def _upper_hull(points: Floats) -> Ints:
    """Corners of the upper hull from (0, 0) to (1, 1); of equal points the first."""
    order = np.lexsort((np.arange(points.shape[1]), points[1], points[0]))
    hull: list[int] = [int(np.argmax((points == 0).all(axis=0)))]
    for i in order.tolist():
        if (points[:, i] == points[:, hull[-1]]).all():
            continue
        while len(hull) > 1 and _not_above(points, hull[-2], hull[-1], i):
            hull.pop()
        if points[0, i] > points[0, hull[-1]] or points[1, i] > points[1, hull[-1]]:
            hull.append(i)
    return np.array(hull, dtype=np.intp)


def _not_above(points: Floats, a: int, b: int, c: int) -> bool:
    """Whether b lies on or under the line from a to c."""
    (ax, bx, cx), (ay, by, cy) = points[:, [a, b, c]]
    return bool((by - ay) * (cx - ax) <= (cy - ay) * (bx - ax) + 1e-15)


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
