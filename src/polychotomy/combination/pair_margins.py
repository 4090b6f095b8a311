"""Pairs of a positive and a negative: how many are ranked rightly, by what margin (MST09 eq. 1)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from polychotomy.combination.two_classes import Sides
from polychotomy.core.arguments import (
    as_array,
    as_floats,
    check_count,
    check_finite,
    check_names,
    wrong_shape,
)
from polychotomy.core.arrays import Floats, Ints
from polychotomy.core.ranking import check_two_class_scores, placements
from polychotomy.core.result import Axes, DataFrame, Result, new_axes


def rank_margin(scores: ArrayLike, y: ArrayLike, *, weights: ArrayLike | None = None) -> float:
    """Smallest difference between a positive's and a negative's combined score.

    [MST09]_ eq. (1) of the combination of eq. (3). The minimum over all N⁺N⁻ crucial pairs is the
    lowest positive minus the highest negative, so no pair is formed. Negative when some pair is
    ranked wrongly.

    Parameters
    ----------
    scores : (n, m) array-like
        Column j holds classifier j's scores. The paper takes them in [−1, 1]; any finite scores
        will do, and the margin is in their unit. Arrays of PyTorch, CuPy and the like are copied
        to NumPy.
    y : (n,) array-like
        1 (positive) or 0 (negative), or two texts, the second in sorted order positive; both must
        occur.
    weights : (m,) array-like, optional
        Weights of the classifiers, any finite numbers; uniform when left out.

    Returns
    -------
    float

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.combination import rank_margin
    >>> scores = np.array([[0.9, 0.2], [0.1, 0.8], [0.3, 0.0], [0.0, 0.4]])
    >>> rank_margin(scores, [1, 1, 0, 0])  # 0.45 − 0.2
    0.25
    >>> round(rank_margin(scores, [1, 1, 0, 0], weights=[1, 0]), 6)  # 0.1 − 0.3
    -0.2
    """
    sides = Sides.split(*check_two_class_scores(scores, y))
    m = sides.m
    checked = as_floats("weights", np.full(m, 1.0 / m) if weights is None else weights)
    if checked.shape != (m,):
        raise wrong_shape("weights", checked, f"({m},), one for each column of the scores")
    check_finite("weights", checked)
    return sides.margin(*sides.combine(checked))


class PairMargins(Result):
    """Share of crucial pairs whose margin is at most a threshold, for several rankers.

    Parameters
    ----------
    names : tuple of str
        The rankers.
    thresholds : (points,) floats
    shares : (m, points) floats
        Shares of the pairs with a margin ≤ the threshold.
    margins : (m,) floats
        Smallest margin of each ranker.
    n_pairs : int

    Examples
    --------
    >>> from polychotomy.combination.pair_margins import pair_margins
    >>> margins = pair_margins([[0.9], [0.4], [0.5], [0.1]], [1, 1, 0, 0], names=["one"])
    >>> type(margins).__name__, margins.names
    ('PairMargins', ('one',))
    """

    names: tuple[str, ...]
    thresholds: Floats
    shares: Floats
    margins: Floats
    n_pairs: int

    def to_frame(self) -> DataFrame:
        """Return a row for each ranker and threshold."""
        m, points = self.shares.shape
        return self._frame(
            ranker=np.repeat(self.names, points),
            threshold=np.tile(self.thresholds, m),
            share=self.shares.ravel(),
        )

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the cumulative shares on a logarithmic scale, as in the paper's figures."""
        ax = new_axes(ax)
        for name, shares in zip(self.names, self.shares, strict=True):
            shown = shares > 0
            ax.step(self.thresholds[shown], shares[shown], where="post", label=name, linewidth=1.4)
        ax.axvline(0, color="#555555", linewidth=0.8, linestyle=":")
        ax.set_yscale("log")
        ax.set(xlabel="margin of a crucial pair", ylabel="share of pairs up to that margin")
        ax.legend(frameon=False)
        ax.spines[["top", "right"]].set_visible(False)
        return ax

    def __str__(self) -> str:
        pairs = zip(self.names, self.margins, strict=True)
        said = "; ".join(f"{name} has smallest margin {margin:.4g}" for name, margin in pairs)
        return f"Of {self.n_pairs} crucial pairs, {said}."


def pair_margins(
    scores: ArrayLike, y: ArrayLike, *, names: Sequence[str] | None = None, points: int = 200
) -> PairMargins:
    """Count how many crucial pairs have a margin up to each of some thresholds.

    Parameters
    ----------
    scores : (n, m) array-like
        Column j holds ranker j's scores. Rankers are compared on the same thresholds, so bring
        their scores to one scale first ([MST09]_: [−1, 1]).
    y : (n,) array-like
        1 (positive) or 0 (negative), or two texts, the second in sorted order positive.
    names : sequence of str, optional
        The rankers' names; "ranker 0" and so on when left out.
    points : int
        Thresholds, equally spaced over all margins, with 0 among them where it lies within.

    Examples
    --------
    Margins of one ranker: 2, 3, 0 and 1:

    >>> import numpy as np
    >>> from polychotomy.combination.pair_margins import pair_margins
    >>> found = pair_margins(np.array([[4.0], [2.0], [2.0], [1.0]]), [1, 1, 0, 0], points=4)
    >>> found.thresholds, found.shares
    (array([0., 1., 2., 3.]), array([[0.25, 0.5 , 0.75, 1.  ]]))
    """
    matrix, positive = check_two_class_scores(scores, y)
    m = matrix.shape[1]
    labels = check_names("names", names, count=m, prefix="ranker ")
    points = check_count("points", points, least=2, unit="thresholds")
    columns = [(np.sort(column[positive]), np.sort(column[~positive])) for column in matrix.T]
    margins = np.array([high[0] - low[-1] for high, low in columns])
    largest = max(float(high[-1] - low[0]) for high, low in columns)
    thresholds = np.linspace(float(margins.min()), largest, points)
    if points > 2 and thresholds[0] < 0 < largest:
        thresholds[1 + int(np.abs(thresholds[1:-1]).argmin())] = 0.0
    n_pairs = len(columns[0][0]) * len(columns[0][1])
    counts = np.array([count_pairs(high, low, thresholds) for high, low in columns])
    return PairMargins(
        names=labels, thresholds=thresholds, shares=counts / n_pairs, margins=margins,
        n_pairs=n_pairs,
    )  # fmt: skip


def count_pairs(high: Floats, low: Floats, thresholds: Floats) -> Ints:
    """Count the pairs of two sorted arrays with high − low ≤ each threshold.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.combination.pair_margins import count_pairs
    >>> count_pairs(np.array([2.0, 4.0]), np.array([1.0, 2.0]), np.array([0.0, 2.5]))
    array([1, 3])
    """
    # high − low ≤ t where low ≥ high − t.
    return np.array(
        [len(high) * len(low) - np.searchsorted(low, high - t, "left").sum() for t in thresholds]
    )


def auc(scores: ArrayLike, y: ArrayLike) -> float:
    """Share of crucial pairs that the scores rank rightly; ties count half.

    Parameters
    ----------
    scores : (n,) array-like
    y : (n,) array-like
        1 (positive) or 0 (negative), or two texts, the second in sorted order positive.

    Examples
    --------
    >>> from polychotomy.combination import auc
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
