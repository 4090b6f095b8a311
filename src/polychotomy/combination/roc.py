"""ROC curves and the areas under them, with DeLong's covariance of areas on the same samples."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, logit, ndtri

from polychotomy.core.arguments import as_array, check_names, check_share, wrong_shape
from polychotomy.core.arrays import Floats
from polychotomy.core.ranking import (
    check_two_class_scores,
    placement_covariance,
    placements,
    roc_points,
)
from polychotomy.core.result import Axes, DataFrame, Result, new_axes


def auc(scores: ArrayLike, y: ArrayLike) -> float:
    """Share of crucial pairs that the scores rank rightly; ties count half.

    Parameters
    ----------
    scores : (n,) array-like
    y : (n,) array-like
        1 (positive) or 0 (negative), or two texts, the second in sorted order positive.

    Examples
    --------
    >>> from polychotomy.combination.roc import auc
    >>> auc([0.9, 0.4, 0.4, 0.1], [1, 1, 0, 0])  # 3½ of 4 pairs
    0.875
    """
    column = as_array("scores", scores)
    if column.ndim != 1:
        raise wrong_shape("scores", column, "(n,). For several columns use aucs")
    return float(aucs(column[:, None], y)[0])


def aucs(scores: ArrayLike, y: ArrayLike) -> Floats:
    """AUC of each column of scores.

    Parameters
    ----------
    scores : (n, m) array-like
    y : (n,) array-like
        1 (positive) or 0 (negative), or two texts, the second in sorted order positive.

    Returns
    -------
    (m,) floats

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.combination import aucs
    >>> aucs(np.array([[0.9, 0.1], [0.2, 0.5]]), [1, 0])
    array([1., 0.])
    """
    matrix, positive = check_two_class_scores(scores, y)
    return np.array([placements(column, positive)[0].mean() for column in matrix.T])


def auc_covariance(scores: ArrayLike, y: ArrayLike) -> Floats:
    """DeLong's covariance of the AUCs of several classifiers on the same samples.

    Parameters
    ----------
    scores : (n, m) array-like
    y : (n,) array-like
        1 (positive) or 0 (negative), or two texts, the second in sorted order positive. A class
        with a single sample has no sample variance and contributes none.

    Returns
    -------
    (m, m) floats

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.combination import auc_covariance
    >>> scores = np.array([[3.0], [1.0], [2.0], [1.0]])
    >>> auc_covariance(scores, [1, 1, 0, 0])  # 0.28125/2 + 0.03125/2
    array([[0.15625]])
    """
    matrix, positive = check_two_class_scores(scores, y)
    parts = [placements(column, positive) for column in matrix.T]
    return placement_covariance(
        np.array([high for high, _ in parts]), np.array([low for _, low in parts])
    )


class RocCurves(Result):
    """ROC curves and areas of several rankers on the same samples.

    Parameters
    ----------
    names : tuple of str
    curves : tuple of (2, points) floats
        False and true positive rates, from (0, 0) to (1, 1); corners only.
    aucs : (m,) floats
    intervals : (m, 2) floats
        DeLong intervals of the areas, made on the logit scale so that they stay within [0, 1].
    level : float
        Of the intervals.

    Examples
    --------
    >>> from polychotomy.combination.roc import roc_curves
    >>> curves = roc_curves([[0.9], [0.4], [0.4], [0.1]], [1, 1, 0, 0], names=["one"])
    >>> type(curves).__name__, curves.names
    ('RocCurves', ('one',))
    """

    names: tuple[str, ...]
    curves: tuple[Floats, ...]
    aucs: Floats
    intervals: Floats
    level: float

    def to_frame(self) -> DataFrame:
        """Return a row for each ranker: its area and the interval."""
        return self._frame(
            ranker=self.names, auc=self.aucs, low=self.intervals[:, 0], high=self.intervals[:, 1]
        )

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the curves; the legend gives the areas and their intervals."""
        ax = new_axes(ax, width=4.8, height=4.8)
        for name, (false, true), area, (low, high) in zip(
            self.names, self.curves, self.aucs, self.intervals, strict=True
        ):
            ax.plot(false, true, linewidth=1.4, label=f"{name}: {area:.3f} ({low:.3f}–{high:.3f})")
        ax.plot([0, 1], [0, 1], color="#555555", linewidth=0.8, linestyle=":")
        ax.set_aspect("equal")
        ax.set(xlabel="false positive rate", ylabel="true positive rate")
        ax.legend(frameon=False, fontsize="small", loc="lower right", title="AUC")
        ax.spines[["top", "right"]].set_visible(False)
        return ax

    def __str__(self) -> str:
        parts = [
            f"{name} {area:.3f} ({low:.3f} to {high:.3f})"
            for name, area, (low, high) in zip(self.names, self.aucs, self.intervals, strict=True)
        ]
        return f"Areas under the ROC curve with {self.level:.0%} intervals: {', '.join(parts)}."


def roc_curves(
    scores: ArrayLike, y: ArrayLike, *, names: Sequence[str] | None = None, level: float = 0.95
) -> RocCurves:
    """ROC curves of the columns of scores, their areas and the areas' DeLong intervals.

    Parameters
    ----------
    scores : (n, m) array-like
    y : (n,) array-like
        1 (positive) or 0 (negative), or two texts, the second in sorted order positive.
    names : sequence of str, optional
        The rankers' names; their positions when left out.
    level : float
        Of the intervals, in (0, 1).

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.combination.roc import roc_curves
    >>> found = roc_curves(np.array([[0.9], [0.4], [0.4], [0.1]]), [1, 1, 0, 0])
    >>> found.curves[0]
    array([[0. , 0. , 0.5, 1. ],
           [0. , 0.5, 1. , 1. ]])
    >>> found.aucs
    array([0.875])
    """
    matrix, positive = check_two_class_scores(scores, y)
    m = matrix.shape[1]
    labels = check_names("names", names, count=m)
    level = check_share("level", level, such_as=0.95)
    areas = aucs(matrix, positive)
    errors = np.sqrt(auc_covariance(matrix, positive).diagonal())
    return RocCurves(
        names=labels,
        curves=tuple(_corners(roc_points(column, positive)[0]) for column in matrix.T),
        aucs=areas,
        intervals=auc_intervals(areas, errors, level=level),
        level=level,
    )


def _corners(points: Floats) -> Floats:
    """Leave out the points on the straight line between their neighbours."""
    steps = np.diff(points, axis=1)
    turns = steps[0, :-1] * steps[1, 1:] != steps[1, :-1] * steps[0, 1:]
    return points[:, np.concatenate([[True], turns, [True]])]


def auc_intervals(areas: Floats, errors: Floats, *, level: float) -> Floats:
    """Intervals (m, 2) of areas with standard errors, made on the logit scale.

    An area of exactly 0 or 1 has no standard error to go by: its interval is the point.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.combination.roc import auc_intervals
    >>> auc_intervals(np.array([0.9, 1.0]), np.array([0.05, 0.0]), level=0.95).round(3)
    array([[0.752, 0.964],
           [1.   , 1.   ]])
    """
    inner = (areas > 0) & (areas < 1)
    intervals = np.stack([areas, areas], axis=1)
    reach = ndtri((1 + level) / 2) * errors[inner] / (areas[inner] * (1 - areas[inner]))
    centre = logit(areas[inner])
    intervals[inner] = expit(np.stack([centre - reach, centre + reach], axis=1))
    return intervals
