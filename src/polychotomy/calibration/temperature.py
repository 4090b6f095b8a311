"""One exponent for all class probabilities, learned on samples that no learner has seen.

Calibrated dichotomies, once coupled, tend to be too cautious: every dichotomy is as sure as its own
two sides warrant, and none knows how far the others agree. Raising the decoded probabilities to a
power, and scaling them to add up to 1 again, mends this without changing which class comes first.
"""

from __future__ import annotations

import numpy as np
from array_api_compat import array_namespace

from polychotomy.core.arrays import Floats, Ints, Probabilities
from polychotomy.decoding.kernels.chunks import in_chunks

_FLOOR = 1e-6  # a single class given up wrongly must not decide the exponent

_STEPS = 50


def fit_temperature(probabilities: Probabilities, codes: Ints, weights: Floats) -> float:
    """Return the exponent that minimises the weighted log loss, by Newton's method.

    The loss is convex in the exponent. 1 is returned where the samples have nothing to say.

    Parameters
    ----------
    probabilities : (n, k)
        Decoded probabilities of samples that the learners have not seen.
    codes : (n,) ints
        Their true classes.
    weights : (n,) floats
        Sample weights.

    Examples
    --------
    Nine of ten are right where 3 : 1 was said; 3² : 1 is the truth:

    >>> import numpy as np
    >>> from polychotomy.calibration.temperature import fit_temperature
    >>> said = np.tile([0.75, 0.25], (10, 1))
    >>> round(fit_temperature(said, np.array([0] * 9 + [1]), np.ones(10)), 6)
    2.0
    """
    logs = np.log(np.maximum(probabilities, _FLOOR))
    logs -= logs.max(axis=1, keepdims=True)
    truth = logs[np.arange(codes.size), codes]
    exponent = 1.0
    for _ in range(_STEPS):
        p = np.exp(exponent * logs)
        p /= p.sum(axis=1, keepdims=True)
        mean = (p * logs).sum(axis=1)
        slope = float(weights @ (mean - truth))
        curvature = float(weights @ ((p * logs**2).sum(axis=1) - mean**2))
        if curvature <= 1e-12 * weights.sum():
            return 1.0 if exponent == 1.0 else exponent
        step = slope / curvature
        # Within a factor of two a step: Newton overshoots where the loss is nearly flat.
        following = float(np.clip(exponent - step, exponent / 2, exponent * 2))
        if abs(following - exponent) <= 1e-10 * exponent:
            return following
        exponent = following
    return exponent


def sharpen(
    probabilities: Probabilities, exponent: float, *, n_jobs: int | None = None
) -> Probabilities:
    """Return p^exponent, scaled to add up to 1; in chunks of samples, by ``n_jobs`` threads.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.calibration.temperature import sharpen
    >>> sharpen(np.array([[0.75, 0.25]]), 2.0)
    array([[0.9, 0.1]])
    """
    if exponent == 1.0:
        return probabilities
    xp = array_namespace(probabilities)

    def work(p: Probabilities, _: int) -> Probabilities:
        powers = (p / xp.max(p, axis=1, keepdims=True)) ** exponent
        sharpened: Probabilities = powers / xp.sum(powers, axis=1, keepdims=True)
        return sharpened

    numbers_each = 3 * probabilities.shape[1]
    return in_chunks(xp, lambda: work, probabilities, numbers_each=numbers_each, n_jobs=n_jobs)
