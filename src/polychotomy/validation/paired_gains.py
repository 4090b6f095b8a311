"""Whether a gain over cases is real."""

from __future__ import annotations

import numpy as np
from scipy.special import stdtr, stdtrit

from polychotomy.arrays import Floats


def paired_gains(gains: Floats, alpha: float) -> tuple[Floats, Floats, Floats, Floats]:
    """Mean gain of each method, its interval and the p-value of no gain, for all methods together.

    The p-value is the larger of two, times the number of methods: that of the two-sided paired
    t-test, and the inverse likelihood ratio exp(−Σ gains), which true probabilities push below α in
    at most α of cases (Markov). The second guards the first where the probabilities are so sure
    that the few cases to come out otherwise have not been met yet: there all gains are small and
    alike. The lower end of the interval is the lower of both tests', turned round, so that it is
    above 0 just where the p-value is below α.

    Parameters
    ----------
    gains : (methods, cases) floats
        Loss before minus after.
    alpha : float
        One minus the joint confidence.

    Examples
    --------
    >>> import numpy as np
    >>> mean, lower, upper, p = paired_gains(np.array([[0.1, 0.2, 0.3]]), 0.05)
    >>> mean.round(3), lower.round(3), upper.round(3), p.round(3)  # p = exp(−0.6)
    (array([0.2]), array([-0.799]), array([0.448]), array([0.549]))
    """
    m, n = gains.shape
    mean = gains.mean(axis=1)
    error = gains.std(axis=1, ddof=1) / np.sqrt(n)
    # where every case gains the same up to rounding there is no t: the likelihood ratio decides
    t = np.divide(mean, error, where=error > 1e-14, out=np.full(m, np.inf))
    reach = -float(stdtrit(n - 1, alpha / (2 * m))) * error
    inverse_ratio = np.exp(-np.maximum(gains.sum(axis=1), 0))
    pvalues = np.maximum(2 * stdtr(n - 1, -t), inverse_ratio)
    guarded = np.maximum(reach, np.log(m / alpha) / n)
    return mean, mean - guarded, mean + reach, np.minimum(m * pvalues, 1.0)
