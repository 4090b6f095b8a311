"""t tests of two learners on the same data: over folds (YA06 §2.3.2), and over cases."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from polychotomy.comparison.inputs import (
    Alternative,
    as_values,
    check_alternative,
    finite_pair,
    scaled_differences,
    without_noise,
)
from polychotomy.comparison.results import PairedTest, t_pvalue, t_ratio
from polychotomy.core.arguments import is_number
from polychotomy.core.arrays import Floats, Ints
from polychotomy.core.exceptions import InvalidInput


def paired_t_test(
    a: ArrayLike, b: ArrayLike, *, alternative: Alternative = "two-sided"
) -> PairedTest:
    """Paired t test of two learners' errors on the same folds.

    YA06 eq. (4), (5): t = √L m / S with L − 1 degrees of freedom. It takes the differences for
    independent, which those of cross-validation are not: the training sets overlap, so it finds
    differences that are not there. Use `corrected_t_test` on cross-validation, and this one where
    each pair of errors comes from its own data.

    Parameters
    ----------
    a, b : (..., L) array-like
        Errors of the two learners on L ≥ 2 folds. Leading axes are a batch of tests.
    alternative : {"two-sided", "greater", "less"}
        "greater" is the one-sided test of H0: mean error of a ≤ that of b.

    Returns
    -------
    PairedTest
        Equal errors (0/0) have statistic 0; a constant difference has ±inf.

    Notes
    -----
    **Liberal on cross-validation.** At 5 %, two-sided, equal learners are called different (the
    certificate of honesty, in the documentation; n from 50 to 5,000) by one 10-fold
    cross-validation in 4 to 6 % of cases with linear learners and 11 to 14 % with the nearest
    neighbour, by ten times 10-fold in 53 to 64 %.

    Examples
    --------
    The differences 2, 3, 1 have mean 2 and S = 1, so t = 2√3:

    >>> from polychotomy.comparison import paired_t_test
    >>> test = paired_t_test([3, 5, 4], [1, 2, 3])
    >>> round(test.statistic, 6), test.df, round(test.pvalue, 4)
    (3.464102, 2, 0.0742)
    """
    return _test_mean(a, b, "Paired t test", alternative)


def _test_mean(
    a: ArrayLike,
    b: ArrayLike,
    method: str,
    alternative: Alternative,
    *,
    df: int | None = None,
    correlation: float = 0.0,
) -> PairedTest:
    """Test the mean of a − b over two or more folds.

    Its variance is (1/(df + 1) + correlation) times that of one; ``df`` is folds − 1 by default.
    """
    check_alternative(alternative)
    first, second = finite_pair(a, b)
    folds = first.shape[-1]
    if folds < 2:
        raise InvalidInput(
            f"a has shape {first.shape}; a t test needs two or more folds in the last axis."
        )
    df = folds - 1 if df is None else df
    if not isinstance(df, int | np.integer) or not 1 <= df < folds:
        raise InvalidInput(
            f"df is {df!r} for {folds} resamples; expected a whole number from 1 to {folds - 1}."
        )
    d, exponent = scaled_differences(first, second, ndim=1)
    deviations = without_noise(d - d.mean(axis=-1, keepdims=True))
    variance = np.square(deviations).sum(axis=-1) / (folds - 1) * (1.0 / (df + 1) + correlation)
    return _tested(d.mean(axis=-1), variance, df, exponent[..., 0], method, alternative)


def _tested(
    mean: Floats, variance: Floats, df: int, unit: Ints, method: str, alternative: Alternative
) -> PairedTest:
    """Hold a mean to Student's t by its variance, both in units of 2**unit."""
    mean, standard_error = without_noise(mean), np.sqrt(variance)
    t = t_ratio(mean, standard_error)
    estimate = as_values(np.ldexp(mean, unit))
    return PairedTest(
        method=method,
        alternative=alternative,
        statistic=as_values(t),
        df=int(df),
        pvalue=as_values(t_pvalue(t, df, alternative)),
        mean_difference=estimate,
        estimate=estimate,
        standard_error=as_values(np.ldexp(standard_error, unit)),
    )


def corrected_t_test(
    a: ArrayLike, b: ArrayLike, *, test_train_ratio: float, alternative: Alternative = "two-sided"
) -> PairedTest:
    """Corrected resampled t test of two learners' errors (Nadeau and Bengio, 2003).

    t = m / √((1/L + ρ) S²) with L − 1 degrees of freedom, where ρ = n_test/n_train stands for the
    correlation between errors whose training sets overlap: more resamples do not make the mean
    known without limit, as `paired_t_test` believes.

    Parameters
    ----------
    a, b : (..., L) array-like
        Errors of the two learners on L ≥ 2 resamples; flatten repetitions × folds into one axis.
        Leading axes are a batch of tests.
    test_train_ratio : float
        n_test/n_train: 1/(k − 1) for k-fold cross-validation, however often repeated.
    alternative : {"two-sided", "greater", "less"}
        "greater" is the one-sided test of H0: mean error of a ≤ that of b.

    Returns
    -------
    PairedTest

    Notes
    -----
    At 5 %, two-sided, equal learners are called different (the certificate of honesty, in the
    documentation; n from 50 to 5,000) by five times 5-fold cross-validation in 3 to 4 % of cases
    with linear learners and 6 to 8 % with the nearest neighbour, by ten times 10-fold in 3 to 4 %
    and 9 to 11 %.

    Examples
    --------
    The differences 2, 3, 1 have mean 2 and S = 1, so t = 2 / √(1/3 + 1/2):

    >>> from polychotomy.comparison import corrected_t_test
    >>> test = corrected_t_test([3, 5, 4], [1, 2, 3], test_train_ratio=1 / 2)
    >>> round(test.statistic, 6), test.df, round(test.pvalue, 4)
    (2.19089, 2, 0.1598)
    """
    ratio = _require_ratio(test_train_ratio)
    return _test_mean(a, b, "Corrected resampled t test", alternative, correlation=ratio)


def calibrated_t_test(
    a: ArrayLike, b: ArrayLike, *, df: int = 10, alternative: Alternative = "two-sided"
) -> PairedTest:
    """T test of two learners' errors with calibrated degrees of freedom (Bouckaert, 2003).

    t = m √(df + 1) / S, held to t with ``df`` degrees of freedom: the mean of many overlapping
    resamples is taken for the mean of only df + 1 independent ones. Bouckaert calibrated df by
    simulation, and advises 10 for ten times repeated 10-fold cross-validation.

    Parameters
    ----------
    a, b : (..., L) array-like
        Errors of the two learners on L ≥ df + 1 resamples; flatten repetitions × folds into one
        axis. Leading axes are a batch of tests.
    df : int
        Calibrated degrees of freedom; L − 1 makes it `paired_t_test`.
    alternative : {"two-sided", "greater", "less"}
        "greater" is the one-sided test of H0: mean error of a ≤ that of b.

    Notes
    -----
    At 5 %, two-sided, equal learners are called different (the certificate of honesty, in the
    documentation; n from 50 to 5,000) by ten times 10-fold cross-validation in 4 to 5 % of cases
    with linear learners and 10 to 12 % with the nearest neighbour.

    Examples
    --------
    The differences 2, 3, 1 have mean 2 and S = 1, so with df = 1, t = 2√2:

    >>> from polychotomy.comparison import calibrated_t_test
    >>> test = calibrated_t_test([3, 5, 4], [1, 2, 3], df=1)
    >>> round(test.statistic, 6), test.df, round(test.pvalue, 4)
    (2.828427, 1, 0.2163)
    """
    method = "t test with calibrated degrees of freedom"
    return _test_mean(a, b, method, alternative, df=df)


CASE_TEST = "t test over cases"

GIVEN_TEST = "t test over cases, of models as they are"

TRAINING_LUCK = (1.1, 0.5)
"""Variance of a cross-validated difference, in units of what one repetition's cases alone have.

With R repetitions it is 1.1 + 0.5/R: cases are drawn, and so are the fits that predict them, which
repetitions average, and the fit to all rows that will be used, which they do not. Why not take the
cases' means over repetitions: those of learners whose fits vary are steadier than any one fit is,
and the intervals hid just that luck. The two numbers are from the populations of
``benchmarks/lab_fits.py`` that rules may be tuned on: 95 % intervals have to hold there by two
standard errors. What a single table has cannot be estimated without bias (Bengio and Grandvalet
2004), so that they stand for all.
"""


def case_t_test(
    a: ArrayLike,
    b: ArrayLike,
    *,
    groups: ArrayLike | None = None,
    as_given: bool = False,
    alternative: Alternative = "two-sided",
) -> PairedTest:
    """T test of two learners' losses on the same cases, cross-validated once or more.

    t is the mean of the n differences over its standard error. Its variance is that of n
    independent cases in one repetition, times 1.1 + 0.5/repetitions for the luck of the training
    sets (:data:`TRAINING_LUCK`): so it is of the two models fitted to all rows, as they will be
    used. Repetitions average out the luck of the splits and cannot replace cases, so that it may be
    looked at after every one. Two cases are added that differ, one each way, as Agresti and Min do
    for paired rates: where few cases differ, how many of them might have is not known.

    Parameters
    ----------
    a, b : (..., repetitions, n) array-like
        Loss of each case, such as 1 for an error and 0 for none. Leading axes are a batch.
    groups : (n,) array-like, optional
        Cases of one group are not independent: their sum counts as one case.
    as_given : bool
        Ask of two models as they are, not of what learns them: then there is no luck of training
        sets, and the standard error is that of n independent cases.
    alternative : {"two-sided", "greater", "less"}
        "greater" is the one-sided test of H0: mean loss of a ≤ that of b.

    Notes
    -----
    At 5 %, two-sided, equal learners are called different ("A plan that grows", in the
    documentation; n from 50 to 1,000) after one 5-fold cross-validation in 2 % of cases with linear
    learners and 5 to 6 % with the nearest neighbour; after five, in 2 to 3 % and 5 to 9 %. How
    often the interval holds the true difference of two fitted models is on the page "The lab".

    Examples
    --------
    The differences 2, 3, 1 have mean 2, S = 1 and mean square 14/3, so t = 2√(3/(1.6 (1 + 28/9))):

    >>> from polychotomy.comparison import case_t_test
    >>> test = case_t_test([[3, 5, 4]], [[1, 2, 3]])
    >>> round(test.statistic, 6), test.df
    (1.350676, 2)
    """
    first, second = finite_pair(a, b)
    if first.ndim < 2:
        raise InvalidInput(f"a has shape {first.shape}; expected (repetitions, n).")
    d, exponent = scaled_differences(first, second, ndim=2)
    if groups is not None:
        _, codes = np.unique(np.asarray(groups), return_inverse=True)
        if codes.shape != d.shape[-1:]:
            raise InvalidInput(
                f"groups has shape {codes.shape}; expected ({d.shape[-1]},), one for each case."
            )
        d = _sum_groups(d, codes)
    if as_given:
        d = d.mean(axis=-2, keepdims=True)
    repetitions, n = d.shape[-2:]
    if n < 2:
        raise InvalidInput(f"a has shape {first.shape}; a t test needs two or more cases.")
    deviations = without_noise(d - d.mean(axis=-1, keepdims=True))
    variance = np.square(deviations).sum(axis=-1).mean(axis=-1) / (n - 1)
    if not as_given:
        squares = np.square(d).sum(axis=(-2, -1)) / np.maximum(np.count_nonzero(d, (-2, -1)), 1)
        lasting, averaged = TRAINING_LUCK
        variance = (lasting + averaged / repetitions) * (variance + 2 * squares / n)
    method = GIVEN_TEST if as_given else CASE_TEST
    mean, unit = d.mean(axis=(-2, -1)), exponent[..., 0, 0]
    return _tested(mean, variance / n, n - 1, unit, method, alternative)


def _sum_groups(d: Floats, codes: Ints) -> Floats:
    """One number for each group whose mean is that of d, and whose spread that of its groups."""
    mean, count = d.mean(axis=-1, keepdims=True), int(codes.max()) + 1
    rows = np.reshape(d - mean, (-1, d.shape[-1]))
    sums = np.array([np.bincount(codes, row, count) for row in rows])
    return mean + sums.reshape(*d.shape[:-1], count) * (count / d.shape[-1])


def _require_ratio(ratio: float) -> float:
    if not is_number(ratio) or not 0.0 < ratio < np.inf:
        raise InvalidInput(
            f"test_train_ratio is {ratio!r}; expected a positive number: test cases over training "
            "cases, 1/(k − 1) for k-fold cross-validation."
        )
    return float(ratio)
