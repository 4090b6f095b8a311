"""YA06 §2.4.2: the Newman–Keuls range test and its underlines."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from polychotomy.comparison.drawings import draw_underlines
from polychotomy.comparison.groups import in_own_unit, mean_squares
from polychotomy.comparison.inputs import NOISE, maximal_ranges, midranks, without_noise
from polychotomy.comparison.results import error_table, t_ratio
from polychotomy.core.arguments import check_share, wrong_shape
from polychotomy.core.arrays import Bools, Floats, Ints
from polychotomy.core.result import Axes, DataFrame, Result, new_axes


class RangeTest(Result):
    """Conclusion of a range test: which learners cannot be told apart.

    Parameters
    ----------
    order : (m,) ints
        Rows by ascending mean; ties by row.
    groups : tuple of tuples of int
        The underlines: maximal ranges of two or more rows, by ascending mean, whose means are not
        told apart.
    statistic : float
        Studentized range of all means.
    df : int
        m (L − 1), that of the mean square inside the rows.
    pvalue : float
        That all means are equal.
    ranges : (m, m) floats
        ``ranges[s, e]``, s < e in places of ``order``: studentized range of the means from place s
        to place e, YA06 eq. (12); NaN elsewhere.
    critical : (m − 1,) floats
        What a range of 2, 3, …, m means is held to.
    means : (m,) floats
        By row.
    alpha : float

    Examples
    --------
    >>> from polychotomy.comparison.newman_keuls import newman_keuls
    >>> print(newman_keuls([[6, 7, 8], [1, 2, 3], [2, 3, 4]]))
    Newman–Keuls test at level 0.05, rows by ascending mean: 1 2 0. \
Not told apart: (1 2).
    """

    order: Ints
    groups: tuple[tuple[int, ...], ...]
    statistic: float
    df: int
    pvalue: float
    ranges: Floats
    critical: Floats
    means: Floats
    alpha: float

    def to_frame(self) -> DataFrame:
        """One row for each range: its ends, its statistic, what that is held to."""
        start, end = np.triu_indices(len(self.order), 1)
        together = not_told_apart(self.ranges, self.critical)
        return self._frame(
            smallest=self.order[start],
            largest=self.order[end],
            n_means=end - start + 1,
            range=self.ranges[start, end],
            critical=self.critical[end - start - 1],
            told_apart=~together[start, end],
        )

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the rows at their means, underlined where they are not told apart."""
        ax = new_axes(ax, height=1.6 + 0.2 * len(self.groups))
        ax.set_xlabel("mean error")
        labels = [str(row) for row in range(len(self.means))]
        return draw_underlines(ax, labels, self.means, self.groups)

    def __str__(self) -> str:
        found = ", ".join(f"({' '.join(map(str, group))})" for group in self.groups) or "none"
        return (
            f"Newman–Keuls test at level {self.alpha:g}, rows by ascending mean: "
            f"{' '.join(map(str, self.order))}. Not told apart: {found}."
        )


def newman_keuls(errors: ArrayLike, *, alpha: float = 0.05) -> RangeTest:
    """Newman and Keuls's range test: groups of learners whose mean errors are not told apart.

    YA06 eq. (12): the range of P ordered means, t = (m_j − m_i) √(L/MSE), is held to the quantile
    q(α; P, K(L − 1)) of the studentized range, the widest range first; a range inside an accepted
    one is not tested. It takes the errors for independent, and holds each range to the same α.

    Parameters
    ----------
    errors : (m, L) array-like
        Errors of m ≥ 2 learners on L ≥ 2 folds (5×2 cross-validation has L = 10).
    alpha : float

    Examples
    --------
    >>> from polychotomy.comparison.newman_keuls import newman_keuls
    >>> newman_keuls([[6, 7, 8], [1, 2, 3], [2, 3, 4]]).groups
    ((1, 2),)
    """
    from scipy.stats import studentized_range  # slow to import

    table = error_table(errors)
    if table.ndim != 2:
        raise wrong_shape("errors", table, "(learners, folds), as errors.reshape(len(errors), 10)")
    m, folds = table.shape
    df = m * (folds - 1)
    check_share("alpha", alpha, such_as=0.05)
    critical = critical_ranges(m, df, alpha)
    order, ranges = studentized_ranges(table)
    together = not_told_apart(ranges, critical)
    ends = [int(np.flatnonzero(row)[-1]) + 1 for row in np.triu(together)]
    widest = float(ranges[0, -1])
    return RangeTest(
        order=order,
        groups=maximal_ranges(order, ends),
        statistic=widest,
        df=df,
        pvalue=float(studentized_range.sf(widest, m, df)),
        ranges=np.where(np.triu(np.ones((m, m), dtype=bool), 1), ranges, np.nan),
        critical=critical,
        means=table.mean(axis=1),
        alpha=float(alpha),
    )


def studentized_ranges(table: Floats) -> tuple[Ints, Floats]:
    """Order (..., m) by ascending mean and ranges (..., m, m) of tables (..., m, L).

    Examples
    --------
    >>> import numpy as np
    >>> order, ranges = studentized_ranges(np.array([[6.0, 7, 8], [1, 2, 3]]))
    >>> order, ranges[0, 1].round(4)
    (array([1, 0]), np.float64(8.6603))
    """
    means = in_own_unit(table).mean(axis=-1)
    # Means that rounding alone tells apart keep the order of preference.
    order = np.argsort(midranks(means, noise=NOISE), axis=-1, kind="stable")
    ordered = np.take_along_axis(means, order, axis=-1)
    gaps = without_noise(ordered[..., None, :] - ordered[..., :, None])
    error = np.sqrt(mean_squares(table)[1] / table.shape[-1])
    return order, t_ratio(gaps, np.broadcast_to(error[..., None, None], gaps.shape))


def critical_ranges(m: int, df: int, alpha: float) -> Floats:
    """Quantiles of the studentized range of 2, …, m means.

    Examples
    --------
    >>> critical_ranges(3, 6, 0.05).round(3)
    array([3.46 , 4.339])
    """
    return np.array([_quantile(alpha, p, df) for p in range(2, m + 1)])


@lru_cache(maxsize=4096)  # each takes a tenth of a second
def _quantile(alpha: float, m: int, df: int) -> float:
    from scipy.stats import studentized_range  # slow to import

    return float(studentized_range.isf(alpha, m, df))


def not_told_apart(ranges: Floats, critical: Floats) -> Bools:
    """Whether places s ≤ e lie inside an accepted range, (..., m, m).

    Examples
    --------
    >>> import numpy as np
    >>> ranges = np.array([[0, 1, 3.0], [-1, 0, 2], [-3, -2, 0]])
    >>> np.triu(not_told_apart(ranges, np.array([1.5, 2.5])), 1)
    array([[False,  True, False],
           [False, False, False],
           [False, False, False]])
    """
    m = ranges.shape[-1]
    together = np.zeros(ranges.shape, dtype=bool)
    together[..., np.arange(m), np.arange(m)] = True
    for width in range(m - 1, 0, -1):  # the widest first
        start = np.arange(m - width)
        accepted = ranges[..., start, start + width] < critical[width - 1]
        inside = np.zeros_like(accepted)
        if width < m - 1:
            inside[..., 1:] |= together[..., start[:-1], start[1:] + width]
            inside[..., :-1] |= together[..., start[:-1], start[:-1] + width + 1]
        together[..., start, start + width] = accepted | inside
    return together
