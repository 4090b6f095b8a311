"""Friedman's test over data sets, with Iman and Davenport's F."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from polychotomy.comparison.error_table import ErrorTable
from polychotomy.comparison.inputs import is_frame, learner_names, midranks
from polychotomy.comparison.results import f_pvalue, finite_table, t_ratio
from polychotomy.core.arguments import as_floats, unexpected
from polychotomy.core.arrays import Floats
from polychotomy.core.exceptions import InvalidInput
from polychotomy.core.result import Axes, DataFrame, Result, draw_bars

Better: TypeAlias = Literal["smaller", "larger"]


class FriedmanTest(Result):
    """Conclusion of Friedman's test over several data sets.

    Parameters
    ----------
    statistic : float
        χ², corrected for ties; 0 where all learners tie everywhere.
    df : int
        Learners − 1.
    pvalue : float
    iman_davenport : float
        Their less conservative F, inf where every data set ranks the learners alike.
    iman_davenport_df : (int, int)
    iman_davenport_pvalue : float
    mean_ranks : (m,) floats
        Rank 1 is best.
    n_data_sets : int
    names : tuple of str
        Of the learners.

    Examples
    --------
    >>> from polychotomy.comparison import friedman_test
    >>> print(friedman_test([[1, 2, 3], [1, 3, 2], [1, 2, 3], [2, 1, 3]]))
    Friedman test over 4 data sets: χ² = 4.5 with 2 degrees of freedom, p = 0.105 \
(Iman–Davenport F = 3.857 with 2 and 6, p = 0.0837).
    """

    statistic: float
    df: int
    pvalue: float
    iman_davenport: float
    iman_davenport_df: tuple[int, int]
    iman_davenport_pvalue: float
    mean_ranks: Floats
    n_data_sets: int
    names: tuple[str, ...]

    def to_frame(self) -> DataFrame:
        """One row for each learner."""
        return self._frame(learner=self.names, mean_rank=self.mean_ranks)

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the mean ranks."""
        return draw_bars(ax, self.names, self.mean_ranks, "mean rank")

    def __str__(self) -> str:
        first, second = self.iman_davenport_df
        return (
            f"Friedman test over {self.n_data_sets} data sets: χ² = {self.statistic:.4g} with "
            f"{self.df} degrees of freedom, p = {self.pvalue:.3g} (Iman–Davenport "
            f"F = {self.iman_davenport:.4g} with {first} and {second}, "
            f"p = {self.iman_davenport_pvalue:.3g})."
        )


def friedman_test(scores: ArrayLike | ErrorTable, *, better: Better = "smaller") -> FriedmanTest:
    """Friedman's rank test of several learners over several data sets, corrected for ties.

    With Iman and Davenport's F = (N − 1) χ² / (N (k − 1) − χ²), as MST09 and Demšar (2006) use it.
    Its rows must be independent: **data sets, one mean error each, never the folds of one data
    set**, whose training sets overlap.

    Parameters
    ----------
    scores : (data sets, learners) array-like, or ErrorTable
        One number for each data set and learner, two or more of each. The columns of a data frame
        name the learners. Of an ErrorTable the mean error on each data set is taken.
    better : {"smaller", "larger"}
        Which scores get the low ranks; it changes ``mean_ranks`` only.

    Examples
    --------
    Mean ranks 1.25, 2, 2.75: χ² = 12 · 4/(3 · 4) · (0.75² + 0 + 0.75²) = 4.5

    >>> from polychotomy.comparison import friedman_test
    >>> test = friedman_test([[1, 2, 3], [1, 3, 2], [1, 2, 3], [2, 1, 3]])
    >>> round(test.statistic, 6), test.df, test.mean_ranks
    (4.5, 2, array([1.25, 2.  , 2.75]))
    """
    ranks = rank_learners(scores, better=better)
    n, k = ranks.shape
    means = ranks.mean(axis=0)
    centre = (k + 1) / 2.0
    # Sum of squared ranks around their centre: carries the correction for ties.
    variance = np.square(ranks - centre).sum() / (n * (k - 1))
    chi2 = float(t_ratio(n * np.square(means - centre).sum(), np.asarray(variance)))
    left = n * (k - 1) - chi2
    f = float(t_ratio(np.asarray((n - 1) * chi2), np.asarray(left if left > 1e-9 * n * k else 0.0)))
    df = k - 1, (n - 1) * (k - 1)
    return FriedmanTest(
        statistic=chi2,
        df=k - 1,
        pvalue=float(special.chdtrc(k - 1, chi2)),
        iman_davenport=f,
        iman_davenport_df=df,
        iman_davenport_pvalue=float(f_pvalue(np.asarray(f), *df)),
        mean_ranks=means,
        n_data_sets=n,
        names=names_of(scores, None, k),
    )


def rank_learners(scores: ArrayLike | ErrorTable, *, better: Better = "smaller") -> Floats:
    """Rank the learners within each data set, 1 for the best, ties shared.

    Examples
    --------
    >>> rank_learners([[0.9, 0.8, 0.9], [0.5, 0.6, 0.7]], better="larger")
    array([[1.5, 3. , 1.5],
           [3. , 2. , 1. ]])
    """
    if not isinstance(better, str) or better not in ("smaller", "larger"):
        raise unexpected("better", better, "'smaller' (errors) or 'larger'")
    if isinstance(scores, ErrorTable):
        scores = scores.mean_errors()
    table = as_floats("scores", scores)
    if table.ndim != 2 or len(table) < 2:
        raise InvalidInput(
            f"scores has shape {table.shape}; expected (data sets, learners), two or more data "
            "sets with one number for each learner. Folds and runs of one data set share their "
            "training data and are not independent, so they cannot stand for data sets: average "
            "over them, and compare learners on one data set by multitest."
        )
    finite_table(table, "scores", ("data sets", "learners"))
    return midranks(table if better == "smaller" else -table)


def names_of(
    scores: ArrayLike | ErrorTable, names: Sequence[str] | None, m: int
) -> tuple[str, ...]:
    """Names of the learners: those given, those of the table or frame, or their places."""
    if names is None and isinstance(scores, ErrorTable):
        return scores.names
    if names is None and is_frame(scores):
        names = [str(column) for column in scores.columns]
    return learner_names(names, m)
