"""The temperature: one exponent for all class probabilities.

Calibrated dichotomies, once coupled, tend to be too cautious: every dichotomy is as sure as its own
two sides warrant, and none knows how far the others agree. A learner's own probabilities are often
too sure. Raising them to a power, and scaling them to add up to 1 again, mends either without
changing which class comes first.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from polychotomy.calibration.calibrators import FLOOR
from polychotomy.core.arguments import is_number, unexpected
from polychotomy.core.arrays import Floats, Ints, Probabilities
from polychotomy.core.chunks import in_chunks
from polychotomy.core.predictions import check_forecasts, check_probabilities

_STEPS = 50
_ROUNDS = 20
_PRIOR = 0.25  # samples


@dataclass(frozen=True, eq=False)
class Temperature:
    """Probabilities to a power, renormalised: p^exponent / Σ p^exponent. One parameter.

    Parameters
    ----------
    exponent : float
        1/temperature: below 1 makes them more cautious, above 1 more sure.

    Examples
    --------
    >>> from polychotomy.calibration import Temperature
    >>> Temperature(2.0).apply([[0.75, 0.25]])
    array([[0.9, 0.1]])
    """

    exponent: float

    def __post_init__(self) -> None:
        value = self.exponent
        if not is_number(value) or not 0 <= value < np.inf:
            raise unexpected("exponent", value, "a finite number of 0 or more")

    def apply(self, probabilities: ArrayLike) -> Probabilities:
        """Recalibrate new probabilities."""
        return sharpen(np.maximum(check_probabilities(probabilities), FLOOR), self.exponent)


def fit_temperature(probabilities: ArrayLike, y: ArrayLike) -> Temperature:
    """Exponent of largest likelihood, with a standard normal prior on its logarithm.

    Parameters
    ----------
    probabilities : (n, k) floats
        Rows summing to 1.
    y : (n,) ints
        True class codes, 0 to k − 1.

    Examples
    --------
    Nine in ten where 0.75 was said ask for the square:

    >>> import numpy as np
    >>> from polychotomy.calibration import fit_temperature
    >>> fitted = fit_temperature(np.tile([0.75, 0.25], (1000, 1)), np.arange(1000) % 10 // 9)
    >>> round(fitted.exponent, 2)
    2.0
    """
    forecasts = check_forecasts(probabilities, y)
    weights = np.ones(len(forecasts.y))
    return Temperature(fit_exponent(forecasts.probabilities, forecasts.y, weights, precision=1.0))


def fit_exponent(
    probabilities: Probabilities,
    codes: Ints,
    weights: Floats,
    *,
    precision: float = 0.0,
    start: float = 1.0,
) -> float:
    """Return the exponent that minimises the weighted log loss, by Newton's method from ``start``.

    That is returned where the samples have nothing to say.

    Parameters
    ----------
    probabilities : (n, k)
        Of samples that the learners have not seen.
    codes : (n,) ints
        Their true classes.
    weights : (n,) floats
        Sample weights.
    precision : float
        Of a normal prior of the exponent's logarithm around 0. Without one the loss is convex in
        the exponent; recalibration has one, for it is asked of few cases too.

    Examples
    --------
    Nine of ten are right where 3 : 1 was said; 3² : 1 is the truth:

    >>> import numpy as np
    >>> from polychotomy.calibration.temperature import fit_exponent
    >>> said = np.tile([0.75, 0.25], (10, 1))
    >>> round(fit_exponent(said, np.array([0] * 9 + [1]), np.ones(10)), 6)
    2.0
    """
    # A single class given up wrongly must not decide the exponent.
    logs = np.log(np.maximum(probabilities, FLOOR))
    logs -= logs.max(axis=1, keepdims=True)
    truth = logs[np.arange(codes.size), codes]
    exponent = start
    for _ in range(_STEPS):
        p = np.exp(exponent * logs)
        p /= p.sum(axis=1, keepdims=True)
        mean = (p * logs).sum(axis=1)
        slope = float(weights @ (mean - truth)) + precision * math.log(exponent) / exponent
        convex = float(weights @ ((p * logs**2).sum(axis=1) - mean**2)) + precision / exponent**2
        curvature = convex - precision * math.log(exponent) / exponent**2
        if convex <= 1e-12 * weights.sum():
            return exponent
        step = slope / (curvature if curvature > 0 else convex)
        # Within a factor of two a step: Newton overshoots where the loss is nearly flat.
        following = float(np.clip(exponent - step, exponent / 2, exponent * 2))
        if abs(following - exponent) <= 1e-10 * exponent:
            return following
        exponent = following
    return exponent


def fit_exponent_and_share(
    probabilities: Probabilities, codes: Ints, weights: Floats, *, precision: float = 1.0
) -> tuple[float, float]:
    """Return the exponent, and the share of equal probabilities mixed in, of least log loss.

    By expectation and maximisation: a sample whose class was given up counts as drawn from equal
    probabilities, instead of making all others cautious. The share is such that no class is below
    `FLOOR`. (Equal ones, not the class prior: they leave the most probable class first.) Few
    samples are held back by priors: a normal one of that ``precision`` on the exponent's
    logarithm, as in `fit_temperature`, and a quarter of a sample of either kind.

    Examples
    --------
    Three of four were right where that was said, and 590 of 600 where it was certain:

    >>> import numpy as np
    >>> from polychotomy.calibration.temperature import fit_exponent_and_share
    >>> said = np.repeat([[0.75, 0.25], [1.0, 0.0]], [400, 600], axis=0)
    >>> truth = np.repeat([0, 1, 0, 1], [300, 100, 590, 10])
    >>> exponent, share = fit_exponent_and_share(said, truth, np.ones(1000))
    >>> sharpen(said[[0, -1]], exponent, share=share).round(2)
    array([[0.75, 0.25],
           [0.98, 0.02]])
    """
    k, samples = probabilities.shape[1], np.arange(codes.size)
    exponent, share, own = 1.0, 0.05, np.ones(codes.size)
    for _ in range(_ROUNDS):
        ask = probabilities, codes, weights * own
        exponent = fit_exponent(*ask, precision=precision, start=exponent)
        drawn = (1 - share) * sharpen(np.maximum(probabilities, FLOOR), exponent)[samples, codes]
        own = drawn / (drawn + share / k)
        given_up = (float(weights @ (1 - own)) + _PRIOR) / (float(weights.sum()) + 2 * _PRIOR)
        before, share = share, max(given_up, k * FLOOR)
        if abs(share - before) <= 0.01 * share:
            break
    return exponent, share


def sharpen(probabilities: Probabilities, exponent: float, *, share: float = 0.0) -> Probabilities:
    """Return p^exponent, scaled to add up to 1; in chunks of samples.

    ``share`` of the result are equal probabilities. With one, probabilities below `FLOOR` count as
    it, as they did for those who learned the share.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.calibration.temperature import sharpen
    >>> sharpen(np.array([[0.75, 0.25]]), 2.0)
    array([[0.9, 0.1]])
    """
    if exponent == 1.0 and share == 0.0:
        return probabilities

    def work(p: Probabilities, _: int) -> Probabilities:
        p = np.maximum(p, FLOOR) if share > 0 else p
        powers: Probabilities = (p / p.max(axis=1, keepdims=True)) ** exponent
        powers *= (1 - share) / powers.sum(axis=1, keepdims=True)
        powers += share / p.shape[1]
        return powers

    return in_chunks(np, work, probabilities, numbers_each=3 * probabilities.shape[1])
