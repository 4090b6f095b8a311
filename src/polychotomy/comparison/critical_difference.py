"""Nemenyi's critical difference of mean ranks over data sets."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from polychotomy.comparison.drawings import draw_critical_difference
from polychotomy.comparison.error_table import ErrorTable
from polychotomy.comparison.friedman import Better, names_of, rank_learners
from polychotomy.comparison.studentized_range import studentized_range_isf, studentized_range_sf
from polychotomy.core.arguments import check_share
from polychotomy.core.arrays import Floats
from polychotomy.core.result import Axes, DataFrame, Result, new_axes


class Nemenyi(Result):
    """Conclusion of Nemenyi's test: which learners' mean ranks differ over data sets.

    Parameters
    ----------
    names : tuple of str
    mean_ranks : (m,) floats
        Rank 1 is best.
    statistic : (m, m) floats
        Difference of the mean ranks in units of √(m (m + 1)/(12 N)).
    df : float
        inf.
    pvalue : (m, m) floats
        Of each pair, for all pairs together; 1 on the diagonal.
    critical_difference : float
        Mean ranks that differ by this or more are told apart at level ``alpha``.
    groups : tuple of tuples of int
        Maximal sets of two or more rows, by mean rank, that are not told apart.
    alpha : float
    n_data_sets : int

    Examples
    --------
    >>> from polychotomy.comparison import nemenyi_test
    >>> print(nemenyi_test([[1, 2, 3], [1, 3, 2], [1, 2, 3], [2, 1, 3]], names=["A", "B", "C"]))
    Nemenyi test over 4 data sets at level 0.05: mean ranks A 1.25, B 2, C 2.75; critical \
difference 1.657. No learners are told apart.
    """

    names: tuple[str, ...]
    mean_ranks: Floats
    statistic: Floats
    df: float
    pvalue: Floats
    critical_difference: float
    groups: tuple[tuple[int, ...], ...]
    alpha: float
    n_data_sets: int

    def to_frame(self) -> DataFrame:
        """One row for each pair."""
        i, j = np.triu_indices(len(self.names), 1)
        difference = self.mean_ranks[i] - self.mean_ranks[j]
        return self._frame(
            first=[self.names[k] for k in i],
            second=[self.names[k] for k in j],
            rank_difference=difference,
            pvalue=self.pvalue[i, j],
            told_apart=np.abs(difference) >= self.critical_difference,
        )

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the critical-difference diagram."""
        ax = new_axes(ax, width=9.0, height=1.5 + 0.22 * len(self.names))
        return draw_critical_difference(
            ax, self.names, self.mean_ranks, self.groups, self.critical_difference
        )

    def __str__(self) -> str:
        order = np.argsort(self.mean_ranks, kind="stable")
        ranks = ", ".join(f"{self.names[i]} {self.mean_ranks[i]:.4g}" for i in order)
        apart = self.to_frame().query("told_apart")
        found = ", ".join(
            f"{a} and {b}" for a, b in zip(apart["first"], apart["second"], strict=True)
        )
        return (
            f"Nemenyi test over {self.n_data_sets} data sets at level {self.alpha:g}: mean ranks "
            f"{ranks}; critical difference {self.critical_difference:.4g}. "
            f"{'Told apart: ' + found if found else 'No learners are told apart'}."
        )


def nemenyi_test(
    scores: ArrayLike | ErrorTable,
    *,
    names: Sequence[str] | None = None,
    alpha: float = 0.05,
    better: Better = "smaller",
) -> Nemenyi:
    """Nemenyi's test of all pairs of learners over several data sets, after `friedman_test`.

    Two mean ranks are told apart if they differ by q √(m (m + 1)/(6 N)) or more, q the quantile of
    the studentized range of m means with infinite degrees of freedom, divided by √2 (Demšar, 2006).

    Parameters
    ----------
    scores : (data sets, learners) array-like, or ErrorTable
        One number for each data set and learner: never folds of one data set. Of an ErrorTable the
        mean error on each data set is taken.
    names : sequence of str, optional
        By default those of the table, or the columns of a data frame.
    alpha : float
    better : {"smaller", "larger"}
        Which scores get the low ranks.

    Examples
    --------
    Three learners on four data sets: 2.343 √(3 · 4/24) = 1.657

    >>> from polychotomy.comparison import nemenyi_test
    >>> test = nemenyi_test([[1, 2, 3], [1, 3, 2], [1, 2, 3], [2, 1, 3]])
    >>> round(test.critical_difference, 3)
    1.657
    """
    ranks = rank_learners(scores, better=better)
    n, m = ranks.shape
    means = ranks.mean(axis=0)
    unit = float(np.sqrt(m * (m + 1) / (12.0 * n)))
    statistic = np.abs(means[:, None] - means) / unit
    critical = unit * studentized_range_isf(check_share("alpha", alpha, such_as=0.05), m, np.inf)
    pvalue = np.ones((m, m))
    pairs = np.triu_indices(m, 1)
    pvalue[pairs] = studentized_range_sf(statistic[pairs], m, np.inf)
    return Nemenyi(
        names=names_of(scores, names, m),
        mean_ranks=means,
        statistic=statistic,
        df=np.inf,
        pvalue=np.minimum(pvalue, pvalue.T),
        critical_difference=critical,
        groups=ranges_within(means, critical),
        alpha=float(alpha),
        n_data_sets=n,
    )


def ranges_within(values: Floats, width: float) -> tuple[tuple[int, ...], ...]:
    """Maximal sets of two or more rows whose values span less than ``width``, by value.

    Examples
    --------
    >>> import numpy as np
    >>> ranges_within(np.array([3.0, 1.0, 2.0, 9.0]), 1.5)
    ((1, 2), (2, 0))
    """
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    ends = np.searchsorted(ordered, ordered + width, side="left")
    return tuple(
        tuple(order[start:end].tolist())
        for start, end in enumerate(ends.tolist())
        if end - start > 1 and (start == 0 or ends[start - 1] < end)
    )
