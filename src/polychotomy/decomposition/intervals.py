"""Intervals for a mean over samples, the predictions taken as given."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from scipy.special import ndtri

from polychotomy.core.arguments import check_share, is_number, shown
from polychotomy.core.arrays import Floats
from polychotomy.core.exceptions import InvalidInput


def check_confidence(confidence: float) -> float:
    """Return the two-sided normal quantile of a confidence level.

    Examples
    --------
    >>> from polychotomy.decomposition.intervals import check_confidence
    >>> round(check_confidence(0.95), 3)
    1.96
    """
    return float(ndtri(0.5 + check_share("confidence", confidence, such_as=0.95) / 2))


def mean_interval(values: Floats, *, confidence: float = 0.95) -> tuple[float, float]:
    """Return the normal interval for a mean over samples; infinite where the mean is.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.decomposition.intervals import mean_interval
    >>> low, high = mean_interval(np.array([0.0, 1.0, 2.0, 3.0]))
    >>> round(low, 3), round(high, 3)
    (0.235, 2.765)
    """
    n = len(values)
    mean = float(np.mean(values)) if n else math.nan
    variance = float(np.var(values, ddof=1)) if n > 1 and math.isfinite(mean) else math.nan
    return mean_interval_of_moments(n, mean, variance, confidence=confidence)


def mean_interval_of_moments(
    n: int, mean: float, variance: float, *, confidence: float = 0.95
) -> tuple[float, float]:
    """Return the normal interval for a mean over n samples, from mean and variance.

    Examples
    --------
    >>> from polychotomy.decomposition.intervals import mean_interval_of_moments
    >>> mean_interval_of_moments(1, 0.5, 0.0)
    (-inf, inf)
    """
    z = check_confidence(confidence)
    if n < 2 or not math.isfinite(mean):
        return (mean, mean) if math.isinf(mean) else (-math.inf, math.inf)
    half = z * math.sqrt(variance / n)
    return mean - half, mean + half


def share_interval(values: Floats, *, confidence: float = 0.95) -> tuple[float, float]:
    """Interval for the mean of values in [0, 1]: Wilson's, at the effective number of samples.

    With zeros and ones this is Wilson's score interval for a rate, so that no errors in n cases
    does not mean certainty. Values between vary less than a coin of their mean, by the factor
    v / (m (1 − m)) of variances, and count for more samples in proportion.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.decomposition.intervals import share_interval
    >>> low, high = share_interval(np.zeros(20))
    >>> round(low, 3), round(high, 3)
    (0.0, 0.161)
    """
    n = len(values)
    mean = float(np.mean(values)) if n else 0.0
    variance = float(np.var(values, ddof=1)) if n > 1 else 0.0
    return share_interval_of_moments(n, mean, variance, confidence=confidence)


def share_interval_of_moments(
    n: int, mean: float, variance: float, *, confidence: float = 0.95
) -> tuple[float, float]:
    """Do as :func:`share_interval`, from mean and variance of n values.

    Examples
    --------
    >>> from polychotomy.decomposition.intervals import share_interval_of_moments
    >>> share_interval_of_moments(0, 0.0, 0.0)
    (0.0, 1.0)
    """
    z = check_confidence(confidence)
    if n == 0:
        return 0.0, 1.0
    mean = min(1.0, max(0.0, mean))
    coin = mean * (1.0 - mean)
    ratio = variance / coin if n > 1 and coin > 0 else 1.0
    effective = n / min(1.0, max(ratio, 1e-3))
    centre = (mean + z * z / (2 * effective)) / (1 + z * z / effective)
    spread = math.sqrt(coin / effective + (z / (2 * effective)) ** 2)
    half = z * spread / (1 + z * z / effective)
    return max(0.0, min(mean, centre - half)), min(1.0, max(mean, centre + half))


Answer = Literal["yes", "no", "cannot tell"]


def answer_question(low: float, high: float, gain: float) -> Answer:
    """Answer "yes" where the interval lies above the gain, "no" where it lies below.

    Examples
    --------
    >>> from polychotomy.decomposition.intervals import answer_question
    >>> answer_question(0.01, 0.03, 0.005), answer_question(-0.01, 0.03, 0.005)
    ('yes', 'cannot tell')
    """
    if low > gain:
        return "yes"
    return "no" if high < gain else "cannot tell"


def check_gain(gain: float) -> None:
    """Raise unless the gain that counts as help is a finite number, zero or more.

    Examples
    --------
    >>> check_gain(0.005)
    """
    if not is_number(gain) or not 0.0 <= gain < math.inf:
        raise InvalidInput(
            f"gain is {shown(gain)}; expected the smallest gain that counts as help, 0 or more, "
            "such as 0.005 for half a point."
        )


def check_answer_confidence(confidence: float) -> None:
    """Raise unless an answer's confidence lies between a half and one.

    Examples
    --------
    >>> check_answer_confidence(0.9)
    """
    if not is_number(confidence) or not 0.5 < confidence < 1.0:
        raise InvalidInput(
            f"confidence is {shown(confidence)}; expected more than 0.5 and less than 1, such as "
            "0.9."
        )
