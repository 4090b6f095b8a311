"""Over several data sets: Friedman, then all pairs (Nemenyi) or a control; p-values adjusted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from polychotomy.comparison.drawings import draw_underlines
from polychotomy.comparison.inputs import is_frame, learner_names, maximal_ranges, midranks
from polychotomy.comparison.results import t_ratio
from polychotomy.core.arguments import (
    as_floats,
    check_choice,
    check_entries,
    check_finite,
    check_position,
    check_share,
)
from polychotomy.core.arrays import Floats
from polychotomy.core.exceptions import InvalidInput
from polychotomy.core.result import Axes, DataFrame, Result, new_axes

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

    def __str__(self) -> str:
        first, second = self.iman_davenport_df
        return (
            f"Friedman test over {self.n_data_sets} data sets: χ² = {self.statistic:.4g} with "
            f"{self.df} degrees of freedom, p = {self.pvalue:.3g} (Iman–Davenport "
            f"F = {self.iman_davenport:.4g} with {first} and {second}, "
            f"p = {self.iman_davenport_pvalue:.3g})."
        )


def friedman_test(scores: ArrayLike, *, better: Better = "smaller") -> FriedmanTest:
    """Friedman's rank test of several learners over several data sets, corrected for ties.

    With Iman and Davenport's F = (N − 1) χ² / (N (k − 1) − χ²), as MST09 and Demšar (2006) use it.
    Its rows must be independent: **data sets, one mean error each, never the folds of one data
    set**, whose training sets overlap.

    Parameters
    ----------
    scores : (data sets, learners) array-like
        One number for each data set and learner, two or more of each. The columns of a data frame
        name the learners.
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
        iman_davenport_pvalue=float(special.fdtrc(*df, f)),
        mean_ranks=means,
        n_data_sets=n,
        names=names_of(scores, None, k),
    )


def rank_learners(scores: ArrayLike, *, better: Better = "smaller") -> Floats:
    """Rank the learners within each data set, 1 for the best, ties shared.

    Examples
    --------
    >>> rank_learners([[0.9, 0.8, 0.9], [0.5, 0.6, 0.7]], better="larger")
    array([[1.5, 3. , 1.5],
           [3. , 2. , 1. ]])
    """
    check_choice("better", better, get_args(Better))
    table = as_floats("scores", scores)
    if table.ndim != 2 or min(table.shape) < 2:
        raise InvalidInput(
            f"scores has shape {table.shape}; expected (data sets, learners), two or more of each. "
            "Folds of one data set are not independent and cannot stand for data sets: average "
            "over them, and compare learners on one data set by multitest."
        )
    check_finite("scores", table)
    return midranks(table if better == "smaller" else -table)


def names_of(scores: ArrayLike, names: Sequence[str] | None, m: int) -> tuple[str, ...]:
    """Names of the learners: those given, those of a frame, or their places."""
    if names is None and is_frame(scores):
        names = [str(column) for column in scores.columns]
    return learner_names(names, m)


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
    Nemenyi test over 4 data sets at level 0.05, critical difference of mean ranks 1.657. \
Told apart: none.
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
        ax = new_axes(ax, height=1.6 + 0.2 * len(self.groups))
        ax.plot([1, 1 + self.critical_difference], [2.8, 2.8], "|-", color="0.2")
        ax.set_xlabel(f"mean rank (above: the critical difference, {self.critical_difference:.3g})")
        return draw_underlines(ax, self.names, self.mean_ranks, self.groups)

    def __str__(self) -> str:
        apart = self.to_frame().query("told_apart")
        found = ", ".join(apart["first"] + " and " + apart["second"]) or "none"
        return (
            f"Nemenyi test over {self.n_data_sets} data sets at level {self.alpha:g}, critical "
            f"difference of mean ranks {self.critical_difference:.4g}. Told apart: {found}."
        )


def nemenyi_test(
    scores: ArrayLike,
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
    scores : (data sets, learners) array-like
        One number for each data set and learner: never folds of one data set.
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
    from scipy.stats import studentized_range  # slow to import

    ranks = rank_learners(scores, better=better)
    n, m = ranks.shape
    means = ranks.mean(axis=0)
    unit = float(np.sqrt(m * (m + 1) / (12.0 * n)))
    statistic = np.abs(means[:, None] - means) / unit
    level = check_share("alpha", alpha, such_as=0.05)
    critical = unit * float(studentized_range.isf(level, m, np.inf))
    order = np.argsort(means, kind="stable")
    ends = np.searchsorted(means[order], means[order] + critical)
    return Nemenyi(
        names=names_of(scores, names, m),
        mean_ranks=means,
        statistic=statistic,
        df=np.inf,
        pvalue=studentized_range.sf(statistic, m, np.inf),
        critical_difference=critical,
        groups=maximal_ranges(order, ends.tolist()),
        alpha=level,
        n_data_sets=n,
    )


class ControlComparison(Result):
    """Learners against a control over several data sets, Holm's correction included.

    Parameters
    ----------
    names : tuple of str
    control : int
        Its row.
    friedman : FriedmanTest
        The test that all are equal, to be looked at first.
    statistic : (m,) floats
        z of the mean rank of each learner minus the control's; 0 for the control.
    df : float
        inf.
    pvalue : (m,) floats
        Two-sided and raw; 1 for the control.
    adjusted_pvalue : (m,) floats
        By Holm over the m − 1 comparisons; 1 for the control.

    Examples
    --------
    >>> from polychotomy.comparison import compare_to_control
    >>> scores = [[1, 2, 3], [1, 3, 2], [1, 2, 3], [2, 1, 3]]
    >>> print(compare_to_control(scores, names=["A", "B", "C"]))
    Friedman test over 4 data sets: χ² = 4.5 with 2 degrees of freedom, p = 0.105 \
(Iman–Davenport F = 3.857 with 2 and 6, p = 0.0837). Against A (Holm): B p = 0.289, C p = 0.0678.
    """

    names: tuple[str, ...]
    control: int
    friedman: FriedmanTest
    statistic: Floats
    df: float
    pvalue: Floats
    adjusted_pvalue: Floats

    def to_frame(self) -> DataFrame:
        """One row for each learner."""
        numbers = self._frame("statistic", "pvalue", "adjusted_pvalue")
        return self.friedman.to_frame().assign(learner=self.names, **numbers)

    def __str__(self) -> str:
        found = zip(self.names, self.adjusted_pvalue, strict=True)
        first = self.names[self.control]
        others = ", ".join(f"{name} p = {p:.3g}" for name, p in found if name != first)
        return f"{self.friedman} Against {first} (Holm): {others}."


def compare_to_control(
    scores: ArrayLike,
    *,
    control: int | str = 0,
    names: Sequence[str] | None = None,
    better: Better = "smaller",
) -> ControlComparison:
    """Friedman's test over data sets, then each learner against a control with Holm's correction.

    As in MST09 §4 and Demšar (2006): z = (R_i − R_control) / √(m (m + 1)/(6 N)), two-sided.

    Parameters
    ----------
    scores : (data sets, learners) array-like
        One number for each data set and learner: never folds of one data set, whose training sets
        overlap.
    control : int or str
        Row or name of the control.
    names : sequence of str, optional
        By default those of the table, or the columns of a data frame.
    better : {"smaller", "larger"}
        Which scores get the low ranks.

    Examples
    --------
    >>> from polychotomy.comparison import compare_to_control
    >>> found = compare_to_control([[1, 2, 3], [1, 3, 2], [1, 2, 3], [2, 1, 3]])
    >>> found.statistic.round(4)
    array([0.    , 1.0607, 2.1213])
    """
    friedman = friedman_test(scores, better=better)
    m = len(friedman.mean_ranks)
    found_names = names_of(scores, names, m)
    row = check_position("control", control, found_names)
    error = np.sqrt(m * (m + 1) / (6.0 * friedman.n_data_sets))
    z = (friedman.mean_ranks - friedman.mean_ranks[row]) / error
    pvalue = np.asarray(2.0 * special.ndtr(-np.abs(z)))
    others = np.arange(m) != row
    adjusted = np.ones(m)
    adjusted[others] = holm(pvalue[others])
    return ControlComparison(
        names=found_names,
        control=row,
        friedman=friedman,
        statistic=z,
        df=np.inf,
        pvalue=pvalue,
        adjusted_pvalue=adjusted,
    )


def bonferroni(pvalues: ArrayLike) -> Floats:
    """p-values times their number, at most 1.

    Valid for any dependence between the tests.

    Parameters
    ----------
    pvalues : array-like of any shape
        One family of p-values.

    Returns
    -------
    array of the same shape

    Examples
    --------
    >>> from polychotomy.comparison import bonferroni
    >>> bonferroni([0.01, 0.02, 0.4])
    array([0.03, 0.06, 1.  ])
    """
    p = _checked(pvalues)
    return np.minimum(p * max(p.size, 1), 1.0)


def holm(pvalues: ArrayLike) -> Floats:
    """p-values adjusted by Holm's step-down procedure.

    The smallest is held to α/M, the next to α/(M−1), and so on until one is accepted. Valid for any
    dependence between the tests, and never less powerful than `bonferroni`.

    Parameters
    ----------
    pvalues : array-like of any shape
        One family of p-values.

    Returns
    -------
    array of the same shape

    Examples
    --------
    >>> from polychotomy.comparison import holm
    >>> holm([0.01, 0.02, 0.4])
    array([0.03, 0.04, 0.4 ])
    """
    p = _checked(pvalues)
    order = np.argsort(p, axis=None, kind="stable")
    stepped = np.maximum.accumulate(p.ravel()[order] * np.arange(p.size, 0, -1))
    adjusted = np.empty(p.size)
    adjusted[order] = np.minimum(stepped, 1.0)
    return adjusted.reshape(p.shape)


def _checked(pvalues: ArrayLike) -> Floats:
    p = as_floats("pvalues", pvalues)
    check_entries("pvalues", p, (p >= 0) & (p <= 1), "numbers from 0 to 1")
    return p
