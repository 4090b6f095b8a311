"""YA06 §2.4.1: analysis of variance, and its rank form."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from polychotomy.comparison.inputs import midranks, without_noise
from polychotomy.comparison.results import GroupTest, error_table, group_test, t_ratio
from polychotomy.core.arrays import Floats


def anova_test(errors: ArrayLike) -> GroupTest:
    """One-way analysis of variance of several learners' errors.

    YA06 eq. (9) to (11): F = MST/MSE with K − 1 and K(L − 1) degrees of freedom. It takes the
    errors for independent, which those of learners on the same folds are not.

    Parameters
    ----------
    errors : (..., m, L) array-like
        Errors of m learners on L folds. Leading axes are a batch of tables.

    Examples
    --------
    Means 2, 3, 7 around 4 give MST = 3 · 14/2 = 21; inside the rows MSE = 1:

    >>> from polychotomy.comparison import anova_test
    >>> test = anova_test([[1, 2, 3], [2, 3, 4], [6, 7, 8]])
    >>> test.statistic, test.df, round(test.pvalue, 5)
    (21.0, (2, 6), 0.00195)
    """
    table = error_table(errors)
    m, folds = table.shape[-2:]
    between, within = mean_squares(table)
    df = m - 1, m * (folds - 1)
    return group_test("Anova", t_ratio(between, within), df, table.mean(axis=-1))


def mean_squares(table: Floats) -> tuple[Floats, Floats]:
    """MST and MSE of YA06 eq. (9), (10), in units of the largest error squared.

    Examples
    --------
    >>> import numpy as np
    >>> mean_squares(np.array([[0.25, 0.5], [0.5, 0.75]]))
    (array(0.0625), array(0.03125))
    """
    m, folds = table.shape[-2:]
    scaled = in_own_unit(table)
    means = scaled.mean(axis=-1)
    inside = without_noise(scaled - means[..., None])
    outside = without_noise(means - means.mean(axis=-1, keepdims=True))
    between = folds * np.square(outside).sum(axis=-1) / (m - 1)
    within = np.square(inside).sum(axis=(-2, -1)) / (m * (folds - 1))
    return np.asarray(between), np.asarray(within)


def in_own_unit(table: Floats) -> Floats:
    """Divide each table by a power of two, so that its largest error is between ½ and 1.

    Examples
    --------
    >>> import numpy as np
    >>> in_own_unit(np.array([[3.0, 1.0]]))
    array([[0.75, 0.25]])
    """
    exponent = np.frexp(np.abs(table).max(axis=(-2, -1), keepdims=True))[1]
    return np.asarray(np.ldexp(table, -exponent))


def kruskal_wallis_test(errors: ArrayLike) -> GroupTest:
    """Kruskal and Wallis's rank test of several learners' errors, corrected for ties.

    YA06 §2.5: the nonparametric version of Anova, with the same assumption of independence.

    Parameters
    ----------
    errors : (..., m, L) array-like
        Errors of m learners on L folds. Leading axes are a batch of tables.

    Examples
    --------
    Rank sums 6, 15 and 24: H = 12/(9 · 10) · (36 + 225 + 576)/3 − 30 = 7.2

    >>> from polychotomy.comparison import kruskal_wallis_test
    >>> test = kruskal_wallis_test([[1, 2, 3], [4, 5, 6], [7, 8, 9]])
    >>> round(test.statistic, 6), test.df, round(test.pvalue, 4)
    (7.2, 2, 0.0273)
    """
    table = error_table(errors)
    m, folds = table.shape[-2:]
    flat = table.reshape(*table.shape[:-2], m * folds)
    ranks = midranks(flat).reshape(table.shape)
    centre = (m * folds + 1) / 2.0
    means = ranks.mean(axis=-1)
    between = folds * np.square(means - centre).sum(axis=-1)
    # The variance of the ranks themselves carries the correction for ties.
    variance = np.square(ranks - centre).sum(axis=(-2, -1)) / (m * folds - 1)
    statistic = t_ratio(between, variance)
    return group_test(
        "Kruskal–Wallis test", statistic, m - 1, means, compared="mean rank, of all errors"
    )
