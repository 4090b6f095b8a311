"""PairedTest and GroupTest: what tests of two and of several learners conclude (YA06 §2)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from polychotomy.comparison.inputs import Alternative, Values, as_values, refuse_frame
from polychotomy.core.arguments import as_floats, check_finite, check_share, wrong_shape
from polychotomy.core.arrays import Floats
from polychotomy.core.result import Axes, DataFrame, Result, new_axes


class PairedTest(Result):
    """Conclusion of a t test between the errors of two learners on the same folds.

    The numbers are floats for one comparison and arrays, over the leading axes of the input, for
    a batch.

    Parameters
    ----------
    method : str
        The test, in words.
    alternative : {"two-sided", "greater", "less"}
        "greater" is the one-sided test of H0: mean error of a ≤ that of b.
    statistic : float or (...) floats
        t; 0 where the errors are equal (0/0), ±inf where they differ by a constant.
    df : float
        Degrees of freedom.
    pvalue : float or (...) floats
        1 (two-sided) or ½ where the errors are equal.
    mean_difference : float or (...) floats
        Mean of a − b over all folds.
    estimate : float or (...) floats
        The difference in the numerator of t: the mean, except for the 5×2cv t test, which takes
        the first difference only.
    standard_error : float or (...) floats
        The denominator of t.

    Examples
    --------
    >>> from polychotomy.comparison import paired_t_test
    >>> test = paired_t_test([0.30, 0.26, 0.28, 0.32], [0.25, 0.25, 0.24, 0.26])
    >>> print(test)
    Paired t test: mean difference 0.04, t = 3.703 with 3 degrees of freedom, two-sided p = 0.0342.
    >>> [round(end, 4) for end in test.confidence_interval()]
    [0.0056, 0.0744]
    """

    method: str
    alternative: Alternative
    statistic: Values
    df: float
    pvalue: Values
    mean_difference: Values
    estimate: Values
    standard_error: Values

    def confidence_interval(self, level: float = 0.95) -> tuple[Values, Values]:
        """Return the ends of the interval of differences that this test would not reject.

        It is ``estimate`` ± a quantile of t times ``standard_error``, one-sided where the test is
        ("greater" has no upper end).

        Examples
        --------
        >>> from polychotomy.comparison import paired_t_test
        >>> low, high = paired_t_test(
        ...     [3, 5, 4], [1, 2, 3], alternative="greater"
        ... ).confidence_interval(0.9)
        >>> round(low, 3), high
        (0.911, inf)
        """
        tail = 1.0 - check_share("level", level, such_as=0.95)
        width = -special.stdtrit(self.df, tail / 2 if self.alternative == "two-sided" else tail)
        reach = width * np.asarray(self.standard_error)
        estimate = np.asarray(self.estimate)
        infinite = np.full(estimate.shape, np.inf)
        low = -infinite if self.alternative == "less" else estimate - reach
        high = infinite if self.alternative == "greater" else estimate + reach
        return as_values(low), as_values(high)

    def to_frame(self) -> DataFrame:
        """One row for each comparison."""
        low, high = self.confidence_interval()
        names = ("method", "alternative", "mean_difference", "statistic", "df", "pvalue")
        return self._frame(*names, low=low, high=high)

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw each comparison's confidence interval beside the line of no difference."""
        ax = draw_intervals(ax, self.estimate, *self.confidence_interval())
        ax.set_title(self.method)
        return ax

    def __str__(self) -> str:
        if np.ndim(self.statistic):
            what = f"{self.method}, {self.alternative}"
            return f"{what}: {say_rejected(self.pvalue, 'comparisons')}, uncorrected."
        return (
            f"{self.method}: mean difference {self.mean_difference:.4g}, t = {self.statistic:.4g} "
            f"with {self.df} degrees of freedom, {sided(self.alternative)} p = {self.pvalue:.3g}."
        )


def sided(alternative: Alternative) -> str:
    """Say which sides a test has."""
    return "two-sided" if alternative == "two-sided" else f"one-sided ({alternative})"


def say_rejected(pvalues: Values, what: str) -> str:
    """Say how many of a batch of p-values are at most 0.05.

    Examples
    --------
    >>> import numpy as np
    >>> say_rejected(np.array([0.01, 0.2]), "tables")
    '1 of 2 tables have p ≤ 0.05'
    """
    return f"{int(np.sum(np.asarray(pvalues) <= 0.05))} of {np.size(pvalues)} {what} have p ≤ 0.05"


def draw_intervals(ax: Axes | None, estimate: Values, low_end: Values, high_end: Values) -> Axes:
    """Draw a horizontal interval in each row, the first on top; without an end, to the border."""
    ends = np.stack([np.ravel(one) for one in (low_end, estimate, high_end)])
    rows = np.arange(ends.shape[1])
    ax = new_axes(ax, height=1.6 + 0.25 * len(rows))
    farthest = 1.1 * np.abs(ends[np.isfinite(ends)]).max()
    low, estimates, high = np.clip(ends, -farthest, farthest)
    ax.axvline(0.0, color="0.6", linewidth=1)
    ax.hlines(rows, low, high, linewidth=2)
    ax.plot(estimates, rows, "o")
    ax.set(ylim=(len(rows) - 0.5, -0.5), yticks=[])
    ax.set_xlabel("error of a − error of b, with 95 % confidence interval")
    return ax


def t_pvalue(t: Floats, df: float | Floats, alternative: Alternative) -> Floats:
    """Return the p-value of a t statistic; ±inf gives 0 or 1.

    Examples
    --------
    >>> import numpy as np
    >>> t_pvalue(np.array([0.0, np.inf]), 5, "greater")
    array([0.5, 0. ])
    """
    if alternative == "two-sided":
        return np.asarray(2.0 * special.stdtr(df, -np.abs(t)))
    return np.asarray(special.stdtr(df, -t if alternative == "greater" else t))


def t_ratio(estimate: Floats, standard_error: Floats) -> Floats:
    """Divide the estimate by its standard error, with 0/0 = 0 and x/0 = ±inf.

    Examples
    --------
    >>> import numpy as np
    >>> t_ratio(np.array([1.0, 0.0, -2.0]), np.array([2.0, 0.0, 0.0]))
    array([ 0.5,  0. , -inf])
    """
    zero = standard_error == 0
    ratio = estimate / np.where(zero, 1.0, standard_error)
    limit = np.where(estimate == 0, 0.0, np.copysign(np.inf, estimate))
    return np.asarray(np.where(zero, limit, ratio))


class GroupTest(Result):
    """Conclusion of a test of H0: all learners are equal.

    The numbers are floats for one table and arrays, over the leading axes, for a batch.

    Parameters
    ----------
    method : str
        The test, in words.
    statistic : float or (...) floats
        0 where all are equal (0/0), inf where they differ without any variation inside.
    df : int or (int, int)
        Degrees of freedom: one number for χ², two for F.
    pvalue : float or (...) floats
    means : (..., m) floats
        What is compared: mean errors, mean ranks or shares.

    Examples
    --------
    >>> from polychotomy.comparison import anova_test
    >>> print(anova_test([[1, 2, 3], [2, 3, 4], [6, 7, 8]]))
    Anova: F = 21 with 2 and 6 degrees of freedom, p = 0.00195.
    """

    method: str
    statistic: Values
    df: int | tuple[int, int]
    pvalue: Values
    means: Floats

    def to_frame(self) -> DataFrame:
        """One row for each table."""
        df = {f"df_{place}": df for place, df in enumerate(np.ravel(self.df).tolist(), start=1)}
        return self._frame("method", "statistic", **df, pvalue=self.pvalue)

    def __str__(self) -> str:
        if np.ndim(self.statistic):
            return f"{self.method}: {say_rejected(self.pvalue, 'tables')}."
        freedom = " and ".join(str(df) for df in np.atleast_1d(self.df))
        symbol = "F" if isinstance(self.df, tuple) else "χ²"
        return (
            f"{self.method}: {symbol} = {self.statistic:.4g} with {freedom} degrees of "
            f"freedom, p = {self.pvalue:.3g}."
        )


def group_test(
    method: str, statistic: Floats, df: int | tuple[int, int], means: Floats
) -> GroupTest:
    """Hold a statistic to χ², or with two degrees of freedom to F."""
    tail = special.chdtrc if isinstance(df, int) else special.fdtrc
    return GroupTest(
        method=method,
        statistic=as_values(statistic),
        df=df,
        pvalue=as_values(np.asarray(tail(*np.atleast_1d(df), statistic))),
        means=means,
    )


def error_table(errors: ArrayLike) -> Floats:
    """Check errors of two or more learners on two or more folds, (..., m, L)."""
    refuse_frame(errors, "errors")
    table = as_floats("errors", errors)
    if table.ndim < 2 or min(table.shape[-2:]) < 2:
        raise wrong_shape("errors", table, "(learners, folds), two or more of each")
    check_finite("errors", table)
    return table
