"""How much would decide it: power of the t tests, by the noncentral t distribution."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from polychotomy.comparison.inputs import Alternative
from polychotomy.comparison.paired_t import corrected_t_test
from polychotomy.comparison.pairs import fold_ratio
from polychotomy.comparison.results import PairedTest
from polychotomy.core.arguments import as_floats, check_share, wrong_shape
from polychotomy.core.arrays import Floats
from polychotomy.core.result import Axes, DataFrame, Result, draw_bars

_MOST_RESAMPLES = 10**7


class ComparisonPlan(Result):
    """What it would take to tell two learners apart, if the difference seen is the true one.

    Parameters
    ----------
    difference : float
        Mean of a − b seen.
    detectable : float
        Smallest true difference that this plan, on this much data, shows with the given power.
    resamples : float
        Resamples of the same kind that would show the difference seen; inf where none would,
        since all share the same data.
    data_factor : float
        How many times the data would show it with the same plan; inf where the difference is 0.
    present_resamples : int
    alpha, power : float
    alternative : {"two-sided", "greater", "less"}

    Examples
    --------
    >>> from polychotomy.comparison import plan_comparison
    >>> plan = plan_comparison([[0.30, 0.26, 0.28, 0.27]], [[0.29, 0.25, 0.28, 0.25]])
    >>> print(plan)  # doctest: +NORMALIZE_WHITESPACE
    The difference seen is 0.01. At level 0.05 (two-sided) and power 0.8 this plan shows
    differences from 0.02654 on; for the one seen it takes 7.04 times the data (no number of
    resamples would do).
    """

    difference: float
    detectable: float
    resamples: float
    data_factor: float
    present_resamples: int
    alpha: float
    power: float
    alternative: Alternative

    def to_frame(self) -> DataFrame:
        """One row."""
        names = ("difference", "detectable", "present_resamples", "resamples", "data_factor")
        return self._frame(*names, "alpha", "power")

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the difference seen beside that which can be shown."""
        values = [abs(self.difference), self.detectable]
        return draw_bars(ax, ["seen", "can be shown"], values, "difference of errors")

    def __str__(self) -> str:
        more = f"{self.resamples:.0f} resamples in place of {self.present_resamples}"
        more = "no number of resamples" if np.isinf(self.resamples) else more
        end = f"for the one seen it takes {self.data_factor:.3g} times the data ({more} would do)"
        if self.difference == 0:
            end = "where none is seen, no amount of data is expected to show one"
        elif self.data_factor <= 1:
            end = "what there is suffices"
        return (
            f"The difference seen is {self.difference:.4g}. At level {self.alpha:g} "
            f"({self.alternative}) and power {self.power:g} this plan shows differences from "
            f"{self.detectable:.4g} on; {end}."
        )


def plan_comparison(
    a: ArrayLike,
    b: ArrayLike,
    *,
    test_train_ratio: float | None = None,
    alpha: float = 0.05,
    power: float = 0.8,
    alternative: Alternative = "two-sided",
) -> ComparisonPlan:
    """How many resamples, or how much data, would tell two learners apart.

    For `corrected_t_test`, with the variance seen and the difference seen taken as true. More
    resamples of the same data shrink only the 1/L of its variance (1/L + ρ) S², never ρ; more data
    is taken to shrink S² in proportion. A difference that was picked as the largest of several is
    likely smaller in truth, and needs more.

    Parameters
    ----------
    a, b : (repetitions, folds) or (L,) array-like
        Errors of the two learners on the same folds. (L,) is taken for one repetition of L folds:
        keep the shape of repeated folds, or give ``test_train_ratio``.
    test_train_ratio : float, optional
        By default that of folds which part the data, 1/(folds − 1).
    alpha, power : float
    alternative : {"two-sided", "greater", "less"}

    Examples
    --------
    >>> from polychotomy.comparison import plan_comparison
    >>> plan = plan_comparison([[0.30, 0.26, 0.28, 0.27]], [[0.29, 0.25, 0.28, 0.25]])
    >>> round(plan.detectable, 4), round(plan.data_factor, 2), plan.resamples
    (0.0265, 7.04, inf)
    """
    first, second = as_floats("a", a), as_floats("b", b)
    if first.ndim not in (1, 2) or first.shape != second.shape:
        raise wrong_shape("b", second, f"(repetitions, folds) as a, with {first.shape}")
    ratio = fold_ratio(first.shape[-1]) if test_train_ratio is None else test_train_ratio
    test = corrected_t_test(
        first.ravel(), second.ravel(), test_train_ratio=ratio, alternative=alternative
    )
    spread = float(test.standard_error) / np.sqrt(1.0 / first.size + ratio)
    seen = abs(float(test.mean_difference))
    more = _resamples(seen, spread, ratio, alpha, power, alternative)
    return replace(plan_of_test(test, first.size, alpha=alpha, power=power), resamples=more)


def plan_of_test(
    test: PairedTest, resamples: int, *, alpha: float = 0.05, power: float = 0.8
) -> ComparisonPlan:
    """How much data would tell two learners apart by a test of these cases.

    More resamples would not: they share the cases.

    Examples
    --------
    >>> from polychotomy.comparison import case_t_test
    >>> test = case_t_test([[1, 1, 0, 1, 0, 1, 0, 0]], [[0, 1, 0, 1, 0, 0, 1, 0]])
    >>> plan = plan_of_test(test, 5)
    >>> plan.difference, round(plan.data_factor), plan.resamples
    (0.125, 90, inf)
    """
    alpha, power = (check_share(*one, such_as=0.05) for one in (("alpha", alpha), ("power", power)))
    # Where the noncentral t exceeds the critical value with the power, the error taken as true.
    shift = _noncentrality(test.df, alpha, power, test.alternative)
    detectable = float(shift * np.asarray(test.standard_error))
    difference = float(test.mean_difference)
    return ComparisonPlan(
        difference=difference,
        detectable=detectable,
        resamples=np.inf,
        data_factor=np.inf if difference == 0 else (detectable / abs(difference)) ** 2,
        present_resamples=resamples,
        alpha=alpha,
        power=power,
        alternative=test.alternative,
    )


def power_of_t(shift: float, df: float, alpha: float, alternative: Alternative) -> float:
    """P(rejection) where t is noncentral, shifted by ``shift`` ≥ 0 towards the alternative.

    t is (Z + shift)/s with df s² a χ², so P(t > c) is the mean of Φ(shift − c s) over s. Not
    ``scipy.special.nctdtr``: that of 1.17 is NaN from shifts of 40 on.

    Examples
    --------
    >>> round(power_of_t(0.0, 9, 0.05, "two-sided"), 12)
    0.05
    """
    # Not scipy.special.nctdtr, which is NaN where one of the two tails is tiny.
    spread, weight = _spread_nodes(df)
    if alternative != "two-sided":
        return float(weight @ special.ndtr(shift + special.stdtrit(df, alpha) * spread))
    reach = special.stdtrit(df, alpha / 2) * spread
    return float(weight @ (special.ndtr(shift + reach) + special.ndtr(reach - shift)))


@lru_cache(maxsize=256)
def _spread_nodes(df: float) -> tuple[Floats, Floats]:
    """Nodes of s, where df s² is χ² with df degrees of freedom; on a logarithmic scale."""
    low = np.log(special.gammaincinv(df / 2, 1e-18))
    high = np.log(special.gammainccinv(df / 2, 1e-18))
    node, weight = special.roots_legendre(256)
    # x = df s²/2 is gamma with shape df/2: density of log x is x^(df/2) e^(−x) / Γ(df/2).
    log_x = (low + high) / 2 + (high - low) / 2 * node
    log_density = df / 2 * log_x - np.exp(log_x) - special.gammaln(df / 2)
    return np.sqrt(2 * np.exp(log_x) / df), (high - low) / 2 * weight * np.exp(log_density)


def _noncentrality(df: float, alpha: float, power: float, alternative: Alternative) -> float:
    if power <= power_of_t(0.0, df, alpha, alternative):
        return 0.0
    from scipy.optimize import brentq  # slow to import, and needed here only

    high = 1.0
    while power_of_t(high, df, alpha, alternative) < power:
        high *= 2.0
    return float(brentq(lambda shift: power_of_t(shift, df, alpha, alternative) - power, 0.0, high))


def _resamples(
    seen: float, spread: float, ratio: float, alpha: float, power: float, alternative: Alternative
) -> float:
    """Smallest number of resamples with the power, found by halving; inf where there is none."""
    if seen == 0 or spread == 0:
        return 2.0 if seen else np.inf

    def enough(resamples: int) -> bool:
        shift = seen / (spread * np.sqrt(1.0 / resamples + ratio))
        return power_of_t(shift, resamples - 1, alpha, alternative) >= power

    if not enough(_MOST_RESAMPLES):
        return np.inf
    return 2.0 + bisect_left(range(2, _MOST_RESAMPLES), True, key=enough)
