"""YA06 §2.4, 2.5: tests that several learners are equal, over folds and on one test set."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from polychotomy.comparison.inputs import as_truth_values, midranks, without_noise
from polychotomy.comparison.results import GroupTest, error_table, group_test, t_ratio
from polychotomy.core.arguments import wrong_shape
from polychotomy.core.arrays import Floats
from polychotomy.core.result import DataFrame


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
    return group_test("Kruskal–Wallis test", t_ratio(between, variance), m - 1, means)


class LooneyTest(GroupTest):
    """Conclusion of Looney's F test, and of his adjusted F⁺, on one test set.

    Parameters
    ----------
    method, statistic, df, pvalue, means
        As in `GroupTest`: F is 0 where all learners are right equally often (0/0).
    epsilon : float
        Factor of both degrees of freedom in F⁺, from 1/(m − 1) to 1.
    adjusted_pvalue : float
        Of the same F with the adjusted degrees of freedom: F⁺, which Looney prefers.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.comparison import looney_test
    >>> correct = np.array([[1, 1, 0], [1, 0, 0], [1, 1, 1], [1, 1, 0], [0, 0, 0], [1, 0, 0]])
    >>> print(looney_test(correct))
    Looney's test: F = 5 with 2 and 10 degrees of freedom, p = 0.0312; F⁺ (ε = 1) p = 0.0312.
    """

    df: tuple[int, int]
    epsilon: float
    adjusted_pvalue: float

    def to_frame(self) -> DataFrame:
        """One row."""
        return super().to_frame().assign(epsilon=self.epsilon, adjusted_pvalue=self.adjusted_pvalue)

    def __str__(self) -> str:
        adjusted = f"F⁺ (ε = {self.epsilon:.3g}) p = {self.adjusted_pvalue:.3g}"
        return f"{super().__str__()[:-1]}; {adjusted}."


def looney_test(correct: ArrayLike) -> LooneyTest:
    """Looney's test that several classifiers are right equally often on one test set.

    YA06 eq. (14) to (16): two-way analysis of variance without interaction of the zeros and ones,
    F = MSA/MSAB with K − 1 and (K − 1)(N − 1) degrees of freedom. The adjusted F⁺ multiplies both
    by ε; the paper does not give its formula, taken here as Greenhouse and Geisser's (1959).

    Parameters
    ----------
    correct : (n, m) bools
        Whether each of m classifiers is right on each of n cases; two or more of each.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.comparison import looney_test
    >>> correct = np.array([[1, 1, 0], [1, 0, 0], [1, 1, 1], [1, 1, 0], [0, 0, 0], [1, 0, 0]])
    >>> test = looney_test(correct)
    >>> round(test.statistic, 6), test.df
    (5.0, (2, 10))
    """
    table = _right_and_wrong(correct)
    n, m = table.shape
    # In whole numbers, so that equal classifiers have exactly zero between them.
    by_case, by_learner, total = table.sum(axis=1), table.sum(axis=0), table.sum()
    between = m * np.square(by_learner).sum() - total**2  # n m SSA
    cases = n * np.square(by_case).sum() - total**2  # n m SSB
    left = total * (n * m - total) - between - cases  # n m SSAB
    df = m - 1, (m - 1) * (n - 1)
    f = t_ratio(np.asarray(between / df[0]), np.asarray(left / df[1]))
    epsilon = greenhouse_geisser(table.astype(float))
    return LooneyTest(
        method="Looney's test",
        statistic=float(f),
        df=df,
        pvalue=float(special.fdtrc(*df, f)),
        epsilon=epsilon,
        adjusted_pvalue=float(special.fdtrc(epsilon * df[0], epsilon * df[1], f)),
        means=by_learner / n,
    )


def greenhouse_geisser(table: Floats) -> float:
    """ε = (tr C)² / ((m − 1) tr C²), C the covariance of the columns, centred both ways.

    1 where there is no variation at all.

    Examples
    --------
    >>> import numpy as np
    >>> round(greenhouse_geisser(np.eye(3)), 12)
    1.0
    """
    m = table.shape[1]
    covariance = np.atleast_2d(np.cov(table, rowvar=False))
    rows, columns = covariance.mean(axis=1, keepdims=True), covariance.mean(axis=0)
    centred = covariance - rows - columns + covariance.mean()
    squares = float(np.square(centred).sum())
    if squares <= 1e-28:
        return 1.0
    return float(np.clip(np.trace(centred) ** 2 / ((m - 1) * squares), 1.0 / (m - 1), 1.0))


def cochran_test(correct: ArrayLike) -> GroupTest:
    """Cochran's Q test that several classifiers are right equally often on one test set.

    McNemar's test without its correction, for more than two.

    Parameters
    ----------
    correct : (n, m) bools
        Whether each of m classifiers is right on each of n cases; two or more of each.

    Examples
    --------
    Columns are right 5, 3, 1 times, rows 2, 1, 3, 2, 0, 1: Q = 2 (3 · 35 − 81)/(27 − 19) = 6

    >>> import numpy as np
    >>> from polychotomy.comparison import cochran_test
    >>> correct = np.array([[1, 1, 0], [1, 0, 0], [1, 1, 1], [1, 1, 0], [0, 0, 0], [1, 0, 0]])
    >>> test = cochran_test(correct)
    >>> test.statistic, test.df, round(test.pvalue, 4)
    (6.0, 2, 0.0498)
    """
    table = _right_and_wrong(correct)
    n, m = table.shape
    by_case, by_learner, total = table.sum(axis=1), table.sum(axis=0), table.sum()
    above = (m - 1) * (m * np.square(by_learner).sum() - total**2)
    below = m * total - np.square(by_case).sum()
    q = t_ratio(np.asarray(float(above)), np.asarray(float(below)))
    return group_test("Cochran's Q test", q, m - 1, by_learner / n)


def _right_and_wrong(correct: ArrayLike) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    table = as_truth_values(correct, "correct")
    if table.ndim != 2 or min(table.shape) < 2:
        raise wrong_shape("correct", table, "(cases, classifiers), two or more of each")
    return table.astype(np.int64)
