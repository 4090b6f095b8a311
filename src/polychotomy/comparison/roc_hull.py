"""YA06 §2.5: the ROC convex hull of Provost and Fawcett (2001)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from polychotomy.comparison.inputs import learner_names
from polychotomy.core.arguments import is_number, unexpected
from polychotomy.core.arrays import Bools, Floats, Ints
from polychotomy.core.ranking import check_two_class_scores, roc_points
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

    @property
    def slopes(self) -> Floats:
        """(v − 1,) slope of each side of the hull, falling; inf where it is upright."""
        across, up = np.diff(self.fpr), np.diff(self.tpr)
        return np.where(across == 0, np.inf, up / np.where(across == 0, 1.0, across))

    def best_at(
        self,
        *,
        prevalence: float,
        cost_false_positive: float = 1.0,
        cost_false_negative: float = 1.0,
    ) -> tuple[int, float]:
        """Return the row and threshold of the best classifier for a share of positives and costs.

        The corner that a line of slope (1 − prevalence) · cost_false_positive / (prevalence ·
        cost_false_negative) touches first from above: all points of such a line cost the same. Row
        −1 with threshold inf or −inf means to answer always "negative" or always "positive".

        Examples
        --------
        >>> import numpy as np
        >>> from polychotomy.comparison import roc_convex_hull
        >>> hull = roc_convex_hull(np.arange(5.0)[:, None], [0, 0, 1, 0, 1])
        >>> hull.best_at(prevalence=0.5)
        (0, 2.0)
        >>> hull.best_at(prevalence=0.01)
        (0, 4.0)
        """
        _require_costs(prevalence, cost_false_positive, cost_false_negative)
        cost = (1 - prevalence) * cost_false_positive * self.fpr + (
            prevalence * cost_false_negative * (1 - self.tpr)
        )
        corner = int(np.argmin(np.round(cost, 14)))
        return int(self.learner[corner]), float(self.threshold[corner])

    def to_frame(self) -> DataFrame:
        """One row for each corner, with the range of slopes for which it is best."""
        slopes = self.slopes
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
    table, positive = check_two_class_scores(scores, y)
    found = [roc_points(column, positive) for column in table.T]
    points = np.concatenate([one for one, _ in found], axis=1)
    owner = np.repeat(np.arange(len(found)), [one.shape[1] for one, _ in found])
    threshold = np.concatenate([cut for _, cut in found])
    corner = _upper_hull(points)
    trivial = np.isinf(threshold[corner]) | (points[:, corner].sum(axis=0) == 2)
    ends = np.where(points[0, corner] == 0, np.inf, -np.inf)
    return ROCConvexHull(
        names=learner_names(names, table.shape[1]),
        fpr=points[0, corner],
        tpr=points[1, corner],
        learner=np.where(trivial, -1, owner[corner]),
        threshold=np.where(trivial, ends, threshold[corner]),
        optimal=_who_is_on(points, owner, corner, table.shape[1]),
        curves=tuple(one for one, _ in found),
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


def _who_is_on(points: Floats, owner: Ints, corner: Ints, m: int) -> Bools:
    inner = corner[(points[:, corner].sum(axis=0) > 0) & (points[:, corner].sum(axis=0) < 2)]
    on = (points[:, :, None] == points[:, None, inner]).all(axis=0).any(axis=1)
    return np.isin(np.arange(m), owner[on])


def _require_costs(prevalence: float, false_positive: float, false_negative: float) -> None:
    if not is_number(prevalence) or not 0 <= prevalence <= 1:
        raise unexpected("prevalence", prevalence, "the share of positives, 0 to 1")
    for cost in (false_positive, false_negative):
        if not is_number(cost) or not 0 <= cost < np.inf:
            raise unexpected("a cost", cost, "a number, 0 or more")
